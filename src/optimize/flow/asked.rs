//! Lines of a source that ask to stay as they are.

use super::node::Node;
use crate::program::Program;
use rustc_hash::FxHashMap;

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
