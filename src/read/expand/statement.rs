//! One statement: labels, then a directive, an instruction or a macro call.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::{Meaning, SymbolId};
use crate::read::Assembler;
use crate::read::syntax::expression::clip;
use crate::read::words::Entry;
use crate::text::language::{Directive, DotRule, LabelRule, MacroStyle};
use crate::text::lex::{AtSign, Kind, Tok};

/// No instruction or directive has a longer name.
const LONGEST_NAME: usize = 32;

/// How a statement begins.
struct Head {
    label: Option<Tok>,
    /// The word behind it, what that can be, and the number of its token.
    word: Tok,
    entry: Entry,
    at: usize,
}

/// Whether instructions mean behind a directive what they meant before.
fn is_harmless(d: Directive) -> bool {
    use Directive as D;
    matches!(
        d,
        D::Org
            | D::Section
            | D::Align
            | D::Space
            | D::Bytes
            | D::Words
            | D::Longs
            | D::Include
            | D::Incbin
            | D::If
            | D::IfDefined
            | D::IfNotDefined
            | D::ElseIf
            | D::Else
            | D::EndIf
            | D::Equ
            | D::Set
            | D::Proc
            | D::EndProc
            | D::Local
            | D::Quads
            | D::Reserve
            // A dialect says of its own words itself.
            | D::Own(_)
    )
}

