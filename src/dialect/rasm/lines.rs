//! A line: cut at colons; each piece is an assignment, a word of its own, a macro, an
//! instruction, or a label with another statement behind it.

use super::state::State;
use super::words::{Word, word};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Miss;
use crate::program::fractions;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::words::Entry;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};
use smallvec::SmallVec;

/// First and last token of each piece of a line.
pub type Pieces = SmallVec<[(usize, usize); 4]>;

/// How many labels may stand before a statement.
const LABELS: usize = 16;

impl Assembler<'_> {
    /// The pieces of a line between its colons, without those that are empty.
    pub(super) fn rasm_pieces(&self, toks: &[Tok]) -> Pieces {
        let mut out = Pieces::new();
        let mut start = 0;
        for (k, t) in toks.iter().enumerate() {
            if t.kind == Kind::Colon {
                if k > start {
                    out.push((start, k));
                }
                start = k + 1;
            }
        }
        if start < toks.len() {
            out.push((start, toks.len()));
        }
        out
    }

    /// What a token is among the words.
    #[inline]
    pub(super) fn rasm_entry(&self, t: &Tok) -> Entry {
        match t.kind {
            Kind::Name => self.words.get(self.sources.slice(t.span)),
            _ => Entry::default(),
        }
    }

    /// The word of its own that a piece begins with, also behind labels.
    pub(super) fn rasm_head(&self, toks: &[Tok]) -> Option<Word> {
        for t in toks.iter().take(LABELS) {
            let entry = self.rasm_entry(t);
            if let Some(w) = word(entry.directive) {
                return Some(w);
            }
            if entry.mnemonic != 0 || !matches!(t.kind, Kind::Name | Kind::At) {
                return None;
            }
        }
        None
    }

    /// Assembles a line.
    pub(super) fn rasm_line(&mut self, toks: &[Tok]) -> Outcome<()> {
        self.rasm_leave_frames();
        if let [t] = toks
            && t.kind == Kind::Comment
        {
            return self.rasm_end_of_round(t);
        }
        let pieces = self.rasm_pieces(toks);
        if let [(a, b)] = pieces[..] {
            return self.rasm_piece(&toks[a..b]);
        }
        for (k, &(a, b)) in pieces.iter().enumerate() {
            let depth = self.lines.feeds.len();
            let rest = &pieces[k + 1..];
            let part = &toks[a..b];
            if !rest.is_empty() && self.rasm_leads_away(part) {
                // What it reads comes before the rest of the line.
                self.rasm_rest(toks, rest);
                return self.rasm_piece(part);
            }
            if let Err(d) = self.rasm_piece(part) {
                self.report(d);
            }
            self.memo.not_again();
            if self.lines.feeds.len() < depth || self.fatal {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether a piece of a line may bring other lines.
    fn rasm_leads_away(&self, toks: &[Tok]) -> bool {
        if !self.lines.active() {
            return false;
        }
        let braces = toks.iter().any(|t| t.kind == Kind::CurlyOpen);
        let word = self.rasm_head(toks);
        let leads = |w| {
            matches!(
                w,
                Word::Include
                    | Word::Macro
                    | Word::Repeat
                    | Word::While
                    | Word::Struct
                    | Word::Enum
                    | Word::Stop
                    | Word::Fail
            )
        };
        if word.is_some_and(leads) || braces {
            return true;
        }
        let labels = toks.iter().take(LABELS);
        labels
            .take_while(|t| matches!(t.kind, Kind::Name | Kind::At))
            .any(|t| self.rasm_macro(t).is_some())
    }

    /// Assembles a piece of a line.
    fn rasm_piece(&mut self, toks: &[Tok]) -> Outcome<()> {
        if !self.lines.active() {
            return self.rasm_skipped(toks);
        }
        if !toks.iter().any(|t| t.kind == Kind::CurlyOpen) {
            return self.rasm_statement(toks);
        }
        match self.rasm_tagged(toks)? {
            None => self.rasm_statement(toks),
            Some(made) => {
                let done = self.rasm_statement(&made);
                // It may be another statement the next time.
                self.memo.not_again();
                done
            }
        }
    }

    fn rasm_statement(&mut self, toks: &[Tok]) -> Outcome<()> {
        let mut toks = match toks {
            // A comma behind the last operand is not read.
            [.., last, comma] if comma.kind == Kind::Comma && last.kind != Kind::Comma => {
                &toks[..toks.len() - 1]
            }
            _ => toks,
        };
        for _ in 0..LABELS {
            let Some(&t) = toks.first() else {
                return Ok(());
            };
            self.mark_here();
            if !matches!(t.kind, Kind::Name | Kind::At) {
                return Err(match t.kind {
                    Kind::Bad => self.bad_token(&t),
                    _ => self.no_statement(&t),
                });
            }
            let entry = self.rasm_entry(&t);
            let own = word(entry.directive);
            let reserved = own.is_some() || entry.mnemonic != 0;
            if let Some(done) = self.rasm_assignment(toks, reserved) {
                return done;
            }
            if let Some(w) = own {
                return self.rasm_directive(w, &t, &toks[1..]);
            }
            if entry.mnemonic != 0 {
                if self.own.get::<State>().structure.is_some() {
                    let message = "an instruction cannot stand in a struct";
                    let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                    return Err(Box::new(d));
                }
                return self.rasm_instruction(entry.mnemonic - 1, toks);
            }
            if let Some(m) = self.rasm_macro(&t) {
                return self.rasm_call(&m, &toks[1..]);
            }
            // A label; but what has operands behind it was hardly meant as one.
            let comma = toks.iter().any(|t| t.kind == Kind::Comma);
            if let Some(next) = toks.get(1)
                && (self.rasm_head(toks).is_none() && comma || next.kind == Kind::Comma)
                && !self.rasm_is_statement(&toks[1..])
            {
                return Err(self.unknown_statement(&t, toks));
            }
            if let Some(next) = toks.get(1)
                && !matches!(next.kind, Kind::Name | Kind::At)
            {
                return Err(self.unknown_statement(&t, toks));
            }
            self.rasm_label(&t)?;
            toks = &toks[1..];
        }
        // As many labels as a line may have, and maybe more.
        toks.first().map_or(Ok(()), |t| Err(self.no_statement(t)))
    }

    /// Whether what stands behind a label is a statement.
    fn rasm_is_statement(&self, toks: &[Tok]) -> bool {
        toks.first().is_some_and(|t| {
            let entry = self.rasm_entry(t);
            entry.mnemonic != 0 || entry.directive.is_some() || self.rasm_macro(t).is_some()
        })
    }

    fn rasm_instruction(&mut self, mnemonic: u16, toks: &[Tok]) -> Outcome<()> {
        if self.rasm_several(mnemonic, toks)? {
            self.memo.not_again();
            return Ok(());
        }
        self.instruction(mnemonic, toks, 1)
    }

    /// `name = v`, `name += v`, `name equ v`; `None` where it is something else.
    fn rasm_assignment(&mut self, toks: &[Tok], reserved: bool) -> Option<Outcome<()>> {
        let (name, next) = (toks[0], toks.get(1)?);
        if next.kind == Kind::Name {
            let text = self.sources.slice(next.span);
            let equ = text.len() == 3 && text.eq_ignore_ascii_case("equ") && !reserved;
            return equ.then(|| self.rasm_alias(&name, &toks[2..]));
        }
        let joined = next.span.start == name.span.end;
        if reserved && !joined {
            return None;
        }
        let operator = match next.kind {
            Kind::Equal => return Some(self.rasm_variable(&name, None, &toks[2..])),
            Kind::Plus
            | Kind::Minus
            | Kind::Star
            | Kind::Slash
            | Kind::Caret
            | Kind::Amp
            | Kind::Pipe
            | Kind::Percent
            | Kind::ShiftLeft
            | Kind::ShiftRight => *next,
            _ => return None,
        };
        let equal = toks.get(2)?;
        let is_one = equal.kind == Kind::Equal && equal.span.start == operator.span.end;
        is_one.then(|| self.rasm_variable(&name, Some(operator), &toks[3..]))
    }

    /// `name equ value`.
    fn rasm_alias(&mut self, name: &Tok, value: &[Tok]) -> Outcome<()> {
        let id = self.rasm_defined(name, false)?;
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        let meaning = match v.expression() {
            None => Meaning::Number(v.number().unwrap_or(0)),
            Some(_) if v.number().is_some() => Meaning::Number(v.number().unwrap_or(0)),
            Some(e) => Meaning::Expr(e),
        };
        self.define(id, meaning, name.span, false)?;
        self.symbols.get_mut(id).formula = v.expression().filter(|_| v.number().is_some());
        Ok(())
    }

    /// `name = value`, and with an operator before the sign.
    pub(super) fn rasm_variable(
        &mut self,
        name: &Tok,
        operator: Option<Tok>,
        value: &[Tok],
    ) -> Outcome<()> {
        let text = self.text(name);
        if text.starts_with(['.', '@']) {
            let message = format!("`{text}` is no name for a variable");
            let d = Diagnostic::new(codes::SYNTAX, message).at(name.span);
            return Err(Box::new(d.help("it begins with a letter or `_`")));
        }
        let key = text.to_owned();
        self.rasm_check_name(&key, name.span, false)?;
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value").at(name.span);
            return Err(Box::new(d));
        }
        let id = self.symbols.intern(&key);
        self.own.get_mut::<State>().exact = true;
        let v = match operator {
            None => self.rasm_number(value, "the value"),
            Some(o) => self.rasm_changed(name, o, value),
        };
        self.own.get_mut::<State>().exact = false;
        let meaning = self.rasm_meaning(v?);
        self.define(id, meaning, name.span, true)
    }

    /// What a variable is behind an operator and a value.
    fn rasm_changed(&mut self, name: &Tok, operator: Tok, value: &[Tok]) -> Outcome<f64> {
        let mut a = self.rasm_number(std::slice::from_ref(name), "the variable")?;
        let mut b = self.rasm_number(value, "the value")?;
        let (op, whole) = match operator.kind {
            Kind::Plus => (Binary::Add, false),
            Kind::Minus => (Binary::Sub, false),
            Kind::Star => (Binary::Mul, false),
            Kind::Slash => (Binary::Div, false),
            Kind::Caret => (Binary::Xor, true),
            Kind::Amp => (Binary::And, true),
            Kind::Pipe => (Binary::Or, true),
            Kind::Percent => (Binary::Mod, true),
            Kind::ShiftLeft => (Binary::Shl, true),
            _ => (Binary::Shr, true),
        };
        // Here, other than in values, fractions are cut off.
        if whole {
            (a, b) = (a.trunc(), b.trunc());
        }
        let v = fractions::binary(op, a, b, 1.0);
        v.ok_or_else(|| self.miss(Miss::DivideByZero, operator.span).into())
    }

    /// Does what a directive says.
    pub(super) fn rasm_directive(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        match w {
            Word::Org => self.rasm_org(t, rest),
            Word::Align => self.rasm_align(t, rest),
            Word::Confine => self.rasm_confine(t, rest),
            Word::Limit => self.rasm_limit(t, rest),
            Word::Protect => self.rasm_protect(t, rest),
            Word::NoCode => self.rasm_no_code(t, rest),
            Word::Code => self.rasm_code(t, rest),
            Word::Bytes => self.rasm_bytes(t, rest),
            Word::Values(size) => self.rasm_values(t, rest, size),
            Word::Reals(format) => self.rasm_reals(format, t, rest),
            Word::Marked => self.rasm_marked(t, rest),
            Word::Room => self.rasm_room(t, rest),
            Word::Charset => self.rasm_charset(t, rest),
            Word::Include => self.include(t, rest),
            Word::Incbin => self.rasm_incbin(t, rest),
            Word::If(asks) => self.rasm_if(asks, t, rest),
            Word::ElseIf(wanted) => self.rasm_else_if(wanted, t, rest),
            Word::Else => self.rasm_else(t),
            Word::EndIf => self.rasm_end_if(t),
            Word::Switch => self.rasm_switch(t, rest),
            Word::Case => self.rasm_case(t, rest),
            Word::Default => self.rasm_default(t),
            Word::Break => self.rasm_break(t),
            Word::EndSwitch => self.rasm_end_switch(t),
            Word::Macro => self.rasm_define_macro(t, rest),
            Word::EndMacro => self.stray(t, "a macro"),
            Word::Repeat => self.rasm_repeat(t, rest),
            Word::EndRepeat | Word::Until => self.stray(t, "a `repeat`"),
            Word::While => self.rasm_while(t, rest),
            Word::EndWhile => self.stray(t, "a `while`"),
            Word::Counting => self.rasm_counting(t, rest),
            Word::Enum => self.rasm_enum(t, rest),
            Word::Struct => self.rasm_struct(t, rest),
            Word::EndStruct => self.rasm_end_struct(t),
            Word::Module => self.rasm_module(t, rest),
            Word::EndModule => self.rasm_module(t, &[]),
            Word::Let => match rest {
                [name, equal, value @ ..] if equal.kind == Kind::Equal => {
                    self.rasm_variable(name, None, value)
                }
                _ => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected `NAME = VALUE`").at(t.span);
                    Err(Box::new(d))
                }
            },
            Word::Undefine => self.rasm_undefine(t, rest),
            Word::Assert => self.rasm_assert(t, rest),
            Word::Print => self.rasm_print(rest),
            Word::Fail => self.rasm_fail(rest),
            Word::Stop => {
                self.lines.conditions.clear();
                self.end(&[])
            }
            Word::Run => self.rasm_run(t, rest),
            Word::Bank(set) => self.rasm_bank(set, t, rest),
            Word::BuildCartridge => self.rasm_build(super::banks::CARTRIDGE, t, rest),
            Word::BuildSnapshot => self.rasm_build(super::banks::SNAPSHOT, t, rest),
            Word::Save => self.rasm_save(t, rest),
            Word::Instead => self.rasm_own_instruction(t, rest),
            Word::Ignored => Ok(()),
            Word::Refused(why) => {
                let message = format!("`{}` is not done by scrimp", self.text(t));
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(t.span);
                Err(Box::new(d.help(why)))
            }
        }
    }
}
