//! Printing: findings and reports, colour, closed pipes.

use super::Failure;
use super::args::{MessageFormat, When};
use crate::diagnostic::{Diagnostic, codes, flood, human, json, short};
use crate::source::Sources;
use anstream::{AutoStream, ColorChoice};
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

/// What is known of the streams that a command prints to.
pub struct Terminal {
    /// Colour on standard output.
    pub color: bool,
    color_err: bool,
    format: MessageFormat,
}

impl Terminal {
    /// Looks at the streams and the environment.
    pub fn new(when: When, format: MessageFormat) -> Self {
        match when {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
        .write_global();
        Self {
            color: AutoStream::choice(&stdout()) != ColorChoice::Never,
            color_err: AutoStream::choice(&stderr()) != ColorChoice::Never,
            format,
        }
    }

    /// Prints a text to standard output.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        let mut out = stdout().lock();
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        done.map_err(|e| match e.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("cannot write to standard output: {e}")),
        })
    }

    /// Prints a text to standard error; a reader that has gone is no fault.
    pub fn say(&self, text: &str) {
        let mut err = stderr().lock();
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }

    /// Prints why a command failed.
    pub fn failure(&self, message: &str) {
        match self.format {
            MessageFormat::Json => {
                let line = serde_json::json!({
                    "schema": json::SCHEMA, "level": "error", "message": message,
                });
                self.say(&format!("{line}\n"));
            }
            _ if self.color_err => {
                self.say(&format!("scrimp: \x1b[1;31merror\x1b[0m: {message}\n"))
            }
            _ => self.say(&format!("scrimp: error: {message}\n")),
        }
    }

    /// Prints findings to standard error, with their number at the end.
    pub fn findings(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        self.some_findings(diagnostics, [0; 3], sources);
    }

    /// Prints findings of which some, by level, have been left out.
    pub fn some_findings(
        &self,
        diagnostics: &[Diagnostic],
        left_out: [usize; 3],
        sources: &Sources,
    ) {
        if diagnostics.is_empty() {
            return;
        }
        let mut named = Vec::new();
        let (mut text, hidden) = flood::limited(diagnostics, |d| match self.format {
            MessageFormat::Human => {
                // The name is told with the first of its kind.
                let mut d = d.clone();
                let name = codes::name(d.code);
                if !name.is_empty() && !named.contains(&name) {
                    named.push(name);
                    d.notes.push(format!("`-W no-{name}` silences it"));
                }
                human::human(&d, sources, self.color_err)
            }
            MessageFormat::Short => short::short(d, sources),
            MessageFormat::Json => json::json(d, sources),
        });
        let summary = flood::summary(diagnostics, hidden, left_out);
        if self.format != MessageFormat::Json {
            text.push_str(&summary);
        } else if hidden > 0 || left_out != [0; 3] {
            let line = serde_json::json!({
                "schema": json::SCHEMA, "level": "note", "message": summary,
            });
            text.push_str(&line.to_string());
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.say(&text);
    }

    /// Whether standard error is watched by a person.
    pub fn watched() -> bool {
        stderr().is_terminal()
    }
}
