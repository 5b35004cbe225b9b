//! Lists of data in which `$` is where the item is.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::item::{DataValue, Given};
use crate::program::symbol::Anchor;
use crate::program::{Field, Outcome};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

/// What a list has made so far.
#[derive(Default)]
pub struct Items {
    /// Its bytes, with zeros for what is not known yet.
    pub bytes: Vec<u8>,
    open: Vec<DataValue>,
}

impl Items {
    /// Repeats what was made since it had so many bytes and values that wait.
    pub fn repeat(&mut self, from: (usize, usize), times: usize) {
        let made = self.bytes[from.0..].to_vec();
        let waiting = self.open[from.1..].to_vec();
        for k in 1..times {
            let plus = (made.len() * k) as u32;
            self.bytes.extend_from_slice(&made);
            let again = waiting.iter().map(|&(at, v, span)| (at + plus, v, span));
            self.open.extend(again);
        }
    }

    /// Takes back what an item made that failed. Its bytes still count, so that later
    /// addresses make sense.
    pub fn failed(&mut self, before: (usize, usize), size: u8) {
        self.bytes.resize(before.0 + usize::from(size), 0);
        self.open.truncate(before.1);
    }

    /// How many bytes and values that wait there are.
    pub fn made(&self) -> (usize, usize) {
        (self.bytes.len(), self.open.len())
    }
}

/// Reads an item of a list.
pub type ReadItem<'r, 'a> = dyn FnMut(&mut Assembler<'a>, &[Tok], &mut Items) -> Outcome<()> + 'r;

impl<'a> Assembler<'a> {
    /// The items of a list of values of `size` bytes, each as `item` makes it.
    pub(in super::super) fn items_here(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        size: u8,
        item: &mut ReadItem<'_, 'a>,
    ) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut items = Items {
            bytes: Vec::with_capacity(rest.len()),
            open: Vec::new(),
        };
        let (here, value) = (self.here, self.here_value);
        let mut done = Ok(());
        for (a, b) in split(rest) {
            let before = items.made();
            let at = before.0 as u32;
            self.here = Anchor { plus: at, ..here };
            self.here_value = value.map(|v| v + i64::from(at));
            let part = &rest[a as usize..b as usize];
            let made = match part.is_empty() {
                true => {
                    let gap = rest.get(b as usize).or(rest.last()).unwrap_or(t);
                    let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(gap.span);
                    Err(Box::new(d.help("write one, or leave a comma out")))
                }
                false => item(self, part, &mut items),
            };
            if let Err(d) = made {
                items.failed(before, size);
                match &done {
                    Ok(()) => done = Err(d),
                    Err(_) => self.report(d),
                }
            }
        }
        (self.here, self.here_value) = (here, value);
        self.items_written(&items, size);
        done
    }

    /// Writes what a list has made.
    pub(in super::super) fn items_written(&mut self, items: &Items, size: u8) {
        let here = self.here;
        for &(offset, value, span) in &items.open {
            let place = Anchor {
                plus: offset,
                ..here
            };
            let state = match value.number() {
                Some(_) => Given::All,
                None => Given::Open,
            };
            self.fix(place, Field::Data(size), value, span, state);
        }
        self.emit_data(&items.bytes, Class::Data);
    }

    /// An item that is a value.
    pub(in super::super) fn value_here(
        &mut self,
        part: &[Tok],
        size: u8,
        items: &mut Items,
    ) -> Outcome<()> {
        let v = self.whole_expression(part)?;
        let span = self.span_of(part);
        let at = items.bytes.len() as u32;
        let bits = match v.number() {
            Some(n) => self.item_bits(n, size, span)?,
            None => 0,
        };
        let bytes = &bits.to_le_bytes()[..usize::from(size)];
        items.bytes.extend_from_slice(bytes);
        if v.expression().is_some() {
            items.open.push((at, v, span));
        }
        Ok(())
    }
}
