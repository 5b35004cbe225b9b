//! Reading: from text to a program. Macros, conditions, includes, expressions, statements.
//!
//! In: the job, the dialect, a loader of texts. Out: a [`Program`]. Addresses, sizes and
//! bytes that depend on them are none of its business.

pub mod again;
mod encode;
pub mod expand;
pub mod hints;
pub mod hooks;
pub mod job;
pub mod limits;
pub mod preprocess;
mod romtable;
mod slots;
pub mod state;
pub mod syntax;
pub mod words;

pub use hooks::Assembler;

use crate::diagnostic::{Diagnostic, Frame, Level, codes};
use crate::image::{Class, ExpansionKind, NONE, Region};
use crate::program::eval::Miss;
use crate::program::item::{Given, Item, OperandValue, What, halves};
use crate::program::limits::{AN_ITEM, ITEMS};
use crate::program::plan::Stored;
use crate::program::symbol::{Anchor, Meaning, SymbolId};
use crate::read::hooks::Own;
use crate::read::job::Job;
use crate::read::state::account::Account;
use crate::read::state::again::{Again, Prior};
use crate::read::state::cells::Cells;
use crate::read::state::feeds::Lines;
use crate::read::state::files::Files;
use crate::read::state::memo::Memo;
use crate::read::state::naming::{Naming, Noticed};
use crate::read::state::part::Chosen;
use crate::read::words::Words;
use crate::text::language::Width;
use crate::text::lex::{AtSign, Tok};
use crate::text::source::{SourceId, Span};
use scrimp_isa::{Machine, Space};

use crate::diagnostic::MAX_FINDINGS;
use crate::program::{Chunk, Fault, Field, MAX_IMAGE, Needed, Outcome, Program, Section, Value};

/// What [`Assembler::must_know`] is told of a condition: only whether it is 0 matters.
pub const CONDITION: &str = "the condition";

impl<'a> Assembler<'a> {
    /// Before the first line, with what the runs before found. The texts that were read and
    /// what the dialect kept stay with `prior`.
    pub fn new(
        job: &'a Job<'a>,
        mut program: Program<'a>,
        files: Files<'a>,
        account: Account,
        own: Own,
        prior: &mut Prior,
    ) -> Self {
        program.symbols.case_blind = program.dialect.names.case_blind;
        Self {
            job,
            words: Words::new(job.target, program.dialect),
            program,
            files,
            lines: Lines::default(),
            memo: Memo::default(),
            account,
            naming: Naming::default(),
            chosen: Chosen {
                features: job.target.default_features(),
                ..Chosen::default()
            },
            cells: Cells::default(),
            noticed: Noticed::default(),
            again: Again::new(prior),
            own,
            fatal: false,
            section: 0,
            chunk: 0,
            expansion: NONE,
            statement: Span::new(SourceId(0), 0, 0),
            here: Anchor {
                chunk: 0,
                item: 0,
                plus: 0,
            },
            here_value: None,
        }
    }

    /// Records a finding with the way that led to it.
    #[expect(clippy::boxed_local, reason = "findings travel in boxes")]
    pub fn report(&mut self, mut d: Fault) {
        if d.trail.is_empty() {
            d.trail = self.trail(self.expansion);
        }
        self.push(*d);
    }

    /// Records a finding that happened in an expansion.
    pub fn report_in(&mut self, mut d: Diagnostic, expansion: u32) {
        d.trail = self.trail(expansion);
        self.push(d);
    }

    /// Records a finding that happened in an expansion, if its place says more than
    /// the way there: after it going on makes no sense.
    pub fn stop_at(&mut self, d: Diagnostic) {
        self.push(d);
        self.fatal = true;
    }

