//! Structs and unions: names of offsets, and room with names in it.

use super::state::{Element, Open, State, Struct};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::rc::Rc;

/// Most names that one use of a struct may give.
const NAMES: usize = 100_000;

impl Assembler<'_> {
    /// A name with those of the open structs before it.
    fn asl_struct_name(&self, name: &str) -> String {
        let mut out = String::new();
        for o in &self.own.get::<State>().open {
            if o.extends && !o.name.is_empty() {
                out.push_str(&o.base);
                out.push(o.between);
            }
        }
        out + name
    }

    /// Takes a label as an element of the struct that is open; false where none is.
    pub(super) fn asl_element(&mut self, text: &str, span: Span) -> Outcome<bool> {
        let at = self.naming.structure.as_ref().map_or(0, |s| s.1);
        self.asl_element_at(text, at, None, span)
    }

    fn asl_element_at(
        &mut self,
        text: &str,
        at: i64,
        inner: Option<Rc<Struct>>,
        span: Span,
    ) -> Outcome<bool> {
        let open = &mut self.own.get_mut::<State>().open;
        // Its symbol counts from the start of the outermost one.
        let whole: i64 = at + open.iter().map(|o| o.offset).sum::<i64>();
        // Those without a name tell theirs to the next one around.
        let mut offset = at;
        let mut to = None;
        for (k, o) in open.iter().enumerate().rev() {
            if !o.name.is_empty() {
                to = Some(k);
                break;
            }
            offset += o.offset;
        }
        let Some(k) = to else { return Ok(false) };
        let full = format!("{}{}{text}", open[k].name, open[k].between);
        open[k].elements.push(Element {
            name: text.to_owned(),
            offset,
            inner,
        });
        let id = self.asl_defined(&full, span, true)?;
        self.define(id, Meaning::Number(whole), span, false)?;
        Ok(true)
    }

    /// `name struct options`, `name union`.
    pub(super) fn asl_open_struct(
        &mut self,
        label: Option<Tok>,
        t: &Tok,
        _rest: &[Tok],
        union: bool,
    ) -> Outcome<()> {
        self.memo.renew();
        let base = label.map_or(String::new(), |l| self.text(&l).to_owned());
        let state = self.own.get::<State>();
        if base.is_empty() && !state.open.iter().any(|o| !o.name.is_empty()) {
            return self.asl_no_name(t);
        }
        if state.open.len() >= 32 {
            let d = Diagnostic::new(codes::TOO_DEEP, "structs nest more than 32 deep");
            return Err(Box::new(d.at(t.span)));
        }
        let (mut extends, mut between) = (true, if state.dotted { '.' } else { '_' });
        for o in self.asl_arguments(t) {
            match o.to_ascii_lowercase().as_str() {
                "extnames" => extends = true,
                "noextnames" => extends = false,
                "dots" => between = '.',
                "nodots" => between = '_',
                _ => {
                    let message = format!("`{o}` is no option of a struct");
                    let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(self.statement);
                    let help = "it is `extnames`, `noextnames`, `dots` or `nodots`";
                    return Err(Box::new(d.help(help)));
                }
            }
        }
        let offset = self.naming.structure.as_ref().map_or(0, |s| s.1);
        let name = match base.is_empty() {
            true => String::new(),
            false => self.asl_struct_name(&base),
        };
        self.own.get_mut::<State>().open.push(Open {
            name,
            base,
            union,
            extends,
            between,
            elements: Vec::new(),
            at: offset,
            size: 0,
            offset,
            span: t.span,
        });
        self.naming.structure = Some((String::new(), 0));
        Ok(())
    }

    /// Behind a statement in a struct: those of a union begin at the same place.
    pub(super) fn asl_struct_goes_on(&mut self) {
        let Some((_, at)) = &mut self.naming.structure else {
            return;
        };
        if let Some(o) = self.own.get_mut::<State>().open.last_mut() {
            o.size = o.size.max(*at);
            if o.union {
                *at = 0;
            }
        }
    }

    /// `endstruct`, `endstruct name`: the size gets a name.
    pub(super) fn asl_end_struct(
        &mut self,
        label: Option<Tok>,
        t: &Tok,
        rest: &[Tok],
    ) -> Outcome<()> {
        self.memo.renew();
        self.asl_struct_goes_on();
        let wanted = label.map(|l| self.key(self.text(&l)).into_owned());
        let Some(o) = self.own.get::<State>().open.last() else {
            return self.stray(t, "a `struct`");
        };
        if let Some(w) = wanted
            && self.key(&o.base) != w
        {
            let message = format!("the struct that is open is `{}`", o.base);
            let d = Diagnostic::new(codes::STRAY_END, message).at(t.span);
            return Err(Box::new(d.related(o.span, "it begins here")));
        }
        let Some(o) = self.own.get_mut::<State>().open.pop() else {
            return Ok(());
        };
        let still = !self.own.get::<State>().open.is_empty();
        self.naming.structure = still.then(|| (String::new(), o.at));
        let span = self.statement;
        let size = o.size;
        let name = match rest.first() {
            Some(n) => Some(self.text(n).to_owned()),
            None if o.name.is_empty() => None,
            None => Some(format!("{}{}len", o.name, o.between)),
        };
        if let Some(name) = name {
            let id = self.asl_defined(&name, span, true)?;
            self.define(id, Meaning::Number(size), span, false)?;
        }
        if !o.name.is_empty() {
            let made = Rc::new(Struct {
                elements: o.elements,
                size,
                between: o.between,
            });
            let key = self.key(&o.name).into_owned();
            if still {
                let inner = Some(Rc::clone(&made));
                let known = self.asl_element_at(&o.base, o.at, inner, span);
                known?;
            }
            self.own.get_mut::<State>().structs.insert(key, made);
        }
        if still && let Some((_, at)) = &mut self.naming.structure {
            *at += size;
        }
        self.mark_here();
        Ok(())
    }

    /// `label name`, `label name [3]`: room for a struct; false if it is none.
    pub(super) fn asl_instance(
        &mut self,
        label: Option<Tok>,
        t: &Tok,
        _rest: &[Tok],
    ) -> Outcome<bool> {
        let state = self.own.get::<State>();
        if state.structs.is_empty() || t.kind != Kind::Name {
            return Ok(false);
        }
        let Some(s) = state
            .structs
            .get(&*self.key(self.sources.slice(t.span)))
            .cloned()
        else {
            return Ok(false);
        };
        let Some(label) = label else {
            return self.asl_no_name(t).map(|()| true);
        };
        let mut dimensions = Vec::new();
        for a in self.asl_arguments(t) {
            let inner = a.strip_prefix('[').and_then(|a| a.strip_suffix(']'));
            let Some(inner) = inner else {
                let message = "expected how many there are, as `[3]`";
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(self.statement);
                return Err(Box::new(d));
            };
            let made = self.made_line(inner)?;
            let n = self.known_here(t, &made, "the count")?;
            self.check_count(n, self.statement)?;
            dimensions.push(n);
        }
        let all: i64 = dimensions.iter().fold(1, |a: i64, &n| a.saturating_mul(n));
        let each = s.elements.len().max(1) as i64;
        if all.saturating_mul(each) > NAMES as i64 || all.saturating_mul(s.size) > 0x10000 {
            let d = Diagnostic::new(codes::TOO_MUCH, "this is more than memory has");
            return Err(Box::new(d.at(self.statement)));
        }
        let base = self.text(&label).to_owned();
        let start = self.here_value.unwrap_or(0);
        for k in 0..all {
            let mut name = base.clone();
            let (mut rest, mut behind) = (k, all);
            for n in &dimensions {
                behind /= n;
                name += &format!("_{}", rest / behind);
                rest %= behind;
            }
            let at = start + k * s.size;
            if !dimensions.is_empty() {
                self.asl_place_name(&name, at, label.span)?;
            }
            self.asl_place_elements(&s, &name, at, label.span, 0)?;
        }
        self.asl_reserve(all * s.size)?;
        Ok(true)
    }

    fn asl_place_elements(
        &mut self,
        s: &Rc<Struct>,
        name: &str,
        at: i64,
        span: Span,
        depth: u32,
    ) -> Outcome<()> {
        for e in &s.elements {
            let full = format!("{name}{}{}", s.between, e.name);
            self.asl_place_name(&full, at + e.offset, span)?;
            if let Some(inner) = e.inner.as_ref().filter(|_| depth < 32) {
                self.asl_place_elements(inner, &full, at + e.offset, span, depth + 1)?;
            }
        }
        Ok(())
    }

    /// A name for an address, or for an offset in the struct that is open.
    fn asl_place_name(&mut self, name: &str, at: i64, span: Span) -> Outcome<()> {
        if self.asl_element_at(name, at, None, span)? {
            return Ok(());
        }
        let id = self.asl_defined(name, span, true)?;
        self.define(id, Meaning::Number(at), span, false)
    }
}
