//! Registers by name, for people and scripts.

use super::Cpu;
use crate::reg;

/// Pairs and single registers with their numbers; a pair is named by its high
/// byte.
const PAIRS: &[(&str, u8)] = &[
    ("af", reg::AF),
    ("bc", reg::BC),
    ("de", reg::DE),
    ("hl", reg::HL),
    ("ix", reg::IX),
    ("iy", reg::IY),
    ("sp", reg::SP),
    ("af'", reg::AF + reg::OTHER),
    ("bc'", reg::BC + reg::OTHER),
    ("de'", reg::DE + reg::OTHER),
    ("hl'", reg::HL + reg::OTHER),
    ("wz", reg::WZ),
];
const BYTES: &[(&str, u8)] = &[
    ("i", reg::I),
    ("a", reg::A),
    ("f", reg::F),
    ("b", reg::B),
    ("c", reg::C),
    ("d", reg::D),
    ("e", reg::E),
    ("h", reg::H),
    ("l", reg::L),
    ("ixh", reg::IXH),
    ("ixl", reg::IXL),
    ("iyh", reg::IYH),
    ("iyl", reg::IYL),
];

impl Cpu {
    /// The program counter, R, the pairs and I with their values.
    pub fn registers(&self) -> Vec<(&'static str, u64)> {
        let pairs = PAIRS.iter().map(|&(n, r)| (n, u64::from(self.pair(r))));
        let bytes = BYTES[..1].iter().map(|&(n, r)| (n, u64::from(self.get(r))));
        let mut all = vec![
            ("pc", u64::from(self.pc())),
            ("r", u64::from(self.refresh())),
        ];
        all.extend(pairs.chain(bytes));
        all
    }

    /// A register, a pair or half of one by its name in lower case.
    pub fn register(&self, name: &str) -> Option<u64> {
        match name {
            "pc" => return Some(self.pc().into()),
            "r" => return Some(self.refresh().into()),
            _ => {}
        }
        if let Some(&(_, r)) = PAIRS.iter().find(|p| p.0 == name) {
            return Some(self.pair(r).into());
        }
        let &(_, r) = BYTES.iter().find(|p| p.0 == name)?;
        Some(self.get(r).into())
    }

    /// Sets a register by its name to the low bits of a value; false if there is
    /// none of that name.
    pub fn set_register(&mut self, name: &str, value: u64) -> bool {
        if name == "pc" {
            self.set_pc(value as u16);
        } else if name == "r" {
            self.set_refresh(value as u8);
        } else if let Some(&(_, r)) = PAIRS.iter().find(|p| p.0 == name) {
            self.set_pair(r, value as u16);
        } else if let Some(&(_, r)) = BYTES.iter().find(|p| p.0 == name) {
            self.set(r, value as u8);
        } else {
            return false;
        }
        true
    }
}
