//! The Gigatron's chess: built by scrimp, its routines called from here, its tables
//! compared with what they should hold, all against a library of chess rules.

mod endings;
mod fill;
mod generator;
mod machine;
mod make;
mod matches;
mod moves;
mod mutations;
mod perft;
mod play;
mod position;
mod reference;
mod rules;
mod search;
mod shell;
mod size;
mod tables;

use machine::Machine;

/// Positions with castling, en passant, pins and promotions, from the usual suites.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
];

#[test]
fn a_position_comes_out_as_it_went_in() {
    let mut m = Machine::new();
    m.put(POSITIONS[1]);
    assert_eq!(m.code_at(0x1d), 4, "a rook at a1");
    assert_eq!(m.code_at(0x6a), 12, "a black rook at h8");
    assert_eq!(
        m.fen_board(),
        POSITIONS[1].split(' ').next().expect("a board")
    );
}
