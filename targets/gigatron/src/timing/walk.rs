//! The walk over pairs of words.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use scrimp_isa::domain::{Byte as DomainByte, Word as DomainWord};
use scrimp_isa::known::{Byte, Word};
use scrimp_isa::{Context, Domain, Known};

use super::words::LATE;
use super::{Clocks, Contracts, Fault, Mark, Open, Promise, Proof, Step, Time, Violation, clocked};
use crate::opcode::Opcode;
use crate::semantics::{Register, State, exec};

/// Most clocks between two marks; more is a loop.
const LONGEST: i64 = 2_000;
/// Most states of a walk, some hundred bytes each.
const MOST_STATES: usize = 400_000;
/// Most violations that are kept.
const MOST_FAULTS: usize = 200;
/// hSync in OUT.
const HSYNC: u8 = 6;

/// The machine as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    /// The word in execution; not all of it is known in a jump into a table.
    pub(super) at: Word,
    /// The word that is fetched.
    pub(super) next: Word,
    pub(super) ac: Byte,
    pub(super) x: Byte,
    pub(super) y: Byte,
    pub(super) out: Byte,
    /// Cells of RAM whose contents are known, by address.
    pub(super) cells: Vec<(u16, u8)>,
    /// How often bounded words were executed since the last mark.
    pub(super) rounds: Vec<u32>,
}

/// A pair as the semantics see it.
struct View {
    pair: Pair,
    operand: u8,
    pc: Word,
}

impl Context for View {
    type Domain = Known;
    fn domain(&self) -> Known {
        Known
    }
    fn read(&mut self, address: Word) -> Byte {
        let cells = &self.pair.cells;
        let at = address
            .exact()
            .map(|a| cells.binary_search_by_key(&a, |c| c.0));
        match at {
            Some(Ok(i)) => Byte::of(cells[i].1),
            _ => Byte::UNKNOWN,
        }
    }
    fn write(&mut self, address: Word, value: Byte) {
        let cells = &mut self.pair.cells;
        cells.retain(|(a, _)| {
            let [high, low] = a.to_be_bytes();
            !(address.high.allows(high) && address.low.allows(low))
        });
        // Return addresses and counters lie in page 0.
        if let (Some(a @ 0..=255), Some(v)) = (address.exact(), value.exact()) {
            let i = cells.partition_point(|c| c.0 < a);
            cells.insert(i, (a, v));
        }
    }
    fn input(&mut self, _: Word) -> Byte {
        Byte::UNKNOWN
    }
    fn output(&mut self, _: Word, _: Byte) {}
    fn when(&mut self, condition: Option<bool>, work: impl FnOnce(&mut Self)) {
        // The semantics of this room have no conditional work.
        if condition != Some(false) {
            work(self);
        }
    }
}

impl State for View {
    fn get(&self, register: Register) -> DomainByte<Self> {
        match register {
            Register::Ac => self.pair.ac,
            Register::X => self.pair.x,
            Register::Y => self.pair.y,
            Register::Out => self.pair.out,
        }
    }
    fn set(&mut self, register: Register, value: DomainByte<Self>) {
        *match register {
            Register::Ac => &mut self.pair.ac,
            Register::X => &mut self.pair.x,
            Register::Y => &mut self.pair.y,
            Register::Out => &mut self.pair.out,
        } = value;
    }
    fn pc(&self) -> DomainWord<Self> {
        self.pair.next
    }
    fn set_pc(&mut self, value: DomainWord<Self>) {
        self.pc = value;
    }
    fn operand(&self) -> DomainByte<Self> {
        Byte::of(self.operand)
    }
    fn control(&mut self, _: DomainWord<Self>) {}
}

/// What is known of AC on the two ways out of a conditional branch: taken, not
/// taken.
fn refined(mode: u8, ac: Byte) -> [Byte; 2] {
    let sign = |on: bool| Byte {
        known: ac.known | 0x80,
        value: ac.value & 0x7f | u8::from(on) << 7,
    };
    let zero = Byte::of(0);
    match mode {
        1 | 5 => [sign(false), if mode == 5 { sign(true) } else { ac }],
        2 | 6 => [if mode == 2 { sign(true) } else { ac }, sign(false)],
        3 => [ac, zero],
        4 => [zero, ac],
        _ => [ac, ac],
    }
}

