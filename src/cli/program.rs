//! The program that the command line names, as a session.

use super::args::ProgramArgs;
use super::failure::Failure;
use super::git::GitLoader;
use super::signals;
use super::terminal::Terminal;
use crate::diagnostic::policy::Policy;
use crate::disk;
use crate::disk::commit::{Before, CommitError, Make, OsFiles, Plan};
use crate::disk::reach::Disk;
use crate::read::job::Define;
use crate::session::find::{self, Found};
use crate::session::front::{Files, Session};
use crate::session::manifest;
use crate::session::names::{number, signed};
use crate::session::options::Options;
use crate::session::refusal::Refusal;
use crate::text::source::{Loader, MAX_FILE};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Finds what the command line names.
pub fn find(args: &ProgramArgs, terminal: &Terminal) -> Result<Found, Failure> {
    let options = options(args)?;
    let disk = seen(args);
    let name = args.program.as_deref();
    let piped = match name {
        Some("-") => {
            let bytes = piped(std::io::stdin(), STANDARD_INPUT)?;
            Some((Path::new("stdin"), STANDARD_INPUT, bytes))
        }
        Some(name) if disk::is_pipe(Path::new(name)) => {
            let file = std::fs::File::open(name);
            let file = file.map_err(|e| format!("cannot read {name}: {e}"))?;
            Some((Path::new("pipe"), name, piped(file, name)?))
        }
        _ => None,
    };
    let found = match piped {
        Some((path, name, bytes)) => find::source(path, Some((name, bytes)), &disk, &options)
            .map(|s| Found::Program(Box::new(s))),
        None => find::find(&disk, name, &options),
    };
    match found.map_err(|r| terminal.refused(r))? {
        Found::Program(mut p) => {
            p.index = false;
            Ok(Found::Program(p))
        }
        binary => Ok(binary),
    }
}

/// Finds a program to assemble; a machine file is refused.
pub fn find_source(args: &ProgramArgs, terminal: &Terminal) -> Result<Session, Failure> {
    let program = find(args, terminal)?.program();
    program.map_err(|r| terminal.refused(r))
}

/// What of the disk the command line allows.
fn seen(args: &ProgramArgs) -> Disk {
    let mut disk = Disk::here();
    for folder in &args.source.include {
        disk = disk.search(folder);
    }
    for folder in &args.source.allow_read {
        disk = disk.allow(folder);
    }
    for file in &args.pre_include {
        disk = disk.allow_file(file);
    }
    disk
}

/// What the command line says over a program.
fn options(args: &ProgramArgs) -> Result<Options, Failure> {
    let mut out = Options {
        target: args.source.target.clone(),
        machine: args.source.machine.clone(),
        dialect: args.source.dialect.clone(),
        files: args.files.clone(),
        relax: args.relax,
        scripts: args.lua,
        warn: args.warnings.warn.clone(),
        deny: args.warnings.deny.clone(),
        pre_includes: args.pre_include.clone(),
        promises: args.promise.clone(),
        ..Options::default()
    };
    for s in &args.section_start {
        let address = s.split_once('=').and_then(|(n, a)| Some((n, number(a)?)));
        let (name, address) =
            address.ok_or_else(|| format!("--section-start {s}: NAME=ADDRESS is expected"))?;
        out.sections.push((name.to_owned(), address));
    }
    for s in &args.defsym {
        let value = s.split_once('=').and_then(|(n, v)| Some((n, signed(v)?)));
        let (name, value) = value.ok_or_else(|| format!("--defsym {s}: NAME=VALUE is expected"))?;
        out.symbols.push((name.to_owned(), value));
    }
    for d in &args.source.define {
        let (name, value) = match d.split_once('=') {
            Some((name, text)) => (name, defined(text)),
            None => (d.as_str(), Define::bare()),
        };
        let ident = |c: char| c.is_alphanumeric() || "_.?@".contains(c);
        if name.is_empty() || !name.chars().all(ident) {
            return Err(Failure::Failed(format!("-D {d}: {name:?} is no symbol")));
        }
        out.defines.push((name.to_owned(), value));
    }
    for o in &args.source.option {
        let (name, value) = o
            .split_once('=')
            .ok_or_else(|| format!("--option {o}: NAME=VALUE is expected"))?;
        out.options.push((name.to_owned(), value.to_owned()));
    }
    Ok(out)
}

