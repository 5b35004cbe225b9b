//! What GNU as and its linker have of their own: statements, conditions, macros as
//! text, sections with subsections, bindings of symbols, and several files that
//! are linked by the order of ld's default script.
//!
//! A line becomes tokens as in all dialects; values, instructions, findings and the
//! image are the engine's. `#include` and its like are done before.

pub(super) mod avr;
mod bind;
mod conditions;
mod data;
mod flat;
mod gates;
mod link;
mod macros;
mod merge;
mod script;
mod scrub;
mod sections;
mod state;
mod substitute;
mod values;
mod words;
pub(super) mod z80;

use super::margin::operands::squares_group;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::NONE;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::read::hooks::{Given, Hooks, Relaxing};
use crate::read::syntax::expression::{Cursor, clip};
use crate::read::syntax::operand::{Argument, Arguments};
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use crate::text::source::{SourceId, Span};
use rustc_hash::FxHashMap;
use scrimp_isa::Outline;
use state::{Binding, Family, State};
use std::any::Any;
use std::sync::Arc;
use words::Gnu;

/// GNU as and its linker.
pub struct Linker(pub(super) &'static Family);

impl Hooks for Linker {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State::new(self.0))
    }

    fn start(&self, a: &mut Assembler<'_>, given: Given<'_>) {
        let state = a.own.get_mut::<State>();
        state.outside.addresses = given.addresses.to_vec();
        state.outside.given = given.symbols.to_vec();
        a.gnu_start();
    }

    fn file(&self, a: &mut Assembler<'_>, name: &str, first: bool) {
        if !first {
            a.gnu_next();
        }
        a.gnu_file(name);
    }

    fn links(&self) -> bool {
        true
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.gnu_link();
    }

    fn relaxing(&self, a: &Assembler<'_>) -> Option<Relaxing> {
        Some(a.own.get::<State>().family.relaxing)
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.gnu_line(toks)
    }

    fn plain_lines(&self) -> bool {
        true
    }

    fn margin_lines(&self) -> bool {
        true
    }

    fn preprocesses(&self, a: &Assembler<'_>, source: SourceId) -> bool {
        let state = a.own.get::<State>();
        state.preprocessed && !state.plain_sources.contains(&source)
    }

    fn made(&self, a: &mut Assembler<'_>, source: SourceId) {
        a.own.get_mut::<State>().plain_sources.insert(source);
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        if t.kind == Kind::Name && !a.is_operator(t) && a.text(t) != "." {
            return a.gnu_alone(t).transpose();
        }
        a.gnu_single(t).map(|n| Ok(Value::Number(n)))
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        if t.kind == Kind::Number {
            a.gnu_number(t)?;
            return Ok(true);
        }
        if t.kind == Kind::SquareOpen {
            return a.square_value(t, c, depth);
        }
        (self.0.leaf)(a, t, c, depth)
    }

    fn no_operand(&self, a: &mut Assembler<'_>, at: u32) -> Option<Argument> {
        self.0.missing.then(|| a.gnu_missing(at))
    }

    fn no_value(&self, _a: &mut Assembler<'_>, operand: &Argument) -> Outcome<Value> {
        match self.0.missing {
            true => Ok(Value::Number(0)),
            false => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(operand.span);
                Err(Box::new(d))
            }
        }
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        squares_group(args);
        (self.0.operands)(a, mnemonic, toks, args)
    }

    /// It reads `ldd r4,y+` as `y+0`: a displacement without its number.
    fn other_operand(
        &self,
        _a: &Assembler<'_>,
        args: &[Argument],
    ) -> Option<(usize, Argument, Diagnostic)> {
        if !self.0.missing {
            return None;
        }
        let increment = |a: &Argument| a.outline == Outline::WordIncrement;
        let k = args.iter().position(increment)?;
        let mut zero = args[k];
        zero.outline = Outline::WordValue;
        zero.value = (zero.all.1, zero.all.1);
        let message = "a displacement of 0, as GNU as reads it";
        let d = Diagnostic::new(codes::PEER_CODE, message).at(args[k].span);
        let help = "what counts the pointer up is another instruction";
        Some((k, zero, d.help(help)))
    }

    fn word(&self, d: Directive) -> Option<&'static str> {
        Some(match d {
            Directive::EndIf => ".endif",
            Directive::IfNotDefined => ".ifndef",
            Directive::EndMacro => ".endm",
            Directive::EndRepeat => ".endr",
            _ => return None,
        })
    }

    fn macro_names<'a>(&self, a: &'a Assembler<'_>) -> Vec<&'a str> {
        let macros = a.own.get::<State>().macros.list.values();
        macros.map(|m| m.name.as_str()).collect()
    }
}

