//! Perft: the program counts its own games, by the same generator, `make` and `unmake`
//! as its search, and every node's tables are those of the position.

use super::POSITIONS;
use super::generator::CROWDS;
use super::machine::{BACK, Machine, Program, folder};
use super::play::{PLAYED, Player};
use super::rules::moves;
use super::tables::faults;
use cozy_chess::Board;
use scrimp_gigatron::semantics::Register;
use std::sync::LazyLock;

/// The rules of each column of the figures: cell `rules`, castling, en passant.
const RULES: [(&str, u8, bool, bool); 5] = [
    ("queen", 0, false, false),
    ("under", 4, false, false),
    ("passant", 5, false, true),
    ("castle", 6, true, false),
    ("full", 7, true, true),
];

/// A position with its figures.
struct Row {
    name: &'static str,
    fen: &'static str,
    /// The rules, and games of 1, 2, … plies.
    games: Vec<(&'static str, Vec<u64>)>,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("perft.txt").lines();
    let read = |line: &'static str| {
        let mut parts = line.split(';');
        let mut next = || parts.next().expect("a field");
        let (name, fen) = (next(), next());
        let games = parts.map(|p| {
            let (rules, counts) = p.split_once(' ').expect("figures");
            let counts = counts.split(' ').map(|n| n.parse().expect("a number"));
            (rules, counts.collect())
        });
        Row {
            name,
            fen,
            games: games.collect(),
        }
    };
    lines.filter(|l| !l.starts_with('#')).map(read).collect()
}

/// Sets a position up under some of the rules.
fn position(m: &mut Machine, fen: &str, rules: &str) {
    let found = RULES.iter().find(|r| r.0 == rules);
    let &(_, bits, castling, passant) = found.expect("known rules");
    m.put(fen);
    m.set("rules", bits);
    if !castling {
        m.set("rights", 0);
    }
    if !passant {
        m.set("ep", 0);
    }
    m.call("setup", 1_000_000);
}

fn count(m: &Machine) -> u64 {
    let at = m.value("count");
    (0..4)
        .map(|i| u64::from(m.cpu.peek(at + i)) << (8 * i))
        .sum()
}

/// Games of so many plies, and the clocks they took.
fn perft(m: &mut Machine, depth: u8) -> (u64, u64) {
    m.set("depth", depth);
    let begin = m.cpu.now();
    m.call_long("perft", 1 << 40);
    (count(m), m.cpu.now() - begin)
}

/// All figures between two bounds; the clocks of a game on average.
fn figures(above: u64, upto: u64) {
    let mut m = Machine::new();
    let cells = kept(&m);
    let (mut games, mut clocks) = (0, 0);
    for row in rows() {
        for (rules, counts) in &row.games {
            position(&mut m, row.fen, rules);
            for (i, &want) in counts.iter().enumerate() {
                if want > upto || want <= above && above > 0 {
                    continue;
                }
                m.set("depth", i as u8 + 1);
                let before = m.clone();
                let (found, time) = perft(&mut m, i as u8 + 1);
                assert_eq!(found, want, "{} {rules}, {} plies", row.name, i + 1);
                assert_eq!(
                    differences(&cells, &before, &m),
                    [""; 0],
                    "{} {rules}",
                    row.name
                );
                games += found;
                clocks += time;
            }
        }
    }
    println!("{games} games, {} clocks each", clocks / games);
}

/// Leaves by the library.
fn leaves(board: &Board, depth: u8) -> u64 {
    let all = moves(board);
    if depth == 1 {
        return all.len() as u64;
    }
    let next = |mv| {
        let mut child = board.clone();
        child.play_unchecked(mv);
        leaves(&child, depth - 1)
    };
    all.into_iter().map(next).sum()
}

#[test]
fn more_sliders_than_bits() {
    let mut m = Machine::new();
    for fen in CROWDS {
        position(&mut m, fen, "full");
        let board = fen.parse().expect("FEN");
        assert_eq!(perft(&mut m, 2).0, leaves(&board, 2), "{fen}");
        every_node(fen, 1);
    }
}

