//! Peripherals of the newer parts, seen through registers, pins and interrupts.

use scrimp_avr::devices::{self, Device, Space};
use scrimp_avr::peripherals::Peripherals;
use scrimp_avr::peripherals::lines::Pin;
use scrimp_avr::sim::{Chip as Core, Clock, Cpu, Io};

/// A device whose registers are written from here, clock by clock.
struct Chip {
    device: &'static Device,
    io: Peripherals,
    now: u64,
}

impl Chip {
    fn new(name: &str) -> Self {
        let device = devices::find(name).expect("a device");
        Self {
            io: Peripherals::new(device, 1_000_000),
            device,
            now: 10,
        }
    }

    fn address(&self, name: &str) -> u16 {
        let all = self.device.registers_in(Space::Data);
        let found = all.iter().find(|p| p.name == name);
        found.unwrap_or_else(|| panic!("{name}")).address as u16
    }

    /// A write at the next clock.
    fn write(&mut self, name: &str, value: u8) {
        self.now += 1;
        let address = self.address(name);
        let mut clock = Clock::at(self.now);
        self.io.write(address, value, &mut clock);
        self.now += u64::from(clock.waits());
    }

    /// Both bytes of a wide register, the low one first.
    fn write16(&mut self, name: &str, value: u16) {
        let address = self.address(name);
        for (n, byte) in value.to_le_bytes().into_iter().enumerate() {
            self.now += 1;
            self.io
                .write(address + n as u16, byte, &mut Clock::at(self.now));
        }
    }

    fn protected(&mut self, name: &str, value: u8) {
        self.write("CPU_CCP", 0xd8);
        self.write(name, value);
    }

    fn read(&mut self, name: &str) -> u8 {
        let address = self.address(name);
        self.io.read(address, &mut Clock::at(self.now))
    }

    fn read16(&mut self, name: &str) -> u16 {
        let address = self.address(name);
        let mut byte = |n| self.io.read(address + n, &mut Clock::at(self.now));
        u16::from_le_bytes([byte(0), byte(1)])
    }

    /// Lets so many clocks pass, with all that is due in them.
    fn pass(&mut self, clocks: u64) {
        self.now += clocks;
        while self.io.next_event() <= self.now {
            let at = self.io.next_event();
            self.io.event(at);
        }
    }

    fn drive(&mut self, pin: &str, level: bool) {
        let pin = Pin::named(pin).expect("a pin");
        self.now += 1;
        self.io.outside(self.now, |l| l.drive(pin, Some(level)));
    }

    fn level(&self, pin: &str) -> bool {
        self.io.lines().level(Pin::named(pin).expect("a pin"))
    }

    /// The vector that is asked for, by name.
    fn asked(&self) -> Option<&'static str> {
        let vector = self.io.interrupt()?.vector;
        let all = &self.device.vectors;
        let found = all.iter().find(|v| v.number == u32::from(vector));
        found.map(|v| v.name)
    }
}

#[test]
fn ports_ask_at_the_edges_that_their_pins_look_for() {
    for name in [
        "ATtiny817",
        "ATmega4809",
        "AVR128DB48",
        "AVR64DD32",
        "AVR64EA48",
    ] {
        let mut c = Chip::new(name);
        c.drive("A1", false);
        c.write("PORTA_PIN1CTRL", 2);
        assert_eq!(c.asked(), None, "{name}");
        c.drive("A1", true);
        assert_eq!(c.asked(), Some("PORTA_PORT"), "{name}");
        assert_eq!(c.read("VPORTA_INTFLAGS"), 2, "{name}");
        c.write("PORTA_INTFLAGS", 2);
        c.drive("A1", false);
        assert_eq!(c.asked(), None, "{name}");
        // A low level asks as long as it is there.
        c.write("PORTA_PIN1CTRL", 5);
        assert_eq!(c.asked(), Some("PORTA_PORT"), "{name}");
        c.write("PORTA_INTFLAGS", 2);
        assert_eq!(c.asked(), Some("PORTA_PORT"), "{name}");
        c.drive("A1", true);
        c.write("PORTA_INTFLAGS", 2);
        assert_eq!(c.asked(), None, "{name}");
    }
}

