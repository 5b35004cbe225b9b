//! `scrimp build`: assembles a program and writes its files.

use super::args::BuildArgs;
use super::failure::Failure;
use super::job::Built;
use super::{advice, beside, depfile, job, program, terminal::Terminal, watch};
use crate::diagnostic::text::thousands;
use crate::disk::commit::Before;
use crate::optimize::contract::{Outside, Written};
use crate::optimize::ledger::Script;
use crate::optimize::{Options, passes};
use crate::report::{ruler, time};
use crate::session::build::{Build, check_format};
use crate::session::find::check_outputs;
use crate::session::front::Session;
use crate::session::memory;
use crate::session::names::unknown;
use scrimp_isa::container::Contained;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Builds a program, once or whenever it changes.
pub fn build(args: &BuildArgs, terminal: &Terminal) -> Result<(), Failure> {
    if args.watch {
        return watch::watch(&args.program, terminal, |p| once(args, p, terminal));
    }
    let mut program = program::find_source(&args.program, terminal)?;
    once(args, &mut program, terminal)
}

/// Builds a program. Nothing is written if a budget is exceeded.
fn once(args: &BuildArgs, program: &mut Session, terminal: &Terminal) -> Result<(), Failure> {
    if !program.any_target {
        // What is known to be wrong is said before the work.
        formats(args, program)?;
    }
    program.optimize = optimizer(args)?;
    let before = Before::of(possible(args, program).into_iter());
    if let Some(tries) = args.optimizer.search {
        advice::search(program, tries, terminal);
    }
    if args.optimizer.until_budget {
        program.optimize = advice::until_budget(program)?;
    }
    program.ends = !args.watch;
    let mut built = job::build(program, terminal)?;
    if let Some(most) = args.optimizer.advice {
        let advice = advice::advise(program, &built, most.into());
        built.advised(advice);
    }
    let alike = args
        .optimizer
        .run_both
        .map(|n| beside::run_both(program, &built, n));
    let alike = alike.transpose()?;
    let formats = formats(args, program)?;
    if is_standard(args) {
        built.keep_budgets(None, terminal)?;
        if let (Some(alike), false) = (&alike, args.quiet) {
            terminal.say(alike);
        }
        return to_standard_output(args, program, &built, &formats, terminal);
    }
    let paths = paths(args, program, &formats);
    let folder = paths[0].parent().unwrap_or(Path::new("")).to_owned();
    if args.output.is_none() {
        check_outputs(program, &paths)?;
    }
    built.keep_budgets(memory::remembered(&folder, program).as_ref(), terminal)?;
    let outputs = outputs(args, program, &built, formats, paths)?;
    let files: Vec<PathBuf> = outputs.iter().map(|o| o.0.clone()).collect();
    let mut out = String::new();
    program::write_each(&files, &program.files(), Some(&before), &mut |i| {
        made(&outputs, i, &built, terminal, &mut out)
    })?;
    if !args.quiet {
        let left = built.image().saved.len();
        if left > 0 && !args.saves {
            let _ = writeln!(out, "left out: {left} of the source's own files (--saves)");
        }
        if let Some(ledger) = &built.ledger {
            terminal.say(&ledger.summary());
        }
        if let Some(alike) = alike {
            terminal.say(&alike);
        }
        summary(&built, program, &outputs, &mut out);
        terminal.print(&out)?;
    }
    if !args.watch {
        // The process ends, and the system takes all of its memory back at once.
        std::mem::forget(built);
    }
    Ok(())
}

/// Whether the bytes go to standard output rather than to a file.
fn is_standard(args: &BuildArgs) -> bool {
    args.output.as_deref() == Some(Path::new("-"))
}

