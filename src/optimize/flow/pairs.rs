//! Addresses whose halves are loaded each by itself, one of them at least as a plain number:
//! where memory is touched with both, or it is gone there, on the straight way behind.

use super::build::Nodes;
use super::facts::Book;
use super::hazard::Search;
use super::node::{Kind, Node, Reason, within};
use super::shape::Shape;
use super::values::{self, Cells};
use scrimp_isa::effects::Way;
use scrimp_isa::known::Byte;
use scrimp_isa::memory::Space;

/// Instructions that are looked at behind one that loads a half.
const STRAIGHT: usize = 24;
/// Bits of a half.
const HALF: u8 = 8;

/// Where such a number leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To data memory.
    Data(u32),
    /// To program memory that is read: the address in bytes.
    Program(u64),
    /// There control goes: the address in bytes.
    Goes(u64),
    /// Somewhere into 256 bytes of data memory.
    Page(u32),
}

/// All of them.
pub fn find(nodes: &Nodes, book: &Book<'_>) -> Vec<Leads> {
    let mut out = Vec::new();
    for node in &nodes.list {
        if loads_half(node) {
            follow(nodes, book, node, &mut out);
        }
    }
    out
}

/// Whether a node loads a byte, and does no more.
fn loads_half(node: &Node) -> bool {
    let plain = node.kind == Kind::Code && node.ways.way.is_none();
    let Some(f) = node.facts.as_ref().filter(|_| plain) else {
        return false;
    };
    let touches = f.effects.reads_memory || f.effects.writes_memory || f.effects.output;
    !touches && node.operands.iter().any(|o| o.width <= HALF)
}

/// Whether a node names half an address.
fn names_half(node: &Node) -> bool {
    let mut all = node.operands.iter();
    all.any(|o| o.width <= HALF && matches!(o.shape, Shape::Half(..) | Shape::Byte(..)))
}

fn follow(nodes: &Nodes, book: &Book<'_>, first: &Node, out: &mut Vec<Leads>) {
    let layout = book.semantics.layout();
    let mut cells: Cells = vec![Byte::UNKNOWN; layout.cells.len()];
    // Those that hold a half that is named: it follows its place.
    let mut named: Vec<u8> = Vec::new();
    let mut at = Some(first);
    for _ in 0..STRAIGHT {
        let Some(node) = at.filter(|n| n.kind == Kind::Code) else {
            return;
        };
        let Some(f) = node.facts.as_ref() else { return };
        let goes = node.ways.to.is_none() && matches!(node.ways.way, Some(Way::Jump | Way::Call));
        let e = &f.effects;
        let pointers = match goes {
            true => e.uses,
            false => f.pointers,
        };
        let pointers = pointers.without(book.stack());
        let own = layout.locations();
        let own: Vec<u8> = own
            .iter()
            .filter(|l| l.bit.is_none() && pointers.has(l.number))
            .map(|l| l.cell)
            .collect();
        let exact = |c: &u8| cells[usize::from(*c)].exact();
        let number = own.iter().any(|c| exact(c).is_some() && !named.contains(c));
        if own.len() >= 2 && number && own.iter().all(|c| exact(c).is_some()) {
            leads(book, node, (&cells, &own), goes, out);
        } else if own.len() == 2 && number && !goes && (e.reads_memory || e.writes_memory) {
            let upper = own.iter().find(|&&c| book.is_upper(node.code(), c));
            let page = upper.filter(|c| !named.contains(c)).and_then(exact);
            out.extend(page.map(|p| Leads::Page(p.into())));
        }
        // A jump that is always made goes on elsewhere.
        let jumps = node.ways.way == Some(Way::Jump) && !node.ways.falls_through;
        if node.ways.way.is_some() && !jumps {
            return;
        }
        // What is put on the stack takes no place of a register.
        let puts = e.writes_memory && !e.reads_memory && !f.pointers.is_empty();
        if puts && f.pointers.without(book.stack()).is_empty() {
            at = within(node).next().map(|n| &nodes.list[n as usize]);
            continue;
        }
        // A whole address is looked at elsewhere.
        let wide = node.operands.iter().any(|o| o.width > HALF);
        let half = names_half(node);
        let moves = !half && node.operands.iter().any(|o| o.shape != Shape::Number);
        let writes: Vec<u8> = layout
            .locations()
            .iter()
            .filter(|l| l.bit.is_none() && e.writes.has(l.number))
            .map(|l| l.cell)
            .collect();
        let copied = half
            || e.writes.iter().any(|w| {
                let flows = e.flows[usize::from(w)];
                let from = layout.locations();
                from.iter()
                    .any(|l| flows.has(l.number) && named.contains(&l.cell))
            });
        named.retain(|c| !writes.contains(c));
        if copied {
            named.extend(writes);
        }
        match values::run(book, node, &cells).filter(|_| !wide && !moves) {
            Some(after) => cells = after,
            None => {
                for l in layout.locations().iter().filter(|l| e.writes.has(l.number)) {
                    cells[usize::from(l.cell)] = Byte::UNKNOWN;
                }
            }
        }
        at = within(node).next().map(|n| &nodes.list[n as usize]);
    }
}