/// What lies between two promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// The mark or edge that it begins with.
    from: u16,
    /// The state that it begins with.
    start: u32,
    /// The clock there.
    base: i64,
    /// It begins with an edge of hSync.
    line: bool,
}

/// A state on its way: the pair, the clock before it executes, where its stretch began
/// and the state before it.
struct Node {
    pair: Pair,
    clock: i64,
    stretch: Stretch,
    before: u32,
}

struct Walk<'a> {
    rom: &'a [u16],
    contracts: &'a Contracts,
    marks: BTreeMap<u16, Vec<Promise>>,
    bounded: Vec<u16>,
    nodes: Vec<Node>,
    /// States that are met: the pair and the start of the stretch, with the clocks.
    seen: HashMap<(Pair, u16), Vec<i64>>,
    edges: BTreeSet<(u16, u16)>,
    broken: BTreeSet<(u16, u16)>,
    /// Clocks by the mark that they count from.
    clocks: BTreeMap<u16, Clocks>,
    proof: Proof,
}

/// Proves the contracts on a ROM: words with the opcode in the low byte.
pub fn prove(rom: &[u16], contracts: &Contracts) -> Proof {
    let mut marks: BTreeMap<u16, Vec<Promise>> = BTreeMap::new();
    for &Mark { at, promise } in &contracts.marks {
        marks.entry(at).or_default().push(promise);
    }
    let mut walk = Walk {
        rom,
        contracts,
        marks,
        bounded: contracts.bounds.keys().copied().collect(),
        nodes: Vec::new(),
        seen: HashMap::new(),
        edges: BTreeSet::new(),
        broken: BTreeSet::new(),
        clocks: BTreeMap::new(),
        proof: Proof::default(),
    };
    walk.start();
    let mut done = 0;
    while done < walk.nodes.len() && walk.nodes.len() < MOST_STATES {
        walk.step(done as u32);
        done += 1;
    }
    // What is left unwalked is not proven, and must not look as if it were.
    if let Some(n) = walk.nodes.get(done) {
        let (at, from) = (n.pair.at.exact().unwrap_or(n.stretch.from), n.stretch.from);
        walk.open(at, Open::TooMany, from);
    }
    walk.proof.states = walk.nodes.len();
    walk.proof.proven = walk.edges.difference(&walk.broken).count();
    // A path that leaves a loop without a bound tells of one round only.
    let loops: Vec<(u16, u16)> = walk
        .proof
        .open
        .iter()
        .filter(|o| o.1 == Open::Loop)
        .map(|o| (o.0, o.2))
        .collect();
    walk.proof.violations.retain(|v| {
        let through = |&(at, from): &(u16, u16)| from == v.from && v.path.iter().any(|s| s.0 == at);
        !loops.iter().any(through)
    });
    for (from, clocks) in &walk.clocks {
        if walk.proof.open.iter().all(|o| o.2 != *from) {
            for (&at, &range) in clocks {
                clocked(&mut walk.proof.clocks, at, range);
            }
        }
    }
    walk.proof.open.sort_unstable();
    walk.proof.open.dedup();
    walk.proof.violations.sort_by_key(|v| (v.to, v.from));
    walk.proof
}

/// How a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Every path from power-on that is followed comes to a place where the clock counts
    /// anew, or goes round before it.
    Right,
    /// No path does.
    Never,
    /// At a word a path is lost.
    Lost(u16),
}

