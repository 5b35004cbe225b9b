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
