//! Broken sources for every dialect on every target: parts of all sources of this
//! repository, changed, cut, doubled and mixed. The same seed gives the same inputs.

use super::invariants::{Pair, check, machine};
use super::random::Random;
use scrimp::dialect;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// A source of the repository.
pub struct Seed {
    pub dialect: &'static str,
    pub target: &'static str,
    pub text: Vec<u8>,
}

/// All of them, in order of their paths.
pub fn seeds() -> Vec<Seed> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["tests", "programs", "docs/example", "targets"] {
        walk(&top.join(folder), &mut paths);
    }
    // A binary may outlive the folder that it was built from.
    assert!(!paths.is_empty(), "no sources below {}", top.display());
    paths.sort();
    let seed = |path: String| {
        let shown = path.strip_prefix(top.to_str()?)?.replace('\\', "/");
        let (dialect, target) = language(&shown);
        Some(Seed {
            text: std::fs::read(&path).ok()?,
            dialect,
            target,
        })
    };
    let mut out: Vec<Seed> = paths.into_iter().filter_map(seed).collect();
    out.push(Seed {
        dialect: "gigatron-lst",
        target: "gigatron",
        text: LISTING.into(),
    });
    out
}

fn walk(folder: &Path, out: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, out);
            continue;
        }
        let end = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if matches!(end, "asm" | "s" | "S" | "inc" | "z80") {
            out.extend(path.to_str().map(str::to_owned));
        }
    }
}

/// The dialect and target of a source by its folder.
fn language(path: &str) -> (&'static str, &'static str) {
    let names = dialect::names();
    let own = path.split('/').find_map(|part| {
        let part = part.strip_suffix(".asm").unwrap_or(part);
        names.iter().find(|n| **n == part)
    });
    match own.and_then(|n| dialect::by_name(n)) {
        Some(d) if !d.target.is_empty() => (d.name, d.target),
        _ if path.contains("gigatron") => ("native", "gigatron"),
        _ if path.contains("ee476") || path.contains("tiny-chess960") || path.contains("/avr/") => {
            ("native", "avr")
        }
        _ if path.contains("blink") || path.contains("tiny") => ("avrasm2", "avr"),
        _ => ("native", "z80"),
    }
}

const LISTING: &str = "\
* source: nothing.asm.py
              address
              |    encoding
              |    |     instruction
              V    V     V    V
start:        0000 0012  ld   $12         ;A comment
              0001 1880  ld   $80,out
.loop#3:      0002 0200  nop              14    nop()     # Another
              0003 5d00  ora  [y,x++],out 16    for i in range(9):
              0004 5d00  ora  [y,x++],out
              0005 5d00  ora  [y,x++],out
              * 9 times

x:y:          000c c020  st   $20,[$20]
              000d fc02  bra  .loop#3
              000e ec10  bne  x#2
x#2:          000f fc13  bra  $13
              0010
";

