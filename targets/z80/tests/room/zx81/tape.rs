//! The tape audio, read back by counting zero crossings.

use std::io::Cursor;

use super::program::{OK, Program};

/// Reads a recording without our tape module: groups of pulses, more than six
/// are a 1. Any polarity.
fn listen(wav: &[u8]) -> Vec<u8> {
    let mut reader = hound::WavReader::new(Cursor::new(wav)).unwrap();
    let rate = f64::from(reader.spec().sample_rate);
    assert_eq!(
        (reader.spec().channels, reader.spec().bits_per_sample),
        (1, 8)
    );
    let samples: Vec<i8> = reader.samples::<i8>().map(Result::unwrap).collect();
    let rest = samples[0] > 0;
    let mut pulses = Vec::new(); // sample at which each pulse starts
    for (i, pair) in samples.windows(2).enumerate() {
        if (pair[0] > 0) == rest && (pair[1] > 0) != rest {
            pulses.push(i as f64 / rate);
        }
    }
    assert!(pulses[0] > 4.5, "silence in front");
    let mut bits = Vec::new();
    let mut count = 1;
    for pair in pulses.windows(2) {
        if pair[1] - pair[0] > 0.0008 {
            assert!(count == 4 || count == 9, "{count} pulses");
            bits.push(count > 6);
            count = 0;
        }
        count += 1;
    }
    bits.push(count > 6);
    assert_eq!(bits.len() % 8, 0);
    bits.chunks(8)
        .map(|byte| byte.iter().fold(0, |b, &bit| b << 1 | u8::from(bit)))
        .collect()
}

#[test]
fn wav_holds_name_and_program() {
    let program = Program::at(0x4082, OK);
    let expected = program.write("p81").unwrap().bytes;
    for options in [[("gain", "80")], [("gain", "5")], [("invert", "yes")]] {
        let mut program = program.clone();
        program.options.extend(options.map(|(k, v)| (k, v.into())));
        let wav = program.write("wav").unwrap();
        assert_eq!(listen(&wav.bytes), expected);
    }
}

#[test]
fn wav_options_are_checked() {
    for (option, value) in [
        ("gain", "0"),
        ("gain", "101"),
        ("gain", "loud"),
        ("invert", "1"),
    ] {
        let program = Program::at(0x4082, OK).option(option, value);
        assert!(program.write("wav").unwrap_err().message.contains(option));
    }
}
