//! `program.toml`: what a program is built from and what it may cost.
//!
//! ```toml
//! name = "chess"
//! target = "..."            # instruction set
//! machine = "..."           # regions, character maps, file formats
//! dialect = "native"
//! main = "chess.asm"        # in this folder
//! include = ["lib"]         # folders searched for included files
//! relax = true              # long jumps and calls become short where that reaches
//! emit = ["bin", "lst"]     # what `scrimp build` writes
//! [options]                 # of the file formats
//! mode = "slow"
//! [define]                  # symbols
//! DEBUG = 0
//! [board]                   # what hangs on a machine without parts of its own
//! clock = 8_000_000
//! [warnings]                # by name or group
//! allow = ["padded"]        # not shown
//! deny = ["warnings"]       # errors
//! [contracts]               # for the optimizer
//! draw = "in hl, clobbers a"
//! [budget]                  # bytes; exceeding one ends with exit code 3
//! total = 400
//! section = { search = 210 }
//! routine = { draw = 40 }
//! region = { sram = 500 }
//! ```

use super::names::name_fault;
use crate::diagnostic::{Diagnostic, codes, near::nearest};
use crate::image::Budget;
use crate::optimize::contract::{Outside, Written};
use crate::read::job::Define;
use crate::text::source::{SourceId, Span};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// The file's name.
pub const FILE: &str = "program.toml";

/// Most bytes that it may have.
pub const MOST_BYTES: u64 = 256 << 10;
/// Most folders that are searched.
const MOST_FOLDERS: usize = 100;

/// The file as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program's name.
    pub name: Option<Spanned<String>>,
    /// Instruction set.
    pub target: Option<Spanned<String>>,
    /// Machine.
    pub machine: Option<Spanned<String>>,
    /// Language of the sources.
    pub dialect: Option<Spanned<String>>,
    /// Main file, in the folder.
    pub main: Spanned<String>,
    /// Folders that are searched for included files.
    #[serde(default)]
    pub include: Vec<Spanned<String>>,
    /// Long jumps and calls become short where that reaches.
    #[serde(default)]
    pub relax: bool,
    /// File formats that are written.
    #[serde(default)]
    pub emit: Vec<Spanned<String>>,
    /// What a player of the program types, line by line.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Options of the file formats.
    #[serde(default)]
    pub options: BTreeMap<String, Spanned<Scalar>>,
    /// Symbols, and texts where the dialect has such.
    #[serde(default)]
    pub define: BTreeMap<String, Spanned<Value>>,
    /// Which warnings count.
    #[serde(default)]
    pub warnings: WarningTable,
    /// What hangs on the machine, which alone can read it.
    pub board: Option<Spanned<toml::Table>>,
    /// Tests: their names and lines.
    #[serde(default)]
    pub test: BTreeMap<String, Spanned<String>>,
    /// Contracts for the optimizer: what they are about, and their clauses.
    #[serde(default)]
    pub contracts: BTreeMap<String, Spanned<String>>,
    /// How it is played as an engine, which only the bridge reads.
    pub bridge: Option<toml::Table>,
    #[serde(default)]
    budget: BudgetTable,
}

/// Names of warnings and groups.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarningTable {
    /// Not shown.
    #[serde(default)]
    pub allow: Vec<Spanned<String>>,
    /// Errors.
    #[serde(default)]
    pub deny: Vec<Spanned<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetTable {
    total: Option<Spanned<u64>>,
    #[serde(default)]
    section: BTreeMap<String, Spanned<u64>>,
    #[serde(default)]
    routine: BTreeMap<String, Spanned<u64>>,
    #[serde(default)]
    region: BTreeMap<String, Spanned<u64>>,
}

/// A value of an option.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected `true`, `false`, a whole number or a text"
)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
}

/// A number or a text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or a text")]
pub enum Value {
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
}

impl From<&Value> for Define {
    fn from(v: &Value) -> Self {
        match v {
            Value::Integer(n) => (*n).into(),
            Value::Text(t) => Self::text(t),
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Integer(n) => write!(f, "{n}"),
            Self::Text(t) => f.write_str(t),
        }
    }
}

impl Manifest {
    /// Reads the file's text, which is `source` in the list of sources.
    pub fn parse(text: &str, source: SourceId) -> Result<Self, Box<Diagnostic>> {
        let read = toml::from_str(text).map_err(|e| {
            let message = plain(e.message());
            let mut d = Diagnostic::new(codes::PROGRAM_FILE, message.clone());
            // What is too deep for its reader has no place of its own.
            d = d.at(span(source, &e.span().unwrap_or(0..0)));
            if let Some(name) = unknown_field(&message) {
                d.help = Some(format!("is `{name}` meant?"));
            }
            Box::new(d)
        });
        let read: Self = read?;
        if let Some(more) = read.include.get(MOST_FOLDERS) {
            let text = format!("more than {MOST_FOLDERS} folders cannot be searched");
            let d = Diagnostic::new(codes::PROGRAM_FILE, text);
            return Err(Box::new(d.at(span(source, &more.span()))));
        }
        Ok(read)
    }

    /// The program's name, and what is wrong with it if anything is.
    pub fn name(&self) -> Result<Option<&str>, (Range<usize>, String)> {
        let Some(name) = &self.name else {
            return Ok(None);
        };
        match name_fault(name.get_ref()) {
            None => Ok(Some(name.get_ref())),
            Some(why) => Err((name.span(), why)),
        }
    }