impl Assembler<'_> {
    /// Assembles a line.
    pub fn line(&mut self, toks: &[Tok]) -> Outcome<()> {
        if !self.lines.active() {
            return self.skipped(toks);
        }
        self.mark_here();
        let renamed;
        let (mut i, toks) = match self.numbered(toks) {
            Some(list) => {
                renamed = list;
                (0, &renamed[..])
            }
            None => (self.behind_number(toks), toks),
        };
        let label = self.labels(toks, &mut i)?;
        let Some(t) = toks.get(i).copied() else {
            if let Some(l) = label {
                self.define_label(&l)?;
            }
            return Ok(());
        };
        if t.kind == Kind::Bad {
            return Err(self.bad_token(&t));
        }
        if label.is_none()
            && let Some(done) = self.definition(&t, toks, i)
        {
            return done;
        }
        let mut entry = self.entry(&t);
        // Only in front of a text it is a directive, so that a label may be called so.
        if entry.directive == Some(Directive::Test)
            && !matches!(toks.get(i + 1), Some(n) if matches!(n.kind, Kind::Single | Kind::Double))
        {
            entry.directive = None;
        }
        if let (Some(l), Some(d)) = (label, entry.directive) {
            match d {
                Directive::Equ => return self.equ(&l, &toks[i + 1..], false),
                Directive::Set if entry.mnemonic == 0 => return self.equ(&l, &toks[i + 1..], true),
                Directive::Macro if self.dialect.words.macros != MacroStyle::Native => {
                    return self.macro_definition(Some(l), &toks[i + 1..]);
                }
                _ => {}
            }
        }
        let mut head = Head {
            label,
            word: t,
            entry,
            at: i,
        };
        if self.is_bare_label(&head) && self.bare_label(&mut head, toks)? {
            return Ok(());
        }
        if let Some(l) = head.label {
            // `name org n` names the new address.
            if head.entry.directive == Some(Directive::Org)
                && self.dialect.names.labels == LabelRule::ColonOrBare
            {
                self.directive(Directive::Org, &head.word, toks, head.at + 1)?;
                self.mark_here();
                return self.define_label(&l);
            }
            self.define_label(&l)?;
        }
        self.command(&head, toks)
    }

    /// What a word can be, where it is one.
    #[inline]
    fn entry(&self, t: &Tok) -> Entry {
        match t.kind {
            Kind::Name => self.words.get(self.sources.slice(t.span)),
            _ => Entry::default(),
        }
    }

    /// A bare name that is nothing else is a label.
    #[inline]
    fn is_bare_label(&self, head: &Head) -> bool {
        head.label.is_none()
            && self.dialect.names.labels == LabelRule::ColonOrBare
            && matches!(head.word.kind, Kind::Name | Kind::At | Kind::Question)
            && head.entry.mnemonic == 0
            && head.entry.directive.is_none()
            && !self.is_macro(&head.word)
    }

    /// Takes the first word as a label and goes on to the next; true where there is none.
    fn bare_label(&mut self, head: &mut Head, toks: &[Tok]) -> Outcome<bool> {
        let label = head.word;
        if self.dialect.words.calls_above {
            let key = self.key(self.text(&label)).into_owned();
            self.again.miss_word(key);
        }
        head.label = Some(label);
        head.at += 1;
        let Some(next) = toks.get(head.at) else {
            let word = self.text(&label).to_string();
            self.warn_label(&label, &word);
            self.define_label(&label)?;
            return Ok(true);
        };
        head.word = *next;
        head.entry = self.entry(next);
        let known = head.entry.mnemonic != 0 || head.entry.directive.is_some();
        if !known && !self.is_macro(next) {
            return Err(self.unknown_statement(&label, toks));
        }
        Ok(false)
    }

    /// What stands behind the labels: a directive, an instruction or a macro call.
    #[inline]
    fn command(&mut self, head: &Head, toks: &[Tok]) -> Outcome<()> {
        let &Head {
            word: t, entry, at, ..
        } = head;
        if t.kind != Kind::Name && t.kind != Kind::Question && t.kind != Kind::At {
            return Err(self.no_statement(&t));
        }
        let directive = entry
            .directive
            .filter(|d| entry.mnemonic == 0 || !matches!(d, Directive::Set | Directive::Equ));
        if !self.dialect.words.mnemonics_first && self.is_macro(&t) {
            return self.macro_call(&t, toks, at + 1);
        }
        if entry.mnemonic != 0 && directive.is_none() {
            if self.naming.structure.is_some() {
                let d =
                    Diagnostic::new(codes::MISPLACED, "an instruction cannot stand in a struct")
                        .at(t.span);
                return Err(Box::new(d));
            }
            self.check_code_here(&t)?;
            return self.instruction(entry.mnemonic - 1, toks, at + 1);
        }
        if let Some(d) = directive {
            return self.directive(d, &t, toks, at + 1);
        }
        if self.is_macro(&t) {
            return self.macro_call(&t, toks, at + 1);
        }
        if self.dialect.words.runs {
            let key = self.key(self.text(&t)).into_owned();
            self.again.miss_word(key);
        }
        Err(self.unknown_statement(&t, toks))
    }

    /// Digits of a line number that a line begins with.
    fn line_number(&self, toks: &[Tok]) -> Option<usize> {
        if !self.dialect.names.line_numbers || toks[0].kind != Kind::Number {
            return None;
        }
        let (at, end) = (toks[0].span.start as usize, toks[0].span.end as usize);
        let text = self.sources.get(toks[0].span.source).text.as_bytes();
        let digits = text[at..end].iter().take_while(|b| b.is_ascii_digit());
        (at == 0 || text[at - 1] == b'\n').then(|| digits.count())
    }

    /// A line with a number at its start that a name follows at once, without the number.
    fn numbered(&self, toks: &[Tok]) -> Option<Vec<Tok>> {
        let digits = self.line_number(toks)? as u32;
        if toks[0].span.start + digits == toks[0].span.end {
            return None;
        }
        let mut list = toks.to_vec();
        list[0].kind = Kind::Name;
        list[0].span.start += digits;
        Some(list)
    }

    /// Where a line begins behind its number, or behind a dot that is none of a
    /// directive's.
    fn behind_number(&self, toks: &[Tok]) -> usize {
        let dot = self.dialect.values.plain_texts
            && toks.len() > 1
            && toks[0].kind == Kind::Name
            && self.text(&toks[0]) == ".";
        usize::from(dot || self.line_number(toks).is_some())
    }

    /// The labels of a line from token `i` on, which moves behind them: all but the last are
    /// defined.
    fn labels(&mut self, toks: &[Tok], i: &mut usize) -> Outcome<Option<Tok>> {
        let mut label: Option<Tok> = None;
        if self.dialect.names.free_labels
            && let Some((name, behind)) = self.free_label(toks)
        {
            label = Some(name);
            *i = behind;
        }
        while let Some(t) = toks.get(*i) {
            let next = toks.get(*i + 1);
            if !matches!(t.kind, Kind::Name | Kind::At | Kind::Question)
                || next.is_none_or(|n| n.kind != Kind::Colon)
            {
                break;
            }
            // What takes the rest of the line as it is has no colon of its own.
            let said = || self.entry(t).directive;
            if self.dialect.words.bare_file_names
                && matches!(said(), Some(Directive::Error | Directive::Warning))
            {
                break;
            }
            let fault = |text: &str| Box::new(Diagnostic::new(codes::SYNTAX, text).at(t.span));
            if let Some(before) = label.replace(*t) {
                if !self.dialect.names.many_labels {
                    return Err(fault("only one label may stand on a line"));
                }
                self.define_label(&before)?;
            }
            if self.dialect.names.labels == LabelRule::ColonTight
                && next.is_some_and(|n| n.span.start != t.span.end)
            {
                return Err(fault("the colon must follow the label at once"));
            }
            *i += 2;
        }
        Ok(label)
    }

    /// `name equ value` and its like, where the name is token `i`.
    fn definition(&mut self, t: &Tok, toks: &[Tok], i: usize) -> Option<Outcome<()>> {
        if !matches!(t.kind, Kind::Name | Kind::At | Kind::Question)
            || self.dialect.names.labels == LabelRule::ColonTight
        {
            return None;
        }
        let n = toks.get(i + 1)?;
        let d = match n.kind {
            _ if self.dialect.names.names_behind => None,
            Kind::Name => self.words.get(self.sources.slice(n.span)).directive,
            Kind::Equal if self.dialect.names.equals => Some(Directive::Equ),
            Kind::ColonEqual => Some(Directive::Set),
            _ => None,
        };
        let rest = &toks[i + 2..];
        match d? {
            Directive::Equ => Some(self.equ(t, rest, false)),
            Directive::Set => Some(self.equ(t, rest, true)),
            Directive::Macro if self.dialect.words.macros == MacroStyle::Commas => {
                Some(self.macro_definition(Some(*t), rest))
            }
            _ => None,
        }
    }

    /// A label alone on a line that is nearly an instruction is probably one.
    fn warn_label(&mut self, t: &Tok, word: &str) {
        // It begins with the name of one.
        let starts = |n: usize| word.get(..n).is_some_and(|w| self.words.is_statement(w));
        if !(3..=word.len().min(LONGEST_NAME)).any(starts) {
            return;
        }
        let near = self
            .account
            .nearest(word, self.words.statement_names(self.dialect));
        if let Some(n) = near.filter(|n| {
            n.len() > 2
                && !word.starts_with('.')
                && word
                    .get(..word.len().min(n.len()))
                    .is_some_and(|w| n.eq_ignore_ascii_case(w))
        }) {
            let d = Diagnostic::new(
                codes::SUSPICIOUS_LABEL,
                format!("`{word}` is taken as a label; was `{n}` meant?"),
            )
            .at(t.span)
            .help("write a colon behind a label");
            self.report(Box::new(d));
        }
    }

    /// The symbol that a label at this place defines.
    pub(crate) fn label_symbol(&mut self, t: &Tok) -> Outcome<(SymbolId, bool)> {
        let text = self.program.sources.slice(t.span);
        let dot = match self.dialect.names.dots {
            DotRule::None => false,
            DotRule::Underscore => text.starts_with('_'),
            _ => text.starts_with('.'),
        };
        if let Some((name, _)) = &self.naming.structure {
            let full = format!(
                "{}{name}.{}",
                self.naming.prefix,
                text.trim_start_matches('.')
            );
            return Ok((self.symbols.intern(&full), true));
        }
        if dot
            || !self.lines.scopes.is_empty()
            || self.dialect.names.dollar_names && text.contains('$')
        {
            let id = self.symbol_named(t)?;
            let of_call = self.dialect.names.of_calls && self.naming.prefix.contains('#');
            let s = self.symbols.get_mut(id);
            s.local |= dot || of_call;
            return Ok((id, s.local));
        }
        if text.len() > 1024 {
            return self.symbol_named(t).map(|id| (id, false));
        }
        if self.naming.prefix.is_empty() {
            return Ok((self.program.symbols.intern(text), false));
        }
        let full = format!("{}{text}", self.naming.prefix);
        Ok((self.symbols.intern(&full), false))
    }

    /// Defines a label at the address of the statement.
    pub fn define_label(&mut self, t: &Tok) -> Outcome<()> {
        if t.kind == Kind::At && self.dialect.lexing.at == AtSign::Argument {
            let text = self.text(t);
            let d = Diagnostic::new(codes::MISPLACED, format!("`{text}` is not given here"))
                .at(t.span)
                .help("it stands for an argument, in the lines of a macro");
            return Err(Box::new(d));
        }
        let (id, local) = self.label_symbol(t)?;
        let meaning = match self.here_value {
            // Which of several labels of a name is meant is known at the end.
            Some(n) if self.dialect.names.labels != LabelRule::Listed => Meaning::Number(n),
            _ => Meaning::At(self.here),
        };
        self.define(id, meaning, t.span, false)?;
        self.naming.latest = Some(id);
        if self.naming.structure.is_some() {
            return Ok(());
        }
        let (section, here) = (self.section, self.here);
        let s = self.symbols.get_mut(id);
        s.label = true;
        s.section = section;
        s.place = Some(here);
        if !local {
            self.naming.parent = s.name.clone();
            let before = std::mem::replace(&mut self.sections[section as usize].owner, id.0);
            if before != crate::image::NONE {
                let b = self.symbols.get_mut(SymbolId(before));
                if b.place.is_some_and(|p| p.chunk == here.chunk) {
                    b.end.get_or_insert(here);
                }
            }
        }
        Ok(())
    }

    /// `name equ value`.
    pub(crate) fn equ(&mut self, name: &Tok, value: &[Tok], variable: bool) -> Outcome<()> {
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        let (id, _) = self.label_symbol(name)?;
        if !self.symbols.get(id).local {
            self.end_range();
        }
        self.define_value(id, v, name.span, variable)
    }

    /// Ends the lines that names with a leading `_` are local to, where the
    /// dialect has such.
    pub fn end_range(&mut self) {
        if self.dialect.names.dots == DotRule::Underscore {
            let base = self.naming.parent.split('@').next().unwrap_or("");
            self.naming.parent = format!("{base}@{}", self.statement.start).into();
        }
    }

    /// A label of any characters before a colon (`$END:`), and the index of the
    /// token behind it.
    fn free_label(&self, toks: &[Tok]) -> Option<(Tok, usize)> {
        if matches!(toks[0].kind, Kind::Name | Kind::Bad) {
            match toks.get(1) {
                Some(t) if t.span.start == toks[0].span.end && t.kind != Kind::Colon => {}
                _ => return None,
            }
        }
        let mut end = toks[0].span.start;
        for (i, t) in toks.iter().enumerate() {
            let text_ends = matches!(t.kind, Kind::Single | Kind::Double | Kind::Bad);
            if t.span.start != end || t.span.source != toks[0].span.source || text_ends {
                return None;
            }
            if t.kind == Kind::Colon && i > 0 {
                let mut name = toks[0];
                name.kind = Kind::Name;
                name.span.end = t.span.start;
                return Some((name, i + 1));
            }
            end = t.span.end;
        }
        None
    }

    /// Does what a directive says; its arguments start at `from`.
    /// A directive's line up to where the dialect's own tool reads it: not to a comma at
    /// its end, and nothing of a segment's.
    fn as_far_as_read<'t>(&mut self, d: Directive, toks: &'t [Tok], from: usize) -> &'t [Tok] {
        let end = match (d, &toks[from..]) {
            (Directive::Segment(_), [_, ..]) => from,
            (_, [_, .., last]) if last.kind == Kind::Comma => toks.len() - 1,
            _ => return toks,
        };
        self.not_read(toks[end].span);
        &toks[..end]
    }

    fn directive(&mut self, d: Directive, t: &Tok, toks: &[Tok], from: usize) -> Outcome<()> {
        use Directive as D;
        let toks = match self.dialect.operands.reads_no_further {
            true => self.as_far_as_read(d, toks, from),
            false => toks,
        };
        let rest = &toks[from..];
        if !is_harmless(d) {
            self.memo.renew();
        }
        match d {
            D::Org => self.org(t, rest),
            D::Section => self.section_directive(t, rest),
            D::Region => self.region(t, rest),
            D::Align => self.align(t, rest),
            D::Space => self.space(t, rest),
            D::Bytes => self.bytes(t, rest),
            D::Words => self.items(t, rest, 2),
            D::Longs => self.items(t, rest, 4),
            D::Include => self.include(t, rest),
            D::Incbin => self.incbin(t, rest),
            D::If | D::IfDefined | D::IfNotDefined => self.open_if(d, t, rest),
            D::ElseIf | D::Else => self.other_branch(d, t, rest),
            D::EndIf => self.close_if(t),
            D::Repeat => self.repeat(t, rest),
            D::ForEach => self.for_each(t, rest),
            D::EndRepeat | D::EndMacro => self.stray(t, "a macro or repeat"),
            D::Macro => self.macro_definition(None, rest),
            D::ExitMacro => self.exit_macro(t),
            D::Shift => self.shift(t),
            D::Local => self.local(t, rest),
            D::Proc => self.proc(),
            D::EndProc => self.end_proc(t),
            D::Struct => self.open_struct(t, rest),
            D::Scope => self.open_scope(t, rest),
            D::Ends => self.close_block(t),
            D::Assert => self.assert(t, rest),
            D::Error | D::Warning | D::Print => self.message(d, t, rest),
            D::Charmap => self.charmap(t, rest),
            D::Test => self.test(t, rest),
            D::EndTest => self.stray(t, "a test"),
            D::Equ | D::Set if self.dialect.names.names_behind => {
                self.constant(t, rest, d == D::Set)
            }
            D::Equ | D::Set => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
                let form = format!("it is written `NAME {} VALUE`", self.text(t));
                let d = d.label(form);
                Err(Box::new(match rest {
                    [name, between, value, ..]
                        if name.kind == Kind::Name && between.kind == Kind::Comma =>
                    {
                        let (name, word) = (self.text(name), self.text(t));
                        d.help(format!("write `{name} {word} {}`", clip(self.text(value))))
                    }
                    _ => d,
                }))
            }
            D::End => self.end(rest),
            D::Public => Ok(()),
            D::Budget => self.budget(t, rest),
            D::Column => self.table_column(t, rest),
            D::FullPage => self.full_page(t, rest),
            D::ReserveRoom => self.reserve_room(t, rest),
            D::Cells => self.cells(t, rest),
            D::Initialise => self.initialise(t),
            D::RomTable => self.open_table(t, rest),
            D::EndTable => self.close_table(t),
            D::SamePage => self.same_page(t, rest),
            D::Slot => self.slot(t, rest),
            D::Contract(kind) => self.contract(kind, t, rest),
            D::Machine => self.machine(t, rest),
            D::Seek => self.seek(t, rest),
            D::Dialect => self.dialect_directive(t, rest),
            D::Define => self.define_register(t, rest),
            D::Undefine if self.dialect.names.names_behind => self.forget(t, rest),
            D::Undefine => self.undefine_register(t, rest),
            D::Segment(n) => self.segment(n, t, rest),
            D::Quads => self.items(t, rest, 8),
            D::Device => self.device(t, rest),
            D::Reserve => self.reserve(t, rest),
            D::Listing => Ok(()),
            D::Overlap | D::NoOverlap => {
                self.may_overlap(d == D::Overlap);
                Ok(())
            }
            D::CodeSize => self.code_size(t, rest),
            D::DefineText => self.define_constant(t, rest),
            D::Pragma => Ok(()),
            D::Own(n) => {
                let hooks = self.own.hooks;
                hooks.directive(self, n, t, rest)
            }
        }
    }
}
