//! In step with simavr: after each instruction the program counter, the clock, the
//! stack pointer, SREG and all registers are the same.

mod driver;
mod fed;
pub mod random;

use crate::tools::{named, skip};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use scrimp_avr::devices::{self, Device};
use scrimp_avr::sim::{Chip, Cpu, Plain};

/// Bytes of a record of the driver.
const RECORD: usize = 56;
/// States of simavr in which it goes on.
const RUNNING: u32 = 2;
const SLEEPING: u32 = 3;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The driver, or `None` with a word that the test is skipped.
fn simavr() -> Option<PathBuf> {
    // Once for all tests: one could not write it while another runs it.
    static DRIVER: LazyLock<Option<PathBuf>> = LazyLock::new(|| driver::driver(folder()));
    if DRIVER.is_none() {
        skip("libsimavr", "no C compiler with libsimavr");
    }
    DRIVER.clone()
}

/// The state of a CPU after an instruction.
#[derive(PartialEq, Eq)]
struct State {
    pc: u32,
    cycle: u64,
    sp: u16,
    sreg: u8,
    registers: [u8; 32],
}

impl State {
    fn of(cpu: &Cpu) -> Self {
        Self {
            pc: cpu.pc(),
            cycle: cpu.now(),
            sp: cpu.sp(),
            sreg: cpu.sreg(),
            registers: std::array::from_fn(|n| cpu.register(n as u8)),
        }
    }

    /// The state in a record, and simavr's own state.
    fn read(record: &[u8; RECORD]) -> (Self, u32) {
        let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
        let state = Self {
            pc: word(0),
            cycle: u64::from_le_bytes(record[8..16].try_into().unwrap()),
            sp: u16::from_le_bytes([record[16], record[17]]),
            sreg: record[18],
            registers: record[24..].try_into().unwrap(),
        };
        (state, word(4))
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "pc {:04x} cycle {} sp {:04x} ",
            self.pc, self.cycle, self.sp
        )?;
        write!(f, "sreg {:08b} {:02x?}", self.sreg, self.registers)
    }
}

/// Runs an image on both sides and compares; gives the instructions compared.
fn compare(driver: &Path, device: &Device, image: &[u8], count: u64) -> u64 {
    let mcu = device.gnu_name();
    let bytes = driver::scratch(folder(), &format!("{mcu}-{:p}.bin", image.as_ptr()));
    std::fs::write(&bytes, image).expect("a scratch file");
    let path = bytes.to_str().expect("its name");
    let mut child = driver::start(driver, ["trace", &mcu, path, &count.to_string()]);
    let mut pipe = std::io::BufReader::with_capacity(1 << 20, child.stdout.take().expect("a pipe"));

    let mut cpu = Cpu::new(Chip::of(device), image);
    // simavr's parts all begin with the stack pointer at the end of SRAM.
    cpu.set_sp(device.sram.last() as u16);
    let mut io = Plain::default();
    let mut record = [0; RECORD];
    let mut done = 0;
    let mut before = State::of(&cpu);
    while done < count {
        if pipe.read_exact(&mut record).is_err() {
            break;
        }
        let (theirs, state) = State::read(&record);
        if state != RUNNING && state != SLEEPING {
            let at = before.pc as usize;
            let code = cpu.flash().get(at..at + 4);
            println!("{mcu}: simavr stops at {code:02x?} in {before:?}");
            break;
        }
        cpu.step(&mut io);
        let ours = State::of(&cpu);
        if ours != theirs {
            let at = before.pc as usize;
            let code = cpu.flash().get(at..at + 4);
            panic!(
                "{mcu}, after {done}: {code:02x?} in\n  {before:?} gives\n  {ours:?} and for simavr\n  {theirs:?}"
            );
        }
        before = ours;
        done += 1;
    }
    drop(pipe);
    let _ = child.wait();
    let _ = std::fs::remove_file(bytes);
    assert_eq!(cpu.undefined().count, 0);
    done
}

