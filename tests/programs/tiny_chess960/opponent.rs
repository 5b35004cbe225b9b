//! The opponent: what it sees, how long it thinks, how strong it is.

use super::core::{Core, MFROM, MTO, U, back, moves};
use super::rules::Game;
use cozy_chess::{Board, Move, Piece};
use scrimp_isa::Simulation;

/// Clocks of a minute.
const MINUTE: u64 = 60 * 8_000_000;

/// The machine's move in a position, and the clocks that it took.
fn think(core: &mut Core, board: &Board, level: u8) -> (Move, u64) {
    core.call("status");
    core.set(U, level);
    let clocks = core.call("think");
    core.is_at(board).expect("it puts everything back");
    let (from, to) = (back(core.register(MFROM)), back(core.register(MTO)));
    let is =
        |m: &&Move| m.from == from && m.to == to && m.promotion.is_none_or(|p| p == Piece::Queen);
    let all = moves(board);
    let found = all.iter().find(is);
    let m = *found.unwrap_or_else(|| panic!("{from}{to} is not legal in {board}"));
    (m, clocks)
}

fn play(core: &mut Core, game: &mut Game, m: Move) {
    assert!(core.go(m), "{m} in {}", game.board);
    game.play(m);
}

#[test]
fn a_game_against_itself() {
    let mut core = Core::started(77);
    let mut game = Game::new(77);
    for ply in 0..16 {
        let level = if ply == 4 { 2 } else { 1 };
        let (m, clocks) = think(&mut core, &game.board, level);
        assert!(clocks < MINUTE);
        play(&mut core, &mut game, m);
    }
    println!("lowest stack {:X}", core.0.lowest_stack());
}

#[test]
fn it_mates_and_takes() {
    // 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7 mate, and a fool's mate for Black.
    for (line, want) in [
        ("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", "h5f7"),
        ("f2f3 e7e5 g2g4", "d8h4"),
        ("e2e4 d7d5 a2a3 d5e4 a3a4 d8d3", "c2d3"),
    ] {
        let mut core = Core::started(518);
        let mut game = Game::new(518);
        for text in line.split(' ') {
            play(&mut core, &mut game, text.parse().expect("a move"));
        }
        for level in 1..=2 {
            let (m, _) = think(&mut core.clone(), &game.board, level);
            let takes = game.board.piece_on(m.to).is_some();
            assert!(m.to_string() == want || want == "c2d3" && takes, "{m}");
        }
    }
}
