//! An assembled program: bytes with an origin each, sections and symbols.
//!
//! Invariant: every byte of every chunk lies in exactly one [`Run`], so each
//! report that sums runs sums to the image's size.

pub mod memory;
pub mod origin;
pub mod ranges;
pub mod runs;

pub use runs::{Class, NONE, Run, Runs};

use crate::text::source::Span;
use scrimp_isa::Space;
use scrimp_isa::proof::{Block, Contract, Overhead, Promises};
use std::sync::Arc;

/// A step of the way from the main file to a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// What it is.
    pub kind: ExpansionKind,
    /// The call, `include` or `repeat` statement.
    pub call: Span,
    /// Index of the next outer step; [`NONE`] at top level.
    pub parent: u32,
}

/// Kinds of expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionKind {
    /// A file by `include`.
    Include(Arc<str>),
    /// A macro of that name.
    Macro(Arc<str>),
    /// Iteration (from 0) of a repeat.
    Repeat(u64),
}

/// Bytes at consecutive addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Index in [`Image::sections`].
    pub section: u32,
    /// Address of the first byte, where the code will run.
    pub address: u64,
    /// Address where the bytes are stored, where that is another (`phase`).
    pub load: u64,
    /// Of several memories at one address the one that it lies in; 0 for what is always
    /// there.
    pub page: u32,
    /// It is only room: no file has its bytes, but for a raw binary, which is memory as it
    /// is.
    pub bare: bool,
    /// No file has its bytes at all.
    pub nowhere: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Who made them, in order, without gaps.
    pub runs: Runs,
}

/// A named part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name; `""` is the one before any `section`.
    pub name: String,
    /// Index in [`Image::regions`]; [`NONE`] if it lies in none.
    pub region: u32,
    /// Where it is declared first.
    pub span: Option<Span>,
}

/// A range of memory that sections are placed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// First address.
    pub start: u64,
    /// Bytes.
    pub size: u64,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolKind {
    /// An address.
    Label,
    /// By `equ` or `set`.
    Constant,
}

/// A symbol with its final value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Full name: `main`, `main.loop`, `scope.name`.
    pub name: Arc<str>,
    /// Value; an address for a label.
    pub value: i64,
    /// What it stands for.
    pub kind: SymbolKind,
    /// A label inside a routine (`.loop`), or local to a macro call.
    pub local: bool,
    /// Linear address of a label, in bytes.
    pub address: Option<u64>,
    /// Where it is defined.
    pub span: Option<Span>,
    /// Index of its section; [`NONE`] for a constant.
    pub section: u32,
    /// Used by anything.
    pub used: bool,
}

/// A limit on bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// A section, a plain label (its routine) or `total`.
    pub name: String,
    /// Most bytes.
    pub limit: u64,
    /// Where it is declared, for one in a source.
    pub span: Option<Span>,
}

/// A table in columns, or cells kept free of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridPart {
    /// Its name.
    pub name: String,
    /// First and last page.
    pub pages: (u16, u16),
    /// First and last column.
    pub columns: (u16, u16),
    /// Not a table, but kept free.
    pub reserved: bool,
    /// Where it is declared.
    pub span: Span,
}

impl GridPart {
    /// Whether a cell is its.
    pub fn has(&self, page: u16, column: u16) -> bool {
        (self.pages.0..=self.pages.1).contains(&page)
            && (self.columns.0..=self.columns.1).contains(&column)
    }
    /// Whether it shares a cell with another.
    pub fn meets(&self, other: &Self) -> bool {
        let (pages, columns) = self.shared(other);
        pages.0 <= pages.1 && columns.0 <= columns.1
    }
    /// Pages and columns that both have.
    pub fn shared(&self, other: &Self) -> ((u16, u16), (u16, u16)) {
        let both = |a: (u16, u16), b: (u16, u16)| (a.0.max(b.0), a.1.min(b.1));
        (
            both(self.pages, other.pages),
            both(self.columns, other.columns),
        )
    }
    /// Cells that both have.
    pub fn common(&self, other: &Self) -> u64 {
        let (pages, columns) = self.shared(other);
        let count = |r: (u16, u16)| (u64::from(r.1) + 1).saturating_sub(r.0.into());
        count(pages) * count(columns)
    }
    /// Bytes.
    pub fn len(&self) -> u64 {
        u64::from(self.pages.1 - self.pages.0 + 1) * u64::from(self.columns.1 - self.columns.0 + 1)
    }
    /// Never: a part has a cell at least.
    pub fn is_empty(&self) -> bool {
        false
    }
}

impl std::fmt::Display for GridPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let range = |f: &mut std::fmt::Formatter<'_>, (a, b): (u16, u16)| match a == b {
            true => write!(f, "{a:02X}"),
            false => write!(f, "{a:02X}-{b:02X}"),
        };
        write!(f, "{} pages ", self.name)?;
        range(f, self.pages)?;
        write!(f, " columns ")?;
        range(f, self.columns)
    }
}

