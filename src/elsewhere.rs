//! Hints for what is unknown here and known elsewhere: an instruction of another
//! target, a directive of another dialect, a file or machine that a choice would bring.
//!
//! A newcomer's first error is a source that is read as something else; the finding
//! says then what to choose.

use crate::program::Assembler;
use crate::program::MAX_FINDINGS;
use crate::{dialect, targets};

impl Assembler<'_> {
    /// Who knows a word that is no instruction or directive here. Dialects of other
    /// tools have one target each, so only scrimp's own are asked.
    pub fn known_elsewhere(&self, word: &str) -> Option<String> {
        if !self.dialect.target.is_empty() {
            return None;
        }
        let has = |t: &&&dyn scrimp_isa::Target| {
            let same = |name: &str| name.eq_ignore_ascii_case(word);
            t.forms().iter().any(|f| same(f.name)) || t.relax().iter().any(|r| same(r.name))
        };
        if let Some(t) = targets::all().iter().find(has) {
            let name = t.name();
            return Some(format!(
                "it is an instruction of {name}: choose it by `--target {name}`, or by `--machine`"
            ));
        }
        self.other_dialects(|d| {
            let mut words = d.directives.iter();
            words.any(|w| w.0.eq_ignore_ascii_case(word))
        })
    }

    /// The dialects that would read it, for scrimp's own.
    pub fn other_dialects(&self, reads: impl Fn(&dialect::Dialect) -> bool) -> Option<String> {
        if !self.dialect.target.is_empty() {
            return None;
        }
        let mut names = dialect::ALL.iter().filter(|d| reads(d)).map(|d| d.name);
        let first = names.next()?;
        let more: String = names.take(3).map(|n| format!(" or `{n}`")).collect();
        Some(format!(
            "read it as another dialect: `--dialect {first}`{more}"
        ))
    }

    /// What to choose for a file that comes with machines.
    pub fn file_elsewhere(&self, path: &str) -> Option<String> {
        if let Some(help) = self.file_of_another_dialect(path) {
            return Some(help);
        }
        let here = self.job.target.near_files(path);
        let [first, more @ ..] = here.as_slice() else {
            return self.file_of_machines(path);
        };
        let more: String = more.iter().map(|n| format!(", `{n}`")).collect();
        Some(format!("there is `{first}`{more}"))
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
        let of = dialect::by_name(language)?;
        let words = |d: &dialect::Dialect| d.directives.iter().map(|w| w.0).collect::<Vec<_>>();
        // What has the same directives reads it.
        let reads = words(of) == words(self.dialect);
        (!reads).then(|| {
            format!(
                "read the program as that, for {}: `--dialect {language}`",
                of.target
            )
        })
    }

    /// The library file that defines a name, for one that nobody defines.
    pub fn library_defines(&self, name: &str) -> Option<String> {
        if self.findings.errors() >= MAX_FINDINGS {
            return None;
        }
        let (target, machine) = (self.job.target, self.machine);
        let path = target.library_with(name, self.dialect.name, machine)?;
        let read = self
            .loaded
            .keys()
            .any(|(p, _)| p.trim_matches(['<', '>']) == path);
        if read {
            return None;
        }
        Some(match machine {
            Some(m) => format!("`{path}`, the include file of {}, defines it", m.title()),
            None => format!("the include file of the device defines it, such as `{path}`"),
        })
    }

    /// The target whose instruction it is, if an operand is a register there and nothing
    /// here.
    pub fn operands_elsewhere(&self, name: &str, operands: &[&str]) -> Option<String> {
        if !self.dialect.target.is_empty() || self.machine.is_some() {
            return None;
        }
        let unknown = |w: &&str| self.words.get(w).word == 0 && self.symbols.defined(w).is_none();
        let is_register = |t: &dyn scrimp_isa::Target, w: &str| {
            let mut all = t.operands().iter().filter_map(|o| o.words.as_ref());
            all.any(|of| of.words.iter().any(|known| known.0.eq_ignore_ascii_case(w)))
        };
        let t = targets::all().iter().find(|t| {
            let mut foreign = operands.iter().filter(|w| unknown(w));
            t.name() != self.job.target.name()
                && t.forms().iter().any(|f| f.name == name)
                && foreign.any(|w| is_register(**t, w))
        })?;
        Some(format!(
            "this is an instruction of {0}: choose it by `--target {0}`, or by `--machine`",
            t.name()
        ))
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
