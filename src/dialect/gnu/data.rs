//! Data, room and alignment.

use super::state::{Flags, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, NONE};
use crate::program::eval::{Miss, Op};
use crate::program::fit::gnu_cut;
use crate::program::item::{Given, What};
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// Most bytes that an alignment may be of, as a power of two.
const MAX_POWER: i64 = 16;

impl Assembler<'_> {
    /// `.byte 1, label`, `.word`, `.long`, `.quad`; and lists that may have texts in them.
    pub(in super::super) fn gnu_values(
        &mut self,
        rest: &[Tok],
        size: u8,
        texts: bool,
    ) -> Outcome<()> {
        let counts = self.naming.structure.is_some();
        let mut buffer: Vec<u8> = Vec::with_capacity(rest.len());
        let mut first_error = None;
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            // `.` is the address of the item.
            if !counts {
                self.here.plus = buffer.len() as u32;
            }
            let at = buffer.len();
            if let [one] = part
                && texts
                && is_quoted(one)
            {
                let text = self.quoted_codes(one)?;
                buffer.extend_from_slice(&text);
                continue;
            }
            buffer.resize(at + usize::from(size), 0);
            if part.is_empty() {
                continue;
            }
            let span = self.span_of(part);
            match self.whole_expression(part) {
                Ok(v) => {
                    let state = match v.number() {
                        Some(_) => Given::All,
                        None => Given::Open,
                    };
                    if let Some(n) = v.number() {
                        let bits = self.gnu_bits(n, size, span);
                        buffer[at..].copy_from_slice(&bits.to_le_bytes()[..usize::from(size)]);
                    }
                    self.fix(self.here, Field::Data(size), v, span, state);
                }
                // The bytes still count, so that later addresses make sense.
                Err(d) => match first_error {
                    None => first_error = Some(d),
                    Some(_) => self.report(d),
                },
            }
        }
        self.emit_data(&buffer, Class::Data);
        first_error.map_or(Ok(()), Err)
    }

    /// A number cut to the size of its item, with a warning if that loses anything.
    pub(crate) fn gnu_bits(&mut self, n: i64, size: u8, span: Span) -> u64 {
        if let Some(d) = gnu_cut(n, size, span) {
            self.report(Box::new(d));
        }
        n as u64
    }

    /// `.float 1.5`, `.double`.
    pub(super) fn gnu_floats(&mut self, rest: &[Tok], size: u8) -> Outcome<()> {
        let mut buffer = Vec::new();
        for (a, b) in split(rest) {
            let span = self.span_of(&rest[a as usize..b as usize]);
            let text = self.sources.slice(span).replace([' ', '\t'], "");
            let plain = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F"));
            let plain = plain.or_else(|| text.strip_prefix("0d")).unwrap_or(&text);
            let bytes = match size {
                4 => plain.parse::<f32>().map(|v| v.to_le_bytes().to_vec()),
                _ => plain.parse::<f64>().map(|v| v.to_le_bytes().to_vec()),
            };
            let Ok(bytes) = bytes else {
                let message = format!("`{text}` is not a number");
                return Err(Box::new(
                    Diagnostic::new(codes::BAD_NUMBER, message).at(span),
                ));
            };
            buffer.extend(bytes);
        }
        self.emit_data(&buffer, Class::Data);
        Ok(())
    }

    /// `.uleb128 n`, `.sleb128 n`.
    pub(super) fn gnu_leb(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let signed = self.text(t).to_ascii_lowercase().ends_with("sleb128");
        let mut buffer = Vec::new();
        for n in self.gnu_numbers(rest, "the value")? {
            let mut n = n.unwrap_or(0);
            loop {
                let low = (n & 0x7f) as u8;
                n = match signed {
                    true => n >> 7,
                    false => ((n as u64) >> 7) as i64,
                };
                let done = match signed {
                    true => n == 0 && low & 0x40 == 0 || n == -1 && low & 0x40 != 0,
                    false => n == 0,
                };
                buffer.push(if done { low } else { low | 0x80 });
                if done {
                    break;
                }
            }
        }
        self.emit_data(&buffer, Class::Data);
        Ok(())
    }

    /// `.ascii "text"`, `.asciz "text"`.
    pub(super) fn gnu_texts(&mut self, t: &Tok, rest: &[Tok], zero: bool) -> Outcome<()> {
        let mut buffer = Vec::new();
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            if part.is_empty() {
                let d = Diagnostic::new(codes::SYNTAX, "a text is missing").at(t.span);
                return Err(Box::new(d));
            }
            for p in part {
                match p.kind {
                    Kind::Double => buffer.extend(self.gnu_text(p)),
                    Kind::Bad => return Err(self.bad_token(p)),
                    _ => {
                        let d = Diagnostic::new(codes::SYNTAX, "expected a text in quotes");
                        return Err(Box::new(d.at(p.span)));
                    }
                }
            }
            if zero {
                buffer.push(0);
            }
        }
        self.emit_data(&buffer, Class::Data);
        Ok(())
    }

    /// `.skip count, fill`, `.space`, `.zero`.
    pub(super) fn gnu_skip(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() || parts.len() > 2 {
            let message = "expected a count, and perhaps a byte to fill with";
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        let part = &rest[..parts[0].1 as usize];
        let span = self.span_of(part);
        let count = self.whole_expression(part)?;
        let fill = match parts.get(1) {
            Some(&(a, b)) => {
                let part = &rest[a as usize..b as usize];
                let n = self.gnu_number_or(part, 0, "the fill byte")?;
                let span = self.span_of(part);
                self.gnu_bits(n, 1, span) as u8
            }
            None => 0,
        };
        self.gnu_room_for(count, fill, span, "the count", Class::Space)
    }

    fn gnu_room_for(
        &mut self,
        count: Value,
        fill: u8,
        span: Span,
        what: &str,
        class: Class,
    ) -> Outcome<()> {
        if let (Value::Expr(e), Err(Miss::NotYet | Miss::Undefined(_))) = (count, self.known(count))
            && self.naming.structure.is_none()
        {
            self.emit_open(What::Space {
                class,
                byte: fill,
                count: e,
                size: NONE,
            });
            return Ok(());
        }
        let n = self.must_know(count, span, what)?;
        self.check_count(n, span)?;
        self.emit_fill(n as usize, fill, class);
        Ok(())
    }

    /// `.fill repeat, size, value`.
    pub(super) fn gnu_fill(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let span = self.span_of(rest);
        let numbers = self.gnu_numbers(rest, "a number of `.fill`")?;
        let (count, size, value) = match numbers[..] {
            [Some(count)] => (count, 1, 0),
            [Some(count), size] => (count, size.unwrap_or(1), 0),
            [Some(count), size, value] => (count, size.unwrap_or(1), value.unwrap_or(0)),
            _ => {
                let message = "expected how often, and perhaps a size and a value";
                return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
            }
        };
        if size < 0 {
            let message = format!("an item of {size} bytes is not possible");
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, message).at(span),
            ));
        }
        // Items are of eight bytes at most, and only four of them have the value.
        let size = size.min(8);
        self.check_count(count, span)?;
        self.check_count(count * size, span)?;
        if let Some(d) = gnu_cut(value, size.min(4) as u8, span).filter(|_| size > 0) {
            self.report(Box::new(d));
        }
        let item = &(value as u32 as u64).to_le_bytes()[..size as usize];
        if self.naming.structure.is_some() || item.iter().all(|&b| b == 0) {
            self.emit_fill((count * size) as usize, 0, Class::Space);
            return Ok(());
        }
        let bytes = item.repeat(count as usize);
        self.emit_data(&bytes, Class::Space);
        Ok(())
    }

    /// `.align power, fill, most`, `.p2align`, and `.balign bytes, fill, most`.
    pub(super) fn gnu_align(&mut self, t: &Tok, rest: &[Tok], power: bool) -> Outcome<()> {
        let span = self.span_of(rest);
        let numbers = self.gnu_numbers(rest, "the alignment")?;
        if numbers.len() > 3 {
            let message = "expected an alignment, a byte to fill with and a greatest number";
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        let get = |i: usize| numbers.get(i).copied().flatten();
        let n = get(0).unwrap_or(0);
        let to = match power {
            true if (0..=MAX_POWER).contains(&n) => 1u64 << n,
            false if n == 0 => 1,
            false if n > 0 && n <= 1 << MAX_POWER && n.count_ones() == 1 => n as u64,
            _ => {
                let label = match power {
                    true => format!("must be 0 to {MAX_POWER}: the power of two"),
                    false => format!("must be a power of two, 1 to {}", 1 << MAX_POWER),
                };
                let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
                return Err(Box::new(d.at(span).label(label)));
            }
        };
        let fill = get(1).unwrap_or(0);
        let most = get(2).filter(|&m| m != 0);
        let word = self.text(t).as_bytes().last().map(u8::to_ascii_lowercase);
        // `.p2alignw`, `.balignl`: the fill is a word or two.
        let width = match word {
            Some(b'w') => 2,
            Some(b'l') => 4,
            _ => 1,
        };
        let fill = self.gnu_bits(fill, width, span);
        let exact = self.naming.structure.is_some() || self.gnu_aligns(to);
        let offset = match &self.naming.structure {
            Some((_, n)) => *n,
            None => i64::from(self.chunks[self.chunk as usize].position(self.here).0),
        };
        if exact {
            let gap = offset.wrapping_neg().rem_euclid(to as i64) as u64;
            if most.is_some_and(|m| gap > m as u64) {
                return Ok(());
            }
            if width > 1 && self.naming.structure.is_none() {
                // What does not fill an item comes first, as zeros.
                let odd = (gap % u64::from(width)) as usize;
                let mut bytes = vec![0; odd];
                let item = &fill.to_le_bytes()[..usize::from(width)];
                bytes.extend(item.repeat(gap as usize / usize::from(width)));
                self.emit_data(&bytes, Class::Padding);
                return Ok(());
            }
            if most.is_some() || self.naming.structure.is_some() {
                self.emit_fill(gap as usize, fill as u8, Class::Padding);
                return Ok(());
            }
            let what = What::Align {
                to: to as u32,
                size: gap as u32,
                fill: [fill as u8; 2],
            };
            self.emit_sized(what, gap as usize);
            return Ok(());
        }
        let fill = fill as u8;
        self.emit_open(What::Align {
            to: to as u32,
            size: NONE,
            fill: [fill; 2],
        });
        Ok(())
    }

    /// `.org place, fill`: a number counts from the start of the section.
    pub(super) fn gnu_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() || parts.len() > 2 {
            let message = "expected an address, and perhaps a byte to fill with";
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        let part = &rest[..parts[0].1 as usize];
        let span = self.span_of(part);
        let target = self.whole_expression(part)?;
        let fill = match parts.get(1) {
            Some(&(a, b)) => {
                let part = &rest[a as usize..b as usize];
                self.gnu_number_or(part, 0, "the fill byte")? as u8
            }
            None => 0,
        };
        if let Some((_, offset)) = &mut self.naming.structure {
            let Some(n) = target.number() else {
                let message = "the address must be known here";
                return Err(Box::new(
                    Diagnostic::new(codes::NOT_KNOWN_YET, message).at(span),
                ));
            };
            *offset = n;
            return Ok(());
        }
        let state = self.own.get_mut::<State>();
        state.aligned.insert(state.unit);
        let start = self.gnu_section_start();
        // target - here, where a number stands for start + number.
        let e = self.as_expr(target);
        let first = self.ops.len() as u32;
        for i in e.start..e.start + e.len {
            let op = self.ops[i as usize];
            self.ops.push(op);
        }
        if self.known(target).is_ok() {
            self.ops.push(Op::Place(start));
            self.ops
                .push(Op::Binary(crate::text::language::Binary::Add));
        }
        self.program.ops.push(Op::Place(self.here));
        self.ops
            .push(Op::Binary(crate::text::language::Binary::Sub));
        let count = ExprId {
            start: first,
            len: self.ops.len() as u32 - first,
        };
        let count = Value::Expr(count);
        if let Ok(n) = self.known(count)
            && n < 0
        {
            let by = n.unsigned_abs();
            let message = format!("`{}` would go back by {by} bytes", self.text(t));
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, message).at(span),
            ));
        }
        self.gnu_room_for(count, fill, span, "the address", Class::Space)
    }

    /// `.struct n`, `.offset n`: from here on only addresses are counted.
    pub(super) fn gnu_struct(&mut self, rest: &[Tok]) -> Outcome<()> {
        let n = self.gnu_number_or(rest, 0, "the first address")?;
        self.naming.structure = Some((String::new(), n));
        Ok(())
    }

    /// Where the section of this file begins.
    fn gnu_section_start(&self) -> Anchor {
        let state = self.own.get::<State>();
        let part = state.parts[state.part];
        let first = state.first.get(&part.section).copied();
        Anchor {
            chunk: first.map_or(part.chunk, |p| state.parts[p].chunk),
            item: 0,
            plus: 0,
        }
    }

    /// Raises the alignment of the section; true if the bytes before here in it are
    /// known by number.
    fn gnu_aligns(&mut self, to: u64) -> bool {
        let state = self.own.get_mut::<State>();
        state.aligned.insert(state.unit);
        let part = &mut state.parts[state.part];
        let exact = part.sub == 0 && self.program.chunks[part.chunk as usize].open.is_empty();
        part.align = part.align.max(to);
        exact
    }

    /// Flags of a section.
    pub(super) fn gnu_flags(&self, section: u32) -> Flags {
        self.own
            .get::<State>()
            .flags
            .get(&section)
            .copied()
            .unwrap_or_default()
    }
}
