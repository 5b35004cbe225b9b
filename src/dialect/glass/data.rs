//! Lists of values, texts, constants, files, messages.

use super::names::is_name;
use super::state::State;
use super::words::{Word, is_register};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::item::{DataValue, Given};
use crate::program::symbol::{Anchor, Meaning, SymbolId};
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a list has made so far.
#[derive(Default)]
struct Items {
    bytes: Vec<u8>,
    open: Vec<DataValue>,
}

impl Assembler<'_> {
    /// The characters of a text, each as it counts: in sixteen bits.
    pub(super) fn glass_units(&self, t: &Tok) -> Outcome<Vec<u16>> {
        let text = self.text(t);
        let quote = text.chars().next();
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let mut out = Vec::with_capacity(inner.len());
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            if Some(c) == quote {
                chars.next();
            }
            if c != '\\' {
                let mut two = [0; 2];
                out.extend_from_slice(c.encode_utf16(&mut two));
                continue;
            }
            out.push(match chars.next() {
                Some('0') => 0,
                Some('a') => 7,
                Some('t') => 9,
                Some('n') => 10,
                Some('f') => 12,
                Some('r') => 13,
                Some('e') => 27,
                Some(c @ ('"' | '\'' | '\\')) => c as u16,
                other => {
                    let c = other.map_or(String::new(), String::from);
                    let message = format!("`\\{c}` means nothing");
                    let d = Diagnostic::new(codes::SYNTAX, message).at(t.span);
                    return Err(Box::new(d.help("a backslash is `\\\\`")));
                }
            });
        }
        Ok(out)
    }

    /// `db`, `dw`, `dd`.
    pub(super) fn glass_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut items = Items::default();
        let done = self.glass_items(rest, size, &mut items);
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
        done
    }

    fn glass_items(&mut self, rest: &[Tok], size: u8, items: &mut Items) -> Outcome<()> {
        let width = usize::from(size);
        let mut done = Ok(());
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            let (from, open) = (items.bytes.len(), items.open.len());
            if let Err(d) = self.glass_item(rest, part, size, items) {
                // The bytes still count, so that later addresses make sense; values that
                // wait for theirs are those of none.
                items.bytes.resize(from + width, 0);
                items.open.truncate(open);
                match &done {
                    Ok(()) => done = Err(d),
                    Err(_) => self.report(d),
                }
            }
        }
        done
    }

    fn glass_item(
        &mut self,
        rest: &[Tok],
        part: &[Tok],
        size: u8,
        items: &mut Items,
    ) -> Outcome<()> {
        let width = usize::from(size);
        match part {
            [] => {
                let at = rest.last().map_or(self.statement, |t| t.span);
                let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(at);
                return Err(Box::new(d.help("write one, or leave a comma out")));
            }
            [text] if text.kind == Kind::Double => {
                let units = self.glass_units(text)?;
                if units.is_empty() {
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, "an empty text is no value");
                    return Err(Box::new(d.at(text.span)));
                }
                for u in units {
                    let four = u32::from(u).to_le_bytes();
                    items.bytes.extend_from_slice(&four[..width]);
                }
                return Ok(());
            }
            [_, inner @ .., _] if in_brackets(part) && split(inner).len() > 1 => {
                return self.glass_items(inner, size, items);
            }
            _ => {}
        }
        let v = self.whole_expression(part)?;
        let at = items.bytes.len() as u32;
        let span = self.span_of(part);
        let bits = match v.number() {
            Some(n) => self.item_bits(n, size, span)?,
            None => 0,
        };
        items.bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
        if v.expression().is_some() {
            items.open.push((at, v, span));
        }
        Ok(())
    }

    /// `name: equ value`.
    pub(super) fn glass_equ(&mut self, t: &Tok, rest: &[Tok], labels: &[Tok]) -> Outcome<()> {
        if labels.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
            return Err(Box::new(d.label("it is written `NAME: equ VALUE`")));
        }
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(t.span);
            return Err(Box::new(d));
        }
        let with = self.glass_operands(rest)?;
        let toks = with.as_deref().unwrap_or(rest);
        if split(toks).len() > 1 {
            let d = Diagnostic::new(codes::SYNTAX, "expected one value").at(self.span_of(rest));
            return Err(Box::new(d));
        }
        let register = |t: &Tok| t.kind == Kind::AfPrime || is_register(self.text(t));
        let wrapped = in_brackets(toks);
        let quoted = matches!(toks, [one] if one.kind == Kind::Double);
        let instruction = matches!(toks, [one] if is_name(one)
            && (self.words.get(self.text(one)).mnemonic != 0 || self.glass_macro(one).is_some()));
        let registers = toks.iter().any(register);
        let text = registers || wrapped || quoted || instruction;
        for l in labels {
            if text {
                self.glass_define_text(l, rest)?;
            }
            if let [one] = rest
                && is_name(one)
            {
                self.glass_define_alias(l, one);
            }
            let number = !registers && !instruction;
            let one = !quoted || self.glass_units(&toks[0]).is_ok_and(|u| u.len() == 1);
            if number && one {
                self.glass_define_value(l, toks)?;
            }
        }
        Ok(())
    }

    fn glass_define_value(&mut self, name: &Tok, toks: &[Tok]) -> Outcome<()> {
        self.glass_hides(name);
        self.glass_is_free(name)?;
        let v = self.whole_expression(toks)?;
        let (id, _) = self.label_symbol(name)?;
        let (meaning, formula) = match v {
            Value::Number(n) => (Meaning::Number(n), None),
            Value::Known(n, e) => (Meaning::Number(n), Some(e)),
            Value::Expr(e) => (Meaning::Expr(e), None),
        };
        self.define(id, meaning, name.span, false)?;
        self.symbols.get_mut(id).formula = formula;
        if matches!(meaning, Meaning::Expr(_)) {
            self.own.get_mut::<State>().constants.push(id);
        }
        if self.naming.prefix.contains('#') {
            self.symbols.get_mut(id).local = true;
        }
        Ok(())
    }

    /// A constant that no value follows from is none; who uses it is told.
    pub(super) fn glass_forget_constants(&mut self) {
        let all = std::mem::take(&mut self.own.get_mut::<State>().constants);
        // The constants that are said with a name.
        let mut users: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
        for &id in &all {
            let Meaning::Expr(e) = self.symbols.get(id).meaning else {
                continue;
            };
            for op in &self.ops[e.start as usize..(e.start + e.len) as usize] {
                if let Op::Symbol(s) = *op {
                    let of = users.entry(self.symbols.resolve(s)).or_default();
                    if of.last() != Some(&id) {
                        of.push(id);
                    }
                }
            }
        }
        let is_missing = |s: &SymbolId| self.symbols.get(*s).meaning == Meaning::Undefined;
        let mut missing: Vec<SymbolId> = users.keys().copied().filter(is_missing).collect();
        while let Some(name) = missing.pop() {
            let of = users.remove(&name).unwrap_or_default();
            // Another of that name around it may be meant now.
            let meant = self.symbols.resolve(name);
            if self.symbols.get(meant).meaning != Meaning::Undefined {
                users.entry(meant).or_default().extend(of);
                continue;
            }
            for id in of {
                let symbol = self.program.symbols.get_mut(id);
                if matches!(symbol.meaning, Meaning::Expr(_)) {
                    symbol.meaning = Meaning::Undefined;
                    missing.push(id);
                }
            }
        }
    }

    fn glass_define_text(&mut self, name: &Tok, toks: &[Tok]) -> Outcome<()> {
        // A line of registers may not be what it was.
        self.memo.renew();
        let full = self.glass_full(name);
        let word: Arc<str> = self.text(name).into();
        let here = self.here;
        let used = match self.symbols.find(&full) {
            Some(id) => self.symbols.get(id).first_use.is_some(),
            None => false,
        };
        let scope = self.own.get::<State>().names.scope;
        let text = self.glass_text(toks, scope, here)?;
        let names = &mut self.own.get_mut::<State>().names;
        let before = names.text_in(names.scope, word.clone(), text.clone());
        names.text_words.insert(word);
        let known = names.known_texts.insert(full, text).is_some();
        self.own.get_mut::<State>().again |= used && !known;
        if before.is_some() {
            let message = format!("`{}` is defined twice", self.text(name));
            let d = Diagnostic::new(codes::REDEFINED, message).at(name.span);
            return Err(Box::new(d));
        }
        Ok(())
    }

    /// What is in one name is in another, too.
    pub(super) fn glass_define_alias(&mut self, name: &Tok, of: &Tok) {
        let full = self.glass_full(name);
        let to: Arc<str> = self.text(of).into();
        let around = self.glass_scope_of(of);
        let names = &mut self.own.get_mut::<State>().names;
        names.aliases.insert(full, (to, around));
    }

    /// `include "file"`, `include once "file"`.
    pub(super) fn glass_include(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (once, rest) = match rest {
            [word, rest @ ..] if matches!(self.text(word), "once" | "ONCE") => (true, rest),
            _ => (false, rest),
        };
        let [name] = rest else {
            let d = Diagnostic::new(codes::SYNTAX, "expected a file name in quotes").at(t.span);
            return Err(Box::new(d));
        };
        if name.kind == Kind::Double {
            let from = self.includer();
            let quoted = self.text(name);
            let path = quoted.trim_matches('"').to_owned();
            if let Ok(id) = self.load_source(&path, from.as_deref(), Some(name.span)) {
                let first = self.own.get_mut::<State>().once.insert(id);
                if once && !first {
                    return Ok(());
                }
            }
        }
        self.include(t, rest)
    }

    /// `error "text"`, `warning "text"`.
    pub(super) fn glass_message(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().measuring > 0 {
            return Ok(());
        }
        let text = match rest {
            [] => format!("{} of the source", self.text(t).to_ascii_lowercase()),
            [text] if matches!(text.kind, Kind::Double | Kind::Single) => {
                String::from_utf16_lossy(&self.glass_units(text)?)
            }
            _ => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a text").at(t.span);
                return Err(Box::new(d));
            }
        };
        let code = match w {
            Word::Error => codes::USER_ERROR,
            _ => codes::USER_WARNING,
        };
        Err(Box::new(Diagnostic::new(code, text).at(self.statement)))
    }
}

/// Whether tokens begin with a bracket that closes at their end.
pub(super) fn in_brackets(toks: &[Tok]) -> bool {
    if toks.first().is_none_or(|t| t.kind != Kind::Open) {
        return false;
    }
    let mut depth = 0i32;
    for (i, t) in toks.iter().enumerate() {
        match t.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1 == toks.len();
        }
    }
    false
}
