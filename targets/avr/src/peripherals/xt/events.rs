//! The event system: which channel has which generator, and which channel a user has, by the
//! names that the device's data have for the values. Pins, overflows, compare matches,
//! captures and strobes of the program are generators; users are TCA, TCB and output pins.

use super::regs::Regs;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::{PORTS, Pin};

/// Where an event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Generator {
    Pin(Pin),
    /// The pin that a register of the port chooses, with the mask of that choice.
    Chosen(u8, u16, u8),
    /// A TCA and the flag of what happened.
    Tca(u8, u8),
    Tcb(u8, u8),
    Rtc(u8),
}

/// Where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum User {
    Tca(u8),
    /// Capture, and count.
    Tcb(u8),
    TcbCount(u8),
    /// An output, and the one that stands for it.
    Output(Pin),
}

/// What arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Pulse,
    Level(bool),
}

#[derive(Clone, Debug)]
struct Channel {
    register: u16,
    name: String,
    generators: Vec<(u8, Generator)>,
}

/// A register that chooses a channel: what each of its values chooses, and for whom.
#[derive(Clone, Debug)]
struct Chooser {
    register: u16,
    values: Vec<(u8, usize)>,
    user: User,
}

/// All channels and users.
#[derive(Clone, Debug)]
pub(super) struct Events {
    channels: Vec<Channel>,
    users: Vec<Chooser>,
    /// Registers of strobes, and the first channel of each.
    strobes: Vec<(u16, usize)>,
    outputs: Vec<Pin>,
}

impl Events {
    pub fn of(regs: &Regs<'_>) -> Self {
        let mut all = Self {
            channels: Vec::new(),
            users: Vec::new(),
            strobes: Vec::new(),
            outputs: Vec::new(),
        };
        for (prefix, count) in [("SYNCCH", 2), ("ASYNCCH", 4), ("CHANNEL", 10)] {
            for n in 0..count {
                let name = format!("{prefix}{n}");
                let register = regs.at(&format!("EVSYS_{name}"));
                if register == NOWHERE {
                    continue;
                }
                let own = regs.list(&format!("EVSYS_{name}"));
                let lists = ["EVSYS_GENERATOR", "EVSYS_CHANNEL"].map(|l| regs.list(l));
                let list = [own, lists[0].clone(), lists[1].clone()];
                let list = list.into_iter().find(|l| !l.is_empty()).unwrap_or_default();
                let found = list.into_iter();
                let found = found.filter_map(|(g, v)| Some((v, generator(regs, g, n)?)));
                all.channels.push(Channel {
                    register,
                    generators: found.collect(),
                    name,
                });
            }
        }
        for (name, at) in regs.of_instance("EVSYS") {
            if let Some(user) = user(name) {
                let values = all.values(regs, name);
                all.users.push(Chooser {
                    register: at,
                    values,
                    user,
                });
            }
        }
        let first = |name: &str| {
            all.channels
                .iter()
                .position(|c| c.name == name)
                .unwrap_or(0)
        };
        let strobes = [
            ("STROBE", "CHANNEL0"),
            ("SWEVENTA", "CHANNEL0"),
            ("SWEVENTB", "CHANNEL8"),
            ("SYNCSTROBE", "SYNCCH0"),
            ("ASYNCSTROBE", "ASYNCCH0"),
        ];
        let strobes = strobes.map(|(r, c)| (regs.at(&format!("EVSYS_{r}")), first(c)));
        all.strobes = strobes.into_iter().filter(|s| s.0 != NOWHERE).collect();
        all
    }

    /// The channel of each value of a user's register.
    fn values(&self, regs: &Regs<'_>, name: &str) -> Vec<(u8, usize)> {
        let lists = [
            format!("EVSYS_{name}"),
            "EVSYS_USER".into(),
            "EVSYS_CHANNEL".into(),
        ];
        let mut found = lists.iter().map(|l| regs.list(l));
        let list = found.find(|l| l.iter().any(|(n, _)| self.named(n).is_some()));
        let list = list.unwrap_or_default().into_iter();
        list.filter_map(|(n, v)| Some((v, self.named(n)?)))
            .collect()
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.channels.iter().position(|c| c.name == name)
    }

    pub fn registers(&self) -> Vec<u16> {
        self.strobes.iter().map(|s| s.0).collect()
    }

    /// Users of a channel.
    fn users_of(&self, bus: &Bus, channel: usize) -> Vec<User> {
        let users = self.users.iter().filter(|u| {
            let value = bus.get(u.register);
            value > 0 && u.values.contains(&(value, channel))
        });
        users.map(|u| u.user).collect()
    }

    /// Users of a generator now.
    pub fn of_generator(&self, bus: &Bus, from: Generator) -> Vec<User> {
        let mut out = Vec::new();
        for (n, c) in self.channels.iter().enumerate() {
            let value = bus.get(c.register);
            if value > 0 && c.generators.contains(&(value, from)) {
                out.extend(self.users_of(bus, n));
            }
        }
        out
    }

