//! A program: chunks of items, and all that belongs to them.

use super::changes::Changes;
use super::eval::{Known, Miss, Op, run, whole};
use super::item::{ChoiceValue, Encoding, Item, OperandValue, What};
use super::memory::Memory;
use super::plan::{InTable, Plan, SamePage, Saves, Stored};
use super::promise::Promise;
use super::symbol::{Anchor, ExprId, Meaning, Symbols};
use super::value::Value;
use crate::image::{Budget, Expansion, GridPart, NONE, Region};
use crate::text::language::Dialect;
use crate::text::source::{Sources, Span};
use rustc_hash::FxHashMap;
use scrimp_isa::{Form, Machine, Operand, Space, Target};

/// Most bytes in all chunks.
pub const MAX_IMAGE: usize = 16 << 20;

/// Bytes that follow each other.
#[derive(Clone, Debug)]
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
    /// Where its bytes are stored.
    pub stored: Stored,
    /// Of several memories at one address the one that it lies in; 0 for what is always
    /// there.
    pub page: u32,
    /// Which pages are seen where it is stored: a number in [`Saves::windows`].
    pub window: u32,
    /// Offset in the file that `seek` sets.
    pub seek: Option<u64>,
    /// While it is read: it will lie so many bytes behind the start of that chunk, wherever
    /// that is.
    pub behind: Option<(u32, u32)>,
    /// What is in it, in order.
    pub items: Vec<Item>,
    /// Numbers of the items whose size layout decides.
    pub open: Vec<u32>,
    /// Bytes of all others.
    pub size: u32,
}

impl Chunk {
    /// Adds an item behind all others; its `offset` is set here.
    #[inline]
    pub fn push(&mut self, mut item: Item) {
        item.offset = self.size;
        if item.is_open() {
            self.open.push(self.items.len() as u32);
        } else {
            self.size += item.size();
        }
        self.items.push(item);
    }

    /// Adds an item that has so many bytes wherever it lies, as [`push`](Self::push) would.
    #[inline]
    pub fn push_sized(&mut self, mut item: Item, size: u32) {
        item.offset = self.size;
        self.size += size;
        self.items.push(item);
    }

    /// Bytes before an anchor and items of open size before it.
    #[inline]
    pub fn position(&self, a: Anchor) -> (u32, usize) {
        let before = self.items.get(a.item as usize);
        let before = before.map_or(self.size, |i| i.offset);
        let open = match self.open.last() {
            None => 0,
            Some(&last) if last < a.item => self.open.len(),
            _ => self.open.partition_point(|&i| i < a.item),
        };
        (before + a.plus, open)
    }

    /// The item that has a byte, or the end, where nothing has an open size; and how far
    /// behind its start that is.
    pub fn holding(&self, offset: u32) -> (u32, u32) {
        let next = self.items.partition_point(|i| i.offset <= offset);
        match next.checked_sub(1) {
            Some(i) if offset < self.size => (i as u32, offset - self.items[i].offset),
            _ => (self.items.len() as u32, offset.saturating_sub(self.size)),
        }
    }

    /// The last item but for gaps, if its size is known.
    pub fn last_sized(&self) -> Option<&Item> {
        let mut items = self.items.iter().rev();
        let empty = |i: &Item| match i.what {
            What::Gap { .. } => true,
            _ => !i.is_open() && i.size() == 0,
        };
        let last = items.find(|i| !empty(i))?;
        (!last.is_open()).then_some(last)
    }
}

/// A section.
#[derive(Clone, Debug)]
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

/// A test that stands in the source, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its name.
    pub name: String,
    /// The word that begins it.
    pub head: Span,
    /// Its lines.
    pub body: Span,
}

/// A check or message that waits for layout.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A value.
    Value(Value),
}

/// Instructions of several forms, of which layout takes the shortest that reaches.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Alternatives of instructions with several.
    pub list: Vec<Encoding>,
    /// Their values.
    pub values: Vec<ChoiceValue>,
}

