//! `scrimp check`: assembles and checks budgets and promises, writing nothing.

use super::args::CheckArgs;
use super::failure::Failure;
use super::job::Built;
use super::{job, program, terminal::Terminal, watch};
use crate::diagnostic::text::thousands;
use crate::image::origin;
use crate::prove::Statements;
use crate::report::budget::Check;
use crate::report::time;
use crate::session::front::Session;
use crate::session::memory;
use serde_json::json;
use std::fmt::Write;

/// Number of the layout of `--json`.
const SCHEMA: u32 = 1;

/// Checks a program, once or whenever it changes.
pub fn check(args: &CheckArgs, terminal: &Terminal) -> Result<(), Failure> {
    if args.watch {
        return watch::watch(&args.program, terminal, |p| once(args, p, terminal));
    }
    let mut program = program::find_source(&args.program, terminal)?;
    once(args, &mut program, terminal)
}

fn once(args: &CheckArgs, program: &mut Session, terminal: &Terminal) -> Result<(), Failure> {
    program.whole_proof = true;
    let built = job::build(program, terminal)?;
    let before = memory::remembered(&program.output_folder(), program);
    built.keep_budgets(before.as_ref(), terminal)?;
    if args.json {
        let budgets = built.measured(before.as_ref(), terminal)?;
        return terminal.print_json(&format!("{:#}\n", described(program, &built, &budgets)));
    }
    let mut out = format!(
        "{}: {} bytes\n",
        program.name,
        thousands(built.sizes().total)
    );
    for c in built.measured(before.as_ref(), terminal)? {
        let _ = writeln!(out, "{}", line(&c));
    }
    let proven = built.image().proven;
    if proven > 0 {
        let what = if proven == 1 { "stretch" } else { "stretches" };
        let _ = writeln!(out, "clocks: {proven} {what} proven on every path");
    }
    out.push_str(&time::text(built.image(), program.target.cycle_name()));
    terminal.print(&out)
}

/// What was checked, as JSON.
fn described(program: &Session, built: &Built, budgets: &[Check]) -> serde_json::Value {
    let image = built.image();
    let statements = Statements::new(image);
    let place = |address: u64| {
        let span = statements.span_at(address);
        span.map(|s| origin::place(&built.sources, s))
    };
    let kinds = program.target.contracts();
    let contracts = image.contracts.iter().map(|c| {
        json!({
            "name": kinds.get(c.kind).map(|k| k.name),
            "address": c.address,
            "place": place(c.address),
            "values": c.values,
            "words": c.words,
        })
    });
    let blocks = image
        .blocks
        .iter()
        .map(|b| json!({ "address": b.address, "place": place(b.address), "clocks": b.clocks }));
    let clocks = image.clocks.iter().map(|&(address, least, most)| {
        json!({ "address": address, "place": place(address), "clock": [least, most] })
    });
    let budgets = budgets
        .iter()
        .map(|b| json!({ "name": b.name, "used": b.used, "limit": b.limit, "free": b.free }));
    json!({
        "schema": SCHEMA,
        "program": program.name,
        "size": built.sizes().total,
        "budgets": budgets.collect::<Vec<_>>(),
        "proven": image.proven,
        "contracts": contracts.collect::<Vec<_>>(),
        "blocks": blocks.collect::<Vec<_>>(),
        "clocks": clocks.collect::<Vec<_>>(),
    })
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
