//! Assembles mutated sources, as many as one likes, for each dialect on each target:
//!
//! ```text
//! cargo bench --bench mutation -- --count 1000000 --seed 7 --dialect gas-avr --target avr
//! ```
//!
//! `--count` inputs for each pair (default 10,000), on all cores or `--threads N`; `--from N`
//! starts at another number. All pairs advance together, and the inputs of each target are
//! counted once a minute and at the end, also where that is an interrupt, SIGTERM or
//! `--minutes N`. Inputs that panic, hang or break an invariant are printed and kept as
//! `mutant-DIALECT-TARGET-N.asm` in the folder of `--keep`. A number and the seed give the
//! same input again. An input that takes two seconds hangs. `--corpus FOLDER` writes the
//! seeds of `fuzz/` and ends. `CARGO_PROFILE_BENCH_OVERFLOW_CHECKS=true` and
//! `CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS=true` find more.

#[path = "../tests/common/cpu.rs"]
mod cpu;
#[path = "../tests/common/invariants.rs"]
mod invariants;
#[path = "../tests/common/mutator.rs"]
mod mutator;
#[path = "../tests/common/random.rs"]
mod random;

use invariants::{Pair, pairs};
use mutator::{Seed, input, run, seeds};
use scrimp::targets;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Inputs that a thread takes at once.
const PART: u64 = 100;
/// What takes longer hangs.
const LONGEST: Duration = Duration::from_secs(2);

struct Arguments {
    count: u64,
    from: u64,
    seed: u64,
    threads: usize,
    minutes: Option<u64>,
    dialect: Option<String>,
    target: Option<String>,
    keep: Option<PathBuf>,
    corpus: Option<PathBuf>,
}

fn arguments() -> Arguments {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut a = Arguments {
        count: 10_000,
        from: 0,
        seed: 1,
        threads: cores,
        minutes: None,
        dialect: None,
        target: None,
        keep: None,
        corpus: None,
    };
    let mut words = std::env::args().skip(1).filter(|w| w != "--bench");
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_default();
        let number = || value.parse().expect("a number behind the option");
        match word.as_str() {
            "--count" => a.count = number(),
            "--from" => a.from = number(),
            "--seed" => a.seed = number(),
            "--threads" => a.threads = number() as usize,
            "--minutes" => a.minutes = Some(number()),
            "--dialect" => a.dialect = Some(value),
            "--target" => a.target = Some(value),
            "--keep" => a.keep = Some(value.into()),
            "--corpus" => a.corpus = Some(value.into()),
            other => panic!("what is {other}?"),
        }
    }
    a
}

/// Writes parts of all sources where `fuzz/` looks for what to start from: a byte that
/// chooses, and a few lines. They are short and each is there once, under its choices in
/// turns: most of the time of a short input is what every input costs, and all of them
/// are run before the first one is changed.
fn corpus(folder: &Path, seeds: &[Seed]) -> std::io::Result<()> {
    const PART: usize = 200;
    let names = scrimp::dialect::names();
    for target in scrimp::targets::all() {
        let folder = folder.join(format!("assemble_{}", target.name()));
        std::fs::create_dir_all(&folder)?;
        let mut written = HashSet::new();
        for seed in seeds.iter().filter(|s| s.target == target.name()) {
            let family = |n: &str| n.split('-').next().map(str::to_owned);
            let dialects = (0..names.len()).filter(|&d| family(names[d]) == family(seed.dialect));
            // Without a machine and with the first.
            let choices: Vec<usize> = dialects.flat_map(|d| [d, d + names.len()]).collect();
            let mut part = Vec::new();
            let mut lines = seed.text.split_inclusive(|&b| b == b'\n').peekable();
            while let Some(line) = lines.next() {
                part.extend_from_slice(&line[..line.len().min(PART)]);
                if part.len() < PART && lines.peek().is_some() {
                    continue;
                }
                let number = written.len();
                if written.insert(part.clone()) {
                    let choice = choices[number % choices.len()];
                    let text = [&[choice as u8], &part[..]].concat();
                    std::fs::write(folder.join(format!("{number:04}")), text)?;
                }
                part.clear();
            }
        }
    }
    Ok(())
}

