//! Where tables in ROM lie: in pages that follow each other.

use super::fixed::Fixed;
use super::layout::Layout;
use crate::program::Program;

impl Program<'_> {
    /// Places the tables: each at the first page from which all its pieces are free;
    /// the largest first. What they fill is added to `fixed`. Returns those that
    /// found no place.
    pub(crate) fn place_tables(
        &self,
        l: &mut Layout,
        space: &[Vec<u64>],
        fixed: &mut Fixed,
    ) -> Vec<u32> {
        let mut tables: Vec<Vec<(u64, u32)>> = vec![Vec::new(); self.columns.tables as usize];
        for (c, chunk) in self.chunks.iter().enumerate() {
            if let Some(at) = chunk.in_table {
                self.size_open(l, c, 0, space);
                tables[at.table as usize].push((at.offset, c as u32));
            }
        }
        tables.sort_by_key(|t| std::cmp::Reverse(t.len()));
        let mut homeless = Vec::new();
        for pieces in tables.iter().filter(|t| !t.is_empty()) {
            let first = &self.chunks[pieces[0].1 as usize];
            let page = first.within.max(1);
            let (start, end) = self.page_range(pieces[0].1);
            let reach = pieces
                .iter()
                .map(|&(o, c)| o + self.chunk_len(l, c as usize));
            let reach = reach.max().unwrap_or(0);
            let free = |base: u64| {
                pieces.iter().all(|&(o, c)| {
                    let a = base + o;
                    fixed.behind(a, a + self.chunk_len(l, c as usize)).is_none()
                })
            };
            let mut bases = (start.next_multiple_of(page)..end).step_by(page as usize);
            let found = bases.find(|&b| b + reach <= end && free(b));
            if found.is_none() {
                homeless.extend(pieces.iter().map(|p| p.1));
            }
            let base = found.unwrap_or(start);
            for &(offset, c) in pieces {
                let at = base + offset;
                l.base[c as usize] = at;
                self.size_open(l, c as usize, at, space);
                if found.is_some() {
                    fixed.insert(at, at + self.chunk_len(l, c as usize));
                }
            }
        }
        homeless
    }
}
