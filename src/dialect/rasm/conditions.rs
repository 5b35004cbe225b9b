//! Conditionals and `switch`.

use super::state::State;
use super::state::Switch;
use super::words::{Asks, Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::language::Directive;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// A piece of a line that does not count: only conditionals matter.
    pub(super) fn rasm_skipped(&mut self, toks: &[Tok]) -> Outcome<()> {
        let t = &toks[0];
        match word(self.rasm_entry(t).directive) {
            Some(Word::If(_)) => self.open_condition(false, false, t),
            Some(Word::ElseIf(wanted)) => self.rasm_else_if(wanted, t, &toks[1..]),
            Some(Word::Else) => self.rasm_else(t),
            Some(Word::EndIf) => self.rasm_end_if(t),
            Some(Word::Switch) => {
                self.open_condition(false, false, t)?;
                self.rasm_push_switch(0);
                Ok(())
            }
            Some(Word::Case) => self.rasm_case(t, &toks[1..]),
            Some(Word::Default) => self.rasm_default(t),
            Some(Word::Break) => self.rasm_break(t),
            Some(Word::EndSwitch) => self.rasm_end_switch(t),
            _ => Ok(()),
        }
    }

    /// `if` and its like.
    pub(super) fn rasm_if(&mut self, asks: Asks, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = match asks {
            Asks::Value(wanted) => self
                .known_here(t, rest, "the condition")
                .map(|v| (v != 0) == wanted),
            Asks::Defined(wanted) => self.rasm_asked(t, rest).map(|a| a.0 == wanted),
            Asks::Used(wanted) => self.rasm_asked(t, rest).map(|a| a.1 == wanted),
        };
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    /// Whether the innermost conditional is a `switch`.
    fn rasm_in_switch(&self) -> bool {
        let last = self.own.get::<State>().switches.last();
        last.is_some_and(|s| s.at + 1 == self.lines.conditions.len())
    }

    /// `elseif`, `elseifnot`.
    pub(super) fn rasm_else_if(&mut self, wanted: bool, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.rasm_in_switch() {
            return self.stray(t, "a conditional");
        }
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `else` before this");
            return Err(Box::new(
                d.at(t.span).related(c.span, "of this conditional"),
            ));
        }
        let (taken, outer) = (c.taken, c.outer);
        let now = match taken || !outer {
            true => Ok(false),
            false => {
                self.mark_here();
                let v = self.known_here(t, rest, "the condition");
                v.map(|v| (v != 0) == wanted)
            }
        };
        let yes = *now.as_ref().unwrap_or(&false);
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = yes && outer;
            c.taken |= yes;
        }
        now.map(|_| ())
    }

    pub(super) fn rasm_else(&mut self, t: &Tok) -> Outcome<()> {
        match self.rasm_in_switch() {
            true => self.stray(t, "a conditional"),
            false => self.other_branch(Directive::Else, t, &[]),
        }
    }

    pub(super) fn rasm_end_if(&mut self, t: &Tok) -> Outcome<()> {
        match self.rasm_in_switch() {
            true => self.stray(t, "a conditional"),
            false => self.close_if(t),
        }
    }

    /// `switch value`.
    pub(super) fn rasm_switch(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let value = self.known_here(t, rest, "the value");
        self.open_condition(false, true, t)?;
        self.rasm_push_switch(*value.as_ref().unwrap_or(&0));
        value.map(|_| ())
    }

    fn rasm_push_switch(&mut self, value: i64) {
        let at = self.lines.conditions.len() - 1;
        let switches = &mut self.own.get_mut::<State>().switches;
        switches.push(Switch {
            at,
            value,
            met: false,
        });
    }

    /// The innermost `switch`, where nothing else is open in it.
    fn rasm_open_switch(&mut self, t: &Tok) -> Outcome<Option<Switch>> {
        match self.own.get::<State>().switches.last().copied() {
            None => self.stray(t, "a `switch`").map(|()| None),
            Some(s) => Ok(Some(s).filter(|_| self.rasm_in_switch())),
        }
    }

    /// Lets lines of the innermost `switch` count from here on.
    fn rasm_count_from_here(&mut self, met: bool) {
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = c.outer;
        }
        if let Some(s) = self.own.get_mut::<State>().switches.last_mut() {
            s.met |= met;
        }
    }

    /// `case value`: what was begun goes on.
    pub(super) fn rasm_case(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let Some(s) = self.rasm_open_switch(t)? else {
            return Ok(());
        };
        if !self.lines.conditions.last().is_some_and(|c| c.outer) {
            return Ok(());
        }
        self.mark_here();
        if self.known_here(t, rest, "the value")? == s.value {
            self.rasm_count_from_here(true);
        }
        Ok(())
    }

    pub(super) fn rasm_default(&mut self, t: &Tok) -> Outcome<()> {
        if let Some(s) = self.rasm_open_switch(t)?
            && !s.met
        {
            self.rasm_count_from_here(false);
        }
        Ok(())
    }

    /// `break`: nothing counts up to the next case that is meant.
    pub(super) fn rasm_break(&mut self, t: &Tok) -> Outcome<()> {
        let Some(s) = self.own.get::<State>().switches.last().copied() else {
            return self.stray(t, "a `switch`");
        };
        if !self.lines.active() {
            return Ok(());
        }
        for (k, c) in self.lines.conditions.iter_mut().enumerate().skip(s.at) {
            c.active = false;
            c.outer &= k == s.at;
        }
        Ok(())
    }

    pub(super) fn rasm_end_switch(&mut self, t: &Tok) -> Outcome<()> {
        match self.rasm_open_switch(t)? {
            None => self.stray(t, "a `switch`"),
            Some(_) => {
                self.own.get_mut::<State>().switches.pop();
                self.lines.conditions.pop();
                Ok(())
            }
        }
    }
}
