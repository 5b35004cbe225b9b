//! Signals, killed builds, and builds that race for one output.

use super::bench::Bench;
use super::terminal::Pty;
use crate::common::tools::skip;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A build of so many outputs that writing them takes a while.
const LONG: &str = "        repeat 300\n        ld a,N\n        endr\n";
const ALL: &str = "bin,hex,srec,elf,lst,map,sym,sld,json";

/// What ends a process that does nothing about it.
const ENDING: [Signal; 4] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
];

fn signal(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).expect("a process");
    // One that has ended needs none.
    let _ = kill(Pid::from_raw(pid), signal);
}

/// Whether this process ignores a signal, as `nohup` makes it: its children do too, and
/// the command then leaves it so.
pub fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = line.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
    let found = mask.unwrap_or(0) >> (signal as u32 - 1) & 1 == 1;
    if found {
        skip("signals", &format!("{signal} is ignored here"));
    }
    found
}

#[test]
fn a_signal_leaves_no_stray_file() {
    let b = Bench::new(&[("a.asm", LONG)]);
    let args = [
        "build", "a.asm", "-D", "N=1", "--emit", ALL, "-o", "out/a.x",
    ];
    let start = |n: u64| {
        let mut command = b.command(&args);
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        // From before the first file to after the last.
        let end = Instant::now() + Duration::from_secs(20);
        while b.names("out").is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_millis(n));
        child
    };
    let mut hit = 0;
    for n in 0..12 {
        let wanted = ENDING[n as usize % ENDING.len()];
        if is_ignored(wanted) {
            continue;
        }
        let mut child = start(n);
        signal(&child, wanted);
        let status = child.wait().expect("it ends");
        let names = b.names("out");
        if status.success() {
            assert_eq!(names.len(), 9, "{names:?}");
        } else {
            assert_eq!(
                status.signal(),
                Some(wanted as i32),
                "as signals end processes"
            );
            assert!(names.is_empty() || names.len() == 9, "{wanted}: {names:?}");
            hit += 1;
        }
        let _ = std::fs::remove_dir_all(b.path("out"));
    }
    assert!(hit > 0, "no build was hit");
}

#[test]
fn what_killed_builds_left_goes_with_the_next_build() {
    let b = Bench::new(&[("a.asm", LONG)]);
    let args = [
        "build", "a.asm", "-D", "N=1", "--emit", ALL, "-o", "out/a.x",
    ];
    let mut left = 0;
    for n in 0..40 {
        let mut command = b.command(&args);
        let mut child = command.stdout(Stdio::null()).spawn().expect("it runs");
        let end = Instant::now() + Duration::from_secs(20);
        while b.names("out").is_empty()
            && Instant::now() < end
            && child.try_wait().expect("it").is_none()
        {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_millis(n));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        left += b
            .names("out")
            .iter()
            .filter(|n| n.ends_with(".tmp"))
            .count();
        if left > 0 {
            break;
        }
        let _ = std::fs::remove_dir_all(b.path("out"));
    }
    assert!(left > 0, "no build was killed while it wrote");
    let ran = b.run(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.names("out").len(), 9, "{:?}", b.names("out"));
}

#[test]
fn of_two_builds_of_one_output_one_wins_whole() {
    let b = Bench::new(&[("a.asm", LONG)]);
    let formats: Vec<&str> = ALL.split(',').collect();
    let args = |n: &'static str| ["build", "a.asm", "-D", n, "--emit", ALL, "-o", "out/a.x"];
    let mut sets = Vec::new();
    for n in ["N=1", "N=2"] {
        assert_eq!(b.run(&args(n)).code, Some(0));
        let read = |f: &&str| b.read(&format!("out/a.{f}")).expect("an output");
        sets.push(formats.iter().map(read).collect::<Vec<_>>());
    }
    let mut lost = 0;
    for round in 0..6 {
        if round % 2 == 0 {
            let _ = std::fs::remove_dir_all(b.path("out"));
        }
        let spawn = |n| {
            let mut command = b.command(&args(n));
            let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().expect("it runs")
        };
        let both = [spawn("N=1"), spawn("N=2")];
        let ends = both.map(|c| c.wait_with_output().expect("it ends"));
        let read = |f: &&str| b.read(&format!("out/a.{f}")).expect("an output");
        let now: Vec<_> = formats.iter().map(read).collect();
        let winner = sets.iter().position(|s| *s == now);
        let winner = winner.unwrap_or_else(|| panic!("a mixed set in round {round}"));
        assert_eq!(ends[winner].status.code(), Some(0));
        let other = &ends[1 - winner];
        if other.status.code() != Some(0) {
            lost += 1;
            let err = String::from_utf8_lossy(&other.stderr);
            assert!(
                other.status.code() == Some(2) && err.contains("another build"),
                "{err}"
            );
        }
        assert_eq!(b.names("out").len(), 9, "{:?}", b.names("out"));
    }
    assert!(lost > 0, "no two builds met");
}

#[test]
fn a_limit_on_files_is_an_error_and_leaves_nothing() {
    let b = Bench::new(&[("a.asm", " db 1\n ds 60000, 1\n")]);
    let scrimp = b.command(&["build", "a.asm", "--emit", "bin,hex", "-o", "out/a.x"]);
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 8; exec \"$0\" \"$@\""]);
    limited.arg(scrimp.get_program()).args(scrimp.get_args());
    limited.current_dir(scrimp.get_current_dir().expect("a folder"));
    let done = limited.output().expect("it runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{:?}: {said}", done.status);
    assert!(said.contains("cannot write out"), "{said}");
    assert!(b.names("out").is_empty(), "{:?}", b.names("out"));
}

#[test]
fn a_signal_leaves_a_sane_terminal() {
    for wanted in ENDING {
        if is_ignored(wanted) {
            continue;
        }
        let b = Bench::new(&[]);
        let mut command = b.command(&["play", "zx81-chess-seed"]);
        command.env("TERM", "xterm-256color");
        let pty = Pty::start(command, (100, 30));
        pty.wait("the machine", |t| t.contains("zx81-chess-seed"));
        let screen = pty.screen();
        assert!(screen.screen().alternate_screen() && screen.screen().hide_cursor());
        signal(&pty.child, wanted);
        let (status, bytes) = pty.end();
        assert_eq!(status.signal(), Some(wanted as i32));
        let mut parser = vt100::Parser::new(30, 100, 0);
        parser.process(&bytes);
        let screen = parser.screen();
        assert!(
            !screen.alternate_screen() && !screen.hide_cursor(),
            "{wanted}"
        );
    }
}

#[test]
fn escape_leaves_a_sane_terminal() {
    let b = Bench::new(&[]);
    let mut command = b.command(&["play", "zx81-chess-seed"]);
    command.env("TERM", "xterm-256color");
    let mut pty = Pty::start(command, (100, 30));
    pty.wait("the machine", |t| t.contains("zx81-chess-seed"));
    pty.send("\x1b");
    let (status, bytes) = pty.end();
    assert!(status.success());
    let mut parser = vt100::Parser::new(30, 100, 0);
    parser.process(&bytes);
    assert!(!parser.screen().alternate_screen() && !parser.screen().hide_cursor());
}
