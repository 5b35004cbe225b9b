//! `rept`, `while`, `irp`, `irpc`: lines that are read round by round, each with names of
//! its own.

use super::macros::options;
use super::state::{Arguments, Frame, FrameKind, Loop, State};
use super::typed::Typed;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::text::lex::Tok;
use crate::text::source::SourceId;

impl Assembler<'_> {
    /// `rept count`.
    pub(super) fn asl_repeat(&mut self, t: &Tok, _rest: &[Tok]) -> Outcome<()> {
        let (options, parts) = options(self.asl_arguments(t));
        let made = self.made_line(parts.first().map_or("", String::as_str))?;
        let count = self.known_here(t, &made, "the count");
        let left = *count.as_ref().unwrap_or(&0);
        self.asl_begin_loop(t, "rept", &options, (left.max(0) as u64, None))?;
        count.map(|_| ())
    }

    /// `while condition`.
    pub(super) fn asl_while(&mut self, t: &Tok) -> Outcome<()> {
        let (options, parts) = options(self.asl_arguments(t));
        let condition = parts.join(",");
        let held = self.asl_holds(t, &condition);
        let left = u64::from(*held.as_ref().unwrap_or(&false));
        self.asl_begin_loop(t, "while", &options, (left, Some(condition)))?;
        held.map(|_| ())
    }

    /// Whether the condition of a loop holds now.
    fn asl_holds(&mut self, t: &Tok, condition: &str) -> Outcome<bool> {
        self.mark_here();
        let made = self.made_line(condition)?;
        let v = self.asl_known(t, &made, "the condition")?;
        Ok(self.asl_number_of(&v, t.span)? != 0)
    }

    /// A loop whose rounds all have the same lines.
    fn asl_begin_loop(
        &mut self,
        t: &Tok,
        name: &'static str,
        options: &[String],
        (left, condition): (u64, Option<String>),
    ) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let body = self.asl_record(t)?;
        self.statement = statement;
        if left == 0 || body.lines.is_empty() {
            return Ok(());
        }
        let (mut text, mut spans) = self.lines_as_text(&body);
        text.push_str(super::lines::MARK);
        text.push('\n');
        spans.push(statement);
        // Long lines count as several; the condition is read each time.
        let long = text.len() + condition.as_ref().map_or(0, String::len);
        let cost = (spans.len() + long / (limits::TEXT_A_LINE / 2)) as u64;
        let source = self.asl_source(text, &spans)?;
        self.asl_enter(Loop {
            name,
            source: Some((source, cost)),
            lines: Vec::new(),
            rounds: Vec::new(),
            left,
            condition,
            global: options.iter().any(|o| o == "globalsymbols"),
            done: 0,
        })
    }

    fn asl_source(
        &mut self,
        text: String,
        spans: &[crate::text::source::Span],
    ) -> Outcome<SourceId> {
        self.emitted_text(text.len() + limits::TEXT_A_LINE)?;
        let mut made = Vec::with_capacity(spans.len());
        let mut at = 0;
        for (line, &span) in text.split_inclusive('\n').zip(spans) {
            made.push((at, span));
            at += line.len() as u32;
        }
        Ok(self.sources.add_made_lines(text, made))
    }

    /// `irp name,a,b`, `irpc name,"text"`.
    pub(super) fn asl_for_each(&mut self, t: &Tok, letters: bool) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let (options, mut parts) = options(self.asl_arguments(t));
        let body = self.asl_record(t)?;
        self.statement = statement;
        if parts.len() < 2 {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name and what it stands for");
            return Err(Box::new(d.at(statement)));
        }
        let formal = parts.remove(0);
        let mut rounds: Vec<String> = match letters {
            false if self.dialect.names.case_blind => {
                parts.iter().map(|p| super::texts::upper(p)).collect()
            }
            false => parts,
            true => {
                let made = self.made_line(&parts[0])?;
                match self.asl_known(t, &made, "a text")? {
                    Typed::Text(text, _) => {
                        text.iter().map(|&b| char::from(b).to_string()).collect()
                    }
                    _ => {
                        let d = Diagnostic::new(codes::SYNTAX, "expected a text");
                        return Err(Box::new(d.at(statement)));
                    }
                }
            }
        };
        rounds.reverse();
        let lines = self.asl_pieces(&body, &[formal]);
        self.asl_enter(Loop {
            name: if letters { "irpc" } else { "irp" },
            source: None,
            lines,
            left: rounds.len() as u64,
            rounds,
            condition: None,
            global: options.iter().any(|o| o == "globalsymbols"),
            done: 0,
        })
    }

    fn asl_enter(&mut self, l: Loop) -> Outcome<()> {
        if l.left == 0 {
            return Ok(());
        }
        let depth = self.lines.feeds.len() + 1;
        let frames = &mut self.own.get_mut::<State>().frames;
        frames.push(Frame {
            depth,
            handle: None,
            kind: FrameKind::Loop(l),
        });
        self.asl_next_round()
    }

    /// Reads the next round of the innermost loop.
    fn asl_next_round(&mut self) -> Outcome<()> {
        let handle = self.asl_handle();
        let Some(frame) = self.own.get_mut::<State>().frames.last_mut() else {
            return Ok(());
        };
        let FrameKind::Loop(l) = &mut frame.kind else {
            return Ok(());
        };
        l.left = l.left.saturating_sub(1);
        l.done += 1;
        frame.handle = (!l.global).then_some(handle);
        let (round, name) = (l.done, l.name);
        let source = l.source;
        let argument = l.rounds.pop();
        let lines = match source {
            Some(_) => Vec::new(),
            None => std::mem::take(&mut l.lines),
        };
        self.account.spent.expanded += source.map_or(1, |s| s.1);
        if self.account.spent.expanded > limits::LINES {
            self.fatal = true;
            let message = "macros and loops make too many lines, or lines too long for so many";
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, message);
            return Err(Box::new(d.at(self.statement)));
        }
        let source = match source {
            Some((s, _)) => s,
            None => {
                let given = Arguments {
                    list: argument.into_iter().collect(),
                    label: String::new(),
                    all: String::new(),
                    count: 1,
                };
                let (text, spans) = self.asl_filled(&lines, &given, 1)?;
                self.account.spent.expanded += spans.len() as u64;
                if let Some(FrameKind::Loop(l)) = (self.own.get_mut::<State>().frames)
                    .last_mut()
                    .map(|f| &mut f.kind)
                {
                    l.lines = lines;
                }
                self.asl_source(text, &spans)?
            }
        };
        let kind = FeedKind::File { source, at: 0 };
        let what = match name {
            "rept" | "while" => ExpansionKind::Repeat(round - 1),
            _ => ExpansionKind::Macro(name.into()),
        };
        self.push_feed(kind, what);
        Ok(())
    }

    /// The last line of a call or round.
    pub(super) fn asl_end_of_round(&mut self, t: &Tok) -> Outcome<()> {
        self.pop_feed();
        let Some(frame) = self.own.get_mut::<State>().frames.last() else {
            return Ok(());
        };
        let FrameKind::Loop(l) = &frame.kind else {
            self.own.get_mut::<State>().frames.pop();
            return Ok(());
        };
        let again = match &l.condition {
            None => Ok(l.left > 0),
            Some(c) => {
                let c = c.clone();
                // Its condition does not see what the round has named.
                if let Some(f) = self.own.get_mut::<State>().frames.last_mut() {
                    f.handle = None;
                }
                self.asl_holds(t, &c)
            }
        };
        if again.as_ref().is_ok_and(|&yes| yes) {
            return self.asl_next_round();
        }
        self.own.get_mut::<State>().frames.pop();
        again.map(|_| ())
    }
}
