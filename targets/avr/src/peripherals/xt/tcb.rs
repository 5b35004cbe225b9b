//! TCB: sixteen bits that measure, wait, or put out pulses.

use super::regs::{Asks, Regs, field};
use super::routes::Route;
use crate::peripherals::bus::{Bus, NOWHERE};
use crate::peripherals::lines::Pin;

const CAPT: u8 = 1;
const OVF: u8 = 2;
/// Of CTRLB.
const PIN_ON: u8 = 0x10;
const PIN_BEGINS: u8 = 0x20;
/// Of EVCTRL.
const CAPTEI: u8 = 0x01;
const EDGE: u8 = 0x10;

/// Modes.
const PERIODIC: u8 = 0;
const TIMEOUT: u8 = 1;
const CAPTURE: u8 = 2;
const FREQUENCY: u8 = 3;
const WIDTH: u8 = 4;
const BOTH: u8 = 5;
const SINGLE: u8 = 6;
const PWM: u8 = 7;

/// What CLKSEL chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clocking {
    Divide(u64),
    /// The clock of a TCA.
    Of(u8),
    Events,
}

/// A TCB.
#[derive(Clone, Debug)]
pub(super) struct Tcb {
    pub number: u8,
    registers: [u16; 7],
    enable: u8,
    clocking: u8,
    choices: Vec<(u8, Clocking)>,
    overflows: bool,
    vector: u8,
    route: Route,
    taken: Option<Pin>,
    count: u16,
    since: u64,
    runs: bool,
    level: bool,
    output: bool,
    /// Divisors of the TCAs now, as far as there are.
    pub others: [u64; 2],
    next: u64,
    pub happened: u8,
}

const CTRLA: usize = 0;
const CTRLB: usize = 1;
const EVCTRL: usize = 2;
const INTCTRL: usize = 3;
const INTFLAGS: usize = 4;
const CNT: usize = 5;
const CCMP: usize = 6;

impl Tcb {
    /// One by its number.
    pub fn of(regs: &Regs<'_>, number: u8) -> Option<Self> {
        let name = format!("TCB{number}");
        let at = |r: &str| regs.at(&format!("{name}_{r}"));
        let control = format!("{name}_CTRLA");
        let choice = |(n, v): (&str, u8)| {
            let digits: String = n.chars().filter(char::is_ascii_digit).collect();
            let clocking = match n {
                "EVENT" => Clocking::Events,
                _ if n.contains("TCA") => Clocking::Of(digits.parse().unwrap_or(0)),
                _ => Clocking::Divide(digits.parse().unwrap_or(1)),
            };
            (v, clocking)
        };
        (at("CCMP") != NOWHERE).then(|| Self {
            number,
            registers: [
                "CTRLA", "CTRLB", "EVCTRL", "INTCTRL", "INTFLAGS", "CNT", "CCMP",
            ]
            .map(at),
            enable: regs.mask(&control, "ENABLE"),
            clocking: regs.mask(&control, "CLKSEL"),
            choices: regs.list("TCB_CLKSEL").into_iter().map(choice).collect(),
            overflows: regs.mask(&format!("{name}_INTFLAGS"), "OVF") != 0,
            vector: regs.vector(&format!("{name}_INT")),
            route: Route::of(regs, &name),
            taken: None,
            count: 0,
            since: 0,
            runs: false,
            level: false,
            output: false,
            others: [1; 2],
            next: u64::MAX,
            happened: 0,
        })
    }

    pub fn registers(&self) -> Vec<u16> {
        // STATUS and TEMP lie between.
        (self.registers[CTRLA]..self.registers[CCMP] + 2).collect()
    }

    pub fn reset(&mut self, bus: &mut Bus) {
        (self.count, self.runs, self.next) = (0, false, u64::MAX);
        self.output = false;
        self.drive(bus);
    }

    fn get(&self, bus: &Bus, register: usize) -> u8 {
        bus.get(self.registers[register])
    }

    fn compare(&self, bus: &Bus) -> u16 {
        let at = self.registers[CCMP];
        u16::from_le_bytes([bus.get(at), bus.get(at + 1)])
    }

    fn set_compare(&self, bus: &mut Bus, value: u16) {
        let [low, high] = value.to_le_bytes();
        bus.put(self.registers[CCMP], low);
        bus.put(self.registers[CCMP] + 1, high);
    }

    fn mode(&self, bus: &Bus) -> u8 {
        self.get(bus, CTRLB) & 7
    }

