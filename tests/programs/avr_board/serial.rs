//! USART, SPI, USI, converter, comparator, EEPROM by interrupts, flash.

use scrimp_avr::AvrSimulation;
use scrimp_avr::parts::{Controller, Display, Part, Probe, Terminal};
use scrimp_avr::peripherals::lines::Node;
use scrimp_isa::Simulation;

use super::bench::{Bench, start};
use super::pin;

fn terminal(b: &mut AvrSimulation, baud: u64) {
    b.attach(Part::Terminal(Terminal::new(
        Some(pin("D1")),
        Some(pin("D0")),
        baud,
    )));
}

/// An echo by interrupts through a ring of 16 bytes.
const ECHO: &str = "
        ldi r16, $20
        sts UCSR0C, r17
        ldi r16, 2
        sts UCSR0A, r16         ; double speed
        ldi r16, 16             ; 115200 at 16 MHz
        sts UBRR0L, r16
        ldi r16, $98
        sts UCSR0B, r16
        sei
loop:   rjmp loop
received:
        lds r18, UDR0
        st x+, r18
        andi xl, $0f
        lds r19, UCSR0B
        ori r19, $20
        sts UCSR0B, r19
        reti
empty:  ld r18, y+
        andi yl, $0f
        sts UDR0, r18
        cp yl, xl
        brne more
        lds r19, UCSR0B
        andi r19, $df
        sts UCSR0B, r19
more:   reti
";

#[test]
fn a_usart_by_interrupts() {
    let source = format!(
        "        jmp main
        org 18*4
        jmp received
        jmp empty
        org $100
main:   ldi r16, 8
        out SPH, r16
        ldi r16, $ff
        out SPL, r16
        ldi xh, 2
        ldi xl, 0
        ldi yh, 2
        ldi yl, 0
        ldi r17, 6
{ECHO}"
    );
    let mut b = start("ATmega328P", 16_000_000, &source);
    terminal(&mut b, 115_200);
    b.run(1000);
    let text = "The quick brown fox jumps over the lazy dog. 0123456789";
    b.type_text(text);
    assert!(b.run_until_text(text, 16_000_000 / 50));
    assert_eq!(b.terminal().expect("it").errors(), 0);
}

#[test]
fn frames_of_other_shapes() {
    // 7 bits, even parity, two stop bits at 1 MHz and 62500 baud: 16 clocks a bit.
    let mut b = start(
        "ATmega8",
        1_000_000,
        "
        ldi r16, $ac
        out UCSRC, r16
        ldi r16, $18
        out UCSRB, r16
        ldi r16, $15            ; three ones: the parity bit is 1
        out UDR, r16
wait:   sbis UCSRA, RXC
        rjmp wait
        in r1, UCSRA
        in r0, UDR
        in r2, UBRRH
        in r3, UCSRC            ; alone it is UBRRH, after that UCSRC
loop:   rjmp loop",
    );
    b.attach(Part::Probe(Probe::new(vec![pin("D1")])));
    b.peripherals_mut()
        .outside(0, |l| l.switch(pin("D0"), Node::Pin(pin("D1")), true));
    b.run(1000);
    let Part::Probe(probe) = &b.peripherals().parts()[0] else {
        panic!("the probe");
    };
    let edges: Vec<_> = probe.edges().iter().map(|e| (e.clock, e.high)).collect();
    // Start 1 0 1 0 1 0 0, parity 1, stop.
    let t = edges[1].0;
    let want = [
        (0, false),
        (16, true),
        (32, false),
        (48, true),
        (64, false),
        (80, true),
        (96, false),
        (128, true),
    ];
    assert_eq!(edges[1..], want.map(|(n, high)| (t + n, high)));
    assert_eq!(b.cpu().register(0), 0x15);
    assert_eq!(b.cpu().register(1) & 0x1c, 0, "no error");
    assert_eq!(b.cpu().register(3), 0xac);
}

#[test]
fn a_byte_too_many_is_an_overrun() {
    let mut b = start(
        "AT90S8515",
        8_000_000,
        "
        ldi r16, 51
        out UBRR, r16
        ldi r16, $18
        out UCR, r16
loop:   rjmp loop",
    );
    terminal(&mut b, 9600);
    b.run(100);
    b.type_text("AB");
    b.run(8_000_000 / 9600 * 25);
    assert_eq!(b.io_register("USR"), Some(0xa8), "RXC, UDRE and OR");
    assert_eq!(b.io_register("UDR"), Some(b'A'));
}

