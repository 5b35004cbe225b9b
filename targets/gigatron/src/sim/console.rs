//! What stands on the desk: monitor, LEDs, loudspeaker, pad and keyboard.

use super::{HSYNC, Input, Picture, Ports, Sync, VSYNC};

/// Samples that are kept for whoever takes them: nine minutes; later ones are lost.
const MOST_SAMPLES: usize = 1 << 24;

/// Everything that is connected to the ports.
#[derive(Clone, Debug, Default)]
pub struct Console {
    /// The checker of the sync pulses.
    pub sync: Sync,
    /// The monitor.
    pub picture: Picture,
    /// Pad and keyboard.
    pub input: Input,
    /// The second output port: LEDs in bits 0 to 3, sound in bits 4 to 7.
    xout: u8,
    recording: bool,
    samples: Vec<u8>,
}

impl Console {
    /// The four LEDs, the first in bit 0.
    pub fn leds(&self) -> u8 {
        self.xout & 0x0f
    }

    /// What the loudspeaker gets, 0 to 15.
    pub fn sound(&self) -> u8 {
        self.xout >> 4
    }

    /// Keeps a sample of the sound for each line from now on, or no longer.
    pub fn record(&mut self, on: bool) {
        self.recording = on;
    }

    /// The samples so far.
    pub fn take_samples(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.samples)
    }

    /// A sync line changes.
    #[inline(never)]
    fn edge(&mut self, clock: u64, old: u8, new: u8, ac: u8) {
        let changed = old ^ new;
        if changed & VSYNC != 0 {
            if new & VSYNC == 0 {
                self.sync.vsync_falls(clock);
                self.picture.next_frame();
                self.input.latch();
            } else {
                self.sync.vsync_rises();
            }
        }
        if changed & HSYNC != 0 {
            if new & HSYNC == 0 {
                self.sync.hsync_falls(clock);
                return;
            }
            self.sync.hsync_rises(clock);
            self.picture
                .next_line(clock, self.sync.fell().unwrap_or(clock));
            self.input.clock(old & VSYNC != 0);
            self.xout = ac;
            if self.recording && self.samples.len() < MOST_SAMPLES {
                self.samples.push(ac >> 4);
            }
        }
    }
}

impl Ports for Console {
    #[inline(always)]
    fn out(&mut self, clock: u64, old: u8, new: u8, ac: u8) {
        self.picture.draw(clock, old);
        if (old ^ new) & (HSYNC | VSYNC) != 0 {
            self.edge(clock, old, new, ac);
        }
    }

    #[inline(always)]
    fn input(&self) -> u8 {
        self.input.port()
    }
}
