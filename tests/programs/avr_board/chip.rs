//! External interrupts, watchdog, clock prescaler, vectors; and that nothing a program
//! does to registers makes the simulation stop or panic.

use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Keypad, Leds, Part, Terminal};
use scrimp_avr::peripherals::lines::Pin;
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;

use super::bench::{Bench, start};

#[test]
fn external_interrupts_by_edge_and_level() {
    let source = |sense: u8| {
        format!(
            "
        rjmp main
        inc r20                 ; INT0, at byte 2
        reti
main:   ldi r16, {sense}
        out MCUCR, r16
        ldi r16, $40
        out GIMSK, r16
        ldi r16, 2
        out SPH, r16
        sei
loop:   rjmp loop"
        )
    };
    for (sense, falls, rises) in [(2, 1, 0), (3, 0, 1)] {
        let mut b = start("AT90S8515", 8_000_000, &source(sense));
        b.drive("D2", Some(true));
        b.run(50);
        let first = b.cpu().register(20);
        b.drive("D2", Some(false));
        b.run(50);
        assert_eq!(b.cpu().register(20), first + falls, "{sense}");
        b.drive("D2", Some(true));
        b.run(50);
        assert_eq!(b.cpu().register(20), first + falls + rises, "{sense}");
    }
    // A low level asks as long as it lasts.
    let mut b = start("AT90S8515", 8_000_000, &source(0));
    b.drive("D2", Some(true));
    b.run(100);
    assert_eq!(b.cpu().register(20), 0);
    b.drive("D2", Some(false));
    b.run(100);
    assert!(b.cpu().register(20) > 5);
    b.drive("D2", Some(true));
    b.run(20);
    let count = b.cpu().register(20);
    b.run(100);
    assert_eq!(b.cpu().register(20), count);
}

#[test]
fn pin_changes_where_the_mask_has_them() {
    let mut b = start(
        "ATtiny84",
        8_000_000,
        "
        rjmp main
        org 2*2
        inc r20                 ; port A
        reti
        org 3*2+2
        nop
        org 16*2+2
main:   ldi r16, $10
        out GIMSK, r16
        ldi r16, $04
        out PCMSK0, r16
        ldi r16, 2
        out SPH, r16
        sei
loop:   rjmp loop",
    );
    b.run(100);
    for (pin, level, count) in [
        ("A2", true, 1),
        ("A3", true, 1),
        ("A2", false, 2),
        ("B1", true, 2),
    ] {
        b.drive(pin, Some(level));
        b.run(50);
        assert_eq!(b.cpu().register(20), count, "{pin}");
    }
}

#[test]
fn the_watchdog_bites_and_barks() {
    let mut b = start(
        "ATmega8",
        1_000_000,
        "
        in r20, MCUCSR
        inc r21
        ldi r16, $18
        ldi r17, $08
        out WDTCR, r16
        out WDTCR, r17          ; on, 16 ms
loop:   sbrs r22, 0
        rjmp loop
        wdr
        rjmp loop",
    );
    b.run(15_900);
    assert_eq!(b.cpu().register(21), 1);
    b.run(300);
    assert_eq!(b.cpu().register(21), 2);
    assert_eq!(b.cpu().register(20) & 8, 8, "it tells the reason");
    b.cpu_mut().set_register(22, 1);
    b.run(100_000);
    assert_eq!(b.cpu().register(21), 2, "it is kept quiet");
    assert!(b.notes()[0].contains("watchdog"));
    // An interrupt instead; without the unlocking the rate does not change.
    let mut b = start(
        "ATtiny84",
        1_000_000,
        "
        rjmp main
        org 4*2
        inc r20
        reti
        org 17*2
main:   ldi r16, 2
        out SPH, r16
        ldi r16, $47
        out WDTCSR, r16
        sei
loop:   rjmp loop",
    );
    b.run(16_000 * 10 + 100);
    assert_eq!(b.cpu().register(20), 10);
}

#[test]
fn sleep_without_interrupts_ends_when_nothing_is_under_way() {
    let mut b = start(
        "ATmega8",
        1_000_000,
        "
        ldi r16, 12
        out UBRRL, r16
        ldi r16, 8
        out UCSRB, r16
        ldi r16, 88
        out UDR, r16
        ldi r16, $80
        out MCUCR, r16
        sleep",
    );
    let (from, to) = (Pin::named("D1"), Pin::named("D0"));
    b.attach(Part::Terminal(Terminal::new(from, to, 4800)));
    assert_eq!(b.run(100_000), Stop::Halted);
    assert_eq!(b.text(), "X");
    assert!(b.cycles() < 3000);
}

#[test]
fn the_clock_can_be_divided() {
    let mut b = start(
        "ATtiny84",
        8_000_000,
        "
        ldi r16, $80
        ldi r17, 3
        out CLKPR, r16
        out CLKPR, r17          ; by 8
        out CLKPR, r16
        nop
        nop
        nop
        nop
        out CLKPR, r18          ; too late
loop:   rjmp loop",
    );
    assert_eq!(b.clock(), Some(8_000_000));
    b.run(100);
    assert_eq!(b.clock(), Some(1_000_000));
    assert_eq!(b.io_register("CLKPR"), Some(3));
}