#[test]
fn spi_shifts_both_ways() {
    for (spcr, spsr, clocks) in [
        (0x50u8, 0u8, 32),
        (0x5f, 0, 1024),
        (0x54, 1, 16),
        (0x78, 0, 32),
    ] {
        let mut b = start(
            "ATmega328P",
            8_000_000,
            &format!(
                "
        ldi r16, $2c
        out DDRB, r16
        ldi r16, {spsr}
        out SPSR, r16
        ldi r16, {spcr}
        out SPCR, r16
        ldi r16, $a7
        out SPDR, r16
wait:   in r17, SPSR
        sbrs r17, 7
        rjmp wait
done:   in r0, SPDR
        in r1, SPSR
loop:   rjmp loop"
            ),
        );
        // MISO is what MOSI sends.
        b.peripherals_mut()
            .outside(0, |l| l.switch(pin("B3"), Node::Pin(pin("B4")), true));
        let done = b.address("done");
        b.breakpoint(done, true);
        b.run(5000);
        let took = b.cycles() - 8;
        assert!((clocks..clocks + 8).contains(&took), "{spcr:02x}: {took}");
        b.run(20);
        assert_eq!(b.cpu().register(0), 0xa7, "{spcr:02x}");
        assert_eq!(b.cpu().register(1) & 0x80, 0, "{spcr:02x}");
    }
}

#[test]
fn usi_in_three_wires() {
    // Eight bits by 16 strobes; DI is what DO sends.
    let mut b = start(
        "ATtiny84",
        8_000_000,
        "
        sbi DDRA, 4
        sbi DDRA, 5
        ldi r16, $c3
        out USIDR, r16
        ldi r16, $40
        out USISR, r16
        ldi r17, $1b            ; three wires, rising edges, strobe
more:   out USICR, r17
        sbis USISR, 6
        rjmp more
        in r0, USIDR
        in r1, USIBR
loop:   rjmp loop",
    );
    b.attach(Part::Probe(Probe::new(vec![pin("A4")])));
    b.peripherals_mut()
        .outside(0, |l| l.switch(pin("A5"), Node::Pin(pin("A6")), true));
    b.run(500);
    let Part::Probe(probe) = &b.peripherals().parts()[0] else {
        panic!("the probe");
    };
    assert_eq!(probe.edges().len(), 16);
    assert_eq!([b.cpu().register(0), b.cpu().register(1)], [0xc3, 0xc3]);
}

/// Sends the bytes at `bytes` to a display by the USI or by hand; `wire` has the start
/// condition, a routine `send` for the byte in r16, and the stop.
fn display(device: &str, wire: &str) -> AvrSimulation {
    let bytes = [
        // Remap, rows the same way round, on; page 3, column 2.
        vec![0x78u8, 0x00, 0xa1, 0xc8, 0xaf, 0xb3, 0x02, 0x10],
        vec![0x78, 0x40, 0xff, 0x81, 0x18],
        // Another address: nobody answers.
        vec![0x7a, 0x40, 0xee],
        // One command and one byte of data.
        vec![0x78, 0x80, 0xb0, 0xc0, 0x55],
    ];
    let mut text = format!("{wire}\nmain:");
    for transfer in bytes {
        text.push_str("\n rcall start_");
        for byte in transfer {
            text.push_str(&format!("\n ldi r16, {byte}\n rcall send"));
        }
        text.push_str("\n rcall stop_");
    }
    text.push_str("\ndone: rjmp done\n");
    let mut b = start(device, 8_000_000, &text);
    b.attach(Part::Display(Display::new(
        Controller::Sh1106,
        pin("A6"),
        pin("A4"),
        0x3c,
    )));
    b.cpu_mut().set_sp(0x25f);
    b
}

/// By port pins: released is high, an output is low.
const BY_HAND: &str = "
        rjmp main
start_: cbi DDRA, 6
        cbi DDRA, 4
        sbi DDRA, 6
        sbi DDRA, 4
        ret
stop_:  sbi DDRA, 6
        cbi DDRA, 4
        cbi DDRA, 6
        ret
send:   ldi r17, 8
next:   lsl r16
        brcs one
        sbi DDRA, 6
        rjmp clock
one:    cbi DDRA, 6
clock:  cbi DDRA, 4
        nop
        sbi DDRA, 4
        dec r17
        brne next
        cbi DDRA, 6
        cbi DDRA, 4
        nop
        nop
        sbis PINA, 6            ; low: acknowledged
        inc r20
        sbi DDRA, 4
        ret
";

/// By the USI as a master: software strobes.
const BY_USI: &str = "
        rjmp main
start_: sbi PORTA, 6
        sbi PORTA, 4
        sbi DDRA, 6
        sbi DDRA, 4
        ldi r18, $ff
        out USIDR, r18
        ldi r18, $2a
        out USICR, r18
        cbi PORTA, 6
        cbi PORTA, 4
        sbi PORTA, 6
        ret
stop_:  cbi PORTA, 6
        sbi PORTA, 4
        nop
        nop
        sbi PORTA, 6
        ret
send:   out USIDR, r16
        ldi r18, $f0
        rcall shift
        cbi DDRA, 6             ; listens for the acknowledgement
        ldi r18, $fe
        rcall shift
        in r19, USIDR
        sbrs r19, 0
        inc r20
        ldi r18, $ff
        out USIDR, r18
        sbi DDRA, 6
        ret
shift:  out USISR, r18
        ldi r18, $2b
