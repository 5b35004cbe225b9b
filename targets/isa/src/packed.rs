//! Texts that a binary carries packed: pages, programs, tables of devices.

use std::ops::Range;

/// A text, packed by the build script of the crate that has it, with others in front of it and
/// behind it that share its words.
#[derive(Debug, Clone, Copy)]
pub struct Packed {
    /// Its path below the folder that it was packed from, with `/`.
    pub name: &'static str,
    start: usize,
    end: usize,
    bytes: &'static [u8],
}

impl Packed {
    /// A text that is those bytes of what comes out of `bytes` of deflate.
    #[must_use]
    pub const fn new(name: &'static str, of: Range<usize>, bytes: &'static [u8]) -> Packed {
        Packed {
            name,
            start: of.start,
            end: of.end,
            bytes,
        }
    }

    /// The text, unpacked anew.
    ///
    /// # Panics
    /// If the bytes are not what the build script made.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = unpack(self.bytes, self.end);
        text.drain(..self.start);
        text
    }

    /// Name and text of each, in order; those that were packed together are unpacked once.
    ///
    /// # Panics
    /// If the bytes are not what the build script made.
    pub fn texts(all: &[Packed]) -> impl Iterator<Item = (&'static str, String)> {
        all.chunk_by(|a, b| std::ptr::eq(a.bytes, b.bytes))
            .flat_map(|together| {
                let end = together.last().map_or(0, |p| p.end);
                let unpacked = unpack(together[0].bytes, end);
                let texts = together.iter();
                texts.map(move |p| (p.name, unpacked[p.start..p.end].to_owned()))
            })
    }
}

/// The first `length` bytes of what comes out of `bytes`.
fn unpack(bytes: &[u8], length: usize) -> String {
    let unpacked = miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, length);
    // What is behind them is not unpacked.
    let unpacked = unpacked.unwrap_or_else(|unfinished| unfinished.output);
    assert_eq!(unpacked.len(), length, "packed by the build script");
    String::from_utf8(unpacked).expect("packed from texts")
}
