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

impl Timer {
    /// The timer of that number, where the device has one that works as these do.
    pub fn find(names: &Names, pinout: Pinout, number: u8, classic: bool) -> Option<Self> {
        let module = *MODULES.get(usize::from(number))?;
        let n = number;
        let counter = names.pair(&format!("TCNT{n}"));
        let bit = |list: &[String]| {
            let list: Vec<&str> = list.iter().map(String::as_str).collect();
            names.bit_in(module, &list)
        };
        let one = |name: &str| bit(&[name.to_owned()]);
        // Timers may share a register of flags, which is listed with one of them.
        let shared = |list: &[String]| {
            let own = bit(list);
            if own != Bit::default() {
                return own;
            }
            let list: Vec<&str> = list.iter().map(String::as_str).collect();
            names.bit(&list)
        };
        let mut select = Group::default();
        for (i, b) in select.0.iter_mut().enumerate() {
            *b = bit(&[format!("CS{n}{i}")]);
            // AT90S: CS0 to CS2 of timer 0.
            if *b == Bit::default() && n == 0 {
                *b = one(&format!("CS{i}"));
            }
        }
        if counter.0 == NOWHERE || !select.exists() {
            return None;
        }
        let long = select.0[3].exists();
        // Timers with dead time and four channels are of another kind.
        if long && names.bit(&["PWM1X", "FPEN1", "PWM4X"]).exists() {
            return None;
        }
        let ctc = one("CTC1");
        let wide = counter.1 != NOWHERE && !long;
        let mut waveform = names.group(&format!("WGM{n}"));
        if classic {
            waveform = Group([one("PWM10"), one("PWM11"), ctc, Bit::default()]);
        }
        let own = bit(&[format!("AS{n}")]).exists();
        let letters = ["A", "B", "C"];
        let mut channels = [Channel::default(); 3];
        for (i, c) in channels.iter_mut().enumerate() {
            let x = letters[i];
            let mut address = names.pair(&format!("OCR{n}{x}"));
            if address.0 == NOWHERE && i == 0 {
                address = names.pair(&format!("OCR{n}"));
            }
            let alone = |name: &str| {
                let mut list = vec![format!("{name}{n}{x}")];
                if i == 0 {
                    list.push(format!("{name}{n}"));
                }
                list
            };
            let mut com = Group::default();
            for (k, b) in com.0.iter_mut().take(2).enumerate() {
                let mut list = vec![format!("COM{n}{x}{k}")];
                if i == 0 {
                    list.push(format!("COM{n}{k}"));
                }
                *b = bit(&list);
            }
            *c = Channel {
                address,
                com,
                force: bit(&alone("FOC")),
                flag: shared(&alone("OCF")),
                enable: shared(&alone("OCIE")),
                pin: pinout.pin(&format!("OC{n}{x}")),
                ..Channel::default()
            };
            if address.0 == NOWHERE {
                c.flag = Bit::default();
            }
        }
        let control = |letter: &str| {
            let numbered = format!("TCCR{n}{letter}");
            names.address(&[&numbered])
        };
        let resets: &[&str] = match (own, n, long) {
            (true, 0, _) => &["PSR0"],
            (true, ..) => &["PSRASY", "PSR2"],
            (_, _, true) => &["PSR1"],
            _ => &["PSRSYNC", "PSR10", "PSR310", "PSR321", "PSR0", "PSR"],
        };
        Some(Self {
            number,
            wide,
            classic,
            odd: long.then(|| [bit(&["PWM1A".into(), "PWM1".into()]), one("PWM1B"), ctc]),
            prescaler: match (own, long) {
                (true, _) => Prescaler::Own,
                (_, true) => Prescaler::Long,
                _ => Prescaler::Common,
            },
            counter,
            capture: names.pair(&format!("ICR{n}")),
            controls: [
                match control("A") {
                    NOWHERE => control(""),
                    found => found,
                },
                control("B"),
                control("C"),
            ],
            select,
            waveform,
            channels,
            overflow: (shared(&[format!("TOV{n}")]), shared(&[format!("TOIE{n}")])),
            captured: (
                shared(&[format!("ICF{n}")]),
                shared(&[format!("ICIE{n}"), format!("TICIE{n}")]),
            ),
            edge: one(&format!("ICES{n}")),
            noise: one(&format!("ICNC{n}")),
            pin: pinout.pin(&format!("T{n}")),
            capture_pin: pinout.pin(&format!("ICP{n}")),
            prescaler_reset: names.bit(resets),
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
