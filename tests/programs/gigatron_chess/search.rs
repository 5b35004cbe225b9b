//! The search: its scores against the same search told plainly, mates, limits, speed,
//! and a match.

use super::POSITIONS;
use super::machine::{Machine, Program};
use super::reference::{Reference, WORST, turned};
use super::rules::{games, moves, page, written};
use cozy_chess::{Board, Color, GameStatus, Move, Square};
use scrimp_gigatron::sim::{Console, Sync, Timing};
use std::path::Path;
use std::sync::LazyLock;

/// The program with its blocks of time.
static TIMED: LazyLock<Program> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/gigatron-chess");
    Program::of(&folder.join("chess.asm"), &[("TIMED", 1), ("HOST", 1)])
});

/// Mates that can be forced, in how many moves.
const MATES: &[(u8, &str)] = &[
    (1, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"),
    (
        1,
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    ),
    (
        1,
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    ),
    (1, "6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1"),
    (2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
    (
        1,
        "1r1k1r2/1b6/ppBpQpp1/3P2Pp/1Pn5/N4R1P/PbP2K2/2B3NR w - - 1 29",
    ),
    (1, "5Q2/8/8/7r/k1K5/8/8/8 w - - 0 1"),
    (1, "5rR1/8/7p/8/8/2K5/7Q/1k6 w - - 0 1"),
    (1, "8/3P4/8/6k1/2r5/2q5/4R3/3K4 b - - 0 1"),
    (
        1,
        "B4rnr/2p1kp2/p5p1/Pp3P1p/2PPP1qP/bQ6/1P6/1NBbK3 b - d3 0 23",
    ),
    (1, "q7/4k3/8/7K/7P/8/8/R5r1 b - - 0 1"),
    (
        1,
        "r1k2bn1/p7/PQ5r/2pqBppp/6bP/P2P1P2/R1PN2P1/4KBNR w - - 0 20",
    ),
    (
        1,
        "rn1qk2r/p1ppbp2/b1n5/3p4/1p1PP3/4KBp1/PPP2P1P/R1BQ3R b kq - 2 18",
    ),
    (2, "1k6/R1N4P/8/8/1p6/8/8/6K1 w - - 0 1"),
    (
        2,
        "1rbB2nr/1ppp1p2/6p1/p1P1p3/P5kp/N1P2NP1/3RPP1P/2Q1KBR1 w - - 0 19",
    ),
    (2, "4r3/7p/8/8/3K4/8/k7/5RQ1 w - - 0 1"),
    (2, "6K1/8/8/4b2q/1kP3P1/8/8/2R5 b - - 0 1"),
    (2, "6r1/3n3k/4P3/8/8/8/4p3/2B4K b - - 0 1"),
    (2, "7R/2R3n1/8/8/1k3b2/7K/8/8 w - - 0 1"),
    (2, "7b/8/2K2R2/1R6/8/8/8/2n3k1 w - - 0 1"),
    (2, "7k/8/7p/r5R1/8/8/2Q2K2/8 w - - 0 1"),
    (2, "8/1p5r/8/5RK1/8/7k/8/2Q5 w - - 0 1"),
    (2, "8/1r1q4/4P3/8/8/6k1/2R5/K7 b - - 0 1"),
    (2, "8/1r5k/8/2PR3K/8/6q1/8/8 b - - 0 1"),
    (2, "8/2Q1K3/4p3/8/4r3/1p1N4/k7/8 w - - 0 1"),
    (2, "8/3k1P2/4b3/8/7q/7P/8/1R4K1 b - - 0 1"),
    (2, "8/N7/8/R7/5p1k/8/1P2K3/8 w - - 0 1"),
    (3, "1K1k4/8/1R6/b7/8/7P/6P1/2q5 b - - 0 1"),
    (3, "1k6/2p5/8/1K3R2/2P5/8/7N/8 w - - 0 1"),
    (3, "1k6/8/2K2N2/8/3p4/2R5/2P5/8 w - - 0 1"),
    (3, "4R3/6b1/8/8/1K4R1/8/8/k5n1 w - - 0 1"),
    (3, "5Q2/2R5/8/1pK5/8/7k/8/1r6 w - - 0 1"),
    (3, "5k1K/8/8/1B3p2/6nP/6r1/8/8 b - - 0 1"),
    (3, "8/1r6/2pK2k1/1Q6/8/8/8/R7 w - - 0 1"),
    (3, "8/2N3P1/4Pp1k/8/8/5B1K/8/8 w - - 0 1"),
    (3, "8/8/6P1/8/4pK2/7k/7N/R7 w - - 0 1"),
    (3, "8/8/8/1q6/3kr3/7K/R2P4/8 b - - 0 1"),
    (3, "8/k7/3K2RB/8/8/2p5/p7/8 w - - 0 1"),
    (3, "K7/1P4p1/8/8/4N3/7R/2k5/8 w - - 0 1"),
];

fn board(fen: &str) -> Board {
    fen.parse().expect("a position")
}

/// Limits of the next search: plies, nodes in 256, time in 64 frames.
fn limit(m: &mut Machine, plies: u8, nodes: u16, level: u8) {
    m.set("deepest", plies);
    let budget = m.value("budget");
    m.cpu.poke(budget, nodes as u8);
    m.cpu.poke(budget + 1, (nodes >> 8) as u8);
    m.set("level", level);
}

/// Searches a position to a depth.
fn think(fen: &str, plies: u8) -> Machine {
    let mut m = Machine::new();
    m.position(fen);
    limit(&mut m, plies, 0, 0);
    m.call_long("think", 40_000_000_000);
    m
}

/// A score in two cells.
fn score(m: &Machine) -> i32 {
    128 * i32::from(m.cell("score.high") as i8) + i32::from(m.cell("score.low") as i8)
}

/// Moves made.
fn nodes(m: &Machine) -> u64 {
    let at = m.value("nodes");
    (0..3)
        .map(|i| u64::from(m.cpu.peek(at + i)) << (8 * i))
        .sum()
}

/// The move found.
fn best(m: &Machine) -> (u8, u8, u8) {
    (m.cell("best.from"), m.cell("best.to"), m.cell("best.flag"))
}

/// The same move of the library; there must be one.
fn legal(m: &Machine, board: &Board) -> Move {
    let found = best(m);
    let mut all = moves(board).into_iter();
    let mv = all.find(|&mv| written(board, mv) == found);
    mv.unwrap_or_else(|| panic!("{board}: {found:02X?} is not legal"))
}

#[test]
fn columns_hold_what_squares_are_worth() {
    for (fen, ending) in [(POSITIONS[0], false), (POSITIONS[2], true)] {
        let mut m = Machine::new();
        m.position(fen);
        m.call("appraise", 100_000);
        let column = |side: usize, kind: i32| m.value(["worthw", "worthb"][side]) + kind as u16;
        for at in Square::ALL {
            let (file, rank) = (at.file() as i32, at.rank() as i32);
            let files = file.min(7 - file);
            let ranks = rank.min(7 - rank);
            let both = files + ranks;
            for side in 0..2 {
                let ahead = if side == 0 { rank } else { 7 - rank };
                let (march, king) = match ending {
                    true => (ahead, both),
                    false => (-1, -1 - both),
                };
                let want = [
                    14 + 2 * march + (files & ranks),
                    36 + both,
                    38 + both,
                    60 + files,
                    108,
                    king,
                ];
                for (kind, want) in (1..).zip(want) {
                    let at_column = u16::from(page(at)) << 8 | column(side, kind);
                    let found = i32::from(m.cpu.peek(at_column) as i8);
                    assert_eq!(found, want, "kind {kind} of side {side} at {at} in {fen}");
                }
            }
        }
    }
}

#[test]
fn a_position_is_worth_what_its_men_are() {
    for fen in POSITIONS {
        let mut m = Machine::new();
        m.position(fen);
        m.call("appraise", 100_000);
        assert_eq!(
            turned(score(&m)),
            Reference::of(&m).score(&board(fen)),
            "{fen}"
        );
        m.call("assess", 100_000);
        assert_eq!(
            turned(score(&m)),
            Reference::of(&m).score(&board(fen)),
            "{fen}"
        );
        // The same with colours changed.
        let lines = fen.split(' ').next().expect("a board").split('/');
        let swap = |c: char| match c.is_lowercase() {
            true => c.to_ascii_uppercase(),
            false => c.to_ascii_lowercase(),
        };
        let lines: Vec<String> = lines.rev().map(|l| l.chars().map(swap).collect()).collect();
        let side = if fen.contains(" w ") { "b" } else { "w" };
        let mut other = Machine::new();
        other.position(&format!("{} {side} - - 0 1", lines.join("/")));
        other.call("appraise", 100_000);
        // The draw that a score begins with is black's.
        let begun = if side == "b" { 1 } else { -1 };
        assert_eq!(score(&other), score(&m) + begun, "{fen}");
    }
}

/// At every node the score that came down with the moves is that of the lists.
#[test]
fn scores_by_moves_are_scores_from_scratch() {
    for fen in POSITIONS {
        let mut m = Machine::new();
        m.position(fen);
        limit(&mut m, 3, 0, 0);
        m.start("think");
        m.until(&["rooted"], 1_000_000).expect("the root");
        for _ in 0..500 {
            let frame = m.cell("fp");
            let byte = |column| i32::from(m.at(frame, column) as i8);
            let came = 128 * byte("f_scoreh") + byte("f_scorel");
            let mut aside = m.clone();
            aside.call("assess", 100_000);
            // As the other side sees it.
            assert_eq!(came, turned(score(&aside)), "{fen}");
            assert_eq!(m.cell("mine") ^ 8, aside.cell("mine"));
            m.cpu.run_bare(m.cpu.now() + 1);
            if m.until(&["rooted"], 100_000).is_none() {
                break;
            }
        }
    }
}

#[test]
#[ignore = "slow"]
fn slow_the_score_is_that_of_the_same_search_told_plainly() {
    let more = games(7, 3, 40).into_iter().step_by(2);
    let fens = POSITIONS
        .iter()
        .map(|f| (*f).to_owned())
        .chain(more.map(|b| b.to_string()));
    for fen in fens {
        let board = board(&fen);
        for plies in 1..=3 {
            let m = think(&fen, plies);
            let mut plain = Reference::of(&m);
            let want = plain.root(&board, plies.into());
            assert_eq!(score(&m), want, "{fen}, {plies} plies");
            legal(&m, &board);
        }
    }
}

/// Without any window, where that ends within seconds.
#[test]
fn windows_change_no_score() {
    for i in [0, 2, 7, 8] {
        let m = think(POSITIONS[i], 2);
        let want = Reference::of(&m).minimax(&board(POSITIONS[i]), 2, 0x08);
        assert_eq!(score(&m), want, "{}", POSITIONS[i]);
    }
}

/// Whether the side to move can force mate in so many moves.
fn forced(board: &Board, within: u8) -> bool {
    within > 0 && moves(board).into_iter().any(|mv| mates(board, mv, within))
}

/// Whether this move does.
fn mates(board: &Board, mv: Move, within: u8) -> bool {
    let mut child = board.clone();
    child.play_unchecked(mv);
    let replies = moves(&child);
    if replies.is_empty() {
        return !child.checkers().is_empty();
    }
    within > 1
        && replies.into_iter().all(|reply| {
            let mut next = child.clone();
            next.play_unchecked(reply);
            forced(&next, within - 1)
        })
}

#[test]
fn mates_are_found() {
    for &(within, fen) in MATES {
        let board = board(fen);
        assert!(!forced(&board, within - 1), "{fen} is quicker");
        let m = think(fen, 2 * within);
        let mv = legal(&m, &board);
        assert!(mates(&board, mv, within), "{fen}: {mv}");
        let page = 0x08 + 2 * i32::from(within) - 1;
        assert_eq!(score(&m), turned(-60 * 128 + page), "{fen}");
    }
}

/// A side that is lost plays for stalemate, and one that wins does not give it.
#[test]
fn stalemate_is_a_draw() {
    // The queen that takes the pawn would stalemate; any other way wins.
    let m = think("7k/8/5K1p/8/8/8/8/6Q1 w - - 0 1", 4);
    assert!(score(&m) > 80);
    // No move at all.
    for (fen, want) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", -65),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -60 * 128 + 8),
    ] {
        let m = think(fen, 3);
        assert_eq!((m.cell("best.from"), score(&m)), (0, want), "{fen}");
    }
}

#[test]
fn what_hangs_is_taken() {
    for (fen, want) in [
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5"),
        ("4k3/8/2n5/8/3Q4/8/8/4K3 b - - 0 1", "c6d4"),
        // A fork of king and queen.
        ("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7"),
        ("8/1P3k2/8/8/8/8/5K2/8 w - - 0 1", "b7b8q"),
    ] {
        let m = think(fen, 3);
        assert_eq!(legal(&m, &board(fen)).to_string(), want, "{fen}");
    }
}

/// Clocks of a second, and useful ones of it while the board is shown.
const USEFUL: f64 = 39_000.0 * 6_250_000.0 / (521.0 * 200.0);

/// The engine alone as it ships: it does not count its nodes.
static PLAIN: LazyLock<Program> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/gigatron-chess");
    Program::of(&folder.join("chess.asm"), &[])
});

