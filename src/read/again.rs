//! Runs before: some assemblers go over the source twice, so a macro may be used
//! above its definition, and a name from below may decide how much room there is or
//! which lines count.
//!
//! The first run reads as if there were nothing below. If it missed something that
//! the end of the source knows, another run starts with what the one before found:
//! macros, and values as assumptions. A run counts when all that it assumed came
//! true; nothing else leaves this module.

use crate::program::Value;
use crate::program::eval::{self, Known, Miss, Op};
use crate::read::Assembler;
use std::sync::Arc;

impl Assembler<'_> {
    /// Value of an expression that must be known, with values of the run before for
    /// what has none yet, or `otherwise` if no run has one.
    pub fn known_or_assumed(&mut self, v: Value, otherwise: Option<i64>) -> Result<i64, Miss> {
        let found = self.known(v);
        if !self.dialect.words.runs || !matches!(found, Err(Miss::Undefined(_) | Miss::NotYet)) {
            return found;
        }
        let Value::Expr(e) = v else { return found };
        let ops: Vec<Op> = self.ops[e.start as usize..(e.start + e.len) as usize].to_vec();
        let mut used = Vec::new();
        let assumed = eval::run(&ops, self.dialect, &mut |op| match op {
            Op::Symbol(id) => {
                let one = [Op::Symbol(id)];
                match self.now(&one) {
                    Err(miss) => {
                        let name = &self.symbols.get(self.symbols.resolve(id)).name;
                        let key: Arc<str> = self.key(name).into();
                        let value = self.again.prior_values.get(&key).copied();
                        let value = value.or(otherwise).ok_or(miss)?;
                        used.push(key);
                        Ok(Known::Number(value))
                    }
                    known => known,
                }
            }
            place => self.now(&[place]),
        });
        match assumed {
            Ok(Known::Number(n)) => {
                self.again.assumed.extend(used);
                Ok(n)
            }
            _ => {
                self.again.missed_value = true;
                found
            }
        }
    }
}
