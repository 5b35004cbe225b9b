//! Refutations: clauses that follow one after the other, each by unit propagation from those
//! before it, down to a contradiction. Who checks one need not trust who found it.

/// A literal: twice the number of its variable, and one more where it is inverted.
pub type Literal = u32;
/// Literals of which one is true.
pub type Clause = Vec<Literal>;

/// Clauses with what follows from those of one literal.
struct Checker {
    clauses: Vec<Clause>,
    /// Of each literal the clauses that look at it: where it becomes false they move on.
    watches: Vec<Vec<u32>>,
    /// Of each variable whether it is true, if that is known.
    value: Vec<Option<bool>>,
    /// Of each variable the clause that it follows from.
    reason: Vec<Option<u32>>,
    trail: Vec<Literal>,
    /// Up to where what follows was looked for.
    done: usize,
    /// The clause that nothing satisfies.
    broken: Option<u32>,
}

impl Checker {
    fn new(variables: usize) -> Self {
        Self {
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            value: vec![None; variables],
            reason: vec![None; variables],
            trail: Vec::new(),
            done: 0,
            broken: None,
        }
    }

    fn is(&self, l: Literal) -> Option<bool> {
        self.value[l as usize / 2].map(|v| v == (l & 1 == 0))
    }

    fn set(&mut self, l: Literal, reason: Option<u32>) {
        self.value[l as usize / 2] = Some(l & 1 == 0);
        self.reason[l as usize / 2] = reason;
        self.trail.push(l);
    }

    /// Adds a clause, behind all that is known without assumptions.
    fn add(&mut self, clause: &[Literal]) {
        let n = self.clauses.len() as u32;
        let mut own = clause.to_vec();
        own.sort_unstable();
        own.dedup();
        // What is not false stands first and is watched.
        own.sort_by_key(|&l| self.is(l) == Some(false));
        let open = own.iter().filter(|&&l| self.is(l) != Some(false)).count();
        match (open, own.first()) {
            (1, Some(&l)) if self.is(l).is_none() => self.set(l, Some(n)),
            (0, _) => self.broken = self.broken.or(Some(n)),
            _ => {}
        }
        if let [a, b, ..] = own[..] {
            self.watches[a as usize].push(n);
            self.watches[b as usize].push(n);
        }
        self.clauses.push(own);
        self.follow();
    }

    /// Finds what follows from what is known, or a clause that nothing satisfies.
    fn follow(&mut self) {
        while self.broken.is_none() && self.done < self.trail.len() {
            let falsified = self.trail[self.done] ^ 1;
            self.done += 1;
            let list = std::mem::take(&mut self.watches[falsified as usize]);
            let mut kept = Vec::with_capacity(list.len());
            for (at, &n) in list.iter().enumerate() {
                if self.moves(n, falsified) {
                    continue;
                }
                kept.push(n);
                if self.broken.is_some() {
                    kept.extend_from_slice(&list[at + 1..]);
                    break;
                }
            }
            self.watches[falsified as usize] = kept;
        }
    }

    /// A clause one of whose watched literals became false: whether it watches another.
    fn moves(&mut self, n: u32, falsified: Literal) -> bool {
        let clause = &mut self.clauses[n as usize];
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let other = clause[0];
        let value = |l: Literal| self.value[l as usize / 2].map(|v| v == (l & 1 == 0));
        if value(other) == Some(true) {
            return false;
        }
        let next = clause.iter().skip(2).position(|&l| value(l) != Some(false));
        if let Some(next) = next {
            clause.swap(1, next + 2);
            let l = clause[1];
            self.watches[l as usize].push(n);
            return true;
        }
        match value(other) {
            None => self.set(other, Some(n)),
            _ => self.broken = Some(n),
        }
        false
    }

