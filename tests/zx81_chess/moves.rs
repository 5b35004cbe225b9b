//! Moves of the shipped image, by calling its routines: numbers of positions, sets
//! of moves, all pairs of squares.

use crate::device::{Device, address, code, legal, target};
use cozy_chess::{Board, Square};

/// From and to of all legal moves, each pair once, sorted.
fn pairs(board: &Board) -> Vec<(Square, Square)> {
    let mut all: Vec<_> = legal(board).into_iter().map(|m| (m.from, target(board, m))).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Lines of `depth` plies, by the image's own moves, each of them compared.
fn perft(device: &mut Device, board: &Board, depth: u32) -> u64 {
    assert_eq!(device.moves(), pairs(board), "{board}");
    if depth == 1 {
        return legal(board).len() as u64;
    }
    let mut sum = 0;
    for m in legal(board) {
        let to = target(board, m);
        let mut child = device.clone();
        assert!(child.play(m.from, to), "{board}: {m}");
        if let Some(piece) = m.promotion {
            let man = code(piece, board.side_to_move());
            child.0.poke(address(to), man);
        }
        let mut next = board.clone();
        next.play(m);
        assert_eq!(child.differs(&next), None, "{board}: {m}");
        sum += perft(&mut child, &next, depth - 1);
    }
    sum
}

#[test]
fn first() {
    let mut device = Device::fast();
    for (fen, counts) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
    ] {
        let board: Board = fen.parse().unwrap();
        device.set_position(&board);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&mut device, &board, depth), count);
        }
    }
}

#[test]
fn timing() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ] {
        let board: Board = fen.parse().unwrap();
        for slow in [false] {
            let mut device = if slow { Device::new() } else { Device::fast() };
            device.set_position(&board);
            device.set("sp", 0x4400);
            device.set("pc", crate::device::at("answer"));
            let status = device.until("think", 1 << 30);
            let think = device.limited("thought", 400_000_000);
            println!(
                "slow {slow}: status {:.2} think {:.2} s, low {:04X}, end {:04X}",
                status as f64 / 3.25e6,
                think as f64 / 3.25e6,
                device.0.lowest_stack(),
                0x4009 + crate::device::CHESS.file.len()
            );
        }
    }
}
