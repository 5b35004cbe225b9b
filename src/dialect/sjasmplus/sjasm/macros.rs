//! sjasm's text macros, macros and loops.

use super::state::{Frame, Function, Loop, OldMacro};
use super::text::{argument, name_len};
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::sjasmplus::state::{Call, Define, State};
use crate::dialect::sjasmplus::words::{Defines, Word};
use crate::image::ExpansionKind;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::text::lex::Tok;
use std::cell::Cell;
use std::rc::Rc;

/// Most rounds of a `WHILE`.
const ROUNDS: u64 = 100_000;
/// As many arguments as are written.
const ANY: usize = usize::MAX;

impl Assembler<'_> {
    fn sjasm_syntax(&self, what: &str) -> Box<Diagnostic> {
        let d = Diagnostic::new(codes::SYNTAX, format!("expected {what}"));
        Box::new(d.at(self.statement))
    }

    /// `define name text`, `define name(a,b) text` and its like.
    pub(in super::super) fn sjasm_define(&mut self, how: Defines, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let text = self.written(rest);
        let (name, more) = text.split_at(name_len(&text));
        if name.is_empty() {
            return Err(self.sjasm_syntax("a name"));
        }
        if self.own.get::<State>().defines.len() >= limits::DEFINES {
            return Err(self.too_many(limits::DEFINES, "text macros"));
        }
        let (name, mut more) = (name.to_owned(), more.to_owned());
        let mut parameters = Vec::new();
        if let Some(list) = more.strip_prefix('(').filter(|_| how != Defines::Number) {
            let Some((list, text)) = list.split_once(')') else {
                return Err(self.sjasm_syntax("`)` behind the parameters"));
            };
            parameters = list.split(',').map(|p| p.trim().to_owned()).collect();
            more = text.to_owned();
        }
        let mut text = more.trim().to_owned();
        if matches!(how, Defines::Now | Defines::NowAnyCase | Defines::Number) {
            text = self.sjasm_replaced(&text)?;
        }
        if how == Defines::Number {
            let toks = self.made_line(&text)?;
            if toks.is_empty() {
                return Err(self.sjasm_syntax("a value"));
            }
            let v = self.whole_expression(&toks)?;
            text = self.must_know(v, self.statement, "the value")?.to_string();
        }
        let any_case = matches!(how, Defines::AnyCase | Defines::NowAnyCase);
        let state = self.own.get_mut::<State>();
        if !parameters.is_empty() {
            let key = match any_case {
                true => format!("?{}", name.to_lowercase()),
                false => name,
            };
            let f = Function { parameters, text };
            let count = f.parameters.len();
            state.texts.functions.insert((key, count), Rc::new(f));
            return Ok(());
        }
        match any_case {
            true => drop(state.texts.any_case.insert(name.to_lowercase(), text)),
            false => {
                state.longest = state.longest.max(name.len());
                state.defines.insert(name, Define::Text(text));
            }
        }
        Ok(())
    }

    /// `undef name`.
    pub(in super::super) fn sjasm_undefine(&mut self, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let text = self.written(rest);
        let name = &text[..name_len(&text)];
        let state = self.own.get_mut::<State>();
        state.defines.remove(name);
        state.texts.any_case.remove(&name.to_lowercase());
        Ok(())
    }

    /// Whether a text macro of that name is defined, or of the name that a parameter is.
    pub(in super::super) fn sjasm_is_defined(&self, name: &str) -> bool {
        let state = self.own.get::<State>();
        let named = state.texts.frames.iter().flat_map(|f| &f.named);
        let given = named.rev().find(|n| &*n.0 == name);
        let name = given.map_or(name, |n| n.1.as_str());
        state.defines.contains_key(name) || state.texts.any_case.contains_key(&name.to_lowercase())
    }

    /// `macro name a,b:default,c+`, `macro name 1..2`, `imacro`.
    pub(in super::super) fn sjasm_macro(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        any_case: bool,
    ) -> Outcome<()> {
        let statement = self.statement;
        let recursive = self.text(t).to_lowercase().contains(".recursive");
        let mut depth = 0;
        let ends = &mut |w| {
            match w {
                Word::Macro | Word::IMacro => depth += 1,
                Word::EndMacro if depth == 0 => return true,
                Word::EndMacro => depth -= 1,
                _ => {}
            }
            false
        };
        let head = self.written(rest);
        let body = self.sj_record(t, ends, "endmacro")?;
        self.statement = statement;
        let (text, lines) = self.lines_as_text(&body);
        let (name, more) = head.split_at(name_len(&head));
        if name.is_empty() {
            return Err(self.sjasm_syntax("the name of the macro"));
        }
        let mut made = OldMacro {
            name: name.to_owned(),
            named: Vec::new(),
            least: 0,
            most: 0,
            defaults: Vec::new(),
            greedy: false,
            recursive,
            text,
            lines,
            source: Cell::default(),
            span: rest[0].span,
        };
        self.sjasm_parameters(&mut made, more)?;
        let state = self.own.get::<State>();
        let count = state.texts.macros.len() + state.texts.any_case_macros.len();
        self.room_for_macro(count)?;
        let texts = &mut self.own.get_mut::<State>().texts;
        let list = match any_case {
            true => texts
                .any_case_macros
                .entry(name.to_lowercase())
                .or_default(),
            false => texts.macros.entry(name.to_owned()).or_default(),
        };
        let most = |m: &OldMacro| m.named.len().saturating_add(m.most);
        let at = list.partition_point(|m| most(m) < most(&made));
        if list.get(at).is_some_and(|m| most(m) == most(&made)) {
            let d = Diagnostic::new(
                codes::REDEFINED,
                format!("the macro `{name}` is defined twice"),
            );
            let first = list[at].span;
            return Err(Box::new(
                d.at(made.span).related(first, "first defined here"),
            ));
        }
        list.insert(at, Rc::new(made));
        Ok(())
    }

    fn sjasm_parameters(&mut self, m: &mut OldMacro, text: &str) -> Outcome<()> {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let n = name_len(rest);
            if n > 0 {
                let name = rest[..n].to_owned();
                rest = rest[n..].trim_start();
                if let Some(more) = rest.strip_prefix('+') {
                    m.greedy = true;
                    rest = more.trim_start();
                }
                let mut default = None;
                if let Some(more) = rest.strip_prefix(':') {
                    let (text, more) = argument(more, m.greedy, false);
                    default = Some(text);
                    rest = more;
                }
                m.named.push((name.into(), default));
                if m.named.len() > limits::PARAMETERS {
                    return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
                }
                match rest.strip_prefix(',') {
                    Some(more) if !m.greedy => rest = more.trim_start(),
                    _ => break,
                }
                continue;
            }
            if let Some(more) = rest.strip_prefix('*') {
                (m.most, rest) = (ANY, more);
                break;
            }
            let digits = |t: &str| t.bytes().take_while(u8::is_ascii_digit).count();
            let n = digits(rest);
            let Ok(least) = rest[..n].parse() else {
                return Err(self.sjasm_syntax("a parameter, or how many arguments"));
            };
            (m.least, m.most, rest) = (least, least, rest[n..].trim_start());
            if let Some(more) = rest.strip_prefix("..") {
                let more = more.trim_start();
                let n = digits(more);
                (m.most, rest) = match more.strip_prefix('*') {
                    Some(more) => (ANY, more),
                    None => (more[..n].parse().unwrap_or(0), &more[n..]),
                };
            }
            if m.most < m.least || m.least > limits::PARAMETERS {
                return Err(self.sjasm_syntax("as many arguments as there may be"));
            }
            if let Some(more) = rest.trim_start().strip_prefix('+') {
                (m.greedy, rest) = (true, more);
            }
            break;
        }
        rest = rest.trim();
        let mut left = m.most.saturating_sub(m.least);
        while left > 0 && !rest.is_empty() {
            left -= 1;
            let (text, more) = argument(rest, left == 0 && m.greedy, false);
            m.defaults.push(text);
            rest = more.strip_prefix(',').unwrap_or(more);
        }
        match rest.trim().is_empty() {
            true => Ok(()),
            false => Err(self.sjasm_syntax("the end of the macro's head")),
        }
    }

    /// Calls a macro if the name is one's; false if not.
    pub(in super::super) fn sjasm_call(&mut self, name: &str, rest: &[Tok]) -> Outcome<bool> {
        let texts = &self.own.get::<State>().texts;
        let list = texts.macros.get(name);
        let Some(list) = list.or_else(|| texts.any_case_macros.get(&name.to_lowercase())) else {
            return Ok(false);
        };
        let text = self.written(rest);
        let most = |m: &OldMacro| match m.most {
            ANY => ANY,
            n => m.named.len() + n,
        };
        let (mut which, mut args) = (0, Vec::new());
        let mut more = text.as_str();
        while !more.trim().is_empty() {
            if args.len() + 1 > most(&list[which]) {
                match list.get(which + 1) {
                    Some(_) => which += 1,
                    None => break,
                }
            }
            let last = args.len() + 1 == most(&list[which]);
            let (one, behind) = argument(more, last && list[which].greedy, false);
            args.push(one);
            more = match behind.strip_prefix(',') {
                Some(behind) => behind,
                None => behind,
            };
        }
        let m = Rc::clone(&list[which]);
        let in_use = |f: &Frame| f.called.as_ref().is_some_and(|c| Rc::ptr_eq(c, &m));
        if texts.frames.iter().any(in_use) && !m.recursive {
            return Ok(false);
        }
        if !more.trim().is_empty() {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                format!("the macro `{name}` takes fewer arguments"),
            );
            return Err(Box::new(
                d.at(self.statement).related(m.span, "defined here"),
            ));
        }
        let mut frame = Frame {
            called: Some(Rc::clone(&m)),
            ..Frame::default()
        };
        let mut given = args.into_iter();
        let mut missing = false;
        for (n, default) in &m.named {
            let one = given
                .next()
                .filter(|a| !a.is_empty())
                .or_else(|| default.clone());
            missing |= one.is_none();
            frame
                .named
                .push((n.clone(), one.unwrap_or_else(|| " ".into())));
        }
        let mut numbered: Vec<String> = given.by_ref().take(m.least).collect();
        missing |= numbered.len() < m.least;
        for default in &m.defaults {
            numbered.push(given.next().unwrap_or_else(|| default.clone()));
        }
        numbered.extend(given);
        if missing {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                format!("an argument of `{name}` is missing"),
            );
            return Err(Box::new(
                d.at(self.statement).related(m.span, "defined here"),
            ));
        }
        frame.numbered = Some(numbered);
        self.memo.not_again();
        self.room_to_read(m.text.len(), m.lines.len())?;
        let source = match m.source.get() {
            Some(source) => source,
            None => self.made_lines(m.text.clone(), &m.lines),
        };
        m.source.set(Some(source));
        self.read_source(&m.name, source);
        self.sjasm_enter(frame);
        Ok(true)
    }

    /// Whether there are macros of lines.
    pub(in super::super) fn sjasm_has_macros(&self) -> bool {
        let texts = &self.own.get::<State>().texts;
        !texts.macros.is_empty() || !texts.any_case_macros.is_empty()
    }

    /// Whether anything of sjasm's own may stand for a name or be called by it.
    pub(in super::super) fn sjasm_has_texts(&self) -> bool {
        let texts = &self.own.get::<State>().texts;
        !(texts.frames.is_empty()
            && texts.any_case.is_empty()
            && texts.functions.is_empty()
            && texts.macros.is_empty()
            && texts.any_case_macros.is_empty())
    }

    /// The lines of a call or of a round come next.
    fn sjasm_enter(&mut self, mut frame: Frame) {
        // A parameter may have the name of what lines met before say.
        let said = |n: &(Rc<str>, String)| {
            let e = self.words.get(&n.0);
            e.word != 0 || e.mnemonic != 0 || e.directive.is_some()
        };
        if frame.named.iter().any(said) {
            self.memo.renew();
        }
        let depth = self.lines.feeds.len();
        frame.depth = depth;
        let state = self.own.get_mut::<State>();
        state.texts.frames.push(frame);
        let number = state.call_number;
        state.call_number += 1;
        let label = match state.calls.last() {
            Some(outer) => format!("{number}.{}", outer.label),
            None => number.to_string(),
        };
        state.calls.push(Call {
            depth,
            label,
            called: None,
            given: Vec::new(),
        });
    }

    /// `repeat n` and `while condition`.
    pub(in super::super) fn sjasm_loop(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let mut depth = 0;
        let wanted = if w == Word::Repeat {
            "endrepeat"
        } else {
            "endwhile"
        };
        let end = if w == Word::Repeat {
            Word::EndRepeat
        } else {
            Word::EndWhile
        };
        let ends = &mut |now| {
            match now {
                _ if now == w => depth += 1,
                _ if now == end && depth == 0 => return true,
                _ if now == end => depth -= 1,
                _ => {}
            }
            false
        };
        let body = self.sj_record(t, ends, wanted);
        self.statement = statement;
        if rest.is_empty() {
            return Err(self.sjasm_syntax("how often"));
        }
        let mut body = body?;
        self.with_mark(&mut body, t);
        let mut left = 0;
        if w == Word::Repeat {
            let v = self.whole_expression(rest)?;
            left = self.must_know(v, self.span_of(rest), "the count")?;
        }
        let depth = self.lines.feeds.len() + 1;
        self.own.get_mut::<State>().texts.loops.push(Loop {
            condition: (w == Word::While).then(|| rest.to_vec()),
            left,
            round: 0,
            body: Rc::new(body),
            depth,
        });
        self.sjasm_round(t)
    }

    /// Another round of the innermost loop, if there is one.
    pub(super) fn sjasm_round(&mut self, t: &Tok) -> Outcome<()> {
        self.sjasm_leave();
        let Some(l) = self.own.get_mut::<State>().texts.loops.last_mut() else {
            return Ok(());
        };
        l.left -= 1;
        l.round += 1;
        let (round, body) = (l.round - 1, Rc::clone(&l.body));
        let (condition, more) = (l.condition.clone(), l.left >= 0);
        self.mark_here();
        self.count_round(condition.as_ref().map_or(0, Vec::len));
        let again = match condition {
            Some(condition) => self.truth(t, &condition),
            None => Ok(more),
        };
        if !again.as_ref().is_ok_and(|&yes| yes) {
            self.own.get_mut::<State>().texts.loops.pop();
            return again.map(|_| ());
        }
        if self.account.spent.expanded > limits::LINES.max(ROUNDS) {
            self.fatal = true;
            let d = Diagnostic::new(
                codes::ENDLESS_EXPANSION,
                "this loop does not end, or is too long for that",
            );
            return Err(Box::new(d.at(t.span)));
        }
        let kind = FeedKind::Lines {
            body,
            next: 0,
            names: Rc::default(),
            arguments: Vec::new(),
            spare: std::collections::VecDeque::new(),
            rounds: None,
        };
        self.push_feed(kind, ExpansionKind::Repeat(0));
        self.sjasm_enter(Frame {
            round: Some(round),
            ..Frame::default()
        });
        Ok(())
    }

    /// Leaves all lines that are read since so many sources of lines were open.
    fn sjasm_drop_lines(&mut self, depth: usize) {
        while self.lines.feeds.len() > depth {
            if let Some(f) = self.lines.feeds.last() {
                let conditions = f.conditions;
                self.lines.conditions.truncate(conditions);
            }
            self.pop_feed();
        }
        self.sjasm_leave();
    }

    /// `break`, `continue`.
    pub(in super::super) fn sjasm_leave_round(&mut self, t: &Tok, again: bool) -> Outcome<()> {
        self.memo.not_again();
        let Some(depth) = self.own.get::<State>().texts.loops.last().map(|l| l.depth) else {
            return self.stray(t, "a loop");
        };
        self.sjasm_drop_lines(depth - 1);
        match again {
            true => self.sjasm_round(t),
            false => {
                self.own.get_mut::<State>().texts.loops.pop();
                Ok(())
            }
        }
    }

    /// `exitmacro`.
    pub(in super::super) fn sjasm_leave_macro(&mut self, t: &Tok) -> Outcome<()> {
        self.memo.not_again();
        let texts = &self.own.get::<State>().texts;
        let call = texts.frames.iter().rev().find(|f| f.called.is_some());
        let Some(depth) = call.map(|f| f.depth) else {
            return self.stray(t, "a macro");
        };
        let loops = &mut self.own.get_mut::<State>().texts.loops;
        loops.retain(|l| l.depth < depth);
        self.sjasm_drop_lines(depth - 1);
        Ok(())
    }

    /// `rotate n`: the arguments of the macro by so many places.
    pub(in super::super) fn sjasm_rotate(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.not_again();
        if rest.is_empty() {
            return Err(self.sjasm_syntax("by how many places"));
        }
        let v = self.whole_expression(rest)?;
        let n = self.must_know(v, self.span_of(rest), "the places")?;
        let frames = &mut self.own.get_mut::<State>().texts.frames;
        let Some(f) = frames.iter_mut().rev().find(|f| f.numbered.is_some()) else {
            return self.stray(t, "a macro");
        };
        let count = f.numbered.as_ref().map_or(1, |l| l.len().max(1)) as i64;
        f.rotated = (f.rotated + n).rem_euclid(count);
        Ok(())
    }
}
