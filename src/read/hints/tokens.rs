//! Findings for tokens that do not belong where they stand.

use crate::diagnostic::{Diagnostic, codes, near};
use crate::read::Assembler;
use crate::read::hints::elsewhere::{NO_FUNCTION, NO_FUNCTIONS};
use crate::read::syntax::expression::clip;
use crate::text::comments::Slashes;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// Characters that editors and web pages put in for plain ones, and what was meant.
const TYPOGRAPHIC: &[(&str, &str, &str)] = &[
    ("“”„«»″", "a typographic quote", "write `\"`"),
    ("‘’‚‹›′`´", "a typographic quote", "write `'`"),
    ("–—−‐‑‒", "a typographic dash", "write `-`"),
    ("×", "a multiplication sign", "write `*`"),
    ("÷", "a division sign", "write `/`"),
    ("，、", "a wide comma", "write `,`"),
    ("；", "a wide semicolon", "write `;`"),
    ("：", "a wide colon", "write `:`"),
    ("（）", "a wide parenthesis", "write `(` or `)`"),
    (
        "\u{a0}\u{2000}\u{2001}\u{2002}\u{2003}\u{2007}\u{2009}\u{202f}\u{3000}",
        "a space that is no blank",
        "write a blank",
    ),
    (
        "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}",
        "an invisible character",
        "delete it",
    ),
];

/// What to say of the first character that looks like a plain one and is another.
pub fn typographic(text: &str) -> Option<(usize, char, &'static str, &'static str)> {
    text.char_indices().find_map(|(at, c)| {
        let row = TYPOGRAPHIC.iter().find(|r| r.0.contains(c))?;
        Some((at, c, row.1, row.2))
    })
}

/// Whether tokens of this kind may be parts of one number.
fn in_number(kind: Kind) -> bool {
    use Kind::{Amp, At, Dollar, Hash, Name, Number, Percent};
    matches!(kind, Name | Number | Dollar | Hash | Percent | Amp | At)
}

