//! What all writers get, and what several of them need.

use crate::image::Image;
use crate::text::source::Sources;
use scrimp_isa::container::{Contained, ContainerError};
use scrimp_isa::{Cycles, Machine, Target};

/// What a writer sees of a build.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The program's name, without folder and extension.
    pub name: &'a str,
    /// The assembled program.
    pub image: &'a Image,
    /// The texts it came from.
    pub sources: &'a Sources,
    /// The instruction set.
    pub target: &'a dyn Target,
    /// The machine it is for.
    pub machine: Option<&'a dyn Machine>,
    /// Its clock in Hz, where the program says what hangs on it.
    pub clock: Option<u64>,
}

impl Context<'_> {
    /// Time of a row of the target's table, on the machine if there is one.
    pub fn cycles(&self, form: u32) -> Option<Cycles> {
        let row = self.target.forms().get(form as usize)?;
        let own = self.machine.and_then(|m| m.cycles(form as u16));
        Some(own.unwrap_or(row.cycles))
    }
}

/// For a format that can hold every program.
pub(super) fn plain(bytes: Vec<u8>) -> Result<Contained, ContainerError> {
    Ok(Contained {
        bytes,
        ..Contained::default()
    })
}

/// Digits of an address: 4 for up to 64K, more where needed.
pub(crate) fn address_digits(image: &Image) -> usize {
    let last = image
        .chunks
        .iter()
        .map(|c| (c.address.max(c.load) + c.bytes.len() as u64).saturating_sub(1))
        .map(|last| image.local(last))
        .max()
        .unwrap_or(0);
    (16 - last.leading_zeros() as usize / 4).max(4)
}
