//! How a step ends that found something wrong.

use crate::diagnostic::Diagnostic;

/// A finding, boxed because it is the rare way out of everything.
pub type Fault = Box<Diagnostic>;
/// What every step gives.
pub type Outcome<T> = Result<T, Fault>;
