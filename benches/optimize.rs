//! What the optimizer saves on real programs, beside MDL:
//!
//! ```text
//! MDL_CLASSPATH=mdl/classes:commons-io.jar cargo bench --bench optimize -- INPUTS [NAME…]
//! ```
//!
//! INPUTS is a file with a line for each program, paths from its folder; `#` begins a remark:
//!
//! ```text
//! NAME | target[:machine] dialect file [-Dname=value] | mdl-dialect file [options of MDL] | start
//! ```
//!
//! Printed are bytes of instructions before, and how many fewer there are behind each of the
//! two: not what they claim, but counted in what comes out; MDL's output is assembled again
//! by scrimp. CPU seconds of scrimp are those of the second assembly, with the optimizer, in
//! this process. `--sites` prints the lines of a source that one of them changes and the
//! other leaves; of each that only MDL changes what it did there, the bytes that it claims, and
//! why the line was left: what fences it off, what spoke against a change there, or that no
//! change is known. At the end these reasons stand with their bytes, most first. `--passes`
//! prints the bytes by pass and rule. `--run` lets both images run beside
//! each other from the label `start`, or the first instruction (`tests/common/beside.rs`);
//! where they differ, the first change that is bad is found by halves. Without MDL_CLASSPATH there is no
//! MDL, and that is said.

#[path = "../tests/common/beside.rs"]
mod beside;
#[path = "../tests/common/cpu.rs"]
mod cpu;

use scrimp::image::{Class, Image};
use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::{LoadError, Loader};
use scrimp::{Job, Settings, assemble_with};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The dialect that reads what MDL writes.
const WRITTEN: &str = "pasmo";

/// A program of the list.
struct Input {
    name: String,
    target: String,
    dialect: String,
    file: String,
    defines: Vec<(String, i64)>,
    /// Dialect, file and options for MDL.
    mdl: Vec<String>,
    /// Label at which it begins.
    start: Option<String>,
}

/// Instructions for which images run beside each other.
const STEPS: u64 = 3_000_000;
/// Worlds in which they do.
const WORLDS: u32 = 4;

/// What one of the two did.
struct Made {
    /// Bytes of instructions that are gone.
    gone: i64,
    seconds: f64,
    /// Files without their folders, and lines, that it changed.
    sites: BTreeMap<Line, Site>,
}

/// A file without its folder, and a line.
type Line = (String, u32);

/// What MDL did at a line: bytes that it claims, and its words.
#[derive(Clone, Default)]
struct Site {
    bytes: i64,
    what: String,
}

/// Lines around one that are the same place: both tell where a change begins.
const NEAR: u32 = 3;
/// Letters of what MDL says of a change.
const WORDS: usize = 90;

fn inputs(text: &str) -> Vec<Input> {
    let lines = text.lines().filter(|l| !l.trim_start().starts_with('#'));
    let input = |l: &str| {
        let mut parts = l.split('|').map(str::trim);
        let name = parts.next()?.to_owned();
        let mut own = parts.next()?.split_whitespace().map(str::to_owned);
        let mdl = parts.next().unwrap_or("");
        Some(Input {
            name,
            target: own.next()?,
            dialect: own.next()?,
            file: own.next()?,
            defines: own.filter_map(|d| define(&d)).collect(),
            mdl: mdl.split_whitespace().map(str::to_owned).collect(),
            start: parts.next().map(str::to_owned),
        })
    };
    lines.filter_map(input).collect()
}

/// `-Dname=value`.
fn define(text: &str) -> Option<(String, i64)> {
    let (name, value) = text.strip_prefix("-D")?.split_once('=')?;
    Some((name.to_owned(), value.parse().ok()?))
}

/// A source of the list: target, dialect, file, defines.
type Source<'i> = (&'i str, &'i str, &'i str, &'i [(String, i64)]);

/// Files below a folder, and beside those that name them.
struct Folder<'f>(&'f Path);

impl Loader for Folder<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        let beside = from.and_then(|f| Path::new(f).parent().map(|p| p.join(path)));
        for name in beside.into_iter().chain([PathBuf::from(path)]) {
            if let Ok(bytes) = std::fs::read(self.0.join(&name)) {
                return Ok((name.to_string_lossy().into_owned(), bytes));
            }
        }
        Err(LoadError::Missing { near: Vec::new() })
    }
}