#[test]
fn a_thousand_nodes_take_a_second() {
    let mut sums = (0, 0);
    for fen in [POSITIONS[0], POSITIONS[1], POSITIONS[4], POSITIONS[5]] {
        // Who counts and who does not look at the same nodes.
        let counted = nodes(&think(fen, 4));
        let mut m = Machine::with(&PLAIN);
        m.position(fen);
        m.set("level", 0);
        m.set("deepest", 4);
        let from = m.cpu.now();
        m.call_long("think", 100_000_000);
        let clocks = m.cpu.now() - from;
        println!("{fen}: {counted} nodes, {} clocks each", clocks / counted);
        sums = (sums.0 + clocks, sums.1 + counted);
    }
    let each = sums.0 as f64 / sums.1 as f64;
    println!(
        "{each:.0} clocks a node: {:.0} nodes a second",
        USEFUL / each
    );
    assert!(USEFUL / each > 1000.0);
}

/// Numbers without a pattern, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

/// Takes the dearest piece it can, without looking further, or moves at random.
fn greedy(board: &Board, dice: &mut Dice) -> Move {
    let all = moves(board);
    let prey = |mv: &Move| match board.color_on(mv.to) == Some(board.side_to_move()) {
        true => None,
        false => board.piece_on(mv.to),
    };
    let most = all.iter().map(prey).max().expect("a move");
    let dear: Vec<_> = all.into_iter().filter(|mv| prey(mv) == most).collect();
    dear[dice.below(dear.len())]
}

