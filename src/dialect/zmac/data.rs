//! Data: lists of values and texts.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::item::{DataValue, Given};
use crate::program::symbol::Anchor;
use crate::program::{Field, Outcome};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// `db`, `dw`, `d3`, `defd`: `$` is where the item is.
    pub(super) fn zmac_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut bytes = Vec::with_capacity(rest.len());
        let mut open: Vec<DataValue> = Vec::new();
        let (here, value) = (self.here, self.here_value);
        let mut done = Ok(());
        for (a, b) in split(rest) {
            let at = bytes.len() as u32;
            self.here = Anchor { plus: at, ..here };
            self.here_value = value.map(|v| v + i64::from(at));
            let part = &rest[a as usize..b as usize];
            if let Err(d) = self.zmac_item(t, part, size, &mut bytes, &mut open) {
                bytes.resize(at as usize + usize::from(size), 0);
                match &done {
                    Ok(()) => done = Err(d),
                    Err(_) => self.report(d),
                }
            }
        }
        (self.here, self.here_value) = (here, value);
        for &(offset, value, span) in &open {
            let place = Anchor {
                plus: offset,
                ..here
            };
            let state = match value.number() {
                Some(_) => Given::All,
                None => Given::Open,
            };
            self.fix(place, Field::Data(size), value, span, state);
        }
        self.emit_data(&bytes, Class::Data);
        done
    }

    fn zmac_item(
        &mut self,
        t: &Tok,
        part: &[Tok],
        size: u8,
        bytes: &mut Vec<u8>,
        open: &mut Vec<DataValue>,
    ) -> Outcome<()> {
        let Some(first) = part.first() else {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(t.span);
            return Err(Box::new(d.help("write one, or leave a comma out")));
        };
        let texts = size == 1 && is_quoted(first) && part.len() == 1;
        if texts {
            let text = self.quoted_codes(first)?;
            if text.len() != 1 {
                bytes.extend_from_slice(&text);
                return Ok(());
            }
        }
        let pair = size == 1 && self.zmac_is_pair(part)?;
        let v = self.whole_expression(part)?;
        let span = self.span_of(part);
        let at = bytes.len() as u32;
        if pair {
            let n = self.must_know(v, span, "a value with a text of two characters")?;
            bytes.extend_from_slice(&(n as u16).to_le_bytes());
            return Ok(());
        }
        let bits = match v.number() {
            Some(n) if size < 4 => self.item_bits(n, size, span)?,
            Some(n) => n as u64,
            None => 0,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..usize::from(size)]);
        if v.expression().is_some() {
            open.push((at, v, span));
        }
        Ok(())
    }

    /// `dc 'text'`: the last character has bit 7; `dc count,value`.
    pub(super) fn zmac_high(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        match (rest, &parts[..]) {
            ([text], _) if is_quoted(text) => {
                let mut bytes = self.quoted_codes(text)?;
                if let Some(last) = bytes.last_mut() {
                    *last |= 0x80;
                }
                self.emit_data(&bytes, Class::Data);
                Ok(())
            }
            (_, &[(a, b), (c, d)]) => {
                let count = &rest[a as usize..b as usize];
                let n = self.known_here(t, count, "the count")?;
                self.check_count(n, self.span_of(count))?;
                let byte = self.zmac_fill(t, &rest[c as usize..d as usize])?;
                self.emit_fill(n as usize, byte, Class::Data);
                Ok(())
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a text, or a count and a value");
                Err(Box::new(d.at(t.span)))
            }
        }
    }
}