impl Assembler<'_> {
    /// What a directive of its own is.
    #[inline]
    fn gnu_own(&self, d: Option<Directive>) -> Option<Gnu> {
        match d {
            Some(Directive::Own(n)) => {
                let words = self.own.get::<State>().family.words;
                words.get(usize::from(n)).map(|w| w.1)
            }
            _ => None,
        }
    }

    /// Assembles a line.
    pub fn gnu_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        if !self.lines.active() {
            return self.gnu_skipped(toks);
        }
        self.mark_here();
        let family = self.own.get::<State>().family;
        if family.equates
            && let Some((again, from)) = self.gnu_equate(toks)
        {
            return self.gnu_assign(&toks[0], &toks[from..], again);
        }
        let mut i = 0;
        while let (Some(t), Some(c)) = (toks.get(i), toks.get(i + 1)) {
            if c.kind != Kind::Colon {
                break;
            }
            match t.kind {
                Kind::Name => self.gnu_label(t)?,
                Kind::Number => self.gnu_number_label(t)?,
                _ => break,
            }
            i += 2;
        }
        let Some(&t) = toks.get(i) else {
            return Ok(());
        };
        if t.kind != Kind::Name {
            return Err(self.no_statement(&t));
        }
        let rest = &toks[i + 1..];
        match rest.first().map(|r| r.kind) {
            Some(Kind::Equal) => return self.gnu_assign(&t, &rest[1..], true),
            Some(Kind::EqualEqual) => return self.gnu_assign(&t, &rest[1..], false),
            _ => {}
        }
        let word = self.sources.slice(t.span);
        let entry = self.words.get(word);
        // An instruction may have the name of a directive without its dot.
        let instruction = entry.mnemonic != 0 && !word.starts_with('.');
        if let Some(d) = self.gnu_own(entry.directive)
            && !instruction
        {
            return self.gnu_directive(d, &t, rest);
        }
        if let Some(m) = self.gnu_macro(word) {
            return self.gnu_call(&m, rest);
        }
        if entry.mnemonic != 0 {
            if self.naming.structure.is_some() {
                let message = "an instruction cannot stand where only addresses are counted";
                let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                return Err(Box::new(d));
            }
            // In operands `.` is the address behind the instruction.
            let forms = &self.words.mnemonics[usize::from(entry.mnemonic) - 1].forms;
            let mut forms = forms.iter().map(|&f| &self.forms[usize::from(f)]);
            let known = forms.clone().find(|f| f.needs & !self.chosen.features == 0);
            let form = known.or(forms.next()).filter(|_| family.dot_behind);
            self.own.get_mut::<State>().dot = form.map_or(0, |f| u32::from(f.pattern.len));
            let done = self.instruction(entry.mnemonic - 1, toks, i + 1);
            self.own.get_mut::<State>().dot = 0;
            return done;
        }
        Err(self.unknown_statement(&t, toks))
    }

    /// Does what a directive says.
    fn gnu_directive(&mut self, d: Gnu, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match d {
            Gnu::Section => self.gnu_section(t, rest, false),
            Gnu::PushSection => self.gnu_section(t, rest, true),
            Gnu::PopSection => self.gnu_pop(t),
            Gnu::Previous => self.gnu_previous(t),
            Gnu::Text => self.gnu_named(".text", rest),
            Gnu::Data => self.gnu_named(".data", rest),
            Gnu::Bss => self.gnu_named(".bss", rest),
            Gnu::Subsection => self.gnu_subsection(rest),
            Gnu::Org => self.gnu_org(t, rest),
            Gnu::Align => self.gnu_align(t, rest, true),
            Gnu::BAlign => self.gnu_align(t, rest, false),
            Gnu::Skip => self.gnu_skip(t, rest),
            Gnu::Fill => self.gnu_fill(t, rest),
            Gnu::Values(size) => self.gnu_values(rest, size, false),
            Gnu::Bytes => self.gnu_values(rest, 1, true),
            Gnu::Floats(size) => self.gnu_floats(rest, size),
            Gnu::Leb => self.gnu_leb(t, rest),
            Gnu::Ascii => self.gnu_texts(t, rest, false),
            Gnu::AsciiZero => self.gnu_texts(t, rest, true),
            Gnu::Set => self.gnu_set(t, rest, true),
            Gnu::Equiv => self.gnu_set(t, rest, false),
            Gnu::Global => self.gnu_bind(t, rest, Binding::Global),
            Gnu::Weak => self.gnu_bind(t, rest, Binding::Weak),
            Gnu::LocalSymbol => self.gnu_bind(t, rest, Binding::Local),
            Gnu::Common => self.gnu_common(t, rest, false),
            Gnu::LocalCommon => self.gnu_common(t, rest, true),
            Gnu::Ignored => Ok(()),
            Gnu::Makes(names) => {
                self.gnu_make(names);
                Ok(())
            }
            Gnu::Macro => self.gnu_macro_definition(t, rest),
            Gnu::EndMacro | Gnu::EndRepeat => self.stray(t, "a macro or repeat"),
            Gnu::ExitMacro => self.gnu_exit(t),
            Gnu::Purge => self.gnu_purge(rest),
            Gnu::Repeat => self.gnu_repeat(t, rest),
            Gnu::Each => self.gnu_each(t, rest, false),
            Gnu::EachChar => self.gnu_each(t, rest, true),
            Gnu::Alternate(on) => {
                self.own.get_mut::<State>().macros.alternate = on;
                Ok(())
            }
            Gnu::If(test) => self.gnu_if(test, t, rest),
            Gnu::Else => self.gnu_branch(t, None),
            Gnu::ElseIf => self.gnu_branch(t, Some(rest)),
            Gnu::EndIf => self.close_if(t),
            Gnu::Struct => self.gnu_struct(rest),
            Gnu::Include => self.gnu_include(t, rest),
            Gnu::Incbin => self.incbin(t, rest),
            Gnu::End => self.end(&[]),
            Gnu::Err => self.gnu_message(codes::USER_ERROR, rest, "`.err` stands here"),
            Gnu::Error => self.gnu_message(codes::USER_ERROR, rest, "`.error` stands here"),
            Gnu::Warning => self.gnu_message(codes::USER_WARNING, rest, "`.warning` stands here"),
            Gnu::Print => self.gnu_message(codes::USER_NOTE, rest, ""),
            Gnu::Abort => {
                self.fatal = true;
                self.gnu_message(codes::USER_ERROR, rest, "`.abort` stands here")
            }
            Gnu::Arch => self.gnu_arch(rest),
        }
    }

    /// `.include "file"`: it goes through no preprocessor.
    fn gnu_include(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.include(t, rest)?;
        if let Some(FeedKind::File { source, .. }) = self.lines.feeds.last().map(|f| &f.kind) {
            self.own.get_mut::<State>().plain_sources.insert(*source);
        }
        Ok(())
    }

    /// Starts a file: one whose name ends with `.S` goes through the preprocessor.
    pub fn gnu_file(&mut self, name: &str) {
        let end = name.rsplit(['/', '.']).next().unwrap_or("");
        self.own.get_mut::<State>().preprocessed = matches!(end, "S" | "sx" | "SX" | "Sx");
        self.lines.pre = None;
    }

    /// A finding that the program asks for.
    fn gnu_message(&mut self, code: &'static str, rest: &[Tok], default: &str) -> Outcome<()> {
        let text = match rest {
            [] => default.to_string(),
            [one] if one.kind == Kind::Double => {
                String::from_utf8_lossy(&self.gnu_text(one)).into_owned()
            }
            _ => self.sources.slice(self.span_of(rest)).to_string(),
        };
        Err(Box::new(Diagnostic::new(code, text).at(self.statement)))
    }

    /// `.arch device`: a device that there is becomes the one in force; names of
    /// cores say nothing that the device does not.
    fn gnu_arch(&mut self, rest: &[Tok]) -> Outcome<()> {
        let span = self.span_of(rest);
        let name = self.sources.slice(span).trim().to_string();
        if self.job.target.machine(&name).is_none() {
            return Ok(());
        }
        self.choose_machine(&name, span)
    }

    /// Whether a line is `name equ value` or its like: whether the name may be set again,
    /// and where the value starts.
    fn gnu_equate(&self, toks: &[Tok]) -> Option<(bool, usize)> {
        let [name, next, ..] = toks else { return None };
        if name.kind != Kind::Name {
            return None;
        }
        let from = usize::from(next.kind == Kind::Colon);
        let word = toks.get(1 + from)?;
        match word.kind {
            Kind::Equal => return Some((true, 2 + from)),
            Kind::EqualEqual => return Some((false, 2 + from)),
            Kind::Name => {}
            _ => return None,
        }
        let text = self.sources.slice(word.span);
        let text = text.strip_prefix('.').unwrap_or(text);
        let said = |w: &str| text.eq_ignore_ascii_case(w);
        // `.equ name, value` may have a label before it.
        let comma = toks.get(3 + from).is_some_and(|c| c.kind == Kind::Comma);
        match (said("equ"), said("defl")) {
            (true, _) if !comma => Some((false, 2 + from)),
            (_, true) => Some((true, 2 + from)),
            _ => None,
        }
    }

    /// Defines a label here.
    fn gnu_label(&mut self, t: &Tok) -> Outcome<()> {
        let text = self.sources.slice(t.span);
        let local = text.starts_with(".L");
        let id = self.gnu_intern(t)?;
        let labels = &mut self.own.get_mut::<State>().labels;
        if !labels.dollar.is_empty() {
            labels.dollar = FxHashMap::default();
        }
        self.gnu_define_label(id, t.span, local)
    }

    /// The symbol of `12$`, which means something between two plain labels only.
    fn gnu_dollar_label(&mut self, text: &str) -> SymbolId {
        let name: Arc<str> = text.into();
        if let Some(&id) = self.own.get::<State>().labels.dollar.get(&name) {
            return id;
        }
        let id = self.program.symbols.fresh(name.clone());
        self.symbols.get_mut(id).local = true;
        self.own.get_mut::<State>().labels.dollar.insert(name, id);
        id
    }

    /// Defines `1:` here.
    fn gnu_number_label(&mut self, t: &Tok) -> Outcome<()> {
        let text = self.sources.slice(t.span);
        if text.ends_with('$') {
            let text = text.to_owned();
            let id = self.gnu_dollar_label(&text);
            return self.gnu_define_label(id, t.span, true);
        }
        let Ok(n) = text.parse::<u64>() else {
            let message = format!("`{}` is no label: a name or a number", clip(text));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let name: Arc<str> = text.into();
        let entry = self
            .own
            .get_mut::<State>()
            .labels
            .numbered
            .entry(n)
            .or_default();
        let id = match entry.1.take() {
            Some(id) => id,
            None => self.program.symbols.fresh(name),
        };
        entry.0 = Some(id);
        self.gnu_define_label(id, t.span, true)
    }

    fn gnu_define_label(&mut self, id: SymbolId, span: Span, local: bool) -> Outcome<()> {
        let meaning = match self.here_value {
            Some(n) => Meaning::Number(n),
            None => Meaning::At(self.here),
        };
        // The same name at the same place says nothing new.
        let s = self.symbols.get(id);
        if s.label && s.meaning == meaning && s.place == Some(self.here) {
            return Ok(());
        }
        self.define(id, meaning, span, false)?;
        if self.naming.structure.is_some() {
            return Ok(());
        }
        let (section, here) = (self.section, self.here);
        let s = self.symbols.get_mut(id);
        s.label = true;
        s.local = local;
        s.section = section;
        s.place = Some(here);
        if !local {
            let before = std::mem::replace(&mut self.sections[section as usize].owner, id.0);
            if before != NONE {
                let b = self.symbols.get_mut(SymbolId(before));
                if b.place.is_some_and(|p| p.chunk == here.chunk) {
                    b.end.get_or_insert(here);
                }
            }
        }
        Ok(())
    }

    /// The symbol of that name in this file.
    fn gnu_intern(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.program.sources.slice(t.span);
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(t.span)));
        }
        Ok(self.program.symbols.intern(text))
    }
}
