//! The Gigatron as the engine sees it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use scrimp_isa::decode::Decoded;
use scrimp_isa::proof::{Contract, Plan, Spot};
use scrimp_isa::{
    ContractKind, Decoder, Form, Grid, ImageView, Machine, Operand, Proof, Relax, RomTable,
    Semantics, Space, Target,
};

use crate::memories::{RAM, RAM_SIZE, ROM_SIZE};
use crate::opcode::Opcode;
use crate::operands::OPERANDS;
use crate::table::FORMS;

/// The instruction set of the Gigatron.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gigatron;

/// The decoder over the table.
pub fn decoder() -> &'static Decoder {
    static DECODER: LazyLock<Decoder> = LazyLock::new(|| Decoder::new(FORMS, OPERANDS));
    &DECODER
}

impl Target for Gigatron {
    fn name(&self) -> &'static str {
        "gigatron"
    }

    fn title(&self) -> &'static str {
        "Gigatron TTL microcomputer, native instructions"
    }

    fn forms(&self) -> &'static [Form] {
        FORMS
    }

    fn operands(&self) -> &'static [Operand] {
        OPERANDS
    }

    fn relax(&self) -> &'static [Relax] {
        &[]
    }

    fn address_space(&self) -> u64 {
        ROM_SIZE
    }

    fn spaces(&self) -> &'static [Space] {
        &[
            Space {
                name: "rom",
                base: 0,
                size: ROM_SIZE,
                unit: 2,
                stored: true,
            },
            Space {
                name: "ram",
                base: RAM,
                size: RAM_SIZE,
                unit: 1,
                stored: false,
            },
        ]
    }

    fn word_addresses(&self) -> bool {
        true
    }

    fn has_slots(&self) -> bool {
        true
    }

    fn is_delayed(&self, word: u16) -> bool {
        Opcode(word as u8).is_jump()
    }

    fn filler(&self) -> [u8; 2] {
        [0x02, 0x00]
    }

    fn listed_alike(&self, a: u16, b: u16) -> bool {
        let listed = |word: u16| {
            let [opcode, operand] = word.to_le_bytes();
            let opcode = Opcode(opcode).listed();
            (opcode, opcode.uses_operand().then_some(operand))
        };
        listed(a) == listed(b)
    }

    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        decoder().decode(bytes, address)
    }

    fn semantics(&self, _: Option<&dyn Machine>) -> Option<Box<dyn Semantics>> {
        Some(Box::new(crate::meaning::Meaning))
    }

    fn machines(&self) -> &'static [&'static dyn Machine] {
        crate::machines::MACHINES
    }

    /// RAM; with 64K the upper half is as good, but all machines have this one.
    fn grid(&self) -> Option<Grid> {
        Some(Grid {
            base: RAM,
            pages: 128,
            columns: 256,
            select: "ld #,y",
            load: "ld #",
            store: "st [y,#]",
        })
    }

    /// A page of `ld byte`; the index is in AC when the trampoline begins.
    fn rom_table(&self) -> Option<RomTable> {
        Some(RomTable {
            space: "rom",
            page: 512,
            most: 251,
            prefix: &[0x00],
            by_label: "bra ac\nslot bra $ + 1\nld hi(back),y\njmp y,back\n",
            by_cells: "bra ac\nslot bra $ + 1\nld [1 + back],y\njmp y,[back]\n",
            slot: "nop\n",
        })
    }

    fn reach(&self, operand: &str) -> Option<&'static str> {
        Some(match operand {
            "page" => {
                "`ld hi(label),y` and `jmp y,label` reach every page, for one word and one clock more; a condition branches around them"
            }
            "d" => "an instruction holds one byte: `lo(label)` or `hi(label)`",
            "[d]" => "page 0 ends at 255: put the page into Y and write `[y,lo(label)]`",
            "[yd]" => "the page is in Y: `lo(label)` is its place there",
            "low" => "the address of a word in ROM is 0 to $FFFF",
            _ => return None,
        })
    }

    fn contracts(&self) -> &'static [ContractKind] {
        crate::timing::contracts::KINDS
    }

    fn plan(
        &self,
        image: &dyn ImageView,
        contracts: &[Contract],
        spots: &BTreeMap<Spot, u32>,
    ) -> Plan {
        crate::timing::contracts::plan_image(image, contracts, spots)
    }

    fn prove(&self, image: &dyn ImageView, contracts: &[Contract], whole: bool) -> Proof {
        crate::timing::contracts::prove_image(image, contracts, whole)
    }

    fn cycle_name(&self) -> &'static str {
        "clocks"
    }
}
