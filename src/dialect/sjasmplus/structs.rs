//! `STRUCT`: offsets, and data with defaults.

use super::data::List;
use super::state::{Of, Part, State, Struct};
use super::words::{Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::rc::Rc;

/// Most bytes of a struct.
const MOST: i64 = 0x10000;
/// Most parts and labels of all structs, with those that come from others: one that holds
/// another twice has twice as many.
const HELD: usize = 100_000;

impl Assembler<'_> {
    /// The struct of that name, seen from here.
    pub(super) fn sj_struct_named(&self, name: &str) -> Option<Rc<Struct>> {
        let state = self.own.get::<State>();
        if state.structs.list.is_empty() {
            return None;
        }
        if let Some(name) = name.strip_prefix('@') {
            return state.structs.list.get(name).map(Rc::clone);
        }
        if !state.module.is_empty() {
            let full = format!("{}.{name}", state.module);
            if let Some(s) = state.structs.list.get(&full) {
                return Some(Rc::clone(s));
            }
        }
        state.structs.list.get(name).map(Rc::clone)
    }

    /// `struct name`, `struct name, offset`.
    pub(super) fn sj_struct(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (name, more) = self.sj_id(t, rest)?;
        let span = rest[0].span;
        let mut s = Struct::default();
        if let [comma, offset @ ..] = more
            && comma.kind == Kind::Comma
        {
            let v = self.whole_expression(offset)?;
            s.size = self.must_know(v, self.span_of(offset), "the offset")?;
            if !(0..=MOST).contains(&s.size) {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, "no offset of a struct");
                return Err(Box::new(d.at(self.span_of(offset))));
            }
            if s.size > 0 {
                s.parts.push(Part::Room(s.size as u32, 0));
            }
        }
        let statement = self.statement;
        let read = self.sj_struct_lines(t, &mut s);
        self.statement = statement;
        // Also behind an error: a count may ask for a name of the struct itself, which the
        // next run knows.
        let (id, _) = self.sj_defined(&name, span, false)?;
        let full = self.symbols.get(id).name.to_string();
        let labels = s.labels.iter().map(|(l, n)| (Some(l.as_str()), *n));
        for (label, n) in std::iter::once((None, s.size)).chain(labels) {
            let id = match label {
                Some(l) => self.symbols.intern(&format!("{full}.{l}")),
                None => id,
            };
            self.define(id, Meaning::Number(n), span, false)?;
            self.sj_note_page(id, Some(n), None);
            self.sj_is_of_struct(id, Of::Definition);
        }
        let structs = &mut self.own.get_mut::<State>().structs.list;
        structs.insert(full, Rc::new(s));
        read
    }

    fn sj_struct_lines(&mut self, t: &Tok, s: &mut Struct) -> Outcome<()> {
        let floor = self.lines.feeds.len();
        let mut line: Vec<Tok> = Vec::new();
        let mut first = Ok(());
        loop {
            if !self.has_line(floor) || !self.next_line(&mut line) {
                let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this struct has no `ends`");
                return Err(Box::new(d.at(t.span)));
            }
            if line.is_empty() {
                continue;
            }
            self.statement = self.span_of(&line);
            let segments = self.sj_segments(&line);
            for (k, &(a, b)) in segments.iter().enumerate() {
                let toks = &line[a..b];
                if let Some((Word::Ends, _)) = self.sj_head(toks) {
                    self.sj_rest(&line, &segments[k + 1..]);
                    return first;
                }
                let margin = self.at_margin(&toks[0]);
                let done = match self.sj_replaced(toks) {
                    Ok(Some(made)) => self.sj_member(&made, margin, s),
                    Ok(None) => self.sj_member(toks, margin, s),
                    Err(d) => Err(d),
                };
                match done {
                    Err(d) if first.is_ok() => first = Err(d),
                    Err(d) => self.report(d),
                    Ok(()) => {}
                }
                if self.fatal {
                    return first;
                }
            }
        }
    }

    /// A line of a struct.
    fn sj_member(&mut self, toks: &[Tok], margin: bool, s: &mut Struct) -> Outcome<()> {
        let mut i = 0;
        let mut label = String::new();
        if margin && let Some(first) = toks.first() {
            label = self.text(first).trim_start_matches('.').to_owned();
            i = 1 + usize::from(toks.get(1).is_some_and(|c| c.kind == Kind::Colon));
            s.labels.push((label.clone(), s.size));
        }
        self.sj_held(2)?;
        let Some(t) = toks.get(i).copied() else {
            return Ok(());
        };
        let rest = &toks[i + 1..];
        let room = |s: &Struct, more: i64| match s.size + more > MOST || more < 0 {
            true => Err(Box::new(
                Diagnostic::new(codes::TOO_MUCH, "a struct of that size").at(t.span),
            )),
            false => Ok(()),
        };
        if t.kind == Kind::Hash {
            let align = rest.first().is_some_and(|h| h.kind == Kind::Hash);
            return self.sj_room_in(&rest[usize::from(align)..], align, s, &t);
        }
        if t.kind == Kind::Paste {
            return self.sj_room_in(rest, true, s, &t);
        }
        if self.sj_is(&t, "text") {
            return self.sj_text_member(rest, s, &t);
        }
        match word(self.words.get(self.text(&t)).directive) {
            Some(Word::Bytes(_)) => self.sj_value_member(1, rest, s),
            Some(Word::Values(size)) => self.sj_value_member(size, rest, s),
            Some(Word::Block) => self.sj_room_in(rest, false, s, &t),
            Some(Word::Align) => self.sj_room_in(rest, true, s, &t),
            _ => {
                let name = self.text(&t).to_owned();
                let Some(inner) = self.sj_struct_named(&name) else {
                    return Err(self.unknown_statement(&t, toks));
                };
                room(s, inner.size)?;
                self.sj_held(inner.parts.len() + inner.labels.len())?;
                for (l, offset) in &inner.labels {
                    if !label.is_empty() {
                        s.labels.push((format!("{label}.{l}"), s.size + offset));
                    }
                }
                s.size += inner.size;
                s.parts.push(Part::Open);
                let parts = self.sj_filled(&inner, rest, false)?;
                s.parts.extend(parts);
                s.parts.push(Part::Close);
                Ok(())
            }
        }
    }

    /// Counts so many more parts and labels.
    fn sj_held(&mut self, more: usize) -> Outcome<()> {
        let held = &mut self.own.get_mut::<State>().structs.held;
        *held += more;
        match *held > HELD {
            true => Err(self.too_many(HELD, "parts and labels of structs")),
            false => Ok(()),
        }
    }

    fn sj_value_member(&mut self, size: u8, rest: &[Tok], s: &mut Struct) -> Outcome<()> {
        let v = match rest {
            [] => Value::Number(0),
            _ => self.whole_expression(rest)?,
        };
        s.parts.push(Part::Value(size, v));
        s.size += i64::from(size);
        Ok(())
    }

    fn sj_room_in(&mut self, rest: &[Tok], align: bool, s: &mut Struct, t: &Tok) -> Outcome<()> {
        let mut n = if align { 4 } else { 1 };
        let mut fill = 0;
        for (k, (a, b)) in split(rest).into_iter().enumerate() {
            let part = &rest[a as usize..b as usize];
            let v = self.whole_expression(part)?;
            let v = self.must_know(v, self.span_of(part), "the count")?;
            if k == 0 {
                n = v;
            } else {
                fill = v as u8;
            }
        }
        if align && !(1..=MOST).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
            return Err(Box::new(d.at(t.span)));
        }
        let n = match align {
            true => (n - s.size % n) % n,
            false => n,
        };
        if n < 0 || s.size + n > MOST {
            let d = Diagnostic::new(codes::TOO_MUCH, "a struct of that size").at(t.span);
            return Err(Box::new(d));
        }
        s.parts.push(Part::Room(n as u32, fill));
        s.size += n;
        Ok(())
    }

    /// `text 8, { "abc" }`.
    fn sj_text_member(&mut self, rest: &[Tok], s: &mut Struct, t: &Tok) -> Outcome<()> {
        let comma = rest.iter().position(|t| t.kind == Kind::Comma);
        let (length, more) = match comma {
            Some(i) => (&rest[..i], &rest[i + 1..]),
            None => (rest, &[][..]),
        };
        let v = self.whole_expression(length)?;
        let n = self.must_know(v, self.span_of(length), "the length")?;
        if !(1..=8192).contains(&n) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no length of a text"));
            return Err(Box::new(d.at(t.span)));
        }
        let mut c = Cursor::new(more);
        let mut text = vec![0; n as usize];
        if !more.is_empty() {
            let given = self.sj_text_in(&mut c)?;
            let last = given.last().copied().unwrap_or(0);
            for (i, b) in text.iter_mut().enumerate() {
                *b = given.get(i).copied().unwrap_or(last);
            }
        }
        s.size += n;
        s.parts.push(Part::Text(text));
        Ok(())
    }

    /// `{ "abc", 0 }`.
    fn sj_text_in(&mut self, c: &mut Cursor<'_>) -> Outcome<Vec<u8>> {
        let open = c.peek().map_or(self.statement, |t| t.span);
        if !c.eat(Kind::CurlyOpen) {
            let d = Diagnostic::new(codes::SYNTAX, "expected `{` before the text");
            return Err(Box::new(d.at(open)));
        }
        let mut out = Vec::new();
        loop {
            match c.peek().copied() {
                Some(t) if is_quoted(&t) => {
                    c.at += 1;
                    out.extend(self.sj_text(&t));
                }
                Some(t) if t.kind == Kind::CurlyClose => {}
                Some(_) => {
                    let from = c.at;
                    let v = self.expression(c)?;
                    let span = self.span_of(&c.toks[from..c.at]);
                    out.push(self.must_know(v, span, "the byte")? as u8);
                }
                None => {}
            }
            if c.eat(Kind::Comma) {
                continue;
            }
            if c.eat(Kind::CurlyClose) {
                return Ok(out);
            }
            let d = Diagnostic::new(codes::SYNTAX, "expected `}` behind the text");
            return Err(Box::new(d.at(open)));
        }
    }

    /// The parts of a struct with what `toks` give for them. In what is `placed`, `$` is the
    /// place of the part.
    fn sj_filled(&mut self, s: &Struct, toks: &[Tok], placed: bool) -> Outcome<Vec<Part>> {
        let mut offset = 0;
        let mut c = Cursor::new(toks);
        let mut braces = 0;
        braces += i32::from(c.eat(Kind::CurlyOpen));
        let mut out = Vec::with_capacity(s.parts.len());
        let last = |i: usize| !matches!(s.parts.get(i + 1), None | Some(Part::Close));
        for (i, part) in s.parts.iter().enumerate() {
            let mut part = part.clone();
            match &mut part {
                Part::Room(..) => {}
                Part::Value(_, v) => {
                    let none = matches!(
                        c.kind(),
                        None | Some(Kind::Comma | Kind::CurlyOpen | Kind::CurlyClose)
                    );
                    if !none {
                        self.own.get_mut::<State>().structs.before = offset;
                        let read = self.expression(&mut c);
                        self.own.get_mut::<State>().structs.before = 0;
                        *v = read?;
                    }
                    if last(i) {
                        c.eat(Kind::Comma);
                    }
                }
                Part::Text(text) => {
                    if c.kind() == Some(Kind::CurlyOpen) {
                        let given = self.sj_text_in(&mut c)?;
                        for (to, from) in text.iter_mut().zip(given) {
                            *to = from;
                        }
                    }
                    if last(i) {
                        c.eat(Kind::Comma);
                    }
                }
                Part::Open => braces += i32::from(c.eat(Kind::CurlyOpen)),
                Part::Close => {
                    if braces > 0 {
                        braces -= i32::from(c.eat(Kind::CurlyClose));
                    }
                    if last(i) {
                        c.eat(Kind::Comma);
                    }
                }
            }
            if placed {
                offset += part.size();
            }
            out.push(part);
        }
        while braces > 0 && c.eat(Kind::CurlyClose) {
            braces -= 1;
        }
        match c.peek() {
            None if braces == 0 => Ok(out),
            None => {
                let d = Diagnostic::new(codes::SYNTAX, "expected `}`").at(self.statement);
                Err(Box::new(d))
            }
            Some(t) => {
                let d = Diagnostic::new(codes::SYNTAX, "the struct has no part for this");
                Err(Box::new(d.at(t.span)))
            }
        }
    }

    /// Lines that belong to open braces.
    fn sj_braced(&mut self, toks: &[Tok]) -> Vec<Tok> {
        let mut all = toks.to_vec();
        let depth = |more: &[Tok]| -> i64 {
            let of = |k: Kind| more.iter().filter(|t| t.kind == k).count() as i64;
            of(Kind::CurlyOpen) - of(Kind::CurlyClose)
        };
        let floor = self.lines.feeds.len();
        let mut line = Vec::new();
        let mut open = depth(&all);
        while open > 0 && all.len() < 1 << 16 && self.has_line(floor) && self.next_line(&mut line) {
            let made = self.sj_replaced(&line).ok().flatten();
            let more = made.as_deref().unwrap_or(&line);
            open += depth(more);
            all.extend_from_slice(more);
        }
        all
    }

    /// A value and a number.
    pub(super) fn behind(&mut self, e: ExprId, offset: i64) -> ExprId {
        let start = self.ops.len() as u32;
        let all = e.start as usize..(e.start + e.len) as usize;
        self.ops.extend_from_within(all);
        self.ops
            .extend([Op::Number(offset), Op::Binary(Binary::Add)]);
        let len = e.len + 2;
        ExprId { start, len }
    }

    /// Defines a label of a struct that lies at an address.
    fn sj_at(&mut self, id: SymbolId, at: Value, offset: i64, span: Span) -> Outcome<()> {
        let v = match at.expression() {
            Some(e) => {
                let e = self.behind(e, offset);
                at.number()
                    .map_or(Value::Expr(e), |n| Value::Known(n + offset, e))
            }
            None => Value::Number(at.number().unwrap_or(0) + offset),
        };
        let meaning = match v {
            Value::Number(n) | Value::Known(n, _) => Meaning::Number(n),
            Value::Expr(e) => Meaning::Expr(e),
        };
        self.define(id, meaning, span, false)?;
        if let Value::Known(_, e) = v {
            self.symbols.get_mut(id).formula = Some(e);
        }
        self.sj_note_constant(id, v, false);
        self.sj_note_page(id, v.number(), None);
        self.sj_is_of_struct(id, Of::Data);
        Ok(())
    }

    /// Keeps for a list of all symbols what one is.
    fn sj_is_of_struct(&mut self, id: SymbolId, of: Of) {
        let id = self.symbols.resolve(id);
        self.own.get_mut::<State>().structs.of.insert(id, of);
    }

    /// `name S 1,2`, `name S { … }`, `name S = address`.
    pub(super) fn sj_instance(
        &mut self,
        label: Option<(&str, Span)>,
        s: &Rc<Struct>,
        rest: &[Tok],
    ) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let mut at = None;
        let mut given = Vec::new();
        match rest {
            [equal, value @ ..] if equal.kind == Kind::Equal => {
                at = Some(self.whole_expression(value)?);
            }
            _ => given = self.sj_braced(rest),
        }
        self.statement = statement;
        if let Some((name, span)) = label {
            let (id, local) = self.sj_defined(name, span, true)?;
            match at {
                Some(v) => self.sj_at(id, v, 0, span)?,
                None => self.sj_place(id, span, local, 0)?,
            }
            let full = self.symbols.get(id).name.clone();
            for (l, offset) in &s.labels {
                let id = self.symbols.intern(&format!("{full}.{l}"));
                match at {
                    Some(v) => self.sj_at(id, v, *offset, span)?,
                    None => {
                        let section = self.section as usize;
                        let owner = self.sections[section].owner;
                        self.sj_place(id, span, true, *offset)?;
                        self.sections[section].owner = owner;
                        self.sj_is_of_struct(id, Of::Data);
                    }
                }
            }
        }
        if at.is_some() {
            return Ok(());
        }
        let parts = self.sj_filled(s, &given, true)?;
        let mut list = List::default();
        for part in parts {
            match part {
                Part::Value(size, v) => self.sj_put(v, &given, size, 0, &mut list)?,
                Part::Room(n, fill) => {
                    let n = list.bytes.len() + n as usize;
                    list.bytes.resize(n, fill);
                }
                Part::Text(text) => list.bytes.extend(text),
                Part::Open | Part::Close => {}
            }
        }
        self.sj_emit(list);
        Ok(())
    }
}
