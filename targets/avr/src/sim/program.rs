//! Flash as instructions, and breakpoints in it.

use std::ops::Range;
use std::sync::Arc;

use super::code::{END, ins};
use super::cpu::{Cpu, LARGE, SMALL};
use super::rows;
use crate::op::Op;

impl Cpu {
    /// Whether a breakpoint stands at an address in bytes.
    pub fn has_breakpoint(&self, address: u32) -> bool {
        self.breakpoints.contains_key(&(address / 2))
    }

    /// Stops before the instruction at an address in bytes.
    pub fn breakpoint(&mut self, address: u32, on: bool) {
        let at = address / 2;
        if at >= self.words {
            return;
        }
        if on {
            let here = ins(&self.chip, &self.flash, at);
            self.breakpoints.entry(at).or_insert(here);
            self.decode(at..at + 1);
        } else if self.breakpoints.remove(&at).is_some() {
            self.decode(at..at + 1);
        }
    }

    /// Whether a breakpoint stands at an address in words.
    pub(super) fn breaks_at(&self, at: u32) -> bool {
        self.breakpoints.contains_key(&at)
    }

    /// Decodes all of flash.
    pub(super) fn decode_all(&mut self) {
        // A skip may pass two words from the last.
        let size = if self.words as usize + 3 > SMALL {
            LARGE
        } else {
            SMALL
        };
        self.code = vec![END; size].into();
        self.decode(0..self.words);
    }

    /// Decodes what is not as it was.
    pub(super) fn decode_changed(&mut self, before: &[u8]) {
        let differs = |at: u32| {
            let at = at as usize * 2;
            before.get(at..at + 2) != self.flash.get(at..at + 2)
        };
        let first = (0..self.words).find(|&at| differs(at));
        let last = (0..self.words).rev().find(|&at| differs(at));
        if let (Some(first), Some(last)) = (first, last) {
            self.decode(first..last + 1);
        }
    }

    /// Decodes words again, and those before them that look at them.
    pub(super) fn decode(&mut self, changed: Range<u32>) {
        let code = Arc::make_mut(&mut self.code);
        let first = changed.start.saturating_sub(2);
        for at in first..changed.end.min(self.words) {
            let mut new = ins(&self.chip, &self.flash, at);
            if let Some(before) = self.breakpoints.get_mut(&at) {
                *before = new;
                new.op = Op::Undefined;
            }
            code[at as usize] = new;
        }
        for at in first.saturating_sub(rows::MOST)..changed.end.min(self.words) {
            code[at as usize].op = rows::fitting(code, at as usize);
        }
    }
}
