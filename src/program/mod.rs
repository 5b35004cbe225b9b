//! The program while it is being assembled: sections as chunks of raw bytes
//! with tails and fixups, symbols, findings, and where the reader stands.

pub mod eval;
pub mod exact;
pub mod fit;
pub mod limits;
pub mod plan;
pub mod problems;
pub mod promise;
pub mod symbol;

use crate::diagnostic::Diagnostic;
use crate::image::{Budget, Class, Expansion, GridPart, Region};
use crate::text::language::Dialect;
use crate::text::source::{Sources, Span};
use eval::{Known, Miss, Op};
use fit::ByteRange;
use plan::{InTable, Plan, SamePage};
use promise::Promise;
use rustc_hash::FxHashMap;
use scrimp_isa::{Form, Machine, Operand, Space, Target};
use symbol::{ExprId, Place, Symbols};

/// Most bytes in all chunks.
pub const MAX_IMAGE: usize = 16 << 20;

/// A finding, boxed because it is the rare way out of everything.
pub type Fault = Box<Diagnostic>;
/// What every step gives.
pub type Outcome<T> = Result<T, Fault>;

/// A value as parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Known.
    Number(i64),
    /// To be evaluated.
    Expr(ExprId),
}

/// Something in a chunk whose size layout decides.
#[derive(Debug)]
pub struct Tail {
    /// Raw bytes of the chunk before it.
    pub offset: u32,
    /// The run it belongs to.
    pub run: u32,
    /// What it is.
    pub kind: TailKind,
}

/// Kinds of tail.
#[derive(Debug)]
pub enum TailKind {
    /// The shortest of several encodings whose value fits.
    Relax(Vec<Encoding>),
    /// Up to a multiple.
    Align {
        /// Of this.
        to: u64,
        /// Bytes to fill with, in turns.
        fill: [u8; 2],
    },
    /// As many bytes as an expression says after layout.
    Space {
        /// How many.
        count: ExprId,
        /// Byte to fill with.
        fill: u8,
    },
    /// Room for what the target finds to be missing here for its promises to hold.
    Gap {
        /// Where it is.
        at: GapAt,
    },
}

/// Where a gap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapAt {
    /// Before an instruction, behind the labels of its line.
    Before,
    /// Behind it.
    Behind,
    /// Where the source leaves room for it.
    Room,
}

/// An instruction ready but for its values.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// Row of the table.
    pub form: u16,
    /// Fixed bits and register fields.
    pub word: u64,
    /// Values: class and expression.
    pub values: Vec<(u8, Value, Span)>,
}

/// A run before layout.
#[derive(Clone, Copy, Debug)]
pub struct RawRun {
    /// Raw bytes of the chunk before it.
    pub offset: u32,
    /// Raw bytes of it.
    pub len: u32,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
    /// Symbol number of the owner.
    pub owner: u32,
    /// Instruction form.
    pub form: u32,
    /// What it is.
    pub class: Class,
}

/// Bytes that follow each other.
#[derive(Debug)]
pub struct Chunk {
    /// Section.
    pub section: u32,
    /// Address, where the source sets it.
    pub base: Option<u64>,
    /// A floating chunk's address is a multiple of this.
    pub align: u64,
    /// A floating chunk lies in one block of so many bytes; 0 for any place.
    pub within: u64,
    /// Sections with the same number share a page.
    pub together: Option<u32>,
    /// It is a piece of a table.
    pub in_table: Option<InTable>,
    /// Linear address of address 0 of its space.
    pub origin: u64,
    /// Bytes that one address counts.
    pub unit: u8,
    /// Other chunks may lie over it.
    pub overlap: bool,
    /// Offset in the file that `seek` sets.
    pub seek: Option<u64>,
    /// Raw bytes, tails without any.
    pub bytes: Vec<u8>,
    /// Runs.
    pub runs: Vec<RawRun>,
    /// Tails by offset.
    pub tails: Vec<Tail>,
}

impl Chunk {
    /// Whether something of a size that layout decides stands right before its end.
    pub fn has_tail_at(&self, end: usize) -> bool {
        let here = |t: &&Tail| t.offset as usize == end;
        let mut tails = self.tails.iter().rev().take_while(here);
        tails.any(|t| !matches!(t.kind, TailKind::Gap { .. }))
    }
}

/// A section.
#[derive(Debug)]
pub struct Section {
    /// Name.
    pub name: String,
    /// Region it floats in.
    pub region: u32,
    /// Chunk that continues it.
    pub chunk: u32,
    /// First declaration.
    pub span: Option<Span>,
    /// Last plain label in it.
    pub owner: u32,
    /// Index of its address space.
    pub space: u32,
    /// Most bytes, and where the source says so.
    pub most: Option<(u64, Span)>,
}

/// What a fixup fills.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// An operand class's field of a form.
    Form {
        /// Row of the table.
        form: u16,
        /// Class.
        class: u8,
    },
    /// Likewise, of an address whose low bits are all that counts.
    Low {
        /// Row of the table.
        form: u16,
        /// Class.
        class: u8,
    },
    /// A data item of that many bytes.
    Data(u8),
}

