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
use crate::read::expand::MacroDefinition;
use crate::text::language::Dialect;
use crate::text::source::{SourceId, Sources};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::rc::Rc;

/// Most runs.
pub const MAX_RUNS: u32 = 8;

/// What the runs before found.
#[derive(Default)]
pub struct Prior {
    /// Texts that were read.
    pub sources: Sources,
    /// Their files.
    pub loaded: FxHashMap<(String, String), SourceId>,
    /// Macros by name.
    pub macros: FxHashMap<String, Rc<MacroDefinition>>,
    /// Names for registers.
    pub registers: FxHashMap<String, u8>,
    /// Values by name.
    pub values: FxHashMap<Rc<str>, i64>,
    /// Runs so far.
    pub runs: u32,
    /// What the dialect kept.
    pub own: Option<Box<dyn Any>>,
}

/// What a run takes from those before, and what it missed.
#[derive(Default)]
pub struct Again {
    /// Macros that the runs before found.
    pub prior_macros: FxHashMap<String, Rc<MacroDefinition>>,
    /// Names for registers that they found.
    pub prior_registers: FxHashMap<String, u8>,
    /// Values that they found.
    pub prior_values: FxHashMap<Rc<str>, i64>,
    /// All names that this run gives to registers.
    pub registers: FxHashMap<String, u8>,
    /// Runs before this one.
    pub runs: u32,
    /// There is no other run.
    over: bool,
    /// Names whose value was assumed.
    pub assumed: FxHashSet<Rc<str>>,
    /// A value was missing.
    pub missed_value: bool,
    /// Words that were no statement.
    pub missed_words: FxHashSet<String>,
}

impl Again {
    /// For the run after `prior`, whose texts the caller takes.
    pub fn new(prior: &mut Prior) -> Self {
        Self {
            prior_macros: std::mem::take(&mut prior.macros),
            prior_registers: std::mem::take(&mut prior.registers),
            prior_values: std::mem::take(&mut prior.values),
            runs: prior.runs,
            ..Self::default()
        }
    }

    /// The macro that a run before found.
    pub fn macro_named(&self, key: &str) -> Option<&Rc<MacroDefinition>> {
        self.prior_macros.get(key)
    }

    /// Whether a run before found macros.
    pub fn has_macros(&self) -> bool {
        !self.prior_macros.is_empty()
    }

    /// The register that a run before knew by that name.
    #[inline]
    pub fn register_named(&self, key: impl FnOnce() -> String) -> u8 {
        if self.prior_registers.is_empty() {
            return 0;
        }
        self.prior_registers.get(&key()).copied().unwrap_or(0)
    }

    /// Notes the name of a register for the next run.
    pub fn name_register(&mut self, key: &str, number: u8) {
        self.registers.insert(key.to_string(), number);
    }

    /// Whether a next run may find what this one misses.
    pub fn is_first(&self, d: &Dialect) -> bool {
        d.words.runs && self.runs == 0 && !self.over
    }

    /// There will be no next run.
    pub fn finish(&mut self) {
        self.over = true;
    }

    /// Notes a word that is no statement so far.
    pub fn miss_word(&mut self, key: String) {
        self.missed_words.insert(key);
    }
}

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
                        let key: Rc<str> = self.key(name).into();
                        let value = self.again.prior_values.get(&key).copied();
                        let value = value.or(otherwise).ok_or(miss)?;
                        used.push(key);
                        Ok(Known::Number(value))
                    }
                    known => known,
                }
            }
            _ => Err(Miss::NotYet),
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
