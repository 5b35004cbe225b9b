//! Names that stand for texts, which are put into their place: arguments of macros, and
//! constants that are no numbers.

use super::data::in_brackets;
use super::names::is_name;
use super::state::{Foreign, State, Text};
use super::words::opposite;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, MAX_TOKENS, Tok};
use std::rc::Rc;

/// How deep texts may stand in texts.
const DEPTH: u32 = 64;

impl Assembler<'_> {
    /// Operands with what names in them stand for; nothing where that is what they are.
    pub(super) fn glass_operands(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        let names = &self.own.get::<State>().names;
        let words = &names.text_words;
        let stands = |t: &Tok| match t.kind {
            Kind::Bang | Kind::SquareOpen => true,
            _ => is_name(t) && words.contains(self.sources.slice(t.span)),
        };
        if words.is_empty()
            && !toks
                .iter()
                .any(|t| matches!(t.kind, Kind::Bang | Kind::SquareOpen))
            || !toks.iter().any(stands)
        {
            return Ok(None);
        }
        let scope = names.scope;
        let mut out = Vec::with_capacity(toks.len() + 8);
        self.glass_expand(toks, scope, None, &mut out, 0)?;
        Ok(Some(out))
    }

    /// Whether an operand is what it says, whatever the lines around it are.
    pub(super) fn glass_is_plain_value(&self, t: &Tok) -> bool {
        let state = self.own.get::<State>();
        // The scope in force is that of the lines before until a frame is left.
        let depth = self.lines.feeds.len();
        state.frames.last().is_none_or(|f| f.depth <= depth)
            && state.measuring == 0
            && state.foreign.is_empty()
            && (state.names.text_words.is_empty()
                || !state.names.text_words.contains(self.sources.slice(t.span)))
    }

    /// Puts tokens with what they stand for behind others.
    pub(super) fn glass_expand(
        &mut self,
        toks: &[Tok],
        scope: u32,
        of: Option<&Rc<Text>>,
        out: &mut Vec<Tok>,
        depth: u32,
    ) -> Outcome<()> {
        if depth > DEPTH || out.len() > MAX_TOKENS / 4 {
            let d = Diagnostic::new(codes::TOO_DEEP, "texts stand in texts without end");
            return Err(Box::new(d.at(self.statement)));
        }
        let mut i = 0;
        while let Some(&t) = toks.get(i) {
            let next = toks.get(i + 1).map(|n| n.kind);
            if t.kind == Kind::Bang
                && let Some(n) = toks.get(i + 1).filter(|n| n.kind == Kind::Name)
                && let Some(other) = opposite(self.text(n))
            {
                out.extend(self.made_line(other)?);
                i += 2;
                continue;
            }
            let text = match is_name(&t) {
                true => self.glass_text_of(scope, self.sources.slice(t.span)),
                false => None,
            };
            if next == Some(Kind::SquareOpen)
                && (text.is_some() || matches!(t.kind, Kind::Double | Kind::Close))
            {
                i = self.glass_index(toks, i, text, (scope, of), out, depth)?;
                continue;
            }
            let Some((text, inside)) = text else {
                if let Some(of) = of
                    && (is_name(&t) || t.kind == Kind::Dollar)
                {
                    self.own.get_mut::<State>().foreign.push(Foreign {
                        span: t.span,
                        text: of.clone(),
                        scope,
                    });
                }
                out.push(t);
                i += 1;
                continue;
            };
            let edge =
                |k: Option<Kind>, bracket: Kind| k.is_none_or(|k| k == Kind::Comma || k == bracket);
            let before = i.checked_sub(1).map(|b| toks[b].kind);
            let alone = edge(before, Kind::Open) && edge(next, Kind::Close);
            let wrap = text.toks.len() > 1 && !alone;
            // Brackets in brackets are one pair.
            let inner = match &text.toks[..] {
                [_, inner @ .., _]
                    if before == Some(Kind::Open)
                        && next == Some(Kind::Close)
                        && in_brackets(&text.toks) =>
                {
                    inner
                }
                all => all,
            };
            let bracket = |kind| Tok { kind, span: t.span };
            if wrap {
                out.push(bracket(Kind::Open));
            }
            self.glass_expand(inner, inside, Some(&text), out, depth + 1)?;
            if wrap {
                out.push(bracket(Kind::Close));
            }
            i += 1;
        }
        Ok(())
    }

    /// `text[n]` from token `i` on, and the number of the token behind it.
    fn glass_index(
        &mut self,
        toks: &[Tok],
        i: usize,
        text: Option<(Rc<Text>, u32)>,
        (scope, of): (u32, Option<&Rc<Text>>),
        out: &mut Vec<Tok>,
        depth: u32,
    ) -> Outcome<usize> {
        let mut open = 0usize;
        let behind = toks[i + 1..].iter().position(|t| {
            open = match t.kind {
                Kind::SquareOpen => open + 1,
                Kind::SquareClose => open.saturating_sub(1),
                _ => open,
            };
            open == 0
        });
        let fault = |why: &str| {
            let d = Diagnostic::new(codes::BAD_EXPRESSION, why).at(toks[i + 1].span);
            Err(Box::new(d))
        };
        let Some(close) = behind.map(|b| i + 1 + b) else {
            return fault("expected `]`");
        };
        let mut index = Vec::new();
        self.glass_expand(&toks[i + 2..close], scope, of, &mut index, depth + 1)?;
        let n = self.known_here(&toks[i + 1], &index, "the index")?;
        // The list: what stands before the bracket, without parentheses around it.
        let mut list = Vec::new();
        match text {
            Some((text, inside)) => {
                self.glass_expand(&text.toks, inside, Some(&text), &mut list, depth + 1)?;
            }
            None if toks[i].kind == Kind::Double => list.push(toks[i]),
            None => {
                // The bracket that closes is not out yet.
                let mut depth = 1usize;
                let from = out.iter().rposition(|t| {
                    depth = match t.kind {
                        Kind::Close => depth + 1,
                        Kind::Open => depth - 1,
                        _ => depth,
                    };
                    depth == 0
                });
                let Some(from) = from else {
                    return fault("expected a list before the index");
                };
                list = out.split_off(from);
                list.push(toks[i]);
            }
        }
        while let [first, inner @ .., last] = &list[..]
            && first.kind == Kind::Open
            && last.kind == Kind::Close
        {
            list = inner.to_vec();
        }
        let Ok(n) = usize::try_from(n) else {
            return fault("the index is below 0");
        };
        if let [one] = list[..]
            && one.kind == Kind::Double
        {
            let units = self.glass_units(&one)?;
            let Some(unit) = units.get(n) else {
                return fault("the index lies behind the end");
            };
            out.extend(self.made_line(&unit.to_string())?);
            return Ok(close + 1);
        }
        let Some(&(a, b)) = split(&list).get(n) else {
            return fault("the index lies behind the end");
        };
        out.extend_from_slice(&list[a as usize..b as usize]);
        Ok(close + 1)
    }
}