/// Writes a build's one file to standard output, and what there is to tell to standard
/// error.
fn to_standard_output(
    args: &BuildArgs,
    program: &Session,
    built: &Built,
    formats: &[String],
    terminal: &Terminal,
) -> Result<(), Failure> {
    let [format] = formats else {
        let all = formats.join(", ");
        return Err(format!("standard output takes one format, not {all}: --emit").into());
    };
    if args.saves || args.dependencies || args.depfile.is_some() {
        return Err(
            "-o - writes no other files: no --saves, --dependencies, --depfile"
                .to_owned()
                .into(),
        );
    }
    let made = built.file(format, formats, terminal)?;
    let ledgers = args.optimizer.ledger.clone();
    program::write_each(&ledgers, &program.files(), None, &mut |i| {
        Ok(ledger(built, &ledgers[i]).into_bytes().into())
    })?;
    if let (Some(ledger), false) = (&built.ledger, args.quiet) {
        terminal.say(&ledger.summary());
    }
    terminal.bytes(&made.bytes)
}

/// What stands in a file of a build.
enum Content {
    /// The image in a format.
    Format(String),
    /// What the next build compares its budgets with.
    Memory,
    /// What the outputs depend on.
    Rule(String),
    /// The bytes of that number that the source asked to save.
    Saved(usize),
    Ledger,
}

/// The files of a build in the order in which they are written.
fn outputs(
    args: &BuildArgs,
    program: &Session,
    built: &Built,
    formats: Vec<String>,
    paths: Vec<PathBuf>,
) -> Result<Vec<(PathBuf, Content)>, Failure> {
    let folder = paths[0].parent().unwrap_or(Path::new("")).to_owned();
    let remembers = built.has_budgets();
    let memory = remembers.then(|| memory::memory(&folder, program));
    let memory = memory.transpose()?;
    let rule = rule(args, program, &paths)?;
    let formats = formats.into_iter().map(Content::Format);
    let mut all: Vec<(PathBuf, Content)> = paths.into_iter().zip(formats).collect();
    all.extend(memory.map(|path| (path, Content::Memory)));
    all.extend(rule.map(|(path, text)| (path, Content::Rule(text))));
    let others: Vec<PathBuf> = all.iter().map(|o| o.0.clone()).collect();
    let saved = saved(args, built, &folder, &others)?.into_iter();
    all.extend(saved.enumerate().map(|(i, path)| (path, Content::Saved(i))));
    let ledgers = args.optimizer.ledger.iter().cloned();
    all.extend(ledgers.map(|path| (path, Content::Ledger)));
    Ok(all)
}

/// Makes the bytes of a file of a build; what is told of it goes to `out`.
fn made<'b>(
    outputs: &[(PathBuf, Content)],
    number: usize,
    built: &'b Built,
    terminal: &Terminal,
    out: &mut String,
) -> Result<Cow<'b, [u8]>, Failure> {
    let (path, content) = &outputs[number];
    Ok(match content {
        Content::Format(format) => {
            let formats = formats_of(outputs);
            let made = built.file(format, &formats, terminal)?;
            let _ = writeln!(out, "{}: {}", path.display(), parts(&made));
            made.bytes.into()
        }
        Content::Memory => built.sizes().to_json().into_bytes().into(),
        Content::Rule(text) => text.clone().into_bytes().into(),
        Content::Saved(i) => {
            let bytes = &built.image().saved[*i].1;
            let size = thousands(bytes.len() as u64);
            let _ = writeln!(out, "{}: {size} bytes", path.display());
            bytes.into()
        }
        Content::Ledger => ledger(built, path).into_bytes().into(),
    })
}

fn formats_of(outputs: &[(PathBuf, Content)]) -> Vec<String> {
    let format = |o: &(PathBuf, Content)| match &o.1 {
        Content::Format(format) => Some(format.clone()),
        _ => None,
    };
    outputs.iter().map_while(format).collect()
}

