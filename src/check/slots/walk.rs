//! Both programs word by word: each word of one runs with a word of the other, at the same
//! clock, with the next word fetched meanwhile. What a register or a cell of memory may be in
//! both is kept as [`Value`]s, of memory for all of the program at once.

use super::deeds::{Deeds, Input, Ran, Touch};
use super::value::{Choice, Pair, Value};
use super::words::{Word, Words};
use crate::check::doubt::{Doubt, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Effects;
use scrimp_isa::known::Byte;
use scrimp_isa::state::place;
use std::rc::Rc;

/// Most combinations of values of one word.
const MOST: usize = 4096;
/// Most doubts that are told.
const DOUBTS: usize = 100;
/// Most places at which words run beside each other.
const SPOTS: usize = 400_000;
/// Most combinations that are run in all, and how many more for each of those places: what may be
/// at one grows each time that it is run again.
const RUNS: (usize, usize) = (1_000_000, 200);

/// Where both are: the word that runs and the one that is fetched, in the old program and in
/// the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    run: (u16, u16),
    fetch: (u16, u16),
}

impl Spot {
    /// A word runs, and that behind it is fetched.
    pub fn at(old: u16, new: u16) -> Self {
        Self {
            run: (old, new),
            fetch: (old.wrapping_add(1), new.wrapping_add(1)),
        }
    }

    /// As it is right behind a reset: the first word is fetched again.
    pub fn again(old: u16, new: u16) -> Self {
        Self {
            run: (old, new),
            fetch: (old, new),
        }
    }
}

/// A word of both programs where they run it.
struct Now<'w> {
    spot: Spot,
    old: Word,
    new: Word,
    effects: Rc<Effects>,
    /// What it reads, with all that may be; none where nothing is known to come there yet.
    inputs: Vec<(Input, Vec<Choice>)>,
    /// Its constant.
    constant: Choice,
    touch: Touch,
    cells: &'w [Value],
}

/// What of a word's inputs is so in one run of it.
struct Case<'c> {
    chosen: Vec<(Input, Option<Choice>)>,
    now: &'c Now<'c>,
}

impl Case<'_> {
    /// Whether something of these may be another in the new program.
    fn differs(&self, of: Inputs) -> bool {
        let constant = of.has(place::IMMEDIATE) && self.now.constant.differs();
        let place = of.has(place::PC) && self.now.spot.fetch.0 != self.now.spot.fetch.1;
        let own = |c: &(Input, Option<Choice>)| c.0.is_in(of) && c.1.is_some_and(|c| c.differs());
        constant || place || self.chosen.iter().any(own)
    }

    /// Whether something of these is of an address, or computed from one.
    fn is_of_address(&self, of: Inputs) -> bool {
        let constant = of.has(place::IMMEDIATE) && self.now.constant.is_of_address();
        let own =
            |c: &(Input, Option<Choice>)| c.0.is_in(of) && c.1.is_some_and(|c| c.is_of_address());
        constant || self.chosen.iter().any(own)
    }

    /// Whether something of these is not known to come there yet.
    fn waits(&self, of: Inputs) -> bool {
        self.chosen.iter().any(|c| c.0.is_in(of) && c.1.is_none())
    }

    /// Halves of addresses among these.
    fn halves(&self, of: Inputs) -> Vec<Pair> {
        let constant = of.has(place::IMMEDIATE).then_some(self.now.constant);
        let own = self
            .chosen
            .iter()
            .filter(|c| c.0.is_in(of))
            .filter_map(|c| c.1);
        let pair = |c| match c {
            Choice::Pair(p) => Some(p),
            _ => None,
        };
        let all = own.chain(constant).filter_map(pair);
        all.filter(|p| p.of.is_some()).collect()
    }
}

