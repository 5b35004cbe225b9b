//! Findings for operands that an instruction does not take: which one is to blame,
//! what may stand there, and what a small change would make of them.

use crate::diagnostic::{Diagnostic, codes, near};
use crate::read::Assembler;
use crate::read::encode::MAX_OPERANDS;
use crate::read::syntax::expression::clip;
use crate::read::syntax::operand::Argument;
use crate::read::words::Reading;
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use scrimp_isa::{Operand, Outline};
use smallvec::SmallVec;

/// An operand as it might have been meant.
#[derive(Clone, Debug)]
struct Meant {
    shape: (Outline, u8, u8),
    text: String,
}

/// Most tokens of an operand that are looked at for a missing comma.
const MOST_SPLITS: usize = 12;
/// Tokens of a statement that is looked at for a remedy.
const MOST_TOKENS: usize = 64;
/// The label of an operand that is one of a form with more of them.
pub(super) const UNFINISHED: &str = "an operand is missing behind this";
/// Classes of operands that a note lists.
const MOST_SHOWN: usize = 8;

/// Outlines that a slip with brackets or signs makes of others, and the text around
/// what is inside; the likely ones first.
fn neighbours(a: &Argument) -> &'static [(Outline, &'static str, &'static str)] {
    use Outline as O;
    match a.outline {
        O::SquareWord => &[(O::RoundWord, "(", ")"), (O::Word, "", "")],
        O::SquareValue if a.word != 0 => &[(O::RoundWordValue, "(", ")"), (O::WordValue, "", "")],
        O::SquareValue => &[(O::RoundValue, "(", ")"), (O::Value, "", "")],
        O::RoundWord => &[(O::SquareWord, "[", "]"), (O::Word, "", "")],
        O::RoundValue => &[(O::SquareValue, "[", "]"), (O::Value, "", "")],
        O::RoundWordValue => &[(O::WordValue, "", "")],
        O::Word => &[
            (O::RoundWord, "(", ")"),
            (O::SquareWord, "[", "]"),
            (O::WordValue, "", "+0"),
        ],
        O::Value => &[(O::RoundValue, "(", ")"), (O::SquareValue, "[", "]")],
        _ => &[],
    }
}

