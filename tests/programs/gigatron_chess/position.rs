//! Tables, set-up, maps from the board, and the way back to codes.

use super::POSITIONS;
use super::machine::Machine;
use super::tables::{STEPS, faults};

#[test]
fn full_pages_hold_what_the_machine_cannot_work_out() {
    let m = Machine::new();
    let page = |name: &str, i: u8| m.cpu.peek(m.value(name) << 8 | u16::from(i));
    for i in 1..=255_u8 {
        let low = i.trailing_zeros();
        let leap = [0x82, 0x80, 0x5c, 0x64, 0x6c, 0x74, 0x10, 0x7c][low as usize];
        assert_eq!(page("leapidx", i), leap, "leapidx {i:02X}");
        let slide = [0x18, 0x20, 0x28, 0x30, 0x38, 0x40, 0x48, 0x50][low as usize];
        assert_eq!(page("slidx", i), slide, "slidx {i:02X}");
        let column = m.value("nb") as u8 + (low as u8 ^ 2);
        assert_eq!(page("dircol", i), column, "dircol {i:02X}");
    }
    for i in 0..=255_u8 {
        assert_eq!(page("strip", i), i & i.wrapping_sub(1), "strip {i:02X}");
        let (norm, carry) = (page("norm", i) as i8, page("carry", i) as i8);
        assert!((-64..64).contains(&norm) && (-1..=1).contains(&carry));
        let sum = i16::from(carry) * 128 + i16::from(norm);
        // From the least that a low byte and a worth come to up to the most.
        let want = (i16::from(i) + 76) % 256 - 76;
        assert_eq!(sum, want, "norm and carry of {i:02X}");
    }
}

#[test]
fn pieces_have_bits_and_squares_have_rights() {
    let m = Machine::new();
    let bits = [
        (0x10, 0x40),
        (0x18, 1),
        (0x20, 2),
        (0x28, 4),
        (0x30, 8),
        (0x38, 0x10),
        (0x40, 0x20),
        (0x48, 0x40),
        (0x50, 0x80),
        (0x5c, 4),
        (0x64, 8),
        (0x6c, 0x10),
        (0x74, 0x20),
        (0x7c, 0x80),
    ];
    for piece in 0x10..0x7e {
        let bit = bits.iter().find(|b| b.0 == piece & 0xfe).map_or(0, |b| b.1);
        assert_eq!(m.at(piece, "bit"), bit, "bit of {piece:02X}");
    }
    for square in 0x1d..=0x6a {
        let lost = match square {
            0x1d => 2,
            0x21 => 3,
            0x24 => 1,
            0x63 => 8,
            0x67 => 12,
            0x6a => 4,
            _ => 0,
        };
        assert_eq!(m.at(square, "rmask"), 15 - lost, "rmask of {square:02X}");
    }
    for (d, &step) in STEPS.iter().enumerate() {
        let place = m.value("first.d") as u8 + d as u8;
        assert_eq!(m.at(place, "stepof"), step as u8);
        assert_eq!(m.at(place, "dirbit"), 1 << d);
    }
}

/// More than one list's worth of everything.
const CROWDS: &[&str] = &[
    "QQQQQQQ1/8/8/3k4/8/3K4/8/qqqqqqqq w - - 0 1",
    "RRRR1BBB/8/8/3k4/8/3K4/8/n1n1n1nb b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "7k/8/8/8/8/8/8/K7 w - - 0 1",
    "QRBNQRBN/8/8/1k4K1/8/8/8/qrbnqrbn w - - 0 1",
];

#[test]
fn setup_makes_all_tables_and_takes_its_own_boards_again() {
    for fen in POSITIONS.iter().chain(CROWDS) {
        let mut m = Machine::new();
        let start = m.cpu.now();
        m.position(fen);
        assert!(m.cpu.now() - start < 150_000, "{fen}");
        assert_eq!(faults(&m), Vec::<String>::new(), "{fen}");
        assert_eq!(m.cell("fp"), 8);
        let side = u8::from(fen.contains(" b "));
        for (cell, column) in [
            ("owns", "sliderw"),
            ("opps", "sliderb"),
            ("ownl", "leaperw"),
            ("oppl", "leaperb"),
        ] {
            let value = m.value(column) as u8 ^ side;
            assert_eq!(m.cell(cell), value, "{cell}");
        }
        for page in 0x08..=0x7f {
            m.set_at(page, "code", 0x55);
        }
        m.call("setup", 1_000_000);
        assert_eq!(faults(&m), Vec::<String>::new(), "{fen}");
        assert_eq!(m.fen_board(), fen.split(' ').next().expect("a board"));
    }
}

#[test]
fn lists_fall_in_value_and_free_slots_are_all_there() {
    let mut m = Machine::new();
    m.position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1B1KBN1 w kq - 0 1");
    let list = |m: &Machine, first: u8| {
        let mut out = vec![];
        let mut at = first;
        while at < 0x80 {
            out.push(at);
            at = m.at(at, "next");
        }
        out
    };
    let pawns = [0x7a, 0x72, 0x6a, 0x62, 0x5a, 0x52, 0x4a, 0x42];
    let black = [0x10, 0x38, 0x30, 0x28, 0x20, 0x18, 0x64, 0x5c];
    let black: Vec<u8> = black.iter().chain(&pawns).map(|p| p | 1).collect();
    assert_eq!(list(&m, 0x11), black);
    let white = [0x10, 0x28, 0x20, 0x18, 0x5c];
    let white: Vec<u8> = white.iter().chain(&pawns).copied().collect();
    assert_eq!(list(&m, 0x10), white);
    let free = |name: &str, side| list(&m, m.cpu.peek(m.value(name) + side));
    let slots = |first: u8| (first..0x80).step_by(8).collect::<Vec<_>>();
    assert_eq!(free("freesl", 0), slots(0x30));
    assert_eq!(free("freesl", 1), slots(0x41));
    assert_eq!(free("freekn", 0), slots(0x64));
    assert_eq!(free("freekn", 1), slots(0x6d));
}

#[test]
fn pieces_without_a_slot_are_left_out() {
    let mut m = Machine::new();
    let mut left = |fen: &str| {
        m.position(fen);
        assert_eq!(faults(&m), Vec::<String>::new());
        m.call("setup", 1_000_000);
        m.fen_board()
    };
    let many = left("QQQQQQQQ/QQQQQQ2/8/3k4/8/3K4/8/8 w - - 0 1");
    assert_eq!(many.matches('Q').count(), 13, "{many}");
    let many = left("8/PPPPPPPP/PQQQ4/3k4/8/3K4/8/8 w - - 0 1");
    assert_eq!(many.matches('P').count(), 8, "{many}");
    let many = left("nnnnnn2/8/8/3k4/8/3K4/8/8 w - - 0 1");
    assert_eq!(many.matches('n').count(), 5, "{many}");
}
