//! `scrimp bridge`: the shipped programs at the board, played by a scripted interface in UCI
//! and CECP. The rules that their moves are held against are the library's.

use super::bench::Bench;
use crate::common::random::Random;
use scrimp::bridge::rules::{Game, Position, Record};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long any answer may take on a machine with much to do.
const PATIENCE: Duration = Duration::from_secs(240);

/// Programs, their games, and the level they are tried at.
const PROGRAMS: [(&str, Game, u8); 7] = [
    ("zx81-chess", Game::Chess, 1),
    ("zx81-chess-seed", Game::Chess, 1),
    ("ee476", Game::Chess, 1),
    ("gigatron-chess", Game::Chess, 1),
    ("tiny-chess960", Game::Chess960, 1),
    ("tinyhouse", Game::Tinyhouse, 3),
    ("tinyhouse-zx81", Game::Tinyhouse, 1),
];

/// An interface and the program behind the bridge.
pub struct Interface {
    child: Child,
    to: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Keeps the folder.
    _bench: Bench,
}

impl Interface {
    fn new(program: &str) -> Self {
        Self::of(Bench::new(&[]), &["bridge", program])
    }

    fn of(bench: Bench, args: &[&str]) -> Self {
        let mut command = bench.command(args);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("its output"));
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in from.lines() {
                let Ok(line) = line else {
                    return;
                };
                let _ = send.send(line);
            }
        });
        Self {
            child,
            to,
            lines,
            _bench: bench,
        }
    }

    fn say(&mut self, text: &str) {
        let to = self.to.as_mut().expect("it is open");
        writeln!(to, "{text}").expect("it listens");
    }

    /// Lines up to one that begins so.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no {start} after {all:#?}"));
            let found = line.starts_with(start);
            all.push(line);
            if found {
                return all;
            }
        }
    }

    /// What stands behind the first word of the line that begins so.
    fn word(&mut self, start: &str) -> String {
        let all = self.until(start);
        let last = all.last().expect("a line");
        last.split(' ').nth(1).unwrap_or("").to_owned()
    }

    /// All that is still said, and how it ends.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        self.to = None;
        let status = self.child.wait().expect("it ends");
        (self.lines.iter().collect(), status.code())
    }

    /// A move in UCI: what is said before it, and the move.
    fn best(&mut self, position: &str, go: &str) -> (String, String) {
        self.say(position);
        self.say(go);
        let all = self.until("bestmove");
        let best = all.last().expect("it");
        let best = best.split(' ').nth(1).unwrap_or("").to_owned();
        (all.join("\n"), best)
    }
}

/// `position …` of a game.
fn told(record: &Record) -> String {
    let mut out = format!("position fen {}", record.start().fen());
    for (n, &m) in record.moves().iter().enumerate() {
        out += if n == 0 { " moves " } else { " " };
        out += &record.before(n).text(m);
    }
    out
}

/// Plays some moves of a game in UCI; the other side moves by chance, without the moves that
/// the program's own rules lack.
fn plays(program: &str, game: Game, level: u8, moves: usize, white: bool) -> Record {
    let mut ui = Interface::new(program);
    ui.say("uci");
    ui.until("uciok");
    ui.say(&format!("setoption name Level value {level}"));
    if game == Game::Chess960 {
        ui.say("setoption name UCI_Chess960 value true");
    }
    ui.say("ucinewgame");
    let start = match game {
        Game::Chess960 => Position::array(700),
        game => Position::start(game),
    };
    let mut record = Record::new(game, start);
    let mut dice = Random(7);
    let mut typed = 0;
    for ply in 0..2 * moves {
        if record.end().is_some() {
            break;
        }
        if (ply % 2 == 0) != white {
            let all = record.now().moves();
            record.play(dice.pick(&all));
            continue;
        }
        let (said, best) = ui.best(&told(&record), &format!("go depth {level}"));
        let found = record.now().find(&best);
        let m = found.unwrap_or_else(|| panic!("{best} in {}: {said}", record.now().fen()));
        assert_eq!(record.now().text(m), best, "as UCI writes it");
        typed += usize::from(said.contains("typed on its keys"));
        record.play(m);
    }
    // From its second move on it is told by its own keys.
    assert!(typed > 0, "{program}: {typed}");
    ui.say("quit");
    assert_eq!(ui.end().1, Some(0));
    record
}

