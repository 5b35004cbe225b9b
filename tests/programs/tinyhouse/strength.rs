//! Matches against Fairy-Stockfish, played through the serial line.

use super::Random;
use super::device::{Device, SECOND, read, screens};
use crate::common::tools;
use crate::referee::tinyhouse::{Game, Move, Position, Rules, START, Status};
use scrimp_isa::Simulation;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// An engine that speaks UCI.
struct Engine {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str) -> Engine {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = process.stdin.take().expect("its input");
        let from = BufReader::new(process.stdout.take().expect("its output"));
        let mut engine = Engine { process, to, from };
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/tinyhouse");
        engine.send(&format!(
            "setoption name VariantPath value {folder}/variants.ini"
        ));
        engine.send("setoption name UCI_Variant value tinyhouse");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("it listens");
    }

    /// Its move after these moves from the start, looking `plies` ahead.
    fn think(&mut self, moves: &[Move], plies: u32) -> Move {
        let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
        self.send(&format!(
            "position fen {START} - - 0 1 moves {}",
            moves.join(" ")
        ));
        self.send(&format!("go depth {plies}"));
        let mut line = String::new();
        loop {
            line.clear();
            assert!(
                self.from.read_line(&mut line).expect("text") > 0,
                "it ended"
            );
            if let Some(text) = line.strip_prefix("bestmove ") {
                let text = text.split_whitespace().next().expect("a move");
                return Move::parse(text).unwrap_or_else(|| panic!("{line}"));
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Four plies from the start, by a number.
fn opening(number: u64) -> Vec<Move> {
    let mut random = Random::new(number + 1);
    let mut position = Position::start();
    let mut all = Vec::new();
    for _ in 0..4 {
        let m = random.pick(&position.moves(Rules::Text));
        position = position.play(m);
        all.push(m);
    }
    all
}

/// What a game gave: twice the program's score, the longest thought in clocks, and plies.
struct Outcome {
    twice: u32,
    longest: u64,
    plies: usize,
}

fn game(engine: &mut Engine, number: u64, white: bool, level: u8, plies: u32) -> Outcome {
    let mut device = Device::new(Rules::Text);
    let mut game = Game::new(Position::start(), Rules::Text);
    let mut moves = opening(number);
    for m in &moves {
        game.play(*m);
        device.line(&m.to_string(), SECOND);
    }
    engine.send("ucinewgame");
    let mut longest = 0;
    let mut started = false;
    while game.status() == Status::Playing {
        let line = if game.position.white == white {
            // Once: from then on it answers by itself.
            assert!(!started);
            started = true;
            level.to_string()
        } else {
            let m = engine.think(&moves, plies);
            assert!(game.position.moves(Rules::Text).contains(&m), "{m}");
            game.play(m);
            moves.push(m);
            m.to_string()
        };
        let begin = device.sim.cycles();
        let text = device.line(&line, 4000 * SECOND);
        longest = longest.max(device.sim.cycles() - begin);
        // The screen behind that of the line is the one of its answer.
        if started && game.status() == Status::Playing {
            let shown = screens(&text);
            let answer = shown.get(1).unwrap_or_else(|| panic!("{line}: {text}"));
            let m = read(&answer.word).unwrap_or_else(|| panic!("{text}"));
            assert!(game.position.moves(Rules::Text).contains(&m), "{m} {text}");
            game.play(m);
            moves.push(m);
        }
        if game.status() == Status::Playing {
            assert_eq!(device.position(), game.position, "{text}");
        }
    }
    let to_move = game.position.white == white;
    let twice = match game.status() {
        Status::Checkmate if to_move => 0,
        Status::Checkmate => 2,
        Status::Stalemate if to_move => 2,
        Status::Stalemate => 0,
        _ => 1,
    };
    Outcome {
        twice,
        longest,
        plies: moves.len(),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().expect("a number"))
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_fairy_stockfish_at_depth_two() {
    if !tools::have(&["fairy-stockfish"]) {
        return;
    }
    let games = number("SCRIMP_GAMES", 400);
    let level = number("SCRIMP_LEVEL", 5) as u8;
    let plies = number("SCRIMP_PLIES", 2) as u32;
    let mut engine = Engine::start("fairy-stockfish");
    let (mut won, mut drawn, mut longest, mut total) = (0, 0, 0, 0);
    for n in 0..games {
        let outcome = game(&mut engine, n / 2, n % 2 == 0, level, plies);
        won += u32::from(outcome.twice == 2);
        drawn += u32::from(outcome.twice == 1);
        longest = longest.max(outcome.longest);
        total += outcome.plies;
        if n % 20 == 19 {
            println!("{won} won, {drawn} drawn of {}", n + 1);
        }
    }
    let all = games as f64;
    let score = (f64::from(won) + f64::from(drawn) / 2.0) / all;
    let square = (f64::from(won) + f64::from(drawn) / 4.0) / all - score * score;
    println!(
        "level {level}: {won} won, {drawn} drawn of {games}: {score:.3} +- {:.3} (95 %), \
         {} plies a game, longest thought {:.1} s",
        1.96 * (square.max(0.0) / all).sqrt(),
        total as f64 / all,
        longest as f64 / SECOND as f64
    );
    assert!(longest < 60 * SECOND, "a move took more than a minute");
    assert!(score >= 0.60);
}
