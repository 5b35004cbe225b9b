//! From a placed program to nodes with their bytes, ways and values.

use super::facts::Book;
use super::node::{Kind, Known, Node, Operand, Reason};
use super::shape::{Shape, shape};
use super::taken::Taken;
use crate::emit;
use crate::place::Layout;
use crate::program::eval::State;
use crate::program::item::{Item, What};
use crate::program::lifted::LIFTED;
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Field, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::Base;
use scrimp_isa::effects::Successors;
use scrimp_isa::semantics::Code;
use smallvec::SmallVec;
use std::ops::Range;

/// Bytes of an instruction, at most.
const LONGEST: u64 = 8;

/// A program with addresses and bytes.
pub struct Placed {
    /// Addresses.
    pub layout: Layout,
    /// Values of symbols.
    pub values: Vec<State>,
    /// Bytes of each chunk.
    pub bytes: Vec<Vec<u8>>,
    /// Errors that were found while bytes were made.
    pub errors: usize,
    /// Room that would have to be less than none: what stands before it is too long.
    pub short: usize,
}

impl Placed {
    /// Lays out a program and makes its bytes.
    pub fn of(program: &Program<'_>) -> Self {
        let layout = program.lay_out();
        let values = program.final_values(&layout);
        let (chunks, problems) = emit::bytes(program, &layout, &values);
        let unsettled = layout.unsettled.len() + layout.homeless.len();
        Self {
            bytes: chunks.into_iter().map(|c| c.bytes).collect(),
            errors: problems.errors() + unsettled,
            short: short(program, &layout, &values),
            layout,
            values,
        }
    }
}

/// How much room there is whose count is below zero.
fn short(program: &Program<'_>, layout: &Layout, values: &[State]) -> usize {
    let items = program.chunks.iter().flat_map(|c| &c.items);
    let counts = items.filter_map(|i| match i.what {
        What::Space { count, .. } => Some(count),
        _ => None,
    });
    let below = |&e: &ExprId| {
        let now = program.value_of(Value::Expr(e), layout, values);
        now.is_ok_and(|n| n < 0)
    };
    counts.filter(below).count()
}

/// The start of a chunk that may not move.
#[derive(Clone, Copy, Debug)]
pub struct Frozen {
    /// The chunk.
    pub chunk: u32,
    /// Up to this node; `u32::MAX` for all of it.
    pub until: u32,
    /// Why.
    pub reason: Reason,
    /// The node that is the cause, if there is one.
    pub by: Option<u32>,
}

/// Nodes by chunk and item, and by address.
#[derive(Debug, Default)]
pub struct Nodes {
    /// All, in the order of chunks and items.
    pub list: Vec<Node>,
    /// The first node of each chunk.
    pub starts: Vec<u32>,
    /// Nodes of at least a byte by address, in order; without what lies over other memory.
    pub places: Vec<(u64, u32)>,
    /// What may not move.
    pub frozen: Vec<Frozen>,
    /// Nodes that must stay at their addresses and have no room before them for that.
    pub held: Vec<u32>,
    /// Calls with data behind them, and the node where they go on.
    pub inlined: FxHashMap<u32, u32>,
    /// Nodes before which no room may come: they are read with the one before.
    pub together: FxHashSet<u32>,
    /// Nodes that are the cause of others' pins.
    pub causes: FxHashMap<u32, u32>,
    /// How nodes that load addresses, or numbers that may be some, use them.
    pub uses: FxHashMap<u32, Taken>,
    /// Instructions that move or search blocks of which it is known how long they are: their
    /// bytes.
    pub blocks: FxHashMap<u32, u32>,
    /// Code that others may know by its address.
    pub known: Vec<Known>,
    by_address: FxHashMap<u64, u32>,
}

impl Nodes {
    /// The node that begins at a linear address.
    pub fn at(&self, address: u64) -> Option<u32> {
        self.by_address.get(&address).copied()
    }

    /// The node that has a linear address, and how far behind its start that is.
    pub fn holding(&self, address: u64) -> Option<(u32, u64)> {
        let next = self.places.partition_point(|p| p.0 <= address);
        let (start, n) = *self.places.get(next.checked_sub(1)?)?;
        let behind = address - start;
        (behind < u64::from(self.list[n as usize].size)).then_some((n, behind))
    }

    /// Whether blocks that come down from an address touch no code, as far as they are known.
    pub fn is_data_down(&self, address: u64, used: Taken) -> bool {
        let Some(bytes) = used.below() else {
            return false;
        };
        let end = address + 1;
        !self.has_code(end.saturating_sub(bytes)..end)
    }

