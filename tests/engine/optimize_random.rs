//! Random programs with calls, jump tables, data behind calls, code that changes itself and
//! tables in one page: they do the same before and after the optimizer.

use crate::common::random::Random;
use crate::optimize_kinds::{FURTHER, KINDS, LATER, LOW, PLAIN, ROUTINES};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};
use scrimp_z80::sim::{Bus, Clock, Cpu};
use std::fmt::Write;

/// Steps until a program must have halted.
const MOST_STEPS: usize = 400_000;
/// Where the programs' variables are.
const DATA: std::ops::Range<usize> = 0xc000..0xc040;

/// Clocks from one interrupt to the next, where there are some.
const PERIOD: u64 = 613;

/// Memory that keeps what goes to ports.
struct Machine {
    memory: Box<[u8; 0x10000]>,
    sent: Vec<(u8, u8)>,
    next: u64,
}

impl Bus for Machine {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.memory[usize::from(address)]
    }
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.memory[usize::from(address)] = value;
    }
    fn output(&mut self, port: u16, value: u8, _: &mut Clock) {
        self.sent.push((port as u8, value));
    }
    fn int(&mut self, _: u8, clock: &mut Clock) -> bool {
        let now = clock.now() >= self.next;
        if now {
            self.next = clock.now() + PERIOD;
        }
        now
    }
}

/// What a program sent, by port, and its variables at the end.
type Deeds = (Vec<(u8, u8)>, Vec<u8>);

/// What a program does.
fn run(image: &Image) -> Option<Deeds> {
    timed(image).map(|t| t.0)
}

/// What a program does, and when it has.
pub fn timed(image: &Image) -> Option<(Deeds, u64)> {
    let mut m = Machine {
        memory: Box::new([0; 0x10000]),
        sent: Vec::new(),
        next: PERIOD,
    };
    for c in &image.chunks {
        let at = c.address as usize;
        m.memory[at..at + c.bytes.len()].copy_from_slice(&c.bytes);
    }
    let mut cpu = Cpu::new();
    cpu.set_pc(0x8000);
    for _ in 0..MOST_STEPS {
        if cpu.halted() {
            return Some(((m.sent, m.memory[DATA].to_vec()), cpu.now()));
        }
        cpu.step(&mut m);
    }
    None
}

pub fn build(text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("z80").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: None,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: options,
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    let image = out.image.unwrap_or_else(|| panic!("{found}\n{text}"));
    (image, out.ledger)
}

