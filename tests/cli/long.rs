//! Whatever can be long in a source costs time and memory in proportion to what is read,
//! or meets a limit with a located error: in every dialect, on every target.
//!
//! The kernel bounds CPU seconds and address space of the command, so that a busy machine
//! changes nothing. What grows faster than its input passes the bounds at ten times the
//! length, if not before.
#![cfg(unix)]

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// CPU seconds: 2 and 1 for each 10 MB, with so much for an unoptimised build.
const SLOWER: f64 = if cfg!(debug_assertions) { 12.0 } else { 1.5 };

/// How a dialect writes what the cases need.
#[derive(Clone, Copy)]
struct Words {
    dialect: &'static str,
    target: &'static str,
    bytes: &'static str,
    words: &'static str,
    include: &'static str,
    org: &'static str,
    /// A constant, one that may be defined again, and a condition's ends.
    equ: fn(&str, &str) -> String,
    set: fn(&str, &str) -> String,
    condition: (&'static str, &'static str),
    /// Name, parameters, lines.
    definition: fn(&str, &str, &str) -> String,
    argument: &'static str,
    repeat: Option<(&'static str, &'static str)>,
}

const NATIVE: Words = Words {
    dialect: "native",
    target: "z80",
    bytes: " db ",
    words: " dw ",
    include: " include ",
    org: " org ",
    equ: |n, v| format!("{n} equ {v}\n"),
    set: |n, v| format!("{n} set {v}\n"),
    condition: (" if ", " endif\n"),
    definition: |n, p, l| format!("macro {n}({p})\n{l}\nendm\n"),
    argument: "a",
    repeat: Some((" repeat ", " endr\n")),
};

const AVRASM2: Words = Words {
    dialect: "avrasm2",
    target: "avr",
    bytes: " .db ",
    words: " .dw ",
    include: " .include ",
    org: " .org ",
    equ: |n, v| format!(".equ {n} = {v}\n"),
    set: |n, v| format!(".set {n} = {v}\n"),
    condition: (" .if ", " .endif\n"),
    definition: |n, _, l| format!(".macro {n}\n{l}\n.endm\n"),
    argument: "@0",
    repeat: None,
};

