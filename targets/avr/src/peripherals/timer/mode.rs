//! What the bits of a timer's control registers mean.

/// How it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slope {
    /// Up to the maximum, or to the top where the counter is cleared.
    Plain,
    /// Up to the top and from 0 again, with pulses on the outputs.
    Fast,
    /// Up to the top and down again.
    Dual,
}

/// Up to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    Fixed(u16),
    Ocra,
    Icr,
    /// OCR1C of the timers of ATtiny25 and its like.
    Ocrc,
}

/// A mode of waveform generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    pub slope: Slope,
    pub top: Top,
    /// Output compare registers change at the bottom and not at the top.
    pub at_bottom: bool,
    /// COM = 1 toggles OCnA though it is a PWM mode.
    pub toggles: bool,
}

const fn mode(slope: Slope, top: Top) -> Mode {
    Mode {
        slope,
        top,
        at_bottom: false,
        toggles: false,
    }
}

/// Counts to the maximum.
pub(super) const NORMAL: Mode = mode(Slope::Plain, Top::Fixed(u16::MAX));

/// Of an 8-bit timer by WGMn2:0. Reserved ones are as normal.
pub(super) const fn eight(wgm: u8) -> Mode {
    let full = Top::Fixed(0xff);
    match wgm & 7 {
        1 => mode(Slope::Dual, full),
        2 => mode(Slope::Plain, Top::Ocra),
        3 => mode(Slope::Fast, full),
        5 => Mode {
            toggles: true,
            ..mode(Slope::Dual, Top::Ocra)
        },
        7 => Mode {
            toggles: true,
            ..mode(Slope::Fast, Top::Ocra)
        },
        _ => mode(Slope::Plain, full),
    }
}

/// Of a 16-bit timer by WGMn3:0.
pub(super) const fn sixteen(wgm: u8) -> Mode {
    let bits = Top::Fixed((0x80 << (wgm & 3)) - 1);
    let top = if wgm & 1 == 0 { Top::Icr } else { Top::Ocra };
    match wgm & 15 {
        1..=3 => mode(Slope::Dual, bits),
        4 => mode(Slope::Plain, Top::Ocra),
        5..=7 => mode(Slope::Fast, bits),
        8..=11 => Mode {
            at_bottom: wgm & 15 < 10,
            toggles: wgm & 1 == 1,
            ..mode(Slope::Dual, top)
        },
        12 => mode(Slope::Plain, Top::Icr),
        14 | 15 => Mode {
            toggles: true,
            ..mode(Slope::Fast, top)
        },
        _ => NORMAL,
    }
}

/// Timer 1 of the AT90S: CTC1 above PWM11:10.
pub(super) const fn classic(bits: u8) -> Mode {
    match (bits & 3, bits & 4) {
        (0, 0) => NORMAL,
        (0, _) => mode(Slope::Plain, Top::Ocra),
        (n, _) => mode(Slope::Dual, Top::Fixed((0x80 << n) - 1)),
    }
}

/// What the clock select bits choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Stopped,
    /// The clock divided by this.
    Divided(u32),
    /// Edges of the pin Tn; true for rising ones.
    Pin(bool),
}

/// Which table of clock select bits a timer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prescaler {
    /// Shared by the timers of the synchronous prescaler.
    Common,
    /// Of a timer that can run from its own crystal.
    Own,
    /// Powers of two up to 16384: timer 1 of ATtiny15, 26, 25 to 85.
    Long,
}

impl Prescaler {
    pub const fn source(self, cs: u8) -> Source {
        const COMMON: [u32; 6] = [0, 1, 8, 64, 256, 1024];
        const OWN: [u32; 8] = [0, 1, 8, 32, 64, 128, 256, 1024];
        match (self, cs) {
            (_, 0) => Source::Stopped,
            (Self::Common, 1..=5) => Source::Divided(COMMON[cs as usize]),
            (Self::Common, _) => Source::Pin(cs & 1 == 1),
            (Self::Own, _) => Source::Divided(OWN[cs as usize & 7]),
            (Self::Long, _) => Source::Divided(1 << ((cs & 15) - 1)),
        }
    }
}

/// What happens to an output pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Toggle,
    Clear,
    Set,
}

impl Mode {
    /// What a compare match does to output `channel` with these COM bits. `up` is
    /// the direction.
    pub fn on_match(self, com: u8, channel: usize, up: bool) -> Option<Act> {
        match (com, self.slope) {
            (1, Slope::Plain) => Some(Act::Toggle),
            (1, _) => (self.toggles && channel == 0).then_some(Act::Toggle),
            (2, Slope::Dual) if !up => Some(Act::Set),
            (2, _) => Some(Act::Clear),
            (3, Slope::Dual) if !up => Some(Act::Clear),
            (3, _) => Some(Act::Set),
            _ => None,
        }
    }

    /// What the beginning of a period does, of fast PWM.
    pub fn at_start(self, com: u8) -> Option<Act> {
        match (com, self.slope) {
            (2, Slope::Fast) => Some(Act::Set),
            (3, Slope::Fast) => Some(Act::Clear),
            _ => None,
        }
    }

    /// Whether the pin belongs to the timer.
    pub fn connected(self, com: u8, channel: usize) -> bool {
        match com {
            0 => false,
            1 => self.slope == Slope::Plain || self.toggles && channel == 0,
            _ => true,
        }
    }
}
