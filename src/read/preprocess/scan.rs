//! From text to preprocessing tokens: logical lines (spliced, without comments)
//! and what stands on them.

use crate::text::language::Rules;
use crate::text::lex::splice;
use crate::text::source::{SourceId, Span};

/// Stands for a joined line in the text of a macro of several lines.
pub const SOFT: char = '\x0b';

/// A line as the preprocessor sees it: joined with those that continue it, each
/// comment a blank.
#[derive(Debug, Default)]
pub struct Logical {
    /// The text.
    pub text: String,
    /// Where the next line starts.
    pub next: usize,
    /// Start of a comment that has no end.
    pub open_comment: Option<usize>,
    /// (offset in `text`, offset in the source) where both run on together.
    map: Vec<(u32, u32)>,
}

impl Logical {
    /// The place in the source of a part of the text.
    pub fn span(&self, source: SourceId, start: usize, end: usize) -> Span {
        let at = |n: usize| {
            let i = self.map.partition_point(|m| m.0 as usize <= n);
            let (l, s) = self.map[i.saturating_sub(1)];
            s + (n as u32).saturating_sub(l)
        };
        let first = at(start);
        Span::new(source, first, at(end.max(start)).max(first))
    }
}

/// Bytes from the quote at the start of `rest` to behind its partner on the line.
fn quoted(rest: &[u8], rules: &Rules) -> Option<usize> {
    let mut i = 1;
    if rules.plain_texts && rest.starts_with(b"'''") {
        return Some(3);
    }
    while let Some(&b) = rest.get(i) {
        match b {
            b'\n' => return None,
            b'\\' if rules.plain_texts && rest[0] == b'"' => {}
            b'\\' if rest.get(i + 1).is_some_and(|c| *c != b'\n') => i += 1,
            b if b == rest[0] => return Some(i + 1),
            _ => {}
        }
        i += 1;
    }
    None
}

/// The logical line at byte `at`; `None` at the end of the text. Where `soft` is
/// set, a joined line leaves a [`SOFT`].
pub fn logical(text: &str, at: usize, rules: &Rules, soft: bool) -> Option<Logical> {
    let bytes = text.as_bytes();
    if at >= bytes.len() {
        return None;
    }
    let mut out = Logical {
        map: vec![(0, at as u32)],
        ..Logical::default()
    };
    let (mut i, mut from) = (at, at);
    // Takes what has run up and leaves out what comes up to `to`.
    let cut = |out: &mut Logical, from: usize, i: usize, to: usize, put: Option<char>| {
        out.text.push_str(&text[from..i]);
        out.text.extend(put);
        out.map.push((out.text.len() as u32, to as u32));
    };
    while i < bytes.len() {
        let rest = &bytes[i..];
        match bytes[i] {
            b'\n' => {
                out.text.push_str(text[from..i].trim_end_matches('\r'));
                out.next = i + 1;
                return Some(out);
            }
            b'\\' if rules.joins && splice(rest) > 0 => {
                let to = i + splice(rest);
                cut(&mut out, from, i, to, soft.then_some(SOFT));
                (i, from) = (to, to);
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = memchr::memmem::find(&rest[2..], b"*/");
                if end.is_none() {
                    out.open_comment = Some(i);
                }
                let to = end.map_or(bytes.len(), |n| i + n + 4);
                cut(&mut out, from, i, to, Some(' '));
                (i, from) = (to, to);
            }
            b'/' if rest.starts_with(b"//") => {
                let mut to = i;
                loop {
                    to += memchr::memchr(b'\n', &bytes[to..]).unwrap_or(bytes.len() - to);
                    let before = text[..to].trim_end_matches(['\r', ' ', '\t']);
                    // In C the backslash joins before comments are seen.
                    if rules.joined_comments && before.ends_with('\\') && to < bytes.len() {
                        to += 1;
                    } else {
                        break;
                    }
                }
                cut(&mut out, from, i, to, None);
                (i, from) = (to, to);
            }
            b';' if rules.semicolon => {
                let to = i + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                cut(&mut out, from, i, to, None);
                (i, from) = (to, to);
            }
            b'"' | b'\'' => match quoted(rest, rules) {
                Some(n) => i += n,
                // A lone quote: one character, or in the style of C the rest of
                // the line.
                None if rules.semicolon => i += 1,
                None => {
                    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    let end = (1..line).find(|&n| splice(&rest[n..]) > 0);
                    i += end.unwrap_or(line);
                }
            },
            _ => i += 1,
        }
    }
    out.text.push_str(&text[from..]);
    out.next = bytes.len();
    Some(out)
}

