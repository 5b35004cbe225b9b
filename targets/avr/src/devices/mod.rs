//! The parts: memories, registers and their bits, vectors, fuses, signature.
//!
//! The facts are the data files of the folder `devices/` of this crate (its README
//! describes the format); a file is parsed when a device of it is asked for first.
//! [`find`] takes a name as any of the assemblers spells it, [`avrasm_include`] and
//! [`gnu_include`] write what programs include instead of a vendor's file.

mod avrasm;
mod data;
mod families;
mod fuses;
mod gnu;
mod legacy;
mod model;
mod names;
mod native;
mod parse;
mod vectors;

pub use avrasm::avrasm_include;
pub use fuses::{Fuse, FuseKind};
pub use gnu::{gnu_include, gnu_predefines};
pub use model::{
    Core, Device, Eeprom, Field, Flash, Group, Instance, Module, Placed, Range, Register, Space,
    Sub, Values, Vector,
};
pub use names::{find, include_with, names, near, near_includes};
pub use native::{PATH as NATIVE_PATH, native_include};
pub use parse::{Fault, parse};

/// Every device of all data files, parsed anew, or the first fault in a file.
///
/// # Errors
/// The name of the file and the fault in it.
pub fn parse_all() -> Result<Vec<Device>, (&'static str, Fault)> {
    let mut all = Vec::new();
    for (i, file) in families::FILES.iter().enumerate() {
        all.extend(parse(families::text(i), None).map_err(|fault| (file.name, fault))?);
    }
    Ok(all)
}

/// The names of the data files.
#[must_use]
pub fn files() -> Vec<&'static str> {
    families::FILES.iter().map(|f| f.name).collect()
}
