//! Where bytes go: `ORG`, `DISP`, `MAP`, `SIZE`.

use super::sjasm::state::Map;
use super::state::{Displaced, Origin, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::plan::Stored;
use crate::program::symbol::Meaning;
use crate::program::{Needed, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

impl Assembler<'_> {
    fn sj_address(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<i64> {
        let end = split(rest).first().map_or(0, |p| p.1 as usize);
        if end == 0 {
            let d = Diagnostic::new(codes::SYNTAX, "expected an address").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(&rest[..end])?;
        let span = self.span_of(&rest[..end]);
        let n = self.must_know(v, span, "the address")?;
        if !(0..0x10000).contains(&n) {
            self.cut(&format!("the address {n}"), n & 0xffff, span);
        }
        Ok(n & 0xffff)
    }

    /// Goes on at an address, behind what was written before.
    pub(super) fn sj_go(&mut self, address: i64) {
        self.open_chunk(Some(address as u64), 1);
        let window = self.sj_window();
        self.program.chunks[self.chunk as usize].window = window;
    }

    /// `org address, page`.
    pub(super) fn sj_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.sj_address(t, rest)?;
        self.sj_note_origin(n);
        self.sj_go(n);
        let Some((page, span)) = self.sj_page_behind(rest)? else {
            return Ok(());
        };
        self.sj_put_page(page, span)
    }

    /// Notes the address of an `org`.
    fn sj_note_origin(&mut self, n: i64) {
        self.sjasm_note_origin(n);
        let first = self.again.runs == 0 && self.dialect.name == "sjasm";
        let written = self.chunks[self.chunk as usize].size > 0;
        let origin = &mut self.own.get_mut::<State>().origin;
        if first && !origin.met {
            origin.asked |= written;
            origin.first = Some(n);
        }
        origin.met = true;
    }

    /// Whether the next run begins elsewhere.
    pub(super) fn sj_begins_elsewhere(&self) -> bool {
        let origin = self.own.get::<State>().origin;
        self.again.runs == 0 && origin.asked && origin.first.is_some_and(|n| n != 0)
    }

    /// Begins where the run before said.
    pub(super) fn sj_begin_at(&mut self, before: Origin) {
        if let Some(n) = before.first.filter(|_| before.asked) {
            self.sj_go(n);
            let origin = &mut self.own.get_mut::<State>().origin;
            (origin.first, origin.asked) = (before.first, true);
        }
    }

    /// The page behind an address, in a device.
    fn sj_page_behind(&mut self, rest: &[Tok]) -> Outcome<Option<(i64, Span)>> {
        let parts = split(rest);
        let Some(&(a, b)) = parts.get(1).filter(|_| self.sj_device_name().is_some()) else {
            return Ok(None);
        };
        let part = &rest[a as usize..b as usize];
        let (v, span) = (self.whole_expression(part)?, self.span_of(part));
        self.must_know(v, span, "the page").map(|n| Some((n, span)))
    }

    /// Bytes written since a chunk was opened.
    fn sj_written_since(&self, chunk: u32) -> i64 {
        let all = &self.chunks[chunk as usize..];
        all.iter().map(|c| i64::from(c.size)).sum()
    }

    /// The address that the next byte is stored at, where that is not where it runs.
    pub(super) fn sj_stored_here(&self) -> Option<i64> {
        let d = self.own.get::<State>().displaced?;
        Some((d.stored + self.sj_written_since(d.chunk)) & 0xffff)
    }

    /// `disp address`: what follows runs there, and is stored where it would be.
    pub(super) fn sj_displace(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().displaced.is_some() {
            let message = "this `disp` is in another and is ignored";
            let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
            self.report(Box::new(d));
            return Ok(());
        }
        let n = self.sj_address(t, rest)?;
        let page = self.sj_page_behind(rest)?.map(|p| p.0);
        let stored = self.here_value.unwrap_or(0);
        self.sj_go(n);
        let chunk = self.chunk;
        self.own.get_mut::<State>().devices.displaced = page;
        let moved = self.own.get::<State>().relocation.is_open();
        self.own.get_mut::<State>().displaced = Some(Displaced {
            stored,
            chunk,
            moved,
        });
        Ok(())
    }

    /// `ent`: back to where bytes are stored.
    pub(super) fn sj_end_displace(&mut self, t: &Tok) -> Outcome<()> {
        let Some(d) = self.own.get::<State>().displaced else {
            return self.stray(t, "a `disp`");
        };
        if d.moved != self.own.get::<State>().relocation.is_open() {
            let message = "a block of relocation begins or ends between `disp` and `ent`";
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, message).at(t.span),
            ));
        }
        if d.moved {
            self.sj_note_displaced(d.chunk);
        }
        let mut at = d.stored;
        for c in &mut self.program.chunks[d.chunk as usize..] {
            c.stored = Stored::At(at as u64 & 0xffff);
            at += i64::from(c.size);
        }
        self.own.get_mut::<State>().displaced = None;
        self.own.get_mut::<State>().devices.displaced = None;
        self.sj_go(at & 0xffff);
        Ok(())
    }

    /// `map address`: where the next `name # size` is.
    pub(super) fn sj_map(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let before = self.chosen.needed();
        let n = self.sj_address(t, rest)?;
        let from = self.chosen.follows(before);
        let state = self.own.get_mut::<State>();
        let from = from.map(|value| (value, n));
        let outer = std::mem::replace(&mut state.map, Map { at: n, from });
        state.texts.maps.push(outer);
        Ok(())
    }

    /// `mapalign n`.
    pub(super) fn sjasm_map_align(&mut self, rest: &[Tok]) -> Outcome<()> {
        let mut to = 4;
        if !rest.is_empty() {
            let v = self.whole_expression(rest)?;
            to = self
                .must_know(v, self.span_of(rest), "the alignment")?
                .max(1);
        }
        let map = &mut self.own.get_mut::<State>().map;
        map.at += (to - map.at % to) % to;
        // From now on it is a number.
        if let Some((value, n)) = map.from.take() {
            let span = self.statement;
            let value = Value::Known(n, value);
            self.chosen.decide(value, n, span, Needed::Number);
        }
        Ok(())
    }

    /// `endmap`: the place that `map` put aside.
    pub(super) fn sjasm_end_map(&mut self, t: &Tok) -> Outcome<()> {
        let state = self.own.get_mut::<State>();
        match state.texts.maps.pop() {
            Some(n) => state.map = n,
            None => return self.stray(t, "a `map`"),
        }
        Ok(())
    }

    /// `name # size`: a place in the map.
    pub(super) fn sj_mapped(&mut self, name: &str, span: Span, toks: &[Tok]) -> Outcome<()> {
        let hash = toks[0];
        // `#29` looks like a hexadecimal number, but the value is what stands behind the sign.
        let glued = hash.span.end - hash.span.start > 1;
        let mut size = toks[1..].to_vec();
        if glued {
            self.memo.not_again();
            let text = self.written(toks);
            size = self.made_line(text.strip_prefix('#').unwrap_or(&text))?;
        }
        let n = match &size[..] {
            [] => i64::from(self.dialect.name != "sjasm"),
            _ => {
                let v = self.whole_expression(&size)?;
                self.must_know(v, self.span_of(&toks[..1]), "the size")?
            }
        };
        let Map { at, from } = self.own.get::<State>().map;
        let (id, local) = self.sj_defined(name, span, true)?;
        self.define(id, Meaning::Number(at), span, false)?;
        let formula = from.map(|(e, first)| self.behind(e, at - first));
        let s = self.symbols.get_mut(id);
        s.local |= local;
        s.formula = formula;
        self.own.get_mut::<State>().map.at = (at + n) & 0xffff;
        Ok(())
    }

    /// `size bytes`: the next file of `output` that is closed is filled up to that.
    pub(super) fn sj_size(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a size").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(rest)?;
        let span = self.span_of(rest);
        let n = self.must_know(v, span, "the size")?;
        self.check_count(n, span)?;
        if self.sjasm_size(n) {
            return Ok(());
        }
        let sjasm = self.dialect.name == "sjasm";
        let size = &mut self.own.get_mut::<State>().requests.size;
        if sjasm {
            // The last one counts, for the whole output.
            *size = None;
        }
        let &mut (before, at) = size.get_or_insert((n, span));
        if before != n {
            let message = format!("the size is {n} here and {before} before");
            let d = Diagnostic::new(codes::REDEFINED, message).at(span);
            return Err(Box::new(d.related(at, "it is said here first")));
        }
        Ok(())
    }

    /// Bytes written so far.
    pub(super) fn sj_written(&self) -> i64 {
        self.sj_written_since(0)
    }

    /// Fills a file that is closed up to the size that the source says.
    pub(super) fn sj_fill(&mut self, opened: i64) {
        let Some((size, span)) = self.own.get_mut::<State>().requests.size.take() else {
            return;
        };
        let missing = size - (self.sj_written() - opened);
        if missing < 0 {
            let message = format!("the file has {} bytes more than its `size`", -missing);
            let d = Diagnostic::new(codes::TOO_MUCH, message).at(span);
            return self.report(Box::new(d));
        }
        // What follows is where it would be without.
        self.mark_here();
        let next = self.here_value;
        self.emit_fill(missing as usize, 0, Class::Space);
        if let Some(next) = next {
            self.sj_go(next);
        }
        self.mark_here();
    }

    /// Whether a token is a word of that text, in any case.
    pub(super) fn sj_is(&self, t: &Tok, word: &str) -> bool {
        t.kind == Kind::Name && self.text(t).eq_ignore_ascii_case(word)
    }
}
