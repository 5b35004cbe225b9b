//! The computer's moves: mate puzzles, and that it ends in time.

use super::device::{Device, MINUTE, at};
use super::moves::random;
use crate::common::random::Random;
use crate::referee::tinyhouse::{Move, PUZZLES, Position, Rules, Status};

/// What the image plays in a position, and the T-states of its thinking.
pub fn think(device: &mut Device, position: &Position) -> (Move, u64) {
    device.set("sp", 0x4400);
    device.set("pc", at("think"));
    device.set("ix", 0);
    let took = device.until("enough", 4 * MINUTE);
    device.until("main", MINUTE);
    let shown = device.position();
    let all = position.moves(Rules::Text).into_iter();
    let found = all.into_iter().find(|&m| position.play(m) == shown);
    (
        found.unwrap_or_else(|| panic!("{} to {}", position.fen(), shown.fen())),
        took,
    )
}

/// Whether the side to move mates within so many moves, each a check.
fn mates(position: &Position, moves: usize) -> bool {
    let all = position.moves(Rules::Text).into_iter();
    all.map(|m| position.play(m))
        .any(|next| next.in_check(next.white) && is_lost(&next, moves - 1))
}

/// Whether the side to move is mated, or will be within so many checks.
fn is_lost(position: &Position, moves: usize) -> bool {
    let all = position.moves(Rules::Text);
    if all.is_empty() {
        return position.in_check(position.white);
    }
    moves > 0 && all.into_iter().all(|m| mates(&position.play(m), moves))
}

/// Whether the image mates within so many moves against every defence, in how many lines.
fn solves(device: &mut Device, position: &Position, moves: usize) -> Option<usize> {
    device.set_position(position);
    let (m, _) = think(device, position);
    let next = position.play(m);
    if next.status(Rules::Text) == Status::Checkmate {
        return Some(1);
    }
    if !is_lost(&next, moves - 1) {
        println!("{} {m} is not the way", position.fen());
        return None;
    }
    let answers = next.moves(Rules::Text).into_iter();
    answers
        .map(|a| solves(device, &next.play(a), moves - 1))
        .sum()
}

/// Whether the image solves a puzzle, and the stack holds.
fn is_solved(number: usize) -> bool {
    let (fen, line) = PUZZLES[number];
    let position = Position::new(fen);
    let moves = line.len().div_ceil(2);
    assert!(mates(&position, moves), "{fen}");
    let mut device = Device::fast();
    let mated = solves(&mut device, &position, moves);
    device.stack_is_clear();
    mated.is_some_and(|lines| lines > 0)
}

#[test]
fn puzzles_of_one_and_two_moves_are_solved() {
    assert!(is_solved(0) && is_solved(1) && is_solved(2));
}

/// Thinks in random positions: a legal move, in time, and the stack holds.
fn thinks(positions: usize) {
    let mut dice = Random(5);
    let mut device = Device::fast();
    let (mut longest, mut sum) = (0, 0);
    for n in 0..positions {
        let position = random(&mut dice, 6 + n);
        if position.moves(Rules::Text).is_empty() {
            continue;
        }
        device.set_position(&position);
        let (_, took) = think(&mut device, &position);
        longest = longest.max(took);
        sum += took;
    }
    device.stack_is_clear();
    println!(
        "{positions} positions: {:.1} s, at most {:.1} s, stack down to ${:04X}",
        sum as f64 / positions as f64 / 3.25e6,
        longest as f64 / 3.25e6,
        device.0.lowest_stack()
    );
    assert!(longest < MINUTE, "a move took more than a minute");
}

#[test]
fn it_thinks_a_minute_at_most() {
    thinks(4);
}

#[test]
#[ignore = "slow"]
fn slow_it_thinks_a_minute_at_most() {
    thinks(60);
}
