//! What the source can ask to be written, and the numbers that stand for something else.

/// A value that the source leaves out.
pub const ABSENT: i64 = i64::MIN;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Ask {
    Bytes,
    Device,
    Plus3,
    Amsdos,
    Hex,
    Hobeta,
    EmptyDisk,
    Disk,
    Snapshot,
    EmptyTape,
    Tape,
    Tapout,
    Tapend,
    Next,
    Output,
    EndOutput,
    Labels,
    Map,
    Breakpoints,
    Breakpoint,
    /// A part of one of sjasm's outputs.
    Part,
    /// What scrimp does not write.
    Other,
}

impl Ask {
    /// All, by their numbers.
    pub const ALL: [Self; 22] = [
        Self::Bytes,
        Self::Device,
        Self::Plus3,
        Self::Amsdos,
        Self::Hex,
        Self::Hobeta,
        Self::EmptyDisk,
        Self::Disk,
        Self::Snapshot,
        Self::EmptyTape,
        Self::Tape,
        Self::Tapout,
        Self::Tapend,
        Self::Next,
        Self::Output,
        Self::EndOutput,
        Self::Labels,
        Self::Map,
        Self::Breakpoints,
        Self::Breakpoint,
        Self::Part,
        Self::Other,
    ];
}

/// The page of a label where no device is in force.
pub const ROM: i64 = 0x7f00;
