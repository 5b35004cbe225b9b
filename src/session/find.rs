//! Opening a program: a folder with a `program.toml`, a source file, a machine file, or a
//! program shipped with scrimp; and what is said over it.

use super::binary::{self, Binary};
use super::build::check_format;
use super::front::{Files, Session};
use super::manifest::{self, Manifest};
use super::names::{find_dialect, find_machine, find_target, machine_anywhere, name_fault};
use super::options::Options;
use super::preceded;
use super::refusal::Refusal;
use super::shipped;
use crate::diagnostic::near::nearest;
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, codes};
use crate::disk::reach::{Disk, stays_in};
use crate::disk::{self, near_file, stem};
use crate::read::job::Define;
use crate::text::language::Dialect;
use crate::text::source::{Loader, MAX_FILE, MemoryLoader, Sources};
use crate::{dialect, targets};
use rustc_hash::FxHashSet;
use scrimp_isa::machine::Fault;
use scrimp_isa::{Machine, Target};
use std::path::{Path, PathBuf};

/// What a name stood for.
pub enum Found {
    /// A program to assemble.
    Program(Box<Session>),
    /// A machine file, to be run as it is.
    Binary(Binary),
}

/// Finds what a name stands for; none stands for the `program.toml` of the current folder.
///
/// # Errors
/// There is no such thing, or what it says of itself is wrong.
pub fn find(disk: &Disk, name: Option<&str>, options: &Options) -> Result<Found, Refusal> {
    let opened = |s: Session| Found::Program(Box::new(s));
    let Some(name) = name else {
        if Path::new(manifest::FILE).is_file() {
            return folder(Path::new(""), disk, options).map(opened);
        }
        return Err(Refusal::Failed(format!(
            "there is no {} here; name a program folder, an assembly file or one of: {}",
            manifest::FILE,
            shipped::names().collect::<Vec<_>>().join(", ")
        )));
    };
    let path = Path::new(name);
    if path.is_dir() {
        return folder(path, disk, options).map(opened);
    }
    if path.file_name().is_some_and(|f| f == manifest::FILE) {
        let parent = path.parent().unwrap_or(Path::new(""));
        return folder(parent, disk, options).map(opened);
    }
    if path.exists() {
        if let Some(binary) = binary::find(path, options)? {
            return Ok(Found::Binary(binary));
        }
        return source(path, None, disk, options).map(opened);
    }
    if !name.contains(['/', '\\', '.']) {
        let there = Path::new("programs").join(name);
        if there.join(manifest::FILE).is_file() {
            return folder(&there, disk, options).map(opened);
        }
        if shipped::names().any(|n| n == name)
            && let Some(files) = shipped::files(name)
        {
            let mut p = Session::embedded(name, files, targets::default())?;
            p.apply(options)?;
            return Ok(opened(p));
        }
    }
    let hint = match nearest(name, shipped::names()) {
        Some(near) => format!("; is {near} meant?"),
        None if name.contains(['/', '\\', '.']) => near_file(path),
        None => match near_file(path) {
            near if near.is_empty() => format!(
                ", neither as a file or folder nor among the programs that come along: {}",
                shipped::names().collect::<Vec<_>>().join(", ")
            ),
            near => near,
        },
    };
    Err(Refusal::Failed(format!("there is no {name}{hint}")))
}

