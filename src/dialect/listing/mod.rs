//! The listings of the Gigatron's own tools as sources; the rules are in
//! `docs/manual/gigatron.md`.

use super::native;
use super::tables::*;

/// A listing, with its columns of addresses and encodings or without them.
pub static GIGATRON_LST: Dialect = Dialect {
    name: "gigatron-lst",
    title: "listings of the Gigatron's tools",
    target: "gigatron",
    words: WordRules {
        directives: &[],
        // The reader of listings does so itself, without the columns.
        remembers: false,
        ..native::RULES.words
    },
    values: ValueRules {
        functions: &[],
        ..native::RULES.values
    },
    names: NameRules {
        labels: LabelRule::Listed,
        dots: DotRule::None,
        equals: false,
        ..native::RULES.names
    },
    output: OutputRules {
        floating: false,
        ..native::RULES.output
    },
    ..native::RULES
};
