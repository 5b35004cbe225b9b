//! What several jobs found, as one rule base: the same in whatever order it comes.

use std::collections::BTreeMap;

use crate::depend::Inputs;
use crate::rules::{Instruction, Refusal, Rule, check, parse, prove_within};
use crate::semantics::Code;
use crate::state::Layout;
use crate::{Semantics, Target};

/// What became of rules that were put together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The rules, as a rule text; behind each how it was proven, and the hash of that.
    pub text: String,
    /// How many.
    pub kept: usize,
    /// Those that others make needless.
    pub needless: usize,
}

/// Why what was found elsewhere is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The text is no rule.
    Text(String),
    /// A rule is not proven.
    Proof(String, Refusal),
    /// A rule is proven, but its certificate is of something else.
    Certificate(String),
}

/// Puts rules together. All are proven anew, and compared with the certificates that stand
/// behind them. Those that rules of the target or others of them make needless are left out.
///
/// # Errors
/// What of it is no rule, or not proven.
pub fn merge(
    target: &dyn Target,
    semantics: &dyn Semantics,
    texts: &[&str],
) -> Result<Merged, Wrong> {
    let mut lines: Vec<&str> = texts
        .iter()
        .flat_map(|t| t.lines())
        .map(str::trim)
        .collect();
    lines.retain(|l| !l.is_empty() && !l.starts_with('#'));
    lines.sort_unstable();
    lines.dedup();
    let mut all: Vec<(String, Rule)> = Vec::new();
    for line in lines {
        let (body, remark) = line.split_once('#').unwrap_or((line, ""));
        let rules = parse(target, body).map_err(|f| Wrong::Text(f.message))?;
        let Ok([rule]) = <[Rule; 1]>::try_from(rules) else {
            return Err(Wrong::Text(format!("more than one rule: `{line}`")));
        };
        let mut words = remark.split_whitespace().skip(2);
        let proven = match words.next() {
            Some(steps) => check(semantics, &rule, steps),
            None => prove_within(semantics, &rule, u64::MAX),
        };
        let now = proven.map_err(|why| Wrong::Proof(rule.name.clone(), why))?;
        let now = now.to_string();
        if !remark.trim().is_empty() && remark.trim() != now {
            return Err(Wrong::Certificate(rule.name));
        }
        all.push((format!("{} # {now}\n", body.trim()), rule));
    }
    all.sort_by(|a, b| key(a).cmp(&key(b)));
    all.dedup_by(|b, a| a.0 == b.0);
    let mut base = parse(target, target.rules().rules).unwrap_or_default();
    base.retain(|r| r.assumed.is_empty() && r.turned.is_none());
    base.retain(|r| !r.plain && r.pointed == (0..=0xffff));
    let mut merged = Merged::default();
    for (line, rule) in all {
        match base.iter().any(|b| covers(semantics, b, &rule)) {
            true => merged.needless += 1,
            false => {
                merged.text.push_str(&line);
                merged.kept += 1;
                base.push(rule);
            }
        }
    }
    Ok(merged)
}

/// General rules come before those that they make needless.
fn key((line, rule): &(String, Rule)) -> (usize, std::cmp::Reverse<i64>, usize, usize, &str) {
    let numbers = rule.from.iter().filter(|i| i.constants.is_none()).count();
    let saves = std::cmp::Reverse(saves(rule));
    (rule.from.len(), saves, rule.dead.len(), numbers, line)
}

fn saves(rule: &Rule) -> i64 {
    let size = |list: &[Instruction]| list.iter().map(|i| i.bytes.len() as i64).sum::<i64>();
    size(&rule.from) - size(&rule.to)
}

/// Whether wherever the second rule can be used the first can, and saves as much.
fn covers(semantics: &dyn Semantics, a: &Rule, b: &Rule) -> bool {
    if saves(a) < saves(b) || a.from.len() > b.from.len() || a.from.is_empty() {
        return false;
    }
    if a.own && !b.own {
        return false;
    }
    let layout = semantics.layout();
    (0..=b.from.len() - a.from.len()).any(|at| {
        let part = &b.from[at..at + a.from.len()];
        let mut bound = BTreeMap::new();
        let same = a.from.iter().zip(part);
        let fits = same
            .into_iter()
            .all(|(a, b)| unify(&a.text, &b.text, &mut bound));
        fits && {
            let live = live_at(semantics, &b.from[at + part.len()..], &b.dead);
            let needed = places(layout, &a.dead);
            live.is_some_and(|live| live.0 & needed.0 == 0)
        }
    })
}

/// What is live before the rest of a sequence, when these are not behind it.
fn live_at(semantics: &dyn Semantics, rest: &[Instruction], dead: &[String]) -> Option<Inputs> {
    let layout = semantics.layout();
    let quiet = layout.of_cells(layout.quiet);
    let mut live = Inputs(u64::MAX >> 1)
        .without(places(layout, dead))
        .without(quiet);
    for i in rest.iter().rev() {
        let code = Code {
            bytes: &i.bytes,
            address: 0,
        };
        live = semantics.effects(code, 0..=0xffff)?.live_before(live);
    }
    Some(live)
}

/// Locations by names of cells or locations.
fn places(layout: &Layout, names: &[String]) -> Inputs {
    let cell = |name: &String| layout.cells.iter().position(|c| c.name == name);
    names.iter().fold(Inputs::NONE, |all, name| {
        let own = match (cell(name), layout.find(name)) {
            (Some(cell), _) => layout.of_cells(&[cell as u8]),
            (None, Some(l)) => Inputs::one(l.number),
            (None, None) => Inputs::NONE,
        };
        all.and(own)
    })
}

/// Whether an instruction is one of a rule's, with these for its variables.
fn unify(general: &str, special: &str, bound: &mut BTreeMap<String, String>) -> bool {
    let (general, special) = (tokens(general), tokens(special));
    general.len() == special.len()
        && general
            .iter()
            .zip(&special)
            .all(|(g, s)| match g.strip_prefix('$') {
                None => g == s,
                Some(name) => bind(name, s, bound),
            })
}

fn tokens(text: &str) -> Vec<&str> {
    text.split_inclusive([' ', ',', '(', ')', '+', '[', ']'])
        .flat_map(|t| {
            let end = t.len() - usize::from(t.ends_with([' ', ',', '(', ')', '+', '[', ']']));
            [&t[..end], &t[end..]]
        })
        .filter(|t| !t.is_empty())
        .collect()
}

fn bind(name: &str, special: &str, bound: &mut BTreeMap<String, String>) -> bool {
    let number = special.parse::<i64>().ok();
    if number.is_none() && !special.starts_with('$') {
        return false;
    }
    let half = |high: bool| match (number, special.split_once(':')) {
        (Some(n), _) => (if high { n >> 8 & 255 } else { n & 255 }).to_string(),
        (None, Some((h, l))) => (if high { h } else { l }).to_owned(),
        (None, None) => format!("{special}.{}", if high { "h" } else { "l" }),
    };
    let mut put = |name: &str, value: String| match bound.get(name) {
        Some(old) => *old == value,
        None => {
            bound.insert(name.to_owned(), value);
            true
        }
    };
    match name.split_once(":$") {
        Some((h, l)) => put(h, half(true)) && put(l, half(false)),
        None => {
            put(name, special.to_owned())
                && (name.contains('.')
                    || put(&format!("{name}.h"), half(true))
                        && put(&format!("{name}.l"), half(false)))
        }
    }
}
