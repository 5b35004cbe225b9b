//! The table: every sequence decodes, its text is unique and leads back.

use std::collections::HashMap;

use scrimp_isa::{Base, Form, Operand, Outline, Target};
use scrimp_z80::table::FORMS;
use scrimp_z80::{Op, Z80};

/// Every opcode sequence of the Z80 with operand bytes of `fill`: base, CB, ED,
/// DD, FD, DD CB, FD CB. Prefixes before prefixes are left out.
fn slots(fill: u8) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let prefix = |b: u8| matches!(b, 0xcb | 0xdd | 0xed | 0xfd);
    for op in 0..=255u8 {
        if !prefix(op) {
            all.push(vec![op, fill, fill, fill]);
            all.push(vec![0xdd, op, fill, fill]);
            all.push(vec![0xfd, op, fill, fill]);
        }
        all.push(vec![0xcb, op, fill, fill]);
        all.push(vec![0xed, op, fill, fill]);
        all.push(vec![0xdd, 0xcb, fill, op]);
        all.push(vec![0xfd, 0xcb, fill, op]);
    }
    all
}

/// The operand class of that name.
fn class(name: &str) -> &'static Operand {
    Z80.operands().iter().find(|o| o.name == name).unwrap()
}

#[test]
fn every_field_is_filled_by_an_operand() {
    for f in FORMS.iter().filter(|f| !f.name.starts_with('*')) {
        let mut letters: Vec<u8> = f.pattern.fields.iter().map(|f| f.letter).collect();
        letters.retain(|&l| l != 0);
        for name in f.operand_names() {
            let o = class(name);
            let fields = o.words.iter().map(|w| w.field);
            for letter in fields.chain(o.value.iter().map(|v| v.field)) {
                if letter != 0 {
                    assert!(f.pattern.field(letter).is_some(), "{f:?}");
                    letters.retain(|&l| l != letter);
                }
            }
        }
        assert!(
            letters.is_empty(),
            "{} {}: unfilled field",
            f.name,
            f.operands
        );
    }
}

#[test]
fn every_operation_has_a_row() {
    for &op in Op::ALL {
        assert!(FORMS.iter().any(|f| f.op == op as u16), "{op:?}");
    }
}

#[test]
fn every_sequence_decodes() {
    let slots = slots(0);
    // 1604 with the 80 useful sequences of ED; here all 256 of them.
    assert_eq!(slots.len(), 1604 + 256 - 80);
    for bytes in slots {
        assert!(Z80.decode(&bytes, 0).is_some(), "{bytes:02x?}");
    }
}

/// Encodes a text by trying the rows in order: a second, slow reading of the
/// tables that shares nothing with the decoder but the patterns.
fn encode(text: &str, address: i64) -> Option<Vec<u8>> {
    if let Some(data) = text.strip_prefix("db ") {
        let byte = |s: &str| u8::from_str_radix(s.strip_prefix('$').unwrap(), 16).unwrap();
        return Some(data.split(',').map(byte).collect());
    }
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let written: Vec<&str> = rest.split(',').filter(|s| !s.is_empty()).collect();
    let row = |f: &&Form| f.name == name && f.operand_names().count() == written.len();
    FORMS.iter().filter(row).find_map(|f| {
        let mut word = f.pattern.fixed;
        let mut filled = 0u64;
        for (name, text) in f.operand_names().zip(&written) {
            for (letter, value) in operand(class(name), text, address)? {
                if letter == 0 {
                    continue;
                }
                let field = f.pattern.field(letter)?;
                let bits = field.deposit(u64::MAX);
                let put = field.deposit(value as u64);
                if filled & bits != 0 && (word ^ put) & bits != 0 {
                    return None;
                }
                filled |= bits;
                word |= put;
            }
        }
        Some(word.to_le_bytes()[..f.pattern.len as usize].to_vec())
    })
}

