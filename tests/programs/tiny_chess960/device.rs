//! The board with the program in it, worked by its pins, and what is there below the
//! game: pads, display bus, buzzer.

use super::core::{BUILT, NOWHERE, at};
use cozy_chess::Square;
use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Part, Probe};
use scrimp_avr::peripherals::lines::Pin;
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;

/// Clocks of a second.
pub const SECOND: u64 = 8_000_000;
/// Clocks in which a screen is drawn or a move by hand taken.
const PATIENCE: u64 = 100 * SECOND;
/// Lowest address that is the stack's; below is the program's memory.
pub const STACK: u64 = 0x180;

/// The device with power on.
#[derive(Clone)]
pub struct Device(pub AvrSimulation);

impl Device {
    /// With an erased EEPROM, the menu on the screen.
    pub fn new() -> Self {
        Self::with(&[0xff; 512])
    }

    /// With what its EEPROM held, the menu on the screen.
    pub fn with(eeprom: &[u8]) -> Self {
        let mut device = Self::off(eeprom);
        device.idle(PATIENCE);
        device
    }

    /// Before its first instruction.
    pub fn off(eeprom: &[u8]) -> Self {
        let mut device = Self(BUILT.fresh.clone());
        for (at, &byte) in eeprom.iter().enumerate() {
            device.0.peripherals_mut().set_eeprom(at, byte);
        }
        device
    }

    /// A game without the machine, of an array by its number.
    pub fn game(number: u16) -> Self {
        Self::players(number, [0, 0])
    }

    /// A game with levels for White and Black: one without a move, continued.
    pub fn players(number: u16, levels: [u8; 2]) -> Self {
        let mut device = Self::with(&kept(number, levels));
        device.push("UP");
        device
    }

    pub fn eeprom(&self) -> Vec<u8> {
        self.0.peripherals().eeprom().to_vec()
    }

    /// The square of the cursor.
    pub fn cursor(&self) -> u8 {
        self.0.cpu().register(15)
    }

    /// The square of the piece in hand.
    pub fn hand(&self) -> Option<u8> {
        Some(self.0.cpu().register(14)).filter(|&h| h != NOWHERE)
    }

    /// Runs until the program comes to a label.
    pub fn until(&mut self, name: &str, clocks: u64) {
        let place = u64::from(at(name));
        self.0.breakpoint(place, true);
        let stop = self.0.run(clocks);
        self.0.breakpoint(place, false);
        assert_eq!(stop, Stop::Breakpoint(place), "it never came to {name}");
    }

    /// Runs until the program waits for a pad and has seen that all are up.
    pub fn idle(&mut self, clocks: u64) {
        self.until("pads", clocks);
        self.until("push_", PATIENCE);
        self.until("pads", PATIENCE);
        self.until("push_", PATIENCE);
        assert!(self.0.lowest_stack() >= STACK, "the stack is too deep");
    }

    /// Pushes a direction until it is taken, and waits until the program wants another.
    pub fn push(&mut self, key: &str) {
        self.think(key, PATIENCE);
    }

    /// The same with more clocks to think in.
    pub fn think(&mut self, key: &str, clocks: u64) {
        self.0.key(key, true).expect("a key");
        self.until("push_.taken", PATIENCE);
        self.0.key(key, false).expect("a key");
        self.idle(clocks);
    }

    /// Moves the cursor with the left pad.
    pub fn point(&mut self, square: Square) {
        let square = super::core::square(square);
        let towards = |have: u8, want: u8, less, more| {
            (if have > want { less } else { more }, have.abs_diff(want))
        };
        let have = self.cursor();
        let (key, times) = towards(have & 7, square & 7, "A", "D");
        for _ in 0..times {
            self.push(key);
        }
        let (key, times) = towards(have >> 4, square >> 4, "S", "W");
        for _ in 0..times {
            self.push(key);
        }
        assert_eq!(self.cursor(), square);
    }
}

/// The EEPROM with a game that has no move yet.
pub fn kept(number: u16, levels: [u8; 2]) -> [u8; 512] {
    let mut eeprom = [0xff; 512];
    eeprom[0] = !(levels[0] | levels[1] << 4) & 0x7f;
    eeprom[1] = 0;
    [eeprom[2], eeprom[3]] = number.to_le_bytes();
    eeprom
}