#[test]
fn interrupts_have_levels_and_turns() {
    let mut c = Chip::new("ATmega4809");
    for pin in ["A0", "C0"] {
        c.drive(pin, false);
    }
    c.write("PORTA_PIN0CTRL", 2);
    c.write("PORTC_PIN0CTRL", 2);
    for pin in ["A0", "C0"] {
        c.drive(pin, true);
    }
    assert_eq!(c.asked(), Some("PORTA_PORT"));
    let vector = |c: &Chip, name: &str| {
        let found = c.device.vectors.iter().find(|v| v.name == name);
        found.expect("a vector").number as u8
    };
    let (a, of_c) = (vector(&c, "PORTA_PORT"), vector(&c, "PORTC_PORT"));
    // While one is served no other of its level is.
    c.io.acknowledge(a, c.now);
    assert_eq!((c.asked(), c.read("CPUINT_STATUS")), (None, 1));
    // One of the higher level is.
    c.write("CPUINT_LVL1VEC", of_c);
    assert_eq!(c.asked(), Some("PORTC_PORT"));
    c.io.acknowledge(of_c, c.now);
    assert_eq!((c.asked(), c.read("CPUINT_STATUS")), (None, 3));
    c.io.returned(c.now);
    c.write("PORTC_INTFLAGS", 1);
    c.io.returned(c.now);
    assert_eq!(
        (c.asked(), c.read("CPUINT_STATUS")),
        (Some("PORTA_PORT"), 0)
    );
    // In turns the one served last comes last.
    c.write("CPUINT_LVL1VEC", 0);
    c.protected("CPUINT_CTRLA", 1);
    c.drive("C0", false);
    c.drive("C0", true);
    c.io.acknowledge(a, c.now);
    c.io.returned(c.now);
    assert_eq!(c.asked(), Some("PORTC_PORT"));
}

#[test]
fn protected_registers_want_their_key() {
    let mut c = Chip::new("ATtiny1616");
    assert_eq!(c.read("CLKCTRL_MCLKCTRLB"), 0x11);
    c.write("CLKCTRL_MCLKCTRLB", 0);
    assert_eq!(
        (c.read("CLKCTRL_MCLKCTRLB"), c.io.hertz()),
        (0x11, 1_000_000)
    );
    c.protected("CLKCTRL_MCLKCTRLB", 0);
    assert_eq!((c.read("CLKCTRL_MCLKCTRLB"), c.io.hertz()), (0, 6_000_000));
    let mut c = Chip::new("AVR128DA48");
    c.write("CPU_CCP", 0xd8);
    c.now += 30;
    c.write("RSTCTRL_SWRR", 1);
    c.pass(10);
    assert!(!c.io.reset());
    c.protected("RSTCTRL_SWRR", 1);
    c.pass(10);
    assert!(c.io.reset());
    assert_eq!(c.read("RSTCTRL_RSTFR"), 0x10);
}

#[test]
fn the_watchdog_bites_unless_it_is_fed() {
    for name in ["ATtiny402", "AVR32EA28"] {
        let mut c = Chip::new(name);
        // 64 cycles of 1,024 Hz.
        c.protected("WDT_CTRLA", 4);
        c.pass(60_000);
        assert!(!c.io.reset(), "{name}");
        c.io.watchdog(c.now);
        c.pass(60_000);
        assert!(!c.io.reset(), "{name}");
        c.pass(10_000);
        assert!(c.io.reset(), "{name}");
        assert_eq!(c.read("RSTCTRL_RSTFR"), 0x08, "{name}");
    }
}

/// An interrupt in each period of TCB0 turns a pin over: it is served, and ends.
#[test]
fn a_program_serves_interrupts() {
    let (device, mut io) = {
        let c = Chip::new("ATmega4809");
        (c.device, c.io)
    };
    let mut flash = vec![0; 0x30];
    // jmp main; at the vector jmp isr; main: PORTA_DIRSET, CCMP = 99, INTCTRL, CTRLA, sei,
    // a loop; isr: OUTTGL, INTFLAGS, reti.
    flash[..4].copy_from_slice(&[0x0c, 0x94, 0x1a, 0x00]);
    flash.extend([0x0c, 0x94, 0x28, 0x00, 0x81, 0xe0, 0x80, 0x93, 0x01, 0x04]);
    flash.extend([0x03, 0xe6, 0x00, 0x93, 0x8c, 0x0a, 0x10, 0x92, 0x8d, 0x0a]);
    flash.extend([0x80, 0x93, 0x85, 0x0a, 0x80, 0x93, 0x80, 0x0a, 0x78, 0x94]);
    flash.extend([0xff, 0xcf, 0x80, 0x93, 0x07, 0x04, 0x80, 0x93, 0x86, 0x0a]);
    flash.extend([0x18, 0x95]);
    let mut cpu = Cpu::new(Core::of(device), &flash);
    let pin = Pin::named("A0").expect("a pin");
    let (mut turns, mut level) = (0, false);
    for clock in 1..=2_000 {
        cpu.run(&mut io, clock);
        let now = io.lines().level(pin);
        turns += u32::from(now != level);
        level = now;
    }
    assert!((19..=20).contains(&turns), "{turns}");
}

