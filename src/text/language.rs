//! What tables say of a dialect: its tokens, words, operators and rules. Data only; the
//! dialects themselves are instances of it.

use super::lex::{Kind, Lexing};
use super::writing::Writing;
use scrimp_isa::{Form, Target};
use std::borrow::Cow;

/// What a directive does; each dialect maps its own words to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Directive {
    Org,
    Section,
    Region,
    Align,
    Space,
    Bytes,
    Words,
    Longs,
    Include,
    Incbin,
    If,
    IfDefined,
    IfNotDefined,
    ElseIf,
    Else,
    EndIf,
    Repeat,
    EndRepeat,
    ForEach,
    Macro,
    EndMacro,
    ExitMacro,
    Shift,
    Local,
    Proc,
    EndProc,
    Struct,
    Scope,
    Ends,
    Assert,
    Error,
    Warning,
    Print,
    Charmap,
    Equ,
    Set,
    End,
    Public,
    Budget,
    Machine,
    Test,
    EndTest,
    Seek,
    Dialect,
    Define,
    Undefine,
    Column,
    FullPage,
    ReserveRoom,
    Cells,
    Initialise,
    RomTable,
    EndTable,
    SamePage,
    /// A promise of the target, by number.
    Contract(u8),
    Slot,
    /// To the segment of that number.
    Segment(u8),
    Quads,
    Device,
    Reserve,
    Listing,
    Overlap,
    NoOverlap,
    CodeSize,
    DefineText,
    Pragma,
    /// One of the dialect's own, by number.
    Own(u16),
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Mul,
    Div,
    Mod,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogicAnd,
    LogicOr,
    /// The lowest 32 bits shifted to the right, with zeros from the left.
    UnsignedShr,
    /// The quotient of the lowest 32 bits of both, taken without sign.
    UnsignedDiv,
    /// What that division leaves.
    UnsignedMod,
    /// The smaller of the two.
    Least,
    /// The larger of the two.
    Most,
}

/// Prefix operators and functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Plus,
    Neg,
    Not,
    LogicNot,
    Low,
    High,
    Defined,
    Nul,
    Abs,
    Sizeof,
    Strlen,
    Bank,
    Byte4,
    LowWord,
    HighWord,
    Page,
    Exp2,
    Log2,
    Int,
    Frac,
    Q7,
    Q15,
}

/// How an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// A token.
    Mark(Kind),
    /// A word in any case, here in lower case.
    Word(&'static str),
}

/// A binary operator of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct BinaryRow {
    /// How it is written.
    pub spelling: Spelling,
    /// What it does.
    pub op: Binary,
    /// Higher binds tighter.
    pub level: u8,
    /// `a op b op c` is `a op (b op c)`.
    pub right: bool,
}

/// A binary operator of two tokens without a blank between.
#[derive(Clone, Copy, Debug)]
pub struct JoinedRow {
    /// Text of the second token.
    pub second: &'static str,
    /// The operator; its spelling is the first token.
    pub row: BinaryRow,
}

/// A prefix operator of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct UnaryRow {
    /// How it is written.
    pub spelling: Spelling,
    /// What it does.
    pub op: Unary,
    /// Its operand is an expression of this level or tighter.
    pub level: u8,
}

/// How numbers that start with a digit are written.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// `0FFh 101b 17o 17q 99d`.
    pub suffixes: bool,
    /// `0x1F`.
    pub hex_0x: bool,
    /// `0X1F` too.
    pub hex_0x_upper: bool,
    /// `0b101`, `0o17`.
    pub bin_0b: bool,
    /// A leading zero means octal.
    pub zero_octal: bool,
    /// Character that is skipped between digits.
    pub separator: u8,
    /// `0x` without digits is 0.
    pub empty_is_zero: bool,
    /// `1b` and `1f` are labels.
    pub labels: bool,
}

impl Numbers {
    /// Decimal digits only.
    pub const PLAIN: Self = Self {
        suffixes: false,
        hex_0x: false,
        hex_0x_upper: false,
        bin_0b: false,
        zero_octal: false,
        separator: 0,
        empty_is_zero: false,
        labels: false,
    };
}

