//! Rules before a jump or a return on a condition, by which that looks at another flag.

use super::conditions::decided_by;
use super::peephole::fits;
use super::search::{item, jumping, longest, returns_alike};
use crate::optimize::flow::{Flow, Prepared};
use crate::optimize::step::{Draft, Proposal, edit};
use crate::program::item::What;
use crate::program::rewrite::NewItem;
use scrimp_isa::depend::Inputs;
use scrimp_isa::effects::Way;
use scrimp_isa::rules::Turned;
use scrimp_isa::semantics::Code;

/// A rule at a node, if it fits and what comes behind can look at the other flag.
pub fn try_rule(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    rule: &Prepared,
    (first, turned): (u32, &Turned),
) -> Option<Proposal> {
    let count = rule.from.len();
    let nodes: Vec<u32> = flow.straight(first).take(count + 1).collect();
    let &last = nodes.get(count)?;
    let node = flow.node(last);
    let layout = flow.book.semantics.layout();
    let (old, new) = (layout.find(&turned.old)?, layout.find(&turned.new)?);
    let own = Code {
        bytes: node.code(),
        address: node.address,
    };
    let set = decided_by(flow.book, own, old)? != turned.opposite;
    let asks = [old, new].map(|l| Inputs::one(l.number));
    let live = (flow.live.after[last as usize], asks);
    let (p, mut items) = fits(flow, draft, (rule, &nodes[..count]), live, &mut |_, _| None)?;
    let (asks, size) = asking(flow, draft, last, (new, set))?;
    items.push(asks);
    let edits = vec![edit(flow.node(first).at, count as u32 + 1, items)];
    // A choice that goes counts as it is, one that comes with its longest form.
    let saves = p.saves + i64::from(node.size) - size;
    Some(Proposal { edits, saves, ..p })
}

/// The same jump or return as a node, where a flag is set or is not, and the bytes of its
/// longest form. It has the lengths that that had.
fn asking(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    n: u32,
    flag: (scrimp_isa::state::Location, bool),
) -> Option<(NewItem, i64)> {
    let node = flow.node(n);
    let span = flow.program.item(node.at)?.span;
    let decides = |code: Code<'_>| decided_by(flow.book, code, flag.0) == Some(flag.1);
    match node.ways.way? {
        Way::Jump => {
            let to = node.to?;
            let e = node.operands.iter().find_map(|o| o.expr);
            let e = e.unwrap_or_else(|| draft.address(flow, to));
            let mut forms = jumping(flow, &decides, e, span);
            let len = |form: u16| u32::from(flow.program.forms[usize::from(form)].pattern.len);
            match &flow.program.item(node.at)?.what {
                What::Choice { from, count } => {
                    let all = flow.program.alternatives(*from, *count);
                    let had = |form: u16| all.iter().any(|a| len(a.form) == len(form));
                    forms.retain(|f| had(f.0));
                    if forms.len() < all.len() {
                        return None;
                    }
                }
                _ => forms.retain(|f| len(f.0) == node.size),
            }
            let size = longest(flow, &forms);
            Some((item(forms)?, size))
        }
        Way::Return => {
            let c = returns_alike(flow, node, &decides)?;
            let own = NewItem::Instruction(c.form, c.word, Vec::new());
            Some((own, c.len as i64))
        }
        Way::Call | Way::Skip => None,
    }
}
