//! What is kept of scripts.

use super::engine::Engine;
use crate::diagnostic::Diagnostic;
use crate::text::source::SourceId;
use std::sync::Arc;

/// Most scripts that run, in all passes.
pub(super) const MOST: usize = 100_000;
/// The last of the passes that scripts know.
pub(super) const LAST: u32 = 3;
/// How deep scripts run in macros that scripts call.
pub(super) const DEPTH: u32 = 16;

/// What is kept of scripts.
#[derive(Default)]
pub struct Scripts {
    /// They may run.
    pub allowed: bool,
    pub(super) engine: Option<Engine>,
    /// Where the text of each is.
    pub(super) list: Vec<(SourceId, u32)>,
    /// The source has some.
    pub(super) met: bool,
    /// One of an early pass failed: that would be gone in the next.
    pub(super) failed: bool,
    /// What those of early passes had to say.
    pub(super) said: Vec<Diagnostic>,
    /// Labels that they made, by full name.
    pub(super) labels: Vec<(Arc<str>, i64)>,
    /// How many run one in another.
    pub(super) depth: u32,
}

/// In which passes a script runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The first or the second only.
    Early(u32),
    /// The last only.
    Last,
    All,
}
