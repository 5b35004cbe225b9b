//! The character set of the ZX81 and its two maps.
//!
//! Code bit 7 is inverse video, codes with bit 6 are not shown. The graphics
//! are the Unicode block elements and legacy computing symbols that look the
//! same.

/// Codes 0 to 63 as Unicode.
const PLAIN: [char; 64] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▒', '🮏', '🮎', '"', '£', '$', ':', '?', //
    '(', ')', '>', '<', '=', '+', '-', '*', '/', ';', ',', '.', '0', '1', '2', '3', //
    '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', //
    'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z',
];

/// Graphics 0 to 10 with bit 7.
const INVERSE: [char; 11] = ['█', '▟', '▙', '▄', '▜', '▐', '▚', '▗', '🮐', '🮑', '🮒'];

/// What the ZX80 has for codes 0 to 8 and 12 to 27; digits and letters are the same.
const ZX80: ([char; 9], [char; 16]) = (
    [' ', '"', '▌', '▄', '▘', '▝', '▖', '▗', '▞'],
    [
        '£', '$', ':', '?', '(', ')', '-', '+', '*', '/', '=', '>', '<', ';', ',', '.',
    ],
);

/// Graphics 2 to 8 of the ZX80 with bit 7.
const ZX80_INVERSE: [char; 7] = ['▐', '▀', '▟', '▙', '▜', '▛', '▚'];

/// Names of the maps. In `zx81` and `zx80` a lower-case letter is an inverse one; in
/// `zx81-inverse` everything is inverse.
pub const MAPS: &[&str] = &["zx81", "zx81-inverse", "zx80"];

/// Code of a character in one of the [`MAPS`], `None` when the map or the
/// character is unknown.
pub fn encode(map: &str, c: char) -> Option<u8> {
    if map == "zx80" && !c.is_ascii_alphanumeric() && c != '\n' {
        let at = |table: &[char]| table.iter().position(|&t| t == c).map(|i| i as u8);
        let signs = at(&ZX80.0).or_else(|| at(&ZX80.1).map(|i| i + 12));
        let inverse = || at(&ZX80_INVERSE).map(|i| i + 0x82);
        return signs
            .or_else(inverse)
            .or_else(|| (c == '█').then_some(0x80));
    }
    let code = code(c)?;
    match map {
        "zx81" | "zx80" => Some(code),
        "zx81-inverse" if code == super::memory::NEWLINE => Some(code),
        "zx81-inverse" if c.is_ascii_lowercase() => Some(code),
        "zx81-inverse" => Some(code ^ 0x80),
        _ => None,
    }
}

fn code(c: char) -> Option<u8> {
    match c {
        '\n' => return Some(super::memory::NEWLINE),
        'a'..='z' => return Some(0xA6 + (c as u8 - b'a')),
        _ => {}
    }
    let at = |table: &[char]| table.iter().position(|&t| t == c).map(|i| i as u8);
    at(&PLAIN).or_else(|| at(&INVERSE).map(|i| i | 0x80))
}

/// What a code looks like: the character, and whether it is to be shown in
/// inverse video. Inverse graphics come as the graphics they look like; a code
/// with bit 6, which a display line cannot hold, as U+FFFD.
pub fn decode(code: u8) -> (char, bool) {
    let inverse = code & 0x80 != 0;
    let index = usize::from(code & 0x3F);
    match (code & 0x40 != 0, inverse) {
        (true, _) => ('\u{FFFD}', false),
        (false, true) if index < INVERSE.len() => (INVERSE[index], false),
        (false, _) => (PLAIN[index], inverse),
    }
}
