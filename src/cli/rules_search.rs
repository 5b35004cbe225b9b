//! `scrimp rules harvest`, `search` and `merge`: rules from windows of real programs, in jobs
//! that need nothing of each other.

use super::args::{HarvestArgs, MergeRulesArgs, SearchArgs};
use super::contest::shard;
use super::failure::Failure;
use super::progress::Progress;
use super::{job, program, terminal::Terminal};
use crate::Pass;
use crate::optimize::{Options, harvest};
use crate::place::Layout;
use crate::program::Program;
use crate::session::names::unknown;
use crate::targets;
use scrimp_isa::rules::search::{self, Effort, Lab, Window, windows};
use scrimp_isa::rules::{parse, prove_within};
use scrimp_isa::{Semantics, Target};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The first line of a file of rules, before the target.
const RULES: &str = "# scrimp rules, target ";
/// Bytes of a file that is read, at most.
const MOST_BYTES: u64 = 1 << 30;

/// Writes the windows of a program that the optimizer made smaller.
pub fn windows_of(args: &HarvestArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut session = program::find_source(&args.program, terminal)?;
    session.optimize = (!args.as_it_is).then(Options::default);
    let mut found = Found(Err("the program has no code"));
    job::build_by(&mut session, terminal, &mut found)?;
    let list = found
        .0
        .map_err(|why| Failure::Failed(format!("no windows: {why}")))?;
    let mut out = String::from("# scrimp windows\n");
    for window in &list {
        let _ = writeln!(out, "{window}");
    }
    let sum: u64 = list.iter().map(|w| w.count).sum();
    terminal.say(&format!("{sum} windows, {} different", list.len()));
    put(args.output.as_deref(), &session.files(), out, terminal)
}

/// The windows of the program that is placed.
struct Found(Result<Vec<Window>, &'static str>);

impl Pass for Found {
    fn placed(&mut self, program: &Program<'_>, _: &Layout) {
        self.0 = harvest::harvest(program);
    }
}

/// Searches rules for some windows of a file.
pub fn search(args: &SearchArgs, terminal: &Terminal) -> Result<(), Failure> {
    let (shard, shards) = shard(&args.shard).map_err(Failure::Failed)?;
    let mut all: Vec<Window> = Vec::new();
    for path in &args.windows {
        let list = windows(&read(path)?).map_err(|f| {
            let (path, line) = (path.display(), f.line);
            Failure::Failed(format!("{path}:{line}: {}", f.message))
        })?;
        all.extend(list);
    }
    // The same windows in the same order, whatever the order of the files.
    let text: Vec<String> = all.iter().map(ToString::to_string).collect();
    let mut all = windows(&text.join("\n")).unwrap_or_default();
    all.retain(|w| w.count >= args.least);
    let names: BTreeSet<&str> = all.iter().map(|w| w.target.as_str()).collect();
    let name = match (&args.target, names.len()) {
        (Some(name), _) => name.clone(),
        (None, 1) => names.iter().next().map_or("", |n| n).to_owned(),
        (None, _) => {
            let why = "the windows are not of one target: name one with --target";
            return Err(Failure::Failed(why.into()));
        }
    };
    let (target, semantics) = target(&name)?;
    all.retain(|w| w.target == name);
    let own: Vec<&Window> = all
        .iter()
        .skip(shard as usize - 1)
        .step_by(shards as usize)
        .collect();
    let effort = Effort {
        instructions: args.most_instructions,
        runs: args.runs,
        ..Effort::default()
    };
    let _progress = Progress::start(format!("searching rules for {} windows", own.len()));
    let lab = Lab::new(target, &*semantics, effort);
    let found: BTreeSet<String> = own.iter().filter_map(|w| lab.rules(w)).collect();
    let mut out = format!("{RULES}{name}\n");
    for line in &found {
        let certificate = certified(target, &*semantics, line);
        let _ = writeln!(out, "{line} # {certificate}");
    }
    let (own, found) = (own.len(), found.len());
    terminal.say(&format!("{own} of {} windows: {found} rules", all.len()));
    put(args.output.as_deref(), &args.windows, out, terminal)
}

/// How a rule is proven, and the hash of that.
fn certified(target: &dyn Target, semantics: &dyn Semantics, line: &str) -> String {
    let rules = parse(target, line).unwrap_or_default();
    let prove = |r| prove_within(semantics, r, u64::MAX).ok();
    let proof = rules.first().and_then(prove);
    proof.map_or_else(String::new, |c| c.to_string())
}

/// Puts what jobs found together.
pub fn merge(args: &MergeRulesArgs, terminal: &Terminal) -> Result<(), Failure> {
    let texts: Vec<String> = args
        .rules
        .iter()
        .map(|p| read(p))
        .collect::<Result<_, _>>()?;
    let mut names = BTreeSet::new();
    for (text, path) in texts.iter().zip(&args.rules) {
        let first = text.lines().next().and_then(|l| l.strip_prefix(RULES));
        let Some(name) = first else {
            let why = format!("{}: no file of `scrimp rules search`", path.display());
            return Err(Failure::Failed(why));
        };
        names.insert(name.trim().to_owned());
    }
    let name = match names.len() {
        1 => names.pop_first().unwrap_or_default(),
        _ => return Err(Failure::Failed("the rules are not of one target".into())),
    };
    let (target, semantics) = target(&name)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let merged = search::merge(target, &*semantics, &texts).map_err(|wrong| {
        Failure::Failed(match wrong {
            search::Wrong::Text(what) => what,
            search::Wrong::Proof(rule, why) => format!("{rule}: {}", super::refused::refusal(&why)),
            search::Wrong::Certificate(rule) => {
                format!("{rule}: proven, but not what its certificate is of")
            }
        })
    })?;
    let (kept, needless) = (merged.kept, merged.needless);
    terminal.say(&format!("{kept} rules, {needless} needless"));
    let out = format!("{RULES}{name}\n{}", merged.text);
    put(args.output.as_deref(), &args.rules, out, terminal)
}

/// A target with rules.
fn target(name: &str) -> Result<(&'static dyn Target, Box<dyn Semantics>), Failure> {
    let all = targets::all();
    let Some(target) = targets::by_name(name) else {
        return Err(unknown("target", name, all.iter().map(|t| t.name())).into());
    };
    match target.semantics(None) {
        Some(semantics) if !target.rules().rules.is_empty() => Ok((target, semantics)),
        _ => Err(Failure::Failed(format!("{name}: no rules"))),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    let failed = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
    let size = std::fs::metadata(path)
        .map_err(|e| failed(e.to_string()))?
        .len();
    if size > MOST_BYTES {
        return Err(failed("more than 1 GB".into()));
    }
    std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))
}

/// To a file, or to standard output.
fn put(
    output: Option<&Path>,
    inputs: &[PathBuf],
    text: String,
    terminal: &Terminal,
) -> Result<(), Failure> {
    match output {
        Some(path) => program::write(&[(path.to_owned(), text.into_bytes())], inputs, None),
        None => terminal.print(&text),
    }
}
