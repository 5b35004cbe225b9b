//! Where filler goes, and of what it is made.
//!
//! Filler lies before a word that all who come there need it for, behind a word that
//! falls through, before a jump, or in a detour at the end of the section, for a branch
//! that is taken. Where AC is not needed behind it more than three clocks are no `nop`
//! but given back to the time left; straight-line code is searched for such a place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use scrimp_isa::depend::Inputs;
use scrimp_isa::proof::{Goal, Link, Overhead, Piece, Plan, Spot};

use super::blocks::{Graph, HEAD, Next, Way};
use super::slices::{Lengths, Slices};
use super::words::{ADDA, BRA, JMP_Y, LD, LD_CELL, LD_Y, NOP, ST, linear};
use crate::effects::{self, Effects, place};
use crate::opcode::Opcode;

/// Words, and clocks, of giving clocks back.
const GIVE: i64 = 3;
/// Words, and clocks, of giving clocks back in a detour.
const GIVE_DETOUR: i64 = 4;
/// Farthest that filler is moved along straight-line code.
const FARTHEST: u16 = 40;

/// Where filler goes.
#[derive(Debug, Default)]
pub struct Placed {
    /// Clocks by spot.
    inline: BTreeMap<Spot, i64>,
    /// Clocks between a jump and its target.
    detours: BTreeMap<(u16, u16), i64>,
}

/// What is known of a program whose blocks are to be even.
pub struct Planner<'a> {
    rom: &'a [u16],
    slices: &'a Slices,
    spots: &'a BTreeMap<Spot, u32>,
    graph: &'a Graph,
    /// How a word is come to.
    into: BTreeMap<u16, BTreeSet<Way>>,
    /// How it is left.
    ways: BTreeMap<u16, BTreeSet<Way>>,
    /// Words before which AC holds something that is needed.
    needed: BTreeSet<u16>,
    /// Ways on which it does.
    needed_on: BTreeSet<Way>,
}

/// What AC, X, Y and OUT need to be right before an instruction, for some of them to be
/// right behind it.
fn live_before(opcode: Opcode, live: Inputs) -> Inputs {
    static ALL: LazyLock<Vec<Effects>> =
        LazyLock::new(|| (0..=255).map(|o| effects::of(Opcode(o))).collect());
    let all = ALL[usize::from(opcode.0)].live_before(live);
    let registers = all.iter().filter(|&i| usize::from(i) < place::REGISTERS);
    registers.map(Inputs::one).fold(Inputs::NONE, Inputs::and)
}

impl<'a> Planner<'a> {
    /// Looks at a program.
    pub fn new(
        rom: &'a [u16],
        slices: &'a Slices,
        spots: &'a BTreeMap<Spot, u32>,
        graph: &'a Graph,
    ) -> Self {
        let mut p = Self {
            rom,
            slices,
            spots,
            graph,
            into: BTreeMap::new(),
            ways: BTreeMap::new(),
            needed: BTreeSet::new(),
            needed_on: BTreeSet::new(),
        };
        let registers = (0..place::REGISTERS as u8).map(Inputs::one);
        let registers = registers.fold(Inputs::NONE, Inputs::and);
        let mut live = vec![Inputs::NONE; graph.nodes.len()];
        for &n in &graph.order {
            let node = &graph.nodes[n as usize];
            let behind = node.after.iter().map(|next| match next {
                Next::State(m) => live[*m as usize],
                Next::Block(_) => Inputs::NONE,
            });
            let behind = behind.fold(Inputs::NONE, Inputs::and);
            if behind.has(place::AC) {
                p.needed_on.insert(node.way);
            }
            // What a word of a table needs is not known.
            let before = match node.at {
                Some(at) => live_before(p.opcode(at), behind),
                None => registers,
            };
            live[n as usize] = before;
            if let Some(at) = node.at {
                p.ways.entry(at).or_default().insert(node.way);
                if before.has(place::AC) {
                    p.needed.insert(at);
                }
            }
            if let Some(next) = node.next {
                p.into.entry(next).or_default().insert(node.way);
            }
        }
        p
    }

    fn opcode(&self, at: u16) -> Opcode {
        Opcode(self.rom.get(usize::from(at)).copied().unwrap_or(0) as u8)
    }

    /// Whether a word is one of a `sync`, behind its first.
    fn in_head(&self, at: u16) -> bool {
        (1..HEAD).any(|i| self.slices.program.syncs.contains(&at.wrapping_sub(i)))
    }

    /// Whether filler may come before a word. Not before a `sync`: jumps that cannot be
    /// followed land there too.
    fn open(&self, at: u16) -> bool {
        !self.slices.program.syncs.contains(&at)
            && self.spots.contains_key(&Spot::Before(linear(at)))
            && !self.opcode(at.wrapping_sub(1)).is_jump()
            && !self.in_head(at)
    }

