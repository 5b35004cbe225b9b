//! Sections that end with a jump, whose delay slot is whatever the layout puts behind, and
//! instructions at the end of a page that the program counter does not leave.

use super::Emit;
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, Image};
use crate::text::language::LabelRule;
use rustc_hash::FxHashMap;
use scrimp_isa::semantics::Code;

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

    /// Warns of instructions that go over the end of a page, or on behind it, where the
    /// program counter stays in the page.
    pub(super) fn check_page_ends(&mut self, image: &Image) {
        let target = self.program.target;
        let Some(page) = target.wraps_in_page() else {
            return;
        };
        let meaning = target.semantics(self.program.machine);
        let mut found = Vec::new();
        for c in &image.chunks {
            for run in c.runs.iter().filter(|r| r.class == Class::Code) {
                let start = c.address + u64::from(run.offset);
                let end = start + u64::from(run.len);
                let over = end.saturating_sub((start / page + 1) * page);
                if end / page == start / page || found.len() >= MAX_FINDINGS {
                    continue;
                }
                let what = match over {
                    0 => {
                        let bytes = &c.bytes[run.offset as usize..][..run.len as usize];
                        let address = start;
                        let code = Code { bytes, address };
                        let ways = meaning.as_ref().and_then(|m| m.successors(code));
                        if !ways.is_some_and(|w| w.falls_through) {
                            continue;
                        }
                        "behind this instruction the page begins again".to_owned()
                    }
                    1 => "the last byte of this instruction is in the next page".to_owned(),
                    n => format!("the last {n} bytes of this instruction are in the next page"),
                };
                let d = Diagnostic::new(codes::PAGE_END, what)
                    .at(run.span)
                    .label(format!("${:04X}", image.local(start)))
                    .help(format!(
                        "put the routine into a section `within={page}`, or jump to the next page before"
                    ));
                found.push((d, run.expansion));
            }
        }
        for (d, expansion) in found {
            self.problems.found(d, expansion);
        }
    }
}
