//! The ZX81 with programs from source text: its library, its picture, its keyboard
//! and tape under our own firmware; with the machine's own ROM where
//! `SCRIMP_ZX81_ROM` names it.

mod build;
mod library;
mod machine;
mod rom;
