//! Macros, `DUP`, `WHILE`: lines that are recorded and read again.
//!
//! The lines of a macro are a text in which arguments stand for names; those of a repeat
//! are tokens.

use super::arguments::arguments;
use super::lua::blocks::ends_script;
use super::names::in_name;
use super::state::{Call, Macro, State, While};
use super::substitute::with_arguments;
use super::words::{Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Body, Counter, Feed, FeedKind, Names};
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// Most rounds of a `WHILE`.
const ROUNDS: u64 = 100_000;

impl Assembler<'_> {
    /// The word that a segment begins with behind its label, and its number in it.
    pub(super) fn sj_head(&self, toks: &[Tok]) -> Option<(Word, usize)> {
        let at = |i: usize| {
            let t: &Tok = toks.get(i)?;
            if t.kind != Kind::Name {
                return None;
            }
            let base = self.sjasm_base(self.sources.slice(t.span));
            word(self.words.get(base).directive).map(|w| (w, i))
        };
        let first = toks.first()?;
        let margin = self.at_margin(first);
        if !margin {
            return at(0);
        }
        let i = match toks.get(1) {
            Some(c) if c.kind == Kind::Colon => 2,
            _ => 1,
        };
        let early = at(0).filter(|w| {
            let ends = matches!(
                w.0,
                Word::EndMacro
                    | Word::Ends
                    | Word::Else
                    | Word::ElseIf
                    | Word::ElseAsks(_)
                    | Word::EndIf
            );
            ends || self.sj_stands_first(w.0)
        });
        early.or_else(|| at(i))
    }

    /// The word without what sjasm has behind a dot in it: `macro.list`.
    pub(super) fn sjasm_base<'t>(&self, word: &'t str) -> &'t str {
        match word.split_once('.') {
            Some((base, _)) if !base.is_empty() && self.dialect.name == "sjasm" => {
                let known = ["macro", "imacro", "while", "repeat", "incbin"];
                let known = known.iter().any(|k| k.eq_ignore_ascii_case(base));
                if known { base } else { word }
            }
            _ => word,
        }
    }

    /// Whether a directive counts as one in column 1.
    pub(super) fn sj_stands_first(&self, w: Word) -> bool {
        let sjasm = self.dialect.name == "sjasm";
        self.sj_switches().directives_first && w != Word::End
            || sjasm
                && matches!(
                    w,
                    Word::Include
                        | Word::If(_)
                        | Word::ElseIf
                        | Word::Else
                        | Word::EndIf
                        | Word::Macro
                        | Word::EndMacro
                        | Word::Repeat
                        | Word::EndRepeat
                        | Word::EndWhile
                        | Word::ElseAsks(_)
                        | Word::IMacro
                        | Word::Text(_)
                        | Word::Break
                        | Word::Continue
                        | Word::ExitMacro
                        | Word::Rotate
                        | Word::While
                        | Word::Define
                        | Word::Undefine
                        | Word::Struct
                        | Word::Ends
                )
    }

    /// Records the segments up to the one that `ends`, which counts what nests; what is
    /// behind that on its line is read next.
    pub(super) fn sj_record(
        &mut self,
        opener: &Tok,
        ends: &mut dyn FnMut(Word) -> bool,
        wanted: &str,
    ) -> Outcome<Body> {
        let mut body = Body::default();
        let mut line: Vec<Tok> = Vec::new();
        let mut floor = self.lines.feeds.len();
        loop {
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
                return Err(Box::new(d));
            }
            let segments = self.sj_segments(&line);
            for (k, &(a, b)) in segments.iter().enumerate() {
                let toks = &line[a..b];
                if let Some((w, _)) = self.sj_head(toks)
                    && ends(w)
                {
                    self.sj_rest(&line, &segments[k + 1..]);
                    return Ok(body);
                }
                let start = body.toks.len() as u32;
                body.toks.extend_from_slice(toks);
                body.lines.push((start, body.toks.len() as u32));
            }
            if let Some((Word::Lua, i)) = self.sj_head(&line) {
                for t in self.sj_record_script(&line[i])? {
                    let start = body.toks.len() as u32;
                    body.toks.extend(t);
                    body.lines.push((start, body.toks.len() as u32));
                }
            }
            if body.toks.len() > limits::HELD || body.lines.len() > limits::HELD {
                let d = Diagnostic::new(codes::TOO_MUCH, "a block of this size cannot be recorded");
                self.fatal = true;
                return Err(Box::new(d.at(opener.span)));
            }
        }
    }

    /// Reads some segments of a line before the next line.
    pub(super) fn sj_rest(&mut self, line: &[Tok], segments: &[(usize, usize)]) {
        if segments.is_empty() {
            return;
        }
        let mut body = Body::default();
        for &(a, b) in segments {
            let start = body.toks.len() as u32;
            body.toks.extend_from_slice(&line[a..b]);
            body.lines.push((start, body.toks.len() as u32));
        }
        let number = self.account.spent.expanded as u32 ^ 0x8000_0000;
        self.account.spent.expanded += 1;
        self.lines.feeds.push(Feed {
            kind: FeedKind::Lines {
                body: Rc::new(body),
                next: 0,
                names: Rc::default(),
                arguments: Vec::new(),
                spare: VecDeque::new(),
                rounds: None,
            },
            number,
            caller: None,
            held: 0,
            outer: self.expansion,
            conditions: self.lines.conditions.len(),
            scopes: self.lines.scopes.len(),
        });
        self.own.get_mut::<State>().rests.insert(number);
    }

    /// `name macro a,b` and `macro name a,b`.
    pub(super) fn sj_macro(
        &mut self,
        label: Option<(String, Span)>,
        t: &Tok,
        rest: &[Tok],
    ) -> Outcome<()> {
        let statement = self.statement;
        let head = match label {
            Some((name, span)) => Ok((name, span, rest)),
            None => self
                .sj_id(t, rest)
                .map(|(name, more)| (name, rest[0].span, more)),
        };
        let body = self.sj_record(t, &mut |w| w == Word::EndMacro, "endm")?;
        self.statement = statement;
        let (name, span, parameters) = head?;
        let list = self.written(parameters);
        let mut names = Vec::new();
        for p in list.split(',').map(str::trim) {
            if p.is_empty() && names.is_empty() && list.trim().is_empty() {
                break;
            }
            if p.is_empty() || !p.bytes().all(in_name) || names.iter().any(|n| n == p) {
                let d = Diagnostic::new(codes::SYNTAX, "expected a parameter's name");
                return Err(Box::new(d.at(self.span_of(parameters))));
            }
            if names.len() == limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
            names.push(p.to_owned());
        }
        let state = self.own.get::<State>();
        if let Some(old) = state.macros.get(&name) {
            let message = format!("the macro `{name}` is defined twice");
            let d = Diagnostic::new(codes::REDEFINED, message).at(span);
            return Err(Box::new(d.related(old.span, "first defined here")));
        }
        self.room_for_macro(state.macros.len())?;
        let (text, lines) = self.lines_as_text(&body);
        let made = Macro {
            name: name.clone(),
            names: Names::new(names),
            text,
            lines,
            span,
        };
        let state = self.own.get_mut::<State>();
        state.macros.insert(name, Rc::new(made));
        Ok(())
    }

    /// The macro of that name.
    #[inline]
    pub(super) fn sj_macro_named(&self, name: &str) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        match macros.is_empty() {
            true => None,
            false => macros.get(name).map(Rc::clone),
        }
    }

    /// Calls a macro.
    pub(super) fn sj_call(&mut self, m: &Rc<Macro>, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let mut given = arguments(&text);
        let names = m.names.list();
        let named = |a: &String| {
            let (n, _) = a.split_once('=')?;
            names.iter().position(|p| p == n.trim())
        };
        if !given.is_empty() && given.iter().all(|a| named(a).is_some()) {
            let mut sorted = vec![String::new(); names.len()];
            for a in &given {
                if let (Some(i), Some((_, v))) = (named(a), a.split_once('=')) {
                    sorted[i] = v.trim().to_owned();
                }
            }
            given = sorted;
        }
        if given.is_empty() && names.len() == 1 {
            given.push(String::new());
        }
        if given.len() != names.len() {
            let message = crate::read::expand::takes(&m.name, names.len(), given.len());
            let d = Diagnostic::new(codes::BAD_CALL, message).at(self.statement);
            return Err(Box::new(d.related(m.span, "defined here")));
        }
        let text = match given.is_empty() {
            true => m.text.clone(),
            false => {
                let mut text = String::with_capacity(m.text.len());
                let mut script = false;
                for line in m.text.lines() {
                    // The lines of a script are its own.
                    script = match script {
                        true => !ends_script(line),
                        false => self.sj_begins_script(line),
                    };
                    if script {
                        text.push_str(line);
                        text.push('\n');
                        continue;
                    }
                    let (line, made) = with_arguments(line, &m.names, &given);
                    self.emitted_text(made)?;
                    text.push_str(&line);
                    text.push('\n');
                }
                text
            }
        };
        self.read_text(&m.name, text, &m.lines)?;
        let depth = self.lines.feeds.len();
        let state = self.own.get_mut::<State>();
        let number = state.call_number;
        state.call_number += 1;
        let label = match state.calls.last() {
            Some(outer) => format!("{number}.{}", outer.label),
            None => number.to_string(),
        };
        state.calls.push(Call {
            depth,
            label,
            called: Some(Rc::clone(m)),
            given,
        });
        Ok(())
    }

    /// `dup n`, `dup n,i`.
    pub(super) fn sj_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let mut depth = 0;
        let ends = &mut |w| {
            match w {
                Word::Repeat | Word::While => depth += 1,
                Word::EndRepeat | Word::EndMacro if depth == 0 => return true,
                Word::EndRepeat | Word::EndMacro => depth -= 1,
                _ => {}
            }
            false
        };
        let body = self.sj_record(t, ends, "edup");
        self.statement = statement;
        let (count, name) = match rest.iter().rposition(|t| t.kind == Kind::Comma) {
            Some(i) => (&rest[..i], rest.get(i + 1)),
            None => (rest, None),
        };
        if count.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected how often").at(t.span);
            return Err(Box::new(d));
        }
        let body = body?;
        let v = self.whole_expression(count)?;
        let n = self.must_know(v, self.span_of(count), "the count")?;
        let counter = match name {
            None => Counter::None,
            Some(name) => {
                let text = self.text(name).to_owned();
                let (id, _) = self.sj_defined(&text, name.span, false)?;
                self.define(id, Meaning::Number(0), name.span, true)?;
                Counter::Number(id, 0, 1)
            }
        };
        self.repeated(body, n, self.span_of(count), counter)
    }

    /// `while condition`.
    pub(super) fn sj_while(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let mut depth = 0;
        let ends = &mut |w| {
            match w {
                Word::Repeat | Word::While => depth += 1,
                Word::EndRepeat if depth == 0 => return true,
                Word::EndRepeat => depth -= 1,
                _ => {}
            }
            false
        };
        let mut body = self.sj_record(t, ends, "endw")?;
        self.statement = statement;
        // A line that asks whether there is another round.
        self.with_mark(&mut body, t);
        let state = self.own.get_mut::<State>();
        state.whiles.push(While {
            condition: rest.to_vec(),
            body: Rc::new(body),
        });
        self.sj_round(t)
    }

    /// Another round of the innermost `while`, if there is one.
    fn sj_round(&mut self, t: &Tok) -> Outcome<()> {
        let Some(w) = self.own.get::<State>().whiles.last() else {
            return Ok(());
        };
        let (condition, body) = (w.condition.clone(), Rc::clone(&w.body));
        let condition = match self.sj_replaced(&condition)? {
            Some(toks) => toks,
            None => condition,
        };
        self.mark_here();
        self.count_round(condition.len());
        let again = self.truth(t, &condition);
        if !again.as_ref().is_ok_and(|&yes| yes) {
            self.own.get_mut::<State>().whiles.pop();
            return again.map(|_| ());
        }
        if self.account.spent.expanded > limits::LINES.max(ROUNDS) {
            self.fatal = true;
            let d = Diagnostic::new(
                codes::ENDLESS_EXPANSION,
                "this `while` does not end, or is too long for that",
            );
            return Err(Box::new(d.at(t.span)));
        }
        let kind = FeedKind::Lines {
            body,
            next: 0,
            names: Rc::default(),
            arguments: Vec::new(),
            spare: VecDeque::new(),
            rounds: None,
        };
        self.push_feed(kind, ExpansionKind::Repeat(0));
        Ok(())
    }

    /// The last line of a round of `while`.
    pub(super) fn sj_end_of_round(&mut self, t: &Tok) -> Outcome<()> {
        self.pop_feed();
        self.sj_round(t)
    }
}
