//! The codes of findings, one row each: code, for a warning its name, and title.
//!
//! The first letter is the level: E error, W warning, N note. A code and a name keep
//! their meaning forever and are never given to another finding. Each code has a page
//! `docs/explain/CODE.md` whose example provokes it (`tests/explain.rs`). By its name a
//! warning is silenced or denied (`policy.rs`).

/// A row of [`ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `E0001`
    pub code: &'static str,
    /// `truncated`; empty for what is no warning.
    pub name: &'static str,
    /// What it is, without details of the case.
    pub title: &'static str,
}

macro_rules! codes {
    ($($constant:ident $code:literal $(($name:literal))? $title:literal)*) => {
        $(#[doc = $title] pub const $constant: &str = $code;)*
        /// All codes in order.
        pub const ALL: &[Entry] = &[$(
            Entry { code: $code, name: concat!($($name)?), title: $title }
        ),*];
    };
}

#[rustfmt::skip]
codes! {
    // Files
    FILE_MISSING          "E0001" "a file cannot be found"
    FILE_UNREADABLE       "E0002" "a file cannot be read"
    INCLUDE_LOOP          "E0003" "files include each other without end"
    // Text and grammar
    BAD_CHARACTER         "E0010" "a character that means nothing here"
    UNTERMINATED_TEXT     "E0011" "a string, character or comment has no end"
    BAD_NUMBER            "E0012" "a number is malformed or too large"
    SYNTAX                "E0013" "a statement is malformed"
    TOO_DEEP              "E0014" "nested too deeply"
    TOO_LONG              "E0015" "a line or name is too long"
    // Statements
    UNKNOWN_INSTRUCTION   "E0020" "no such instruction or directive"
    BAD_OPERANDS          "E0021" "the instruction does not take these operands"
    OUT_OF_RANGE          "E0022" "a value does not fit"
    BAD_ARGUMENT          "E0023" "a directive does not take this argument"
    MISPLACED             "E0024" "a directive stands where it has no meaning"
    LACKING               "E0025" "the device does not have this instruction"
    UNKNOWN_DEVICE        "E0026" "no such device or machine"
    WRONG_PAGE            "E0027" "a branch to another page than it can reach"
    LISTED_OTHERWISE      "E0028" "a line of a listing contradicts itself"
    WRONG_LANGUAGE        "E0029" "the source is in another language"
    // Symbols and expressions
    UNKNOWN_SYMBOL        "E0030" "a symbol is not defined"
    REDEFINED             "E0031" "a name is defined twice"
    CIRCULAR              "E0032" "a constant is defined by itself"
    DIVISION_BY_ZERO      "E0033" "division by zero"
    NOT_KNOWN_YET         "E0034" "a value must be known here and is not"
    BAD_EXPRESSION        "E0035" "an expression does not make sense"
    // Blocks and expansion
    UNCLOSED_BLOCK        "E0040" "a block has no end"
    STRAY_END             "E0041" "the end of a block that was not opened"
    BAD_CALL              "E0042" "a macro is called with wrong arguments"
    ENDLESS_EXPANSION     "E0043" "an expansion does not end"
    TOO_MUCH              "E0044" "the program is too large"
    // Layout
    OVERLAP               "E0050" "two parts of the program lie at one address"
    REGION_FULL           "E0051" "a region is too small for what is in it"
    OUTSIDE_MEMORY        "E0052" "bytes lie outside the address space"
    UNKNOWN_REGION        "E0053" "no such region or section"
    SECTION_FULL          "E0054" "a section is larger than it may be"
    PAGE_FULL             "E0055" "sections that must share a page do not fit into it"
    // Checks of the program
    ASSERTION             "E0060" "an assertion failed"
    USER_ERROR            "E0061" "an error that the source raises"
    BUDGET                "E0062" "a byte budget is exceeded"
    CLOCK                 "E0063" "a promise about clocks is not kept"
    // Contracts for the optimizer
    CONTRACT              "E0064" "a contract cannot be read"
    BROKEN_CONTRACT       "E0065" "code does otherwise than its contract says"
    // Writing
    CONTAINER             "E0070" "the file format cannot hold the program"
    // The program file
    PROGRAM_FILE          "E0080" "the program file is malformed"
    // Tests of the program
    BAD_TEST              "E0090" "a line of a test cannot be read"
    // Translation
    NOT_TRANSLATED        "E0100" "a program cannot be said in another dialect"
    // Warnings
    SUSPICIOUS_LABEL      "W0001" ("suspicious-label") "a label that looks like a mistyped instruction"
    TRUNCATED             "W0002" ("truncated") "a value is cut to fit"
    USER_WARNING          "W0003" ("user-warning") "a warning that the source raises"
    CONTAINER_WARNING     "W0004" ("file-format") "the file format has a remark on the program"
    PARENTHESES           "W0005" ("parentheses") "a value in parentheses where memory is not meant"
    PEER_CODE             "W0006" ("peer-encoding") "another assembler's odd encoding is reproduced"
    DOUBTFUL              "W0007" ("undefined-result") "an instruction whose result is undefined"
    UNPROVEN              "W0008" ("unproven-clock") "a promise about clocks cannot be proven"
    PADDED                "W0009" ("padded") "a byte is added to fill a word"
    COUNTS_AS_FALSE       "W0010" ("undefined-name") "a name without definition in a condition"
    ROOM_TWICE            "W0011" ("room-twice") "room in a memory is given out twice"
    IN_SLOT               "W0012" ("delay-slot") "a delay slot that holds what is hardly meant"
    WRAPPED               "W0013" ("wrapped") "memory goes around"
    PAGE_END              "W0014" ("page-end") "an instruction at the end of a page does not go on behind it"
    LONG_FORMS            "W0015" ("long-forms") "a number was decided before jumps became short"
    // Preprocessor
    MACRO_REDEFINED       "W0020" ("macro-redefined") "a text macro is defined again as something else"
    FIXED_TIME            "W0021" ("build-time") "the time of the build is asked for"
    // Notes
    USER_NOTE             "N0001" "a message that the source prints"
    EXPANDED              "N0002" "a statement has no counterpart in another dialect"
}

/// Names that stand for several warnings, with their codes. `warnings` is all of them.
pub const GROUPS: &[(&str, &[&str])] = &[
    // Something about clocks is watched or assumed, and not proven.
    ("unproven", &[UNPROVEN]),
];
/// The group of all warnings.
pub const WARNINGS: &str = "warnings";

/// The row of a code or of a warning's name.
pub fn find(text: &str) -> Option<&'static Entry> {
    ALL.iter()
        .find(|e| e.code.eq_ignore_ascii_case(text) || !e.name.is_empty() && e.name == text)
}

