//! What is wrong with a source, created without formatting text. Renderers are
//! separate; `docs/explain/CODE.md` describes each code.

pub mod codes;
pub mod findings;
pub mod flood;
#[cfg(feature = "cli")]
pub mod human;
pub mod json;
pub mod near;
pub mod policy;
pub mod sarif;
pub mod short;
pub mod text;

use crate::text::source::Span;

/// Most errors before the run is given up.
pub const MAX_FINDINGS: usize = 100;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For information: `print`.
    Note,
    /// Assembles, but looks wrong.
    Warning,
    /// No output is written.
    Error,
}

/// One step of the way that led to a line: an include, a macro call, a repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// "in macro `foo`", "in repeat 3 of 10", "in file included".
    pub what: String,
    /// Where it was called.
    pub span: Span,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `E0012`, `W0003`, described by `scrimp explain`.
    pub code: &'static str,
    /// How bad.
    pub level: Level,
    /// One line, without the place.
    pub message: String,
    /// The text to underline; none for a finding about the whole program.
    pub span: Option<Span>,
    /// What to say at the underlined text.
    pub label: Option<String>,
    /// Other places with a text each.
    pub related: Vec<(Span, String)>,
    /// Further lines.
    pub notes: Vec<String>,
    /// What would mend it.
    pub help: Option<String>,
    /// Innermost call first.
    pub trail: Vec<Frame>,
}

impl Diagnostic {
    /// A finding with code, level and message; the rest is added by the `with`
    /// methods. The level follows from the code's first letter: E, W or N.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        let level = match code.as_bytes()[0] {
            b'E' => Level::Error,
            b'W' => Level::Warning,
            _ => Level::Note,
        };
        Self {
            code,
            level,
            message: message.into(),
            span: None,
            label: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            trail: Vec::new(),
        }
    }
    /// The text to underline.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }
    /// What to say there.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }
    /// Another place.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }
    /// A further line.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
    /// A remedy.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
