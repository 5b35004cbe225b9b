//! How a dialect writes what others say too: the meanings of its own words, where labels
//! stand, how macros and values are defined. With the tables that it is read by this is
//! what a source is written in it from.

use super::lex::Kind;

/// What a statement says, as far as several dialects can say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Said {
    Org,
    /// A list of bytes and texts.
    Bytes,
    /// Bytes with a zero behind.
    Zeroed,
    Words,
    Longs,
    Quads,
    /// So many bytes of a value.
    Space,
    /// So many addresses without bytes.
    Room,
    Align,
    Include,
    Incbin,
    If,
    IfNot,
    IfDefined,
    IfNotDefined,
    /// Another question.
    Conditional,
    ElseIf,
    Else,
    EndIf,
    Repeat,
    EndRepeat,
    /// A block that is not said elsewhere, up to an end of that kind.
    Block,
    EndBlock,
    Macro,
    EndMacro,
    ExitMacro,
    Local,
    Equ,
    Set,
    /// A text for a name.
    Define,
    End,
    Assert,
    Error,
    Warning,
    Print,
    /// What follows runs elsewhere than it is stored.
    Phase,
    EndPhase,
    /// Names that `local` lists belong to these lines.
    Proc,
    EndProc,
    /// Names belong to what is named.
    Module,
    EndModule,
    /// Nothing for the bytes: listings, other tools.
    Nothing,
}

/// How a constant is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    /// `name equ value`.
    Plain,
    /// `name: equ value`.
    Colon,
    /// `equ name = value`.
    Behind,
    /// `equ name, value`.
    Comma,
}

/// How a macro begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// There are no macros of several lines.
    None,
    /// `macro name a, b`.
    WordFirst,
    /// `name macro a, b`.
    NameFirst,
    /// `name: macro a b`.
    Colon,
    /// `macro name`; arguments go by number.
    Numbered,
}

/// What a name with a dot before it, or another sign, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locals {
    /// A name as others.
    None,
    /// `.x` belongs to the last plain label.
    Dot,
    /// `.x` belongs to the file.
    File,
    /// `_x` belongs to the lines between two plain labels.
    Underscore,
}

/// How a label is made new in each call of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallLocals {
    /// It cannot be.
    None,
    /// Its name begins with a dot.
    Dot,
    /// A directive lists it.
    Listed,
}

/// How a dialect writes.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    /// What its own directives say, by number.
    pub own: fn(u16) -> Option<Said>,
    /// Words that say it elsewhere than in the table of directives, or are written rather
    /// than the first of that meaning there.
    pub words: &'static [(Said, &'static str)],
    /// Words behind `#`.
    pub hashed: &'static [(&'static str, Said)],
    /// A name in column 1 is a label.
    pub margin: bool,
    /// A directive may stand there too.
    pub directives_first: bool,
    /// A label on the line of an address is where that leads to.
    pub leads_first: bool,
    /// Bytes need an address before them.
    pub placed: bool,
    /// What stands between statements of a line.
    pub separator: Option<Kind>,
    /// What `name = value` says; nothing where it is not taken.
    pub equal: Option<Said>,
    /// Constants.
    pub constants: Constants,
    /// Macros.
    pub heads: Heads,
    /// What stands before a parameter in the lines of a macro.
    pub sigil: &'static str,
    /// A parameter counts within longer words and texts, and arguments hold no blanks,
    /// which are between them.
    pub glued: bool,
    /// Names that belong to a label.
    pub locals: Locals,
    /// Names that belong to a call.
    pub call_locals: CallLocals,
    /// Parameters that begin with `?` are such names, not arguments.
    pub fresh_parameters: bool,
    /// Arguments that a repeat may have: a count, its counter, first value and step.
    pub counters: u8,
    /// Lines that lead to other memories of the target, by their names, and one that leads back.
    pub beside: (&'static [(&'static str, &'static str)], &'static str),
    /// What room of bytes is filled with unless it is said.
    pub fill: u8,
}

impl Writing {
    /// Words as the table has them, labels with a colon anywhere, `name equ value`.
    pub const PLAIN: Self = Self {
        own: |_| None,
        words: &[],
        hashed: &[],
        margin: false,
        directives_first: false,
        leads_first: false,
        placed: false,
        separator: None,
        equal: None,
        constants: Constants::Plain,
        heads: Heads::WordFirst,
        sigil: "",
        glued: false,
        locals: Locals::None,
        call_locals: CallLocals::None,
        fresh_parameters: false,
        counters: 1,
        beside: (&[], ""),
        fill: 0,
    };
}