/// Width and sign of every value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64 bits with sign.
    Signed64,
    /// 32 bits with sign.
    Signed32,
    /// 32 bits with sign; shifts to the right bring in zeros.
    Wrapping32,
    /// 16 bits without sign.
    Unsigned16,
    /// 64 bits that wrap; shifts to the right bring in zeros.
    Wrapping64,
}

impl Width {
    /// Wraps a value.
    #[inline]
    pub const fn wrap(self, v: i64) -> i64 {
        match self {
            Self::Signed64 | Self::Wrapping64 => v,
            Self::Signed32 | Self::Wrapping32 => v as i32 as i64,
            Self::Unsigned16 => v as u16 as i64,
        }
    }
}

/// A pair of operand words and the pair it is encoded as.
#[derive(Clone, Copy, Debug)]
pub struct Twin {
    /// Mnemonic.
    pub mnemonic: &'static str,
    /// Words as written; the second is empty for one operand.
    pub written: [&'static str; 2],
    /// Words as encoded.
    pub taken: [&'static str; 2],
    /// Worth a warning.
    pub warn: bool,
}

/// When a line's first name is a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelRule {
    /// With a colon.
    Colon,
    /// With a colon that follows at once.
    ColonTight,
    /// With a colon, or if the name is nothing else.
    ColonOrBare,
    /// Lines are those of a listing, where any text before a colon is one.
    Listed,
}

/// What a leading dot of a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotRule {
    /// Local to the last plain label, or to the macro call.
    UnderLabel,
    /// Local to the file or macro call.
    PerFile,
    /// Nothing, but a leading `_` makes a name local to the lines between two
    /// other definitions.
    Underscore,
    /// Nothing.
    None,
}

/// A name without the calls and rounds whose own it is (`rept#3.0.name`).
fn of_call(name: &str) -> &str {
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let Some((_, behind)) = name.rsplit_once('#') else {
        return name;
    };
    let number = digits(behind);
    match behind[number..].strip_prefix('.') {
        Some(own) if number > 0 => own[digits(own)..].strip_prefix('.').unwrap_or(own),
        _ => name,
    }
}

impl DotRule {
    /// The full name of a symbol as its source writes it, without what tells names of
    /// several files, calls or ranges from each other: `#`, the number of the file or call
    /// and `.` with the round; `@` and the place where a range begins.
    pub fn written(self, name: &str) -> Cow<'_, str> {
        let (mark, deep) = match self {
            Self::PerFile => ('#', false),
            Self::UnderLabel => ('#', true),
            // Nothing but the local name is written.
            Self::Underscore => {
                let local = name.rfind("._").map_or(name, |at| &name[at + 1..]);
                return local.into();
            }
            Self::None => return of_call(name).into(),
        };
        let mut out = String::new();
        let mut rest = name;
        while let Some(at) = rest.find(mark) {
            let behind = &rest[at + 1..];
            let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
            let number = digits(behind);
            let round = match behind[number..].strip_prefix('.').map(digits) {
                Some(n) if deep && n > 0 => n + 1,
                _ => 0,
            };
            out.push_str(&rest[..at]);
            rest = &behind[number + round..];
        }
        if out.is_empty() {
            return name.into();
        }
        (out + rest).into()
    }
}

/// What happens to a value that does not fit its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// An error.
    Error,
    /// Cut, with a warning.
    Warn,
    /// The same below zero, down to the value that leaves nothing (-256); else an error.
    WarnBelowZero,
}

/// How macros take their arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroStyle {
    /// `macro name(a, b=1)` and `macro name a, b`; tokens are replaced.
    Native,
    /// `name macro a, b` and `macro name, a, b`; tokens are replaced; missing
    /// arguments are empty.
    Commas,
    /// `name: macro a b`; text is replaced, also inside words and strings.
    Text,
    /// `macro name`, `name a, b`; `@0` to `@9` in its lines are the arguments, also
    /// inside words and strings; labels in it are local to the call.
    Numbered,
}

/// A directive that leads to an address space.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// The directive and the section, without the dot.
    pub name: &'static str,
    /// Name of the space.
    pub space: &'static str,
    /// Address where it starts.
    pub start: u64,
}

