//! Arguments of macros and elements of arrays: texts between commas.

/// The arguments of a call: texts between commas. `<…>` around one is not part of it.
pub fn arguments(text: &str) -> Vec<String> {
    let b = text.as_bytes();
    let mut out = Vec::new();
    if text.trim().is_empty() {
        return out;
    }
    let mut i = 0;
    loop {
        while i < b.len() && b[i].is_ascii_whitespace() {
            i += 1;
        }
        let mut value = String::new();
        let mut keep = 0;
        let first = i;
        while i < b.len() && b[i] != b',' {
            let quote = b[i];
            let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_hexdigit);
            let tick = quote == b'\'' && i > first && digit(b.get(i - 1)) && digit(b.get(i + 1));
            let delimiter = match quote {
                b'"' => b'"',
                b'\'' if !tick => b'\'',
                b'<' if i == first => b'>',
                _ => {
                    let c = text[i..].chars().next().unwrap_or(' ');
                    value.push(c);
                    i += c.len_utf8();
                    continue;
                }
            };
            let from = i + 1;
            i = from;
            if delimiter != b'>' {
                value.push(quote as char);
            }
            while i < b.len() && b[i] != delimiter {
                let escape = delimiter == b'"' && b[i] == b'\\'
                    || delimiter == b'>'
                        && b[i] == b'!'
                        && matches!(b.get(i + 1), Some(b'!' | b'>'));
                if escape && b.get(i + 1).is_some_and(u8::is_ascii) {
                    if delimiter == b'"' {
                        value.push('\\');
                    }
                    value.push(b[i + 1] as char);
                    i += 2;
                    continue;
                }
                let c = text[i..].chars().next().unwrap_or(' ');
                value.push(c);
                i += c.len_utf8();
            }
            if delimiter != b'>' && i < b.len() {
                value.push(delimiter as char);
            }
            i = (i + 1).min(b.len());
            keep = value.len();
        }
        let trimmed = value.trim_end().len().max(keep);
        value.truncate(trimmed);
        out.push(value);
        if i >= b.len() {
            return out;
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_are_texts_between_commas() {
        for (text, want) in [
            ("", &[][..]),
            ("a, b ", &["a", "b"]),
            ("<1,2> , 3", &["1,2", "3"]),
            ("'a,b',\"c,\\\"d\"", &["'a,b'", "\"c,\\\"d\""]),
            ("<a!>b!!>", &["a>b!"]),
            ("a,", &["a", ""]),
            ("1'000", &["1'000"]),
        ] {
            assert_eq!(arguments(text), want, "{text}");
        }
    }
}
