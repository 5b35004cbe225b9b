//! The Gigatron's vCPU through the assembler: pages with holes, far jumps, `.gt1`.

use crate::common::tools::named;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};
use std::path::Path;
use std::process::Command;

fn assemble(machine: &str, text: &str) -> Output {
    let target = scrimp::targets::by_name("vcpu").expect("the vCPU");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    scrimp::assemble(&job, &MemoryLoader::default().with("main.asm", text))
}

fn findings(out: &Output) -> Vec<String> {
    let list = out.diagnostics.iter();
    list.map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// Address and bytes of each chunk.
#[track_caller]
fn chunks(machine: &str, text: &str) -> Vec<(u64, Vec<u8>)> {
    let out = assemble(machine, text);
    assert_eq!(findings(&out), [""; 0]);
    let chunks = out.image.expect("an image").chunks.into_iter();
    let mut chunks: Vec<_> = chunks.map(|c| (c.address, c.bytes)).collect();
    chunks.retain(|c| !c.1.is_empty());
    chunks.sort();
    chunks
}

#[test]
fn branches_hold_two_less_in_their_page() {
    let text = "        org $0300
start:  bra start
        beq start
        def over
        db 1, 2, 3
over:   sys 54
        halt
";
    let bytes = [
        0x90, 0xfe, 0x35, 0x3f, 0xfe, 0xcd, 0x08, 1, 2, 3, 0xb4, 0xf3, 0xb4, 0x80,
    ];
    assert_eq!(chunks("vcpu-v6", text), [(0x300, bytes.to_vec())]);
    let odd = findings(&assemble("vcpu-v6", "        sys 55\n"));
    assert!(odd[0].starts_with("E0022"), "{odd:?}");
}

#[test]
fn a_jump_takes_what_reaches() {
    let text = "        org $0300
near:   jump near
        jump far
        org $0400
far:    ret
";
    let near = [0x90, 0xfe, 0x11, 0xfe, 0x04, 0x2b, 0x16];
    assert_eq!(chunks("vcpu-v1", text)[0], (0x300, near.to_vec()));
    let found = findings(&assemble(
        "vcpu-v1",
        "        org $0300\n        bra far\n        org $0400\nfar:    ret\n",
    ));
    assert!(found[0].starts_with("E0027"), "{found:?}");
}

#[test]
fn routines_find_their_pages_beside_the_picture() {
    // Ten of 90 bytes fill pages 2 to 6 by twos; the others go beside the lines.
    let mut text = String::new();
    for n in 0..12 {
        text += &format!("        section r{n} in ram within=256\nr{n}:     ret\n        ds 89\n");
    }
    let places: Vec<u64> = chunks("vcpu-v4", &text).iter().map(|c| c.0).collect();
    let expected = [
        0x200, 0x25a, 0x300, 0x35a, 0x400, 0x45a, 0x500, 0x55a, 0x600, 0x65a, 0x8a0, 0x9a0,
    ];
    assert_eq!(places, expected);
    // What has an address may be in the picture.
    let line = chunks("vcpu-v4", "        org $0800\n        db 1\n");
    assert_eq!(line[0].0, 0x800);
}

#[test]
fn a_jump_ties_no_sections_that_do_not_fit_a_page() {
    let text = "
        section a in ram within=256
start:  jump far
        ds 3
        section b in ram within=256
        ds 250
far:    jump start
        section c in ram within=256
c:      jump start
";
    // `c` and `a` share a page and are near.
    let mut long = vec![0; 250];
    long.extend([0x11, 0xfe, 0x02, 0x2b, 0x16]);
    let expected = [
        (0x200, vec![0x11, 0xf8, 0x03, 0x2b, 0x16, 0, 0, 0]),
        (0x208, vec![0x90, 0xfe]),
        (0x300, long),
    ];
    assert_eq!(chunks("vcpu-v1", text), expected);
    // Where both have no room in one of the holes, each finds one.
    let mut full = String::new();
    for page in 2..7 {
        full += &format!("        org ${page:02x}00\n        ds 256\n");
    }
    let apart = "
        section a in ram within=256
        ds 80
a:      jump b
        section b in ram within=256
        ds 80
b:      jump a
";
    let places: Vec<u64> = chunks("vcpu-v1", &(full + apart))
        .iter()
        .map(|c| c.0)
        .collect();
    assert_eq!(places[5..], [0x8a0, 0x9a0]);
}

#[test]
fn the_end_of_a_page_is_told() {
    let of = |text: &str| findings(&assemble("vcpu-v6", text));
    let over = of("        org $02fe\n        ldwi 1\n        ret\n");
    assert_eq!(over.len(), 1, "{over:?}");
    assert!(over[0].starts_with("W0014 the last byte"), "{over:?}");
    let on = of("        org $02fe\n        ldi 1\n        ret\n");
    assert!(on[0].starts_with("W0014 behind"), "{on:?}");
    assert_eq!(
        of("        org $02fe\n        bra $0200\n        ret\n"),
        [""; 0]
    );
}

#[test]
fn a_rom_says_what_there_is() {
    let of = |machine: &str, text: &str| findings(&assemble(machine, text));
    let call = "        calli $0300\n";
    assert!(of("vcpu-v4", call)[0].starts_with("E0025"));
    assert_eq!(of("vcpu-v5a", call), [""; 0]);
    let sys = "        include <gigatron/sys.asm>\n        ldwi SYS_Sprite6_v3_64\n";
    assert!(of("vcpu-v2", sys)[0].starts_with("E0030"));
    assert_eq!(of("vcpu-v3", sys), [""; 0]);
    let out = assemble("vcpu-v2", sys);
    let help = out.diagnostics[0].help.as_deref();
    assert_eq!(
        help,
        Some("ROM v3 is the first with it: `--machine vcpu-v3`")
    );
    // Without a machine it is v6's.
    assert_eq!(of("", sys), [""; 0]);
    let unread = assemble("vcpu-v4", "        ldwi sysFn\n");
    let help = unread.diagnostics[0].help.as_deref().unwrap_or("");
    assert!(help.starts_with("`include <gigatron/sys.asm>`"), "{help:?}");
    // The same instruction has other bytes.
    let compare = "        cmphs $31\n";
    assert_eq!(chunks("vcpu-v6", compare)[0].1, [0x1f, 0x31]);
    assert_eq!(chunks("vcpu-vx0", compare)[0].1, [0x2f, 0x31, 0x37]);
}

/// The command, in a folder.
fn scrimp(folder: &Path, args: &[&str]) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scrimp"));
    let out = command.args(args).current_dir(folder).output();
    let out = out.expect("the command runs");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.success(), text(&out.stdout), text(&out.stderr))
}

