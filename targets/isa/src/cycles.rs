//! How long an instruction takes, in the target's clock (T-states on the Z80).

/// Clock cycles of one instruction form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cycles {
    /// Always the same.
    Fixed(u8),
    /// A conditional branch, call or return.
    Branch {
        /// When the branch is taken.
        taken: u8,
        /// When it is not.
        not_taken: u8,
    },
    /// A block instruction that runs itself again.
    Repeat {
        /// A step that is followed by another.
        again: u8,
        /// The last step.
        last: u8,
    },
    /// An instruction that may skip the next one.
    Skip {
        /// When it does not.
        none: u8,
        /// Over an instruction of one word.
        one: u8,
        /// Over one of two words.
        two: u8,
    },
}

impl Cycles {
    /// The shortest time the form can take.
    pub const fn min(self) -> u8 {
        match self {
            Self::Fixed(n) => n,
            Self::Branch { taken, not_taken } => {
                if taken < not_taken {
                    taken
                } else {
                    not_taken
                }
            }
            Self::Repeat { again, last } => {
                if again < last {
                    again
                } else {
                    last
                }
            }
            Self::Skip { none, .. } => none,
        }
    }

    /// The longest time of one step.
    pub const fn max(self) -> u8 {
        match self {
            Self::Fixed(n) => n,
            Self::Branch { taken, not_taken } => {
                if taken > not_taken {
                    taken
                } else {
                    not_taken
                }
            }
            Self::Repeat { again, last } => {
                if again > last {
                    again
                } else {
                    last
                }
            }
            Self::Skip { two, .. } => two,
        }
    }
}

impl std::fmt::Display for Cycles {
    /// `7`, or `12/7` with the longer time first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Fixed(n) => write!(f, "{n}"),
            Self::Skip { none, one, two } => write!(f, "{two}/{one}/{none}"),
            _ => write!(f, "{}/{}", self.max(), self.min()),
        }
    }
}
