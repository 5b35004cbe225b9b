//! Several files become one program: symbols find each other, sections get their
//! order, and the plan for layout is made.

use super::script::{self, Place, SCRIPT, Step};
use super::state::{Binding, Common, Flags, Part, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, NONE, Region};
use crate::program::eval::Op;
use crate::program::item::{Item, What};
use crate::program::plan::{Plan, Row as Group, Start};
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::language::Binary;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Linear address of data where no machine says another.
const DATA_START: u64 = 0x80_0060;

/// A plan under way.
#[derive(Default)]
pub(super) struct Maker {
    groups: Vec<Group>,
    /// Parts that have their place.
    pub(super) done: FxHashSet<u32>,
}

impl Assembler<'_> {
    /// Ends a file, and starts the next.
    pub fn gnu_next(&mut self) {
        let names = self.symbols.take_names();
        self.own.get_mut::<State>().units.push(names);
        self.own.get_mut::<State>().unit += 1;
        self.lines.conditions.clear();
        self.gnu_start();
    }

    /// Joins the files; layout then follows the plan.
    pub fn gnu_link(&mut self) {
        let names = self.symbols.take_names();
        self.own.get_mut::<State>().units.push(names);
        let globals = self.gnu_globals();
        self.gnu_bind_all(&globals);
        for (name, value) in std::mem::take(&mut self.own.get_mut::<State>().outside.given) {
            if name == script::DISTANCE {
                self.own.get_mut::<State>().outside.mapped = Some(value as u64);
            }
            let wanted = self.gnu_wanted(&name);
            self.gnu_give(&wanted, Meaning::Number(value), NONE);
        }
        self.gnu_merge();
        let plan = self.own.get::<State>().family.plan;
        let mut plan = plan(self, &globals);
        // What is in no memory stands at 0.
        let all = 0..self.own.get::<State>().parts.len();
        let placed: FxHashSet<u32> = plan.groups.iter().flat_map(|g| g.chunks.clone()).collect();
        plan.dropped = all
            .map(|i| self.own.get::<State>().parts[i].chunk)
            .filter(|c| !placed.contains(c))
            .collect();
        self.asked.plan = Some(plan);
    }

    /// Symbols that files show each other, by name.
    fn gnu_globals(&mut self) -> FxHashMap<Arc<str>, SymbolId> {
        let mut globals: FxHashMap<Arc<str>, SymbolId> = FxHashMap::default();
        let units = std::mem::take(&mut self.own.get_mut::<State>().units);
        for unit in &units {
            let bindings = &self.own.get::<State>().bindings;
            let shown = |id| matches!(bindings.get(id), Some(Binding::Global | Binding::Weak));
            // Most have no binding, and many files show nothing.
            let all = unit.iter().filter(|_| !bindings.is_empty());
            let mut names: Vec<(&Arc<str>, SymbolId)> =
                all.filter(|n| shown(n.1)).map(|(n, i)| (n, *i)).collect();
            names.sort_unstable_by_key(|n| n.1);
            for (name, id) in names {
                if self.symbols.get(id).meaning == Meaning::Undefined {
                    continue;
                }
                let Some(&first) = globals.get(name) else {
                    globals.insert(name.clone(), id);
                    continue;
                };
                let weak = |id| self.own.get::<State>().bindings.get(&id) == Some(&Binding::Weak);
                match (weak(first), weak(id)) {
                    (_, true) => {}
                    (true, false) => {
                        globals.insert(name.clone(), id);
                    }
                    (false, false) => {
                        let message = format!("`{name}` is defined in two files");
                        let mut d = Diagnostic::new(codes::REDEFINED, message);
                        d.span = self.symbols.get(id).span;
                        if let Some(at) = self.symbols.get(first).span {
                            d = d.related(at, "first defined here");
                        }
                        self.report_in(d, NONE);
                    }
                }
            }
        }
        self.own.get_mut::<State>().units = units;
        globals
    }

    /// What a file does not define is what another one shows; and a weak symbol gives
    /// way to one that is not.
    fn gnu_bind_all(&mut self, globals: &FxHashMap<Arc<str>, SymbolId>) {
        if globals.is_empty() {
            return;
        }
        let units = std::mem::take(&mut self.own.get_mut::<State>().units);
        for (name, &id) in units.iter().flatten() {
            let weak = self.own.get::<State>().bindings.get(&id) == Some(&Binding::Weak);
            let Some(&global) = globals.get(name).filter(|g| **g != id) else {
                continue;
            };
            let s = self.symbols.get_mut(id);
            if s.meaning == Meaning::Undefined || weak {
                s.meaning = Meaning::Undefined;
                s.outer = Some(global);
            }
        }
        self.own.get_mut::<State>().units = units;
    }

    /// A chunk of no bytes, or of what aligns the next.
    pub(super) fn gnu_chunk(&mut self, section: u32, align: u64) -> u32 {
        self.section = section;
        let kept = self.sections[section as usize].chunk;
        self.open_chunk(None, 1);
        self.sections[section as usize].chunk = kept;
        let c = &mut self.program.chunks[self.chunk as usize];
        c.origin = 0;
        if align > 1 {
            c.push(Item {
                what: What::Align {
                    to: align as u32,
                    size: NONE,
                    fill: [0; 2],
                },
                span: self.statement,
                expansion: NONE,
                owner: NONE,
                offset: 0,
            });
        }
        self.chunk
    }

    /// Symbols of that name which nobody defines but somebody uses.
    pub(super) fn gnu_wanted(&self, name: &str) -> Vec<SymbolId> {
        let of_unit = self
            .own
            .get::<State>()
            .units
            .iter()
            .filter_map(|u| u.get(name).copied());
        of_unit
            .filter(|&id| {
                let s = self.symbols.get(id);
                s.meaning == Meaning::Undefined && s.outer.is_none() && s.used
            })
            .collect()
    }

    pub(super) fn gnu_give(&mut self, ids: &[SymbolId], meaning: Meaning, section: u32) {
        for &id in ids {
            self.symbols.number(id);
            let s = self.symbols.get_mut(id);
            s.meaning = meaning;
            s.section = section;
            if let Meaning::At(p) = meaning {
                s.label = true;
                s.place = Some(p);
            }
        }
    }

    /// Puts the sections in the order of the script.
    pub(super) fn gnu_plan(&mut self, globals: &FxHashMap<Arc<str>, SymbolId>) -> Plan {
        let mut m = Maker::default();
        // Sections with addresses of their own come first: no other step has them.
        let addresses = self.own.get::<State>().outside.addresses.clone();
        let mut own: Vec<Group> = Vec::new();
        let mut starts: FxHashMap<&str, u64> = FxHashMap::default();
        for (name, address) in &addresses {
            if let ".text" | ".data" | ".bss" = name.as_str() {
                starts.insert(name, *address);
                continue;
            }
            let mut group = Group {
                start: Start::At(*address),
                chunks: Vec::new(),
                stored: false,
            };
            self.gnu_inputs(name, &mut m, &mut group);
            own.push(group);
        }
        let data = self.gnu_ram().map_or(DATA_START, |r| r.start);
        let mut script = SCRIPT.to_vec();
        if let Some(distance) = self.gnu_mapped() {
            script.insert(1, script::mapped(distance));
        }
        for (place, steps) in &script {
            let home = match place {
                Place::Flash | Place::Mapped(_) => ".text",
                Place::Data => ".data",
                _ => ".bss",
            };
            let mut group = Group {
                start: match (place, starts.get(home)) {
                    (Place::Flash, given) => Start::At(given.copied().unwrap_or(0)),
                    (Place::Data, given) => Start::At(given.copied().unwrap_or(data)),
                    (Place::Empty, Some(&a)) if steps.contains(&Step::Common) => Start::At(a),
                    (Place::Empty, _) => Start::Behind,
                    (Place::Mapped(n), _) => Start::Mapped(*n),
                    (Place::At(a), _) => Start::At(*a),
                },
                chunks: Vec::new(),
                stored: matches!(place, Place::Data | Place::Mapped(_)),
            };
            let home = self.open_section(home, None);
            for step in *steps {
                match step {
                    Step::Input(pattern) => self.gnu_inputs(pattern, &mut m, &mut group),
                    Step::Even => group.chunks.push(self.gnu_chunk(home, 2)),
                    Step::Symbol(name) => self.gnu_script_symbol(name, home, &mut group),
                    Step::Common => self.gnu_commons(home, globals, &mut group),
                }
            }
            match place {
                Place::Flash => {
                    self.gnu_orphans(&mut m, &mut group, |f| !f.room && (f.code || !f.write))
                }
                Place::Data => {
                    let before = m.groups.len() - 1;
                    self.gnu_load_symbols(&mut m.groups, before, &mut group, home);
                    self.gnu_orphans(&mut m, &mut group, |f| !f.room);
                }
                Place::Empty => self.gnu_orphans(&mut m, &mut group, |_| true),
                _ => {}
            }
            m.groups.push(group);
        }
        m.groups.append(&mut own);
        self.gnu_spaces(&m.groups);
        self.gnu_last_symbols();
        Plan {
            groups: m.groups,
            dropped: Vec::new(),
        }
    }

    /// Defines a symbol of the script, if somebody uses it.
    fn gnu_script_symbol(&mut self, name: &str, home: u32, group: &mut Group) {
        let wanted = self.gnu_wanted(name);
        if !wanted.is_empty() {
            group.chunks.push(self.gnu_chunk(home, 1));
            self.gnu_give(&wanted, Meaning::At(self.here), home);
        }
        if name == "__trampolines_start" {
            group.chunks.extend(self.gnu_gates(home));
        }
    }

    /// Tells sections which space they lie in.
    pub(super) fn gnu_spaces(&mut self, groups: &[Group]) {
        let mut at = 0;
        for g in groups {
            match g.start {
                Start::At(a) => at = a,
                Start::Mapped(_) => at = 0,
                Start::Behind | Start::Over => {}
            }
            let space = self.memory.holding(at).unwrap_or(0) as u32;
            let region = self.regions.iter().rposition(|r| r.start <= at);
            let region = region.filter(|&r| {
                let r = &self.regions[r];
                self.memory.spaces[space as usize].base <= r.start
            });
            for &c in &g.chunks {
                let s =
                    &mut self.program.sections[self.program.chunks[c as usize].section as usize];
                s.space = space;
                s.region = region.map_or(NONE, |r| r as u32);
            }
        }
    }

    /// All parts of sections that a pattern means and that have no place yet.
    pub(super) fn gnu_inputs(&mut self, pattern: &str, m: &mut Maker, group: &mut Group) {
        let mut found: Vec<Part> = self
            .own
            .get::<State>()
            .parts
            .iter()
            .filter(|p| {
                !m.done.contains(&p.chunk)
                    && script::matches(pattern, &self.sections[p.section as usize].name)
            })
            .copied()
            .collect();
        self.gnu_place(&mut found, m, group);
    }

    /// Appends parts to a group: file by file, section by section as each file has
    /// them, each with its subsections in order.
    pub(super) fn gnu_place(&mut self, found: &mut [Part], m: &mut Maker, group: &mut Group) {
        // Sections of a file in the order of their first chunk.
        let mut first: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut align: FxHashMap<(u32, u32), u64> = FxHashMap::default();
        for p in found.iter() {
            let key = (p.unit, p.section);
            let f = first.entry(key).or_insert(p.chunk);
            *f = p.chunk.min(*f);
            let a = align.entry(key).or_insert(1);
            *a = p.align.max(*a);
        }
        found.sort_by_key(|p| (p.unit, first[&(p.unit, p.section)], p.sub));
        // The assembler makes the size of a section a multiple of its alignment too.
        for (i, p) in found.iter().enumerate() {
            let key = |p: &Part| (p.unit, p.section);
            let to = align[&key(p)];
            if to > 1 && (i == 0 || key(&found[i - 1]) != key(p)) {
                let chunk = self.gnu_chunk(p.section, to);
                group.chunks.push(chunk);
            }
            group.chunks.push(p.chunk);
            m.done.insert(p.chunk);
            if to > 1 && found.get(i + 1).is_none_or(|n| key(n) != key(p)) {
                let chunk = self.gnu_chunk(p.section, to);
                group.chunks.push(chunk);
            }
        }
    }

    /// Sections that the script does not name, which are of memory and as asked.
    fn gnu_orphans(&mut self, m: &mut Maker, group: &mut Group, fits: fn(Flags) -> bool) {
        let known = |name: &str| {
            let mut steps = SCRIPT.iter().flat_map(|s| s.1);
            steps.any(|s| matches!(s, Step::Input(p) if script::matches(p, name)))
        };
        let mut found: Vec<Part> = Vec::new();
        for p in &self.own.get::<State>().parts {
            let flags = self.gnu_flags(p.section);
            if flags.alloc
                && fits(flags)
                && !m.done.contains(&p.chunk)
                && !known(&self.sections[p.section as usize].name)
            {
                found.push(*p);
            }
        }
        // All of a name together, code before the rest.
        let mut names: Vec<u32> = Vec::new();
        let mut of: FxHashMap<u32, Vec<Part>> = FxHashMap::default();
        for p in found {
            let parts = of.entry(p.section).or_default();
            if parts.is_empty() {
                names.push(p.section);
            }
            parts.push(p);
        }
        names.sort_by_key(|s| !self.gnu_flags(*s).code);
        for name in names {
            let mut parts = of.remove(&name).unwrap_or_default();
            self.gnu_place(&mut parts, m, group);
        }
    }

    /// Rooms that files share: the largest of a name counts, unless it is defined.
    pub(super) fn gnu_commons(
        &mut self,
        home: u32,
        globals: &FxHashMap<Arc<str>, SymbolId>,
        group: &mut Group,
    ) {
        let mut by_name: Vec<(Arc<str>, Vec<Common>)> = Vec::new();
        let mut known: FxHashMap<Arc<str>, usize> = FxHashMap::default();
        for c in std::mem::take(&mut self.own.get_mut::<State>().commons) {
            if self.symbols.get(c.id).meaning != Meaning::Undefined || globals.contains_key(&c.name)
            {
                continue;
            }
            match known.get(&c.name) {
                Some(&i) => by_name[i].1.push(c),
                None => {
                    known.insert(c.name.clone(), by_name.len());
                    by_name.push((c.name.clone(), vec![c]));
                }
            }
        }
        let mut all: FxHashSet<&str> = FxHashSet::default();
        for (name, id) in self.own.get::<State>().units.iter().flatten() {
            let bound = self.own.get::<State>().bindings.contains_key(id);
            if bound || self.symbols.get(*id).meaning == Meaning::Undefined {
                all.insert(name);
            }
        }
        let names = all.len();
        // A room lies where the file is that wants most of it. Of two in one place of
        // the table the later one comes first.
        by_name.reverse();
        let widest = |list: &[Common]| {
            let most = list.iter().map(|c| c.size).max().unwrap_or(0);
            let first = list.iter().find(|c| c.size == most);
            (first.map_or(0, |c| c.unit), most)
        };
        by_name.sort_by_cached_key(|n| (widest(&n.1).0, script::bucket(&n.0, names)));
        let align = |list: &[Common]| list.iter().map(|c| c.align).max().unwrap_or(1);
        let mut of_unit: FxHashMap<u32, u64> = FxHashMap::default();
        for (_, list) in &by_name {
            let a = of_unit.entry(widest(list).0).or_insert(1);
            *a = align(list).max(*a);
        }
        let mut unit = None;
        for (name, list) in by_name {
            let (of, size) = widest(&list);
            let mut to = align(&list);
            if unit.replace(of) != Some(of) {
                to = of_unit[&of];
            }
            if to > 1 {
                let pad = self.gnu_chunk(home, to);
                group.chunks.push(pad);
            }
            let chunk = self.gnu_chunk(home, 1);
            group.chunks.push(chunk);
            let place = self.here;
            self.statement = list[0].span;
            self.emit_fill(size as usize, 0, Class::Space);
            let of_unit = self
                .own
                .get::<State>()
                .units
                .iter()
                .filter_map(|u| u.get(&*name).copied());
            let ids: Vec<SymbolId> = of_unit
                .filter(|&id| self.symbols.get(id).meaning == Meaning::Undefined)
                .collect();
            self.gnu_give(&ids, Meaning::At(place), home);
        }
    }

    /// Where the first values of data are stored: behind what is in flash.
    fn gnu_load_symbols(
        &mut self,
        groups: &mut [Group],
        before: usize,
        data: &mut Group,
        home: u32,
    ) {
        let start = self.gnu_wanted("__data_load_start");
        let end = self.gnu_wanted("__data_load_end");
        if start.is_empty() && end.is_empty() {
            return;
        }
        let mut mark = || {
            let chunk = self.gnu_chunk(home, 1);
            (chunk, Op::Place(self.here))
        };
        let (load, first, last) = (mark(), mark(), mark());
        groups[before].chunks.push(load.0);
        data.chunks.insert(0, first.0);
        data.chunks.push(last.0);
        // Where flash is read as data, constants stand before, at other addresses.
        let apart = match groups[before].start {
            Start::Mapped(n) => n as i64,
            _ => 0,
        };
        let stored = [load.1, Op::Number(apart), Op::Binary(Binary::Sub)];
        let from = self.ops.len() as u32;
        self.ops.extend(stored);
        self.ops.extend([last.1, first.1]);
        self.ops
            .extend([Op::Binary(Binary::Sub), Op::Binary(Binary::Add)]);
        let whole = |start, len| Meaning::Expr(ExprId { start, len });
        self.gnu_give(&start, whole(from, 3), home);
        self.gnu_give(&end, whole(from, 7), home);
    }

    /// How far up the machine reads flash as data, or the user says it does.
    fn gnu_mapped(&self) -> Option<u64> {
        let distance = self.machine?.mapped_program()?;
        Some(self.own.get::<State>().outside.mapped.unwrap_or(distance))
    }

    /// The machine's RAM.
    fn gnu_ram(&self) -> Option<&Region> {
        let data = self.memory.spaces.get(1)?;
        let inside = |r: &&Region| r.start > data.base && r.start < data.base + data.size;
        self.regions.iter().find(inside)
    }

    /// Symbols that are no places: where data is stored, and the stack.
    pub(super) fn gnu_last_symbols(&mut self) {
        let stack = self.gnu_wanted("__stack");
        let base = self.memory.spaces.get(1).map_or(0, |s| s.base);
        if let Some(end) = self.gnu_ram().map(|r| r.start + r.size - base) {
            self.gnu_give(&stack, Meaning::Number(end as i64 - 1), NONE);
        }
        // A weak symbol that nobody defines is 0.
        let units = std::mem::take(&mut self.own.get_mut::<State>().units);
        for &id in units.iter().flat_map(|u| u.values()) {
            let weak = self.own.get::<State>().bindings.get(&id) == Some(&Binding::Weak);
            let s = self.symbols.get_mut(id);
            if weak && s.meaning == Meaning::Undefined && s.outer.is_none() {
                s.meaning = Meaning::Number(0);
            }
        }
        self.own.get_mut::<State>().units = units;
    }
}