/// The walk.
pub struct Walk<'w, 'p, 'a> {
    old: &'w Words<'p, 'a>,
    new: &'w Words<'p, 'a>,
    deeds: Deeds<'w>,
    known: FxHashMap<Spot, Vec<Value>>,
    open: Vec<Spot>,
    /// Combinations that were run.
    runs: usize,
    entries: Vec<Spot>,
    memory: FxHashMap<u32, Value>,
    readers: FxHashSet<Spot>,
    /// Cells that were read and that nothing is known to have written.
    unwritten: FxHashSet<u32>,
    changed: bool,
    /// What is done in doubt is told.
    judging: bool,
    pub(super) doubts: Vec<Doubt>,
}

impl<'w, 'p, 'a> Walk<'w, 'p, 'a> {
    /// Between two programs.
    pub fn new(old: &'w Words<'p, 'a>, new: &'w Words<'p, 'a>, deeds: Deeds<'w>) -> Self {
        Self {
            old,
            new,
            deeds,
            known: FxHashMap::default(),
            open: Vec::new(),
            runs: 0,
            entries: Vec::new(),
            memory: FxHashMap::default(),
            readers: FxHashSet::default(),
            unwritten: FxHashSet::default(),
            changed: false,
            judging: false,
            doubts: Vec::new(),
        }
    }

    /// Control may come there from anywhere.
    pub fn enter(&mut self, spot: Spot) {
        self.entries.push(spot);
    }

    fn begin(&mut self, spot: Spot) {
        let all = vec![Value::any(); self.deeds.cells()];
        self.come(spot, &all);
    }

    fn come(&mut self, spot: Spot, cells: &[Value]) {
        let Some(known) = self.known.get_mut(&spot) else {
            self.known.insert(spot, cells.to_vec());
            self.open.push(spot);
            return;
        };
        let mut more = false;
        for (k, c) in known.iter_mut().zip(cells) {
            more |= k.join(c);
        }
        if more {
            self.open.push(spot);
        }
    }

    /// Does all there is to do.
    pub fn run(&mut self) {
        self.settle();
        // What is known of memory now is all that there is: with it less is in doubt.
        self.known.clear();
        self.readers.clear();
        self.runs = 0;
        self.settle();
        self.judging = true;
        let mut all: Vec<Spot> = self.known.keys().copied().collect();
        all.sort_unstable_by_key(|s| (s.run, s.fetch));
        for spot in all {
            if self.doubts.len() >= DOUBTS {
                return;
            }
            if let Err(why) = self.step(spot) {
                self.doubt(why, spot);
            }
        }
    }

    /// Walks on until nothing more is found.
    fn settle(&mut self) {
        for spot in self.entries.clone() {
            self.begin(spot);
        }
        loop {
            while let Some(spot) = self.open.pop() {
                // What is in doubt now stays so.
                let _ = self.step(spot);
                let spots = self.known.len();
                if spots > SPOTS || self.runs > RUNS.0 + RUNS.1 * spots {
                    self.open.clear();
                    self.doubts
                        .push(Doubt::unknown("a program of too many ways"));
                    return;
                }
            }
            if !self.changed {
                self.as_at_first();
            }
            if !std::mem::take(&mut self.changed) {
                return;
            }
            self.open.extend(self.readers.iter().copied());
        }
    }

    /// What nobody writes is as it was when power came.
    fn as_at_first(&mut self) {
        let mut all: Vec<u32> = self.unwritten.drain().collect();
        all.retain(|a| !self.memory.contains_key(a));
        for a in all {
            self.write(a, &Value::any());
        }
    }

    fn doubt(&mut self, why: Why, spot: Spot) {
        let (at, old) = self.old.where_is(spot.run.0);
        let (new_at, new) = self.new.where_is(spot.run.1);
        let same = |d: &Doubt| (d.why, &d.old, &d.new) == (why, &old, &new);
        if !self.doubts.iter().any(same) {
            self.doubts.push(Doubt {
                why,
                old,
                new,
                at,
                new_at,
            });
        }
    }

