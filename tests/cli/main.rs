//! The built command: what it prints, writes, refuses and survives.

#[path = "../common/mod.rs"]
mod common;

mod avr_cli;
mod beginning;
mod bench;
mod bridge;
mod commands;
mod contest;
mod explain;
mod hostile;
mod improve;
mod long;
mod long_ways;
mod machines;
mod optimizer;
mod outputs;
mod reach;
mod readme;
mod readme_programs;
#[cfg(unix)]
mod rules_search;
mod signals;
mod sizes;
mod sources;
#[cfg(unix)]
mod terminal;
mod testing;
mod translate;
mod values;
