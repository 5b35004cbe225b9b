//! `scrimp test` on all three targets, as people and tools see it.

use super::bench::Bench;
use std::path::Path;

const ZX81: &str = "        machine zx81-1k
        org 16514
start:  jump start
add:    add a,b
        ret nc
        ld c,1
        ret
outer:  push bc
        call add
        call $0807
        pop bc
        in a,($fe)
        out ($55),a
        ld hl,table
        ld b,(hl)
        ret
table:  db 1,2,3
room:   ds 4
peeks:  ld a,($43b0)
        ret
";

const AVR: &str = "        machine attiny2313
        org 0
        rjmp start
add:    add r16,r17
        brcc .done
        ldi r18,1
.done:  ret
blink:  sbi $17,0
        sbi $18,0
        cbi $18,0
        ret
look:   in r16,$16
        lds r17,$60
        ret
start:  ldi r16,223
        out $3d,r16
loop:   rjmp loop
        section data in sram
sum:    ds 2
";

const GIGATRON: &str = "        machine gigatron-32k
        section main in rom
start:  ld 5
        adda 7
        beq skip
        nop
        st [$30]
        ld 1
skip:   st [$31]
        ld in
        st [$32]
        ld [$33]
done:   bra done
        nop
";

/// A source with one test.
fn with(source: &str, lines: &str) -> String {
    format!("{source}        test \"it\"\n{lines}\n        endtest\n")
}

/// What each target can be asked, line by line; all of it holds.
const GOOD: [(&str, &str); 9] = [
    (
        ZX81,
        "set a = 5, b = 7\ncall add\nexpect a = 12\nexpect f.c = 0\nexpect clocks = 15\n\
         expect stack = 2\nset a = 250, c = 0\ncall add within 1 ms\nexpect c = 1\nexpect f.c = 1",
    ),
    (
        ZX81,
        "mock $0807: a = 9, [room] = 1, 2\nmock port $fe = $aa, 3\nset a = 1, b = 1\ncall outer\n\
         expect b = 1\nexpect a = $aa\nexpect [room] = 1, 2, 0\nexpect port $55 = $aa\n\
         expect stack = 6\nexpect word [table] = $0201\n\
         call outer\nexpect a = 3",
    ),
    (
        ZX81,
        "watch memory\ncall add\nset [$43b0] = 1\ncall peeks\nexpect a = 1",
    ),
    (
        ZX81,
        "run 20 frames\nexpect no screen \"QQ\"\npress A\nrelease A\nkeys \"E,w2\"",
    ),
    (
        AVR,
        "set r16 = 5, r17 = 250, r18 = 0\ncall add\nexpect r16 = 255\nexpect r18 = 0\n\
         expect clocks = 7\nset r16 = 6\ncall add\nexpect r18 = 1\nexpect sreg.c = 1",
    ),
    (
        AVR,
        "call blink\nexpect pin PB0 = 0\nexpect port $38 = 1, 0\nmock port $36 = $a5\n\
         set [sram:$60] = 7, [sum] = 7\ncall look\nexpect r16 = $a5\nexpect r17 = 7\nexpect stack = 2",
    ),
    (
        AVR,
        "run until loop within 100\nexpect clocks = 4\nexpect sp = 223\npin PB0 = 1\nrun 10 clocks\nset r16 = 0\n\
         call look\nexpect r16 = 1",
    ),
    (
        GIGATRON,
        "start start\nrun until skip within 100\nexpect [ram:$30] = 12\nexpect ac = 1\n\
         expect clocks = 6\nmock port 0 = $42\nrun until done\nexpect [ram:$32] = $42",
    ),
    (
        GIGATRON,
        "start start\nset [ram:$33] = 1\nwatch memory\nrun until done",
    ),
];

