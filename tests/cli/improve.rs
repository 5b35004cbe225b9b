//! What the optimizer finds, written into sources: in every dialect they assemble to the
//! bytes of `build -O`, and nothing else of them is other than it was.

use super::bench::Bench;

/// For all assemblers of the Z80.
const Z80: &str = "\
ORG
start:  ld a,0          ; zero
        cp 0            ; compare
        jp z,next       ; \u{e9}\u{20ac}
        ld b,5
        ld b,6          ; six
next:   ld (hl),b
        inc hl
        jp nz,start
        call twice
        call other
        jp start
twice:  inc hl
        ld a,(hl)
        xor 55h
        ld (hl),a
        inc de
        ld (de),a
        ret
other:  dec hl
        ld b,(hl)
        inc hl
        ld a,(hl)
        xor 55h
        ld (hl),a
        inc de
        ld (de),a
        jp far
        ld (hl),b
far:    ld (hl),c
        ret
";

/// For those of the AVR.
const AVR: &str = "\
        rjmp start
        .org 0x80
start:  ldi r16,5       ; five
        mov r2,r16
        jmp next        ; long
        ldi r17,1
next:   cpi r16,0
        breq skip
        rjmp on
skip:   call twice
        jmp start       ; again
on:     call twice      ; call
        ret
twice:  inc r16
        mov r4,r16
        inc r17
        mov r5,r17
        ret
";

fn source(dialect: &str) -> (String, &'static str) {
    match dialect {
        "avrasm2" | "avra" | "gas-avr" => (AVR.to_owned(), "ATmega328P"),
        "tasm" => (Z80.replace("ORG", " .org 8000h") + "        .end\n", ""),
        "native" | "native-cpp" => (Z80.replace("ORG", " org $8000").replace("55h", "$55"), ""),
        _ => (Z80.replace("ORG", " org 8000h"), ""),
    }
}

/// All that take one of these sources.
const DIALECTS: [&str; 13] = [
    "native",
    "native-cpp",
    "pasmo",
    "z80asm",
    "sjasmplus",
    "sjasm",
    "zasm",
    "zmac",
    "tasm",
    "mdl",
    "avrasm2",
    "avra",
    "gas-avr",
];

fn target(machine: &str) -> Vec<&str> {
    match machine {
        "" => vec!["--target", "z80"],
        m => vec!["--target", "avr", "--machine", m],
    }
}

#[test]
fn written_sources_are_the_optimized_program_in_every_dialect() {
    for (i, d) in DIALECTS.into_iter().enumerate() {
        let (text, machine) = source(d);
        let crlf = i % 2 == 0;
        let text = match crlf {
            true => text.replace('\n', "\r\n").replace("        ", "\t"),
            false => text.clone(),
        };
        let b = Bench::new(&[("main.asm", &text)]);
        let with = |first: &[&str], rest: &[&str]| {
            let args = [first, &["--dialect", d], &target(machine), rest].concat();
            let ran = b.run(&args);
            assert_eq!(ran.code, Some(0), "{d}: {}{}", ran.out, ran.err);
            ran
        };
        with(
            &["build", "main.asm"],
            &["-o", "plain.bin", "--emit", "bin"],
        );
        with(
            &["build", "-O", "main.asm"],
            &["-o", "wanted.bin", "--emit", "bin"],
        );
        let ran = with(&["optimize", "main.asm"], &["--write", "out"]);
        assert!(!ran.out.contains("not written"), "{d}: {}", ran.out);
        with(
            &["build", "out/main.asm"],
            &["-o", "found.bin", "--emit", "bin"],
        );
        let (wanted, found) = (b.read("wanted.bin"), b.read("found.bin"));
        assert!(wanted.is_some() && wanted == found, "{d}");
        assert!(
            b.read("plain.bin").map(|p| p.len()) > wanted.map(|w| w.len()),
            "{d}"
        );
        let new = String::from_utf8(b.read("out/main.asm").expect("a file")).expect("text");
        // Lines that are there still are as they were, to the last byte.
        let old: Vec<&str> = text.split('\n').collect();
        let same = new.split('\n').filter(|l| old.contains(l)).count();
        assert!(same * 3 > old.len(), "{d}: {new}");
        let ends = |t: &str| t.matches('\n').count() == t.matches("\r\n").count();
        assert_eq!(ends(&new), crlf, "{d}: {new}");
        for remark in text.lines().filter_map(|l| l.split_once("; ")) {
            assert!(new.contains(remark.1.trim_end()), "{d}: {new}");
        }
    }
}