#[test]
#[ignore = "slow"]
fn slow_all_figures_up_to_100_000_games() {
    figures(0, 100_000);
}

#[test]
#[ignore = "nightly"]
fn nightly_all_figures() {
    figures(100_000, u64::MAX);
}

/// The addresses that a move and its way back may not change: all but frames, and the
/// state in page 0.
fn kept(m: &Machine) -> Vec<u16> {
    let symbols = &m.program().image.symbols;
    // Fields have a byte in each page up to their last one.
    let mut ends = [0; 256];
    for s in symbols.iter().filter(|s| s.name.starts_with("f_")) {
        let last = m.program().image.symbol(&format!("{}.last", s.name));
        if let Some(last) = last {
            ends[s.value as usize & 255] = last.value as u16;
        }
    }
    let root = m.value("root");
    let field = |at: u16| (root..=ends[usize::from(at & 255)]).contains(&(at >> 8));
    // Frames too: what squares remembered before something came to them.
    let nb = m.value("nb") & 0x7f;
    let kept = |at: u16| (nb..nb + 10).contains(&(at >> 8)) && (8..0x48).contains(&(at & 255));
    let mut cells: Vec<u16> = (0x100..0x8000)
        .filter(|&at| !field(at) && !kept(at))
        .collect();
    for name in [
        "side", "owns", "opps", "ownl", "oppl", "rights", "ep", "rules", "fp", "depth",
    ] {
        cells.push(m.value(name));
    }
    for name in ["freesl", "freekn"] {
        cells.extend([m.value(name), m.value(name) + 1]);
    }
    cells
}

/// Which of these bytes are not as they were.
fn differences(cells: &[u16], before: &Machine, after: &Machine) -> Vec<String> {
    let mut out = Vec::new();
    for &at in cells {
        let (was, is) = (before.cpu.peek(at), after.cpu.peek(at));
        if was != is {
            out.push(format!("{at:04X} was {was:02X} and is {is:02X}"));
        }
    }
    out
}

/// Walks through all nodes and tells how many moves were made: tables are right after
/// each, and the memory is what it was when the move is taken back.
fn every_node(fen: &str, depth: u8) -> u64 {
    let mut m = Machine::new();
    let cells = kept(&m);
    m.position(fen);
    m.set("depth", depth);
    m.set("return", 0xff);
    m.cpu
        .set_register(scrimp_gigatron::semantics::Register::Ac, 0xfe);
    let places = ["perft", "perft.visit", "perft.made", "perft.unmade"].map(|n| m.value(n));
    let places = [places[0], places[1], places[2], places[3], 0xfffe];
    m.cpu.go(places[0]);
    let mut before = Vec::new();
    let mut moves = 0;
    assert_eq!(faults(&m), [""; 0], "{fen}");
    loop {
        m.cpu.step(&mut scrimp_gigatron::sim::Bare);
        match m.until_at(&places, 100_000).expect("it comes along") {
            1 => before.push(m.clone()),
            2 => {
                moves += 1;
                let from = |m: &Machine| m.at(m.cell("fp"), "f_from");
                let to = m.at(m.cell("fp"), "f_to");
                let found = faults(&m);
                assert_eq!(found, [""; 0], "{:02X} {to:02X} in {fen}", from(&m));
            }
            3 => {
                let was = before.pop().expect("a move that was made");
                assert_eq!(differences(&cells, &was, &m), [""; 0], "{fen}");
            }
            _ => return moves,
        }
    }
}

#[test]
#[ignore = "slow"]
fn slow_tables_are_right_at_every_node_and_memory_is_restored() {
    let nodes: u64 = POSITIONS.iter().map(|fen| every_node(fen, 2)).sum();
    assert!(nodes > 5_000, "{nodes}");
}

#[test]
#[ignore = "nightly"]
fn nightly_tables_are_right_at_every_node_of_three_plies() {
    let nodes: u64 = POSITIONS.iter().map(|fen| every_node(fen, 3)).sum();
    assert!(nodes > 200_000, "{nodes}");
}

