//! The `.P` file: the program wrapped in one of its layouts, and its checks.
//!
//! A `.P` is RAM from VERSN ($4009) to the byte before E_LINE. Loading it ends
//! in running the line at NXTLIN, which is how the code starts.

use scrimp_isa::ImageView;
use scrimp_isa::container::{Contained, ContainerError};

use super::check::{self, Limits};
use super::frame::{Frame, Kind};
use super::memory::*;
use super::settings::{Display, Layout, Settings, Usr, error};

/// Makes the file for a machine with `ram` K of RAM unless the options name
/// another size.
///
/// # Errors
/// Bad options, bytes where the layout has none to give, a file that passes
/// the machine's limit, a broken display file, wrong system variables.
pub fn write(image: &dyn ImageView, ram: u16) -> Result<Contained, ContainerError> {
    let settings = Settings::read(image, ram)?;
    let pieces = pieces(image, &settings)?;
    let layout = match settings.layout {
        Some(layout) => layout,
        None => guess(&pieces)?,
    };
    let (frame, display) = match layout {
        Layout::Rem => rem(&pieces, &settings)?,
        Layout::System => inside(&pieces, &settings)?,
        Layout::Whole => (whole(&pieces)?, settings.display),
    };
    let file = frame.finish();
    let warnings = check::file(
        &file.bytes,
        &Limits {
            ram: settings.ram,
            stack: settings.stack,
            slow: (layout != Layout::Whole).then_some(settings.slow),
            display: match display {
                Display::Own(address) => Some(address),
                _ => None,
            },
        },
    )?;
    Ok(Contained { warnings, ..file })
}

type Pieces<'a> = Vec<(u16, &'a [u8])>;

/// The image as pieces inside RAM, neighbours left as they are.
fn pieces<'a>(image: &'a dyn ImageView, settings: &Settings) -> Result<Pieces<'a>, ContainerError> {
    let top = ramtop(settings.ram);
    let mut out = Vec::new();
    for (address, bytes) in image.pieces() {
        if bytes.is_empty() {
            continue;
        }
        let outside = |address: u64, what: String| ContainerError {
            message: format!(
                "{what}; the file holds $4009 to ${:04X} ({}K of RAM)",
                top - 1,
                settings.ram
            ),
            help: None,
            address: Some(address),
            option: None,
        };
        if address < u64::from(VERSN) {
            let what = format!("the program has bytes at ${address:04X}");
            return Err(ContainerError {
                help: Some("put `org $4082` before it, where code in a REM line starts".into()),
                ..outside(address, what)
            });
        }
        let end = address + bytes.len() as u64;
        if end > u64::from(top) {
            let over = end - u64::from(top);
            let what = format!("the program passes the end of RAM by {over} bytes");
            return Err(outside(u64::from(top).max(address), what));
        }
        out.push((address as u16, bytes));
    }
    if out.is_empty() {
        return Err(error("the program has no bytes".into(), ""));
    }
    Ok(out)
}

fn guess(pieces: &Pieces) -> Result<Layout, ContainerError> {
    let starts = |address| pieces.iter().any(|p| p.0 == address);
    let first = pieces[0].0;
    if first == VERSN {
        Ok(Layout::Whole)
    } else if starts(REM_CODE) {
        Ok(Layout::Rem)
    } else if starts(PRBUFF) {
        Ok(Layout::System)
    } else {
        Err(ContainerError {
            message: format!("no layout has a program at ${first:04X} ({first})"),
            help: Some(
                "org $4082 (16514) for a REM line, $403C for a line inside the system \
                 variables, $4009 for a whole file; or option layout="
                    .into(),
            ),
            address: Some(u64::from(first)),
            option: None,
        })
    }
}

fn put_image(frame: &mut Frame, pieces: &Pieces) -> Result<(), ContainerError> {
    pieces
        .iter()
        .try_for_each(|(address, bytes)| frame.put(*address, bytes, Kind::Image))
}

/// The start address: as asked for, else the first byte of the code.
fn start(settings: &Settings, pieces: &Pieces, code: u16) -> Result<u16, ContainerError> {
    match settings.start {
        Some(address) => Ok(address),
        None if pieces.iter().any(|p| p.0 == code) => Ok(code),
        None => Err(error(
            format!("no start label, and no code at ${code:04X} to start with"),
            "name the start with option start=LABEL, or call the label `start`",
        )),
    }
}

