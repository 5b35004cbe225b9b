//! Printing: findings and reports, colour, closed pipes.
//!
//! All that goes to a terminal passes [`fit`] here: names, sources, manifests and what a
//! simulated machine sends are a stranger's, and a control character among them would
//! command the terminal.

use super::args::{MessageFormat, When};
use super::failure::Failure;
use crate::diagnostic::text::shown;
use crate::diagnostic::{Diagnostic, codes, flood, human, json, sarif, short};
use crate::text::source::Sources;
use anstream::{AutoStream, ColorChoice};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

/// What a text may have beside characters that can be seen, line ends and tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Plain,
    /// Colours and the like that scrimp puts there; what is a stranger's in it has been
    /// through [`fit`].
    Styled,
    /// It is JSON, where any character can be written as an escape.
    Json,
}

/// A text without control characters but line ends and tabs.
pub fn fit(text: &str) -> Cow<'_, str> {
    filter(text, Kind::Plain)
}

fn filter(text: &str, kind: Kind) -> Cow<'_, str> {
    let fits = |c: char| matches!(c, '\n' | '\t') || shown(c) == c;
    if text.chars().all(fits) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let rest = chars.as_str();
        match c {
            c if fits(c) => out.push(c),
            '\r' if rest.starts_with('\n') => {}
            '\x1b' if kind == Kind::Styled && style(rest) > 0 => {
                let length = style(rest);
                out.push(c);
                out.push_str(&rest[..length]);
                chars = rest[length..].chars();
            }
            c if kind == Kind::Json => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(shown(c)),
        }
    }
    Cow::Owned(out)
}

/// Bytes of `[1;31m` at the beginning of a text: what sets colour and style.
fn style(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('[') else {
        return 0;
    };
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';');
    match end {
        Some(end) if rest[end..].starts_with('m') => 1 + end + 1,
        _ => 0,
    }
}

/// What is known of the streams that a command prints to.
pub struct Terminal {
    /// Colour on standard output.
    pub color: bool,
    color_err: bool,
    format: MessageFormat,
    log: RefCell<Log>,
}

