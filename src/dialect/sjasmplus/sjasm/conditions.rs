//! What sjasm's conditionals ask of texts.

use super::text::{argument, begins};
use crate::dialect::sjasmplus::words::Asked;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// Whether what a conditional asks of a text is so.
    pub(in super::super) fn sjasm_asks(&mut self, asked: Asked, rest: &[Tok]) -> Outcome<bool> {
        let text = self.written(rest);
        let same = |a: &str, b: &str, any_case: bool| match any_case {
            true => a.trim().eq_ignore_ascii_case(b.trim()),
            false => a.trim() == b.trim(),
        };
        Ok(match asked {
            Asked::Alike(any_case) => {
                let (first, more) = argument(&text, false, false);
                let (second, _) = argument(more.strip_prefix(',').unwrap_or(more), false, false);
                same(&first, &second, any_case)
            }
            Asked::Among(any_case) => {
                let (first, mut more) = argument(&text, false, false);
                let mut found = false;
                while let Some(list) = more.strip_prefix(',') {
                    let (one, behind) = argument(list, false, false);
                    found |= same(&first, &one, any_case);
                    more = behind;
                }
                found
            }
            Asked::Blank => text.trim().is_empty(),
            Asked::Name => text.trim_start().bytes().next().is_some_and(begins),
            Asked::Text => text.trim_start().starts_with(['"', '\'']),
            Asked::Number => {
                let b = text.trim_start().as_bytes();
                let next = b.get(1).copied().unwrap_or(0);
                match b.first() {
                    Some(b'#' | b'$') => next.is_ascii_alphanumeric(),
                    Some(b'%') => next.is_ascii_digit(),
                    first => first.is_some_and(u8::is_ascii_digit),
                }
            }
            Asked::File => {
                let name = match rest {
                    [t] if matches!(t.kind, Kind::Single | Kind::Double) => {
                        let quoted = text.len() >= 2;
                        text.get(1..text.len() - usize::from(quoted))
                            .unwrap_or("")
                            .to_owned()
                    }
                    _ => text.trim().to_owned(),
                };
                self.content(&name, self.statement).is_ok()
            }
        })
    }
}
