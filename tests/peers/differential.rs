//! Random legal programs through the peers and through scrimp: the bytes must be
//! the same. Each test is skipped, and says so, where its peer is not installed.
//! `SCRIMP_DIFFERENTIAL=N` makes N programs of [`LINES`] lines instead of a few,
//! `SCRIMP_SEED` starts from another seed; a failure prints its seed.

use crate::common::peer::{command, peer};
use crate::common::random::Random;
use crate::common::tools::have;
use crate::common::{build, difference, findings};
use std::fmt::Write;
use std::path::PathBuf;

/// Lines of one program.
const LINES: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Pasmo,
    Z80asm,
    Zmac,
    Vasm,
    Rasm,
}

struct Writer {
    r: Random,
    dialect: Dialect,
    labels: usize,
    out: String,
}

impl Writer {
    fn number(&mut self) -> String {
        let n = match self.r.below(4) {
            0 => self.r.below(10),
            1 => self.r.below(256),
            _ => self.r.below(65536),
        };
        match (self.dialect, self.r.below(9)) {
            // with `0b` a binary number begins
            (Dialect::Rasm, 0) => format!("1{:x}h", n & 0xfff),
            (_, 0) => format!("0{n:x}h"),
            (_, 1) => format!("0x{n:X}"),
            (_, 2) => format!("${n:x}"),
            (Dialect::Zmac, 3) => format!("{n}d"),
            (_, 3) => format!("%{n:b}"),
            (_, 4) => format!("{n:b}b"),
            (Dialect::Rasm, 5) => format!("0o{n:o}"),
            (_, 5) => format!("{n:o}q"),
            (Dialect::Pasmo | Dialect::Vasm | Dialect::Rasm, 6) => format!("#{n:X}"),
            (Dialect::Z80asm, 6) => format!("&h{n:x}"),
            _ => format!("{n}"),
        }
    }

    fn atom(&mut self, depth: u32) -> String {
        match self.r.below(8) {
            0 if depth < 4 => format!("({})", self.expression(depth + 1)),
            // rasm joins what blanks part
            1 if self.dialect == Dialect::Rasm => "($)".into(),
            1 => "$ ".into(),
            2 => format!("'{}'", (b'!' + self.r.below(6) as u8) as char),
            3..=4 => format!("lab{}", self.r.below(self.labels)),
            _ => self.number(),
        }
    }

