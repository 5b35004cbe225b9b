//! Glass' words.

use crate::dialect::tables::numbered;
use crate::text::language::Directive;
use crate::text::writing::Said;

/// What its own words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Org,
    /// Values of so many bytes.
    Data(u8),
    Room,
    Equ,
    Include,
    Incbin,
    Macro,
    EndMacro,
    Repeat,
    ForEach,
    Proc,
    EndProc,
    If,
    Else,
    EndIf,
    Section,
    EndSection,
    End,
    Error,
    Warning,
    /// The R800's multiplications.
    Mulub,
    Muluw,
}

/// The words by number.
pub const WORDS: &[(&str, Word)] = &[
    ("org", Word::Org),
    ("db", Word::Data(1)),
    ("dw", Word::Data(2)),
    ("dd", Word::Data(4)),
    ("ds", Word::Room),
    ("equ", Word::Equ),
    ("include", Word::Include),
    ("incbin", Word::Incbin),
    ("macro", Word::Macro),
    ("endm", Word::EndMacro),
    ("rept", Word::Repeat),
    ("irp", Word::ForEach),
    ("proc", Word::Proc),
    ("endp", Word::EndProc),
    ("if", Word::If),
    ("else", Word::Else),
    ("endif", Word::EndIf),
    ("section", Word::Section),
    ("ends", Word::EndSection),
    ("end", Word::End),
    ("error", Word::Error),
    ("warning", Word::Warning),
    ("mulub", Word::Mulub),
    ("muluw", Word::Muluw),
];

/// The words as the engine's tables want them.
pub const DIRECTIVES: [(&str, Directive); WORDS.len()] = numbered(WORDS);

/// What one of them says, as others say it.
pub fn said(n: u16) -> Option<Said> {
    Some(match WORDS.get(usize::from(n))?.1 {
        Word::Org => Said::Org,
        Word::Data(1) => Said::Bytes,
        Word::Data(2) => Said::Words,
        Word::Data(_) => Said::Longs,
        Word::Room => Said::Space,
        Word::Equ => Said::Equ,
        Word::Include => Said::Include,
        Word::Incbin => Said::Incbin,
        Word::Macro => Said::Macro,
        Word::EndMacro => Said::EndMacro,
        Word::Repeat => Said::Repeat,
        Word::ForEach => Said::Block,
        Word::If => Said::If,
        Word::Else => Said::Else,
        Word::EndIf => Said::EndIf,
        Word::End => Said::End,
        Word::Error => Said::Error,
        Word::Warning => Said::Warning,
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

/// Words of one letter case: `Ld` and `Org` are names of the program's own.
pub fn one_case(word: &str) -> bool {
    let upper = word.bytes().any(|b| b.is_ascii_uppercase());
    !upper || !word.bytes().any(|b| b.is_ascii_lowercase())
}

/// Registers and conditions, which no name of the program's hides.
pub fn is_register(word: &str) -> bool {
    let mut small = [0; 3];
    let Some(small) = small.get_mut(..word.len()) else {
        return false;
    };
    small.copy_from_slice(word.as_bytes());
    small.make_ascii_lowercase();
    let found = match small {
        [one] => b"abcdehlirzpm".contains(one),
        [_, _] => matches!(
            &*small,
            b"bc" | b"de" | b"hl" | b"sp" | b"af" | b"ix" | b"iy" | b"nz" | b"nc" | b"po" | b"pe"
        ),
        _ => matches!(&*small, b"af'" | b"ixh" | b"ixl" | b"iyh" | b"iyl"),
    };
    found && one_case(word)
}

/// The condition that holds where another does not.
pub fn opposite(word: &str) -> Option<&'static str> {
    const PAIRS: [(&str, &str); 4] = [("nz", "z"), ("nc", "c"), ("po", "pe"), ("p", "m")];
    let same = |a: &str| a.eq_ignore_ascii_case(word) && one_case(word);
    PAIRS.iter().find_map(|&(a, b)| match (same(a), same(b)) {
        (true, _) => Some(b),
        (_, true) => Some(a),
        _ => None,
    })
}
