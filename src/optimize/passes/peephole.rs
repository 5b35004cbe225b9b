//! Proven rules: short sequences that another takes the place of, where what differs behind
//! it is not live.

use crate::optimize::flow::{Facts, Flow, Node, Prepared, Ready, Shape};
use crate::optimize::step::{Draft, Proposal, edit};
use crate::program::eval::Op;
use crate::program::rewrite::NewItem;
use crate::program::symbol::ExprId;
use crate::program::{Field, Program};
use crate::text::language::{Binary, Unary};
use crate::text::source::Span;
use scrimp_isa::depend::Inputs;
use scrimp_isa::rules::{Constant, Operation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a variable of a rule stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Bound {
    /// A byte.
    Byte(u8),
    /// The low byte of an expression, or the one above it.
    Half(ExprId, bool),
}

type Bindings<'r> = BTreeMap<&'r str, Bound>;

/// What is known of a place before a node, as a fact for the report, if it is this value.
pub type Known<'k> = dyn FnMut(&str, &str) -> Option<String> + 'k;

/// A rule at a node, if it fits.
pub fn try_rule(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    rule: &Prepared,
    first: u32,
    known: &mut Known<'_>,
) -> Option<Proposal> {
    let nodes: Vec<u32> = flow.straight(first).take(rule.from.len()).collect();
    let last = *nodes.last()?;
    let live = flow.live.after[last as usize];
    let (p, items) = fits(
        flow,
        draft,
        (rule, &nodes),
        (live, [Inputs::NONE; 2]),
        known,
    )?;
    let edits = vec![edit(flow.node(first).at, nodes.len() as u32, items)];
    Some(Proposal { edits, ..p })
}

/// A rule whose first sequence some nodes are, without its edits, and what comes in their
/// place. `live` is read behind them, and of each sequence something else.
pub fn fits(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    (rule, nodes): (&Prepared, &[u32]),
    (live, more): (Inputs, [Inputs; 2]),
    known: &mut Known<'_>,
) -> Option<(Proposal, Vec<NewItem>)> {
    if nodes.len() < rule.from.len() || !nodes.iter().all(|&n| is_pointed(flow, n, rule)) {
        return None;
    }
    let (bound, facts) = bindings(flow, nodes, rule, known)?;
    if live.0 & rule.dead.0 != 0 {
        return None;
    }
    let from: Vec<_> = nodes
        .iter()
        .map(|&n| flow.node(n).facts.clone())
        .collect::<Option<_>>()?;
    let to: Vec<_> = rule
        .to
        .iter()
        .map(|r| flow.book.facts(&r.word.to_le_bytes()[..r.len]))
        .collect::<Option<_>>()?;
    let old = read_before(&from, live.and(more[0]));
    let more = read_before(&to, live.and(more[1])).without(old);
    let quiet = {
        let layout = flow.book.semantics.layout();
        layout.of_cells(layout.quiet)
    };
    if !more.without(quiet).is_empty() && rule.rule.assumed.is_empty() {
        return None;
    }
    if rule.rule.own
        && !nodes
            .iter()
            .all(|&n| reads_own(flow, n, more_bytes(&from, &to)))
    {
        return None;
    }
    let span = flow.program.item(flow.node(*nodes.first()?).at)?.span;
    let items: Vec<NewItem> = rule
        .to
        .iter()
        .map(|r| made(flow, draft, r, &bound, span))
        .collect::<Option<_>>()?;
    let mut p = Proposal::new(rule.rule.name.clone(), Vec::new(), rule.saves, &rule.proof);
    let (old, new) = (times(&from), times(&to));
    p.time = Some((new.0 - old.0, new.1 - old.1));
    if !rule.dead.is_empty() {
        let dead = rule.rule.dead.join(" ");
        p.facts.push(format!("{dead} not read behind it"));
    }
    p.facts.extend(facts);
    Some((p, items))
}

/// Whether a node touches memory only where a rule takes it to lie, if that is not anywhere.
fn is_pointed(flow: &Flow<'_, '_>, n: u32, rule: &Prepared) -> bool {
    let pointed = &rule.rule.pointed;
    let Some(f) = &flow.node(n).facts else {
        return false;
    };
    let touches = f.effects.reads_memory || f.effects.writes_memory;
    let inside = |&a: &u32| u16::try_from(a).is_ok_and(|a| pointed.contains(&a));
    let mut all = f.reads.iter().chain(&f.writes);
    *pointed == (0..=0xffff) || !touches || !f.is_indirect() && all.all(inside)
}

/// What the variables of a rule stand for at nodes, and as facts for the report what it
/// takes for granted; nothing where it does not fit.
fn bindings<'r>(
    flow: &Flow<'_, '_>,
    nodes: &[u32],
    rule: &'r Prepared,
    known: &mut Known<'_>,
) -> Option<(Bindings<'r>, Vec<String>)> {
    let mut bound = Bindings::new();
    for (&n, ready) in nodes.iter().zip(&rule.from) {
        matches(flow, flow.node(n), ready, &mut bound)?;
    }
    let mut facts = Vec::new();
    for (place, what) in &rule.rule.assumed {
        let wanted = match what.strip_prefix('$').map(|v| bound.get(v)) {
            Some(Some(Bound::Byte(b))) => b.to_string(),
            Some(_) => return None,
            None => what.clone(),
        };
        facts.push(known(place, &wanted)?);
    }
    Some((bound, facts))
}

