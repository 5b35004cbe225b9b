//! Data: bytes, words, space, alignment.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, NONE};
use crate::program::item::{DataValue, Given, What};
use crate::program::symbol::Anchor;
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;
use crate::text::source::Span;

impl Assembler<'_> {
    /// `db 1, "text", label & 255`.
    pub(super) fn bytes(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.only_room() {
            return self.no_bytes_here(t);
        }
        if self.naming.structure.is_some() && rest.is_empty() {
            self.emit_fill(1, 0, Class::Data);
            return Ok(());
        }
        self.list(t, rest, 1, true)
    }

    /// `dw`, `dd`.
    pub(super) fn items(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if self.only_room() {
            return self.no_bytes_here(t);
        }
        if self.cells.rom_table.is_some() {
            let word = self.text(t).to_string();
            let message = format!("`{word}` cannot stand in a `romtable`");
            let d = Diagnostic::new(codes::MISPLACED, message)
                .at(t.span)
                .label("a table has bytes")
                .help("write `db lo(x), hi(x)`");
            return Err(Box::new(d));
        }
        if self.naming.structure.is_some() && rest.is_empty() {
            self.emit_fill(size as usize, 0, Class::Data);
            return Ok(());
        }
        self.list(t, rest, size, false)
    }

    fn list(&mut self, t: &Tok, rest: &[Tok], size: u8, texts: bool) -> Outcome<()> {
        if rest.is_empty() && self.dialect.operands.reads_no_further {
            self.not_read(t.span);
            return Ok(());
        }
        if rest.is_empty() {
            return Err(Box::new(
                Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span),
            ));
        }
        let mut buffer: Vec<u8> = Vec::with_capacity(rest.len());
        let mut open: Vec<DataValue> = Vec::new();
        let mut first_error = None;
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            // The comma behind a gap, or the last one.
            let gap = rest.get(b as usize).or(rest.last()).unwrap_or(t);
            let item = self.item(part, gap, size, texts, &mut buffer, &mut open);
            if let Err(d) = item {
                // Report each; the bytes still count, so that later addresses
                // make sense.
                buffer.extend(std::iter::repeat_n(0, size as usize));
                match first_error {
                    None => first_error = Some(d),
                    Some(_) => self.report(d),
                }
            }
            if self.is_over(buffer.len()) {
                return Ok(());
            }
        }
        if self.cells.rom_table.is_some() {
            let done = self.table_bytes(&buffer, &open);
            return first_error.map_or(done, Err);
        }
        for &(offset, value, span) in &open {
            let place = Anchor {
                plus: offset,
                ..self.here
            };
            let state = match value.number() {
                Some(_) => Given::All,
                None => Given::Open,
            };
            self.fix(place, Field::Data(size), value, span, state);
        }
        // Of a line with a fault nobody knows how many bytes it was to have.
        self.whole_words(&mut buffer, first_error.is_none());
        self.emit_data(&buffer, Class::Data);
        first_error.map_or(Ok(()), Err)
    }

    /// Fills data up to a whole word, where its space is made of words; says so if `told`.
    pub(super) fn whole_words(&mut self, buffer: &mut Vec<u8>, told: bool) {
        let unit = usize::from(self.chunks[self.chunk as usize].unit);
        let padded = self.dialect.output.padded || self.job.target.word_addresses();
        if padded && self.naming.structure.is_none() && !buffer.len().is_multiple_of(unit) {
            if told {
                let d = Diagnostic::new(codes::PADDED, "a zero byte is added up to a whole word")
                    .at(self.statement)
                    .help("put an even number of bytes on a line");
                self.report(Box::new(d));
            }
            buffer.resize(buffer.len().next_multiple_of(unit), 0);
        }
    }

    #[inline]
    fn item(
        &mut self,
        part: &[Tok],
        gap: &Tok,
        size: u8,
        texts: bool,
        buffer: &mut Vec<u8>,
        open: &mut Vec<DataValue>,
    ) -> Outcome<()> {
        let Some(first) = part.first() else {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(gap.span);
            return Err(Box::new(d.help("write one, or leave a comma out")));
        };
        if texts && part.len() > 1 && self.dialect.values.plain_texts && part.iter().all(is_quoted)
        {
            // Texts one behind the other are one, or the first is all.
            let read = match self.dialect.operands.reads_no_further {
                true => {
                    self.not_read(part[1].span);
                    &part[..1]
                }
                false => part,
            };
            for t in read {
                let codes = self.quoted_codes(t)?;
                buffer.extend_from_slice(&codes);
            }
            return Ok(());
        }
        if texts && part.len() == 1 && is_quoted(first) {
            let codes = self.quoted_codes(first)?;
            if codes.len() != 1 || !self.dialect.values.one_character_expression {
                buffer.extend_from_slice(&codes);
                return Ok(());
            }
        }
        let v = self.whole_expression(part)?;
        let span = self.span_of(part);
        let at = buffer.len() as u32;
        match v.number() {
            Some(n) => {
                let cut = self.item_bits(n, size, span)?;
                buffer.extend_from_slice(&cut.to_le_bytes()[..size as usize]);
            }
            None => buffer.extend(std::iter::repeat_n(0, size as usize)),
        }
        if v.expression().is_some() {
            open.push((at, v, span));
        }
        Ok(())
    }

    /// A data value cut to its size, with the dialect's finding if it does not
    /// fit.
    pub fn item_bits(&mut self, n: i64, size: u8, span: Span) -> Outcome<u64> {
        let (bits, cut) = self.data_bits(n, size, span, self.is_written_high(span))?;
        if let Some(d) = cut {
            self.report(Box::new(d));
        }
        Ok(bits)
    }

    /// `ds count, fill`.
    pub(crate) fn space(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() || parts.len() > 2 {
            return Err(Box::new(
                Diagnostic::new(
                    codes::SYNTAX,
                    "expected a count, and perhaps a byte to fill with",
                )
                .at(t.span),
            ));
        }
        let count_toks = &rest[parts[0].0 as usize..parts[0].1 as usize];
        let span = self.span_of(count_toks);
        let count = self.whole_expression(count_toks)?;
        let below_zero = self.noticed.below_zero;
        let fill = match parts.get(1) {
            Some(&(a, b)) => {
                let part = &rest[a as usize..b as usize];
                let v = self.whole_expression(part)?;
                let v = self.must_know(v, self.span_of(part), "the fill byte")?;
                self.item_bits(v, 1, self.span_of(part))? as u8
            }
            None => 0,
        };
        if let (Value::Expr(e), Err(crate::program::eval::Miss::NotYet)) =
            (count, self.known(count))
            && self.naming.structure.is_none()
            && self.cells.rom_table.is_none()
            && self.dialect.output.floating
        {
            self.emit_open(What::Space {
                class: Class::Space,
                byte: fill,
                count: e,
                size: NONE,
            });
            return Ok(());
        }
        let n = self.must_know(count, span, "the count")?;
        if below_zero {
            self.cut("a count below zero", n, span);
        }
        self.check_count(n, span)?;
        if self.cells.rom_table.is_some() {
            return self.table_bytes(&vec![fill; n as usize], &[]);
        }
        let unit = match self.naming.structure {
            None => self.space_unit(self.chunk),
            Some(_) => 1,
        };
        let bytes = n as u64 * unit;
        match count {
            Value::Known(_, count) => self.emit_sized(
                What::Space {
                    class: Class::Space,
                    byte: fill,
                    count,
                    size: bytes as u32,
                },
                bytes as usize,
            ),
            _ => self.emit_fill(bytes as usize, fill, Class::Space),
        }
        Ok(())
    }

    /// A count of bytes must lie in the address space.
    pub fn check_count(&mut self, n: i64, span: Span) -> Outcome<()> {
        if n < 0 {
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} bytes cannot be reserved"))
                    .at(span)
                    .label(format!("must be 0 to {}", self.memory.space)),
            ));
        }
        if n as u64 > self.memory.space {
            return Err(Box::new(
                Diagnostic::new(
                    codes::TOO_MUCH,
                    format!("{n} bytes are more than the address space has"),
                )
                .at(span)
                .label(format!("must be 0 to {}", self.memory.space)),
            ));
        }
        Ok(())
    }

    /// `align to, fill`.
    pub(crate) fn align(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let mut values = [0, 0];
        if parts.is_empty() || parts.len() > 2 {
            return Err(Box::new(
                Diagnostic::new(
                    codes::SYNTAX,
                    "expected a multiple, and perhaps a byte to fill with",
                )
                .at(t.span),
            ));
        }
        for (k, &(a, b)) in parts.iter().enumerate() {
            let part = &rest[a as usize..b as usize];
            let v = self.whole_expression(part)?;
            values[k] = self.must_know(v, self.span_of(part), "the alignment")?;
        }
        if values[0] < 1 || values[0] as u64 > self.memory.space {
            return Err(Box::new(
                Diagnostic::new(
                    codes::OUT_OF_RANGE,
                    format!("{} is no alignment", values[0]),
                )
                .at(self.span_of(rest))
                .label(format!("must be 1 to {}", self.memory.space)),
            ));
        }
        let unit = self.unit_of(self.section_space());
        let fill = match parts.len() {
            1 if unit == 2 => self.job.target.filler(),
            _ => [self.item_bits(values[1], 1, self.span_of(rest))? as u8; 2],
        };
        match self.here_value {
            Some(here) => {
                let gap = here.rem_euclid(values[0]);
                let gap = if gap == 0 { 0 } else { values[0] - gap };
                let gap = gap as usize * usize::from(unit);
                self.emit_sized(
                    What::Align {
                        to: values[0] as u32 * u32::from(unit),
                        size: gap as u32,
                        fill,
                    },
                    gap,
                );
            }
            None => self.emit_open(What::Align {
                to: values[0] as u32 * u32::from(unit),
                size: NONE,
                fill,
            }),
        }
        Ok(())
    }
}
