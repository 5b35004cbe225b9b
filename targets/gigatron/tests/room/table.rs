//! The table: every word decodes, its text is unique and leads back.

use std::collections::{HashMap, HashSet};

use scrimp_gigatron::table::FORMS;
use scrimp_gigatron::{Gigatron, Opcode};
use scrimp_isa::{Base, Form, Operand, Outline, Target};

/// The operand class of that name.
fn class(name: &str) -> &'static Operand {
    let mut all = Gigatron.operands().iter();
    all.find(|o| o.name == name).expect("a class")
}

#[test]
fn every_field_is_filled_by_an_operand() {
    for f in FORMS {
        let mut letters: HashSet<u8> = f.pattern.fields.iter().map(|f| f.letter).collect();
        letters.remove(&0);
        for name in f.operand_names() {
            if let Some(v) = class(name).value {
                assert!(f.pattern.field(v.field).is_some(), "{f:?}");
                letters.remove(&v.field);
            }
        }
        assert!(letters.is_empty(), "{} {}", f.name, f.operands);
    }
}

/// The text of a value and the bits it stands for, as the table says.
fn number(o: &Operand, text: &str, address: u64) -> Option<u64> {
    let n = u64::from_str_radix(text.strip_prefix('$')?, 16).ok()?;
    let v = o.value?;
    if !(v.min..=v.max).contains(&(n as i64)) {
        return None;
    }
    if let Base::Page { .. } = v.base
        && n >> 8 != ((address + 1) & 0xffff) >> 8
    {
        return None;
    }
    Some(n & 0xff)
}

/// The bits that an operand stands for: `Some(None)` for one without a field.
fn operand(o: &Operand, text: &str, address: u64) -> Option<Option<(u8, u64)>> {
    let first = o.words.map(|w| w.words[0].0);
    let plain = |expected: &str| (text == expected).then_some(None);
    let value = |text: &str| number(o, text, address).map(|n| Some((o.value?.field, n)));
    match o.outline {
        Outline::Word => plain(first?),
        Outline::WordDoubleIncrement => plain("x++"),
        Outline::SquareWord => plain("[x]"),
        Outline::SquareWordWord => plain("[y,x]"),
        Outline::SquareWordWordIncrement => plain("[y,x++]"),
        Outline::Value => value(text).map(|v| v.map(|v| (v.0, v.1))),
        Outline::SquareValue => value(text.strip_prefix('[')?.strip_suffix(']')?),
        Outline::SquareWordValue => value(text.strip_prefix("[y,")?.strip_suffix(']')?),
        _ => None,
    }
}

/// Splits operands at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(|c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    })
    .filter(|s| !s.is_empty())
    .collect()
}

/// Encodes a text by trying the rows in order: a second, slow reading of the tables
/// that shares nothing with the decoder but the patterns.
fn encode(text: &str, address: u64) -> Option<[u8; 2]> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let written = split(rest);
    let row = |f: &&Form| f.name == name && f.operand_names().count() == written.len();
    FORMS.iter().filter(row).find_map(|f| {
        let mut word = f.pattern.fixed;
        let mut filled = 0;
        for (name, text) in f.operand_names().zip(&written) {
            if let Some((letter, value)) = operand(class(name), text, address)? {
                let field = f.pattern.field(letter)?;
                let bits = field.deposit(u64::MAX);
                let put = field.deposit(value);
                if filled & bits != 0 && (word ^ put) & bits != 0 {
                    return None;
                }
                filled |= bits;
                word |= put;
            }
        }
        Some((word as u16).to_le_bytes())
    })
}

#[test]
fn all_words_to_text_to_words() {
    for address in [0x1234, 0x12ff, 0xffff] {
        let mut texts = HashMap::new();
        for word in 0..=u16::MAX {
            let bytes = word.to_le_bytes();
            let found = Gigatron.decode(&bytes, 2 * address).expect("a form");
            assert_eq!(found.len, 2);
            let again = encode(&found.text, address);
            assert_eq!(again, Some(bytes), "{}", found.text);
            assert_eq!(texts.insert(found.text, word), None);
        }
        assert_eq!(texts.len(), 65_536);
    }
}

#[test]
fn texts() {
    let text = |opcode: u8, operand: u8| {
        let at = 2 * 0x12fe;
        Gigatron
            .decode(&[opcode, operand], at)
            .expect("a form")
            .text
    };
    assert_eq!(text(0x02, 0x00), "nop");
    assert_eq!(text(0x10, 0x12), "ld $12,x");
    assert_eq!(text(0x3d, 0x00), "anda [y,x++],out");
    assert_eq!(text(0xc6, 0x00), "st [x]");
    assert_eq!(text(0xc6, 0x18), "raw $c6,$18");
    assert_eq!(text(0xdc, 0x12), "st $12,[y,x++]");
    assert_eq!(text(0xd0, 0x12), "st $12,[$12],x");
    assert_eq!(text(0xc3, 0x0f), "st in,[$0f]");
    assert_eq!(text(0xc9, 0x12), "ctrl y,$12");
    assert_eq!(text(0xdd, 0x00), "ctrl y,x++");
    assert_eq!(text(0xe0, 0x65), "jmp y,$65");
    assert_eq!(text(0xe2, 0x00), "jmp y,ac");
    assert_eq!(text(0xfc, 0x10), "bra $1210");
    assert_eq!(text(0xfe, 0x00), "bra ac");
    assert_eq!(text(0xf5, 0x02), "bge [$02]");
    assert_eq!(text(0x1c, 0x15), "ld $15,out,x++");
    assert_eq!(text(0x04, 0x15), "raw $04,$15");
    // The last word of a page branches into the one behind it, also around the end.
    let last = |at: u64| Gigatron.decode(&[0xfc, 0x10], 2 * at).expect("a form");
    assert_eq!(last(0x12ff).text, "bra $1310");
    assert_eq!(last(0xffff).text, "bra $0010");
    assert_eq!(last(0xffff).refers_to, Some(0x20));
}

#[test]
fn the_parts_of_an_opcode() {
    // Whether the operand byte matters is told by the canonical texts.
    for opcode in 0..=255 {
        let text = |d| Gigatron.decode(&[opcode, d], 0).expect("a form").text;
        if !text(0).starts_with("raw") {
            let spare = text(1).starts_with("raw");
            assert_eq!(Opcode(opcode).uses_operand(), !spare, "{opcode:02x}");
        }
        let listed = Opcode(opcode).listed();
        assert_eq!(listed.listed(), listed);
    }
    assert!(Gigatron.listed_alike(0x18c6, 0x00c6));
    assert!(Gigatron.listed_alike(0x121c, 0x1218));
    assert!(!Gigatron.listed_alike(0x121c, 0x1318));
    assert!(!Gigatron.listed_alike(0x18c2, 0x00c2));
}
