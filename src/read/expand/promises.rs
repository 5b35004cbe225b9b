//! Promises about clocks and pages, as directives that the target names.

use super::FeedKind;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::ExpansionKind;
use crate::program::item::{GapAt, What};
use crate::program::limits;
use crate::program::plan::SamePage;
use crate::program::promise::Promise;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use scrimp_isa::proof::{ContractKind, Role};

/// Values with their texts, and words.
type Arguments = (Vec<(Value, Span)>, Vec<&'static str>);

impl Assembler<'_> {
    /// A directive of the target: values and words with commas between.
    pub(crate) fn contract(&mut self, kind: u8, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let spec = self.job.target.contracts()[usize::from(kind)];
        if self.asked.contracts.len() >= limits::PROMISES {
            return Err(self.too_many(limits::PROMISES, "promises"));
        }
        let (values, words) = self.promised(&spec, t, rest)?;
        self.may_promise(kind, &spec, t)?;
        self.program.asked.contracts.push(Promise {
            kind,
            place: self.here,
            values,
            words,
            span: self.statement,
            expansion: self.expansion,
        });
        match spec.role {
            Role::Promise => {}
            Role::Slices => self.slices(rest),
            Role::Lines(lines) => self.contract_lines(spec.name, lines),
            Role::Room => {
                self.gap(GapAt::Room);
                self.noticed.placed_contracts = self.asked.contracts.len();
            }
        }
        Ok(())
    }

    /// The values and words of a promise.
    fn promised(&mut self, spec: &ContractKind, t: &Tok, rest: &[Tok]) -> Outcome<Arguments> {
        let (mut values, mut words) = (Vec::new(), Vec::new());
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            if let [one] = part
                && one.kind == Kind::Name
                && let Some(&word) = spec
                    .words
                    .iter()
                    .find(|w| w.eq_ignore_ascii_case(self.text(one).trim()))
            {
                words.push(word);
                continue;
            }
            if part.is_empty() {
                let d = Diagnostic::new(codes::SYNTAX, "an argument is missing").at(t.span);
                return Err(Box::new(d));
            }
            values.push((self.whole_expression(part)?, self.span_of(part)));
        }
        let count = values.len() + words.len();
        let (least, most) = (usize::from(spec.arguments.0), usize::from(spec.arguments.1));
        if (least..=most).contains(&count) {
            return Ok((values, words));
        }
        let mut d = Diagnostic::new(
            codes::BAD_ARGUMENT,
            format!("`{}` takes {least} to {most} arguments", spec.name),
        )
        .at(self.span_of(rest))
        .note(format!("{}: {}", spec.name, spec.about));
        if !spec.words.is_empty() {
            d = d.help(format!("words that it knows: {}", spec.words.join(", ")));
        }
        Err(Box::new(d))
    }

    /// Some promises stand behind the slices, and some only once.
    fn may_promise(&self, kind: u8, spec: &ContractKind, t: &Tok) -> Outcome<()> {
        let name = spec.name;
        let d = match spec.role {
            Role::Lines(_) | Role::Room if self.asked.slices.is_none() => {
                let mut kinds = self.job.target.contracts().iter();
                let first = kinds.find(|k| k.role == Role::Slices);
                let first = first.map_or("", |k| k.name);
                let message = format!("`{name}` stands before `{first}`");
                Diagnostic::new(codes::MISPLACED, message)
                    .at(t.span)
                    .help(format!("say `{first} …` once, above all blocks"))
            }
            Role::Slices if self.asked.slices.is_some() => {
                let message = format!("`{name}` stands here twice");
                Diagnostic::new(codes::REDEFINED, message).at(t.span)
            }
            Role::Room => {
                let section = |r: &&Promise| {
                    let chunk = &self.chunks[r.place.chunk as usize];
                    r.kind == kind && chunk.section == self.section
                };
                let Some(other) = self.asked.contracts.iter().find(section) else {
                    return Ok(());
                };
                let message = format!("`{name}` stands in this section twice");
                let d = Diagnostic::new(codes::REDEFINED, message).at(t.span);
                d.related(other.span, "first here")
            }
            _ => return Ok(()),
        };
        Err(Box::new(d))
    }

    /// Takes the texts that stand for a slice.
    fn slices(&mut self, rest: &[Tok]) {
        let text = |&(a, b): &(u32, u32)| {
            let part = &rest[a as usize..b as usize];
            self.sources.slice(self.span_of(part)).to_owned()
        };
        let texts = split(rest).iter().map(text).collect();
        self.asked.slices = Some(texts);
        self.noticed.placed_contracts = self.asked.contracts.len();
        // Lines met before have no gaps.
        self.memo.renew();
    }

    /// The lines that a directive stands for.
    fn contract_lines(&mut self, name: &str, lines: &[&str]) {
        let mut text = String::new();
        for line in lines {
            let mut line = format!("        {line}\n");
            for (i, argument) in self.asked.slices.iter().flatten().enumerate() {
                line = line.replace(&format!("#{}", i + 1), argument);
            }
            text.push_str(&line);
        }
        let source = self.sources.add(format!("<{name}>"), text);
        self.push_feed(
            FeedKind::File { source, at: 0 },
            ExpansionKind::Macro(name.into()),
        );
    }

    /// A gap, if filler may be put here.
    pub(crate) fn gap(&mut self, at: GapAt) {
        let chunk = &self.chunks[self.chunk as usize];
        if self.asked.slices.is_some() && chunk.base.is_none() {
            self.emit_open(What::Gap { at });
        }
    }

    /// The promises before an instruction are about it, and not about the filler.
    pub(crate) fn place_contracts(&mut self) {
        let here = self.here;
        let chunk = &self.program.chunks[here.chunk as usize];
        let offset = |a| chunk.position(a).0;
        for c in &mut self.program.asked.contracts[self.noticed.placed_contracts..] {
            if c.place.chunk == here.chunk && offset(c.place) == offset(here) {
                c.place = here;
            }
        }
        self.noticed.placed_contracts = self.asked.contracts.len();
    }

    /// `same_page a, b, …`.
    pub(crate) fn same_page(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let list = split(rest);
        if list.len() < 2 {
            let d = Diagnostic::new(codes::SYNTAX, "expected two labels or more").at(t.span);
            return Err(Box::new(d));
        }
        let mut parts = Vec::with_capacity(list.len());
        for (a, b) in list {
            let part = &rest[a as usize..b as usize];
            let v = self.whole_expression(part)?;
            let span = match part {
                [] => t.span,
                part => self.span_of(part),
            };
            parts.push((self.as_expr(v), span));
        }
        self.program.asked.same_page.push(SamePage {
            parts,
            span: self.statement,
            expansion: self.expansion,
        });
        Ok(())
    }
}
