//! Data: lists of values and texts.

use super::super::margin::data::Items;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// `db`, `dw`, `d3`, `defd`: `$` is where the item is.
    pub(super) fn zmac_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        self.items_here(t, rest, size, &mut |a, part, items| {
            a.zmac_item(part, size, items)
        })
    }

    fn zmac_item(&mut self, part: &[Tok], size: u8, items: &mut Items) -> Outcome<()> {
        if size == 1
            && let [text] = part
            && is_quoted(text)
        {
            let text = self.quoted_codes(text)?;
            if text.len() != 1 {
                items.bytes.extend_from_slice(&text);
                return Ok(());
            }
        }
        if size == 1 && self.zmac_is_pair(part)? {
            let v = self.whole_expression(part)?;
            let span = self.span_of(part);
            let n = self.must_know(v, span, "a value with a text of two characters")?;
            let bits = self.item_bits(n, 2, span)? as u16;
            items.bytes.extend_from_slice(&bits.to_le_bytes());
            return Ok(());
        }
        self.value_here(part, size, items)
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
