//! What the directives of a dialect say, and the word for what is said, by its tables.

use super::language::{Dialect, Directive as D};
use super::writing::Said;

impl Dialect {
    /// What a directive says.
    pub fn said(&self, d: D) -> Option<Said> {
        Some(match d {
            D::Own(n) => return (self.writing.own)(n),
            D::Org => Said::Org,
            D::Bytes => Said::Bytes,
            D::Words => Said::Words,
            D::Longs => Said::Longs,
            D::Quads => Said::Quads,
            D::Space => Said::Space,
            D::Reserve => Said::Room,
            D::Align => Said::Align,
            D::Include => Said::Include,
            D::Incbin => Said::Incbin,
            D::If => Said::If,
            D::IfDefined => Said::IfDefined,
            D::IfNotDefined => Said::IfNotDefined,
            D::ElseIf => Said::ElseIf,
            D::Else => Said::Else,
            D::EndIf => Said::EndIf,
            D::Repeat => Said::Repeat,
            D::EndRepeat => Said::EndRepeat,
            D::ForEach | D::Struct => Said::Block,
            D::Ends => Said::EndBlock,
            D::Macro => Said::Macro,
            D::EndMacro => Said::EndMacro,
            D::ExitMacro => Said::ExitMacro,
            D::Local => Said::Local,
            D::Equ => Said::Equ,
            D::Set => Said::Set,
            D::End => Said::End,
            D::Assert => Said::Assert,
            D::Error => Said::Error,
            D::Warning => Said::Warning,
            D::Print => Said::Print,
            D::Proc => Said::Proc,
            D::EndProc => Said::EndProc,
            D::Public | D::Listing => Said::Nothing,
            _ => return None,
        })
    }

    /// The word that says it, as it is written.
    pub fn word_for(&self, said: Said) -> Option<&'static str> {
        let own = self.writing.words.iter().find(|w| w.0 == said);
        if let Some(w) = own {
            return (!w.1.is_empty()).then_some(w.1);
        }
        let mut all = self.words.directives.iter();
        all.find(|w| self.said(w.1) == Some(said)).map(|w| w.0)
    }
}
