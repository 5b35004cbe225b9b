//! The words of AS.

use crate::dialect::tables::numbered;
use crate::text::language::Directive;
use crate::text::writing::Said;

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    /// The address changes by so much.
    Move,
    /// A list of values of so many bytes.
    Data(u8),
    /// Half bytes.
    Nibbles,
    Room,
    Align,
    Phase,
    EndPhase,
    Segment,
    /// A value for a name, which may be another later.
    Equ(bool),
    /// An address for a name.
    Label,
    Port,
    Register,
    Enum(bool),
    EnumStep,
    Function,
    Push(bool),
    Macro,
    EndMacro,
    ExitMacro,
    Shift,
    Repeat,
    While,
    ForEach,
    ForEachCharacter,
    If(Asks),
    ElseIf,
    EndIf,
    Switch,
    Case,
    ElseCase,
    EndCase,
    Struct(bool),
    EndStruct,
    Section,
    EndSection,
    /// Names of a section that are known outside of it.
    Public,
    /// The same, with the name of the section before theirs.
    Global,
    Include,
    Incbin,
    Charset,
    Codepage,
    Radix(bool),
    NumberForms,
    Relaxed,
    Cpu,
    Syntax,
    Save(bool),
    Message,
    Warning,
    Error(bool),
    Expect(bool),
    DottedStructs,
    End,
    Ignored,
    Refused(&'static str),
}

impl Word {
    /// Whether lines up to an `endm` belong to it.
    pub fn opens_block(self) -> bool {
        matches!(
            self,
            Self::Macro | Self::Repeat | Self::While | Self::ForEach | Self::ForEachCharacter
        )
    }

    /// Whether the name before it is no label: it gets a meaning of another kind.
    pub fn names(self) -> bool {
        matches!(
            self,
            Self::Equ(_)
                | Self::Label
                | Self::Port
                | Self::Register
                | Self::Function
                | Self::Macro
                | Self::Struct(_)
                | Self::EndStruct
        )
    }

    /// Whether it makes bytes.
    pub fn makes_bytes(self) -> bool {
        matches!(self, Self::Data(_) | Self::Nibbles | Self::Incbin)
    }
}

/// What a condition asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Value,
    Defined(bool),
    Used(bool),
    File(bool),
    Blank(bool),
}

const LINKING: &str = "scrimp reads programs of one source; include the other ones";

