//! Promises about clocks: read as directives of the target, proven on the finished
//! image, and turned into findings that show the path.

use crate::balance::GapAt;
use crate::diagnostic::{Diagnostic, codes};
use crate::eval::{Miss, State};
use crate::expand::FeedKind;
use crate::image::{Chunk, ExpansionKind, Image, NONE, Run};
use crate::layout::Layout;
use crate::lex::{Kind, Tok};
use crate::limits;
use crate::program::{Assembler, Outcome, Value};
use crate::ranges::Ranges;
use crate::source::Span;
use crate::symbol::Place;
use crate::syntax::operand::split;
use crate::write::View;
use rustc_hash::FxHashMap;
use scrimp_isa::Contract;
use scrimp_isa::proof::{Finding, Overhead, Role, Step};

/// Lines of a path that are shown.
const SHOWN: usize = 80;
/// Longest loop of which one round is shown.
const LOOP: usize = 8;
/// Fewest steps that are left out so.
const FOLDED: usize = 4;

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

impl RawContract {
    /// It is about what stands behind it, whatever is put between.
    pub(crate) fn move_to(&mut self, here: Place) {
        if (self.place.chunk, self.place.offset) == (here.chunk, here.offset) {
            self.place = here;
        }
    }
}

impl Assembler<'_> {
    /// A directive of the target: values and words with commas between.
    pub(crate) fn contract(&mut self, kind: u8, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let spec = self.job.target.contracts()[usize::from(kind)];
        if self.contracts.len() >= limits::PROMISES {
            return Err(self.too_many(limits::PROMISES, "promises"));
        }
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
        if matches!(spec.role, Role::Lines(_) | Role::Room) && self.slices.is_none() {
            let kinds = self.job.target.contracts().iter();
            let first = kinds.clone().find(|k| k.role == Role::Slices);
            let first = first.map_or("", |k| k.name);
            let d = Diagnostic::new(
                codes::MISPLACED,
                format!("`{}` stands before `{first}`", spec.name),
            );
            return Err(Box::new(
                d.at(t.span)
                    .help(format!("say `{first} …` once, above all blocks")),
            ));
        }
        if spec.role == Role::Slices && self.slices.is_some() {
            let d = Diagnostic::new(
                codes::REDEFINED,
                format!("`{}` stands here twice", spec.name),
            );
            return Err(Box::new(d.at(t.span)));
        }
        if spec.role == Role::Room {
            let section = |r: &&RawContract| {
                let chunk = &self.chunks[r.place.chunk as usize];
                r.kind == kind && chunk.section == self.section
            };
            if let Some(other) = self.contracts.iter().find(section) {
                let message = format!("`{}` stands in this section twice", spec.name);
                let d = Diagnostic::new(codes::REDEFINED, message).at(t.span);
                return Err(Box::new(d.related(other.span, "first here")));
            }
        }
        self.contracts.push(RawContract {
            kind,
            place: self.here,
            values,
            words,
            span: self.statement,
            expansion: self.expansion,
        });
        match spec.role {
            Role::Promise => {}
            Role::Slices => {
                let text = |&(a, b): &(u32, u32)| {
                    let part = &rest[a as usize..b as usize];
                    self.sources.slice(self.span_of(part)).to_owned()
                };
                let texts = split(rest).iter().map(text).collect();
                self.slices = Some(texts);
                self.placed_contracts = self.contracts.len();
                // Lines met before have no gaps.
                self.memo.renew();
            }
            Role::Lines(lines) => self.contract_lines(spec.name, lines),
            Role::Room => {
                self.gap(GapAt::Room);
                self.placed_contracts = self.contracts.len();
            }
        }
        Ok(())
    }

    /// The lines that a directive stands for.
    fn contract_lines(&mut self, name: &str, lines: &[&str]) {
        let mut text = String::new();
        for line in lines {
            let mut line = format!("        {line}\n");
            for (i, argument) in self.slices.iter().flatten().enumerate() {
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

    /// The promises with their values in a layout.
    pub(crate) fn contracts_of(
        &self,
        raw: &[RawContract],
        l: &Layout,
        values: &[State],
    ) -> Result<Vec<Contract>, (Miss, Span, u32)> {
        let contract = |r: &RawContract| {
            let value = |&(v, span): &(Value, Span)| {
                let found = self.value_of(v, l, values);
                found.map_err(|m| (m, span, r.expansion))
            };
            Ok(Contract {
                kind: usize::from(r.kind),
                address: l.address(r.place),
                section: self.chunks[r.place.chunk as usize].section,
                values: r.values.iter().map(value).collect::<Result<_, _>>()?,
                words: r.words.clone(),
            })
        };
        raw.iter().map(contract).collect()
    }

    /// Proves all promises; what they compute is put into the image.
    pub(crate) fn prove(&mut self, image: &mut Image, l: &Layout, values: &[State]) {
        let raw = std::mem::take(&mut self.contracts);
        if raw.is_empty() && !self.whole_proof || self.has_errors() {
            return;
        }
        let contracts = match self.contracts_of(&raw, l, values) {
            Ok(found) => found,
            Err((m, span, expansion)) => {
                let d = self.miss(m, span);
                self.report_in(d, expansion);
                return;
            }
        };
        let proof = self
            .job
            .target
            .prove(&View::new(image, &[], ""), &contracts, self.whole_proof);
        image.proven = proof.proven;
        for b in &proof.blocks {
            image.overhead.push((b.address, b.head, Overhead::Sync));
        }
        image.overhead.sort_unstable();
        image.blocks = proof.blocks;
        image.landings = proof.landings;
        image.clocks = proof.clocks;
        // A word of a block may be in a stretch as well: the first, of the block, counts.
        image.clocks.sort_by_key(|c| c.0);
        image.clocks.dedup_by_key(|c| c.0);
        for (address, bytes) in &proof.patches {
            put(image, *address, bytes);
        }
        let known = Promises::new(&raw, &contracts, image);
        for f in &proof.findings {
            let d = self.unkept(f, &known);
            self.report_in(d, known.expansion(f.address));
        }
        image.contracts = contracts;
    }

    /// The finding for a promise that is not kept.
    pub(crate) fn unkept(&self, f: &Finding, known: &Promises<'_>) -> Diagnostic {
        let code = match f.broken {
            true => codes::CLOCK,
            false => codes::UNPROVEN,
        };
        let mut d = Diagnostic::new(code, f.message.clone());
        d.span = known.span(f.address);
        d.help.clone_from(&f.help);
        if let Some(from) = f.from
            && let Some(at) = known.statements.span_at(from)
        {
            d = d.related(at, "the path starts here");
        }
        if !f.path.is_empty() {
            d = d.note(self.path(&f.path, &known.statements));
        }
        d
    }

    /// A path as lines of clock, address and source.
    fn path(&self, path: &[Step], statements: &Statements<'_>) -> String {
        let mut out = String::from("the path, with the clock before each instruction:");
        let mut at = 0;
        let mut lines = Vec::new();
        while let Some(&(address, clock)) = path.get(at) {
            let text = statements.span_at(address);
            let text = text.map_or("", |s| self.sources.slice(s));
            let (clock, address) = (clock.to_string(), statements.image.local(address));
            lines.push(format!("\n  {clock:>5}  {address:04X}  {}", text.trim()));
            at += 1;
            // Rounds of a short loop are shown once.
            let Some((length, rounds)) = rounds(&path[..at], &path[at..]) else {
                continue;
            };
            let s = if rounds == 1 { "" } else { "s" };
            lines.push(format!("\n         … {rounds} more round{s}"));
            at += length * rounds;
        }
        let hidden = lines.len().saturating_sub(SHOWN);
        for (i, line) in lines.iter().enumerate() {
            if hidden > 0 && i == SHOWN / 2 {
                out.push_str(&format!("\n  … {hidden} more"));
            }
            if hidden == 0 || !(SHOWN / 2..SHOWN / 2 + hidden).contains(&i) {
                out.push_str(line);
            }
        }
        out
    }
}

/// Whether what comes is what came last, again and again: how many steps, and how often.
fn rounds(before: &[Step], behind: &[Step]) -> Option<(usize, usize)> {
    (1..=LOOP.min(before.len())).find_map(|length| {
        let round = &before[before.len() - length..];
        let same = |next: &&[Step]| next.iter().zip(round).all(|(a, b)| a.0 == b.0);
        let count = behind.chunks_exact(length).take_while(same).count();
        (count * length >= FOLDED).then_some((length, count))
    })
}

/// The promises of a program by the address that they are about.
pub(crate) struct Promises<'a> {
    raw: &'a [RawContract],
    /// The first at each address.
    first: FxHashMap<u64, usize>,
    statements: Statements<'a>,
}

impl<'a> Promises<'a> {
    /// `contracts` are those of `raw` in a layout, `image` is that layout.
    pub(crate) fn new(raw: &'a [RawContract], contracts: &[Contract], image: &'a Image) -> Self {
        let mut first = FxHashMap::default();
        for (i, c) in contracts.iter().enumerate() {
            first.entry(c.address).or_insert(i);
        }
        let statements = Statements::new(image);
        Self {
            raw,
            first,
            statements,
        }
    }

    fn at(&self, address: u64) -> Option<&'a RawContract> {
        self.first.get(&address).map(|&i| &self.raw[i])
    }

    /// What is shown for an address: a promise about it, else its statement.
    fn span(&self, address: u64) -> Option<Span> {
        let promise = self.at(address).map(|r| r.span);
        promise.or_else(|| self.statements.span_at(address))
    }

    /// The way that led there.
    fn expansion(&self, address: u64) -> u32 {
        let promise = self.at(address).map(|r| r.expansion);
        let statement = || self.statements.run_at(address).map(|r| r.expansion);
        promise.or_else(statement).unwrap_or(NONE)
    }
}

/// Finds the statement that made the byte at an address.
pub(crate) struct Statements<'a> {
    image: &'a Image,
    chunks: Ranges,
}

impl<'a> Statements<'a> {
    /// Of an image.
    pub(crate) fn new(image: &'a Image) -> Self {
        let chunks = image.chunks.iter();
        let range = |c: &Chunk| (c.address, c.address + c.bytes.len() as u64);
        Self {
            image,
            chunks: Ranges::new(chunks.map(range)),
        }
    }

    /// Its text.
    pub(crate) fn span_at(&self, address: u64) -> Option<Span> {
        self.run_at(address).map(|r| r.span)
    }

    /// The run of bytes that holds an address.
    fn run_at(&self, address: u64) -> Option<&'a Run> {
        let c = &self.image.chunks[self.chunks.holding(address)?];
        let offset = (address - c.address) as u32;
        let next = c.runs.partition_point(|r| r.offset <= offset);
        c.runs.get(next.checked_sub(1)?)
    }
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
