//! Games through the key matrix, with the display file read after each move.

use super::device::{Device, at, pair};
use super::moves::random;
use crate::common::random::Random;
use crate::common::tools::named;
use crate::referee::tinyhouse::{Move, Position, Rules, Status};

fn legal(position: &Position) -> Vec<Move> {
    position.moves(Rules::Text)
}

/// The keys of a move; a promotion has a fifth, a drop one less.
fn keys(m: Move) -> Vec<String> {
    m.to_string()
        .to_uppercase()
        .replace('H', "M")
        .replace('@', "")
        .chars()
        .map(String::from)
        .collect()
}

/// What the line shows of a move: its squares, or `W-B2` for a drop.
fn echo(m: Move) -> String {
    let keys = keys(m).concat();
    match m {
        Move::Drop { .. } => format!("{}-{}", &keys[..1], &keys[1..]),
        _ => keys[..4].to_owned(),
    }
}

fn typed(device: &mut Device, m: Move) {
    let all = keys(m);
    device.keys(all.iter().map(String::as_str));
}

/// The mark that belongs to a position.
fn mark(position: &Position) -> char {
    match position.status(Rules::Text) {
        Status::Checkmate => '*',
        Status::Stalemate => 's',
        _ if position.in_check(position.white) => '+',
        _ => ' ',
    }
}

/// What the computer has played, by the screen.
fn answer(device: &Device, position: &Position) -> Position {
    let shown = device.position();
    let found = legal(position).into_iter().map(|m| position.play(m));
    let found = found.into_iter().find(|next| *next == shown);
    found.unwrap_or_else(|| panic!("{} to {}", position.fen(), shown.fen()))
}

/// Plays on with random moves of the player, promotions and drops more often; how many.
fn play(device: &mut Device, mut position: Position, dice: &mut Random, moves: usize) -> usize {
    for n in 0..moves {
        let all = legal(&position);
        let special = all
            .iter()
            .copied()
            .filter(|m| !matches!(m, Move::Walk { .. }));
        let special: Vec<Move> = special.collect();
        let rather = !special.is_empty() && dice.one_in(2);
        let m = dice.pick(if rather { &special } else { &all });
        typed(device, m);
        let next = position.play(m);
        let goes_on = device.waits();
        device.stack_is_clear();
        assert_eq!(device.line()[..4], echo(m), "{m} is shown");
        if legal(&next).is_empty() {
            assert!(!goes_on, "{}", next.fen());
            assert_eq!(device.position(), next);
            assert!(device.line().ends_with(mark(&next)), "{}", next.fen());
            return n;
        }
        position = answer(device, &next);
        assert!(
            device.line().ends_with(mark(&position)),
            "{}: {}",
            position.fen(),
            device.line()
        );
        assert_eq!(goes_on, !legal(&position).is_empty(), "{}", position.fen());
        if !goes_on {
            return n;
        }
    }
    moves
}

#[test]
fn a_game_by_keys_with_either_colour() {
    let mut dice = Random(64);
    let mut device = Device::new();
    assert_eq!(device.position(), Position::start());
    assert!(play(&mut device, Position::start(), &mut dice, 2) > 0);
    // NEWLINE gives White to the computer.
    let mut device = Device::new();
    device.keys(["NEWLINE"]);
    assert!(device.waits());
    let position = answer(&device, &Position::start());
    assert!(play(&mut device, position, &mut dice, 1) > 0);
}

/// From tape to the second answer.
fn from_tape(rom: Option<Vec<u8>>) {
    let mut device = Device::from_tape(rom);
    assert_eq!(device.position(), Position::start());
    let moves = play(&mut device, Position::start(), &mut Random(40), 2);
    assert_eq!(moves, 2);
}

#[test]
#[ignore = "slow"]
fn slow_it_loads_from_tape() {
    from_tape(None);
}

#[test]
fn it_plays_in_the_machines_own_rom() {
    let Some(file) = named("SCRIMP_ZX81_ROM") else {
        return;
    };
    from_tape(Some(std::fs::read(file).expect("the ROM")));
}

#[test]
#[ignore = "slow"]
fn slow_games_by_keys() {
    let mut dice = Random(1981);
    let mut moves = 0;
    for _ in 0..4 {
        moves += play(&mut Device::new(), Position::start(), &mut dice, 30);
    }
    assert!(moves > 20);
}

/// A machine that waits for a move in a position, with its mark; over: false.
fn standing(position: &Position) -> (Device, bool) {
    let mut device = Device::new();
    device.set_position(position);
    device.set("pc", at("main"));
    let waits = device.waits();
    (device, waits)
}

#[test]
fn check_mate_and_stalemate_are_told() {
    for (fen, wanted) in [
        ("4/2h1/w2k/K3[] w", '*'),
        ("k1W1/2W1/1F2/3K[] b", 's'),
        ("2W~k/4/4/K3[] b", '+'),
        ("k3/4/4/3K[p] w", ' '),
    ] {
        let position = Position::new(fen);
        assert_eq!(mark(&position), wanted);
        let (device, waits) = standing(&position);
        assert!(device.line().ends_with(wanted), "{fen}: {}", device.line());
        assert_eq!(waits, wanted == '+' || wanted == ' ', "{fen}");
        device.stack_is_clear();
    }
}

#[test]
#[ignore = "slow"]
fn slow_marks_of_random_positions() {
    let mut dice = Random(7);
    for n in 0..120 {
        let position = random(&mut dice, n);
        let (device, waits) = standing(&position);
        assert!(
            device.line().ends_with(mark(&position)),
            "{}",
            position.fen()
        );
        assert_eq!(waits, !legal(&position).is_empty(), "{}", position.fen());
    }
}

#[test]
fn a_promotion_asks_for_the_piece() {
    let position = Position::new("3k/P3/3p/K3[] w");
    let all = legal(&position).into_iter();
    for m in all.filter(|m| matches!(m, Move::Promote { .. })) {
        let (mut device, _) = standing(&position);
        // P and K are no choice, nor is a digit.
        device.keys(["A", "3", "A", "4", "P", "K", "1"]);
        assert!(device.waits(), "it still asks");
        let letter = keys(m).pop().expect("the fifth key");
        device.keys([letter.as_str()]);
        assert!(device.waits());
        answer(&device, &position.play(m));
    }
}

#[test]
fn illegal_entries_are_dropped() {
    let start = Position::start();
    for entry in ["A2A4", "D3D2", "A1A1", "WB2", "PB3", "B1A1"] {
        let mut device = Device::new();
        device.keys(entry.split("").filter(|k| !k.is_empty()));
        assert!(device.waits(), "{entry}");
        assert_eq!(device.position(), start, "{entry}");
    }
    // Other keys are passed over; H is the Ma as M is.
    let position = Position::new("k3/4/4/3K[HW] w");
    let (mut device, _) = standing(&position);
    device.keys(["E", "9", "1", "K", "H", "M", "W", "C", "0", "D", "2"]);
    assert!(device.waits());
    let m = Move::parse("H@c2").expect("a move");
    assert_eq!(pair(m, true).0 as u64, (at("hands") + 5) & 0xFF);
    answer(&device, &position.play(m));
}
