//! The directives of sjasmplus, and what each does.

use super::asks::Ask;
use super::binary::Container;
use crate::dialect::tables::*;

/// What a directive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    Align,
    Block,
    /// Bytes; with bit 7 set in the last of a text; with a zero behind.
    Bytes(Texts),
    /// The same with a number before that is added to each.
    Added(Texts),
    /// A byte with the length before the text.
    Counted,
    /// Values of so many bytes.
    Values(u8),
    /// Hexadecimal digits.
    Digits,
    /// Dots and other signs for bits.
    Bits,
    Include,
    Folder,
    Incbin(Container),
    If(Test),
    ElseIf,
    Else,
    EndIf,
    Macro,
    EndMacro,
    Repeat,
    While,
    EndRepeat,
    Define,
    Undefine,
    Array,
    Struct,
    Ends,
    Module,
    EndModule,
    Displace,
    EndDisplace,
    Device,
    Slot,
    Page,
    Memory,
    DefineDevice,
    Save(Ask),
    /// Another name of an instruction.
    Instead(&'static str),
    Map,
    EndMap,
    Size,
    Equ,
    Defl,
    End,
    Assert,
    Display,
    Option,
    /// For listings, debuggers and other tools.
    Ignored,
    Lua,
    EndLua,
    IncludeLua,
    /// A multiplication of the R800, of words if so.
    Multiply(bool),
    RelocateStart,
    RelocateEnd,
    RelocateTable,
    /// A page of sjasm's, with its addresses.
    DefPage,
    /// The pages of what follows.
    Pages,
    /// A part of code.
    Code,
    /// The file of what follows.
    Output,
    /// A text macro.
    Text(Defines),
    IMacro,
    EndWhile,
    ElseAsks(Test),
    Break,
    Continue,
    ExitMacro,
    Rotate,
    /// The place of the next `name # size` is a multiple.
    MapAlign,
    PopMap,
    /// Texts in the set of characters, and the set.
    InSet(Texts),
    Characters,
    /// What scrimp does not do.
    Refused(&'static str),
}

/// What is done with the bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    Plain,
    /// Bit 7 of the last is set.
    Marked,
    /// A zero follows.
    Zero,
}

/// What a conditional asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Value(bool),
    Defined(bool),
    Used(bool),
    /// Something of a text, as it is wanted.
    Text(Asked, bool),
}

/// What sjasm's conditionals ask of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Two texts are the same, in any case if so.
    Alike(bool),
    /// The first is one of the others.
    Among(bool),
    /// There is none.
    Blank,
    Name,
    Number,
    Text,
    /// It names a file that is there.
    File,
}

/// How sjasm defines a text macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defines {
    Plain,
    AnyCase,
    /// Names in it are replaced now.
    Now,
    NowAnyCase,
    /// It is a number.
    Number,
}

