//! Contracts: what a source or a `program.toml` says of its routines, tables and lines, for
//! the optimizer. One grammar (`grammar.rs`), in remarks behind `scrimp:` or in the table
//! `[contracts]`; `../attach.rs` finds what they are about, `../holds.rs` looks whether the
//! code does what they say. A contract that the code contradicts is an error.

mod grammar;

pub use grammar::{Clause, Count, number_of, read};

use crate::program::Program;
use crate::program::symbol::SymbolId;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::place;
use serde::Serialize;

/// A contract as written in a `program.toml`: what it is about, its clauses, and where they
/// stand in the file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// A name, an address, or `program`.
    pub subject: String,
    /// Clauses.
    pub text: String,
    /// First byte of the clauses' text in the file.
    pub start: u32,
}

/// The contracts of a `program.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The file's name, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// All.
    pub list: Vec<Written>,
}

/// How much of what stands behind a call its routine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inline {
    /// So many bytes.
    Bytes(u32),
    /// All up to this byte, with it.
    Until(u8),
}

/// Where what is reached by a label ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So many bytes behind it.
    Bytes(u32),
    /// At this label.
    Label(SymbolId),
    /// With the last jump of the table that begins there.
    Jumps,
    /// After so many instructions.
    Instructions(u32),
}

/// What is said of a routine or table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// What it reads of its caller's registers; nothing else.
    pub reads: Option<Inputs>,
    /// What it always sets, and all of what it changes that anybody reads behind it.
    pub out: Option<Inputs>,
    /// What may be changed behind it beside that.
    pub clobbers: Option<Inputs>,
    /// What it leaves as it is.
    pub preserves: Option<Inputs>,
    /// It comes back behind its call and looks at nothing on the stack but its own.
    pub returns: bool,
    /// It may be entered from outside.
    pub entry: bool,
    /// What it takes behind its calls.
    pub inline: Option<Inline>,
    /// How far what its address is used for reaches.
    pub extent: Option<Extent>,
}

impl Terms {
    /// What may be another value behind it, if that is said.
    pub fn changes(&self) -> Option<Inputs> {
        let all = Inputs((1 << place::COUNT) - 1);
        let named = match (self.clobbers, self.preserves) {
            (Some(c), Some(p)) => Some(c.without(p)),
            (Some(c), None) => Some(c),
            (None, Some(p)) => Some(all.without(p)),
            (None, None) => None,
        };
        named.map(|c| c.and(self.out.unwrap_or(Inputs::NONE)))
    }
}

/// What is said of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTerms {
    /// It stays as it is.
    pub keep: bool,
    /// It takes the time that it takes.
    pub timed: bool,
    /// Something writes into it.
    pub modified: bool,
    /// Its numbers are no addresses.
    pub number: bool,
    /// Memory is touched there, by way of an address that was kept in memory: a block or not.
    pub touched: Option<bool>,
}

/// How a contract served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The code does that, as the flow of the program shows.
    Checked,
    /// What can be seen does not contradict it.
    Trusted,
    /// It fences something.
    Fence,
    /// There is nothing in the program that it is about.
    Unused,
}

impl Standing {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::Trusted => "trusted",
            Self::Fence => "a fence",
            Self::Unused => "about nothing in the program",
        }
    }
}

/// A contract, for the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// `file:line`.
    pub place: String,
    /// What it is about.
    pub subject: String,
    /// Its clause.
    pub clause: String,
    /// How it served.
    pub standing: Standing,
    #[serde(skip)]
    pub(super) span: Span,
    #[serde(skip)]
    pub(super) about: Option<SymbolId>,
    #[serde(skip)]
    pub(super) what: Clause,
}

/// All that is said of a program.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// Nobody enters at labels that no contract names an entry.
    pub closed: bool,
    /// No plain number is an address.
    pub numbers: bool,
    /// Of labels.
    pub labels: FxHashMap<SymbolId, Terms>,
    /// Of addresses outside of the program.
    pub outside: FxHashMap<u64, Terms>,
    /// Of lines, by text and line.
    pub lines: FxHashMap<(u32, u32), LineTerms>,
    /// Numbers that are no addresses in a line that says so.
    pub(super) plain: FxHashSet<(u32, u32, i64)>,
    /// For the report.
    pub list: Vec<Said>,
}

impl Contracts {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What is said of the first of these labels of which anything is.
    pub fn of(&self, labels: &[SymbolId]) -> Option<&Terms> {
        labels.iter().find_map(|l| self.labels.get(l))
    }

    /// What is said of the line of a statement.
    pub fn line(&self, program: &Program<'_>, span: Span) -> Option<&LineTerms> {
        if self.lines.is_empty() {
            return None;
        }
        self.lines.get(&line_of(program, span))
    }

    /// Whether a number in a statement is said to be no address.
    pub fn is_plain(&self, program: &Program<'_>, span: Span, value: i64) -> bool {
        if self.numbers {
            return true;
        }
        if self.plain.is_empty() {
            return false;
        }
        let (source, line) = line_of(program, span);
        self.plain.contains(&(source, line, value & 0xffff))
    }
}

/// Text and line of a statement in its file.
pub fn line_of(program: &Program<'_>, span: Span) -> (u32, u32) {
    let span = program.sources.in_file(span);
    let source = program.sources.get(span.source);
    (span.source.0, source.line_column(span.start).0 as u32)
}

/// How many bytes behind a call its routine takes, of the bytes that stand there.
pub fn taken(inline: Inline, behind: &mut dyn FnMut(u64) -> Option<u8>) -> Option<u64> {
    /// Longest text behind a call.
    const LONGEST: u64 = 4096;
    match inline {
        Inline::Bytes(n) => Some(n.into()),
        Inline::Until(end) => {
            let mut n = 0;
            while n < LONGEST {
                let byte = behind(n)?;
                n += 1;
                if byte == end {
                    return Some(n);
                }
            }
            None
        }
    }
}
