//! `scrimp test`: what a program is expected to do, done on its machine.

use super::args::{ProgramArgs, TestArgs, TestFormat};
use super::failure::Failure;
use super::job;
use super::program;
use super::progress::Progress;
use super::terminal::{Terminal, fit};
use crate::disk;
use crate::session::power::Power;
use crate::session::test::coverage::{lcov, listing, sums};
use crate::session::test::output;
use crate::session::test::suite::{self, How, Report, Test};
use std::path::{Path, PathBuf};

/// Does the tests of a program.
pub fn test(args: &TestArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut session = program::find_source(&program_args(args), terminal)?;
    let built = job::build(&mut session, terminal)?;
    let found = suite::find(&session, &built).map_err(|faults| {
        terminal.findings(&faults, &built.sources);
        Failure::Findings
    })?;
    let tests = chosen(found, args, &session.name)?;
    if args.list {
        let names: String = tests
            .iter()
            .map(|t| {
                format!(
                    "{}: {}\n",
                    output::place(&built.sources, t.head),
                    fit(&t.name)
                )
            })
            .collect();
        return terminal.print(&names);
    }
    let how = How {
        accept: args.accept,
        coverage: args.coverage.is_some(),
        power: Power {
            rom: args.rom.clone(),
            ..Power::default()
        },
    };
    let report = {
        let _progress = Progress::start(format!("testing {}", session.name));
        suite::run(&session, &built, &tests, &how, |_| {})
    };
    let report = report.map_err(|r| built.refused(r, terminal))?;
    keep(&report)?;
    let name = &session.name;
    let sources = &built.sources;
    let formatted = match args.format {
        TestFormat::Human => None,
        TestFormat::Tap => Some(output::tap(&report, sources)),
        TestFormat::Junit => Some(output::junit(&report, sources, name)),
        TestFormat::Json => Some(format!("{:#}\n", output::json(&report, sources, name))),
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut said = String::new();
    if let (Some(path), Some(coverage)) = (&args.coverage, &report.coverage) {
        let lines = coverage.lines(built.image(), sources);
        let text = match is_lcov(path) {
            true => lcov(&lines, name),
            false => listing(&lines, built.image(), sources, name),
        };
        files.push((path.clone(), text.into_bytes()));
        let [all, executed, ways, taken] = sums(&lines);
        said = format!(
            "{executed} of {all} instructions executed, {taken} of {ways} ways of branches\n"
        );
    }
    let to_file = args.output.is_some() && formatted.is_some();
    if let (Some(path), Some(text)) = (&args.output, &formatted) {
        files.push((path.clone(), text.clone().into_bytes()));
    }
    program::write(&files, &session.files(), None)?;
    match &formatted {
        Some(text) if !to_file && args.format == TestFormat::Json => terminal.print_json(text)?,
        Some(text) if !to_file => terminal.print(text)?,
        _ => {
            let cycles = built.whole.target.cycle_name();
            let all = report.outcomes.iter();
            let text: String = all.map(|o| output::line(o, sources, cycles)).collect();
            terminal.print(&format!("{text}{said}{}", output::summary(&report)))?;
        }
    }
    match report.counts() {
        (_, 0) => Ok(()),
        _ => Err(Failure::Findings),
    }
}

/// Whether a file of coverage is for tools.
fn is_lcov(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str());
    matches!(extension, Some("info" | "lcov"))
}

/// The program of the command line as other commands have it.
fn program_args(args: &TestArgs) -> ProgramArgs {
    ProgramArgs {
        program: args.program.clone(),
        source: args.source.clone(),
        warnings: args.warnings.clone(),
        ..ProgramArgs::default()
    }
}

/// The tests whose names have the text that is looked for.
fn chosen(found: Vec<Test>, args: &TestArgs, program: &str) -> Result<Vec<Test>, Failure> {
    if found.is_empty() {
        return Err(Failure::Failed(format!(
            "{program} has no tests; `scrimp help test` tells how they are written"
        )));
    }
    let Some(filter) = &args.filter else {
        return Ok(found);
    };
    let wanted = filter.to_lowercase();
    let names: Vec<String> = found.iter().map(|t| t.name.clone()).collect();
    let all = found.into_iter();
    let chosen: Vec<Test> = all
        .filter(|t| t.name.to_lowercase().contains(&wanted))
        .collect();
    match chosen.is_empty() {
        false => Ok(chosen),
        true => Err(Failure::Failed(format!(
            "no test of {program} has {filter:?} in its name; there are: {}",
            names.join(", ")
        ))),
    }
}

/// Writes snapshots that were accepted, or that are new, and takes away what is stale.
fn keep(report: &Report) -> Result<(), Failure> {
    program::write(&report.files, &[], None)?;
    for path in &report.stale {
        disk::remove(path)?;
    }
    Ok(())
}
