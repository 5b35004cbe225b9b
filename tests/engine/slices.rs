//! Blocks of time: what `sync` charges is what the machine takes, on every path; and
//! what cannot be made even is told.

use crate::common::gigatron;
use scrimp::Output;
use scrimp::image::Image;
use scrimp::text::source::MemoryLoader;
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::{Bare, Cpu, Memory};
use scrimp_isa::proof::Overhead;
use std::collections::BTreeMap;

/// Cells and a handler that gives a late block a line's time at once.
const HEAD: &str = "        machine gigatron-32k
        section vars in zero
left:   ds 1
back:   ds 1
backpage: ds 1
a:      ds 1
b:      ds 1
c:      ds 1
ret:    ds 1
        slices left, back, late, LIMIT
        section boot in rom
        org 0
        ld hi(main),y
        jmp y,main
        nop
        section handler in rom
late:   st [backpage]
        ld [backpage],y
        jmp y,[back]
        ld 90
        section work in rom within=256
";

fn assemble(text: &str) -> Output {
    gigatron::assemble_with(text, MemoryLoader::default(), &[("LIMIT", 40)])
}

fn findings(text: &str) -> Vec<String> {
    gigatron::found(&assemble(text))
}

#[track_caller]
fn image(text: &str) -> Image {
    let out = assemble(text);
    assert_eq!(gigatron::found(&out), Vec::<String>::new(), "{text}");
    out.image.expect("an image")
}

fn program(body: &str) -> String {
    format!("{HEAD}{body}")
}

/// Runs a program and looks whether every block takes what it is charged; how often
/// each ran.
#[track_caller]
fn run(image: &Image, seed: &mut u32, clocks: u64) -> BTreeMap<u16, u32> {
    let mut rom = image.binary(0);
    rom.resize(0x2_0000, 0);
    let mut cpu = Cpu::new(&rom, Memory::K32).expect("a ROM");
    let lengths: BTreeMap<u16, i64> = image
        .blocks
        .iter()
        .map(|b| ((b.address / 2) as u16, b.clocks))
        .collect();
    let cell = |name: &str| image.symbol(name).expect("a cell").value as u16;
    let cells = ["a", "b", "c"].map(cell);
    let mut runs = BTreeMap::new();
    let mut begun: Option<(u16, u64, u8)> = None;
    while cpu.now() < clocks {
        let at = cpu.at();
        if cpu.next() == at + 1 && lengths.contains_key(&at) {
            let left = cpu.peek(cell("left"));
            if let Some((from, since, before)) = begun {
                let took = (cpu.now() - since) as i64;
                let paid = i64::from(before.wrapping_sub(left));
                assert_eq!(took, paid, "the block at {from:04X}");
                assert!(took <= lengths[&from]);
                *runs.entry(from).or_insert(0) += 1;
            }
            begun = Some((at, cpu.now(), left));
            for c in cells {
                *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = match *seed >> 30 {
                    0 => 0,
                    _ => (*seed >> 16) as u8,
                };
                cpu.poke(c, value);
            }
        }
        if at == cell("late") {
            // What the handler takes is no part of the block: it ran 9 clocks.
            let (from, since, _) = begun.expect("a block that is late");
            assert_eq!(cpu.now() - since, 9);
            while cpu.at() != from + 2 {
                cpu.step(&mut Bare);
            }
            let fresh = cpu.register(Register::Ac);
            begun = Some((from, cpu.now() - 2, fresh));
        }
        cpu.step(&mut Bare);
    }
    runs
}

#[test]
fn arms_of_any_length_take_the_same_time() {
    let text = program(
        "main:   sync
        ld [a]
        beq else
        nop
        ld [b]
        adda 1
        st [b]
        bra join
        nop
else:   ld 7
        st [b]
join:   sync
        ld [b]
        bgt skip
        adda 1
        st [b]
        adda 2
        st [a]
skip:   ld hi(leaf),y
        jmp y,leaf
        ld low(.r)
.r:     sync
        ld [a]
        beq one
        ld 1
        st [a]
one:    st [b]
        bra main
        nop
        stubs
        section leaf in rom within=256
leaf:   st [ret]
        ld [a]
        beq .x
        ld hi(main),y
        st [a]
.x:     jmp y,[ret]
        nop
        stubs
",
    );
    let image = image(&text);
    let lengths: Vec<i64> = image.blocks.iter().map(|b| b.clocks).collect();
    assert_eq!(lengths, [12, 21, 11]);
    let runs = run(&image, &mut 1, 20_000);
    assert!(
        runs.len() == 3 && runs.values().all(|&n| n > 100),
        "{runs:?}"
    );
}

