//! From names to the symbols that they mean where they stand: local names, scopes, files.

use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::text::language::DotRule;

impl Assembler<'_> {
    /// The symbol that a name means here.
    pub fn lookup(&mut self, text: &str) -> SymbolId {
        if !self.lines.scopes.is_empty() {
            // A name that is looked for in many levels counts as lines.
            self.account.spent.expanded += self.lines.scopes.len() as u64 / 64;
            let key = self.key(text);
            for s in self.lines.scopes.iter().rev() {
                if let Some(&id) = s.locals.get(&*key) {
                    return id;
                }
            }
        }
        if let Some(id) = self.lookup_local(text) {
            return id;
        }
        if self.naming.prefix.is_empty() {
            return self.symbols.intern(text);
        }
        // Scopes around, innermost first; each falls back to the next.
        let prefix = self.naming.prefix.clone();
        let mut cut = prefix.as_str();
        let first = self.symbols.intern(&format!("{cut}{text}"));
        let mut inner = first;
        while !cut.is_empty() {
            if self.symbols.get(inner).outer.is_some() {
                break;
            }
            cut = cut[..cut.len() - 1].rfind('.').map_or("", |i| &cut[..=i]);
            let o = self.symbols.intern(&format!("{cut}{text}"));
            if o == inner {
                break;
            }
            self.symbols.get_mut(inner).outer = Some(o);
            inner = o;
        }
        first
    }

    /// The symbol that a name means whose first character makes it local.
    fn lookup_local(&mut self, text: &str) -> Option<SymbolId> {
        let dots = self.dialect.names.dots;
        if dots == DotRule::Underscore && text.starts_with('_') {
            let name = format!("{}.{text}", self.naming.parent);
            let id = self.symbols.intern(&name);
            self.symbols.get_mut(id).local = true;
            return Some(id);
        }
        match dots {
            DotRule::UnderLabel if text.starts_with('.') => Some(self.under_label(text)),
            DotRule::PerFile if text.starts_with('.') => Some(self.of_file(text)),
            _ => None,
        }
    }

    /// `.name` of the label above. Inside an expansion the caller's local is meant if there
    /// is none of its own.
    fn under_label(&mut self, text: &str) -> SymbolId {
        let name = format!("{}{text}", self.naming.parent);
        let id = self.symbols.intern(&name);
        self.symbols.get_mut(id).local = true;
        let callers = self.lines.feeds.iter().rev();
        let outer = callers
            .filter_map(|f| f.caller.clone())
            .find(|p| *p != self.naming.parent);
        if let Some(parent) = outer
            && self.symbols.get(id).outer.is_none()
        {
            let o = self.symbols.intern(&format!("{parent}{text}"));
            if o != id {
                self.symbols.get_mut(id).outer = Some(o);
            }
        }
        id
    }

    /// `.name` of a file, else of the one that includes it.
    fn of_file(&mut self, text: &str) -> SymbolId {
        let levels: Vec<u32> = self.lines.feeds.iter().rev().map(|f| f.number).collect();
        let mut inner: Option<SymbolId> = None;
        let mut first = None;
        for n in levels {
            let id = self.symbols.intern(&format!("{text}#{n}"));
            self.symbols.get_mut(id).local = true;
            if let Some(i) = inner {
                if self.symbols.get(i).outer.is_some() {
                    break;
                }
                self.symbols.get_mut(i).outer = Some(id);
            }
            first = first.or(Some(id));
            inner = Some(id);
        }
        first.unwrap_or_else(|| self.symbols.intern(text))
    }
}