#[test]
fn every_program_plays_both_colours_and_the_same_words_bring_the_same_moves() {
    for (program, game, level) in PROGRAMS {
        // What takes Black only is not told White's moves by its keys.
        if program != "zx81-chess-seed" {
            plays(program, game, level, 3, true);
        }
        let long = plays(program, game, level, 3, false);
        let again = plays(program, game, level, 2, false);
        let both = long.moves().len().min(again.moves().len());
        assert!(both >= 3, "{program}");
        assert_eq!(long.moves()[..both], again.moves()[..both], "{program}");
    }
}

#[test]
fn positions_are_put_into_the_programs() {
    let chess = [
        // A mate in one, for either colour, and one that takes in passing or castles.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Some("a1a8")),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", Some("a8a1")),
        ("4k3/8/8/2qpP3/8/8/8/4K3 w - d6 0 2", None),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9", None),
        ("8/P7/2k5/8/8/8/8/K7 w - - 0 1", Some("a7a8q")),
    ];
    for (program, game, level) in PROGRAMS {
        if game != Game::Chess {
            continue;
        }
        let mut ui = Interface::new(program);
        ui.say("uci");
        for (fen, best) in chess {
            let position = Position::read(game, fen).expect("a position");
            let go = format!("go depth {level}");
            let (said, moved) = ui.best(&format!("position fen {fen}"), &go);
            // One ply of captures sees no mate, and may leave its king to be taken.
            if program == "zx81-chess-seed" {
                continue;
            }
            let found = position.find(&moved).is_some();
            assert!(found, "{program}: {moved} in {fen}: {said}");
            // At level 1 the Gigatron's does not prefer the mate to other good moves.
            if let Some(best) = best.filter(|_| program != "gigatron-chess") {
                assert_eq!(moved, best, "{program} in {fen}");
            }
        }
    }
}

#[test]
fn drops_go_both_ways() {
    for (program, level) in [("tinyhouse", 4), ("tinyhouse-zx81", 1)] {
        let mut ui = Interface::new(program);
        ui.say("uci");
        ui.until("option name UCI_Variant type combo default tinyhouse");
        let go = format!("go depth {level}");
        // A mate by a drop.
        let (_, best) = ui.best("position fen 4/2h1/3k/K3[w] b", &go);
        assert_eq!(best, "W@a2", "{program}");
        // A drop that is typed, and a promotion.
        let fen = "position fen 3k/1P2/4/K3[Wf] w - - 0 1 moves W@a3";
        let game = Game::Tinyhouse;
        let start = Position::read(game, "3k/1P2/4/K3[Wf] w").expect("it");
        let mut record = Record::new(game, start);
        record.play(record.now().find("W@a3").expect("a move"));
        let (_, best) = ui.best(fen, &go);
        record.play(record.now().find(&best).expect("a legal move"));
        for text in ["b3b4h", "b3b4w"] {
            let Some(m) = record.now().find(text) else {
                continue;
            };
            record.play(m);
            let (said, best) = ui.best(&told(&record), &go);
            assert!(said.contains("typed on its keys"), "{program}: {said}");
            assert!(record.now().find(&best).is_some(), "{program}: {best}");
            break;
        }
    }
}

#[test]
fn castling_from_any_array() {
    let mut ui = Interface::new("tiny-chess960");
    ui.say("uci");
    ui.until("option name UCI_Chess960");
    ui.say("setoption name UCI_Chess960 value true");
    // bbrkrqnn: White castles onto the rook beside his king at once.
    let start = Position::read(
        Game::Chess960,
        "bbrkrqnn/pppppppp/8/8/8/8/PPPPPPPP/BBRKRQNN w KQkq - 0 1",
    );
    let mut record = Record::new(Game::Chess960, start.expect("an array"));
    let mut moves = record.now().moves().into_iter();
    let castles = moves.find(|&m| record.now().castles(m).is_some());
    let m = castles.expect("a way to castle");
    record.play(m);
    let (said, best) = ui.best(&told(&record), "go depth 1");
    assert!(record.now().find(&best).is_some(), "{best}: {said}");
    // What is no array cannot be typed.
    let (said, best) = ui.best("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go");
    assert_eq!(best, "0000");
    assert!(said.contains("960 arrays"), "{said}");
}

