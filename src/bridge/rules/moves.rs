//! Moves of all games, and the names of squares.

/// A move. Castling is the king onto his rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where from, counted from a1 along the ranks; nothing for a drop.
    pub from: Option<u8>,
    /// Where to.
    pub to: u8,
    /// What a pawn becomes, or what is dropped: a capital letter.
    pub piece: Option<u8>,
}

/// Castling rights, in the order K Q k q: the square of the rook.
pub type Rights = [Option<u8>; 4];

/// The name of a square.
pub fn name(square: u8, width: u8) -> String {
    format!(
        "{}{}",
        char::from(b'a' + square % width),
        square / width + 1
    )
}
