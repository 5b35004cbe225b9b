//! Data: lists, texts, room, files, the character set.

use super::state::State;
use super::words::Format;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::margin::data::ReadItem;
use crate::image::Class;
use crate::program::item::Given;
use crate::program::{Field, Outcome};
use crate::read::Assembler;
use crate::read::syntax::literal::{inside, is_quoted};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// Where a quoted text stands, which decides what `\` means in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    /// In an expression.
    Value,
    /// In a list of bytes, or for a field of a structure.
    List,
    /// In a list of bytes with `-pasmo`: it stands before a character that counts as it is.
    Pasmo,
    /// In a list whose texts have bit 7 at the end.
    Marked,
    /// In the definition of a field.
    Field,
}

impl<'a> Assembler<'a> {
    /// The codes of a quoted text.
    pub(super) fn rasm_text(&self, t: &Tok, place: Quoted) -> Outcome<Vec<u8>> {
        let latin1 = self.sources.get(t.span.source).latin1;
        let text = self.sources.slice(t.span);
        let text = &text[1..text.len().max(2) - 1];
        let raw: Vec<u8> = match latin1 {
            true => text.chars().map(|c| c as u8).collect(),
            false => text.bytes().collect(),
        };
        let set = &self.own.get::<State>().charset;
        let mut out = Vec::with_capacity(raw.len());
        let mut i = 0;
        while let Some(&b) = raw.get(i) {
            i += 1;
            if b != b'\\' {
                out.push(set[usize::from(b)]);
                continue;
            }
            let Some(&e) = raw.get(i) else { break };
            i += 1;
            let digit = |i: usize| raw.get(i).and_then(|&b| (b as char).to_digit(16));
            out.push(match e {
                _ if place == Quoted::Pasmo => set[usize::from(e)],
                b'\\' if matches!(place, Quoted::List | Quoted::Field) => set[usize::from(e)],
                b'e' if place == Quoted::List => 27,
                b'a' if place == Quoted::List => 7,
                b'x' if matches!(place, Quoted::List | Quoted::Marked) => {
                    let (Some(high), Some(low)) = (digit(i), digit(i + 1)) else {
                        let message = "two hexadecimal digits are expected behind `\\x`";
                        let d = Diagnostic::new(codes::BAD_NUMBER, message).at(t.span);
                        return Err(Box::new(d));
                    };
                    i += 2;
                    (high * 16 + low) as u8
                }
                b'b' => 8,
                b'v' => 11,
                b'f' => 12,
                b'0' => 0,
                b'r' => 13,
                b'n' => 10,
                b't' => 9,
                other => other,
            });
        }
        Ok(out)
    }

    /// `db`.
    pub(super) fn rasm_bytes(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().structure.is_some() {
            return self.rasm_struct_values(rest, 1);
        }
        self.rasm_list(t, rest, 1, &mut |a, part, items| match part {
            [text] if is_quoted(text) => {
                let pasmo = a.own.get::<State>().at_statement;
                let bytes = a.rasm_text(text, [Quoted::List, Quoted::Pasmo][usize::from(pasmo)])?;
                items.bytes.extend_from_slice(&bytes);
                Ok(())
            }
            _ => a.value_here(part, 1, items),
        })
    }

    /// `dw`, `defi`.
    pub(super) fn rasm_values(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if self.own.get::<State>().structure.is_some() {
            return self.rasm_struct_values(rest, size);
        }
        self.rasm_list(t, rest, size, &mut |a, part, items| {
            a.value_here(part, size, items)
        })
    }

    /// A list in which `$` is where the item is, or where the list is.
    fn rasm_list(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        size: u8,
        item: &mut ReadItem<'_, 'a>,
    ) -> Outcome<()> {
        let (here, value) = (self.here, self.here_value);
        let at_statement = self.own.get::<State>().at_statement;
        self.items_here(t, rest, size, &mut |a, part, items| {
            if at_statement {
                a.own.get_mut::<State>().places.item = a.here.plus - here.plus;
                (a.here, a.here_value) = (here, value);
            }
            let done = item(a, part, items);
            a.own.get_mut::<State>().places.item = 0;
            done
        })
    }

