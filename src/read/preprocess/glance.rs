//! Conditionals that a glance tells: `#if X`, `#ifdef X`, `#else`, `#endif` on short lines
//! without a comment, a quote or a joined line.

use super::preprocessor::{Condition, Preprocessor};
use crate::read::state::feeds::MAX_NESTING;
use crate::text::source::{SourceId, Span};

/// Longest of these lines, in bytes.
const LONGEST: usize = 80;

/// What a glance tells of a line.
pub(super) enum Glance {
    /// It is done; the next line begins there.
    Done(usize),
    /// A condition that the assembler is asked for: its place, the name that it is, if it is
    /// one, and the next line.
    Asks(Span, Option<Span>, usize),
}

/// Whether a text is a name in every dialect.
fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(plain)
}

impl Preprocessor {
    /// Does what a line says that starts with `#`, if a glance tells it.
    pub(super) fn glance(
        &mut self,
        text: &str,
        source: SourceId,
        at: usize,
        level: usize,
    ) -> Option<Glance> {
        let bytes = text.as_bytes().get(at..)?;
        let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(LONGEST)])?;
        // All are looked at, so that no byte costs a branch.
        let more = |b: u8| {
            (b == b'\\') | (b == b'/') | (b == b';') | (b == b'"') | (b == b'\'') | (b >= 0x80)
        };
        if bytes[..end].iter().fold(false, |any, &b| any | more(b)) {
            return None;
        }
        let line = text[at..at + end].trim_end();
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        let behind = line[blanks..].strip_prefix('#')?;
        let length = behind.bytes().take_while(u8::is_ascii_alphanumeric);
        let (word, argument) = behind.split_at(length.count());
        let argument = argument.trim_start_matches([' ', '\t']);
        let next = at + end + 1;
        let span = Span::new(source, (at + blanks) as u32, (at + line.len()) as u32);
        let is = |name: &str| match self.rules.semicolon {
            true => word.eq_ignore_ascii_case(name),
            false => word == name,
        };
        if is("endif") && argument.is_empty() {
            self.conditions.pop_if(|c| c.level == level)?;
        } else if is("else") && argument.is_empty() {
            let c = self.conditions.last_mut();
            let c = c.filter(|c| c.level == level && !c.last)?;
            c.active = !c.taken && c.outer;
            (c.taken, c.last) = (true, true);
        } else if self.conditions.len() >= MAX_NESTING || argument.is_empty() {
            return None;
        } else if is("if") {
            match self.skipping() {
                true => self.begin(false, span, level),
                false if self.rules.asks_assembler => {
                    let name = is_name(argument).then(|| {
                        let from = span.end - argument.len() as u32;
                        Span::new(source, from, span.end)
                    });
                    return Some(Glance::Asks(span, name, next));
                }
                false => return None,
            }
        } else if is("ifdef") || is("ifndef") {
            if !is_name(argument) {
                return None;
            }
            let yes = !self.skipping() && self.is_known(argument) == is("ifdef");
            self.begin(yes, span, level);
        } else {
            return None;
        }
        Some(Glance::Done(next))
    }

    /// A conditional begins whose first part is read if `yes`.
    pub(super) fn begin(&mut self, yes: bool, span: Span, level: usize) {
        let outer = !self.skipping();
        self.conditions.push(Condition {
            active: yes,
            taken: yes,
            last: false,
            outer,
            level,
            span,
        });
    }
}
