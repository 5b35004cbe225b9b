//! The ULA and what it connects: memory, display, keyboard, tape, interrupts.
//!
//! The display is made by the CPU. It executes the display file at its address
//! with A15 set; the ULA takes the byte of each opcode fetch there whose bit 6
//! is clear as a character and gives the CPU a NOP. In the refresh half of that
//! cycle the pattern is fetched from the character table at I, row by the line
//! counter. INT is wired to A6, low in the refresh of the 34th fetch of a line.
//! A counter of 207 T-states makes the horizontal sync; the acknowledge of INT
//! sets it to 0, the NMI generator passes its pulses on to the CPU in SLOW mode.
//! Reading a port with A0 low while NMIs are off begins the vertical sync, any
//! output ends it and starts the line counter.

use super::deck::Deck;
use super::keyboard::Keyboard;
use crate::sim::{Bus, Clock};

/// T-states in a line.
pub const LINE: u64 = 207;
/// Where in a line the horizontal sync begins, counted from the acknowledge of
/// INT, and how long it is.
pub const SYNC: u64 = 16;
const SYNC_LENGTH: u64 = 16;
/// From the end of the sync pulse that stops a HALT by NMI to the first cycle of
/// the NMI: WAIT holds the CPU in T2 up to the end of the pulse.
const RELEASE: u64 = 3;
/// Characters kept of one picture; three times what a full screen has.
const MOST_CELLS: usize = 3 * 32 * 192;

/// Eight pixels of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Line since the vertical sync.
    pub line: u16,
    /// T-states since the line's horizontal sync began; two pixels each.
    pub column: u16,
    /// Pixels, the leftmost in bit 7, 1 is black.
    pub bits: u8,
}

/// A picture and its timing.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Its characters in the order of their display.
    pub cells: Vec<Cell>,
    /// T-states from the end of the vertical sync before it to the end of the
    /// one after.
    pub states: u64,
    /// T-states of the vertical sync after it.
    pub sync: u64,
    /// Horizontal syncs from the end of the vertical sync before it to the
    /// begin of the one after.
    pub lines: u64,
    /// When it ended.
    pub end: u64,
}

/// What a program has done that it hardly meant to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mishaps {
    /// Times it went to address 0: a reset.
    pub resets: u32,
    /// First address in the ROM's mirror, $2001 to $3FFF, that was executed.
    pub mirror: Option<u16>,
}

/// The bus of a ZX81.
#[derive(Clone)]
pub struct Ula {
    /// ROM from 0 and RAM from $4000.
    memory: Box<[u8; 0x8000]>,
    /// Address lines that the RAM decodes.
    ram: u16,
    /// Keys that are down.
    pub keyboard: Keyboard,
    /// Tape that plays.
    pub deck: Deck,
    sixty: bool,
    /// When the counter of the line was 0.
    base: u64,
    /// Horizontal syncs since power-on, up to `base`.
    syncs: u64,
    /// The same at the end of the last vertical sync: line 0.
    origin: u64,
    nmi_on: bool,
    /// Next pulse of the NMI generator; never when it is off.
    next_nmi: u64,
    /// Begin of the pulse that the CPU is about to answer.
    pulse: Option<u64>,
    /// Begin of the vertical sync, while there is one.
    sync: Option<u64>,
    /// End of the last vertical sync.
    sync_end: u64,
    /// Lines of the picture that the vertical sync ends.
    picture_lines: u64,
    cells: Vec<Cell>,
    /// The last whole picture.
    pub picture: Picture,
    /// Pictures since power-on.
    pub pictures: u64,
    /// What went wrong since it was last cleared.
    pub mishaps: Mishaps,
    /// Lowest stack pointer in RAM since it was last set.
    pub lowest: u16,
}

impl Ula {
    /// A machine with `ram` K and a ROM of up to 8K.
    pub fn new(rom: &[u8], ram: u16, sixty: bool) -> Ula {
        let mut memory = Box::new([0; 0x8000]);
        memory[..0x2000].fill(0xFF);
        let length = rom.len().min(0x2000);
        memory[..length].copy_from_slice(&rom[..length]);
        Ula {
            memory,
            ram: 0x4000 | (ram * 1024 - 1),
            mishaps: Mishaps::default(),
            lowest: 0xFFFF,
            keyboard: Keyboard::default(),
            deck: Deck::default(),
            sixty,
            base: 0,
            syncs: 0,
            origin: 0,
            nmi_on: false,
            next_nmi: u64::MAX,
            pulse: None,
            sync: None,
            sync_end: 0,
            picture_lines: 0,
            cells: Vec::new(),
            picture: Picture::default(),
            pictures: 0,
        }
    }

    /// Where an address lies in `memory`.
    #[inline(always)]
    fn at(&self, address: u16) -> usize {
        let decoded = if address & 0x4000 == 0 {
            0x1FFF
        } else {
            self.ram
        };
        usize::from(address & decoded & 0x7FFF)
    }

    /// Reads memory without side effects.
    #[inline(always)]
    pub fn peek(&self, address: u16) -> u8 {
        self.memory[self.at(address)]
    }

    /// A word, low byte first.
    pub fn word(&self, address: u16) -> u16 {
        u16::from_le_bytes([self.peek(address), self.peek(address.wrapping_add(1))])
    }