/// A source file, or a text that came through a pipe with the name it has in messages.
///
/// # Errors
/// What is no file, options that do not fit.
pub fn source(
    path: &Path,
    text: Option<(&str, Vec<u8>)>,
    disk: &Disk,
    options: &Options,
) -> Result<Session, Refusal> {
    // A device as main file is refused here, before the loader waits on it.
    if text.is_none() && !path.is_file() {
        disk::read_at_most(path, MAX_FILE)?;
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    let disk = disk.of_source(parent);
    let on_disk = text.is_none();
    let (main, loader) = match text {
        None => (disk::tidy(path), Files::Disk(disk)),
        Some((name, bytes)) => (name.into(), Files::Piped(name.into(), bytes, disk)),
    };
    let mut p = Session::of_files(&main, loader);
    p.name = stem(path);
    p.folder = on_disk.then(|| parent.to_owned());
    p.apply(options)?;
    Ok(p)
}

fn folder(path: &Path, disk: &Disk, options: &Options) -> Result<Session, Refusal> {
    let file = path.join(manifest::FILE);
    if !file.exists() {
        return Err(Refusal::Failed(format!(
            "{} has no {}",
            path.display(),
            manifest::FILE
        )));
    }
    let text = String::from_utf8(disk::read_at_most(&file, manifest::MOST_BYTES)?)
        .map_err(|_| format!("{} is not UTF-8 text", file.display()))?;
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = full.file_name().and_then(|n| n.to_str());
    let name = name.filter(|n| name_fault(n).is_none());
    let name = name.unwrap_or("program");
    let mut disk = disk.of_folder(path);
    let shown = disk::tidy(&file);
    let m = parse(&shown, &text)?;
    for i in &m.include {
        disk = disk.look_in(&path.join(i.get_ref()));
    }
    let main = path.join(m.main.get_ref());
    if !main.exists() {
        let why = format!("there is no file {}{}", m.main.get_ref(), near_file(&main));
        return Err(at_key(&shown, &text, &m.main.span(), why));
    }
    let main = disk::tidy(&main);
    let mut p = Session::described(name, main, Files::Disk(disk), (shown, text, m))?;
    p.folder = Some(path.to_owned());
    p.apply(options)?;
    Ok(p)
}

/// Reads a `program.toml`.
///
/// # Errors
/// Findings in it.
pub fn parse(name: &str, text: &str) -> Result<Manifest, Refusal> {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    Manifest::parse(text, id).map_err(|d| Refusal::Found(vec![*d], sources))
}

/// A fault at a place of a `program.toml`.
fn at_key(file: &str, text: &str, range: &std::ops::Range<usize>, message: String) -> Refusal {
    let mut sources = Sources::default();
    let id = sources.add(file, text);
    let d = Diagnostic::new(codes::PROGRAM_FILE, message).at(manifest::span(id, range));
    Refusal::Found(vec![d], sources)
}

/// Which warnings a `program.toml` wants, or what is no name of one.
fn warnings_of(m: &Manifest, file: &str) -> Result<Policy, (std::ops::Range<usize>, String)> {
    let mut warnings = Policy::default();
    for name in &m.warnings.allow {
        let done = warnings.warn(&format!("no-{}", name.get_ref()));
        done.map_err(|why| (name.span(), why))?;
    }
    for name in &m.warnings.deny {
        let done = warnings.deny(name.get_ref(), file);
        done.map_err(|why| (name.span(), why))?;
    }
    Ok(warnings)
}

/// Whether a dialect is one of a target.
fn fits(dialect: &Dialect, target: &dyn Target) -> Result<(), String> {
    match dialect.target.is_empty() || dialect.target == target.name() {
        true => Ok(()),
        false => Err(format!(
            "the dialect {} is one of {}, not of {}",
            dialect.name,
            dialect.target,
            target.name()
        )),
    }
}

/// Options that the formats of a target have, those of a machine where it is known.
fn options_of(target: &dyn Target, machine: Option<&dyn Machine>) -> Vec<&'static str> {
    let mut all: Vec<_> = match machine {
        Some(m) => m.options().to_vec(),
        None => target
            .machines()
            .iter()
            .flat_map(|m| m.options())
            .copied()
            .collect(),
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether formats have an option.
fn check_option(name: &str, known: &[&str]) -> Result<(), String> {
    if known.iter().any(|k| k.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("; is {near} meant?"),
        None if known.is_empty() => ": the formats here have none".to_owned(),
        None => format!("; there are: {}", known.join(", ")),
    };
    Err(format!("there is no option {name} of the formats{hint}"))
}

impl Session {
    /// Opens a folder with a `program.toml`, a source file, or by its name a program that
    /// comes with scrimp.
    ///
    /// # Errors
    /// There is no such program, or what it says of itself is wrong.
    pub fn open(disk: Disk, path: impl AsRef<Path>) -> Result<Self, Refusal> {
        let name = path.as_ref().to_string_lossy();
        Self::open_with(&disk, &name, &Options::default())
    }

    /// Likewise, with something said over it.
    ///
    /// # Errors
    /// As [`open`](Self::open), and options that do not fit.
    pub fn open_with(disk: &Disk, name: &str, options: &Options) -> Result<Self, Refusal> {
        find(disk, Some(name), options)?.program()
    }

    /// A program from its embedded files.
    ///
    /// # Errors
    /// What it says of itself is wrong.
    pub fn embedded(
        name: &str,
        files: MemoryLoader,
        target: &'static dyn Target,
    ) -> Result<Self, Refusal> {
        let (file, bytes) = files
            .load(manifest::FILE, None)
            .map_err(|_| format!("the shipped program {name} has no {}", manifest::FILE))?;
        let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
        let m = parse(&file, &text)?;
        let main = m.main.get_ref().clone();
        let mut p = Self::described(name, main, Files::Memory(files), (file, text, m))?;
        if p.any_target {
            p.target = target;
        }
        Ok(p)
    }

    /// A program that a `program.toml` describes: its name if that says none, the path of its
    /// main file, its files, and name, text and content of the `program.toml`.
    ///
    /// # Errors
    /// Findings in it.
    pub fn described(
        name: &str,
        main: String,
        loader: Files,
        (file, text, m): (String, String, Manifest),
    ) -> Result<Self, Refusal> {
        let refuse =
            |range: std::ops::Range<usize>, message: String| at_key(&file, &text, &range, message);
        let own_name = m.name().map_err(|(at, why)| refuse(at, why))?;
        let name = own_name.unwrap_or(name).to_owned();
        let mut target = targets::default();
        if let Some(t) = &m.target {
            target = find_target(t.get_ref()).map_err(|e| refuse(t.span(), e))?;
        }
        let mut language = dialect::names()[0].to_owned();
        if let Some(t) = &m.dialect {
            language = find_dialect(t.get_ref()).map_err(|e| refuse(t.span(), e))?;
            let its = dialect::by_name(&language).map_or("", |d| d.target);
            if m.target.is_none() && !its.is_empty() {
                target = find_target(its)?;
            }
            if let Some(d) = dialect::by_name(&language) {
                fits(d, target).map_err(|e| refuse(t.span(), e))?;
            }
        }
        let its = dialect::by_name(&language).map_or("", |d| d.target);
        let said = m.target.is_some() || !its.is_empty();
        let mut machine = None;
        if let Some(t) = &m.machine {
            let of = said.then(|| target.name());
            let (its, found) =
                machine_anywhere(of, t.get_ref()).map_err(|e| refuse(t.span(), e))?;
            (target, machine) = (its, Some(found));
        }
        let any_target = !said && machine.is_none();
        if let Some(board) = &m.board {
            let fault = match machine {
                Some(machine) => machine.check_board(&text).err(),
                None => Some(Fault {
                    span: None,
                    message: "a board needs a machine; say which: machine = \"...\"".into(),
                }),
            };
            if let Some(fault) = fault {
                let span = fault.span.unwrap_or_else(|| board.span());
                return Err(refuse(span, manifest::told(&fault.message)));
            }
        }
        // Where the source decides, the formats are looked at when it has.
        for e in m.emit.iter().filter(|_| !any_target) {
            check_format(e.get_ref(), target, machine).map_err(|why| refuse(e.span(), why))?;
        }
        let known = options_of(target, machine);
        for (name, given) in m.options.iter().filter(|_| !any_target) {
            check_option(name, &known).map_err(|why| refuse(given.span(), why))?;
        }
        let warnings = warnings_of(&m, &file).map_err(|(at, why)| refuse(at, why))?;
        let mut p = Self::of_files(&main, loader);
        (p.name, p.linking.relax) = (name, m.relax);
        (p.target, p.any_target, p.machine, p.dialect) = (target, any_target, machine, language);
        p.defines = m
            .define
            .iter()
            .map(|(n, v)| (n.clone(), v.get_ref().into()))
            .collect();
        p.emit = m.emit.iter().map(|e| e.get_ref().clone()).collect();
        p.options = m
            .options
            .iter()
            .map(|(n, v)| (n.clone(), v.get_ref().to_string()))
            .collect();
        p.warnings = warnings;
        p.manifest = Some((file, text, m));
        Ok(p)
    }

    /// Puts over it what is said beside.
    ///
    /// # Errors
    /// Names that there are not, files that are missing.
    pub fn apply(&mut self, args: &Options) -> Result<(), Refusal> {
        if let Some(t) = &args.target {
            self.target = find_target(t)?;
        }
        let language = args.dialect.as_deref().and_then(dialect::by_name);
        if let Some(l) = language
            && args.target.is_none()
            && !l.target.is_empty()
        {
            self.target = find_target(l.target)?;
        }
        if let Some(m) = &args.machine {
            // A machine says its instruction set, where nothing else does.
            let said = args.target.is_some()
                || language.is_some_and(|l| !l.target.is_empty())
                || self
                    .manifest
                    .as_ref()
                    .is_some_and(|(_, _, m)| m.target.is_some());
            if self.target.machine(m).is_none() && !said {
                (self.target, self.machine) =
                    machine_anywhere(None, m).map(|(t, m)| (t, Some(m)))?;
            } else {
                self.machine = Some(find_machine(self.target, m)?);
            }
        }
        if let Some(d) = &args.dialect {
            self.dialect = find_dialect(d)?;
        }
        let of_dialect = language.is_some_and(|l| !l.target.is_empty());
        if let Some(l) = language.filter(|_| args.target.is_some()) {
            fits(l, self.target)?;
        }
        self.any_target &= args.target.is_none() && args.machine.is_none() && !of_dialect;
        if !args.files.is_empty() {
            if self.manifest.is_some() {
                let named = self.folder.as_deref().map(disk::tidy);
                let named = named.unwrap_or_else(|| self.name.clone());
                return Err(Refusal::Failed(format!(
                    "{named} is no file that others are linked with"
                )));
            }
            for f in &args.files {
                let path = Path::new(f);
                if !path.is_file() {
                    return Err(Refusal::Failed(format!(
                        "there is no file {f}{}",
                        near_file(path)
                    )));
                }
                if let Files::Disk(l) | Files::Piped(_, _, l) = &mut self.loader {
                    let folder = path.parent().unwrap_or(Path::new(""));
                    *l = std::mem::take(l).allow(folder);
                }
                self.linking.files.push(disk::tidy(path));
            }
        }
        self.linking.addresses.extend(args.sections.iter().cloned());
        self.linking.symbols.extend(args.symbols.iter().cloned());
        self.linking.relax |= args.relax;
        self.linking.scripts |= args.scripts;
        named(&mut self.defines, &args.defines);
        self.check_defines()?;
        for name in &args.warn {
            self.warnings.warn(name)?;
        }
        for name in &args.deny {
            self.warnings.deny(name, &format!("--deny {name}"))?;
        }
        self.pre_includes.clone_from(&args.pre_includes);
        self.promises.clone_from(&args.promises);
        // What cannot be read first is said before the work.
        preceded::text(&self.main, &self.dialect, &self.pre_includes)?;
        named(&mut self.options, &args.options);
        Ok(())
    }
}

/// Adds values by name, of which the last of each name counts.
impl Session {
    /// Whether the dialect takes what is defined from outside.
    fn check_defines(&self) -> Result<(), Refusal> {
        let Some(dialect) = dialect::by_name(&self.dialect) else {
            return Ok(());
        };
        let texts = dialect::hooks(dialect).takes_texts(dialect);
        for (name, given) in &self.defines {
            let Some(why) = given.fault(dialect.name, texts) else {
                continue;
            };
            if let Some((file, text, m)) = &self.manifest
                && let Some(written) = m.define.get(name)
                && Define::from(written.get_ref()) == *given
            {
                let mut sources = Sources::default();
                let id = sources.add(file.as_str(), text.as_str());
                let at = manifest::span(id, &written.span());
                let d = Diagnostic::new(codes::PROGRAM_FILE, why).at(at);
                return Err(Refusal::Found(vec![d], sources));
            }
            return Err(Refusal::Failed(format!("-D {name}={}: {why}", given.text)));
        }
        Ok(())
    }
}

fn named<T: Clone>(all: &mut Vec<(String, T)>, more: &[(String, T)]) {
    all.extend_from_slice(more);
    let mut last = FxHashSet::default();
    let mut counts: Vec<bool> = all.iter().rev().map(|(n, _)| last.insert(&**n)).collect();
    all.retain(|_| counts.pop().unwrap_or(true));
}

impl Found {
    /// The program; a machine file is refused.
    ///
    /// # Errors
    /// It is a machine file.
    pub fn program(self) -> Result<Session, Refusal> {
        match self {
            Self::Program(p) => Ok(*p),
            Self::Binary(b) => Err(Refusal::Failed(format!(
                "{} is a machine file, there is nothing to assemble; `scrimp disasm` shows what \
                 it has",
                b.shown
            ))),
        }
    }
}

/// Refuses an output that leads out of the folder of outputs through a link that may have
/// come with the program. Where who builds names the output, it leads where it says.
///
/// # Errors
/// The first that does.
pub fn check_outputs(program: &Session, paths: &[PathBuf]) -> Result<(), String> {
    let folder = program.output_folder();
    match paths.iter().find(|p| !stays_in(p, &folder)) {
        None => Ok(()),
        Some(path) => Err(format!(
            "{} leads out of {} through a symbolic link; if it is to be written there, say so \
             with -o",
            path.display(),
            match folder.as_os_str().is_empty() {
                true => "the current folder".into(),
                false => folder.display().to_string(),
            }
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::named;
    use std::time::{Duration, Instant};

    #[test]
    fn the_last_of_each_name_counts_where_it_stands() {
        let own = |all: &[(&str, i64)]| -> Vec<(String, i64)> {
            all.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect()
        };
        let mut all = own(&[("a", 1), ("b", 2)]);
        named(&mut all, &own(&[("c", 3), ("a", 4), ("c", 5)]));
        assert_eq!(all, own(&[("b", 2), ("a", 4), ("c", 5)]));
    }

    #[test]
    fn many_names_cost_in_proportion() {
        let many: Vec<(String, i64)> = (0..200_000).map(|i| (format!("x{i}"), i)).collect();
        let before = Instant::now();
        let mut all = Vec::new();
        named(&mut all, &many);
        assert_eq!(all, many);
        assert!(before.elapsed() < Duration::from_secs(20));
    }
}
