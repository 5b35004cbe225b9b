//! Promises about clocks: read as directives of the target, proven on the finished
//! image, and turned into findings that show the path.

use crate::diagnostic::{Diagnostic, codes};
use crate::eval::State;
use crate::image::{Image, NONE};
use crate::layout::Layout;
use crate::lex::{Kind, Tok};
use crate::program::{Assembler, Outcome, Value};
use crate::source::Span;
use crate::symbol::Place;
use crate::syntax::operand::split;
use crate::write::View;
use scrimp_isa::Contract;
use scrimp_isa::proof::{Finding, Step};

/// Lines of a path that are shown.
const SHOWN: usize = 24;

/// A promise before layout.
#[derive(Clone, Debug)]
pub struct RawContract {
    /// Index in the target's list.
    kind: u8,
    /// The statement behind it.
    place: Place,
    values: Vec<(Value, Span)>,
    words: Vec<&'static str>,
    span: Span,
    expansion: u32,
}

impl Assembler<'_> {
    /// A directive of the target: values and words with commas between.
    pub(crate) fn contract(&mut self, kind: u8, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let spec = self.job.target.contracts()[usize::from(kind)];
        let (mut values, mut words) = (Vec::new(), Vec::new());
        for (a, b) in split(rest) {
            let part = &rest[a as usize..b as usize];
            if let [one] = part
                && one.kind == Kind::Name
                && let Some(&word) = spec
                    .words
                    .iter()
                    .find(|w| w.eq_ignore_ascii_case(self.text(one)))
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
        if !(least..=most).contains(&count) {
            let mut d = Diagnostic::new(
                codes::BAD_ARGUMENT,
                format!("`{}` takes {least} to {most} arguments", spec.name),
            )
            .at(self.span_of(rest))
            .note(format!("{}: {}", spec.name, spec.about));
            if !spec.words.is_empty() {
                d = d.help(format!("words that it knows: {}", spec.words.join(", ")));
            }
            return Err(Box::new(d));
        }
        self.contracts.push(RawContract {
            kind,
            place: self.here,
            values,
            words,
            span: self.statement,
            expansion: self.expansion,
        });
        Ok(())
    }

    /// Proves all promises; what they compute is put into the image.
    pub(crate) fn prove(&mut self, image: &mut Image, l: &Layout, values: &[State]) {
        let raw = std::mem::take(&mut self.contracts);
        let failed = self
            .findings
            .iter()
            .any(|d| d.level == crate::diagnostic::Level::Error);
        if raw.is_empty() || failed {
            return;
        }
        let mut contracts = Vec::with_capacity(raw.len());
        for r in &raw {
            let mut found = Vec::with_capacity(r.values.len());
            for &(v, span) in &r.values {
                match self.value_of(v, l, values) {
                    Ok(n) => found.push(n),
                    Err(m) => {
                        let d = self.miss(m, span);
                        self.report_at(d, r.expansion, image);
                        return;
                    }
                }
            }
            contracts.push(Contract {
                kind: usize::from(r.kind),
                address: l.address(r.place),
                values: found,
                words: r.words.clone(),
            });
        }
        let proof = self
            .job
            .target
            .prove(&View::new(image, &[], ""), &contracts);
        image.proven = proof.proven;
        for (address, bytes) in &proof.patches {
            put(image, *address, bytes);
        }
        for f in &proof.findings {
            let d = self.unkept(f, image, &raw, &contracts);
            self.findings.push(d);
        }
    }

    fn report_at(&mut self, mut d: Diagnostic, expansion: u32, image: &mut Image) {
        // The expansions are the image's by now.
        std::mem::swap(&mut self.expansions, &mut image.expansions);
        if expansion == NONE {
            d.trail.clear();
        }
        self.report_in(d, expansion);
        std::mem::swap(&mut self.expansions, &mut image.expansions);
    }

    /// The finding for a promise that is not kept.
    fn unkept(
        &self,
        f: &Finding,
        image: &Image,
        raw: &[RawContract],
        contracts: &[Contract],
    ) -> Diagnostic {
        let code = match f.broken {
            true => codes::CLOCK,
            false => codes::UNPROVEN,
        };
        let promise = contracts.iter().position(|c| c.address == f.address);
        let span = promise.map(|i| raw[i].span);
        let span = span.or_else(|| span_at(image, f.address));
        let mut d = Diagnostic::new(code, f.message.clone());
        d.span = span;
        d.help.clone_from(&f.help);
        if let Some(from) = f.from
            && let Some(at) = span_at(image, from)
        {
            d = d.related(at, "the path starts here");
        }
        if !f.path.is_empty() {
            d = d.note(self.path(&f.path, image));
        }
        d
    }

    /// A path as lines of clock, address and source.
    fn path(&self, path: &[Step], image: &Image) -> String {
        let mut out = String::from("the path, with the clock before each instruction:");
        let hidden = path.len().saturating_sub(SHOWN);
        for (i, &(address, clock)) in path.iter().enumerate() {
            if hidden > 0 && i == SHOWN / 2 {
                out.push_str(&format!("\n  … {hidden} more"));
            }
            if hidden > 0 && (SHOWN / 2..SHOWN / 2 + hidden).contains(&i) {
                continue;
            }
            let unit = image.space_of(address).map_or(1, |s| u64::from(s.unit));
            let text = span_at(image, address).map_or("", |s| self.sources.slice(s));
            let text = text.trim();
            out.push_str(&format!(
                "\n  {clock:>5}  {:04X}  {text}",
                image.local(address) / unit
            ));
        }
        out
    }
}

/// The statement that made the byte at an address.
fn span_at(image: &Image, address: u64) -> Option<Span> {
    let c = image
        .chunks
        .iter()
        .find(|c| (c.address..c.address + c.bytes.len() as u64).contains(&address))?;
    let offset = (address - c.address) as u32;
    let next = c.runs.partition_point(|r| r.offset <= offset);
    c.runs.get(next.checked_sub(1)?).map(|r| r.span)
}

/// Puts bytes at an address.
fn put(image: &mut Image, address: u64, bytes: &[u8]) {
    for c in &mut image.chunks {
        if let Some(at) = address.checked_sub(c.address)
            && let Some(to) = c.bytes.get_mut(at as usize..at as usize + bytes.len())
        {
            to.copy_from_slice(bytes);
        }
    }
}
