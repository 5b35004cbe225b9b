//! Names of constants: those of the source, those that the ROM has, the opcodes of its 6502.

use super::opcodes;
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// The file of the room with what the ROMs have.
const INTERFACE: &str = "gigatron/interface.asm";

impl Assembler<'_> {
    /// Before the first file: what the ROM has.
    pub(super) fn gcl_names(&mut self) {
        let Some(source) = self.library_source(INTERFACE) else {
            return;
        };
        let mut names = std::collections::HashMap::new();
        let text = &self.sources.get(source).text;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if let Some((name, value)) = line.trim_end().split_once(": equ $")
                && let Ok(n) = i64::from_str_radix(value, 16)
            {
                let span = Span::new(source, at, at + name.len() as u32);
                names.insert(name.to_owned(), (n, span));
            }
            at += line.len() as u32;
        }
        let nowhere = Span::new(source, 0, 0);
        for (name, opcode) in opcodes::all() {
            names.insert(name, (i64::from(opcode), nowhere));
        }
        self.own.get_mut::<State>().interface = names;
    }

    /// The symbol of `\name`, used here.
    pub(super) fn gcl_constant(&mut self, name: &str) -> Outcome<SymbolId> {
        if name.is_empty() {
            return Err(self.gcl_no_word());
        }
        let id = self.symbols.intern(&format!("_{name}"));
        if self.symbols.get(id).meaning == Meaning::Undefined
            && let Some(&(n, span)) = self.own.get::<State>().interface.get(name)
        {
            self.define(id, Meaning::Number(n), span, false)?;
        }
        let (expansion, span) = (self.expansion, self.statement);
        self.symbols.mark_used(id, span, expansion);
        Ok(id)
    }

    /// The value that a symbol has so far.
    pub(super) fn gcl_symbol_now(&self, id: SymbolId) -> Option<i64> {
        match self.symbols.get(id).meaning {
            Meaning::Number(n) => Some(n),
            _ => None,
        }
    }

    /// A name that stands before `=`; false where it has that value already.
    fn gcl_is_new(&mut self, name: &str, n: i64) -> Outcome<bool> {
        if name.len() < 2 || !name.starts_with('_') {
            let message = format!("`{name}` is no name for a constant");
            let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
            return Err(Box::new(
                d.help("it begins with `_`; its value is `\\name`"),
            ));
        }
        let id = self.symbols.intern(name);
        match self.symbols.get(id).meaning {
            Meaning::Undefined => Ok(true),
            Meaning::Number(before) if before == n => Ok(false),
            _ => {
                let s = self.symbols.get(id);
                let d = Diagnostic::new(codes::REDEFINED, format!("`{name}` has another value"))
                    .at(self.statement);
                Err(Box::new(match s.span {
                    Some(at) => d.related(at, "which it got here"),
                    None => d,
                }))
            }
        }
    }

    /// `_name=5`.
    pub(super) fn gcl_define(&mut self, name: &str, n: i64) -> Outcome<()> {
        if self.gcl_is_new(name, n)? {
            let id = self.symbols.intern(name);
            self.define(id, Meaning::Number(n), self.statement, false)?;
        }
        Ok(())
    }

    /// `_name=*`.
    pub(super) fn gcl_label(&mut self, name: &str) -> Outcome<()> {
        let at = self.own.get::<State>().segment.at;
        if !self.gcl_is_new(name, at)? {
            return Ok(());
        }
        let word = self.statement;
        let t = Tok {
            kind: Kind::Name,
            span: Span::new(word.source, word.start, word.start + name.len() as u32),
        };
        self.define_label(&t)
    }
}
