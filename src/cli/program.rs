//! Finding the program that the command line names: a folder with a
//! `program.toml`, a source file, a machine file, or a program shipped with scrimp.

use super::Failure;
use super::args::ProgramArgs;
use super::git::GitLoader;
use super::manifest::{self, Manifest};
use super::terminal::Terminal;
use super::{binary, job, reach, shipped, signals};
use crate::diagnostic::near::nearest;
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, codes};
use crate::disk::commit::{Before, CommitError, Disk, Make, Plan};
use crate::disk::{self, DiskLoader};
use crate::session::assemble::Linking;
use crate::text::source::{LoadError, Loader, MAX_FILE, MemoryLoader, SourceId, Sources};
use crate::{dialect, targets};
use scrimp_isa::machine::Fault;
use scrimp_isa::{Machine, Target};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Where a program with a `program.toml` is written unless told otherwise.
const FOLDER: &str = "build";

/// A program to assemble.
pub struct Program {
    /// Its name, without folder and extension.
    pub name: String,
    /// Path of the main file for the loader.
    pub main: String,
    pub loader: Files,
    pub target: &'static dyn Target,
    /// Nobody has said which target; a machine that the source names decides.
    pub any_target: bool,
    pub machine: Option<&'static dyn Machine>,
    pub dialect: String,
    /// Promises are proven with all that takes seconds.
    pub whole_proof: bool,
    /// Other files and addresses of sections.
    pub linking: Linking,
    pub defines: Vec<(String, i64)>,
    /// Files that are read before the main one, as `-i` has them.
    pub pre_includes: Vec<String>,
    /// Lines that are read behind the main one's, as `--promise` has them.
    pub promises: Vec<String>,
    pub emit: Vec<String>,
    pub options: Vec<(String, String)>,
    /// Which warnings are shown, and which are errors.
    pub warnings: Policy,
    /// Name and text of its `program.toml`, and what it says.
    pub manifest: Option<(String, String, Manifest)>,
    /// Where it was found on disk, for `--against`.
    pub folder: Option<PathBuf>,
}

/// Where a program's files come from.
pub enum Files {
    Disk(DiskLoader),
    /// The main file came through a pipe: its name and bytes; others are on disk.
    Piped(String, Vec<u8>, DiskLoader),
    Memory(MemoryLoader),
    Git(GitLoader),
}

impl Loader for Files {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        match self {
            Self::Disk(l) => l.load(path, from),
            Self::Piped(name, bytes, _) if path == name && from.is_none_or(|f| f == job::FIRST) => {
                Ok((name.clone(), bytes.clone()))
            }
            Self::Piped(_, _, l) => l.load(path, from),
            Self::Memory(l) => l.load(path, from),
            Self::Git(l) => l.load(path, from),
        }
    }

    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        match self {
            Self::Disk(l) | Self::Piped(_, _, l) => l.load_any_case(path, from),
            Self::Memory(l) => l.load_any_case(path, from),
            Self::Git(l) => l.load_any_case(path, from),
        }
    }
}

/// What the command line named.
pub enum Found {
    Program(Box<Program>),
    Binary(binary::Binary),
}

