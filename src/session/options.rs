//! What is said over a program from outside.

use crate::read::job::Define;

/// What is said over a program, beside what it says itself.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Instruction set.
    pub target: Option<String>,
    /// Machine.
    pub machine: Option<String>,
    /// Language of the sources.
    pub dialect: Option<String>,
    /// Further files to link with a source file.
    pub files: Vec<String>,
    /// Addresses of sections by name, where files are linked.
    pub sections: Vec<(String, u64)>,
    /// Values of symbols that no file defines, where files are linked.
    pub symbols: Vec<(String, i64)>,
    /// Long jumps and calls become short where that reaches.
    pub relax: bool,
    /// The scripts of a source run, in dialects that have some.
    pub scripts: bool,
    /// Symbols and texts defined from outside.
    pub defines: Vec<(String, Define)>,
    /// Warnings or groups that are shown; `no-NAME` silences them.
    pub warn: Vec<String>,
    /// Warnings or groups that are errors.
    pub deny: Vec<String>,
    /// Files that are read before the program.
    pub pre_includes: Vec<String>,
    /// Lines that are read at the end of the main file.
    pub promises: Vec<String>,
    /// Options of file formats.
    pub options: Vec<(String, String)>,
}
