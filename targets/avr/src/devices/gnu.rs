//! What GNU assembler programs include.
use super::model::Device;

/// The text of a header for a device.
#[must_use]
pub fn gnu_include(path: &str, device: &Device) -> Option<String> {
    let _ = (path, device);
    None
}

/// What avr-gcc predefines.
#[must_use]
pub fn gnu_predefines(device: &Device) -> Vec<(String, String)> {
    let _ = device;
    Vec::new()
}