#[test]
fn tca_counts_matches_and_makes_pulses() {
    for (name, pin) in [
        ("ATmega4809", "A0"),
        ("ATtiny817", "B0"),
        ("AVR64DD32", "A0"),
    ] {
        let mut c = Chip::new(name);
        c.write(&format!("PORT{}_DIRSET", &pin[..1]), 1);
        c.write16("TCA0_SINGLE_PER", 99);
        c.write16("TCA0_SINGLE_CMP0", 25);
        c.write("TCA0_SINGLE_CTRLB", 0x13);
        c.write("TCA0_SINGLE_INTCTRL", 0x11);
        c.write("TCA0_SINGLE_CTRLA", 1);
        let begin = c.now + 1;
        let mut high = 0;
        for _ in 0..1000 {
            c.pass(1);
            high += u32::from(c.level(pin));
        }
        assert!((245..=255).contains(&high), "{name}: {high}");
        assert_eq!(
            u64::from(c.read16("TCA0_SINGLE_CNT")),
            (c.now - begin) % 100,
            "{name}"
        );
        assert_eq!(c.read("TCA0_SINGLE_INTFLAGS"), 0x11 | 0x60, "{name}");
        assert!(
            matches!(c.asked(), Some("TCA0_LUNF" | "TCA0_OVF")),
            "{name}"
        );
        c.write("TCA0_SINGLE_INTFLAGS", 0x71);
        assert_eq!(c.asked(), None, "{name}");
        // A buffered period counts from the turn on.
        c.write16("TCA0_SINGLE_PERBUF", 9);
        assert_eq!(c.read16("TCA0_SINGLE_PER"), 99, "{name}");
        c.pass(100);
        assert_eq!(c.read16("TCA0_SINGLE_PER"), 9, "{name}");
    }
}

#[test]
fn tca_split_is_two_timers_of_eight_bits() {
    let mut c = Chip::new("AVR128DB48");
    c.write("TCA0_SPLIT_CTRLD", 1);
    c.write("TCA0_SPLIT_LPER", 9);
    c.write("TCA0_SPLIT_HPER", 29);
    c.write("TCA0_SPLIT_INTCTRL", 3);
    c.write("TCA0_SPLIT_CTRLA", 1);
    c.pass(12);
    assert_eq!(c.read("TCA0_SPLIT_INTFLAGS") & 3, 3);
    c.write("TCA0_SPLIT_INTFLAGS", 3);
    c.pass(12);
    assert_eq!(c.read("TCA0_SPLIT_INTFLAGS") & 3, 1);
}

#[test]
fn tcb_asks_in_periods_and_measures_pulses() {
    for name in ["ATtiny817", "ATmega4809", "AVR64EA48"] {
        let mut c = Chip::new(name);
        c.write16("TCB0_CCMP", 99);
        c.write("TCB0_INTCTRL", 1);
        c.write("TCB0_CTRLA", 1);
        c.pass(99);
        assert_eq!(c.asked(), None, "{name}");
        c.pass(2);
        assert_eq!(c.asked(), Some("TCB0_INT"), "{name}");
        c.write("TCB0_INTFLAGS", 1);
        c.pass(97);
        assert_eq!(c.asked(), None, "{name}");
        c.pass(2);
        assert_eq!(c.asked(), Some("TCB0_INT"), "{name}");
    }
    // The width of a pulse at a pin, by the event system.
    let mut c = Chip::new("AVR128DB48");
    c.drive("A3", false);
    c.write("EVSYS_CHANNEL0", 0x43);
    c.write("EVSYS_USERTCB0CAPT", 1);
    c.write("TCB0_EVCTRL", 1);
    c.write("TCB0_CTRLB", 4);
    c.write("TCB0_CTRLA", 1);
    c.pass(50);
    c.drive("A3", true);
    c.pass(122);
    c.drive("A3", false);
    assert_eq!(c.read("TCB0_INTFLAGS"), 1);
    assert_eq!(c.read16("TCB0_CCMP"), 123);
    assert_eq!(c.read("TCB0_INTFLAGS"), 0);
}