/// Finds what the command line names.
pub fn find(args: &ProgramArgs, terminal: &Terminal) -> Result<Found, Failure> {
    let Some(name) = args.program.as_deref() else {
        if Path::new(manifest::FILE).is_file() {
            return folder(Path::new(""), args, terminal)
                .map(Box::new)
                .map(Found::Program);
        }
        return Err(Failure::Failed(format!(
            "there is no {} here; name a program folder, an assembly file or one of: {}",
            manifest::FILE,
            shipped::names().collect::<Vec<_>>().join(", ")
        )));
    };
    if name == "-" {
        let bytes = piped(std::io::stdin(), STANDARD_INPUT)?;
        return source(Path::new("stdin"), Some((STANDARD_INPUT, bytes)), args);
    }
    let path = Path::new(name);
    if disk::is_pipe(path) {
        let file = std::fs::File::open(path);
        let file = file.map_err(|e| format!("cannot read {name}: {e}"))?;
        let bytes = piped(file, name)?;
        return source(Path::new("pipe"), Some((name, bytes)), args);
    }
    if path.is_dir() {
        return folder(path, args, terminal)
            .map(Box::new)
            .map(Found::Program);
    }
    if path.file_name().is_some_and(|f| f == manifest::FILE) {
        let parent = path.parent().unwrap_or(Path::new(""));
        return folder(parent, args, terminal)
            .map(Box::new)
            .map(Found::Program);
    }
    if path.exists() {
        if let Some(binary) = binary::find(path, args)? {
            return Ok(Found::Binary(binary));
        }
        return source(path, None, args);
    }
    if !name.contains(['/', '\\', '.']) {
        let there = Path::new("programs").join(name);
        if there.join(manifest::FILE).is_file() {
            return folder(&there, args, terminal)
                .map(Box::new)
                .map(Found::Program);
        }
        if shipped::names().any(|n| n == name)
            && let Some(files) = shipped::files(name)
        {
            let target = targets::default();
            let mut p = Program::embedded(name, files, target, terminal)?;
            p.apply(args)?;
            return Ok(Found::Program(Box::new(p)));
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
    Err(Failure::Failed(format!("there is no {name}{hint}")))
}

/// Finds a program to assemble; a machine file is refused.
pub fn find_source(args: &ProgramArgs, terminal: &Terminal) -> Result<Program, Failure> {
    match find(args, terminal)? {
        Found::Program(p) => Ok(*p),
        Found::Binary(b) => Err(Failure::Failed(format!(
            "{}.{} is a machine file, there is nothing to assemble",
            b.name, b.container
        ))),
    }
}

fn near_file(path: &Path) -> String {
    match disk::read(path) {
        Err(LoadError::Missing { near }) if !near.is_empty() => {
            format!("; is {} meant?", near.join(" or "))
        }
        _ => String::new(),
    }
}

/// Reads a file that the command line names, of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let bytes = disk::read(path).and_then(|b| match b.len() as u64 {
        n if n > most => Err(LoadError::TooLarge(n)),
        _ => Ok(b),
    });
    bytes.map_err(|e| {
        let why = match e {
            LoadError::Missing { near } if near.is_empty() => "it does not exist".into(),
            LoadError::Missing { near } => {
                format!("it does not exist; is {} meant?", near.join(" or "))
            }
            LoadError::NotAFile(what) => format!("it is {what}"),
            LoadError::TooLarge(n) => format!("{n} bytes are too many"),
            LoadError::Io(e) => e,
            e => format!("{e:?}"),
        };
        Failure::Failed(format!("cannot read {}: {why}", path.display()))
    })
}

/// A machine by name: of a target, or of any when none is said.
pub fn machine_anywhere(
    target: Option<&str>,
    name: &str,
) -> Result<(&'static dyn Target, &'static dyn Machine), String> {
    if let Some(target) = target {
        let target = find_target(target)?;
        return Ok((target, find_machine(target, name)?));
    }
    let mut all = targets::all().iter().copied();
    match all.find_map(|t| Some((t, t.machine(name)?))) {
        Some(found) => Ok(found),
        None => Err(unknown_machine(targets::all(), name)),
    }
}

pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|s| s.to_str());
    stem.filter(|s| !s.is_empty())
        .unwrap_or("program")
        .to_owned()
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
            "cannot read {name}: more than {MAX_FILE} bytes are too many"
        ))),
        false => Ok(bytes),
    }
}

