//! Numbers and quoted texts.

use crate::text::language::{Dialect, Numbers};
use crate::text::lex::{Kind, Tok};

/// Why a number is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadNumber {
    /// A digit that the base does not have.
    Digit,
    /// More than 64 bits.
    TooLarge,
}

fn digits(text: &[u8], base: u32, skip: u8) -> Result<u64, BadNumber> {
    let mut v: u64 = 0;
    let mut any = false;
    for &b in text {
        if b == skip && skip != 0 {
            continue;
        }
        let d = (b as char).to_digit(base).ok_or(BadNumber::Digit)?;
        any = true;
        v = v
            .checked_mul(u64::from(base))
            .and_then(|v| v.checked_add(u64::from(d)))
            .ok_or(BadNumber::TooLarge)?;
    }
    if any { Ok(v) } else { Err(BadNumber::Digit) }
}

/// Value of a number token that starts with a digit.
pub fn number(text: &str, n: &Numbers) -> Result<u64, BadNumber> {
    let t = text.as_bytes();
    let s = n.separator;
    if t.len() == 1 {
        return digits(t, 10, 0);
    }
    if t[0] == b'0' {
        let hex = t[1] == b'x' && n.hex_0x || t[1] == b'X' && n.hex_0x_upper;
        if hex && !(n.suffixes && t[t.len() - 1].eq_ignore_ascii_case(&b'h')) {
            if t.len() == 2 && n.empty_is_zero {
                return Ok(0);
            }
            return digits(&t[2..], 16, s);
        }
        if n.bin_0b
            && t[1].eq_ignore_ascii_case(&b'b')
            && t.len() > 2
            && let Ok(v) = digits(&t[2..], 2, s)
        {
            return Ok(v);
        }
        if n.bin_0b && t[1].eq_ignore_ascii_case(&b'o') {
            return digits(&t[2..], 8, s);
        }
    }
    if n.suffixes {
        let body = &t[..t.len() - 1];
        match t[t.len() - 1].to_ascii_lowercase() {
            b'h' => return digits(body, 16, s),
            b'b' => return digits(body, 2, s),
            b'o' | b'q' => return digits(body, 8, s),
            b'd' => return digits(body, 10, s),
            _ => {}
        }
    }
    if n.zero_octal && t[0] == b'0' {
        return digits(t, 8, s);
    }
    digits(t, 10, s)
}

/// Value of a token that starts with one of `$ # & % @` and has digits, `None`
/// if it has none.
pub fn marked(text: &str, kind: Kind, d: &Dialect) -> Option<Result<u64, BadNumber>> {
    let t = text.as_bytes().get(1..)?;
    let skip = if d.lexing.dollar_digits { b'$' } else { b'_' };
    if t.is_empty() {
        return None;
    }
    Some(match kind {
        Kind::Dollar | Kind::Hash => digits(t, 16, skip),
        Kind::Percent => digits(t, 2, skip),
        Kind::At => match (t[0] as char).to_digit(10) {
            Some(b @ 1..) => digits(&t[1..], b + 1, 0),
            _ => return None,
        },
        Kind::Amp => match t[0].to_ascii_lowercase() {
            b'h' => digits(&t[1..], 16, b'$'),
            b'o' => digits(&t[1..], 8, b'$'),
            b'x' => digits(&t[1..], 2, b'$'),
            // A digit of base 16 where those need no letter before them.
            b'b' if !d.lexing.amp_digits
                && t.len() > 1
                && t[1..].iter().all(|b| matches!(b, b'0' | b'1')) =>
            {
                digits(&t[1..], 2, 0)
            }
            _ => digits(t, 16, b'$'),
        },
        _ => return None,
    })
}

/// The characters of a quoted token: its escapes replaced, its quotes gone. A
/// numeric escape gives the character of that number.
pub fn unquote(text: &str, kind: Kind, d: &Dialect) -> Vec<char> {
    let quote = if kind == Kind::Single { '\'' } else { '"' };
    let escapes = match kind {
        Kind::Double => !d.values.plain_texts && !d.lexing.raw_texts,
        _ => d.lexing.escapes_single,
    };
    let doubled = if kind == Kind::Single {
        d.lexing.doubled_single.is_one()
    } else {
        d.lexing.doubled_double
    };
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let mut out = Vec::with_capacity(inner.len());
    let mut it = inner.chars().peekable();
    while let Some(c) = it.next() {
        if c == '\\' && escapes {
            let Some(e) = it.next() else { break };
            out.push(match e {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'a' => '\x07',
                'b' if d.values.plain_texts => '\x08',
                'f' if d.values.plain_texts => '\x0c',
                'v' if d.values.plain_texts => '\x0b',
                'x' => {
                    let mut v = 0;
                    for _ in 0..2 {
                        if let Some(h) = it.peek().and_then(|c| c.to_digit(16)) {
                            v = v * 16 + h;
                            it.next();
                        }
                    }
                    char::from(v as u8)
                }
                '0'..='7' => {
                    let mut v = e.to_digit(8).unwrap_or(0);
                    for _ in 0..2 {
                        if let Some(o) = it.peek().and_then(|c| c.to_digit(8)) {
                            v = v * 8 + o;
                            it.next();
                        }
                    }
                    char::from(v as u8)
                }
                other => other,
            });
        } else {
            if doubled && c == quote && it.peek() == Some(&quote) {
                it.next();
            }
            out.push(c);
        }
    }
    out
}

/// Whether a token is a quoted text.
pub fn is_quoted(t: &Tok) -> bool {
    matches!(t.kind, Kind::Single | Kind::Double)
}

/// What stands between the quotes of a token; where a dialect takes a quote that nothing
/// closes, all that is behind it.
pub fn inside(text: &str) -> &str {
    let mut chars = text.chars();
    let quote = chars.next();
    let rest = chars.as_str();
    quote.and_then(|q| rest.strip_suffix(q)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect;

    #[test]
    fn number_forms() {
        let n = &dialect::by_name("native").unwrap().values.numbers;
        for (t, v) in [
            ("0", 0),
            ("0FFh", 255),
            ("0x1f", 31),
            ("101b", 5),
            ("0b101", 5),
            ("17o", 15),
            ("1_000", 1000),
            ("0b1h", 0xb1),
            ("12d", 12),
        ] {
            assert_eq!(number(t, n), Ok(v), "{t}");
        }
        assert_eq!(number("12x", n), Err(BadNumber::Digit));
        assert_eq!(number("99999999999999999999", n), Err(BadNumber::TooLarge));
        let z = &dialect::by_name("z80asm").unwrap().values.numbers;
        assert_eq!(number("010", z), Ok(8));
        assert_eq!(number("08", z), Err(BadNumber::Digit));
    }

    #[test]
    fn quotes() {
        let p = dialect::by_name("pasmo").unwrap();
        assert_eq!(
            unquote("'it''s\\n'", Kind::Single, p)
                .iter()
                .collect::<String>(),
            "it's\\n"
        );
        assert_eq!(
            unquote("\"a\\x41\\\"\"", Kind::Double, p)
                .iter()
                .collect::<String>(),
            "aA\""
        );
    }
}
