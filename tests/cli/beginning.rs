//! `scrimp new` and `--watch`: what a first hour consists of.

use super::bench::Bench;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_new_program_builds_runs_and_shows_something() {
    let b = Bench::new(&[]);
    let cases: [(&[&str], &str, &str); 5] = [
        (&["first", "--target", "z80"], "first.p", "HELLO"),
        (&["second", "--target", "avr"], "second.hex", "lit: PB0"),
        (&["uno", "--machine", "ATmega328P"], "uno.hex", "lit: PB5"),
        (
            &["bars", "--target", "gigatron"],
            "bars.rom",
            "====%%%%%%%%%%++",
        ),
        (&["a/b c", "--machine", "zx81-16k"], "b c.p", "HELLO"),
    ];
    for (args, output, shown) in cases {
        let made = b.run(&[&["new"], args].concat());
        assert_eq!((made.code, &*made.err), (Some(0), ""), "{args:?}");
        let folder = args[0];
        for command in ["build", "check"] {
            let ran = b.run(&[command, folder, "--deny", "warnings,unproven"]);
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{command} {args:?}");
        }
        assert!(b.read(&format!("build/{output}")).is_some(), "{output}");
        // An LED is on for a quarter of a second, and off for another.
        let frames = ["5", "15"].map(|f| {
            let ran = [&["--screen"][..], &[]].map(|more| {
                let ran = b.run(&[&["run", folder, "--frames", f], more].concat());
                assert_eq!(ran.code, Some(0), "{}", ran.err);
                assert!(!ran.err.contains("note:"), "{}", ran.err);
                ran.out
            });
            ran.concat()
        });
        assert!(frames.iter().any(|o| o.contains(shown)), "{frames:?}");
        let manifest = format!("{folder}/program.toml");
        let text = String::from_utf8(b.read(&manifest).expect("a file")).expect("text");
        assert!(text.contains("[budget]\ntotal = "), "{text}");
        assert_eq!(
            b.read(&format!("{folder}/.gitignore")).as_deref(),
            Some(&b"/build/\n"[..])
        );
    }
}

#[test]
fn each_device_with_a_first_program_blinks() {
    let b = Bench::new(&[]);
    for device in [
        "attiny10",
        "attiny11",
        "at90s1200",
        "atmega8",
        "atmega2560",
        "at90usb162",
        "attiny202",
        "attiny3217",
        "attiny1606",
        "attiny1626",
        "atmega4809",
        "avr128db48",
        "avr64du32",
        "atxmega128a1",
        "atxmega64b3",
        "atxmega32e5",
    ] {
        let made = b.run(&["new", device, "--machine", device]);
        assert_eq!((made.code, &*made.err), (Some(0), ""), "{device}");
        let ran = ["5", "15"].map(|f| b.run(&["run", device, "--frames", f]));
        let lit = |r: &super::bench::Ran| (r.out.clone() + &r.err).contains("lit: P");
        assert!(ran.iter().any(lit) && !ran.iter().all(lit), "{device}");
    }
    // It has no port that a program could write.
    let made = b.run(&["new", "remote", "--machine", "at86rf401"]);
    assert_eq!(made.code, Some(2));
    assert!(made.err.contains("--machine attiny85"), "{}", made.err);
    assert_eq!(b.names(".").len(), 16, "{:?}", b.names("."));
}

