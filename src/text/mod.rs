//! Texts, places in them, and the tokens that all dialects share.

pub mod comments;
pub mod language;
pub mod lex;
pub mod quotes;
pub mod said;
pub mod short;
pub mod source;
pub mod writing;
