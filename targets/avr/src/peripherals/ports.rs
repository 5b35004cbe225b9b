//! The ports of the XMEGA and its successors: modules at any address, with registers that
//! set, clear or toggle bits of others, and a register for each pin.

use super::lines::{PORTS, Pin};
use super::{Peripherals, Reg};
use crate::devices::{Core, Device};

/// What a write does to the bits that are one in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strobe {
    /// Makes them one.
    Set,
    /// Makes them zero.
    Clear,
    /// Turns them over.
    Toggle,
}

impl Strobe {
    fn of(self, old: u8, bits: u8) -> u8 {
        match self {
            Self::Set => old | bits,
            Self::Clear => old & !bits,
            Self::Toggle => old ^ bits,
        }
    }
}

/// Bits 3 to 5 of an XMEGA's PINnCTRL for a pull-up, and for a wired and with one. Its
/// pull-downs need nothing: a line that nobody drives reads low.
const UP: [u8; 2] = [3, 7];
/// PULLUPEN of its successors.
const PULLUPEN: u8 = 1 << 3;

/// What the registers of ports are by their names, with the data address of each.
pub(super) fn registers(device: &Device) -> Vec<(u16, Reg)> {
    let newer = device.core == Core::AvrXt;
    let all = device.registers();
    let named = all.iter().filter_map(|placed| {
        let (module, register) = placed.name.split_once('_')?;
        // An XMEGA's virtual ports stand for those that PORTCFG chooses.
        let letter = match module.strip_prefix("VPORT") {
            Some(letter) => letter,
            None => module.strip_prefix("PORT")?,
        };
        let &[letter @ b'A'..=b'Z'] = letter.as_bytes() else {
            return None;
        };
        let port = letter - b'A';
        (usize::from(port) < PORTS).then_some(())?;
        let reg = match register {
            "DIR" => Reg::Direction(port),
            "OUT" => Reg::Port(port),
            "IN" if newer => Reg::Pin(port),
            "IN" => Reg::Levels(port),
            "DIRSET" => Reg::StrobeDirection(port, Strobe::Set),
            "DIRCLR" => Reg::StrobeDirection(port, Strobe::Clear),
            "DIRTGL" => Reg::StrobeDirection(port, Strobe::Toggle),
            "OUTSET" => Reg::StrobePort(port, Strobe::Set),
            "OUTCLR" => Reg::StrobePort(port, Strobe::Clear),
            "OUTTGL" => Reg::StrobePort(port, Strobe::Toggle),
            _ => {
                let bit = register.strip_prefix("PIN")?.strip_suffix("CTRL")?;
                let bit = bit.parse().ok().filter(|&b: &u8| b < 8)?;
                Reg::PinControl(Pin { port, bit })
            }
        };
        Some((u16::try_from(placed.address).ok()?, reg))
    });
    named.collect()
}

impl Peripherals {
    /// Writes DIRSET and its like.
    pub(super) fn strobe_direction(&mut self, port: u8, strobe: Strobe, bits: u8) {
        let lines = &mut self.bus.lines;
        let new = strobe.of(lines.direction(port), bits & lines.pins(port));
        lines.set_direction(port, new);
    }

    /// Writes OUTSET and its like.
    pub(super) fn strobe_port(&mut self, port: u8, strobe: Strobe, bits: u8) {
        let lines = &mut self.bus.lines;
        let new = strobe.of(lines.port(port), bits & lines.pins(port));
        lines.set_port(port, new);
    }