    fn on(&self, bus: &Bus) -> bool {
        self.get(bus, CTRLA) & self.enable != 0
    }

    fn clocking(&self, bus: &Bus) -> Clocking {
        let value = field(self.get(bus, CTRLA), self.clocking);
        let found = self.choices.iter().find(|c| c.0 == value);
        found.map_or(Clocking::Divide(1), |c| c.1)
    }

    /// Clocks of a count; nothing where events are counted.
    fn divisor(&self, bus: &Bus) -> Option<u64> {
        match self.clocking(bus) {
            Clocking::Divide(n) => Some(n.max(1)),
            Clocking::Of(n) => Some(self.others[usize::from(n.min(1))]),
            Clocking::Events => None,
        }
    }

    /// Whether it counts without being told.
    fn always(&self, bus: &Bus) -> bool {
        matches!(self.mode(bus), PERIODIC | CAPTURE | FREQUENCY | PWM)
    }

    fn counting(&self, bus: &Bus) -> bool {
        self.on(bus) && (self.always(bus) || self.runs)
    }

    /// Brings the count to a clock within which nothing happens.
    pub fn advance(&mut self, bus: &Bus, now: u64) {
        match self.divisor(bus).filter(|_| self.counting(bus)) {
            Some(divisor) => {
                let counts = now.saturating_sub(self.since) / divisor;
                self.since += counts * divisor;
                self.count = self.count.wrapping_add(counts as u16);
            }
            None => self.since = now,
        }
    }

    /// Counts to what happens next.
    fn ahead(&self, bus: &Bus) -> u64 {
        let compare = self.compare(bus);
        let far = |to: u16| u64::from(to.wrapping_sub(self.count));
        match self.mode(bus) {
            PERIODIC => far(compare) + 1,
            SINGLE | TIMEOUT => far(compare).max(1),
            PWM => {
                let [period, duty] = compare.to_le_bytes();
                let low = self.count as u8;
                let turn = u64::from(period.wrapping_sub(low)) + 1;
                let change = u64::from(duty.wrapping_sub(low));
                if change > 0 { turn.min(change) } else { turn }
            }
            _ => far(0xffff) + 1,
        }
    }

    pub fn plan(&mut self, bus: &Bus) {
        self.next = match self.divisor(bus).filter(|_| self.counting(bus)) {
            Some(divisor) => self.since + self.ahead(bus) * divisor,
            None => u64::MAX,
        };
    }

    pub fn next(&self) -> u64 {
        self.next
    }

    pub fn event(&mut self, bus: &mut Bus, at: u64) {
        let ahead = self.ahead(bus);
        self.since = at;
        self.after(bus, ahead);
        self.plan(bus);
        self.drive(bus);
    }

    /// So many counts, with what happens at the last.
    fn after(&mut self, bus: &mut Bus, counts: u64) {
        let compare = self.compare(bus);
        match self.mode(bus) {
            PERIODIC => {
                self.count = 0;
                self.flag(bus, CAPT);
            }
            SINGLE => {
                self.count = compare;
                self.runs = false;
                self.output = false;
                self.flag(bus, CAPT);
            }
            TIMEOUT => {
                self.count = compare;
                self.flag(bus, CAPT);
            }
            PWM => {
                let [period, duty] = compare.to_le_bytes();
                let to = u64::from(self.count as u8) + counts;
                self.count = match to > u64::from(period) {
                    true => 0,
                    false => to as u16,
                };
                if self.count == 0 {
                    self.flag(bus, CAPT);
                }
                self.output = (self.count as u8) < duty;
            }
            _ => {
                self.count = 0;
                if self.overflows {
                    self.flag(bus, OVF);
                }
            }
        }
    }

    fn flag(&mut self, bus: &mut Bus, flag: u8) {
        let at = self.registers[INTFLAGS];
        bus.put(at, bus.get(at) | flag);
        self.happened |= flag;
    }

    /// An event that is counted.
    pub fn counted(&mut self, bus: &mut Bus) {
        if self.counting(bus) && self.divisor(bus).is_none() {
            match self.ahead(bus) {
                1 => self.after(bus, 1),
                _ => self.count = self.count.wrapping_add(1),
            }
            self.drive(bus);
        }
    }