/// The fields an operand text fills, `None` if it is not of that class.
fn operand(o: &Operand, text: &str, address: i64) -> Option<Vec<(u8, i64)>> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let known = |t: &str| {
        let w = o.words?;
        let at = w.words.iter().find(|w| w.0 == t)?;
        Some((w.field, i64::from(at.1)))
    };
    let number = |t: &str| {
        let v = o.value?;
        let n = if let Some(n) = t.strip_prefix("$+") {
            address + n.parse::<i64>().ok()?
        } else if let Some(n) = t.strip_prefix("$-") {
            address - n.parse::<i64>().ok()?
        } else if let Some(hex) = t.strip_prefix('$') {
            i64::from_str_radix(hex, 16).ok()?
        } else {
            t.parse::<i64>().ok()?
        };
        let n = match v.base {
            Base::Absolute => n,
            Base::Relative { bias } => n - address - i64::from(bias),
            _ => return None,
        };
        ((v.min..=v.max).contains(&n) && n % i64::from(v.scale) == 0)
            .then(|| (v.field, n / i64::from(v.scale)))
    };
    match o.outline {
        Outline::Word => Some(vec![known(text)?]),
        Outline::RoundWord => Some(vec![known(inner?)?]),
        Outline::Value if inner.is_none() => Some(vec![number(text)?]),
        Outline::RoundValue => Some(vec![number(inner?)?]),
        Outline::RoundWordValue => {
            let (word, sign, n) = match inner?.split_once('+') {
                Some((w, n)) => (w, 1, n),
                None => inner?.split_once('-').map(|(w, n)| (w, -1, n))?,
            };
            let n = i64::from_str_radix(n.strip_prefix('$')?, 16).ok()?;
            Some(vec![known(word)?, (o.value?.field, sign * n)])
        }
        _ => None,
    }
}

#[test]
fn bytes_to_text_to_bytes() {
    for address in [0x8000, 0, 0xffff] {
        for fill in [0x00, 0x05, 0x7f, 0x80, 0xc3, 0xff] {
            let mut texts = HashMap::new();
            for bytes in slots(fill) {
                let found = Z80.decode(&bytes, address).unwrap();
                let len = found.len as usize;
                let again = encode(&found.text, address as i64);
                assert_eq!(again.as_deref(), Some(&bytes[..len]), "{}", found.text);
                let other = texts.insert(found.text.clone(), bytes[..len].to_vec());
                assert!(other.is_none_or(|o| o == bytes[..len]), "{}", found.text);
            }
        }
    }
}

#[test]
fn no_instruction_at_the_end_of_the_bytes() {
    assert!(Z80.decode(&[], 0).is_none());
    assert!(Z80.decode(&[0x3e], 0).is_none());
    assert!(Z80.decode(&[0xdd, 0x74], 0).is_none());
    assert!(Z80.decode(&[0xdd, 0xcb, 1], 0).is_none());
}

#[test]
fn texts() {
    let text = |bytes: &[u8]| Z80.decode(bytes, 0x8000).unwrap().text;
    assert_eq!(text(&[0x3e, 0x05]), "ld a,$05");
    assert_eq!(text(&[0xdd, 0x7e, 0xfe]), "ld a,(ix-$02)");
    assert_eq!(text(&[0xfd, 0x65]), "ld iyh,iyl");
    assert_eq!(text(&[0xfd, 0x5d]), "ld e,iyl");
    assert_eq!(text(&[0xdd, 0xcb, 0x03, 0x16]), "rl (ix+$03)");
    assert_eq!(text(&[0xdd, 0xcb, 0x03, 0xd1]), "set 2,(ix+$03),c");
    assert_eq!(text(&[0x18, 0xfe]), "jr $8000");
    assert_eq!(text(&[0xff]), "rst $38");
    assert_eq!(text(&[0xed, 0x71]), "out (c),0");
    assert_eq!(text(&[0xed, 0x4c]), "db $ed,$4c");
    assert_eq!(text(&[0xed, 0x5f]), "ld a,r");
    assert_eq!(text(&[0x08]), "ex af,af'");
    assert_eq!(text(&[0xdd, 0x00]), "db $dd");
    assert_eq!(text(&[0xdd, 0x76]), "db $dd");
}
