//! TASM 3.2 as uz80as 1.13 reads it; the rules are in `docs/manual/dialect-tasm.md`.

use super::tables::*;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Op;
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::read::preprocess::Rules;
use crate::read::state::memo::LONGEST;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::operand::{Arguments, split};
use crate::text::lex::Tok;
use Directive as D;

/// Text macros with and without parameters, conditions that see constants.
static PREPROCESSOR: Rules = Rules {
    name_more: ".",
    messages: false,
    sees_symbols: true,
    asks_assembler: true,
    joins: false,
    grows: true,
    plain_texts: false,
    asks: &[],
    end: " .end",
    ..Rules::BUILT_IN
};

/// `.fill count,value`.
const FILL: D = D::Own(0);
/// `.ds count`.
const ROOM: D = D::Own(3);
/// What has no meaning for the bytes.
const IGNORED: D = D::Own(1);
/// What changes how bytes are written.
const REFUSED: D = D::Own(2);

/// 32 bits with sign; operators from left to right; labels in column 1.
pub static TASM: Dialect = Dialect {
    name: "tasm",
    title: "TASM 3.2 as uz80as 1.13 reads it",
    target: "z80",
    lexing: Lexing {
        escapes_single: true,
        ..Lexing::PLAIN
    },
    preprocessor: Some(&PREPROCESSOR),
    words: WordRules {
        directives: &[
            ("org", D::Org),
            ("db", D::Bytes),
            ("byte", D::Bytes),
            ("text", D::Bytes),
            ("dw", D::Words),
            ("word", D::Words),
            ("ds", ROOM),
            ("block", ROOM),
            ("fill", FILL),
            ("equ", D::Equ),
            ("set", D::Set),
            ("end", D::End),
            ("echo", IGNORED),
            ("title", IGNORED),
            ("list", IGNORED),
            ("nolist", IGNORED),
            ("page", IGNORED),
            ("nopage", IGNORED),
            ("eject", IGNORED),
            ("codes", IGNORED),
            ("nocodes", IGNORED),
            ("export", IGNORED),
            ("module", IGNORED),
            ("lsfirst", IGNORED),
            ("msfirst", REFUSED),
            ("chk", REFUSED),
        ],
        dotted: true,
        runs: true,
        macros: MacroStyle::Commas,
        mnemonics_first: true,
        bare_file_names: true,
        files_any_case: true,
        remembers: true,
        ..WordRules::PLAIN
    },
    values: ValueRules {
        binary: &[
            mark(Kind::Plus, Binary::Add, 1),
            mark(Kind::Minus, Binary::Sub, 1),
            mark(Kind::Star, Binary::Mul, 1),
            mark(Kind::Slash, Binary::Div, 1),
            mark(Kind::Percent, Binary::Mod, 1),
            mark(Kind::Amp, Binary::And, 1),
            mark(Kind::Pipe, Binary::Or, 1),
            mark(Kind::Caret, Binary::Xor, 1),
            mark(Kind::ShiftLeft, Binary::Shl, 1),
            mark(Kind::ShiftRight, Binary::Shr, 1),
            mark(Kind::Equal, Binary::Eq, 1),
            mark(Kind::EqualEqual, Binary::Eq, 1),
            mark(Kind::NotEqual, Binary::Ne, 1),
            mark(Kind::Less, Binary::Lt, 1),
            mark(Kind::LessEqual, Binary::Le, 1),
            mark(Kind::Greater, Binary::Gt, 1),
            mark(Kind::GreaterEqual, Binary::Ge, 1),
        ],
        unary: &[
            prefix(Kind::Plus, Unary::Plus, 2),
            prefix(Kind::Minus, Unary::Neg, 2),
            prefix(Kind::Tilde, Unary::Not, 2),
            prefix(Kind::Bang, Unary::LogicNot, 2),
        ],
        width: Width::Signed32,
        numbers: Numbers {
            suffixes: true,
            ..Numbers::PLAIN
        },
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        one_character_expression: true,
        ..ValueRules::PLAIN
    },
    names: NameRules {
        equals: true,
        ..NameRules::PLAIN
    },
    operands: OperandRules {
        index_wraps: true,
        index_overflow: Overflow::Warn,
        warn_parentheses: true,
        ..OperandRules::PLAIN
    },
    output: OutputRules {
        wraps: true,
        ..OutputRules::PLAIN
    },
    writing: Writing {
        leads_first: true,
        own: |n| match n {
            0 => Some(Said::Space),
            1 => Some(Said::Nothing),
            3 => Some(Said::Room),
            _ => None,
        },
        words: &[
            (Said::Org, ".org"),
            (Said::Bytes, ".db"),
            (Said::Words, ".dw"),
            (Said::Space, ".fill"),
            (Said::Room, ".ds"),
            (Said::Equ, ".equ"),
            (Said::Set, ".set"),
            (Said::End, ".end"),
            (Said::Include, "#include"),
            (Said::If, "#if"),
            (Said::IfDefined, ""),
            (Said::IfNotDefined, ""),
            (Said::ElseIf, ""),
            (Said::Else, "#else"),
            (Said::EndIf, "#endif"),
            (Said::Define, "#define"),
        ],
        hashed: &[
            ("include", Said::Include),
            ("if", Said::If),
            ("ifdef", Said::IfDefined),
            ("ifndef", Said::IfNotDefined),
            ("else", Said::Else),
            ("endif", Said::EndIf),
            ("define", Said::Define),
            ("end", Said::End),
        ],
        margin: true,
        separator: Some(Kind::Backslash),
        equal: Some(Said::Equ),
        heads: Heads::None,
        fill: 0xff,
        ..Writing::PLAIN
    },
};

