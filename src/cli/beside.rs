//! `--run-both`: the program before and behind the optimizer, run beside each other.

use super::failure::Failure;
use super::job::Built;
use crate::check::beside::{self, Runs};
use crate::diagnostic::text::thousands;
use crate::image::Image;
use crate::optimize::{Ledger, Options};
use crate::session::front::Session;

/// Runs, each with other answers from outside.
const WORLDS: u32 = 3;

/// Runs both, so many instructions of the program before, and says what that showed.
///
/// # Errors
/// They do not do the same: what differs, and the first change with which it does.
pub fn run_both(program: &mut Session, built: &Built, steps: u64) -> Result<String, Failure> {
    let options = program.optimize.take();
    let old = program.assemble();
    let told = both(program, built, &old.image().cloned(), (&options, steps));
    program.optimize = options;
    told
}

fn both(
    program: &mut Session,
    built: &Built,
    old: &Option<Image>,
    (options, steps): (&Option<Options>, u64),
) -> Result<String, Failure> {
    let (Some(old), Some(options)) = (old, options) else {
        return Err(Failure::Failed("the program has errors without -O".into()));
    };
    let on = (built.whole.target, built.whole.machine);
    let runs = Runs {
        steps,
        worlds: WORLDS,
    };
    let compare = |new: &Image| beside::compare(on, (old, new), None, runs);
    match compare(built.image()) {
        Ok(alike) if alike.events == 0 => Ok(format!(
            "run beside each other: in {} instructions nothing is written, so nothing was compared",
            thousands(alike.steps)
        )),
        Ok(alike) => Ok(format!(
            "run beside each other: {} instructions that write {}, the same in both",
            thousands(alike.steps),
            times(alike.events)
        )),
        Err(differs) => {
            let mut bad = |most| {
                program.optimize = Some(Options {
                    most: Some(most),
                    ..options.clone()
                });
                let build = program.assemble();
                let wrong = compare(build.image()?).is_err();
                Some((wrong, build.ledger?))
            };
            let changes = built.ledger.as_ref().map_or(0, |l| l.changes);
            let first = first_bad(changes, &mut bad).unwrap_or_default();
            Err(Failure::Failed(format!(
                "run beside each other they do not do the same: {differs}{first}"
            )))
        }
    }
}

fn times(n: u64) -> String {
    match n {
        1 => "once".to_owned(),
        _ => format!("{} times", thousands(n)),
    }
}

/// The change with which it begins, found by halves.
fn first_bad(
    changes: usize,
    bad: &mut dyn FnMut(usize) -> Option<(bool, Ledger)>,
) -> Option<String> {
    let (mut low, mut high) = (0, changes);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match bad(middle)?.0 {
            true => high = middle,
            false => low = middle,
        }
    }
    let (wrong, ledger) = bad(high)?;
    let record = ledger.records.last().filter(|_| wrong)?;
    let place = record.places.first().map_or("", String::as_str);
    let (pass, rule) = (record.pass, &record.rule);
    Some(format!(
        "; from change {high} on, {place}: {pass}: {rule} (--most-changes {})",
        high - 1
    ))
}
