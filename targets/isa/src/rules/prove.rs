//! The proof that a rule's two sequences do the same to all that matters, or a state in
//! which they do not.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::constant::{self, Constant};
use super::encode::Instruction;
use super::solve::Answer;
use super::{Rule, refute, solve};
use crate::circuit::Circuit;
use crate::lanes::{Lanes, lane};
use crate::memory::{Address, Event, EventKind, Numbers, Outside, Space, TermMemory};
use crate::semantics::Code;
use crate::state::{CELLS, Constants, Holds, Layout};
use crate::terms::{Arena, Node, Term, Terms, value};
use crate::{Concrete, Domain, Processor, Semantics};

/// With so many free inputs at most all are tried.
const MOST_TRIED: usize = 24;
/// Where a rule stands. It does not matter: what depends on it is no rule.
const ADDRESS: u64 = 0x4000;

/// How a rule was proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Both make the same formulas.
    Structural,
    /// All values of so many input bits were tried.
    Exhaustive(usize),
    /// A solver found no state in which they differ.
    Solved,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Structural => write!(f, "structural"),
            Self::Exhaustive(bits) => write!(f, "exhaustive-{bits}"),
            Self::Solved => write!(f, "solved"),
        }
    }
}

/// A state in which the two sequences differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What is not zero before: places and variables.
    pub before: Vec<(String, u8)>,
    /// What differs behind: the place, what the first sequence makes, and the second.
    pub differs: Vec<(String, u8, u8)>,
    /// What they store, what they read of memory, or what they do at ports differs.
    pub acts: bool,
}

/// Why a rule is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is wrong, and both sequences were run to see it.
    Wrong(Counterexample),
    /// It says what cannot be proven: it goes elsewhere, or names what there is not.
    Unfit(String),
    /// The solver's state shows no difference: a fault of the prover.
    Unconfirmed,
}

/// Inputs by number.
type Values = HashMap<u32, bool>;

/// What both sequences begin with, and what they come to.
struct Problem<'a> {
    arena: &'a Arena,
    outside: &'a Outside,
    start: Vec<[Term; 8]>,
    variables: BTreeMap<String, [Term; 8]>,
    /// Terms that must be the same.
    pairs: Vec<(Term, Term)>,
}

type Machine<'a> = Processor<Terms<'a>, TermMemory<'a>>;

/// The cells whose values matter behind a rule, bit by bit.
pub(super) fn live(layout: &Layout, rule: &Rule) -> Result<[u8; CELLS], Refusal> {
    let mut masks = [0; CELLS];
    for (mask, cell) in masks.iter_mut().zip(layout.cells) {
        *mask = match cell.holds {
            Holds::Byte => 0xff,
            Holds::Flags(_, names) => ((1u16 << names.len()) - 1) as u8,
            Holds::Nothing | Holds::Hidden => 0,
        };
    }
    for &cell in layout.quiet {
        masks[usize::from(cell)] = 0;
    }
    for name in &rule.dead {
        let named = |c: &crate::state::Cell| !c.name.is_empty() && c.name == name;
        let cell = layout.cells.iter().position(named);
        match (cell, layout.find(name)) {
            (Some(cell), _) => masks[cell] = 0,
            (None, Some(l)) => masks[usize::from(l.cell)] &= !l.bit.map_or(0xff, |b| 1 << b),
            _ => return Err(Refusal::Unfit(format!("there is no `{name}`"))),
        }
    }
    Ok(masks)
}

/// A flag: its cell and bit.
type Place = (u8, u8);

/// The flags that a rule turns into one another, and whether into the opposite.
fn turned(layout: &Layout, rule: &Rule) -> Result<Option<(Place, Place, bool)>, Refusal> {
    let Some(t) = &rule.turned else {
        return Ok(None);
    };
    let flag = |name: &str| {
        let l = layout.find(name);
        let found = l.and_then(|l| Some((l.cell, l.bit?)));
        found.ok_or_else(|| Refusal::Unfit(format!("there is no flag `{name}`")))
    };
    Ok(Some((flag(&t.old)?, flag(&t.new)?, t.opposite)))
}

