//! Expressions in postfix form and their evaluation, before layout (where
//! addresses may be unknown) and after it. No recursion: a source cannot
//! overflow the stack.

use crate::program::fractions;
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId, Symbols};
use crate::text::language::{Binary, Dialect, Overflow, Unary, Width};

/// One operation in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A number.
    Number(i64),
    /// A number with a fraction.
    Real(Real),
    /// A symbol's value.
    Symbol(SymbolId),
    /// The address of a place.
    Place(Anchor),
    /// Size of what a symbol names.
    Sizeof(SymbolId),
    /// On the top value.
    Unary(Unary),
    /// On the two top values.
    Binary(Binary),
    /// `condition ? then : else` on the three top values.
    Select,
    /// The lesser of the two top values.
    Min,
    /// The greater of the two top values.
    Max,
}

/// A number with a fraction, kept as its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Real(u64);

impl Real {
    /// A finite number; [`Miss::Overflow`] for others.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(v: f64) -> Result<Self, Miss> {
        if v.is_finite() {
            Ok(Self(v.to_bits()))
        } else {
            Err(Miss::Overflow)
        }
    }
    /// Its value.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The symbol has no definition (yet).
    Undefined(SymbolId),
    /// An address that only layout knows.
    NotYet,
    /// Division or remainder by zero.
    DivideByZero,
    /// More than 64 bits.
    Overflow,
    /// A shift by fewer than no bits.
    BackwardShift,
    /// The symbol is defined by itself.
    Circular(SymbolId),
    /// A number with a fraction where a whole one is needed.
    Fraction,
}

/// A value before layout: a number, or an address that is a known distance from the
/// end of one of the items whose size layout decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A number.
    Number(i64),
    /// A number with a fraction.
    Real(Real),
    /// In that chunk, behind so many items of open size: `n` more than their end.
    Relative(u32, u32, i64),
}

/// Applies a binary operator.
pub fn binary(op: Binary, a: i64, b: i64, d: &Dialect) -> Result<i64, Miss> {
    let truth = |t: bool| if t { d.values.truth } else { 0 };
    let both = |t: bool| if t { d.values.logic_truth } else { 0 };
    let checked = |v: Option<i64>| match v {
        Some(v) => Ok(v),
        None => Err(Miss::Overflow),
    };
    let wide = d.values.width == Width::Signed64;
    // Other assemblers take what the processor does; scrimp's own language is exact.
    let strict = wide && d.values.overflow == Overflow::Error;
    let v = match op {
        Binary::Shl | Binary::Shr if strict && b < 0 => return Err(Miss::BackwardShift),
        Binary::Shl if strict && a != 0 => {
            let v = a.checked_shl(u32::try_from(b).unwrap_or(u32::MAX));
            checked(v.filter(|v| v >> b == a))?
        }
        Binary::Mul if wide => checked(a.checked_mul(b))?,
        Binary::Add if wide => checked(a.checked_add(b))?,
        Binary::Sub if wide => checked(a.checked_sub(b))?,
        Binary::Mul => a.wrapping_mul(b),
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Div | Binary::Mod if b == 0 => return Err(Miss::DivideByZero),
        Binary::UnsignedDiv | Binary::UnsignedMod if b as u32 == 0 => {
            return Err(Miss::DivideByZero);
        }
        Binary::UnsignedDiv => i64::from(a as u32 / b as u32),
        Binary::UnsignedMod => i64::from(a as u32 % b as u32),
        Binary::Div => checked(a.checked_div(b))?,
        Binary::Mod => checked(a.checked_rem(b))?,
        Binary::Shl if d.values.whole_shifts && !(0..32).contains(&b) => 0,
        Binary::Shr if d.values.whole_shifts && !(0..32).contains(&b) => a >> 63,
        Binary::Shl => match d.values.width {
            Width::Signed64 | Width::Wrapping64 if !(0..64).contains(&b) => 0,
            Width::Signed64 | Width::Wrapping64 => a.wrapping_shl(b as u32),
            // The peers compute in 32 bits, where the count is taken modulo 32.
            _ => i64::from((a as u32).wrapping_shl(b as u32)),
        },
        Binary::Shr => match d.values.width {
            Width::Wrapping64 if !(0..64).contains(&b) => 0,
            Width::Wrapping64 => ((a as u64) >> b) as i64,
            Width::Signed64 if !(0..64).contains(&b) => a >> 63,
            Width::Signed64 => a >> b,
            Width::Wrapping32 if b == 0 => a,
            Width::Wrapping32 => {
                let half = a as u32 >> 1;
                i64::from(half.wrapping_shr((b as u32).wrapping_sub(1)))
            }
            Width::Signed32 => i64::from((a as i32).wrapping_shr(b as u32)),
            Width::Unsigned16 => i64::from((a as u32).wrapping_shr(b as u32)),
        },
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::And => a & b,
        Binary::Xor => a ^ b,
        Binary::Or => a | b,
        Binary::LogicAnd => both(a != 0 && b != 0),
        Binary::LogicOr => both(a != 0 || b != 0),
        Binary::UnsignedShr => i64::from((a as u32).wrapping_shr(b as u32)),
        Binary::Least => a.min(b),
        Binary::Most => a.max(b),
    };
    Ok(d.values.width.wrap(v))
}

