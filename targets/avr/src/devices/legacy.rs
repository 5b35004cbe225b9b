//! Older names of registers and bits in AVR assembler.
//!
//! Parts that took the place of an AT90S, or of another part of the same pins, keep the
//! names of their predecessor beside their own: the ATmega8 has `USR` for UCSRA. Which
//! part keeps what depends on the family, so that a program that asks with `.ifdef` which
//! of two names there is gets the answer that it expects.

use super::model::Device;

/// Families that keep names, each a bit.
const M8: u32 = 1 << 0;
const M16: u32 = 1 << 1;
const M64: u32 = 1 << 2;
const M162: u32 = 1 << 3;
const M8515: u32 = 1 << 4;
const LCD: u32 = 1 << 5;
const M48: u32 = 1 << 6;
const M640: u32 = 1 << 7;
const M644: u32 = 1 << 8;
const M161: u32 = 1 << 9;
const M163: u32 = 1 << 10;
const M103: u32 = 1 << 11;
const T13: u32 = 1 << 12;
const T24: u32 = 1 << 13;
const T25: u32 = 1 << 14;
const T26: u32 = 1 << 15;
pub(super) const T2313: u32 = 1 << 16;
const T48: u32 = 1 << 17;
const T20: u32 = 1 << 18;
const S: u32 = 1 << 19;
const PWM: u32 = 1 << 20;
const T15: u32 = 1 << 21;

/// The megas that took the place of an AT90S.
const HEIRS: u32 = M8 | M16 | M64 | M162 | M8515;
/// Those of them with the two-wire interface, whose first name was I2C.
const WIRE: u32 = M8 | M16 | M64 | M8515;
/// The second generation of megas.
const NEWER: u32 = M48 | M640 | M644;

/// The family of a part, by the number in its name; 0 when it keeps no names.
pub(super) fn family(device: &Device) -> u32 {
    let number = |prefix: &str| {
        let rest = device.name.strip_prefix(prefix)?;
        let digits = rest.find(|c: char| !c.is_ascii_digit());
        let (digits, suffix) = rest.split_at(digits.unwrap_or(rest.len()));
        // A, P, PA, PB and V are the same part again; U4 or RFR2 is another.
        ["", "A", "P", "PA", "PB", "V"]
            .contains(&suffix)
            .then(|| digits.parse::<u32>().ok())?
    };
    if let Some(number) = number("ATmega") {
        return match number {
            8 => M8,
            16 | 32 => M16,
            64 | 128 => M64,
            162 => M162,
            8515 | 8535 => M8515,
            165 | 169 | 325 | 329 | 645 | 649 | 3250 | 3290 | 6450 | 6490 => LCD,
            48 | 88 | 168 | 328 => M48,
            640 | 1280 | 1281 | 2560 | 2561 => M640,
            164 | 324 | 644 | 1284 => M644,
            161 => M161,
            163 | 323 => M163,
            103 => M103,
            _ => 0,
        };
    }
    if let Some(number) = number("ATtiny") {
        return match number {
            13 => T13,
            24 | 44 | 84 => T24,
            25 | 45 | 85 => T25,
            26 => T26,
            2313 | 4313 => T2313,
            48 | 88 => T48,
            20 | 40 => T20,
            11 | 12 | 15 | 22 => T15,
            _ => 0,
        };
    }
    if device.name.starts_with("AT90S") {
        S
    } else if device.name.starts_with("AT90PWM") {
        PWM
    } else {
        0
    }
}

