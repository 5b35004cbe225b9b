//! Matches of Tinyhouse against Fairy-Stockfish, a fixed number of plies deep.

use super::tinyhouse::{Game, Move, Position, Rules, Status};
use crate::common::random::Random;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The program's name.
pub const PROGRAM: &str = "fairy-stockfish";

/// A game of more plies is a draw; no program's memory holds many more.
const LONGEST: usize = 400;

/// The engine.
struct Fairy {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    depth: u32,
}

impl Fairy {
    fn start(depth: u32) -> Fairy {
        let mut process = Command::new(PROGRAM)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = process.stdin.take().expect("its input");
        let from = BufReader::new(process.stdout.take().expect("its output"));
        let mut fairy = Fairy {
            process,
            to,
            from,
            depth,
        };
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/referee");
        fairy.tell("uci");
        fairy.tell("setoption name Threads value 1");
        fairy.tell(&format!(
            "setoption name VariantPath value {folder}/variants.ini"
        ));
        fairy.tell("setoption name UCI_Variant value tinyhouse");
        fairy
    }

    fn tell(&mut self, text: &str) {
        writeln!(self.to, "{text}").expect("it listens");
    }

    /// The next line that begins so.
    fn line(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.from.read_line(&mut line).expect("text");
            assert!(read > 0, "it ended");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Forgets the game before.
    fn forget(&mut self) {
        self.tell("ucinewgame");
        self.tell("isready");
        self.line("readyok");
    }

    /// Its move after these moves from the start.
    fn think(&mut self, moves: &[Move]) -> Move {
        let moves: Vec<_> = moves.iter().map(Move::to_string).collect();
        let start = Position::start().fen();
        let moves = moves.join(" ");
        self.tell(&format!("position fen {start} - - 0 1 moves {moves}"));
        let depth = self.depth;
        self.tell(&format!("go depth {depth}"));
        let line = self.line("bestmove ");
        let word = line.split_whitespace().nth(1).expect("a move");
        Move::parse(word).unwrap_or_else(|| panic!("{line}"))
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Who plays against it.
pub trait Player {
    /// Its move, and what that took, in a unit of its own. `game` has the positions so far,
    /// the present one last.
    fn think(&mut self, game: &[Position]) -> (Move, u64);
}

/// Four plies from the start, by a number.
pub fn opening(number: u64) -> Vec<Move> {
    let mut dice = Random(number);
    let mut position = Position::start();
    let mut all = Vec::new();
    for _ in 0..4 {
        let m = dice.pick(&position.moves(Rules::Text));
        position = position.play(m);
        all.push(m);
    }
    all
}

/// What many games gave.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub plies: u64,
    /// Thoughts, and what all of them took.
    pub thoughts: u64,
    pub sum: u64,
    /// What the longest thought took, and the game up to its position.
    pub longest: (u64, Vec<Position>),
}

impl Tally {
    /// Points of each game.
    pub fn score(&self) -> f64 {
        (self.won as f64 + self.drawn as f64 / 2.0) / self.games as f64
    }

    /// Half of the interval that has the true score 95 times of 100.
    fn error(&self) -> f64 {
        let squares = (self.won as f64 + self.drawn as f64 / 4.0) / self.games as f64;
        let variance = (squares - self.score() * self.score()).max(0.0);
        1.96 * (variance / self.games as f64).sqrt()
    }

    fn add(&mut self, game: Tally) {
        self.games += game.games;
        self.won += game.won;
        self.drawn += game.drawn;
        self.plies += game.plies;
        self.thoughts += game.thoughts;
        self.sum += game.sum;
        if game.longest.0 > self.longest.0 {
            self.longest = game.longest;
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} won, {} drawn of {}: {:.3} +- {:.3} (95 %), {} plies a game, \
             a thought takes {} on the average, {} at most",
            self.won,
            self.drawn,
            self.games,
            self.score(),
            self.error(),
            self.plies / self.games,
            self.sum / self.thoughts.max(1),
            self.longest.0
        )
    }
}

fn game(fairy: &mut Fairy, player: &mut dyn Player, number: u64, white: bool) -> Tally {
    let mut game = Game::new(Position::start(), Rules::Text);
    let mut moves = opening(number);
    let mut past = vec![Position::start()];
    for &m in &moves {
        game.play(m);
        past.push(game.position.clone());
    }
    fairy.forget();
    let mut tally = Tally {
        games: 1,
        ..Tally::default()
    };
    while game.status() == Status::Playing && moves.len() < LONGEST {
        let m = if game.position.white == white {
            let (m, took) = player.think(&past);
            tally.thoughts += 1;
            tally.sum += took;
            if took > tally.longest.0 {
                tally.longest = (took, past.clone());
            }
            m
        } else {
            fairy.think(&moves)
        };
        let legal = game.position.moves(Rules::Text);
        assert!(legal.contains(&m), "{} {m}", game.position.fen());
        game.play(m);
        moves.push(m);
        past.push(game.position.clone());
    }
    tally.plies = moves.len() as u64;
    let own = game.position.white == white;
    match game.status() {
        Status::Checkmate => tally.won = (!own).into(),
        // Who is stalemated wins.
        Status::Stalemate => tally.won = own.into(),
        Status::Repetition | Status::Playing => tally.drawn = 1,
    }
    tally
}

/// Plays so many games, each opening with both colours, on all cores.
pub fn series<P: Player>(games: u64, depth: u32, player: impl Fn(u64) -> P + Sync) -> Tally {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Tally::default());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut fairy = Fairy::start(depth);
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= games {
                        return;
                    }
                    let tally = game(&mut fairy, &mut player(n), n / 2, n.is_multiple_of(2));
                    total.lock().expect("no other has failed").add(tally);
                }
            });
        }
    });
    total.into_inner().expect("none has failed")
}

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |n| n.parse().expect("a number"))
}