/// Applies a prefix operator.
pub fn unary(op: Unary, a: i64, d: &Dialect) -> Result<i64, Miss> {
    let v = match op {
        Unary::Neg if d.values.width == Width::Wrapping64 => a.wrapping_neg(),
        Unary::Neg => a.checked_neg().ok_or(Miss::Overflow)?,
        Unary::Not => !a,
        Unary::LogicNot => {
            if a == 0 {
                d.values.logic_truth
            } else {
                0
            }
        }
        Unary::Low => a & 0xff,
        Unary::High => (a >> 8) & 0xff,
        Unary::Bank => (a >> 16) & 0xff,
        Unary::Byte4 => (a >> 24) & 0xff,
        Unary::LowWord => a & 0xffff,
        Unary::HighWord => (a >> 16) & 0xffff,
        Unary::Page => (a >> 16) & 0x3f,
        Unary::Abs => a.checked_abs().ok_or(Miss::Overflow)?,
        Unary::Exp2 => match a {
            0..=63 => 1 << a,
            _ => return Err(Miss::Overflow),
        },
        Unary::Log2 => match a {
            1.. => i64::from(a.ilog2()),
            _ => return Err(Miss::Overflow),
        },
        Unary::Frac => 0,
        Unary::Q7 | Unary::Q15 => return unary_real(op, a as f64, d).and_then(|v| whole(v, d)),
        Unary::Int => a,
        Unary::Plus | Unary::Defined | Unary::Nul | Unary::Sizeof | Unary::Strlen => a,
    };
    Ok(d.values.width.wrap(v))
}

/// The whole number that is wanted of a value.
///
/// # Errors
/// When it has a fraction where the dialect rounds none, or is not known.
pub fn whole(v: Known, d: &Dialect) -> Result<i64, Miss> {
    match v {
        Known::Number(n) => Ok(n),
        Known::Real(r) if d.values.fractions => fractions::nearest(r.get()).ok_or(Miss::Overflow),
        Known::Real(_) => Err(Miss::Fraction),
        Known::Relative(..) => Err(Miss::NotYet),
    }
}

