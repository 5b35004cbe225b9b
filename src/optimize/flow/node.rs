//! Items as nodes of the flow of control.

use super::facts::Facts;
use super::shape::Shape;
use crate::program::symbol::{Anchor, ExprId, SymbolId};
use scrimp_isa::effects::{Successors, Way};
use std::sync::Arc;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction that is understood.
    Code,
    /// Bytes of data, or an instruction without a meaning.
    Data,
    /// Room, alignment, gaps.
    Room,
}

/// Why a node stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A line or region that asks for it.
    Asked,
    /// A store goes into it, or may.
    Modified,
    /// It is read as data, or its address is used for more than going there.
    Read,
    /// It has bytes that are executed in two ways, or data that are executed.
    Overlapped,
    /// Data stand behind a call.
    Inline,
    /// An address is written as a number, or as a distance from another place.
    Numbered,
    /// What is fixed stands behind it in its chunk.
    Fixed,
    /// Control leaves its chunk at the end.
    Border,
    /// It has to do with time: a loop at a port, a promise.
    Timed,
    /// It is in a memory that lies over another.
    Paged,
    /// A contract holds it where it is: a call, its data and what stands behind them.
    Promised,
    /// The routine that is called before it computes where it returns to.
    Returned,
    /// What lies below the stack pointer is taken back behind it.
    Below,
    /// The instruction before may go over it, and nothing else speaks against a change.
    Skipped,
    /// A jump computes its way into its page, or into one that stands behind it.
    Computed,
    /// A jump goes to a page that nobody knows.
    Astray,
    /// It is one of a table of jumps to which nothing in the program leads.
    Table,
}

impl Reason {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Asked => "the source asks to leave it as it is",
            Self::Modified => "the program may write into it",
            Self::Read => "the program may read it as data, or use its address",
            Self::Overlapped => "its bytes are executed in two ways, or as data",
            Self::Inline => "data stand behind the call",
            Self::Numbered => "its address, or one behind it, is written as a number",
            Self::Fixed => "what stands behind it may not move",
            Self::Border => "control goes on behind the end of its part",
            Self::Timed => "it is part of a loop at a port",
            Self::Paged => "it lies over other memory",
            Self::Skipped => "the instruction before may go over it",
            Self::Returned => "the routine called before it computes where it returns to",
            Self::Below => "what lies below the stack is taken back behind it",
            Self::Computed => "a jump computes its way into this page, or into one behind it",
            Self::Astray => "a jump goes to a number in a page that nobody knows",
            Self::Table => "nothing leads to this table of jumps: others may",
            Self::Promised => "data that its routine takes stand behind the call",
        }
    }

    /// What of the source would have to be otherwise so that it may change; empty if there
    /// is no way to say it.
    pub fn unlock(self) -> &'static str {
        match self {
            Self::Asked => "no `no-opt` there",
            Self::Numbered | Self::Fixed => "a label instead of the number",
            Self::Modified
            | Self::Read
            | Self::Inline
            | Self::Timed
            | Self::Overlapped
            | Self::Border
            | Self::Paged
            | Self::Skipped
            | Self::Returned
            | Self::Below
            | Self::Computed
            | Self::Astray
            | Self::Table
            | Self::Promised => "",
        }
    }
}

/// Code that others may know by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its linear address.
    pub address: u64,
    /// Why.
    pub reason: Reason,
    /// It stands behind another of a table.
    pub behind: bool,
}

/// A value of an instruction.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Operand class.
    pub class: u8,
    /// Its field's bits.
    pub width: u8,
    /// It is relative to the instruction.
    pub relative: bool,
    /// What it is worth now; of a branch the address that it leads to.
    pub value: i64,
    /// Its expression, where it is not just a number.
    pub expr: Option<ExprId>,
    /// What that is.
    pub shape: Shape,
}

/// Who names a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ref {
    /// A jump, from that node.
    Jump(u32),
    /// A call, from that node.
    Call(u32),
    /// Its address is a value of that node.
    Value(u32),
    /// Something else: a constant, a promise, what is outside.
    Other,
}

/// An item where it lies.
#[derive(Clone, Debug)]
pub struct Node {
    /// The item.
    pub at: Anchor,
    /// Linear address.
    pub address: u64,
    /// Bytes.
    pub size: u32,
    /// What it is.
    pub kind: Kind,
    /// Row of the instruction table; `u16::MAX` for none.
    pub form: u16,
    /// The bytes of an instruction.
    pub bytes: [u8; 8],
    /// What the instruction does.
    pub facts: Option<Arc<Facts>>,
    /// Where control goes.
    pub ways: Successors,
    /// The node behind it in memory.
    pub next: Option<u32>,
    /// The node that it goes to.
    pub to: Option<u32>,
    /// Its values.
    pub operands: Vec<Operand>,
    /// Labels before it.
    pub labels: Vec<SymbolId>,
    /// Who names it.
    pub refs: Vec<Ref>,
    /// Control may come from where nobody knows.
    pub entry: bool,
    /// It may be another instruction when it runs.
    pub other: bool,
    /// Why it stays as it is.
    pub pin: Option<Reason>,
    /// It is a call with data behind it that its routine takes.
    pub inline: bool,
}

impl Node {
    /// Its bytes, if it is an instruction.
    pub fn code(&self) -> &[u8] {
        &self.bytes[..(self.size as usize).min(8)]
    }

    /// Whether it is an instruction that may change.
    pub fn is_free(&self) -> bool {
        self.kind == Kind::Code && self.pin.is_none()
    }

    /// Whether it may become another form of itself: one instruction in its place.
    pub fn may_shorten(&self) -> bool {
        self.is_free() || self.kind == Kind::Code && self.pin == Some(Reason::Skipped)
    }

    /// Whether control may come to it otherwise than from the node before.
    pub fn is_reached(&self) -> bool {
        self.entry || !self.refs.is_empty()
    }
}

/// Whether a node calls.
pub fn calls(node: &Node) -> bool {
    node.ways.way == Some(Way::Call)
}

/// Where control comes to from a node on that may be data: what they do when they are executed
/// is not known, and nothing is taken for it.
pub fn behind_data(nodes: &[Node], n: u32) -> Option<u32> {
    let chunk = nodes.get(n as usize)?.at.chunk;
    let mut own = (n..).zip(&nodes[n as usize..]);
    let found = own.find(|(_, x)| x.kind == Kind::Code || x.at.chunk != chunk)?;
    (found.1.at.chunk == chunk).then_some(found.0)
}

/// Where control goes from a node within its routine.
pub fn within(node: &Node) -> impl Iterator<Item = u32> + use<> {
    let next = (node.ways.falls_through || calls(node)).then_some(node.next);
    let jumps = matches!(node.ways.way, Some(Way::Jump | Way::Skip));
    let to = jumps.then_some(node.to);
    next.flatten().into_iter().chain(to.flatten())
}
