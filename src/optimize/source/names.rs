//! Names of labels and expressions as a dialect writes them.

use crate::program::Program;
use crate::program::eval::Op;
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use crate::text::language::{Binary, Dialect, DotRule, Spelling, Unary};
use crate::text::lex::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// What labels are called that the sources do not have.
const MADE: &str = "shared_";

/// The labels before each item.
pub type Labels = BTreeMap<Anchor, Vec<SymbolId>>;

/// Names that are taken and names that are made.
pub struct Names {
    /// The last parts of all names of the program, in lower case.
    taken: FxHashSet<String>,
    /// Plain labels that have local ones.
    parents: FxHashSet<String>,
    /// Names that more than one symbol has.
    shared: FxHashSet<String>,
    /// Labels that the optimizer made.
    made: FxHashMap<SymbolId, String>,
    /// Places without a name that somebody goes to.
    asked: RefCell<BTreeMap<Anchor, Asked>>,
    next: Cell<u32>,
}

/// A label that somebody asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// The number of the place that asks first.
    pub by: usize,
}

/// From where something is named.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here {
    /// Number of the source.
    pub source: u32,
    /// The plain label before it, if that is known.
    pub owner: Option<SymbolId>,
    /// It is in no macro and no repetition.
    pub plain: bool,
    /// The number of the place.
    pub place: usize,
}

impl Names {
    /// Of a program and what it became.
    pub fn of(old: &Program<'_>, new: &Program<'_>) -> Self {
        let all: Vec<_> = old.symbols.ids().map(|id| old.symbols.get(id)).collect();
        let all = all.into_iter();
        let last = |name: &str| name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
        let mut seen = FxHashSet::default();
        let twice = all.clone().filter(|s| !seen.insert(&*s.name));
        let shared = twice.map(|s| s.name.to_string()).collect();
        let mut names = Self {
            shared,
            taken: all.clone().map(|s| last(&s.name)).collect(),
            parents: all
                .filter(|s| s.local)
                .filter_map(|s| Some(s.name.rsplit_once('.')?.0.to_owned()))
                .collect(),
            made: FxHashMap::default(),
            asked: RefCell::default(),
            next: Cell::new(1),
        };
        for n in old.symbols.len()..new.symbols.len() {
            let id = SymbolId(n as u32);
            if new.symbols.get(id).place.is_some() {
                let name = names.fresh();
                names.made.insert(id, name);
            }
        }
        names
    }

