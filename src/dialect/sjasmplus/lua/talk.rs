//! What a script and the assembler say to each other.

/// A value that a script gives to the assembler.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(feature = "lua"), allow(dead_code, reason = "nothing gives one"))]
pub enum Given {
    Nil,
    Bool(bool),
    Number(f64),
    Text(String),
    /// The name of its type.
    Other(&'static str),
}

/// What the assembler gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "lua"), allow(dead_code, reason = "nobody looks at one"))]
pub enum Reply {
    Nil,
    Bool(bool),
    Number(i64),
    Text(String),
}

/// A line of a script: its number, and the line from 1.
pub type Place = (usize, usize);

/// Why a script did not come to its end.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub place: Option<Place>,
}

/// What the assembler is asked: the function, its arguments, and the line that asks.
pub type Ask<'a> = dyn FnMut(&str, &[Given], Option<Place>) -> Result<Reply, String> + 'a;
