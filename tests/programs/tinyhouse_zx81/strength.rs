//! Matches of the shipped image against Fairy-Stockfish.

use super::device::Device;
use super::puzzles::think;
use crate::common::random::Random;
use crate::common::tools::have;
use crate::referee::tinyhouse::{Game, Move, Position, Rules, Status};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The variant in the engine's words; the stalemated side wins.
const VARIANT: &str = "\
[scrimphouse]
maxRank = 4
maxFile = 4
king = k
pawn = p
wazir = w
fers = f
horse = h
startFen = fhwk/3p/P3/KWHF[] w - - 0 1
promotionRank = 4
promotionRegionWhite = *4
promotionRegionBlack = *1
promotionPieceTypes = wfh
castling = false
doubleStep = false
pieceDrops = true
capturesToHand = true
firstRankPawnDrops = false
promotionZonePawnDrops = false
stalemateValue = win
nMoveRule = 0
nFoldRule = 3
";

/// Fairy-Stockfish, a fixed number of plies deep.
struct Fairy {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    depth: u32,
}

impl Fairy {
    fn start(depth: u32) -> Fairy {
        let folder = tempfile::tempdir().expect("a folder");
        let variant = folder.path().join("variants.ini");
        std::fs::write(&variant, VARIANT).expect("written");
        let mut child = Command::new("fairy-stockfish")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let mut fairy = Fairy {
            child,
            input,
            output,
            depth,
        };
        fairy.tell("uci");
        fairy.tell("setoption name Threads value 1");
        fairy.tell(&format!(
            "setoption name VariantPath value {}",
            variant.display()
        ));
        fairy.tell("setoption name UCI_Variant value scrimphouse");
        fairy.tell("isready");
        fairy.line("readyok");
        fairy
    }

    fn tell(&mut self, text: &str) {
        writeln!(self.input, "{text}").expect("it reads");
    }

    /// The next line that begins so.
    fn line(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("it writes");
            assert!(read > 0, "the engine ended");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    fn best(&mut self, start: &Position, moves: &[Move]) -> Move {
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        self.tell(&format!(
            "position fen {} - - 0 1 moves {}",
            start.fen(),
            moves.join(" ")
        ));
        let depth = self.depth;
        self.tell(&format!("go depth {depth}"));
        let line = self.line("bestmove");
        let word = line.split_whitespace().nth(1).expect("a move");
        Move::parse(word).unwrap_or_else(|| panic!("{line}"))
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}

/// Four plies from the start, by a number.
fn opening(number: u64) -> Position {
    let mut dice = Random(number);
    let mut position = Position::start();
    for _ in 0..4 {
        let all = position.moves(Rules::Text);
        position = position.play(dice.pick(&all));
    }
    position
}

/// Twice the score of the image in one game, and its longest thought in T-states.
fn game(fresh: &Device, fairy: &mut Fairy, number: u64, white: bool) -> (u32, u64) {
    let start = opening(number);
    let mut game = Game::new(start.clone(), Rules::Text);
    let mut device = fresh.clone();
    let mut moves = Vec::new();
    let mut longest = 0;
    for _ in 0..200 {
        let own = game.position.white == white;
        match game.status() {
            Status::Checkmate => return (if own { 0 } else { 2 }, longest),
            // The side without a move wins.
            Status::Stalemate => return (if own { 2 } else { 0 }, longest),
            Status::Repetition => return (1, longest),
            Status::Playing => {}
        }
        let m = if own {
            device.set_position(&game.position);
            let (m, took) = think(&mut device, &game.position);
            longest = longest.max(took);
            m
        } else {
            fairy.best(&start, &moves)
        };
        moves.push(m);
        game.play(m);
    }
    (1, longest)
}

/// Plays `games` games, each opening with both colours.
fn series(games: u64, depth: u32) -> f64 {
    let fresh = Device::fast();
    let mut fairy = Fairy::start(depth);
    let (mut won, mut drawn, mut longest) = (0, 0, 0);
    for n in 0..games {
        let (twice, took) = game(&fresh, &mut fairy, n / 2, n % 2 == 0);
        won += u32::from(twice == 2);
        drawn += u32::from(twice == 1);
        longest = longest.max(took);
        if std::env::var("SCRIMP_VERBOSE").is_ok() {
            println!(
                "{n}: {twice} won {won} drawn {drawn} longest {:.1}",
                longest as f64 / 3.25e6
            );
        }
    }
    let all = games as f64;
    let score = (f64::from(won) + f64::from(drawn) / 2.0) / all;
    let square = (f64::from(won) + f64::from(drawn) / 4.0) / all - score * score;
    println!(
        "depth {depth}: {won} won, {drawn} drawn of {games}: {score:.3} +- {:.3} (95 %), \
         longest {:.1} s",
        1.96 * (square.max(0.0) / all).sqrt(),
        longest as f64 / 3.25e6
    );
    score
}

#[test]
#[ignore = "nightly"]
fn nightly_beats_fairy_stockfish_two_plies_deep() {
    if !have(&["fairy-stockfish"]) {
        return;
    }
    let games = std::env::var("SCRIMP_GAMES").map_or(400, |n| n.parse().expect("a number"));
    assert!(series(games, 2) >= 0.60);
}
