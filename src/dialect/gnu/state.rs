//! What is kept from line to line and from file to file, and what differs between the
//! CPUs that GNU as and its linker are for.

use super::words::Gnu;
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::program::plan::Plan;
use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::read::hooks::Relaxing;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::Arguments;
use crate::text::lex::Tok;
use crate::text::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// How a symbol is seen from other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// By all.
    Global,
    /// By all, unless another file defines it `Global`.
    Weak,
    /// By `.local`, which is the rule.
    Local,
}

/// A chunk of a section of a file.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Index of the chunk.
    pub(super) chunk: u32,
    /// Section.
    pub(super) section: u32,
    /// Number of the file.
    pub(super) unit: u32,
    /// Subsection.
    pub(super) sub: i64,
    /// The address is a multiple of this.
    pub(super) align: u64,
}

/// What a section is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// It lies in memory.
    pub(super) alloc: bool,
    /// It is written to.
    pub(super) write: bool,
    /// It is executed.
    pub(super) code: bool,
    /// It has no values, only room.
    pub(super) room: bool,
    /// Bytes of the items that are kept once; 0 where none is.
    pub(super) item: u8,
    /// The items are texts.
    pub(super) texts: bool,
}

/// Room that files share by name.
#[derive(Clone, Debug)]
pub struct Common {
    pub(super) id: SymbolId,
    pub(super) unit: u32,
    pub(super) name: Arc<str>,
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) span: Span,
}

/// A numeric label: the last before here, and the next.
pub type Numbered = (Option<SymbolId>, Option<SymbolId>);

/// Labels that may be defined again.
#[derive(Default)]
pub(super) struct Labels {
    /// Those that are numbers.
    pub(super) numbered: FxHashMap<u64, Numbered>,
    /// Those like `1$` since the last plain label.
    pub(super) dollar: FxHashMap<Arc<str>, SymbolId>,
}

/// A section and its subsection.
pub(super) type Subsection = (u32, i64);

/// Macros of the file in force.
#[derive(Default)]
pub(super) struct Macros {
    pub(super) list: FxHashMap<String, Rc<Macro>>,
    /// Calls so far.
    pub(super) number: u32,
    /// `local` names so far.
    pub(super) local: u32,
    /// `.altmacro` is on.
    pub(super) alternate: bool,
}

/// What is said from outside.
#[derive(Default)]
pub(super) struct Outside {
    /// Addresses of sections.
    pub(super) addresses: Vec<(String, u64)>,
    /// Values of symbols that no file defines.
    pub(super) given: Vec<(String, i64)>,
    /// How far up flash is read as data.
    pub(super) mapped: Option<u64>,
}

/// Reads an operand of an expression from a token; as [`Hooks::leaf`].
pub(super) type Leaf = fn(&mut Assembler<'_>, &Tok, &mut Cursor<'_>, u32) -> Outcome<bool>;

/// Changes operands before a form is looked for; as [`Hooks::operands`].
pub(super) type Operands = fn(&mut Assembler<'_>, u16, &[Tok], &mut Arguments) -> Outcome<bool>;

/// What the linker does with all files: their symbols by name are given.
pub(super) type Planner = fn(&mut Assembler<'_>, &FxHashMap<Arc<str>, SymbolId>) -> Plan;

/// What differs between the CPUs that GNU as and its linker are for.
pub struct Family {
    /// Directives and what they do.
    pub(super) words: &'static [(&'static str, Gnu)],
    /// Values that the family alone has.
    pub(super) leaf: Leaf,
    /// Operands that the family alone has.
    pub(super) operands: Operands,
    /// The linker's default script.
    pub(super) plan: Planner,
    /// Missing operands count as 0, and a pointer that counts up as a displacement.
    pub(super) missing: bool,
    /// In operands `.` is the address behind the instruction.
    pub(super) dot_behind: bool,
    /// `name equ value` and `name defl value` are assignments.
    pub(super) equates: bool,
    /// Texts may stand in single quotes.
    pub(super) quoted: bool,
    /// How the linker makes jumps shorter.
    pub(super) relaxing: Relaxing,
}

/// A use of `gs`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// What `gs` stands around: the arena forgets what folds to a number.
    pub(super) target: Vec<Op>,
    /// The jump.
    pub(super) jump: SymbolId,
    pub(super) span: Span,
}

/// A parameter.
#[derive(Debug, Default)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) default: String,
    pub(super) required: bool,
    /// Takes the rest of the line.
    pub(super) rest: bool,
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Body,
    pub(super) span: Span,
}

/// Recorded lines: their text, and where each stands.
#[derive(Debug, Default)]
pub struct Body {
    pub(super) text: String,
    pub(super) lines: Vec<Span>,
}

/// What is kept from line to line and from file to file.
pub struct State {
    /// Whose rules hold.
    pub(super) family: &'static Family,
    /// Number of the file.
    pub(super) unit: u32,
    /// All chunks.
    pub(super) parts: Vec<Part>,
    /// Parts of the file in force by section and subsection.
    pub(super) open: FxHashMap<Subsection, usize>,
    /// The part of the lowest subsection by section of the file in force.
    pub(super) first: FxHashMap<u32, usize>,
    /// The part in force.
    pub(super) part: usize,
    /// Section and subsection before the one in force.
    pub(super) previous: Option<Subsection>,
    /// What `.pushsection` keeps.
    pub(super) stack: Vec<(Subsection, Option<Subsection>)>,
    /// Flags by section.
    pub(super) flags: FxHashMap<u32, Flags>,
    pub(super) labels: Labels,
    /// Macros.
    pub(super) macros: Macros,
    pub(super) bindings: FxHashMap<SymbolId, Binding>,
    /// Targets that may need a jump in reach.
    pub(super) gates: Vec<Gate>,
    /// Files with alignments or `.org`, which the assembler makes a section of.
    pub(super) aligned: FxHashSet<u32>,
    pub(super) commons: Vec<Common>,
    /// Names of the files that are done.
    pub(super) units: Vec<FxHashMap<Arc<str>, SymbolId>>,
    /// The file in force goes through the preprocessor.
    pub preprocessed: bool,
    /// Texts that do not, though the file does.
    pub plain_sources: FxHashSet<SourceId>,
    /// Bytes from the start of the statement to what `.` means.
    pub(super) dot: u32,
    /// What is said from outside.
    pub(super) outside: Outside,
}

impl State {
    /// At the start of a run.
    pub(super) fn new(family: &'static Family) -> Self {
        Self {
            family,
            unit: 0,
            parts: Vec::new(),
            open: FxHashMap::default(),
            first: FxHashMap::default(),
            part: 0,
            previous: None,
            stack: Vec::new(),
            flags: FxHashMap::default(),
            labels: Labels::default(),
            macros: Macros::default(),
            bindings: FxHashMap::default(),
            gates: Vec::new(),
            aligned: FxHashSet::default(),
            commons: Vec::new(),
            units: Vec::new(),
            preprocessed: false,
            plain_sources: FxHashSet::default(),
            dot: 0,
            outside: Outside::default(),
        }
    }
}