fn languages() -> Vec<Words> {
    vec![
        NATIVE,
        Words {
            target: "avr",
            ..NATIVE
        },
        Words {
            target: "gigatron",
            ..NATIVE
        },
        Words {
            dialect: "native-cpp",
            ..NATIVE
        },
        Words {
            dialect: "pasmo",
            set: |n, v| format!("{n} defl {v}\n"),
            definition: |n, p, l| format!("{n} macro {p}\n{l}\n endm\n"),
            repeat: Some((" rept ", " endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "z80asm",
            equ: |n, v| format!("{n}: equ {v}\n"),
            set: |n, v| format!("{n}: equ {v}\n"),
            definition: |n, p, l| format!("{n}: macro {p}\n{l}\n endm\n"),
            repeat: None,
            ..NATIVE
        },
        AVRASM2,
        Words {
            dialect: "avra",
            ..AVRASM2
        },
        Words {
            dialect: "gas-avr",
            bytes: " .byte ",
            words: " .word ",
            equ: |n, v| format!("{n} = {v}\n"),
            set: |n, v| format!(".set {n}, {v}\n"),
            definition: |n, p, l| format!(".macro {n} {p}\n{l}\n.endm\n"),
            argument: "\\a",
            repeat: Some((" .rept ", " .endr\n")),
            ..AVRASM2
        },
        Words {
            dialect: "gas-z80",
            bytes: " .db ",
            words: " .dw ",
            equ: |n, v| format!("{n} = {v}\n"),
            set: |n, v| format!(".set {n}, {v}\n"),
            definition: |n, p, l| format!(".macro {n} {p}\n{l}\n.endm\n"),
            argument: "\\a",
            repeat: Some((" .rept ", " .endr\n")),
            ..NATIVE
        },
        Words {
            dialect: "sdas",
            bytes: " .db ",
            words: " .dw ",
            include: " .include ",
            org: " .area A (ABS)\n .org ",
            equ: |n, v| format!("{n} = {v}\n"),
            set: |n, v| format!("{n} = {v}\n"),
            condition: (" .if ", " .endif\n"),
            definition: |n, p, l| format!(" .macro {n} {p}\n{l}\n .endm\n"),
            argument: "a",
            repeat: Some((" .rept ", " .endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "gigatron-lst",
            target: "gigatron",
            ..NATIVE
        },
    ]
}

/// The dialects that go through all cases by night only.
fn by_night() -> Vec<Words> {
    vec![
        Words {
            dialect: "sjasmplus",
            equ: |n, v| format!("{n} equ {v}\n"),
            set: |n, v| format!("{n} = {v}\n"),
            definition: |n, p, l| format!(" macro {n} {p}\n{l}\n endm\n"),
            repeat: Some((" dup ", " edup\n")),
            ..NATIVE
        },
        Words {
            dialect: "mdl",
            set: |n, v| format!("{n}: equ {v}\n"),
            definition: |n, p, l| format!("{n}: macro {p}\n{l}\n endm\n"),
            argument: "?a",
            repeat: Some((" rept ", " endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "zasm",
            org: " org ",
            set: |n, v| format!("{n} defl {v}\n"),
            definition: |n, p, l| {
                let p = if p.is_empty() { "" } else { "&a" };
                format!("{n} macro {p}\n{l}\n endm\n")
            },
            argument: "&a",
            repeat: Some((" rept ", " endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "tasm",
            bytes: " .db ",
            words: " .dw ",
            include: "#include ",
            org: " .org ",
            equ: |n, v| format!("{n} .equ {v}\n"),
            set: |n, v| format!("{n} .set {v}\n"),
            condition: ("#if ", "#endif\n"),
            definition: |n, p, l| match p {
                "" => format!("#define {n} {}\n", l.trim().replace('\n', "\\ ")),
                p => format!("#define {n}({p}) {l}\n"),
            },
            repeat: None,
            ..NATIVE
        },
        Words {
            dialect: "zmac",
            set: |n, v| format!("{n} defl {v}\n"),
            definition: |n, p, l| format!("{n} macro {p}\n{l}\n endm\n"),
            repeat: Some((" rept ", " endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "vasm",
            set: |n, v| format!("{n} set {v}\n"),
            definition: |n, p, l| format!("{n} macro {p}\n{l}\n endm\n"),
            argument: "\\a",
            repeat: Some((" rept ", " endr\n")),
            ..NATIVE
        },
        Words {
            dialect: "glass",
            set: |n, v| format!("{n} equ {v}\n"),
            definition: |n, p, l| format!("{n} macro {p}\n{l}\n endm\n"),
            argument: "?a",
            repeat: Some((" rept ", " endm\n")),
            ..NATIVE
        },
        Words {
            dialect: "rasm",
            set: |n, v| format!("{n} = {v}\n"),
            definition: |n, p, l| format!(" macro {n} {p}\n{l}\n mend\n"),
            argument: "{a}",
            repeat: Some((" repeat ", " rend\n")),
            ..NATIVE
        },
    ]
}

/// Files of a case; the first is the main one.
pub type Files = Vec<(String, Vec<u8>)>;

/// A kind of long input of about so many bytes; `None` where the dialect has none.
type Case = (&'static str, fn(&Words, usize) -> Option<String>);

pub fn many(bytes: usize, line: impl Fn(usize) -> String) -> String {
    let mut out = String::with_capacity(bytes + 100);
    let mut i = 0;
    while out.len() < bytes {
        out += &line(i);
        i += 1;
    }
    out
}

fn listing(w: &Words) -> bool {
    w.dialect == "gigatron-lst"
}

const LONG: &[Case] = &[
    ("labels", |_, n| Some(many(n, |i| format!("l{i}: nop\n")))),
    ("labels without colon", |_, n| {
        Some(many(n, |i| format!("ldirx{i}\n")))
    }),
    ("labels of one name", |_, n| {
        Some(format!(" nop\n{}", many(n, |_| "aa: nop\n".into())))
    }),
    ("unknown statements", |_, n| {
        Some(many(n, |i| format!(" foo{i} r1\n")))
    }),
    ("undefined names", |w, n| {
        (!listing(w)).then(|| {
            many(n / 2, |i| format!("l{i}:\n")) + &many(n / 2, |i| format!("{}m{i}\n", w.words))
        })
    }),
    ("forward references", |w, n| {
        (!listing(w)).then(|| many(n, |_| format!("{}x\n", w.words)) + "x: nop\n")
    }),
    ("places", |w, n| {
        (!listing(w)).then(|| format!("{}$,$,$+1\n", w.words).repeat(n / 15))
    }),
    ("a list of references", |w, n| {
        let list = vec!["x"; 400].join(",");
        (!listing(w)).then(|| many(n, |_| format!("{}{list}\n", w.words)) + "x: nop\n")
    }),
    ("blank lines", |_, n| {
        Some(format!(" nop\n{}\n frob\n", "\n".repeat(n)))
    }),
    ("lines of blanks", |_, n| {
        Some(format!(" nop\n{}\n frob\n", "   \n".repeat(n / 4)))
    }),
    ("instructions", |_, n| Some(" nop\n".repeat(n / 5))),
    ("a text", |w, n| {
        Some(format!("{}\"{}\"\n", w.bytes, "a".repeat(n)))
    }),
    ("a name", |_, n| Some(format!("{}: nop\n", "a".repeat(n)))),
    ("a line", |w, n| {
        Some(format!("{}1{}\n", w.bytes, ",1".repeat(n / 2)))
    }),
    ("a line of another language", |w, n| {
        let others = if w.target == "z80" {
            "incbin \"empty\" : "
        } else {
            "jr $ : "
        };
        Some(others.repeat(n / others.len()) + "\n")
    }),
    ("a row of each sign", |_, n| {
        let signs = (b'!'..=b'~').filter(|c| !c.is_ascii_alphanumeric());
        let row = |c: u8| format!(" {}\n", char::from(c).to_string().repeat(n / 32));
        Some(signs.map(row).collect())
    }),
    ("a row of quotes", |_, n| {
        Some(format!(" nop\n{}\n", "\"".repeat(n)))
    }),
    ("an expression", |w, n| {
        Some(format!("{}1{}\n", w.words, "+1".repeat(n / 2)))
    }),
    ("a comment", |_, n| {
        Some(format!(";{}\n nop\n", "a".repeat(n)))
    }),
    ("an open comment", |_, n| {
        Some(format!("/*{}", "a\n".repeat(n / 2)))
    }),
    ("local labels", |_, n| {
        Some(format!(
            "{}: nop\n{}",
            "a".repeat(900),
            many(n, |i| format!(".l{i}:\n"))
        ))
    }),
    ("constants", |w, n| {
        (!listing(w)).then(|| many(n, |i| (w.equ)(&format!("b{i}"), &i.to_string())))
    }),
    ("a chain of constants downwards", |w, n| {
        let next = |i: usize| format!("b{}+1", i + 1);
        (!listing(w)).then(|| many(n, |i| (w.equ)(&format!("b{i}"), &next(i))) + w.words + "b0\n")
    }),
    ("a chain of constants upwards", |w, n| {
        let line = |i: usize| (w.equ)(&format!("b{}", i + 1), &format!("b{i}+b{i}"));
        (!listing(w)).then(|| (w.equ)("b0", "x") + &many(n, line) + "x: nop\n")
    }),
    ("a chain of constants without an end", |w, n| {
        let line = |i: usize| (w.equ)(&format!("b{i}"), &format!("b{}", i + 1));
        (!listing(w)).then(|| many(n, line))
    }),
    ("addresses from below", |w, n| {
        (!listing(w)).then(|| format!("{}x\n nop\n", w.org).repeat(n / 15) + "x: nop\n")
    }),
    ("a variable that grows", |w, n| {
        let line = |_| (w.set)("b", "b+x");
        (!listing(w)).then(|| (w.set)("b", "x") + &many(n, line) + w.words + "b\nx: nop\n")
    }),
    ("conditions", |w, n| {
        (!listing(w)).then(|| many(n, |_| format!("{}1\n{}", w.condition.0, w.condition.1)))
    }),
    ("lines left out", |w, n| {
        (!listing(w)).then(|| {
            format!(
                "{}0\n{}{}",
                w.condition.0,
                "foo bar\n".repeat(n / 8),
                w.condition.1
            )
        })
    }),
    ("macros", |w, n| {
        (!listing(w)).then(|| many(n, |i| (w.definition)(&format!("m{i}x"), "", " nop")))
    }),
    ("calls", |w, n| {
        (!listing(w)).then(|| (w.definition)("m", "", "") + &" m\n".repeat(n / 3))
    }),
    ("parameters", |w, n| {
        let separator = if w.dialect == "z80asm" { " " } else { "," };
        let names: Vec<String> = (0..n / 12).map(|i| format!("p{i}")).collect();
        let plain = !listing(w) && w.target == "z80" || w.dialect == "gas-avr";
        plain.then(|| {
            (w.definition)("m", &names.join(separator), " nop")
                + " m "
                + &names.join(separator)
                + "\n"
        })
    }),
    ("addresses", |w, n| {
        (!listing(w)).then(|| many(n, |i| format!("{}{}\n nop\n", w.org, i * 2 % 60_000)))
    }),
    ("blocks over each other", |w, n| {
        let block = format!("{}0\n{}", w.org, " nop\n".repeat(240));
        (!listing(w)).then(|| block.repeat(n / block.len() + 1))
    }),
    ("addresses without bytes", |w, n| {
        (!listing(w)).then(|| format!("{}1\n", w.org).repeat(n / 8))
    }),
    ("errors on a line", |w, n| {
        (!listing(w)).then(|| format!("{}{}\n", w.bytes, "zz(),".repeat(n / 5)))
    }),
    ("sections", |w, n| match w.dialect {
        "gas-avr" | "gas-z80" => Some(many(n, |i| format!(".section .s{i},\"ax\"\n nop\n"))),
        "native" => Some(
            " region r, start=0, size=60000\n".to_owned()
                + &many(n, |i| format!(" section s{i} in r\n nop\n")),
        ),
        _ => None,
    }),
    ("sections in pages", |w, n| {
        let line = |i| format!(" section s{i} in r within=256\n nop\n");
        (w.dialect == "native")
            .then(|| " region r, start=0, size=60000\n".to_owned() + &many(n, line))
    }),
    ("regions", |w, n| {
        (w.dialect == "native").then(|| {
            many(n, |i| {
                format!(" region r{i}, start={}, size=1\n", i % 60_000)
            })
        })
    }),
    ("budgets", |w, n| {
        (w.dialect == "native").then(|| many(n, |i| format!("l{i}: nop\n budget l{i} <= 0\n")))
    }),
    ("budgets of nothing", |w, n| {
        (w.dialect == "native").then(|| many(n, |i| format!("l{i}: nop\n budget lx{i} <= 0\n")))
    }),
    ("checks", |w, n| {
        (w.dialect == "native").then(|| many(n, |_| " assert x>1\n".into()) + "x equ 5\n")
    }),
    ("notes", |w, n| {
        (w.dialect == "native").then(|| many(n, |_| " print \"x\"\n".into()))
    }),
    ("scopes", |w, n| {
        (w.dialect == "native").then(|| {
            " scope aaaaaaaaaaaaaaaaaaaa\n".repeat(40) + &many(n, |i| format!(" dw l{i}\n"))
        })
    }),
    ("jumps", |w, n| {
        (w.dialect == "native")
            .then(|| " section s\n".to_owned() + &" jump x\n".repeat(n / 8) + "x: nop\n")
    }),
    ("jumps to everywhere", |w, n| {
        let line = |i| format!("l{i}: jump l{}\n", i * 7 % (n / 22 + 1));
        (w.dialect == "native").then(|| " section s\n".to_owned() + &many(n, line))
    }),
    ("columns", |w, n| {
        (w.dialect == "native").then(|| many(n, |i| format!(" column c{i},1,1\n")))
    }),
    ("rooms of files", |w, n| {
        (w.dialect == "gas-avr").then(|| many(n, |i| format!(".comm c{i},1\n")))
    }),
    ("mergeable texts", |w, n| {
        let head = ".section .rodata.str,\"aMS\",@progbits,1\n".to_owned();
        (w.dialect == "gas-avr").then(|| head + &many(n, |i| format!(".asciz \"s{i}\"\n")))
    }),
    ("mergeable sections", |w, n| {
        let line = |i| format!(".section .rodata.s{i},\"aMS\",@progbits,1\n.asciz \"s{i}\"\n");
        (w.dialect == "gas-avr").then(|| many(n, line))
    }),
    ("subsections", |w, n| {
        (w.dialect == "gas-avr").then(|| many(n, |i| format!(".subsection {i}\n.org .+1\n")))
    }),
    ("numeric labels", |w, n| {
        (w.dialect == "gas-avr").then(|| "1: rjmp 1b\n".repeat(n / 11))
    }),
    ("characters of a repeat", |w, n| {
        (w.dialect == "gas-avr").then(|| format!(".irpc x,{}\n.endr\n", "a".repeat(n)))
    }),
    ("local names of a macro", |w, n| {
        let names: Vec<String> = (0..n / 12).map(|i| format!("a{i}")).collect();
        let lines = names.iter().map(|n| format!("{n}:\n")).collect::<String>();
        let text = format!(
            ".altmacro\n.macro m\nLOCAL {}\n{lines}.endm\n m\n",
            names.join(",")
        );
        (w.dialect == "gas-avr").then_some(text)
    }),
    ("lines with text macros", |w, n| {
        cpp(w).then(|| "#define A nop\n".to_owned() + &" A\n".repeat(n / 3))
    }),
    ("text macros", |w, n| {
        cpp(w).then(|| many(n, |i| format!("#define a{i} 1\n")))
    }),
    ("a text macro", |w, n| {
        cpp(w).then(|| format!("#define A 1{}\n{}A\n{0}A\n", "+1".repeat(n / 2), w.words))
    }),
    ("a chain of text macros", |w, n| {
        cpp(w).then(|| {
            "#define A0 1\n".to_owned()
                + &many(n, |i| format!("#define A{} A{i}\n", i + 1))
                + w.words
                + "A99\n"
        })
    }),
    ("parameters of a text macro", |w, n| {
        let names: Vec<String> = (0..n / 7).map(|i| format!("a{i}")).collect();
        cpp(w).then(|| format!("#define A({}) 1\n nop\n", names.join(",")))
    }),
    ("files of nothing as bytes", |w, n| {
        let word = match w.bytes.starts_with(" .") {
            true => " .incbin",
            false => " incbin",
        };
        (!listing(w)).then(|| format!("{word} \"empty\"\n").repeat(n / 18))
    }),
    ("files that are not there", |w, n| {
        (!listing(w)).then(|| many(n, |i| format!("{}\"f{i}.asm\"\n", w.include)))
    }),
    ("parameters that are left out", |w, n| {
        let names: Vec<String> = (0..250).map(|i| format!("p{i}=1")).collect();
        let plain = matches!(w.dialect, "native" | "native-cpp" | "gas-avr");
        plain.then(|| (w.definition)("m", &names.join(","), " nop") + &" m\n".repeat(n / 3))
    }),
    ("sums of references", |w, n| {
        let sum = vec!["x"; 10_000].join("+");
        (!listing(w)).then(|| many(n, |_| format!("{}{sum}\n", w.words)) + "x: nop\n")
    }),
    ("text macros through each other", |w, n| {
        cpp(w).then(|| {
            "#define A0 1\n".to_owned()
                + &(0..200)
                    .map(|i| format!("#define A{} A{i}\n", i + 1))
                    .collect::<String>()
                + &format!("{}A200\n", w.words).repeat(n / 10)
        })
    }),
    ("devices", |w, n| {
        segments(w).then(|| ".device atmega8\n.device atmega16\n".repeat(n / 33))
    }),
    ("devices that are none", |w, n| {
        segments(w).then(|| many(n, |i| format!(".device atmega{i}x\n")))
    }),
    ("names of the part", |w, n| {
        let line = |i| format!("#pragma AVRPART ADMIN PART_NAME x{i}\n");
        segments(w).then(|| many(n, line))
    }),
    ("words that nothing knows", |w, n| {
        cpp(w).then(|| many(n, |i| format!("#foo{i}\n")))
    }),
    ("local names", |w, n| {
        let names: Vec<String> = (0..n / 8).map(|i| format!("a{i}")).collect();
        (w.dialect == "native").then(|| {
            let names = names.join(",");
            format!("macro m()\n local {names}\n nop\n endm\n m\n m\n")
        })
    }),
    ("labels in a page", |w, n| {
        let back = if w.target == "gigatron" {
            "bra"
        } else {
            "jump"
        };
        let line = |i: usize| format!("l{i}: {back} l{}\n", i / 2);
        (w.dialect == "native").then(|| {
            " region r, start=0, size=60000\n section s in r within=256\n".to_owned()
                + &many(n, line)
        })
    }),
    ("sections that share a page", |w, n| {
        let line = |i: usize| {
            let to = i.saturating_sub(1);
            format!(
                " section s{} in r within=256\nl{i}: bra l{to}\n nop\n",
                i % 9_000
            )
        };
        (w.target == "gigatron" && !listing(w))
            .then(|| " region r, start=0, size=60000\n".to_owned() + &many(n, line))
    }),
    ("sections of different pages", |w, n| {
        let line = |i: usize| format!(" section s{i} in r within={}\n nop\n", i % 99 + 1);
        (w.dialect == "native")
            .then(|| " region r, start=0, size=60000\n".to_owned() + &many(n, line))
    }),
    ("jumps around addresses", |w, n| {
        (w.dialect == "native").then(|| {
            " region r, start=0, size=60000\n section s in r\n".to_owned()
                + &" jump x\n".repeat(n / 16)
                + "x: nop\n"
                + &many(n / 2, |i| format!(" org {}\n nop\n", i * 4 % 60_000))
        })
    }),
    ("prose", |_, n| {
        Some("This is a text of words that says nothing.\n".repeat(n / 43))
    }),
    ("zeros", |_, n| Some(format!(" nop\n{}\n", "\0".repeat(n)))),
];

fn cpp(w: &Words) -> bool {
    matches!(w.dialect, "avrasm2" | "avra" | "native-cpp")
}

fn segments(w: &Words) -> bool {
    matches!(w.dialect, "avrasm2" | "avra")
}

/// What makes much of little: each must end with a located error.
fn bombs(w: &Words) -> Vec<(&'static str, Files)> {
    let main = |text: String| vec![("main.asm".to_owned(), text.into_bytes())];
    if listing(w) {
        return vec![
            (
                "zeros as a head",
                main("\0".repeat(1000) + "\n        nop\n"),
            ),
            (
                "prose as a head",
                main("Once upon a time\n".repeat(100) + "        nop\n"),
            ),
            (
                "a source of a Z80",
                main("start:\n".to_owned() + &"  ld hl,text\n".repeat(40)),
            ),
        ];
    }
    let mut out = Vec::new();
    let a = w.argument;
    out.push((
        "an argument that doubles",
        main((w.definition)("m", "a", &format!(" m {a}+{a}")) + " m 1\n"),
    ));
    for (name, innermost) in [("laughs", " nop"), ("laughs about nothing", "")] {
        let level =
            |i: usize| (w.definition)(&format!("m{}", i + 1), "", &format!(" m{i}\n").repeat(10));
        let levels: String = (0..12).map(level).collect();
        out.push((
            name,
            main((w.definition)("m0", "", innermost) + &levels + " m12\n"),
        ));
    }
    let mut words = vec![w.include];
    words.extend(cpp(w).then_some("#include "));
    for word in words {
        let twice = |i: usize| format!("{word}\"f{i}.asm\"\n").repeat(2);
        let mut files = main(twice(0));
        files.extend((0..31).map(|i| (format!("f{i}.asm"), twice(i + 1).into_bytes())));
        files.push(("f31.asm".into(), b" nop\n".to_vec()));
        out.push(("files that include others twice", files));
        let mut files = main(format!("{word}\"big.asm\"\n").repeat(1000));
        files.push(("big.asm".into(), " nop\n".repeat(10_000).into_bytes()));
        out.push(("a file a thousand times", files));
    }
    if let Some((head, end)) = w.repeat {
        let list = vec!["1"; 400].join(",");
        out.push((
            "a long repeat",
            main(format!("{head}1000000\n{}{list}\n{end}", w.bytes)),
        ));
        let deep = format!("{head}100\n").repeat(5) + " nop\n" + &end.repeat(5);
        out.push(("repeats in each other", main(deep)));
    }
    if w.dialect == "gas-avr" {
        let text = format!(
            ".arch atmega2560\n .word {}x{}\nx:\n",
            "gs(".repeat(200),
            ")".repeat(200)
        );
        out.push(("gates in gates", main(text)));
    }
    if cpp(w) {
        let levels: String = (0..30)
            .map(|i| format!("#define A{} A{i} A{i} A{i}\n", i + 1))
            .collect();
        out.push((
            "text macros that laugh",
            main(format!("#define A0 nop\n{levels} A30\n")),
        ));
    }
    out
}

/// Variables that double: short enough to be had exactly. rasm wants their values at once,
/// and Glass has none that change.
fn doubles(w: &Words) -> Vec<String> {
    if listing(w) || matches!(w.dialect, "z80asm" | "mdl" | "zasm" | "rasm") {
        return Vec::new();
    }
    let end = format!("{}(b & 1) + 1\nx: nop\n", w.words);
    let chain = |i: usize| (w.set)(&format!("b{}", i + 1), &format!("b{i}+b{i}"));
    let chain: String = (0..60).map(chain).collect();
    let mut out = vec![(w.set)("b0", "x") + &chain + &(w.set)("b", "b60") + &end];
    if w.dialect != "glass" {
        out.push((w.set)("b", "x") + &(w.set)("b", "b+b").repeat(60) + &end);
    }
    out
}

/// Exit code, and what it says; `None` after a signal, also that of a bound.
fn assemble(w: &Words, files: &Files) -> (Option<i32>, String) {
    let language = ["--dialect", w.dialect, "--target", w.target];
    let build = ["build", "main.asm", "-o", "out.bin", "--emit", "bin"];
    bounded(&[&build[..], &language].concat(), files)
}

/// Runs the command with bounds for those files.
pub fn bounded(arguments: &[&str], files: &Files) -> (Option<i32>, String) {
    // Addresses that are reserved and not used.
    bounded_by(arguments, files, 64 << 20)
}

/// As [`bounded`], with so many bytes of addresses beside the memory that it may have.
fn bounded_by(arguments: &[&str], files: &Files, slack: usize) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).expect("a file");
    }
    std::fs::write(dir.path().join("empty"), "").expect("a file");
    let read: usize = files.iter().map(|f| f.1.len()).sum();
    let command = Path::new(env!("CARGO_BIN_EXE_scrimp"));
    let own = command.metadata().expect("the command").len() as usize;
    let memory = (own + slack + (64 << 20) + 8 * read) >> 10;
    let seconds = (SLOWER * (2.0 + read as f64 / 1e7)).ceil();
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {memory}; ulimit -t {seconds}; exec \"$0\" \"$@\""
        ))
        .arg(command)
        .args(arguments)
        .args(["--message-format", "short"])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut text = Vec::new();
    let mut pipe = child.stderr.take().expect("a pipe");
    pipe.read_to_end(&mut text).expect("messages");
    let status = child.wait().expect("a status");
    (status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// `file:line:column: error`
fn located(line: &str) -> bool {
    let Some((place, _)) = line.split_once(": error") else {
        return false;
    };
    let mut parts = place.rsplitn(3, ':');
    let number = |p: Option<&str>| p.is_some_and(|p| p.parse::<u32>().is_ok());
    number(parts.next()) && number(parts.next()) && parts.next().is_some()
}

fn fault(w: &Words, name: &str, files: &Files, wanted: Option<i32>) -> Option<String> {
    let (code, text) = assemble(w, files);
    let first: String = text
        .lines()
        .next()
        .unwrap_or("")
        .chars()
        .take(160)
        .collect();
    let wrong = |what: &str| {
        let read: usize = files.iter().map(|f| f.1.len()).sum();
        Some(format!(
            "  {} on {}, {name}, {read} bytes: {what}: {first}\n",
            w.dialect, w.target
        ))
    };
    match code {
        None => wrong("too much time or memory"),
        Some(c) if wanted.is_some_and(|w| w != c) => wrong(&format!("exit code {c}")),
        // A budget that is exceeded has a code of its own.
        Some(0 | 3) => None,
        Some(1) if !text.lines().any(located) => wrong("no place in the message"),
        Some(1) if text.len() > 64 << 10 || text.lines().count() > 101 => wrong("a flood"),
        Some(1) => None,
        Some(c) => wrong(&format!("exit code {c}")),
    }
}

/// Checks each kind of long input, or one in so many of each language.
fn all_of(languages: &[Words], lengths: &[usize], one_in: usize) {
    let mut faults = String::new();
    for (l, w) in languages.iter().enumerate() {
        let some = LONG.iter().enumerate();
        let some = some.filter(|(i, _)| (i + l).is_multiple_of(one_in));
        for (_, (name, text)) in some {
            for &n in lengths {
                let Some(text) = text(w, n) else { continue };
                let files = vec![("main.asm".to_owned(), text.into_bytes())];
                faults.extend(fault(w, name, &files, None));
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// Checks what makes much of little in the languages that are wanted.
fn little_meets_a_limit(languages: &[Words], wanted: impl Fn(&Words) -> bool) {
    let mut faults = String::new();
    for w in languages {
        for (name, files) in bombs(w).iter().filter(|_| wanted(w)) {
            let _ = write!(
                faults,
                "{}",
                fault(w, name, files, Some(1)).unwrap_or_default()
            );
        }
        for text in doubles(w) {
            let files = vec![("main.asm".to_owned(), text.into_bytes())];
            faults.extend(fault(w, "a variable that doubles", &files, Some(0)));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn little_that_makes_much_meets_a_limit() {
    little_meets_a_limit(&languages(), |w| {
        matches!(w.dialect, "avra" | "gigatron-lst")
    });
}

#[test]
#[ignore = "nightly"]
fn nightly_little_that_makes_much_meets_a_limit_in_all_dialects() {
    little_meets_a_limit(&languages(), |_| true);
    little_meets_a_limit(&by_night(), |_| true);
}

#[test]
fn structs_that_hold_the_one_before_twice_meet_a_limit() {
    let w = Words {
        dialect: "sjasmplus",
        ..NATIVE
    };
    let twice = |i: usize| format!(" struct S{}\na S{i}\nb S{i}\n ends\n", i + 1);
    let text =
        " struct S0\nx byte 1\n ends\n".to_owned() + &(0..600).map(twice).collect::<String>();
    let files = vec![("main.asm".to_owned(), text.into_bytes())];
    let fault = fault(&w, "structs in structs", &files, Some(1));
    assert!(fault.is_none(), "{fault:?}");
}

#[test]
fn no_other_language_is_asked_about_a_line_that_nobody_wrote() {
    let all = languages();
    let of = |d| all.iter().find(|w| w.dialect == d).expect("a dialect");
    for w in [of("gas-avr"), of("gas-z80")] {
        let (name, text) = LONG
            .iter()
            .find(|c| c.0.ends_with("another language"))
            .expect("it");
        let text = text(w, 500_000).expect("a text").into_bytes();
        let fault = fault(w, name, &vec![("main.asm".to_owned(), text)], Some(1));
        assert!(fault.is_none(), "{fault:?}");
    }
}

#[test]
#[ignore = "slow"]
fn slow_calls_of_macros_take_no_more_memory_than_they_may() {
    let mut faults = String::new();
    for w in languages().into_iter().chain(by_night()) {
        if listing(&w) || w.dialect == "tasm" {
            continue;
        }
        let head = (w.definition)("m", "", "");
        let label = format!("{}: nop", w.argument);
        let calls = [
            head.clone() + &" m\n".repeat(1_000_000 / 3),
            head + &many(1_000_000, |i| format!("l{i}: m\n")),
            (w.definition)("m", "a", &label) + &many(1_000_000, |i| format!(" m x{i}\n")),
            (w.definition)("m", "a", ".l: nop") + &many(1_000_000, |i| format!("x{i}: m 1\n")),
        ];
        for text in calls {
            faults.extend(too_much(&w, text));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// What is said of a text that takes more memory than it may.
fn too_much(w: &Words, text: String) -> Option<String> {
    let build = ["build", "main.asm", "-o", "out.bin", "--emit", "bin"];
    let language = ["--dialect", w.dialect, "--target", w.target];
    let files = vec![("main.asm".to_owned(), text.into_bytes())];
    let (code, told) = bounded_by(&[&build[..], &language].concat(), &files, 8 << 20);
    let over = code.is_none() || told.contains("memory allocation");
    over.then(|| format!("  {}: {code:?} {told}\n", w.dialect))
}

#[test]
#[ignore = "slow"]
fn slow_jumps_to_everywhere_take_no_more_memory_than_they_may() {
    let line = |i| format!("l{i}: jump l{}\n", i * 7 % 180_000);
    let text = " section s\n".to_owned() + &many(3_700_000, line);
    assert_eq!(too_much(&NATIVE, text), None);
}

#[test]
fn what_is_long_ends_well() {
    all_of(&languages(), &[2_000], 5);
    all_of(&by_night(), &[2_000], 20);
}

#[test]
#[ignore = "nightly"]
fn nightly_what_is_ten_times_as_long_costs_ten_times_as_much() {
    all_of(&languages(), &[100_000, 1_000_000], 1);
    all_of(&by_night(), &[100_000, 1_000_000], 1);
}

#[test]
#[ignore = "nightly"]
fn nightly_files_of_ten_megabytes() {
    all_of(&languages(), &[10_000_000], 1);
    all_of(&by_night(), &[10_000_000], 1);
}
