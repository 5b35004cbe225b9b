//! Where a timer's registers, bits and pins are on a device.

use super::super::bus::{Bit, Bus, Group, NOWHERE};
use super::super::names::Names;
use super::super::pinout::Pinout;
use super::mode::{Mode, NORMAL, Prescaler, Slope, Source, Top};
use super::{Channel, Timer};

/// What a timer does that others can see.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Flag {
    Overflow = 1,
    CompareA = 2,
    CompareB = 4,
    CompareC = 8,
    Capture = 16,
}

const MODULES: [&str; 6] = ["TC0", "TC1", "TC2", "TC3", "TC4", "TC5"];
/// Of the channels.
const LETTERS: [&str; 3] = ["A", "B", "C"];

/// Mode of a timer that has PWM1A, PWM1B and CTC1.
pub(super) fn odd(bus: &Bus, pwm_a: Bit, pwm_b: Bit, ctc: Bit) -> Mode {
    let pwm = bus.bit(pwm_a) || bus.bit(pwm_b);
    match (pwm, bus.bit(ctc)) {
        (true, _) => Mode {
            slope: Slope::Fast,
            top: Top::Ocrc,
            at_bottom: true,
            toggles: false,
        },
        (false, true) => Mode {
            top: Top::Ocrc,
            ..NORMAL
        },
        _ => NORMAL,
    }
}

/// Looks for what belongs to one timer; its number is part of the names.
struct Search<'n> {
    names: &'n Names,
    pinout: Pinout,
    module: &'static str,
    n: u8,
}

impl Search<'_> {
    /// The first of these bits that the timer's module has.
    fn bit(&self, list: &[String]) -> Bit {
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        self.names.bit_in(self.module, &list)
    }

    fn one(&self, name: &str) -> Bit {
        self.bit(&[name.to_owned()])
    }

    /// As [`bit`](Self::bit); timers may share a register of flags, which is listed with
    /// one of them.
    fn shared(&self, list: &[String]) -> Bit {
        let own = self.bit(list);
        if own != Bit::default() {
            return own;
        }
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        self.names.bit(&list)
    }

    /// What selects the clock.
    fn select(&self) -> Group {
        let n = self.n;
        let mut select = Group::default();
        for (i, b) in select.0.iter_mut().enumerate() {
            *b = self.bit(&[format!("CS{n}{i}")]);
            // AT90S: CS0 to CS2 of timer 0.
            if *b == Bit::default() && n == 0 {
                *b = self.one(&format!("CS{i}"));
            }
        }
        select
    }

    /// A name of the channel with that letter; the first may stand there without one.
    fn lettered(&self, name: &str, i: usize) -> Vec<String> {
        let n = self.n;
        let mut list = vec![format!("{name}{n}{}", LETTERS[i])];
        if i == 0 {
            list.push(format!("{name}{n}"));
        }
        list
    }

    fn channel(&self, i: usize) -> Channel {
        let (n, x) = (self.n, LETTERS[i]);
        let mut address = self.names.pair(&format!("OCR{n}{x}"));
        if address.0 == NOWHERE && i == 0 {
            address = self.names.pair(&format!("OCR{n}"));
        }
        let mut com = Group::default();
        for (k, b) in com.0.iter_mut().take(2).enumerate() {
            let list = self.lettered("COM", i);
            let list: Vec<String> = list.iter().map(|name| format!("{name}{k}")).collect();
            *b = self.bit(&list);
        }
        let flag = self.shared(&self.lettered("OCF", i));
        Channel {
            address,
            com,
            force: self.bit(&self.lettered("FOC", i)),
            flag: match address.0 {
                NOWHERE => Bit::default(),
                _ => flag,
            },
            enable: self.shared(&self.lettered("OCIE", i)),
            pin: self.pinout.pin(&format!("OC{n}{x}")),
            ..Channel::default()
        }
    }

    /// The control registers.
    fn controls(&self) -> [u16; 3] {
        let control = |letter: &str| {
            let numbered = format!("TCCR{}{letter}", self.n);
            self.names.address(&[&numbered])
        };
        let first = match control("A") {
            NOWHERE => control(""),
            found => found,
        };
        [first, control("B"), control("C")]
    }

    /// The bit that resets the prescaler.
    fn prescaler_reset(&self, prescaler: Prescaler) -> Bit {
        self.names.bit(match (prescaler, self.n) {
            (Prescaler::Own, 0) => &["PSR0"],
            (Prescaler::Own, _) => &["PSRASY", "PSR2"],
            (Prescaler::Long, _) => &["PSR1"],
            _ => &["PSRSYNC", "PSR10", "PSR310", "PSR321", "PSR0", "PSR"],
        })
    }
}

