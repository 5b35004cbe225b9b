//! Files that are written in the order of the source: what runs elsewhere than where it is
//! stored keeps its size, if what stands behind it has the address at which it is stored.

use super::hazard::Search;
use super::node::Reason;

/// Addresses at which the next bytes may be stored, at most.
const MOST: usize = 64;

impl Search<'_, '_> {
    /// Parts that are stored one behind the other, with one among them that runs elsewhere.
    pub(super) fn in_order(&mut self) {
        if !self.program.dialect.output.sequential {
            return;
        }
        let mut behind: Vec<u64> = Vec::new();
        let (mut run, mut away) = (Vec::new(), false);
        for c in 0..self.program.chunks.len() {
            let size = self.placed.bytes[c].len() as u64;
            if size == 0 {
                continue;
            }
            // Its place in the file is said: it is behind nothing.
            if self.program.chunks[c].seek.is_some() {
                (run, away, behind) = (Vec::new(), false, Vec::new());
            }
            let base = self.placed.layout.base[c];
            let goes_on = behind.contains(&base);
            if goes_on && away {
                for &r in &run {
                    self.freeze(r, None, Reason::Border);
                }
                (run, away, behind) = (Vec::new(), false, Vec::new());
            }
            away |= !goes_on && !run.is_empty();
            for b in &mut behind {
                *b += size;
            }
            if behind.len() < MOST {
                behind.push(base + size);
            }
            run.push(c as u32);
        }
    }
}
