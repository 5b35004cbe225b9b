//! `scrimp rules`: the rules of the optimizer, listed, and proven anew; and what
//! `scrimp explain` says of a rule or a pass.

use super::args::{RulesArgs, RulesCommand};
use super::failure::Failure;
use super::refused::refusal;
use super::rules_search;
use super::terminal::Terminal;
use crate::optimize::passes::{self, about};
use crate::session::names::unknown;
use crate::targets;
use scrimp_isa::rules;
use scrimp_isa::{Semantics, Target};
use std::fmt::Write;

/// Lists or proves.
pub fn rules(args: &RulesArgs, terminal: &Terminal) -> Result<(), Failure> {
    let (target, prove) = match &args.command {
        RulesCommand::List(a) => (&a.target, false),
        RulesCommand::Prove(a) => (&a.target, true),
        RulesCommand::Harvest(a) => return rules_search::windows_of(a, terminal),
        RulesCommand::Search(a) => return rules_search::search(a, terminal),
        RulesCommand::Merge(a) => return rules_search::merge(a, terminal),
    };
    let all = targets::all();
    let chosen: Vec<&'static dyn Target> = match target {
        None => all.iter().copied().filter(|t| has_rules(*t)).collect(),
        Some(name) => match targets::by_name(name) {
            Some(t) => vec![t],
            None => return Err(unknown("target", name, all.iter().map(|t| t.name())).into()),
        },
    };
    let mut out = String::new();
    let mut failed = 0;
    for t in chosen {
        let Some(semantics) = t.semantics(None).filter(|_| has_rules(t)) else {
            let _ = writeln!(out, "{}: no rules", t.name());
            continue;
        };
        match prove {
            false => list(t, &*semantics, &mut out),
            true => failed += proven(t, &*semantics, &mut out),
        }
    }
    terminal.print(&out)?;
    match failed {
        0 => Ok(()),
        n => Err(Failure::Failed(format!("{n} rules are not proven"))),
    }
}

fn has_rules(t: &dyn Target) -> bool {
    !t.rules().rules.is_empty()
}

/// The kind of proof of a line of certificates, and its hash.
fn certificate<'c>(certificates: &'c str, name: &str) -> Option<(&'c str, &'c str)> {
    let (proof, rest) = whole(certificates, name)?.split_once(' ')?;
    Some((proof, rest.split(' ').next()?))
}

/// A line of certificates without the name.
fn whole<'c>(certificates: &'c str, name: &str) -> Option<&'c str> {
    let mut lines = certificates.lines();
    lines.find_map(|l| l.strip_prefix(name)?.strip_prefix(": "))
}

fn list(t: &dyn Target, semantics: &dyn Semantics, out: &mut String) {
    let base = t.rules();
    let all = rules::parse(t, base.rules).unwrap_or_default();
    let count = all.len();
    let (good, refused) = rules::load(semantics, all, base.certificates);
    let _ = writeln!(
        out,
        "{}: {count} rules, {} refused",
        t.name(),
        refused.len()
    );
    for r in good {
        let saves = bytes(&r.from) as i64 - bytes(&r.to) as i64;
        let proof = certificate(base.certificates, &r.name).map_or("", |c| c.0);
        let _ = writeln!(out, "{:<28} {saves:>2} bytes  {proof}", r.name);
    }
    for name in refused {
        let _ = writeln!(out, "{name:<28} refused: its certificate does not fit");
    }
}

fn bytes(list: &[rules::Instruction]) -> usize {
    list.iter().map(|i| i.bytes.len()).sum()
}

/// Proves all rules of a target from nothing; how many are not.
fn proven(t: &dyn Target, semantics: &dyn Semantics, out: &mut String) -> usize {
    let base = t.rules();
    let all = match rules::parse(t, base.rules) {
        Ok(all) => all,
        Err(f) => {
            let _ = writeln!(out, "{}: line {}: {}", t.name(), f.line, f.message);
            return 1;
        }
    };
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    let mut bad = 0;
    for rule in &all {
        let written = whole(base.certificates, &rule.name).unwrap_or("");
        // Steps are checked, and not searched again.
        let proof = match written.split(' ').nth(2) {
            Some(steps) => rules::check(semantics, rule, steps),
            None => rules::prove_within(semantics, rule, u64::MAX),
        };
        match proof {
            Ok(now) => {
                *kinds.entry(now.proof.to_string()).or_default() += 1;
                if written != now.to_string() {
                    bad += 1;
                    let _ = writeln!(
                        out,
                        "{}: proven, but not what its certificate is of",
                        rule.name
                    );
                }
            }
            Err(why) => {
                bad += 1;
                let _ = writeln!(out, "{}: {}", rule.name, refusal(&why));
            }
        }
    }
    let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{n} {k}")).collect();
    let _ = writeln!(
        out,
        "{}: {} of {} rules proven: {}",
        t.name(),
        all.len() - bad,
        all.len(),
        kinds.join(", ")
    );
    bad
}

