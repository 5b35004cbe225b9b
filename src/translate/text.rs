//! A source as lines with their tokens and what stands between them, and lines as
//! statements: label, word, arguments. No value is computed and nothing is read twice.

use crate::read::words::Words;
use crate::text::language::{Dialect, LabelRule};
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::SourceId;
use crate::text::writing::Said;
use rustc_hash::FxHashSet;

/// A line with the tokens in it; a comment over several lines makes them one.
#[derive(Debug)]
pub struct Line {
    /// First byte.
    pub start: usize,
    /// One past the last, without the line end.
    pub end: usize,
    /// Its tokens.
    pub toks: Vec<Tok>,
}

/// A file.
#[derive(Debug)]
pub struct File {
    /// Its name for the loader.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its bytes were no UTF-8.
    pub latin1: bool,
    /// Its lines.
    pub lines: Vec<Line>,
    /// For each line of the text, from 0, which of them it belongs to.
    of_row: Vec<u32>,
    /// For each line the macro whose lines it is among.
    pub macros: Vec<Option<String>>,
    /// For each line whether it gives a name a value that may change.
    pub varies: Vec<bool>,
}

impl File {
    /// Reads the tokens of a text.
    pub fn new(name: &str, text: &str, latin1: bool, d: &Dialect) -> Self {
        let mut lines = Vec::new();
        let mut of_row = Vec::new();
        let mut at = 0;
        loop {
            let mut toks = Vec::new();
            let next = lex::line(text, at, SourceId(0), d.lexing, &mut toks);
            let Some(next) = next else { break };
            // A sign may part statements of a line.
            let mut next = next;
            while !text[..next].ends_with('\n') && next < text.len() {
                let mut more = Vec::new();
                match lex::line(text, next, SourceId(0), d.lexing, &mut more) {
                    Some(n) => next = n,
                    None => break,
                }
            }
            let piece = &text[at..next];
            let rows = piece.matches('\n').count().max(1);
            of_row.extend(std::iter::repeat_n(lines.len() as u32, rows));
            let end = at + piece.trim_end_matches(['\n', '\r']).len();
            lines.push(Line {
                start: at,
                end,
                toks,
            });
            at = next;
        }
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
            latin1,
            macros: vec![None; lines.len()],
            varies: vec![false; lines.len()],
            lines,
            of_row,
        }
    }

    /// The text of a token.
    pub fn of(&self, t: &Tok) -> &str {
        &self.text[t.span.start as usize..t.span.end as usize]
    }

    /// The text of a line.
    pub fn written(&self, line: usize) -> &str {
        &self.text[self.lines[line].start..self.lines[line].end]
    }

    /// The line that a row of the text, from 1, belongs to.
    pub fn line_of(&self, row: usize) -> Option<usize> {
        let last = self.of_row.last().copied();
        let line = self.of_row.get(row.checked_sub(1)?).copied().or(last)?;
        Some(line as usize)
    }

    /// What stands before token `i` of a line, or behind its last one.
    pub fn gap(&self, line: usize, i: usize) -> &str {
        let l = &self.lines[line];
        let from = match i.checked_sub(1) {
            Some(before) => l.toks[before].span.end as usize,
            None => l.start,
        };
        let to = l.toks.get(i).map_or(l.end, |t| t.span.start as usize);
        &self.text[from.min(to)..to]
    }
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Nothing stands behind the label.
    Empty,
    /// A directive that others have.
    Said(Said),
    /// A directive that only this dialect has.
    Unsaid,
    /// An instruction.
    Instruction,
    /// A macro's call.
    Call,
    /// A parameter of the macro, or nothing that is known.
    Other,
}

/// A statement by numbers of tokens.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its label.
    pub label: Option<usize>,
    /// Its word.
    pub word: usize,
    /// Its first argument.
    pub args: usize,
    /// One past its last token.
    pub to: usize,
    /// What it is.
    pub verb: Verb,
}

/// What reads the statements of a dialect.
pub struct Reading {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// Its words.
    pub words: Words,
    /// Names of the macros of the program.
    pub macros: FxHashSet<String>,
}

/// Whether a token can be a name.
pub fn is_name(t: &Tok) -> bool {
    let long = t.span.end - t.span.start > 1;
    t.kind == Kind::Name || long && matches!(t.kind, Kind::At | Kind::Question)
}

impl Reading {
    /// A name as macros are known by it.
    pub fn key(&self, name: &str) -> String {
        match self.dialect.names.case_blind {
            true => name.to_ascii_lowercase(),
            false => name.to_owned(),
        }
    }

    /// What a word says as a directive.
    fn said(&self, word: &str) -> Option<Said> {
        let directive = self.words.get(word).directive?;
        self.dialect.said(directive)
    }

    /// The statements of a line.
    pub fn pieces(&self, f: &File, line: usize, parameters: &[String]) -> Vec<Piece> {
        let toks = &f.lines[line].toks;
        let mut out = Vec::new();
        if toks.is_empty() {
            return out;
        }
        let separator = self.dialect.writing.separator;
        let mut from = 0;
        loop {
            let mut piece = self.piece(f, line, from);
            let body = piece.args.min(toks.len());
            let macro_head = piece.verb == Verb::Said(Said::Macro);
            let parts = |i: &usize| {
                Some(toks[*i].kind) == separator
                    && !macro_head
                    && !self.is_parameter(f, toks, *i, parameters)
            };
            let start = body.max(piece.word);
            match (start..toks.len()).find(parts) {
                Some(end) => {
                    piece.to = end;
                    piece.args = piece.args.min(end);
                    out.push(piece);
                    from = end + 1;
                    if from >= toks.len() {
                        return out;
                    }
                }
                None => {
                    out.push(piece);
                    return out;
                }
            }
        }
    }

