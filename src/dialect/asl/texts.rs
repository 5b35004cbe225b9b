//! Texts of lines: where a comment begins, what stands between commas.

/// Walks over the bytes of a line that are outside of quotes, with how deep brackets are,
/// until `stop` says so; where that is.
fn walk(line: &str, stop: &mut dyn FnMut(u8, i32) -> bool) -> Option<usize> {
    let b = line.as_bytes();
    let (mut i, mut depth, mut quote) = (0, 0i32, 0);
    while i < b.len() {
        let c = b[i];
        match c {
            b'\\' if quote != 0 => i += 1,
            _ if quote != 0 => quote = if c == quote { 0 } else { quote },
            b'\'' if i >= 2 && b[i - 2..i].eq_ignore_ascii_case(b"af") => {}
            b'"' | b'\'' => {
                if stop(c, depth) {
                    return Some(i);
                }
                quote = c;
            }
            _ => {
                if matches!(c, b')' | b']' | b'}') {
                    depth -= 1;
                }
                if stop(c, depth) {
                    return Some(i);
                }
                if matches!(c, b'(' | b'[' | b'{') {
                    depth += 1;
                }
            }
        }
        i += 1;
    }
    None
}

/// Where the comment of a line begins.
pub fn comment(line: &str) -> Option<usize> {
    walk(line, &mut |c, _| c == b';')
}

/// Where a character stands first outside of quotes.
pub fn outside(line: &str, wanted: u8) -> Option<usize> {
    walk(line, &mut |c, _| c == wanted)
}

/// Where a character stands first outside of quotes and brackets.
pub fn free(line: &str, wanted: u8) -> Option<usize> {
    walk(line, &mut |c, depth| c == wanted && depth <= 0)
}

/// What stands between commas that are outside of quotes and brackets.
pub fn arguments(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = free(rest, b',') {
        out.push(rest[..at].trim().to_owned());
        rest = &rest[at + 1..];
    }
    out.push(rest.trim().to_owned());
    out
}

/// A text in upper case, but for what is in quotes.
pub fn upper(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut at = Vec::new();
    let mut i = 0;
    walk(text, &mut |c, _| {
        at.push(c);
        false
    });
    // `walk` shows each byte outside of quotes once, in order.
    for c in at {
        while i < out.len() && out[i] != c {
            i += 1;
        }
        if i < out.len() {
            out[i] = c.to_ascii_uppercase();
            i += 1;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// A line with texts for names that stand alone: none of the characters that `part` tells
/// is beside them.
pub fn replaced(line: &str, names: &[(&str, &str)], part: fn(u8) -> bool, blind: bool) -> String {
    let mut out = String::new();
    for (text, name) in cut(
        line,
        &names.iter().map(|n| n.0).collect::<Vec<_>>(),
        part,
        blind,
    ) {
        out.push_str(&text);
        if let Some(k) = name {
            out.push_str(names[k].1);
        }
    }
    out
}

/// Texts, each with the number of the name behind it.
pub fn cut(
    line: &str,
    names: &[&str],
    part: fn(u8) -> bool,
    blind: bool,
) -> Vec<(String, Option<usize>)> {
    let b = line.as_bytes();
    let mut out = Vec::new();
    let (mut from, mut i) = (0, 0);
    while i < b.len() {
        let begins = i == 0 || !part(b[i - 1]);
        let is = |n: &&str| {
            let end = i + n.len();
            let same = b.get(i..end).is_some_and(|t| match blind {
                true => t.eq_ignore_ascii_case(n.as_bytes()),
                false => t == n.as_bytes(),
            });
            !n.is_empty() && same && b.get(end).is_none_or(|&c| !part(c))
        };
        let found = match begins {
            true => names.iter().position(is),
            false => None,
        };
        match found {
            Some(k) => {
                out.push((line[from..i].to_owned(), Some(k)));
                i += names[k].len();
                from = i;
            }
            None => i += 1,
        }
    }
    out.push((line[from..].to_owned(), None));
    out
}

#[cfg(test)]
mod tests {
    use super::{arguments, comment, cut, upper};

    #[test]
    fn quotes_and_brackets_keep_what_is_in_them() {
        assert_eq!(
            arguments("a, \"b,\\\",c\" ,f(1,2),[x,y]"),
            ["a", "\"b,\\\",c\"", "f(1,2)", "[x,y]"]
        );
        assert_eq!(arguments("a,"), ["a", ""]);
        assert_eq!(comment("ex af,af' ; x"), Some(10));
        assert_eq!(comment("db ';' ; \""), Some(7));
        assert_eq!(upper("ld a,\"xyz\",'b',c"), "LD A,\"xyz\",'b',C");
    }

    #[test]
    fn names_stand_alone() {
        let part = |b: u8| b.is_ascii_alphanumeric();
        let got = cut("x_a: db \"a\",aa,A", &["a"], part, true);
        let names = got.iter().filter(|p| p.1.is_some()).count();
        assert_eq!((names, got[0].0.as_str()), (3, "x_"));
    }
}