impl Timer {
    /// The timer of that number, where the device has one that works as these do.
    pub fn find(names: &Names, pinout: Pinout, number: u8, classic: bool) -> Option<Self> {
        let n = number;
        let at = Search {
            names,
            pinout,
            module: MODULES.get(usize::from(number))?,
            n,
        };
        let counter = names.pair(&format!("TCNT{n}"));
        let select = at.select();
        if counter.0 == NOWHERE || !select.exists() {
            return None;
        }
        let long = select.0[3].exists();
        // Timers with dead time and four channels are of another kind.
        if long && names.bit(&["PWM1X", "FPEN1", "PWM4X"]).exists() {
            return None;
        }
        let ctc = at.one("CTC1");
        let waveform = match classic {
            true => Group([at.one("PWM10"), at.one("PWM11"), ctc, Bit::default()]),
            false => names.group(&format!("WGM{n}")),
        };
        let prescaler = match (at.one(&format!("AS{n}")).exists(), long) {
            (true, _) => Prescaler::Own,
            (_, true) => Prescaler::Long,
            _ => Prescaler::Common,
        };
        Some(Self {
            number,
            wide: counter.1 != NOWHERE && !long,
            classic,
            odd: long.then(|| {
                let first = at.bit(&["PWM1A".into(), "PWM1".into()]);
                [first, at.one("PWM1B"), ctc]
            }),
            prescaler,
            counter,
            capture: names.pair(&format!("ICR{n}")),
            controls: at.controls(),
            select,
            waveform,
            channels: [at.channel(0), at.channel(1), at.channel(2)],
            overflow: (
                at.shared(&[format!("TOV{n}")]),
                at.shared(&[format!("TOIE{n}")]),
            ),
            captured: (
                at.shared(&[format!("ICF{n}")]),
                at.shared(&[format!("ICIE{n}"), format!("TICIE{n}")]),
            ),
            edge: at.one(&format!("ICES{n}")),
            noise: at.one(&format!("ICNC{n}")),
            pin: pinout.pin(&format!("T{n}")),
            capture_pin: pinout.pin(&format!("ICP{n}")),
            prescaler_reset: at.prescaler_reset(prescaler),
            prescaler_stop: names.bit(&["TSM"]),
            off: names.bit(&[&format!("PRTIM{n}")]),
            mode: NORMAL,
            source: Source::Stopped,
            last: 0,
            zero: 0,
            count: 0,
            down: false,
            blocked: false,
            icr: 0,
            temp: 0,
            frozen: false,
            watched: false,
            happened: 0,
            next: u64::MAX,
            quiet: 0,
        })
    }

    /// Flags with the names of their vectors: which the hardware clears.
    pub fn sources(&self) -> [(&'static str, Bit, Bit); 5] {
        let c = &self.channels;
        [
            ("OVF", self.overflow.0, self.overflow.1),
            ("COMPA", c[0].flag, c[0].enable),
            ("COMPB", c[1].flag, c[1].enable),
            ("COMPC", c[2].flag, c[2].enable),
            ("CAPT", self.captured.0, self.captured.1),
        ]
    }
}