/// What is put into sources: what the languages are made of.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\t",
    " ",
    ",",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    ";",
    "/*",
    "*/",
    "//",
    "$",
    "%",
    "#",
    "&",
    "@",
    "@0",
    "@9",
    "?",
    "!",
    "~",
    "<<",
    ">>",
    "<=",
    "==",
    "&&",
    "||",
    ".",
    "..",
    "$$",
    "##",
    "0x",
    "0b",
    "-1",
    "0",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "-9223372036854775808",
    "1e9",
    "1.5",
    "0FFh",
    "é",
    "\u{202e}",
    "\0",
    "\u{10ffff}",
    "\u{feff}",
    "macro m(a,b=1)\n",
    "m macro a\n",
    ".macro m a, b=1\n",
    "endm\n",
    ".endm\n",
    "repeat 3,i\n",
    "rept 2\n",
    ".rept 3\n",
    "endr\n",
    ".endr\n",
    "irp x,1,2\n",
    ".irp x,1,2\n",
    ".irpc x,ab\n",
    "if 1\n",
    ".if 1\n",
    "else\n",
    ".else\n",
    "elif 0\n",
    "endif\n",
    ".endif\n",
    "#if 1\n",
    "#else\n",
    "#endif\n",
    "#define A(x) x x\n",
    "#define B A\n",
    "#undef A\n",
    "#include \"main.asm\"\n",
    "include \"main.asm\"\n",
    ".include \"main.asm\"\n",
    "incbin \"main.asm\"\n",
    ".incbin \"main.asm\",1,2\n",
    "struct s\n",
    "scope t\n",
    "ends\n",
    "proc\n",
    "endp\n",
    "local a,b\n",
    "exitm\n",
    ".shift\n",
    "end\n",
    "org ",
    ".org ",
    "align 256\n",
    ".align 8\n",
    ".balign 6\n",
    "ds 70000\n",
    "ds e-b\n",
    ".skip e-b\n",
    ".fill 3,9,1\n",
    "equ ",
    "set ",
    " = ",
    ".set ",
    ".equ x = ",
    "x set x+x\n",
    "x: set x+1\n",
    "b: ",
    "e: ",
    "1: ",
    "1b",
    "1f",
    "section u\n",
    "section v in r\n",
    "section w within=256 group=g\n",
    "region r, start=0, size=4\n",
    "section a size=3\n",
    ".section .t,\"ax\"\n",
    ".section .rodata.s,\"aMS\",@progbits,1\n",
    ".asciz \"ab\"\n",
    ".pushsection .d\n",
    ".popsection\n",
    ".previous\n",
    ".subsection 2\n",
    ".comm c,4\n",
    ".weak x\n",
    ".global x\n",
    ".data\n",
    ".bss\n",
    ".text\n",
    ".cseg\n",
    ".dseg\n",
    ".eseg\n",
    ".byte 3\n",
    ".db 1,2\n",
    ".dw x\n",
    "db x\n",
    "dw x\n",
    ".word gs(x)\n",
    ".uleb128 300\n",
    ".float 1.5\n",
    ".altmacro\n",
    "LOCAL q\n",
    ".purgem m\n",
    ".exitm\n",
    ".struct 3\n",
    ".end\n",
    ".arch atmega2560\n",
    ".device attiny85\n",
    "#pragma AVRPART MEMORY PROG_FLASH 100\n",
    "machine zx81-1k\n",
    "machine attiny85\n",
    "machine gigatron-32k\n",
    "charmap \"zx81\"\n",
    "assert ",
    "print ",
    "budget total <= 1\n",
    "jump ",
    "call ",
    "low(",
    "lo8(",
    "strlen(",
    "sizeof(",
    "defined(",
    "min(1,",
    "ld a,(ix+200)\n",
    "jr $+130\n",
    "ldi r16,",
    "rjmp .+2\n",
    "lds r16,x\n",
    "std y+63,r0\n",
    "sbic 0x1f,8\n",
    "bra x\n",
    "jmp y,x\n",
    "ld [x]\n",
    "st [y,x++]\n",
    "raw $cd,$18\n",
    "romtable t, back = x\n",
    "endtable\n",
    "column c, 1, 9\n",
    "fullpage f\n",
    "reserve v, 1, 2, 3, 4\n",
    "cells c, 1, 2, 3\n",
    "initialise\n",
    "same_page x, y\n",
    "slot ",
    "clock 0\n",
    "blocks 200\n",
    "sync 28\n",
    "lines 200\n",
    "* 9 times\n",
    "x: x: ",
    "0000 0012 ",
];

