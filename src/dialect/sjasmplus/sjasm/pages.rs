//! What is kept of sjasm's outputs, pages and code parts.

use super::placing::{Page, Plan, Wish};
use crate::program::Value;
use crate::program::symbol::{Anchor, SymbolId};
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A file that is written.
#[derive(Debug, Default)]
pub struct Output {
    /// Its name; that of the main output has none.
    pub name: Option<String>,
    pub pages: Vec<Option<Page>>,
    /// The first `ORG` in it.
    pub origin: Option<i64>,
    /// Its first part.
    pub first: usize,
}

/// Lines that are placed together.
#[derive(Debug)]
pub struct Part {
    pub wish: Wish,
    /// Its address, where that is known only behind the last line.
    pub open: Option<Value>,
    /// Its first chunk, and where it begins.
    pub chunk: u32,
    pub start: Anchor,
    /// It is left out where nothing in it is used.
    pub optional: bool,
    pub span: Span,
    /// Where it was while it was read.
    pub address: i64,
    pub page: i64,
}

/// All of them.
#[derive(Debug)]
pub struct Pages {
    pub outputs: Vec<Output>,
    pub parts: Vec<Part>,
    /// The pages that `PAGE` chose.
    pub chosen: Vec<u32>,
    /// Origin and size that `DEFPAGE` takes if it says none.
    pub usual: Page,
    /// What the run before found: address and page of each part, and the plans.
    pub before: Vec<(i64, i64)>,
    pub plans: Vec<Plan>,
    /// Sizes of pages that were asked for, by output and page, and what was answered.
    pub asked: FxHashMap<(usize, i64), i64>,
    /// A part may be left out.
    pub optional: bool,
    /// Parts that are left out.
    pub left_out: FxHashSet<usize>,
    /// Names that parts define and other parts use.
    pub defined: FxHashMap<SymbolId, usize>,
    pub used: FxHashSet<(SymbolId, usize)>,
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            outputs: Vec::new(),
            parts: Vec::new(),
            chosen: vec![0],
            usual: Page {
                start: Some(0),
                size: None,
            },
            before: Vec::new(),
            plans: Vec::new(),
            asked: FxHashMap::default(),
            optional: false,
            left_out: FxHashSet::default(),
            defined: FxHashMap::default(),
            used: FxHashSet::default(),
        }
    }
}

impl Pages {
    /// Whether the source has any.
    pub fn any(&self) -> bool {
        !self.parts.is_empty()
    }
}
