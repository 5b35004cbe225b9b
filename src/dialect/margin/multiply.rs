//! Multiplications of the R800, which several assemblers for the MSX take.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// `mulub a,b` and `muluw hl,bc` of the R800.
    pub(in crate::dialect) fn multiplied(
        &mut self,
        wide: bool,
        t: &Tok,
        rest: &[Tok],
    ) -> Outcome<()> {
        let (first, seconds, base): (&str, &[&str], u8) = match wide {
            false => ("a", &["b", "c", "d", "e", "h", "l", "", "a"], 0xc1),
            true => ("hl", &["bc", "de", "hl", "sp"], 0xc3),
        };
        let shift = if wide { 4 } else { 3 };
        let parts = split(rest);
        let word = |k: usize| match parts.get(k) {
            Some(&(a, b)) if b == a + 1 => self.text(&rest[a as usize]),
            _ => "",
        };
        let is = |a: &str, b: &str| !a.is_empty() && a.eq_ignore_ascii_case(b);
        let second = seconds.iter().position(|s| is(s, word(1)));
        match second.filter(|_| parts.len() == 2 && is(first, word(0))) {
            Some(k) => {
                self.emit_data(&[0xed, base | (k as u8) << shift], Class::Data);
                Ok(())
            }
            None => {
                let message = format!("`{}` does not take these operands", self.text(t));
                let d = Diagnostic::new(codes::BAD_OPERANDS, message).at(self.statement);
                Err(Box::new(d))
            }
        }
    }
}
