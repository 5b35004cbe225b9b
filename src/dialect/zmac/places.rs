//! Where bytes go: `org`, room, pieces that run elsewhere.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// `org address`.
    pub(super) fn zmac_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        if self.own.get::<State>().phase.is_some() {
            let d = Diagnostic::new(codes::MISPLACED, "`org` cannot stand behind a `phase`");
            return Err(Box::new(d.at(t.span).help("write `dephase` before it")));
        }
        let n = self.cut_address(n, self.span_of(rest));
        self.open_chunk(Some(n as u64), 1);
        Ok(())
    }

    /// `ds count`: what follows is so much behind; `ds count,value`: bytes.
    pub(super) fn zmac_room(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let (count, n) = self.counted_here(t, &rest[..end], "the count")?;
        self.check_count(n, self.span_of(&rest[..end]))?;
        let fill = match parts.get(1) {
            None => None,
            Some(&(a, b)) => Some(self.zmac_fill(t, &rest[a as usize..b as usize])?),
        };
        if fill.is_none() && self.own.get::<State>().phase.is_none() {
            let span = self.span_of(&rest[..end]);
            self.chosen.ends_at_number(span);
            let at = self.here_value.unwrap_or(0) + n;
            self.open_chunk(Some(at as u64 & 0xffff), 1);
            return Ok(());
        }
        self.emit_room(count, n as usize, fill.unwrap_or(0));
        Ok(())
    }

    pub(super) fn zmac_fill(&mut self, t: &Tok, part: &[Tok]) -> Outcome<u8> {
        let v = self.known_here(t, part, "the byte to fill with")?;
        let span = self.span_of(part);
        Ok(self.item_bits(v, 1, span)? as u8)
    }

    /// `phase address`: what follows runs there.
    pub(super) fn zmac_phase(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        if self.own.get::<State>().phase.is_some() {
            let d = Diagnostic::new(codes::MISPLACED, "there is an open `phase` above");
            return Err(Box::new(d.at(t.span).help("write `dephase` before it")));
        }
        let n = self.cut_address(n, self.span_of(rest));
        let piece = self.displace(n);
        self.own.get_mut::<State>().phase = Some(piece);
        Ok(())
    }

    /// Ends what runs elsewhere, if anything does.
    pub(super) fn zmac_end_phase(&mut self) {
        if let Some(piece) = self.own.get_mut::<State>().phase.take() {
            self.end_displaced(piece);
        }
    }

    /// Names that nothing defines and that are instructions are their codes.
    pub(super) fn zmac_codes_of_words(&mut self) {
        for id in self.symbols.ids() {
            let s = self.symbols.get(id);
            if !s.used || s.meaning != Meaning::Undefined {
                continue;
            }
            let entry = self.words.get(&s.name);
            if entry.mnemonic == 0 {
                continue;
            }
            let forms = &self.words.mnemonics[usize::from(entry.mnemonic) - 1].forms;
            let Some(&row) = forms.first() else { continue };
            let code = self.forms[usize::from(row)].pattern.fixed as i64;
            let span = self.statement;
            if let Err(d) = self.define(id, Meaning::Number(code), span, false) {
                self.report(d);
            }
        }
    }
}