/// What is behind `-D NAME=`.
fn defined(text: &str) -> Define {
    // Makefiles for C have `-D F_CPU=16000000UL`.
    let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffixed = number.ends_with(|c: char| c.is_ascii_hexdigit());
    Define {
        number: signed(if suffixed { number } else { text }),
        text: text.to_owned(),
    }
}

/// Name of what is read from standard input.
const STANDARD_INPUT: &str = "<standard input>";

/// All that comes through a pipe, of a bounded size.
fn piped(from: impl std::io::Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|e| format!("cannot read {name}: {e}"))?;
    match bytes.len() as u64 > MAX_FILE {
        true => Err(Failure::Failed(format!(
            "cannot read {name}: it has more than {MAX_FILE} bytes"
        ))),
        false => Ok(bytes),
    }
}

/// The same program as it was at a revision in git.
pub fn at_revision(
    session: &Session,
    revision: &str,
    args: &ProgramArgs,
    terminal: &Terminal,
) -> Result<Session, Failure> {
    let folder = session.folder.as_deref().ok_or_else(|| {
        format!(
            "{} does not come from a folder that git could know",
            session.name
        )
    })?;
    let mut git = GitLoader::new(revision)
        .ok_or_else(|| format!("{revision} is neither a file nor a revision in git"))?;
    for i in &args.source.include {
        git.search(i.clone());
    }
    if session.manifest.is_some() {
        let said = args.source.include.iter().chain(&args.source.allow_read);
        git.only(said.map(PathBuf::as_path).chain([folder]));
    }
    let mut p = if session.manifest.is_some() {
        let shown = disk::tidy(&folder.join(manifest::FILE));
        let (_, bytes) = git
            .load(&shown, None)
            .map_err(|_| format!("{revision} has no {shown}"))?;
        if bytes.len() as u64 > manifest::MOST_BYTES {
            let why = format!("{shown} of {revision}: {} bytes are too many", bytes.len());
            return Err(Failure::Failed(why));
        }
        let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
        let m = find::parse(&shown, &text).map_err(|r| terminal.refused(r))?;
        for i in &m.include {
            git.search(folder.join(i.get_ref()));
        }
        let main = disk::tidy(&folder.join(m.main.get_ref()));
        let files = Files::Other(Box::new(git));
        let described = Session::described(&session.name, main, files, (shown, text, m));
        described.map_err(|r| terminal.refused(r))?
    } else {
        git.search(folder.to_owned());
        let mut p = Session::of_files(&session.main, Files::Other(Box::new(git)));
        p.name.clone_from(&session.name);
        (p.target, p.any_target) = (session.target, session.any_target);
        (p.machine, p.dialect) = (session.machine, session.dialect.clone());
        p.linking = session.linking.clone();
        p
    };
    p.apply(&options(args)?).map_err(|r| terminal.refused(r))?;
    // Who compares does not judge what was.
    p.warnings = Policy::default();
    p.index = false;
    Ok(p)
}

/// Reads a file that the command line names, of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    Ok(disk::read_at_most(path, most)?)
}

/// Writes files, all or none. What is read is never overwritten, and only regular
/// files are replaced, and none that changed since `before`.
pub fn write(
    files: &[(PathBuf, Vec<u8>)],
    read: &[PathBuf],
    before: Option<&Before>,
) -> Result<(), Failure> {
    let paths: Vec<PathBuf> = files.iter().map(|f| f.0.clone()).collect();
    write_each(&paths, read, before, &mut |i| Ok((&files[i].1).into()))
}

/// As [`write`], where each file is made when the one before has been written.
pub fn write_each(
    files: &[PathBuf],
    read: &[PathBuf],
    before: Option<&Before>,
    make: Make<'_, '_, Failure>,
) -> Result<(), Failure> {
    let _guard = signals::hold(None);
    let plan = Plan {
        files,
        inputs: read,
        before,
        stop: Some(&signals::caught),
    };
    plan.commit_to(&OsFiles, make)
}

impl Terminal {
    /// Prints why something was refused.
    pub fn refused(&self, refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Failed(message) => Failure::Failed(message),
            Refusal::Found(findings, sources) => {
                self.findings(&findings, &sources);
                Failure::Findings
            }
            Refusal::Broken(_) => Failure::Findings,
        }
    }
}

impl From<CommitError> for Failure {
    fn from(e: CommitError) -> Self {
        Self::Failed(e.to_string())
    }
}
