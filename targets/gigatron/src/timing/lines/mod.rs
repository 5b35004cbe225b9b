//! Lines of a whole program from power-on, proved without promises in its source.
//!
//! Promises of clocks divide a program into stretches that are walked one by one; a
//! program that was written without them has none. Here all of it is followed, from
//! edge of hSync to edge, with the contents of RAM as far as they matter: cells of
//! page 0 that decide where the program goes are known exactly, of others the set of
//! values that are ever stored ([`memory`]).
//!
//! What is taken for granted: stores to addresses that are not known miss page 0 and
//! the tables that jumps read. They are listed ([`Lines::wild`]).

mod graph;
mod memory;
mod report;
mod step;
pub(super) mod value;

pub use report::{BadLine, Lines};
pub(super) use step::holds;

use super::Contracts;
use graph::Graph;
use memory::Memory;
use value::Set;

/// hSync in OUT.
const HSYNC: u8 = 6;
/// vSync in OUT.
const VSYNC: u8 = 7;

/// Most cells that are told apart no more where there are too many states.
const MOST_JOINED: usize = 3;

/// Measures all lines of a program, which should have that period.
pub fn lines(rom: &[u16], contracts: &Contracts, period: usize) -> Lines {
    let first = walked(rom, contracts, period, Set::EMPTY);
    let found = report::lines(&first, period);
    // A cell that seldom changes, such as where something stands on the screen, makes as
    // many states as it has values. If all is right whatever it holds, it need not be known.
    let mut any = Set::EMPTY;
    let mut last = first;
    while last.is_over() && any.len() < MOST_JOINED {
        let Some(cell) = last.slowest() else { break };
        any.insert(cell);
        last = walked(rom, contracts, period, any);
        let less = report::lines(&last, period);
        if less.open.is_empty() && less.bad.is_empty() {
            return less;
        }
    }
    found
}

/// All lines, with the words of tables that jumps need.
fn walked<'a>(rom: &'a [u16], contracts: &'a Contracts, period: usize, any: Set) -> Graph<'a> {
    let mut memory = Memory::new(any);
    let mut words = 0;
    loop {
        let graph = Graph::walk(rom, contracts, period, memory, words);
        words = graph.words;
        match graph.memory.again() {
            Some(more) if !graph.is_over() => memory = more,
            _ => return graph,
        }
    }
}
