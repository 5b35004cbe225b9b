//! Why a rule is not proven, in words.

use scrimp_isa::rules::Refusal;

/// A line about it.
pub fn refusal(why: &Refusal) -> String {
    match why {
        Refusal::Wrong(c) => {
            let state: Vec<String> = c.before.iter().map(|(n, v)| format!("{n}={v}")).collect();
            let differs: Vec<String> = c
                .differs
                .iter()
                .map(|(n, a, b)| format!("{n} is {a} and {b}"))
                .collect();
            format!("wrong: with {}: {}", state.join(" "), differs.join(", "))
        }
        Refusal::Unfit(what) => format!("cannot be proven: {what}"),
        Refusal::Unconfirmed => "the prover's state shows no difference".to_owned(),
    }
}
