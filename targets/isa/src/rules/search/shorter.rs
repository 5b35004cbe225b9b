//! The search itself: the shortest sequence that does what a window does.

use std::collections::BTreeMap;

use super::Lab;
use super::alphabet::{Template, variables};
use super::general::{takes, width};
use super::goal::{Chosen, Goal};
use super::states::{SAMPLES, Sampled, State, byte, run, step};
use crate::depend::Inputs;
use crate::rules::prove::prove_within;
use crate::rules::{Constant, Instruction, Refusal, Rule};
use crate::semantics::Code;
use crate::state::{CELLS, Holds, Layout, Location};

/// So often a proof is tried with more that nobody reads.
const MOST_WEAKENED: usize = 8;
/// Replacements that are the same on 64 states and are not proven, at most.
const MOST_REFUSED: usize = 40;
/// Replacements of one size that are compared, at most.
const MOST_FOUND: usize = 8;

/// A template with constants.
struct Choice<'t> {
    template: &'t Template,
    constants: Vec<Chosen>,
    /// Their values in all states.
    values: Option<[[u64; 8]; 2]>,
}

impl Choice<'_> {
    fn text(&self) -> String {
        let all: Vec<&str> = self.constants.iter().map(|c| c.text.as_str()).collect();
        self.template.text(&all)
    }
}

/// What is tried, and how much still may be.
struct Search<'s> {
    lab: &'s Lab<'s>,
    goal: &'s Goal<'s>,
    choices: &'s [Choice<'s>],
    runs: u64,
    refused: usize,
    taken: Vec<usize>,
    /// What is proven, of the size that is tried.
    found: Vec<Rule>,
    /// Of each cell its locations.
    of_cell: Vec<Vec<Location>>,
}

impl Lab<'_> {
    /// The shortest sequence that does the same as this one, as a rule with the least that
    /// nobody may read.
    pub(super) fn shorter(&self, from: &[String], dead: &[String]) -> Option<Rule> {
        let rule = self.rule(from, &[], dead)?;
        if !takes(self.semantics, &rule) {
            return None;
        }
        let goal = self.goal(&rule)?;
        let choices = self.choices(&goal);
        let mut search = Search {
            lab: self,
            goal: &goal,
            choices: &choices,
            runs: self.effort.runs,
            refused: 0,
            taken: Vec::new(),
            found: Vec::new(),
            of_cell: locations(self.semantics.layout()),
        };
        let start = Sampled::of(&State {
            cells: goal.before,
            written: Vec::new(),
        });
        // More than two are shorter only where they are fewer.
        let count = goal.from.len();
        let left = if count > 2 { count - 1 } else { count };
        let left = left.min(self.effort.instructions);
        for size in 0..goal.bytes {
            search.deeper(&start, size, left, Inputs::NONE);
            // Of those of one size that which asks least of its place.
            let best = search.found.drain(..).min_by_key(|r| r.dead.len());
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// Whether the variables of a rule fit into the fields behind the arrow.
    pub(super) fn fits(&self, rule: &Rule) -> bool {
        let widths = self.widths(&rule.from);
        rule.to.iter().all(|i| {
            variables(i).all(|name| {
                let half = name.contains('.') || halved(&i.text, name);
                let own = if half {
                    8
                } else {
                    width(self.target, &i.text, name)
                };
                widths.get(name).is_some_and(|&w| w <= own)
            })
        })
    }

    /// The bits that the variables of a sequence surely have at most.
    fn widths(&self, from: &[Instruction]) -> BTreeMap<String, u8> {
        let mut out = BTreeMap::new();
        for i in from {
            for name in variables(i) {
                let own = match name.contains('.') || halved(&i.text, name) {
                    true => 8,
                    false => width(self.target, &i.text, name),
                };
                let least = out.entry(name.to_owned()).or_insert(own);
                *least = own.min(*least);
            }
        }
        out
    }

    /// What a window does, on 64 states.
    fn goal<'g>(&self, rule: &'g Rule) -> Option<Goal<'g>> {
        let layout = self.semantics.layout();
        let mut before = [[0; 8]; CELLS];
        for (n, (cell, c)) in before.iter_mut().zip(layout.cells).enumerate() {
            if matches!(c.holds, Holds::Byte | Holds::Flags(..)) {
                *cell = byte(n as u64 + 1);
            }
        }
        let widths = self.widths(&rule.from);
        let variables = (100..).zip(widths).map(|(seed, (name, bits))| {
            let mut v = byte(seed);
            v[usize::from(bits.min(8))..].fill(0);
            (name, (v, bits))
        });
        let start = State {
            cells: before,
            written: Vec::new(),
        };
        let mut goal = Goal {
            sampled: Sampled::of(&start),
            bytes: rule.from.iter().map(|i| i.bytes.len()).sum(),
            from: &rule.from,
            variables: variables.collect(),
            before,
            behind: start,
            masks: crate::rules::prove::live(layout, rule).ok()?,
            writable: Inputs::NONE,
            readable: Inputs::NONE,
            reads_memory: false,
            writes_memory: false,
            input: false,
            output: false,
            reads_program: false,
            dead: &rule.dead,
        };
        for i in &rule.from {
            let code = Code {
                bytes: &i.bytes,
                address: 0,
            };
            let e = self.semantics.effects(code, 0..=0xffff)?;
            let memory = e.reads_memory || e.writes_memory || e.reads_program;
            let acts = memory || e.input || e.output;
            let quiet = layout.of_cells(layout.quiet);
            // What does nothing at all is there for its time.
            let idle = !acts && e.writes.without(quiet).is_empty();
            if e.branches || e.controls || idle {
                return None;
            }
            goal.writable = goal.writable.and(e.writes);
            goal.readable = goal.readable.and(e.reads()).and(e.writes);
            goal.reads_memory |= e.reads_memory;
            goal.writes_memory |= e.writes_memory;
            goal.input |= e.input;
            goal.output |= e.output;
            goal.reads_program |= e.reads_program;
            let constants = i.constants.as_ref().map(|c| &c[..]).unwrap_or(&[]);
            let values = goal.values(constants);
            let next = step(self.semantics, i, values, &goal.behind)?;
            goal.behind = next;
        }
        goal.sampled = Sampled::of(&goal.behind);
        goal.readable = goal.readable.and(goal.scratch(layout, &self.alphabet.list));
        let quiet = layout.of_cells(layout.quiet);
        goal.writable = goal
            .writable
            .and(goal.readable)
            .and(dead(layout, &goal.masks, &goal.readable))
            .and(quiet);
        Some(goal)
    }

    /// Instructions that a replacement may have.
    fn choices<'s>(&'s self, goal: &Goal<'_>) -> Vec<Choice<'s>> {
        let mut out = Vec::new();
        for template in &self.alphabet.list {
            let e = &template.effects;
            let more = e.reads_memory && !goal.reads_memory
                || e.writes_memory && !goal.writes_memory
                || e.input && !goal.input
                || e.output && !goal.output
                || e.reads_program && !goal.reads_program
                || template.instruction.bytes.len() >= goal.bytes;
            if more || !e.writes.without(goal.writable).is_empty() || !goal.knows(template.reads) {
                continue;
            }
            let pools: Vec<Vec<Chosen>> = template.slots.iter().map(|s| goal.pool(s)).collect();
            let mut all: Vec<Vec<Chosen>> = vec![Vec::new()];
            for pool in &pools {
                let longer = |all: &Vec<Chosen>| {
                    let all = all.clone();
                    pool.iter()
                        .map(move |c| [&all[..], std::slice::from_ref(c)].concat())
                };
                all = all.iter().flat_map(longer).collect();
            }
            out.extend(all.into_iter().map(|constants| {
                let bytes: Vec<Constant> = constants.iter().flat_map(|c| c.bytes.clone()).collect();
                Choice {
                    template,
                    values: goal.values(&bytes),
                    constants,
                }
            }));
        }
        out
    }
}

