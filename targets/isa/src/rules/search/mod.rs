//! Rules that are found: shorter sequences that do the same as a window of a real program,
//! as far as anybody looks at it.
//!
//! Candidates are made of the instructions of the target that change nothing but what the
//! window changes or nobody reads. Each is run on 64 states beside the window's; what does
//! the same there goes to the prover. What is found depends on the window alone: jobs of
//! some windows each need nothing of each other, and what they find can be put together in
//! any order ([`merge`]).

mod alphabet;
mod general;
mod goal;
mod merge;
mod shorter;
mod states;
mod window;

pub use alphabet::{Alphabet, spell};
pub use merge::{Merged, Wrong, merge};
pub use window::{Fault, Window, windows};

use super::{Rule, encode};
use crate::{Semantics, Target};

/// How much is tried for a window.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Instructions of a replacement, at most.
    pub instructions: usize,
    /// Instructions that are run on 64 states, at most.
    pub runs: u64,
    /// Clauses that the solver may learn for a proof.
    pub clauses: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            instructions: 3,
            runs: 200_000,
            clauses: 20_000,
        }
    }
}

/// What a search works with: a target, its instructions, their meaning.
pub struct Lab<'t> {
    target: &'t dyn Target,
    semantics: &'t dyn Semantics,
    alphabet: Alphabet,
    effort: Effort,
}

impl<'t> Lab<'t> {
    /// Makes the instructions of a target ready.
    pub fn new(target: &'t dyn Target, semantics: &'t dyn Semantics, effort: Effort) -> Self {
        Self {
            alphabet: Alphabet::of(target, semantics),
            target,
            semantics,
            effort,
        }
    }

    /// The rules that a window shows, as lines of a rule text; the most general one that was
    /// found, or none.
    pub fn rules(&self, window: &Window) -> Option<String> {
        let texts = &window.from;
        // For all constants at once, if that can be; else for these.
        let (open, names) = general::opened(self.target, texts);
        let found = match names.is_empty() {
            true => None,
            false => self.shorter(&open, &window.dead),
        };
        let rule = match found {
            Some(rule) => rule,
            None => general::widened(self, self.shorter(texts, &window.dead)?),
        };
        Some(line(&rule))
    }

    /// A rule by its texts.
    fn rule(&self, from: &[String], to: &[String], dead: &[String]) -> Option<Rule> {
        let all = |list: &[String]| -> Option<Vec<_>> {
            list.iter().map(|t| encode(self.target, t).ok()).collect()
        };
        Some(Rule {
            name: String::new(),
            from: all(from)?,
            to: all(to)?,
            dead: dead.to_vec(),
            assumed: Vec::new(),
            pointed: 0..=0xffff,
            plain: false,
            own: false,
            turned: None,
        })
    }
}

/// The texts of a sequence.
fn texts(list: &[super::Instruction]) -> Vec<String> {
    list.iter().map(|i| i.text.clone()).collect()
}

/// A rule as a line of a rule text, with a name that is made of what it says.
fn line(rule: &Rule) -> String {
    let side = |list: &[super::Instruction]| texts(list).join(" / ");
    let mut body = format!("{} => {}", side(&rule.from), side(&rule.to));
    body.truncate(body.trim_end().len());
    if !rule.dead.is_empty() {
        body = format!("{body} | dead {}", rule.dead.join(" "));
    }
    if rule.own {
        body.push_str(" | own");
    }
    let first = |i: &super::Instruction| i.text.split(' ').next().unwrap_or("").to_owned();
    let words: Vec<String> = rule.from.iter().map(first).collect();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for b in body.bytes() {
        // FNV-1a.
        hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{}-{:06x}: {body}", words.join("-"), hash >> 40)
}
