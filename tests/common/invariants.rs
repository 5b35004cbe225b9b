//! What holds for every source, however broken: for mutated sources and for fuzzing.

// Not every binary needs all of them.
#![allow(dead_code)]

use scrimp::diagnostic::{Level, flood, human::human, json::json, short::short};
use scrimp::report::Sizes;
use scrimp::text::source::MemoryLoader;
use scrimp::write::{Context, View, WRITERS};
use scrimp::{Job, Output, assemble, dialect, targets};
use scrimp_isa::{Machine, Target};
use std::time::Duration;

/// A dialect on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub dialect: &'static str,
    pub target: &'static str,
}

impl Pair {
    /// The target itself.
    pub fn target(self) -> &'static dyn Target {
        targets::by_name(self.target).expect("a target")
    }
}

/// Each dialect on each target.
pub fn pairs() -> Vec<Pair> {
    let targets = targets::all().iter().map(|t| t.name());
    let pair = |target| {
        let dialects = dialect::all().map(|d| d.name);
        dialects.map(move |dialect| Pair { dialect, target })
    };
    targets.flat_map(pair).collect()
}

/// A machine or none, by what the text is.
pub fn machine(pair: Pair, text: &[u8]) -> Option<&'static dyn Machine> {
    let target = pair.target();
    let names = target.machine_names();
    let sum = text.iter().fold(text.len(), |h, &b| {
        h.wrapping_mul(31).wrapping_add(b.into())
    });
    match sum % 4 {
        0 => None,
        1 => target.machine(names[sum / 4 % names.len()]),
        _ => target.machine(names.first()?),
    }
}

/// Assembles, renders and writes; the invariants that hold for every input.
///
/// # Panics
/// When one does not, or it takes longer than `longest` of the processor.
pub fn check(pair: Pair, machine: Option<&'static dyn Machine>, text: &[u8], longest: Duration) {
    let job = Job {
        file: "main.asm".into(),
        target: pair.target(),
        machine,
        dialect: pair.dialect.into(),
        defines: Vec::new(),
    };
    let start = super::cpu::time();
    let out = assemble(&job, &MemoryLoader::default().with("main.asm", text));
    render(&out);
    write(&job, out);
    let time = super::cpu::time() - start;
    assert!(time < longest, "took {time:?}");
}

fn render(out: &Output) {
    let failed = out.diagnostics.iter().any(|d| d.level == Level::Error);
    assert_eq!(failed, out.image.is_none(), "an error or an image");
    for d in out.diagnostics.iter().take(5) {
        human(d, &out.sources, false);
        json(d, &out.sources);
    }
    let (text, _) = flood::limited(&out.diagnostics, |d| short(d, &out.sources));
    assert!(text.len() <= flood::MOST_BYTES);
    assert!(
        !text.chars().any(|c| c.is_control() && c != '\n'),
        "control characters"
    );
}

fn write(job: &Job<'_>, out: Output) {
    let Some(image) = out.image else {
        return;
    };
    for chunk in &image.chunks {
        let mut at = 0;
        for run in &chunk.runs {
            assert_eq!(run.offset, at, "runs without gaps");
            at += run.len;
        }
        assert_eq!(at as usize, chunk.bytes.len(), "every byte has an origin");
    }
    Sizes::of("main", &image, &out.sources, job.target);
    let machine = image.machine.as_deref().and_then(|m| job.target.machine(m));
    for writer in WRITERS {
        let _ = (writer.write)(&Context {
            name: "main",
            image: &image,
            sources: &out.sources,
            target: job.target,
            machine,
            clock: None,
        });
    }
    for container in machine.map_or(&[][..], |m| m.containers()) {
        let _ = (container.write)(&View::new(&image, &[], "main"));
    }
}
