//! Raw binary: memory from the lowest to the highest address, gaps filled with 0;
//! or, for dialects that work so, what the source makes one behind the other.

use super::context::Context;
use super::hex;
use scrimp_isa::container::{Contained, ContainerError};

/// Writes it.
pub fn write(c: &Context<'_>) -> Result<Contained, ContainerError> {
    Ok(Contained {
        bytes: c.image.binary(0),
        warnings: hex::left_out(c).into_iter().collect(),
        ..Contained::default()
    })
}
