//! The same sources through scrimp and through other assemblers.

#[path = "../common/mod.rs"]
mod common;

mod differential;
mod external;
