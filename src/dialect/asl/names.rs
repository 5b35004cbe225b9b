//! What names mean: those of sections and of calls, `.x`, `$$x`, `-` and `+`.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::limits;
use crate::program::symbol::SymbolId;
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// How many labels `-` and `+` are seen from.
const SIGHT: usize = 3;

/// No name is longer.
const LONGEST: usize = 1024;

impl Assembler<'_> {
    /// A name as it is told from others: `.x` with what is before it, `$$x` with its
    /// number.
    fn asl_whole(&self, text: &str) -> String {
        let names = &self.own.get::<State>().names;
        if let Some(x) = text.strip_prefix("$$") {
            return format!("{x}{}", names.defined);
        }
        match text.starts_with('.') {
            true => format!("{}{text}", names.last),
            false => text.to_owned(),
        }
    }

    /// The name of `-` or `+` that a definition gives, if the text is one.
    fn asl_unnamed(&mut self, text: &str) -> Option<String> {
        let names = &mut self.own.get_mut::<State>().names;
        let name = match text {
            "-" => {
                names.back += 1;
                format!("__back{}", names.back - 1)
            }
            "+" | "/" => {
                names.forward += 1;
                format!("__forw{}", names.forward - 1)
            }
            _ => return None,
        };
        if text != "+" {
            names.log.insert(0, name.clone());
            names.log.truncate(SIGHT);
        }
        Some(name)
    }

    /// The name that so many `-` or `+` mean.
    pub(super) fn asl_near(&self, kind: Kind, count: usize) -> Option<String> {
        let names = &self.own.get::<State>().names;
        match kind {
            Kind::Minus => names.log.get(count - 1).cloned(),
            _ if count <= SIGHT => Some(format!("__forw{}", names.forward as usize + count - 1)),
            _ => None,
        }
    }

    /// Whether a name may be defined.
    fn asl_check_name(&self, text: &str, span: Span) -> Outcome<()> {
        let inner = text.strip_prefix("$$").unwrap_or(text);
        let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') || b >= 0x80;
        let good = !inner.is_empty()
            && inner.len() <= LONGEST
            && inner.bytes().all(part)
            && !inner.as_bytes()[0].is_ascii_digit();
        if good {
            return Ok(());
        }
        let shown = crate::read::syntax::expression::clip(text);
        let d = Diagnostic::new(codes::SYNTAX, format!("`{shown}` is not a name")).at(span);
        Err(Box::new(d.help(
            "what stands in column 1 is a label: letters, digits, `_` and `.`",
        )))
    }

    /// The symbol that a definition here gives a meaning to. `outside`: not one of the call
    /// in work.
    pub(super) fn asl_defined(
        &mut self,
        text: &str,
        span: Span,
        outside: bool,
    ) -> Outcome<SymbolId> {
        let unnamed = self.asl_unnamed(text);
        let counted = text.starts_with("$$");
        let whole = match &unnamed {
            Some(name) => name.clone(),
            None => {
                self.asl_check_name(text, span)?;
                self.asl_whole(text)
            }
        };
        if self.symbols.is_full() {
            return Err(self.too_many(limits::SYMBOLS, "symbols, or names too long for so many"));
        }
        let state = self.own.get_mut::<State>();
        state.names.defined += u32::from(!counted);
        if unnamed.is_none() && !text.starts_with('.') {
            state.names.last.clone_from(&whole);
        }
        if whole.len() > LONGEST {
            let d = Diagnostic::new(codes::TOO_LONG, "a name is longer than 1,024 bytes");
            return Err(Box::new(d.at(span)));
        }
        let handle = state.frames.iter().rev().find_map(|f| f.handle);
        if let Some(h) = handle.filter(|_| !outside) {
            let id = self.symbols.intern(&format!("{whole}#{h}"));
            self.symbols.get_mut(id).local = true;
            return Ok(id);
        }
        if state.sections.is_empty() {
            return Ok(self.symbols.intern(&whole));
        }
        let key = self.key(&whole).into_owned();
        let Some(section) = self.own.get::<State>().sections.last() else {
            return Ok(self.symbols.intern(&whole));
        };
        let path = match section.public.get(&key) {
            Some((path, false)) => path.clone(),
            _ => section.path.clone(),
        };
        let also = section.public.get(&key).filter(|p| p.1).cloned();
        let id = self.symbols.intern(&in_section(&whole, &path));
        if let Some((outer, _)) = also {
            // Known there by a name with that of the section.
            let own = path.rsplit(':').next().unwrap_or("").to_owned();
            let alias = in_section(&format!("{own}_{whole}"), &outer);
            let other = self.symbols.intern(&alias);
            self.symbols.get_mut(other).outer = Some(id);
        }
        Ok(id)
    }

    /// The symbol that a name means here; where it has no meaning, what it may mean around
    /// is asked at the end.
    pub(super) fn asl_meant(&mut self, text: &str) -> SymbolId {
        let state = self.own.get::<State>();
        let plain = state.frames.is_empty() && state.sections.is_empty();
        if plain && !text.starts_with(['.', '$']) {
            return self.symbols.intern(text);
        }
        let whole = self.asl_whole(text);
        let state = self.own.get::<State>();
        let mut names: Vec<String> = Vec::new();
        for f in state.frames.iter().rev() {
            if let Some(h) = f.handle {
                names.push(format!("{whole}#{h}"));
            }
        }
        let mut path = state.sections.last().map_or("", |s| s.path.as_str());
        while !path.is_empty() {
            names.push(in_section(&whole, path));
            path = path.rfind(':').map_or("", |i| &path[..i]);
        }
        names.push(whole);
        self.account.spent.expanded += names.len() as u64 / 64;
        let first = self.symbols.intern(&names[0]);
        let mut inner = first;
        for outer in &names[1..] {
            if self.symbols.get(inner).outer.is_some() {
                break;
            }
            let o = self.symbols.intern(outer);
            if o == inner {
                break;
            }
            self.symbols.get_mut(inner).local |= self.symbols.get(inner).name.contains('#');
            self.symbols.get_mut(inner).outer = Some(o);
            inner = o;
        }
        let now = self.symbols.resolve(first);
        // A variable means what it means now.
        match self.symbols.get(now).variable {
            true => now,
            false => first,
        }
    }

    /// The symbol of a name that says which section it is of.
    pub(super) fn asl_of_section(&mut self, text: &str, section: &str) -> Option<SymbolId> {
        let whole = self.asl_whole(text);
        let path = self.asl_section_path(section)?;
        Some(self.symbols.intern(&in_section(&whole, &path)))
    }

    /// The path of a section that is named: nothing is the outermost, `parent1` the one
    /// around.
    pub(super) fn asl_section_path(&self, name: &str) -> Option<String> {
        let state = self.own.get::<State>();
        let current = state.sections.last().map_or("", |s| s.path.as_str());
        let key = name.to_ascii_lowercase();
        if name.is_empty() {
            return Some(String::new());
        }
        if let Some(n) = key.strip_prefix("parent") {
            let levels: usize = match n.is_empty() {
                true => 1,
                false => n.parse().ok()?,
            };
            let mut path = current;
            for _ in 0..levels.min(64) {
                path = path.rfind(':').map_or("", |i| &path[..i]);
            }
            return Some(path.to_owned());
        }
        let name = self.key(name).into_owned();
        let mut path = current;
        loop {
            let full = joined(path, &name);
            if state.section_paths.contains(&full) {
                return Some(full);
            }
            if path.rsplit(':').next() == Some(&name) {
                return Some(path.to_owned());
            }
            if path.is_empty() {
                return None;
            }
            path = path.rfind(':').map_or("", |i| &path[..i]);
        }
    }

    /// Defines a label at the address of the statement.
    pub(super) fn asl_label(&mut self, t: &Tok, outside: bool) -> Outcome<()> {
        let text = self.text(t).to_owned();
        if self.asl_element(&text, t.span)? {
            return Ok(());
        }
        let id = self.asl_defined(&text, t.span, outside)?;
        let local = self.symbols.get(id).local || text.starts_with(['.', '$', '-', '+', '/']);
        self.define_place(id, t.span, local)?;
        self.symbols.get_mut(id).local |= local;
        let places = &mut self.own.get_mut::<State>().places;
        if places.room {
            places.labels.push(id);
        }
        if !local {
            self.naming.parent = self.symbols.get(id).name.clone();
        }
        Ok(())
    }

    /// `section name`.
    pub(super) fn asl_section(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.one_name(t, rest)?;
        let key = self.key(self.text(&name)).into_owned();
        self.memo.renew();
        let state = self.own.get_mut::<State>();
        if state.sections.len() >= 64 {
            let d = Diagnostic::new(codes::TOO_DEEP, "sections nest more than 64 deep");
            return Err(Box::new(d.at(t.span)));
        }
        let path = joined(state.sections.last().map_or("", |s| &s.path), &key);
        state.section_paths.insert(path.clone());
        state.sections.push(super::state::Section {
            path,
            public: rustc_hash::FxHashMap::default(),
            span: t.span,
        });
        Ok(())
    }

    /// `endsection`, `endsection name`.
    pub(super) fn asl_end_section(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let wanted = rest.first().map(|n| self.key(self.text(n)).into_owned());
        self.memo.renew();
        let Some(s) = self.own.get_mut::<State>().sections.pop() else {
            return self.stray(t, "a `section`");
        };
        let own = s.path.rsplit(':').next().unwrap_or("");
        match wanted {
            Some(w) if w != own => {
                let message = format!("the section in force is `{own}`");
                let d = Diagnostic::new(codes::STRAY_END, message).at(self.span_of(rest));
                Err(Box::new(d.related(s.span, "it begins here")))
            }
            _ => Ok(()),
        }
    }

    /// `public name, name:section`; `global` likewise.
    pub(super) fn asl_public(&mut self, t: &Tok, _rest: &[Tok], named: bool) -> Outcome<()> {
        for arg in self.asl_arguments(t) {
            let (name, section) = arg.split_once(':').unwrap_or((&arg, ""));
            let Some(path) = self.asl_section_path(section.trim()) else {
                let message = format!("there is no section `{}` around", section.trim());
                let d = Diagnostic::new(codes::UNKNOWN_SYMBOL, message).at(self.statement);
                return Err(Box::new(d));
            };
            let key = self.key(name.trim()).into_owned();
            let Some(s) = self.own.get_mut::<State>().sections.last_mut() else {
                let message = format!("`{}` stands in a section", self.text(t));
                let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                return Err(Box::new(d));
            };
            s.public.insert(key, (path, named));
        }
        Ok(())
    }
}

fn joined(path: &str, name: &str) -> String {
    match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}:{name}"),
    }
}

/// The name of a symbol of a section.
fn in_section(name: &str, path: &str) -> String {
    match path.is_empty() {
        true => name.to_owned(),
        false => format!("{name}[{path}]"),
    }
}