/// An image, and what the optimizer did if it was asked.
fn assembled(
    folder: &Path,
    (target, dialect, file, defines): Source<'_>,
    optimize: Option<Options>,
) -> Result<(Image, Option<Ledger>), String> {
    let (name, machine) = target.split_once(':').unwrap_or((target, ""));
    let target = scrimp::targets::by_name(name).ok_or("no such target")?;
    let job = Job {
        file: file.to_owned(),
        target,
        machine: target.machine(machine),
        dialect: dialect.to_owned(),
        defines: defines
            .iter()
            .map(|(n, v)| (n.clone(), (*v).into()))
            .collect(),
    };
    let settings = Settings {
        optimize,
        ..Settings::default()
    };
    let out = assemble_with(&job, &settings, &Folder(folder));
    let broken = out.ledger.as_ref().map_or("", |l| &l.broken);
    let first = out.diagnostics.iter().max_by_key(|d| d.level);
    let first = first.map_or(String::new(), |d| d.message.to_string());
    match out.image {
        Some(image) => Ok((image, out.ledger)),
        None => Err(format!("{first} {broken}")),
    }
}

/// Bytes of instructions.
fn code(image: &Image) -> i64 {
    let runs = image.chunks.iter().flat_map(|c| &c.runs);
    let code = runs.filter(|r| r.class == Class::Code);
    code.map(|r| i64::from(r.len)).sum()
}

fn base(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// The line of a place of a ledger.
fn line_of(place: &str) -> Option<Line> {
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((base(file), line.parse().ok()?))
}

/// What a line of MDL's log says that it changed.
fn mdl_site(line: &str) -> Option<(Line, Site)> {
    let line = line.strip_prefix("INFO: ")?;
    let (before, rest) = line.split_once(" in ")?;
    let (place, what) = rest.split_once(": ")?;
    let (file, number) = place.rsplit_once('#')?;
    let (what, claim) = what.rsplit_once(" (")?;
    let bytes = claim.split_once(" byte")?.0.parse().ok()?;
    let what: String = what.chars().take(WORDS).collect();
    let what = match before.contains("attern") {
        true => what,
        false => format!("reorganised: {what}"),
    };
    Some(((base(file), number.parse().ok()?), Site { bytes, what }))
}

/// What scrimp does.
fn scrimp_does(folder: &Path, i: &Input, before: i64) -> Result<(Made, Ledger, Image), String> {
    let start = cpu::time();
    let what = (
        i.target.as_str(),
        i.dialect.as_str(),
        i.file.as_str(),
        i.defines.as_slice(),
    );
    let options = Options {
        fences: true,
        ..Options::default()
    };
    let (image, ledger) = assembled(folder, what, Some(options))?;
    let seconds = (cpu::time() - start).as_secs_f64();
    let ledger = ledger.ok_or("no ledger")?;
    let sites = ledger.records.iter().flat_map(|r| &r.places);
    let sites = sites.filter_map(|p| Some((line_of(p)?, Site::default())));
    let made = Made {
        gone: before - code(&image),
        seconds,
        sites: sites.collect(),
    };
    Ok((made, ledger, image))
}

/// What differs when both images run.
fn runs(i: &Input, old: &Image, new: &Image) -> Result<usize, String> {
    let at = |image: &Image| {
        let name = i.start.as_deref()?;
        Some(image.symbol(name)?.value as u16)
    };
    let start = at(old).zip(at(new));
    let mut least = usize::MAX;
    for world in 1..=WORLDS {
        least = least.min(beside::run(old, new, start, STEPS, world)?);
    }
    Ok(least)
}

/// The number of the first change with which the images differ.
fn bisect(folder: &Path, i: &Input, old: &Image, changes: usize) -> Option<(usize, Ledger)> {
    let what = (
        i.target.as_str(),
        i.dialect.as_str(),
        i.file.as_str(),
        i.defines.as_slice(),
    );
    let with = |most: usize| {
        let options = Options {
            most: Some(most),
            ..Options::default()
        };
        let (image, ledger) = assembled(folder, what, Some(options)).ok()?;
        Some((runs(i, old, &image).is_err(), ledger?))
    };
    let (mut good, mut bad) = (0, changes);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match with(middle)?.0 {
            true => bad = middle,
            false => good = middle,
        }
    }
    let (wrong, ledger) = with(bad)?;
    wrong.then_some((bad, ledger))
}

/// CPU seconds of the processes that were waited for.
fn of_children() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the time used");
    let part = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    part(usage.user_time()) + part(usage.system_time())
}

