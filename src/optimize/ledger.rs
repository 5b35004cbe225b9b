//! What the optimizer did, line by line: for people, for tools, and for the sum at the end.

use crate::diagnostic::text::thousands;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Number of the schema of the JSON; it changes when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// The pass that made it.
    pub pass: &'static str,
    /// The rule.
    pub rule: String,
    /// `file:line:column` of the statements that it replaces.
    pub places: Vec<String>,
    /// The lines of these statements, as they stand in the source.
    pub source: Vec<String>,
    /// What was there, in the target's words.
    pub before: Vec<String>,
    /// What is there.
    pub after: Vec<String>,
    /// Bytes saved.
    pub saved: i64,
    /// Clocks more on the shortest way through, and on the longest; `None` where they are
    /// not counted.
    pub time: Option<(i64, i64)>,
    /// How it is known to be right.
    pub proof: String,
    /// What of the program around it that rests on.
    pub facts: Vec<String>,
    /// Its name among all changes of these sources; empty for what no change made.
    #[serde(skip)]
    pub name: String,
    /// The item whose change it belongs to, until that is looked up.
    #[serde(skip)]
    pub item: Option<crate::program::symbol::Anchor>,
}

impl Record {
    /// What it costs in time, as the report says it.
    fn clocks(&self) -> String {
        match self.time {
            Some((least, most)) => format!("clocks {least:+} to {most:+}"),
            None => "clocks not counted".into(),
        }
    }
}

/// A change that was not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The pass.
    pub pass: &'static str,
    /// Where.
    pub place: String,
    /// What it would be.
    pub what: String,
    /// Bytes that it would save.
    pub saved: i64,
    /// Why not.
    pub reason: String,
}

/// Code that was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Why.
    pub reason: &'static str,
    /// Bytes of instructions.
    pub bytes: u64,
    /// Where the first of it, or the cause of all of it, stands.
    pub place: String,
    /// That instruction.
    pub what: String,
    /// What of the source would have to be otherwise; empty if there is no way to say it.
    pub unlock: &'static str,
    /// The contract that would let it change, if it is so: what it is about, and its clause.
    pub contract: Option<(String, String)>,
}

/// An instruction that was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// Where it stands.
    pub place: String,
    /// Why.
    pub reason: &'static str,
}

/// The changes that one run of a pass made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The pass.
    pub pass: String,
    /// Its changes.
    pub changes: Vec<Key>,
}

/// What tells a change from others of its run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The rule, and the items that go and come.
    pub key: String,
    /// The rule alone, for people.
    pub rule: String,
    /// Where it is, for people.
    pub place: String,
}

/// What a later run needs to do the same again, part of a ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// A hash of all bytes before.
    pub from: String,
    /// And after.
    pub to: String,
    /// Items, by chunk and number, before which nothing moved.
    pub fixed: Vec<(u32, u32)>,
    /// Items, by chunk and number, that room keeps at their addresses, and these.
    #[serde(default)]
    pub rooms: Vec<(u32, u32, u32)>,
    /// The runs of passes that changed something.
    pub made: Vec<Made>,
}

impl Script {
    /// The script in the JSON of a ledger.
    ///
    /// # Errors
    /// It is no ledger of this schema.
    pub fn read(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Part {
            schema: u32,
            script: Script,
        }
        let part: Part = serde_json::from_str(text).map_err(|e| format!("no ledger: {e}"))?;
        match part.schema {
            SCHEMA => Ok(part.script),
            n => Err(format!("a ledger of schema {n}, not {SCHEMA}")),
        }
    }
}

/// A contract that was tried, for what it would save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// What it is about.
    pub subject: String,
    /// Its clause.
    pub clause: String,
    /// Bytes saved beyond what is saved with those before it.
    pub saves: i64,
}

