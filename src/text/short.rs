//! Short words as numbers, which compare and hash at once.

/// Up to eight bytes, the first the lowest; 0 for more or none.
#[inline]
pub fn eight(b: &[u8]) -> u64 {
    let four = |at: usize| {
        let four = [b[at], b[at + 1], b[at + 2], b[at + 3]];
        u64::from(u32::from_le_bytes(four))
    };
    match b.len() {
        // The two halves overlap; the length is told by the highest of them.
        4..=8 => four(0) | four(b.len() - 4) << ((b.len() - 4) * 8),
        3 => u64::from(b[0]) | u64::from(b[1]) << 8 | u64::from(b[2]) << 16,
        2 => u64::from(b[0]) | u64::from(b[1]) << 8,
        1 => u64::from(b[0]),
        _ => 0,
    }
}

/// Up to sixteen bytes of which the last is not zero, so that no two words are the same;
/// `None` for others.
#[inline]
pub fn sixteen(b: &[u8]) -> Option<[u64; 2]> {
    match b {
        [] | [.., 0] => None,
        _ if b.len() <= 8 => Some([eight(b), 0]),
        _ if b.len() <= 16 => Some([eight(&b[..8]), eight(&b[8..])]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_sixteen_bytes_are_apart() {
        let mut seen = std::collections::HashMap::new();
        let text = b"abcdefghijklmnopq";
        for from in 0..text.len() {
            for to in from..=text.len() {
                let word = &text[from..to];
                let fits = (1..=16).contains(&word.len());
                assert_eq!(sixteen(word).is_some(), fits, "{word:?}");
                if let Some(n) = sixteen(word) {
                    assert_eq!(seen.insert(n, word), None);
                }
            }
        }
        assert_ne!(sixteen(b"a\0b"), sixteen(b"ab"));
        assert_eq!((sixteen(b"a\0"), sixteen(b"\0")), (None, None));
        assert_eq!(eight(b"abc"), u64::from_le_bytes(*b"abc\0\0\0\0\0"));
        assert_eq!(eight(b"abcdefg"), u64::from_le_bytes(*b"abcdefg\0"));
    }
}
