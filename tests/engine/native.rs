//! The native dialect: every row of its manual, bytes and findings.

use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};

fn assemble(files: &[(&str, &str)]) -> Output {
    let mut loader = MemoryLoader::default();
    for (name, text) in files {
        loader = loader.with(name, text.as_bytes());
    }
    let job = Job {
        file: files[0].0.into(),
        target: scrimp::targets::by_name("z80").expect("the Z80"),
        machine: None,
        dialect: "native".into(),
        defines: vec![("OUTSIDE".into(), 7.into())],
    };
    scrimp::assemble(&job, &loader)
}

fn findings(out: &Output) -> Vec<String> {
    out.diagnostics
        .iter()
        .map(|d| {
            format!(
                "{} {} {}",
                d.span.map_or(String::new(), |s| out.sources.place(s)),
                d.code,
                d.message
            )
        })
        .collect()
}

#[track_caller]
fn bytes(text: &str) -> Vec<u8> {
    let out = assemble(&[("main.asm", text)]);
    match &out.image {
        Some(i) => i.binary(0),
        None => panic!("{:#?}", findings(&out)),
    }
}

#[track_caller]
fn errors(text: &str) -> Vec<String> {
    let out = assemble(&[("main.asm", text)]);
    assert!(out.image.is_none(), "was assembled");
    findings(&out)
}

#[test]
fn numbers_and_operators() {
    assert_eq!(
        bytes("db 10, 1_0, $10, 0x10, 10h, %10, 0b10, 10b, 0o10, 10q, 'A'"),
        [10, 10, 16, 16, 16, 2, 2, 2, 8, 8, 65]
    );
    assert_eq!(
        bytes("db 1+2*3, 7/2, -7/2&255, 1<<2+1, 2+1<<2, 6&3+1, 2<3, !0, ~0&255, 5%3, 10%3"),
        [7, 3, 253, 8, 12, 4, 1, 1, 255, 2, 1]
    );
    assert_eq!(
        bytes("db 1?2:3, 0?2:3, 1||nowhere, 0&&nowhere, 1==1, 2!=2, 7^2, 8|1"),
        [2, 3, 1, 0, 1, 0, 5, 9]
    );
    assert_eq!(
        bytes(
            "db low($1234), high($1234), abs(-3), min(3,1,2), max(1,3), strlen(\"four\"), defined(OUTSIDE), defined(x), OUTSIDE"
        ),
        [0x34, 0x12, 3, 1, 3, 4, 1, 0, 7]
    );
    assert_eq!(
        bytes("dw 'ab', 1-2\ndd 0x12345678\ndb \"a\\n\\x41\\101\\\"\""),
        [97, 98, 255, 255, 0x78, 0x56, 0x34, 0x12, 97, 10, 65, 65, 34]
    );
}

/// A name that a later line of the scope defines is meant there, at known addresses too.
#[test]
fn inner_names_come_first_from_below() {
    let source = "org 0\nx: nop\nscope s\ndw x\nx: nop\ndw x\nends\ndw x";
    assert_eq!(bytes(source), [0, 3, 0, 0, 3, 0, 0, 0]);
    let source = "macro m\n jr .x\n nop\n.x:\nendm\norg 0\na: nop\n.x: m\n jr .x";
    assert_eq!(bytes(source), [0, 0x18, 1, 0, 0x18, 0xfb]);
}

#[test]
fn labels_and_scopes() {
    assert_eq!(
        bytes("one: nop\n.a: nop\ntwo: nop\n.a: nop\ndb one.a, two.a, .a"),
        [0, 0, 0, 0, 1, 3, 3]
    );
    assert_eq!(
        bytes("x equ y+1\ny = 4\nz set 1\ndb z\nz := z+1\ndb z, x"),
        [1, 2, 5]
    );
    assert_eq!(
        bytes("a1 = 1\nscope s\na1 = 2\ndb a1, b1\nends\nb1 = 3\ndb a1, s.a1"),
        [2, 3, 1, 2]
    );
    assert_eq!(
        bytes("org: nop\nLD: ld a, LD\nl: .x: k: db k"),
        [0, 0x3e, 1, 3]
    );
}

