//! `OPT`: switches that a source sets for itself, and puts back.

use super::state::{State, Switches};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::text::lex::Tok;

/// Most states that are put aside.
const DEPTH: usize = 10_000;

impl Assembler<'_> {
    /// The switches in force.
    #[inline]
    pub(super) fn sj_switches(&self) -> Switches {
        self.own.get::<State>().options.now
    }

    /// `opt push --dirbol --syntax=ab` and the like.
    pub(super) fn sj_option(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let mut switching = false;
        for word in text.split_whitespace() {
            switching |= word.starts_with('-');
            match word.strip_prefix("--").or_else(|| word.strip_prefix('-')) {
                Some(switch) => self.sj_switch(switch, t)?,
                None if switching => return Err(self.sj_bad_option(word, t)),
                None => {
                    if self.sj_option_word(word, t)? {
                        return Ok(());
                    }
                }
            }
        }
        self.sj_take_features();
        Ok(())
    }

    /// A word before the switches; true if nothing may follow.
    fn sj_option_word(&mut self, word: &str, t: &Tok) -> Outcome<bool> {
        let options = &mut self.own.get_mut::<State>().options;
        let is = |w: &str| word.eq_ignore_ascii_case(w);
        if is("push") {
            if options.aside.len() >= DEPTH {
                return Err(self.too_many(DEPTH, "states of `OPT` put aside"));
            }
            options.aside.push(options.now);
        } else if is("pop") {
            match options.aside.pop() {
                Some(before) => options.now = before,
                None => {
                    let message = "nothing was put aside by `OPT push`";
                    let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
                    self.report(Box::new(d));
                }
            }
            self.sj_take_features();
            return Ok(true);
        } else if is("reset") {
            options.now = options.first;
        } else if !["liston", "listoff", "listall", "listact", "listmc"]
            .into_iter()
            .any(is)
        {
            return Err(self.sj_bad_option(word, t));
        }
        Ok(false)
    }

    fn sj_switch(&mut self, switch: &str, t: &Tok) -> Outcome<()> {
        let now = &mut self.own.get_mut::<State>().options.now;
        match switch.split_once('=').unwrap_or((switch, "")) {
            ("dirbol", _) => now.directives_first = true,
            ("reversepop", _) => now.reverse_pop = true,
            ("nofakes", _) => now.no_fakes = true,
            ("syntax", letters) => {
                for letter in letters.bytes() {
                    match letter {
                        b'a' => now.two_commas = true,
                        b'M' => now.m_is_memory = true,
                        // Warnings, words and spellings that scrimp tells of anyway.
                        b'b' | b'f' | b'F' | b'i' | b'l' | b'L' | b's' | b'v' | b'w' | b'm' => {}
                        _ => return Err(self.sj_bad_option(switch, t)),
                    }
                }
            }
            ("zxnext", which) => {
                now.emulator = which.eq_ignore_ascii_case("cspect");
                self.sj_next_instructions();
            }
            (warning, _) if warning.starts_with('W') => {}
            _ => return Err(self.sj_bad_option(switch, t)),
        }
        Ok(())
    }

    fn sj_bad_option(&self, word: &str, t: &Tok) -> Box<Diagnostic> {
        let message = format!("`OPT` does not know `{word}`");
        let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
        Box::new(d.note(
            "there are push, pop, reset, liston, listoff, listall, listact, listmc, --dirbol, \
             --reversepop, --nofakes, --syntax=…, --zxnext, -W…",
        ))
    }

    /// Lets the instructions of the Spectrum Next be read.
    pub(super) fn sj_next_instructions(&mut self) {
        self.own.get_mut::<State>().options.now.next = true;
        self.sj_take_features();
    }

    /// Takes the instructions that the switches allow.
    fn sj_take_features(&mut self) {
        let next = self.sj_switches().next;
        let extensions = self.job.target.extensions();
        match next {
            true => self.chosen.features |= extensions,
            false => self.chosen.features &= !extensions,
        }
        self.memo.renew();
    }
}