/// A source file, or a text that came through a pipe with the name it has in messages.
fn source(
    path: &Path,
    text: Option<(&str, Vec<u8>)>,
    args: &ProgramArgs,
) -> Result<Found, Failure> {
    // A device as main file is refused here, before the loader waits on it.
    if text.is_none() && !path.is_file() {
        read(path, MAX_FILE)?;
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    let disk = reach::of_source(parent, args);
    let on_disk = text.is_none();
    let (main, loader) = match text {
        None => (disk::tidy(path), Files::Disk(disk)),
        Some((name, bytes)) => (name.into(), Files::Piped(name.into(), bytes, disk)),
    };
    let mut p = Program {
        name: stem(path),
        main,
        loader,
        target: targets::default(),
        any_target: true,
        whole_proof: false,
        machine: None,
        dialect: dialect::names()[0].to_owned(),
        linking: Linking::default(),
        defines: Vec::new(),
        pre_includes: Vec::new(),
        promises: Vec::new(),
        emit: Vec::new(),
        options: Vec::new(),
        warnings: Policy::default(),
        manifest: None,
        folder: on_disk.then(|| parent.to_owned()),
    };
    p.apply(args)?;
    Ok(Found::Program(Box::new(p)))
}

fn folder(path: &Path, args: &ProgramArgs, terminal: &Terminal) -> Result<Program, Failure> {
    let file = path.join(manifest::FILE);
    if !file.exists() {
        return Err(Failure::Failed(format!(
            "{} has no {}",
            path.display(),
            manifest::FILE
        )));
    }
    let text = String::from_utf8(read(&file, manifest::MOST_BYTES)?)
        .map_err(|_| format!("{} is not UTF-8 text", file.display()))?;
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = full.file_name().and_then(|n| n.to_str());
    let name = name.filter(|n| reach::name_fault(n).is_none());
    let name = name.unwrap_or("program");
    let mut disk = reach::of_folder(path, args);
    let shown = disk::tidy(&file);
    let m = parse(&shown, &text, terminal)?;
    for i in &m.include {
        disk = disk.look_in(&path.join(i));
    }
    let main = disk::tidy(&path.join(m.main.get_ref()));
    let mut p = from_manifest(name, main, Files::Disk(disk), (shown, text, m), terminal)?;
    p.folder = Some(path.to_owned());
    p.apply(args)?;
    Ok(p)
}

fn parse(name: &str, text: &str, terminal: &Terminal) -> Result<Manifest, Failure> {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    Manifest::parse(text, id).map_err(|d| {
        terminal.findings(&[*d], &sources);
        Failure::Findings
    })
}

fn from_manifest(
    name: &str,
    main: String,
    loader: Files,
    (file, text, m): (String, String, Manifest),
    terminal: &Terminal,
) -> Result<Program, Failure> {
    let mut sources = Sources::default();
    let id = sources.add(file.as_str(), text.as_str());
    let refuse = |range: std::ops::Range<usize>, message: String| {
        let d = Diagnostic::new(codes::PROGRAM_FILE, message).at(manifest::span(id, &range));
        terminal.findings(&[d], &sources);
        Failure::Findings
    };
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
    }
    let its = dialect::by_name(&language).map_or("", |d| d.target);
    let said = m.target.is_some() || !its.is_empty();
    let mut machine = None;
    if let Some(t) = &m.machine {
        let of = said.then(|| target.name());
        let (its, found) = machine_anywhere(of, t.get_ref()).map_err(|e| refuse(t.span(), e))?;
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
            return Err(refuse(span, fault.message));
        }
    }
    // Where the source decides, the formats are looked at when it has.
    for e in m.emit.iter().filter(|_| !any_target) {
        job::check_format(e.get_ref(), target, machine).map_err(|why| refuse(e.span(), why))?;
    }
    let mut warnings = Policy::default();
    for name in &m.warnings.allow {
        let done = warnings.warn(&format!("no-{}", name.get_ref()));
        done.map_err(|why| refuse(name.span(), why))?;
    }
    for name in &m.warnings.deny {
        let done = warnings.deny(name.get_ref(), &file);
        done.map_err(|why| refuse(name.span(), why))?;
    }
    Ok(Program {
        name,
        main,
        loader,
        target,
        any_target,
        whole_proof: false,
        machine,
        dialect: language,
        linking: Linking::default(),
        defines: m
            .define
            .iter()
            .map(|(n, v)| (n.clone(), *v.get_ref()))
            .collect(),
        pre_includes: Vec::new(),
        promises: Vec::new(),
        emit: m.emit.iter().map(|e| e.get_ref().clone()).collect(),
        options: m
            .options
            .iter()
            .map(|(n, v)| (n.clone(), v.to_string()))
            .collect(),
        warnings,
        manifest: Some((file, text, m)),
        folder: None,
    })
}

impl Program {
    /// The clock of its board in Hz, where its `program.toml` says it.
    pub fn clock(&self) -> Option<u64> {
        let board = self.manifest.as_ref()?.2.board.as_ref()?;
        let clock = board.get_ref().get("clock")?.as_integer()?;
        u64::try_from(clock).ok()
    }

