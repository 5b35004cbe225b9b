//! Values: numbers, numeric labels, `.`, and the functions that take bytes and word
//! addresses out of an address.

use super::scrub;
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::SymbolId;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::{Cursor, clip};
use crate::read::syntax::literal::{self, BadNumber};
use crate::read::syntax::operand::{Argument, Arguments};
use crate::read::words::Classes;
use crate::text::language::{Binary, Unary};
use crate::text::lex::{Kind, Tok};
use scrimp_isa::Outline;
use std::sync::Arc;

/// A byte of a value, perhaps of its word address.
#[derive(Clone, Copy)]
struct Modifier {
    /// The word address is meant: half of the value.
    words: bool,
    /// Which byte from the lowest; `None` for all.
    byte: Option<u8>,
}

fn modifier(name: &str) -> Option<Modifier> {
    let m = |words, byte| Some(Modifier { words, byte });
    match name {
        "lo8" => m(false, Some(0)),
        "hi8" => m(false, Some(1)),
        "hh8" | "hlo8" => m(false, Some(2)),
        "hhi8" => m(false, Some(3)),
        "pm" | "gs" => m(true, None),
        "pm_lo8" => m(true, Some(0)),
        "pm_hi8" => m(true, Some(1)),
        "pm_hh8" => m(true, Some(2)),
        _ => None,
    }
}

