//! Functions in expressions.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::{Known, Op, Real};
use crate::program::fractions::{bits, is_whole};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::literal::inside;
use crate::text::language::{Binary, Unary};
use crate::text::lex::{Kind, Tok};

/// Half a turn, as rasm has it.
pub const PI: f64 = 3.141_592_654_5;

/// A function by what it does with its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// One that may wait for its argument.
    Later(Unary),
    /// The next whole number that is not above it, or not below it.
    Floor,
    Ceil,
    /// One argument.
    One(fn(f64) -> f64),
    /// Two.
    Two(fn(f64, f64) -> f64),
    /// Three.
    Three(fn(f64, f64, f64) -> f64),
    /// The length of a file.
    FileSize,
    /// A byte of a file.
    FileByte,
    /// Whether a text is a register.
    IsRegister,
    /// What scrimp does not do.
    Refused,
}

fn said(t: bool) -> f64 {
    if t { 1.0 } else { 0.0 }
}

/// An intensity of 0 to 15 so many bits up.
fn colour(v: f64, shift: u32) -> f64 {
    f64::from((v as i32).clamp(0, 15) << shift)
}

/// Such an intensity out of a colour.
fn of_colour(v: f64, shift: u32) -> f64 {
    f64::from(v as i32 >> shift & 15)
}

/// They, by their names.
const NAMED: &[(&str, Function)] = &[
    ("lo", Function::Later(Unary::Low)),
    ("hi", Function::Later(Unary::High)),
    ("abs", Function::Later(Unary::Abs)),
    ("int", Function::Later(Unary::Int)),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("frac", Function::One(f64::fract)),
    ("sin", Function::One(|v| (v * PI / 180.0).sin())),
    ("cos", Function::One(|v| (v * PI / 180.0).cos())),
    ("asin", Function::One(|v| v.asin() * 180.0 / PI)),
    ("acos", Function::One(|v| v.acos() * 180.0 / PI)),
    ("atan", Function::One(|v| v.atan() * 180.0 / PI)),
    ("exp", Function::One(f64::exp)),
    ("ln", Function::One(f64::ln)),
    ("log10", Function::One(f64::log10)),
    ("sqrt", Function::One(f64::sqrt)),
    ("pow2", Function::One(f64::exp2)),
    ("getr", Function::One(|v| of_colour(v, 4))),
    ("getv", Function::One(|v| of_colour(v, 8))),
    ("getg", Function::One(|v| of_colour(v, 8))),
    ("getb", Function::One(|v| of_colour(v, 0))),
    ("setr", Function::One(|v| colour(v, 4))),
    ("setv", Function::One(|v| colour(v, 8))),
    ("setg", Function::One(|v| colour(v, 8))),
    ("setb", Function::One(|v| colour(v, 0))),
    ("pow", Function::Two(f64::powf)),
    ("fmod", Function::Two(|a, b| a % b)),
    ("fremain", Function::Two(|a, b| a % b)),
    ("atan2", Function::Two(f64::atan2)),
    ("hypot", Function::Two(f64::hypot)),
    ("ldexp", Function::Two(|a, b| a * f64::from(bits(b)).exp2())),
    ("fdim", Function::Two(|a, b| (a - b).max(0.0))),
    ("fstep", Function::Two(|a, b| said(a <= b))),
    ("fmax", Function::Two(f64::max)),
    ("fmin", Function::Two(f64::min)),
    ("isgreater", Function::Two(|a, b| said(a > b))),
    ("isless", Function::Two(|a, b| said(a < b))),
    (
        "clamp",
        Function::Three(|v, low, high| {
            if v < low {
                low
            } else if v > high {
                high
            } else {
                v
            }
        }),
    ),
    ("lerp", Function::Three(|a, b, part| a + part * (b - a))),
    ("filesize", Function::FileSize),
    ("filebyte", Function::FileByte),
    ("is_register", Function::IsRegister),
    ("rnd", Function::Refused),
    ("peek", Function::Refused),
    ("psgvalue", Function::Refused),
    ("soft2hard_ink", Function::Refused),
    ("s2h_ink", Function::Refused),
    ("hard2soft_ink", Function::Refused),
    ("h2s_ink", Function::Refused),
    ("getnop", Function::Refused),
    ("gettick", Function::Refused),
    ("duration", Function::Refused),
    ("getsize", Function::Refused),
    ("countnops", Function::Refused),
];

impl Function {
    /// The function of that name.
    pub fn named(text: &str) -> Option<Self> {
        let found = NAMED.iter().find(|n| n.0.eq_ignore_ascii_case(text));
        found.map(|n| n.1)
    }
}