#[test]
fn what_the_seed_has_no_rule_for_is_put_on_its_board() {
    let mut ui = Interface::new("zx81-chess-seed");
    ui.say("uci");
    let mut record = Record::new(Game::Chess, Position::start(Game::Chess));
    for (own, how) in [
        ("g1f3", "put into its memory"),
        ("e2e3", "typed on its keys"),
        ("f1e2", "typed on its keys"),
        ("e1g1", "put into its memory"),
        ("f1e1", "typed on its keys"),
    ] {
        record.play(record.now().find(own).expect("a legal move"));
        let (said, best) = ui.best(&told(&record), "go");
        assert!(said.contains(how), "{own}: {said}");
        record.play(record.now().find(&best).expect("a legal move"));
    }
}

#[test]
fn words_of_uci() {
    let mut ui = Interface::new("zx81-chess");
    ui.say("uci");
    let all = ui.until("uciok");
    assert_eq!(all[0], "id name scrimp zx81-chess");
    ui.say("isready");
    ui.until("readyok");
    // An infinite search ends with `stop` only.
    ui.say("position startpos moves e2e4 e7e5");
    ui.say("go infinite");
    ui.until("info depth");
    ui.say("isready");
    ui.until("readyok");
    ui.say("stop");
    assert!(!ui.word("bestmove").is_empty());
    for (line, answer) in [
        (
            "position startpos moves e2e4 e2e4",
            "info string illegal move: e2e4",
        ),
        ("position fen 8/8/8/8/8/8/8/8 w - -", "info string"),
        ("position", "info string position startpos"),
        (
            "setoption name Foo value 1",
            "info string no such option: Foo 1",
        ),
        ("frobnicate", "info string unknown command: frobnicate"),
    ] {
        ui.say(line);
        ui.until(answer);
    }
    // Mated: there is no move.
    let mated = "position startpos moves f2f3 e7e5 g2g4 d8h4";
    let (said, best) = ui.best(mated, "go wtime 1000 btime 1000 nodes 5");
    assert_eq!(best, "0000");
    assert!(said.contains("over"), "{said}");
    assert!(said.contains("no nodes"), "{said}");
    ui.say("go infinite");
    ui.say("quit");
    assert_eq!(ui.end().1, Some(0));
}

