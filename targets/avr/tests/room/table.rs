//! The table: every word decodes on each core or is data, its text is unique and
//! leads back.

use std::collections::{BTreeSet, HashMap};

use crate::common::SETS;
use scrimp_avr::clocks::{Core, cycles};
use scrimp_avr::features::RC;
use scrimp_avr::table::FORMS;
use scrimp_avr::target::decode;
use scrimp_avr::{AVR, Op};
use scrimp_isa::{Base, Cycles, Form, Operand, Outline, Target};

/// The operand class of that name.
fn class(name: &str) -> &'static Operand {
    AVR.operands().iter().find(|o| o.name == name).unwrap()
}

#[test]
fn every_field_is_filled_by_an_operand() {
    for f in FORMS {
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
        // The second register of `clr r1` is the first.
        if f.alias && f.operands == "d" {
            letters.retain(|&l| l != b'r');
        }
        assert!(letters.is_empty(), "{} {}: unfilled", f.name, f.operands);
    }
}

#[test]
fn every_operation_has_a_row() {
    for &op in Op::ALL.iter().filter(|&&op| op != Op::Undefined) {
        assert!(FORMS.iter().any(|f| f.op == op as u16), "{op:?}");
    }
}

#[test]
fn there_are_119_mnemonics() {
    // The flags have names of their own, 32 that print, which stand for BRBS, BRBC,
    // BSET and BCLR; without them and the aliases there are 78.
    let names = |alias| {
        let rows = FORMS.iter().filter(|f| f.alias == alias);
        rows.map(|f| f.name).collect::<BTreeSet<_>>()
    };
    let all = names(false).union(&names(true)).count();
    assert_eq!(all, 119);
    let flags = |f: &&&Form| {
        let op = Op::ALL[usize::from(f.op)] as u8;
        (Op::Brcs as u8..=Op::Cli as u8).contains(&op)
    };
    let flags: BTreeSet<_> = FORMS
        .iter()
        .filter(|f| !f.alias)
        .filter(|f| flags(&f))
        .map(|f| f.name)
        .collect();
    assert_eq!(flags.len(), 32);
    assert_eq!(names(false).len() - flags.len() + 4, 78);
}

/// Encodes a text by trying the rows in order: a second, slow reading of the
/// tables that shares nothing with the decoder but the patterns.
fn encode(text: &str, address: i64, features: u32) -> Option<Vec<u8>> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let written: Vec<&str> = rest.split(',').filter(|s| !s.is_empty()).collect();
    let row = |f: &&Form| {
        f.name == name && f.needs & !features == 0 && f.operand_names().count() == written.len()
    };
    FORMS.iter().filter(row).find_map(|f| {
        let mut word = f.pattern.fixed;
        for (name, text) in f.operand_names().zip(&written) {
            for (letter, value) in operand(class(name), text, address)? {
                if letter != 0 {
                    word |= f.pattern.field(letter)?.deposit(value as u64);
                }
            }
        }
        Some(word.to_le_bytes()[..f.pattern.len as usize].to_vec())
    })
}

/// The fields an operand text fills, `None` if it is not of that class.
fn operand(o: &Operand, text: &str, address: i64) -> Option<Vec<(u8, i64)>> {
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
        Outline::WordIncrement => Some(vec![known(text.strip_suffix('+')?)?]),
        Outline::WordDecrement => Some(vec![known(text.strip_prefix('-')?)?]),
        Outline::Value => Some(vec![number(text)?]),
        Outline::WordValue => {
            let (word, n) = text.split_once('+')?;
            Some(vec![known(word)?, number(n)?])
        }
        _ => None,
    }
}

#[test]
fn bytes_to_text_to_bytes() {
    for set in SETS {
        let mut texts = HashMap::new();
        let (mut known, mut data) = (0, 0);
        for first in 0..=0xffffu16 {
            for second in [0x0000u16, 0x0001, 0x1234, 0x8000, 0xffff] {
                let [a, b] = first.to_le_bytes();
                let [c, d] = second.to_le_bytes();
                let address = 0x4000;
                let Some(found) = decode(&[a, b, c, d], address, set.features) else {
                    data += 1;
                    break;
                };
                let bytes = [a, b, c, d][..found.len as usize].to_vec();
                let again = encode(&found.text, address as i64, set.features);
                assert_eq!(again.as_ref(), Some(&bytes), "{} {}", set.name, found.text);
                assert_eq!(FORMS[found.form].needs & !set.features, 0);
                known += 1;
                if found.len == 2 {
                    texts.insert(found.text, bytes);
                    break;
                }
                texts.insert(found.text, bytes);
            }
        }
        // No two encodings have one text.
        assert_eq!(texts.len(), known, "{}", set.name);
        assert!(data > 0, "{}: no word is undefined", set.name);
    }
}

