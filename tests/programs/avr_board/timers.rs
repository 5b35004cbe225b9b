//! Timers: what is counted when, flags, interrupts, outputs, capture.

use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Part, Probe};
use scrimp_isa::Simulation;

use super::bench::{Bench, start};
use super::pin;

fn registers<const N: usize>(b: &AvrSimulation, from: u8) -> [u8; N] {
    std::array::from_fn(|i| b.cpu().register(from + i as u8))
}

fn edges(b: &AvrSimulation) -> Vec<(u64, bool)> {
    let found = b.peripherals().parts().iter().find_map(|p| match p {
        Part::Probe(p) => Some(p.edges().iter().map(|e| (e.clock, e.high)).collect()),
        _ => None,
    });
    found.expect("a probe")
}

/// Runs with a probe at a pin.
fn probed(device: &str, name: &str, source: &str, clocks: u64) -> AvrSimulation {
    let mut b = start(device, 8_000_000, source);
    b.attach(Part::Probe(Probe::new(vec![pin(name)])));
    b.run(clocks);
    b
}

#[test]
fn it_counts_from_the_clock_after_the_start() {
    let mut b = start(
        "ATmega328P",
        16_000_000,
        "
        ldi r16, 1
        out TCCR0B, r16         ; clock 1
        in r0, TCNT0            ; 2
        in r1, TCNT0
        in r2, TCNT0
        ldi r16, 100
        out TCNT0, r16          ; 6
        in r3, TCNT0
        in r4, TCNT0
        lds r5, TCNT0+$20       ; reads in its second clock
        nop
loop:   rjmp loop
        ",
    );
    b.run(40);
    assert_eq!(registers(&b, 0), [0, 1, 2, 100, 101, 103]);
}

#[test]
fn the_prescaler_runs_free_and_can_be_reset() {
    let source = |reset| {
        format!(
            "
        ldi r16, 2              ; by 8
        ldi r17, 1
        nop
        nop
        out TCCR0B, r16         ; clock 4, so ticks with clocks 8 and 16
        {reset}
        in r0, TCNT0            ; 6
        in r1, TCNT0            ; 7
        in r2, TCNT0            ; 8
        nop
        nop
        nop
        in r3, TCNT0            ; 12
        in r4, TCNT0            ; 13
        in r5, TCNT0            ; 14
loop:   rjmp loop"
        )
    };
    let mut b = start("ATmega328P", 16_000_000, &source("nop"));
    b.run(40);
    assert_eq!(registers(&b, 0), [0, 0, 1, 1, 1, 1]);
    // The reset in clock 5: ticks with 14 and 22.
    let mut b = start("ATmega328P", 16_000_000, &source("out GTCCR, r17"));
    b.run(40);
    assert_eq!(registers(&b, 0), [0, 0, 0, 0, 0, 1]);
}

#[test]
fn ctc_on_old_and_new_parts() {
    // Eleven reads in a row from a timer that goes to 4.
    let reads: String = (0..11).map(|i| format!("in r{i}, TCNT1L\n")).collect();
    let new = format!(
        "ldi r16, 4\n out OCR1AL, r16\n ldi r16, $09\n out TCCR1B, r16\n {reads} loop: rjmp loop\n"
    );
    let mut b = start("ATtiny84", 8_000_000, &new);
    b.run(40);
    assert_eq!(registers(&b, 0), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]);
    // OCR1B is 0, which the counter meets too.
    assert_eq!(b.io_register("TIFR1"), Some(6));
    let mut b = start("AT90S8515", 8_000_000, &new);
    b.run(40);
    assert_eq!(registers(&b, 0), [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]);
    // With a prescaler the old one clears a clock after the match, so the period is a
    // tick shorter: matches are 4 ticks of 8 clocks apart, not 5.
    let toggles = |device: &str, name: &str| {
        let source = "
        sbi DDRD, 5
        sbi DDRA, 6
        ldi r16, $40
        out TCCR1A, r16
        ldi r16, 4
        out OCR1AL, r16
        ldi r16, $0a
        out TCCR1B, r16
loop:   rjmp loop
";
        let source = if device == "AT90S8515" {
            source.to_owned()
        } else {
            source.replace("sbi DDRD, 5", "nop")
        };
        let b = probed(device, name, &source, 400);
        let e = edges(&b);
        e[3].0 - e[2].0
    };
    assert_eq!(toggles("AT90S8515", "D5"), 32);
    assert_eq!(toggles("ATtiny84", "A6"), 40);
}

