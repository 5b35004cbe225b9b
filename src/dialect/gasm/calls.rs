//! The table of calls: `CALL name` goes through a word in page 0 that the assembler sets.

use super::state::{Call, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::item::Given;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::collections::HashMap;

/// Where page 0 has the constant 1, which no entry may touch.
const ONE: i64 = 0x80;
/// Bytes of a page.
const PAGE: i64 = 0x100;

impl Assembler<'_> {
    /// `CALL address` where there is a table; which cell it is is known at the end.
    pub(super) fn gasm_called(&mut self, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let known = self.own.get::<State>().called.get(&text).copied();
        let n = match known {
            Some(n) => n,
            None => {
                let name = match rest {
                    [t] if t.kind == Kind::Name => Some(self.symbol_named(t)?),
                    _ => None,
                };
                let state = self.own.get::<State>();
                let n = state.calls.len();
                let cell = match name {
                    Some(_) => format!("{text}.cell"),
                    None => format!("call{n}.cell"),
                };
                let value = self.whole_expression(rest)?;
                let span = self.span_of(rest);
                let state = self.own.get_mut::<State>();
                state.calls.push(Call {
                    cell,
                    value,
                    name,
                    span,
                });
                state.called.insert(text, n);
                n
            }
        };
        let cell = self.own.get::<State>().calls[n].cell.clone();
        let made = self.made_line(&format!(" call {cell}"))?;
        self.line(&made)
    }

    /// Behind the last line: gives what is called its cells, from the first one down, and
    /// writes the table. Without a table each is a cell itself.
    pub(super) fn gasm_table(&mut self) {
        let state = self.own.get_mut::<State>();
        let said = state.table;
        let mut next = said.map_or(0, |t| t.0);
        let calls = std::mem::take(&mut state.calls);
        let mut cells: HashMap<i64, i64> = HashMap::new();
        let mut table: Vec<(i64, Value)> = Vec::new();
        for call in calls {
            let Ok(address) = self.known(call.value) else {
                let fault = self.gasm_unknown(&call);
                self.report(fault);
                continue;
            };
            // A name with a value that is no label is a cell too.
            let plain = |id: SymbolId| !self.symbols.get(id).label;
            let cell = match cells.get(&(address & 0xffff)) {
                _ if said.is_none() || call.name.is_some_and(plain) => address,
                Some(&cell) => cell,
                None => {
                    let cell = next;
                    cells.insert(address & 0xffff, cell);
                    table.push((cell, call.value));
                    next -= 2;
                    if next == ONE || next + 1 == ONE {
                        next = ONE - 2;
                    }
                    cell
                }
            };
            let defined = self.gasm_cell(&call.cell, cell & 0xff, call.span);
            if let Err(d) = defined {
                self.report(d);
            }
        }
        if let Some((_, said)) = said {
            self.gasm_write(table, said);
        }
    }

    /// Writes the table.
    fn gasm_write(&mut self, table: Vec<(i64, Value)>, said: Span) {
        self.statement = said;
        if table.last().is_some_and(|c| c.0 < 0) {
            let message = format!("{} calls are more than page 0 has room for", table.len());
            return self.report(Box::new(Diagnostic::new(codes::TOO_MUCH, message).at(said)));
        }
        for (cell, value) in table.into_iter().rev() {
            self.open_chunk(Some(cell as u64 & 0xffff), 1);
            // It names its place, also where that moves.
            let address = self.known(value).unwrap_or(0) as u16;
            self.fix(self.here, Field::Data(2), value, said, Given::All);
            self.emit_data(&address.to_le_bytes(), Class::Data);
        }
    }

    /// Fills what lies between the pieces of page 0, of which a `.gt1` can have one: with
    /// zeros, and the constant in its place.
    pub(super) fn gasm_join(&mut self) {
        let chunks = self.program.chunks.iter().filter(|c| c.size > 0);
        let mut pieces: Vec<(i64, i64)> = chunks
            .filter_map(|c| Some((i64::try_from(c.base?).ok()?, i64::from(c.size))))
            .filter(|&(base, _)| base < PAGE)
            .map(|(base, size)| (base, base + size))
            .collect();
        pieces.sort_unstable();
        let Some(&(_, mut end)) = pieces.first() else {
            return;
        };
        for (from, to) in pieces {
            // Each byte by itself: page 0 has several regions.
            for at in end..from {
                self.open_chunk(Some(at as u64), 1);
                self.emit_data(&[u8::from(at == ONE)], Class::Data);
            }
            end = end.max(to);
        }
    }

    fn gasm_cell(&mut self, name: &str, cell: i64, span: Span) -> Outcome<()> {
        let made = self.made_line(name)?;
        let id = self.symbol_named(&made[0])?;
        self.define(id, Meaning::Number(cell), span, false)?;
        self.symbols.get_mut(id).local = true;
        Ok(())
    }

    fn gasm_unknown(&self, call: &Call) -> Box<Diagnostic> {
        let what = match call.name {
            Some(id) => format!("`{}` is not defined", self.symbols.get(id).name),
            None => "the address of the call is not known".to_owned(),
        };
        Box::new(Diagnostic::new(codes::UNKNOWN_SYMBOL, what).at(call.span))
    }
}
