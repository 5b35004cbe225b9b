//! The preprocessor alone: from a file to plain text.

use super::preprocessor::{Line, Preprocessor, Step};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::limits;
use crate::read::state::feeds::MAX_NESTING;
use crate::text::language::Rules;
use crate::text::source::{Loader, SourceId, Sources, Span};

/// Most bytes of text that are made.
const MAX_TEXT: usize = 32 << 20;

/// What came of it.
#[derive(Debug)]
pub struct Preprocessed {
    /// The lines that are left, each with an end.
    pub text: String,
    /// What is wrong.
    pub findings: Vec<Diagnostic>,
    /// The texts that were read.
    pub sources: Sources,
}

/// Preprocesses a file with what it includes; `defines` are macros from outside.
pub fn preprocess(
    rules: &'static Rules,
    file: &str,
    loader: &dyn Loader,
    defines: &[(&str, &str)],
) -> Preprocessed {
    let mut p = Preprocessor::new(rules);
    for (name, value) in defines {
        p.define(name, value);
    }
    let mut sources = Sources::default();
    let mut text = String::new();
    let mut stack: Vec<(SourceId, usize)> = Vec::new();
    match loader.load(file, None) {
        Ok((name, bytes)) => stack.push((sources.add_bytes(name, bytes), 0)),
        Err(_) => p.findings.push(Diagnostic::new(
            codes::FILE_MISSING,
            format!("there is no file `{file}`"),
        )),
    }
    while let Some(&(source, at)) = stack.last()
        && !p.fatal
        && text.len() < MAX_TEXT
        && p.findings.len() < 1000
    {
        let s = sources.get(source);
        let step = p.line(
            &Line {
                text: &s.text,
                source,
                at,
                level: stack.len(),
                number: &|n| s.line_column(n).0,
                file: &s.name,
                holds: false,
            },
            &|_| false,
        );
        let to = stack.len() - 1;
        match step {
            Step::Plain => {
                let g = super::scan::logical(&s.text, at, rules, false).unwrap_or_default();
                text.push_str(&g.text);
                text.push('\n');
                stack[to].1 = g.next.max(at + 1);
            }
            Step::Nothing { next } | Step::Pragma { next, .. } => stack[to].1 = next,
            Step::Text {
                text: made, next, ..
            } => {
                text.push_str(&made);
                text.push('\n');
                stack[to].1 = next;
            }
            Step::Include {
                name, next, span, ..
            } => {
                stack[to].1 = next;
                let from = s.name.clone();
                include(
                    &mut p,
                    &mut sources,
                    &mut stack,
                    loader,
                    (&name, &from, span),
                );
            }
            Step::End => {
                p.end_of_file(stack.len());
                stack.pop();
            }
        }
    }
    Preprocessed {
        text,
        findings: p.findings,
        sources,
    }
}

fn include(
    p: &mut Preprocessor,
    sources: &mut Sources,
    stack: &mut Vec<(SourceId, usize)>,
    loader: &dyn Loader,
    (name, from, span): (&str, &str, Span),
) {
    if stack.len() >= MAX_NESTING {
        let text = "files include each other more than 256 deep";
        p.findings
            .push(Diagnostic::new(codes::INCLUDE_LOOP, text).at(span));
        p.fatal = true;
        return;
    }
    match loader.load(name, Some(from)) {
        Ok((name, bytes)) => {
            let id = sources
                .file(&name)
                .unwrap_or_else(|| sources.add_bytes(name, bytes));
            if p.is_read_once(id) {
                return;
            }
            p.included.0 += 1;
            let source = sources.get(id);
            if source.met.replace(true) {
                p.included.1 += source.text.len();
            }
            if p.included.0 > limits::INCLUDES || p.included.1 > limits::READ_AGAIN {
                let text = "too many files are included";
                p.findings
                    .push(Diagnostic::new(codes::INCLUDE_LOOP, text).at(span));
                p.fatal = true;
                return;
            }
            stack.push((id, 0));
        }
        Err(_) => {
            let text = format!("there is no file `{name}`");
            p.findings
                .push(Diagnostic::new(codes::FILE_MISSING, text).at(span));
        }
    }
}
