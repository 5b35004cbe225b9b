//! What stands for the interpreter where scrimp is built without it.

/// A value that a script gives to the assembler.
#[allow(dead_code, reason = "nothing gives one here")]
pub enum Given {
    Nil,
    Bool(bool),
    Number(f64),
    Text(String),
    Other(&'static str),
}

/// What the assembler gives back.
#[allow(dead_code, reason = "nobody looks at one here")]
pub enum Reply {
    Nil,
    Bool(bool),
    Number(i64),
    Text(String),
}

/// A line of a script: its number, and the line from 1.
pub type Place = (usize, usize);

/// Why a script did not come to its end.
pub struct Failure {
    pub message: String,
    pub place: Option<Place>,
}

/// What the assembler is asked.
pub type Ask<'a> = dyn FnMut(&str, &[Given], Option<Place>) -> Result<Reply, String> + 'a;

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
