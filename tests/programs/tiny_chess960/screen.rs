//! What the display shows, read from its pixels: the board, dots, the cursor, texts.

use super::core::{NOWHERE, back, pairs, square};
use super::device::Device;
use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Pieces and glyphs, drawn.
const PICTURES: &str = include_str!("pictures.txt");

/// Columns of the pieces, by the letters of FEN, and of the glyphs.
struct Pictures {
    pieces: Vec<(char, Vec<u8>)>,
    glyphs: BTreeMap<Vec<u8>, char>,
}

static ALL: LazyLock<Pictures> = LazyLock::new(|| {
    let mut all = Pictures {
        pieces: vec![('.', vec![0; 6])],
        glyphs: BTreeMap::from([(vec![0; 3], ' ')]),
    };
    let mut lines = PICTURES
        .lines()
        .filter(|l| !l.starts_with("# ") && !l.is_empty());
    while let Some(name) = lines.next() {
        let glyph = name.strip_prefix("glyph ");
        let (wide, high) = if glyph.is_some() { (3, 7) } else { (6, 8) };
        let mut columns = vec![0; wide];
        for row in 0..high {
            let line = lines.next().expect("a row").as_bytes();
            assert_eq!(line.len(), wide, "{name}");
            for (column, &dot) in columns.iter_mut().zip(line) {
                *column |= u8::from(dot == b'#') << row;
            }
        }
        let letter = glyph.unwrap_or(name).chars().next().expect("a letter");
        match glyph {
            Some(_) => assert_eq!(all.glyphs.insert(columns, letter), None, "two {letter}"),
            None => all.pieces.push((letter, columns)),
        }
    }
    all
});

/// The display as people read it.
#[derive(Debug, PartialEq, Eq)]
pub struct Screen {
    /// Letters of FEN by square, `.` for none.
    pub cells: [[char; 8]; 8],
    /// Squares with a dot, sorted.
    pub dots: Vec<u8>,
    /// The lines on the right, and whether each is inverted.
    pub lines: [(String, bool); 8],
}

fn column(device: &Device, x: usize, page: usize) -> u8 {
    let display = device.0.display().expect("a display");
    (0..8).fold(0, |byte, y| {
        byte | u8::from(display.pixel(x, page * 8 + y)) << y
    })
}

/// The piece on a square, and whether it has a dot.
fn cell(device: &Device, at: u8) -> (char, bool) {
    let (file, rank) = (usize::from(at & 7), usize::from(at >> 4));
    let mut columns: Vec<u8> = (0..8)
        .map(|x| column(device, file * 8 + x, 7 - rank))
        .collect();
    let light = (file + rank) % 2 == 1;
    let border = if light { [0x55, 0xaa] } else { [0, 0] };
    if at == device.cursor() && columns[0] == !border[0] {
        columns.iter_mut().for_each(|c| *c = !*c);
    }
    assert_eq!([columns[0], columns[7]], border, "tile {:?}", back(at));
    for dot in [false, true] {
        let mut inner = columns[1..7].to_vec();
        if dot {
            inner[2] ^= 0x18;
            inner[3] ^= 0x18;
        }
        if let Some((letter, _)) = ALL.pieces.iter().find(|(_, c)| *c == inner) {
            return (*letter, dot);
        }
    }
    panic!("nothing known on {:?}: {columns:x?}", back(at));
}

fn line(device: &Device, page: usize) -> (String, bool) {
    let mut columns: Vec<u8> = (64..128).map(|x| column(device, x, page)).collect();
    let inverse = columns[0] == 0xff;
    if inverse {
        columns.iter_mut().for_each(|c| *c = !*c);
    }
    let text: String = columns
        .chunks(4)
        .map(|four| {
            assert_eq!(four[3], 0, "between letters");
            let glyph = ALL.glyphs.get(&four[..3]);
            *glyph.unwrap_or_else(|| panic!("no glyph {four:x?} in line {page}"))
        })
        .collect();
    let text = text.strip_prefix(' ').expect("a margin");
    (text.trim_end().to_owned(), inverse)
}

