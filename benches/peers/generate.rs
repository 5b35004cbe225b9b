//! A big Z80 program that every peer accepts, made from a seed.
//!
//! Plain instructions, a label on about every eighth line, short jumps that
//! always reach, long jumps backwards and forwards, constants, data lists,
//! comments and blank lines. The code is cut into blocks of at most
//! [`BLOCK`] bytes, each behind its own `org 0`, so that no address passes 64 KiB
//! however long the program is.

use std::fmt::Write;

/// Writes into the text; that cannot fail.
macro_rules! put {
    ($($t:tt)*) => {{ let _ = write!($($t)*); }};
}

/// Most bytes between two `org 0`.
const BLOCK: u32 = 60_000;
/// Reach of a short jump that is promised forwards, in bytes.
const REACH: u32 = 90;

/// How a peer wants a few lines written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `name equ 1`, `db`, `org`: pasmo, zasm, sjasmplus.
    Plain,
    /// As [`Plain`](Style::Plain) with `name: equ 1`: z80asm.
    EquColon,
    /// As [`Plain`](Style::Plain) with `bank` before each `org`: rasm.
    Bank,
    /// `name = 1`, `.byte`, a section for each block: GNU as.
    Gas,
}

/// A small, fast and reproducible random number generator (xorshift64*).
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }
    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }
    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }
}

const BYTE: &[&str] = &["a", "b", "c", "d", "e", "h", "l", "(hl)"];
const PLAIN_BYTE: &[&str] = &["a", "b", "c", "d", "e", "h", "l"];
const WORD: &[&str] = &["bc", "de", "hl", "sp"];
const STACK: &[&str] = &["bc", "de", "hl", "af", "ix", "iy"];
const CONDITION: &[&str] = &["nz", "z", "nc", "c", "po", "pe", "p", "m"];
const ARITHMETIC: &[&str] = &[
    "add a,", "adc a,", "sub ", "sbc a,", "and ", "xor ", "or ", "cp ",
];
const ROTATE: &[&str] = &["rlc", "rrc", "rl", "rr", "sla", "sra", "srl"];
const SIMPLE: &[(&str, u32)] = &[
    ("nop", 1),
    ("rlca", 1),
    ("rra", 1),
    ("daa", 1),
    ("cpl", 1),
    ("scf", 1),
    ("exx", 1),
    ("ret", 1),
    ("di", 1),
    ("ei", 1),
    ("ex de,hl", 1),
    ("ldir", 2),
    ("cpir", 2),
    ("neg", 2),
    ("rld", 2),
    ("im 1", 2),
    ("jp (hl)", 1),
    ("ld sp,hl", 1),
    ("ex (sp),hl", 1),
    ("ld a,(de)", 1),
    ("ld (bc),a", 1),
];
const REMARK: &[&str] = &[
    "; keep the counter in b",
    "; next row of the table",
    "; the sign is in the carry",
    "; hl is one past the end",
];

