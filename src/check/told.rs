//! What the checker is told.

use super::said::Said;
use crate::program::symbol::{ExprId, SymbolId};
use rustc_hash::FxHashSet;

/// What the checker is told.
pub struct Given<'g> {
    /// Whether what is called at an address outside the program returns behind the call and
    /// looks at nothing on the stack.
    pub trusted: &'g dyn Fn(u64) -> bool,
    /// Labels that only the program itself uses; see [`named`](super::named).
    pub inner: &'g FxHashSet<SymbolId>,
    /// What contracts say.
    pub said: &'g Said,
    /// Whether what is named by half an address must lie in its page as it did; else somebody
    /// sees to that when all is done.
    pub pages: bool,
    /// How the old program uses what instructions load that may be the address of code: by
    /// its expression, or a number without one.
    pub uses: &'g dyn Fn(Option<ExprId>, i64) -> Used,
}

/// How the address of code, or a number that may be one, is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Used {
    /// In any way.
    Unknown,
    /// Memory is touched right there, and nowhere else.
    Exact,
    /// It is kept, passed on and gone to.
    Whole,
    /// It is no address.
    Number,
}