    fn push(&mut self, mut d: Diagnostic) {
        // What is missing in the first of several runs may be found by the next: all is
        // read, but no more is kept than is shown.
        let first = self.again.is_first(self.dialect);
        if first && d.level == Level::Error && self.account.findings.errors() >= MAX_FINDINGS {
            self.account.spent.unkept += 1;
            self.fatal |= self.account.spent.unkept > crate::program::limits::UNKEPT;
            return;
        }
        self.lead_out(&mut d);
        self.note_macro(&mut d);
        if d.level == Level::Error && self.account.limits.silent.contains(&d.code) {
            self.account.spent.silent_errors += 1;
        }
        self.account.findings.push(d);
        let errors = self.account.findings.errors() - self.account.spent.silent_errors;
        let many =
            errors >= self.account.limits.errors || self.account.findings.errors() >= MAX_FINDINGS;
        if !first && many {
            self.fatal = true;
        }
    }

    /// Records a finding after which going on makes no sense.
    pub fn stop(&mut self, d: Fault) {
        self.report(d);
        self.fatal = true;
    }

    /// Whether there is an error so far.
    pub fn has_errors(&self) -> bool {
        self.account.findings.errors() > 0
    }

    fn trail(&self, mut at: u32) -> Vec<Frame> {
        let mut out = Vec::new();
        while at != NONE && out.len() < 16 {
            let e = &self.expansions[at as usize];
            let what = match &e.kind {
                ExpansionKind::Include(f) => format!("in `{f}`, included"),
                ExpansionKind::Macro(m) => format!("in macro `{m}`, called"),
                ExpansionKind::Repeat(n) => format!("in round {} of the repeat", n + 1),
            };
            out.push(Frame { what, span: e.call });
            at = e.parent;
        }
        out
    }

    /// Text of a token.
    #[inline]
    pub fn text(&self, t: &Tok) -> &str {
        self.sources.slice(t.span)
    }

    /// From the first to the last of some tokens, or the statement.
    pub fn span_of(&self, toks: &[Tok]) -> Span {
        match (toks.first(), toks.last()) {
            (Some(a), Some(b)) if a.span.source == b.span.source && a.span.start <= b.span.end => {
                a.span.to(b.span)
            }
            (Some(a), _) => a.span,
            _ => self.statement,
        }
    }

    /// Marks the start of a statement.
    #[inline]
    pub fn mark_here(&mut self) {
        let c = &self.program.chunks[self.chunk as usize];
        self.here = Anchor {
            chunk: self.chunk,
            item: c.items.len() as u32,
            plus: 0,
        };
        self.here_value = match c.base {
            Some(b) if c.open.is_empty() => {
                Some(self.address_value(self.chunk, b + u64::from(c.size)))
            }
            _ => None,
        };
        if let Some((_, offset)) = self.naming.structure {
            self.here_value = Some(offset);
        }
    }

    /// The space of the section in force.
    pub fn section_space(&self) -> Space {
        self.memory.spaces[self.sections[self.section as usize].space as usize]
    }

    /// Puts a section into a region, and so into a space.
    pub fn set_region(&mut self, section: u32, region: u32) {
        let start = self.regions[region as usize].start;
        let space = self.memory.holding(start);
        let s = &mut self.sections[section as usize];
        s.region = region;
        s.space = space.unwrap_or(0) as u32;
    }

    /// Takes a machine: its regions, features and facts.
    pub fn take_machine(&mut self, machine: &'a dyn Machine) {
        self.machine = Some(machine);
        self.memo.renew();
        self.chosen.features = machine.features();
        self.memory.code_wrap = machine.wraps().map(|n| n as i64);
        if let Some(p) = &mut self.lines.pre {
            for (name, value) in machine.predefined() {
                p.define(&name, &value);
            }
        }
        if !self.chosen.own_regions {
            let new: Vec<Region> = machine
                .regions()
                .iter()
                .map(|r| Region {
                    name: r.name.into(),
                    start: r.start,
                    size: r.size,
                })
                .collect();
            // Sections keep their regions by name.
            for s in &mut self.program.sections {
                if let Some(old) = self.program.regions.get(s.region as usize) {
                    let at = new.iter().position(|r| r.name == old.name);
                    s.region = at.map_or(NONE, |i| i as u32);
                }
            }
            self.regions = new;
            self.place_segments();
        }
    }

