//! What the checker could not see to be the same.

use crate::program::Program;
use crate::program::symbol::{Anchor, SymbolId};

/// Why two programs may not be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// They do different things.
    Different,
    /// A value is another one.
    Value,
    /// Data are others, or not where they were.
    Data,
    /// Code that the program reads, writes or enters within is not as it was.
    Touched,
    /// The stack is used where one of them has more on it.
    Stack,
    /// The stack pointer may point at data.
    Pointer,
    /// What is called may look at its return address.
    Callee,
    /// What is named by half an address lies in its page in another way.
    Page,
    /// Control goes where nobody knows.
    Astray,
    /// One of them has errors, or is of a kind that cannot be walked.
    Unknown,
}

impl Why {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Different => "they do different things",
            Self::Value => "a value is another one",
            Self::Data => "data are others, or not where they were",
            Self::Touched => "code that is read, written or entered within is not as it was",
            Self::Stack => "the stack is used where one has a return address more on it",
            Self::Pointer => "the stack pointer may point at data here",
            Self::Callee => "what is called may look at its return address",
            Self::Page => "half of an address is used, and the page is another",
            Self::Astray => "control goes from here where nobody knows",
            Self::Unknown => "this cannot be checked",
        }
    }
}

/// What the checker could not see to be the same.
#[derive(Clone, Debug)]
pub struct Doubt {
    /// Why.
    pub why: Why,
    /// Where, in the old program.
    pub old: String,
    /// Where, in the new one.
    pub new: String,
    /// The item of the old program, if there is one.
    pub at: Option<Anchor>,
    /// The item of the new one.
    pub new_at: Option<Anchor>,
}

impl Doubt {
    /// One without a place.
    pub fn unknown(what: &str) -> Self {
        Self {
            why: Why::Unknown,
            old: what.to_owned(),
            new: String::new(),
            at: None,
            new_at: None,
        }
    }
}

/// The symbol of the new program that is one of the old.
pub fn namesake(old: &Program<'_>, new: &Program<'_>, id: SymbolId) -> Option<SymbolId> {
    let name = &old.symbols.get(id).name;
    let same = (id.0 as usize) < new.symbols.len() && new.symbols.get(id).name == *name;
    match same {
        true => Some(id),
        false => new.symbols.find(name),
    }
}
