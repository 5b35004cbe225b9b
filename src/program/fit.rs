//! Values as bits of a field: what fits, what is cut, and the findings for the rest.

use super::fault::Fault;
use super::memory::ByteRange;
use super::whole::Program;
use crate::diagnostic::{Diagnostic, codes};
use crate::text::language::{Overflow, Width};
use crate::text::source::Span;
use scrimp_isa::{Base, Outline, Value};

/// How a value relates to its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It fits; these are its bits.
    Yes(u64),
    /// It is cut to these bits, which deserves a warning.
    Cut(u64),
    /// It does not fit: the value as compared with the range, and the range.
    No {
        /// The value, after the base is taken off.
        value: i64,
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// It is no multiple of this.
    Scale(u8),
    /// It lies in another page than the field can name: that page, the one it can,
    /// and whether the instruction is the last of its page.
    OtherPage {
        /// Page of the value.
        target: i64,
        /// Page of the instruction behind.
        page: i64,
        /// That is not the page of the instruction.
        last: bool,
    },
}

impl Program<'_> {
    /// Whether a value fits a class's field. `address` is that of the
    /// instruction, for relative values.
    pub fn fit(&self, class: u8, value: i64, address: i64, width: u8) -> Fit {
        let operand = &self.operands[class as usize];
        let Some(spec) = operand.value else {
            return Fit::Yes(0);
        };
        let mut v = match self.counted_from_base(spec, value, address) {
            Ok(v) => v,
            Err(page) => return page,
        };
        let relative = matches!(spec.base, Base::Relative { .. });
        if self.dialect.output.linked && !relative {
            match self.linked(spec, v, width) {
                Ok(linked) => v = linked,
                Err(cut) => return cut,
            }
        }
        let index = operand.outline == Outline::RoundWordValue;
        let unsigned = self.dialect.values.width == Width::Unsigned16;
        if index && unsigned {
            v = i64::from(v as i16);
        }
        let inside = |v: i64| (spec.min..=spec.max).contains(&v);
        let signed = v.saturating_sub(1 << 16);
        if unsigned && !inside(v) && (spec.min..0).contains(&signed) {
            // Sixteen bits say nothing about a sign.
            v = signed;
        }
        if v % i64::from(spec.scale) != 0 {
            return Fit::Scale(spec.scale);
        }
        let turned = |v: i64| if spec.complement { !v as u64 } else { v as u64 };
        if inside(v) || (index && self.dialect.operands.index_wraps && (0..=255).contains(&v)) {
            return Fit::Yes(turned(v / i64::from(spec.scale)));
        }
        if self.dialect.values.sign_bits && width == 8 && !relative {
            let fits = match self.memory.byte_range {
                ByteRange::Overflow => (-256..0).contains(&v),
                ByteRange::Integer => false,
                ByteRange::Any => true,
            };
            if fits {
                return Fit::Yes(v as u64);
            }
        }
        let overflow = match index {
            true => self.dialect.operands.index_overflow,
            false => self.overflow(spec, width),
        };
        match overflow {
            Overflow::Warn => Fit::Cut(turned(v)),
            Overflow::WarnBelowZero if (-(1 << width)..0).contains(&v) => Fit::Cut(turned(v)),
            Overflow::Error | Overflow::WarnBelowZero => Fit::No {
                value: v,
                min: spec.min,
                max: spec.max,
            },
        }
    }

    /// A value counted from the base of its class, or the page that it should not lie in.
    #[inline]
    fn counted_from_base(&self, spec: Value, value: i64, address: i64) -> Result<i64, Fit> {
        // A scaled operand is an address of words, which the dialect may count in.
        let unit = match self.dialect.values.word_addresses {
            true => i64::from(spec.scale),
            false => 1,
        };
        Ok(match spec.base {
            Base::Page { bits, .. } => {
                let page = ((address + 1) & spec.max) >> bits;
                let target = value >> bits;
                if (spec.min..=spec.max).contains(&value) && target != page {
                    let last = page != address >> bits;
                    return Err(Fit::OtherPage { target, page, last });
                }
                value
            }
            Base::Relative { bias } => {
                let far = value.saturating_sub(address).saturating_mul(unit);
                self.distance(spec, far.saturating_sub(i64::from(bias)))
            }
            Base::InPage { bits, bias, far } => {
                let (page, target) = (address >> bits, value >> bits);
                if !far && (spec.min..=spec.max).contains(&value) && target != page {
                    let last = false;
                    return Err(Fit::OtherPage { target, page, last });
                }
                let low = value.wrapping_add(bias.into()) & ((1 << bits) - 1);
                target << bits | low
            }
            Base::Less(less) => value.saturating_sub(less.into()),
            _ => value.saturating_mul(unit),
        })
    }

    /// A distance, where memory goes round the other way if only that is in range.
    #[inline]
    fn distance(&self, spec: Value, mut d: i64) -> i64 {
        if let Some(wrap) = self.memory.code_wrap
            && !(spec.min..=spec.max).contains(&d)
        {
            // Around the end of program memory.
            let other = if d < 0 { d + wrap } else { d - wrap };
            if (spec.min..=spec.max).contains(&other) {
                d = other;
            }
        }
        if self.dialect.output.wraps {
            // Distances wrap like addresses.
            let space = self.memory.space as i64;
            d = d.rem_euclid(space);
            if d >= space / 2 {
                d -= space;
            }
        }
        d
    }

    /// A value as a linker takes it; one that it cuts is an error here.
    #[inline]
    fn linked(&self, spec: Value, v: i64, width: u8) -> Result<i64, Fit> {
        let spaces = &self.memory.spaces;
        let data = spaces.get(1).map_or(i64::MAX, |s| s.base as i64);
        if v >= data && spec.max >= 0xbf && spec.scale == 1 && width != 8 {
            // Labels of data have linear addresses.
            return Ok(v - data);
        }
        if width == 8 && spec.max == 255 {
            if (-255..=255).contains(&v) {
                return Ok(v & 0xff);
            }
            if v < 0 {
                let bits = if spec.complement { !v } else { v };
                return Err(Fit::Cut(bits as u64));
            }
        }
        Ok(v)
    }

    /// The value of a name as a linker puts it into a field of a class: of an address of data
    /// the low 16 bits count, however narrow the field is.
    pub fn linked_value(&self, class: u8, v: i64) -> i64 {
        let data = self.memory.spaces.get(1).map(|s| s.base as i64);
        let plain = |s: &Value| s.scale == 1 && !matches!(s.base, Base::Relative { .. });
        let spec = self.operands[class as usize].value.as_ref();
        match (data, spec.is_some_and(plain)) {
            (Some(data), true) if self.dialect.output.linked && v >= data => v & 0xffff,
            _ => v,
        }
    }

    /// What becomes of a value beyond the range of a field that is no displacement.
    fn overflow(&self, spec: Value, width: u8) -> Overflow {
        let values = &self.dialect.values;
        let relative = matches!(spec.base, Base::Relative { .. });
        if relative || width < 8 || spec.scale != 1 || values.sign_bits && width > 8 {
            return Overflow::Error;
        }
        let wide = values.wide_overflow.filter(|_| width > 8);
        wide.unwrap_or(values.overflow)
    }

    /// The finding for a value that does not fit a class.
    pub fn misfit(&self, class: u8, fit: Fit, value: i64, span: Span) -> Option<Diagnostic> {
        let operand = &self.operands[class as usize];
        let relative = operand
            .value
            .is_some_and(|v| matches!(v.base, Base::Relative { .. }));
        match fit {
            Fit::Yes(_) => None,
            Fit::Cut(_) => Some(
                Diagnostic::new(codes::TRUNCATED, format!("{value} is cut to fit"))
                    .at(span)
                    .label("does not fit"),
            ),
            Fit::Scale(n) => Some(
                Diagnostic::new(
                    codes::OUT_OF_RANGE,
                    format!("{value} is not a multiple of {n}"),
                )
                .at(span)
                .label(format!("must be {}", operand.text)),
            ),
            Fit::OtherPage { target, page, last } => {
                let page_of = operand.value.and_then(|v| v.base.page());
                let bits = page_of.map_or(0, |p| p.0);
                let (start, end) = (page << bits, (page + 1) << bits);
                let (far, side) = match value < start {
                    true => (start - value, "before its start"),
                    false => (value - end + 1, "behind its end"),
                };
                let d = Diagnostic::new(
                    codes::WRONG_PAGE,
                    format!(
                        "the target is in page ${target:02X}, the branch reaches page ${page:02X} only"
                    ),
                )
                .at(span)
                .label(format!("${value:04X}, {far} {side}"));
                let far = self.target.reach(operand.name);
                let d = d.help(format!(
                    "keep both in one page (`within = {}` for their sections); {}",
                    end - start,
                    far.unwrap_or("use a jump that names the page")
                ));
                Some(match last {
                    true => d.note("at the end of a page the page behind it counts"),
                    false => d,
                })
            }
            Fit::No { value: v, min, max } if relative => {
                let over = if v > max {
                    v.abs_diff(max)
                } else {
                    min.abs_diff(v)
                };
                let help = self.target.reach(operand.name);
                Some(
                    Diagnostic::new(
                        codes::OUT_OF_RANGE,
                        format!("the target is {v} bytes away, {over} too far"),
                    )
                    .at(span)
                    .label(format!("must be {min} to {max} bytes away"))
                    .help(
                        help.unwrap_or(
                            "use the absolute form, or one that picks the length by itself",
                        ),
                    ),
                )
            }
            Fit::No { value: v, min, max } => {
                let mut d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{v} is out of range"))
                    .at(span)
                    .label(match v > max {
                        true => format!("must be {min} to {max}, so {} too much", v.abs_diff(max)),
                        false => {
                            format!("must be {min} to {max}, so {} too little", v.abs_diff(min))
                        }
                    });
                d.help = self.target.reach(operand.name).map(Into::into);
                Some(d)
            }
        }
    }

    /// Whether a value is an address of which the low bits can be taken.
    pub fn fit_low(&self, class: u8, value: i64) -> Fit {
        match self.operands[class as usize].value {
            Some(s) if !(s.min..=s.max).contains(&value) => Fit::No {
                value,
                min: s.min,
                max: s.max,
            },
            _ => Fit::Yes(value as u64),
        }
    }

    /// A value as so many bytes of data, with the warning for what is cut. `high`: it is
    /// a number of sixteen bits as written, not one below zero.
    ///
    /// # Errors
    /// The finding, where the dialect takes no value that does not fit.
    pub fn data_bits(
        &self,
        n: i64,
        size: u8,
        span: Span,
        high: bool,
    ) -> Result<(u64, Option<Diagnostic>), Fault> {
        if size >= 8 {
            return Ok((n as u64, None));
        }
        let bits = u32::from(size) * 8;
        let (min, max) = (-(1i64 << (bits - 1)), (1i64 << bits) - 1);
        // Sixteen bits say nothing about a sign.
        let bare = self.dialect.values.width == Width::Unsigned16;
        let signed = if bare { i64::from(n as i16) } else { n };
        let high = high && size == 1;
        if (min..=max).contains(&n) || !high && (min..=max).contains(&signed) {
            return Ok((n as u64, None));
        }
        let wide = self.dialect.values.wide_overflow.filter(|_| size > 1);
        let usual = wide.unwrap_or(self.dialect.values.data_overflow);
        let cut = usual == Overflow::WarnBelowZero && (-(1i64 << bits)..0).contains(&n);
        match if cut { Overflow::Warn } else { usual } {
            Overflow::Warn => {
                let message = format!("{n} is cut to {bits} bits");
                let d = Diagnostic::new(codes::TRUNCATED, message).at(span);
                Ok((n as u64, Some(d)))
            }
            Overflow::Error | Overflow::WarnBelowZero => {
                let message = format!("{n} does not fit into {bits} bits");
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
                Err(Box::new(d.label(format!("must be {min} to {max}"))))
            }
        }
    }
}

/// The warning for a value of which only `kept` is left.
pub fn truncated(what: &str, kept: i64, span: Span) -> Diagnostic {
    let message = format!("{what} is cut to {kept}");
    let d = Diagnostic::new(codes::TRUNCATED, message).at(span);
    d.label("does not fit")
}

/// The warning for an item of data that GNU as cuts to so many bytes.
pub fn gnu_cut(n: i64, size: u8, span: Span) -> Option<Diagnostic> {
    let bits = u32::from(size) * 8;
    let fits = bits >= 64 || (-(1i64 << bits) + 1..1i64 << bits).contains(&n);
    (!fits)
        .then(|| Diagnostic::new(codes::TRUNCATED, format!("{n} is cut to {bits} bits")).at(span))
}