/// A dialect.
#[derive(Debug)]
pub struct Dialect {
    /// Name for `--dialect`.
    pub name: &'static str,
    /// One line about it.
    pub title: &'static str,
    /// Name of the target that its sources are for; empty for any.
    pub target: &'static str,
    /// For the lexer.
    pub lexing: Lexing,
    /// Lines go through a C preprocessor first.
    pub preprocessor: Option<&'static Rules>,
    /// Its words: directives, mnemonics, macros, and what becomes of lines.
    pub words: WordRules,
    /// Its values: operators, width, truth, what does not fit.
    pub values: ValueRules,
    /// How names are defined and what they mean.
    pub names: NameRules,
    /// How operands of instructions are read.
    pub operands: OperandRules,
    /// Where bytes go.
    pub output: OutputRules,
    /// How it says what others do.
    pub writing: Writing,
}

impl Dialect {
    /// Whether it takes instructions as that row of the target spells them.
    pub fn takes(&self, form: &Form, target: &dyn Target) -> bool {
        let foreign = target.extensions() & !self.words.extensions;
        form.needs & foreign == 0 && self.words.spellings.contains(&form.spelling)
    }
}

/// Its words: directives, mnemonics, macros, and what becomes of lines.
#[derive(Debug)]
pub struct WordRules {
    /// Features of other processors whose instructions are words too, bits of
    /// [`Target::extensions`].
    pub extensions: u32,
    /// The sets of spellings of instructions that it takes, those that come first before
    /// the others; empty is the set of the CPU's maker.
    pub spellings: &'static [&'static str],
    /// Directive words in lower case.
    pub directives: &'static [(&'static str, Directive)],
    /// A leading dot of a directive may be left out or added.
    pub dotted: bool,
    /// What is used before it is known is looked for in a run before.
    pub runs: bool,
    /// A macro may be called above its definition, also where the call reads as a label.
    pub calls_above: bool,
    /// Macros.
    pub macros: MacroStyle,
    /// Mnemonics come before macros of the same name.
    pub mnemonics_first: bool,
    /// `end` stops the file instead of the program.
    pub end_stops_file: bool,
    /// Bare file names after `include`.
    pub bare_file_names: bool,
    /// A file that is not there may be one whose name differs by upper and lower case,
    /// and a path from the root one of the folders that are searched: sources from systems
    /// where that is so.
    pub files_any_case: bool,
    /// Spellings of mnemonics that this dialect takes (`sli` for `sll`), or
    /// refuses (second word empty).
    pub mnemonics: &'static [(&'static str, &'static str)],
    /// Prints of values in a paste as four hexadecimal digits.
    pub paste_hex: bool,
    /// An instruction of registers and numbers is the same bytes everywhere in a
    /// file, and `;` starts a comment.
    pub remembers: bool,
}

impl WordRules {
    /// No words, and nothing that one must ask for.
    pub const PLAIN: Self = Self {
        extensions: 0,
        spellings: &[""],
        directives: &[],
        dotted: false,
        runs: false,
        calls_above: false,
        macros: MacroStyle::Native,
        mnemonics_first: false,
        end_stops_file: false,
        bare_file_names: false,
        files_any_case: false,
        mnemonics: &[],
        paste_hex: false,
        remembers: false,
    };
}

/// What several operators before a value say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    /// Each is applied to what is behind it.
    Each,
    /// Signs first, then one complement.
    Run,
    /// A sign behind an operator that binds as tight as the sign does is an operator with
    /// nothing before it, which is an error; before one more sign a minus says nothing.
    Divide,
}

