//! The dialect of the optimizer MDL itself: what pasmo reads, and `ds virtual`. See
//! `docs/manual/dialect-mdl.md`.

use super::pasmo;
use super::tables::*;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::lex::Tok;
use Directive as D;

/// As pasmo.
pub static MDL: Dialect = Dialect {
    name: "mdl",
    title: "MDL's own dialect",
    words: WordRules {
        directives: &[
            ("org", D::Org),
            ("ds", D::Own(0)),
            ("defs", D::Own(0)),
            ("db", D::Bytes),
            ("defb", D::Bytes),
            ("defm", D::Bytes),
            ("dw", D::Words),
            ("defw", D::Words),
            ("include", D::Include),
            ("incbin", D::Incbin),
            ("if", D::If),
            ("else", D::Else),
            ("endif", D::EndIf),
            ("rept", D::Repeat),
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
        ..pasmo::RULES.words
    },
    writing: Writing {
        own: |_| Some(Said::Space),
        ..pasmo::RULES.writing
    },
    ..pasmo::RULES
};

/// Its hooks.
pub struct Mdl;

impl Hooks for Mdl {
    /// `ds virtual n` is room without bytes.
    fn directive(&self, a: &mut Assembler<'_>, _number: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
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