/// The program's move with so many nodes, in 256.
fn reply(m: &mut Machine, board: &Board, nodes: u16) -> Move {
    m.position(&board.to_string());
    limit(m, 0, nodes, 0);
    m.call_long("think", 1_000_000_000);
    legal(m, board)
}

/// A second of thinking, 1,280 nodes, against a mover that only sees captures.
#[test]
#[ignore = "nightly"]
fn nightly_it_beats_a_greedy_mover() {
    let mut m = Machine::new();
    let mut dice = Dice(2017);
    let mut points = 0.0;
    for game in 0..100 {
        let own = [Color::White, Color::Black][game % 2];
        let mut board = Board::default();
        let mut before: Vec<u64> = Vec::new();
        let mut plies = 0;
        let result = loop {
            before.push(board.hash());
            let drawn = before.iter().filter(|&&h| h == board.hash()).count() > 2;
            match board.status() {
                GameStatus::Won if board.side_to_move() != own => break 1.0,
                GameStatus::Won => break 0.0,
                GameStatus::Drawn => break 0.5,
                GameStatus::Ongoing if drawn || plies == 400 => break 0.5,
                GameStatus::Ongoing => {}
            }
            let mv = match board.side_to_move() == own {
                true => reply(&mut m, &board, 5),
                false => greedy(&board, &mut dice),
            };
            board.play(mv);
            plies += 1;
        };
        println!("game {game}: {result} after {plies} plies: {board}");
        points += result;
    }
    println!("{points} of 100");
    assert!(points >= 90.0);
}