    fn write(&mut self, at: u32, value: &Value) {
        let known = self.memory.entry(at).or_default();
        self.changed |= known.join(value);
    }

    /// The words of both; where nothing stands there is filler.
    fn words(&self, spot: Spot) -> Result<(Word, Word), Why> {
        let (old, new) = (self.old.get(spot.run.0), self.new.get(spot.run.1));
        match (old, new) {
            (Some(x), Some(y)) => Ok((*x, *y)),
            (None, None) => {
                let w = Word::filler(self.old.program.target.filler());
                Ok((w, w))
            }
            _ => Err(Why::Different),
        }
    }

    /// Runs the words of a spot in both programs.
    fn step(&mut self, spot: Spot) -> Result<(), Why> {
        // From behind the last word both come to address 0, at the same clock.
        let plain = spot == Spot::at(spot.run.0, spot.run.1) && spot.run.0 == spot.run.1;
        if plain && self.old.is_over(spot.run.0) && self.new.is_over(spot.run.1) {
            let cells = self.known.get(&spot).cloned().unwrap_or_default();
            self.come(Spot::at(0, 0), &cells);
            return Ok(());
        }
        let (old, new) = self.words(spot)?;
        // Only what a value fills may be another.
        if (old.number() ^ new.number()) & !(old.mask & new.mask) != 0 {
            return Err(Why::Different);
        }
        let effects = self.deeds.effects(old.bytes).ok_or(Why::Unknown)?;
        if self.deeds.effects(new.bytes).ok_or(Why::Unknown)? != effects {
            return Err(Why::Different);
        }
        let cells = self.known.get(&spot).cloned().unwrap_or_default();
        let touch = self.touch(old.bytes, &effects, &cells);
        let mut now = Now {
            spot,
            old,
            new,
            inputs: Vec::new(),
            constant: constant(&old, &new),
            touch,
            cells: &cells,
            effects,
        };
        now.inputs = self.inputs(&now);
        let goes = now.effects.branches;
        let mut after: Vec<Value> = cells.clone();
        for w in now.effects.writes.iter() {
            after[usize::from(w)] = Value::default();
        }
        for case in cases(&now)? {
            self.runs += 1;
            self.case(&case, &mut after)?;
        }
        self.shown(&now, &after)?;
        let targets = match goes {
            true => self.targets(&now)?,
            false => vec![behind(spot)],
        };
        for to in targets {
            let next = Spot {
                run: spot.fetch,
                fetch: to,
            };
            if !self.judging {
                self.come(next, &after);
            } else if !self.known.contains_key(&next) {
                return Err(Why::Unknown);
            }
        }
        Ok(())
    }

    /// Where a word touches memory, with what is known of registers.
    fn touch(&mut self, bytes: [u8; 2], effects: &Effects, cells: &[Value]) -> Touch {
        let known = |v: &Value| {
            let all = v.choices(false);
            let all = all.iter().map(|c| c.known(false));
            all.reduce(Byte::join).unwrap_or(Byte::UNKNOWN)
        };
        let known: Vec<Byte> = cells.iter().map(known).collect();
        self.deeds.touch(bytes, effects, &known)
    }

    /// All that a word reads, and what that may be.
    fn inputs(&mut self, now: &Now<'_>) -> Vec<(Input, Vec<Choice>)> {
        let reads = now.effects.reads();
        let mut out = Vec::new();
        for (c, v) in (0u8..).zip(now.cells) {
            let input = Input::Cell(c);
            if reads.has(c) {
                let half = now.effects.branches && self.deeds.is_half(now.old.bytes, input);
                out.push((input, v.choices(half)));
            }
        }
        if now.effects.reads_memory {
            self.readers.insert(now.spot);
            let half = now.effects.branches && self.deeds.is_half(now.old.bytes, Input::Memory);
            out.push((Input::Memory, self.reads(&now.touch).choices(half)));
        }
        out
    }

