//! What the assembler is asked to do.

use scrimp_isa::{Machine, Target};

/// What to assemble and how.
#[derive(Clone)]
pub struct Job<'a> {
    /// Path of the main file, for the loader.
    pub file: String,
    /// The instruction set.
    pub target: &'a dyn Target,
    /// The machine, which brings regions, a source library and character maps.
    pub machine: Option<&'a dyn Machine>,
    /// Name of the dialect; see [`crate::dialect::names`].
    pub dialect: String,
    /// What is defined from outside.
    pub defines: Vec<(String, Define)>,
}

/// A value that is given from outside: a symbol's, or a text where the dialect has such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// As it is written; empty where nothing but the name is.
    pub text: String,
    /// The number that it is; 1 where nothing but the name is.
    pub number: Option<i64>,
}

impl Define {
    /// Of a name without a value.
    pub fn bare() -> Self {
        Self {
            text: String::new(),
            number: Some(1),
        }
    }

    /// Of a text that is no number.
    pub fn text(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            number: None,
        }
    }

    /// What is wrong with it where a dialect has texts from outside, or has none.
    pub fn fault(&self, dialect: &str, texts: bool) -> Option<String> {
        let Self { text, number } = self;
        if text.contains(char::is_control) {
            return Some("there is a control character in it".into());
        }
        let takes = number.is_some() || texts;
        (!takes).then(|| format!("{text} is no number, and the dialect `{dialect}` takes no texts"))
    }
}

impl From<i64> for Define {
    fn from(number: i64) -> Self {
        Self {
            text: number.to_string(),
            number: Some(number),
        }
    }
}