/// What is read before some instructions, of what is read behind them.
fn read_before(list: &[Arc<Facts>], live: Inputs) -> Inputs {
    let all = list.iter().rev();
    all.fold(live, |live, f| f.effects.live_before(live))
}

/// Clocks of some instructions, least and most.
fn times(list: &[Arc<Facts>]) -> (i64, i64) {
    list.iter().fold((0i64, 0i64), |t, f| {
        (t.0 + i64::from(f.times.0), t.1 + i64::from(f.times.1))
    })
}

/// How many bytes of memory some instructions read more than others, as far as they say where.
fn more_bytes(from: &[Arc<Facts>], to: &[Arc<Facts>]) -> u32 {
    let bytes = |list: &[Arc<Facts>]| list.iter().map(|f| f.reads.len() as u32).sum::<u32>();
    bytes(to).saturating_sub(bytes(from))
}

/// Whether a node reads no memory but the program's own data, which go on for so many bytes
/// on both sides.
fn reads_own(flow: &Flow<'_, '_>, n: u32, around: u32) -> bool {
    let Some(f) = &flow.node(n).facts else {
        return false;
    };
    let own = |a: u32| {
        let mut all = a.saturating_sub(around)..=a.saturating_add(around);
        all.all(|a| flow.is_memory(a))
    };
    !f.effects.reads_memory
        || !f.is_indirect() && !f.reads.is_empty() && f.reads.iter().all(|&a| own(a))
}

/// Whether a node is an instruction of a rule; binds its variables.
fn matches<'r>(
    flow: &Flow<'_, '_>,
    node: &Node,
    ready: &'r Ready,
    bound: &mut Bindings<'r>,
) -> Option<()> {
    let word = u64::from_le_bytes(node.bytes);
    if node.size as usize != ready.len || (word ^ ready.word) & ready.mask != 0 {
        return None;
    }
    for (class, field, bytes) in &ready.values {
        let letter = |c: u8| flow.program.operands[usize::from(c)].value.map(|v| v.field);
        let mut operands = node.operands.iter();
        let own = operands.find(|o| letter(o.class) == letter(*class));
        let raw = field.extract(word);
        let open = own
            .filter(|o| o.shape != Shape::Number)
            .and_then(|o| o.expr);
        for (k, c) in bytes.iter().enumerate() {
            let value = match open {
                Some(e) => Bound::Half(e, k > 0),
                None => Bound::Byte((raw >> (8 * k)) as u8),
            };
            match c {
                Constant::Number(n) if value == Bound::Byte(*n) => {}
                Constant::Number(_) | Constant::Computed(_) => return None,
                Constant::Variable(name) => match bound.get(name.as_str()) {
                    Some(old) if same(flow, old, &value) => {}
                    Some(_) => return None,
                    None => {
                        bound.insert(name, value);
                    }
                },
            }
        }
    }
    Some(())
}

/// Whether two bytes are the same: numbers, or halves of what is written alike.
fn same(flow: &Flow<'_, '_>, a: &Bound, b: &Bound) -> bool {
    match (a, b) {
        (Bound::Half(a, high), Bound::Half(b, also)) => high == also && alike(flow.program, *a, *b),
        _ => a == b,
    }
}

/// Whether two expressions say the same: they are of the same operations.
pub fn alike(program: &Program<'_>, a: ExprId, b: ExprId) -> bool {
    let ops = |e: ExprId| {
        let own = e.start as usize..(e.start + e.len) as usize;
        program.ops.get(own)
    };
    a == b || ops(a).is_some_and(|own| ops(b) == Some(own))
}

