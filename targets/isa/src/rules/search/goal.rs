//! What a replacement must do, and what it may be made of.

use std::collections::BTreeMap;

use super::alphabet::{Slot, Template, variables};
use super::states::{Cells, Sampled, State, Store};
use crate::Domain;
use crate::depend::Inputs;
use crate::lanes::Lanes;
use crate::rules::{Constant, Instruction};
use crate::state::{CELLS, Layout, Location};

/// Registers that a replacement may use besides, if nobody reads them.
const SCRATCH: usize = 2;

/// What is looked for.
pub(super) struct Goal<'g> {
    pub(super) from: &'g [Instruction],
    pub(super) bytes: usize,
    /// The values of its variables in each lane, with their bits.
    pub(super) variables: BTreeMap<String, ([u64; 8], u8)>,
    pub(super) before: Cells,
    pub(super) behind: State,
    pub(super) sampled: Sampled,
    /// Of each cell the bits that somebody reads.
    pub(super) masks: [u8; CELLS],
    /// Locations that may be changed, and that may be read before they are.
    pub(super) writable: Inputs,
    pub(super) readable: Inputs,
    pub(super) reads_memory: bool,
    pub(super) writes_memory: bool,
    pub(super) input: bool,
    pub(super) output: bool,
    pub(super) reads_program: bool,
    pub(super) dead: &'g [String],
}

/// A constant that a replacement may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) text: String,
    pub(super) bytes: Vec<Constant>,
}

