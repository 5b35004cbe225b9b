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

/// hSync in OUT.
const HSYNC: u8 = 6;
/// vSync in OUT.
const VSYNC: u8 = 7;

/// Measures all lines of a program, which should have that period.
pub fn lines(rom: &[u16], contracts: &Contracts, period: usize) -> Lines {
    let mut memory = Memory::new();
    let mut words = 0;
    loop {
        let graph = Graph::walk(rom, contracts, period, memory, words);
        words = graph.words;
        match graph.memory.again() {
            Some(more) if !graph.is_over() => memory = more,
            _ => return report::lines(&graph, period),
        }
    }
}