impl Assembler<'_> {
    /// The value of a single token, where that is quickly had.
    #[inline]
    pub(crate) fn gnu_single(&mut self, t: &Tok) -> Option<i64> {
        if t.kind != Kind::Number {
            return None;
        }
        let text = self.sources.slice(t.span).as_bytes();
        if let [b'0', b'x', hex @ ..] = text {
            if hex.is_empty() || hex.len() > 15 {
                return None;
            }
            return hex.iter().try_fold(0, |v, &b| {
                Some(v << 4 | i64::from((b as char).to_digit(16)?))
            });
        }
        if text.len() > 18 || text[0] == b'0' && text.len() > 1 {
            return None;
        }
        text.iter().try_fold(0, |v, &b| {
            Some(v * 10 + i64::from((b as char).to_digit(10)?))
        })
    }

    /// Puts the value of a number, or of a numeric label with `f` or `b` behind it.
    pub(crate) fn gnu_number(&mut self, t: &Tok) -> Outcome<()> {
        if let Some(n) = self.gnu_single(t) {
            self.ops.push(Op::Number(n));
            return Ok(());
        }
        let text = self.sources.slice(t.span);
        if text.ends_with('$') {
            let text = text.to_owned();
            let id = self.gnu_dollar_label(&text);
            self.gnu_use(id, t);
            return Ok(());
        }
        let (digits, last) = text.split_at(text.len() - 1);
        if matches!(last, "f" | "b")
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            let name: Arc<str> = digits.into();
            let Ok(n) = digits.parse::<u64>() else {
                return Err(self.bad_number(t, BadNumber::TooLarge));
            };
            let forward = last == "f";
            let entry = self
                .own
                .get_mut::<State>()
                .labels
                .numbered
                .entry(n)
                .or_default();
            let id = match (forward, entry.0) {
                (true, _) => match entry.1 {
                    Some(id) => id,
                    None => *entry.1.insert(self.program.symbols.fresh(name)),
                },
                (false, Some(id)) => id,
                (false, None) => {
                    let d = Diagnostic::new(
                        codes::UNKNOWN_SYMBOL,
                        format!("there is no label `{name}:` above"),
                    );
                    return Err(Box::new(d.at(t.span)));
                }
            };
            self.gnu_use(id, t);
            return Ok(());
        }
        let n = literal::number(text, &self.dialect.values.numbers);
        let n = n.map_err(|e| self.bad_number(t, e))?;
        self.ops.push(Op::Number(n as i64));
        Ok(())
    }

    pub(super) fn gnu_use(&mut self, id: SymbolId, t: &Tok) {
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        self.push_symbol(id);
    }

    /// The value of a name that stands alone; `None` where it was made of others.
    pub(super) fn gnu_alone(&mut self, t: &Tok) -> Outcome<Option<Value>> {
        let id = self.gnu_intern(t)?;
        if self.symbols.get(id).variable {
            return Ok(None);
        }
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        self.symbol_value(id).map(Some)
    }

    /// Values that the AVR alone has: bytes of addresses, characters with one quote.
    pub(super) fn avr_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        match t.kind {
            Kind::Name => self.gnu_name(t, c, depth)?,
            Kind::Single => {
                let n = self.gnu_character(t);
                self.ops.push(Op::Number(n));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Puts the value of a name, `.`, or a function.
    fn gnu_name(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<()> {
        let text = self.sources.slice(t.span);
        if text == "." {
            let here = self.here;
            self.here.plus += self.own.get::<State>().dot;
            self.push_here();
            self.here = here;
            return Ok(());
        }
        if c.kind() == Some(Kind::Open)
            && let Some(m) = modifier(text)
        {
            let name = text.to_string();
            c.at += 1;
            let first = self.ops.len();
            self.ternary(c, depth + 1)?;
            if !c.eat(Kind::Close) {
                let span = c.peek().map_or(t.span, |t| t.span);
                let d = Diagnostic::new(codes::SYNTAX, format!("expected `)` of `{name}(`"));
                return Err(Box::new(d.at(span)));
            }
            if name == "gs" && self.gnu_far() {
                return self.gnu_gate(first, t);
            }
            let shift = |words: bool| i64::from(words);
            let by = i64::from(m.byte.unwrap_or(0)) * 8 + shift(m.words);
            if by > 0 {
                self.ops.push(Op::Number(by));
                self.ops.push(Op::Binary(Binary::Shr));
            }
            if m.byte.is_some() {
                self.ops.push(Op::Unary(Unary::Low));
            }
            return Ok(());
        }
        let id = self.gnu_intern(t)?;
        self.gnu_use(id, t);
        Ok(())
    }

    /// Value of a character constant: `'c` or `'c'`.
    pub(crate) fn gnu_character(&self, t: &Tok) -> i64 {
        let latin1 = self.sources.get(t.span.source).latin1;
        let text = &self.sources.slice(t.span)[1..];
        let mut chars = text.chars();
        let c = match chars.next() {
            Some('\\') => chars.next().map(scrub::escape),
            other => other,
        };
        let c = c.unwrap_or('\0');
        if latin1 || c.is_ascii() {
            return i64::from(c as u32);
        }
        // The bytes of the source.
        i64::from(c.to_string().as_bytes()[0])
    }

    /// The bytes of a text in quotes.
    pub(super) fn gnu_text(&self, t: &Tok) -> Vec<u8> {
        let latin1 = self.sources.get(t.span.source).latin1;
        let text = self.sources.slice(t.span);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let mut out = Vec::with_capacity(inner.len());
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                match latin1 {
                    true => out.push(c as u8),
                    false => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
                continue;
            }
            let Some(e) = chars.next() else { break };
            match e {
                'b' => out.push(8),
                'f' => out.push(12),
                'n' => out.push(b'\n'),
                'r' => out.push(b'\r'),
                't' => out.push(b'\t'),
                'v' => out.push(11),
                'x' | 'X' => {
                    let mut v = 0u32;
                    while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                        v = v << 4 | d;
                        chars.next();
                    }
                    out.push(v as u8);
                }
                '0'..='9' => {
                    let mut v = e.to_digit(10).unwrap_or(0);
                    for _ in 0..2 {
                        if let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
                            v = v * 8 + d;
                            chars.next();
                        }
                    }
                    out.push(v as u8);
                }
                other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        out
    }

    /// A number that must be known, or `default` where there is none.
    pub(super) fn gnu_number_or(&mut self, toks: &[Tok], default: i64, what: &str) -> Outcome<i64> {
        if toks.is_empty() {
            return Ok(default);
        }
        let v = self.whole_expression(toks)?;
        let span = self.span_of(toks);
        self.must_know(v, span, what)
    }

    /// Numbers with commas between; a missing one has none.
    pub(super) fn gnu_numbers(&mut self, rest: &[Tok], what: &str) -> Outcome<Vec<Option<i64>>> {
        let mut out = Vec::new();
        for (a, b) in crate::read::syntax::operand::split(rest) {
            let part = &rest[a as usize..b as usize];
            out.push(match part.is_empty() {
                true => None,
                false => Some(self.gnu_number_or(part, 0, what)?),
            });
        }
        Ok(out)
    }

    /// `name = value`, `name == value`.
    pub(super) fn gnu_assign(&mut self, name: &Tok, value: &[Tok], again: bool) -> Outcome<()> {
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        if self.text(name) == "." {
            return self.gnu_org(name, value);
        }
        let v = self.whole_expression(value)?;
        let id = self.gnu_intern(name)?;
        self.define_value(id, v, name.span, again)
    }

    /// `.set name, value`, `.equiv name, value`.
    pub(super) fn gnu_set(&mut self, t: &Tok, rest: &[Tok], again: bool) -> Outcome<()> {
        match rest {
            [name, comma, value @ ..]
                if name.kind == Kind::Name && comma.kind == Kind::Comma && !value.is_empty() =>
            {
                self.gnu_assign(name, value, again)
            }
            _ => {
                let text = clip(self.text(t));
                let message = format!("expected a name, a comma and a value behind `{text}`");
                Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)))
            }
        }
    }
}

