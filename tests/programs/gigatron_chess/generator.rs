//! The generator alone, in tables filled from outside: which moves it offers, in which
//! order, and what they cost.

use super::POSITIONS;
use super::fill::fill;
use super::machine::Machine;
use super::rules::{DOUBLE, PASSING, PROMOTE, Written, games, moves, read, written};
use super::tables::faults;
use cozy_chess::Board;
use std::collections::BTreeSet;

/// Where visitors stand; nothing of the program does.
const VISIT: u16 = 0xff00;
const CAPTURED: u16 = 0xff08;
const QUIETED: u16 = 0xff10;

/// The quiet moves of a position: its captures come before.
fn quiet(m: &mut Machine) -> Vec<Written> {
    offered(m, "captures");
    offered(m, "quiets").0
}

/// All that one start of the generator offers, in its order, and the clocks.
fn offered(m: &mut Machine, start: &str) -> (Vec<Written>, u64) {
    for (cell, place) in [
        ("visit", VISIT),
        ("captured", CAPTURED),
        ("quieted", QUIETED),
    ] {
        m.direct(cell, place);
    }
    let begin = m.cpu.now();
    let mut at = m.value(start);
    let mut out = Vec::new();
    loop {
        m.cpu.go(at);
        let came = m.until_at(&[VISIT, CAPTURED, QUIETED], 5_000);
        match came.unwrap_or_else(|| panic!("the generator is lost at {:04X}", m.cpu.at())) {
            0 => {
                let frame = m.cell("fp");
                let field = |name| m.at(frame, name);
                out.push((field("f_from"), field("f_to"), field("f_flag")));
                // Deeper nodes use the same cells of page 0.
                for cell in ["gen.low", "gen.man", "gen.to", "gen.set"] {
                    m.set(cell, 0x5a);
                }
            }
            1 => assert_eq!(start, "captures"),
            _ => assert_eq!(start, "quiets"),
        }
        if came != Some(0) {
            return (out, m.cpu.now() - begin);
        }
        at = m.value("resume");
    }
}

fn compare(m: &mut Machine, board: &Board) -> (usize, u64) {
    let fen = board.to_string();
    fill(m, &fen);
    assert_eq!(faults(m), [""; 0], "{fen}");
    let before = m.clone();
    let (captures, mut clocks) = offered(m, "captures");
    let (quiets, more) = offered(m, "quiets");
    clocks += more;
    // It looks at the position; it does not touch it.
    for page in 0x08..=0x7f {
        for column in [
            "board", "leaperw", "leaperb", "sliderw", "sliderb", "nb", "nb7",
        ] {
            assert_eq!(
                m.at(page, column),
                before.at(page, column),
                "{column} {page:02X}"
            );
        }
    }
    for &(from, to, flag) in &captures {
        let victim = m.at(to, "board");
        assert_eq!(victim == 0, flag == PASSING, "{from:02X} {to:02X} {fen}");
    }
    for &(from, to, _) in &quiets {
        assert_eq!(m.at(to, "board"), 0, "{from:02X} {to:02X} {fen}");
    }
    let all: Vec<Written> = captures.into_iter().chain(quiets).collect();
    let offers: BTreeSet<Written> = all.iter().copied().collect();
    assert_eq!(offers.len(), all.len(), "a move came twice: {fen}");
    let legal = |w: &&Written| board.is_legal(read(**w));
    let found: BTreeSet<Written> = offers.iter().filter(legal).copied().collect();
    let want: BTreeSet<Written> = moves(board).iter().map(|&m| written(board, m)).collect();
    assert_eq!(found, want, "{fen}");
    (all.len(), clocks)
}

#[test]
fn all_moves_of_positions_and_random_games() {
    let mut m = Machine::new();
    let mut boards: Vec<Board> = POSITIONS.iter().map(|f| f.parse().expect("FEN")).collect();
    boards.extend(games(2017, 8, 120));
    let (mut offers, mut clocks) = (0, 0);
    for board in &boards {
        let (n, c) = compare(&mut m, board);
        offers += n;
        clocks += c as usize;
    }
    assert!(boards.len() > 600, "{}", boards.len());
    println!(
        "{} positions, {offers} moves, {} clocks a move",
        boards.len(),
        clocks / offers
    );
}

