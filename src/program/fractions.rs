//! Values of dialects that compute with fractions: every operation is one of doubles, and
//! those of bits round first.

use crate::text::language::Binary;

/// How near two values are that count as equal.
const NEAR: f64 = 0.000_001;
/// Whole numbers up to here are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The nearest whole number, the upper one of two; `None` for more than 63 bits.
pub fn nearest(v: f64) -> Option<i64> {
    let v = (v + 0.5).floor();
    // The bounds are powers of two and so exact.
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&v);
    fits.then_some(v as i64)
}

/// The same in 32 bits; the least number for what does not fit, as processors give it.
pub fn bits(v: f64) -> i32 {
    let v = (v + 0.5).floor();
    match (-2_147_483_648.0..2_147_483_648.0).contains(&v) {
        true => v as i32,
        false => i32::MIN,
    }
}

/// Whether a value is a whole number that a double holds exactly.
pub fn is_whole(v: f64) -> bool {
    v.fract() == 0.0 && v.abs() <= EXACT
}

/// Applies a binary operator; `None` for a division by zero.
pub fn binary(op: Binary, a: f64, b: f64, truth: f64) -> Option<f64> {
    let said = |t: bool| if t { truth } else { 0.0 };
    let of_bits = |f: fn(i32, i32) -> i32| f64::from(f(bits(a), bits(b)));
    let shifted = |f: fn(i32, u32) -> i32| match bits(b) {
        n if n.unsigned_abs() > 31 => 0.0,
        n => f64::from(f(bits(a), n as u32)),
    };
    Some(match op {
        Binary::Mul => a * b,
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Div if b == 0.0 => return None,
        Binary::Div => a / b,
        Binary::Mod | Binary::UnsignedDiv | Binary::UnsignedMod if bits(b) == 0 => return None,
        Binary::Mod => of_bits(i32::wrapping_rem),
        Binary::UnsignedDiv => of_bits(|a, b| (a as u32 / b as u32) as i32),
        Binary::UnsignedMod => of_bits(|a, b| (a as u32 % b as u32) as i32),
        Binary::And => of_bits(|a, b| a & b),
        Binary::Or => of_bits(|a, b| a | b),
        Binary::Xor => of_bits(|a, b| a ^ b),
        Binary::Shl => shifted(i32::wrapping_shl),
        Binary::Shr => shifted(i32::wrapping_shr),
        Binary::UnsignedShr => shifted(|a, n| (a as u32).wrapping_shr(n) as i32),
        Binary::Least => a.min(b),
        Binary::Most => a.max(b),
        Binary::Lt => said(a < b),
        Binary::Le => said(a <= b),
        Binary::Gt => said(a > b),
        Binary::Ge => said(a >= b),
        Binary::Eq => said((a - b).abs() < NEAR),
        Binary::Ne => said(a != b),
        Binary::LogicAnd => said(bits(a) != 0 && bits(b) != 0),
        Binary::LogicOr => said(bits(a) != 0 || bits(b) != 0),
    })
}
