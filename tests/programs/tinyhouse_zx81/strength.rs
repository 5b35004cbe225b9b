//! The model is the program, and matches of the model against Fairy-Stockfish.

use super::device::{Device, MINUTE, at, pair};
use super::model::Model;
use super::moves::random;
use crate::common::random::Random;
use crate::common::tools;
use crate::referee::fairy::{self, Player};
use crate::referee::tinyhouse::{Move, Position, Rules};
use scrimp_isa::machine::Stop;

/// A thought of the image: its move, what it drew by lot, positions, T-states.
struct Thought {
    best: (u8, u8),
    lots: Vec<u8>,
    nodes: u16,
    took: u64,
}

fn think(device: &mut Device, position: &Position) -> Thought {
    device.set_position(position);
    device.set("sp", 0x4400);
    device.set("pc", at("think"));
    device.set("ix", 0);
    let (lot, enough, start) = (at("lot"), at("enough"), device.0.cycles());
    let mut lots = Vec::new();
    device.0.breakpoint(lot, true);
    device.0.breakpoint(enough, true);
    loop {
        match device.0.run(3 * MINUTE) {
            Stop::Breakpoint(place) if place == lot => {
                lots.push((device.get("af") >> 8 & 1) as u8);
            }
            Stop::Breakpoint(place) if place == enough => break,
            other => panic!("{}: {other:?}", position.fen()),
        }
    }
    device.0.breakpoint(lot, false);
    device.0.breakpoint(enough, false);
    Thought {
        best: (device.0.peek(at("best") + 1), device.0.peek(at("best"))),
        lots,
        nodes: device.get("ix") as u16,
        took: device.0.cycles() - start,
    }
}

/// Both think about positions of games by chance: the same move, after the same number of
/// positions and of lots.
fn compare(count: usize, seed: u64) {
    let mut dice = Random(seed);
    let mut device = Device::fast();
    let mut model = Model::new();
    let (mut longest, mut sum, mut nodes, mut done) = (0, 0, 0, 0);
    while done < count {
        let plies = dice.below(70);
        let position = random(&mut dice, plies);
        if position.moves(Rules::Text).is_empty() {
            continue;
        }
        done += 1;
        let thought = think(&mut device, &position);
        model.set(&position);
        let mut lots = thought.lots.into_iter();
        let best = model.think(0, || lots.next().expect("as many lots"));
        let fen = position.fen();
        assert_eq!(lots.next(), None, "{fen}: as many lots");
        assert_eq!(model.nodes, thought.nodes, "{fen}: as many positions");
        assert_eq!(best, thought.best, "{fen}");
        longest = longest.max(thought.took);
        sum += thought.took;
        nodes += u64::from(thought.nodes);
    }
    device.stack_is_clear();
    println!(
        "{count} positions: {:.1} s each, {:.1} s at most, {} T-states a position searched",
        sum as f64 / count as f64 / 3.25e6,
        longest as f64 / 3.25e6,
        sum / nodes
    );
    assert!(longest < MINUTE, "a move took more than a minute");
}

#[test]
fn the_model_is_the_program() {
    compare(3, 1);
}

#[test]
#[ignore = "slow"]
fn slow_the_model_is_the_program() {
    compare(60, 2);
}

#[test]
#[ignore = "nightly"]
fn nightly_the_model_is_the_program() {
    compare(1000, 3);
}

/// The model with lots of its own.
struct Computer {
    model: Model,
    dice: Random,
}

impl Player for Computer {
    fn think(&mut self, game: &[Position]) -> (Move, u64) {
        let position = &game[game.len() - 1];
        self.model.set(position);
        let dice = &mut self.dice;
        let best = self.model.think(0, || dice.byte() & 1);
        let all = position.moves(Rules::Text).into_iter();
        // Its own pawns become wazirs.
        let mut all = all.filter(|&m| {
            let other = matches!(m, Move::Promote { piece, .. } if piece != b'W');
            pair(m, position.white) == best && !other
        });
        let found = all.next();
        let found = found.unwrap_or_else(|| panic!("{} {best:?}", position.fen()));
        (found, self.model.nodes.into())
    }
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_fairy_stockfish_at_depth_two() {
    if !tools::have(&[fairy::PROGRAM]) {
        return;
    }
    let plies = fairy::number("SCRIMP_PLIES", 2) as u32;
    let count = fairy::number("SCRIMP_GAMES", 400);
    let tally = fairy::series(count, plies, |n| Computer {
        model: Model::new(),
        dice: Random(n),
    });
    println!("depth {plies}: {tally}");
    // The longest once more on the device.
    let position = &tally.longest.1[tally.longest.1.len() - 1];
    let took = think(&mut Device::fast(), position).took;
    println!("{}: {:.1} s", position.fen(), took as f64 / 3.25e6);
    assert!(took < MINUTE, "a move took more than a minute");
    assert!(tally.score() >= 0.60);
}
