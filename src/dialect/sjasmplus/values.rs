//! Values: numbers, texts as numbers, names, `$$`.

use super::names::{begins_name, in_name};
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::{Cursor, clip};
use crate::read::syntax::literal::BadNumber;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// The value of a number, or why it is none.
fn number(text: &str) -> Result<u64, BadNumber> {
    let t = text.as_bytes();
    let last = t[t.len() - 1].to_ascii_lowercase();
    let (digits, base) = match t {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', _, ..] if last != b'h' => (&text[2..], 2),
        [b'0', b'q' | b'Q', _, ..] => (&text[2..], 8),
        _ => match last {
            b'h' => (&text[..text.len() - 1], 16),
            b'q' | b'o' => (&text[..text.len() - 1], 8),
            b'b' => (&text[..text.len() - 1], 2),
            b'd' => (&text[..text.len() - 1], 10),
            _ => (text, 10),
        },
    };
    digits_of(digits, base)
}

/// The value of digits with `_` and `'` between.
fn digits_of(digits: &str, base: u32) -> Result<u64, BadNumber> {
    if base == 10 && (1..10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) {
        let next = |v: u64, b: u8| v * 10 + u64::from(b - b'0');
        return Ok(digits.bytes().fold(0, next));
    }
    let mut v: u64 = 0;
    let mut any = false;
    for b in digits.bytes().filter(|&b| b != b'_' && b != b'\'') {
        let d = (b as char).to_digit(base).ok_or(BadNumber::Digit)?;
        any = true;
        v = v
            .checked_mul(u64::from(base))
            .and_then(|v| v.checked_add(u64::from(d)))
            .ok_or(BadNumber::TooLarge)?;
    }
    if !any || digits.ends_with('_') || digits.starts_with('_') {
        return Err(BadNumber::Digit);
    }
    if v > u64::from(u32::MAX) {
        return Err(BadNumber::TooLarge);
    }
    Ok(v)
}

/// A number as a label, `1b` or `1_f`: its digits and whether the next is meant.
fn numeric_label(text: &str, underscore: bool) -> Option<(&str, bool)> {
    let (body, last) = text.split_at(text.len() - 1);
    let body = match body.strip_suffix('_') {
        Some(b) => b,
        None if underscore => return None,
        None => body,
    };
    let digits = !body.is_empty() && body.bytes().all(|b| b.is_ascii_digit());
    match last {
        "b" | "B" if digits => Some((body, false)),
        "f" | "F" if digits => Some((body, true)),
        _ => None,
    }
}

/// The bytes of a quoted text: escapes in `"…"` only, `''` is a quote in `'…'`. The
/// second part tells that an escape is unknown, which leaves its backslash.
fn unquoted(text: &[u8]) -> (Vec<u8>, bool) {
    let (quote, inner) = (text[0], &text[1..text.len().max(2) - 1]);
    let mut out = Vec::with_capacity(inner.len());
    let mut unknown = false;
    let mut i = 0;
    while i < inner.len() {
        let (b, next) = (inner[i], inner.get(i + 1).copied());
        i += 1;
        if quote == b'\'' {
            i += usize::from(b == b'\'' && next == Some(b'\''));
            out.push(b);
            continue;
        }
        let (b'\\', Some(e)) = (b, next) else {
            out.push(b);
            continue;
        };
        let code = match e {
            b'\\' | b'\'' | b'"' | b'?' => e,
            b'0' => 0,
            b'n' | b'N' => 10,
            b't' | b'T' => 9,
            b'v' | b'V' => 11,
            b'b' | b'B' => 8,
            b'r' | b'R' => 13,
            b'f' | b'F' => 12,
            b'a' | b'A' => 7,
            b'e' | b'E' => 27,
            b'd' | b'D' => 127,
            _ => {
                unknown = true;
                out.push(b'\\');
                continue;
            }
        };
        i += 1;
        out.push(code);
    }
    (out, unknown)
}

