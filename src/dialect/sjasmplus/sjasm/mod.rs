//! sjasm 0.42, the ancestor; the rules are in `docs/manual/dialect-sjasm.md`. Its texts, macros
//! and loops; outputs, pages and code parts.

mod characters;
mod conditions;
mod instructions;
mod lines;
mod macros;
pub mod pages;
mod parts;
mod placing;
pub mod state;
mod text;
