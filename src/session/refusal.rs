//! Why a program cannot be opened or used as it was asked for.

use crate::diagnostic::Diagnostic;
use crate::text::source::Sources;

/// Why something was not done.
#[derive(Debug)]
pub enum Refusal {
    /// Findings, with the texts that they point into.
    Found(Vec<Diagnostic>, Sources),
    /// Findings that point into the texts of the build that was asked; empty where the
    /// build's own findings say it.
    Broken(Vec<Diagnostic>),
    /// Wrong usage, or a file that cannot be read or written: a sentence.
    Failed(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Self {
        Self::Failed(message.to_owned())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed(message) => f.write_str(message),
            Self::Broken(findings) if findings.is_empty() => f.write_str("there are errors"),
            Self::Found(findings, _) | Self::Broken(findings) => {
                for (i, d) in findings.iter().enumerate() {
                    let gap = if i == 0 { "" } else { "; " };
                    write!(f, "{gap}{}", d.message)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Refusal {}
