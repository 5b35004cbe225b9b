//! What a `.P` file must satisfy to load, start and show its picture.

use scrimp_isa::container::ContainerError;

use super::memory::*;

/// What is known of the file and asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// RAM in K.
    pub ram: u16,
    /// Bytes that must stay free between the file and RAMTOP.
    pub stack: u32,
    /// SLOW mode; `None` takes it from CDFLAG.
    pub slow: Option<bool>,
    /// Address of the display file; `None` takes it from D_FILE.
    pub display: Option<u16>,
}

/// Shortest file: the system variables up to CDFLAG.
pub const SHORTEST: usize = (PRBUFF - VERSN) as usize;

/// A word of a file; 0 past its end.
pub fn word(file: &[u8], address: u16) -> u16 {
    let at = usize::from(address.saturating_sub(VERSN));
    let byte = |i: usize| file.get(i).copied().unwrap_or(0);
    u16::from_le_bytes([byte(at), byte(at + 1)])
}

/// How the line at NXTLIN names the code.
pub fn argument(file: &[u8]) -> Argument {
    let line = word(file, NXTLIN);
    if (VERSN..PRBUFF).contains(&line) {
        return Argument::Inside;
    }
    let at = usize::from(line.saturating_sub(VERSN));
    match file.get(at + 4..) {
        Some([RAND, USR, VAL, ..]) => Argument::Val,
        _ => Argument::Number,
    }
}

fn wrong(message: String, help: &str, address: u32) -> ContainerError {
    ContainerError {
        message,
        help: (!help.is_empty()).then(|| help.to_string()),
        address: Some(u64::from(address)),
        option: None,
    }
}

/// Checks a file, from VERSN on. Returns what is worth a warning.
///
/// # Errors
/// The file is too short or passes what the machine runs; too little room for
/// the stack; E_LINE is not its end; NXTLIN points outside; SLOW mode without a
/// display file of 25 newlines and lines of at most 32 characters.
pub fn file(file: &[u8], limits: &Limits) -> Result<Vec<String>, ContainerError> {
    let mut warnings = Vec::new();
    let end = u32::from(VERSN) + file.len() as u32;
    if file.len() < SHORTEST {
        return Err(wrong(
            format!(
                "the file has {} bytes, the system variables alone are {SHORTEST}",
                file.len()
            ),
            "",
            end,
        ));
    }
    let argument = argument(file);
    size(file, limits, argument)?;

    let e_line = u32::from(word(file, E_LINE));
    if e_line != end {
        return Err(wrong(
            format!("E_LINE says that the file ends at ${e_line:04X}, it ends at ${end:04X}"),
            "E_LINE ($4014) is one past the last byte; LOAD stops there",
            u32::from(E_LINE),
        ));
    }
    let next = u32::from(word(file, NXTLIN));
    if !(u32::from(VERSN)..end).contains(&next) {
        return Err(wrong(
            format!(
                "NXTLIN is ${next:04X}, outside of the file ($4009 to ${:04X})",
                end - 1
            ),
            "NXTLIN ($4029) is the line that runs after loading",
            u32::from(NXTLIN),
        ));
    }

    let inside = argument == Argument::Inside;
    // Under a line inside the system variables D_FILE and VARS hold its text.
    let d_file = limits
        .display
        .or((!inside).then(|| word(file, D_FILE)))
        .map(u32::from);
    let slow = limits
        .slow
        .unwrap_or(file[usize::from(CDFLAG - VERSN)] & 0x40 != 0);
    if let Some(d_file) = d_file {
        if slow || limits.display.is_some() {
            newlines(file, d_file)?;
        }
        if !inside && next >= d_file {
            warnings.push(format!(
                "NXTLIN ${next:04X} is not below D_FILE ${d_file:04X}: the program will not start by itself"
            ));
        }
        let vars = u32::from(word(file, VARS));
        if !inside && !(d_file + 1..=end).contains(&vars) {
            warnings.push(format!(
                "VARS is ${vars:04X}, not between the display file and the end"
            ));
        }
    }
    Ok(warnings)
}

/// The size against what a machine runs, and the stack.
fn size(file: &[u8], limits: &Limits, argument: Argument) -> Result<(), ContainerError> {
    let end = u32::from(VERSN) + file.len() as u32;
    let most = largest(limits.ram, argument);
    let len = file.len() as u32;
    if len > most {
        let (form, help) = match argument {
            Argument::Number | Argument::Variable => (
                "a BASIC line that calls code in REM",
                "layout=sysvar keeps more of it for code",
            ),
            Argument::Val => (
                "a BASIC line with VAL, which needs workspace",
                "usr=number is 3 bytes longer and allows 50 more",
            ),
            Argument::Inside => ("a line inside the system variables", ""),
        };
        return Err(wrong(
            format!(
                "the file has {len} bytes, {} more than the {most} that a {}K machine takes with {form}",
                len - most,
                limits.ram
            ),
            help,
            u32::from(VERSN) + most,
        ));
    }
    let free = ramtop(limits.ram) - end;
    if free < limits.stack {
        return Err(wrong(
            format!(
                "{free} bytes are free between the file's end ${end:04X} and RAMTOP ${:04X}, stack={} asks for {} more",
                ramtop(limits.ram),
                limits.stack,
                limits.stack - free
            ),
            "",
            ramtop(limits.ram) - limits.stack,
        ));
    }
    Ok(())
}

/// A display file starts with a newline and has 24 lines of at most 32
/// characters, each with a newline at its end.
fn newlines(file: &[u8], d_file: u32) -> Result<(), ContainerError> {
    let help = "a display file is $76, then 24 lines that each end with $76";
    let at = d_file.checked_sub(u32::from(VERSN)).map(|at| at as usize);
    let Some(bytes) = at.and_then(|at| file.get(at..)) else {
        return Err(wrong(
            format!("the display file at ${d_file:04X} is not in the file"),
            help,
            d_file,
        ));
    };
    if bytes.first() != Some(&NEWLINE) {
        return Err(wrong(
            format!("the display file at ${d_file:04X} does not start with a newline ($76)"),
            help,
            d_file,
        ));
    }
    let mut column = 0;
    let mut found = 1;
    for (i, &byte) in bytes.iter().enumerate().skip(1) {
        let address = d_file + i as u32;
        if byte == NEWLINE {
            found += 1;
            column = 0;
            if found == NEWLINES {
                return Ok(());
            }
            continue;
        }
        column += 1;
        if byte & 0x40 != 0 {
            return Err(wrong(
                format!(
                    "${byte:02X} in line {found} of the display file (${address:04X}) is no character: the display would execute it"
                ),
                help,
                address,
            ));
        }
        if column > COLUMNS {
            return Err(wrong(
                format!("line {found} of the display file has more than {COLUMNS} characters"),
                help,
                address,
            ));
        }
    }
    Err(wrong(
        format!("the display file at ${d_file:04X} has {found} of its {NEWLINES} newlines ($76)"),
        help,
        d_file + bytes.len() as u32,
    ))
}
