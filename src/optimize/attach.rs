//! What contracts are about: remarks of the sources and the table of a `program.toml`, to
//! labels, addresses and lines of the program.

use super::contract::{
    self, Clause, Contracts, Count, Extent, Inline, Outside, Said, Standing, Terms, line_of,
};
use crate::diagnostic::near::nearest;
use crate::diagnostic::{Diagnostic, codes};
use crate::optimize::flow::{Nodes, Placed, Shape};
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Program, Value};
use crate::text::source::{SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::Layout;

/// What begins a contract in a remark.
const MARK: &str = "scrimp:";
/// What begins a remark, in any dialect.
const REMARKS: [&str; 7] = [";", "//", "#", "/*", "*", "@", "--"];
/// Most contracts of a program.
const MOST: usize = 10_000;
/// The subject that is the program itself.
const PROGRAM: &str = "program";

/// A contract with the place of its text.
struct Found {
    text: String,
    /// The text's first byte.
    source: SourceId,
    start: u32,
    /// What it is about where it does not say so: the line.
    line: u32,
    subject: Option<String>,
}

/// Finds all contracts of a program as it is placed; what is wrong with them.
pub fn attach(
    program: &Program<'_>,
    placed: &Placed,
    nodes: &Nodes,
    (layout, unit): (&'static Layout, u64),
    outside: &Outside,
    file: Option<SourceId>,
) -> (Contracts, Vec<Diagnostic>) {
    let mut found = remarks(program);
    if let Some(source) = file {
        found.extend(outside.list.iter().map(|w| Found {
            text: w.text.clone(),
            source,
            start: w.start,
            line: 0,
            subject: Some(w.subject.clone()).filter(|s| !s.is_empty()),
        }));
    }
    let mut a = Attach {
        program,
        placed,
        nodes,
        layout,
        unit,
        all: Contracts::default(),
        faults: Vec::new(),
        by_line: FxHashMap::default(),
        open: None,
    };
    if found.is_empty() {
        return (a.all, a.faults);
    }
    a.lines();
    if found.len() > MOST {
        let d = Diagnostic::new(codes::CONTRACT, format!("more than {MOST} contracts"));
        a.faults.push(d.at(span(&found[MOST], &(0..1))));
        found.truncate(MOST);
    }
    for f in &found {
        match contract::read(&f.text) {
            Ok(c) => {
                let subject = f.subject.clone().or(c.subject);
                for (clause, range) in c.clauses {
                    a.clause(f, subject.as_deref(), clause, &range);
                }
            }
            Err(e) => {
                let d = Diagnostic::new(codes::CONTRACT, e.message).at(span(f, &e.range));
                a.faults.push(match e.help {
                    Some(h) => d.help(h),
                    None => d,
                });
            }
        }
    }
    if let Some((at, _)) = a.open.take() {
        a.fault(
            at,
            "`timing exact start` without its `timing exact end`",
            None,
        );
    }
    (a.all, a.faults)
}

fn span(f: &Found, range: &std::ops::Range<usize>) -> Span {
    let at = |n: usize| f.start + n as u32;
    Span::new(f.source, at(range.start), at(range.end.max(range.start)))
}

/// Contracts in the remarks of all files.
fn remarks(program: &Program<'_>) -> Vec<Found> {
    let mut out = Vec::new();
    for (id, source) in program.sources.iter() {
        if source.is_made() || source.library {
            continue;
        }
        for (at, _) in source.text.match_indices(MARK) {
            if out.len() > MOST {
                return out;
            }
            let from = source.text[..at].rfind('\n').map_or(0, |i| i + 1);
            let before = source.text[from..at].trim_end();
            let Some(mark) = REMARKS.iter().find(|m| before.ends_with(**m)) else {
                continue;
            };
            let code = before[..before.len() - mark.len()].trim_end_matches(['/', ';', '*']);
            if code.matches('"').count() % 2 == 1 {
                continue;
            }
            let start = at + MARK.len();
            let rest = &source.text[start..];
            let text = rest.lines().next().unwrap_or("");
            let text = text.split("*/").next().unwrap_or("");
            let (line, _) = source.line_column(at as u32);
            let alone = code.trim().is_empty();
            out.push(Found {
                text: text.trim_end().to_owned(),
                source: id,
                start: start as u32,
                line: if alone {
                    behind(source, line)
                } else {
                    line as u32
                },
                subject: None,
            });
        }
    }
    out
}

/// The first line behind one that is more than a remark.
fn behind(source: &crate::text::source::Source, line: usize) -> u32 {
    let more = |n: &usize| {
        let text = source.line(*n).trim();
        !text.is_empty() && !REMARKS.iter().any(|m| text.starts_with(m))
    };
    let found = (line + 1..=source.line_count()).find(more);
    found.unwrap_or(line) as u32
}

/// What a register, a flag, a pair or one of the words for many stands for.
pub fn place(layout: &Layout, name: &str) -> Option<Inputs> {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "nothing" => return Some(Inputs::NONE),
        "all" => {
            let all = layout.locations();
            let all = all.iter().map(|l| Inputs::one(l.number));
            return Some(all.fold(Inputs::NONE, |a, l| a.and(l)));
        }
        _ => {}
    }
    let cell = |n: &str| {
        layout
            .cells
            .iter()
            .position(|c| !n.is_empty() && c.name == n)
    };
    if let Some(c) = cell(&name) {
        return Some(layout.of_cells(&[c as u8]));
    }
    if let Some(l) = layout.find(&name) {
        return Some(Inputs::one(l.number));
    }
    let (plain, tick) = match name.strip_suffix('\'') {
        Some(p) => (p, "'"),
        None => (name.as_str(), ""),
    };
    let letters = plain.chars().map(|c| cell(&format!("{c}{tick}")));
    let letters: Option<Vec<usize>> = letters.collect();
    let halves = || {
        let ends = ["h", "l"].iter();
        let both: Option<Vec<usize>> = ends.map(|e| cell(&format!("{plain}{e}{tick}"))).collect();
        both
    };
    let cells = letters
        .filter(|l| l.len() == 2 && l[0] != l[1])
        .or_else(halves)?;
    let cells: Vec<u8> = cells.into_iter().map(|c| c as u8).collect();
    Some(layout.of_cells(&cells))
}

struct Attach<'a, 'p> {
    program: &'a Program<'p>,
    placed: &'a Placed,
    nodes: &'a Nodes,
    layout: &'static Layout,
    unit: u64,
    all: Contracts,
    faults: Vec<Diagnostic>,
    /// Labels and items by text and line.
    by_line: FxHashMap<(u32, u32), (Vec<SymbolId>, Vec<u32>)>,
    /// A region that has begun: where, and its line.
    open: Option<(Span, (u32, u32))>,
}

/// What a contract is about.
enum Subject {
    Program,
    Labels(Vec<SymbolId>),
    Address(u64),
    Line((u32, u32)),
}

impl Attach<'_, '_> {
    fn lines(&mut self) {
        let symbols = &self.program.symbols;
        for id in symbols.ids() {
            let s = symbols.get(id);
            if let Some(at) = s.span.filter(|_| s.label && s.place.is_some()) {
                let line = line_of(self.program, at);
                self.by_line.entry(line).or_default().0.push(id);
            }
        }
        for (n, node) in (0..).zip(&self.nodes.list) {
            if let Some(item) = self.program.item(node.at) {
                let line = line_of(self.program, item.span);
                self.by_line.entry(line).or_default().1.push(n);
            }
        }
    }

    fn fault(&mut self, at: Span, message: &str, help: Option<String>) {
        let d = Diagnostic::new(codes::CONTRACT, message.to_owned()).at(at);
        self.faults.push(match help {
            Some(h) => d.help(h),
            None => d,
        });
    }

    /// What a subject is; nothing where that was told to be wrong.
    fn subject(&mut self, f: &Found, name: Option<&str>) -> Option<Subject> {
        let Some(name) = name else {
            return Some(Subject::Line((f.source.0, f.line)));
        };
        if name.eq_ignore_ascii_case(PROGRAM) {
            return Some(Subject::Program);
        }
        let at = span(f, &(0..f.text.len().min(1)));
        if let Some((file, line)) = name.rsplit_once(':')
            && let Ok(line) = line.trim().parse()
        {
            let sources = &self.program.sources;
            let mut own = sources.iter().filter(|s| *s.1.name == *file.trim());
            let Some((id, _)) = own.next() else {
                let names = sources.iter().map(|s| &*s.1.name);
                let near = nearest(file, names).map(|n| format!("is `{n}` meant?"));
                self.fault(
                    at,
                    &format!("there is no file `{file}` in the program"),
                    near,
                );
                return None;
            };
            return Some(Subject::Line((id.0, line)));
        }
        let address = match contract::number_of(name) {
            Some(n) => Some(i64::from(n)),
            None => {
                let symbols = &self.program.symbols;
                let Some(id) = symbols.find(name).map(|i| symbols.resolve(i)) else {
                    let near = nearest(name, symbols.names()).map(|n| format!("is `{n}` meant?"));
                    let message = format!("there is no `{name}` that a contract could be about");
                    self.fault(at, &message, near);
                    return None;
                };
                let s = symbols.get(id);
                if s.label && s.place.is_some() {
                    return Some(Subject::Labels(vec![id]));
                }
                match s.meaning {
                    Meaning::Number(n) => Some(n),
                    Meaning::Expr(e) => {
                        let value = Value::Expr(e);
                        let (l, v) = (&self.placed.layout, &self.placed.values);
                        self.program.value_of(value, l, v).ok()
                    }
                    _ => None,
                }
            }
        };
        let Some(address) = address.and_then(|a| u64::try_from(a).ok()) else {
            let message = format!("`{name}` is no label and no address");
            self.fault(at, &message, None);
            return None;
        };
        let address = address * self.unit;
        match self.nodes.holding(address) {
            None => Some(Subject::Address(address)),
            Some((n, 0)) if !self.nodes.list[n as usize].labels.is_empty() => {
                Some(Subject::Labels(self.nodes.list[n as usize].labels.clone()))
            }
            Some(_) => {
                let message = format!("`{name}` is an address in the program without a label");
                let help = "put a label there and the contract at it".to_owned();
                self.fault(at, &message, Some(help));
                None
            }
        }
    }

    /// The locations of names.
    fn places(&mut self, f: &Found, range: &std::ops::Range<usize>, names: &[String]) -> Inputs {
        let mut all = Inputs::NONE;
        for name in names {
            match place(self.layout, name) {
                Some(l) => all = all.and(l),
                None => {
                    let known: Vec<String> = self
                        .layout
                        .locations()
                        .iter()
                        .map(|l| self.layout.name(l.number))
                        .collect();
                    let near = nearest(name, known.iter().map(String::as_str));
                    let near = near.map(|n| format!("is `{n}` meant?"));
                    let message = format!("there is no register or flag `{name}`");
                    self.fault(span(f, range), &message, near);
                }
            }
        }
        all
    }

    fn clause(
        &mut self,
        f: &Found,
        subject: Option<&str>,
        clause: Clause,
        range: &std::ops::Range<usize>,
    ) {
        let Some(about) = self.subject(f, subject) else {
            return;
        };
        let at = span(f, range);
        let source = self.program.sources.get(f.source);
        let (line, _) = source.line_column(at.start);
        let mut said = Said {
            place: format!("{}:{line}", source.name),
            subject: subject.unwrap_or("").to_owned(),
            clause: f.text.get(range.clone()).unwrap_or("").trim().to_owned(),
            standing: Standing::Unused,
            span: at,
            about: None,
            what: clause.clone(),
        };
        match (&clause, about) {
            (Clause::Closed | Clause::Numbers, Subject::Program | Subject::Line(_)) => {
                match clause {
                    Clause::Closed => self.all.closed = true,
                    _ => self.all.numbers = true,
                }
                said.standing = Standing::Trusted;
            }
            (_, Subject::Program) => {
                let message = "this clause is not about a whole program";
                self.fault(at, message, Some("`closed` and `numbers` are".to_owned()));
            }
            (Clause::Keep, Subject::Labels(list)) => {
                let own = list
                    .iter()
                    .filter_map(|l| self.program.symbols.get(*l).span);
                let lines: Vec<_> = own.map(|s| line_of(self.program, s)).collect();
                for l in lines {
                    self.line_clause(&clause, l, at, &mut said);
                }
            }
            (
                Clause::Keep
                | Clause::Timing
                | Clause::TimingStart
                | Clause::TimingEnd
                | Clause::Selfmod
                | Clause::Number,
                Subject::Line(l),
            ) => self.line_clause(&clause, l, at, &mut said),
            (_, Subject::Line(l)) => {
                let list = self.by_line.get(&l).cloned().unwrap_or_default();
                match (list.0.is_empty(), list.1.is_empty()) {
                    (false, _) => self.terms(f, range, &clause, &list.0, &mut said),
                    (true, false) => {
                        let message = "there is no label that this clause could be about";
                        let help = "put it behind a label, or a name and a colon before it";
                        self.fault(at, message, Some(help.to_owned()));
                    }
                    // A line that is not assembled, or only has a name.
                    (true, true) => {}
                }
            }
            (_, Subject::Labels(list)) => self.terms(f, range, &clause, &list, &mut said),
            (_, Subject::Address(a)) => {
                let mut terms = self.all.outside.remove(&a).unwrap_or_default();
                if self.term(f, range, &clause, &mut terms, true) {
                    said.standing = Standing::Trusted;
                }
                self.all.outside.insert(a, terms);
            }
        }
        self.all.list.push(said);
    }

    /// A clause about a line.
    fn line_clause(&mut self, clause: &Clause, line: (u32, u32), at: Span, said: &mut Said) {
        let found = self.by_line.get(&line).cloned();
        match clause {
            Clause::TimingStart => {
                if let Some((before, _)) = self.open.replace((at, line)) {
                    let message = "`timing exact start` without its `timing exact end`";
                    self.fault(before, message, None);
                }
                said.standing = Standing::Fence;
                return;
            }
            Clause::TimingEnd => {
                let own = self.program.sources.get(at.source).line_column(at.start).0;
                match self.open.take() {
                    Some((_, (source, from))) if source == at.source.0 => {
                        for l in from..=own as u32 {
                            self.all.lines.entry((source, l)).or_default().timed = true;
                        }
                        said.standing = Standing::Fence;
                    }
                    _ => self.fault(at, "`timing exact end` without its start", None),
                }
                return;
            }
            _ => {}
        }
        let Some((labels, items)) = found else {
            return;
        };
        said.standing = Standing::Fence;
        let terms = self.all.lines.entry(line).or_default();
        match clause {
            Clause::Keep => terms.keep = true,
            Clause::Timing => terms.timed = true,
            Clause::Selfmod => terms.modified = true,
            _ => {
                terms.number = true;
                said.standing = Standing::Trusted;
            }
        }
        if *clause == Clause::Keep {
            for l in labels {
                self.all.labels.entry(l).or_default().entry = true;
            }
        }
        if *clause == Clause::Number {
            let mut any = false;
            for n in items {
                let own = self.nodes.list[n as usize].operands.iter();
                let numbers = own.filter(|o| o.shape == Shape::Number && o.width >= 16);
                for o in numbers {
                    any = true;
                    self.all.plain.insert((line.0, line.1, o.value & 0xffff));
                }
            }
            if !any {
                let help = "`number` stands on the line of the instruction that has it".to_owned();
                self.fault(at, "there is no plain number in this line", Some(help));
            }
        }
    }

    /// A clause about labels.
    fn terms(
        &mut self,
        f: &Found,
        range: &std::ops::Range<usize>,
        clause: &Clause,
        labels: &[SymbolId],
        said: &mut Said,
    ) {
        said.about = labels.first().copied();
        if said.subject.is_empty()
            && let Some(l) = said.about
        {
            said.subject = self.program.symbols.get(l).name.to_string();
        }
        said.standing = Standing::Trusted;
        let mut seen = FxHashSet::default();
        for &l in labels.iter().filter(|l| seen.insert(**l)) {
            let mut terms = self.all.labels.remove(&l).unwrap_or_default();
            self.term(f, range, clause, &mut terms, false);
            self.all.labels.insert(l, terms);
        }
    }

    /// Puts a clause into what is said of something.
    fn term(
        &mut self,
        f: &Found,
        range: &std::ops::Range<usize>,
        clause: &Clause,
        terms: &mut Terms,
        outside: bool,
    ) -> bool {
        let mut put = |slot: &mut Option<Inputs>, names: &[String]| {
            let places = self.places(f, range, names);
            *slot = Some(slot.unwrap_or(Inputs::NONE).and(places));
        };
        match clause {
            Clause::In(names) => put(&mut terms.reads, names),
            Clause::Out(names) => put(&mut terms.out, names),
            Clause::Clobbers(names) => put(&mut terms.clobbers, names),
            Clause::Preserves(names) => put(&mut terms.preserves, names),
            Clause::Returns => terms.returns = true,
            Clause::Inline(n) => terms.inline = Some(Inline::Bytes(*n)),
            Clause::InlineUntil(b) => terms.inline = Some(Inline::Until(*b)),
            Clause::Entry if !outside => terms.entry = true,
            Clause::Jumptable(n) if !outside => {
                terms.extent = Some(n.map_or(Extent::Jumps, Extent::Instructions));
            }
            Clause::Extent(Count::Number(n)) if !outside => terms.extent = Some(Extent::Bytes(*n)),
            Clause::Extent(Count::Name(name)) if !outside => {
                let symbols = &self.program.symbols;
                let id = symbols.find(name).map(|i| symbols.resolve(i));
                match id.filter(|i| symbols.get(*i).place.is_some()) {
                    Some(id) => terms.extent = Some(Extent::Label(id)),
                    None => {
                        let near = nearest(name, symbols.names());
                        let near = near.map(|n| format!("is `{n}` meant?"));
                        let message = format!("there is no label `{name}`");
                        self.fault(span(f, range), &message, near);
                    }
                }
            }
            _ => {
                let what = if outside {
                    "an address outside"
                } else {
                    "a label"
                };
                self.fault(
                    span(f, range),
                    &format!("this clause is not about {what}"),
                    None,
                );
                return false;
            }
        }
        true
    }
}
