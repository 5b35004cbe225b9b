//! A line: labels, then a value, macro, directive or instruction; conditions.

use super::state::State;
use super::words::{Asks, Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashMap;

impl Assembler<'_> {
    /// Assembles a line.
    pub(super) fn sdas_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let mut i = 0;
        let colon = |i: usize| toks.get(i).is_some_and(|t| t.kind == Kind::Colon);
        let active = self.lines.active();
        if active {
            self.mark_here();
        }
        while let Some(t) = toks.get(i).filter(|_| colon(i + 1)) {
            let colons = 1 + usize::from(colon(i + 2));
            if active {
                self.sdas_label(t, colons == 2)?;
            }
            i += 1 + colons;
        }
        let rest = &toks[i..];
        let Some(t) = rest.first() else { return Ok(()) };
        let w = self.sdas_word(t);
        if !active {
            return match w {
                Some(Word::If(_)) => self.open_condition(false, false, t),
                Some(Word::Part(..) | Word::ElseIf | Word::Else | Word::EndIf) => {
                    self.sdas_condition(w, t, &rest[1..])
                }
                _ => Ok(()),
            };
        }
        if t.kind == Kind::Name
            && let Some((global, from)) = self.sdas_equates(rest)
        {
            return self.sdas_value(t, &rest[from..], global);
        }
        if let Some(m) = self.sdas_macro(t) {
            return self.sdas_call(&m, &rest[1..]);
        }
        match w {
            Some(w) => self.sdas_directive(w, t, &rest[1..]),
            None => self.line(rest),
        }
    }

    /// Whether a line gives a name a value: whether other files see it, and where the
    /// value starts.
    fn sdas_equates(&self, toks: &[Tok]) -> Option<(bool, usize)> {
        let second = toks.get(1)?;
        let colon = toks.get(2).is_some_and(|t| t.kind == Kind::Colon);
        match (second.kind, self.sdas_word(second)) {
            (Kind::Equal, _) => Some((false, 2 + usize::from(colon))),
            (Kind::EqualEqual, _) => Some((true, 2 + usize::from(colon))),
            (_, Some(Word::Equ { global })) => Some((global, 2)),
            _ => None,
        }
    }

    /// The directive that a token is; all of them have a dot.
    #[inline]
    fn sdas_word(&self, t: &Tok) -> Option<Word> {
        let dotted = t.kind == Kind::Name && self.sources.slice(t.span).starts_with('.');
        dotted.then(|| word(self.directive_named(Some(t))))?
    }

    fn sdas_value(&mut self, name: &Tok, value: &[Tok], global: bool) -> Outcome<()> {
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        let id = self.sdas_intern(name)?;
        if global {
            self.own.get_mut::<State>().global.insert(id);
        }
        self.define_value(id, v, name.span, true)
    }

    /// The symbol of that name in this file.
    pub(super) fn sdas_intern(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.program.sources.slice(t.span);
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(t.span)));
        }
        Ok(self.program.symbols.intern(text))
    }

    fn sdas_label(&mut self, t: &Tok, global: bool) -> Outcome<()> {
        match t.kind {
            Kind::Name => {}
            Kind::Number if self.text(t).ends_with('$') => {
                let id = self.sdas_number_label(t)?;
                let meaning = match self.here_value {
                    Some(n) => Meaning::Number(n),
                    None => Meaning::At(self.here),
                };
                self.define(id, meaning, t.span, false)?;
                let (here, section) = (self.here, self.section);
                let s = self.symbols.get_mut(id);
                (s.label, s.place, s.section) = (true, Some(here), section);
                return Ok(());
            }
            _ => {
                let message = format!("`{}` is no label: a name or `1$`", self.text(t));
                return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
            }
        }
        let id = self.sdas_intern(t)?;
        let state = self.own.get_mut::<State>();
        if !state.local.is_empty() {
            state.local = FxHashMap::default();
        }
        if global {
            state.global.insert(id);
        }
        self.define_label(t)
    }

    /// The symbol of `12$` here.
    pub(super) fn sdas_number_label(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.text(t);
        let digits = text.trim_end_matches('$');
        if digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            let message = format!("`{text}` is no label: digits and a `$`");
            return Err(Box::new(
                Diagnostic::new(codes::BAD_NUMBER, message).at(t.span),
            ));
        }
        let number: u64 = digits.parse().unwrap_or(0);
        if let Some(&id) = self.own.get::<State>().local.get(&number) {
            return Ok(id);
        }
        let id = self.program.symbols.fresh(format!("{number}$").into());
        self.symbols.get_mut(id).local = true;
        self.own.get_mut::<State>().local.insert(number, id);
        Ok(id)
    }

    /// `.if` and what belongs to it.
    fn sdas_condition(&mut self, w: Option<Word>, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if w == Some(Word::EndIf) {
            return self.close_if(t);
        }
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        let (taken, outer, last) = (c.taken, c.outer, c.last);
        let now = match w {
            Some(Word::Part(holds, fails)) => {
                let now = if taken { holds } else { fails };
                if let Some(c) = self.lines.conditions.last_mut() {
                    c.active = now && outer;
                }
                return Ok(());
            }
            _ if last => {
                let d = Diagnostic::new(codes::MISPLACED, "there is an `.else` before this");
                return Err(Box::new(d.at(t.span)));
            }
            Some(Word::ElseIf) if taken || !outer => false,
            Some(Word::ElseIf) => {
                self.mark_here();
                self.known_here(t, rest, "the condition")? != 0
            }
            _ => !taken,
        };
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = now && outer;
            c.taken |= now;
            c.last = w == Some(Word::Else);
        }
        Ok(())
    }

    fn sdas_asks(&mut self, asks: Asks, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        if let Asks::Defined(wanted) = asks {
            let name = self.one_name(t, rest)?;
            return Ok(self.is_defined(&name)? == wanted);
        }
        // `.if eq,x` is `.ifeq x`.
        let (asks, rest) = match rest {
            [kind, comma, more @ ..]
                if asks == Asks::NotZero
                    && kind.kind == Kind::Name
                    && comma.kind == Kind::Comma =>
            {
                let name = self.text(kind).to_ascii_lowercase();
                let of = |w: &&(&str, Word)| w.0.strip_prefix(".if") == Some(name.as_str());
                match super::words::WORDS.iter().find(of) {
                    Some((_, Word::If(asks))) if !name.is_empty() => (*asks, more),
                    _ => {
                        let message = format!("there is no condition `{name}`");
                        let d = Diagnostic::new(codes::SYNTAX, message).at(kind.span);
                        return Err(Box::new(d.help("there are eq, ne, lt, le, gt, ge")));
                    }
                }
            }
            _ => (asks, rest),
        };
        if let Asks::Defined(_) = asks {
            return self.sdas_asks(asks, t, rest);
        }
        let n = self.known_here(t, rest, "the condition")?;
        Ok(match asks {
            Asks::Zero => n == 0,
            Asks::Less => n < 0,
            Asks::LessEqual => n <= 0,
            Asks::Greater => n > 0,
            Asks::GreaterEqual => n >= 0,
            _ => n != 0,
        })
    }

    /// Does what a directive says.
    pub(super) fn sdas_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match w {
            Word::Data(size) => self.sdas_data(t, rest, size),
            Word::Text(end) => self.sdas_text(t, end),
            Word::Room(each) => self.sdas_room(t, rest, each),
            Word::Org => self.sdas_org(t, rest),
            Word::Area => self.sdas_area(t, rest),
            Word::Global => self.sdas_global(t, rest),
            Word::Align(of) => self.sdas_align(t, rest, of),
            Word::Equ { global } => match rest {
                [name, comma, value @ ..]
                    if name.kind == Kind::Name && comma.kind == Kind::Comma =>
                {
                    self.sdas_value(name, value, global)
                }
                _ => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected a name, a comma and a value");
                    Err(Box::new(d.at(t.span)))
                }
            },
            Word::Radix => self.sdas_radix(t, rest),
            Word::If(asks) => {
                let yes = self.sdas_asks(asks, t, rest);
                // Also a faulty condition opens a block, so that its end is no error.
                self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
                yes.map(|_| ())
            }
            Word::Part(..) | Word::ElseIf | Word::Else | Word::EndIf => {
                self.sdas_condition(Some(w), t, rest)
            }
            Word::IfLine => self.sdas_if_line(t, rest),
            Word::Macro => self.sdas_define(t, rest),
            Word::EndMacro => self.stray(t, "a macro or repeat"),
            Word::ExitMacro => self.sdas_exit(t),
            Word::Repeat => self.sdas_repeat(t, rest),
            Word::Each => self.sdas_each(t, rest, false),
            Word::EachCharacter => self.sdas_each(t, rest, true),
            Word::Include => match self.sdas_file(t)? {
                Some(line) => self.include(&line[0], &line[1..]),
                None => self.include(t, rest),
            },
            Word::Incbin => match self.sdas_file(t)? {
                Some(line) => self.incbin(&line[0], &line[1..]),
                None => self.incbin(t, rest),
            },
            Word::Stop => self.end(&[]),
            Word::Ignored => Ok(()),
            Word::Refused(why) => {
                let message = format!("`{}` is not done by scrimp", self.text(t));
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                Err(Box::new(d.help(why)))
            }
        }
    }

    /// `.include /name/` as one with quotes: any sign may stand around the name of a file.
    fn sdas_file(&mut self, t: &Tok) -> Outcome<Option<Vec<Tok>>> {
        let text = &self.sources.get(t.span.source).text;
        let line = &text[t.span.end as usize..];
        let line = line[..line.find('\n').unwrap_or(line.len())].trim_start();
        let mark = line.chars().next();
        let mark = mark.filter(|m| m.is_ascii_punctuation() && !"\".;<_\\".contains(*m));
        let Some((name, behind)) = mark.and_then(|m| line[1..].split_once(m)) else {
            return Ok(None);
        };
        let behind = match behind.trim_start().starts_with(',') {
            true => behind,
            false => "",
        };
        let word = self.text(t);
        let made = format!(" {word} \"{name}\"{behind}");
        self.memo.not_again();
        self.made_line(&made).map(Some)
    }

    /// `.iif condition statement`, perhaps with a comma between.
    fn sdas_if_line(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (mut t, mut rest) = (t, rest);
        let any = rest.iter().any(|t| t.kind == Kind::Comma);
        loop {
            // Without a comma the condition is one value.
            let comma = |t: &Tok| t.kind == Kind::Comma;
            let upto = any.then(|| rest.iter().position(comma)).flatten();
            let (from, to) = upto.map_or((1, 1), |i| (i, i + 1));
            if rest.len() <= to {
                let d = Diagnostic::new(codes::SYNTAX, "expected a condition and a statement");
                return Err(Box::new(d.at(t.span)));
            }
            if self.known_here(t, &rest[..from], "the condition")? == 0 {
                return Ok(());
            }
            // A statement may be another of these, and so on.
            if self.sdas_word(&rest[to]) != Some(Word::IfLine) {
                return self.sdas_line(&rest[to..]);
            }
            (t, rest) = (&rest[to], &rest[to + 1..]);
        }
    }

    /// `.radix d`.
    fn sdas_radix(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = rest.first().map_or("d", |r| self.text(r));
        let radix = match text.to_ascii_lowercase().as_str() {
            "b" => 2,
            "o" | "q" => 8,
            "d" => 10,
            "h" | "x" => 16,
            _ => {
                let message = format!("`{text}` is no base of numbers");
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                return Err(Box::new(d.help("write b, o, d or x")));
            }
        };
        // What a line says depends on it.
        self.memo.renew();
        self.own.get_mut::<State>().radix = radix;
        Ok(())
    }
}