/// What a log has at its end.
#[derive(Default)]
struct Log {
    results: Vec<serde_json::Value>,
    /// Level and text of what has no code.
    said: Vec<(&'static str, String)>,
    failed: bool,
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
            log: RefCell::default(),
        }
    }

    /// Ends the output of a command: a log is one document, with all that was found.
    pub fn finish(&self) {
        if self.format == MessageFormat::Sarif {
            let log = self.log.borrow();
            let log = sarif::log(&log.results, &log.said, !log.failed);
            self.say_as(&format!("{log:#}\n"), Kind::Json);
        }
    }

    /// Keeps a text for the log.
    fn note(&self, level: &'static str, text: &str) {
        let mut log = self.log.borrow_mut();
        log.failed |= level == "error";
        log.said.push((level, text.trim_end().to_owned()));
    }

    /// Prints a text to standard output.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.put(&filter(text, Kind::Plain))
    }

    /// Prints a text with scrimp's own colours; a stranger's parts of it are [`fit`].
    pub fn print_styled(&self, text: &str) -> Result<(), Failure> {
        self.put(&filter(text, Kind::Styled))
    }

    /// Prints JSON to standard output.
    pub fn print_json(&self, text: &str) -> Result<(), Failure> {
        self.put(&filter(text, Kind::Json))
    }

    /// Prints a text as it is, with all that it has, where no terminal takes it; one gets
    /// what can be seen of it.
    pub fn print_raw(&self, text: &str) -> Result<(), Failure> {
        match stdout().is_terminal() {
            true => self.print(text),
            false => self.put(text),
        }
    }

    /// Writes the bytes of a file to standard output; a terminal takes text only.
    pub fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        if !stdout().is_terminal() {
            return self.put_bytes(bytes);
        }
        let text = std::str::from_utf8(bytes).ok();
        let text = text.filter(|t| !t.contains(|c: char| c.is_control() && !c.is_whitespace()));
        match text {
            Some(text) => self.print(text),
            None => Err("the bytes are no text for a terminal: send them to a file"
                .to_owned()
                .into()),
        }
    }

    fn put(&self, text: &str) -> Result<(), Failure> {
        self.put_bytes(text.as_bytes())
    }

    fn put_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = stdout().lock();
        let done = out.write_all(bytes).and_then(|()| out.flush());
        done.map_err(|e| match e.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("cannot write to standard output: {e}")),
        })
    }

    /// Prints a text to standard error; a reader that has gone is no fault.
    pub fn say(&self, text: &str) {
        match self.format {
            MessageFormat::Sarif => self.note("note", text),
            _ => self.say_as(text, Kind::Plain),
        }
    }

    fn say_as(&self, text: &str, kind: Kind) {
        let text = filter(text, kind);
        let mut err = stderr().lock();
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }

    /// How findings are printed.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// Prints a word about what goes on to standard error.
    pub fn remark(&self, message: &str) {
        let message = fit(message);
        match self.format {
            MessageFormat::Json => {
                let line = serde_json::json!({
                    "schema": json::SCHEMA, "level": "note", "message": message,
                });
                self.say_as(&format!("{line}\n"), Kind::Json);
            }
            _ => self.say(&format!("scrimp: {message}\n")),
        }
    }

    /// Prints why a command failed.
    pub fn failure(&self, message: &str) {
        let message = fit(message);
        match self.format {
            MessageFormat::Json => {
                let line = serde_json::json!({
                    "schema": json::SCHEMA, "level": "error", "message": message,
                });
                self.say_as(&format!("{line}\n"), Kind::Json);
            }
            MessageFormat::Sarif => self.note("error", &message),
            _ if self.color_err => self.say_as(
                &format!("scrimp: \x1b[1;31merror\x1b[0m: {message}\n"),
                Kind::Styled,
            ),
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
        let (mut named, mut results) = (Vec::new(), Vec::new());
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
            MessageFormat::Github => short::github(d, sources),
            MessageFormat::Json => json::json(d, sources),
            MessageFormat::Sarif => {
                let result = sarif::result(d, sources);
                let text = result.to_string();
                results.push(result);
                text
            }
        });
        let summary = flood::summary(diagnostics, hidden, left_out);
        if self.format == MessageFormat::Sarif {
            results.truncate(diagnostics.len() - hidden);
            self.log.borrow_mut().results.append(&mut results);
            if hidden > 0 || left_out != [0; 3] {
                self.note("note", &summary);
            }
            return;
        }
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
        let kind = match self.format {
            MessageFormat::Json => Kind::Json,
            _ if self.color_err => Kind::Styled,
            _ => Kind::Plain,
        };
        self.say_as(&text, kind);
    }

    /// Prints what clap has to say: help, the version, or what is wrong with the command
    /// line, which may have names of files that a shell put there.
    pub fn usage(&self, e: &clap::Error) {
        let text = e.render();
        let (color, to_err) = (self.color, e.use_stderr());
        match (to_err, if to_err { self.color_err } else { color }) {
            (true, true) => self.say_as(&text.ansi().to_string(), Kind::Styled),
            (true, false) => self.say(&text.to_string()),
            (false, true) => drop(self.print_styled(&text.ansi().to_string())),
            (false, false) => drop(self.print(&text.to_string())),
        }
    }

    /// Whether standard error is watched by a person.
    pub fn watched() -> bool {
        stderr().is_terminal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A title, a colour, a reset, an erased screen, C1 and its UTF-8, a bell, an order of
    /// text, and what ends a line.
    const HOSTILE: &str = "a\x1b]0;x\x07\x1b[31mb\u{9b}2J\u{9d}c\x7f\u{202e}d\r\n\te\rf";

    #[test]
    fn a_stranger_commands_no_terminal() {
        let plain = fit(HOSTILE);
        assert_eq!(plain, "a␛]0;x␇␛[31mb\u{fffd}2J\u{fffd}c␡\u{fffd}d\n\te␍f");
        assert!(matches!(fit("plain ▀ é\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn own_text_has_colour_and_nothing_else() {
        let styled = filter(HOSTILE, Kind::Styled);
        assert_eq!(styled.matches('\x1b').count(), 1);
        assert!(styled.contains("\x1b[31mb") && !styled.contains('\u{9b}'));
        for other in [
            "\x1b[2J",
            "\x1b[",
            "\x1b",
            "\x1b[1;1H",
            "\x1b[31",
            "\x1b[?25lm",
        ] {
            assert!(!filter(other, Kind::Styled).contains('\x1b'), "{other:?}");
        }
    }

    #[test]
    fn json_keeps_what_it_says() {
        let text = serde_json::to_string(HOSTILE).unwrap();
        let json = filter(&text, Kind::Json);
        assert!(json.chars().all(|c| shown(c) == c));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), HOSTILE);
    }
}
