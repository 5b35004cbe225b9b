//! Scopes: which symbol a name means where it stands.
//!
//! The symbol of a name has the name of its scope before it: `x` of the procedure `p` is
//! `p.x`, which is how others write it. A name that its scope does not have is looked for
//! in the one around; since it may be defined below, its symbol is made in each of them and
//! leads to the one further out.

use super::state::{Foreign, ROOT, Scope, State, Text};
use super::words::is_register;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

/// How far names may lead to others.
const CHAIN: u32 = 32;

/// Whether a token is a name.
pub(super) fn is_name(t: &Tok) -> bool {
    matches!(t.kind, Kind::Name | Kind::At | Kind::Question)
}

/// Whether one of some labels has a name, or one that it begins with.
fn defines(labels: Option<&Rc<FxHashSet<Arc<str>>>>, name: &str) -> bool {
    let Some(labels) = labels else { return true };
    let mut dots = name.match_indices('.').map(|m| &name[..m.0]);
    labels.contains(name) || dots.any(|part| labels.contains(part))
}

/// Puts a number behind a text.
fn decimal(n: u32, out: &mut String) {
    if n >= 10 {
        decimal(n / 10, out);
    }
    out.push(char::from(b'0' + (n % 10) as u8));
}

impl Assembler<'_> {
    /// Goes on in a scope.
    pub(super) fn glass_enter_scope(&mut self, scope: u32) {
        let names = &mut self.own.get_mut::<State>().names;
        names.scope = scope;
        let path = &names.scopes[scope as usize].path;
        self.naming.prefix.clear();
        self.naming.prefix.push_str(path);
    }

    /// A scope of that name in another.
    pub(super) fn glass_new_scope(
        &mut self,
        parent: u32,
        path: Arc<str>,
        labels: Option<Rc<FxHashSet<Arc<str>>>>,
    ) -> Outcome<u32> {
        let count = self.own.get::<State>().names.scopes.len();
        if count >= limits::SCOPES {
            return Err(self.too_many(limits::SCOPES, "scopes"));
        }
        let state = self.own.get_mut::<State>();
        let again = !state.known_macros.is_empty();
        let names = &mut state.names;
        // Looked for only where a macro of the run before was defined.
        if again {
            names.by_path.insert(path.clone(), count as u32);
        }
        names.scopes.push(Scope {
            parent,
            path,
            may_define: labels,
        });
        Ok(count as u32)
    }

    /// The name of a scope with a dot behind: that of a label, or one that no source has.
    pub(super) fn glass_path(&mut self, label: Option<&Tok>, instead: &str) -> Arc<str> {
        let state = self.own.get_mut::<State>();
        let names = &mut state.names;
        let around = &names.scopes[names.scope as usize].path;
        let full = &mut names.buffer;
        full.clear();
        match label {
            Some(l) => {
                full.push_str(around);
                full.push_str(self.program.sources.slice(l.span));
            }
            None => {
                state.number += 1;
                full.push_str(instead);
                full.push('#');
                decimal(state.number, full);
            }
        }
        full.push('.');
        full.as_str().into()
    }

    /// The full name of one of the scope in force.
    pub(super) fn glass_full(&self, t: &Tok) -> Arc<str> {
        format!("{}{}", self.naming.prefix, self.text(t)).into()
    }

    /// Where the names of a token are looked for.
    #[inline]
    pub(super) fn glass_scope_of(&self, t: &Tok) -> u32 {
        let state = self.own.get::<State>();
        match self.glass_foreign(t) {
            Some(f) => f.scope,
            None => state.names.scope,
        }
    }

    /// The text that a token of the statement came out of.
    #[inline]
    fn glass_foreign(&self, t: &Tok) -> Option<&Foreign> {
        let foreign = &self.own.get::<State>().foreign;
        match foreign.is_empty() {
            true => None,
            false => foreign.iter().find(|f| f.span == t.span),
        }
    }

    /// The symbol that a token means.
    #[inline]
    pub(super) fn glass_used(&mut self, t: &Tok) -> Outcome<SymbolId> {
        if (t.span.end - t.span.start) as usize > 1024 {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(t.span)));
        }
        if self.symbols.is_full() {
            let what = "symbols, or names too long for so many";
            return Err(self.too_many(limits::SYMBOLS, what));
        }
        let scope = self.glass_scope_of(t);
        let plain = self.own.get::<State>().names.aliases.is_empty();
        let id = match scope == ROOT && plain {
            true => {
                let name = self.program.sources.slice(t.span);
                self.program.symbols.intern(name)
            }
            false => {
                let name = self.text(t).to_owned();
                self.glass_find(scope, &name)
            }
        };
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    /// The symbol that a name means in a scope.
    pub(super) fn glass_find(&mut self, scope: u32, name: &str) -> SymbolId {
        if name.contains('.')
            && let Some((scope, name)) = self.glass_alias(scope, name)
        {
            return self.glass_in_scopes(scope, &name);
        }
        self.glass_in_scopes(scope, name)
    }

    fn glass_in_scopes(&mut self, scope: u32, name: &str) -> SymbolId {
        let names = &mut self.own.get_mut::<State>().names;
        let symbols = &mut self.program.symbols;
        let mut s = scope;
        let mut first: Option<SymbolId> = None;
        let mut inner: Option<SymbolId> = None;
        loop {
            let own = &names.scopes[s as usize];
            if s == ROOT || defines(own.may_define.as_ref(), name) {
                names.buffer.clear();
                names.buffer.push_str(&own.path);
                names.buffer.push_str(name);
                let id = symbols.intern(&names.buffer);
                if let Some(i) = inner {
                    symbols.get_mut(i).outer = Some(id);
                }
                first.get_or_insert(id);
                let found = symbols.get(id);
                if found.meaning != Meaning::Undefined
                    || found.outer.is_some()
                    || names.hidden.contains(&*names.buffer)
                {
                    break;
                }
                inner = Some(id);
            }
            if s == ROOT {
                break;
            }
            s = own.parent;
        }
        first.unwrap_or(SymbolId(0))
    }

    /// What a name with dots is where one that it begins with stands for another.
    pub(super) fn glass_alias(&self, scope: u32, name: &str) -> Option<(u32, String)> {
        let names = &self.own.get::<State>().names;
        if names.aliases.is_empty() && names.text_words.is_empty() {
            return None;
        }
        let (mut scope, mut name) = (scope, name.to_owned());
        let mut found = None;
        for _ in 0..CHAIN {
            let Some((to, instead)) = self.glass_one_alias(scope, &name) else {
                break;
            };
            (scope, name) = (to, instead);
            found = Some((scope, name.clone()));
            if name.len() > 1024 {
                break;
            }
        }
        found
    }

    fn glass_one_alias(&self, scope: u32, name: &str) -> Option<(u32, String)> {
        let names = &self.own.get::<State>().names;
        for (at, _) in name.rmatch_indices('.').filter(|m| m.0 > 0) {
            let (head, rest) = name.split_at(at);
            let texts = names.texts.get(head);
            let mut s = scope;
            loop {
                let own = &names.scopes[s as usize];
                if let Some(text) = texts.and_then(|t| t.get(&s))
                    && let [t] = text.toks[..]
                    && is_name(&t)
                {
                    return Some((text.scope, format!("{}{rest}", self.text(&t))));
                }
                let full = format!("{}{head}", own.path);
                if let Some((to, around)) = names.aliases.get(&*full) {
                    return Some((*around, format!("{to}{rest}")));
                }
                if s == ROOT || self.symbols.defined(&full).is_some() {
                    break;
                }
                s = own.parent;
            }
        }
        None
    }

    /// The text that a name stands for in a scope, and the scope of its names.
    pub(super) fn glass_text_of(&self, scope: u32, name: &str) -> Option<(Rc<Text>, u32)> {
        let names = &self.own.get::<State>().names;
        if !names.text_words.contains(name) || is_register(name) {
            return None;
        }
        let texts = names.texts.get(name);
        let mut s = scope;
        loop {
            let own = &names.scopes[s as usize];
            if let Some(text) = texts.and_then(|t| t.get(&s)) {
                return Some((text.clone(), text.scope));
            }
            let full = format!("{}{name}", own.path);
            if let Some(text) = names.known_texts.get(&*full) {
                return Some((text.clone(), s));
            }
            if s == ROOT || self.symbols.defined(&full).is_some() {
                return None;
            }
            s = own.parent;
        }
    }

    /// A name of the scope in force gets a meaning: what was taken for it above may have
    /// been that of a scope around.
    pub(super) fn glass_hides(&mut self, name: &Tok) {
        let state = self.own.get::<State>();
        if state.names.scope == ROOT {
            return;
        }
        let full = self.glass_full(name);
        let Some(id) = self.symbols.find(&full) else {
            return;
        };
        let s = self.symbols.get(id);
        let Some(outer) = s.outer.filter(|_| s.first_use.is_some()) else {
            return;
        };
        if self.symbols.get(self.symbols.resolve(outer)).meaning != Meaning::Undefined {
            let state = self.own.get_mut::<State>();
            state.again |= state.names.hidden.insert(full);
        }
    }

    /// A label at the address of the statement.
    pub(super) fn glass_label(&mut self, t: &Tok) -> Outcome<()> {
        if self.own.get::<State>().measuring > 0 {
            let full = self.glass_full(t);
            if let Some(n) = self.here_value
                && !self.own.get::<State>().macros.contains_key(&full)
            {
                let id = self.symbols.intern(&full);
                self.define(id, Meaning::Number(n), t.span, false)?;
            }
            return Ok(());
        }
        self.glass_hides(t);
        self.glass_is_free(t)?;
        self.define_label(t)?;
        if self.naming.prefix.contains('#') {
            let (id, _) = self.label_symbol(t)?;
            self.symbols.get_mut(id).local = true;
        }
        Ok(())
    }

    /// Macros and symbols do not share names.
    pub(super) fn glass_is_free(&mut self, t: &Tok) -> Outcome<()> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() {
            return Ok(());
        }
        if let Some((m, _)) = macros.get(&*self.glass_full(t)) {
            let message = format!("`{}` is defined twice", self.text(t));
            let d = Diagnostic::new(codes::REDEFINED, message).at(t.span);
            return Err(Box::new(d.related(m.span, "first defined here")));
        }
        Ok(())
    }

    /// A value that is one token.
    pub(super) fn glass_leaf(&mut self, t: &Tok, _c: &mut Cursor<'_>) -> Outcome<bool> {
        match t.kind {
            Kind::Name | Kind::At | Kind::Question => {
                let id = self.glass_used(t)?;
                self.push_symbol(id);
            }
            Kind::Dollar if t.span.end - t.span.start == 1 => {
                match self.glass_foreign(t).map(|f| f.text.here) {
                    Some(here) => self.ops.push(Op::Place(here)),
                    None => self.push_here(),
                }
            }
            Kind::Single | Kind::Double => match self.glass_units(t)?[..] {
                [unit] => self.ops.push(Op::Number(unit.into())),
                ref units => {
                    let message = format!("a text of {} characters is no value", units.len());
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(t.span);
                    return Err(Box::new(d));
                }
            },
            _ => return Ok(false),
        }
        Ok(true)
    }
}