#[test]
fn events_count_and_strobe() {
    let mut c = Chip::new("ATmega4809");
    // TCA0 counts what channel 0 strobes.
    c.write("EVSYS_USERTCA0", 1);
    c.write("TCA0_SINGLE_EVCTRL", 1);
    c.write("TCA0_SINGLE_CTRLA", 1);
    for _ in 0..5 {
        c.write("EVSYS_STROBE", 1);
    }
    c.write("EVSYS_STROBE", 2);
    assert_eq!(c.read16("TCA0_SINGLE_CNT"), 5);
    // An overflow of TCB1 by another channel.
    let mut c = Chip::new("AVR128DB48");
    c.write("EVSYS_CHANNEL1", 0xa2);
    c.write("EVSYS_USERTCA0CNTA", 2);
    c.write("TCA0_SINGLE_EVCTRL", 1);
    c.write("TCA0_SINGLE_CTRLA", 1);
    c.write16("TCB1_CCMP", 9);
    c.write("TCB1_CTRLA", 1);
    c.pass(101);
    assert_eq!(c.read16("TCA0_SINGLE_CNT"), 10);
}

/// Bits of a line at the middle of each, from its first low level on.
fn frame(c: &mut Chip, pin: &str, bit: u64, count: usize) -> Vec<bool> {
    while c.level(pin) {
        c.pass(1);
    }
    c.pass(bit / 2);
    let mut out = Vec::new();
    for _ in 0..count {
        out.push(c.level(pin));
        c.pass(bit);
    }
    out
}

#[test]
fn usarts_send_and_receive_on_the_pins_of_their_route() {
    for (name, txd, rxd, other) in [
        ("ATmega4809", "A0", "A1", Some("A4")),
        ("AVR64DD32", "A0", "A1", Some("A4")),
        ("ATtiny817", "B2", "B3", Some("A1")),
        ("ATtiny402", "A6", "A7", None),
    ] {
        let mut c = Chip::new(name);
        c.drive(rxd, true);
        // A bit of 40 clocks.
        c.write16("USART0_BAUD", 160);
        let bit = 1 << (txd.as_bytes()[1] - b'0');
        c.write(&format!("PORT{}_DIRSET", &txd[..1]), bit);
        c.write("USART0_CTRLB", 0xc0);
        assert!(c.level(txd), "{name}");
        assert_eq!(c.read("USART0_STATUS"), 0x20, "{name}");
        c.write("USART0_TXDATAL", 0x35);
        let sent = frame(&mut c, txd, 40, 10);
        let wanted = [0, 1, 0, 1, 0, 1, 1, 0, 0, 1].map(|b| b == 1);
        assert_eq!(sent, wanted, "{name}");
        assert_eq!(c.read("USART0_STATUS") & 0x60, 0x60, "{name}");
        c.write("USART0_CTRLA", 0x80);
        for level in [0, 1, 1, 0, 0, 1, 0, 1, 0, 1] {
            c.drive(rxd, level == 1);
            c.pass(39);
        }
        assert_eq!(c.asked(), Some("USART0_RXC"), "{name}");
        assert_eq!(c.read("USART0_RXDATAH"), 0x80, "{name}");
        assert_eq!(c.read("USART0_RXDATAL"), 0x53, "{name}");
        assert_eq!(c.asked(), None, "{name}");
        if let Some(other) = other {
            let port = match c.device.register("PORTMUX_USARTROUTEA") {
                Some(_) => "PORTMUX_USARTROUTEA",
                None => "PORTMUX_CTRLB",
            };
            c.write(port, 1);
            let bit = 1 << (other.as_bytes()[1] - b'0');
            c.write(&format!("PORT{}_DIRSET", &other[..1]), bit);
            assert!(c.level(other), "{name}");
            c.write("USART0_TXDATAL", 0xff);
            c.pass(5);
            assert!(!c.level(other), "{name}");
        }
    }
}

