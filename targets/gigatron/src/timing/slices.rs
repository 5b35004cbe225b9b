//! Time in slices: what `slices`, `sync` and `stubs` come to.
//!
//! All paths of a block must take the same clocks, because the time left is counted
//! down by the block and not by the path. Where an arm of a branch is shorter, filler
//! makes it longer: before a word that all who come there need it for, behind a word
//! that falls through, before a jump, or in a detour at the end of the section.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_isa::proof::{Block, Contract, Finding, Goal, Link, Overhead, Piece, Plan, Proof, Spot};

use super::blocks::{Graph, HEAD, Lost, LostPath, Next, Program, Way};
use super::contracts::{broken, linear};
use crate::opcode::Opcode;

/// Rounds in which lengths that depend on each other must settle.
const MOST_ROUNDS: usize = 64;
/// `nop`.
const NOP: [u8; 2] = [0x02, 0x00];
/// `bra`, `ld`, `ld …,y`, `jmp y,` and `st []`, with a byte behind each.
const BRA: u8 = 0xfc;
const LD: u8 = 0x00;
const LD_Y: u8 = 0x14;
const JMP_Y: u8 = 0xe0;
const ST: u8 = 0xc2;
/// Words behind all stubs of a section that leave for the handler.
const LEAVE: u64 = 4;

/// What the program says about its time.
#[derive(Debug, Default)]
pub struct Slices {
    /// Cell that takes the place to resume at.
    back: u8,
    /// The handler.
    late: u16,
    /// Most clocks of a block.
    limit: i64,
    /// Arms that differ are errors.
    strict: bool,
    /// Sections of the blocks.
    sections: BTreeMap<u16, u32>,
    /// Where the program divides its time.
    pub program: Program,
}

impl Slices {
    /// From the arguments of `slices`.
    pub fn new(c: &Contract) -> Option<Self> {
        let [_, back, late, limit] = c.values[..] else {
            return None;
        };
        Some(Self {
            back: back as u8,
            late: late as u16,
            limit,
            strict: !c.words.is_empty(),
            ..Self::default()
        })
    }

    /// Adds a block.
    pub fn sync(&mut self, at: u16, section: u32) {
        self.program.syncs.insert(at);
        self.sections.insert(at, section);
    }
}

/// Filler by the way that it lengthens.
type Lengths = BTreeMap<Way, i64>;

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

/// Where filler goes.
#[derive(Debug, Default)]
struct Placed {
    /// Words by spot.
    inline: BTreeMap<Spot, i64>,
    /// Words between a jump and its target.
    detours: BTreeMap<(u16, u16), i64>,
}

struct Planner<'a> {
    rom: &'a [u16],
    slices: &'a Slices,
    spots: &'a BTreeMap<Spot, u32>,
    graph: &'a Graph,
}