/// Applies a prefix operator or function to a number with a fraction.
fn unary_real(op: Unary, a: f64, d: &Dialect) -> Result<Known, Miss> {
    let real = |v: f64| Real::new(v).map(Known::Real);
    let int = |v: f64| {
        // The bounds are powers of two and so exact.
        if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&v) {
            Ok(Known::Number(v as i64))
        } else {
            Err(Miss::Overflow)
        }
    };
    match op {
        Unary::Plus => real(a),
        Unary::Neg => real(-a),
        Unary::Abs => real(a.abs()),
        Unary::LogicNot if !d.values.fractions => {
            Ok(Known::Number(if a == 0.0 { d.values.truth } else { 0 }))
        }
        Unary::Int if d.values.fractions => real((a + 0.5).floor()),
        Unary::Int => int(a.trunc()),
        Unary::Frac => real(a.fract()),
        Unary::Q7 => int((a * 128.0).trunc()),
        Unary::Q15 => int((a * 32768.0).trunc()),
        Unary::Log2 if a >= 1.0 => int(a.log2().floor()),
        Unary::Exp2 => int(a.trunc())
            .and_then(|v| whole(v, d))
            .and_then(|n| unary(op, n, d).map(Known::Number)),
        Unary::Low | Unary::High | Unary::LogicNot | Unary::Not if d.values.fractions => {
            unary(op, fractions::bits(a).into(), d).map(Known::Number)
        }
        _ => Err(Miss::Fraction),
    }
}

/// Applies a binary operator where values may have fractions.
fn fractional(op: Binary, a: f64, b: f64, d: &Dialect) -> Result<Known, Miss> {
    let v = fractions::binary(op, a, b, d.values.truth as f64).ok_or(Miss::DivideByZero)?;
    match fractions::is_whole(v) {
        true => Ok(Known::Number(v as i64)),
        false => Real::new(v).map(Known::Real),
    }
}

/// Applies a binary operator where one side has a fraction.
fn binary_real(op: Binary, a: f64, b: f64, d: &Dialect) -> Result<Known, Miss> {
    let real = |v: f64| Real::new(v).map(Known::Real);
    let truth = |t: bool| Ok(Known::Number(if t { d.values.truth } else { 0 }));
    match op {
        Binary::Mul => real(a * b),
        Binary::Add => real(a + b),
        Binary::Sub => real(a - b),
        Binary::Div if b == 0.0 => Err(Miss::DivideByZero),
        Binary::Div => real(a / b),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::LogicAnd => truth(a != 0.0 && b != 0.0),
        Binary::LogicOr => truth(a != 0.0 || b != 0.0),
        Binary::Mod
        | Binary::Shl
        | Binary::Shr
        | Binary::And
        | Binary::Xor
        | Binary::Or
        | Binary::UnsignedShr
        | Binary::UnsignedDiv
        | Binary::UnsignedMod
        | Binary::Least
        | Binary::Most => Err(Miss::Fraction),
    }
}

/// Evaluates with a function that gives the leaves.
pub fn run(
    ops: &[Op],
    d: &Dialect,
    leaf: &mut dyn FnMut(Op) -> Result<Known, Miss>,
) -> Result<Known, Miss> {
    if let [one] = ops {
        return match *one {
            Op::Number(n) => Ok(Known::Number(n)),
            Op::Real(r) => Ok(Known::Real(r)),
            o => leaf(o),
        };
    }
    let mut stack: smallvec::SmallVec<[Result<Known, Miss>; 8]> = smallvec::SmallVec::new();
    for &op in ops {
        let v = match op {
            Op::Number(n) => Ok(Known::Number(n)),
            Op::Real(r) => Ok(Known::Real(r)),
            Op::Symbol(_) | Op::Place(_) | Op::Sizeof(_) => leaf(op),
            Op::Unary(u) => match stack.pop() {
                Some(Ok(Known::Number(a))) => unary(u, a, d).map(Known::Number),
                Some(Ok(Known::Real(a))) => unary_real(u, a.get(), d),
                Some(Ok(Known::Relative(..))) if u != Unary::Plus => Err(Miss::NotYet),
                Some(v) => v,
                None => Err(Miss::NotYet),
            },
            Op::Binary(b) => {
                let (Some(y), Some(x)) = (stack.pop(), stack.pop()) else {
                    return Err(Miss::NotYet);
                };
                binary_known(b, x, y, d)
            }
            Op::Min | Op::Max => {
                let (Some(y), Some(x)) = (stack.pop(), stack.pop()) else {
                    return Err(Miss::NotYet);
                };
                match (x, y) {
                    (Ok(Known::Number(a)), Ok(Known::Number(b))) => {
                        Ok(Known::Number(if op == Op::Min {
                            a.min(b)
                        } else {
                            a.max(b)
                        }))
                    }
                    (Err(e), _) | (_, Err(e)) => Err(e),
                    _ => Err(Miss::NotYet),
                }
            }
            Op::Select => {
                let (Some(no), Some(yes), Some(c)) = (stack.pop(), stack.pop(), stack.pop()) else {
                    return Err(Miss::NotYet);
                };
                match c {
                    Ok(Known::Number(0)) => no,
                    Ok(Known::Number(_)) => yes,
                    Ok(Known::Real(r)) => {
                        if r.get() == 0.0 {
                            no
                        } else {
                            yes
                        }
                    }
                    Ok(Known::Relative(..)) => Err(Miss::NotYet),
                    Err(e) => Err(e),
                }
            }
        };
        stack.push(v);
    }
    stack.pop().unwrap_or(Err(Miss::NotYet))
}