impl Goal<'_> {
    /// What may be read: what the window knows, and places that are no registers.
    pub(super) fn knows(&self, reads: Inputs) -> bool {
        let others = !((1u64 << crate::state::place::OTHERS) - 1);
        let unknown = reads.without(self.readable).without(Inputs(others));
        // What nobody reads is written before it is read.
        unknown.without(self.writable).is_empty()
    }

    /// Registers that nobody reads and that most instructions write.
    pub(super) fn scratch(&self, layout: &Layout, list: &[Template]) -> Inputs {
        let mut all: Vec<(usize, u8)> = Vec::new();
        for l in layout.locations() {
            let free = l.bit.is_none() && self.masks[usize::from(l.cell)] == 0;
            let own = self.readable.has(l.number) || layout.stack.contains(&l.cell);
            if !free || own || layout.quiet.contains(&l.cell) {
                continue;
            }
            let writes = list.iter().filter(|t| t.effects.writes.has(l.number));
            all.push((writes.count(), l.number));
        }
        all.sort_by_key(|&(writes, number)| (std::cmp::Reverse(writes), number));
        let some = all.iter().take(SCRATCH);
        some.fold(Inputs::NONE, |all, s| all.and(Inputs::one(s.1)))
    }

    /// The constants of the window and what is near, for a field.
    pub(super) fn pool(&self, slot: &Slot) -> Vec<Chosen> {
        let mut bytes: Vec<Constant> = Vec::new();
        let mut add = |c: Constant| {
            if !bytes.contains(&c) {
                bytes.push(c);
            }
        };
        let mut words: Vec<[Constant; 2]> = Vec::new();
        for i in self.from {
            for text in i.text.split([' ', ',', '(', ')', '+', '[', ']']) {
                if let Ok(n) = text.parse::<i64>() {
                    add(Constant::Number(n as u8));
                    if i.bytes.len() > 2 || n > 255 {
                        add(Constant::Number((n >> 8) as u8));
                        words.push([n, n >> 8].map(|n| Constant::Number(n as u8)));
                    }
                }
            }
            variables(i).for_each(|name| add(Constant::Variable(name.to_owned())));
        }
        for n in [0, 1, 255] {
            add(Constant::Number(n));
        }
        match slot.width {
            16 => self.words(&bytes, words),
            _ => bytes.iter().filter_map(|c| self.one(c, slot)).collect(),
        }
    }

    pub(super) fn one(&self, c: &Constant, slot: &Slot) -> Option<Chosen> {
        let (least, most, scale) = slot.range;
        let text = match c {
            Constant::Number(n) => {
                let n = i64::from(*n);
                let n = if n > most { n - 256 } else { n };
                let fits = (least..=most).contains(&n) && n % scale == 0;
                fits.then(|| n.to_string())?
            }
            Constant::Variable(name) => {
                let bits = self.variables.get(name)?.1;
                (bits <= slot.width && scale == 1).then(|| format!("${name}"))?
            }
            Constant::Computed(_) => return None,
        };
        let value = match (c, text.parse::<i64>()) {
            (Constant::Number(_), Ok(n)) => Constant::Number((n / scale) as u8),
            _ => c.clone(),
        };
        Some(Chosen {
            text,
            bytes: vec![value],
        })
    }

    pub(super) fn words(&self, bytes: &[Constant], words: Vec<[Constant; 2]>) -> Vec<Chosen> {
        let mut out: Vec<Chosen> = Vec::new();
        let wide = |c: &Constant| match c {
            Constant::Variable(name) => self.variables.get(name).is_some_and(|v| v.1 == 8),
            Constant::Number(_) => true,
            Constant::Computed(_) => false,
        };
        let pairs = bytes
            .iter()
            .flat_map(|low| bytes.iter().map(move |high| (low, high)));
        let pairs = pairs.map(|(low, high)| [low.clone(), high.clone()]);
        for [low, high] in words.into_iter().chain(pairs) {
            let text = match (&low, &high) {
                (Constant::Number(l), Constant::Number(h)) => {
                    (u32::from(*h) << 8 | u32::from(*l)).to_string()
                }
                (Constant::Variable(l), Constant::Variable(h)) if wide(&low) && wide(&high) => {
                    let whole = l.strip_suffix(".l").filter(|w| h == &format!("{w}.h"));
                    whole.map_or_else(|| format!("${h}:${l}"), |w| format!("${w}"))
                }
                _ => continue,
            };
            let bytes = vec![low, high];
            if !out.iter().any(|c| c.text == text) {
                out.push(Chosen { text, bytes });
            }
        }
        out
    }

    /// The values of constants in all lanes.
    pub(super) fn values(&self, constants: &[Constant]) -> Option<[[u64; 8]; 2]> {
        if constants.is_empty() {
            return None;
        }
        let variable = |name: &str| self.variables.get(name).map_or([0; 8], |v| v.0);
        let one = |c: Option<&Constant>| match c {
            Some(Constant::Variable(name)) => variable(name),
            Some(Constant::Number(n)) => Lanes.byte(*n),
            Some(Constant::Computed(c)) => c.value(Lanes, variable),
            None => [0; 8],
        };
        Some([one(constants.first()), one(constants.get(1))])
    }

    /// Locations that are not yet as the window leaves them.
    pub(super) fn missing(&self, of_cell: &[Vec<Location>], now: &Sampled) -> Inputs {
        let mut all = Inputs::NONE;
        for (c, own) in of_cell.iter().enumerate() {
            let pairs = now.cells.iter().zip(&self.sampled.cells);
            let differ = pairs.fold(0, |d, (a, b)| d | (a[c] ^ b[c])) & self.masks[c];
            if differ == 0 {
                continue;
            }
            let bits = |l: &&Location| differ & l.bit.map_or(0xff, |b| 1 << b) != 0;
            let own = own.iter().filter(bits);
            all = own.fold(all, |all, l| all.and(Inputs::one(l.number)));
        }
        all
    }

    /// Whether a sample is as the window leaves it.
    pub(super) fn sample_reached(&self, n: usize, cells: &[u8; CELLS], written: &[Store]) -> bool {
        let pairs = cells.iter().zip(&self.sampled.cells[n]).zip(self.masks);
        pairs.into_iter().all(|((a, b), mask)| (a ^ b) & mask == 0)
            && *written == *self.sampled.written[n]
    }

    /// Whether all that somebody reads is as the window leaves it.
    pub(super) fn reached(&self, now: &State) -> bool {
        let cells = now.cells.iter().zip(&self.behind.cells).zip(self.masks);
        let same = |((a, b), mask): ((&[u64; 8], &[u64; 8]), u8)| {
            (0..8).all(|i| mask >> i & 1 == 0 || a[i] == b[i])
        };
        let stores = now.written.is_empty() && self.behind.written.is_empty();
        cells.into_iter().all(same) && (stores || now.stores_like(&self.behind))
    }
}
