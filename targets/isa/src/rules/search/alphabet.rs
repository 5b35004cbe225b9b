//! The instructions of a target that a replacement may be made of, and the text of an
//! instruction in the words of rules.

use std::collections::HashSet;

use crate::depend::Inputs;
use crate::effects::Effects;
use crate::operand::{Value, Words};
use crate::rules::{Constant, Instruction, encode};
use crate::semantics::Code;
use crate::{Base, Form, Operand, Outline, Semantics, Target};

/// An instruction with room for constants.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its text in pieces: a constant stands between two.
    pieces: Vec<String>,
    /// Fields of its constants.
    pub slots: Vec<Slot>,
    /// It, with variables `s0`, `s1` for constants.
    pub instruction: Instruction,
    /// What it does.
    pub effects: Effects,
    /// What it reads for what it changes.
    pub reads: Inputs,
}

/// Room for a constant.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Bits.
    pub width: u8,
    /// The least and the greatest number, and what it is a multiple of.
    pub range: (i64, i64, i64),
}

impl Template {
    /// Its text with constants.
    pub fn text(&self, constants: &[&str]) -> String {
        let mut out = self.pieces[0].clone();
        for (c, piece) in constants.iter().zip(&self.pieces[1..]) {
            out.push_str(c);
            out.push_str(piece);
        }
        out
    }
}

/// All templates of a target.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// Shortest first.
    pub list: Vec<Template>,
}

/// Where a constant stands in a text that is being made.
const SLOT: char = '\u{1}';

impl Alphabet {
    /// Makes them from the tables.
    pub fn of(target: &dyn Target, semantics: &dyn Semantics) -> Self {
        let features = target.default_features();
        let mut list = Vec::new();
        let mut seen = HashSet::new();
        let plain = |f: &&Form| {
            let usual = f.spelling.is_empty() && !f.alias && f.documented;
            usual && f.needs & !features == 0 && !f.name.starts_with('*')
        };
        for form in target.forms().iter().filter(plain) {
            for (text, slots) in written(target, form) {
                let Some(t) = template(target, semantics, &text, slots) else {
                    continue;
                };
                let key = (t.instruction.bytes.clone(), t.instruction.constants.clone());
                if seen.insert(format!("{key:?}")) {
                    list.push(t);
                }
            }
        }
        list.sort_by_key(|t| t.instruction.bytes.len());
        Self { list }
    }
}

/// The texts of a form with each choice of words, and the constants in them.
fn written(target: &dyn Target, form: &Form) -> Vec<(String, Vec<Slot>)> {
    let class = |name: &str| target.operands().iter().find(|o| o.name == name);
    let mut all = vec![(String::new(), Vec::new())];
    for name in form.operand_names() {
        let Some(class) = class(name) else {
            return Vec::new();
        };
        let mut more = Vec::new();
        for word in words(class) {
            let Some(own) = operand(form, class, word) else {
                return Vec::new();
            };
            for (text, slots) in &all {
                let comma = if text.is_empty() { " " } else { "," };
                let slots = [&slots[..], &own.1[..]].concat();
                more.push((format!("{text}{comma}{}", own.0), slots));
            }
        }
        all = more;
    }
    let whole = |(text, slots): (String, Vec<Slot>)| (format!("{}{text}", form.name), slots);
    all.into_iter().map(whole).collect()
}

/// The words of a class; one that is empty where it has none.
fn words(class: &Operand) -> Vec<&'static str> {
    match &class.words {
        Some(w) => w.words.iter().map(|w| w.0).collect(),
        None => vec![""],
    }
}

/// An operand with a word and a mark for its value.
fn operand(form: &Form, class: &Operand, word: &str) -> Option<(String, Vec<Slot>)> {
    let (value, slots) = match class.value {
        None => (String::new(), Vec::new()),
        Some(v) if v.base != Base::Absolute || v.complement => return None,
        Some(v) if v.field == 0 => (v.min.to_string(), Vec::new()),
        Some(v) => {
            let width = form.pattern.field(v.field)?.width;
            let range = (v.min, v.max, i64::from(v.scale));
            (SLOT.to_string(), vec![Slot { width, range }])
        }
    };
    Some((outlined(class.outline, word, &value)?, slots))
}

