//! The 960 arrays, as the program sets them up.

use super::core::{Core, HALF, TURN, pairs};
use super::perft::{perft, same_moves};
use cozy_chess::Board;

/// Moves of all arrays together, and those of two plies.
const SUMS: [usize; 2] = [18_882, 371_766];

#[test]
fn the_960_arrays() {
    let mut sum = 0;
    for number in 0..960 {
        let mut core = Core::game(number);
        let board = Board::chess960_startpos(u32::from(number));
        core.is_at(&board)
            .unwrap_or_else(|e| panic!("{number}: {e}"));
        assert_eq!((core.register(TURN), core.register(HALF)), (0, 0));
        let all = core.legal();
        assert_eq!(all, pairs(&board), "{number}");
        sum += all.len();
    }
    assert_eq!(sum, SUMS[0]);
}

#[test]
#[ignore = "nightly"]
fn nightly_two_plies_from_the_960_arrays() {
    let mut sum = 0;
    for number in 0..960 {
        let mut core = Core::game(number);
        sum += perft(&mut core, 2) as usize;
        let board = Board::chess960_startpos(u32::from(number));
        same_moves(&mut core, &board, 1);
    }
    assert_eq!(sum, SUMS[1]);
}