#[test]
fn two_bytes_wait_and_the_third_is_lost() {
    let mut c = Chip::new("AVR32EB28");
    // What is sent is received.
    c.write16("USART0_BAUD", 64);
    c.write("USART0_CTRLA", 0x08);
    c.write("USART0_CTRLB", 0xc0);
    for byte in 1..=3 {
        c.write("USART0_TXDATAL", byte);
        c.pass(200);
    }
    assert_eq!(c.read("USART0_RXDATAH"), 0xc0);
    assert_eq!((c.read("USART0_RXDATAL"), c.read("USART0_RXDATAL")), (1, 2));
    assert_eq!(c.read("USART0_STATUS") & 0x80, 0);
}

#[test]
fn rtc_and_pit_count_the_slow_clock() {
    for name in ["ATtiny1616", "ATmega4809", "AVR64DD32"] {
        let mut c = Chip::new(name);
        c.write16("RTC_PER", 32_767);
        c.write("RTC_INTCTRL", 1);
        c.write("RTC_CTRLA", 1);
        // A period of 64 cycles.
        c.write("RTC_PITINTCTRL", 1);
        c.write("RTC_PITCTRLA", 5 << 3 | 1);
        c.pass(1_900);
        assert_eq!(c.asked(), None, "{name}");
        c.pass(60);
        assert_eq!(c.asked(), Some("RTC_PIT"), "{name}");
        c.write("RTC_PITCTRLA", 0);
        c.write("RTC_PITINTFLAGS", 1);
        c.pass(500_000 - 1_960);
        let count = c.read16("RTC_CNT");
        assert!((16_380..=16_386).contains(&count), "{name}: {count}");
        c.pass(499_000);
        assert_eq!(c.asked(), None, "{name}");
        c.pass(1_200);
        assert_eq!(c.asked(), Some("RTC_CNT"), "{name}");
    }
}

#[test]
fn spi_shifts_with_a_client_that_answers() {
    let mut c = Chip::new("ATmega4809");
    c.write("PORTA_DIRSET", 0xd0);
    c.drive("A5", true);
    c.write("SPI0_CTRLB", 4);
    // Host, a quarter of the clock.
    c.write("SPI0_CTRLA", 0x21);
    c.write("SPI0_INTCTRL", 1);
    c.write("SPI0_DATA", 0xa5);
    let mut sent = 0u8;
    let mut clock = false;
    for _ in 0..60 {
        c.pass(1);
        let high = c.level("A6");
        if high && !clock {
            sent = sent << 1 | u8::from(c.level("A4"));
        }
        clock = high;
    }
    assert_eq!(sent, 0xa5);
    assert_eq!(c.asked(), Some("SPI0_INT"));
    assert_eq!(c.read("SPI0_INTFLAGS"), 0x80);
    assert_eq!(c.read("SPI0_DATA"), 0xff);
    assert_eq!(c.read("SPI0_INTFLAGS"), 0);
}

#[test]
fn spi_is_a_client() {
    let mut c = Chip::new("AVR128DB48");
    c.write("PORTA_DIRSET", 0x20);
    for (pin, level) in [("A4", false), ("A6", false), ("A7", true)] {
        c.drive(pin, level);
    }
    c.write("SPI0_CTRLA", 1);
    c.write("SPI0_DATA", 0x9c);
    c.drive("A7", false);
    let mut got = 0u8;
    for bit in (0..8).rev() {
        c.drive("A4", 0x3au8 >> bit & 1 == 1);
        c.drive("A6", true);
        got = got << 1 | u8::from(c.level("A5"));
        c.drive("A6", false);
    }
    c.drive("A7", true);
    assert_eq!(got, 0x9c);
    assert_eq!(c.read("SPI0_DATA"), 0x3a);
}

/// Two lines with pull-ups.
fn bus(c: &mut Chip, pins: [&str; 2]) {
    for pin in pins {
        let pin = Pin::named(pin).expect("a pin");
        c.io.outside(c.now, |l| l.pull(pin, true));
    }
}

/// One chip is the host, another the client: what changes on the lines of one is put on
/// those of the other.
fn together(host: &mut Chip, client: &mut Chip, pins: [&str; 2], clocks: u64) {
    for _ in 0..clocks {
        for c in [&mut *host, &mut *client] {
            c.pass(1);
        }
        // Wired and: a line is low when one of them pulls it; both change at once.
        let own = pins.map(|name| Pin::named(name).expect("a pin"));
        let low = |c: &Chip| own.map(|pin| c.io.lines().driven(pin));
        let (of_host, of_client) = (low(host), low(client));
        for (c, others) in [(&mut *host, of_client), (&mut *client, of_host)] {
            c.io.outside(c.now, |l| {
                for (pin, low) in own.into_iter().zip(others) {
                    l.drive(pin, low.then_some(false));
                }
            });
        }
    }
}

