//! Values that are more than numbers: texts, numbers with fractions, and what the engine's
//! operators are not. All must be known.

use super::state::State;
use super::typed::Typed;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::expression::{Cursor, MAX_DEPTH};
use crate::read::syntax::literal::is_quoted;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// Operators of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Shl,
    Shr,
    Mirror,
    And,
    Or,
    Xor,
    Power,
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    Both,
    Either,
    OneOf,
    Compares([bool; 3]),
}

fn fault<T>(message: impl Into<String>, span: Span) -> Outcome<T> {
    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(span);
    Err(Box::new(d))
}

/// The lowest `n` bits in the other order.
fn mirrored(v: i64, n: i64) -> i64 {
    let n = n.clamp(0, 64) as u32;
    if n == 0 {
        return v;
    }
    let all = if n == 64 { !0 } else { (1u64 << n) - 1 };
    let low = (v as u64 & all).reverse_bits() >> (64 - n);
    (v as u64 & !all | low) as i64
}

fn real(v: &Typed) -> Option<f64> {
    match v {
        Typed::Int(n) => Some(*n as f64),
        Typed::Real(r) => Some(*r),
        Typed::Text(..) => None,
    }
}

fn ordered(o: Option<std::cmp::Ordering>, taken: [bool; 3]) -> Typed {
    Typed::Int(o.map_or(0, |o| i64::from(taken[(o as i8 + 1) as usize])))
}