    /// Levels from loose to tight; the last calls `atom`.
    fn level(&mut self, level: usize, depth: u32) -> String {
        const PASMO: &[&[&str]] = &[
            &[" || "],
            &[" && "],
            &[" or ", " | ", " xor "],
            &[" and ", " & "],
            &[],
            &[
                " = ", " eq ", " != ", " ne ", " < ", " lt ", " <= ", " le ", " > ", " gt ",
                " >= ", " ge ",
            ],
            &[" + ", " - "],
            &[
                " * ", " / ", " % ", " mod ", " << ", " shl ", " >> ", " shr ",
            ],
        ];
        const Z80ASM: &[&[&str]] = &[
            &["|"],
            &["^"],
            &[" & "],
            &["==", "!=", "="],
            &["<", "<=", ">", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/"],
        ];
        const ZMAC: &[&[&str]] = &[
            &[" || "],
            &[" && "],
            &[" | ", " or "],
            &[" ^ ", " xor "],
            &[" & ", " and "],
            &["=", "==", "!=", "<>", " eq ", " ne "],
            &["<", "<=", ">", ">=", " lt ", " ge "],
            &["<<", ">>", " shl ", " shr "],
            &["+", "-"],
            &["*", "/", " mod ", " % "],
        ];
        const VASM: &[&[&str]] = &[
            &[" || "],
            &[" && "],
            &["=", "==", "!=", " <> "],
            &[" < ", " <= ", " > ", " >= "],
            &["+", "-"],
            &["*", "/", " % "],
            &[" | ", " ! "],
            &["^", " ~ "],
            &[" & "],
            &["<<", ">>"],
        ];
        const RASM: &[&[&str]] = &[
            &[" || "],
            &[" && "],
            &[" | ", " or "],
            &["^", " xor "],
            &[" & ", " and "],
            &["==", "!=", "<", "<=", ">", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", " % ", " mod "],
        ];
        let table = match self.dialect {
            Dialect::Rasm => RASM,
            Dialect::Vasm => VASM,
            Dialect::Zmac => ZMAC,
            Dialect::Pasmo => PASMO,
            Dialect::Z80asm => Z80ASM,
        };
        let Some(operators) = table.get(level) else {
            if self.dialect == Dialect::Z80asm && self.r.one_in(6) {
                let sign = self.r.pick(&["-", "~", "+", "-~", "~-"]);
                return format!("{sign}{}", self.atom(depth));
            }
            if self.dialect == Dialect::Zmac && self.r.one_in(6) {
                let sign = self.r.pick(&["-", "~", "+", "!", "not ", "low ", "high "]);
                return format!("{sign}{}", self.atom(depth));
            }
            if self.dialect == Dialect::Vasm && self.r.one_in(6) {
                let sign = self.r.pick(&[" -", " ~", " +", " !", " <", " >"]);
                return format!("{sign}{}", self.atom(depth));
            }
            if self.dialect == Dialect::Rasm && self.r.one_in(6) {
                let number = self.number();
                return match self.r.below(4) {
                    0 => format!("-{number}"),
                    1 => format!("!{}", self.atom(depth)),
                    2 => format!("floor({}/7)", self.level(7, 3)),
                    _ => format!("hi({})", self.level(7, 3)),
                };
            }
            return self.atom(depth);
        };
        if operators.is_empty() {
            // pasmo's unary operators stand above the comparisons
            return if self.r.one_in(8) {
                let sign = self.r.pick(&["-", "+", "~", "!", "not "]);
                format!("{sign}{}", self.level(level, depth))
            } else {
                self.level(level + 1, depth)
            };
        }
        let mut s = self.level(level + 1, depth);
        while self.r.one_in(6) {
            let op = self.r.pick(operators);
            s += op;
            // never zero, and no shift beyond what the peers' C leaves open
            if op.contains('/') || op.contains('%') || op.contains("mod") {
                s += &(self.r.below(300) + 1).to_string();
            } else if op.contains("<<") || op.contains(">>") || op.contains("sh") {
                s += &self.r.below(14).to_string();
            } else if op.contains('*') {
                s += &self.r.below(100).to_string();
            } else {
                s += &self.level(level + 1, depth);
            }
        }
        s
    }

    fn expression(&mut self, depth: u32) -> String {
        let mut s = self.level(0, depth);
        if self.dialect == Dialect::Pasmo && self.r.one_in(12) {
            s = format!("{} {s}", self.r.pick(&["high", "low"]));
        }
        if !matches!(self.dialect, Dialect::Vasm | Dialect::Rasm) && self.r.one_in(15) && depth < 3
        {
            s = format!(
                "{s} ? {} : {}",
                self.expression(depth + 1),
                self.expression(depth + 1)
            );
        }
        s
    }

    /// A value of a byte where one that is larger is an error.
    fn byte(&mut self, value: String) -> String {
        match self.dialect {
            Dialect::Zmac | Dialect::Vasm | Dialect::Rasm => format!("0+(({value})&255)"),
            _ => value,
        }
    }

    /// An operand that no assembler takes for memory.
    fn operand(&mut self) -> String {
        let first = self.number();
        if matches!(self.dialect, Dialect::Zmac | Dialect::Vasm | Dialect::Rasm) {
            return format!("0+(({first}+{})&65535)", self.level(7, 2));
        }
        format!("{first}+{}", self.level(7, 2))
    }

    fn line(&mut self) {
        const BYTE: &[&str] = &[
            "a", "b", "c", "d", "e", "h", "l", "(hl)", "(ix+@)", "(iy-@)",
        ];
        const REGISTER: &[&str] = &["a", "b", "c", "d", "e", "h", "l"];
        const WORD: &[&str] = &["bc", "de", "hl", "sp"];
        let alu = &[
            "add a,", "adc a,", "sub ", "sbc a,", "and ", "xor ", "or ", "cp ",
        ];
        let d = self.r.below(128).to_string();
        let text = match self.r.below(20) {
            0 => {
                let items = 1 + self.r.below(4);
                let list: Vec<_> = (0..items)
                    .map(|_| {
                        let e = self.expression(0);
                        self.byte(e)
                    })
                    .collect();
                // z80asm takes a quote in front for a string
                format!("{} 0, {}", self.r.pick(&["db", "defb"]), list.join(", "))
            }
            1..=2 => {
                let list: Vec<_> = (0..1 + self.r.below(3))
                    .map(|_| match (self.expression(0), self.dialect) {
                        (e, Dialect::Zmac) => format!("({e})&65535"),
                        (e, _) => e,
                    })
                    .collect();
                format!("{} {}", self.r.pick(&["dw", "defw"]), list.join(", "))
            }
            3 => format!("ds {},{}", self.r.below(5), self.r.below(128)),
            4 => format!(
                "db \"{}\"",
                self.r.pick(&["text", "a b", "x;y", "don't", "1:2", "#$%"])
            ),
            5 => format!("ld {},{}", self.r.pick(REGISTER), self.r.pick(BYTE)),
            6 => format!("ld {},{}", self.r.pick(&BYTE[7..]), self.r.pick(REGISTER)),
            7 => {
                let e = self.operand();
                let e = self.byte(e);
                format!("ld {},{e}", self.r.pick(BYTE))
            }
            8 => format!(
                "ld {},{}",
                self.r.pick(&["bc", "de", "hl", "sp", "ix", "iy"]),
                self.operand()
            ),
            9 => {
                let w = self.r.pick(&["bc", "de", "hl", "sp", "ix", "iy", "a"]);
                let e = self.operand();
                if self.r.one_in(2) {
                    format!("ld {w},({e})")
                } else {
                    format!("ld ({e}),{w}")
                }
            }
            10 => format!("{}{}", self.r.pick(alu), self.r.pick(BYTE)),
            11 => {
                let e = self.operand();
                let e = self.byte(e);
                format!("{}{e}", self.r.pick(alu))
            }
            12 => {
                let m = self.r.pick(&["bit", "set", "res"]);
                format!("{m} {},{}", self.r.below(8), self.r.pick(BYTE))
            }
            13 => {
                let m = self
                    .r
                    .pick(&["rlc", "rrc", "rl", "rr", "sla", "sra", "srl", "inc", "dec"]);
                format!("{m} {}", self.r.pick(BYTE))
            }
            14 => {
                let c = self
                    .r
                    .pick(&["", "nz,", "z,", "nc,", "c,", "po,", "pe,", "p,", "m,"]);
                format!("{} {c}{}", self.r.pick(&["jp", "call"]), self.operand())
            }
            15 => {
                let c = self
                    .r
                    .pick(&["djnz ", "jr ", "jr nz,", "jr z,", "jr nc,", "jr c,"]);
                let n = self.r.below(120);
                format!(
                    "{c}${}",
                    if self.r.one_in(2) {
                        format!("+{n}")
                    } else {
                        format!("-{n}")
                    }
                )
            }
            16 => {
                let (x, w) = (self.r.pick(&["hl", "ix", "iy"]), self.r.pick(WORD));
                let m = if x == "hl" {
                    self.r.pick(&["add", "adc", "sbc"])
                } else {
                    "add"
                };
                format!("{m} {x},{}", if w == "hl" { x } else { w })
            }
            17 => self
                .r
                .pick(&[
                    "nop",
                    "ldir",
                    "lddr",
                    "cpir",
                    "exx",
                    "ex af,af'",
                    "ex de,hl",
                    "ex (sp),ix",
                    "ret",
                    "ret nz",
                    "reti",
                    "neg",
                    "daa",
                    "im 2",
                    "jp (hl)",
                    "jp (iy)",
                    "push ix",
                    "pop af",
                    "in a,(5)",
                    "out (c),e",
                    "in b,(c)",
                    "rst 18h",
                    "ld a,r",
                    "ld i,a",
                    "ld sp,ix",
                    "otir",
                    "rld",
                    "ld a,(de)",
                    "ld (bc),a",
                ])
                .into(),
            18 => {
                let h = self.r.pick(&["ixh", "ixl", "iyh", "iyl"]);
                match self.r.below(3) {
                    0 => format!("ld {h},{}", self.r.pick(&["b", "c", "d", "e"])),
                    1 => format!("{}{h}", self.r.pick(alu)),
                    _ => format!("ld {},{h}", self.r.pick(&["b", "c", "d", "e"])),
                }
            }
            _ => format!("; {}", self.number()),
        };
        // z80asm joins a line of 299 characters with the next one
        if text.len() < 280 {
            let _ = writeln!(self.out, "\t{}", text.replace('@', &d));
        }
    }

    fn program(seed: u64, dialect: Dialect) -> String {
        let mut w = Writer {
            r: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            dialect,
            labels: LINES / 8,
            out: String::new(),
        };
        let colon = if dialect == Dialect::Z80asm { ":" } else { "" };
        let _ = writeln!(w.out, "\torg {}", 0x100 + w.r.below(0xC000));
        for i in 0..LINES {
            if i % 8 == 0 {
                let _ = writeln!(w.out, "lab{}:", i / 8);
            }
            if i % 50 == 7 {
                // known here: no label below this line
                let (a, b) = (w.r.below(99), w.r.below(9));
                let _ = writeln!(w.out, "con{i}{colon} equ {a}*{b}+$\n\tdw con{i}");
                let _ = writeln!(
                    w.out,
                    "\tif con{i}/2 < {}\n\tdb 1\n\telse\n\tdb 2\n\tendif",
                    w.r.below(30000)
                );
            }
            w.line();
        }
        w.out
    }
}

fn run(name: &str, dialect: Dialect, programs: u64) {
    if !have(&[command(name)]) {
        return;
    }
    let folder: PathBuf =
        std::env::temp_dir().join(format!("scrimp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let number = |v: &str, d| {
        std::env::var(v)
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(d)
    };
    let first = number("SCRIMP_SEED", 1);
    let mut faults = String::new();
    let mut bytes = 0;
    for seed in first..first + number("SCRIMP_DIFFERENTIAL", programs) {
        std::fs::write(folder.join("r.asm"), Writer::program(seed, dialect)).expect("the source");
        let Some(want) = peer(name, &folder, "r.asm", &folder.join("r.bin")) else {
            faults += &format!("seed {seed}: {name} refuses its program\n");
            break;
        };
        bytes += want.len();
        let out = build(&folder, "r.asm", name);
        match &out.image {
            None => faults += &format!("seed {seed}: not assembled\n{}", findings(&out)),
            Some(image) => {
                if let Some(d) = difference(&image.binary(0), &want) {
                    faults += &format!("seed {seed}: {d}\n");
                }
            }
        }
        if !faults.is_empty() {
            break;
        }
    }
    println!("{name}: {bytes} bytes compared");
    if faults.is_empty() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    assert!(
        faults.is_empty(),
        "\n{faults}the last program is in {}",
        folder.display()
    );
}

#[test]
fn pasmo() {
    run("pasmo", Dialect::Pasmo, 20);
}

#[test]
fn z80asm() {
    run("z80asm", Dialect::Z80asm, 20);
}

/// A line for each form of the table, with operands at random.
fn forms(r: &mut Random, dialect: &str) -> Vec<String> {
    use scrimp_isa::{Base, Operand, Outline};
    let dialect = scrimp::dialect::by_name(dialect).expect("the peer's dialect");
    let target = scrimp::targets::by_name("z80").expect("the Z80 is registered");
    let operands = target.operands();
    let mut write = |o: &Operand| {
        let word = o.words.map_or("", |w| w.words[r.below(w.words.len())].0);
        let value = o.value.map_or(0, |v| {
            // in the middle of the range, where no assembler sees an overflow
            let low = if v.min < 0 && v.max > 127 { 0 } else { v.min };
            low + r.below((v.max - low + 1) as usize) as i64
        });
        let relative = o.value.is_some_and(|v| !matches!(v.base, Base::Absolute));
        let value = if relative {
            format!("$+{}", value.rem_euclid(100) + 2)
        } else {
            value.to_string()
        };
        match o.outline {
            Outline::Word => word.to_string(),
            Outline::Value => value,
            Outline::RoundWord => format!("({word})"),
            Outline::RoundValue => format!("({value})"),
            Outline::RoundWordValue => format!("({word}+{value})").replace("+-", "-"),
            other => panic!("the Z80 has no {other:?}"),
        }
    };
    let mut lines = Vec::new();
    for f in target.forms().iter().filter(|f| dialect.takes(f, target)) {
        let list: Vec<String> = f
            .operand_names()
            .map(|n| write(operands.iter().find(|o| o.name == n).expect("the class")))
            .collect();
        lines.push(format!("\t{} {}", f.name, list.join(",")));
    }
    lines
}

/// Every form that the peer takes has the peer's bytes.
fn run_forms(name: &str) {
    if !have(&[command(name)]) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("scrimp-forms-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let seed = std::env::var("SCRIMP_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1u64);
    let lines = forms(
        &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
        name,
    );
    let (mut taken, mut faults) = (0, String::new());
    for line in &lines {
        std::fs::write(folder.join("f.asm"), format!("{line}\n")).expect("the source");
        let Some(want) = peer(name, &folder, "f.asm", &folder.join("f.bin")) else {
            continue;
        };
        taken += 1;
        let out = build(&folder, "f.asm", name);
        match &out.image {
            None => faults += &format!("{line}: not assembled\n{}", findings(&out)),
            Some(image) => {
                if let Some(d) = difference(&image.binary(0), &want) {
                    faults += &format!("{line}: {d}\n");
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{name}: {taken} of {} forms compared", lines.len());
    assert!(faults.is_empty(), "\n{faults}");
    assert!(
        taken * 2 > lines.len(),
        "{name} took only {taken} of {}",
        lines.len()
    );
}

#[test]
fn zmac() {
    run("zmac", Dialect::Zmac, 20);
}

#[test]
fn zmac_forms() {
    run_forms("zmac");
}

#[test]
fn rasm() {
    run("rasm", Dialect::Rasm, 20);
}

#[test]
fn rasm_forms() {
    run_forms("rasm");
}

#[test]
fn vasm() {
    run("vasm", Dialect::Vasm, 20);
}

#[test]
fn vasm_forms() {
    run_forms("vasm");
}

#[test]
fn pasmo_forms() {
    run_forms("pasmo");
}

#[test]
fn z80asm_forms() {
    run_forms("z80asm");
}