/// Its values: operators, width, truth, what does not fit.
#[derive(Debug)]
pub struct ValueRules {
    /// Binary operators.
    pub binary: &'static [BinaryRow],
    /// Binary operators of two tokens.
    pub joined: &'static [JoinedRow],
    /// Prefix operators.
    pub unary: &'static [UnaryRow],
    /// Functions `name(x)`, in lower case.
    pub functions: &'static [(&'static str, Unary)],
    /// The word for the address of the statement, in lower case; empty for none.
    pub here: &'static str,
    /// What several operators before a value say.
    pub prefixes: Prefixes,
    /// Value of a true comparison.
    pub truth: i64,
    /// Value of a true `&&`, `||` or `!`.
    pub logic_truth: i64,
    /// Width of values.
    pub width: Width,
    /// A shift by as many bits as a value has, or more, leaves its sign alone; elsewhere what
    /// processors make of such a count.
    pub whole_shifts: bool,
    /// Numbers.
    pub numbers: Numbers,
    /// Values that do not fit.
    pub overflow: Overflow,
    /// Values in lists of data that do not fit.
    pub data_overflow: Overflow,
    /// The same where more than a byte is wanted, if that is another matter.
    pub wide_overflow: Option<Overflow>,
    /// The sign bits of a value are not looked at where a byte is wanted.
    pub sign_bits: bool,
    /// Texts are as written; characters have all of C's escapes.
    pub plain_texts: bool,
    /// Strings of one character in a data list are expressions.
    pub one_character_expression: bool,
    /// Source strings are bytes and never mapped.
    pub charmaps: bool,
    /// Addresses in spaces of words count words, as the CPU's own documents do.
    pub word_addresses: bool,
    /// Values may have fractions: a quotient is exact, operators of bits take the nearest
    /// whole numbers of 32 bits, and so does every place that wants a whole number.
    pub fractions: bool,
}

impl ValueRules {
    /// 64 bits with sign, no operators, true is 1; what does not fit is an error.
    pub const PLAIN: Self = Self {
        binary: &[],
        joined: &[],
        unary: &[],
        functions: &[],
        here: "",
        prefixes: Prefixes::Each,
        truth: 1,
        logic_truth: 1,
        width: Width::Signed64,
        whole_shifts: false,
        numbers: Numbers::PLAIN,
        overflow: Overflow::Error,
        data_overflow: Overflow::Error,
        wide_overflow: None,
        sign_bits: false,
        plain_texts: false,
        one_character_expression: false,
        charmaps: false,
        word_addresses: false,
        fractions: false,
    };
}

/// How names are defined and what they mean.
#[derive(Debug)]
pub struct NameRules {
    /// Labels.
    pub labels: LabelRule,
    /// Several labels on a line.
    pub many_labels: bool,
    /// Local labels.
    pub dots: DotRule,
    /// Decimal digits at the start of a line are a line number.
    pub line_numbers: bool,
    /// `name = value` is a constant.
    pub equals: bool,
    /// Constants are `.equ name = value`: the directive comes first.
    pub names_behind: bool,
    /// Any text before a colon may be a label.
    pub free_labels: bool,
    /// `$` in a name deletes characters (pasmo).
    pub dollar_names: bool,
    /// Names of the program's own count in any case.
    pub case_blind: bool,
    /// A name that a later line defines in the scope where it is used is meant, not one of
    /// the scopes around.
    pub nearer: bool,
    /// Names that the lines of a macro or a round of a repeat define are that call's or round's
    /// own: `label.name` and `label.round.name` outside where a label stands before it.
    pub of_calls: bool,
}

impl NameRules {
    /// A label has a colon, a dot means nothing.
    pub const PLAIN: Self = Self {
        labels: LabelRule::Colon,
        many_labels: false,
        dots: DotRule::None,
        line_numbers: false,
        equals: false,
        names_behind: false,
        free_labels: false,
        dollar_names: false,
        case_blind: false,
        nearer: false,
        of_calls: false,
    };
}

/// How operands of instructions are read.
#[derive(Debug)]
pub struct OperandRules {
    /// `[x]` is `(x)`.
    pub square_memory: bool,
    /// `(ix-5+2)` is `(ix-(5+2))`.
    pub index_minus_whole: bool,
    /// An index offset of 128 to 255 is negative.
    pub index_wraps: bool,
    /// Index offsets that fit nothing.
    pub index_overflow: Overflow,
    /// Warn about a value in parentheses where memory is not possible.
    pub warn_parentheses: bool,
    /// Other names of registers that the target knows (`hx`).
    pub register_aliases: bool,
    /// Operand words that the peer encodes as others: mnemonic, first and second
    /// word, and what they are taken for.
    pub twins: &'static [Twin],
    /// Mnemonics of which the peer reads only so many operands and ignores the
    /// rest.
    pub ignored_operands: &'static [(&'static str, u8)],
    /// What is behind the last operand of a line is not read, nor a comma there.
    pub reads_no_further: bool,
}