/// An assembled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Chunks in the order of the source.
    pub chunks: Vec<Chunk>,
    /// Sections in order of first appearance.
    pub sections: Vec<Section>,
    /// Regions.
    pub regions: Vec<Region>,
    /// Symbols in order of definition.
    pub symbols: Vec<Symbol>,
    /// Expansions.
    pub expansions: Vec<Expansion>,
    /// Budgets declared in the source.
    pub budgets: Vec<Budget>,
    /// Tables in columns.
    pub grid: Vec<GridPart>,
    /// Promises about clocks that were proven: pairs between which all paths are
    /// right.
    pub proven: usize,
    /// The promises themselves.
    pub contracts: Vec<Contract>,
    /// Blocks of time, by address.
    pub blocks: Vec<Block>,
    /// Linear addresses of jumps that are promised to land on a block of time.
    pub landings: Vec<u64>,
    /// Instructions whose clock is known: linear address, least and most, by address.
    pub clocks: Vec<(u64, i64, i64)>,
    /// Instructions that do no work but for the blocks of time: linear address, bytes
    /// and what they are, by address.
    pub overhead: Vec<(u64, u32, Overhead)>,
    /// Address spaces by `base`; at least one. Chunks, regions and sections have
    /// linear addresses, labels those of their space.
    pub spaces: Vec<Space>,
    /// The machine it was built for, also where the source chose it.
    pub machine: Option<String>,
    /// Start address by `end ADDRESS` or `entry`.
    pub entry: Option<u64>,
    /// Whether the raw binary is the chunks in the order of the source, one
    /// behind the other (some dialects), rather than memory from the lowest to
    /// the highest address.
    pub sequential: bool,
    /// Options that the source sets for containers: `machine name, mode = slow`.
    pub options: Vec<(String, String)>,
    /// Files of the memory that the source asks for: names as written, and bytes.
    pub saved: Vec<(String, Vec<u8>)>,
}

impl Image {
    /// Least and most clocks before the instruction at a linear address.
    pub fn clock(&self, address: u64) -> Option<(i64, i64)> {
        let at = self.clocks.binary_search_by_key(&address, |c| c.0).ok()?;
        Some((self.clocks[at].1, self.clocks[at].2))
    }

    /// What the running program can be watched for.
    pub fn promises(&self) -> Promises {
        Promises {
            contracts: self.contracts.clone(),
            blocks: self.blocks.clone(),
            landings: self.landings.clone(),
        }
    }

    /// The space that a linear address lies in.
    pub fn space_of(&self, address: u64) -> Option<&Space> {
        self.spaces.iter().rev().find(|s| s.base <= address)
    }
    /// A linear address as people write it: without the base of its space, and
    /// counted as its labels are.
    pub fn local(&self, address: u64) -> u64 {
        match self.space_of(address) {
            Some(s) => (address - s.base) / u64::from(s.unit),
            None => address,
        }
    }
    /// The linear address of a label; of a constant, which has none, any number.
    pub fn linear(&self, symbol: &Symbol) -> u64 {
        let section = self.sections.get(symbol.section as usize);
        let region = section.and_then(|s| self.regions.get(s.region as usize));
        let value = symbol.value as u64;
        match region.and_then(|r| self.space_of(r.start)) {
            Some(s) => s.base.wrapping_add(value.wrapping_mul(u64::from(s.unit))),
            None => value.wrapping_mul(self.spaces.first().map_or(1, |s| u64::from(s.unit))),
        }
    }
    /// Whether a chunk's bytes come with the program; otherwise it only has room.
    pub fn comes_with(&self, c: &Chunk) -> bool {
        !c.bare && self.space_of(c.load).is_none_or(|s| s.stored)
    }
    /// Bytes that come with the program.
    pub fn stored_len(&self) -> usize {
        let stored = self.chunks.iter().filter(|c| self.comes_with(c));
        stored.map(|c| c.bytes.len()).sum()
    }
    /// Bytes in all chunks.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|c| c.bytes.len()).sum()
    }
    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// A symbol by its full name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.iter().find(|s| *s.name == *name)
    }
    /// The raw binary of the first space: in order of the source when [`sequential`](Self::sequential),
    /// otherwise memory from the lowest to the highest address with `fill` in gaps
    /// and later chunks over earlier ones.
    pub fn binary(&self, fill: u8) -> Vec<u8> {
        let used = || {
            let first = |c: &&Chunk| self.space_of(c.load).is_none_or(|s| s.base == 0);
            let filled = self.chunks.iter();
            let filled = filled.filter(|c| !c.bytes.is_empty() && !c.nowhere);
            filled.filter(move |c| self.sequential || first(c))
        };
        if self.sequential {
            // `load` is the place in the output, which `seek` moves.
            let end = used().map(|c| c.load as usize + c.bytes.len()).max();
            let mut out = vec![fill; end.unwrap_or(0)];
            for c in used() {
                let at = c.load as usize;
                out[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
            }
            return out;
        }
        let Some(low) = used().map(|c| c.load).min() else {
            return Vec::new();
        };
        let high = used()
            .map(|c| c.load + c.bytes.len() as u64)
            .max()
            .unwrap_or(low);
        let mut out = vec![fill; (high - low) as usize];
        for c in used() {
            let at = (c.load - low) as usize;
            out[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
        }
        out
    }
}