/// How to install what was built, its time, and the ruler before all that.
fn summary(built: &Built, program: &Session, outputs: &[(PathBuf, Content)], out: &mut String) {
    let formats = formats_of(outputs);
    let files = outputs.iter().take(formats.len());
    let files: Vec<PathBuf> = files.map(|o| o.0.clone()).collect();
    for line in built.install(&formats, &files) {
        let _ = writeln!(out, "{line}");
    }
    out.push_str(&time::text(built.image(), program.target.cycle_name()));
    // Without a machine or regions there is no ruler to measure for.
    if !built.image().regions.is_empty() {
        out.insert_str(0, &ruler::text(built.sizes()));
    }
}

/// What the optimizer is to do.
fn optimizer(args: &BuildArgs) -> Result<Option<Options>, Failure> {
    known_passes(args.optimizer.pass.iter().chain(&args.optimizer.no_pass))?;
    let replay = args.optimizer.replay.as_deref().map(script).transpose()?;
    Ok(args.optimize.then(|| Options {
        replay,
        only: args.optimizer.pass.clone(),
        without: args.optimizer.no_pass.clone(),
        most: args.optimizer.most_changes,
        slower: args.optimizer.slower_at_most,
        contracts: said(&args.optimizer.contract),
        ..Options::default()
    }))
}

/// Refuses names that no pass has.
pub(super) fn known_passes<'n>(list: impl Iterator<Item = &'n String>) -> Result<(), Failure> {
    let names = || passes::ALL.iter().map(|p| p.name);
    for name in list {
        if !names().any(|n| n == name) {
            return Err(unknown("pass", name, names()).into());
        }
    }
    Ok(())
}

