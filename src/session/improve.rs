//! The sources of a program with what the optimizer changes written into them: an
//! optimization, the edits that it is, and the proof that the sources with those edits
//! assemble to its very bytes.
//!
//! What cannot be written is left out, and it is optimized anew without it, until all that is
//! done is written. What does not assemble to the same bytes is never given away.

use super::build::Build;
use super::front::{Files, Session};
use crate::diagnostic::Diagnostic;
use crate::image::Image;
use crate::image::origin::pieces;
use crate::optimize::source::{FileEdits, Unwritable, Written};
use crate::optimize::{Ledger, Options};
use crate::text::source::{LoadError, Loader, MemoryLoader, Sources};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// So often it is tried with less.
const MOST_TRIES: usize = 60;

/// Sources that are as good as the optimized program.
pub struct Improved {
    /// All files that the program reads, by the names that its loader gives them: as they
    /// were, and as they are with the changes where those touch them.
    pub files: Vec<Source>,
    /// The build of the optimized program.
    pub build: Build,
    /// What could not be written.
    pub left_out: Vec<Unwritable>,
}

/// A file that a program reads.
pub struct Source {
    /// Its name for the loader.
    pub name: String,
    /// What it was.
    pub before: Vec<u8>,
    /// What it becomes, where that is something else.
    pub after: Option<Vec<u8>>,
}

/// Why there is nothing.
pub enum Refused {
    /// The program, or its contracts, have errors: a build without an image.
    Broken(Box<Build>),
    /// Something else.
    Failed(String),
}

/// Files with others in their place.
#[derive(Default)]
struct Overlay {
    changed: RefCell<BTreeMap<String, Vec<u8>>>,
    read: RefCell<BTreeMap<String, Vec<u8>>>,
}

/// A loader that shows changed files, and keeps what was read.
struct Over {
    files: Rc<Files>,
    over: Rc<Overlay>,
}

impl Over {
    fn shown(&self, found: (String, Vec<u8>)) -> (String, Vec<u8>) {
        let (name, bytes) = found;
        let changed = self.over.changed.borrow();
        match changed.get(&name) {
            Some(new) => (name, new.clone()),
            None => {
                drop(changed);
                let mut read = self.over.read.borrow_mut();
                read.entry(name.clone()).or_insert_with(|| bytes.clone());
                (name, bytes)
            }
        }
    }
}

impl Loader for Over {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        self.files.load(path, from).map(|f| self.shown(f))
    }

    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.files.load_any_case(path, from).map(|f| self.shown(f))
    }
}

/// Makes a program smaller in its sources. The session is as it was behind it.
///
/// # Errors
/// The program has errors, or what was written does not assemble to the same bytes.
pub fn improve(session: &mut Session, options: &Options) -> Result<Improved, Refused> {
    let files = std::mem::replace(&mut session.loader, Files::Memory(MemoryLoader::default()));
    let files = Rc::new(files);
    let over = Rc::new(Overlay::default());
    session.loader = Files::Other(Box::new(Over {
        files: Rc::clone(&files),
        over: Rc::clone(&over),
    }));
    let before = session.optimize.take();
    let made = run(session, options, &over);
    session.optimize = before;
    session.loader = Files::Memory(MemoryLoader::default());
    if let Ok(files) = Rc::try_unwrap(files) {
        session.loader = files;
    }
    made
}

fn run(session: &mut Session, options: &Options, over: &Overlay) -> Result<Improved, Refused> {
    let mut options = options.clone();
    options.write = true;
    let mut left_out: Vec<Unwritable> = Vec::new();
    let mut half = usize::MAX;
    for _ in 0..MOST_TRIES {
        session.optimize = Some(options.clone());
        over.changed.borrow_mut().clear();
        let build = session.assemble();
        let broken = build.ledger.as_ref().is_some_and(|l| !l.broken.is_empty());
        if build.image().is_none() || broken {
            return Err(Refused::Broken(Box::new(build)));
        }
        let written = build.written.clone().unwrap_or_default();
        if !written.bad.is_empty() {
            let more = leave_out(&mut options, &written.bad);
            left_out.extend(written.bad);
            if !more {
                break;
            }
            continue;
        }
        let files = edited(&written.files, &over.read.borrow()).map_err(Refused::Failed)?;
        let changed: BTreeMap<String, Vec<u8>> = files
            .iter()
            .map(|(name, e)| (name.clone(), e.bytes.clone()))
            .collect();
        over.changed.replace(changed);
        session.optimize = None;
        let proof = session.assemble();
        over.changed.borrow_mut().clear();
        match judge(&build, &proof, &files) {
            Ok(()) => return Ok(done(build, over, &files, left_out)),
            Err(fault) => {
                if written.changes.is_empty() {
                    return Err(Refused::Failed(format!(
                        "what was written is not the same program, so nothing is: {}",
                        fault.why
                    )));
                }
                let bad = blamed(fault, &written, &mut half);
                let more = leave_out(&mut options, std::slice::from_ref(&bad));
                left_out.push(bad);
                if !more {
                    break;
                }
            }
        }
    }
    let last = left_out.last();
    let last = last.map_or(String::new(), |u| format!(": {}: {}", u.place, u.reason));
    let tries = left_out.len();
    Err(Refused::Failed(format!(
        "nothing is written: {tries} changes or lines were left out, and what is left cannot be \
         written either{last}"
    )))
}