/// Everything that was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Number of the schema.
    pub schema: u32,
    /// Bytes of instructions and data before, without room and padding.
    pub before: u64,
    /// And after.
    pub after: u64,
    /// Bytes of padding put in so that tables stay in their pages, and what is named by a
    /// number at its address.
    pub padding: u64,
    /// Changes in the order in which they were made.
    pub records: Vec<Record>,
    /// Changes that were not made.
    pub refused: Vec<Refused>,
    /// Code that was left as it is.
    pub left: Vec<Left>,
    /// Each instruction of that, where it is asked for.
    #[serde(skip)]
    pub fences: Vec<Fence>,
    /// Changes made, as `--most-changes` counts them.
    pub changes: usize,
    /// What a later run needs to do the same again.
    pub script: Script,
    /// Contracts that were tried, each with those before it.
    pub advice: Vec<Advice>,
    /// What is said of the program, and how it served.
    pub contracts: Vec<super::contract::Said>,
    /// Why nothing was done at all; empty otherwise.
    pub given_up: String,
    /// What the changes claim is not what the image says: a fault of the optimizer.
    pub broken: String,
}

impl Ledger {
    /// Bytes saved, as measured.
    pub fn saved(&self) -> i64 {
        self.before as i64 - self.after as i64
    }

    /// Bytes saved, as the records say.
    pub fn claimed(&self) -> i64 {
        self.records.iter().map(|r| r.saved).sum()
    }

    /// Padding changed the forms of some jumps: so many bytes are there now.
    pub fn forms_changed(&mut self, now: u64) {
        let more = now as i64 - self.after as i64;
        if more == 0 {
            return;
        }
        self.after = now;
        self.records.push(Record {
            pass: "branches",
            rule: "forms that do not reach over padding".into(),
            places: Vec::new(),
            source: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            saved: -more,
            time: None,
            proof: "placement".into(),
            facts: Vec::new(),
            name: String::new(),
            item: None,
        });
    }