#[test]
fn no_instruction_at_the_end_of_the_bytes() {
    assert!(AVR.decode(&[], 0).is_none());
    assert!(AVR.decode(&[0x0c], 0).is_none());
    assert!(AVR.decode(&[0x0c, 0x94], 0).is_none());
    assert!(AVR.decode(&[0x0c, 0x94, 0], 0).is_none());
}

#[test]
fn texts() {
    let full = |word: u16, second: u16| {
        let mut bytes = word.to_le_bytes().to_vec();
        bytes.extend(second.to_le_bytes());
        AVR.decode(&bytes, 0x100).unwrap()
    };
    let text = |word: u16, second: u16| full(word, second).text;
    assert_eq!(text(0x0c01, 0), "add r0,r1");
    assert_eq!(text(0x2411, 0), "eor r1,r1");
    assert_eq!(text(0x0000, 0), "nop");
    assert_eq!(text(0x0102, 0), "movw r0,r4");
    assert_eq!(text(0xe0f1, 0), "ldi r31,$01");
    assert_eq!(text(0x9631, 0), "adiw r30,$01");
    assert_eq!(text(0xf7f1, 0), "brne $00fe");
    assert_eq!(text(0xcfff, 0), "rjmp $0100");
    assert_eq!(text(0xd800, 0), "rcall $-4094");
    assert_eq!(text(0x940c, 0x0034), "jmp $000068");
    assert_eq!(text(0x940d, 0x0034), "jmp $020068");
    assert_eq!(full(0x940d, 0x0034).refers_to, Some(0x2_0068));
    assert_eq!(full(0x9180, 0x0123).refers_to, Some(0x80_0123));
    assert_eq!(text(0x9180, 0x0123), "lds r24,$0123");
    assert_eq!(text(0x8189, 0), "ldd r24,y+$01");
    assert_eq!(text(0x8188, 0), "ld r24,y");
    assert_eq!(text(0x8180, 0), "ld r24,z");
    assert_eq!(text(0x93dd, 0), "st x+,r29");
    assert_eq!(text(0x929a, 0), "st -y,r9");
    assert_eq!(text(0x9478, 0), "sei");
    assert_eq!(text(0xb7ff, 0), "in r31,$3f");
    assert_eq!(text(0x9ac7, 0), "sbi $18,7");
    assert_eq!(text(0x95c8, 0), "lpm");
    assert_eq!(text(0x9005, 0), "lpm r0,z+");
    assert_eq!(text(0x946b, 0), "des $6");
    let tiny = SETS.last().unwrap().features;
    let short = |word: u16| decode(&word.to_le_bytes(), 0, tiny).unwrap();
    assert_eq!(short(0xa105).text, "lds r16,$45");
    assert_eq!(short(0xa60f).text, "lds r16,$bf");
    assert_eq!(short(0xaff0).text, "sts $70,r31");
    assert_eq!(short(0xa60f).refers_to, None);
}

#[test]
fn clocks_of_the_cores() {
    let time = |name: &str, operands: &str, core, wide| {
        let row = |f: &&Form| f.name == name && f.operands == operands;
        let form = FORMS.iter().find(row).unwrap();
        cycles(form, core, wide)
    };
    for (core, call) in [
        (Core::Avr, 4),
        (Core::AvrEPlus, 4),
        (Core::AvrXm, 3),
        (Core::AvrXt, 3),
    ] {
        assert_eq!(time("call", "k22", core, false), Cycles::Fixed(call));
        assert_eq!(time("call", "k22", core, true), Cycles::Fixed(call + 1));
        assert_eq!(time("eicall", "", core, true), Cycles::Fixed(call));
        assert_eq!(time("lpm", "d,z+", core, true), Cycles::Fixed(3));
        assert_eq!(time("muls", "d16,r16", core, true), Cycles::Fixed(2));
    }
    assert_eq!(time("ret", "", Core::AvrRc, false), Cycles::Fixed(6));
    assert_eq!(time("pop", "d", Core::AvrRc, false), Cycles::Fixed(3));
    assert_eq!(time("lds", "d,k16", Core::AvrXt, false), Cycles::Fixed(3));
    assert_eq!(
        time("lds", "d16,k128", Core::AvrRc, false),
        Cycles::Fixed(1)
    );
    assert_eq!(time("ld", "d,-x", Core::AvrXm, false), Cycles::Fixed(3));
    assert_eq!(time("ldd", "d,y+q", Core::AvrXm, false), Cycles::Fixed(3));
    assert_eq!(time("st", "-y,r", Core::AvrXt, false), Cycles::Fixed(1));
    assert_eq!(time("sbic", "io5,b", Core::AvrXm, false).min(), 2);
    // AVRe is the table itself.
    let full = |f: &&Form| f.needs & RC == 0;
    for f in FORMS.iter().filter(full) {
        assert_eq!(
            cycles(f, Core::AvrE, false),
            f.cycles,
            "{} {}",
            f.name,
            f.operands
        );
        assert_eq!(
            cycles(f, Core::Avr, false),
            cycles(f, Core::AvrEPlus, false)
        );
    }
}