    /// Whether AC may be lost at a spot.
    fn free(&self, spot: Spot) -> bool {
        match spot {
            Spot::Before(a) => !self.needed.contains(&((a / 2) as u16)),
            Spot::Behind(a) => !self.needed_on.contains(&Way::Fall((a / 2) as u16)),
            Spot::Room(_) => false,
        }
    }

    /// Whether a word is always left to the one behind it, and that is come to from
    /// nowhere else.
    fn straight(&self, at: u16) -> bool {
        let only = |ways: Option<&BTreeSet<Way>>| {
            ways.is_some_and(|w| w.len() == 1 && w.contains(&Way::Fall(at)))
        };
        only(self.ways.get(&at)) && only(self.into.get(&at.wrapping_add(1)))
    }

    /// Whether all that come to a word leave it to the one behind it.
    fn falls(&self, at: u16) -> bool {
        let ways = self.ways.get(&at);
        ways.is_some_and(|w| w.len() == 1 && w.contains(&Way::Fall(at)))
    }

    /// Adds filler to a spot, or to one that means the same and is cheaper.
    fn put(&self, out: &mut Placed, spot: Spot, clocks: i64) {
        let mut best = spot;
        if clocks > GIVE && !self.free(spot) {
            best = self.elsewhere(spot).unwrap_or(spot);
        }
        *out.inline.entry(best).or_insert(0) += clocks;
    }

    /// A spot on the same straight line where AC is free.
    fn elsewhere(&self, spot: Spot) -> Option<Spot> {
        let mut at = match spot {
            Spot::Before(a) => (a / 2) as u16,
            Spot::Behind(a) => {
                let at = (a / 2) as u16;
                if !self.falls(at) || !self.open(at) {
                    return None;
                }
                if self.free(Spot::Before(a)) {
                    return Some(Spot::Before(a));
                }
                at
            }
            Spot::Room(_) => return None,
        };
        let first = at;
        for _ in 0..FARTHEST {
            let before = at.wrapping_sub(1);
            if !self.straight(before) || !self.open(before) {
                break;
            }
            at = before;
            let spot = Spot::Before(linear(at));
            if self.free(spot) {
                return Some(spot);
            }
        }
        at = first;
        for _ in 0..FARTHEST {
            let behind = at.wrapping_add(1);
            if !self.straight(at) || !self.open(behind) || matches!(spot, Spot::Behind(_)) {
                break;
            }
            at = behind;
            let spot = Spot::Before(linear(at));
            if self.free(spot) {
                return Some(spot);
            }
        }
        None
    }

    /// Finds spots for all filler. The error is a way that cannot take what it needs;
    /// with a number, the least that it can take.
    pub fn place(&self, lengths: &Lengths) -> Result<Placed, (Way, Option<i64>)> {
        let mut out = Placed::default();
        let mut left = lengths.clone();
        // What all who come to a word need is put before it.
        for (&word, ways) in &self.into {
            let least = ways.iter().map(|w| left.get(w).copied().unwrap_or(0)).min();
            let least = least.unwrap_or(0);
            if least == 0 || !self.open(word) {
                continue;
            }
            for w in ways {
                left.entry(*w).and_modify(|n| *n -= least);
            }
            self.put(&mut out, Spot::Before(linear(word)), least);
        }
        left.retain(|_, n| *n > 0);
        for (&way, &n) in &left {
            match way {
                Way::Fall(at) => {
                    let spot = Spot::Behind(linear(at));
                    if !self.spots.contains_key(&spot) {
                        return Err((way, None));
                    }
                    self.put(&mut out, spot, n);
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
                    self.put(&mut out, Spot::Before(linear(jump)), n);
                }
                Way::Fixed => return Err((way, None)),
            }
        }
        Ok(out)
    }

    /// Whether a word may be executed in the slot of a jump to the one behind it.
    fn copies(&self, at: u16) -> bool {
        !self.opcode(at).is_jump() && !self.in_head(at) && !self.slices.program.syncs.contains(&at)
    }

    /// The pieces for all spots.
    pub fn pieces(&self, placed: &Placed) -> Plan {
        let mut plan = Plan::default();
        for (&spot, &n) in &placed.inline {
            plan.pieces.insert(spot, self.inline(spot, n));
        }
        let mut rooms: BTreeMap<u32, Room> = BTreeMap::new();
        for (&sync, &section) in &self.slices.sections {
            rooms.entry(section).or_default().syncs.push(sync);
        }
        for (&(jump, to), &n) in &placed.detours {
            if let Some(&section) = self.spots.get(&Spot::Before(linear(jump))) {
                let room = rooms.entry(section).or_default();
                let give = n > GIVE_DETOUR && !self.needed_on.contains(&Way::Taken(jump, to));
                let key = match n {
                    1 => (to, Detour::One),
                    _ if give => (to, Detour::Give(n)),
                    _ => (to, Detour::Burn),
                };
                room.detours.entry(key).or_default().push((jump, n));
            }
        }
        for (&section, room) in &rooms {
            let (pieces, mut links) = self.room(section, room);
            plan.pieces.insert(Spot::Room(section), pieces);
            plan.links.append(&mut links);
        }
        plan
    }

