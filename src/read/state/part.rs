//! What is chosen while reading: the machine, its part, what may overlap.

use crate::program::symbol::ExprId;
use crate::program::{Decided, Needed, Value, limits};
use crate::text::source::Span;
use rustc_hash::FxHashSet;
use scrimp_isa::target::Part;
use scrimp_isa::{Machine, Target};

/// What the program has said of its part.
#[derive(Debug, Default)]
pub struct PartFacts {
    pub(crate) core: String,
    pub(crate) lacks: String,
    pub(crate) has: String,
    pub(crate) flash: Option<u64>,
    pub(crate) eeprom: Option<u64>,
    pub(crate) sram: Option<u64>,
    pub(crate) sram_start: Option<u64>,
    /// Macros that the preprocessor gets: `__ATmega8__` for the part.
    pub defines: Vec<(String, String)>,
    /// Those that it has got.
    pub named: FxHashSet<String>,
    /// Where a device is named that is not known, kept until its facts come.
    pub unknown: Option<Span>,
}

impl PartFacts {
    /// What has been said, beside the features of the machine in force.
    pub fn said(&self, known: Option<u32>) -> Part<'_> {
        Part {
            known,
            core: &self.core,
            lacks: &self.lacks,
            has: &self.has,
            flash: self.flash.unwrap_or(0),
        }
    }
}

/// What the source has chosen so far.
#[derive(Default)]
pub struct Chosen {
    /// A machine that the source names may be of another target.
    pub any_target: bool,
    /// The machine that the source names, where none was in force: the run ends, and
    /// the next one begins with it.
    pub named: Option<(&'static dyn Target, &'static dyn Machine)>,
    /// The program declares regions of its own.
    pub own_regions: bool,
    /// Features of its CPU.
    pub features: u32,
    /// What the program says of its part.
    pub part: PartFacts,
    /// What is written now may overlap other bytes.
    pub overlap: bool,
    /// What was decided so far by numbers that addresses give, where something becomes shorter
    /// behind the reading.
    pub decided: Option<Vec<Decided>>,
}

impl Chosen {
    /// What was needed last, here, was a count up to a number at which the next begins.
    pub(crate) fn ends_at_number(&mut self, span: Span) {
        let last = self.decided.as_mut().and_then(|l| l.last_mut());
        if let Some(last) = last.filter(|l| l.span == span) {
            last.what = Needed::Address;
        }
    }

    /// How many numbers were needed so far.
    pub(crate) fn needed(&self) -> usize {
        self.decided.as_ref().map_or(0, Vec::len)
    }

    /// What was needed since there were so many is followed by formulas of it: nothing is
    /// decided by that. Returns it, if it is one.
    pub(crate) fn follows(&mut self, before: usize) -> Option<ExprId> {
        let list = self.decided.as_mut()?;
        let own = list.get(before)?.value;
        list.truncate(before);
        Some(own)
    }

    /// A number was needed.
    pub(crate) fn decide(&mut self, v: Value, number: i64, span: Span, what: Needed) {
        if let (Some(list), Value::Known(_, value) | Value::Expr(value)) = (&mut self.decided, v)
            && list.len() < limits::DECIDED
        {
            list.push(Decided {
                value,
                number,
                span,
                what,
            });
        }
    }
}
