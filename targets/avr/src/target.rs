//! The AVR as the engine sees it.

use std::borrow::Cow;
use std::sync::LazyLock;

use scrimp_isa::decode::Decoded;
use scrimp_isa::target::{Part, RuleBase};
use scrimp_isa::{
    Advice, Decoder, Elf, Form, ImageView, Machine, Operand, Relax, Semantics, Space, Target,
};

use crate::advice;
use crate::devices;
use crate::features;
use crate::machine::DeviceMachine;
use crate::memories::{DATA, FLASH};
use crate::op::Op;
use crate::operands::{ALIASES, OPERANDS};
use crate::table::FORMS;

/// The instruction set of the AVR.
#[derive(Clone, Copy, Debug, Default)]
pub struct AVR;

/// The AVR's number in ELF files.
const EM_AVR: u16 = 83;

/// Features where no device is chosen: all, with the encoding of the full core.
pub const ALL: u32 = !features::RC;

/// The decoder over the table.
pub fn decoder() -> &'static Decoder {
    static DECODER: LazyLock<Decoder> =
        LazyLock::new(|| Decoder::new(FORMS, OPERANDS).space(FLASH).features(ALL));
    &DECODER
}

/// Decodes with the features of a device.
pub fn decode(bytes: &[u8], address: u64, on: u32) -> Option<Decoded> {
    let mut found = decoder().decode_on(bytes, address, on)?;
    if on & features::RC != 0 && advice::low_register(found.form as u16, bytes).is_some() {
        // The reduced core has no such register: the word means nothing.
        return None;
    }
    let op = Op::ALL[usize::from(FORMS[found.form].op)];
    if matches!(op, Op::Lds | Op::Sts) {
        found.refers_to = found.refers_to.map(|a| a + DATA);
    }
    Some(found)
}

