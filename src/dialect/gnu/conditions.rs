//! Conditionals of GNU as.

use super::words::{Gnu, Test};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// A line that does not count: only conditionals matter.
    pub(super) fn gnu_skipped(&mut self, toks: &[Tok]) -> Outcome<()> {
        let mut i = 0;
        while toks.get(i + 1).is_some_and(|c| c.kind == Kind::Colon) {
            i += 2;
        }
        let Some(t) = toks.get(i).filter(|t| t.kind == Kind::Name) else {
            return Ok(());
        };
        let Some(d) = self.gnu_own(self.words.get(self.sources.slice(t.span)).directive) else {
            return Ok(());
        };
        match d {
            Gnu::If(_) => self.open_condition(false, false, t),
            Gnu::Else => self.gnu_branch(t, None),
            Gnu::ElseIf => self.gnu_branch(t, Some(&toks[i + 1..])),
            Gnu::EndIf => self.close_if(t),
            _ => Ok(()),
        }
    }

    pub(super) fn gnu_if(&mut self, test: Test, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = self.gnu_test(test, t, rest);
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    /// `.else`, or `.elseif condition`.
    pub(super) fn gnu_branch(&mut self, t: &Tok, rest: Option<&[Tok]>) -> Outcome<()> {
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `.else` before this")
                .at(t.span)
                .related(c.span, "of this conditional");
            return Err(Box::new(d));
        }
        let (taken, outer) = (c.taken, c.outer);
        let now = match rest {
            None => !taken,
            _ if taken || !outer => false,
            Some(rest) => {
                // What the condition reads stands here.
                self.mark_here();
                self.gnu_test(Test::NotZero, t, rest)?
            }
        };
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = now && outer;
            c.taken |= now;
            c.last = rest.is_none();
        }
        Ok(())
    }

    fn gnu_test(&mut self, test: Test, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        let fault = |message: &str| {
            let d = Diagnostic::new(codes::SYNTAX, message).at(t.span);
            Err(Box::new(d))
        };
        match test {
            Test::Defined(wanted) => {
                let Some(name) = rest.first().filter(|n| n.kind == Kind::Name) else {
                    return fault("expected a name");
                };
                let id = self.gnu_intern(name)?;
                Ok((self.symbols.get(id).meaning != Meaning::Undefined) == wanted)
            }
            Test::Blank(wanted) => Ok(rest.is_empty() == wanted),
            Test::Same(wanted) => {
                let text = self.gnu_rest(rest);
                let Some((a, b)) = two_texts(&text) else {
                    return fault("expected two texts with a comma between");
                };
                Ok((a == b) == wanted)
            }
            Test::SameTexts(wanted) => match rest {
                [a, c, b]
                    if a.kind == Kind::Double
                        && b.kind == Kind::Double
                        && c.kind == Kind::Comma =>
                {
                    Ok((self.gnu_text(a) == self.gnu_text(b)) == wanted)
                }
                _ => fault("expected two texts in quotes with a comma between"),
            },
            _ => {
                if rest.is_empty() {
                    return fault("expected a condition");
                }
                let v = self.whole_expression(rest)?;
                let span = self.span_of(rest);
                let n = self.must_know(v, span, "the condition")?;
                Ok(match test {
                    Test::Zero => n == 0,
                    Test::Less => n < 0,
                    Test::LessEqual => n <= 0,
                    Test::Greater => n > 0,
                    Test::GreaterEqual => n >= 0,
                    _ => n != 0,
                })
            }
        }
    }
}

/// The texts of `.ifc`: each in quotes `'`, or up to the comma or the end.
fn two_texts(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = match text.strip_prefix('\'') {
        Some(t) => t.split_once('\'')?,
        None => {
            let n = text.find(',')?;
            (text[..n].trim_end(), &text[n..])
        }
    };
    let rest = rest.trim_start().strip_prefix(',')?.trim();
    let second = rest.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    Some((first, second.unwrap_or(rest)))
}
