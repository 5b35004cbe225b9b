//! The rules of the games that are played over the bridge, apart from any program: positions,
//! legal moves, how they are written, how a game ends. Chess is the library cozy-chess's,
//! Tinyhouse our own.

mod chess;
mod moves;
mod notation;
mod position;
mod record;
mod tinyhouse;

pub use moves::{Move, Rights, name};
pub use position::{Game, Position};
pub use record::{End, Reason, Record};

#[cfg(test)]
mod tests;