/// Follows a program from power-on to where clocks count anew.
pub fn begins(rom: &[u16], contracts: &Contracts) -> Begin {
    let rebase = |m: &&Mark| matches!(m.promise, Promise::Rebase(_));
    let marks: BTreeSet<u16> = contracts
        .marks
        .iter()
        .filter(rebase)
        .map(|m| m.at)
        .collect();
    // The reset holds the program counter, so word 0 executes twice.
    let first = Pair {
        next: Word::of(0),
        ..Pair::unknown(0)
    };
    let mut seen: HashSet<Pair> = [first.clone()].into();
    let mut states = vec![first];
    let mut begun = false;
    while let Some(pair) = states.pop() {
        let Some(at) = pair.at.exact() else {
            return Begin::Lost(0);
        };
        if marks.contains(&at) && pair.next == Word::of(at.wrapping_add(1)) {
            begun = true;
            continue;
        }
        let word = rom.get(usize::from(at)).copied().unwrap_or(0);
        for (after, pc) in outcomes(pair, Opcode(word as u8), (word >> 8) as u8) {
            if pc.exact().is_none() || seen.len() >= MOST_STATES {
                return Begin::Lost(at);
            }
            let pair = Pair {
                at: after.next,
                next: pc,
                ..after
            };
            if seen.insert(pair.clone()) {
                states.push(pair);
            }
        }
    }
    match begun {
        true => Begin::Right,
        false => Begin::Never,
    }
}

