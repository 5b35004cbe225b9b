//! The board with the program in it: keys, what the terminal shows, LEDs, and the
//! program's own routines called from here.

use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::{Job, assemble, targets};
use scrimp_avr::board::Board;
use scrimp_avr::{AvrSimulation, devices};
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;
use std::path::Path;
use std::sync::LazyLock;

/// Registers and cells of the program, as its source has them.
pub const SIDE: u8 = 2;
pub const FLOOR: u8 = 4;
pub const NEWEP: u8 = 5;
pub const PROMO: u8 = 6;
pub const HALF: u8 = 7;
pub const MFROM: u8 = 8;
pub const MTO: u8 = 9;
pub const OPTIONS: u8 = 10;
pub const WHO: u8 = 12;
pub const TOP: u8 = 13;
pub const PREY: u8 = 15;
pub const U: u8 = 17;
pub const EP: u8 = 20;
pub const FROM: u8 = 25;
pub const TO: u8 = 26;
pub const YL: u8 = 28;
pub const WHITE: u8 = 0x08;
pub const BLACK: u8 = 0x80;
pub const UNMOVED: u8 = 0x40;
pub const CLOCKS: u16 = 0x60;
pub const LOG: u8 = 0x64;
pub const BOARD: u16 = 0x100;

/// Clocks in which any key must be taken, or any screen drawn.
const PATIENCE: u64 = 8_000_000;
/// Where calls from the host return to; nothing is executed there.
const BACK: u32 = 0x1FFE;

struct Built {
    image: Image,
    fresh: AvrSimulation,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ee476");
    let target = targets::by_name("avr").expect("the AVR");
    let job = Job {
        file: folder.join("ee476.asm").to_str().expect("UTF-8").into(),
        target,
        machine: target.machine("at90s8515"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let output = assemble(&job, &DiskLoader::new().search(&folder));
    let image = output
        .image
        .unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    let manifest = std::fs::read_to_string(folder.join("program.toml")).expect("it");
    let device = devices::find("at90s8515").expect("the device");
    let board = Board::read(&manifest, device).expect("a board");
    let mut fresh = board.build(device, 8_000_000).expect("its parts");
    for chunk in &image.chunks {
        fresh.load(chunk.address, &chunk.bytes).expect("it fits");
    }
    Built { image, fresh }
});

/// Address of a label in flash.
pub fn at(name: &str) -> u32 {
    let symbol = BUILT.image.symbol(name);
    let symbol = symbol.unwrap_or_else(|| panic!("no label {name}"));
    u32::try_from(symbol.value).expect("an address")
}

/// Bytes of flash that the program has.
pub fn flash_bytes() -> usize {
    BUILT.image.binary(0).len()
}

#[derive(Clone)]
pub struct Device(pub AvrSimulation);

impl Device {
    /// The board with the menu on the screen.
    pub fn new() -> Self {
        let mut device = Self(BUILT.fresh.clone());
        device.idle(PATIENCE);
        assert_eq!(device.text(), "\r1 tic-tac-toe 2 chess\r\n");
        device
    }

    /// A new game; `options` is the second key.
    pub fn game(first: char, options: char) -> Self {
        let mut device = Self::new();
        device.key(first);
        assert!(device.text().contains("machine: 1 no"));
        device.key(options);
        device
    }

    /// What was sent since the last call.
    pub fn text(&mut self) -> String {
        self.0.take_text()
    }

    fn until(&mut self, name: &str, clocks: u64) {
        let place = u64::from(at(name));
        self.0.breakpoint(place, true);
        let stop = self.0.run(clocks);
        self.0.breakpoint(place, false);
        assert_eq!(stop, Stop::Breakpoint(place), "it never came to {name}");
    }

    /// Runs until the program waits for a key, all of them up.
    pub fn idle(&mut self, clocks: u64) {
        self.until("key.down", clocks);
        // The last character is still on the line.
        self.0.run(10_000);
    }

    /// Presses a key until it is taken, and waits until the program wants another.
    pub fn key(&mut self, key: char) {
        self.tap(key, PATIENCE);
    }

    /// The same with more clocks to think in.
    pub fn tap(&mut self, key: char, clocks: u64) {
        let name = key.to_string();
        self.0.key(&name, true).expect("a key");
        self.until("key.hit", PATIENCE);
        self.0.key(&name, false).expect("a key");
        self.idle(clocks);
    }

    pub fn keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.key(key);
        }
    }

    /// Bit n is LED n.
    pub fn leds(&self) -> u64 {
        self.0.leds().expect("LEDs").bits()
    }

    pub fn register(&self, number: u8) -> u8 {
        self.0.cpu().register(number)
    }

    pub fn set(&mut self, number: u8, value: u8) {
        self.0.cpu_mut().set_register(number, value);
    }

    pub fn cell(&self, square: u8) -> u8 {
        self.0.cpu().data(BOARD + u16::from(square))
    }

    pub fn set_cell(&mut self, square: u8, value: u8) {
        self.0.cpu_mut().set_data(BOARD + u16::from(square), value);
    }

    pub fn set_data(&mut self, address: u16, value: u8) {
        self.0.cpu_mut().set_data(address, value);
    }

    pub fn turn_side(&mut self) {
        let side = self.register(SIDE).swap_nibbles();
        self.set(SIDE, side);
        self.set(WHO, side);
    }

    /// Calls a routine; `visit` is told each time it comes to the place `stop`.
    pub fn call(&mut self, name: &str, stop: Option<u32>, mut visit: impl FnMut(&mut Self)) {
        let cpu = self.0.cpu_mut();
        let word = BACK / 2;
        cpu.set_data(0x25F, word as u8);
        cpu.set_data(0x25E, (word >> 8) as u8);
        cpu.set_sp(0x25D);
        cpu.set_pc(at(name));
        cpu.breakpoint(BACK, true);
        if let Some(stop) = stop {
            cpu.breakpoint(stop, true);
        }
        loop {
            match self.0.run(PATIENCE * 1000) {
                Stop::Breakpoint(place) if place == u64::from(BACK) => break,
                Stop::Breakpoint(_) => visit(self),
                other => panic!("{name} does not return: {other:?}"),
            }
        }
        if let Some(stop) = stop {
            self.0.cpu_mut().breakpoint(stop, false);
        }
        self.0.cpu_mut().breakpoint(BACK, false);
    }

    /// Runs from one label to another.
    pub fn go(&mut self, from: &str, to: &str, clocks: u64) {
        self.0.cpu_mut().set_sp(0x25F);
        self.0.cpu_mut().set_pc(at(from));
        self.until(to, clocks);
    }
}

trait Swap {
    fn swap_nibbles(self) -> Self;
}

impl Swap for u8 {
    fn swap_nibbles(self) -> Self {
        self.rotate_left(4)
    }
}
