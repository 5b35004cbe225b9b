//! Assembling a program for a command, with everything printed on the way.

use super::Failure;
use super::program::{Program, unknown};
use super::progress::Progress;
use super::reach;
use super::terminal::Terminal;
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::{self};
use crate::image::origin::owners;
use crate::image::{Budget, Image};
use crate::read::job::Job;
use crate::report::Sizes;
use crate::report::budget::{self, Check};
use crate::session::assemble::{Settings, assemble_by};
use crate::session::pass::Pass;
use crate::text::language::Directive;
use crate::text::source::{LoadError, Loader, Sources, Span};
use crate::write::{self, Context, View};
use scrimp_isa::container::{Contained, ContainerError};
use scrimp_isa::machine::BuiltFile;
use scrimp_isa::{Machine, Target};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Folder beside the outputs that keeps what the last good build was like.
const MEMORY: &str = ".scrimp";
/// Owners that are named when a container is too small.
const MOST_OWNERS: usize = 6;

/// A program without errors.
pub struct Built {
    pub image: Image,
    pub sources: Sources,
    sizes: OnceCell<Sizes>,
    name: String,
    target: &'static dyn Target,
    budgets: Vec<Budget>,
}

/// Assembles a program and prints what was found. Target and machine of the program are
/// those that its source names, from then on.
pub fn build(program: &mut Program, terminal: &Terminal) -> Result<Built, Failure> {
    build_by(program, terminal, &mut ())
}

/// Likewise, with something between the stages.
pub fn build_by(
    program: &mut Program,
    terminal: &Terminal,
    pass: &mut dyn Pass,
) -> Result<Built, Failure> {
    let output = {
        let _progress = Progress::start(format!("assembling {}", program.name));
        let preceded = Preceded::new(program)?;
        let file = match &preceded {
            Some(p) if !p.text.is_empty() => FIRST,
            _ => &program.main,
        };
        let loader: &dyn Loader = match &preceded {
            Some(p) => p,
            None => &program.loader,
        };
        assemble_by(
            &Job {
                file: file.to_owned(),
                target: program.target,
                machine: program.machine,
                dialect: program.dialect.clone(),
                defines: program.defines.clone(),
            },
            &Settings {
                linking: program.linking.clone(),
                warnings: program.warnings.clone(),
                any_target: program.any_target,
                whole_proof: program.whole_proof,
            },
            loader,
            pass,
        )
    };
    terminal.some_findings(&output.diagnostics, output.left_out, &output.sources);
    let image = output.image.ok_or(Failure::Findings)?;
    program.target = super::program::find_target(output.target)?;
    if let Some(name) = &image.machine {
        program.machine = program.target.machine(name);
    }
    let mut sources = output.sources;
    let mut budgets = image.budgets.clone();
    budgets.extend(program.budgets(&mut sources));
    Ok(Built {
        image,
        sources,
        sizes: OnceCell::new(),
        name: program.name.clone(),
        target: program.target,
        budgets,
    })
}

/// Name of the text that includes what the command line names.
pub const FIRST: &str = "<command line>";

/// The program's files behind a text that reads others first, or with lines at the end
/// of the main one.
struct Preceded<'a> {
    text: String,
    end: String,
    main: &'a str,
    files: &'a dyn Loader,
}

impl<'a> Preceded<'a> {
    fn new(program: &'a Program) -> Result<Option<Self>, Failure> {
        let (main, files) = (&*program.main, &program.loader);
        let end = program.promises.iter().map(|p| format!("\n        {p}"));
        let end: String = end.collect();
        if program.pre_includes.is_empty() {
            let text = String::new();
            return Ok((!end.is_empty()).then_some(Self {
                text,
                end,
                main,
                files,
            }));
        }
        let dialect = dialect::by_name(&program.dialect);
        let words = dialect.map_or(&[][..], |d| d.words.directives);
        let word = words.iter().find(|w| w.1 == Directive::Include);
        let Some((word, _)) = word else {
            let what = format!("the dialect {} has no include", program.dialect);
            return Err(Failure::Failed(what));
        };
        let mut text = String::new();
        for file in program.pre_includes.iter().chain([&program.main]) {
            if file.contains(['"', '\n']) {
                return Err(Failure::Failed(format!("{file:?} cannot be included")));
            }
            text += &format!(" {word} \"{file}\"\n");
        }
        Ok(Some(Self {
            text,
            end,
            main,
            files,
        }))
    }
}

