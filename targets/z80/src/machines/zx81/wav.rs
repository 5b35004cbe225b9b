//! Tape audio as a `.wav`: 44.1 kHz, 8 bits, mono.

use std::io::Cursor;

use hound::{SampleFormat, WavSpec, WavWriter};
use scrimp_isa::ImageView;
use scrimp_isa::container::ContainerError;

use super::settings::error;
use super::tape;

const RATE: u32 = 44_100;

/// Loudness and polarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Peak in per cent of full scale, 1 to 100.
    pub gain: u8,
    /// Starts high, for players that turn the signal over.
    pub invert: bool,
}

impl Sound {
    /// Reads the options `gain=` and `invert=yes|no`.
    ///
    /// # Errors
    /// A value out of range.
    pub fn read(image: &dyn ImageView) -> Result<Sound, ContainerError> {
        let gain = match image.option("gain") {
            None => 80,
            Some(text) => match text.parse() {
                Ok(gain @ 1..=100) => gain,
                _ => {
                    return Err(error(
                        format!("option gain={text}: not a percentage from 1 to 100"),
                        "",
                    )
                    .of("gain"));
                }
            },
        };
        let invert = match image.option("invert") {
            None | Some("no") => false,
            Some("yes") => true,
            Some(text) => {
                return Err(error(format!("option invert={text}: yes or no"), "").of("invert"));
            }
        };
        Ok(Sound { gain, invert })
    }
}

/// The audio of a name (with its end mark) and a program.
///
/// # Errors
/// The sound does not fit a `.wav`, as hound's text.
pub fn write(name: &[u8], program: &[u8], sound: Sound) -> Result<Vec<u8>, String> {
    let spec = WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 8,
        sample_format: SampleFormat::Int,
    };
    let mut out = Cursor::new(Vec::new());
    let mut writer = WavWriter::new(&mut out, spec).map_err(|e| e.to_string())?;
    let peak = (127 * i32::from(sound.gain) / 100) as i8;
    let levels = if sound.invert {
        [peak, -peak]
    } else {
        [-peak, peak]
    };
    let sample = |microseconds: u64| microseconds * u64::from(RATE) / 1_000_000;
    let mut at = 0;
    let mut high = false;
    let mut last = 0;
    let bytes = name.iter().chain(program).copied();
    for edge in tape::edges(bytes) {
        last = tape::LEAD + edge;
        while at < sample(last) {
            writer
                .write_sample(levels[usize::from(high)])
                .map_err(|e| e.to_string())?;
            at += 1;
        }
        high = !high;
    }
    // The silence of the last bit and one second more.
    while at < sample(last + tape::SILENCE + 1_000_000) {
        writer.write_sample(levels[0]).map_err(|e| e.to_string())?;
        at += 1;
    }
    writer.finalize().map_err(|e| e.to_string())?;
    Ok(out.into_inner())
}