/// Kinds of preprocessing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name.
    Name,
    /// A number.
    Number,
    /// A string, character or anything else that is not looked into.
    Text,
    /// A sign.
    Mark,
    /// `#` before a parameter.
    Quote,
    /// `##`.
    Paste,
    /// A parameter in a macro's text.
    Parameter(u16),
    /// An empty argument beside `##`.
    Nothing,
}

/// A token; its text lies in the arena of the preprocessor.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// White space stands before it.
    pub space: bool,
    /// A joined line's end stands before it.
    pub soft: bool,
    /// First byte in the arena.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Set of macros that it is hidden from.
    pub hide: u32,
}

const MARKS: [&str; 16] = [
    "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "##", "++", "--", "->", "<>", ":=", "::",
];

/// Second bytes of them.
const SECONDS: &[u8] = b".<>=&|#+-:";

/// Whether a byte may start a name.
pub fn starts_name(b: u8, rules: &Rules) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b >= 0x80 || rules.name_more.as_bytes().contains(&b)
}

/// Whether a byte may stand in a name.
pub fn in_name(b: u8, rules: &Rules) -> bool {
    b.is_ascii_digit() || starts_name(b, rules)
}

/// Length of a number at the start of `rest`, 0 if there is none.
fn number(rest: &[u8], rules: &Rules) -> usize {
    let digit = |i: usize| rest.get(i).is_some_and(u8::is_ascii_digit);
    let hex = |i: usize| rest.get(i).is_some_and(u8::is_ascii_hexdigit);
    if rules.dollar_hex && rest[0] == b'$' && hex(1) {
        let digits = rest[1..].iter();
        return 1 + digits
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
    }
    let starts = digit(0) || rest[0] == b'.' && digit(1);
    if !starts {
        return 0;
    }
    let based = rest[0] == b'0' && matches!(rest.get(1), Some(b'x' | b'X'));
    let mut i = 1;
    while let Some(&b) = rest.get(i) {
        let sign = matches!(b, b'+' | b'-')
            && matches!(rest[i - 1], b'e' | b'E')
            && (!rules.semicolon || !based && digit(i + 1));
        if !(b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b >= 0x80 || sign) {
            break;
        }
        i += 1;
    }
    i
}

/// The tokens of `text`, which lies in the arena from byte `base`.
pub fn tokens(text: &str, base: usize, rules: &Rules, out: &mut Vec<Token>) {
    let bytes = text.as_bytes();
    let (mut i, mut space, mut soft) = (0, false, false);
    while i < bytes.len() {
        let rest = &bytes[i..];
        if rest[0].is_ascii_whitespace() || rest[0] == SOFT as u8 {
            space = true;
            soft |= rest[0] == SOFT as u8;
            i += 1;
            continue;
        }
        let n = number(rest, rules);
        let (kind, len) = if n > 0 {
            (Kind::Number, n)
        } else if starts_name(rest[0], rules) {
            let len = rest.iter().take_while(|b| in_name(**b, rules)).count();
            (Kind::Name, len)
        } else if matches!(rest[0], b'"' | b'\'') {
            match quoted(rest, rules) {
                Some(n) => (Kind::Text, n),
                None if rules.semicolon => (Kind::Text, 1),
                None => (Kind::Text, rest.len()),
            }
        } else {
            let mark = match rest.get(1) {
                Some(b) if SECONDS.contains(b) => {
                    MARKS.iter().find(|m| rest.starts_with(m.as_bytes()))
                }
                _ => None,
            };
            let len = mark.map_or(1, |m| m.len());
            let paste = &rest[..len] == b"##";
            (if paste { Kind::Paste } else { Kind::Mark }, len)
        };
        out.push(Token {
            kind,
            space,
            soft,
            start: (base + i) as u32,
            end: (base + i + len) as u32,
            hide: 0,
        });
        (space, soft) = (false, false);
        i += len;
    }
}
