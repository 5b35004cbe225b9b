//! What a source says by name: symbols with all their references, and sections. It is known
//! after errors too, as far as lines without any say it.

use crate::image::{Image, NONE};
use crate::program::Program;
use crate::program::symbol::Meaning;
use crate::text::source::Span;
use rustc_hash::FxHashMap;

/// A symbol, or a name that is used and nowhere defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Full name: `main`, `main.loop`, `scope.name`.
    pub name: String,
    /// Its value, where it could be found.
    pub value: Option<i64>,
    /// It is a label, and no other constant.
    pub label: bool,
    /// It stands under another label, in an expansion or is local otherwise.
    pub local: bool,
    /// Where it is defined; nothing for one that is not, or from outside.
    pub definition: Option<Span>,
    /// It has a definition, in the source or from outside.
    pub defined: bool,
    /// Index of its section in [`Known::sections`], for a label.
    pub section: Option<usize>,
    /// Where it is used, in the order in which the lines are read; a place that is read
    /// several times counts once.
    pub references: Vec<Span>,
}

/// A part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name; `""` is the one before any `section`.
    pub name: String,
    /// Where it is declared first.
    pub span: Option<Span>,
}

/// All that is known by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Symbols in order of first mention.
    pub names: Vec<Name>,
    /// Sections in order of first mention.
    pub sections: Vec<Part>,
}

impl Known {
    /// The first of that full name.
    pub fn name(&self, name: &str) -> Option<&Name> {
        self.names.iter().find(|n| n.name == name)
    }

    /// What is mentioned at a byte of a source: definition or reference.
    pub fn at(&self, place: Span) -> Option<&Name> {
        let holds =
            |s: &Span| s.source == place.source && s.start <= place.start && place.start < s.end;
        let here = |n: &&Name| n.definition.iter().chain(&n.references).any(holds);
        self.names.iter().find(here)
    }

    /// From a program that has been read, and the image if it came so far.
    pub(super) fn of(program: &Program<'_>, image: Option<&Image>) -> Self {
        let symbols = &program.symbols;
        let mut values: FxHashMap<&str, i64> = FxHashMap::default();
        for s in image.iter().flat_map(|i| &i.symbols) {
            values.insert(&s.name, s.value);
        }
        let mut uses: FxHashMap<u32, Vec<Span>> = FxHashMap::default();
        for (id, span) in symbols.uses() {
            let list = uses.entry(symbols.resolve(id).0).or_default();
            list.push(program.sources.in_file(span));
        }
        let mut names = Vec::new();
        for id in symbols.ids() {
            let s = symbols.get(id);
            let mut references = uses.remove(&id.0).unwrap_or_default();
            let mut seen = rustc_hash::FxHashSet::default();
            references.retain(|r| seen.insert(*r));
            let defined = s.meaning != Meaning::Undefined;
            if !defined && references.is_empty() {
                continue;
            }
            let value = match s.meaning {
                Meaning::Number(n) => Some(n),
                Meaning::Undefined => None,
                _ => values.get(&*s.name).copied(),
            };
            names.push(Name {
                name: s.name.to_string(),
                value,
                label: s.label,
                local: s.local,
                definition: s.span.map(|s| program.sources.in_file(s)),
                defined,
                section: (s.section != NONE && s.label).then_some(s.section as usize),
                references,
            });
        }
        let part = |s: &crate::program::Section| Part {
            name: s.name.to_string(),
            span: s.span,
        };
        Self {
            names,
            sections: program.sections.iter().map(part).collect(),
        }
    }
}
