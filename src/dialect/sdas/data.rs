//! Values and data: numbers of any base, characters, texts between any two signs.

use super::state::State;
use super::words::End;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// The value of a number; none for a label like `1$`.
    pub(super) fn sdas_number(&self, t: &Tok) -> Option<Outcome<i64>> {
        let text = self.sources.slice(t.span);
        if text.ends_with('$') {
            return None;
        }
        let b = text.as_bytes();
        let base = match (b, b.get(1).map(u8::to_ascii_lowercase)) {
            ([b'0', _, _, ..], Some(b'x' | b'h')) => Some(16),
            ([b'0', _, _, ..], Some(b'b')) => Some(2),
            ([b'0', _, _, ..], Some(b'o' | b'q')) => Some(8),
            ([b'0', _, _, ..], Some(b'd')) => Some(10),
            _ => None,
        };
        let radix = match self.own.get::<State>().radix {
            0 => 10,
            r => r,
        };
        // A prefix alone is nothing.
        if radix == 10 && matches!(b, [b'0', p] if b"xhboqd".contains(&p.to_ascii_lowercase())) {
            return Some(Ok(0));
        }
        let (digits, base) = match base {
            Some(base) => (&text[2..], base),
            None => (text, radix),
        };
        Some(match u64::from_str_radix(digits, base) {
            Ok(n) => Ok(self.dialect.values.width.wrap(n as i64)),
            Err(_) => {
                let message = format!("`{text}` is no number of base {base}");
                let d = Diagnostic::new(codes::BAD_NUMBER, message).at(t.span);
                Err(Box::new(d.help("write 10, 0x1f, 0b101, 0o17")))
            }
        })
    }

    /// What is a value here and nowhere else.
    pub(super) fn sdas_leaf(&mut self, t: &Tok) -> Outcome<bool> {
        match t.kind {
            Kind::Number => {
                match self.sdas_number(t) {
                    Some(n) => {
                        let n = n?;
                        self.ops.push(Op::Number(n));
                    }
                    None => {
                        let id = self.sdas_number_label(t)?;
                        let expansion = self.expansion;
                        self.symbols.mark_used(id, t.span, expansion);
                        self.push_symbol(id);
                    }
                }
                Ok(true)
            }
            Kind::Single | Kind::Double => {
                // One character, or two with the first one low.
                let text = self.sources.slice(t.span);
                let bytes = escaped(&text[1..], self.sources.get(t.span.source).latin1);
                let n = match bytes[..] {
                    [one] | [one, b'\''] if t.kind == Kind::Single => i64::from(one),
                    [low, high] | [low, high, b'"'] if t.kind == Kind::Double => {
                        i64::from(low) | i64::from(high) << 8
                    }
                    _ => {
                        let d = Diagnostic::new(codes::BAD_EXPRESSION, "expected one character");
                        return Err(Box::new(d.at(t.span).help("texts stand in `.ascii`")));
                    }
                };
                self.ops.push(Op::Number(n));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// `.db 1, label`, `.dw`.
    pub(super) fn sdas_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() || parts.iter().any(|&(a, b)| a == b) {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(t.span);
            return Err(Box::new(d.help("write one, or leave a comma out")));
        }
        self.gnu_values(rest, size, false)
    }

    /// `.ascii "text"`: the sign before the text is that behind it.
    pub(super) fn sdas_text(&mut self, t: &Tok, end: End) -> Outcome<()> {
        let text = &self.sources.get(t.span.source).text;
        let line = &text[t.span.end as usize..];
        let line = line[..line.find('\n').unwrap_or(line.len())].trim_start();
        let mark = line.chars().next().filter(|&c| c != ';');
        let inner = mark.and_then(|m| {
            let inner = &line[m.len_utf8()..];
            inner.split_once(m)
        });
        let Some((inner, behind)) = inner else {
            let d = Diagnostic::new(codes::SYNTAX, "expected a text between two quotes");
            return Err(Box::new(d.at(t.span)));
        };
        let behind = behind.trim();
        if !behind.is_empty() && !behind.starts_with(';') {
            let d = Diagnostic::new(codes::SYNTAX, "expected the end of the line behind a text");
            return Err(Box::new(d.at(self.statement)));
        }
        let mut bytes = escaped(inner, self.sources.get(t.span.source).latin1);
        match (end, bytes.last_mut()) {
            (End::Zero, _) => bytes.push(0),
            (End::High, Some(last)) => *last |= 0x80,
            _ => {}
        }
        self.memo.not_again();
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }
}

/// The bytes of a text with escapes.
fn escaped(text: &str, latin1: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let code = match (c, chars.peek()) {
            ('\\', Some('b')) => Some(8),
            ('\\', Some('t')) => Some(9),
            ('\\', Some('n')) => Some(10),
            ('\\', Some('f')) => Some(12),
            ('\\', Some('r')) => Some(13),
            _ => None,
        };
        if let Some(code) = code {
            chars.next();
            out.push(code);
            continue;
        }
        let digit = |c: Option<&char>| c.and_then(|c| c.to_digit(8));
        if c == '\\' && digit(chars.peek()).is_some() {
            let mut v = 0;
            for _ in 0..3 {
                if let Some(d) = digit(chars.peek()) {
                    v = v * 8 + d;
                    chars.next();
                }
            }
            out.push(v as u8);
            continue;
        }
        // A backslash before anything else is one.
        match latin1 {
            true => out.push(c as u8),
            false => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}