/// All of them.
pub const WORDS: &[(&str, Word)] = &[
    ("org", Word::Org),
    ("align", Word::Align),
    ("block", Word::Block),
    ("ds", Word::Block),
    ("defs", Word::Block),
    ("byte", Word::Bytes(Texts::Plain)),
    ("db", Word::Bytes(Texts::Plain)),
    ("defb", Word::Bytes(Texts::Plain)),
    ("dm", Word::Bytes(Texts::Plain)),
    ("defm", Word::Bytes(Texts::Plain)),
    ("dc", Word::Bytes(Texts::Marked)),
    ("dz", Word::Bytes(Texts::Zero)),
    ("abyte", Word::Added(Texts::Plain)),
    ("abytec", Word::Added(Texts::Marked)),
    ("abytez", Word::Added(Texts::Zero)),
    ("dp", Word::Counted),
    ("defp", Word::Counted),
    ("word", Word::Values(2)),
    ("dw", Word::Values(2)),
    ("defw", Word::Values(2)),
    ("d24", Word::Values(3)),
    ("dword", Word::Values(4)),
    ("dd", Word::Values(4)),
    ("defd", Word::Values(4)),
    ("dh", Word::Digits),
    ("defh", Word::Digits),
    ("hex", Word::Digits),
    ("dg", Word::Bits),
    ("defg", Word::Bits),
    ("include", Word::Include),
    ("incbin", Word::Incbin(Container::None)),
    ("insert", Word::Incbin(Container::None)),
    ("binary", Word::Incbin(Container::None)),
    ("if", Word::If(Test::Value(true))),
    ("ifn", Word::If(Test::Value(false))),
    ("ifdef", Word::If(Test::Defined(true))),
    ("ifndef", Word::If(Test::Defined(false))),
    ("ifused", Word::If(Test::Used(true))),
    ("ifnused", Word::If(Test::Used(false))),
    ("elseif", Word::ElseIf),
    ("else", Word::Else),
    ("endif", Word::EndIf),
    ("macro", Word::Macro),
    ("endm", Word::EndMacro),
    ("dup", Word::Repeat),
    ("rept", Word::Repeat),
    ("while", Word::While),
    ("edup", Word::EndRepeat),
    ("endr", Word::EndRepeat),
    ("endw", Word::EndRepeat),
    ("define", Word::Define),
    ("undefine", Word::Undefine),
    ("defarray", Word::Array),
    ("struct", Word::Struct),
    ("ends", Word::Ends),
    ("module", Word::Module),
    ("endmodule", Word::EndModule),
    ("endmod", Word::EndModule),
    ("disp", Word::Displace),
    ("phase", Word::Displace),
    ("textarea", Word::Displace),
    ("ent", Word::EndDisplace),
    ("unphase", Word::EndDisplace),
    ("dephase", Word::EndDisplace),
    ("endt", Word::EndDisplace),
    ("device", Word::Device),
    ("slot", Word::Slot),
    ("page", Word::Page),
    ("mmu", Word::Memory),
    ("savebin", Word::Save(Ask::Bytes)),
    ("savesna", Word::Save(Ask::Snapshot)),
    ("savetap", Word::Save(Ask::Tape)),
    ("output", Word::Save(Ask::Output)),
    ("outend", Word::Save(Ask::EndOutput)),
    ("exa", Word::Instead("ex af,af'")),
    ("exd", Word::Instead("ex de,hl")),
    ("inf", Word::Instead("in f,(c)")),
    ("map", Word::Map),
    ("endmap", Word::EndMap),
    ("size", Word::Size),
    ("equ", Word::Equ),
    ("defl", Word::Defl),
    ("end", Word::End),
    ("assert", Word::Assert),
    ("display", Word::Display),
    ("opt", Word::Option),
    ("export", Word::Ignored),
    ("labelslist", Word::Save(Ask::Labels)),
    ("cspectmap", Word::Save(Ask::Map)),
    ("sldopt", Word::Ignored),
    ("bplist", Word::Save(Ask::Breakpoints)),
    ("setbreakpoint", Word::Save(Ask::Breakpoint)),
    ("setbp", Word::Save(Ask::Breakpoint)),
    ("emptytap", Word::Save(Ask::EmptyTape)),
    ("encoding", Word::Ignored),
    ("savenex", Word::Save(Ask::Next)),
    ("savetrd", Word::Save(Ask::Disk)),
    ("emptytrd", Word::Save(Ask::EmptyDisk)),
    ("savehob", Word::Save(Ask::Hobeta)),
    ("savedev", Word::Save(Ask::Device)),
    ("save3dos", Word::Save(Ask::Plus3)),
    ("saveamsdos", Word::Save(Ask::Amsdos)),
    ("savecpcsna", Word::Save(Ask::Other)),
    ("savecdt", Word::Save(Ask::Other)),
    ("savecpr", Word::Save(Ask::Other)),
    ("savehex", Word::Save(Ask::Hex)),
    ("shellexec", Word::Refused("a source starts no program")),
    ("lua", Word::Lua),
    ("endlua", Word::EndLua),
    ("includelua", Word::IncludeLua),
    ("fpos", Word::Refused("the output is written in order")),
    ("tapout", Word::Save(Ask::Tapout)),
    ("tapend", Word::Save(Ask::Tapend)),
    ("inchob", Word::Incbin(Container::Hobeta)),
    ("inctrd", Word::Incbin(Container::Disk)),
    ("relocate_start", Word::RelocateStart),
    ("relocate_end", Word::RelocateEnd),
    ("relocate_table", Word::RelocateTable),
    ("defdevice", Word::DefineDevice),
    ("mulub", Word::Multiply(false)),
    ("muluw", Word::Multiply(true)),
    // Those of sjasm alone: `OF_SJASM`.
    ("endmacro", Word::EndMacro),
    ("repeat", Word::Repeat),
    ("endrepeat", Word::EndRepeat),
    ("endstruct", Word::Ends),
    ("incdir", Word::Folder),
    ("defpage", Word::DefPage),
    ("page", Word::Pages),
    ("code", Word::Code),
    ("output", Word::Output),
    ("define", Word::Text(Defines::Plain)),
    ("idefine", Word::Text(Defines::AnyCase)),
    ("xdefine", Word::Text(Defines::Now)),
    ("xidefine", Word::Text(Defines::NowAnyCase)),
    ("assign", Word::Text(Defines::Number)),
    ("undef", Word::Undefine),
    ("imacro", Word::IMacro),
    ("endwhile", Word::EndWhile),
    ("break", Word::Break),
    ("continue", Word::Continue),
    ("exitmacro", Word::ExitMacro),
    ("rotate", Word::Rotate),
    ("z80", Word::Ignored),
    ("mapalign", Word::MapAlign),
    ("endmap", Word::PopMap),
    ("asc", Word::InSet(Texts::Plain)),
    ("ascc", Word::InSet(Texts::Marked)),
    ("ascz", Word::InSet(Texts::Zero)),
    ("ascmap", Word::Characters),
    ("dt", Word::Values(3)),
    ("ifidn", Word::If(Test::Text(Asked::Alike(false), true))),
    (
        "elseifidn",
        Word::ElseAsks(Test::Text(Asked::Alike(false), true)),
    ),
    ("ifidni", Word::If(Test::Text(Asked::Alike(true), true))),
    (
        "elseifidni",
        Word::ElseAsks(Test::Text(Asked::Alike(true), true)),
    ),
    ("ifdif", Word::If(Test::Text(Asked::Alike(false), false))),
    (
        "elseifdif",
        Word::ElseAsks(Test::Text(Asked::Alike(false), false)),
    ),
    ("ifdifi", Word::If(Test::Text(Asked::Alike(true), false))),
    (
        "elseifdifi",
        Word::ElseAsks(Test::Text(Asked::Alike(true), false)),
    ),
    ("ifb", Word::If(Test::Text(Asked::Blank, true))),
    ("elseifb", Word::ElseAsks(Test::Text(Asked::Blank, true))),
    ("ifnb", Word::If(Test::Text(Asked::Blank, false))),
    ("elseifnb", Word::ElseAsks(Test::Text(Asked::Blank, false))),
    ("ifid", Word::If(Test::Text(Asked::Name, true))),
    ("elseifid", Word::ElseAsks(Test::Text(Asked::Name, true))),
    ("ifnid", Word::If(Test::Text(Asked::Name, false))),
    ("elseifnid", Word::ElseAsks(Test::Text(Asked::Name, false))),
    ("ifstr", Word::If(Test::Text(Asked::Text, true))),
    ("elseifstr", Word::ElseAsks(Test::Text(Asked::Text, true))),
    ("ifnstr", Word::If(Test::Text(Asked::Text, false))),
    ("elseifnstr", Word::ElseAsks(Test::Text(Asked::Text, false))),
    ("ifnum", Word::If(Test::Text(Asked::Number, true))),
    ("elseifnum", Word::ElseAsks(Test::Text(Asked::Number, true))),
    ("ifnnum", Word::If(Test::Text(Asked::Number, false))),
    (
        "elseifnnum",
        Word::ElseAsks(Test::Text(Asked::Number, false)),
    ),
    ("ifexists", Word::If(Test::Text(Asked::File, true))),
    (
        "elseifexists",
        Word::ElseAsks(Test::Text(Asked::File, true)),
    ),
    ("ifnexists", Word::If(Test::Text(Asked::File, false))),
    (
        "elseifnexists",
        Word::ElseAsks(Test::Text(Asked::File, false)),
    ),
    ("ifin", Word::If(Test::Text(Asked::Among(false), true))),
    (
        "elseifin",
        Word::ElseAsks(Test::Text(Asked::Among(false), true)),
    ),
    ("ifini", Word::If(Test::Text(Asked::Among(true), true))),
    (
        "elseifini",
        Word::ElseAsks(Test::Text(Asked::Among(true), true)),
    ),
    ("elseifdef", Word::ElseAsks(Test::Defined(true))),
    ("elseifndef", Word::ElseAsks(Test::Defined(false))),
];

