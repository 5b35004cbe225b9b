//! Lines of AVRASM2 with two statements: an instruction may stand behind `.org`.

use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::hooks::{Hooks, Relaxing};
use crate::text::lex::{Kind, Tok};

/// AVRASM2.
pub struct Avrasm;

impl Hooks for Avrasm {
    fn plain_lines(&self) -> bool {
        true
    }

    fn relaxing(&self, _a: &Assembler<'_>) -> Option<Relaxing> {
        Some(Relaxing::ButTables)
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        if let Some((at, word)) = labelled(a, toks)
            && !word.eq_ignore_ascii_case(".org")
        {
            a.line(&toks[..at])?;
            return a.line(&toks[at..]);
        }
        match behind_org(a, toks) {
            Some(at) => {
                a.line(&toks[..at])?;
                a.line(&toks[at..])
            }
            None => a.line(toks),
        }
    }
}

/// avra.
pub struct Avra;

impl Hooks for Avra {
    fn plain_lines(&self) -> bool {
        true
    }

    fn relaxing(&self, _a: &Assembler<'_>) -> Option<Relaxing> {
        Some(Relaxing::ButTables)
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        let Some((at, word)) = labelled(a, toks) else {
            return a.line(toks);
        };
        let (label, rest) = toks.split_at(at);
        match word.eq_ignore_ascii_case(".org") {
            // The label is where that leads to.
            true => a.line(rest).and_then(|()| a.line(label)),
            false => a.line(label).and_then(|()| a.line(rest)),
        }
    }
}

/// Where behind a label the directive begins that is a line of its own, and which it is:
/// `.org`, or one that begins with itself and not with its name.
fn labelled(a: &Assembler<'_>, toks: &[Tok]) -> Option<(usize, String)> {
    let [_, colon, word, ..] = toks else {
        return None;
    };
    let text = a.text(word);
    let known = [".org", ".equ", ".set"].iter();
    let known = known.clone().any(|k| text.eq_ignore_ascii_case(k));
    (colon.kind == Kind::Colon && word.kind == Kind::Name && known).then(|| (2, text.to_owned()))
}

/// Where behind `.org` and its value an instruction begins.
fn behind_org(a: &Assembler<'_>, toks: &[Tok]) -> Option<usize> {
    // Labels may stand before it.
    let labelled = toks.iter().take_while(|t| t.kind != Kind::Colon).count();
    let first = if labelled == 1 { 2 } else { 0 };
    let org = toks.get(first)?;
    if !a.text(org).eq_ignore_ascii_case(".org") {
        return None;
    }
    let ends = |t: &Tok| {
        matches!(
            t.kind,
            Kind::Name | Kind::Number | Kind::Dollar | Kind::Single | Kind::Close
        )
    };
    let found = toks.windows(2).skip(first + 1).position(|pair| {
        let entry = (pair[1].kind == Kind::Name).then(|| a.words.get(a.text(&pair[1])));
        ends(&pair[0]) && entry.is_some_and(|e| e.mnemonic != 0)
    });
    found.map(|n| first + 2 + n)
}
