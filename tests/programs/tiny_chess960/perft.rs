//! Moves and perft of positions, with the machine copied for each move.

use super::core::{Core, moves, pairs};
use cozy_chess::Board;

/// Name, position, and how many games of so many plies there are.
const PERFT: &str = include_str!("perft.txt");

fn positions() -> impl Iterator<Item = (&'static str, Board, Vec<u64>)> {
    PERFT.lines().filter(|l| !l.starts_with('#')).map(|line| {
        let [name, fen, counts] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let counts = counts.split_whitespace();
        let board = Board::from_fen(fen, true).or_else(|_| Board::from_fen(fen, false));
        (
            name,
            board.unwrap_or_else(|e| panic!("{fen}: {e}")),
            counts.map(|n| n.parse().expect("a number")).collect(),
        )
    })
}

/// How many games of so many plies the program has.
pub fn perft(core: &mut Core, plies: usize) -> u64 {
    let all = core.legal();
    let promotes =
        |d: &Core, (from, to): (u8, u8)| d.cell(from) & 7 == 1 && matches!(to >> 4, 0 | 7);
    if plies == 1 {
        let each = all.iter().map(|&m| if promotes(core, m) { 4 } else { 1 });
        return each.sum();
    }
    let mut count = 0;
    for m in all {
        let pieces: &[u8] = if promotes(core, m) {
            &[3, 4, 5, 6]
        } else {
            &[6]
        };
        for &piece in pieces {
            let mut next = core.clone();
            assert!(next.play(m.0, m.1, piece));
            count += perft(&mut next, plies - 1);
        }
    }
    count
}

fn perft_up_to(most: u64) {
    let mut core = Core::new();
    for (name, board, counts) in positions() {
        for (plies, &want) in (1..).zip(&counts) {
            if want > most {
                break;
            }
            core.set_up(&board);
            assert_eq!(pairs(&board), core.legal(), "{name} {board}");
            assert_eq!(perft(&mut core, plies), want, "{name}, {plies} plies");
        }
    }
}

#[test]
fn as_many_games_as_there_are() {
    perft_up_to(1000);
}

#[test]
#[ignore = "nightly"]
fn nightly_as_many_games_as_there_are_deeper() {
    perft_up_to(100_000);
}

/// The sets of moves along a line, down to so many plies, of all moves.
pub fn same_moves(core: &mut Core, board: &Board, plies: usize) {
    assert_eq!(pairs(board), core.legal(), "{board}");
    if plies == 0 {
        return;
    }
    for m in moves(board) {
        let mut next = core.clone();
        let mut after = board.clone();
        after.play(m);
        assert!(next.play(
            super::core::square(m.from),
            super::core::square(m.to),
            m.promotion.map_or(6, super::core::code)
        ));
        next.is_at(&after).expect("the same");
        same_moves(&mut next, &after, plies - 1);
    }
}