#[test]
fn sixteen_bits_go_through_temp() {
    let mut b = start(
        "ATmega8",
        8_000_000,
        "
        ldi r16, $12
        out TCNT1H, r16
        ldi r16, $ff
        out TCNT1L, r16
        ldi r16, 1
        out TCCR1B, r16
        nop
        in r0, TCNT1L           ; $1300
        nop
        nop
        in r1, TCNT1H
        ldi r16, $ab
        out OCR1BH, r16
        in r2, OCR1BH           ; not written yet
        ldi r16, $cd
        out OCR1BL, r16
        in r3, OCR1BH
        in r4, OCR1BL
loop:   rjmp loop
        ",
    );
    b.run(60);
    assert_eq!(registers(&b, 0), [0x00, 0x13, 0, 0xab, 0xcd]);
}

#[test]
fn an_overflow_interrupts() {
    let mut b = start(
        "AT90S8515",
        8_000_000,
        "
        rjmp main
        org 7*2
        in r0, TCNT0            ; the vector: timer 0 overflow
        in r1, TIFR
        reti
main:   ldi r16, 2
        out SPH, r16
        out TIMSK, r16
        ldi r16, $5f
        out SPL, r16
        ldi r16, 250
        out TCNT0, r16
        ldi r16, 1
        out TCCR0, r16          ; clock 9: at 16 the counter is 0
        sei
        nop
        nop
        nop
        nop
        nop                     ; clock 15
        nop                     ; 16 would be this one
loop:   rjmp loop
        ",
    );
    b.run(60);
    // Four clocks to the vector: reads 4, and the flag is gone.
    assert_eq!(registers(&b, 0), [4, 0]);
    assert_eq!(b.cpu().sreg() & 0x80, 0x80);
    assert_eq!(b.pc(), b.address("loop"));
}

#[test]
fn a_written_count_does_not_match_and_flags_are_cleared_by_ones() {
    let mut b = start(
        "ATmega328P",
        8_000_000,
        "
        ldi r16, 50
        out OCR0A, r16
        ldi r17, 1
        out TCCR0B, r17
        out TCNT0, r16          ; as OCR0A, so no match now
        nop
        nop
        in r0, TIFR0
        ldi r16, 49
        out TCNT0, r16
        nop
        nop
        in r1, TIFR0
        ldi r16, $ff
        out TIFR0, r16
        in r2, TIFR0
loop:   rjmp loop
        ",
    );
    b.run(60);
    assert_eq!(registers(&b, 0), [0, 2, 0]);
}

/// Distances of the edges, the first of them a rise.
fn distances(b: &AvrSimulation, skip: usize) -> Vec<u64> {
    let all = edges(b);
    let from = all.iter().skip(skip).position(|e| e.1).expect("a rise") + skip;
    all[from..].windows(2).map(|w| w[1].0 - w[0].0).collect()
}

#[test]
fn fast_pwm_and_phase_correct_pwm() {
    let source = |a: u8, b: u8, ocr: u8| {
        format!(
            "
        sbi DDRD, 6
        ldi r16, {ocr}
        out OCR0A, r16
        ldi r16, {a}
        out TCCR0A, r16
        ldi r16, {b}
        out TCCR0B, r16
loop:   rjmp loop"
        )
    };
    // Fast, OCR0A of 63: high for 64 of 256.
    let b = probed("ATmega328P", "D6", &source(0x83, 1, 63), 2000);
    assert_eq!(distances(&b, 2)[..4], [64, 192, 64, 192]);
    // Inverting.
    let b = probed("ATmega328P", "D6", &source(0xc3, 1, 63), 2000);
    assert_eq!(distances(&b, 2)[..4], [192, 64, 192, 64]);
    // By 8.
    let b = probed("ATmega328P", "D6", &source(0x83, 2, 63), 9000);
    assert_eq!(distances(&b, 2)[..4], [512, 1536, 512, 1536]);
    // At the maximum it stays high, at 0 there is a spike of a tick.
    let b = probed("ATmega328P", "D6", &source(0x83, 1, 255), 2000);
    assert_eq!(edges(&b).len(), 1);
    let b = probed("ATmega328P", "D6", &source(0x83, 1, 0), 2000);
    assert_eq!(distances(&b, 2)[..2], [1, 255]);
    // Phase correct: 2 * 255 clocks, high while it is below.
    let b = probed("ATmega328P", "D6", &source(0x81, 1, 100), 4000);
    assert_eq!(distances(&b, 2)[..4], [200, 310, 200, 310]);
    let b = probed("ATmega328P", "D6", &source(0x81, 1, 255), 4000);
    assert_eq!(edges(&b).len(), 1);
    let b = probed("ATmega328P", "D6", &source(0x81, 1, 0), 4000);
    assert!(edges(&b).len() <= 2, "{:?}", edges(&b));
    // Toggle at the top set by OCR0A.
    let b = probed("ATmega328P", "D6", &source(0x43, 9, 9), 400);
    assert_eq!(distances(&b, 2)[..2], [10, 10]);
}

