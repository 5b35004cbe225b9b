//! Moves made and taken back: all tables right after each, all of RAM as before.

use super::POSITIONS;
use super::machine::{self, BACK, Machine, Program, folder};
use super::moves::{Step, differences, pseudo_legal};
use super::tables::faults;
use cozy_chess::{Board, GameStatus};
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::Bare;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Cells of page 0 in which `make` and `unmake` leave what they worked with, and how
/// many bytes.
const SCRATCH: &[(&str, u16)] = &[
    ("return", 1),
    ("sq", 1),
    ("sp", 1),
    ("t", 1),
    ("exposed", 1),
    ("prev", 1),
    ("make.low", 10),
    ("leap.low", 4),
    ("ray.low", 12),
    ("deltaw", 2),
];
/// Fields of frames that belong to make and unmake.
const FIELDS: &[&str] = &[
    "f_from", "f_to", "f_flag", "f_piece", "f_victim", "f_rights", "f_ep",
];

fn ram(m: &Machine) -> Vec<u8> {
    (0..0x8000).map(|a| m.cpu.peek(a)).collect()
}

/// Addresses that may differ after a move was taken back.
fn excused(m: &Machine) -> Vec<bool> {
    let mut out = vec![false; 0x8000];
    for &(name, count) in SCRATCH {
        let at = usize::from(m.value(name));
        out[at..at + usize::from(count)].fill(true);
    }
    for field in FIELDS {
        let column = usize::from(m.value(field));
        (8..0x48).for_each(|page: usize| out[page << 8 | column] = true);
    }
    // What squares remembered before something came to them.
    let nb = usize::from(m.value("nb")) & 0x7f;
    (nb..nb + 10).for_each(|page| out[page << 8 | 8..page << 8 | 0x48].fill(true));
    out
}

/// Makes a move; whether the king is exposed.
fn make(m: &mut Machine, step: &Step) -> bool {
    let fp = m.cell("fp");
    m.set_at(fp, "f_from", step.from);
    m.set_at(fp, "f_to", step.to);
    m.set_at(fp, "f_flag", step.flag);
    m.call("make", 10_000);
    m.cell("exposed") != 0
}

/// Whether the king of the side to move is attacked, by the maps.
fn attacked(m: &Machine) -> bool {
    let (side, maps) = (
        m.cell("side"),
        [["sliderb", "leaperb"], ["sliderw", "leaperw"]],
    );
    let king = m.at(0x10 | side, "loc");
    maps[usize::from(side)]
        .iter()
        .any(|map| m.at(king, map) != 0)
}

fn same(before: &[u8], m: &Machine, excused: &[bool], what: &dyn Fn() -> String) {
    for (address, &byte) in before.iter().enumerate() {
        let now = m.cpu.peek(address as u16);
        assert!(
            now == byte || excused[address],
            "{address:04X} holds {now:02X}, not {byte:02X} after {}",
            what()
        );
    }
}

/// Numbers that look random, the same each time.
pub struct Chance(pub u64);

