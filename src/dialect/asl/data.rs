//! Data: lists of values, texts and numbers with fractions, repeated with `dup`.

use super::state::State;
use super::typed::Typed;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::margin::data::Items;
use crate::image::Class;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// Most bytes that one statement may make.
const MOST: usize = 0x10000;

/// How deep `dup` may nest.
const DEEP: u32 = 32;

/// A number of sixteen bits with a fraction.
fn half(v: f64) -> Option<u16> {
    let sign = u16::from(v.is_sign_negative()) << 15;
    let m = v.abs();
    if m == 0.0 {
        return Some(sign);
    }
    let exponent = (m.log2().floor() as i32).max(-14);
    let steps = (m / 2f64.powi(exponent - 10)).round_ties_even();
    let (mut bits, mut e) = (steps as u32, exponent);
    if bits >= 2048 {
        (bits, e) = (bits / 2, e + 1);
    }
    match e {
        16.. => None,
        _ if bits < 1024 => Some(sign | bits as u16),
        _ => Some(sign | ((e + 15) as u16) << 10 | (bits as u16 & 0x3ff)),
    }
}

/// A number of eighty bits with a fraction, its lowest byte first.
fn extended(v: f64) -> [u8; 10] {
    let bits = v.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as u16, bits & ((1 << 52) - 1));
    let (exponent, mantissa) = match (exponent, fraction) {
        // As AS makes zero.
        (0, 0) => (15360, 0),
        (0, f) => {
            let up = f.leading_zeros();
            (15372 - up as u16, f << up)
        }
        (e, f) => (e + 15360, 1 << 63 | f << 11),
    };
    let mut out = [0; 10];
    out[..8].copy_from_slice(&mantissa.to_le_bytes());
    let high = exponent | ((bits >> 63) as u16) << 15;
    out[8..].copy_from_slice(&high.to_le_bytes());
    out
}

/// A number with a fraction in so many bytes.
fn real(v: f64, size: u8) -> Option<Vec<u8>> {
    Some(match size {
        2 => half(v)?.to_le_bytes().to_vec(),
        4 if (v as f32).is_finite() => (v as f32).to_le_bytes().to_vec(),
        8 => v.to_le_bytes().to_vec(),
        10 => extended(v).to_vec(),
        _ => return None,
    })
}

/// What a list is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Makes {
    Nothing,
    Bytes,
    Room(usize),
}

