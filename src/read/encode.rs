//! Instructions: choosing the form for the operands as written.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::NONE;
use crate::program::eval::Op;
use crate::program::fit::Fit;
use crate::program::item::{Encoding, GapAt, Given, What, whole};
use crate::program::symbol::ExprId;
use crate::program::{Field, Later, Outcome, Part, Value};
use crate::read::Assembler;
use crate::read::state::memo::Outlined;
use crate::read::syntax::operand::Argument;
use crate::read::words::Reading;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use scrimp_isa::{Base, Outline};
use smallvec::SmallVec;

/// The operands of an instruction while a form is looked for.
struct Operands<'a> {
    mnemonic: u16,
    toks: &'a [Tok],
    args: &'a [Argument],
    /// A value is parsed once, whichever form takes it.
    values: [Option<Value>; MAX_OPERANDS],
}

impl Assembler<'_> {
    /// Assembles an instruction: `toks` is the whole statement, operands start
    /// at `from`.
    pub fn instruction(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<()> {
        if self.asked.slices.is_none() {
            return self.instruction_here(mnemonic, toks, from);
        }
        self.gap(GapAt::Before);
        self.mark_here();
        self.place_contracts();
        let done = self.instruction_here(mnemonic, toks, from);
        self.gap(GapAt::Behind);
        done
    }

    /// The finding for a value that does not fit a class, or that fits only because
    /// sixteen bits do not show a sign.
    fn misfit_as_written(&self, class: u8, fit: Fit, value: i64, span: Span) -> Option<Diagnostic> {
        let spec = self.operands[class as usize].value;
        let is_byte = spec.is_some_and(|s| {
            s.min >= -128 && s.max <= 255 && !matches!(s.base, Base::Relative { .. })
        });
        let fit = match fit {
            Fit::Yes(bits) if is_byte && self.is_written_high(span) => Fit::Cut(bits),
            Fit::Yes(_) => return None,
            fit => fit,
        };
        self.misfit(class, fit, value, span)
    }

    /// Says that the dialect's own tool does not read what is there.
    pub(crate) fn not_read(&mut self, span: Span) {
        let message = format!("ignored, as {} does", self.dialect.title);
        self.report(Box::new(
            Diagnostic::new(codes::PEER_CODE, message).at(span),
        ));
    }

    fn instruction_here(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<()> {
        let most = self.words.mnemonics[mnemonic as usize].most;
        let mut toks = toks;
        if !self.dialect.operands.ignored_operands.is_empty()
            && let [_, .., last] = &toks[from..]
            && last.kind == Kind::Comma
        {
            // Such a tool reads nothing behind the operands.
            self.not_read(last.span);
            toks = &toks[..toks.len() - 1];
        }
        let mut args = self.arguments(&toks[from..], from as u32)?;
        if let Some(most) = most.map(usize::from)
            && args.len() > most
        {
            self.not_read(args[most].span);
            args.truncate(most);
        }
        let tries = &self.words.mnemonics[mnemonic as usize].tries;
        if !tries.is_empty() {
            let tries = tries.clone();
            return self.relaxing(mnemonic, &tries, toks, &args);
        }
        let hooks = self.own.hooks;
        let named = hooks.operands(self, mnemonic, toks, &mut args)?;
        let mut enc = Choice::default();
        let mut found = self.choose(mnemonic, toks, &args, &mut enc)?;
        if !found && let Some((k, other, note)) = hooks.other_operand(self, &args) {
            let written = std::mem::replace(&mut args[k], other);
            found = self.choose(mnemonic, toks, &args, &mut enc)?;
            if found {
                self.report(Box::new(note));
            } else {
                args[k] = written;
            }
        }
        if !found {
            if hooks.other_instruction(self, mnemonic, toks, from)? {
                return Ok(());
            }
            return Err(self.no_form(mnemonic, toks, &args));
        }
        let jumps = self.job.target.is_delayed(enc.word as u16);
        self.memo.fixed = !jumps && self.plain(&enc);
        self.memo.plain = !named && self.memo.fixed;
        self.memo.outlined = match named || jumps {
            true => None,
            false => self.outlined(mnemonic, &enc, toks, &args),
        };
        self.emit_encoding(&enc)
    }

    /// An instruction whose form follows from all but its one value, which is one token.
    fn outlined(
        &self,
        mnemonic: u16,
        enc: &Choice,
        toks: &[Tok],
        args: &[Argument],
    ) -> Option<Outlined> {
        let &[(class, _, span)] = &enc.values[..] else {
            return match enc.values.is_empty() {
                true => self.outlined_register(mnemonic, enc, toks, args),
                false => None,
            };
        };
        let a = args.iter().find(|a| a.span == span && !a.minus)?;
        let &[value] = toks.get(a.value.0 as usize..a.value.1 as usize)? else {
            return None;
        };
        // A value that the form implies would choose another form.
        let classes = &self.words.classes[usize::from(enc.form)];
        let implied = |&c: &u8| {
            self.operands[usize::from(c)]
                .value
                .is_some_and(|v| v.field == 0)
        };
        let other = classes.iter().any(implied) || self.word_of(&value) != 0;
        (!other).then_some(Outlined {
            word: enc.word,
            class,
            value,
            register: false,
        })
    }

    /// An instruction without values whose last operand is a register, where any other of
    /// that class would stand in the same form: no other has as many operands.
    fn outlined_register(
        &self,
        mnemonic: u16,
        enc: &Choice,
        toks: &[Tok],
        args: &[Argument],
    ) -> Option<Outlined> {
        let a = args.last()?;
        let &[value] = toks.get(a.all.0 as usize..a.all.1 as usize)? else {
            return None;
        };
        let classes = &self.words.classes[usize::from(enc.form)];
        let (&class, others) = classes.split_last()?;
        let operand = &self.operands[usize::from(class)];
        let words = operand.words?;
        if a.outline != Outline::Word || operand.second.is_some() || operand.value.is_some() {
            return None;
        }
        self.words.value(class, a.word)?;
        let field = self.forms[usize::from(enc.form)]
            .pattern
            .field(words.field)?;
        // Bits that another operand has too are not this one's alone.
        let shares = |&c: &u8| {
            let o = &self.operands[usize::from(c)];
            let fields = [o.words.map(|w| w.field), o.second.map(|w| w.field)];
            fields.contains(&Some(words.field)) || o.value.is_some_and(|v| v.field == words.field)
        };
        let forms = &self.words.mnemonics[usize::from(mnemonic)].forms;
        let likewise = |&&f: &&u16| self.words.classes[usize::from(f)].len() == args.len();
        let only = forms.iter().filter(likewise).count() == 1;
        if !only || others.iter().any(shares) || self.words.has_twins(mnemonic) {
            return None;
        }
        Some(Outlined {
            word: enc.word & !field.deposit(u64::MAX),
            class,
            value,
            register: true,
        })
    }

    /// The word of an outline with a register in the place of its last; `None` where the
    /// class has no such register, or the instruction is to be looked at.
    pub(crate) fn word_with(
        &self,
        (form, word, class): (u16, u64, u8),
        register: u8,
    ) -> Option<u64> {
        let words = self.operands[usize::from(class)].words?;
        let value = self.words.value(class, register)?;
        let field = self.forms[usize::from(form)].pattern.field(words.field)?;
        let word = word | field.deposit(u64::from(value));
        (!self.job.target.is_delayed(word as u16)).then_some(word)
    }

    /// The instruction of an outline with its value.
    pub(crate) fn with_value(
        &mut self,
        (form, word, class): (u16, u64, u8),
        value: Tok,
        argument: Span,
    ) -> Outcome<()> {
        let v = self.whole_expression(&[value])?;
        let mut enc = Choice {
            form,
            word,
            named: value.kind == Kind::Name,
            ..Choice::default()
        };
        enc.values.push((class, v, argument));
        self.memo.plain = self.plain(&enc);
        self.emit_encoding(&enc)
    }

    /// Whether an instruction is the same bytes wherever it stands: its values are
    /// numbers as written, and none is relative.
    fn plain(&self, enc: &Choice) -> bool {
        let fixed = |&(class, value, _): &(u8, Value, Span)| {
            let base = self.operands[class as usize].value.map(|v| v.base);
            matches!(value, Value::Number(_)) && matches!(base, Some(Base::Absolute))
        };
        !enc.named && enc.values.iter().all(fixed)
    }

    /// Whether a token is a number, or a minus, in every dialect: `1b` is a label in
    /// some.
    fn is_number(&self, t: &Tok) -> bool {
        let text = self.text(t).as_bytes();
        let hex = || text.starts_with(b"0x");
        match t.kind {
            Kind::Minus => true,
            Kind::Dollar => text.len() > 1,
            Kind::Number => hex() || matches!(text.last(), Some(b'0'..=b'9' | b'h' | b'H')),
            _ => false,
        }
    }

    /// Emits an encoding; what is not known becomes a fixup.
    /// The word of the instruction that a line is, with the values that are numbers; nothing
    /// if it is none.
    pub(crate) fn form_of(&mut self, mnemonic: u16, toks: &[Tok]) -> Outcome<Option<u64>> {
        let args = self.arguments(&toks[1..], 1)?;
        let mut enc = Choice::default();
        if !self.choose(mnemonic, toks, &args, &mut enc)? {
            return Ok(None);
        }
        let mut word = enc.word;
        for &(class, value, _) in &enc.values {
            let field = self.operands[class as usize].value.map(|v| v.field);
            let field = field.and_then(|f| self.forms[enc.form as usize].pattern.field(f));
            if let (Some(field), Some(n)) = (field, value.number())
                && let Fit::Yes(v) = self.fit(class, n, 0, field.width)
            {
                word |= field.deposit(v);
            }
        }
        Ok(Some(word))
    }

    fn emit_encoding(&mut self, enc: &Choice) -> Outcome<()> {
        let form = &self.forms[enc.form as usize];
        let pattern = &form.pattern;
        let mut word = enc.word;
        let first = self.values.len();
        for (i, &(class, value, span)) in enc.values.iter().enumerate() {
            let Some(spec) = self.operands[class as usize].value else {
                continue;
            };
            let Some(field) = pattern.field(spec.field) else {
                continue;
            };
            let same = |v: &&(u8, Value, Span)| {
                let other = self.operands[v.0 as usize].value;
                other.is_some_and(|o| o.field == spec.field)
            };
            if let Some(&(_, first, _)) = enc.values[..i].iter().find(same) {
                self.must_agree(first, value, span);
                continue;
            }
            let low = self.page_is_open(spec.base);
            let relative = !matches!(spec.base, Base::Absolute) && !low;
            let place = self.here;
            let open = match low {
                true => Field::Low(class),
                false => Field::Class(class),
            };
            let (address, number) = match (value.number(), self.here_value) {
                (Some(n), Some(here)) => (here, n),
                (Some(n), None) if !relative => (0, n),
                (n, _) => {
                    let state = n.map_or(Given::Open, |_| Given::Value);
                    self.fix(place, open, value, span, state);
                    continue;
                }
            };
            self.fix(place, open, value, span, Given::All);
            let value = number;
            let fit = match low {
                true => self.fit_low(class, value),
                false => self.fit(class, value, address, field.width),
            };
            if let Some(d) = self.misfit_as_written(class, fit, value, span) {
                self.report(Box::new(d));
            }
            if let Fit::Yes(v) | Fit::Cut(v) = fit {
                word |= field.deposit(v);
            }
        }
        self.advise(enc.form, word);
        let named = |v: &(u8, Value, Span)| {
            let first = self.sources.slice(v.2).chars().next();
            first.is_some_and(|c| c.is_alphabetic() || c == '_' || c == '.')
        };
        if enc.values.iter().any(named) {
            self.check_slot(word);
        }
        let operands = match self.values.len() > first {
            true => first as u32,
            false => NONE,
        };
        self.emit_form(enc.form, word, pattern.len, operands);
        Ok(())
    }

    /// Whether the page of a target is another's, because of the instruction right
    /// before this one.
    fn page_is_open(&self, base: Base) -> bool {
        let Base::Page { unless_behind, .. } = base else {
            return false;
        };
        let c = &self.chunks[self.chunk as usize];
        if c.size == 0 && self.noticed.in_slot {
            // What is before it is in another section.
            return true;
        }
        let before = self.word_before();
        before.is_some_and(|word| word & unless_behind.0 == unless_behind.1)
    }

    /// The two bytes before the statement in its chunk, low byte first, where nothing of
    /// open size stands between.
    pub(crate) fn word_before(&self) -> Option<u16> {
        let last = self.chunks[self.chunk as usize].last_sized()?;
        let size = usize::try_from(last.size()).ok()?;
        match last.what {
            What::Instruction { word, .. } if size >= 2 => {
                Some((whole(word) >> (8 * (size - 2))) as u16)
            }
            What::Data { from, .. } if size >= 2 => {
                let end = from as usize + size;
                let bytes = self.data.get(end - 2..end)?;
                Some(u16::from_le_bytes([bytes[0], bytes[1]]))
            }
            What::Fill { byte, .. } if size >= 2 => Some(u16::from_le_bytes([byte; 2])),
            _ => None,
        }
    }

    /// Two operands that are the same bits of the instruction.
    fn must_agree(&mut self, first: Value, second: Value, span: Span) {
        let text = "this operand and one before it are the same bits, and must be equal";
        if let (Some(a), Some(b)) = (first.number(), second.number()) {
            if a != b {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, text)
                    .at(span)
                    .label(format!("{b}, but {a} before"));
                self.report(Box::new(d));
            }
            return;
        }
        let start = self.ops.len() as u32;
        for v in [first, second] {
            match v {
                Value::Number(n) => self.ops.push(Op::Number(n)),
                Value::Known(_, e) | Value::Expr(e) => {
                    let all = e.start as usize..(e.start + e.len) as usize;
                    self.ops.extend_from_within(all);
                }
            }
        }
        self.ops.push(Op::Binary(crate::text::language::Binary::Eq));
        self.program.asked.later.push(Later {
            condition: Some(ExprId {
                start,
                len: self.program.ops.len() as u32 - start,
            }),
            parts: vec![Part::Text(text.into())],
            span,
            expansion: self.expansion,
        });
    }

    /// A value as an expression.
    pub fn as_expr(&mut self, v: Value) -> ExprId {
        match v {
            Value::Known(_, e) | Value::Expr(e) => e,
            Value::Number(n) => {
                self.ops.push(Op::Number(n));
                ExprId {
                    start: self.ops.len() as u32 - 1,
                    len: 1,
                }
            }
        }
    }

    /// Finds the best form for the operands; false if there is none.
    fn choose(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        args: &[Argument],
        enc: &mut Choice,
    ) -> Outcome<bool> {
        let mut shapes = [(Outline::Word, 0, 0); MAX_OPERANDS];
        if args.len() > MAX_OPERANDS {
            return Ok(false);
        }
        for (s, a) in shapes.iter_mut().zip(args) {
            *s = (a.outline, a.word, a.second);
        }
        let mut operands = Operands {
            mnemonic,
            toks,
            args,
            values: [None; MAX_OPERANDS],
        };
        let list = self
            .words
            .candidates(mnemonic, &shapes[..args.len()], self.operands);
        let count = self.words.list(list).len();
        'forms: for i in 0..count {
            let form = self.words.list(list)[i].0;
            enc.form = form;
            enc.word = self.forms[form as usize].pattern.fixed;
            enc.values.clear();
            let needs = self.forms[form as usize].needs;
            if needs & !self.chosen.features != 0 {
                continue;
            }
            for k in 0..args.len() {
                let reading = self.words.list(list)[i].1[k];
                if !self.take_operand(&mut operands, k, reading, enc)? {
                    continue 'forms;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Puts an operand into an encoding; false if its form implies another value.
    #[inline]
    fn take_operand(
        &mut self,
        all: &mut Operands<'_>,
        k: usize,
        reading: Reading,
        enc: &mut Choice,
    ) -> Outcome<bool> {
        let a = &all.args[k];
        let class = self.words.classes[enc.form as usize][k];
        let operand = &self.operands[class as usize];
        if let Reading::As(w, true) = reading {
            let (other, peer) = (self.words.words[w as usize - 1], self.dialect.title);
            let message = format!("taken as `{other}`, as {peer} does");
            self.report(Box::new(
                Diagnostic::new(codes::PEER_CODE, message).at(a.span),
            ));
        }
        if reading != Reading::Symbol {
            self.deposit_words((class, a), reading, enc);
        }
        let Some(spec) = operand.value else {
            return Ok(true);
        };
        let text = &all.toks[a.value.0 as usize..a.value.1 as usize];
        enc.named |= reading == Reading::Symbol || !text.iter().all(|t| self.is_number(t));
        let value = match (reading, all.values[k]) {
            (Reading::Zero, _) => Value::Number(0),
            (_, Some(v)) => v,
            (Reading::Symbol, None) => self.argument_sum(all.toks, a)?,
            (_, None) => {
                let mut v = self.argument_value(all.toks, a)?;
                if a.minus {
                    v = self.negated_index(v, a.span)?;
                }
                all.values[k] = Some(v);
                v
            }
        };
        if spec.field == 0 {
            // The form implies the value.
            return Ok(self.known(value).is_ok_and(|n| n == spec.min));
        }
        if reading == Reading::Unwrapped && self.dialect.operands.warn_parentheses {
            self.warn_parentheses(all, a.span);
        }
        enc.values.push((class, value, a.span));
        Ok(true)
    }

    /// Puts the words of an operand into their fields.
    #[inline]
    fn deposit_words(&self, (class, a): (u8, &Argument), reading: Reading, enc: &mut Choice) {
        let pattern = &self.forms[enc.form as usize].pattern;
        let operand = &self.operands[class as usize];
        let word = match reading {
            Reading::As(w, _) => w,
            _ => a.word,
        };
        if let (Some(w), Some(v)) = (operand.words, self.words.value(class, word))
            && let Some(f) = pattern.field(w.field)
        {
            enc.word |= f.deposit(u64::from(v));
        }
        if let (Some(w), Some(v)) = (operand.second, self.words.second_value(class, a.second))
            && let Some(f) = pattern.field(w.field)
        {
            enc.word |= f.deposit(u64::from(v));
        }
    }

    /// Says that a value in parentheses is taken as one without.
    fn warn_parentheses(&mut self, all: &Operands<'_>, span: Span) {
        if !self.operands.iter().any(|o| round(o.outline)) {
            return;
        }
        let d = Diagnostic::new(
            codes::PARENTHESES,
            "a value in parentheses is not memory here",
        )
        .at(span);
        let name = self.words.mnemonics[all.mnemonic as usize].name.clone();
        let memory = self.meant(&name, all.toks, all.args);
        let memory = memory.map_or(String::new(), |m| format!("; for memory {m}"));
        let help = format!("leave the parentheses out{memory}");
        self.report(Box::new(d.help(help)));
    }

    /// `(ix-e)` where the sign covers all of `e`.
    fn negated_index(&mut self, v: Value, span: Span) -> Outcome<Value> {
        if let Some(n) = v.number()
            && !(0..=128).contains(&n)
        {
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is out of range"))
                    .at(span)
                    .label("must be 0 to 128 behind a minus"),
            ));
        }
        let Some(e) = v.expression() else {
            return Ok(Value::Number(v.number().map_or(0, |n| -n)));
        };
        let start = self.ops.len() as u32;
        let all = e.start as usize..(e.start + e.len) as usize;
        self.ops.extend_from_within(all);
        self.ops.push(Op::Unary(crate::text::language::Unary::Neg));
        let len = e.len + 1;
        let negated = ExprId { start, len };
        Ok(match v.number() {
            Some(n) => {
                self.account.spent.kept += len as usize;
                Value::Known(-n, negated)
            }
            None => Value::Expr(negated),
        })
    }

    fn relaxing(
        &mut self,
        mnemonic: u16,
        tries: &[u16],
        toks: &[Tok],
        args: &[Argument],
    ) -> Outcome<()> {
        let mut found: SmallVec<[Choice; 4]> = SmallVec::new();
        for &t in tries {
            let mut c = Choice::default();
            if self.choose(t, toks, args, &mut c)? {
                found.push(c);
            }
        }
        match &mut found[..] {
            [] => Err(self.no_form(mnemonic, toks, args)),
            [one] => {
                one.named = true;
                self.emit_encoding(one)
            }
            all => {
                let (from, count) = (self.choices.list.len() as u32, all.len() as u8);
                for c in all {
                    let first = self.choices.values.len() as u32;
                    self.choices.values.extend_from_slice(&c.values);
                    self.choices.list.push(Encoding {
                        form: c.form,
                        word: c.word,
                        values: (first, c.values.len() as u32),
                    });
                }
                self.emit_open(What::Choice { from, count });
                Ok(())
            }
        }
    }

    /// Reports what the target knows against an instruction on this machine.
    pub(crate) fn advise(&mut self, form: u16, word: u64) {
        let Some(a) = self.job.target.check(form, word, self.machine) else {
            return;
        };
        let code = if a.error {
            codes::LACKING
        } else {
            codes::DOUBTFUL
        };
        let mut d = Diagnostic::new(code, a.message).at(self.statement);
        d.help = a.help;
        self.report(Box::new(d));
    }

    /// The finding for an instruction that the CPU in force lacks.
    pub(crate) fn lacking(&self, form: u16, toks: &[Tok], from: usize) -> Box<Diagnostic> {
        let f = &self.forms[form as usize];
        let missing = f.needs & !self.chosen.features;
        let names = self.job.target.features();
        let what: Vec<&str> = (0..32)
            .filter(|b| missing >> b & 1 == 1)
            .filter_map(|b| names.get(b).copied())
            .collect();
        let who = self.machine.map_or("this CPU", |m| m.title());
        // The mnemonic, not a label before it.
        let at = from.checked_sub(1).and_then(|i| toks.get(i));
        let at = at.map_or(self.statement, |t| t.span);
        let all = self.forms.iter().filter(|o| o.name == f.name);
        let message = match all
            .into_iter()
            .any(|o| o.needs & !self.chosen.features == 0)
        {
            true => format!("{who} does not have this form of `{}`", f.name),
            false => format!("{who} has no `{}`", f.name),
        };
        let mut d = Diagnostic::new(codes::LACKING, message)
            .at(at)
            .label(format!("needs {}", what.join(", ")));
        if let Some(m) = self.machine {
            d.help = self.job.target.instead(form, m);
        }
        Box::new(d)
    }
}

/// Whether parentheses make a value an address of memory.
fn round(outline: Outline) -> bool {
    use Outline::{RoundValue, RoundWord, RoundWordValue};
    matches!(outline, RoundValue | RoundWord | RoundWordValue)
}

/// Most operands of an instruction.
pub(crate) const MAX_OPERANDS: usize = 4;

/// A form with its register fields filled in.
#[derive(Debug, Default)]
struct Choice {
    form: u16,
    word: u64,
    values: SmallVec<[(u8, Value, Span); 4]>,
    /// A value has a name in it, or something else than numbers.
    named: bool,
}