/// The build in which `make` and `unmake` compare the maps with maps from the board.
#[test]
fn maps_are_those_from_the_board_at_every_node() {
    static CHECKED: LazyLock<Program> =
        LazyLock::new(|| Program::of(&folder().join("chess.asm"), &[("CHECK", 1), ("HOST", 1)]));
    let mut m = Machine::with(&CHECKED);
    let mut games = 0;
    for row in rows() {
        for (rules, figures) in &row.games {
            let within = figures.iter().take_while(|&&n| n < 600);
            let Some((i, &want)) = within.enumerate().last().filter(|f| *f.1 > 0) else {
                continue;
            };
            position(&mut m, row.fen, rules);
            m.set("wrong", 0);
            let (found, _) = perft(&mut m, i as u8 + 1);
            assert_eq!(found, want, "{} {rules}, {} plies", row.name, i + 1);
            assert_eq!(m.cell("wrong"), 0, "{} {rules}", row.name);
            games += found;
        }
    }
    assert!(games > 5_000, "{games}");
}

/// Calls a routine of the program in blocks of time, on a machine without a picture:
/// a late block goes on at once. Its clocks, without those of late blocks.
fn in_time(m: &mut Machine, routine: &str, clocks: u64) -> u64 {
    /// Clocks from a late block's start to the handler, less the two words that count.
    const LATE: u64 = 7;
    let (late, left) = (m.value("late"), m.value("left"));
    m.cpu.poke(left, 100);
    m.start(routine);
    let begin = m.cpu.now();
    let mut delays = 0;
    while m.until_at(&[late, BACK], clocks).expect("it comes back") == 0 {
        delays += LATE;
        let page = m.cpu.register(Register::Ac);
        let back = u16::from(page) << 8 | u16::from(m.cell("back"));
        m.cpu.set_register(Register::Ac, 120);
        m.cpu.go(back);
    }
    m.cpu.now() - begin - delays
}

#[test]
#[ignore = "slow"]
fn slow_perft_in_blocks_of_time() {
    let mut m = Machine::with(&PLAYED);
    let (mut games, mut clocks) = (0, 0);
    for row in rows() {
        let (_, figures) = row.games.last().expect("figures");
        for (i, &want) in figures.iter().enumerate().filter(|f| *f.1 < 10_000) {
            m.put(row.fen);
            in_time(&mut m, "setup", 1_000_000);
            m.set("depth", i as u8 + 1);
            clocks += in_time(&mut m, "perft", 1 << 40);
            assert_eq!(count(&m), want, "{}, {} plies", row.name, i + 1);
            games += want;
        }
    }
    println!(
        "{games} games, {} clocks each in blocks of time",
        clocks / games
    );
    assert!(clocks / games < 2_400, "{}", clocks / games);
}

#[test]
#[ignore = "slow"]
fn slow_perft_while_the_picture_is_shown() {
    let mut player = Player::hosted();
    for (fen, depth, want) in [
        (POSITIONS[0], 3, 8902),
        (POSITIONS[1], 2, 2039),
        (POSITIONS[6], 2, 496),
    ] {
        player.position(fen);
        let desk = &mut player.desk;
        desk.set("depth", depth);
        desk.set("command", 2);
        let begin = desk.cpu.now();
        while desk.cell("command") != 0 {
            desk.frames(1);
            let clocks = desk.cpu.now() - begin;
            assert!(clocks < want * 5000 + 1_000_000, "{fen}: {clocks} clocks");
        }
        let clocks = (desk.cpu.now() - begin) / want;
        let at = desk.program.value("count");
        let byte = |i: u16| u64::from(desk.cpu.peek(at + i)) << (8 * i);
        assert_eq!((0..4).map(byte).sum::<u64>(), want, "{fen}");
        println!("{want} games, {clocks} clocks each while the picture is shown");
    }
    player.wait(10);
    player.desk.assert_steady();
}
