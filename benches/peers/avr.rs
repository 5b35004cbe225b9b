//! A big AVR program that GNU as, avra and llvm-mc accept alike, made from a
//! seed: an ATmega2560 full of plain instructions with labels, branches that
//! reach, calls and jumps anywhere, constants, data lists and comments.
//!
//! The text is the same for all but for a few words, see [`Style`].

use crate::generate::Random;
use std::fmt::Write;

/// Most bytes, a little less than the part's 256 KiB.
const FLASH: u32 = 250_000;

/// How a peer wants a few lines written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `.equ k0, 1`, `.byte`: GNU as, llvm-mc.
    Gas,
    /// `.equ k0 = 1`, `.db`, behind a `.device`: avra and AVRASM2.
    Avra,
}

const TWO: &[&str] = &[
    "add", "adc", "sub", "sbc", "and", "or", "eor", "mov", "cp", "cpc", "mul",
];
const ONE: &[&str] = &[
    "inc", "dec", "com", "neg", "swap", "asr", "lsr", "ror", "push", "pop",
];
const BYTE: &[&str] = &["ldi", "cpi", "subi", "sbci", "andi", "ori"];
const NONE: &[&str] = &[
    "nop", "ret", "sei", "cli", "clc", "sec", "icall", "lpm", "sleep", "wdr",
];
const BRANCH: &[&str] = &[
    "breq", "brne", "brcs", "brcc", "brlo", "brsh", "brmi", "brpl", "brge", "brlt",
];
const REMARK: &[&str] = &[
    "; --- next frame of the display -------------------------------",
    "; in: X = first byte of the buffer, r20 = bytes",
    "; clobbers r0, r1 and the flags",
    ";",
];

/// Writes `lines` lines, fewer instructions than fill the part.
pub fn program(lines: usize, seed: u64, style: Style) -> String {
    let mut r = Random::new(seed);
    let mut out = String::with_capacity(lines * 20);
    let (byte, word) = match style {
        Style::Gas => (".byte", ".word"),
        Style::Avra => (".db", ".dw"),
    };
    if style == Style::Avra {
        out.push_str(".device ATmega2560\n");
    }
    for i in 0..40 {
        let sign = if style == Style::Gas { ',' } else { '=' };
        let _ = writeln!(out, ".equ k{i}{sign} {}", r.below(256));
    }
    let mut written = 41;
    let mut labels = 0u32;
    let mut address = 0u32;
    // Labels behind with their addresses, and labels promised to a branch.
    let mut near: Vec<(u32, u32)> = Vec::new();
    let mut promised: Vec<(u32, u32)> = Vec::new();
    let mut far: Vec<u32> = Vec::new();
    while written < lines || !promised.is_empty() || !far.is_empty() {
        written += 1;
        let due = promised.iter().any(|p| address + 8 >= p.1);
        let closing = written >= lines || address >= FLASH;
        if due || (closing && !(promised.is_empty() && far.is_empty())) || r.below(14) == 0 {
            let name = if !promised.is_empty() {
                promised.remove(0).0
            } else if !far.is_empty() {
                far.remove(0)
            } else {
                labels += 1;
                labels - 1
            };
            let _ = writeln!(out, "l{name}:");
            near.push((name, address));
            if near.len() > 8 {
                near.remove(0);
            }
            continue;
        }
        // A few registers have most of the work, as in written programs.
        let mut register = || match r.below(4) {
            0 => r.below(32),
            _ => r.pick(&[16, 17, 18, 24, 25, 20, 30, 31]),
        };
        let (low, other) = (register(), register());
        let high = 16 + low % 16;
        let choice = if closing { 0 } else { r.below(100) };
        let size = match choice {
            0..=15 => {
                out.push_str(r.pick(REMARK));
                0
            }
            16..=23 => 0,
            24..=43 => {
                let _ = write!(out, "\t{}\tr{low}, r{}", r.pick(TWO), other);
                2
            }
            44..=50 => {
                let _ = write!(out, "\t{}\tr{low}", r.pick(ONE));
                2
            }
            51..=60 => {
                let _ = match r.below(3) {
                    0 => write!(out, "\t{}\tr{high}, k{}", r.pick(BYTE), r.below(40)),
                    1 => write!(out, "\t{}\tr{high}, 0x{:02x}", r.pick(BYTE), r.below(256)),
                    _ => write!(out, "\t{}\tr{high}, {}", r.pick(BYTE), r.below(8)),
                };
                2
            }
            61..=64 => {
                let _ = write!(out, "\t{}", r.pick(NONE));
                2
            }
            65..=69 => {
                let pointer = r.pick(&["X", "X+", "-X", "Y", "Y+", "Z", "-Z", "Z+"]);
                // Not the pointer itself.
                let _ = write!(out, "\tld\tr{}, {pointer}", low % 26);
                2
            }
            70..=73 => {
                let pointer = r.pick(&["Y", "Z"]);
                let _ = write!(out, "\tstd\t{pointer}+{}, r{low}", r.below(64));
                2
            }
            74..=76 => {
                let _ = write!(out, "\tlds\tr{low}, {}", 0x200 + r.below(0x1000));
                4
            }
            77..=80 => {
                let m = r.pick(&["sbi", "cbi", "sbic", "sbis"]);
                let _ = write!(out, "\t{m}\t{}, {}", r.below(32), r.below(8));
                2
            }
            81..=83 => {
                let _ = write!(out, "\tin\tr{low}, 0x{:02x}", r.below(64));
                2
            }
            84..=90 => {
                let back = near.iter().rev().find(|n| address - n.1 < 100);
                let name = match back {
                    Some(n) if r.below(2) == 0 => n.0,
                    _ => {
                        labels += 1;
                        promised.push((labels - 1, address + 90));
                        labels - 1
                    }
                };
                let _ = write!(out, "\t{}\tl{name}", r.pick(BRANCH));
                2
            }
            91..=94 => {
                let name = match near.first() {
                    Some(n) if r.below(2) == 0 => n.0,
                    _ => {
                        labels += 1;
                        far.push(labels - 1);
                        labels - 1
                    }
                };
                let _ = write!(out, "\t{}\tl{name}", r.pick(&["call", "jmp"]));
                4
            }
            95..=97 => {
                let _ = write!(out, "\t{byte} {}, {}", r.below(256), r.below(256));
                2
            }
            _ => {
                let _ = write!(out, "\t{word} {}, k{}", r.below(65536), r.below(40));
                4
            }
        };
        if size > 0 && r.below(4) == 0 {
            out.push_str("\t; as above");
        }
        out.push('\n');
        address += size;
    }
    out
}