impl Planner<'_> {
    fn opcode(&self, at: u16) -> Opcode {
        Opcode(self.rom.get(usize::from(at)).copied().unwrap_or(0) as u8)
    }

    /// Whether filler may come before a word.
    fn open(&self, at: u16) -> bool {
        let spot = Spot::Before(linear(at));
        self.spots.contains_key(&spot) && !self.opcode(at.wrapping_sub(1)).is_jump()
    }

    /// Finds spots for all filler. The error is a way that cannot take what it needs;
    /// with a number, the least that it can take.
    fn place(&self, lengths: &Lengths) -> Result<Placed, (Way, Option<i64>)> {
        let mut out = Placed::default();
        let mut left = lengths.clone();
        // What all who come to a word need is put before it.
        let mut into: BTreeMap<u16, BTreeSet<Way>> = BTreeMap::new();
        for n in &self.graph.nodes {
            if let Some(next) = n.next {
                into.entry(next).or_default().insert(n.way);
            }
        }
        for (&word, ways) in &into {
            let least = ways.iter().map(|w| left.get(w).copied().unwrap_or(0)).min();
            let least = least.unwrap_or(0);
            if least == 0 || !self.open(word) {
                continue;
            }
            for w in ways {
                left.entry(*w).and_modify(|n| *n -= least);
            }
            *out.inline.entry(Spot::Before(linear(word))).or_insert(0) += least;
        }
        left.retain(|_, n| *n > 0);
        for (&way, &n) in &left {
            match way {
                Way::Fall(at) => {
                    let spot = Spot::Behind(linear(at));
                    if !self.spots.contains_key(&spot) {
                        return Err((way, None));
                    }
                    *out.inline.entry(spot).or_insert(0) += n;
                }
                Way::Taken(jump, to) if self.opcode(jump).is_conditional() => {
                    let section = self.spots.get(&Spot::Before(linear(jump)));
                    let room = section.is_some_and(|&s| self.spots.contains_key(&Spot::Room(s)));
                    if !room {
                        return Err((way, None));
                    }
                    if n == 1 && !self.copies(to) {
                        return Err((way, Some(2)));
                    }
                    out.detours.insert((jump, to), n);
                }
                Way::Taken(jump, _) => {
                    let others = self.graph.nodes.iter().filter_map(|n| match n.way {
                        w @ Way::Taken(j, _) if j == jump => Some(w),
                        _ => None,
                    });
                    let mut others = others.map(|w| left.get(&w).copied().unwrap_or(0));
                    if !self.open(jump) || others.any(|o| o != n) {
                        return Err((way, None));
                    }
                    out.inline.insert(Spot::Before(linear(jump)), n);
                }
                Way::Fixed => return Err((way, None)),
            }
        }
        Ok(out)
    }

    /// Whether a word may be executed in the slot of a jump to the one behind it.
    fn copies(&self, at: u16) -> bool {
        let inside = |s: &u16| (0..HEAD).contains(&at.wrapping_sub(*s));
        !self.opcode(at).is_jump() && !self.slices.program.syncs.iter().any(inside)
    }

    /// The pieces for all spots.
    fn pieces(&self, placed: &Placed) -> Plan {
        let mut plan = Plan::default();
        for (&spot, &n) in &placed.inline {
            plan.pieces.insert(spot, vec![filler(n)]);
        }
        let mut rooms: BTreeMap<u32, Room> = BTreeMap::new();
        for (&sync, &section) in &self.slices.sections {
            rooms.entry(section).or_default().syncs.push(sync);
        }
        for (&(jump, to), &n) in &placed.detours {
            if let Some(&section) = self.spots.get(&Spot::Before(linear(jump))) {
                let room = rooms.entry(section).or_default();
                room.detours.entry(to).or_default().push((jump, n));
            }
        }
        for (&section, room) in &rooms {
            self.room(section, room, &mut plan);
        }
        plan
    }

    /// What stands at the end of a section.
    fn room(&self, section: u32, room: &Room, plan: &mut Plan) {
        let spot = Spot::Room(section);
        let mut pieces: Vec<Piece> = Vec::new();
        let mut at = 0;
        let put = |pieces: &mut Vec<Piece>, at: &mut u64, p: Piece| {
            *at += p.bytes.len() as u64;
            pieces.push(p);
        };
        let goal = |at: u64| Goal::Spot(spot, at);
        let mut leaving = Vec::new();
        for &sync in &room.syncs {
            plan.links.push(link(linear(sync + 1) + 1, goal(at), false));
            leaving.push(pieces.len());
            let resume = Goal::Instruction(linear(sync + 2));
            let p = Piece {
                kind: Overhead::Stub,
                bytes: vec![BRA, 0, LD, 0],
                links: vec![link(3, resume, false)],
                copy: None,
            };
            put(&mut pieces, &mut at, p);
        }
        for (&to, jumps) in &room.detours {
            let most = jumps.iter().map(|j| j.1).max().unwrap_or(0);
            if most >= 2 {
                for &(jump, n) in jumps.iter().filter(|j| j.1 >= 2) {
                    let enter = at + (most - n) as u64 * 2;
                    plan.links.push(link(linear(jump) + 1, goal(enter), false));
                }
                if most > 2 {
                    put(&mut pieces, &mut at, filler(most - 2));
                }
                let entry = Spot::Before(linear(to));
                let to = match self.spots.contains_key(&entry) {
                    true => Goal::Spot(entry, 0),
                    false => Goal::Instruction(linear(to)),
                };
                let p = Piece {
                    kind: Overhead::Filler,
                    bytes: vec![BRA, 0, NOP[0], NOP[1]],
                    links: vec![link(1, to, false)],
                    copy: None,
                };
                put(&mut pieces, &mut at, p);
            }
            let mut ones = jumps.iter().filter(|j| j.1 == 1).peekable();
            if ones.peek().is_none() {
                continue;
            }
            for &(jump, _) in ones {
                plan.links.push(link(linear(jump) + 1, goal(at), false));
            }
            // The first word of the target in the slot: one clock more than without.
            let behind = Spot::Behind(linear(to));
            let over = match self.spots.contains_key(&behind) {
                true => Goal::Spot(behind, 0),
                false => Goal::Instruction(linear(to + 1)),
            };
            let p = Piece {
                kind: Overhead::Filler,
                bytes: vec![BRA, 0],
                links: vec![link(1, over, false)],
                copy: None,
            };
            put(&mut pieces, &mut at, p);
            let p = Piece {
                kind: Overhead::Filler,
                bytes: NOP.to_vec(),
                links: Vec::new(),
                copy: Some(linear(to)),
            };
            put(&mut pieces, &mut at, p);
        }
        if !leaving.is_empty() {
            for p in leaving {
                pieces[p].links.push(link(1, goal(at), false));
            }
            let late = Goal::Instruction(linear(self.slices.late));
            let p = Piece {
                kind: Overhead::Stub,
                bytes: vec![ST, self.slices.back, LD_Y, 0, JMP_Y, 0, LD, 0],
                links: vec![
                    link(3, late, true),
                    link(5, late, false),
                    link(7, goal(at), true),
                ],
                copy: None,
            };
            put(&mut pieces, &mut at, p);
        }
        plan.pieces.insert(spot, pieces);
    }
}