/// The instruction that a rule puts in.
fn made(
    flow: &Flow<'_, '_>,
    draft: &mut Draft,
    ready: &Ready,
    bound: &Bindings<'_>,
    span: Span,
) -> Option<NewItem> {
    let mut word = ready.word;
    let mut values = Vec::new();
    for (class, field, bytes) in &ready.values {
        if let Some(ops) = beside(flow, bytes, bound) {
            values.push((Field::Class(*class), draft.expression(&ops), span));
            continue;
        }
        let all: Vec<Bound> = bytes
            .iter()
            .map(|c| value(c, bound))
            .collect::<Option<_>>()?;
        // A number that the field has no room for, or that it takes in another way.
        let spec = flow.program.operands[usize::from(*class)].value?;
        let room = (1i64 << field.width) - 1;
        let fits = |b: &Bound| match b {
            Bound::Byte(n) => all.len() > 1 || i64::from(*n) <= room,
            Bound::Half(..) => spec.max >= room && spec.scale == 1,
        };
        if !all.iter().all(fits) {
            return None;
        }
        match all.as_slice() {
            [Bound::Byte(n)] => word |= field.deposit((*n).into()),
            [Bound::Byte(low), Bound::Byte(high)] => {
                word |= field.deposit(u64::from(*low) | u64::from(*high) << 8);
            }
            [Bound::Half(a, false), Bound::Half(b, true)] if alike(flow.program, *a, *b) => {
                values.push((Field::Class(*class), *a, span));
            }
            [one] => {
                let ops = ops(flow, one);
                values.push((Field::Class(*class), draft.expression(&ops), span));
            }
            [low, high] => {
                let mut all = self::ops(flow, high);
                all.extend([Op::Number(256), Op::Binary(Binary::Mul)]);
                all.extend(self::ops(flow, low));
                all.push(Op::Binary(Binary::Add));
                values.push((Field::Class(*class), draft.expression(&all), span));
            }
            _ => return None,
        }
    }
    Some(NewItem::Instruction(ready.form, word, values))
}

/// What a byte of a rule's constant stands for; of a computed one only numbers.
fn value(c: &Constant, bound: &Bindings<'_>) -> Option<Bound> {
    match c {
        Constant::Number(n) => Some(Bound::Byte(*n)),
        Constant::Variable(name) => bound.get(name.as_str()).cloned(),
        Constant::Computed(c) => {
            let number = |name: &str| match bound.get(name) {
                Some(Bound::Byte(n)) => Some(*n),
                _ => None,
            };
            c.number(number).map(Bound::Byte)
        }
    }
}

/// A word that is what an expression says and a number more.
fn beside(flow: &Flow<'_, '_>, bytes: &[Constant], bound: &Bindings<'_>) -> Option<Vec<Op>> {
    let [Constant::Computed(low), Constant::Computed(_)] = bytes else {
        return None;
    };
    let both = |list: &[Constant]| -> Option<[Bound; 2]> {
        let all: Option<Vec<Bound>> = list.iter().map(|c| value(c, bound)).collect();
        all?.try_into().ok()
    };
    let (base, more) = (both(&low.left)?, both(&low.right)?);
    let ([Bound::Half(a, false), Bound::Half(b, true)], [Bound::Byte(l), Bound::Byte(h)]) =
        (&base, more)
    else {
        return None;
    };
    if low.operation != Operation::Add || !alike(flow.program, *a, *b) {
        return None;
    }
    let own = a.start as usize..(a.start + a.len) as usize;
    let mut all = flow.program.ops.get(own)?.to_vec();
    let more = i16::from_le_bytes([l, h]);
    all.extend([Op::Number(more.into()), Op::Binary(Binary::Add)]);
    Some(all)
}

/// A byte as an expression.
fn ops(flow: &Flow<'_, '_>, bound: &Bound) -> Vec<Op> {
    match *bound {
        Bound::Byte(n) => vec![Op::Number(n.into())],
        Bound::Half(e, high) => {
            let own = e.start as usize..(e.start + e.len) as usize;
            let mut all = flow.program.ops.get(own).unwrap_or(&[]).to_vec();
            all.push(Op::Unary(if high { Unary::High } else { Unary::Low }));
            all
        }
    }
}

/// Locations that are not live behind a node.
pub fn dead_behind(flow: &Flow<'_, '_>, n: u32) -> Inputs {
    Inputs(!flow.live.after[n as usize].0)
}