impl Assembler<'_> {
    /// Whether a list of data is room only.
    pub(super) fn asl_is_space(&self, rest: &[Tok]) -> bool {
        let mark = |t: &Tok| t.kind == Kind::Question;
        rest.iter().any(mark)
            && rest.iter().all(|t| {
                mark(t)
                    || matches!(
                        t.kind,
                        Kind::Comma | Kind::Open | Kind::Close | Kind::Number | Kind::Name
                    )
            })
            && rest
                .last()
                .is_some_and(|t| mark(t) || t.kind == Kind::Close)
    }

    /// `db`, `dw` and their like.
    pub(super) fn asl_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        let rest = &self.asl_marks(rest)?.unwrap_or_else(|| rest.to_vec())[..];
        let mut items = Items::default();
        let mut makes = Makes::Nothing;
        let done = self.asl_items(t, rest, size, &mut items, &mut makes, 0);
        match makes {
            Makes::Room(n) => self.asl_reserve(n as i64)?,
            _ if self.own.get::<State>().open.is_empty() => self.items_written(&items, size),
            Makes::Nothing => {}
            Makes::Bytes => {
                let d = Diagnostic::new(codes::MISPLACED, "a struct has no bytes of its own");
                return Err(Box::new(d.at(t.span).help("`?` is room for a value")));
            }
        }
        done
    }

    fn asl_items(
        &mut self,
        t: &Tok,
        list: &[Tok],
        size: u8,
        items: &mut Items,
        makes: &mut Makes,
        depth: u32,
    ) -> Outcome<()> {
        if list.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut done = Ok(());
        for (a, b) in split(list) {
            let part = &list[a as usize..b as usize];
            let before = items.made();
            if let Err(d) = self.asl_item(t, part, size, items, makes, depth) {
                items.failed(before, size);
                if depth > 0 || done.is_err() || self.fatal {
                    return Err(d);
                }
                done = Err(d);
            }
        }
        done
    }

    fn asl_item(
        &mut self,
        t: &Tok,
        part: &[Tok],
        size: u8,
        items: &mut Items,
        makes: &mut Makes,
        depth: u32,
    ) -> Outcome<()> {
        let mut level = 0i32;
        let dup = part.iter().position(|t| {
            level += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
            level == 0
                && t.kind == Kind::Name
                && self.sources.slice(t.span).eq_ignore_ascii_case("dup")
        });
        if let Some(at) = dup.filter(|&at| at > 0) {
            return self.asl_dup(t, (&part[..at], &part[at + 1..]), size, items, makes, depth);
        }
        let span = match part.is_empty() {
            true => t.span,
            false => self.span_of(part),
        };
        if let [mark] = part
            && mark.kind == Kind::Question
        {
            return self.asl_makes(makes, Makes::Room(size.into()), span);
        }
        self.asl_makes(makes, Makes::Bytes, span)?;
        if part.is_empty() {
            // Nothing is 0.
            return self.asl_int_item(0, size, items, span);
        }
        if items.bytes.len() > MOST {
            return Err(self.asl_too_long(span));
        }
        if let [one] = part
            && one.kind == Kind::Number
            && let Some(n) = self.asl_decimal(self.sources.slice(one.span))
        {
            return self.asl_int_item(n, size, items, span);
        }
        if !self.asl_is_rich(part) {
            return self.asl_value_item(part, size, items, span);
        }
        match self.asl_known(t, part, "the value")? {
            Typed::Int(n) => self.asl_int_item(n, size, items, span),
            Typed::Real(r) => match real(r, size) {
                Some(bytes) => {
                    items.bytes.extend(bytes);
                    Ok(())
                }
                None => {
                    let message = format!("a number with a fraction does not fit {size} bytes");
                    Err(Box::new(
                        Diagnostic::new(codes::BAD_EXPRESSION, message).at(span),
                    ))
                }
            },
            Typed::Text(text, true)
                if text.len() <= usize::from(size).min(4) && !text.is_empty() =>
            {
                let n = self.asl_number_of(&Typed::Text(text, true), span)?;
                self.asl_int_item(n, size, items, span)
            }
            Typed::Text(text, _) => {
                for b in self.asl_mapped(&text, span)? {
                    match size {
                        10 => items.bytes.extend(extended(b.into())),
                        _ => {
                            items.bytes.push(b);
                            let end = items.bytes.len() + usize::from(size) - 1;
                            items.bytes.resize(end, 0);
                        }
                    }
                }
                Ok(())
            }
        }
    }

    fn asl_too_long(&self, span: Span) -> Box<Diagnostic> {
        let d = Diagnostic::new(codes::TOO_MUCH, "more than 65,536 bytes in one statement");
        Box::new(d.at(span))
    }

    /// Notes what a list is made of: bytes or room, and not both.
    fn asl_makes(&self, makes: &mut Makes, what: Makes, span: Span) -> Outcome<()> {
        *makes = match (*makes, what) {
            (Makes::Nothing, what) => what,
            (Makes::Bytes, Makes::Bytes) => Makes::Bytes,
            (Makes::Room(a), Makes::Room(b)) => Makes::Room(a + b),
            _ => {
                let message = "a list is of values or of room, and not of both";
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(span);
                return Err(Box::new(d));
            }
        };
        Ok(())
    }

    fn asl_value_item(
        &mut self,
        part: &[Tok],
        size: u8,
        items: &mut Items,
        span: Span,
    ) -> Outcome<()> {
        if size <= 8 {
            return self.value_here(part, size, items);
        }
        let v = self.whole_expression(part)?;
        let n = self.must_know(v, span, "the value")?;
        self.asl_int_item(n, size, items, span)
    }

    fn asl_int_item(&mut self, n: i64, size: u8, items: &mut Items, span: Span) -> Outcome<()> {
        if size == 10 {
            items.bytes.extend(extended(n as f64));
            return Ok(());
        }
        let bits = match size {
            1..=3 => self.item_bits(n, size, span)? as i64,
            4 if i32::try_from(n).is_err() && u32::try_from(n).is_err() => {
                self.item_bits(n, size, span)? as i64
            }
            _ => n,
        };
        let wide = i128::from(bits).to_le_bytes();
        items.bytes.extend_from_slice(&wide[..usize::from(size)]);
        Ok(())
    }

    /// `count dup (list)`, `count dup value`.
    fn asl_dup(
        &mut self,
        t: &Tok,
        (count, list): (&[Tok], &[Tok]),
        size: u8,
        items: &mut Items,
        makes: &mut Makes,
        depth: u32,
    ) -> Outcome<()> {
        let n = self.known_here(t, count, "the count")?;
        let span = self.span_of(count);
        self.check_count(n, span)?;
        if depth >= DEEP {
            let d = Diagnostic::new(codes::TOO_DEEP, "`dup` nests more than 32 deep").at(span);
            return Err(Box::new(d));
        }
        if n == 0 {
            return Ok(());
        }
        let list = match list {
            [open, inner @ .., close] if open.kind == Kind::Open && close.kind == Kind::Close => {
                inner
            }
            other => other,
        };
        let before = items.made();
        let room = *makes;
        let mut inner = Makes::Nothing;
        self.asl_items(t, list, size, items, &mut inner, depth + 1)?;
        let times = n as usize;
        let made = items.bytes.len() - before.0;
        if made.saturating_mul(times) > MOST {
            return Err(self.asl_too_long(span));
        }
        *makes = room;
        match inner {
            Makes::Nothing => Ok(()),
            Makes::Room(r) => {
                let all = r.saturating_mul(times);
                if all > MOST {
                    return Err(self.asl_too_long(span));
                }
                self.asl_makes(makes, Makes::Room(all), span)
            }
            Makes::Bytes => {
                items.repeat(before, times);
                self.asl_makes(makes, Makes::Bytes, span)
            }
        }
    }

    /// `dn list`: half bytes, the first one low.
    pub(super) fn asl_nibbles(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mut bytes: Vec<u8> = Vec::new();
        for (k, (a, b)) in split(rest).into_iter().enumerate() {
            let part = &rest[a as usize..b as usize];
            let n = self.known_here(t, part, "the value")?;
            if !(-8..16).contains(&n) {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no half byte"));
                return Err(Box::new(d.at(self.span_of(part)).label("must be -8 to 15")));
            }
            let half = (n & 15) as u8;
            match k % 2 {
                0 => bytes.push(half),
                _ => {
                    if let Some(last) = bytes.last_mut() {
                        *last |= half << 4;
                    }
                }
            }
        }
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{extended, half};

    #[test]
    fn fractions_in_few_bytes() {
        assert_eq!(half(1.5), Some(0x3e00));
        assert_eq!(half(-0.1), Some(0xae66));
        assert_eq!(half(65504.0), Some(0x7bff));
        assert_eq!(half(1e6), None);
        assert_eq!(extended(1.5), [0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f]);
    }
}