impl<'a> Problem<'a> {
    fn new(
        semantics: &dyn Semantics,
        rule: &Rule,
        arena: &'a Arena,
        outside: &'a Outside,
    ) -> Result<Self, Refusal> {
        let layout = semantics.layout();
        let start = (0..CELLS).map(|c| match layout.cells.get(c).map(|c| c.holds) {
            Some(Holds::Byte | Holds::Flags(..)) => arena.fresh(),
            _ => [Term::FALSE; 8],
        });
        let mut problem = Self {
            arena,
            outside,
            start: start.collect(),
            variables: BTreeMap::new(),
            pairs: Vec::new(),
        };
        problem.name_variables(&rule.from);
        problem.name_variables(&rule.to);
        problem.assume(layout, rule)?;
        let from = problem.run(semantics, rule, &rule.from)?;
        let to = problem.run(semantics, rule, &rule.to)?;
        let masks = live(layout, rule)?;
        for (cell, mask) in (0..).zip(masks) {
            let (a, b) = (from.cell(cell), to.cell(cell));
            let bits = (0..8).filter(|bit| mask >> bit & 1 == 1);
            problem.pairs.extend(bits.map(|bit| (a[bit], b[bit])));
        }
        if let Some((old, new, opposite)) = turned(layout, rule)? {
            let bit = |m: &Machine<'a>, (cell, bit): Place| m.cell(cell)[usize::from(bit)];
            let other = bit(&to, new);
            let other = if opposite {
                arena.terms().invert(other)
            } else {
                other
            };
            problem.pairs.push((bit(&from, old), other));
        }
        problem.acts(rule, &from, &to)?;
        Ok(problem)
    }

    fn name_variables(&mut self, sequence: &[Instruction]) {
        for constant in sequence.iter().flat_map(|i| &i.constants).flatten() {
            let names: Vec<&str> = match constant {
                Constant::Number(_) => Vec::new(),
                Constant::Variable(name) => vec![name],
                Constant::Computed(c) => c.names(),
            };
            for name in names {
                let arena = self.arena;
                let fresh = || arena.fresh();
                self.variables.entry(name.to_owned()).or_insert_with(fresh);
            }
        }
    }

    fn assume(&mut self, layout: &Layout, rule: &Rule) -> Result<(), Refusal> {
        for (place, what) in &rule.assumed {
            let unfit = |name: &str| Refusal::Unfit(format!("there is no `{name}`"));
            let at = layout.find(place).ok_or_else(|| unfit(place))?;
            let number = constant::number(what).and_then(|n| u8::try_from(n).ok());
            let variable = what.strip_prefix('$').and_then(|v| self.variables.get(v));
            let source = match (number, variable, layout.find(what)) {
                (Some(n), _, _) => self.arena.terms().byte(n),
                (_, Some(v), _) => *v,
                (_, _, Some(l)) if l.bit.is_none() && at.bit.is_none() => {
                    self.start[usize::from(l.cell)]
                }
                _ => return Err(unfit(what)),
            };
            let cell = &mut self.start[usize::from(at.cell)];
            match at.bit {
                Some(bit) => cell[usize::from(bit)] = source[0],
                None => *cell = source,
            }
        }
        Ok(())
    }

