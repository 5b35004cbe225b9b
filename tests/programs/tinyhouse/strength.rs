//! The model is the program, and matches of the model against Fairy-Stockfish.

use super::device::{Device, SECOND, Thought};
use super::model::Model;
use crate::common::random::Random;
use crate::common::tools;
use crate::referee::fairy::{self, Player};
use crate::referee::tinyhouse::{Position, Rules, Status};

/// The highest level whose moves take less than a minute.
const LEVEL: u8 = 5;

/// Games by chance that are not over; moves back to where they were are made more often.
fn games(dice: &mut Random, count: usize) -> Vec<Vec<Position>> {
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = vec![Position::start()];
        for _ in 0..dice.below(60) {
            let now = &game[game.len() - 1];
            let moves = now.moves(Rules::Text);
            if moves.is_empty() {
                break;
            }
            let next: Vec<Position> = moves.iter().map(|&m| now.play(m)).collect();
            let known: Vec<&Position> = next.iter().filter(|n| game.contains(n)).collect();
            let back = !known.is_empty() && dice.one_in(2);
            let chosen = if back {
                dice.pick(&known).clone()
            } else {
                next[dice.below(next.len())].clone()
            };
            game.push(chosen);
        }
        if game[game.len() - 1].status(Rules::Text) == Status::Playing {
            all.push(game);
        }
    }
    all
}

/// Both think about so many positions at each level up to one: the same move, after the
/// same number of positions.
fn compare(count: usize, seed: u64, highest: u8) {
    let mut device = Device::new(Rules::Text);
    let (mut longest, mut sum, mut nodes, mut stack) = (0, 0, 0, 0);
    for game in games(&mut Random(seed), count) {
        device.set_game(&game);
        for level in 1..=highest {
            let fen = game[game.len() - 1].fen();
            let thought = device.think_counting(level);
            let (answer, searched) = Model::new(level).think(&game);
            assert_eq!(thought.answer, answer, "{fen} {level}");
            assert_eq!(thought.nodes, searched, "{fen} {level}");
            longest = longest.max(thought.clocks);
            stack = stack.max(thought.stack);
            sum += thought.clocks;
            nodes += searched;
        }
    }
    println!(
        "{count} positions to level {highest}: {nodes} searched, {} clocks each, {:.1} s for a \
         thought at most, {stack} bytes of stack",
        sum / nodes,
        longest as f64 / SECOND as f64
    );
}

#[test]
fn the_model_is_the_program() {
    compare(15, 1, 3);
}

#[test]
#[ignore = "slow"]
fn slow_the_model_is_the_program() {
    compare(60, 2, LEVEL);
}

#[test]
#[ignore = "nightly"]
fn nightly_the_model_is_the_program() {
    compare(1000, 3, LEVEL);
    compare(20, 4, LEVEL + 1);
}

/// A mate at once is found, also where the only legal move is the one.
#[test]
fn a_first_move_that_mates_is_found() {
    let only = Position::new("4/1pHw/1w1F/KHkF[p] b");
    assert_eq!(only.moves(Rules::Text).len(), 1);
    let mut device = Device::new(Rules::Text);
    let mut games = games(&mut Random(11), 400);
    games.push(vec![only]);
    let mut found = 0;
    for game in games {
        let now = &game[game.len() - 1];
        let mates = |m| now.play(m).status(Rules::Text) == Status::Checkmate;
        let mut mating = now.moves(Rules::Text);
        mating.retain(|&m| mates(m));
        if mating.is_empty() {
            continue;
        }
        found += 1;
        device.set_game(&game);
        for level in 2..4 {
            let answer = device.think(level).answer;
            assert!(mating.contains(&answer), "{} {level} {answer}", now.fen());
        }
    }
    assert!(found >= 10, "{found}");
}

#[test]
#[ignore = "nightly"]
fn nightly_it_beats_fairy_stockfish_at_depth_two() {
    if !tools::have(&[fairy::PROGRAM]) {
        return;
    }
    let level = fairy::number("SCRIMP_LEVEL", LEVEL.into()) as u8;
    let plies = fairy::number("SCRIMP_PLIES", 2) as u32;
    let count = fairy::number("SCRIMP_GAMES", 400);
    let tally = fairy::series(count, plies, |_| Model::new(level));
    println!("level {level}, depth {plies}: {tally}");
    // The longest once more on the device.
    let (nodes, game) = &tally.longest;
    let mut device = Device::new(Rules::Text);
    device.set_game(game);
    let Thought { clocks, stack, .. } = device.think(level);
    println!(
        "{}: {nodes} positions, {clocks} clocks, {:.1} s, {stack} bytes of stack",
        game[game.len() - 1].fen(),
        clocks as f64 / SECOND as f64
    );
    assert!(clocks < 60 * SECOND, "a move took more than a minute");
    assert!(tally.score() >= 0.60);
}
