//! In step with simavr, where it is installed: registers, program counter and clock
//! after each instruction of programs that read timers, ports and serial lines.
//!
//! What simavr does otherwise than the data sheets is left out here and listed in
//! `docs/manual/avr-simulator.md`.

use crate::common::tools::skip;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use scrimp_avr::AvrSimulation;
use scrimp_isa::Simulation;

use super::bench::start;

/// Bytes of a record of the driver.
const RECORD: usize = 56;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The program around simavr.
fn driver() -> Option<&'static PathBuf> {
    static DRIVER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let made = DRIVER.get_or_init(|| {
        let source = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/targets/avr/tests/room/lockstep/simavr.c"
        );
        let path = folder().join(format!("board-simavr-{}", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-o"]).arg(&path).args([source, "-lsimavr"]);
        let ok = cc.stderr(Stdio::null()).status().is_ok_and(|s| s.success());
        ok.then_some(path)
    });
    if made.is_none() {
        skip("libsimavr", "no C compiler with libsimavr");
    }
    made.as_ref()
}

#[derive(PartialEq, Eq, Debug)]
struct State {
    pc: u64,
    cycle: u64,
    sreg: u8,
    registers: [u8; 32],
}

fn ours(b: &AvrSimulation) -> State {
    State {
        pc: b.pc(),
        cycle: b.cycles(),
        sreg: b.cpu().sreg(),
        registers: std::array::from_fn(|n| b.cpu().register(n as u8)),
    }
}

/// The states of simavr after so many instructions; `None` where it is not.
fn trace(name: &str, b: &AvrSimulation, count: u64) -> Option<Vec<u8>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let driver = driver()?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder().join(format!("board-{name}-{number}-{}.bin", std::process::id()));
    std::fs::write(&path, b.cpu().flash()).expect("a scratch file");
    let out = Command::new(driver)
        .args(["trace", &b.device().gnu_name()])
        .arg(&path)
        .arg(count.to_string())
        .output()
        .expect("the driver");
    let _ = std::fs::remove_file(&path);
    Some(out.stdout)
}

/// Runs a program on both sides for so many instructions.
fn compare(name: &str, device: &str, source: &str, count: u64) {
    let mut b = start(device, 8_000_000, source);
    let Some(records) = trace(name, &b, count) else {
        return;
    };
    assert_eq!(
        records.len(),
        RECORD * count as usize,
        "{name}: simavr stopped"
    );
    let end = b.device().sram.last() as u16;
    b.cpu_mut().set_sp(end);
    let mut before = ours(&b);
    for (n, r) in records.chunks(RECORD).enumerate() {
        let theirs = State {
            pc: u64::from(u32::from_le_bytes(r[..4].try_into().expect("4"))),
            cycle: u64::from_le_bytes(r[8..16].try_into().expect("8")),
            sreg: r[18],
            registers: r[24..].try_into().expect("32"),
        };
        b.run(1);
        let now = ours(&b);
        assert_eq!(
            now, theirs,
            "{name} on {device}, instruction {n}, ours first; before: {before:?}"
        );
        before = now;
    }
}

/// Runs a program on both sides for so many clocks and gives r18 to r21 of each as a
/// number.
fn counts(name: &str, device: &str, source: &str, clocks: u64) -> Option<[u32; 2]> {
    let mut b = start(device, 8_000_000, source);
    let records = trace(name, &b, clocks)?;
    let last = records
        .chunks(RECORD)
        .take_while(|r| u64::from_le_bytes(r[8..16].try_into().expect("8")) <= clocks)
        .last()
        .expect("a record");
    let theirs = u32::from_le_bytes(last[24 + 18..24 + 22].try_into().expect("4"));
    let end = b.device().sram.last() as u16;
    b.cpu_mut().set_sp(end);
    b.run(clocks);
    let ours = [18, 19, 20, 21].map(|n| b.cpu().register(n));
    Some([u32::from_le_bytes(ours), theirs])
}

const COUNT: &str = "
        subi r18, $ff
        sbci r19, $ff
        sbci r20, $ff
        sbci r21, $ff
";

#[track_caller]
fn close(found: Option<[u32; 2]>, name: &str, expected: u64) {
    let Some([ours, theirs]) = found else { return };
    println!("{name}: {ours} here, {theirs} in simavr");
    assert!(
        ours.abs_diff(theirs) <= 1,
        "{name}: {ours} here, {theirs} in simavr"
    );
    let expected = expected as u32;
    assert!(
        ours.abs_diff(expected) <= 1,
        "{name}: {ours}, not {expected}"
    );
}

