//! Names and what they stand for while a program is being assembled.

use crate::program::limits;
use crate::text::short::sixteen;
use crate::text::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Short names that are kept as found last.
const RECENT: usize = 1 << 10;

/// Number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// An item of a chunk, and so many bytes behind its start: 0 for a label.
///
/// The number behind the last item is the end of the chunk as it is, and the next item
/// once there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Anchor {
    /// Chunk.
    pub chunk: u32,
    /// Number of the item in it.
    pub item: u32,
    /// Bytes behind its start.
    pub plus: u32,
}

/// A range of operations in the expression arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExprId {
    /// First operation.
    pub start: u32,
    /// Number of operations.
    pub len: u32,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Not defined (yet).
    Undefined,
    /// A number.
    Number(i64),
    /// An address that layout decides.
    At(Anchor),
    /// A constant that needs names from below.
    Expr(ExprId),
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Full name.
    pub name: Arc<str>,
    /// What it stands for.
    pub meaning: Meaning,
    /// Definition.
    pub span: Option<Span>,
    /// Defined as a label.
    pub label: bool,
    /// Local: under a label, in an expansion or by `local`.
    pub local: bool,
    /// May be defined again (`set`).
    pub variable: bool,
    /// Used in an expression.
    pub used: bool,
    /// Where it was used first, and in which expansion.
    pub first_use: Option<(Span, u32)>,
    /// Section of a label.
    pub section: u32,
    /// The symbol of the same short name in the scope around, which is meant
    /// when this one is never defined.
    pub outer: Option<SymbolId>,
    /// Where the bytes of a plain label end, for `sizeof`.
    pub end: Option<Anchor>,
    /// Place of a label, beside a `meaning` that is already a number.
    pub place: Option<Anchor>,
    /// What it was said to be, beside a `meaning` that is already a number.
    pub formula: Option<ExprId>,
    /// Number of its definition in order; `u32::MAX` while undefined.
    pub order: u32,
}

/// All symbols by full name.
#[derive(Clone, Default)]
pub struct Symbols {
    list: Vec<Symbol>,
    /// By full name; where names count in any case, by lower case and by each
    /// spelling met so far, so that one probe finds a known one.
    by_name: FxHashMap<Arc<str>, SymbolId>,
    /// Short names that were found last, in some order; most are used again soon.
    recent: Vec<([u64; 2], SymbolId)>,
    defined: u32,
    /// Bytes of all names.
    bytes: usize,
    /// Bytes of the files that were read.
    pub read: usize,
    /// Names count in any case.
    pub case_blind: bool,
    /// All uses in the order of reading, where they are wanted.
    uses: Option<Vec<(SymbolId, Span)>>,
}

