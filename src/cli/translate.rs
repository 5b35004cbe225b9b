//! `scrimp translate`: a program in another assembler's language.

use super::args::{ProgramArgs, SourceArgs, TranslateArgs};
use super::failure::Failure;
use super::{program, terminal::Terminal};
use crate::dialect;
use crate::disk::commit::Before;
use crate::session::names::unknown;
use crate::translate;
use std::path::{Component, Path, PathBuf};

/// Writes a program in another dialect: its files below a folder, or a single one to
/// standard output.
pub fn translate(args: &TranslateArgs, terminal: &Terminal) -> Result<(), Failure> {
    let Some(to) = dialect::by_name(&args.to) else {
        return Err(unknown("dialect", &args.to, dialect::names().into_iter()).into());
    };
    let asked = ProgramArgs {
        program: Some(args.program.clone()),
        source: SourceArgs {
            target: args.target.clone(),
            machine: args.machine.clone(),
            dialect: args.from.clone(),
            define: args.define.clone(),
            include: args.include.clone(),
            allow_read: args.allow_read.clone(),
            option: Vec::new(),
        },
        ..ProgramArgs::default()
    };
    let source = program::find_source(&asked, terminal)?;
    if !source.linking.files.is_empty() {
        let why = "a program of several linked files is not translated";
        return Err(Failure::Failed(why.into()));
    }
    let made = translate::translate(&source, to).map_err(|r| terminal.refused(r))?;
    terminal.findings(&made.expanded, &made.sources);
    let count = made.expanded.len();
    if count > 0 {
        let s = if made.statements == 1 { "" } else { "s" };
        terminal.say(&format!(
            "{count} of {} statement{s} written as what they come to\n",
            made.statements
        ));
    }
    let Some(folder) = &args.output else {
        return match (&made.files[..], &made.others[..]) {
            ([(_, text)], []) => terminal.print(&String::from_utf8_lossy(text)),
            _ => {
                let n = made.files.len() + made.others.len();
                let why = format!("the program has {n} files: -o DIR says where to write them");
                Err(Failure::Failed(why))
            }
        };
    };
    let all: Vec<_> = made.files.into_iter().chain(made.others).collect();
    let names: Vec<&str> = all.iter().map(|f| f.0.as_str()).collect();
    let above = common(&names);
    let mut files = Vec::new();
    for (name, bytes) in &all {
        let below = Path::new(name)
            .strip_prefix(&above)
            .unwrap_or(Path::new(name));
        let plain = below
            .components()
            .all(|c| matches!(c, Component::Normal(_)));
        if !plain {
            let why = format!("{name} lies outside of the program's folder");
            return Err(Failure::Failed(why));
        }
        files.push((folder.join(below), bytes.clone()));
    }
    let before = Before::of(files.iter().map(|f| f.0.clone()));
    program::write(&files, &source.files(), Some(&before))?;
    let mut out = String::new();
    for (path, _) in &files {
        out.push_str(&format!("made {}\n", path.display()));
    }
    terminal.print(&out)
}

/// The folder that all files lie in.
fn common(names: &[&str]) -> PathBuf {
    let mut folders = names
        .iter()
        .map(|n| Path::new(n).parent().unwrap_or(Path::new("")));
    let mut above = folders.next().unwrap_or(Path::new("")).to_owned();
    for folder in folders {
        while !folder.starts_with(&above) {
            above.pop();
        }
    }
    above
}
