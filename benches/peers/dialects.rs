//! What a dialect costs: the same program in each dialect and in scrimp's own language,
//! kind of line by kind of line, side by side in one go.
//!
//! All that is made of a kind is the same number of lines of the same meaning, as each
//! dialect spells it, so the ratio is what the dialect's own rules cost.

use super::generate::Random;
use std::fmt::Write;

/// A kind of line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Instructions of registers and numbers.
    Mnemonics,
    /// Labels, and instructions with their names.
    Names,
    /// Calls of a macro with two arguments.
    Macros,
    /// Conditionals over two branches.
    Conditionals,
    /// Lists of bytes.
    Data,
}

impl Kind {
    /// All of them, with what they are called.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Mnemonics, "mnemonics"),
        (Self::Names, "names"),
        (Self::Macros, "macros"),
        (Self::Conditionals, "conditions"),
        (Self::Data, "data"),
    ];
}

/// What the lines are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cpu {
    Z80,
    Avr,
    Gigatron,
}

impl Cpu {
    /// Target and machine on the command line.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            Self::Z80 => &["--target", "z80"],
            Self::Avr => &["--machine", "atmega2560"],
            Self::Gigatron => &["--target", "gigatron"],
        }
    }

    fn instruction(self, r: &mut Random, s: &Spelling) -> String {
        let n = r.below(256);
        let i = s.immediate;
        match self {
            Self::Z80 => {
                let (a, b) = (r.pick(&REGISTERS), r.pick(&REGISTERS));
                match r.below(8) {
                    0 => format!("ld {a},{b}"),
                    1 => format!("add a,{a}"),
                    2 => format!("ld {a},{i}{n}"),
                    3 => format!("inc {a}"),
                    4 => "push hl".into(),
                    5 => "xor a".into(),
                    6 => format!("ld (hl),{a}"),
                    _ => format!("and {i}{n}"),
                }
            }
            Self::Avr => {
                let (a, b, high) = (r.below(32), r.below(32), 16 + r.below(16));
                match r.below(8) {
                    0 => format!("mov r{a},r{b}"),
                    1 => format!("add r{a},r{b}"),
                    2 => format!("ldi r{high},{n}"),
                    3 => format!("inc r{a}"),
                    4 => format!("push r{a}"),
                    5 => format!("eor r{a},r{b}"),
                    6 => format!("ld r{a},X+"),
                    _ => format!("andi r{high},{n}"),
                }
            }
            Self::Gigatron => {
                let m = r.pick(&["ld", "anda", "ora", "xora", "adda", "suba"]);
                match r.below(6) {
                    0 => format!("{m} ${n:02x}"),
                    1 => format!("{m} [${n:02x}]"),
                    2 => format!("{m} [x]"),
                    3 => format!("{m} [y,${n:02x}]"),
                    4 => format!("st [${n:02x}]"),
                    _ => "st [y,x]".into(),
                }
            }
        }
    }

    /// What follows a label.
    fn with_names(self, name: u32, i: &str) -> [String; 3] {
        match self {
            Self::Z80 => [
                format!("ld hl,{i}name{name}"),
                format!("call name{name}"),
                "inc a".into(),
            ],
            Self::Avr => [
                format!("jmp name{name}"),
                format!("call name{name}"),
                "inc r16".into(),
            ],
            Self::Gigatron => ["ld $01".into(), "st [x]".into(), "nop".into()],
        }
    }

    /// Lines of the macro with its two parameters.
    fn body(self, x: &str, y: &str, i: &str) -> [String; 2] {
        match self {
            Self::Z80 => [format!("ld a,{i}{x}"), format!("add a,{i}{y}")],
            Self::Avr => [format!("ldi r16,{x}"), format!("subi r16,{y}")],
            Self::Gigatron => [format!("ld {x}"), format!("adda {y}")],
        }
    }
}

const REGISTERS: [&str; 7] = ["a", "b", "c", "d", "e", "h", "l"];

