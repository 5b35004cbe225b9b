//! The file formats of the ZX81: writers, and the reader for running one.

use scrimp_isa::ImageView;
use scrimp_isa::container::{Contained, Container, ContainerError};

use super::check::SHORTEST;
use super::memory::E_LINE;
use super::settings::error;
use super::wav::Sound;
use super::{check, program, tape, wav};

/// The containers of a machine with that much RAM, the usual one first.
pub const fn all<const RAM: u16>() -> [Container; 3] {
    [
        Container {
            name: "p",
            about: "ZX81 program as emulators and SD card interfaces load it",
            memory: Some(0x4009),
            symbols_behind: true,
            read: None,
            write: p::<RAM>,
        },
        Container {
            name: "p81",
            about: "ZX81 program with its name in front",
            memory: None,
            symbols_behind: true,
            read: None,
            write: p81::<RAM>,
        },
        Container {
            name: "wav",
            about: "ZX81 program as tape audio, 44.1 kHz mono",
            memory: None,
            symbols_behind: false,
            read: None,
            write: audio::<RAM>,
        },
    ]
}

fn p<const RAM: u16>(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    program::write(image, RAM)
}

/// The name by option `name=`, else that of the program.
fn name(image: &dyn ImageView) -> Result<Vec<u8>, ContainerError> {
    let text = image.option("name").unwrap_or(image.name());
    tape::name(text).map_err(|e| error(e, "option name= sets another"))
}

fn p81<const RAM: u16>(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let mut file = program::write(image, RAM)?;
    let name = name(image)?;
    file.added.insert(0, ("name", name.len()));
    file.bytes.splice(0..0, name);
    Ok(file)
}

fn audio<const RAM: u16>(image: &dyn ImageView) -> Result<Contained, ContainerError> {
    let file = program::write(image, RAM)?;
    let name = name(image)?;
    let sound = Sound::read(image)?;
    let bytes = wav::write(&name, &file.bytes, sound).map_err(|e| error(e, ""))?;
    Ok(Contained {
        image_bytes: 0,
        added: vec![("audio", bytes.len())],
        bytes,
        warnings: file.warnings,
    })
}

/// A program read from a file: the name on tape and RAM from VERSN on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// ZX81 codes with the end mark; a space where the file has no name.
    pub name: Vec<u8>,
    /// What a `.P` holds.
    pub bytes: Vec<u8>,
}

/// Reads a `.p` or `.81` (the same) or `.p81`. Bytes after E_LINE are dropped,
/// as LOAD would not read them.
///
/// # Errors
/// An unknown format; a file too short for its system variables or its own
/// E_LINE; a `.p81` without a name.
pub fn read(format: &str, file: &[u8]) -> Result<Saved, String> {
    let (name, bytes) = match format.to_ascii_lowercase().as_str() {
        "p" | "81" => (vec![0x80], file),
        "p81" => {
            let end = file.iter().take(128).position(|b| b & 0x80 != 0);
            let end = end.ok_or("the .p81 has no name: no byte of its first 128 has bit 7")?;
            (file[..=end].to_vec(), &file[end + 1..])
        }
        other => return Err(format!("no ZX81 program format `{other}`: p, 81 or p81")),
    };
    if bytes.len() < SHORTEST {
        return Err(format!(
            "the file has {} bytes, the system variables alone are {SHORTEST}",
            bytes.len()
        ));
    }
    let end = usize::from(check::word(bytes, E_LINE));
    let length = end.saturating_sub(0x4009);
    if length < SHORTEST || length > bytes.len() {
        return Err(format!(
            "E_LINE ${end:04X} says that the program has {length} bytes, the file has {}",
            bytes.len()
        ));
    }
    Ok(Saved {
        name,
        bytes: bytes[..length].to_vec(),
    })
}