    fn run(
        &self,
        semantics: &dyn Semantics,
        rule: &Rule,
        sequence: &[Instruction],
    ) -> Result<Machine<'a>, Refusal> {
        let d = self.arena.terms();
        let mut p = Processor::new(d, TermMemory::new(self.outside));
        (0..).zip(&self.start).for_each(|(c, v)| p.set_cell(c, *v));
        p.pointed = rule.pointed.clone();
        for i in sequence {
            let byte = |c: &Constant| match c {
                Constant::Number(n) => d.byte(*n),
                Constant::Variable(name) => self.variables[name],
                Constant::Computed(c) => c.value(d, |name| self.variables[name]),
            };
            let values = i.constants.as_ref().map(|c| [byte(&c[0]), byte(&c[1])]);
            p.constants = values.map(|values| Constants {
                values,
                address: None,
            });
            p.asked.set(0);
            let unfit = |why| Refusal::Unfit(format!("`{}` {why}", i.text));
            let done = semantics.terms(code(i), &mut p);
            done.ok_or_else(|| unfit("is no instruction"))?;
            if p.went.is_some() {
                return Err(unfit("goes elsewhere"));
            }
            let wanted = i.constants.iter().flatten().zip([1, 2]);
            let wanted = wanted.filter(|c| !matches!(c.0, Constant::Number(_)));
            if wanted.map(|c| c.1).any(|bit| p.asked.get() & bit == 0) {
                return Err(unfit("takes no variable there"));
            }
        }
        Ok(p)
    }

    /// What is seen outside must be the same, in the same order.
    fn acts(&mut self, rule: &Rule, from: &Machine<'a>, to: &Machine<'a>) -> Result<(), Refusal> {
        let kept = |m: &Machine<'a>| -> Vec<_> {
            let seen = |e: &&Event| match e.kind {
                EventKind::Write(Space::Data) => !rule.plain,
                EventKind::Read => !rule.plain && !rule.own,
                _ => true,
            };
            m.memory.events.iter().filter(seen).cloned().collect()
        };
        let (a, b) = (kept(from), kept(to));
        if a.iter().map(|e| e.kind).ne(b.iter().map(|e| e.kind)) {
            // Told by a state in which it happens.
            self.pairs.push((Term::FALSE, Term::TRUE));
            return Ok(());
        }
        let d = self.arena.terms();
        // Reads at the same place are no part of what is to be shown.
        let same = |(a, b): &(&Event, &Event)| a.kind == EventKind::Read && a == b;
        for (a, b) in a.iter().zip(&b).filter(|p| !same(p)) {
            self.pairs.push((a.guard, b.guard));
            let same = a.bytes.iter().zip(&b.bytes);
            // What does not happen may be anything.
            let when = |t| d.meet(a.guard, t);
            self.pairs.extend(same.map(|(&a, &b)| (when(a), when(b))));
        }
        if rule.plain && !(from.memory.events.is_empty() && to.memory.events.is_empty()) {
            let bits: [Term; 16] = self.arena.fresh();
            let at: Address = std::array::from_fn(|i| *bits.get(i).unwrap_or(&Term::FALSE));
            let (a, b) = (
                from.memory.peek(d, Space::Data, at),
                to.memory.peek(d, Space::Data, at),
            );
            self.pairs.extend(a.into_iter().zip(b));
        }
        Ok(())
    }

    /// That some pair differs.
    fn difference(&self) -> Term {
        let d = self.arena.terms();
        let differ = self.pairs.iter().map(|&(a, b)| d.differ(a, b));
        differ.fold(Term::FALSE, |any, one| d.join(any, one))
    }

    /// A number for all that is compared, which another meaning or rule does not have.
    fn hash(&self) -> u128 {
        let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58du128;
        let mut put = |n: u32| {
            for byte in n.to_le_bytes() {
                // FNV-1a of 128 bits.
                hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_013b);
            }
        };
        let all = || self.pairs.iter().flat_map(|p| [p.0, p.1]);
        let cone = self.arena.cone(all());
        let places: HashMap<usize, u32> = cone.iter().copied().zip(0..).collect();
        let number = |t: Term| places[&t.node()] << 1 | u32::from(t.is_inverted());
        for &n in &cone {
            match self.arena.node(n) {
                Node::False => put(0),
                Node::Input(i) => [1, i].into_iter().for_each(&mut put),
                Node::Both(a, b) => [2, number(a), number(b)].into_iter().for_each(&mut put),
                Node::Differ(a, b) => [3, number(a), number(b)].into_iter().for_each(&mut put),
            }
        }
        all().map(number).for_each(put);
        hash
    }
}

/// Where an instruction of a rule stands.
fn code(i: &Instruction) -> Code<'_> {
    Code {
        bytes: &i.bytes,
        address: ADDRESS,
    }
}

/// The hash of what is to be proven of a rule.
///
/// # Errors
/// It cannot be proven.
pub fn hash(semantics: &dyn Semantics, rule: &Rule) -> Result<u128, Refusal> {
    let (arena, outside) = (Arena::default(), Outside::default());
    Ok(Problem::new(semantics, rule, &arena, &outside)?.hash())
}

