//! Moves, by the generator and by the line.

use super::device::Device;
use crate::referee::tinyhouse::{Move, Position, Rules, entries};

fn sorted(mut all: Vec<(Move, Position)>) -> Vec<(Move, Position)> {
    all.sort_unstable_by_key(|m| m.0);
    all
}

/// Compares the moves, and what they lead to, of a position and those behind it.
fn compare(device: &mut Device, position: &Position, rules: Rules, plies: u32) -> u64 {
    device.set_position(position);
    let got = sorted(device.moves());
    let all = position.moves(rules).into_iter();
    let want = sorted(all.map(|m| (m, position.play(m))).collect());
    assert_eq!(got, want, "{}", position.fen());
    if plies == 1 {
        return want.len() as u64;
    }
    let deeper = want.iter();
    deeper
        .map(|m| compare(device, &m.1, rules, plies - 1))
        .sum()
}

/// Compares sets of moves in all positions of the referee's list as deep as there are
/// at most so many games.
fn generator(most: u64) {
    for rules in [Rules::Text, Rules::Author] {
        let mut device = Device::new(rules);
        for entry in entries() {
            let position = Position::new(entry.fen);
            let numbers = &entry.perft[usize::from(rules == Rules::Author)];
            let plies = numbers.iter().take_while(|&&n| n <= most).count().max(1);
            let count = compare(&mut device, &position, rules, plies as u32);
            assert_eq!(count, numbers[plies - 1], "{}", entry.name);
        }
    }
}

#[test]
fn the_generator_knows_the_moves() {
    generator(100);
}

#[test]
#[ignore = "slow"]
fn slow_the_generator_knows_the_moves_further_on() {
    generator(3000);
}