/// The older name, the name that it stands for, and the families that have both.
pub(super) const NAMES: &[(&str, &str, u32)] = &[
    // Watchdog.
    (
        "WDTCR",
        "WDTCSR",
        M8 | M64 | M162 | M8515 | LCD | T25 | T26 | T2313,
    ),
    (
        "WDTCSR",
        "WDTCR",
        M8 | M64 | M162 | M8515 | LCD | T25 | T26 | T2313,
    ),
    (
        "WDTOE",
        "WDCE",
        M8 | M64 | M162 | M8515 | LCD | T25 | T26 | T2313,
    ),
    ("WDDE", "WDTOE", M16 | M161 | M163 | M103 | S | T15),
    // Self-programming.
    ("SPMCR", "SPMCSR", M16 | M64 | LCD | PWM),
    ("SPMEN", "SELFPRGEN", T13 | T24 | T25 | T2313),
    ("SELFPRGEN", "SPMEN", M48 | T13 | T24 | T25 | T2313),
    ("ASB", "RWWSB", M16 | M64 | M162 | M8515 | LCD | PWM),
    ("ASRE", "RWWSRE", M16 | M64 | M162 | M8515 | LCD | PWM),
    // Interrupts and sleep.
    ("GICR", "GIMSK", HEIRS | M163 | T13 | T24 | T25),
    ("GIMSK", "GICR", HEIRS | M163 | T13 | T24 | T25),
    ("GICR", "EIMSK", M64 | M162),
    ("GIMSK", "EIMSK", M64 | M162),
    ("GIFR", "EIFR", M64 | T2313),
    ("EIFR", "GIFR", M64 | T2313),
    ("EIMSK", "GICR", M162),
    ("EIMSK", "GIMSK", T2313),
    ("MCUSR", "MCUCSR", M8 | M16 | M162 | M8515),
    ("MCUCSR", "MCUSR", M8 | M16 | M162 | M8515),
    ("EXTREF", "EXTRF", M16 | M48 | M163 | M103 | T48),
    ("SM", "SM0", T2313),
    ("SM", "SM1", M162),
    ("JDT", "JTD", M162),
    ("SRW", "SRW10", M162),
    // EEPROM.
    ("EEWE", "EEPE", M48 | T13 | T2313 | T48),
    ("EEMWE", "EEMPE", M48 | T13 | T2313 | T48),
    ("EEPE", "EEWE", M48 | T13 | T2313 | T48),
    ("EEMPE", "EEMWE", M48 | T13 | T2313 | T48),
    ("EEWEE", "EEMWE", M8 | M16 | M162 | M8515 | M161 | M163),
    // Analogue.
    ("ADCSR", "ADCSRA", M8 | M64 | M163 | T26),
    ("ADCSRA", "ADCSR", M8 | M64 | M163 | T26),
    ("ADFR", "ADATE", M16 | M64 | M8515),
    ("AINBG", "ACBG", M162 | M8515 | T13 | T24 | T25),
    ("ACBG", "AINBG", M162 | M8515 | M163 | T13 | T24 | T25),
    // Serial.
    ("USR", "UCSRA", M8 | M16 | LCD | M163 | T2313),
    ("UCR", "UCSRB", M8 | M16 | LCD | M163 | T2313),
    ("CHR9", "UCSZ2", M8 | M16 | M8515 | M163 | T2313),
    ("CHR91", "UCSZ12", M162),
    ("UCSZ2", "UCSZ02", M64 | M162 | LCD),
    ("UBRR", "UBRRL", LCD | T2313),
    ("UBRRHI", "UBRRH", M8 | M16 | M163),
    ("UBRR0", "UBRR0L", M162 | LCD),
    ("UBRR1", "UBRR1L", M162),
    ("PE", "UPE", M8 | M16 | M8515 | M163 | T2313),
    ("UMSEL", "UMSEL0", M162 | LCD),
    ("UMSEL0", "UMSEL00", NEWER),
    ("UMSEL1", "UMSEL01", NEWER),
    ("UCPHA0", "UCSZ00", NEWER),
    ("UDORD0", "UCSZ01", NEWER),
    ("UCPHA1", "UCSZ10", M640),
    ("UDORD1", "UCSZ11", M640),
    // Timers.
    ("CTC0", "WGM01", M16 | M64 | M162 | M8515),
    ("PWM0", "WGM00", M16 | M64 | M162 | M8515),
    ("CTC2", "WGM21", HEIRS),
    ("PWM2", "WGM20", HEIRS),
    ("CTC1", "WGM12", M8 | M16 | M8515 | M644 | T24 | T2313),
    ("CTC10", "WGM12", HEIRS | T20),
    ("CTC11", "WGM13", HEIRS | T20),
    ("PWM10", "WGM10", HEIRS | M644 | T24 | T2313 | T20),
    ("PWM11", "WGM11", HEIRS | M644 | T24 | T2313 | T20),
    ("PWM30", "WGM30", M64),
    ("PWM31", "WGM31", M64),
    ("CTC30", "WGM32", M64),
    ("CTC31", "WGM33", M64),
    ("PSR10", "PSRSYNC", NEWER | T48 | PWM),
    ("PSR2", "PSRASY", NEWER),
    ("PSR10", "PSR310", M162 | LCD),
    ("PSR0", "PSR10", M162 | LCD),
    ("PSR1", "PSR10", M162 | LCD),
    ("PSR3", "PSR10", LCD),
    ("PSR310", "PSR10", M162 | LCD),
    ("PSR1", "PSR321", M64),
    ("PSR2", "PSR321", M64),
    ("PSR3", "PSR321", M64),
    ("TCCR0", "TCCR0B", T2313),
    ("TICIE", "ICIE1", T2313),
    ("SFIOR", "GTCCR", T2313),
    ("TOIE2A", "TOIE2", NEWER),
    ("DTPS", "DTPS1", T25),
    ("DTPS0", "DTPS10", T25),
    // Debugging.
    ("IDRD", "OCDR7", M16 | M64 | M162 | LCD | M640 | M644),
    // Two wires.
    ("I2BR", "TWBR", WIRE),
    ("I2CR", "TWCR", WIRE),
    ("I2SR", "TWSR", WIRE),
    ("I2DR", "TWDR", WIRE),
    ("I2AR", "TWAR", WIRE),
    ("I2IE", "TWIE", WIRE),
    ("I2EN", "TWEN", WIRE),
    ("ENI2C", "TWEN", WIRE),
    ("I2WC", "TWWC", WIRE),
    ("I2STO", "TWSTO", WIRE),
    ("I2STA", "TWSTA", WIRE),
    ("I2EA", "TWEA", WIRE),
    ("I2INT", "TWINT", WIRE),
    ("I2GCE", "TWGCE", WIRE),
    ("I2S3", "TWS3", WIRE),
    ("I2S4", "TWS4", WIRE),
    ("I2S5", "TWS5", WIRE),
    ("I2S6", "TWS6", WIRE),
    ("I2S7", "TWS7", WIRE),
    ("TWS0", "TWPS0", WIRE),
    ("TWS1", "TWPS1", WIRE),
    ("TWAMR0", "TWAM0", NEWER | T48),
    ("TWAMR1", "TWAM1", NEWER | T48),
    ("TWAMR2", "TWAM2", NEWER | T48),
    ("TWAMR3", "TWAM3", NEWER | T48),
    ("TWAMR4", "TWAM4", NEWER | T48),
    ("TWAMR5", "TWAM5", NEWER | T48),
    ("TWAMR6", "TWAM6", NEWER | T48),
];

/// Families in which the first USART is also called without its number.
pub(super) const PLAIN_USART: u32 = LCD | M162;
/// Families whose interrupts are named in two ways.
pub(super) const SHORT_TIMERS: u32 = T24;
