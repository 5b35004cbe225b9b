//! What is known of a byte in both programs at once.

use scrimp_isa::known::Byte;

/// Most halves of addresses of one value.
const MOST: usize = 300;
/// Most other numbers of one value that are not the same in both.
const MOST_BARE: usize = 4;
/// Most plain numbers of one value that are kept apart.
const MOST_NUMBERS: usize = 8;

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
    /// The same in both, of which some bits are known; no address is in it.
    Same(Byte),
    /// The same in both, computed from halves of addresses.
    Made(Byte),
    /// These numbers.
    Pair(Pair),
    /// Nobody knows what in one and what in the other.
    Lost,
}

impl Choice {
    /// Whether it may be another number in the new program.
    pub fn differs(&self) -> bool {
        match self {
            Self::Same(_) | Self::Made(_) => false,
            Self::Pair(p) => p.differs(),
            Self::Lost => true,
        }
    }

    /// Whether it is of an address, or computed from one.
    pub fn is_of_address(&self) -> bool {
        match self {
            Self::Same(_) => false,
            Self::Pair(p) => p.of.is_some() || p.differs(),
            Self::Made(_) | Self::Lost => true,
        }
    }

    /// What is known of it in one of the programs.
    pub fn known(&self, new: bool) -> Byte {
        match *self {
            Self::Same(b) | Self::Made(b) => b,
            Self::Pair(p) => Byte::of(if new { p.new } else { p.old }),
            Self::Lost => Byte::UNKNOWN,
        }
    }
}

/// What a byte may be: the same in both, or one of some pairs of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    same: Option<Byte>,
    made: Option<Byte>,
    /// Plain numbers, as long as they are few.
    numbers: Vec<u8>,
    many: bool,
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
        let joined = |all: Option<Byte>, b: Byte| Some(all.map_or(b, |s| s.join(b)));
        match choice {
            Choice::Same(b) => match b.exact().filter(|_| !self.many) {
                Some(n) => self.number(n),
                None => self.same = joined(self.same, b),
            },
            Choice::Made(b) => self.made = joined(self.made, b),
            Choice::Pair(p) if p.of.is_none() && !p.differs() => {
                self.add(Choice::Same(Byte::of(p.old)));
            }
            Choice::Pair(p) if self.pairs.contains(&p) => {}
            Choice::Pair(p) if self.has_room(p) => self.pairs.push(p),
            Choice::Pair(_) | Choice::Lost => self.lost = true,
        }
    }

    fn number(&mut self, n: u8) {
        if self.numbers.contains(&n) {
            return;
        }
        self.numbers.push(n);
        if self.numbers.len() > MOST_NUMBERS {
            self.many = true;
            for n in std::mem::take(&mut self.numbers) {
                self.add(Choice::Same(Byte::of(n)));
            }
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
        let size = |v: &Self| {
            (
                v.same,
                v.made,
                v.numbers.len(),
                v.many,
                v.pairs.len(),
                v.lost,
            )
        };
        let before = size(self);
        other.choices(false).into_iter().for_each(|c| self.add(c));
        before != size(self)
    }

    /// All that it may be. With `goes`, where control goes by it: of what is no address only plain
    /// numbers, if there are halves of addresses.
    pub fn choices(&self, goes: bool) -> Vec<Choice> {
        let halves = goes && self.pairs.iter().any(|p| p.of.is_some());
        let mut out: Vec<Choice> = self.pairs.iter().map(|&p| Choice::Pair(p)).collect();
        let numbers = self.numbers.iter().map(|&n| Choice::Same(Byte::of(n)));
        out.extend(numbers);
        out.extend(self.made.map(Choice::Made));
        out.extend(self.same.filter(|_| !halves).map(Choice::Same));
        out.extend(self.lost.then_some(Choice::Lost));
        out
    }

    /// Whether it may be another number in the new program.
    pub fn differs(&self) -> bool {
        self.lost || self.pairs.iter().any(Pair::differs)
    }

    /// Whether it may be of an address, or computed from one.
    pub fn is_of_address(&self) -> bool {
        self.choices(false).iter().any(Choice::is_of_address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_grows_and_never_shrinks() {
        let same = |n| Choice::Same(Byte::of(n));
        let mut v = Value::of(same(5));
        assert!(v.join(&Value::of(same(4))) && !v.differs());
        assert!(!v.join(&Value::of(same(4))));
        assert_eq!(v.choices(false), [same(5), same(4)]);
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
        // What is known of nothing leads nowhere where addresses are.
        assert!(v.join(&Value::any()));
        assert_eq!((v.choices(true).len(), v.choices(false).len()), (4, 5));
        // What is computed from addresses may.
        assert!(v.join(&Value::of(Choice::Made(Byte::UNKNOWN))));
        assert_eq!((v.choices(true).len(), v.choices(false).len()), (5, 6));
        assert!(v.join(&Value::of(Choice::Lost)));
        assert_eq!(v.choices(true).len(), 6);
    }

    #[test]
    fn many_numbers_become_what_they_have_in_common() {
        let mut v = Value::default();
        for n in 0..16 {
            // From the ninth on they are numbers with these bits, of which more are nothing new.
            let more = v.join(&Value::of(Choice::Same(Byte::of(2 * n))));
            assert_eq!(more, n <= 8, "{n}");
        }
        let even = Byte {
            known: 0xe1,
            value: 0,
        };
        assert_eq!(v.choices(true), [Choice::Same(even)]);
        assert!(!v.join(&Value::of(Choice::Same(Byte::of(30)))));
    }
}
