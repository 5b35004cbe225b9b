//! The pass of the proven rules that rest on no known values.

use super::{peephole, turned};
use crate::optimize::flow::Flow;
use crate::optimize::step::{Draft, Step};

/// The pass.
pub const STEP: Step = Step {
    name: "peephole",
    about: "proven rules for short sequences",
    walked: false,
    find,
};

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    let rules = flow.book.rules(flow.program.target);
    for n in 0..flow.nodes.list.len() as u32 {
        if !flow.node(n).is_free() {
            continue;
        }
        let first = flow.node(n).bytes[0];
        for rule in rules.beginning(first) {
            if rule.saves <= 0 || rule.rule.plain || !rule.rule.assumed.is_empty() {
                continue;
            }
            let found = match &rule.rule.turned {
                Some(t) => turned::try_rule(flow, &mut draft, rule, (n, t)),
                None => peephole::try_rule(flow, &mut draft, rule, n, &mut |_, _| None),
            };
            if let Some(p) = found {
                draft.proposals.push(p);
                break;
            }
        }
    }
    draft
}
