//! Values that only a layout gives.

use super::Layout;
use crate::program::eval::{Final, Miss, State};
use crate::program::symbol::{Anchor, SymbolId};
use crate::program::{Program, Value};

impl Program<'_> {
    /// Final values of all symbols.
    pub fn final_values(&self, l: &Layout) -> Vec<State> {
        let address = |p: Anchor| self.address_value(p.chunk, self.address(l, p));
        let mut f = Final {
            ops: &self.ops,
            symbols: &self.symbols,
            dialect: self.dialect,
            address: &address,
            values: vec![State::New; self.symbols.ids().count()].into(),
        };
        // Last definitions first: a constant that refers to constants below
        // then finds them done, and long chains need no deep recursion.
        let undefined = |&i: &SymbolId| self.symbols.get(i).order == u32::MAX;
        let defined = self.symbols.in_order().into_iter().rev();
        for id in self.symbols.ids().filter(undefined).chain(defined) {
            let _ = f.symbol(id);
        }
        f.values.into_owned()
    }

    pub(crate) fn value_of(&self, v: Value, l: &Layout, values: &[State]) -> Result<i64, Miss> {
        match v {
            Value::Number(n) | Value::Known(n, _) => Ok(n),
            Value::Expr(e) => {
                // The common operand is one symbol.
                if let [crate::program::eval::Op::Symbol(id)] =
                    self.ops[e.start as usize..(e.start + e.len) as usize]
                {
                    let id = self.symbols.resolve(id);
                    if let State::Done(v) = values[id.0 as usize] {
                        return v;
                    }
                }
                let address = |p: Anchor| self.address_value(p.chunk, self.address(l, p));
                // A lookup only: all defined symbols are done.
                Final {
                    ops: &self.ops,
                    symbols: &self.symbols,
                    dialect: self.dialect,
                    address: &address,
                    values: values.into(),
                }
                .expr(e)
            }
        }
    }
}
