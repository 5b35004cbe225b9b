//! Each part by itself, by levels and edges.

use super::*;
use crate::peripherals::lines::Pin;

fn pin(name: &str) -> Pin {
    Pin::named(name).expect("a pin")
}

#[test]
fn a_keypad_needs_a_label_for_each_key() {
    let pins = |names: &[&str]| names.iter().map(|n| pin(n)).collect::<Vec<_>>();
    let labels = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let new = |r: &[&str], c: &[&str], n| Keypad::new(pins(r), pins(c), labels(n));
    assert!(new(&["A0", "A1"], &["A2", "A3", "A4"], 6).is_ok());
    assert!(new(&["A0"], &["A1"], 2).is_err());
    assert!(new(&["A0"], &["A0"], 1).is_err());
    assert!(new(&[], &[], 0).is_err());
    assert!(
        Keypad::new(
            pins(&["A0"]),
            pins(&["A1", "A2"]),
            vec!["x".into(), "x".into()]
        )
        .is_err()
    );
}

/// Lines of a chip that does nothing, a part on them, and a master outside.
struct Bench {
    lines: Lines,
    part: Part,
    now: u64,
}

const HERTZ: u64 = 8_000_000;

impl Bench {
    fn new(part: Part) -> Self {
        let mut lines = Lines::default();
        (0..4).for_each(|port| lines.set_pins(port, 0xff));
        let mut b = Self {
            lines,
            part,
            now: 0,
        };
        b.part.attach(&mut b.lines);
        b.settle();
        b
    }

    fn settle(&mut self) {
        while self.lines.dirty() {
            let changed = self.lines.settle(self.now);
            if changed != [0; PORTS] {
                let (lines, part) = (&mut self.lines, &mut self.part);
                part.changed(lines, &changed, self.now, HERTZ);
            }
        }
    }

    /// A line goes to a level, and time passes.
    fn set(&mut self, name: &str, level: Option<bool>, clocks: u64) {
        self.lines.drive(pin(name), level);
        self.settle();
        let end = self.now + clocks;
        while self.part.next() <= end {
            self.now = self.part.next();
            self.part.event(&mut self.lines, self.now, HERTZ);
            self.settle();
        }
        self.now = end;
    }

    /// Released or pulled low: SDA is A6, SCL is A4. Gives what SDA is then.
    fn bus(&mut self, sda: bool, scl: bool) -> bool {
        // As outputs that are low.
        for (bit, high) in [(0x40, sda), (0x10, scl)] {
            let direction = self.lines.direction(0);
            let direction = if high {
                direction & !bit
            } else {
                direction | bit
            };
            self.lines.set_direction(0, direction);
            self.settle();
            self.now += 20;
        }
        self.lines.level(pin("A6"))
    }

    fn start(&mut self) {
        self.bus(true, false);
        self.bus(true, true);
        self.bus(false, true);
        self.bus(false, false);
    }

    fn stop(&mut self) {
        self.bus(false, false);
        self.bus(false, true);
        self.bus(true, true);
    }

    /// Sends a byte; tells whether it was acknowledged.
    fn send(&mut self, byte: u8) -> bool {
        for n in (0..8).rev() {
            let bit = byte >> n & 1 == 1;
            self.bus(bit, false);
            self.bus(bit, true);
            self.bus(bit, false);
        }
        self.bus(true, false);
        let low = !self.bus(true, true);
        self.bus(true, false);
        low
    }

    fn receive(&mut self, acknowledge: bool) -> u8 {
        let mut byte = 0;
        for _ in 0..8 {
            self.bus(true, false);
            byte = byte << 1 | u8::from(self.bus(true, true));
            self.bus(true, false);
        }
        self.bus(!acknowledge, false);
        self.bus(!acknowledge, true);
        self.bus(!acknowledge, false);
        byte
    }

    fn transfer(&mut self, bytes: &[u8]) {
        self.start();
        assert!(self.send(0x78));
        for &b in bytes {
            assert!(self.send(b));
        }
        self.stop();
    }

    fn commands(&mut self, bytes: &[u8]) {
        self.transfer(&[&[0x00], bytes].concat());
    }

    fn data(&mut self, bytes: &[u8]) {
        self.transfer(&[&[0x40], bytes].concat());
    }

    fn display(&self) -> &Display {
        match &self.part {
            Part::Display(d) => d,
            _ => panic!("no display"),
        }
    }
}

fn display(kind: Controller) -> Bench {
    let d = Display::new(kind, pin("A6"), pin("A4"), 0x3c);
    let mut b = Bench::new(Part::Display(d));
    b.bus(true, true);
    b
}

