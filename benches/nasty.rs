//! The programs that are written to break an optimizer, changed at random, before and after it:
//!
//! ```text
//! cargo bench --bench nasty -- z80|avr FROM COUNT [FOLDER]
//! cargo bench --bench nasty -- z80|avr FILE
//! ```
//!
//! A FILE has programs as `tests/engine/nasty` has them, which are tried as they are. FROM is
//! the number of the first. A changed program counts where it does the same whatever
//! stands for its `%`, so that nothing in it hangs on where its code is, and stays in what it
//! is made of. Each that does something else behind the optimizer is told, and a smaller
//! one that does so too put into FOLDER with all changes; in the end there are counts.

#[path = "../tests/common/random.rs"]
mod numbers;

mod common {
    pub(crate) use crate::numbers as random;

    pub fn findings(out: &scrimp::Output) -> String {
        let all = out.diagnostics.iter();
        all.map(|d| format!("    {} {}\n", d.code, d.message))
            .collect()
    }
}
#[path = "../tests/engine/optimize_nasty.rs"]
#[allow(dead_code)]
mod optimize_nasty;

use numbers::Random;
use optimize_nasty::{AVR_MORE, Deeds, MEMORIES, Nasty, Run, Z80_MORE, assembled};
use scrimp::image::Image;
use scrimp::optimize::Options;
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;

/// Programs between two lines of counts.
const OFTEN: u64 = 1000;

/// What is changed in the programs of a target.
struct Kind {
    target: &'static str,
    run: Run,
    programs: Vec<Nasty>,
    /// What may stand for `%`.
    fillers: [&'static str; 4],
    /// Words of which one may be put for another.
    words: &'static [&'static [&'static str]],
    /// What a program ends with, and what goes elsewhere instead.
    end: (&'static str, &'static str),
    /// Begin of the line that readies the stack.
    ready: &'static str,
    /// Begins of lines that are left out where a program stands behind another.
    first: &'static [&'static str],
    /// And of those that ready the stack: they stay as they are.
    stays: &'static [&'static str],
    /// Instructions that name nothing, of all programs.
    plain: Vec<String>,
}

const Z80_WORDS: &[&[&str]] = &[
    &["a", "b", "c", "d", "e", "h", "l"],
    &["bc", "de", "hl"],
    &["ix", "iy"],
    &["jp", "jr", "call"],
    &["z", "nz", "c", "nc", "m", "p"],
    &["add", "adc", "sbc"],
    &["sub", "and", "or", "xor", "cp"],
    &["inc", "dec"],
    &[
        "rla", "rra", "rlca", "rrca", "cpl", "daa", "scf", "ccf", "nop",
    ],
    &["ldir", "lddr", "cpir", "ldi", "ldd"],
    &["rl", "rr", "rlc", "rrc", "sla", "sra", "srl"],
    &["set", "res", "bit"],
];
const AVR_WORDS: &[&[&str]] = &[
    &[
        "r16", "r17", "r18", "r19", "r20", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31",
    ],
    &["r0", "r1", "r2", "r3"],
    &["x", "y", "z"],
    &["rjmp", "rcall", "jmp", "call"],
    &["breq", "brne", "brcs", "brcc", "brmi", "brpl"],
    &[
        "add", "adc", "sub", "sbc", "and", "or", "eor", "cp", "cpc", "mov",
    ],
    &["ldi", "subi", "sbci", "andi", "ori", "cpi"],
    &[
        "inc", "dec", "com", "neg", "swap", "lsr", "asr", "ror", "lsl", "rol",
    ],
    &["sbrc", "sbrs"],
    &["sbic", "sbis"],
];
const NUMBERS: [i64; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 15, 16, 64, 127, 128, 129, 254, 255];

/// A piece of a line: a name or number, or what stands between.
fn pieces(line: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let end = rest
            .find(|d: char| word(d) != word(c))
            .unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        out.push(piece);
        rest = behind;
    }
    out
}