    /// The contracts in the file, whose text this is.
    pub fn outside(&self, name: &str, text: &str) -> Outside {
        let list = self.contracts.iter().map(|(subject, clauses)| {
            let from = clauses.span().start;
            // Behind the quotes, where they are plain ones.
            let quotes = text
                .get(from..)
                .map_or(0, |t| t.len() - t.trim_start_matches(['"', '\'']).len());
            Written {
                subject: subject.clone(),
                text: clauses.get_ref().clone(),
                start: (from + quotes.min(3)) as u32,
            }
        });
        Outside {
            name: name.to_owned(),
            text: text.to_owned(),
            list: list.collect(),
        }
    }

    /// The budgets in the file: total, sections, routines.
    pub fn budgets(&self, source: SourceId) -> Vec<Budget> {
        let budget = |name: &str, limit: &Spanned<u64>| Budget {
            name: name.to_owned(),
            limit: *limit.get_ref(),
            span: Some(span(source, &limit.span())),
        };
        let b = &self.budget;
        let total = b.total.iter().map(|t| budget("total", t));
        let named = b.section.iter().chain(&b.routine).chain(&b.region);
        total.chain(named.map(|(n, l)| budget(n, l))).collect()
    }
}

/// The span of a value in the file.
pub fn span(source: SourceId, range: &Range<usize>) -> Span {
    Span::new(source, range.start as u32, range.end as u32)
}

/// Likewise, with the name that may be meant.
pub fn told(message: &str) -> String {
    let text = plain(message);
    match unknown_field(&text) {
        Some(name) => format!("{text}; is `{name}` meant?"),
        None => text,
    }
}

/// What the reader of TOML says, in the words of TOML.
pub fn plain(message: &str) -> String {
    let words = [
        (" as i128", ""),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected a map", "expected a table"),
        ("expected a sequence", "expected a list"),
        ("type: sequence", "type: list"),
        ("type: map", "type: table"),
        ("expected a boolean", "expected `true` or `false`"),
        ("expected a string", "expected a text"),
        ("expected any value", "expected one of 64 bits"),
    ];
    let replace = |text: String, (from, to): &(&str, &str)| text.replacen(from, to, 1);
    words.iter().fold(message.to_owned(), replace)
}

/// The nearest of the expected names in serde's message about an unknown one.
fn unknown_field(message: &str) -> Option<String> {
    let mut quoted = message
        .strip_prefix("unknown field ")?
        .split('`')
        .skip(1)
        .step_by(2);
    let wrong = quoted.next()?;
    nearest(wrong, quoted).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: SourceId = SourceId(0);

    #[test]
    fn reads_a_whole_file() {
        let m = Manifest::parse(
            "name='c'\ntarget='t'\nmain='c.asm'\nemit=['bin']\n[options]\nmode='slow'\nline=10\n\
             [define]\nX=3\n[budget]\ntotal=400\nsection={code=210}\n[budget.routine]\ngo=4\n",
            ID,
        )
        .unwrap();
        let limits: Vec<_> = m
            .budgets(ID)
            .into_iter()
            .map(|b| (b.name, b.limit))
            .collect();
        let want = [("total", 400), ("code", 210), ("go", 4)];
        assert_eq!(limits, want.map(|(n, l)| (n.to_owned(), l)));
        assert_eq!(m.options["line"].get_ref().to_string(), "10");
        assert_eq!(*m.define["X"].get_ref(), Value::Integer(3));
    }

    /// The keys that a table may have, by what is said of one that it has not.
    fn keys(table: &str) -> Vec<String> {
        let text = match table {
            "" => "nonsense = 1\n".to_owned(),
            table => format!("main = 'a'\n[{table}]\nnonsense = 1\n"),
        };
        let message = Manifest::parse(&text, ID).unwrap_err().message;
        let quoted = message.split('`').skip(1).step_by(2).skip(1);
        quoted.map(str::to_owned).collect()
    }

    #[test]
    fn the_manual_has_every_key_and_no_other() {
        let page = include_str!("../../docs/manual/program-toml.md");
        let mut there: Vec<String> = page
            .lines()
            .filter_map(|l| Some(l.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
            .collect();
        let mut known = keys("");
        assert!(known.len() > 10, "{known:?}");
        for table in ["warnings", "budget"] {
            let inner = keys(table);
            assert!(inner.len() > 1, "{inner:?}");
            known.extend(inner.iter().map(|k| format!("{table}.{k}")));
        }
        there.sort();
        known.sort();
        assert_eq!(there, known);
    }

    #[test]
    fn faults_have_a_place_and_a_near_name() {
        let d = Manifest::parse("main = 'a.asm'\nmachin = 'x'\n", ID).unwrap_err();
        assert_eq!(d.span.unwrap().start, 15);
        assert_eq!(d.help.as_deref(), Some("is `machine` meant?"));
        let d = Manifest::parse("main = 'a.asm'\n[budget]\ntotal = -1\n", ID).unwrap_err();
        assert_eq!(d.span.unwrap().start, 32);
        assert!(Manifest::parse("main = ", ID).is_err());
        assert!(Manifest::parse("", ID).is_err());
    }
}
