//! Promises about clocks: proven on the finished image by the target, and turned into
//! findings that show the path; and the filler that the target's plan asks for.

pub mod filler;

use crate::diagnostic::{Diagnostic, codes};
use crate::image::ranges::Ranges;
use crate::image::{Chunk, Image, NONE, Run};
use crate::place::Layout;
use crate::program::eval::{Miss, State};
use crate::program::problems::Problems;
use crate::program::promise::Promise;
use crate::program::{Program, Value};
use crate::text::source::Span;
use crate::write::View;
use rustc_hash::FxHashMap;
use scrimp_isa::Contract;
use scrimp_isa::proof::{Finding, Overhead, Step};

/// Lines of a path that are shown.
const SHOWN: usize = 80;
/// Longest loop of which one round is shown.
const LOOP: usize = 8;
/// Fewest steps that are left out so.
const FOLDED: usize = 4;

impl Program<'_> {
    /// The promises with their values in a layout.
    pub(crate) fn contracts_of(
        &self,
        l: &Layout,
        values: &[State],
    ) -> Result<Vec<Contract>, (Miss, Span, u32)> {
        let contract = |r: &Promise| {
            let value = |&(v, span): &(Value, Span)| {
                let found = self.value_of(v, l, values);
                found.map_err(|m| (m, span, r.expansion))
            };
            Ok(Contract {
                kind: usize::from(r.kind),
                address: self.address(l, r.place),
                section: self.chunks[r.place.chunk as usize].section,
                values: r.values.iter().map(value).collect::<Result<_, _>>()?,
                words: r.words.clone(),
            })
        };
        self.asked.contracts.iter().map(contract).collect()
    }

    /// Proves all promises; what they compute is put into the image. Nothing is proven of
    /// a program with errors. `whole`: the target proves what takes seconds too.
    pub fn prove(&self, image: &mut Image, l: &Layout, values: &[State], whole: bool) -> Problems {
        let mut problems = Problems::default();
        if self.asked.contracts.is_empty() && !whole {
            return problems;
        }
        let contracts = match self.contracts_of(l, values) {
            Ok(found) => found,
            Err((m, span, expansion)) => {
                problems.miss_again(m, span, expansion);
                return problems;
            }
        };
        let proof = self
            .target
            .prove(&View::new(image, &[], ""), &contracts, whole);
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
        let known = Promises::new(&self.asked.contracts, &contracts, image);
        for f in &proof.findings {
            let d = self.unkept(f, &known);
            problems.found(d, known.expansion(f.address));
        }
        image.contracts = contracts;
        problems
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
    raw: &'a [Promise],
    /// The first at each address.
    first: FxHashMap<u64, usize>,
    statements: Statements<'a>,
}

impl<'a> Promises<'a> {
    /// `contracts` are those of `raw` in a layout, `image` is that layout.
    pub(crate) fn new(raw: &'a [Promise], contracts: &[Contract], image: &'a Image) -> Self {
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

    fn at(&self, address: u64) -> Option<&'a Promise> {
        self.first.get(&address).map(|&i| &self.raw[i])
    }

    /// What is shown for an address: a promise about it, else its statement.
    fn span(&self, address: u64) -> Option<Span> {
        let promise = self.at(address).map(|r| r.span);
        promise.or_else(|| self.statements.span_at(address))
    }

    /// The way that led there.
    pub(crate) fn expansion(&self, address: u64) -> u32 {
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
    fn run_at(&self, address: u64) -> Option<Run> {
        let c = &self.image.chunks[self.chunks.holding(address)?];
        let offset = (address - c.address) as u32;
        c.runs.holding(offset)
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
