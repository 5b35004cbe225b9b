//! Definitions of macros: `#define` and what the command line defines.

use super::preprocessor::BUILT_IN;
use super::preprocessor::{Macro, Preprocessor};
use super::scan::{Kind, Token};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::limits;
use crate::text::source::Span;

/// What is wrong with a definition, and the token; none where the end is missing.
type Misplaced = (Option<Token>, &'static str);

impl Preprocessor {
    /// `NAME text`, `NAME(a, b) text`; `at` gives the place of a part of it.
    pub(super) fn define_text(&mut self, text: &str, at: &dyn Fn(usize, usize) -> Option<Span>) {
        if self.fatal {
            return;
        }
        let base = self.arena.len();
        let toks = self.scan(text);
        let place = |t: &Token| (t.start as usize - base, t.end as usize - base);
        let made = self.defined(&toks);
        let made = made.and_then(|m| match self.macros.len() >= limits::DEFINES {
            true => {
                self.fatal = true;
                Err((Some(toks[0]), "there are too many text macros"))
            }
            false => Ok(m),
        });
        match made {
            Ok(mut m) => {
                let (a, b) = place(&toks[0]);
                m.span = at(a, b);
                self.redefined(&m);
                if !self.rules.grows || !self.names.contains_key(&m.name) {
                    self.insert(m);
                }
            }
            Err((token, message)) => {
                // What is missing is so from the name to the end.
                let first = toks.first().map_or((0, 0), place);
                let (from, to) = match token {
                    Some(t) => place(&t),
                    None if toks.is_empty() => first,
                    None => (first.0, text.len()),
                };
                let mut d = Diagnostic::new(codes::SYNTAX, message);
                d.span = at(from, to);
                self.findings.push(d);
            }
        }
    }

    /// The macro that tokens define, still without its place.
    fn defined(&self, toks: &[Token]) -> Result<Macro, Misplaced> {
        let Some(name) = toks.first().filter(|t| t.kind == Kind::Name) else {
            return Err((toks.first().copied(), "expected the name of a macro"));
        };
        if self.text(name) == "defined" {
            return Err((Some(*name), "`defined` cannot be the name of a macro"));
        }
        let has_list = toks.get(1).is_some_and(|t| !t.space && self.is(t, "("));
        let (parameters, variadic, from) = match has_list {
            true => {
                let (list, variadic, from) = self.parameters(toks)?;
                (Some(list), variadic, from)
            }
            false => (None, false, 1),
        };
        let mut body = toks[from..].to_vec();
        self.mark_parameters(&mut body, parameters.as_deref());
        if let [first, .., last] | [first @ last] = &body[..]
            && (first.kind == Kind::Paste || last.kind == Kind::Paste)
        {
            let at = match first.kind {
                Kind::Paste => first,
                _ => last,
            };
            return Err((Some(*at), "`##` needs something on both sides"));
        }
        if let Some(first) = body.first_mut() {
            first.space = false;
            first.soft = false;
        }
        Ok(Macro {
            name: self.text(name).into(),
            parameters,
            variadic,
            body: body.into(),
            span: None,
        })
    }

    /// The parameters in brackets behind a macro's name, whether the last takes the rest of
    /// a call, and the number of the token behind them.
    fn parameters(&self, toks: &[Token]) -> Result<(Vec<Box<str>>, bool, usize), Misplaced> {
        const OPEN: Misplaced = (None, "the parameters have no closing bracket");
        let mut variadic = false;
        let mut i = 2;
        let mut list: Vec<Box<str>> = Vec::new();
        loop {
            let t = *toks.get(i).ok_or(OPEN)?;
            i += 1;
            let word: Box<str> = self.text(&t).into();
            match (t.kind, &*word) {
                (Kind::Mark, ")") if list.is_empty() => break,
                (Kind::Name, _) if list.len() >= limits::PARAMETERS => {
                    return Err((Some(t), "a macro has too many parameters"));
                }
                (Kind::Name, w) if w != "..." && list.iter().all(|n| &**n != w) => {
                    list.push(word);
                }
                (Kind::Mark, "...") if self.rules.variadic => {
                    variadic = true;
                    list.push("__VA_ARGS__".into());
                }
                _ => {
                    let message = "expected the name of a parameter, each once";
                    return Err((Some(t), message));
                }
            }
            let mut next = toks.get(i).copied();
            if !variadic && self.rules.variadic && next.is_some_and(|n| self.is(&n, "...")) {
                // `rest...`
                variadic = true;
                i += 1;
                next = toks.get(i).copied();
            }
            i += 1;
            let next = next.ok_or(OPEN)?;
            if self.is(&next, ")") {
                break;
            }
            if !self.is(&next, ",") || variadic {
                return Err((Some(next), "expected a comma or a closing bracket"));
            }
        }
        Ok((list, variadic, i))
    }

    /// Marks the parameters in a macro's text, and the signs that make texts of them.
    pub(super) fn mark_parameters(&self, body: &mut [Token], list: Option<&[Box<str>]>) {
        let Some(list) = list else {
            return;
        };
        for t in body.iter_mut().filter(|t| t.kind == Kind::Name) {
            let text = &self.arena[t.start as usize..t.end as usize];
            if let Some(n) = list.iter().position(|p| **p == *text) {
                t.kind = Kind::Parameter(n as u16);
            }
        }
        for n in 0..body.len().saturating_sub(1) {
            if self.is(&body[n], "#") && matches!(body[n + 1].kind, Kind::Parameter(_)) {
                body[n].kind = Kind::Quote;
            }
        }
    }

    /// A macro that is defined again as something else is worth a warning.
    fn redefined(&mut self, new: &Macro) {
        let Some(&old) = self.names.get(&new.name) else {
            return;
        };
        let built_in = (old as usize) < BUILT_IN.len();
        let old = &self.macros[old as usize];
        let same = !built_in
            && old.parameters == new.parameters
            && old.variadic == new.variadic
            && old.body.len() == new.body.len()
            && old
                .body
                .iter()
                .zip(&*new.body)
                .enumerate()
                .all(|(i, (a, b))| {
                    a.kind == b.kind
                        && (i == 0 || a.space == b.space)
                        && self.text(a) == self.text(b)
                });
        if same || new.span.is_none() {
            return;
        }
        let text = match self.rules.grows {
            true => format!("the macro `{}` stays what it was", new.name),
            false => format!(
                "the macro `{}` is defined again as something else",
                new.name
            ),
        };
        let mut d = Diagnostic::new(codes::MACRO_REDEFINED, text);
        d.span = new.span;
        if let Some(at) = old.span {
            d = d.related(at, "first defined here");
        }
        self.findings
            .push(d.help(format!("write `#undef {}` before", new.name)));
    }
}
