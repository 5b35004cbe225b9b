//! Delay slots: what executes behind a jump before the jump takes effect.
//!
//! Two things are hardly meant: another jump to a label in the slot, which makes a
//! subroutine of one instruction (`slot` in front of it says that it is meant), and a
//! section that ends with a jump, whose slot is whatever the layout puts behind it.

use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::LabelRule;
use crate::image::{Class, Image};
use crate::lex::Tok;
use crate::program::{Assembler, MAX_FINDINGS, Outcome};
use rustc_hash::FxHashMap;

impl Assembler<'_> {
    /// `slot` and an instruction: it is meant to stand in a delay slot.
    pub(crate) fn slot(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected an instruction").at(t.span);
            return Err(Box::new(d));
        }
        self.in_slot = true;
        let done = self.line(rest);
        self.in_slot = false;
        done
    }

    /// Warns of a jump to a label in the slot of a jump. What a listing says was meant.
    pub(crate) fn check_slot(&mut self, word: u64) {
        let target = self.job.target;
        if self.in_slot || !target.has_slots() || self.dialect.labels == LabelRule::Listed {
            return;
        }
        let c = &self.chunks[self.chunk as usize];
        let end = c.bytes.len();
        let Some(&[low, high]) = c.bytes.get(end.wrapping_sub(2)..end) else {
            return;
        };
        let tail = c.has_tail_at(end);
        let before = u16::from_le_bytes([low, high]);
        if !tail && target.is_delayed(before) && target.is_delayed(word as u16) {
            let d = Diagnostic::new(
                codes::IN_SLOT,
                "this jump stands in the delay slot of the one before it",
            )
            .at(self.statement)
            .label("executes before that jump takes effect")
            .help("put an instruction between them, or write `slot` in front of this one");
            self.report(Box::new(d));
        }
    }

    /// Warns of sections that end with a jump and have nothing of theirs in its slot.
    pub(crate) fn check_ends(&mut self, image: &Image) {
        if !self.job.target.has_slots() || self.dialect.labels == LabelRule::Listed {
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
            if !self.job.target.is_delayed(u16::from_le_bytes([low, high])) {
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
            self.report_in(d, expansion);
        }
    }
}