/// What the end of a section must hold.
#[derive(Default)]
struct Room {
    syncs: Vec<u16>,
    /// By target: jumps, each with its words.
    detours: BTreeMap<u16, Vec<(u16, i64)>>,
}

fn link(at: u64, goal: Goal, high: bool) -> Link {
    Link { at, goal, high }
}

fn filler(words: i64) -> Piece {
    Piece {
        kind: Overhead::Filler,
        bytes: NOP.repeat(words.max(0) as usize),
        links: Vec::new(),
        copy: None,
    }
}

/// What must be put into a program for its blocks to be even.
pub fn plan(rom: &[u16], slices: &Slices, spots: &BTreeMap<Spot, u32>) -> Plan {
    let graph = Graph::new(rom, &slices.program);
    let mut plan = Plan::default();
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
    plan.findings.extend(graph.lost.iter().map(lost));
    if !plan.findings.is_empty() {
        return plan;
    }
    let planner = Planner {
        rom,
        slices,
        spots,
        graph: &graph,
    };
    let mut floor = Lengths::new();
    for _ in 0..MOST_ROUNDS {
        let lengths = match even(&graph, &floor) {
            Ok(found) => found,
            Err(at) => {
                plan.findings.push(uneven(at));
                return plan;
            }
        };
        if slices.strict {
            for (way, n) in &lengths {
                plan.findings.extend(strict(*way, *n));
            }
        }
        too_long(&graph, slices, &lengths, &mut plan.findings);
        if !plan.findings.is_empty() {
            return plan;
        }
        match planner.place(&lengths) {
            Ok(placed) => return planner.pieces(&placed),
            Err((way, Some(least))) => {
                floor.insert(way, least);
            }
            Err((way, None)) => {
                let (Way::Fall(at) | Way::Taken(at, _)) = way else {
                    break;
                };
                plan.findings.push(no_room(at));
                return plan;
            }
        }
    }
    plan.findings.push(uneven(slices.late));
    plan
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

/// Proves that all blocks are even, and puts their lengths in.
pub fn prove(rom: &mut [u16], slices: &Slices, out: &mut Proof) {
    let graph = Graph::new(rom, &slices.program);
    out.findings.extend(graph.lost.iter().map(lost));
    let lengths = Lengths::new();
    let most = distances(&graph, &lengths);
    let mut least = vec![0; graph.nodes.len()];
    for &n in &graph.order {
        let after = graph.nodes[n as usize].after.iter();
        least[n as usize] = 1 + after.map(|x| distance(&least, x)).min().unwrap_or(0);
    }
    too_long(&graph, slices, &lengths, &mut out.findings);
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
        let word = &mut rom[usize::from(sync) + 2];
        *word = *word & 0xff | (clocks as u16 & 0xff) << 8;
        out.patches.push((linear(sync + 2) + 1, vec![clocks as u8]));
        out.blocks.push(Block {
            address: linear(sync),
            head: u32::from(HEAD) * 2,
            clocks,
        });
        out.proven += 1;
    }
    out.landings = graph.landings.iter().map(|&j| linear(j)).collect();
}

/// Whether a late block leaves as it should and comes back where it should.
fn stub(rom: &[u16], sync: u16, slices: &Slices) -> Result<(), &'static str> {
    let word = |at: u16| rom.get(usize::from(at)).copied().unwrap_or(0);
    let in_page = |at: u16, w: u16| at & 0xff00 | w >> 8;
    let page = |at: u16| at & 0xff00;
    let resume = sync.wrapping_add(2);
    let late = in_page(sync, word(sync.wrapping_add(1)));
    let leave = in_page(late, word(late));
    let last = leave.wrapping_add(LEAVE as u16 - 1);
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