#[test]
fn data_and_structs() {
    assert_eq!(
        bytes("ds 2\nds 2, 7\nalign 8, 1\ndb 9"),
        [0, 0, 7, 7, 1, 1, 1, 1, 9]
    );
    assert_eq!(
        bytes("struct p\nx: db\ny: dw\nz: ds 4\nends\ndb p, p.y, p.z, sizeof(p)"),
        [7, 1, 3, 7]
    );
    assert_eq!(bytes("f: nop\nnop\ng: ret\ndb sizeof(f)"), [0, 0, 0xc9, 2]);
    let out = assemble(&[
        ("main.asm", "incbin \"x.bin\", 1, 2\nincbin \"x.bin\""),
        ("x.bin", "abcd"),
    ]);
    assert_eq!(out.image.expect("bytes").binary(0), b"bcabcd");
}

#[test]
fn blocks() {
    assert_eq!(
        bytes(
            "if OUTSIDE > 5\ndb 1\nelif 1\ndb 2\nelse\ndb 3\nendif\nifdef no\ndb 4\nendif\nifndef no\ndb 5\nendif"
        ),
        [1, 5]
    );
    assert_eq!(
        bytes("repeat 3, i\nl##i: db i*2\nendr\ndb l2\nrepeat 2, k, 5, 3\ndb k\nendr"),
        [0, 2, 4, 2, 5, 8]
    );
    assert_eq!(bytes("foreach r, 1, 2+3\ndb r\nendr"), [1, 5]);
    assert_eq!(
        bytes("macro m(a, b = 9)\n.l: db a, b, .l\nendm\nm 1\nm(2, 3)"),
        [1, 9, 0, 2, 3, 3]
    );
    assert_eq!(
        bytes("macro f(n)\nif n\ndb n\nf n-1\nendif\nendm\nf 3"),
        [3, 2, 1]
    );
    assert_eq!(
        bytes("macro e(x)\ndb 1\nif x\nexitm\nendif\ndb 2\nendm\ne 1\ne 0"),
        [1, 1, 2]
    );
    assert_eq!(bytes("macro q\nlocal w\nw: db w\nendm\nq\nq"), [0, 1]);
    // A macro may take the name of an instruction.
    assert_eq!(bytes("macro halt\ndb 1\nendm\nhalt"), [1]);
}

#[test]
fn jumps_take_the_shortest_form() {
    assert_eq!(
        bytes("a1: jump a1\njump nz, a1\njump po, a1"),
        [0x18, 0xfe, 0x20, 0xfc, 0xe2, 0, 0]
    );
    // 127 bytes forward is the farthest.
    let near = bytes("jump x\nds 127\nx: nop");
    assert_eq!((near[0], near[1], near.len()), (0x18, 127, 130));
    let far = bytes("jump x\nds 128\nx: nop");
    assert_eq!((&far[..3], far.len()), (&[0xc3, 131, 0][..], 132));
    // One that grows pushes the other out of reach.
    let both = bytes("jump x\njump y\nds 125\nx: ds 2\ny: nop");
    assert_eq!((both[0], both[2], both.len()), (0x18, 0x18, 132));
    let pushed = bytes("jump x\njump y\nds 125\nx: ds 3\ny: nop");
    assert_eq!((both.len(), pushed[0], pushed.len()), (132, 0xc3, 135));
    assert_eq!(&pushed[3..6], &[0xc3, 134, 0]);
}

#[test]
fn sections_float_in_regions() {
    let text = "region rom, start=$100, size=32\nsection a in rom\ndb 1\nsection b align=8\nx: db 2\nsection a\ndb 3\norg $110\ndb 4\nsection c\ndb 5\nassert x == $108\nassert $ == $10A, \"c is at \", $";
    let out = assemble(&[("main.asm", text)]);
    let image = out
        .image
        .as_ref()
        .unwrap_or_else(|| panic!("{:#?}", findings(&out)));
    assert_eq!(
        image.binary(0xff),
        [
            1, 3, 255, 255, 255, 255, 255, 255, 2, 5, 255, 255, 255, 255, 255, 255, 4
        ]
    );
    // The sum of all runs is the image.
    let runs: usize = image
        .chunks
        .iter()
        .flat_map(|c| &c.runs)
        .map(|r| r.len as usize)
        .sum();
    assert_eq!(runs, image.len());
}

