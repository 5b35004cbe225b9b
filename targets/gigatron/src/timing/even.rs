//! Time in slices: what `slices`, `sync` and `stubs` come to.
//!
//! All paths of a block must take the same clocks, because the time left is counted
//! down by the block and not by the path. Where an arm of a branch is shorter, filler
//! makes it longer. Where AC is free, clocks are not burnt but given back: three words
//! add what they do not take themselves to the time left.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_isa::proof::{Block, Finding, Plan, Proof, Spot};

use super::blocks::{Graph, HEAD, Lost, LostPath, Next, Node, Way};
use super::filler::Planner;
use super::slices::{Lengths, Slices};
use super::words::{ADDA, BRA, JMP_Y, LD, LD_CELL, LD_Y, ST, broken, linear};
use super::{Clocks, clocked as clocked_at};
use crate::opcode::{OPERAND, Opcode};

/// Rounds in which lengths that depend on each other must settle.
const MOST_ROUNDS: usize = 64;
/// Words behind all stubs of a section that leave for the handler.
const LEAVE: u16 = 4;

/// Clocks from each state to the next block.
fn distances(graph: &Graph, lengths: &Lengths) -> Vec<i64> {
    let mut far = vec![0; graph.nodes.len()];
    for &n in &graph.order {
        let node = &graph.nodes[n as usize];
        let behind = node.after.iter().map(|next| distance(&far, next)).max();
        far[n as usize] = 1 + lengths.get(&node.way).unwrap_or(&0) + behind.unwrap_or(0);
    }
    far
}

fn distance(far: &[i64], next: &Next) -> i64 {
    match next {
        Next::State(n) => far[*n as usize],
        Next::Block(_) => 0,
    }
}

/// Lengthens the shorter arms of all branches; the error is a branch that cannot be
/// made even.
fn even(graph: &Graph, floor: &Lengths) -> Result<Lengths, u16> {
    let mut lengths = floor.clone();
    let mut at = 0;
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        let mut far = vec![0; graph.nodes.len()];
        for &n in &graph.order {
            let node = &graph.nodes[n as usize];
            let longest = node.after.iter().map(|next| distance(&far, next)).max();
            let longest = longest.unwrap_or(0);
            for next in &node.after {
                let Next::State(m) = *next else { continue };
                let less = longest - far[m as usize];
                if less == 0 {
                    continue;
                }
                let way = graph.nodes[m as usize].way;
                at = node.at.unwrap_or(at);
                if way == Way::Fixed {
                    return Err(at);
                }
                *lengths.entry(way).or_insert(0) += less;
                far[m as usize] = longest;
                changed = true;
            }
            far[n as usize] = 1 + lengths.get(&node.way).unwrap_or(&0) + longest;
        }
        if !changed {
            lengths.retain(|_, n| *n > 0);
            return Ok(lengths);
        }
    }
    Err(at)
}

/// What must be put into a program for its blocks to be even.
pub fn plan(rom: &[u16], slices: &Slices, spots: &BTreeMap<Spot, u32>) -> Plan {
    let mut plan = Plan::default();
    plan.findings.clone_from(&slices.wrong);
    if !plan.findings.is_empty() {
        return plan;
    }
    let mut told = BTreeSet::new();
    for (&sync, section) in &slices.sections {
        if !spots.contains_key(&Spot::Room(*section)) && told.insert(*section) {
            plan.findings.push(broken(
                sync,
                "there is no `stubs` in the section of this `sync`".to_owned(),
                "put `stubs` at the end of the section, behind an unconditional jump and its slot",
            ));
        }
    }
    let mut program = slices.program.clone();
    let mut graph = Graph::new(rom, &program);
    plan.findings.extend(graph.lost.iter().map(lost));
    plan.findings.extend(into_stubs(rom, &graph, slices));
    if !plan.findings.is_empty() {
        return plan;
    }
    // Where AC is known on some ways only, a branch may be even for one of them and not
    // for another. Then it is taken for open on all, which asks for a little more.
    let mut tries = [true, true, false].iter();
    loop {
        let at = match evenly(rom, slices, spots, &graph) {
            Ok(found) => return found,
            Err(at) => at,
        };
        if let Some(&strictly) = tries.next() {
            program.open.extend(graph.mixed(strictly));
            let other = Graph::new(rom, &program);
            if other.lost.is_empty() {
                graph = other;
                continue;
            }
        }
        plan.findings.push(uneven(at));
        return plan;
    }
}