    /// Takes the pull-up of a pin from its PINnCTRL.
    pub(super) fn pin_control(&mut self, pin: Pin, value: u8) {
        let up = match self.modern {
            true => value & PULLUPEN != 0,
            false => UP.contains(&(value >> 3 & 7)),
        };
        let own = self.bus.lines.own_pull_ups(pin.port).get_or_insert(0);
        *own = *own & !(1 << pin.bit) | u8::from(up) << pin.bit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Space;
    use crate::sim::{Clock, Io};

    /// A device that runs nothing, and its registers.
    struct Chip {
        device: &'static Device,
        io: Peripherals,
        now: u64,
    }

    impl Chip {
        fn new(name: &str) -> Self {
            let device = crate::devices::find(name).expect("a device");
            Self {
                device,
                io: Peripherals::new(device, 8_000_000),
                now: 10,
            }
        }

        fn address(&self, name: &str) -> u16 {
            let all = self.device.registers_in(Space::Data);
            let found = all.iter().find(|p| p.name == name);
            found.expect("a register").address as u16
        }

        fn write(&mut self, name: &str, value: u8) {
            self.now += 10;
            let address = self.address(name);
            self.io.write(address, value, &mut Clock::at(self.now));
        }

        fn read(&mut self, name: &str) -> u8 {
            self.now += 10;
            let address = self.address(name);
            self.io.read(address, &mut Clock::at(self.now))
        }
    }

    #[test]
    fn strobes_change_what_they_name_and_read_as_it() {
        for name in ["ATtiny817", "ATxmega128A1", "AVR128DB48", "ATmega4809"] {
            let mut c = Chip::new(name);
            c.write("PORTC_DIR", 0x0f);
            c.write("PORTC_DIRSET", 0x30);
            c.write("PORTC_DIRCLR", 0x01);
            c.write("PORTC_DIRTGL", 0x06);
            assert_eq!(c.read("PORTC_DIR"), 0x38, "{name}");
            c.write("PORTC_OUT", 0xf0);
            c.write("PORTC_OUTSET", 0x01);
            c.write("PORTC_OUTCLR", 0x10);
            c.write("PORTC_OUTTGL", 0x28);
            for register in ["OUT", "OUTSET", "OUTCLR", "OUTTGL"] {
                assert_eq!(c.read(&format!("PORTC_{register}")), 0xc9, "{name}");
            }
            for register in ["DIRSET", "DIRCLR", "DIRTGL"] {
                assert_eq!(c.read(&format!("PORTC_{register}")), 0x38, "{name}");
            }
            // What is driven, and nothing by OUT where the pin is an input.
            assert_eq!(c.read("PORTC_IN"), 0x08, "{name}");
        }
    }

    #[test]
    fn a_one_to_in_turns_a_pin_over_where_the_part_does_that() {
        for (name, toggles) in [("ATtiny817", true), ("ATxmega128A1", false)] {
            let mut c = Chip::new(name);
            c.write("PORTB_DIR", 0xff);
            c.write("PORTB_IN", 0x05);
            assert_eq!(c.read("PORTB_OUT"), if toggles { 5 } else { 0 }, "{name}");
        }
        let mut c = Chip::new("ATtiny817");
        c.write("VPORTB_DIR", 0xff);
        c.write("VPORTB_OUT", 0x81);
        let (address, now) = (c.address("VPORTB_IN"), c.now);
        c.io.set_bit(address, 0, true, &mut Clock::at(now + 5));
        assert_eq!(c.read("PORTB_OUT"), 0x80);
        assert_eq!(c.read("PORTB_DIR"), 0xff);
    }

    #[test]
    fn pull_ups_are_those_of_the_pin() {
        for (name, up, other) in [("ATtiny817", 0x08, 0x80), ("ATxmega128A1", 0x18, 0x10)] {
            let mut c = Chip::new(name);
            c.write("PORTB_OUT", 0xff);
            assert_eq!(c.read("PORTB_IN"), 0, "{name}");
            c.write("PORTB_PIN3CTRL", up);
            assert_eq!(c.read("PORTB_IN"), 8, "{name}");
            assert_eq!(c.read("PORTB_PIN3CTRL"), up, "{name}");
            c.write("PORTB_PIN3CTRL", other);
            assert_eq!(c.read("PORTB_IN"), 0, "{name}");
        }
    }
}
