//! A line: label, then statements between colons, each a value, directive, macro or
//! instruction.

use super::state::State;
use super::words::{Asks, Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::program::plan::Stored;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};

/// What a statement begins with.
#[derive(Clone, Copy, Default)]
struct Head {
    /// Tokens of the label with its colon.
    taken: usize,
    /// A value is given to the name: whether it may be given another.
    assigns: Option<bool>,
}

impl Assembler<'_> {
    /// Assembles a line.
    pub(super) fn vasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let head = self.vasm_head(toks, true);
        let Some(end) = self.vasm_delimiter(toks, head.taken) else {
            return self.vasm_piece(toks, head);
        };
        let (mut piece, mut rest) = (&toks[..end], &toks[end + 1..]);
        let mut head = head;
        loop {
            if !piece.is_empty()
                && let Err(d) = self.vasm_piece(piece, head)
            {
                self.report(d);
            }
            self.memo.not_again();
            if self.fatal || rest.is_empty() {
                return Ok(());
            }
            let end = self.vasm_delimiter(rest, 0).unwrap_or(rest.len());
            piece = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or(&[]);
            head = match piece.is_empty() {
                true => Head::default(),
                false => self.vasm_head(piece, false),
            };
        }
    }

    /// The next colon from token `from` on that ends a statement: none of `:-` and `:+`.
    fn vasm_delimiter(&self, toks: &[Tok], from: usize) -> Option<usize> {
        let ends = |i: &usize| {
            toks[*i].kind == Kind::Colon
                && !toks.get(i + 1).is_some_and(|n| {
                    n.span.start == toks[*i].span.end && matches!(n.kind, Kind::Plus | Kind::Minus)
                })
        };
        (from..toks.len()).find(ends)
    }

    pub(super) fn vasm_word(&self, t: &Tok) -> Option<Word> {
        word(self.directive_named(Some(t)))
    }

    /// What a statement begins with; `first`: it is the first of its line.
    fn vasm_head(&self, toks: &[Tok], first: bool) -> Head {
        let t = &toks[0];
        if first && t.kind == Kind::Colon {
            return Head {
                taken: 1,
                assigns: None,
            };
        }
        let named = match t.kind {
            Kind::Name => self.sources.slice(t.span) != ".",
            _ => self.vasm_is_local(t),
        };
        if !named {
            return Head::default();
        }
        let kind = |i: usize| toks.get(i).map(|t| t.kind);
        let colon = self.vasm_delimiter(&toks[..toks.len().min(3)], 1) == Some(1);
        let behind = 1 + usize::from(colon);
        let assigns = match kind(behind) {
            Some(Kind::Equal) => Some(false),
            Some(Kind::ColonEqual) if !colon => Some(false),
            Some(Kind::Name) if toks.len() > behind + 1 => {
                match self.vasm_word(&toks[behind]) {
                    Some(Word::Equ) => Some(false),
                    // `set` with a comma behind is the instruction.
                    Some(Word::Set) => {
                        let rest = &toks[behind + 1..];
                        (!rest.iter().any(|t| t.kind == Kind::Comma)).then_some(true)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let labelled = colon || assigns.is_some() || first && self.at_margin(t);
        Head {
            taken: if labelled { behind } else { 0 },
            assigns,
        }
    }

    fn vasm_piece(&mut self, toks: &[Tok], head: Head) -> Outcome<()> {
        let rest = &toks[head.taken..];
        if !self.lines.active() {
            return self.vasm_skipped(rest);
        }
        self.mark_here();
        if head.taken == 0 {
            return self.vasm_statement(rest);
        }
        let label = &toks[0];
        if let Some(variable) = head.assigns {
            return self.vasm_assign(label, &rest[1..], variable);
        }
        let Some(t) = rest.first() else {
            return self.vasm_label(label);
        };
        if self.vasm_word(t) == Some(Word::Macro) {
            return self.vasm_define_macro(label, t, &rest[1..]);
        }
        if matches!(
            self.vasm_word(t),
            Some(Word::Org | Word::Align | Word::Even)
        ) {
            // The label is where that leads to.
            self.vasm_statement(rest)?;
            self.mark_here();
            return self.vasm_label(label);
        }
        self.vasm_label(label)?;
        self.vasm_statement(rest)
    }

    /// Defines a label here.
    fn vasm_label(&mut self, t: &Tok) -> Outcome<()> {
        if t.kind == Kind::Colon {
            let state = self.own.get_mut::<State>();
            state.unnamed += 1;
            let name = format!(":{}", state.unnamed);
            let id = self.symbols.intern(&name);
            return self.define_local(id, t.span);
        }
        if self.vasm_in_offsets() {
            let id = self.symbol_named(t)?;
            let at = self.here_value.unwrap_or(0);
            return self.define(id, Meaning::Number(at), t.span, false);
        }
        // The first section begins with the first label.
        let addresses = &mut self.own.get_mut::<State>().addresses;
        addresses.get_or_insert([0, 0]);
        if self.naming.structure.is_none() && self.vasm_is_local(t) {
            let id = self.vasm_local(t)?;
            return self.define_local(id, t.span);
        }
        self.define_label(t)
    }

    /// `name = v`, `name equ v`, `name set v`.
    fn vasm_assign(&mut self, name: &Tok, value: &[Tok], variable: bool) -> Outcome<()> {
        let id = match self.vasm_is_local(name) {
            true => self.vasm_local(name)?,
            false => self.symbol_named(name)?,
        };
        self.define_as(id, name, value, variable)
    }

    /// A statement in the branch that is not taken.
    fn vasm_skipped(&mut self, rest: &[Tok]) -> Outcome<()> {
        let Some(t) = rest.first() else { return Ok(()) };
        match self.vasm_word(t) {
            Some(Word::If(_)) => self.open_condition(false, false, t),
            Some(Word::Else) => self.other_branch(Directive::Else, t, &[]),
            Some(Word::EndIf) => self.close_if(t),
            _ => Ok(()),
        }
    }

    /// What stands behind a label.
    fn vasm_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let t = &toks[0];
        let entry = match t.kind {
            Kind::Name => self.words.get(self.sources.slice(t.span)),
            _ => crate::read::words::Entry::default(),
        };
        let own = word(entry.directive);
        if let Some(w) = own.filter(|w| entry.mnemonic == 0 || !matches!(w, Word::Set)) {
            return self.vasm_directive(w, t, &toks[1..]);
        }
        if let Some(m) = self.vasm_macro(t) {
            return self.vasm_call(&m, toks);
        }
        if entry.mnemonic != 0 {
            self.check_code_here(t)?;
            return self.instruction(entry.mnemonic - 1, toks, 1);
        }
        if t.kind != Kind::Name {
            return Err(self.no_statement(t));
        }
        if self.vasm_use_struct(t, &toks[1..])? {
            return Ok(());
        }
        let key = self.key(self.text(t)).into_owned();
        self.again.miss_word(key);
        Err(self.unknown_statement(t, toks))
    }

    /// Does what a directive says.
    pub(super) fn vasm_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.naming.structure.is_some() {
            self.vasm_field(w, rest)?;
        }
        match w {
            Word::Org => self.vasm_org(t, rest),
            Word::Data(size) => self.vasm_data(t, rest, size),
            Word::Ended(end) => {
                self.vasm_data(t, rest, 1)?;
                self.mark_here();
                self.emit_data(&[end], Class::Data);
                Ok(())
            }
            Word::Text(add) => self.vasm_text(t, rest, add),
            Word::Modified => self.vasm_modified(t, rest),
            Word::Room(1) => self.vasm_bytes_of(t, rest),
            Word::Room(unit) => self.vasm_room(t, rest, unit),
            Word::Align => {
                let n = self.known_here(t, rest, "the number of bits")?;
                if !(0..=16).contains(&n) {
                    let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
                    let d = d.at(self.span_of(rest)).label("must be 0 to 16");
                    return Err(Box::new(d.help("2 to that power is what is aligned to")));
                }
                self.vasm_align(1 << n)
            }
            Word::Even => self.vasm_align(2),
            Word::Phase => self.vasm_phase(t, rest),
            Word::Dephase => match self.own.get::<State>().phase {
                Some(_) => {
                    self.vasm_end_phase();
                    Ok(())
                }
                None => self.stray(t, "a `rorg`"),
            },
            Word::Equ | Word::Set => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
                let form = format!("it is written `NAME {} VALUE`", self.text(t));
                Err(Box::new(d.label(form)))
            }
            Word::Define => match rest {
                [name, equal, value @ ..]
                    if name.kind == Kind::Name && equal.kind == Kind::Equal =>
                {
                    self.vasm_assign(name, value, true)
                }
                _ => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected `NAME = VALUE`").at(t.span);
                    Err(Box::new(d))
                }
            },
            Word::Macro => {
                let name = self.one_name(t, rest)?;
                let list = match &rest[1..] {
                    [] => &[],
                    [c, list @ ..] if c.kind == Kind::Comma => list,
                    [other, ..] => {
                        self.not_read(other.span);
                        &[]
                    }
                };
                self.vasm_define_macro(&name, t, list)
            }
            Word::EndMacro => self.stray(t, "a macro"),
            Word::ExitMacro => self.leave_expansion(t),
            Word::Repeat => self.vasm_repeat(t, rest),
            Word::EndRepeat => self.stray(t, "a repeat"),
            Word::If(asks) => self.vasm_if(asks, t, rest),
            Word::Else => self.other_branch(Directive::Else, t, &[]),
            Word::EndIf => self.close_if(t),
            Word::Include | Word::Incbin => self.vasm_file(w, t, rest),
            Word::Folder => self.add_folder(rest),
            Word::Assert => self.assert(t, rest),
            Word::Fail => {
                let text = self.written(rest);
                let d = Diagnostic::new(codes::USER_ERROR, text).at(self.statement);
                Err(Box::new(d))
            }
            Word::Struct => self.vasm_open_struct(t, rest),
            Word::EndStruct => self.vasm_end_struct(t),
            Word::Offsets => self.vasm_open_offsets(t),
            Word::EndOffsets => self.vasm_end_offsets(t),
            Word::UpTo => {
                let n = self.known_here(t, rest, "the offset")?;
                let start = self.chunks[self.chunk as usize].base.unwrap_or(0) as i64;
                let n = start + n - self.here_value.unwrap_or(0);
                self.check_count(n, self.span_of(rest))?;
                self.emit_fill(n as usize, 0, Class::Space);
                Ok(())
            }
            Word::Inline => {
                self.vasm_inline();
                Ok(())
            }
            Word::EndInline => match self.own.get_mut::<State>().inlines.pop() {
                Some(before) => {
                    self.naming.parent = before;
                    Ok(())
                }
                None => self.stray(t, "an `inline`"),
            },
            Word::Section => {
                self.vasm_section(rest);
                Ok(())
            }
            Word::Ignored => Ok(()),
            Word::End => self.end(&[]),
            Word::Refused(why) => {
                let message = format!("`{}` is not done by scrimp", self.text(t));
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                Err(Box::new(d.help(why)))
            }
        }
    }

    /// `.x` belongs to nothing outside from here on.
    fn vasm_inline(&mut self) {
        let parent = self.naming.parent.clone();
        let state = self.own.get_mut::<State>();
        state.inline += 1;
        state.inlines.push(parent);
        let name = format!("={}", state.inline);
        self.naming.parent = name.into();
    }

    /// `if` and its like.
    fn vasm_if(&mut self, asks: Asks, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = match asks {
            Asks::Blank(wanted) => Ok(rest.is_empty() == wanted),
            Asks::Compares(taken) => self
                .known_here(t, rest, "the condition")
                .map(|v| taken[(v.signum() + 1) as usize]),
            Asks::Defined(wanted) => self.vasm_known(t, rest).map(|s| s.0 == wanted),
            Asks::Used(wanted) => self.vasm_known(t, rest).map(|s| (s.1 && !s.0) == wanted),
        };
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    /// Whether a name has a meaning, and whether it has been used.
    fn vasm_known(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<(bool, bool)> {
        let id = match rest.first() {
            Some(n) if self.vasm_is_local(n) => self.vasm_local(n)?,
            _ => {
                let name = self.one_name(t, rest)?;
                self.symbol_named(&name)?
            }
        };
        let s = self.symbols.get(id);
        let known = s.meaning != Meaning::Undefined;
        Ok((known, s.used))
    }

    /// `org address`; `org $+n` is room.
    fn vasm_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let rest = match split(rest).first() {
            Some(&(_, end)) if (end as usize) < rest.len() => {
                self.not_read(rest[end as usize].span);
                &rest[..end as usize]
            }
            _ => rest,
        };
        if self.vasm_in_offsets() {
            let n = self.known_here(t, rest, "the offset")?;
            self.naming.structure = Some((String::new(), n));
            return Ok(());
        }
        if self.naming.structure.is_some() {
            let d = Diagnostic::new(codes::MISPLACED, "`org` cannot stand in a struct");
            return Err(Box::new(d.at(t.span)));
        }
        if let [here, plus, count @ ..] = rest
            && here.kind == Kind::Dollar
            && here.span.end - here.span.start == 1
            && plus.kind == Kind::Plus
        {
            return self.vasm_skip(t, count);
        }
        let n = self.known_here(t, rest, "the address")?;
        if !(0..=0xffff).contains(&n) {
            let message = format!("the address {n} lies outside memory");
            let d = Diagnostic::new(codes::OUTSIDE_MEMORY, message).at(self.span_of(rest));
            return Err(Box::new(d.label("must be 0 to 65535")));
        }
        self.vasm_end_phase();
        self.vasm_leave_section();
        self.open_chunk(Some(n as u64), 1);
        let addresses = &mut self.own.get_mut::<State>().addresses;
        let [low, high] = addresses.unwrap_or([n, n]);
        *addresses = Some([low.min(n), high.max(n)]);
        Ok(())
    }

    /// Notes where the section in force ends.
    fn vasm_leave_section(&mut self) {
        self.mark_here();
        let here = self.here_value.unwrap_or(0);
        let sections = &mut self.own.get_mut::<State>().named;
        if let Some(name) = sections.current.take() {
            sections.ends.insert(name, here);
        }
    }

    /// `section name`: another begins at 0, one that was there goes on.
    fn vasm_section(&mut self, rest: &[Tok]) {
        if self.own.get::<State>().phase.is_some() || self.naming.structure.is_some() {
            return;
        }
        let end = split(rest).first().map_or(0, |p| p.1 as usize);
        let name = self.written(&rest[..end]);
        let name = name.trim().trim_matches(['"', '\'']).to_owned();
        self.vasm_leave_section();
        let state = self.own.get_mut::<State>();
        let at = state.named.ends.get(&name).copied();
        let (first, at) = (at.is_none(), at.unwrap_or(0));
        state.named.current = Some(name);
        let [low, high] = state.addresses.unwrap_or([at, at]);
        state.addresses = Some([low.min(at), high.max(at)]);
        // The lines before belong to the first one where they are nowhere else.
        let fresh = self.chunks.iter().all(|c| c.size == 0 && c.base == Some(0));
        if !(first && fresh) {
            self.open_chunk(Some(at as u64), 1);
        }
    }

    /// `org $+n`: room that is not written if nothing follows.
    fn vasm_skip(&mut self, t: &Tok, count: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().phase.is_some() || self.naming.structure.is_some() {
            return self.space(t, count);
        }
        let n = self.known_here(t, count, "the count")?;
        let at = self.here_value.unwrap_or(0) + n;
        if n < 0 || at > 0xffff {
            return self.space(t, count);
        }
        self.open_chunk(Some(at as u64), 1);
        Ok(())
    }

    /// The output reaches from the lowest to the highest address that was set, also where
    /// nothing follows on one.
    pub(super) fn vasm_empty_sections(&mut self) {
        let Some([low, high]) = self.own.get::<State>().addresses else {
            return;
        };
        let ends = self.chunks.iter().filter(|c| c.size > 0).map(|c| {
            let at = match c.stored {
                Stored::At(at) => Some(at),
                _ => c.base,
            };
            let at = at.unwrap_or(0) as i64;
            (at, at + i64::from(c.size))
        });
        let ends: Vec<(i64, i64)> = ends.collect();
        let (Some(start), Some(end)) = (
            ends.iter().map(|e| e.0).min(),
            ends.iter().map(|e| e.1).max(),
        ) else {
            return;
        };
        for (from, to) in [(low, start), (end, high)] {
            if from < to {
                self.open_chunk(Some(from as u64), 1);
                self.emit_fill((to - from) as usize, 0, Class::Space);
            }
        }
    }

    /// `ds count,value`.
    fn vasm_bytes_of(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let [(_, end), (a, b)] = parts[..] else {
            return self.space(t, rest);
        };
        let count = &rest[..end as usize];
        let (known, n) = self.counted_here(t, count, "the count")?;
        self.check_count(n, self.span_of(count))?;
        let value = &rest[a as usize..b as usize];
        let v = self.known_here(t, value, "the byte to fill with")?;
        if !(-128..256).contains(&v) {
            let span = self.span_of(value);
            self.cut("the byte to fill with", v & 0xff, span);
        }
        self.emit_room(known, n as usize, v as u8);
        Ok(())
    }

    /// `rorg address`: what follows runs there.
    fn vasm_phase(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.known_here(t, rest, "the address")?;
        self.vasm_end_phase();
        let n = self.cut_address(n, self.span_of(rest));
        let piece = self.displace(n);
        self.own.get_mut::<State>().phase = Some(piece);
        Ok(())
    }

    /// Ends what runs elsewhere, if anything does.
    pub(super) fn vasm_end_phase(&mut self) {
        if let Some(piece) = self.own.get_mut::<State>().phase.take() {
            self.end_displaced(piece);
        }
    }

    fn vasm_align(&mut self, to: u32) -> Outcome<()> {
        let made = self.made_line(&format!("align {to}"))?;
        self.align(&made[0], &made[1..])
    }

    /// `include`, `incbin`; a name may stand without quotes.
    fn vasm_file(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let text = self.written(rest);
        let (name, behind) = match text.as_bytes().first() {
            Some(&q @ (b'"' | b'\'')) => text[1..].split_once(q as char).unwrap_or((&text, "")),
            _ => text.split_at(text.find([',', ' ', '\t']).unwrap_or(text.len())),
        };
        let bare = !text.starts_with(['"', '\'']) && !behind.is_empty();
        let line = match bare {
            true => Some(self.made_line(&format!("include \"{name}\"{behind}"))?),
            false => None,
        };
        let rest = line.as_ref().map_or(rest, |l| &l[1..]);
        match w {
            Word::Include => self.include(t, rest),
            _ => self.vasm_incbin(t, rest),
        }
    }

    /// `incbin file,offset,count`; a count of 0 is all.
    fn vasm_incbin(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if let Some(&(a, b)) = parts.get(2)
            && self.known_here(t, &rest[a as usize..b as usize], "the count")? == 0
        {
            return self.incbin(t, &rest[..a as usize - 1]);
        }
        self.incbin(t, rest)
    }

    /// `db`, `dw` and their like.
    pub(super) fn vasm_data(&mut self, t: &Tok, rest: &[Tok], size: u8) -> Outcome<()> {
        if rest.is_empty() {
            self.emit_fill(usize::from(size), 0, Class::Data);
            return Ok(());
        }
        self.items_here(t, rest, size, &mut |a, part, items| {
            if is_quoted(&part[0]) {
                let bytes = a.quoted_codes(&part[0])?;
                if bytes.len() != 1 && size > 1 {
                    let message = format!("a text of {} characters is not a value", bytes.len());
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(part[0].span);
                    return Err(Box::new(d));
                }
                if bytes.len() != 1 {
                    items.bytes.extend_from_slice(&bytes);
                    if let Some(more) = part.get(1) {
                        a.not_read(more.span);
                    }
                    return Ok(());
                }
            }
            a.value_here(part, size, items)
        })
    }

    /// `abyte add,list`: each byte is so much more.
    fn vasm_modified(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let Some(&(a, b)) = split(rest).first() else {
            return self.vasm_data(t, rest, 1);
        };
        let add = self.written(&rest[a as usize..b as usize]);
        let list = rest.get(b as usize + 1..).unwrap_or(&[]);
        self.items_here(t, list, 1, &mut |a, part, items| {
            let values = match part {
                [text] if is_quoted(text) => {
                    let bytes = a.quoted_codes(text)?;
                    bytes.iter().map(u8::to_string).collect()
                }
                _ => vec![a.written(part)],
            };
            for v in values {
                let made = a.made_line(&format!("({add})+({v})"))?;
                a.value_here(&made, 1, items)?;
            }
            Ok(())
        })
    }

    /// `defm "text"`: any sign may stand around it.
    fn vasm_text(&mut self, t: &Tok, rest: &[Tok], add: u8) -> Outcome<()> {
        let mut bytes;
        match rest {
            [text, more @ ..] if is_quoted(text) => {
                bytes = self.quoted_codes(text)?;
                if let Some(more) = more.first() {
                    self.not_read(more.span);
                }
            }
            [first, ..] => {
                let source = self.sources.get(first.span.source);
                let line = &source.text[first.span.start as usize..];
                let line = line.lines().next().unwrap_or_default();
                let (inner, taken) = between(line.as_bytes());
                bytes = inner;
                let behind = line.get(taken..).unwrap_or_default().trim_start();
                if !behind.is_empty() && !behind.starts_with(';') {
                    self.not_read(self.span_of(rest));
                }
            }
            [] => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a text").at(t.span);
                return Err(Box::new(d));
            }
        }
        if let Some(last) = bytes.last_mut() {
            *last = last.wrapping_add(add);
        }
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// `blkw count,value`: room of units of several bytes.
    fn vasm_room(&mut self, t: &Tok, rest: &[Tok], unit: u8) -> Outcome<()> {
        let parts = split(rest);
        let end = parts.first().map_or(0, |p| p.1 as usize);
        let n = self.known_here(t, &rest[..end], "the count")?;
        let span = self.span_of(&rest[..end]);
        self.check_count(n, span)?;
        self.check_count(n * i64::from(unit), span)?;
        let value = match parts.get(1) {
            None => 0,
            Some(&(a, b)) => {
                let part = &rest[a as usize..b as usize];
                let v = self.known_here(t, part, "the value")?;
                self.item_bits(v, unit, self.span_of(part))? as i64
            }
        };
        let one = &value.to_le_bytes()[..usize::from(unit)];
        match value {
            0 => self.emit_fill(n as usize * usize::from(unit), 0, Class::Space),
            _ => self.emit_data(&one.repeat(n as usize), Class::Space),
        }
        Ok(())
    }
}

/// A text between two signs that are the first of the line, which is doubled where it belongs
/// to the text, and how far that goes. Of a text of one character, or one that nothing closes,
/// the character behind the sign counts.
fn between(line: &[u8]) -> (Vec<u8>, usize) {
    let sign = line[0];
    let mut inner = Vec::new();
    let mut at = 1;
    let mut closed = false;
    while let Some(&c) = line.get(at) {
        at += 1;
        if c == sign {
            if line.get(at) != Some(&sign) {
                closed = true;
                break;
            }
            at += 1;
        }
        inner.push(c);
    }
    if !closed {
        inner.truncate(1);
        at = line.len().min(2);
    }
    (inner, at)
}
