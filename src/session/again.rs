//! Whether a source must be read again, and with what: names that it uses above what it
//! defines below, and values that only a layout gives.

use crate::program::eval::State;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::state::again::{MAX_RUNS, Prior};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Assembler<'_> {
    /// Values of all symbols that have one, by name.
    fn values_by_name(&self) -> FxHashMap<Arc<str>, i64> {
        let l = self.lay_out();
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
        if !self.dialect.words.runs || self.again.runs + 1 >= MAX_RUNS {
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
                .any(|w| register(w) || self.lines.macros.contains_key(w));
        let asked = self.again.missed_value || !self.again.assumed.is_empty();
        let hooks = self.own.hooks;
        let own = hooks.unsettled(self);
        if !macros && !asked && !own {
            return None;
        }
        let mut values = FxHashMap::default();
        if asked {
            values = self.values_by_name();
            let before = &self.again.prior_values;
            let came_true = |n: &Arc<str>| values.get(n) == before.get(n);
            let settled = self.again.assumed.iter().all(came_true);
            let news = values.iter().any(|(n, v)| before.get(n) != Some(v));
            let missed = self.again.missed_value && news;
            if !(macros || own || missed) && settled {
                return None;
            }
        }
        Some(Box::new(Prior {
            sources: std::mem::take(&mut self.sources),
            loaded: std::mem::take(&mut self.files.loaded),
            macros: std::mem::take(&mut self.lines.macros),
            registers: std::mem::take(&mut self.again.registers),
            values,
            runs: self.again.runs + 1,
            own: Some(self.own.take()),
        }))
    }

    /// Names whose value differs from what was assumed: they never settle.
    pub fn unsettled(&self) -> Vec<Arc<str>> {
        if self.again.assumed.is_empty() {
            return Vec::new();
        }
        let values = self.values_by_name();
        let before = &self.again.prior_values;
        let differ = |n: &&Arc<str>| values.get(*n) != before.get(*n);
        let mut names: Vec<Arc<str>> = self.again.assumed.iter().filter(differ).cloned().collect();
        names.sort_unstable();
        names
    }
}
