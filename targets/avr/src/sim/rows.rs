//! Instructions that compilers and people write in a row, run as one.
//!
//! In flash as the hot path reads it, the first instruction of a row has the row as its
//! operation. A row does what its instructions do, by the same functions
//! ([`semantics::one`](crate::semantics::one)), but does not ask what the next one is. It
//! ends where the time of the run ends, as single instructions would. Each instruction of
//! a row stands at its own place too, so a jump into a row finds what it should.

use std::sync::LazyLock;

use super::io::Io;
use super::run::Run;
use crate::op::{Op, operations};
use crate::semantics::Ins;
use crate::semantics::one::{self, One};

/// Whether an operation touches nothing but registers and flags, and goes on to the next
/// instruction. Within a row such a one has to take one clock.
const fn quiet(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Mov | Movw
            | Ldi
            | Add
            | Adc
            | Sub
            | Subi
            | Sbc
            | Sbci
            | Cp
            | Cpi
            | Cpc
            | And
            | Andi
            | Or
            | Eor
            | Com
            | Inc
            | Dec
            | Asr
            | Lsr
            | Ror
    )
}

/// Whether all but the last are quiet.
const fn leads_quietly(ops: &[Op]) -> bool {
    let mut n = 0;
    while n + 1 < ops.len() {
        if !quiet(ops[n]) {
            return false;
        }
        n += 1;
    }
    true
}

macro_rules! rows {
    ($($name:ident,)* ; $($row:ident = $first:ident $($rest:ident)+;)*) => {
        impl<I: Io, const N: usize> Run<'_, '_, I, N> {
            /// Does an instruction, or those of a row, and moves [`Run::ins`] to the last
            /// that it did, whose clocks have yet to pass.
            #[inline(always)]
            pub(super) fn one_or_row(&mut self, i: &Ins) -> bool {
                let code = self.code;
                match i.op {
                    $(Op::$row => 'row: {
                        const QUIET: bool =
                            leads_quietly(&[one::$first::OP, $(one::$rest::OP),+]);
                        const LEAD: u64 = [$(one::$rest::OP),+].len() as u64;
                        let long = one::$first::run(self, i);
                        if QUIET && self.cycle + LEAD >= self.cpu.limit {
                            break 'row long;
                        }
                        $(
                            debug_assert!(!long, "all but the last take their usual time");
                            let clocks = if QUIET { 1 } else { u64::from(self.ins.short) };
                            if !QUIET && self.cycle + clocks >= self.cpu.limit {
                                break 'row false;
                            }
                            self.cycle += clocks;
                            let i = &code[self.pc as usize % N];
                            self.ins = i;
                            self.pc += 1;
                            let long = one::$rest::run(self, i);
                        )+
                        long
                    })*
                    $(Op::$name => one::$name::run(self, i),)*
                }
            }
        }
    };
}

operations!(rows);

/// A row and what it is made of.
type Row = (Op, &'static [Op]);

/// The rows that begin with each operation, the longest first.
static BEGINNINGS: LazyLock<Vec<Vec<Row>>> = LazyLock::new(|| {
    let of = |&op: &Op| {
        let all = Op::ROWS.iter().copied();
        let mut rows: Vec<_> = all.filter(|r| r.1[0] == op).collect();
        rows.sort_by_key(|r| std::cmp::Reverse(r.1.len()));
        rows
    };
    Op::ALL.iter().map(of).collect()
});

/// Words of the longest row.
pub(super) const MOST: u32 = 8;

/// What to do at a place: the longest row that stands there.
pub(super) fn fitting(code: &[Ins], at: usize) -> Op {
    let op = code[at].op.first();
    let stands = |ops: &[Op]| {
        let quiet = leads_quietly(ops);
        let mut at = at;
        ops.iter().enumerate().all(|(n, &op)| {
            let Some(ins) = code.get(at) else {
                return false;
            };
            at += usize::from(ins.words);
            let last = n + 1 == ops.len();
            ins.op.first() == op && (last || !quiet || (ins.short, ins.long) == (1, 1))
        })
    };
    let rows = &BEGINNINGS[op as usize];
    let row = rows.iter().find(|r| stands(r.1));
    row.map_or(op, |r| r.0)
}
