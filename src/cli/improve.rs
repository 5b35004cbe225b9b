//! `scrimp optimize`: what the optimizer finds, written into the sources.

use super::args::OptimizeArgs;
use super::build::{known_passes, ledger, said};
use super::failure::Failure;
use super::progress::Progress;
use super::{program, terminal::Terminal};
use crate::disk::commit::Before;
use crate::optimize::wanted::Wanted;
use crate::optimize::{Ledger, Options, passes};
use crate::session::front::{Files, Session};
use crate::session::improve::{Improved, Refused, improve as improved};
use crate::session::manifest;
use crate::session::names::unknown;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Lists what the optimizer finds, or writes it into sources.
pub fn improve(args: &OptimizeArgs, terminal: &Terminal) -> Result<(), Failure> {
    known_passes(args.pass.iter().chain(&args.no_pass))?;
    let mut session = program::find_source(&args.program, terminal)?;
    let mut options = Options {
        only: args.pass.clone(),
        without: args.no_pass.clone(),
        contracts: said(&args.contract),
        ..Options::default()
    };
    let lists = args.write.is_none() && !args.in_place;
    if let Some(tries) = args.search {
        options.write = !lists;
        session.optimize = Some(options);
        super::advice::search(&mut session, tries, terminal);
        options = session.optimize.take().unwrap_or_default();
    }
    if lists {
        return list(args, &mut session, options, terminal);
    }
    if matches!(session.loader, Files::Piped(..)) {
        let why = "what comes through a pipe has no file into which changes could be written";
        return Err(Failure::Failed(why.into()));
    }
    options.wanted = chosen(args, &mut session, &options, terminal)?;
    let made = {
        let _progress = Progress::start(format!("optimizing {}", session.name));
        improved(&mut session, &options)
    };
    let made = match made {
        Ok(made) => made,
        Err(Refused::Failed(why)) => return Err(Failure::Failed(why)),
        Err(Refused::Broken(build)) => {
            terminal.some_findings(&build.findings, build.left_out, &build.sources);
            return Err(match build.ledger.filter(|l| !l.broken.is_empty()) {
                Some(l) => Failure::Failed(format!(
                    "the optimizer's ledger does not add up: {}",
                    l.broken
                )),
                None => Failure::Findings,
            });
        }
    };
    let build = &made.build;
    terminal.some_findings(&build.findings, build.left_out, &build.sources);
    let files = match &args.write {
        Some(folder) => beside(&session, &made, folder)?,
        None => own(&session, &made)?,
    };
    write(args, &session, &made, &files)?;
    if let Some(l) = made.ledger() {
        terminal.say(&l.summary());
    }
    terminal.print(&told(&made, &files))
}

/// A file to write: where, what, and what it was read from.
struct Out {
    path: PathBuf,
    bytes: Vec<u8>,
    /// It has changes in it.
    changed: bool,
}

/// Prints what could be changed, with numbers.
fn list(
    args: &OptimizeArgs,
    session: &mut Session,
    mut options: Options,
    terminal: &Terminal,
) -> Result<(), Failure> {
    options.wanted = chosen(args, session, &options, terminal)?;
    session.optimize = Some(options);
    let built = super::job::build(session, terminal)?;
    let Some(found) = &built.ledger else {
        return Ok(());
    };
    let reports: Vec<(PathBuf, Vec<u8>)> = args
        .ledger
        .iter()
        .map(|p| (p.clone(), ledger(&built, p).into_bytes()))
        .collect();
    if !reports.is_empty() {
        program::write(&reports, &session.files(), None)?;
    }
    terminal.say(&found.summary());
    terminal.print(&numbered(found))
}

/// The changes of a ledger with their numbers.
fn numbered(l: &Ledger) -> String {
    let mut out = String::new();
    for (n, r) in (1..).zip(&l.records) {
        let place = r.places.first().map_or("", String::as_str);
        let before = r.before.join(" / ");
        let after = r.after.join(" / ");
        let _ = writeln!(
            out,
            "{n:>4}  {place}: {}: {}: {} bytes: {before} -> {after}",
            r.pass, r.rule, r.saved
        );
    }
    out
}

/// Which changes are asked for.
fn chosen(
    args: &OptimizeArgs,
    session: &mut Session,
    options: &Options,
    terminal: &Terminal,
) -> Result<Wanted, Failure> {
    let mut wanted = Wanted {
        rules: args.rule.clone(),
        ..options.wanted.clone()
    };
    if args.only.is_empty() && args.rule.is_empty() {
        return Ok(wanted);
    }
    session.optimize = Some(options.clone());
    let built = super::job::build(session, terminal)?;
    session.optimize = None;
    let records = built.ledger.as_ref().map_or(&[][..], |l| &l.records);
    for rule in &args.rule {
        let known = records.iter().flat_map(|r| [r.rule.as_str(), r.pass]);
        let pass = passes::ALL.iter().any(|p| p.name == rule);
        if !pass && !known.clone().any(|k| k == rule) {
            return Err(unknown("change by the rule", rule, known).into());
        }
    }
    if args.only.is_empty() {
        return Ok(wanted);
    }
    let mut only = rustc_hash::FxHashSet::default();
    for &n in &args.only {
        let Some(r) = n.checked_sub(1).and_then(|i| records.get(i)) else {
            let why = format!("--only {n}: there are changes 1 to {}", records.len());
            return Err(Failure::Failed(why));
        };
        only.insert(r.name.clone());
    }
    wanted.only = Some(only);
    Ok(wanted)
}

