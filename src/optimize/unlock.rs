//! What would let code change that was left as it is: the contract, if there is one that
//! could be so.

use super::flow::{Flow, Kind, Node, Reason, Shape, calls, goal};
use crate::program::eval::Op;
use scrimp_isa::effects::Way;

/// Most bytes behind a call that are looked at.
const FAR: u64 = 256;

/// What a contract would be about, and its clause.
pub type Suggestion = (String, String);

/// The contract that could unlock what stays for a reason; `n` is the cause, or the first
/// node that stays.
pub fn suggestion(flow: &Flow<'_, '_>, reason: Reason, n: u32) -> Option<Suggestion> {
    match reason {
        Reason::Numbered | Reason::Fixed => number(flow, n),
        Reason::Read => extent(flow, n),
        Reason::Inline => inline(flow, n),
        _ => None,
    }
}

/// `FILE:LINE: number`, where an instruction has a plain number that may be no address;
/// `numbers` where there are more of them.
fn number(flow: &Flow<'_, '_>, n: u32) -> Option<Suggestion> {
    if !has_number(flow, n) {
        return None;
    }
    let all = 0..flow.nodes.list.len() as u32;
    if all.filter(|&m| has_number(flow, m)).nth(1).is_some() {
        return Some(("program".to_owned(), "numbers".to_owned()));
    }
    let place = flow.place(n);
    let (line, _) = place.rsplit_once(':')?;
    Some((line.to_owned(), "number".to_owned()))
}

/// Whether a node has a number that is an address of the program, and touches nothing there.
fn has_number(flow: &Flow<'_, '_>, n: u32) -> bool {
    let node = flow.node(n);
    let Some(facts) = node.facts.as_ref().filter(|_| node.ways.way.is_none()) else {
        return false;
    };
    let ops = |e: crate::program::symbol::ExprId| {
        &flow.program.ops[e.start as usize..(e.start + e.len) as usize]
    };
    let mut own = node.operands.iter();
    own.any(|o| {
        let address = (o.value & 0xffff) as u32;
        let touched = facts.reads.contains(&address) || facts.writes.contains(&address);
        let held = flow.nodes.holding(u64::from(address)).is_some();
        // What was found to be an address stands for its place.
        let related = o.expr.is_some_and(|e| matches!(ops(e), [Op::Place(_)]));
        (o.shape == Shape::Number || related) && o.width >= 16 && held && !touched
    })
}

/// `LABEL: extent NEXT`, or `jumptable`.
fn extent(flow: &Flow<'_, '_>, n: u32) -> Option<Suggestion> {
    let name = |n: u32| {
        let id = flow.label(n)?;
        Some(flow.program.symbols.get(id).name.to_string())
    };
    let own = name(n)?;
    let first = flow.node(n);
    let chunk = first.at.chunk;
    let jump = |x: &Node| {
        let goes = x.ways.way == Some(Way::Jump) && !x.ways.falls_through && x.to.is_some();
        goes && x.size == first.size
    };
    let list = &flow.nodes.list[n as usize..];
    let jumps = list.iter().take_while(|x| jump(x)).count();
    if jumps > 1 {
        return Some((own, "jumptable".to_owned()));
    }
    let behind =
        |m: &u32| flow.node(*m).address > first.address && !flow.node(*m).labels.is_empty();
    let all = n + 1..flow.nodes.list.len() as u32;
    let next = all
        .take_while(|&m| flow.node(m).at.chunk == chunk)
        .find(behind)?;
    Some((own, format!("extent {}", name(next)?)))
}

/// `ROUTINE: inline …`, where all its calls have as many bytes behind them, or all end alike.
fn inline(flow: &Flow<'_, '_>, n: u32) -> Option<Suggestion> {
    let address = goal(flow.book, &flow.node(n).ways)?;
    let subject = match flow.nodes.at(address) {
        Some(to) => flow.program.symbols.get(flow.label(to)?).name.to_string(),
        None => format!("${:04x}", address / flow.book.semantics.unit()),
    };
    let mut found: Vec<Vec<u8>> = Vec::new();
    for call in flow.nodes.list.iter().filter(|c| calls(c)) {
        if goal(flow.book, &call.ways) != Some(address) {
            continue;
        }
        let chunk = call.at.chunk;
        let base = flow.placed.layout.base[chunk as usize];
        let mut at = call.address + u64::from(call.size);
        let start = at;
        while at - start < FAR {
            match flow.nodes.at(at).map(|n| flow.node(n)) {
                Some(x) if x.kind != Kind::Code && x.at.chunk == chunk => at += u64::from(x.size),
                _ => break,
            }
        }
        let own = &flow.placed.bytes[chunk as usize];
        found.push(own[(start - base) as usize..(at - base) as usize].to_vec());
    }
    let first = found.first()?;
    let (len, last) = (first.len(), *first.last()?);
    if found.iter().all(|f| f.len() == len) {
        return Some((subject, format!("inline {len}")));
    }
    let ends = |f: &Vec<u8>| f.iter().position(|b| *b == last) == f.len().checked_sub(1);
    let same = found.iter().all(ends);
    same.then(|| (subject, format!("inline until {last}")))
}