    /// Writes RAM; the ROM takes nothing.
    #[inline(always)]
    pub fn poke(&mut self, address: u16, value: u8) {
        if address & 0x4000 != 0 {
            let at = self.at(address);
            self.memory[at] = value;
        }
    }

    /// Whether the NMI generator is on, as it is in the margins of SLOW mode.
    pub fn nmi_on(&self) -> bool {
        self.nmi_on
    }

    /// Horizontal syncs begun since power-on.
    #[inline(always)]
    fn syncs(&self, now: u64) -> u64 {
        self.syncs + (now - self.base + LINE - SYNC) / LINE
    }

    /// T-states since the last horizontal sync began.
    #[inline(always)]
    fn column(&self, now: u64) -> u64 {
        (now - self.base + LINE - SYNC) % LINE
    }

    /// A fetch where the display may be, or where no program means to be.
    fn fetch_apart(&mut self, address: u16, byte: u8, refresh: u16, now: u64) -> u8 {
        if address & 0x8000 != 0 {
            if byte & 0x40 == 0 {
                self.character(byte, refresh, now);
                return 0;
            }
        } else if address == 0 {
            self.mishaps.resets += 1;
        } else if address < 0x4000 {
            self.mishaps.mirror.get_or_insert(address);
        }
        byte
    }

    fn character(&mut self, code: u8, refresh: u16, now: u64) {
        if self.sync.is_some() || self.cells.len() >= MOST_CELLS {
            return;
        }
        let line = self.syncs(now) - self.origin;
        let table = refresh & 0xFE00;
        let at = table | u16::from(code & 0x3F) << 3 | (line & 7) as u16;
        let bits = self.peek(at) ^ if code & 0x80 != 0 { 0xFF } else { 0 };
        self.cells.push(Cell {
            line: line.min(0xFFFF) as u16,
            column: self.column(now) as u16,
            bits,
        });
    }

    fn begin_sync(&mut self, now: u64) {
        if self.sync.is_none() && !self.nmi_on {
            self.sync = Some(now);
            self.picture_lines = self.syncs(now) - self.origin;
        }
    }

    fn end_sync(&mut self, now: u64) {
        let Some(begin) = self.sync.take() else {
            return;
        };
        if !self.cells.is_empty() {
            std::mem::swap(&mut self.picture.cells, &mut self.cells);
            self.picture.states = now - self.sync_end;
            self.picture.sync = now - begin;
            self.picture.lines = self.picture_lines;
            self.picture.end = now;
            self.pictures += 1;
        }
        self.cells.clear();
        self.sync_end = now;
        self.origin = self.syncs(now);
    }
}

impl Bus for Ula {
    #[inline(always)]
    fn read(&mut self, address: u16, _: &mut Clock) -> u8 {
        self.peek(address)
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8, _: &mut Clock) {
        self.poke(address, value);
    }

    #[inline(always)]
    fn fetch(&mut self, address: u16, refresh: u16, clock: &mut Clock) -> u8 {
        let byte = self.peek(address);
        // Address 0, $2001-$3FFF, $6001-$7FFF and all from $8000 on.
        if address.wrapping_sub(1) & 0xA000 != 0 {
            return self.fetch_apart(address, byte, refresh, clock.now());
        }
        byte
    }

    #[inline(always)]
    fn ignored(&mut self, _: u16, _: u16, halted: bool, clock: &mut Clock) {
        if let Some(pulse) = self.pulse.take()
            && halted
        {
            let begin = pulse + SYNC_LENGTH + RELEASE;
            clock.wait(begin.saturating_sub(clock.now()) as u32);
        }
    }

    fn input(&mut self, port: u16, clock: &mut Clock) -> u8 {
        if port & 1 != 0 {
            return 0xFF;
        }
        let now = clock.now();
        self.begin_sync(now);
        let ear = if self.deck.level(now) { 0x80 } else { 0 };
        let fifty = if self.sixty { 0 } else { 0x40 };
        self.keyboard.read(port) | 0x20 | fifty | ear
    }

    fn output(&mut self, port: u16, _: u8, clock: &mut Clock) {
        let now = clock.now();
        if port & 2 == 0 {
            self.nmi_on = false;
            self.next_nmi = u64::MAX;
        }
        if port & 1 == 0 && !self.nmi_on {
            self.nmi_on = true;
            // In the middle of a pulse it falls at once.
            let column = self.column(now);
            self.next_nmi = if column < SYNC_LENGTH {
                now
            } else {
                now - column + LINE
            };
        }
        self.end_sync(now);
    }

    #[inline(always)]
    fn nmi(&mut self, clock: &mut Clock) -> bool {
        // The CPU looks at the beginning of an instruction's last T-state.
        let now = clock.now();
        if now <= self.next_nmi {
            return false;
        }
        self.pulse = Some(self.next_nmi);
        self.next_nmi = now - self.column(now) + LINE;
        true
    }

    #[inline(always)]
    fn int(&mut self, refresh: u8, _: &mut Clock) -> bool {
        refresh & 0x40 == 0
    }

    #[inline(always)]
    fn stack(&mut self, pointer: u16) {
        if pointer < self.lowest && pointer >= 0x4000 {
            self.lowest = pointer;
        }
    }

    fn acknowledge(&mut self, clock: &mut Clock) -> u8 {
        let now = clock.now();
        self.syncs = self.syncs(now);
        self.base = now;
        0xFF
    }
}