/// A program in the making.
struct Maker {
    random: Random,
    text: String,
    labels: usize,
    routine: usize,
    routines: usize,
    /// Kinds of what is done with addresses of code, beside the first ones.
    more: usize,
    /// Whether it has parts of the other [`KINDS`].
    others: bool,
    /// And of [`LATER`].
    later: bool,
    /// And of [`FURTHER`].
    further: bool,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "        {text}");
    }

    fn label(&mut self, prefix: &str) -> String {
        self.labels += 1;
        format!("{prefix}{}", self.labels)
    }

    fn register(&mut self) -> &'static str {
        self.random.pick(&["a", "b", "c", "d", "e", "h", "l"])
    }

    fn plain(&mut self) {
        let (r, s) = (self.register(), self.register());
        let n = match self.random.below(3) {
            0 => self.random.pick(&[0, 1, 255, 128]),
            _ => self.random.byte(),
        };
        let v = 0xc000 + self.random.below(16);
        if self.others && self.random.one_in(6) {
            let text = self.random.pick(&PLAIN);
            return self.line(text);
        }
        let text = match self.random.below(34) {
            0..=5 => format!("ld {r},{n}"),
            6..=8 => format!("ld {r},{s}"),
            9 => format!("ld a,({v})"),
            10..=12 => format!("ld ({v}),a"),
            13 => format!("add a,{r}"),
            14 => format!("adc a,{n}"),
            15 => format!("sub {r}"),
            16 => format!("sbc a,{r}"),
            17 => format!("and {n}"),
            18 => format!("or {r}"),
            19 => format!("xor {r}"),
            20 => format!("cp {n}"),
            21 => format!("inc {r}"),
            22 => format!("dec {r}"),
            23 => "cp 0".to_owned(),
            24 => "add hl,de".to_owned(),
            25 => format!("ld {},{}", self.random.pick(&["bc", "de", "hl"]), v),
            26 => "ex de,hl".to_owned(),
            27 => format!("srl {r}"),
            28 => format!("ld hl,({v})"),
            29 => format!("ld ({v}),hl"),
            30 => self
                .random
                .pick(&["scf", "ccf", "cpl", "neg", "rlca", "exx"])
                .to_owned(),
            31 => "out (1),a".to_owned(),
            32 => "inc hl".to_owned(),
            _ => format!("sla {r}"),
        };
        self.line(&text);
    }

    fn some(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.random.below(most) {
            match self.random.below(16) {
                0 if depth > 0 => self.branch(depth - 1),
                1 if depth > 0 => self.counted(depth - 1),
                2 if depth > 0 => self.saved(depth - 1),
                3 => self.call(),
                4 if self.others || self.random.one_in(3) => self.special(),
                _ => self.plain(),
            }
        }
    }

    fn condition(&mut self) -> &'static str {
        self.random.pick(&["z", "nz", "c", "nc", "m", "p", "pe"])
    }

    fn branch(&mut self, depth: usize) {
        let (end, other) = (self.label("end"), self.label("else"));
        let c = self.condition();
        self.line(&format!("jp {c},{other}"));
        self.some(4, depth);
        self.line(&format!("jp {end}"));
        let _ = writeln!(self.text, "{other}:");
        if self.random.one_in(2) {
            self.some(3, depth);
        }
        let _ = writeln!(self.text, "{end}:");
        if self.random.one_in(5) {
            let c = self.condition();
            self.line(&format!("ret {c}"));
        }
    }

    fn counted(&mut self, depth: usize) {
        let again = self.label("loop");
        let n = 1 + self.random.below(4);
        self.line(&format!("ld b,{n}"));
        let _ = writeln!(self.text, "{again}:");
        self.line("push bc");
        // Nothing leaves it but by its end.
        let from = self.text.len();
        self.some(4, depth);
        let body = self.text.split_off(from);
        let kept = body.lines().filter(|l| !l.trim_start().starts_with("ret "));
        let kept: Vec<&str> = kept.collect();
        let _ = writeln!(self.text, "{}", kept.join("\n"));
        self.line("pop bc");
        self.line("dec b");
        self.line(&format!("jp nz,{again}"));
    }

    fn saved(&mut self, depth: usize) {
        let pair = self.random.pick(&["af", "bc", "de", "hl"]);
        self.line(&format!("push {pair}"));
        let from = self.text.len();
        self.some(4, depth);
        let body = self.text.split_off(from);
        let kept = body.lines().filter(|l| !l.trim_start().starts_with("ret "));
        let kept: Vec<&str> = kept.collect();
        let _ = writeln!(self.text, "{}", kept.join("\n"));
        self.line(&format!("pop {pair}"));
    }

    fn call(&mut self) {
        let more = self.routines - self.routine;
        if more < 2 {
            return self.plain();
        }
        let to = self.routine + 1 + self.random.below(more - 1);
        let c = match self.random.one_in(4) {
            true => format!("{},", self.condition()),
            false => String::new(),
        };
        self.line(&format!("call {c}r{to}"));
    }

    /// A part that does something with addresses, beside the first kinds.
    fn other(&mut self) {
        let own = self.label("x");
        let further = self.further && !self.random.one_in(3);
        let text = match self.later && !further && !self.random.one_in(4) {
            _ if further => self.random.pick(&FURTHER),
            true => self.random.pick(&LATER),
            false => self.random.pick(&KINDS),
        };
        let text = text.replace("{o}", &own);
        let text = text.replace("{n}", &self.random.byte().to_string());
        let text = text.replace("{v}", &(0xc000 + self.random.below(16)).to_string());
        let mut parts = text.split('@');
        let _ = write!(self.text, " {}", parts.next().unwrap_or(""));
        for part in parts {
            self.text.push_str(FORGET);
            for _ in 0..self.random.below(4) {
                self.plain();
            }
            self.text.push_str(part);
        }
        self.text.push_str(FORGET);
        self.line("ld ix,0");
    }

    fn special(&mut self) {
        if self.others && !self.random.one_in(4) {
            return self.other();
        }
        let n = self.random.byte();
        let v = 0xc000 + self.random.below(16);
        let own = self.label("x");
        // A table that crosses a page is read beside itself: what stands there is not the same.
        let kind = self.random.below(7 + self.more);
        let kind = if self.more > 0 && kind == 4 { 5 } else { kind };
        // Nobody may interrupt what has its stack in a table.
        let kind = if self.others && kind == 13 { 5 } else { kind };
        let lines = match kind {
            0 => format!("call inline\n db {n}"),
            1 => format!("ld a,{n}\n ld ({own}+1),a\n ld b,1\n ld b,2\n{own}: ld a,0\n out (2),a"),
            2 => format!(
                "ld a,({v})\n and 1\n add a,a\n ld e,a\n ld d,0\n ld hl,{own}t\n add hl,de\n ld a,(hl)\n inc hl\n ld h,(hl)\n ld l,a\n jp (hl)\n{own}t: dw {own}a,{own}b\n{own}a: ld a,1\n out (3),a\n jp {own}e\n{own}b: ld a,2\n out (3),a\n jp {own}e\n{own}e:"
            ),
            3 => format!(
                "ld a,({v})\n and 1\n ld e,a\n add a,a\n add a,e\n ld e,a\n ld d,0\n ld hl,{own}t\n add hl,de\n jp (hl)\n{own}t: jp {own}a\n jp {own}b\n{own}a: ld a,3\n out (3),a\n jp {own}e\n{own}b: ld a,4\n out (3),a\n jp {own}e\n{own}e:"
            ),
            4 => format!(
                "jp {own}e\n{own}t: db 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20\n{own}e: ld hl,{own}t\n ld a,({v})\n and 15\n add a,l\n ld l,a\n ld a,(hl)\n out (4),a"
            ),
            5 => format!("ld hl,{own}e\n push hl\n ld a,{n}\n ret\n{own}e: out (5),a"),
            k @ 7.. => address(k, n, v, &own),
            _ => format!(
                "ld hl,{own}s\n ld de,$c020\n ld bc,{own}f-{own}s\n ldir\n call $c020\n jp {own}f\n{own}s: ld a,({v})\n cp 0\n inc a\n out (6),a\n ret\n{own}f:"
            ),
        };
        let _ = writeln!(self.text, " {lines}");
        // Addresses of code may differ: nothing may keep one.
        self.text.push_str(FORGET);
    }
}

