//! What contracts tell the checker: what it could not find out by itself. It takes it as it
//! is; whoever tells it has looked whether the code does otherwise.

use super::side::{Kind, Side};
use crate::program::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::effects::Way;

/// Where what is reached by a label ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// So many bytes behind it.
    Bytes(u32),
    /// At this label.
    Label(SymbolId),
    /// After so many items.
    Items(u32),
    /// With the last of the jumps of one length that begin there.
    Jumps,
}

/// What is told.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Of the old program: addresses of what comes back behind its call, with the stack as it
    /// was, and looks at nothing above.
    pub returns: FxHashSet<u64>,
    /// Of the old program: calls by their addresses, and how many bytes behind them their
    /// routines take.
    pub takes: FxHashMap<u64, u64>,
    /// How far what labels are used for reaches.
    pub reaches: FxHashMap<SymbolId, Reach>,
    /// Statements, by their start in a text, whose numbers are no addresses, and the numbers.
    pub plain: FxHashSet<(u32, u32, i64)>,
    /// No number is.
    pub numbers: bool,
}

impl Said {
    /// Whether a number of an instruction is no address.
    pub(super) fn is_plain(&self, side: &Side<'_, '_>, n: u32, value: i64) -> bool {
        if self.numbers || self.plain.is_empty() {
            return self.numbers;
        }
        let item = side.program.item(side.get(n).at);
        item.is_some_and(|i| {
            let span = side.program.sources.in_file(i.span);
            let own = (span.source.0, span.start, value & 0xffff);
            self.plain.contains(&own)
        })
    }

    /// Ends of what is reached from addresses of a program.
    pub(super) fn ends(&self, side: &Side<'_, '_>) -> FxHashMap<u64, u64> {
        let at = |id: SymbolId| {
            let symbols = &side.program.symbols;
            let known = (id.0 as usize) < symbols.len();
            let place = known.then(|| symbols.get(id).place).flatten()?;
            Some(side.program.address(&side.layout, place))
        };
        let end = |from: u64, reach: Reach| -> Option<u64> {
            match reach {
                Reach::Bytes(n) => Some(from + u64::from(n)),
                Reach::Label(id) => at(id).filter(|&e| e >= from),
                Reach::Items(count) => {
                    let mut n = side.holding(from)?.0;
                    for _ in 1..count {
                        n = side.next(n)?;
                    }
                    Some(side.get(n).end())
                }
                Reach::Jumps => {
                    let (mut n, _) = side.holding(from)?;
                    let size = side.get(n).bytes.len();
                    let mut end = from;
                    loop {
                        let p = side.get(n);
                        let jumps = p.ways.way == Some(Way::Jump) && !p.ways.falls_through;
                        let one = p.kind == Kind::Code && jumps && p.ways.to.is_some();
                        if !one || p.bytes.len() != size {
                            return Some(end);
                        }
                        end = p.end();
                        match side.next(n) {
                            Some(x) => n = x,
                            None => return Some(end),
                        }
                    }
                }
            }
        };
        let all = self.reaches.iter();
        all.filter_map(|(&id, &r)| at(id).and_then(|a| Some((a, end(a, r)?))))
            .collect()
    }
}
