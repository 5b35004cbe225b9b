//! Conditionals and `switch`.

use super::state::{State, Switch};
use super::typed::Typed;
use super::words::{Asks, Word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

impl Assembler<'_> {
    /// The value of a condition.
    fn asl_truth(&mut self, t: &Tok, rest: &[Tok], what: &str) -> Outcome<bool> {
        let v = self.asl_known(t, rest, what)?;
        let span = self.span_of(rest);
        Ok(self.asl_number_of(&v, span)? != 0)
    }

    /// `if` and its like.
    pub(super) fn asl_if(&mut self, asks: Asks, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = match asks {
            Asks::Value => self.asl_truth(t, rest, "the condition"),
            Asks::Blank(wanted) => {
                let blank = self.asl_arguments(t).iter().all(String::is_empty);
                Ok(blank == wanted)
            }
            Asks::File(wanted) => {
                let name = self.written(rest);
                let name = name.trim_matches(['"', '\'']).replace('\\', "/");
                let span = self.statement;
                Ok(self.content(&name, span).is_ok() == wanted)
            }
            Asks::Defined(wanted) => match rest.first() {
                Some(n) => self.asl_is_defined(n).map(|d| d == wanted),
                None => self.one_name(t, rest).map(|_| false),
            },
            Asks::Used(wanted) => match rest.first() {
                Some(n) => self.asl_symbol(n).map(|id| {
                    let id = self.symbols.resolve(id);
                    self.symbols.get(id).used == wanted
                }),
                None => self.one_name(t, rest).map(|_| false),
            },
        };
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    /// Whether the innermost conditional is a `switch`.
    fn asl_in_switch(&self) -> bool {
        let last = self.own.get::<State>().switches.last();
        last.is_some_and(|s| s.at + 1 == self.lines.conditions.len())
    }

    pub(super) fn asl_push_switch(&mut self, value: Typed) {
        let at = self.lines.conditions.len().saturating_sub(1);
        let switches = &mut self.own.get_mut::<State>().switches;
        switches.push(Switch { at, value });
    }

    /// `switch value`.
    pub(super) fn asl_switch(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let value = self.asl_known(t, rest, "the value");
        self.open_condition(false, true, t)?;
        self.asl_push_switch(value.as_ref().map_or(Typed::Int(1), Typed::clone));
        value.map(|_| ())
    }

    /// What begins another branch of a conditional, or ends it.
    pub(super) fn asl_branch(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        // Those that an `exitm` has left.
        let open = self.lines.conditions.len();
        let switches = &mut self.own.get_mut::<State>().switches;
        while switches.last().is_some_and(|s| s.at >= open) {
            switches.pop();
        }
        let wants_switch = matches!(w, Word::Case | Word::ElseCase | Word::EndCase);
        if self.asl_in_switch() != wants_switch {
            let what = if wants_switch {
                "a `switch`"
            } else {
                "a conditional"
            };
            return self.stray(t, what);
        }
        match w {
            Word::EndIf => self.close_if(t),
            Word::EndCase => {
                self.own.get_mut::<State>().switches.pop();
                self.close_if(t)
            }
            _ => self.asl_other_branch(w, t, rest),
        }
    }

    fn asl_other_branch(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `else` before this");
            let d = d.at(t.span).related(c.span, "of this conditional");
            return Err(Box::new(d));
        }
        let (open, outer) = (!c.taken, c.outer);
        let last = w == Word::ElseCase || w == Word::ElseIf && rest.is_empty();
        let now = match w {
            _ if !open || !outer => Ok(false),
            _ if last => Ok(true),
            Word::Case => self.asl_case(t, rest),
            _ => {
                self.mark_here();
                self.asl_truth(t, rest, "the condition")
            }
        };
        let yes = *now.as_ref().unwrap_or(&false);
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = yes && outer;
            c.taken |= yes;
            c.last = last;
        }
        now.map(|_| ())
    }

    /// Whether one of some values is that of the `switch`.
    fn asl_case(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        self.mark_here();
        let wanted = match self.own.get::<State>().switches.last() {
            Some(s) => s.value.clone(),
            None => return Ok(false),
        };
        for (a, b) in split(rest) {
            let v = self.asl_known(t, &rest[a as usize..b as usize], "the value")?;
            let same = match (&v, &wanted) {
                (Typed::Text(a, _), Typed::Text(b, _)) => a == b,
                (a, b) => a == b,
            };
            if same {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
