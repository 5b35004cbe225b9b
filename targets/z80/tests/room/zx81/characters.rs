//! The character set.

use scrimp_z80::machines::zx81::chars::{decode, encode};

use super::program::machine;

#[test]
fn every_shown_code_has_a_character_and_back() {
    for code in (0..=0x3F).chain(0x80..=0xBF) {
        let (c, inverse) = decode(code);
        let map = if inverse { "zx81-inverse" } else { "zx81" };
        assert_eq!(encode(map, c), Some(code), "{c} {code:02X}");
    }
    for code in (0x40..=0x7F).chain(0xC0..=0xFF) {
        assert_eq!(decode(code), ('\u{FFFD}', false));
    }
}

#[test]
fn maps() {
    let zx81 = machine("zx81-1k");
    let text = "A9z \u{a3}\"\n\u{2588}";
    let codes: Vec<_> = text.chars().map(|c| zx81.character("zx81", c)).collect();
    let expected = [0x26, 0x25, 0xBF, 0, 0x0C, 0x0B, 0x76, 0x80];
    assert_eq!(codes, expected.map(Some));
    assert_eq!(zx81.character("zx81-inverse", 'A'), Some(0xA6));
    assert_eq!(zx81.character("zx81-inverse", 'a'), Some(0xA6));
    assert_eq!(zx81.character("zx81-inverse", '\n'), Some(0x76));
    assert_eq!(zx81.character("zx81", '!'), None);
    assert_eq!(zx81.character("ascii", 'A'), None);
    let zx80 = "A9z \u{a3}\"\n\u{2588}\u{258c}\u{2590}-=";
    let codes: Vec<_> = zx80.chars().map(|c| zx81.character("zx80", c)).collect();
    let expected = [
        0x26, 0x25, 0xBF, 0, 0x0C, 1, 0x76, 0x80, 2, 0x82, 0x12, 0x16,
    ];
    assert_eq!(codes, expected.map(Some));
    assert_eq!(zx81.character("zx80", '\u{2592}'), None);
}
