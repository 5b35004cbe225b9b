//! Which instructions a program's tests execute, and which ways its branches go.

use crate::image::origin::{file_name, pieces};
use crate::image::{Class, Image, NONE};
use crate::text::source::Sources;
use rustc_hash::FxHashMap;
use scrimp_isa::semantics::Code;
use scrimp_isa::{Machine, Target};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Program counters that are counted.
const MOST: u64 = 1 << 22;
/// Bytes of the longest instruction.
const LONGEST: usize = 8;

/// What is counted of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// It is none of the program's.
    #[default]
    Foreign,
    /// It goes on to the next, or always elsewhere.
    Plain,
    /// It has two ways; the number of [`Branch`].
    Branch(u32),
}

/// An instruction with two ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Branch {
    /// Program counter behind it and its slots.
    next: u64,
    /// Instructions that run before it goes.
    slots: u8,
    /// How often it went elsewhere, and how often on.
    ways: [u64; 2],
}

/// Counts by program counter.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    kinds: Vec<Kind>,
    counts: Vec<u64>,
    branches: Vec<Branch>,
    /// A branch whose slots run.
    pending: Option<(usize, u8)>,
    /// Bytes that one step of the program counter counts.
    unit: u64,
}

/// What of a line was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// How often, all instructions of the line together.
    pub count: u64,
    /// Instructions in it.
    pub instructions: u64,
    /// Those that were executed.
    pub executed: u64,
    /// For each branch how often it went elsewhere and how often on, and whether it was
    /// executed.
    pub branches: Vec<([u64; 2], bool)>,
}

/// Lines with instructions by file and number.
pub type Lines = BTreeMap<(String, usize), LineCount>;

/// Bytes that one step of the program counter counts.
pub fn counter_unit(target: &dyn Target) -> u64 {
    match target.spaces().first() {
        Some(s) if target.word_addresses() => s.unit.into(),
        _ => 1,
    }
}

/// Instructions of the program: linear address and bytes, with index of chunk and run.
fn instructions(image: &Image) -> impl Iterator<Item = (u64, &[u8], crate::image::Run)> {
    pieces(image)
        .filter(|p| p.run.class == Class::Code && p.run.form != NONE)
        .map(|p| {
            let from = p.run.offset as usize;
            let to = (from + LONGEST).min(p.chunk.bytes.len());
            let bytes = &p.chunk.bytes[from..to];
            (p.address(), bytes, p.run)
        })
}

impl Coverage {
    /// Nothing of a program is executed yet.
    pub fn of(image: &Image, target: &dyn Target, machine: Option<&dyn Machine>) -> Self {
        let mut out = Self {
            unit: counter_unit(target),
            ..Self::default()
        };
        let semantics = target.semantics(machine);
        for (address, bytes, _) in instructions(image) {
            let pc = address / out.unit;
            if pc >= MOST {
                continue;
            }
            let at = pc as usize;
            if out.kinds.len() <= at {
                out.kinds.resize(at + 1, Kind::Foreign);
                out.counts.resize(at + 1, 0);
            }
            out.kinds[at] = Kind::Plain;
            let Some(semantics) = &semantics else {
                continue;
            };
            let code = Code { bytes, address };
            let ways = semantics.successors(code);
            let ways = ways.filter(|w| w.falls_through && w.way.is_some());
            let (Some(ways), Some(length)) = (ways, semantics.length(code)) else {
                continue;
            };
            // What repeats itself is no branch.
            let to = ways
                .to
                .map(|to| u64::from(to) * semantics.unit() / out.unit);
            if to == Some(pc) {
                continue;
            }
            out.kinds[at] = Kind::Branch(out.branches.len() as u32);
            out.branches.push(Branch {
                next: pc + length as u64 / out.unit + u64::from(ways.slots),
                slots: ways.slots,
                ways: [0; 2],
            });
        }
        out
    }

    /// The instruction at a program counter was executed, and then it was another.
    #[inline]
    pub fn step(&mut self, pc: u64, next: u64) {
        if let Some((branch, left)) = &mut self.pending {
            *left -= 1;
            if *left == 0 {
                let b = &mut self.branches[*branch];
                b.ways[usize::from(next == b.next)] += 1;
                self.pending = None;
            }
        }
        let Some(&kind) = self.kinds.get(pc as usize) else {
            return;
        };
        if kind == Kind::Foreign {
            return;
        }
        self.counts[pc as usize] += 1;
        if let Kind::Branch(n) = kind {
            let b = &mut self.branches[n as usize];
            match b.slots {
                0 => b.ways[usize::from(next == b.next)] += 1,
                slots => self.pending = Some((n as usize, slots)),
            }
        }
    }

