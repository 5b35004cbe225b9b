//! What is kept of sjasm's texts: text macros, macros, calls and loops.

use crate::program::Value;
use crate::program::symbol::ExprId;
use crate::read::expand::Body;
use crate::text::lex::Tok;
use crate::text::source::{SourceId, Span};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// Where the next `name # size` is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Map {
    pub at: i64,
    /// What that is counted from, where it is computed from places, and what that was.
    pub from: Option<(ExprId, i64)>,
}

/// A macro of lines.
#[derive(Debug)]
pub struct OldMacro {
    pub name: String,
    /// Parameters with what they are where a call says nothing.
    pub named: Vec<(Rc<str>, Option<String>)>,
    /// Least and most arguments that have only numbers.
    pub least: usize,
    pub most: usize,
    /// What the optional ones of those are where a call says nothing.
    pub defaults: Vec<String>,
    /// The last argument has all that follows.
    pub greedy: bool,
    pub recursive: bool,
    pub text: String,
    pub lines: Vec<Span>,
    /// The source that its calls read, which is the same for all, once there was one.
    pub source: Cell<Option<SourceId>>,
    pub span: Span,
}

/// A call or a round of a loop whose lines are being read.
#[derive(Debug, Default)]
pub struct Frame {
    /// Sources of lines that are open while they are.
    pub depth: usize,
    /// The macro.
    pub called: Option<Rc<OldMacro>>,
    pub named: Vec<(Rc<str>, String)>,
    pub numbered: Option<Vec<String>>,
    pub rotated: i64,
    /// The number of the round.
    pub round: Option<i64>,
}

/// A loop.
#[derive(Debug)]
pub struct Loop {
    /// What is asked before each round; nothing where rounds are counted.
    pub condition: Option<Vec<Tok>>,
    pub left: i64,
    pub round: i64,
    pub body: Rc<Body>,
    /// Sources of lines that are open while a round is read.
    pub depth: usize,
}

/// A text macro with parameters.
#[derive(Debug)]
pub struct Function {
    pub parameters: Vec<String>,
    pub text: String,
}

/// A jump of the length that it needs.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    /// Where it goes.
    pub target: Value,
    /// Its own address.
    pub here: i64,
    pub short: bool,
}

/// What texts and macros there are.
#[derive(Debug, Default)]
pub struct Texts {
    /// Text macros by names in small letters.
    pub any_case: FxHashMap<String, String>,
    /// Those with parameters, by name and number of these.
    pub functions: FxHashMap<(String, usize), Rc<Function>>,
    pub macros: FxHashMap<String, Vec<Rc<OldMacro>>>,
    /// The same by names in small letters.
    pub any_case_macros: FxHashMap<String, Vec<Rc<OldMacro>>>,
    pub frames: Vec<Frame>,
    /// Room for the text of a line or label.
    pub line: String,
    pub loops: Vec<Loop>,
    /// What the next `@*` is.
    pub unique: u64,
    /// Numbers of the rounds of `[n]`.
    pub repeats: Vec<i64>,
    /// Jumps of the length that they need, and where those of the run before went.
    pub jumps: Vec<Jump>,
    pub went: Vec<i64>,
    /// Modules that are open around the one that is.
    pub modules: Vec<String>,
    /// What `MAP` puts aside.
    pub maps: Vec<Map>,
    /// Bytes of the characters, if they are no longer their own.
    pub characters: Option<Rc<[u8; 256]>>,
}
