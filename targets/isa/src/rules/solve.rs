//! Whether a term can be true: by trying all inputs, or by a SAT solver.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, clause, lbool};

use super::refute::{Clause, Literal, refuted};
use crate::circuit::Circuit;
use crate::lanes::Lanes;
use crate::terms::{Arena, Node, Term};

/// Patterns of the first six inputs in 64 lanes.
const PATTERNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// A term with what it is made of, numbered from 0.
struct Dense {
    nodes: Vec<Node>,
    /// By number of the node, its place here.
    place: Vec<usize>,
}

impl Dense {
    fn of(arena: &Arena, root: Term) -> Self {
        let cone = arena.cone([root]);
        let mut place = vec![usize::MAX; cone.last().map_or(0, |n| n + 1)];
        for (i, &n) in cone.iter().enumerate() {
            place[n] = i;
        }
        let nodes = cone.iter().map(|&n| arena.node(n)).collect();
        Self { nodes, place }
    }

    fn at(&self, term: Term) -> usize {
        self.place[term.node()]
    }
}

/// Inputs for which the term is true, of all there are: by number, and their values.
/// `support` are its inputs, 24 at most.
pub fn try_all(arena: &Arena, root: Term, support: &[u32]) -> Option<Vec<(u32, bool)>> {
    let dense = Dense::of(arena, root);
    let high = support.len().saturating_sub(PATTERNS.len());
    let mut values = vec![0u64; dense.nodes.len()];
    let get = |values: &[u64], t: Term| {
        let v = values[dense.at(t)];
        if t.is_inverted() { Lanes.invert(v) } else { v }
    };
    for round in 0..1u64 << high {
        let input = |number: u32| {
            let i = support.iter().position(|&s| s == number).unwrap_or(0);
            match PATTERNS.get(i) {
                Some(&pattern) => pattern,
                None => Lanes.constant(round >> (i - PATTERNS.len()) & 1 == 1),
            }
        };
        for i in 0..dense.nodes.len() {
            values[i] = match dense.nodes[i] {
                Node::False => 0,
                Node::Input(n) => input(n),
                Node::Both(a, b) => get(&values, a) & get(&values, b),
                Node::Differ(a, b) => get(&values, a) ^ get(&values, b),
            };
        }
        let hits = get(&values, root);
        if hits != 0 {
            let lane = hits.trailing_zeros();
            let values = support.iter().map(|&n| (n, input(n) >> lane & 1 == 1));
            return Some(values.collect());
        }
    }
    None
}

/// Keeps what the solver learns, and stops it when that is too much.
struct Watch {
    steps: Vec<Clause>,
    most: u64,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], kind: clause::Kind) {
        if kind == clause::Kind::Learnt {
            let number = |l: &Lit| l.var().idx() << 1 | u32::from(!l.sign());
            self.steps.push(clause.iter().map(number).collect());
        }
    }
    fn stop(&self) -> bool {
        self.steps.len() as u64 > self.most
    }
}

/// What a solver says.
pub enum Answer {
    /// Inputs for which the term is true, by number.
    True(Vec<(u32, bool)>),
    /// There are none: the steps that show it.
    Never(Vec<Clause>),
    /// It would have to learn more clauses than it may.
    Unknown,
    /// It says that there are none, but what it learnt does not show it.
    Unfounded,
}

/// The clauses that say that a term is true: one variable for each of its nodes.
fn clauses(dense: &Dense, root: Term) -> Vec<Clause> {
    let literal = |t: Term| (dense.at(t) as Literal) << 1 | u32::from(t.is_inverted());
    let mut all = Vec::new();
    for (n, node) in (0..).map(|i: Literal| i << 1).zip(&dense.nodes) {
        match *node {
            Node::False => all.push(vec![n ^ 1]),
            Node::Input(_) => {}
            Node::Both(a, b) => {
                let (a, b) = (literal(a), literal(b));
                all.extend([vec![n ^ 1, a], vec![n ^ 1, b], vec![n, a ^ 1, b ^ 1]]);
            }
            Node::Differ(a, b) => {
                let (a, b) = (literal(a), literal(b));
                all.extend([
                    vec![n ^ 1, a, b],
                    vec![n ^ 1, a ^ 1, b ^ 1],
                    vec![n, a ^ 1, b],
                    vec![n, a, b ^ 1],
                ]);
            }
        }
    }
    all.push(vec![literal(root)]);
    all
}

/// Whether a term can be true, if the solver learns no more than so many clauses. That it
/// cannot is not taken from the solver: what it learnt is checked.
pub fn solve(arena: &Arena, root: Term, most: u64) -> Answer {
    let dense = Dense::of(arena, root);
    let all = clauses(&dense, root);
    let watch = Watch {
        steps: Vec::new(),
        most,
    };
    let mut solver = Solver::new(SolverOpts::default(), watch);
    let variables: Vec<_> = (dense.nodes.iter())
        .map(|_| solver.new_var_default())
        .collect();
    for clause in &all {
        let lit = |&l: &Literal| Lit::new(variables[l as usize / 2], l & 1 == 0);
        let mut own: Vec<Lit> = clause.iter().map(lit).collect();
        solver.add_clause_reuse(&mut own);
    }
    let answer = solver.solve_limited(&[]);
    if answer == lbool::UNDEF {
        return Answer::Unknown;
    }
    if answer == lbool::FALSE {
        let steps = refuted(dense.nodes.len(), &all, &solver.cb().steps);
        return steps.map_or(Answer::Unfounded, Answer::Never);
    }
    let inputs = dense.nodes.iter().zip(&variables);
    let inputs = inputs.filter_map(|(node, &v)| match node {
        Node::Input(n) => Some((*n, solver.value_var(v) == lbool::TRUE)),
        _ => None,
    });
    Answer::True(inputs.collect())
}

/// Whether steps show that a term is never true.
pub fn shows(arena: &Arena, root: Term, steps: &[Clause]) -> bool {
    let dense = Dense::of(arena, root);
    refuted(dense.nodes.len(), &clauses(&dense, root), steps).is_some()
}
