//! rasm's words.

use crate::dialect::tables::numbered;
use crate::text::language::Directive;
use crate::text::writing::Said;

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    Align,
    Confine,
    Limit,
    Protect,
    NoCode,
    Code,
    /// Bytes and texts.
    Bytes,
    /// Values of so many bytes.
    Values(u8),
    /// Numbers with a fraction.
    Reals(Format),
    /// Texts with bit 7 in their last character.
    Marked,
    Room,
    Charset,
    Include,
    Incbin,
    If(Asks),
    /// Another condition, which must hold or not.
    ElseIf(bool),
    Else,
    EndIf,
    Switch,
    Case,
    Default,
    Break,
    EndSwitch,
    Macro,
    EndMacro,
    Repeat,
    EndRepeat,
    Until,
    While,
    EndWhile,
    /// Where repeats begin to count, and by what.
    Counting,
    Enum,
    Struct,
    EndStruct,
    Module,
    EndModule,
    Let,
    Undefine,
    Assert,
    Print,
    Fail,
    Stop,
    Run,
    /// `bank`, or four of them.
    Bank(bool),
    BuildCartridge,
    BuildSnapshot,
    Save,
    /// An instruction that stands for others.
    Instead,
    Ignored,
    Refused(&'static str),
}

/// How a number with a fraction is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Five bytes as the Amstrad's BASIC has them.
    Amstrad,
    /// Five bytes as Microsoft's BASIC has them.
    Microsoft,
    /// Three bytes.
    Short,
}

/// What a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Whether a value is not 0.
    Value(bool),
    /// Whether a name has a meaning.
    Defined(bool),
    /// Whether a name has been used.
    Used(bool),
}

const CRUNCHED: &str = "crunch the data with another tool, and take it with `incbin`";
const OTHER_FILE: &str = "scrimp does not write that format; `save` writes parts of memory";
const COUNTED: &str = "write the number; `scrimp build --emit lst` shows T-states";
const BANKED: &str = "scrimp has one memory of 64K for this dialect";