/// No register keeps an address.
const FORGET: &str = "\n ld hl,0\n ld de,0\n ld bc,0\n xor a\n";

/// Programs from this one on do more with addresses of code.
pub const MORE: u64 = 10_000;
/// Programs from this one on do [`KINDS`] of things too, and every other is interrupted.
pub const OTHERS: u64 = 20_000;
/// And from this one on those of [`LATER`].
pub const AGAIN: u64 = 30_000;
/// And from this one on those of [`FURTHER`].
pub const MOST: u64 = 1_000_000;
/// Small ones, with all kinds of parts.
pub const SMALL: u64 = 1 << 32;
/// Kinds of [`address`].
const ADDRESSES: usize = 12;

/// What may be done with the address of code, or with a number that is one by chance.
fn address(kind: usize, n: u8, v: usize, own: &str) -> String {
    match kind - 7 {
        0 => format!(
            "ld hl,{own}\n ld de,{own}e\n or a\n sbc hl,de\n sbc a,a\n out (8),a\n{own}: cp 0\n inc a\n{own}e:"
        ),
        1 => format!(
            "ld hl,{own}+1\n push hl\n ld hl,5\n pop de\n ld a,{n}\n ld (de),a\n{own}: ld a,0\n out (9),a"
        ),
        2 => {
            format!(
                "ld b,7\n ld hl,{own}\n ld (hl),$3e\n inc hl\n ld (hl),{n}\n{own}: ld b,0\n out (10),a\n ld a,b\n out (10),a"
            )
        }
        3 => format!("ld hl,{own}+1\n ld a,{n}\n call poke\n{own}: ld a,0\n out (11),a"),
        4 => format!(
            "jp {own}e\n{own}p: ld hl,{own}+1\n ret\n{own}e: call {own}p\n ld (hl),{n}\n{own}: ld a,0\n out (12),a"
        ),
        5 => format!(
            "ld hl,$80{n:02x}\n ld ({v}),hl\n ld a,h\n out (13),a\n push hl\n pop bc\n ld a,c\n out (13),a"
        ),
        6 => format!(
            "ld ($c010),sp\n ld sp,{own}t\n pop hl\n pop bc\n ld sp,($c010)\n ld a,l\n out (14),a\n ld a,b\n out (14),a\n jp {own}e\n{own}t: dw {n},$1234\n{own}e:"
        ),
        7 => format!(
            "ld hl,{own}f-1\n ld de,$c020+{own}f-{own}s-1\n ld bc,{own}f-{own}s\n lddr\n call $c020\n jp {own}f\n{own}s: ld a,({v})\n cp 0\n inc a\n out (6),a\n ret\n{own}f:"
        ),
        8 => format!(
            "ld hl,{own}h\n ld ($c050),hl\n jp {own}e\n{own}h: ld a,{n}\n out (15),a\n ret\n{own}e: ld hl,($c050)\n call gohl"
        ),
        9 => format!(
            "ld hl,{own}t\n ld a,({v})\n and 1\n call third\n call gohl\n jp {own}e\n{own}t: jp {own}a\n jp {own}b\n{own}a: ld a,3\n out (16),a\n ret\n{own}b: ld a,4\n out (16),a\n ret\n{own}e:"
        ),
        10 => format!(
            "ld hl,{own}t-1\n ld a,({v})\n and 3\n inc a\n ld e,a\n ld d,0\n add hl,de\n ld a,(hl)\n out (17),a\n jp {own}e\n{own}t: db 9,8,7,{n}\n{own}e:"
        ),
        _ => format!(
            "ld hl,{own}\n ld b,2\n{own}l: ld a,(hl)\n ld (hl),$3c\n inc hl\n djnz {own}l\n ld a,5\n{own}: dec a\n dec a\n out (18),a"
        ),
    }
}

