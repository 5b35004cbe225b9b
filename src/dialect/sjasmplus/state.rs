//! What is kept from line to line.

use super::lua::scripts::Scripts;
use super::moved::Relocation;
use super::sjasm::pages::Pages;
use super::sjasm::state::{Map, Texts};
use crate::image::memory::Window;
use crate::program::Value;
use crate::program::plan::Save;
use crate::program::symbol::SymbolId;
use crate::read::expand::{Body, Names};
use crate::text::lex::Tok;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// What `DEFINE` says of a name.
#[derive(Clone, Debug)]
pub(super) enum Define {
    Text(String),
    Array(Vec<String>),
}

/// A macro call whose lines are being read.
#[derive(Debug)]
pub(super) struct Call {
    /// Sources of lines that are open while they are.
    pub(super) depth: usize,
    /// What its local labels begin with: its number, and those of the calls around.
    pub(super) label: String,
    /// The macro, and what it was given; those of sjasm are in its frames.
    pub(super) called: Option<Rc<Macro>>,
    pub(super) given: Vec<String>,
}

/// A `WHILE` whose lines are being read.
#[derive(Debug)]
pub(super) struct While {
    pub(super) condition: Vec<Tok>,
    pub(super) body: Rc<Body>,
}

/// What is kept from line to line.
#[derive(Default)]
pub(super) struct State {
    pub(super) defines: FxHashMap<String, Define>,
    /// Length of the longest name of them.
    pub(super) longest: usize,
    pub(super) macros: FxHashMap<String, Rc<Macro>>,
    pub(super) structs: Structs,
    /// Names of the modules that are open, with dots between.
    pub(super) module: String,
    /// Full name of the last plain label.
    pub(super) parent: Arc<str>,
    pub(super) calls: Vec<Call>,
    pub(super) call_number: u32,
    pub(super) whiles: Vec<While>,
    /// Sources of lines that are the rest of a line.
    pub(super) rests: FxHashSet<u32>,
    /// Numeric labels: the last before here, and the next.
    pub(super) numbered: FxHashMap<u64, (Option<SymbolId>, Option<SymbolId>)>,
    /// The operand is where a jump goes: `1b` is a label.
    pub(super) jump: bool,
    /// Instructions that stand for others nest so deep.
    pub(super) fakes: u32,
    pub(super) displaced: Option<Displaced>,
    /// Where the next `name # size` is.
    pub(super) map: Map,
    /// Names that `IFUSED` asked about, and what it was told.
    pub(super) asked: FxHashMap<Arc<str>, bool>,
    /// Names that the run before used.
    pub(super) used: FxHashSet<Arc<str>>,
    /// Devices, and what their slots have.
    pub(super) devices: Devices,
    /// What is open of the source's own files.
    pub(super) requests: Requests,
    /// What `__COUNTER__` is next.
    pub(super) counter: u64,
    /// What `OPT` switches.
    pub(super) options: Options,
    /// Scripts.
    pub(super) scripts: Scripts,
    /// Texts, macros and loops of sjasm.
    pub(super) texts: Texts,
    /// Outputs, pages and parts of sjasm.
    pub(super) pages: Pages,
    /// Where sjasm begins.
    pub(super) origin: Origin,
    /// Blocks whose addresses change where they are moved.
    pub(super) relocation: Relocation,
}

/// Where the lines before the first `ORG` are: in sjasm where that leads to, as its first
/// pass finds it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    /// There was an `ORG`.
    pub(super) met: bool,
    /// The address was asked for before.
    pub(super) asked: bool,
    /// The address of the first in this run.
    pub(super) at: Option<i64>,
    /// The address of the first in the first run.
    pub(super) first: Option<i64>,
}

impl Origin {
    /// Notes that the address of a line counts.
    pub(super) fn ask(&mut self) {
        self.asked |= !self.met;
    }
}

/// A macro.
#[derive(Debug)]
pub struct Macro {
    pub(super) name: String,
    pub(super) names: Names,
    /// Its lines, each with a line end.
    pub(super) text: String,
    pub(super) lines: Vec<Span>,
    pub(super) span: Span,
}

/// A part of a struct.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A value of so many bytes, and its default.
    Value(u8, Value),
    /// So many equal bytes, which an instance does not change.
    Room(u32, u8),
    /// A text of so many bytes.
    Text(Vec<u8>),
    /// Another struct begins or ends.
    Open,
    Close,
}

/// A struct.
#[derive(Debug, Default)]
pub struct Struct {
    /// Labels in it with their offsets.
    pub(super) labels: Vec<(String, i64)>,
    pub(super) parts: Vec<Part>,
    pub(super) size: i64,
}

