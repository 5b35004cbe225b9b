//! The instructions of the 6502, which the ROMs from v4 on interpret too: `#\LDAIM_ #5`.
//!
//! Its opcodes are a grid: most groups have their addressing in the same places.

/// Names of the ways of addressing, and what they add to a group's first opcode.
type Ways = &'static [(&'static str, u8)];

#[rustfmt::skip]
const ARITHMETIC: Ways = &[
    ("IX", 0x01), ("Z", 0x05), ("IM", 0x09), ("", 0x0d), ("IY", 0x11), ("ZX", 0x15), ("AY", 0x19), ("AX", 0x1d),
];
const MEMORY: Ways = &[("Z", 0x06), ("", 0x0e), ("ZX", 0x16), ("AX", 0x1e)];
const ACCUMULATOR: Ways = &[("A", 0x0a)];
const COMPARED: Ways = &[("IM", 0x00), ("Z", 0x04), ("", 0x0c)];
const STORED: Ways = &[("Z", 0x04), ("", 0x0c)];
const ALONE: Ways = &[("", 0)];

/// Groups: names, their first opcodes, ways.
#[rustfmt::skip]
const GROUPS: &[(&[(&str, u8)], Ways)] = &[
    (&[("ORA", 0x00), ("AND", 0x20), ("EOR", 0x40), ("ADC", 0x60), ("STA", 0x80), ("LDA", 0xa0),
       ("CMP", 0xc0), ("SBC", 0xe0)], ARITHMETIC),
    (&[("ASL", 0x00), ("ROL", 0x20), ("LSR", 0x40), ("ROR", 0x60), ("DEC", 0xc0), ("INC", 0xe0)], MEMORY),
    (&[("ASL", 0x00), ("ROL", 0x20), ("LSR", 0x40), ("ROR", 0x60)], ACCUMULATOR),
    (&[("LDY", 0xa0), ("CPY", 0xc0), ("CPX", 0xe0)], COMPARED),
    (&[("BIT", 0x20), ("STY", 0x80)], STORED),
    (&[("STYZX", 0x94), ("LDYZX", 0xb4), ("LDYAX", 0xbc), ("STXZ", 0x86), ("STX", 0x8e), ("STXZY", 0x96),
       ("LDXIM", 0xa2), ("LDXZ", 0xa6), ("LDX", 0xae), ("LDXZY", 0xb6), ("LDXAY", 0xbe)], ALONE),
    (&[("BRK", 0x00), ("JSR", 0x20), ("RTI", 0x40), ("RTS", 0x60), ("JMP", 0x4c), ("JMI", 0x6c)], ALONE),
    (&[("BPL", 0x10), ("BMI", 0x30), ("BVC", 0x50), ("BVS", 0x70), ("BCC", 0x90), ("BCS", 0xb0),
       ("BNE", 0xd0), ("BEQ", 0xf0)], ALONE),
    (&[("PHP", 0x08), ("CLC", 0x18), ("PLP", 0x28), ("SEC", 0x38), ("PHA", 0x48), ("CLI", 0x58), ("PLA", 0x68),
       ("SEI", 0x78), ("DEY", 0x88), ("TYA", 0x98), ("TAY", 0xa8), ("CLV", 0xb8), ("INY", 0xc8), ("CLD", 0xd8),
       ("INX", 0xe8), ("SED", 0xf8)], ALONE),
    (&[("TXA", 0x8a), ("TXS", 0x9a), ("TAX", 0xaa), ("TSX", 0xba), ("DEX", 0xca), ("NOP", 0xea)], ALONE),
];

/// All of them by the names that they have here.
pub fn all() -> Vec<(String, u8)> {
    let mut out = Vec::with_capacity(151);
    for (names, ways) in GROUPS {
        for (name, first) in *names {
            // A store has no constant.
            let ways = ways.iter().filter(|w| (*name, w.0) != ("STA", "IM"));
            out.extend(ways.map(|(way, plus)| (format!("{name}{way}_"), first + plus)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn each_opcode_has_one_name() {
        let all = super::all();
        let opcodes: BTreeSet<u8> = all.iter().map(|o| o.1).collect();
        let names: BTreeSet<&str> = all.iter().map(|o| o.0.as_str()).collect();
        // The 6502 has 151 instructions.
        assert_eq!((all.len(), opcodes.len(), names.len()), (151, 151, 151));
        for o in [
            ("LDAIM_", 0xa9),
            ("JSR_", 0x20),
            ("STXZY_", 0x96),
            ("NOP_", 0xea),
        ] {
            assert!(all.contains(&(o.0.to_owned(), o.1)), "{o:?}");
        }
    }
}
