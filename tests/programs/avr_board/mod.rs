//! Programs on simulated AVR boards: each peripheral by what a program sees of it, each
//! part by its pins.

mod bench;
mod chip;
mod serial;
mod simavr;
mod timers;

use bench::{Bench, assemble};
use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Keypad, Leds, Part, Probe, Terminal};
use scrimp_avr::peripherals::lines::Pin;
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;

fn pin(name: &str) -> Pin {
    Pin::named(name).expect("a pin")
}

/// The board of the two-player system: keypad on port A, LEDs on port B, terminal.
fn ee476(source: &str) -> AvrSimulation {
    let mut b = bench::start("AT90S8515", 8_000_000, source);
    b.attach(Part::Terminal(Terminal::new(
        Some(pin("D1")),
        Some(pin("D0")),
        9600,
    )));
    b.attach(Part::Keypad(Keypad::on_port(0)));
    b.attach(Part::Leds(Leds::on_port(1, true)));
    b
}

#[test]
fn polled_uart_echoes_what_is_typed() {
    let mut b = ee476(
        "
        ldi r16, 51
        out UBRR, r16
        ldi r16, $18
        out UCR, r16
next:   sbis USR, RXC
        rjmp next
        in r17, UDR
        inc r17
wait:   sbis USR, UDRE
        rjmp wait
        out UDR, r17
        rjmp next
        ",
    );
    b.run(1000);
    b.type_text("HAL 9000");
    assert!(b.run_until_text("IBM!:111", 8_000_000 / 50));
    assert_eq!(b.terminal().expect("it").errors(), 0);
    assert_eq!(
        b.terminal().expect("it").screen().rows()[0].trim_end(),
        "IBM!:111"
    );
}

#[test]
fn a_keypad_is_scanned_by_rows_and_seen_on_leds() {
    // Rows 0 to 3 are driven low one after the other; the code of the pressed key
    // (row times 4 plus column) goes to the LEDs, inverted.
    let mut b = ee476(
        "
        ldi r16, $ff
        out DDRB, r16
        out PORTB, r16
again:  ldi r18, 0              ; row
        ldi r19, 1              ; its mask
row:    out DDRA, r19
        mov r20, r19
        com r20
        out PORTA, r20
        nop
        nop
        in r21, PINA
        swap r21
        ldi r22, 0
bit_:   lsr r21
        brcc found
        inc r22
        cpi r22, 4
        brne bit_
        inc r18
        lsl r19
        sbrs r19, 4
        rjmp row
        ldi r16, $ff
        out PORTB, r16
        rjmp again
found:  lsl r18
        lsl r18
        or r18, r22
        com r18
        out PORTB, r18
        rjmp again
        ",
    );
    b.run(10_000);
    assert_eq!(b.leds().expect("LEDs").bits(), 0);
    for (code, key) in [
        "1", "2", "3", "A", "4", "5", "6", "B", "7", "8", "9", "C", "*", "0", "#", "D",
    ]
    .into_iter()
    .enumerate()
    {
        b.key(key, true).expect("a key");
        b.run(1000);
        assert_eq!(b.leds().expect("LEDs").bits(), code as u64, "{key}");
        b.key(key, false).expect("a key");
        b.run(1000);
        assert_eq!(b.leds().expect("LEDs").bits(), 0);
    }
    assert!(b.key("E", true).is_err());
    assert_eq!(b.notes(), [""; 0]);
}

#[test]
fn an_output_comes_back_after_two_clocks() {
    let mut b = bench::start(
        "ATmega328P",
        16_000_000,
        "
        ldi r16, $ff
        out DDRB, r16
        out PORTB, r16
        in r0, PINB
        in r1, PINB
        sbi PINB, 3
        in r2, PORTB
        break
        ",
    );
    b.run(50);
    assert_eq!([0, 1, 2].map(|r| b.cpu().register(r)), [0, 0xff, 0xf7]);
}

