//! The Tinyhouse in 1K: built by scrimp, run with our firmware, its own routines called
//! from here, played with keys and read from the display file, all compared with the
//! referee.

mod device;
mod game;
mod model;
mod moves;
mod puzzles;
mod strength;

use device::TINYHOUSE;

/// What a tape may bring into a ZX81 with 1K, with its own ROM.
const LARGEST: usize = 951;

#[test]
fn it_fits() {
    assert!(
        TINYHOUSE.file.len() <= LARGEST,
        "{} bytes",
        TINYHOUSE.file.len()
    );
}