impl Loader for Preceded<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        if from.is_none() && path == FIRST {
            return Ok((FIRST.to_owned(), self.text.clone().into_bytes()));
        }
        let (name, mut text) = self.files.load(path, from)?;
        if path == self.main && from.is_none_or(|f| f == FIRST) && !self.end.is_empty() {
            text.extend_from_slice(self.end.as_bytes());
            text.push(b'\n');
        }
        Ok((name, text))
    }

    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.files.load_any_case(path, from)
    }
}

impl Built {
    /// Who has the bytes; measured when first asked for, since most builds of large
    /// programs do not ask.
    pub fn sizes(&self) -> &Sizes {
        self.sizes
            .get_or_init(|| Sizes::of(&self.name, &self.image, &self.sources, self.target))
    }

    /// Whether anything is limited.
    pub fn has_budgets(&self) -> bool {
        !self.budgets.is_empty()
    }

    /// Measures the budgets; one that names nothing is an error.
    pub fn budgets(
        &self,
        before: Option<&Sizes>,
        terminal: &Terminal,
    ) -> Result<Vec<Check>, Failure> {
        if self.budgets.is_empty() {
            return Ok(Vec::new());
        }
        budget::check(&self.image, self.sizes(), &self.budgets, before).map_err(|faults| {
            terminal.findings(&faults, &self.sources);
            Failure::Findings
        })
    }

    /// Fails with the list of who has the bytes if a budget is exceeded.
    pub fn keep_budgets(&self, before: Option<&Sizes>, terminal: &Terminal) -> Result<(), Failure> {
        let checks = self.budgets(before, terminal)?;
        let over: Vec<Diagnostic> = checks
            .iter()
            .filter(|c| !c.holds())
            .take(MAX_FINDINGS)
            .map(|c| budget::exceeded(c, self.sizes(), before))
            .collect();
        if over.is_empty() {
            return Ok(());
        }
        terminal.findings(&over, &self.sources);
        Err(Failure::Budget)
    }

    /// The program in one format. A container's fault is printed with the place of the
    /// byte it is about and with those who have the bytes.
    pub fn write(
        &self,
        program: &Program,
        format: &str,
        others: &[String],
        terminal: &Terminal,
    ) -> Result<Contained, Failure> {
        let machine = self.machine(program);
        let containers = machine.map_or(&[][..], |m| m.containers());
        let made = match containers.iter().find(|c| c.name == format) {
            Some(container) => {
                let view = View::new(&self.image, &program.options, &program.name);
                (container.write)(&view)
            }
            None => {
                let names = write::WRITERS.iter().map(|w| w.name);
                let writer = write::by_name(format);
                let writer = writer.ok_or_else(|| unknown("format", format, names))?;
                (writer.write)(&Context {
                    name: &program.name,
                    image: &self.image,
                    sources: &self.sources,
                    target: program.target,
                    machine,
                    clock: program.clock(),
                })
            }
        };
        match made {
            Ok(made) => {
                // What one file leaves out another may have.
                let whole = ["eep", "mhex", "elf"];
                let plain = write::by_name(format).is_some();
                if plain && others.iter().any(|o| whole.contains(&o.as_str())) {
                    return Ok(made);
                }
                let warn = |w: &String| Diagnostic::new(codes::CONTAINER_WARNING, w.as_str());
                let warnings = made.warnings.iter().map(warn).collect();
                let (warnings, denied) = program.warnings.apply(warnings);
                terminal.findings(&warnings, &self.sources);
                match denied {
                    true => Err(Failure::Findings),
                    false => Ok(made),
                }
            }
            Err(e) => {
                terminal.findings(&[self.container_fault(e, program)], &self.sources);
                Err(Failure::Findings)
            }
        }
    }

    /// How to get the files onto the real machine.
    pub fn install(&self, program: &Program, formats: &[String], files: &[PathBuf]) -> Vec<String> {
        let Some(machine) = self.machine(program) else {
            return Vec::new();
        };
        let paths: Vec<_> = files.iter().map(|f| f.to_string_lossy()).collect();
        let list: Vec<BuiltFile<'_>> = formats
            .iter()
            .zip(&paths)
            .map(|(format, path)| BuiltFile { format, path })
            .collect();
        let view = View::new(&self.image, &program.options, &program.name);
        machine.install(&list, &view)
    }