/// The words by number.
pub const WORDS: &[(&str, Word)] = &[
    ("org", Word::Org),
    ("rorg", Word::Move),
    ("db", Word::Data(1)),
    ("defb", Word::Data(1)),
    ("dw", Word::Data(2)),
    ("defw", Word::Data(2)),
    ("dd", Word::Data(4)),
    ("dq", Word::Data(8)),
    ("dt", Word::Data(10)),
    ("do", Word::Data(16)),
    ("dn", Word::Nibbles),
    ("ds", Word::Room),
    ("align", Word::Align),
    ("phase", Word::Phase),
    ("dephase", Word::EndPhase),
    ("segment", Word::Segment),
    ("equ", Word::Equ(false)),
    ("=", Word::Equ(false)),
    (".equ", Word::Equ(false)),
    ("set", Word::Equ(true)),
    (".set", Word::Equ(true)),
    (":=", Word::Equ(true)),
    ("eval", Word::Equ(true)),
    ("label", Word::Label),
    ("port", Word::Port),
    ("reg", Word::Register),
    ("enum", Word::Enum(false)),
    ("nextenum", Word::Enum(true)),
    ("enumconf", Word::EnumStep),
    ("function", Word::Function),
    ("pushv", Word::Push(true)),
    ("popv", Word::Push(false)),
    ("macro", Word::Macro),
    ("endm", Word::EndMacro),
    ("exitm", Word::ExitMacro),
    ("shift", Word::Shift),
    ("shft", Word::Shift),
    ("rept", Word::Repeat),
    ("while", Word::While),
    ("irp", Word::ForEach),
    ("irpc", Word::ForEachCharacter),
    ("if", Word::If(Asks::Value)),
    ("ifdef", Word::If(Asks::Defined(true))),
    ("ifndef", Word::If(Asks::Defined(false))),
    ("ifused", Word::If(Asks::Used(true))),
    ("ifnused", Word::If(Asks::Used(false))),
    ("ifexist", Word::If(Asks::File(true))),
    ("ifnexist", Word::If(Asks::File(false))),
    ("ifb", Word::If(Asks::Blank(true))),
    ("ifnb", Word::If(Asks::Blank(false))),
    ("else", Word::ElseIf),
    ("elseif", Word::ElseIf),
    ("endif", Word::EndIf),
    ("switch", Word::Switch),
    (".switch", Word::Switch),
    ("select", Word::Switch),
    ("case", Word::Case),
    ("elsecase", Word::ElseCase),
    ("endcase", Word::EndCase),
    ("struct", Word::Struct(false)),
    ("struc", Word::Struct(false)),
    ("union", Word::Struct(true)),
    ("endstruct", Word::EndStruct),
    ("endstruc", Word::EndStruct),
    ("ends", Word::EndStruct),
    ("endunion", Word::EndStruct),
    ("section", Word::Section),
    ("endsection", Word::EndSection),
    ("public", Word::Public),
    ("global", Word::Global),
    ("forward", Word::Ignored),
    ("include", Word::Include),
    ("binclude", Word::Incbin),
    ("charset", Word::Charset),
    ("codepage", Word::Codepage),
    ("radix", Word::Radix(false)),
    ("outradix", Word::Radix(true)),
    ("intsyntax", Word::NumberForms),
    ("relaxed", Word::Relaxed),
    ("cpu", Word::Cpu),
    (".cpu", Word::Cpu),
    ("z80syntax", Word::Syntax),
    ("save", Word::Save(true)),
    ("saveenv", Word::Save(true)),
    ("restore", Word::Save(false)),
    ("restoreenv", Word::Save(false)),
    ("message", Word::Message),
    ("warning", Word::Warning),
    ("error", Word::Error(false)),
    ("fatal", Word::Error(true)),
    ("expect", Word::Expect(true)),
    ("endexpect", Word::Expect(false)),
    ("dottedstructs", Word::DottedStructs),
    ("end", Word::End),
    ("read", Word::Refused("give the value by `-D NAME=value`")),
    ("extern_sym", Word::Refused(LINKING)),
    ("export_sym", Word::Refused(LINKING)),
    ("aseg", Word::Ignored),
    ("rseg", Word::Refused(LINKING)),
    ("assume", Word::Ignored),
    ("listing", Word::Ignored),
    ("macexp", Word::Ignored),
    ("macexp_dft", Word::Ignored),
    ("macexp_ovr", Word::Ignored),
    ("nestmax", Word::Ignored),
    ("newpage", Word::Ignored),
    ("page", Word::Ignored),
    ("pagesize", Word::Ignored),
    ("prtinit", Word::Ignored),
    ("prtexit", Word::Ignored),
    ("prset", Word::Ignored),
    ("title", Word::Ignored),
    ("shared", Word::Ignored),
    ("supmode", Word::Ignored),
    ("padding", Word::Ignored),
    ("maxnest", Word::Ignored),
    ("warnrelative", Word::Ignored),
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
        Word::Data(8) => Said::Quads,
        Word::Room => Said::Room,
        Word::Align => Said::Align,
        Word::Phase => Said::Phase,
        Word::EndPhase => Said::EndPhase,
        Word::Equ(false) | Word::Label | Word::Port => Said::Equ,
        Word::Equ(true) => Said::Set,
        Word::Macro => Said::Macro,
        Word::EndMacro => Said::EndMacro,
        Word::ExitMacro => Said::ExitMacro,
        Word::Repeat => Said::Repeat,
        Word::While | Word::ForEach | Word::ForEachCharacter => Said::Block,
        Word::If(Asks::Value) => Said::If,
        Word::If(Asks::Defined(true)) => Said::IfDefined,
        Word::If(Asks::Defined(false)) => Said::IfNotDefined,
        Word::If(_) => Said::Conditional,
        Word::ElseIf => Said::ElseIf,
        Word::EndIf => Said::EndIf,
        Word::Include => Said::Include,
        Word::Incbin => Said::Incbin,
        Word::Message => Said::Print,
        Word::Warning => Said::Warning,
        Word::Error(_) => Said::Error,
        Word::End => Said::End,
        Word::Ignored | Word::Cpu | Word::Syntax | Word::Relaxed => Said::Nothing,
        _ => return None,
    })
}
