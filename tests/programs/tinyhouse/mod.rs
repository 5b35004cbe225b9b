//! Tinyhouse on the AVR: built by scrimp, played through its serial line, its generator
//! called from here, all compared with a referee.

mod device;
mod play;
mod rules;
mod strength;

/// Numbers from a seed.
pub struct Random(u64);

impl Random {
    /// With a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number from 0 to n - 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    /// One of them.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

#[test]
fn it_is_small() {
    let bytes = device::flash_bytes();
    assert!(bytes <= 1024, "{bytes} bytes");
}