    /// Filler at a spot.
    fn inline(&self, spot: Spot, clocks: i64) -> Vec<Piece> {
        if clocks <= GIVE || !self.free(spot) {
            return vec![burn(clocks)];
        }
        let left = self.slices.left;
        let bytes = [LD_CELL, left, ADDA, (clocks - GIVE) as u8, ST, left];
        vec![piece(Overhead::Filler, &bytes, Vec::new())]
    }

    /// What stands at the end of a section, and what leads there.
    fn room(&self, section: u32, room: &Room) -> (Vec<Piece>, Vec<Link>) {
        let spot = Spot::Room(section);
        let goal = |at: u64| Goal::Spot(spot, at);
        let mut out = End::default();
        let mut links = Vec::new();
        let mut leaving = Vec::new();
        for &sync in &room.syncs {
            links.push(link(linear(sync.wrapping_add(1)) + 1, goal(out.at), false));
            leaving.push(out.pieces.len());
            let resume = link(3, Goal::Instruction(linear(sync.wrapping_add(2))), false);
            out.put(piece(Overhead::Stub, &[BRA, 0, LD, 0], vec![resume]));
        }
        for (&(to, kind), jumps) in &room.detours {
            let most = jumps.iter().map(|j| j.1).max().unwrap_or(0);
            for &(jump, n) in jumps {
                // Shorter ones of a kind come in later.
                let enter = out.at + (most - n) as u64 * 2;
                links.push(link(linear(jump) + 1, goal(enter), false));
            }
            match kind {
                Detour::Burn => {
                    if most > 2 {
                        out.put(burn(most - 2));
                    }
                    let there = link(1, self.entry(to), false);
                    let bytes = [BRA, 0, NOP[0], NOP[1]];
                    out.put(piece(Overhead::Filler, &bytes, vec![there]));
                }
                Detour::Give(clocks) => {
                    let left = self.slices.left;
                    let more = (clocks - GIVE_DETOUR) as u8;
                    let there = link(5, self.entry(to), false);
                    let bytes = [LD_CELL, left, ADDA, more, BRA, 0, ST, left];
                    out.put(piece(Overhead::Filler, &bytes, vec![there]));
                }
                // The first word of the target in the slot: one clock more.
                Detour::One => {
                    let behind = Spot::Behind(linear(to));
                    let over = match self.spots.contains_key(&behind) {
                        true => Goal::Spot(behind, 0),
                        false => Goal::Instruction(linear(to.wrapping_add(1))),
                    };
                    let over = link(1, over, false);
                    out.put(piece(Overhead::Filler, &[BRA, 0], vec![over]));
                    out.put(Piece {
                        copy: Some(linear(to)),
                        ..burn(1)
                    });
                }
            }
        }
        if !leaving.is_empty() {
            for p in leaving {
                out.pieces[p].links.push(link(1, goal(out.at), false));
            }
            let late = Goal::Instruction(linear(self.slices.late));
            let bytes = [ST, self.slices.back, LD_Y, 0, JMP_Y, 0, LD, 0];
            let to = vec![
                link(3, late, true),
                link(5, late, false),
                link(7, goal(out.at), true),
            ];
            out.put(piece(Overhead::Stub, &bytes, to));
        }
        (out.pieces, links)
    }

    /// Where those come to a word who jump there.
    fn entry(&self, to: u16) -> Goal {
        let entry = Spot::Before(linear(to));
        match self.spots.contains_key(&entry) {
            true => Goal::Spot(entry, 0),
            false => Goal::Instruction(linear(to)),
        }
    }
}

/// Ways round from a branch to its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detour {
    /// With `nop`.
    Burn,
    /// With so many clocks, of which some are given back.
    Give(i64),
    /// With one clock.
    One,
}

/// What the end of a section must hold.
#[derive(Default)]
struct Room {
    syncs: Vec<u16>,
    /// By target: jumps, each with its clocks.
    detours: BTreeMap<(u16, Detour), Vec<(u16, i64)>>,
}

/// The end of a section in work.
#[derive(Default)]
struct End {
    pieces: Vec<Piece>,
    at: u64,
}

impl End {
    fn put(&mut self, p: Piece) {
        self.at += p.bytes.len() as u64;
        self.pieces.push(p);
    }
}

fn link(at: u64, goal: Goal, high: bool) -> Link {
    Link { at, goal, high }
}

fn piece(kind: Overhead, bytes: &[u8], links: Vec<Link>) -> Piece {
    Piece {
        kind,
        bytes: bytes.to_vec(),
        links,
        copy: None,
    }
}

fn burn(words: i64) -> Piece {
    let bytes = NOP.repeat(words.max(0) as usize);
    piece(Overhead::Filler, &bytes, Vec::new())
}