/// Whether a word is a jump to right behind its slot.
fn leads_on(rom: &[u16], jump: u16) -> bool {
    let word = rom.get(usize::from(jump)).copied().unwrap_or(0);
    let opcode = Opcode(word as u8);
    opcode.is_jump() && opcode.bus() == OPERAND && word >> 8 == jump.wrapping_add(2) & 0xff
}

/// Code that goes on into `stubs`.
fn into_stubs(rom: &[u16], graph: &Graph, slices: &Slices) -> Vec<Finding> {
    // As long as nothing stands there, a jump to behind it seems to fall through.
    let jumps = |at: u16| {
        let jump = at.wrapping_sub(1);
        leads_on(rom, jump) && !Opcode(rom[usize::from(jump)] as u8).is_conditional()
    };
    let falls = |n: &Node| match n.way {
        Way::Fall(at) if slices.rooms.contains(&at.wrapping_add(1)) && !jumps(at) => Some(at),
        _ => None,
    };
    let at: BTreeSet<u16> = graph.nodes.iter().filter_map(falls).collect();
    let message = "behind this come the `stubs`, which are no part of the path";
    let help = "put an unconditional jump and its slot before `stubs`";
    let found = at.iter().map(|&at| broken(at, message.to_owned(), help));
    found.collect()
}

/// The plan for a graph; the error is a branch whose ways cannot be made even.
fn evenly(
    rom: &[u16],
    slices: &Slices,
    spots: &BTreeMap<Spot, u32>,
    graph: &Graph,
) -> Result<Plan, u16> {
    let mut plan = Plan::default();
    let planner = Planner::new(rom, slices, spots, graph);
    let mut floor = Lengths::new();
    for _ in 0..MOST_ROUNDS {
        let lengths = even(graph, &floor)?;
        if slices.strict {
            for (way, n) in &lengths {
                plan.findings.extend(strict(*way, *n));
            }
        }
        too_long(graph, slices, &lengths, &mut plan.findings);
        if !plan.findings.is_empty() {
            return Ok(plan);
        }
        match planner.place(&lengths) {
            Ok(placed) => return Ok(planner.pieces(&placed)),
            Err((way, Some(least))) => {
                floor.insert(way, least);
            }
            Err((way, None)) => {
                let (Way::Fall(at) | Way::Taken(at, _)) = way else {
                    break;
                };
                plan.findings.push(no_room(at));
                return Ok(plan);
            }
        }
    }
    Err(slices.late)
}

/// Reports blocks that take longer than a block may.
fn too_long(graph: &Graph, slices: &Slices, lengths: &Lengths, found: &mut Vec<Finding>) {
    let far = distances(graph, lengths);
    for (&sync, &start) in &graph.starts {
        let clocks = i64::from(HEAD) - 2 + far[start as usize];
        if clocks <= slices.limit {
            continue;
        }
        let message = format!(
            "this block takes {clocks} clocks, {} too many: it may have {}",
            clocks - slices.limit,
            slices.limit
        );
        let words = graph.path(sync, |n| distance(&far, n));
        let over = words.get(slices.limit as usize);
        let help = match over {
            Some(_) => "put a `sync` before the word at which it is too long, at the latest",
            None => "put a `sync` into it",
        };
        let mut f = broken(sync, message, help);
        f.from = over.map(|&w| linear(w));
        f.path = clocked(&words);
        found.push(f);
    }
}

fn clocked(words: &[u16]) -> Vec<(u64, i64)> {
    let steps = words.iter().zip(0..);
    steps.map(|(&w, clock)| (linear(w), clock)).collect()
}

