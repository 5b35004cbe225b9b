//! A line: labels, then a word and its operands, which may go on over several lines.

use super::names::is_name;
use super::state::State;
use super::words::{self, Word, one_case};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::state::memo::LONGEST;
use crate::text::language::Directive;
use crate::text::lex::{Kind, MAX_TOKENS, Tok};
use smallvec::SmallVec;
use std::sync::Arc;

/// Labels before a word.
pub(super) type Labels = SmallVec<[Tok; 2]>;

/// Whether more must follow behind a token.
fn goes_on(t: &Tok) -> bool {
    let one = t.span.end - t.span.start == 1;
    match t.kind {
        Kind::Percent | Kind::Amp | Kind::Question => one,
        Kind::Plus
        | Kind::Minus
        | Kind::Star
        | Kind::Slash
        | Kind::Caret
        | Kind::Pipe
        | Kind::Tilde
        | Kind::Bang
        | Kind::Less
        | Kind::Greater
        | Kind::Equal
        | Kind::LessEqual
        | Kind::GreaterEqual
        | Kind::NotEqual
        | Kind::ShiftLeft
        | Kind::ShiftRight
        | Kind::AndAnd
        | Kind::OrOr
        | Kind::Comma
        | Kind::Open
        | Kind::SquareOpen => true,
        _ => false,
    }
}

/// How many more brackets are opened than closed.
fn depth(toks: &[Tok]) -> i32 {
    let of = |t: &Tok| match t.kind {
        Kind::Open | Kind::SquareOpen => 1,
        Kind::Close | Kind::SquareClose => -1,
        _ => 0,
    };
    toks.iter().map(of).sum()
}

/// Whether a line of that depth ends within an expression.
fn is_open(toks: &[Tok], depth: i32) -> bool {
    depth > 0 || toks.len() > 1 && goes_on(&toks[toks.len() - 1])
}

