//! What stands at a path that is no file.

use std::fs::Metadata;

/// What a file that is neither regular nor a folder is.
#[cfg(unix)]
pub fn special(meta: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let t = meta.file_type();
    if t.is_fifo() {
        "a pipe"
    } else if t.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// What a file that is neither regular nor a folder is.
#[cfg(not(unix))]
pub fn special(_: &Metadata) -> &'static str {
    "a device"
}