    /// What is in memory where a word reads it.
    fn reads(&mut self, touch: &Touch) -> Value {
        let Touch::At(all) = touch else {
            return Value::any();
        };
        if let [one] = all.as_slice() {
            let Some(mut found) = self.memory.get(one).cloned() else {
                self.unwritten.insert(*one);
                return Value::default();
            };
            // It may be as it was when power came.
            found.join(&Value::any());
            return found;
        }
        let mut known = all.iter().filter_map(|a| self.memory.get(a));
        let mut out = Value::any();
        if known.clone().any(Value::differs) {
            out.add(Choice::Lost);
        } else if known.any(Value::is_of_address) {
            out.add(Choice::Made(Byte::UNKNOWN));
        }
        out
    }

    /// One run of a word: what it leaves in registers and memory.
    fn case(&mut self, case: &Case<'_>, after: &mut [Value]) -> Result<(), Why> {
        let e = &case.now.effects;
        let ran = self.both(case)?;
        for w in e.writes.iter() {
            let flows = e.flows[usize::from(w)];
            if !case.waits(flows) {
                let value = |r: &Ran| r.cells[usize::from(w)];
                let left = left(case, flows, value(&ran.0), value(&ran.1));
                after[usize::from(w)].add(left);
            }
        }
        // Where it touches memory, and what it asks or tells outside, is the same.
        let outside = e.controls || e.input || e.output;
        if case.differs(e.pointers) || outside && case.differs(e.uses) {
            return Err(Why::Value);
        }
        if e.writes_memory {
            self.stores(case)?;
        }
        Ok(())
    }

    /// A run of a word in both.
    fn both(&self, case: &Case<'_>) -> Result<(Ran, Ran), Why> {
        let now = case.now;
        let run = |new: bool| {
            let word = if new { now.new } else { now.old };
            let fetch = if new {
                now.spot.fetch.1
            } else {
                now.spot.fetch.0
            };
            let (cells, memory) = registers(case, new);
            self.deeds
                .run(word.bytes, fetch, &cells, (&now.touch, memory))
        };
        let old = run(false).ok_or(Why::Unknown)?;
        let all = Inputs(u64::MAX);
        let new = match now.old.bytes == now.new.bytes && !case.differs(all) {
            true => old.clone(),
            false => run(true).ok_or(Why::Unknown)?,
        };
        Ok((old, new))
    }

    /// What a word writes into memory.
    fn stores(&mut self, case: &Case<'_>) -> Result<(), Why> {
        let now = case.now;
        let e = &now.effects;
        let of = e
            .uses
            .without(e.pointers.without(Inputs::one(place::IMMEDIATE)));
        if case.waits(of) {
            return Ok(());
        }
        let Touch::At(all) = &now.touch else {
            // It is taken to miss the cells by which control goes.
            return match case.differs(of) {
                true => Err(Why::Value),
                false => Ok(()),
            };
        };
        // The value does not depend on where it goes.
        let mut value = |new: bool| {
            let word = if new { now.new } else { now.old };
            let (mut cells, memory) = registers(case, new);
            for (c, b) in (0u8..).zip(&mut cells) {
                if e.pointers.has(c) && b.exact().is_none() {
                    *b = Byte::of(b.value);
                }
            }
            let touch = self.deeds.touch(word.bytes, e, &cells);
            let ran = self
                .deeds
                .run(word.bytes, now.spot.fetch.0, &cells, (&touch, memory))?;
            match &touch {
                Touch::At(one) => {
                    Some(ran.written(one.first().copied()?, self.deeds.semantics.mirrored()))
                }
                _ => None,
            }
        };
        let (old, new) = value(false).zip(value(true)).ok_or(Why::Unknown)?;
        let value = Value::of(left(case, of, old, new));
        for a in all.iter() {
            self.write(*a, &value);
        }
        Ok(())
    }

