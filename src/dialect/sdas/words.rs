//! sdasz80's words.

use crate::dialect::tables::numbered;
use crate::text::language::Directive;

/// What a conditional asks of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    NotZero,
    Zero,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Defined(bool),
}

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Values of so many bytes.
    Data(u8),
    /// A text, and what comes behind it.
    Text(End),
    /// Room, so many bytes for each.
    Room(u8),
    Org,
    Area,
    Global,
    /// Up to a place with that rest by two, or a multiple that is said.
    Align(Option<u8>),
    Equ {
        global: bool,
    },
    Radix,
    If(Asks),
    /// Lines for a condition that holds, that does not, or for both.
    Part(bool, bool),
    ElseIf,
    Else,
    EndIf,
    /// A condition for the rest of the line.
    IfLine,
    Macro,
    EndMacro,
    ExitMacro,
    Repeat,
    Each,
    EachCharacter,
    Include,
    Incbin,
    Stop,
    Ignored,
    Refused(&'static str),
}

/// What a text ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Nothing,
    Zero,
    /// Bit 7 of its last character is set.
    High,
}

const ASKS_ARGUMENT: &str = "scrimp does not count the arguments of a macro";

/// All words.
pub const WORDS: &[(&str, Word)] = &[
    (".db", Word::Data(1)),
    (".byte", Word::Data(1)),
    (".fcb", Word::Data(1)),
    (".dw", Word::Data(2)),
    (".word", Word::Data(2)),
    (".fdb", Word::Data(2)),
    (".ascii", Word::Text(End::Nothing)),
    (".str", Word::Text(End::Nothing)),
    (".fcc", Word::Text(End::Nothing)),
    (".asciz", Word::Text(End::Zero)),
    (".strz", Word::Text(End::Zero)),
    (".ascis", Word::Text(End::High)),
    (".strs", Word::Text(End::High)),
    (".ds", Word::Room(1)),
    (".blkb", Word::Room(1)),
    (".rmb", Word::Room(1)),
    (".rs", Word::Room(1)),
    (".blkw", Word::Room(2)),
    (".org", Word::Org),
    (".area", Word::Area),
    (".globl", Word::Global),
    (".even", Word::Align(Some(0))),
    (".odd", Word::Align(Some(1))),
    (".bndry", Word::Align(None)),
    (".equ", Word::Equ { global: false }),
    (".lclequ", Word::Equ { global: false }),
    (".gblequ", Word::Equ { global: true }),
    (".radix", Word::Radix),
    (".if", Word::If(Asks::NotZero)),
    (".ifne", Word::If(Asks::NotZero)),
    (".ifeq", Word::If(Asks::Zero)),
    (".iflt", Word::If(Asks::Less)),
    (".ifle", Word::If(Asks::LessEqual)),
    (".ifgt", Word::If(Asks::Greater)),
    (".ifge", Word::If(Asks::GreaterEqual)),
    (".ifdef", Word::If(Asks::Defined(true))),
    (".ifndef", Word::If(Asks::Defined(false))),
    (".ift", Word::Part(true, false)),
    (".iff", Word::Part(false, true)),
    (".iftf", Word::Part(true, true)),
    (".elseif", Word::ElseIf),
    (".else", Word::Else),
    (".endif", Word::EndIf),
    (".iif", Word::IfLine),
    (".macro", Word::Macro),
    (".endm", Word::EndMacro),
    (".mexit", Word::ExitMacro),
    (".rept", Word::Repeat),
    (".irp", Word::Each),
    (".irpc", Word::EachCharacter),
    (".include", Word::Include),
    (".incbin", Word::Incbin),
    (".end", Word::Stop),
    (".z80", Word::Ignored),
    (".module", Word::Ignored),
    (".optsdcc", Word::Ignored),
    (".title", Word::Ignored),
    (".sbttl", Word::Ignored),
    (".list", Word::Ignored),
    (".nlist", Word::Ignored),
    (".page", Word::Ignored),
    (".local", Word::Ignored),
    // What only these CPUs have is refused where it stands.
    (".z180", Word::Ignored),
    (".hd64", Word::Ignored),
    (".ez80", Word::Ignored),
    (".narg", Word::Refused(ASKS_ARGUMENT)),
    (".nchr", Word::Refused(ASKS_ARGUMENT)),
    (".ntyp", Word::Refused(ASKS_ARGUMENT)),
];

/// The words as the engine's tables want them.
pub const DIRECTIVES: [(&str, Directive); WORDS.len()] = numbered(WORDS);

/// The word that a directive is.
pub fn word(d: Option<Directive>) -> Option<Word> {
    match d? {
        Directive::Own(n) => WORDS.get(usize::from(n)).map(|w| w.1),
        _ => None,
    }
}
