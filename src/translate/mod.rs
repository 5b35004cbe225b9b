//! A program from one dialect into another. Its lines are rewritten by the tables of both;
//! the result is assembled, and what came out otherwise is written as what it came to, until
//! the bytes are the same. Nothing that differs is ever handed out.

mod made;
mod names;
mod statement;
mod text;
mod value;
mod write;

use crate::diagnostic::{Diagnostic, Level, codes};
use crate::dialect;
use crate::read::job::Job;
use crate::read::limits::Limits;
use crate::read::words::Words;
use crate::session::assemble::{Output, Settings, read};
use crate::session::front::Session;
use crate::session::refusal::Refusal;
use crate::text::language::Dialect;
use crate::text::source::{LoadError, Loader, Sources, Span};
use crate::text::writing::Said;
use made::{Made, Place, place};
use names::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use text::{File, Reading, Verb, is_name};
use write::{As, Book, Forced, Row};

/// Times that a program is written anew.
const ROUNDS: usize = 40;
/// Lines of all files together.
const MOST_LINES: usize = 200_000;

/// A program in another dialect.
#[derive(Debug)]
pub struct Translation {
    /// Its files: names as the loader has them, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Files that it reads as they are.
    pub others: Vec<(String, Vec<u8>)>,
    /// What was written as what it came to.
    pub expanded: Vec<Diagnostic>,
    /// The texts that these point into.
    pub sources: Sources,
    /// Statements of the program.
    pub statements: usize,
}

/// Files of a program: what was read, or what was written instead.
struct Shelf<'a> {
    inner: &'a dyn Loader,
    seen: RefCell<Vec<(String, Vec<u8>)>>,
    instead: FxHashMap<String, Vec<u8>>,
}

impl Shelf<'_> {
    fn noted(
        &self,
        found: Result<(String, Vec<u8>), LoadError>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        let (name, bytes) = found?;
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|s| s.0 == name) {
            seen.push((name.clone(), bytes.clone()));
        }
        let bytes = self.instead.get(&name).cloned().unwrap_or(bytes);
        Ok((name, bytes))
    }
}

impl Loader for Shelf<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        self.noted(self.inner.load(path, from))
    }
    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.noted(self.inner.load_any_case(path, from))
    }
}

/// Writes a program in another dialect.
///
/// # Errors
/// It has errors, or a way to the same bytes was not found.
pub fn translate(session: &Session, to: &'static Dialect) -> Result<Translation, Refusal> {
    let from = crate::dialect::by_name(&session.dialect);
    let from = from.ok_or_else(|| format!("there is no dialect `{}`", session.dialect))?;
    let mut shelf = Shelf {
        inner: &session.loader,
        seen: RefCell::default(),
        instead: FxHashMap::default(),
    };
    let mut first = assembled(session, from, &shelf);
    let Some(image) = &first.image else {
        return Err(Refusal::Found(first.diagnostics, first.sources));
    };
    let target = crate::targets::by_name(first.target).unwrap_or(session.target);
    let machine = image.machine.as_deref().and_then(|m| target.machine(m));
    let mut files = files(&first, from)?;
    let reading = reading(from, target, &mut files);
    let files = files;
    let at: FxHashMap<&str, usize> = files
        .iter()
        .enumerate()
        .map(|(i, f)| (&*f.name, i))
        .collect();
    let line = |name: &str, row: usize| -> Option<Place> {
        let file = *at.get(name)?;
        Some((file, files[file].line_of(row)?))
    };
    let made = Made::of(&first, &line);
    // What it has to do with is in `made`: two images at once are not wanted.
    first.image = None;
    let names = names(&reading, from, to, Words::new(target, to), &files);
    let mut book = Book::new(reading, names, to, &files, &made, (target, machine));
    book.keep_full_names();
    for _ in 0..ROUNDS {
        let rows = book.write();
        shelf.instead = texts(&files, &rows).into_iter().collect();
        let output = assembled(session, to, &shelf);
        let back = |name: &str, row: usize| -> Option<Place> {
            let file = *at.get(name)?;
            let row = rows[file].get(row.checked_sub(1)?).or(rows[file].last())?;
            Some(row.place)
        };
        let faults = faults(&made, &output, &back);
        if faults.is_empty() {
            return Ok(done(&book, &shelf, first, &files, &rows));
        }
        if !force(&mut book, &faults) {
            let (place, why) = faults.into_iter().next().unwrap_or_default();
            return Err(differs(first, &files, place, &why));
        }
    }
    Err(differs(first, &files, (0, 0), "it does not settle"))
}