/// All structs so far.
#[derive(Debug, Default)]
pub struct Structs {
    /// By full name.
    pub(super) list: FxHashMap<String, Rc<Struct>>,
    /// Parts and labels in them that come from others.
    pub(super) held: usize,
    /// Bytes of an instance before the value that is read.
    pub(super) before: i64,
    /// What symbols are, of those that come from structs.
    pub(super) of: FxHashMap<SymbolId, Of>,
}

/// What a symbol is that comes from a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Its size, or an offset in it.
    Definition,
    /// Where it, or a part of it, lies.
    Data,
}

impl Part {
    /// Bytes of it.
    pub(super) fn size(&self) -> i64 {
        match self {
            Self::Value(n, _) => i64::from(*n),
            Self::Room(n, _) => i64::from(*n),
            Self::Text(text) => text.len() as i64,
            Self::Open | Self::Close => 0,
        }
    }
}

impl Structs {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A piece that runs at another address than it is stored at.
#[derive(Clone, Copy, Debug)]
pub struct Displaced {
    /// Address that the first byte is stored at.
    pub(super) stored: i64,
    /// The first of its chunks.
    pub(super) chunk: u32,
    /// It is in a block that is relocated, so that its addresses stay.
    pub(super) moved: bool,
}

/// What a device is made of.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) name: String,
    /// Bytes of a slot, and of a page.
    pub(super) size: u32,
    pub(super) pages: u32,
    /// What is in the slots at the start.
    pub(super) first: Vec<u32>,
    /// Its memory is that of a Spectrum behind its ROM's start.
    pub(super) spectrum: bool,
}

/// What happens where bytes go on behind the end of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtEnd {
    Free,
    Error,
    Warn,
    Onward,
}

/// A device that the source has named.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) kind: Model,
    pub(super) bank: u32,
    pub(super) slots: Vec<(u32, AtEnd)>,
    /// The slot that `PAGE` changes.
    pub(super) slot: usize,
    pub(super) ramtop: i64,
}

impl Device {
    pub(super) fn slot_at(&self, address: i64) -> Option<usize> {
        let slot = usize::try_from(address / i64::from(self.kind.size)).ok()?;
        (address >= 0 && slot < self.slots.len()).then_some(slot)
    }

    /// The number of a slot, which may be said by its address.
    pub(super) fn slot_named(&self, n: i64) -> Option<usize> {
        if (0..self.slots.len() as i64).contains(&n) {
            return Some(n as usize);
        }
        let exact = n >= 0 && n % i64::from(self.kind.size) == 0;
        self.slot_at(n).filter(|_| exact)
    }
}

/// Where a label is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paged {
    /// The page of its address.
    pub page: i64,
    /// Where its bytes are stored, and the page of that.
    pub stored: (i64, i64),
}

/// All devices of a source.
#[derive(Default)]
pub struct Devices {
    pub(super) own: Vec<Model>,
    pub(super) open: Vec<Device>,
    pub(super) current: Option<usize>,
    /// How often a device was chosen.
    pub(super) chosen: u32,
    /// Chunks before the first choice.
    pub(super) preface: usize,
    pub(super) window: u32,
    pub(super) windows: FxHashMap<Window, u32>,
    /// A slot says what happens at its end.
    pub(super) guarded: bool,
    /// The slot whose end was told of.
    pub(super) told: Option<usize>,
    /// The page that `DISP` says.
    pub displaced: Option<i64>,
    pub(super) pages: FxHashMap<SymbolId, Paged>,
    /// The same of the run before, by name.
    pub(super) before: FxHashMap<Arc<str>, Paged>,
    /// What was asked of labels that come later, and what was answered.
    pub(super) asked: FxHashMap<Arc<str>, Option<Paged>>,
}

/// What is open of the source's own files.
#[derive(Debug, Default)]
pub struct Requests {
    /// Bytes that the output is to have, and where the source says so.
    pub size: Option<(i64, Span)>,
    pub(super) tape: Option<(Save, Span)>,
    pub(super) output: Option<(Save, i64)>,
    pub(super) labels: Option<Save>,
    pub(super) map: Option<Save>,
}

/// How lines are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Directives may stand in column 1.
    pub directives_first: bool,
    /// Several registers of a `POP` come in the order of a `PUSH`.
    pub reverse_pop: bool,
    /// No instruction stands for others.
    pub no_fakes: bool,
    /// Instructions of the Spectrum Next are read.
    pub next: bool,
    /// `break` and `exit` of the emulator CSpect are instructions.
    pub emulator: bool,
    /// `m` is the memory at HL.
    pub m_is_memory: bool,
    /// Several operands that are several instructions have two commas between.
    pub two_commas: bool,
}

/// Those in force, and those that were put aside.
#[derive(Debug, Default)]
pub struct Options {
    pub now: Switches,
    pub(super) first: Switches,
    pub(super) aside: Vec<Switches>,
}

impl Options {
    /// At the start of a run.
    pub fn start(&mut self, first: Switches) {
        (self.now, self.first) = (first, first);
    }
}