#[test]
fn captures_come_dearest_victim_and_cheapest_attacker_first() {
    let mut m = Machine::new();
    let order = |m: &mut Machine, fen: &str| {
        fill(m, fen);
        let all = offered(m, "captures").0;
        let text = |&(from, to, flag): &Written| {
            let name = super::machine::name;
            let kind = [' ', 'p', 'n', 'b', 'r', 'q']
                [usize::from(flag & 7) * usize::from(flag >= PROMOTE)];
            format!("{}{}{kind}", name(from), name(to))
                .trim()
                .to_owned()
        };
        all.iter().map(text).collect::<Vec<_>>().join(" ")
    };
    // Everybody takes the queen on d5 before the pawn takes the knight; the king may
    // not, for she is guarded, but that is seen when the move is made.
    let fen = "3r3k/8/4n3/3q1P2/2PKN2B/5N2/6B1/3R4 w - - 0 1";
    let got = order(&mut m, fen);
    assert_eq!(got, "c4d5 d4d5 h4d8 f5e6", "{fen}");
    // Promotions: queen first, and only what the rules allow.
    let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(order(&mut m, fen), "a7b8q a7b8r a7b8b a7b8n");
    fill(&mut m, fen);
    m.set("rules", 3);
    assert_eq!(offered(&mut m, "captures").0.len(), 1);
    assert_eq!(quiet(&mut m).len(), 3 + 1);
    // En passant comes last.
    let fen = "k7/8/8/1pPp4/1K6/8/8/8 w - d6 0 1";
    assert_eq!(order(&mut m, fen), "b4b5 c5d6");
}

#[test]
fn promotions_need_a_free_slot() {
    let mut m = Machine::new();
    // Thirteen sliders, more than pawns can make of a game's, and five knights: nothing is
    // left but to wait.
    let fen = "7k/P7/8/8/NNNNN3/QQQQQ3/QQQQQQQQ/K7 w - - 0 1";
    fill(&mut m, fen);
    let pushes = |m: &mut Machine| {
        let all = quiet(m);
        let promoting = all.iter().filter(|w| w.2 >= PROMOTE);
        promoting.map(|w| w.2 - PROMOTE).collect::<Vec<_>>()
    };
    assert!(pushes(&mut m).is_empty());
    fill(&mut m, "7k/P7/8/8/NNNN4/QQQQQ3/QQQQQQQQ/K7 w - - 0 1");
    assert_eq!(pushes(&mut m), [2]);
    fill(&mut m, "7k/P7/8/8/NNNNN3/QQQQ4/QQQQQQQQ/K7 w - - 0 1");
    assert_eq!(pushes(&mut m), [5, 4, 3]);
    fill(&mut m, "7K/8/qqqqq3/qqqqqqqr/nnn5/8/p6k/8 b - - 0 1");
    assert_eq!(pushes(&mut m), [2]);
}

/// Positions with more sliders of a side than a set has bits: all have their moves.
pub const CROWDS: [&str; 3] = [
    "8/1P6/6k1/8/8/2Q5/QB5Q/R1Q1KB1R w - - 0 1",
    "1q2kr2/1PQ5/8/1n3p2/1p6/2Q5/QB4pQ/R1Q1KB1R w - - 0 1",
    "1qqqqqq1/k1qqqqqn/8/n7/8/7B/PP3PPP/2Q1R1K1 b - - 0 1",
];

#[test]
fn castling_needs_rights_room_and_no_check() {
    let mut m = Machine::new();
    for (fen, rules, want) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 7, 2),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 5, 0),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", 7, 1),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", 7, 1),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", 7, 0),
        ("4k3/8/8/8/8/8/8/R2BKB1R w KQ - 0 1", 7, 0),
        ("4k3/8/8/8/8/8/8/R1B1K2R w KQ - 0 1", 7, 1),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", 7, 0),
        ("4k3/8/8/8/8/3n4/8/R3K2R w KQ - 0 1", 7, 0),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", 7, 2),
        ("r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", 7, 1),
        ("r3k2r/8/8/8/8/8/8/4K3 b KQq - 0 1", 7, 1),
        ("r3k2r/3P4/8/8/8/8/8/4K3 b kq - 0 1", 7, 0),
    ] {
        fill(&mut m, fen);
        m.set("rules", rules);
        let all = quiet(&mut m);
        let castles = all.iter().filter(|w| w.2 == super::rules::CASTLE);
        assert_eq!(castles.count(), want, "{fen}");
        assert!(all.iter().all(|w| w.2 != DOUBLE), "{fen}");
    }
}
