//! Names: `.x` under the last label, `@x` of a call or round, modules.

use super::state::State;
use super::values::is_word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::limits;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::fmt::Write;

/// Names that no label may have: registers.
const RESERVED: [&str; 29] = [
    "a", "b", "c", "d", "e", "f", "h", "l", "i", "r", "af", "bc", "de", "hl", "ix", "iy", "sp",
    "lx", "hx", "xl", "xh", "ly", "hy", "yl", "yh", "ixl", "iyl", "ixh", "iyh",
];

/// Whether a text is the name of a register.
pub fn is_register(text: &str) -> bool {
    RESERVED.iter().any(|r| r.eq_ignore_ascii_case(text))
}

/// Stands between a name and the call or round that it belongs to.
const MARK: char = '#';

/// A full name as it is written: without the marks of calls and rounds.
fn shown(full: &str) -> String {
    let mut parts = full.split(MARK);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let number = |c: char| c.is_ascii_digit() || c == 'm';
        let rest = part.trim_start_matches(number);
        // The number of a round, or a name under it.
        let behind = rest.strip_prefix('.').unwrap_or(rest);
        out.push_str(match behind.starts_with(|c: char| c.is_ascii_digit()) {
            true => behind.trim_start_matches(number),
            false => rest,
        });
    }
    out
}

