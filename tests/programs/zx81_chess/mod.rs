//! The chess with all moves in 1K: built by scrimp, run with our firmware, its own
//! routines called from here, played with keys and read from the display file, all
//! compared with a library of chess rules.

mod contracts;
mod device;
mod game;
mod model;
mod moves;
mod strength;

use device::CHESS;

/// What the build defines.
const DEFINES: &[&str] = &[];

/// What a tape may bring into a ZX81 with 1K, with its own ROM.
const LARGEST: usize = 951;

#[test]
fn it_fits() {
    assert!(CHESS.file.len() <= LARGEST, "{} bytes", CHESS.file.len());
}