/// Names of registers by number.
const REGISTERS: usize = 32;

impl Assembler<'_> {
    /// Takes numbers, and names of numbers, where only registers can stand:
    /// `mov 16, tmp`. True if there were any.
    pub(crate) fn gnu_registers(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        args: &mut Arguments,
    ) -> Outcome<bool> {
        let mut any = false;
        for k in 0..args.len() {
            if !matches!(args[k].outline, Outline::Value | Outline::RoundValue) {
                continue;
            }
            let forms = &self.words.mnemonics[usize::from(mnemonic)].forms;
            let mut fits = forms
                .iter()
                .map(|&f| &self.words.classes[usize::from(f)])
                .filter(|c| c.len() == args.len())
                .peekable();
            let operands = self.operands;
            let register = |c: &Classes| {
                let class = &operands[usize::from(c[k])];
                class.outline == Outline::Word && class.words.is_some_and(|w| w.words.len() > 1)
            };
            if fits.peek().is_none() || !fits.all(register) {
                continue;
            }
            let a = args[k];
            let part = &toks[a.all.0 as usize..a.all.1 as usize];
            if let [t] = part
                && let Some(n) = self.long_name(t)
            {
                args[k].outline = Outline::Word;
                args[k].word = n;
                continue;
            }
            let v = self.whole_expression(part)?;
            let n = self.must_know(v, a.span, "the register's number");
            let n = n.map_err(|d| self.no_register(part).unwrap_or(d))?;
            let word = match usize::try_from(n) {
                Ok(n) if n < REGISTERS => self.words.get(&format!("r{n}")).word,
                _ => 0,
            };
            if word == 0 {
                let message = format!("{n} is the number of no register");
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(a.span);
                return Err(Box::new(d.label("must be 0 to 31")));
            }
            args[k].outline = Outline::Word;
            args[k].word = word;
            any = true;
        }
        Ok(any)
    }

    /// The finding for a name that looks like a register's: `r32`.
    fn no_register(&self, part: &[Tok]) -> Option<Box<Diagnostic>> {
        let [t] = part else { return None };
        let text = self.sources.slice(t.span);
        let number = text.strip_prefix(['r', 'R'])?;
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let message = format!("there is no register `{text}`");
        let d = Diagnostic::new(codes::BAD_OPERANDS, message).at(t.span);
        Some(Box::new(
            d.label(format!("must be r0 to r{}", REGISTERS - 1)),
        ))
    }

    /// A register whose number has a zero in front: `r01`.
    fn long_name(&self, t: &Tok) -> Option<u8> {
        let text = self.sources.slice(t.span);
        let digit = text.strip_prefix(['r', 'R'])?.strip_prefix('0')?;
        if digit.len() != 1 {
            return None;
        }
        let n = self.words.get(&format!("r{digit}")).word;
        (n != 0).then_some(n)
    }

    /// An operand that is not there, which counts as 0.
    pub(crate) fn gnu_missing(&mut self, at: u32) -> Argument {
        let message = format!(
            "an operand is missing; taken as 0, as {} does",
            self.dialect.title
        );
        let d = Diagnostic::new(codes::PEER_CODE, message).at(self.statement);
        self.report(Box::new(d));
        Argument {
            outline: Outline::Value,
            word: 0,
            second: 0,
            all: (at, at),
            value: (at, at),
            minus: false,
            span: self.statement,
        }
    }
}
