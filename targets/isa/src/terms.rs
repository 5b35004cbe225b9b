//! The domain of terms: each bit is a formula over input bits, kept once.
//!
//! A term that is made in two ways of the same parts is the same term (hash-consing),
//! with constants, repetitions and opposites folded. So what two programs compute may
//! be equal by construction; where it is not, the formulas are there to be tried on all
//! inputs ([`Arena::evaluate`]) or given to a solver ([`Arena::node`]).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::circuit::Circuit;

/// A bit: a node of the arena, maybe turned over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// Never.
    pub const FALSE: Self = Self(0);
    /// Always.
    pub const TRUE: Self = Self(1);

    /// Number of its node.
    pub const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the node turned over.
    pub const fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Turned over.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Never: node 0.
    False,
    /// An input bit, by number.
    Input(u32),
    /// Both.
    Both(Term, Term),
    /// One of the two but not both; neither is turned over.
    Differ(Term, Term),
}

/// Multiplies and turns; the keys are small numbers.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(b.into()));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(23) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

/// Where terms are kept.
#[derive(Debug)]
pub struct Arena {
    nodes: RefCell<Vec<Node>>,
    found: RefCell<HashMap<Node, u32, BuildHasherDefault<Mixer>>>,
    inputs: Cell<u32>,
}

impl Default for Arena {
    fn default() -> Self {
        Self {
            nodes: RefCell::new(vec![Node::False]),
            found: RefCell::default(),
            inputs: Cell::new(0),
        }
    }
}

impl Arena {
    /// The domain whose terms are kept here.
    pub fn terms(&self) -> Terms<'_> {
        Terms(self)
    }

    /// Input bits that there are.
    pub fn inputs(&self) -> u32 {
        self.inputs.get()
    }

    /// A new input bit.
    pub fn input(&self) -> Term {
        let number = self.inputs.get();
        self.inputs.set(number + 1);
        self.put(Node::Input(number))
    }

    /// New input bits, the lowest first.
    pub fn fresh<const N: usize>(&self) -> [Term; N] {
        std::array::from_fn(|_| self.input())
    }

    /// A node.
    pub fn node(&self, number: usize) -> Node {
        self.nodes.borrow()[number]
    }

    fn put(&self, node: Node) -> Term {
        let mut nodes = self.nodes.borrow_mut();
        let next = nodes.len() as u32;
        let number = *self.found.borrow_mut().entry(node).or_insert(next);
        if number == next {
            nodes.push(node);
        }
        Term(number << 1)
    }

    /// The nodes that some terms are made of, parts before what they are parts of.
    pub fn cone(&self, terms: impl IntoIterator<Item = Term>) -> Vec<usize> {
        let nodes = self.nodes.borrow();
        let mut seen = vec![false; nodes.len()];
        let mut left: Vec<usize> = terms.into_iter().map(Term::node).collect();
        while let Some(n) = left.pop() {
            if std::mem::replace(&mut seen[n], true) {
                continue;
            }
            if let Node::Both(a, b) | Node::Differ(a, b) = nodes[n] {
                left.extend([a.node(), b.node()]);
            }
        }
        (0..nodes.len()).filter(|&n| seen[n]).collect()
    }

    /// The numbers of the inputs that some terms are made of.
    pub fn support(&self, terms: impl IntoIterator<Item = Term>) -> Vec<u32> {
        let inputs = self
            .cone(terms)
            .into_iter()
            .filter_map(|n| match self.node(n) {
                Node::Input(i) => Some(i),
                _ => None,
            });
        inputs.collect()
    }

    /// The values of the nodes of a cone, by number, where the inputs have these; those
    /// of other nodes are false.
    pub fn evaluate<C: Circuit>(
        &self,
        c: C,
        cone: &[usize],
        input: impl Fn(u32) -> C::Wire,
        values: &mut Vec<C::Wire>,
    ) {
        let nodes = self.nodes.borrow();
        values.clear();
        values.resize(nodes.len(), c.constant(false));
        for &n in cone {
            values[n] = match nodes[n] {
                Node::False => c.constant(false),
                Node::Input(i) => input(i),
                Node::Both(a, b) => c.meet(value(c, values, a), value(c, values, b)),
                Node::Differ(a, b) => c.differ(value(c, values, a), value(c, values, b)),
            };
        }
    }
}

/// The value of a term, where those of the nodes are known.
pub fn value<C: Circuit>(c: C, values: &[C::Wire], term: Term) -> C::Wire {
    let v = values[term.node()];
    if term.is_inverted() { c.invert(v) } else { v }
}

/// The domain.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a>(&'a Arena);

impl<'a> Terms<'a> {
    /// Where its terms are.
    pub fn arena(self) -> &'a Arena {
        self.0
    }

    /// What is left of `a` where `b` holds, if that is simpler; `b` is the product or its
    /// opposite.
    fn reduced(self, a: Term, b: Term) -> Option<Term> {
        let Node::Both(x, y) = self.0.node(b.node()) else {
            return None;
        };
        match b.is_inverted() {
            false if a == x || a == y => Some(b),
            false if a == x.inverse() || a == y.inverse() => Some(Term::FALSE),
            true if a == x => Some(self.meet(a, y.inverse())),
            true if a == y => Some(self.meet(a, x.inverse())),
            true if a == x.inverse() || a == y.inverse() => Some(a),
            _ => None,
        }
    }
}

impl Circuit for Terms<'_> {
    type Wire = Term;

    fn constant(self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    fn invert(self, a: Term) -> Term {
        a.inverse()
    }

    fn meet(self, a: Term, b: Term) -> Term {
        if a == Term::FALSE || b == Term::FALSE || a == b.inverse() {
            return Term::FALSE;
        }
        if a == Term::TRUE || a == b {
            return b;
        }
        if b == Term::TRUE {
            return a;
        }
        if let Some(simple) = self.reduced(a, b).or_else(|| self.reduced(b, a)) {
            return simple;
        }
        self.0.put(Node::Both(a.min(b), a.max(b)))
    }

    fn differ(self, a: Term, b: Term) -> Term {
        let turned = a.is_inverted() ^ b.is_inverted();
        let (a, b) = (Term(a.0 & !1), Term(b.0 & !1));
        let (a, b) = (a.min(b), a.max(b));
        let plain = if a == b {
            Term::FALSE
        } else if a == Term::FALSE {
            b
        } else {
            let other = |whole: Term, part: Term| match self.0.node(whole.node()) {
                Node::Differ(x, y) if x == part => Some(y),
                Node::Differ(x, y) if y == part => Some(x),
                _ => None,
            };
            let shorter = other(b, a).or_else(|| other(a, b));
            shorter.unwrap_or_else(|| self.0.put(Node::Differ(a, b)))
        };
        Term(plain.0 ^ u32::from(turned))
    }

    fn choose(self, c: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        if a == b.inverse() {
            return self.differ(c, b);
        }
        self.join(self.meet(c, a), self.meet(c.inverse(), b))
    }

    fn certain(self, a: Term) -> Option<bool> {
        (a.node() == 0).then_some(a.is_inverted())
    }
}
