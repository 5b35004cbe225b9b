//! `scrimp size`: which section and routine uses how many bytes, and what changed.

use super::args::SizeArgs;
use super::failure::Failure;
use super::{check, job, program, terminal::Terminal};
use crate::report::diff::Changes;
use crate::report::uses::Uses;
use crate::report::{Sizes, grid, json, markdown, pages, text};
use crate::session::front::Session;
use std::fmt::Write;
use std::path::Path;

/// Prints the sizes of a program.
pub fn size(args: &SizeArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut program = program::find_source(&args.program, terminal)?;
    let built = job::build(&mut program, terminal)?;
    if args.uses {
        let uses = Uses::of(built.image(), program.target);
        return match args.json {
            true => terminal.print_json(&format!("{:#}\n", serde_json::json!(uses))),
            false => terminal.print(&uses.text(built.sizes())),
        };
    }
    let before = match &args.against {
        Some(what) => Some(earlier(what, args, &program, terminal)?),
        None => None,
    };
    let budgets = built.measured(before.as_ref(), terminal)?;
    let changes = before.as_ref().map(|b| Changes::between(b, built.sizes()));
    if args.json {
        return terminal.print_json(&json::report(built.sizes(), &budgets, changes.as_ref()));
    }
    if args.markdown {
        let mut out = markdown::markdown(built.sizes(), changes.as_ref());
        out.push_str(&markdown::budgets(&budgets));
        return terminal.print(&out);
    }
    let mut out = text::text(built.sizes(), changes.as_ref());
    let used = pages::text(built.image(), program.target.operands());
    if !used.is_empty() {
        let _ = write!(out, "\n{used}");
    }
    if let Some(g) = program.target.grid() {
        let map = grid::text(built.image(), g.base, g.pages, g.columns);
        if !map.is_empty() {
            let _ = write!(out, "\n{map}");
        }
    }
    for c in &budgets {
        let _ = match c.holds() {
            true => writeln!(out, "{}", check::line(c)),
            false => writeln!(out, "budget {}: {} bytes over", c.name, c.over),
        };
    }
    terminal.print(&out)
}

/// The sizes in a file of `size --json`, or of the program at a revision.
fn earlier(
    what: &str,
    args: &SizeArgs,
    program: &Session,
    terminal: &Terminal,
) -> Result<Sizes, Failure> {
    if Path::new(what).is_file() {
        let bytes = program::read(Path::new(what), crate::text::source::MAX_FILE)?;
        let text = String::from_utf8(bytes).map_err(|_| format!("{what} is no text"))?;
        return Sizes::from_json(&text).map_err(|e| Failure::Failed(format!("{what}: {e}")));
    }
    let mut there = program::at_revision(program, what, &args.program, terminal)?;
    Ok(job::build(&mut there, terminal)?.sizes().clone())
}
