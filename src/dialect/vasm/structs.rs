//! `struct`: names for offsets, and a statement that writes its fields.

use super::macros::arguments;
use super::state::{FieldOf, State, Struct};
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;
use std::rc::Rc;

/// The word for values of so many bytes.
fn word_of(size: u8) -> &'static str {
    match size {
        1 => "db",
        2 => "dw",
        3 => "di24",
        _ => "dl",
    }
}

impl Assembler<'_> {
    /// `struct name`.
    pub(super) fn vasm_open_struct(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.naming.structure.is_some() {
            let d = Diagnostic::new(codes::MISPLACED, "a struct cannot stand in a struct");
            return Err(Box::new(d.at(t.span)));
        }
        let name = self.one_name(t, rest)?;
        let text = self.text(&name).to_owned();
        self.memo.renew();
        self.naming.structure = Some((text, 0));
        self.own.get_mut::<State>().fields.clear();
        Ok(())
    }

    /// `endstruct`: the name is the size from here on, and a statement.
    pub(super) fn vasm_end_struct(&mut self, t: &Tok) -> Outcome<()> {
        let open = self.naming.structure.take_if(|s| !s.0.is_empty());
        let Some((name, size)) = open else {
            return self.stray(t, "a struct");
        };
        self.memo.renew();
        self.mark_here();
        let state = self.own.get_mut::<State>();
        let fields = std::mem::take(&mut state.fields);
        let made = Struct { fields };
        let id = self.symbols.intern(&name);
        self.define(id, Meaning::Number(size), t.span, false)?;
        self.room_for_macro(self.own.get::<State>().structs.len())?;
        let key = self.key(&name).into_owned();
        self.own
            .get_mut::<State>()
            .structs
            .insert(key, Rc::new(made));
        Ok(())
    }

    /// `dsect`: names for offsets, from where the one before has ended.
    pub(super) fn vasm_open_offsets(&mut self, t: &Tok) -> Outcome<()> {
        if self.naming.structure.is_some() {
            let d = Diagnostic::new(codes::MISPLACED, "this cannot stand in a struct or `dsect`");
            return Err(Box::new(d.at(t.span)));
        }
        self.memo.renew();
        let at = self.own.get::<State>().offset;
        self.naming.structure = Some((String::new(), at));
        Ok(())
    }

    /// `dend`.
    pub(super) fn vasm_end_offsets(&mut self, t: &Tok) -> Outcome<()> {
        match self.naming.structure.take() {
            Some((name, at)) if name.is_empty() => {
                self.memo.renew();
                self.own.get_mut::<State>().offset = at;
                self.mark_here();
                Ok(())
            }
            other => {
                self.naming.structure = other;
                self.stray(t, "a `dsect`")
            }
        }
    }

    /// Whether names stand for offsets from nothing.
    pub(super) fn vasm_in_offsets(&self) -> bool {
        let open = self.naming.structure.as_ref();
        open.is_some_and(|s| s.0.is_empty())
    }

    /// Keeps what a directive within a structure writes.
    pub(super) fn vasm_field(&mut self, w: Word, rest: &[Tok]) -> Outcome<()> {
        if self.vasm_in_offsets() {
            return Ok(());
        }
        let mut fields = Vec::new();
        match w {
            Word::Data(size) | Word::Ended(size) if rest.is_empty() => {
                fields.push(FieldOf::Value(size, "0".into()));
            }
            Word::Data(size) => self.vasm_list_fields(rest, size, &mut fields)?,
            Word::Ended(end) => {
                self.vasm_list_fields(rest, 1, &mut fields)?;
                fields.push(FieldOf::Value(1, end.to_string()));
            }
            Word::Text(_) => self.vasm_list_fields(rest, 1, &mut fields)?,
            Word::Room(unit) => {
                let word = match unit {
                    1 => "ds",
                    2 => "blkw",
                    3 => "ds24",
                    4 => "blkl",
                    _ => "ds64",
                };
                let parts = split(rest);
                let text = |k: usize| {
                    let part = parts.get(k).map(|p| &rest[p.0 as usize..p.1 as usize]);
                    part.map_or_else(|| "0".to_owned(), |p| self.written(p))
                };
                fields.push(FieldOf::Room(word, text(0), text(1)));
            }
            _ => {}
        }
        let state = self.own.get_mut::<State>();
        state.fields.append(&mut fields);
        let size = state.fields.iter().map(FieldOf::len).sum::<usize>();
        match state.fields.len() > limits::PARAMETERS * 64 || size > limits::TOKEN {
            true => Err(self.too_many(limits::PARAMETERS * 64, "fields of a struct")),
            false => Ok(()),
        }
    }

    fn vasm_list_fields(
        &mut self,
        rest: &[Tok],
        size: u8,
        fields: &mut Vec<FieldOf>,
    ) -> Outcome<()> {
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            let text = self.written(part);
            let long = match part {
                [t] if is_quoted(t) => Some(self.quoted_codes(t)?.len()).filter(|&n| n != 1),
                _ => None,
            };
            fields.push(match long {
                Some(n) => FieldOf::Text(n, text),
                None => FieldOf::Value(size, text),
            });
        }
        Ok(())
    }

    /// `name v,v,…`: writes the fields of a structure; false if there is none of that name.
    pub(super) fn vasm_use_struct(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        let key = self.key(self.text(t));
        let Some(s) = self.own.get::<State>().structs.get(&*key).cloned() else {
            return Ok(false);
        };
        let text = self.written(rest);
        let given = arguments(&text);
        for (k, field) in s.fields.iter().enumerate() {
            let own = given.get(k).copied().filter(|g| !g.is_empty());
            let line = match field {
                FieldOf::Value(size, usual) => {
                    format!("{} {}", word_of(*size), own.unwrap_or(usual))
                }
                FieldOf::Room(word, count, usual) => {
                    format!("{word} {count},{}", own.unwrap_or(usual))
                }
                FieldOf::Text(size, usual) => match own {
                    None => format!("db {usual}"),
                    Some(own) => {
                        self.vasm_text_field(own, *size)?;
                        continue;
                    }
                },
            };
            let made = self.made_line(&line)?;
            self.mark_here();
            if let Some(w) = self.vasm_word(&made[0]) {
                self.vasm_directive(w, &made[0], &made[1..])?;
            }
        }
        Ok(true)
    }

    /// A text or a number in the room of a text.
    fn vasm_text_field(&mut self, own: &str, size: usize) -> Outcome<()> {
        let made = self.made_line(own)?;
        let mut bytes = match made[..] {
            // A text of one character is none, nor a number.
            [t] if is_quoted(&t) => match self.quoted_codes(&t)? {
                text if text.len() == 1 => Vec::new(),
                text => text,
            },
            _ => {
                let name = made[0];
                self.known_here(&name, &made, "the value")?
                    .to_le_bytes()
                    .to_vec()
            }
        };
        bytes.resize(size, 0);
        self.mark_here();
        self.emit_data(&bytes, crate::image::Class::Data);
        Ok(())
    }
}

impl FieldOf {
    fn len(&self) -> usize {
        match self {
            Self::Value(_, text) | Self::Text(_, text) => text.len(),
            Self::Room(_, count, value) => count.len() + value.len(),
        }
    }
}
