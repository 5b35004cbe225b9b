//! Which flag and which enabling bit belong to a vector, by the vector's name.

use super::bus::{Bit, Source};
use super::external::{change_bits, external_bits};
use super::names::Names;
use super::timer::Timer;
use super::usart::Usart;

/// Bits that are in no register: flags of what has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hidden {
    pub eeprom: Bit,
    pub external: Bit,
}

/// Interrupts of units.
pub(super) struct Units<'a> {
    pub names: &'a Names,
    pub hidden: Hidden,
    pub timers: &'a [Timer],
    /// By number.
    pub usarts: &'a [(u8, Usart)],
}

impl Units<'_> {
    /// The source for a vector, where this simulator has it.
    pub fn source(&self, vector: u8, name: &str) -> Option<Source> {
        let (flag, enable, clears) = self.bits(&name.to_ascii_uppercase())?;
        (flag.exists() && enable.exists()).then_some(Source {
            vector,
            flag,
            enable,
            clears,
        })
    }

    /// Flag, enabling bit, and whether the flag goes when the interrupt is taken.
    fn bits(&self, name: &str) -> Option<(Bit, Bit, bool)> {
        if let Some(n) = name.trim_start_matches("EXT_").strip_prefix("INT") {
            let (flag, enable) = external_bits(self.names, n.parse().ok()?);
            let flag = match flag.exists() {
                true => flag,
                false => self.hidden.external,
            };
            return Some((flag, enable, true));
        }
        if let Some(rest) = name.strip_prefix("PCINT") {
            let group = match rest {
                "" | "_B" => 0,
                "_A" => 1,
                "_D" => 2,
                n => n.parse().ok()?,
            };
            let (flag, enable) = change_bits(self.names, group);
            return Some((flag, enable, true));
        }
        if let Some(rest) = name.strip_prefix("TIM") {
            return self.timer_bits(rest);
        }
        if let Some(rest) = name.strip_prefix("USART").or(name.strip_prefix("UART")) {
            return self.usart_bits(rest);
        }
        self.other_bits(name)
    }

    /// Of a vector `TIMER1_OVF`, `TIM0_COMPA`, without its `TIM`.
    fn timer_bits(&self, rest: &str) -> Option<(Bit, Bit, bool)> {
        let (number, event) = rest.trim_start_matches("ER").split_once('_')?;
        let number: u8 = number.parse().ok()?;
        let timer = self.timers.iter().find(|t| t.number == number)?;
        let event = event.trim_start_matches('_');
        let event = match event {
            "COMP" | "CMP" => "COMPA",
            "CMPA" => "COMPA",
            "CMPB" => "COMPB",
            "OVF0" | "OVF1" => "OVF",
            "CAPT1" => "CAPT",
            other => other,
        };
        let all = timer.sources();
        let (_, flag, enable) = all.into_iter().find(|(n, ..)| *n == event)?;
        Some((flag, enable, true))
    }

    /// Of a vector `USART0_RX`, `UART_UDRE`, without its `USART`.
    fn usart_bits(&self, rest: &str) -> Option<(Bit, Bit, bool)> {
        let (number, event) = rest.split_once('_')?;
        let event = event.trim_start_matches('_');
        let number = if number.is_empty() {
            0
        } else {
            number.parse().ok()?
        };
        let mut list = self.usarts.iter();
        // The only USART may have a number that its vectors lack.
        let (_, usart) = list
            .clone()
            .find(|(n, _)| *n == number)
            .or_else(|| list.next())?;
        let [rxc, udre, txc] = usart.flags();
        let enable = |stem: &str| {
            let numbered = format!("{stem}{number}");
            self.names.bit(&[&numbered, stem])
        };
        match event {
            "RX" | "RXC" => Some((rxc, enable("RXCIE"), false)),
            "UDRE" | "DRE" => Some((udre, enable("UDRIE"), false)),
            "TX" | "TXC" => Some((txc, enable("TXCIE"), true)),
            _ => None,
        }
    }

    /// Of a unit that there is once.
    fn other_bits(&self, name: &str) -> Option<(Bit, Bit, bool)> {
        let bit = |list: &[&str]| self.names.bit(list);
        Some(match name {
            "EE_RDY" | "EE_READY" | "EEPROM_READY" | "EERDY" => {
                (self.hidden.eeprom, bit(&["EERIE"]), false)
            }
            "ADC" | "ADC_ADC" => (bit(&["ADIF"]), bit(&["ADIE"]), true),
            "ANA_COMP" | "ANALOG_COMP" => (bit(&["ACI"]), bit(&["ACIE"]), true),
            "SPI_STC" | "SPI" | "SPI__STC" => {
                (bit(&["SPIF", "SPIF0"]), bit(&["SPIE", "SPIE0"]), true)
            }
            "WDT" | "WDT_OVERFLOW" => (bit(&["WDIF", "WDTIF"]), bit(&["WDIE", "WDTIE"]), true),
            "USI_START" | "USI_STRT" | "USI_STR" => (bit(&["USISIF"]), bit(&["USISIE"]), false),
            "USI_OVF" | "USI_OVERFLOW" => (bit(&["USIOIF"]), bit(&["USIOIE"]), false),
            "TWI" | "TWSI" => (bit(&["TWINT"]), bit(&["TWIE"]), false),
            _ => return None,
        })
    }
}
