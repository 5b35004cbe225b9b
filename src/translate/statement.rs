//! A statement of one dialect, written as one or more of another.

use super::names::{Around, Names};
use super::text::{File, Piece, Reading, Verb, is_name};
use super::value::{Edit, Values};
use crate::read::syntax::literal::inside;
use crate::text::language::{Binary, Dialect, Spelling, Unary};
use crate::text::lex::{Kind, Tok};
use crate::text::writing::{CallLocals, Constants, Heads, Said};

/// A statement as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// With its colon.
    pub label: String,
    /// Its word.
    pub word: String,
    /// What stands behind.
    pub args: String,
    /// It is said by a comment: the other dialect needs nothing.
    pub remark: bool,
}

/// What writes statements.
pub struct Writer<'a> {
    /// What is read.
    pub reading: &'a Reading,
    /// The dialect that is written.
    pub to: &'static Dialect,
    /// Its names.
    pub names: &'a mut Names,
    /// The file.
    pub file: &'a File,
    /// The line.
    pub line: usize,
    /// What names mean here.
    pub around: &'a mut Around,
    /// Macros that are not written.
    pub dropped: &'a rustc_hash::FxHashSet<String>,
    /// Bytes or addresses have been given before.
    pub begun: &'a mut bool,
    /// The program has a place already.
    pub placed: &'a mut bool,
}

type Done = Result<Vec<Written>, String>;

