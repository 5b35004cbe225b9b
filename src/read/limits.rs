//! What a reader does about limits, and names that may have been meant.

use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Fault, Outcome};
use crate::read::Assembler;
pub use crate::read::state::account::Limits;

use crate::program::limits::{
    A_FIXUP, A_VALUE, AN_OPERATION, CHECKS, FIXUPS, MACROS, OPERATIONS, PIECES, SECTIONS, SYMBOLS,
    TAILS, VALUES,
};

impl Assembler<'_> {
    /// The finding for a limit that is passed; nothing more is read.
    pub fn too_many(&mut self, most: usize, what: &str) -> Fault {
        self.fatal = true;
        let message = format!(
            "the program has more than {} {what}",
            thousands(most as u64)
        );
        Box::new(Diagnostic::new(codes::TOO_MUCH, message).at(self.statement))
    }

    /// Bounds the macros, of which there are so many.
    pub fn room_for_macro(&mut self, count: usize) -> Outcome<()> {
        match count < MACROS {
            true => Ok(()),
            false => Err(self.too_many(MACROS, "macros")),
        }
    }

    /// Ends the run where what waits for layout passes a limit.
    pub fn check_limits(&mut self) {
        let (most, what) = if self.symbols.is_full() {
            (SYMBOLS, "symbols, or names too long for so many")
        } else if self.account.spent.waiting > FIXUPS + self.symbols.read / A_FIXUP {
            (FIXUPS, "values that wait for layout")
        } else if self.program.values.len() > VALUES + self.symbols.read / A_VALUE {
            (VALUES, "values with names or addresses")
        } else if self.ops.len().saturating_sub(self.account.spent.kept)
            > OPERATIONS + self.symbols.read / AN_OPERATION
        {
            (OPERATIONS, "operations in values that wait for layout")
        } else if self.account.spent.open > TAILS {
            (TAILS, "instructions whose size layout decides")
        } else if self.chunks.len() > PIECES {
            (PIECES, "pieces at addresses of their own")
        } else if self.sections.len() > SECTIONS {
            (SECTIONS, "sections")
        } else if self.asked.later.len() > CHECKS {
            (CHECKS, "checks and messages")
        } else {
            return;
        };
        if !self.fatal {
            let d = self.too_many(most, what);
            self.report(d);
        }
    }
}
