//! What the last good build of a program was like, kept beside its outputs.

use super::front::Session;
use crate::disk;
use crate::disk::reach::stays_in;
use crate::report::Sizes;
use std::path::{Path, PathBuf};

/// Folder beside the outputs.
const MEMORY: &str = ".scrimp";

/// Where the sizes of the last good build are kept; never behind a link, which may have
/// come with the program.
///
/// # Errors
/// It is behind a link.
pub fn memory(folder: &Path, program: &Session) -> Result<PathBuf, String> {
    let its = folder.join(MEMORY);
    let path = its.join(format!("{}.json", program.name));
    match stays_in(&path, &its) {
        true => Ok(path),
        false => Err(format!(
            "{} is a symbolic link; scrimp keeps its own files in a folder",
            path.display()
        )),
    }
}

/// The sizes of the last good build; nothing if there is none that can be read.
pub fn remembered(folder: &Path, program: &Session) -> Option<Sizes> {
    let bytes = disk::read(&memory(folder, program).ok()?).ok()?;
    Sizes::from_json(std::str::from_utf8(&bytes).ok()?).ok()
}
