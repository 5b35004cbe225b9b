//! What a container writer sees of an assembled program.

use crate::image::Image;
use scrimp_isa::ImageView;

/// An image with the options of its program.
pub struct View<'a> {
    image: &'a Image,
    options: &'a [(String, String)],
    name: &'a str,
}

impl<'a> View<'a> {
    /// `options` stand over those that the source sets.
    pub fn new(image: &'a Image, options: &'a [(String, String)], name: &'a str) -> Self {
        Self {
            image,
            options,
            name,
        }
    }
}

impl ImageView for View<'_> {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        let mut out: Vec<(u64, &[u8])> = self
            .image
            .chunks
            .iter()
            .filter(|c| !c.bytes.is_empty())
            .map(|c| (c.load, &c.bytes[..]))
            .collect();
        out.sort_by_key(|p| p.0);
        out
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.image.symbol(name).map(|s| s.value)
    }
    fn option(&self, name: &str) -> Option<&str> {
        let all = self.options.iter().chain(&self.image.options);
        let mut found = all.filter(|(n, _)| n.eq_ignore_ascii_case(name));
        found.next().map(|(_, v)| v.as_str())
    }
    fn name(&self) -> &str {
        self.name
    }
}