/// Assembles a program, or what stands instead of it.
fn assembled(session: &Session, dialect: &Dialect, shelf: &Shelf<'_>) -> Output {
    let job = Job {
        file: session.main.clone(),
        target: session.target,
        machine: session.machine,
        dialect: dialect.name.to_owned(),
        defines: dialect::fitting(&session.defines, dialect),
    };
    let settings = Settings {
        any_target: session.any_target,
        ..Settings::default()
    };
    read(&job, &settings, shelf, Limits::WHOLE)
}

/// The files of a program that are sources, the main one first.
fn files(output: &Output, from: &Dialect) -> Result<Vec<File>, Refusal> {
    let of = || {
        output
            .sources
            .iter()
            .map(|(id, s)| (output.sources.file(&s.name) == Some(id), s))
            .filter(|(known, s)| *known && !s.is_made() && !s.library && !s.name.starts_with('<'))
    };
    let rows: usize = of().map(|(_, s)| s.text.lines().count()).sum();
    if rows > MOST_LINES {
        return Err(format!("{rows} lines are more than {MOST_LINES}").into());
    }
    Ok(of()
        .map(|(_, s)| File::new(&s.name, &s.text, s.latin1, from))
        .collect())
}

/// How the files are read: with the names of all macros, and which lines are theirs.
fn reading(from: &'static Dialect, target: &dyn scrimp_isa::Target, files: &mut [File]) -> Reading {
    let mut reading = Reading {
        dialect: from,
        words: Words::new(target, from),
        macros: FxHashSet::default(),
    };
    for f in files {
        let mut within = None;
        for line in 0..f.lines.len() {
            for piece in reading.pieces(f, line, &[]) {
                match piece.verb {
                    Verb::Said(Said::Macro) => {
                        let toks = &f.lines[line].toks;
                        let name = toks.get(piece.label.unwrap_or(piece.args));
                        let key = name.map(|t| reading.key(f.of(t)));
                        within.clone_from(&key);
                        reading.macros.extend(key);
                    }
                    Verb::Said(Said::EndMacro) => within = None,
                    Verb::Said(Said::Set) => f.varies[line] = true,
                    _ => {}
                }
            }
            f.macros[line].clone_from(&within);
        }
    }
    reading
}

/// Names that stay what they are.
fn names(
    reading: &Reading,
    from: &'static Dialect,
    to: &'static Dialect,
    words: Words,
    files: &[File],
) -> Names {
    let mut names = Names::new(from, to, words);
    for f in files {
        for line in &f.lines {
            for t in line.toks.iter().filter(|t| is_name(t)) {
                let text = f.of(t);
                let e = reading.words.get(text);
                if e.mnemonic == 0 && e.word == 0 && e.directive.is_none() && !names.is_local(text)
                {
                    names.keep(text);
                }
            }
        }
    }
    names
}

/// What was written, as bytes of files.
fn texts(files: &[File], rows: &[Vec<Row>]) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for (f, rows) in files.iter().zip(rows) {
        let mut text = String::with_capacity(f.text.len() * 5 / 4);
        for row in rows {
            text.push_str(&row.text);
            text.push('\n');
        }
        let bytes = match f.latin1 {
            true => text.chars().map(|c| c as u8).collect(),
            false => text.into_bytes(),
        };
        out.push((f.name.clone(), bytes));
    }
    out
}

/// Lines that are wrong, with why.
fn faults(
    made: &Made,
    output: &Output,
    line: &dyn Fn(&str, usize) -> Option<Place>,
) -> Vec<(Place, String)> {
    let mut out: Vec<(Place, String)> = Vec::new();
    if output.image.is_none() {
        for d in output
            .diagnostics
            .iter()
            .filter(|d| d.level == Level::Error)
        {
            let at = d.span.and_then(|s| place(&output.sources, s, line));
            let at = at.unwrap_or((0, 0));
            out.push((at, d.message.clone()));
        }
        if out.is_empty() {
            out.push(((0, 0), "it cannot be assembled".into()));
        }
        return out;
    }
    let other = Made::of(output, line);
    if made.binary == other.binary && made.others == other.others {
        return out;
    }
    let mut values: FxHashMap<Place, Vec<u16>> = FxHashMap::default();
    for n in &other.names {
        values.entry(n.place).or_default().push(n.value as u16);
    }
    for n in made.names.iter().filter(|n| n.address.is_none()) {
        let now = values.get(&n.place);
        if now.is_some_and(|v| !v.contains(&(n.value as u16))) {
            out.push((n.place, "its value is another there".into()));
        }
    }
    if !out.is_empty() {
        return out;
    }
    let mut places: Vec<Place> = made.at.keys().chain(other.at.keys()).copied().collect();
    places.sort_unstable();
    places.dedup();
    let different = |p: &&Place| made.joined(**p) != other.joined(**p);
    let length = |p: &&Place| made.joined(**p).len() != other.joined(**p).len();
    let long: Vec<Place> = places.iter().filter(length).copied().collect();
    let all = match long.is_empty() {
        true => places.iter().filter(different).copied().collect(),
        false => long,
    };
    out.extend(
        all.into_iter()
            .map(|p| (p, "it makes other bytes there".to_owned())),
    );
    if out.is_empty() {
        out.push((moved(made, &other), "what follows stands elsewhere".into()));
    }
    out
}