/// The words by number.
pub const WORDS: &[(&str, Word)] = &[
    ("org", Word::Org),
    ("align", Word::Align),
    ("confine", Word::Confine),
    ("limit", Word::Limit),
    ("protect", Word::Protect),
    ("nocode", Word::NoCode),
    ("code", Word::Code),
    ("db", Word::Bytes),
    ("defb", Word::Bytes),
    ("dm", Word::Bytes),
    ("defm", Word::Bytes),
    ("dw", Word::Values(2)),
    ("defw", Word::Values(2)),
    ("defi", Word::Values(4)),
    ("dr", Word::Reals(Format::Amstrad)),
    ("defr", Word::Reals(Format::Amstrad)),
    ("df", Word::Reals(Format::Microsoft)),
    ("deff", Word::Reals(Format::Microsoft)),
    ("df24", Word::Reals(Format::Short)),
    ("str", Word::Marked),
    ("ds", Word::Room),
    ("defs", Word::Room),
    ("charset", Word::Charset),
    ("include", Word::Include),
    ("incbin", Word::Incbin),
    ("if", Word::If(Asks::Value(true))),
    ("ifnot", Word::If(Asks::Value(false))),
    ("ifdef", Word::If(Asks::Defined(true))),
    ("ifndef", Word::If(Asks::Defined(false))),
    ("ifused", Word::If(Asks::Used(true))),
    ("ifnused", Word::If(Asks::Used(false))),
    ("elseif", Word::ElseIf(true)),
    ("elseifnot", Word::ElseIf(false)),
    ("else", Word::Else),
    ("endif", Word::EndIf),
    ("switch", Word::Switch),
    ("case", Word::Case),
    ("default", Word::Default),
    ("break", Word::Break),
    ("endswitch", Word::EndSwitch),
    ("macro", Word::Macro),
    ("mend", Word::EndMacro),
    ("endm", Word::EndMacro),
    ("repeat", Word::Repeat),
    ("rend", Word::EndRepeat),
    ("until", Word::Until),
    ("while", Word::While),
    ("wend", Word::EndWhile),
    ("startingindex", Word::Counting),
    ("enum", Word::Enum),
    ("struct", Word::Struct),
    ("endstruct", Word::EndStruct),
    ("ends", Word::EndStruct),
    ("module", Word::Module),
    ("endmodule", Word::EndModule),
    ("let", Word::Let),
    ("undef", Word::Undefine),
    ("assert", Word::Assert),
    ("print", Word::Print),
    ("delayed_print", Word::Print),
    ("fail", Word::Fail),
    ("stop", Word::Stop),
    ("run", Word::Run),
    ("save", Word::Save),
    ("exa", Word::Instead),
    ("srl8", Word::Instead),
    ("list", Word::Ignored),
    ("nolist", Word::Ignored),
    ("breakpoint", Word::Ignored),
    ("comz", Word::Ignored),
    ("noexport", Word::Ignored),
    ("enoexport", Word::Ignored),
    ("localisation", Word::Ignored),
    ("setcpc", Word::Ignored),
    ("setcrtc", Word::Ignored),
    ("snaset", Word::Ignored),
    ("namebank", Word::Ignored),
    ("namerom", Word::Ignored),
    ("amsdos", Word::Ignored),
    ("bank", Word::Bank(false)),
    ("bankset", Word::Bank(true)),
    ("rombank", Word::Refused(BANKED)),
    ("rebank", Word::Refused(BANKED)),
    ("buildsna", Word::BuildSnapshot),
    ("buildcpr", Word::BuildCartridge),
    ("buildrom", Word::Refused(OTHER_FILE)),
    ("buildzx", Word::Refused(OTHER_FILE)),
    ("buildtape", Word::Refused(OTHER_FILE)),
    ("buildobj", Word::Refused(OTHER_FILE)),
    ("snapinit", Word::Refused(OTHER_FILE)),
    ("cprinit", Word::Refused(OTHER_FILE)),
    ("edsk", Word::Refused(OTHER_FILE)),
    ("hfe", Word::Refused(OTHER_FILE)),
    ("brk", Word::Refused("write the bytes of the instruction")),
    (
        "redefine_brk",
        Word::Refused("write the bytes of the instruction"),
    ),
    ("ticker", Word::Refused(COUNTED)),
    (
        "timestamp",
        Word::Refused("the output does not depend on the time"),
    ),
    (
        "utf8remap",
        Word::Refused("write the codes of the characters"),
    ),
    ("summem", Word::Refused("write the sum")),
    ("sum16", Word::Refused("write the sum")),
    ("xormem", Word::Refused("write the sum")),
    ("ciphermem", Word::Refused("write the bytes")),
    ("label", Word::Refused("write a label")),
    (
        "external",
        Word::Refused("scrimp writes no objects of rasm"),
    ),
    (
        "procedure",
        Word::Refused("scrimp writes no objects of rasm"),
    ),
    ("relocate", Word::Refused("use `org address, place`")),
    ("endrelocate", Word::Refused("use `org address, place`")),
    (
        "relocate_start",
        Word::Refused("write the table of addresses"),
    ),
    (
        "relocate_end",
        Word::Refused("write the table of addresses"),
    ),
    (
        "relocate_table",
        Word::Refused("write the table of addresses"),
    ),
    ("lz4", Word::Refused(CRUNCHED)),
    ("lz48", Word::Refused(CRUNCHED)),
    ("lz49", Word::Refused(CRUNCHED)),
    ("lzx7", Word::Refused(CRUNCHED)),
    ("lzx0", Word::Refused(CRUNCHED)),
    ("lzx0b", Word::Refused(CRUNCHED)),
    ("lzexo", Word::Refused(CRUNCHED)),
    ("lzapu", Word::Refused(CRUNCHED)),
    ("lzsa1", Word::Refused(CRUNCHED)),
    ("lzsa2", Word::Refused(CRUNCHED)),
    ("lzclose", Word::Refused(CRUNCHED)),
    ("incl48", Word::Refused(CRUNCHED)),
    ("incl49", Word::Refused(CRUNCHED)),
    ("inclz4", Word::Refused(CRUNCHED)),
    ("inczx7", Word::Refused(CRUNCHED)),
    ("inczx0", Word::Refused(CRUNCHED)),
    ("inczx0b", Word::Refused(CRUNCHED)),
    ("incexo", Word::Refused(CRUNCHED)),
    ("incapu", Word::Refused(CRUNCHED)),
    ("inclzsa1", Word::Refused(CRUNCHED)),
    ("inclzsa2", Word::Refused(CRUNCHED)),
    (
        "incwav",
        Word::Refused("convert the sound with another tool, and take it with `incbin`"),
    ),
];

/// The words as the engine's tables want them.
pub const DIRECTIVES: [(&str, Directive); WORDS.len()] = numbered(WORDS);

/// What one of them says, as others say it.
pub fn said(n: u16) -> Option<Said> {
    Some(match WORDS.get(usize::from(n))?.1 {
        Word::Org => Said::Org,
        Word::Bytes => Said::Bytes,
        Word::Values(2) => Said::Words,
        Word::Values(4) => Said::Longs,
        Word::Room => Said::Space,
        Word::Include => Said::Include,
        Word::Incbin => Said::Incbin,
        Word::If(Asks::Value(true)) => Said::If,
        Word::If(Asks::Value(false)) => Said::IfNot,
        Word::If(Asks::Defined(true)) => Said::IfDefined,
        Word::If(Asks::Defined(false)) => Said::IfNotDefined,
        Word::If(Asks::Used(_)) => Said::Conditional,
        Word::ElseIf(true) => Said::ElseIf,
        Word::Else => Said::Else,
        Word::EndIf => Said::EndIf,
        // Their parameters stand in brackets.
        Word::Macro | Word::Switch | Word::While => Said::Block,
        Word::EndMacro | Word::EndSwitch | Word::EndWhile => Said::EndBlock,
        Word::Repeat => Said::Repeat,
        Word::EndRepeat => Said::EndRepeat,
        Word::Assert => Said::Assert,
        Word::Fail => Said::Error,
        Word::Print => Said::Print,
        Word::Ignored => Said::Nothing,
        _ => return None,
    })
}

/// The word that a directive is.
pub fn word(d: Option<Directive>) -> Option<Word> {
    match d? {
        Directive::Own(n) => WORDS.get(usize::from(n)).map(|w| w.1),
        _ => None,
    }
}
