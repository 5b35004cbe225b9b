//! OLED displays of 128 by 64 at an I²C bus: SH1106 and SSD1306.
//!
//! The picture is what the usual module shows, which is upright with segments and
//! rows remapped (`$A1`, `$C8`).

use super::i2c::{Device, Slave};
use crate::peripherals::lines::{Lines, PORTS, Pin};

/// Columns of the glass.
pub const WIDTH: usize = 128;
/// Rows of the glass.
pub const HEIGHT: usize = 64;
/// Columns of the memory.
const COLUMNS: usize = 132;
/// Pages of the memory.
const PAGES: usize = 8;

/// Which controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// 132 columns, of which the glass shows those from 2 on; pages only.
    Sh1106,
    /// 128 columns, windows, three ways to count on.
    Ssd1306,
}

/// How the SSD1306 counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Horizontal,
    Vertical,
    Page,
}

/// What the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Control,
    /// Data or commands to the end of the transfer, or one of it.
    Data {
        one: bool,
    },
    Command {
        one: bool,
    },
}

/// The controller.
#[derive(Clone, Debug)]
struct Chip {
    kind: Controller,
    memory: Box<[[u8; COLUMNS]; PAGES]>,
    page: usize,
    column: usize,
    order: Order,
    window: (usize, usize, usize, usize),
    /// Read-modify-write: the column to which its end returns.
    modify: Option<usize>,
    expect: Expect,
    /// A command that waits for its arguments, and those that came.
    command: u8,
    wants: usize,
    arguments: Vec<u8>,
    on: bool,
    all: bool,
    inverse: bool,
    remap: bool,
    scan: bool,
    line: usize,
    offset: usize,
    contrast: u8,
    /// The first read after an address is set is a dummy.
    fresh: bool,
    /// Commands that it does not know.
    unknown: Vec<u8>,
    bytes: u64,
}

/// A display with its lines.
#[derive(Clone, Debug)]
pub struct Display {
    slave: Slave,
    chip: Chip,
}

impl Display {
    /// A display at two lines with a 7-bit address, usually `$3C`.
    #[must_use]
    pub fn new(kind: Controller, sda: Pin, scl: Pin, address: u8) -> Self {
        Self {
            slave: Slave::new(sda, scl, address),
            chip: Chip {
                kind,
                memory: Box::new([[0; COLUMNS]; PAGES]),
                page: 0,
                column: 0,
                order: Order::Page,
                window: (0, WIDTH - 1, 0, PAGES - 1),
                modify: None,
                expect: Expect::Control,
                command: 0,
                wants: 0,
                arguments: Vec::new(),
                on: false,
                all: false,
                inverse: false,
                remap: false,
                scan: false,
                line: 0,
                offset: 0,
                contrast: 0x80,
                fresh: true,
                unknown: Vec::new(),
                bytes: 0,
            },
        }
    }

    /// A byte of its memory: page 0 to 7, column 0 to 131.
    #[must_use]
    pub fn memory(&self, page: usize, column: usize) -> u8 {
        let row = self.chip.memory.get(page);
        row.and_then(|r| r.get(column)).copied().unwrap_or(0)
    }

    /// Whether it is on.
    #[must_use]
    pub fn on(&self) -> bool {
        self.chip.on
    }

    /// Commands that it did not know, the first hundred.
    #[must_use]
    pub fn unknown(&self) -> &[u8] {
        &self.chip.unknown
    }

    /// Bytes that it took, control bytes included.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.chip.bytes
    }

    /// Whether a pixel of the glass is lit.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> bool {
        let c = &self.chip;
        if !c.on || x >= WIDTH || y >= HEIGHT {
            return false;
        }
        let (first, last) = match c.kind {
            Controller::Sh1106 => (2, COLUMNS - 1),
            Controller::Ssd1306 => (0, WIDTH - 1),
        };
        let column = if c.remap { x + first } else { last - first - x };
        let y = if c.scan { y } else { HEIGHT - 1 - y };
        let row = (y + c.line + c.offset) % HEIGHT;
        let lit = c.all || self.memory(row / 8, column) >> (row % 8) & 1 == 1;
        lit != c.inverse
    }

    /// The picture, two by two pixels a character.
    #[must_use]
    pub fn text(&self) -> Vec<String> {
        const BLOCKS: [char; 16] = [
            ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
        ];
        let block = |x: usize, y: usize| {
            let bit = |dx, dy, n| usize::from(self.pixel(2 * x + dx, 2 * y + dy)) << n;
            BLOCKS[bit(0, 0, 0) | bit(1, 0, 1) | bit(0, 1, 2) | bit(1, 1, 3)]
        };
        let row = |y| (0..WIDTH / 2).map(|x| block(x, y)).collect();
        (0..HEIGHT / 2).map(row).collect()
    }

    /// The picture as 8-bit RGB, row by row.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(WIDTH * HEIGHT * 3);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let color = if self.pixel(x, y) {
                    [0xd8, 0xe8, 0xff]
                } else {
                    [0x08, 0x08, 0x10]
                };
                out.extend(color);
            }
        }
        out
    }

    pub(super) fn pins(&self) -> Vec<Pin> {
        vec![self.slave.sda, self.slave.scl]
    }

    pub(super) fn attach(&mut self, lines: &mut Lines) {
        self.slave.attach(lines);
    }

    pub(super) fn changed(&mut self, lines: &mut Lines, changed: &[u8; PORTS]) {
        self.slave.changed(lines, changed, &mut self.chip);
    }
}