impl Screen {
    pub fn of(device: &Device) -> Self {
        let mut cells = [['.'; 8]; 8];
        let mut dots = Vec::new();
        for rank in 0..8u8 {
            for file in 0..8u8 {
                let at = rank << 4 | file;
                let (letter, dot) = cell(device, at);
                cells[usize::from(rank)][usize::from(file)] = letter;
                if dot {
                    dots.push(at);
                }
            }
        }
        Self {
            cells,
            dots,
            lines: std::array::from_fn(|page| line(device, page)),
        }
    }

    /// What it should be.
    pub fn want(board: &Board, number: u16, levels: [usize; 2], ply: usize, message: &str) -> Self {
        let white = board.side_to_move() == Color::White;
        let lines = [
            ("CONTINUE".into(), false),
            ("STANDARD".into(), false),
            ("RANDOM".into(), false),
            (format!("NUMBER {number:03}"), false),
            (format!("WHITE {}", levels[0]), white),
            (format!("BLACK {}", levels[1]), !white),
            (format!("PLY {ply:03}"), false),
            (message.to_owned(), false),
        ];
        Self {
            cells: drawn(board),
            dots: Vec::new(),
            lines,
        }
    }

    /// The same with dots.
    pub fn dotted(mut self, dots: Vec<u8>) -> Self {
        self.dots = dots;
        self
    }

    /// The last line.
    pub fn message(&self) -> &str {
        &self.lines[7].0
    }
}

/// Letters of FEN by rank and file.
fn drawn(board: &Board) -> [[char; 8]; 8] {
    std::array::from_fn(|rank| {
        std::array::from_fn(|file| {
            let at = Square::new(File::index(file), Rank::index(rank));
            match (board.color_on(at), board.piece_on(at)) {
                (Some(Color::White), Some(p)) => p.to_string().to_uppercase().remove(0),
                (Some(Color::Black), Some(p)) => p.to_string().remove(0),
                _ => '.',
            }
        })
    })
}

/// Targets of the piece on a square, sorted.
pub fn targets(board: &Board, from: Square) -> Vec<u8> {
    let of = |(f, to): (u8, u8)| (f == square(from)).then_some(to);
    pairs(board).into_iter().filter_map(of).collect()
}

/// Plays a move with the pads, looking at the screen on the way; `screen` is what it
/// shows before.
pub fn play(device: &mut Device, board: &Board, m: Move, clocks: u64) {
    device.point(m.from);
    device.push("UP");
    assert_eq!(device.hand(), Some(square(m.from)), "{m} in {board}");
    let shown = Screen::of(device);
    assert_eq!(shown.cells, drawn(board));
    assert_eq!(shown.dots, targets(board, m.from), "{m} in {board}");
    device.point(m.to);
    if let Some(piece) = m.promotion {
        device.push("UP");
        let order = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
        let own = |p: Piece| {
            let letter = p.to_string().remove(0);
            match board.side_to_move() {
                Color::White => letter.to_ascii_uppercase(),
                Color::Black => letter,
            }
        };
        // Once round, then to the one.
        let steps = order.iter().cycle().take(4).chain(&order);
        for (i, &choice) in steps.enumerate() {
            assert_eq!(cell(device, square(m.to)).0, own(choice));
            if i >= 4 && choice == piece {
                break;
            }
            // Any direction scrolls, and the cursor stays.
            device.push(["RIGHT", "W", "LEFT", "D"][i % 4]);
        }
    }
    device.think("UP", clocks);
    assert_eq!(device.hand(), None, "{m} in {board}");
}