/// Runs a program that has peripherals: those of simavr, see [`fed`]. Gives the
/// instructions and the interrupts.
fn compare_fed(driver: &Path, device: &Device, path: &Path, count: u64) -> (u64, u64) {
    let mcu = device.gnu_name();
    let image = std::fs::read(path).expect("the image");
    let file = path.to_str().expect("its name");
    let mut child = driver::start(driver, ["trace", &mcu, file, &count.to_string()]);
    let mut pipe = std::io::BufReader::with_capacity(1 << 20, child.stdout.take().expect("a pipe"));

    let mut cpu = Cpu::new(Chip::of(device), &image);
    cpu.set_sp(device.sram.last() as u16);
    let mut io = fed::Fed::default();
    let mut record = [0; RECORD];
    let (mut done, mut interrupts) = (0, 0);
    let mut asleep = false;
    let mut before = State::of(&cpu);
    while done < count && pipe.read_exact(&mut record).is_ok() {
        let (theirs, state) = State::read(&record);
        if state != RUNNING && state != SLEEPING {
            println!("{mcu}: simavr stops in {before:?}");
            break;
        }
        if asleep {
            cpu.set_now(theirs.cycle);
        } else {
            io.prepare(&cpu, &theirs);
            cpu.step(&mut io);
            done += 1;
        }
        asleep = state == SLEEPING;
        let mut ours = State::of(&cpu);
        if ours != theirs && io.interrupted(&mut cpu, &ours, &theirs) {
            interrupts += 1;
            ours = State::of(&cpu);
        }
        if ours != theirs {
            let at = before.pc as usize;
            let code = cpu.flash().get(at..at + 4);
            panic!(
                "{file}, after {done}: {code:02x?} in\n  {before:?} gives\n  {ours:?} and for simavr\n  {theirs:?}"
            );
        }
        before = ours;
    }
    drop(pipe);
    let _ = child.wait();
    (done, interrupts)
}

/// The device of that name.
fn device(name: &str) -> &'static Device {
    devices::find(name).expect("a device")
}

/// A C program on some parts.
fn programs(count: u64) {
    let Some(driver) = simavr() else { return };
    for mcu in [
        "attiny85",
        "atmega8",
        "atmega328p",
        "atmega2560",
        "atmega128",
    ] {
        let Some(image) = driver::compile(folder(), "tests/room/lockstep/compute.c", mcu) else {
            skip("avr-gcc", "avr-gcc is not installed");
            return;
        };
        let done = compare(&driver, device(mcu), &image, count);
        println!("{mcu}: {done} instructions in step");
        assert_eq!(done, count);
    }
}

/// Random programs on some parts.
fn streams(seeds: u64, count: u64) {
    let Some(driver) = simavr() else { return };
    for mcu in [
        "attiny13",
        "attiny85",
        "atmega8",
        "atmega328p",
        "atmega2560",
    ] {
        let device = device(mcu);
        // Where RJMP reaches from the end to the beginning.
        let pieces = (device.flash.size / 8).min(1500) as usize;
        let mut done = 0;
        for seed in 0..seeds {
            let image = random::program(device, seed, pieces);
            let flash = device.flash.size as usize;
            assert!(image.len() <= flash, "{mcu}: {} bytes", image.len());
            done += compare(&driver, device, &image, count);
        }
        println!("{mcu}: {done} random instructions in step");
        assert_eq!(done, seeds * count);
    }
}

#[test]
fn random_streams_in_step() {
    streams(4, 50_000);
}

#[test]
#[ignore = "nightly"]
fn nightly_random_streams_in_step() {
    streams(100, 200_000);
}

/// Real programs: each file `MCU-NAME.bin` in the folder that `SCRIMP_AVR_IMAGES` names.
#[test]
#[ignore = "nightly"]
fn nightly_images_in_step() {
    let Some(driver) = simavr() else { return };
    let Some(folder) = named("SCRIMP_AVR_IMAGES") else {
        return;
    };
    let count = std::env::var("SCRIMP_AVR_COUNT").map_or(10_000_000, |n| n.parse().unwrap());
    let files = std::fs::read_dir(folder).expect("the folder");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("a file").path()).collect();
    files.sort();
    for path in files {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name");
        let mcu = name.split('-').next().expect("MCU-NAME");
        let (done, interrupts) = compare_fed(&driver, device(mcu), &path, count);
        println!("{name}: {done} instructions and {interrupts} interrupts in step");
    }
}

#[test]
fn programs_in_step() {
    programs(400_000);
}

#[test]
#[ignore = "nightly"]
fn nightly_programs_in_step() {
    programs(30_000_000);
}
