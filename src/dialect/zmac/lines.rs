//! A line: cut at backslashes, then label, value, macro, directive or instruction.

use super::state::State;
use super::words::{Asks, EARLY, Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::state::feeds::FeedKind;
use crate::read::syntax::operand::split;
use crate::text::language::{Binary, Directive};
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// `name := value`, which is a label and an `=`.
fn apart(toks: &[Tok], at: usize) -> Vec<Tok> {
    let mut made = toks.to_vec();
    let span = made[at].span;
    let between = span.start + 1;
    made[at] = Tok {
        kind: Kind::Equal,
        span: Span::new(span.source, between, span.end),
    };
    let colon = Tok {
        kind: Kind::Colon,
        span: Span::new(span.source, span.start, between),
    };
    made.insert(at, colon);
    made
}

/// What a piece begins with.
#[derive(Clone, Copy, Default)]
pub struct Head {
    /// Tokens of the label with its colons.
    pub taken: usize,
    /// The word behind it.
    pub word: Option<Word>,
}

impl Assembler<'_> {
    /// Assembles a line.
    pub(super) fn zmac_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        let cut = toks.iter().any(|t| t.kind == Kind::Backslash);
        if !cut || self.zmac_head(toks).word == Some(Word::Macro) {
            return self.zmac_piece(toks);
        }
        let mut rest = toks;
        loop {
            let end = rest.iter().position(|t| t.kind == Kind::Backslash);
            let (piece, more) = match end {
                Some(i) => (&rest[..i], &rest[i + 1..]),
                None => (rest, &[][..]),
            };
            let head = self.zmac_head_of(piece);
            let reads_on = head.word.is_some_and(|w| w.reads_on())
                || piece
                    .get(head.taken)
                    .is_some_and(|t| self.zmac_macro(t).is_some());
            if reads_on && !more.is_empty() && self.lines.active() {
                // What it brings comes before the rest of the line.
                self.read_pieces(more, Kind::Backslash);
                return self.zmac_piece(piece);
            }
            if !piece.is_empty()
                && let Err(d) = self.zmac_piece(piece)
            {
                self.report(d);
            }
            self.memo.not_again();
            if more.is_empty() || self.fatal {
                return Ok(());
            }
            rest = more;
        }
    }

    /// Whether a token stands where a line or a piece of one begins.
    fn zmac_at_margin(&self, t: &Tok) -> bool {
        let at = t.span.start as usize;
        let text = self.sources.get(t.span.source).text.as_bytes();
        at == 0 || matches!(text.get(at - 1), Some(b'\n' | b'\\'))
    }

    /// A token that is a name to zmac and a number to the lexer: `1x`, `2$`.
    pub(super) fn zmac_odd_name(&self, t: &Tok) -> Option<Tok> {
        let text = self.sources.slice(t.span);
        if text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let rules = &self.dialect.values.numbers;
        if t.kind == Kind::Dollar && t.span.end - t.span.start > 1 && self.zmac_at_margin(t) {
            return Some(Tok {
                kind: Kind::Name,
                span: t.span,
            });
        }
        let odd = t.kind == Kind::Number
            && crate::read::syntax::literal::number(text, rules).is_err()
            && !text.bytes().all(|b| b.is_ascii_hexdigit());
        odd.then_some(Tok {
            kind: Kind::Name,
            span: t.span,
        })
    }

    fn zmac_is_name(&self, t: &Tok) -> bool {
        match t.kind {
            Kind::Name => true,
            Kind::At | Kind::Question => t.span.end - t.span.start > 1,
            Kind::Number | Kind::Dollar => self.zmac_odd_name(t).is_some(),
            _ => false,
        }
    }

    pub(super) fn zmac_word(&self, t: &Tok) -> Option<Word> {
        word(self.directive_named(Some(t)))
    }

    /// Whether a token is an instruction, a directive or a macro.
    fn zmac_is_verb(&self, t: &Tok) -> bool {
        if t.kind != Kind::Name {
            return false;
        }
        let e = self.words.get(self.sources.slice(t.span));
        e.mnemonic != 0 || e.directive.is_some()
    }

    /// Whether a blank stands behind a token.
    fn zmac_blank_behind(&self, t: &Tok) -> bool {
        let text = self.sources.get(t.span.source).text.as_bytes();
        matches!(text.get(t.span.end as usize), Some(b' ' | b'\t'))
    }

    /// Tokens of the label that a piece begins with, with its colons; 0 for none.
    fn zmac_label(&self, toks: &[Tok]) -> usize {
        let first = &toks[0];
        if !self.zmac_is_name(first) {
            return 0;
        }
        let colon = |i: usize| toks.get(i).is_some_and(|t| t.kind == Kind::Colon);
        if colon(1) {
            return 2 + usize::from(colon(2));
        }
        let Some(second) = toks.get(1) else {
            let known = self.zmac_is_verb(first) || self.zmac_macro(first).is_some();
            return usize::from(!known);
        };
        let next = self.zmac_word(second);
        if next == Some(Word::Macro) {
            return 1;
        }
        if self.zmac_macro(first).is_some() {
            return 0;
        }
        if self.zmac_at_margin(first) {
            let text = self.sources.slice(first.span);
            let plain = text.strip_prefix('.').unwrap_or(text);
            let early = EARLY.iter().any(|w| w.eq_ignore_ascii_case(plain));
            return usize::from(!early);
        }
        // Three words of which the second is an instruction or directive: the first is a
        // label, whatever it is elsewhere.
        let three = toks.len() > 2
            && self.zmac_is_verb(second)
            && self.zmac_blank_behind(first)
            && self.zmac_blank_behind(second);
        usize::from(three || !self.zmac_is_verb(first))
    }

    fn zmac_head_of(&self, piece: &[Tok]) -> Head {
        match piece.is_empty() {
            true => Head::default(),
            false => self.zmac_head(piece),
        }
    }

    /// What a piece begins with.
    pub(super) fn zmac_head(&self, toks: &[Tok]) -> Head {
        let taken = self.zmac_label(toks);
        let word = toks.get(taken).and_then(|t| self.zmac_word(t));
        Head { taken, word }
    }

    pub(super) fn zmac_piece(&mut self, toks: &[Tok]) -> Outcome<()> {
        let joined = |i: usize| toks.get(i).is_some_and(|t| t.kind == Kind::ColonEqual);
        if let Some(i) = (1..=2).find(|&i| joined(i)) {
            return self.zmac_piece(&apart(toks, i));
        }
        let first = &toks[0];
        if first.kind == Kind::Star && self.zmac_at_margin(first) {
            return self.zmac_starred(toks);
        }
        if first.kind == Kind::Bad && self.zmac_at_margin(first) && self.text(first) == "\0" {
            // It ends the source, also in a file that another includes.
            self.not_read(first.span);
            return self.end(&[]);
        }
        let head = self.zmac_head(toks);
        let rest = &toks[head.taken..];
        if !self.lines.active() {
            return self.zmac_skipped(head.word, rest);
        }
        self.mark_here();
        if head.taken == 0 {
            return self.zmac_statement(rest);
        }
        let label = self.zmac_odd_name(first).unwrap_or(*first);
        let Some(t) = rest.first() else {
            return self.define_label(&label);
        };
        match head.word {
            Some(Word::Equ) => return self.zmac_equ(&label, &rest[1..]),
            Some(Word::Extreme(most)) => return self.zmac_extreme(&label, t, &rest[1..], most),
            Some(Word::Macro) => {
                let done = self.zmac_macro_named(&label, t, &rest[1..]);
                self.memo.renew();
                return done;
            }
            // `set` with a comma behind is the instruction.
            Some(Word::Set) if split(&rest[1..]).len() < 2 => {
                return self.zmac_set(&label, &rest[1..]);
            }
            _ => {}
        }
        if self.zmac_changed(&label, rest)? {
            return Ok(());
        }
        self.define_label(&label)?;
        self.zmac_statement(rest)
    }

    /// `*include name` in column 1.
    fn zmac_starred(&mut self, toks: &[Tok]) -> Outcome<()> {
        let Some(t) = toks.get(1).filter(|_| self.lines.active()) else {
            return Ok(());
        };
        let is = |w: &str| self.text(t).eq_ignore_ascii_case(w);
        if is("include") || is("get") {
            return self.include(t, &toks[2..]);
        }
        if is("list") || is("mod") {
            return Ok(());
        }
        Err(self.no_statement(&toks[0]))
    }

    /// A piece in the branch that is not taken.
    fn zmac_skipped(&mut self, w: Option<Word>, rest: &[Tok]) -> Outcome<()> {
        match w {
            Some(Word::If(_)) => self.open_condition(false, false, &rest[0]),
            Some(Word::Else) => self.other_branch(Directive::Else, &rest[0], &[]),
            Some(Word::EndIf) => self.close_if(&rest[0]),
            _ => Ok(()),
        }
    }

    /// What stands behind a label.
    fn zmac_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let t = &toks[0];
        if let Some(m) = self.zmac_macro(t) {
            return self.zmac_call(&m, toks);
        }
        let text = self.sources.slice(t.span);
        let entry = match t.kind {
            Kind::Name => self.words.get(text),
            _ => crate::read::words::Entry::default(),
        };
        if entry.mnemonic != 0 && !(entry.directive.is_some() && split(&toks[1..]).len() < 2) {
            self.check_code_here(t)?;
            let restart = text.eq_ignore_ascii_case("rst");
            if restart && self.zmac_restart(toks)? {
                return Ok(());
            }
            let mnemonic = self.zmac_meant(entry.mnemonic - 1, &toks[1..]);
            let done = self.instruction(mnemonic, toks, 1);
            if restart {
                // The next number may be one of the eight.
                self.memo.outlined = None;
            }
            return done;
        }
        if let Some(w) = word(entry.directive) {
            return self.zmac_directive(w, t, &toks[1..]);
        }
        match t.kind {
            Kind::Name => {
                let key = self.key(self.text(t)).into_owned();
                self.again.miss_word(key);
                Err(self.unknown_statement(t, toks))
            }
            _ => Err(self.no_statement(t)),
        }
    }

    /// `rst 1`: 1 to 7 are the numbers of the eight.
    fn zmac_restart(&mut self, toks: &[Tok]) -> Outcome<bool> {
        if toks.len() < 2 {
            return Ok(false);
        }
        let v = self.whole_expression(&toks[1..])?;
        let Some(n @ 1..8) = v.number() else {
            return Ok(false);
        };
        let made = self.made_line(&format!("rst {}", n * 8))?;
        let entry = self.words.get("rst");
        self.instruction(entry.mnemonic - 1, &made, 1)?;
        self.memo.not_again();
        Ok(true)
    }

    /// `x = v`, `x += v`, `x++`; false if it is none of them.
    fn zmac_changed(&mut self, name: &Tok, rest: &[Tok]) -> Outcome<bool> {
        let op = match rest[0].kind {
            Kind::Equal => {
                self.zmac_set(name, &rest[1..])?;
                return Ok(true);
            }
            Kind::Plus => Binary::Add,
            Kind::Minus => Binary::Sub,
            Kind::Star => Binary::Mul,
            Kind::Slash => Binary::Div,
            Kind::Percent => Binary::Mod,
            Kind::Amp => Binary::And,
            Kind::Pipe => Binary::Or,
            Kind::Caret => Binary::Xor,
            Kind::ShiftLeft => Binary::Shl,
            Kind::ShiftRight => Binary::Shr,
            Kind::AndAnd => Binary::LogicAnd,
            Kind::OrOr => Binary::LogicOr,
            _ => return Ok(false),
        };
        let by = match &rest[1..] {
            [e, by @ ..] if e.kind == Kind::Equal => self.known_here(name, by, "the value")?,
            [again] if again.kind == rest[0].kind && op == Binary::Add => 1,
            [again] if again.kind == rest[0].kind && op == Binary::Sub => 1,
            _ => return Ok(false),
        };
        let before = self.known_here(name, std::slice::from_ref(name), "the value")?;
        let v = match crate::program::eval::binary(op, before, by, self.dialect) {
            Ok(v) => v,
            Err(m) => return Err(Box::new(self.miss(m, name.span))),
        };
        let (id, _) = self.label_symbol(name)?;
        self.define(id, Meaning::Number(v), name.span, true)?;
        Ok(true)
    }

    /// `x defl v`.
    fn zmac_set(&mut self, name: &Tok, value: &[Tok]) -> Outcome<()> {
        self.equ(name, value, true)
    }

    /// `x equ v`: the same value may be said again; a register's name gives it another.
    fn zmac_equ(&mut self, name: &Tok, value: &[Tok]) -> Outcome<()> {
        if let [one] = value
            && one.kind == Kind::Name
            && self.words.get(self.sources.slice(one.span)).word != 0
        {
            self.memo.renew();
            let number = self.word_of(one);
            let key = self.register_key(name);
            self.again.name_register(&key, number);
            self.naming.register_names.insert(key, (number, name.span));
            return Ok(());
        }
        if self.said_before(name, value)? {
            return Ok(());
        }
        self.equ(name, value, false)
    }

    /// `x max a,b`.
    fn zmac_extreme(&mut self, name: &Tok, t: &Tok, rest: &[Tok], most: bool) -> Outcome<()> {
        let [a, b] = self.zmac_two(t, rest)?;
        let v = if most { a.max(b) } else { a.min(b) };
        let (id, _) = self.label_symbol(name)?;
        self.define(id, Meaning::Number(v), name.span, true)
    }

    /// Two values that must be known.
    fn zmac_two(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<[i64; 2]> {
        let [(a, b), (c, d)] = split(rest)[..] else {
            let message = format!("expected two values behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let first = self.known_here(t, &rest[a as usize..b as usize], "the value")?;
        let second = self.known_here(t, &rest[c as usize..d as usize], "the value")?;
        Ok([first, second])
    }

    /// `if` and its like.
    fn zmac_if(&mut self, asks: Asks, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = match asks {
            Asks::Pass => Ok(true),
            Asks::True => self.known_here(t, rest, "the condition").map(|v| v != 0),
            Asks::False => self.known_here(t, rest, "the condition").map(|v| v == 0),
            Asks::Compares(taken) => self
                .zmac_two(t, rest)
                .map(|[a, b]| taken[(a.cmp(&b) as i8 + 1) as usize]),
            Asks::Defined | Asks::Undefined => self
                .zmac_defined(t, rest)
                .map(|d| d == (asks == Asks::Defined)),
        };
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    fn zmac_defined(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        match rest.first() {
            Some(n) if self.zmac_is_name(n) => {
                let name = self.zmac_odd_name(n).unwrap_or(*n);
                Ok(self.zmac_macro(&name).is_some() || self.is_defined(&name)?)
            }
            _ => self.one_name(t, rest).map(|_| false),
        }
    }

    /// Does what a directive says.
    pub(super) fn zmac_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match w {
            Word::Org => self.zmac_org(t, rest),
            Word::Data(size) => {
                self.own.get_mut::<State>().clocks.data = true;
                let done = self.zmac_data(t, rest, size);
                self.own.get_mut::<State>().clocks.data = false;
                done
            }
            Word::High => self.zmac_high(t, rest),
            Word::Room => self.zmac_room(t, rest),
            Word::Phase => self.zmac_phase(t, rest),
            Word::Dephase => match self.own.get::<State>().phase {
                Some(_) => {
                    self.zmac_end_phase();
                    Ok(())
                }
                None => self.stray(t, "a `phase`"),
            },
            Word::Equ | Word::Set | Word::Extreme(_) | Word::Macro => {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name before this").at(t.span);
                let form = format!("it is written `NAME {} …`", self.text(t));
                Err(Box::new(d.label(form)))
            }
            Word::EndMacro => {
                if !self.in_expansion() {
                    let message = "an `endm` without a macro or repeat does nothing";
                    let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
                    self.report(Box::new(d));
                }
                Ok(())
            }
            Word::ExitMacro => self.leave_expansion(t),
            Word::Repeat => self.zmac_repeat(t, rest),
            Word::ForEach => self.zmac_for_each(t, rest, false),
            Word::ForEachCharacter => self.zmac_for_each(t, rest, true),
            Word::Local => {
                let d = Diagnostic::new(codes::MISPLACED, "`local` stands at the start of a macro");
                Err(Box::new(d.at(t.span)))
            }
            Word::If(asks) => self.zmac_if(asks, t, rest),
            Word::Else => self.other_branch(Directive::Else, t, rest),
            Word::EndIf => self.close_if(t),
            Word::Include => {
                let before = self.lines.feeds.len();
                self.include(t, rest)?;
                if self.lines.feeds.len() > before {
                    self.postpone_file();
                }
                Ok(())
            }
            Word::Library => self.zmac_library(t, rest),
            Word::Import => self.zmac_import(t, rest),
            Word::Incbin => self.incbin(t, rest),
            Word::Comment => self.zmac_comment(t),
            Word::Assert => self.assert(t, rest),
            Word::End => self.end_of_file(rest),
            Word::Cpu(name) => {
                self.zmac_cpu(name);
                Ok(())
            }
            Word::Clocks(fetches) => self.zmac_set_clocks(t, rest, fetches),
            Word::Ignored => Ok(()),
            Word::Jumps(why) => match self.known_here(t, rest, "the switch")? {
                0 => Ok(()),
                _ => self.zmac_refused(t, why),
            },
            Word::Refused(why) => self.zmac_refused(t, why),
        }
    }

    fn zmac_refused(&mut self, t: &Tok, why: &'static str) -> Outcome<()> {
        let message = format!("`{}` is not done by scrimp", self.text(t));
        let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
        Err(Box::new(d.help(why)))
    }

    /// The words of the other CPU come first from here on.
    fn zmac_cpu(&mut self, name: &str) {
        if let Some(d) = super::super::by_name(name) {
            self.memo.renew();
            self.words = crate::read::words::Words::new(self.job.target, d);
        }
    }

    /// The file's name that a directive says, without quotes.
    fn zmac_file(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<String> {
        let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
            let message = format!("expected the name of a file behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let text = self.sources.slice(Span::new(
            first.span.source,
            first.span.start,
            last.span.end,
        ));
        let name = text.split_whitespace().next().unwrap_or("");
        Ok(name.trim_matches(['"', '\'']).to_owned())
    }

    /// `maclib name`: the file `name.lib`.
    fn zmac_library(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.zmac_file(t, rest)?;
        let made = self.made_line(&format!("maclib '{name}.lib'"))?;
        self.include(&made[0], &made[1..])
    }

    /// `import name`: once.
    fn zmac_import(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.zmac_file(t, rest)?;
        let file = name.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
        if !self.own.get_mut::<State>().imported.insert(file) {
            return Ok(());
        }
        self.include(t, rest)
    }

    /// `comment X`: lines up to one that begins with X.
    fn zmac_comment(&mut self, t: &Tok) -> Outcome<()> {
        let text = &self.sources.get(t.span.source).text[t.span.end as usize..];
        let line = text.split('\n').next().unwrap_or("").trim_start();
        let Some(mark) = line.chars().next() else {
            let d = Diagnostic::new(codes::SYNTAX, "expected the sign that ends the comment");
            return Err(Box::new(d.at(t.span)));
        };
        let Some(FeedKind::File { source, at }) = self.lines.feeds.last_mut().map(|f| &mut f.kind)
        else {
            let d = Diagnostic::new(codes::MISPLACED, "a comment of lines stands in a file");
            return Err(Box::new(d.at(t.span)));
        };
        let text = &self.program.sources.get(*source).text;
        for line in text[*at..].split_inclusive('\n') {
            *at += line.len();
            if line.trim_start().starts_with(mark) {
                return Ok(());
            }
        }
        let d = Diagnostic::new(
            codes::UNCLOSED_BLOCK,
            format!("this comment has no `{mark}`"),
        );
        Err(Box::new(d.at(t.span)))
    }
}
