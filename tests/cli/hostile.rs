//! Hostile and broken sources through the built command: each ends in time and in
//! bounded memory, with a located message, and touches no output.
//!
//! The cases are those that were measured on sixteen assemblers (none passes all of
//! them): loops, bombs, deep nesting, devices, endless lines, random bytes.
#![cfg(unix)]

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Address space that the command may use, in KiB.
const MEMORY: u32 = 256 << 10;
/// A process that waits for ever.
const GIVEN_UP: Duration = Duration::from_secs(180);
/// Optimised builds have two seconds of CPU time; unoptimised ones are given more.
const SECONDS: u64 = if cfg!(debug_assertions) { 20 } else { 2 };
const MOST_MESSAGES: usize = 100;
const MOST_TEXT: usize = 64 << 10;
const OLD: &[u8] = b"an earlier output";

/// How a dialect writes what the cases need.
struct Words {
    dialect: &'static str,
    macro_head: fn(&str) -> String,
    repeat: Option<fn(u64) -> String>,
    end_repeat: &'static str,
    comment: Option<&'static str>,
}

const DIALECTS: [Words; 4] = [
    Words {
        dialect: "native",
        macro_head: |n| format!("macro {n}()"),
        repeat: Some(|n| format!("  repeat {n}")),
        end_repeat: "  endr",
        comment: Some("/*"),
    },
    Words {
        dialect: "pasmo",
        macro_head: |n| format!("{n} macro"),
        repeat: Some(|n| format!("  rept {n}")),
        end_repeat: "  endm",
        comment: None,
    },
    Words {
        dialect: "z80asm",
        macro_head: |n| format!("{n}: macro"),
        repeat: None,
        end_repeat: "",
        comment: None,
    },
    Words {
        dialect: "sjasmplus",
        macro_head: |n| format!("  macro {n}"),
        repeat: Some(|n| format!("  dup {n}")),
        end_repeat: "  edup",
        comment: Some("/*"),
    },
];

/// Cases that assemble as the original assembler of the dialect has it: pasmo counts in
/// 16 bits, so that large and negative counts are other counts; sjasmplus goes back by
/// negative ones of its 32 bits, with a warning. The native dialect refuses
/// them all.
const TOLERATED: [(&str, &str); 5] = [
    ("pasmo", "a long repeat"),
    ("pasmo", "a huge space"),
    ("pasmo", "a negative space"),
    ("sjasmplus", "a huge space"),
    ("sjasmplus", "a negative space"),
];

/// A case: its name, files, and whether it must assemble.
struct Case {
    name: &'static str,
    main: Vec<u8>,
    other: Option<&'static str>,
    good: bool,
}

/// Bytes that look random and are always the same.
fn noise(n: usize) -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    (0..n).map(|_| next()).collect()
}

fn cases(w: &Words) -> Vec<Case> {
    let mut out = Vec::new();
    let mut add = |name, main: String| {
        out.push(Case {
            name,
            main: main.into_bytes(),
            other: None,
            good: false,
        });
    };
    add("includes itself", "  include \"main.asm\"\n".into());
    add(
        "includes a missing file",
        " nop\n  include \"nowhere.asm\"\n".into(),
    );
    add("includes a folder", "  include \"folder\"\n".into());
    add("includes a pipe", "  include \"pipe\"\n".into());
    add("includes an endless device", "  include \"zero\"\n".into());
    add(
        "incbin of a missing file",
        "  incbin \"nowhere.bin\"\n".into(),
    );
    add("incbin of a folder", "  incbin \"folder\"\n".into());
    add("incbin of a pipe", "  incbin \"pipe\"\n".into());
    add("incbin of an endless device", "  incbin \"zero\"\n".into());
    let m = |name: &str, calls: &str| format!("{}\n  {calls}\n  endm\n", (w.macro_head)(name));
    add("a macro that calls itself", m("one", "one") + "  one\n");
    add(
        "macros that call each other",
        m("one", "two") + &m("two", "one") + "  one\n",
    );
    if let Some(repeat) = w.repeat {
        let end = w.end_repeat;
        add(
            "a long repeat",
            format!("{}\n nop\n{end}\n", repeat(2_000_000_000)),
        );
        let heads: String = (0..4).map(|_| repeat(1000) + "\n").collect();
        let ends = format!("{end}\n").repeat(4);
        add("nested repeats", format!("{heads} nop\n{ends}"));
        add("an unterminated repeat", format!("{}\n nop\n", repeat(3)));
    }
    add("a huge space", "  ds 4000000000\n".into());
    add("a negative space", "  ds -1\n".into());
    add(
        "deep parentheses",
        format!("  ld a,{}1\n", "(".repeat(100_000)),
    );
    add(
        "a row of signs",
        format!("  ld a,{}1\n", "-".repeat(1_000_000)),
    );
    let deep = "  if 1\n".repeat(100_000) + &"  endif\n".repeat(100_000);
    add("deep conditionals", deep);
    add("division by zero", "  ld a,1/0\n".into());
    add(
        "circular constants",
        "a1: equ b1+1\nb1: equ a1+1\n  ld hl,a1\n".into(),
    );
    add(
        "ten megabytes on a line",
        format!("  db 1{}\n", ",1".repeat(5_000_000)),
    );
    add(
        "a name of ten megabytes",
        format!("{}: nop\n", "n".repeat(10_000_000)),
    );
    add(
        "an unterminated macro",
        format!("{}\n nop\n", (w.macro_head)("one")),
    );
    if let Some(comment) = w.comment {
        add(
            "an unterminated comment",
            format!(" nop\n{comment} no end\n nop\n"),
        );
    }
    add("an unterminated string", "  db \"no end\n".into());
    add("an unknown instruction", "  frobnicate a,b\n".into());
    let mut raw = |name, main: Vec<u8>, other, good| {
        out.push(Case {
            name,
            main,
            other,
            good,
        });
    };
    raw(
        "two that include each other",
        b"  include \"other.asm\"\n".to_vec(),
        Some("  include \"main.asm\"\n"),
        false,
    );
    raw("random bytes", noise(1 << 20), None, false);
    raw(
        "a run of zeros",
        [&b" nop\n"[..], &[0; 100_000]].concat(),
        None,
        false,
    );
    raw("one good line", b"  ld a,5\n".to_vec(), None, true);
    raw("an empty file", Vec::new(), None, true);
    raw(
        "a byte order mark and CRLF",
        b"\xef\xbb\xbf  ld a,5\r\n  nop\r\n".to_vec(),
        None,
        true,
    );
    out
}

