//! All findings of a run as one text of bounded size.

use super::{Diagnostic, Level};
use std::fmt::Write;

/// Most findings that are shown.
pub const MOST: usize = 100;
/// Most bytes of text.
pub const MOST_BYTES: usize = 64 << 10;
/// Kept free for the last line.
const RESERVE: usize = 256;

/// Renders up to [`MOST`] findings and [`MOST_BYTES`] bytes; errors come before
/// warnings when there are too many, otherwise the order stays. Returns the text
/// and how many findings are not in it.
pub fn limited(
    diagnostics: &[Diagnostic],
    mut render: impl FnMut(&Diagnostic) -> String,
) -> (String, usize) {
    let mut chosen: Vec<&Diagnostic> = diagnostics.iter().collect();
    if chosen.len() > MOST {
        chosen.sort_by_key(|d| std::cmp::Reverse(d.level));
    }
    let mut out = String::new();
    let mut shown = 0;
    for d in chosen.into_iter().take(MOST) {
        let text = render(d);
        if out.len() + text.len() + 1 > MOST_BYTES - RESERVE {
            break;
        }
        out.push_str(&text);
        if !text.ends_with('\n') {
            out.push('\n');
        }
        shown += 1;
    }
    (out, diagnostics.len() - shown)
}

/// `2 errors, 1 warning`, of those given and of those of each level that were left out
/// before; notes are counted where some are not shown. Empty if there is nothing to say.
pub fn summary(diagnostics: &[Diagnostic], hidden: usize, left_out: [usize; 3]) -> String {
    let hidden = hidden + left_out.iter().sum::<usize>();
    let mut out = String::new();
    for level in [Level::Error, Level::Warning, Level::Note] {
        let one = level.name();
        let n = diagnostics.iter().filter(|d| d.level == level).count() + left_out[level as usize];
        if n > 0 && (hidden > 0 || level != Level::Note) {
            let comma = if out.is_empty() { "" } else { ", " };
            let _ = write!(out, "{comma}{n} {one}{}", if n == 1 { "" } else { "s" });
        }
    }
    if hidden > 0 {
        let _ = write!(out, " ({hidden} not shown)");
    }
    out
}
