//! Values: numbers in their forms, names, texts as numbers.

use super::operands::is_half;
use super::state::State;
use super::typed::Typed;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::literal::BadNumber;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// Forms of numbers by their names for `intsyntax`, as AS tries them.
pub const FORMS: [&str; 12] = [
    "0xhex", "0bbin", "$hex", "%bin", "@oct", "hexh", "binb", "octo", "octq", "0oct", "0hex", "dec",
];
/// Those that are in force, and those beside them where `relaxed` is on.
const INTEL: u32 = 0b1001_1110_0000;
const RELAXED: u32 = 0b0010_0001_1111;

impl Assembler<'_> {
    /// The value of a few decimal digits, where numbers are read so.
    pub(super) fn asl_decimal(&self, text: &str) -> Option<i64> {
        let b = text.as_bytes();
        let plain = b.first() != Some(&b'0') && (1..10).contains(&b.len());
        if !plain || self.own.get::<State>().forms.radix != 10 {
            return None;
        }
        b.iter().try_fold(0, |v, d| {
            d.is_ascii_digit().then(|| v * 10 + i64::from(d - b'0'))
        })
    }

    /// The value of a number as it is written.
    pub(super) fn asl_digits(&self, text: &str) -> Option<i64> {
        let forms = self.own.get::<State>().forms;
        let mut taken = (INTEL & !forms.less) | forms.more;
        if forms.relaxed {
            taken |= RELAXED;
        }
        if let Some(n) = self.asl_decimal(text) {
            return Some(n);
        }
        let b = text.as_bytes();
        let n = b.len();
        let first = *b.first()?;
        let last = b[n - 1].to_ascii_uppercase();
        let second = b.get(1).map_or(0, u8::to_ascii_uppercase);
        let room = |letter: u8| forms.radix <= u32::from(letter - b'A') + 10;
        let digits = |from: usize, base: u32| {
            b[from..].iter().all(|&d| (d as char).is_digit(base)) && n > from
        };
        let prefix = |c: u8, letter: u8| c == letter && n > 1;
        let suffix = |letter: u8| n > 1 && first.is_ascii_digit() && last == letter && room(letter);
        let (mut from, mut to, mut base) = (0, n, forms.radix);
        for (k, _) in FORMS.iter().enumerate().filter(|f| taken >> f.0 & 1 != 0) {
            let found = match k {
                0 => n > 2 && first == b'0' && second == b'X' && room(b'X'),
                1 => n > 2 && first == b'0' && second == b'B' && room(b'B') && digits(2, 2),
                2 => prefix(first, b'$'),
                3 => prefix(first, b'%'),
                4 => prefix(first, b'@'),
                5 => suffix(b'H'),
                6 => suffix(b'B'),
                7 => suffix(b'O'),
                8 => suffix(b'Q'),
                9 => n > 1 && first == b'0' && digits(1, 8),
                10 => n > 1 && first == b'0' && digits(1, 16),
                _ => true,
            };
            if found {
                base = [16, 2, 16, 2, 8, 16, 2, 8, 8, 8, 16, forms.radix][k];
                from = [2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0][k];
                to = if (5..=8).contains(&k) { n - 1 } else { n };
                break;
            }
        }
        let mut v: u64 = 0;
        for &d in &b[from..to] {
            let d = (d as char).to_digit(base)?;
            v = v.checked_mul(base.into())?.checked_add(d.into())?;
        }
        Some(v as i64)
    }

    fn asl_number(&self, t: &Tok, text: &str) -> Outcome<i64> {
        match self.asl_digits(text) {
            Some(n) => Ok(n),
            None if text.starts_with("0x") || text.starts_with('$') => {
                let d = self.bad_number(t, BadNumber::Digit);
                Err(Box::new(
                    d.help("`relaxed on` takes this form; else write `0FFh`"),
                ))
            }
            None => Err(self.bad_number(t, BadNumber::Digit)),
        }
    }

    /// The value of one token.
    pub(super) fn asl_single(&mut self, t: &Tok) -> Option<Outcome<Value>> {
        match t.kind {
            Kind::Number if !self.asl_is_real(t) => {
                let n = self.asl_number(t, self.sources.slice(t.span));
                Some(n.map(Value::Number))
            }
            Kind::Name => {
                if let Some(v) = self.asl_other_name(t) {
                    return Some(v.map(Value::Number));
                }
                let id = match self.asl_used(t) {
                    Ok(id) => id,
                    Err(d) => return Some(Err(d)),
                };
                Some(self.symbol_value(id))
            }
            _ => None,
        }
    }

    /// Whether an operand is a name or number like any other, outside of calls.
    pub(super) fn asl_is_plain_value(&self, t: &Tok) -> bool {
        let state = self.own.get::<State>();
        let half = |t: &Tok| is_half(self.sources.slice(t.span));
        state.frames.is_empty()
            && state.forms.radix <= 10
            && !self.asl_is_8080()
            && match t.kind {
                Kind::Number => !self.asl_is_real(t),
                _ => self.asl_typed(t).is_none() && !half(t),
            }
    }

    /// The number that a name is which is no symbol of the program.
    fn asl_other_name(&mut self, t: &Tok) -> Option<Outcome<i64>> {
        let text = self.sources.slice(t.span);
        if let Some(v) = self.asl_typed(t).cloned() {
            return Some(self.asl_number_of(&v, t.span));
        }
        if self.own.get::<State>().forms.radix > 10
            && let Some(n) = self.asl_digits(text)
        {
            return Some(Ok(n));
        }
        let unknown = |a: &Self| {
            let found = a.symbols.find(text);
            found.is_none_or(|id| a.symbols.get(id).meaning == Meaning::Undefined)
        };
        let v = self.asl_builtin(text).filter(|_| unknown(self))?;
        Some(self.asl_number_of(&v, t.span))
    }

    /// The symbol that a token names, marked as used.
    pub(super) fn asl_used(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let id = self.asl_symbol(t)?;
        let expansion = self.expansion;
        let meant = self.symbols.resolve(id);
        self.symbols.mark_used(meant, t.span, expansion);
        if meant != id {
            self.symbols.mark_used(id, t.span, expansion);
        }
        Ok(id)
    }

    /// The symbol that a token names.
    pub(super) fn asl_symbol(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.sources.slice(t.span);
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(t.span)));
        }
        if self.symbols.is_full() {
            let most = crate::program::limits::SYMBOLS;
            return Err(self.too_many(most, "symbols, or names too long for so many"));
        }
        let text = text.to_owned();
        Ok(self.asl_meant(&text))
    }

    /// Whether a name has a meaning so far.
    pub(super) fn asl_is_defined(&mut self, t: &Tok) -> Outcome<bool> {
        if self.asl_typed(t).is_some() {
            return Ok(true);
        }
        let key = self.register_key(t);
        let id = self.asl_symbol(t)?;
        let meaning = self.symbols.get(self.symbols.resolve(id)).meaning;
        Ok(meaning != Meaning::Undefined
            || self.naming.register_names.contains_key(&key)
            || self.asl_builtin(self.sources.slice(t.span)).is_some())
    }

    /// What is a value here and nowhere else.
    pub(super) fn asl_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        let next_to = |c: &Cursor<'_>| c.peek().is_some_and(|n| n.span.start == t.span.end);
        let n = match t.kind {
            Kind::Number if self.asl_is_real(t) => {
                let d = Diagnostic::new(codes::BAD_EXPRESSION, "this is no whole number");
                return Err(Box::new(d.at(t.span)));
            }
            Kind::Number => self.asl_number(t, self.sources.slice(t.span))?,
            Kind::Dollar if t.span.end - t.span.start > 1 => {
                self.asl_number(t, self.sources.slice(t.span))?
            }
            Kind::Percent | Kind::At if c.kind() == Some(Kind::Number) && next_to(c) => {
                let whole = Tok {
                    kind: Kind::Number,
                    span: t.span.to(c.toks[c.at].span),
                };
                c.at += 1;
                self.asl_number(&whole, self.sources.slice(whole.span))?
            }
            Kind::Single | Kind::Double => {
                let text = self.asl_text(t)?;
                self.asl_number_of(&Typed::Text(text, true), t.span)?
            }
            Kind::Name if c.kind() == Some(Kind::Open) && self.asl_is_function(t) => {
                return self.asl_function_leaf(t, c, depth);
            }
            Kind::Name if c.kind() == Some(Kind::SquareOpen) && next_to(c) => {
                let id = self.asl_qualified(t, c)?;
                self.push_symbol(id);
                return Ok(true);
            }
            Kind::Name => match self.asl_other_name(t) {
                Some(n) => n?,
                None => {
                    let id = self.asl_used(t)?;
                    self.push_symbol(id);
                    return Ok(true);
                }
            },
            _ => return Ok(false),
        };
        self.ops.push(Op::Number(n));
        Ok(true)
    }

    /// `name[section]`.
    fn asl_qualified(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<SymbolId> {
        let close = c.toks[c.at..]
            .iter()
            .position(|t| t.kind == Kind::SquareClose);
        let Some(close) = close else {
            let d = Diagnostic::new(codes::SYNTAX, "expected `]`").at(t.span);
            return Err(Box::new(d));
        };
        let inner = &c.toks[c.at + 1..c.at + close];
        let section = self.written(inner);
        let span = self.span_of(&c.toks[c.at..=c.at + close]);
        c.at += close + 1;
        let text = self.text(t).to_owned();
        let Some(id) = self.asl_of_section(&text, section.trim()) else {
            let message = format!("there is no section `{}` here", section.trim());
            let d = Diagnostic::new(codes::UNKNOWN_SYMBOL, message).at(span);
            return Err(Box::new(d));
        };
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    fn asl_function_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        if !super::functions::is_known(self.sources.slice(t.span)) {
            let made = self.asl_expanded(t, c)?;
            if !self.asl_is_rich(&made) {
                let mut inner = Cursor::new(&made);
                self.own.get_mut::<State>().depth += 1;
                let done = self.ternary(&mut inner, depth + 1);
                self.own.get_mut::<State>().depth -= 1;
                done?;
                return match inner.peek() {
                    None => Ok(true),
                    Some(_) => Err(self.leftover(&made, inner.at)),
                };
            }
            let first = made[0];
            let at = self.ops.len();
            self.own.get_mut::<State>().depth += 1;
            let v = self.asl_known(&first, &made, "the value");
            self.own.get_mut::<State>().depth -= 1;
            let n = self.asl_number_of(&v?, t.span)?;
            self.ops.truncate(at);
            self.ops.push(Op::Number(n));
            return Ok(true);
        }
        // What its arguments were read into is no part of the expression around.
        let at = self.ops.len();
        let v = self.asl_called(t, c, depth)?;
        let n = self.asl_number_of(&v, t.span)?;
        self.ops.truncate(at);
        self.ops.push(Op::Number(n));
        Ok(true)
    }

    /// The bytes of a text by the table of characters in force.
    pub(super) fn asl_mapped(&self, text: &[u8], span: Span) -> Outcome<Vec<u8>> {
        let state = self.own.get::<State>();
        let Some(table) = state.charsets.get(&state.charset) else {
            return Ok(text.to_vec());
        };
        let mut out = Vec::with_capacity(text.len());
        for &b in text {
            match table[usize::from(b)] {
                Some(to) => out.push(to),
                None => {
                    let message = format!("the table of characters has no number {b}");
                    let d = Diagnostic::new(codes::BAD_CHARACTER, message).at(span);
                    return Err(Box::new(d));
                }
            }
        }
        Ok(out)
    }

    /// The bytes of a quoted text with its escapes done.
    pub(super) fn asl_text(&mut self, t: &Tok) -> Outcome<Vec<u8>> {
        let latin1 = self.sources.get(t.span.source).latin1;
        let text = self.text(t).to_owned();
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let mut out = Vec::with_capacity(inner.len());
        let mut rest = inner;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c != '\\' {
                match u8::try_from(u32::from(c)) {
                    Ok(b) if latin1 || b < 0x80 => out.push(b),
                    _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
                continue;
            }
            rest = self.asl_escape(t, rest, &mut out)?;
        }
        Ok(out)
    }

    /// Does what stands behind a backslash; what is behind that.
    fn asl_escape<'r>(&mut self, t: &Tok, rest: &'r str, out: &mut Vec<u8>) -> Outcome<&'r str> {
        let bad = |message: &str| {
            let d = Diagnostic::new(codes::BAD_CHARACTER, message).at(t.span);
            Err(Box::new(d))
        };
        if let Some(more) = rest.strip_prefix('{') {
            let Some(close) = super::texts::outside(more, b'}') else {
                return bad("`\\{` has no `}`");
            };
            let made = self.made_line(&more[..close])?;
            if !made.is_empty() {
                let state = self.own.get_mut::<State>();
                if state.depth >= 40 {
                    return bad("texts contain each other too deeply");
                }
                state.depth += 1;
                let shown = self.asl_shown(&made);
                self.own.get_mut::<State>().depth -= 1;
                out.extend_from_slice(shown?.as_bytes());
            }
            return Ok(&more[close + 1..]);
        }
        let Some(e) = rest.chars().next() else {
            return bad("a text ends with a backslash");
        };
        let behind = &rest[e.len_utf8()..];
        let (base, most, digits) = match e.to_ascii_lowercase() {
            'x' => (16, 2, behind),
            '0' => (8, 4, rest),
            '1'..='9' => (10, 3, rest),
            simple => {
                out.push(match simple {
                    '\'' | '"' | '\\' => e as u8,
                    'h' => b'\'',
                    'i' => b'"',
                    'b' => 8,
                    'a' => 7,
                    'e' => 27,
                    't' => 9,
                    'n' => 10,
                    'r' => 13,
                    _ => return bad(&format!("`\\{e}` has no meaning")),
                });
                return Ok(behind);
            }
        };
        let n = digits.bytes().take(most);
        let n = n.take_while(|&b| (b as char).is_digit(base)).count();
        let v = u32::from_str_radix(&digits[..n], base).unwrap_or(0);
        match u8::try_from(v) {
            Ok(b) => out.push(b),
            Err(_) => return bad("the number of a character is at most 255"),
        }
        Ok(&digits[n..])
    }

    /// A value as a text.
    pub(super) fn asl_shown(&mut self, toks: &[Tok]) -> Outcome<String> {
        let first = toks[0];
        Ok(match self.asl_known(&first, toks, "the value")? {
            Typed::Int(n) => {
                let base = self.own.get::<State>().forms.out;
                let mut v = n.unsigned_abs();
                let mut digits = Vec::new();
                loop {
                    let d = (v % u64::from(base)) as u32;
                    digits.push(
                        char::from_digit(d, base)
                            .unwrap_or('0')
                            .to_ascii_uppercase(),
                    );
                    v /= u64::from(base);
                    if v == 0 {
                        break;
                    }
                }
                let sign = if n < 0 { "-" } else { "" };
                sign.chars().chain(digits.into_iter().rev()).collect()
            }
            Typed::Real(r) => r.to_string(),
            Typed::Text(t, _) => String::from_utf8_lossy(&t).into_owned(),
        })
    }
}
