//! Fuse and lock bytes.

use super::model::{Device, Field, Placed, Space};

/// What a byte outside of the program is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FuseKind {
    /// Configuration.
    Fuse,
    /// Protection.
    Lock,
}

/// A fuse or lock byte. A fuse is programmed when its bit is 0, but for the newer
/// parts, whose fuses hold values.
#[derive(Debug, Clone)]
pub struct Fuse<'a> {
    /// Fuse or lock.
    pub kind: FuseKind,
    /// `LOW`, `WDTCFG`.
    pub name: &'a str,
    /// Its number, from 0.
    pub number: u32,
    /// Bytes: 1, but for the lock key of the newest.
    pub size: u32,
    /// As the part is delivered.
    pub initial: Option<u32>,
    /// Its fields.
    pub fields: &'a [Field],
}

impl Device {
    /// The fuse bytes by number, then the lock bytes.
    #[must_use]
    pub fn fuses(&self) -> Vec<Fuse<'_>> {
        let mut out = Vec::new();
        for (kind, space, module) in [
            (FuseKind::Fuse, Space::Fuses, "FUSE"),
            (FuseKind::Lock, Space::Lock, "LOCK"),
        ] {
            let mut bytes = self.registers_in(space);
            if bytes.is_empty() {
                // The newer parts have them among the registers.
                bytes = self.registers_in(Space::Data);
                bytes.retain(|p| p.module.name.starts_with(module));
            }
            bytes.sort_by_key(|p| p.address);
            out.extend(bytes.into_iter().map(|p| fuse(kind, &p)));
        }
        out
    }
}

fn fuse<'a>(kind: FuseKind, placed: &Placed<'a>) -> Fuse<'a> {
    let register = placed.register;
    Fuse {
        kind,
        name: register.name,
        number: register.offset,
        size: register.size,
        initial: register.initial,
        fields: &register.fields,
    }
}
