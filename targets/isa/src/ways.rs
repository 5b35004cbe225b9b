//! Where control goes from instructions, kept by their bytes: most go on behind them,
//! wherever they stand.

use crate::effects::Successors;
use crate::semantics::{Code, Semantics};
use std::collections::HashMap;

/// Bytes that decide where control goes: those of an instruction, and those behind it that
/// it may skip.
type Key = ([u8; 8], u8);

/// What was found before.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Of those that lead to no place that depends on where they stand.
    anywhere: HashMap<Key, Option<Successors>>,
    /// Of the others, by their addresses.
    placed: HashMap<(Key, u64), Successors>,
}

impl Ways {
    /// Where control goes from an instruction of `size` bytes at an address, with which
    /// `rest` begins; nothing where it is none. What a skip goes over stands behind it.
    pub fn find(
        &mut self,
        semantics: &dyn Semantics,
        rest: &[u8],
        size: usize,
        address: u64,
    ) -> Option<Successors> {
        let own = rest.get(..size)?;
        let key = key(own)?;
        let at = |bytes| semantics.successors(Code { bytes, address });
        let found = match self.anywhere.get(&key) {
            Some(Some(known)) if known.to.is_none() => return Some(*known),
            Some(None) => return None,
            _ => match self.placed.get(&(key, address)) {
                Some(known) => Some(*known),
                None => at(own),
            },
        };
        let Some(ways) = found else {
            self.anywhere.insert(key, None);
            return None;
        };
        if ways.to.is_none() {
            self.anywhere.insert(key, Some(ways));
            return Some(ways);
        }
        self.placed.insert((key, address), ways);
        if ways.way != Some(crate::effects::Way::Skip) {
            return Some(ways);
        }
        // How far it goes depends on what stands behind it.
        at(&rest[..rest.len().min(8)])
    }
}

fn key(own: &[u8]) -> Option<Key> {
    let mut bytes = [0; 8];
    bytes.get_mut(..own.len())?.copy_from_slice(own);
    Some((bytes, own.len() as u8))
}
