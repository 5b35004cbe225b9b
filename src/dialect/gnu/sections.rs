//! Sections and subsections of a file.

use super::state::{Flags, Part, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};

/// Sections that are of memory without being told, by the start of their names.
const KNOWN: &[(&str, Flags)] = &[
    (".text", CODE),
    (".init", CODE),
    (".fini", CODE),
    (".data", DATA),
    (".bss", DATA),
    (".rodata", READ),
    (".ctors", DATA),
    (".dtors", DATA),
];

const CODE: Flags = Flags {
    alloc: true,
    write: false,
    code: true,
    room: false,
    item: 0,
    texts: false,
};
const DATA: Flags = Flags {
    alloc: true,
    write: true,
    code: false,
    room: false,
    item: 0,
    texts: false,
};
const READ: Flags = Flags {
    alloc: true,
    write: false,
    code: false,
    room: false,
    item: 0,
    texts: false,
};

impl Assembler<'_> {
    /// Starts a file: everything that is a file's own is new.
    pub fn gnu_start(&mut self) {
        self.own.get_mut::<State>().open.clear();
        self.own.get_mut::<State>().first.clear();
        self.own.get_mut::<State>().previous = None;
        self.own.get_mut::<State>().stack.clear();
        self.own.get_mut::<State>().labels = Default::default();
        self.own.get_mut::<State>().macros.list.clear();
        self.own.get_mut::<State>().macros.alternate = false;
        self.naming.structure = None;
        let text = self.open_known(".text");
        self.enter((text, 0));
        self.own.get_mut::<State>().previous = None;
    }

    fn open_known(&mut self, name: &str) -> u32 {
        let id = self.open_section(name, None);
        self.own
            .get_mut::<State>()
            .flags
            .entry(id)
            .or_insert_with(|| {
                let with = |n: &str| {
                    let more = name.strip_prefix(n);
                    more.is_some_and(|m| m.is_empty() || m.starts_with('.'))
                };
                let known = KNOWN.iter().find(|k| with(k.0));
                known.map_or_else(Flags::default, |k| k.1)
            });
        id
    }

    /// Goes to a section and subsection.
    fn enter(&mut self, to: (u32, i64)) {
        self.naming.structure = None;
        if let Some(&part) = self.own.get::<State>().open.get(&to) {
            self.own.get_mut::<State>().part = part;
            let p = self.own.get::<State>().parts[part];
            self.section = p.section;
            self.chunk = p.chunk;
            self.sections[p.section as usize].chunk = p.chunk;
            self.mark_here();
            return;
        }
        self.section = to.0;
        self.open_chunk(None, 1);
        // Values are linear addresses, as in all tools of this family.
        self.program.chunks[self.chunk as usize].origin = 0;
        let state = self.own.get_mut::<State>();
        state.parts.push(Part {
            chunk: self.chunk,
            section: to.0,
            unit: state.unit,
            sub: to.1,
            align: 1,
        });
        state.part = state.parts.len() - 1;
        state.open.insert(to, state.part);
        let first = state.first.entry(to.0).or_insert(state.part);
        if state.parts[*first].sub > to.1 {
            *first = state.part;
        }
    }

    /// Makes sections that only other tools read: the linker counts them.
    pub(super) fn gnu_make(&mut self, names: &[&str]) {
        let (here, previous) = (self.in_force(), self.own.get::<State>().previous);
        let structure = self.naming.structure.take();
        for name in names {
            let id = self.open_known(name);
            if self.own.get::<State>().open.contains_key(&(id, 0)) {
                break;
            }
            self.enter((id, 0));
        }
        self.gnu_return(here, previous);
        self.naming.structure = structure;
    }

    /// Goes back to a section as if it had never been left.
    pub(super) fn gnu_return(&mut self, to: (u32, i64), previous: Option<(u32, i64)>) {
        self.enter(to);
        self.own.get_mut::<State>().previous = previous;
    }

    fn in_force(&self) -> (u32, i64) {
        let state = self.own.get::<State>();
        let p = state.parts[state.part];
        (p.section, p.sub)
    }

    /// Goes to a section and remembers the one before.
    fn go(&mut self, to: (u32, i64)) {
        self.own.get_mut::<State>().previous = Some(self.in_force());
        self.enter(to);
    }

    /// `.text`, `.data 1`.
    pub(super) fn gnu_named(&mut self, name: &str, rest: &[Tok]) -> Outcome<()> {
        let sub = self.gnu_number_or(rest, 0, "the subsection")?;
        let id = self.open_known(name);
        self.go((id, sub));
        Ok(())
    }

    /// `.section name, "flags", @type`.
    pub(super) fn gnu_section(&mut self, t: &Tok, rest: &[Tok], push: bool) -> Outcome<()> {
        let end = rest.iter().position(|t| t.kind == Kind::Comma);
        let (name_toks, more) = rest.split_at(end.unwrap_or(rest.len()));
        if name_toks.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected the name of a section").at(t.span);
            return Err(Box::new(d));
        }
        let name = match name_toks {
            [one] if one.kind == Kind::Double => {
                String::from_utf8_lossy(&self.gnu_text(one)).into_owned()
            }
            // A name may have signs in it: `.progmem.data-1`.
            _ => self.sources.slice(self.span_of(name_toks)).to_string(),
        };
        let mut flags = None;
        let mut sub = 0;
        match more {
            [_, f, ..] if f.kind == Kind::Double => {
                let text = self.sources.slice(f.span);
                flags = Some(Flags {
                    alloc: text.contains('a'),
                    write: text.contains('w'),
                    code: text.contains('x'),
                    item: match more.last() {
                        Some(n) if text.contains('M') && n.kind == Kind::Number => {
                            self.text(n).parse().unwrap_or(0)
                        }
                        _ => 0,
                    },
                    texts: text.contains('S'),
                    room: more.last().is_some_and(|t| self.text(t) == "nobits"),
                });
            }
            [_, number @ ..] if !number.is_empty() && number[0].kind == Kind::Number => {
                sub = self.gnu_number_or(number, 0, "the subsection")?;
            }
            _ => {}
        }
        let id = self.open_known(&name);
        if self.sections[id as usize].span.is_none() {
            self.sections[id as usize].span = Some(self.span_of(name_toks));
        }
        if let Some(f) = flags {
            let old = self.own.get_mut::<State>().flags.entry(id).or_default();
            // What a name says by itself, or an earlier line said, stays.
            old.alloc |= f.alloc;
            old.write |= f.write;
            old.code |= f.code;
            old.room |= f.room;
            old.item = f.item;
            old.texts = f.texts;
        }
        if push {
            let before = (self.in_force(), self.own.get::<State>().previous);
            self.own.get_mut::<State>().stack.push(before);
            if self.own.get::<State>().stack.len() > crate::read::expand::MAX_NESTING {
                let d = Diagnostic::new(codes::TOO_DEEP, "sections are pushed too often");
                self.stop(Box::new(d.at(t.span)));
            }
        }
        self.go((id, sub));
        Ok(())
    }

    pub(super) fn gnu_pop(&mut self, t: &Tok) -> Outcome<()> {
        match self.own.get_mut::<State>().stack.pop() {
            Some((to, previous)) => {
                self.gnu_return(to, previous);
                Ok(())
            }
            None => self.stray(t, "a pushed section"),
        }
    }

    pub(super) fn gnu_previous(&mut self, t: &Tok) -> Outcome<()> {
        match self.own.get::<State>().previous {
            Some(to) => {
                self.go(to);
                Ok(())
            }
            None => {
                let d = Diagnostic::new(codes::MISPLACED, "there is no section before this one");
                Err(Box::new(d.at(t.span)))
            }
        }
    }

    pub(super) fn gnu_subsection(&mut self, rest: &[Tok]) -> Outcome<()> {
        let sub = self.gnu_number_or(rest, 0, "the subsection")?;
        let (section, _) = self.in_force();
        self.go((section, sub));
        Ok(())
    }
}
