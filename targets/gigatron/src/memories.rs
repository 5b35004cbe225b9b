//! Sizes and linear addresses of the memories, and what fills a ROM.

/// Linear address of RAM for the engine: behind the ROM, which counts words of two
/// bytes.
pub const RAM: u64 = 0x2_0000;
/// Bytes of ROM.
pub const ROM_SIZE: u64 = 0x2_0000;
/// Bytes of RAM that addresses reach.
pub const RAM_SIZE: u64 = 0x1_0000;
