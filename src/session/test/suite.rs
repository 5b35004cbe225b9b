//! The tests of a program: finding them, doing those that are chosen, and comparing what
//! they keep with the files of last time.

use super::coverage::Coverage;
use super::grammar;
use super::run::{self, Shot, Subject};
use super::snapshot;
use super::step::Line;
use crate::diagnostic::Diagnostic;
use crate::disk;
use crate::disk::reach::stays_in;
use crate::session::build::Build;
use crate::session::front::Session;
use crate::session::power::Power;
use crate::session::refusal::Refusal;
use crate::text::source::{MAX_FILE, SourceId, Span};
use std::path::PathBuf;

/// A test as it is written.
pub struct Test {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub head: Span,
    /// What it does.
    lines: Vec<Line>,
    /// Where its lines stand, if they stand as they are.
    body: Option<Span>,
}

/// Something that a test found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its line.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub head: Span,
    /// What is wrong; nothing for one that passes.
    pub failures: Vec<Failure>,
    /// What was not done, and why.
    pub skipped: Vec<String>,
    /// Clock cycles of the machine.
    pub clocks: u64,
}

/// How tests are done.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Takes what snapshots are now as what they shall be.
    pub accept: bool,
    /// Counts instructions and ways of branches.
    pub coverage: bool,
    /// How the machine is started.
    pub power: Power,
}

/// What came of all.
#[derive(Default)]
pub struct Report {
    /// Each test, in order.
    pub outcomes: Vec<Outcome>,
    /// What was executed, where that is counted.
    pub coverage: Option<Coverage>,
    /// Files to write: snapshots that are accepted, or new ones to be looked at.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// Files that are no longer wanted.
    pub stale: Vec<PathBuf>,
    /// Snapshots that were accepted.
    pub accepted: usize,
    /// Clock cycles in a second.
    pub clock: u64,
}

impl Report {
    /// How many passed, and how many failed.
    pub fn counts(&self) -> (usize, usize) {
        let failed = self.outcomes.iter().filter(|o| !o.failures.is_empty());
        let failed = failed.count();
        (self.outcomes.len() - failed, failed)
    }
}

/// The tests of a program: those of its sources, and those of its `program.toml`.
///
/// # Errors
/// Lines of a `program.toml` that cannot be read; those of sources are findings of the
/// build.
pub fn find(session: &Session, build: &Build) -> Result<Vec<Test>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let mut faults = Vec::new();
    for script in &build.tests {
        if let Ok(lines) = grammar::read(build.sources.slice(script.body)) {
            out.push(Test {
                name: script.name.clone(),
                head: script.head,
                lines,
                body: Some(script.body),
            });
        }
    }
    let Some((file, text, manifest)) = &session.manifest else {
        return Ok(out);
    };
    let mut all = build.sources.iter();
    let Some((id, _)) = all.find(|(_, s)| *s.name == **file) else {
        return Ok(out);
    };
    for (name, script) in &manifest.test {
        let range = script.span();
        let head = Span::new(id, range.start as u32, range.end as u32);
        // Its lines may stand there as they are.
        let verbatim = text
            .get(range.clone())
            .and_then(|raw| raw.find(script.get_ref()));
        let body = verbatim.map(|at| {
            let from = range.start + at;
            Span::new(id, from as u32, (from + script.get_ref().len()) as u32)
        });
        match grammar::read(script.get_ref()) {
            Ok(lines) => out.push(Test {
                name: name.clone(),
                head,
                lines,
                body,
            }),
            Err(_) => faults.extend(
                grammar::check(
                    script.get_ref(),
                    body.unwrap_or(Span::new(SourceId(u32::MAX), 0, 0)),
                )
                .into_iter()
                .map(|mut d| {
                    if body.is_none() {
                        d.span = Some(head);
                    }
                    d
                }),
            ),
        }
    }
    match faults.is_empty() {
        true => Ok(out),
        false => Err(faults),
    }
}