fn pin(name: &str) -> Pin {
    Pin::named(name).expect("a pin")
}

/// What was sent over the bus: address and bytes of each transfer, as a reader of the
/// edges has it, who also sees that the clock is not faster than 400 kHz.
fn transfers(device: &AvrSimulation) -> Vec<Vec<u8>> {
    let probe = device.peripherals().parts().iter().find_map(|p| match p {
        Part::Probe(p) => Some(p),
        _ => None,
    });
    let (scl, sda) = (pin("A4"), pin("A6"));
    let (mut clock, mut data) = (true, true);
    let (mut rose, mut fell, mut started) = (None::<u64>, None::<u64>, None::<u64>);
    let mut all: Vec<Vec<u8>> = Vec::new();
    let mut bits = Vec::new();
    // Nanoseconds at 8 MHz.
    let since = |now: u64, then: Option<u64>| then.map_or(u64::MAX, |t| (now - t) * 125);
    for edge in probe.expect("a probe").edges() {
        let now = edge.clock;
        if edge.pin == scl {
            if edge.high {
                assert!(since(now, fell) >= 1300, "low time");
                assert!(since(now, rose) >= 2500, "period");
                rose = Some(now);
                bits.push(data);
                if bits.len() == 9 {
                    assert!(!data, "the display acknowledges");
                    let byte = bits[..8].iter().fold(0, |b, &bit| b << 1 | u8::from(bit));
                    all.last_mut().expect("a start").push(byte);
                    bits.clear();
                }
            } else {
                assert!(since(now, rose) >= 600, "high time");
                assert!(since(now, started) >= 600, "hold time of a start");
                fell = Some(now);
            }
            clock = edge.high;
        } else if edge.pin == sda {
            if clock {
                assert!(!edge.high, "only starts, no stops");
                assert!(since(now, rose) >= 600, "set-up time of a start");
                started = Some(now);
                // The clock rose once for it.
                bits.clear();
                all.push(Vec::new());
            }
            data = edge.high;
        }
    }
    all
}

#[test]
fn the_whole_glass_is_drawn_at_the_speed_of_the_bus() {
    let mut device = Device::off(&[0xff; 512]);
    let probe = Probe::new(vec![pin("A4"), pin("A6")]);
    device.0.attach(Part::Probe(probe));
    device.idle(PATIENCE);
    let all = transfers(&device.0);
    assert_eq!(all[0], [0x78, 0x00, 0xa1, 0xc8, 0xaf], "remapped and on");
    let mut drawn = [[0; 132]; 8];
    for pair in all[1..].chunks(2) {
        let [commands, data] = pair else {
            break;
        };
        assert_eq!(commands[..2], [0x78, 0x00]);
        assert_eq!(data[..2], [0x78, 0x40]);
        let [page, high, low] = commands[2..] else {
            panic!("{commands:x?}");
        };
        assert_eq!((page & 0xf8, low & 0xf0, high & 0xf0), (0xb0, 0, 0x10));
        let column = usize::from(high << 4 | low);
        for i in 0..data.len() - 2 {
            drawn[usize::from(page & 7)][column + i] += 1;
        }
    }
    for row in drawn {
        assert!(row[..2].iter().chain(&row[130..]).all(|&n| n == 0));
        assert!(row[2..130].iter().all(|&n| n > 0), "{row:?}");
    }
    assert!(device.0.display().expect("it").unknown().is_empty());
    assert!(device.0.notes().is_empty(), "{:?}", device.0.notes());
}

#[test]
fn a_screen_takes_a_moment() {
    let mut device = Device::game(518);
    let begin = device.0.cycles();
    device.push("RIGHT");
    assert!(device.0.cycles() - begin < SECOND / 8, "a key alone");
    let place = u64::from(at("show"));
    device.0.breakpoint(place, true);
    device.point(Square::E2);
    device.0.key("UP", true).expect("a key");
    assert_eq!(device.0.run(PATIENCE), Stop::Breakpoint(place));
    device.0.breakpoint(place, false);
    let begin = device.0.cycles();
    device.until("beep", PATIENCE);
    let clocks = device.0.cycles() - begin;
    println!("legal targets and the whole screen: {clocks} clocks");
    assert!(clocks < SECOND / 5);
    device.0.key("UP", false).expect("a key");
}