/// The name of the warning with a code; empty for what is no warning.
pub fn name(code: &str) -> &'static str {
    find(code).map_or("", |e| e.name)
}

/// All warnings.
pub fn warnings() -> impl Iterator<Item = &'static Entry> + Clone {
    ALL.iter().filter(|e| !e.name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_well_formed() {
        let shape = |c: &str| {
            c.len() == 5
                && b"EWN".contains(&c.as_bytes()[0])
                && c[1..].bytes().all(|b| b.is_ascii_digit())
        };
        assert!(ALL.iter().all(|e| shape(e.code) && !e.title.is_empty()));
        let rank = |c: &str| ("EWN".find(&c[..1]), c[1..].to_owned());
        assert!(ALL.windows(2).all(|w| rank(w[0].code) < rank(w[1].code)));
    }

    #[test]
    fn warnings_have_names_of_their_own() {
        let groups = GROUPS.iter().map(|g| g.0).chain([WARNINGS]);
        let mut names: Vec<&str> = warnings().map(|e| e.name).chain(groups).collect();
        let plain = |n: &str| n.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        assert!(names.iter().all(|n| plain(n) && !n.starts_with("no-")));
        assert!(
            ALL.iter()
                .all(|e| e.code.starts_with('W') != e.name.is_empty())
        );
        let members = GROUPS.iter().flat_map(|g| g.1);
        assert!(members.copied().all(|c| !name(c).is_empty()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
