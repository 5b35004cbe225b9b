//! The record in the EEPROM: layout, power cuts, torn bytes, saves of the seed program.

use super::core::{Core, TURN, at, moves};
use super::rules::{CHECK, FULL, Game, Random, some_move};
use cozy_chess::{Board, Move, Piece, Square};

/// Addresses in data memory.
const EEARH: u16 = 0x3F;
const EEARL: u16 = 0x3E;
const EEDR: u16 = 0x3D;

/// A record as the seed program has it.
fn word(board: &Board, m: Move) -> u16 {
    let six = |s: Square| s as u16;
    let own = board.colors(board.side_to_move()).has(m.to);
    let special = match m.promotion {
        _ if own && m.to.file() > m.from.file() => 1,
        _ if own => 2,
        Some(Piece::Knight) => 3,
        Some(Piece::Bishop) => 4,
        Some(Piece::Rook) => 5,
        Some(_) => 6,
        None => 7,
    };
    six(m.from) | six(m.to) << 6 | special << 12
}

fn record(core: &Core, ply: usize) -> u16 {
    let bytes = &core.eeprom()[4 + 2 * ply..];
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// Calls a routine; the bytes that it writes to the EEPROM, in order.
fn writes(core: &mut Core, name: &str) -> Vec<(usize, u8)> {
    let mut all = Vec::new();
    core.visit(name, Some(at("ee_put.busy")), |c| {
        let data = |a| c.0.cpu().data(a);
        let address = usize::from(data(EEARH) & 1) << 8 | usize::from(data(EEARL));
        let write = (address, data(EEDR));
        if all.last() != Some(&write) {
            all.push(write);
        }
    });
    all
}

/// A device that was just turned on, with that EEPROM.
fn resumed(eeprom: &[u8]) -> Core {
    let mut core = Core::new();
    for (address, &byte) in eeprom.iter().enumerate() {
        core.0.peripherals_mut().set_eeprom(address, byte);
    }
    core.call("resume");
    core
}

/// A game of so many plies.
fn played(number: u16, seed: u64, plies: usize) -> (Core, Game) {
    let mut random = Random::new(seed);
    let mut game = Game::new(number);
    let mut core = Core::game(number);
    own(&mut core);
    for _ in 0..plies {
        let m = some_move(&game.board, &mut random);
        assert!(core.go(m));
        game.play(m);
    }
    (core, game)
}

/// The players' byte, which tells that the record is no seed's.
fn own(core: &mut Core) {
    core.0.peripherals_mut().set_eeprom(0, 0x7F);
}

#[test]
fn the_layout_is_the_seeds() {
    let number = 0x1A7;
    let mut core = Core::game(number);
    assert_eq!(core.eeprom()[1..4], [0, 0xA7, 1]);
    let mut random = Random::new(3);
    let mut game = Game::new(number);
    for ply in 0..60 {
        let m = some_move(&game.board, &mut random);
        let want = word(&game.board, m);
        assert!(core.go(m));
        assert_eq!(record(&core, ply), want, "{m} in {}", game.board);
        assert_eq!(usize::from(core.eeprom()[1]), ply + 1);
        assert_ne!(record(&core, ply + 1) & 0x8000, 0, "it ends there");
        game.play(m);
    }
}

#[test]
fn castling_and_promotion_have_their_codes() {
    for (fen, text, special) in [
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1h1", 1),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1a1", 2),
        ("4k2r/8/8/8/8/8/8/4K3 b h - 0 1", "e8h8", 1),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", 3),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", 4),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", 5),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1q", 6),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 7),
    ] {
        let board = Board::from_fen(fen, true).expect("a position");
        let m: Move = text.parse().expect("a move");
        let mut core = Core::new();
        core.set_up(&board);
        assert!(core.go(m), "{text}");
        assert_eq!(record(&core, 20), word(&board, m));
        assert_eq!(record(&core, 20) >> 12, special, "{text}");
        let mut after = board.clone();
        after.play(m);
        core.is_at(&after).expect("made");
    }
}

#[test]
fn a_byte_is_written_once_a_ply() {
    let (mut core, mut game) = played(700, 9, 10);
    let mut random = Random::new(77);
    for _ in 0..20 {
        let m = some_move(&game.board, &mut random);
        let mut asked = core.clone();
        asked.set(super::core::MFROM, super::core::square(m.from));
        asked.set(super::core::MTO, super::core::square(m.to));
        asked.set(super::core::PROMO, m.promotion.map_or(6, super::core::code));
        let mut all: Vec<_> = writes(&mut asked, "go").iter().map(|w| w.0).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "each once");
        assert!(core.go(m));
        assert_eq!(core.eeprom(), asked.eeprom());
        game.play(m);
    }
}

#[test]
fn a_move_that_is_none_writes_nothing() {
    let (mut core, _) = played(0, 1, 6);
    core.set(super::core::MFROM, 0x33);
    core.set(super::core::MTO, 0x33);
    assert_eq!(writes(&mut core, "go"), []);
    assert!(!core.t());
}

#[test]
fn undo_goes_back_to_the_start() {
    let (mut core, game) = played(123, 4, 30);
    for board in game.before.iter().rev() {
        core.call("undo");
        core.is_at(board).expect("the position before");
        assert_eq!(core.eeprom()[1], core.register(TURN));
    }
    assert_eq!(core.register(TURN), 0);
}

#[test]
fn history_is_shown_without_a_write() {
    let (mut core, game) = played(321, 5, 30);
    let before = core.eeprom().to_vec();
    for (plies, board) in game.before.iter().enumerate() {
        core.set(super::core::U, plies as u8);
        assert_eq!(writes(&mut core, "replay"), []);
        core.is_at(board).expect("the position then");
    }
    core.set(super::core::U, 255);
    core.call("replay");
    core.is_at(&game.board).expect("the last position");
    assert_eq!(core.eeprom(), before);
}

