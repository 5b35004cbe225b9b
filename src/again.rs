//! Runs before: some assemblers go over the source twice, so a macro may be used
//! above its definition, and a name from below may decide how much room there is or
//! which lines count.
//!
//! The first run reads as if there were nothing below. If it missed something that
//! the end of the source knows, another run starts with what the one before found:
//! macros, and values as assumptions. A run counts when all that it assumed came
//! true; nothing else leaves this module.

use crate::dialect::Dialect;
use crate::eval::{self, Known, Miss, Op, State};
use crate::expand::MacroDefinition;
use crate::layout::Layout;
use crate::program::{Assembler, Value};
use crate::source::{SourceId, Sources};
use crate::symbol::Meaning;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most runs.
const MAX_RUNS: u32 = 8;

/// What the runs before found.
#[derive(Default)]
pub struct Prior {
    /// Texts that were read.
    pub sources: Sources,
    /// Their files.
    pub loaded: FxHashMap<(String, String), SourceId>,
    macros: FxHashMap<String, Rc<MacroDefinition>>,
    registers: FxHashMap<String, u8>,
    values: FxHashMap<Rc<str>, i64>,
    runs: u32,
}

/// What a run takes from those before, and what it missed.
#[derive(Default)]
pub struct Again {
    prior_macros: FxHashMap<String, Rc<MacroDefinition>>,
    prior_registers: FxHashMap<String, u8>,
    prior_values: FxHashMap<Rc<str>, i64>,
    /// All names that this run gives to registers.
    registers: FxHashMap<String, u8>,
    runs: u32,
    /// There is no other run.
    over: bool,
    /// Names whose value was assumed.
    assumed: FxHashSet<Rc<str>>,
    /// A value was missing.
    missed_value: bool,
    /// Words that were no statement.
    missed_words: FxHashSet<String>,
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
        d.runs && self.runs == 0 && !self.over
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
        if !self.dialect.runs || !matches!(found, Err(Miss::Undefined(_) | Miss::NotYet)) {
            return found;
        }
        let Value::Expr(e) = v else { return found };
        let ops: Vec<Op> = self.ops[e.start as usize..(e.start + e.len) as usize].to_vec();
        let mut used = Vec::new();
        let assumed = eval::run(&ops, self.dialect, &mut |op| match op {
            Op::Symbol(id) => {
                let one = [Op::Symbol(id)];
                match eval::now(&one, &self.ops, &self.symbols, self.dialect, &self.units) {
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

    /// Values of all symbols that have one, by name.
    fn values_by_name(&self) -> FxHashMap<Rc<str>, i64> {
        let l: Layout = self.lay_out();
        let values = self.final_values(&l);
        let mut out = FxHashMap::default();
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            if let State::Done(Ok(v)) = values[id.0 as usize]
                && !s.local
                && s.meaning != Meaning::Undefined
            {
                out.insert(self.key(&s.name).into(), v);
            }
        }
        out
    }

    /// What the next run needs to know, if there must be one.
    pub fn again(&mut self) -> Option<Box<Prior>> {
        if !self.dialect.runs || self.again.runs + 1 >= MAX_RUNS {
            return None;
        }
        let words = std::mem::take(&mut self.again.missed_words);
        let register = |w: &String| {
            let now = self.again.registers.get(w);
            now.is_some() && now != self.again.prior_registers.get(w)
        };
        let undefined = self.symbols.ids().map(|i| self.symbols.get(i));
        let undefined = undefined.filter(|s| s.used && s.meaning == Meaning::Undefined);
        let mut names = undefined.map(|s| self.key(&s.name).into_owned());
        let macros = names.any(|n| register(&n))
            || words
                .iter()
                .any(|w| register(w) || self.macros.contains_key(w));
        let asked = self.again.missed_value || !self.again.assumed.is_empty();
        if !macros && !asked {
            return None;
        }
        let mut values = FxHashMap::default();
        if asked {
            values = self.values_by_name();
            let before = &self.again.prior_values;
            let came_true = |n: &Rc<str>| values.get(n) == before.get(n);
            let settled = self.again.assumed.iter().all(came_true);
            let news = values.iter().any(|(n, v)| before.get(n) != Some(v));
            if !macros && settled && !(self.again.missed_value && news) {
                return None;
            }
        }
        Some(Box::new(Prior {
            sources: std::mem::take(&mut self.sources),
            loaded: std::mem::take(&mut self.loaded),
            macros: std::mem::take(&mut self.macros),
            registers: std::mem::take(&mut self.again.registers),
            values,
            runs: self.again.runs + 1,
        }))
    }

    /// Names whose value differs from what was assumed: they never settle.
    pub fn unsettled(&self) -> Vec<Rc<str>> {
        if self.again.assumed.is_empty() {
            return Vec::new();
        }
        let values = self.values_by_name();
        let before = &self.again.prior_values;
        let differ = |n: &&Rc<str>| values.get(*n) != before.get(*n);
        let mut names: Vec<Rc<str>> = self.again.assumed.iter().filter(differ).cloned().collect();
        names.sort_unstable();
        names
    }
}