more:   out USICR, r18          ; toggles the clock
        nop
        sbis USISR, 6
        rjmp more
        ret
";

#[test]
fn a_display_by_hand_and_by_usi() {
    for (name, wire) in [("hand", BY_HAND), ("USI", BY_USI)] {
        let mut b = display("ATtiny84", wire);
        b.run(50_000);
        assert_eq!(b.pc(), b.address("done"), "{name}");
        let d = b.display().expect("it");
        assert!(d.on(), "{name}");
        assert_eq!(d.unknown(), [0u8; 0]);
        let page: Vec<u8> = (0..6).map(|x| d.memory(3, x)).collect();
        assert_eq!(page, [0, 0, 0xff, 0x81, 0x18, 0], "{name}");
        assert_eq!(d.memory(0, 5), 0x55, "{name}: the column goes on");
        assert_eq!(b.cpu().register(20), 18, "{name}: acknowledged");
        assert!(d.pixel(0, 24) && d.pixel(1, 31) && !d.pixel(2, 24) && d.pixel(2, 27));
        let screen = b.screen();
        assert_eq!((screen.width, screen.height), (128, 64));
        assert_eq!(screen.text.len(), 32);
        assert!(screen.text[12].starts_with('█') || screen.text[12].starts_with('▛'));
    }
}

#[test]
fn a_conversion_takes_its_time() {
    let mut b = start(
        "ATmega328P",
        1_000_000,
        "
        ldi r16, $43
        sts ADMUX, r16          ; channel 3
        ldi r16, $c3            ; on, start, clock by 8
        sts ADCSRA, r16
first:  lds r17, ADCSRA
        sbrs r17, 4
        rjmp first
one:    lds r0, ADC
        lds r1, ADC+1
        ldi r16, $d3
        sts ADCSRA, r16
second: lds r17, ADCSRA
        sbrs r17, 4
        rjmp second
two:    rjmp two",
    );
    b.peripherals_mut().set_analog(3, 0x2a5);
    let (one, two) = (b.address("one"), b.address("two"));
    b.breakpoint(one, true);
    b.breakpoint(two, true);
    b.run(2000);
    assert!((205..215).contains(&b.cycles()), "{}", b.cycles());
    let then = b.cycles();
    b.run(2000);
    assert_eq!([b.cpu().register(0), b.cpu().register(1)], [0xa5, 0x02]);
    assert!(
        (108..122).contains(&(b.cycles() - then)),
        "{}",
        b.cycles() - then
    );
}

#[test]
fn the_comparator_interrupts() {
    let mut b = start(
        "AT90S8515",
        8_000_000,
        "
        rjmp main
        org 12*2
        inc r20
        reti
main:   ldi r16, $0b            ; rising edges
        out ACSR, r16
        ldi r16, 2
        out SPH, r16
        sei
loop:   rjmp loop",
    );
    b.run(50);
    for (n, level) in [(1, true), (1, false), (2, true)] {
        let now = b.cycles();
        b.peripherals_mut().set_comparator(Some(level), now);
        b.run(50);
        assert_eq!(b.cpu().register(20), n);
        assert_eq!(b.io_register("ACSR").expect("it") & 0x20 != 0, level);
    }
}

#[test]
fn eeprom_by_interrupts() {
    let mut b = start(
        "ATmega328P",
        1_000_000,
        "
        jmp main
        org 22*4
        out EEARL, r20
        out EEDR, r20
        sbi EECR, 2
        sbi EECR, 1
        inc r20
        cpi r20, 5
        brne more
        cbi EECR, 3
more:   reti
        org $100
main:   ldi r16, 8
        out SPH, r16
        sbi EECR, 3
        sei
loop:   rjmp loop",
    );
    b.run(4 * 3400 + 200);
    assert_eq!(b.cpu().register(20), 5);
    b.run(3400);
    let bytes: Vec<u8> = (0..6).map(|i| b.peek(0x81_0000 + i)).collect();
    assert_eq!(bytes, [0, 1, 2, 3, 4, 0xff]);
    assert_eq!(b.peripherals().eeprom_writes(), 5);
}

#[test]
fn a_program_writes_its_own_flash() {
    let mut b = start(
        "ATtiny84",
        8_000_000,
        "
        ldi zh, $10             ; page at $1000
        ldi zl, 0
        ldi r17, $34
        mov r0, r17
        ldi r17, $12
        mov r1, r17
        ldi r16, 1              ; fill
        out SPMCSR, r16
        spm
        ldi r16, 3              ; erase
        out SPMCSR, r16
        spm
        ldi r16, 5              ; write
        out SPMCSR, r16
        spm
        lpm r2, z+
        lpm r3, z
        spm                     ; without the window: nothing
loop:   rjmp loop",
    );
    b.run(100_000);
    assert_eq!([b.cpu().register(2), b.cpu().register(3)], [0x34, 0x12]);
    assert_eq!(
        [b.peek(0x1000), b.peek(0x1001), b.peek(0x1002)],
        [0x34, 0x12, 0xff]
    );
}
