//! Memories that lie one over the other and are there at different times: each gets linear
//! addresses of its own, so that an address says what is there. Values stay what they are.

use super::Program;
use super::item::What;

/// Where such addresses begin. An address less its remainder by this is that of its memory.
pub const LIFTED: u64 = 1 << 24;
/// Memories that are told apart by their pages.
const PAGES: u32 = 100;
/// The number of the last memory.
const LAST: u64 = 250;

/// What a chunk was before.
#[derive(Clone, Copy, Debug)]
pub struct Lift {
    chunk: usize,
    page: u32,
    by: u64,
}

impl Program<'_> {
    /// Gives chunks that lie over others, or in pages, addresses of their own; `ranges` are the
    /// linear address and the bytes of each.
    ///
    /// # Errors
    /// Bytes come into the place of others, or there are too many memories.
    pub fn lift(&mut self, ranges: &[(u64, u64)]) -> Result<Vec<Lift>, &'static str> {
        let over = |a: usize, b: usize| {
            let ((x, m), (y, n)) = (ranges[a], ranges[b]);
            m > 0 && n > 0 && x < y + n && y < x + m
        };
        let mut lifts: Vec<Lift> = Vec::new();
        let mut alone = u64::from(PAGES);
        for c in 0..self.chunks.len() {
            let page = self.chunks[c].page;
            if page > 0 && self.chunks[c].base.is_none() {
                continue;
            }
            let lies = |&b: &usize| {
                let low = page > 0 || lifts.iter().all(|l| l.chunk != b);
                low && self.chunks[b].page == page && over(b, c)
            };
            let by = match ((0..c).find(lies), page) {
                (None, 0) => continue,
                (None, page) if page < PAGES => u64::from(page),
                (Some(b), 0) if !self.is_replaced(b, c) => {
                    alone += 1;
                    alone
                }
                _ => return Err("bytes come into the place of others"),
            };
            if by > LAST {
                return Err("there are too many memories in the place of others");
            }
            let by = by * LIFTED;
            lifts.push(Lift { chunk: c, page, by });
        }
        for l in &lifts {
            let chunk = &mut self.chunks[l.chunk];
            chunk.page = 0;
            chunk.origin += l.by;
            chunk.base = chunk.base.map(|b| b + l.by);
        }
        Ok(lifts)
    }

    /// Whether one of two chunks may take the place of parts of the other, or is room in it.
    fn is_replaced(&self, a: usize, b: usize) -> bool {
        [a, b].iter().any(|&c| {
            let chunk = &self.chunks[c];
            let room = |i: &super::item::Item| {
                matches!(i.what, What::Space { .. } | What::Align { .. }) || i.size() == 0
            };
            chunk.overlap || chunk.base.is_none() || chunk.items.iter().all(room)
        })
    }

    /// Gives chunks the addresses back that they had.
    pub fn lower(&mut self, lifts: &[Lift]) {
        for l in lifts {
            let chunk = &mut self.chunks[l.chunk];
            chunk.page = l.page;
            chunk.origin -= l.by;
            chunk.base = chunk.base.map(|b| b - l.by);
            // Room that holds an address there holds it here; nothing lies before the first.
            for item in &mut chunk.items {
                if let What::Align { to, .. } = &mut item.what
                    && u64::from(*to) / LIFTED == l.by / LIFTED
                {
                    *to = (*to - l.by as u32).max(1);
                }
            }
        }
    }

    /// Whether a chunk has addresses of its own.
    pub fn is_lifted(&self, chunk: u32) -> bool {
        self.chunks[chunk as usize].origin >= LIFTED
    }
}