fn lost(l: &LostPath) -> Finding {
    let (message, help) = match l.why {
        Lost::Jump => (
            "where this jumps is not known, so its block has no end",
            "say `targets sync` before it if it lands on a `sync`, or name its targets",
        ),
        Lost::Loop => (
            "a path goes round here without a `sync`",
            "put a `sync` into the loop",
        ),
        Lost::TooMany => (
            "this block has too many paths",
            "put a `sync` where paths meet, or before the loop",
        ),
        Lost::Slot => (
            "this `sync` stands in the slot of a jump",
            "put an instruction between them",
        ),
    };
    let mut f = broken(l.at, message.to_owned(), help);
    f.from = Some(linear(l.from));
    f.path = clocked(&l.path);
    f
}

fn uneven(at: u16) -> Finding {
    broken(
        at,
        "the ways behind this jump cannot be made to take the same time".to_owned(),
        "put a `sync` behind it on all ways",
    )
}

fn no_room(at: u16) -> Finding {
    broken(
        at,
        "filler is needed here, but there is no place for it".to_owned(),
        "put it into a floating section with `stubs`, behind `slices`",
    )
}

fn strict(way: Way, clocks: i64) -> Option<Finding> {
    let at = match way {
        Way::Fall(at) | Way::Taken(at, _) => at,
        Way::Fixed => return None,
    };
    Some(broken(
        at,
        format!("the way behind this is {clocks} clocks too short"),
        "make the arms alike, or drop `strict`",
    ))
}

/// Least and most clocks before each word, counted from the `sync` before it.
fn clocks(graph: &Graph) -> Vec<(u64, i64, i64)> {
    let mut by_node: Vec<Option<(i64, i64)>> = vec![None; graph.nodes.len()];
    let mut words = Clocks::new();
    for (&sync, &start) in &graph.starts {
        by_node[start as usize] = Some((i64::from(HEAD) - 2, i64::from(HEAD) - 2));
        clocked_at(&mut words, sync, (0, 0));
        clocked_at(&mut words, sync.wrapping_add(1), (1, 1));
    }
    for &n in graph.order.iter().rev() {
        let (node, Some((least, most))) = (&graph.nodes[n as usize], by_node[n as usize]) else {
            continue;
        };
        if let Some(at) = node.at {
            clocked_at(&mut words, at, (least, most));
        }
        for next in &node.after {
            if let Next::State(m) = *next {
                let known = by_node[m as usize].get_or_insert((least + 1, most + 1));
                *known = (known.0.min(least + 1), known.1.max(most + 1));
            }
        }
    }
    let words = words.iter();
    words.map(|(&at, &(a, b))| (linear(at), a, b)).collect()
}

/// Proves that all blocks are even, and puts their lengths in.
pub fn prove(rom: &mut [u16], slices: &Slices, out: &mut Proof) {
    out.findings.extend(slices.wrong.iter().cloned());
    let graph = Graph::new(rom, &slices.program);
    out.findings.extend(graph.lost.iter().map(lost));
    let lengths = Lengths::new();
    let given = given(rom, slices, &graph, &mut out.findings);
    let (mut most, mut least) = (vec![0; graph.nodes.len()], vec![0; graph.nodes.len()]);
    for &n in &graph.order {
        let node = &graph.nodes[n as usize];
        let more = node.at.and_then(|a| given.get(&a)).unwrap_or(&0);
        let after =
            |far: &[i64]| -> Vec<i64> { node.after.iter().map(|x| distance(far, x)).collect() };
        most[n as usize] = 1 + more + after(&most).into_iter().max().unwrap_or(0);
        least[n as usize] = 1 + more + after(&least).into_iter().min().unwrap_or(0);
    }
    too_long(&graph, slices, &lengths, &mut out.findings);
    out.clocks.extend(clocks(&graph));
    for (&sync, &start) in &graph.starts {
        let clocks = i64::from(HEAD) - 2 + most[start as usize];
        let other = i64::from(HEAD) - 2 + least[start as usize];
        if other != clocks {
            let message = format!("paths of this block take {other} to {clocks} clocks");
            let mut f = broken(sync, message, "put a `sync` where the paths part");
            f.path = clocked(&graph.path(sync, |n| distance(&most, n)));
            out.findings.push(f);
            continue;
        }
        if let Err(message) = stub(rom, sync, slices) {
            out.findings.push(broken(
                sync,
                message.to_owned(),
                "keep the section of a `sync` within a page",
            ));
            continue;
        }
        let charge = sync.wrapping_add(2);
        let word = &mut rom[usize::from(charge)];
        *word = *word & 0xff | (clocks as u16 & 0xff) << 8;
        out.patches.push((linear(charge) + 1, vec![clocks as u8]));
        out.blocks.push(Block {
            address: linear(sync),
            head: u32::from(HEAD) * 2,
            clocks,
        });
        out.proven += 1;
    }
    out.landings = graph.landings.iter().map(|&j| linear(j)).collect();
}