/// The line in the root's frame can be played, begins with the move found, and comes to
/// the score that the root has.
#[test]
fn the_best_line_is_kept() {
    for fen in POSITIONS {
        let m = think(fen, 4);
        let mut board = board(fen);
        let mut plies = 0;
        loop {
            let key = m.cpu.peek(0x0800 | (m.value("f_line") + plies));
            if key == 0 {
                break;
            }
            // A key tells from and to; what a pawn becomes, behind the first move, not: a queen.
            let like = |&mv: &Move| {
                let (from, to, flag) = written(&board, mv);
                let first = plies > 0 || (from, to, flag) == best(&m);
                first && from.wrapping_add(to.wrapping_mul(2)) == key
            };
            let mv = moves(&board).into_iter().rfind(like);
            board.play(mv.unwrap_or_else(|| panic!("{fen}: {key:02X} in {board}")));
            plies += 1;
        }
        assert!(plies >= 4, "{fen}: {plies}");
        // Behind the line there are only captures.
        let mut plain = Reference::of(&m);
        let rest = plain.search(&board, 0, (WORST, -WORST), 0x08 + i32::from(plies as u8));
        let rest = if plies % 2 == 0 { rest } else { turned(rest) };
        assert_eq!(rest, score(&m), "{fen}");
    }
}