impl Assembler<'_> {
    /// What a name that begins with `@` has behind it here.
    fn rasm_suffix(&self) -> String {
        let state = self.own.get::<State>();
        let mut out = String::new();
        for f in state.frames.iter().filter(|f| f.is_loop()) {
            let _ = write!(out, "{MARK}{}.{}", f.number, f.round);
        }
        if let Some(call) = state.frames.iter().rev().find(|f| !f.is_loop()) {
            let _ = write!(out, "{MARK}m{}", call.number);
        }
        out
    }

    /// The name as it is here, without the module.
    fn rasm_full(&self, text: &str) -> String {
        let state = self.own.get::<State>();
        if text.starts_with('.') {
            return format!("{}{text}", state.parent);
        }
        if !text.starts_with('@') || state.frames.is_empty() {
            return text.to_owned();
        }
        let suffix = self.rasm_suffix();
        match text.split_once('.') {
            Some((name, rest)) => format!("{name}{suffix}.{rest}"),
            None => format!("{text}{suffix}"),
        }
    }

    /// Whether a text may be a name; no `label` is a register.
    pub(super) fn rasm_check_name(&mut self, text: &str, span: Span, label: bool) -> Outcome<()> {
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(span)));
        }
        let inner = text.strip_prefix(['.', '@']).unwrap_or(text);
        if inner.is_empty() || !inner.bytes().all(is_word) {
            let message = format!("`{text}` is no name");
            let d = Diagnostic::new(codes::SYNTAX, message).at(span);
            return Err(Box::new(
                d.help("a name begins with a letter, `_`, `.` or `@`"),
            ));
        }
        if label && is_register(text) {
            let message = format!("`{text}` is a register and no name");
            let d = Diagnostic::new(codes::REDEFINED, message).at(span);
            return Err(Box::new(d.help("give it another name")));
        }
        if self.symbols.is_full() {
            return Err(self.too_many(limits::SYMBOLS, "symbols, or names too long for so many"));
        }
        Ok(())
    }

    /// The symbol of a full name.
    fn rasm_symbol(&mut self, full: &str) -> SymbolId {
        if !full.contains(MARK) {
            return self.symbols.intern(full);
        }
        // Calls and rounds cost what their names have.
        self.account.spent.expanded += full.len() as u64 / 64;
        let key = full.to_ascii_lowercase();
        if let Some(&id) = self.own.get::<State>().locals.get(&key) {
            return id;
        }
        let id = self.symbols.fresh(shown(full).into());
        self.symbols.get_mut(id).local = true;
        self.own.get_mut::<State>().locals.insert(key, id);
        id
    }

    /// The symbol that a name defines here; `label`: names with a dot are under it.
    pub(super) fn rasm_defined(&mut self, t: &Tok, label: bool) -> Outcome<SymbolId> {
        let text = self.text(t).to_owned();
        self.rasm_check_name(&text, t.span, label)?;
        if label && text == "_" {
            let state = self.own.get_mut::<State>();
            state.unnamed += 1;
            let full = format!("_{MARK}{}", state.unnamed);
            return Ok(self.rasm_symbol(&full));
        }
        let full = self.rasm_full(&text);
        let dot = text.starts_with('.');
        let state = self.own.get_mut::<State>();
        if label && !dot {
            state.parent = full.as_str().into();
        }
        let full = match full.starts_with('@') || state.module.is_empty() {
            true => full,
            false => format!("{}_{full}", state.module),
        };
        let id = self.rasm_symbol(&full);
        self.symbols.get_mut(id).local |= dot;
        Ok(id)
    }

    /// The symbol that a name means here.
    pub(super) fn rasm_named(&mut self, text: &str, span: Span) -> Outcome<SymbolId> {
        if text.len() > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(span)));
        }
        if self.symbols.is_full() {
            return Err(self.too_many(limits::SYMBOLS, "symbols, or names too long for so many"));
        }
        let full = self.rasm_full(text);
        let state = self.own.get::<State>();
        if full.starts_with('@') || state.module.is_empty() {
            return Ok(self.rasm_symbol(&full));
        }
        let inner = format!("{}_{full}", state.module);
        let outer = self.rasm_symbol(&full);
        if self.symbols.get(outer).variable {
            return Ok(outer);
        }
        let inner = self.rasm_symbol(&inner);
        if inner != outer && self.symbols.get(inner).outer.is_none() {
            self.symbols.get_mut(inner).outer = Some(outer);
        }
        Ok(inner)
    }

    /// The symbol that a token means, marked as used.
    pub(super) fn rasm_used(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.text(t).to_owned();
        let id = self.rasm_named(&text, t.span)?;
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    /// The label `_` so many before or behind here.
    pub(super) fn rasm_unnamed(&mut self, next: bool, span: Span) -> SymbolId {
        let n = self.own.get::<State>().unnamed + u32::from(next);
        let id = self.rasm_symbol(&format!("_{MARK}{n}"));
        let expansion = self.expansion;
        self.symbols.mark_used(id, span, expansion);
        id
    }

    /// Defines a label here.
    pub(super) fn rasm_label(&mut self, t: &Tok) -> Outcome<()> {
        if self.own.get::<State>().structure.is_some() {
            return self.rasm_field(t);
        }
        let id = self.rasm_defined(t, true)?;
        self.define_place(id, t.span, self.text(t).starts_with(['.', '@', '_']))
    }

    /// `module name`, `module off`, `endmodule`.
    pub(super) fn rasm_module(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let name = match rest {
            [] => String::new(),
            [n] if n.kind == Kind::Name => self.text(n).to_owned(),
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of a module");
                return Err(Box::new(d.at(t.span).help("`module off` leaves one")));
            }
        };
        if name.len() > 512 {
            let d = Diagnostic::new(codes::TOO_LONG, "the name of the module is too long");
            return Err(Box::new(d.at(t.span)));
        }
        let off = name.eq_ignore_ascii_case("off");
        self.own.get_mut::<State>().module = if off { String::new() } else { name };
        Ok(())
    }

    /// Whether a name has a meaning here, and whether it has been used.
    pub(super) fn rasm_asked(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<(bool, bool)> {
        let [name] = rest else {
            let message = format!("expected one name behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        if !matches!(name.kind, Kind::Name | Kind::At) {
            let message = format!("expected a name, found `{}`", self.text(name));
            let d = Diagnostic::new(codes::SYNTAX, message).at(name.span);
            return Err(Box::new(d));
        }
        if self.rasm_macro(name).is_some() || super::values::predefined(self.text(name)).is_some() {
            return Ok((true, true));
        }
        let text = self.text(name).to_owned();
        let id = self.rasm_named(&text, name.span)?;
        let all = [Some(id), self.symbols.get(id).outer];
        let all = all.into_iter().flatten().map(|id| self.symbols.get(id));
        Ok(all.fold((false, false), |(known, used), s| {
            (known || s.meaning != Meaning::Undefined, used || s.used)
        }))
    }

    /// `undef name`.
    pub(super) fn rasm_undefine(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let name = self.one_name(t, rest)?;
        let text = self.text(&name).to_owned();
        let id = self.symbols.intern(&text);
        let s = self.symbols.get_mut(id);
        if s.variable {
            // What used it has its value.
            (s.meaning, s.variable, s.first_use) = (Meaning::Undefined, false, None);
            (s.span, s.order) = (None, u32::MAX);
        }
        Ok(())
    }
}