impl Assembler<'_> {
    /// The finding for operands that no form takes.
    pub(crate) fn no_form(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        args: &[Argument],
    ) -> Box<Diagnostic> {
        if let Some(form) = self.lacked(mnemonic, args) {
            let from = args.first().map_or(toks.len(), |a| a.all.0 as usize);
            return self.lacking(form, toks, from);
        }
        if let Some(d) = self.unclosed_bracket(toks, args) {
            return d;
        }
        if self.dialect.words.runs {
            // A name may turn out to be one of a register.
            for a in args.iter().filter(|a| a.outline == Outline::Value) {
                let key = self.key(self.sources.slice(a.span)).into_owned();
                self.again.miss_word(key);
            }
        }
        let name = self.words.mnemonics[mnemonic as usize].name.clone();
        let span = match (args.first(), args.last()) {
            (Some(a), Some(b)) if a.span.source == b.span.source => a.span.to(b.span),
            (Some(a), _) => a.span,
            _ => self.mnemonic_span(toks, &name),
        };
        let message = match args.len() {
            0 => format!("`{name}` needs operands"),
            _ => format!("`{name}` does not take these operands"),
        };
        let mut d = Diagnostic::new(codes::BAD_OPERANDS, message).at(span);
        d = self.counted(d, mnemonic, args);
        let unfinished = self.unfinished(mnemonic, args);
        if let (Some(classes), Some(last)) = (&unfinished, args.last()) {
            d = d.note(format!("possible behind it: {}", self.texts_of(classes)));
            d.span = Some(last.span);
            d.label = Some(UNFINISHED.into());
        } else if let Some((bad, classes)) = self.blamed(mnemonic, args) {
            d = self.blame(d, toks, &args[bad], &classes);
        }
        if let Some(odd) = self.odd_character(span) {
            return odd;
        }
        let told = d.help.is_some() || unfinished.is_some();
        if let Some(help) = self.remedy(mnemonic, toks, args, told) {
            d.help = Some(help);
        }
        if d.notes.is_empty() && d.help.is_none() {
            d = self.all_forms(d, mnemonic);
        }
        Box::new(d)
    }

    /// Help for a register that is read as a symbol because no form takes it.
    pub(crate) fn register_help(&mut self, span: Span) -> Option<Box<Diagnostic>> {
        let source = self.sources.get(span.source);
        let (line, _) = source.line_column(span.start);
        let at = source.line_start(line) as usize;
        let mut toks = Vec::new();
        crate::text::lex::line(
            &source.text,
            at,
            span.source,
            self.dialect.lexing,
            &mut toks,
        );
        let (i, mnemonic) = toks.iter().enumerate().rev().find_map(|(i, t)| {
            let before = t.kind == Kind::Name && t.span.end <= span.start;
            let number = self.words.get(self.text(t)).mnemonic;
            (before && number != 0).then(|| (i, number - 1))
        })?;
        let args = self.arguments(&toks[i + 1..], i as u32 + 1).ok()?;
        Some(self.no_form(mnemonic, &toks, &args))
    }

    /// `[hl` without its end.
    fn unclosed_bracket(&self, toks: &[Tok], args: &[Argument]) -> Option<Box<Diagnostic>> {
        let from = args.first()?.all.0 as usize;
        let inside = toks.get(from..)?;
        let count = |k: Kind| inside.iter().filter(|t| t.kind == k).count();
        let open = inside.iter().find(|t| t.kind == Kind::SquareOpen)?;
        if count(Kind::SquareOpen) <= count(Kind::SquareClose) {
            return None;
        }
        let d = Diagnostic::new(codes::SYNTAX, "this `[` has no `]`").at(open.span);
        Some(Box::new(d))
    }

    /// `ld a;5`: a comment where an operand is missing, and no blank before it.
    fn comment_for_comma(&self, mnemonic: u16, toks: &[Tok], args: &[Argument]) -> Option<String> {
        let last = toks.get(args.last()?.all.1.checked_sub(1)? as usize)?;
        let text = &self.sources.get(last.span.source).text;
        let rest = text.get(last.span.end as usize..)?.strip_prefix(';')?;
        let mut lists = self.words.mnemonics[mnemonic as usize].forms.iter();
        let more = args.len() + 1;
        lists.find(|&&f| self.words.classes[f as usize].len() == more)?;
        let meant = rest.split(['\r', '\n', ';']).next()?.trim();
        if meant.is_empty() || meant.contains(char::is_whitespace) {
            return None;
        }
        let name = &self.words.mnemonics[mnemonic as usize].name;
        let given = args.iter().map(|a| self.operand_text(toks, a.all));
        let given: Vec<String> = given.collect();
        Some(format!(
            "`;` begins a comment: write `{name} {},{}`",
            given.join(","),
            clip(meant)
        ))
    }

    fn mnemonic_span(&self, toks: &[Tok], name: &str) -> Span {
        let found = toks
            .iter()
            .rev()
            .find(|t| self.text(t).eq_ignore_ascii_case(name));
        found.or(toks.first()).map_or(self.statement, |t| t.span)
    }

    /// The form that would take them if the CPU in force had it.
    fn lacked(&mut self, mnemonic: u16, args: &[Argument]) -> Option<u16> {
        if args.len() > MAX_OPERANDS {
            return None;
        }
        let shapes = shapes(args);
        let list = self.words.candidates(mnemonic, &shapes, self.operands);
        let mut forms = self.words.list(list).iter().map(|c| c.0);
        forms.find(|&f| self.forms[f as usize].needs & !self.chosen.features != 0)
    }

    /// How many operands there may be, if not as many as are given.
    fn counted(&self, mut d: Diagnostic, mnemonic: u16, args: &[Argument]) -> Diagnostic {
        let m = &self.words.mnemonics[mnemonic as usize];
        let name = &m.name;
        let lengths = m
            .forms
            .iter()
            .map(|&f| self.words.classes[f as usize].len());
        let mut sizes: Vec<usize> = lengths.collect();
        sizes.sort_unstable();
        sizes.dedup();
        let given = args.len();
        let Some(most) = sizes.last().copied().filter(|_| !sizes.contains(&given)) else {
            return d;
        };
        let list: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let takes = match sizes[..] {
            [0] => format!("`{name}` takes no operand"),
            [1] => format!("`{name}` takes one operand"),
            _ => format!("`{name}` takes {} operands", list.join(" or ")),
        };
        if given == 0 {
            return d.note(takes);
        }
        d.message = match most {
            0 => takes,
            _ => format!("{takes}, not {given}"),
        };
        // Those that are too many; what comes before them may be as meant.
        if let (Some(a), Some(b)) = (args.get(most), args.last())
            && a.span.source == b.span.source
        {
            d.span = Some(a.span.to(b.span));
            d.label = Some("nothing may stand here".into());
        }
        d
    }

    /// What may stand behind operands that are those of a form but for its last ones, if one
    /// of them names a register or the like.
    fn unfinished(&self, mnemonic: u16, args: &[Argument]) -> Option<Vec<u8>> {
        let shapes = shapes(args);
        let mut list: Vec<u8> = Vec::new();
        for &f in &self.words.mnemonics[mnemonic as usize].forms {
            let classes = &self.words.classes[f as usize];
            let Some(&next) = classes.get(args.len()) else {
                continue;
            };
            let named = classes.iter().zip(&shapes).any(|(&c, s)| {
                s.0 == Outline::Word && self.operands[c as usize].outline == Outline::Word
            });
            let fit = (0..args.len()).all(|k| self.fits(classes[k], shapes[k]));
            if named && fit && !list.contains(&next) {
                list.push(next);
            }
        }
        (!list.is_empty()).then_some(list)
    }

    /// Whether an operand of this outline and these words is of a class.
    fn fits(&self, class: u8, (o, w, s): (Outline, u8, u8)) -> bool {
        let c = &self.operands[class as usize];
        let same = c.outline == o || (o == Outline::RoundValue && c.outline == Outline::Value);
        same && (c.words.is_none() || self.words.value(class, w).is_some())
            && (c.second.is_none() || self.words.second_value(class, s).is_some())
    }

    /// Classes of operands in words, not too many.
    fn texts_of(&self, classes: &[u8]) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for &c in classes {
            let text = self.operands[c as usize].text;
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.truncate(MOST_SHOWN);
        texts.join("; ")
    }

    /// The operand to blame, the last one that alone could be another, and the classes
    /// that may stand there. A name that is no register where only words may stand
    /// comes before all others.
    fn blamed(&self, mnemonic: u16, args: &[Argument]) -> Option<(usize, Vec<u8>)> {
        let shapes = shapes(args);
        let forms = &self.words.mnemonics[mnemonic as usize].forms;
        let operands = self.operands;
        let allowed = |bad: usize| {
            let mut list: Vec<u8> = Vec::new();
            for &f in forms {
                let classes = &self.words.classes[f as usize];
                if classes.len() == args.len()
                    && (0..args.len()).all(|k| k == bad || self.fits(classes[k], shapes[k]))
                    && !list.contains(&classes[bad])
                {
                    list.push(classes[bad]);
                }
            }
            (!list.is_empty()).then_some((bad, list))
        };
        let all: Vec<_> = (0..args.len()).filter_map(allowed).collect();
        let unknown = |(bad, classes): &&(usize, Vec<u8>)| {
            let a = &args[*bad];
            let words = |&c: &u8| operands[c as usize].outline == Outline::Word;
            a.outline == Outline::Value && a.all.1 - a.all.0 == 1 && classes.iter().all(words)
        };
        all.iter().find(unknown).or(all.last()).cloned()
    }

    /// Says what may stand in the place of an operand.
    fn blame(&self, mut d: Diagnostic, toks: &[Tok], a: &Argument, classes: &[u8]) -> Diagnostic {
        let class = |c: &u8| -> &'static Operand { &self.operands[*c as usize] };
        d.span = Some(a.span);
        d.label = Some("this operand is not possible here".into());
        d = d.note(format!("possible here: {}", self.texts_of(classes)));
        let words = classes.iter().filter(|c| class(c).outline == Outline::Word);
        let mut words = words.filter_map(|c| class(c).words).flat_map(|w| w.words);
        // Behind the last comma there may be nothing.
        let Some(name) = toks.get(a.all.0 as usize) else {
            return d;
        };
        let lone = a.outline == Outline::Value && a.all.1 - a.all.0 == 1 && name.kind == Kind::Name;
        let Some(first) = words.clone().next().filter(|_| lone) else {
            return d;
        };
        let only = classes.iter().all(|c| class(c).outline == Outline::Word);
        let text = self.text(name);
        let numbered = text.ends_with(|c: char| c.is_ascii_digit());
        let near = near::nearest(text, words.by_ref().map(|w| w.0));
        if let Some(n) = near.filter(|_| !numbered) {
            return d.help(format!("did you mean `{n}`?"));
        }
        let registers = classes.iter().all(|c| class(c).text.contains("register"));
        if only && registers && !numbered && !self.is_named(name) {
            d.message = format!("`{text}` is not defined as a register");
            d.label = Some("not a register here".into());
            let mut define = self.dialect.words.directives.iter();
            if let Some((word, _)) = define.find(|w| w.1 == Directive::Define) {
                let register = first.0;
                return d.help(format!("`{word} {text} = {register}` gives one this name"));
            }
        }
        d
    }

    /// Whether a name has a meaning so far.
    fn is_named(&self, name: &Tok) -> bool {
        self.symbols.defined(self.text(name)).is_some()
    }

    fn all_forms(&self, d: Diagnostic, mnemonic: u16) -> Diagnostic {
        let m = &self.words.mnemonics[mnemonic as usize];
        let text = |&f: &u16| {
            let classes = self.words.classes[f as usize].iter();
            let list: Vec<&str> = classes.map(|&c| self.operands[c as usize].text).collect();
            format!("{} {}", m.name, list.join(", "))
        };
        let texts: Vec<String> = m.forms.iter().take(6).map(text).collect();
        match texts.is_empty() {
            true => d,
            false => d.note(format!("forms: {}", texts.join(" | "))),
        }
    }

    /// What the target knows to do the same.
    pub(crate) fn meant(&self, name: &str, toks: &[Tok], args: &[Argument]) -> Option<String> {
        // What the program calls a register is one.
        let plain = |a: &Argument| {
            let called = match toks.get(a.all.0 as usize..a.all.1 as usize) {
                Some([t]) => self.register_called(t),
                _ => None,
            };
            let text = called.map(str::to_owned);
            text.unwrap_or_else(|| self.operand_text(toks, a.all).to_ascii_lowercase())
        };
        let texts: Vec<String> = args.iter().map(plain).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.job.target.meant(name, &texts)
    }

    /// The text of some tokens without blanks that mean nothing.
    fn operand_text(&self, toks: &[Tok], (a, b): (u32, u32)) -> String {
        let mut out = String::new();
        let mut before: Option<&Tok> = None;
        for t in toks.get(a as usize..b as usize).unwrap_or(&[]) {
            let word = |t: &Tok| matches!(t.kind, Kind::Name | Kind::Number | Kind::Dollar);
            if before.is_some_and(|b| word(b) && word(t)) {
                out.push(' ');
            }
            out.push_str(self.text(t));
            before = Some(t);
        }
        out
    }

    /// What to write instead: the statement with one small change that makes the
    /// target take it, or what the target knows to do the same.
    fn remedy(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        args: &[Argument],
        has_help: bool,
    ) -> Option<String> {
        let long = toks.len() > MOST_TOKENS || self.account.limits.is_trial();
        if args.is_empty() || args.len() > MAX_OPERANDS || long {
            return None;
        }
        if let Some(help) = self.comment_for_comma(mnemonic, toks, args) {
            return Some(help);
        }
        let as_written: Vec<Meant> = args
            .iter()
            .map(|a| Meant {
                shape: (a.outline, a.word, a.second),
                text: self.operand_text(toks, a.all),
            })
            .collect();
        let tries = self.with_comma(toks, args, &as_written);
        if let Some(help) = self.taken(mnemonic, tries) {
            return Some(help);
        }
        if has_help {
            return None;
        }
        let name = self.words.mnemonics[mnemonic as usize].name.clone();
        if let Some(help) = self.meant(&name, toks, args) {
            return Some(help);
        }
        let mut tries = self.with_brackets(toks, args, &as_written);
        tries.extend(self.with_other_order(mnemonic, args, &as_written));
        self.taken(mnemonic, tries)
    }

    /// The first of some statements that a form takes.
    fn taken(&mut self, mnemonic: u16, tries: Vec<Vec<Meant>>) -> Option<String> {
        let found = tries.into_iter().find(|t| self.takes(mnemonic, t))?;
        let texts: Vec<&str> = found.iter().map(|m| m.text.as_str()).collect();
        let name = &self.words.mnemonics[mnemonic as usize].name;
        Some(format!("write `{name} {}`", texts.join(",")))
    }

    /// Whether a form takes these operands as what they are.
    fn takes(&mut self, mnemonic: u16, operands: &[Meant]) -> bool {
        let shapes: SmallVec<[_; 4]> = operands.iter().map(|m| m.shape).collect();
        if shapes.len() > MAX_OPERANDS {
            return false;
        }
        let list = self.words.candidates(mnemonic, &shapes, self.operands);
        let features = self.chosen.features;
        self.words.list(list).iter().any(|(form, readings)| {
            let plain = |r: &Reading| matches!(r, Reading::Plain | Reading::Zero);
            self.forms[*form as usize].needs & !features == 0 && readings.iter().all(plain)
        })
    }

    /// With a comma between two operands that stand as one.
    fn with_comma(&self, toks: &[Tok], args: &[Argument], all: &[Meant]) -> Vec<Vec<Meant>> {
        let mut out = Vec::new();
        if args.len() >= MAX_OPERANDS {
            return out;
        }
        for (i, a) in args.iter().enumerate() {
            let Some(part) = toks.get(a.all.0 as usize..a.all.1 as usize) else {
                continue;
            };
            let mut depth = 0;
            for k in 1..part.len().min(MOST_SPLITS) {
                depth += match part[k - 1].kind {
                    Kind::Open | Kind::SquareOpen => 1,
                    Kind::Close | Kind::SquareClose => -1,
                    _ => 0,
                };
                if depth != 0 || !ends_operand(&part[k - 1]) || !starts_operand(&part[k]) {
                    continue;
                }
                let halves = [(0, k), (k, part.len())].map(|(from, to)| {
                    let base = a.all.0 + from as u32;
                    let one = self.argument(&part[from..to], base);
                    Meant {
                        shape: (one.outline, one.word, one.second),
                        text: self.operand_text(toks, one.all),
                    }
                });
                let mut list = all.to_vec();
                list.splice(i..=i, halves);
                out.push(list);
            }
        }
        out
    }

    /// With other brackets around an operand, or none.
    fn with_brackets(&self, toks: &[Tok], args: &[Argument], all: &[Meant]) -> Vec<Vec<Meant>> {
        let mut out = Vec::new();
        for (i, a) in args.iter().enumerate().rev() {
            let bracketed = all[i].text.starts_with(['(', '[']);
            let inner = match bracketed {
                true => self.operand_text(toks, (a.all.0 + 1, a.all.1 - 1)),
                false => all[i].text.clone(),
            };
            let memory = |t: &Meant| t.text.starts_with(['(', '[']);
            let more = all.iter().filter(|t| memory(t)).count() > 1;
            for &(outline, open, close) in neighbours(a) {
                // From memory to memory is no number to memory.
                if open.is_empty() && more {
                    continue;
                }
                let mut list = all.to_vec();
                list[i] = Meant {
                    shape: (outline, a.word, a.second),
                    text: format!("{open}{inner}{close}"),
                };
                out.push(list);
            }
            if a.outline == Outline::WordDoubleIncrement {
                let mut list = all.to_vec();
                list[i].shape.0 = Outline::WordIncrement;
                list[i].text.pop();
                out.push(list);
            }
        }
        out
    }

    /// With two operands the other way round, the first one left out, or one put
    /// before them where only one can stand.
    fn with_other_order(&self, mnemonic: u16, args: &[Argument], all: &[Meant]) -> Vec<Vec<Meant>> {
        let mut out = Vec::new();
        if let [a, b] = all {
            out.push(vec![b.clone(), a.clone()]);
        }
        // Where it can stand somewhere, it says what is done.
        let says = |&f: &u16| {
            let first = self.words.classes[f as usize].first();
            first.is_some_and(|&c| self.words.value(c, args[0].word).is_some())
        };
        let mut forms = self.words.mnemonics[mnemonic as usize].forms.iter();
        if all.len() > 1 && args[0].outline == Outline::Word && !forms.any(says) {
            out.push(all[1..].to_vec());
        }
        for &f in &self.words.mnemonics[mnemonic as usize].forms {
            let classes = &self.words.classes[f as usize];
            let first = classes.first().map(|&c| &self.operands[c as usize]);
            let word = first.and_then(|o| o.words).map_or(&[][..], |w| w.words);
            if let ([only], Some(o)) = (word, first)
                && classes.len() == all.len() + 1
                && o.outline == Outline::Word
                && args.iter().all(|a| a.word != 0)
                && !all[0].text.eq_ignore_ascii_case(only.0)
            {
                let number = self.words.get(only.0).word;
                let mut list = all.to_vec();
                list.insert(
                    0,
                    Meant {
                        shape: (Outline::Word, number, 0),
                        text: only.0.into(),
                    },
                );
                out.push(list);
            }
        }
        out
    }
}

fn shapes(args: &[Argument]) -> SmallVec<[(Outline, u8, u8); 4]> {
    args.iter().map(|a| (a.outline, a.word, a.second)).collect()
}

fn ends_operand(t: &Tok) -> bool {
    use Kind::{AfPrime, Close, Dollar, Double, Name, Number, Single, SquareClose};
    matches!(
        t.kind,
        Name | Number | Dollar | AfPrime | Close | SquareClose | Single | Double
    )
}

fn starts_operand(t: &Tok) -> bool {
    use Kind::{AfPrime, Dollar, Double, Name, Number, Open, Percent, Single, SquareOpen};
    matches!(
        t.kind,
        Name | Number | Dollar | AfPrime | Open | SquareOpen | Single | Double | Percent
    )
}
