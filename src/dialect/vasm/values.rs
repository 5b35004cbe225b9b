//! Names and values: `.x`, `1$`, labels without a name, `@101`, `4#123`, `'c`.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::read::state::feeds::{Feed, FeedKind};
use crate::read::syntax::expression::Cursor;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// The symbol that counts the rounds of a repeat.
pub const ROUND: &str = "__RPTCNT";

impl Assembler<'_> {
    /// Whether a token is a label that belongs to the one before: `.x`, `1$`, `x$`.
    #[inline]
    pub(super) fn vasm_is_local(&self, t: &Tok) -> bool {
        if !matches!(t.kind, Kind::Name | Kind::Number) {
            return false;
        }
        let text = self.sources.slice(t.span).as_bytes();
        text.len() > 1 && (text[0] == b'.' || text[text.len() - 1] == b'$')
    }

    /// The symbol of a label that belongs to the one before.
    pub(super) fn vasm_local(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.program.sources.slice(t.span);
        let known = text.trim_end_matches('$').bytes();
        let odd = |b: u8| b == b'$' || b >= 0x80;
        if known.clone().any(odd) || text.len() > 1024 {
            let message = format!("`{}` is no label", clip(text));
            let d = Diagnostic::new(codes::BAD_NUMBER, message).at(t.span);
            return Err(Box::new(d));
        }
        let dot = if text.starts_with('.') { "" } else { "." };
        let full = format!("{}{dot}{text}", self.naming.parent);
        let id = self.symbols.intern(&full);
        self.symbols.get_mut(id).local = true;
        Ok(id)
    }

    /// The same, used.
    pub(super) fn vasm_local_used(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let id = self.vasm_local(t)?;
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    /// The value of digits behind a zero, which are octal up to one that is not.
    pub(super) fn vasm_octal(&mut self, t: &Tok) -> Option<i64> {
        let text = self.sources.slice(t.span);
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        if t.kind != Kind::Number || !digits || !text.starts_with('0') {
            return None;
        }
        let end = text.find(['8', '9'])?;
        let v = i64::from_str_radix(&text[..end], 8).ok()?;
        self.not_read(Span::new(
            t.span.source,
            t.span.start + end as u32,
            t.span.end,
        ));
        Some(v)
    }

    /// What is a value here and nowhere else.
    pub(super) fn vasm_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<bool> {
        let next = c.peek().filter(|n| n.span.start == t.span.end).copied();
        let v = match (t.kind, next) {
            (Kind::Name | Kind::Number, _) if self.vasm_is_local(t) => {
                let id = self.vasm_local_used(t)?;
                self.push_symbol(id);
                return Ok(true);
            }
            (Kind::Name, _) if self.text(t) == ROUND => self.vasm_round(),
            (Kind::Colon, Some(n)) if matches!(n.kind, Kind::Plus | Kind::Minus) => {
                let id = self.vasm_unnamed(t, c);
                self.push_symbol(id);
                return Ok(true);
            }
            (Kind::At, Some(n)) if n.kind == Kind::Number => {
                c.at += 1;
                self.vasm_digits(&n, self.text(&n), 2)?
            }
            (Kind::Number, Some(n)) if n.kind == Kind::Hash && n.span.end - n.span.start > 1 => {
                let base = self.text(t).parse().unwrap_or(0);
                if !(2..10).contains(&base) {
                    return Ok(false);
                }
                c.at += 1;
                self.vasm_digits(&n, &self.text(&n)[1..], base)?
            }
            (Kind::Number, _) if let Some(v) = self.vasm_octal(t) => v,
            (Kind::Bad, _) => match self.vasm_character(t) {
                Some(v) => v,
                None => return Ok(false),
            },
            (Kind::Single | Kind::Double, _) => {
                // Of a text the first character.
                let text = self.quoted_codes(t)?;
                i64::from(text.first().copied().unwrap_or(0))
            }
            _ => return Ok(false),
        };
        self.ops.push(Op::Number(v));
        Ok(true)
    }

    fn vasm_digits(&self, t: &Tok, digits: &str, base: u32) -> Outcome<i64> {
        i64::from_str_radix(digits, base).map_err(|_| {
            let message = format!("`{}` are no digits of base {base}", clip(digits));
            Box::new(Diagnostic::new(codes::BAD_NUMBER, message).at(t.span))
        })
    }

    /// A character with a quote before it only, at the end of a line.
    fn vasm_character(&self, t: &Tok) -> Option<i64> {
        let rest = self.text(t).strip_prefix(['\'', '"'])?;
        let mut chars = rest.chars();
        let c = chars.next().filter(char::is_ascii)?;
        let behind = chars.as_str().trim_start();
        (behind.is_empty() || behind.starts_with(';')).then_some(i64::from(c as u32))
    }

    /// `:-`, `:+`, `:--` …: a label without a name before or behind.
    fn vasm_unnamed(&mut self, t: &Tok, c: &mut Cursor<'_>) -> SymbolId {
        let mut number = i64::from(self.own.get::<State>().unnamed);
        let mut first = true;
        let mut end = t.span.end;
        while let Some(n) = c.peek()
            && n.span.start == end
            && matches!(n.kind, Kind::Plus | Kind::Minus)
        {
            number += match (n.kind, first) {
                (Kind::Plus, _) => 1,
                (_, true) => 0,
                _ => -1,
            };
            (first, end) = (false, n.span.end);
            c.at += 1;
        }
        let id = self.symbols.intern(&format!(":{number}"));
        let expansion = self.expansion;
        let span = t.span.to(Span::new(t.span.source, end, end));
        self.symbols.mark_used(id, span, expansion);
        id
    }

    /// The round of the repeat that a line stands in; -1 outside of one.
    pub(super) fn vasm_round(&self) -> i64 {
        let round = |f: &Feed| match f.kind {
            FeedKind::Lines {
                rounds: Some((_, round, _)),
                ..
            } => Some(round as i64),
            _ => None,
        };
        self.lines.feeds.iter().rev().find_map(round).unwrap_or(-1)
    }
}

/// So much of a text as a message has room for.
fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}