/// The page of a rule or a pass by its name in the ledger.
pub fn page(wanted: &str) -> Option<String> {
    let own = about::ALL
        .iter()
        .find(|a| a.name.eq_ignore_ascii_case(wanted));
    if let Some(a) = own {
        return Some(structural(a));
    }
    if let Some(p) = passes::ALL
        .iter()
        .find(|p| p.name.eq_ignore_ascii_case(wanted))
    {
        let mut out = format!("# {}: {}\n\n", p.name, p.about);
        out.push_str(match p.walked {
            true => "It moves code about: the checker walks what it makes.\n",
            false => {
                "It changes single instructions, by proven rules and what is known of values.\n"
            }
        });
        let rules: Vec<_> = about::ALL.iter().filter(|a| a.pass == p.name).collect();
        for a in rules {
            let _ = write!(out, "\n## {}\n\n{}\n", a.name, a.does);
        }
        if matches!(p.name, "peephole" | "known") {
            out.push_str(
                "\nIts rules are those of `scrimp rules list`; each has a page of its own.\n",
            );
        }
        return Some(out);
    }
    targets::all().iter().find_map(|t| peephole(*t, wanted))
}

fn structural(a: &about::About) -> String {
    let diff = |mark: char, text: &str| -> String {
        text.lines().map(|l| format!("{mark} {l}\n")).collect()
    };
    format!(
        "# {}\n\nA rule of the pass `{}`. {}\n\nProof: {}\n\nConditions: {}\n\n```diff\n{}{}```\n\n\
         `--no-pass {}` leaves it out.\n",
        a.name,
        a.pass,
        a.does,
        a.proof,
        a.when,
        diff('-', a.example.0),
        diff('+', a.example.1),
        a.pass
    )
}

/// The page of a rule in a target's text of rules.
fn peephole(t: &dyn Target, wanted: &str) -> Option<String> {
    let base = t.rules();
    let all = rules::parse(t, base.rules).ok()?;
    let wanted = wanted.to_ascii_lowercase();
    let head = |name: &str| name.split(' ').next().unwrap_or("").to_ascii_lowercase();
    let same = |r: &&rules::Rule| r.name.to_ascii_lowercase() == wanted;
    let rule = all.iter().find(same);
    let rule = rule.or_else(|| all.iter().find(|r| head(&r.name) == wanted))?;
    let line = base.rules.lines().find(|l| {
        l.split_once(": ")
            .is_some_and(|(n, _)| n.trim() == head(&rule.name))
    })?;
    let semantics = t.semantics(None)?;
    let (proof, _) = certificate(base.certificates, &rule.name).unwrap_or(("", ""));
    let (_, refused) = rules::load(&*semantics, vec![rule.clone()], base.certificates);
    let body = line.split_once(": ").map_or(line, |l| l.1);
    let count = all
        .iter()
        .filter(|r| head(&r.name) == head(&rule.name))
        .count();
    let mut out = format!(
        "# {}\n\nA rule of {} for {}: {body}\n",
        rule.name,
        match rule.assumed.is_empty() {
            true => "the pass `peephole`",
            false => "the pass `known`",
        },
        t.name()
    );
    if count > 1 {
        let _ = writeln!(out, "\nIt stands for {count} rules.");
    }
    let _ = writeln!(
        out,
        "\nIt saves {} bytes.",
        bytes(&rule.from) as i64 - bytes(&rule.to) as i64
    );
    let _ = writeln!(
        out,
        "\nProof: {}, for all values of registers, flags, memory and constants.",
        match refused.is_empty() {
            true => proof,
            false => "none that fits: the rule is not used",
        }
    );
    out.push_str("\nConditions:\n");
    match rule.dead.is_empty() {
        true => out.push_str("- none of what is behind it\n"),
        false => {
            let _ = writeln!(out, "- nobody reads {} behind it", rule.dead.join(" "));
        }
    }
    for (place, value) in &rule.assumed {
        let _ = writeln!(out, "- {place} is {value} before it");
    }
    out.push_str("- nothing else leads between the instructions, and none is fenced\n");
    out.push_str("\n```diff\n");
    for (mark, list) in [('-', &rule.from), ('+', &rule.to)] {
        for i in list {
            let text = t.decode(&i.bytes, 0).map_or_else(String::new, |d| d.text);
            let _ = writeln!(out, "{mark} {text}");
        }
    }
    out.push_str("```\n");
    if rule
        .from
        .iter()
        .chain(&rule.to)
        .any(|i| i.constants.is_some())
    {
        out.push_str("\nThe numbers stand for any.\n");
    }
    Some(out)
}
