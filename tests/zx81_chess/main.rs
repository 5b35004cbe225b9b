//! The chess with all rules in 1K: built by scrimp, run with our firmware, its own
//! routines called from here, played with keys and read from the display file, all
//! compared with a library of chess rules.

mod device;
mod moves;
mod strength;
