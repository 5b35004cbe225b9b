//! One row of an instruction table.

use crate::cycles::Cycles;
use crate::pattern::Pattern;

/// An instruction form: a mnemonic with its operand classes, encoding, time and
/// operation. A room has one const table of these, one form a line.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Mnemonic in lower case. One that starts with `*` is of a form that cannot
    /// be written (a second encoding, a hole): it decodes, and prints as data.
    pub name: &'static str,
    /// Names of operand classes with commas between, `""` for none; each is a
    /// row of [`Target::operands`](crate::Target::operands). Where two operands
    /// fill the same field (`ld ixh,ixl`, one prefix) their values must agree,
    /// else the form does not match.
    pub operands: &'static str,
    /// The encoding.
    pub pattern: Pattern,
    /// How long it takes.
    pub cycles: Cycles,
    /// The operation, an index that only the room understands.
    pub op: u16,
    /// Whether the maker's manual lists it.
    pub documented: bool,
    /// Another row is the canonical text for these bytes: this one assembles
    /// but is never printed by the disassembler.
    pub alias: bool,
    /// Features of the CPU that it needs, bits of
    /// [`Target::features`](crate::Target::features); 0 for a form that all have.
    pub needs: u32,
    /// The set of spellings that the row belongs to: empty for the maker's, else a name
    /// that a dialect asks for. Only dialects that ask for it take the row.
    pub spelling: &'static str,
}

impl Form {
    /// The operand class names, in order.
    pub fn operand_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let s = self.operands;
        s.split(',').filter(|s| !s.is_empty())
    }
}
