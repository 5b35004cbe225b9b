//! Bit patterns of instructions: `"11y11101 01rrr110 dddddddd"`.
//!
//! A pattern is written unit by unit, each unit most significant bit first.
//! `0` and `1` are fixed bits, a letter is a bit of the operand field of that
//! name, blanks are for the reader. Encoding, decoding and the overlap test all
//! come from the one string, parsed by a `const fn`.

/// Most fields in one pattern.
pub const MAX_FIELDS: usize = 6;
/// Most pieces of one field (a field may be scattered).
pub const MAX_PIECES: usize = 4;

/// A run of bits of a field: `width` bits at `value_shift` in the field's value
/// stand at `word_shift` in the instruction word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Lowest bit in the field's value.
    pub value_shift: u8,
    /// Lowest bit in the instruction word (byte 0 of memory is bits 0 to 7).
    pub word_shift: u8,
    /// Bits.
    pub width: u8,
}

/// An operand field of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its letter, as ASCII; 0 for an unused slot.
    pub letter: u8,
    /// Its bits in all.
    pub width: u8,
    /// Pieces in use.
    pub pieces: u8,
    /// Where its bits stand.
    pub piece: [Piece; MAX_PIECES],
}

impl Field {
    const NONE: Self = Self {
        letter: 0,
        width: 0,
        pieces: 0,
        piece: [Piece {
            value_shift: 0,
            word_shift: 0,
            width: 0,
        }; MAX_PIECES],
    };

    /// Puts the low bits of `value` at their place in an instruction word.
    #[inline]
    pub const fn deposit(&self, value: u64) -> u64 {
        let mut word = 0;
        let mut i = 0;
        while i < self.pieces as usize {
            let p = self.piece[i];
            word |= ((value >> p.value_shift) & ((1 << p.width) - 1)) << p.word_shift;
            i += 1;
        }
        word
    }

    /// Takes the field's value out of an instruction word.
    #[inline]
    pub const fn extract(&self, word: u64) -> u64 {
        let mut value = 0;
        let mut i = 0;
        while i < self.pieces as usize {
            let p = self.piece[i];
            value |= ((word >> p.word_shift) & ((1 << p.width) - 1)) << p.value_shift;
            i += 1;
        }
        value
    }
}

/// A parsed pattern. Words are little endian: byte 0 of memory is bits 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Length in bytes, 1 to 8.
    pub len: u8,
    /// Fixed bits.
    pub fixed: u64,
    /// Which bits are fixed.
    pub mask: u64,
    /// The fields; unused slots have letter 0.
    pub fields: [Field; MAX_FIELDS],
}

impl Pattern {
    /// Parses a pattern of bytes; a field that spans bytes has its low bits in
    /// the first of them, as on the Z80.
    ///
    /// # Panics
    /// On a malformed pattern (at compile time for a const table).
    pub const fn bytes(text: &str) -> Self {
        Self::parse(text, 8, true)
    }

    /// Parses a pattern of `unit`-bit units. `low_first` says whether a field
    /// that spans units has its low bits in the first unit.
    ///
    /// # Panics
    /// On a malformed pattern.
    pub const fn parse(text: &str, unit: usize, low_first: bool) -> Self {
        let t = text.as_bytes();
        // strip blanks
        let mut bits = [0u8; 64];
        let mut n = 0;
        let mut i = 0;
        while i < t.len() {
            if t[i] != b' ' {
                assert!(n < 64, "pattern longer than 64 bits");
                bits[n] = t[i];
                n += 1;
            }
            i += 1;
        }
        assert!(
            n > 0 && n % unit == 0 && n % 8 == 0,
            "pattern is not a whole number of units"
        );
        let mut p = Self {
            len: (n / 8) as u8,
            fixed: 0,
            mask: 0,
            fields: [Field::NONE; MAX_FIELDS],
        };
        // From the least significant bit of the value upwards: units in value
        // order, bits from right to left.
        let units = n / unit;
        let mut k = 0;
        while k < units {
            let u = if low_first { k } else { units - 1 - k };
            let mut b = 0;
            while b < unit {
                let c = bits[u * unit + unit - 1 - b];
                let at = u * unit + b;
                match c {
                    b'0' => p.mask |= 1 << at,
                    b'1' => {
                        p.mask |= 1 << at;
                        p.fixed |= 1 << at;
                    }
                    _ => {
                        let mut f = 0;
                        while f < MAX_FIELDS && p.fields[f].letter != 0 && p.fields[f].letter != c {
                            f += 1;
                        }
                        assert!(f < MAX_FIELDS, "too many fields in a pattern");
                        p.fields[f].letter = c;
                        let w = p.fields[f].width;
                        let np = p.fields[f].pieces as usize;
                        if np > 0
                            && p.fields[f].piece[np - 1].word_shift as usize
                                + p.fields[f].piece[np - 1].width as usize
                                == at
                        {
                            p.fields[f].piece[np - 1].width += 1;
                        } else {
                            assert!(np < MAX_PIECES, "a field in too many pieces");
                            p.fields[f].piece[np] = Piece {
                                value_shift: w,
                                word_shift: at as u8,
                                width: 1,
                            };
                            p.fields[f].pieces += 1;
                        }
                        p.fields[f].width = w + 1;
                    }
                }
                b += 1;
            }
            k += 1;
        }
        p
    }

    /// The field with that letter.
    pub const fn field(&self, letter: u8) -> Option<&Field> {
        let mut i = 0;
        while i < MAX_FIELDS {
            if self.fields[i].letter == letter && letter != 0 {
                return Some(&self.fields[i]);
            }
            i += 1;
        }
        None
    }

    /// Whether an instruction word is of this pattern.
    #[inline]
    pub const fn matches(&self, word: u64) -> bool {
        word & self.mask == self.fixed
    }
}
