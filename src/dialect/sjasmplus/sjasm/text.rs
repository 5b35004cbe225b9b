//! Texts as sjasm reads them: names, quoted texts, arguments. Nothing is looked up here.

/// Whether a byte may begin a name that stands for a text.
pub fn begins(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_'
}

/// Length of the name that a text begins with.
pub fn name_len(text: &str) -> usize {
    match text.bytes().next() {
        Some(b) if begins(b) => text
            .bytes()
            .position(|b| !b.is_ascii_alphanumeric() && b != b'_')
            .unwrap_or(text.len()),
        _ => 0,
    }
}

/// Length of the quoted text that a text begins with.
pub fn quoted_len(text: &str) -> usize {
    let b = text.as_bytes();
    let mut i = 1;
    while i < b.len() {
        match b[i] {
            b'\\' if b[0] == b'"' && matches!(b.get(i + 1), Some(b'"' | b'\\')) => i += 1,
            c if c == b[0] => return i + 1,
            _ => {}
        }
        i += 1;
    }
    b.len()
}

/// The argument that a text begins with, without its outer braces, and the rest behind it:
/// up to a comma, or up to a `)` that none opened if so.
pub fn argument(text: &str, greedy: bool, in_parentheses: bool) -> (String, &str) {
    let text = text.trim_start();
    let special = |b: u8| matches!(b, b'"' | b'\'' | b'{' | b'}' | b'(' | b')' | b',');
    match text.bytes().position(special) {
        None => return (text.to_owned(), ""),
        Some(n) if !greedy && text.as_bytes()[n] == b',' => {
            return (text[..n].to_owned(), &text[n..]);
        }
        _ => {}
    }
    let (mut out, mut braces, mut open, mut i) = (String::new(), 0, 0, 0);
    while let Some(c) = text[i..].chars().next() {
        match c {
            '"' | '\'' => {
                let n = quoted_len(&text[i..]);
                out.push_str(&text[i..i + n]);
                i += n;
                continue;
            }
            ',' if braces == 0 && !greedy => break,
            '{' => {
                braces += 1;
                if braces == 1 {
                    i += 1;
                    continue;
                }
            }
            '}' => {
                braces -= 1;
                if braces == 0 {
                    i += 1;
                    continue;
                }
                braces = braces.max(0);
            }
            '(' => open += 1,
            ')' if open == 0 && in_parentheses => break,
            ')' => open -= 1,
            _ => {}
        }
        out.push(c);
        i += c.len_utf8();
    }
    (out, &text[i..])
}

/// The arguments of a text macro, and the rest behind the `)`.
pub fn listed(text: &str) -> (Vec<String>, &str) {
    let mut out = Vec::new();
    let mut rest = text.strip_prefix('(').unwrap_or(text);
    loop {
        let (one, more) = argument(rest, false, true);
        out.push(one);
        match more.strip_prefix(',') {
            Some(more) => rest = more,
            None => return (out, more.strip_prefix(')').unwrap_or(more)),
        }
    }
}

/// The text without the blanks around each `><` outside of quotes, and without that itself.
pub fn joined(text: &str) -> String {
    if memchr::memchr(b'>', text.as_bytes()).is_none() {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut i = 0;
    while let Some(c) = text[i..].chars().next() {
        if matches!(c, '"' | '\'') {
            let n = quoted_len(&text[i..]);
            out.push_str(&text[i..i + n]);
            i += n;
        } else if text[i..].starts_with("><") {
            out.truncate(out.trim_end_matches(' ').len());
            let rest = &text[i + 2..];
            i += 2 + rest.len() - rest.trim_start_matches(' ').len();
        } else {
            out.push(c);
            i += c.len_utf8();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_end_at_commas_outside_of_braces_and_quotes() {
        assert_eq!(argument(" a b,c", false, false), ("a b".into(), ",c"));
        assert_eq!(argument("{a,{b}},c", false, false), ("a,{b}".into(), ",c"));
        assert_eq!(argument("'a,b' ,c", false, false), ("'a,b' ".into(), ",c"));
        assert_eq!(argument("a,c", true, false), ("a,c".into(), ""));
        assert_eq!(listed("((a),b) x"), (vec!["(a)".into(), "b".into()], " x"));
        assert_eq!(joined("l >< d a,'>< '"), "ld a,'>< '");
        assert_eq!(quoted_len(r#""a\"b" c"#), 6);
        assert_eq!((name_len("a_1.b"), name_len("1a")), (3, 0));
    }
}
