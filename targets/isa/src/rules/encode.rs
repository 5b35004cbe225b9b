//! Instructions of rules: from text to bytes by the tables of a target, with variables
//! where constants may stand.

use super::constant::{Computed, Constant, number};
use crate::operand::Words;
use crate::{Base, Form, Operand, Outline, Target};

/// An instruction of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its text.
    pub text: String,
    /// Its bytes; 0 where a variable stands.
    pub bytes: Vec<u8>,
    /// Its constants, where one is a variable.
    pub constants: Option<[Constant; 2]>,
}

/// What stands in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Filled {
    Number(u64),
    /// Its bytes, the lowest first: names, or a number beside one.
    Variable(Vec<Constant>),
}

/// An instruction by its text.
///
/// # Errors
/// There is none such, or a variable stands where none may.
pub fn encode(target: &dyn Target, text: &str) -> Result<Instruction, String> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let operands: Vec<&str> = split(rest);
    let features = target.default_features();
    let forms = target
        .forms()
        .iter()
        .filter(|f| f.name == name && f.spelling.is_empty() && f.needs & !features == 0);
    for form in forms {
        let names: Vec<&str> = form.operand_names().collect();
        if names.len() != operands.len() {
            continue;
        }
        let class = |name: &&str| target.operands().iter().find(|o| o.name == *name);
        let Some(classes) = names.iter().map(class).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let fields = operands.iter().zip(&classes).map(|(t, o)| fill(form, o, t));
        let Some(fields) = fields.collect::<Option<Vec<_>>>() else {
            continue;
        };
        if let Some(i) = assemble(form, &classes, fields.concat(), text) {
            return Ok(i);
        }
    }
    Err(format!("no instruction for rules: `{text}`"))
}

/// Operands at the commas.
fn split(text: &str) -> Vec<&str> {
    text.split(',')
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .collect()
}

/// The fields that an operand fills.
fn fill(form: &Form, class: &Operand, text: &str) -> Option<Vec<(u8, Filled)>> {
    let round = || text.strip_prefix('(')?.strip_suffix(')');
    let plus = |t: &'_ str| t.split_once('+').map(|(a, b)| (a.to_owned(), b.to_owned()));
    let word = |w: &Option<Words>, t: &str| word(w, t);
    let value = |t: &str| value(form, class, t);
    let both = |w: Vec<(u8, Filled)>, v: Vec<(u8, Filled)>| Some([w, v].concat());
    match class.outline {
        Outline::Word => word(&class.words, text),
        Outline::Value => value(text),
        Outline::RoundWord => word(&class.words, round()?),
        Outline::RoundValue => value(round()?),
        Outline::RoundWordValue => {
            let (w, v) = plus(round()?)?;
            both(word(&class.words, &w)?, value(&v)?)
        }
        Outline::WordIncrement => word(&class.words, text.strip_suffix('+')?),
        Outline::WordDecrement => word(&class.words, text.strip_prefix('-')?),
        Outline::WordValue => {
            let (w, v) = plus(text)?;
            both(word(&class.words, &w)?, value(&v)?)
        }
        Outline::SquareValue => value(text.strip_prefix('[')?.strip_suffix(']')?),
        _ => None,
    }
}

fn word(words: &Option<Words>, text: &str) -> Option<Vec<(u8, Filled)>> {
    let words = words.as_ref()?;
    let &(_, v) = words.words.iter().find(|w| w.0 == text)?;
    Some(vec![(words.field, Filled::Number(v.into()))])
}

fn value(form: &Form, class: &Operand, text: &str) -> Option<Vec<(u8, Filled)>> {
    let v = class.value?;
    if v.base != Base::Absolute || v.complement {
        return None;
    }
    let width = form.pattern.field(v.field).map_or(0, |f| f.width);
    let beside = |t: &str| t.split_once(':').is_some_and(|p| p.1.starts_with('$'));
    let bytes = if width > 8 { 2 } else { 1 };
    if let Some(computed) = text
        .contains('$')
        .then(|| Computed::read(text, bytes))
        .flatten()
    {
        return (1..=16)
            .contains(&width)
            .then(|| vec![(v.field, Filled::Variable(computed))]);
    }
    if text.starts_with('$') || beside(text) {
        let byte = |t: &str| number(t).and_then(|n| u8::try_from(n).ok());
        let name = |t: &str| match t.trim().strip_prefix('$') {
            Some(name) => Some(Constant::Variable(name.to_owned())),
            None => byte(t.trim()).map(Constant::Number),
        };
        let names = match (width, text.split_once(':')) {
            (16, Some((high, low))) => vec![name(low)?, name(high)?],
            (16, None) => ["l", "h"]
                .map(|part| Constant::Variable(format!("{}.{part}", &text[1..])))
                .to_vec(),
            (1..=8, None) => vec![name(text)?],
            _ => return None,
        };
        return Some(vec![(v.field, Filled::Variable(names))]);
    }
    let n = number(text).filter(|n| (v.min..=v.max).contains(n))?;
    let n = n / i64::from(v.scale);
    Some(vec![(v.field, Filled::Number(n as u64))])
}

/// Puts the fields together, which must agree where there are more of one name.
fn assemble(
    form: &Form,
    classes: &[&Operand],
    fields: Vec<(u8, Filled)>,
    text: &str,
) -> Option<Instruction> {
    let pattern = &form.pattern;
    let mut word = pattern.fixed;
    for (letter, filled) in &fields {
        let twice = fields.iter().any(|f| f.0 == *letter && f.1 != *filled);
        if *letter != 0 && twice {
            return None;
        }
        if let (Some(field), Filled::Number(n)) = (pattern.field(*letter), filled) {
            word |= field.deposit(*n);
        }
    }
    let symbolic = fields.iter().any(|f| matches!(f.1, Filled::Variable(_)));
    // The constants in the order of their places in the word.
    let letters = classes.iter().filter_map(|c| pattern.field(c.value?.field));
    let mut letters: Vec<_> = letters.collect();
    letters.sort_by_key(|f| {
        f.piece
            .iter()
            .take(f.pieces.into())
            .map(|p| p.word_shift)
            .min()
    });
    let mut constants = Vec::new();
    for field in letters {
        match fields.iter().find(|f| f.0 == field.letter).map(|f| &f.1) {
            Some(Filled::Variable(names)) => {
                constants.extend(names.iter().cloned());
            }
            Some(Filled::Number(n)) => {
                constants.push(Constant::Number(*n as u8));
                if field.width > 8 {
                    constants.push(Constant::Number((n >> 8) as u8));
                }
            }
            None => return None,
        }
    }
    constants.resize(2, Constant::Number(0));
    Some(Instruction {
        text: text.to_owned(),
        bytes: word.to_le_bytes()[..usize::from(pattern.len)].to_vec(),
        constants: symbolic.then(|| [constants[0].clone(), constants[1].clone()]),
    })
}
