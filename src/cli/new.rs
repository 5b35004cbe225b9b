//! `scrimp new`: a folder with a program that runs, to begin with.

use super::args::NewArgs;
use super::failure::Failure;
use super::{program, terminal::Terminal};
use crate::disk::commit::Before;
use crate::session::{manifest, names};
use crate::targets;
use scrimp_isa::machine::Starter;
use scrimp_isa::{Machine, Target};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Makes a folder with a `program.toml`, a source that shows something, and what git
/// should leave alone. Where anything is already, nothing is written.
pub fn new(args: &NewArgs, terminal: &Terminal) -> Result<(), Failure> {
    let folder = Path::new(&args.folder);
    let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or("");
    if let Some(why) = names::name_fault(name) {
        return Err(Failure::Failed(format!(
            "cannot make {}: {why}",
            args.folder
        )));
    }
    let (target, machine) = chosen(args)?;
    let starter = machine.starter().ok_or_else(|| {
        let usual = target.usual_machine().map_or("", Machine::name);
        format!(
            "there is no program to begin with for {}; one for {usual} (--machine {usual}) \
             shows what a program needs",
            machine.title()
        )
    })?;
    let source = format!("{name}.asm");
    let files = [
        (
            manifest::FILE,
            described(name, &source, target, machine, &starter),
        ),
        (&*source, starter.source),
        (".gitignore", "/build/\n".to_owned()),
    ];
    let files: Vec<_> = files
        .into_iter()
        .map(|(file, text)| (folder.join(file), text.into_bytes()))
        .collect();
    let before = Before::of(files.iter().map(|f| f.0.clone()));
    refuse_used(folder)?;
    program::write(&files, &[], Some(&before))?;
    let shown = folder.display();
    let mut out = String::new();
    for (path, _) in &files {
        let _ = writeln!(out, "made {}", path.display());
    }
    let shown = match shown.to_string() {
        s if s.contains(' ') => format!("\"{s}\""),
        s => s,
    };
    let _ = writeln!(
        out,
        "scrimp play {shown} runs it, scrimp build {shown} --watch builds it when it changes"
    );
    terminal.print(&out)
}

/// Target and machine of the command line.
fn chosen(args: &NewArgs) -> Result<(&'static dyn Target, &'static dyn Machine), Failure> {
    if let Some(name) = &args.machine {
        return Ok(names::machine_anywhere(args.target.as_deref(), name)?);
    }
    let Some(name) = &args.target else {
        let of = |t: &&'static dyn Target| {
            let machine = t.usual_machine().map_or("", Machine::name);
            format!("--target {} ({machine})", t.name())
        };
        let all: Vec<_> = targets::all().iter().map(of).collect();
        return Err(Failure::Failed(format!(
            "which machine is it for? {}; or --machine NAME, which `scrimp targets` lists",
            all.join(", ")
        )));
    };
    let target = names::find_target(name)?;
    let machine = target.usual_machine();
    let machine = machine.ok_or_else(|| format!("{name} has no machine to begin with"))?;
    Ok((target, machine))
}

/// Refuses what is there, but an empty folder.
fn refuse_used(folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    match fs::symlink_metadata(folder) {
        Ok(meta) if meta.is_dir() => {
            let mut inside =
                fs::read_dir(folder).map_err(|e| format!("cannot read {shown}: {e}"))?;
            match inside.next() {
                None => Ok(()),
                Some(_) => Err(Failure::Failed(format!(
                    "{shown} is there already and not empty; nothing was written"
                ))),
            }
        }
        Ok(_) => Err(Failure::Failed(format!(
            "{shown} is there already; nothing was written"
        ))),
        Err(_) => Ok(()),
    }
}

/// The `program.toml`.
fn described(
    name: &str,
    source: &str,
    target: &dyn Target,
    machine: &dyn Machine,
    starter: &Starter,
) -> String {
    let first = machine.containers().first();
    let format = first.map_or_else(|| target.usual_format(), |c| c.name);
    let mut out = format!(
        "# `scrimp help program-toml` tells what can stand here.\n\
         name = \"{name}\"\n\
         target = \"{}\"\n\
         machine = \"{}\"\n\
         main = \"{source}\"\n\
         emit = [\"{format}\", \"lst\"]     # written into build/\n",
        target.name(),
        machine.name(),
    );
    if !starter.board.is_empty() {
        let _ = write!(
            out,
            "\n# What hangs on its pins.\n[board]\n{}",
            starter.board
        );
    }
    let _ = write!(
        out,
        "\n# Bytes. With more than that nothing is built, and scrimp says who has them.\n\
         [budget]\ntotal = {}\n",
        starter.budget
    );
    out
}
