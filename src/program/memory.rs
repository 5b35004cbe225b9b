//! The address spaces of a program, and how values lie in them.

use scrimp_isa::{Space, Target};

/// How a value is taken where a byte is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteRange {
    /// Its sign bits do not count: -256 to 255.
    #[default]
    Overflow,
    /// As a number: -128 to 255.
    Integer,
    /// Cut, whatever it is.
    Any,
}

/// The address spaces of a program, and how values lie in them.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Most addresses in a space; where they wrap, they are taken modulo this.
    pub space: u64,
    /// Address spaces by base, at least one.
    pub spaces: Vec<Space>,
    /// Bytes of code memory that relative jumps go around in.
    pub code_wrap: Option<i64>,
    /// How values are taken as bytes.
    pub byte_range: ByteRange,
}

impl Memory {
    /// Of a target: its spaces, or the one that it is.
    pub fn of(target: &dyn Target) -> Self {
        let size = target.address_space();
        let spaces = match target.spaces() {
            [] => vec![Space {
                name: "memory",
                base: 0,
                size,
                unit: 1,
                stored: true,
            }],
            list => list.to_vec(),
        };
        Self {
            space: size,
            spaces,
            code_wrap: None,
            byte_range: ByteRange::default(),
        }
    }

    /// Number of the space that a linear address is in.
    pub fn holding(&self, address: u64) -> Option<usize> {
        self.spaces.iter().rposition(|s| s.base <= address)
    }

    /// Number of a space by name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.spaces.iter().position(|s| s.name == name)
    }
}
