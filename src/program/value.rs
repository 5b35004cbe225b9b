//! A value while it need not be known yet, and what it fills.

use super::symbol::ExprId;

/// A value as parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number as written.
    Number(i64),
    /// What an expression with names or addresses in it is worth: known while reading.
    Known(i64, ExprId),
    /// To be evaluated.
    Expr(ExprId),
}

impl Value {
    /// The number, if it is known.
    pub fn number(self) -> Option<i64> {
        match self {
            Self::Number(n) | Self::Known(n, _) => Some(n),
            Self::Expr(_) => None,
        }
    }

    /// The expression, if it is one.
    pub fn expression(self) -> Option<ExprId> {
        match self {
            Self::Number(_) => None,
            Self::Known(_, e) | Self::Expr(e) => Some(e),
        }
    }
}

/// What a value fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The field of an operand class.
    Class(u8),
    /// Likewise, of an address whose low bits are all that counts.
    Low(u8),
    /// So many bytes of data.
    Data(u8),
}
