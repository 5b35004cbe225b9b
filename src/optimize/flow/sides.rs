//! What is known on the two ways behind a jump or a return on a condition: it goes only where
//! registers and flags have some of their values. Found by running what decides, up to some
//! instructions before it, with all values of the one register or flag that it depends on.

use super::build::Nodes;
use super::facts::{Bits, Book, Sides};
use super::node::Node;
use super::undone::computes;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::{self, Way};
use scrimp_isa::known::Byte;
use scrimp_isa::semantics::Code;
use scrimp_isa::state::{Location, place};
use std::sync::Arc;

/// Instructions before a jump that are run with it.
const BEFORE: usize = 3;

/// What is known on both ways behind a node; `fixed` tells of a node whether its bytes and
/// constants are what they seem, and whether it has no registers that change by themselves.
pub fn of(nodes: &Nodes, book: &Book<'_>, n: u32, fixed: &dyn Fn(&Node) -> bool) -> Sides {
    let node = &nodes.list[n as usize];
    let decides = matches!(node.ways.way, Some(Way::Jump | Way::Return));
    let mut out = Sides::default();
    if !decides || !node.ways.falls_through || node.other || !fixed(node) {
        return out;
    }
    let mut all = vec![n];
    loop {
        let list: Vec<&Node> = all.iter().map(|&x| &nodes.list[x as usize]).collect();
        let found = ran(&list, book);
        out.on.extend(found.on.iter().copied());
        out.gone.extend(found.gone.iter().copied());
        let first = all[0];
        let before = first.checked_sub(1).filter(|_| all.len() <= BEFORE);
        let Some(b) = before else { return out };
        let (own, next) = (&nodes.list[b as usize], &nodes.list[first as usize]);
        let only = !next.is_reached() && own.next == Some(first) && own.ways.falls_through;
        if !only || !computes(own) || !fixed(own) {
            return out;
        }
        let between = all[..all.len() - 1].iter();
        let between = between.filter_map(|&x| nodes.list[x as usize].facts.as_deref());
        let changed = between.fold(Inputs::NONE, |c, f| c.and(f.effects.writes));
        zeros(own, changed, book, &mut out);
        all.insert(0, b);
    }
}

/// Adds that registers are 0 where a flag is set that says so, behind an instruction and others
/// that change some locations.
fn zeros(node: &Node, changed: Inputs, book: &Book<'_>, out: &mut Sides) {
    let writes = node
        .facts
        .as_ref()
        .map_or(Inputs::NONE, |f| f.effects.writes);
    let zero = book.zero(node.code(), writes);
    let Some(zero) = zero.and_then(|z| z.behind(changed)) else {
        return;
    };
    let locations = book.semantics.layout().locations();
    let at = |number: u8| locations.iter().find(|l| l.number == number).copied();
    let Some(flag) = at(zero.flag) else { return };
    let mask = flag.bit.map_or(0, |b| 1 << b);
    let set = |side: &Bits| {
        let is = |k: &(u8, Byte)| k.0 == flag.cell && k.1.known & k.1.value & mask != 0;
        side.iter().any(is)
    };
    let cells = zero
        .cells
        .iter()
        .filter_map(at)
        .map(|l| (l.cell, Byte::of(0)));
    let cells: Bits = cells.collect();
    for side in [&mut out.on, &mut out.gone] {
        if set(side) {
            side.extend(&cells);
        }
    }
}

/// Runs a sequence that ends with what decides.
fn ran(list: &[&Node], book: &Book<'_>) -> Arc<Sides> {
    let mut key: Vec<u8> = Vec::new();
    for node in list {
        key.push(node.size as u8);
        key.extend(node.code());
    }
    book.sides
        .get(&key, || Arc::new(tried(list, book).unwrap_or_default()))
}

/// Registers and flags among these.
fn registers(all: Inputs) -> Inputs {
    Inputs(all.0 & ((1 << place::OTHERS) - 1))
}