#[test]
fn new_overwrites_nothing_and_says_what_it_wants() {
    let b = Bench::new(&[("used/own.txt", "mine"), ("file", "mine too")]);
    for (args, says) in [
        (
            &["new", "used", "--target", "z80"][..],
            "used is there already and not empty",
        ),
        (&["new", "file", "--target", "z80"], "file is there already"),
        (
            &["new", "x"],
            "--target z80 (zx81-1k), --target avr (attiny85)",
        ),
        (&["new", "x", "--target", "z8"], "is z80 meant?"),
        (&["new", "x", "--machine", "atiny85"], "is ATtiny85 meant?"),
        (
            &["new", "x", "--target", "z80", "--machine", "attiny85"],
            "there is no machine",
        ),
        (&["new", "a;b", "--target", "z80"], "it has `;`"),
        (&["new", "..", "--target", "z80"], "cannot make .."),
    ] {
        let ran = b.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    assert_eq!(b.names("."), ["file", "used"]);
    assert_eq!(b.names("used"), ["own.txt"]);
    fs::create_dir(b.path("empty")).expect("a folder");
    assert_eq!(b.run(&["new", "empty", "--target", "z80"]).code, Some(0));
    let own = b.read("empty/empty.asm");
    assert_eq!(b.run(&["new", "empty", "--target", "avr"]).code, Some(2));
    assert_eq!(b.read("empty/empty.asm"), own);
}

/// A command that watches, and its lines as they come.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(b: &Bench, args: &[&str]) -> Self {
        let mut command = b.command(args);
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let (to, lines) = channel();
        let err = BufReader::new(child.stderr.take().expect("a pipe"));
        std::thread::spawn(move || {
            err.lines()
                .map_while(Result::ok)
                .try_for_each(|l| to.send(l))
        });
        Self { child, lines }
    }

    /// All lines up to the one that says that it watches.
    fn turn(&self) -> String {
        let mut out = String::new();
        while !out.contains("Ctrl-C ends") {
            let line = self.lines.recv_timeout(PATIENCE);
            out += &line.unwrap_or_else(|e| panic!("{e}, after {out}"));
            out.push('\n');
        }
        out
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_changes_is_built_again() {
    let b = Bench::new(&[
        (
            "p/program.toml",
            "main = 'a.asm'\ntarget = 'z80'\nemit = ['bin']\n",
        ),
        ("p/a.asm", " include \"b.asm\"\n"),
        ("p/b.asm", " db 1\n"),
    ]);
    let write = |name: &str, text: &str| {
        let path = b.path(name);
        // As editors do: a new file in the place of the old one.
        let other = path.with_extension("new");
        fs::write(&other, text).expect("a file");
        fs::rename(other, path).expect("a file");
    };
    let w = Watching::start(&b, &["build", "p", "--watch"]);
    let built = || b.read("build/p.bin").expect("it was built");
    let first = w.turn();
    assert_eq!(
        (&*first, built()),
        ("scrimp: watching 3 files; Ctrl-C ends\n", vec![1])
    );
    write("p/b.asm", " db 1,2\n");
    assert!(w.turn().starts_with("scrimp: p/b.asm changed\n"));
    assert_eq!(built(), [1, 2]);
    // A fault leaves what was built; what is missing is waited for.
    write("p/a.asm", " include \"b.asm\"\n include \"c.asm\"\n frob\n");
    let faults = w.turn();
    assert!(
        faults.contains("no file `c.asm`") && faults.contains("`frob`"),
        "{faults}"
    );
    assert_eq!(built(), [1, 2]);
    write("p/a.asm", " include \"b.asm\"\n include \"c.asm\"\n");
    w.turn();
    write("p/c.asm", " db 3\n");
    assert!(w.turn().starts_with("scrimp: p/c.asm changed\n"));
    assert_eq!(built(), [1, 2, 3]);
    // So with the program file, while it is broken too.
    write(
        "p/program.toml",
        "main = 'a.asm'\ntarget = 'z80'\n[budget]\ntotal = 2\n",
    );
    assert!(w.turn().contains("error[E0062]"));
    write("p/program.toml", "mian = 'a.asm'\n");
    assert!(w.turn().contains("error[E0080]"));
    write(
        "p/program.toml",
        "main = 'b.asm'\ntarget = 'z80'\nemit = ['bin']\n",
    );
    assert!(w.turn().contains("watching 2 files"));
    assert_eq!(built(), [1, 2]);
    fs::remove_file(b.path("p/b.asm")).expect("it is there");
    assert!(w.turn().contains("there is no file"));
    write("p/b.asm", " db 9\n");
    w.turn();
    assert_eq!(built(), [9]);
    // What is not read is not watched.
    write("p/c.asm", " db 4\n");
    let more = w.lines.recv_timeout(Duration::from_millis(700));
    assert!(more.is_err(), "{more:?}");
}

#[test]
fn check_watches_too_and_what_cannot_change_is_refused() {
    let b = Bench::new(&[("a.asm", " db 1\n"), ("sub/b.asm", " db 1\n")]);
    let args = ["check", "a.asm", "--watch", "--message-format", "json"];
    let w = Watching::start(&b, &args);
    for text in [" frob\n", " db 2\n"] {
        let said = w.turn();
        for line in said.lines() {
            let v: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(v["schema"], 1, "{line}");
        }
        assert_eq!(said.contains("E0020"), text == " db 2\n", "{said}");
        fs::write(b.path("a.asm"), text).expect("a file");
    }
    for (args, says) in [
        (&["build", "-"][..], "a pipe does not change"),
        (
            &["check", "zx81-chess-seed"],
            "comes with scrimp does not change",
        ),
        (&["build", "none.asm"], "there is no none.asm"),
        (&["build", "sub"], "has no program.toml"),
        (
            &["build", "a.asm", "--message-format", "sarif"],
            "--watch has no end",
        ),
    ] {
        let ran = b.run(&[args, &["--watch"]].concat());
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}

/// Ctrl-C ends it as signals end processes; waiting costs next to nothing.
#[cfg(unix)]
#[test]
fn watching_ends_when_it_is_interrupted() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::os::unix::process::ExitStatusExt;
    let b = Bench::new(&[("a.asm", " db 1\n")]);
    let mut w = Watching::start(&b, &["build", "a.asm", "--target", "z80", "--watch"]);
    w.turn();
    let id = w.child.id();
    let spent = || {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
        let ticks = |n: usize| fields[n].parse::<u64>().ok();
        Some(ticks(11)? + ticks(12)?)
    };
    let before = spent();
    std::thread::sleep(Duration::from_secs(1));
    if let (Some(before), Some(after)) = (before, spent()) {
        // In hundredths of a second.
        assert!(after - before <= 10, "{} ticks in a second", after - before);
    }
    let pid = Pid::from_raw(i32::try_from(id).expect("a process"));
    kill(pid, Signal::SIGTERM).expect("it runs");
    let status = w.child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(Signal::SIGTERM as i32));
}

