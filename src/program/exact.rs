//! Whether an expression lost anything where a dialect computes in 16, 32 or 64 bits.
//!
//! The operations are done once more without a limit. A symbol keeps its bits only, so
//! it counts as with and without a sign: where one of both loses nothing, nothing is said.

use crate::program::eval::{self, Op};
use crate::text::language::{Binary, Dialect, Unary, Width};

/// How a symbol's bits are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// As a number from zero up.
    Without,
    /// The highest bit is a sign.
    With,
}

/// Least and greatest value of a width, taken with and without a sign.
fn range(w: Width) -> std::ops::RangeInclusive<i128> {
    let bits = match w {
        Width::Unsigned16 => 16,
        Width::Signed32 | Width::Wrapping32 => 32,
        Width::Signed64 | Width::Wrapping64 => 64,
    };
    -(1 << (bits - 1))..=(1 << bits) - 1
}

/// Whether a number has bits that the dialect drops.
pub fn is_cut(n: u64, d: &Dialect) -> bool {
    !range(d.values.width).contains(&i128::from(n))
}

/// Whether the value of an expression lost anything; `leaf` gives the values of symbols
/// and places. What cannot be computed lost nothing.
pub fn is_reduced(ops: &[Op], d: &Dialect, leaf: &mut dyn FnMut(Op) -> Option<i64>) -> bool {
    let risky = |op: &Op| match op {
        Op::Binary(Binary::Shl) => true,
        Op::Binary(Binary::Add | Binary::Sub | Binary::Mul) | Op::Unary(Unary::Neg) => {
            d.values.width != Width::Signed64
        }
        _ => false,
    };
    if !ops.iter().any(risky) {
        return false;
    }
    [Sign::Without, Sign::With]
        .into_iter()
        .all(|sign| value(ops, d, sign, leaf).is_some_and(|v| v.lost))
}

/// Whether an expression of numbers is below zero; `address` gives the values of places.
pub fn is_below_zero(ops: &[Op], d: &Dialect, address: &mut dyn FnMut(Op) -> Option<i64>) -> bool {
    let negates = |op: &Op| matches!(op, Op::Unary(Unary::Neg) | Op::Binary(Binary::Sub));
    ops.iter().any(negates) && value(ops, d, Sign::Without, address).is_some_and(|v| v.exact < 0)
}

/// Whether an expression is a sum or product of numbers and addresses and not below zero.
pub fn is_plain_from_zero(
    ops: &[Op],
    d: &Dialect,
    address: &mut dyn FnMut(Op) -> Option<i64>,
) -> bool {
    let plain = |op: &Op| {
        matches!(
            op,
            Op::Number(_)
                | Op::Place(_)
                | Op::Unary(Unary::Neg | Unary::Plus)
                | Op::Binary(Binary::Add | Binary::Sub | Binary::Mul)
        )
    };
    d.values.width == Width::Unsigned16
        && ops.iter().all(plain)
        && value(ops, d, Sign::Without, address).is_some_and(|v| v.exact >= 0)
}

/// A value without a limit.
struct Exact {
    exact: i128,
    /// The dialect keeps less.
    lost: bool,
}

/// One way through the operations; nothing if a value is missing.
fn value(
    ops: &[Op],
    d: &Dialect,
    sign: Sign,
    leaf: &mut dyn FnMut(Op) -> Option<i64>,
) -> Option<Exact> {
    let range = range(d.values.width);
    let mut any = false;
    let mut stack: smallvec::SmallVec<[i128; 8]> = smallvec::SmallVec::new();
    for &op in ops {
        let v = match op {
            Op::Number(n) => n.into(),
            // An address has no sign.
            Op::Place(_) => leaf(op)?.into(),
            Op::Symbol(_) | Op::Sizeof(_) => {
                let n = leaf(op)?;
                match (sign, d.values.width) {
                    (Sign::With, Width::Unsigned16) => i128::from(n as i16),
                    _ => n.into(),
                }
            }
            Op::Binary(op) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                let exact = match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Sub => a.checked_sub(b),
                    Binary::Mul => a.checked_mul(b),
                    Binary::Shl => u32::try_from(b)
                        .ok()
                        .and_then(|n| a.checked_mul(1 << n.min(90))),
                    _ => {
                        // These see what the dialect has kept.
                        any |= !range.contains(&a) || !range.contains(&b);
                        let wrap = |n: i128| d.values.width.wrap(n as i64);
                        let v = eval::binary(op, wrap(a), wrap(b), d).ok()?;
                        Some(v.into())
                    }
                };
                match exact {
                    Some(v) => v,
                    None => {
                        return Some(Exact {
                            exact: 0,
                            lost: true,
                        });
                    }
                }
            }
            Op::Unary(Unary::Neg) => -stack.pop()?,
            Op::Unary(Unary::Plus) => match (stack.pop()?, sign, d.values.width) {
                // So a variable's value is marked.
                (n, Sign::With, Width::Unsigned16) => i128::from(n as i16),
                (n, ..) => n,
            },
            Op::Unary(op) => {
                // Halves of a value are what is wanted of it.
                let a = d.values.width.wrap(stack.pop()? as i64);
                eval::unary(op, a, d).ok()?.into()
            }
            Op::Min | Op::Max => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                if op == Op::Min { a.min(b) } else { a.max(b) }
            }
            Op::Select => {
                let (no, yes, c) = (stack.pop()?, stack.pop()?, stack.pop()?);
                if c == 0 { no } else { yes }
            }
            Op::Real(_) => return None,
        };
        stack.push(v);
    }
    let exact = stack.pop()?;
    Some(Exact {
        exact,
        lost: any || !range.contains(&exact),
    })
}
