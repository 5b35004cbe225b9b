//! What is known of a byte in both programs at once.

use scrimp_isa::known::Byte;

/// Most halves of addresses of one value.
const MOST: usize = 300;
/// Most other numbers of one value that are not the same in both.
const MOST_BARE: usize = 4;

/// A number in the old program and what it is in the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// In the old program.
    pub old: u8,
    /// In the new one.
    pub new: u8,
    /// The address of which it is a half, in both.
    pub of: Option<(u16, u16)>,
}

impl Pair {
    /// Whether it is another number.
    pub fn differs(&self) -> bool {
        self.old != self.new
    }
}

/// One of the things that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The same in both, of which some bits are known.
    Same(Byte),
    /// These numbers.
    Pair(Pair),
    /// Nobody knows what in one and what in the other.
    Lost,
}

impl Choice {
    /// Whether it may be another number in the new program.
    pub fn differs(&self) -> bool {
        match self {
            Self::Same(_) => false,
            Self::Pair(p) => p.differs(),
            Self::Lost => true,
        }
    }

    /// What is known of it in one of the programs.
    pub fn known(&self, new: bool) -> Byte {
        match *self {
            Self::Same(b) => b,
            Self::Pair(p) => Byte::of(if new { p.new } else { p.old }),
            Self::Lost => Byte::UNKNOWN,
        }
    }
}

/// What a byte may be: the same in both, or one of some pairs of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    same: Option<Byte>,
    pairs: Vec<Pair>,
    lost: bool,
}

impl Value {
    /// The same in both, and nothing is known of it.
    pub fn any() -> Self {
        Self::of(Choice::Same(Byte::UNKNOWN))
    }

    /// One thing.
    pub fn of(choice: Choice) -> Self {
        let mut out = Self::default();
        out.add(choice);
        out
    }

    /// It may be this too.
    pub fn add(&mut self, choice: Choice) {
        match choice {
            Choice::Same(b) => self.same = Some(self.same.map_or(b, |s| s.join(b))),
            Choice::Pair(p) if p.of.is_none() && !p.differs() => {
                self.add(Choice::Same(Byte::of(p.old)));
            }
            Choice::Pair(p) if self.pairs.contains(&p) => {}
            Choice::Pair(p) if self.has_room(p) => self.pairs.push(p),
            Choice::Pair(_) | Choice::Lost => self.lost = true,
        }
    }

    fn has_room(&self, more: Pair) -> bool {
        let alike = self
            .pairs
            .iter()
            .filter(|p| p.of.is_some() == more.of.is_some());
        alike.count() < if more.of.is_some() { MOST } else { MOST_BARE }
    }

    /// It may be all that another is; whether that is more.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = (self.same, self.pairs.len(), self.lost);
        other.choices(false).into_iter().for_each(|c| self.add(c));
        before != (self.same, self.pairs.len(), self.lost)
    }

    /// All that it may be. With `addresses` only halves of addresses, if there are some.
    pub fn choices(&self, addresses: bool) -> Vec<Choice> {
        let halves = addresses && self.pairs.iter().any(|p| p.of.is_some());
        let pairs = self.pairs.iter().filter(|p| !halves || p.of.is_some());
        let mut out: Vec<Choice> = pairs.map(|&p| Choice::Pair(p)).collect();
        out.extend(self.same.filter(|_| !halves).map(Choice::Same));
        out.extend(self.lost.then_some(Choice::Lost));
        out
    }

    /// Whether it may be another number in the new program.
    pub fn differs(&self) -> bool {
        self.lost || self.pairs.iter().any(Pair::differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_grows_and_never_shrinks() {
        let mut v = Value::of(Choice::Same(Byte::of(5)));
        assert!(!v.differs());
        assert!(v.join(&Value::of(Choice::Same(Byte::of(4)))));
        assert_eq!(
            v.choices(false),
            [Choice::Same(Byte {
                known: 0xfe,
                value: 4
            })]
        );
        let pair = |new| Pair {
            old: 1,
            new,
            of: Some((1, new.into())),
        };
        assert!(v.join(&Value::of(Choice::Pair(pair(1)))));
        assert!(!v.join(&Value::of(Choice::Pair(pair(1)))));
        assert!(!v.differs());
        assert!(v.join(&Value::of(Choice::Pair(pair(2)))));
        assert!(v.differs());
        // Who goes somewhere by it goes to one of the addresses.
        assert_eq!(v.choices(true).len(), 2);
        assert_eq!(v.choices(false).len(), 3);
        assert!(v.join(&Value::of(Choice::Lost)));
        assert_eq!(v.choices(true).len(), 3);
    }
}