    /// A program from its embedded files.
    pub fn embedded(
        name: &str,
        files: MemoryLoader,
        target: &'static dyn Target,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let (file, bytes) = files
            .load(manifest::FILE, None)
            .map_err(|_| format!("the shipped program {name} has no {}", manifest::FILE))?;
        let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
        let m = parse(&file, &text, terminal)?;
        let main = m.main.get_ref().clone();
        let mut p = from_manifest(name, main, Files::Memory(files), (file, text, m), terminal)?;
        if p.any_target {
            p.target = target;
        }
        Ok(p)
    }

    /// Puts what the command line says over it.
    fn apply(&mut self, args: &ProgramArgs) -> Result<(), Failure> {
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
        self.any_target &= args.target.is_none() && args.machine.is_none() && !of_dialect;
        if let (false, Some(main)) = (args.files.is_empty(), &args.program) {
            for f in &args.files {
                let path = Path::new(f);
                if !path.is_file() {
                    return Err(Failure::Failed(format!(
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
            if !Path::new(main).is_file() && !matches!(self.loader, Files::Piped(..)) {
                return Err(Failure::Failed(format!(
                    "{main} is no file that others are linked with"
                )));
            }
        }
        for s in &args.section_start {
            let address = s
                .split_once('=')
                .and_then(|(n, a)| Some((n, job::number(a)?)));
            let (name, address) =
                address.ok_or_else(|| format!("--section-start {s}: NAME=ADDRESS is expected"))?;
            self.linking.addresses.push((name.to_owned(), address));
        }
        for s in &args.defsym {
            let value = s
                .split_once('=')
                .and_then(|(n, v)| Some((n, job::signed(v)?)));
            let (name, value) =
                value.ok_or_else(|| format!("--defsym {s}: NAME=VALUE is expected"))?;
            self.linking.symbols.push((name.to_owned(), value));
        }
        for d in &args.define {
            let (name, value) = d.split_once('=').unwrap_or((d, "1"));
            let value =
                job::signed(value).ok_or_else(|| format!("-D {d}: {value} is no number"))?;
            let ident = |c: char| c.is_alphanumeric() || "_.?@".contains(c);
            if name.is_empty() || !name.chars().all(ident) {
                return Err(Failure::Failed(format!("-D {d}: {name:?} is no symbol")));
            }
            self.defines.retain(|(n, _)| n != name);
            self.defines.push((name.to_owned(), value));
        }
        for name in &args.warn {
            self.warnings.warn(name)?;
        }
        for name in &args.deny {
            self.warnings.deny(name, &format!("--deny {name}"))?;
        }
        self.pre_includes.clone_from(&args.pre_include);
        self.promises.clone_from(&args.promise);
        for o in &args.option {
            let (name, value) = o
                .split_once('=')
                .ok_or_else(|| format!("--option {o}: NAME=VALUE is expected"))?;
            self.options.retain(|(n, _)| n != name);
            self.options.push((name.to_owned(), value.to_owned()));
        }
        Ok(())
    }

    /// The same program as it was at a revision in git.
    pub fn at_revision(
        &self,
        revision: &str,
        args: &ProgramArgs,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let folder = self.folder.as_deref().ok_or_else(|| {
            format!(
                "{} does not come from a folder that git could know",
                self.name
            )
        })?;
        let mut git = GitLoader::new(revision)
            .ok_or_else(|| format!("{revision} is neither a file nor a revision in git"))?;
        for i in &args.include {
            git.search(i.clone());
        }
        if self.manifest.is_some() {
            let said = args.include.iter().chain(&args.allow_read);
            git.only(said.map(PathBuf::as_path).chain([folder]));
        }
        let mut p = if self.manifest.is_some() {
            let shown = disk::tidy(&folder.join(manifest::FILE));
            let (_, bytes) = git
                .load(&shown, None)
                .map_err(|_| format!("{revision} has no {shown}"))?;
            if bytes.len() as u64 > manifest::MOST_BYTES {
                let why = format!("{shown} of {revision}: {} bytes are too many", bytes.len());
                return Err(Failure::Failed(why));
            }
            let text = String::from_utf8(bytes).map_err(|e| e.to_string())?;
            let m = parse(&shown, &text, terminal)?;
            for i in &m.include {
                git.search(folder.join(i));
            }
            let main = disk::tidy(&folder.join(m.main.get_ref()));
            from_manifest(
                &self.name,
                main,
                Files::Git(git),
                (shown, text, m),
                terminal,
            )?
        } else {
            git.search(folder.to_owned());
            Program {
                name: self.name.clone(),
                main: self.main.clone(),
                loader: Files::Git(git),
                target: self.target,
                any_target: self.any_target,
                whole_proof: self.whole_proof,
                machine: self.machine,
                dialect: self.dialect.clone(),
                linking: self.linking.clone(),
                defines: Vec::new(),
                pre_includes: Vec::new(),
                promises: Vec::new(),
                emit: Vec::new(),
                options: Vec::new(),
                warnings: Policy::default(),
                manifest: None,
                folder: None,
            }
        };
        p.apply(args)?;
        // Who compares does not judge what was.
        p.warnings = Policy::default();
        Ok(p)
    }

    /// Where its outputs go unless told otherwise.
    pub fn output_folder(&self) -> PathBuf {
        match self.manifest {
            Some(_) => PathBuf::from(FOLDER),
            None => PathBuf::new(),
        }
    }

    /// The files it was read from, as far as they are on disk.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut out = match &self.loader {
            Files::Disk(l) | Files::Piped(_, _, l) => l.loaded(),
            Files::Memory(_) | Files::Git(_) => Vec::new(),
        };
        if let (Some(folder), Some(_)) = (&self.folder, &self.manifest) {
            out.push(folder.join(manifest::FILE));
        }
        out
    }

    /// Budgets of its `program.toml`, whose text is added to the sources.
    pub fn budgets(&self, sources: &mut Sources) -> Vec<crate::image::Budget> {
        self.manifest
            .as_ref()
            .map_or(Vec::new(), |(name, text, m)| {
                let id: SourceId = sources.add(name.as_str(), text.as_str());
                m.budgets(id)
            })
    }
}

/// A target by name.
///
/// # Errors
/// With a near name, or all there are.
pub fn find_target(name: &str) -> Result<&'static dyn Target, String> {
    let names = targets::all().iter().map(|t| t.name());
    targets::by_name(name).ok_or_else(|| unknown("target", name, names))
}

fn find_machine(target: &'static dyn Target, name: &str) -> Result<&'static dyn Machine, String> {
    let found = target.machine(name);
    found.ok_or_else(|| unknown_machine(&[target], name))
}

/// "there is no machine x; near are y and z".
fn unknown_machine(targets: &[&'static dyn Target], name: &str) -> String {
    let near: Vec<_> = targets.iter().flat_map(|t| t.near_machines(name)).collect();
    match near.as_slice() {
        [] => {
            let names = targets.iter().flat_map(|t| t.machine_names());
            let names: Vec<_> = names.collect();
            unknown("machine", name, names.iter().copied())
        }
        [one] => format!("there is no machine {name}; is {one} meant?"),
        [most @ .., last] => {
            format!(
                "there is no machine {name}; there are {} and {last}",
                most.join(", ")
            )
        }
    }
}

fn find_dialect(name: &str) -> Result<String, String> {
    let names = dialect::names();
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(unknown("dialect", name, names.iter().copied())),
    }
}

/// Most names that a message lists.
const MOST_NAMES: usize = 20;

/// "there is no machine x; is y meant?" or the names there are.
pub fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, names.clone()) {
        Some(near) => format!("there is no {kind} {name}; is {near} meant?"),
        None => {
            let all: Vec<_> = names.collect();
            match all.len() {
                0..=MOST_NAMES => {
                    format!("there is no {kind} {name}; there are: {}", all.join(", "))
                }
                n => format!("there is no {kind} {name}; `scrimp targets` lists the {n} there are"),
            }
        }
    }
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
    plan.commit_to(&Disk, make)
}

impl From<CommitError> for Failure {
    fn from(e: CommitError) -> Self {
        Self::Failed(e.to_string())
    }
}
