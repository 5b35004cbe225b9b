//! What an instruction set is to scrimp.
//!
//! A target room (a crate beside this one) describes its instructions as a
//! const table of [`Form`]s, its operand classes as a table of [`Operand`]s and
//! the meaning of each operation once, generic over a value [`domain`]. From
//! these the engine derives encoding, decoding, ranges, cycles and effects.
//!
//! This crate knows no CPU and does no input or output.
#![forbid(unsafe_code)]

pub mod circuit;
pub mod concrete;
pub mod container;
pub mod cycles;
pub mod decode;
pub mod depend;
pub mod domain;
pub mod effects;
pub mod form;
pub mod known;
pub mod lanes;
pub mod machine;
pub mod memo;
pub mod memory;
pub mod operand;
pub mod packed;
pub mod pattern;
pub mod probe;
pub mod proof;
pub mod rules;
pub mod semantics;
pub mod state;
pub mod target;
pub mod terms;
pub mod ways;

pub use concrete::Concrete;
pub use container::{Container, ImageView};
pub use cycles::Cycles;
pub use decode::{Decoded, Decoder};
pub use domain::{Context, Domain};
pub use effects::{Effects, Successors};
pub use form::Form;
pub use known::Known;
pub use machine::{Machine, Region, Screen, Simulation};
pub use operand::{Base, Operand, Outline, Value};
pub use packed::Packed;
pub use pattern::Pattern;
pub use proof::{Contract, ContractKind, Proof};
pub use semantics::Semantics;
pub use state::Processor;
pub use target::{Advice, Elf, Grid, Relax, RomTable, Space, Target};