/// Where an instruction leads from what is known.
fn leads(
    book: &Book<'_>,
    node: &Node,
    (cells, pointers): (&Cells, &[u8]),
    goes: bool,
    out: &mut Vec<Leads>,
) {
    let own: Vec<u8> = cells.iter().map(|c| c.exact().unwrap_or(0x55)).collect();
    let Some((touched, to)) = book.led(node.code(), &own) else {
        return;
    };
    if let (true, [a, b]) = (touched.is_empty() && !goes, pointers) {
        // Registers that have addresses of memory: those are no memory.
        let upper = if book.is_upper(node.code(), *a) { a } else { b };
        let low = if upper == a { b } else { a };
        let half = |c: &u8| u32::from(own[usize::from(*c)]);
        out.push(Leads::Data(half(upper) << 8 | half(low)));
        return;
    }
    if goes {
        out.push(Leads::Goes(u64::from(to) * book.semantics.unit()));
        return;
    }
    out.extend(touched.into_iter().filter_map(|(space, at)| match space {
        Space::Data => Some(Leads::Data(at)),
        Space::Program => Some(Leads::Program(at.into())),
        Space::Port => None,
    }));
}

impl Search<'_, '_> {
    /// What they lead to stays at its address.
    pub(super) fn pairs(&mut self) {
        let apart = self.book.semantics.unit() > 1;
        for found in find(self.nodes, self.book) {
            let at = match found {
                Leads::Data(_) | Leads::Page(_) if apart => continue,
                Leads::Page(page) => {
                    self.page(u64::from(page) << HALF);
                    continue;
                }
                Leads::Data(at) => at.into(),
                Leads::Program(at) | Leads::Goes(at) => at,
            };
            let Some((to, behind)) = self.nodes.holding(at) else {
                continue;
            };
            self.hold(to, Reason::Numbered);
            if !self.is_code(to) {
                continue;
            }
            match found {
                Leads::Goes(_) => {
                    self.nodes.list[to as usize].entry = true;
                    if behind > 0 {
                        self.otherwise(at);
                    }
                }
                _ => self.taken.push((to, behind, None)),
            }
        }
    }

    /// Data in 256 bytes from an address on stay where they are.
    fn page(&mut self, from: u64) {
        let places = &self.nodes.places;
        let first = places.partition_point(|p| p.0 < from);
        let own = places[first..].iter();
        let own: Vec<u32> = own.take_while(|p| p.0 < from + 256).map(|p| p.1).collect();
        let mut before = None;
        for n in own {
            // What stands behind data stays behind them.
            let goes_on = before.is_some_and(|b| b + 1 == n);
            if self.nodes.list[n as usize].kind == Kind::Data {
                if !goes_on {
                    self.hold(n, Reason::Numbered);
                }
                before = Some(n);
            }
        }
    }
}
