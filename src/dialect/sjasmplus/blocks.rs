//! Conditionals and modules.

use super::state::State;
use super::substitute::predefined;
use super::words::{Test, Word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::cursor::Cursor;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// A piece of a line that does not count: only conditionals matter.
    pub(super) fn sj_skipped(&mut self, toks: &[Tok]) -> Outcome<()> {
        let Some((w, i)) = self.sj_head(toks) else {
            return Ok(());
        };
        match w {
            Word::If(_) => self.open_condition(false, false, &toks[i]),
            Word::Else | Word::ElseIf | Word::ElseAsks(_) => {
                self.mark_here();
                self.sj_branch(w, &toks[i], &toks[i + 1..])
            }
            Word::EndIf => self.close_if(&toks[i]),
            _ => Ok(()),
        }
    }

    /// `if`, `ifdef`, `ifused` and their opposites.
    pub(super) fn sj_if(&mut self, test: Test, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = self.sj_holds(test, t, rest);
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    /// The value of a condition: sjasmplus reads nothing behind it.
    fn sj_truth(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        let whole = self.truth(t, rest);
        if whole.is_ok() || self.dialect.name == "sjasm" {
            return whole;
        }
        let mut c = Cursor::new(rest);
        match self.expression(&mut c) {
            Ok(_) if (1..rest.len()).contains(&c.at) => {
                self.not_read(self.span_of(&rest[c.at..]));
                self.truth(t, &rest[..c.at])
            }
            _ => whole,
        }
    }

    fn sj_holds(&mut self, test: Test, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        match test {
            Test::Value(wanted) => Ok(self.sj_truth(t, rest)? == wanted),
            Test::Text(asked, wanted) => Ok(self.sjasm_asks(asked, rest)? == wanted),
            Test::Defined(wanted) if self.dialect.name == "sjasm" => {
                let name = self.written(rest.get(..1).unwrap_or(&[]));
                Ok(self.sjasm_is_defined(&name) == wanted)
            }
            Test::Defined(wanted) => {
                let (name, _) = self.sj_id(t, rest)?;
                let known = self.own.get::<State>().defines.contains_key(&name)
                    || predefined(&name).is_some();
                Ok(known == wanted)
            }
            Test::Used(wanted) => {
                let id = match rest.first() {
                    Some(n) if matches!(n.kind, Kind::Name | Kind::At) => {
                        let name = self.text(n).to_owned();
                        self.sj_symbol(&name, n.span)?
                    }
                    _ => {
                        let parent = self.own.get::<State>().parent.clone();
                        self.symbols.intern(&parent)
                    }
                };
                let name = self.symbols.get(self.symbols.resolve(id)).name.clone();
                let state = self.own.get_mut::<State>();
                let used = state.used.contains(&name);
                state.asked.insert(name, used);
                Ok(used == wanted)
            }
        }
    }

    /// `else`, `elseif`.
    pub(super) fn sj_branch(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `else` before this")
                .at(t.span)
                .related(c.span, "of this conditional");
            return Err(Box::new(d));
        }
        let (taken, outer) = (c.taken, c.outer);
        let now = match w {
            Word::Else => !taken,
            _ if taken || !outer => false,
            Word::ElseAsks(test) => self.sj_holds(test, t, rest)?,
            _ if self.dialect.name == "sjasm" => self.truth(t, rest)?,
            _ => {
                let made = self.sj_replaced(rest)?;
                self.sj_truth(t, made.as_deref().unwrap_or(rest))?
            }
        };
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = now && outer;
            c.taken |= now;
            c.last = w == Word::Else;
        }
        Ok(())
    }

    /// `module name`.
    pub(super) fn sj_module(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (name, _) = self.sj_id(t, rest)?;
        if name.contains('.') {
            let d = Diagnostic::new(codes::SYNTAX, "the name of a module has no dot");
            return Err(Box::new(d.at(rest[0].span)));
        }
        if self.dialect.name == "sjasm" {
            return self.sjasm_module(name);
        }
        let state = self.own.get_mut::<State>();
        if state.module.len() + name.len() > 512 {
            let d = Diagnostic::new(codes::TOO_LONG, "modules in each other have too long names");
            return Err(Box::new(d.at(t.span)));
        }
        if !state.module.is_empty() {
            state.module.push('.');
        }
        state.module.push_str(&name);
        state.parent = format!("{}._", state.module).into();
        Ok(())
    }

    /// sjasm's `module name`, which is in no other.
    fn sjasm_module(&mut self, name: String) -> Outcome<()> {
        let texts = &mut self.own.get_mut::<State>().texts;
        if texts.modules.len() >= limits::HELD {
            return Err(self.too_many(limits::HELD, "modules in each other"));
        }
        let before = self.own.get::<State>().module.clone();
        self.own.get_mut::<State>().texts.modules.push(before);
        self.sjasm_in_module(name);
        Ok(())
    }

    /// Goes on in a module; labels with a dot are under the last one without, as before.
    fn sjasm_in_module(&mut self, name: String) {
        let state = self.own.get_mut::<State>();
        let prefix = format!("{}.", state.module);
        let bare = match state.module.is_empty() {
            true => state.parent.to_string(),
            false => state.parent.strip_prefix(&prefix).unwrap_or("_").to_owned(),
        };
        state.parent = match name.is_empty() {
            true => bare.into(),
            false => format!("{name}.{bare}").into(),
        };
        state.module = name;
    }

    /// sjasm's `endmodule`, and `endmodule name` for that and those in it.
    fn sjasm_end_module(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.written(rest);
        loop {
            let state = self.own.get_mut::<State>();
            let ends = name.is_empty() || state.module == name;
            let Some(before) = state.texts.modules.pop() else {
                return self.stray(t, "a module");
            };
            self.sjasm_in_module(before);
            if ends {
                return Ok(());
            }
        }
    }

    /// `endmodule`.
    pub(super) fn sj_end_module(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        if self.dialect.name == "sjasm" {
            return self.sjasm_end_module(t, rest);
        }
        let state = self.own.get_mut::<State>();
        if state.module.is_empty() {
            return self.stray(t, "a module");
        }
        let outer = state.module.rfind('.').unwrap_or(0);
        state.module.truncate(outer);
        state.parent = match state.module.is_empty() {
            true => "_".into(),
            false => format!("{}._", state.module).into(),
        };
        Ok(())
    }
}
