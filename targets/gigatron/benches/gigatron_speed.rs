//! How fast the simulator is: simulated MHz in a second of CPU time.
//!
//! ```text
//! cargo bench -p scrimp-gigatron --bench gigatron_speed -- $PWD/ROM.rom
//! ```
//!
//! Bare is the CPU alone; the others have all that stands on the desk: the sync
//! checker, the picture, sound and input; the last also watches promises. Time is the process's own, in user mode, so
//! other processes matter little. Without a ROM a small program is measured that
//! makes no picture.

use std::time::Duration;

use scrimp_gigatron::machines::GigatronSimulation;
use scrimp_gigatron::sim::{Bare, Console, Cpu, Memory};
use scrimp_gigatron::timing::contracts::KINDS;
use scrimp_isa::Simulation;
use scrimp_isa::proof::{Contract, Promises};

/// Clocks of a run.
const RUN: u64 = 100_000_000;
/// Runs, the fastest of which counts.
const RUNS: u32 = 9;
/// Clocks after which a ROM shows its menu.
const BOOT: u64 = 60_000_000;

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

/// Adds up a table in RAM, again and again.
const PROGRAM: [u8; 18] = [
    0x14, 0x02, 0x10, 0x00, 0x00, 0x00, 0x8d, 0x00, 0xde, 0x00, 0x12, 0x00, 0xec, 0x03, 0x02, 0x00,
    0xfc, 0x00,
];

fn main() {
    // cargo adds a word of its own.
    let mut words = std::env::args_os().skip(1).filter(|w| w != "--bench");
    let rom = match words.next() {
        Some(path) => std::fs::read(path).expect("the file can be read"),
        None => PROGRAM.to_vec(),
    };
    let mut cpu = Cpu::new(&rom, Memory::K32).expect("it is a ROM");
    cpu.run(&mut Bare, BOOT);
    measure("bare", |clocks| cpu.run(&mut Bare, cpu.now() + clocks));

    let mut cpu = Cpu::new(&rom, Memory::K32).expect("it is a ROM");
    let mut console = Console::default();
    cpu.run(&mut console, BOOT);
    measure("sync, picture, sound", |clocks| {
        let until = cpu.now() + clocks;
        cpu.run(&mut console, until);
    });
    println!(
        "{} frames, {} lines, bad edges: {:?}",
        console.sync.frames(),
        console.sync.lines(),
        &console.sync.bad()[..console.sync.bad().len().min(4)]
    );

    // Promises of lines and blocks on every 16th word, which hold or not.
    let contract = |kind, word: u64, values| Contract {
        kind,
        address: 2 * word,
        section: 0,
        values,
        words: Vec::new(),
    };
    let kind = |name| KINDS.iter().position(|k| k.name == name).unwrap_or(0);
    let clocks = (0..0x10_00).map(|i| contract(kind("rounds"), 16 * i, vec![i64::MAX]));
    let lines = contract(kind("lines"), 0, vec![200]);
    let promises = Promises {
        contracts: clocks.chain([lines]).collect(),
        ..Promises::default()
    };
    let mut machine = GigatronSimulation::new(&rom, Memory::K32).expect("it is a ROM");
    machine.run(BOOT);
    assert!(machine.watch(&promises));
    measure("and promises watched", |clocks| {
        machine.run(clocks);
    });
}
