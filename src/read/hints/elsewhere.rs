//! Hints for what is unknown here and known elsewhere: an instruction of another
//! target, a directive of another dialect, a file or machine that a choice would bring.
//!
//! A newcomer's first error is a source that is read as something else; the finding
//! says then what to choose.

use crate::diagnostic::MAX_FINDINGS;
use crate::read::Assembler;
use crate::targets;
use crate::text::language::Directive;

/// How the help for a file begins that is in another language.
pub(crate) const READ_AS: &str = "read the program as that";
/// How the help for a name ends that a library file defines.
pub(crate) const DEFINES_IT: &str = "defines it";
/// How a finding on a function that there is not begins, and what it says where a dialect
/// has none.
pub(crate) const NO_FUNCTION: &str = "there is no function";
pub(crate) const NO_FUNCTIONS: &str = "this dialect has no functions of that form";

impl Assembler<'_> {
    /// What to choose for a file that comes with machines.
    pub fn file_elsewhere(&self, path: &str) -> Option<String> {
        if let Some(help) = self.file_of_another_dialect(path) {
            return Some(help);
        }
        let here = self.job.target.near_files(path);
        let [first, more @ ..] = here.as_slice() else {
            let brought = self.file_of_machines(path);
            return brought.or_else(|| self.near_of_another_dialect(path));
        };
        if let Some(of) = self.file_of_another_dialect(first) {
            return Some(format!("there is `{first}`: {of}"));
        }
        let more: String = more.iter().map(|n| format!(", `{n}`")).collect();
        Some(format!("there is `{first}`{more}"))
    }

    /// A file of another target whose name is near, and as special as that target's are.
    fn near_of_another_dialect(&self, path: &str) -> Option<String> {
        let own = self.job.target.name();
        let mut others = targets::all().iter().filter(|t| t.name() != own);
        let near = others.find_map(|t| t.near_files(path).into_iter().next())?;
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        // Many programs have a `defs.inc` of their own; a device has a number.
        let numbered = file.contains(|c: char| c.is_ascii_digit());
        if !numbered || !file.to_ascii_lowercase().contains("def") {
            return None;
        }
        let of = self.file_of_another_dialect(&near)?;
        Some(format!("there is `{near}`: {of}"))
    }

    fn file_of_machines(&self, path: &str) -> Option<String> {
        if self.machine.is_some() {
            return None;
        }
        for t in targets::all() {
            let of_target = t.library(path, None).is_some();
            let first = t.machine_names().first().and_then(|m| t.machine(m));
            if of_target && t.name() != self.job.target.name() {
                return Some(format!("it comes with {0}: `--target {0}`", t.name()));
            }
            if !of_target && first.is_some_and(|m| t.library(path, Some(m)).is_some()) {
                return Some("it comes with a device: choose one by `--machine`".into());
            }
        }
        None
    }

    /// What to choose for a file that comes with scrimp, but in the language of another
    /// dialect than that of the program.
    pub fn file_of_another_dialect(&self, path: &str) -> Option<String> {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let mut all = targets::all().iter();
        let language = all.find_map(|t| t.library_dialect(file))?;
        let of = (self.own.others)(language)?;
        let words = |d: &crate::text::language::Dialect| {
            d.words.directives.iter().map(|w| w.0).collect::<Vec<_>>()
        };
        // What has the same directives reads it.
        let reads = words(of) == words(self.dialect);
        (!reads).then(|| format!("{READ_AS}, for {}: `--dialect {language}`", of.target))
    }

    /// The library file that defines a name, for one that nobody defines.
    pub fn library_defines(&self, name: &str) -> Option<String> {
        if self.account.findings.errors() >= MAX_FINDINGS {
            return None;
        }
        let (target, machine) = (self.job.target, self.machine);
        if let Some(path) = self.machine_defines(name) {
            return Some(format!("{} {DEFINES_IT}", self.including(path)));
        }
        let path = target.library_with(name, self.dialect.name, machine)?;
        if self.is_read(&path) {
            return None;
        }
        let line = self.including(&path);
        Some(match machine {
            Some(m) => format!("{line}, the include file of {}, {DEFINES_IT}", m.title()),
            None => format!("the include file of the device, such as {line}, {DEFINES_IT}"),
        })
    }

    /// The file of the machine's own that defines a name, if it is not read yet.
    fn machine_defines(&self, name: &str) -> Option<&'static str> {
        // They are written for dialects that choose the machine in the source.
        self.word_for(Directive::Machine)?;
        let defines = |line: &str| {
            let mut words = line.split_whitespace();
            let first = words.next();
            let second = words.next();
            match first {
                Some("macro") => second.is_some_and(|w| w.split('(').next() == Some(name)),
                Some(w) if w == name => second == Some("equ"),
                Some(w) => w.strip_suffix(':') == Some(name),
                None => false,
            }
        };
        let all = self.machine?.library().iter();
        let (path, _) = all
            .filter(|(path, _)| !self.is_read(path))
            .find(|(_, text)| text.lines().any(defines))?;
        Some(path)
    }

    /// Whether a file of the library was read.
    fn is_read(&self, path: &str) -> bool {
        let mut all = self.files.loaded.keys();
        all.any(|(p, _)| p.trim_matches(['<', '>']) == path)
    }

    /// The line that includes a file of the library.
    fn including(&self, path: &str) -> String {
        match self.word_for(Directive::Include) {
            Some(word) if path.contains('/') => format!("`{word} <{path}>`"),
            Some(word) => format!("`{word} \"{path}\"`"),
            None => format!("`#include <{path}>`"),
        }
    }

    /// The target that has a machine, if it is another.
    pub fn machine_elsewhere(&self, name: &str) -> Option<String> {
        let mut all = targets::all().iter();
        let t = all.find(|t| t.machine(name).is_some())?;
        Some(format!(
            "it is one of {0}: choose it by `--machine {name}`, or `--target {0}`",
            t.name()
        ))
    }
}