/// A value to be put in after layout.
#[derive(Clone, Copy, Debug)]
pub struct Fixup {
    /// Where the instruction or item starts.
    pub place: Place,
    /// Run it lies in.
    pub expansion: u32,
    /// What it fills.
    pub field: Field,
    /// The value.
    pub value: ExprId,
    /// The operand's text.
    pub span: Span,
}

/// A check or message that waits for layout.
#[derive(Debug)]
pub struct Later {
    /// Condition; `None` for a message.
    pub condition: Option<ExprId>,
    /// Texts and values.
    pub parts: Vec<Part>,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
}

/// A part of a message.
#[derive(Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A value.
    Value(Value),
}

/// What the source says: the result of reading, and all that layout, linking and the
/// proofs look at. They leave it as it is.
pub struct Program<'a> {
    /// The instruction set.
    pub target: &'a dyn Target,
    /// The dialect in force.
    pub dialect: &'static Dialect,
    /// The instruction table.
    pub forms: &'static [Form],
    /// The operand classes.
    pub operands: &'static [Operand],
    /// Texts.
    pub sources: Sources,
    /// Text of pasted and generated tokens.
    pub symbols: Symbols,
    /// Expression arena.
    pub ops: Vec<Op>,
    /// Sections.
    pub sections: Vec<Section>,
    /// Section by name.
    pub section_names: FxHashMap<String, u32>,
    /// Regions.
    pub regions: Vec<Region>,
    /// Chunks.
    pub chunks: Vec<Chunk>,
    /// Fixups.
    pub fixups: Vec<Fixup>,
    /// Asserts and prints.
    pub later: Vec<Later>,
    /// Budgets.
    pub budgets: Vec<Budget>,
    /// Tables in columns.
    pub grid: Vec<GridPart>,
    /// Tables in ROM so far.
    pub tables: u32,
    /// Places that must have one page.
    pub same_page: Vec<SamePage>,
    /// Names that sections share to share a page.
    pub page_names: Vec<String>,
    /// Promises about clocks.
    pub contracts: Vec<Promise>,
    /// Arguments, as written, of the directive that divides time into blocks.
    pub slices: Option<Vec<String>>,
    /// Where all chunks go, in dialects that link.
    pub plan: Option<Plan>,
    /// Options for containers.
    pub options: Vec<(String, String)>,
    /// `end ADDRESS`.
    pub entry: Option<(Value, Span)>,
    /// Expansions so far.
    pub expansions: Vec<Expansion>,
    /// Most addresses in a space; where they wrap, they are taken modulo this.
    pub space: u64,
    /// Address spaces by base, at least one.
    pub spaces: Vec<Space>,
    /// The machine in force.
    pub machine: Option<&'a dyn Machine>,
    /// Bytes of code memory that relative jumps go around in.
    pub code_wrap: Option<i64>,
    /// Bytes that an address counts, by chunk.
    pub units: Vec<u8>,
    /// How values are taken as bytes.
    pub byte_range: ByteRange,
}

impl Program<'_> {
    /// A linear address in a chunk as a value: that of its space, in the units
    /// that the dialect counts.
    #[inline]
    pub fn address_value(&self, chunk: u32, a: u64) -> i64 {
        let c = &self.chunks[chunk as usize];
        let a = a.wrapping_sub(c.origin);
        if self.dialect.wraps {
            (a % self.space) as i64
        } else if c.unit == 1 {
            a as i64
        } else {
            a as i64 / i64::from(c.unit)
        }
    }

    /// Value of an expression if it is known already.
    pub fn known(&self, v: Value) -> Result<i64, Miss> {
        match v {
            Value::Number(n) => Ok(n),
            Value::Expr(e) => {
                let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
                match eval::now(ops, &self.ops, &self.symbols, self.dialect, &self.units)? {
                    Known::Number(n) => Ok(n),
                    Known::Real(_) => Err(Miss::Fraction),
                    Known::Relative(..) => Err(Miss::NotYet),
                }
            }
        }
    }

    /// Bytes that `ds` counts by: words, where the target's addresses are theirs.
    pub fn space_unit(&self, chunk: u32) -> u64 {
        match self.target.word_addresses() {
            true => self.units[chunk as usize].into(),
            false => 1,
        }
    }

    /// Whether addresses of words count words.
    pub fn counts_words(&self) -> bool {
        self.dialect.word_addresses || self.target.word_addresses()
    }

    /// Bytes that an address of a space counts.
    pub fn unit_of(&self, space: Space) -> u8 {
        if self.counts_words() { space.unit } else { 1 }
    }

    /// A name as the tables have it: where the dialect does so, in lower case.
    #[inline]
    pub fn key<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        if self.dialect.case_blind && name.bytes().any(|b| b.is_ascii_uppercase()) {
            return name.to_ascii_lowercase().into();
        }
        name.into()
    }
}
