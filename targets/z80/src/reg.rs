//! Numbers of the byte registers. The first eight are their codes in opcodes; a
//! pair is named by its high byte and its low byte is at that number with the
//! lowest bit turned over. PC and R are kept apart.

/// B.
pub const B: u8 = 0;
/// C.
pub const C: u8 = 1;
/// D.
pub const D: u8 = 2;
/// E.
pub const E: u8 = 3;
/// H.
pub const H: u8 = 4;
/// L.
pub const L: u8 = 5;
/// The flags, S Z Y H X P N C from bit 7 to bit 0.
pub const F: u8 = 6;
/// A.
pub const A: u8 = 7;
/// High half of IX.
pub const IXH: u8 = 8;
/// Low half of IX.
pub const IXL: u8 = 9;
/// High half of IY.
pub const IYH: u8 = 10;
/// Low half of IY.
pub const IYL: u8 = 11;
/// High byte of SP.
pub const SPH: u8 = 12;
/// Low byte of SP.
pub const SPL: u8 = 13;
/// High byte of the hidden address register WZ (MEMPTR).
pub const W: u8 = 14;
/// Low byte of WZ.
pub const Z: u8 = 15;
/// The interrupt page.
pub const I: u8 = 16;
/// Added to the number of B to A for the register of the other set.
pub const OTHER: u8 = 24;
/// Numbers in use are below this.
pub const COUNT: usize = 32;

/// BC.
pub const BC: u8 = B;
/// DE.
pub const DE: u8 = D;
/// HL.
pub const HL: u8 = H;
/// AF.
pub const AF: u8 = A;
/// IX.
pub const IX: u8 = IXH;
/// IY.
pub const IY: u8 = IYH;
/// SP.
pub const SP: u8 = SPH;
/// WZ.
pub const WZ: u8 = W;
