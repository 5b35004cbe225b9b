//! Where bytes go: `org`, room, `phase`, segments. Room is not written; what lies between
//! the first and the last byte is, as p2bin writes it.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::program::plan::Stored;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

/// What p2bin writes where nothing is.
const GAP: u8 = 0xff;

/// Pieces from which on room is written as what p2bin fills it with: pieces are few.
const PIECES: usize = 20_000;

impl Assembler<'_> {
    /// Where the next byte is stored.
    pub(super) fn asl_pc(&mut self) -> i64 {
        self.mark_here();
        self.here_value.unwrap_or(0) - self.own.get::<State>().places.phase
    }

    /// Goes on with a piece that is stored there.
    fn asl_go(&mut self, pc: i64, room: bool) {
        let places = &mut self.own.get_mut::<State>().places;
        places.room = room;
        let (phase, silent) = (places.phase, places.segment != "code");
        self.open_chunk(Some((pc + phase) as u64 & 0xffff), 1);
        let chunk = self.chunk as usize;
        self.program.chunks[chunk].stored = match (room || silent, phase) {
            (true, _) => Stored::Nowhere,
            (_, 0) => Stored::Here,
            _ => Stored::At(pc as u64 & 0xffff),
        };
    }

    /// What follows has bytes: room ends.
    pub(super) fn asl_begin_bytes(&mut self) {
        let state = self.own.get::<State>();
        if !state.places.room || !state.open.is_empty() {
            return;
        }
        let pc = self.asl_pc();
        self.asl_go(pc, false);
        let here = self.here;
        for id in std::mem::take(&mut self.own.get_mut::<State>().places.labels) {
            self.symbols.get_mut(id).place = Some(here);
        }
    }

    /// `org address`.
    pub(super) fn asl_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        self.asl_to(n, rest)
    }

    pub(super) fn asl_to(&mut self, n: i64, rest: &[Tok]) -> Outcome<()> {
        let open = !self.own.get::<State>().open.is_empty();
        // A struct may begin below 0.
        if open && (-0xffff..=0xffff).contains(&n) {
            self.naming.structure = Some((String::new(), n));
            return Ok(());
        }
        if open || !(0..=0xffff).contains(&n) {
            let message = format!("the address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(self.span_of(rest));
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        self.memo.renew();
        self.own.get_mut::<State>().places.labels.clear();
        if n != self.asl_pc() {
            self.asl_go(n, false);
        }
        Ok(())
    }

    /// `ds count`.
    pub(super) fn asl_room(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the count")?;
        if n < 0 {
            let pc = self.asl_pc() + n;
            return self.asl_to(pc, rest);
        }
        self.check_count(n, self.span_of(rest))?;
        self.asl_reserve(n)
    }

    /// So many addresses without bytes.
    pub(super) fn asl_reserve(&mut self, n: i64) -> Outcome<()> {
        let state = self.own.get_mut::<State>();
        if state.open.is_empty() {
            state.places.labels.clear();
            if !state.places.room && n > 0 && self.chunks.len() < PIECES {
                self.memo.renew();
                let pc = self.asl_pc();
                self.asl_go(pc, true);
            }
        }
        self.emit_fill(n as usize, GAP, Class::Space);
        Ok(())
    }

    /// `align n`, `align n,value`.
    pub(super) fn asl_align(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the alignment")?;
        if !(1..=0xffff).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("cannot align to {n}"));
            return Err(Box::new(
                d.at(self.span_of(&rest[..end])).label("must be 1 to 65535"),
            ));
        }
        let fill = match parts.get(1) {
            None => None,
            Some(&(a, b)) => {
                let part = &rest[a as usize..b as usize];
                let v = self.known_here(t, part, "the byte to fill with")?;
                let span = self.span_of(part);
                Some(self.item_bits(v, 1, span)? as u8)
            }
        };
        let here = self.here_value.unwrap_or(0);
        let gap = (n - here.rem_euclid(n)) % n;
        match fill {
            None => self.asl_reserve(gap),
            Some(byte) => {
                self.asl_begin_bytes();
                self.emit_fill(gap as usize, byte, Class::Space);
                Ok(())
            }
        }
    }

    /// `phase address`, `dephase`.
    pub(super) fn asl_phase(&mut self, runs: Option<i64>) {
        self.memo.renew();
        let pc = self.asl_pc();
        let places = &mut self.own.get_mut::<State>().places;
        match runs {
            Some(at) => {
                if places.phases.len() < 64 {
                    places.phases.push(places.phase);
                }
                places.phase = at - pc;
            }
            None => places.phase = places.phases.pop().unwrap_or(0),
        }
        self.asl_go(pc, false);
    }

    /// `segment code`: only that has bytes.
    pub(super) fn asl_segment(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.text(&self.one_name(t, rest)?).to_ascii_lowercase();
        if ![
            "code", "io", "data", "idata", "xdata", "ydata", "bdata", "eedata", "romdata",
        ]
        .contains(&name.as_str())
        {
            let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("there is no segment `{name}`"));
            return Err(Box::new(
                d.at(self.span_of(rest)).help("it is `code` or `io`"),
            ));
        }
        self.memo.renew();
        let pc = self.asl_pc();
        let places = &mut self.own.get_mut::<State>().places;
        let before = std::mem::replace(&mut places.segment, name.clone());
        places.segments.insert(before, pc);
        let at = places.segments.get(&name).copied().unwrap_or(0);
        self.asl_go(at, false);
        Ok(())
    }

    /// Fills what lies between the first and the last byte.
    pub(super) fn asl_gaps(&mut self) {
        let mut pieces: Vec<(u64, u64)> = (self.chunks.iter())
            .filter(|c| c.size > 0)
            .filter_map(|c| {
                let at = match c.stored {
                    Stored::Here => c.base?,
                    Stored::At(at) => at,
                    _ => return None,
                };
                Some((at, at + u64::from(c.size)))
            })
            .collect();
        pieces.sort_unstable();
        let mut end = match pieces.first() {
            Some(p) => p.0,
            None => return,
        };
        let places = &mut self.own.get_mut::<State>().places;
        places.phase = 0;
        places.segment = "code".into();
        for (from, to) in pieces {
            if from > end {
                self.asl_go(end as i64, false);
                self.emit_fill((from - end) as usize, GAP, Class::Space);
            }
            end = end.max(to);
        }
    }
}
