//! Procedures and repeats, and the ends of all that is open.

use super::macros::lines_of;
use super::names::is_name;
use super::state::{FrameKind, ROOT, Rounds, State};
use super::words::is_register;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;
use std::rc::Rc;
use std::sync::Arc;

impl Assembler<'_> {
    /// `proc`.
    pub(super) fn glass_proc(&mut self, t: &Tok, labels: &[Tok]) -> Outcome<()> {
        let path = self.glass_path(labels.first(), "proc");
        for l in labels.iter().skip(1) {
            self.glass_define_alias(l, &labels[0]);
        }
        let around = self.own.get::<State>().names.scope;
        let inner = self.glass_new_scope(around, path, None)?;
        self.glass_push_frame(FrameKind::Proc, t, Some(inner));
        if self.own.get::<State>().frames.len() > 4 * crate::read::expand::MAX_NESTING {
            let d = Diagnostic::new(codes::TOO_DEEP, "blocks nest too deep").at(t.span);
            self.fatal = true;
            return Err(Box::new(d));
        }
        Ok(())
    }

    /// `endp`.
    pub(super) fn glass_end_proc(&mut self, t: &Tok) -> Outcome<()> {
        let depth = self.lines.feeds.len();
        let state = self.own.get_mut::<State>();
        match state.frames.last() {
            Some(f) if matches!(f.kind, FrameKind::Proc) && f.depth <= depth => {
                let scope = f.scope;
                state.frames.pop();
                self.glass_enter_scope(scope);
                Ok(())
            }
            _ => self.stray(t, "a `proc`"),
        }
    }

    /// `rept count`, `rept count,name,first,step`.
    pub(super) fn glass_repeat(&mut self, t: &Tok, rest: &[Tok], labels: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (body, found) = self.glass_record(t)?;
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k)?;
            Some(&rest[p.0 as usize..p.1 as usize])
        };
        let name = match part(1) {
            None => None,
            Some([name]) if is_name(name) && !is_register(self.text(name)) => Some(*name),
            Some(other) => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of the counter");
                return Err(Box::new(d.at(self.span_of(other))));
            }
        };
        let mut numbers = [0, 0, 1];
        for (to, k) in [(0, 0), (1, 2), (2, 3)] {
            if let Some(toks) = part(k) {
                let with = self.glass_operands(toks)?;
                numbers[to] = self.known_here(t, with.as_deref().unwrap_or(toks), "the count")?;
            } else if k == 0 {
                numbers[0] = self.known_here(t, &[], "the count")?;
            }
        }
        let [count, first, step] = numbers;
        if count < 0 || parts.len() > 4 {
            let message = format!("a block cannot be repeated {count} times");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(rest));
            return Err(Box::new(d));
        }
        let rounds = Rounds {
            body,
            labels: found,
            path: self.glass_path(labels.first(), "rept"),
            named: !labels.is_empty(),
            left: count as u64,
            round: 0,
            counter: name.map(|n| (n, first, step)),
            items: None,
        };
        self.glass_first_round(rounds, t)
    }

    /// `irp name,value,value`.
    pub(super) fn glass_for_each(&mut self, t: &Tok, rest: &[Tok], labels: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (body, found) = self.glass_record(t)?;
        let parts = split(rest);
        let part = |p: &(u32, u32)| &rest[p.0 as usize..p.1 as usize];
        let name: Arc<str> = match parts.first().map(part) {
            Some([name]) if is_name(name) => self.text(name).into(),
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of a parameter");
                return Err(Box::new(d.at(t.span)));
            }
        };
        let here = self.here;
        let scope = self.own.get::<State>().names.scope;
        let mut items = Vec::with_capacity(parts.len());
        for p in &parts[1..] {
            let toks = part(p);
            if toks.is_empty() {
                let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(t.span);
                return Err(Box::new(d));
            }
            items.push(self.glass_text(toks, scope, here)?);
        }
        let names = &mut self.own.get_mut::<State>().names;
        names.text_words.insert(name.clone());
        let rounds = Rounds {
            body,
            labels: found,
            path: self.glass_path(labels.first(), "irp"),
            named: !labels.is_empty(),
            left: items.len() as u64,
            round: 0,
            counter: None,
            items: Some((name, items)),
        };
        self.glass_first_round(rounds, t)
    }

    fn glass_first_round(&mut self, rounds: Rounds, t: &Tok) -> Outcome<()> {
        if rounds.left == 0 {
            return Ok(());
        }
        self.push_feed(lines_of(rounds.body.clone()), ExpansionKind::Repeat(0));
        self.glass_push_frame(FrameKind::Rounds(rounds), t, None);
        self.glass_begin_round()
    }

    /// The scope of the round in force, and what is known in it.
    fn glass_begin_round(&mut self) -> Outcome<()> {
        self.mark_here();
        let Some(frame) = self.own.get_mut::<State>().frames.last_mut() else {
            return Ok(());
        };
        let (around, span) = (frame.scope, frame.span);
        let FrameKind::Rounds(r) = &mut frame.kind else {
            return Ok(());
        };
        r.left -= 1;
        let round = r.round;
        let path: Arc<str> = format!("{}{round}.", r.path).into();
        let labels = r.labels.clone();
        let named = r.named && !r.path.contains('#');
        let counter = r.counter;
        let item = r.items.as_ref().and_then(|(name, all)| {
            let text = all.get(round as usize)?;
            Some((name.clone(), text.clone()))
        });
        if let Some((_, value, step)) = &mut r.counter {
            *value = i64::from((*value as i32).wrapping_add(*step as i32));
        }
        let inner = self.glass_new_scope(around, path.clone(), labels)?;
        if named && self.own.get::<State>().measuring == 0 {
            let id = self.symbols.intern(&path[..path.len() - 1]);
            self.define_local(id, span)?;
        }
        if let Some((name, value, _)) = counter {
            let full = format!("{path}{}", self.text(&name));
            let id = self.symbols.intern(&full);
            self.define(id, Meaning::Number(value), name.span, false)?;
            self.symbols.get_mut(id).local = true;
            // Its name is one of the round.
            let word: Arc<str> = self.text(&name).into();
            let names = &mut self.own.get_mut::<State>().names;
            let own = &mut names.scopes[inner as usize].may_define;
            if let Some(known) = own
                && !known.contains(&word)
            {
                let mut more = (**known).clone();
                more.insert(word);
                *own = Some(Rc::new(more));
                let shared = own.clone();
                if let Some(FrameKind::Rounds(r)) = self
                    .own
                    .get_mut::<State>()
                    .frames
                    .last_mut()
                    .map(|f| &mut f.kind)
                {
                    r.labels = shared;
                }
            }
        }
        if let Some((name, text)) = item {
            let names = &mut self.own.get_mut::<State>().names;
            names.text_in(inner, name, text);
        }
        self.glass_enter_scope(inner);
        Ok(())
    }

    /// The mark behind recorded lines: another round, or what stood around.
    pub(super) fn glass_end_of_lines(&mut self, t: &Tok) -> Outcome<()> {
        let depth = self.lines.feeds.len();
        if let Some(f) = self.lines.feeds.last()
            && self.lines.conditions.len() > f.conditions
        {
            let from = f.conditions;
            let span = self.lines.conditions[from].span;
            self.lines.conditions.truncate(from);
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this conditional has no `endif`");
            self.report(Box::new(d.at(span)));
        }
        // What was opened in the lines and not closed.
        loop {
            let state = self.own.get::<State>();
            let Some(f) = state.frames.last() else {
                self.pop_feed();
                return Ok(());
            };
            let lines = matches!(
                f.kind,
                FrameKind::Call | FrameKind::Rounds(_) | FrameKind::Measure(_)
            );
            if f.depth < depth {
                self.pop_feed();
                return Ok(());
            }
            if lines && f.depth == depth {
                break;
            }
            self.glass_pop_frame(true);
        }
        self.pop_feed();
        let state = self.own.get_mut::<State>();
        let Some(frame) = state.frames.last_mut() else {
            return Ok(());
        };
        let scope = frame.scope;
        let more = match &mut frame.kind {
            FrameKind::Rounds(r) if r.left > 0 => {
                r.round += 1;
                Some((r.body.clone(), r.round))
            }
            _ => None,
        };
        let Some((body, round)) = more else {
            self.glass_pop_frame(false);
            return Ok(());
        };
        self.account.spent.expanded += 1;
        if self.account.spent.expanded > limits::LINES {
            self.fatal = true;
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "repeats make too many lines");
            return Err(Box::new(d.at(t.span)));
        }
        self.glass_enter_scope(scope);
        self.push_feed(lines_of(body), ExpansionKind::Repeat(round));
        self.glass_begin_round()
    }

    /// Leaves the innermost of what is open.
    fn glass_pop_frame(&mut self, unclosed: bool) {
        let Some(f) = self.own.get_mut::<State>().frames.pop() else {
            return;
        };
        self.glass_enter_scope(f.scope);
        let end = match &f.kind {
            FrameKind::Proc => "endp",
            FrameKind::Section(_) => "ends",
            _ => "endm",
        };
        match f.kind {
            FrameKind::Section(s) => self.glass_leave_section(&s),
            FrameKind::Measure(m) => self.glass_measured(&m),
            _ => {}
        }
        if unclosed && self.own.get::<State>().measuring == 0 {
            let message = format!("this block has no `{end}`");
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(f.span);
            self.report(Box::new(d));
        }
    }

    /// Leaves what is open in lines that are gone.
    #[inline]
    pub(super) fn glass_leave_frames(&mut self) {
        let depth = self.lines.feeds.len();
        while self
            .own
            .get::<State>()
            .frames
            .last()
            .is_some_and(|f| f.depth > depth)
        {
            self.glass_pop_frame(false);
        }
    }

    /// The end of the program: all must be closed.
    pub(super) fn glass_leave_all(&mut self) {
        while let Some(f) = self.own.get::<State>().frames.last() {
            let block = matches!(f.kind, FrameKind::Proc | FrameKind::Section(_));
            self.glass_pop_frame(block);
        }
        self.glass_enter_scope(ROOT);
    }
}
