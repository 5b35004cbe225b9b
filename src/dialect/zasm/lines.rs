//! A line: cut at backslashes, then label, macro, directive or instruction.

use super::super::margin::macros::{Parameter, arguments};
use super::words::{HASHED, WORDS, Word};
use super::{Segment, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, Value, limits};
use crate::read::Assembler;
use crate::read::expand::{Block, BlockKind, Counter, MAX_NESTING};
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use std::rc::Rc;

fn own(d: Option<Directive>) -> Option<Word> {
    match d {
        Some(Directive::Own(n)) => WORDS.get(usize::from(n)).copied(),
        _ => None,
    }
}

impl Assembler<'_> {
    /// Assembles a line.
    pub(super) fn zasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        if self.zasm_shebang(toks) {
            return Ok(());
        }
        let active = self.lines.active();
        if self.own.get::<State>().testing && active {
            let leads_out = matches!(toks, [h, n, ..] if h.kind == Kind::Hash
                && matches!(self.text(n), "code" | "data" | "end" | "test"));
            if !leads_out {
                return Ok(());
            }
            self.own.get_mut::<State>().testing = false;
        }
        if active && toks.iter().any(|t| t.kind == Kind::CurlyOpen) {
            let made = self.zasm_calculated(toks)?;
            let done = self.zasm_pieces(&made);
            self.memo.not_again();
            return done;
        }
        self.zasm_pieces(toks)
    }

    /// `#! zasm --reqcolon`, the first line of a file.
    fn zasm_shebang(&mut self, toks: &[Tok]) -> bool {
        let [h, b, ..] = toks else { return false };
        if h.kind != Kind::Hash || b.kind != Kind::Bang || h.span.start != 0 {
            return false;
        }
        let text = self.written(toks);
        for word in text.split_whitespace() {
            match word {
                "--reqcolon" => self.own.get_mut::<State>().colons = true,
                "--asm8080" => self.zasm_8080(),
                "--casefold" if !self.dialect.names.case_blind => {
                    let d = Diagnostic::new(codes::PEER_CODE, "names count by their letters here");
                    let d = d.at(h.span).help("`--dialect zasm-casefold` folds them");
                    self.report(Box::new(d));
                }
                _ => {}
            }
        }
        true
    }

    /// The words are those of the 8080 from here on, and names count in any case.
    fn zasm_8080(&mut self) {
        self.memo.renew();
        self.program.dialect = &super::ZASM_8080;
        self.program.symbols.case_blind = true;
        self.words = crate::read::words::Words::new(self.job.target, &super::ZASM_8080);
    }

    /// A line with numbers for `{…}`.
    fn zasm_calculated(&mut self, toks: &[Tok]) -> Outcome<Vec<Tok>> {
        let mut text = String::new();
        if !self.at_margin(&toks[0]) {
            text.push(' ');
        }
        let mut i = 0;
        let mut end = toks[0].span.start;
        while let Some(t) = toks.get(i) {
            if i > 0 && t.span.start != end {
                text.push(' ');
            }
            end = t.span.end;
            if t.kind != Kind::CurlyOpen {
                text.push_str(self.sources.slice(t.span));
                i += 1;
                continue;
            }
            let close = toks[i..].iter().position(|t| t.kind == Kind::CurlyClose);
            let Some(close) = close else {
                let d = Diagnostic::new(codes::SYNTAX, "this `{` has no `}`").at(t.span);
                return Err(Box::new(d));
            };
            self.mark_here();
            let n = self.known_here(t, &toks[i + 1..i + close], "the number")?;
            text.push_str(&n.to_string());
            i += close + 1;
            end = toks[i - 1].span.end;
        }
        self.made_line(&text)
    }

    fn zasm_pieces(&mut self, toks: &[Tok]) -> Outcome<()> {
        let cut = toks.iter().any(|t| t.kind == Kind::Backslash);
        if !cut || self.zasm_head(toks).is_some_and(|h| h.0 == Word::Macro) {
            return self.zasm_piece(toks);
        }
        let mut rest = toks;
        loop {
            let end = rest.iter().position(|t| t.kind == Kind::Backslash);
            let (piece, more) = match end {
                Some(i) => (&rest[..i], &rest[i + 1..]),
                None => (rest, &[][..]),
            };
            let calls = piece.iter().take(3).any(|t| self.zasm_macro(t).is_some());
            if calls && !more.is_empty() {
                // What the macro says comes before the rest of the line.
                self.read_pieces(more, Kind::Backslash);
                return self.zasm_piece(piece);
            }
            if !piece.is_empty()
                && let Err(d) = self.zasm_piece(piece)
            {
                self.report(d);
            }
            if more.is_empty() || self.fatal {
                return Ok(());
            }
            rest = more;
        }
    }

    fn zasm_macro(&self, t: &Tok) -> Option<Rc<super::Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        macros.get(&*self.key(self.sources.slice(t.span))).cloned()
    }

    /// Tokens of the label that a piece begins with, with its colons; 0 for none.
    fn zasm_label(&self, toks: &[Tok]) -> usize {
        let first = &toks[0];
        let colon = |i: usize| toks.get(i).is_some_and(|t| t.kind == Kind::Colon);
        let name = first.kind == Kind::Name || self.zasm_is_number_label(first);
        let colons = usize::from(colon(1)) + usize::from(colon(1) && colon(2));
        if !name {
            return 0;
        }
        if colons > 0 {
            return 1 + colons;
        }
        let second = self.directive_named(toks.get(1));
        let defines = matches!(second, Some(Directive::Equ | Directive::Set))
            || own(second) == Some(Word::Macro)
            || toks.get(1).is_some_and(|t| t.kind == Kind::Equal);
        let text = self.sources.slice(first.span);
        let dotted = text.starts_with('.') && self.words.get(text).directive.is_some();
        let margin = self.at_margin(first) && !self.own.get::<State>().colons;
        usize::from((margin && !dotted) || (defines && self.words.get(text).directive.is_none()))
    }

    /// The word that a piece begins with behind its label, and its number in it.
    fn zasm_head(&self, toks: &[Tok]) -> Option<(Word, usize)> {
        if toks[0].kind == Kind::Hash {
            return None;
        }
        let i = self.zasm_label(toks);
        own(self.directive_named(toks.get(i))).map(|w| (w, i))
    }

    fn zasm_piece(&mut self, toks: &[Tok]) -> Outcome<()> {
        match toks[0].kind {
            Kind::Hash => return self.zasm_hashed(toks),
            Kind::Star if self.at_margin(&toks[0]) => {
                let include = matches!(toks.get(1), Some(t)
                    if self.text(t).eq_ignore_ascii_case("include"));
                return match include && self.lines.active() {
                    true => self.include(&toks[1], &toks[2..]),
                    false => Ok(()),
                };
            }
            _ => {}
        }
        let taken = self.zasm_label(toks);
        if !self.lines.active() {
            return match self.directive_named(toks.get(taken)) {
                Some(_) => self.line(&toks[taken..]),
                None => Ok(()),
            };
        }
        self.mark_here();
        let rest = &toks[taken..];
        if taken == 0 {
            return self.zasm_statement(rest);
        }
        let label = toks[0];
        if let Some(Word::Macro) = own(self.directive_named(rest.first())) {
            return self.zasm_macro_named(&label, b'&', &rest[0], &rest[1..]);
        }
        let text = self.key(self.sources.slice(label.span));
        let state = self.own.get::<State>();
        let global = !self.naming.prefix.is_empty()
            && (taken == 3 || state.global.iter().any(|g| *g == text));
        if self.zasm_is_number_label(&label) {
            let id = self.zasm_number_label(&label)?;
            self.define_local(id, label.span)?;
            return self.zasm_statement(rest);
        }
        let line = self.with_label(toks, taken);
        let plain = line.get(1).is_some_and(|c| c.kind == Kind::Colon);
        if !plain
            && !global
            && self.directive_named(line.get(1)) == Some(Directive::Equ)
            && self.said_before(&label, &line[2..])?
        {
            return Ok(());
        }
        if !plain {
            return match global {
                true => self.zasm_global_value(&label, &line[1..]),
                false => self.line(&line),
            };
        }
        self.own.get_mut::<State>().range += 1;
        let outer = match global {
            true => std::mem::take(&mut self.naming.prefix),
            false => self.naming.prefix.clone(),
        };
        let done = self.define_label(&label);
        self.naming.prefix = outer;
        done?;
        // As the engine knows the word behind: not twice a label.
        self.zasm_statement(rest)
    }

    /// `name:: equ value` within a scope.
    fn zasm_global_value(&mut self, name: &Tok, rest: &[Tok]) -> Outcome<()> {
        let variable = rest[0].kind == Kind::ColonEqual
            || self.directive_named(rest.first()) == Some(Directive::Set);
        let text = self.text(name).to_owned();
        let v = self.whole_expression(&rest[1..])?;
        let id = self.symbols.intern(&text);
        self.define_value(id, v, name.span, variable)
    }

    /// What stands behind a label.
    fn zasm_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let Some(t) = toks.first() else { return Ok(()) };
        if let Some(m) = self.zasm_macro(t) {
            let given = arguments(&self.zasm_given(&toks[1..]));
            if given.len() != m.parameters.len() {
                let (name, count) = (&m.name, m.parameters.len());
                let message = crate::read::expand::takes(name, count, given.len());
                let d = Diagnostic::new(codes::BAD_CALL, message).at(self.statement);
                return Err(Box::new(d.related(m.span, "defined here")));
            }
            return self.call_text(&m, &given);
        }
        let text = self.sources.slice(t.span);
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        let name = ["ld", "ex", "rst"].into_iter().find(|w| is(w));
        if name == Some("rst") && toks.len() > 1 {
            // 1 to 7 are the numbers of the eight.
            let v = self.whole_expression(&toks[1..])?;
            if let Some(n @ 1..8) = v.number() {
                let made = self.made_line(&format!("rst {}", n * 8))?;
                return self.line(&made);
            }
        }
        // Two pairs of registers, which few codes have.
        let pair = |t: &&Tok| {
            let text = self.sources.slice(t.span);
            let known = ["bc", "de", "hl", "ix", "iy", "sp"];
            text.len() == 2 && known.iter().any(|p| text.eq_ignore_ascii_case(p))
        };
        if let Some(name @ ("ld" | "ex")) = name
            && toks[1..].iter().filter(pair).count() > 1
            && self.zasm_other(name, &toks[1..])?
        {
            self.memo.not_again();
            return Ok(());
        }
        let before = self.account.spent.emitted;
        let done = self.line(toks);
        if name == Some("rst") {
            // The next number may be one of the eight.
            self.memo.outlined = None;
        }
        let state = self.own.get::<State>();
        if self.account.spent.emitted > before && state.current.is_none() && !state.homeless {
            self.own.get_mut::<State>().homeless = true;
            let d = Diagnostic::new(codes::MISPLACED, "there is no address for this yet")
                .at(self.statement)
                .help("write `org` or `#code` before the first instruction");
            self.report(Box::new(d));
        }
        done
    }

    /// The text of a call's arguments; `<;>` is one of them.
    fn zasm_given(&self, toks: &[Tok]) -> String {
        let Some(less) = toks.iter().find(|t| t.kind == Kind::Less) else {
            return self.written(toks);
        };
        let first = toks[0].span;
        let text = &self.sources.get(less.span.source).text;
        if first.source != less.span.source {
            return self.written(toks);
        }
        let rest = &text[first.start as usize..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let b = rest.as_bytes();
        let mut quote = 0;
        let end = (0..b.len()).find(|&i| {
            match b[i] {
                q @ (b'"' | b'\'') if quote == 0 || quote == q => quote = q - quote,
                b';' if quote == 0 => {
                    let around = i > 0 && b[i - 1] == b'<' && b.get(i + 1) == Some(&b'>');
                    return !around;
                }
                _ => {}
            }
            false
        });
        rest[..end.unwrap_or(rest.len())].trim_end().to_owned()
    }

    /// `#word`.
    fn zasm_hashed(&mut self, toks: &[Tok]) -> Outcome<()> {
        let word = toks.get(1).map_or("", |t| self.text(t));
        let found = HASHED.iter().find(|h| h.0.eq_ignore_ascii_case(word));
        let Some(&(_, d)) = found else {
            if !self.lines.active() {
                return Ok(());
            }
            let d = Diagnostic::new(codes::UNKNOWN_INSTRUCTION, "there is no such directive");
            return Err(Box::new(d.at(self.span_of(&toks[..toks.len().min(2)]))));
        };
        let (t, rest) = (&toks[1], &toks[2..]);
        let condition = matches!(
            d,
            Directive::If | Directive::ElseIf | Directive::Else | Directive::EndIf
        );
        if !condition && !self.lines.active() {
            return Ok(());
        }
        self.mark_here();
        match d {
            Directive::Own(n) => self.zasm_directive(WORDS[usize::from(n)], t, rest),
            Directive::Include => {
                if matches!(rest.first(), Some(t) if matches!(self.text(t), "library" | "standard"))
                {
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, "libraries are not searched");
                    let d = d.at(t.span).help("include the files that are needed");
                    return Err(Box::new(d));
                }
                self.include(t, rest)
            }
            Directive::Incbin => self.incbin(t, rest),
            _ => self.line(&toks[1..]),
        }
    }

    /// Does what a directive says.
    pub(super) fn zasm_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if !w.is_harmless() {
            self.memo.renew();
        }
        match w {
            Word::Org => self.zasm_org(t, rest),
            Word::Bytes => self.zasm_bytes(t, rest, false),
            Word::Zero => self.zasm_bytes(t, rest, true),
            Word::Space => self.zasm_space(t, rest),
            Word::Align => self.zasm_align(t, rest),
            Word::Macro => match rest {
                [name, more @ ..] if name.kind == Kind::Name => {
                    let comma = usize::from(more.first().is_some_and(|c| c.kind == Kind::Comma));
                    self.zasm_macro_named(name, b'\\', t, &more[comma..])
                }
                _ => self.one_name(t, rest).map(|_| ()),
            },
            Word::EndMacro => self.stray(t, "a macro or repeat"),
            Word::Repeat => self.zasm_repeat(t, rest),
            Word::Target => self.zasm_target(t, rest),
            Word::Code => self.zasm_segment(t, rest, true),
            Word::Data => self.zasm_segment(t, rest, false),
            Word::Area => self.zasm_area(t, rest),
            Word::Local => self.zasm_local(t),
            Word::EndLocal => match self.lines.blocks.pop() {
                Some(Block {
                    kind: BlockKind::Scope(outer),
                    ..
                }) => {
                    self.naming.prefix = outer;
                    Ok(())
                }
                _ => self.stray(t, "a `#local`"),
            },
            Word::Global => {
                let name = self.one_name(t, rest)?;
                let name = self.key(self.sources.slice(name.span)).into_owned();
                self.own.get_mut::<State>().global.push(name);
                Ok(())
            }
            Word::Define => self.zasm_define(t, rest),
            Word::Phase => self.zasm_phase(t, rest),
            Word::Dephase => {
                let phase = std::mem::take(&mut self.own.get_mut::<State>().phase);
                let at = self.here_value.unwrap_or(0) - phase;
                self.open_chunk(Some(at as u64 & 0xffff), 1);
                Ok(())
            }
            Word::Charset => self.zasm_charset(t, rest),
            Word::Asm8080 => {
                if self.own.get::<State>().current.is_some() {
                    let d = Diagnostic::new(codes::MISPLACED, "an `org` or `#code` stands above");
                    return Err(Box::new(d.at(t.span).help("move this before it")));
                }
                self.zasm_8080();
                Ok(())
            }
            Word::ReqColon => {
                self.own.get_mut::<State>().colons = true;
                Ok(())
            }
            Word::Test => {
                self.own.get_mut::<State>().testing = true;
                Ok(())
            }
            Word::Ignored => Ok(()),
            Word::Refused(why) => {
                let message = format!("`{}` is not done by scrimp", self.text(t));
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                Err(Box::new(d.help(why)))
            }
        }
    }

    /// `#local`: the names that follow are of their own.
    fn zasm_local(&mut self, t: &Tok) -> Outcome<()> {
        if self.lines.blocks.len() >= MAX_NESTING || self.naming.prefix.len() > 1000 {
            let d = Diagnostic::new(codes::TOO_DEEP, "scopes nest too deeply").at(t.span);
            self.stop(Box::new(d));
            return Ok(());
        }
        let state = self.own.get_mut::<State>();
        state.scopes += 1;
        let inner = format!("{}local{}.", self.naming.prefix, state.scopes);
        let outer = std::mem::replace(&mut self.naming.prefix, inner);
        let kind = BlockKind::Scope(outer);
        self.lines.blocks.push(Block { kind, span: t.span });
        Ok(())
    }

    /// `#define name value`: a global value, or another name of a word, which is known.
    fn zasm_define(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.one_name(t, rest)?;
        if let [value] = &rest[1..]
            && self.directive_named(Some(value)).is_some()
        {
            return Ok(());
        }
        let text = self.text(&name).to_owned();
        let v = match &rest[1..] {
            [] => Value::Number(1),
            value => self.whole_expression(value)?,
        };
        let id = self.symbols.intern(&text);
        self.define_value(id, v, name.span, false)
    }

    fn zasm_charset(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match rest {
            [n] if self.text(n).eq_ignore_ascii_case("none") => {
                self.naming.charmap = None;
                Ok(())
            }
            [n] if matches!(self.text(n).to_ascii_lowercase().as_str(), "ascii" | "zxsp") => {
                self.naming.charmap = None;
                Ok(())
            }
            [n] if matches!(self.text(n).to_ascii_lowercase().as_str(), "zx80" | "zx81") => {
                self.naming.charmap = Some(self.text(n).to_ascii_lowercase());
                Ok(())
            }
            _ => {
                let d = Diagnostic::new(codes::BAD_ARGUMENT, "there is no such set of characters");
                let at = rest.first().map_or(t.span, |r| r.span);
                Err(Box::new(
                    d.at(at).note("there are zx80, zx81, ascii and none"),
                ))
            }
        }
    }

    /// `name macro &a,&b`, `macro name a,b`.
    fn zasm_macro_named(&mut self, name: &Tok, tag: u8, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let list = self.written(rest);
        let mut depth = 0u32;
        let ends = &mut |a: &Self, toks: &[Tok]| match a.zasm_head(toks) {
            Some((Word::Macro | Word::Repeat, _)) => {
                depth += 1;
                false
            }
            Some((Word::EndMacro, _)) if depth == 0 => true,
            Some((Word::EndMacro, _)) => {
                depth -= 1;
                false
            }
            _ => false,
        };
        let body = self.recorded(t, "endm", ends)?;
        let mut parameters = Vec::new();
        let names = list.split(',').map(str::trim);
        for p in names.filter(|_| !list.trim().is_empty()) {
            let mark = p.bytes().next().filter(|b| b.is_ascii_punctuation());
            let mark = mark.filter(|&b| b != b'_');
            let plain = p[usize::from(mark.is_some())..].to_owned();
            let good = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
            if plain.is_empty() || !plain.bytes().all(good) {
                let d = Diagnostic::new(codes::SYNTAX, "expected a parameter's name");
                return Err(Box::new(d.at(self.span_of(rest))));
            }
            parameters.push(Parameter {
                name: plain,
                tag: mark.unwrap_or(tag),
                word: mark.is_none(),
                blind: self.dialect.names.case_blind,
            });
        }
        if parameters.len() > limits::PARAMETERS {
            return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
        }
        let count = self.own.get::<State>().macros.len();
        self.room_for_macro(count)?;
        let key = self.key(self.text(name)).into_owned();
        let made = self.text_macro(name, parameters, &body);
        let macros = &mut self.own.get_mut::<State>().macros;
        if let Some(old) = macros.insert(key, Rc::new(made)) {
            let message = format!("the macro `{}` is defined twice", old.name);
            let d = Diagnostic::new(codes::REDEFINED, message).at(name.span);
            return Err(Box::new(d.related(old.span, "first defined here")));
        }
        Ok(())
    }

    /// `rept n`, `dup n`.
    fn zasm_repeat(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let count = self.known_here(t, rest, "the count");
        let mut depth = 0u32;
        let ends = &mut |a: &Self, toks: &[Tok]| match a.zasm_head(toks) {
            Some((Word::Macro | Word::Repeat, _)) => {
                depth += 1;
                false
            }
            Some((Word::EndMacro, _)) if depth == 0 => true,
            Some((Word::EndMacro, _)) => {
                depth -= 1;
                false
            }
            _ => false,
        };
        let body = self.recorded(t, "endm", ends)?;
        let span = self.span_of(rest);
        self.repeated(body, count?, span, Counter::None)
    }

    /// The segment in force.
    pub(super) fn zasm_current(&self) -> Option<&Segment> {
        let state = self.own.get::<State>();
        state.current.map(|i| &state.segments[i])
    }
}
