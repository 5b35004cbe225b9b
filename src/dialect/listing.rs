//! The listings of the Gigatron's own tools as sources; the rules are in
//! `docs/manual/gigatron.md`.

use super::*;

/// A listing, with its columns of addresses and encodings or without them.
pub static GIGATRON_LST: Dialect = Dialect {
    name: "gigatron-lst",
    title: "listings of the Gigatron's tools",
    target: "gigatron",
    directives: &[],
    functions: &[],
    labels: LabelRule::Listed,
    dots: DotRule::None,
    floating: false,
    equals: false,
    // Lines count for those that are left out behind them.
    remembers: false,
    ..native::RULES
};