impl Assembler<'_> {
    /// A line, also one of a macro that is only measured: what is wrong there ends that.
    pub(super) fn glass_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let done = self.glass_line(toks);
        match done {
            Err(_) if self.own.get::<State>().measuring > 0 && !self.fatal => {
                self.glass_stop_measuring();
                Ok(())
            }
            done => done,
        }
    }

    fn glass_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        self.glass_leave_frames();
        if toks[0].kind == Kind::Comment {
            return self.glass_end_of_lines(&toks[0]);
        }
        if is_open(toks, depth(toks)) {
            return self.glass_long_line(toks);
        }
        self.glass_whole_line(toks)
    }

    /// A line with those behind it that belong to it.
    fn glass_long_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let mut all = toks.to_vec();
        let mut more: Vec<Tok> = Vec::new();
        let floor = self.lines.feeds.len();
        let mut mark = None;
        let mut open = depth(&all);
        while is_open(&all, open) {
            if !self.has_line(floor) || !self.next_line(&mut more) || all.len() > MAX_TOKENS / 4 {
                break;
            }
            if let Some(t) = more.first().filter(|t| t.kind == Kind::Comment) {
                mark = Some(*t);
                break;
            }
            open += depth(&more);
            all.extend_from_slice(&more);
        }
        self.statement = self.span_of(&all);
        let done = self.glass_whole_line(&all);
        match mark {
            None => done,
            Some(t) => {
                let end = self.glass_end_of_lines(&t);
                done.and(end)
            }
        }
    }

    /// The word that a token is.
    #[inline]
    pub(super) fn glass_word(&self, t: &Tok) -> Option<Word> {
        if t.kind != Kind::Name {
            return None;
        }
        let text = self.sources.slice(t.span);
        let w = words::word(self.words.get(text).directive)?;
        one_case(text).then_some(w)
    }

    /// Tokens of the labels that a line begins with.
    #[inline]
    pub(super) fn glass_labels(&self, toks: &[Tok]) -> (Labels, usize) {
        let mut labels = Labels::new();
        let mut i = 0;
        while let Some(t) = toks.get(i).filter(|t| is_name(t)) {
            let colon = toks.get(i + 1).is_some_and(|n| n.kind == Kind::Colon);
            if !(colon || i == 0 && self.at_margin(t)) {
                break;
            }
            labels.push(*t);
            i += 1 + usize::from(colon);
        }
        (labels, i)
    }

    fn glass_whole_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        if !self.lines.active() {
            return self.glass_skipped(toks);
        }
        self.mark_here();
        if !self.own.get::<State>().foreign.is_empty() {
            self.own.get_mut::<State>().foreign.clear();
        }
        let (labels, i) = self.glass_labels(toks);
        let Some(&t) = toks.get(i) else {
            return self.glass_bare_labels(&labels);
        };
        let rest = &toks[i + 1..];
        if t.kind == Kind::Bad {
            return Err(self.bad_token(&t));
        }
        if !is_name(&t) {
            let message = format!("`{}` is no instruction", self.text(&t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        let t = self.glass_first_word(t)?;
        if let Some((m, scope)) = self.glass_macro(&t) {
            self.glass_labels_here(&labels)?;
            let (labels, _) = self.glass_all_labels(&labels);
            return self.glass_call(&m, scope, &t, rest, labels.last());
        }
        match self.glass_word(&t) {
            Some(w) => self.glass_directive(w, &t, rest, labels),
            None => {
                self.glass_labels_here(&labels)?;
                self.glass_instruction(&t, rest)
            }
        }
    }

    /// What the first word stands for, if that is another.
    fn glass_first_word(&mut self, t: Tok) -> Outcome<Tok> {
        let words = &self.own.get::<State>().names.text_words;
        if words.is_empty() || !words.contains(self.text(&t)) {
            return Ok(t);
        }
        let scope = self.own.get::<State>().names.scope;
        let mut out = Vec::new();
        self.glass_expand(&[t], scope, None, &mut out, 0)?;
        match out[..] {
            [one] if is_name(&one) => Ok(one),
            _ => {
                let message = format!("`{}` stands for no instruction", self.text(&t));
                Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)))
            }
        }
    }

    /// Labels with nothing behind them, which belong to what follows.
    fn glass_bare_labels(&mut self, labels: &[Tok]) -> Outcome<()> {
        let here = self.here;
        let state = self.own.get_mut::<State>();
        if state.pending_at != Some(here) {
            state.pending.clear();
            state.pending_at = Some(here);
        }
        state.pending.extend_from_slice(labels);
        self.glass_labels_here(labels)
    }

    fn glass_labels_here(&mut self, labels: &[Tok]) -> Outcome<()> {
        for l in labels {
            self.glass_label(l)?;
        }
        Ok(())
    }

    /// The labels of a statement with those alone above it.
    fn glass_all_labels(&mut self, labels: &[Tok]) -> (Labels, usize) {
        let here = self.here;
        let state = self.own.get_mut::<State>();
        let mut all = Labels::new();
        if state.pending_at == Some(here) {
            all.extend(state.pending.drain(..));
        }
        state.pending.clear();
        let above = all.len();
        all.extend_from_slice(labels);
        (all, above)
    }

    /// The same, where those above get another meaning than the address.
    fn glass_taken_back(&mut self, labels: &[Tok]) -> Labels {
        let (all, above) = self.glass_all_labels(labels);
        if let Some(l) = all[..above].first() {
            let message = "the label belongs to the statement below it and means the same";
            let d = Diagnostic::new(codes::PEER_CODE, message).at(l.span);
            self.report(Box::new(d.help("in Glass 0.5 it is the address here")));
        }
        for l in &all[..above] {
            let full = self.glass_full(l);
            if let Some(id) = self.symbols.find(&full) {
                let s = self.symbols.get_mut(id);
                s.meaning = Meaning::Undefined;
                (s.label, s.place, s.span) = (false, None, None);
            }
        }
        all
    }

    fn glass_instruction(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mnemonic = match t.kind {
            Kind::Name => self.words.get(self.sources.slice(t.span)).mnemonic,
            _ => 0,
        };
        let mut line: SmallVec<[Tok; 16]> = SmallVec::new();
        line.push(*t);
        match self.glass_operands(rest)? {
            Some(with) => {
                line.extend(with);
                return self.glass_made_instruction(mnemonic, &line);
            }
            None => line.extend_from_slice(rest),
        }
        self.glass_read_instruction(mnemonic, &line)
    }

    /// An instruction that arguments have become a part of.
    fn glass_made_instruction(&mut self, mnemonic: u16, line: &[Tok]) -> Outcome<()> {
        let mut text = String::with_capacity(LONGEST);
        for t in line {
            text.push_str(self.sources.slice(t.span));
            // No token has one but a text, which has its quotes.
            text.push(' ');
            if text.len() > LONGEST {
                return self.glass_read_instruction(mnemonic, line);
            }
        }
        if self.made_before(&text) {
            return Ok(());
        }
        self.memo.not_again();
        let before = self.made_so_far();
        self.glass_read_instruction(mnemonic, line)?;
        let same = self.memo.fixed;
        self.keep_made(&text, &before, same);
        Ok(())
    }

    fn glass_read_instruction(&mut self, mnemonic: u16, line: &[Tok]) -> Outcome<()> {
        let t = &line[0];
        if mnemonic == 0 {
            let word: Arc<str> = self.text(t).into();
            self.own.get_mut::<State>().missed.insert(word);
            return Err(self.unknown_statement(t, line));
        }
        self.instruction(mnemonic - 1, line, 1)
    }

    fn glass_directive(&mut self, w: Word, t: &Tok, rest: &[Tok], labels: Labels) -> Outcome<()> {
        match w {
            Word::Equ => {
                let labels = self.glass_taken_back(&labels);
                return self.glass_equ(t, rest, &labels);
            }
            Word::Macro => {
                let labels = self.glass_taken_back(&labels);
                return self.glass_define_macro(t, rest, &labels);
            }
            _ => {}
        }
        self.glass_labels_here(&labels)?;
        match w {
            Word::Proc | Word::Repeat | Word::ForEach | Word::Room => {
                let (labels, _) = self.glass_all_labels(&labels);
                return self.glass_block(w, t, rest, &labels);
            }
            Word::EndProc => return self.glass_end_proc(t),
            Word::EndSection => return self.glass_end_section(t),
            Word::Else => return self.other_branch(Directive::Else, t, &[]),
            Word::EndIf => return self.glass_end_if(t),
            Word::EndMacro => return self.stray(t, "a macro or repeat"),
            Word::End => return self.end(&[]),
            _ => {}
        }
        let expanded = self.glass_operands(rest);
        let rest = match &expanded {
            Ok(Some(with)) => &with[..],
            _ => rest,
        };
        if w == Word::If {
            let yes = match &expanded {
                Err(_) => Ok(false),
                Ok(_) => self.known_here(t, rest, "the condition").map(|n| n != 0),
            };
            // Also a faulty condition opens a block, so that its end is no error.
            self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
            expanded?;
            return yes.map(|_| ());
        }
        expanded.as_ref().map_err(Clone::clone)?;
        match w {
            Word::Data(size) => self.glass_data(t, rest, size),
            Word::Org => self.glass_org(t, rest),
            Word::Include => self.glass_include(t, rest),
            Word::Incbin => self.incbin(t, rest),
            Word::Section => self.glass_section(t, rest),
            Word::Error | Word::Warning => self.glass_message(w, t, rest),
            _ => self.multiplied(w == Word::Muluw, t, rest),
        }
    }

    fn glass_block(&mut self, w: Word, t: &Tok, rest: &[Tok], labels: &[Tok]) -> Outcome<()> {
        match w {
            Word::Proc => self.glass_proc(t, labels),
            Word::Repeat => self.glass_repeat(t, rest, labels),
            Word::ForEach => self.glass_for_each(t, rest, labels),
            _ => {
                let with = self.glass_operands(rest)?;
                self.glass_room(t, with.as_deref().unwrap_or(rest), labels)
            }
        }
    }

    /// `endif`; one that ends nothing is not read, as in 0.5.
    fn glass_end_if(&mut self, t: &Tok) -> Outcome<()> {
        let open = self.lines.feeds.last().map_or(0, |f| f.conditions);
        if self.lines.conditions.len() <= open {
            self.not_read(t.span);
            return Ok(());
        }
        self.close_if(t)
    }

    /// A line that does not count: only conditionals matter, and what they may stand in.
    fn glass_skipped(&mut self, toks: &[Tok]) -> Outcome<()> {
        let (_, i) = self.glass_labels(toks);
        let Some(t) = toks.get(i) else { return Ok(()) };
        match self.glass_word(t) {
            Some(Word::If) => self.open_condition(false, false, t),
            Some(Word::Else) => self.other_branch(Directive::Else, t, &[]),
            Some(Word::EndIf) => self.close_if(t),
            _ => Ok(()),
        }
    }
}
