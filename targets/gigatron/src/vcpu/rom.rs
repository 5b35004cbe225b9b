//! The ROMs: which instructions each interprets, and what it is known by.

/// Features of a ROM, bits of [`Form::needs`](scrimp_isa::Form::needs).
pub mod feature {
    /// CALLI.
    pub const CALLI: u32 = 1;
    /// CMPHS and CMPHU as ROM v5a has them.
    pub const COMPARE: u32 = 2;
    /// What dev7 adds.
    pub const DEV7: u32 = 4;
    /// What vX0 has in another place.
    pub const VX0: u32 = 8;
    /// Their names.
    pub const NAMES: &[&str] = &["CALLI", "CMPHS", "dev7", "vX0"];
}

/// ROMs that are told apart by what programs see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Rom {
    V1,
    V2,
    V3,
    V4,
    V5a,
    V6,
    Dev7,
    Vx0,
}

impl Rom {
    /// All of them, by age.
    pub const ALL: [Self; 8] = [
        Self::V1,
        Self::V2,
        Self::V3,
        Self::V4,
        Self::V5a,
        Self::V6,
        Self::Dev7,
        Self::Vx0,
    ];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
            Self::V5a => "v5a",
            Self::V6 => "v6",
            Self::Dev7 => "dev7",
            Self::Vx0 => "vX0",
        }
    }

    /// What it interprets beyond the instructions of v1.
    pub const fn features(self) -> u32 {
        match self {
            Self::V1 | Self::V2 | Self::V3 | Self::V4 => 0,
            Self::V5a | Self::V6 => feature::CALLI | feature::COMPARE,
            Self::Dev7 => feature::CALLI | feature::COMPARE | feature::DEV7,
            Self::Vx0 => feature::CALLI | feature::VX0,
        }
    }

    /// Which of the times of an instruction count: v1 to v4, v5a and v6, dev7, vX0.
    pub const fn times(self) -> usize {
        match self {
            Self::V1 | Self::V2 | Self::V3 | Self::V4 => 0,
            Self::V5a | Self::V6 => 1,
            Self::Dev7 => 2,
            Self::Vx0 => 3,
        }
    }

    /// The byte `romType` in page 0 that programs compare, without the channel mask in its
    /// low bits.
    pub const fn rom_type(self) -> u8 {
        match self {
            Self::V1 => 0x1c,
            Self::V2 => 0x20,
            Self::V3 => 0x28,
            Self::V4 => 0x38,
            Self::V5a => 0x40,
            Self::V6 | Self::Vx0 => 0x48,
            Self::Dev7 => 0xf8,
        }
    }

    /// Generation of the functions that it has: those of `SYS_name_v3_clocks` are in 3 and
    /// behind.
    pub const fn generation(self) -> u8 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
            Self::V5a => 5,
            Self::V6 | Self::Vx0 => 6,
            Self::Dev7 => 7,
        }
    }
}