    fn fresh(&self) -> String {
        loop {
            let n = self.next.get();
            self.next.set(n + 1);
            let name = format!("{MADE}{n}");
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }

    /// Whether a label has local ones below it.
    pub fn has_locals(&self, name: &str) -> bool {
        self.parents.contains(name)
    }

    /// A label by the name that it has from somewhere.
    pub fn label(&self, p: &Program<'_>, id: SymbolId, here: Here) -> Option<String> {
        let id = p.symbols.resolve(id);
        if let Some(name) = self.made.get(&id) {
            return Some(name.clone());
        }
        let s = p.symbols.get(id);
        let dots = p.dialect.names.dots;
        let written = dots.written(&s.name);
        let plain = |n: &str| {
            let first = n.bytes().next().is_some_and(|b| !b.is_ascii_digit());
            let fits = |c: char| c.is_alphanumeric() || "_.?!@$".contains(c);
            first && n.chars().all(fits)
        };
        if !plain(&written) {
            return None;
        }
        if !s.local {
            // The names of a file may be gone behind its end.
            let same = match p.symbols.find(&s.name) {
                Some(found) => found == id,
                None => !self.shared.contains(&*s.name),
            };
            return (same || dots == DotRule::PerFile).then(|| written.into_owned());
        }
        if dots == DotRule::PerFile {
            let own = s.span.map(|s| p.sources.in_file(s).source.0);
            return (here.plain && own == Some(here.source)).then(|| written.into_owned());
        }
        let (parent, rest) = s.name.rsplit_once('.')?;
        let owner = here.owner.map(|o| &*p.symbols.get(o).name);
        if owner == Some(parent) && here.plain {
            return Some(match dots {
                DotRule::UnderLabel => format!(".{rest}"),
                _ => rest.to_owned(),
            });
        }
        let whole = dots == DotRule::UnderLabel && p.symbols.find(&s.name) == Some(id);
        whole.then(|| s.name.to_string())
    }

    /// A place by a label there, or by one that is asked for.
    fn place(&self, p: &Program<'_>, labels: &Labels, at: Anchor, here: Here) -> String {
        let base = Anchor { plus: 0, ..at };
        let own = labels.get(&base).into_iter().flatten();
        let mut own = own.filter(|l| !p.symbols.get(**l).local);
        let name = own.find_map(|&l| self.label(p, l, here));
        let name = name.unwrap_or_else(|| {
            let mut asked = self.asked.borrow_mut();
            let made = || Asked {
                name: self.fresh(),
                by: here.place,
            };
            asked.entry(base).or_insert_with(made).name.clone()
        });
        match at.plus {
            0 => name,
            n => format!("{name}+{n}"),
        }
    }

    /// Places for which labels are asked, with their names.
    pub fn asked(&self) -> Vec<(Anchor, Asked)> {
        let asked = self.asked.borrow();
        asked.iter().map(|(a, n)| (*a, n.clone())).collect()
    }

    /// An expression; nothing if the dialect has no words for it.
    pub fn expression(
        &self,
        p: &Program<'_>,
        labels: &Labels,
        e: ExprId,
        here: Here,
    ) -> Option<String> {
        let ops = p.ops.get(e.start as usize..(e.start + e.len) as usize)?;
        // Each with whether it binds as tight as a name.
        let mut stack: Vec<(String, bool)> = Vec::new();
        let tight = |(text, tight): (String, bool)| match tight {
            true => text,
            false => format!("({text})"),
        };
        for op in ops {
            let next = match *op {
                Op::Number(n) => (n.to_string(), n >= 0),
                Op::Symbol(id) => (self.label(p, id, here)?, true),
                Op::Place(at) => {
                    let text = self.place(p, labels, at, here);
                    let name = !text.contains('+');
                    (text, name)
                }
                Op::Unary(Unary::Plus) => stack.pop()?,
                Op::Unary(u) => unary(p.dialect, u, &stack.pop()?.0)?,
                Op::Binary(b) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    let word = binary(p.dialect, b)?;
                    (format!("{}{word}{}", tight(left), tight(right)), false)
                }
                _ => return None,
            };
            stack.push(next);
        }
        match stack.len() {
            1 => stack.pop().map(|s| s.0),
            _ => None,
        }
    }
}

/// A prefix operator or function on a value.
fn unary(d: &Dialect, u: Unary, inner: &str) -> Option<(String, bool)> {
    if let Some(f) = d.values.functions.iter().find(|f| f.1 == u) {
        return Some((format!("{}({inner})", f.0), true));
    }
    if let Some(row) = d.values.unary.iter().find(|r| r.op == u) {
        let text = match row.spelling {
            Spelling::Mark(k) => format!("{}({inner})", mark(k)?),
            Spelling::Word(w) => format!("{w} ({inner})"),
        };
        return Some((text, false));
    }
    // A value that begins with a parenthesis would be memory.
    let and = binary(d, Binary::And)?;
    match u {
        Unary::Low => Some((format!("255{and}({inner})"), false)),
        Unary::High => {
            let div = binary(d, Binary::Div)?;
            Some((format!("255{and}(({inner}){div}256)"), false))
        }
        _ => None,
    }
}

/// An operator between two values.
fn binary(d: &Dialect, b: Binary) -> Option<String> {
    let rows = d.values.binary.iter().filter(|r| r.op == b);
    let mut words = rows.filter_map(|r| match r.spelling {
        Spelling::Mark(k) => mark(k).map(str::to_owned),
        Spelling::Word(w) => Some(format!(" {w} ")),
    });
    words.next()
}

/// A token that is always the same text.
fn mark(k: Kind) -> Option<&'static str> {
    Some(match k {
        Kind::Plus => "+",
        Kind::Minus => "-",
        Kind::Star => "*",
        Kind::Slash => "/",
        Kind::Amp => "&",
        Kind::Percent => "%",
        Kind::Pipe => "|",
        Kind::Caret => "^",
        Kind::Tilde => "~",
        Kind::Bang => "!",
        Kind::Less => "<",
        Kind::Greater => ">",
        Kind::ShiftLeft => "<<",
        Kind::ShiftRight => ">>",
        _ => return None,
    })
}