fn number(piece: &str) -> Option<i64> {
    match piece.strip_prefix('$').or(piece.strip_prefix("0x")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => piece.parse().ok(),
    }
}

fn labels(lines: &[String]) -> Vec<String> {
    let named = lines.iter().filter_map(|l| l.split_once(':'));
    let named = named.filter(|(name, _)| !name.is_empty() && pieces(name).len() == 1);
    named.map(|(name, _)| name.to_owned()).collect()
}

impl Kind {
    fn of(target: &str) -> Option<Self> {
        let mut kind = match target {
            "z80" => Self {
                target: "z80",
                run: optimize_nasty::run_z80,
                programs: optimize_nasty::z80_programs(),
                fillers: [Z80_MORE, "", " nop\n nop\n nop\n", Z80_FAR],
                words: Z80_WORDS,
                end: ("halt", "jp"),
                ready: " ld sp,$f000",
                first: &[" org $8000", " ld sp,$f000"],
                stays: &[],
                plain: Vec::new(),
            },
            "avr" => Self {
                target: "avr",
                run: optimize_nasty::run_avr,
                programs: optimize_nasty::avr_programs(),
                fillers: [AVR_MORE, "", " nop\n nop\n nop\n", AVR_FAR],
                words: AVR_WORDS,
                end: ("sleep", "jmp"),
                ready: " out 0x3d,",
                first: &[" rjmp start", " .org 0x34"],
                stays: &["start:", " out 0x3e,r16", " ldi r16,255", " out 0x3d,r16"],
                plain: Vec::new(),
            },
            _ => return None,
        };
        for p in &kind.programs {
            let lines: Vec<String> = p.text.lines().map(str::to_owned).collect();
            let names: HashSet<String> = labels(&lines).into_iter().collect();
            let plain = lines.into_iter().filter(|l| {
                l.starts_with(' ')
                    && !l.contains(['.', '"', ';'])
                    && !kind.first.iter().any(|f| l.starts_with(f))
                    && !pieces(l)
                        .iter()
                        .any(|p| names.contains(*p) || *p == kind.end.0)
            });
            kind.plain
                .extend(plain.filter(|l| !l.contains("org") && l.trim() != "%"));
        }
        Some(kind)
    }

    /// A program changed at random.
    fn program(&self, seed: u64) -> Nasty {
        let mut random = Random(seed);
        let mut p = self.programs[random.below(self.programs.len())].clone();
        if random.one_in(3) {
            let other = &self.programs[random.below(self.programs.len())];
            if other.dialect == p.dialect && other.options.is_empty() && p.options.is_empty() {
                p.text = self.behind(&p.text, &other.text);
            }
        }
        let mut lines: Vec<String> = p.text.lines().map(str::to_owned).collect();
        let names = labels(&lines);
        let mut changes = 1 + random.below(4);
        while changes > 0 {
            let at = random.below(lines.len());
            if !self.stays(&lines[at]) {
                self.change(&mut lines, at, &names, &mut random);
                changes -= 1;
            }
        }
        // Where the stack is ready, so that all code behind it moves.
        let ready = lines.iter().position(|l| l.starts_with(self.ready));
        lines.insert(ready.map_or(0, |at| at + 1), "%".to_owned());
        p.text = lines.iter().map(|l| format!("{l}\n")).collect();
        p
    }

    fn stays(&self, line: &str) -> bool {
        let mut all = self.first.iter().chain(self.stays);
        all.any(|f| line.starts_with(f))
    }

    /// A program that goes on with another where it would end.
    fn behind(&self, one: &str, other: &str) -> String {
        let mut text = String::new();
        for line in one.lines() {
            match line.trim() == self.end.0 {
                true => text.push_str(&format!(" {} zzz\n", self.end.1)),
                false => text.push_str(&format!("{line}\n")),
            }
        }
        let lines: Vec<String> = other.lines().map(str::to_owned).collect();
        let names: HashSet<String> = labels(&lines).into_iter().collect();
        text.push_str("zzz:\n");
        for line in &lines {
            if self.first.iter().any(|f| line.starts_with(f)) {
                continue;
            }
            for piece in pieces(line) {
                text.push_str(piece);
                if names.contains(piece) {
                    text.push_str("zz");
                }
            }
            text.push('\n');
        }
        text
    }

