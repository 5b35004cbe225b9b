//! Why a command does not end well.

/// Why a command did not end well.
#[derive(Debug)]
pub enum Failure {
    /// The source has errors, which have been printed.
    Findings,
    /// Wrong usage, or a file that cannot be read or written.
    Failed(String),
    /// A byte budget is exceeded; the list has been printed.
    Budget,
    /// Nobody reads the output any more.
    Closed,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}