    /// Adds what another run of the same program has counted.
    pub fn add(&mut self, other: &Self) {
        for (a, b) in self.counts.iter_mut().zip(&other.counts) {
            *a += b;
        }
        for (a, b) in self.branches.iter_mut().zip(&other.branches) {
            a.ways[0] += b.ways[0];
            a.ways[1] += b.ways[1];
        }
    }

    /// By line of the files.
    pub fn lines(&self, image: &Image, sources: &Sources) -> Lines {
        let mut out = Lines::new();
        let mut seen = FxHashMap::default();
        for (address, _, run) in instructions(image) {
            let pc = (address / self.unit) as usize;
            let Some(&kind) = self.kinds.get(pc) else {
                continue;
            };
            if seen.insert(pc, ()).is_some() {
                continue;
            }
            let span = sources.in_file(run.span);
            let line = sources.get(span.source).line_column(span.start).0;
            let file = file_name(sources, span.source).to_owned();
            let l = out.entry((file, line)).or_default();
            let count = self.counts[pc];
            l.count += count;
            l.instructions += 1;
            l.executed += u64::from(count > 0);
            if let Kind::Branch(n) = kind {
                l.branches.push((self.branches[n as usize].ways, count > 0));
            }
        }
        out
    }
}

/// Sums over lines: instructions and those executed, ways of branches and those taken.
pub fn sums(lines: &Lines) -> [u64; 4] {
    let mut out = [0; 4];
    for l in lines.values() {
        out[0] += l.instructions;
        out[1] += l.executed;
        for (ways, _) in &l.branches {
            out[2] += 2;
            out[3] += ways.iter().filter(|&&w| w > 0).count() as u64;
        }
    }
    out
}

/// As LCOV's tracefiles have it, which `genhtml` and editors read.
pub fn lcov(lines: &Lines, name: &str) -> String {
    let mut out = String::new();
    let mut files: Vec<&str> = lines.keys().map(|k| k.0.as_str()).collect();
    files.dedup();
    for file in files {
        let own = || lines.iter().filter(|(k, _)| k.0 == file);
        let _ = writeln!(out, "TN:{}\nSF:{file}", name.replace(['\n', ' '], "_"));
        let (mut found, mut hit) = (0, 0);
        for ((_, line), l) in own() {
            for (n, (ways, executed)) in l.branches.iter().enumerate() {
                for (way, count) in ways.iter().enumerate() {
                    found += 1;
                    hit += u64::from(*count > 0);
                    let count = match executed {
                        true => count.to_string(),
                        false => "-".into(),
                    };
                    let _ = writeln!(out, "BRDA:{line},{n},{way},{count}");
                }
            }
        }
        let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
        for ((_, line), l) in own() {
            let _ = writeln!(out, "DA:{line},{}", l.count);
        }
        let hits = own().filter(|(_, l)| l.count > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{hits}\nend_of_record", own().count());
    }
    out
}

/// The sources with how often each line was executed, and which ways its branches went:
/// `><` both, `> ` only elsewhere, ` <` only on, `--` none.
pub fn listing(lines: &Lines, image: &Image, sources: &Sources, name: &str) -> String {
    let [all, executed, ways, taken] = sums(lines);
    let mut out = format!(
        "; {name}: {executed} of {all} instructions executed, {taken} of {ways} ways of branches\n\
         ; {:>10}  {:<4}  {:>5}  source\n",
        "executed", "ways", "line"
    );
    let mut files: Vec<&str> = Vec::new();
    for (_, _, run) in instructions(image) {
        let file = file_name(sources, sources.in_file(run.span).source);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    for file in files {
        let _ = writeln!(out, "; file {file}");
        let source = sources
            .iter()
            .find(|(id, _)| file_name(sources, *id) == file);
        let Some((_, source)) = source else { continue };
        for (n, text) in source.text.lines().enumerate() {
            let l = lines.get(&(file.to_owned(), n + 1));
            let count = match l {
                None => String::new(),
                Some(l) if l.executed == 0 => "#####".into(),
                Some(l) if l.executed < l.instructions => format!("{}*", l.count),
                Some(l) => l.count.to_string(),
            };
            let mut ways = String::new();
            for (w, _) in l.iter().flat_map(|l| &l.branches) {
                ways += match (w[0] > 0, w[1] > 0) {
                    (true, true) => "><",
                    (true, false) => "> ",
                    (false, true) => " <",
                    (false, false) => "--",
                };
            }
            let row = format!("{count:>12}  {ways:<4}  {:>5}  {text}", n + 1);
            let _ = writeln!(out, "{}", row.trim_end());
        }
    }
    out
}