    fn change(&self, lines: &mut Vec<String>, at: usize, names: &[String], random: &mut Random) {
        match random.below(16) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 if at + 1 < lines.len() => lines.swap(at, at + 1),
            3 | 4 => {
                let line = random.below(self.plain.len());
                lines.insert(at, self.plain[line].clone());
            }
            5 => {
                let line = lines.remove(at);
                lines.insert(random.below(lines.len() + 1), line);
            }
            6 => lines.insert(at, "%".to_owned()),
            7 => {
                // What stands between two labels goes elsewhere.
                let long = 1 + random.below(6).min(lines.len() - 1 - at);
                let part: Vec<String> = lines.drain(at..at + long).collect();
                let to = random.below(lines.len() + 1);
                lines.splice(to..to, part);
            }
            _ => lines[at] = self.other_word(&lines[at], names, random),
        }
        if lines.is_empty() {
            lines.push("%".to_owned());
        }
    }

    /// A line with another word in place of one of its words.
    fn other_word(&self, line: &str, names: &[String], random: &mut Random) -> String {
        let all = pieces(line);
        let from = usize::from(line.contains(':')) * 2;
        let may = (from..all.len()).filter(|&i| !all[i].trim().is_empty());
        let may: Vec<usize> = may.collect();
        if may.is_empty() {
            return line.to_owned();
        }
        let which = may[random.below(may.len())];
        let old = all[which];
        let new = if let Some(n) = number(old) {
            match random.below(4) {
                0 => n + 1,
                1 => (n - 1).max(0),
                _ => random.pick(&NUMBERS),
            }
            .to_string()
        } else if names.iter().any(|n| n == old) {
            match random.below(4) {
                0 => format!("{old}+1"),
                1 => format!("{old}-1"),
                _ => names[random.below(names.len())].clone(),
            }
        } else if let Some(group) = self.words.iter().find(|g| g.contains(&old)) {
            random.pick(group).to_owned()
        } else {
            old.to_owned()
        };
        let parts = all.iter().enumerate();
        parts
            .map(|(i, p)| if i == which { &*new } else { p })
            .collect()
    }

    /// What a program does whatever its `%` are, from each memory.
    fn wanted(&self, p: &Nasty) -> Option<Vec<Deeds>> {
        let mut wanted = None;
        for (n, filler) in (0..).zip(&self.fillers) {
            let mut filled = p.filled(filler);
            filled.later = 17 * n;
            let image = assembled(&filled, self.target, None).image?;
            let found = self.all(&filled, &image)?;
            if *wanted.get_or_insert_with(|| found.clone()) != found {
                return None;
            }
        }
        wanted
    }

    fn all(&self, p: &Nasty, image: &Image) -> Option<Vec<Deeds>> {
        (0..MEMORIES).map(|n| (self.run)(p, image, n)).collect()
    }
}

const Z80_FAR: &str = " push hl\n push bc\n ld hl,1234\n ld b,5\n jp far#\n db 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\nfar#: pop bc\n pop hl\n";
const AVR_FAR: &str = " push r17\n push r31\n ldi r17,3\n jmp far#\n .dw 1,2,3,4,5,6,7,8,9,10,11,12\nfar#: pop r31\n pop r17\n";

/// What came of a program.
enum Trial {
    /// It does not assemble, has no end, or hangs on where its code is.
    Unfit,
    Same(i64),
    Other(String),
}