impl Assembler<'_> {
    /// The bytes of a quoted token, as they stand in the file.
    pub(super) fn sj_text(&mut self, t: &Tok) -> Vec<u8> {
        let latin1 = self.sources.get(t.span.source).latin1;
        let text = self.sources.slice(t.span);
        let (out, unknown) = match latin1 && !text.is_ascii() {
            true => {
                let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
                unquoted(&bytes)
            }
            false => unquoted(text.as_bytes()),
        };
        if unknown {
            let message = "an unknown escape keeps its backslash";
            self.report(Box::new(
                Diagnostic::new(codes::PEER_CODE, message).at(t.span),
            ));
        }
        out
    }

    fn sj_number(&mut self, t: &Tok) -> Outcome<i64> {
        let text = self.sources.slice(t.span);
        let value = match t.kind {
            Kind::Dollar | Kind::Hash => digits_of(&text[1..], 16),
            Kind::Percent => digits_of(&text[1..], 2),
            _ => number(text),
        };
        match value {
            Ok(n) => Ok(i64::from(n as u32 as i32)),
            Err(e) => Err(self.bad_number(t, e)),
        }
    }

    /// The value of an expression that is one token.
    #[inline]
    pub(super) fn sj_single(&mut self, t: &Tok) -> Option<Outcome<Value>> {
        match t.kind {
            Kind::Number => {
                if self.own.get::<State>().jump {
                    let text = self.sources.slice(t.span);
                    if let Some((digits, forward)) = numeric_label(text, false) {
                        let digits = digits.to_owned();
                        let id = match self.sj_numbered(&digits, forward, t.span) {
                            Ok(id) => id,
                            Err(d) => return Some(Err(d)),
                        };
                        return Some(self.symbol_value(id));
                    }
                }
                let text = self.sources.slice(t.span);
                if numeric_label(text, true).is_some() {
                    return None;
                }
                Some(self.sj_number(t).map(Value::Number))
            }
            Kind::Name if !self.is_operator(t) => {
                let text = self.sources.slice(t.span);
                let state = self.own.get::<State>();
                if state.module.is_empty() && !text.starts_with('.') && !self.sjasm_notes_uses() {
                    return self.name_single(t);
                }
                let text = text.to_owned();
                Some(
                    self.sj_used(&text, t.span)
                        .and_then(|id| self.symbol_value(id)),
                )
            }
            _ => None,
        }
    }

    /// An operand of an expression.
    pub(super) fn sj_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        match t.kind {
            Kind::Number => {
                let text = self.sources.slice(t.span);
                if let Some((digits, forward)) = numeric_label(text, true) {
                    let digits = digits.to_owned();
                    let id = self.sj_numbered(&digits, forward, t.span)?;
                    self.push_symbol(id);
                    return Ok(true);
                }
                let n = self.sj_number(t)?;
                self.ops.push(Op::Number(n));
            }
            Kind::Dollar | Kind::Hash | Kind::Percent if t.span.end - t.span.start > 1 => {
                let n = self.sj_number(t)?;
                self.ops.push(Op::Number(n));
            }
            Kind::Name | Kind::At => {
                let text = self.sources.slice(t.span).to_owned();
                if matches!(text.as_str(), "exist" | "EXIST" | "sizeof" | "SIZEOF")
                    && self.sj_asks(text.eq_ignore_ascii_case("exist"), c)?
                {
                    return Ok(true);
                }
                if matches!(text.as_str(), "norel" | "NOREL") && !c.done() {
                    let start = self.ops.len();
                    self.operand(c, depth + 1)?;
                    self.sj_not_moved(start);
                    return Ok(true);
                }
                let id = self.sj_used(&text, t.span)?;
                self.push_symbol(id);
            }
            Kind::Percent if t.span.end - t.span.start == 1 && self.dialect.name == "sjasm" => {
                let mut signs = 1;
                while c.eat(Kind::Percent) {
                    signs += 1;
                }
                self.memo.not_again();
                let n = self.sjasm_round_number(signs)?;
                self.ops.push(Op::Number(n));
            }
            Kind::Hash if t.span.end - t.span.start == 1 && self.dialect.name == "sjasm" => {
                self.memo.not_again();
                let page = self.sjasm_page_here();
                self.ops.push(Op::Number(page));
            }
            Kind::Colon if self.dialect.name == "sjasm" => return self.sjasm_colon(c, depth),
            Kind::CurlyOpen => return self.sj_read(t, c, depth),
            Kind::Single | Kind::Double => {
                let bytes = self.sj_text(t);
                let v = bytes.iter().fold(0u32, |v, &b| v << 8 | u32::from(b));
                if bytes.len() > 4 {
                    let message = format!("only the last 4 of {} characters count", bytes.len());
                    let d = Diagnostic::new(codes::TRUNCATED, message).at(t.span);
                    self.report(Box::new(d));
                }
                self.ops.push(Op::Number(i64::from(v as i32)));
            }
            Kind::Dollar if t.span.end - t.span.start == 1 => return self.sj_dollar(t, c),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `exist name`, `sizeof(name)`; false where it is a name itself.
    fn sj_asks(&mut self, exist: bool, c: &mut Cursor<'_>) -> Outcome<bool> {
        let from = c.at;
        let open = c.eat(Kind::Open);
        let name = c.peek().filter(|n| matches!(n.kind, Kind::Name | Kind::At));
        let Some(&name) = name else {
            c.at = from;
            return Ok(false);
        };
        c.at += 1;
        if open && !c.eat(Kind::Close) {
            c.at = from;
            return Ok(false);
        }
        let text = self.text(&name).to_owned();
        if !exist {
            let id = self.sj_used(&text, name.span)?;
            self.ops.push(Op::Sizeof(id));
            return Ok(true);
        }
        let id = self.sj_symbol(&text, name.span)?;
        let id = self.symbols.resolve(id);
        let s = self.symbols.get(id);
        let key = s.name.clone();
        let there = s.meaning != Meaning::Undefined || self.again.prior_values.contains_key(&key);
        self.ops.push(Op::Number(if there { -1 } else { 0 }));
        Ok(true)
    }

    /// `$`, or `$$` and `$$name` for a page, or `$$$` for the address that is not displaced.
    fn sj_dollar(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<bool> {
        self.own.get_mut::<State>().origin.ask();
        let text = &self.sources.get(t.span.source).text.as_bytes()[t.span.start as usize..];
        let count = text.iter().take_while(|&&b| b == b'$').count();
        if count == 1 {
            let moves = self.sj_moves();
            let before = self.own.get::<State>().structs.before;
            if moves {
                self.memo.not_again();
                let id = self.sj_here_moved();
                self.push_symbol(id);
            } else if before > 0 {
                self.push_here();
            }
            if before > 0 {
                self.ops
                    .extend([Op::Number(before), Op::Binary(Binary::Add)]);
            }
            return Ok(moves || before > 0);
        }
        let name = text[count..].iter().take_while(|&&b| in_name(b)).count();
        let start = t.span.start + count as u32;
        // Letters behind may have been read as digits.
        let named = begins_name(&String::from_utf8_lossy(&text[count..count + name]));
        let end = if named { start + name as u32 } else { start };
        let inside = |n: &Tok| n.span.source == t.span.source && n.span.start < end;
        while c.peek().is_some_and(inside) {
            c.at += 1;
        }
        let name = Span::new(t.span.source, start, end);
        match count {
            2..=4 => {
                // It may be another value on the same line elsewhere.
                self.memo.not_again();
                let paged = match named {
                    true => {
                        let text = self.sources.slice(name).to_owned();
                        let id = self.sj_used(&text, name)?;
                        Some(self.sj_paged(id))
                    }
                    false => None,
                };
                let n = match (count, paged) {
                    (2, Some(p)) => p.page,
                    (3, Some(p)) => p.stored.0,
                    (4, Some(p)) => p.stored.1,
                    (2, None) => self.sj_page_here(),
                    (3, None) => match self.sj_stored_here() {
                        Some(n) => n,
                        None => {
                            self.push_here();
                            return Ok(true);
                        }
                    },
                    _ => {
                        let at = self.sj_stored_here().or(self.here_value);
                        self.sj_page_at(at.unwrap_or(0))
                    }
                };
                self.ops.push(Op::Number(n));
            }
            _ => {
                let message = format!("`{}` has no value here", clip(&"$".repeat(count)));
                let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(t.span);
                return Err(Box::new(d));
            }
        }
        Ok(true)
    }
}
