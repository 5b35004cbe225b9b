//! Forms of instructions found by what they do: jumps, and returns and jumps on a condition.

use super::conditions::alike;
use crate::optimize::flow::{Flow, Node};
use crate::program::rewrite::{NewForm, NewItem};
use crate::program::symbol::ExprId;
use crate::text::source::Span;
use scrimp_isa::Base;
use scrimp_isa::effects::Way;
use scrimp_isa::semantics::Code;

/// A form with its words filled in, and the class of its value if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Row of the table.
    pub form: u16,
    /// Its word without the value.
    pub word: u64,
    /// Class of its value.
    pub class: Option<u8>,
    /// Bytes.
    pub len: usize,
}

impl Candidate {
    /// Its bytes, where its value's field is 5, which is any number.
    pub fn bytes(&self, flow: &Flow<'_, '_>) -> [u8; 8] {
        let form = &flow.program.forms[usize::from(self.form)];
        let spec = self
            .class
            .and_then(|c| flow.program.operands[usize::from(c)].value);
        let field = spec.and_then(|s| form.pattern.field(s.field));
        (self.word | field.map_or(0, |f| f.deposit(5))).to_le_bytes()
    }
}

/// All forms that have no operand but one word at most and one value at most.
pub fn candidates<'a>(
    flow: &'a Flow<'_, '_>,
    names: &'a dyn Fn(&str) -> bool,
) -> impl Iterator<Item = Candidate> + 'a {
    let operands = flow.program.operands;
    let features = flow
        .program
        .machine
        .map_or(flow.program.target.default_features(), |m| m.features());
    let forms = flow.program.forms.iter().enumerate();
    let forms = forms.filter(move |(_, f)| {
        names(f.name) && !f.alias && f.documented && f.needs & !features == 0
    });
    forms.flat_map(move |(row, form)| {
        let classes: Vec<usize> = form
            .operand_names()
            .filter_map(|n| operands.iter().position(|o| o.name == n))
            .collect();
        let values: Vec<u8> = classes
            .iter()
            .filter(|&&c| operands[c].value.is_some())
            .map(|&c| c as u8)
            .collect();
        let mut words = classes.iter().filter_map(|&c| operands[c].words);
        let (first, second) = (words.next(), words.next());
        let mut out = Vec::new();
        if values.len() <= 1 && second.is_none() {
            let list: Vec<u64> = match first {
                None => vec![0],
                Some(w) => {
                    let field = form.pattern.field(w.field);
                    let bits = |v: u8| field.map_or(0, |f| f.deposit(v.into()));
                    w.words.iter().map(|&(_, v)| bits(v)).collect()
                }
            };
            out.extend(list.into_iter().map(|bits| Candidate {
                form: row as u16,
                word: form.pattern.fixed | bits,
                class: values.first().copied(),
                len: form.pattern.len.into(),
            }));
        }
        out
    })
}

/// Whether an instruction only goes: it changes and touches nothing.
pub fn only_goes(flow: &Flow<'_, '_>, bytes: &[u8]) -> bool {
    let layout = flow.book.semantics.layout();
    let quiet = layout.of_cells(layout.quiet);
    flow.book.facts(bytes).is_some_and(|f| {
        let e = &f.effects;
        e.writes.without(quiet).is_empty()
            && !(e.reads_memory || e.writes_memory || e.input || e.output || e.controls)
    })
}

/// Jumps that always go, to a goal that they name, the shortest first; ready for a choice.
pub fn jumps(flow: &Flow<'_, '_>, to: ExprId, span: Span) -> Vec<NewForm> {
    let relax = flow.program.target.relax();
    let jumping = |name: &str| relax.iter().any(|r| r.tries.contains(&name));
    let all = candidates(flow, &jumping).filter(|c| {
        let bytes = c.bytes(flow);
        let code = Code {
            bytes: &bytes[..c.len],
            address: 0,
        };
        let ways = flow.book.ways(code.bytes, code.bytes.len(), code.address);
        let goes = ways.is_some_and(|w| w.way == Some(Way::Jump) && !w.falls_through);
        goes && c.class.is_some() && only_goes(flow, code.bytes)
    });
    let mut out: Vec<NewForm> = all
        .filter_map(|c| Some((c.form, c.word, vec![(c.class?, to, span)])))
        .collect();
    sort(flow, &mut out);
    out
}

/// Calls of a goal that they name, the shortest first; ready for a choice.
pub fn callings(flow: &Flow<'_, '_>, to: ExprId, span: Span) -> Vec<NewForm> {
    let operands = flow.program.operands;
    let stack = flow.book.stack();
    let layout = flow.book.semantics.layout();
    let quiet = layout.of_cells(layout.quiet);
    let all = candidates(flow, &|_| true).filter(|c| {
        let goal = c.class.and_then(|c| operands[usize::from(c)].value);
        let far = goal.is_some_and(|v| matches!(v.base, Base::Relative { .. }) || v.max >= 0xffff);
        let bytes = c.bytes(flow);
        let code = Code {
            bytes: &bytes[..c.len],
            address: 0,
        };
        let ways = flow.book.ways(code.bytes, code.bytes.len(), code.address);
        let calls = ways.is_some_and(|w| w.way == Some(Way::Call) && !w.falls_through);
        let plain = || {
            let facts = flow.book.facts(code.bytes);
            facts.is_some_and(|f| f.effects.writes.without(quiet).without(stack).is_empty())
        };
        far && calls && plain()
    });
    let mut out: Vec<NewForm> = all
        .filter_map(|c| Some((c.form, c.word, vec![(c.class?, to, span)])))
        .collect();
    sort(flow, &mut out);
    out
}