fn binary_known(
    op: Binary,
    x: Result<Known, Miss>,
    y: Result<Known, Miss>,
    d: &Dialect,
) -> Result<Known, Miss> {
    use Known::{Number as N, Real as F, Relative as R};
    // The left side may decide alone.
    match (op, &x) {
        (Binary::LogicAnd, Ok(N(0))) => return Ok(N(0)),
        (Binary::LogicOr, Ok(N(n))) if *n != 0 => {
            return Ok(N(d.values.logic_truth));
        }
        _ => {}
    }
    match (x?, y?) {
        (N(a), N(b)) if d.values.fractions => fractional(op, a as f64, b as f64, d),
        (F(a), N(b)) if d.values.fractions => fractional(op, a.get(), b as f64, d),
        (N(a), F(b)) if d.values.fractions => fractional(op, a as f64, b.get(), d),
        (F(a), F(b)) if d.values.fractions => fractional(op, a.get(), b.get(), d),
        (N(a), N(b)) => binary(op, a, b, d).map(N),
        (F(a), F(b)) => binary_real(op, a.get(), b.get(), d),
        (F(a), N(b)) => binary_real(op, a.get(), b as f64, d),
        (N(a), F(b)) => binary_real(op, a as f64, b.get(), d),
        (R(c, t, a), N(b)) if op == Binary::Add => Ok(R(c, t, a.saturating_add(b))),
        (R(c, t, a), N(b)) if op == Binary::Sub => Ok(R(c, t, a.saturating_sub(b))),
        (N(a), R(c, t, b)) if op == Binary::Add => Ok(R(c, t, a.saturating_add(b))),
        (R(c, t, a), R(e, u, b))
            if c == e
                && t == u
                && matches!(
                    op,
                    Binary::Sub
                        | Binary::Lt
                        | Binary::Le
                        | Binary::Gt
                        | Binary::Ge
                        | Binary::Eq
                        | Binary::Ne
                ) =>
        {
            binary(op, a, b, d).map(N)
        }
        _ => Err(Miss::NotYet),
    }
}

/// Final values: addresses are known, symbols are evaluated on demand and kept.
pub struct Final<'a> {
    /// All operations.
    pub ops: &'a [Op],
    /// The symbols.
    pub symbols: &'a Symbols,
    /// The dialect.
    pub dialect: &'a Dialect,
    /// Address of a place.
    pub address: &'a dyn Fn(Anchor) -> i64,
    /// Values found so far, by symbol.
    pub values: std::borrow::Cow<'a, [State]>,
}

/// What is known of a symbol's final value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not asked for.
    New,
    /// Being evaluated.
    Busy,
    /// Found or found impossible.
    Done(Result<i64, Miss>),
}