/// An operand in its outline.
fn outlined(outline: Outline, word: &str, value: &str) -> Option<String> {
    Some(match outline {
        Outline::Word => word.to_owned(),
        Outline::Value => value.to_owned(),
        Outline::RoundWord => format!("({word})"),
        Outline::RoundValue => format!("({value})"),
        Outline::RoundWordValue => format!("({word}+{value})"),
        Outline::WordIncrement => format!("{word}+"),
        Outline::WordDecrement => format!("-{word}"),
        Outline::WordValue => format!("{word}+{value}"),
        Outline::SquareValue => format!("[{value}]"),
        _ => return None,
    })
}

fn template(
    target: &dyn Target,
    semantics: &dyn Semantics,
    text: &str,
    slots: Vec<Slot>,
) -> Option<Template> {
    let pieces: Vec<String> = text.split(SLOT).map(str::to_owned).collect();
    let mut named = pieces[0].clone();
    for (n, piece) in pieces[1..].iter().enumerate() {
        named.push_str(&format!("$s{n}{piece}"));
    }
    let instruction = encode(target, &named).ok()?;
    let code = Code {
        bytes: &instruction.bytes,
        address: 0,
    };
    let effects = semantics.effects(code, 0..=0xffff)?;
    if effects.branches || effects.controls {
        return None;
    }
    let reads = effects.reads();
    Some(Template {
        pieces,
        slots,
        instruction,
        effects,
        reads,
    })
}

/// The text of an instruction in the words of rules, with `given` for the value of each
/// operand class that it names. Nothing where rules have no words for it.
pub fn spell(
    target: &dyn Target,
    form: &Form,
    bytes: &[u8],
    given: &dyn Fn(u8) -> Option<String>,
) -> Option<String> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let word = u64::from_le_bytes(word);
    let mut out = form.name.to_owned();
    for (n, name) in form.operand_names().enumerate() {
        let at = target.operands().iter().position(|o| o.name == name)?;
        let class = &target.operands()[at];
        let own = match &class.words {
            None => "",
            Some(w) => chosen(form, w, word)?,
        };
        let value = match class.value {
            None => String::new(),
            Some(v) => match given(at as u8) {
                Some(text) => text,
                None => number(form, v, word)?.to_string(),
            },
        };
        out.push(if n == 0 { ' ' } else { ',' });
        out.push_str(&outlined(class.outline, own, &value)?);
    }
    // It must be just these bytes.
    let made = encode(target, &out).ok()?;
    let fits = made.constants.is_some() || made.bytes == bytes;
    (fits && made.bytes.len() == bytes.len()).then_some(out)
}

fn chosen(form: &Form, words: &Words, word: u64) -> Option<&'static str> {
    let raw = match words.field {
        0 => words.words.first()?.1,
        letter => form.pattern.field(letter)?.extract(word) as u8,
    };
    let found = words.words.iter().find(|w| w.1 == raw);
    found.map(|w| w.0)
}

fn number(form: &Form, v: Value, word: u64) -> Option<i64> {
    if v.base != Base::Absolute || v.complement {
        return None;
    }
    if v.field == 0 {
        return Some(v.min);
    }
    let field = form.pattern.field(v.field)?;
    let raw = field.extract(word) as i64 * i64::from(v.scale);
    match raw > v.max {
        true => Some(raw - (1i64 << field.width) * i64::from(v.scale)),
        false => Some(raw),
    }
}

/// The bytes of a constant's name in an instruction with variables.
pub fn variables(i: &Instruction) -> impl Iterator<Item = &str> {
    let all = i.constants.iter().flatten();
    all.filter_map(|c| match c {
        Constant::Variable(name) => Some(name.as_str()),
        Constant::Number(_) | Constant::Computed(_) => None,
    })
}
