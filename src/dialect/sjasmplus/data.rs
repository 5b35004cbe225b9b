//! Data: lists of bytes with texts, values, digits, room.

use super::words::Texts;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::item::{DataValue, Given};
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Field, Outcome, Part, Value};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};

/// Bytes of a statement, and the values among them that are no plain numbers.
#[derive(Default)]
pub struct List {
    pub bytes: Vec<u8>,
    /// Each with its size.
    open: Vec<(DataValue, u8)>,
}

impl List {
    /// Whether there are values that are no plain numbers.
    pub fn waits(&self) -> bool {
        !self.open.is_empty()
    }
}

impl Assembler<'_> {
    /// A value of so many bytes.
    pub(super) fn sj_value(
        &mut self,
        toks: &[Tok],
        size: u8,
        add: i64,
        list: &mut List,
    ) -> Outcome<()> {
        if toks.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(self.statement);
            return Err(Box::new(d.help("write one, or leave a comma out")));
        }
        let v = self.whole_expression(toks)?;
        self.sj_put(v, toks, size, add, list)
    }

    /// Puts a value into a list.
    pub(super) fn sj_put(
        &mut self,
        v: Value,
        toks: &[Tok],
        size: u8,
        add: i64,
        list: &mut List,
    ) -> Outcome<()> {
        let span = self.span_of(toks);
        let v = match (v, add) {
            (v, 0) => v,
            (Value::Number(n), _) => {
                self.item_bits(n, size, span)?;
                Value::Number((n + add) & 0xff)
            }
            (v, _) => {
                let start = self.ops.len() as u32;
                let e = self.as_expr(v);
                let all = e.start as usize..(e.start + e.len) as usize;
                self.ops.extend_from_within(all);
                self.ops.push(Op::Number(add));
                self.ops.push(Op::Binary(Binary::Add));
                self.ops.push(Op::Number(0xff));
                self.ops.push(Op::Binary(Binary::And));
                let len = self.ops.len() as u32 - start;
                Value::Expr(ExprId { start, len })
            }
        };
        let at = list.bytes.len() as u32;
        let bits = match v.number() {
            // Four bytes hold every value.
            Some(n) if size < 4 => self.item_bits(n, size, span)?,
            Some(n) => n as u64,
            None => 0,
        };
        list.bytes
            .extend_from_slice(&bits.to_le_bytes()[..usize::from(size)]);
        if v.expression().is_some() {
            list.open.push(((at, v, span), size));
        }
        Ok(())
    }

    /// Emits a list.
    pub(super) fn sj_emit(&mut self, list: List) {
        for &((offset, value, span), size) in &list.open {
            let place = Anchor {
                plus: offset,
                ..self.here
            };
            let state = match value.number() {
                Some(_) => Given::All,
                None => Given::Open,
            };
            self.fix(place, Field::Data(size), value, span, state);
        }
        self.emit_data(&list.bytes, Class::Data);
    }

    /// Bytes and texts; each with a number added.
    pub(super) fn sj_list(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        add: i64,
        texts: Texts,
    ) -> Outcome<List> {
        let mut list = List::default();
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            if let [one] = part
                && is_quoted(one)
            {
                let mut bytes = self.sj_text(one);
                let text = bytes.len() > usize::from(one.kind == Kind::Single);
                for b in &mut bytes {
                    *b = b.wrapping_add(add as u8);
                }
                if let (Texts::Marked, true, Some(last)) = (texts, text, bytes.last_mut()) {
                    *last |= 0x80;
                }
                list.bytes.extend_from_slice(&bytes);
                continue;
            }
            self.sj_value(part, 1, add, &mut list)?;
        }
        if texts == Texts::Zero {
            list.bytes.push(0);
        }
        Ok(list)
    }

    /// `db`, `dc`, `dz`.
    pub(super) fn sj_bytes(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        add: i64,
        texts: Texts,
    ) -> Outcome<()> {
        let list = self.sj_list(t, rest, add, texts)?;
        self.sj_emit(list);
        Ok(())
    }

    /// `abyte number values`.
    pub(super) fn sj_added(&mut self, t: &Tok, rest: &[Tok], texts: Texts) -> Outcome<()> {
        // The number ends where a value follows without an operator between.
        let mut c = crate::read::syntax::expression::Cursor::new(rest);
        let v = self.expression(&mut c)?;
        let span = self.span_of(&rest[..c.at]);
        let add = self.must_know(v, span, "the number to add")?;
        let at = c.at;
        self.sj_bytes(t, &rest[at..], add & 0xff, texts)
    }

    /// `dp "text"`.
    pub(super) fn sj_counted(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mut list = self.sj_list(t, rest, 0, Texts::Plain)?;
        let length = list.bytes.len() as u8;
        list.bytes.insert(0, length);
        for o in &mut list.open {
            o.0.0 += 1;
        }
        self.sj_emit(list);
        Ok(())
    }

    /// `dw`, `d24`, `dd`.
    pub(super) fn sj_values(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut list = List::default();
        for (a, b) in split(rest) {
            self.sj_value(&rest[a as usize..b as usize], size, 0, &mut list)?;
        }
        self.sj_emit(list);
        Ok(())
    }

    /// `dh 12ab, "34"`.
    pub(super) fn sj_digits(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let digits: Vec<u8> = text
            .bytes()
            .filter(|b| !matches!(b, b' ' | b'\t' | b',' | b'"' | b'\''))
            .collect();
        let pairs = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
        if digits.is_empty() || !pairs {
            let d = Diagnostic::new(codes::BAD_NUMBER, "expected pairs of hexadecimal digits");
            return Err(Box::new(d.at(t.span)));
        }
        let digit = |b: u8| (b as char).to_digit(16).unwrap_or(0) as u8;
        let bytes = digits
            .chunks_exact(2)
            .map(|p| digit(p[0]) << 4 | digit(p[1]));
        let bytes: Vec<u8> = bytes.collect();
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// `dg ..##..##`.
    pub(super) fn sj_bits(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let from = rest.first().map_or(t.span.end, |r| r.span.start) as usize;
        let end = self.statement.end as usize;
        let text = &self.sources.get(t.span.source).text;
        let text = text.get(from..end).unwrap_or("");
        let text = text.split(';').next().unwrap_or("").trim();
        let text = text.trim_matches(['"', '\'']);
        let bits: Vec<bool> = text
            .bytes()
            .filter(|b| !b.is_ascii_whitespace())
            .map(|b| !matches!(b, b'-' | b'.' | b'_'))
            .collect();
        if bits.is_empty() || !bits.len().is_multiple_of(8) {
            let d = Diagnostic::new(codes::SYNTAX, "expected eight signs for each byte");
            return Err(Box::new(d.at(t.span)));
        }
        let byte = |b: &[bool]| b.iter().fold(0u8, |v, &bit| v << 1 | u8::from(bit));
        let bytes: Vec<u8> = bits.chunks_exact(8).map(byte).collect();
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// `block count, first, …`.
    pub(super) fn sj_block(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let count = &rest[..parts.first().map_or(0, |p| p.1 as usize)];
        if parts.len() <= 2 {
            if count.is_empty() {
                return self.space(t, rest);
            }
            let known = self.whole_expression(count)?.number();
            return match known {
                Some(n) if n < 0 => self.sj_back(t, n),
                _ => self.space(t, rest),
            };
        }
        let v = self.whole_expression(count)?;
        let span = self.span_of(count);
        let n = self.must_know(v, span, "the count")?;
        self.check_count(n, span)?;
        let values = &rest[parts[1].0 as usize..];
        let mut list = self.sj_list(t, values, 0, Texts::Plain)?;
        let n = n as usize;
        list.open.retain(|o| (o.0.0 as usize) < n);
        let last = list.bytes.last().copied().unwrap_or(0);
        list.bytes.resize(n, last);
        self.sj_emit(list);
        Ok(())
    }

    /// `ds -count`: what follows lies over what was written.
    fn sj_back(&mut self, t: &Tok, n: i64) -> Outcome<()> {
        let d = Diagnostic::new(codes::PEER_CODE, "a negative count goes back").at(t.span);
        self.report(Box::new(d));
        let here = self.here_value.unwrap_or(0);
        self.sj_go((here + n) & 0xffff);
        Ok(())
    }

    /// `align`, `align 256`, `align 256, fill`.
    pub(super) fn sj_align(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if !rest.is_empty() {
            return self.align(t, rest);
        }
        let four = self.made_line("4")?;
        self.align(t, &four)
    }

    /// `assert condition, what to say`: a text, or the rest of the line as it stands there.
    pub(super) fn sj_assert(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let end = split(rest).first().map_or(0, |&(_, end)| end as usize);
        let said = match rest.get(end + 1..).unwrap_or(&[]) {
            [] => None,
            [one] if is_quoted(one) => {
                let text = self.sj_text(one);
                Some(String::from_utf8_lossy(&text).into_owned())
            }
            line => Some(self.written(line)),
        };
        self.assert(t, &rest[..end])?;
        if let Some(last) = self.program.asked.later.last_mut() {
            last.parts.extend(said.map(Part::Text));
        }
        Ok(())
    }

    /// `display "text", value`.
    pub(super) fn sj_display(&mut self, rest: &[Tok]) -> Outcome<()> {
        let mut parts = Vec::new();
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            match part {
                [] => {}
                [one] if is_quoted(one) => {
                    let text = self.sj_text(one);
                    parts.push(Part::Text(String::from_utf8_lossy(&text).into_owned()));
                }
                // How numbers are shown.
                [slash, _] if slash.kind == Kind::Slash => {}
                _ => {
                    let v = self.whole_expression(part)?;
                    parts.push(Part::Value(v));
                }
            }
        }
        let (span, expansion) = (self.statement, self.expansion);
        self.program.asked.later.push(crate::program::Later {
            condition: None,
            parts,
            span,
            expansion,
        });
        Ok(())
    }
}