impl Chance {
    /// One below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

fn sort_of(board: &Board, step: &Step) -> String {
    let piece = board.piece_on(step.its.from).expect("a piece");
    let takes = board.color_on(step.its.to) == Some(!board.side_to_move());
    match step.flag {
        0 | 1 if takes => format!("{piece:?} takes"),
        0 | 1 => format!("{piece:?} goes"),
        2 => "en passant".into(),
        3 => "castling".into(),
        _ if takes => "promotion by capture".into(),
        _ => "promotion".into(),
    }
}

/// Sorts of moves: how many, clocks to make them, and to take them back.
#[derive(Default)]
struct Clocks(BTreeMap<String, (u64, u64, u64)>);

impl Clocks {
    fn print(&self) {
        for (sort, (count, make, unmake)) in &self.0 {
            let (a, b) = (make / count, unmake / count);
            println!(
                "{sort:24}{count:6}  make {a:5}  unmake {b:5}  both {:5}",
                a + b
            );
        }
    }
}

/// Tries all moves of a position, then the legal ones of a random line from there, and
/// takes all back.
fn walk(m: &mut Machine, start: &Board, plies: usize, chance: &mut Chance, clocks: &mut Clocks) {
    let mut board = start.clone();
    m.position(&board.to_string());
    assert_eq!(faults(m), Vec::<String>::new(), "{board}");
    let excused = excused(m);
    let mut line = vec![];
    loop {
        let before = ram(m);
        let steps = pseudo_legal(&board);
        let mut legal = vec![];
        for step in &steps {
            let what = || {
                let (from, to) = (machine::name(step.from), machine::name(step.to));
                format!("{from}{to} flag {:X} of {board}", step.flag)
            };
            let (from, then) = (m.cpu.now(), clocks.0.entry(sort_of(&board, step)));
            let exposed = make(m, step);
            let made = m.cpu.now();
            assert_eq!(exposed, !board.is_legal(step.its), "{}", what());
            assert_eq!(faults(m), Vec::<String>::new(), "{}", what());
            if !exposed {
                let mut next = board.clone();
                next.play_unchecked(step.its);
                assert_eq!(differences(m, &next), Vec::<String>::new(), "{}", what());
                let behind = if step.flag == 1 {
                    (step.from + step.to) / 2
                } else {
                    0
                };
                assert_eq!(m.cell("ep"), behind, "{}", what());
                let check = attacked(m);
                assert_eq!(check, !next.checkers().is_empty(), "{}", what());
                legal.push(*step);
            }
            let back = m.cpu.now();
            m.call("unmake", 10_000);
            let sum = then.or_default();
            sum.0 += 1;
            sum.1 += made - from;
            sum.2 += m.cpu.now() - back;
            same(&before, m, &excused, &what);
        }
        if line.len() == plies || board.status() != GameStatus::Ongoing {
            break;
        }
        let step = legal[chance.below(legal.len())];
        make(m, &step);
        let fp = m.cell("fp");
        m.set("fp", fp + 1);
        board.play_unchecked(step.its);
        line.push((before, step));
    }
    while let Some((before, step)) = line.pop() {
        let fp = m.cell("fp");
        m.set("fp", fp - 1);
        m.call("unmake", 10_000);
        same(&before, m, &excused, &|| format!("{step:?} of a line"));
    }
}

/// Calls a routine of a build with blocks of time: where none is ever late, or where
/// all are, and the shell leaves nothing in the registers.
fn call_in_time(m: &mut Machine, routine: &str, late: bool) -> u64 {
    m.start(routine);
    let (start, left, shell) = (m.cpu.now(), m.value("left"), m.value("late"));
    let mut blocks = 0;
    while m.cpu.at() != BACK {
        assert!(m.cpu.now() < start + 1_000_000, "{routine}");
        if m.cpu.at() == shell {
            let page = m.cpu.register(Register::Ac);
            let resume = u16::from(page) << 8 | u16::from(m.cell("back"));
            m.cpu.set_register(Register::X, 0xff);
            m.cpu.set_register(Register::Y, 0x7f);
            m.cpu.set_register(Register::Ac, 0x7f);
            m.cpu.go(resume);
            blocks += 1;
        }
        m.cpu.poke(left, if late { 0xff } else { 120 });
        m.cpu.step(&mut Bare);
    }
    assert_eq!(late, blocks > 5, "{blocks} late blocks");
    m.cpu.now() - start
}

/// What `sync` and the evening of arms cost: figures for the manual, and a bound.
#[test]
fn moves_take_their_time() {
    static TIMED: LazyLock<Program> =
        LazyLock::new(|| Program::of(&folder().join("chess.asm"), &[("TIMED", 1)]));
    let mut timed = Machine::with(&TIMED);
    let mut clocks = Clocks::default();
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("a position");
        timed.put(fen);
        call_in_time(&mut timed, "setup", true);
        assert_eq!(faults(&timed), Vec::<String>::new(), "{fen}");
        call_in_time(&mut timed, "setup", true);
        let field = fen.split(' ').next().expect("a board");
        assert_eq!(timed.fen_board(), field);
        let before = ram(&timed);
        let mut excused = excused(&timed);
        for cell in ["left", "back"] {
            excused[usize::from(timed.value(cell))] = true;
        }
        for step in pseudo_legal(&board) {
            let fp = timed.cell("fp");
            timed.set_at(fp, "f_from", step.from);
            timed.set_at(fp, "f_to", step.to);
            timed.set_at(fp, "f_flag", step.flag);
            let sum = clocks.0.entry(sort_of(&board, &step)).or_default();
            sum.0 += 1;
            sum.1 += call_in_time(&mut timed, "make", false);
            assert_eq!(timed.cell("exposed") == 0, board.is_legal(step.its));
            sum.2 += call_in_time(&mut timed, "unmake", false);
            let what = || format!("{step:?} of {fen}");
            same(&before, &timed, &excused, &what);
            call_in_time(&mut timed, "make", true);
            assert_eq!(faults(&timed), Vec::<String>::new(), "{}", what());
            assert_eq!(timed.cell("exposed") == 0, board.is_legal(step.its));
            call_in_time(&mut timed, "unmake", true);
            same(&before, &timed, &excused, &what);
        }
    }
    clocks.print();
    for (sort, (count, make, unmake)) in &clocks.0 {
        let most = match sort.rsplit(' ').next() {
            Some("goes") => 2_200,
            Some("takes") => 1_750,
            _ => 4_000,
        };
        let both = (make + unmake) / count;
        assert!(both < most, "{sort}: {both} clocks");
    }
}

