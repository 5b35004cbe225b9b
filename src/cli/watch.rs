//! `--watch`: doing it again whenever a file changes that was read, or appears that was
//! looked for. Times and sizes of the files are compared a few times a second, which works
//! on every system and over a network.

use super::args::{MessageFormat, ProgramArgs};
use super::failure::Failure;
use super::program;
use super::terminal::Terminal;
use crate::disk::commit::Before;
use crate::session::front::{Files, Session};
use crate::session::manifest;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(200);
/// An editor that writes a file in steps has this long between them.
const SETTLE: Duration = Duration::from_millis(50);

/// Does something with a program whenever it has changed, until it is interrupted or
/// nobody reads the output any more.
pub fn watch(
    args: &ProgramArgs,
    terminal: &Terminal,
    mut work: impl FnMut(&mut Session) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if terminal.format() == MessageFormat::Sarif {
        let why = "--message-format sarif has one log at the end, and --watch has no end";
        return Err(Failure::Failed(why.into()));
    }
    let mut watched = Before::default();
    let mut first = true;
    loop {
        // What is not found now may be again.
        let mut all = Before::of(watched.paths());
        let described = Before::of(manifest_of(args).into_iter());
        all.add(described.clone());
        let done = match program::find_source(args, terminal) {
            Ok(mut program) => {
                files(&program)?.record();
                let done = work(&mut program);
                watched = files(&program)?.recorded();
                watched.add(described);
                done
            }
            Err(failure @ Failure::Failed(_)) if first => return Err(failure),
            Err(failure) => {
                watched = all;
                Err(failure)
            }
        };
        first = false;
        match done {
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(Failure::Failed(message)) => terminal.failure(&message),
            Ok(()) | Err(Failure::Findings | Failure::Budget) => {}
        }
        let number = watched.paths().filter(|p| p.is_file()).count();
        let s = if number == 1 { "" } else { "s" };
        terminal.remark(&format!("watching {number} file{s}; Ctrl-C ends"));
        let changed = wait(&watched);
        terminal.remark(&format!("{} changed", changed.display()));
    }
}

/// The path of the file that describes the program, which is read first.
fn manifest_of(args: &ProgramArgs) -> Option<PathBuf> {
    let path = Path::new(args.program.as_deref().unwrap_or(""));
    match path.file_name().is_some_and(|f| f == manifest::FILE) {
        true => Some(path.to_owned()),
        false if path.as_os_str().is_empty() || path.is_dir() => Some(path.join(manifest::FILE)),
        false => None,
    }
}

/// Where a program that can change is read from.
fn files(program: &Session) -> Result<&crate::disk::DiskLoader, Failure> {
    match &program.loader {
        Files::Disk(l) => Ok(l),
        Files::Piped(..) => Err("what comes through a pipe does not change; name a file to watch"),
        Files::Memory(_) | Files::Other(_) => {
            Err("a program that comes with scrimp does not change; name a file to watch")
        }
    }
    .map_err(|why| Failure::Failed(why.into()))
}

/// Waits until a file changes and is left alone, and says which.
fn wait(watched: &Before) -> PathBuf {
    loop {
        thread::sleep(PAUSE);
        if let Some(path) = watched.changed() {
            let path = path.to_owned();
            let mut now = Before::of(watched.paths());
            loop {
                thread::sleep(SETTLE);
                if now.changed().is_none() {
                    return path;
                }
                now = Before::of(watched.paths());
            }
        }
    }
}
