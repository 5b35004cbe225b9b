//! The contract between a target room and the engine.

use crate::{Decoded, Form, Machine, Operand};

/// A mnemonic that stands for the shortest of several instructions.
#[derive(Clone, Copy, Debug)]
pub struct Relax {
    /// What is written: `jump`.
    pub name: &'static str,
    /// Mnemonics to try with the same operands, shortest first.
    pub tries: &'static [&'static str],
}

/// An instruction set.
pub trait Target: Sync {
    /// Short name for `--target`.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn title(&self) -> &'static str;
    /// All instruction forms, the preferred one first where several encode the
    /// same text.
    fn forms(&self) -> &'static [Form];
    /// All operand classes.
    fn operands(&self) -> &'static [Operand];
    /// Other spellings of whole operands or words, e.g. `hx` for `ixh`.
    fn word_aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Mnemonics that relax.
    fn relax(&self) -> &'static [Relax];
    /// Number of addresses, 65,536 for 16 bits.
    fn address_space(&self) -> u64;
    /// Most significant byte first in data words?
    fn big_endian(&self) -> bool {
        false
    }
    /// Decodes the instruction at the start of `bytes`, which stands at
    /// `address`. `None` when `bytes` is too short or no form matches.
    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded>;
    /// The machines built on this CPU.
    fn machines(&self) -> &'static [&'static dyn Machine];
    /// Name of its clock cycle: "T-states".
    fn cycle_name(&self) -> &'static str {
        "cycles"
    }
}
