//! A line of sjasm's: names become texts in it, then it is cut at backslashes.

use super::text::{begins, joined, listed, name_len, quoted_len};
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::sjasmplus::state::{Define, State};
use crate::dialect::sjasmplus::words::{Test, Word};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use std::rc::Rc;

/// How deep texts may stand in texts.
const DEPTH: u32 = 40;

impl Assembler<'_> {
    /// Forgets the calls and rounds whose lines are all read.
    pub(super) fn sjasm_leave(&mut self) {
        self.sj_leave_calls();
        let depth = self.lines.feeds.len();
        let frames = &mut self.own.get_mut::<State>().texts.frames;
        while frames.last().is_some_and(|f| f.depth > depth) {
            frames.pop();
        }
    }

    /// Assembles a line.
    pub(in super::super) fn sjasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        self.sjasm_leave();
        if let Some(w) = self.sj_plain_condition(toks) {
            return self.sj_conditional(w, toks);
        }
        if let [t] = toks
            && t.kind == Kind::Comment
        {
            self.pop_feed();
            return self.sjasm_round(t);
        }
        let Some(first) = toks.first() else {
            return Ok(());
        };
        if !self.lines.active() {
            return self.sj_skipped(toks);
        }
        let margin = self.at_margin(first);
        let head = self.sj_head(toks).map(|(w, _)| w);
        if let Some(w) = head
            && matches!(
                w,
                Word::Text(_)
                    | Word::Define
                    | Word::Undefine
                    | Word::If(Test::Defined(_))
                    | Word::Else
                    | Word::EndIf
            )
        {
            return self.sj_statement(toks, margin);
        }
        let Some(text) = self.sjasm_made(toks)? else {
            return match self.sj_extremes(toks)? {
                Some(made) => self.sjasm_replaced_line(&made, margin),
                None => self.sjasm_pieces(toks, head, margin),
            };
        };
        let is_word = !margin && !self.sj_is_guarded();
        if is_word && self.made_before(&text) {
            self.memo.not_again();
            return Ok(());
        }
        let before = self.made_so_far();
        self.memo.not_again();
        let made = self.made_line(&text)?;
        if let Some(made) = self.sj_extremes(&made)? {
            return self.sjasm_replaced_line(&made, margin);
        }
        let head = self.sj_head(&made).map(|(w, _)| w);
        let done = self.sjasm_pieces(&made, head, margin);
        if is_word && done.is_ok() {
            let same = self.memo.plain;
            self.keep_made(&text, &before, same);
        }
        // It may be another line the next time.
        self.memo.not_again();
        done
    }

    /// Assembles what a line has become.
    fn sjasm_replaced_line(&mut self, made: &[Tok], margin: bool) -> Outcome<()> {
        let head = self.sj_head(made).map(|(w, _)| w);
        let done = self.sjasm_pieces(made, head, margin);
        // It may be another line the next time.
        self.memo.not_again();
        done
    }

    /// Assembles a line whose names are replaced, piece by piece.
    fn sjasm_pieces(&mut self, toks: &[Tok], head: Option<Word>, margin: bool) -> Outcome<()> {
        let whole = |w| matches!(w, Word::Macro | Word::IMacro | Word::While | Word::Repeat);
        if toks.is_empty() || head.is_some_and(whole) {
            return match toks.is_empty() {
                true => Ok(()),
                false => self.sj_statement(toks, margin),
            };
        }
        let mut pieces = toks.split(|t| t.kind == Kind::Backslash);
        let piece = pieces.next().unwrap_or(&[]);
        let rest: Vec<Tok> = toks.get(piece.len() + 1..).unwrap_or(&[]).to_vec();
        let depth = self.lines.feeds.len();
        if !rest.is_empty() {
            // What a macro brings comes before the rest of the line.
            self.read_pieces(&rest, Kind::Backslash);
        }
        let cut = self.lines.feeds.len() > depth;
        let done = match piece.is_empty() {
            true => Ok(()),
            false => self.sj_statement(piece, margin),
        };
        if cut {
            self.memo.not_again();
        }
        done
    }

    /// Whether anything in a line may stand for a text.
    pub(in super::super) fn sjasm_mentions(&self, toks: &[Tok]) -> bool {
        let state = self.own.get::<State>();
        let texts = &state.texts;
        let inside = !texts.frames.is_empty();
        let none = !inside
            && state.defines.is_empty()
            && texts.any_case.is_empty()
            && texts.functions.is_empty();
        if none && self.sjasm_has_no_sign(toks) {
            return false;
        }
        toks.iter().enumerate().any(|(i, t)| match t.kind {
            Kind::At => true,
            Kind::Greater | Kind::NotEqual => toks
                .get(i + 1)
                .is_some_and(|n| n.kind == Kind::Less && n.span.start == t.span.end),
            Kind::Single | Kind::Double => false,
            _ => {
                let text = self.sources.slice(t.span);
                if none && memchr::memchr2(b'_', b'@', text.as_bytes()).is_none() {
                    return false;
                }
                let known = |word: &str| {
                    word.starts_with('_') && word.ends_with('_') || !none && self.sjasm_stands(word)
                };
                if t.kind == Kind::Name && text.bytes().all(|b| b.is_ascii_lowercase()) {
                    return known(text);
                }
                text.bytes().any(|b| b == b'@') || words(text).any(known)
            }
        })
    }

    /// Whether a line has none of the signs that make texts without any definition.
    fn sjasm_has_no_sign(&self, toks: &[Tok]) -> bool {
        let (Some(first), Some(last)) = (toks.first(), toks.last()) else {
            return true;
        };
        let (from, to) = (first.span.start as usize, last.span.end as usize);
        let text = self.sources.get(first.span.source).text.as_bytes();
        first.span.source == last.span.source
            && text.get(from..to).is_some_and(|line| match line.len() {
                // Most are short, and looked through at once.
                0..=16 => !line.iter().fold(false, |any, &b| any | is_sign(b)),
                _ => memchr::memchr3(b'_', b'@', b'>', line).is_none(),
            })
    }

    /// Whether a name stands for a text.
    fn sjasm_stands(&self, name: &str) -> bool {
        let state = self.own.get::<State>();
        let texts = &state.texts;
        let named = |f: &super::state::Frame| f.named.iter().any(|n| &*n.0 == name);
        state.defines.contains_key(name)
            || texts.frames.iter().any(named)
            || !texts.any_case.is_empty() && texts.any_case.contains_key(&name.to_lowercase())
            || !texts.functions.is_empty()
                && texts
                    .functions
                    .keys()
                    .any(|(f, _)| match f.strip_prefix('?') {
                        Some(small) => small == name.to_lowercase(),
                        None => f == name,
                    })
    }

    /// The text of a line with names replaced; `None` if there are none.
    fn sjasm_made(&mut self, toks: &[Tok]) -> Outcome<Option<String>> {
        if !self.sjasm_mentions(toks) {
            return Ok(None);
        }
        // One text for all lines.
        let mut text = std::mem::take(&mut self.own.get_mut::<State>().texts.line);
        text.clear();
        self.written_behind(toks, &mut text);
        let made = self.sjasm_replaced(&text);
        let same = made.as_ref().is_ok_and(|m| *m == text);
        self.own.get_mut::<State>().texts.line = text;
        if same {
            return Ok(None);
        }
        let made = made?;
        self.emitted_text(made.len())?;
        Ok(Some(made))
    }

    /// A text with names replaced.
    pub(super) fn sjasm_replaced(&mut self, text: &str) -> Outcome<String> {
        let made = self.sjasm_once(text, &mut Vec::new(), &[])?;
        Ok(match memchr::memchr(b'>', made.as_bytes()) {
            Some(_) => joined(&made),
            None => made,
        })
    }

    /// The text with what it mentions replaced; `open` are names that stand for themselves
    /// in it, `given` what the parameters of text macros are.
    fn sjasm_once(
        &mut self,
        text: &str,
        open: &mut Vec<String>,
        given: &[(Rc<str>, String)],
    ) -> Outcome<String> {
        if open.len() as u32 > DEPTH {
            let d = Diagnostic::new(codes::TOO_DEEP, "texts stand in each other too deeply");
            return Err(Box::new(d.at(self.statement)));
        }
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(b) = rest.bytes().next() {
            if begins(b) {
                let name = &rest[..name_len(rest)];
                rest = &rest[name.len()..];
                if let Some(with) = self.sjasm_parameter(name, given) {
                    out.push_str(with);
                } else {
                    let with = self.sjasm_text_of(name, &mut rest, open, given)?;
                    match with.is_empty() {
                        true => out.push_str(name),
                        false => out.push_str(&with),
                    }
                }
            } else if matches!(b, b'"' | b'\'')
                && !out.ends_with(|c: char| c.is_ascii_alphanumeric())
            {
                let (quoted, more) = rest.split_at(quoted_len(rest));
                out.push_str(quoted);
                rest = more;
            } else if b == b'@' {
                let signs = rest.bytes().take_while(|&b| b == b'@').count();
                rest = &rest[signs..];
                rest = self.sjasm_signed(rest, signs, &mut out, open, given)?;
            } else {
                let sign = |b: u8| begins(b) || matches!(b, b'"' | b'\'' | b'@');
                let more = rest.bytes().skip(1).position(sign);
                let n = more.map_or(rest.len(), |n| n + 1);
                out.push_str(&rest[..n]);
                rest = &rest[n..];
            }
            if out.len() > limits::LINE {
                self.fatal = true;
                let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "a line grows without end");
                return Err(Box::new(d.at(self.statement)));
            }
        }
        Ok(out)
    }

    /// What a parameter is.
    fn sjasm_parameter<'t>(
        &'t self,
        name: &str,
        given: &'t [(Rc<str>, String)],
    ) -> Option<&'t str> {
        let frames = &self.own.get::<State>().texts.frames;
        let named = frames.iter().flat_map(|f| &f.named);
        let all = named.chain(given);
        let last = all.rev().find(|n| &*n.0 == name);
        last.map(|n| &*n.1).filter(|t| !t.is_empty())
    }

    /// What a text macro stands for; nothing if it is none.
    fn sjasm_text_of(
        &mut self,
        name: &str,
        rest: &mut &str,
        open: &mut Vec<String>,
        given: &[(Rc<str>, String)],
    ) -> Outcome<String> {
        if open.iter().any(|o| o == name) {
            return Ok(String::new());
        }
        let state = self.own.get::<State>();
        if rest.starts_with('(') && !state.texts.functions.is_empty() {
            let small = name.to_lowercase();
            let (list, more) = listed(rest);
            let functions = &state.texts.functions;
            let found = functions.get(&(name.to_owned(), list.len()));
            let found = found.or_else(|| functions.get(&(format!("?{small}"), list.len())));
            if let Some(f) = found.map(Rc::clone) {
                *rest = more;
                let mut all = given.to_vec();
                for (n, one) in f.parameters.iter().zip(list) {
                    let one = self.sjasm_once(&one, open, given)?;
                    all.push((n.as_str().into(), one));
                }
                open.push(name.to_owned());
                let made = self.sjasm_once(&f.text, open, &all);
                open.pop();
                return made;
            }
        }
        let state = self.own.get::<State>();
        let text = match state.defines.get(name) {
            Some(Define::Text(text)) => Some(text.clone()),
            _ if state.texts.any_case.is_empty() => None,
            _ => state.texts.any_case.get(&name.to_lowercase()).cloned(),
        };
        let Some(text) = text else {
            return Ok(match name.ends_with('_') && name.starts_with('_') {
                true => self.sjasm_always(name).unwrap_or_default(),
                false => String::new(),
            });
        };
        open.push(name.to_owned());
        let made = self.sjasm_once(&text, open, given);
        open.pop();
        self.emitted_text(text.len())?;
        made
    }

    /// The text of a name that is always defined.
    fn sjasm_always(&mut self, name: &str) -> Option<String> {
        match name {
            "__LINE__" | "__FILE__" => self.sj_always(name),
            "__MODULE__" => {
                let module = &self.own.get::<State>().module;
                Some(if module.is_empty() {
                    " ".into()
                } else {
                    module.clone()
                })
            }
            _ => None,
        }
    }

    /// What stands behind one or more `@`: an argument by its number, the number of a round,
    /// a number of its own, a text in which names are replaced.
    fn sjasm_signed<'t>(
        &mut self,
        rest: &'t str,
        signs: usize,
        out: &mut String,
        open: &mut Vec<String>,
        given: &[(Rc<str>, String)],
    ) -> Outcome<&'t str> {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let texts = &mut self.own.get_mut::<State>().texts;
        if rest.starts_with(['"', '\'']) {
            let (quoted, more) = rest.split_at(quoted_len(rest));
            let (sign, inner) = quoted.split_at(1);
            let end = inner.strip_suffix(sign);
            let made = self.sjasm_once(end.unwrap_or(inner), open, given)?;
            out.push_str(sign);
            out.push_str(&joined(&made));
            if end.is_some() {
                out.push_str(sign);
            }
            return Ok(more);
        }
        if digits > 0 {
            let calls = texts.frames.iter().rev().filter(|f| f.numbered.is_some());
            let Some(frame) = calls.into_iter().nth(signs - 1) else {
                let message = "`@` and a number is an argument of a macro, and this is in none";
                let d = Diagnostic::new(codes::MISPLACED, message).at(self.statement);
                return Err(Box::new(d));
            };
            let list = frame.numbered.as_deref().unwrap_or(&[]);
            let n: usize = rest[..digits].parse().unwrap_or(usize::MAX);
            if n == 0 {
                out.push_str(&list.len().to_string());
            } else if n <= list.len() {
                let turned = (n as i64 - 1 + frame.rotated).rem_euclid(list.len() as i64);
                out.push_str(&list[turned as usize]);
            }
            return Ok(&rest[digits..]);
        }
        if let Some(more) = rest.strip_prefix('#') {
            let mut rounds = texts.frames.iter().rev().filter_map(|f| f.round);
            let Some(n) = rounds.nth(signs - 1) else {
                let message = "`@#` is the number of a loop's round, and this is in none";
                let d = Diagnostic::new(codes::MISPLACED, message).at(self.statement);
                return Err(Box::new(d));
            };
            out.push_str(&n.to_string());
            return Ok(more);
        }
        if let Some(more) = rest.strip_prefix('*') {
            out.push_str(&texts.unique.to_string());
            texts.unique += 1;
            return Ok(more);
        }
        out.push_str(&"@".repeat(signs));
        Ok(rest)
    }

    /// `[n] statement`: so many times.
    pub(in super::super) fn sjasm_repeated(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mut depth = 1;
        let close = rest.iter().position(|t| {
            depth += i32::from(t.kind == Kind::SquareOpen);
            depth -= i32::from(t.kind == Kind::SquareClose);
            depth == 0
        });
        let Some(close) = close.filter(|&c| c > 0 && c + 1 < rest.len()) else {
            let message = "expected `[count]` and what to repeat";
            let d = Diagnostic::new(codes::SYNTAX, message).at(t.span);
            return Err(Box::new(d));
        };
        self.memo.not_again();
        let v = self.whole_expression(&rest[..close])?;
        let n = self.must_know(v, self.span_of(&rest[..close]), "the count")?;
        let rest = &rest[close + 1..];
        for round in 0..n.max(0) {
            self.account.spent.expanded += 1;
            if self.account.spent.expanded > limits::LINES || self.fatal {
                self.fatal = true;
                let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "repeated too often");
                return Err(Box::new(d.at(t.span)));
            }
            self.own.get_mut::<State>().texts.repeats.push(round);
            self.mark_here();
            let done = self.sj_word(rest, 0);
            self.own.get_mut::<State>().texts.repeats.pop();
            self.memo.not_again();
            done?;
        }
        Ok(())
    }

    /// `%`, the number of the round of `[n]`, and `%%` of that around it.
    pub(in super::super) fn sjasm_round_number(&self, signs: usize) -> Outcome<i64> {
        let repeats = &self.own.get::<State>().texts.repeats;
        match repeats.iter().rev().nth(signs - 1) {
            Some(&n) => Ok(n),
            None => {
                let message = "`%` is the number of the round of `[count]`, and this is in none";
                let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(self.statement);
                Err(Box::new(d))
            }
        }
    }
}

/// Whether a byte is a sign that makes a text without any definition.
#[inline]
fn is_sign(b: u8) -> bool {
    (b == b'_') | (b == b'@') | (b == b'>')
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.bytes().position(begins)?;
        let name = &rest[start..start + name_len(&rest[start..])];
        rest = &rest[start + name.len()..];
        Some(name)
    })
}