/// The first statement whose bytes stand elsewhere, or behind a gap.
fn moved(made: &Made, other: &Made) -> Place {
    let mut both = made.bytes.iter().zip(&other.bytes);
    if let Some((a, _)) = both.find(|(a, b)| a.address != b.address) {
        return a.place;
    }
    let behind = |w: &&[made::Bytes]| w[0].address + w[0].bytes.len() as u64 != w[1].address;
    let gap = made.bytes.windows(2).find(behind);
    gap.map_or((0, 0), |w| w[1].place)
}

/// Has lines written as what they came to; false where all were already.
fn force(book: &mut Book<'_>, faults: &[(Place, String)]) -> bool {
    let mut more = false;
    for (place, why) in faults {
        // What is included twice is not the same twice.
        let twice = book.made.included.get(&place.0).filter(|p| p.len() > 1);
        let places: Vec<Place> = match twice {
            Some(all) => all.iter().copied().collect(),
            None => vec![*place],
        };
        for place in places {
            more |= force_one(book, place, why);
        }
    }
    more
}

/// Has a line written as what it came to, or the block that it stands in.
fn force_one(book: &mut Book<'_>, place: Place, why: &str) -> bool {
    match book.forced.get_mut(&place) {
        None => {
            let (how, why) = (As::Words, why.to_owned());
            book.forced.insert(place, Forced { how, why });
            true
        }
        Some(f) if f.how != As::Bytes => {
            f.how = match f.how {
                As::Words => As::Code,
                _ => As::Bytes,
            };
            true
        }
        Some(_) => match book.around(place) {
            Some(outer) => force_one(book, outer, why),
            None => false,
        },
    }
}

/// Where a line stands.
fn span(sources: &Sources, files: &[File], (file, line): Place) -> Option<Span> {
    let f = files.get(file)?;
    let l = f.lines.get(line)?;
    let id = sources.file(&f.name)?;
    let text = &f.text[l.start..l.end];
    let start = l.start + (text.len() - text.trim_start().len());
    let end = l.start + text.trim_end().len();
    Some(Span::new(id, start.min(end) as u32, end as u32))
}

fn differs(first: Output, files: &[File], at: Place, why: &str) -> Refusal {
    let mut d = Diagnostic::new(codes::NOT_TRANSLATED, "the program cannot be said so").help(
        "nothing is written; say the line in another way, or translate the program as far as it goes",
    );
    if let Some(span) = span(&first.sources, files, at) {
        d = d.at(span).label(why.to_owned());
    }
    Refusal::Found(vec![d], first.sources)
}

/// What is handed out.
fn done(
    book: &Book<'_>,
    shelf: &Shelf<'_>,
    first: Output,
    files: &[File],
    rows: &[Vec<Row>],
) -> Translation {
    let mut expanded = book.expanded.clone();
    expanded.sort();
    expanded.dedup_by_key(|e| e.0);
    let finding = |(at, why): &(Place, String)| {
        let d = Diagnostic::new(codes::EXPANDED, "written as what it comes to");
        match span(&first.sources, files, *at) {
            Some(s) => d.at(s).label(why.clone()),
            None => d,
        }
    };
    let expanded = expanded.iter().map(finding).collect();
    let texts = texts(files, rows);
    let seen = shelf.seen.borrow();
    let other = |s: &&(String, Vec<u8>)| !texts.iter().any(|t| t.0 == s.0);
    let others = seen.iter().filter(other).cloned().collect();
    let filled = |f: &File| f.lines.iter().filter(|l| !l.toks.is_empty()).count();
    Translation {
        files: texts,
        others,
        expanded,
        statements: files.iter().map(filled).sum(),
        sources: first.sources,
    }
}
