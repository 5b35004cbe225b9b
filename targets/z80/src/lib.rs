//! The Z80 and the machines built on it.
#![forbid(unsafe_code)]