#[test]
fn the_menu() {
    let mut device = Device::new();
    let standard = Board::default();
    let want = |n: u16, board: &Board| Screen::want(board, n, [0, 0], 0, "");
    assert_eq!(
        Screen::of(&device),
        want(518, &standard),
        "an erased EEPROM"
    );
    assert_eq!(device.cursor(), 0x77);
    device.push("W");
    assert_eq!(device.cursor(), 0x77, "no line above");
    device.push("S");
    assert_eq!(Screen::of(&device), want(518, &standard));
    device.push("S");
    device.push("S");
    let number = |d: &Device| -> u16 {
        let text = &Screen::of(d).lines[3].0;
        text["NUMBER ".len()..].parse().expect("a number")
    };
    // Editing begins from the random number; more and less, with the ends.
    let mut n = i32::from(number(&device));
    for (key, step) in [("RIGHT", 1), ("LEFT", -1), ("D", 10), ("A", -10)] {
        for _ in 0..3 {
            device.push(key);
            n += step;
            let want_n = u16::try_from(n).unwrap_or(u16::MAX).min(959);
            n = i32::from(want_n);
            let board = Board::chess960_startpos(u32::from(want_n));
            assert_eq!(Screen::of(&device), want(want_n, &board));
        }
    }
    while number(&device) < 959 {
        device.push("D");
    }
    device.push("RIGHT");
    assert_eq!(number(&device), 959);
    device.push("S");
    device.push("D");
    device.push("RIGHT");
    device.push("S");
    device.push("LEFT");
    assert_eq!(device.cursor(), 0x27);
    let board = Board::chess960_startpos(959);
    assert_eq!(
        Screen::of(&device),
        Screen::want(&board, 959, [3, 3], 0, "")
    );
    device.push("S");
    assert_eq!(device.cursor(), 0x27, "no line below");
    device.push("RIGHT");
    device.push("W");
    device.push("RIGHT");
    device.push("DOWN");
    assert_eq!(Screen::of(&device), want(959, &board));
    let eeprom = device.eeprom();
    device.push("UP");
    assert_eq!(Screen::of(&device), want(959, &board), "the game");
    assert_ne!(device.eeprom(), eeprom, "it is begun in the EEPROM");
    device.point(Square::A4);
    device.push("UP");
    assert_eq!(device.hand(), None, "nothing there");
    assert_eq!(Screen::of(&device), want(959, &board));
}

#[test]
fn random_arrays_are_all_over() {
    let mut device = Device::new();
    device.push("S");
    let mut seen = std::collections::BTreeSet::new();
    let mut random = crate::common::random::Random(1);
    for _ in 0..60 {
        // People push after some time.
        scrimp_isa::Simulation::run(&mut device.0, random.below(8_000_000) as u64);
        device.push("S");
        let screen = Screen::of(&device);
        let n: u32 = screen.lines[2 + 1].0["NUMBER ".len()..]
            .parse()
            .expect("it");
        assert_eq!(screen.cells, drawn(&Board::chess960_startpos(n)));
        seen.insert(n);
        device.push("W");
    }
    assert!(seen.len() > 54, "{seen:?}");
    assert!(*seen.first().expect("some") < 100 && *seen.last().expect("some") > 859);
}

#[test]
fn pieces_are_lifted_and_put_back() {
    let board = Board::default();
    let mut device = Device::game(518);
    let plain = || Screen::want(&board, 518, [0, 0], 0, "");
    assert_eq!(Screen::of(&device), plain());
    // None of yours, none that can move.
    for at in [Square::E7, Square::E5, Square::A1, Square::D1] {
        device.point(at);
        device.push("UP");
        assert_eq!(device.hand(), None);
        assert_eq!(Screen::of(&device), plain());
    }
    device.point(Square::B1);
    device.push("UP");
    let dots = vec![square(Square::A3), square(Square::C3)];
    assert_eq!(Screen::of(&device), plain().dotted(dots.clone()));
    device.point(Square::B3);
    device.push("UP");
    assert_eq!(Screen::of(&device), plain().dotted(dots), "not there");
    assert!(device.hand().is_some());
    device.push("DOWN");
    assert_eq!(Screen::of(&device), plain(), "put back");
    device.point(Square::B1);
    device.push("UP");
    device.push("UP");
    assert_eq!(Screen::of(&device), plain(), "put back where it was");
    assert_eq!(device.0.cpu().register(14), NOWHERE);
}
