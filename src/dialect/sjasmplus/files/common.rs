//! What all requests have: findings, values that may be left out, places in memory.

use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::sjasmplus::asks::ABSENT;

/// Findings of a request.
pub type Found = Vec<Diagnostic>;

/// An error of a request.
pub fn error(message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::CONTAINER, message))
}

/// A remark on a request.
pub fn remark(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::CONTAINER_WARNING, message)
}

/// A value that may be left out.
pub fn given(values: &[i64], i: usize) -> Option<i64> {
    values.get(i).copied().filter(|&v| v != ABSENT)
}

/// How many bytes are meant by an address and a length; all up to the end where the length
/// reaches over it or is none.
pub fn extent(start: i64, length: i64) -> usize {
    let rest = (0x10000 - start).max(0);
    let all = length <= 0 || length > rest;
    (if all { rest } else { length }) as usize
}

/// An address and a length that lie in memory; why they do not.
pub fn part(start: i64, length: i64) -> Result<(u64, usize), Box<Diagnostic>> {
    if !(0..0x10000).contains(&start) || length < 1 || start + length > 0x10000 {
        let message = format!("{length} bytes from {start} on are not in memory");
        return Err(Box::new(Diagnostic::new(codes::OUT_OF_RANGE, message)));
    }
    Ok((start as u64, length as usize))
}

/// An address; why a value is none.
pub fn address(value: i64, what: &str) -> Result<i64, Box<Diagnostic>> {
    match (0..0x10000).contains(&value) {
        true => Ok(value),
        false => {
            let message = format!("{what} is from 0 to $FFFF, not {value}");
            Err(Box::new(Diagnostic::new(codes::OUT_OF_RANGE, message)))
        }
    }
}