#[test]
fn only_its_address_is_answered() {
    let mut b = display(Controller::Sh1106);
    for address in 0..=127u8 {
        b.start();
        assert_eq!(b.send(address << 1), address == 0x3c, "{address:02x}");
        b.stop();
    }
    assert_eq!(b.display().bytes(), 0);
}

#[test]
fn sh1106_stays_at_its_last_column_and_modifies() {
    let mut b = display(Controller::Sh1106);
    b.commands(&[0xaf, 0xb2, 0x02, 0x18]);
    b.data(&[1, 2, 3, 4]);
    let d = b.display();
    let end: Vec<u8> = (129..132).map(|x| d.memory(2, x)).collect();
    assert_eq!(end, [0, 1, 4], "columns 130 and 131");
    // Read-modify-write: a read stays, a write goes on, the end returns.
    b.commands(&[0xb2, 0x02, 0x10]);
    b.data(&[0xaa, 0xbb]);
    b.commands(&[0x02, 0x10, 0xe0]);
    for or in [1, 2] {
        b.start();
        assert!(b.send(0x78) && b.send(0x40));
        b.start();
        assert!(b.send(0x79));
        b.receive(true);
        let value = b.receive(false);
        b.stop();
        b.data(&[value | or]);
    }
    b.commands(&[0xee]);
    b.data(&[0x77]);
    let d = b.display();
    assert_eq!([2, 3, 4].map(|x| d.memory(2, x)), [0x77, 0xbb | 2, 0]);
    assert_eq!(d.unknown(), [0u8; 0]);
    // Windows and the other's pump are not for this one.
    b.commands(&[0x21, 0xad, 0x8b, 0x33, 0x8d]);
    assert_eq!(b.display().unknown(), [0x21, 0x8d]);
}

#[test]
fn ssd1306_counts_in_three_ways() {
    let fill = |order: u8| {
        let mut b = display(Controller::Ssd1306);
        b.commands(&[0x20, order, 0x21, 10, 11, 0x22, 1, 2]);
        b.data(&[1, 2, 3, 4, 5]);
        let d = b.display();
        [(1, 10), (1, 11), (2, 10), (2, 11)].map(|(page, x)| d.memory(page, x))
    };
    assert_eq!(fill(0), [5, 2, 3, 4]);
    assert_eq!(fill(1), [5, 3, 2, 4]);
    assert_eq!(fill(2), [1, 2, 0, 0]);
}

#[test]
fn what_the_glass_shows() {
    let mut b = display(Controller::Sh1106);
    b.commands(&[0xa1, 0xc8, 0xb0, 0x02, 0x10]);
    b.data(&[0x01]);
    assert!(!b.display().pixel(0, 0), "it is off");
    b.commands(&[0xaf]);
    assert!(b.display().pixel(0, 0) && !b.display().pixel(1, 0));
    b.commands(&[0xc0]);
    assert!(b.display().pixel(0, 63));
    b.commands(&[0xa0]);
    assert!(b.display().pixel(127, 63));
    b.commands(&[0xc8, 0xa1, 0x41]);
    assert!(b.display().pixel(0, 63), "the first line is 1");
    b.commands(&[0x40, 0xa7]);
    assert!(!b.display().pixel(0, 0) && b.display().pixel(1, 0));
    b.commands(&[0xa5]);
    assert!(!b.display().pixel(5, 5), "all on, inverse");
    assert_eq!(b.display().rgb().len(), 128 * 64 * 3);
}

#[test]
fn a_display_bears_any_edges() {
    let mut random = 1u32;
    for kind in [Controller::Sh1106, Controller::Ssd1306] {
        let mut b = display(kind);
        for _ in 0..50_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match random >> 28 {
                0 => b.start(),
                1 => b.stop(),
                2..=5 => {
                    b.send((random >> 8) as u8);
                }
                6 => {
                    b.start();
                    b.send(0x78);
                    b.send(if random & 0x100 == 0 { 0x00 } else { 0x40 });
                }
                7 => {
                    b.start();
                    b.send(0x79);
                }
                n => {
                    b.bus(n & 1 == 1, n & 2 == 2);
                }
            }
        }
        assert_eq!(b.display().text().len(), 32);
    }
}

/// A frame by hand, each bit so many clocks long.
fn byte(b: &mut Bench, value: u8, clocks: u64) {
    let bits = u16::from(value) << 1 | 0x200;
    for n in 0..10 {
        b.set("D1", Some(bits >> n & 1 == 1), clocks);
    }
}

