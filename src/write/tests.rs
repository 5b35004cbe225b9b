//! Each format on a hand-made image.

use super::example::{Example, example};
use super::*;
use crate::image::{Chunk, Class, Image, NONE, Run, Section, Symbol, SymbolKind};
use crate::text::source::{SourceId, Span};
use object::{Object, ObjectSection};
use proptest::prelude::*;
use scrimp_isa::ImageView;

fn text(name: &str, e: &Example) -> String {
    let writer = by_name(name).expect("a writer");
    String::from_utf8(writer.bytes(&e.context())).expect("text")
}

#[test]
fn listing() {
    insta::assert_snapshot!(text("lst", &example()));
}

#[test]
fn map() {
    insta::assert_snapshot!(text("map", &example()));
}

#[test]
fn sld() {
    insta::assert_snapshot!(text("sld", &example()));
}

#[test]
fn json() {
    let json = text("json", &example());
    let parsed: serde_json::Value = serde_json::from_str(&json).expect("valid JSON");
    let runs = parsed["runs"].as_array().expect("runs");
    let sum: u64 = runs.iter().map(|r| r["length"].as_u64().unwrap()).sum();
    assert_eq!(Some(sum), parsed["size"].as_u64());
    insta::assert_snapshot!(json);
}

#[test]
fn symbols() {
    assert_eq!(
        text("sym", &example()),
        "4082 start\n4084 start.loop\n408C draw\n40A0 board\n4110 last\n"
    );
}

#[test]
fn lines_of_symbols_are_short_and_have_one_separator() {
    let mut e = example();
    for name in ["x".repeat(500), "é".repeat(200), "a b,c=d;e:f".into()] {
        e.image.symbols.push(Symbol {
            name: name.into(),
            value: 0x10,
            kind: SymbolKind::Label,
            local: false,
            address: Some(0x10),
            span: None,
            section: 0,
            used: true,
        });
    }
    let sym = text("sym", &e);
    for line in sym.lines() {
        assert!(line.len() <= 127, "{line}");
        let (value, name) = line.split_once(' ').expect("a separator");
        assert!(u64::from_str_radix(value, 16).is_ok());
        assert!(!name.contains([' ', '\t', ',', '=', ';', ':']), "{line}");
    }
    assert!(sym.contains("0010 a_b_c_d_e_f\n"));
}

#[test]
fn hex() {
    let hex = text("hex", &example());
    insta::assert_snapshot!(hex);
    let memory = decode(&hex);
    for c in &example().image.chunks {
        for (i, b) in c.bytes.iter().enumerate() {
            assert_eq!(memory.get(&(c.load + i as u64)), Some(b));
        }
    }
    assert_eq!(memory.len(), example().image.len());
}

#[test]
fn the_folder_of_the_project_is_in_no_file() {
    let here = example();
    let mut there = example();
    let mut moved = crate::text::source::Sources::default();
    for (_, s) in here.sources.iter() {
        moved.add(format!("/some/where/{}", s.name), s.text.as_str());
    }
    there.sources = moved;
    for w in WRITERS {
        let same = w.bytes(&here.context()) == w.bytes(&there.context());
        assert!(same, "{}", w.name);
    }
}

#[test]
fn nothing_is_written_well() {
    let e = Example {
        image: Image::default(),
        ..example()
    };
    assert_eq!(text("hex", &e), ":00000001FF\n");
    assert_eq!(text("bin", &e), "");
    for w in WRITERS {
        w.bytes(&e.context());
    }
    serde_json::from_str::<serde_json::Value>(&text("json", &e)).expect("valid JSON");
}

/// A strict reader of Intel HEX: address to byte.
fn decode(hex: &str) -> std::collections::BTreeMap<u64, u8> {
    let mut out = std::collections::BTreeMap::new();
    let mut upper = 0u64;
    let mut ended = false;
    for line in hex.lines() {
        assert!(!ended, "a record behind the end");
        let digits = line.strip_prefix(':').expect("a colon");
        assert!(!digits.contains(|c: char| c.is_ascii_lowercase()));
        let bytes: Vec<u8> = (0..digits.len() / 2)
            .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hex"))
            .collect();
        assert_eq!(bytes.iter().fold(0u8, |s, b| s.wrapping_add(*b)), 0);
        let (len, data) = (bytes[0] as usize, &bytes[4..bytes.len() - 1]);
        assert_eq!(len, data.len());
        assert!(len <= 16);
        let at = u64::from(u16::from_be_bytes([bytes[1], bytes[2]]));
        match bytes[3] {
            0 => {
                for (i, b) in data.iter().enumerate() {
                    // A row does not run over the end of its 64K.
                    assert!(at + (i as u64) < 0x10000);
                    assert_eq!(out.insert(upper + at + i as u64, *b), None);
                }
            }
            1 => ended = true,
            4 => {
                let next = u64::from(u16::from_be_bytes([data[0], data[1]])) << 16;
                assert_ne!(next, upper, "a needless record 04");
                upper = next;
            }
            other => panic!("record {other}"),
        }
    }
    assert!(ended);
    out
}

