//! Operand classes: how an operand is written, what it may be and which fields
//! of the pattern it fills.

/// The outline of an operand as written in the source. A *word* is a register
/// or condition name of the target, a *value* an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Outline {
    /// `hl`
    Word,
    /// `5 + label`
    Value,
    /// `(hl)`
    RoundWord,
    /// `(label)`
    RoundValue,
    /// `(ix + 5)`, `(iy - 1)`; `(ix)` counts as this with the value 0 where no
    /// `RoundWord` class takes it.
    RoundWordValue,
    /// `x+`
    WordIncrement,
    /// `x++`
    WordDoubleIncrement,
    /// `-x`
    WordDecrement,
    /// `y+5`
    WordValue,
    /// `[x]`
    SquareWord,
    /// `[5]`
    SquareValue,
    /// `[y,5]`
    SquareWordValue,
    /// `[y,x]`
    SquareWordWord,
    /// `[y,x++]`
    SquareWordWordIncrement,
}

/// What the number in a value field is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Base {
    /// The value itself.
    Absolute,
    /// The value less the address of the instruction less `bias`.
    Relative {
        /// Added to the instruction's address.
        bias: i8,
    },
    /// The low bits of an address in the page of the instruction behind this one.
    Page {
        /// Bits of an address within a page.
        bits: u8,
        /// Bytes that an address counts.
        unit: u8,
        /// Behind an instruction of these bits (mask and their values, the first
        /// byte lowest) the page is not known and the low bits are all that counts.
        unless_behind: (u16, u16),
    },
    /// The low bits of an address in the page of the instruction itself.
    InPage {
        /// Bits of an address within a page.
        bits: u8,
        /// Added to them, within the page.
        bias: i8,
        /// The field has the page too, so every page is reached.
        far: bool,
    },
    /// The value less this number.
    Less(i16),
}

impl Base {
    /// Bits of an address in a page, and bytes that an address counts, where nothing
    /// but the page is reached.
    pub const fn page(self) -> Option<(u8, u8)> {
        match self {
            Self::Page { bits, unit, .. } => Some((bits, unit)),
            Self::InPage {
                bits, far: false, ..
            } => Some((bits, 1)),
            _ => None,
        }
    }
}

/// How an expression becomes a field.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Letter of the field; 0 where the value is fixed by the form (`im 1`).
    pub field: u8,
    /// Least value (after the base is taken off).
    pub min: i64,
    /// Greatest value.
    pub max: i64,
    /// The value must be a multiple of this, and is divided by it.
    pub scale: u8,
    /// What it is relative to.
    pub base: Base,
    /// The field holds the bits turned over (CBR of the AVR).
    pub complement: bool,
}

impl Value {
    /// An unsigned or signed absolute value.
    pub const fn absolute(field: u8, min: i64, max: i64) -> Self {
        Self {
            field,
            min,
            max,
            scale: 1,
            base: Base::Absolute,
            complement: false,
        }
    }
    /// A value relative to the address of the instruction plus `bias`.
    pub const fn relative(field: u8, min: i64, max: i64, bias: i8) -> Self {
        Self {
            field,
            min,
            max,
            scale: 1,
            base: Base::Relative { bias },
            complement: false,
        }
    }
    /// A constant that the form implies.
    pub const fn exactly(value: i64) -> Self {
        Self {
            field: 0,
            min: value,
            max: value,
            scale: 1,
            base: Base::Absolute,
            complement: false,
        }
    }
}

/// The words an operand takes and the field that tells them apart.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Letter of the field; 0 where there is one word and no field.
    pub field: u8,
    /// Word in lower case and its field value.
    pub words: &'static [(&'static str, u8)],
}

/// An operand class, one row of a room's operand table.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its name in [`Form::operands`](crate::Form::operands).
    pub name: &'static str,
    /// How it is written.
    pub outline: Outline,
    /// Words, where the outline has one.
    pub words: Option<Words>,
    /// A second word (`[y,x]`).
    pub second: Option<Words>,
    /// Value, where the outline has one.
    pub value: Option<Value>,
    /// What it is, for people: "b, c, d, e, h, l or a".
    pub text: &'static str,
}
