//! Forms of instructions that differ in their reach only.

use super::whole::Program;
use scrimp_isa::{Base, Form};

impl Program<'_> {
    /// The word of another form with the registers and conditions of an instruction, and the
    /// class of its one value.
    pub fn same_words(&self, code: &[u8], address: u64, form: &Form) -> Option<(u64, u8)> {
        let decoded = self.target.decode_on(code, address, self.machine)?;
        let names: Vec<_> = form.operand_names().collect();
        if names.len() != decoded.operands.len() {
            return None;
        }
        let (mut word, mut value) = (form.pattern.fixed, None);
        for (name, found) in names.iter().zip(&decoded.operands) {
            let class = self.operands.iter().position(|o| o.name == *name)?;
            let operand = &self.operands[class];
            match (&operand.words, found.word) {
                (Some(w), Some(own)) => {
                    let &(_, v) = w.words.iter().find(|x| x.0 == own)?;
                    let field = form.pattern.field(w.field);
                    word |= field.map_or(0, |f| f.deposit(v.into()));
                }
                (None, None) => {}
                _ => return None,
            }
            if operand.value.is_some() && value.replace(class as u8).is_some() {
                return None;
            }
        }
        Some((word, value?))
    }

    /// Rows of the forms that the target takes instead of a longer one where they reach.
    pub fn shorter_rows(&self, long: &Form) -> Vec<u16> {
        let relax = self.target.relax().iter();
        let tries = relax
            .filter_map(|r| r.tries.iter().position(|t| *t == long.name).map(|i| (r, i)))
            .find(|t| t.1 > 0)
            .map_or(&[][..], |(r, i)| &r.tries[..i]);
        let short =
            |f: &Form| tries.contains(&f.name) && !f.alias && f.pattern.len < long.pattern.len;
        let rows = (0..).zip(self.forms);
        let mut rows: Vec<u16> = rows.filter(|(_, f)| short(f)).map(|(n, _)| n).collect();
        rows.sort_by_key(|&n| self.forms[usize::from(n)].pattern.len);
        rows
    }

    /// Whether a class counts from the instruction itself.
    pub fn is_relative(&self, class: u8) -> bool {
        let spec = self.operands[usize::from(class)].value;
        spec.is_some_and(|s| matches!(s.base, Base::Relative { .. }))
    }
}
