//! The C preprocessor as assemblers have it: macros, conditions and includes by
//! lines that start with `#`, before a line is taken for a statement.
//!
//! It works line by line and lazily. A line without `#` at its start and without a
//! macro's name goes to the lexer as it stands in the file; only a line in which a
//! macro is replaced becomes a text of its own. The core here knows texts and
//! findings; `feed.rs` joins it to the assembler, `text.rs` to plain text.

mod condition;
mod define;
mod directive;
mod expand;
mod feed;
mod glance;
mod hides;
pub(crate) mod preprocessor;
mod scan;
mod text;

pub use crate::text::language::Rules;
pub(crate) use feed::Fed;
pub(crate) use feed::mentions;
pub use preprocessor::{Line, MAX_DEPTH, MAX_LINE, Preprocessor, Step};
pub use text::{Preprocessed, preprocess};
