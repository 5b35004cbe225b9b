//! Values: instructions whose results nobody looks at, or that change nothing since it is so
//! already, and rules that rest on what is known of registers and flags.

use super::peephole::try_rule;
use super::saved;
use crate::optimize::flow::{Flow, Node, ValueMap, find_values};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use scrimp_isa::depend::Inputs;
use scrimp_isa::state::Location;

/// Results that nobody looks at.
pub const UNUSED: Step = Step {
    name: "unused",
    about: "instructions whose results nobody looks at",
    walked: false,
    find: unused,
};

/// What is so already.
pub const KNOWN: Step = Step {
    name: "known",
    about: "instructions for what is so already, and rules that rest on known values",
    walked: false,
    find: known,
};

/// Whether an instruction only makes values: it touches nothing but registers.
fn only_computes(flow: &Flow<'_, '_>, node: &Node) -> bool {
    let stack = flow.book.stack();
    node.facts.as_ref().is_some_and(|f| {
        let e = &f.effects;
        let acts = e.writes_memory || e.input || e.output || e.controls || e.branches;
        let own = || !f.reads.is_empty() && f.reads.iter().all(|&a| flow.is_memory(a));
        let reads = e.reads_memory && (f.is_indirect() || !own());
        !(acts || reads || e.reads_program) && e.writes.0 & stack.0 == 0
    })
}

fn quiet(flow: &Flow<'_, '_>) -> Inputs {
    let layout = flow.book.semantics.layout();
    layout.of_cells(layout.quiet)
}

fn unused(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let quiet = quiet(flow);
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        if !node.is_free() || !only_computes(flow, node) {
            continue;
        }
        let Some(f) = &node.facts else { continue };
        let written = f.effects.writes.without(quiet);
        // What does nothing at all is there for its time.
        if written.is_empty() || written.0 & flow.live.after[n as usize].0 != 0 {
            continue;
        }
        let edits = vec![edit(node.at, 1, Vec::new())];
        let mut p = Proposal::new("result not used", edits, node.size.into(), "liveness");
        p.time = Some((-i64::from(f.times.0), -i64::from(f.times.1)));
        p.facts
            .push(format!("{} not read behind it", names(flow, written)));
        draft.proposals.push(p);
    }
    saved::find(flow, &mut draft);
    draft
}

fn names(flow: &Flow<'_, '_>, all: Inputs) -> String {
    let layout = flow.book.semantics.layout();
    let list: Vec<String> = all.iter().map(|l| layout.name(l)).collect();
    list.join(" ")
}

fn known(flow: &Flow<'_, '_>) -> Draft {
    let values = find_values(&flow.nodes, &flow.routines, flow.book, flow.kept);
    let mut draft = Draft::new(flow);
    let mut later: Vec<(Inputs, Proposal)> = Vec::new();
    for n in 0..flow.nodes.list.len() as u32 {
        match already(flow, &values, n) {
            Some((p, besides)) if besides.is_empty() => draft.proposals.push(p),
            Some((p, besides)) => later.push((besides, p)),
            None => {}
        }
    }
    let rules = flow.book.rules(flow.program.target);
    let layout = flow.book.semantics.layout();
    for n in 0..flow.nodes.list.len() as u32 {
        if !flow.node(n).is_free() {
            continue;
        }
        for rule in rules.beginning(flow.node(n).bytes[0]) {
            let odd = rule.rule.plain || rule.rule.turned.is_some();
            if rule.saves <= 0 || odd || rule.rule.assumed.is_empty() {
                continue;
            }
            let mut assumed = Inputs::NONE;
            let mut fact = |place: &str, wanted: &str| {
                let l = layout.find(place)?;
                assumed = assumed.and(Inputs::one(l.number));
                let is = value(&values, n, l)?;
                let number: u8 = match wanted.parse() {
                    Ok(v) => v,
                    Err(_) => {
                        let other = layout.find(wanted)?;
                        assumed = assumed.and(Inputs::one(other.number));
                        value(&values, n, other)?
                    }
                };
                (is == number).then(|| format!("{place} is {number}"))
            };
            if let Some(p) = try_rule(flow, &mut draft, rule, n, &mut fact) {
                match rule.dead.is_empty() {
                    true => draft.proposals.push(p),
                    false => later.push((assumed.and(rule.dead), p)),
                }
                break;
            }
        }
    }
    // What one changes, since nobody reads it, another may rest on: those wait.
    if draft.proposals.is_empty() {
        draft
            .proposals
            .extend(later.into_iter().next().map(|l| l.1));
    }
    draft
}

/// The value of a location before a node, if all of it is known.
fn value(values: &ValueMap, n: u32, l: Location) -> Option<u8> {
    let cell = values.of(n, l.cell);
    match l.bit {
        None => cell.exact(),
        Some(bit) => cell.bit(bit).map(u8::from),
    }
}

/// An instruction behind which everything that is live is what it was before, and what it changes
/// besides.
fn already(flow: &Flow<'_, '_>, values: &ValueMap, n: u32) -> Option<(Proposal, Inputs)> {
    let node = flow.node(n);
    if !node.is_free() || !only_computes(flow, node) {
        return None;
    }
    let f = node.facts.as_ref()?;
    let written = f.effects.writes.without(quiet(flow));
    let matter = Inputs(written.0 & flow.live.after[n as usize].0);
    if matter.is_empty() {
        return None;
    }
    let after = values.behind(flow.book, node, n)?;
    let layout = flow.book.semantics.layout();
    let mut facts = Vec::new();
    for l in layout.locations().iter().filter(|l| matter.has(l.number)) {
        let now = value(values, n, *l)?;
        let cell = after[usize::from(l.cell)];
        let then = match l.bit {
            None => cell.exact(),
            Some(bit) => cell.bit(bit).map(u8::from),
        };
        if then != Some(now) {
            return None;
        }
        facts.push(format!("{} is {now} already", layout.name(l.number)));
    }
    let edits = vec![edit(node.at, 1, Vec::new())];
    let mut p = Proposal::new("so already", edits, node.size.into(), "known bits");
    p.time = Some((-i64::from(f.times.0), -i64::from(f.times.1)));
    p.facts = facts;
    // What it changes besides may be what another change rests on.
    Some((p, written.without(matter)))
}
