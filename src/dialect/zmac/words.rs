//! zmac's words.

use crate::dialect::tables::numbered;
use crate::text::language::Directive;
use crate::text::writing::Said;

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    Data(u8),
    High,
    Room,
    Phase,
    Dephase,
    Equ,
    Set,
    Extreme(bool),
    Macro,
    EndMacro,
    ExitMacro,
    Repeat,
    ForEach,
    ForEachCharacter,
    Local,
    If(Asks),
    Else,
    EndIf,
    Include,
    Library,
    Import,
    Incbin,
    Comment,
    Assert,
    End,
    Cpu(&'static str),
    /// What is counted begins anew, fetches of opcodes if so.
    Clocks(bool),
    Ignored,
    /// A switch of which only 0 is done.
    Jumps(&'static str),
    Refused(&'static str),
}

impl Word {
    /// Whether it brings lines that come before the rest of its own.
    pub fn reads_on(self) -> bool {
        matches!(
            self,
            Self::Repeat
                | Self::ForEach
                | Self::ForEachCharacter
                | Self::Include
                | Self::Library
                | Self::Import
        )
    }
}

/// What a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Whether a value is not 0.
    True,
    /// Whether it is 0.
    False,
    /// Whether a name has a meaning.
    Defined,
    /// Whether it has none.
    Undefined,
    /// How two values compare: below, equal, above.
    Compares([bool; 3]),
    /// Always yes: which of its passes it is.
    Pass,
}

const JUMPS: &str = "write `jp` where a jump is too far for `jr`";

/// The words by number, and those that are taken in column 1 with something behind them.
pub const WORDS: &[(&str, Word)] = &[
    ("org", Word::Org),
    ("db", Word::Data(1)),
    ("defb", Word::Data(1)),
    ("byte", Word::Data(1)),
    ("ascii", Word::Data(1)),
    ("text", Word::Data(1)),
    ("dm", Word::Data(1)),
    ("defm", Word::Data(1)),
    ("dw", Word::Data(2)),
    ("defw", Word::Data(2)),
    ("word", Word::Data(2)),
    ("d3", Word::Data(3)),
    ("def3", Word::Data(3)),
    ("defd", Word::Data(4)),
    ("dword", Word::Data(4)),
    ("dc", Word::High),
    ("bytes", Word::High),
    ("ds", Word::Room),
    ("defs", Word::Room),
    ("block", Word::Room),
    ("rmem", Word::Room),
    ("phase", Word::Phase),
    ("dephase", Word::Dephase),
    ("equ", Word::Equ),
    ("defl", Word::Set),
    ("aset", Word::Set),
    ("set", Word::Set),
    ("min", Word::Extreme(false)),
    ("max", Word::Extreme(true)),
    ("macro", Word::Macro),
    ("endm", Word::EndMacro),
    ("exitm", Word::ExitMacro),
    ("rept", Word::Repeat),
    ("irp", Word::ForEach),
    ("irpc", Word::ForEachCharacter),
    ("local", Word::Local),
    ("if", Word::If(Asks::True)),
    ("ift", Word::If(Asks::True)),
    ("cond", Word::If(Asks::True)),
    ("ife", Word::If(Asks::False)),
    ("iff", Word::If(Asks::False)),
    ("if1", Word::If(Asks::Pass)),
    ("if2", Word::If(Asks::Pass)),
    ("ifdef", Word::If(Asks::Defined)),
    ("ifndef", Word::If(Asks::Undefined)),
    ("ifeq", Word::If(Asks::Compares([false, true, false]))),
    ("ifne", Word::If(Asks::Compares([true, false, true]))),
    ("iflt", Word::If(Asks::Compares([true, false, false]))),
    ("ifgt", Word::If(Asks::Compares([false, false, true]))),
    ("else", Word::Else),
    ("endif", Word::EndIf),
    ("endc", Word::EndIf),
    ("include", Word::Include),
    ("read", Word::Include),
    ("maclib", Word::Library),
    ("import", Word::Import),
    ("incbin", Word::Incbin),
    ("comment", Word::Comment),
    ("assert", Word::Assert),
    ("end", Word::End),
    ("z80", Word::Cpu("zmac")),
    ("8080", Word::Cpu("zmac-8080")),
    ("z180", Word::Refused("scrimp has no table of the Z180")),
    ("public", Word::Ignored),
    ("global", Word::Ignored),
    ("entry", Word::Ignored),
    ("ext", Word::Ignored),
    ("extern", Word::Ignored),
    ("extrn", Word::Ignored),
    ("aseg", Word::Ignored),
    ("cseg", Word::Ignored),
    ("dseg", Word::Ignored),
    ("common", Word::Ignored),
    ("title", Word::Ignored),
    ("subttl", Word::Ignored),
    ("name", Word::Ignored),
    ("pragma", Word::Ignored),
    ("printx", Word::Ignored),
    ("list", Word::Ignored),
    ("nolist", Word::Ignored),
    ("eject", Word::Ignored),
    ("page", Word::Ignored),
    ("space", Word::Ignored),
    ("elist", Word::Ignored),
    ("flist", Word::Ignored),
    ("glist", Word::Ignored),
    ("mlist", Word::Ignored),
    ("lall", Word::Ignored),
    ("sall", Word::Ignored),
    ("xall", Word::Ignored),
    ("sett", Word::Clocks(false)),
    ("tstate", Word::Clocks(false)),
    ("setocf", Word::Clocks(true)),
    ("wsym", Word::Ignored),
    ("rsym", Word::Refused("include a file of `equ` lines")),
    ("jrpromote", Word::Jumps(JUMPS)),
    (
        "jperror",
        Word::Jumps("`scrimp optimize` finds the jumps that could be shorter"),
    ),
];

/// Words that are no label in column 1, whatever stands behind them.
pub const EARLY: &[&str] = &[
    "if", "ift", "ife", "iff", "if1", "if2", "ifdef", "ifndef", "ifeq", "ifne", "iflt", "ifgt",
    "include", "import", "list", "lall", "sall", "xall", "title", "subttl", "printx",
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

/// What one of them says, as others say it.
pub fn said(n: u16) -> Option<Said> {
    Some(match WORDS.get(usize::from(n))?.1 {
        Word::Org => Said::Org,
        Word::Data(1) => Said::Bytes,
        Word::Data(2) => Said::Words,
        Word::Data(4) => Said::Longs,
        Word::Room => Said::Room,
        Word::Phase => Said::Phase,
        Word::Dephase => Said::EndPhase,
        Word::Equ => Said::Equ,
        Word::Set => Said::Set,
        Word::Macro => Said::Macro,
        Word::EndMacro => Said::EndMacro,
        Word::ExitMacro => Said::ExitMacro,
        Word::Repeat => Said::Repeat,
        Word::ForEach | Word::ForEachCharacter => Said::Block,
        Word::Local => Said::Local,
        Word::If(Asks::True) => Said::If,
        Word::If(Asks::False) => Said::IfNot,
        Word::If(Asks::Defined) => Said::IfDefined,
        Word::If(Asks::Undefined) => Said::IfNotDefined,
        Word::If(_) => Said::Conditional,
        Word::Else => Said::Else,
        Word::EndIf => Said::EndIf,
        Word::Include => Said::Include,
        Word::Incbin => Said::Incbin,
        Word::Assert => Said::Assert,
        Word::End => Said::End,
        Word::Ignored | Word::Clocks(_) | Word::Jumps(_) => Said::Nothing,
        _ => return None,
    })
}
