//! `scrimp check`: assembles and checks budgets and promises, writing nothing.

use super::Failure;
use super::args::CheckArgs;
use super::{job, program, terminal::Terminal};
use crate::report::{thousands, time};
use std::fmt::Write;

/// Checks a program.
pub fn check(args: &CheckArgs, terminal: &Terminal) -> Result<(), Failure> {
    let program = program::find_source(&args.program, terminal)?;
    let built = job::build(&program, terminal)?;
    let before = job::remembered(&program.output_folder(), &program);
    built.keep_budgets(before.as_ref(), terminal)?;
    let mut out = format!(
        "{}: {} bytes\n",
        program.name,
        thousands(built.sizes().total)
    );
    for c in built.budgets(before.as_ref(), terminal)? {
        let _ = writeln!(out, "{}", line(&c));
    }
    let proven = built.image.proven;
    if proven > 0 {
        let what = if proven == 1 { "stretch" } else { "stretches" };
        let _ = writeln!(out, "clocks: {proven} {what} proven on every path");
    }
    out.push_str(&time::text(&built.image, program.target.cycle_name()));
    terminal.print(&out)
}

/// A budget that holds, on one line.
pub fn line(c: &crate::report::budget::Check) -> String {
    format!(
        "budget {}: {} of {} bytes, {} free",
        c.name,
        thousands(c.used),
        thousands(c.limit),
        thousands(c.free)
    )
}