    /// What is seen outside when a register is set is the same.
    fn shown(&self, now: &Now<'_>, after: &[Value]) -> Result<(), Why> {
        let all = self.deeds.semantics.shown().iter();
        let mut own = all.filter(|s| now.effects.writes.has(s.0));
        let differs = own.any(|s| {
            let seen = usize::from(s.1);
            after[seen].differs() || s.0 != s.1 && now.cells[seen].differs()
        });
        match differs {
            true => Err(Why::Value),
            false => Ok(()),
        }
    }

    /// Where a jump may lead, in both.
    fn targets(&mut self, now: &Now<'_>) -> Result<Vec<(u16, u16)>, Why> {
        let fetch = now.spot.fetch;
        let ways =
            [(now.old, fetch.0), (now.new, fetch.1)].map(|(w, f)| self.deeds.ways(w.bytes, f));
        let uses = now.effects.uses;
        if let [Some(x), Some(y)] = ways {
            // The condition is the same.
            let conditional = x.0 || y.0;
            let constant = Inputs::one(place::IMMEDIATE).and(Inputs::one(place::PC));
            let of = uses.without(constant);
            for case in cases(now)? {
                if conditional && case.differs(of) {
                    return Err(Why::Value);
                }
            }
            if x.0 != y.0 {
                return Err(Why::Different);
            }
            let mut out = vec![(x.1, y.1)];
            out.extend(x.0.then_some(behind(now.spot)));
            return Ok(out);
        }
        let mut out = Vec::new();
        for case in cases(now)? {
            if !case.waits(uses) {
                self.goals(&case, &mut out)?;
            }
        }
        out.sort_unstable();
        out.dedup();
        Ok(out)
    }

    /// Where a jump leads whose goal is computed, in one case.
    fn goals(&self, case: &Case<'_>, out: &mut Vec<(u16, u16)>) -> Result<(), Why> {
        let uses = case.now.effects.uses;
        let lost = |c: &(Input, Option<Choice>)| c.0.is_in(uses) && c.1 == Some(Choice::Lost);
        if case.chosen.iter().any(lost) {
            return Err(Why::Astray);
        }
        let (old, new) = self.both(case)?;
        let (old, new) = (old.behind, new.behind);
        let halves = case.halves(uses);
        if let (Some(x), Some(y)) = (old.exact(), new.exact()) {
            // Halves of two addresses are those of one of them, or do not come together.
            let all: Vec<u16> = halves.iter().filter_map(|p| p.of).map(|a| a.0).collect();
            let apart = all.iter().any(|a| Some(a) != all.first());
            if !apart || all.contains(&x) {
                out.push((x, y));
            }
            return Ok(());
        }
        match (
            old.high.exact(),
            new.high.exact(),
            old.low.exact(),
            new.low.exact(),
        ) {
            // The half of an address in a page that is not known: that address, if its page
            // is what it was.
            (None, None, Some(x), Some(y)) => {
                // By a page that was computed it may be any.
                if self.is_computed(case) {
                    let goals = (0..=255u8).filter(|&p| old.high.allows(p));
                    let goal = |p: u8| [x, y].map(|l| u16::from_be_bytes([p, l]));
                    out.extend(
                        goals
                            .map(goal)
                            .filter(|g| self.is_there(g))
                            .map(|[x, y]| (x, y)),
                    );
                    return Ok(());
                }
                let own = |p: &&Pair| {
                    let low = |a: u16| (a & 0xff) as u8;
                    let of = p.of.is_some_and(|a| (low(a.0), low(a.1)) == (x, y));
                    of && (p.old, p.new) == (x, y)
                };
                let found = halves.iter().find(own).and_then(|p| p.of);
                let (x, y) = found.ok_or(Why::Astray)?;
                if x >> 8 != y >> 8 {
                    return Err(Why::Page);
                }
                out.push((x, y));
            }
            // Any word of a page, as far as there is one.
            (Some(p), Some(q), None, None) => {
                let low = (0..=255u8).filter(|&l| old.low.allows(l));
                let goal = |l: u8| [p, q].map(|h| u16::from_be_bytes([h, l]));
                let there =
                    |&[x, y]: &[u16; 2]| self.old.get(x).is_some() || self.new.get(y).is_some();
                out.extend(low.map(goal).filter(there).map(|[x, y]| (x, y)));
            }
            _ => return Err(Why::Astray),
        }
        Ok(())
    }
}

