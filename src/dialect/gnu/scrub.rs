//! The text of a statement as GNU as sees it before it looks at it: no comments,
//! character constants as numbers, and blanks only where they part two words.
//! Arguments of macros and texts that are compared are pieces of such a text.

/// Where in a statement the scrubber is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before the first word, or behind a label.
    Start,
    /// In the first word.
    Word,
    /// In the operands, behind a sign.
    Operands,
    /// In the operands, in a word.
    Symbol,
    /// In the operands, behind a word and blanks.
    Blank,
}

/// Whether a character belongs to a word.
fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.') || !c.is_ascii()
}

/// A whole statement, labels and all; `plain` if texts in single quotes stay, and no quotes
/// have escapes.
pub fn statement(text: &str, plain: bool) -> String {
    scrub(text, At::Start, plain)
}

/// What stands behind the first word.
pub fn operands(text: &str, plain: bool) -> String {
    scrub(text.trim_start(), At::Operands, plain)
}

fn scrub(text: &str, start: At, plain: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = start;
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let rest = &text[i..];
        if let Some(inner) = rest.strip_prefix("/*") {
            let end = inner.find("*/").map_or(text.len(), |n| i + n + 4);
            while chars.next_if(|&(j, _)| j < end).is_some() {}
            at = blank(at, &mut out);
            continue;
        }
        // The preprocessor joins such lines; nobody else brings them here.
        if c == '\\' && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
            while chars.next_if(|n| matches!(n.1, '\r' | '\n')).is_some() {}
            continue;
        }
        match c {
            ';' => break,
            ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c' => at = blank(at, &mut out),
            '\'' if plain && is_primed(&text[..i]) => out.push(c),
            quote @ ('"' | '\'') if quote == '"' || plain => {
                if at == At::Blank {
                    out.push(' ');
                }
                at = match at {
                    At::Blank | At::Operands => At::Symbol,
                    other => other,
                };
                out.push(quote);
                while let Some((_, c)) = chars.next() {
                    out.push(c);
                    match c {
                        '\\' if !plain => out.extend(chars.next().map(|n| n.1)),
                        _ if c == quote => break,
                        _ => {}
                    }
                }
            }
            '\'' => {
                let code = match chars.next() {
                    Some((_, '\\')) => chars.next().map(|n| escape(n.1)),
                    other => other.map(|n| n.1),
                };
                chars.next_if(|n| n.1 == '\'');
                if at == At::Blank {
                    out.push(' ');
                }
                if let Some(c) = code {
                    out.push_str(&(c as u32).to_string());
                }
                if at != At::Start && at != At::Word {
                    at = At::Symbol;
                }
            }
            ':' if at == At::Word || at == At::Operands && out.ends_with(' ') => {
                while out.ends_with(' ') {
                    out.pop();
                }
                out.push(':');
                at = At::Start;
            }
            _ => {
                if at == At::Blank && (is_symbol(c) || c == '\\') {
                    out.push(' ');
                }
                at = match at {
                    At::Start | At::Word => At::Word,
                    _ if is_symbol(c) => At::Symbol,
                    _ => At::Operands,
                };
                out.push(c);
            }
        }
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Whether a quote behind this text is that of `af'`.
fn is_primed(before: &str) -> bool {
    let b = before.as_bytes();
    let word = b.len().checked_sub(2).and_then(|n| b.get(n..));
    word.is_some_and(|w| w.eq_ignore_ascii_case(b"af"))
        && !before[..b.len() - 2].ends_with(is_symbol)
}

fn blank(at: At, out: &mut String) -> At {
    match at {
        At::Word => {
            out.push(' ');
            At::Operands
        }
        At::Symbol => At::Blank,
        other => other,
    }
}

/// The character that a backslash and a letter mean in a character constant.
pub fn escape(c: char) -> char {
    match c {
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_stay_between_words_only() {
        let statement = |text| statement(text, false);
        assert_eq!(statement("  ldi  r16 , 1 + 2 ; x"), "ldi r16,1+2");
        assert_eq!(statement("a b  c"), "a b c");
        assert_eq!(statement("lab: mac \\x \\y"), "lab:mac \\x \\y");
        assert_eq!(statement(".byte 'a, ';' , '\\n"), ".byte 97,59,10");
        assert_eq!(
            statement(".ascii  \"a ; b\" /* c */ , \"d\""),
            ".ascii \"a ; b\",\"d\""
        );
        assert_eq!(operands(" 1 - x, y z", false), "1-x,y z");
        let plain = |text| super::statement(text, true);
        assert_eq!(plain(" db  ' ;' , \"\\\" ; x"), "db ' ;',\"\\\"");
        assert_eq!(plain(" ex  af , af' ; it's"), "ex af,af'");
        assert_eq!(plain(" m 'a' , ix"), "m 'a',ix");
    }
}