impl Walk<'_> {
    fn word(&self, at: u16) -> u16 {
        self.rom.get(usize::from(at)).copied().unwrap_or(0)
    }

    fn opcode(&self, at: u16) -> Opcode {
        Opcode(self.word(at) as u8)
    }

    /// Starts at every mark that is not in a delay slot: there the word behind is
    /// not the next one.
    fn start(&mut self) {
        let contracts = self.contracts;
        for &Mark { at, promise } in &contracts.marks {
            if let Promise::Late(time) = promise {
                self.late(at, time);
            }
            let (Promise::At(clock) | Promise::Rebase(clock)) = promise else {
                continue;
            };
            let here = &self.marks[&at];
            // Who comes here at a clock goes on at another, or no further.
            let other = |p: &Promise| matches!(p, Promise::Rebase(_) | Promise::Resume(_));
            let other = matches!(promise, Promise::At(_)) && here.iter().any(other);
            if here.contains(&Promise::End) || other {
                continue;
            }
            if self.opcode(at.wrapping_sub(1)).is_jump() && !matches!(promise, Promise::Rebase(_)) {
                continue;
            }
            let pair = Pair {
                rounds: vec![0; self.bounded.len()],
                ..Pair::unknown(at)
            };
            let stretch = Stretch {
                from: at,
                start: u32::MAX,
                base: clock,
                line: false,
            };
            self.add(pair, clock, stretch, u32::MAX);
        }
    }

    /// Starts where late blocks come to, with each time that can be left.
    fn late(&mut self, at: u16, time: Time) {
        for less in 1..=time.limit.clamp(0, 128) {
            let left = -less as u8;
            let clock = time.deadline - time.limit + less + i64::from(LATE);
            let pair = Pair {
                cells: vec![(u16::from(time.cell), left)],
                rounds: vec![0; self.bounded.len()],
                ..Pair::unknown(at)
            };
            let stretch = Stretch {
                from: at,
                start: u32::MAX,
                base: clock,
                line: false,
            };
            self.add(pair, clock, stretch, u32::MAX);
        }
    }

    fn add(&mut self, pair: Pair, clock: i64, stretch: Stretch, before: u32) {
        let from = stretch.from;
        let key = (pair, from);
        if let Some(clocks) = self.seen.get(&key) {
            if clocks.contains(&clock) {
                return;
            }
            // The same state at another clock: two arms that differ, or a loop.
            let mut at = before;
            while at != u32::MAX {
                let n = &self.nodes[at as usize];
                if n.stretch != stretch {
                    break;
                }
                if n.pair == key.0 {
                    let word = key.0.at.exact().unwrap_or(from);
                    return self.open(word, Open::Loop, from);
                }
                at = n.before;
            }
        }
        let pair = key.0.clone();
        self.seen.entry(key).or_default().push(clock);
        self.nodes.push(Node {
            pair,
            clock,
            stretch,
            before,
        });
    }

    /// The words from the start of the stretch to a state.
    fn path(&self, node: u32) -> Vec<Step> {
        let stretch = self.nodes[node as usize].stretch;
        let mut out = Vec::new();
        let mut at = node;
        while at != u32::MAX {
            let n = &self.nodes[at as usize];
            let began = at == stretch.start && at != node;
            let clock = if began { stretch.base } else { n.clock };
            out.push((n.pair.at.exact().unwrap_or(0), clock));
            if began {
                break;
            }
            at = n.before;
        }
        out.reverse();
        out
    }

    fn violation(&mut self, node: u32, to: u16, fault: Fault) {
        let from = self.nodes[node as usize].stretch.from;
        self.broken.insert((from, to));
        let known = |v: &Violation| v.from == from && v.to == to && v.fault == fault;
        if self.proof.violations.len() < MOST_FAULTS && !self.proof.violations.iter().any(known) {
            let path = self.path(node);
            self.proof.violations.push(Violation {
                from,
                to,
                fault,
                path,
            });
        }
    }

    fn open(&mut self, at: u16, why: Open, from: u16) {
        self.proof.open.push((at, why, from));
    }

    /// Keeps the promises that stand at a word: of the pair, the clock before it and the
    /// stretch. False where the path ends there.
    fn meets(&mut self, node: u32, at: u16, here: &mut (Pair, i64, Stretch)) -> bool {
        let (pair, clock, stretch) = here;
        for promise in self.marks.get(&at).cloned().unwrap_or_default() {
            match promise {
                Promise::At(expected) => {
                    self.edges.insert((stretch.from, at));
                    if *clock != expected {
                        let found = *clock;
                        self.violation(node, at, Fault::Clock { expected, found });
                    }
                    // What the walk that begins here knows less of is found by it;
                    // to carry counters along would walk all their values.
                    if self.contracts.line.is_none() {
                        pair.cells.clear();
                    }
                    *clock = expected;
                    *stretch = begin(at, node, *clock, false);
                    pair.rounds.fill(0);
                }
                // In the slot of a jump it is not the beginning.
                Promise::Rebase(_) if pair.next != Word::of(at.wrapping_add(1)) => {}
                Promise::Rebase(new) => {
                    self.rebased(node, at, *clock, new);
                    *clock = new;
                    *stretch = begin(at, node, *clock, false);
                    pair.rounds.fill(0);
                }
                Promise::Answer { more } => {
                    self.answer(node, at, *clock + more);
                    return false;
                }
                Promise::Late(_) => {}
                Promise::Resume(time) => {
                    self.resume(node, at, *clock, time);
                    return false;
                }
                Promise::End => {
                    // Of a line, what is behind it is not looked at.
                    if self.contracts.line.is_some() {
                        self.proof.trusted.insert(at);
                    }
                    let end = self.proof.ends.entry(at).or_insert((*clock, *clock));
                    *end = (end.0.min(*clock), end.1.max(*clock));
                    return false;
                }
            }
        }
        true
    }

    /// Executes the word of a state and adds those that follow.
    fn step(&mut self, node: u32) {
        let n = &self.nodes[node as usize];
        let mut here = (n.pair.clone(), n.clock, n.stretch);
        let first = n.before == u32::MAX;
        let Some(at) = here.0.at.exact() else {
            return self.table(node);
        };
        if !first && !self.meets(node, at, &mut here) {
            return;
        }
        let (mut pair, clock, stretch) = here;
        let from = stretch.from;
        if clock - stretch.base > LONGEST {
            return self.open(at, Open::Loop, from);
        }
        if let Some(i) = self.bounded.iter().position(|&b| b == at) {
            pair.rounds[i] += 1;
            if pair.rounds[i] > self.contracts.bounds[&at] {
                self.proof.trusted.insert(at);
                return;
            }
        }
        clocked(self.clocks.entry(from).or_default(), at, (clock, clock));
        let word = self.word(at);
        let opcode = Opcode(word as u8);
        let old = pair.out;
        for (pair, pc) in outcomes(pair, opcode, (word >> 8) as u8) {
            let (clock, stretch) = self.edge(node, at, clock + 1, stretch, [old, pair.out]);
            let listed = match pc.exact() {
                Some(_) => None,
                None => self.contracts.targets.get(&at),
            };
            let targets = match listed {
                Some(list) => {
                    self.proof.trusted.insert(at);
                    list.iter().map(|&t| Word::of(t)).collect()
                }
                None => vec![pc],
            };
            for target in targets {
                let pair = Pair {
                    at: pair.next,
                    next: target,
                    ..pair.clone()
                };
                let lost = pair.at.exact().is_none() && pair.next.exact().is_none();
                if lost || (pair.next.high.exact().is_none()) {
                    self.open(at, Open::Jump, from);
                } else {
                    self.add(pair, clock, stretch, node);
                }
            }
        }
    }

    /// Compares the clock that comes to where it counts anew with what it is there, if
    /// lines are promised: the same, or a line more.
    fn rebased(&mut self, node: u32, at: u16, clock: i64, new: i64) {
        let Some(line) = self.contracts.line else {
            return;
        };
        let promised = |p: &Promise| matches!(p, Promise::At(_));
        let right = clock == new || clock == new + line;
        if !right && !self.marks[&at].iter().any(promised) {
            let (expected, found) = (new + line, clock);
            self.violation(node, at, Fault::Clock { expected, found });
        }
    }

    /// A word of a table, which one is not known: whichever it is, the next is known,
    /// so what all words do is joined.
    fn table(&mut self, node: u32) {
        let n = &self.nodes[node as usize];
        let (pair, clock, stretch) = (n.pair.clone(), n.clock, n.stretch);
        let from = stretch.from;
        let before = self.nodes.get(n.before as usize);
        let jump = before.and_then(|b| b.pair.at.exact()).unwrap_or(from);
        let Some(pair) = table(self.rom, &pair) else {
            return self.open(jump, Open::Jump, from);
        };
        self.add(pair, clock + 1, stretch, node);
    }

    fn answer(&mut self, node: u32, at: u16, clocks: i64) {
        let from = self.nodes[node as usize].stretch.from;
        self.edges.insert((from, at));
        let expected = (-(clocks / 2)) as u8;
        match self.nodes[node as usize].pair.ac.exact() {
            None => self.open(at, Open::Answer, from),
            Some(found) if found != expected || clocks % 2 != 0 => {
                let fault = Fault::Answer {
                    expected,
                    found,
                    clocks,
                };
                self.violation(node, at, fault);
            }
            Some(_) => {}
        }
    }

    /// Looks whether the slot of a jump tells a late block the time that is left.
    fn resume(&mut self, node: u32, at: u16, clock: i64, time: Time) {
        let n = &self.nodes[node as usize];
        let from = n.stretch.from;
        let mut pair = n.pair.clone();
        for _ in 0..2 {
            let Some(word) = pair.at.exact().map(|a| self.word(a)) else {
                return self.open(at, Open::Jump, from);
            };
            let mut all = outcomes(pair, Opcode(word as u8), (word >> 8) as u8);
            let Some((after, pc)) = all.pop() else { return };
            pair = Pair {
                at: after.next,
                next: pc,
                ..after
            };
        }
        self.edges.insert((from, at));
        // The block goes on two clocks behind its start, as this jump does.
        let expected = (time.deadline - clock - time.limit) as u8;
        match pair.ac.exact() {
            None => self.open(at, Open::Answer, from),
            Some(found) if found != expected => {
                self.violation(node, at, Fault::Resume { expected, found });
            }
            Some(_) => {}
        }
    }

    /// Looks whether hSync falls with a word, which changes OUT: the clock and the
    /// stretch behind it.
    fn edge(
        &mut self,
        node: u32,
        at: u16,
        clock: i64,
        stretch: Stretch,
        out: [Byte; 2],
    ) -> (i64, Stretch) {
        let Some(line) = self.contracts.line else {
            return (clock, stretch);
        };
        let from = stretch.from;
        match out.map(|o| o.bit(HSYNC)) {
            [Some(true), Some(false)] => {
                // What came before the first edge of a walk is no line.
                if stretch.line {
                    self.edges.insert((from, at));
                    if clock - 1 != line {
                        let fault = Fault::Line {
                            expected: line,
                            found: clock - 1,
                        };
                        self.violation(node, at, fault);
                    }
                }
                (1, begin(at, node, 0, true))
            }
            // Nothing was known before: an edge, or none, that begins the first line.
            [None, Some(false)] if !stretch.line => (1, begin(at, node, 0, true)),
            [Some(_), Some(_)] => (clock, stretch),
            [a, b] if a == b => (clock, stretch),
            [None, Some(true)] => (clock, stretch),
            _ => {
                self.open(at, Open::Edge, from);
                (clock, stretch)
            }
        }
    }
}