/// Matches of the timers in so many clocks, polled. simavr is one clock ahead after a
/// timer was started, so the two cannot be in step.
#[test]
fn matches_of_timers() {
    const CLOCKS: u64 = 400_000;
    for device in ["atmega328p", "attiny84", "atmega644p", "atmega2560"] {
        for (a, b, ocr, period) in [
            (0, 1, 0x40, 256),
            (0, 2, 0x40, 2048),
            (2, 1, 99, 100),
            (2, 3, 20, 21 * 64),
        ] {
            let source = format!(
                "
        ldi r16, {ocr}
        out OCR0A, r16
        ldi r16, {a}
        out TCCR0A, r16
        ldi r16, {b}
        out TCCR0B, r16
        ldi r17, 2
loop:   in r16, TIFR0
        sbrs r16, 1
        rjmp loop
        out TIFR0, r17
        {COUNT}
        rjmp loop"
            );
            let name = format!("timer 0 of {device}, {a} {b} {ocr}");
            close(
                counts("timer0", device, &source, CLOCKS),
                &name,
                CLOCKS / period,
            );
        }
    }
    for device in ["atmega328p", "atmega2560"] {
        for (b, ocr, period) in [
            (1, 0x234u16, 65536),
            (9, 0x123, 0x124),
            (0x0a, 77, 78 * 8),
            (0x0b, 77, 78 * 64),
        ] {
            let [low, high] = ocr.to_le_bytes();
            let source = format!(
                "
        ldi r16, {high}
        sts OCR1AH, r16
        ldi r16, {low}
        sts OCR1AL, r16
        ldi r16, {b}
        sts TCCR1B, r16
        ldi r17, 2
loop:   sbis TIFR1, 1
        rjmp loop
        out TIFR1, r17
        {COUNT}
        rjmp loop"
            );
            let name = format!("timer 1 of {device}, {b} {ocr}");
            close(
                counts("timer1", device, &source, CLOCKS),
                &name,
                CLOCKS / period,
            );
        }
    }
}

/// Interrupts of timer 0 in so many clocks.
#[test]
fn interrupts_of_a_timer() {
    const CLOCKS: u64 = 400_000;
    let source = format!(
        "
        jmp main
        org 14*4
        {COUNT}
        reti
        org $100
main:   ldi r16, 124
        out OCR0A, r16
        ldi r16, 2
        out TCCR0A, r16
        sts TIMSK0, r16
        out TCCR0B, r16
        sei
loop:   rjmp loop"
    );
    close(
        counts("interrupts", "atmega328p", &source, CLOCKS),
        "interrupts",
        CLOCKS / 1000,
    );
}

/// Ports are written and read back two clocks later.
#[test]
fn ports_in_step() {
    for device in ["atmega328p", "attiny2313", "atmega8"] {
        compare(
            "ports",
            device,
            "
        ldi r16, $ff
        out DDRB, r16
loop:   out PORTB, r17
        nop
        nop
        in r18, PINB
        eor r19, r18
        in r20, PORTB
        sbic PINB, 1
        inc r21
        inc r17
        rjmp loop",
            20_000,
        );
    }
}

/// Bytes that a USART takes in so many clocks. simavr has no second buffer.
#[test]
fn bytes_of_a_usart() {
    const CLOCKS: u64 = 400_000;
    for (device, rate) in [("atmega328p", 3u64), ("atmega8", 12), ("atmega644p", 25)] {
        let (a, b, ubrr, udr) = match device {
            "atmega8" => ("in r17, UCSRA", "out UCSRB", "out UBRRL", "out UDR"),
            _ => ("lds r17, UCSR0A", "sts UCSR0B", "sts UBRR0L", "sts UDR0"),
        };
        let source = format!(
            "
        ldi r16, {rate}
        {ubrr}, r16
        ldi r16, 8
        {b}, r16
loop:   {a}
        sbrs r17, 5
        rjmp loop
        {udr}, r18
        {COUNT}
        rjmp loop"
        );
        let Some([ours, theirs]) = counts("usart", device, &source, CLOCKS) else {
            return;
        };
        let expected = (CLOCKS / (160 * (rate + 1))) as u32;
        println!("{device}: {ours} here, {theirs} in simavr, {expected} by the rate");
        assert!(
            (expected..=expected + 2).contains(&ours),
            "{device}: {ours}"
        );
        // It sends a tenth slower, and on an ATmega8 hardly at all.
        assert!(
            device == "atmega8" || theirs.abs_diff(expected) <= expected / 8,
            "{device}: {theirs}"
        );
    }
}