pub fn program(seed: u64) -> String {
    let mut m = Maker {
        random: Random(seed),
        text: "        org $8000\n".to_owned(),
        labels: 0,
        routine: 0,
        routines: 0,
        more: if seed < MORE { 0 } else { ADDRESSES },
        others: seed >= OTHERS,
        later: seed >= AGAIN,
        further: seed >= MOST,
    };
    if m.others {
        m.text = format!("{LOW}{}", m.text);
    }
    let small = seed >= SMALL;
    m.routines = match small {
        true => 1 + m.random.below(3),
        false => 3 + m.random.below(8),
    };
    let (most, depth) = if small { (6, 2) } else { (14, 3) };
    m.line("ld sp,$f000");
    if m.others && seed % 2 == 1 {
        m.line("im 1\n ei");
    }
    m.line("call r0");
    m.line(if m.others { "di\n halt" } else { "halt" });
    for r in 0..m.routines {
        m.routine = r;
        let _ = writeln!(m.text, "r{r}:");
        m.some(most, depth);
        match m.random.below(5) {
            0 if r + 1 < m.routines => m.line(&format!("jp r{}", r + 1)),
            1 if r + 1 < m.routines => m.line(&format!("call r{}\n        ret", r + 1)),
            2 if r + 1 < m.routines => {}
            _ => m.line("ret"),
        }
    }
    m.line("ret");
    m.text
        .push_str("inline: pop hl\n ld a,(hl)\n inc hl\n push hl\n out (7),a\n ret\n");
    m.text
        .push_str("poke: ld (hl),a\n ret\ngohl: jp (hl)\nthird: ld e,a\n add a,a\n add a,e\n");
    m.text.push_str(" ld e,a\n ld d,0\n add hl,de\n ret\n");
    if m.others {
        m.text.push_str(ROUTINES);
    }
    m.text.push_str("        org $c000\n        ds 64,17\n");
    m.text
}

/// What the optimizer did to a random program.
pub enum Trial {
    /// It has no end.
    Endless,
    /// It does the same, in so many bytes less.
    Same(i64),
    /// It was left as it is, since something would not hold.
    GivenUp,
    /// It does something else: what was changed, and the program.
    Other(String),
}

/// Tries the optimizer on one program.
pub fn trial(seed: u64) -> Trial {
    let text = program(seed);
    tell((seed, &text), build, run)
}