    /// The clauses from which it follows that one cannot be satisfied.
    fn causes(&self, broken: u32) -> Vec<u32> {
        let mut seen = vec![false; self.value.len()];
        let mut out = vec![broken];
        let mut at = 0;
        while let Some(&n) = out.get(at) {
            at += 1;
            for &l in &self.clauses[n as usize] {
                let v = l as usize / 2;
                if !std::mem::replace(&mut seen[v], true) {
                    out.extend(self.reason[v]);
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The clauses from which a clause follows by unit propagation, if it does.
    fn entails(&mut self, clause: &[Literal]) -> Option<Vec<u32>> {
        let (mark, done) = (self.trail.len(), self.done);
        let mut satisfied = None;
        for &l in clause {
            match self.is(l) {
                None => self.set(l ^ 1, None),
                // It is known already.
                Some(true) => satisfied = satisfied.or(self.reason[l as usize / 2]),
                Some(false) => {}
            }
        }
        self.follow();
        let causes = match (satisfied, self.broken) {
            (Some(n), _) | (None, Some(n)) => Some(self.causes(n)),
            (None, None) => None,
        };
        self.broken = None;
        for l in self.trail.drain(mark..) {
            self.value[l as usize / 2] = None;
            self.reason[l as usize / 2] = None;
        }
        self.done = done;
        causes
    }
}

/// The steps that a contradiction needs, of all that were found: each follows by unit
/// propagation from the clauses and the steps before it. Nothing where a step does not, or
/// where there is no contradiction in the end.
pub fn refuted(variables: usize, clauses: &[Clause], steps: &[Clause]) -> Option<Vec<Clause>> {
    let mut checker = Checker::new(variables);
    let fits = |c: &Clause| c.iter().all(|&l| (l as usize) < 2 * variables);
    if !clauses.iter().chain(steps).all(fits) {
        return None;
    }
    for c in clauses {
        checker.add(c);
    }
    let first = checker.clauses.len();
    let mut causes: Vec<Vec<u32>> = Vec::new();
    for step in steps {
        if checker.broken.is_some() {
            break;
        }
        causes.push(checker.entails(step)?);
        checker.add(step);
    }
    // From the end: what it needs, and what that needs.
    let mut open = checker.causes(checker.broken?);
    let mut needed = vec![false; causes.len()];
    while let Some(n) = open.pop() {
        if let Some(at) = (n as usize).checked_sub(first)
            && !std::mem::replace(&mut needed[at], true)
        {
            open.extend(&causes[at]);
        }
    }
    let steps = steps.iter().zip(needed).filter(|s| s.1);
    Some(steps.map(|s| s.0.clone()).collect())
}

/// Bits of a digit of a written number.
const DIGIT: u32 = 5;
/// The digits, and those that others follow.
const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

/// Steps as a text.
pub fn write(steps: &[Clause]) -> String {
    let mut out = String::new();
    let mut put = |n: u32| {
        let mut n = n;
        while n >> DIGIT > 0 {
            out.push(char::from(DIGITS[(n & 31) as usize + 32]));
            n >>= DIGIT;
        }
        out.push(char::from(DIGITS[n as usize]));
    };
    for step in steps {
        let mut step = step.clone();
        step.sort_unstable();
        put(step.len() as u32);
        let mut last = 0;
        for l in step {
            put(l - last);
            last = l;
        }
    }
    out
}

/// Steps from a text; nothing where it is none.
pub fn read(text: &str) -> Option<Vec<Clause>> {
    let mut bytes = text.bytes();
    let mut next = || -> Option<Option<u32>> {
        let (mut n, mut shift) = (0u32, 0);
        for first in [true, false, false, false, false, false, false] {
            let Some(b) = bytes.next() else {
                return first.then_some(None);
            };
            let digit = DIGITS.iter().position(|&d| d == b)? as u32;
            n |= (digit & 31).checked_shl(shift)?;
            shift += DIGIT;
            if digit < 32 {
                return Some(Some(n));
            }
        }
        None
    };
    let mut out = Vec::new();
    while let Some(len) = next()? {
        let mut clause = Clause::new();
        let mut last = 0u32;
        for _ in 0..len {
            last = last.checked_add(next()??)?;
            clause.push(last);
        }
        out.push(clause);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three pigeons and two holes: variable 2 * p + h.
    fn pigeons() -> Vec<Clause> {
        let sits = |p: u32, h: u32| 2 * (2 * p + h);
        let mut all: Vec<Clause> = (0..3).map(|p| vec![sits(p, 0), sits(p, 1)]).collect();
        for h in 0..2 {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                all.push(vec![sits(p, h) ^ 1, sits(q, h) ^ 1]);
            }
        }
        all
    }

    #[test]
    fn a_refutation_is_followed_and_trimmed() {
        let needed = vec![vec![1]];
        let steps = [vec![vec![1, 3]], needed.clone()].concat();
        assert_eq!(refuted(6, &pigeons(), &steps), Some(needed));
        // Nothing follows from less.
        assert_eq!(refuted(6, &pigeons(), &[]), None);
        assert_eq!(refuted(6, &pigeons()[1..], &steps), None);
        assert_eq!(refuted(6, &pigeons(), &[vec![99]]), None);
        // A step that does not follow.
        let satisfiable = &pigeons()[..6];
        assert_eq!(refuted(6, satisfiable, &[vec![0], vec![1]]), None);
    }

    #[test]
    fn steps_are_written_and_read() {
        let steps = vec![vec![1], vec![0, 7, 40, 41, 5000], vec![], vec![1 << 31]];
        assert_eq!(read(&write(&steps)), Some(steps));
        assert_eq!(read("1"), None);
        assert_eq!(read("2z"), None);
        assert_eq!(read("1Z"), None);
        assert_eq!(read("1!"), None);
    }
}
