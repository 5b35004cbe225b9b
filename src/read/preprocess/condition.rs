//! The expression behind `#if`: whole numbers of 64 bits with or without sign, by
//! the rules of C. A name that is no macro is 0.

use super::preprocessor::Preprocessor;
use super::scan::{Kind, Token};
use crate::diagnostic::{Diagnostic, codes};
use crate::text::source::Span;

/// How deep brackets and signs may stand in each other.
const MAX_DEPTH: usize = 256;

#[derive(Clone, Copy)]
struct Number {
    bits: i64,
    unsigned: bool,
}

impl Number {
    const fn signed(bits: i64) -> Self {
        Self {
            bits,
            unsigned: false,
        }
    }
    const fn truth(yes: bool) -> Self {
        Self::signed(yes as i64)
    }
}

struct Reader<'p> {
    p: &'p Preprocessor,
    toks: &'p [Token],
    at: usize,
    depth: usize,
    /// In a part whose value does not matter.
    unused: usize,
    place: &'p dyn Fn(Option<&Token>) -> Span,
}

type Fault = Box<Diagnostic>;

/// Binary operators by level, loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Preprocessor {
    /// Whether a condition holds; its macros are replaced already.
    pub(super) fn holds(
        &self,
        toks: &[Token],
        place: &dyn Fn(Option<&Token>) -> Span,
    ) -> Result<bool, Fault> {
        let mut r = Reader {
            p: self,
            toks,
            at: 0,
            depth: 0,
            unused: 0,
            place,
        };
        if toks.is_empty() {
            return Err(r.fault("expected a condition"));
        }
        let n = r.choice()?;
        match r.peek() {
            Some(_) => Err(r.fault("expected an operator or the end of the condition")),
            None => Ok(n.bits != 0),
        }
    }
}

impl<'p> Reader<'p> {
    fn peek(&self) -> Option<&'p Token> {
        self.toks.get(self.at)
    }

    fn text(&self) -> &'p str {
        self.peek().map_or("", |t| self.p.text(t))
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.peek().is_some_and(|t| self.p.is(t, mark));
        self.at += usize::from(found);
        found
    }

    fn fault(&self, text: &str) -> Fault {
        let at = (self.place)(self.peek());
        Box::new(Diagnostic::new(codes::BAD_EXPRESSION, text).at(at))
    }

    fn choice(&mut self) -> Result<Number, Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let text = format!("the condition nests more than {MAX_DEPTH} deep");
            let at = (self.place)(self.peek());
            return Err(Box::new(Diagnostic::new(codes::TOO_DEEP, text).at(at)));
        }
        let yes = self.binary(0)?;
        let result = if self.eat("?") {
            let first = self.when(yes.bits != 0, Self::choice)?;
            if !self.eat(":") {
                return Err(self.fault("expected `:` of the choice"));
            }
            let second = self.when(yes.bits == 0, Self::choice)?;
            let chosen = if yes.bits != 0 { first } else { second };
            Number {
                unsigned: first.unsigned || second.unsigned,
                ..chosen
            }
        } else {
            yes
        };
        self.depth -= 1;
        Ok(result)
    }

    /// Reads a part; its faults count only if its value does.
    fn when(
        &mut self,
        counts: bool,
        part: impl FnOnce(&mut Self) -> Result<Number, Fault>,
    ) -> Result<Number, Fault> {
        self.unused += usize::from(!counts);
        let n = part(self);
        self.unused -= usize::from(!counts);
        n
    }

    fn binary(&mut self, level: usize) -> Result<Number, Fault> {
        let Some(operators) = LEVELS.get(level) else {
            return self.prefix();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let text = self.text();
            let mark = self.peek().is_some_and(|t| t.kind == Kind::Mark);
            let Some(&op) = operators.iter().find(|o| mark && **o == text) else {
                return Ok(left);
            };
            let at = self.at;
            self.at += 1;
            let counts = match op {
                "||" => left.bits == 0,
                "&&" => left.bits != 0,
                _ => true,
            };
            let right = self.when(counts, |r| r.binary(level + 1))?;
            left = self.apply(op, left, right, at)?;
        }
    }

    fn apply(&self, op: &str, a: Number, b: Number, at: usize) -> Result<Number, Fault> {
        let unsigned = a.unsigned || b.unsigned;
        let (x, y) = (a.bits, b.bits);
        let (ux, uy) = (x as u64, y as u64);
        let of = |bits: i64| Number { bits, unsigned };
        let shift = |left: bool| {
            // A negative distance shifts the other way.
            let back = !b.unsigned && y < 0;
            let n = if back { y.unsigned_abs() } else { uy };
            let bits = match (left != back, n > 63) {
                (true, true) => 0,
                (true, false) => x << n,
                (false, true) if a.unsigned || x >= 0 => 0,
                (false, true) => -1,
                (false, false) if a.unsigned => (ux >> n) as i64,
                (false, false) => x >> n,
            };
            Number {
                bits,
                unsigned: a.unsigned,
            }
        };
        let less = if unsigned { ux < uy } else { x < y };
        Ok(match op {
            "||" => Number::truth(x != 0 || y != 0),
            "&&" => Number::truth(x != 0 && y != 0),
            "|" => of(x | y),
            "^" => of(x ^ y),
            "&" => of(x & y),
            "==" => Number::truth(x == y),
            "!=" => Number::truth(x != y),
            "<" => Number::truth(less),
            ">=" => Number::truth(!less),
            ">" => Number::truth(!less && x != y),
            "<=" => Number::truth(less || x == y),
            "<<" => shift(true),
            ">>" => shift(false),
            "+" => of(x.wrapping_add(y)),
            "-" => of(x.wrapping_sub(y)),
            "*" => of(x.wrapping_mul(y)),
            _ if y == 0 && self.unused > 0 => of(0),
            _ if y == 0 => {
                let at = (self.place)(self.toks.get(at));
                let d = Diagnostic::new(codes::DIVISION_BY_ZERO, "division by zero in a condition");
                return Err(Box::new(d.at(at)));
            }
            "/" if unsigned => of((ux / uy) as i64),
            "/" => of(x.wrapping_div(y)),
            _ if unsigned => of((ux % uy) as i64),
            _ => of(x.wrapping_rem(y)),
        })
    }

    fn prefix(&mut self) -> Result<Number, Fault> {
        let mut signs = Vec::new();
        while let Some(t) = self.peek()
            && t.kind == Kind::Mark
            && matches!(self.text(), "+" | "-" | "!" | "~" | "++" | "--")
        {
            let text = self.text();
            signs.extend(text.bytes());
            self.at += 1;
        }
        let mut n = self.operand()?;
        for s in signs.into_iter().rev() {
            n = match s {
                b'-' => Number {
                    bits: n.bits.wrapping_neg(),
                    ..n
                },
                b'~' => Number { bits: !n.bits, ..n },
                b'!' => Number::truth(n.bits == 0),
                _ => n,
            };
        }
        Ok(n)
    }

    fn operand(&mut self) -> Result<Number, Fault> {
        if self.eat("(") {
            let n = self.choice()?;
            if !self.eat(")") {
                return Err(self.fault("expected a closing bracket"));
            }
            return Ok(n);
        }
        let Some(t) = self.peek() else {
            return Err(self.fault("expected a value"));
        };
        let text = self.text();
        match t.kind {
            Kind::Name if text == "defined" => self.defined(),
            Kind::Name => {
                let value = self.p.symbol(text).unwrap_or(0);
                self.at += 1;
                Ok(Number::signed(value))
            }
            Kind::Number => match number(text, self.p.rules.dollar_hex) {
                Some(n) => {
                    self.at += 1;
                    Ok(n)
                }
                None => {
                    let at = (self.place)(Some(t));
                    let message = format!("`{text}` is no whole number of 64 bits");
                    Err(Box::new(Diagnostic::new(codes::BAD_NUMBER, message).at(at)))
                }
            },
            Kind::Text if text.starts_with('\'') => match character(text) {
                Some(n) => {
                    self.at += 1;
                    Ok(Number::signed(n))
                }
                None => Err(self.fault("this character is not taken in a condition")),
            },
            _ => Err(self.fault("expected a value")),
        }
    }

    /// `defined X`, `defined(X)`.
    fn defined(&mut self) -> Result<Number, Fault> {
        self.at += 1;
        let open = self.eat("(");
        let Some(t) = self.peek().filter(|t| t.kind == Kind::Name) else {
            return Err(self.fault("expected a name behind `defined`"));
        };
        let yes = self.p.is_known(self.p.text(t));
        self.at += 1;
        if open && !self.eat(")") {
            return Err(self.fault("expected a closing bracket"));
        }
        Ok(Number::truth(yes))
    }
}