/// A program without the lines that nothing hangs on: it still does something else.
fn smaller(kind: &Kind, mut p: Nasty) -> Nasty {
    loop {
        let lines: Vec<String> = p.text.lines().map(str::to_owned).collect();
        let mut kept = lines.clone();
        let mut at = kept.len();
        while at > 0 {
            at -= 1;
            if kind.stays(&kept[at]) {
                continue;
            }
            let line = kept.remove(at);
            let mut less = p.clone();
            less.text = kept.iter().map(|l| format!("{l}\n")).collect();
            let still = std::panic::catch_unwind(|| trial(kind, &less));
            if !matches!(still, Ok(Trial::Other(_))) {
                kept.insert(at, line);
            }
        }
        p.text = kept.iter().map(|l| format!("{l}\n")).collect();
        if kept.len() == lines.len() {
            return p;
        }
    }
}

fn trial(kind: &Kind, p: &Nasty) -> Trial {
    let Some(wanted) = kind.wanted(p) else {
        return Trial::Unfit;
    };
    let mut saved = 0;
    for filler in &kind.fillers[..2] {
        let p = p.filled(filler);
        let before = assembled(&p, kind.target, None).image;
        if before.and_then(|i| kind.all(&p, &i)).as_ref() != Some(&wanted) {
            return Trial::Unfit;
        }
        let out = assembled(&p, kind.target, Some(Options::default()));
        let told = |what: &str| format!("; {} {what}\n{}", p.name, p.text);
        let Some(image) = out.image else {
            return Trial::Other(told("does not assemble any more"));
        };
        let ledger = out.ledger.expect("it was asked");
        if ledger.claimed() != ledger.saved() {
            return Trial::Other(told("saves other than is claimed"));
        }
        saved += ledger.saved();
        let found = kind.all(&p, &image);
        if found.as_ref() != Some(&wanted) {
            let what = if found.is_none() {
                "has no end"
            } else {
                "does other"
            };
            return Trial::Other(format!("{}\n{}", told(what), ledger.to_text()));
        }
    }
    Trial::Same(saved)
}

/// Tries programs as they are.
fn tried(kind: &Kind, text: &'static str) -> ExitCode {
    let mut same = true;
    for p in optimize_nasty::programs(text) {
        match trial(kind, &p) {
            Trial::Unfit => println!("{}: unfit", p.name),
            Trial::Same(saved) => println!("{}: the same, {saved} bytes less", p.name),
            Trial::Other(text) => {
                println!("{}: otherwise\n{text}", p.name);
                same = false;
            }
        }
    }
    match same {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let Some(kind) = words.first().and_then(|w| Kind::of(w)) else {
        println!("nothing is asked for: z80|avr FROM COUNT [FOLDER], or z80|avr FILE");
        return ExitCode::SUCCESS;
    };
    if let Some(text) = words.get(1).and_then(|w| std::fs::read_to_string(w).ok()) {
        return tried(&kind, text.leak());
    }
    let given = |n: usize| words.get(n).and_then(|w| w.parse::<u64>().ok());
    let (Some(from), Some(count)) = (given(1), given(2)) else {
        println!("FROM and COUNT are numbers");
        return ExitCode::FAILURE;
    };
    let start = Instant::now();
    let (mut fit, mut saved, mut other) = (0u64, 0i64, Vec::new());
    for seed in from..from + count {
        match std::panic::catch_unwind(|| trial(&kind, &kind.program(seed))) {
            Ok(Trial::Unfit) => {}
            Ok(Trial::Same(bytes)) => (fit, saved) = (fit + 1, saved + bytes),
            Ok(Trial::Other(_)) => {
                println!("seed {seed} does something else");
                if let Some(folder) = words.get(3) {
                    let less = smaller(&kind, kind.program(seed));
                    let Trial::Other(text) = trial(&kind, &less) else {
                        unreachable!("it is kept only so")
                    };
                    let file = format!("{folder}/nasty-{}-{seed}.txt", words[0]);
                    std::fs::write(file, text).expect("a file");
                }
                other.push(seed);
            }
            Err(_) => {
                println!("seed {seed} ends in a panic");
                other.push(seed);
            }
        }
        let done = seed - from + 1;
        if done % OFTEN == 0 || done == count {
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{done} programs, {fit} fit and the same with {saved} bytes less, {} otherwise, \
                 {seconds:.0} s",
                other.len()
            );
        }
    }
    match other.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
