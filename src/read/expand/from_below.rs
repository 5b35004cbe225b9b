//! Where `#define` gives a value to a name for the whole program, as in avra, which goes
//! over the source twice with one set of names: lines above may use it too.
//!
//! Lines below were replaced while they were read. What is left without a value in the end
//! takes it from the text macro of that name.

use crate::program::Value;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::lex;

impl Assembler<'_> {
    /// Gives values to names that only a `#define` below has.
    pub(super) fn define_from_below(&mut self) {
        if !self.dialect.preprocessor.is_some_and(|r| r.sees_symbols) {
            return;
        }
        let missing = |a: &Self| -> Vec<SymbolId> {
            let ids = a.symbols.ids();
            ids.filter(|&i| {
                let s = a.symbols.get(i);
                s.used && s.meaning == Meaning::Undefined && !s.local
            })
            .collect()
        };
        let mut open = missing(self);
        let Some(p) = self.lines.pre.as_ref().filter(|_| !open.is_empty()) else {
            return;
        };
        let mut texts = p.texts();
        // A text may have names that are defined so themselves.
        while !open.is_empty() {
            let before = texts.len();
            for id in open {
                let name = self.symbols.get(id).name.to_string();
                if let Some(text) = texts.remove(&name.to_ascii_lowercase()) {
                    self.define_by_text(id, &name, text);
                }
            }
            open = match texts.len() < before {
                true => missing(self),
                false => Vec::new(),
            };
        }
    }

    fn define_by_text(&mut self, id: SymbolId, name: &str, text: String) {
        let source = self.sources.add_library(format!("<#define {name}>"), text);
        let mut toks = Vec::new();
        let text = &self.sources.get(source).text;
        lex::line(text, 0, source, self.dialect.lexing, &mut toks);
        if toks.is_empty() {
            return;
        }
        let span = self.span_of(&toks);
        // What is no value stays a name without one, which is reported where it is used.
        let meaning = match self.whole_expression(&toks) {
            Ok(Value::Number(n) | Value::Known(n, _)) => Meaning::Number(n),
            Ok(Value::Expr(e)) => Meaning::Expr(e),
            Err(_) => return,
        };
        if let Err(d) = self.define(id, meaning, span, false) {
            self.report(d);
        }
    }
}