impl Walk<'_, '_, '_> {
    /// Whether something stands there in one of the programs.
    fn is_there(&self, &[x, y]: &[u16; 2]) -> bool {
        self.old.get(x).is_some() || self.new.get(y).is_some()
    }

    /// Whether a goal is computed from addresses.
    fn is_computed(&self, case: &Case<'_>) -> bool {
        let uses = case.now.effects.uses;
        let mut all = case.chosen.iter().filter(|c| c.0.is_in(uses));
        all.any(|c| matches!(c.1, Some(Choice::Made(_))))
    }
}

/// The words behind those that are fetched.
fn behind(spot: Spot) -> (u16, u16) {
    (spot.fetch.0.wrapping_add(1), spot.fetch.1.wrapping_add(1))
}

/// The constant of a word in both.
fn constant(old: &Word, new: &Word) -> Choice {
    let mask = old.mask & new.mask;
    if mask == 0 {
        return Choice::Same(Byte::UNKNOWN);
    }
    let value = |w: &Word| ((w.number() & mask) >> mask.trailing_zeros()) as u8;
    let (x, y) = (value(old), value(new));
    let of = old.names.zip(new.names).filter(|&(p, q)| {
        let half = |by: u32| (p >> by) as u8 == x && (q >> by) as u8 == y;
        half(0) || half(8)
    });
    Choice::Pair(Pair { old: x, new: y, of })
}

/// All combinations of what a word reads.
fn cases<'n>(now: &'n Now<'n>) -> Result<Vec<Case<'n>>, Why> {
    let mut all: Vec<Vec<(Input, Option<Choice>)>> = vec![Vec::new()];
    for (input, choices) in &now.inputs {
        let choices: Vec<Option<Choice>> = match choices.is_empty() {
            true => vec![None],
            false => choices.iter().map(|&c| Some(c)).collect(),
        };
        if all.len() * choices.len() > MOST {
            return Err(Why::Unknown);
        }
        let with = |before: &Vec<(Input, Option<Choice>)>, c| {
            let mut out = before.clone();
            out.push((*input, c));
            out
        };
        let more = all
            .iter()
            .flat_map(|b| choices.iter().map(move |&c| with(b, c)));
        all = more.collect();
    }
    Ok(all.into_iter().map(|chosen| Case { chosen, now }).collect())
}

/// Registers and the byte of memory in a case.
fn registers(case: &Case<'_>, new: bool) -> (Vec<Byte>, Byte) {
    let mut cells = vec![Byte::UNKNOWN; case.now.cells.len()];
    let mut memory = Byte::UNKNOWN;
    for &(input, choice) in &case.chosen {
        let known = choice.map_or(Byte::UNKNOWN, |c| c.known(new));
        match input {
            Input::Cell(c) => cells[usize::from(c)] = known,
            Input::Memory => memory = known,
        }
    }
    (cells, memory)
}

/// What a word leaves that depends on some of what it reads.
fn left(case: &Case<'_>, of: Inputs, old: Byte, new: Byte) -> Choice {
    let exact = old.exact().zip(new.exact());
    // What is passed on as it is stays half of that address.
    let halves = case.halves(of);
    if let ([one], Some(both)) = (halves.as_slice(), exact)
        && both == (one.old, one.new)
    {
        return Choice::Pair(*one);
    }
    if !case.differs(of) {
        return match case.is_of_address(of) {
            true => Choice::Made(old),
            false => Choice::Same(old),
        };
    }
    match exact {
        Some((old, new)) => Choice::Pair(Pair { old, new, of: None }),
        None => Choice::Lost,
    }
}
