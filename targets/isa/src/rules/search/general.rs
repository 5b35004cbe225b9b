//! From one window to a rule for all of its kind: constants become variables.

use super::{Lab, texts};
use crate::rules::prove::prove_within;
use crate::rules::{Rule, encode};
use crate::{Semantics, Target};

/// Where the numbers of a text are.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let opens = at > 0 && b" ,(+[".contains(&bytes[at - 1]);
        let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
        if !opens || !(digit(at) || bytes[at] == b'-' && digit(at + 1)) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while digit(at) {
            at += 1;
        }
        out.push((start, at));
    }
    out
}

/// A text with a name for each of its numbers that is this one.
fn named(text: &str, number: &str, name: &str) -> String {
    let mut out = String::new();
    let mut last = 0;
    for (start, end) in numbers(text) {
        if &text[start..end] == number {
            out.push_str(&text[last..start]);
            out.push_str(name);
            last = end;
        }
    }
    out.push_str(&text[last..]);
    out
}

/// The different numbers of some texts.
fn all_numbers(texts: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        for (start, end) in numbers(text) {
            let n = text[start..end].to_owned();
            if !all.contains(&n) {
                all.push(n);
            }
        }
    }
    all
}

/// Texts with variables for all numbers for which there can be some, and their names.
pub fn opened(target: &dyn Target, texts: &[String]) -> (Vec<String>, Vec<String>) {
    let mut out = texts.to_vec();
    let mut names = Vec::new();
    for (n, number) in all_numbers(texts).iter().enumerate() {
        let name = format!("$c{n}");
        let with: Vec<String> = out.iter().map(|t| named(t, number, &name)).collect();
        if with != out && with.iter().all(|t| encode(target, t).is_ok()) {
            out = with;
            names.push(name);
        }
    }
    (out, names)
}

/// A rule with variables for the numbers that do not matter, as far as that is proven.
pub fn widened(lab: &Lab<'_>, rule: Rule) -> Rule {
    let mut rule = rule;
    let all = [texts(&rule.from), texts(&rule.to)].concat();
    for (n, number) in all_numbers(&all).iter().enumerate() {
        let name = format!("$c{n}");
        let with = |list: Vec<String>| -> Vec<String> {
            list.iter().map(|t| named(t, number, &name)).collect()
        };
        let (from, to) = (with(texts(&rule.from)), with(texts(&rule.to)));
        // What stands behind the arrow only has no value of its own.
        if from == texts(&rule.from) {
            continue;
        }
        let Some(wider) = lab.rule(&from, &to, &rule.dead) else {
            continue;
        };
        let wider = Rule {
            own: rule.own,
            ..wider
        };
        if !lab.fits(&wider) {
            continue;
        }
        if prove_within(lab.semantics, &wider, lab.effort.clauses).is_ok() {
            rule = wider;
        }
    }
    rule
}

/// Whether an instruction takes variables where it has them, for the prover.
pub fn takes(semantics: &dyn Semantics, rule: &Rule) -> bool {
    let same = Rule {
        to: rule.from.clone(),
        ..rule.clone()
    };
    crate::rules::hash(semantics, &same).is_ok()
}

/// Bits of a variable where it stands in an instruction: as many as it surely can have.
pub fn width(target: &dyn Target, text: &str, name: &str) -> u8 {
    let with = |n: i64| encode(target, &replaced(text, name, &n.to_string())).is_ok();
    if with(255) || with(-1) {
        return 8;
    }
    let fits = (1..8u8).rev().find(|w| with((1 << w) - 1));
    fits.unwrap_or(0)
}

/// A text with something else for a variable.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let wanted = format!("${name}");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&wanted) {
        let end = at + wanted.len();
        let more = rest[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
        out.push_str(&rest[..at]);
        out.push_str(if more { &wanted } else { by });
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}
