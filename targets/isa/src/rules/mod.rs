//! Rules: short sequences of instructions that another sequence may take the place of,
//! each proven from the meaning of the instructions.
//!
//! A line of a rule text is `NAME: FROM => TO | CLAUSE | …`, with ` / ` between
//! instructions and `#` before remarks. The clauses:
//!
//! - `dead PLACES`: registers and flags whose values behind the sequence nobody reads
//!   (`f` is all flags of F, `f.z` one);
//! - `assume PLACE = VALUE …`: what is known before it; the value is a number, a place or
//!   a variable;
//! - `pointed FIRST LAST`: between which data addresses pointers that are not certain lie;
//! - `plain`: memory is plain; what counts is what it holds in the end, not the order of
//!   the stores;
//! - `turns PLACE = PLACE`, or `= not PLACE`: a flag that one jump on a condition behind the
//!   sequence looks at, and nobody else, and the flag that it looks at instead, or at whose
//!   opposite;
//! - `own`: what it reads of memory more, less or in another order is data of the program;
//! - `for r b c d`: one rule for each, with `{r}` for it.
//!
//! Constants may be variables: `$n` for a byte, `$nn` for a word, `$nn.l` and `$nn.h` for
//! its bytes, `$h:$l` for a word of two. What is proven holds for all their values. What a rule
//! puts in may compute them: `-$n`, or two with `+`, `-`, ` and `, ` or ` or ` xor ` between
//! them, of which one may be a number, or `$n.s`, a byte with a sign where a word is wanted.
//!
//! A proof is not made anew each time: [`certify`] writes a line for each rule with the
//! kind of its proof and a hash of what was proven, the formulas; [`load`] makes the
//! formulas again and refuses rules whose hash is not that of a certificate. Where a solver
//! found the proof its steps stand behind the hash: each follows by unit propagation from
//! those before it, which [`check`] sees without a solver.

mod constant;
mod encode;
mod prove;
mod refute;
pub mod search;
mod solve;

pub use constant::{Computed, Constant, Operation};
pub use encode::{Instruction, encode};
pub use prove::{Certificate, Counterexample, Proof, Refusal, check, hash, prove, prove_within};

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::{Semantics, Target};

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name; of those made by `for` with the choice.
    pub name: String,
    /// What may be replaced.
    pub from: Vec<Instruction>,
    /// By what.
    pub to: Vec<Instruction>,
    /// Cells or locations whose values behind it do not matter.
    pub dead: Vec<String>,
    /// What is known before it: a location, and a number, location or variable.
    pub assumed: Vec<(String, String)>,
    /// Where pointers lie.
    pub pointed: RangeInclusive<u16>,
    /// The order of stores does not matter.
    pub plain: bool,
    /// What is read may be read more often, less or in another order: it is no device.
    pub own: bool,
    /// The flag that a jump behind it looks at, and the one that has its value then.
    pub turned: Option<Turned>,
}

/// A flag that another takes the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    /// The flag behind the first sequence.
    pub old: String,
    /// The flag behind the second one.
    pub new: String,
    /// It is its opposite.
    pub opposite: bool,
}

/// What is wrong with a rule text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// What.
    pub message: String,
}

/// Reads a rule text.
///
/// # Errors
/// The first line that is no rule.
pub fn parse(target: &dyn Target, text: &str) -> Result<Vec<Rule>, Fault> {
    let mut rules = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let fault = |message| Fault {
            line: n + 1,
            message,
        };
        for (name, line) in expanded(line).map_err(fault)? {
            rules.push(rule(target, name, &line).map_err(fault)?);
        }
    }
    Ok(rules)
}

