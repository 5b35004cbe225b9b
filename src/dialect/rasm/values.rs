//! Values: names, `$`, texts, `{sizeof}x`, functions.

use super::data::Quoted;
use super::functions::{Function, PI};
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::{Known, Op, Real};
use crate::program::fractions;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Needed, Outcome, Value, limits};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};

/// Whether a byte may stand in a name.
pub fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'@') || b >= 0x80
}

/// The value of a name that is always defined.
pub fn predefined(name: &str) -> Option<f64> {
    match name.to_ascii_lowercase().as_str() {
        "pi" => Some(PI),
        "assembler_rasm" => Some(1.0),
        "rasm_version" => Some(3.27),
        _ => None,
    }
}

/// The value of a number that begins with a letter: `FFh`.
fn letters(text: &str) -> Option<i64> {
    let digits = text.strip_suffix(['h', 'H'])?;
    let hex = !digits.is_empty() && digits.len() < 16;
    let hex = hex && digits.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| i64::from_str_radix(digits, 16).ok()).flatten()
}

/// A value as it is put in the place of a variable: six digits behind the point.
fn in_digits(v: f64) -> f64 {
    format!("{v:.6}").parse().unwrap_or(v)
}

impl Assembler<'_> {
    /// The value of an expression that is one token.
    #[inline]
    pub(super) fn rasm_single(&mut self, t: &Tok) -> Option<Outcome<Value>> {
        if t.kind == Kind::Number {
            return match self.rasm_suffix_of(t) {
                Ok(()) => self.plain_single(t),
                Err(d) => Some(Err(d)),
            };
        }
        if t.kind != Kind::Name {
            return None;
        }
        let text = self.program.sources.slice(t.span);
        let last = text.as_bytes()[text.len() - 1] | 0x20;
        if text.starts_with('.') || last == b'h' || text.len() > 1024 {
            return None;
        }
        if !self.own.get::<State>().module.is_empty() || self.symbols.is_full() {
            return None;
        }
        let id = self.program.symbols.intern(text);
        match self.symbols.get(id).meaning {
            Meaning::Expr(_) => return None,
            Meaning::Undefined if predefined(self.sources.slice(t.span)).is_some() => return None,
            _ => {}
        }
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Some(self.symbol_value(id))
    }

    /// An operand of an expression.
    pub(super) fn rasm_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        let joined = |c: &Cursor<'_>| c.peek().filter(|n| n.span.start == t.span.end).copied();
        match t.kind {
            Kind::Name | Kind::At => return self.rasm_name_value(t, c, depth),
            Kind::Dollar if t.span.end - t.span.start == 1 => {
                let places = &self.own.get::<State>().places;
                let double = joined(c)
                    .is_some_and(|n| n.kind == Kind::Dollar && n.span.end - n.span.start == 1);
                let n = match (double, places.in_org) {
                    (false, None) => return Ok(false),
                    (false, Some(n)) => n,
                    (true, _) => {
                        c.at += 1;
                        self.rasm_stored()
                    }
                };
                self.ops.push(Op::Number(n));
            }
            Kind::Single | Kind::Double => {
                let bytes = self.rasm_text(t, Quoted::Value)?;
                let [b] = bytes[..] else {
                    let message = format!("a text of {} characters is not a value", bytes.len());
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(t.span);
                    return Err(Box::new(d));
                };
                self.ops.push(Op::Number(b.into()));
            }
            Kind::CurlyOpen => self.rasm_prefix(t, c)?,
            Kind::Number => {
                self.rasm_suffix_of(t)?;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A number may have `h` or `b` behind it, and no other letter.
    fn rasm_suffix_of(&self, t: &Tok) -> Outcome<()> {
        let text = self.sources.slice(t.span);
        if !matches!(
            text.bytes().last(),
            Some(b'd' | b'D' | b'o' | b'O' | b'q' | b'Q')
        ) || text.starts_with("0x")
            || text.starts_with("0X")
        {
            return Ok(());
        }
        let message = format!("`{text}` is not a number in this dialect");
        let d = Diagnostic::new(codes::BAD_NUMBER, message).at(t.span);
        Err(Box::new(d.help("`17`, `11h`, `10001b`, `0o21`")))
    }

    /// A name in an expression.
    fn rasm_name_value(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        let text = self.sources.slice(t.span);
        if t.kind == Kind::At && text.len() > 1 && text[1..].bytes().all(|b| b.is_ascii_digit()) {
            let value = i64::from_str_radix(&text[1..], 8);
            let bad = || {
                let message = format!("`{text}` is no octal number");
                Box::new(Diagnostic::new(codes::BAD_NUMBER, message).at(t.span))
            };
            let n = value.map_err(|_| bad())?;
            self.ops.push(Op::Number(n));
            return Ok(true);
        }
        if let Some(n) = letters(text) {
            // What has a value by `equ` or `=` above is meant, a label is not.
            let text = text.to_owned();
            let id = self.rasm_named(&text, t.span)?;
            let s = self.symbols.get(self.symbols.resolve(id));
            if s.label || s.meaning == Meaning::Undefined {
                self.ops.push(Op::Number(n));
                return Ok(true);
            }
        }
        let text = self.sources.slice(t.span);
        if c.kind() == Some(Kind::Open)
            && let Some(f) = Function::named(text)
        {
            self.rasm_function(f, t, c, depth)?;
            return Ok(true);
        }
        if text == "_"
            && let Some(sign) = c.peek()
            && sign.span.start == t.span.end
            && matches!(sign.kind, Kind::Plus | Kind::Minus)
            && c.at + 1 == c.toks.len()
        {
            let next = sign.kind == Kind::Plus;
            c.at += 1;
            let id = self.rasm_unnamed(next, t.span);
            self.push_symbol(id);
            return Ok(true);
        }
        let fixed = predefined(text);
        let id = self.rasm_used(t)?;
        self.rasm_push(id, fixed);
        Ok(true)
    }

    /// Pushes what a symbol stands for; `otherwise` if it stands for nothing.
    fn rasm_push(&mut self, id: SymbolId, otherwise: Option<f64>) {
        let exact = self.own.get::<State>().exact;
        let resolved = self.symbols.resolve(id);
        let (meaning, variable) = {
            let s = self.symbols.get(resolved);
            (s.meaning, s.variable)
        };
        let real = |v: f64| Real::new(v).map_or(Op::Number(0), Op::Real);
        match (meaning, otherwise) {
            (Meaning::Undefined, Some(v)) => {
                let op = match fractions::is_whole(v) {
                    true => Op::Number(v as i64),
                    false => real(v),
                };
                self.ops.push(op);
            }
            (Meaning::Expr(e), _) if e.len <= limits::COPIED => {
                let all = e.start as usize..(e.start + e.len) as usize;
                // Fractions are rounded where a value is wanted, not where it has a name.
                let divides = self.ops[all.clone()]
                    .iter()
                    .any(|op| matches!(op, Op::Real(_) | Op::Binary(Binary::Div)));
                if !divides {
                    return self.push_symbol(id);
                }
                for i in all {
                    let op = match self.ops[i] {
                        Op::Real(r) if variable && !exact => real(in_digits(r.get())),
                        op => op,
                    };
                    self.ops.push(op);
                }
            }
            _ => self.push_symbol(id),
        }
    }

    /// `{sizeof}name`, behind its bracket.
    fn rasm_prefix(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<()> {
        let fault = |why: &str, at: &Tok| {
            let d = Diagnostic::new(codes::SYNTAX, why.to_owned()).at(at.span);
            Err(Box::new(d))
        };
        let [word, close, name] = c.toks.get(c.at..c.at + 3).unwrap_or(&[]) else {
            return fault("expected `{sizeof}name`", t);
        };
        if close.kind != Kind::CurlyClose || !matches!(name.kind, Kind::Name | Kind::At) {
            return fault("expected `{sizeof}name`", t);
        }
        if !self.text(word).eq_ignore_ascii_case("sizeof") {
            return fault("only `{sizeof}` may stand before a name here", word);
        }
        c.at += 3;
        let text = self.text(name).to_owned();
        match self.rasm_size_of(&text) {
            Some(n) => self.ops.push(Op::Number(n)),
            None => {
                let message = format!("`{text}` is no struct, nor a field of one");
                let d = Diagnostic::new(codes::UNKNOWN_SYMBOL, message).at(name.span);
                return Err(Box::new(d));
            }
        }
        Ok(())
    }

    /// The value of some tokens, which must be known here, with its fraction.
    pub(super) fn rasm_number(&mut self, toks: &[Tok], what: &str) -> Outcome<f64> {
        let v = self.whole_expression(toks)?;
        let span = self.span_of(toks);
        if let Value::Expr(e) = v {
            let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
            if let Ok(Known::Real(r)) = self.now(ops) {
                let (r, number) = (r.get(), r.get() as i64);
                self.chosen.decide(v, number, span, Needed::Number);
                return Ok(r);
            }
        }
        self.must_know(v, span, what).map(|n| n as f64)
    }

    /// What a symbol of that value means.
    pub(super) fn rasm_meaning(&mut self, v: f64) -> Meaning {
        match Real::new(v) {
            Ok(r) if !fractions::is_whole(v) => {
                let start = self.ops.len() as u32;
                self.ops.push(Op::Real(r));
                Meaning::Expr(crate::program::symbol::ExprId { start, len: 1 })
            }
            _ => Meaning::Number(v as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{in_digits, letters};

    #[test]
    fn numbers_may_begin_with_a_letter() {
        assert_eq!(letters("FFh"), Some(255));
        assert_eq!(letters("beach"), Some(0xbeac));
        assert_eq!(letters("h"), None);
        assert_eq!(letters("labelh"), None);
    }

    #[test]
    fn variables_keep_six_digits() {
        assert_eq!(in_digits(1.0 / 3.0), 0.333_333);
        assert_eq!(in_digits(2.5), 2.5);
    }
}