/// What MDL does with its best size mode.
fn mdl_does(folder: &Path, classes: &str, i: &Input, before: i64) -> Result<Made, String> {
    let (dialect, file) = match i.mdl.as_slice() {
        [dialect, file, ..] => (dialect, file),
        _ => return Err("not in the list".into()),
    };
    let out = std::env::temp_dir().join(format!("mdl-{}", std::process::id()));
    std::fs::create_dir_all(&out).map_err(|e| e.to_string())?;
    let written = out.join(format!("{}.asm", i.name));
    let started = of_children();
    let run = Command::new("java")
        .args(["-Xmx2g", "-cp", classes, "cl.Main", file])
        .args(["-dialect", dialect, "-cpu", "z80", "-ansioff", "-ro"])
        .args(["-po", "size"])
        .args(i.mdl.iter().skip(2))
        .arg("-asm")
        .arg(&written)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("java: {e}"))?;
    let seconds = of_children() - started;
    let log =
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        let last = log.lines().last().unwrap_or("").to_owned();
        return Err(format!("MDL fails: {last}"));
    }
    let file = format!("{}.asm", i.name);
    let (image, _) = assembled(&out, (&i.target, WRITTEN, &file, &[]), None)
        .map_err(|e| format!("MDL's output does not assemble: {e}"))?;
    let changed = log.lines().filter(|l| l.contains(" saved)"));
    let mut sites: BTreeMap<Line, Site> = BTreeMap::new();
    // A file that was made for MDL has the lines of the other.
    let (made, read) = (i.mdl.get(1).map(|f| base(f)), base(&i.file));
    for ((file, line), site) in changed.filter_map(mdl_site).filter(|s| s.1.bytes > 0) {
        let file = match made.as_ref() == Some(&file) {
            true => read.clone(),
            false => file,
        };
        let own = sites.entry((file, line)).or_default();
        own.bytes += site.bytes;
        own.what = match own.what.is_empty() {
            true => site.what,
            false => format!("{}; {}", own.what, site.what),
        };
    }
    let _ = std::fs::remove_dir_all(&out);
    Ok(Made {
        gone: before - code(&image),
        seconds,
        sites,
    })
}

/// Prints what only one of them changed; adds to the bytes that only MDL claims, by reason.
fn differences(
    name: &str,
    ours: (&Made, &Ledger),
    theirs: &Made,
    why: &mut BTreeMap<String, (i64, usize)>,
) {
    let (made, ledger) = ours;
    let near = |line: &Line| {
        let own = (line.0.clone(), line.1.saturating_sub(NEAR))..=(line.0.clone(), line.1 + NEAR);
        made.sites.range(own).next().is_some()
    };
    let mut fences: BTreeMap<Line, &str> = BTreeMap::new();
    for f in &ledger.fences {
        if let Some(line) = line_of(&f.place) {
            fences.entry(line).or_insert(f.reason);
        }
    }
    let mut doubts: BTreeMap<Line, &str> = BTreeMap::new();
    for r in &ledger.refused {
        if let Some(line) = line_of(&r.place) {
            doubts.entry(line).or_insert(&r.reason);
        }
    }
    for (line, site) in theirs.sites.iter().filter(|s| !near(s.0)) {
        let range = || line.clone()..=(line.0.clone(), line.1 + NEAR);
        let fenced = fences.range(range()).next().map(|f| *f.1);
        let doubted = || doubts.range(range()).next().map(|f| *f.1);
        let reason = match ledger.given_up.as_str() {
            "" => fenced.or_else(doubted).unwrap_or("no change is known"),
            all => all,
        };
        let (file, number, bytes, what) = (&line.0, line.1, site.bytes, &site.what);
        println!("  {name} only MDL    {file}:{number} {bytes} {what} | {reason}");
        let sum = why.entry(reason.to_owned()).or_default();
        *sum = (sum.0 + bytes, sum.1 + 1);
    }
    for (file, line) in made.sites.keys().filter(|s| !theirs.sites.contains_key(*s)) {
        println!("  {name} only scrimp {file}:{line}");
    }
}

