//! Macros and repeats: recording, calling, arguments, local names, pasting.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::Outcome;
use crate::program::limits;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::state::feeds::Labels;
use crate::read::state::feeds::{
    Block, BlockKind, Body, Counter, FeedKind, MacroDefinition, Names, Scope,
};
use crate::read::syntax::arguments;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::split;
use crate::text::language::{Directive, DotRule, LabelRule, MacroStyle};
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// That a macro takes another number of arguments.
pub(crate) fn takes(name: &str, most: usize, given: usize) -> String {
    let many = |n: usize| match n {
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    };
    let given = match given {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    match most {
        0 => format!("the macro `{name}` takes no arguments, {given} given"),
        _ => format!("the macro `{name}` takes {}, {given} given", many(most)),
    }
}

/// Most tokens that a recorded body may have.
const MAX_BODY: usize = limits::HELD;

/// How deep procedures may nest.
const MAX_PROCS: usize = 64;

impl Assembler<'_> {
    /// Whether a token names a macro.
    #[inline]
    pub(super) fn is_macro(&self, t: &Tok) -> bool {
        (!self.lines.macros.is_empty() || self.again.has_macros()) && self.macro_of(t).is_some()
    }

    /// The macro that a token names.
    pub(super) fn macro_of(&self, t: &Tok) -> Option<&Rc<MacroDefinition>> {
        let key = self.key(self.sources.slice(t.span));
        let known = self.lines.macros.get(&*key);
        known.or_else(|| self.again.macro_named(&key))
    }

    /// Records lines up to the end of the block that `opener` starts.
    ///
    /// The lines of a repeat are kept as written, since its parameters and those
    /// of the macro around are put in when a round is read; so are those of a
    /// macro in a dialect where `.shift` can change the arguments.
    fn record(&mut self, opener: &Tok, is_macro: bool) -> Outcome<(Body, Option<(u32, u32)>)> {
        let before = self.lines.raw;
        self.lines.raw = !is_macro || self.dialect.words.macros == MacroStyle::Commas;
        let recorded = self.record_lines(opener, is_macro);
        self.lines.raw = before;
        recorded
    }

    fn record_lines(
        &mut self,
        opener: &Tok,
        is_macro: bool,
    ) -> Outcome<(Body, Option<(u32, u32)>)> {
        let separate = self.dialect.words.macros == MacroStyle::Native;
        let mut body = Body::default();
        let mut depth = 0u32;
        let mut line: Vec<Tok> = Vec::new();
        let text_start = match self.lines.feeds.last().map(|f| &f.kind) {
            Some(FeedKind::File { at, .. }) => Some(*at as u32),
            _ => None,
        };
        let floor = self.lines.feeds.len();
        loop {
            // The block must end in the feed it starts in.
            if !self.has_line(floor) || !self.next_line(&mut line) || self.lines.feeds.len() < floor
            {
                let ends = match is_macro {
                    true => [Directive::EndMacro, Directive::EndRepeat],
                    false => [Directive::EndRepeat, Directive::EndMacro],
                };
                let end = ends.iter().find_map(|&d| self.word_for(d)).unwrap_or("");
                let what = if is_macro { "macro" } else { "repeat" };
                let message = format!("this {what} has no `{end}`");
                let d = Diagnostic::new(codes::UNCLOSED_BLOCK, message).at(opener.span);
                return Err(Box::new(d));
            }
            let d = self.block_directive(&line);
            match d {
                Some(Directive::Macro | Directive::Repeat | Directive::ForEach) => depth += 1,
                Some(e @ (Directive::EndMacro | Directive::EndRepeat)) => {
                    if depth == 0 {
                        if separate && (e == Directive::EndMacro) != is_macro {
                            let word = line
                                .first()
                                .map_or(String::new(), |t| self.text(t).to_string());
                            return Err(Box::new(
                                Diagnostic::new(
                                    codes::STRAY_END,
                                    format!("`{word}` does not end this block"),
                                )
                                .at(self.span_of(&line))
                                .related(opener.span, "the block starts here"),
                            ));
                        }
                        // The text goes up to the directive, so that a label
                        // before it belongs to the body.
                        let labelled = line.get(1).is_some_and(|t| t.kind == Kind::Colon);
                        let end = line.get(if labelled { 2 } else { 0 });
                        let text_end = end.map(|t| t.span.start);
                        return Ok((body, text_start.zip(text_end)));
                    }
                    depth -= 1;
                }
                _ => {}
            }
            let start = body.toks.len() as u32;
            body.toks.extend_from_slice(&line);
            body.lines.push((start, body.toks.len() as u32));
            if body.toks.len() > MAX_BODY || body.lines.len() > MAX_BODY {
                let d = Diagnostic::new(codes::TOO_MUCH, "a block of this size cannot be recorded")
                    .at(opener.span);
                self.fatal = true;
                return Err(Box::new(d));
            }
        }
    }

    /// Whether feed number `floor` (from 1) has a line to come.
    pub(crate) fn has_line(&self, floor: usize) -> bool {
        match self.lines.feeds.get(floor - 1).map(|f| &f.kind) {
            Some(FeedKind::File { source, at }) => *at < self.sources.get(*source).text.len(),
            Some(FeedKind::Lines { body, next, .. }) => *next < body.lines.len(),
            None => false,
        }
    }

    /// The block directive of a line: the first word, or the second behind a
    /// name.
    fn block_directive(&self, line: &[Tok]) -> Option<Directive> {
        let block = |t: &Tok| {
            let d = (t.kind == Kind::Name)
                .then(|| self.words.get(self.sources.slice(t.span)).directive)
                .flatten()?;
            matches!(
                d,
                Directive::Macro
                    | Directive::Repeat
                    | Directive::ForEach
                    | Directive::EndMacro
                    | Directive::EndRepeat
            )
            .then_some(d)
        };
        let first = line.first()?;
        if let Some(d) = block(first) {
            return Some(d);
        }
        // `name macro`, `name: macro`, `label: rept`
        let i = if line.get(1).is_some_and(|t| t.kind == Kind::Colon) {
            2
        } else {
            1
        };
        let d = block(line.get(i)?)?;
        // `name rept` where a bare name may be a label
        let bare = self.dialect.names.labels == LabelRule::ColonOrBare
            && !matches!(d, Directive::EndMacro | Directive::EndRepeat)
            && self.words.get(self.sources.slice(first.span))
                == crate::read::words::Entry::default();
        (i == 2 || d == Directive::Macro || bare).then_some(d)
    }

    /// `macro name(a, b)`, `name macro a, b`, `name: macro a b`.
    pub(super) fn macro_definition(&mut self, name: Option<Tok>, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let opener = rest.first().copied().or(name).unwrap_or(Tok {
            kind: Kind::Bad,
            span: self.statement,
        });
        let opener = Tok {
            kind: opener.kind,
            span: Span {
                end: self.statement.end.max(opener.span.end),
                ..opener.span
            },
        };
        let (name, rest) = match (name, rest) {
            (Some(n), r) => (n, r),
            (None, [n, c, r @ ..]) if n.kind == Kind::Name && c.kind == Kind::Comma => (*n, r),
            (None, [n, r @ ..]) if n.kind == Kind::Name => (*n, r),
            _ => {
                // Still take the body, so that its end is no second error.
                let _ = self.record(&opener, true);
                let d =
                    Diagnostic::new(codes::SYNTAX, "expected the macro's name").at(self.statement);
                return Err(Box::new(d));
            }
        };
        let statement = self.statement;
        let header = self.macro_parameters(rest);
        let (body, text) = self.record(&opener, true)?;
        self.statement = statement;
        let parameters = header?;
        if parameters.len() > limits::PARAMETERS {
            let text = format!("a macro has more than {} parameters", limits::PARAMETERS);
            return Err(Box::new(
                Diagnostic::new(codes::TOO_MUCH, text).at(name.span),
            ));
        }
        let text = text.filter(|_| self.dialect.words.macros == MacroStyle::Text);
        let text = text.map(|(a, b)| {
            // In the file that the body was read from.
            let first = body.toks.first();
            (first.map_or(name.span.source, |t| t.span.source), a, b)
        });
        let written = self.text(&name).to_string();
        let key = self.key(&written).into_owned();
        self.must_be_new(&written, &key, name.span)?;
        self.room_for_macro(self.lines.macros.len())?;
        let labels = match self.dialect.words.macros {
            MacroStyle::Numbered => self.labels_of(&body),
            _ => Labels::default(),
        };
        let (names, defaults) = parameters.into_iter().unzip();
        // Without line numbers: those of messages count in the expansion.
        let file = &self.sources.get(name.span.source).name;
        let file = file.split('(').next().unwrap_or(file);
        let definition = MacroDefinition {
            shown: format!("{file}({written})").into(),
            name: written.into(),
            labels,
            names: Rc::new(Names::new(names)),
            defaults,
            body: Rc::new(body),
            text,
            span: name.span,
        };
        self.lines.macros.insert(key, Rc::new(definition));
        Ok(())
    }

    /// Refuses a second macro of a name, where the dialect does.
    fn must_be_new(&self, written: &str, key: &str, span: Span) -> Outcome<()> {
        if self.dialect.words.macros == MacroStyle::Native
            && let Some(old) = self.lines.macros.get(key)
        {
            let message = format!("the macro `{written}` is defined twice");
            let d = Diagnostic::new(codes::REDEFINED, message)
                .at(span)
                .related(old.span, "first defined here");
            return Err(Box::new(d));
        }
        Ok(())
    }

    fn macro_parameters(&mut self, rest: &[Tok]) -> Outcome<Vec<(String, Option<Vec<Tok>>)>> {
        let bad = |at: Span| {
            Box::new(Diagnostic::new(codes::SYNTAX, "expected a parameter's name").at(at))
        };
        match self.dialect.words.macros {
            MacroStyle::Numbered => Ok(Vec::new()),
            MacroStyle::Native => arguments::parameters(rest)
                .map(|p| {
                    p.into_iter()
                        .map(|p| (self.text(&p.name).to_string(), p.value))
                        .collect()
                })
                .map_err(|i| {
                    bad(rest
                        .get(i)
                        .or(rest.last())
                        .map_or(self.statement, |t| t.span))
                }),
            MacroStyle::Commas => split(rest)
                .iter()
                .map(|&(a, b)| match &rest[a as usize..b as usize] {
                    [n] if matches!(n.kind, Kind::Name | Kind::Question | Kind::At) => {
                        Ok((self.text(n).to_string(), None))
                    }
                    other => Err(bad(self.span_of(other))),
                })
                .collect(),
            MacroStyle::Text => rest
                .iter()
                .map(|n| match n.kind {
                    Kind::Name => Ok((self.text(n).to_string(), None)),
                    _ => Err(bad(n.span)),
                })
                .collect(),
        }
    }

    /// Calls a macro; its arguments start at `from`.
    pub(super) fn macro_call(&mut self, t: &Tok, toks: &[Tok], from: usize) -> Outcome<()> {
        let Some(m) = self.macro_of(t).map(Rc::clone) else {
            return Err(self.unknown_statement(t, toks));
        };
        if self.dialect.words.macros == MacroStyle::Numbered {
            return self.numbered_call(&m, &toks[from..]);
        }
        if m.text.is_some() || self.dialect.words.macros == MacroStyle::Text {
            return self.text_macro_call(&m, t, toks, from);
        }
        let mut rest = &toks[from..];
        // `name(a, b)` as well as `name a, b`.
        if self.dialect.words.macros == MacroStyle::Native
            && rest.len() >= 2
            && rest[0].kind == Kind::Open
            && rest[0].span.start == t.span.end
            && rest[rest.len() - 1].kind == Kind::Close
        {
            rest = &rest[1..rest.len() - 1];
        }
        let mut given: Vec<Vec<Tok>> = split(rest)
            .iter()
            .map(|&(a, b)| rest[a as usize..b as usize].to_vec())
            .collect();
        let native = self.dialect.words.macros == MacroStyle::Native;
        if native && given.len() > m.defaults.len() {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                takes(&m.name, m.defaults.len(), given.len()),
            )
            .at(self.span_of(rest))
            .related(m.span, "defined here");
            return Err(Box::new(d));
        }
        let spare = if given.len() > m.defaults.len() {
            given.split_off(m.defaults.len())
        } else {
            Vec::new()
        };
        self.account.spent.expanded += (m.defaults.len() / limits::TOKENS_A_LINE) as u64;
        let mut bound = Vec::with_capacity(m.defaults.len());
        for (i, default) in m.defaults.iter().enumerate() {
            let value = match (given.get_mut(i), default) {
                (Some(v), _) if !v.is_empty() || !native => std::mem::take(v),
                (_, Some(d)) => d.clone(),
                (_, None) if !native => Vec::new(),
                _ => {
                    let d = Diagnostic::new(
                        codes::BAD_CALL,
                        format!(
                            "the macro `{}` needs a value for `{}`",
                            m.name,
                            m.names.list()[i]
                        ),
                    )
                    .at(self.statement)
                    .related(m.span, "defined here");
                    return Err(Box::new(d));
                }
            };
            bound.push(value);
        }
        let kind = FeedKind::Lines {
            body: Rc::clone(&m.body),
            next: 0,
            names: Rc::clone(&m.names),
            arguments: bound,
            spare: spare.into(),
            rounds: None,
        };
        self.push_expansion(t, kind, ExpansionKind::Macro(m.name.clone()));
        Ok(())
    }

    /// Lines that the statement at `t` stands for, with a level of local names.
    fn push_expansion(&mut self, t: &Tok, kind: FeedKind, what: ExpansionKind) {
        let rounds = matches!(what, ExpansionKind::Repeat(_));
        self.push_feed(kind, what);
        if self.dialect.names.dots == DotRule::PerFile || self.fatal {
            return;
        }
        self.lines.scopes.push(Scope::default());
        if self.dialect.names.of_calls {
            self.names_of_call(t, rounds);
        }
    }

    /// A macro whose parameters are replaced as text.
    fn text_macro_call(
        &mut self,
        m: &Rc<MacroDefinition>,
        t: &Tok,
        toks: &[Tok],
        from: usize,
    ) -> Outcome<()> {
        let line_end = {
            let text = &self.sources.get(t.span.source).text;
            let end = toks.last().map_or(t.span.end, |l| l.span.end);
            text.get(t.span.end as usize..end as usize)
                .unwrap_or("")
                .to_string()
        };
        let _ = from;
        if line_end.contains(',') {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                "macro arguments are separated by white space",
            )
            .at(self.statement);
            return Err(Box::new(d));
        }
        let given: Vec<&str> = line_end.split_whitespace().collect();
        if given.len() != m.defaults.len() {
            let d = Diagnostic::new(
                codes::BAD_CALL,
                takes(&m.name, m.defaults.len(), given.len()),
            )
            .at(self.statement)
            .related(m.span, "defined here");
            return Err(Box::new(d));
        }
        let Some((source, a, b)) = m.text else {
            return Ok(());
        };
        let body = self
            .sources
            .get(source)
            .text
            .get(a as usize..b as usize)
            .unwrap_or("")
            .to_string();
        let out = self.replaced(&m.names, &given, &body)?;
        self.account.spent.expanded += out.lines().count() as u64 + 1;
        let id = self.sources.add(Arc::clone(&m.shown), out);
        self.push_feed(
            FeedKind::File { source: id, at: 0 },
            ExpansionKind::Macro(m.name.clone()),
        );
        Ok(())
    }

    /// A body with texts for its parameters, which is bounded while it is made.
    fn replaced(&mut self, names: &Names, given: &[&str], body: &str) -> Outcome<String> {
        let mut starts = [false; 256];
        for name in names.list().iter().filter(|n| !n.is_empty()) {
            starts[usize::from(name.as_bytes()[0])] = true;
        }
        // Many parameters cost much where each could begin.
        let weight = 1 + names.list().len() / 8;
        let mut out = String::new();
        let mut rest = body;
        let mut counted = 0;
        'scan: while let Some(c) = rest.chars().next() {
            if out.len() - counted > limits::TOKEN {
                self.emitted_text(weight * (out.len() - counted))?;
                counted = out.len();
            }
            if starts[usize::from(rest.as_bytes()[0])] {
                for (name, with) in names.list().iter().zip(given) {
                    if !name.is_empty() && rest.starts_with(name.as_str()) {
                        out.push_str(with);
                        rest = &rest[name.len()..];
                        continue 'scan;
                    }
                }
            }
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
        let call = 2 * limits::TEXT_A_LINE + limits::TEXT_A_PARAMETER * names.list().len();
        self.emitted_text(weight * (out.len() - counted) + call)?;
        out.shrink_to_fit();
        Ok(out)
    }

    /// Bounds the text that expansions make.
    pub(crate) fn emitted_text(&mut self, more: usize) -> Outcome<()> {
        self.account.spent.made_text += more;
        if self.account.spent.made_text > limits::TEXT
            || self.account.spent.expanded > limits::LINES
        {
            self.fatal = true;
            return Err(Box::new(
                Diagnostic::new(codes::ENDLESS_EXPANSION, "macros make too much text")
                    .at(self.statement),
            ));
        }
        Ok(())
    }

    /// Counts a round of a loop for which so many tokens are read again.
    pub(crate) fn count_round(&mut self, toks: usize) {
        self.account.spent.expanded += 1 + (toks / limits::TOKENS_A_LINE) as u64;
    }

    /// `repeat n, i` and `rept n, i, first, step`.
    pub(super) fn repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let opener = Tok {
            kind: t.kind,
            span: t.span,
        };
        let header = self.repeat_header(t, rest);
        let (body, _) = self.record(&opener, false)?;
        self.statement = statement;
        let (count, counter) = header?;
        if count <= 0 {
            return Ok(());
        }
        let body = Rc::new(body);
        if body.lines.is_empty() {
            return Ok(());
        }
        let rounds = Some((count as u64, 0, Counter::None));
        let kind = FeedKind::Lines {
            body,
            next: 0,
            names: Rc::default(),
            arguments: Vec::new(),
            spare: VecDeque::new(),
            rounds,
        };
        self.push_expansion(t, kind, ExpansionKind::Repeat(0));
        if let Some((name, first, step)) = counter {
            let shown: Arc<str> = name.as_str().into();
            let id = self.symbols.fresh(shown);
            let s = self.symbols.get_mut(id);
            s.meaning = Meaning::Number(first);
            s.variable = true;
            s.local = true;
            if let Some(scope) = self.lines.scopes.last_mut() {
                scope.locals.insert(name, id);
            }
            if let Some(FeedKind::Lines {
                rounds: Some(r), ..
            }) = self.lines.feeds.last_mut().map(|f| &mut f.kind)
            {
                r.2 = Counter::Number(id, first, step);
            }
        }
        Ok(())
    }

    #[allow(clippy::type_complexity)]
    fn repeat_header(
        &mut self,
        t: &Tok,
        rest: &[Tok],
    ) -> Outcome<(i64, Option<(String, i64, i64)>)> {
        if rest.is_empty() {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected how often").at(t.span),
            ));
        }
        let parts = split(rest);
        let mut values = Vec::new();
        let mut name = None;
        for (k, &(a, b)) in parts.iter().enumerate() {
            let part = &rest[a as usize..b as usize];
            if k == 1 {
                match part {
                    [n] if matches!(n.kind, Kind::Name | Kind::Question | Kind::At) => {
                        name = Some(self.text(n).to_string());
                    }
                    _ => {
                        return Err(Box::new(
                            Diagnostic::new(codes::SYNTAX, "expected the counter's name")
                                .at(self.span_of(part)),
                        ));
                    }
                }
            } else {
                let v = self.whole_expression(part)?;
                let below_zero = self.noticed.below_zero;
                let span = self.span_of(part);
                let n = self.must_know(v, span, "the count")?;
                if below_zero && values.is_empty() {
                    self.cut("a count below zero", n, span);
                }
                values.push(n);
            }
        }
        let count = values[0];
        if count < 0 {
            return Err(Box::new(
                Diagnostic::new(
                    codes::OUT_OF_RANGE,
                    format!("a block cannot be repeated {count} times"),
                )
                .at(self.span_of(rest)),
            ));
        }
        let first = values.get(1).copied().unwrap_or(0);
        let step = values.get(2).copied().unwrap_or(1);
        Ok((count, name.map(|n| (n, first, step))))
    }

    /// `irp p, a, b, c`, `foreach p, a, b, c`.
    pub(super) fn for_each(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let (body, _) = self.record(t, false)?;
        self.statement = statement;
        let mut parts: Vec<Vec<Tok>> = split(rest)
            .iter()
            .map(|&(a, b)| rest[a as usize..b as usize].to_vec())
            .collect();
        let name = match parts.first().map(Vec::as_slice) {
            Some([n]) if matches!(n.kind, Kind::Name | Kind::Question | Kind::At) => {
                self.text(n).to_string()
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a parameter and a list")
                    .at(self.statement);
                return Err(Box::new(d));
            }
        };
        let items = parts.split_off(1);
        if items.is_empty() || body.lines.is_empty() {
            return Ok(());
        }
        let names = Rc::new(Names::new(vec![name]));
        let arguments = vec![items[0].clone()];
        let rounds = Some((items.len() as u64, 0, Counter::Items(items)));
        let kind = FeedKind::Lines {
            body: Rc::new(body),
            next: 0,
            names,
            arguments,
            spare: VecDeque::new(),
            rounds,
        };
        self.push_expansion(t, kind, ExpansionKind::Repeat(0));
        Ok(())
    }

    /// Leaves the innermost expansion.
    pub(super) fn exit_macro(&mut self, t: &Tok) -> Outcome<()> {
        if self.lines.feeds.last().is_none_or(|f| f.caller.is_none()) {
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, "there is no macro to leave").at(t.span),
            ));
        }
        if let Some(f) = self.lines.feeds.last() {
            let depth = f.conditions;
            self.lines.conditions.truncate(depth);
        }
        self.pop_feed();
        Ok(())
    }

    /// Drops the first argument of the innermost macro.
    pub(super) fn shift(&mut self, t: &Tok) -> Outcome<()> {
        for f in self.lines.feeds.iter_mut().rev() {
            if let FeedKind::Lines {
                arguments,
                spare,
                rounds: None,
                ..
            } = &mut f.kind
            {
                for i in 1..arguments.len() {
                    arguments[i - 1] = std::mem::take(&mut arguments[i]);
                }
                if let Some(last) = arguments.last_mut() {
                    *last = spare.pop_front().unwrap_or_default();
                }
                return Ok(());
            }
        }
        Err(Box::new(
            Diagnostic::new(codes::MISPLACED, "there is no macro here").at(t.span),
        ))
    }

    /// `local a, b`.
    pub(super) fn local(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.lines.scopes.is_empty() {
            return Err(Box::new(
                Diagnostic::new(
                    codes::MISPLACED,
                    "`local` has a meaning only inside a macro, repeat or proc",
                )
                .at(t.span),
            ));
        }
        self.end_range();
        let mut c = Cursor::new(rest);
        loop {
            let Some(&n) = c
                .peek()
                .filter(|n| matches!(n.kind, Kind::Name | Kind::Question | Kind::At))
            else {
                return Err(Box::new(
                    Diagnostic::new(codes::SYNTAX, "expected a name").at(t.span),
                ));
            };
            c.at += 1;
            let name = self.text(&n).to_string();
            let shown: Arc<str> = name.as_str().into();
            let id = self.symbols.fresh(shown);
            self.symbols.get_mut(id).local = true;
            if let Some(s) = self.lines.scopes.last_mut() {
                s.locals.insert(name, id);
            }
            if !c.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }

    pub(super) fn proc(&mut self) -> Outcome<()> {
        if self.lines.blocks.len() >= MAX_PROCS {
            let d =
                Diagnostic::new(codes::TOO_DEEP, "procedures nest too deeply").at(self.statement);
            self.stop(Box::new(d));
            return Ok(());
        }
        self.end_range();
        self.lines.scopes.push(Scope::default());
        self.lines.blocks.push(Block {
            kind: BlockKind::Proc,
            span: self.statement,
        });
        Ok(())
    }

    pub(super) fn end_proc(&mut self, t: &Tok) -> Outcome<()> {
        match self.lines.blocks.last() {
            Some(Block {
                kind: BlockKind::Proc,
                ..
            }) => {
                self.lines.blocks.pop();
                self.lines.scopes.pop();
                self.end_range();
                Ok(())
            }
            _ => self.stray(t, "a procedure"),
        }
    }

    /// Joins the tokens on both sides of each `##`.
    pub(super) fn paste(&mut self, toks: &mut Vec<Tok>) {
        let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
        let mut i = 0;
        while i < toks.len() {
            if toks[i].kind == Kind::Paste && !out.is_empty() && i + 1 < toks.len() {
                let left = out.pop().map_or(String::new(), |t| self.pasted_text(&t));
                let right = self.pasted_text(&toks[i + 1]);
                let joined = format!("{left}{right}");
                let kind = match joined.bytes().next() {
                    Some(b) if b.is_ascii_digit() => Kind::Number,
                    _ => Kind::Name,
                };
                let start = self.paste_source();
                let (source, at) = start;
                self.sources.append(source, &joined);
                out.push(Tok {
                    kind,
                    span: Span::new(source, at, at + joined.len() as u32),
                });
                i += 2;
            } else {
                out.push(toks[i]);
                i += 1;
            }
        }
        *toks = out;
    }

    pub(super) fn paste_source(&mut self) -> (crate::text::source::SourceId, u32) {
        let id = match self.files.paste {
            Some(id) if self.sources.get(id).text.len() < 1 << 24 => id,
            _ => {
                let id = self.sources.add("<joined>", "");
                self.files.paste = Some(id);
                id
            }
        };
        (id, self.sources.get(id).text.len() as u32)
    }

    /// Text of a token to be joined: a number, or a counter's value, is written
    /// out.
    fn pasted_text(&mut self, t: &Tok) -> String {
        let show = |n: i64, hex: bool| {
            if hex {
                format!("{n:04X}")
            } else {
                n.to_string()
            }
        };
        let hex = self.dialect.words.paste_hex;
        if t.kind == Kind::Number
            && let Ok(n) = self.number(t)
        {
            return show(n, hex);
        }
        if t.kind == Kind::Name {
            let text = self.text(t);
            for s in self.lines.scopes.iter().rev() {
                if let Some(&id) = s.locals.get(text)
                    && let Meaning::Number(n) = self.symbols.get(id).meaning
                    && self.symbols.get(id).variable
                {
                    return show(n, hex);
                }
            }
        }
        self.text(t).to_string()
    }
}
