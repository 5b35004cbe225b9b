//! Power cuts: at every write to the EEPROM, with the byte that was being written being
//! anything, the game goes on with the last move or without it.

use super::device::{Device, SECOND};
use super::games::{Game, TURN, any, follow};
use super::screen::Screen;
use crate::common::random::Random;
use scrimp_isa::Simulation;

/// The EEPROM whenever a byte of it changed, or was about to.
fn moments(device: &mut Device, key: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let begin = device.0.peripherals().eeprom_writes();
    let mut all = Vec::new();
    let mut before = device.eeprom();
    device.0.key(key, true).expect("a key");
    device.until("push_.taken", SECOND);
    device.0.key(key, false).expect("a key");
    let end = device.0.cycles() + 4 * SECOND;
    while device.0.cycles() < end {
        device.0.run(2000);
        let now = device.eeprom();
        if now != before {
            all.push((before, now.clone()));
            before = now;
        }
    }
    device.idle(TURN);
    let count = device.0.peripherals().eeprom_writes() - begin;
    assert_eq!(
        count as usize,
        all.len(),
        "each write changes a byte, and is seen"
    );
    all
}

fn differs(a: &[u8], b: &[u8]) -> usize {
    let mut at = (0..a.len()).filter(|&i| a[i] != b[i]);
    let first = at.next().expect("a byte");
    assert_eq!(at.next(), None, "one byte at a time");
    first
}

/// Continues with such an EEPROM.
fn go_on(eeprom: &[u8]) -> Screen {
    let mut device = Device::with(eeprom);
    device.think("UP", TURN);
    Screen::of(&device)
}

#[test]
fn a_cut_loses_at_most_the_move_being_written() {
    let mut random = Random(21);
    let number = random.below(960) as u16;
    let mut device = Device::game(number);
    let mut game = Game::new(number);
    for _ in 0..4 {
        let m = any(&mut random, &game);
        let old = game.screen([0, 0]);
        device.point(m.from);
        device.push("UP");
        device.point(m.to);
        if m.promotion.is_some() {
            continue;
        }
        let all = moments(&mut device, "UP");
        game.play(m);
        let new = game.screen([0, 0]);
        assert_eq!(Screen::of(&device), new);
        let mut written = std::collections::BTreeSet::new();
        for (before, after) in &all {
            let at = differs(before, after);
            assert!(written.insert(at), "byte {at} is written twice in a ply");
            let whole = go_on(after);
            assert!(whole == old || whole == new, "{whole:?}");
            for torn in [0xff, 0x00, before[at] & after[at], random.byte()] {
                let mut eeprom = before.clone();
                eeprom[at] = torn;
                let shown = go_on(&eeprom);
                assert!(shown == old || shown == new, "{at}: {torn:02x} {shown:?}");
            }
        }
        assert_eq!(go_on(&all.last().expect("writes").1), new);
    }
}

#[test]
fn a_game_goes_on_after_power_off() {
    let mut random = Random(8);
    let mut device = Device::game(33);
    let mut game = Game::new(33);
    for _ in 0..4 {
        follow(&mut device, &mut game, 3, |g| any(&mut random, g));
        let mut again = Device::with(&device.eeprom());
        let mut menu = game.screen([0, 0]);
        menu.lines[7].0.clear();
        assert_eq!(Screen::of(&again), menu, "the menu shows it");
        again.push("UP");
        assert_eq!(Screen::of(&again), game.screen([0, 0]));
        device = again;
    }
}

/// The record of a move as the seed's program has it.
fn record(game: &Game, m: cozy_chess::Move) -> u16 {
    use cozy_chess::Piece;
    let square = |s: cozy_chess::Square| s.file() as u16 | (s.rank() as u16) << 3;
    let own = game.board.colors(game.board.side_to_move());
    let special = match m.promotion {
        Some(Piece::Knight) => 3,
        Some(Piece::Bishop) => 4,
        Some(Piece::Rook) => 5,
        Some(_) => 6,
        None if own.has(m.to) && m.to.file() > m.from.file() => 1,
        None if own.has(m.to) => 2,
        None => 7,
    };
    square(m.from) | square(m.to) << 6 | special << 12
}

#[test]
fn a_record_of_the_seed_program() {
    let mut random = Random(77);
    for plies in [0, 1, 2, 9, 20] {
        let number = random.below(960) as u16;
        let mut game = Game::new(number);
        // Behind it may be what an older game left.
        let mut eeprom: Vec<u8> = (0..512).map(|_| random.byte()).collect();
        eeprom[0] = 0xff;
        eeprom[1] = plies;
        [eeprom[2], eeprom[3]] = number.to_le_bytes();
        for ply in 0..usize::from(plies) {
            let m = any(&mut random, &game);
            [eeprom[4 + 2 * ply], eeprom[5 + 2 * ply]] = record(&game, m).to_le_bytes();
            game.play(m);
        }
        let mut device = Device::with(&eeprom);
        device.think("UP", TURN);
        assert_eq!(Screen::of(&device), game.screen([0, 0]));
        if game.over() {
            continue;
        }
        // And what this program adds has the same form.
        let mut want = record(&game, any(&mut random.clone(), &game))
            .to_le_bytes()
            .to_vec();
        want.push(plies + 1);
        follow(&mut device, &mut game, 1, |g| any(&mut random, g));
        let now = device.eeprom();
        let at = 4 + 2 * usize::from(plies);
        assert_eq!([now[at], now[at + 1], now[1]], want[..]);
        assert_eq!(now[2..at], eeprom[2..at], "the rest is as it was");
    }
}

/// What the device shows, but for the message.
fn board_of(eeprom: &[u8]) -> Screen {
    let mut screen = go_on(eeprom);
    screen.lines[7].0.clear();
    screen
}

#[test]
fn a_cut_while_moves_are_taken_back_or_a_game_begins() {
    let mut random = Random(4);
    let mut device = Device::game(700);
    let mut game = Game::new(700);
    follow(&mut device, &mut game, 4, |g| any(&mut random, g));
    let silent = |plies: usize| {
        let mut screen = game.after(plies).screen([0, 0]);
        screen.lines[7].0.clear();
        screen
    };
    // Two plies back: four, three or two are left.
    let mut back = device.clone();
    back.push("LEFT");
    back.push("LEFT");
    let all = moments(&mut back, "UP");
    assert!(!all.is_empty());
    for (before, after) in &all {
        let at = differs(before, after);
        let mut torn = before.clone();
        torn[at] = random.byte();
        for eeprom in [after, &torn] {
            let shown = board_of(eeprom);
            assert!((2..=4).any(|n| shown == silent(n)), "{at}: {shown:?}");
        }
    }
    assert_eq!(board_of(&all.last().expect("writes").1), silent(2));
    // A new game: the old one is whole, or gone.
    let mut menu = Device::with(&device.eeprom());
    menu.push("S");
    let all = moments(&mut menu, "UP");
    assert!(all.len() >= 3, "count, end, number");
    for (before, after) in &all {
        let at = differs(before, after);
        let mut torn = before.clone();
        torn[at] = random.byte();
        for eeprom in [after, &torn] {
            let shown = board_of(eeprom);
            if shown.lines[6].0 == "PLY 000" {
                continue;
            }
            assert_eq!(shown, silent(4), "{at}");
        }
    }
    let begun = board_of(&all.last().expect("writes").1);
    assert_eq!(begun, Game::new(518).screen([0, 0]));
}