/// Executes a word of a table, which one is not known: what all its words do is
/// joined.
pub(super) fn table(rom: &[u16], pair: &Pair) -> Option<Pair> {
    let page = pair.at.high.exact()?;
    let next = pair.next.exact()?;
    let mut joined: Option<Pair> = None;
    for low in (0..=255).filter(|&l| pair.at.low.allows(l)) {
        let at = usize::from(u16::from_be_bytes([page, low]));
        let word = rom.get(at).copied().unwrap_or(0);
        let opcode = Opcode(word as u8);
        if opcode.is_jump() || opcode.operation() == crate::opcode::STORE {
            // Words that are no data: what lies there is not meant to be met.
            continue;
        }
        let mut found = outcomes(pair.clone(), opcode, (word >> 8) as u8);
        let Some((after, _)) = found.pop() else {
            continue;
        };
        joined = Some(match joined {
            None => after,
            Some(j) => Pair {
                ac: j.ac.join(after.ac),
                x: j.x.join(after.x),
                y: j.y.join(after.y),
                out: j.out.join(after.out),
                ..j
            },
        });
    }
    Some(Pair {
        at: Word::of(next),
        next: Word::of(next.wrapping_add(1)),
        ..joined?
    })
}

/// A stretch that begins with a state.
fn begin(from: u16, start: u32, base: i64, line: bool) -> Stretch {
    Stretch {
        from,
        start,
        base,
        line,
    }
}

