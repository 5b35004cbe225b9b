//! The chip with the program in it: lines that are typed, what it sends, and its own
//! generator called from here.

use crate::referee::tinyhouse::{EMPTY, HAND, Move, Position, Rules};
use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::{Job, assemble, targets};
use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Part, Terminal};
use scrimp_avr::peripherals::lines::Pin;
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;
use std::path::Path;
use std::sync::LazyLock;

/// Clocks of a second.
pub const SECOND: u64 = 16_000_000;

/// Registers, as the source has them.
const FROM: u8 = 2;
const TO: u8 = 4;
const COLUMN: u8 = 14;
const KIND: u8 = 20;
const T: u8 = 24;
const YL: u8 = 28;

/// I/O registers by data address, and where data memory begins for the simulator.
const GPIOR0: u64 = 0x3E;
const GPIOR1: u64 = 0x4A;
const DATA: u64 = 0x80_0000;

/// Bytes of a position.
const STATE: u16 = 20;
/// Where calls from here return to; nothing is executed there.
const BACK: u32 = 0x1_F000;
/// Kinds of pieces in the order of their boards.
const KINDS: [u8; 5] = *b"WFHPK";

struct Built {
    image: Image,
    fresh: AvrSimulation,
}

static TEXT: LazyLock<Built> = LazyLock::new(|| build("atmega1284p", Rules::Text));
static AUTHOR: LazyLock<Built> = LazyLock::new(|| build("atmega1284p", Rules::Author));
static SMALL: LazyLock<Built> = LazyLock::new(|| build("atmega328p", Rules::Text));

fn build(part: &str, rules: Rules) -> Built {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/tinyhouse");
    let target = targets::by_name("avr").expect("the AVR");
    let author = (rules == Rules::Author).then(|| ("AUTHOR".into(), 1.into()));
    let job = Job {
        file: folder.join("tinyhouse.asm").to_str().expect("UTF-8").into(),
        target,
        machine: target.machine(part),
        dialect: "native".into(),
        defines: author.into_iter().collect(),
    };
    let output = assemble(&job, &DiskLoader::new().search(&folder));
    let image = output
        .image
        .unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let mut fresh = AvrSimulation::new(part, SECOND).expect("the device");
    let (sends, hears) = (Pin::named("D1"), Pin::named("D0"));
    fresh.attach(Part::Terminal(
        Terminal::new(sends, hears, 9600).following(),
    ));
    for chunk in &image.chunks {
        fresh.load(chunk.address, &chunk.bytes).expect("it fits");
    }
    Built { image, fresh }
}

/// Bytes of flash that the program has.
pub fn flash_bytes() -> usize {
    TEXT.image.binary(0).len()
}

/// Bit of a square, counted from a1, in the program's boards.
fn bit(square: usize) -> u16 {
    1 << (4 * (3 - square / 4) + square % 4)
}

/// The square of a bit.
fn square(bit: u16) -> u8 {
    let number = bit.trailing_zeros() as u8;
    4 * (3 - number / 4) + number % 4
}

/// The twenty bytes of a position.
pub fn encode(position: &Position) -> [u8; STATE as usize] {
    let mut boards = [0u16; 8];
    for (at, &letter) in position.board.iter().enumerate() {
        if letter == EMPTY {
            continue;
        }
        let kind = KINDS.iter().position(|k| letter.eq_ignore_ascii_case(k));
        boards[kind.expect("a kind")] |= bit(at);
        boards[if letter.is_ascii_uppercase() { 6 } else { 7 }] |= bit(at);
        if position.former >> at & 1 != 0 {
            boards[5] |= bit(at);
        }
    }
    let mut bytes = [0; STATE as usize];
    for (pair, board) in bytes.chunks_exact_mut(2).zip(boards) {
        pair.copy_from_slice(&board.to_le_bytes());
    }
    for (byte, hand) in bytes[16..].iter_mut().zip(position.hands) {
        for (letter, count) in HAND.into_iter().zip(hand) {
            let kind = KINDS.iter().position(|&k| k == letter);
            *byte |= count << (2 * kind.expect("a kind"));
        }
    }
    bytes[18] = if position.white { 0x40 } else { 0x80 };
    bytes
}

