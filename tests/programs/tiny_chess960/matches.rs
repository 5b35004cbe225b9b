//! Matches of the best level, played by the model, against two plies of material and
//! against Stockfish with its strength limited. Best run with `--release`.

use super::core::{back, moves};
use super::model::Model;
use super::rules::{CHECK, Game, MATE, Random};
use crate::common::tools;
use cozy_chess::{Board, Color, Move, Piece};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const BEST_LEVEL: u8 = 3;
/// Plies by chance at the beginning of each game.
const OPENING: usize = 4;

/// Who plays against it.
trait Other {
    fn begin(&mut self) {}
    /// A move after those of the game from an array.
    fn choose(&mut self, game: &Game, played: &[Move], random: &mut Random) -> Move;
}

fn price(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

/// Men of the side against those of the other.
fn material(board: &Board, side: Color) -> i32 {
    let men = |c| {
        let some = |p| price(p) * board.colored_pieces(c, p).len() as i32;
        Piece::ALL.map(some).iter().sum::<i32>()
    };
    men(side) - men(!side)
}

/// Two plies of material, chance among the best.
struct Plain;

impl Other for Plain {
    fn choose(&mut self, game: &Game, _: &[Move], random: &mut Random) -> Move {
        let board = &game.board;
        let side = board.side_to_move();
        let end = |b: &Board, bad: i32| {
            moves(b)
                .is_empty()
                .then(|| if b.checkers().is_empty() { 0 } else { bad })
        };
        let worth = |m: &Move| {
            let mut next = board.clone();
            next.play(*m);
            let replies = moves(&next).into_iter().map(|r| {
                let mut last = next.clone();
                last.play(r);
                end(&last, -1000).unwrap_or_else(|| material(&last, side))
            });
            replies.min().or_else(|| end(&next, 1000)).unwrap_or(0)
        };
        let all: Vec<_> = moves(board).into_iter().map(|m| (worth(&m), m)).collect();
        let most = all.iter().map(|&(worth, _)| worth).max();
        let best = all.iter().filter(|&&(worth, _)| Some(worth) == most);
        random.pick(&best.map(|&(_, m)| m).collect::<Vec<_>>())
    }
}

/// Stockfish, limited to an Elo number, with fixed nodes.
struct Stockfish {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    nodes: u32,
}

impl Stockfish {
    fn start(elo: u32, nodes: u32) -> Self {
        let mut process = Command::new("stockfish")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let to = process.stdin.take().expect("its input");
        let from = BufReader::new(process.stdout.take().expect("its output"));
        let mut engine = Self {
            process,
            to,
            from,
            nodes,
        };
        for (name, value) in [
            ("UCI_Chess960", "true"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", &elo.to_string()),
            ("Threads", "1"),
            ("Hash", "1"),
        ] {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("it listens");
    }
}

impl Other for Stockfish {
    fn begin(&mut self) {
        self.send("ucinewgame");
    }

    fn choose(&mut self, game: &Game, played: &[Move], _: &mut Random) -> Move {
        let start = game.before.first().unwrap_or(&game.board);
        let text: Vec<_> = played.iter().map(Move::to_string).collect();
        self.send(&format!("position fen {start:#} moves {}", text.join(" ")));
        self.send(&format!("go nodes {}", self.nodes));
        let mut line = String::new();
        loop {
            line.clear();
            let length = self.from.read_line(&mut line).expect("text");
            assert!(length > 0, "it ended");
            if let Some(text) = line.strip_prefix("bestmove ") {
                let text = text.split_whitespace().next().expect("a move");
                return text.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
            }
        }
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Twice the program's score in a game, and the clocks of its longest thought.
fn game(number: u64, other: &mut dyn Other) -> (u64, u64) {
    // Each opening twice, every other one from the usual array.
    let mut random = Random::new(1 + number / 2);
    let array = if (number / 2).is_multiple_of(2) {
        518
    } else {
        random.below(960) as u16
    };
    let own = Color::ALL[(number % 2) as usize];
    let mut game = Game::new(array);
    let mut played = Vec::new();
    let mut model = Model::of_image();
    let mut longest = 0;
    other.begin();
    while game.status() <= CHECK {
        let m = if played.len() < OPENING {
            random.pick(&moves(&game.board))
        } else if game.board.side_to_move() == own {
            model.set_up(&game.board, played.len() as u8);
            // People push at any time.
            model.phase = 1 << 20 | random.below(1 << 16) as u64;
            model.ticks = 15;
            model.think(BEST_LEVEL);
            longest = longest.max(model.clock);
            let (from, to) = (back(model.best.0), back(model.best.1));
            let is = |m: &&Move| {
                m.from == from && m.to == to && m.promotion.is_none_or(|p| p == Piece::Queen)
            };
            let all = moves(&game.board);
            *all.iter().find(is).expect("a legal move")
        } else {
            other.choose(&game, &played, &mut random)
        };
        game.play(m);
        played.push(m);
    }
    let twice = match game.status() {
        MATE if game.board.side_to_move() == own => 0,
        MATE => 2,
        _ => 1,
    };
    (twice, longest)
}

/// Plays `SCRIMP_GAMES` games, 400 without it, on all cores; the score.
fn series<O: Other>(name: &str, start: impl Fn() -> O + Sync) -> f64 {
    let count = std::env::var("SCRIMP_GAMES").map_or(400, |n| n.parse().expect("a number"));
    let next = AtomicU64::new(0);
    let total = Mutex::new(([0u64; 3], 0));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut other = start();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let (twice, longest) = game(number, &mut other);
                    let mut total = total.lock().expect("no other has failed");
                    total.0[twice as usize] += 1;
                    total.1 = total.1.max(longest);
                }
            });
        }
    });
    let ([lost, drawn, won], longest) = total.into_inner().expect("none has failed");
    let games = count as f64;
    let score = (won as f64 + drawn as f64 / 2.0) / games;
    let square = (won as f64 + drawn as f64 / 4.0) / games - score * score;
    println!(
        "{name}: {won} won, {drawn} drawn, {lost} lost: {score:.3} +- {:.3} (95 %), \
         {:.1} s for a move at most",
        1.96 * (square.max(0.0) / games).sqrt(),
        longest as f64 / 8e6
    );
    assert!(longest < 59 * 8_000_000);
    score
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_two_plies_of_material() {
    // It made 0.949.
    assert!(series("two plies of material", || Plain) >= 0.85);
}

#[test]
#[ignore = "nightly"]
fn nightly_stockfish_limited_to_1350() {
    if !tools::have(&["stockfish"]) {
        return;
    }
    // It made 0.663.
    assert!(series("Stockfish", || Stockfish::start(1350, 2000)) >= 0.5);
}