    /// Value of an expression that must be known already.
    pub fn must_know(&mut self, v: Value, span: Span, what: &str) -> Outcome<i64> {
        let found = self.known_or_assumed(v, None);
        if let Ok(n) = found {
            let needed = match what {
                CONDITION => Needed::Truth,
                "the address" | "the start" => Needed::Address,
                _ => Needed::Number,
            };
            self.chosen.decide(v, n, span, needed);
        }
        found.map_err(|m| match m {
            Miss::Undefined(id) => {
                let s = self.symbols.get(id);
                let mut d = Diagnostic::new(
                    codes::NOT_KNOWN_YET,
                    format!("{what} must be known here, but `{}` is not defined above", self.dialect.names.dots.written(&s.name)),
                )
                .at(span);
                let name = &s.name;
                let help = self.library_defines(name);
                d.help = Some(help.unwrap_or_else(|| "move its definition up, or write the number".into()));
                Box::new(d)
            }
            Miss::NotYet => Box::new(
                Diagnostic::new(
                    codes::NOT_KNOWN_YET,
                    format!("{what} must be known here, but depends on addresses that layout gives"),
                )
                .at(span)
                .help("use `org`, or a difference of two labels with nothing of variable size between"),
            ),
            other => Box::new(self.miss(other, span)),
        })
    }

    /// The finding for a value that cannot be had.
    pub fn miss(&self, m: Miss, span: Span) -> Diagnostic {
        match m {
            Miss::DivideByZero => {
                Diagnostic::new(codes::DIVISION_BY_ZERO, "division by zero").at(span)
            }
            Miss::Overflow => Diagnostic::new(
                codes::OUT_OF_RANGE,
                "the expression does not fit into 64 bits",
            )
            .at(span),
            Miss::BackwardShift => {
                Diagnostic::new(codes::OUT_OF_RANGE, "the count of a shift is negative").at(span)
            }
            Miss::Circular(id) => {
                let s = self.symbols.get(id);
                let d = Diagnostic::new(
                    codes::CIRCULAR,
                    format!(
                        "`{}` is defined by itself",
                        self.dialect.names.dots.written(&s.name)
                    ),
                )
                .at(span);
                match s.span {
                    Some(at) if at != span => d.related(at, "defined here"),
                    _ => d,
                }
            }
            Miss::Undefined(id) => {
                let s = self.symbols.get(id);
                if self.dialect.lexing.at == AtSign::Argument && s.name.starts_with('@') {
                    let message = format!("the macro is called without an argument `{}`", s.name);
                    return Diagnostic::new(codes::BAD_CALL, message).at(span);
                }
                if self.words.get(&s.name).word != 0 {
                    // Read as a symbol because no form takes the register.
                    let message = format!("`{}` is not taken here", s.name);
                    return Diagnostic::new(codes::BAD_OPERANDS, message)
                        .at(span)
                        .label("no form has this register here");
                }
                Diagnostic::new(
                    codes::UNKNOWN_SYMBOL,
                    format!(
                        "`{}` is not defined",
                        self.dialect.names.dots.written(&s.name)
                    ),
                )
                .at(span)
            }
            Miss::Fraction => Diagnostic::new(
                codes::BAD_EXPRESSION,
                "a number with a fraction where a whole one is needed",
            )
            .at(span)
            .help("`int(x)` cuts it off"),
            Miss::NotYet => {
                Diagnostic::new(codes::NOT_KNOWN_YET, "the value is not known").at(span)
            }
        }
    }

    /// Adds an item of this statement.
    #[inline]
    fn push_item(&mut self, what: What) {
        let owner = self.program.sections[self.section as usize].owner;
        self.program.chunks[self.chunk as usize].push(Item {
            what,
            span: self.statement,
            expansion: self.expansion,
            owner,
            offset: 0,
        });
    }