    /// The machine that it was built for, or the first of its target.
    pub fn machine(&self, program: &Program) -> Option<&'static dyn Machine> {
        let first = || program.target.machines().first().copied();
        program.machine.or_else(first)
    }

    fn container_fault(&self, e: ContainerError, program: &Program) -> Diagnostic {
        let mut d = Diagnostic::new(codes::CONTAINER, e.message);
        d.help = e.help;
        d.span = e
            .address
            .and_then(|a| self.place(a))
            .or_else(|| self.first(program));
        if e.address.is_some() {
            let all = 0..program.target.address_space();
            for (name, bytes) in owners(&self.image, all).into_iter().take(MOST_OWNERS) {
                d = d.note(format!("{:>6}  {name}", thousands(bytes)));
            }
        }
        d
    }

    /// Where the program begins, for a fault of the whole.
    fn first(&self, program: &Program) -> Option<Span> {
        let (id, _) = self.sources.iter().find(|(_, s)| s.name == program.main)?;
        Some(Span::new(id, 0, 0))
    }

    /// The statement that put the byte at an address.
    fn place(&self, address: u64) -> Option<Span> {
        let holds = |start: u64, len: usize| (start..start + len as u64).contains(&address);
        let mut chunks = self.image.chunks.iter().rev();
        let chunk = chunks.find(|c| holds(c.load, c.bytes.len()))?;
        let at = (address - chunk.load) as u32;
        let run = chunk
            .runs
            .partition_point(|r| r.offset <= at)
            .checked_sub(1)?;
        Some(chunk.runs[run].span)
    }
}

/// Where the sizes of the last good build are kept; never behind a link, which may have
/// come with the program.
pub fn memory(folder: &Path, program: &Program) -> Result<PathBuf, String> {
    let its = folder.join(MEMORY);
    let path = its.join(format!("{}.json", program.name));
    match reach::stays_in(&path, &its) {
        true => Ok(path),
        false => Err(format!(
            "{} is a symbolic link; scrimp keeps its own files in a folder",
            path.display()
        )),
    }
}

/// The sizes of the last good build; nothing if there is none that can be read.
pub fn remembered(folder: &Path, program: &Program) -> Option<Sizes> {
    let bytes = crate::disk::read(&memory(folder, program).ok()?).ok()?;
    Sizes::from_json(std::str::from_utf8(&bytes).ok()?).ok()
}

/// Refuses a format that neither scrimp nor the machine writes; without a machine, none
/// that the source could choose.
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

/// An unsigned number: `16393`, `0x4009`, `$4009`, `4009h`.
pub fn number(text: &str) -> Option<u64> {
    let t = text.trim();
    let hex = ["0x", "0X", "$"].iter().find_map(|p| t.strip_prefix(p));
    let hex = hex.or_else(|| {
        let first = t.bytes().next().is_some_and(|b| b.is_ascii_digit());
        t.strip_suffix(['h', 'H']).filter(|_| first)
    });
    let digits = |d: &str, radix| {
        let ok = !d.is_empty() && d.bytes().all(|b| b.is_ascii_alphanumeric());
        ok.then(|| u64::from_str_radix(d, radix).ok()).flatten()
    };
    hex.map_or_else(|| digits(t, 10), |h| digits(h, 16))
}

/// A number with an optional minus sign.
pub fn signed(text: &str) -> Option<i64> {
    let t = text.trim();
    match t.strip_prefix('-') {
        Some(t) => number(t).and_then(|n| 0i64.checked_sub_unsigned(n)),
        None => number(t).and_then(|n| i64::try_from(n).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for t in ["16393", "0x4009", "$4009", "4009h", "4009H"] {
            assert_eq!(number(t), Some(16393), "{t}");
        }
        for t in [
            "",
            "h",
            "ah",
            "+5",
            "0x",
            "$-1",
            "0x+1",
            "99999999999999999999",
        ] {
            assert_eq!(number(t), None, "{t}");
        }
        assert_eq!(signed("-1"), Some(-1));
        assert_eq!(signed("-0x8000000000000000"), Some(i64::MIN));
        assert_eq!(signed("0x8000000000000000"), None);
    }
}
