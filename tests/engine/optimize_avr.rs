//! Random AVR programs with calls, skips over instructions of one word and of two, tables of
//! jumps and of data, pointers and interrupts: they do the same before and after the
//! optimizer. What it finds where nothing else was in its way is here too.

use crate::common::random::Random;
use crate::optimize_kinds_avr::{KINDS, ROUTINES};
use crate::optimize_random::{SMALL, Trial, tell, tried};
use scrimp::image::Image;
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};
use scrimp_avr::devices;
use scrimp_avr::sim::{Chip, Clock, Cpu, Io, Request};
use scrimp_isa::machine::Stop;
use std::fmt::Write;

/// Clocks until a program must be asleep.
const MOST_CLOCKS: u64 = 400_000;
/// Where the programs' variables are.
const DATA: std::ops::Range<u16> = 0x100..0x140;
/// Clocks between interrupts.
const EVERY: u64 = 131;

/// Registers that keep what is written, what was written, and interrupts.
struct Around {
    registers: [u8; 0x100],
    sent: Vec<(u16, u8)>,
    next: u64,
    pending: bool,
}

impl Io for Around {
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.registers[usize::from(address & 0xff)]
    }
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.registers[usize::from(address & 0xff)] = value;
        self.sent.push((address, value));
    }
    fn next_event(&self) -> u64 {
        self.next
    }
    fn event(&mut self, now: u64) {
        self.next = now + EVERY;
        self.pending = true;
    }
    fn interrupt(&self) -> Option<Request> {
        let request = Request {
            vector: 1,
            address: 2,
        };
        self.pending.then_some(request)
    }
    fn acknowledge(&mut self, _: u8, _: u64) {
        self.pending = false;
    }
    fn sleep(&mut self, _: u64) -> bool {
        self.next = u64::MAX;
        self.pending = false;
        true
    }
}

/// What a program sent, and its variables at the end.
type Deeds = (Vec<(u16, u8)>, Vec<u8>);

fn run(image: &Image) -> Option<Deeds> {
    let device = devices::find("atmega328p").expect("a device");
    let mut cpu = Cpu::new(Chip::of(device), &image.binary(0xff));
    let mut around = Around {
        registers: [0; 0x100],
        sent: Vec::new(),
        next: EVERY,
        pending: false,
    };
    match cpu.run(&mut around, MOST_CLOCKS) {
        Stop::Halted => {
            let data = DATA.map(|a| cpu.data(a)).collect();
            Some((around.sent, data))
        }
        _ => None,
    }
}