    /// Bytes and changes by pass and rule, most bytes first.
    pub fn by_rule(&self) -> Vec<(&'static str, &str, i64, usize)> {
        let mut sums: BTreeMap<(&'static str, &str), (i64, usize)> = BTreeMap::new();
        for r in &self.records {
            let sum = sums.entry((r.pass, &r.rule)).or_default();
            *sum = (sum.0 + r.saved, sum.1 + 1);
        }
        let mut out: Vec<_> = sums
            .into_iter()
            .map(|((pass, rule), (bytes, count))| (pass, rule, bytes, count))
            .collect();
        out.sort_by_key(|s| (-s.2, s.0, s.1.to_owned()));
        out
    }

    /// The sum for a terminal.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        if !self.given_up.is_empty() {
            let _ = writeln!(out, "optimizer: nothing changed: {}", self.given_up);
            return out;
        }
        let _ = writeln!(
            out,
            "optimizer: {} bytes saved: {} before, {} after, {} changes",
            thousands(self.saved().unsigned_abs()),
            thousands(self.before),
            thousands(self.after),
            self.records.len()
        );
        if self.padding > 0 {
            let _ = writeln!(
                out,
                "{:>8}  of padding keep tables in their pages, and numbers right",
                thousands(self.padding)
            );
        }
        for a in &self.advice {
            let _ = writeln!(
                out,
                "{:>+8}  with the contract `{}: {}`, if it is so",
                a.saves, a.subject, a.clause
            );
        }
        for (pass, rule, bytes, count) in self.by_rule().into_iter().take(12) {
            let _ = writeln!(out, "{bytes:>8}  {pass}: {rule} ({count})");
        }
        out
    }

    /// All of it as JSON, indented.
    ///
    /// # Panics
    /// Never: it is plain data.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("plain data");
        text + "\n"
    }

    /// Each change as lines that go and lines that come.
    pub fn to_text(&self) -> String {
        let mut out = self.summary();
        for r in &self.records {
            let place = r.places.first().map_or("", String::as_str);
            let _ = writeln!(
                out,
                "\n{place}: {}: {}: {} bytes, {}; {}",
                r.pass,
                r.rule,
                r.saved,
                r.clocks(),
                r.proof
            );
            for f in &r.facts {
                let _ = writeln!(out, "  as {f}");
            }
            for (i, l) in r.before.iter().enumerate() {
                let _ = writeln!(out, "- {}", beside(l, r.source.get(i)));
            }
            r.after.iter().for_each(|l| {
                let _ = writeln!(out, "+ {l}");
            });
        }
        for l in &self.left {
            let _ = writeln!(
                out,
                "\n{}: {} bytes of instructions left as they are: {}: {}",
                l.place, l.bytes, l.reason, l.what
            );
            if !l.unlock.is_empty() {
                let _ = writeln!(out, "  would help: {}", l.unlock);
            }
            if let Some((subject, clause)) = &l.contract {
                let _ = writeln!(out, "  would help, if it is so: {subject}: {clause}");
            }
        }
        for c in &self.contracts {
            let _ = writeln!(
                out,
                "\n{}: contract of {}, {}: {}",
                c.place,
                c.subject,
                c.standing.text(),
                c.clause
            );
        }
        for r in &self.refused {
            let _ = writeln!(
                out,
                "\n{}: {}: not done, {} bytes: {}: {}",
                r.place, r.pass, r.saved, r.what, r.reason
            );
        }
        out
    }

    /// A table in Markdown, and the changes below it.
    pub fn to_markdown(&self) -> String {
        let mut out = format!(
            "# {} bytes saved\n\n{} bytes of instructions and data before, {} after.\n\n\
             | pass | rule | bytes | changes |\n|---|---|--:|--:|\n",
            self.saved(),
            self.before,
            self.after
        );
        for (pass, rule, bytes, count) in self.by_rule() {
            let _ = writeln!(out, "| {pass} | {rule} | {bytes} | {count} |");
        }
        for r in &self.records {
            let place = r.places.first().map_or("", String::as_str);
            let _ = writeln!(
                out,
                "\n## {place}: {}\n\n{} bytes, {}; {}\n\n```diff",
                r.rule,
                r.saved,
                r.clocks(),
                r.proof
            );
            for (i, l) in r.before.iter().enumerate() {
                let _ = writeln!(out, "- {}", beside(l, r.source.get(i)));
            }
            for l in &r.after {
                let _ = writeln!(out, "+ {l}");
            }
            out.push_str("```\n");
            for f in &r.facts {
                let _ = writeln!(out, "\n{f}");
            }
        }
        self.more(&mut out);
        out
    }

    /// What is said of the program, what was tried, and what was left, in Markdown.
    fn more(&self, out: &mut String) {
        if !self.contracts.is_empty() {
            out.push_str("\n## Contracts\n\n| place | about | clause | |\n|---|---|---|---|\n");
        }
        for c in &self.contracts {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                c.place,
                c.subject,
                c.clause,
                c.standing.text()
            );
        }
        if !self.advice.is_empty() {
            out.push_str("\n## Contracts that would help, if they are so\n\n| contract | bytes |\n|---|--:|\n");
        }
        for a in &self.advice {
            let _ = writeln!(out, "| `{}: {}` | {} |", a.subject, a.clause, a.saves);
        }
        if !self.left.is_empty() {
            out.push_str(
                "\n## Left as it is\n\n| place | bytes | why | contract |\n|---|--:|---|---|\n",
            );
        }
        for l in &self.left {
            let contract = l.contract.as_ref();
            let contract = contract.map_or(String::new(), |c| format!("`{}: {}`", c.0, c.1));
            let _ = writeln!(
                out,
                "| {} | {} | {} | {contract} |",
                l.place, l.bytes, l.reason
            );
        }
    }
}

/// An instruction with the line of the source that it stands for.
fn beside(instruction: &str, line: Option<&String>) -> String {
    match line {
        Some(l) if !l.is_empty() => format!("{instruction:<24} | {l}"),
        _ => instruction.to_owned(),
    }
}
