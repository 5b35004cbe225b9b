//! Broken sources never make scrimp panic: programs with bytes changed, cut, doubled
//! and mixed, in each dialect. The seed is fixed, so a failure repeats.

use scrimp::diagnostic::{Level, flood, human::human, json::json, short::short};
use scrimp::source::MemoryLoader;
use scrimp::{Job, assemble, dialect, targets};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Mutated sources for each dialect.
const ROUNDS: usize = if cfg!(debug_assertions) {
    4_000
} else {
    20_000
};

/// Dialect and source.
const SEEDS: &[(&str, &str)] = &[
    ("native", include_str!("mutation/native.asm")),
    ("pasmo", include_str!("mutation/pasmo.asm")),
    ("z80asm", include_str!("mutation/z80asm.asm")),
];

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
    "0x",
    "0b",
    "-1",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e9",
    "0FFh",
    "macro m(a,b=1)\n",
    "m macro a\n",
    "endm\n",
    "repeat 3,i\n",
    "rept 2\n",
    "endr\n",
    "if 1\n",
    "else\n",
    "elif 0\n",
    "endif\n",
    "struct s\n",
    "scope t\n",
    "ends\n",
    "section u\n",
    "org ",
    "align 256\n",
    "ds 70000\n",
    "equ ",
    "set ",
    "include \"main.asm\"\n",
    "incbin \"main.asm\"\n",
    "region r, start=0, size=4\n",
    "section v in r\n",
    "charmap \"zx81\"\n",
    "assert ",
    "jump ",
    "budget total <= 1\n",
    "low(",
    "strlen(",
    "sizeof(",
    "defined(",
    "ld a,(ix+200)\n",
    "é",
    "\u{202e}",
    "\0",
    "\u{10ffff}",
    "proc\n",
    "endp\n",
    "irp x,1,2\n",
    ".shift\n",
    "##",
    "exitm\n",
    "end\n",
];

/// xorshift64*: small and the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below.max(1)
    }
}

fn mutate(seed: &str, dice: &mut Dice) -> Vec<u8> {
    let mut text = seed.as_bytes().to_vec();
    // A part of it, so that errors do not hide each other.
    let from = dice.next(text.len());
    let len = 1 + dice.next(600);
    text = text[from..text.len().min(from + len)].to_vec();
    for _ in 0..=dice.next(6) {
        let at = dice.next(text.len() + 1);
        let to = (at + dice.next(12)).min(text.len());
        match dice.next(6) {
            0 => drop(text.drain(at..to)),
            1 => {
                let copy = text[at..to].to_vec();
                let goal = dice.next(text.len() + 1);
                text.splice(goal..goal, copy);
            }
            2 if at < text.len() => text[at] = dice.next(256) as u8,
            3 => text.truncate(at.max(8)),
            _ => {
                let piece = PIECES[dice.next(PIECES.len())].bytes();
                text.splice(at..at, piece);
            }
        }
    }
    text
}

/// Assembles and renders; the invariants that hold for every input.
fn check(text: &[u8], dialect: &str) {
    let target = targets::default();
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machines().first().copied(),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &MemoryLoader::default().with("main.asm", text));
    let failed = out.diagnostics.iter().any(|d| d.level == Level::Error);
    assert_eq!(failed, out.image.is_none(), "an error or an image");
    for d in out.diagnostics.iter().take(5) {
        human(d, &out.sources, false);
        json(d, &out.sources);
    }
    let (text, _) = flood::limited(&out.diagnostics, |d| short(d, &out.sources));
    assert!(text.len() <= flood::MOST_BYTES);
    let Some(image) = out.image else {
        return;
    };
    for chunk in &image.chunks {
        let mut at = 0;
        for run in &chunk.runs {
            assert_eq!(run.offset, at, "runs without gaps");
            at += run.len;
        }
        assert_eq!(at as usize, chunk.bytes.len(), "every byte has an origin");
    }
}

#[test]
fn mutated_sources_do_not_panic() {
    let mut good = 0;
    for (d, name) in dialect::names().iter().enumerate() {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 + d as u64);
        for round in 0..ROUNDS {
            let text = mutate(SEEDS[(d + round % 2) % SEEDS.len()].1, &mut dice);
            let done = catch_unwind(AssertUnwindSafe(|| check(&text, name)));
            assert!(
                done.is_ok(),
                "{name}, round {round}: panic on\n{}\n{text:?}",
                String::from_utf8_lossy(&text)
            );
            good += 1;
        }
    }
    assert_eq!(good, dialect::names().len() * ROUNDS);
}

#[test]
fn seeds_assemble() {
    for (name, seed) in SEEDS {
        let job = Job {
            file: "main.asm".into(),
            target: targets::default(),
            machine: targets::default().machines().first().copied(),
            dialect: (*name).into(),
            defines: Vec::new(),
        };
        let out = assemble(&job, &MemoryLoader::default().with("main.asm", *seed));
        let findings: Vec<String> = out
            .diagnostics
            .iter()
            .map(|d| short(d, &out.sources))
            .collect();
        assert!(out.image.is_some(), "{name}: {findings:#?}");
    }
}
