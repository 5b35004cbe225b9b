//! Linear addresses of the memories: program memory from 0, then as GNU tools have them.

/// Bytes of the flash space: what 22 bits of program counter reach.
pub const FLASH: u64 = 0x80_0000;
/// Of data address 0.
pub const DATA: u64 = 0x80_0000;
/// Of EEPROM address 0.
pub const EEPROM: u64 = 0x81_0000;
/// Of the first fuse byte.
pub const FUSES: u64 = 0x82_0000;
/// Of the lock byte.
pub const LOCK: u64 = 0x83_0000;
/// Of the signature.
pub const SIGNATURE: u64 = 0x84_0000;
