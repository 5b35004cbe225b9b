//! From bytes to forms and text, derived from the tables.

use std::fmt::Write;

use crate::{Base, Form, Operand, Outline, Value};

/// An operand of an instruction that was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Row in [`Target::operands`](crate::Target::operands).
    pub class: u16,
    /// The word in it: a register, a condition.
    pub word: Option<&'static str>,
    /// The second word (`[y,x]`).
    pub second: Option<&'static str>,
    /// The number in it; of a branch the address that it leads to.
    pub value: Option<i64>,
}

/// An instruction found in memory. Where control goes from it says
/// [`Semantics::successors`](crate::Semantics::successors).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Row in [`Target::forms`](crate::Target::forms).
    pub form: usize,
    /// Length in bytes.
    pub len: u8,
    /// Canonical text, e.g. `ld a,(ix+$05)`; assembles to the same bytes. Bytes
    /// that no text of their own assembles to are data: `db $ed,$4c`.
    pub text: String,
    /// Its operands; none of one that is data.
    pub operands: Vec<Found>,
    /// The address a jump, call or memory operand names, where there is one:
    /// what a disassembler gives a label.
    pub refers_to: Option<u64>,
}

/// Finds the form of an instruction word. Built once per target.
#[derive(Debug)]
pub struct Decoder {
    forms: &'static [Form],
    operands: &'static [Operand],
    /// Operand rows of each form.
    classes: Vec<Vec<u16>>,
    /// Forms that an earlier form has the text of, or that cannot be written.
    data: Vec<bool>,
    /// Candidate rows by first byte, most specific first.
    first: Vec<Vec<u16>>,
    /// Addresses that a branch can name are below this.
    space: u64,
    /// Features where none are told.
    features: u32,
}

impl Decoder {
    /// Builds the index over the tables of a target.
    ///
    /// # Panics
    /// When a form names an operand class that is not in `operands`.
    pub fn new(forms: &'static [Form], operands: &'static [Operand]) -> Self {
        let mut first = vec![Vec::new(); 256];
        for (byte, rows) in first.iter_mut().enumerate() {
            for (i, f) in forms.iter().enumerate() {
                if !f.alias && (byte as u64) & f.pattern.mask & 0xff == f.pattern.fixed & 0xff {
                    rows.push(i as u16);
                }
            }
            // More fixed bits win; the table's order decides among equals.
            rows.sort_by_key(|&i| std::cmp::Reverse(forms[i as usize].pattern.mask.count_ones()));
        }
        let class = |name: &str| {
            operands
                .iter()
                .position(|o| o.name == name)
                .unwrap_or_else(|| panic!("operand class {name:?} is not in the table"))
                as u16
        };
        Self {
            forms,
            operands,
            classes: forms
                .iter()
                .map(|f| f.operand_names().map(class).collect())
                .collect(),
            data: forms.iter().map(|f| f.name.starts_with('*')).collect(),
            first,
            space: 0x10000,
            features: u32::MAX,
        }
    }

    /// With another number of addresses than 65,536.
    #[must_use]
    pub fn space(self, space: u64) -> Self {
        Self { space, ..self }
    }

    /// Without the forms that need other features than these, unless a call says
    /// otherwise.
    #[must_use]
    pub fn features(self, features: u32) -> Self {
        Self { features, ..self }
    }

