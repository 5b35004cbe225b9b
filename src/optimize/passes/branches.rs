//! Long jumps and calls become a choice of the short and the long form: placement takes the
//! short one wherever it reaches, also when other things shrink.

use crate::optimize::flow::{Flow, Node};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::item::What;
use crate::program::rewrite::{NewForm, NewItem};
use crate::program::symbol::ExprId;
use crate::text::source::Span;
use scrimp_isa::Form;
use scrimp_isa::effects::Way;
use scrimp_isa::semantics::Code;

/// The pass.
pub const STEP: Step = Step {
    name: "branches",
    about: "short forms of jumps and calls wherever they reach",
    walked: true,
    find,
};

/// How much farther than the short form reaches a goal may be now.
const FARTHER: u64 = 4;

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        let jumps = matches!(node.ways.way, Some(Way::Jump | Way::Call));
        let item = flow.program.item(node.at).map(|i| i.what);
        let single = matches!(item, Some(What::Instruction { .. }));
        if !(node.may_shorten() && jumps && single) {
            continue;
        }
        let (Some(to), Some(span)) = (node.to, flow.program.item(node.at).map(|i| i.span)) else {
            continue;
        };
        let Some(own) = node.operands.iter().find_map(|o| o.expr) else {
            continue;
        };
        let far = flow.node(to).address.abs_diff(node.address);
        let Some(forms) = choice(flow, node, own, span, far) else {
            continue;
        };
        let edits = vec![edit(node.at, 1, vec![NewItem::Choice(forms)])];
        let mut p = Proposal::new("short form", edits, 0, "placement");
        p.silent = true;
        draft.proposals.push(p);
    }
    draft
}

/// The forms of a jump or call to a goal so far away, the shortest first; nothing if there is
/// only the one that it has.
pub fn choice(
    flow: &Flow<'_, '_>,
    node: &Node,
    to: ExprId,
    span: Span,
    far: u64,
) -> Option<Vec<NewForm>> {
    let program = flow.program;
    let long = &program.forms[usize::from(node.form)];
    let mut out = Vec::new();
    for row in program.shorter_rows(long) {
        let form = &program.forms[usize::from(row)];
        if let Some((word, class)) = same_words(flow, node, form)
            && reaches(flow, form, class, far)
            && means_the_same(flow, node, form, word, class)
        {
            out.push((row, word, vec![(class, to, span)]));
        }
    }
    if out.is_empty() {
        return None;
    }
    let (word, class) = same_words(flow, node, long)?;
    out.push((node.form, word, vec![(class, to, span)]));
    Some(out)
}

/// The word of another form with the registers and conditions of a node, and the class of its
/// one value.
pub fn same_words(flow: &Flow<'_, '_>, node: &Node, form: &Form) -> Option<(u64, u8)> {
    flow.program.same_words(node.code(), node.address, form)
}

/// Whether it is worth a try: a goal not much farther away than the form reaches.
fn reaches(flow: &Flow<'_, '_>, form: &Form, class: u8, far: u64) -> bool {
    let Some(spec) = flow.program.operands[usize::from(class)].value else {
        return false;
    };
    let wide = spec.max.unsigned_abs() * u64::from(spec.scale).max(1) * FARTHER;
    flow.program.is_relative(class) && far <= wide && form.pattern.len > 0
}

/// Whether a form, if it led where the node does, would do the same: from the meanings of
/// both with the goal right behind them, where all forms reach.
fn means_the_same(flow: &Flow<'_, '_>, node: &Node, form: &Form, word: u64, class: u8) -> bool {
    let semantics = flow.book.semantics;
    let quiet = semantics.layout().of_cells(semantics.layout().quiet);
    let Some(field) = flow.program.operands[usize::from(class)]
        .value
        .and_then(|v| form.pattern.field(v.field))
    else {
        return false;
    };
    // Any distance serves to see what it does.
    let bytes = (word | field.deposit(5)).to_le_bytes();
    let code = Code {
        bytes: &bytes[..usize::from(form.pattern.len)],
        address: node.address,
    };
    let Some(ways) = semantics.successors(code) else {
        return false;
    };
    let (Some(a), Some(b)) = (&node.facts, flow.book.facts(code.bytes)) else {
        return false;
    };
    let (x, y) = (&a.effects, &b.effects);
    let kept = |i: scrimp_isa::depend::Inputs| i.without(quiet);
    let same_flows = (0..x.flows.len() as u8)
        .filter(|&l| !quiet.has(l))
        .all(|l| x.flows[usize::from(l)] == y.flows[usize::from(l)]);
    let immediate = scrimp_isa::depend::Inputs::one(scrimp_isa::state::place::IMMEDIATE);
    same_flows
        && kept(x.writes) == kept(y.writes)
        && kept(x.uses).without(immediate) == kept(y.uses).without(immediate)
        && (x.reads_memory, x.writes_memory) == (y.reads_memory, y.writes_memory)
        && (x.input, x.output, x.controls) == (y.input, y.output, y.controls)
        && ways.way == node.ways.way
        && ways.falls_through == node.ways.falls_through
        && same_condition(flow, node, code)
}

/// Whether two instructions go or stay alike, in all states of the flags.
fn same_condition(flow: &Flow<'_, '_>, node: &Node, other: Code<'_>) -> bool {
    if !node.ways.falls_through {
        return true;
    }
    let own = Code {
        bytes: node.code(),
        address: node.address,
    };
    crate::optimize::passes::conditions::alike(flow.book, own, other, false)
}