#[test]
fn the_pads_byte() {
    let keys = ["LEFT", "UP", "RIGHT", "DOWN", "A", "W", "D", "S"];
    let device = Device::game(518);
    for (bit, key) in keys.into_iter().enumerate() {
        let mut device = device.clone();
        device.0.key(key, true).expect("a key");
        device.until("pads", PATIENCE);
        device.until("push_.taken", PATIENCE);
        assert_eq!(device.0.cpu().register(16), 1 << bit, "{key}");
    }
}

#[test]
fn one_direction_counts_and_repeats() {
    // Loops between repeats, in the game and in the menu.
    for (mut device, first, next) in [(Device::game(0), 96, 32), (Device::new(), 48, 24)] {
        device.0.key("LEFT", true).expect("a key");
        device.0.key("RIGHT", true).expect("a key");
        let place = u64::from(at("push_.taken"));
        device.0.breakpoint(place, true);
        assert_eq!(device.0.run(3 * SECOND), Stop::Cycles, "two are none");
        device.0.key("LEFT", false).expect("a key");
        let mut times = Vec::new();
        for _ in 0..4 {
            assert_eq!(device.0.run(3 * SECOND), Stop::Breakpoint(place));
            times.push(device.0.cycles());
        }
        let loops = |i: usize| (times[i + 1] - times[i] + 32_768) / 65_536;
        // What is done with a key takes loops, too, in the menu as many as the screen.
        let found = [loops(0), loops(1), loops(2)];
        for (n, want) in found.iter().zip([first, next, next]) {
            assert!((want..=want + 12).contains(n), "{found:?}");
        }
    }
}

#[test]
fn the_cursor_goes_round_the_board_and_blinks() {
    let mut device = Device::game(518);
    device.point(Square::A1);
    for (key, at) in [
        ("A", Square::H1),
        ("S", Square::H8),
        ("D", Square::A8),
        ("W", Square::A1),
    ] {
        device.push(key);
        assert_eq!(device.cursor(), super::core::square(at), "{key}");
    }
    let lit = |d: &Device| {
        let display = d.0.display().expect("it");
        (56..64)
            .flat_map(|y| (0..8).map(move |x| (x, y)))
            .filter(|&(x, y)| display.pixel(x, y))
            .count()
    };
    let mut seen = std::collections::BTreeMap::new();
    for _ in 0..122 {
        device.until("pads", SECOND);
        *seen.entry(lit(&device)).or_insert(0) += 1;
    }
    let (few, many) = (seen.first_key_value(), seen.last_key_value());
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!(few.expect("it").0 + many.expect("it").0, 64, "inverse");
    assert!(seen.values().all(|&n| n > 30), "{seen:?}");
}

/// The seed's table.
const TONES: [u32; 12] = [
    15288, 14430, 13620, 12856, 12134, 11453, 10810, 10204, 9631, 9090, 8580, 8098,
];

#[test]
fn tones_of_the_table() {
    for tone in (0..=81u8).chain([0xff, 0x80]) {
        let mut core = super::core::Core::new();
        for (register, value) in [("DDRA", 0x20), ("TCCR0B", 4), ("TCCR1B", 0x0a)] {
            let placed = core.0.device().register(register).expect("it");
            let address = 0x80_0000 + u64::from(placed.address);
            core.0.poke(address, value);
        }
        core.set(16, tone);
        let clocks = core.call("beep");
        assert!(
            (7 * 65_536..=8 * 65_536 + 300).contains(&clocks),
            "{clocks}"
        );
        core.0.run(SECOND / 10);
        let tones = core.0.buzzer().expect("it").tones();
        if tone > 127 {
            assert!(tones.is_empty(), "silence");
            continue;
        }
        let ticks = TONES[usize::from(tone % 12)] >> (tone / 12);
        let want = 500_000.0 / (f64::from(ticks) + 1.0);
        let [heard] = tones[..] else {
            // The lowest have one period or two.
            assert!(tone < 6, "{tone}: {tones:?}");
            continue;
        };
        let off = (heard.frequency / want - 1.0).abs();
        assert!(off < 0.002, "{tone}: {} Hz, not {want}", heard.frequency);
        assert!(heard.length < 0.067);
    }
}