    /// Whether there is code at some of these addresses.
    pub fn has_code(&self, range: Range<u64>) -> bool {
        let first = self
            .places
            .partition_point(|p| p.0 + LONGEST <= range.start);
        let own = self.places[first..].iter();
        let mut own = own.take_while(|p| p.0 < range.end).filter(|p| {
            let node = &self.list[p.1 as usize];
            node.kind == Kind::Code && p.0 + u64::from(node.size) > range.start
        });
        own.next().is_some()
    }

    /// The node of an item.
    pub fn of(&self, a: Anchor) -> Option<u32> {
        let start = *self.starts.get(a.chunk as usize)?;
        let end = self.starts.get(a.chunk as usize + 1);
        let end = end.copied().unwrap_or(self.list.len() as u32);
        Some(start + a.item).filter(|&n| n < end)
    }
}

/// The nodes of a program.
pub fn nodes(program: &Program<'_>, placed: &Placed, book: &Book<'_>) -> Nodes {
    let mut nodes = Nodes::default();
    let items = program.chunks.iter().map(|c| c.items.len()).sum();
    nodes.list.reserve_exact(items);
    let mut labels = program.labels();
    for (c, chunk) in program.chunks.iter().enumerate() {
        nodes.starts.push(nodes.list.len() as u32);
        let mut address = placed.layout.base[c];
        let mut open = 0;
        for (i, item) in chunk.items.iter().enumerate() {
            let at = Anchor {
                chunk: c as u32,
                item: i as u32,
                plus: 0,
            };
            let (size, chosen) = match item.is_open() {
                true => {
                    let growth = &placed.layout.growth[c];
                    let chosen = placed.layout.choice[c][open];
                    open += 1;
                    ((growth[open] - growth[open - 1]) as u32, chosen)
                }
                false => (item.size(), 0),
            };
            let offset = (address - placed.layout.base[c]) as usize;
            let rest = &placed.bytes[c][offset..];
            let own = (rest, size as usize);
            let mut node = node(program, book, (at, item, chosen), address, own);
            node.labels = labels.remove(&at).unwrap_or_default();
            nodes.list.push(node);
            address += u64::from(size);
        }
    }
    for (n, node) in (0..).zip(&nodes.list) {
        if node.size > 0 && program.chunks[node.at.chunk as usize].page == 0 {
            nodes.places.push((node.address, n));
            nodes.by_address.entry(node.address).or_insert(n);
        }
    }
    nodes.places.sort_unstable();
    connect(program, placed, &mut nodes, book);
    nodes
}

fn node(
    program: &Program<'_>,
    book: &Book<'_>,
    (at, item, chosen): (Anchor, &Item, u8),
    address: u64,
    (rest, size): (&[u8], usize),
) -> Node {
    let own = &rest[..size];
    let mut bytes = [0; 8];
    let short = own.len().min(8);
    bytes[..short].copy_from_slice(&own[..short]);
    let mut node = Node {
        at,
        address,
        size: own.len() as u32,
        kind: Kind::Data,
        form: u16::MAX,
        bytes,
        facts: None,
        ways: Successors::default(),
        next: None,
        to: None,
        operands: Vec::new(),
        labels: Vec::new(),
        refs: Vec::new(),
        entry: false,
        other: false,
        pin: None,
        inline: false,
    };
    let form = match item.what {
        What::Instruction { form, .. } => form,
        What::Choice { from, .. } => program.choices.list[from as usize + usize::from(chosen)].form,
        What::Data { .. } => return node,
        _ => {
            node.kind = Kind::Room;
            return node;
        }
    };
    let code = Code {
        bytes: own,
        address,
    };
    if own.is_empty() || book.semantics.length(code) != Some(own.len()) {
        return node;
    }
    let (Some(facts), Some(ways)) = (book.facts(own), book.ways(rest, size, address)) else {
        return node;
    };
    node.kind = Kind::Code;
    node.form = form;
    node.facts = Some(facts);
    node.ways = ways;
    node
}

/// The address to which a way leads, in bytes.
pub fn goal(book: &Book<'_>, ways: &Successors) -> Option<u64> {
    ways.to.map(|to| u64::from(to) * book.semantics.unit())
}