/// A display file of the writer's at the end, unless the program has its own.
/// Returns its address.
fn display(frame: &mut Frame, settings: &Settings) -> Result<u16, ContainerError> {
    let end = frame.end() as u16;
    match settings.display {
        Display::Own(address) => Ok(address),
        Display::None => Ok(end),
        Display::Collapsed => {
            frame.put(end, &[NEWLINE; NEWLINES], Kind::Display)?;
            Ok(end)
        }
    }
}

/// The display file to be checked.
fn shown(settings: &Settings, d_file: u16) -> Display {
    match settings.display {
        Display::None => Display::None,
        _ => Display::Own(d_file),
    }
}

/// System variables, `1 REM code`, the line that starts it, display file,
/// variables.
fn rem(pieces: &Pieces, settings: &Settings) -> Result<(Frame, Display), ContainerError> {
    let start = start(settings, pieces, REM_CODE)?;
    let own = match settings.display {
        Display::Own(address) => Some(address),
        _ => None,
    };
    // The ROM runs a line only if it lies below the display file, so a display
    // file of the program's own has to follow the second line.
    let code_end = pieces
        .iter()
        .filter(|p| own.is_none_or(|own| p.0 < own))
        .map(|p| u32::from(p.0) + p.1.len() as u32)
        .max()
        .unwrap_or(0)
        .max(u32::from(REM_CODE)) as u16;
    let line = start_line(start, settings.usr);
    let line_at = code_end + 1;
    let line_end = line_at + line.len() as u16;
    if own.is_some_and(|own| own < line_end) {
        return Err(ContainerError {
            message: format!(
                "the display file has to lie after the line that starts the code, which ends at ${:04X}",
                line_end - 1
            ),
            help: Some(format!(
                "put `org $ + {}` between the code and the display file",
                line.len() + 1
            )),
            address: own.map(u64::from),
            option: None,
        });
    }

    let mut frame = Frame::default();
    let length = code_end - (PROGRAM + 4) + 1;
    let [low, high] = length.to_le_bytes();
    frame.put(PROGRAM, &[0, 1, low, high, REM], Kind::RemLine)?;
    put_image(&mut frame, pieces)?;
    frame.put(code_end, &[NEWLINE], Kind::RemLine)?;
    frame.put(line_at, &line, Kind::StartLine)?;
    let d_file = display(&mut frame, settings)?;
    let vars = frame.end() as u16;
    if settings.usr == Usr::Variable {
        frame.put(vars, &[VARIABLE | 0x40], Kind::Variables)?;
        frame.put(vars + 1, &number(start), Kind::Variables)?;
    }
    if settings.vars_end {
        frame.put(frame.end() as u16, &[VARS_END], Kind::Variables)?;
    }
    let end = frame.end() as u16;
    system_variables(&mut frame, settings, line_at, d_file, vars, end)?;
    Ok((frame, shown(settings, d_file)))
}

/// The variable `X`.
const VARIABLE: u8 = 0x3D;

/// `2 RAND USR start`
fn start_line(start: u16, usr: Usr) -> Vec<u8> {
    let mut text = vec![RAND, USR];
    match usr {
        Usr::Number => {
            text.extend(digits(start));
            text.push(NUMBER);
            text.extend(number(start));
        }
        Usr::Val => {
            text.extend([VAL, QUOTE]);
            text.extend(digits(start));
            text.push(QUOTE);
        }
        Usr::Variable => text.push(VARIABLE),
    }
    text.push(NEWLINE);
    let length = text.len() as u8;
    let mut line = vec![0, 2, length, 0];
    line.extend(text);
    line
}

/// The system variables that the program did not set itself. The free ones may
/// be its own: E_PPC, DEST, X_PTR, BREG, the spare bytes, SEED, COORDS, and the
/// buffers from $403C on.
fn system_variables(
    frame: &mut Frame,
    settings: &Settings,
    line: u16,
    d_file: u16,
    vars: u16,
    end: u16,
) -> Result<(), ContainerError> {
    frame.put(VERSN, &[0], Kind::System)?;
    for (address, value) in [
        (D_FILE, d_file),
        (DF_CC, d_file + 1),
        (VARS, vars),
        (E_LINE, end),
        (CH_ADD, end + 4),
        (STKBOT, end + 5),
        (STKEND, end + 5),
        (MEM, MEMBOT),
        (LAST_K, 0xFFFF),
        (NXTLIN, line),
        (T_ADDR, 0x0C8D),
        (FRAMES, 0xFFFF),
    ] {
        frame.word(address, value, Kind::System)?;
    }
    let cdflag = if settings.slow { 0x40 } else { 0 };
    frame.put(DF_SZ, &[2], Kind::System)?;
    frame.put(DEBOUNCE, &[0xFF, 55], Kind::System)?;
    frame.put(PR_CC, &[0xBC, 0x21, 0x18, cdflag], Kind::System)?;
    // The printer's buffer ends with a newline.
    if !frame.has(PRBUFF + 32) {
        frame.put(PRBUFF + 32, &[NEWLINE], Kind::System)?;
    }
    frame.fill(VERSN, PROGRAM, Kind::System);
    Ok(())
}

