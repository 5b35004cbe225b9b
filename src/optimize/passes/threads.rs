//! Jumps: to the next instruction, to a return, over a return or a jump, to a jump.

use super::branches::same_words;
use super::search::{conditional, item, jumps, longest, only_goes, returning};
use crate::optimize::flow::{Flow, Node};
use crate::optimize::step::{Draft, Proposal, Step, edit};
use crate::program::rewrite::NewItem;
use crate::program::symbol::ExprId;
use scrimp_isa::effects::Way;

/// The pass.
pub const STEP: Step = Step {
    name: "jumps",
    about: "jumps to the next instruction, to returns, over returns and jumps, to jumps",
    walked: true,
    find,
};

/// Room that is left to the end of a branch's reach.
const MARGIN: i64 = 12;

fn find(flow: &Flow<'_, '_>) -> Draft {
    let mut draft = Draft::new(flow);
    for n in 0..flow.nodes.list.len() as u32 {
        let node = flow.node(n);
        let jumps = node.ways.way == Some(Way::Jump) && node.to.is_some();
        if !node.is_free() || !jumps || node.ways.slots > 0 {
            continue;
        }
        let plain = only_goes(flow, node.code());
        let found = match plain {
            true => to_next(flow, n)
                .or_else(|| over(flow, &mut draft, n))
                .or_else(|| to_return(flow, n))
                .or_else(|| to_jump(flow, &mut draft, n)),
            false => to_jump(flow, &mut draft, n),
        };
        draft.proposals.extend(found);
    }
    draft
}

pub fn span(flow: &Flow<'_, '_>, node: &Node) -> crate::text::source::Span {
    flow.program.item(node.at).map_or(
        crate::text::source::Span::new(crate::text::source::SourceId(0), 0, 0),
        |i| i.span,
    )
}

fn times(node: &Node) -> (i64, i64) {
    node.facts
        .as_ref()
        .map_or((0, 0), |f| (f.times.0.into(), f.times.1.into()))
}

/// A jump to what comes next anyway.
fn to_next(flow: &Flow<'_, '_>, n: u32) -> Option<Proposal> {
    let node = flow.node(n);
    if node.to? != node.next? || !flow.adjoins_over_nothing(n, node.next?) {
        return None;
    }
    let edits = vec![edit(node.at, 1, Vec::new())];
    let mut p = Proposal::new(
        "jump to the next instruction",
        edits,
        node.size.into(),
        "flow",
    );
    let t = times(node);
    p.time = Some((-t.1, -t.0));
    Some(p)
}

/// A jump to a return becomes one.
fn to_return(flow: &Flow<'_, '_>, n: u32) -> Option<Proposal> {
    let node = flow.node(n);
    let to = node.to?;
    let back = flow.node(to);
    let returns = back.ways.way == Some(Way::Return) && !back.ways.falls_through;
    if !returns || !back.is_free() {
        return None;
    }
    let (new, size) = match node.ways.falls_through {
        false => {
            let word = u64::from_le_bytes(back.bytes);
            (NewItem::Instruction(back.form, word, Vec::new()), back.size)
        }
        true => {
            let c = returning(flow, node, back, false)?;
            (
                NewItem::Instruction(c.form, c.word, Vec::new()),
                c.len as u32,
            )
        }
    };
    let saves = i64::from(node.size) - i64::from(size);
    if saves <= 0 {
        return None;
    }
    let edits = vec![edit(node.at, 1, vec![new])];
    let mut p = Proposal::new(
        "jump to a return",
        edits,
        saves,
        "flow, tried with all flags",
    );
    p.rests_on.push(to);
    let t = times(node);
    p.time = (!node.ways.falls_through).then_some((-t.1, -t.0));
    Some(p)
}

