//! The ZX81: containers, character set, tape.

mod characters;
mod containers;
mod program;
mod tape;
