//! Where bytes go: `org`, room, `#target`, and segments, which grow side by side and are
//! laid behind each other at the end.

use super::{Segment, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// What `#target` takes, and whether the output is the segments as they are.
const TARGETS: &[(&str, bool)] = &[
    ("rom", true),
    ("bin", true),
    ("ram", true),
    ("sna", true),
    ("o", true),
    ("80", true),
    ("p", true),
    ("81", true),
    ("p81", true),
    ("tap", false),
    ("tape", false),
    ("tzx", false),
    ("z80", false),
    ("ace", false),
];

impl Assembler<'_> {
    /// The byte that room is filled with.
    fn zasm_fill(&self) -> u8 {
        let own = self.zasm_current().and_then(|s| s.fill);
        let rom = self.own.get::<State>().target.as_deref().unwrap_or("rom") == "rom";
        own.unwrap_or(if rom { 0xff } else { 0 })
    }

    /// `#target name`.
    pub(super) fn zasm_target(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.written(rest).to_ascii_lowercase();
        let span = rest.first().map_or(t.span, |r| r.span);
        let Some(&(_, plain)) = TARGETS.iter().find(|x| x.0 == name) else {
            let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("there is no target `{name}`"));
            let all: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
            let d = d.at(span).note(format!("there are {}", all.join(", ")));
            return Err(Box::new(d));
        };
        if self.own.get::<State>().target.is_some() {
            let d = Diagnostic::new(codes::REDEFINED, "there is a `#target` above").at(t.span);
            return Err(Box::new(d));
        }
        if !plain {
            let message = format!("the blocks of a {name} file are left out: segments only");
            let d = Diagnostic::new(codes::PEER_CODE, message).at(span);
            let d = d.help("`--emit` writes containers for machines");
            self.report(Box::new(d));
        }
        self.own.get_mut::<State>().target = Some(name);
        Ok(())
    }

    /// Bytes of a segment so far.
    fn zasm_size(&self, s: &Segment) -> i64 {
        if !s.code {
            return s.at - s.start;
        }
        let state = self.own.get::<State>();
        let mut all = state.ends.borrow_mut();
        let seen = all.entry(s.section).or_default();
        let place = |(at, end): (i64, i64), c: usize| {
            let at = state.moved.get(&(c as u32)).copied().unwrap_or(at);
            let behind = at + i64::from(self.chunks[c].size);
            (behind, end.max(behind))
        };
        // Of a segment only its last chunk grows.
        for c in seen.chunks..self.chunks.len() {
            if self.chunks[c].section == s.section
                && let Some(before) = seen.last.replace(c)
            {
                seen.done = place(seen.done, before);
            }
        }
        seen.chunks = self.chunks.len();
        seen.last.map_or(seen.done.1, |c| place(seen.done, c).1)
    }

    /// The chunks of a segment, and where each begins in it.
    fn zasm_places(&self, s: &Segment) -> Vec<(usize, i64)> {
        let moved = &self.own.get::<State>().moved;
        let all = self.chunks.iter().enumerate();
        let mut at = 0;
        all.filter(|(_, c)| c.section == s.section)
            .map(|(i, c)| {
                at = moved.get(&(i as u32)).copied().unwrap_or(at);
                let place = (i, at);
                at += i64::from(c.size);
                place
            })
            .collect()
    }

    /// Goes on at an address of the segment in force, over what was written there.
    fn zasm_go(&mut self, s: &Segment, address: i64) {
        self.open_chunk(Some(address as u64 & 0xffff), 1);
        let chunk = self.chunk;
        self.program.chunks[chunk as usize].overlap = true;
        let moved = &mut self.own.get_mut::<State>().moved;
        moved.insert(chunk, address - s.start);
    }

    /// Bytes of a segment with what it is filled up to, if that is known.
    fn zasm_whole(&self, s: &Segment) -> i64 {
        let stated = s.size.and_then(|(v, _)| self.known(v).ok());
        stated.unwrap_or_else(|| self.zasm_size(s))
    }

    /// Where a segment without an address starts: behind the one before of its kind.
    fn zasm_behind(&mut self, code: bool) -> i64 {
        let state = self.own.get::<State>();
        let Some(before) = state.segments.iter().rfind(|s| s.code == code).cloned() else {
            return 0;
        };
        let stated = before.size.and_then(|(v, _)| self.known(v).ok());
        let size = match stated {
            Some(n) => n,
            None => {
                let known = state.sizes.get(&before.name).copied();
                let size = known.unwrap_or_else(|| self.zasm_size(&before));
                let asked = &mut self.own.get_mut::<State>().asked;
                asked.insert(before.name.clone(), size);
                size
            }
        };
        (before.start + size) & 0xffff
    }

    /// A value with ends and sizes of segments as the run before found them.
    fn zasm_with_ends(&mut self, toks: &[Tok]) -> Outcome<Vec<Tok>> {
        let mut out = Vec::new();
        for &t in toks {
            let text = self.text(&t);
            let end = text.strip_suffix("_end").map(|n| (n, true));
            let named = end.or_else(|| text.strip_suffix("_size").map(|n| (n, false)));
            let all = &self.own.get::<State>().segments;
            let found = named
                .filter(|_| t.kind == Kind::Name)
                .and_then(|(name, end)| {
                    let s = all.iter().find(|s| s.name == name && !name.is_empty())?;
                    Some((s.clone(), end))
                });
            let Some((s, end)) = found else {
                out.push(t);
                continue;
            };
            let known = self.own.get::<State>().sizes.get(&s.name).copied();
            let size = known.unwrap_or_else(|| self.zasm_whole(&s));
            self.own
                .get_mut::<State>()
                .asked
                .insert(s.name.clone(), size);
            let n = if end { s.start + size } else { size };
            out.extend(self.made_line(&n.to_string())?);
        }
        Ok(out)
    }

    /// Whether what was taken for sizes of segments was not what they are.
    pub(super) fn zasm_unsettled(&mut self) -> bool {
        let state = self.own.get::<State>();
        let all = state.segments.iter();
        let sizes = all.map(|s| (s.name.clone(), self.zasm_whole(s)));
        let sizes: rustc_hash::FxHashMap<String, i64> = sizes.collect();
        let differs = state
            .asked
            .iter()
            .any(|(n, size)| sizes.get(n) != Some(size));
        // Its second pass begins with segments that are filled, its first with zeros.
        let padded = |s: &Segment| s.code && s.size.is_some() && s.fill.is_none();
        let shows = state.gaps || state.segments.iter().any(padded);
        let rom = state.target.as_deref().unwrap_or("rom") == "rom";
        let forward = self.account.spent.waiting > 0 || self.again.runs > 0;
        let second = rom && shows && forward && !state.second;
        let state = self.own.get_mut::<State>();
        state.sizes = sizes;
        state.second |= second;
        differs || second
    }

    /// Goes on in a segment.
    fn zasm_enter(&mut self, i: usize) {
        let state = self.own.get_mut::<State>();
        state.current = Some(i);
        state.phase = 0;
        let s = state.segments[i].clone();
        self.zasm_resume(&s);
    }

    /// Stands behind what a segment has so far, which may be nothing.
    fn zasm_resume(&mut self, s: &Segment) {
        self.section = s.section;
        let chunk = self.sections[s.section as usize].chunk;
        if chunk == crate::image::NONE {
            self.open_chunk(Some(s.start as u64 & 0xffff), 1);
        } else {
            self.chunk = chunk;
            self.mark_here();
        }
    }

    fn zasm_new(&mut self, name: &str, span: Span, code: bool, start: i64) -> Outcome<usize> {
        let count = self.own.get::<State>().segments.len();
        if count >= limits::SECTIONS {
            return Err(self.too_many(limits::SECTIONS, "segments"));
        }
        let section = self.open_section(name, Some(span));
        let state = self.own.get_mut::<State>();
        state.segments.push(Segment {
            name: name.to_owned(),
            section,
            code,
            start,
            size: None,
            fill: None,
            at: start,
        });
        Ok(count)
    }

    /// `#code name,start,size,flags`, `#data name,start,size`.
    pub(super) fn zasm_segment(&mut self, t: &Tok, rest: &[Tok], code: bool) -> Outcome<()> {
        let name_tok = self.one_name(t, rest)?;
        let name = self.text(&name_tok).to_owned();
        let known = self.own.get::<State>().segments.iter();
        let known = known.clone().position(|s| s.name == name);
        if let Some(i) = known {
            if self.own.get::<State>().segments[i].code != code {
                let d = Diagnostic::new(codes::BAD_ARGUMENT, "this segment is of the other kind");
                return Err(Box::new(d.at(name_tok.span)));
            }
            self.zasm_enter(i);
            return Ok(());
        }
        let parts = split(rest);
        let part = |i: usize| {
            let &(a, b) = parts.get(i)?;
            let part = &rest[a as usize..b as usize];
            let open = matches!(part, [star] if star.kind == Kind::Star);
            (!open).then_some(part)
        };
        let start = match part(1) {
            Some(p) => {
                let line = self.zasm_with_ends(p)?;
                self.known_here(t, &line, "the start")?
            }
            None => self.zasm_behind(code),
        };
        let mut size = None;
        if let Some(p) = part(2) {
            if p.is_empty() {
                let d = Diagnostic::new(codes::SYNTAX, "expected a size").at(t.span);
                return Err(Box::new(d));
            }
            size = Some((self.whole_expression(p)?, self.span_of(p)));
        }
        let mut fill = None;
        for i in 3..parts.len() {
            let Some(p) = part(i) else { continue };
            if let [key, equal, value @ ..] = p
                && equal.kind == Kind::Equal
                && self.text(key).eq_ignore_ascii_case("space")
            {
                fill = Some(self.zasm_filler(t, value)?);
            }
        }
        let i = self.zasm_new(&name, name_tok.span, code, start)?;
        let s = &mut self.own.get_mut::<State>().segments[i];
        (s.size, s.fill) = (size, fill);
        let id = self.symbols.intern(&name);
        self.define(id, Meaning::Number(start), name_tok.span, false)?;
        self.zasm_enter(i);
        Ok(())
    }

    /// `.area name`: a segment that there is.
    pub(super) fn zasm_area(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.one_name(t, rest)?;
        let text = self.text(&name).to_owned();
        let all = &self.own.get::<State>().segments;
        match all.iter().position(|s| s.name == text) {
            Some(i) => {
                self.zasm_enter(i);
                Ok(())
            }
            None => {
                let message = format!("there is no segment `{text}`");
                let d = Diagnostic::new(codes::UNKNOWN_REGION, message).at(name.span);
                Err(Box::new(d.help("`#code` and `#data` make one")))
            }
        }
    }

    /// Room in the segment.
    fn zasm_room(&mut self, n: i64, fill: Option<u8>, class: Class) {
        let data = self.own.get::<State>().current.filter(|&i| {
            let s = &self.own.get::<State>().segments[i];
            !s.code
        });
        if let Some(i) = data {
            let s = &mut self.own.get_mut::<State>().segments[i];
            s.at += n;
            let at = s.at as u64 & 0xffff;
            self.open_chunk(Some(at), 1);
            return;
        }
        let fill = fill.unwrap_or_else(|| self.zasm_fill());
        self.emit_fill(n as usize, fill, class);
    }

    /// `ds count`, `ds count,fill`.
    pub(super) fn zasm_space(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the count")?;
        self.check_count(n, self.span_of(&rest[..end]))?;
        let fill = self.zasm_fill_byte(t, rest, &parts)?;
        self.zasm_room(n, fill, Class::Space);
        Ok(())
    }

    /// A byte to fill with, with a warning for what is cut.
    fn zasm_filler(&mut self, t: &Tok, part: &[Tok]) -> Outcome<u8> {
        let v = self.known_here(t, part, "the byte to fill with")?;
        let cut = v as u8;
        if v != i64::from(cut) && v != i64::from(cut as i8) {
            self.cut(&format!("the byte {v}"), i64::from(cut), self.span_of(part));
        }
        Ok(cut)
    }

    fn zasm_fill_byte(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        parts: &[(u32, u32)],
    ) -> Outcome<Option<u8>> {
        match parts.get(1) {
            None => Ok(None),
            Some(&(a, b)) => Ok(Some(self.zasm_filler(t, &rest[a as usize..b as usize])?)),
        }
    }

    /// `org address`: the start of the code, or room up to there.
    pub(super) fn zasm_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the address")?;
        let span = self.span_of(&rest[..end]);
        let Some(segment) = self.zasm_current().cloned() else {
            if self.own.get::<State>().target.is_some() {
                let d = Diagnostic::new(codes::MISPLACED, "a `#target` needs `#code` before this");
                return Err(Box::new(d.at(t.span)));
            }
            let n = self.cut_address(n, span);
            let i = self.zasm_new("", t.span, true, n)?;
            self.open_chunk(Some(n as u64), 1);
            self.own.get_mut::<State>().current = Some(i);
            return Ok(());
        };
        let fill = self.zasm_fill_byte(t, rest, &parts)?;
        let gap = n.saturating_sub(self.here_value.unwrap_or(0));
        // What was written stays where nothing is written over it.
        let end = segment.start + self.zasm_size(&segment);
        let over = n < end && n >= segment.start && self.own.get::<State>().phase == 0;
        if over && segment.code {
            self.zasm_go(&segment, n);
            return Ok(());
        }
        let gap = match segment.code && end > self.here_value.unwrap_or(0) && n >= end {
            true => {
                self.zasm_go(&segment, end);
                n - end
            }
            false => gap,
        };
        if gap < 0 {
            let message = format!("{n} lies {} bytes before this place", gap.unsigned_abs());
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
            return Err(Box::new(
                d.help("`.phase` changes the address of what follows"),
            ));
        }
        self.check_count(gap, span)?;
        let state = self.own.get_mut::<State>();
        state.gaps = true;
        let fill = fill.or((!state.second).then_some(0));
        self.zasm_room(gap, fill, Class::Space);
        Ok(())
    }

    /// `align multiple`, `align multiple,fill`.
    pub(super) fn zasm_align(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the multiple")?;
        let span = self.span_of(&rest[..end]);
        if !(1..=0x4000).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
            return Err(Box::new(d.at(span).label("must be 1 to 16,384")));
        }
        let fill = self.zasm_fill_byte(t, rest, &parts)?;
        let here = self.here_value.unwrap_or(0);
        let gap = (n - here.rem_euclid(n)) % n;
        self.zasm_room(gap, fill, Class::Padding);
        Ok(())
    }

    /// `.phase address`: what follows runs there.
    pub(super) fn zasm_phase(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        let n = self.cut_address(n, self.span_of(rest));
        let here = self.here_value.unwrap_or(0);
        let state = self.own.get_mut::<State>();
        state.phase += n - here;
        self.open_chunk(Some(n as u64), 1);
        Ok(())
    }

    /// The end of the program: segments are filled up and put behind each other.
    pub(super) fn zasm_output(&mut self) {
        let all = self.own.get::<State>().segments.clone();
        let mut file = 0u64;
        for s in &all {
            let used = self.zasm_size(s);
            let mut size = used;
            if let Some((v, span)) = s.size {
                match self.must_know(v, span, "the size") {
                    Err(d) => self.report(d),
                    Ok(n) if n < used => {
                        let message = format!(
                            "segment `{}` has {} bytes more than its size",
                            s.name,
                            used - n
                        );
                        let d = Diagnostic::new(codes::SECTION_FULL, message).at(span);
                        self.report(Box::new(d));
                    }
                    Ok(n) if self.check_count(n - used, span).is_ok() => size = n,
                    Ok(_) => {}
                }
            }
            if s.code && size > used {
                self.zasm_resume(s);
                self.zasm_go(s, s.start + used);
                self.statement = s.size.map_or(self.statement, |x| x.1);
                let state = self.own.get::<State>();
                let rom = state.target.as_deref().unwrap_or("rom") == "rom";
                let fill = s.fill.unwrap_or(if rom && state.second { 0xff } else { 0 });
                self.emit_fill((size - used) as usize, fill, Class::Space);
            }
            if s.code {
                for (c, at) in self.zasm_places(s) {
                    self.program.chunks[c].seek = Some(file + at as u64);
                }
                file += self.zasm_size(s) as u64;
            }
            if s.name.is_empty() {
                continue;
            }
            let span = self.sections[s.section as usize]
                .span
                .unwrap_or(self.statement);
            for (end, n) in [("_end", s.start + size), ("_size", size)] {
                let id = self.symbols.intern(&format!("{}{end}", s.name));
                if self.symbols.get(id).meaning == Meaning::Undefined
                    && let Err(d) = self.define(id, Meaning::Number(n), span, false)
                {
                    self.report(d);
                }
            }
        }
    }
}