#[test]
fn uart_bits_are_on_the_line_when_they_should_be() {
    let mut b = bench::start(
        "ATmega8",
        1_000_000,
        "
        ldi r16, 0
        out UBRRL, r16
        ldi r16, 8
        out UCSRB, r16
        ldi r16, $a5
        out UDR, r16
end:    rjmp end
        ",
    );
    b.attach(Part::Probe(Probe::new(vec![pin("D1")])));
    b.run(500);
    let Part::Probe(probe) = &b.peripherals().parts()[0] else {
        panic!("the probe");
    };
    // Idle, then start, 1 0 1 0 0 1 0 1, stop: the write is in clock 5.
    let want = [
        (4, true),
        (6, false),
        (22, true),
        (38, false),
        (54, true),
        (70, false),
        (102, true),
        (118, false),
        (134, true),
    ];
    let edges: Vec<_> = probe.edges().iter().map(|e| (e.clock, e.high)).collect();
    assert_eq!(edges, want);
}

#[test]
fn eeprom_takes_its_time_and_holds_the_cpu() {
    for (device, clocks) in [
        ("AT90S8515", 4000),
        ("ATmega8", 8500),
        ("ATtiny84", 3400),
        ("ATmega328P", 3400),
    ] {
        let mut b = bench::start(
            device,
            1_000_000,
            "
        ldi r16, 5
        out EEARL, r16
        ldi r17, $42
        out EEDR, r17
        sbi EECR, 2
        sbi EECR, 1
wait:   sbic EECR, 1
        rjmp wait
        sbi EECR, 0
        in r18, EEDR
        sbi EECR, 1             ; without the other bit: nothing
        sbic EECR, 1
        ldi r19, 1
done:   rjmp done
        ",
        );
        let done = b.address("done");
        b.breakpoint(done, true);
        assert_eq!(b.run(100_000), Stop::Breakpoint(done), "{device}");
        assert_eq!(b.cpu().register(18), 0x42);
        assert_eq!(b.cpu().register(19), 0, "{device}");
        assert_eq!(b.peek(0x81_0005), 0x42);
        // 8 clocks up to and with the write, the wait in steps of 3, 2 held; and so on.
        let took = b.cycles();
        assert!(
            (clocks + 14..clocks + 24).contains(&took),
            "{device}: {took}"
        );
    }
}

#[test]
fn routines_are_called_from_the_host() {
    let mut b = bench::start(
        "AT90S8515",
        8_000_000,
        "
main:   rjmp main
twice:  rcall once
once:   inc r24
        ret
never:  rjmp never
        ",
    );
    b.cpu_mut().set_register(24, 40);
    let twice = b.address("twice") as u32;
    // 3 for RCALL, 5 for the first, 5 for the second.
    assert_eq!(b.call(twice, 1000), Ok(13));
    assert_eq!(b.cpu().register(24), 42);
    assert_eq!(b.cpu().sp(), 0);
    assert_eq!(b.lowest_stack(), 0x25b);
    let never = b.address("never") as u32;
    assert!(b.call(never, 1000).is_err());
}

#[test]
fn a_snapshot_goes_its_own_way() {
    let mut b = ee476("loop: inc r16\n out PORTB, r16\n rjmp loop\n");
    b.run(100);
    let mut copy = b.snapshot();
    copy.run(1000);
    assert_eq!(b.cycles() / 100, 1);
    b.run(copy.cycles() - b.cycles());
    assert_eq!(b.registers(), copy.registers());
}

#[test]
fn bytes_that_do_not_fit_are_refused() {
    let mut b = AvrSimulation::new("ATtiny13", 1_000_000).expect("a device");
    assert!(b.load(0, &[0; 1024]).is_ok());
    assert!(
        b.load(1, &[0; 1024])
            .expect_err("too long")
            .contains("1 bytes past the end")
    );
    assert!(b.load(0x81_0000, &[0; 65]).is_err());
    assert!(AvrSimulation::new("ATtiny14", 1).is_err());
    assert!(assemble("ATtiny13", "nop").image.is_some());
}