    /// The level of its event input, or a pulse there.
    pub fn input(&mut self, bus: &mut Bus, level: bool, pulse: bool, now: u64) {
        let before = std::mem::replace(&mut self.level, level && !pulse);
        if !pulse && before == level || !self.on(bus) || self.get(bus, EVCTRL) & CAPTEI == 0 {
            return;
        }
        self.advance(bus, now);
        let falls = self.get(bus, EVCTRL) & EDGE != 0;
        let first = pulse || level != falls;
        self.edge(bus, first);
        self.plan(bus);
        self.drive(bus);
    }

    /// The edge that EDGE chooses, or the other one.
    fn edge(&mut self, bus: &mut Bus, first: bool) {
        let count = self.count;
        match self.mode(bus) {
            TIMEOUT => {
                self.runs = first;
                self.count = if first { 0 } else { count };
            }
            CAPTURE if first => {
                self.set_compare(bus, count);
                self.flag(bus, CAPT);
            }
            FREQUENCY if first => {
                self.set_compare(bus, count);
                self.count = 0;
                self.flag(bus, CAPT);
            }
            WIDTH if first => (self.count, self.runs) = (0, true),
            WIDTH if self.runs => {
                self.set_compare(bus, count);
                self.flag(bus, CAPT);
                self.runs = false;
            }
            BOTH if first && !self.runs && self.get(bus, INTFLAGS) & CAPT == 0 => {
                (self.count, self.runs) = (0, true);
            }
            BOTH if first && self.runs => {
                self.runs = false;
                self.flag(bus, CAPT);
            }
            BOTH if self.runs => self.set_compare(bus, count),
            SINGLE if first && !self.runs => {
                (self.count, self.runs, self.output) = (0, true, true);
            }
            _ => {}
        }
    }

    pub fn read(&mut self, bus: &mut Bus, address: u16, now: u64) -> u8 {
        self.advance(bus, now);
        let temp = self.registers[CNT] - 1;
        let [low, high] = self.count.to_le_bytes();
        match address {
            a if a == self.registers[CNT] => {
                bus.put(temp, high);
                low
            }
            a if a == self.registers[CCMP] => {
                bus.put(temp, bus.get(a + 1));
                if matches!(self.mode(bus), CAPTURE..=BOTH) {
                    // Reading what was captured clears its flag.
                    let at = self.registers[INTFLAGS];
                    bus.put(at, bus.get(at) & !CAPT);
                }
                bus.get(a)
            }
            a if a == self.registers[CNT] + 1 || a == self.registers[CCMP] + 1 => bus.get(temp),
            // STATUS.
            a if a == self.registers[INTFLAGS] + 1 => self.counting(bus).into(),
            a => bus.get(a),
        }
    }

    pub fn write(&mut self, bus: &mut Bus, address: u16, value: u8, now: u64) {
        self.advance(bus, now + 1);
        let temp = self.registers[CNT] - 1;
        match address {
            a if a == self.registers[INTFLAGS] => bus.put(a, bus.get(a) & !value),
            a if a == self.registers[CNT] || a == self.registers[CCMP] => bus.put(temp, value),
            a if a == self.registers[CNT] + 1 => {
                self.count = u16::from_le_bytes([bus.get(temp), value]);
            }
            a if a == self.registers[CCMP] + 1 => {
                let wide = u16::from_le_bytes([bus.get(temp), value]);
                self.set_compare(bus, wide);
            }
            a if a == self.registers[CTRLA] => {
                let was = self.on(bus);
                bus.put(a, value);
                if !was {
                    self.since = now + 1;
                    self.output =
                        self.mode(bus) != SINGLE && self.get(bus, CTRLB) & PIN_BEGINS != 0;
                }
            }
            a => bus.put(a, value),
        }
        self.plan(bus);
        self.drive(bus);
    }

    /// Gives its pin what it puts out.
    pub fn drive(&mut self, bus: &mut Bus) {
        let on = self.get(bus, CTRLB) & PIN_ON != 0;
        let pin = self.route.pins(bus)[0].filter(|_| on);
        if let Some(old) = self.taken.filter(|_| self.taken != pin) {
            bus.lines.override_value(old, None);
        }
        self.taken = pin;
        if let Some(pin) = pin {
            bus.lines.override_value(pin, Some(self.output));
        }
    }

    pub fn asks(&self, bus: &Bus) -> Asks {
        let mut asks = Asks::default();
        let on = self.get(bus, INTFLAGS) & self.get(bus, INTCTRL);
        asks.put(self.vector, on != 0);
        asks
    }
}