/// What locations behind a sequence depend on before it; nothing where that is more than
/// registers, flags and constants.
fn roots(list: &[&Node], behind: Inputs) -> Option<Inputs> {
    let constant = Inputs::one(place::IMMEDIATE);
    let mut all = behind;
    for node in list.iter().rev() {
        all = node
            .facts
            .as_ref()?
            .effects
            .live_before(all)
            .without(constant);
    }
    (registers(all) == all).then_some(all)
}

/// What it depends on whether an instruction goes.
fn decides(node: &Node, book: &Book<'_>) -> Option<Inputs> {
    let mut p = effects::start(book.semantics.layout(), None);
    let code = Code {
        bytes: node.code(),
        address: node.address,
    };
    book.semantics.depend(code, &mut p)?;
    p.went.map(|g| g.inputs())
}

fn tried(list: &[&Node], book: &Book<'_>) -> Option<Sides> {
    let (last, before) = list.split_last()?;
    let stack = book.stack();
    let uses = last.facts.as_ref()?.effects.uses;
    let back = last.ways.way == Some(Way::Return);
    // Where a return leads to is another question than whether it goes.
    let asks = match back {
        true => registers(uses).without(stack),
        false => decides(last, book)?.without(Inputs::one(place::IMMEDIATE)),
    };
    let root = roots(before, asks)?;
    let layout = book.semantics.layout();
    let locations = layout.locations();
    let own: Vec<&Location> = locations.iter().filter(|l| root.has(l.number)).collect();
    // A count of two bytes is tried where nothing else runs with it.
    let (input, other) = match own[..] {
        [one] => (one, None),
        [one, two] if before.is_empty() && one.bit.is_none() && two.bit.is_none() => {
            (one, Some(two))
        }
        _ => return None,
    };
    // What depends on nothing else.
    let follows = |l: &&Location| {
        let written = list.iter().any(|n| {
            let facts = n.facts.as_ref();
            facts.is_some_and(|f| f.effects.writes.has(l.number))
        });
        let plain = |i: Inputs| i.without(root).is_empty();
        let whole = if back { before } else { list };
        own.iter().any(|o| o.number == l.number)
            || written
                && !stack.has(l.number)
                && roots(whole, Inputs::one(l.number)).is_some_and(plain)
    };
    let wanted: Vec<Location> = locations.iter().filter(follows).copied().collect();
    let mut sides: [Vec<Option<Byte>>; 2] = [vec![None; wanted.len()], vec![None; wanted.len()]];
    let values: Vec<u8> = match input.bit {
        None => (0..=255).collect(),
        Some(bit) => vec![0, 1 << bit],
    };
    let second: Vec<u8> = match other {
        None => vec![0x5a],
        Some(_) => (0..=255).collect(),
    };
    let pairs = values
        .iter()
        .flat_map(|&v| second.iter().map(move |&w| (v, w)));
    for (v, w) in pairs {
        let mut cells = vec![0x5a; layout.cells.len()];
        if let Some(two) = other {
            cells[usize::from(two.cell)] = w;
        }
        let c = &mut cells[usize::from(input.cell)];
        *c = input.bit.map_or(v, |bit| *c & !(1 << bit) | v);
        let mut went = false;
        for node in list {
            let p = book.after(node.code(), &cells)?;
            cells = (0..layout.cells.len() as u8).map(|c| p.cell(c)).collect();
            went = p.went == Some(true);
        }
        for (slot, l) in sides[usize::from(went)].iter_mut().zip(&wanted) {
            let mask = l.bit.map_or(0xff, |b| 1 << b);
            let now = Byte {
                known: mask,
                value: cells[usize::from(l.cell)] & mask,
            };
            *slot = Some(slot.map_or(now, |old| old.join(now)));
        }
    }
    let [on, gone] = sides.map(|side| -> Bits {
        let all = wanted.iter().zip(side);
        let known = all.filter_map(|(l, b)| Some((l.cell, b?)));
        known.filter(|k| k.1.known != 0).collect()
    });
    Some(Sides { on, gone })
}
