//! What is found by building more than once: the contracts that would save most, and the
//! fewest changes with which all budgets hold.

use super::failure::Failure;
use super::terminal::Terminal;
use crate::optimize::contract::Written;
use crate::optimize::ledger::Advice;
use crate::optimize::{Ledger, Options};
use crate::session::build::Build;
use crate::session::front::Session;
use crate::session::search;

/// Tries contracts: each time the one for what most bytes are left for, with those that were
/// tried before; what each saved. Those of no use are left out.
pub fn advise(program: &mut Session, first: &Build, most: usize) -> Vec<Advice> {
    let (Some(first), Some(options)) = (&first.ledger, program.optimize.clone()) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut tried: Vec<(String, String)> = Vec::new();
    let mut kept: Vec<Written> = Vec::new();
    let mut ledger = first.clone();
    while tried.len() < most {
        let Some(next) = candidate(&ledger, &tried) else {
            break;
        };
        tried.push(next.clone());
        let mut all = kept.clone();
        all.push(Written {
            subject: next.0.clone(),
            text: next.1.clone(),
            start: 0,
        });
        let mut with = options.clone();
        with.contracts.list.extend(all.iter().cloned());
        program.optimize = Some(with);
        let build = program.assemble();
        let Some(now) = build
            .ledger
            .filter(|l| l.broken.is_empty() && l.given_up.is_empty())
        else {
            continue;
        };
        if build.findings.iter().any(|d| d.code.starts_with('E')) {
            continue;
        }
        out.push(Advice {
            subject: next.0,
            clause: next.1,
            saves: now.saved() - ledger.saved(),
        });
        (kept, ledger) = (all, now);
    }
    program.optimize = Some(options);
    // What was only needed for a later one stays; what is behind the last gain does not.
    let last = out.iter().rposition(|a| a.saves > 0);
    out.truncate(last.map_or(0, |l| l + 1));
    out
}

/// Looks for a better way through the optimizer, which the session then goes, and says what
/// that brought.
pub fn search(program: &mut Session, tries: u32, terminal: &Terminal) {
    let Some(found) = search::search(program, tries) else {
        return;
    };
    let (usual, best) = (found.usual, found.best);
    terminal.say(&format!(
        "search: {tries} other ways; {usual} bytes smaller in the usual way, {best} in the best\n"
    ));
}

/// The contract for what most bytes are left for.
fn candidate(ledger: &Ledger, tried: &[(String, String)]) -> Option<(String, String)> {
    let left = ledger.left.iter();
    let open = left.filter_map(|l| Some((l.bytes, l.contract.clone()?)));
    let open = open.filter(|c| !tried.contains(&c.1));
    open.max_by_key(|c| c.0).map(|c| c.1)
}

/// The options with which only the first changes are made, as many as all budgets need: the
/// number is found by halves. All changes where they do not suffice.
///
/// # Errors
/// A budget that names nothing.
pub fn until_budget(program: &mut Session) -> Result<Option<Options>, Failure> {
    let Some(options) = program.optimize.clone() else {
        return Ok(None);
    };
    let with = |most| Options {
        most,
        ..options.clone()
    };
    let mut holds = |most: Option<usize>| -> Option<(bool, usize)> {
        program.optimize = Some(with(most));
        let build = program.assemble();
        build.image()?;
        let checks = build.budgets(None).ok()?;
        let changes = build.ledger.as_ref().map_or(0, |l| l.changes);
        Some((checks.iter().all(|c| c.holds()), changes))
    };
    let (Some((true, all)), Some((none, _))) = (holds(None), holds(Some(0))) else {
        // It is said by the build itself what is wrong.
        return Ok(Some(options));
    };
    if none {
        return Ok(Some(with(Some(0))));
    }
    let (mut low, mut high) = (0, all);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match holds(Some(middle)) {
            Some((true, _)) => high = middle,
            _ => low = middle,
        }
    }
    Ok(Some(with(Some(high))))
}
