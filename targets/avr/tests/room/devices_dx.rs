//! The AVR Dx families.

use scrimp_avr::devices::{self, Core, Group};

/// Memories, signatures and vectors of the newer parts, as their data sheets have them.
#[test]
fn parts_of_the_avr_dx_families_have_their_facts() {
    for (name, group, signature, flash, sram, vectors) in [
        (
            "AVR32DA28",
            Group::Xmega3,
            [0x1e, 0x95, 0x34],
            32,
            0x7000,
            41,
        ),
        (
            "AVR64DA48",
            Group::Xmega2,
            [0x1e, 0x96, 0x13],
            64,
            0x6000,
            58,
        ),
        (
            "AVR128DA64",
            Group::Xmega4,
            [0x1e, 0x97, 0x07],
            128,
            0x4000,
            64,
        ),
        (
            "AVR32DB32",
            Group::Xmega3,
            [0x1e, 0x95, 0x36],
            32,
            0x7000,
            44,
        ),
        (
            "AVR64DB28",
            Group::Xmega2,
            [0x1e, 0x96, 0x19],
            64,
            0x6000,
            42,
        ),
        (
            "AVR128DB64",
            Group::Xmega4,
            [0x1e, 0x97, 0x0b],
            128,
            0x4000,
            65,
        ),
    ] {
        let d = devices::find(name).expect(name);
        assert_eq!(d.core, Core::AvrXt, "{name}");
        assert_eq!(d.group, group, "{name}");
        assert_eq!(d.signature, signature, "{name}");
        assert_eq!(d.flash.size, flash << 10, "{name}");
        assert_eq!(d.sram.start, sram, "{name}");
        assert_eq!(d.sram.start + d.sram.size, 0x8000, "{name}");
        let last = d.vectors.iter().map(|v| v.number).max();
        assert_eq!(last.map(|n| n + 1), Some(vectors), "{name}");
    }
}
