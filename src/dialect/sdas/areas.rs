//! Areas: where bytes go, and what the linker makes of those of all files.

use super::state::{Area, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, NONE};
use crate::program::eval::Op;
use crate::program::plan::{Plan, Row as Group, Start, Stored};
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The area that a file starts in.
const FIRST: &str = "_CODE";

impl Assembler<'_> {
    /// Starts a file: all that is a file's own is new.
    pub(super) fn sdas_start(&mut self) {
        let state = self.own.get_mut::<State>();
        state.macros.clear();
        (state.radix, state.local) = (0, FxHashMap::default());
        let first = self.sdas_area_named(FIRST);
        if let Ok(i) = first {
            self.sdas_enter(i);
        }
    }

    /// Ends a file.
    pub(super) fn sdas_next(&mut self) {
        let names = self.symbols.take_names();
        let state = self.own.get_mut::<State>();
        state.units.push(names);
        state.unit += 1;
        self.lines.conditions.clear();
    }

    /// The number of the area of that name.
    fn sdas_area_named(&mut self, name: &str) -> Outcome<usize> {
        let state = self.own.get::<State>();
        if let Some(&i) = state.names.get(name) {
            return Ok(i);
        }
        let count = state.areas.len();
        if count >= limits::COLUMNS {
            return Err(self.too_many(limits::COLUMNS, "areas"));
        }
        let section = self.open_section(name, Some(self.statement));
        let state = self.own.get_mut::<State>();
        state.names.insert(name.to_owned(), count);
        state.areas.push(Area {
            name: name.to_owned(),
            section,
            absolute: false,
            overlaid: false,
            parts: Vec::new(),
            unit: None,
            before: 0,
        });
        Ok(count)
    }

    /// Goes on in an area.
    fn sdas_enter(&mut self, i: usize) {
        let state = self.own.get_mut::<State>();
        state.area = i;
        let (unit, area) = (state.unit, &mut state.areas[i]);
        self.section = area.section;
        let known = area.unit == Some(unit) && !area.overlaid;
        let last = area.parts.last().and_then(|p| p.last()).copied();
        match last.filter(|_| known) {
            Some(chunk) => {
                self.chunk = chunk;
                self.program.sections[self.section as usize].chunk = chunk;
                self.mark_here();
            }
            None => {
                area.unit = Some(unit);
                area.parts.push(Vec::new());
                area.before = 0;
                let at = area.absolute.then_some(0);
                self.sdas_chunk(at);
            }
        }
    }

    /// A chunk of the part in force, at an address or behind the one before.
    fn sdas_chunk(&mut self, at: Option<u64>) {
        self.open_chunk(at, 1);
        let c = self.chunk;
        let state = self.own.get_mut::<State>();
        let area = &mut state.areas[state.area];
        let mut behind = None;
        if let Some(part) = area.parts.last_mut() {
            let last = part.last().map(|&l| self.program.chunks[l as usize].size);
            area.before += i64::from(last.unwrap_or(0));
            behind = part.first().map(|&first| (first, area.before as u32));
            part.push(c);
        }
        let shared = area.overlaid || area.absolute;
        let chunk = &mut self.program.chunks[c as usize];
        (chunk.origin, chunk.overlap) = (0, shared);
        chunk.behind = behind.filter(|_| at.is_none());
    }

    /// `.area NAME (ABS,OVR)`.
    pub(super) fn sdas_area(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.one_name(t, rest)?;
        let text = self.text(&name).to_owned();
        let (mut absolute, mut overlaid) = (false, false);
        for flag in rest[1..].iter().filter(|t| t.kind != Kind::Comma) {
            match self.text(flag).to_ascii_lowercase().as_str() {
                "(" | ")" | "rel" | "con" | "nopag" | "pag" | "cseg" | "dseg" => {}
                "abs" => absolute = true,
                "ovr" => overlaid = true,
                other => {
                    let message = format!("`{other}` says nothing of an area");
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(flag.span);
                    return Err(Box::new(d.help("there are ABS, REL, OVR, CON, PAG, NOPAG")));
                }
            }
        }
        let i = self.sdas_area_named(&text)?;
        let area = &mut self.own.get_mut::<State>().areas[i];
        // What was said first holds.
        if area.parts.is_empty() {
            (area.absolute, area.overlaid) = (absolute, overlaid);
        }
        self.sdas_enter(i);
        Ok(())
    }

    /// `.globl a,b`.
    pub(super) fn sdas_global(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.one_name(t, rest)?;
        for (a, b) in split(rest) {
            let [name] = &rest[a as usize..b as usize] else {
                let d = Diagnostic::new(codes::SYNTAX, "expected names with commas between");
                return Err(Box::new(d.at(t.span)));
            };
            let id = self.sdas_intern(name)?;
            self.own.get_mut::<State>().global.insert(id);
        }
        Ok(())
    }

    /// `.org address`, in an area that is absolute.
    pub(super) fn sdas_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        let state = self.own.get::<State>();
        let area = &state.areas[state.area];
        if !area.absolute {
            let message = format!("the linker says where area `{}` is", area.name);
            let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
            return Err(Box::new(
                d.help("`.area NAME (ABS)` makes one with addresses of its own"),
            ));
        }
        if !(0..=0xffff).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no address"));
            return Err(Box::new(
                d.at(self.span_of(rest)).label("must be 0 to 65,535"),
            ));
        }
        self.sdas_chunk(Some(n as u64));
        Ok(())
    }

    /// `.ds count`: room without bytes.
    pub(super) fn sdas_room(&mut self, t: &Tok, rest: &[Tok], each: u8) -> Outcome<()> {
        let n = self.known_here(t, rest, "the count")?;
        let n = n.saturating_mul(each.into());
        self.check_count(n, self.span_of(rest))?;
        self.sdas_skip(n as usize, Class::Space);
        Ok(())
    }

    /// Room: a chunk without bytes, and the next one.
    fn sdas_skip(&mut self, n: usize, class: Class) {
        if n == 0 {
            return;
        }
        let behind = |a: &Self| a.here_value.map(|v| v as u64);
        if self.program.chunks[self.chunk as usize].size > 0 {
            self.sdas_chunk(behind(self));
        }
        self.program.chunks[self.chunk as usize].stored = Stored::Nowhere;
        self.emit_fill(n, 0, class);
        self.mark_here();
        self.sdas_chunk(behind(self));
    }

    /// `.even`, `.odd`, `.bndry multiple`, counted from the start of the part.
    pub(super) fn sdas_align(&mut self, t: &Tok, rest: &[Tok], of: Option<u8>) -> Outcome<()> {
        let (to, wanted) = match of {
            Some(wanted) => (2, i64::from(wanted)),
            None => {
                let n = self.known_here(t, rest, "the multiple")?;
                if !(1..=0x4000).contains(&n) {
                    let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
                    let d = d.at(self.span_of(rest)).label("must be 1 to 16,384");
                    return Err(Box::new(d));
                }
                (n, 0)
            }
        };
        let here = match self.here_value {
            Some(n) => n,
            None => {
                let state = self.own.get::<State>();
                let before = state.areas[state.area].before;
                before + i64::from(self.program.chunks[self.chunk as usize].size)
            }
        };
        let gap = (wanted - here).rem_euclid(to);
        self.sdas_skip(gap as usize, Class::Padding);
        Ok(())
    }

    /// Joins the files.
    pub(super) fn sdas_link(&mut self) {
        for chunk in &mut self.program.chunks {
            chunk.behind = None;
        }
        let globals = self.sdas_globals();
        let units = std::mem::take(&mut self.own.get_mut::<State>().units);
        for (name, &id) in units.iter().flatten() {
            let Some(&global) = globals.get(name).filter(|g| **g != id) else {
                continue;
            };
            let s = self.symbols.get_mut(id);
            if s.meaning == Meaning::Undefined {
                s.outer = Some(global);
            }
        }
        let mut wanted: FxHashMap<Arc<str>, Vec<SymbolId>> = FxHashMap::default();
        for (name, &id) in units.iter().flatten() {
            let s = self.symbols.get(id);
            if s.meaning == Meaning::Undefined && s.outer.is_none() {
                wanted.entry(name.clone()).or_default().push(id);
            }
        }
        for (name, value) in std::mem::take(&mut self.own.get_mut::<State>().given) {
            for id in wanted.remove(&*name).unwrap_or_default() {
                self.symbols.get_mut(id).meaning = Meaning::Number(value);
            }
        }
        let plan = self.sdas_plan(&mut wanted);
        self.asked.plan = Some(plan);
    }

    /// Symbols that files show each other, by name.
    fn sdas_globals(&mut self) -> FxHashMap<Arc<str>, SymbolId> {
        let mut globals: FxHashMap<Arc<str>, SymbolId> = FxHashMap::default();
        let units = std::mem::take(&mut self.own.get_mut::<State>().units);
        for unit in &units {
            let mut names: Vec<(&Arc<str>, SymbolId)> = unit.iter().map(|(n, i)| (n, *i)).collect();
            names.sort_unstable_by_key(|n| n.1);
            for (name, id) in names {
                let shown = self.own.get::<State>().global.contains(&id);
                if !shown || self.symbols.get(id).meaning == Meaning::Undefined {
                    continue;
                }
                let Some(&first) = globals.get(name) else {
                    globals.insert(name.clone(), id);
                    continue;
                };
                let message = format!("`{name}` is defined in two files");
                let mut d = Diagnostic::new(codes::REDEFINED, message);
                d.span = self.symbols.get(id).span;
                if let Some(at) = self.symbols.get(first).span {
                    d = d.related(at, "first defined here");
                }
                self.report_in(d, NONE);
            }
        }
        self.own.get_mut::<State>().units = units;
        globals
    }

    /// Areas behind each other as they come, those with addresses of their own at these.
    fn sdas_plan(&mut self, wanted: &mut FxHashMap<Arc<str>, Vec<SymbolId>>) -> Plan {
        let areas = std::mem::take(&mut self.own.get_mut::<State>().areas);
        let addresses = std::mem::take(&mut self.own.get_mut::<State>().addresses);
        let mut groups: Vec<Group> = Vec::new();
        let mut fixed: Vec<Group> = Vec::new();
        for area in &areas {
            let said = addresses.iter().find(|a| a.0 == area.name).map(|a| a.1);
            let chunks = area.parts.iter().flatten();
            if area.absolute {
                let mut at = 0;
                for &c in chunks {
                    at = self.program.chunks[c as usize].base.unwrap_or(at);
                    fixed.push(row(Start::At(at), vec![c]));
                    at += u64::from(self.program.chunks[c as usize].size);
                }
                continue;
            }
            let start = match (said, groups.is_empty()) {
                (Some(a), _) => Start::At(a),
                (None, true) => Start::At(0),
                (None, false) => Start::Behind,
            };
            let first = self.sdas_mark(area.section);
            let mut group = row(start, vec![first.0]);
            match area.overlaid {
                false => group.chunks.extend(chunks.copied()),
                true => group
                    .chunks
                    .extend(area.parts.first().into_iter().flatten()),
            }
            groups.push(group);
            let others = area.parts.iter().skip(1).filter(|_| area.overlaid);
            groups.extend(others.map(|p| row(Start::Over, p.clone())));
            let last = self.sdas_mark(area.section);
            groups.push(row(Start::Behind, vec![last.0]));
            self.sdas_bounds(&area.name, first.1, last.1, wanted);
        }
        groups.append(&mut fixed);
        Plan {
            groups,
            dropped: Vec::new(),
        }
    }

    /// A chunk without bytes, and the place that it is at.
    fn sdas_mark(&mut self, section: u32) -> (u32, Op) {
        self.section = section;
        self.open_chunk(None, 1);
        self.program.chunks[self.chunk as usize].origin = 0;
        (self.chunk, Op::Place(self.here))
    }

    /// `s_NAME` and `l_NAME`: where an area starts, and its bytes.
    fn sdas_bounds(
        &mut self,
        name: &str,
        first: Op,
        last: Op,
        wanted: &mut FxHashMap<Arc<str>, Vec<SymbolId>>,
    ) {
        let start = wanted.remove(format!("s_{name}").as_str());
        let length = wanted.remove(format!("l_{name}").as_str());
        if start.is_none() && length.is_none() {
            return;
        }
        let from = self.ops.len() as u32;
        self.ops.extend([last, first, Op::Binary(Binary::Sub)]);
        self.ops.push(first);
        let value = |start, len| Meaning::Expr(ExprId { start, len });
        for id in start.into_iter().flatten() {
            self.symbols.number(id);
            self.symbols.get_mut(id).meaning = value(from + 3, 1);
        }
        for id in length.into_iter().flatten() {
            self.symbols.number(id);
            self.symbols.get_mut(id).meaning = value(from, 3);
        }
    }
}

fn row(start: Start, chunks: Vec<u32>) -> Group {
    Group {
        start,
        chunks,
        stored: false,
    }
}