/// Macros, repetitions and files that are read twice: only what holds wherever they stand.
#[test]
fn what_is_read_more_than_once_changes_only_where_it_holds_for_all() {
    let main = "\
        org 8000h
put     macro n
        ld c,n
        in b,(c)
        ld a,b
        cp 0
        jp z,done
        inc hl
        endm
also    macro n
        ld b,n
        ld a,b
        cp 0
        jp z,done
        inc hl
        endm
keep    macro n
        ld a,n
        ld (de),a
        inc de
        endm
start:  put 5
        put 6
        also 5
        also 6
        keep 0
        keep 1
        rept 2
        ld a,(hl)
        jp z,done
        inc hl
        endm
        include \"twice.inc\"
        include \"twice.inc\"
        jp start
done:   ld (hl),a
        jp start
";
    let twice = "        ld a,(de)\n        cp 0\n        jp z,done ; far\n        inc de\n";
    let b = Bench::new(&[("main.asm", main), ("twice.inc", twice)]);
    let args = ["--target", "z80", "--dialect", "pasmo"];
    let run = |first: &[&str]| {
        let ran = b.run(&[first, &args].concat());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        ran
    };
    let ran = run(&["optimize", "main.asm", "--write", "out"]);
    let text = |name: &str| String::from_utf8(b.read(name).expect("a file")).expect("text");
    let (new, inc) = (text("out/main.asm"), text("out/twice.inc"));
    assert!(
        new.contains("        ld a,b\n        or a\n        jr z,done\n"),
        "{new}"
    );
    assert!(new.contains("        ld a,n\n"), "{new}");
    assert!(
        new.contains("        rept 2\n        ld a,(hl)\n        jr z,done\n"),
        "{new}"
    );
    assert_eq!(inc, twice.replace("cp 0", "or a").replace("jp z", "jr z"));
    assert!(
        ran.out.contains("wherever this line is expanded"),
        "{}",
        ran.out
    );
    run(&["build", "out/main.asm", "-o", "found.bin"]);
    let (found, plain) = (
        b.read("found.bin"),
        run(&["build", "main.asm", "-o", "plain.bin"]),
    );
    assert!(plain.code == Some(0) && found.map(|f| f.len()) < b.read("plain.bin").map(|f| f.len()));
}