#[test]
fn vectors_move_to_the_boot_section() {
    let mut b = start(
        "ATmega328P",
        8_000_000,
        "
        jmp main
        org 16*4
        inc r20
        reti
        org $100
main:   ldi r16, 8
        out SPH, r16
        ldi r16, 1
        ldi r17, 2
        out MCUCR, r16
        out MCUCR, r17
        sts TIMSK0, r16
        out TCCR0B, r16
        sei
loop:   rjmp loop
        org $7000+16*4
        inc r21
        reti",
    );
    b.run(1000);
    assert_eq!(b.cpu().register(20), 0);
    assert_eq!(b.cpu().register(21), 3);
}

/// A reproducible sequence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

#[test]
fn no_register_write_stops_it() {
    let parts = "at90s1200 at90s2313 at90s8515 at90s8535 atmega8 atmega16 atmega32 atmega48 \
                 atmega328p atmega644p atmega1284p atmega2560 atmega128 atmega162 atmega8515 \
                 attiny13 attiny2313 attiny84 attiny85 attiny26 attiny10 atmega169p atmega32u4 \
                 attiny861 attiny1634 atmega4809 atxmega128a1";
    for (n, name) in parts.split_whitespace().enumerate() {
        let mut b = AvrSimulation::new(name, 8_000_000).expect("a device");
        let mut random = Random(n as u64 + 1);
        // Code that goes around, so that interrupts come in.
        for at in (0..b.cpu().flash().len() as u64).step_by(2) {
            // SEI, then NOP: all vectors lead on.
            let word: u16 = if at % 64 == 0 { 0x9478 } else { 0 };
            b.poke(at, word as u8);
            b.poke(at + 1, (word >> 8) as u8);
        }
        if b.device().register("PORTB").is_some() && !b.device().modular() {
            b.attach(Part::Keypad(Keypad::on_port(1)));
            b.attach(Part::Leds(Leds::on_port(1, true)));
        }
        let top = b.device().io.start + b.device().io.size;
        let start = b.device().io.start;
        for round in 0..3000 {
            let address = u64::from(start + random.next() % (top - start).min(0x200));
            let value = random.next() as u8;
            b.poke(0x80_0000 + address, value);
            b.peek(0x80_0000 + u64::from(start + random.next() % (top - start).min(0x200)));
            let before = b.cycles();
            let stop = b.run(1 + u64::from(random.next() % 300));
            assert!(
                matches!(stop, Stop::Cycles | Stop::Halted),
                "{name} {round}: {stop:?}"
            );
            assert!(b.cycles() >= before, "{name}");
            if round % 16 == 0 {
                let _ = b.key("5", random.next().is_multiple_of(2));
            }
        }
        let _ = b.notes();
    }
}

#[test]
fn boards_are_read_and_faults_have_places() {
    use scrimp_avr::board::Board;
    use scrimp_avr::devices::find;
    let read = |name, text: &str| Board::read(text, find(name).expect("a device"));
    let good = "
main = 'x.asm'
[board]
clock = 4_000_000
terminal = { usart = 0, baud = 9600, pause = 2.5 }
keypad = { rows = ['A0', 'A1'], columns = ['PA2', 'A3'], keys = ['12', '34'] }
leds = [{ port = 'B', active = 'low' }, { pins = ['C0', 'OC1A'] }]
buzzer = 'D7'
display = { kind = 'sh1106', sda = 'C1', scl = 'C2' }
[board.buttons]
up = 'D2'
down = { pin = 'D3', active = 'high', resistor = true }
";
    let board = read("AT90S8515", good).expect("a board");
    assert_eq!(board.parts.as_ref().map(Vec::len), Some(8));
    let mut b = board
        .build(find("AT90S8515").expect("it"), 1)
        .expect("a board");
    assert_eq!(b.clock(), Some(4_000_000));
    assert!(!b.level("D3"));
    b.key("down", true).expect("a button");
    assert!(b.level("D3"));
    assert_eq!(b.lights().len(), 10);
    assert!(read("AT90S8515", "").expect("the usual").parts.is_none());
    for (text, at, word) in [
        ("[board]\nclock = 0\n", 16, "clock"),
        ("[board]\nbuzzer = 'F0'\n", 17, "no pin F0"),
        ("[board]\nleds = { port = 'E' }\n", 24, "it has A, B, C, D"),
        (
            "[board]\nkeypad = { port = 'A', rows = [] }\n",
            17,
            "either",
        ),
        (
            "[board]\nkeypad = { rows = ['A0'], columns = ['A0'], keys = ['1'] }\n",
            17,
            "twice",
        ),
        ("[board]\nterminal = { usart = 1 }\n", 29, "no USART 1"),
        ("[board]\nterminal = { from = 'B0' }\n", 19, "rate"),
        ("[board]\nterminal = { baud = 1 }\n", 28, "baud"),
        (
            "[board]\ndisplay = { kind = 'sh1107', sda = 'C0', scl = 'C1' }\n",
            27,
            "sh1107",
        ),
        ("[board]\nlamps = 1\n", 8, "unknown field"),
    ] {
        let fault = read("AT90S8515", text).expect_err(text);
        assert_eq!(
            fault.span.map(|s| s.start),
            Some(at),
            "{text}: {}",
            fault.message
        );
        assert!(fault.message.contains(word), "{text}: {}", fault.message);
    }
    assert!(read("ATtiny84", "[board]\nterminal = { usart = 0 }\n").is_err());
    // A part without USART has no terminal unless one is asked for.
    let tiny = Board::default().build(find("ATtiny84").expect("it"), 8_000_000);
    assert!(tiny.expect("a board").terminal().is_none());
    let _ = start("ATtiny84", 1, "x: rjmp x").address("x");
}
