//! Constants of rules, some of which are computed from others.

use crate::{Concrete, Domain};

/// A byte of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// Is known.
    Number(u8),
    /// Has a name.
    Variable(String),
    /// Comes out of others; only in what a rule puts in.
    Computed(Box<Computed>),
}

/// A number: decimal, or hexadecimal behind `0x`.
pub fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// What is done with two constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The sum, without what is carried out of it.
    Add,
    /// The difference, without what is borrowed for it.
    Sub,
    /// Bit by bit, both.
    And,
    /// Bit by bit, either or both.
    Or,
    /// Bit by bit, one of the two but not both.
    Xor,
    /// The byte above the first one's where that has a sign: 0 or 255.
    Sign,
}

/// Between the operands of a text; the longer ones first.
const OPERATIONS: [(&str, Operation); 5] = [
    (" and ", Operation::And),
    (" xor ", Operation::Xor),
    (" or ", Operation::Or),
    ("+", Operation::Add),
    ("-", Operation::Sub),
];

/// A byte of what comes out of two constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// What is done.
    pub operation: Operation,
    /// The bytes of the first operand, the lowest first: numbers or variables.
    pub left: Vec<Constant>,
    /// Those of the second one, as many.
    pub right: Vec<Constant>,
    /// Which byte of the result, from 0 for the lowest.
    pub byte: usize,
}

impl Computed {
    /// The bytes of a constant of 1 or 2 bytes from its text, if it is one that is computed.
    pub(super) fn read(text: &str, count: usize) -> Option<Vec<Constant>> {
        let (left, operation, right) = match text.strip_prefix("-$") {
            Some(name) if !name.contains(['+', '-', ' ']) => ("0", Operation::Sub, &text[1..]),
            Some(_) => return None,
            None => OPERATIONS
                .iter()
                .find_map(|&(sign, o)| text.split_once(sign).map(|(a, b)| (a, o, b)))?,
        };
        let (left, right) = (operand(left, count)?, operand(right, count)?);
        let byte = |byte| {
            Constant::Computed(Box::new(Self {
                operation,
                left: left.clone(),
                right: right.clone(),
                byte,
            }))
        };
        Some((0..count).map(byte).collect())
    }

    /// The names of its variables.
    pub fn names(&self) -> Vec<&str> {
        let all = self.left.iter().chain(&self.right);
        all.flat_map(|c| match c {
            Constant::Number(_) => Vec::new(),
            Constant::Variable(name) => vec![name.as_str()],
            Constant::Computed(c) => c.names(),
        })
        .collect()
    }

    /// Its value, where `variable` has those of its variables.
    pub fn value<D: Domain>(&self, d: D, variable: impl Fn(&str) -> D::Byte) -> D::Byte {
        self.of(d, &variable)
    }

    fn of<D: Domain>(&self, d: D, variable: &dyn Fn(&str) -> D::Byte) -> D::Byte {
        let byte = |c: &Constant| match c {
            Constant::Number(n) => d.byte(*n),
            Constant::Variable(name) => variable(name),
            Constant::Computed(c) => c.of(d, variable),
        };
        let mut carry = d.bit(false);
        let mut result = d.byte(0);
        for (a, b) in self.left.iter().zip(&self.right).take(self.byte + 1) {
            let (a, b) = (byte(a), byte(b));
            (result, carry) = match self.operation {
                Operation::Add => d.add(a, b, carry),
                Operation::Sub => d.sub(a, b, carry),
                Operation::And => (d.and(a, b), carry),
                Operation::Or => (d.or(a, b), carry),
                Operation::Xor => (d.xor(a, b), carry),
                Operation::Sign => (d.mask(d.test(a, 0x80), 0xff), carry),
            };
        }
        result
    }

    /// Its value as a number, if all its variables have one.
    pub fn number(&self, variable: impl Fn(&str) -> Option<u8>) -> Option<u8> {
        let known = self.names().iter().all(|n| variable(n).is_some());
        known.then(|| self.value(Concrete, |name| variable(name).unwrap_or(0)))
    }
}

/// A number or a variable as so many bytes; `$n.s` is a word, which has the value of a byte with a
/// sign.
fn operand(text: &str, count: usize) -> Option<Vec<Constant>> {
    let text = text.trim();
    let signed = text.strip_prefix('$').and_then(|t| t.strip_suffix(".s"));
    if let (Some(name), 2) = (signed, count) {
        let low = Constant::Variable(name.to_owned());
        let sign = Constant::Computed(Box::new(Computed {
            operation: Operation::Sign,
            left: vec![low.clone()],
            right: vec![Constant::Number(0)],
            byte: 0,
        }));
        return Some(vec![low, sign]);
    }
    match text.strip_prefix('$') {
        Some(name) if count == 1 => Some(vec![Constant::Variable(name.to_owned())]),
        Some(name) => {
            let part = |part| Constant::Variable(format!("{name}.{part}"));
            Some(["l", "h"].map(part).to_vec())
        }
        None => {
            let n = number(text).and_then(|n| u16::try_from(n).ok())?;
            Some(
                (n.to_le_bytes()[..count]
                    .iter()
                    .copied()
                    .map(Constant::Number))
                .collect(),
            )
        }
    }
}