/// Exit code (`None` after a signal), messages, and the time it took.
fn assemble(folder: &Path, dialect: &str) -> (Option<i32>, String, Duration) {
    let start = Instant::now();
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {MEMORY}; ulimit -t {SECONDS}; exec \"$0\" \"$@\""
        ))
        .arg(env!("CARGO_BIN_EXE_scrimp"))
        .args([
            "build",
            "main.asm",
            "-o",
            "out.bin",
            "--emit",
            "bin",
            "--dialect",
            dialect,
        ])
        .args(["--message-format", "short"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut pipe = child.stderr.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).expect("messages");
        text
    });
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status.code();
        }
        if start.elapsed() > GIVEN_UP {
            child.kill().expect("the child ends");
            child.wait().expect("a status");
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let time = start.elapsed();
    let text = reader.join().expect("the reader");
    (status, String::from_utf8_lossy(&text).into_owned(), time)
}

/// `file:line:column: error: `
fn located(line: &str) -> bool {
    let Some((place, _)) = line.split_once(": error: ") else {
        return false;
    };
    let mut parts = place.rsplitn(3, ':');
    let number = |p: Option<&str>| p.is_some_and(|p| p.parse::<u32>().is_ok());
    number(parts.next()) && number(parts.next()) && parts.next().is_some_and(|f| f.contains(".asm"))
}

fn fault(w: &Words, case: &Case) -> Option<String> {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("main.asm"), &case.main).expect("a file");
    std::fs::write(path("out.bin"), OLD).expect("a file");
    if let Some(other) = case.other {
        std::fs::write(path("other.asm"), other).expect("a file");
    }
    std::fs::create_dir(path("folder")).expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", path("zero")).expect("a link");
    let made = Command::new("mkfifo")
        .arg(path("pipe"))
        .status()
        .expect("mkfifo");
    assert!(made.success());
    let before = std::fs::read_dir(dir.path()).expect("a folder").count();
    let (code, text, time) = assemble(dir.path(), w.dialect);
    let after = std::fs::read_dir(dir.path()).expect("a folder").count();
    let first: String = text
        .lines()
        .take(3)
        .map(|l| format!("\n      {l:.200}"))
        .collect();
    let wrong = |what: String| Some(format!("  {}: {}: {what}{first}", w.dialect, case.name));
    let messages = text.lines().count();
    let kept = std::fs::read(path("out.bin")).expect("the output") == OLD;
    if time > GIVEN_UP {
        return wrong(format!("took {time:?}"));
    }
    if before != after {
        return wrong("left a file behind".into());
    }
    if messages > MOST_MESSAGES + 1 || text.len() > MOST_TEXT {
        return wrong(format!("{messages} messages, {} bytes of text", text.len()));
    }
    let good = case.good || TOLERATED.contains(&(w.dialect, case.name));
    match (good, code) {
        (true, Some(0)) if !kept => None,
        (false, Some(1)) if !kept => wrong("the output was touched".into()),
        (false, Some(1)) if !text.lines().any(located) => wrong("no place in the message".into()),
        (false, Some(1)) => None,
        (_, code) => wrong(format!("exit code {code:?}")),
    }
}

#[test]
fn hostile_sources_end_well() {
    let mut faults = String::new();
    let mut count = 0;
    for w in &DIALECTS {
        for case in cases(w) {
            count += 1;
            if let Some(f) = fault(w, &case) {
                let _ = writeln!(faults, "{f}");
            }
        }
    }
    assert!(faults.is_empty(), "of {count} cases:\n{faults}");
    assert_eq!(count, 33 + 32 + 29 + 33);
}
