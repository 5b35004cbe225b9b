//! Names in the other dialect: the same wherever it takes them, others where it means
//! something else by them, has no such letters or no names of that reach.

use super::value::token;
use crate::read::words::Words;
use crate::text::language::{Dialect, Spelling};
use crate::text::lex::Kind;
use crate::text::writing::{CallLocals, Locals};
use rustc_hash::{FxHashMap, FxHashSet};

/// What names mean where a statement stands.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Parameters of the macro.
    pub parameters: Vec<String>,
    /// Names that are new in each call of it.
    pub locals: FxHashSet<String>,
    /// The lines are those of a macro.
    pub within: bool,
    /// The last plain label, by its full name.
    pub parent: String,
    /// Modules that are open.
    pub modules: Vec<String>,
    /// Number of the file; 0 for the main one.
    pub file: usize,
    /// Names that belong to a block of lines, and its number.
    pub listed: FxHashSet<String>,
    /// Number of that block.
    pub block: u32,
}

/// Names of a program, each with that in the other dialect.
pub struct Names {
    from: &'static Dialect,
    to: &'static Dialect,
    /// Words of the dialect that is written.
    words: Words,
    map: FxHashMap<String, String>,
    taken: FxHashSet<String>,
    /// Full names that the program defines, where names belong to modules or structures.
    pub full: Option<FxHashSet<String>>,
}

impl Names {
    /// No names yet.
    pub fn new(from: &'static Dialect, to: &'static Dialect, words: Words) -> Self {
        Self {
            from,
            to,
            words,
            map: FxHashMap::default(),
            taken: FxHashSet::default(),
            full: None,
        }
    }

    /// Whether a word is an instruction of the dialect that is written.
    pub fn is_instruction(&self, word: &str) -> bool {
        self.words.get(word).mnemonic != 0
    }

    fn key(d: &Dialect, name: &str) -> String {
        match d.names.case_blind {
            true => name.to_ascii_lowercase(),
            false => name.to_owned(),
        }
    }

    /// Keeps a name as it is, if it can be.
    pub fn keep(&mut self, name: &str) {
        let key = Self::key(self.from, name);
        if !self.map.contains_key(&key) && self.sane(name) == name && self.free(name) {
            self.taken.insert(Self::key(self.to, name));
            self.map.insert(key, name.to_owned());
        }
    }