#[test]
fn layout_faults_name_who_filled_the_place() {
    let e = errors("region r, start=0, size=4\nsection s in r\nbig: ds 3\nsmall: ds 3");
    assert!(
        e[0].contains("E0051") && e[0].contains("overfull by 2"),
        "{e:?}"
    );
    let out = assemble(&[("main.asm", "org 0\nbig: ds 3\norg 2\nsmall: db 1")]);
    assert!(findings(&out)[0].contains("E0050"), "{:?}", findings(&out));
    assert!(
        out.diagnostics[0].notes[0].contains("big 1"),
        "{:?}",
        out.diagnostics[0].notes
    );
    assert!(errors("org 65535\ndw 1")[0].contains("E0052"));
}

#[test]
fn every_fault_of_a_run_is_reported() {
    let e = errors(
        "ld a,300\nldx hl\njr far\nds 200\nfar: bit 9,a\nld hl, nowhere\ndb 1/0\nx: nop\nx: nop\nif",
    );
    let codes: Vec<&str> = e
        .iter()
        .map(|l| l.split(' ').nth(1).unwrap_or(""))
        .collect();
    assert_eq!(
        codes,
        [
            "E0022", "E0020", "E0022", "E0022", "E0030", "E0033", "E0031", "E0013", "E0040"
        ],
        "{e:#?}"
    );
}

#[test]
fn a_finding_in_a_macro_has_its_trail() {
    let out = assemble(&[
        ("main.asm", "include \"m.asm\"\n m 300"),
        ("m.asm", "macro m(x)\n repeat 1\n ld a, x\n endr\nendm"),
    ]);
    let d = &out.diagnostics[0];
    assert_eq!(d.code, "E0022");
    let trail: Vec<&str> = d.trail.iter().map(|f| f.what.as_str()).collect();
    assert_eq!(trail, ["in round 1 of the repeat", "in macro `m`, called"]);
}

#[test]
fn an_entry_that_is_undefined_in_a_macro_is_a_finding() {
    let e = errors("macro m\nend nowhere\nendm\nm");
    assert!(e[0].contains("E0030"), "{e:?}");
}

#[test]
fn circles_end() {
    assert!(errors("a1 equ b1\nb1 equ a1\ndb a1")[0].contains("E0032"));
    assert!(errors("macro m\nm\nendm\nm")[0].contains("E0043"));
    assert!(errors("repeat 100000\nrepeat 100000\nx set 1\nendr\nendr")[0].contains("E0043"));
    let mut chain = String::new();
    for i in 0..5000 {
        chain += &format!("c{i} equ c{}+1\n", i + 1);
    }
    chain += "c5000 equ 0\ndw c0";
    assert_eq!(bytes(&chain), 5000u16.to_le_bytes());
}

#[test]
fn a_line_means_what_its_words_mean_where_it_stands() {
    let same = "        ld b,1 ; one\n        nop\n        ld b,1\n        nop ; \"two\n";
    assert_eq!(bytes(same), [6, 1, 0, 6, 1, 0]);
    // A macro takes the place of a mnemonic from where it is defined.
    let shadowed = " nop\n nop\n macro nop()\n db 7\n endm\n nop\n nop\n";
    assert_eq!(bytes(shadowed), [0, 0, 7, 7]);
    let renamed = " def x = b\n ld x,1\n ld x,1\n undef x\n def x = c\n ld x,1\n ld x,1\n";
    assert_eq!(bytes(renamed), [6, 1, 6, 1, 14, 1, 14, 1]);
    let variable = "x set 1\n ld b,x\n ld b,x\nx set 2\n ld b,x\n ld b,x\n";
    assert_eq!(bytes(variable), [6, 1, 6, 1, 6, 2, 6, 2]);
    let here = " ld hl,$\n ld hl,$\n jr 0\n jr 0\n";
    assert_eq!(
        bytes(here),
        [0x21, 0, 0, 0x21, 3, 0, 0x18, 0xf8, 0x18, 0xf6]
    );
    let skipped = " nop\n nop\n if 0\n nop\n endif\n db 9\n";
    assert_eq!(bytes(skipped), [0, 0, 9]);
    let commented = " nop /* ; */ ; x\n nop /* ;\n nop */\n nop /* ; */\n";
    assert_eq!(bytes(commented), [0, 0, 0]);
}