#[test]
fn faults_of_a_program_file_stand_at_their_key() {
    let b = Bench::new(&[("game/a.asm", " nop\n"), ("game/program.toml", "")]);
    let z80 = "main='a.asm'\ntarget='z80'\n";
    let zx81 = "main='a.asm'\nmachine='zx81-1k'\nemit=['p']\n";
    let many = format!("include=[{}'a']\n", "'a',".repeat(100));
    let table: &[(&str, &str, &str, &str)] = &[
        (z80, "include='lib'\n", "3:9", "expected a list"),
        (z80, &many, "3:410", "more than 100 folders"),
        (z80, "relax='yes'\n", "3:7", "expected `true` or `false`"),
        (
            z80,
            "[budget]\ntotal=-1\n",
            "4:7",
            "a whole number, 0 or more",
        ),
        (z80, "[budget]\nsection=3\n", "4:9", "expected a table"),
        (
            z80,
            "[options]\nmode=1.5\n",
            "4:6",
            "a whole number or a text",
        ),
        (zx81, "[options]\nlayuot='rem'\n", "5:8", "is layout meant?"),
        (zx81, "[options]\npad='no'\n", "5:5", "no option pad"),
        (zx81, "[options]\nlayout='roof'\n", "5:8", "no such choice"),
        (zx81, "[options]\nstart='roof'\n", "5:7", "no label `roof`"),
        (
            zx81,
            "[options]\nstack='x'\n",
            "5:7",
            "not a number of bytes",
        ),
        (
            "main='b.asm'\n",
            "",
            "1:6",
            "no file b.asm; is a.asm meant?",
        ),
        (
            z80,
            "dialect='gas-avr'\n",
            "3:9",
            "is one of avr, not of z80",
        ),
    ];
    for (head, text, place, word) in table {
        fs::write(b.path("game/program.toml"), format!("{head}{text}")).expect("a file");
        let ran = b.run(&["build", "game", "--message-format", "short"]);
        let wanted = format!("game/program.toml:{place}: error: ");
        assert_eq!(ran.code, Some(1), "{text}: {}", ran.err);
        assert!(
            ran.err.starts_with(&wanted) && ran.err.contains(word),
            "{text}: {}",
            ran.err
        );
    }
    let ran = b.run(&[
        "build",
        "game/a.asm",
        "--dialect",
        "gas-avr",
        "--target",
        "z80",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}
