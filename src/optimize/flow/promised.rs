//! What contracts say of the nodes of a placed program.

use super::build::{Nodes, Placed, goal};
use super::facts::Book;
use super::node::Kind;
use crate::optimize::contract::{Contracts, Extent, Terms, taken};
use crate::program::Program;
use crate::program::symbol::SymbolId;
use rustc_hash::FxHashMap;
use scrimp_isa::effects::Way;

/// Promises by node and address.
#[derive(Debug, Default)]
pub struct Promised {
    /// Of the first node of routines and tables.
    pub nodes: FxHashMap<u32, Terms>,
    /// Of addresses outside.
    pub outside: FxHashMap<u64, Terms>,
}

impl Promised {
    /// What is said of a program as it is placed.
    pub fn of(
        program: &Program<'_>,
        placed: &Placed,
        nodes: &Nodes,
        contracts: &Contracts,
    ) -> Self {
        let mut out = Self {
            nodes: FxHashMap::default(),
            outside: contracts.outside.clone(),
        };
        for (&id, terms) in &contracts.labels {
            let n = address(program, placed, id).and_then(|a| nodes.at(a));
            out.nodes.extend(n.map(|n| (n, terms.clone())));
        }
        out
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.outside.is_empty()
    }

    /// What is said of what stands at an address.
    pub fn at(&self, nodes: &Nodes, address: u64) -> Option<&Terms> {
        match nodes.at(address) {
            Some(n) => self.nodes.get(&n),
            None => self.outside.get(&address),
        }
    }

    /// Calls whose routines take bytes behind them go on behind these.
    pub fn inline(&self, nodes: &mut Nodes, placed: &Placed, book: &Book<'_>) {
        if self.is_empty() {
            return;
        }
        let calls = (0..nodes.list.len() as u32).filter(|&n| {
            let node = &nodes.list[n as usize];
            node.kind == Kind::Code && node.ways.way == Some(Way::Call)
        });
        let mut found = Vec::new();
        for n in calls {
            let node = &nodes.list[n as usize];
            let to = goal(book, &node.ways);
            let terms = to.and_then(|g| self.at(nodes, g));
            let Some(inline) = terms.and_then(|t| t.inline) else {
                continue;
            };
            let end = node.address + u64::from(node.size);
            let chunk = node.at.chunk;
            let (base, own) = (
                placed.layout.base[chunk as usize],
                &placed.bytes[chunk as usize],
            );
            let mut behind = |i: u64| own.get((end - base + i) as usize).copied();
            let go_on = taken(inline, &mut behind).and_then(|count| {
                let mut at = end;
                while at < end + count {
                    let data = &nodes.list[nodes.at(at)? as usize];
                    if data.kind == Kind::Code || data.at.chunk != chunk {
                        return None;
                    }
                    at += u64::from(data.size);
                }
                let next = nodes.at(at).filter(|_| at == end + count)?;
                let same = nodes.list[next as usize].at.chunk == chunk;
                (same && nodes.list[next as usize].kind == Kind::Code).then_some(next)
            });
            found.push((n, go_on));
        }
        for (n, go_on) in found {
            nodes.list[n as usize].inline = true;
            if let Some(next) = go_on {
                nodes.list[n as usize].next = Some(next);
                nodes.inlined.insert(n, next);
            }
        }
    }

    /// The node behind what is reached by the address of a node, if a contract says that.
    pub fn end(
        &self,
        program: &Program<'_>,
        placed: &Placed,
        nodes: &Nodes,
        from: u32,
    ) -> Option<u32> {
        let terms = self.nodes.get(&from)?;
        let list = &nodes.list;
        let first = &list[from as usize];
        let chunk = |n: u32| list.get(n as usize).map(|x| x.at.chunk);
        match terms.extent? {
            Extent::Bytes(count) => {
                let end = first.address + u64::from(count);
                let mut n = from;
                while chunk(n) == Some(first.at.chunk) && list[n as usize].address < end {
                    n += 1;
                }
                Some(n)
            }
            Extent::Label(id) => {
                let end = address(program, placed, id)?;
                let mut n = from;
                while chunk(n) == Some(first.at.chunk) && list[n as usize].address < end {
                    n += 1;
                }
                (n > from).then_some(n)
            }
            Extent::Instructions(count) => {
                let mut n = from;
                let mut left = count;
                while left > 0 && chunk(n) == Some(first.at.chunk) {
                    left -= u32::from(list[n as usize].size > 0);
                    n += 1;
                }
                Some(n)
            }
            Extent::Jumps => {
                let mut n = from;
                while chunk(n) == Some(first.at.chunk) {
                    let x = &list[n as usize];
                    let jumps = x.ways.way == Some(Way::Jump) && !x.ways.falls_through;
                    let table = x.size == 0 || x.kind == Kind::Code && jumps && x.to.is_some();
                    if !table || x.size > 0 && x.size != first.size {
                        break;
                    }
                    n += 1;
                }
                (n > from).then_some(n)
            }
        }
    }
}

/// The address of a label.
fn address(program: &Program<'_>, placed: &Placed, id: SymbolId) -> Option<u64> {
    let at = program.symbols.get(id).place?;
    Some(program.address(&placed.layout, at))
}
