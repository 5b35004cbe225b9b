//! The data files of the folder `devices/`, as the build script packed them.

use scrimp_isa::Packed;
use std::sync::OnceLock;

/// Name and text of each, in order.
pub(super) const FILES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/devices.rs"));

/// Each device as it is written, and which of the files it is in.
pub(super) const NAMES: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// The text of a file, unpacked when it is asked for first.
pub(super) fn text(file: usize) -> &'static str {
    static TEXTS: OnceLock<Vec<OnceLock<String>>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| FILES.iter().map(|_| OnceLock::new()).collect());
    texts[file].get_or_init(|| FILES[file].text())
}
