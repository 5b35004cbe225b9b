//! Windows of a program, for the search for rules: some instructions that control goes
//! through one after the other, with what nobody reads behind them.

use super::flow::{Flow, Kept, Node, Placed, Shape};
use super::options::Options;
use super::passes::peephole::alike;
use super::{book_of, contract, fit, open_labels, said};
use crate::program::Program;
use crate::program::symbol::ExprId;
use scrimp_isa::depend::Inputs;
use scrimp_isa::rules::search::{Window, spell};
use scrimp_isa::state::{Holds, Layout};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Instructions of a window.
pub const SIZES: std::ops::RangeInclusive<usize> = 1..=4;

/// All windows of a program, each once, with how often it stands there; nothing where the
/// program is none that the optimizer takes.
///
/// # Errors
/// Why it takes none of it.
pub fn harvest(program: &Program<'_>) -> Result<Vec<Window>, &'static str> {
    let semantics = fit(program)?;
    let mut start = program.clone();
    start.forget_known();
    let placed = Placed::of(&start);
    if placed.errors > 0 {
        return Err("the program has errors");
    }
    let book = book_of(&*semantics, &start, &placed);
    let (contracts, findings) = said(&mut start, &placed, &book, (&Options::default(), None));
    let contracts = match findings.is_empty() {
        true => contracts,
        false => contract::Contracts::default(),
    };
    let contracts = Rc::new(contracts);
    let (open, known) = open_labels(&start, &placed, &book, &contracts);
    let kept = Kept {
        open: Some(open),
        known: Some(known),
        contracts,
        ..Kept::default()
    };
    let flow = Flow::new(&start, &placed, &book, &kept);
    let mut found: BTreeMap<(Vec<String>, Vec<String>), u64> = BTreeMap::new();
    for n in 0..flow.nodes.list.len() as u32 {
        let nodes: Vec<u32> = flow.straight(n).take(*SIZES.end()).collect();
        for size in SIZES.take_while(|&s| s <= nodes.len()) {
            if let Some(window) = window(&flow, &nodes[..size]) {
                *found.entry(window).or_default() += 1;
            }
        }
    }
    let target = program.target.name().to_owned();
    let window = |((from, dead), count)| Window {
        target: target.clone(),
        from,
        dead,
        count,
    };
    Ok(found.into_iter().map(window).collect())
}

/// The texts of some nodes, and what is dead behind them; nothing where they are no window.
fn window(flow: &Flow<'_, '_>, nodes: &[u32]) -> Option<(Vec<String>, Vec<String>)> {
    let mut labels = Vec::new();
    let mut from = Vec::new();
    for &n in nodes {
        let node = flow.node(n);
        let e = &node.facts.as_ref()?.effects;
        if e.branches || e.controls {
            return None;
        }
        from.push(text(flow, node, &mut labels)?);
    }
    let live = flow.live.after[*nodes.last()? as usize];
    Some((from, dead(flow.book.semantics.layout(), live)))
}

/// An instruction in the words of rules, with variables for what is no plain number.
fn text(flow: &Flow<'_, '_>, node: &Node, labels: &mut Vec<ExprId>) -> Option<String> {
    let target = flow.program.target;
    let form = target.forms().get(usize::from(node.form))?;
    let mut names: Vec<(u8, String)> = Vec::new();
    for o in &node.operands {
        let Some(e) = o.expr.filter(|_| o.shape != Shape::Number) else {
            continue;
        };
        let at = labels.iter().position(|&l| alike(flow.program, l, e));
        let at = at.unwrap_or_else(|| {
            labels.push(e);
            labels.len() - 1
        });
        let half = if o.width > 8 { "" } else { ".l" };
        names.push((o.class, format!("$v{at}{half}")));
    }
    let given = |class: u8| {
        let own = names.iter().find(|n| n.0 == class);
        own.map(|n| n.1.clone())
    };
    spell(target, form, node.code(), &given)
}

/// The names of what is not live: cells, or their flags one by one.
fn dead(layout: &Layout, live: Inputs) -> Vec<String> {
    let mut out = Vec::new();
    for (number, cell) in (0..).zip(layout.cells) {
        if layout.quiet.contains(&number) || layout.stack.contains(&number) {
            continue;
        }
        match cell.holds {
            Holds::Byte if !live.has(number) => out.push(cell.name.to_owned()),
            Holds::Flags(first, names) => {
                let free = |b: &u8| !live.has(first + b);
                let all: Vec<u8> = (0..names.len() as u8).filter(free).collect();
                match all.len() == names.len() {
                    true => out.push(cell.name.to_owned()),
                    false => out.extend(all.iter().map(|b| layout.name(first + b))),
                }
            }
            _ => {}
        }
    }
    out
}
