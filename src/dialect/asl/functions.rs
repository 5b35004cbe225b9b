//! Functions: those of AS, and those that a source defines.

use super::state::State;
use super::texts;
use super::typed::Typed;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::rc::Rc;

type Real = fn(f64) -> f64;

/// Functions of numbers with fractions.
const REAL: &[(&str, Real)] = &[
    ("sqrt", f64::sqrt),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("cot", |x| 1.0 / x.tan()),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("acot", |x| std::f64::consts::FRAC_PI_2 - x.atan()),
    ("exp", f64::exp),
    ("alog", |x| 10f64.powf(x)),
    ("ald", f64::exp2),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("coth", |x| 1.0 / x.tanh()),
    ("ln", f64::ln),
    ("log", f64::log10),
    ("ld", f64::log2),
    ("asinh", f64::asinh),
    ("acosh", f64::acosh),
    ("atanh", f64::atanh),
    ("acoth", |x| (1.0 / x).atanh()),
];

/// The others, with how many values they take.
const OTHERS: &[(&str, usize)] = &[
    ("substr", 3),
    ("strstr", 2),
    ("charfromstr", 2),
    ("exprtype", 1),
    ("upstring", 1),
    ("lowstring", 1),
    ("strlen", 1),
    ("val", 1),
    ("toupper", 1),
    ("tolower", 1),
    ("bitcnt", 1),
    ("firstbit", 1),
    ("lastbit", 1),
    ("bitpos", 1),
    ("abs", 1),
    ("sgn", 1),
    ("int", 1),
    ("defined", 1),
    ("assumedval", 1),
];

/// How deep functions may call each other.
const DEEP: u32 = 40;

/// Whether AS has a function of that name.
pub fn is_known(name: &str) -> bool {
    let is = |n: &str| n.eq_ignore_ascii_case(name);
    REAL.iter().any(|f| is(f.0)) || OTHERS.iter().any(|f| is(f.0))
}

fn fault<T>(message: impl Into<String>, span: Span) -> Outcome<T> {
    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(span);
    Err(Box::new(d))
}

