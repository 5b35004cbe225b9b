//! Where what follows stands, which segments the file has, and where it starts.

use super::state::{Segment, State};
use super::words::Constant;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use std::fmt::Write;

/// Where a program stands that says nothing else.
const START: i64 = 0x200;
/// Where the starter stands: behind the buffer of the loader in ROM v1.
const STARTER: i64 = 0x5b86;
/// Where a routine returns to.
const RETURN: i64 = 0x1a;

impl Assembler<'_> {
    /// Before the text.
    pub(super) fn gcl_begin(&mut self) {
        self.gcl_segment(START);
    }

    /// `*=address`.
    pub(super) fn gcl_org(&mut self, constant: Constant) -> Outcome<()> {
        let n = self.gcl_must(constant, "the address")?;
        if !(0..0x1_0000).contains(&n) {
            let message = format!("the address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(self.statement);
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        self.gcl_segment(n);
        Ok(())
    }

    /// Begins a segment.
    fn gcl_segment(&mut self, start: i64) {
        let state = self.own.get_mut::<State>();
        let before = state.segment;
        if before.at > before.start {
            state
                .segments
                .push((before.start, before.at - before.start));
        }
        state.segment = Segment {
            start,
            at: start,
            ..Segment::default()
        };
        self.open_chunk(Some(start as u64), 1);
    }

    /// `execute=address`.
    pub(super) fn gcl_execute(&mut self, n: i64) -> Outcome<()> {
        if !(0..0x1_0000).contains(&n) {
            let message = format!("the start address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(self.statement);
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        self.own.get_mut::<State>().execute = Some(n);
        Ok(())
    }

    /// Behind the text.
    pub(super) fn gcl_end(&mut self) {
        if !self.own.get::<State>().version && !self.has_errors() {
            let d = Diagnostic::new(codes::SYNTAX, "there is no word in the text");
            return self.report(Box::new(d.at(self.statement).help("the first is `gcl0x`")));
        }
        self.gcl_open_blocks();
        if let Some(span) = self.own.get::<State>().returns {
            self.statement = span;
            if let Err(d) = self.gcl_starter() {
                self.report(d);
            }
        }
        self.gcl_segment(START);
        let state = self.own.get_mut::<State>();
        let mut segments = String::new();
        for (start, length) in std::mem::take(&mut state.segments) {
            let _ = write!(segments, "{start}+{length} ");
        }
        let execute = state.execute;
        let options = &mut self.program.asked.options;
        options.push(("segments".into(), segments));
        let start = match execute {
            Some(n) if n > 0 => n.to_string(),
            _ => "none".to_owned(),
        };
        options.push(("start".into(), start));
    }

    /// A program that returns to what started it needs the address of its start in vLR,
    /// which the loader of ROM v1 does not put there.
    fn gcl_starter(&mut self) -> Outcome<()> {
        let state = self.own.get::<State>();
        let start = match (state.execute, state.segment) {
            (Some(n), _) => n,
            // Nothing has been made.
            (None, _) => return Ok(()),
        };
        self.gcl_segment(STARTER);
        self.gcl_instruction("ldwi", Some(Value::Number(start)), 3)?;
        self.gcl_instruction("stw", Some(Value::Number(RETURN)), 2)?;
        self.gcl_instruction("ret", None, 1)?;
        self.own.get_mut::<State>().execute = Some(STARTER);
        Ok(())
    }
}
