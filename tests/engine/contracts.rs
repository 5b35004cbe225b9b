//! Contracts: what they unlock, what they fence, and that code which goes against one is an
//! error.

use scrimp::image::Image;
use scrimp::optimize::contract::{Clause, Count, Outside, Standing, Written, read};
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

/// What came of a text: an image, a ledger, findings.
pub type Came = (Option<Image>, Option<Ledger>, String);

fn assemble(text: &str, outside: &[(&str, &str)]) -> Came {
    assemble_on(("z80", "", "native"), text, outside)
}

/// A text of a target, machine and dialect through the optimizer, with contracts outside of it.
pub fn assemble_on(
    (target, machine, dialect): (&str, &str, &str),
    text: &str,
    outside: &[(&str, &str)],
) -> Came {
    let target = scrimp::targets::by_name(target).expect("a target");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine(machine),
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    let mut toml = String::new();
    let list = outside.iter().map(|(subject, clauses)| {
        let start = toml.len() as u32;
        toml.push_str(clauses);
        Written {
            subject: (*subject).to_owned(),
            text: (*clauses).to_owned(),
            start,
        }
    });
    let list = list.collect();
    let settings = Settings {
        optimize: Some(Options {
            contracts: Outside {
                name: "program.toml".into(),
                list,
                text: toml,
            },
            ..Options::default()
        }),
        ..Settings::default()
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    (out.image, out.ledger, found)
}

fn good(text: &str) -> (Vec<u8>, Ledger) {
    let (image, ledger, found) = assemble(text, &[]);
    let ledger = ledger.expect("it was asked");
    let image = image.unwrap_or_else(|| panic!("{found}"));
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    (image.binary(0), ledger)
}

/// Bytes saved without and with a text.
fn saved(text: &str, contract: &str) -> (i64, i64) {
    let (_, without) = good(&text.replace("@@", ""));
    let (_, with) = good(&text.replace("@@", contract));
    (without.saved(), with.saved())
}

fn refused(text: &str) -> String {
    let (image, _, found) = assemble(text, &[]);
    assert!(image.is_none(), "it was taken: {text}");
    found
}

#[test]
fn a_number_that_is_no_address_holds_nothing() {
    let text = "        org $8000
start:  ld hl,$8010 @@
        ld de,(there)
        add hl,de
        ld a,(hl)
        ld (there),a
        call more
        jp start
more:   cp 0
        jp z,start
        jp start
label:  ld a,1
        out (1),a
        ret
there:  dw 0
";
    // Something is added to it and memory touched there: it may be where the table is, or how
    // far behind another place.
    let (without, with) = saved(text, "; scrimp: number");
    assert!(with > without, "{without} {with}");
    let (_, ledger) = good(&text.replace("@@", "; scrimp: number"));
    assert_eq!(ledger.contracts[0].standing, Standing::Trusted);
    // Right there memory is touched: whatever is said, it is an address.
    let direct = text.replace("ld a,(hl)", "ld a,($8010)");
    let (a, _) = good(&direct.replace("@@", "; scrimp: number"));
    let (b, _) = good(&direct.replace("@@", ""));
    assert_eq!(a[..0x10], b[..0x10], "{a:x?} {b:x?}");
    let found = refused("start:  ld a,1 ; scrimp: number\n        ret\n");
    assert!(found.contains("E0064"), "{found}");
}

/// Code whose address is kept in memory, where something reads it, stays; a contract says how much
/// of it is read, or that it is only gone to.
#[test]
fn code_that_is_kept_in_memory_reaches_as_far_as_it_is_said() {
    let text = "        org $8000
start:  ld hl,f         @@
        ld ($c000),hl
        call look
        call f
        jp start
look:   ld hl,($c000)
        ld a,(hl)
        ld ($c005),a
        ret
f:      ld a,($c002)
        cp 0
        jp z,near
        ld ($c003),a
near:   ld ($c004),a
        jp start
";
    let (without, one) = saved(text, "; scrimp: f: extent 3");
    let (_, none) = saved(text, "; scrimp: f: extent 0");
    assert!(without + 3 <= one && one <= none, "{without} {one} {none}");
}

#[test]
fn what_reaches_only_so_far_holds_no_more() {
    let text = "        org $8000
start:  ld hl,block     @@
        ld de,$c000
        ld bc,($c100)
        ldir
        jp rest
block:  ld a,1
        ld (7),a
        ret
rest:   cp 0
        jp z,rest
        jp start
";
    // `block` is copied: what stands behind it is not.
    let (without, with) = saved(text, "; scrimp: block: extent 6");
    assert!(with >= without + 2, "{without} {with}");
    // Where it is seen how long it is nobody has to say it.
    let (seen, said) = saved(&text.replace("($c100)", "6"), "; scrimp: block: extent 6");
    assert_eq!((seen, said), (with, with));
    // What stands at that label may go elsewhere, and then less is known.
    let (a, _) = good(&text.replace("@@", "; scrimp: block: extent rest"));
    let (b, _) = good(&text.replace("@@", "; scrimp: block: extent 6"));
    assert!(b.len() <= a.len(), "{a:x?} {b:x?}");
    for image in [a, b] {
        let block = [0x3e, 1, 0x32, 7, 0, 0xc9];
        assert!(image.windows(6).any(|w| w == block), "{image:x?}");
    }
}

#[test]
fn a_table_of_jumps_ends_with_its_jumps() {
    let text = "        org $8000
start:  ld a,(sel)
        ld c,a
        add a,a
        add a,c
        ld e,a
        ld d,0
        ld hl,jumps
        add hl,de
        jp (hl)
jumps:  jp one          @@
        jp two
one:    ld a,1
        cp 0
        jp z,out
        jp out
two:    ld a,2
        jp out
out:    ld (sel),a
        ret
sel:    db 1
";
    // A run of jumps is taken for a table in any case.
    let (without, with) = saved(text, "; scrimp: jumptable");
    assert!(without > 2 && with >= without, "{without} {with}");
    let (bytes, _) = good(&text.replace("@@", "; scrimp: jumptable 2"));
    // The table itself stays as it is, three bytes for each.
    let table = bytes.windows(6).any(|w| w[0] == 0xc3 && w[3] == 0xc3);
    assert!(table, "{bytes:x?}");
}

#[test]
fn a_routine_that_takes_a_byte_behind_its_call_lets_the_rest_go() {
    let text = "        org $8000
start:  call print
        db 65
        cp 0
        jp z,start
        call print
        db 66
        jp start
print:  pop hl          @@
        ld a,(hl)
        inc hl
        push hl
        out (1),a
        ret
";
    let (without, with) = saved(text, "; scrimp: inline 1");
    assert!(with > without, "{without} {with}");
    let (bytes, _) = good(&text.replace("@@", "; scrimp: inline 1"));
    let calls = bytes
        .windows(4)
        .filter(|w| w[0] == 0xcd && (65..67).contains(&w[3]));
    assert_eq!(calls.count(), 2, "{bytes:x?}");
    let text = text
        .replace("db 65", "db 65,0")
        .replace("db 66", "db 66,67,0");
    let (with, _) = good(&text.replace("@@", "; scrimp: inline until 0"));
    let (without, _) = good(&text.replace("@@", ""));
    assert!(with.len() < without.len());
}

#[test]
fn a_closed_program_has_only_the_entries_that_it_says() {
    let text = "        org $8000
start:  ld a,1          @@
        out (1),a
        jp start
unused: ld a,2
        out (2),a
        ret
used:   ld a,3
        out (3),a
        ret
";
    let (without, with) = saved(text, "; scrimp: closed");
    assert!(with >= without + 10, "{without} {with}");
    let more = text.replace("used:   ld a,3", "used:   ld a,3 ; scrimp: entry");
    let (bytes, _) = good(&more.replace("@@", "; scrimp: closed"));
    assert!(bytes.windows(2).any(|w| w == [0x3e, 3]) && !bytes.windows(2).any(|w| w == [0x3e, 2]));
}

#[test]
fn what_callers_from_outside_do_not_read_is_free() {
    let text = "        org $8000
draw:   ld a,(hl)       @@
        inc hl
        ld b,0
        or a
        ret
";
    let (without, with) = saved(text, "; scrimp: out a, clobbers f b hl");
    assert_eq!(without, 0);
    assert!(with >= 4, "{with}");
}

#[test]
fn calls_of_a_rom_leave_what_they_do_not_read() {
    let text = "        org $8000
start:  ld b,5
        ld a,65
        call $10
        ld b,6
        djnz start
        jp start
";
    let (_, without, _) = assemble(text, &[]);
    let (image, with, found) = assemble(text, &[("$10", "in a, clobbers a f")]);
    assert!(image.is_some(), "{found}");
    let (without, with) = (
        without.expect("asked").saved(),
        with.expect("asked").saved(),
    );
    // `ld b,5` is read by nobody.
    assert_eq!(with, without + 2);
    let (image, _, found) = assemble(text, &[("$10", "in a, clobers a f")]);
    assert!(image.is_none() && found.contains("E0064"), "{found}");
    let (image, _, found) = assemble(text, &[("strat", "entry")]);
    assert!(image.is_none() && found.contains("E0064"), "{found}");
}

#[test]
fn what_takes_its_time_takes_it_with_what_it_calls() {
    let text = "        org $8000
; scrimp: timing exact start
start:  cp 0
        jp z,start
        call wait
        jump start
; scrimp: timing exact end
other:  cp 0
        jp z,other
        jp start
wait:   cp 0
        jp z,wait
        ret
";
    let (bytes, ledger) = good(text);
    assert_eq!(
        bytes[..10],
        [0xfe, 0, 0xca, 0, 0x80, 0xcd, bytes[6], 0x80, 0x18, 0xf6]
    );
    let wait = usize::from(bytes[6]);
    assert_eq!(
        bytes[wait..wait + 3],
        [0xfe, 0, 0xca],
        "{}",
        ledger.to_text()
    );
    assert!(ledger.saved() >= 3);
    let found = refused("; scrimp: timing exact start\nstart:  ret\n");
    assert!(found.contains("timing exact end"), "{found}");
}

#[test]
fn kept_lines_and_modified_ones_stay() {
    let (bytes, _) = good(
        "        org $8000
start:  cp 0 ; scrimp: keep
        jp start
        ld a,1
here:   ld b,0 ; scrimp: keep, selfmod
        ret
",
    );
    assert!(bytes.windows(2).any(|w| w == [0xfe, 0]));
    assert!(bytes.windows(2).any(|w| w == [0x06, 0]));
}

#[test]
fn code_that_goes_against_its_contract_is_an_error() {
    for (routine, contract) in [
        ("inc hl\n ret", "preserves hl"),
        ("ld a,b\n ret", "clobbers f"),
        ("ld a,b\n out (1),a\n ret", "in a, clobbers a"),
        ("ld a,b\n ret", "in c, out a"),
        (
            "push bc\n call other\n ret\nother: pop hl\n pop bc\n ld d,c\n jp (hl)",
            "preserves d",
        ),
    ] {
        let text =
            format!("start: call it\nwait: jump wait\nit: ; scrimp: {contract}\n {routine}\n");
        let found = refused(&text);
        assert!(found.contains("E0065"), "{contract}: {found}");
    }
}

#[test]
fn code_that_keeps_its_contract_is_checked_or_trusted() {
    for (routine, contract, standing) in [
        ("ld a,b\n ret", "in b, out a, clobbers f", Standing::Checked),
        (
            "push hl\n inc hl\n ld a,l\n pop hl\n ret",
            "preserves hl",
            Standing::Trusted,
        ),
        ("ld a,b\n ret", "preserves bc", Standing::Checked),
        ("ld a,b\n ret", "returns", Standing::Checked),
    ] {
        let text = format!(
            "start: call it\n ld (v),a\n jump start\nit: ; scrimp: {contract}\n {routine}\nv: db 0\n"
        );
        let (_, ledger) = good(&text);
        let all: Vec<_> = ledger.contracts.iter().map(|c| c.standing).collect();
        assert!(all.iter().all(|s| *s == standing), "{contract}: {all:?}");
    }
}

#[test]
fn contracts_that_make_no_sense_are_errors() {
    for (contract, word) in [
        ("in zz", "zz"),
        ("extent nowhere", "nowhere"),
        ("bogus", "bogus"),
        ("inline", "number"),
        ("nobody: entry", "nobody"),
        ("program: entry", "whole program"),
        ("timing exact end", "start"),
        ("", "clause"),
    ] {
        let found = refused(&format!("start: ret ; scrimp: {contract}\n"));
        assert!(
            found.contains("E0064") && found.contains(word),
            "{contract}: {found}"
        );
    }
    // In a text it is none.
    good("start: ld hl,text\n ret\ntext: db \"; scrimp: bogus\"\n");
}

#[test]
fn clauses_are_read() {
    let c = read(" in a hl, out f.z,clobbers bc , returns").unwrap();
    assert_eq!(c.subject, None);
    let all: Vec<_> = c.clauses.into_iter().map(|c| c.0).collect();
    let list = |l: &[&str]| l.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let wanted = [
        Clause::In(list(&["a", "hl"])),
        Clause::Out(list(&["f.z"])),
        Clause::Clobbers(list(&["bc"])),
        Clause::Returns,
    ];
    assert_eq!(all, wanted);
    let c = read("lib/game.asm:12: number").unwrap();
    assert_eq!(c.subject.as_deref(), Some("lib/game.asm:12"));
    let c = read("$10: inline until $ff").unwrap();
    assert_eq!(c.subject.as_deref(), Some("$10"));
    assert_eq!(c.clauses[0].0, Clause::InlineUntil(255));
    assert_eq!(
        read("timing exact start").unwrap().clauses[0].0,
        Clause::TimingStart
    );
    assert_eq!(
        read("extent last").unwrap().clauses[0].0,
        Clause::Extent(Count::Name("last".into()))
    );
    assert_eq!(
        read("jumptable 12").unwrap().clauses[0].0,
        Clause::Jumptable(Some(12))
    );
}

#[test]
fn faults_have_a_place_and_help() {
    let f = read("in a, clobers bc").unwrap_err();
    assert_eq!(f.range, 6..13);
    assert_eq!(f.help.as_deref(), Some("is `clobbers` meant?"));
    let f = read("inline").unwrap_err();
    assert!(f.message.contains("number"), "{}", f.message);
    let f = read("inline until 256").unwrap_err();
    assert!(f.message.contains("a byte"), "{}", f.message);
    assert!(read("").is_err() && read("in").is_err() && read("timing").is_err());
    assert!(read(&"in a,".repeat(1000)).is_err());
    assert!(read("é: in a").is_ok());
    for n in 0..300u32 {
        // Whatever stands there, it is read or refused.
        let text: String = (0..12)
            .map(|i| char::from_u32(32 + (n * 7 + i * 31) % 400).unwrap_or(','))
            .collect();
        let _ = read(&text);
    }
}
