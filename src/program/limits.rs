//! How much of anything a program may have. No machine that scrimp builds for comes near
//! these figures; a source that does is not meant to be assembled, and is refused with a
//! place before it costs much time or memory.
//!
//! Limits of one line or one construct stand where that is read.

/// Most lines that may come out of macros and repeats.
pub const LINES: u64 = 500_000;
/// Tokens in such lines that count as one more line.
pub const TOKENS_A_LINE: usize = 16;
/// Most tokens in the arguments and repeated lines of what is open at once.
pub const HELD: usize = 1 << 20;
/// Most tokens in arguments that are kept, where their names may be asked for until the end.
pub const ARGUMENTS: usize = 2 << 20;
/// Most bytes of text that macros may make.
pub const TEXT: usize = 12 << 20;
/// Bytes of text that a line made by macros counts beside its own.
pub const TEXT_A_LINE: usize = 64;
/// Most parameters of a macro.
pub const PARAMETERS: usize = 255;
/// Most macros.
pub const MACROS: usize = 100_000;
/// Bytes that a parameter counts as text in each call.
pub const TEXT_A_PARAMETER: usize = 4;
/// Most tokens that the macros of the preprocessor may make.
pub const REPLACED: u64 = 8 << 20;
/// Longest line of the preprocessor with those that it joins, in bytes.
pub const LINE: usize = 1 << 19;
/// Most text macros that the preprocessor keeps.
pub const DEFINES: usize = 250_000;
/// Most files and parts of files that are included, as text or bytes.
pub const INCLUDES: usize = 50_000;
/// Most files that are looked for in vain, where an error alone does not end the run.
pub const MISSING: usize = 1_000;
/// Most errors behind those that are shown, where another run may not have them.
pub const UNKEPT: usize = 20_000;
/// Most bytes of files that are included more than once.
pub const READ_AGAIN: usize = 4 << 20;
/// Most bytes that `incbin` reads.
pub const INCBIN: usize = 256 << 20;
/// Most symbols, and one more for so many bytes of files: what they cost is bounded by what
/// was read.
pub const SYMBOLS: usize = 150_000;
/// See [`SYMBOLS`].
pub const A_SYMBOL: usize = 64;
/// Most scopes without a name of their own: those of calls and rounds.
pub const SCOPES: usize = 150_000;
/// Most uses of symbols that are kept.
pub const USES: usize = 4_000_000;
/// Most bytes of the names of symbols.
pub const NAMES: usize = 16 << 20;
/// Most sections.
pub const SECTIONS: usize = 10_000;
/// Most pieces of sections: each `org` begins one.
pub const PIECES: usize = 50_000;
/// Most regions.
pub const REGIONS: usize = 250;
/// Most statements with bytes, and one more for so many bytes of files: an item and its run
/// take ten times the shortest statement.
pub const ITEMS: usize = 1_000_000;
/// See [`ITEMS`].
pub const AN_ITEM: usize = 7;
/// Most values that wait for layout, and one more for so many bytes of files.
pub const FIXUPS: usize = 500_000;
/// See [`FIXUPS`].
pub const A_FIXUP: usize = 64;
/// Most values that are kept beside what they come to, and one more for so many bytes of
/// files: those that name addresses, also where these are known.
pub const VALUES: usize = 750_000;
/// See [`VALUES`].
pub const A_VALUE: usize = 64;
/// Most operations in what waits for layout, and one more for so many bytes of files.
pub const OPERATIONS: usize = 2_000_000;
/// See [`OPERATIONS`].
pub const AN_OPERATION: usize = 16;
/// Most instructions and gaps whose size layout decides.
pub const TAILS: usize = 100_000;
/// Most checks and messages that wait for layout.
pub const CHECKS: usize = 100_000;
/// Most budgets.
pub const BUDGETS: usize = 10_000;
/// Most promises about clocks.
pub const PROMISES: usize = 25_000;
/// Most tables in columns.
pub const COLUMNS: usize = 1_000;
/// Longest quoted text or name, in bytes.
pub const TOKEN: usize = 1 << 20;
/// Most operations of a value that is known while reading and kept as an expression too.
pub const KEPT: u32 = 64;
/// Operations of a variable's value that stand in each use of it; a longer value is kept
/// once.
pub const COPIED: u32 = 16;
/// Names that are compared in search of one that may have been meant.
pub const COMPARED: usize = 1_000_000;

/// Folders that a source names for its files.
pub const FOLDERS: usize = 1_000;

/// Requests for files of the source's own.
pub const FILES: usize = 10_000;
/// Numbers that addresses gave and that something was decided by: so many are remembered.
pub const DECIDED: usize = 1 << 16;
