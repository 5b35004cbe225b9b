//! A line: a label in column 1, then data, an instruction, a macro or nothing.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// `DB list`.
pub const BYTES: Directive = Directive::Own(0);
/// `DW list`.
pub const WORDS: Directive = Directive::Own(1);
/// Data in ROM.
pub const IN_ROM: Directive = Directive::Own(2);
/// Where a program stands that says nothing else.
pub const START: i64 = 0x200;

/// Instructions that have a target in the page.
const BRANCHES: [&str; 7] = ["bra", "beq", "bne", "blt", "bgt", "ble", "bge"];

/// Instructions without an operand, behind which nothing is read.
const ALONE: [&str; 7] = ["peek", "deek", "lslw", "ret", "push", "pop", "halt"];

/// Whether a token begins a comment: a quote that nothing closes does so too.
fn ends(text: &str, t: &Tok) -> bool {
    matches!(t.kind, Kind::Hash | Kind::Paste) || t.kind == Kind::Bad && text.starts_with('\'')
}

/// Tokens that touch, between blanks.
pub fn groups(toks: &[Tok]) -> impl Iterator<Item = &[Tok]> {
    toks.chunk_by(|a, b| a.span.end == b.span.start && a.span.source == b.span.source)
}

impl Assembler<'_> {
    /// Assembles a line.
    pub(super) fn gasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let comment = |t: &Tok| ends(self.text(t), t);
        let end = toks.iter().position(comment).unwrap_or(toks.len());
        let toks = &toks[..end];
        let Some(first) = toks.first() else {
            return Ok(());
        };
        if first.kind == Kind::Percent
            && let Some(word) = toks.get(1).filter(|w| w.kind == Kind::Name)
        {
            return self.gasm_percent(word, &toks[2..]);
        }
        if !self.lines.active() {
            return Ok(());
        }
        self.mark_here();
        let text = self.text(first);
        // What the emulator's debugger reads.
        if text.starts_with("gprintf") || text.eq_ignore_ascii_case("_breakpoint_") {
            return Ok(());
        }
        let named = matches!(first.kind, Kind::Name) && self.at_margin(first);
        let Some(behind) = toks.get(1).filter(|_| named) else {
            let alone =
                named && self.words.get(text).mnemonic == 0 && self.gasm_macro(first).is_none();
            return match alone {
                true => self.gasm_label(first),
                false => self.gasm_statement(toks),
            };
        };
        if self.directive_named(Some(behind)) == Some(Directive::Equ) {
            return self.gasm_equ(first, behind, &toks[2..]);
        }
        if let Some(m) = self.gasm_macro(first) {
            return self.gasm_call(&m, toks);
        }
        self.gasm_label(first)?;
        self.gasm_statement(&toks[1..])
    }

    /// A label; where its name has a value already, what follows goes there.
    fn gasm_label(&mut self, t: &Tok) -> Outcome<()> {
        let (id, _) = self.label_symbol(t)?;
        let symbol = self.symbols.get(id);
        let given = match symbol.meaning {
            Meaning::Number(n) if !symbol.label => Some(n),
            _ => None,
        };
        let Some(n) = given.filter(|_| self.own.get::<State>().equates.contains(&id)) else {
            return self.define_label(t);
        };
        self.gasm_go(n, t.span)?;
        let (section, here) = (self.section, self.here);
        let s = self.symbols.get_mut(id);
        s.label = true;
        s.section = section;
        s.place = Some(here);
        Ok(())
    }

    /// Goes on at an address.
    fn gasm_go(&mut self, n: i64, span: Span) -> Outcome<()> {
        if !(-0x8000..0x1_0000).contains(&n) {
            let message = format!("the address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(span);
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        self.open_chunk(Some(n as u64 & 0xffff), 1);
        Ok(())
    }

    /// `name EQU value`; a number by itself is the value, whatever stands behind.
    fn gasm_equ(&mut self, name: &Tok, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let first = groups(rest).next().unwrap_or(&[]);
        let number = |t: &Tok| matches!(t.kind, Kind::Number | Kind::Dollar | Kind::Amp);
        let value = match first {
            [n] if number(n) && rest.len() > 1 => {
                self.not_read(rest[1].span);
                first
            }
            _ => rest,
        };
        let text = self.text(name).to_ascii_lowercase();
        match text.as_str() {
            "_calltable_" => {
                let n = self.known_here(t, value, "the table of calls")?;
                self.own.get_mut::<State>().table = Some((n, self.statement));
                Ok(())
            }
            "_startaddress_" => {
                let n = self.known_here(t, value, "the start address")?;
                self.gasm_go(n, name.span)?;
                self.own.get_mut::<State>().start = n & 0xffff;
                Ok(())
            }
            // Of the emulator's debugger and loader.
            "_disableupload_" | "_singlestepwatch_" | "_cpuusageaddressa_"
            | "_cpuusageaddressb_" => Ok(()),
            _ => {
                let n = self.known_here(t, value, "the value")?;
                let (id, _) = self.label_symbol(name)?;
                self.define(id, Meaning::Number(n), name.span, false)?;
                self.own.get_mut::<State>().equates.insert(id);
                Ok(())
            }
        }
    }

    /// What stands behind the label.
    fn gasm_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let t = toks[0];
        if let Some(m) = self.gasm_macro(&t) {
            return self.gasm_call(&m, toks);
        }
        let text = self.text(&t).to_ascii_lowercase();
        if text.starts_with('.') || self.directive_named(Some(&t)) == Some(IN_ROM) {
            return Err(Box::new(
                Diagnostic::new(codes::BAD_ARGUMENT, "native code in a ROM is not done here")
                    .at(t.span)
                    .help("`--target gigatron` assembles it"),
            ));
        }
        let rest = &toks[1..];
        match text.as_str() {
            "sys" if !rest.is_empty() => {
                let n = self.known_here(&t, rest, "the clocks")?;
                let clocks = self.gasm_clocks(n, self.span_of(rest));
                let made = self.made_line(&format!(" sys {clocks}"))?;
                self.line(&made)
            }
            "call" if !rest.is_empty() => {
                let done = self.gasm_called(rest);
                // The table of calls may say another cell the next time.
                self.memo.not_again();
                done
            }
            // The byte is the place itself, not 2 less.
            "def" if !rest.is_empty() => {
                let place = self.written(rest);
                let made = self.made_line(&format!(" def ({place})+2"))?;
                self.line(&made)
            }
            word if ALONE.contains(&word) && !rest.is_empty() => {
                self.not_read(rest[0].span);
                self.line(&toks[..1])
            }
            // A number is a place in the page.
            word if BRANCHES.contains(&word)
                && matches!(rest, [n] if matches!(n.kind, Kind::Number | Kind::Dollar)) =>
            {
                let n = self.known_here(&t, rest, "the target")?;
                let page = self.here_value.unwrap_or(0) & !0xff;
                let made = self.made_line(&format!(" {word} {}", page | n & 0xff))?;
                self.line(&made)
            }
            _ => self.line(toks),
        }
    }

    /// Numbers as `0q17` and `0hFF`.
    pub(super) fn gasm_number(&self, t: &Tok) -> Option<i64> {
        let digits = self.text(t).as_bytes();
        let (b'0', Some(mark)) = (*digits.first()?, digits.get(1)) else {
            return None;
        };
        let radix = match mark.to_ascii_lowercase() {
            b'q' | b'o' => 8,
            b'h' => 16,
            _ => return None,
        };
        i64::from_str_radix(&self.text(t)[2..], radix).ok()
    }

    /// The clocks that give the byte behind SYS: what cannot be clocks is that byte.
    fn gasm_clocks(&mut self, n: i64, span: Span) -> i64 {
        if n & 1 == 0 && (28..=284).contains(&n) {
            return n;
        }
        self.cut("the byte behind `sys`", n & 0xff, span);
        match n & 0xff {
            0 => 28,
            byte => 540 - 2 * byte,
        }
    }

    /// `DB` and `DW`: texts and values between blanks.
    pub(super) fn gasm_data(&mut self, n: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let size = if n == 0 { 1 } else { 2 };
        let mut list: Vec<Tok> = Vec::with_capacity(2 * rest.len());
        for group in groups(rest) {
            if let Some(last) = list.last() {
                let at = last.span.end;
                let span = Span::new(last.span.source, at, at);
                list.push(Tok {
                    kind: Kind::Comma,
                    span,
                });
            }
            list.extend_from_slice(group);
        }
        let alone = list.len() == 1;
        self.items_here(t, &list, size, &mut |a, part, items| {
            let [text] = part else {
                return a.value_here(part, size, items);
            };
            if text.kind != Kind::Single || size > 1 {
                return a.value_here(part, size, items);
            }
            let bytes = a.quoted_codes(text)?;
            // Of a text that stands alone the first character counts.
            let most = if alone { 1 } else { bytes.len() };
            if bytes.len() > most {
                a.not_read(text.span);
            }
            items.bytes.extend(bytes.iter().take(most));
            Ok(())
        })
    }
}
