//! The vCPU as the engine sees it.

use std::borrow::Cow;
use std::sync::LazyLock;

use scrimp_isa::decode::Decoded;
use scrimp_isa::target::RuleBase;
use scrimp_isa::{Decoder, Form, Machine, Operand, Relax, Semantics, Target};

use super::meaning::{Meaning, far_jump};
use super::operands::OPERANDS;
use super::rom::{Rom, feature};
use super::sys;
use super::table::FORMS;

/// The instruction set of the vCPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vcpu;

/// The decoder over the table.
pub fn decoder() -> &'static Decoder {
    static DECODER: LazyLock<Decoder> =
        LazyLock::new(|| Decoder::new(&FORMS, OPERANDS).features(Rom::V6.features()));
    &DECODER
}

/// The ROM of a machine.
fn rom(machine: Option<&dyn Machine>) -> Option<Rom> {
    let name = machine?.name();
    let found = super::machines::COMPUTERS.iter().find(|c| c.name == name);
    found.map(|c| c.rom)
}

impl Target for Vcpu {
    fn name(&self) -> &'static str {
        "vcpu"
    }

    fn title(&self) -> &'static str {
        "Gigatron vCPU, the 16-bit processor in its ROMs"
    }

    fn forms(&self) -> &'static [Form] {
        &FORMS
    }

    fn operands(&self) -> &'static [Operand] {
        OPERANDS
    }

    /// In the page, or through vPC, which takes vAC.
    fn relax(&self) -> &'static [Relax] {
        &[Relax {
            name: "jump",
            tries: &["bra", "jmp"],
        }]
    }

    fn address_space(&self) -> u64 {
        0x1_0000
    }

    fn features(&self) -> &'static [&'static str] {
        feature::NAMES
    }

    fn default_features(&self) -> u32 {
        Rom::V6.features()
    }

    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        decoder().decode(bytes, address)
    }

    fn decode_on(
        &self,
        bytes: &[u8],
        address: u64,
        machine: Option<&dyn Machine>,
    ) -> Option<Decoded> {
        if let Some(row) = far_jump(bytes) {
            return Some(decoder().decode_as(row, bytes, address));
        }
        let rom = rom(machine).unwrap_or(Rom::V6);
        decoder().decode_on(bytes, address, rom.features())
    }

    fn semantics(&self, machine: Option<&dyn Machine>) -> Option<Box<dyn Semantics>> {
        Some(Box::new(Meaning::new(rom(machine))))
    }

    fn rules(&self) -> RuleBase {
        RuleBase {
            rules: include_str!("rules.txt"),
            certificates: include_str!("rules.certificates"),
        }
    }

    fn instead(&self, form: u16, _: &dyn Machine) -> Option<String> {
        let text = match FORMS[usize::from(form)].name {
            "calli" => "`ldwi address` and `call $18` reach every page on every ROM",
            "cmphs" | "cmphu" => "compare the signs first, then `subw`",
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// Without a machine `sys.asm` is that of v6, whose instructions count.
    fn library(&self, path: &str, machine: Option<&dyn Machine>) -> Option<Cow<'static, str>> {
        let own = || sys::library(rom(machine).unwrap_or(Rom::V6));
        match path {
            "gigatron/interface.asm" => Some(sys::interface().into()),
            _ => own().iter().find(|f| f.0 == path).map(|f| f.1.into()),
        }
    }

    fn library_with(
        &self,
        name: &str,
        dialect: &str,
        machine: Option<&dyn Machine>,
    ) -> Option<String> {
        let rom = rom(machine).unwrap_or(Rom::V6);
        let has = dialect.starts_with("native") && sys::has(rom, name);
        has.then(|| "gigatron/sys.asm".to_owned())
    }

    fn elsewhere(&self, name: &str, machine: Option<&dyn Machine>) -> Option<String> {
        sys::elsewhere(rom(machine).unwrap_or(Rom::V6), name)
    }

    fn machines(&self) -> &'static [&'static dyn Machine] {
        super::machines::MACHINES
    }

    fn reach(&self, operand: &str) -> Option<&'static str> {
        Some(match operand {
            "page" => "`jump label` takes what reaches; a condition branches around it",
            "n" => "`ldwi` and a variable hold words",
            "zp" | "zp2" => {
                "variables stand in page 0: `section NAME in zero` before them; `ldwi address` with \
                 `peek`, `deek`, `poke` or `doke` reach all of RAM"
            }
            _ => return None,
        })
    }

    fn wraps_in_page(&self) -> Option<u64> {
        Some(0x100)
    }

    fn usual_format(&self) -> &'static str {
        "gt1"
    }

    fn cycle_name(&self) -> &'static str {
        "clocks"
    }
}
