//! Where bytes go: `org`, room, and sections that fill room.
//!
//! The output is the bytes in the order of the source, whatever their addresses; those of a
//! section stand where its room is.

use super::state::{FrameKind, Piece, Room, Section, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::item::Given;
use crate::program::plan::Stored;
use crate::program::symbol::Anchor;
use crate::program::symbol::Meaning;
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Room of so many bytes may be what a section fills; less is so only if one does.
const LARGE: i64 = 256;
/// Addresses end there.
const ADDRESSES: u64 = 1 << 31;

impl Assembler<'_> {
    /// Before the first line.
    pub(super) fn glass_start(&mut self) {
        // Bytes may have the address of others, and one beyond what a CPU sees.
        self.chosen.overlap = true;
        let chunk = self.chunk as usize;
        self.program.chunks[chunk].overlap = true;
        self.program.memory.space = ADDRESSES;
        if let Some(s) = self.program.memory.spaces.first_mut() {
            s.size = ADDRESSES;
        }
    }

    /// Goes on at an address.
    fn glass_chunk(&mut self, at: i64) {
        self.open_chunk(Some(at as u64), 1);
        let chunk = self.chunk;
        let places = &mut self.own.get_mut::<State>().places;
        let (list, nowhere) = (places.list, places.nowhere);
        places.lists[list].push(Piece::Chunk(chunk));
        if nowhere {
            self.program.chunks[chunk as usize].stored = Stored::Nowhere;
        }
    }

    /// `org address`.
    pub(super) fn glass_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        if !(0..ADDRESSES as i64).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no address"));
            return Err(Box::new(d.at(self.span_of(rest))));
        }
        self.glass_chunk(n);
        Ok(())
    }

    /// `ds count`, `ds count,value`, `ds virtual count`.
    pub(super) fn glass_room(&mut self, t: &Tok, rest: &[Tok], labels: &[Tok]) -> Outcome<()> {
        let (nowhere, rest) = match rest {
            [word, rest @ ..]
                if matches!(self.text(word), "virtual" | "VIRTUAL")
                    && rest.first().is_some_and(|r| r.kind != Kind::Comma) =>
            {
                (true, rest)
            }
            _ => (false, rest),
        };
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let (count, size) = self.counted_here(t, &rest[..end], "the count")?;
        let span = self.span_of(&rest[..end]);
        self.glass_count(size, span)?;
        let (fill, fill_span) = match parts.get(1) {
            Some(&(a, b)) if !nowhere && parts.len() == 2 => {
                let part = &rest[a as usize..b as usize];
                (self.whole_expression(part)?, self.span_of(part))
            }
            Some(_) => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the end of the line").at(span);
                return Err(Box::new(d));
            }
            None => (Value::Number(0), span),
        };
        let mut ids = Vec::with_capacity(labels.len());
        for l in labels {
            ids.push(self.label_symbol(l)?.0);
        }
        let places = &self.own.get::<State>().places;
        let wanted = |n: &Arc<str>| places.wanted.contains(n);
        let filled = !ids.is_empty()
            && (nowhere || size >= LARGE || ids.iter().any(|&i| wanted(&self.symbols.get(i).name)));
        let already = places.nowhere;
        if !filled && (already || !nowhere) {
            match fill.number() {
                Some(n) => {
                    let byte = self.item_bits(n, 1, fill_span)? as u8;
                    self.emit_room(count, size as usize, byte);
                }
                None => self.glass_fill_later(size, fill, fill_span),
            }
            return Ok(());
        }
        self.chosen.ends_at_number(span);
        let start = self.here_value.unwrap_or(0);
        if filled {
            let made = ids.iter().find_map(|i| places.named.get(i).copied());
            let room = match made {
                Some(room) => room,
                None => self.glass_new_room(start),
            };
            let name = self.symbols.get(ids[0]).name.clone();
            let places = &mut self.own.get_mut::<State>().places;
            let r = &mut places.rooms[room];
            let moved = made.is_some() && (r.start, r.nowhere) != (start, nowhere || already);
            (r.name, r.size, r.fill, r.span) = (name, size, (fill, fill_span), t.span);
            (r.met, r.nowhere, r.start) = (true, nowhere || already, start);
            let list = places.list;
            places.lists[list].push(Piece::Room(room));
            places.named.extend(ids.iter().map(|&i| (i, room)));
            self.own.get_mut::<State>().again |= moved;
        }
        self.glass_chunk(start + size);
        Ok(())
    }

    /// Room with a value from below in each byte.
    fn glass_fill_later(&mut self, size: i64, fill: Value, span: Span) {
        let here = self.here;
        for plus in 0..size as u32 {
            let place = Anchor { plus, ..here };
            self.fix(place, Field::Data(1), fill, span, Given::Open);
        }
        self.emit_data(&vec![0; size as usize], Class::Space);
    }

    fn glass_count(&mut self, n: i64, span: Span) -> Outcome<()> {
        let most = crate::program::MAX_IMAGE as i64;
        if !(0..=most).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no count of bytes"));
            return Err(Box::new(d.at(span)));
        }
        Ok(())
    }

    fn glass_new_room(&mut self, start: i64) -> usize {
        let span = self.statement;
        let places = &mut self.own.get_mut::<State>().places;
        places.lists.push(Vec::new());
        places.rooms.push(Room {
            name: "".into(),
            start,
            at: start,
            size: 0,
            fill: (Value::Number(0), span),
            nowhere: false,
            list: places.lists.len() - 1,
            met: false,
            span,
        });
        places.rooms.len() - 1
    }

    /// `section name`.
    pub(super) fn glass_section(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.one_name(t, rest)?;
        let id = self.glass_used(&name)?;
        let mut id = self.symbols.resolve(id);
        // A name for another.
        let full = self.symbols.get(id).name.clone();
        let alias = self.own.get::<State>().names.aliases.get(&full).cloned();
        if let Some((to, scope)) = alias {
            let other = self.glass_find(scope, &to);
            id = self.symbols.resolve(other);
        }
        let places = &self.own.get::<State>().places;
        let room = match places.named.get(&id) {
            Some(&room) => room,
            None => {
                let full = self.symbols.get(id).name.clone();
                let known = places.known.get(&full).copied();
                let room = self.glass_new_room(known.map_or(0, |k| k.0));
                let state = self.own.get_mut::<State>();
                state.again |= known.is_none() || !state.places.wanted.contains(&full);
                state.places.wanted.insert(full.clone());
                state.places.named.insert(id, room);
                let r = &mut state.places.rooms[room];
                (r.name, r.span) = (full, name.span);
                r.nowhere = known.is_some_and(|k| k.1);
                room
            }
        };
        let state = self.own.get_mut::<State>();
        let places = &mut state.places;
        let r = &places.rooms[room];
        let (at, list, nowhere) = (r.at, r.list, r.nowhere);
        let before = Section {
            room,
            chunk: 0,
            list: places.list,
            nowhere: places.nowhere,
        };
        (places.list, places.nowhere) = (list, nowhere);
        let before = Section {
            chunk: self.chunk,
            ..before
        };
        if self.own.get::<State>().frames.len() > 4 * crate::read::expand::MAX_NESTING {
            let d = Diagnostic::new(codes::TOO_DEEP, "blocks nest too deep").at(t.span);
            self.fatal = true;
            return Err(Box::new(d));
        }
        self.glass_push_frame(FrameKind::Section(before), t, None);
        self.glass_chunk(at);
        Ok(())
    }

    /// `ends`.
    pub(super) fn glass_end_section(&mut self, t: &Tok) -> Outcome<()> {
        let depth = self.lines.feeds.len();
        let state = self.own.get_mut::<State>();
        let open = state.frames.last();
        if !open.is_some_and(|f| matches!(f.kind, FrameKind::Section(_)) && f.depth <= depth) {
            return self.stray(t, "a `section`");
        }
        let frame = state.frames.pop();
        if let Some(FrameKind::Section(s)) = frame.map(|f| f.kind) {
            self.glass_leave_section(&s);
        }
        Ok(())
    }

    /// Goes on where a section was entered.
    pub(super) fn glass_leave_section(&mut self, s: &Section) {
        self.mark_here();
        let at = self.here_value.unwrap_or(0);
        let places = &mut self.own.get_mut::<State>().places;
        places.rooms[s.room].at = at;
        (places.list, places.nowhere) = (s.list, s.nowhere);
        let section = self.section as usize;
        self.chunk = s.chunk;
        self.program.sections[section].chunk = s.chunk;
        self.mark_here();
    }

    /// Whether another run knows more: a macro or text above its definition, room below the
    /// section that fills it.
    pub(super) fn glass_unsettled(&mut self) -> bool {
        let state = self.own.get::<State>();
        let missed = state.missed.iter().any(|w| {
            let last = w.rsplit_once('.').map_or(&**w, |p| p.1);
            let defined = |n: &Arc<str>| {
                let own = n.rsplit_once('.').map_or(&**n, |p| p.1);
                own == last && !state.known_macros.contains_key(n)
            };
            state.macros.keys().any(defined)
        });
        let known: FxHashMap<Arc<str>, (i64, bool)> = state
            .places
            .rooms
            .iter()
            .filter(|r| r.met)
            .map(|r| (r.name.clone(), (r.start, r.nowhere)))
            .collect();
        let small = state.places.rooms.iter().any(|r| !r.met);
        let state = self.own.get_mut::<State>();
        if small {
            // Room that is not large is one of a section only if it is known to be.
            let more: Vec<(Arc<str>, (i64, bool))> = {
                let unmet = state.places.rooms.iter().filter(|r| !r.met);
                let found = unmet.filter_map(|r| {
                    let id = self.program.symbols.defined(&r.name)?;
                    let s = self.program.symbols.get(id);
                    match s.meaning {
                        Meaning::Number(n) if s.label => Some((r.name.clone(), (n, false))),
                        _ => None,
                    }
                });
                found.collect()
            };
            state.places.known.extend(more);
        }
        state.places.known.extend(known);
        state.again || missed
    }

    /// The end of the program: pieces get their place in the output.
    pub(super) fn glass_output(&mut self) {
        let unmet: Vec<_> = {
            let rooms = self.own.get::<State>().places.rooms.iter();
            rooms
                .filter(|r| !r.met)
                .map(|r| (r.name.clone(), r.span))
                .collect()
        };
        for (name, span) in unmet {
            let message = format!("`{name}` is no room that a section can fill");
            let d = Diagnostic::new(codes::UNKNOWN_REGION, message).at(span);
            self.report(Box::new(d.help("`NAME: ds SIZE` makes one")));
        }
        let lists = std::mem::take(&mut self.own.get_mut::<State>().places.lists);
        let rooms = std::mem::take(&mut self.own.get_mut::<State>().places.rooms);
        let mut lists: Vec<Option<Vec<Piece>>> = lists.into_iter().map(Some).collect();
        let mut file = 0u64;
        // Lists that are under way: what is left of them, the room that each belongs to and
        // where it began.
        let first = lists.first_mut().and_then(Option::take).unwrap_or_default();
        let mut open = vec![(first.into_iter(), None::<usize>, 0u64)];
        while let Some((pieces, of, start)) = open.last_mut() {
            match pieces.next() {
                Some(Piece::Chunk(c)) => {
                    let chunk = &mut self.program.chunks[c as usize];
                    chunk.seek = Some(file);
                    file += u64::from(chunk.size);
                }
                Some(Piece::Room(r)) => {
                    if let Some(list) = lists[rooms[r].list].take() {
                        open.push((list.into_iter(), Some(r), file));
                    }
                }
                None => {
                    let (of, start) = (*of, *start);
                    open.pop();
                    if let Some(r) = of {
                        file = self.glass_filled_up(&rooms[r], start, file);
                    }
                }
            }
        }
    }

    /// Fills a room up behind its sections, and gives the place behind it in the output.
    fn glass_filled_up(&mut self, r: &Room, start: u64, end: u64) -> u64 {
        let used = end - start;
        let size = r.size as u64;
        if used > size {
            let message = format!(
                "the sections in `{}` have {used} bytes, {} more than it has room",
                r.name,
                used - size
            );
            let d = Diagnostic::new(codes::SECTION_FULL, message).at(r.span);
            self.report(Box::new(d));
        }
        if r.nowhere {
            return start;
        }
        let left = size.saturating_sub(used);
        if left > 0 {
            self.statement = r.span;
            self.open_chunk(Some(r.at as u64), 1);
            let chunk = self.chunk as usize;
            self.program.chunks[chunk].seek = Some(end);
            let (fill, span) = r.fill;
            let byte = self.must_know(fill, span, "the value");
            match byte.and_then(|n| self.item_bits(n, 1, span)) {
                Ok(n) => self.emit_fill(left as usize, n as u8, Class::Space),
                Err(d) => self.report(d),
            }
        }
        end + left
    }
}
