//! Lines that newer versions take: `<?` and `>?`, labels that point at a value, `m`.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::item::What;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

impl Assembler<'_> {
    /// The line with a blank behind each `<?` and `>?`, whose `?` may begin a name.
    pub(super) fn sj_extremes(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        let glued = |i: usize| {
            let (t, n) = (&toks[i], toks.get(i + 1));
            matches!(t.kind, Kind::Less | Kind::Greater)
                && n.is_some_and(|n| {
                    matches!(n.kind, Kind::Name | Kind::Question)
                        && n.span.start == t.span.end
                        && self.sources.slice(n.span).len() > 1
                        && self.sources.slice(n.span).starts_with('?')
                })
        };
        let Some(first) = (0..toks.len()).find(|&i| glued(i)) else {
            return Ok(None);
        };
        let mut text = self.written(&toks[..=first]);
        for i in first + 1..toks.len() {
            let own = self.written(&toks[i..=i]);
            match glued(i - 1) {
                true => text.push_str(&format!("? {}", &own[1..])),
                false => text.push_str(&format!(" {own}")),
            }
        }
        self.made_line(&text).map(Some)
    }

    /// `label+*: ld a,5`: the label is where the value of the instruction stands.
    pub(super) fn sj_pointed(
        &mut self,
        text: &str,
        span: Span,
        toks: &[Tok],
        at: usize,
    ) -> Outcome<()> {
        let (id, local) = self.sj_defined(text, span, true)?;
        let (here, value) = (self.here, self.here_value);
        if at < toks.len() {
            self.sj_word(toks, at)?;
        }
        let form = match self.program.item(here).map(|i| i.what) {
            Some(What::Instruction { form, .. }) => Some(&self.forms[usize::from(form)]),
            _ => None,
        };
        // Displacements of index registers do not count.
        let values = form.iter().flat_map(|f| &f.pattern.fields);
        let values = values.filter(|f| matches!(f.letter, b'n' | b'e' | b'k'));
        let behind = values.map(|f| f.piece[0].word_shift / 8).max();
        let Some(behind) = behind else {
            let message = "there is no value behind it that the label could point at";
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(span);
            return Err(Box::new(d));
        };
        self.memo.not_again();
        (self.here, self.here_value) = (here, value);
        self.sj_place(id, span, local, behind.into())
    }

    /// An instruction with `(hl)` for each operand `m`, if it has such.
    pub(super) fn sj_with_memory(&self, mnemonic: u16, operands: &[Tok]) -> Option<String> {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.as_str();
        if matches!(name, "jp" | "call" | "ret") {
            return None;
        }
        let texts = split(operands).into_iter();
        let texts = texts.map(|(a, b)| self.written(&operands[a as usize..b as usize]));
        let mut any = false;
        let texts: Vec<String> = texts
            .map(|t| match t.eq_ignore_ascii_case("m") {
                true => {
                    any = true;
                    "(hl)".to_owned()
                }
                false => t,
            })
            .collect();
        any.then(|| format!("{name} {}", texts.join(",")))
    }
}
