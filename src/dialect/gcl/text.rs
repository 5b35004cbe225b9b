//! The text: words between blanks and brackets, comments that nest.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::state::feeds::FeedKind;
use crate::read::syntax::expression::clip;
use crate::text::source::{SourceId, Span};

/// The version that is read.
const VERSION: &str = "gcl0x";

/// A blank, as the original counts them.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

impl Assembler<'_> {
    /// Reads all that is left of the text.
    pub(super) fn gcl_text(&mut self) {
        self.memo.not_again();
        let Some(feed) = self.lines.feeds.last_mut() else {
            return;
        };
        let FeedKind::File { source, at } = &mut feed.kind else {
            return;
        };
        let source = *source;
        let text = self.program.sources.get(source).text.clone();
        *at = text.len();
        self.own.get_mut::<State>().read = true;
        self.gcl_words(source, &text);
    }

    /// Cuts a text into words.
    fn gcl_words(&mut self, source: SourceId, text: &str) {
        let mut word = 0;
        let mut comments: usize = 0;
        let mut comment = 0;
        for (i, c) in text.char_indices() {
            if self.fatal {
                return;
            }
            if comments > 0 {
                comments += usize::from(c == '{');
                comments -= usize::from(c == '}');
                word = i + c.len_utf8();
                continue;
            }
            let mark = matches!(c, '{' | '}' | '[' | ']');
            if !mark && !is_blank(c) {
                continue;
            }
            self.gcl_spot(source, (word, i), &text[word..i]);
            word = i + c.len_utf8();
            let span = Span::new(source, i as u32, word as u32);
            match c {
                '{' => (comments, comment) = (1, i),
                '[' | ']' => self.gcl_bracket(c, span),
                '}' => {
                    let d = Diagnostic::new(codes::STRAY_END, "`}` without the start of a comment");
                    self.report(Box::new(d.at(span)));
                }
                _ => {}
            }
        }
        if comments > 0 {
            let span = Span::new(source, comment as u32, comment as u32 + 1);
            let d = Diagnostic::new(codes::UNTERMINATED_TEXT, "this comment has no `}`");
            self.report(Box::new(d.at(span).help("comments nest")));
        } else {
            self.gcl_spot(source, (word, text.len()), &text[word..]);
        }
    }

    /// What stands between two blanks or brackets.
    fn gcl_spot(&mut self, source: SourceId, (from, to): (usize, usize), word: &str) {
        if word.is_empty() {
            return;
        }
        self.check_limits();
        self.statement = Span::new(source, from as u32, to as u32);
        self.noticed.high.clear();
        self.mark_here();
        if let Err(d) = self.gcl_word(word) {
            self.report(d);
        }
        self.own.get_mut::<State>().operand = None;
    }

    fn gcl_bracket(&mut self, c: char, span: Span) {
        self.statement = span;
        self.mark_here();
        let done = match c {
            '[' => self.gcl_open(span),
            _ => self.gcl_close(span),
        };
        if let Err(d) = done {
            self.report(d);
        }
    }

    /// A word; the first says the version.
    fn gcl_word(&mut self, word: &str) -> Outcome<()> {
        if self.own.get::<State>().version {
            return self.gcl_meaning(word);
        }
        if word == VERSION {
            self.own.get_mut::<State>().version = true;
            return Ok(());
        }
        let message = format!("the first word must be `{VERSION}`, not `{}`", clip(word));
        let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
        // A text that is no program gives an error a word, where these are counted.
        self.fatal |= !self.account.limits.is_trial();
        Err(Box::new(d))
    }
}