impl<'a> Writer<'a> {
    fn toks(&self) -> &'a [Tok] {
        &self.file.lines[self.line].toks
    }

    fn text(&self, i: usize) -> &'a str {
        self.file.of(&self.toks()[i])
    }

    fn values(&self) -> Values<'a> {
        Values::new(self.reading.dialect, self.to, self.file, self.toks())
    }

    /// What becomes of the name at a token, and its last token.
    fn named(&mut self, i: usize) -> Result<Option<(usize, String)>, String> {
        let toks = self.toks();
        if self
            .reading
            .is_parameter(self.file, toks, i, &self.around.parameters)
        {
            let text = self.names.name(self.text(i + 1), self.around)?;
            return Ok(Some((i + 1, text)));
        }
        let t = &toks[i];
        let text = self.text(i);
        let numbered = t.kind == Kind::At && self.around.parameters.iter().any(|p| p == text);
        if !is_name(t) && !numbered || t.kind == Kind::At && !numbered && !self.at_names() {
            return Ok(None);
        }
        let parameter = self
            .around
            .parameters
            .iter()
            .any(|p| self.names.same(p, text));
        let here = text.eq_ignore_ascii_case(self.reading.dialect.values.here);
        if !parameter && (here || self.reading.words.get(text).word != 0) {
            return Ok(None);
        }
        self.names.name(text, self.around).map(|n| Some((i, n)))
    }

    /// Whether `@` may begin a name.
    fn at_names(&self) -> bool {
        self.reading.dialect.lexing.name_start_more
    }

    /// The label as it is written, with its colon.
    pub fn label(&mut self, piece: &Piece) -> Result<String, String> {
        let Some(i) = piece.label else {
            return Ok(String::new());
        };
        let name = self.text(i).to_owned();
        if !is_name(&self.toks()[i]) {
            return Err(format!("the label `{name}` is none elsewhere"));
        }
        if !self.names.is_local(&name) && !self.around.within {
            self.around.parent = self.names.full(&name, self.around);
        }
        Ok(self.names.name(&name, self.around)? + ":")
    }

    /// Writes a statement.
    ///
    /// # Errors
    /// Why it cannot be said.
    pub fn statement(&mut self, piece: &Piece) -> Done {
        match piece.verb.clone() {
            Verb::Empty => {
                let label = self.label(piece)?;
                Ok(vec![Written {
                    label,
                    ..Written::default()
                }])
            }
            Verb::Instruction => {
                let label = self.label(piece)?;
                let word = self.instruction(self.text(piece.word))?;
                let args = self.operands(piece)?;
                *self.begun = true;
                self.one(label, word, args)
            }
            Verb::Call => self.call(piece),
            Verb::Other if self.around.within => {
                let label = self.label(piece)?;
                let mut v = self.values();
                let range = piece.word..piece.to;
                v.leaves(range.start, range.end, &mut |i| self.named(i))?;
                let args = self.written(&v.edit, range.start, range.end);
                self.one(label, args, String::new())
            }
            Verb::Said(said) => self.said(said, piece),
            Verb::Unsaid | Verb::Other => {
                Err(format!("`{}` is not said elsewhere", self.text(piece.word)))
            }
        }
    }

    fn one(&self, label: String, word: String, args: String) -> Done {
        Ok(vec![Written {
            label,
            word,
            args,
            remark: false,
        }])
    }

    fn remark(&self) -> Done {
        Ok(vec![Written {
            remark: true,
            ..Written::default()
        }])
    }

    /// An instruction's word in the other dialect.
    fn instruction(&self, word: &str) -> Result<String, String> {
        if self.names.is_instruction(word) {
            return Ok(word.to_owned());
        }
        let same = |a: &str| a.eq_ignore_ascii_case(word);
        let own = self.reading.dialect.words.mnemonics;
        let canonical = own.iter().find(|m| same(m.0)).map(|m| m.1);
        let canonical = canonical.filter(|c| !c.is_empty()).unwrap_or(word);
        let other = self.to.words.mnemonics;
        let other = other.iter().find(|m| m.1.eq_ignore_ascii_case(canonical));
        let found = other.map_or(canonical, |m| m.0);
        match self.names.is_instruction(found) {
            true => Ok(found.to_owned()),
            false => Err(format!("`{word}` is no instruction there")),
        }
    }

    /// Where the arguments of a statement begin and end.
    fn parts(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let toks = self.toks();
        let mut out = Vec::new();
        let (mut depth, mut start) = (0_i32, from);
        for (i, t) in toks.iter().enumerate().take(to).skip(from) {
            match t.kind {
                Kind::Open | Kind::SquareOpen | Kind::CurlyOpen => depth += 1,
                Kind::Close | Kind::SquareClose | Kind::CurlyClose => depth -= 1,
                Kind::Comma if depth <= 0 => {
                    out.push((start, i));
                    start = i + 1;
                }
                _ => {}
            }
        }
        if start < to || !out.is_empty() {
            out.push((start, to));
        }
        out
    }

    /// Tokens with what became of them and what stood between them, without comments.
    fn written(&self, e: &Edit, from: usize, to: usize) -> String {
        let mut out = String::new();
        for i in from..to {
            let gap = self.file.gap(self.line, i);
            if i > from && !gap.is_empty() && !e.tight[i - 1] {
                match gap.trim().is_empty() {
                    true => out.push_str(gap),
                    false => out.push(' '),
                }
            }
            let text = e.instead[i].as_deref().unwrap_or_else(|| self.text(i));
            let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            for part in [&*e.before[i], text, &*e.behind[i]] {
                if word(out.chars().last()) && word(part.chars().next()) {
                    out.push(' ');
                }
                out.push_str(part);
            }
        }
        out
    }

    /// Operands of an instruction.
    fn operands(&mut self, piece: &Piece) -> Result<String, String> {
        let mut v = self.values();
        for (a, b) in self.parts(piece.args, piece.to) {
            if a >= b {
                continue;
            }
            let before = v.edit.clone();
            if v.value(a, b, &mut |i| self.named(i)).is_err() {
                v.edit = before;
                v.leaves(a, b, &mut |i| self.named(i))?;
            }
        }
        Ok(self.written(&v.edit, piece.args, piece.to))
    }

    /// The one operand that is a value, written; `Some(None)` where there is none.
    pub fn only_value(&mut self, piece: &Piece) -> Option<Option<String>> {
        let toks = self.toks();
        let mut found = None;
        for (mut a, mut b) in self.parts(piece.args, piece.to) {
            if b - a > 2 && toks[a].kind == Kind::Open && toks[b - 1].kind == Kind::Close {
                (a, b) = (a + 1, b - 1);
            }
            let register = toks.get(a).is_none_or(|t| {
                t.kind == Kind::AfPrime || self.reading.words.get(self.file.of(t)).word != 0
            });
            if a >= b || register && b - a == 1 {
                continue;
            }
            if register || found.is_some() {
                return None;
            }
            let mut v = self.values();
            v.value(a, b, &mut |i| self.named(i)).ok()?;
            found = Some(self.written(&v.edit, a, b));
        }
        Some(found)
    }

    /// A list of values and, where they are bytes, texts.
    fn list(&mut self, from: usize, to: usize) -> Result<String, String> {
        let mut v = self.values();
        for (a, b) in self.parts(from, to) {
            match b.saturating_sub(a) {
                0 => {}
                1 if matches!(self.toks()[a].kind, Kind::Single | Kind::Double) => v.item(a)?,
                _ => v.value(a, b, &mut |i| self.named(i))?,
            }
        }
        Ok(self.written(&v.edit, from, to))
    }

    /// A word of the other dialect.
    fn word(&self, said: Said) -> Result<String, String> {
        let word = self.to.word_for(said);
        word.map(str::to_owned)
            .ok_or_else(|| format!("{} has no such directive", self.to.name))
    }

    /// A macro's call.
    fn call(&mut self, piece: &Piece) -> Done {
        let name = self.text(piece.word);
        if self.dropped.contains(&self.reading.key(name)) {
            return Err(format!("the macro `{name}` cannot be said"));
        }
        let label = self.label(piece)?;
        let word = self.names.global(name);
        *self.begun = true;
        let (mut from, mut to) = (piece.args, piece.to);
        let toks = self.toks();
        let wrapped = from < to
            && toks[from].kind == Kind::Open
            && toks[to - 1].kind == Kind::Close
            && toks[piece.word].span.end == toks[from].span.start;
        if wrapped {
            (from, to) = (from + 1, to - 1);
        }
        let mut v = self.values();
        v.leaves(from, to, &mut |i| self.named(i))?;
        let (blanks_from, blanks_to) = (self.reading.dialect.writing.glued, self.to.writing.glued);
        let parts = match blanks_from {
            true => self.apart(from, to),
            false => self.parts(from, to),
        };
        let angle = |i: usize| matches!(toks[i].kind, Kind::Less | Kind::CurlyOpen);
        if parts.iter().any(|&(a, b)| a < b && angle(a)) {
            return Err("an argument in angle brackets".into());
        }
        if parts.iter().any(|&(a, b)| a >= b) && blanks_to {
            return Err("an argument is empty".into());
        }
        let texts: Vec<String> = parts
            .iter()
            .map(|&(a, b)| self.written(&v.edit, a, b))
            .collect();
        let args = match blanks_to {
            true => {
                let tight = |t: &String| t.replace([' ', '\t'], "");
                if texts.iter().any(|t| t.contains(['"', '\'', ','])) {
                    return Err("an argument is a text".into());
                }
                texts.iter().map(tight).collect::<Vec<_>>().join(" ")
            }
            false => texts.join(", "),
        };
        self.one(label, word, args)
    }

    /// Arguments with blanks between.
    fn apart(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let mut out: Vec<(usize, usize)> = Vec::new();
        for i in from..to {
            match out.last_mut() {
                Some(last) if self.file.gap(self.line, i).is_empty() => last.1 = i + 1,
                _ => out.push((i, i + 1)),
            }
        }
        out
    }

    fn said(&mut self, said: Said, piece: &Piece) -> Done {
        match said {
            Said::Equ | Said::Set => self.constant(said, piece),
            Said::Define => self.define(piece),
            Said::Macro => self.head(piece),
            Said::Local => self.local(piece),
            Said::EndMacro | Said::EndRepeat | Said::Else | Said::EndIf | Said::ExitMacro => {
                let label = self.label(piece)?;
                let word = self.word(said)?;
                self.one(label, word, String::new())
            }
            Said::Nothing => match piece.label {
                Some(_) => {
                    let label = self.label(piece)?;
                    self.one(label, String::new(), String::new())
                }
                None => self.remark(),
            },
            Said::Proc => {
                let label = self.label(piece)?;
                self.around.block += 1;
                self.around.listed.clear();
                match label.is_empty() {
                    true => self.remark(),
                    false => self.one(label, String::new(), String::new()),
                }
            }
            Said::EndProc => {
                self.around.listed.clear();
                self.remark()
            }
            Said::Module => {
                let name = self.toks().get(piece.args).filter(|t| is_name(t));
                let name = name.ok_or("a module without a name")?;
                self.around.modules.push(self.file.of(name).to_owned());
                self.around.parent.clear();
                self.remark()
            }
            Said::EndModule => {
                self.around.modules.pop();
                self.around.parent.clear();
                self.remark()
            }
            Said::Include | Said::Incbin => self.brings(said, piece),
            Said::IfDefined | Said::IfNotDefined => self.asks(said, piece),
            Said::Org => self.org(piece),
            Said::Space | Said::Room => self.space(said, piece),
            _ => self.plain(said, piece),
        }
    }

    /// A directive with values.
    fn plain(&mut self, said: Said, piece: &Piece) -> Done {
        let label = self.label(piece)?;
        let args = self.list(piece.args, piece.to)?;
        *self.begun = true;
        match (said, self.word(said)) {
            (Said::Zeroed, Err(_)) => {
                let word = self.word(Said::Bytes)?;
                self.one(label, word, format!("{args},0"))
            }
            (Said::IfNot, Err(_)) => {
                let word = self.word(Said::If)?;
                let mut rows = self.to.values.binary.iter();
                let row = rows.find(|r| r.op == Binary::Eq).ok_or("there is no `=`")?;
                let equal = match row.spelling {
                    Spelling::Mark(Kind::EqualEqual) => "==",
                    _ => "=",
                };
                self.one(label, word, format!("({args}) {equal} 0"))
            }
            (Said::Repeat, word)
                if (1..=self.counters()).contains(&self.parts(piece.args, piece.to).len()) =>
            {
                self.one(label, word?, args)
            }
            (Said::Repeat | Said::Block | Said::EndBlock | Said::Conditional, _) => {
                Err(format!("`{}` is not said elsewhere", self.text(piece.word)))
            }
            (_, word) => self.one(label, word?, args),
        }
    }

    /// Arguments of a repeat that both have.
    fn counters(&self) -> usize {
        let own = self.reading.dialect.writing.counters;
        usize::from(own.min(self.to.writing.counters))
    }

    fn org(&mut self, piece: &Piece) -> Done {
        let words = self.reading.dialect.values.word_addresses;
        if words != self.to.values.word_addresses {
            let (from, to) = match words {
                true => ("words", "bytes"),
                false => ("bytes", "words"),
            };
            return Err(format!("addresses count {from} here and {to} there"));
        }
        let args = self.list(piece.args, piece.to)?;
        let label = self.label(piece)?;
        let leads = self.reading.dialect.writing.leads_first;
        if !label.is_empty() && leads != self.to.writing.leads_first {
            let piece = Piece {
                label: None,
                ..piece.clone()
            };
            let own = self.one(label, String::new(), String::new())?;
            let place = self.org(&piece)?;
            return Ok(match leads {
                true => [place, own].concat(),
                false => [own, place].concat(),
            });
        }
        let gap = self.to.output.sequential && !self.reading.dialect.output.sequential;
        let far = *self.begun && gap && *self.placed;
        (*self.begun, *self.placed) = (true, true);
        if self.parts(piece.args, piece.to).len() > 1 {
            return Err("`org` has more than an address here".into());
        }
        match far {
            true => {
                let word = self.word(Said::Space)?;
                self.one(label, word, format!("{args}-$"))
            }
            false => self.one(label, self.word(Said::Org)?, args),
        }
    }

    fn space(&mut self, said: Said, piece: &Piece) -> Done {
        let label = self.label(piece)?;
        let mut args = self.list(piece.args, piece.to)?;
        *self.begun = true;
        let from = &self.reading.dialect.writing;
        let count = self.parts(piece.args, piece.to).len();
        let fill = if said == Said::Room { 0 } else { from.fill };
        if let Ok(word) = self.word(said)
            && (said == Said::Room || count > 1 || fill == self.to.writing.fill)
        {
            return self.one(label, word, args);
        }
        match self.to.word_for(Said::Space) {
            Some(word) => {
                if count == 1 && fill != self.to.writing.fill {
                    args = format!("{args},{fill}");
                }
                self.one(label, word.to_owned(), args)
            }
            None if count == 1 && fill == 0 => {
                let word = self.word(Said::Room)?;
                self.one(label, word, args)
            }
            None => Err("room with a value cannot be said".into()),
        }
    }

    /// `name equ value` in all its forms.
    fn constant(&mut self, said: Said, piece: &Piece) -> Done {
        let toks = self.toks();
        let (name, mut from) = match piece.label {
            Some(i) => (i, piece.args),
            None => (piece.args, piece.args + 1),
        };
        if !toks.get(name).is_some_and(is_name) {
            return Err("a constant without a name".into());
        }
        let between = toks.get(from).map(|t| t.kind);
        if piece.label.is_none() && matches!(between, Some(Kind::Equal | Kind::Comma)) {
            from += 1;
        }
        if self.parts(from, piece.to).len() != 1 {
            return Err("a constant has one value".into());
        }
        let text = self.text(name).to_owned();
        let new = self.names.name(&text, self.around)?;
        let args = self.list(from, piece.to)?;
        let word = self.word(said)?;
        self.define_as(new, word, args)
    }

    fn define_as(&self, new: String, word: String, args: String) -> Done {
        match self.to.writing.constants {
            Constants::Plain => self.one(new, word, args),
            Constants::Colon => self.one(new + ":", word, args),
            Constants::Behind => self.one(String::new(), word, format!("{new} = {args}")),
            Constants::Comma => self.one(String::new(), word, format!("{new}, {args}")),
        }
    }

    /// A text for a name, where it is a value.
    fn define(&mut self, piece: &Piece) -> Done {
        let toks = self.toks();
        let name = piece.args;
        if !toks.get(name).is_some_and(is_name) {
            return Err("a text for a name is not said elsewhere".into());
        }
        let from = name + 1;
        let near = toks
            .get(from)
            .is_some_and(|t| t.span.start == toks[name].span.end);
        if near && from < piece.to {
            return Err("a text with parameters is not said elsewhere".into());
        }
        let new = self.names.global(self.text(name));
        let word = self.word(Said::Equ)?;
        let args = match from < piece.to {
            true => {
                let mut v = self.values();
                v.value(from, piece.to, &mut |i| self.named(i))?;
                format!("({})", self.written(&v.edit, from, piece.to))
            }
            false => "1".to_owned(),
        };
        self.define_as(new, word, args)
    }

    /// The head of a macro; what names mean in it from then on.
    fn head(&mut self, piece: &Piece) -> Done {
        let toks = self.toks();
        let (name, mut from) = match piece.label {
            Some(i) => (i, piece.args),
            None => (piece.args, piece.args + 1),
        };
        let given = toks.get(name).filter(|t| is_name(t));
        let given = given.ok_or("a macro without a name")?;
        let new = self.names.global(self.file.of(given));
        let mut parameters = Vec::new();
        let mut depth = 0;
        if piece.label.is_none() && toks.get(from).is_some_and(|t| t.kind == Kind::Comma) {
            from += 1;
        }
        for t in &toks[from.min(piece.to)..piece.to] {
            match t.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Comma | Kind::Amp | Kind::Backslash => {}
                _ if is_name(t) => parameters.push(self.file.of(t).to_owned()),
                _ => return Err(format!("`{}` in the head of a macro", self.file.of(t))),
            }
        }
        if depth != 0 {
            return Err("a bracket is not closed".into());
        }
        self.around.within = true;
        let fresh = self.reading.dialect.writing.fresh_parameters;
        let (fresh, plain): (Vec<_>, Vec<_>) = parameters
            .into_iter()
            .partition(|p| fresh && p.starts_with('?'));
        self.around.locals.extend(fresh);
        self.around.parameters = plain;
        let w = &self.to.writing;
        let shown = self
            .around
            .parameters
            .iter()
            .map(|p| self.names.parameter(p));
        let head: String = if w.sigil == "&" { w.sigil } else { "" }.into();
        let shown: Vec<String> = shown.map(|p| head.clone() + &p).collect();
        let word = self.word(Said::Macro)?;
        let mut out = match w.heads {
            Heads::None | Heads::Numbered => return Err("there are no such macros there".into()),
            Heads::WordFirst if shown.is_empty() => self.one(String::new(), word, new),
            Heads::WordFirst => {
                self.one(String::new(), word, format!("{new} {}", shown.join(", ")))
            }
            Heads::NameFirst => self.one(new, word, shown.join(", ")),
            Heads::Colon => self.one(new + ":", word, shown.join(" ")),
        }?;
        if w.call_locals == CallLocals::Listed && !self.around.locals.is_empty() {
            let mut all: Vec<String> = self.around.locals.iter().cloned().collect();
            all.sort();
            let mut names = Vec::new();
            for n in all {
                names.push(self.names.name(&n, self.around)?);
            }
            out.push(Written {
                word: self.word(Said::Local)?,
                args: names.join(", "),
                ..Written::default()
            });
        }
        Ok(out)
    }

    /// `local a, b`: what it lists was found before.
    fn local(&mut self, piece: &Piece) -> Done {
        if !self.around.within {
            for t in &self.toks()[piece.args..piece.to] {
                if is_name(t) {
                    self.around.listed.insert(self.file.of(t).to_owned());
                }
            }
        }
        self.remark()
    }

    /// `include` and `incbin`.
    fn brings(&mut self, said: Said, piece: &Piece) -> Done {
        let label = self.label(piece)?;
        let word = self.word(said)?;
        *self.begun = true;
        let toks = self.toks();
        let t = toks.get(piece.args).ok_or("a file without a name")?;
        let quoted = matches!(t.kind, Kind::Single | Kind::Double);
        let (path, rest) = match quoted {
            true => {
                let text = self.file.of(t);
                (inside(text).to_owned(), piece.args + 1)
            }
            false => {
                let start = t.span.start as usize;
                let rest = &self.file.text[start..self.file.lines[self.line].end];
                let end = rest.find([' ', '\t', ';', ',']).unwrap_or(rest.len());
                let path = rest[..end].trim_matches(['<', '>', '"']).to_owned();
                let behind = |t: &&Tok| (t.span.start as usize) < start + end;
                (
                    path,
                    piece.args + toks[piece.args..].iter().take_while(behind).count(),
                )
            }
        };
        let mut args = format!("\"{path}\"");
        if rest < piece.to {
            if said == Said::Include {
                return Err("more than a file stands here".into());
            }
            args.push_str(&self.list(rest, piece.to)?);
        }
        self.one(label, word, args)
    }

    /// Whether a name is defined.
    fn asks(&mut self, said: Said, piece: &Piece) -> Done {
        let name = self.toks().get(piece.args).filter(|t| is_name(t));
        let name = name.ok_or("a question without a name")?;
        if piece.to != piece.args + 1 {
            return Err("a question with more than a name".into());
        }
        let new = self.names.name(self.file.of(name), self.around)?;
        if let Ok(word) = self.word(said) {
            return self.one(String::new(), word, new);
        }
        let v = &self.to.values;
        let prefix = v.unary.iter().any(|r| r.op == Unary::Defined);
        let function = v.functions.iter().any(|f| f.1 == Unary::Defined);
        if !prefix && !function {
            return Err("there is no such question".into());
        }
        let word = self.word(Said::If)?;
        let asked = match prefix {
            true => format!("defined {new}"),
            false => format!("defined({new})"),
        };
        let args = match said {
            Said::IfDefined => asked,
            _ if v.unary.iter().any(|r| r.op == Unary::LogicNot) => format!("!({asked})"),
            _ => return Err("there is no such question".into()),
        };
        self.one(String::new(), word, args)
    }
}

/// Names that are new in each call of a macro whose lines these are.
pub fn call_locals(reading: &Reading, f: &File, lines: std::ops::Range<usize>) -> Vec<String> {
    let mut out = Vec::new();
    let w = &reading.dialect.writing;
    for line in lines {
        for piece in reading.pieces(f, line, &[]) {
            let toks = &f.lines[line].toks;
            if piece.verb == Verb::Said(Said::Local) {
                let names = toks[piece.args..piece.to].iter().filter(|t| is_name(t));
                out.extend(names.map(|t| f.of(t).to_owned()));
            }
            if let Some(i) = piece.label
                && (reading.dialect.names.of_calls
                    || w.call_locals == CallLocals::Dot && f.of(&toks[i]).starts_with('.'))
            {
                out.push(f.of(&toks[i]).to_owned());
            }
        }
    }
    out
}
