//! Delay slots: what executes behind a jump before the jump takes effect.
//!
//! Two things are hardly meant: another jump to a label in the slot, which makes a
//! subroutine of one instruction (`slot` in front of it says that it is meant), and a
//! section that ends with a jump, whose slot is whatever the layout puts behind it.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::language::LabelRule;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// `slot` and an instruction: it is meant to stand in a delay slot.
    pub(crate) fn slot(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected an instruction").at(t.span);
            return Err(Box::new(d));
        }
        self.noticed.in_slot = true;
        let done = self.line(rest);
        self.noticed.in_slot = false;
        done
    }

    /// Warns of a jump to a label in the slot of a jump. What a listing says was meant.
    pub(crate) fn check_slot(&mut self, word: u64) {
        let target = self.job.target;
        if self.noticed.in_slot
            || !target.has_slots()
            || self.dialect.names.labels == LabelRule::Listed
        {
            return;
        }
        let Some(before) = self.word_before() else {
            return;
        };
        if target.is_delayed(before) && target.is_delayed(word as u16) {
            let d = Diagnostic::new(
                codes::IN_SLOT,
                "this jump stands in the delay slot of the one before it",
            )
            .at(self.statement)
            .label("executes before that jump takes effect")
            .help("put an instruction between them, or write `slot` in front of this one");
            self.report(Box::new(d));
        }
    }
}