/// What a source asks for beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Asserts and prints.
    pub later: Vec<Later>,
    /// Budgets.
    pub budgets: Vec<Budget>,
    /// Promises about clocks.
    pub contracts: Vec<Promise>,
    /// Arguments, as written, of the directive that divides time into blocks.
    pub slices: Option<Vec<String>>,
    /// Places that must have one page.
    pub same_page: Vec<SamePage>,
    /// Names that sections share to share a page.
    pub page_names: Vec<String>,
    /// Files that the source asks for.
    pub saves: Saves,
    /// Tests that stand in the source.
    pub tests: Vec<Script>,
    /// Where all chunks go, in dialects that link.
    pub plan: Option<Plan>,
    /// Options for containers.
    pub options: Vec<(String, String)>,
    /// `end ADDRESS`.
    pub entry: Option<(Value, Span)>,
    /// Numbers by which the reading decided what there is, where it was asked to keep them.
    pub decided: Vec<Decided>,
}

/// A number that the reading needed.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    /// Its formula.
    pub value: ExprId,
    /// What it was.
    pub number: i64,
    /// Where.
    pub span: Span,
    /// For what.
    pub what: Needed,
}

/// For what the reading needed a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// Only whether it is 0 matters.
    Truth,
    /// What stands behind it begins there.
    Address,
    /// A count, a size, or what a name is worth.
    Number,
}

/// Tables in columns of memory and in ROM.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Tables in columns.
    pub grid: Vec<GridPart>,
    /// Tables in ROM so far.
    pub tables: u32,
}

/// What the source says: the result of reading, and all that layout, linking and the
/// proofs look at. They leave it as it is.
#[derive(Clone)]
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
    /// Bytes of data items.
    pub data: Vec<u8>,
    /// Values that items have, in the order of the source.
    pub values: Vec<OperandValue>,
    /// Expansions so far.
    pub expansions: Vec<Expansion>,
    /// The machine in force.
    pub machine: Option<&'a dyn Machine>,
    /// Instructions of several forms.
    pub choices: Choices,
    /// What it asks for beside its bytes.
    pub asked: Asked,
    /// What no statement made.
    pub changes: Changes,
    /// Tables in columns and in ROM.
    pub columns: Columns,
    /// Its address spaces.
    pub memory: Memory,
}

impl<'a> Program<'a> {
    /// A program of which nothing has been read.
    pub fn new(target: &'a dyn Target, dialect: &'static Dialect, sources: Sources) -> Self {
        Self {
            target,
            dialect,
            forms: target.forms(),
            operands: target.operands(),
            sources,
            symbols: Symbols::default(),
            ops: Vec::new(),
            sections: Vec::new(),
            section_names: FxHashMap::default(),
            regions: Vec::new(),
            chunks: Vec::new(),
            data: Vec::new(),
            values: Vec::new(),
            expansions: Vec::new(),
            machine: None,
            choices: Choices::default(),
            asked: Asked::default(),
            changes: Changes::default(),
            columns: Columns::default(),
            memory: Memory::of(target),
        }
    }
}