impl Target for AVR {
    fn name(&self) -> &'static str {
        "avr"
    }

    fn title(&self) -> &'static str {
        "AVR, all cores"
    }

    fn forms(&self) -> &'static [Form] {
        FORMS
    }

    fn operands(&self) -> &'static [Operand] {
        OPERANDS
    }

    fn word_aliases(&self) -> &'static [(&'static str, &'static str)] {
        ALIASES
    }

    /// `call` is an instruction here, so the call that relaxes is `gosub`.
    fn relax(&self) -> &'static [Relax] {
        &[
            Relax {
                name: "jump",
                tries: &["rjmp", "jmp"],
            },
            Relax {
                name: "gosub",
                tries: &["rcall", "call"],
            },
        ]
    }

    fn address_space(&self) -> u64 {
        FLASH
    }

    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        decode(bytes, address, ALL)
    }

    fn decode_on(
        &self,
        bytes: &[u8],
        address: u64,
        machine: Option<&dyn Machine>,
    ) -> Option<Decoded> {
        decode(bytes, address, machine.map_or(ALL, |m| m.features()))
    }

    fn rules(&self) -> RuleBase {
        RuleBase {
            rules: include_str!("rules.txt"),
            certificates: include_str!("rules.certificates"),
        }
    }

    fn semantics(&self, machine: Option<&dyn Machine>) -> Option<Box<dyn Semantics>> {
        Some(Box::new(crate::meaning::Meaning::on(machine)))
    }

    /// Linear addresses as GNU tools and avrdude use them.
    fn spaces(&self) -> &'static [Space] {
        const fn space(name: &'static str, base: u64, size: u64, unit: u8, stored: bool) -> Space {
            Space {
                name,
                base,
                size,
                unit,
                stored,
            }
        }
        const SPACES: &[Space] = &[
            space("flash", 0, FLASH, 2, true),
            space("data", DATA, 0x1_0000, 1, false),
            space("eeprom", 0x81_0000, 0x1_0000, 1, true),
            space("fuse", 0x82_0000, 0x1_0000, 1, true),
            space("lock", 0x83_0000, 0x1_0000, 1, true),
            space("signature", 0x84_0000, 0x1_0000, 1, true),
        ];
        SPACES
    }

    fn features(&self) -> &'static [&'static str] {
        FEATURE_NAMES
    }

    fn default_features(&self) -> u32 {
        ALL
    }

    fn part_features(&self, p: &Part<'_>) -> Option<u32> {
        crate::part::features(p.known, p.core, p.lacks, p.has, p.flash)
    }

    fn instead(&self, form: u16, machine: &dyn Machine) -> Option<String> {
        advice::instead(form, machine)
    }

    fn meant(&self, mnemonic: &str, operands: &[&str]) -> Option<String> {
        crate::meant::meant(mnemonic, operands)
    }

    fn reach(&self, operand: &str) -> Option<&'static str> {
        advice::reach(operand)
    }

    fn check(&self, form: u16, word: u64, machine: Option<&dyn Machine>) -> Option<Advice> {
        advice::check(form, word, machine)
    }

    /// None is at hand before it is asked for: there are hundreds.
    fn machines(&self) -> &'static [&'static dyn Machine] {
        &[]
    }

    fn machine(&self, name: &str) -> Option<&'static dyn Machine> {
        DeviceMachine::named(name).map(|m| m as &dyn Machine)
    }

    fn usual_machine(&self) -> Option<&'static dyn Machine> {
        self.machine("attiny85")
    }

    fn machine_names(&self) -> Vec<&'static str> {
        devices::names()
    }

    fn library(&self, path: &str, machine: Option<&dyn Machine>) -> Option<Cow<'static, str>> {
        if let Some(text) = devices::avrasm_include(path) {
            return Some(text.into());
        }
        let device = devices::find(machine?.name())?;
        if path.eq_ignore_ascii_case(devices::NATIVE_PATH) {
            return Some(devices::native_include(device).into());
        }
        devices::gnu_include(path, device).map(Cow::Owned)
    }

    fn vectors(&self, machine: Option<&dyn Machine>) -> Vec<std::ops::Range<u64>> {
        let device = machine.and_then(|m| devices::find(m.name()));
        let end = device.map_or(4, |d| d.vector_count() * d.vector_bytes);
        std::iter::once(0..u64::from(end)).collect()
    }

    fn library_dialect(&self, path: &str) -> Option<&'static str> {
        devices::avrasm_include(path).map(|_| "avrasm2")
    }

    fn near_files(&self, path: &str) -> Vec<String> {
        let lower = path.to_ascii_lowercase();
        let native = lower.starts_with("avr/") || lower.ends_with("device.asm");
        match native && lower.ends_with(".asm") {
            true => vec![devices::NATIVE_PATH.to_owned()],
            false => devices::near_includes(path),
        }
    }

    fn library_with(
        &self,
        name: &str,
        dialect: &str,
        machine: Option<&dyn Machine>,
    ) -> Option<String> {
        let device = devices::find(machine.map_or("atmega328p", |m| m.name()))?;
        devices::include_with(name, dialect, device)
    }

    fn near_machines(&self, name: &str) -> Vec<&'static str> {
        devices::near(name)
    }

    fn elf(&self, machine: Option<&dyn Machine>) -> Option<Elf> {
        let device = machine.and_then(|m| devices::find(m.name()));
        Some(Elf {
            machine: EM_AVR,
            flags: device.map_or(2, |d| d.group.number()),
        })
    }

    /// What simavr reads: the part's name in a field of 64 bytes, and the clock, which
    /// `F_CPU` names where the board does not. A tag and a length come before each.
    fn elf_note(
        &self,
        machine: &dyn Machine,
        clock: Option<u64>,
        image: &dyn ImageView,
    ) -> Option<(&'static str, Vec<u8>)> {
        const NAME: u8 = 1;
        const FREQUENCY: u8 = 2;
        const FIELD: usize = 64;
        let mut out = vec![NAME, FIELD as u8];
        out.extend(machine.name().bytes());
        out.resize(2 + FIELD, 0);
        let said = || u64::try_from(image.symbol("F_CPU")?).ok();
        let hertz = clock.or_else(said).and_then(|c| u32::try_from(c).ok());
        if let Some(hertz) = hertz.filter(|&h| h > 0) {
            out.extend([FREQUENCY, 4]);
            out.extend(hertz.to_le_bytes());
        }
        Some((".mmcu", out))
    }

    /// What programmers take.
    fn usual_format(&self) -> &'static str {
        "hex"
    }

    fn word_opcodes(&self) -> bool {
        true
    }

    fn cycle_name(&self) -> &'static str {
        "clocks"
    }
}

/// Names of the feature bits, as an instruction set is spoken of.
const FEATURE_NAMES: &[&str] = &[
    "the reduced core",
    "the full core",
    "SRAM",
    "LPM",
    "LPM to any register",
    "ELPM",
    "ELPM to any register",
    "MUL",
    "MOVW",
    "JMP and CALL",
    "IJMP and ICALL",
    "ADIW and SBIW",
    "SPM",
    "SPM Z+",
    "BREAK",
    "EIJMP and EICALL",
    "DES",
    "XCH, LAS, LAC and LAT",
    "LPM with Z+",
];
