//! A line: cut at colons, then label, macro, directive or instruction.

use super::names::begins_name;
use super::state::State;
use super::words::{Test, Texts, WORDS, Word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::state::memo::Outlined;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use smallvec::SmallVec;

/// First and last token of each piece of a line.
pub type Segments = SmallVec<[(usize, usize); 4]>;

/// Instructions whose operand may be a number as a label.
const JUMPS: [&str; 4] = ["jr", "jp", "djnz", "call"];

/// Instructions of the emulator CSpect and their bytes.
const EMULATOR: [(&str, &str); 2] = [("break", "#fd,0"), ("exit", "#dd,0")];

/// Most bytes that `label+N:` may lie behind its place.
const MOST_BEHIND: i64 = 0xffff;

impl Assembler<'_> {
    /// Where the label that a line begins with ends, as a number of a token.
    fn sj_label_end(&self, toks: &[Tok]) -> usize {
        let Some(first) = toks.first() else { return 0 };
        let text =
            &self.sources.get(first.span.source).text.as_bytes()[first.span.start as usize..];
        let stop = |&b: &u8| b <= b' ' || matches!(b, b':' | b'=' | b'+' | b';');
        let length = text.iter().position(stop).unwrap_or(text.len()) as u32;
        let end = first.span.start + length;
        let here = |t: &&Tok| t.span.source == first.span.source && t.span.start < end;
        toks.iter().take_while(here).count()
    }

    /// The pieces of a line between its colons or backslashes, without those that are empty.
    pub(super) fn sj_segments(&self, toks: &[Tok]) -> Segments {
        if self.dialect.name == "sjasm" {
            return Segments::from_iter((!toks.is_empty()).then_some((0, toks.len())));
        }
        self.sj_cut(toks, !toks.is_empty() && self.at_margin(&toks[0]))
    }

    /// The same for a line that begins with a label if `margin` says so.
    fn sj_cut(&self, toks: &[Tok], margin: bool) -> Segments {
        let mut out = Segments::new();
        let separator = self.dialect.writing.separator.unwrap_or(Kind::Colon);
        let colon = |t: &Tok| t.kind == separator;
        if !toks.iter().any(colon) {
            if !toks.is_empty() {
                out.push((0, toks.len()));
            }
            return out;
        }
        let mut i = 0;
        if margin && separator == Kind::Colon {
            // The colon behind a label is its own.
            i = self.sj_label_end(toks);
            let offset = |t: Option<&Tok>| t.is_some_and(|t| t.kind == Kind::Plus);
            if offset(toks.get(i)) && toks.get(i + 2).is_some_and(colon) {
                i += 2;
            }
            i += usize::from(toks.get(i).is_some_and(colon));
        }
        let mut start = 0;
        for (k, t) in toks.iter().enumerate().skip(i) {
            if colon(t) {
                if k > start {
                    out.push((start, k));
                }
                start = k + 1;
            }
        }
        if start < toks.len() {
            out.push((start, toks.len()));
        }
        out
    }

    /// The word of an indented conditional alone on its line, with one name or number behind
    /// it or nothing, where no name stands for anything else.
    pub(super) fn sj_plain_condition(&self, toks: &[Tok]) -> Option<Word> {
        let (t, value) = match toks {
            [t] => (t, None),
            [t, value] if matches!(value.kind, Kind::Name | Kind::Number) => (t, Some(value)),
            _ => return None,
        };
        if t.kind != Kind::Name || self.at_margin(t) || self.sj_is_guarded() {
            return None;
        }
        let w = super::words::word(self.words.get(self.sources.slice(t.span)).directive)?;
        let wanted = match w {
            Word::If(Test::Value(_)) => value.is_some(),
            Word::Else | Word::EndIf => value.is_none(),
            _ => false,
        };
        let state = self.own.get::<State>();
        let plain = state.defines.is_empty()
            && state.macros.is_empty()
            && state.structs.is_empty()
            && !self.sjasm_has_texts();
        let own = |v: &Tok| self.sources.slice(v.span).starts_with(['_', '@', '.']);
        (wanted && plain && !value.is_some_and(own)).then_some(w)
    }

    /// Assembles a line.
    pub(super) fn sj_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        self.sj_leave_calls();
        if let Some(w) = self.sj_plain_condition(toks) {
            return self.sj_conditional(w, toks);
        }
        if let [t] = toks
            && t.kind == Kind::Comment
        {
            return self.sj_end_of_round(t);
        }
        // `>label` is a label that is indented.
        let pushed = matches!(toks, [t, n, ..] if t.kind == Kind::Greater
            && t.span.end == n.span.start
            && matches!(n.kind, Kind::Name | Kind::At | Kind::Number));
        let toks = if pushed { &toks[1..] } else { toks };
        let margin = pushed || !toks.is_empty() && self.at_margin(&toks[0]);
        let segments = self.sj_cut(toks, margin);
        if let [(a, b)] = segments[..] {
            return self.sj_segment(&toks[a..b], margin && a == 0);
        }
        for (k, &(a, b)) in segments.iter().enumerate() {
            let depth = self.lines.feeds.len();
            let rest = &segments[k + 1..];
            let part = &toks[a..b];
            let margin = margin && a == 0;
            if !rest.is_empty() && self.sj_leads_away(part) {
                // What it reads comes before the rest of the line.
                self.sj_rest(toks, rest);
                return self.sj_segment(part, margin);
            }
            if let Err(d) = self.sj_segment(part, margin) {
                self.report(d);
            }
            if self.lines.feeds.len() < depth || self.fatal {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Does what such a line says.
    pub(super) fn sj_conditional(&mut self, w: Word, toks: &[Tok]) -> Outcome<()> {
        match self.lines.active() {
            true => {
                self.mark_here();
                self.sj_directive(w, &toks[0], &toks[1..])
            }
            false => self.sj_skipped(toks),
        }
    }

    /// Whether a piece of a line may bring other lines.
    fn sj_leads_away(&self, toks: &[Tok]) -> bool {
        if !self.lines.active() {
            return false;
        }
        if let Some((w, _)) = self.sj_head(toks) {
            return matches!(
                w,
                Word::Include | Word::Macro | Word::Repeat | Word::While | Word::Struct | Word::End
            );
        }
        let state = self.own.get::<State>();
        if state.macros.is_empty() && state.defines.is_empty() && state.structs.is_empty() {
            return false;
        }
        let own = |t: &Tok| {
            let text = self.sources.slice(t.span);
            t.kind == Kind::Name
                && (state.macros.contains_key(text) || state.defines.contains_key(text))
        };
        toks.iter().take(3).any(own)
    }

    /// Assembles a piece of a line.
    fn sj_segment(&mut self, toks: &[Tok], margin: bool) -> Outcome<()> {
        if !self.lines.active() {
            return self.sj_skipped(toks);
        }
        let made = match self.sj_replaced(toks)? {
            Some(made) => self.sj_extremes(&made)?.or(Some(made)),
            None => self.sj_extremes(toks)?,
        };
        match made {
            None => self.sj_statement(toks, margin),
            Some(made) => {
                let done = match made.is_empty() {
                    true => Ok(()),
                    false => self.sj_statement(&made, margin),
                };
                // It may be another statement the next time.
                self.memo.not_again();
                done
            }
        }
    }

    pub(super) fn sj_statement(&mut self, toks: &[Tok], margin: bool) -> Outcome<()> {
        self.sj_guard();
        self.mark_here();
        let mut i = 0;
        if margin && !self.sj_directive_first(toks) && toks[0].kind != Kind::SquareOpen {
            match self.sj_label(toks)? {
                Some(behind) => i = behind,
                None => return Ok(()),
            }
        }
        match toks.get(i) {
            Some(_) => self.sj_word(toks, i),
            None => Ok(()),
        }
    }

    /// Whether a line begins with a directive in column 1 that counts as one there.
    fn sj_directive_first(&self, toks: &[Tok]) -> bool {
        if toks[0].kind != Kind::Name {
            return false;
        }
        let colon = toks.get(1).is_some_and(|c| c.kind == Kind::Colon);
        let name = self.sources.slice(toks[0].span);
        let word = super::words::word(self.words.get(name).directive).filter(|_| !colon);
        let Some(word) = word else {
            return false;
        };
        let mixed = name.bytes().any(|b| b.is_ascii_lowercase())
            && name.bytes().any(|b| b.is_ascii_uppercase());
        // sjasmplus knows its words in small and in capital letters only.
        (!mixed || self.dialect.name == "sjasm") && self.sj_stands_first(word)
    }

    /// The label that a line begins with; the number of the token behind it, or `None`
    /// where the line is done.
    fn sj_label(&mut self, toks: &[Tok]) -> Outcome<Option<usize>> {
        let end = self.sj_label_end(toks).max(1);
        let span = toks[0].span.to(toks[end - 1].span);
        // One text for all labels.
        let mut text = std::mem::take(&mut self.own.get_mut::<State>().texts.line);
        text.clear();
        text.push_str(self.sources.slice(span));
        let done = self.sj_label_of((&text, span), toks, end);
        self.own.get_mut::<State>().texts.line = text;
        done
    }

    /// The same for a label of that text, which ends before token `i`.
    fn sj_label_of(
        &mut self,
        (text, span): (&str, Span),
        toks: &[Tok],
        mut i: usize,
    ) -> Outcome<Option<usize>> {
        let mut plus = 0;
        let is = |i: usize, kind: Kind| toks.get(i).is_some_and(|t| t.kind == kind);
        if is(i, Kind::Plus) && is(i + 1, Kind::Star) && is(i + 2, Kind::Colon) {
            self.sj_pointed(text, span, toks, i + 3)?;
            return Ok(None);
        }
        if is(i, Kind::Plus) && is(i + 1, Kind::Number) {
            plus = self.number(&toks[i + 1])?;
            if !(0..=MOST_BEHIND).contains(&plus) {
                let message = format!("the label lies {plus} bytes behind its place");
                return Err(Box::new(
                    Diagnostic::new(codes::OUT_OF_RANGE, message)
                        .at(toks[i + 1].span)
                        .label(format!("must be 0 to {MOST_BEHIND}")),
                ));
            }
            i += 2;
        }
        let equal = is(i, Kind::ColonEqual);
        i += usize::from(is(i, Kind::Colon) || equal);
        let next = toks.get(i).copied();
        if text.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
            self.sj_number_label(text, span)?;
            return Ok(Some(i));
        }
        if is(i, Kind::Hash) {
            self.sj_mapped(text, span, &toks[i..])?;
            return Ok(None);
        }
        if equal || is(i, Kind::Equal) {
            let from = if equal { i } else { i + 1 };
            self.sj_constant(text, span, &toks[from..], true)?;
            return Ok(None);
        }
        let word = next.filter(|t| t.kind == Kind::Name);
        let word = word.and_then(|t| {
            let name = self.sources.slice(t.span);
            super::words::word(self.words.get(name).directive)
        });
        match (word, next) {
            (Some(Word::Equ), _) => {
                self.sj_constant(text, span, &toks[i + 1..], false)?;
                return Ok(None);
            }
            (Some(Word::Defl), _) => {
                self.sj_constant(text, span, &toks[i + 1..], true)?;
                return Ok(None);
            }
            (Some(Word::Macro), Some(t)) => {
                self.sj_macro(Some((text.to_owned(), span)), &t, &toks[i + 1..])?;
                return Ok(None);
            }
            (None, Some(t)) if matches!(t.kind, Kind::Name | Kind::At) => {
                if let Some(s) = self.sj_struct_named(self.sources.slice(t.span)) {
                    self.sj_instance(Some((text, span)), &s, &toks[i + 1..])?;
                    return Ok(None);
                }
            }
            _ => {}
        }
        if self.sj_switches().directives_first
            && let Some(count) = text.strip_prefix('.')
            && count.bytes().all(|b| b.is_ascii_digit())
        {
            // A repeat, though it stands in column 1.
            return Ok(Some(0));
        }
        if !begins_name(text.strip_prefix(['!', '@']).unwrap_or(text)) {
            return Err(self.no_statement(&toks[0]));
        }
        self.sj_label_here(text, span, plus)?;
        Ok(Some(i))
    }

    /// `name equ value` and `name = value`.
    fn sj_constant(
        &mut self,
        name: &str,
        span: Span,
        value: &[Tok],
        variable: bool,
    ) -> Outcome<()> {
        // A page may stand behind.
        let end = value.iter().position(|t| t.kind == Kind::Comma);
        let (value, behind) = value.split_at(end.unwrap_or(value.len()));
        let page = match behind.get(1..).filter(|p| !p.is_empty()) {
            Some(page) => {
                let (v, at) = (self.whole_expression(page)?, self.span_of(page));
                Some(self.must_know(v, at, "the page")?)
            }
            None => None,
        };
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        let (id, local) = self.sj_defined(name, span, true)?;
        self.define_value(id, v, span, variable)?;
        self.symbols.get_mut(id).local |= local;
        self.sj_note_page(id, v.number(), page);
        self.sj_note_constant(id, v, true);
        Ok(())
    }

    /// What stands behind the label.
    pub(super) fn sj_word(&mut self, toks: &[Tok], i: usize) -> Outcome<()> {
        let t = toks[i];
        let rest = &toks[i + 1..];
        let sjasm = self.dialect.name == "sjasm";
        if sjasm && t.kind == Kind::SquareOpen {
            return self.sjasm_repeated(&t, rest);
        }
        if sjasm && t.kind == Kind::Name && self.sjasm_has_macros() {
            let name = self.text(&t).to_owned();
            if self.sjasm_call(&name, rest)? {
                return Ok(());
            }
        }
        let text = self.sources.slice(t.span);
        let plain = match (t.kind, text.strip_prefix('@')) {
            (Kind::Name, _) => text,
            // No macro of that name is meant.
            (Kind::At, Some(name)) if !name.is_empty() => name,
            (Kind::At, Some("")) if !rest.is_empty() => return self.sj_plain_word(toks, i + 1),
            (Kind::Bad, _) => return Err(self.bad_token(&t)),
            _ => return Err(self.no_statement(&t)),
        };
        if t.kind == Kind::Name
            && let Some(m) = self.sj_macro_named(plain)
        {
            return self.sj_call(&m, rest);
        }
        if let Some(s) = self.sj_struct_named(text) {
            return self.sj_instance(None, &s, rest);
        }
        let marks = text.len() - plain.len();
        self.sj_no_macro(toks, i, marks)
    }

    /// What stands behind `@ `.
    fn sj_plain_word(&mut self, toks: &[Tok], i: usize) -> Outcome<()> {
        self.sj_no_macro(toks, i, 0)
    }

    /// A directive or an instruction, behind so many bytes of marks.
    fn sj_no_macro(&mut self, toks: &[Tok], i: usize, marks: usize) -> Outcome<()> {
        let t = toks[i];
        let rest = &toks[i + 1..];
        if self.dialect.name == "sjasm" && self.text(&t).contains('.') {
            let word = self.text(&t)[marks..].to_owned();
            if self.sjasm_jump(&word, rest)? {
                return Ok(());
            }
        }
        let base = self.sjasm_base(&self.sources.slice(t.span)[marks..]);
        let entry = self.words.get(base);
        if let Some(Directive::Own(n)) = entry.directive {
            return self.sj_directive(WORDS[usize::from(n)].1, &t, rest);
        }
        if entry.mnemonic != 0 {
            return self.sj_instruction(entry.mnemonic - 1, toks, i + 1);
        }
        let plain = self.sources.slice(t.span)[marks..].to_owned();
        let plain = plain.as_str();
        if self.sj_switches().emulator
            && let Some(byte) = EMULATOR.iter().find(|e| e.0.eq_ignore_ascii_case(plain))
        {
            let made = self.made_line(byte.1)?;
            return self.sj_bytes(&t, &made, 0, Texts::Plain);
        }
        if let Some(count) = plain.strip_prefix('.')
            && (count.is_empty() || count.bytes().all(|b| b.is_ascii_digit()))
        {
            return self.sj_repeated(&t, count.parse().ok(), rest);
        }
        Err(self.unknown_statement(&t, toks))
    }

    /// `.3 nop`, `.(n) nop`.
    fn sj_repeated(&mut self, t: &Tok, count: Option<i64>, rest: &[Tok]) -> Outcome<()> {
        let mut from = 0;
        let n = match count {
            Some(n) => n,
            None => {
                let mut depth = 0;
                let close = rest.iter().position(|t| {
                    depth += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
                    depth == 0
                });
                from = close.map_or(0, |c| c + 1);
                let v = self.whole_expression(&rest[..from])?;
                self.must_know(v, t.span, "the count")?
            }
        };
        let rest = &rest[from..];
        if rest.is_empty() || n < 1 {
            let message = "expected a count above 0 and what to repeat";
            let d = Diagnostic::new(codes::SYNTAX, message).at(t.span);
            return Err(Box::new(d));
        }
        for _ in 0..n {
            self.account.spent.expanded += 1;
            if self.account.spent.expanded > limits::LINES || self.fatal {
                self.fatal = true;
                let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "repeated too often");
                return Err(Box::new(d.at(t.span)));
            }
            self.mark_here();
            self.sj_word(rest, 0)?;
        }
        Ok(())
    }

    fn sj_instruction(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<()> {
        if self.sj_switches().m_is_memory
            && let Some(text) = self.sj_with_memory(mnemonic, &toks[from..])
        {
            let made = self.made_line(&text)?;
            self.memo.not_again();
            return self.sj_read_instruction(mnemonic, &made, 1);
        }
        self.sj_read_instruction(mnemonic, toks, from)
    }

    /// Whether an operand is what it says, whatever the lines around it are.
    pub(super) fn sj_is_plain_value(&self, t: &Tok) -> bool {
        let replaced = || match self.dialect.name {
            "sjasm" => self.sjasm_mentions(std::slice::from_ref(t)),
            _ => self.sj_mentioned(t),
        };
        !self.sj_is_guarded() && !replaced()
    }

    fn sj_read_instruction(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<()> {
        if self.dialect.name == "sjasm" && self.sjasm_instruction(mnemonic, toks, from)? {
            return Ok(());
        }
        if self.sj_several(mnemonic, toks, from)? {
            self.memo.not_again();
            return Ok(());
        }
        if self.sj_stands_for_others(mnemonic, &toks[from..])
            && self.sj_fake(mnemonic, toks, from)?
        {
            self.memo.not_again();
            return Ok(());
        }
        let name = self.words.mnemonics[usize::from(mnemonic)].name.as_str();
        let jump = JUMPS.contains(&name);
        self.own.get_mut::<State>().jump = jump;
        let done = self.instruction(mnemonic, toks, from);
        self.own.get_mut::<State>().jump = false;
        if jump {
            // A number may be a label, a name is what it is elsewhere.
            self.memo.plain = false;
            let name = |o: &Outlined| o.value.kind == Kind::Name;
            self.memo.outlined = self.memo.outlined.filter(name);
        }
        done
    }

    /// Does what a directive says.
    fn sj_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match w {
            Word::Org => self.sj_org(t, rest),
            Word::Align => self.sj_align(t, rest),
            Word::Block => self.sj_block(t, rest),
            Word::Bytes(texts) => self.sj_bytes(t, rest, 0, texts),
            Word::Added(texts) => self.sj_added(t, rest, texts),
            Word::Counted => self.sj_counted(t, rest),
            Word::Values(size) => self.sj_values(t, rest, size),
            Word::Digits => self.sj_digits(t, rest),
            Word::Bits => self.sj_bits(t, rest),
            Word::Include => self.include(t, rest),
            Word::Folder => self.add_folder(rest),
            Word::Incbin(from) => self.sj_binary(from, t, rest),
            Word::If(test) => self.sj_if(test, t, rest),
            Word::ElseIf | Word::Else | Word::ElseAsks(_) => self.sj_branch(w, t, rest),
            Word::EndIf => self.close_if(t),
            Word::Macro | Word::IMacro if self.dialect.name == "sjasm" => {
                self.sjasm_macro(t, rest, w == Word::IMacro)
            }
            Word::Macro | Word::IMacro => self.sj_macro(None, t, rest),
            Word::EndMacro | Word::EndRepeat | Word::EndWhile => self.stray(t, "a macro or repeat"),
            Word::Repeat | Word::While if self.dialect.name == "sjasm" => {
                self.sjasm_loop(w, t, rest)
            }
            Word::Text(how) => self.sjasm_define(how, rest),
            Word::Break => self.sjasm_leave_round(t, false),
            Word::Continue => self.sjasm_leave_round(t, true),
            Word::ExitMacro => self.sjasm_leave_macro(t),
            Word::Rotate => self.sjasm_rotate(t, rest),
            Word::MapAlign => self.sjasm_map_align(rest),
            Word::PopMap => self.sjasm_end_map(t),
            Word::InSet(texts) => self.sjasm_in_set(t, rest, texts),
            Word::Characters => self.sjasm_characters(t, rest),
            Word::Undefine if self.dialect.name == "sjasm" => self.sjasm_undefine(rest),
            Word::Repeat => self.sj_repeat(t, rest),
            Word::While => self.sj_while(t, rest),
            Word::Define => self.sj_define(t, rest),
            Word::Undefine => self.sj_undefine(t, rest),
            Word::Array => self.sj_array(t, rest),
            Word::Struct => self.sj_struct(t, rest),
            Word::Ends => self.stray(t, "a struct"),
            Word::Module => self.sj_module(t, rest),
            Word::EndModule => self.sj_end_module(t, rest),
            Word::Displace => self.sj_displace(t, rest),
            Word::EndDisplace => self.sj_end_displace(t),
            Word::Device => self.sj_device(t, rest),
            Word::DefineDevice => self.sj_define_device(t, rest),
            Word::Slot => self.sj_slot_word(t, rest),
            Word::Page => self.sj_page_word(t, rest),
            Word::Memory => self.sj_mmu(t, rest),
            Word::Save(ask) => self.sj_save(ask, t, rest),
            Word::Instead(text) => {
                self.memo.not_again();
                self.sj_instead(&[text.to_owned()])
            }
            Word::Map => self.sj_map(t, rest),
            Word::EndMap => Ok(()),
            Word::Size => self.sj_size(t, rest),
            Word::Equ | Word::Defl => {
                let word = self.text(t).to_owned();
                let d = Diagnostic::new(codes::SYNTAX, "expected a name in column 1").at(t.span);
                Err(Box::new(
                    d.label(format!("it is written `NAME {word} VALUE`")),
                ))
            }
            Word::End => self.end(rest),
            Word::Assert => self.sj_assert(t, rest),
            Word::Display => self.sj_display(rest),
            Word::Option => self.sj_option(t, rest),
            Word::Ignored => Ok(()),
            Word::Lua => self.sj_lua(t, rest),
            Word::IncludeLua => self.sj_include_lua(t, rest),
            Word::EndLua => self.stray(t, "a `lua`"),
            Word::Multiply(wide) => self.multiplied(wide, t, rest),
            Word::RelocateStart => self.sj_relocate_start(t, rest),
            Word::RelocateEnd => self.sj_relocate_end(t),
            Word::RelocateTable => self.sj_relocate_table(rest),
            Word::DefPage => self.sjasm_defpage(rest),
            Word::Pages => self.sjasm_page(rest),
            Word::Code => self.sjasm_code(rest),
            Word::Output => self.sjasm_output(t, rest),
            Word::Refused(why) => {
                let word = self.text(t).to_owned();
                let message = format!("`{word}` is not done by scrimp");
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                Err(Box::new(d.help(why)))
            }
        }
    }
}