#[test]
fn words_of_cecp() {
    let mut ui = Interface::new("zx81-chess");
    ui.say("xboard");
    ui.say("protover 2");
    let features = ui.until("feature done=1").join("\n");
    for feature in ["setboard=1", "usermove=1", "variants=\"normal\"", "ping=1"] {
        assert!(features.contains(feature), "{features}");
    }
    ui.say("new");
    ui.say("post");
    ui.say("usermove e2e5");
    ui.until("Illegal move: e2e5");
    let mut record = Record::new(Game::Chess, Position::start(Game::Chess));
    for own in ["e2e4", "d2d4", "g1f3"] {
        let Some(m) = record.now().find(own) else {
            break;
        };
        record.play(m);
        ui.say(&format!("usermove {own}"));
        let answer = ui.word("move ");
        let m = record.now().find(&answer);
        record.play(m.unwrap_or_else(|| panic!("{answer}")));
    }
    // It is White's turn: nothing is taken for Black.
    ui.say("ping 7");
    ui.until("pong 7");
    ui.say("force");
    ui.say("undo");
    ui.say("go");
    let answer = ui.word("move ");
    record.undo();
    assert!(record.now().find(&answer).is_some(), "{answer}");
    // A position, a promotion that its keys ask for, and the end.
    ui.say("force");
    ui.say("setboard 7k/P7/8/8/8/8/8/4K3 w - - 0 1");
    ui.say("usermove a7a8r");
    ui.say("go");
    let answer = ui.word("move ");
    assert!(["h8g7", "h8h7"].contains(&answer.as_str()), "{answer}");
    ui.say("setboard nonsense");
    ui.until("tellusererror Illegal position");
    ui.say("setboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    ui.say("go");
    assert_eq!(ui.word("move "), "a1a8");
    ui.until("1-0 {White mates}");
    ui.say("usermove g8h8");
    ui.until("Illegal move (the game is over): g8h8");
    for (line, answer) in [
        ("variant atomic", "Error (unsupported variant): atomic"),
        ("frobnicate", "Error (unknown command): frobnicate"),
        (
            "level x",
            "Error (moves, time, increment are expected): level x",
        ),
        ("option Level=9", "Error (no such option or value): Level=9"),
    ] {
        ui.say(line);
        ui.until(answer);
    }
    ui.say("new");
    for line in [
        "level 40 5 0",
        "st 3",
        "sd 2",
        "time 1000",
        "otim 1000",
        "easy",
        "draw",
    ] {
        ui.say(line);
    }
    ui.say("e2e4");
    ui.until("move ");
    ui.say("quit");
    assert_eq!(ui.end().1, Some(0));
}

#[test]
fn tinyhouse_is_explained_to_xboard() {
    let mut ui = Interface::new("tinyhouse");
    ui.say("xboard");
    ui.say("protover 2");
    ui.say("variant tinyhouse");
    ui.until("setup (PHFW........~~~~Kphfw........~~~~k) 4x4+5_crazyhouse fhwk/3p/P3/KWHF[]");
    ui.until("piece K& K");
    ui.say("usermove a2a3");
    let answer = ui.word("move ");
    let start = Position::start(Game::Tinyhouse);
    let now = start.play(start.find("a2a3").expect("it"));
    assert!(now.find(&answer).is_some(), "{answer}");
}

#[test]
fn levels_follow_the_time() {
    let mut ui = Interface::new("tinyhouse");
    ui.say("uci");
    for (go, depth) in [
        ("go movetime 600", "info depth 1 "),
        ("go movetime 1500", "info depth 2 "),
        ("go wtime 63000 btime 1000", "info depth 3 "),
        ("go depth 2 movetime 100000", "info depth 2 "),
        ("go", "info depth 4 "),
    ] {
        let (said, _) = ui.best("position startpos", go);
        assert!(said.contains(depth), "{go}: {said}");
    }
}

#[test]
fn what_is_no_protocol_is_survived() {
    let mut random = Random(3);
    for _ in 0..4 {
        let bench = Bench::new(&[]);
        let mut command = bench.command(&["bridge", "zx81-chess-seed"]);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.expect("it starts");
        let mut to = child.stdin.take().expect("its input");
        let mut bytes: Vec<u8> = (0..200_000).map(|_| random.below(256) as u8).collect();
        let first: &[u8] = match random.below(3) {
            0 => b"uci\n",
            1 => b"xboard\nprotover 2\n",
            _ => b"",
        };
        bytes.extend(b"\nusermove \xff\xff\nposition fen \xc3\nsetboard ////\ngo \xf0\n");
        // A line of some megabytes.
        bytes.extend(std::iter::repeat_n(b'x', 3 << 20));
        bytes.extend(b"\nquit\n");
        let _ = to.write_all(first);
        let _ = to.write_all(&bytes);
        drop(to);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }
}

#[test]
fn the_end_of_input_ends_it() {
    let mut ui = Interface::new("zx81-chess");
    ui.say("uci");
    ui.say("position startpos");
    ui.say("go");
    // What was asked for is answered.
    let (lines, code) = ui.end();
    assert!(lines.iter().any(|l| l.starts_with("bestmove")), "{lines:?}");
    assert_eq!(code, Some(0));
}

/// A copy of a shipped program with another `[bridge]`.
fn changed(change: impl Fn(&str) -> String) -> Bench {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = |name: &str| {
        let path = format!("{root}/programs/zx81-chess/{name}");
        std::fs::read_to_string(path).expect("it")
    };
    let toml = change(&file("program.toml"));
    Bench::new(&[
        ("p/program.toml", &toml),
        ("p/chess.asm", &file("chess.asm")),
    ])
}

#[test]
fn a_table_that_cannot_be_is_refused_where_it_stands() {
    for (from, to, message) in [
        ("ready = [\"wait\"]", "ready = [\"wiat\"]", "wiat"),
        ("a1 = \"squares\"", "a1 = \"sqares\"", "squares"),
        ("file = 1\n", "file = 0\n", "step"),
        ("K = 0x30\n", "", "`men` has no K"),
        ("K = 0x30\n", "K = 0x30\nX = 1\n", "no man"),
        ("game = \"chess\"", "game = \"go\"", "unknown variant"),
        ("levels = [60]", "levels = [-1]", "seconds"),
        ("levels = [60]", "levels = [60]\nlevel = 2", "1 levels"),
        ("levels = [60]", "patience = 0", "patience"),
        (
            "files = \"ABCDEFGH\"",
            "files = \"AB\"",
            "a key for each file",
        ),
        ("by = \"keys\"", "by = \"cursor\"", "a cursor has"),
        (
            "{ at = \"side\", white = 0, black = 0xFF }",
            "{ at = \"side\" }",
            "a cell has one of",
        ),
        (
            "{ at = \"fifty\", count = \"fifty\" }",
            "{ at = \"@3\", value = 1 }",
            "pointer",
        ),
        (
            "{ at = \"ep\", passing = 0 }",
            "{ at = \"ep+\", value = 0 }",
            "ep+",
        ),
        (
            "stops = [\"main\", \"input\"]\n",
            "",
            "tells when it has moved",
        ),
        ("[bridge]\n", "[bridge]\nfrobnicate = 1\n", "frobnicate"),
    ] {
        let b = changed(|toml| {
            assert!(toml.contains(from), "{from}");
            toml.replacen(from, to, 1)
        });
        let ran = b.run(&["bridge", "p"]);
        assert_eq!(ran.code, Some(1), "{to}: {}", ran.err);
        assert!(ran.err.contains(message), "{to}: {}", ran.err);
        assert!(ran.err.contains("program.toml:"), "{to}: {}", ran.err);
        assert!(ran.err.contains("E0080"), "{to}: {}", ran.err);
    }
    let none = changed(|toml| toml.split("\n# How `scrimp bridge`").next().unwrap().into());
    let ran = none.run(&["bridge", "p"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no [bridge]"), "{}", ran.err);
}

#[test]
fn a_table_that_says_something_else_ends_in_words() {
    // A program that waits elsewhere, is typed other keys, has its men called otherwise: it
    // plays on, or says why not, and never hangs.
    for (from, to) in [
        ("ready = [\"wait\"]", "ready = [\"commit\"]\npatience = 2"),
        (
            "stops = [\"main\", \"input\"]",
            "stops = [\"ask\"]\npatience = 2",
        ),
        ("keys = [\"NEWLINE\"]", "keys = [\"A\"]"),
        ("keys = [\"NEWLINE\"]", "keys = [\"frobnicate\"]"),
        ("keys = [\"NEWLINE\"]", "start = 0"),
        ("P = 0x35\n", "P = 0x36\n"),
        ("rank = -10\n", "rank = 10\n"),
        ("levels = [60]", "patience = 1\nbegin = [\"E\", \"2\"]"),
        (
            "{ at = \"side\", white = 0, black = 0xFF }",
            "{ at = \"sp\", value = 0x4100 }",
        ),
    ] {
        let b = changed(|toml| {
            let toml = toml.replacen(from, to, 1);
            match toml.contains("patience") {
                true => toml,
                false => toml.replacen("[bridge]\n", "[bridge]\npatience = 2\n", 1),
            }
        });
        let mut ui = Interface::of(b, &["bridge", "p"]);
        if let Some(pipe) = ui.to.as_mut() {
            let lines = "uci\nposition startpos\ngo\nposition startpos moves e2e4 e7e5\ngo\n";
            let _ = pipe.write_all(lines.as_bytes());
        }
        let (lines, code) = ui.end();
        let answers = lines.iter().filter(|l| l.starts_with("bestmove")).count();
        assert!(code == Some(2) || answers == 2, "{to}: {code:?} {lines:?}");
    }
}