/// The position of twenty bytes.
pub fn decode(bytes: &[u8]) -> Position {
    let board = |n: usize| u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]);
    let mut position = Position {
        board: [EMPTY; 16],
        former: 0,
        hands: [[0; 4]; 2],
        white: bytes[18] == 0x40,
    };
    assert_eq!(board(6) & board(7), 0);
    assert_eq!((0..5).fold(0, |all, n| all | board(n)), board(6) | board(7));
    assert_eq!(board(5) & !(board(6) | board(7)), 0);
    for at in 0..16 {
        let found: Vec<_> = (0..5).filter(|&n| board(n) & bit(at) != 0).collect();
        assert!(found.len() < 2, "{bytes:02x?}");
        if let [kind] = found[..] {
            let black = board(7) & bit(at) != 0;
            position.board[at] = if black {
                KINDS[kind].to_ascii_lowercase()
            } else {
                KINDS[kind]
            };
        }
        if board(5) & bit(at) != 0 {
            position.former |= 1 << at;
        }
    }
    for (byte, hand) in bytes[16..18].iter().zip(&mut position.hands) {
        for (letter, count) in HAND.into_iter().zip(hand) {
            let kind = KINDS.iter().position(|&k| k == letter);
            *count = byte >> (2 * kind.expect("a kind")) & 3;
        }
    }
    position
}

#[derive(Clone)]
pub struct Device {
    pub sim: AvrSimulation,
    built: &'static Built,
}

impl Device {
    /// The chip, waiting for the first line.
    pub fn new(rules: Rules) -> Self {
        Self::of(match rules {
            Rules::Text => &TEXT,
            Rules::Author => &AUTHOR,
        })
    }

    /// The same on a chip with 2K of RAM, an ATmega328P.
    pub fn small() -> Self {
        Self::of(&SMALL)
    }

    fn of(built: &'static Built) -> Self {
        let sim = built.fresh.clone();
        let mut device = Self { sim, built };
        device.until("input", SECOND);
        device.sim.run(1_000);
        device
    }

    /// What was sent since the last call.
    pub fn text(&mut self) -> String {
        self.sim.take_text()
    }

    /// Value of a symbol of the program.
    pub fn at(&self, name: &str) -> u32 {
        let symbol = self.built.image.symbol(name);
        let symbol = symbol.unwrap_or_else(|| panic!("no label {name}"));
        u32::try_from(symbol.value).expect("an address")
    }

    fn until(&mut self, name: &str, clocks: u64) {
        let place = u64::from(self.at(name));
        self.sim.breakpoint(place, true);
        let stop = self.sim.run(clocks);
        self.sim.breakpoint(place, false);
        assert_eq!(stop, Stop::Breakpoint(place), "it never came to {name}");
    }

    /// Types a line and ENTER; says what was sent until the program wants the next.
    pub fn line(&mut self, text: &str, clocks: u64) -> String {
        self.text();
        self.sim.type_text(&format!("{text}\r"));
        self.until("input", clocks);
        self.sim.run(1_000);
        self.text()
    }

    /// Address of the position.
    fn place(&self) -> u16 {
        let cpu = self.sim.cpu();
        u16::from_le_bytes([cpu.register(YL), cpu.register(YL + 1)])
    }

    fn state(&self, place: u16) -> Position {
        let cpu = self.sim.cpu();
        let bytes: Vec<_> = (0..STATE).map(|n| cpu.data(place + n)).collect();
        decode(&bytes)
    }

    /// The position.
    pub fn position(&self) -> Position {
        self.state(self.place())
    }

    /// Puts a position there, with no past.
    pub fn set_position(&mut self, position: &Position) {
        self.set_game(std::slice::from_ref(position));
    }

    /// Puts the positions of a game there, the present one last.
    pub fn set_game(&mut self, game: &[Position]) {
        let base = self.at("base") as u16;
        let cpu = self.sim.cpu_mut();
        let bytes = game.iter().flat_map(encode);
        for (place, byte) in (base..).zip(bytes) {
            cpu.set_data(place, byte);
        }
        let last = base + STATE * (game.len() as u16 - 1);
        cpu.set_register(YL, last as u8);
        cpu.set_register(YL + 1, (last >> 8) as u8);
    }

    fn register(&self, number: u8) -> u8 {
        self.sim.cpu().register(number)
    }

    fn pair(&self, number: u8) -> u16 {
        u16::from_le_bytes([self.register(number), self.register(number + 1)])
    }

    /// The move in the registers.
    fn current(&self) -> Move {
        let to = square(self.pair(TO));
        if self.pair(FROM) == 0 {
            let kind = self.register(COLUMN).trailing_zeros();
            let piece = KINDS[kind as usize];
            return Move::Drop { piece, to };
        }
        let from = square(self.pair(FROM));
        match self.register(KIND) {
            0 => Move::Walk { from, to },
            kind => Move::Promote {
                from,
                to,
                piece: KINDS[kind.trailing_zeros() as usize],
            },
        }
    }

