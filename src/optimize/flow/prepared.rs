//! Rules made ready for matching: which bits of an instruction must be as they are, and where
//! its constants stand.

use scrimp_isa::depend::Inputs;
use scrimp_isa::pattern::Field;
use scrimp_isa::rules::{self, Constant, Rule};
use scrimp_isa::state::Layout;
use scrimp_isa::{Semantics, Target};

/// An instruction of a rule.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Row of the table.
    pub form: u16,
    /// Bytes.
    pub len: usize,
    /// Its word; 0 where a variable stands.
    pub word: u64,
    /// Bits that must be as they are.
    pub mask: u64,
    /// Fields of values: the operand class, the field, and its bytes, the lowest first.
    pub values: Vec<(u8, Field, Vec<Constant>)>,
}

/// A rule that is proven.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The rule.
    pub rule: Rule,
    /// What may be replaced.
    pub from: Vec<Ready>,
    /// By what.
    pub to: Vec<Ready>,
    /// What must not be live behind it.
    pub dead: Inputs,
    /// How it was proven.
    pub proof: String,
    /// Bytes that it saves.
    pub saves: i64,
}

/// Rules by the first byte that they fit.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    /// All.
    pub list: Vec<Prepared>,
    by_first: Vec<Vec<u32>>,
}

impl RuleSet {
    /// The rules of a target.
    pub fn of(target: &dyn Target, semantics: &dyn Semantics) -> Self {
        let mut list = prepare(target, semantics);
        // What saves most is tried first; among equals the order of the text counts.
        list.sort_by_key(|p| std::cmp::Reverse(p.saves));
        let mut by_first = vec![Vec::new(); 256];
        for (i, p) in (0..).zip(&list) {
            let Some(first) = p.from.first() else {
                continue;
            };
            for (byte, own) in (0u64..).zip(&mut by_first) {
                if (byte ^ first.word) & first.mask & 0xff == 0 {
                    own.push(i);
                }
            }
        }
        Self { list, by_first }
    }

    /// Those whose first instruction may begin with a byte.
    pub fn beginning(&self, byte: u8) -> impl Iterator<Item = &Prepared> {
        let own = self.by_first.get(usize::from(byte)).into_iter().flatten();
        own.map(|&i| &self.list[i as usize])
    }
}

/// The rules of a target whose certificates fit.
pub fn prepare(target: &dyn Target, semantics: &dyn Semantics) -> Vec<Prepared> {
    let base = target.rules();
    let Ok(rules) = rules::parse(target, base.rules) else {
        return Vec::new();
    };
    let (good, _) = rules::load(semantics, rules, base.certificates);
    let proofs: std::collections::BTreeMap<&str, &str> = base
        .certificates
        .lines()
        .filter_map(|l| l.split_once(": "))
        .collect();
    // How and of what; not the steps.
    let short = |proof: &str| {
        let words: Vec<&str> = proof.split(' ').take(2).collect();
        words.join(" ")
    };
    let layout = semantics.layout();
    let ready = |rule: Rule| {
        let all = |list: &[rules::Instruction]| -> Option<Vec<Ready>> {
            list.iter().map(|i| instruction(target, i)).collect()
        };
        let (from, to) = (all(&rule.from)?, all(&rule.to)?);
        let bytes = |list: &[Ready]| list.iter().map(|r| r.len as i64).sum::<i64>();
        let proof = proofs.get(rule.name.as_str()).map(|p| short(p));
        Some(Prepared {
            dead: dead(layout, &rule.dead)?,
            saves: bytes(&from) - bytes(&to),
            proof: proof.unwrap_or_default(),
            from,
            to,
            rule,
        })
    };
    good.into_iter().filter_map(ready).collect()
}

/// Locations by names of cells or locations.
pub fn dead(layout: &Layout, names: &[String]) -> Option<Inputs> {
    let mut all = Inputs::NONE;
    for name in names {
        let cell = layout.cells.iter().position(|c| c.name == name);
        match (cell, layout.find(name)) {
            (Some(cell), _) => all = all.and(layout.of_cells(&[cell as u8])),
            (None, Some(l)) => all = all.and(Inputs::one(l.number)),
            (None, None) => return None,
        }
    }
    Some(all)
}

fn instruction(target: &dyn Target, i: &rules::Instruction) -> Option<Ready> {
    let decoded = target.decode(&i.bytes, 0)?;
    let form = &target.forms()[decoded.form];
    let mut word = [0; 8];
    word[..i.bytes.len()].copy_from_slice(&i.bytes);
    let mut mask = u64::MAX;
    if i.bytes.len() < 8 {
        mask = (1 << (8 * i.bytes.len())) - 1;
    }
    let mut fields: Vec<(u8, Field)> = Vec::new();
    for found in &decoded.operands {
        let spec = target.operands()[usize::from(found.class)].value;
        let field = spec.and_then(|s| form.pattern.field(s.field));
        fields.extend(field.map(|f| (found.class as u8, *f)));
    }
    let lowest = |f: &Field| {
        let pieces = f.piece.iter().take(f.pieces.into());
        pieces.map(|p| p.word_shift).min()
    };
    fields.sort_by_key(|f| lowest(&f.1));
    let mut constants = i.constants.iter().flatten();
    let mut values = Vec::new();
    for (class, field) in fields {
        let count = if field.width > 8 { 2 } else { 1 };
        let raw = field.extract(u64::from_le_bytes(word));
        let own: Vec<Constant> = match i.constants {
            Some(_) => constants.by_ref().take(count).cloned().collect(),
            None => (0..count)
                .map(|k| Constant::Number((raw >> (8 * k)) as u8))
                .collect(),
        };
        if own.iter().any(|c| !matches!(c, Constant::Number(_))) {
            mask &= !field.deposit(u64::MAX);
        }
        values.push((class, field, own));
    }
    Some(Ready {
        form: decoded.form as u16,
        len: i.bytes.len(),
        word: u64::from_le_bytes(word),
        mask,
        values,
    })
}
