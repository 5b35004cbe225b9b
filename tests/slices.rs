//! Blocks of time: what `sync` charges is what the machine takes, on every path; and
//! what cannot be made even is told.

use scrimp::image::Image;
use scrimp::source::MemoryLoader;
use scrimp::{Job, Output};
use scrimp_gigatron::sim::{Bare, Cpu, Memory};
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
    let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: vec![("LIMIT".into(), 40)],
    };
    scrimp::assemble(&job, &loader)
}

fn program(body: &str) -> String {
    format!("{HEAD}{body}")
}

fn findings(text: &str) -> Vec<String> {
    let out = assemble(text);
    let list = out.diagnostics.iter();
    list.map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[track_caller]
fn image(text: &str) -> Image {
    let out = assemble(text);
    let list = out.diagnostics.iter();
    let list: Vec<String> = list.map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(list, Vec::<String>::new(), "{text}");
    out.image.expect("an image")
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
    let mut begun: Option<(u16, u64)> = None;
    while cpu.now() < clocks {
        let at = cpu.at();
        if cpu.next() == at + 1 && lengths.contains_key(&at) {
            if let Some((from, since)) = begun.take() {
                let took = (cpu.now() - since) as i64;
                assert_eq!(took, lengths[&from], "the block at {from:04X}");
                *runs.entry(from).or_insert(0) += 1;
            }
            begun = Some((at, cpu.now()));
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
            let (from, since) = begun.expect("a block that is late");
            assert_eq!(cpu.now() - since, 9);
            while cpu.at() != from + 2 {
                cpu.step(&mut Bare);
            }
            begun = Some((from, cpu.now() - 2));
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