    /// The row that the bytes are an instance of: of the rows whose fixed bits
    /// and words agree the one with most fixed bits. `None` when there is no
    /// such row or `bytes` ends within the instruction.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.find_on(bytes, self.features)
    }

    /// As [`find`](Self::find), of the rows that need no other features than these.
    pub fn find_on(&self, bytes: &[u8], features: u32) -> Option<usize> {
        let word = word(bytes);
        let rows = &self.first[*bytes.first()? as usize];
        let row = rows.iter().map(|&i| i as usize).find(|&i| {
            self.forms[i].needs & !features == 0
                && self.forms[i].pattern.matches(word)
                && self.words_known(i, word)
        })?;
        (self.forms[row].pattern.len as usize <= bytes.len()).then_some(row)
    }

    /// Whether every word field of a row has a word for its value.
    fn words_known(&self, row: usize, word: u64) -> bool {
        let pattern = &self.forms[row].pattern;
        self.classes[row].iter().all(|&c| {
            let o = &self.operands[c as usize];
            o.words.iter().chain(&o.second).all(|w| {
                let value = pattern.field(w.field).map_or(0, |f| f.extract(word));
                w.words.iter().any(|&(_, v)| u64::from(v) == value)
            })
        })
    }

    /// Decodes the instruction at the start of `bytes`, which stands at
    /// `address`.
    pub fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        self.decode_on(bytes, address, self.features)
    }

    /// As [`decode`](Self::decode), where the CPU has these features.
    pub fn decode_on(&self, bytes: &[u8], address: u64, features: u32) -> Option<Decoded> {
        let form = self.find_on(bytes, features)?;
        Some(self.decode_as(form, bytes, address))
    }

    /// As [`decode`](Self::decode), where it is known which form the bytes are of.
    pub fn decode_as(&self, form: usize, bytes: &[u8], address: u64) -> Decoded {
        let f = &self.forms[form];
        let word = word(bytes);
        let mut refers_to = None;
        let mut text = String::new();
        let mut operands = Vec::new();
        if self.data[form] {
            text.push_str("db ");
            for (i, b) in bytes[..f.pattern.len as usize].iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                let _ = write!(text, "{comma}${b:02x}");
            }
        } else {
            text.push_str(f.name);
            for (i, &class) in self.classes[form].iter().enumerate() {
                text.push(if i == 0 { ' ' } else { ',' });
                let o = &self.operands[class as usize];
                let found = self.operand(&mut text, f, o, word, address, &mut refers_to);
                operands.push(Found { class, ..found });
            }
        }
        Decoded {
            form,
            len: f.pattern.len,
            text,
            operands,
            refers_to,
        }
    }

    /// Appends the text of one operand.
    fn operand(
        &self,
        text: &mut String,
        form: &Form,
        operand: &Operand,
        word: u64,
        address: u64,
        refers_to: &mut Option<u64>,
    ) -> Found {
        let name = |w: &crate::operand::Words| {
            let field = form.pattern.field(w.field);
            let value = field.map_or(0, |f| f.extract(word));
            let found = w.words.iter().find(|&&(_, v)| u64::from(v) == value);
            found.map_or("?", |&(n, _)| n)
        };
        let mut found = Found {
            word: operand.words.as_ref().map(name),
            second: operand.second.as_ref().map(name),
            ..Found::default()
        };
        let (first, second) = (found.word.unwrap_or(""), found.second.unwrap_or(""));
        let mut number = Number::default();
        if let Some(v) = operand.value {
            let field = form.pattern.field(v.field);
            let field = field.map(|f| (f.extract(word), f.width));
            number = self.number(v, field.unwrap_or((v.min as u64, 0)), address);
            found.value = Some(number.value);
            *refers_to = number.refers_to.or(*refers_to);
        }
        let Number { text: value, .. } = &number;
        let signed = &number.signed;
        let _ = match operand.outline {
            Outline::Word => write!(text, "{first}"),
            Outline::Value => write!(text, "{value}"),
            Outline::RoundWord => write!(text, "({first})"),
            Outline::RoundValue => write!(text, "({value})"),
            Outline::RoundWordValue => write!(text, "({first}{signed})"),
            Outline::WordIncrement => write!(text, "{first}+"),
            Outline::WordDoubleIncrement => write!(text, "{first}++"),
            Outline::WordDecrement => write!(text, "-{first}"),
            Outline::WordValue => write!(text, "{first}{signed}"),
            Outline::SquareWord => write!(text, "[{first}]"),
            Outline::SquareValue => write!(text, "[{value}]"),
            Outline::SquareWordValue => write!(text, "[{first},{value}]"),
            Outline::SquareWordWord => write!(text, "[{first},{second}]"),
            Outline::SquareWordWordIncrement => write!(text, "[{first},{second}++]"),
        };
        found
    }

    /// The number in an operand, from the bits of its field and their count.
    fn number(&self, v: Value, (raw, width): (u64, u8), address: u64) -> Number {
        let n = unfolded(v, raw, width) * i64::from(v.scale);
        match v.base {
            Base::Absolute => absolute(v, n, width),
            Base::Page { bits, unit, .. } => {
                let unit = u64::from(unit);
                let page = (address / unit + 1) >> bits << bits;
                let target = page & 0xffff | n as u64;
                Number {
                    text: format!("${target:04x}"),
                    ..Number::place(target * unit)
                }
            }
            Base::InPage { bits, bias, far } => {
                let within = (1u64 << bits) - 1;
                let page = if far { n as u64 } else { address } & !within;
                let low = (n - i64::from(bias)) as u64 & within;
                Number::place((page | low) & (self.space - 1))
            }
            Base::Less(less) => {
                // Turned over, the field may begin again behind its end.
                let count = 1i64 << width.clamp(1, 62);
                let scale = i64::from(v.scale);
                let raw = raw as i64;
                let mut n = if v.complement { count - 1 - raw } else { raw } * scale;
                if n > v.max {
                    n -= count * scale;
                }
                let n = n + i64::from(less);
                Number {
                    value: n,
                    text: n.to_string(),
                    ..Number::default()
                }
            }
            Base::Relative { bias } => {
                let target = address as i64 + i64::from(bias) + n;
                if (0..self.space as i64).contains(&target) {
                    return Number::place(target as u64);
                }
                // Around the end of memory: relative to this statement.
                let n = n + i64::from(bias);
                let sign = if n < 0 { '-' } else { '+' };
                Number {
                    value: target,
                    text: format!("${sign}{}", n.unsigned_abs()),
                    ..Number::default()
                }
            }
        }
    }
}