    #[inline]
    fn room(&mut self, more: usize) -> bool {
        if let Some((_, offset)) = &mut self.naming.structure {
            *offset = offset.saturating_add(more as i64);
            return false;
        }
        self.account.spent.emitted += more;
        self.account.spent.items += 1;
        if self.account.spent.items > ITEMS && !self.room_for_item() {
            return false;
        }
        let c = &self.chunks[self.chunk as usize];
        let limit = self.most_bytes();
        if c.size as usize + more > limit || self.account.spent.emitted > MAX_IMAGE {
            self.too_long_a_piece(limit.min(MAX_IMAGE));
            return false;
        }
        true
    }

    /// Most bytes that may follow each other.
    fn most_bytes(&self) -> usize {
        match self.dialect.output.wraps {
            true => MAX_IMAGE,
            false => self.memory.space as usize,
        }
    }

    /// Whether so many bytes of a statement are more than any may have: then there is an
    /// error, and it should end before it has made all of them.
    pub fn is_over(&mut self, bytes: usize) -> bool {
        let most = self.most_bytes().min(MAX_IMAGE);
        let is = bytes > most;
        if is {
            self.too_long_a_piece(most);
        }
        is
    }

    /// Whether there may be one more item than any source may have.
    #[cold]
    fn room_for_item(&mut self) -> bool {
        let most = ITEMS + self.symbols.read / AN_ITEM;
        if self.account.spent.items <= most {
            return true;
        }
        if !self.fatal {
            let d = self.too_many(most, "statements for its length");
            self.report(d);
        }
        false
    }

    /// The finding for a piece of more than so many bytes; nothing more is read.
    #[cold]
    fn too_long_a_piece(&mut self, most: usize) {
        let d = Diagnostic::new(
            codes::TOO_MUCH,
            format!("more than {most} bytes in one piece"),
        )
        .at(self.statement);
        if !self.fatal {
            self.stop(Box::new(d));
        }
    }

    /// Adds an instruction; its operands are those from `operands` on, or none.
    #[inline]
    pub fn emit_form(&mut self, form: u16, word: u64, size: u8, operands: u32) {
        if !self.room(size as usize) {
            return;
        }
        let owner = self.program.sections[self.section as usize].owner;
        let item = Item {
            what: What::Instruction {
                size,
                form,
                operands,
                word: halves(word),
            },
            span: self.statement,
            expansion: self.expansion,
            owner,
            offset: 0,
        };
        self.program.chunks[self.chunk as usize].push_sized(item, size.into());
    }

    /// Adds data bytes of this statement.
    pub fn emit_data(&mut self, bytes: &[u8], class: Class) {
        if bytes.is_empty() || !self.room(bytes.len()) {
            return;
        }
        let from = self.program.data.len() as u32;
        self.program.data.extend_from_slice(bytes);
        let chunk = &self.program.chunks[self.chunk as usize];
        let item = (self.chunk, chunk.items.len() as u32);
        let values = self.program.values.iter().rev();
        let own = values.take_while(|v| (v.at.chunk, v.at.item) == item);
        let operands = match own.count() {
            0 => NONE,
            n => (self.program.values.len() - n) as u32,
        };
        self.push_item(What::Data {
            class,
            operands,
            from,
            len: bytes.len() as u32,
        });
    }

    /// Adds `count` equal bytes.
    pub fn emit_fill(&mut self, count: usize, byte: u8, class: Class) {
        if count == 0 || !self.room(count) {
            return;
        }
        let count = count as u32;
        self.push_item(What::Fill { class, byte, count });
    }

    /// Adds so many equal bytes, which are counted anew where what the count names moves.
    pub fn emit_room(&mut self, count: Value, bytes: usize, byte: u8) {
        let class = Class::Space;
        match count {
            Value::Known(_, count) if self.space_unit(self.chunk) == 1 => {
                let size = bytes as u32;
                let what = What::Space {
                    class,
                    byte,
                    count,
                    size,
                };
                self.emit_sized(what, bytes);
            }
            _ => self.emit_fill(bytes, byte, class),
        }
    }