impl Test {
    /// The place of a part of its script.
    fn place(&self, range: &std::ops::Range<usize>) -> Span {
        match self.body {
            Some(body) => Span::new(
                body.source,
                body.start + range.start as u32,
                body.start + range.end as u32,
            ),
            None => self.head,
        }
    }
}

/// Does tests; `each` is told of one when it is done.
///
/// # Errors
/// There is no machine, or the program cannot be loaded.
pub fn run(
    session: &Session,
    build: &Build,
    tests: &[Test],
    how: &How,
    mut each: impl FnMut(&Outcome),
) -> Result<Report, Refusal> {
    let image = build.good()?;
    let running = session.power_on_with(build, &how.power)?;
    let subject = Subject {
        running: &running,
        image,
        target: build.whole.target,
        machine: running.machine,
    };
    let mut report = Report {
        clock: running.clock(),
        coverage: how
            .coverage
            .then(|| Coverage::of(image, build.whole.target, Some(running.machine))),
        ..Report::default()
    };
    for test in tests {
        let done = run::run(&subject, &test.lines, how.coverage);
        let mut outcome = Outcome {
            name: test.name.clone(),
            head: test.head,
            failures: Vec::new(),
            skipped: Vec::new(),
            clocks: done.clocks,
        };
        for wrong in done.wrong {
            outcome.failures.push(Failure {
                span: test.place(&wrong.range),
                message: wrong.message,
            });
        }
        for shot in &done.shots {
            if let Err(message) =
                compare(session, build, how, test, shot, &mut report, &mut outcome)
            {
                outcome.failures.push(Failure {
                    span: test.place(&shot.range),
                    message,
                });
            }
        }
        if let (Some(all), Some(own)) = (&mut report.coverage, &done.coverage) {
            all.add(own);
        }
        each(&outcome);
        report.outcomes.push(outcome);
    }
    Ok(report)
}

/// Compares a snapshot with its file.
fn compare(
    session: &Session,
    build: &Build,
    how: &How,
    test: &Test,
    shot: &Shot,
    report: &mut Report,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let Some(folder) = &session.folder else {
        outcome.skipped.push(format!(
            "snapshot {}: a program without a folder keeps none",
            shot.kind
        ));
        return Ok(());
    };
    let now = match &shot.content {
        Some(content) => content.clone(),
        None => snapshot::of_build(build, &shot.kind).map_err(|r| r.to_string())?,
    };
    let path = snapshot::path(folder, &session.name, &test.name, &shot.kind);
    if report.files.iter().any(|f| f.0.starts_with(&path)) {
        return Err(format!("two snapshots are called {}", path.display()));
    }
    if !stays_in(&path, &folder.join(snapshot::FOLDER)) {
        return Err(format!("{} leads elsewhere through a link", path.display()));
    }
    let source = disk::tidy(&PathBuf::from(&*build.sources.get(test.head.source).name));
    let text = snapshot::file(source.rsplit('/').next().unwrap_or(""), &shot.kind, &now);
    let new = path.with_extension("snap.new");
    let old = match path.exists() {
        true => {
            let bytes = disk::read_at_most(&path, MAX_FILE)?;
            Some(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
        }
        false => None,
    };
    let same = old.as_deref().map(snapshot::content) == Some(now.trim_end_matches('\n'));
    if same || how.accept {
        if new.exists() {
            report.stale.push(new);
        }
        if !same {
            report.accepted += 1;
            report.files.push((path, text.into_bytes()));
        }
        return Ok(());
    }
    let shown = new.display().to_string();
    report.files.push((new, text.into_bytes()));
    Err(match old {
        None => format!("there is no snapshot yet; --accept takes the new one ({shown})"),
        Some(old) => format!(
            "{} is another ({shown}; --accept takes it): {}",
            shot.kind,
            snapshot::difference(snapshot::content(&old), &now)
        ),
    })
}