/// From now on without what cannot be written; whether that is less than before.
fn leave_out(options: &mut Options, bad: &[Unwritable]) -> bool {
    let wanted = &mut options.wanted;
    let count = |w: &crate::optimize::wanted::Wanted| w.still.len() + w.without.len();
    let before = count(wanted);
    for b in bad {
        match b.line {
            Some(line) => {
                wanted.still.insert(line);
            }
            None => wanted.without.extend(b.names.iter().cloned()),
        }
    }
    count(wanted) > before
}

/// Which changes are to blame for sources that are another program: those of the line, else
/// the last half of all that were made.
fn blamed(fault: Fault, written: &Written, half: &mut usize) -> Unwritable {
    let names = match fault.of.is_empty() {
        false => fault.of,
        true => {
            *half = (*half).min(written.changes.len()) / 2;
            written.changes[*half..].to_vec()
        }
    };
    let rule = |n: &String| {
        n.split(|c: char| c.is_ascii_digit())
            .next()
            .unwrap_or("")
            .trim()
            .to_owned()
    };
    let mut rules: Vec<String> = names.iter().map(rule).collect();
    rules.sort();
    rules.dedup();
    Unwritable {
        reason: fault.why,
        place: fault.place,
        rules,
        names,
        line: None,
    }
}

fn done(
    build: Build,
    over: &Overlay,
    files: &BTreeMap<String, Edited>,
    left_out: Vec<Unwritable>,
) -> Improved {
    let read = over.read.borrow();
    let all = read.iter().map(|(name, bytes)| Source {
        name: name.clone(),
        before: bytes.clone(),
        after: files
            .get(name)
            .map(|e| e.bytes.clone())
            .filter(|b| b != bytes),
    });
    Improved {
        files: all.collect(),
        build,
        left_out: merged(left_out),
    }
}

/// Each only once.
fn merged(list: Vec<Unwritable>) -> Vec<Unwritable> {
    let mut known: FxHashSet<(String, String)> = FxHashSet::default();
    let mut out = list;
    out.retain(|u| known.insert((u.place.clone(), u.reason.clone())));
    out
}

/// A file with its edits.
struct Edited {
    bytes: Vec<u8>,
    /// Lines that came or changed, from 1, and the changes that they belong to.
    lines: BTreeMap<usize, Vec<String>>,
}

/// Files with their edits, in the encoding, with the mark and the ends of lines that they had.
fn edited(
    list: &[FileEdits],
    read: &BTreeMap<String, Vec<u8>>,
) -> Result<BTreeMap<String, Edited>, String> {
    let mut out = BTreeMap::new();
    for file in list {
        let Some(bytes) = read.get(&file.name) else {
            return Err(format!("{}: it was not read", file.name));
        };
        let mut sources = Sources::default();
        let id = sources.add_bytes(&*file.name, bytes.clone());
        let source = sources.get(id);
        let text = &source.text;
        let mut new = String::with_capacity(text.len());
        let mut lines = BTreeMap::new();
        let mut at = 0;
        for e in &file.edits {
            let (from, to) = (e.start as usize, e.end as usize);
            let same = from >= at && to >= from;
            let (Some(kept), Some(_)) = (text.get(at..from.max(at)), text.get(from..to)) else {
                return Err(format!("{}: an edit behind its end", file.name));
            };
            if !same {
                return Err(format!("{}: edits that overlap", file.name));
            }
            new.push_str(kept);
            let first = new.matches('\n').count() + 1;
            new.push_str(&e.text);
            let last = new.matches('\n').count() + 1;
            for line in first..=last {
                let own: &mut Vec<String> = lines.entry(line).or_default();
                own.extend(e.of.iter().cloned());
            }
            at = to;
        }
        new.push_str(&text[at..]);
        let mut encoded = match source.latin1 {
            true => new.chars().map(|c| c as u32 as u8).collect(),
            false => new.into_bytes(),
        };
        if !bytes.contains(&b'\n') && bytes.contains(&b'\r') {
            let ends = encoded.iter_mut().filter(|b| **b == b'\n');
            ends.for_each(|b| *b = b'\r');
        }
        if bytes.starts_with(b"\xef\xbb\xbf") {
            encoded.splice(0..0, *b"\xef\xbb\xbf");
        }
        let bytes = encoded;
        out.insert(file.name.clone(), Edited { bytes, lines });
    }
    Ok(out)
}