/// `12`, `0x1F`, `0b101`, `017`, `$1F`, with the suffixes of C; `_` between digits
/// where `separated`.
fn number(text: &str, separated: bool) -> Option<Number> {
    let mut lower = text.to_ascii_lowercase();
    if separated {
        lower.retain(|c| c != '_');
    }
    let hex = lower.strip_prefix("0x").or_else(|| lower.strip_prefix('$'));
    let (digits, base) = match (hex, lower.strip_prefix("0b")) {
        (Some(d), _) => (d, 16),
        (_, Some(d)) => (d, 2),
        _ if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        _ => (&lower[..], 10),
    };
    let plain = digits.trim_end_matches(['u', 'l']);
    let suffix = &digits[plain.len()..];
    // A lone 0 with a suffix.
    let plain = if plain.is_empty() && base == 8 {
        "0"
    } else {
        plain
    };
    let value = u64::from_str_radix(plain, base).ok()?;
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let signed = value <= i64::MAX as u64;
    if base == 10 && !signed && !suffix.contains('u') {
        return None;
    }
    Some(Number {
        bits: value as i64,
        unsigned: suffix.contains('u') || !signed,
    })
}

/// Value of `'x'`, with the escapes of C.
fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let c = chars.next()?;
    let rest = chars.as_str();
    if c != '\\' {
        return rest.is_empty().then_some(i64::from(u32::from(c)));
    }
    let e = chars.next()?;
    let more = chars.as_str();
    if e.is_digit(8) {
        return i64::from_str_radix(rest, 8).ok().filter(|n| *n < 256);
    }
    if e == 'x' {
        return i64::from_str_radix(more, 16).ok().filter(|n| *n < 256);
    }
    let value = match e {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => i64::from(u32::from(e)),
        _ => return None,
    };
    more.is_empty().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_characters() {
        for (text, want) in [
            ("0", 0),
            ("017", 15),
            ("0x1F", 31),
            ("$1f", 31),
            ("0b101", 5),
            ("12UL", 12),
            ("0u", 0),
        ] {
            assert_eq!(number(text, false).map(|n| n.bits), Some(want), "{text}");
        }
        for text in [
            "1.5",
            "08",
            "0x",
            "99999999999999999999",
            "1ulul",
            "9223372036854775808",
        ] {
            assert!(number(text, false).is_none(), "{text}");
        }
        assert!(number("0xffffffffffffffff", false).is_some_and(|n| n.unsigned && n.bits == -1));
        for (text, want) in [
            ("'A'", 65),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\x41'", 65),
            ("'\\''", 39),
        ] {
            assert_eq!(character(text), Some(want), "{text}");
        }
        assert_eq!(character("'ab'"), None);
    }
}