impl Assembler<'_> {
    /// Whether some tokens may be more than the engine's own values.
    pub(super) fn asl_is_rich(&self, toks: &[Tok]) -> bool {
        let state = self.own.get::<State>();
        let typed = !state.typed.now.is_empty() || !state.typed.below.is_empty();
        let joined = |i: usize, kind: Kind| {
            toks.get(i + 1)
                .is_some_and(|n| n.kind == kind && n.span.start == toks[i].span.end)
        };
        toks.iter().enumerate().any(|(i, t)| match t.kind {
            Kind::Double | Kind::Single => true,
            Kind::Caret => true,
            Kind::Tilde => joined(i, Kind::Tilde),
            Kind::Bang => joined(i, Kind::Bang),
            Kind::Greater => joined(i, Kind::Less),
            Kind::Number => self.asl_is_real(t),
            Kind::Name => {
                typed && self.asl_typed(t).is_some()
                    || self.sources.slice(t.span).starts_with(['m', 'M', 'c', 'C'])
                        && self.asl_builtin(self.sources.slice(t.span)).is_some()
                    || toks.get(i + 1).is_some_and(|n| n.kind == Kind::Open)
                        && super::functions::is_known(self.sources.slice(t.span))
            }
            _ => false,
        })
    }

    /// Whether a number has a fraction or an exponent.
    pub(super) fn asl_is_real(&self, t: &Tok) -> bool {
        let text = self.sources.slice(t.span);
        let bytes = text.as_bytes();
        // A number with a fraction has a point or an exponent.
        if memchr::memchr3(b'.', b'e', b'E', bytes).is_none() {
            return false;
        }
        let last = bytes.last().map_or(0, u8::to_ascii_lowercase);
        let digits = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
        (text.contains('.') || text.contains(['e', 'E']) && last.is_ascii_digit())
            && bytes.iter().all(digits)
            && text.parse::<f64>().is_ok()
    }

    /// The value of a name that is no number.
    pub(super) fn asl_typed(&self, t: &Tok) -> Option<&Typed> {
        let typed = &self.own.get::<State>().typed;
        if typed.now.is_empty() && typed.below.is_empty() {
            return None;
        }
        let key = self.key(self.sources.slice(t.span));
        typed.now.get(&*key).or_else(|| typed.below.get(&*key))
    }

    /// The value of some tokens, which must be known.
    pub(super) fn asl_known(&mut self, t: &Tok, toks: &[Tok], what: &str) -> Outcome<Typed> {
        if toks.is_empty() {
            let message = format!("expected {what} behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        if !self.asl_is_rich(toks) {
            return self.known_here(t, toks, what).map(Typed::Int);
        }
        let mut c = Cursor::new(toks);
        let v = self.asl_rich(&mut c, 0, 0)?;
        match c.peek() {
            None => Ok(v),
            Some(_) => Err(self.leftover(toks, c.at)),
        }
    }

    /// The value as a number; a text is the numbers of its characters.
    pub(super) fn asl_number_of(&mut self, v: &Typed, span: Span) -> Outcome<i64> {
        match v {
            Typed::Int(n) => Ok(*n),
            Typed::Real(_) => fault("a number with a fraction is no whole one", span),
            Typed::Text(t, _) if t.is_empty() || t.len() > 4 => fault(
                format!("a text of {} characters is not a value", t.len()),
                span,
            ),
            Typed::Text(t, _) => {
                let mut n = 0;
                for b in self.asl_mapped(t, span)? {
                    n = n << 8 | i64::from(b);
                }
                Ok(n)
            }
        }
    }

    /// The text that a sum of a text and a number is: the characters of its lowest 32 bits.
    fn asl_characters(&self, sum: i64) -> Vec<u8> {
        let state = self.own.get::<State>();
        let table = state.charsets.get(&state.charset);
        let bytes = (sum as u32).to_be_bytes();
        let bytes = bytes.into_iter().skip_while(|&b| b == 0);
        bytes
            .filter_map(|b| match table {
                None => Some(b),
                Some(t) => t
                    .iter()
                    .position(|&to| to == Some(b))
                    .map(|from| from as u8),
            })
            .collect()
    }

    /// Whether two texts may be put together or compared as texts in a value.
    pub(super) fn asl_joins(&self, toks: &[Tok]) -> bool {
        let text = |(i, t): (usize, &Tok)| match t.kind {
            Kind::Double | Kind::Single => true,
            Kind::Name => {
                matches!(self.asl_typed(t), Some(Typed::Text(..)))
                    || toks.get(i + 1).is_some_and(|n| n.kind == Kind::Open)
                        && self.asl_gives_text(t)
            }
            _ => false,
        };
        let sums = |t: &Tok| {
            matches!(
                t.kind,
                Kind::Plus | Kind::Equal | Kind::EqualEqual | Kind::NotEqual
            ) || matches!(
                t.kind,
                Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual
            )
        };
        toks.iter().any(sums)
            && toks
                .iter()
                .enumerate()
                .filter(|&p| text(p))
                .nth(1)
                .is_some()
    }

    /// The operator at the cursor, its tokens and how tight it binds.
    fn asl_operator(&self, c: &Cursor<'_>) -> Option<(Op, usize, u8)> {
        let t = c.peek()?;
        let next = c.toks.get(c.at + 1);
        let joined = |kind| next.is_some_and(|n| n.kind == kind && n.span.start == t.span.end);
        Some(match t.kind {
            Kind::ShiftLeft => (Op::Shl, 1, 27),
            Kind::ShiftRight => (Op::Shr, 1, 27),
            Kind::Greater if joined(Kind::Less) => (Op::Mirror, 2, 26),
            Kind::Amp => (Op::And, 1, 25),
            Kind::Pipe => (Op::Or, 1, 24),
            Kind::Bang if joined(Kind::Bang) => (Op::OneOf, 2, 13),
            Kind::Bang => (Op::Xor, 1, 23),
            Kind::Caret => (Op::Power, 1, 22),
            Kind::Star => (Op::Mul, 1, 19),
            Kind::Slash => (Op::Div, 1, 19),
            Kind::Hash => (Op::Mod, 1, 19),
            Kind::Plus => (Op::Add, 1, 17),
            Kind::Minus => (Op::Sub, 1, 17),
            Kind::AndAnd => (Op::Both, 1, 15),
            Kind::OrOr => (Op::Either, 1, 14),
            Kind::Equal | Kind::EqualEqual => (Op::Compares([false, true, false]), 1, 7),
            Kind::NotEqual => (Op::Compares([true, false, true]), 1, 7),
            Kind::Less => (Op::Compares([true, false, false]), 1, 7),
            Kind::LessEqual => (Op::Compares([true, true, false]), 1, 7),
            Kind::Greater => (Op::Compares([false, false, true]), 1, 7),
            Kind::GreaterEqual => (Op::Compares([false, true, true]), 1, 7),
            _ => return None,
        })
    }

    pub(super) fn asl_rich(&mut self, c: &mut Cursor<'_>, level: u8, depth: u32) -> Outcome<Typed> {
        let span = c.peek().map_or(self.statement, |t| t.span);
        if depth >= MAX_DEPTH / 2 {
            let d = Diagnostic::new(codes::TOO_DEEP, "the expression is nested too deeply");
            return Err(Box::new(d.at(span)));
        }
        self.divides(c, level)?;
        let mut left = self.asl_operand(c, depth)?;
        while let Some((op, taken, own)) = self.asl_operator(c) {
            if own < level {
                break;
            }
            c.at += taken;
            let right = self.asl_rich(c, own + 1, depth + 1)?;
            left = self.asl_apply(op, left, right, span)?;
        }
        Ok(left)
    }

    fn asl_operand(&mut self, c: &mut Cursor<'_>, depth: u32) -> Outcome<Typed> {
        let Some(&t) = c.peek() else {
            let span = c.toks.last().map_or(self.statement, |t| t.span);
            let d = Diagnostic::new(codes::SYNTAX, "expected a value behind this").at(span);
            return Err(Box::new(d));
        };
        c.at += 1;
        match t.kind {
            Kind::Plus => self.asl_rich(c, 18, depth + 1),
            Kind::Minus => Ok(match self.asl_rich(c, 18, depth + 1)? {
                Typed::Real(r) => Typed::Real(-r),
                v => Typed::Int(self.asl_number_of(&v, t.span)?.wrapping_neg()),
            }),
            Kind::Tilde if c.kind() == Some(Kind::Tilde) => {
                c.at += 1;
                let v = self.asl_rich(c, 28, depth + 1)?;
                Ok(Typed::Int(i64::from(self.asl_number_of(&v, t.span)? == 0)))
            }
            Kind::Tilde => {
                let v = self.asl_rich(c, 29, depth + 1)?;
                Ok(Typed::Int(!self.asl_number_of(&v, t.span)?))
            }
            Kind::Open => {
                let v = self.asl_rich(c, 0, depth + 1)?;
                match c.eat(Kind::Close) {
                    true => Ok(v),
                    false => {
                        let d = Diagnostic::new(codes::SYNTAX, "expected `)`");
                        let span = c.peek().map_or(t.span, |t| t.span);
                        Err(Box::new(d.at(span).related(t.span, "opened here")))
                    }
                }
            }
            _ if is_quoted(&t) => {
                let text = self.asl_text(&t)?;
                Ok(Typed::Text(text, t.kind == Kind::Single))
            }
            Kind::Number if self.asl_is_real(&t) => match self.text(&t).parse() {
                Ok(r) => Ok(Typed::Real(r)),
                Err(_) => fault("this is not a number", t.span),
            },
            Kind::Name if c.kind() == Some(Kind::Open) && self.asl_is_function(&t) => {
                self.asl_called(&t, c, depth)
            }
            Kind::Name if let Some(v) = self.asl_typed(&t) => Ok(v.clone()),
            Kind::Name if let Some(v) = self.asl_builtin(self.text(&t)) => Ok(v),
            _ => {
                let from = c.at - 1;
                // A section in brackets belongs to the name.
                if c.kind() == Some(Kind::SquareOpen) {
                    let close = c.toks[c.at..]
                        .iter()
                        .position(|t| t.kind == Kind::SquareClose);
                    c.at += close.map_or(0, |n| n + 1);
                }
                let part = &c.toks[from..c.at];
                let v = self.whole_expression(part)?;
                let span = self.span_of(part);
                self.must_know(v, span, "the value").map(Typed::Int)
            }
        }
    }

    fn asl_apply(&mut self, op: Op, a: Typed, b: Typed, span: Span) -> Outcome<Typed> {
        if let Op::Compares(taken) = op {
            return Ok(match (&a, &b) {
                (Typed::Text(x, _), Typed::Text(y, _)) => ordered(Some(x.cmp(y)), taken),
                (Typed::Text(..), Typed::Int(_)) | (Typed::Int(_), Typed::Text(..)) => {
                    let (x, y) = (self.asl_number_of(&a, span)?, self.asl_number_of(&b, span)?);
                    ordered(Some(x.cmp(&y)), taken)
                }
                (Typed::Int(x), Typed::Int(y)) => ordered(Some(x.cmp(y)), taken),
                _ => match (real(&a), real(&b)) {
                    (Some(x), Some(y)) => ordered(x.partial_cmp(&y), taken),
                    _ => return fault("a text and a number with a fraction", span),
                },
            });
        }
        if let (Op::Add, Typed::Text(x, p), Typed::Text(y, q)) = (op, &a, &b) {
            self.emitted_text(x.len() + y.len())?;
            return Ok(Typed::Text([&x[..], &y[..]].concat(), *p && *q));
        }
        if let (Op::Add, Typed::Text(..), Typed::Int(_))
        | (Op::Add, Typed::Int(_), Typed::Text(..)) = (op, &a, &b)
        {
            let (x, y) = (self.asl_number_of(&a, span)?, self.asl_number_of(&b, span)?);
            let sum = x.wrapping_add(y);
            return Ok(match sum {
                0.. => Typed::Text(self.asl_characters(sum), false),
                _ => Typed::Int(sum),
            });
        }
        if matches!((&a, &b), (Typed::Real(_), _) | (_, Typed::Real(_)))
            && let (Some(x), Some(y)) = (real(&a), real(&b))
        {
            let v = match op {
                Op::Add => x + y,
                Op::Sub => x - y,
                Op::Mul => x * y,
                Op::Div => x / y,
                Op::Power => x.powf(y),
                _ => return fault("this operator takes whole numbers", span),
            };
            return match v.is_finite() {
                true => Ok(Typed::Real(v)),
                false => fault("this has no value", span),
            };
        }
        let (x, y) = (self.asl_number_of(&a, span)?, self.asl_number_of(&b, span)?);
        let zero = matches!(op, Op::Div | Op::Mod) && y == 0;
        if zero {
            let d = Diagnostic::new(codes::DIVISION_BY_ZERO, "division by zero").at(span);
            return Err(Box::new(d));
        }
        let shift = |n: i64| (n & 63) as u32;
        Ok(Typed::Int(match op {
            Op::Shl => x.wrapping_shl(shift(y)),
            Op::Shr => x.wrapping_shr(shift(y)),
            Op::Mirror => mirrored(x, y),
            Op::And => x & y,
            Op::Or => x | y,
            Op::Xor => x ^ y,
            Op::Power => match y {
                ..0 => 0,
                _ => x.wrapping_pow(y.min(u32::MAX.into()) as u32),
            },
            Op::Mul => x.wrapping_mul(y),
            Op::Div => x.wrapping_div(y),
            Op::Mod => x.wrapping_rem(y),
            Op::Add => x.wrapping_add(y),
            Op::Sub => x.wrapping_sub(y),
            Op::Both => i64::from(x != 0 && y != 0),
            Op::Either => i64::from(x != 0 || y != 0),
            Op::OneOf | Op::Compares(_) => i64::from((x != 0) != (y != 0)),
        }))
    }

    /// Names that have a value without a definition.
    pub(super) fn asl_builtin(&self, name: &str) -> Option<Typed> {
        if !(2..=10).contains(&name.len()) {
            return None;
        }
        let state = self.own.get::<State>();
        let names = [
            "true",
            "false",
            "constpi",
            "momcpu",
            "momcpuname",
            "momline",
            "momsegment",
            "momsection",
            "mompass",
            "relaxed",
            "has64",
            "radix",
            "momfile",
        ];
        let at = names.iter().position(|n| n.eq_ignore_ascii_case(name))?;
        let cpu = if self.asl_is_8080() { "8080" } else { "Z80" };
        let text = |t: &str| Typed::Text(t.as_bytes().to_vec(), false);
        Some(match at {
            0 | 10 => Typed::Int(1),
            1 => Typed::Int(0),
            2 => Typed::Real(std::f64::consts::PI),
            3 => Typed::Int(i64::from_str_radix(cpu.trim_start_matches('Z'), 16).unwrap_or(0)),
            4 => text(cpu),
            5 => {
                let s = self.sources.get(self.statement.source);
                let before = &s.text.as_bytes()[..self.statement.start as usize];
                Typed::Int(1 + memchr::memchr_iter(b'\n', before).count() as i64)
            }
            6 => text(&state.places.segment.to_ascii_uppercase()),
            7 => text(
                &state
                    .sections
                    .last()
                    .map_or("", |s| s.path.rsplit(':').next().unwrap_or(""))
                    .to_ascii_uppercase(),
            ),
            8 => Typed::Int(2),
            9 => Typed::Int(i64::from(state.forms.relaxed)),
            11 => Typed::Int(state.forms.radix.into()),
            _ => text(&self.sources.get(self.statement.source).name),
        })
    }
}
