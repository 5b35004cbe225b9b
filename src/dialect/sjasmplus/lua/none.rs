//! What stands for the interpreter where scrimp is built without it.

use super::talk::{Ask, Failure};

/// Why there is none.
const WHY: &str = "this scrimp was built without Lua";

/// There is none.
#[allow(dead_code, reason = "nothing makes one here")]
#[derive(Clone)]
pub struct Engine;

impl Engine {
    /// None.
    ///
    /// # Errors
    /// That there is none.
    pub fn new() -> Result<Self, String> {
        Err(WHY.into())
    }

    /// Nothing.
    pub fn renew(&self) {}

    /// Nothing.
    ///
    /// # Errors
    /// That there is none.
    pub fn run(&self, _number: usize, _text: &str, _ask: &mut Ask<'_>) -> Result<(), Failure> {
        Err(Failure {
            message: WHY.into(),
            place: None,
        })
    }
}