#[test]
fn the_timer_of_its_own_kind_and_that_with_a_crystal() {
    // ATtiny85, timer 1: CTC by OCR1C, clock by 4, OC1A toggles at PB1.
    let b = probed(
        "ATtiny85",
        "B1",
        "
        sbi DDRB, 1
        ldi r16, 24
        out OCR1C, r16
        ldi r16, 10
        out OCR1A, r16
        ldi r16, $93
        out TCCR1, r16
loop:   rjmp loop",
        2000,
    );
    assert_eq!(distances(&b, 0)[..3], [100, 100, 100]);
    // ATmega328P, timer 2: by 32.
    let b = probed(
        "ATmega328P",
        "B3",
        "
        sbi DDRB, 3
        ldi r16, 4
        sts OCR2A, r16
        ldi r16, $42
        sts TCCR2A, r16
        ldi r16, 3
        sts TCCR2B, r16
loop:   rjmp loop",
        2000,
    );
    assert_eq!(distances(&b, 0)[..3], [160, 160, 160]);
}

#[test]
fn edges_are_counted_and_captured() {
    let mut b = start(
        "AT90S8535",
        8_000_000,
        "
        ldi r16, 7
        out TCCR0, r16          ; rising edges at PB0
        ldi r16, $41
        out TCCR1B, r16         ; capture rising edges at PD6
loop:   rjmp loop",
    );
    b.run(20);
    for _ in 0..5 {
        b.drive("B0", Some(true));
        b.run(10);
        b.drive("B0", Some(false));
        b.run(10);
    }
    assert_eq!(b.io_register("TCNT0"), Some(5));
    let at = b.cycles();
    b.drive("D6", Some(true));
    b.run(300);
    // The timer runs from clock 4 on: it is 1 in clock 5.
    let low = u64::from(b.io_register("ICR1").expect("it"));
    assert_eq!(low, (at - 4) & 0xff);
    assert_eq!(b.io_register("TIFR").expect("it") & 0x20, 0x20, "ICF1");
}

#[test]
fn a_tone_is_heard_and_written() {
    let mut b = start(
        "ATtiny84",
        8_000_000,
        "
        sbi DDRA, 5             ; OC1B toggles
        ldi r16, $10
        out TCCR1A, r16
        ldi r16, $23            ; 4000000/440 - 1 = 9090
        out OCR1AH, r16
        ldi r16, $82
        out OCR1AL, r16
        ldi r16, 9
        out TCCR1B, r16
loop:   rjmp loop",
    );
    b.attach(Part::Buzzer(scrimp_avr::parts::Buzzer::new(pin("A5"))));
    assert_eq!(b.record(), Some(44_100));
    b.run(8_000_000 / 2);
    let tones = b.buzzer().expect("it").tones();
    assert_eq!(tones.len(), 1);
    assert!((tones[0].frequency - 440.0).abs() < 0.1, "{tones:?}");
    assert!((tones[0].length - 0.5).abs() < 0.01, "{tones:?}");
    let samples = b.recorded();
    assert_eq!(samples.len(), 22_050);
    let crossings = samples.windows(2).filter(|w| w[0] < 128 && w[1] >= 128);
    assert!((218..=222).contains(&crossings.count()));
}

#[test]
fn sleep_stops_clocks_or_not() {
    let source = |mode: &str, mcucr: u8| {
        format!(
            "
        rjmp main
        org 2
        inc r20                 ; INT0
        reti
        org 11*2
        inc r21                 ; timer 0 overflow
        reti
main:   ldi r16, 1
        out TIMSK0, r16
        ldi r16, $40
        out GIMSK, r16
        ldi r16, 2
        out SPH, r16
        ldi r16, $5f
        out SPL, r16
        ldi r16, 1
        out TCCR0B, r16
        ldi r16, {mcucr}        ; {mode}
        out MCUCR, r16
        sei
loop:   sleep
        inc r22
        rjmp loop"
        )
    };
    let mut b = start("ATtiny84", 8_000_000, &source("idle", 0x20));
    b.drive("B2", Some(true));
    b.run(256 * 10);
    assert_eq!(registers(&b, 20), [0, 9, 9]);
    let mut b = start("ATtiny84", 8_000_000, &source("power-down", 0x30));
    b.drive("B2", Some(true));
    b.run(256 * 10);
    assert_eq!(registers(&b, 20), [0, 0, 0]);
    let count = b.io_register("TCNT0");
    b.run(100);
    assert_eq!(b.io_register("TCNT0"), count);
    b.drive("B2", Some(false));
    b.run(20);
    b.drive("B2", Some(true));
    b.run(20);
    assert!(b.cpu().register(20) > 0 && b.cpu().register(22) > 0);
}