/// Cuts the power before, in and behind each write of a routine; the byte that was being
/// written may be anything. The game is then at one of these.
fn cut(core: &Core, name: &str, values: &[u8], boards: [&Board; 2]) -> usize {
    let mut eeprom = core.eeprom().to_vec();
    let all = writes(&mut core.clone(), name);
    let mut count = 0;
    let mut see = |eeprom: &[u8], text: String| {
        count += 1;
        let after = resumed(eeprom);
        let at = boards.iter().position(|b| after.is_at(b).is_ok());
        assert!(at.is_some(), "{name} {text}: {:02x?}", &eeprom[..8]);
        // It is whole again: the next start has the same.
        let again = resumed(after.eeprom());
        again
            .is_at(boards[at.unwrap_or(0)])
            .expect("the same again");
    };
    see(&eeprom, "before".into());
    for (address, data) in all {
        for &value in values {
            let mut torn = eeprom.clone();
            torn[address] = value;
            see(&torn, format!("{address}: {value:02x}"));
        }
        eeprom[address] = data;
        see(&eeprom, format!("behind {address}"));
    }
    count
}

fn cuts(games: u64, values: &[u8]) {
    let mut count = 0;
    for seed in 0..games {
        let mut random = Random::new(seed + 40);
        let plies = 1 + random.below(30);
        let (mut core, game) = played(random.below(960) as u16, seed, plies);
        if game.status() > CHECK {
            continue;
        }
        // What is behind the record: nothing, or an older game.
        for address in 6 + 2 * plies..511 {
            let byte = random.below(256) as u8;
            core.0.peripherals_mut().set_eeprom(address, byte);
        }
        let last = game.before.last().expect("a position");
        count += cut(&core, "undo", values, [last, &game.board]);
        let m = some_move(&game.board, &mut random);
        let mut after = game.board.clone();
        after.play(m);
        core.set(super::core::MFROM, super::core::square(m.from));
        core.set(super::core::MTO, super::core::square(m.to));
        core.set(super::core::PROMO, m.promotion.map_or(6, super::core::code));
        count += cut(&core, "go", values, [&game.board, &after]);
    }
    println!("{count} cuts");
}

#[test]
fn a_power_cut_loses_no_more_than_the_move() {
    cuts(6, &[0x00, 0xFF, 0x7F, 0x1C, 0x71]);
}

#[test]
#[ignore = "nightly"]
fn nightly_power_cuts_with_all_torn_bytes() {
    let all: Vec<u8> = (0..=255).collect();
    cuts(20, &all);
}

#[test]
fn a_save_of_the_seed_goes_on() {
    let (core, game) = played(518, 8, 24);
    let mut eeprom = core.eeprom().to_vec();
    // Its reserved byte, and an older game behind the last move.
    eeprom[0] = 0xFF;
    for (i, byte) in eeprom[4 + 48..].iter_mut().enumerate() {
        *byte = (i as u8).wrapping_mul(37) & 0x7F;
    }
    let mut core = resumed(&eeprom);
    core.is_at(&game.board).expect("its position");
    // From now on it is ours.
    own(&mut core);
    resumed(core.eeprom()).is_at(&game.board).expect("the same");
    for m in moves(&game.board) {
        let mut next = core.clone();
        assert!(next.go(m));
        let mut after = game.board.clone();
        after.play(m);
        resumed(next.eeprom()).is_at(&after).expect("with a move");
    }
}

#[test]
fn an_erased_record_is_a_game_without_moves() {
    let mut eeprom = [0xFF; 512];
    eeprom[2..4].copy_from_slice(&518u16.to_le_bytes());
    let core = resumed(&eeprom);
    assert_eq!(core.register(TURN), 0);
    core.is_at(&Board::default()).expect("the array");
}

/// Knights to and fro with a pawn move now and then: a game of any length.
fn long(plies: usize) -> (Core, Game) {
    let mut core = Core::game(518);
    own(&mut core);
    let mut game = Game::new(518);
    let mut random = Random::new(5);
    while game.before.len() < plies {
        let all: Vec<_> = moves(&game.board)
            .into_iter()
            .filter(|m| {
                let mut next = game.clone();
                next.play(*m);
                next.status() <= CHECK || next.status() == FULL
            })
            .collect();
        let quiet: Vec<_> = all
            .iter()
            .copied()
            .filter(|m| !game.board.occupied().has(m.to))
            .collect();
        let m = random.pick(if quiet.is_empty() { &all } else { &quiet });
        assert!(core.go(m), "{m} in {}", game.board);
        game.play(m);
    }
    (core, game)
}

#[test]
fn the_record_becomes_full() {
    let (mut core, game) = long(252);
    assert!(core.status() <= CHECK);
    let m = moves(&game.board)[0];
    let (before, mut after) = (game.board.clone(), game);
    after.play(m);
    assert!(core.go(m));
    assert_eq!(core.status(), FULL);
    let header = core.eeprom()[..4].to_vec();
    resumed(core.eeprom()).is_at(&after.board).expect("it");
    // The seed program has room for one more.
    let mut eeprom = core.eeprom().to_vec();
    let m = moves(&after.board)[0];
    eeprom[510..].copy_from_slice(&word(&after.board, m).to_le_bytes());
    (eeprom[0], eeprom[1]) = (0xFF, 254);
    let mut full = resumed(&eeprom);
    after.play(m);
    full.is_at(&after.board).expect("all of it");
    assert_eq!(full.eeprom(), eeprom);
    assert_eq!(full.status(), FULL);
    full.call("undo");
    full.call("undo");
    full.is_at(&before).expect("two back");
    assert_eq!(header[0], 0x7F);
}
