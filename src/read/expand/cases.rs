//! `test "name"` to `endtest`: lines that say what is expected of the program. They cost no
//! byte and are kept as they are written; `session/test` reads them.

use super::FeedKind;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, Script};
use crate::read::Assembler;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

impl Assembler<'_> {
    /// Takes the lines of a test.
    pub(super) fn test(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let fault = |code, text: String| Err(Box::new(Diagnostic::new(code, text).at(t.span)));
        let name = match rest {
            [name] if matches!(name.kind, Kind::Single | Kind::Double) => {
                let quoted = self.sources.slice(name.span);
                quoted.get(1..quoted.len() - 1).unwrap_or("").to_owned()
            }
            _ => {
                let text = "expected the name of the test in quotes";
                return fault(codes::SYNTAX, text.into());
            }
        };
        let end = self.word_for(Directive::EndTest).unwrap_or("endtest");
        let Some(FeedKind::File { source, at }) = self.lines.feeds.last_mut().map(|f| &mut f.kind)
        else {
            let text = "a test stands in a file, not in a macro or repeat";
            return fault(codes::MISPLACED, text.into());
        };
        let text = &self.program.sources.get(*source).text;
        let start = *at;
        let mut from = start;
        while from < text.len() {
            let line_end = memchr::memchr(b'\n', &text.as_bytes()[from..]);
            let next = line_end.map_or(text.len(), |n| from + n + 1);
            let line = text[from..next].split(';').next().unwrap_or("").trim();
            if line.trim_start_matches('.').eq_ignore_ascii_case(end) {
                let body = Span::new(*source, start as u32, from as u32);
                *at = next;
                self.program.asked.tests.push(Script {
                    name,
                    head: t.span,
                    body,
                });
                return Ok(());
            }
            from = next;
        }
        *at = text.len();
        let text = format!("this test has no `{end}`");
        fault(codes::UNCLOSED_BLOCK, text)
    }
}