/// Changes a text in a few places.
fn mutate(text: &mut Vec<u8>, others: &[Seed], dice: &mut Random) {
    for _ in 0..=dice.below(6) {
        let at = dice.below(text.len() + 1);
        let to = (at + dice.below(12)).min(text.len());
        match dice.below(10) {
            0 => drop(text.drain(at..to)),
            1 => {
                let copy = text[at..to].to_vec();
                let goal = dice.below(text.len() + 1);
                text.splice(goal..goal, copy);
            }
            2 if at < text.len() => text[at] = dice.below(256) as u8,
            3 => text.truncate(at.max(8)),
            4 => swap_lines(text, dice),
            5 => {
                // A line of another source.
                let other = &others[dice.below(others.len())].text;
                let from = dice.below(other.len().max(1));
                let line = other[from..].iter().position(|&b| b == b'\n');
                let end = line.map_or(other.len(), |n| from + n + 1);
                let begin = other[..from].iter().rposition(|&b| b == b'\n');
                let line = other[begin.map_or(0, |n| n + 1)..end].to_vec();
                let at = text[..at].iter().rposition(|&b| b == b'\n');
                let at = at.map_or(0, |n| n + 1);
                text.splice(at..at, line);
            }
            6 => {
                // A number by another.
                let digit = text[at..].iter().position(u8::is_ascii_digit);
                if let Some(from) = digit.map(|n| at + n) {
                    let digits = text[from..].iter().take_while(|b| b.is_ascii_digit());
                    let end = from + digits.count();
                    let numbers = PIECES
                        .iter()
                        .filter(|p| p.bytes().all(|b| b.is_ascii_digit()));
                    let numbers: Vec<_> = numbers.collect();
                    let number = dice.pick(&numbers).bytes().collect::<Vec<u8>>();
                    text.splice(from..end, number);
                }
            }
            _ => {
                let piece = dice.pick(PIECES).bytes().collect::<Vec<u8>>();
                text.splice(at..at, piece);
            }
        }
    }
}

fn swap_lines(text: &mut Vec<u8>, dice: &mut Random) {
    let mut lines: Vec<Vec<u8>> = text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    lines.swap(a, b);
    *text = lines.join(&b'\n');
}

/// Input number `number` for a pair.
pub fn input(pair: Pair, number: u64, seed: u64, seeds: &[Seed]) -> Vec<u8> {
    let name = pair.dialect.bytes().chain(pair.target.bytes());
    let name = name.fold(seed, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    });
    let mut dice = Random(name.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let family = |s: &Seed| s.dialect.split('-').next() == pair.dialect.split('-').next();
    let near: Vec<usize> = (0..seeds.len()).filter(|&i| family(&seeds[i])).collect();
    let own: Vec<usize> = near
        .iter()
        .copied()
        .filter(|&i| seeds[i].target == pair.target)
        .collect();
    let choice = match (dice.below(8), own.is_empty(), near.is_empty()) {
        (0, ..) | (_, true, true) => dice.below(seeds.len()),
        (_, true, _) => dice.pick(&near),
        _ => dice.pick(&own),
    };
    // A part of it, so that errors do not hide each other; now and then all.
    let text = &seeds[choice].text;
    let (from, len) = match dice.below(12) {
        0 => (0, 20_000),
        _ => (dice.below(text.len().max(1)), 1 + dice.below(600)),
    };
    let mut text = text[from..text.len().min(from + len)].to_vec();
    mutate(&mut text, seeds, &mut dice);
    text
}

/// Checks inputs `numbers` for a pair; the first that fails, with what it says. None may
/// take longer than `longest`.
pub fn run(
    pair: Pair,
    numbers: std::ops::Range<u64>,
    seed: u64,
    seeds: &[Seed],
    longest: Duration,
) -> Result<(), String> {
    for number in numbers {
        let text = input(pair, number, seed, seeds);
        let done = catch_unwind(AssertUnwindSafe(|| {
            check(pair, machine(pair, &text), &text, longest)
        }));
        if let Err(e) = done {
            let why = e.downcast_ref::<String>().map(String::as_str);
            let why = why.or(e.downcast_ref::<&str>().copied()).unwrap_or("?");
            let shown = String::from_utf8_lossy(&text);
            return Err(format!(
                "{pair:?}, input {number}: {why}\n{shown}\n{:?}",
                text.escape_ascii().to_string()
            ));
        }
    }
    Ok(())
}
