//! What assembling a program gave: findings, names, and if there were no errors the image,
//! with its sizes, budgets and files.

use super::assemble::Output;
use super::known::Known;
use super::manifest::{self, Manifest};
use super::names::unknown;
use super::refusal::Refusal;
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::policy::Policy;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::origin::owners;
use crate::image::{Budget, Image};
use crate::optimize::Ledger;
use crate::program::Script;
use crate::report::Sizes;
use crate::report::budget::{self, Check};
use crate::targets;
use crate::text::source::{Sources, Span};
use crate::write::{self, Context, View};
use scrimp_isa::container::{Contained, ContainerError};
use scrimp_isa::machine::BuiltFile;
use scrimp_isa::{Machine, Target};
use std::cell::OnceCell;
use std::path::PathBuf;

/// Owners that are named when a container is too small.
const MOST_OWNERS: usize = 6;

/// What a build knows of its program beside the image.
#[derive(Clone)]
pub struct Whole {
    /// The program's name.
    pub name: String,
    /// Its main file.
    pub main: String,
    /// Instruction set: that which its source chose, where it did.
    pub target: &'static dyn Target,
    /// Machine, where one is said; that which its source chose, where it did.
    pub machine: Option<&'static dyn Machine>,
    /// Options of file formats.
    pub options: Vec<(String, String)>,
    /// Which warnings are shown, and which are errors.
    pub warnings: Policy,
    /// Clock of the board in Hz, where it is said.
    pub clock: Option<u64>,
}

/// What came of assembling a program.
pub struct Build {
    /// Findings in order of place.
    pub findings: Vec<Diagnostic>,
    /// How many more notes, warnings and errors there were.
    pub left_out: [usize; 3],
    /// The texts that were read.
    pub sources: Sources,
    /// Names and sections, also after errors.
    pub known: Known,
    /// Tests that stand in the source.
    pub tests: Vec<Script>,
    /// What it was built as.
    pub whole: Whole,
    /// What the optimizer did, if it was asked.
    pub ledger: Option<Ledger>,
    /// That as edits of the sources, if it was asked.
    pub written: Option<crate::optimize::source::Written>,
    image: Option<Image>,
    sizes: OnceCell<Sizes>,
    budgets: Vec<Budget>,
    /// Where options are set outside of the source.
    set: Vec<(String, Span)>,
}

impl Build {
    /// From what the stages gave.
    pub(super) fn of(output: Output, mut whole: Whole) -> Self {
        if let Some(target) = targets::by_name(output.target) {
            whole.target = target;
        }
        let chosen = output.image.as_ref().and_then(|i| i.machine.as_deref());
        if let Some(name) = chosen {
            whole.machine = whole.target.machine(name);
        }
        let budgets = output.image.as_ref().map(|i| i.budgets.clone());
        Self {
            findings: output.diagnostics,
            left_out: output.left_out,
            sources: output.sources,
            known: output.known,
            tests: output.tests,
            whole,
            ledger: output.ledger,
            written: output.written,
            image: output.image,
            sizes: OnceCell::new(),
            budgets: budgets.unwrap_or_default(),
            set: Vec::new(),
        }
    }

    /// Adds the text of the `program.toml`: its budgets, and where it sets the options that
    /// count.
    pub(super) fn add_manifest(&mut self, name: &str, text: &str, m: &Manifest) {
        let id = self.sources.add(name, text);
        self.budgets.extend(m.budgets(id));
        for (name, value) in &m.options {
            let own = (name.clone(), value.get_ref().to_string());
            if self.whole.options.contains(&own) {
                self.set.push((own.0, manifest::span(id, &value.span())));
            }
        }
    }

    /// The image; nothing where there are errors.
    pub fn image(&self) -> Option<&Image> {
        self.image.as_ref()
    }

    /// The image.
    ///
    /// # Errors
    /// There is none; nothing more is said than the findings have.
    pub fn good(&self) -> Result<&Image, Refusal> {
        self.image().ok_or_else(|| Refusal::Broken(Vec::new()))
    }

    /// Who has the bytes; measured when first asked for, since most builds of large
    /// programs do not ask. Nothing where there are errors.
    pub fn sizes(&self) -> &Sizes {
        let empty = Image::default();
        let image = self.image.as_ref().unwrap_or(&empty);
        let whole = &self.whole;
        self.sizes
            .get_or_init(|| Sizes::of(&whole.name, image, &self.sources, whole.target))
    }

    /// Whether anything is limited.
    pub fn has_budgets(&self) -> bool {
        !self.budgets.is_empty()
    }

