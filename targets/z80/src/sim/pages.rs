//! The table by opcode: what the simulator looks an instruction up in.

use std::sync::LazyLock;

use scrimp_isa::Cycles;

use crate::op::Op;
use crate::reg;
use crate::semantics::{Ins, Mode};
use crate::table::FORMS;
use crate::target::decoder;

/// One entry for each opcode byte behind a prefix.
#[derive(Debug)]
pub struct Pages {
    /// No prefix.
    pub base: [Ins; 256],
    /// CB.
    pub bits: [Ins; 256],
    /// ED.
    pub extended: [Ins; 256],
    /// DD and FD; an opcode that the prefix does not change is as without it,
    /// with the time of the prefix added.
    pub index: [[Ins; 256]; 2],
    /// DD CB d and FD CB d.
    pub index_bits: [[Ins; 256]; 2],
}

/// The pages, made from the table on first use.
pub fn pages() -> &'static Pages {
    static PAGES: LazyLock<Pages> = LazyLock::new(|| Pages {
        base: page(&[]),
        bits: page(&[0xcb]),
        extended: page(&[0xed]),
        index: [page(&[0xdd]), page(&[0xfd])],
        index_bits: [page(&[0xdd, 0xcb, 0]), page(&[0xfd, 0xcb, 0])],
    });
    &PAGES
}

/// The entries behind a prefix.
fn page(prefix: &[u8]) -> [Ins; 256] {
    std::array::from_fn(|op| {
        let mut bytes = prefix.to_vec();
        bytes.extend([op as u8, 0, 0, 0]);
        let prefix = prefix.is_empty() && matches!(op, 0xcb | 0xdd | 0xed | 0xfd);
        let found = if prefix { None } else { ins(&bytes) };
        found.unwrap_or(Ins {
            // The simulator looks at what follows.
            op: Op::Prefix,
            y: 0,
            a: 0,
            b: 0,
            p: 0,
            x: reg::HL,
            mode: Mode::Plain,
            long: 4,
            short: 4,
        })
    })
}

/// The instruction that starts with these bytes, four at least or to its end.
/// `None` for a prefix alone that has an effect on what follows.
pub fn ins(bytes: &[u8]) -> Option<Ins> {
    let row = decoder().find(bytes)?;
    let form = &FORMS[row];
    let op = Op::ALL[usize::from(form.op)];
    let prefixed = matches!(bytes[0], 0xdd | 0xfd);
    if op == Op::Prefix {
        // Alone before another prefix, else part of the plain instruction.
        if matches!(bytes[1], 0xdd | 0xed | 0xfd) {
            return None;
        }
        let plain = ins(&bytes[1..])?;
        return Some(Ins {
            long: plain.long + 4,
            short: plain.short + 4,
            ..plain
        });
    }
    let before = prefixed && bytes[1] == 0xcb;
    let opcode = match bytes[0] {
        _ if before => bytes[3],
        0xcb | 0xdd | 0xed | 0xfd => bytes[1],
        first => first,
    };
    let mode = match form.pattern.field(b'd') {
        None => Mode::Plain,
        Some(_) if before => Mode::Before,
        Some(_) => Mode::Displaced,
    };
    let x = match bytes[0] {
        0xdd => reg::IX,
        0xfd => reg::IY,
        _ => reg::HL,
    };
    // H and L are halves of the index register, but not beside (IX+d).
    let register = |code: u8| match code {
        4 | 5 if mode == Mode::Plain => x + code - 4,
        _ => code,
    };
    let (y, z) = (opcode >> 3 & 7, opcode & 7);
    let (long, short) = match form.cycles {
        Cycles::Fixed(n) => (n, n),
        Cycles::Branch { taken, not_taken } => (taken, not_taken),
        Cycles::Repeat { again, last } => (again, last),
        _ => unreachable!("a time that no Z80 instruction has"),
    };
    let p = match y >> 1 {
        0 => reg::BC,
        1 => reg::DE,
        2 => x,
        _ if matches!(op, Op::Push | Op::Pop) => reg::AF,
        _ => reg::SP,
    };
    Some(Ins {
        op,
        y,
        a: register(y),
        b: register(z),
        p,
        x,
        mode,
        long,
        short,
    })
}

/// Bytes of the instruction that starts with these, where [`ins`] finds one.
pub fn length(bytes: &[u8]) -> Option<usize> {
    let form = &FORMS[decoder().find(bytes)?];
    if Op::ALL[usize::from(form.op)] == Op::Prefix {
        return Some(1 + length(&bytes[1..])?);
    }
    Some(form.pattern.len.into())
}
