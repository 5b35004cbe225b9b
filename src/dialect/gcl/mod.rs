//! GCL, the Gigatron Control Language (`gcl0x`), for the vCPU; the rules are in
//! `docs/manual/dialect-gcl.md`.
//!
//! Words stand between blanks and brackets, comments nest, and lines mean nothing: so the
//! whole text is read at its first line. A word is an instruction, data, or says where what
//! follows stands.

mod blocks;
mod constants;
mod emit;
mod names;
mod opcodes;
mod places;
mod state;
mod text;
mod variables;
mod words;

use super::tables::*;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::hooks::Given;
use crate::text::lex::Tok;
use state::State;
use std::any::Any;

/// Names by exact case; no expressions.
pub static GCL: Dialect = Dialect {
    name: "gcl",
    title: "GCL of the Gigatron",
    target: "vcpu",
    lexing: Lexing::PLAIN,
    preprocessor: None,
    words: WordRules::PLAIN,
    values: ValueRules {
        overflow: Overflow::Warn,
        data_overflow: Overflow::Warn,
        ..ValueRules::PLAIN
    },
    names: NameRules::PLAIN,
    operands: OperandRules::PLAIN,
    output: OutputRules::PLAIN,
    writing: Writing::PLAIN,
};

/// Its hooks.
pub struct Gcl;

impl Hooks for Gcl {
    fn state(&self) -> Box<dyn Any> {
        Box::new(State::default())
    }

    fn start(&self, a: &mut Assembler<'_>, _given: Given<'_>) {
        a.gcl_names();
        a.gcl_begin();
    }

    fn finish(&self, a: &mut Assembler<'_>) {
        a.gcl_end();
    }

    fn statement(&self, a: &mut Assembler<'_>, _toks: &[Tok]) -> Outcome<()> {
        a.gcl_text();
        Ok(())
    }

    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        match a.own.get_mut::<State>().operand.take() {
            Some(value) => Some(Ok(value)),
            None => a.plain_single(t),
        }
    }
}
