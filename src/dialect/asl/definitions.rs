//! Names with values: `equ`, `set`, `enum`, and stacks of values.

use super::settings::bad;
use super::state::State;
use super::typed::Typed;
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// `name equ value`: numbers that wait, texts and fractions too.
    pub(super) fn asl_equ(
        &mut self,
        label: Option<Tok>,
        t: &Tok,
        rest: &[Tok],
        variable: bool,
    ) -> Outcome<()> {
        let comma = split(rest).first().map(|p| p.1 as usize);
        let comma = comma.filter(|&n| n < rest.len());
        let (name, value) = match (label, comma) {
            (Some(l), _) => (l, &rest[..comma.unwrap_or(rest.len())]),
            (None, Some(1)) => (rest[0], &rest[2..]),
            _ => return self.asl_no_name(t),
        };
        if self.text(&name) == "$" {
            return self.asl_org(t, value);
        }
        self.asl_value_of(Word::Equ(variable), &name, value)
    }

    /// Gives a name a value.
    pub(super) fn asl_value_of(&mut self, w: Word, name: &Tok, value: &[Tok]) -> Outcome<()> {
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let text = self.text(name).to_owned();
        let key = self.key(&text).into_owned();
        if let [one] = value
            && one.kind == Kind::Name
            && self.word_of(one) != 0
            && !matches!(w, Word::Label | Word::Port)
        {
            // Another name for a register.
            self.memo.renew();
            let number = self.word_of(one);
            let key = self.register_key(name);
            self.again.name_register(&key, number);
            self.naming.register_names.insert(key, (number, name.span));
            return Ok(());
        }
        let variable = w == Word::Equ(true);
        if self.asl_is_rich(value) {
            match self.asl_known(name, value, "the value")? {
                Typed::Int(n) => {
                    self.own.get_mut::<State>().typed.now.remove(&key);
                    let id = self.asl_defined(&text, name.span, true)?;
                    return self.define(id, Meaning::Number(n), name.span, variable);
                }
                v => {
                    if let Typed::Text(t, _) = &v
                        && (1..=4).contains(&t.len())
                    {
                        // A number for those who use it above.
                        let n = self.asl_number_of(&v, name.span)?;
                        let id = self.asl_defined(&text, name.span, true)?;
                        self.define(id, Meaning::Number(n), name.span, variable)?;
                        self.own.get_mut::<State>().typed.now.insert(key, v);
                        return Ok(());
                    }
                    if let Typed::Text(t, _) = &v {
                        self.emitted_text(t.len())?;
                    }
                    let state = self.own.get_mut::<State>();
                    state.names.defined += 1;
                    state.names.last = text;
                    if !variable {
                        state.typed.fixed.insert(key.clone(), v.clone());
                    }
                    let before = state.typed.now.insert(key, v);
                    if before.is_some() && !variable {
                        let message = format!("`{}` is defined twice", self.text(name));
                        let d = Diagnostic::new(codes::REDEFINED, message).at(name.span);
                        return Err(Box::new(d));
                    }
                    return Ok(());
                }
            }
        }
        self.own.get_mut::<State>().typed.now.remove(&key);
        // What the value names is seen from before the definition.
        let v = self.whole_expression(value)?;
        let id = self.asl_defined(&text, name.span, true)?;
        self.define_value(id, v, name.span, variable)
    }

    /// `enum a,b=3,c`.
    pub(super) fn asl_enum(&mut self, t: &Tok, rest: &[Tok], next: bool) -> Outcome<()> {
        if !next {
            self.own.get_mut::<State>().counting.0 = 0;
        }
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            let name = self.one_name(t, part)?;
            if part.len() > 2 {
                let n = self.known_here(t, &part[2..], "the value")?;
                self.own.get_mut::<State>().counting.0 = n;
            }
            let (value, step) = self.own.get::<State>().counting;
            let text = self.text(&name).to_owned();
            let id = self.asl_defined(&text, name.span, false)?;
            self.define(id, Meaning::Number(value), name.span, false)?;
            self.own.get_mut::<State>().counting.0 = value.wrapping_add(step);
        }
        Ok(())
    }

    /// `pushv stack,a,b`, `popv stack,a,b`.
    pub(super) fn asl_push(&mut self, t: &Tok, push: bool) -> Outcome<()> {
        let args = self.asl_arguments(t);
        let Some((stack, names)) = args.split_first() else {
            return Err(bad("expected the name of a stack", self));
        };
        let stack = stack.to_ascii_lowercase();
        for n in names {
            let made = self.made_line(n)?;
            let Some(name) = made.first().copied() else {
                return Err(bad("expected a name", self));
            };
            if push {
                let v = self.known_here(t, &made, "the value")?;
                let stacks = &mut self.own.get_mut::<State>().stacks;
                let list = stacks.entry(stack.clone()).or_default();
                if list.len() >= 100_000 {
                    return Err(bad("this stack is full", self));
                }
                list.push(v);
                continue;
            }
            let stacks = &mut self.own.get_mut::<State>().stacks;
            let Some(v) = stacks.get_mut(&stack).and_then(Vec::pop) else {
                return Err(bad(format!("the stack `{stack}` is empty"), self));
            };
            let id = self.asl_symbol(&name)?;
            let id = self.symbols.resolve(id);
            let span = self.statement;
            self.define(id, Meaning::Number(v), span, true)?;
        }
        Ok(())
    }
}
