//! A line: what stands in column 1 is a label, then a macro, struct, directive or
//! instruction.

use super::state::State;
use super::words::{Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// What a line begins with.
#[derive(Clone, Copy, Default)]
pub struct Head {
    pub label: Option<Tok>,
    /// Token of the word behind it.
    pub at: usize,
    /// What it is, if it is a directive.
    pub word: Option<Word>,
    /// It has a `!` before it: no macro is meant.
    pub plain: bool,
}

/// The mark at the end of lines that a macro or loop has made, which no source can write.
pub const MARK: &str = "\u{1}";

impl Assembler<'_> {
    pub(super) fn asl_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        self.asl_leave_frames();
        let first = &toks[0];
        if first.kind == Kind::Bad
            && self.sources.slice(first.span) == MARK
            && self.sources.get(first.span.source).is_made()
        {
            return self.asl_end_of_round(first);
        }
        let head = self.asl_head(toks);
        if !self.lines.active() {
            return self.asl_skipped(head.word, toks, head.at);
        }
        let braces = toks.iter().any(|t| t.kind == Kind::CurlyOpen);
        let block = head.word.is_some_and(Word::opens_block) || head.word == Some(Word::Function);
        if braces && !block {
            let made = self.asl_named(toks)?;
            let head = self.asl_head(&made);
            let done = self.asl_statement(&made, head);
            self.memo.not_again();
            return done;
        }
        self.asl_statement(toks, head)
    }

    /// Where a word ends that begins there: at a blank, a colon or the end of the line.
    fn asl_word_end(&self, t: &Tok) -> u32 {
        let text = self.sources.get(t.span.source).text.as_bytes();
        let from = t.span.start as usize;
        let stop = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b':' | b';');
        let n = text[from..].iter().position(stop);
        n.map_or(text.len(), |n| from + n) as u32
    }

    pub(super) fn asl_head(&self, toks: &[Tok]) -> Head {
        let first = &toks[0];
        let mut head = Head::default();
        let colon = |i: usize, end: u32| {
            toks.get(i)
                .is_some_and(|t| t.kind == Kind::Colon && t.span.start == end)
        };
        if self.at_margin(first) {
            let end = self.asl_word_end(first).max(first.span.end);
            let span = Span::new(first.span.source, first.span.start, end);
            let kind = Kind::Name;
            head.label = Some(Tok { kind, span });
            let behind = |t: &Tok| t.span.start >= end || t.span.source != span.source;
            head.at = toks.iter().position(behind).unwrap_or(toks.len());
            head.at += usize::from(colon(head.at, end));
        } else if first.kind == Kind::Name && colon(1, first.span.end) {
            head.label = Some(*first);
            head.at = 2;
        }
        if let Some(t) = toks.get(head.at)
            && t.kind == Kind::Bang
            && toks
                .get(head.at + 1)
                .is_some_and(|n| n.span.start == t.span.end)
        {
            head.plain = true;
            head.at += 1;
        }
        head.word = toks.get(head.at).and_then(|t| self.asl_word(t));
        if head.word == Some(Word::Equ(true)) && split(&toks[head.at + 1..]).len() > 1 {
            // `set` with a comma behind is the instruction.
            let entry = self.words.get(self.sources.slice(toks[head.at].span));
            if entry.mnemonic != 0 {
                head.word = None;
            }
        }
        head
    }

    pub(super) fn asl_word(&self, t: &Tok) -> Option<Word> {
        match t.kind {
            Kind::Name | Kind::Equal | Kind::ColonEqual => {
                word(self.words.get(self.sources.slice(t.span)).directive)
            }
            _ => None,
        }
    }

    /// A line that does not count: only conditionals matter, and blocks.
    fn asl_skipped(&mut self, w: Option<Word>, toks: &[Tok], at: usize) -> Outcome<()> {
        let Some(w) = w else { return Ok(()) };
        let t = toks[at];
        if w.opens_block() {
            return self.asl_record(&t).map(|_| ());
        }
        match w {
            Word::If(_) => self.open_condition(false, false, &t),
            Word::Switch => {
                self.open_condition(false, false, &t)?;
                self.asl_push_switch(super::typed::Typed::Int(0));
                Ok(())
            }
            Word::ElseIf | Word::EndIf | Word::Case | Word::ElseCase | Word::EndCase => {
                self.asl_branch(w, &t, &toks[at + 1..])
            }
            _ => Ok(()),
        }
    }

    fn asl_statement(&mut self, toks: &[Tok], head: Head) -> Outcome<()> {
        self.mark_here();
        let Some(&t) = toks.get(head.at) else {
            return match head.label {
                Some(l) => self.asl_label(&l, false),
                None => Ok(()),
            };
        };
        let rest = &toks[head.at + 1..];
        let called = match head.plain {
            false => self.asl_macro(&t),
            true => None,
        };
        if let Some(m) = called {
            let label = match head.label {
                Some(l) if m.takes_label => self.text(&l).to_owned(),
                Some(l) => {
                    self.asl_label(&l, false)?;
                    String::new()
                }
                None => String::new(),
            };
            return self.asl_call(&m, &t, label);
        }
        let entry = match t.kind {
            Kind::Name => self.words.get(self.sources.slice(t.span)),
            _ => crate::read::words::Entry::default(),
        };
        let mnemonic = head.word.is_none() && entry.mnemonic != 0;
        if mnemonic || head.word.is_some_and(Word::makes_bytes) && !self.asl_is_space(rest) {
            self.asl_begin_bytes();
        }
        if let Some(l) = head.label
            && !head.word.is_some_and(Word::names)
        {
            self.asl_label(&l, false)?;
        }
        if let Some(w) = head.word {
            return self.asl_directive(w, head.label, &t, rest);
        }
        if mnemonic {
            if !self.own.get::<State>().open.is_empty() {
                let message = "an instruction cannot stand in a struct";
                let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                return Err(Box::new(d));
            }
            return self.asl_instruction(entry.mnemonic - 1, &toks[head.at..]);
        }
        if self.asl_instance(head.label, &t, rest)? {
            return Ok(());
        }
        match t.kind {
            Kind::Name => Err(self.unknown_statement(&t, &toks[head.at..])),
            Kind::Bad => Err(self.bad_token(&t)),
            _ => Err(self.no_statement(&t)),
        }
    }

    fn asl_instruction(&mut self, mnemonic: u16, toks: &[Tok]) -> Outcome<()> {
        self.check_code_here(&toks[0])?;
        match self.asl_rewritten(toks)? {
            None => self.instruction(mnemonic, toks, 1),
            Some(made) => {
                let entry = self.words.get(self.sources.slice(made[0].span));
                let done = self.instruction(entry.mnemonic - 1, &made, 1);
                self.memo.not_again();
                done
            }
        }
    }

    /// Does what a directive says.
    pub(super) fn asl_directive(
        &mut self,
        w: Word,
        label: Option<Tok>,
        t: &Tok,
        rest: &[Tok],
    ) -> Outcome<()> {
        match w {
            Word::Org => self.asl_org(t, rest),
            Word::Move => {
                let n = self.known_here(t, rest, "the distance")?;
                let pc = self.asl_pc().saturating_add(n);
                self.asl_to(pc, rest)
            }
            Word::Data(size) => self.asl_data(t, rest, size),
            Word::Nibbles => self.asl_nibbles(t, rest),
            Word::Room => self.asl_room(t, rest),
            Word::Align => self.asl_align(t, rest),
            Word::Phase => {
                let n = self.known_here(t, rest, "the address")?;
                let n = self.cut_address(n, self.span_of(rest));
                self.asl_phase(Some(n));
                Ok(())
            }
            Word::EndPhase => {
                self.asl_phase(None);
                Ok(())
            }
            Word::Segment => self.asl_segment(t, rest),
            Word::Equ(variable) => self.asl_equ(label, t, rest, variable),
            Word::Label | Word::Port | Word::Register => match label {
                Some(l) => self.asl_value_of(w, &l, rest),
                None => self.asl_no_name(t),
            },
            Word::Enum(next) => self.asl_enum(t, rest, next),
            Word::Function => match label {
                Some(l) => self.asl_function(&l, t),
                None => self.asl_no_name(t),
            },
            Word::Macro => match label {
                Some(l) => self.asl_define_macro(&l, t),
                None => {
                    self.asl_record(t)?;
                    self.asl_no_name(t)
                }
            },
            Word::Repeat => self.asl_repeat(t, rest),
            Word::While => self.asl_while(t),
            Word::ForEach => self.asl_for_each(t, false),
            Word::ForEachCharacter => self.asl_for_each(t, true),
            Word::EndMacro => match self.in_expansion() {
                true => Ok(()),
                false => self.stray(t, "a macro or repeat"),
            },
            Word::ExitMacro => self.asl_exit(t),
            Word::Shift => self.asl_shift(t),
            Word::If(asks) => self.asl_if(asks, t, rest),
            Word::Switch => self.asl_switch(t, rest),
            Word::ElseIf | Word::EndIf | Word::Case | Word::ElseCase | Word::EndCase => {
                self.asl_branch(w, t, rest)
            }
            Word::Struct(union) => self.asl_open_struct(label, t, rest, union),
            Word::EndStruct => self.asl_end_struct(label, t, rest),
            Word::Section => self.asl_section(t, rest),
            Word::EndSection => self.asl_end_section(t, rest),
            Word::Public => self.asl_public(t, rest, false),
            Word::Global => self.asl_public(t, rest, true),
            Word::Include => self.asl_include(t, rest),
            Word::Incbin => {
                self.memo.renew();
                self.incbin(t, rest)
            }
            Word::End => self.end(rest),
            other => self.asl_setting(other, t, rest),
        }
    }

    /// That a directive needs a name before it.
    pub(super) fn asl_no_name(&mut self, t: &Tok) -> Outcome<()> {
        let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
        let form = format!("it is written `NAME {} …`", self.text(t));
        Err(Box::new(d.label(form)))
    }

    /// `include file`: `.inc` is its ending if it has none.
    fn asl_include(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let name = text.trim().trim_matches(['"', '\'']).replace('\\', "/");
        let file = name.rsplit('/').next().unwrap_or("");
        if name.is_empty() || file.contains('.') && !text.contains('\\') {
            return self.include(t, rest);
        }
        let ending = if file.contains('.') { "" } else { ".inc" };
        let made = self.made_line(&format!("include \"{name}{ending}\""))?;
        self.include(&made[0], &made[1..])
    }

    /// The text behind a token up to the comment.
    pub(super) fn asl_behind(&self, t: &Tok) -> String {
        let text = &self.sources.get(t.span.source).text;
        let rest = &text[t.span.end as usize..];
        let rest = self.dialect.lexing.continued.line(rest);
        let end = super::texts::comment(&rest).unwrap_or(rest.len());
        rest[..end].trim().to_owned()
    }

    /// What stands behind a token, cut at commas.
    pub(super) fn asl_arguments(&self, t: &Tok) -> Vec<String> {
        let text = self.asl_behind(t);
        match text.is_empty() {
            true => Vec::new(),
            false => super::texts::arguments(&text),
        }
    }

    /// A line in which `{name}` outside of texts is what the name says.
    fn asl_named(&mut self, toks: &[Tok]) -> Outcome<Vec<Tok>> {
        let first = &toks[0];
        let text = &self.sources.get(first.span.source).text;
        let line = &text[first.span.start as usize..];
        let line = self.dialect.lexing.continued.line(line);
        let line = line.trim_end();
        let end = super::texts::comment(line).unwrap_or(line.len());
        let mut out = String::new();
        if !self.at_margin(first) {
            out.push(' ');
        }
        let mut rest = &line[..end];
        while let Some(open) = super::texts::outside(rest, b'{') {
            let Some(close) = rest[open..].find('}').map(|n| open + n) else {
                break;
            };
            out.push_str(&rest[..open]);
            let made = self.made_line(&rest[open + 1..close])?;
            let value = match made.is_empty() {
                true => String::new(),
                false => self.asl_shown(&made)?,
            };
            out.push_str(&value);
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        let made = self.made_line(&out)?;
        match made.is_empty() {
            true => Ok(toks.to_vec()),
            false => Ok(made),
        }
    }
}