#[test]
fn what_cannot_be_even_is_told() {
    let long = program(&format!(
        "main: sync\n{} bra main\n nop\n stubs\n",
        " nop\n".repeat(40)
    ));
    assert_eq!(
        findings(&long),
        ["E0063 this block takes 46 clocks, 6 too many: it may have 40"]
    );
    let round = program("main: sync\nx: ld [a]\n bra x\n nop\n stubs\n");
    assert_eq!(
        findings(&round),
        ["E0063 a path goes round here without a `sync`"]
    );
    let lost = program("main: sync\n ld [a],y\n jmp y,[b]\n nop\n stubs\n");
    assert_eq!(
        findings(&lost),
        ["E0063 where this jumps is not known, so its block has no end"]
    );
    let landing = program("main: sync\n ld [a],y\n targets sync\n jmp y,[b]\n nop\n stubs\n");
    assert_eq!(image(&landing).landings.len(), 1);
    let bare = program("main: sync\n bra main\n nop\n");
    assert_eq!(
        findings(&bare),
        ["E0063 there is no `stubs` in the section of this `sync`"]
    );
    let none = "        sync\n";
    assert_eq!(findings(none), ["E0024 `sync` stands before `slices`"]);
}

#[test]
fn code_goes_on_behind_stubs() {
    // Code behind `stubs`, and a jump over them.
    let text = program(
        "main:   sync
        bra more
        st [b]
        stubs
more:   sync
        bra main
        nop
",
    );
    let runs = run(&image(&text), &mut 1, 20_000);
    assert!(
        runs.len() == 2 && runs.values().all(|&n| n > 100),
        "{runs:?}"
    );
}

/// Programs of branches at random.
struct Random {
    seed: u32,
    text: String,
    labels: u32,
}

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.seed = self
            .seed
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        (self.seed >> 12) % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u32) as usize]
    }

    fn line(&mut self, text: &str) {
        self.text.push_str("        ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    fn plain(&mut self) {
        let all = [
            "ld [a]", "ld [b]", "ld 5", "ld 0", "adda [c]", "xora 3", "st [b]", "st [c]", "suba 9",
            "anda 7", "nop", "ld $20,y", "ld [y,7]", "ld [a],x", "st [$40]",
        ];
        let text = self.pick(&all);
        self.line(text);
    }

    fn branch(&mut self, to: &str) {
        let test = self.pick(&["ld [a]", "ld [b]", "anda 1", "ld [c]", "nop"]);
        self.line(test);
        let kind = self.pick(&["beq", "bne", "blt", "bge", "bgt", "ble"]);
        self.line(&format!("{kind} {to}"));
        self.plain();
    }

    fn some(&mut self, depth: u32, most: u32) {
        for _ in 0..self.below(most + 1) {
            self.one(depth);
        }
    }

    fn one(&mut self, depth: u32) {
        match self.below(12) {
            0..=1 if depth > 0 => {
                let (other, join) = (self.label(), self.label());
                self.branch(&other);
                self.some(depth - 1, 4);
                self.line(&format!("bra {join}"));
                self.plain();
                self.text.push_str(&format!("{other}:\n"));
                self.some(depth - 1, 4);
                self.text.push_str(&format!("{join}:\n"));
            }
            2..=3 if depth > 0 => {
                let join = self.label();
                self.branch(&join);
                self.some(depth - 1, 5);
                self.text.push_str(&format!("{join}:\n"));
            }
            4 => {
                let back = self.label();
                let leaf = self.pick(&["leaf", "other"]);
                self.line(&format!("ld hi({leaf}),y"));
                self.line(&format!("jmp y,{leaf}"));
                self.line(&format!("ld low({back})"));
                self.text.push_str(&format!("{back}:\n"));
            }
            5 => self.line("sync"),
            _ => self.plain(),
        }
    }
}

#[test]
fn programs_at_random_take_what_they_pay_for() {
    let (mut good, mut blocks, mut filled) = (0, 0, 0);
    for seed in 1..=150 {
        let mut r = Random {
            seed,
            text: String::new(),
            labels: 0,
        };
        r.text.push_str("main:   sync\n");
        for _ in 0..3 {
            r.some(3, 5);
            r.line("sync");
        }
        r.text.push_str(
            "        bra main
        nop
        stubs
        section leaf in rom within=256
leaf:   st [ret]
        ld [a]
        beq .x
        ld hi(main),y
        st [b]
        xora [c]
        st [c]
.x:     jmp y,[ret]
        nop
other:  st [ret]
        ld [b]
        blt .more
        ld hi(main),y
        jmp y,[ret]
        ld 1
.more:  adda 3
        jmp y,[ret]
        st [a]
        stubs
",
        );
        let head = HEAD.replace("LIMIT", "120");
        let text = format!("{head}{}", r.text);
        let found = findings(&text);
        // A block that is too long is the fault of the program, and so is a full page.
        if !found.is_empty() {
            let full = found.iter().any(|f| f.contains("more than a page"));
            let long = |f: &String| f.contains("this block takes");
            assert!(full || found.iter().all(long), "{found:?}\n{text}");
            continue;
        }
        let image = image(&text);
        good += 1;
        let runs = run(&image, &mut r.seed, 30_000);
        blocks += runs.len();
        filled += usize::from(image.overhead.iter().any(|o| o.2 == Overhead::Filler));
    }
    assert!(
        good > 100 && filled > 80 && blocks > 300,
        "{good} {filled} {blocks}"
    );
}