const LINE: &str = "
        machine vcpu-v4
        include <gigatron/sys.asm>
        section variables in zero
at:     ds 2
        section main in ram within=256
start:  ldwi screenMemory
        stw at
next:   ld at
        poke at
        inc at
        ld at
        xori 160
        bne next
        syscall(SYS_LSRW1_48)
        halt
";

#[test]
fn a_program_is_written_read_and_run() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("line.asm"), LINE).expect("a file");
    let build = ["build", "line.asm", "-q", "--emit", "gt1", "-o", "line.gt1"];
    let (good, _, err) = scrimp(dir.path(), &build);
    assert!(good, "{err}");
    let file = std::fs::read(dir.path().join("line.gt1")).expect("a file");
    // Variables have no bytes in it.
    assert_eq!(
        (&file[..3], &file[file.len() - 3..]),
        (&[2, 0, 27][..], &[0, 2, 0][..])
    );
    again(dir.path(), &file).expect("the same file");
    // 160 times round, the last time on: 20 + 20 before, 48 behind.
    let (good, out, err) = scrimp(
        dir.path(),
        &["run", "line.gt1", "--machine", "vcpu-v4", "--frames", "5"],
    );
    assert!(good, "{err}");
    let round = 18 + 26 + 16 + 18 + 14 + 28;
    let clocks = 40 + 160 * round + 40 + 48;
    assert!(out.is_empty() || !out.contains("error"), "{out}");
    let grouped = format!("{},{:03} clocks", clocks / 1000, clocks % 1000);
    assert!(format!("{out}{err}").contains(&grouped), "{out}{err}");
}

#[test]
fn a_table_of_calls_goes_around_the_constant_and_a_program_starts_where_it_says() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "_startAddress_ EQU 0x0400
_callTable_ EQU 0x0082
            CALL one
start       CALL two
one         RET
two         RET
";
    std::fs::write(dir.path().join("t.gasm"), text).expect("a file");
    let machine = ["--dialect", "gasm", "--machine", "vcpu-v6", "-q"];
    let output = ["--emit", "gt1", "-o", "t.gt1"];
    let args = [&["build", "t.gasm"], &machine[..], &output[..]].concat();
    let (good, _, err) = scrimp(dir.path(), &args);
    assert!(good, "{err}");
    let file = std::fs::read(dir.path().join("t.gt1")).expect("a file");
    let table = [0, 0x7e, 6, 5, 4, 1, 0, 4, 4];
    let code = [4, 0, 6, 0xcf, 0x82, 0xcf, 0x7e, 0xff, 0xff];
    assert_eq!(file, [&table[..], &code[..], &[0, 4, 0]].concat());
    // A file for some loaders only is read as the others are.
    std::fs::write(dir.path().join("t.gt1x"), &file).expect("a file");
    let (good, out, err) = scrimp(dir.path(), &["disasm", "t.gt1x", "--plain"]);
    assert!(good && out.contains("call $82"), "{out}{err}");
}