/// Labels with local ones, and contracts in remarks, stay with what they are about.
#[test]
fn local_labels_and_contracts_are_not_parted_from_theirs() {
    let main = "\
        org $8000
start:  ld b,1              ; scrimp: preserves d
        ld b,(hl)
        jp z,other
.one:   inc a
        jp nz,.one
        ret
        ; scrimp: preserves d, preserves e
other:  ld a,(hl)
.one:   dec a
        jp nz,.one
        inc hl
        jp start
";
    let b = Bench::new(&[("main.asm", main)]);
    let ran = b.run(&["optimize", "main.asm", "--write", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let new = String::from_utf8(b.read("out/main.asm").expect("a file")).expect("text");
    assert!(new.contains("        jr nz,.one\n        ret\n"), "{new}");
    assert!(new.contains("start:  ld b,1 "), "{new}");
    assert!(ran.out.contains("a contract in a remark"), "{}", ran.out);
    let about = |l: &str| {
        new.lines()
            .skip_while(|x| !x.contains(l))
            .nth(1)
            .map(str::to_owned)
    };
    assert_eq!(
        about("preserves d, preserves e").as_deref(),
        Some("other:  ld a,(hl)"),
        "{new}"
    );
}

#[test]
fn folders_and_files_of_others_stay() {
    let b = Bench::new(&[
        ("p/main.asm", Z80_NATIVE),
        ("p/program.toml", TOML),
        ("out/main.asm", "mine\n"),
    ]);
    let ran = b.run(&["optimize", "p", "--write", "out"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("--force"),
        "{}",
        ran.err
    );
    assert_eq!(b.read("out/main.asm").as_deref(), Some(&b"mine\n"[..]));
    assert_eq!(b.names("out"), ["main.asm"]);
    let ran = b.run(&["optimize", "p", "--write", "out", "--force"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.names("out"), ["main.asm", "program.toml"]);
    // What is the same already is no foreign file.
    assert_eq!(b.run(&["optimize", "p", "--write", "out"]).code, Some(0));
    assert_eq!(b.run(&["build", "out"]).code, Some(0));
    let ran = b.run(&["optimize", "p", "--write", "p"]);
    assert!(ran.code == Some(2), "{}", ran.err);
    assert_eq!(b.read("p/main.asm").as_deref(), Some(Z80_NATIVE.as_bytes()));
    let ran = b.run(&["optimize", "p", "--in-place"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("p/main.asm"), b.read("out/main.asm"));
    let again = b.run(&["optimize", "p", "--in-place"]);
    assert!(again.out.contains("nothing changed"), "{}", again.out);
    let ran = b.run(&["optimize", "zx81-chess", "--in-place"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("--write"),
        "{}",
        ran.err
    );
}

const TOML: &str = "main = 'main.asm'\ntarget = 'z80'\n";
const Z80_NATIVE: &str = "\
        org $8000
start:  ld a,(hl)
        cp 0
        jp z,start
        ld b,1
        ld b,2
        ld (hl),b
        jp start
";

#[test]
fn changes_are_accepted_one_by_one() {
    let b = Bench::new(&[("main.asm", Z80_NATIVE)]);
    let ran = b.run(&["optimize", "main.asm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(b.names("").iter().all(|n| n == "main.asm"));
    let number = |what: &str| {
        let line = ran.out.lines().find(|l| l.contains(what)).expect(what);
        line.split_whitespace().next().expect("a number").to_owned()
    };
    let write = |more: &[&str]| {
        let args = ["optimize", "main.asm", "--write", "out", "--force"];
        let ran = b.run(&[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        String::from_utf8(b.read("out/main.asm").expect("a file")).expect("text")
    };
    let one = write(&["--only", &number("cp-zero")]);
    assert_eq!(one, Z80_NATIVE.replace("cp 0", "or a"));
    let two = [number("result not used"), number("jp z")].join(",");
    let two = write(&["--only", &two]);
    let wanted = Z80_NATIVE.replace("        ld b,1", "        ;ld b,1");
    assert_eq!(two, wanted.replace("jp z", "jr z"));
    let short = write(&["--rule", "the short form reaches"]);
    assert_eq!(short, Z80_NATIVE.replace("jp", "jr"));
    assert_eq!(write(&["--rule", "branches"]), short);
    for bad in [["--only", "99"], ["--only", "0"], ["--rule", "cp-zerro"]] {
        let ran = b.run(&[&["optimize", "main.asm", "--write", "x"][..], &bad].concat());
        assert_eq!(ran.code, Some(2), "{bad:?}: {}", ran.err);
        assert!(b.read("x/main.asm").is_none());
    }
}

/// A mark of UTF-8, bytes of a code page, ends of lines as on old Macs.
#[test]
fn encodings_stay() {
    for (name, from, to) in [
        ("mark", &b"\xef\xbb\xbf"[..], &b""[..]),
        ("page", &b"; \xe4\xf6\n"[..], &b""[..]),
        ("mac", &b"; mac\r"[..], &b"\r"[..]),
    ] {
        let body = Z80_NATIVE.as_bytes();
        let body: Vec<u8> = match name {
            "mac" => body
                .iter()
                .map(|&c| if c == b'\n' { b'\r' } else { c })
                .collect(),
            _ => body.to_vec(),
        };
        let bytes = [from, &body, to].concat();
        let b = Bench::new(&[]);
        std::fs::write(b.path("main.asm"), &bytes).expect("a file");
        let ran = b.run(&["optimize", "main.asm", "--write", "out"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        let new = b.read("out/main.asm").expect("a file");
        let text: String = new.iter().map(|&c| c as char).collect();
        assert!(
            new.starts_with(from) && text.contains("or a") && !text.contains("cp 0"),
            "{name}"
        );
        assert_eq!(name == "mac", !new.contains(&b'\n'), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_left_half_written() {
    use std::os::unix::fs::PermissionsExt;
    let b = Bench::new(&[
        ("p/main.asm", Z80_NATIVE),
        ("p/program.toml", TOML),
        ("out/x", ""),
    ]);
    let mode = |m| std::fs::set_permissions(b.path("out"), std::fs::Permissions::from_mode(m));
    mode(0o555).expect("permissions");
    // Who may do everything is not stopped by permissions.
    let may = std::fs::write(b.path("out/probe"), "").is_ok();
    if !may {
        let ran = b.run(&["optimize", "p", "--write", "out"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert_eq!(b.names("out"), ["x"]);
    }
    mode(0o755).expect("permissions");
    std::fs::create_dir_all(b.path("q/program.toml")).expect("a folder");
    let ran = b.run(&["optimize", "p", "--write", "q", "--force"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(b.names("q"), ["program.toml"]);
}
