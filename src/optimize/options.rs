//! What the optimizer is told to do.

use super::step::Step;
use super::{contract, ledger, passes, wanted};

/// What is done.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only passes of these names, if there are any.
    pub only: Vec<String>,
    /// No passes of these names.
    pub without: Vec<String>,
    /// Passes by their numbers in [`passes::ALL`], in the order in which they run; the usual
    /// order where there are none.
    pub order: Vec<u8>,
    /// Only so many changes, the first ones: to find one that is wrong.
    pub most: Option<usize>,
    /// No way through the program may take longer than so many hundredths more.
    pub slower: Option<u32>,
    /// Only what this ledger says, all of it.
    pub replay: Option<ledger::Script>,
    /// Contracts that stand outside of the sources.
    pub contracts: contract::Outside,
    /// Of all changes those that are chosen.
    pub wanted: wanted::Wanted,
    /// The changes are also made in the sources.
    pub write: bool,
    /// The ledger lists each instruction that is left as it is.
    pub fences: bool,
}

impl Options {
    /// Whether a pass is on.
    pub fn has(&self, pass: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|n| n == pass);
        (self.only.is_empty() || named(&self.only)) && !named(&self.without)
    }

    /// The passes that are on, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &'static Step> {
        let all = passes::ALL.iter();
        let usual = all.filter(|_| self.order.is_empty());
        let ordered = self
            .order
            .iter()
            .filter_map(|&n| passes::ALL.get(usize::from(n)));
        usual.chain(ordered).filter(|s| self.has(s.name))
    }
}
