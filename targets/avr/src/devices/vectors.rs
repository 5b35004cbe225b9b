//! The names of interrupts in AVR assembler: `TIMER0_OVF` is `OVF0addr` there.

use super::legacy::{self, SHORT_TIMERS, T2313};
use super::model::Device;

/// The names, without `addr`, of a vector of a classic part.
pub(super) fn avrasm_names(device: &Device, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    if name == "RESET" {
        return out;
    }
    let upper = name.to_ascii_uppercase();
    let family = legacy::family(device);
    if let Some((timer, event)) = timer(&upper) {
        match event {
            e if e.starts_with("CAPT") => out.push(format!("ICP{timer}")),
            e if e.starts_with("OVF") => out.push(format!("OVF{timer}")),
            e => {
                let channel = e.trim_start_matches("COMP").trim_start_matches("CMP");
                // `TIMER1_COMP1` of the oldest says its number twice.
                let channel = match channel == timer.to_string() {
                    true => "",
                    false => channel,
                };
                out.push(format!("OC{timer}{channel}"));
                if timer == 1 && channel == "A" && family & T2313 != 0 {
                    out.push(format!("OC{timer}"));
                }
            }
        }
    } else if let Some((unit, event)) = usart(&upper) {
        out.extend(usart_names(device, unit, event));
    } else if let Some(rest) = upper.strip_prefix("PCINT") {
        out.push(format!("PCI{}", rest.trim_start_matches('_')));
        if rest == "_B" {
            out.push("PCI".to_owned());
        }
    } else {
        let known: &[&str] = match upper.as_str() {
            "LOWLEVEL_IO_PINS" => &["PCI0", "LLINT"],
            "IO_PINS" | "IO_PIN" => &["PCI0"],
            "EE_RDY" | "EE_READY" | "EEPROM_READY" => &["ERDY"],
            "ANA_COMP" | "ANALOG_COMP" | "ANA_COMP0" => &["ACI"],
            "ADC" | "ADC_ADC" => &["ADCC"],
            "SPI_STC" | "SPI" => &["SPI"],
            "SPM_RDY" | "SPM_READY" => &["SPMR"],
            "TWI" | "TWI_SLAVE" | "TWSI" => &["TWI"],
            "TWI_BUS_CD" => &["TWICD"],
            "LCD" | "LCD_START" => &["LCDSF"],
            "WDT" | "WATCHDOG" if family & SHORT_TIMERS != 0 => &["WATCHDOG"],
            "WDT" | "WDT_OVERFLOW" => &["WDT"],
            "USI_OVF" | "USI_OVERFLOW" => &["USI_OVF"],
            "USI_STR" => &["USI_STR"],
            "USI_START" | "USI_STRT" => &["USI_START"],
            "EXT_INT0" => &["EXT_INT0"],
            "CCADC_ACC" => &["CADAC"],
            "CCADC_CONV" => &["CADIC"],
            "CCADC_REG_CUR" => &["CADRC"],
            "WAKE_UP" | "WAKEUP" => &["WUT"],
            _ => &[],
        };
        out.extend(known.iter().map(|s| (*s).to_owned()));
        if out.is_empty() {
            out.push(name.to_owned());
        }
    }
    out
}

/// The names of a vector of a USART.
fn usart_names(device: &Device, unit: Option<&str>, event: &str) -> Vec<String> {
    let event = match event {
        "UDRE" | "DRE" => "UDRE",
        "TX" | "TXC" => "UTXC",
        "RX" | "RXC" => "URXC",
        "START" | "RXS" => "URXS",
        other => other,
    };
    // Some with a single one have both names.
    let both = match unit {
        None => {
            legacy::family(device) & T2313 != 0
                || matches!(device.name, "ATmega3250" | "ATmega3290")
        }
        Some(unit) => unit == "0" && !has_unit(device, "1"),
    };
    let numbered = format!("{event}{}", unit.unwrap_or("0"));
    match unit {
        _ if both => vec![numbered, event.to_owned()],
        None => vec![event.to_owned()],
        Some(_) => vec![numbered],
    }
}

/// `TIMER1_COMPA`, `TIM0_OVF`: the number and the event.
fn timer(name: &str) -> Option<(u32, &str)> {
    let rest = name.strip_prefix("TIM")?;
    let rest = rest.strip_prefix("ER").unwrap_or(rest);
    let (number, event) = rest.split_once('_')?;
    let event = event.trim_start_matches('_');
    (event.starts_with("CAPT")
        || event.starts_with("OVF")
        || event.starts_with("COMP")
        || event.starts_with("CMP"))
    .then_some((number.parse().ok()?, event))
}

/// `USART0_RX`, `UART_TX`, `USART_UDRE`: the number, when there is one, and the event.
fn usart(name: &str) -> Option<(Option<&str>, &str)> {
    let rest = name.strip_prefix("USART").or(name.strip_prefix("UART"))?;
    let (unit, event) = rest.split_once('_')?;
    let event = event.trim_start_matches('_');
    match unit {
        "" => Some((None, event)),
        _ if unit.bytes().all(|b| b.is_ascii_digit()) => Some((Some(unit), event)),
        _ => None,
    }
}

fn has_unit(device: &Device, unit: &str) -> bool {
    device
        .vectors
        .iter()
        .any(|v| usart(v.name).is_some_and(|u| u.0 == Some(unit)))
}
