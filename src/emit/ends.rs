//! Sections that end with a jump, whose delay slot is whatever the layout puts behind.

use super::Emit;
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, Image};
use crate::text::language::LabelRule;
use rustc_hash::FxHashMap;

impl Emit<'_> {
    /// Warns of sections that end with a jump and have nothing of theirs in its slot.
    pub(super) fn check_ends(&mut self, image: &Image) {
        if !self.program.target.has_slots()
            || self.program.dialect.names.labels == LabelRule::Listed
        {
            return;
        }
        let mut found = Vec::new();
        let mut at: FxHashMap<u64, u32> = FxHashMap::default();
        for o in image.chunks.iter().filter(|o| !o.bytes.is_empty()) {
            at.entry(o.address).or_insert(o.section);
        }
        for c in &image.chunks {
            let Some(run) = c.runs.last().filter(|r| r.class == Class::Code) else {
                continue;
            };
            let Some(&[.., low, high]) = c.bytes.get(run.offset as usize..) else {
                continue;
            };
            if !self
                .program
                .target
                .is_delayed(u16::from_le_bytes([low, high]))
            {
                continue;
            }
            let end = c.address + c.bytes.len() as u64;
            if image
                .space_of(c.address)
                .is_some_and(|s| s.base + s.size == end)
            {
                continue;
            }
            let behind = at.get(&end).copied();
            if behind == Some(c.section) || found.len() >= MAX_FINDINGS {
                continue;
            }
            let what = match behind.map(|o| &image.sections[o as usize].name) {
                Some(name) => format!("the first of section `{name}` stands in its slot"),
                None => "its slot is empty".to_owned(),
            };
            let d = Diagnostic::new(codes::IN_SLOT, format!("the last word is a jump; {what}"))
                .at(run.span)
                .label("the word behind it executes too")
                .help("put `nop` behind it, or an instruction that is to be executed");
            found.push((d, run.expansion));
        }
        for (d, expansion) in found {
            self.problems.found(d, expansion);
        }
    }
}
