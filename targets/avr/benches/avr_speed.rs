//! How fast the simulator is, beside simavr where that is installed: emulated MHz in a
//! second of CPU time, on the same images, by turns in one run.
//!
//! ```text
//! cargo bench -p scrimp-avr --bench avr_speed -- [NAME | MCU IMAGE.bin]
//! ```
//!
//! The CPU runs alone, and with the peripherals of the part around it, as `scrimp play`
//! has it. The programs are those of `benches/programs` and the compute program of the
//! lock-step test, which avr-gcc compiles for an ATmega328P; a NAME takes one of them. Time
//! is that of each process in user mode, so other processes matter little. Of several
//! runs the medians are shown, and of ratios the median of the turns.

#[path = "../tests/room/lockstep/driver.rs"]
mod driver;

use std::path::Path;
use std::time::Duration;

use scrimp_avr::board::AvrSimulation;
use scrimp_avr::devices;
use scrimp_avr::sim::{Chip, Cpu, Plain};
use scrimp_isa::Simulation;

/// Clocks of a run of ours, and of the driver's.
const RUN: u64 = 100_000_000;
const THEIRS: u64 = 25_000_000;
/// Turns.
const RUNS: u32 = 5;

/// What is measured without arguments.
const PROGRAMS: [(&str, &str); 7] = [
    ("loops", "benches/programs/loops.c"),
    ("copies", "benches/programs/copies.c"),
    ("words", "benches/programs/words.c"),
    ("crc", "benches/programs/crc.c"),
    ("ciphers", "benches/programs/ciphers.c"),
    ("clock", "benches/programs/clock.c"),
    ("compute", "tests/room/lockstep/compute.c"),
];

/// CPU time of this process.
#[cfg(unix)]
fn cpu_time() -> Duration {
    use nix::sys::{resource, time::TimeValLike};
    let usage = resource::getrusage(resource::UsageWho::RUSAGE_SELF).expect("the time is known");
    Duration::from_micros(usage.user_time().num_microseconds() as u64)
}

/// Time, where that of the process is not to be had.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed()
}

/// MHz of a run of the driver.
fn simavr(driver: &Path, mcu: &str, image: &Path) -> Option<f64> {
    let words = ["speed", mcu, image.to_str()?, &THEIRS.to_string()];
    let output = driver::start(driver, words).wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (cycles, seconds) = text.trim().split_once(' ')?;
    Some(cycles.parse::<f64>().ok()? / 1e6 / seconds.parse::<f64>().ok()?)
}

/// MHz of some clocks of ours.
fn mhz(run: impl FnOnce() -> u64) -> f64 {
    let begin = cpu_time();
    let clocks = run();
    clocks as f64 / 1e6 / (cpu_time() - begin).as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Measures one image and prints a line.
fn measure(name: &str, mcu: &str, image: &[u8], folder: &Path, other: Option<&Path>) {
    let device = devices::find(mcu).expect("the device");
    let bytes = driver::scratch(folder, "image.bin");
    std::fs::write(&bytes, image).expect("a scratch file");
    let mut cpu = Cpu::new(Chip::of(device), image);
    cpu.set_sp(device.sram.last() as u16);
    let mut io = Plain::default();
    let mut part = AvrSimulation::of(device, 16_000_000);
    part.load(0, image).expect("the image fits");
    let (mut alone, mut whole, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        alone.push(mhz(|| {
            let clock = cpu.now();
            cpu.run(&mut io, clock + RUN);
            cpu.now() - clock
        }));
        whole.push(mhz(|| {
            let clock = part.cycles();
            part.run(RUN);
            part.cycles() - clock
        }));
        theirs.extend(other.and_then(|d| simavr(d, mcu, &bytes)));
    }
    let _ = std::fs::remove_file(bytes);
    let ratio = |ours: &[f64]| median(ours.iter().zip(&theirs).map(|(a, b)| a / b).collect());
    let (one, all) = (ratio(&alone), ratio(&whole));
    println!(
        "{name:10} {:8.0} {:8.0} {:8.0} {one:8.2} {all:8.2}",
        median(alone),
        median(whole),
        median(theirs)
    );
}

fn main() {
    // cargo adds a word of its own.
    let words = std::env::args().skip(1).filter(|w| w != "--bench");
    let words: Vec<String> = words.collect();
    let folder = std::env::temp_dir();
    let other = driver::driver(&folder);
    if other.is_none() {
        println!("simavr: not installed");
    }
    println!("MHz          alone    whole   simavr    ratio of each");
    if let [mcu, path] = &words[..] {
        let image = std::fs::read(path).expect("the image");
        measure("image", mcu, &image, &folder, other.as_deref());
    } else {
        for (name, source) in PROGRAMS {
            if words.first().is_some_and(|w| w != name) {
                continue;
            }
            let mcu = "atmega328p";
            let image = driver::compile(&folder, source, mcu);
            let image = image.expect("avr-gcc, or MCU and IMAGE.bin");
            measure(name, mcu, &image, &folder, other.as_deref());
        }
    }
    if let Some(path) = other {
        let _ = std::fs::remove_file(path);
    }
}