    /// What pins that changed are for users.
    pub fn of_pins(&self, bus: &Bus, changed: &[u8; PORTS]) -> Vec<(User, Signal)> {
        let mut out = Vec::new();
        for (n, c) in self.channels.iter().enumerate() {
            let value = bus.get(c.register);
            let found = c.generators.iter().find(|g| value > 0 && g.0 == value);
            let pin = match found.map(|g| g.1) {
                Some(Generator::Pin(pin)) => pin,
                Some(Generator::Chosen(port, register, mask)) => {
                    let bit = super::regs::field(bus.get(register), mask) & 7;
                    Pin { port, bit }
                }
                _ => continue,
            };
            if changed[usize::from(pin.port)] & pin.mask() != 0 {
                let level = Signal::Level(bus.lines.level(pin));
                out.extend(self.users_of(bus, n).into_iter().map(|u| (u, level)));
            }
        }
        out
    }

    /// Users of the channels that a strobe names.
    pub fn strobed(&self, bus: &Bus, address: u16, value: u8) -> Vec<User> {
        let Some(&(_, first)) = self.strobes.iter().find(|s| s.0 == address) else {
            return Vec::new();
        };
        let channels = (0..8).filter(|n| value >> n & 1 == 1);
        let users = channels.map(|n| self.users_of(bus, first + n));
        users.flatten().collect()
    }

    /// An output gets a level.
    pub fn put_out(&mut self, bus: &mut Bus, pin: Pin, level: bool) {
        bus.lines.override_value(pin, Some(level));
        if !self.outputs.contains(&pin) {
            self.outputs.push(pin);
        }
    }

    /// Outputs that nobody drives any more are let go.
    pub fn renew(&mut self, bus: &mut Bus) {
        let driven = |pin: &Pin| {
            let mut own = self.users.iter().filter(|u| u.user == User::Output(*pin));
            own.any(|u| bus.get(u.register) > 0)
        };
        let (keep, gone): (Vec<Pin>, Vec<Pin>) = self.outputs.iter().partition(|p| driven(p));
        self.outputs = keep;
        for pin in gone {
            bus.lines.override_value(pin, None);
        }
    }
}

/// What a value of a channel's register means.
fn generator(regs: &Regs<'_>, name: &str, channel: usize) -> Option<Generator> {
    let (unit, rest) = name.split_once('_').unwrap_or((name, "CAPT"));
    let number = |prefix: &str| unit.strip_prefix(prefix)?.parse::<u8>().ok();
    if unit == "RTC" {
        return match rest {
            "OVF" => Some(Generator::Rtc(1)),
            "CMP" => Some(Generator::Rtc(2)),
            _ => None,
        };
    }
    if let Some(n) = number("TCA") {
        let flag = match rest {
            "OVF_LUNF" | "OVF" => 0x01,
            "HUNF" => 0x02,
            _ => 0x10 << rest.strip_prefix("CMP")?.chars().next()?.to_digit(10)?,
        };
        return Some(Generator::Tca(n, flag));
    }
    if let Some(n) = number("TCB") {
        return Some(Generator::Tcb(n, if rest == "OVF" { 2 } else { 1 }));
    }
    let port = match *unit.strip_prefix("PORT")?.as_bytes() {
        [letter @ b'A'..=b'G'] => letter - b'A',
        // Of each pair of channels the ports are two others.
        [digit @ b'0'..=b'1'] => (channel / 2 * 2) as u8 + digit - b'0',
        _ => return None,
    };
    if let Some(bit) = rest.strip_prefix("PIN") {
        let bit = bit.parse().ok()?;
        return Some(Generator::Pin(Pin { port, bit }));
    }
    let which = rest.strip_prefix("EVGEN").or(rest.strip_prefix("EV"))?;
    let register = format!("PORT{}_EVGENCTRLA", char::from(b'A' + port));
    let mask = regs.mask(&register, &format!("EVGEN{which}SEL"));
    Some(Generator::Chosen(port, regs.at(&register), mask))
}

/// Who a user's register belongs to.
fn user(name: &str) -> Option<User> {
    // tinyAVR 0 and 1 have numbers.
    let name = match name {
        "SYNCUSER0" => "TCA0",
        "ASYNCUSER0" => "TCB0",
        "ASYNCUSER11" => "TCB1",
        "ASYNCUSER8" => "EVOUTA",
        "ASYNCUSER9" => "EVOUTB",
        "ASYNCUSER10" => "EVOUTC",
        _ => name.strip_prefix("USER")?,
    };
    let name = name.strip_prefix("EVSYS").unwrap_or(name);
    let digit = |rest: &str| rest.chars().next()?.to_digit(10).map(|d| d as u8);
    if let Some(rest) = name.strip_prefix("TCA") {
        return (!rest.ends_with("CNTB")).then_some(User::Tca(digit(rest)?));
    }
    if let Some(rest) = name.strip_prefix("TCB") {
        let n = digit(rest)?;
        return Some(match rest.ends_with("COUNT") {
            true => User::TcbCount(n),
            false => User::Tcb(n),
        });
    }
    match *name.strip_prefix("EVOUT")?.as_bytes() {
        [letter @ b'A'..=b'G'] => Some(User::Output(Pin {
            port: letter - b'A',
            bit: 2,
        })),
        _ => None,
    }
}
