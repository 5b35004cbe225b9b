//! The lines of a test, as data.

use std::ops::Range;

/// A value: an expression of numbers, names of the program and registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A symbol of the program, or a register.
    Name(String),
    /// One operand: `-`, `~`.
    One(char, Box<Value>),
    /// Two operands: `+ - * / % & | ^`, `l` and `r` for shifts.
    Two(char, Box<Value>, Box<Value>),
}

/// What is set or looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A register, or a flag as `f.z`.
    Register(String),
    /// Memory from an address on, in items of so many bytes; the address may be one of a
    /// space that is named.
    Memory(Option<String>, Value, u8),
}

/// What stands behind `=`: values, or a text as its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// One value.
    Value(Value),
    /// The bytes of a text.
    Text(Vec<u8>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// Whether it holds.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Unequal => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }

    /// As it is written.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }
}

/// A time of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// How many.
    pub count: Value,
    /// Of what.
    pub unit: Unit,
}

/// Units of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Clock cycles.
    Clocks,
    /// Fiftieths of a second.
    Frames,
    /// Thousandths of a second.
    Milliseconds,
    /// Seconds.
    Seconds,
}

/// A place and what it gets.
pub type Setting = (Place, Vec<Item>);

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `set PLACE = VALUES, …`
    Set(Vec<Setting>),
    /// `call ADDRESS within TIME`
    Call(Value, Option<Time>),
    /// `start ADDRESS`: goes there.
    Start(Value),
    /// `run TIME`, `run until ADDRESS within TIME`
    Run(Option<Value>, Option<Time>),
    /// `keys LIST`, as `scrimp run --keys` has them.
    Keys(String),
    /// `press KEY` and `release KEY`
    Key(String, bool),
    /// `type TEXT`: bytes for the serial terminal.
    Type(Vec<u8>),
    /// `pin NAME = LEVEL`; without a level it is let go.
    Pin(String, Option<Value>),
    /// `mock port PORT = VALUES`
    Port(Value, Vec<Item>),
    /// `mock ADDRESS: PLACE = VALUES, …`: what is called there is not done; this is set and
    /// it returns.
    Routine(Value, Vec<Setting>),
    /// `watch memory`: what is read from here on and was never written is an error.
    Watch,
    /// `expect PLACE RELATION VALUES`
    Expect(Place, Relation, Vec<Item>),
    /// `expect clocks RELATION VALUE`: of the last call or run.
    Clocks(Relation, Time),
    /// `expect stack RELATION VALUE`: bytes of the last call or run.
    Stack(Relation, Value),
    /// `expect screen TEXT` or `expect no screen TEXT`
    Screen(String, bool),
    /// `expect serial TEXT` or `expect no serial TEXT`
    Serial(Vec<u8>, bool),
    /// `expect pin NAME = LEVEL`
    Level(String, Value),
    /// `expect light NAME = LEVEL`
    Light(String, Value),
    /// `expect port PORT = VALUES`: what was sent there since the last call or run began.
    Sent(Value, Vec<Item>),
    /// `expect halted`: the last run ended so.
    Halted,
    /// `snapshot WHAT`
    Snapshot(String),
}

/// A line with its bytes in the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub step: Step,
    /// Where it stands.
    pub range: Range<usize>,
}
