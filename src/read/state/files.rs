//! Texts: who brings them, and which are there.

use crate::text::source::{Loader, SourceId};
use rustc_hash::FxHashMap;

/// The files of a run.
pub struct Files<'a> {
    /// Brings files.
    pub loader: &'a dyn Loader,
    /// Files read so far: (path, from) to source.
    pub loaded: FxHashMap<(String, String), SourceId>,
    /// Where the source says that files lie, in the order of looking.
    pub folders: Vec<String>,
    /// Source of pasted tokens.
    pub paste: Option<SourceId>,
}
