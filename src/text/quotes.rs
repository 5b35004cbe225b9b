//! Where texts end: quotes that are doubled, escaped or left out.

/// What quotes in a row inside `'…'` are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doubled {
    /// The end of one text and the begin of another.
    #[default]
    No,
    /// Two are one quote.
    One,
    /// As `No`, but `'''` is a quote.
    Lone,
    /// Two are one quote, and `'''` is one where that would leave the text open.
    OrLone,
}

impl Doubled {
    /// Whether two are one quote.
    pub fn is_one(self) -> bool {
        matches!(self, Self::One | Self::OrLone)
    }
}

/// How many bytes of what is behind an opening quote belong to the text, and whether it is
/// closed on its line.
pub(super) fn quoted(rest: &[u8], quote: u8, escapes: bool, doubled: bool) -> (usize, bool) {
    let mut i = 0;
    while let Some(&b) = rest.get(i) {
        if b == b'\n' {
            break;
        }
        if b == b'\\' && escapes && rest.get(i + 1).is_some_and(|&c| c != b'\n') {
            // The next character may be longer than a byte.
            i += 2;
            while rest.get(i).is_some_and(|b| b & 0xc0 == 0x80) {
                i += 1;
            }
            continue;
        }
        if b == quote {
            if doubled && rest.get(i + 1) == Some(&quote) {
                i += 2;
                continue;
            }
            return (i + 1, true);
        }
        i += 1;
    }
    (i, false)
}

/// How many bytes a character behind one quote has, with the quote that may close it.
pub(super) fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.chars();
    let n = match chars.next() {
        None | Some('\n') => return None,
        Some('\\') => match chars.next() {
            None | Some('\n') => return None,
            Some(c) => 1 + c.len_utf8(),
        },
        Some(c) => c.len_utf8(),
    };
    Some(n + usize::from(rest.as_bytes().get(n) == Some(&b'\'')))
}

/// How many bytes so many characters behind one quote have, with the quote that may close
/// them. A backslash is one unless a letter of C's or octal digits make it another.
pub(super) fn characters(rest: &str, count: usize, quote: u8) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut n = 0;
    for _ in 0..count {
        let c = rest[n..].chars().next().filter(|&c| c != '\n')?;
        n += c.len_utf8();
        if c == '\\' {
            let octal = bytes[n..].iter().take(3);
            let octal = octal.take_while(|b| matches!(b, b'0'..=b'7')).count();
            let letter = matches!(bytes.get(n), Some(b'b' | b't' | b'n' | b'f' | b'r'));
            n += octal.max(usize::from(letter));
        }
    }
    Some(n + usize::from(bytes.get(n) == Some(&quote)))
}

impl Doubled {
    /// Whether what is behind an opening quote begins with two that make it a quote.
    pub(super) fn is_lone(self, rest: &[u8]) -> bool {
        match self {
            Self::No | Self::One => false,
            Self::Lone => rest.starts_with(b"''"),
            Self::OrLone => rest.starts_with(b"''") && !quoted(rest, b'\'', false, true).1,
        }
    }
}