#[test]
fn blocks_are_watched_while_they_run() {
    use scrimp_isa::machine::Media;
    use scrimp_isa::proof::{Block, Promises};
    let text = program(
        "main:   sync
        ld [a]
        beq one
        ld 1
        st [a]
one:    st [b]
        bra main
        nop
        stubs
",
    );
    let image = image(&text);
    let mut rom = image.binary(0);
    rom.resize(0x2_0000, 0);
    let run = |rom: &[u8], promises: &Promises| {
        let machine = scrimp::targets::by_name("gigatron")
            .and_then(|t| t.machine("gigatron-32k"))
            .expect("a machine");
        let media = Media {
            program: rom.to_vec(),
            container: "rom".into(),
            ..Media::default()
        };
        let mut simulation = machine.start(&media, &[]).expect("it starts");
        assert!(simulation.watch(promises));
        simulation.run(50_000);
        simulation.broken()
    };
    let promises = image.promises();
    assert_eq!(run(&rom, &promises), []);
    // A charge that is one too low, as if the assembler had counted wrong.
    let block: Block = promises.blocks[0];
    rom[block.address as usize + 5] -= 1;
    let broken = run(&rom, &promises);
    assert_eq!(broken.len(), 1);
    assert_eq!(broken[0].address, block.address);
    let (took, paid) = (block.clocks, block.clocks - 1);
    let message = format!("took {took} clocks to the one at $0000, 1 too many: it paid for {paid}");
    let message = message.replace("$0000", &format!("${:04X}", block.address / 2));
    assert!(broken[0].message.contains(&message), "{broken:?}");
    assert!(broken[0].count > 1_000);
}

#[test]
fn odd_directives_are_told() {
    let with = |slices: &str, body: &str| {
        findings(&program(body).replace("slices left, back, late, LIMIT", slices))
    };
    let body = "main: sync\n bra main\n nop\n stubs\n";
    assert_eq!(
        with("slices left, back, late, -5", body),
        ["E0063 the most clocks of a block cannot be -5"]
    );
    assert_eq!(
        with("slices left, 700, late, 40", body),
        ["E0063 the cell with the place to resume cannot be 700"]
    );
    assert_eq!(
        with(
            "slices left, back, late, 40\n slices left, back, late, 40",
            body
        ),
        ["E0031 `slices` stands here twice"]
    );
    let twice = format!("{body} stubs\n");
    assert_eq!(
        findings(&program(&twice)),
        ["E0031 `stubs` stands in this section twice"]
    );
    let through = program("main: sync\n nop\n stubs\nx: bra main\n nop\n");
    assert_eq!(
        findings(&through),
        ["E0063 behind this come the `stubs`, which are no part of the path"]
    );
    let ram = program("main: sync\n bra main\n nop\n stubs\n section r in zero\n sync\n stubs\n");
    assert_eq!(
        findings(&ram),
        ["E0063 a block of time in memory that is no ROM"]
    );
    let arms = "main: sync\n ld [a]\n beq x\n nop\n st [b]\nx: bra main\n nop\n stubs\n";
    assert_eq!(
        with("slices left, back, late, 40, strict", arms),
        ["E0063 the way behind this is 1 clocks too short"]
    );
    let store = program("main: sync\n st [left]\n bra main\n nop\n stubs\n");
    assert_eq!(
        findings(&store),
        ["E0063 the time left is changed inside a block"]
    );
}

/// A handler that burns what is left, and a program that is late each time.
fn handler(nops: usize, fresh: i64) -> String {
    let text = format!(
        "        deadline 186
late:   st [backpage]
        ld low(pulse - LIMIT)
        suba [left]
        bra ac
        nop
        repeat {nops}
        nop
        endr
        clock 200
        clock 0, rebase
pulse:  ld [backpage],y
        clock 1
        resume
        jmp y,[back]
        ld {fresh}
        section work"
    );
    let (head, work) = HEAD.split_once("late:").expect("a handler");
    let (_, tail) = work.split_once("section work").expect("the program");
    let head = head.replace(
        "section handler in rom",
        "section handler in rom within=256",
    );
    format!("{head}{text}{tail}main: sync\n bra main\n nop\n stubs\n")
}

#[test]
fn the_handler_is_right_for_every_time_that_can_be_left() {
    let fresh = 186 - 1 - 40;
    // Of the slide one word less than LIMIT is ever executed.
    let right = handler(39, fresh - 256);
    let image = image(&right);
    // The times to the pulse, the way back, and the block.
    assert_eq!(image.proven, 3);
    let wrong = handler(39, fresh - 255);
    assert_eq!(
        findings(&wrong),
        ["E0063 a late block goes on with $92 in AC, but $91 is the time that is left"]
    );
    let late = right.replace(
        "        suba [left]\n",
        "        nop\n        suba [left]\n",
    );
    let found = findings(&late);
    let message = "E0063 a path comes here at clock 201, 1 too many: clock 200 is promised";
    assert_eq!(found, [message]);
}
