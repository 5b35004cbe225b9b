//! Lines of a source that ask to stay as they are, and of which contracts say something.

use super::hazard::Search;
use super::node::{Node, Reason};
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a remark says to leave a line, or all up to another remark, as it is.
const LINE: &str = "no-opt";
const START: &str = "no-opt-start";
const END: &str = "no-opt-end";

/// Nodes of lines with `no-opt` in their remark, and of those between `no-opt-start` and
/// `no-opt-end`.
pub fn find(program: &Program<'_>, list: &[Node]) -> Vec<u32> {
    let sources = &program.sources;
    let mut regions: FxHashMap<u32, Vec<std::ops::Range<usize>>> = FxHashMap::default();
    for (id, source) in sources.iter() {
        let text = &source.text;
        let mut from = 0;
        while let Some(at) = text[from..].find(START).map(|i| from + i) {
            let end = text[at..].find(END).map_or(text.len(), |i| at + i);
            regions.entry(id.0).or_default().push(at..end);
            from = end;
        }
    }
    let mut found = Vec::new();
    for (n, node) in (0..).zip(list) {
        let Some(item) = program.item(node.at) else {
            continue;
        };
        let span = sources.in_file(item.span);
        let text = &sources.get(span.source).text;
        let (start, end) = (span.start as usize, span.end as usize);
        let rest = text.get(end..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        let mut own = regions.get(&span.source.0).into_iter().flatten();
        if line.contains(LINE) || own.any(|r| r.contains(&start)) {
            found.push(n);
        }
    }
    found
}

impl Search<'_, '_> {
    /// Lines that ask for it.
    pub(super) fn asked(&mut self) {
        for n in find(self.program, &self.nodes.list) {
            self.pin(n, Reason::Asked);
        }
        self.said();
    }

    /// What contracts say of lines. What takes its time takes it with all that it calls.
    fn said(&mut self) {
        let mut timed = Vec::new();
        for n in 0..self.nodes.list.len() as u32 {
            let Some(item) = self.program.item(self.nodes.list[n as usize].at) else {
                continue;
            };
            let Some(line) = self.contracts.line(self.program, item.span) else {
                continue;
            };
            if line.keep {
                self.pin(n, Reason::Asked);
            }
            if line.modified {
                self.pin(n, Reason::Modified);
            }
            if let Some(block) = line.touched.filter(|_| self.is_code(n)) {
                self.regions.push((n, block));
            }
            if line.timed && self.is_code(n) {
                self.pin(n, Reason::Timed);
                timed.push(n);
            }
        }
        let to = |s: &Self, n: u32| {
            let node = &s.nodes.list[n as usize];
            node.to.filter(|_| super::routine::calls(node))
        };
        let mut open: Vec<u32> = timed.iter().filter_map(|&n| to(self, n)).collect();
        let mut seen = FxHashSet::default();
        while let Some(n) = open.pop() {
            if !self.is_code(n) || !seen.insert(n) {
                continue;
            }
            self.pin(n, Reason::Timed);
            open.extend(super::routine::within(&self.nodes.list[n as usize]));
            open.extend(to(self, n));
        }
    }
}