/// How many of the words, the last ones, sjasmplus does not have or has otherwise.
const OF_SJASM: usize = 63;

pub(super) static DIRECTIVES: [(&str, Directive); WORDS.len() - OF_SJASM] = numbered(WORDS);
pub(super) static SJASM_DIRECTIVES: [(&str, Directive); WORDS.len()] = with_own();

/// All words, of two with one name the later.
const fn with_own() -> [(&'static str, Directive); WORDS.len()] {
    let mut out = numbered(WORDS);
    let first = WORDS.len() - OF_SJASM;
    let mut i = 0;
    while i < first {
        let mut own = first;
        while own < WORDS.len() {
            if same(WORDS[i].0.as_bytes(), WORDS[own].0.as_bytes()) {
                out[i].1 = Directive::Own(own as u16);
            }
            own += 1;
        }
        i += 1;
    }
    out
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// What one of them says, as others say it.
pub fn said(n: u16) -> Option<Said> {
    Some(match WORDS.get(usize::from(n))?.1 {
        Word::Org => Said::Org,
        Word::Align => Said::Align,
        Word::Block => Said::Space,
        Word::Bytes(Texts::Plain) => Said::Bytes,
        Word::Bytes(Texts::Zero) => Said::Zeroed,
        Word::Values(2) => Said::Words,
        Word::Values(4) => Said::Longs,
        Word::Include => Said::Include,
        Word::Incbin(Container::None) => Said::Incbin,
        Word::If(Test::Value(true)) => Said::If,
        Word::If(Test::Value(false)) => Said::IfNot,
        Word::If(Test::Defined(true)) => Said::IfDefined,
        Word::If(Test::Defined(false)) => Said::IfNotDefined,
        Word::If(Test::Used(_)) => Said::Conditional,
        Word::ElseIf => Said::ElseIf,
        Word::Else => Said::Else,
        Word::EndIf => Said::EndIf,
        Word::Macro => Said::Macro,
        Word::EndMacro => Said::EndMacro,
        Word::Repeat => Said::Repeat,
        Word::While | Word::Struct | Word::Lua => Said::Block,
        Word::EndRepeat => Said::EndRepeat,
        Word::Ends | Word::EndLua => Said::EndBlock,
        Word::Define => Said::Define,
        Word::Module => Said::Module,
        Word::EndModule => Said::EndModule,
        Word::Displace => Said::Phase,
        Word::EndDisplace => Said::EndPhase,
        Word::Equ => Said::Equ,
        Word::Defl => Said::Set,
        Word::End => Said::End,
        Word::Assert => Said::Assert,
        Word::Ignored | Word::Display => Said::Nothing,
        _ => return None,
    })
}

/// What a directive of the table is.
#[inline]
pub fn word(d: Option<Directive>) -> Option<Word> {
    match d {
        Some(Directive::Own(n)) => Some(WORDS[usize::from(n)].1),
        _ => None,
    }
}