impl Program<'_> {
    /// A linear address in a chunk as a value: that of its space, in the units
    /// that the dialect counts.
    #[inline]
    pub fn address_value(&self, chunk: u32, a: u64) -> i64 {
        let c = &self.chunks[chunk as usize];
        let a = a.wrapping_sub(c.origin);
        if self.dialect.output.wraps && !self.dialect.output.counts_on {
            (a % self.memory.space) as i64
        } else if c.unit == 1 {
            a as i64
        } else {
            a as i64 / i64::from(c.unit)
        }
    }

    /// Whether an instruction is that of another processor of the family.
    pub fn has_foreign(&self) -> bool {
        let foreign = self.target.extensions();
        let is = |form: u16| self.forms[usize::from(form)].needs & foreign != 0;
        let mut items = self.chunks.iter().flat_map(|c| &c.items);
        foreign != 0 && items.any(|i| matches!(i.what, What::Instruction { form, .. } if is(form)))
    }

    /// Value of an expression if it is known already.
    pub fn known(&self, v: Value) -> Result<i64, Miss> {
        match v {
            Value::Number(n) | Value::Known(n, _) => Ok(n),
            Value::Expr(e) => {
                let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
                whole(self.now(ops)?, self.dialect)
            }
        }
    }

    /// Bytes that `ds` counts by: words, where the target's addresses are theirs.
    pub fn space_unit(&self, chunk: u32) -> u64 {
        match self.target.word_addresses() {
            true => self.chunks[chunk as usize].unit.into(),
            false => 1,
        }
    }

    /// Whether addresses of words count words.
    pub fn counts_words(&self) -> bool {
        self.dialect.values.word_addresses || self.target.word_addresses()
    }

    /// Bytes that an address of a space counts.
    pub fn unit_of(&self, space: Space) -> u8 {
        if self.counts_words() { space.unit } else { 1 }
    }

    /// A name as the tables have it: where the dialect does so, in lower case.
    #[inline]
    pub fn key<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        if self.dialect.names.case_blind && name.bytes().any(|b| b.is_ascii_uppercase()) {
            return name.to_ascii_lowercase().into();
        }
        name.into()
    }

    /// An item.
    pub fn item(&self, at: Anchor) -> Option<&Item> {
        self.chunks[at.chunk as usize].items.get(at.item as usize)
    }

    /// The values of an item.
    pub fn operands_of(&self, at: Anchor) -> &[OperandValue] {
        let first = self.item(at).map_or(NONE, Item::operands);
        let Some(rest) = self.values.get(first as usize..) else {
            return &[];
        };
        let own = |v: &&OperandValue| (v.at.chunk, v.at.item) == (at.chunk, at.item);
        &rest[..rest.iter().take_while(own).count()]
    }

    /// The alternatives of a choice.
    pub fn alternatives(&self, from: u32, count: u8) -> &[Encoding] {
        &self.choices.list[from as usize..from as usize + usize::from(count)]
    }

    /// The values of an alternative.
    pub fn values_of(&self, e: &Encoding) -> &[ChoiceValue] {
        &self.choices.values[e.values.0 as usize..(e.values.0 + e.values.1) as usize]
    }
}

impl Program<'_> {
    /// The address of an anchor in a chunk with an address of its own, with nothing of
    /// open size before it.
    pub fn fixed_value(&self, a: Anchor) -> Option<i64> {
        let chunk = &self.chunks[a.chunk as usize];
        let base = chunk.base?;
        match chunk.position(a) {
            (offset, 0) => Some(self.address_value(a.chunk, base + u64::from(offset))),
            _ => None,
        }
    }

    /// Where an anchor is, as far as that is known before layout.
    pub fn relative(&self, a: Anchor) -> Known {
        let chunk = &self.chunks[a.chunk as usize];
        let (offset, open) = chunk.position(a);
        let (first, offset) = match chunk.behind.filter(|_| open == 0) {
            Some((first, before)) => (first, before + offset),
            None => (a.chunk, offset),
        };
        Known::Relative(
            first,
            open as u32,
            i64::from(offset) / i64::from(chunk.unit),
        )
    }

    /// Evaluates before layout.
    ///
    /// # Errors
    /// Why there is no value yet.
    pub fn now(&self, ops: &[Op]) -> Result<Known, Miss> {
        run(ops, self.dialect, &mut |op| match op {
            Op::Symbol(id) => {
                let id = self.symbols.resolve(id);
                match self.symbols.get(id).meaning {
                    Meaning::Number(n) => Ok(Known::Number(n)),
                    Meaning::At(p) => Ok(self.relative(p)),
                    Meaning::Undefined => Err(Miss::Undefined(id)),
                    Meaning::Expr(e) => {
                        // A deferred constant may be known by now; one level only,
                        // what is deeper waits for the end.
                        let inner = &self.ops[e.start as usize..(e.start + e.len) as usize];
                        let deep = |id| {
                            let meaning = self.symbols.get(self.symbols.resolve(id)).meaning;
                            matches!(meaning, Meaning::Expr(_))
                        };
                        if inner.len() > 64
                            || inner.iter().any(|o| matches!(o, Op::Symbol(s) if deep(*s)))
                        {
                            return Err(Miss::NotYet);
                        }
                        self.now(inner)
                    }
                }
            }
            Op::Place(p) => Ok(match self.fixed_value(p) {
                Some(n) => Known::Number(n),
                None => self.relative(p),
            }),
            _ => Err(Miss::NotYet),
        })
    }
}
