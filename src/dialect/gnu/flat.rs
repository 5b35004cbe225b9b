//! One memory: the linker puts the sections of all files behind each other, those that
//! its default script names first.

use super::link::Maker;
use super::state::{Part, State};
use crate::program::plan::{Plan, Row as Group, Start, Stored};
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A section of the output: its name, the symbols at its start and end, and what goes
/// into it.
struct Output {
    name: &'static str,
    low: &'static str,
    high: &'static str,
    inputs: [&'static str; 2],
}

impl Output {
    /// Whether sections of that name go into it.
    fn has(&self, name: &str) -> bool {
        self.inputs.contains(&name)
    }
}

const fn output(
    name: &'static str,
    low: &'static str,
    high: &'static str,
    plain: &'static str,
) -> Output {
    Output {
        name,
        low,
        high,
        inputs: [name, plain],
    }
}

/// The script.
const SCRIPT: [Output; 4] = [
    output(".isr", "__Labs", "__Habs", "isr"),
    output(".text", "__Ltext", "__Htext", "text"),
    output(".data", "__Ldata", "__Hdata", "data"),
    output(BSS, "__Lbss", "__Hbss", "bss"),
];

/// Room without values.
const BSS: &str = ".bss";

impl Assembler<'_> {
    /// Puts the sections in the order of the script, and all others behind them.
    pub(super) fn gnu_flat_plan(&mut self, globals: &FxHashMap<Arc<str>, SymbolId>) -> Plan {
        let mut m = Maker::default();
        let mut groups: Vec<Group> = Vec::new();
        for o in &SCRIPT {
            let home = self.open_section(o.name, None);
            let parts = self.own.get::<State>().parts.iter();
            let own = parts.filter(|p| o.has(&self.sections[p.section as usize].name));
            let mut to = own.map(|p| p.align).max().unwrap_or(1);
            // One of that name without its dot has values, and then all of it.
            let parts = self.own.get::<State>().parts.iter();
            let mut names = parts.map(|p| &*self.sections[p.section as usize].name);
            let stored = names.any(|n| n == o.inputs[1]);
            if o.name == BSS {
                let shared = self.own.get::<State>().commons.iter().map(|c| c.align);
                to = shared.max().unwrap_or(1).max(to);
            }
            let mut group = self.gnu_output(o.name, to, &groups);
            let from = self.program.chunks.len();
            self.gnu_mark(o.low, home, &mut group);
            for input in o.inputs {
                self.gnu_inputs(input, &mut m, &mut group);
            }
            self.gnu_mark(o.high, home, &mut group);
            if o.name == BSS {
                self.gnu_commons(home, globals, &mut group);
            }
            if o.name == BSS && !stored {
                // What is there has no first values, also where the file goes on behind.
                for c in from..self.program.chunks.len() {
                    self.program.chunks[c].stored = Stored::Nowhere;
                }
                for &c in &group.chunks {
                    self.program.chunks[c as usize].stored = Stored::Nowhere;
                }
            }
            groups.push(group);
        }
        for (name, mut parts) in self.gnu_others() {
            let to = parts.iter().map(|p| p.align).max().unwrap_or(1);
            let mut group = self.gnu_output(&name, to, &groups);
            self.gnu_place(&mut parts, &mut m, &mut group);
            groups.push(group);
        }
        self.gnu_last_symbols();
        Plan {
            groups,
            dropped: Vec::new(),
        }
    }

    /// A section of the output without what goes into it: where it starts, at a multiple.
    fn gnu_output(&mut self, name: &str, to: u64, before: &[Group]) -> Group {
        let outside = &self.own.get::<State>().outside.addresses;
        let said = outside.iter().find(|a| a.0 == name).map(|a| a.1);
        let start = match (said, before) {
            (Some(a), _) => Start::At(a),
            (None, []) => Start::At(0),
            (None, _) => Start::Behind,
        };
        let mut group = Group {
            start,
            chunks: Vec::new(),
            stored: false,
        };
        if to > 1 && said.is_none() {
            let home = self.open_section(name, None);
            let chunk = self.gnu_chunk(home, to);
            self.program.chunks[chunk as usize].stored = Stored::Nowhere;
            group.chunks.push(chunk);
        }
        group
    }

    /// A symbol of the script, if it is wanted.
    fn gnu_mark(&mut self, name: &str, home: u32, group: &mut Group) {
        let wanted = self.gnu_wanted(name);
        if !wanted.is_empty() {
            let chunk = self.gnu_chunk(home, 1);
            group.chunks.push(chunk);
            let here = self.here;
            self.gnu_give(&wanted, Meaning::At(here), home);
        }
    }

    /// Sections that the script does not have, as they come, with their parts.
    fn gnu_others(&self) -> Vec<(String, Vec<Part>)> {
        let mut all: Vec<(String, Vec<Part>)> = Vec::new();
        let mut known: FxHashMap<u32, usize> = FxHashMap::default();
        for p in &self.own.get::<State>().parts {
            let name = &self.sections[p.section as usize].name;
            if SCRIPT.iter().any(|o| o.has(name)) {
                continue;
            }
            let i = *known.entry(p.section).or_insert_with(|| {
                all.push((name.to_string(), Vec::new()));
                all.len() - 1
            });
            all[i].1.push(*p);
        }
        all
    }
}
