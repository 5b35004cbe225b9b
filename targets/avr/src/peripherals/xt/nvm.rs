//! The EEPROM in the data space and the commands of NVMCTRL that are about it. Commands
//! about flash do nothing. Which commands there are is in the device's data; times are from
//! memory of the data sheets.

use super::regs::{Asks, Regs, field};
use crate::devices::Device;
use crate::peripherals::bus::{Bus, NOWHERE};

/// Microseconds of a page or byte that is erased and written, written, erased.
const BOTH: u64 = 4_000;
const HALF: u64 = 2_000;

/// What a command does to the EEPROM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    /// What is stored goes there at once, erased before and written.
    Store { erases: bool, writes: bool },
    /// The page buffer goes there.
    Page { erases: bool, writes: bool },
    /// The buffer is emptied.
    Empty,
    /// All of it is erased.
    All,
}

/// EEPROM and its controller.
#[derive(Clone, Debug)]
pub(super) struct Nvm {
    command: (u16, u8),
    status: u16,
    busy: u8,
    interrupt: [u16; 2],
    vector: u8,
    commands: Vec<(u8, Command)>,
    start: u16,
    page: usize,
    pub bytes: Vec<u8>,
    pub writes: u64,
    buffer: Vec<Option<u8>>,
    /// Where in the EEPROM the buffer was filled last.
    last: usize,
    done: u64,
}

impl Nvm {
    pub fn of(regs: &Regs<'_>, device: &Device) -> Option<Self> {
        let eeprom = device.eeprom;
        let start = u16::try_from(eeprom.mapped?).ok()?;
        let commands = regs.list("NVMCTRL_CMD").into_iter();
        let bit = |f: &str| regs.mask("NVMCTRL_STATUS", f);
        let interrupt = ["INTCTRL", "INTFLAGS"].map(|r| regs.at(&format!("NVMCTRL_{r}")));
        let vectors = ["NVMCTRL_EE", "NVMCTRL_EEREADY", "NVMCTRL_NVMREADY"];
        let vectors = vectors.map(|v| regs.vector(v));
        let page = match device.eeprom.page {
            0 => 1,
            n => n as usize,
        };
        (regs.at("NVMCTRL_CTRLA") != NOWHERE).then(|| Self {
            command: (regs.at("NVMCTRL_CTRLA"), regs.mask("NVMCTRL_CTRLA", "CMD")),
            status: regs.at("NVMCTRL_STATUS"),
            busy: bit("EEBUSY"),
            interrupt,
            vector: vectors.into_iter().find(|&v| v > 0).unwrap_or(0),
            commands: commands
                .filter_map(|(n, v)| Some((v, meaning(n)?)))
                .collect(),
            start,
            page,
            bytes: vec![0xff; eeprom.size as usize],
            writes: 0,
            buffer: vec![None; page],
            last: 0,
            done: u64::MAX,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        let mut all: Vec<u16> = (self.start..self.start + self.bytes.len() as u16).collect();
        all.extend([self.command.0, self.status]);
        all.extend(self.interrupt);
        all
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        self.done = u64::MAX;
        self.buffer.fill(None);
        bus.put(self.interrupt[1], 1);
    }

    pub fn read(&self, bus: &Bus, address: u16) -> u8 {
        let inside = address.checked_sub(self.start).map(usize::from);
        match inside.and_then(|at| self.bytes.get(at)) {
            Some(&byte) => byte,
            None => bus.get(address),
        }
    }

    fn chosen(&self, bus: &Bus) -> Option<Command> {
        let value = field(bus.get(self.command.0), self.command.1);
        let found = self.commands.iter().find(|c| c.0 == value);
        found.map(|c| c.1)
    }

    /// Writes; the number is of clocks that the CPU waits.
    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) -> u32 {
        let inside = address.checked_sub(self.start).map(usize::from);
        if let Some(at) = inside.filter(|&at| at < self.bytes.len()) {
            return self.stored(bus, at, value, now);
        }
        if address == self.command.0 {
            bus.put(address, value);
            match self.chosen(bus) {
                Some(Command::Page { erases, writes }) => {
                    self.page(erases, writes);
                    self.begin(bus, now, erases && writes);
                    bus.put(address, 0);
                }
                Some(Command::Empty) => {
                    self.buffer.fill(None);
                    bus.put(address, 0);
                }
                Some(Command::All) => {
                    self.bytes.fill(0xff);
                    self.begin(bus, now, true);
                    bus.put(address, 0);
                }
                Some(Command::Store { .. }) | None => {}
            }
        } else if address != self.status && address != self.interrupt[1] {
            bus.put(address, value);
        }
        0
    }

    /// A byte is stored in the EEPROM's range.
    fn stored(&mut self, bus: &mut Bus, at: usize, value: u8, now: u64) -> u32 {
        let waits = match self.done {
            u64::MAX => 0,
            done => done.saturating_sub(now).min(u64::from(u32::MAX)) as u32,
        };
        match self.chosen(bus) {
            Some(Command::Store { erases, writes }) => {
                let byte = &mut self.bytes[at];
                let old = if erases { 0xff } else { *byte };
                *byte = if writes { old & value } else { old };
                self.writes += 1;
                self.begin(bus, now + u64::from(waits), erases && writes);
            }
            _ => {
                let slot = at % self.page;
                self.buffer[slot] = Some(value);
                self.last = at;
            }
        }
        waits
    }

    /// The buffer goes to its page; only bytes that were filled change.
    fn page(&mut self, erases: bool, writes: bool) {
        let first = self.last - self.last % self.page;
        for (n, slot) in self.buffer.iter_mut().enumerate() {
            if let (Some(value), Some(byte)) = (slot.take(), self.bytes.get_mut(first + n)) {
                let old = if erases { 0xff } else { *byte };
                *byte = if writes { old & value } else { old };
                self.writes += 1;
            }
        }
    }

    fn begin(&mut self, bus: &mut Bus, now: u64, both: bool) {
        self.done = now + bus.clocks(if both { BOTH } else { HALF });
        bus.put(self.status, bus.get(self.status) | self.busy);
        bus.put(self.interrupt[1], 0);
    }

    pub fn next(&self) -> u64 {
        self.done
    }

    pub fn event(&mut self, bus: &mut Bus) {
        self.done = u64::MAX;
        bus.put(self.status, bus.get(self.status) & !self.busy);
        bus.put(self.interrupt[1], 1);
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let on = bus.get(self.interrupt[0]) & bus.get(self.interrupt[1]) & 1 != 0;
        let mut asks = Asks::default();
        asks.put(self.vector, on);
        asks
    }
}

/// What a command of that name does.
fn meaning(name: &str) -> Option<Command> {
    let both = (true, true);
    let store = |(erases, writes)| Command::Store { erases, writes };
    let page = |(erases, writes)| Command::Page { erases, writes };
    Some(match name {
        "EEWR" => store((false, true)),
        "EEERWR" => store(both),
        "EEBER" => store((true, false)),
        // The buffer of a part that has one for flash and EEPROM.
        "PAGEWRITE" | "EEPW" => page((false, true)),
        "PAGEERASE" | "EEPER" => page((true, false)),
        "PAGEERASEWRITE" | "EEPERW" => page(both),
        "PAGEBUFCLR" | "EEPBCLR" => Command::Empty,
        "EEERASE" | "EECHER" => Command::All,
        _ => return None,
    })
}