/// How a rule was proven, so that others can check it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// How.
    pub proof: Proof,
    /// The hash of what was proven.
    pub hash: u128,
    /// Where a solver found it, the steps to a contradiction as a text; else empty.
    pub steps: String,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:032x}", self.proof, self.hash)?;
        match self.steps.is_empty() {
            true => Ok(()),
            false => write!(f, " {}", self.steps),
        }
    }
}

/// Proves a rule; how, and the hash of what was proven.
///
/// # Errors
/// It is wrong, or says what cannot be proven.
pub fn prove(semantics: &dyn Semantics, rule: &Rule) -> Result<(Proof, u128), Refusal> {
    prove_within(semantics, rule, u64::MAX).map(|c| (c.proof, c.hash))
}

/// Proves a rule by steps that somebody found, without a solver; by formulas and trying
/// where that suffices.
///
/// # Errors
/// As [`prove`]; or the steps do not show it.
pub fn check(semantics: &dyn Semantics, rule: &Rule, steps: &str) -> Result<Certificate, Refusal> {
    proven(semantics, rule, &mut |arena, difference| {
        let all = refute::read(steps);
        match all.is_some_and(|s| solve::shows(arena, difference, &s)) {
            true => Ok(steps.to_owned()),
            false => Err(Miss::Refused("the steps do not show it")),
        }
    })
}

/// As [`prove`], with the steps, if the solver learns no more than so many clauses.
///
/// # Errors
/// As [`prove`]; or it would learn more.
pub fn prove_within(
    semantics: &dyn Semantics,
    rule: &Rule,
    clauses: u64,
) -> Result<Certificate, Refusal> {
    proven(
        semantics,
        rule,
        &mut |arena, difference| match solve::solve(arena, difference, clauses) {
            Answer::Never(steps) => Ok(refute::write(&steps)),
            Answer::True(state) => Err(Miss::State(state)),
            Answer::Unknown => Err(Miss::Refused("the solver would have to learn too much")),
            Answer::Unfounded => Err(Miss::Refused("what the solver learnt does not show it")),
        },
    )
}

/// Why it is not known that a term is never true.
enum Miss {
    State(Vec<(u32, bool)>),
    Refused(&'static str),
}

/// Proves a rule, by `hard` where there are too many inputs to try all.
fn proven(
    semantics: &dyn Semantics,
    rule: &Rule,
    hard: &mut dyn FnMut(&Arena, Term) -> Result<String, Miss>,
) -> Result<Certificate, Refusal> {
    let (arena, outside) = (Arena::default(), Outside::default());
    let problem = Problem::new(semantics, rule, &arena, &outside)?;
    let done = |proof, steps| Certificate {
        proof,
        hash: problem.hash(),
        steps,
    };
    let difference = problem.difference();
    if difference == Term::FALSE {
        return Ok(done(Proof::Structural, String::new()));
    }
    let support = arena.support([difference]);
    let state = match support.len() <= MOST_TRIED {
        true => match solve::try_all(&arena, difference, &support) {
            None => return Ok(done(Proof::Exhaustive(support.len()), String::new())),
            Some(state) => state,
        },
        false => match hard(&arena, difference) {
            Ok(steps) => return Ok(done(Proof::Solved, steps)),
            Err(Miss::Refused(why)) => return Err(Refusal::Unfit(why.to_owned())),
            Err(Miss::State(state)) => state,
        },
    };
    let values = state.into_iter().collect();
    Err(confirm(semantics, rule, &problem, values))
}

/// The numbers that terms have in a state.
struct State<'p, 'a> {
    problem: &'p Problem<'a>,
    values: Values,
}

impl State<'_, '_> {
    fn number(&self, terms: &[Term]) -> u32 {
        let arena = self.problem.arena;
        let input = |i| Lanes.constant(self.values.get(&i).copied().unwrap_or(false));
        let mut known = Vec::new();
        arena.evaluate(Lanes, &arena.cone(terms.iter().copied()), input, &mut known);
        let bits: Vec<u64> = terms.iter().map(|&t| value(Lanes, &known, t)).collect();
        lane(&bits, 0)
    }