impl Assembler<'_> {
    /// Calls a function; its bracket is next.
    pub(super) fn rasm_function(
        &mut self,
        f: Function,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<()> {
        let name = self.text(t).to_ascii_lowercase();
        c.at += 1;
        match f {
            Function::Later(op) => {
                self.ternary(c, depth + 1)?;
                self.ops.push(Op::Unary(op));
            }
            Function::Floor | Function::Ceil => {
                self.ternary(c, depth + 1)?;
                // `int` takes the nearest.
                let half = Op::Real(Real::new(0.5).map_err(|miss| self.miss(miss, t.span))?);
                let floor = [half, Op::Binary(Binary::Sub), Op::Unary(Unary::Int)];
                let turn = matches!(f, Function::Ceil).then_some(Op::Unary(Unary::Neg));
                self.ops.extend(turn);
                self.ops.extend(floor);
                self.ops.extend(turn);
            }
            Function::Refused => {
                let message = format!("`{name}()` is not done by scrimp");
                let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(t.span);
                return Err(Box::new(d.help("write the number")));
            }
            Function::One(f) => {
                let a = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_result(f(a), t)?;
            }
            Function::Two(f) => {
                let a = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_comma(&name, t, c)?;
                let b = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_result(f(a, b), t)?;
            }
            Function::Three(f) => {
                let a = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_comma(&name, t, c)?;
                let b = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_comma(&name, t, c)?;
                let z = self.rasm_argument(&name, t, c, depth)?;
                self.rasm_result(f(a, b, z), t)?;
            }
            Function::FileSize => {
                let file = self.rasm_text_argument(&name, t, c)?;
                let n = self.content(&file, t.span)?.len();
                self.ops.push(Op::Number(n as i64));
            }
            Function::FileByte => {
                let file = self.rasm_text_argument(&name, t, c)?;
                self.rasm_comma(&name, t, c)?;
                let at = self.rasm_argument(&name, t, c, depth)?;
                let bytes = self.content(&file, t.span)?;
                let Some(&b) = bytes.get(bits(at) as usize) else {
                    let message = format!("the file `{file}` has {} bytes", bytes.len());
                    let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(t.span);
                    return Err(Box::new(d));
                };
                self.ops.push(Op::Number(b.into()));
            }
            Function::IsRegister => {
                let word = self.rasm_text_argument(&name, t, c)?;
                const CONDITIONS: [&str; 7] = ["nz", "z", "nc", "po", "pe", "p", "m"];
                let condition = CONDITIONS.iter().any(|c| c.eq_ignore_ascii_case(&word));
                let yes = !condition && self.words.get(&word).word != 0;
                self.ops.push(Op::Number(yes.into()));
            }
        }
        if c.eat(Kind::Close) {
            return Ok(());
        }
        let span = c.peek().map_or(t.span, |t| t.span);
        let d = Diagnostic::new(codes::SYNTAX, format!("expected `)` of `{name}(`"));
        Err(Box::new(d.at(span)))
    }

    fn rasm_comma(&mut self, name: &str, t: &Tok, c: &mut Cursor<'_>) -> Outcome<()> {
        match c.eat(Kind::Comma) {
            true => Ok(()),
            false => {
                let d = Diagnostic::new(codes::SYNTAX, format!("`{name}()` takes more arguments"));
                Err(Box::new(d.at(t.span)))
            }
        }
    }

    /// An argument, which must be known.
    fn rasm_argument(
        &mut self,
        name: &str,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<f64> {
        let start = self.ops.len();
        let parsed = self.ternary(c, depth + 1);
        let value = parsed.map(|()| self.now(&self.ops[start..]));
        self.ops.truncate(start);
        match value? {
            Ok(Known::Number(n)) => Ok(n as f64),
            Ok(Known::Real(r)) => Ok(r.get()),
            Err(miss) => {
                let d = self.miss(miss, t.span);
                Err(Box::new(d.help(format!(
                    "`{name}()` wants values that are known above"
                ))))
            }
            Ok(Known::Relative(..)) => {
                let message = format!("`{name}()` wants values that are known above");
                let d = Diagnostic::new(codes::NOT_KNOWN_YET, message).at(t.span);
                Err(Box::new(d))
            }
        }
    }

    /// An argument that is a text.
    fn rasm_text_argument(&mut self, name: &str, t: &Tok, c: &mut Cursor<'_>) -> Outcome<String> {
        match c.peek() {
            Some(text) if matches!(text.kind, Kind::Single | Kind::Double) => {
                let whole = self.text(text);
                let inner = inside(whole).to_owned();
                c.at += 1;
                Ok(inner)
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, format!("`{name}()` wants a text"));
                Err(Box::new(d.at(t.span)))
            }
        }
    }

    fn rasm_result(&mut self, v: f64, t: &Tok) -> Outcome<()> {
        let op = match (is_whole(v), Real::new(v)) {
            (true, _) => Op::Number(v as i64),
            (false, Ok(r)) => Op::Real(r),
            (false, Err(_)) => {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, "the result is no number");
                return Err(Box::new(d.at(t.span)));
            }
        };
        self.ops.push(op);
        Ok(())
    }
}