/// The changes of a ledger.
fn script(path: &Path) -> Result<Script, Failure> {
    /// Most bytes of a ledger.
    const MOST: u64 = 64 << 20;
    let fail = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
    let found = std::fs::metadata(path).map_err(|e| fail(e.to_string()))?;
    if !found.is_file() || found.len() > MOST {
        return Err(fail("no file of at most 64 MB".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
    Script::read(&text).map_err(fail)
}

/// Contracts of the command line, which are a text of their own for messages.
pub(super) fn said(list: &[String]) -> Outside {
    let mut text = String::new();
    let one = |c: &String| {
        let start = text.len() as u32;
        text.push_str(c);
        text.push('\n');
        Written {
            subject: String::new(),
            text: c.clone(),
            start,
        }
    };
    let list = list.iter().map(one).collect();
    Outside {
        name: "--contract".to_owned(),
        text,
        list,
    }
}

/// The ledger in the format that the name of its file asks for.
pub(super) fn ledger(built: &Build, path: &Path) -> String {
    let Some(ledger) = &built.ledger else {
        return String::new();
    };
    match path.extension().and_then(|e| e.to_str()) {
        Some("json") => ledger.to_json(),
        Some("md") => ledger.to_markdown(),
        _ => ledger.to_text(),
    }
}

/// Where the files go that the source asks for: all into the folder of the outputs,
/// whatever folder the source says.
fn saved(
    args: &BuildArgs,
    built: &Built,
    folder: &Path,
    others: &[PathBuf],
) -> Result<Vec<PathBuf>, Failure> {
    let mut out: Vec<PathBuf> = Vec::new();
    if !args.saves {
        return Ok(out);
    }
    for (name, _) in &built.image().saved {
        let plain = name.rsplit(['/', '\\']).next().unwrap_or("");
        let path = folder.join(plain);
        let odd = plain.contains(char::is_control);
        if odd || path.file_name().is_none_or(|n| n.to_str() != Some(plain)) {
            return Err(format!("`{}` is no name of a file", name.escape_debug()).into());
        }
        if out.contains(&path) || others.contains(&path) {
            return Err(format!("{} would be written twice", path.display()).into());
        }
        out.push(path);
    }
    Ok(out)
}

/// What the outputs depend on, and where that is written, if it is wanted.
fn rule(
    args: &BuildArgs,
    program: &Session,
    outputs: &[PathBuf],
) -> Result<Option<(PathBuf, String)>, Failure> {
    if !args.dependencies && args.depfile.is_none() {
        return Ok(None);
    }
    let own = outputs.iter().map(|p| p.to_string_lossy().into_owned());
    let of = match args.depfile_target.is_empty() {
        true => own.collect(),
        false => args.depfile_target.clone(),
    };
    let path = args.depfile.clone();
    let path = path.unwrap_or_else(|| depfile::beside(&outputs[0]));
    Ok(Some((path, depfile::rule(&of, &program.files())?)))
}

/// Bytes of a file, and where they come from if the format added some.
fn parts(made: &Contained) -> String {
    let mut out = format!("{} bytes", thousands(made.bytes.len() as u64));
    if made.image_bytes > 0 {
        let _ = write!(
            out,
            ": {} of the program",
            thousands(made.image_bytes as u64)
        );
        for (what, n) in made.added.iter().filter(|a| a.1 > 0) {
            let _ = write!(out, ", {} {what}", thousands(*n as u64));
        }
    }
    out
}

/// The formats to write: asked for, by the output's extension, of the program, or the
/// machine's own.
fn formats(args: &BuildArgs, program: &Session) -> Result<Vec<String>, Failure> {
    let extension = args.output.as_deref().and_then(Path::extension);
    let extension = extension.and_then(|e| e.to_str());
    let known = |e: &&str| check_format(e, program.target, program.machine).is_ok();
    let mut out: Vec<String> = Vec::new();
    if !args.emit.is_empty() {
        for e in &args.emit {
            check_format(e, program.target, program.machine)?;
            if !out.contains(e) {
                out.push(e.clone());
            }
        }
    } else if let Some(e) = extension.filter(known) {
        out.push(e.to_owned());
    } else if !program.emit.is_empty() {
        for e in &program.emit {
            check_format(e, program.target, program.machine)?;
            if !out.contains(e) {
                out.push(e.clone());
            }
        }
    } else {
        // Where the source decides about the machine, it is asked again when that is known.
        let first = program.machine.and_then(|m| m.containers().first());
        let usual = || program.target.usual_format();
        out.push(first.map_or_else(usual, |c| c.name).to_owned());
    }
    Ok(out)
}

/// Every path that may become an output: the source may choose the machine, and so the
/// formats.
fn possible(args: &BuildArgs, program: &Session) -> Vec<PathBuf> {
    let machines = crate::targets::all().iter().flat_map(|t| t.machines());
    let own = machines.flat_map(|m| m.containers());
    let named = own.flat_map(|c| [c.name.to_owned(), format!("{}.sym", c.name)]);
    let writers = crate::write::WRITERS.iter().map(|w| w.name.to_owned());
    let mut formats: Vec<String> = writers.chain(named).collect();
    formats.sort_unstable();
    formats.dedup();
    let mut out = paths(args, program, &formats);
    out.extend(args.output.clone());
    out.extend(args.optimizer.ledger.iter().cloned());
    out
}

/// A path for each format.
fn paths(args: &BuildArgs, program: &Session, formats: &[String]) -> Vec<PathBuf> {
    let stem = match &args.output {
        Some(o) if o.is_dir() => o.join(&program.name),
        Some(o) if formats.len() == 1 => return vec![o.clone()],
        Some(o) => o.with_extension(""),
        None => program.output_folder().join(&program.name),
    };
    // Emulators look for symbols beside a file of the machine's, under its whole name.
    let containers = program.machine.map_or(&[][..], |m| m.containers());
    let loaded = containers.iter().filter(|c| c.symbols_behind);
    let asked = loaded.clone().find(|c| formats.iter().any(|f| f == c.name));
    let beside = asked.or(loaded.into_iter().next());
    let with = |format: &String| {
        let mut name = stem.as_os_str().to_owned();
        if let Some(c) = beside.filter(|_| format == "sym") {
            name.push(format!(".{}", c.name));
        }
        name.push(".");
        name.push(format);
        PathBuf::from(name)
    };
    formats.iter().map(with).collect()
}