    /// What memory and ports hold.
    fn memory(&self) -> HashMap<(Space, u32), u8> {
        let mut memory = HashMap::new();
        for from in self.problem.outside.delivered() {
            let at = self.number(&from.address);
            let v = self.number(&from.value) as u8;
            memory.entry((from.space, at)).or_insert(v);
        }
        memory
    }
}

/// The flag of a jump behind, where the other one has another value.
fn differs_turned(
    layout: &Layout,
    rule: &Rule,
    [from, to]: [&Processor<Concrete, Numbers>; 2],
) -> Option<(String, u8, u8)> {
    let ((c, bit), (d, other), opposite) = turned(layout, rule).ok()??;
    let is = (from.cell(c) >> bit & 1, to.cell(d) >> other & 1);
    let name = || rule.turned.iter().map(|t| t.old.clone()).collect();
    ((is.0 == is.1) == opposite).then(|| (name(), is.0, is.1 ^ u8::from(opposite)))
}

/// Runs both sequences in that state on numbers.
fn confirm(
    semantics: &dyn Semantics,
    rule: &Rule,
    problem: &Problem<'_>,
    values: Values,
) -> Refusal {
    let state = State { problem, values };
    let memory = state.memory();
    let run = |sequence: &[Instruction]| {
        let memory = memory.clone();
        let before = move |space, at| memory.get(&(space, at)).copied().unwrap_or(0);
        let mut p = Processor::new(Concrete, Numbers::new(Box::new(before)));
        for (cell, terms) in (0..).zip(&problem.start) {
            p.set_cell(cell, state.number(terms) as u8);
        }
        let variable = |name: &str| state.number(&problem.variables[name]) as u8;
        for i in sequence {
            let byte = |c: &Constant| match c {
                Constant::Number(n) => *n,
                Constant::Variable(name) => variable(name),
                Constant::Computed(c) => c.value(Concrete, variable),
            };
            let values = i.constants.as_ref().map(|c| [byte(&c[0]), byte(&c[1])]);
            p.constants = values.map(|values| Constants {
                values,
                address: None,
            });
            semantics.numbers(code(i), &mut p);
        }
        p
    };
    let (from, to) = (run(&rule.from), run(&rule.to));
    let layout = semantics.layout();
    let masks = live(layout, rule).unwrap_or([0; CELLS]);
    let mut differs = Vec::new();
    for (cell, mask) in (0..).zip(masks) {
        let (a, b) = (from.cell(cell) & mask, to.cell(cell) & mask);
        if a != b {
            differs.push((layout.cells[usize::from(cell)].name.to_owned(), a, b));
        }
    }
    differs.extend(differs_turned(layout, rule, [&from, &to]));
    let seen = |p: &Processor<Concrete, Numbers>| {
        let mut all = p.memory.written.clone();
        if rule.plain {
            // What is there in the end, and order at ports.
            all.retain(|w| w.0 == Space::Port);
            let mut ends: Vec<_> = from
                .memory
                .written
                .iter()
                .chain(&to.memory.written)
                .collect();
            ends.sort_unstable();
            ends.dedup_by_key(|w| (w.0, w.1));
            let ends = ends.into_iter().filter(|w| w.0 != Space::Port);
            all.extend(ends.map(|w| (w.0, w.1, p.memory.peek(w.0, w.1))));
        }
        let mut read = p.memory.read.clone();
        if rule.plain || rule.own {
            read.clear();
        }
        (all, read, p.memory.asked.clone(), p.memory.acts.clone())
    };
    let acts = seen(&from) != seen(&to);
    if differs.is_empty() && !acts {
        return Refusal::Unconfirmed;
    }
    let names = layout.cells.iter().map(|c| c.name.to_owned());
    let cells = names.zip(&problem.start);
    let variables = problem.variables.iter().map(|(n, t)| (format!("${n}"), t));
    let before = cells
        .chain(variables)
        .map(|(name, t)| (name, state.number(t) as u8));
    Refusal::Wrong(Counterexample {
        before: before.filter(|b| b.1 != 0).collect(),
        differs,
        acts,
    })
}
