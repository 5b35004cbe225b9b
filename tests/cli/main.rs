//! The built command: what it prints, writes, refuses and survives.

#[path = "../common/mod.rs"]
mod common;

mod avr_cli;
mod commands;
mod explain;
mod hostile;
mod outputs;
mod readme;
mod sizes;