/// A line without its `for` clauses, once for each choice.
fn expanded(line: &str) -> Result<Vec<(String, String)>, String> {
    let (name, rest) = line.split_once(": ").ok_or("a rule begins with its name")?;
    let mut clauses: Vec<&str> = rest.split('|').map(str::trim).collect();
    let mut all = vec![(name.trim().to_owned(), String::new())];
    let choices: Vec<&str> = clauses
        .iter()
        .filter_map(|c| c.strip_prefix("for "))
        .collect();
    clauses.retain(|c| !c.starts_with("for "));
    for (_, line) in &mut all {
        *line = clauses.join("|");
    }
    for choice in choices {
        let mut words = choice.split_whitespace();
        let variable = words.next().ok_or("`for` needs a name")?;
        let words: Vec<&str> = words.collect();
        let hole = format!("{{{variable}}}");
        let one = |(name, line): &(String, String)| {
            let fill = |w: &&str| (format!("{name} {w}"), line.replace(&hole, w));
            words.iter().map(fill).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(one).collect();
    }
    Ok(all)
}

fn rule(target: &dyn Target, name: String, line: &str) -> Result<Rule, String> {
    let mut clauses = line.split('|').map(str::trim);
    let body = clauses.next().unwrap_or("");
    let (from, to) = body.split_once("=>").ok_or("a rule has a `=>`")?;
    let sequence = |text: &str| -> Result<Vec<Instruction>, String> {
        let parts = text.split(" / ").map(str::trim).filter(|t| !t.is_empty());
        parts.map(|t| encode(target, t)).collect()
    };
    let from = sequence(from)?;
    let mut taken = from.iter().flat_map(|i| &i.constants).flatten();
    if taken.any(|c| matches!(c, Constant::Computed(_))) {
        return Err("what may be replaced has no computed constants".to_owned());
    }
    let mut rule = Rule {
        name,
        from,
        to: sequence(to)?,
        dead: Vec::new(),
        assumed: Vec::new(),
        pointed: 0..=0xffff,
        plain: false,
        own: false,
        turned: None,
    };
    for clause in clauses {
        let words: Vec<&str> = clause.split_whitespace().collect();
        match words.as_slice() {
            ["dead", places @ ..] => rule.dead.extend(places.iter().map(|&p| p.to_owned())),
            ["assume", place, "=", value] => {
                rule.assumed
                    .push(((*place).to_owned(), (*value).to_owned()));
            }
            ["pointed", first, last] => {
                let number = |t| constant::number(t).and_then(|n| u16::try_from(n).ok());
                let (first, last) = (number(first), number(last));
                rule.pointed = first.ok_or("no address")?..=last.ok_or("no address")?;
            }
            ["turns", old, "=", rest @ ..] => {
                let (new, opposite) = match rest {
                    ["not", new] => (new, true),
                    [new] => (new, false),
                    _ => return Err("`turns` needs two flags".to_owned()),
                };
                rule.turned = Some(Turned {
                    old: (*old).to_owned(),
                    new: (*new).to_owned(),
                    opposite,
                });
            }
            ["plain"] => rule.plain = true,
            ["own"] => rule.own = true,
            _ => return Err(format!("no such clause: `{clause}`")),
        }
    }
    Ok(rule)
}

/// Proves all rules and writes their certificates.
///
/// # Errors
/// The rules that are not proven, with why.
pub fn certify(
    semantics: &dyn Semantics,
    rules: &[Rule],
) -> Result<String, Vec<(String, Refusal)>> {
    let mut text = String::new();
    let mut refused = Vec::new();
    for rule in rules {
        match prove_within(semantics, rule, u64::MAX) {
            Ok(certificate) => text.push_str(&format!("{}: {certificate}\n", rule.name)),
            Err(why) => refused.push((rule.name.clone(), why)),
        }
    }
    if refused.is_empty() {
        Ok(text)
    } else {
        Err(refused)
    }
}

/// The rules whose formulas are those of a certificate, and the names of the others.
pub fn load(
    semantics: &dyn Semantics,
    rules: Vec<Rule>,
    certificates: &str,
) -> (Vec<Rule>, Vec<String>) {
    let lines = certificates.lines().filter_map(|l| l.split_once(": "));
    let known: BTreeMap<&str, &str> = lines
        .filter_map(|(name, rest)| Some((name, rest.split(' ').nth(1)?)))
        .collect();
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    for rule in rules {
        let now = hash(semantics, &rule).map(|h| format!("{h:032x}"));
        match (now, known.get(rule.name.as_str())) {
            (Ok(now), Some(&then)) if now == then => good.push(rule),
            _ => refused.push(rule.name),
        }
    }
    (good, refused)
}