/// Whether a variable is half of a word there.
fn halved(text: &str, name: &str) -> bool {
    let mut words = text.split([' ', ',', '(', ')', '+', '[', ']']);
    words.any(|w| {
        w.contains(':')
            && w.split(':')
                .any(|half| half.strip_prefix('$') == Some(name))
    })
}

/// Of each cell its locations.
fn locations(layout: &Layout) -> Vec<Vec<Location>> {
    let mut out = vec![Vec::new(); CELLS];
    for l in layout.locations() {
        out[usize::from(l.cell)].push(l);
    }
    out
}

/// Locations that nobody reads, of flags and of some registers.
fn dead(layout: &Layout, masks: &[u8; CELLS], registers: &Inputs) -> Inputs {
    let mut all = Inputs::NONE;
    for l in layout.locations() {
        let mask = masks[usize::from(l.cell)];
        let dead = l.bit.map_or(mask == 0, |b| mask >> b & 1 == 0);
        if dead && (l.bit.is_some() || registers.has(l.number)) {
            all = all.and(Inputs::one(l.number));
        }
    }
    all
}

impl Search<'_> {
    /// Sequences of just so many bytes more.
    fn deeper(&mut self, now: &Sampled, size: usize, left: usize, written: Inputs) {
        if size == 0 {
            // Nothing at all.
            let same = |n| self.goal.sample_reached(n, &now.cells[n], &now.written[n]);
            if (0..SAMPLES.len()).all(same) {
                self.proven();
            }
            return;
        }
        if left == 0 {
            return;
        }
        let missing = self.goal.missing(&self.of_cell, now);
        let most = |all: &Sampled| all.written.iter().map(Vec::len).max();
        let stores = most(now) < most(&self.goal.sampled);
        let known = self.goal.readable.and(written);
        let choices = self.choices;
        for (n, choice) in choices.iter().enumerate() {
            let t = choice.template;
            let bytes = t.instruction.bytes.len();
            // The list is in order of size.
            if bytes > size {
                break;
            }
            let last = bytes == size;
            let short = last && !missing.without(t.effects.writes).is_empty()
                || last && stores && !(t.effects.writes_memory || t.effects.output)
                || !last && left == 1;
            if short || !self.reads_known(t.reads, known) {
                continue;
            }
            if self.runs == 0 || self.refused == MOST_REFUSED || self.found.len() == MOST_FOUND {
                return;
            }
            self.runs -= 1;
            self.taken.push(n);
            if last && self.ends(now, choice) {
                self.proven();
            }
            if let Some(next) = (!last).then(|| self.goes_on(now, choice)).flatten() {
                let written = written.and(t.effects.writes);
                self.deeper(&next, size - bytes, left - 1, written);
            }
            self.taken.pop();
        }
    }

    /// The last instruction: whether all is as the window leaves it.
    fn ends(&self, now: &Sampled, choice: &Choice<'_>) -> bool {
        (0..SAMPLES.len()).all(|n| {
            let at = (n, &now.cells[n], &now.written[n][..]);
            let (i, values) = (&choice.template.instruction, choice.values);
            let behind = run(self.lab.semantics, i, values, at);
            behind.is_some_and(|(cells, written)| self.goal.sample_reached(n, &cells, &written))
        })
    }

    /// Another instruction before the last; nothing where it changes nothing.
    fn goes_on(&self, now: &Sampled, choice: &Choice<'_>) -> Option<Sampled> {
        let mut next = now.clone();
        for n in 0..SAMPLES.len() {
            let at = (n, &now.cells[n], &now.written[n][..]);
            let (i, values) = (&choice.template.instruction, choice.values);
            (next.cells[n], next.written[n]) = run(self.lab.semantics, i, values, at)?;
            if !self.goal.sampled.written[n].starts_with(&next.written[n]) {
                return None;
            }
        }
        let same = next.cells == now.cells && next.written == now.written;
        (!same).then_some(next)
    }

    /// Whether what was found does the same on all 64 states.
    fn holds(&self) -> bool {
        let mut now = State {
            cells: self.goal.before,
            written: Vec::new(),
        };
        for &n in &self.taken {
            let choice = &self.choices[n];
            let i = &choice.template.instruction;
            match step(self.lab.semantics, i, choice.values, &now) {
                Some(next) => now = next,
                None => return false,
            }
        }
        self.goal.reached(&now)
    }

    fn reads_known(&self, reads: Inputs, known: Inputs) -> bool {
        let others = !((1u64 << crate::state::place::OTHERS) - 1);
        reads.without(known).without(Inputs(others)).is_empty()
    }

    /// Keeps what was found, if it is proven; with the least that nobody may read.
    fn proven(&mut self) {
        if !self.holds() {
            return;
        }
        let lab = self.lab;
        let to: Vec<String> = self.taken.iter().map(|&n| self.choices[n].text()).collect();
        let from = super::texts(self.goal.from);
        let whole = lab.rule(&from, &to, self.goal.dead);
        let size = |list: &[Instruction]| list.iter().map(|i| i.bytes.len()).sum::<usize>();
        let good = |r: &Rule| size(&r.to) < size(&r.from) && lab.fits(r);
        let Some(whole) = whole.filter(good) else {
            return;
        };
        // What it reads otherwise may have to be data of the program.
        let own = Rule {
            own: true,
            turned: None,
            ..whole.clone()
        };
        let proven = |r: &Rule| prove_within(lab.semantics, r, lab.effort.clauses).is_ok();
        match [whole, own].into_iter().find(proven) {
            Some(rule) => self.found.push(self.least(rule)),
            None => self.refused += 1,
        }
    }

    /// The rule with the least that nobody may read: what differs in some state.
    fn least(&self, whole: Rule) -> Rule {
        let lab = self.lab;
        let layout = lab.semantics.layout();
        let mut rule = whole.clone();
        rule.dead.clear();
        for _ in 0..MOST_WEAKENED {
            match prove_within(lab.semantics, &rule, lab.effort.clauses) {
                Ok(_) => return rule,
                Err(Refusal::Wrong(c)) => {
                    let more = c
                        .differs
                        .iter()
                        .flat_map(|(name, a, b)| differing(layout, name, a ^ b));
                    let before = rule.dead.len();
                    for name in more {
                        if !rule.dead.contains(&name) {
                            rule.dead.push(name);
                        }
                    }
                    if rule.dead.len() == before {
                        return whole;
                    }
                }
                Err(_) => return whole,
            }
        }
        whole
    }
}

/// The locations of a cell in which some bits differ.
fn differing(layout: &Layout, name: &str, bits: u8) -> Vec<String> {
    let Some(cell) = layout.cells.iter().position(|c| c.name == name) else {
        return Vec::new();
    };
    match layout.cells[cell].holds {
        Holds::Flags(first, names) => (0..names.len() as u8)
            .filter(|b| bits >> b & 1 == 1)
            .map(|b| layout.name(first + b))
            .collect(),
        _ => vec![name.to_owned()],
    }
}