/// A jump on a condition over a return or a jump: one on the opposite condition.
fn over(flow: &Flow<'_, '_>, draft: &mut Draft, n: u32) -> Option<Proposal> {
    let node = flow.node(n);
    let middle = node.next.filter(|_| node.ways.falls_through)?;
    let between = flow.node(middle);
    let lone = between.is_free() && !between.is_reached() && flow.adjoins(n, middle);
    if !lone || between.ways.falls_through || between.next? != node.to? {
        return None;
    }
    let both = i64::from(node.size + between.size);
    let (new, size, rule) = match between.ways.way {
        Some(Way::Return) => {
            let c = returning(flow, node, between, true)?;
            let new = NewItem::Instruction(c.form, c.word, Vec::new());
            (new, c.len as i64, "jump over a return")
        }
        Some(Way::Jump) => {
            let to = between.to?;
            if !only_goes(flow, between.code()) {
                return None;
            }
            let e = goal(flow, draft, between, to);
            let mut forms = conditional(flow, node, true, e, span(flow, between));
            forms.retain(|f| reaches(flow, f.2[0].0, n, to) || f_is_long(flow, f.0));
            let size = longest(flow, &forms);
            (item(forms)?, size, "jump over a jump")
        }
        _ => return None,
    };
    let edits = vec![edit(node.at, 2, vec![new])];
    Some(Proposal::new(
        rule,
        edits,
        both - size,
        "flow, tried with all flags",
    ))
    .filter(|p| p.saves > 0 || p.saves == 0 && rule == "jump over a jump")
}

/// Whether a form reaches everything.
fn f_is_long(flow: &Flow<'_, '_>, form: u16) -> bool {
    let f = &flow.program.forms[usize::from(form)];
    f.operand_names().any(|n| {
        let class = flow.program.operands.iter().find(|o| o.name == n);
        class
            .and_then(|o| o.value)
            .is_some_and(|v| matches!(v.base, scrimp_isa::Base::Absolute))
    })
}

/// Whether a short form in the place of a node reaches another, with room to spare.
pub fn reaches(flow: &Flow<'_, '_>, class: u8, from: u32, to: u32) -> bool {
    let Some(spec) = flow.program.operands[usize::from(class)].value else {
        return false;
    };
    if matches!(spec.base, scrimp_isa::Base::InPage { .. }) {
        return flow.in_reach(class, from, to);
    }
    let far = flow.node(to).address as i64 - flow.node(from).address as i64;
    (spec.min + MARGIN..=spec.max - MARGIN).contains(&far)
}

/// The expression that a node names its goal by.
pub fn goal(flow: &Flow<'_, '_>, draft: &mut Draft, node: &Node, to: u32) -> ExprId {
    let own = node.operands.iter().find_map(|o| o.expr);
    own.unwrap_or_else(|| draft.address(flow, to))
}

/// A jump to a jump that nothing else comes to: goes where that goes.
fn to_jump(flow: &Flow<'_, '_>, draft: &mut Draft, n: u32) -> Option<Proposal> {
    let node = flow.node(n);
    let middle = node.to.filter(|&m| m != n)?;
    let between = flow.node(middle);
    let jumps = between.ways.way == Some(Way::Jump) && !between.ways.falls_through;
    if !jumps || !between.is_free() || !only_goes(flow, between.code()) {
        return None;
    }
    let to = between.to.filter(|&t| t != middle && t != n)?;
    let alone = between.refs.len() == 1 && !between.entry;
    let before = middle.checked_sub(1).map(|b| flow.node(b));
    let fallen = before.is_some_and(|b| b.next == Some(middle) && b.ways.falls_through);
    let data = before.is_some_and(|b| b.kind != crate::optimize::flow::Kind::Code && b.size > 0);
    let called = before.is_some_and(crate::optimize::flow::calls);
    if !alone || fallen || data || called {
        return None;
    }
    let e = goal(flow, draft, between, to);
    let span = span(flow, node);
    let forms = match (only_goes(flow, node.code()), node.ways.falls_through) {
        (true, false) => jumps_to(flow, e, span),
        (true, true) => conditional(flow, node, false, e, span),
        (false, _) => Vec::new(),
    };
    let mut forms: Vec<_> = forms
        .into_iter()
        .filter(|f| f_is_long(flow, f.0) || reaches(flow, f.2[0].0, n, to))
        .collect();
    if forms.is_empty() {
        let form = &flow.program.forms[usize::from(node.form)];
        let (word, class) = same_words(flow, node, form)?;
        if !reaches(flow, class, n, to) {
            return None;
        }
        forms.push((node.form, word, vec![(class, e, span)]));
    }
    let size = longest(flow, &forms);
    let saves = i64::from(node.size) - size + i64::from(between.size);
    if saves <= 0 {
        return None;
    }
    let edits = vec![
        edit(node.at, 1, vec![item(forms)?]),
        edit(between.at, 1, Vec::new()),
    ];
    Some(Proposal::new("jump to a jump", edits, saves, "flow"))
}

fn jumps_to(
    flow: &Flow<'_, '_>,
    e: ExprId,
    span: crate::text::source::Span,
) -> Vec<crate::program::rewrite::NewForm> {
    jumps(flow, e, span)
}