fn connect(program: &Program<'_>, placed: &Placed, nodes: &mut Nodes, book: &Book<'_>) {
    let lifted: Vec<(u64, u64)> = (0..program.chunks.len())
        .filter(|&c| program.is_lifted(c as u32))
        .map(|c| (placed.layout.base[c] % LIFTED, placed.bytes[c].len() as u64))
        .collect();
    for n in 0..nodes.list.len() {
        let node = &nodes.list[n];
        let next = nodes.at(node.address + u64::from(node.size));
        let operands = match node.kind {
            Kind::Code => operands(program, placed, node),
            _ => Vec::new(),
        };
        let mut ways = node.ways;
        if !lifted.is_empty()
            && let Some(to) = ways.to
        {
            ways.to = Some(to | memory(program, (node.address, &operands), to, &lifted));
        }
        let to = goal(book, &ways).and_then(|a| nodes.at(a));
        let node = &mut nodes.list[n];
        (node.next, node.to, node.operands, node.ways) = (next, to, operands, ways);
    }
}

/// Where no memory is: control goes to a number, and that may be in one of several.
pub const SOMEWHERE: u64 = 255 * LIFTED;

/// The memory that control goes to, of those that lie one over the other: that of what is
/// named, or its own where an instruction repeats itself.
fn memory(
    program: &Program<'_>,
    (own, operands): (u64, &[Operand]),
    to: u32,
    lifted: &[(u64, u64)],
) -> u32 {
    let named = operands.iter().flat_map(|o| o.shape.places()).next();
    let of = |a: Anchor| program.chunks[a.chunk as usize].origin / LIFTED * LIFTED;
    let to = u64::from(to);
    let any = || {
        lifted
            .iter()
            .any(|&(from, len)| (from..from + len).contains(&to))
    };
    let found = match named {
        Some(a) => of(a),
        None if operands.is_empty() && to == own % LIFTED => own - to,
        None if !operands.is_empty() && any() => SOMEWHERE,
        None => 0,
    };
    found as u32
}

/// The values of an instruction.
fn operands(program: &Program<'_>, placed: &Placed, node: &Node) -> Vec<Operand> {
    let form = &program.forms[usize::from(node.form)];
    // The row that decodes may be another spelling of the one that was written.
    let classes = form
        .operand_names()
        .filter_map(|n| program.operands.iter().position(|o| o.name == n));
    let classes: SmallVec<[usize; 4]> = classes.collect();
    if classes.iter().all(|&c| program.operands[c].value.is_none()) {
        return Vec::new();
    }
    let Some(decoded) = program
        .target
        .decode_on(node.code(), node.address, program.machine)
    else {
        return Vec::new();
    };
    let item = program.item(node.at);
    let expression = |class: u8| -> Option<ExprId> {
        match item?.what {
            What::Choice { from, count } => {
                let all = program.alternatives(from, count);
                let own = all.iter().find(|e| e.form == node.form)?;
                let values = program.values_of(own).iter();
                let mut values = values.filter(|v| same_field(program, v.0, class));
                values.next().and_then(|v| match v.1 {
                    Value::Expr(e) | Value::Known(_, e) => Some(e),
                    Value::Number(_) => None,
                })
            }
            _ => {
                let values = program.operands_of(node.at).iter();
                let mut own = values.filter(|v| match v.field {
                    Field::Class(c) | Field::Low(c) => same_field(program, c, class),
                    Field::Data(_) => false,
                });
                own.next().map(|v| v.value)
            }
        }
    };
    let mut values = decoded.operands.iter().filter_map(|f| f.value);
    let mut out = Vec::new();
    for class in classes {
        let Some(spec) = program.operands[class].value else {
            continue;
        };
        let Some(field) = form.pattern.field(spec.field) else {
            let _ = values.next();
            continue;
        };
        let mut word = [0; 8];
        word.copy_from_slice(&node.bytes);
        let raw = field.extract(u64::from_le_bytes(word)) as i64;
        let expr = expression(class as u8);
        let value = values.next().unwrap_or(raw);
        let shape = match expr {
            Some(e) => shape(program, e),
            None => Shape::Number,
        };
        let known = expr.and_then(|e| {
            program
                .value_of(Value::Expr(e), &placed.layout, &placed.values)
                .ok()
        });
        out.push(Operand {
            class: class as u8,
            width: field.width,
            relative: !matches!(spec.base, Base::Absolute),
            value: known.unwrap_or(value),
            expr,
            shape,
        });
    }
    out
}

/// Whether two classes fill one field.
fn same_field(program: &Program<'_>, a: u8, b: u8) -> bool {
    let letter = |c: u8| program.operands[usize::from(c)].value.map(|v| v.field);
    a == b || letter(a) == letter(b)
}