/// Directives that have lists of data.
const LISTS: [&str; 5] = [".db", ".byte", ".dw", ".word", ".text"];

/// Its hooks.
pub struct Tasm;

impl Hooks for Tasm {
    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        a.chosen.overlap = true;
        let chunk = a.chunk as usize;
        a.program.chunks[chunk].overlap = true;
    }

    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        true
    }

    fn plain_labels(&self) -> bool {
        true
    }

    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.tasm_line(toks)
    }

    fn directive(&self, a: &mut Assembler<'_>, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match n {
            0 => a.tasm_fill(t, rest),
            1 => Ok(()),
            3 => a.tasm_room(t, rest),
            _ => {
                let message = format!("`{}` is not done by scrimp", a.text(t));
                Err(Box::new(
                    Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span),
                ))
            }
        }
    }

    fn operands(
        &self,
        a: &mut Assembler<'_>,
        _mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        Ok(a.halves_are_names(toks, args))
    }

    fn leaf(
        &self,
        a: &mut Assembler<'_>,
        t: &Tok,
        c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        match t.kind {
            Kind::Star => {
                let here = a.here;
                a.ops.push(Op::Place(here));
                Ok(true)
            }
            Kind::At => {
                let Some(n) = c.peek().filter(|n| n.span.start == t.span.end) else {
                    return Ok(false);
                };
                let Ok(v) = i64::from_str_radix(a.text(n), 8) else {
                    return Ok(false);
                };
                c.at += 1;
                a.ops.push(Op::Number(v));
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

impl Assembler<'_> {
    /// Whether a line begins in column 1; a text that a macro has made stands where the
    /// line in the file does.
    fn tasm_margin(&self, t: &Tok) -> bool {
        let span = self.sources.in_file(t.span);
        let text = self.sources.get(span.source).text.as_bytes();
        let at = span.start as usize;
        at == 0 || text.get(at - 1) == Some(&b'\n')
    }

    /// A line, cut at backslashes.
    fn tasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let margin = self.tasm_margin(&toks[0]);
        let mut pieces = toks.split(|t| t.kind == Kind::Backslash);
        let first = pieces.next().unwrap_or(&[]);
        let made = self.sources.get(toks[0].span.source).is_made();
        let mut done = match made && !margin {
            true => self.tasm_made_piece(first),
            false => self.tasm_piece(first, margin),
        };
        for piece in pieces {
            if let Err(d) = done {
                self.report(d);
            }
            if self.fatal {
                return Ok(());
            }
            done = self.tasm_made_piece(piece);
            self.memo.not_again();
        }
        done
    }

    /// A piece that macros have made, or of a line of several: an instruction of registers and
    /// numbers is looked up the next time.
    fn tasm_made_piece(&mut self, toks: &[Tok]) -> Outcome<()> {
        let text = match toks {
            [first, .., last] if first.span.source == last.span.source => {
                self.sources.slice(first.span.to(last.span))
            }
            _ => "",
        };
        if text.is_empty() || text.len() > LONGEST {
            return self.tasm_piece(toks, false);
        }
        let text = text.to_owned();
        if self.made_before(&text) {
            return Ok(());
        }
        let before = self.made_so_far();
        self.memo.not_again();
        self.tasm_piece(toks, false)?;
        let same = self.memo.plain;
        self.keep_made(&text, &before, same);
        Ok(())
    }

    /// A line without what stands behind a text, or from a `?` on, in a list of data.
    fn tasm_read<'t>(&mut self, toks: &'t [Tok]) -> &'t [Tok] {
        let data = |t: &Tok| {
            let text = self.sources.slice(t.span);
            text.starts_with('.') && LISTS.iter().any(|l| l.eq_ignore_ascii_case(text))
        };
        let Some(at) = toks.iter().take(3).position(data) else {
            return toks;
        };
        // A comma at the end says nothing.
        let toks = match toks {
            [list @ .., last] if last.kind == Kind::Comma && list.len() > at + 1 => list,
            _ => toks,
        };
        let behind = |i: usize| {
            let text = toks[i - 1].kind == Kind::Double && toks[i].kind != Kind::Comma;
            let begins = i < 2 || toks[i - 2].kind == Kind::Comma || i - 2 == at;
            text && begins || toks[i].kind == Kind::Question
        };
        let Some(end) = (at + 2..toks.len()).find(|&i| behind(i)) else {
            return toks;
        };
        let message = "what stands from here on is not read";
        let d = Diagnostic::new(codes::PEER_CODE, message).at(toks[end].span);
        self.report(Box::new(d));
        self.memo.not_again();
        &toks[..end]
    }

    fn tasm_piece(&mut self, toks: &[Tok], margin: bool) -> Outcome<()> {
        let toks = self.tasm_read(toks);
        let Some(first) = toks.first() else {
            return Ok(());
        };
        let text = self.sources.slice(first.span);
        let word = text.starts_with('.') && self.words.get(text).directive.is_some();
        if !margin || first.kind != Kind::Name || word {
            return self.line(toks);
        }
        let colon = toks.get(1).is_some_and(|t| t.kind == Kind::Colon);
        let (label, behind) = toks.split_at(1 + usize::from(colon));
        if self.directive_named(behind.first()) == Some(D::Org) {
            // The label is where that leads to.
            self.line(behind)?;
            let line = self.with_label(label, label.len());
            return self.line(&line);
        }
        let line = self.with_label(toks, label.len());
        self.line(&line)
    }

    /// `.ds count`: what follows is so much behind.
    fn tasm_room(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the count")?;
        self.check_count(n, self.span_of(rest))?;
        self.chosen.ends_at_number(self.span_of(rest));
        let at = self.here_value.unwrap_or(0) + n;
        self.open_chunk(Some(at as u64 & 0xffff), 1);
        Ok(())
    }

    /// `.fill count,value`; the value is FF where none is given.
    fn tasm_fill(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let (count, n) = self.counted_here(t, &rest[..end], "the count")?;
        self.check_count(n, self.span_of(&rest[..end]))?;
        let mut byte = 0xff;
        if let Some(&(a, b)) = parts.get(1) {
            let part = &rest[a as usize..b as usize];
            let v = self.known_here(t, part, "the byte to fill with")?;
            let span = self.span_of(part);
            byte = self.item_bits(v, 1, span)? as u8;
        }
        self.emit_room(count, n as usize, byte);
        Ok(())
    }
}
