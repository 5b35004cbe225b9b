//! Moves of the shipped image, by calling its routines: numbers of positions, sets of
//! moves, all pairs of squares, all drops.

use super::device::{Device, address, hand, pairs};
use crate::common::random::Random;
use crate::referee::tinyhouse::{Position, Rules, entries};

const BOTH: [Rules; 2] = [Rules::Text, Rules::Author];

/// Games of `plies` plies by the image's own moves: each set of moves and each position
/// after a move is compared.
fn perft(device: &mut Device, position: &Position, plies: usize, rules: Rules) -> u64 {
    assert_eq!(device.moves(), pairs(position, rules), "{}", position.fen());
    let all = position.moves(rules);
    if plies == 1 {
        return all.len() as u64;
    }
    let mut sum = 0;
    for m in all {
        let mut child = device.clone();
        assert!(child.play(m, position.white), "{} {m}", position.fen());
        let next = position.play(m);
        assert_eq!(child.position(), next, "{} {m}", position.fen());
        sum += perft(&mut child, &next, plies - 1, rules);
    }
    sum
}

/// Compares with the known numbers up to `most` games; how many numbers.
fn counted(most: u64) -> usize {
    let mut numbers = 0;
    for (rules, which) in BOTH.into_iter().zip(0..) {
        let mut device = Device::fast();
        device.set_rules(rules);
        for entry in entries() {
            let position = Position::new(entry.fen);
            device.set_position(&position);
            let counts = &entry.perft[which];
            // The longest within the limit visits all shorter ones.
            if let Some(plies) = counts.iter().rposition(|&n| n <= most) {
                let is = perft(&mut device, &position, plies + 1, rules);
                assert_eq!(is, counts[plies], "{} {rules:?}", entry.name);
                numbers += 1;
            }
        }
        device.stack_is_clear();
    }
    numbers
}

#[test]
fn the_moves_are_those_of_the_rules() {
    assert!(counted(60) > 60);
}

#[test]
#[ignore = "slow"]
fn slow_the_moves_are_those_of_the_rules() {
    assert!(counted(1_000) > 60);
}

#[test]
#[ignore = "slow"]
fn slow_the_start_is_counted_to_five_plies() {
    for (rules, games) in BOTH.into_iter().zip([16_021, 17_231]) {
        let mut device = Device::fast();
        device.set_rules(rules);
        let is = perft(&mut device, &Position::start(), 5, rules);
        assert_eq!(is, games, "{rules:?}");
        device.stack_is_clear();
    }
}

#[test]
#[ignore = "nightly"]
fn nightly_the_moves_are_those_of_the_rules() {
    assert!(counted(60_000) > 60);
}

/// The position after some random moves.
pub fn random(dice: &mut Random, plies: usize) -> Position {
    let mut position = Position::start();
    for _ in 0..plies {
        let all = position.moves(Rules::Text);
        if all.is_empty() {
            break;
        }
        position = position.play(dice.pick(&all));
    }
    position
}

/// Offers all squares and both hands as a source, all squares as a target, to the routine
/// that decides what the player may do.
fn every_pair(positions: impl Iterator<Item = Position>) {
    let fresh = Device::fast();
    let hands = [true, false]
        .into_iter()
        .flat_map(|white| b"PWHF".iter().map(move |&kind| hand(kind, white) as u8));
    let squares: Vec<u8> = (0..16).map(|s| address(s) as u8).collect();
    let sources: Vec<u8> = squares.iter().copied().chain(hands).collect();
    for position in positions {
        let mut device = fresh.clone();
        device.set_position(&position);
        let start = device.clone();
        let allowed = pairs(&position, Rules::Text);
        for &from in &sources {
            for &to in &squares {
                let taken = device.pair((from, to));
                let legal = allowed.contains(&(from, to));
                assert_eq!(taken, legal, "{} ${from:02X} ${to:02X}", position.fen());
                if taken {
                    device = start.clone();
                }
            }
        }
        // Refused entries have changed nothing.
        assert_eq!(device.position(), position);
    }
}

#[test]
fn only_legal_pairs_are_taken() {
    every_pair(
        entries()
            .iter()
            .skip(2)
            .take(3)
            .map(|e| Position::new(e.fen)),
    );
}

#[test]
#[ignore = "slow"]
fn slow_only_legal_pairs_are_taken() {
    let mut dice = Random(1983);
    let known: Vec<Position> = entries().iter().map(|e| Position::new(e.fen)).collect();
    let random = (0..80).map(|n| random(&mut dice, n));
    every_pair(known.into_iter().chain(random));
}