#[test]
fn what_holds_passes_on_every_target() {
    for (source, lines) in GOOD {
        let b = Bench::new(&[("a.asm", &with(source, lines))]);
        let ran = b.run(&["test", "a.asm"]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{lines}\n{}", ran.out);
        assert!(ran.out.ends_with("1 passed, 0 failed\n"), "{}", ran.out);
        // Counting changes nothing.
        let ran = b.run(&["test", "a.asm", "--coverage", "c.info"]);
        assert_eq!(ran.code, Some(0), "{lines}\n{}", ran.out);
    }
}

/// Each expectation with another number: all of them fail, and say where.
#[test]
fn what_does_not_hold_fails() {
    let mut tried = 0;
    for (source, lines) in GOOD {
        for (i, line) in lines.lines().enumerate() {
            let Some((what, value)) = line
                .split_once(" = ")
                .filter(|_| line.starts_with("expect"))
            else {
                continue;
            };
            let first = value.split(',').next().unwrap_or(value);
            let rest = &value[first.len()..];
            let other = format!("{what} = ({first}) ^ 1{rest}");
            let mut changed: Vec<&str> = lines.lines().collect();
            changed[i] = &other;
            let text = with(source, &changed.join("\n"));
            let b = Bench::new(&[("a.asm", &text)]);
            let ran = b.run(&["test", "a.asm"]);
            assert_eq!(ran.code, Some(1), "{other}\n{}", ran.out);
            let at = source.lines().count() + 2 + i;
            assert!(
                ran.out.contains(&format!("a.asm:{at}: ")),
                "{other}\n{}",
                ran.out
            );
            assert!(ran.out.ends_with("0 passed, 1 failed\n"), "{}", ran.out);
            tried += 1;
        }
    }
    assert!(tried > 25, "{tried}");
    let bad = [
        (ZX81, "set a = 300", "a does not hold 300"),
        (ZX81, "set q = 1", "there is no register q"),
        (
            ZX81,
            "call start within 10 ms",
            "did not return within 32,500 T-states",
        ),
        (ZX81, "call adds", "there is no name adds; is add meant?"),
        (
            ZX81,
            "watch memory\ncall peeks",
            "reads $43B0, which was never written",
        ),
        (ZX81, "expect screen \"X\"", "no line of the screen"),
        (ZX81, "type \"x\"", "has no serial terminal"),
        (ZX81, "pin B0 = 1", "has no pin"),
        (ZX81, "keys \"NOKEY\"", "NOKEY"),
        (ZX81, "set [table] = 256", "256 does not fit 1 byte"),
        (ZX81, "run 1 frames\nexpect halted", "did not halt"),
        (
            AVR,
            "watch memory\ncall look",
            "in look reads $0060, which was never written",
        ),
        (AVR, "expect light PB0 = 1", "there is no light"),
        (
            AVR,
            "expect [nowhere:1] = 1",
            "there is no address space nowhere",
        ),
        (GIGATRON, "call start", "nothing is called on gigatron-32k"),
        (
            GIGATRON,
            "start start\nwatch memory\nrun until done",
            "reads $0033",
        ),
        (GIGATRON, "expect [start] = 1", "words that no test reads"),
        (GIGATRON, "set ac = 1/0", "a division by 0"),
    ];
    for (source, lines, why) in bad {
        let b = Bench::new(&[("a.asm", &with(source, lines))]);
        let ran = b.run(&["test", "a.asm"]);
        assert_eq!(ran.code, Some(1), "{lines}\n{}", ran.out);
        assert!(ran.out.contains(why), "{lines}: {why}\n{}", ran.out);
    }
}

#[test]
fn tests_cost_no_byte_and_their_name_is_free() {
    let label = "        org 0\ntest:   ld a,1\n        jump test\n        call test\n";
    let b = Bench::new(&[
        ("plain.asm", ZX81),
        ("tested.asm", &with(ZX81, "set a = 1")),
        ("label.asm", label),
        ("stray.asm", "        endtest\n"),
        ("open.asm", " nop\n test \"x\"\n set a = 1\n"),
        ("macro.asm", "macro m\n test \"x\"\n endtest\nendm\n m\n"),
        ("bad.asm", " test \"x\"\n expects a = 1\n endtest\n"),
    ]);
    for name in ["plain", "tested"] {
        let ran = b.run(&[
            "build",
            &format!("{name}.asm"),
            "--emit",
            "bin",
            "-o",
            &format!("{name}.bin"),
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    assert_eq!(b.read("plain.bin"), b.read("tested.bin"));
    assert_eq!(b.run(&["check", "label.asm"]).code, Some(0));
    for (file, code) in [("stray", "E0041"), ("open", "E0040"), ("bad", "E0090")] {
        let ran = b.run(&["check", &format!("{file}.asm"), "--target", "z80"]);
        assert_eq!(ran.code, Some(1), "{file}");
        assert!(ran.err.contains(code), "{file}: {}", ran.err);
    }
    assert_eq!(
        b.run(&["check", "macro.asm", "--target", "z80"]).code,
        Some(1)
    );
}

#[test]
fn tests_of_any_dialect_stand_in_the_program_file() {
    let source = " ORG 16514\nadd: ADD A,B\n RET\n";
    let toml = "main = 'a.asm'\nmachine = 'zx81-1k'\ndialect = 'pasmo'\n[test]\n\
                'sum' = '''\nset a = 1, b = 2\ncall add\nexpect a = 3\n'''\n\
                'other' = \"call add\\nexpect a = 77\"\n";
    let b = Bench::new(&[("p/a.asm", source), ("p/program.toml", toml)]);
    let ran = b.run(&["test", "p"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("ok    sum ("), "{}", ran.out);
    assert!(ran.out.contains("program.toml:10: a is "), "{}", ran.out);
    assert_eq!(b.run(&["test", "p", "SUM"]).code, Some(0));
    let none = b.run(&["test", "p", "nothing"]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("there are: other, sum"), "{}", none.err);
    let list = b.run(&["test", "p", "--list"]);
    assert_eq!(list.out.lines().count(), 2, "{}", list.out);
    let wrong = toml.replace("expect a = 3", "expct a = 3");
    let b = Bench::new(&[("p/a.asm", source), ("p/program.toml", &wrong)]);
    let ran = b.run(&["test", "p"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("program.toml:8:1: error[E0090]"),
        "{}",
        ran.err
    );
    let b = Bench::new(&[("a.asm", " nop\n")]);
    let ran = b.run(&["test", "a.asm", "--machine", "zx81-1k"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("has no tests"), "{}", ran.err);
}

#[test]
fn tools_read_what_came_of_it() {
    let two = format!(
        "{}{}",
        with(ZX81, "call add").replace("\"it\"", "\"good # one\""),
        "        test \"bad <one>\"\n        set a = 1, b = 1\n        call add\n        expect a = 5\n        endtest\n"
    );
    let b = Bench::new(&[("a.asm", &two)]);
    let tap = b.run(&["test", "a.asm", "--format", "tap"]);
    assert_eq!(tap.code, Some(1));
    assert!(
        tap.out.starts_with(
            "TAP version 14\n1..2\nok 1 - good \\# one\nnot ok 2 - bad <one>\n  ---\n"
        ),
        "{}",
        tap.out
    );
    assert!(
        tap.out.contains("message: \"a is 2, not 5\""),
        "{}",
        tap.out
    );
    let xml = b.run(&["test", "a.asm", "--format", "junit", "-o", "r.xml"]);
    assert_eq!(xml.code, Some(1));
    assert!(xml.out.ends_with("1 passed, 1 failed\n"), "{}", xml.out);
    let xml = String::from_utf8(b.read("r.xml").expect("a file")).expect("text");
    assert!(xml.contains("tests=\"2\" failures=\"1\""), "{xml}");
    assert!(
        xml.contains("name=\"bad &lt;one&gt;\"")
            && xml.contains("<failure message=\"a is 2, not 5\">")
    );
    let json = b.run(&["test", "a.asm", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&json["schema"], &json["passed"], &json["failed"]),
        (&1.into(), &1.into(), &1.into())
    );
    assert_eq!(json["tests"][1]["failures"][0]["message"], "a is 2, not 5");
    // Coverage: `add` was called twice, and its return never went on.
    b.run(&["test", "a.asm", "--coverage", "c.info"]);
    let info = String::from_utf8(b.read("c.info").expect("a file")).expect("text");
    for line in [
        "SF:a.asm",
        "DA:4,2",
        "DA:5,2",
        "DA:6,0",
        "BRDA:5,0,0,2",
        "BRDA:5,0,1,0",
        "BRF:2",
        "BRH:1",
        "LF:16",
        "LH:2",
    ] {
        assert!(info.lines().any(|l| l == line), "{line}\n{info}");
    }
    let ran = b.run(&["test", "a.asm", "--coverage", "c.lst"]);
    assert!(
        ran.out
            .contains("2 of 16 instructions executed, 1 of 2 ways of branches"),
        "{}",
        ran.out
    );
    let listing = String::from_utf8(b.read("c.lst").expect("a file")).expect("text");
    let row = |n: usize| {
        listing
            .lines()
            .nth(n + 2)
            .expect("a line")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(row(5), "2 > 5 ret nc");
    assert_eq!(row(6), "##### 6 ld c,1");
    // On the AVR and the Gigatron branches have two ways too.
    for (source, lines, line) in [
        (
            AVR,
            "set r16 = 255, r17 = 1\ncall add\nset r16 = 1\ncall add",
            "2 >< 5 brcc .done",
        ),
        (GIGATRON, "start start\nrun until done", "1 < 5 beq skip"),
    ] {
        let b = Bench::new(&[("a.asm", &with(source, lines))]);
        b.run(&["test", "a.asm", "--coverage", "c.lst"]);
        let listing = String::from_utf8(b.read("c.lst").expect("a file")).expect("text");
        let rows = listing
            .lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
        assert!(rows.into_iter().any(|r| r == line), "{line}\n{listing}");
    }
}

#[test]
fn snapshots_are_taken_compared_and_read_by_insta() {
    let lines = "snapshot sizes\nsnapshot bytes\nsnapshot listing\nsnapshot map";
    let b = Bench::new(&[
        ("p/a.asm", &with(ZX81, lines)),
        ("p/program.toml", "main = 'a.asm'\nname = 'snap'\n"),
    ]);
    let ran = b.run(&["test", "p"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("there is no snapshot yet"), "{}", ran.out);
    let new = "p/snapshots/snap__it__bytes.snap.new";
    assert!(b.read(new).is_some());
    let ran = b.run(&["test", "p", "--accept"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("4 snapshots accepted"), "{}", ran.out);
    assert!(b.read(new).is_none());
    let ran = b.run(&["test", "p"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    // insta takes the same content as the same.
    let kept = b.read("p/snapshots/snap__it__bytes.snap").expect("a file");
    let kept = String::from_utf8(kept).expect("text");
    let content = kept
        .split("---\n")
        .nth(2)
        .expect("behind the head")
        .trim_end();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(b.path("p/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("snap__it__bytes", content));
    // Another byte is another snapshot, and shows where.
    let other = with(&ZX81.replace("db 1,2,3", "db 1,2,4"), lines);
    std::fs::write(b.path("p/a.asm"), other).expect("it can be written");
    let ran = b.run(&["test", "p"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("bytes is another") && ran.out.contains("it differs from line"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("snap__it__bytes.snap.new"));
    assert!(!ran.out.contains("sizes is another"), "{}", ran.out);
}

/// The programs that come along do what their tests say, also from within the command.
#[test]
fn the_shipped_programs_pass_their_tests() {
    let b = Bench::new(&[]);
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    for name in [
        "ee476",
        "gigatron-chess",
        "tiny-chess960",
        "tinyhouse",
        "tinyhouse-zx81",
        "zx81-chess",
        "zx81-chess-seed",
    ] {
        let ran = b.run(&["test", name]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{name}\n{}", ran.out);
        assert!(programs.join(name).join("program.toml").is_file());
    }
}

#[test]
fn warnings_are_denied_and_silenced() {
    let text = "        machine attiny85
        warning \"hello\"
loop:   rjmp loop
        test \"it runs\"
        run 1 frames
        endtest
";
    let b = Bench::new(&[("a.asm", text)]);
    let ran = b.run(&["test", "a.asm"]);
    assert!(
        ran.code == Some(0) && ran.err.contains("hello"),
        "{}",
        ran.err
    );
    let ran = b.run(&["test", "a.asm", "-W", "no-user-warning"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let ran = b.run(&["test", "a.asm", "--deny", "warnings"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("W0003"),
        "{}",
        ran.err
    );
    assert_eq!(ran.out, "");
}
