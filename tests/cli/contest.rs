//! `scrimp match`: parts that are one match, other engines, and those that misbehave.

use super::bench::Bench;
use crate::common::tools::have;
use std::time::{Duration, Instant};

const ONE: &str = "program:zx81-chess";
const TWO: &str = "program:zx81-chess-seed";

/// Scrimp's bridge as if it were another engine.
fn bridged(kind: &str, program: &str, more: &str) -> String {
    format!(
        "{kind}:'{}' bridge {program}{more}",
        env!("CARGO_BIN_EXE_scrimp")
    )
}

#[test]
fn parts_are_together_what_one_run_is() {
    let b = Bench::new(&[]);
    let whole = b.run(&[
        "match",
        ONE,
        TWO,
        "-n",
        "5",
        "-o",
        "whole.pgn",
        "--plies",
        "6",
    ]);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    assert_eq!(whole.err.matches("game ").count(), 5, "{}", whole.err);
    for part in ["1/3", "2/3", "3/3"] {
        let file = format!("part{}.pgn", &part[..1]);
        let args = [
            "match", ONE, TWO, "-n", "5", "--plies", "6", "--shard", part, "-q", "-o", &file,
        ];
        assert_eq!(b.run(&args).code, Some(0));
    }
    let parts = ["part3.pgn", "part1.pgn", "part2.pgn"];
    let some = b.run(&["match", "merge", parts[0], parts[1]]);
    assert_eq!(
        (some.code, some.err.as_str()),
        (Some(0), "3 of 5 games are there\n")
    );
    let args = [["match", "merge"].as_slice(), &parts, &["-o", "all.pgn"]].concat();
    let merged = b.run(&args);
    assert_eq!(
        (merged.code, &merged.out),
        (Some(0), &whole.out),
        "{}",
        merged.err
    );
    assert_eq!(b.read("all.pgn"), b.read("whole.pgn"));
    assert!(
        merged
            .out
            .starts_with(&format!("{ONE} against {TWO}: 5 games, +"))
    );
    // Again, and as JSON; nothing is played a second time.
    let again = b.run(&[
        "match",
        ONE,
        TWO,
        "-n",
        "5",
        "-o",
        "whole.pgn",
        "--plies",
        "6",
        "--json",
    ]);
    assert_eq!(again.err, "");
    let json: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!((&json["played"], &json["schema"]), (&5.into(), &1.into()));
    assert_eq!(json["pairs"][0]["players"][0], ONE);
    // A file that was cut off is taken up again.
    let text = b.read("whole.pgn").expect("it");
    std::fs::write(b.path("whole.pgn"), &text[..text.len() - 40]).expect("a file");
    let resumed = b.run(&[
        "match",
        ONE,
        TWO,
        "-n",
        "5",
        "-o",
        "whole.pgn",
        "--plies",
        "6",
    ]);
    assert_eq!(resumed.err.matches("game ").count(), 1, "{}", resumed.err);
    assert_eq!(b.read("whole.pgn").expect("it"), text);
    // Another match does not go into its file.
    let other = b.run(&[
        "match",
        ONE,
        TWO,
        "-n",
        "5",
        "-o",
        "whole.pgn",
        "--seed",
        "2",
    ]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another match"), "{}", other.err);
    assert_eq!(b.read("whole.pgn").expect("it"), text);
}

#[test]
fn a_program_is_the_same_behind_a_pipe() {
    let b = Bench::new(&[("open.txt", "e2e4 e7e5\nd2d4 d7d5\n")]);
    let games = |one: &str, two: &str| {
        let args = [
            "match",
            one,
            two,
            "--openings",
            "open.txt",
            "-q",
            "-o",
            "g.pgn",
        ];
        let ran = b.run(&args);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let text = String::from_utf8(b.read("g.pgn").expect("games")).expect("text");
        std::fs::remove_file(b.path("g.pgn")).expect("it is there");
        assert!(!text.contains("does not answer"), "{text}");
        // Without the names and what tells the match.
        let lines = text.lines().filter(|l| !l.starts_with('['));
        lines.collect::<Vec<_>>().join("\n")
    };
    let uci = games(&bridged("uci", "zx81-chess", ""), TWO);
    let cecp = games(&bridged("cecp", "zx81-chess", ""), TWO);
    for text in [&uci, &cecp] {
        assert!(
            text.contains("1. e4 e5 2. ") || text.contains("1. d4 d5 2. "),
            "{text}"
        );
    }
}

#[test]
fn what_cannot_be_played_is_said() {
    let b = Bench::new(&[("bad.txt", "e2e4\ne2e5\n")]);
    for (args, message) in [
        (vec!["match"], "2 to 32 players"),
        (vec!["match", ONE], "2 to 32 players"),
        (vec!["match", ONE, "foo"], "no kind of player"),
        (vec!["match", ONE, "uci:"], "no command"),
        (vec!["match", ONE, "program:nothing-here"], "nothing-here"),
        (
            vec!["match", ONE, "program:tinyhouse"],
            "zx81-chess plays Chess and not Tinyhouse",
        ),
        (vec!["match", "program:ee476@6", ONE], "has 5 levels"),
        (vec!["match", ONE, TWO, "--shard", "3/2"], "I from 1 to N"),
        (
            vec!["match", ONE, TWO, "--openings", "bad.txt"],
            "line 2: e2e5",
        ),
        (
            vec!["match", ONE, TWO, "--openings", "none.txt"],
            "none.txt",
        ),
        (vec!["match", "merge", "bad.txt"], "there is no game"),
    ] {
        let ran = b.run(&args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn engines_that_misbehave_lose_and_leave_nothing() {
    // Of each: its script, and what is said of it. Behind `exec` stands what would stay.
    let hello = "read a; echo uciok; read b; read c; echo readyok; read d; read e";
    for (script, why) in [
        ("exit 3".to_owned(), "it has ended"),
        (format!("{hello}; exit 0"), "it has ended"),
        (
            format!("{hello}; echo bestmove e2e5; sleep 1000"),
            "e2e5 is not legal",
        ),
        (
            format!("{hello}; echo bestmove; sleep 1000"),
            "is not legal",
        ),
        (
            format!("{hello}; sleep 1000 & sleep 1000"),
            "does not answer in 2 s",
        ),
        (format!("{hello}; trap '' TERM INT HUP; yes"), "it"),
        (format!("{hello}; exec 1>&-; sleep 1000"), "closed its pipe"),
    ] {
        let mark = format!("#{}", why.len() * 1000 + script.len());
        let b = Bench::new(&[("engine.sh", &format!("echo $$ >pid\n{script} {mark}\n"))]);
        let begin = Instant::now();
        let args = [
            "match",
            "uci:sh engine.sh",
            TWO,
            "-n",
            "1",
            "--timeout",
            "2",
            "--plies",
            "0",
        ];
        let ran = b.run(&args);
        assert_eq!(ran.code, Some(0), "{script}: {}", ran.err);
        assert!(
            ran.err.contains("(White: ") && ran.err.contains(why),
            "{script}: {}",
            ran.err
        );
        assert!(ran.out.contains("+0 =0 -1"), "{script}: {}", ran.out);
        assert!(begin.elapsed() < Duration::from_secs(60), "{script}");
        assert!(is_gone(&b), "{script}");
    }
    let b = Bench::new(&[]);
    let ran = b.run(&["match", "uci:no-such-engine", TWO, "-n", "1"]);
    assert!(
        ran.err.contains("cannot start no-such-engine"),
        "{}",
        ran.err
    );
}

/// Whether nothing of the group of `engine.sh` is left.
#[cfg(unix)]
fn is_gone(b: &Bench) -> bool {
    let pid = b.read("pid").expect("it was started");
    let pid = String::from_utf8(pid).expect("text").trim().to_owned();
    // The state and the group of a process; one that nobody has waited for yet is gone.
    let lives = |stat: &str| {
        let mut fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
        let (state, group) = (fields.next(), fields.nth(1));
        group == Some(&pid) && !matches!(state, Some("Z" | "X"))
    };
    let end = Instant::now() + Duration::from_secs(10);
    while Instant::now() < end {
        let Ok(all) = std::fs::read_dir("/proc") else {
            return true;
        };
        let stats = all.filter_map(|e| std::fs::read_to_string(e.ok()?.path().join("stat")).ok());
        if !stats.into_iter().any(|s| lives(&s)) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_match_and_its_engines() {
    use super::signals::is_ignored;
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::process::Stdio;
    let signals = [Signal::SIGTERM, Signal::SIGINT];
    for signal in signals.into_iter().filter(|s| !is_ignored(*s)) {
        let b = Bench::new(&[("engine.sh", "echo $$ >pid\nsleep 1000 & sleep 1000\n")]);
        let mut command = b.command(&["match", "uci:sh engine.sh", TWO, "-n", "1"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("it starts");
        let end = Instant::now() + Duration::from_secs(60);
        while b.read("pid").is_none_or(|p| p.is_empty()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process"));
        kill(pid, signal).expect("it is there");
        let status = child.wait().expect("it ends");
        assert!(!status.success());
        assert!(is_gone(&b), "{signal}");
    }
}

/// Two games against an engine of others; nobody may break the rules or fall silent.
fn against(one: &str, other: &str, more: &[&str]) -> String {
    let b = Bench::new(&[]);
    let args = [["match", one, other, "-o", "g.pgn"].as_slice(), more].concat();
    let ran = b.run(&args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(b.read("g.pgn").expect("games")).expect("text");
    assert_eq!(text.matches("[Event ").count(), 2);
    for word in ["rules infraction", "abandoned", "unterminated"] {
        assert!(!text.contains(word), "{text}");
    }
    ran.out
}

#[test]
fn stockfish_plays_a_1k_zx81_and_an_attiny() {
    if !have(&["stockfish"]) {
        return;
    }
    let stockfish = "uci:stockfish;nodes=200;Threads=1;Hash=1";
    against(ONE, stockfish, &[]);
    against(
        "program:tiny-chess960@1",
        stockfish,
        &["--game", "chess960"],
    );
    against("program:gigatron-chess@1", stockfish, &[]);
    // The same games again.
    let once = against("program:ee476@1", stockfish, &["--seed", "7"]);
    assert_eq!(
        against("program:ee476@1", stockfish, &["--seed", "7"]),
        once
    );
}

#[test]
fn fairy_stockfish_drops_on_both_tinyhouses() {
    if !have(&["fairy-stockfish"]) {
        return;
    }
    let root = env!("CARGO_MANIFEST_DIR");
    let variants = format!("{root}/tests/programs/referee/variants.ini");
    let fairy = format!("uci:fairy-stockfish;VariantPath={variants};depth=2;Threads=1");
    against("program:tinyhouse@3", &fairy, &[]);
    against("program:tinyhouse-zx81", &fairy, &["--seed", "3"]);
}

/// GNU Chess takes its time: minutes without a move were seen.
#[test]
#[ignore = "nightly"]
fn nightly_gnu_chess_plays_an_at90s8515() {
    if !have(&["gnuchess"]) {
        return;
    }
    let slow = ["--most-plies", "40", "--timeout", "600"];
    against(
        "program:ee476@1",
        "cecp:gnuchess --xboard;say=depth 1",
        &slow,
    );
}

/// XBoard on a screen that nobody sees; what it calls the end of the game is its own.
#[cfg(unix)]
#[test]
#[ignore = "nightly"]
fn nightly_xboard_lets_two_programs_play() {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    if !have(&["xboard", "xvfb-run"]) {
        return;
    }
    let b = Bench::new(&[]);
    let engine = |program| format!("{} bridge {program}", env!("CARGO_BIN_EXE_scrimp"));
    let file = b.path("game.pgn");
    let mut screen = Command::new("xvfb-run")
        .args(["-a", "xboard", "-mg", "1", "-size", "petite"])
        .args(["-fcp", &engine("zx81-chess"), "-fd", "."])
        .args(["-scp", &engine("tiny-chess960"), "-sd", ".", "-st", "5"])
        .arg("-saveGameFile")
        .arg(&file)
        .current_dir(b.path(""))
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let end = Instant::now() + Duration::from_secs(900);
    let mut game = String::new();
    while !game.contains("} ") && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(200));
        game = std::fs::read_to_string(&file).unwrap_or_default();
    }
    let group = Pid::from_raw(i32::try_from(screen.id()).expect("a process"));
    killpg(group, Signal::SIGTERM).expect("it is there");
    screen.wait().expect("it ends");
    assert!(game.contains("[White \"scrimp zx81-chess\"]"), "{game}");
    assert!(game.contains("[Black \"scrimp tiny-chess960\"]"), "{game}");
    let ends = [
        "mates}",
        "mate}",
        "heckmate}",
        "rule}",
        "epetition}",
        "material}",
    ];
    assert!(ends.iter().any(|e| game.contains(e)), "{game}");
}
