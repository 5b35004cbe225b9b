//! Raw binary: memory from the lowest to the highest address, gaps filled with 0;
//! or, for dialects that work so, what the source makes one behind the other.

use super::Context;

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    c.image.binary(0)
}