/// Nodes and time end a search, and `stop` does; there is a move all the same.
#[test]
fn limits_end_a_search() {
    let fen = POSITIONS[5];
    let mut m = Machine::new();
    m.position(fen);
    limit(&mut m, 0, 3, 0);
    m.call_long("think", 100_000_000);
    assert!((768..1024).contains(&nodes(&m)), "{}", nodes(&m));
    legal(&m, &board(fen));

    // Three times 64 frames of 20,000 clocks; no new iteration in the second half.
    m.position(fen);
    limit(&mut m, 0, 0, 3);
    let from = m.cpu.now();
    m.start("think");
    while m.cpu.at() < 0xfffe {
        m.cpu.run_bare(m.cpu.now() + 20_000);
        let frames = m.cell("frames");
        m.set("frames", frames.wrapping_add(1));
        assert!(m.cpu.now() - from < 5_500_000);
    }
    assert!(m.cpu.now() - from > 2 * 64 * 20_000);
    legal(&m, &board(fen));

    // One ply is always searched, then `stop` is heard.
    m.position(fen);
    limit(&mut m, 0, 0, 0);
    m.start("think");
    m.cpu.run_bare(m.cpu.now() + 30_000);
    m.set("stop", 1);
    m.cpu.run_bare(m.cpu.now() + 2_000_000);
    assert_eq!((m.cpu.at() >= 0xfffe, m.cell("turns")), (true, 2));
    legal(&m, &board(fen));
}

/// The same with the picture of the board: the search runs between the sync pulses, and
/// none of them is late.
#[test]
fn a_thousand_nodes_take_a_second_with_the_board_shown() {
    let mut sums = (0, 0);
    for fen in [POSITIONS[0], POSITIONS[1], POSITIONS[4], POSITIONS[5]] {
        let mut m = Machine::with(&TIMED);
        m.cpu = TIMED.fresh();
        m.until(&["main"], 1_000_000).expect("the boot");
        m.set("dim", 3);
        m.set("since", 0);
        m.put(fen);
        m.call_long("setup", 10_000_000);
        limit(&mut m, 0, 12, 0);
        let from = m.cpu.now();
        let mut console = Console::default();
        console.sync = Sync::new(Timing::OFFICIAL);
        m.start("think");
        while m.cpu.at() < 0xfffe {
            m.cpu.run(&mut console, m.cpu.now() + 100);
        }
        let clocks = m.cpu.now() - from;
        let found = nodes(&m);
        println!("{fen}: {found} nodes, {} clocks each", clocks / found);
        assert!(console.sync.frames() > 80);
        // And it finds what it finds without them.
        let mut bare = Machine::new();
        bare.position(fen);
        limit(&mut bare, 0, 12, 0);
        bare.call_long("think", 100_000_000);
        assert_eq!(
            (best(&m), score(&m), found),
            (best(&bare), score(&bare), nodes(&bare))
        );
        assert_eq!(console.sync.bad(), [], "{fen}");
        sums = (sums.0 + clocks, sums.1 + found);
    }
    let rate = 6_250_000.0 * sums.1 as f64 / sums.0 as f64;
    println!("{rate:.0} nodes a second");
    assert!(rate > 1000.0);
}