#[test]
fn twi_host_and_client_talk() {
    let pins = ["A2", "A3"];
    let (mut h, mut c) = (Chip::new("ATmega4809"), Chip::new("AVR64DD32"));
    for chip in [&mut h, &mut c] {
        bus(chip, pins);
    }
    // Of AVR DD the client is on the host's pins unless it has its own.
    c.write("TWI0_SADDR", 0x42 << 1);
    c.write("TWI0_SCTRLA", 0xe1);
    h.write("TWI0_MBAUD", 10);
    h.write("TWI0_MCTRLA", 1);
    h.write("TWI0_MSTATUS", 1);
    let both = |h: &mut Chip, c: &mut Chip| together(h, c, pins, 600);
    // Somebody else's address is refused.
    h.write("TWI0_MADDR", 0x41 << 1);
    both(&mut h, &mut c);
    assert_eq!(h.read("TWI0_MSTATUS") & 0xf3, 0x72);
    assert_eq!(c.read("TWI0_SSTATUS") & 0xc0, 0);
    h.write("TWI0_MCTRLB", 3);
    both(&mut h, &mut c);
    assert_eq!(h.read("TWI0_MSTATUS") & 3, 1);
    // A byte to the client.
    h.write("TWI0_MADDR", 0x42 << 1);
    both(&mut h, &mut c);
    assert_eq!(c.read("TWI0_SSTATUS") & 0x43, 0x41);
    assert_eq!(h.read("TWI0_MSTATUS") & 0xc0, 0, "the clock is held");
    c.write("TWI0_SCTRLB", 3);
    both(&mut h, &mut c);
    assert_eq!(h.read("TWI0_MSTATUS") & 0xf3, 0x62);
    h.write("TWI0_MDATA", 0x5a);
    both(&mut h, &mut c);
    assert_eq!(
        (c.read("TWI0_SSTATUS") & 0x80, c.read("TWI0_SDATA")),
        (0x80, 0x5a)
    );
    c.write("TWI0_SCTRLB", 3);
    both(&mut h, &mut c);
    assert_eq!(h.read("TWI0_MSTATUS") & 0xf3, 0x62);
    // A start again, and two bytes back.
    h.write("TWI0_MADDR", 0x42 << 1 | 1);
    both(&mut h, &mut c);
    assert_eq!(c.read("TWI0_SSTATUS") & 0x43, 0x43);
    c.write("TWI0_SCTRLB", 3);
    both(&mut h, &mut c);
    for byte in [0xc3, 0x18] {
        assert_eq!(c.read("TWI0_SSTATUS") & 0x80, 0x80);
        c.write("TWI0_SDATA", byte);
        both(&mut h, &mut c);
        assert_eq!(h.read("TWI0_MSTATUS") & 0xa3, 0xa2);
        assert_eq!(h.read("TWI0_MDATA"), byte);
        // The last one is not acknowledged.
        h.write("TWI0_MCTRLB", if byte == 0xc3 { 2 } else { 7 });
        both(&mut h, &mut c);
    }
    assert_eq!(h.read("TWI0_MSTATUS") & 3, 1);
    c.write("TWI0_SCTRLB", 2);
    both(&mut h, &mut c);
    assert!(pins.iter().all(|p| h.level(p)));
}

#[test]
fn the_eeprom_takes_commands_of_its_family() {
    // A page buffer and a command.
    for name in ["ATtiny817", "ATmega4809"] {
        let mut c = Chip::new(name);
        let store = |c: &mut Chip, at: u16, value| {
            c.now += 1;
            c.io.write(0x1400 + at, value, &mut Clock::at(c.now));
        };
        store(&mut c, 3, 0x12);
        store(&mut c, 5, 0x34);
        assert_eq!(c.io.eeprom()[3], 0xff, "{name}");
        c.write("CPU_CCP", 0x9d);
        c.write("NVMCTRL_CTRLA", 3);
        assert_eq!(c.io.eeprom()[3..6], [0x12, 0xff, 0x34], "{name}");
        assert_eq!(c.read("NVMCTRL_STATUS") & 2, 2, "{name}");
        c.pass(10_000);
        assert_eq!(c.read("NVMCTRL_STATUS") & 2, 0, "{name}");
    }
    // A command and stores.
    let mut c = Chip::new("AVR128DB48");
    c.write("CPU_CCP", 0x9d);
    c.write("NVMCTRL_CTRLA", 0x13);
    c.now += 1;
    c.io.write(0x1400, 0x77, &mut Clock::at(c.now));
    assert_eq!(c.io.eeprom()[0], 0x77);
    let status = c.read("NVMCTRL_STATUS");
    assert_ne!(status & 3, 0);
    assert_eq!(c.io.read(0x1400, &mut Clock::at(c.now)), 0x77);
}

