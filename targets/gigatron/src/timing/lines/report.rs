//! What is wrong with lines: where the fault lies, and how often a frame has it.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Graph;
use crate::timing::{Clocks, Open, Step};

/// So many cells are named.
const MOST_NAMED: usize = 3;

/// Lines that are wrong in the same way at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The first word that no line of the right length executes, or the edge.
    pub at: u16,
    /// Clocks from edge to edge.
    pub period: usize,
    /// Fewest and most such lines in a frame, if frames come again and again.
    pub frame: Option<(usize, usize)>,
    /// The shortest path, with the clock before each word.
    pub path: Vec<Step>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Lines of the right length: states that begin with an edge, and their ways on.
    pub good: usize,
    /// The others, by place.
    pub bad: Vec<BadLine>,
    /// Fewest and most bad lines of a frame.
    pub frame: Option<(usize, usize)>,
    /// vSync falls again and again, which makes lines lines of a picture.
    pub steady: bool,
    /// Paths that are not followed: where, why, and the edge that they come from.
    pub open: Vec<(u16, Open, u16)>,
    /// Stores to unknown addresses, which are taken to miss the cells that are known.
    pub wild: Vec<u16>,
    /// Least and most clocks before each word, if all paths are followed.
    pub clocks: Clocks,
    /// Words that were executed in all.
    pub words: usize,
    /// If there are too many lines: cells with most values by which they are told apart,
    /// and how many those are.
    pub many: Vec<(u8, usize)>,
}

/// Puts it together.
pub fn lines(graph: &Graph<'_>, period: usize) -> Lines {
    // Where the fault of each path lies.
    let place = |path: &[Step], edge: u16| {
        let strange = path.iter().find(|s| !graph.good.contains(&s.0));
        strange.map_or(edge, |s| s.0)
    };
    let mut good = BTreeSet::new();
    let mut groups: BTreeMap<(u16, usize), usize> = BTreeMap::new();
    for (i, line) in graph.lines.iter().enumerate() {
        for link in line.ends.iter().filter(|l| l.counts) {
            if link.period == period {
                good.insert((i, link.to));
            } else if let Some(path) = link.path {
                let at = place(&graph.paths[path], link.edge);
                groups.entry((at, link.period)).or_insert(path);
            }
        }
    }
    let again = again(graph);
    let count = |wanted: &dyn Fn(u16, usize) -> bool| {
        let weight = |l: &super::graph::Link| match l.path {
            Some(p) if l.counts && l.period != period => {
                usize::from(wanted(place(&graph.paths[p], l.edge), l.period))
            }
            _ => 0,
        };
        frames(graph, &again, &weight)
    };
    let bad = groups.iter().map(|(&(at, clocks), &path)| BadLine {
        at,
        period: clocks,
        frame: count(&|a, p| (a, p) == (at, clocks)),
        path: graph.paths[path].clone(),
    });
    let falls = |i: usize| {
        let mut links = graph.lines[i].ends.iter();
        links.any(|l| l.frame && again[i] && again[l.to])
    };
    let clocks = (0..=u16::MAX).zip(&graph.clocks).filter(|(_, c)| c.1 > 0);
    let clocks = clocks.map(|(at, c)| (at, (i64::from(c.0), i64::from(c.1))));
    Lines {
        good: good.len(),
        bad: bad.collect(),
        frame: count(&|_, _| true),
        steady: (0..graph.lines.len()).any(falls),
        open: graph.open.iter().copied().collect(),
        wild: graph.memory.wild.iter().copied().collect(),
        clocks: match graph.open.is_empty() {
            true => clocks.collect(),
            false => Clocks::new(),
        },
        words: graph.words,
        many: many(graph),
    }
}

/// The cells that make too many lines.
fn many(graph: &Graph<'_>) -> Vec<(u8, usize)> {
    if !graph.is_over() {
        return Vec::new();
    }
    let cells = graph.cells().into_iter();
    let mut out: Vec<(u8, usize)> = cells.map(|(c, (values, _))| (c, values.len())).collect();
    out.sort_by_key(|&(c, n)| (std::cmp::Reverse(n), c));
    out.truncate(MOST_NAMED);
    out.retain(|c| c.1 > 1);
    out
}

/// Lines that come again and again: those that lie on a cycle, by Tarjan.
fn again(graph: &Graph<'_>) -> Vec<bool> {
    let n = graph.lines.len();
    let (mut order, mut low) = (vec![usize::MAX; n], vec![0; n]);
    let (mut on, mut out) = (vec![false; n], vec![false; n]);
    let (mut stack, mut count) = (Vec::new(), 0);
    for root in 0..n {
        if order[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (at, ref mut link)) = work.last_mut() {
            if *link == 0 {
                (order[at], low[at]) = (count, count);
                count += 1;
                stack.push(at);
                on[at] = true;
            }
            if let Some(l) = graph.lines[at].ends.get(*link) {
                *link += 1;
                if order[l.to] == usize::MAX {
                    work.push((l.to, 0));
                } else if on[l.to] {
                    low[at] = low[at].min(order[l.to]);
                }
                continue;
            }
            // A line without a way on was just begun and ends here too.
            work.pop();
            if let Some(&(before, _)) = work.last() {
                low[before] = low[before].min(low[at]);
            }
            if low[at] == order[at] {
                let first = stack.iter().rposition(|&s| s == at).unwrap_or(0);
                let group = stack.split_off(first);
                let itself = graph.lines[at].ends.iter().any(|l| l.to == at);
                for &g in &group {
                    on[g] = false;
                    out[g] = group.len() > 1 || itself;
                }
            }
        }
    }
    out
}

/// Least and most of a weight on the ways from one fall of vSync to the next, among
/// lines that come again. Nothing if a way goes round without one.
fn frames(
    graph: &Graph<'_>,
    again: &[bool],
    weight: &dyn Fn(&super::graph::Link) -> usize,
) -> Option<(usize, usize)> {
    let n = graph.lines.len();
    let within = |i: usize| {
        let links = graph.lines[i].ends.iter();
        links.filter(move |l| again[i] && again[l.to])
    };
    // Lines in an order in which ways lead on, but for those on which vSync falls.
    let mut before = vec![0; n];
    for i in 0..n {
        for l in within(i).filter(|l| !l.frame) {
            before[l.to] += 1;
        }
    }
    let mut ready: Vec<usize> = (0..n).filter(|&i| again[i] && before[i] == 0).collect();
    let all = again.iter().filter(|&&a| a).count();
    let mut sums: Vec<Option<(usize, usize)>> = vec![None; n];
    let mut total: Option<(usize, usize)> = None;
    let merge = |into: &mut Option<(usize, usize)>, (least, most): (usize, usize)| {
        *into = Some(into.map_or((least, most), |(a, b)| (a.min(least), b.max(most))));
    };
    for i in 0..n {
        for l in within(i).filter(|l| l.frame) {
            merge(&mut sums[l.to], (0, 0));
        }
    }
    let mut done = 0;
    while let Some(i) = ready.pop() {
        done += 1;
        for l in within(i) {
            let w = weight(l);
            let sum = sums[i].map(|(a, b)| (a + w, b + w));
            if l.frame {
                if let Some(sum) = sum {
                    merge(&mut total, sum);
                }
                continue;
            }
            if let Some(sum) = sum {
                merge(&mut sums[l.to], sum);
            }
            before[l.to] -= 1;
            if before[l.to] == 0 {
                ready.push(l.to);
            }
        }
    }
    if done == all { total } else { None }
}
