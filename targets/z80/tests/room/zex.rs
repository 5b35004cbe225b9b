//! The instruction exercisers ZEXDOC and ZEXALL of Frank D. Cringle: 67 groups
//! each, whose checksums come from a real Z80. The binaries are in the package of
//! the crate iz80, a dev-dependency, and are not part of this project.
//!
//! Each is a run of 5.8 thousand million instructions, a minute or so.

use std::process::Command;

use scrimp_z80::reg;
use scrimp_z80::sim::{Bus, Clock, Cpu, Memory};

/// T-states of a whole run, the calls of CP/M counted as the RET they come to.
/// Known from other exact simulators.
const STATES: u64 = 46_734_977_142;

/// The platform that this was built on, as Rust names it.
fn host() -> String {
    let out = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args(["--print", "host-tuple"])
        .output()
        .expect("rustc runs");
    String::from_utf8(out.stdout).expect("text").trim().into()
}

/// A program of the package iz80.
fn program(name: &str) -> Vec<u8> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let out = Command::new(cargo)
        // What other platforms need is not fetched by a build, so it is not asked for.
        .args(["metadata", "--format-version=1", "--offline"])
        .args(["--filter-platform", &host()])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .output()
        .expect("cargo metadata runs");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "cargo metadata: {said}");
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|p| p["name"] == "iz80").expect("iz80");
    let manifest = package["manifest_path"].as_str().expect("a path");
    let path = std::path::Path::new(manifest)
        .with_file_name("tests/res")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// CP/M as far as the programs use it: a RET at 5, whose fetch is a call, and
/// the end at 0.
struct Cpm {
    memory: Memory,
    /// Where the CPU left the program.
    left: Option<u16>,
}

impl Bus for Cpm {
    #[inline(always)]
    fn read(&mut self, address: u16, clock: &mut Clock) -> u8 {
        self.memory.read(address, clock)
    }

    #[inline(always)]
    fn write(&mut self, address: u16, value: u8, clock: &mut Clock) {
        self.memory.write(address, value, clock);
    }

    #[inline(always)]
    fn fetch(&mut self, address: u16, _: u16, clock: &mut Clock) -> u8 {
        if address < 8 {
            self.left = Some(address);
        }
        self.memory.read(address, clock)
    }
}

/// Runs a program; what it prints and the T-states.
fn run(program: &[u8]) -> (String, u64) {
    let mut bus = Cpm {
        memory: Memory::default(),
        left: None,
    };
    bus.memory.0[0x100..0x100 + program.len()].copy_from_slice(program);
    bus.memory.0[5] = 0xc9;
    let mut cpu = Cpu::new();
    cpu.set_pc(0x100);
    let mut text = String::new();
    loop {
        cpu.run_while(&mut bus, |bus| bus.left.is_none());
        if bus.left.take() == Some(0) {
            // The last instruction ran what stands at 0: a NOP.
            return (text, cpu.now() - 4);
        }
        match cpu.get(reg::C) {
            2 => text.push(cpu.get(reg::E).into()),
            9 => {
                let at = usize::from(cpu.pair(reg::DE));
                let message = bus.memory.0[at..].iter().take_while(|&&b| b != b'$');
                text.extend(message.map(|&b| char::from(b)));
            }
            other => panic!("CP/M function {other}"),
        }
    }
}

/// Runs a program and looks at what it says of each group.
fn passes(name: &str) {
    let begin = std::time::Instant::now();
    let (text, states) = run(&program(name));
    let megahertz = states as f64 / begin.elapsed().as_secs_f64() / 1e6;
    println!("{name}: {megahertz:.0} MHz\n{text}");
    assert!(text.contains("Tests complete"), "{text}");
    assert!(!text.contains("ERROR"), "{text}");
    assert_eq!(text.matches("  OK").count(), 67, "{text}");
    assert_eq!(states, STATES);
}

#[test]
#[ignore = "slow"]
fn slow_zexdoc() {
    passes("zexdoc.com");
}

#[test]
#[ignore = "slow"]
fn slow_zexall() {
    passes("zexall.com");
}