/// Builds a program with the optimizer and without it and runs both: whether they do the same,
/// and with how many changes they begin not to.
pub fn tell<D: PartialEq>(
    (seed, text): (u64, &str),
    build: fn(&str, Option<Options>) -> (Image, Option<Ledger>),
    run: fn(&Image) -> Option<D>,
) -> Trial {
    let (before, _) = build(text, None);
    let Some(wanted) = run(&before) else {
        return Trial::Endless;
    };
    let (after, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    let honest = ledger.claimed() == ledger.saved();
    if honest && run(&after).as_ref() == Some(&wanted) {
        return match ledger.given_up.is_empty() {
            true => Trial::Same(ledger.saved()),
            false => Trial::GivenUp,
        };
    }
    let least = (1..=ledger.records.len()).find(|&n| {
        let options = Options {
            most: Some(n),
            ..Options::default()
        };
        run(&build(text, Some(options)).0).as_ref() != Some(&wanted)
    });
    Trial::Other(format!(
        "seed {seed}, first wrong with {least:?} changes{}\n{}\n{text}",
        ledger.given_up,
        ledger.to_text()
    ))
}

/// Tries programs; what was saved, and how many had an end.
pub fn tried(seeds: std::ops::Range<u64>, trial: fn(u64) -> Trial) -> (i64, usize) {
    let (mut saved, mut halted) = (0, 0);
    for seed in seeds {
        match trial(seed) {
            Trial::Endless | Trial::GivenUp => {}
            Trial::Same(bytes) => (saved, halted) = (saved + bytes, halted + 1),
            Trial::Other(found) => panic!("{found}"),
        }
    }
    (saved, halted)
}

fn same(seeds: std::ops::Range<u64>) -> (i64, usize) {
    tried(seeds, trial)
}

/// A table whose low half is counted by way of another register crossed a page.
#[test]
fn tables_stay_in_their_pages() {
    same(1116..1117);
}

/// All between two places that are compared was of no use, handlers of one table became one.
#[test]
fn places_that_are_compared_stay_apart() {
    for seed in [20_003, 21_006, 21_039, 21_042, 21_068, 21_085, 22_266] {
        same(seed..seed + 1);
    }
}

/// A routine that adds to its return address came to code that was gone.
#[test]
fn what_a_routine_goes_over_on_its_way_back_stays() {
    for seed in [32_041, 32_092] {
        same(seed..seed + 1);
    }
}

/// What was taken from the stack and is taken back was written over by calls between.
#[test]
fn what_is_taken_back_from_below_the_stack_stays() {
    for seed in [MOST + 14, MOST + 100, MOST + 113] {
        same(seed..seed + 1);
    }
}

#[test]
fn random_programs_do_what_they_did() {
    let (saved, halted) = same(0..16);
    assert!(
        saved > 100 && halted > 10,
        "{saved} bytes, {halted} programs"
    );
}

#[test]
fn random_programs_that_use_addresses_of_code_do_what_they_did() {
    let (saved, halted) = same(MORE..MORE + 16);
    assert!(
        saved > 100 && halted > 8,
        "{saved} bytes, {halted} programs"
    );
}

#[test]
fn random_programs_that_compare_and_count_with_addresses_do_what_they_did() {
    let (saved, halted) = same(OTHERS..OTHERS + 12);
    let more = same(AGAIN..AGAIN + 12);
    let most = same(MOST..MOST + 12);
    for (saved, halted) in [(saved, halted), more, most] {
        assert!(
            saved > 100 && halted > 6,
            "{saved} bytes, {halted} programs"
        );
    }
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_do_what_they_did() {
    let (saved, halted) = same(1_000..1_100);
    let more = same(MORE + 1_000..MORE + 1_100);
    let others = same(OTHERS + 1_000..OTHERS + 1_100);
    let later = same(AGAIN + 1_000..AGAIN + 1_100);
    let most = same(MOST + 1_000..MOST + 1_100);
    println!(
        "{saved} bytes saved in {halted} programs, {more:?}, {others:?}, {later:?}, {most:?} in others"
    );
    assert!(halted > 50 && more.1 > 40 && others.1 > 40 && later.1 > 40 && most.1 > 40);
}

#[test]
#[ignore = "nightly"]
fn nightly_random_programs_do_what_they_did() {
    let (_, halted) = same(1_100..3_000);
    assert!(halted > 950);
    let (_, halted) = same(MORE + 1_100..MORE + 3_000);
    assert!(halted > 700);
    let (_, halted) = same(OTHERS + 1_100..OTHERS + 3_000);
    assert!(halted > 700);
    let (_, halted) = same(AGAIN + 1_100..AGAIN + 3_000);
    assert!(halted > 700);
    let (_, halted) = same(MOST + 1_100..MOST + 3_000);
    assert!(halted > 700);
}