    /// Whether a sign stands before a parameter.
    pub fn is_parameter(&self, f: &File, toks: &[Tok], i: usize, parameters: &[String]) -> bool {
        let sign = matches!(toks[i].kind, Kind::Backslash | Kind::Amp);
        let next = toks.get(i + 1);
        let near = next.filter(|n| n.span.start == toks[i].span.end && n.kind == Kind::Name);
        sign && near.is_some_and(|n| parameters.iter().any(|p| p == f.of(n)))
    }

    /// The statement that begins at token `from`.
    fn piece(&self, f: &File, line: usize, from: usize) -> Piece {
        let toks = &f.lines[line].toks;
        let (label, word) = self.label(f, line, from);
        let w = &self.dialect.writing;
        let (mut args, mut verb) = (word + 1, Verb::Other);
        match toks.get(word) {
            None => (args, verb) = (word, Verb::Empty),
            Some(t) if t.kind == Kind::Hash && !w.hashed.is_empty() => {
                args = (word + 2).min(toks.len());
                let name = toks.get(word + 1).map_or("", |n| f.of(n));
                let row = w.hashed.iter().find(|h| h.0.eq_ignore_ascii_case(name));
                verb = row.map_or(Verb::Unsaid, |h| Verb::Said(h.1));
            }
            Some(t) if t.kind == Kind::Equal => {
                verb = w.equal.map_or(Verb::Unsaid, Verb::Said);
            }
            Some(t) if t.kind == Kind::ColonEqual => verb = Verb::Said(Said::Set),
            Some(t) if t.kind == Kind::Name => verb = self.verb(f, toks, word, label.is_some()),
            Some(_) => {}
        }
        Piece {
            label,
            word,
            args,
            to: toks.len(),
            verb,
        }
    }

    fn verb(&self, f: &File, toks: &[Tok], word: usize, labelled: bool) -> Verb {
        let text = f.of(&toks[word]);
        let e = self.words.get(text);
        let first = self.dialect.words.mnemonics_first && e.mnemonic != 0;
        if !first && self.macros.contains(&self.key(text)) {
            return Verb::Call;
        }
        let said = e.directive.map(|d| self.dialect.said(d));
        let defines = labelled && said == Some(Some(Said::Set));
        if e.mnemonic != 0 && (!defines || toks[word..].iter().any(|t| t.kind == Kind::Comma)) {
            return Verb::Instruction;
        }
        match said {
            Some(Some(said)) => Verb::Said(said),
            Some(None) => Verb::Unsaid,
            None => Verb::Other,
        }
    }

    /// The label that a statement begins with, and the token behind it.
    fn label(&self, f: &File, line: usize, from: usize) -> (Option<usize>, usize) {
        let toks = &f.lines[line].toks;
        let (d, w) = (self.dialect, &self.dialect.writing);
        let first = &toks[from];
        let margin = w.margin && from == 0 && first.span.start as usize == f.lines[line].start;
        let colon = |i: usize| toks.get(i).is_some_and(|t| t.kind == Kind::Colon);
        let number = first.kind == Kind::Number && (margin || d.values.numbers.labels);
        if !is_name(first) && !number {
            return (None, from);
        }
        let parts = w.separator == Some(Kind::Colon) && !margin;
        if colon(from + 1) && !parts {
            return (Some(from), from + 2 + usize::from(colon(from + 2)));
        }
        let text = f.of(first);
        let entry = self.words.get(text);
        let own = self.said(text);
        let second = toks.get(from + 1);
        let next = second.and_then(|t| match t.kind {
            Kind::Name => self.said(f.of(t)),
            Kind::Equal => w.equal,
            Kind::ColonEqual => Some(Said::Set),
            _ => None,
        });
        let behind = d.names.names_behind && second.is_some_and(|t| t.kind == Kind::Name);
        let defines = match next {
            Some(Said::Macro) => entry.directive.is_none(),
            Some(Said::Equ | Said::Set) => entry.directive.is_none() && !behind,
            _ => false,
        };
        if defines {
            return (Some(from), from + 1);
        }
        if margin {
            let dotted = text.starts_with('.') && entry.directive.is_some();
            let early = matches!(
                own,
                Some(
                    Said::If
                        | Said::IfNot
                        | Said::IfDefined
                        | Said::IfNotDefined
                        | Said::Conditional
                        | Said::Else
                        | Said::ElseIf
                        | Said::EndIf
                        | Said::EndMacro
                        | Said::EndRepeat
                        | Said::EndBlock
                )
            );
            let early = early || w.directives_first && entry.directive.is_some();
            return match early || dotted {
                true => (None, from),
                false => (Some(from), from + 1),
            };
        }
        let bare = d.names.labels == LabelRule::ColonOrBare && !w.margin;
        let known = self.words.is_statement(text) || self.macros.contains(&self.key(text));
        match bare && !known {
            true => (Some(from), from + 1),
            false => (None, from),
        }
    }
}
