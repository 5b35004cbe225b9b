//! Assembles a program for a device and starts it.

use std::fmt::Write;

use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};
use scrimp_avr::{AvrSimulation, devices};

/// Assembles, with the names of the device's registers (I/O addresses where there is
/// one) and bits.
pub fn assemble(device: &str, source: &str) -> Output {
    let found = devices::find(device).expect("a device");
    let mut text = String::new();
    let mut seen = std::collections::HashSet::new();
    let mut symbol = |name: &str, value: u32| {
        if seen.insert(name.to_owned()) && name.len() > 1 {
            let _ = writeln!(text, "{name} equ {value}");
        }
    };
    for placed in found.registers() {
        let value = |a| found.io_address(a).unwrap_or(a);
        symbol(&placed.name, value(placed.address));
        if placed.register.size == 2 {
            symbol(&format!("{}L", placed.name), value(placed.address));
            symbol(&format!("{}H", placed.name), value(placed.address + 1));
        }
        for field in &placed.register.fields {
            for (name, position) in field.bits() {
                symbol(&name, position % 8);
            }
        }
    }
    // Some have only one byte of it.
    symbol("EEARL", text_value(found, "EEAR"));
    text.push_str(source);
    let job = Job {
        file: "main.asm".into(),
        target: scrimp::targets::by_name("avr").expect("the AVR"),
        machine: scrimp::targets::by_name("avr").and_then(|t| t.machine(device)),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    scrimp::assemble(&job, &loader)
}

fn text_value(device: &devices::Device, name: &str) -> u32 {
    let placed = device.register(name).expect("a register");
    device.io_address(placed.address).unwrap_or(placed.address)
}

/// Assembles and starts.
#[track_caller]
pub fn start(device: &str, hertz: u64, source: &str) -> AvrSimulation {
    let out = assemble(device, source);
    let findings: Vec<_> = out
        .diagnostics
        .iter()
        .map(|d| (&d.message, d.span))
        .collect();
    let image = out.image.unwrap_or_else(|| panic!("{findings:#?}"));
    let mut b = AvrSimulation::new(device, hertz).expect("a device");
    for chunk in &image.chunks {
        b.load(chunk.address, &chunk.bytes).expect("it fits");
    }
    LABELS.with_borrow_mut(|labels| {
        labels.clear();
        for s in &image.symbols {
            labels.push((s.name.to_string(), s.value as u64));
        }
    });
    b
}

thread_local! {
    /// Labels of the program that was started last.
    static LABELS: std::cell::RefCell<Vec<(String, u64)>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Labels by name.
pub trait Bench {
    fn address(&self, label: &str) -> u64;
}

impl Bench for AvrSimulation {
    fn address(&self, label: &str) -> u64 {
        LABELS.with_borrow(|l| l.iter().find(|(n, _)| n == label).expect("a label").1)
    }
}
