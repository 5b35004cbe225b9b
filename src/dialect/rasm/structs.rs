//! `struct`: names for offsets, and a statement that writes the fields.

use super::data::Quoted;
use super::state::{Field, Open, State, Struct};
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::margin::data::Items;
use crate::image::Class;
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::rc::Rc;

impl Assembler<'_> {
    /// `struct name`, `struct type name,count,values`.
    pub(super) fn rasm_struct(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        match rest {
            [name] if name.kind == Kind::Name => self.rasm_open_struct(t, name),
            [kind, c, name, ..] if c.kind == Kind::Comma => {
                self.rasm_instance(kind, name, &rest[3..])
            }
            [kind, name, ..] => self.rasm_instance(kind, name, &rest[2..]),
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected the name of a struct");
                Err(Box::new(d.at(t.span)))
            }
        }
    }

    fn rasm_open_struct(&mut self, t: &Tok, name: &Tok) -> Outcome<()> {
        if self.own.get::<State>().structure.is_some() {
            let message = "a struct cannot be defined in a struct";
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, message).at(t.span),
            ));
        }
        let text = self.text(name).to_owned();
        self.rasm_check_name(&text, name.span, true)?;
        if self
            .symbols
            .defined(&text)
            .is_some_and(|id| !self.symbols.get(id).variable)
        {
            let d = Diagnostic::new(codes::REDEFINED, format!("`{text}` is defined twice"));
            return Err(Box::new(d.at(name.span)));
        }
        self.naming.structure = Some((text.clone(), 0));
        self.own.get_mut::<State>().structure = Some(Open {
            name: text,
            fields: Vec::new(),
            span: name.span,
        });
        Ok(())
    }

    /// A label in a struct.
    pub(super) fn rasm_field(&mut self, t: &Tok) -> Outcome<()> {
        let text = self.text(t).to_owned();
        self.rasm_check_name(&text, t.span, false)?;
        if text.starts_with('@') {
            let d = Diagnostic::new(codes::MISPLACED, "a field cannot be local").at(t.span);
            return Err(Box::new(d));
        }
        let offset = self.here_value.unwrap_or(0);
        self.rasm_add_field(&text, offset, Vec::new(), t.span)
    }

    fn rasm_add_field(
        &mut self,
        name: &str,
        offset: i64,
        bytes: Vec<u8>,
        span: Span,
    ) -> Outcome<()> {
        let Some(open) = &mut self.own.get_mut::<State>().structure else {
            return Ok(());
        };
        let full = format!("{}.{name}", open.name);
        if open.fields.len() >= limits::PARAMETERS * 64 || full.len() > 1024 {
            return Err(self.too_many(limits::PARAMETERS * 64, "fields of a struct"));
        }
        open.fields.push(Field {
            name: name.to_owned(),
            offset,
            size: 0,
            bytes,
        });
        let id = self.symbols.intern(&full);
        self.define(id, Meaning::Number(offset), span, false)
    }

    /// Bytes of the last field.
    pub(super) fn rasm_field_bytes(&mut self, bytes: &[u8]) {
        if let Some(open) = &mut self.own.get_mut::<State>().structure
            && let Some(f) = open.fields.last_mut()
            && f.bytes.len() + bytes.len() <= limits::TOKEN
        {
            f.bytes.extend_from_slice(bytes);
        }
    }

    /// Values of the last field; none are a zero.
    pub(super) fn rasm_struct_values(&mut self, rest: &[Tok], size: u8) -> Outcome<()> {
        let mut bytes = Vec::new();
        for (a, b) in split(rest) {
            match &rest[a as usize..b as usize] {
                [t] if size == 1 && is_quoted(t) => bytes.extend(self.rasm_text(t, Quoted::Field)?),
                part => {
                    let v = self.whole_expression(part)?;
                    let span = self.span_of(part);
                    let n = self.must_know(v, span, "the value of a field")?;
                    let n = self.item_bits(n, size, span)?;
                    bytes.extend_from_slice(&n.to_le_bytes()[..usize::from(size)]);
                }
            }
        }
        if rest.is_empty() {
            bytes.resize(usize::from(size), 0);
        }
        self.rasm_field_bytes(&bytes);
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// `endstruct`: the name is the size from here on.
    pub(super) fn rasm_end_struct(&mut self, t: &Tok) -> Outcome<()> {
        self.memo.renew();
        let Some(open) = self.own.get_mut::<State>().structure.take() else {
            return self.stray(t, "a struct");
        };
        let size = self.naming.structure.take().map_or(0, |s| s.1);
        self.mark_here();
        let mut fields = open.fields;
        let ends: Vec<i64> = fields
            .iter()
            .skip(1)
            .map(|f| f.offset)
            .chain([size])
            .collect();
        for (f, end) in fields.iter_mut().zip(ends) {
            f.size = end - f.offset;
        }
        self.room_for_macro(self.own.get::<State>().structs.len())?;
        let structs = &mut self.own.get_mut::<State>().structs;
        structs.insert(
            open.name.to_ascii_lowercase(),
            Rc::new(Struct { size, fields }),
        );
        let id = self.symbols.intern(&open.name);
        self.define(id, Meaning::Number(size), open.span, false)
    }

    /// Bytes of a struct, of a field, or of what was written of one.
    pub(super) fn rasm_size_of(&self, name: &str) -> Option<i64> {
        let small = name.to_ascii_lowercase();
        let state = self.own.get::<State>();
        if let Some(s) = state.structs.get(&small) {
            return Some(s.size);
        }
        if let Some((_, s)) = state.instances.iter().rev().find(|i| i.0 == small) {
            return Some(s.size);
        }
        let (kind, field) = small.split_once('.')?;
        let s = state.structs.get(kind)?;
        let field = s.fields.iter().find(|f| f.name.eq_ignore_ascii_case(field));
        field.map(|f| f.size)
    }

    /// Writes a struct, or several one behind the other.
    fn rasm_instance(&mut self, kind: &Tok, name: &Tok, rest: &[Tok]) -> Outcome<()> {
        let key = self.text(kind).to_ascii_lowercase();
        let Some(s) = self.own.get::<State>().structs.get(&key).cloned() else {
            let message = format!("there is no struct `{}`", self.text(kind));
            let d = Diagnostic::new(codes::UNKNOWN_SYMBOL, message).at(kind.span);
            return Err(Box::new(d));
        };
        let rest = match rest {
            [c, more @ ..] if c.kind == Kind::Comma => more,
            rest => rest,
        };
        let parts = split(rest);
        let count = match parts.first() {
            None => 1,
            Some(&(a, b)) => self.known_here(name, &rest[a as usize..b as usize], "the count")?,
        };
        if count < 1 {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{count} structs cannot be"));
            return Err(Box::new(d.at(self.span_of(rest))));
        }
        let text = self.text(name).to_owned();
        if self.own.get::<State>().structure.is_some() {
            return self.rasm_nested(&s, &text, count, name.span);
        }
        let id = self.rasm_defined(name, false)?;
        self.define_place(id, name.span, text.starts_with(['.', '@']))?;
        let instances = &mut self.own.get_mut::<State>().instances;
        instances.push((text.to_ascii_lowercase(), Rc::clone(&s)));
        let at = self.here_value.unwrap_or(0);
        for f in &s.fields {
            let full = format!("{text}.{}", f.name);
            let id = self.rasm_named(&full, name.span)?;
            self.define(id, Meaning::Number(at + f.offset), name.span, false)?;
            self.symbols.get_mut(id).local = true;
        }
        self.check_count(count.saturating_mul(s.size), name.span)?;
        let values: Vec<&[Tok]> = parts
            .iter()
            .skip(1)
            .map(|&(a, b)| &rest[a as usize..b as usize])
            .collect();
        for _ in 0..count {
            self.mark_here();
            self.rasm_fields(&s, name, &values)?;
        }
        Ok(())
    }

    /// A struct within a struct that is being defined.
    fn rasm_nested(&mut self, s: &Struct, name: &str, count: i64, span: Span) -> Outcome<()> {
        let at = self.here_value.unwrap_or(0);
        self.check_count(count.saturating_mul(s.size), span)?;
        self.rasm_add_field(name, at, Vec::new(), span)?;
        for f in &s.fields {
            let inner = format!("{name}.{}", f.name);
            self.rasm_add_field(&inner, at + f.offset, Vec::new(), span)?;
            self.rasm_field_bytes(&f.bytes);
        }
        for _ in 1..count {
            for f in &s.fields {
                self.rasm_field_bytes(&f.bytes);
            }
        }
        self.emit_fill((count * s.size) as usize, 0, Class::Data);
        Ok(())
    }

    /// The fields of one, with values for the first of them.
    fn rasm_fields(&mut self, s: &Struct, t: &Tok, values: &[&[Tok]]) -> Outcome<()> {
        let mut given = values.iter();
        for f in s.fields.iter().filter(|f| f.size > 0) {
            let Some(&part) = given.next() else {
                self.emit_data(&f.bytes, Class::Data);
                continue;
            };
            self.mark_here();
            match part {
                [text] if is_quoted(text) => {
                    let mut bytes = self.rasm_text(text, Quoted::List)?;
                    bytes.truncate(f.size as usize);
                    bytes.extend(
                        f.bytes
                            .iter()
                            .skip(bytes.len())
                            .copied()
                            .collect::<Vec<_>>(),
                    );
                    self.emit_data(&bytes, Class::Data);
                }
                _ if matches!(f.size, 1 | 2 | 4) => {
                    let size = f.size as u8;
                    self.items_here(
                        t,
                        part,
                        size,
                        &mut |a: &mut Assembler<'_>, part, items: &mut Items| {
                            a.value_here(part, size, items)
                        },
                    )?;
                }
                _ => {
                    let message = format!("a field of {} bytes takes a text", f.size);
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(self.span_of(part));
                    return Err(Box::new(d));
                }
            }
        }
        Ok(())
    }
}
