//! What a name stands for that is given a value.

use crate::program::eval::{Known, Op};
use crate::program::limits;
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId};
use crate::program::{Needed, Outcome, Value};
use crate::read::Assembler;
use crate::text::language::{Binary, Unary, Width};
use crate::text::source::Span;

impl Assembler<'_> {
    /// Gives a symbol a value that was read; one that is `variable` may be given others.
    pub(crate) fn define_value(
        &mut self,
        id: SymbolId,
        v: Value,
        span: Span,
        variable: bool,
    ) -> Outcome<()> {
        let followed = match v {
            Value::Known(n, e) if variable => self.followed(n, e, span),
            _ => None,
        };
        let meaning = match (v, followed) {
            (_, Some(e)) => Meaning::Expr(e),
            (Value::Number(n) | Value::Known(n, _), None) => Meaning::Number(n),
            (Value::Expr(e), None) if variable => Meaning::Expr(self.kept_once(e, id)),
            (Value::Expr(e), None) => Meaning::Expr(e),
        };
        self.define(id, meaning, span, variable)?;
        if let (Some(p), Value::Known(n, _), Some(_)) = (&mut self.lines.pre, v, followed) {
            p.note_symbol(&self.program.symbols.get(id).name, Some(n));
        }
        self.symbols.get_mut(id).formula = match v {
            Value::Known(_, e) if !variable => Some(e),
            _ => None,
        };
        Ok(())
    }

    /// What a variable stands for that is worth a number now, by places: a constant without a
    /// name that follows these, where something becomes shorter behind the reading.
    fn followed(&mut self, n: i64, e: ExprId, span: Span) -> Option<ExprId> {
        self.chosen.decided.as_ref()?;
        let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
        let Some((one, plus)) = self.counted_from(ops) else {
            self.chosen
                .decide(Value::Known(n, e), n, span, Needed::Number);
            return None;
        };
        let start = self.ops.len() as u32;
        let formula = [one, Op::Number(plus), Op::Binary(Binary::Add)];
        self.ops.extend(formula);
        let kept = self.symbols.fresh("".into());
        let s = self.symbols.get_mut(kept);
        s.meaning = Meaning::Number(n);
        s.formula = Some(ExprId { start, len: 3 });
        s.local = true;
        self.ops.push(Op::Symbol(kept));
        let mut len = 1;
        if self.dialect.values.width == Width::Unsigned16 {
            // As a number of a variable has it.
            self.ops.push(Op::Unary(Unary::Plus));
            len = 2;
        }
        let start = start + 3;
        Some(ExprId { start, len })
    }

    /// A place, or a name that stands for one, and what is added to it: where that is a variable's
    /// constant, what that was counted from.
    fn counted_from(&self, ops: &[Op]) -> Option<(Op, i64)> {
        let marked = |ops: &[Op]| match ops {
            [rest @ .., Op::Unary(Unary::Plus)] => rest.len(),
            all => all.len(),
        };
        let ops = &ops[..marked(ops)];
        let (first, plus) = match ops {
            [first @ .., Op::Number(n), Op::Binary(Binary::Add)] => (first, *n),
            [first @ .., Op::Number(n), Op::Binary(Binary::Sub)] => (first, n.checked_neg()?),
            [Op::Number(n), first @ .., Op::Binary(Binary::Add)] => (first, *n),
            first => (first, 0),
        };
        let [one] = first[..marked(first)] else {
            return None;
        };
        match one {
            Op::Place(_) => Some((one, plus)),
            Op::Symbol(id) => {
                let s = self.symbols.get(self.symbols.resolve(id));
                match s.formula {
                    Some(e) if s.name.is_empty() => {
                        let own = &self.ops[e.start as usize..(e.start + e.len) as usize];
                        match *own {
                            [one, Op::Number(n), Op::Binary(Binary::Add)] => {
                                Some((one, plus.checked_add(n)?))
                            }
                            _ => None,
                        }
                    }
                    _ => Some((one, plus)),
                }
            }
            _ => None,
        }
    }

    /// The value of a variable, which stands in each use of it: a long one becomes a
    /// constant without a name, or one that is doubled again and again would have no end.
    pub(crate) fn kept_once(&mut self, e: ExprId, variable: SymbolId) -> ExprId {
        if e.len <= limits::COPIED {
            return e;
        }
        let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
        let start = self.ops.len() as u32;
        if let Ok(Known::Relative(chunk, open, n)) = self.now(ops) {
            // An item, and so far behind it.
            let c = &self.chunks[chunk as usize];
            let item = match open.checked_sub(1) {
                Some(last) => c.open[last as usize] + 1,
                None => 0,
            };
            let place = Anchor {
                chunk,
                item,
                plus: 0,
            };
            let before = match self.relative(place) {
                Known::Relative(_, _, n) => n,
                _ => 0,
            };
            let ops = [
                Op::Place(place),
                Op::Number(n - before),
                Op::Binary(Binary::Add),
            ];
            self.ops.extend(ops);
            return ExprId { start, len: 3 };
        }
        let name = self.symbols.get(variable).name.clone();
        let id = self.symbols.fresh(name);
        let s = self.symbols.get_mut(id);
        s.meaning = Meaning::Expr(e);
        s.local = true;
        self.ops.push(Op::Symbol(id));
        ExprId { start, len: 1 }
    }
}
