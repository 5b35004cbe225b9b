//! What changes how lines are read: tables of characters, forms of numbers, the CPU; and
//! messages.

use super::state::{Saved, State};
use super::typed::Typed;
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

pub(super) fn bad(message: impl Into<String>, a: &Assembler<'_>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::BAD_ARGUMENT, message).at(a.statement))
}

impl Assembler<'_> {
    pub(super) fn asl_setting(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        match w {
            Word::Charset => self.asl_charset(t, rest),
            Word::Codepage => self.asl_codepage(t),
            Word::Radix(out) => {
                let text = self.asl_behind(t);
                let forms = &mut self.own.get_mut::<State>().forms;
                match text.parse() {
                    Ok(n @ 2..=36) if out => forms.out = n,
                    Ok(n @ 2..=36) => forms.radix = n,
                    _ => return Err(bad("expected a base of 2 to 36", self)),
                }
                Ok(())
            }
            Word::NumberForms => self.asl_forms(t),
            Word::Relaxed => {
                let on = self.asl_on(t)?;
                self.own.get_mut::<State>().forms.relaxed = on;
                Ok(())
            }
            Word::DottedStructs => {
                let on = self.asl_on(t)?;
                self.own.get_mut::<State>().dotted = on;
                Ok(())
            }
            Word::Cpu => self.asl_cpu(t),
            Word::Syntax => self.asl_syntax(t),
            Word::Save(true) => {
                let state = self.own.get_mut::<State>();
                if state.saved.len() >= 256 {
                    return Err(bad("`save` nests more than 256 deep", self));
                }
                let saved = Saved {
                    charset: state.charset.clone(),
                    intel: state.intel,
                    step: state.counting,
                };
                state.saved.push(saved);
                Ok(())
            }
            Word::Save(false) => {
                let Some(s) = self.own.get_mut::<State>().saved.pop() else {
                    return self.stray(t, "a `save`");
                };
                let state = self.own.get_mut::<State>();
                state.charset = s.charset;
                state.counting = s.step;
                self.asl_words(s.intel)
            }
            Word::EnumStep => {
                let part = split(rest).first().map_or(0, |p| p.1 as usize);
                let n = self.known_here(t, &rest[..part], "the step")?;
                self.own.get_mut::<State>().counting.1 = n;
                Ok(())
            }
            Word::Push(push) => self.asl_push(t, push),
            Word::Message | Word::Warning | Word::Error(_) => self.asl_message(w, t, rest),
            // What is expected to go wrong is told all the same.
            Word::Expect(_) | Word::Ignored => Ok(()),
            Word::Refused(why) => {
                let message = format!("`{}` is not done by scrimp", self.text(t));
                Err(Box::new(
                    Diagnostic::new(codes::BAD_ARGUMENT, message)
                        .at(t.span)
                        .help(why),
                ))
            }
            _ => Err(self.no_statement(t)),
        }
    }

    /// Whether the words of the 8080 are in force.
    pub(super) fn asl_is_8080(&self) -> bool {
        match self.own.get::<State>().intel {
            Some(intel) => intel,
            None => self.dialect.name == "asl-8080",
        }
    }

    fn asl_on(&self, t: &Tok) -> Outcome<bool> {
        match self.asl_behind(t).to_ascii_lowercase().as_str() {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(bad("expected `on` or `off`", self)),
        }
    }

    /// `cpu z80`.
    fn asl_cpu(&mut self, t: &Tok) -> Outcome<()> {
        let name = self.asl_behind(t).to_ascii_lowercase();
        match name.split(':').next().unwrap_or("") {
            "z80" | "z80undoc" => self.asl_words(Some(false)),
            "8080" | "8085" | "v30emu" => self.asl_words(Some(true)),
            other => {
                let message = format!("scrimp has no CPU `{other}` in this dialect");
                Err(Box::new(
                    Diagnostic::new(codes::UNKNOWN_DEVICE, message)
                        .at(self.statement)
                        .help("it is `z80`, `z80undoc` or `8080`"),
                ))
            }
        }
    }

    /// `z80syntax on`: whether an 8080's instructions may have the Z80's names too, or only
    /// those.
    fn asl_syntax(&mut self, t: &Tok) -> Outcome<()> {
        let said = self.asl_behind(t).to_ascii_lowercase();
        if !self.asl_is_8080() {
            return Err(bad("`z80syntax` is for the 8080", self));
        }
        match said.as_str() {
            "off" => self.asl_words(Some(true)),
            "exclusive" => {
                self.asl_words(Some(false))?;
                self.own.get_mut::<State>().intel = Some(true);
                Ok(())
            }
            "on" => {
                self.own.get_mut::<State>().intel = Some(true);
                self.words = crate::read::words::Words::new(self.job.target, &super::BOTH);
                Ok(())
            }
            _ => Err(bad("expected `on`, `off` or `exclusive`", self)),
        }
    }

    /// The words of that CPU are in force.
    fn asl_words(&mut self, intel: Option<bool>) -> Outcome<()> {
        self.own.get_mut::<State>().intel = intel;
        let name = match intel {
            Some(true) => "asl-8080",
            Some(false) => "asl",
            None => self.dialect.name,
        };
        if let Some(d) = (self.own.others)(name) {
            self.words = crate::read::words::Words::new(self.job.target, d);
        }
        Ok(())
    }

    /// `intsyntax +0xhex,-hexh`.
    fn asl_forms(&mut self, t: &Tok) -> Outcome<()> {
        for a in self.asl_arguments(t) {
            let name = a.get(1..).unwrap_or("").to_ascii_lowercase();
            let at = super::values::FORMS.iter().position(|f| *f == name);
            let forms = &mut self.own.get_mut::<State>().forms;
            match (a.as_bytes().first(), at) {
                (Some(b'+'), Some(k)) => {
                    forms.more |= 1 << k;
                    forms.less &= !(1 << k);
                }
                (Some(b'-'), Some(k)) => {
                    forms.less |= 1 << k;
                    forms.more &= !(1 << k);
                }
                _ => return Err(bad(format!("`{a}` is no form of numbers"), self)),
            }
        }
        Ok(())
    }

    /// `charset`, `charset from,to`, `charset first,last,to`, `charset from,"text"`.
    fn asl_charset(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k).map(|p| &rest[p.0 as usize..p.1 as usize]);
            p.filter(|p| !p.is_empty())
        };
        let Some(first) = part(0) else {
            return self.asl_change(0, 255, Some(&(0..=255).collect::<Vec<u8>>()));
        };
        let from = match self.asl_known(t, first, "a character")? {
            Typed::Text(name, false) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                let span = self.statement;
                let table = self.content(&name, span)?;
                return match table.len() {
                    256 => self.asl_change(0, 255, Some(&table)),
                    n => Err(bad(format!("a table has 256 bytes, not {n}"), self)),
                };
            }
            v => self.asl_character(&v)?,
        };
        let to = match part(1) {
            None if parts.len() == 2 => return self.asl_change(from, from, None),
            None => return Err(bad("expected what the character becomes", self)),
            Some(p) => self.asl_known(t, p, "a character")?,
        };
        if let Typed::Text(text, false) = &to {
            let last = usize::from(from) + text.len();
            if last > 256 || text.is_empty() {
                return Err(bad("there are 256 characters", self));
            }
            return self.asl_change(from, (last - 1) as u8, Some(text));
        }
        let to = self.asl_character(&to)?;
        if parts.len() < 3 {
            return self.asl_change(from, from, Some(&[to]));
        }
        if to < from {
            return Err(bad("the last character is before the first", self));
        }
        let Some(p) = part(2) else {
            return self.asl_change(from, to, None);
        };
        let v = self.asl_known(t, p, "a character")?;
        let start = self.asl_character(&v)?;
        let table: Vec<u8> = (from..=to).map(|c| start.wrapping_add(c - from)).collect();
        self.asl_change(from, to, Some(&table))
    }

    /// The number of a character, by the table that nothing has changed.
    fn asl_character(&mut self, v: &Typed) -> Outcome<u8> {
        let n = match v {
            Typed::Int(n) => *n,
            Typed::Text(text, _) if text.len() == 1 => {
                self.asl_mapped(text, self.statement)?[0].into()
            }
            _ => -1,
        };
        u8::try_from(n).map_err(|_| bad("expected a character, 0 to 255", self))
    }

    fn asl_change(&mut self, from: u8, to: u8, with: Option<&[u8]>) -> Outcome<()> {
        let state = self.own.get_mut::<State>();
        if let Some(table) = state.charsets.get_mut(&state.charset) {
            for (k, c) in (from..=to).enumerate() {
                table[usize::from(c)] = with.and_then(|w| w.get(k)).copied();
            }
        }
        Ok(())
    }

    /// `codepage name`, `codepage name,other`.
    fn asl_codepage(&mut self, t: &Tok) -> Outcome<()> {
        let args = self.asl_arguments(t);
        let key = |a: &Self, n: &str| a.key(n).to_ascii_lowercase();
        let Some(name) = args.first().map(|n| key(self, n)) else {
            return Err(bad("expected the name of a table", self));
        };
        let from = match args.get(1) {
            Some(n) => key(self, n),
            None => self.own.get::<State>().charset.clone(),
        };
        let state = self.own.get_mut::<State>();
        if !state.charsets.contains_key(&name) {
            if state.charsets.len() > 1000 {
                return Err(bad("there are too many tables", self));
            }
            let Some(table) = state.charsets.get(&from).cloned() else {
                return Err(bad(format!("there is no table `{from}`"), self));
            };
            state.charsets.insert(name.clone(), table);
        }
        self.own.get_mut::<State>().charset = name;
        Ok(())
    }

    /// `message "text"`, `warning`, `error`, `fatal`.
    fn asl_message(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = match rest.is_empty() {
            true => String::new(),
            false => match self.asl_known(t, rest, "a text")? {
                Typed::Text(text, _) => String::from_utf8_lossy(&text).into_owned(),
                Typed::Int(n) => n.to_string(),
                Typed::Real(r) => r.to_string(),
            },
        };
        let code = match w {
            Word::Message => codes::USER_NOTE,
            Word::Warning => codes::USER_WARNING,
            _ => codes::USER_ERROR,
        };
        self.fatal |= w == Word::Error(true);
        Err(Box::new(Diagnostic::new(code, text).at(self.statement)))
    }
}