#[test]
fn spi_of_the_classic_parts_is_a_slave() {
    let mut c = Chip::new("ATmega328P");
    c.write("DDRB", 0x10);
    for (pin, level) in [("B3", false), ("B5", false), ("B2", true)] {
        c.drive(pin, level);
    }
    c.write("SPCR", 0xc0);
    c.write("SPDR", 0x9c);
    c.drive("B2", false);
    let mut got = 0u8;
    for bit in (0..8).rev() {
        c.drive("B3", 0x3au8 >> bit & 1 == 1);
        c.drive("B5", true);
        got = got << 1 | u8::from(c.level("B4"));
        c.drive("B5", false);
    }
    assert_eq!(got, 0x9c);
    assert_eq!(c.read("SPSR") & 0x80, 0x80);
    assert_eq!(c.read("SPDR"), 0x3a);
    assert_eq!(c.read("SPSR") & 0x80, 0);
    c.drive("B2", true);
    assert!(!c.io.lines().driven(Pin::named("B4").expect("a pin")));
}

#[test]
fn twi_of_the_classic_parts_is_master_and_slave() {
    let pins = ["C4", "C5"];
    let (mut m, mut s) = (Chip::new("ATmega328P"), Chip::new("ATmega328P"));
    for chip in [&mut m, &mut s] {
        bus(chip, pins);
    }
    m.write("TWBR", 4);
    s.write("TWAR", 0x42 << 1);
    s.write("TWCR", 0x44);
    let code = |c: &mut Chip| (c.read("TWCR") & 0x80 != 0).then(|| c.read("TWSR") & 0xf8);
    /// Writes to the control register of one of them; gives both codes then.
    macro_rules! go {
        ($chip:ident, $value:expr) => {{
            $chip.write("TWCR", $value);
            together(&mut m, &mut s, pins, 600);
            (code(&mut m), code(&mut s))
        }};
    }
    assert_eq!(go!(m, 0xa4), (Some(0x08), None));
    m.write("TWDR", 0x41 << 1);
    assert_eq!(go!(m, 0x84), (Some(0x20), None));
    assert_eq!(go!(m, 0x94), (None, None));
    assert_eq!(m.read("TWCR") & 0x10, 0);
    assert_eq!(go!(m, 0xa4), (Some(0x08), None));
    m.write("TWDR", 0x42 << 1);
    assert_eq!(go!(m, 0x84), (Some(0x18), Some(0x60)));
    m.write("TWDR", 0x5a);
    // The slave holds the clock until it has taken the address.
    assert_eq!(go!(m, 0x84), (None, Some(0x60)));
    assert_eq!(go!(s, 0xc4), (Some(0x28), Some(0x80)));
    assert_eq!(s.read("TWDR"), 0x5a);
    assert_eq!(go!(s, 0xc4), (Some(0x28), None));
    assert_eq!(go!(m, 0xa4), (Some(0x10), Some(0xa0)));
    assert_eq!(go!(s, 0xc4), (Some(0x10), None));
    m.write("TWDR", 0x42 << 1 | 1);
    assert_eq!(go!(m, 0x84), (Some(0x40), Some(0xa8)));
    s.write("TWDR", 0xc3);
    assert_eq!(go!(s, 0xc4), (Some(0x40), None));
    assert_eq!(go!(m, 0xc4), (Some(0x50), Some(0xb8)));
    assert_eq!(m.read("TWDR"), 0xc3);
    s.write("TWDR", 0x18);
    assert_eq!(go!(s, 0xc4), (Some(0x50), None));
    assert_eq!(go!(m, 0x84), (Some(0x58), Some(0xc0)));
    assert_eq!(m.read("TWDR"), 0x18);
    assert_eq!(go!(s, 0xc4), (Some(0x58), None));
    assert_eq!(go!(m, 0x94), (None, None));
    assert!(pins.iter().all(|p| m.level(p) && s.level(p)));
}