/// The line inside the system variables, the code from $403C, display file,
/// variables.
///
/// The line's number and length are `ld h,n` and `jr`, the first instructions
/// of the code that it starts; its text is `GOTO USR 0` with $4009 as the
/// value of the number, whose last bytes are E_LINE. As D_FILE lies under the
/// line, that code first has to mend it.
fn inside(pieces: &Pieces, settings: &Settings) -> Result<(Frame, Display), ContainerError> {
    let start = start(settings, pieces, PRBUFF)?;
    let mut frame = Frame::default();
    put_image(&mut frame, pieces)?;
    if frame.end() < u32::from(PRBUFF) {
        return Err(error(
            format!("no byte of the program is at ${PRBUFF:04X} or above, where its code lies"),
            "",
        ));
    }
    let d_file = display(&mut frame, settings)?;
    if settings.vars_end {
        frame.put(frame.end() as u16, &[VARS_END], Kind::Variables)?;
    }
    let end = frame.end() as u16;
    let [d_low, d_high] = d_file.to_le_bytes();
    let [start_low, start_high] = start.to_le_bytes();
    let [exponent, a, b, ..] = number(VERSN);
    let jr = |at: u16, to: u16| (to - at - 2) as u8;

    let code = Kind::StartCode;
    // Number and length of the line.
    frame.put(VERSN, &[0x26, d_high], code)?; // ld h,d_high
    frame.put(0x400B, &[0x18, jr(0x400B, 0x4021)], code)?; // jr $4021
    let text = [GOTO, USR, ZERO, NUMBER, exponent, a, b];
    frame.put(0x400D, &text, Kind::StartLine)?;
    frame.word(E_LINE, end, Kind::System)?;
    frame.word(CH_ADD, end - 1, Kind::System)?;
    frame.put(0x4021, &[0x2E, d_low], code)?; // ld l,d_low
    frame.put(0x4023, &[0x18, jr(0x4023, 0x402B)], code)?; // jr $402B
    frame.put(LAST_K, &[0xFF, 0xFF, 0xFF, 55], Kind::System)?;
    frame.word(NXTLIN, VERSN, Kind::System)?;
    frame.put(0x402B, &[0x22, 0x0C, 0x40], code)?; // ld (D_FILE),hl
    // T_ADDR and FRAMES change before the code gets here.
    frame.put(0x402E, &[0x18, jr(0x402E, 0x4036)], code)?; // jr $4036
    frame.word(T_ADDR, 0, Kind::System)?;
    frame.word(FRAMES, 0xFFFF, Kind::System)?;
    // A line counter of 0 puts the next picture off until D_FILE is right.
    frame.put(0x4036, &[0xAF, 0x08], code)?; // xor a; ex af,af'
    frame.put(0x4038, &[0xC3, start_low, start_high], code)?; // jp start
    let cdflag = if settings.slow { 0x40 } else { 0 };
    frame.put(CDFLAG, &[cdflag], Kind::System)?;
    frame.fill(VERSN, PRBUFF, Kind::System);
    Ok((frame, shown(settings, d_file)))
}

/// A program that brings all of it: nothing is added but zeros in gaps.
fn whole(pieces: &Pieces) -> Result<Frame, ContainerError> {
    let mut frame = Frame::default();
    put_image(&mut frame, pieces)?;
    if pieces[0].0 != VERSN {
        return Err(ContainerError {
            message: format!(
                "a whole file starts at $4009, this program at ${:04X}",
                pieces[0].0
            ),
            help: Some("`include <zx81/rem.asm>` or `include <zx81/sysvar.asm>` has the bytes from there on".into()),
            address: Some(u64::from(pieces[0].0)), option: None });
    }
    Ok(frame)
}