impl Assembler<'_> {
    /// The finding for a character that looks like another, if a text has one.
    pub(crate) fn odd_character(&self, span: Span) -> Option<Box<Diagnostic>> {
        let text = self.sources.slice(span);
        if text.is_ascii() {
            return None;
        }
        let (at, c, what, help) = typographic(text)?;
        let start = span.start + at as u32;
        let span = Span::new(span.source, start, start + c.len_utf8() as u32);
        let shown = match c.is_whitespace() || what.contains("invisible") {
            true => format!("U+{:04X}", c as u32),
            false => c.to_string(),
        };
        let d = Diagnostic::new(codes::BAD_CHARACTER, format!("`{shown}` is {what}"));
        Some(Box::new(d.at(span).help(help)))
    }

    /// From token `at` over those that touch each other.
    fn run_from(&self, toks: &[Tok], at: usize) -> Span {
        let mut span = toks[at].span;
        for t in &toks[at + 1..] {
            let quoted = t.kind == Kind::Single && t.span.start == span.start + 1;
            if t.span.start != span.end
                || t.span.source != span.source
                || !(in_number(t.kind) || quoted)
            {
                break;
            }
            span.end = t.span.end;
        }
        span
    }

    /// From the first of the tokens that touch token `at`.
    fn run_around(&self, toks: &[Tok], at: usize) -> Span {
        let mut first = at;
        while first > 0
            && toks[first - 1].span.end == toks[first].span.start
            && toks[first - 1].span.source == toks[first].span.source
            && in_number(toks[first - 1].kind)
        {
            first -= 1;
        }
        self.run_from(toks, first)
    }

    /// The finding for a number in a spelling that the dialect does not have.
    fn foreign_number(&self, span: Span) -> Option<Box<Diagnostic>> {
        let text = self.sources.slice(span);
        let help = self.dialect.number_instead(text)?;
        let message = format!("`{}` is not a number in this dialect", clip(text));
        let d = Diagnostic::new(codes::BAD_NUMBER, message);
        Some(Box::new(d.at(span).help(help)))
    }

    /// The finding for a number with a digit too much, if it is one.
    fn bad_digit(&self, span: Span) -> Option<Box<Diagnostic>> {
        let text = self.sources.slice(span);
        let (mark, digits) = text.split_at_checked(1)?;
        let (base, what) = match mark {
            "$" => (16, "hexadecimal"),
            "%" => (2, "binary"),
            _ => return None,
        };
        let bad = digits.chars().find(|c| !c.is_digit(base))?;
        if !digits.starts_with(|c: char| c.is_digit(base)) {
            return None;
        }
        let message = format!("`{}` is not a number", clip(text));
        let d = Diagnostic::new(codes::BAD_NUMBER, message).at(span);
        Some(Box::new(d.label(format!("`{bad}` is no {what} digit"))))
    }

    /// The finding for a token where a value is expected.
    pub(crate) fn no_value(&self, toks: &[Tok], at: usize) -> Box<Diagnostic> {
        let t = &toks[at];
        let text = self.text(t);
        let run = self.run_from(toks, at);
        if let Some(d) = self.foreign_number(run).or_else(|| self.odd_character(run)) {
            return d;
        }
        let count = |k: Kind| toks.iter().filter(|t| t.kind == k).count();
        let message = match t.kind {
            Kind::Hash => "a value has no `#` before it".to_owned(),
            Kind::SquareOpen if count(Kind::SquareOpen) > count(Kind::SquareClose) => {
                "this `[` has no `]`".to_owned()
            }
            Kind::Comma | Kind::Close => format!("a value is missing before `{text}`"),
            _ => format!("expected a value, found `{}`", clip(text)),
        };
        let d = Diagnostic::new(codes::SYNTAX, message).at(t.span);
        Box::new(match t.kind {
            Kind::Hash => d.help("leave it out"),
            _ => d,
        })
    }

    /// The finding for a token behind a whole expression.
    pub(crate) fn leftover(&self, toks: &[Tok], at: usize) -> Box<Diagnostic> {
        let t = &toks[at];
        if t.kind == Kind::Bad {
            return self.bad_token(t);
        }
        let run = self.run_around(toks, at);
        // What ends before this token was a value.
        let reaches = run.end > t.span.start;
        let odd = self.foreign_number(run).filter(|_| reaches);
        let odd = odd.or_else(|| self.bad_digit(run));
        if let Some(d) = odd.or_else(|| self.odd_character(run)) {
            return d;
        }
        let text = clip(self.text(t));
        let before = at.checked_sub(1).map(|i| &toks[i]);
        let touches = before.is_some_and(|b| b.span.end == t.span.start);
        let quoted = |t: &Tok| matches!(t.kind, Kind::Single | Kind::Double);
        let new = |message: String| Diagnostic::new(codes::SYNTAX, message).at(t.span);
        Box::new(match t.kind {
            Kind::Close => new("this `)` has no `(` before it".into()),
            Kind::SquareClose => new("this `]` has no `[` before it".into()),
            Kind::Open if touches && before.is_some_and(|b| b.kind == Kind::Name) => {
                self.no_function(&toks[at - 1])
            }
            Kind::Single | Kind::Double if touches && before.is_some_and(quoted) => {
                let quote = &text[..1];
                new(format!("a doubled {quote} is no quote in a text here"))
                    .help(format!("write `\\{quote}` in the text"))
            }
            Kind::Colon => new("a line has one statement".into())
                .help("put what follows the `:` on a line of its own"),
            Kind::Name if self.starts_statement(t) => {
                new(format!("`{text}` starts another statement"))
                    .help("put it on a line of its own")
            }
            Kind::Name | Kind::Number | Kind::Dollar | Kind::Single | Kind::Double | Kind::Open => {
                new(format!("expected `,` or an operator before `{text}`"))
            }
            Kind::Hash => new("expected an operator or the end, found `#`".into()).help(
                match self.dialect.lexing.slashes != Slashes::Signs {
                    true => "a comment begins with `;` or `//`",
                    false => "a comment begins with `;`",
                },
            ),
            _ => new(format!("expected an operator or the end, found `{text}`")),
        })
    }

    fn starts_statement(&self, t: &Tok) -> bool {
        let word = self.words.get(self.text(t));
        word.word == 0 && (word.mnemonic != 0 || word.directive.is_some())
    }

    /// The finding for a name before parentheses that is no function.
    fn no_function(&self, name: &Tok) -> Diagnostic {
        let text = self.text(name);
        let d = Diagnostic::new(codes::SYNTAX, format!("{NO_FUNCTION} `{text}`"));
        let d = d.at(name.span);
        let names = self.dialect.values.functions.iter().map(|f| f.0);
        match near::nearest(text, names.clone()) {
            Some(n) => d.help(format!("did you mean `{n}()`?")),
            None if self.dialect.values.functions.is_empty() => {
                let from = self.library_defines(text);
                d.help(from.unwrap_or_else(|| NO_FUNCTIONS.into()))
            }
            None => d.note(format!(
                "there are {}",
                names.collect::<Vec<_>>().join(", ")
            )),
        }
    }
}
