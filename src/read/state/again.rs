//! What runs before found, and what this one misses; see [`crate::read::again`].

use crate::read::state::feeds::MacroDefinition;
use crate::text::language::Dialect;
use crate::text::source::{SourceId, Sources};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

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
    pub values: FxHashMap<Arc<str>, i64>,
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
    pub prior_values: FxHashMap<Arc<str>, i64>,
    /// All names that this run gives to registers.
    pub registers: FxHashMap<String, u8>,
    /// Runs before this one.
    pub runs: u32,
    /// There is no other run.
    over: bool,
    /// Names whose value was assumed.
    pub assumed: FxHashSet<Arc<str>>,
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
