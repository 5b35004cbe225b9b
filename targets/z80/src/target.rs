//! The Z80 as the engine sees it.

use std::sync::{LazyLock, OnceLock};

use scrimp_isa::decode::Decoded;
use scrimp_isa::packed::Packed;
use scrimp_isa::target::RuleBase;
use scrimp_isa::{Decoder, Elf, Form, Machine, Operand, Relax, Semantics, Target};

use crate::operands::{ALIASES, OPERANDS};
use crate::table::{FORMS, Z80N};

/// The instruction set of the Z80.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z80;

/// The decoder over the table.
pub fn decoder() -> &'static Decoder {
    static DECODER: LazyLock<Decoder> =
        LazyLock::new(|| Decoder::new(FORMS, OPERANDS).features(!Z80N));
    &DECODER
}

impl Target for Z80 {
    fn name(&self) -> &'static str {
        "z80"
    }

    fn title(&self) -> &'static str {
        "Zilog Z80, documented and undocumented instructions"
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

    fn features(&self) -> &'static [&'static str] {
        &["a Z80N"]
    }

    fn default_features(&self) -> u32 {
        !Z80N
    }

    fn extensions(&self) -> u32 {
        Z80N
    }

    fn relax(&self) -> &'static [Relax] {
        &[Relax {
            name: "jump",
            tries: &["jr", "jp"],
        }]
    }

    fn meant(&self, mnemonic: &str, operands: &[&str]) -> Option<String> {
        crate::meant::meant(mnemonic, operands)
    }

    fn address_space(&self) -> u64 {
        0x10000
    }

    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        decoder().decode(bytes, address)
    }

    fn rules(&self) -> RuleBase {
        let [rules, certificates] = rules();
        RuleBase {
            rules,
            certificates,
        }
    }

    fn semantics(&self, _: Option<&dyn Machine>) -> Option<Box<dyn Semantics>> {
        Some(Box::new(crate::meaning::Meaning))
    }

    /// Reset, the interrupt of mode 1, and the one that cannot be masked. Restarts are
    /// calls, which name their addresses.
    fn vectors(&self, _: Option<&dyn Machine>) -> Vec<std::ops::Range<u64>> {
        [0, 0x38, 0x66].map(|a| a..a + 1).to_vec()
    }

    fn machines(&self) -> &'static [&'static dyn Machine] {
        crate::machines::MACHINES
    }

    fn elf(&self, _: Option<&dyn Machine>) -> Option<Elf> {
        // EM_Z80, and EF_Z80_MACH_Z80 of the flags.
        Some(Elf {
            machine: 220,
            flags: 1,
        })
    }
    fn cycle_name(&self) -> &'static str {
        "T-states"
    }
}

/// The rules and their certificates, unpacked when they are asked for first.
fn rules() -> &'static [String; 2] {
    const FILES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));
    static TEXTS: OnceLock<[String; 2]> = OnceLock::new();
    let text = |name| FILES.iter().find(|f| f.name == name).map(Packed::text);
    TEXTS.get_or_init(|| ["rules.txt", "rules.certificates"].map(|n| text(n).unwrap_or_default()))
}