#[test]
fn a_terminal_decodes_edges_of_about_its_rate() {
    let terminal = || {
        let t = Terminal::new(Some(pin("D1")), Some(pin("D0")), 9600);
        let mut b = Bench::new(Part::Terminal(t));
        b.set("D1", Some(true), 10_000);
        b
    };
    let got = |b: &Bench| match &b.part {
        Part::Terminal(t) => (t.received().to_vec(), t.errors()),
        _ => panic!("no terminal"),
    };
    // 833 clocks a bit at 8 MHz; 3 % to either side still read.
    for clocks in [833, 808, 858] {
        let mut b = terminal();
        for c in *b"Chess\xff\x00" {
            byte(&mut b, c, clocks);
        }
        b.set("D1", Some(true), 10_000);
        assert_eq!(got(&b), (b"Chess\xff\x00".to_vec(), 0), "{clocks}");
    }
    // Half the rate: wrong bytes or no stop bits.
    let mut b = terminal();
    byte(&mut b, 0x0f, 1666);
    b.set("D1", Some(true), 20_000);
    assert_ne!(got(&b), (vec![0x0f], 0));
    // What it types is on the other line.
    let mut b = terminal();
    let now = b.now;
    if let Part::Terminal(t) = &mut b.part {
        t.type_bytes(b"\x55", now);
    }
    let mut levels = Vec::new();
    b.set("D1", Some(true), 417);
    for _ in 0..10 {
        levels.push(b.lines.level(pin("D0")));
        b.set("D1", Some(true), 833);
    }
    let want = [
        false, true, false, true, false, true, false, true, false, true,
    ];
    assert_eq!(levels, want);
}

#[test]
fn leds_need_a_driver() {
    let mut lines = Lines::default();
    lines.set_pins(1, 0xff);
    let mut leds = Leds::on_port(1, true);
    let state = |leds: &mut Leds, lines: &mut Lines| {
        lines.settle(1);
        leds.look(lines);
        leds.bits()
    };
    assert_eq!(state(&mut leds, &mut lines), 0, "open lines");
    lines.set_direction(1, 0x0f);
    assert_eq!(state(&mut leds, &mut lines), 0x0f, "low outputs");
    lines.set_port(1, 0xfd);
    assert_eq!(state(&mut leds, &mut lines), 0x02);
    lines.set_port(1, 0xff);
    assert_eq!(state(&mut leds, &mut lines), 0);
    lines.set_port(1, 0xfd);
    assert_eq!(state(&mut leds, &mut lines), 2);
    assert_eq!(
        (leds.flashes(1), leds.flashes(0), leds.flashes(7)),
        (2, 1, 0)
    );
}

#[test]
fn buttons_pull_their_line() {
    for (high, resistor) in [(false, false), (false, true), (true, true)] {
        let mut button = Button::new("go", pin("B3"), high);
        if resistor {
            button = button.with_resistor();
        }
        let mut b = Bench::new(Part::Button(button));
        if !resistor {
            b.lines.set_port(1, 8);
            b.settle();
        }
        assert_eq!(b.lines.level(pin("B3")), !high);
        assert!(b.part.key(&mut b.lines, "GO", true));
        b.settle();
        assert_eq!(b.lines.level(pin("B3")), high);
        assert!(b.part.key(&mut b.lines, "go", false));
        b.settle();
        assert_eq!(b.lines.level(pin("B3")), !high);
        assert!(!b.part.key(&mut b.lines, "stop", true));
    }
}

#[test]
fn a_buzzer_tells_tones_apart() {
    let mut b = Bench::new(Part::Buzzer(Buzzer::new(pin("C0"))));
    for (half, periods) in [(4000, 100), (2000, 200)] {
        for n in 0..2 * periods {
            b.set("C0", Some(n % 2 == 0), half);
        }
        b.set("C0", Some(false), 80_000);
    }
    let Part::Buzzer(buzzer) = &b.part else {
        panic!("no buzzer");
    };
    let tones = buzzer.tones();
    assert_eq!(tones.len(), 2, "{tones:?}");
    assert!((tones[0].frequency - 1000.0).abs() < 1.0, "{tones:?}");
    assert!((tones[1].frequency - 2000.0).abs() < 1.0, "{tones:?}");
    assert!((tones[1].start - 0.11).abs() < 0.001, "{tones:?}");
    assert_eq!(buzzer.samples(0.0, 0.01).len(), 441);
}