/// No input may use so much memory: the process ends, and says which it was.
#[cfg(unix)]
fn bound_memory(threads: usize) {
    use nix::sys::resource::{Resource, setrlimit};
    let most = (threads as u64 + 1) << 30;
    setrlimit(Resource::RLIMIT_AS, most, most).expect("a limit");
}

/// What was done so far.
struct Done {
    /// Inputs by target, in the order of all targets.
    inputs: Vec<AtomicU64>,
    faults: AtomicUsize,
}

impl Done {
    fn new() -> Self {
        Self {
            inputs: targets::all().iter().map(|_| AtomicU64::new(0)).collect(),
            faults: AtomicUsize::new(0),
        }
    }

    fn count(&self, target: &str, inputs: u64) {
        let at = targets::all().iter().position(|t| t.name() == target);
        self.inputs[at.expect("a target")].fetch_add(inputs, Ordering::Relaxed);
    }

    /// One line: `inputs: z80 12000, avr 11000: 0 faults, seed 7, 12 s`.
    fn line(&self, seed: u64, start: Instant) -> String {
        let all = targets::all().iter().zip(&self.inputs);
        let each: Vec<String> = all
            .map(|(t, n)| format!("{} {}", t.name(), n.load(Ordering::Relaxed)))
            .collect();
        let faults = self.faults.load(Ordering::Relaxed);
        let time = start.elapsed().as_secs();
        let each = each.join(", ");
        format!("inputs: {each}: {faults} faults, seed {seed}, {time} s")
    }
}

/// Set when the run shall end: by a signal, where there are any.
fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    #[cfg(all(unix, feature = "cli"))]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&flag)).expect("a signal");
    }
    flag
}

/// Runs inputs `from..end` of a pair; after a fault goes on behind it.
fn part(pair: Pair, (from, end): (u64, u64), a: &Arguments, seeds: &[Seed], done: &Done) {
    let mut at = from;
    while let Err(fault) = run(pair, at..end, a.seed, seeds, LONGEST) {
        done.faults.fetch_add(1, Ordering::Relaxed);
        println!("{fault}\n");
        let number = fault.split("input ").nth(1);
        let number = number.and_then(|n| n.split(':').next());
        at = number.and_then(|n| n.parse().ok()).unwrap_or(end);
        if let Some(folder) = &a.keep {
            let name = format!("mutant-{}-{}-{at}.asm", pair.dialect, pair.target);
            let text = input(pair, at, a.seed, seeds);
            std::fs::write(folder.join(name), text).expect("a file");
        }
        at += 1;
    }
    done.count(pair.target, end - from);
}

fn main() {
    let a = arguments();
    #[cfg(unix)]
    bound_memory(a.threads);
    let seeds = seeds();
    if let Some(folder) = &a.corpus {
        return corpus(folder, &seeds).expect("a corpus");
    }
    let wanted = |p: &Pair| {
        a.dialect.as_deref().is_none_or(|d| d == p.dialect)
            && a.target.as_deref().is_none_or(|t| t == p.target)
    };
    let pairs: Vec<Pair> = pairs().into_iter().filter(wanted).collect();
    // All pairs advance together: a run that is stopped has seen as much of each.
    let parts: Vec<(Pair, u64)> = (a.from..a.from + a.count)
        .step_by(PART as usize)
        .flat_map(|n| pairs.iter().map(move |&p| (p, n)))
        .collect();
    let (next, done, start) = (AtomicUsize::new(0), Done::new(), Instant::now());
    let (stop, told) = (interrupted(), AtomicU64::new(0));
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|s| {
        for _ in 0..a.threads {
            s.spawn(|| {
                while let Some(&(pair, from)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let minute = start.elapsed().as_secs() / 60;
                    if stop.load(Ordering::Relaxed) || a.minutes.is_some_and(|m| minute >= m) {
                        return;
                    }
                    if told.fetch_max(minute, Ordering::Relaxed) < minute {
                        println!("{}", done.line(a.seed, start));
                    }
                    let end = (from + PART).min(a.from + a.count);
                    part(pair, (from, end), &a, &seeds, &done);
                }
            });
        }
    });
    println!("{}, {} pairs", done.line(a.seed, start), pairs.len());
    assert_eq!(done.faults.into_inner(), 0);
}
