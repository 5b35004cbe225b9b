//! Where bytes go: `org`, `nocode`, `align`, `confine`, `limit`, `protect`.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::program::plan::Stored;
use crate::read::Assembler;
use crate::read::syntax::literal::{inside, is_quoted};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// The address that the next byte is stored at.
    pub(super) fn rasm_stored(&self) -> i64 {
        let places = &self.own.get::<State>().places;
        match places.stored {
            None => self.here_value.unwrap_or(0) + i64::from(places.item),
            Some(at) => {
                let all = &self.chunks[places.first as usize..];
                let before: i64 = all.iter().map(|c| i64::from(c.size)).sum();
                at + before + i64::from(self.here.plus + places.item)
            }
        }
    }

    /// Ends the piece in force.
    pub(super) fn rasm_close(&mut self) {
        let window = self.rasm_window();
        let places = &self.own.get::<State>().places;
        let (first, silent, stored) = (places.first as usize, places.silent, places.stored);
        let mut at = stored.unwrap_or(0);
        for c in &mut self.program.chunks[first..] {
            (c.window, c.page) = (window, window);
            if silent {
                c.stored = Stored::Nowhere;
            } else if stored.is_some() {
                c.stored = Stored::At(at as u64 & 0xffff);
            }
            at += i64::from(c.size);
        }
    }

    /// Begins a piece at an address, stored at another.
    pub(super) fn rasm_go(&mut self, address: i64, stored: i64, silent: bool) {
        self.rasm_close();
        self.open_chunk(Some(address as u64), 1);
        let first = self.chunk;
        let places = &mut self.own.get_mut::<State>().places;
        places.first = first;
        places.silent = silent;
        places.stored = (stored != address).then_some(stored);
    }

    pub(super) fn rasm_not_in_struct(&self, t: &Tok) -> Outcome<()> {
        if self.own.get::<State>().structure.is_none() {
            return Ok(());
        }
        let message = format!("`{}` cannot stand in a struct", self.text(t));
        let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
        Err(Box::new(d))
    }

    /// An address of `org`.
    fn rasm_address(&mut self, t: &Tok, toks: &[Tok]) -> Outcome<i64> {
        let stored = self.rasm_stored();
        self.own.get_mut::<State>().places.in_org = Some(stored);
        let n = self.known_here(t, toks, "the address");
        self.own.get_mut::<State>().places.in_org = None;
        let n = n?;
        if !(0..=0xffff).contains(&n) {
            let message = format!("the address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(self.span_of(toks));
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        Ok(n)
    }

    /// `org address`, `org address,place`.
    pub(super) fn rasm_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.rasm_not_in_struct(t)?;
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k).copied().unwrap_or((0, 0));
            &rest[p.0 as usize..p.1 as usize]
        };
        let address = self.rasm_address(t, part(0))?;
        let stored = match parts.len() {
            0 | 1 => address,
            2 => self.rasm_address(t, part(1))?,
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected an address and a place");
                return Err(Box::new(d.at(self.span_of(part(2)))));
            }
        };
        let silent = self.own.get::<State>().places.silent;
        self.rasm_go(address, stored, silent);
        Ok(())
    }

    /// `nocode`: addresses go on, and nothing is written.
    pub(super) fn rasm_no_code(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.rasm_not_in_struct(t)?;
        self.rasm_nothing_behind(t, rest)?;
        let (address, stored) = (self.here_value.unwrap_or(0), self.rasm_stored());
        self.own.get_mut::<State>().places.before = Some((address, stored));
        self.rasm_go(address, stored, true);
        Ok(())
    }

    /// `code`, `code skip`: back to where `nocode` was.
    pub(super) fn rasm_code(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.rasm_not_in_struct(t)?;
        let skip = match rest {
            [w] if self.text(w).eq_ignore_ascii_case("skip") => true,
            _ => {
                self.rasm_nothing_behind(t, rest)?;
                false
            }
        };
        let now = (self.here_value.unwrap_or(0), self.rasm_stored());
        let before = self.own.get::<State>().places.before.unwrap_or(now);
        let (address, stored) = if skip { before } else { now };
        self.rasm_go(address, stored, false);
        Ok(())
    }

    pub(super) fn rasm_nothing_behind(&self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match rest.first() {
            None => Ok(()),
            Some(r) => {
                let message = format!("`{}` takes nothing behind it", self.text(t));
                Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(r.span)))
            }
        }
    }

    /// Lets what follows lie over other bytes, or not.
    pub(super) fn rasm_over(&mut self, over: bool) {
        self.chosen.overlap = over;
        let (address, stored) = (self.here_value.unwrap_or(0), self.rasm_stored());
        let silent = self.own.get::<State>().places.silent;
        self.mark_here();
        self.rasm_go(address, stored, silent);
    }

    /// `align n`, `align n,fill`.
    pub(super) fn rasm_align(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.align(t, rest)
    }

    /// `confine size,fill`: to the next page where so many bytes do not fit into this one.
    pub(super) fn rasm_confine(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let (mut size, mut fill) = (0, 0);
        for (k, (a, b)) in parts.iter().copied().enumerate() {
            let part = &rest[a as usize..b as usize];
            let word = match part {
                [w] if w.kind == Kind::Name => self.text(w),
                _ => "",
            };
            if k > 0
                && ["enforce", "warning"]
                    .iter()
                    .any(|o| o.eq_ignore_ascii_case(word))
            {
                continue;
            }
            let n = self.known_here(t, part, "the size")?;
            *(if k == 0 { &mut size } else { &mut fill }) = n;
        }
        if !(2..=256).contains(&size) || !(0..256).contains(&fill) {
            let d = Diagnostic::new(
                codes::OUT_OF_RANGE,
                "expected a size and a byte to fill with",
            );
            let d = d
                .at(self.span_of(rest))
                .label("must be 2 to 256, and 0 to 255");
            return Err(Box::new(d));
        }
        let here = self.here_value.unwrap_or(0);
        if (here & 0xff) + size > 256 {
            self.emit_fill((256 - (here & 0xff)) as usize, fill as u8, Class::Space);
        }
        Ok(())
    }

    /// `limit address`: bytes lie below it.
    pub(super) fn rasm_limit(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let end = split(rest).first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the address")?;
        if !(1..=0x10000).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no limit"));
            let d = d.at(self.span_of(rest)).label("must be 1 to 65536");
            return Err(Box::new(d));
        }
        let span = self.statement;
        self.own.get_mut::<State>().places.limit = Some((n, span));
        Ok(())
    }

    /// `protect from,to`.
    pub(super) fn rasm_protect(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let [a, b] = parts[..] else {
            let d = Diagnostic::new(codes::SYNTAX, "expected the first and the last address");
            return Err(Box::new(d.at(t.span)));
        };
        let from = self.known_here(t, &rest[a.0 as usize..a.1 as usize], "the address")?;
        let to = self.known_here(t, &rest[b.0 as usize..b.1 as usize], "the address")?;
        let span = self.statement;
        let protected = &mut self.own.get_mut::<State>().places.protected;
        if protected.len() < 1000 {
            protected.push((from, to, span));
        }
        Ok(())
    }

    /// Behind the last line.
    pub(super) fn rasm_end(&mut self) {
        self.mark_here();
        self.rasm_close();
        self.rasm_check_places();
        if let Some(s) = &self.own.get::<State>().structure {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this struct has no `endstruct`");
            let d = d.at(s.span);
            self.naming.structure = None;
            self.report(Box::new(d));
        }
        self.rasm_all_memories();
        self.rasm_requests();
    }

    /// What lies where nothing may.
    fn rasm_check_places(&mut self) {
        let places = &self.own.get::<State>().places;
        let limit = places.limit;
        let mut taken = places.protected.clone();
        if let Some((n, span)) = limit {
            taken.push((n, 0x10000, span));
        }
        for (from, to, span) in taken {
            let over = self.chunks.iter().find(|c| {
                let at = match c.stored {
                    Stored::Here => c.base,
                    Stored::At(at) => Some(at),
                    _ => None,
                };
                let at = at.map_or(0x10001, |at| at as i64);
                let end = at + i64::from(c.size);
                c.size > 0 && at < to && end > from
            });
            let Some(item) = over.and_then(|c| c.items.last()) else {
                continue;
            };
            let message = format!("bytes lie between ${from:04X} and ${to:04X}");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(item.span);
            let d = d.related(span, "where nothing may lie");
            self.report(Box::new(d));
        }
    }

    /// `run address`.
    pub(super) fn rasm_run(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let end = split(rest).first().map_or(0, |p| p.1 as usize);
        if end == 0 {
            let d = Diagnostic::new(codes::SYNTAX, "expected an address").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(&rest[..end])?;
        self.asked.entry = Some((v, self.span_of(&rest[..end])));
        Ok(())
    }

    /// `assert condition,"text"`.
    pub(super) fn rasm_assert(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let text = parts
            .get(1)
            .filter(|p| p.1 == p.0 + 1 && is_quoted(&rest[p.0 as usize]));
        let end = text.or(parts.first()).map_or(0, |p| p.1 as usize);
        self.assert(t, &rest[..end])
    }

    /// `print "text",value`.
    pub(super) fn rasm_print(&mut self, rest: &[Tok]) -> Outcome<()> {
        let parts = self.rasm_message(rest)?;
        let (span, expansion) = (self.statement, self.expansion);
        self.program.asked.later.push(crate::program::Later {
            condition: None,
            parts,
            span,
            expansion,
        });
        Ok(())
    }

    fn rasm_message(&mut self, rest: &[Tok]) -> Outcome<Vec<crate::program::Part>> {
        use crate::program::Part;
        let mut parts = Vec::new();
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            match part {
                [] => {}
                [t] if is_quoted(t) => {
                    let text = self.text(t);
                    let text = inside(text).to_owned();
                    let filled = self.rasm_fill_tags(&text, true, 0)?;
                    parts.push(Part::Text(filled.unwrap_or(text)));
                }
                // How numbers are shown.
                [open, _, close, value @ ..]
                    if open.kind == Kind::CurlyOpen && close.kind == Kind::CurlyClose =>
                {
                    parts.push(Part::Value(self.whole_expression(value)?));
                }
                _ => parts.push(Part::Value(self.whole_expression(part)?)),
            }
        }
        Ok(parts)
    }

    /// `fail "text"`: nothing is read behind it.
    pub(super) fn rasm_fail(&mut self, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let d = Diagnostic::new(codes::USER_ERROR, text).at(self.statement);
        self.lines.conditions.clear();
        self.end(&[])?;
        Err(Box::new(d))
    }
}
