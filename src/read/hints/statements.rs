//! Findings for lines that begin with what is no statement.

use crate::diagnostic::{Diagnostic, codes};
use crate::read::Assembler;
use crate::read::syntax::expression::clip;
use crate::text::language::{Directive, LabelRule};
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// The finding for a word of `toks` that is no instruction, directive or macro.
    pub(crate) fn unknown_statement(&self, t: &Tok, toks: &[Tok]) -> Box<Diagnostic> {
        if let Some(d) = self.odd_character(t.span) {
            return d;
        }
        let word = self.text(t);
        let behind = toks.iter().position(|o| o == t).map_or(0, |i| i + 1);
        if let Some(d) = self.label_without_colon(t, toks.get(behind)) {
            return Box::new(d);
        }
        let d = Diagnostic::new(
            codes::UNKNOWN_INSTRUCTION,
            format!("no such instruction or directive: `{}`", clip(word)),
        )
        .at(t.span);
        let names = self
            .words
            .statement_names(self.dialect)
            .chain(self.lines.macros.keys().map(String::as_str))
            .chain(self.own.hooks.macro_names(self));
        let near = self.account.nearest(word, names);
        let help = self.separated_number(t).or_else(|| self.other_dot(word));
        if let Some(help) = help {
            return Box::new(d.help(help));
        }
        // What stands alone in the first column is rather a label than a slip, unless it
        // is a statement but for one letter.
        let alone = toks.get(behind).is_none() && self.begins_line(t) && self.wants_colons();
        Box::new(match near {
            Some(n) if !alone || n.len() == word.len() && n.len() > 3 => {
                d.help(format!("did you mean `{n}`?"))
            }
            _ if alone => d.help(format!("a label has a colon: `{}:`", clip(word))),
            _ => d,
        })
    }

    /// A directive with a dot too much or too few.
    fn other_dot(&self, word: &str) -> Option<String> {
        let other = match word.strip_prefix('.') {
            Some(rest) => rest.to_ascii_lowercase(),
            None => format!(".{}", word.to_ascii_lowercase()),
        };
        let known = self.words.get(&other).directive.is_some();
        known.then(|| format!("write `{other}`"))
    }

    /// `$1F` where `$` separates statements.
    fn separated_number(&self, t: &Tok) -> Option<String> {
        let source = &self.sources.get(t.span.source).text;
        let before = (t.span.start as usize).checked_sub(1)?;
        let word = self.text(t);
        let is_mark = self.dialect.lexing.signs == crate::text::lex::Signs::Gnu
            && source.as_bytes().get(before) == Some(&b'$');
        let hex = is_mark && word.bytes().all(|b| b.is_ascii_hexdigit());
        let own = self.dialect.number(word, 16).filter(|_| hex)?;
        Some(format!(
            "`$` separates statements; a hexadecimal number is `{own}`"
        ))
    }

    /// Whether labels need a colon here.
    fn wants_colons(&self) -> bool {
        matches!(
            self.dialect.names.labels,
            LabelRule::Colon | LabelRule::ColonTight
        )
    }

    fn begins_line(&self, t: &Tok) -> bool {
        let source = self.sources.get(t.span.source);
        source.line_column(t.span.start).1 == 1
    }

    /// `start  nop`, `x equ 5`, `x = 5` where the dialect has none of these.
    fn label_without_colon(&self, t: &Tok, next: Option<&Tok>) -> Option<Diagnostic> {
        let next = next.filter(|n| n.span.source == t.span.source)?;
        let (word, behind) = (self.text(t), self.text(next));
        let d = |message: String| Diagnostic::new(codes::SYNTAX, message).at(t.span);
        let constant = next.kind == Kind::Equal
            || next.kind == Kind::Name
                && behind.trim_start_matches('.').eq_ignore_ascii_case("equ");
        if constant && self.dialect.names.names_behind {
            let equ = self.dialect.words.directives.iter();
            let (equ, _) = equ.clone().find(|w| w.1 == Directive::Equ)?;
            return Some(
                d(format!("a constant is defined by `{equ}` here"))
                    .help(format!("write `{equ} {word} = …`")),
            );
        }
        let entry = match next.kind {
            Kind::Name => self.words.get(behind),
            _ => return None,
        };
        let statement = entry.mnemonic != 0
            || entry.directive.is_some()
            || self.lines.macros.contains_key(behind);
        if !statement || !self.wants_colons() || !self.begins_line(t) {
            return None;
        }
        Some(d(format!("the label `{word}` has no colon")).help(format!("write `{word}:`")))
    }

    /// The finding for a token that cannot begin a statement.
    pub(crate) fn no_statement(&self, t: &Tok) -> Box<Diagnostic> {
        if t.kind == Kind::Bad {
            return self.bad_token(t);
        }
        let text = clip(self.text(t));
        let d = Diagnostic::new(
            codes::SYNTAX,
            format!("expected an instruction, directive or label, found `{text}`"),
        )
        .at(t.span);
        Box::new(match t.kind {
            Kind::Star | Kind::Bang | Kind::Minus | Kind::Slash | Kind::Single => {
                d.help("a comment begins with `;`")
            }
            _ => d,
        })
    }
}
