//! The bridge: a program that plays a game on its machine, as an engine for the interfaces and
//! engines of the world, and matches between such. In come a session, lines of CECP or UCI,
//! games to play; out go lines, moves, games as PGN, and scores.
//!
//! It knows games and no program: what a program's squares, men and keys are stands in its
//! `program.toml` ([`description`]). Nothing here prints; what reads lines and says them is
//! handed in.

pub mod contest;
pub mod description;
pub mod fault;
mod hands;
mod layout;
mod places;
pub mod rules;
pub mod seat;
pub mod serve;
