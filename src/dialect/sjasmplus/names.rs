//! Names: modules, labels with a dot under the last one without, `@` for all modules,
//! labels of a macro's call, numbers as labels.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::NONE;
use crate::program::Outcome;
use crate::program::limits;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::source::Span;
use std::sync::Arc;

/// Whether a byte may stand in a name.
#[inline]
pub fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'?' | b'!' | b'#' | b'@') || b >= 0x80
}

/// Whether a text begins as a name does, with a dot or `@` before it or without.
pub fn begins_name(text: &str) -> bool {
    let text = text.strip_prefix(['.', '@']).unwrap_or(text);
    let first = text.bytes().next();
    first.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80)
}

/// A name as it is written where it is defined.
struct Written<'n> {
    name: &'n str,
    global: bool,
    local: bool,
    /// Of a macro's call.
    of_call: bool,
}

impl Assembler<'_> {
    /// The full name of sjasm's `.@x`: that of the macro or loop around this one, and so on.
    fn sjasm_outer(&self, text: &str) -> Option<String> {
        let rest = text.strip_prefix(".@")?;
        let state = self.own.get::<State>();
        let mut label: &str = &state.calls.last()?.label;
        let name = rest.trim_start_matches('@');
        for _ in 0..=rest.len() - name.len() {
            match label.split_once('.') {
                Some((_, outer)) => label = outer,
                None => return Some(format!("{}.{name}", state.parent)),
            }
        }
        Some(format!("{label}>{name}"))
    }

    /// Forgets the calls whose lines are all read.
    pub(super) fn sj_leave_calls(&mut self) {
        let depth = self.lines.feeds.len();
        let calls = &mut self.own.get_mut::<State>().calls;
        while calls.last().is_some_and(|c| c.depth > depth) {
            calls.pop();
        }
    }

    /// The full name that a name has here.
    fn sj_full(&self, w: &Written<'_>) -> String {
        let state = self.own.get::<State>();
        match state.calls.last() {
            Some(call) if w.of_call => format!("{}>{}", call.label, w.name),
            _ if w.local => format!("{}.{}", state.parent, w.name),
            _ if w.global || state.module.is_empty() => w.name.to_owned(),
            _ => format!("{}.{}", state.module, w.name),
        }
    }

    fn sj_check(&mut self, text: &str, span: Span) -> Outcome<()> {
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(span)));
        }
        if !begins_name(text) || !text.bytes().all(in_name) {
            let message = format!("`{text}` is no name for a label");
            let d = Diagnostic::new(codes::SYNTAX, message).at(span);
            return Err(Box::new(d.help("a name begins with a letter or `_`")));
        }
        if self.symbols.is_full() {
            return Err(self.too_many(limits::SYMBOLS, "symbols, or names too long for so many"));
        }
        Ok(())
    }

    /// The symbol that a name defines here, and whether it is a local one. `parent`: names
    /// with a dot behind it are under it.
    pub(super) fn sj_defined(
        &mut self,
        text: &str,
        span: Span,
        parent: bool,
    ) -> Outcome<(SymbolId, bool)> {
        let (text, parent) = match text.strip_prefix('!') {
            Some(rest) => (rest, false),
            None => (text, parent),
        };
        let in_call = !self.own.get::<State>().calls.is_empty();
        // `@.x` in a macro is a label of the lines around the call.
        if let Some(full) = self.sjasm_outer(text) {
            return Ok((self.symbols.intern(&full), true));
        }
        let outside = in_call && parent && text.starts_with("@.");
        let text = if outside { &text[1..] } else { text };
        self.sj_check(text, span)?;
        let local = text.starts_with('.');
        if !local && self.own.get::<State>().module.is_empty() {
            let id = self.symbols.intern(text.strip_prefix('@').unwrap_or(text));
            if parent {
                self.own.get_mut::<State>().parent = self.symbols.get(id).name.clone();
            }
            return Ok((id, false));
        }
        let w = Written {
            name: text.strip_prefix(['.', '@']).unwrap_or(text),
            global: text.starts_with('@'),
            local,
            of_call: local && in_call && !outside,
        };
        let full = self.sj_full(&w);
        let id = self.symbols.intern(&full);
        if parent && !local {
            self.own.get_mut::<State>().parent = full.into();
        }
        Ok((id, local))
    }

    /// The symbol that a name means here.
    pub(super) fn sj_symbol(&mut self, text: &str, span: Span) -> Outcome<SymbolId> {
        if let Some(full) = self.sjasm_outer(text) {
            return Ok(self.symbols.intern(&full));
        }
        self.sj_check(text, span)?;
        let state = self.own.get::<State>();
        let (local, global) = (text.starts_with('.'), text.starts_with('@'));
        if !local && (global || state.module.is_empty()) {
            let name = text.strip_prefix('@').unwrap_or(text);
            return Ok(self.program.symbols.intern(name));
        }
        let name = text.strip_prefix('.').unwrap_or(text);
        let mut chain: Vec<String> = Vec::new();
        if local {
            if let Some(call) = state.calls.last() {
                let mut label: &str = &call.label;
                loop {
                    chain.push(format!("{label}>{name}"));
                    match label.split_once('.') {
                        Some((_, outer)) => label = outer,
                        None => break,
                    }
                }
            }
            chain.push(format!("{}.{name}", state.parent));
        } else {
            chain.push(format!("{}.{name}", state.module));
            chain.push(name.to_owned());
        }
        self.account.spent.expanded += chain.len() as u64 / 64;
        let first = self.symbols.intern(&chain[0]);
        let mut inner = first;
        for outer in &chain[1..] {
            if self.symbols.get(inner).outer.is_some() {
                break;
            }
            let id = self.symbols.intern(outer);
            if id == inner {
                break;
            }
            self.symbols.get_mut(inner).outer = Some(id);
            inner = id;
        }
        if local {
            self.symbols.get_mut(first).local = true;
        }
        Ok(first)
    }

    /// The same, marked as used.
    pub(super) fn sj_used(&mut self, text: &str, span: Span) -> Outcome<SymbolId> {
        let id = self.sj_symbol(text, span)?;
        self.sj_mark(id, span);
        Ok(id)
    }

    fn sj_mark(&mut self, id: SymbolId, span: Span) {
        self.sjasm_used(id);
        let expansion = self.expansion;
        let s = self.symbols.get_mut(id);
        s.used = true;
        if s.first_use.is_none() {
            s.first_use = Some((span, expansion));
        }
    }

    /// Notes for the next run which names are used.
    pub(super) fn sj_note_used(&mut self) {
        let symbols = &self.program.symbols;
        let used = symbols.ids().filter(|&i| symbols.get(i).used);
        let names = used.map(|i| symbols.get(symbols.resolve(i)).name.clone());
        let names = names.collect();
        self.own.get_mut::<State>().used = names;
    }

    /// Defines a label here, so many bytes behind the start of the statement.
    pub(super) fn sj_label_here(&mut self, text: &str, span: Span, plus: i64) -> Outcome<()> {
        let (id, local) = self.sj_defined(text, span, true)?;
        self.sj_place(id, span, local, plus)
    }

    /// Gives a symbol the address of the statement.
    pub(super) fn sj_place(
        &mut self,
        id: SymbolId,
        span: Span,
        local: bool,
        plus: i64,
    ) -> Outcome<()> {
        let mut here = self.here;
        here.plus += plus as u32;
        self.own.get_mut::<State>().origin.ask();
        let meaning = match self.here_value {
            Some(n) => Meaning::Number(n + plus),
            None => Meaning::At(here),
        };
        self.define(id, meaning, span, false)?;
        let section = self.section;
        let s = self.symbols.get_mut(id);
        s.label = true;
        s.local = local;
        s.section = section;
        s.place = Some(here);
        self.sj_note_page(id, self.here_value.map(|n| n + plus), None);
        self.sjasm_defined(id);
        self.sj_note_moved(id);
        if !local {
            let before = std::mem::replace(&mut self.sections[section as usize].owner, id.0);
            if before != NONE {
                let b = self.symbols.get_mut(SymbolId(before));
                if b.place.is_some_and(|p| p.chunk == here.chunk) {
                    b.end.get_or_insert(here);
                }
            }
        }
        Ok(())
    }

    /// Defines a number as a label here.
    pub(super) fn sj_number_label(&mut self, text: &str, span: Span) -> Outcome<()> {
        let Ok(n) = text.parse::<u64>() else {
            let message = format!("`{text}` is no label: a name or a number");
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(span)));
        };
        let name: Arc<str> = text.into();
        let entry = self.own.get_mut::<State>().numbered.entry(n).or_default();
        let id = match entry.1.take() {
            Some(id) => id,
            None => self.program.symbols.fresh(name),
        };
        entry.0 = Some(id);
        self.sj_place(id, span, true, 0)
    }

    /// The symbol that `1b` or `1f` means here.
    pub(super) fn sj_numbered(
        &mut self,
        digits: &str,
        forward: bool,
        span: Span,
    ) -> Outcome<SymbolId> {
        let none = |text: String| Box::new(Diagnostic::new(codes::UNKNOWN_SYMBOL, text).at(span));
        let Ok(n) = digits.parse::<u64>() else {
            return Err(none(format!("there is no label `{digits}`")));
        };
        let name: Arc<str> = digits.into();
        let entry = self.own.get_mut::<State>().numbered.entry(n).or_default();
        let id = match forward {
            true => *entry
                .1
                .get_or_insert_with(|| self.program.symbols.fresh(name)),
            false => match entry.0 {
                Some(id) => id,
                None => return Err(none(format!("there is no label `{digits}` above"))),
            },
        };
        self.symbols.get_mut(id).local = true;
        self.sj_mark(id, span);
        Ok(id)
    }
}
