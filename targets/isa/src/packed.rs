//! Texts that a binary carries packed: pages, programs, tables of devices.

/// A text, packed by the build script of the crate that has it.
#[derive(Debug, Clone, Copy)]
pub struct Packed {
    /// Its path below the folder that it was packed from, with `/`.
    pub name: &'static str,
    length: usize,
    bytes: &'static [u8],
}

impl Packed {
    /// A text of `length` bytes, as `bytes` of deflate.
    #[must_use]
    pub const fn new(name: &'static str, length: usize, bytes: &'static [u8]) -> Packed {
        Packed {
            name,
            length,
            bytes,
        }
    }

    /// The text, unpacked anew.
    ///
    /// # Panics
    /// If the bytes are not what the build script made.
    #[must_use]
    pub fn text(&self) -> String {
        let text = miniz_oxide::inflate::decompress_to_vec_with_limit(self.bytes, self.length);
        let text = text.expect("packed by the build script");
        String::from_utf8(text).expect("packed from a text")
    }
}