#[test]
#[ignore = "slow"]
fn slow_moves_are_made_and_taken_back() {
    let mut m = Machine::new();
    let mut clocks = Clocks::default();
    let mut chance = Chance(1);
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("a position");
        walk(&mut m, &board, 16, &mut chance, &mut clocks);
    }
    for (sort, (count, make, unmake)) in &clocks.0 {
        let (a, b) = (make / count, unmake / count);
        println!(
            "{sort:24}{count:6}  make {a:5}  unmake {b:5}  both {:5}",
            a + b
        );
    }
}

/// The build that compares its maps with maps from the board after each step.
#[test]
fn maps_kept_step_by_step_are_maps_from_the_board() {
    static CHECKED: LazyLock<Program> =
        LazyLock::new(|| Program::of(&folder().join("chess.asm"), &[("CHECK", 1), ("HOST", 1)]));
    let mut m = Machine::with(&CHECKED);
    m.set("wrong", 0);
    let mut chance = Chance(2);
    let step = |m: &mut Machine, routine: &str| m.call(routine, 200_000);
    for fen in POSITIONS {
        let mut board: Board = fen.parse().expect("a position");
        m.position(fen);
        let before = ram(&m);
        let mut plies = 0;
        while plies < 20 && board.status() == GameStatus::Ongoing {
            let mut steps = pseudo_legal(&board);
            steps.retain(|s| board.is_legal(s.its));
            let its = steps[chance.below(steps.len())];
            let fp = m.cell("fp");
            m.set_at(fp, "f_from", its.from);
            m.set_at(fp, "f_to", its.to);
            m.set_at(fp, "f_flag", its.flag);
            step(&mut m, "make");
            m.set("fp", fp + 1);
            board.play_unchecked(its.its);
            plies += 1;
        }
        for _ in 0..plies {
            let fp = m.cell("fp");
            m.set("fp", fp - 1);
            step(&mut m, "unmake");
        }
        assert_eq!(m.cell("wrong"), 0, "{fen}");
        let board = usize::from(m.value("board"));
        for page in 8..0x80_usize {
            let at = page << 8 | board;
            assert_eq!(m.cpu.peek(at as u16), before[at]);
        }
    }
    // At every node of small trees, behind each move and each move taken back.
    for (fen, nodes) in [
        (POSITIONS[1], 2_039),
        (POSITIONS[2], 191),
        (POSITIONS[6], 496),
        (POSITIONS[7], 568),
    ] {
        m.position(fen);
        m.set("depth", 2);
        m.call("perft", 1_000_000_000);
        let count = m.value("count");
        let leaves = (0..4).map(|i| u32::from(m.cpu.peek(count + i)) << (8 * i));
        assert_eq!(leaves.sum::<u32>(), nodes, "{fen}");
        assert_eq!(m.cell("wrong"), 0, "{fen}");
    }
    // One bit of one map is noticed, in any of them, and no more than one square.
    for map in [
        "sliderw", "sliderb", "leaperw", "leaperb", "nb", "nb3", "nb5", "nb7",
    ] {
        m.position(POSITIONS[1]);
        let quiet = machine::square("c7").expect("a square");
        m.set_at(quiet, map, m.at(quiet, map) ^ 0x40);
        m.set("wrong", 0);
        let fp = m.cell("fp");
        m.set_at(fp, "f_from", machine::square("a2").expect("a square"));
        m.set_at(fp, "f_to", machine::square("a3").expect("a square"));
        m.set_at(fp, "f_flag", 0);
        step(&mut m, "make");
        assert_eq!(m.cell("wrong"), 1, "{map}");
    }
}
