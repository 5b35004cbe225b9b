//! The key matrix: eight half rows of five keys.

/// Keys by half row and bit; row n is read with address line A8+n low.
const ROWS: [[&str; 5]; 8] = [
    ["SHIFT", "Z", "X", "C", "V"],
    ["A", "S", "D", "F", "G"],
    ["Q", "W", "E", "R", "T"],
    ["1", "2", "3", "4", "5"],
    ["0", "9", "8", "7", "6"],
    ["P", "O", "I", "U", "Y"],
    ["NEWLINE", "L", "K", "J", "H"],
    ["SPACE", ".", "M", "N", "B"],
];

/// Other names of keys.
const ALIASES: [(&str, &str); 9] = [
    ("SH", "SHIFT"),
    ("NL", "NEWLINE"),
    ("ENTER", "NEWLINE"),
    ("RETURN", "NEWLINE"),
    ("SP", "SPACE"),
    ("BREAK", "SPACE"),
    ("DOT", "."),
    ("PERIOD", "."),
    ("RUBOUT", "SHIFT+0"),
];

/// What typed characters are made of, besides letters, digits and the full
/// stop.
const TYPED: [(char, &str); 20] = [
    ('\n', "NEWLINE"),
    ('\r', "NEWLINE"),
    (' ', "SPACE"),
    ('.', "."),
    (',', "SHIFT+."),
    (':', "SHIFT+Z"),
    (';', "SHIFT+X"),
    ('?', "SHIFT+C"),
    ('/', "SHIFT+V"),
    ('\u{a3}', "SHIFT+SPACE"),
    ('"', "SHIFT+P"),
    (')', "SHIFT+O"),
    ('(', "SHIFT+I"),
    ('$', "SHIFT+U"),
    ('=', "SHIFT+L"),
    ('+', "SHIFT+K"),
    ('-', "SHIFT+J"),
    ('>', "SHIFT+M"),
    ('<', "SHIFT+N"),
    ('*', "SHIFT+B"),
];

/// The keys that are down.
#[derive(Clone, Debug, Default)]
pub struct Keyboard {
    /// A set bit for each key that is down, by half row.
    rows: [u8; 8],
}

impl Keyboard {
    /// Presses or releases a key, or several joined with `+`.
    ///
    /// # Errors
    /// There is no such key; the text names those there are.
    pub fn set(&mut self, keys: &str, down: bool) -> Result<(), String> {
        let found = positions(keys)?;
        for (row, bit) in found {
            if down {
                self.rows[row] |= 1 << bit;
            } else {
                self.rows[row] &= !(1 << bit);
            }
        }
        Ok(())
    }

    /// Releases all.
    pub fn clear(&mut self) {
        self.rows = [0; 8];
    }

    /// Bits 0 to 4 of the port: 0 for a key that is down in any of the half
    /// rows whose address line is low.
    #[inline]
    pub fn read(&self, port: u16) -> u8 {
        let mut down = 0;
        for (row, keys) in self.rows.iter().enumerate() {
            if port & 0x100 << row == 0 {
                down |= keys;
            }
        }
        !down & 0x1F
    }
}

/// Half row and bit of each key in a combination.
fn positions(keys: &str) -> Result<Vec<(usize, usize)>, String> {
    let mut found = Vec::new();
    for name in keys.split('+') {
        let upper = name.trim().to_ascii_uppercase();
        let alias = ALIASES.iter().find(|a| a.0 == upper);
        if let Some((_, combination)) = alias.filter(|a| a.1.contains('+')) {
            found.extend(positions(combination)?);
            continue;
        }
        let wanted = alias.map_or(upper.as_str(), |a| a.1);
        let position = ROWS.iter().enumerate().find_map(|(row, keys)| {
            let bit = keys.iter().position(|&k| k == wanted)?;
            Some((row, bit))
        });
        found.push(position.ok_or_else(|| {
            format!(
                "the ZX81 has no key {name:?}; it has A to Z, 0 to 9, `.`, SPACE, NEWLINE and SHIFT, which goes before another: SHIFT+P"
            )
        })?);
    }
    Ok(found)
}

/// The key or combination that types a character.
pub fn key_for(typed: char) -> Option<&'static str> {
    if typed == '\u{8}' || typed == '\u{7f}' {
        return Some("SHIFT+0");
    }
    if let Some(found) = TYPED.iter().find(|t| t.0 == typed) {
        return Some(found.1);
    }
    let upper = typed.to_ascii_uppercase();
    if !upper.is_ascii_alphanumeric() {
        return None;
    }
    let mut buffer = [0; 4];
    let name: &str = upper.encode_utf8(&mut buffer);
    ROWS.iter().flatten().find(|&&k| k == name).copied()
}
