//! The front of the library: a program that is open, and what assembling it gives.
//!
//! From a text to its bytes and to the machine that runs them:
//!
//! ```
//! use scrimp::Session;
//!
//! let session = Session::of_text("        org 0\nstart:  ld a,5\nwait:   jump wait\n");
//! let build = session.assemble();
//! assert!(build.findings.is_empty());
//! assert_eq!(build.image().unwrap().binary(0xff), [0x3e, 5, 0x18, 0xfe]);
//! assert_eq!(build.known.name("wait").unwrap().value, Some(2));
//! ```
//!
//! A build never fails: a source with errors has findings and no image, and all that its
//! other lines say is known.
//!
//! ```
//! use scrimp::Session;
//!
//! let build = Session::of_text("start: ld a,start/256\n nonsense!\n jump start\n").assemble();
//! assert!(build.image().is_none());
//! assert_eq!(build.findings.len(), 1);
//! assert_eq!(build.known.name("start").unwrap().references.len(), 2);
//! ```

use super::assemble::{Linking, Output, Settings};
use super::build::{Build, Whole};
use super::explained::assemble_by;
use super::manifest::Manifest;
use super::pass::Pass;
use super::preceded::{self, FIRST, Preceded};
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, codes};
use crate::disk::DiskLoader;
use crate::optimize::contract::Written;
use crate::read::job::{Define, Job};
use crate::text::source::{LoadError, Loader, MemoryLoader};
use crate::{dialect, targets};
use scrimp_isa::{Machine, Target};
use std::path::PathBuf;

/// Where a program with a `program.toml` is written unless told otherwise.
const FOLDER: &str = "build";

/// A program that is open: what it consists of and how it is to be assembled.
pub struct Session {
    /// Its name, without folder and extension.
    pub name: String,
    /// Path of the main file for the loader.
    pub main: String,
    /// Its files.
    pub loader: Files,
    /// Instruction set.
    pub target: &'static dyn Target,
    /// Nobody has said which target; a machine that the source names decides.
    pub any_target: bool,
    /// Machine, where one is said.
    pub machine: Option<&'static dyn Machine>,
    /// Language of the sources.
    pub dialect: String,
    /// Promises are proven with all that takes seconds.
    pub whole_proof: bool,
    /// It is made smaller, so.
    pub optimize: Option<crate::optimize::Options>,
    /// Other files and addresses of sections.
    pub linking: Linking,
    /// Symbols and texts defined from outside.
    pub defines: Vec<(String, Define)>,
    /// Files that are read before the main one.
    pub pre_includes: Vec<String>,
    /// Lines that are read behind the main one's.
    pub promises: Vec<String>,
    /// File formats that it is written in.
    pub emit: Vec<String>,
    /// Options of file formats.
    pub options: Vec<(String, String)>,
    /// Which warnings are shown, and which are errors.
    pub warnings: Policy,
    /// Name and text of its `program.toml`, and what it says.
    pub manifest: Option<(String, String, Manifest)>,
    /// Where it was found on disk.
    pub folder: Option<PathBuf>,
    /// Whether a build keeps all names with their references.
    pub index: bool,
    /// Whether a build is the last thing that the process does: names are not taken apart then,
    /// since the system takes all memory back at once.
    pub ends: bool,
}

/// Where a program's files come from.
pub enum Files {
    /// The disk.
    Disk(DiskLoader),
    /// The main file came through a pipe: its name and bytes; others are on disk.
    Piped(String, Vec<u8>, DiskLoader),
    /// Memory.
    Memory(MemoryLoader),
    /// Somewhere else.
    Other(Box<dyn Loader>),
}

impl Loader for Files {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        match self {
            Self::Disk(l) => l.load(path, from),
            Self::Piped(name, bytes, _) if path == name && from.is_none_or(|f| f == FIRST) => {
                Ok((name.clone(), bytes.clone()))
            }
            Self::Piped(_, _, l) => l.load(path, from),
            Self::Memory(l) => l.load(path, from),
            Self::Other(l) => l.load(path, from),
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
            Self::Other(l) => l.load_any_case(path, from),
        }
    }
}

