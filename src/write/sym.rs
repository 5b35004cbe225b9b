//! Labels, value first, one a line: `4082 board`.
//!
//! So EightyOne loads it from `NAME.p.sym` beside `NAME.p`: bare hex digits, a
//! space, the name; lines of at most 127 characters; `;` starts a comment; a
//! prefix that ends with `:` would be taken for a bank, so none is written.
//! Constants are left out, since the debugger would show them for every address
//! of their value, and so are labels of single macro calls and repeats.

use super::context::{Context, address_digits};
use crate::image::SymbolKind;
use std::fmt::Write;

/// Longest line, in bytes, without its end.
const LINE: usize = 127;

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let mut labels: Vec<_> = c
        .image
        .symbols
        .iter()
        .filter(|s| s.kind == SymbolKind::Label && !s.name.contains('#'))
        .collect();
    labels.sort_by(|a, b| a.value.cmp(&b.value).then_with(|| a.name.cmp(&b.name)));
    let digits = address_digits(c.image);
    let mut out = String::new();
    for s in labels {
        let start = out.len();
        let _ = write!(out, "{:0digits$X} ", s.value);
        for ch in s.name.chars() {
            if out.len() - start + ch.len_utf8() > LINE {
                break;
            }
            // These would end the name or start a comment.
            let separates = ch.is_whitespace() || matches!(ch, ',' | '=' | ';' | ':');
            out.push(if separates { '_' } else { ch });
        }
        out.push('\n');
    }
    out.into_bytes()
}
