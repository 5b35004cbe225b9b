//! The AVR Dx families.

use scrimp_avr::devices::{self, Core, Group, Space};

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
            "AVR128DA48S",
            Group::Xmega4,
            [0x1e, 0x97, 0x10],
            128,
            0x4000,
            58,
        ),
        (
            "AVR32DA28S",
            Group::Xmega3,
            [0x1e, 0x95, 0x72],
            32,
            0x7000,
            41,
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

/// The S parts have all that the others have, and a fuse more.
#[test]
fn s_parts_of_avr_da() {
    let pins = [
        "32DA28", "32DA32", "32DA48", "64DA28", "64DA32", "64DA48", "64DA64",
    ];
    let more = ["128DA28", "128DA32", "128DA48", "128DA64"];
    for plain in pins.into_iter().chain(more) {
        let find = |name: String| devices::find(&name).expect("a device");
        let (a, b) = (find(format!("AVR{plain}")), find(format!("AVR{plain}S")));
        assert_ne!(a.signature, b.signature);
        assert_eq!((a.group, a.flash.size), (b.group, b.flash.size));
        let vectors = |d: &devices::Device| -> Vec<_> {
            d.vectors.iter().map(|v| (v.number, v.name)).collect()
        };
        assert_eq!(vectors(a), vectors(b));
        let registers = |d: &devices::Device| -> Vec<String> {
            let spaces = [Space::Data, Space::Fuses].into_iter();
            let all = spaces.flat_map(|s| d.registers_in(s));
            all.map(|r| r.name.to_owned()).collect()
        };
        let (a, b) = (registers(a), registers(b));
        let only: Vec<_> = b.iter().filter(|n| !a.contains(n)).collect();
        assert!(a.iter().all(|n| b.contains(n)));
        assert_eq!(only, ["FUSE_PDICFG"]);
    }
}
