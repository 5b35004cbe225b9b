//! Values of names from below, where a dialect puts them into its output when all else is
//! there: they lie over what was written to the same place in between.

use super::Emit;
use crate::image::Chunk;
use crate::program::Field;
use crate::program::eval::Op;
use crate::program::item::{Given, Item, OperandValue, What};
use rustc_hash::FxHashMap;

impl Emit<'_> {
    /// Notes the bytes of an item that a value fills, if a name in it is defined below.
    pub(super) fn note_late(&mut self, (c, at): (usize, usize), f: &OperandValue, item: &Item) {
        if !self.program.dialect.output.late || !self.is_from_below(f) {
            return;
        }
        let mask = match (f.field, item.what) {
            (Field::Class(class) | Field::Low(class), What::Instruction { form, .. }) => {
                let spec = self.program.operands[class as usize].value;
                let pattern = self.program.forms[form as usize].pattern;
                let field = spec.and_then(|s| pattern.field(s.field));
                field.map_or(0, |f| f.deposit(u64::MAX))
            }
            (Field::Data(size), _) => u64::MAX >> (64 - 8 * u32::from(size.clamp(1, 8))),
            _ => 0,
        };
        let bytes = mask.to_le_bytes().into_iter().enumerate();
        let bytes = bytes.filter(|b| b.1 != 0).map(|b| (c, at + b.0));
        self.late.extend(bytes);
    }

    /// Whether a name is defined below its use; in another file, whether it was not known.
    fn is_from_below(&self, f: &OperandValue) -> bool {
        let ops = &self.program.ops[f.value.start as usize..][..f.value.len as usize];
        ops.iter().any(|op| {
            let Op::Symbol(id) = *op else { return false };
            let symbols = &self.program.symbols;
            match symbols.get(symbols.resolve(id)).span {
                Some(at) if at.source == f.span.source => at.start > f.span.start,
                _ => f.state == Given::Open,
            }
        })
    }

    /// Puts them in, the first of the source last.
    pub(super) fn put_late(&mut self, built: &mut [Chunk]) {
        if self.late.is_empty() || built.iter().all(|c| c.load == u64::MAX) {
            return;
        }
        let (mut file, mut starts) = (0, Vec::with_capacity(built.len()));
        for c in built.iter() {
            if c.load != u64::MAX {
                file = c.load;
            }
            starts.push(file);
            file += c.bytes.len() as u64;
        }
        let mut last = FxHashMap::default();
        for &(c, at) in self.late.iter().rev() {
            last.insert(starts[c] + at as u64, built[c].bytes[at]);
        }
        for (c, start) in built.iter_mut().zip(starts) {
            for (byte, at) in c.bytes.iter_mut().zip(start..) {
                if let Some(late) = last.get(&at) {
                    *byte = *late;
                }
            }
        }
    }
}
