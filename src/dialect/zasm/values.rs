//! Values: `nn$`, `&1F`, `$$`, `lo(x)` and its like are in the tables; data with texts;
//! instructions that zasm knows under other operands.

use super::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::item::{DataValue, Given};
use crate::program::symbol::{Anchor, SymbolId};
use crate::program::{Field, Outcome};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// Whether a token is a label between two others: `12$`.
    pub(super) fn zasm_is_number_label(&self, t: &Tok) -> bool {
        t.kind == Kind::Number && self.sources.slice(t.span).ends_with('$')
    }

    /// The symbol of `12$` here.
    pub(super) fn zasm_number_label(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.text(t);
        let number = text.trim_end_matches('$').trim_start_matches('0');
        let number = number.to_owned();
        if !number.bytes().all(|b| b.is_ascii_digit()) || number.len() > 9 {
            let message = format!("`{text}` is no label");
            let d = Diagnostic::new(codes::BAD_NUMBER, message).at(t.span);
            return Err(Box::new(d));
        }
        let range = self.own.get::<State>().range;
        let id = self.symbols.intern(&format!("{number}${range}"));
        self.symbols.get_mut(id).local = true;
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    /// What is a value here and nowhere else.
    pub(super) fn zasm_leaf(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<bool> {
        if self.zasm_is_number_label(t) {
            let id = self.zasm_number_label(t)?;
            self.ops.push(Op::Symbol(id));
            return Ok(true);
        }
        let next = c.peek().filter(|n| n.span.start == t.span.end).copied();
        match (t.kind, next) {
            (Kind::Amp, Some(n)) if matches!(n.kind, Kind::Number | Kind::Name) => {
                let Ok(v) = i64::from_str_radix(self.text(&n), 16) else {
                    let d = Diagnostic::new(codes::BAD_NUMBER, "expected hexadecimal digits");
                    return Err(Box::new(d.at(n.span)));
                };
                c.at += 1;
                let v = self.dialect.values.width.wrap(v);
                self.ops.push(Op::Number(v));
                Ok(true)
            }
            (Kind::Dollar, Some(n)) if n.kind == Kind::Dollar && n.span.end - n.span.start == 1 => {
                // The physical address.
                c.at += 1;
                let phase = self.own.get::<State>().phase;
                let here = self.here;
                self.ops.push(Op::Place(here));
                self.ops.push(Op::Number(phase));
                let minus = Op::Binary(crate::text::language::Binary::Sub);
                self.ops.push(minus);
                Ok(true)
            }
            (Kind::Name, Some(open)) if open.kind == Kind::Open => {
                match self.sources.slice(t.span).eq_ignore_ascii_case("opcode") {
                    true => self.zasm_opcode(t, c),
                    false => self.zasm_asks(t, c),
                }
            }
            (Kind::Name, _) if self.text(t) == "__line__" => {
                let line = self.zasm_line_number(t);
                self.ops.push(Op::Number(line));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The number of the line that a token stands in, from 0.
    pub(super) fn zasm_line_number(&self, t: &Tok) -> i64 {
        let span = self.program.sources.in_file(t.span);
        let source = self.program.sources.get(span.source);
        source.line_column(span.start).0 as i64 - 1
    }

    /// `target(NAME)`, `segment(NAME)`, `required(NAME)`.
    fn zasm_asks(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<bool> {
        let word = self.text(t);
        if !matches!(word, "target" | "segment" | "required") {
            return Ok(false);
        }
        let [_, name, close, ..] = c.toks[c.at..] else {
            return Ok(false);
        };
        if !matches!(name.kind, Kind::Name | Kind::Number) || close.kind != Kind::Close {
            return Ok(false);
        }
        let word = word.to_owned();
        let asked = self.text(&name).to_owned();
        let state = self.own.get::<State>();
        let yes = match word.as_str() {
            "target" => {
                let target = state.target.as_deref().unwrap_or("rom");
                target.eq_ignore_ascii_case(&asked)
            }
            "segment" => {
                let current = state.current.map(|i| state.segments[i].name.as_str());
                current == Some(asked.as_str())
            }
            _ => {
                let id = self.symbol_named(&name)?;
                let s = self.symbols.get(id);
                s.used && s.meaning == crate::program::symbol::Meaning::Undefined
            }
        };
        c.at += 3;
        self.ops.push(Op::Number(i64::from(yes)));
        Ok(true)
    }

    /// `opcode(ld a,n)`: the byte that tells an instruction from others, behind those that
    /// many begin with. `n`, `nn` and `dis` are any number.
    fn zasm_opcode(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Outcome<bool> {
        let mut depth = 0;
        let inner = &c.toks[c.at + 1..];
        let close = inner.iter().position(|t| {
            depth += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
            depth < 0
        });
        let fault = |why: &str| {
            let d = Diagnostic::new(codes::BAD_EXPRESSION, why).at(t.span);
            Err(Box::new(d))
        };
        let Some((first, close)) = inner.first().zip(close).filter(|i| i.1 > 0) else {
            return fault("expected an instruction and `)`");
        };
        let zero = self.made_line("0")?;
        let any = |t: &Tok| {
            let text = self.sources.slice(t.span);
            let any = ["n", "nn", "dis"].iter();
            t.kind == Kind::Name && any.into_iter().any(|a| a.eq_ignore_ascii_case(text))
        };
        let line = inner[..close]
            .iter()
            .map(|t| if any(t) { zero[0] } else { *t });
        let line: Vec<Tok> = line.collect();
        let mnemonic = self.words.get(self.sources.slice(first.span)).mnemonic;
        let form = match mnemonic.checked_sub(1) {
            Some(m) => self.form_of(m, &line)?,
            None => None,
        };
        let Some(word) = form else {
            return fault("this is no instruction");
        };
        let bytes = word.to_le_bytes();
        let main = match bytes {
            [0xdd | 0xfd, 0xcb, _, last, ..] => last,
            [0xcb | 0xdd | 0xed | 0xfd, second, ..] => second,
            [one, ..] => one,
        };
        c.at += close + 2;
        self.ops.push(Op::Number(main.into()));
        Ok(true)
    }

    /// `db`, `defm`: values, texts of which the last character may be changed, digits.
    pub(super) fn zasm_bytes(&mut self, t: &Tok, rest: &[Tok], zero: bool) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected at least one value").at(t.span);
            return Err(Box::new(d));
        }
        let mut bytes = Vec::with_capacity(rest.len());
        let mut open: Vec<DataValue> = Vec::new();
        for (a, b) in split(rest) {
            self.zasm_byte(t, &rest[a as usize..b as usize], &mut bytes, &mut open)?;
        }
        if zero {
            bytes.push(0);
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
            self.fix(place, Field::Data(1), value, span, state);
        }
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// The digits of a number in a list of bytes that are more than one byte: `$0102`,
    /// `0102h`, and `0A102h` with a zero that begins a number only.
    fn zasm_long_hex(&self, t: &Tok) -> Option<String> {
        let text = self.text(t);
        match t.kind {
            Kind::Dollar if text.len() > 3 => Some(text[1..].to_owned()),
            Kind::Number => {
                let digits = text.strip_suffix(['h', 'H'])?;
                let digits = match digits.len().is_multiple_of(2) {
                    true => digits,
                    false => digits.strip_prefix('0')?,
                };
                let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
                (hex && digits.len() > 2).then(|| digits.to_owned())
            }
            _ => None,
        }
    }

    /// What a name in a list of bytes is a text of: where it stands, or when the source is
    /// assembled, which is always the same time here.
    fn zasm_told(&self, t: &Tok) -> Option<String> {
        if t.kind != Kind::Name || !self.text(t).starts_with("__") {
            return None;
        }
        let span = self.program.sources.in_file(t.span);
        let source = self.program.sources.get(span.source);
        match self.text(t) {
            "__date__" => Some("\"2000-01-01\"".to_owned()),
            "__time__" => Some("\"00:00:00\"".to_owned()),
            "__line__" => Some(format!("\"{}\"", self.zasm_line_number(t))),
            "__file__" => {
                let quote = if source.name.contains('"') { '\'' } else { '"' };
                Some(format!("{quote}{}{quote}", source.name))
            }
            _ => None,
        }
    }

    fn zasm_byte(
        &mut self,
        t: &Tok,
        part: &[Tok],
        bytes: &mut Vec<u8>,
        open: &mut Vec<DataValue>,
    ) -> Outcome<()> {
        let Some(first) = part.first() else {
            let d = Diagnostic::new(codes::SYNTAX, "a value is missing here").at(t.span);
            return Err(Box::new(d.help("write one, or leave a comma out")));
        };
        if let [one] = part
            && let Some(digits) = self.zasm_long_hex(one)
        {
            // Digits in the order of bytes.
            let pairs = digits.len().is_multiple_of(2);
            let digit = |b: u8| (b as char).to_digit(16).unwrap_or(0) as u8;
            if !pairs {
                let d = Diagnostic::new(codes::BAD_NUMBER, "expected pairs of hexadecimal digits");
                return Err(Box::new(d.at(one.span)));
            }
            let all = digits.as_bytes().chunks_exact(2);
            bytes.extend(all.map(|p| digit(p[0]) << 4 | digit(p[1])));
            return Ok(());
        }
        let told = match self.zasm_told(first) {
            Some(text) => {
                let mut toks = self.made_line(&text)?;
                toks.extend_from_slice(&part[1..]);
                toks
            }
            None => Vec::new(),
        };
        let mut part = if told.is_empty() { part } else { &told };
        let first = &part[0];
        let mut made;
        if is_quoted(first) {
            let text = self.quoted_codes(first)?;
            let changed = part.get(1).is_some_and(|o| {
                matches!(
                    o.kind,
                    Kind::Plus | Kind::Minus | Kind::Pipe | Kind::Amp | Kind::Caret
                )
            });
            if text.len() != 1 {
                let (all, last) = match (changed, text.split_last()) {
                    (true, Some((last, all))) => (all, Some(*last)),
                    _ => (&text[..], None),
                };
                bytes.extend_from_slice(all);
                let Some(last) = last else {
                    return match part.len() {
                        1 => Ok(()),
                        _ => Err(Box::new(
                            Diagnostic::new(codes::SYNTAX, "expected a comma").at(part[1].span),
                        )),
                    };
                };
                made = self.made_line(&last.to_string())?;
                made.extend_from_slice(&part[1..]);
                part = &made;
            }
        }
        let v = self.whole_expression(part)?;
        let span = self.span_of(part);
        let at = bytes.len() as u32;
        let bits = match v.number() {
            Some(n) => self.item_bits(n, 1, span)? as u8,
            None => 0,
        };
        bytes.push(bits);
        if v.expression().is_some() {
            open.push((at, v, span));
        }
        Ok(())
    }

    /// Instructions that stand for others: `ld bc,de`, `ex hl,(sp)`.
    pub(super) fn zasm_other(&mut self, name: &str, operands: &[Tok]) -> Outcome<bool> {
        let [(a, b), (c, d)] = split(operands)[..] else {
            return Ok(false);
        };
        let to = self.written(&operands[a as usize..b as usize]);
        let from = self.written(&operands[c as usize..d as usize]);
        let lines = stands_for(name, &to, &from);
        for text in &lines {
            let toks = self.made_line(text)?;
            self.mark_here();
            self.line(&toks)?;
        }
        Ok(!lines.is_empty())
    }
}

/// The halves of a pair of registers.
fn halves(pair: &str) -> Option<[&'static str; 2]> {
    Some(match pair.to_ascii_lowercase().as_str() {
        "bc" => ["b", "c"],
        "de" => ["d", "e"],
        "hl" => ["h", "l"],
        "ix" => ["ixh", "ixl"],
        "iy" => ["iyh", "iyl"],
        _ => return None,
    })
}

/// What is in the brackets of `(ix+1)`.
fn indexed(operand: &str) -> Option<&str> {
    let inner = operand.strip_prefix('(')?.strip_suffix(')')?.trim();
    let register = inner.get(..2)?.to_ascii_lowercase();
    let rest = inner[2..].trim_start();
    let index = matches!(register.as_str(), "ix" | "iy");
    (index && (rest.is_empty() || rest.starts_with(['+', '-']))).then_some(inner)
}

/// The instructions that one stands for; none if it stands for nothing else.
fn stands_for(name: &str, to: &str, from: &str) -> Vec<String> {
    let memory = |o: &str| o.eq_ignore_ascii_case("(hl)");
    let ld = |a: &str, b: &str| format!("ld {a},{b}");
    if name == "ex" {
        return match (to.to_ascii_lowercase().as_str(), from) {
            ("hl" | "ix" | "iy", "(sp)" | "(SP)") => vec![format!("ex (sp),{to}")],
            ("hl", f) if f.eq_ignore_ascii_case("de") => vec!["ex de,hl".into()],
            _ => Vec::new(),
        };
    }
    if name != "ld" {
        return Vec::new();
    }
    let plain = |o: &str| halves(o).filter(|h| h[0].len() == 1);
    match (halves(to), halves(from)) {
        // No code takes halves of HL beside those of an index register.
        (Some(a), Some(b)) if a[0].len() + b[0].len() < 6 && [a[0], b[0]].contains(&"h") => {
            match a[0].len() + b[0].len() {
                2 => return vec![ld(a[0], b[0]), ld(a[1], b[1])],
                _ => return Vec::new(),
            }
        }
        (Some(a), Some(b)) if a[0].len() + b[0].len() < 6 => {
            return vec![ld(a[0], b[0]), ld(a[1], b[1])];
        }
        _ => {}
    }
    if let (Some([h, l]), Some(inner)) = (plain(to), indexed(from)) {
        return vec![ld(l, &format!("({inner})")), ld(h, &format!("({inner}+1)"))];
    }
    if let (Some(inner), Some([h, l])) = (indexed(to), plain(from)) {
        return vec![ld(&format!("({inner})"), l), ld(&format!("({inner}+1)"), h)];
    }
    let (up, down) = ("inc hl".to_owned(), "dec hl".to_owned());
    match (plain(to), plain(from)) {
        (Some([h, l]), None) if memory(from) && h != "h" => {
            vec![ld(l, "(hl)"), up, ld(h, "(hl)"), down]
        }
        (None, Some([h, l])) if memory(to) && h != "h" => {
            vec![ld("(hl)", l), up, ld("(hl)", h), down]
        }
        _ => Vec::new(),
    }
}
