//! The dialects: each is data and a few functions.

/// Names for `--dialect`, the native one first.
pub fn names() -> &'static [&'static str] {
    &["native", "pasmo", "z80asm"]
}