/// Jumps on the condition of a node, or with `opposite` on the other one.
pub fn conditional(
    flow: &Flow<'_, '_>,
    node: &Node,
    opposite: bool,
    to: ExprId,
    span: Span,
) -> Vec<NewForm> {
    let own = Code {
        bytes: node.code(),
        address: node.address,
    };
    let same = |code: Code<'_>| alike(flow.book, own, code, opposite);
    jumping(flow, &same, to, span)
}

/// Jumps to a goal that may go on, of those that are wanted.
pub fn jumping(
    flow: &Flow<'_, '_>,
    wanted: &dyn Fn(Code<'_>) -> bool,
    to: ExprId,
    span: Span,
) -> Vec<NewForm> {
    let any = |_: &str| true;
    let all = candidates(flow, &any).filter(|c| {
        let bytes = c.bytes(flow);
        let code = Code {
            bytes: &bytes[..c.len],
            address: 0,
        };
        let ways = flow.book.ways(code.bytes, code.bytes.len(), code.address);
        let goes = ways.is_some_and(|w| w.way == Some(Way::Jump) && w.falls_through);
        goes && c.class.is_some() && only_goes(flow, code.bytes) && wanted(code)
    });
    let mut out: Vec<NewForm> = all
        .filter_map(|c| Some((c.form, c.word, vec![(c.class?, to, span)])))
        .collect();
    sort(flow, &mut out);
    out
}

/// One form for each length, the shortest first.
fn sort(flow: &Flow<'_, '_>, forms: &mut Vec<NewForm>) {
    let len = |f: &NewForm| flow.program.forms[usize::from(f.0)].pattern.len;
    forms.sort_by_key(len);
    forms.dedup_by_key(|f| len(f));
}

/// Forms as an item: a choice, or the one that there is.
pub fn item(forms: Vec<NewForm>) -> Option<NewItem> {
    use crate::program::Field;
    match forms.len() {
        0 => None,
        1 => {
            let (form, word, values) = forms.into_iter().next()?;
            let values = values
                .into_iter()
                .map(|(c, e, s)| (Field::Class(c), e, s))
                .collect();
            Some(NewItem::Instruction(form, word, values))
        }
        _ => Some(NewItem::Choice(forms)),
    }
}

/// Bytes of the longest form.
pub fn longest(flow: &Flow<'_, '_>, forms: &[NewForm]) -> i64 {
    let len = |f: &NewForm| i64::from(flow.program.forms[usize::from(f.0)].pattern.len);
    forms.iter().map(len).max().unwrap_or(0)
}

/// Bytes that are expected of forms that lead so far: those of the shortest that reaches
/// farther by a third.
pub fn expected(flow: &Flow<'_, '_>, forms: &[NewForm], far: u64) -> i64 {
    let reaches = |f: &&NewForm| {
        let class = f.2.first().map(|v| usize::from(v.0));
        let value = class.and_then(|c| flow.program.operands[c].value);
        value.is_none_or(|v| match v.base {
            Base::Absolute => true,
            _ => far.saturating_mul(4) <= v.max.unsigned_abs() * u64::from(v.scale.max(1)) * 3,
        })
    };
    let len = |f: &NewForm| i64::from(flow.program.forms[usize::from(f.0)].pattern.len);
    let short = forms.iter().filter(reaches).map(len).min();
    short.unwrap_or_else(|| longest(flow, forms))
}

/// A return that may go on, of those that are wanted, which does what a node does that
/// returns on another condition.
pub fn returns_alike(
    flow: &Flow<'_, '_>,
    node: &Node,
    wanted: &dyn Fn(Code<'_>) -> bool,
) -> Option<Candidate> {
    let form = &flow.program.forms[usize::from(node.form)];
    let named = |n: &str| n == form.name;
    candidates(flow, &named).find(|c| {
        let bytes = c.bytes(flow);
        let code = Code {
            bytes: &bytes[..c.len],
            address: 0,
        };
        let own = Code {
            bytes: node.code(),
            address: 0,
        };
        let ways = flow.book.ways(code.bytes, code.bytes.len(), code.address);
        let goes = ways.is_some_and(|w| w.way == Some(Way::Return) && w.falls_through);
        goes && c.class.is_none()
            && c.len == node.size as usize
            && wanted(code)
            && super::conditions::same_where_both_go(flow.book, own, code)
    })
}

/// A return on the condition of a jump, or on the opposite one, that does what a return does.
pub fn returning(
    flow: &Flow<'_, '_>,
    node: &Node,
    back: &Node,
    opposite: bool,
) -> Option<Candidate> {
    let own = Code {
        bytes: node.code(),
        address: node.address,
    };
    let name = flow.program.forms[usize::from(back.form)].name;
    let named = |n: &str| n == name;
    candidates(flow, &named).find(|c| {
        let bytes = c.bytes(flow);
        let code = Code {
            bytes: &bytes[..c.len],
            address: 0,
        };
        let ways = flow.book.ways(code.bytes, code.bytes.len(), code.address);
        let goes = ways.is_some_and(|w| w.way == Some(Way::Return) && w.falls_through);
        goes && c.class.is_none()
            && alike(flow.book, own, code, opposite)
            && super::conditions::same_when_gone(flow.book, code, back.code())
    })
}
