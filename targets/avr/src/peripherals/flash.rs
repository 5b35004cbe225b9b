//! SPM: a program writes its own flash, by pages.

use super::bus::{Bit, Bus, NOWHERE};
use super::names::Names;

#[derive(Clone, Debug)]
pub(super) struct Writer {
    pub control: u16,
    enable: Bit,
    erase: Bit,
    write: Bit,
    /// Bytes of a page, and those to be written.
    page: usize,
    buffer: Vec<u8>,
    window: u64,
}

impl Writer {
    pub fn find(names: &Names, page: u32) -> Option<Self> {
        let control = names.address(&["SPMCSR", "SPMCR"]);
        (control != NOWHERE && page > 0).then(|| Self {
            control,
            enable: names.bit(&["SPMEN", "SELFPRGEN"]),
            erase: names.bit(&["PGERS"]),
            write: names.bit(&["PGWRT"]),
            page: page as usize,
            buffer: vec![0xff; page as usize],
            window: 0,
        })
    }

    pub fn reset(&mut self) {
        self.buffer.fill(0xff);
        self.window = 0;
    }

    pub fn read(&self, bus: &Bus, now: u64) -> u8 {
        let value = bus.get(self.control);
        if now > self.window {
            value & !0x1f
        } else {
            value
        }
    }

    pub fn control_written(&mut self, bus: &mut Bus, value: u8, now: u64) {
        bus.put(self.control, value);
        self.window = now + 4;
    }

    /// SPM itself; gives the microseconds for which the CPU is held.
    pub fn store(&mut self, bus: &mut Bus, z: u32, value: u16, flash: &mut [u8], now: u64) -> u64 {
        if now > self.window || !bus.bit(self.enable) {
            return 0;
        }
        self.window = 0;
        let at = z as usize % flash.len().max(1);
        let start = at - at % self.page;
        let end = (start + self.page).min(flash.len());
        let (erase, write) = (bus.bit(self.erase), bus.bit(self.write));
        bus.put(self.control, bus.get(self.control) & !0x1f);
        match (erase, write) {
            (true, false) => flash[start..end].fill(0xff),
            (false, true) => {
                for (byte, new) in flash[start..end].iter_mut().zip(&self.buffer) {
                    // Bits go to 0 only; erasing brings them back.
                    *byte &= new;
                }
                self.buffer.fill(0xff);
            }
            (false, false) => {
                let at = (at % self.page) & !1;
                self.buffer[at..at + 2].copy_from_slice(&value.to_le_bytes());
                return 0;
            }
            (true, true) => return 0,
        }
        4000
    }
}
