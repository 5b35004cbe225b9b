//! Why there is no move, and what whoever waits for one may want.

/// What whoever waits for a move says meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    Wait,
    /// It shall move at once, if it can.
    Move,
    /// Nobody waits any more.
    Leave,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nobody waits any more.
    Left,
    /// It cannot have this position.
    Cannot(String),
    /// It made a move that is not legal.
    Illegal(String),
    /// It does not answer.
    Silent(String),
    /// It gives up.
    Resigned(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Left => f.write_str("it was left"),
            Self::Cannot(why) | Self::Illegal(why) | Self::Silent(why) | Self::Resigned(why) => {
                f.write_str(why)
            }
        }
    }
}