impl Symbols {
    /// The symbol of that full name, made if there is none.
    #[inline]
    pub fn intern(&mut self, name: &str) -> SymbolId {
        let Some(short) = sixteen(name.as_bytes()) else {
            return self.interned(name);
        };
        let mixed = (short[0] ^ short[1].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (mixed >> 32) as usize % RECENT;
        match self.recent.get(at) {
            Some(r) if r.0 == short => return r.1,
            Some(_) => {}
            None => self.recent = vec![([0; 2], SymbolId(0)); RECENT],
        }
        let id = self.interned(name);
        self.recent[at] = (short, id);
        id
    }

    fn interned(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let written: Arc<str> = name.into();
        if self.case_blind && name.bytes().any(|b| b.is_ascii_uppercase()) {
            let key = name.to_ascii_lowercase();
            let id = match self.by_name.get(key.as_str()) {
                Some(&id) => id,
                None => {
                    let id = self.fresh(written.clone());
                    self.bytes += key.len();
                    self.by_name.insert(key.into(), id);
                    id
                }
            };
            self.bytes += written.len();
            self.by_name.insert(written, id);
            return id;
        }
        let id = self.fresh(written.clone());
        self.by_name.insert(written, id);
        id
    }
    /// Takes the names away: the same names mean other symbols from here on.
    pub fn take_names(&mut self) -> FxHashMap<Arc<str>, SymbolId> {
        self.recent = Vec::new();
        std::mem::take(&mut self.by_name)
    }
    /// The symbol of that full name.
    pub fn find(&self, name: &str) -> Option<SymbolId> {
        let found = self.by_name.get(name).copied();
        if found.is_none() && self.case_blind {
            return self
                .by_name
                .get(name.to_ascii_lowercase().as_str())
                .copied();
        }
        found
    }
    /// The symbol of that full name, if it is defined so far.
    pub fn defined(&self, name: &str) -> Option<SymbolId> {
        self.find(name)
            .filter(|&id| self.get(id).meaning != Meaning::Undefined)
    }
    /// A new symbol that cannot be found by name (`local`).
    pub fn fresh(&mut self, name: Arc<str>) -> SymbolId {
        self.bytes += name.len();
        self.list.push(Symbol {
            name,
            meaning: Meaning::Undefined,
            span: None,
            label: false,
            local: false,
            variable: false,
            used: false,
            first_use: None,
            section: crate::image::NONE,
            outer: None,
            end: None,
            place: None,
            formula: None,
            order: u32::MAX,
        });
        SymbolId(self.list.len() as u32 - 1)
    }
    /// Whether there are as many as there may be, or their names have as many bytes.
    #[inline]
    pub fn is_full(&self) -> bool {
        let most = limits::SYMBOLS + self.read / limits::A_SYMBOL;
        self.list.len() > most
            || self.by_name.len() > 2 * most
            || self.bytes > limits::NAMES + self.read / 4
    }
    /// A symbol.
    #[inline]
    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.list[id.0 as usize]
    }
    /// A symbol, to change.
    #[inline]
    pub fn get_mut(&mut self, id: SymbolId) -> &mut Symbol {
        &mut self.list[id.0 as usize]
    }
    /// Keeps all uses from now on.
    pub fn keep_uses(&mut self) {
        self.uses = Some(Vec::new());
    }
    /// The uses that were kept, in the order of reading.
    pub fn uses(&self) -> impl Iterator<Item = (SymbolId, Span)> {
        self.uses.iter().flatten().copied()
    }
    /// A symbol is used at a place, in an expansion.
    #[inline]
    pub fn mark_used(&mut self, id: SymbolId, span: Span, expansion: u32) {
        let s = &mut self.list[id.0 as usize];
        s.used = true;
        if s.first_use.is_none() {
            s.first_use = Some((span, expansion));
        }
        if let Some(uses) = &mut self.uses
            && uses.len() < limits::USES
            && uses.last() != Some(&(id, span))
        {
            uses.push((id, span));
        }
    }
    /// Gives a symbol its place in the order of definitions.
    pub fn number(&mut self, id: SymbolId) {
        let s = &mut self.list[id.0 as usize];
        if s.order == u32::MAX {
            s.order = self.defined;
            self.defined += 1;
        }
    }
    /// How many are defined so far.
    pub fn defined_so_far(&self) -> u32 {
        self.defined
    }
    /// All that are defined, in the order of their definitions.
    pub fn in_order(&self) -> Vec<SymbolId> {
        const NONE: SymbolId = SymbolId(u32::MAX);
        let mut out = vec![NONE; self.defined as usize];
        for id in self.ids() {
            if let Some(place) = out.get_mut(self.get(id).order as usize) {
                *place = id;
            }
        }
        out.retain(|&id| id != NONE);
        out
    }
    /// Makes room for the names that a file of so many bytes may have.
    pub fn expect(&mut self, bytes: usize) {
        const A_NAME: usize = 96;
        self.read += bytes;
        self.by_name.reserve(bytes / A_NAME);
        self.list.reserve(bytes / A_NAME);
    }
    /// The symbol that is meant: itself, or the one around if it is undefined.
    #[inline]
    pub fn resolve(&self, id: SymbolId) -> SymbolId {
        let mut id = id;
        loop {
            let s = self.get(id);
            match (s.meaning, s.outer) {
                (Meaning::Undefined, Some(o)) => id = o,
                _ => return id,
            }
        }
    }
    /// Whether another symbol is meant as long as this one is not defined.
    #[inline]
    pub fn is_open(&self, id: SymbolId) -> bool {
        let s = self.get(id);
        s.meaning == Meaning::Undefined && s.outer.is_some()
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.list.len() as u32).map(SymbolId)
    }
    /// Names of all defined symbols.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list
            .iter()
            .filter(|s| s.meaning != Meaning::Undefined)
            .map(|s| &*s.name)
    }
}