impl Assembler<'_> {
    fn asl_own_function(&self, name: &str) -> Option<Rc<(Vec<String>, String)>> {
        let functions = &self.own.get::<State>().functions;
        match functions.is_empty() {
            true => None,
            false => functions.get(&*self.key(name)).cloned(),
        }
    }

    /// Whether a token names a function.
    pub(super) fn asl_is_function(&self, t: &Tok) -> bool {
        let name = self.sources.slice(t.span);
        is_known(name) || self.asl_own_function(name).is_some()
    }

    /// Whether a token names a function that may give a text.
    pub(super) fn asl_gives_text(&self, t: &Tok) -> bool {
        let name = self.sources.slice(t.span);
        let own =
            |body: &str| body.contains(['"', '\'']) || body.to_lowercase().contains("string(");
        ["substr", "upstring", "lowstring"]
            .iter()
            .any(|n| n.eq_ignore_ascii_case(name))
            || self.asl_own_function(name).is_some_and(|f| own(&f.1))
    }

    /// Calls the function that a token names; its arguments are at the cursor.
    pub(super) fn asl_called(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<Typed> {
        let own = self.asl_own_function(self.sources.slice(t.span));
        if own.is_some() {
            let made = self.asl_expanded(t, c)?;
            let mut inner = Cursor::new(&made);
            self.own.get_mut::<State>().depth += 1;
            let v = self.asl_rich(&mut inner, 0, depth + 1);
            self.own.get_mut::<State>().depth -= 1;
            return match (v, inner.peek()) {
                (Ok(_), Some(_)) => Err(self.leftover(&made, inner.at)),
                (v, _) => v,
            };
        }
        let name = self.text(t).to_ascii_lowercase();
        c.at += 1;
        if name == "defined" {
            let n = c.peek().copied().unwrap_or(*t);
            c.at += 2;
            return Ok(Typed::Int(i64::from(self.asl_is_defined(&n)?)));
        }
        let mut values = Vec::new();
        loop {
            if c.eat(Kind::Close) {
                break;
            }
            if values.len() > 3 {
                return fault(format!("`{name}()` does not take so many values"), t.span);
            }
            values.push(self.asl_rich(c, 0, depth + 1)?);
            if !c.eat(Kind::Comma) && c.kind() != Some(Kind::Close) {
                let d = Diagnostic::new(codes::SYNTAX, format!("expected `)` of `{name}(`"));
                let span = c.peek().map_or(t.span, |t| t.span);
                return Err(Box::new(d.at(span)));
            }
        }
        self.asl_builtin_call(&name, &values, t.span)
    }

    /// The tokens that a call of a function of the source stands for.
    pub(super) fn asl_expanded(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<Vec<Tok>> {
        let name = self.text(t).to_owned();
        let Some(f) = self.asl_own_function(&name) else {
            return fault(format!("`{name}` is no function"), t.span);
        };
        if self.own.get::<State>().depth >= DEEP {
            let d = Diagnostic::new(codes::TOO_DEEP, "functions call each other too deeply");
            return Err(Box::new(d.at(t.span)));
        }
        let from = c.at;
        let mut depth = 0i32;
        let close = c.toks[from..].iter().position(|t| {
            depth += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
            depth == 0
        });
        let Some(close) = close else {
            let d = Diagnostic::new(codes::SYNTAX, format!("expected `)` of `{name}(`"));
            return Err(Box::new(d.at(t.span)));
        };
        let inner = &c.toks[from + 1..from + close];
        c.at = from + close + 1;
        let text = self.written(inner);
        let given = match inner.is_empty() {
            true => Vec::new(),
            false => texts::arguments(&text),
        };
        if given.len() != f.0.len() {
            let message = format!("`{name}()` takes {} values, not {}", f.0.len(), given.len());
            return fault(message, t.span);
        }
        let given: Vec<String> = given.iter().map(|g| format!("({g})")).collect();
        let names: Vec<(&str, &str)> = (f.0.iter())
            .zip(&given)
            .map(|(n, g)| (n.as_str(), g.as_str()))
            .collect();
        let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
        let blind = self.dialect.names.case_blind;
        let text = texts::replaced(&f.1, &names, part, blind);
        self.memo.not_again();
        self.made_line(&text)
    }

    /// `name function a,b,expression`.
    pub(super) fn asl_function(&mut self, label: &Tok, t: &Tok) -> Outcome<()> {
        self.memo.renew();
        let mut parts = self.asl_arguments(t);
        let Some(body) = parts.pop() else {
            let d = Diagnostic::new(codes::SYNTAX, "expected the value of the function");
            return Err(Box::new(d.at(t.span)));
        };
        let key = self.key(self.text(label)).into_owned();
        let functions = &mut self.own.get_mut::<State>().functions;
        if functions.len() >= 10_000 {
            return Err(self.too_many(10_000, "functions"));
        }
        functions.insert(key, Rc::new((parts, body)));
        Ok(())
    }

    fn asl_builtin_call(&mut self, name: &str, values: &[Typed], span: Span) -> Outcome<Typed> {
        if let Some(f) = REAL.iter().find(|f| f.0 == name) {
            let v = match values {
                [Typed::Int(n)] => f.1(*n as f64),
                [Typed::Real(r)] => f.1(*r),
                _ => return fault(format!("`{name}()` takes one number"), span),
            };
            return match v.is_finite() {
                true => Ok(Typed::Real(v)),
                false => fault("this has no value", span),
            };
        }
        let wanted = OTHERS.iter().find(|f| f.0 == name).map_or(1, |f| f.1);
        if values.len() != wanted {
            let message = format!("`{name}()` takes {wanted} values, not {}", values.len());
            return fault(message, span);
        }
        if let Typed::Text(text, quote) = &values[0]
            && let Some(v) = self.asl_text_function(name, (text, *quote), &values[1..], span)?
        {
            return Ok(v);
        }
        if let Typed::Real(r) = values[0] {
            return Ok(match name {
                "abs" => Typed::Real(r.abs()),
                "sgn" => Typed::Int(i64::from(r > 0.0) - i64::from(r < 0.0)),
                "int" => Typed::Int(r.trunc() as i64),
                "exprtype" => Typed::Int(1),
                _ => return fault(format!("`{name}()` takes a whole number"), span),
            });
        }
        let n = self.asl_number_of(&values[0], span)?;
        let byte = |f: fn(&u8) -> u8| match u8::try_from(n) {
            Ok(b) => i64::from(f(&b)),
            Err(_) => n,
        };
        Ok(Typed::Int(match name {
            "toupper" => byte(u8::to_ascii_uppercase),
            "tolower" => byte(u8::to_ascii_lowercase),
            "bitcnt" => i64::from(n.count_ones()),
            // As measured: bit 0 of an odd number is not seen unless bit 1 is set too.
            "firstbit" => match if n & 1 == 1 { n >> 1 } else { n } {
                0 => -1,
                m => i64::from(m.trailing_zeros()),
            },
            "lastbit" => 63 - i64::from(n.leading_zeros()),
            "bitpos" if n.count_ones() != 1 => {
                return fault(format!("{n} has not just one bit"), span);
            }
            "bitpos" => i64::from(n.trailing_zeros()),
            "abs" => n.wrapping_abs(),
            "sgn" => n.signum(),
            "int" => n,
            "exprtype" => 0,
            _ => return fault(format!("`{name}()` takes a text"), span),
        }))
    }

    /// Functions of texts; nothing where it is none of them.
    fn asl_text_function(
        &mut self,
        name: &str,
        (text, quote): (&[u8], bool),
        more: &[Typed],
        span: Span,
    ) -> Outcome<Option<Typed>> {
        let mut numbers = [0i64; 2];
        for (to, v) in numbers.iter_mut().zip(more) {
            if !matches!((name, v), ("strstr", _)) {
                *to = self.asl_number_of(v, span)?;
            }
        }
        let all = text.len() as i64;
        Ok(Some(match (name, more) {
            ("strlen", _) => Typed::Int(all),
            ("upstring", _) => Typed::Text(text.to_ascii_uppercase(), quote),
            ("lowstring", _) => Typed::Text(text.to_ascii_lowercase(), quote),
            ("exprtype", _) => Typed::Int(2),
            ("substr", _) => {
                let from = numbers[0].clamp(0, all);
                let count = match numbers[1] {
                    ..=0 => all - from,
                    n => n.min(all - from),
                };
                let part = &text[from as usize..(from + count) as usize];
                Typed::Text(part.to_vec(), quote)
            }
            ("strstr", [Typed::Text(part, _)]) => {
                let at = memchr::memmem::find(text, part);
                Typed::Int(at.map_or(-1, |n| n as i64))
            }
            ("charfromstr", _) => {
                let at = usize::try_from(numbers[0]).ok().and_then(|n| text.get(n));
                Typed::Int(at.map_or(-1, |&b| i64::from(b)))
            }
            ("val", _) => {
                let made = self.made_line(&String::from_utf8_lossy(text))?;
                let Some(first) = made.first().copied() else {
                    return Ok(Some(Typed::Int(0)));
                };
                let state = self.own.get_mut::<State>();
                if state.depth >= DEEP {
                    return fault("texts call each other too deeply", span);
                }
                state.depth += 1;
                let v = self.asl_known(&first, &made, "the value");
                self.own.get_mut::<State>().depth -= 1;
                v?
            }
            _ => return Ok(None),
        }))
    }
}
