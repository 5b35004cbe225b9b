//! The `scrimp` command.
#![forbid(unsafe_code)]

fn main() {}