/// Why written sources are not the optimized program.
struct Fault {
    why: String,
    place: String,
    /// Changes that may be why.
    of: Vec<String>,
}

/// Whether sources assemble to what the optimizer made.
fn judge(build: &Build, proof: &Build, files: &BTreeMap<String, Edited>) -> Result<(), Fault> {
    let (Some(wanted), Some(found)) = (build.image(), proof.image()) else {
        let errors = proof.findings.iter().filter(|d| d.code.starts_with('E'));
        let near = |d: &Diagnostic| {
            let span = proof.sources.in_file(d.span?);
            let source = proof.sources.get(span.source);
            let (line, _) = source.line_column(span.start);
            files.get(&*source.name)?.lines.get(&line).cloned()
        };
        let mut all = errors.clone();
        let of = errors.clone().find_map(near).unwrap_or_default();
        let first = all.next();
        return Err(Fault {
            why: first.map_or("it has errors".to_owned(), |d| d.message.clone()),
            place: first
                .and_then(|d| d.span)
                .map_or(String::new(), |s| proof.sources.place(s)),
            of,
        });
    };
    let (a, b) = (stretches(wanted), stretches(found));
    if a == b && wanted.entry == found.entry && wanted.saved == found.saved {
        return Ok(());
    }
    let at = first_difference(&a, &b);
    let near = at.and_then(|at| {
        let piece = pieces(found).find(|p| {
            let end = p.address() + u64::from(p.run.len);
            (p.address()..end).contains(&at)
        })?;
        let span = proof.sources.in_file(piece.run.span);
        let source = proof.sources.get(span.source);
        let (line, _) = source.line_column(span.start);
        files.get(&*source.name)?.lines.get(&line).cloned()
    });
    Err(Fault {
        why: "the bytes would be others".to_owned(),
        place: at.map_or(String::new(), |a| format!("at ${a:04x}")),
        of: near.unwrap_or_default(),
    })
}

/// Bytes of an image that follow each other: memory, where they are stored and where they
/// run, whether they are only room.
type Stretch = ((u32, u64, u64, bool), Vec<u8>);

fn stretches(image: &Image) -> Vec<Stretch> {
    let filled = image.chunks.iter().filter(|c| !c.bytes.is_empty());
    let mut all: Vec<_> = filled.collect();
    all.sort_by_key(|c| (c.page, c.load, c.address));
    let mut out: Vec<Stretch> = Vec::new();
    for c in all {
        let key = (c.page, c.load, c.address, c.bare);
        let follows = |(k, bytes): &Stretch| {
            let n = bytes.len() as u64;
            (k.0, k.1 + n, k.2 + n, k.3) == key
        };
        match out.last_mut().filter(|l| follows(l)) {
            Some(last) => last.1.extend_from_slice(&c.bytes),
            None => out.push((key, c.bytes.clone())),
        }
    }
    out
}

/// The address of the first byte that differs.
fn first_difference(a: &[Stretch], b: &[Stretch]) -> Option<u64> {
    for (x, y) in a.iter().zip(b) {
        if x.0 != y.0 {
            return Some(x.0.2.min(y.0.2));
        }
        let same = x.1.iter().zip(&y.1).take_while(|(p, q)| p == q).count();
        if same < x.1.len().max(y.1.len()) {
            return Some(x.0.2 + same as u64);
        }
    }
    let rest = a.get(b.len()).or(b.get(a.len()));
    rest.map(|s| s.0.2)
}

/// The ledger of an optimization.
impl Improved {
    /// What was done.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.build.ledger.as_ref()
    }
}