impl Final<'_> {
    /// Value of an expression.
    pub fn expr(&mut self, e: ExprId) -> Result<i64, Miss> {
        self.settle(e);
        self.settled(e)
    }

    /// Value of an expression whose symbols are known.
    fn settled(&mut self, e: ExprId) -> Result<i64, Miss> {
        let all = self.ops;
        // Operations of a value that could not be read are gone.
        let ops = all.get(e.start as usize..(e.start + e.len) as usize);
        let d = self.dialect;
        whole(
            run(ops.ok_or(Miss::NotYet)?, d, &mut |op| self.leaf(op))?,
            d,
        )
    }

    /// Finds the values of all constants that an expression needs, those first that
    /// others need: constants may refer to each other over any distance.
    fn settle(&mut self, e: ExprId) {
        // A constant under way, what is left of its operations, and all of them.
        let mut open: Vec<(Option<SymbolId>, ExprId, ExprId)> = Vec::new();
        let mut now = (None, e, e);
        loop {
            let (of, mut rest, whole) = now;
            let mut needed = None;
            while rest.len > 0 && needed.is_none() {
                let Some(&op) = self.ops.get(rest.start as usize) else {
                    break;
                };
                rest = ExprId {
                    start: rest.start + 1,
                    len: rest.len - 1,
                };
                if let Op::Symbol(id) | Op::Sizeof(id) = op {
                    let id = self.symbols.resolve(id);
                    let new = self.values[id.0 as usize] == State::New;
                    match self.symbols.get(id).meaning {
                        Meaning::Expr(e) if new => needed = Some((id, e)),
                        _ => {}
                    }
                }
            }
            if let Some((id, e)) = needed {
                self.values.to_mut()[id.0 as usize] = State::Busy;
                open.push((of, rest, whole));
                now = (Some(id), e, e);
                continue;
            }
            if let Some(id) = of {
                let v = self.settled(whole);
                self.values.to_mut()[id.0 as usize] = State::Done(v);
            }
            match open.pop() {
                Some(outer) => now = outer,
                None => return,
            }
        }
    }

    /// Value of an operand whose constants are settled.
    pub fn leaf(&mut self, op: Op) -> Result<Known, Miss> {
        // A constant with a fraction is known before layout.
        if let Op::Symbol(id) = op
            && let Meaning::Expr(e) = self.symbols.get(self.symbols.resolve(id)).meaning
            && e.len == 1
            && let Op::Real(r) = self.ops[e.start as usize]
        {
            return Ok(Known::Real(r));
        }
        self.number(op).map(Known::Number)
    }

    fn number(&mut self, op: Op) -> Result<i64, Miss> {
        match op {
            Op::Symbol(id) => self.known_symbol(id),
            Op::Place(p) => Ok((self.address)(p)),
            Op::Sizeof(id) => {
                let id = self.symbols.resolve(id);
                let s = self.symbols.get(id);
                match (s.place, s.end) {
                    (Some(a), Some(b)) => Ok((self.address)(b) - (self.address)(a)),
                    _ => self.known_symbol(id),
                }
            }
            _ => Err(Miss::NotYet),
        }
    }

    /// Value of a symbol.
    pub fn symbol(&mut self, id: SymbolId) -> Result<i64, Miss> {
        let id = self.symbols.resolve(id);
        if self.values[id.0 as usize] == State::New
            && let Meaning::Expr(e) = self.symbols.get(id).meaning
        {
            self.values.to_mut()[id.0 as usize] = State::Busy;
            self.settle(e);
            let v = self.settled(e);
            self.values.to_mut()[id.0 as usize] = State::Done(v);
        }
        self.known_symbol(id)
    }

    /// Value of a symbol that is no constant, or one that is settled.
    fn known_symbol(&mut self, id: SymbolId) -> Result<i64, Miss> {
        let id = self.symbols.resolve(id);
        let i = id.0 as usize;
        match self.values[i] {
            State::Done(v) => return v,
            State::Busy => return Err(Miss::Circular(id)),
            State::New => {}
        }
        let v = match self.symbols.get(id).meaning {
            Meaning::Number(n) => Ok(n),
            Meaning::At(p) => Ok((self.address)(p)),
            Meaning::Undefined => Err(Miss::Undefined(id)),
            Meaning::Expr(_) => Err(Miss::Circular(id)),
        };
        self.values.to_mut()[i] = State::Done(v);
        v
    }
}