/// A number in an operand, as it is written.
#[derive(Default)]
struct Number {
    value: i64,
    /// Alone, and behind a word with its sign.
    text: String,
    signed: String,
    refers_to: Option<u64>,
}

impl Number {
    /// An address.
    fn place(address: u64) -> Self {
        Self {
            value: address as i64,
            text: format!("${address:04x}"),
            signed: String::new(),
            refers_to: Some(address),
        }
    }
}

/// What a field of so many bits stands for, before it is scaled.
fn unfolded(v: Value, raw: u64, width: u8) -> i64 {
    let top = 1i64 << width.clamp(1, 62);
    let n = raw as i64;
    // A field that cannot hold the range without a sign has one.
    if width > 0 && v.min < 0 && v.max < top - 1 && n >= top / 2 {
        return n - top;
    }
    // A range that does not begin at 0 goes on where the field begins again.
    if width > 0 && n < v.min { n + top } else { n }
}

/// A number that is written as it stands in the field.
fn absolute(v: Value, n: i64, width: u8) -> Number {
    let digits = (width as usize).div_ceil(4).max(1);
    let sign = if n < 0 { '-' } else { '+' };
    Number {
        value: n,
        text: match width < 4 && v.max < 10 {
            true => n.to_string(),
            false => format!("${n:0digits$x}"),
        },
        signed: format!("{sign}${:02x}", n.unsigned_abs()),
        refers_to: (width >= 16).then_some(n as u64),
    }
}

/// Up to eight bytes as an instruction word, the first lowest.
fn word(bytes: &[u8]) -> u64 {
    let mut word = 0;
    for (i, &b) in bytes.iter().take(8).enumerate() {
        word |= u64::from(b) << (8 * i);
    }
    word
}
