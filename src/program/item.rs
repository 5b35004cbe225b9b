//! Items: what the statements of a program say, in order, with operands as expressions.
//!
//! An item is at most one statement; a statement may be several items, or none. Labels,
//! values, promises and findings point at items. What an item's bytes are is found when
//! all addresses are known (`src/emit`); until then there are none.

use super::symbol::{Anchor, ExprId};
use super::value::{Field, Value};
use crate::image::{Class, NONE};
use crate::text::source::Span;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An instruction of a known form.
    Instruction {
        /// Its bytes.
        size: u8,
        /// Row of the table.
        form: u16,
        /// First of its operands in [`Program::operands_of`](super::Program::operands_of); [`NONE`] for none.
        operands: u32,
        /// Fixed bits, register fields and the values that are known, low half and high.
        word: [u32; 2],
    },
    /// An instruction of the shortest of several forms that reaches.
    Choice {
        /// Alternatives in [`Program::choices`](super::Program::choices), the shortest first.
        from: u32,
        /// How many.
        count: u8,
    },
    /// Bytes; those of open values are zeros.
    Data {
        /// What the bytes are for.
        class: Class,
        /// First of its operands; [`NONE`] for none.
        operands: u32,
        /// First byte in [`Program::data`](super::Program::data).
        from: u32,
        /// How many.
        len: u32,
    },
    /// Equal bytes.
    Fill {
        /// What they are for.
        class: Class,
        /// The byte.
        byte: u8,
        /// How many.
        count: u32,
    },
    /// As many equal bytes as an expression says when addresses are known.
    Space {
        /// What they are for.
        class: Class,
        /// The byte.
        byte: u8,
        /// How many.
        count: ExprId,
        /// Bytes of it, where they were known while reading; else [`NONE`].
        size: u32,
    },
    /// Up to a multiple.
    Align {
        /// Of this.
        to: u32,
        /// Bytes of it, where they were known while reading; else [`NONE`].
        size: u32,
        /// Bytes to fill with, in turns.
        fill: [u8; 2],
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

/// A row of a program: what it is and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// What it is.
    pub what: What,
    /// Statement.
    pub span: Span,
    /// Expansion.
    pub expansion: u32,
    /// Symbol number of the owner.
    pub owner: u32,
    /// Bytes of the items before it in its chunk, but for those whose size layout
    /// decides: what can be known of its address before there is a layout.
    pub offset: u32,
}

impl Item {
    /// Its bytes, where no layout is needed to know them; 0 for all others.
    #[inline]
    pub fn size(&self) -> u32 {
        match self.what {
            What::Instruction { size, .. } => size.into(),
            What::Data { len, .. } => len,
            What::Fill { count, .. } => count,
            What::Space { size, .. } | What::Align { size, .. } if size != NONE => size,
            _ => 0,
        }
    }

    /// Whether layout decides how large it is.
    #[inline]
    pub fn is_open(&self) -> bool {
        match self.what {
            What::Instruction { .. } | What::Data { .. } | What::Fill { .. } => false,
            What::Space { size, .. } | What::Align { size, .. } => size == NONE,
            What::Choice { .. } | What::Gap { .. } => true,
        }
    }

    /// What its bytes are.
    #[inline]
    pub fn class(&self) -> Class {
        match self.what {
            What::Instruction { .. } | What::Choice { .. } => Class::Code,
            What::Data { class, .. } | What::Fill { class, .. } | What::Space { class, .. } => {
                class
            }
            What::Gap { at: GapAt::Room } => Class::Code,
            What::Align { .. } | What::Gap { .. } => Class::Padding,
        }
    }

    /// First of its operands; [`NONE`] for none.
    pub fn operands(&self) -> u32 {
        match self.what {
            What::Instruction { operands, .. } | What::Data { operands, .. } => operands,
            _ => NONE,
        }
    }
}

/// An instruction word as an item keeps it.
#[inline]
pub const fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// The instruction word of its halves.
#[inline]
pub const fn whole(word: [u32; 2]) -> u64 {
    word[0] as u64 | (word[1] as u64) << 32
}

/// One of the forms that an instruction may have, ready but for its values.
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    /// Row of the table.
    pub form: u16,
    /// Fixed bits and register fields.
    pub word: u64,
    /// Values among those of choices: the first, and how many.
    pub values: (u32, u32),
}

/// A value of one of several forms: class, value, text.
pub type ChoiceValue = (u8, Value, Span);

/// A value in data that is no plain number: bytes behind the start of the item, and its
/// text.
pub type DataValue = (u32, Value, Span);

/// A value in an item.
#[derive(Clone, Copy, Debug)]
pub struct OperandValue {
    /// The item, and so many bytes behind its start.
    pub at: Anchor,
    /// What it fills.
    pub field: Field,
    /// The value.
    pub value: ExprId,
    /// Its text.
    pub span: Span,
    /// How much of it was known while reading.
    pub state: Given,
}

/// How much of a value was known while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing.
    Open,
    /// What it is worth, but not the address that it is relative to.
    Value,
    /// All: it stands in the item's word or bytes already.
    All,
}

/// Bytes that stand elsewhere once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    /// Where.
    pub at: Anchor,
    /// Where they come from.
    pub from: Anchor,
    /// How many.
    pub len: u32,
}
