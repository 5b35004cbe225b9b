//! How fast the simulator is, beside simavr where that is installed: emulated MHz in a
//! second of CPU time, on the same image, by turns in one run.
//!
//! ```text
//! cargo bench -p scrimp-avr --bench avr_speed -- [MCU IMAGE.bin]
//! ```
//!
//! The CPU runs alone, and with the peripherals of the part around it, as `scrimp play`
//! has it. Without arguments the image is the compute program of the lock-step test, which
//! avr-gcc compiles. Time is that of each process in user mode, so other processes
//! matter little; of several runs the median and the best are shown.

#[path = "../tests/room/lockstep/driver.rs"]
mod driver;

use std::path::Path;
use std::time::Duration;

use scrimp_avr::board::AvrSimulation;
use scrimp_avr::devices;
use scrimp_avr::sim::{Chip, Cpu, Plain};
use scrimp_isa::Simulation;

/// Clocks of a run.
const RUN: u64 = 200_000_000;
/// Runs of each side.
const RUNS: u32 = 7;

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
    let words = ["speed", mcu, image.to_str()?, &RUN.to_string()];
    let output = driver::start(driver, words).wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (cycles, seconds) = text.trim().split_once(' ')?;
    Some(cycles.parse::<f64>().ok()? / 1e6 / seconds.parse::<f64>().ok()?)
}

/// Median and best.
fn summary(mut all: Vec<f64>) -> Option<(f64, f64)> {
    all.sort_by(f64::total_cmp);
    Some((*all.get(all.len() / 2)?, *all.last()?))
}

fn main() {
    // cargo adds a word of its own.
    let words = std::env::args().skip(1).filter(|w| w != "--bench");
    let words: Vec<String> = words.collect();
    let folder = std::env::temp_dir();
    let (mcu, image) = match &words[..] {
        [mcu, path] => (mcu.as_str(), std::fs::read(path).expect("the image")),
        _ => {
            let image = driver::compile(&folder, "compute.c", "atmega328p");
            ("atmega328p", image.expect("avr-gcc, or MCU and IMAGE.bin"))
        }
    };
    let device = devices::find(mcu).expect("the device");
    let bytes = driver::scratch(&folder, "image.bin");
    std::fs::write(&bytes, &image).expect("a scratch file");
    let other = driver::driver(&folder);
    if other.is_none() {
        println!("simavr: not installed");
    }

    let mut cpu = Cpu::new(Chip::of(device), &image);
    cpu.set_sp(device.sram.last() as u16);
    let mut io = Plain::default();
    let mut part = AvrSimulation::of(device, 16_000_000);
    part.load(0, &image).expect("the image fits");
    let (mut ours, mut whole, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let (begin, clock) = (cpu_time(), cpu.now());
        cpu.run(&mut io, clock + RUN);
        let seconds = (cpu_time() - begin).as_secs_f64();
        ours.push((cpu.now() - clock) as f64 / 1e6 / seconds);
        let (begin, clock) = (cpu_time(), part.cycles());
        part.run(RUN);
        let seconds = (cpu_time() - begin).as_secs_f64();
        whole.push((part.cycles() - clock) as f64 / 1e6 / seconds);
        theirs.extend(other.as_ref().and_then(|d| simavr(d, mcu, &bytes)));
    }
    let _ = std::fs::remove_file(bytes);
    let theirs = summary(theirs);
    for (name, all) in [
        ("scrimp, the CPU alone", ours),
        ("scrimp, the whole part", whole),
    ] {
        let (median, best) = summary(all).expect("runs");
        print!("{name}: {median:.0} MHz, at best {best:.0}");
        match theirs {
            Some((m, b)) => println!("; ratio {:.2}, of the best {:.2}", median / m, best / b),
            None => println!(),
        }
    }
    if let Some((median, best)) = theirs {
        println!("simavr: {median:.0} MHz, at best {best:.0}");
    }
}