/// Writes `lines` lines.
pub fn program(lines: usize, seed: u64, style: Style) -> String {
    let mut r = Random::new(seed);
    let mut out = String::with_capacity(lines * 13);
    let mut constants = 0;
    for i in 0..20.min(lines) {
        let value = r.below(256);
        let _ = match style {
            Style::EquColon => writeln!(out, "k{i}: equ {value}"),
            Style::Gas => writeln!(out, "k{i} = {value}"),
            _ => writeln!(out, "k{i} equ {value}"),
        };
        constants += 1;
    }
    let mut written = constants;
    let mut block = 0;
    let (mut address, mut labels) = (BLOCK, 0u32);
    // labels already defined near here with their addresses, for short jumps
    let mut near: Vec<(u32, u32)> = Vec::new();
    // labels promised to a short jump, with the last address they may have
    let mut promised: Vec<(u32, u32)> = Vec::new();
    let mut anywhere: Vec<u32> = Vec::new(); // promised to long jumps
    while written < lines || !promised.is_empty() || !anywhere.is_empty() {
        if address >= BLOCK && promised.is_empty() && anywhere.is_empty() {
            let _ = match style {
                Style::Bank => writeln!(out, "\tbank\n\torg 0"),
                Style::Gas => writeln!(out, "\t.section b{block}"),
                _ => writeln!(out, "\torg 0"),
            };
            written += 1 + usize::from(style == Style::Bank);
            block += 1;
            address = 0;
            near.clear();
        }
        let due = promised.iter().any(|p| address + 8 >= p.1);
        let closing = written >= lines || address >= BLOCK;
        if due || closing || r.below(8) == 0 {
            let name = if !promised.is_empty() {
                promised.remove(0).0
            } else if !anywhere.is_empty() && (closing || r.below(2) == 0) {
                anywhere.remove(0)
            } else {
                labels += 1;
                labels - 1
            };
            let _ = writeln!(out, "l{name}:");
            near.push((name, address));
            if near.len() > 8 {
                near.remove(0);
            }
            written += 1;
            continue;
        }
        written += 1;
        let size = match r.below(100) {
            0..=3 => {
                out.push_str(r.pick(REMARK));
                0
            }
            4..=5 => 0,
            6..=25 => {
                let (s, n) = r.pick(SIMPLE);
                let _ = write!(out, "\t{s}");
                n
            }
            26..=35 => {
                let _ = write!(out, "\tld {},{}", r.pick(PLAIN_BYTE), r.pick(BYTE));
                1
            }
            36..=43 => {
                let _ = write!(out, "\tld {},{}", r.pick(BYTE), r.below(256));
                2
            }
            44..=49 => {
                let _ = write!(out, "\tld {},{}", r.pick(WORD), r.below(65536));
                3
            }
            50..=57 => {
                let _ = write!(out, "\t{}{}", r.pick(ARITHMETIC), r.pick(BYTE));
                1
            }
            58..=60 => {
                let _ = write!(
                    out,
                    "\t{}k{}",
                    r.pick(ARITHMETIC),
                    r.below(constants as u32)
                );
                2
            }
            61..=64 => {
                let (x, d) = (r.pick(&["ix", "iy"]), r.below(128));
                let _ = write!(
                    out,
                    "\tld {},({x}{}{d})",
                    r.pick(PLAIN_BYTE),
                    r.pick(&['+', '-'])
                );
                3
            }
            65..=68 => {
                let _ = write!(out, "\t{} {}", r.pick(&["inc", "dec"]), r.pick(WORD));
                1
            }
            69..=72 => {
                let s = r.pick(STACK);
                let _ = write!(out, "\t{} {s}", r.pick(&["push", "pop"]));
                if s.starts_with('i') { 2 } else { 1 }
            }
            73..=76 => {
                let m = r.pick(&["bit", "set", "res"]);
                let _ = write!(out, "\t{m} {},{}", r.below(8), r.pick(BYTE));
                2
            }
            77..=79 => {
                let _ = write!(out, "\t{} {}", r.pick(ROTATE), r.pick(BYTE));
                2
            }
            80..=85 => {
                let target = near.iter().rev().find(|n| address - n.1 < 120).map(|n| n.0);
                let name = match target {
                    Some(n) if r.below(2) == 0 => n,
                    _ => {
                        labels += 1;
                        promised.push((labels - 1, address + REACH));
                        labels - 1
                    }
                };
                match r.below(3) {
                    0 => put!(out, "\tdjnz l{name}"),
                    1 => put!(out, "\tjr l{name}"),
                    _ => {
                        let c = r.pick(&["nz", "z", "nc", "c"]);
                        put!(out, "\tjr {c},l{name}");
                    }
                }
                2
            }
            86..=92 => {
                let back = near.first().map(|n| n.0);
                let name = match back {
                    Some(n) if r.below(2) == 0 => n,
                    _ => {
                        labels += 1;
                        anywhere.push(labels - 1);
                        labels - 1
                    }
                };
                match r.below(4) {
                    0 => put!(out, "\tcall l{name}"),
                    1 => put!(out, "\tjp l{name}"),
                    2 => put!(out, "\tjp {},l{name}", r.pick(CONDITION)),
                    _ => put!(out, "\tld hl,l{name}+{}", r.below(9)),
                }
                3
            }
            93..=95 => {
                let n = r.below(6) + 1;
                out.push_str(if style == Style::Gas {
                    "\t.byte "
                } else {
                    "\tdb "
                });
                for i in 0..n {
                    let _ = write!(out, "{}{}", if i > 0 { "," } else { "" }, r.below(256));
                }
                n
            }
            _ => {
                let n = r.below(3) + 1;
                out.push_str(if style == Style::Gas {
                    "\t.short "
                } else {
                    "\tdw "
                });
                for i in 0..n {
                    let _ = write!(out, "{}{}", if i > 0 { "," } else { "" }, r.below(65536));
                }
                2 * n
            }
        };
        out.push('\n');
        address += size;
    }
    out
}