/// The address behind one.
fn behind(address: Word) -> Word {
    Known.inc16(address)
}

/// Executes a word: the states behind it, each with the address fetched next.
pub(super) fn outcomes(pair: Pair, opcode: Opcode, operand: u8) -> Vec<(Pair, Word)> {
    let run = |pair: Pair, opcode: Opcode| {
        let mut view = View {
            operand,
            pc: behind(pair.next),
            pair,
        };
        exec(&mut view, opcode);
        (view.pair, view.pc)
    };
    let conditional = opcode.is_jump() && (1..=6).contains(&opcode.mode());
    let always = Opcode::new(opcode.operation(), 7, opcode.bus());
    let decided = match opcode.mode() {
        _ if !conditional => return vec![run(pair, opcode)],
        mode => taken(mode, pair.ac),
    };
    if decided == Some(false) {
        let pc = behind(pair.next);
        return vec![(pair, pc)];
    }
    if decided == Some(true) {
        return vec![run(pair, always)];
    }
    // Whether it is taken is not known: both, each with what AC is then.
    let [yes, no] = refined(opcode.mode(), pair.ac);
    let (mut jump, target) = run(pair.clone(), always);
    jump.ac = yes;
    let stay = Pair { ac: no, ..pair };
    let pc = behind(stay.next);
    vec![(jump, target), (stay, pc)]
}

/// Whether a condition holds, if AC decides it.
fn taken(mode: u8, ac: Byte) -> Option<bool> {
    let negative = ac.bit(7);
    let zero = Known.is_zero(ac);
    let either = Known.either(negative, zero);
    match mode {
        1 => Known.not(either),
        2 => negative,
        3 => Known.not(zero),
        4 => zero,
        5 => Known.not(negative),
        _ => either,
    }
}