/// How a dialect writes what all can say.
pub struct Spelling {
    pub dialect: &'static str,
    pub cpu: Cpu,
    /// Lines at the start.
    head: &'static [&'static str],
    /// A constant; `N` is its name, `V` its value.
    constant: &'static str,
    /// Before a value in an instruction.
    immediate: &'static str,
    /// Behind a label.
    colon: &'static str,
    /// The lines around a macro's, and its parameters in them; nothing where the dialect has
    /// no macros. One line where it is a text, with `B` and `C` for the two lines.
    macros: &'static [&'static str],
    parameters: [&'static str; 2],
    /// A call; `X` and `Y` are the arguments.
    call: &'static str,
    /// The lines of a conditional; `N` is a constant. Nothing where there is none.
    conditions: [&'static str; 3],
    /// Before a list of bytes, and between its items; nothing where there is none.
    data: [&'static str; 2],
}

/// scrimp's own, and what most of the Z80's write.
const NATIVE: Spelling = Spelling {
    dialect: "native",
    cpu: Cpu::Z80,
    head: &[" org 0"],
    constant: "N equ V",
    immediate: "",
    colon: ":",
    macros: &["macro put(x, y)", "endm"],
    parameters: ["x", "y"],
    call: " put X, Y",
    conditions: [" if N", " else", " endif"],
    data: [" db ", ", "],
};

const MOST: Spelling = Spelling {
    macros: &["put macro x,y", " endm"],
    call: " put X,Y",
    ..NATIVE
};

/// All that are measured; each behind the native spelling for its processor.
pub static SPELLINGS: &[Spelling] = &[
    NATIVE,
    Spelling {
        dialect: "pasmo",
        ..MOST
    },
    Spelling {
        dialect: "z80asm",
        constant: "N: equ V",
        macros: &["put: macro x y", " endm"],
        call: " put X Y",
        ..MOST
    },
    Spelling {
        dialect: "sjasmplus",
        macros: &[" macro put x,y", " endm"],
        ..MOST
    },
    Spelling {
        dialect: "sjasm",
        macros: &[" macro put x,y", " endmacro"],
        ..MOST
    },
    Spelling {
        dialect: "mdl",
        macros: &["put: macro ?x, ?y", " endm"],
        parameters: ["?x", "?y"],
        constant: "N: equ V",
        ..MOST
    },
    Spelling {
        dialect: "tasm",
        head: &[" .org 0"],
        constant: "N .equ V",
        macros: &["#define put(x,y) B\\ C"],
        call: " put(X,Y)",
        conditions: ["#if N", "#else", "#endif"],
        data: [" .db ", ", "],
        ..MOST
    },
    Spelling {
        dialect: "zasm",
        macros: &["put macro &x,&y", " endm"],
        parameters: ["&x", "&y"],
        conditions: ["#if N", "#else", "#endif"],
        ..MOST
    },
    Spelling {
        dialect: "zmac",
        ..MOST
    },
    Spelling {
        dialect: "vasm",
        macros: &[" macro put,x,y", " endm"],
        parameters: ["\\x", "\\y"],
        ..MOST
    },
    Spelling {
        dialect: "rasm",
        macros: &[" macro put x,y", " mend"],
        parameters: ["{x}", "{y}"],
        ..MOST
    },
    Spelling {
        dialect: "asl",
        head: &[" cpu z80", " org 0"],
        ..MOST
    },
    Spelling {
        dialect: "glass",
        constant: "N: equ V",
        macros: &["put: macro ?x, ?y", " endm"],
        parameters: ["?x", "?y"],
        ..MOST
    },
    Spelling {
        dialect: "gas-z80",
        head: &[],
        constant: "N = V",
        macros: &[" .macro put x,y", " .endm"],
        parameters: ["\\x", "\\y"],
        conditions: [" .if N", " .else", " .endif"],
        data: [" .byte ", ", "],
        ..MOST
    },
    Spelling {
        dialect: "sdas",
        head: &[" .area C (ABS)", " .org 0"],
        constant: "N = V",
        immediate: "#",
        macros: &[" .macro put x,y", " .endm"],
        conditions: [" .if N", " .else", " .endif"],
        data: [" .db ", ", "],
        ..MOST
    },
    Spelling {
        cpu: Cpu::Avr,
        head: &[],
        ..NATIVE
    },
    Spelling {
        dialect: "avrasm2",
        cpu: Cpu::Avr,
        head: &[],
        constant: ".equ N = V",
        macros: &[".macro put", ".endmacro"],
        parameters: ["@0", "@1"],
        conditions: [".if N", ".else", ".endif"],
        data: [" .db ", ", "],
        ..MOST
    },
    Spelling {
        dialect: "gas-avr",
        cpu: Cpu::Avr,
        head: &[],
        constant: "N = V",
        macros: &[" .macro put x,y", " .endm"],
        parameters: ["\\x", "\\y"],
        conditions: [" .if N", " .else", " .endif"],
        data: [" .byte ", ", "],
        ..MOST
    },
    Spelling {
        cpu: Cpu::Gigatron,
        head: &[],
        macros: &[],
        conditions: ["", "", ""],
        data: ["", ""],
        ..NATIVE
    },
    Spelling {
        dialect: "gigatron-lst",
        cpu: Cpu::Gigatron,
        head: &[],
        macros: &[],
        conditions: ["", "", ""],
        data: ["", ""],
        ..NATIVE
    },
];

/// Lines of a kind in a dialect, at most so many; nothing where it cannot say that.
pub fn program(s: &Spelling, kind: Kind, most: usize) -> Option<String> {
    let mut r = Random::new(3);
    let mut out = String::new();
    let put = |out: &mut String, line: &str| {
        out.push_str(line);
        out.push('\n');
    };
    s.head.iter().for_each(|line| put(&mut out, line));
    match kind {
        Kind::Mnemonics => {
            for _ in 0..most {
                put(&mut out, &format!(" {}", s.cpu.instruction(&mut r, s)));
            }
        }
        Kind::Names => {
            // Seven bytes for four lines, all of them in 64 KiB.
            let count = (most / 4).min(9_000) as u32;
            for n in 0..count {
                put(&mut out, &format!("name{n}{}", s.colon));
                for line in s.cpu.with_names(r.below(count), s.immediate) {
                    put(&mut out, &format!(" {line}"));
                }
            }
        }
        Kind::Macros => {
            let [x, y] = s.parameters;
            let [b, c] = s.cpu.body(x, y, s.immediate);
            match s.macros {
                [] => return None,
                [text] => put(&mut out, &text.replace('B', &b).replace('C', &c)),
                [from, to, ..] => {
                    for line in [from, &&*format!(" {b}"), &&*format!(" {c}"), to] {
                        put(&mut out, line);
                    }
                }
            }
            for _ in 0..(most / 3).min(16_000) {
                let argument = |r: &mut Random| r.below(256).to_string();
                let call = s.call.replace('X', &argument(&mut r));
                put(&mut out, &call.replace('Y', &argument(&mut r)));
            }
        }
        Kind::Conditionals => {
            let [open, other, close] = s.conditions;
            if open.is_empty() {
                return None;
            }
            for (name, value) in [("one", "1"), ("zero", "0")] {
                let line = s.constant.replace('V', value).replace('N', name);
                put(&mut out, &line);
            }
            for _ in 0..most / 5 {
                put(&mut out, &open.replace('N', r.pick(&["one", "zero"])));
                put(&mut out, &format!(" {}", s.cpu.instruction(&mut r, s)));
                put(&mut out, other);
                put(&mut out, &format!(" {}", s.cpu.instruction(&mut r, s)));
                put(&mut out, close);
            }
        }
        Kind::Data => {
            let [word, between] = s.data;
            if word.is_empty() {
                return None;
            }
            for _ in 0..(most / 6).min(8_000) {
                out.push_str(word);
                for i in 0..8 {
                    let between = if i > 0 { between } else { "" };
                    let _ = write!(out, "{between}{}", r.below(256));
                }
                out.push('\n');
            }
        }
    }
    Some(out)
}
