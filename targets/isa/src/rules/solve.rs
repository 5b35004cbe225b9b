//! Whether a term can be true: by trying all inputs, or by a SAT solver.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};

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

/// Inputs for which the term is true, where the solver finds some; the number of
/// conflicts that it met.
pub fn solve(arena: &Arena, root: Term) -> (Option<Vec<(u32, bool)>>, u64) {
    let dense = Dense::of(arena, root);
    let mut solver = BasicSolver::default();
    let variables: Vec<_> = dense
        .nodes
        .iter()
        .map(|_| solver.new_var_default())
        .collect();
    let literal = |t: Term| Lit::new(variables[dense.at(t)], !t.is_inverted());
    let mut add = |clause: &[Lit]| {
        solver.add_clause_reuse(&mut clause.to_vec());
    };
    for (i, node) in dense.nodes.iter().enumerate() {
        let n = Lit::new(variables[i], true);
        match *node {
            Node::False => add(&[!n]),
            Node::Input(_) => {}
            Node::Both(a, b) => {
                let (a, b) = (literal(a), literal(b));
                add(&[!n, a]);
                add(&[!n, b]);
                add(&[n, !a, !b]);
            }
            Node::Differ(a, b) => {
                let (a, b) = (literal(a), literal(b));
                add(&[!n, a, b]);
                add(&[!n, !a, !b]);
                add(&[n, !a, b]);
                add(&[n, a, !b]);
            }
        }
    }
    add(&[literal(root)]);
    let found = solver.solve_limited(&[]) == lbool::TRUE;
    let model = found.then(|| {
        let inputs = dense.nodes.iter().zip(&variables);
        let inputs = inputs.filter_map(|(node, &v)| match node {
            Node::Input(n) => Some((*n, solver.value_var(v) == lbool::TRUE)),
            _ => None,
        });
        inputs.collect()
    });
    (model, solver.num_conflicts())
}