    /// Adds an item that has a size of its own here, and another where it is moved.
    pub fn emit_sized(&mut self, what: What, size: usize) {
        if self.room(size) {
            self.push_item(what);
        }
    }

    /// Adds an item whose size layout decides.
    pub fn emit_open(&mut self, what: What) {
        if self.naming.structure.is_some() {
            return;
        }
        self.account.spent.open += 1;
        self.push_item(what);
    }

    /// Keeps a value of an item; what is not known of it comes later.
    pub fn fix(&mut self, at: Anchor, field: Field, value: Value, span: Span, state: Given) {
        if self.naming.structure.is_some() {
            return;
        }
        let value = match value {
            Value::Number(_) if state == Given::All => return,
            v => self.as_expr(v),
        };
        self.account.spent.waiting += usize::from(state != Given::All);
        self.program.values.push(OperandValue {
            at,
            field,
            value,
            span,
            state,
        });
    }

    /// The section of that name, made if there is none.
    pub fn open_section(&mut self, name: &str, span: Option<Span>) -> u32 {
        if let Some(&i) = self.section_names.get(name) {
            return i;
        }
        let i = self.sections.len() as u32;
        self.sections.push(Section {
            name: name.into(),
            region: NONE,
            chunk: NONE,
            span,
            owner: NONE,
            space: 0,
            most: None,
        });
        self.section_names.insert(name.into(), i);
        i
    }

    /// Starts a chunk in the section in force; `base` is a linear address.
    pub fn open_chunk(&mut self, base: Option<u64>, align: u64) {
        let space = self.section_space();
        let unit = self.unit_of(space);
        // The chunk before in the section is not gone back to.
        let last = self.program.sections[self.section as usize].chunk;
        if let Some(last) = self.program.chunks.get_mut(last as usize) {
            last.items.shrink_to_fit();
        }
        self.program.chunks.push(Chunk {
            section: self.section,
            base,
            within: 0,
            together: None,
            in_table: None,
            origin: space.base,
            unit,
            align,
            overlap: self.chosen.overlap,
            stored: Stored::Here,
            page: 0,
            window: 0,
            seek: None,
            behind: None,
            items: Vec::new(),
            open: Vec::new(),
            size: 0,
        });
        self.chunk = self.chunks.len() as u32 - 1;
        self.program.sections[self.section as usize].chunk = self.chunk;
        self.mark_here();
    }

    /// Gives a symbol a meaning; an error if it has one.
    pub fn define(
        &mut self,
        id: SymbolId,
        meaning: Meaning,
        span: Span,
        variable: bool,
    ) -> Outcome<()> {
        let s = self.symbols.get(id);
        let gives_way = s.span.is_some_and(|at| {
            self.sources.get(at.source).library && !self.sources.get(span.source).library
        });
        if s.meaning != Meaning::Undefined && !(variable && s.variable) && !gives_way {
            let (name, before) = (self.dialect.names.dots.written(&s.name), s.span);
            if before == Some(span)
                && let Some(d) = self.include_circle()
            {
                self.fatal = true;
                return Err(d);
            }
            let d =
                Diagnostic::new(codes::REDEFINED, format!("`{name}` is defined twice")).at(span);
            return Err(Box::new(match before {
                Some(at) if at == span => self.same_place_twice(d, &name),
                Some(at) => d.related(at, "first defined here"),
                None => d,
            }));
        }
        if let (Some(p), Meaning::Number(n)) = (&mut self.lines.pre, meaning) {
            p.note_symbol(&self.program.symbols.get(id).name, Some(n));
        }
        let s = self.symbols.get_mut(id);
        s.meaning = meaning;
        s.span = Some(span);
        s.variable = variable;
        self.symbols.number(id);
        Ok(())
    }

    /// A number wrapped to the dialect's width.
    #[inline]
    pub fn wrap(&self, v: u64) -> i64 {
        match self.dialect.values.width {
            Width::Signed64 | Width::Wrapping64 => v as i64,
            w => w.wrap(v as i64),
        }
    }
}