/// What the disassembly of a file is assembled to, where that is not the file.
fn again(folder: &Path, file: &[u8]) -> Result<(), String> {
    std::fs::write(folder.join("file.gt1"), file).expect("a file");
    let (good, source, err) = scrimp(folder, &["disasm", "file.gt1"]);
    if !good {
        return Err(err);
    }
    std::fs::write(folder.join("again.asm"), source).expect("a file");
    let build = [
        "build",
        "again.asm",
        "-q",
        "--emit",
        "gt1",
        "-o",
        "again.gt1",
    ];
    let (good, _, err) = scrimp(folder, &build);
    if !good {
        return Err(err);
    }
    match std::fs::read(folder.join("again.gt1")).expect("a file") == file {
        true => Ok(()),
        false => Err("other bytes".into()),
    }
}

#[test]
fn segments_may_lie_one_over_another() {
    let dir = tempfile::tempdir().expect("a folder");
    // The second changes one byte of the first and repeats one; the third all of it.
    let file = [
        &[2, 0, 4, 0x59, 1, 0x59, 2][..],
        &[2, 1, 2, 7, 0x59],
        &[3, 0, 1, 0xff],
        &[2, 1, 2, 9, 0x59],
        &[0, 2, 0],
    ]
    .concat();
    again(dir.path(), &file).expect("the same file");
    let source = std::fs::read_to_string(dir.path().join("again.asm")).expect("a file");
    assert!(source.contains("hidden2"), "{source}");
    assert!(!source.contains("hidden3"), "{source}");
    // The sizes must be those of bytes that are there.
    let broken = source.replace("segment3_size equ $0001", "segment3_size equ $0002");
    std::fs::write(dir.path().join("broken.asm"), broken).expect("a file");
    let build = ["build", "broken.asm", "--emit", "gt1", "-o", "broken.gt1"];
    let (good, _, err) = scrimp(dir.path(), &build);
    assert!(
        !good && err.contains("`segment3_size` says 2 bytes"),
        "{err}"
    );
    // Much more than that is no source.
    let twice = |page: u8| [&[page, 0, 0][..], &[1; 256], &[page, 0, 0], &[2; 256]].concat();
    let pages = |n: u8| (2..2 + n).flat_map(twice).chain([0, 2, 0]);
    again(dir.path(), &pages(16).collect::<Vec<_>>()).expect("the same file");
    let err = again(dir.path(), &pages(17).collect::<Vec<_>>()).expect_err("too many");
    assert!(err.contains("4352 times"), "{err}");
}

#[test]
fn segments_that_leave_their_page_come_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = [&[2, 0xf0, 0x20][..], &[7; 32], &[4, 0, 1, 9], &[0, 2, 0xf0]].concat();
    again(dir.path(), &file).expect("the same file");
    let build = ["build", "again.asm", "--emit", "gt1", "-o", "again.gt1"];
    let (good, _, err) = scrimp(dir.path(), &build);
    assert!(good && err.contains("$02F0 leaves its page"), "{err}");
    // No memory is behind the last page.
    let file = [&[0xff, 0xf0, 0x20][..], &[7; 32], &[0, 2, 0]].concat();
    let err = again(dir.path(), &file).expect_err("no memory");
    assert!(err.contains("leaves memory"), "{err}");
}

/// `SCRIMP_GT1` names a folder with public `.gt1` files, which are not ours to ship.
#[test]
fn public_programs_come_back_from_their_disassembly() {
    let Some(folder) = named("SCRIMP_GT1") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let (mut good, mut refused, mut wrong) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().extension().is_none_or(|e| e != "gt1") {
            continue;
        }
        let file = std::fs::read(entry.path()).expect("a file");
        match again(dir.path(), &file) {
            Ok(()) => good += 1,
            // Two values for one address.
            Err(why) if why.contains("two segments have bytes") => refused += 1,
            Err(why) => wrong.push(format!("{:?}: {why}", entry.path())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    println!("{good} files, {refused} that say two things");
    assert!(good > 10 * refused, "{good} {refused}");
}
