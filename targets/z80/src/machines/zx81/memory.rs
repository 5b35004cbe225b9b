//! System variables, tokens and the memory limits of the ZX81.
//!
//! Addresses are those of the machine's manual (chapter 28). The limits were
//! measured on the machine's ROM by growing a file byte by byte until its line
//! no longer ran: the ROM wants 36 bytes and its own stack between the end of
//! the file and RAMTOP.

/// First address of RAM.
pub const RAM: u16 = 0x4000;
/// VERSN, the first byte of a saved program.
pub const VERSN: u16 = 0x4009;
/// Address of the display file.
pub const D_FILE: u16 = 0x400C;
/// Print position in the display file.
pub const DF_CC: u16 = 0x400E;
/// Address of the BASIC variables.
pub const VARS: u16 = 0x4010;
/// Address of the line being typed; one past the last byte of a saved program.
pub const E_LINE: u16 = 0x4014;
/// Next character to be read.
pub const CH_ADD: u16 = 0x4016;
/// Bottom of the calculator stack.
pub const STKBOT: u16 = 0x401A;
/// End of the calculator stack.
pub const STKEND: u16 = 0x401C;
/// Address of the calculator's memory.
pub const MEM: u16 = 0x401F;
/// Lines in the lower part of the screen.
pub const DF_SZ: u16 = 0x4022;
/// Key that was last pressed.
pub const LAST_K: u16 = 0x4025;
/// Debounce state of the keyboard.
pub const DEBOUNCE: u16 = 0x4027;
/// Blank lines above and below the picture: 55 for 50 Hz, 31 for 60 Hz.
pub const MARGIN: u16 = 0x4028;
/// Address of the line to run next.
pub const NXTLIN: u16 = 0x4029;
/// Next item of the syntax table; written when a line runs.
pub const T_ADDR: u16 = 0x4030;
/// Seed of RND.
pub const SEED: u16 = 0x4032;
/// Counts the frames down.
pub const FRAMES: u16 = 0x4034;
/// Low byte of the next place in the printer's buffer.
pub const PR_CC: u16 = 0x4038;
/// Column and line of the print position.
pub const S_POSN: u16 = 0x4039;
/// Bit 6: SLOW is asked for.
pub const CDFLAG: u16 = 0x403B;
/// Buffer of the printer, 33 bytes.
pub const PRBUFF: u16 = 0x403C;
/// Memory of the calculator, 30 bytes.
pub const MEMBOT: u16 = 0x405D;
/// First byte of the BASIC program.
pub const PROGRAM: u16 = 0x407D;
/// First byte after `1 REM`, 16514.
pub const REM_CODE: u16 = 0x4082;

/// End of a line, in a program and in the display file; executed as HALT.
pub const NEWLINE: u8 = 0x76;
/// Lines of the display file, and one more newline before the first.
pub const NEWLINES: usize = 25;
/// Characters in a line.
pub const COLUMNS: usize = 32;
/// Marks the five bytes of a number in a program.
pub const NUMBER: u8 = 0x7E;
/// End of the variables.
pub const VARS_END: u8 = 0x80;
/// `REM`.
pub const REM: u8 = 0xEA;
/// `GOTO`.
pub const GOTO: u8 = 0xEC;
/// `RAND`.
pub const RAND: u8 = 0xF9;
/// `USR`.
pub const USR: u8 = 0xD4;
/// `VAL`.
pub const VAL: u8 = 0xC5;
/// `"`.
pub const QUOTE: u8 = 0x0B;
/// Digit zero.
pub const ZERO: u8 = 0x1C;

/// One past the last byte of RAM that a machine of `ram` K sets RAMTOP to.
pub const fn ramtop(ram: u16) -> u32 {
    RAM as u32 + ram as u32 * 1024
}

/// How the address of the code is written in the line that starts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Digits and the five hidden bytes: 11 bytes.
    Number,
    /// `VAL` and the digits in quotes: 8 bytes.
    Val,
    /// A variable of one letter, kept among the variables: 1 byte and 6 there.
    Variable,
    /// Hidden bytes of a line that lies in the system variables.
    Inside,
}

/// Bytes that must stay free between the end of a file and RAMTOP so that the
/// line of that form runs.
pub const fn reserve(argument: Argument) -> u32 {
    match argument {
        Argument::Number | Argument::Variable => 66,
        Argument::Val => 116,
        Argument::Inside => 64,
    }
}

/// Largest `.P` in bytes that runs on a machine with `ram` K.
pub const fn largest(ram: u16, argument: Argument) -> u32 {
    ramtop(ram) - VERSN as u32 - reserve(argument)
}

/// The five bytes of a whole number from 1 to 65,535 in the calculator's
/// floating point.
pub fn number(n: u16) -> [u8; 5] {
    if n == 0 {
        return [0; 5];
    }
    let bits = 16 - n.leading_zeros();
    let mantissa = u32::from(n) << (32 - bits) & 0x7FFF_FFFF;
    let [a, b, c, d] = mantissa.to_be_bytes();
    [0x80 + bits as u8, a, b, c, d]
}

/// The number in decimal as ZX81 digits.
pub fn digits(n: u16) -> Vec<u8> {
    n.to_string().bytes().map(|d| ZERO + (d - b'0')).collect()
}
