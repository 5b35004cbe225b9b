//! The EEPROM: it takes its time to write, and holds the CPU.
//!
//! Times are typical ones of the data sheets: 3.4 ms for erasing and writing at
//! once and 1.8 ms for one of them on parts with EEPM; 8.5 ms on the first ATmega;
//! 4 ms, the longest, on AT90S.

use super::bus::{Bit, Bus, Group, NOWHERE};
use super::names::Names;

#[derive(Clone, Debug)]
pub(super) struct Eeprom {
    pub control: u16,
    data: u16,
    address: (u16, u16),
    master: Bit,
    write: Bit,
    read: Bit,
    /// A bit of no register: ready.
    pub ready: Bit,
    mode: Group,
    microseconds: u64,
    pub bytes: Vec<u8>,
    /// Until which clock the write may follow.
    window: u64,
    /// Whether the bytes of a write are done with at `done`: where, and what.
    under_way: Option<(usize, u8)>,
    pub done: u64,
    /// How often each byte was written would tell wear; the sum is enough.
    pub writes: u64,
}

impl Eeprom {
    pub fn find(names: &Names, size: u32, classic: bool, ready: Bit) -> Option<Self> {
        let control = names.address(&["EECR"]);
        if control == NOWHERE || size == 0 {
            return None;
        }
        let mode = names.group("EEPM");
        let microseconds = match (mode.exists(), classic) {
            (true, _) => 3400,
            (_, false) => 8500,
            _ => 4000,
        };
        Some(Self {
            control,
            data: names.address(&["EEDR"]),
            address: names.pair("EEAR"),
            master: names.bit(&["EEMPE", "EEMWE"]),
            write: names.bit(&["EEPE", "EEWE"]),
            read: names.bit(&["EERE"]),
            ready,
            mode,
            microseconds,
            bytes: vec![0xff; size as usize],
            window: 0,
            under_way: None,
            done: u64::MAX,
            writes: 0,
        })
    }

    pub fn addresses(&self) -> [u16; 4] {
        [self.control, self.data, self.address.0, self.address.1]
    }

    /// The bytes stay; a write under way is completed.
    pub fn reset(&mut self, bus: &mut Bus) {
        if let Some((at, value)) = self.under_way.take() {
            self.bytes[at] = value;
        }
        self.done = u64::MAX;
        self.window = 0;
        bus.set(self.ready, true);
    }

    pub fn event(&mut self, bus: &mut Bus) {
        if let Some((at, value)) = self.under_way.take() {
            self.bytes[at] = value;
        }
        self.done = u64::MAX;
        bus.set(self.write, false);
        bus.set(self.ready, true);
    }

    pub fn read(&self, bus: &Bus, address: u16, now: u64) -> u8 {
        let value = bus.get(address);
        if address == self.control && now > self.window {
            value & !self.master.mask
        } else {
            value
        }
    }

    /// A write to one of its registers; gives the clocks for which the CPU is held.
    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) -> u32 {
        let busy = self.under_way.is_some();
        if address != self.control {
            // Address and data are fixed while it writes.
            if !busy {
                bus.store(address, value);
            }
            return 0;
        }
        let open = self.master.mask == 0 || bus.bit(self.master) && now <= self.window;
        let stays = if busy {
            bus.get(address) & self.write.mask
        } else {
            0
        };
        let mode: u8 = self.mode.0.iter().map(|b| b.mask).sum();
        let mode = if busy {
            bus.get(address) & mode
        } else {
            value & mode
        };
        let kept =
            !(self.write.mask | self.read.mask | self.mode.0.iter().map(|b| b.mask).sum::<u8>());
        bus.put(address, value & kept | stays | mode);
        if value & self.master.mask != 0 {
            // Writing it again while it is set does not begin the four clocks anew
            // on any part; that a later one opens the window again is seen.
            self.window = now + 4;
        }
        let low = bus.get(self.address.0);
        let high = if self.address.1 == NOWHERE {
            0
        } else {
            bus.get(self.address.1)
        };
        let at = usize::from(u16::from_le_bytes([low, high])) % self.bytes.len();
        if value & self.write.mask != 0 && !busy && open {
            let data = bus.get(self.data);
            let (new, time) = match bus.group(&self.mode) & 3 {
                1 if self.mode.exists() => (0xff, 1800),
                2 if self.mode.exists() => (self.bytes[at] & data, 1800),
                _ => (data, self.microseconds),
            };
            self.under_way = Some((at, new));
            self.writes += 1;
            self.done = now + bus.clocks(time);
            bus.set(self.write, true);
            bus.set(self.master, false);
            bus.set(self.ready, false);
            return 2;
        }
        if value & self.read.mask != 0 && !busy {
            bus.put(self.data, self.bytes[at]);
            return 4;
        }
        0
    }
}