    /// The legal moves as the program generates them, and the positions they lead to.
    pub fn moves(&mut self) -> Vec<(Move, Position)> {
        let mut all = Vec::new();
        let before = self.sim.clone();
        let visit = self.at("match");
        let root = self.at("root");
        self.sim.poke(DATA + GPIOR0, 1);
        let cpu = self.sim.cpu_mut();
        let top = 0x40FF;
        cpu.set_data(top, (BACK / 2) as u8);
        cpu.set_data(top - 1, ((BACK / 2) >> 8) as u8);
        cpu.set_sp(top - 2);
        cpu.set_register(T, 1);
        cpu.set_pc(root);
        cpu.breakpoint(BACK, true);
        cpu.breakpoint(visit, true);
        loop {
            match self.sim.run(SECOND) {
                Stop::Breakpoint(place) if place == u64::from(BACK) => break,
                Stop::Breakpoint(_) => {
                    all.push((self.current(), self.state(self.place() + STATE)));
                }
                other => panic!("it does not return: {other:?}"),
            }
        }
        self.sim = before;
        all
    }

    /// The machine's move at a level, and what it took.
    pub fn think(&mut self, level: u8) -> Thought {
        self.thought(level, false)
    }

    /// The same with the positions searched, which takes longer.
    pub fn think_counting(&mut self, level: u8) -> Thought {
        self.thought(level, true)
    }

    fn thought(&mut self, level: u8, count: bool) -> Thought {
        let before = self.sim.clone();
        self.sim.poke(DATA + GPIOR0, 0);
        self.sim.poke(DATA + GPIOR1, level);
        let root = self.at("root");
        let cpu = self.sim.cpu_mut();
        let top = 0x40FF;
        cpu.set_data(top, (BACK / 2) as u8);
        cpu.set_data(top - 1, ((BACK / 2) >> 8) as u8);
        cpu.set_sp(top - 2);
        cpu.forget_lowest_stack();
        cpu.set_register(T, level);
        cpu.set_pc(root);
        cpu.breakpoint(BACK, true);
        let begin = self.sim.cycles();
        let search = u64::from(self.at("search"));
        self.sim.breakpoint(search, count);
        let mut nodes = 0;
        loop {
            match self.sim.run(1000 * SECOND) {
                Stop::Breakpoint(place) if place == search => nodes += 1,
                Stop::Breakpoint(_) => break,
                other => panic!("it does not return: {other:?}"),
            }
        }
        let took = self.sim.cycles() - begin;
        let stack = u64::from(top) - self.sim.lowest_stack();
        let line = self.at("line") as u16;
        let typed: String = (line..)
            .map(|at| char::from(self.sim.cpu().data(at)))
            .take_while(|&c| c != '\r')
            .collect();
        self.sim = before;
        Thought {
            answer: read(&typed).unwrap_or_else(|| panic!("{typed}")),
            clocks: took,
            stack,
            nodes,
        }
    }
}

/// A thought of the machine.
pub struct Thought {
    pub answer: Move,
    pub clocks: u64,
    /// Bytes of stack.
    pub stack: u64,
    /// Calls of `search`, if they were counted.
    pub nodes: u64,
}

/// A move as the program writes it, in capital letters and with M for the Ma.
pub fn read(text: &str) -> Option<Move> {
    let text = text.replace('M', "H");
    match text.split_once('@') {
        Some((piece, to)) => Move::parse(&format!("{piece}@{}", to.to_lowercase())),
        None => Move::parse(&text.to_lowercase()),
    }
}

/// What the program shows after a line.
pub struct Screen {
    /// How the game ended that was shown before: `#`, `*` or `=`.
    pub ended: Option<char>,
    /// How many games there are; 0 when it is left out.
    pub count: u64,
    /// The line.
    pub word: String,
    pub position: Position,
}

/// The screens in what was sent after a line was typed, which begins with its echo.
pub fn screens(text: &str) -> Vec<Screen> {
    let (_, text) = text.split_once('\r').expect("an echo");
    let lines: Vec<_> = text.split("\r\n").collect();
    let (last, whole) = lines.split_last().expect("an end");
    assert_eq!((*last, whole.len() % 7), ("", 0), "{text}");
    whole.chunks(7).map(screen).collect()
}

fn screen(lines: &[&str]) -> Screen {
    let [status, hands, rows @ .., side] = lines else {
        panic!("{lines:?}");
    };
    let ended = status.chars().next().filter(|c| "#*=".contains(*c));
    let status = &status[ended.map_or(0, char::len_utf8)..];
    let count = status[..9].trim();
    let mut fen = Vec::new();
    for row in rows {
        assert_eq!(row.len(), 8, "{lines:?}");
        let squares = row.as_bytes().chunks(2).map(|s| match s {
            b". " => "1".into(),
            [letter, b' '] => char::from(*letter).to_string(),
            [letter, b'~'] => format!("{}~", char::from(*letter)),
            _ => panic!("{row}"),
        });
        fen.push(squares.collect::<String>());
    }
    let fen = format!("{}[{hands}] {side}", fen.join("/"));
    Screen {
        ended,
        count: if count.is_empty() {
            0
        } else {
            count.parse().expect("a count")
        },
        word: status[9..].trim_end_matches('\r').into(),
        position: Position::new(&fen.replace('M', "H").replace('m', "h")),
    }
}
