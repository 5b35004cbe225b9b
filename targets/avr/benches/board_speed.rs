//! How fast a whole device is simulated, in emulated MHz in a second of CPU time: a loop of
//! sums, then with an interrupt every 1000 and every 100 clocks, then with a serial
//! terminal that is written to without pause.
//!
//! ```text
//! cargo bench -p scrimp-avr --bench board_speed
//! ```

use std::time::Duration;

use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Part, Terminal};
use scrimp_avr::peripherals::lines::Pin;
use scrimp_isa::Simulation;

/// Clocks of a run.
const RUN: u64 = 200_000_000;

/// At 0 a jump to word `$100`; at vector 14 a routine that keeps SREG and counts.
const START: [u16; 2] = [0x940c, 0x0100];
const ROUTINE: [u16; 8] = [
    0x938f, 0xb78f, 0x938f, 0x9543, 0x918f, 0xbf8f, 0x918f, 0x9518,
];

/// OCR0A = 124, CTC, the interrupt on, the clock by 8 or by 1, SEI.
fn timer(divide: u16) -> Vec<u16> {
    let mut code = vec![0xe70c, 0xbd07, 0xe002, 0xbd04, 0x9300, 0x006e];
    code.extend([0xe000 | divide, 0xbd05, 0x9478]);
    code
}

/// Sums and shifts and a byte of SRAM.
const LOOP: [u16; 10] = [
    0xe0b1, 0x0c01, 0x1c23, 0x2440, 0x900c, 0x925c, 0x9553, 0x0c11, 0x9557, 0xcff6,
];

/// USART 0 at 62500 baud of 16 MHz; each time it is ready a byte.
const SERIAL: [u16; 14] = [
    0xe00f, 0x9300, 0x00c4, 0xe008, 0x9300, 0x00c1, 0x9110, 0x00c0, 0xff15, 0xcffc, 0x9340, 0x00c6,
    0x9543, 0xcff8,
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

fn measure(name: &str, code: &[u16], terminal: bool) {
    let mut b = AvrSimulation::new("atmega328p", 16_000_000).expect("a device");
    let bytes = |words: &[u16]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    for (at, words) in [(0, &START[..]), (14 * 4, &ROUTINE), (0x200, code)] {
        b.load(at, &bytes(words)).expect("it fits");
    }
    if terminal {
        let pin = |name| Pin::named(name);
        b.attach(Part::Terminal(Terminal::new(pin("D1"), pin("D0"), 62_500)));
    }
    let begin = cpu_time();
    b.run(RUN);
    let time = cpu_time() - begin;
    let mhz = b.cycles() as f64 / 1e6 / time.as_secs_f64();
    let sent = b.terminal().map_or(0, |t| t.received().len());
    println!(
        "{name}: {mhz:.0} MHz, r20 {}, {sent} bytes",
        b.cpu().register(20)
    );
}

fn main() {
    measure("sums", &LOOP, false);
    for (name, divide) in [("an interrupt every 1000 clocks", 2), ("every 125", 1)] {
        let code = [timer(divide), LOOP.to_vec()].concat();
        measure(name, &code, false);
    }
    measure("a terminal at 62500 baud", &SERIAL, true);
}