    /// Measures the budgets.
    ///
    /// # Errors
    /// Findings on budgets that name nothing.
    pub fn budgets(&self, before: Option<&Sizes>) -> Result<Vec<Check>, Vec<Diagnostic>> {
        match &self.image {
            Some(image) if !self.budgets.is_empty() => {
                budget::check(image, self.sizes(), &self.budgets, before)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Findings on budgets that are exceeded, with those who have the bytes.
    pub fn exceeded(&self, checks: &[Check], before: Option<&Sizes>) -> Vec<Diagnostic> {
        let over = checks.iter().filter(|c| !c.holds()).take(MAX_FINDINGS);
        over.map(|c| budget::exceeded(c, self.sizes(), before))
            .collect()
    }

    /// The program in a file format: bytes, where they come from, and what is to be said of
    /// them, warnings as far as they are shown and whether one is an error.
    ///
    /// `others` are the formats that are written with it: what one file leaves out another
    /// may have.
    ///
    /// # Errors
    /// There is no image or no such format, or the format cannot take the image: a finding
    /// with the place of the byte it is about and with those who have the bytes.
    pub fn write_beside(&self, format: &str, others: &[String]) -> Result<File, Refusal> {
        let image = self.good()?;
        let whole = &self.whole;
        let containers = self.machine().map_or(&[][..], |m| m.containers());
        let made = match containers.iter().find(|c| c.name == format) {
            Some(container) => {
                let view = View::new(image, &whole.options, &whole.name);
                (container.write)(&view)
            }
            None => {
                let names = write::WRITERS.iter().map(|w| w.name);
                let writer = write::by_name(format);
                let writer = writer.ok_or_else(|| unknown("format", format, names))?;
                (writer.write)(&Context {
                    name: &whole.name,
                    image,
                    sources: &self.sources,
                    target: whole.target,
                    machine: self.machine(),
                    clock: whole.clock,
                })
            }
        };
        let made = made.map_err(|e| {
            let fault = self.container_fault(image, e);
            Refusal::Broken(vec![fault])
        })?;
        let elsewhere = ["eep", "mhex", "elf"];
        let plain = write::by_name(format).is_some();
        if plain && others.iter().any(|o| elsewhere.contains(&o.as_str())) {
            return Ok(File {
                made,
                warnings: Vec::new(),
                denied: false,
            });
        }
        let warn = |w: &String| Diagnostic::new(codes::CONTAINER_WARNING, w.as_str());
        let warnings = made.warnings.iter().map(warn).collect();
        let (warnings, denied) = whole.warnings.apply(warnings);
        Ok(File {
            made,
            warnings,
            denied,
        })
    }

    /// The bytes of the program in a file format.
    ///
    /// # Errors
    /// As [`write_beside`](Self::write_beside), and where a warning of the format is denied.
    pub fn write(&self, format: &str) -> Result<Vec<u8>, Refusal> {
        let file = self.write_beside(format, &[])?;
        match file.denied {
            true => Err(Refusal::Broken(file.warnings)),
            false => Ok(file.made.bytes),
        }
    }

    /// How to get the files onto the real machine.
    pub fn install(&self, formats: &[String], files: &[PathBuf]) -> Vec<String> {
        let (Some(machine), Some(image)) = (self.machine(), &self.image) else {
            return Vec::new();
        };
        let paths: Vec<_> = files.iter().map(|f| f.to_string_lossy()).collect();
        let list: Vec<BuiltFile<'_>> = formats
            .iter()
            .zip(&paths)
            .map(|(format, path)| BuiltFile { format, path })
            .collect();
        let view = View::new(image, &self.whole.options, &self.whole.name);
        machine.install(&list, &view)
    }

    /// The machine that it was built for, or the first of its target.
    pub fn machine(&self) -> Option<&'static dyn Machine> {
        let first = || self.whole.target.machines().first().copied();
        self.whole.machine.or_else(first)
    }

    fn container_fault(&self, image: &Image, e: ContainerError) -> Diagnostic {
        let mut d = Diagnostic::new(codes::CONTAINER, e.message);
        d.help = e.help;
        d.span = e
            .address
            .and_then(|a| place(image, a))
            .or_else(|| {
                self.set
                    .iter()
                    .find(|s| Some(&s.0) == e.option.as_ref())
                    .map(|s| s.1)
            })
            .or_else(|| self.first());
        if e.address.is_some() {
            let all = 0..self.whole.target.address_space();
            for (name, bytes) in owners(image, all).into_iter().take(MOST_OWNERS) {
                d = d.note(format!("{:>6}  {name}", thousands(bytes)));
            }
        }
        d
    }

    /// Where the program begins, for a fault of the whole.
    fn first(&self) -> Option<Span> {
        let mut all = self.sources.iter();
        let (id, _) = all.find(|(_, s)| *s.name == *self.whole.main)?;
        Some(Span::new(id, 0, 0))
    }
}

/// A file of a build.
pub struct File {
    /// Its bytes and where they come from.
    pub made: Contained,
    /// What is to be said of it.
    pub warnings: Vec<Diagnostic>,
    /// A warning is an error: the file is not to be written.
    pub denied: bool,
}

/// The statement that put the byte at an address.
fn place(image: &Image, address: u64) -> Option<Span> {
    let holds = |start: u64, len: usize| (start..start + len as u64).contains(&address);
    let mut chunks = image.chunks.iter().rev();
    let chunk = chunks.find(|c| holds(c.load, c.bytes.len()))?;
    let at = (address - chunk.load) as u32;
    Some(chunk.runs.holding(at)?.span)
}

/// Refuses a format that neither scrimp nor the machine writes; without a machine, none
/// that the source could choose.
///
/// # Errors
/// With a near name, or all there are.
pub fn check_format(
    name: &str,
    target: &'static dyn Target,
    machine: Option<&'static dyn Machine>,
) -> Result<(), String> {
    let machines: Vec<&'static dyn Machine> = match machine {
        Some(m) => vec![m],
        None => target.machines().to_vec(),
    };
    let mut names: Vec<&str> = write::WRITERS.iter().map(|w| w.name).collect();
    for c in machines.iter().flat_map(|m| m.containers()) {
        if !names.contains(&c.name) {
            names.push(c.name);
        }
    }
    if names.contains(&name) {
        return Ok(());
    }
    Err(unknown("format", name, names.into_iter()))
}
