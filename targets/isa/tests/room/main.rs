//! The contract: every row, every meaning, every clock.

mod domains;