impl Device for Chip {
    fn begin(&mut self, reads: bool) -> bool {
        if !reads {
            self.expect = Expect::Control;
            self.wants = 0;
            self.arguments.clear();
        }
        true
    }

    fn byte(&mut self, value: u8) -> bool {
        self.bytes += 1;
        match self.expect {
            Expect::Control => {
                let one = value & 0x80 != 0;
                self.expect = match value & 0x40 {
                    0 => Expect::Command { one },
                    _ => Expect::Data { one },
                };
            }
            Expect::Data { one } => {
                self.store(value);
                if one {
                    self.expect = Expect::Control;
                }
            }
            Expect::Command { one } => {
                self.command(value);
                if one {
                    self.expect = Expect::Control;
                }
            }
        }
        true
    }

    fn give(&mut self) -> u8 {
        if let Expect::Data { .. } = self.expect {
            if std::mem::take(&mut self.fresh) {
                return 0;
            }
            let value = self.memory[self.page][self.column.min(COLUMNS - 1)];
            if self.modify.is_none() {
                self.go_on();
            }
            return value;
        }
        // Status: off is bit 6, never busy.
        if self.on { 0 } else { 0x40 }
    }
}

impl Chip {
    fn store(&mut self, value: u8) {
        self.memory[self.page][self.column.min(COLUMNS - 1)] = value;
        self.go_on();
        self.fresh = true;
    }

    fn go_on(&mut self) {
        let (from, to, first, last) = self.window;
        match (self.kind, self.order) {
            // It stays at the last column.
            (Controller::Sh1106, _) => self.column = (self.column + 1).min(COLUMNS - 1),
            (Controller::Ssd1306, Order::Page) => self.column = (self.column + 1) % WIDTH,
            (Controller::Ssd1306, Order::Horizontal) => {
                if self.column == to {
                    self.column = from;
                    self.page = if self.page == last {
                        first
                    } else {
                        (self.page + 1) % PAGES
                    };
                } else {
                    self.column = (self.column + 1) % WIDTH;
                }
            }
            (Controller::Ssd1306, Order::Vertical) => {
                if self.page == last {
                    self.page = first;
                    self.column = if self.column == to {
                        from
                    } else {
                        (self.column + 1) % WIDTH
                    };
                } else {
                    self.page = (self.page + 1) % PAGES;
                }
            }
        }
    }

    /// How many arguments a command has.
    fn arguments(&self, command: u8) -> usize {
        let new = self.kind == Controller::Ssd1306;
        match command {
            0x81 | 0xa8 | 0xd3 | 0xd5 | 0xd9 | 0xda | 0xdb => 1,
            0xad if !new => 1,
            0x20 | 0x8d if new => 1,
            0x21 | 0x22 | 0xa3 if new => 2,
            0x26 | 0x27 if new => 6,
            0x29 | 0x2a if new => 5,
            _ => 0,
        }
    }

    fn command(&mut self, value: u8) {
        if self.wants > 0 {
            self.arguments.push(value);
            if self.arguments.len() == self.wants {
                self.wants = 0;
                let arguments = std::mem::take(&mut self.arguments);
                self.execute(self.command, &arguments);
            }
            return;
        }
        match self.arguments(value) {
            0 => self.execute(value, &[]),
            n => {
                self.command = value;
                self.wants = n;
            }
        }
    }

    fn execute(&mut self, command: u8, arguments: &[u8]) {
        let new = self.kind == Controller::Ssd1306;
        let n = |i: usize| usize::from(arguments.get(i).copied().unwrap_or(0));
        let low = usize::from(command & 0x0f);
        match command {
            0x00..=0x0f => self.column = (self.column & 0xf0 | low).min(self.columns() - 1),
            0x10..=0x1f => self.column = (self.column & 0x0f | low << 4).min(self.columns() - 1),
            0x20 if new => {
                self.order = match n(0) & 3 {
                    0 => Order::Horizontal,
                    1 => Order::Vertical,
                    _ => Order::Page,
                };
            }
            0x21 if new => {
                (self.window.0, self.window.1) = (n(0) & 127, n(1) & 127);
                self.column = self.window.0;
            }
            0x22 if new => {
                (self.window.2, self.window.3) = (n(0) & 7, n(1) & 7);
                self.page = self.window.2;
            }
            0x26..=0x2f if new => {}
            0x30..=0x33 if !new => {}
            0x40..=0x7f => self.line = usize::from(command & 0x3f),
            0x81 => self.contrast = n(0) as u8,
            0x8d | 0xa3 if new => {}
            0xa0 | 0xa1 => self.remap = command & 1 == 1,
            0xa4 | 0xa5 => self.all = command & 1 == 1,
            0xa6 | 0xa7 => self.inverse = command & 1 == 1,
            0xad if !new => {}
            0xae | 0xaf => self.on = command & 1 == 1,
            0xb0..=0xb7 => self.page = low & 7,
            0xc0..=0xcf => self.scan = command & 8 != 0,
            0xd3 => self.offset = n(0) & 0x3f,
            0xe0 if !new => self.modify = Some(self.column),
            0xee if !new => {
                if let Some(column) = self.modify.take() {
                    self.column = column;
                }
            }
            0xa8 | 0xd5 | 0xd9 | 0xda | 0xdb | 0xe3 => {}
            other => {
                if self.unknown.len() < 100 {
                    self.unknown.push(other);
                }
            }
        }
        self.fresh = true;
    }

    fn columns(&self) -> usize {
        match self.kind {
            Controller::Sh1106 => COLUMNS,
            Controller::Ssd1306 => WIDTH,
        }
    }
}
