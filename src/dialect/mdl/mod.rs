//! The dialect of the optimizer MDL itself: pasmo's words, values of its own, and
//! `ds virtual`. See `docs/manual/dialect-mdl.md`.

use super::pasmo;
use super::tables::*;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::text::lex::Tok;
use Directive as D;

/// Pasmo's words; 32 bits with sign; bytes in the order of the lines.
pub static MDL: Dialect = Dialect {
    name: "mdl",
    title: "MDL's own dialect",
    lexing: Lexing {
        amp_digits: false,
        amp_letters: false,
        percent_always: false,
        raw_texts: true,
        slashes: Slashes::Comments,
        ..pasmo::RULES.lexing
    },
    words: WordRules {
        directives: &[
            ("org", D::Org),
            ("ds", D::Own(0)),
            ("defs", D::Own(0)),
            ("db", D::Own(1)),
            ("defb", D::Own(1)),
            ("defm", D::Own(1)),
            ("dw", D::Own(2)),
            ("defw", D::Own(2)),
            ("dd", D::Own(4)),
            ("include", D::Include),
            ("incbin", D::Incbin),
            ("if", D::If),
            ("ifdef", D::IfDefined),
            ("ifndef", D::IfNotDefined),
            ("else", D::Else),
            ("endif", D::EndIf),
            ("rept", D::Repeat),
            ("endr", D::EndRepeat),
            ("irp", D::ForEach),
            ("macro", D::Macro),
            ("endm", D::EndMacro),
            ("exitm", D::ExitMacro),
            (".shift", D::Shift),
            ("local", D::Local),
            ("proc", D::Proc),
            ("endp", D::EndProc),
            (".error", D::Error),
            (".warning", D::Warning),
            ("equ", D::Equ),
            ("defl", D::Set),
            ("end", D::End),
            ("public", D::Public),
        ],
        // What others call so is `sli` there.
        mnemonics: &[("sli", "sll"), ("sll", "sla")],
        // All names are known before the first count and the first call.
        runs: true,
        calls_above: true,
        ..pasmo::RULES.words
    },
    values: ValueRules {
        binary: &[
            mark(Kind::OrOr, Binary::LogicOr, 1),
            mark(Kind::AndAnd, Binary::LogicAnd, 2),
            mark(Kind::Pipe, Binary::Or, 3),
            word("or", Binary::Or, 3),
            mark(Kind::Caret, Binary::Xor, 4),
            word("xor", Binary::Xor, 4),
            mark(Kind::Amp, Binary::And, 5),
            word("and", Binary::And, 5),
            mark(Kind::Equal, Binary::Eq, 6),
            mark(Kind::EqualEqual, Binary::Eq, 6),
            mark(Kind::NotEqual, Binary::Ne, 6),
            mark(Kind::Less, Binary::Lt, 7),
            mark(Kind::LessEqual, Binary::Le, 7),
            mark(Kind::Greater, Binary::Gt, 7),
            mark(Kind::GreaterEqual, Binary::Ge, 7),
            mark(Kind::ShiftLeft, Binary::Shl, 8),
            word("shl", Binary::Shl, 8),
            mark(Kind::ShiftRight, Binary::Shr, 8),
            word("shr", Binary::Shr, 8),
            mark(Kind::Plus, Binary::Add, 9),
            mark(Kind::Minus, Binary::Sub, 9),
            mark(Kind::Star, Binary::Mul, 10),
            mark(Kind::Slash, Binary::Div, 10),
            mark(Kind::Percent, Binary::Mod, 10),
            word("mod", Binary::Mod, 10),
        ],
        unary: &[
            prefix(Kind::Tilde, Unary::Not, 11),
            prefix(Kind::Bang, Unary::LogicNot, 11),
            prefix(Kind::Plus, Unary::Plus, 11),
            prefix(Kind::Minus, Unary::Neg, 11),
            prefix_word("not", Unary::Not, 11),
            prefix_word("high", Unary::High, 11),
            prefix_word("low", Unary::Low, 11),
            prefix_word("defined", Unary::Defined, 11),
            prefix_word("nul", Unary::Nul, 11),
        ],
        truth: -1,
        logic_truth: -1,
        width: Width::Signed32,
        numbers: Numbers {
            bin_0b: true,
            ..pasmo::RULES.values.numbers
        },
        ..pasmo::RULES.values
    },
    names: NameRules {
        of_calls: true,
        ..pasmo::RULES.names
    },
    operands: OperandRules {
        index_minus_whole: false,
        ..pasmo::RULES.operands
    },
    output: OutputRules {
        // The bytes in the order of the lines, whatever their addresses.
        sequential: true,
        counts_on: true,
        ..pasmo::RULES.output
    },
    writing: Writing {
        own: |n| {
            Some(match n {
                0 => Said::Space,
                1 => Said::Bytes,
                4 => Said::Longs,
                _ => Said::Words,
            })
        },
        ..pasmo::RULES.writing
    },
    ..pasmo::RULES
};

/// Its hooks.
pub struct Mdl;

impl Hooks for Mdl {
    fn plain_lines(&self) -> bool {
        true
    }

    /// `ds virtual n` is room without bytes; in lists `$` is where the item is.
    fn directive(&self, a: &mut Assembler<'_>, number: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if number > 0 {
            return a.items_here(t, rest, number as u8, &mut |a, part, items| match part {
                [text] if number == 1 && is_quoted(text) => {
                    items.bytes.extend(a.quoted_codes(text)?);
                    Ok(())
                }
                _ => a.value_here(part, number as u8, items),
            });
        }
        let is_virtual =
            |t: &Tok| t.kind == Kind::Name && a.text(t).eq_ignore_ascii_case("virtual");
        let [first, count @ ..] = rest else {
            return a.space(t, rest);
        };
        if !is_virtual(first) || count.is_empty() {
            return a.space(t, rest);
        }
        let v = a.whole_expression(count)?;
        let span = a.span_of(count);
        let n = a.must_know(v, span, "the count")?;
        a.check_count(n, span)?;
        let Some(here) = a.here_value else {
            let d = Diagnostic::new(codes::NOT_KNOWN_YET, "the address is not known here");
            return Err(Box::new(d.at(t.span)));
        };
        a.open_chunk(Some((here + n) as u64 & 0xffff), 1);
        Ok(())
    }
}
