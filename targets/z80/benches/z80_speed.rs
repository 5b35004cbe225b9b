//! How fast the simulator is: emulated MHz in a second of CPU time.
//!
//! ```text
//! scrimp build programs/zx81-firmware --emit bin -o firmware.bin
//! scrimp build programs/zx81-chess-seed --emit p -o chess.p
//! cargo bench -p scrimp-z80 --bench z80_speed -- $PWD/firmware.bin $PWD/chess.p
//! ```
//!
//! Time is the process's own, in user mode, so other processes matter little. Without the
//! files only the first two are measured: a sieve on the CPU with plain memory,
//! and the same on a ZX81 in FAST mode. The third is the chess in SLOW mode that
//! waits for a key.

use std::time::Duration;

use scrimp_isa::machine::Media;
use scrimp_isa::{Machine, Simulation};
use scrimp_z80::machines::zx81::ZX81_1K;
use scrimp_z80::machines::zx81::simulation::Zx81Simulation;
use scrimp_z80::sim::{Cpu, Memory};

/// Where the sieve is; its 256 flags are at $4200.
const START: u16 = 0x4100;
/// Crosses out the multiples of 2 to 255, counts the primes at $4080, again and
/// again.
const SIEVE: [u8; 47] = [
    0x21, 0x00, 0x42, 0x11, 0x01, 0x42, 0x01, 0xFF, 0x00, 0x71, 0xED, 0xB0, 0x0E, 0x02, 0x26, 0x42,
    0x69, 0xCB, 0x46, 0xC4, 0x1B, 0x41, 0x0C, 0x20, 0xF5, 0x18, 0xE5, 0xE5, 0x7D, 0x81, 0x38, 0x04,
    0x6F, 0x70, 0x18, 0xF9, 0xE1, 0xED, 0x5B, 0x80, 0x40, 0x13, 0xED, 0x53, 0x80, 0x40, 0xC9,
];
/// T-states of a run.
const RUN: u64 = 100_000_000;
/// Runs, the fastest of which counts.
const RUNS: u32 = 15;

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

fn measure(name: &str, mut run: impl FnMut(u64)) {
    run(RUN / 10);
    let times = (0..RUNS).map(|_| {
        let begin = cpu_time();
        run(RUN);
        cpu_time() - begin
    });
    let mut times: Vec<_> = times.map(|t| RUN as f64 / 1e6 / t.as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{name:24} {:6.0} MHz, median {:6.0}",
        times[times.len() - 1],
        times[times.len() / 2]
    );
}

fn main() {
    let mut cpu = Cpu::new();
    let mut memory = Memory::default();
    for (address, byte) in (START..).zip(SIEVE) {
        memory.0[usize::from(address)] = byte;
    }
    cpu.set_pc(START);
    measure("core, plain memory", |states| {
        let until = cpu.now() + states;
        cpu.run(&mut memory, until);
    });

    // Any ROM will do: it is never called.
    let mut machine = Zx81Simulation::new(&[0], 1, false).expect("a machine");
    for (address, byte) in (u64::from(START)..).zip(SIEVE) {
        machine.poke(address, byte);
    }
    machine.set_register("sp", 0x43FE);
    machine.set_register("pc", START.into());
    measure("zx81-1k FAST, sieve", |states| {
        machine.run(states);
    });

    // cargo adds a word of its own.
    let files = std::env::args_os().skip(1).filter(|w| w != "--bench");
    let files: Vec<_> = files.collect();
    let [firmware, chess] = files.as_slice() else {
        return;
    };
    let read = |path| std::fs::read(path).expect("the file can be read");
    let media = Media {
        program: read(chess),
        container: "p".into(),
        ..Media::default()
    };
    let mut machine = ZX81_1K.start(&media, &read(firmware)).expect("it starts");
    machine.run(10_000_000);
    measure("zx81-1k SLOW, chess", |states| {
        machine.run(states);
    });
}