/// An image of chunks of data at these addresses.
fn image_of(chunks: &[(u64, Vec<u8>)]) -> Image {
    let span = Span::new(SourceId(0), 0, 1);
    Image {
        sections: vec![Section {
            name: String::new(),
            region: NONE,
            span: None,
        }],
        chunks: chunks
            .iter()
            .map(|(address, bytes)| Chunk {
                section: 0,
                address: *address,
                load: *address,
                page: 0,
                bare: false,
                nowhere: false,
                bytes: bytes.clone(),
                runs: [Run {
                    offset: 0,
                    len: bytes.len() as u32,
                    span,
                    expansion: NONE,
                    owner: NONE,
                    form: NONE,
                    class: Class::Data,
                }]
                .into_iter()
                .collect(),
            })
            .collect(),
        ..Image::default()
    }
}

#[test]
fn s_records() {
    let text = text("srec", &example());
    let mut memory = std::collections::BTreeMap::new();
    for line in text.lines() {
        let bytes: Vec<u8> = (2..line.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&line[i..i + 2], 16).expect("hex"))
            .collect();
        assert_eq!(
            bytes.iter().fold(0u8, |s, b| s.wrapping_add(*b)),
            0xFF,
            "{line}"
        );
        assert_eq!(bytes[0] as usize, bytes.len() - 1, "{line}");
        if line.starts_with("S1") {
            let at = u64::from(u16::from_be_bytes([bytes[1], bytes[2]]));
            let data = &bytes[3..bytes.len() - 1];
            memory.extend(data.iter().enumerate().map(|(i, b)| (at + i as u64, *b)));
        }
    }
    assert!(text.starts_with("S007000064656D6F"), "{text}");
    assert!(text.ends_with("S90340823A\n"), "{text}");
    for c in &example().image.chunks {
        for (i, b) in c.bytes.iter().enumerate() {
            assert_eq!(memory.get(&(c.load + i as u64)), Some(b));
        }
    }
    assert_eq!(memory.len(), example().image.len());
}

/// Three spaces: code, memory that only has room, and one more that is stored.
#[test]
fn each_space_has_its_file() {
    let space = |name, base, stored| scrimp_isa::Space {
        name,
        base,
        size: 0x1_0000,
        unit: 1,
        stored,
    };
    let mut e = Example {
        image: image_of(&[
            (0, vec![1, 2, 3]),
            (0x80_0060, vec![0; 5]),
            (0x81_0002, vec![7, 8]),
        ]),
        ..example()
    };
    e.image.spaces = vec![
        space("flash", 0, true),
        space("data", 0x80_0000, false),
        space("eeprom", 0x81_0000, true),
    ];
    let memory = |name: &str| decode(&text(name, &e)).into_iter().collect::<Vec<_>>();
    assert_eq!(memory("hex"), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(memory("eep"), [(2, 7), (3, 8)]);
    let all = [(0, 1), (1, 2), (2, 3), (0x81_0002, 7), (0x81_0003, 8)];
    assert_eq!(memory("mhex"), all);
    assert_eq!(by_name("bin").expect("it").bytes(&e.context()), [1, 2, 3]);
    for name in ["hex", "bin", "srec"] {
        let made = (by_name(name).expect("it").write)(&e.context()).expect("a file");
        let [warning] = &made.warnings[..] else {
            panic!("{:?}", made.warnings);
        };
        assert!(warning.contains("2 bytes of eeprom"), "{warning}");
        assert!(warning.contains("--emit eep"), "{warning}");
    }
    let made = (by_name("mhex").expect("it").write)(&e.context()).expect("a file");
    assert_eq!(made.warnings, Vec::<String>::new());
    // A target without EEPROM has no such file.
    assert!((by_name("eep").expect("it").write)(&example().context()).is_err());
}

proptest! {
    /// What overlaps is there once, the later over the earlier, in every view.
    #[test]
    fn hex_pieces_and_binary_agree(
        chunks in prop::collection::vec((0u64..0x2_0000, prop::collection::vec(any::<u8>(), 0..300)), 0..8)
    ) {
        let e = Example { image: image_of(&chunks), ..example() };
        let mut memory = std::collections::BTreeMap::new();
        for (at, bytes) in &chunks {
            memory.extend(bytes.iter().enumerate().map(|(i, b)| (at + i as u64, *b)));
        }
        prop_assert_eq!(&decode(&text("hex", &e)), &memory);
        let elf = by_name("elf").expect("it").bytes(&e.context());
        let read = object::File::parse(&*elf).expect("an ELF file");
        for s in read.sections().filter(|s| s.kind() == object::SectionKind::Text) {
            for (i, b) in s.data().expect("bytes").iter().enumerate() {
                let at = memory.get(&(s.address() + i as u64));
                prop_assert!(at == Some(b) || at.is_none() && *b == 0xFF);
            }
        }
        let view = View::new(&e.image, &[], "x");
        let mut seen = std::collections::BTreeMap::new();
        let mut end = None;
        for (at, bytes) in view.pieces() {
            prop_assert!(end.is_none_or(|end| end < at), "pieces in order, with gaps");
            end = Some(at + bytes.len() as u64);
            seen.extend(bytes.iter().enumerate().map(|(i, b)| (at + i as u64, *b)));
        }
        prop_assert_eq!(&seen, &memory);
        let binary = e.image.binary(0);
        if let Some((&low, _)) = memory.first_key_value() {
            for (at, b) in &memory {
                prop_assert_eq!(binary[(at - low) as usize], *b);
            }
            let high = *memory.last_key_value().unwrap().0;
            prop_assert_eq!(binary.len() as u64, high - low + 1);
        } else {
            prop_assert!(binary.is_empty());
        }
    }
}