fn main() -> ExitCode {
    let all: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let asked = |name: &str| all.iter().any(|a| a == name);
    let mut plain = all.iter().filter(|a| !a.starts_with("--"));
    let Some(list) = plain.next().map(PathBuf::from) else {
        println!("usage: cargo bench --bench optimize -- INPUTS [NAME…] [--sites] [--passes]");
        return ExitCode::SUCCESS;
    };
    let names: Vec<&String> = plain.collect();
    let text = match std::fs::read_to_string(&list) {
        Ok(text) => text,
        Err(e) => {
            println!("{}: {e}", list.display());
            return ExitCode::FAILURE;
        }
    };
    let folder = list.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).to_owned();
    let classes = std::env::var("MDL_CLASSPATH").ok();
    if classes.is_none() {
        println!("skipped: MDL, since MDL_CLASSPATH is not set");
    }
    println!(
        "{:<16}{:>8}{:>8}{:>8}{:>8}{:>9}{:>9}",
        "program", "code", "scrimp", "%", "MDL", "s scrimp", "s MDL"
    );
    let mut why: BTreeMap<String, (i64, usize)> = BTreeMap::new();
    let mut sums = (0i64, 0i64, 0i64, 0.0, 0.0);
    for i in inputs(&text) {
        if !names.is_empty() && !names.contains(&&i.name) {
            continue;
        }
        let what = (
            i.target.as_str(),
            i.dialect.as_str(),
            i.file.as_str(),
            i.defines.as_slice(),
        );
        let old = match assembled(&folder, what, None) {
            Ok((image, _)) => image,
            Err(e) => {
                println!("{:<16} scrimp does not take it: {e}", i.name);
                continue;
            }
        };
        let before = code(&old);
        let ours = scrimp_does(&folder, &i, before);
        let theirs = classes
            .as_ref()
            .map(|c| mdl_does(&folder, c, &i, before))
            .unwrap_or_else(|| Err(String::new()));
        let (gone, seconds) = match &ours {
            Ok((m, ..)) => (m.gone, m.seconds),
            Err(e) => {
                println!("{:<16} scrimp fails: {e}", i.name);
                (0, 0.0)
            }
        };
        let (other, took) = match &theirs {
            Ok(m) => (m.gone.to_string(), format!("{:.1}", m.seconds)),
            Err(_) => ("-".into(), "-".into()),
        };
        let percent = gone as f64 * 100.0 / before.max(1) as f64;
        println!(
            "{:<16}{before:>8}{gone:>8}{percent:>8.1}{other:>8}{seconds:>9.2}{took:>9}",
            i.name
        );
        if let Err(e) = &theirs
            && !e.is_empty()
        {
            println!("  {e}");
        }
        sums = (
            sums.0 + before,
            sums.1 + gone,
            sums.2,
            sums.3 + seconds,
            sums.4,
        );
        if let Ok(m) = &theirs {
            (sums.2, sums.4) = (sums.2 + m.gone, sums.4 + m.seconds);
        }
        if let (Ok((_, ledger, _)), true) = (&ours, asked("--passes")) {
            if !ledger.given_up.is_empty() {
                println!("  nothing done: {}", ledger.given_up);
            }
            for (pass, rule, bytes, count) in ledger.by_rule() {
                println!("  {bytes:>7} {count:>5}  {pass}: {rule}");
            }
            let mut why: Vec<_> = ledger.refused.iter().collect();
            why.sort_by_key(|r| -r.saved);
            for r in why
                .iter()
                .filter(|r| r.reason.starts_with("the checker"))
                .take(8)
            {
                println!(
                    "  refused {}: {} / {}: {}",
                    r.pass, r.place, r.what, r.reason
                );
            }
        }
        if let (Ok((_, ledger, new)), true) = (&ours, asked("--run")) {
            match runs(&i, &old, new) {
                Ok(events) => println!("  the same for {events} events at least"),
                Err(e) => {
                    println!("  DIFFERENT: {e}");
                    if let Some((n, made)) = bisect(&folder, &i, &old, ledger.records.len()) {
                        println!("  first bad change: {n}");
                        let last = made.records.last();
                        println!("  {}", last.map_or(String::new(), |r| format!("{r:#?}")));
                    }
                }
            }
        }
        if let (Ok((ours, ledger, _)), Ok(theirs), true) = (&ours, &theirs, asked("--sites")) {
            differences(&i.name, (ours, ledger), theirs, &mut why);
        }
    }
    let (before, gone, other, seconds, took) = sums;
    println!(
        "{:<16}{before:>8}{gone:>8}{:>8.1}{other:>8}{seconds:>9.2}{took:>9.1}",
        "sum",
        gone as f64 * 100.0 / before.max(1) as f64
    );
    let mut why: Vec<_> = why.into_iter().collect();
    why.sort_by_key(|w| -w.1.0);
    for (reason, (bytes, count)) in why {
        println!("  only MDL: {bytes} bytes claimed at {count} places | {reason}");
    }
    ExitCode::SUCCESS
}