impl OperandRules {
    /// As the target has them.
    pub const PLAIN: Self = Self {
        square_memory: false,
        index_minus_whole: false,
        index_wraps: false,
        index_overflow: Overflow::Error,
        warn_parentheses: false,
        register_aliases: false,
        twins: &[],
        ignored_operands: &[],
        reads_no_further: false,
    };
}

/// Where bytes go.
#[derive(Debug)]
pub struct OutputRules {
    /// Sizes may wait for layout: mnemonics that pick the shortest form, and space
    /// up to an address.
    pub floating: bool,
    /// Directives that lead to an address space of the target, and to its address
    /// where a program starts in it if no machine says otherwise; the first one is
    /// in force from the start.
    pub segments: &'static [Segment],
    /// A list of bytes is padded to whole addresses.
    pub padded: bool,
    /// The raw output is the bytes in the order of writing.
    pub sequential: bool,
    /// Values of names from below are put into it when all else is, the first of them last.
    pub late: bool,
    /// Addresses wrap at the end of the address space instead of an error.
    pub wraps: bool,
    /// There names and `$` are worth more than memory has, and only bytes go on at 0.
    pub counts_on: bool,
    /// A linker puts chunks where its plan says; labels of data have linear addresses until
    /// then, and values are cut as it cuts them.
    pub linked: bool,
}

impl OutputRules {
    /// Bytes at their addresses, which end where memory ends.
    pub const PLAIN: Self = Self {
        floating: false,
        segments: &[],
        padded: false,
        sequential: false,
        late: false,
        wraps: false,
        counts_on: false,
        linked: false,
    };
}

/// What differs between preprocessors.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// `;` starts a comment already here, where a backslash does not join lines.
    pub semicolon: bool,
    /// A backslash joins lines also at the end of a comment `//`.
    pub joined_comments: bool,
    /// Characters beside letters, digits and `_` that names may have.
    pub name_more: &'static str,
    /// `$1F` is a number.
    pub dollar_hex: bool,
    /// Macros may take any number of arguments.
    pub variadic: bool,
    /// `#message`.
    pub messages: bool,
    /// `#` and something unknown is a comment of the assembler, and so is a line
    /// `# 12 "file"` of an earlier preprocessor.
    pub comments: bool,
    /// Conditions see the assembler's constants too.
    pub sees_symbols: bool,
    /// What stands behind `#if` is a value of the assembler, in which nothing is replaced.
    pub asks_assembler: bool,
    /// A backslash at the end of a line joins it with the next one.
    pub joins: bool,
    /// A macro that is defined again stays as it was, and `#defcont` adds to the last one.
    pub grows: bool,
    /// A backslash in a text stands for itself.
    pub plain_texts: bool,
    /// A text macro of several lines makes several statements.
    pub statements: bool,
    /// What `#end` stands for, if it is a directive.
    pub end: &'static str,
    /// Words of the assembler whose operand is a name to be asked about, which is
    /// left as it is.
    pub asks: &'static [&'static str],
    /// Macros that are always defined.
    pub predefined: &'static [(&'static str, &'static str)],
}

impl Rules {
    /// The preprocessor of GNU's C compiler for assembler sources.
    pub const CPP: Self = Self {
        semicolon: false,
        joined_comments: true,
        name_more: "",
        dollar_hex: false,
        variadic: true,
        messages: false,
        comments: true,
        sees_symbols: false,
        asks_assembler: false,
        joins: true,
        grows: false,
        plain_texts: false,
        statements: false,
        end: "",
        asks: &[],
        predefined: &[("__ASSEMBLER__", "1")],
    };

    /// The same for scrimp's own language, in which `#word` is no comment.
    pub const CPP_NATIVE: Self = Self {
        comments: false,
        ..Self::CPP
    };

    /// A preprocessor that is built into an assembler.
    pub const BUILT_IN: Self = Self {
        semicolon: true,
        joined_comments: false,
        name_more: ".@",
        dollar_hex: true,
        variadic: false,
        messages: true,
        comments: false,
        sees_symbols: false,
        asks_assembler: false,
        joins: true,
        grows: false,
        plain_texts: true,
        statements: true,
        end: "",
        asks: &["defined", ".ifdef", ".ifndef", ".undef"],
        predefined: &[],
    };
}
