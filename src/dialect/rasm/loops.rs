//! `repeat`, `while`: lines that are recorded and read round by round; and the lines of
//! calls and rounds that are open.

use super::state::{Frame, Loop, LoopKind, State};
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Body, Feed, FeedKind};
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;
use std::collections::VecDeque;
use std::rc::Rc;

/// Most rounds of a loop.
const ROUNDS: u64 = 65_536;

impl Assembler<'_> {
    /// Forgets the calls and loops whose lines are all read.
    pub(super) fn rasm_leave_frames(&mut self) {
        let depth = self.lines.feeds.len();
        let state = self.own.get_mut::<State>();
        while state.frames.last().is_some_and(|f| f.depth > depth) {
            if let Some(f) = state.frames.pop() {
                state.parent = f.parent;
            }
        }
    }

    /// Notes a call or loop whose lines were put before all others.
    pub(super) fn rasm_enter(&mut self, lines: Option<Loop>) {
        let depth = self.lines.feeds.len() + usize::from(lines.is_some());
        let state = self.own.get_mut::<State>();
        let number = state.number;
        state.number += 1;
        let parent = state.parent.clone();
        state.frames.push(Frame {
            depth,
            number,
            round: 0,
            parent,
            lines,
        });
    }

    /// Records the pieces up to the one that `ends`, which counts what nests, and gives
    /// that one too; what is behind it on its line is read next.
    pub(super) fn rasm_record(
        &mut self,
        opener: &Tok,
        ends: &mut dyn FnMut(Word) -> bool,
        wanted: &str,
    ) -> Outcome<(Body, Vec<Tok>)> {
        let mut body = Body::default();
        let mut line: Vec<Tok> = Vec::new();
        let mut floor = self.lines.feeds.len();
        let statement = self.statement;
        let done = loop {
            // The rest of a line is no block of its own.
            while let Some(f) = self.lines.feeds.last()
                && self.own.get::<State>().rests.contains(&f.number)
                && !self.has_line(floor)
            {
                self.pop_feed();
                floor -= 1;
            }
            if floor == 0
                || !self.has_line(floor)
                || !self.next_line(&mut line)
                || self.lines.feeds.len() < floor
            {
                let message = format!("this block has no `{wanted}`");
                let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(opener.span);
                break Err(Box::new(d));
            }
            let pieces = self.rasm_pieces(&line);
            let mut end = None;
            for (k, &(a, b)) in pieces.iter().enumerate() {
                let toks = &line[a..b];
                if let Some(w) = self.rasm_head(toks)
                    && ends(w)
                {
                    end = Some((k, toks.to_vec()));
                    break;
                }
                let start = body.toks.len() as u32;
                body.toks.extend_from_slice(toks);
                body.lines.push((start, body.toks.len() as u32));
            }
            if let Some((k, toks)) = end {
                self.rasm_rest(&line, &pieces[k + 1..]);
                break Ok((body, toks));
            }
            if body.toks.len() > limits::HELD || body.lines.len() > limits::HELD {
                let d = Diagnostic::new(codes::TOO_MUCH, "a block of this size cannot be recorded");
                self.fatal = true;
                break Err(Box::new(d.at(opener.span)));
            }
        };
        self.statement = statement;
        done
    }

    /// Reads some pieces of a line before the next line.
    pub(super) fn rasm_rest(&mut self, line: &[Tok], pieces: &[(usize, usize)]) {
        if pieces.is_empty() {
            return;
        }
        let mut body = Body::default();
        for &(a, b) in pieces {
            let start = body.toks.len() as u32;
            body.toks.extend_from_slice(&line[a..b]);
            body.lines.push((start, body.toks.len() as u32));
        }
        let number = self.account.spent.expanded as u32 ^ 0x8000_0000;
        self.account.spent.expanded += 1;
        self.lines.feeds.push(Feed {
            kind: lines_of(Rc::new(body)),
            number,
            caller: None,
            held: 0,
            outer: self.expansion,
            conditions: self.lines.conditions.len(),
            scopes: self.lines.scopes.len(),
        });
        self.own.get_mut::<State>().rests.insert(number);
    }

    /// `repeat n`, `repeat n,i,first,step`, `repeat` … `until condition`.
    pub(super) fn rasm_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k).map(|p| &rest[p.0 as usize..p.1 as usize]);
            p.filter(|p| !p.is_empty())
        };
        let numbers = (|| -> Outcome<_> {
            let [first, step] = self.own.get::<State>().counting;
            let mut all = [0, first, step];
            for (to, k) in [(0, 0), (1, 2), (2, 3)] {
                if let Some(toks) = part(k) {
                    all[to] = self.known_here(t, toks, "the count")?;
                }
            }
            Ok(all)
        })();
        let until = rest.is_empty();
        let mut depth = 0u32;
        let ends = &mut |w| match w {
            Word::Repeat | Word::While => {
                depth += 1;
                false
            }
            Word::EndRepeat | Word::Until | Word::EndWhile if depth > 0 => {
                depth -= 1;
                false
            }
            Word::EndRepeat | Word::Until => true,
            _ => false,
        };
        let wanted = if until { "until" } else { "rend" };
        let (body, end) = self.rasm_record(t, ends, wanted)?;
        let [count, first, step] = numbers?;
        let kind = match self.rasm_head(&end) {
            Some(Word::Until) if until => LoopKind::Until(end[1..].to_vec()),
            Some(Word::EndRepeat) if !until => LoopKind::Count(0),
            _ => {
                let message = format!("expected `{wanted}` of the `repeat` above");
                let d = Diagnostic::new(codes::STRAY_END, message).at(self.span_of(&end));
                return Err(Box::new(d.related(t.span, "opened here")));
            }
        };
        if until {
            return self.rasm_begin(t, body, kind, None);
        }
        if !(0..=ROUNDS as i64).contains(&count) {
            let message = format!("a block cannot be repeated {count} times");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(rest));
            return Err(Box::new(d.label("must be 0 to 65536")));
        }
        let counter = match part(1).filter(|_| count > 0) {
            None => None,
            Some([name]) => Some((self.rasm_counter(name, first)?, step)),
            Some(other) => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of a variable");
                return Err(Box::new(d.at(self.span_of(other))));
            }
        };
        match count {
            0 => Ok(()),
            n => self.rasm_begin(t, body, LoopKind::Count(n as u64), counter),
        }
    }

    /// The variable of a loop, at its first value.
    fn rasm_counter(&mut self, name: &Tok, first: i64) -> Outcome<SymbolId> {
        let text = self.text(name).to_owned();
        self.rasm_check_name(&text, name.span, false)?;
        let id = self.symbols.intern(&text);
        self.define(id, Meaning::Number(first), name.span, true)?;
        let expansion = self.expansion;
        self.symbols.mark_used(id, name.span, expansion);
        Ok(id)
    }

    /// `while condition`, `while condition,i`.
    pub(super) fn rasm_while(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let mut depth = 0u32;
        let ends = &mut |w| match w {
            Word::Repeat | Word::While => {
                depth += 1;
                false
            }
            Word::EndRepeat | Word::Until | Word::EndWhile if depth > 0 => {
                depth -= 1;
                false
            }
            Word::EndWhile => true,
            _ => false,
        };
        let (body, _) = self.rasm_record(t, ends, "wend")?;
        let parts = split(rest);
        let condition = parts.first().map_or(0, |p| p.1 as usize);
        let counter = match parts.get(1).map(|p| &rest[p.0 as usize..p.1 as usize]) {
            None => None,
            Some([name]) => {
                let [first, _] = self.own.get::<State>().counting;
                Some((self.rasm_counter(name, first)?, 1))
            }
            Some(_) => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of a variable");
                return Err(Box::new(d.at(t.span)));
            }
        };
        let condition = rest[..condition].to_vec();
        if !self.rasm_holds(t, &condition)? {
            return Ok(());
        }
        self.rasm_begin(t, body, LoopKind::While(condition), counter)
    }

    /// Whether the condition of a loop holds now.
    fn rasm_holds(&mut self, t: &Tok, condition: &[Tok]) -> Outcome<bool> {
        self.mark_here();
        let made = match self.rasm_tagged(condition)? {
            Some(made) => made,
            None => condition.to_vec(),
        };
        Ok(self.known_here(t, &made, "the condition")? != 0)
    }

    /// The first round of a loop.
    fn rasm_begin(
        &mut self,
        t: &Tok,
        mut body: Body,
        kind: LoopKind,
        counter: Option<(SymbolId, i64)>,
    ) -> Outcome<()> {
        // A line that asks whether there is another round.
        self.with_mark(&mut body, t);
        let body = Rc::new(body);
        self.rasm_enter(Some(Loop {
            body: Rc::clone(&body),
            kind,
            counter,
        }));
        self.rasm_round(body, 0)
    }

    fn rasm_round(&mut self, body: Rc<Body>, round: u64) -> Outcome<()> {
        self.account.spent.expanded += 1;
        if round >= ROUNDS || self.account.spent.expanded > limits::LINES {
            self.fatal = true;
            let d = Diagnostic::new(
                codes::ENDLESS_EXPANSION,
                "this loop does not end, or is too long for that",
            );
            return Err(Box::new(d.at(self.statement)));
        }
        self.push_feed(lines_of(body), ExpansionKind::Repeat(round));
        Ok(())
    }

    /// The last line of a round.
    pub(super) fn rasm_end_of_round(&mut self, t: &Tok) -> Outcome<()> {
        let parent = self.own.get::<State>().parent.clone();
        self.pop_feed();
        self.own.get_mut::<State>().parent = parent;
        let Some(frame) = self.own.get_mut::<State>().frames.last_mut() else {
            return Ok(());
        };
        let Some(lines) = &mut frame.lines else {
            return Ok(());
        };
        frame.round += 1;
        let (round, counter) = (frame.round, lines.counter);
        let body = Rc::clone(&lines.body);
        let (condition, wanted) = match &mut lines.kind {
            LoopKind::Count(left) => {
                *left = left.saturating_sub(1);
                (None, *left > 0)
            }
            LoopKind::Until(c) => (Some(c.clone()), false),
            LoopKind::While(c) => (Some(c.clone()), true),
        };
        let count = |a: &mut Self| {
            if let Some((id, step)) = counter
                && let Meaning::Number(n) = a.symbols.get(id).meaning
            {
                a.symbols.get_mut(id).meaning = Meaning::Number(n.saturating_add(step));
            }
        };
        let again = match condition {
            None => {
                count(self);
                Ok(wanted)
            }
            Some(c) => {
                self.count_round(c.len());
                self.rasm_holds(t, &c).map(|yes| yes == wanted)
            }
        };
        if again.as_ref().is_ok_and(|&yes| yes) {
            if matches!(
                self.own.get::<State>().frames.last(),
                Some(Frame {
                    lines: Some(Loop {
                        kind: LoopKind::While(_),
                        ..
                    }),
                    ..
                })
            ) {
                count(self);
            }
            return self.rasm_round(body, round);
        }
        let state = self.own.get_mut::<State>();
        if let Some(f) = state.frames.pop() {
            state.parent = f.parent;
        }
        again.map(|_| ())
    }

    /// `startingindex first,step`.
    pub(super) fn rasm_counting(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mut values = [1, 1];
        let before = self.own.get::<State>().counting;
        if !rest.is_empty() {
            values[1] = before[1];
        }
        for (k, (a, b)) in split(rest).into_iter().take(2).enumerate() {
            values[k] = self.known_here(t, &rest[a as usize..b as usize], "the number")?;
        }
        self.own.get_mut::<State>().counting = values;
        Ok(())
    }
}

fn lines_of(body: Rc<Body>) -> FeedKind {
    FeedKind::Lines {
        body,
        next: 0,
        names: Rc::default(),
        arguments: Vec::new(),
        spare: VecDeque::new(),
        rounds: None,
    }
}