fn build(text: &str, options: Option<Options>) -> (Image, Option<Ledger>) {
    let target = scrimp::targets::by_name("avr").expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("atmega328p"),
        dialect: "avrasm2".into(),
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
    /// Whether it has parts of [`KINDS`].
    others: bool,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "        {text}");
    }

    fn label(&mut self, prefix: &str) -> String {
        self.labels += 1;
        format!("{prefix}{}", self.labels)
    }

    fn any(&mut self) -> String {
        let n = self.random.pick(&[0usize, 1, 5, 16, 17, 18, 19, 22, 23]);
        format!("r{n}")
    }

    fn high(&mut self) -> String {
        format!("r{}", 16 + self.random.below(8))
    }

    /// An instruction that only computes or touches memory.
    fn plain(&mut self) -> String {
        let (r, s, h) = (self.any(), self.any(), self.high());
        let n = match self.random.below(3) {
            0 => self.random.pick(&[0, 1, 255, 128]),
            _ => self.random.byte(),
        };
        let v = 0x100 + self.random.below(16);
        match self.random.below(24) {
            0..=3 => format!("ldi {h},{n}"),
            4 => format!("mov {r},{s}"),
            5 => format!("add {r},{s}"),
            6 => format!("adc {r},{s}"),
            7 => format!("subi {h},{n}"),
            8 => format!("sbci {h},{n}"),
            9 => format!("eor {r},{s}"),
            10 => format!("and {r},{s}"),
            11 => format!("cpi {h},{n}"),
            12 => format!("cpc {r},{s}"),
            13 => format!(
                "{} {r}",
                self.random
                    .pick(&["inc", "dec", "com", "neg", "lsr", "ror"])
            ),
            14 => format!("tst {r}"),
            15..=17 => format!("sts {v},{r}"),
            18 | 19 => format!("lds {r},{v}"),
            20 => format!("out 5,{r}"),
            21 => "movw r18,r16".to_owned(),
            22 => "adiw r24,1".to_owned(),
            _ => format!("clr {r}"),
        }
    }

    fn some(&mut self, most: usize, depth: usize) {
        for _ in 0..1 + self.random.below(most) {
            match self.random.below(18) {
                0 | 1 if depth > 0 => self.branch(depth - 1),
                2 if depth > 0 => self.counted(depth - 1),
                3 if depth > 0 => self.saved(depth - 1),
                4 | 5 => self.call(),
                6 if self.others || self.random.one_in(2) => self.special(),
                7 => self.skip(),
                _ => {
                    let line = self.plain();
                    self.line(&line);
                }
            }
        }
    }

    fn skip(&mut self) {
        let (r, s) = (self.any(), self.any());
        let bit = self.random.below(8);
        let skip = match self.random.below(3) {
            0 => format!("sbrc {r},{bit}"),
            1 => format!("sbrs {r},{bit}"),
            _ => format!("cpse {r},{s}"),
        };
        self.line(&skip);
        match self.random.below(4) {
            0 => {
                let over = self.label("over");
                let jump = self.random.pick(&["rjmp", "jmp"]);
                self.line(&format!("{jump} {over}"));
                let line = self.plain();
                self.line(&line);
                let _ = writeln!(self.text, "{over}:");
            }
            1 => self.call(),
            _ => {
                let line = self.plain();
                self.line(&line);
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let (end, other) = (self.label("end"), self.label("else"));
        let c = self
            .random
            .pick(&["breq", "brne", "brcs", "brcc", "brmi", "brge"]);
        let over = self.label("far");
        self.line(&format!("{c} {over}"));
        self.line(&format!("jmp {other}"));
        let _ = writeln!(self.text, "{over}:");
        self.some(4, depth);
        self.line(&format!("jmp {end}"));
        let _ = writeln!(self.text, "{other}:");
        if self.random.one_in(2) {
            self.some(3, depth);
        }
        let _ = writeln!(self.text, "{end}:");
    }

    fn counted(&mut self, depth: usize) {
        let (again, out) = (self.label("loop"), self.label("out"));
        let n = 1 + self.random.below(4);
        self.line(&format!("ldi r21,{n}"));
        let _ = writeln!(self.text, "{again}:");
        self.line("push r21");
        self.some(4, depth);
        self.line("pop r21");
        self.line("dec r21");
        self.line(&format!("breq {out}"));
        self.line(&format!("jmp {again}"));
        let _ = writeln!(self.text, "{out}:");
    }

    fn saved(&mut self, depth: usize) {
        let (r, s) = (self.any(), self.high());
        self.line(&format!("push {r}\n        push {s}"));
        self.some(4, depth);
        self.line(&format!("pop {s}\n        pop {r}"));
    }

    fn call(&mut self) {
        let more = self.routines - self.routine;
        if more < 2 {
            let line = self.plain();
            return self.line(&line);
        }
        let to = self.routine + 1 + self.random.below(more - 1);
        self.line(&format!("call r_{to}"));
    }

    /// A part that does something with addresses, beside the first kinds.
    fn other(&mut self) {
        let own = self.label("x");
        let text = self.random.pick(&KINDS);
        let text = text.replace("{o}", &own);
        let text = text.replace("{n}", &self.random.byte().to_string());
        let text = text.replace("{v}", &(0x100 + self.random.below(16)).to_string());
        let mut parts = text.split('@');
        let _ = write!(self.text, " {}", parts.next().unwrap_or(""));
        for part in parts {
            self.text.push_str(FORGET);
            for _ in 0..self.random.below(4) {
                let line = self.plain();
                self.line(&line);
            }
            self.text.push_str(part);
        }
        self.text.push_str(FORGET);
    }

    fn special(&mut self) {
        if self.others && !self.random.one_in(4) {
            return self.other();
        }
        let (n, v) = (self.random.byte(), 0x100 + self.random.below(16));
        let own = self.label("x");
        let carry = self.random.pick(&["adc r31,r1", "brcc PC+2\n inc r31"]);
        let lines = match self.random.below(6) {
            0 => format!(
                "lds r16,{v}\n andi r16,1\n clr r1\n ldi r30,low({own}t)\n ldi r31,high({own}t)\n add r30,r16\n {carry}\n ijmp\n{own}t: rjmp {own}a\n rjmp {own}b\n{own}a: ldi r16,3\n out 6,r16\n rjmp {own}e\n{own}b: ldi r16,4\n out 6,r16\n{own}e:"
            ),
            1 => format!(
                "lds r16,{v}\n andi r16,3\n clr r1\n ldi r30,low({own}t*2)\n ldi r31,high({own}t*2)\n add r30,r16\n {carry}\n lpm r17,z\n out 7,r17\n rjmp {own}e\n{own}t: .db {n},2,3,4\n{own}e:"
            ),
            2 => format!(
                "lds r16,{v}\n andi r16,1\n lsl r16\n clr r1\n ldi r30,low({own}t<<1)\n ldi r31,high({own}t<<1)\n add r30,r16\n adc r31,r1\n lpm r24,z+\n lpm r25,z\n movw r30,r24\n icall\n rjmp {own}e\n{own}t: .dw {own}a,{own}b\n{own}a: ldi r16,5\n out 8,r16\n ret\n{own}b: ldi r16,6\n out 8,r16\n ret\n{own}e:"
            ),
            3 => format!(
                "ldi r16,low({own}e)\n push r16\n ldi r16,high({own}e)\n push r16\n ldi r16,{n}\n ret\n{own}e: out 9,r16"
            ),
            4 => "ldi r28,low(0x120)\n ldi r29,high(0x120)\n std y+3,r16\n ld r17,y\n ldi r26,0x22\n ldi r27,1\n ld r22,x+\n st x,r17\n out 10,r22"
                .to_owned(),
            _ => format!(
                "ldi r26,{}\n clr r27\n st x+,r18\n st x,r19\n out 11,r17\n out 11,r18",
                self.random.pick(&[16, 17, 22])
            ),
        };
        let _ = writeln!(self.text, " {lines}");
        // Addresses of code may differ: nothing may keep one.
        self.text.push_str(FORGET);
    }
}

/// No register keeps an address.
const FORGET: &str =
    "\n ldi r16,0\n clr r24\n clr r25\n clr r30\n clr r31\n clr r26\n clr r27\n tst r16\n";

/// Programs from this one on have parts of [`KINDS`] too; those from [`SMALL`] on are small.
const OTHERS: u64 = 20_000;

const HANDLER: &str = "
handler: push r16
        in r16,0x3f
        push r16
        lds r16,0x13f
        inc r16
        sts 0x13f,r16
        pop r16
        out 0x3f,r16
        pop r16
        reti
";

pub fn program(seed: u64) -> String {
    let mut m = Maker {
        random: Random(seed),
        text: "        .org 0\n        jmp start\n        jmp handler\n        .org 0x34\n"
            .to_owned(),
        labels: 0,
        routine: 0,
        routines: 0,
        others: seed >= OTHERS,
    };
    let small = seed >= SMALL;
    m.routines = match small {
        true => 1 + m.random.below(3),
        false => 3 + m.random.below(8),
    };
    let (most, depth) = if small { (6, 2) } else { (12, 3) };
    m.text.push_str(
        "start:  ldi r16,high(0x8ff)\n        out 0x3e,r16\n        ldi r16,low(0x8ff)\n        \
         out 0x3d,r16\n",
    );
    if m.random.one_in(2) {
        m.line("sei");
    }
    m.line("call r_0\n        cli\n        ldi r16,0\n        sts 0x13f,r16\n        sleep");
    m.text.push_str("stay:   rjmp stay\n");
    m.text.push_str(HANDLER);
    for r in 0..m.routines {
        m.routine = r;
        let _ = writeln!(m.text, "r_{r}:");
        m.some(most, depth);
        match m.random.below(5) {
            0 if r + 1 < m.routines => m.line(&format!("jmp r_{}", r + 1)),
            1 if r + 1 < m.routines => m.line(&format!("call r_{}\n        ret", r + 1)),
            2 if r + 1 < m.routines => {}
            _ => m.line("ret"),
        }
    }
    m.line("ret");
    if m.others {
        m.text.push_str(ROUTINES);
    }
    m.text
}

/// Tries the optimizer on one program.
pub fn trial(seed: u64) -> Trial {
    let text = program(seed);
    tell((seed, &text), build, run)
}

fn same(seeds: std::ops::Range<u64>) -> (i64, usize) {
    tried(seeds, trial)
}

#[test]
fn random_programs_do_what_they_did() {
    let (saved, halted) = same(0..5);
    assert!(
        saved > 200 && halted > 3,
        "{saved} bytes, {halted} programs"
    );
}

/// Tables were looked for in pages of words, with their ends counted in bytes.
#[test]
fn tables_of_bytes_are_no_reason_to_give_up() {
    let (saved, halted) = same(92_000_036..92_000_037);
    assert!(saved > 0 && halted == 1, "{saved} bytes");
}

/// What was taken from the stack is read where it lay; calls between wrote over it.
#[test]
fn what_is_looked_at_below_the_stack_stays() {
    same(OTHERS + 1..OTHERS + 2);
    same(SMALL + 23..SMALL + 24);
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_do_what_they_did() {
    let (saved, halted) = same(1_000..1_100);
    let others = same(OTHERS + 1_000..OTHERS + 1_050);
    let small = same(SMALL..SMALL + 200);
    println!("{saved} bytes saved in {halted} programs, {others:?}, {small:?} in others");
    assert!(halted > 60 && others.1 > 40 && small.1 > 180);
}

#[test]
#[ignore = "nightly"]
fn nightly_random_programs_of_an_avr_do_what_they_did() {
    let (saved, halted) = same(2_000..6_000);
    println!("{saved} bytes saved in {halted} programs");
    assert!(halted > 2_500);
}

/// What the optimizer makes of a program behind a start that calls it.
fn made(text: &str) -> (i64, String) {
    // Vectors stay where they are.
    let text = format!(" rjmp first\n .org 0x34\nfirst: rcall main\nstay: rjmp stay\n{text}");
    let (_, ledger) = build(&text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    (ledger.saved(), ledger.to_text())
}

/// A push and a store through a pointer are no ports: a loop with them has no clocks to keep.
#[test]
fn loops_that_only_store_may_change() {
    let text = "main: ldi r30,low(0x120)\n ldi r31,high(0x120)\n ldi r16,4\n\
                again: st z+,r16\n rcall one\n dec r16\n breq out\n rjmp again\nout: ret\n\
                one: lds r17,0x110\n inc r17\n sts 0x110,r17\n ret\n";
    let (saved, ledger) = made(text);
    assert!(saved > 0, "{ledger}");
    let (saved, ledger) = made(&text.replace("st z+,r16", "out 5,r16"));
    assert!(
        ledger.contains("jump over a jump") || saved >= 0,
        "{ledger}"
    );
}

/// Both bytes of twice an address are the address: it may move.
#[test]
fn tables_named_by_their_bytes_may_move() {
    let text = |high: &str| {
        format!(
            "main: rcall a\n rjmp b\na: lds r16,0x110\n inc r16\n sts 0x110,r16\n ret\n\
             b: ldi r30,low(table*2)\n ldi r31,{high}\n lpm r16,z\n out 5,r16\n\
             lds r16,0x110\n inc r16\n sts 0x110,r16\n ret\ntable: .db 1,2\n"
        )
    };
    let (both, ledger) = made(&text("high(table*2)"));
    assert!(both > 0, "{ledger}");
    // One of them alone is a number that somebody may count with.
    let (alone, _) = made(&text("0"));
    assert!(alone < both, "{alone} of {both}");
}

/// What a skip goes over may take its short form.
#[test]
fn what_is_skipped_is_shortened() {
    let (saved, ledger) = made("main: sbrc r16,3\n jmp far\n inc r17\nfar: out 5,r17\n ret\n");
    assert_eq!(saved, 2, "{ledger}");
}

/// A pointer with a zero above it may lead to registers: what it reads or writes there is not
/// known.
#[test]
fn a_pointer_may_lead_to_registers() {
    let text = "main: ldi r26,16\n clr r27\n ldi r16,5\n st x,r17\n ldi r18,5\n out 5,r16\n ret\n";
    let (_, ledger) = made(text);
    assert!(!ledger.contains("r16 not read"), "{ledger}");
    assert!(ledger.contains("r18 not read"), "{ledger}");
    let reads = |load: &str, high: &str| {
        let text = format!(
            "main: ldi r26,17\n {high}\n ldi r17,5\n {load}\n out 5,r0\n ldi r17,8\n out 5,r17\n ret\n"
        );
        made(&text).1.contains("r17 not read")
    };
    for load in ["ld r0,x", "ld r0,x+", "ld r0,-x"] {
        assert!(!reads(load, "clr r27"), "{load}");
        assert!(reads(load, "ldi r27,1"), "{load}");
    }
    // What is read of the program is no register.
    assert!(reads("movw r30,r26\n lpm r0,z", "clr r27"));
}

/// A program as it stands, from address 0 on.
fn whole(text: &str) -> (i64, String) {
    let (_, ledger) = build(text, Some(Options::default()));
    let ledger = ledger.expect("it was asked");
    (ledger.saved(), ledger.to_text())
}

/// Where no interrupts may come, what lies at addresses of vectors is code like other code; what
/// may let them in, in whatever way, keeps it as it is.
#[test]
fn code_lies_where_vectors_would_if_no_interrupts_come() {
    let text = |more: &str| {
        format!(
            " rcall a\n rcall a\n{more} ldi r16,1\n ldi r16,2\n out 5,r16\nstay: rjmp stay\n\
             a: ldi r17,1\n ldi r17,2\n out 6,r17\n ret\n"
        )
    };
    for none in ["", " cli\n", " bclr 7\n", " wdr\n", " in r18,0x3f\n"] {
        let (saved, ledger) = whole(&text(none));
        assert!(saved >= 4, "{none}: {saved}\n{ledger}");
    }
    let ways = [
        " sei\n",
        " bset 7\n",
        " out 0x3f,r18\n",
        " sts 0x5f,r18\n",
        " ldi r30,0x5f\n ldi r31,0\n st z,r18\n",
        " rcall b\n rjmp c\nb: reti\nc:\n",
        " call 0x3000\n",
        " .dw 0x9478\n",
    ];
    for way in ways {
        let (_, ledger) = whole(&text(way));
        assert!(ledger.contains("written as a number"), "{way}\n{ledger}");
    }
}

/// A table of jumps that the program goes to is its own, also where a jump stands before it.
#[test]
fn a_table_behind_a_jump_is_the_program_s_own() {
    let text = |loads: &str| {
        format!(
            "main: in r16,3\n andi r16,3\n {loads}\n add r30,r16\n brcc n\n inc r31\nn: ijmp\n\
             d: rjmp e\nt: rjmp a\n rjmp b\n rjmp a\n rjmp d\na: ldi r17,1\n ldi r17,2\n rjmp e\n\
             b: ldi r17,3\ne: out 5,r17\n ret\n"
        )
    };
    let (_, ledger) = made(&text("ldi r30,low(t)\n ldi r31,high(t)"));
    assert!(!ledger.contains("others may"), "{ledger}");
    let (_, ledger) = made(&text("ldi r30,0x40\n ldi r31,0"));
    assert!(ledger.contains("others may"), "{ledger}");
}

/// Bytes of an address are those in whatever way they are written.
#[test]
fn bytes_of_an_address_by_division_and_signs() {
    let text = |low: &str, high: &str| {
        format!(
            "main: rcall a\n rjmp b\na: lds r16,0x110\n inc r16\n sts 0x110,r16\n ret\n\
             b: {low}\n {high}\n lpm r16,z\n out 5,r16\n\
             lds r16,0x110\n inc r16\n sts 0x110,r16\n ret\ntable: .db 1,2\n"
        )
    };
    let pairs = [
        ("ldi r30,(table<<1)%256", "ldi r31,(table<<1)/256"),
        ("ldi r30,table*2&255", "ldi r31,(table*2>>8)&255"),
        ("subi r30,low(-table*2)", "sbci r31,high(-table*2)"),
        ("subi r30,low(2*-table)", "sbci r31,high(2*-table)"),
    ];
    let (plain, _) = made(&text("ldi r30,low(table*2)", "ldi r31,high(table*2)"));
    for (low, high) in pairs {
        let (both, ledger) = made(&text(low, high));
        assert_eq!(both, plain, "{low} {high}\n{ledger}");
        // One of them alone is a number.
        let (alone, ledger) = made(&text(low, "ldi r31,0"));
        assert!(alone < both, "{low}\n{ledger}");
    }
}

/// A jump to the next instruction is there for its clocks if it is written as a distance.
#[test]
fn jumps_by_a_distance_of_nothing_are_pauses() {
    let text = |jump: &str| format!("main: in r16,3\n {jump}\nx: out 5,r16\n ret\n");
    let goes = |jump: &str| made(&text(jump)).1.contains("jump to the next instruction");
    assert!(goes("rjmp x"));
    for pause in ["rjmp PC+1", "rjmp 1+PC", "nop"] {
        assert!(!goes(pause), "{pause}");
    }
}

/// Lines so many times.
fn times(n: usize, lines: &str) -> String {
    lines.repeat(n)
}

/// What stands between writes to ports with pauses keeps its clocks, and so do loops that read a
/// port in time; what only lets a line settle does not.
#[test]
fn pauses_between_accesses_keep_what_is_around_them() {
    let two = |body: &str| {
        format!("main: rcall a\n nop\na: {body} sts 0x110,r20\n {body} sts 0x111,r20\n ret\n")
    };
    let pulse = |pause: &str| {
        format!("out 5,r16\n eor r16,r17\n add r18,r16\n {pause}\n swap r18\n out 5,r18\n")
    };
    let (counted, ledger) = made(&two(&pulse("nop")));
    assert_eq!(counted, 0, "{ledger}");
    let (free, ledger) = made(&two(&pulse("com r16")));
    assert!(free > 0, "{ledger}");
    let settle = "out 5,r16\n nop\n in r17,3\n eor r16,r17\n add r18,r16\n out 6,r18\n";
    let (settles, ledger) = made(&two(settle));
    assert!(settles > 0, "{ledger}");
    // A loop of more bytes than a short one, which reads in time.
    let read = |pause: &str| {
        let bit = format!(" in r17,3\n bst r17,4\n eor r17,r18\n {pause}\n bld r19,3\n lsr r19\n");
        format!(
            "main: ldi r20,8\nl: {} st x+,r19\n dec r20\n brne l\n ret\n",
            times(9, &bit)
        )
    };
    let (counted, ledger) = made(&read("nop"));
    assert_eq!(counted, 0, "{ledger}");
    let (free, ledger) = made(&read("swap r18"));
    assert!(free > 20, "{ledger}");
}

/// A port that gets one computed value after the other gets them in time; numbers may take longer.
#[test]
fn rows_of_values_for_a_port_keep_their_clocks() {
    let two = |body: &str| {
        format!("main: rcall a\n nop\na: {body} sts 0x110,r20\n {body} sts 0x111,r20\n ret\n")
    };
    let (rows, ledger) = made(&two(&times(8, " out 5,r16\n lsl r16\n")));
    assert_eq!(rows, 0, "{ledger}");
    let several = times(4, " out 5,r16\n out 5,r17\n");
    assert_eq!(made(&two(&several)).0, 0);
    let ports = times(4, " out 5,r16\n out 6,r16\n");
    assert!(made(&two(&ports)).0 > 0);
    let numbers: String = (0..8)
        .map(|n| format!(" ldi r16,{n}\n out 5,r16\n"))
        .collect();
    let (numbers, ledger) = made(&two(&numbers));
    assert!(numbers > 0, "{ledger}");
}

/// What a loop at a port calls only for its time keeps that; what does more does not.
#[test]
fn delays_of_a_loop_at_a_port_stay() {
    let text = |wait: &str| {
        format!(
            "main: ldi r20,8\nl: sbrs r16,0\n cbi 5,1\n sbrc r16,0\n sbi 5,1\n lsr r16\n rcall w\n\
             dec r20\n brne l\n ret\nw: push r18\n ldi r18,20\n{wait}d: dec r18\n brne d\n\
             rcall z\n pop r18\n ret\nz: ldi r19,1\n ldi r19,2\n rjmp y\ny: nop\n ret\n"
        )
    };
    let (saved, ledger) = made(&text(""));
    assert!(!ledger.contains("result not used"), "{saved}\n{ledger}");
    assert!(!ledger.contains("called once"), "{saved}\n{ledger}");
    let (more, ledger) = made(&text(" sts 0x110,r18\n"));
    assert!(more > saved, "{more}\n{ledger}");
    assert!(ledger.contains("result not used"), "{ledger}");
}
