//! Source text made fit to print: no control characters, no endless lines.

use std::borrow::Cow;

/// Longest message or name that is shown whole, in characters.
pub const LONGEST: usize = 400;

/// A character as it may be shown: control characters become their pictures,
/// and those that would change the terminal or the order of text become `�`.
pub fn shown(c: char) -> char {
    match c {
        '\t' => '\t',
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        _ => c,
    }
}

/// A line of text, cleaned and cut to [`LONGEST`] characters.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST && text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return Cow::Borrowed(text);
    }
    // A tab moves about where the line is shown.
    let plain = |c| if c == '\t' { ' ' } else { shown(c) };
    let mut out: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('…');
    }
    Cow::Owned(out)
}

/// A number with commas between thousands.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_length() {
        assert_eq!(clean("plain"), "plain");
        assert_eq!(clean("a\x1b[31m\0b"), "a␛[31m␀b");
        assert_eq!(clean("a\u{202e}b\tc"), "a\u{fffd}b c");
        assert_eq!(clean(&"x".repeat(10_000)).chars().count(), LONGEST + 1);
    }
}
