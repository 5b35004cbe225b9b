//! zasm's words.

use crate::text::language::Directive as D;
use crate::text::writing::Said;

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    Bytes,
    Zero,
    Space,
    Align,
    Macro,
    EndMacro,
    Repeat,
    Target,
    Code,
    Data,
    Area,
    Local,
    EndLocal,
    Global,
    Define,
    Phase,
    Dephase,
    Charset,
    ReqColon,
    Test,
    Ignored,
    Asm8080,
    Refused(&'static str),
}

impl Word {
    /// Whether instructions mean behind it what they meant before.
    pub const fn is_harmless(self) -> bool {
        matches!(
            self,
            Self::Org | Self::Bytes | Self::Zero | Self::Space | Self::Align | Self::Ignored
        )
    }
}

/// By the numbers that [`DIRECTIVES`] has.
pub const WORDS: &[Word] = &[
    Word::Org,
    Word::Bytes,
    Word::Zero,
    Word::Space,
    Word::Align,
    Word::Macro,
    Word::EndMacro,
    Word::Repeat,
    Word::Target,
    Word::Code,
    Word::Data,
    Word::Area,
    Word::Local,
    Word::EndLocal,
    Word::Global,
    Word::Define,
    Word::Phase,
    Word::Dephase,
    Word::Charset,
    Word::ReqColon,
    Word::Test,
    Word::Ignored,
    Word::Refused("C sources have to be compiled before"),
    Word::Refused("compress the data before and use `incbin`"),
    Word::Refused("scrimp has no table of the Z180"),
    Word::Asm8080,
];

/// All words, without a dot.
pub const DIRECTIVES: &[(&str, D)] = &[
    ("org", D::Own(0)),
    ("loc", D::Own(0)),
    ("db", D::Own(1)),
    ("defb", D::Own(1)),
    ("byte", D::Own(1)),
    ("dm", D::Own(1)),
    ("defm", D::Own(1)),
    ("text", D::Own(1)),
    ("ascii", D::Own(1)),
    ("asciz", D::Own(2)),
    ("dw", D::Words),
    ("defw", D::Words),
    ("word", D::Words),
    ("long", D::Longs),
    ("ds", D::Own(3)),
    ("defs", D::Own(3)),
    ("block", D::Own(3)),
    ("blkb", D::Own(3)),
    ("data", D::Own(3)),
    ("align", D::Own(4)),
    ("macro", D::Own(5)),
    ("endm", D::Own(6)),
    ("edup", D::Own(6)),
    ("rept", D::Own(7)),
    ("dup", D::Own(7)),
    ("equ", D::Equ),
    ("defl", D::Set),
    ("set", D::Set),
    ("if", D::If),
    ("elif", D::ElseIf),
    ("else", D::Else),
    ("endif", D::EndIf),
    ("include", D::Include),
    ("incbin", D::Incbin),
    ("end", D::End),
    ("assert", D::Assert),
    ("area", D::Own(11)),
    ("local", D::Own(12)),
    ("endlocal", D::Own(13)),
    ("globl", D::Own(14)),
    ("phase", D::Own(16)),
    ("dephase", D::Own(17)),
    ("reqcolon", D::Own(19)),
    ("z80", D::Own(21)),
    ("z180", D::Own(24)),
    ("8080", D::Own(25)),
    ("asm8080", D::Own(25)),
    ("ixcbr2", D::Own(21)),
    ("ixcbxh", D::Own(21)),
    ("dotnames", D::Own(21)),
    ("module", D::Own(21)),
    ("optsdcc", D::Own(21)),
    ("sdsctag", D::Own(21)),
    ("title", D::Own(21)),
    ("subttl", D::Own(21)),
    ("sbttl", D::Own(21)),
    ("page", D::Own(21)),
    ("list", D::Own(21)),
    ("nolist", D::Own(21)),
    ("xlist", D::Own(21)),
    ("section", D::Own(21)),
    ("bank", D::Own(21)),
    ("aseg", D::Own(21)),
    ("pabs", D::Own(21)),
    ("globals", D::Own(21)),
];

/// What is written behind `#`, and the word that it is.
pub const HASHED: &[(&str, D)] = &[
    ("if", D::If),
    ("elif", D::ElseIf),
    ("else", D::Else),
    ("endif", D::EndIf),
    ("target", D::Own(8)),
    ("code", D::Own(9)),
    ("data", D::Own(10)),
    ("test", D::Own(20)),
    ("local", D::Own(12)),
    ("endlocal", D::Own(13)),
    ("include", D::Include),
    ("insert", D::Incbin),
    ("define", D::Own(15)),
    ("assert", D::Assert),
    ("charset", D::Own(18)),
    ("end", D::End),
    ("cflags", D::Own(22)),
    ("cpath", D::Own(22)),
    ("compress", D::Own(23)),
];

/// What one of its own words says, as others say it.
pub fn said(n: u16) -> Option<Said> {
    Some(match WORDS.get(usize::from(n))? {
        Word::Org => Said::Org,
        Word::Bytes => Said::Bytes,
        Word::Zero => Said::Zeroed,
        Word::Space => Said::Space,
        Word::Align => Said::Align,
        Word::Macro => Said::Macro,
        Word::EndMacro => Said::EndMacro,
        Word::Repeat => Said::Repeat,
        Word::Define => Said::Define,
        Word::Phase => Said::Phase,
        Word::Dephase => Said::EndPhase,
        Word::Ignored | Word::ReqColon => Said::Nothing,
        _ => return None,
    })
}

/// What is written behind `#`, as others say it.
pub const SAID_BEHIND_HASH: &[(&str, Said)] = &[
    ("include", Said::Include),
    ("insert", Said::Incbin),
    ("if", Said::If),
    ("elif", Said::ElseIf),
    ("else", Said::Else),
    ("endif", Said::EndIf),
    ("define", Said::Define),
    ("assert", Said::Assert),
    ("end", Said::End),
];