    /// A name without what the other dialect cannot have in it.
    fn sane(&self, name: &str) -> String {
        let (from, to) = (self.from.writing.locals, self.to.writing.locals);
        let mut out = match to == Locals::Dot || from == Locals::Dot || from == Locals::File {
            true => name.trim_start_matches('.').replace('.', "_"),
            false if to == Locals::File => name.trim_start_matches('.').to_owned(),
            false => name.to_owned(),
        };
        if to == Locals::Underscore {
            let rest = out.trim_start_matches('_').len();
            out = format!(
                "{}{}",
                out[out.len() - rest..].to_owned(),
                &out[..out.len() - rest]
            );
        }
        if token(self.to, &out).is_none_or(|t| t.kind != Kind::Name) {
            let plain = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
                true => c,
                false => '_',
            };
            out = out.chars().map(plain).collect();
        }
        if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
            out.insert(0, 'L');
        }
        out
    }

    /// Whether nothing else is meant by a name.
    fn free(&self, name: &str) -> bool {
        self.means_nothing(name) && !self.taken.contains(&Self::key(self.to, name))
    }

    /// Whether a name is no word of the dialect.
    fn means_nothing(&self, name: &str) -> bool {
        let e = self.words.get(name);
        let dotted = name.strip_prefix('.').map(|n| self.words.get(n));
        let v = &self.to.values;
        let word = |s: Spelling| matches!(s, Spelling::Word(w) if w.eq_ignore_ascii_case(name));
        e.mnemonic == 0
            && e.word == 0
            && e.directive.is_none()
            && dotted.is_none_or(|d| d.directive.is_none())
            && !v.binary.iter().any(|r| word(r.spelling))
            && !v.unary.iter().any(|r| word(r.spelling))
            && !v.functions.iter().any(|f| f.0.eq_ignore_ascii_case(name))
            && !v.here.eq_ignore_ascii_case(name)
            && token(self.to, name).is_some_and(|t| t.kind == Kind::Name)
    }

    /// A name of the whole program.
    pub fn global(&mut self, name: &str) -> String {
        let key = Self::key(self.from, name);
        if let Some(known) = self.map.get(&key) {
            return known.clone();
        }
        let sane = self.sane(name);
        let mut new = sane.clone();
        let mut n = 1;
        while !self.free(&new) {
            n += 1;
            new = format!("{sane}_{n}");
        }
        self.taken.insert(Self::key(self.to, &new));
        self.map.insert(key, new.clone());
        new
    }

    /// A name with those of the modules that it belongs to.
    pub fn full(&self, name: &str, around: &Around) -> String {
        let Some(all) = self.full.as_ref().filter(|_| !around.modules.is_empty()) else {
            return name.to_owned();
        };
        let prefix = around.modules.join(".");
        let inner = format!("{prefix}.{name}");
        match all.contains(&inner) {
            true => inner,
            false => name.trim_start_matches('@').to_owned(),
        }
    }

    /// A name of a macro's parameter.
    pub fn parameter(&self, name: &str) -> String {
        let w = &self.to.writing;
        let plain: String = name
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        match w.glued {
            true => format!("arg_{plain}_"),
            false if w.sigil.is_empty() && !self.means_nothing(&plain) => format!("p_{plain}"),
            false => plain,
        }
    }

    /// A name where it stands.
    ///
    /// # Errors
    /// Why the other dialect has no such name.
    pub fn name(&mut self, name: &str, around: &Around) -> Result<String, String> {
        let (from, to) = (self.from.writing.locals, self.to.writing.locals);
        if around.parameters.iter().any(|p| self.same(p, name)) {
            return Ok(format!("{}{}", self.to.writing.sigil, self.parameter(name)));
        }
        if around.within && around.locals.contains(name) {
            let plain = name.trim_start_matches(['.', '?', '_']);
            return match self.to.writing.call_locals {
                CallLocals::Dot => Ok(format!(".{plain}")),
                CallLocals::Listed => Ok(match self.means_nothing(plain) {
                    true => plain.to_owned(),
                    false => format!("l_{plain}"),
                }),
                CallLocals::None => Err(format!("`{name}` cannot be new in each call")),
            };
        }
        if around.listed.contains(name) {
            return Ok(self.global(&format!("{name}_b{}", around.block)));
        }
        let dotted = name.starts_with('.') && name.len() > 1;
        match from {
            Locals::Dot if to == Locals::Dot && name.contains('.') && self.full.is_none() => {
                Ok(name.to_owned())
            }
            Locals::Dot if dotted => Ok(self.global(&format!("{}{name}", around.parent))),
            Locals::File if dotted && to == Locals::File => Ok(name.to_owned()),
            Locals::File if dotted => Ok(self.global(&match around.file {
                0 => name.to_owned(),
                n => format!("{name}_f{n}"),
            })),
            Locals::Underscore if name.starts_with('_') => {
                Ok(self.global(&format!("{}{name}", around.parent)))
            }
            _ => Ok(self.global(&self.full(name, around))),
        }
    }

    /// Whether two names are one in the dialect that is read.
    pub fn same(&self, a: &str, b: &str) -> bool {
        match self.from.names.case_blind {
            true => a.eq_ignore_ascii_case(b),
            false => a == b,
        }
    }

    /// Whether a name does not begin a new range of local ones.
    pub fn is_local(&self, name: &str) -> bool {
        match self.from.writing.locals {
            Locals::Dot | Locals::File => name.starts_with('.'),
            Locals::Underscore => name.starts_with('_'),
            Locals::None => false,
        }
    }
}
