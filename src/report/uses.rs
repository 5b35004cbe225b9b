//! What a program uses of its CPU: how often each instruction and each register, the
//! room of each memory. AVRASM2 prints such tables behind a build.

use super::{Sizes, percent};
use crate::diagnostic::text::thousands;
use crate::image::origin::pieces;
use crate::image::{Image, NONE};
use scrimp_isa::Target;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Columns of a table.
const COLUMNS: usize = 8;

/// How often something is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Use {
    /// A mnemonic, a register, or an operand with one: `z+`.
    pub name: String,
    /// Instructions of the program that have it.
    pub count: u64,
}

/// What a program uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Uses {
    /// Instructions of the program.
    pub instructions: u64,
    /// All mnemonics of the machine, by name.
    pub mnemonics: Vec<Use>,
    /// All registers and other words for operands, in the order of the target's
    /// tables.
    pub words: Vec<Use>,
    /// Operands in which a register is more than itself: `z+`, `-x`, `(hl)`.
    pub modes: Vec<Use>,
}

impl Uses {
    /// Counts.
    pub fn of(image: &Image, target: &dyn Target) -> Self {
        let machine = image.machine.as_deref().and_then(|m| target.machine(m));
        let features = machine.map_or(target.default_features(), |m| m.features());
        let mut mnemonics: BTreeMap<&'static str, u64> = BTreeMap::new();
        for f in target.forms() {
            let there = f.needs & !features == 0;
            if there && !f.name.starts_with('*') && !f.alias && f.spelling.is_empty() {
                mnemonics.entry(f.name).or_default();
            }
        }
        let mut words: Vec<(&'static str, u64)> = Vec::new();
        let mut index: BTreeMap<&'static str, usize> = BTreeMap::new();
        let rows = target.operands().iter().flat_map(|o| [o.words, o.second]);
        for (word, _) in rows.flatten().flat_map(|w| w.words) {
            index.entry(word).or_insert_with(|| {
                words.push((word, 0));
                words.len() - 1
            });
        }
        let mut modes: BTreeMap<String, u64> = BTreeMap::new();
        let mut instructions = 0;
        for p in pieces(image).filter(|p| p.run.form != NONE && image.comes_with(p.chunk)) {
            let mut at = 0;
            // A line may have made several instructions of one form.
            while at < p.bytes().len() {
                let address = p.address() + at as u64;
                let found = target.decode_on(&p.bytes()[at..], address, machine);
                let Some(d) = found.filter(|d| d.len > 0) else {
                    break;
                };
                at += usize::from(d.len);
                instructions += 1;
                let (name, rest) = d.text.split_once(' ').unwrap_or((&d.text, ""));
                if let Some((_, n)) = mnemonics.iter_mut().find(|(m, _)| **m == name) {
                    *n += 1;
                }
                for operand in rest.split(',').map(str::trim) {
                    count(operand, &index, &mut words, &mut modes);
                }
            }
        }
        let list = |(name, count): (&str, u64)| Use {
            name: name.to_owned(),
            count,
        };
        Self {
            instructions,
            mnemonics: mnemonics.into_iter().map(list).collect(),
            // Pairs by both halves are told where they are used.
            words: words
                .into_iter()
                .filter(|(name, count)| *count > 0 || !name.contains(':'))
                .map(list)
                .collect(),
            modes: modes.iter().map(|(n, c)| list((n, *c))).collect(),
        }
    }

    /// The tables for people; the third has what each memory has room for.
    pub fn text(&self, sizes: &Sizes) -> String {
        let mut out = String::new();
        let used = |list: &[Use]| list.iter().filter(|u| u.count > 0).count();
        let _ = writeln!(
            out,
            "registers: {} of {} used",
            used(&self.words),
            self.words.len()
        );
        table(&mut out, &self.words);
        if !self.modes.is_empty() {
            out.push_str("\nmodes\n");
            table(&mut out, &self.modes);
        }
        let _ = writeln!(
            out,
            "\ninstructions: {} in the program, {} of {} mnemonics used ({})",
            thousands(self.instructions),
            used(&self.mnemonics),
            self.mnemonics.len(),
            percent(used(&self.mnemonics) as u64, self.mnemonics.len() as u64)
        );
        table(&mut out, &self.mnemonics);
        if sizes.regions.is_empty() {
            return out;
        }
        let _ = writeln!(
            out,
            "\n{:<12} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8}",
            "memory", "from", "to", "code", "data", "used", "size"
        );
        for r in &sizes.regions {
            let (from, to) = r.ends();
            let of = |s: &&super::SectionSize| s.region.as_deref() == Some(&r.name);
            let sections = || sizes.sections.iter().filter(of);
            let code: u64 = sections().map(|s| s.bytes.code).sum();
            let data: u64 = sections().map(|s| s.total - s.bytes.code).sum();
            let _ = writeln!(
                out,
                "{:<12} {from:>6X} {to:>6X} {:>8} {:>8} {:>8} {:>8} {:>8}",
                r.name,
                thousands(code),
                thousands(data),
                thousands(r.used),
                thousands(r.size),
                percent(r.used, r.size)
            );
        }
        out
    }
}

/// Counts the word of an operand, and how it is written where it is more.
fn count(
    operand: &str,
    index: &BTreeMap<&'static str, usize>,
    words: &mut [(&'static str, u64)],
    modes: &mut BTreeMap<String, u64>,
) {
    if let Some(&i) = index.get(operand) {
        words[i].1 += 1;
        return;
    }
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    for part in operand.split(|c| !letter(c)).filter(|p| !p.is_empty()) {
        let Some(&i) = index.get(part) else { continue };
        words[i].1 += 1;
        // What is no word is an offset: one mode for all.
        let mut mode = operand.to_owned();
        if let Some(at) = mode.find(|c: char| c.is_ascii_digit() || c == '$') {
            let digits = mode[at..].find(|c: char| !letter(c) && c != '$');
            let end = digits.map_or(mode.len(), |n| at + n);
            if !index.contains_key(&mode[at..end]) && at > 0 && !letter_before(&mode, at) {
                mode.replace_range(at..end, "q");
            }
        }
        *modes.entry(mode).or_default() += 1;
        return;
    }
}

fn letter_before(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// Names and counts in columns, by rows.
fn table(out: &mut String, list: &[Use]) {
    for row in list.chunks(COLUMNS) {
        let cells: Vec<String> = row
            .iter()
            .map(|u| format!("{:<6}{:>4}", u.name, thousands(u.count)))
            .collect();
        let _ = writeln!(out, "  {}", cells.join("  ").trim_end());
    }
}