/// The program's own files that change, none of them another than was read.
fn own(session: &Session, made: &Improved) -> Result<Vec<Out>, Failure> {
    if !matches!(session.loader, Files::Disk(_)) {
        let why = "a program that is shipped with scrimp has no files of its own: use --write";
        return Err(Failure::Failed(why.into()));
    }
    let mut out = Vec::new();
    for f in &made.files {
        if let Some(after) = &f.after {
            out.push(Out {
                path: PathBuf::from(&f.name),
                bytes: after.clone(),
                changed: true,
            });
        }
    }
    Ok(out)
}

/// All files of a program below another folder, as they lie to each other.
fn beside(session: &Session, made: &Improved, folder: &Path) -> Result<Vec<Out>, Failure> {
    let disk = matches!(session.loader, Files::Disk(_));
    let full = |name: &str| -> PathBuf {
        let path = Path::new(name);
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        match (disk, std::fs::canonicalize(parent), path.file_name()) {
            (true, Ok(p), Some(file)) => p.join(file),
            _ => path.to_owned(),
        }
    };
    let mut all: Vec<(PathBuf, Vec<u8>, bool)> = Vec::new();
    for f in &made.files {
        let bytes = f.after.as_ref().unwrap_or(&f.before);
        all.push((full(&f.name), bytes.clone(), f.after.is_some()));
    }
    if let (Some((_, text, _)), Some(own)) = (&session.manifest, &session.folder) {
        let path = own.join(manifest::FILE);
        all.push((
            full(&path.to_string_lossy()),
            text.clone().into_bytes(),
            false,
        ));
    }
    let mut root: Option<PathBuf> = None;
    for (path, ..) in &all {
        let parent = path.parent().unwrap_or(Path::new(""));
        root = Some(match root {
            None => parent.to_owned(),
            Some(r) => r
                .components()
                .zip(parent.components())
                .take_while(|(a, b)| a == b)
                .map(|c| c.0)
                .collect(),
        });
    }
    let root = root.unwrap_or_default();
    let mut out = Vec::new();
    for (path, bytes, changed) in all {
        let below = path.strip_prefix(&root).unwrap_or(&path);
        if below
            .components()
            .any(|c| !matches!(c, Component::Normal(_)))
        {
            let why = format!("{}: it cannot lie below another folder", path.display());
            return Err(Failure::Failed(why));
        }
        out.push(Out {
            path: folder.join(below),
            bytes,
            changed,
        });
    }
    Ok(out)
}

/// Writes all files, or none.
fn write(
    args: &OptimizeArgs,
    session: &Session,
    made: &Improved,
    files: &[Out],
) -> Result<(), Failure> {
    let before = Before::of(
        files
            .iter()
            .map(|f| f.path.clone())
            .chain(args.ledger.clone()),
    );
    let mut list: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for f in files {
        let found = std::fs::read(&f.path);
        if args.in_place {
            let name = f.path.to_string_lossy();
            let was = made
                .files
                .iter()
                .find(|m| m.name == name)
                .map(|m| &m.before);
            if found.as_ref().ok() != was {
                let why = format!("{name} changed while it was optimized; nothing is written");
                return Err(Failure::Failed(why));
            }
        } else if found.as_ref().is_ok_and(|b| *b == f.bytes) {
            continue;
        } else if !args.force && f.path.symlink_metadata().is_ok() {
            let why = format!(
                "{} is there already and is another file; --force replaces it",
                f.path.display()
            );
            return Err(Failure::Failed(why));
        }
        list.push((f.path.clone(), f.bytes.clone()));
    }
    for path in &args.ledger {
        list.push((path.clone(), ledger(&made.build, path).into_bytes()));
    }
    let inputs = match args.in_place {
        true => Vec::new(),
        false => session.files(),
    };
    program::write(&list, &inputs, Some(&before))
}

/// What was written and what was not.
fn told(made: &Improved, files: &[Out]) -> String {
    let mut out = String::new();
    for u in &made.left_out {
        let rules = match u.rules.is_empty() {
            true => "an address".to_owned(),
            false => u.rules.join(", "),
        };
        let _ = writeln!(out, "not written: {}: {rules}: {}", u.place, u.reason);
    }
    for f in files.iter().filter(|f| f.changed) {
        let _ = writeln!(out, "{}: written", f.path.display());
    }
    if !files.iter().any(|f| f.changed) {
        out.push_str("nothing changed\n");
    }
    out
}