impl Session {
    /// A program of one text in scrimp's own dialect, for the default target or the machine
    /// that the text names.
    pub fn of_text(text: &str) -> Self {
        let files = MemoryLoader::default().with("main.asm", text);
        Self::of_files("main.asm", Files::Memory(files))
    }

    /// A program of a main file and those that it includes.
    pub fn of_files(main: &str, loader: Files) -> Self {
        Self {
            name: "main".into(),
            main: main.into(),
            loader,
            target: targets::default(),
            any_target: true,
            machine: None,
            dialect: dialect::names()[0].to_owned(),
            whole_proof: false,
            optimize: None,
            linking: Linking::default(),
            defines: Vec::new(),
            pre_includes: Vec::new(),
            promises: Vec::new(),
            emit: Vec::new(),
            options: Vec::new(),
            warnings: Policy::default(),
            manifest: None,
            folder: None,
            index: true,
            ends: false,
        }
    }

    /// Assembles it. What is wrong stands in the build's findings.
    pub fn assemble(&self) -> Build {
        self.assemble_by(&mut ())
    }

    /// Likewise, with something between the stages.
    pub fn assemble_by(&self, pass: &mut dyn Pass) -> Build {
        let first = match preceded::text(&self.main, &self.dialect, &self.pre_includes) {
            Ok(text) => text,
            Err(why) => {
                let d = Diagnostic::new(codes::BAD_ARGUMENT, why);
                let output = Output::refused(self.target.name(), d);
                return Build::of(output, self.whole());
            }
        };
        let preceded = Preceded::new(&self.main, &self.loader, first, &self.promises);
        let (file, loader): (_, &dyn Loader) = match &preceded {
            Some(p) => (p.start(), p),
            None => (&*self.main, &self.loader),
        };
        let job = Job {
            file: file.to_owned(),
            target: self.target,
            machine: self.machine,
            dialect: self.dialect.clone(),
            defines: self.defines.clone(),
        };
        let settings = Settings {
            linking: self.linking.clone(),
            warnings: self.warnings.clone(),
            any_target: self.any_target,
            whole_proof: self.whole_proof,
            optimize: self.optimize.clone().map(|o| self.with_contracts(o)),
            index: self.index,
            ends: self.ends,
        };
        let output = assemble_by(&job, &settings, loader, pass);
        let mut build = Build::of(output, self.whole());
        if let Some((name, text, m)) = &self.manifest {
            build.add_manifest(name, text, m);
        }
        build
    }

    /// Options of the optimizer with the contracts of the `program.toml`.
    fn with_contracts(&self, mut options: crate::optimize::Options) -> crate::optimize::Options {
        if let Some((name, text, m)) = &self.manifest {
            let more = std::mem::replace(&mut options.contracts, m.outside(name, text));
            let all = &mut options.contracts;
            all.text.push('\n');
            let start = all.text.len() as u32;
            all.text.push_str(&more.text);
            all.list.extend(more.list.into_iter().map(|w| Written {
                start: w.start + start,
                ..w
            }));
        }
        options
    }

    /// What a build knows of the program beside the image.
    fn whole(&self) -> Whole {
        Whole {
            name: self.name.clone(),
            main: self.main.clone(),
            target: self.target,
            machine: self.machine,
            options: self.options.clone(),
            warnings: self.warnings.clone(),
            clock: self.clock(),
        }
    }

    /// The clock of its board in Hz, where its `program.toml` says it.
    pub fn clock(&self) -> Option<u64> {
        let board = self.manifest.as_ref()?.2.board.as_ref()?;
        let clock = board.get_ref().get("clock")?.as_integer()?;
        u64::try_from(clock).ok()
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
            Files::Memory(_) | Files::Other(_) => Vec::new(),
        };
        if let (Some(folder), Some(_)) = (&self.folder, &self.manifest) {
            out.push(folder.join(super::manifest::FILE));
        }
        out
    }
}