/// Clocks that words give back, by the address of the store. Any other store to the
/// time left is told.
fn given(
    rom: &[u16],
    slices: &Slices,
    graph: &Graph,
    found: &mut Vec<Finding>,
) -> BTreeMap<u16, i64> {
    let word = |at: u16| rom.get(usize::from(at)).copied().unwrap_or(0);
    let left = u16::from(slices.left) << 8;
    let load = u16::from(LD_CELL) | left;
    let store = u16::from(ST) | left;
    let mut only: BTreeMap<u16, BTreeSet<Option<u16>>> = BTreeMap::new();
    for n in &graph.nodes {
        if let Some(next) = n.next {
            only.entry(next).or_default().insert(n.at);
        }
    }
    // Nobody comes to a word but from the one before it.
    let from_before = |at: u16| {
        let before = Some(at.wrapping_sub(1));
        only.get(&at)
            .is_some_and(|o| o.iter().all(|&x| x == before))
    };
    let mut out = BTreeMap::new();
    let at: BTreeSet<u16> = graph.nodes.iter().filter_map(|n| n.at).collect();
    for &at in at.iter().filter(|&&a| word(a) == store) {
        let head = at.wrapping_sub(HEAD - 1);
        if slices.program.syncs.contains(&head) {
            continue;
        }
        let jump = word(at.wrapping_sub(1)) as u8 == BRA;
        let add = at.wrapping_sub(1 + u16::from(jump));
        let right = word(add) as u8 == ADDA
            && word(add.wrapping_sub(1)) == load
            && (add..=at).all(from_before);
        if right {
            out.insert(at, i64::from(word(add) >> 8));
        } else {
            found.push(broken(
                at,
                "the time left is changed inside a block".to_owned(),
                "leave the cell to `sync`",
            ));
        }
    }
    out
}

/// Whether a late block leaves as it should and comes back where it should.
fn stub(rom: &[u16], sync: u16, slices: &Slices) -> Result<(), &'static str> {
    let word = |at: u16| rom.get(usize::from(at)).copied().unwrap_or(0);
    let in_page = |at: u16, w: u16| at & 0xff00 | w >> 8;
    let page = |at: u16| at & 0xff00;
    let resume = sync.wrapping_add(2);
    let late = in_page(sync, word(sync.wrapping_add(1)));
    let leave = in_page(late, word(late));
    let last = leave.wrapping_add(LEAVE - 1);
    let [low, high] = slices.late.to_le_bytes().map(u16::from);
    let right = page(sync) == page(sync.wrapping_add(3))
        && page(last) == page(sync)
        && word(late) as u8 == BRA
        && word(late.wrapping_add(1)) == u16::from(LD) | resume << 8
        && word(leave) == u16::from(ST) | u16::from(slices.back) << 8
        && word(leave.wrapping_add(1)) == u16::from(LD_Y) | high << 8
        && word(leave.wrapping_add(2)) == u16::from(JMP_Y) | low << 8
        && word(last) == u16::from(LD) | page(sync);
    match right {
        true => Ok(()),
        false => Err("what a late block goes through is not in its page"),
    }
}
