//! Macros: their definition, where their labels are measured from 0, and calls.

use super::names::is_name;
use super::state::{Frame, FrameKind, Macro, Measure, Parameter, ROOT, State, Text};
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::plan::Stored;
use crate::program::symbol::{Anchor, Meaning};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Body, FeedKind};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// The labels that recorded lines have; nothing if they include others.
pub(super) type Found = Option<Rc<FxHashSet<Arc<str>>>>;

pub(super) fn lines_of(body: Rc<Body>) -> FeedKind {
    FeedKind::Lines {
        body,
        next: 0,
        names: Rc::default(),
        arguments: Vec::new(),
        spare: VecDeque::new(),
        rounds: None,
    }
}

impl Assembler<'_> {
    /// Records lines up to the `endm` of a block, with a mark behind them.
    pub(super) fn glass_record(&mut self, t: &Tok) -> Outcome<(Rc<Body>, Found)> {
        let mut depth = 0u32;
        let mut labels: FxHashSet<Arc<str>> = FxHashSet::default();
        let mut known = true;
        let ends = &mut |a: &Self, toks: &[Tok]| {
            let (own, i) = a.glass_labels(toks);
            labels.extend(own.iter().map(|l| Arc::from(a.text(l))));
            match toks.get(i).and_then(|w| a.glass_word(w)) {
                Some(Word::Macro | Word::Repeat | Word::ForEach) => depth += 1,
                Some(Word::EndMacro) if depth == 0 => return true,
                Some(Word::EndMacro) => depth -= 1,
                Some(Word::Include) => known = false,
                _ => {}
            }
            false
        };
        let mut body = self.recorded(t, "endm", ends)?;
        self.with_mark(&mut body, t);
        Ok((Rc::new(body), known.then(|| Rc::new(labels))))
    }

    /// The macro that a word is, and the scope that it was defined in.
    #[inline]
    pub(super) fn glass_macro(&self, t: &Tok) -> Option<(Rc<Macro>, u32)> {
        let state = self.own.get::<State>();
        if state.macro_words.is_empty() {
            return None;
        }
        let text = self.sources.slice(t.span);
        let last = text.rsplit_once('.').map_or(text, |p| p.1);
        if !state.macro_words.contains(last) {
            return None;
        }
        let scope = self.glass_scope_of(t);
        let alias = match last.len() < text.len() {
            true => self.glass_alias(scope, text),
            false => None,
        };
        match &alias {
            Some((scope, text)) => self.glass_macro_in(*scope, text),
            None => self.glass_macro_in(scope, text),
        }
    }

    fn glass_macro_in(&self, scope: u32, text: &str) -> Option<(Rc<Macro>, u32)> {
        let state = self.own.get::<State>();
        let mut s = scope;
        loop {
            let own = &state.names.scopes[s as usize];
            let full = match own.path.is_empty() {
                true => Cow::Borrowed(text),
                false => Cow::Owned(format!("{}{text}", own.path)),
            };
            if let Some((m, around)) = state.macros.get(&*full) {
                return Some((m.clone(), *around));
            }
            if let Some(m) = state.known_macros.get(&*full) {
                let around = full.rfind('.').and_then(|at| full.get(..=at));
                let around = around.and_then(|p| state.names.by_path.get(p));
                return Some((m.clone(), around.copied().unwrap_or(s)));
            }
            if s == ROOT {
                return None;
            }
            s = own.parent;
        }
    }

    /// `name: macro a, b = 1`.
    pub(super) fn glass_define_macro(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        labels: &[Tok],
    ) -> Outcome<()> {
        self.memo.renew();
        let (body, found) = self.glass_record(t)?;
        if labels.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
            return Err(Box::new(d.label("it is written `NAME: macro a, b`")));
        }
        let parameters = self.glass_parameters(rest)?;
        let names = parameters.iter().map(|p| p.name.clone());
        let found = found.map(|labels| Rc::new(labels.iter().cloned().chain(names).collect()));
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let scope = self.own.get::<State>().names.scope;
        for l in labels {
            let full = self.glass_full(l);
            self.glass_is_free(l)?;
            if let Some(id) = self.symbols.defined(&full) {
                let message = format!("`{}` is defined twice", self.text(l));
                let mut d = Diagnostic::new(codes::REDEFINED, message).at(l.span);
                if let Some(at) = self.symbols.get(id).span {
                    d = d.related(at, "first defined here");
                }
                return Err(Box::new(d));
            }
            let word: Arc<str> = self.text(l).into();
            let m = Rc::new(Macro {
                name: word.clone(),
                parameters: parameters.clone(),
                body: body.clone(),
                labels: found.clone(),
                span: l.span,
            });
            let last = word.rsplit_once('.').map_or(&*word, |p| p.1).into();
            let state = self.own.get_mut::<State>();
            state.macro_words.insert(last);
            state.macros.insert(full, (m.clone(), scope));
            let any = found
                .as_ref()
                .is_none_or(|f: &Rc<FxHashSet<_>>| f.len() > parameters.len());
            let sections = body.lines.iter().any(|&(a, b)| {
                let (_, i) = self.glass_labels(&body.toks[a as usize..b as usize]);
                let word = body.toks[a as usize..b as usize].get(i);
                word.and_then(|w| self.glass_word(w)) == Some(Word::Section)
            });
            if any || sections {
                self.glass_measure(&m, l)?;
            }
        }
        Ok(())
    }

    fn glass_parameters(&mut self, list: &[Tok]) -> Outcome<Vec<Parameter>> {
        let mut out: Vec<Parameter> = Vec::new();
        for (a, b) in split(list) {
            let part = &list[a as usize..b as usize];
            let (name, default) = match part {
                [name] if is_name(name) => (name, None),
                [name, equal, value @ ..] if is_name(name) && equal.kind == Kind::Equal => {
                    let scope = self.own.get::<State>().names.scope;
                    (name, Some(self.glass_text(value, scope, self.here)?))
                }
                _ => {
                    let at = part.first().map_or(self.statement, |t| t.span);
                    let d = Diagnostic::new(codes::SYNTAX, "expected a parameter's name");
                    return Err(Box::new(d.at(at)));
                }
            };
            let name: Arc<str> = self.text(name).into();
            if out.iter().any(|p| p.name == name) {
                let d = Diagnostic::new(codes::REDEFINED, "two parameters have one name");
                return Err(Box::new(d.at(self.span_of(part))));
            }
            out.push(Parameter { name, default });
            if out.len() > limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
        }
        Ok(out)
    }

    /// A text that is kept, with where its names are looked for and what `$` in it is.
    pub(super) fn glass_text(
        &mut self,
        toks: &[Tok],
        scope: u32,
        here: Anchor,
    ) -> Outcome<Rc<Text>> {
        let names = &mut self.own.get_mut::<State>().names;
        names.kept += toks.len();
        if names.kept > limits::ARGUMENTS {
            return Err(self.too_many(limits::ARGUMENTS, "words in arguments"));
        }
        let toks = toks.to_vec();
        Ok(Rc::new(Text { toks, scope, here }))
    }

    /// Calls a macro that was defined in a scope.
    pub(super) fn glass_call(
        &mut self,
        m: &Rc<Macro>,
        scope: u32,
        t: &Tok,
        rest: &[Tok],
        label: Option<&Tok>,
    ) -> Outcome<()> {
        let parts = split(rest);
        let fault = |why: String| {
            let d = Diagnostic::new(codes::BAD_CALL, why).at(t.span);
            Err(Box::new(d.related(m.span, "defined here")))
        };
        if parts.len() > m.parameters.len() {
            let (given, most) = (parts.len(), m.parameters.len());
            return fault(format!("`{}` takes {most} arguments, not {given}", m.name));
        }
        let mut texts = Vec::with_capacity(m.parameters.len());
        let here = self.here;
        let caller = self.own.get::<State>().names.scope;
        for (k, p) in m.parameters.iter().enumerate() {
            let given = parts.get(k).map(|p| &rest[p.0 as usize..p.1 as usize]);
            let text = match (given, &p.default) {
                (Some([]), _) => return fault("an argument is missing".into()),
                (Some(toks), _) => self.glass_text(toks, caller, here)?,
                (None, Some(text)) if text.scope == scope => text.clone(),
                (None, Some(text)) => self.glass_text(&text.toks, scope, text.here)?,
                (None, None) => {
                    return fault(format!("`{}` needs an argument `{}`", m.name, p.name));
                }
            };
            texts.push((p.name.clone(), text));
        }
        let path = self.glass_path(label, &m.name);
        let inner = self.glass_new_scope(scope, path, m.labels.clone())?;
        let names = &mut self.own.get_mut::<State>().names;
        for (name, text) in texts {
            if !names.text_words.contains(&name) {
                names.text_words.insert(name.clone());
            }
            names.text_in(inner, name, text);
        }
        self.push_feed(
            lines_of(m.body.clone()),
            ExpansionKind::Macro((*m.name).into()),
        );
        self.glass_push_frame(FrameKind::Call, t, Some(inner));
        Ok(())
    }

    /// Opens something, in a scope of its own or not.
    pub(super) fn glass_push_frame(&mut self, kind: FrameKind, t: &Tok, inner: Option<u32>) {
        let depth = self.lines.feeds.len();
        let state = self.own.get_mut::<State>();
        let scope = state.names.scope;
        state.frames.push(Frame {
            kind,
            scope,
            depth,
            span: t.span,
        });
        if let Some(inner) = inner {
            self.glass_enter_scope(inner);
        }
    }

    /// Reads the lines of a macro as if they stood at address 0, for its labels: they are
    /// offsets.
    fn glass_measure(&mut self, m: &Rc<Macro>, name: &Tok) -> Outcome<()> {
        let path = self.glass_path(Some(name), "");
        let around = self.own.get::<State>().names.scope;
        let inner = self.glass_new_scope(around, path.clone(), m.labels.clone())?;
        for p in &m.parameters {
            match &p.default {
                Some(text) => {
                    let text = text.clone();
                    let names = &mut self.own.get_mut::<State>().names;
                    names.text_words.insert(p.name.clone());
                    names.text_in(inner, p.name.clone(), text);
                }
                None => {
                    let id = self.symbols.intern(&format!("{path}{}", p.name));
                    let s = self.symbols.get_mut(id);
                    (s.meaning, s.local) = (Meaning::Number(0), true);
                }
            }
        }
        let places = &self.own.get::<State>().places;
        let before = Measure {
            chunk: self.chunk,
            chunks: self.chunks.len(),
            values: self.values.len(),
            rooms: places.rooms.len(),
            list: places.list,
            nowhere: places.nowhere,
        };
        self.open_chunk(Some(0), 1);
        let chunk = self.chunk as usize;
        self.program.chunks[chunk].stored = Stored::Nowhere;
        self.push_feed(
            lines_of(m.body.clone()),
            ExpansionKind::Macro((*m.name).into()),
        );
        self.glass_push_frame(FrameKind::Measure(before), name, Some(inner));
        let state = self.own.get_mut::<State>();
        state.measuring += 1;
        state.places.lists.push(Vec::new());
        state.places.list = state.places.lists.len() - 1;
        state.places.nowhere = true;
        Ok(())
    }

    /// The end of that.
    pub(super) fn glass_measured(&mut self, before: &Measure) {
        // What sections got stays.
        let kept: Vec<u32> = {
            let places = &mut self.own.get_mut::<State>().places;
            places.rooms.truncate(before.rooms);
            places.named.retain(|_, r| *r < before.rooms);
            let rooms = places.rooms.iter().flat_map(|r| &places.lists[r.list]);
            let chunks = rooms.filter_map(|p| match p {
                super::state::Piece::Chunk(c) => Some(*c),
                super::state::Piece::Room(_) => None,
            });
            chunks.filter(|&c| c as usize >= before.chunks).collect()
        };
        let state = self.own.get_mut::<State>();
        state.measuring -= 1;
        (state.places.list, state.places.nowhere) = (before.list, before.nowhere);
        let program = &mut self.program;
        if kept.is_empty() {
            program.chunks.truncate(before.chunks);
            program.values.truncate(before.values);
        } else {
            let all = before.chunks as u32..program.chunks.len() as u32;
            for c in all.filter(|c| !kept.contains(c)) {
                let c = &mut program.chunks[c as usize];
                (c.size, c.items) = (0, Vec::new());
            }
            let stays = |v: &crate::program::item::OperandValue| {
                (v.at.chunk as usize) < before.chunks || kept.contains(&v.at.chunk)
            };
            let mut index = 0;
            program.values.retain(|v| {
                index += 1;
                index <= before.values || stays(v)
            });
        }
        let section = self.section as usize;
        self.chunk = before.chunk;
        self.program.sections[section].chunk = before.chunk;
        self.mark_here();
    }

    /// Leaves the macro that is being measured.
    pub(super) fn glass_stop_measuring(&mut self) {
        let depth = {
            let frames = &self.own.get::<State>().frames;
            let innermost = frames.iter().rev();
            let found = innermost
                .clone()
                .find(|f| matches!(f.kind, FrameKind::Measure(_)));
            found.map(|f| f.depth)
        };
        let Some(depth) = depth else { return };
        while self.lines.feeds.len() >= depth {
            if let Some(conditions) = self.lines.feeds.last().map(|f| f.conditions) {
                self.lines.conditions.truncate(conditions);
            }
            self.pop_feed();
        }
        self.glass_leave_frames();
    }
}
