//! What a test may lack: other programs, corpora, ROMs that are not ours to ship.
//!
//! A test that lacks something says so past the capture of its output, so a run shows
//! what it did not test. `SCRIMP_REQUIRED=avra,pasmo,…` names what must be there: a test
//! that lacks one of those fails. Corpora are named like their variable, without
//! `SCRIMP_`, in small letters: `gigatron_roms`.

// Not every binary needs all of them.
#![allow(dead_code)]

use std::io::Write as _;
use std::path::PathBuf;

/// Whether a program can be started.
fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|p| std::env::split_paths(&p).any(|d| d.join(program).is_file()))
}

/// Says that the running test does nothing, or fails where `what` must be there.
#[track_caller]
pub fn skip(what: &str, why: &str) {
    let required = std::env::var("SCRIMP_REQUIRED").unwrap_or_default();
    let named = required.split([',', ' ']).any(|r| r == what);
    assert!(!named, "{why}, and SCRIMP_REQUIRED names {what}");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not `eprintln!`: that is shown for failing tests only.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// Whether all these programs can be started.
#[track_caller]
pub fn have(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|p| !on_path(p));
    if let Some(missing) = missing {
        skip(missing, &format!("{missing} is not installed"));
    }
    missing.is_none()
}

/// The folder or file that a variable `SCRIMP_…` names.
#[track_caller]
pub fn named(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        let what = variable.trim_start_matches("SCRIMP_").to_lowercase();
        skip(&what, &format!("{variable} is not set"));
    }
    found
}