    /// `str`: texts with bit 7 in their last character.
    pub(super) fn rasm_marked(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let texts: Vec<bool> = parts
            .iter()
            .map(|p| matches!(&rest[p.0 as usize..p.1 as usize], [t] if is_quoted(t)))
            .collect();
        let mut k = 0;
        self.rasm_list(t, rest, 1, &mut |a, part, items| {
            let ends = texts.get(k + 1).is_none_or(|&text| text);
            k += 1;
            match part {
                [text] if is_quoted(text) => {
                    let mut bytes = a.rasm_text(text, Quoted::Marked)?;
                    if let Some(last) = bytes.last_mut().filter(|_| ends) {
                        *last |= 0x80;
                    }
                    items.bytes.extend_from_slice(&bytes);
                    Ok(())
                }
                _ => a.value_here(part, 1, items),
            }
        })
    }

    /// `defr`, `deff`, `df24`.
    pub(super) fn rasm_reals(&mut self, format: Format, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let size = if format == Format::Short { 3 } else { 5 };
        let mut all = Vec::new();
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            let v = self.rasm_number(part, "the number")?;
            let Some(bytes) = super::reals::bytes(format, v) else {
                let message = format!("{v} does not fit into {size} bytes");
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(part));
                return Err(Box::new(d));
            };
            all.extend_from_slice(&bytes);
        }
        if self.own.get::<State>().structure.is_some() {
            all.resize(all.len().max(size), 0);
            self.rasm_field_bytes(&all);
        } else if all.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        self.emit_data(&all, Class::Data);
        Ok(())
    }

    /// `ds count,value,count,value …`.
    pub(super) fn rasm_room(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a count").at(t.span);
            return Err(Box::new(d));
        }
        for pair in parts.chunks(2) {
            let part = |p: (u32, u32)| &rest[p.0 as usize..p.1 as usize];
            let count = part(pair[0]);
            let n = self.known_here(t, count, "the count")?;
            self.check_count(n, self.span_of(count))?;
            let value = match pair.get(1).filter(|_| n > 0) {
                Some(&p) => Some((self.whole_expression(part(p))?, self.span_of(part(p)))),
                None => None,
            };
            self.rasm_fill(n as usize, value)?;
            self.mark_here();
        }
        Ok(())
    }

    /// So many bytes of a value, which may be known later.
    fn rasm_fill(
        &mut self,
        n: usize,
        value: Option<(crate::program::Value, crate::text::source::Span)>,
    ) -> Outcome<()> {
        let Some((v, span)) = value else {
            self.rasm_field_bytes(&vec![0; n]);
            self.emit_fill(n, 0, Class::Space);
            return Ok(());
        };
        if let Ok(number) = self.known(v) {
            let byte = self.item_bits(number, 1, span)? as u8;
            self.rasm_field_bytes(&vec![byte; n]);
            self.emit_fill(n, byte, Class::Space);
            return Ok(());
        }
        let here = self.here;
        for plus in 0..n as u32 {
            let place = crate::program::symbol::Anchor { plus, ..here };
            self.fix(place, Field::Data(1), v, span, Given::Open);
        }
        self.emit_data(&vec![0; n], Class::Data);
        Ok(())
    }

    /// `charset`: which codes texts have.
    pub(super) fn rasm_charset(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let parts = split(rest);
        let part = |k: usize| &rest[parts[k].0 as usize..parts[k].1 as usize];
        let quoted = |k: usize| matches!(part(k), [t] if is_quoted(t));
        let plain = |a: &Self, t: &Tok| {
            let text = a.sources.slice(t.span);
            let mut out = Vec::new();
            let mut bytes = inside(text).bytes();
            while let Some(b) = bytes.next() {
                out.push(if b == b'\\' {
                    bytes.next().unwrap_or(b)
                } else {
                    b
                });
            }
            out
        };
        let mut changes: Vec<(i64, i64)> = Vec::new();
        match parts.len() {
            0 => {
                let set = &mut self.own.get_mut::<State>().charset;
                (0..=255).for_each(|b: u8| set[usize::from(b)] = b);
                return Ok(());
            }
            2 if quoted(0) && quoted(1) => {
                let (from, to) = (plain(self, &part(0)[0]), plain(self, &part(1)[0]));
                if from.len() != to.len() {
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, "both texts must be as long");
                    return Err(Box::new(d.at(self.span_of(rest))));
                }
                let pairs = from.iter().zip(&to);
                changes.extend(pairs.map(|(&a, &b)| (a.into(), b.into())));
            }
            2 if quoted(0) => {
                let first = self.known_here(t, part(1), "the code")?;
                let from = plain(self, &part(0)[0]);
                let pairs = from.iter().zip(0..);
                changes.extend(pairs.map(|(&a, k)| (a.into(), first.wrapping_add(k))));
            }
            2 => {
                let from = self.known_here(t, part(0), "the character")?;
                changes.push((from, self.known_here(t, part(1), "the code")?));
            }
            3 => {
                let from = self.known_here(t, part(0), "the first character")?;
                let last = self.known_here(t, part(1), "the last character")?;
                let first = self.known_here(t, part(2), "the code")?;
                if !(0..256).contains(&from) || !(from..256).contains(&last) {
                    let d = Diagnostic::new(codes::OUT_OF_RANGE, "characters are 0 to 255");
                    return Err(Box::new(d.at(self.span_of(rest))));
                }
                let pairs = (from..=last).zip(0..);
                changes.extend(pairs.map(|(a, k)| (a, first.wrapping_add(k))));
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected characters and their codes");
                return Err(Box::new(d.at(t.span)));
            }
        }
        if let Some(&(_, n)) = changes.iter().find(|c| !(-128..256).contains(&c.1)) {
            let span = self.span_of(rest);
            self.cut(&format!("the code {n}"), n & 0xff, span);
        }
        for (from, to) in changes {
            let Ok(from) = u8::try_from(from) else {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, "characters are 0 to 255");
                return Err(Box::new(d.at(self.span_of(rest))));
            };
            self.own.get_mut::<State>().charset[usize::from(from)] = to as u8;
        }
        Ok(())
    }

    /// `incbin "file",offset,length,offset*65536`.
    pub(super) fn rasm_incbin(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let part = |k: usize| &rest[parts[k].0 as usize..parts[k].1 as usize];
        let name = match parts.first().map(|_| part(0)) {
            Some([t]) if is_quoted(t) => {
                let text = self.text(t);
                inside(text).to_owned()
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a file name in quotes");
                return Err(Box::new(d.at(t.span)));
            }
        };
        let filled = self.rasm_fill_tags(&name, true, 0)?;
        let name = filled.unwrap_or(name).replace('\\', "/");
        let mut numbers = Vec::new();
        let (mut exists, mut header, mut back, mut over) = (false, false, false, false);
        for k in 1..parts.len() {
            let toks = part(k);
            let word = match toks {
                [w] if w.kind == Kind::Name => self.text(w).to_ascii_lowercase(),
                _ => String::new(),
            };
            match word.as_str() {
                "exists" => exists = true,
                "skipheader" => header = true,
                "revert" => back = true,
                "off" => over = true,
                "on" => over = false,
                "remap" | "vtiles" | "itiles" | "gtiles" | "repack" => {
                    let message = format!("`incbin` with `{word}` is not done by scrimp");
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(toks[0].span);
                    return Err(Box::new(d.help("put the bytes in order with another tool")));
                }
                _ => numbers.push(self.known_here(t, toks, "the part of the file")?),
            }
        }
        let span = rest[0].span;
        let mut bytes = match self.content(&name, span) {
            Err(d) if exists && d.code == codes::FILE_MISSING => return Ok(()),
            loaded => loaded?,
        };
        let all = bytes.len() as i64;
        let number = |k: usize| numbers.get(k).copied().unwrap_or(0);
        let mut offset = number(0).saturating_add(number(2).saturating_mul(65536));
        let mut size = number(1);
        if header && offset >= 0 && super::saves::has_header(&bytes) {
            offset += 128;
        }
        if size < 0 {
            size += all;
        }
        if offset < 0 {
            offset += all;
        }
        if size == 0 {
            size = all - offset;
        }
        let inside = offset >= 0 && size >= 0 && offset.saturating_add(size) <= all;
        if !inside || numbers.len() > 3 {
            let message = format!("the file `{name}` has {all} bytes");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(rest));
            return Err(Box::new(d.label("reaches outside the file")));
        }
        bytes.truncate((offset + size) as usize);
        bytes.drain(..offset as usize);
        if back {
            bytes.reverse();
        }
        if over {
            self.rasm_over(true);
        }
        self.emit_data(&bytes, Class::Data);
        if over {
            self.rasm_over(false);
        }
        Ok(())
    }
}
