//! Tables of bytes in ROM, for a processor that reads its program memory only by
//! running into it.
//!
//! `romtable` makes a word of each byte and puts the words that lead in and out, the
//! trampoline, behind those of each page. The pages of a table follow each other and
//! its bytes begin at the start of each, so the index in a page is the low byte of an
//! address. What a page has left over is free for other sections.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, Expansion, ExpansionKind, NONE};
use crate::program::item::{DataValue, Given};
use crate::program::plan::InTable;
use crate::program::symbol::{Anchor, Meaning, SymbolId};
use crate::program::{Field, Outcome};
use crate::read::Assembler;
use crate::read::state::cells::OpenTable;
use crate::read::syntax::operand::split;
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::Span;

const USAGE: &str = "expected `romtable name, back = label`, and perhaps `per = N`, `slot = instruction`; `back = [cell]` returns where two cells say";

/// What stands behind the name of a table.
struct TableOptions {
    /// Values that a page may have, and whether the source says so.
    per: (u64, bool),
    /// Where to go back to.
    back: Option<Vec<Tok>>,
    /// What is executed at the end of a page.
    slot: Option<Vec<Tok>>,
}

impl Assembler<'_> {
    /// `romtable name, back = label, per = n, slot = instruction`.
    pub(crate) fn open_table(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let kind = self.table_kind(t)?;
        let usage = |at: Span| Box::new(Diagnostic::new(codes::SYNTAX, USAGE).at(at));
        let parts = split(rest);
        let name = match rest.first() {
            Some(n) if n.kind == Kind::Name && parts[0].1 == 1 => *n,
            _ => return Err(usage(t.span)),
        };
        let TableOptions { per, back, slot } =
            self.table_options(t, rest, &parts[1..], kind.most)?;
        let Some(mut back) = back else {
            return Err(usage(self.span_of(rest)));
        };
        let full = self.label_name(&name)?;
        self.must_be_no_section(&full, name.span)?;
        let in_cells = back[0].kind == Kind::SquareOpen;
        if in_cells {
            if back.len() < 3 || back.last().map(|b| b.kind) != Some(Kind::SquareClose) {
                return Err(usage(self.span_of(&back)));
            }
            back.remove(0);
            back.pop();
        }
        let text = if in_cells {
            kind.by_cells
        } else {
            kind.by_label
        };
        let mut lines = self.table_lines(text, &back);
        lines.push(match slot {
            Some(s) => s,
            None => self.table_lines(kind.slot, &[]).concat(),
        });
        let outer = (self.section, self.naming.parent.clone());
        let region = self.sections[self.section as usize].region;
        let number = self.columns.tables;
        self.columns.tables += 1;
        self.section = self.open_section(&full, Some(name.span));
        if region != NONE {
            self.set_region(self.section, region);
        }
        self.cells.rom_table = Some(Box::new(OpenTable {
            name,
            full,
            statement: self.statement,
            expansion: self.expansion,
            outer,
            per,
            lines,
            number,
            pages: 0,
            length: 0,
            entry: None,
        }));
        self.table_page();
        self.define_label(&name)
    }

    /// How tables are made where this one stands, if one can stand there.
    fn table_kind(&self, t: &Tok) -> Outcome<scrimp_isa::RomTable> {
        let misplaced = |text: &str| Diagnostic::new(codes::MISPLACED, text).at(t.span);
        if let Some(open) = &self.cells.rom_table {
            let d = misplaced("a table cannot stand in a table")
                .related(open.statement, "this one has no `endtable` yet");
            return Err(Box::new(d));
        }
        let space = self.section_space();
        let Some(kind) = self
            .job
            .target
            .rom_table()
            .filter(|r| r.space == space.name)
        else {
            let d = misplaced("a table of this kind stands in read-only memory")
                .help("open a section there before it: `section tables in rom`");
            return Err(Box::new(d));
        };
        if self.regions.is_empty() {
            let d = misplaced("there is no region that the table could be placed in")
                .help("choose a machine, or declare one: `region rom, start = 0, size = $10000`");
            return Err(Box::new(d));
        }
        Ok(kind)
    }

    fn must_be_no_section(&self, full: &str, span: Span) -> Outcome<()> {
        let Some(&i) = self.section_names.get(full) else {
            return Ok(());
        };
        let message = format!("`{full}` is a section already, and a table is one of its own");
        let mut d = Diagnostic::new(codes::REDEFINED, message).at(span);
        if let Some(first) = self.sections[i as usize].span {
            d = d.related(first, "the section");
        }
        Err(Box::new(d))
    }

    /// Reads what stands behind the name of a table.
    fn table_options(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        parts: &[(u32, u32)],
        most: u16,
    ) -> Outcome<TableOptions> {
        let usage = |at: Span| Box::new(Diagnostic::new(codes::SYNTAX, USAGE).at(at));
        let (mut per, mut back, mut slot) = ((u64::from(most), false), None, None);
        for &(a, b) in parts {
            let part = &rest[a as usize..b as usize];
            let [option, equal, value @ ..] = part else {
                return Err(usage(part.first().map_or(t.span, |p| p.span)));
            };
            if equal.kind != Kind::Equal || value.is_empty() {
                return Err(usage(option.span));
            }
            match self.text(option).to_ascii_lowercase().as_str() {
                "back" => back = Some(value.to_vec()),
                "slot" => slot = Some(value.to_vec()),
                "per" => {
                    let span = self.span_of(value);
                    let v = self.whole_expression(value)?;
                    let n = self.must_know(v, span, "the number of values in a page")?;
                    if !(1..=i64::from(most)).contains(&n) {
                        let d = Diagnostic::new(
                            codes::OUT_OF_RANGE,
                            format!("a page cannot have {n} values"),
                        )
                        .at(span)
                        .label(format!("must be 1 to {}", most))
                        .note("the words that lead in and out need the rest of the page");
                        return Err(Box::new(d));
                    }
                    per = (n as u64, true);
                }
                _ => return Err(usage(option.span)),
            }
        }
        Ok(TableOptions { per, back, slot })
    }

    /// The full name that a label has here.
    fn label_name(&mut self, t: &Tok) -> Outcome<String> {
        let (id, _) = self.label_symbol(t)?;
        Ok(self.symbols.get(id).name.to_string())
    }

    /// Lines of a text, with some tokens where it says `back`.
    fn table_lines(&mut self, text: &str, back: &[Tok]) -> Vec<Vec<Tok>> {
        let source = self.sources.add("<romtable>", text.to_owned());
        let lexing = self.dialect.lexing;
        let (mut lines, mut at) = (Vec::new(), 0);
        let mut toks = Vec::new();
        while let Some(next) = lex::line(text, at, source, lexing, &mut toks) {
            at = next;
            let mut line = Vec::with_capacity(toks.len() + back.len());
            for t in toks.drain(..) {
                match t.kind == Kind::Name && self.sources.slice(t.span) == "back" {
                    true => line.extend_from_slice(back),
                    false => line.push(t),
                }
            }
            lines.push(line);
        }
        lines
    }

    /// Opens the next page of the table.
    fn table_page(&mut self) {
        let Some(kind) = self.job.target.rom_table() else {
            return;
        };
        let Some(table) = &mut self.cells.rom_table else {
            return;
        };
        let offset = table.pages * kind.page;
        table.pages += 1;
        let number = table.number;
        self.open_table_chunk(number, offset, kind.page);
    }

    fn open_table_chunk(&mut self, table: u32, offset: u64, page: u64) {
        self.open_chunk(None, 1);
        let c = &mut self.program.chunks[self.chunk as usize];
        c.within = page;
        c.in_table = Some(InTable { table, offset });
    }

    /// Whether only values have been put into the page of the open table; an error
    /// ends the table.
    fn table_is_whole(&mut self, at: Span) -> Outcome<()> {
        let Some(table) = &self.cells.rom_table else {
            return Ok(());
        };
        let (Some(kind), c) = (
            self.job.target.rom_table(),
            &self.chunks[self.chunk as usize],
        ) else {
            return Ok(());
        };
        let here = table.length - (table.pages - 1) * table.per.0;
        let same = c
            .in_table
            .is_some_and(|p| p.table == table.number && p.offset == (table.pages - 1) * kind.page);
        let word = kind.prefix.len() + 1;
        if same && u64::from(c.size) == here * word as u64 && c.open.is_empty() {
            return Ok(());
        }
        let d = Diagnostic::new(
            codes::MISPLACED,
            "between `romtable` and this there is something else than bytes",
        )
        .at(at)
        .related(table.statement, "the table starts here")
        .help("`db`, `ds` and `incbin` make bytes; other words and sections go behind `endtable`");
        self.leave_table();
        Err(Box::new(d))
    }

    fn leave_table(&mut self) {
        if let Some(table) = self.cells.rom_table.take() {
            self.section = table.outer.0;
            self.naming.parent = table.outer.1;
            match self.sections[self.section as usize].chunk {
                NONE => self.open_chunk(None, 1),
                chunk => self.chunk = chunk,
            }
            self.mark_here();
        }
    }

    /// Puts values into the open table, from page to page.
    pub(crate) fn table_bytes(&mut self, bytes: &[u8], open: &[DataValue]) -> Outcome<()> {
        self.table_is_whole(self.statement)?;
        let Some(kind) = self.job.target.rom_table() else {
            return Ok(());
        };
        let word = kind.prefix.len() + 1;
        let mut open = open.iter().peekable();
        let mut from = 0;
        while from < bytes.len() && !self.fatal {
            let Some(table) = &mut self.cells.rom_table else {
                return Ok(());
            };
            let room = table.pages * table.per.0 - table.length;
            let count = (bytes.len() - from).min(room as usize);
            table.length += count as u64;
            let full = count as u64 == room;
            self.mark_here();
            let start = self.here;
            let mut words = Vec::with_capacity(count * word);
            for &b in &bytes[from..from + count] {
                words.extend_from_slice(kind.prefix);
                words.push(b);
            }
            while let Some(&&(at, value, span)) = open.peek()
                && (at as usize) < from + count
            {
                open.next();
                let offset = (at as usize - from) * word + kind.prefix.len();
                let place = Anchor {
                    plus: offset as u32,
                    ..start
                };
                let state = match value.number() {
                    Some(_) => Given::All,
                    None => Given::Open,
                };
                self.fix(place, Field::Data(1), value, span, state);
            }
            self.emit_data(&words, Class::Data);
            from += count;
            if full {
                self.trampoline();
                let pages = self.cells.rom_table.as_ref().map_or(0, |t| t.pages);
                if pages >= self.memory.space / kind.page {
                    let d = Diagnostic::new(
                        codes::TOO_MUCH,
                        format!("the table has more than {pages} pages, all that there are"),
                    )
                    .at(self.statement);
                    self.stop(Box::new(d));
                    return Ok(());
                }
                self.table_page();
            }
        }
        Ok(())
    }

    /// The words that lead in and out, here.
    fn trampoline(&mut self) {
        self.mark_here();
        let here = self.here;
        let Some(table) = &mut self.cells.rom_table else {
            return;
        };
        table.entry.get_or_insert(here);
        let lines = table.lines.clone();
        let (statement, expansion) = (table.statement, table.expansion);
        let statement = std::mem::replace(&mut self.statement, statement);
        let expansion = std::mem::replace(&mut self.expansion, expansion);
        let parent = std::mem::replace(&mut self.naming.parent, table.outer.1.clone());
        // Nothing may be put between these words, and they are no table themselves.
        let slices = self.asked.slices.take();
        let table = self.cells.rom_table.take();
        // Listings show the words themselves, below the table that they belong to.
        self.program.expansions.push(Expansion {
            kind: ExpansionKind::Macro("romtable".into()),
            call: self.statement,
            parent: self.expansion,
        });
        self.expansion = self.expansions.len() as u32 - 1;
        for line in &lines {
            self.statement = match (line.first(), line.last()) {
                (Some(a), Some(b)) if a.span.source == b.span.source => a.span.to(b.span),
                _ => self.statement,
            };
            if let Err(d) = self.line(line) {
                self.report(d);
            }
        }
        self.cells.rom_table = table;
        self.asked.slices = slices;
        self.naming.parent = parent;
        self.statement = statement;
        self.expansion = expansion;
    }

    /// `endtable`.
    pub(crate) fn close_table(&mut self, t: &Tok) -> Outcome<()> {
        if self.cells.rom_table.is_none() {
            let d = Diagnostic::new(codes::STRAY_END, "this ends no `romtable`").at(t.span);
            return Err(Box::new(d));
        }
        self.table_is_whole(t.span)?;
        let (Some(kind), Some(table)) = (self.job.target.rom_table(), &mut self.cells.rom_table)
        else {
            return Ok(());
        };
        if table.length == 0 {
            let d = Diagnostic::new(codes::SYNTAX, "a table needs at least one value")
                .at(table.name.span);
            self.leave_table();
            return Err(Box::new(d));
        }
        let rest = table.length - (table.pages - 1) * table.per.0;
        if table.pages == 1 && !table.per.1 {
            table.per.0 = table.length;
        }
        let (per, number, pages) = (table.per.0, table.number, table.pages);
        if rest == 0 {
            // The last page was full, and the one behind it has nothing.
            table.pages -= 1;
        } else {
            if rest < per {
                let word = kind.prefix.len() as u64 + 1;
                let offset = (pages - 1) * kind.page + per * word;
                self.open_table_chunk(number, offset, kind.page);
            }
            self.trampoline();
        }
        let Some(table) = &self.cells.rom_table else {
            return Ok(());
        };
        let at = table.name.span;
        let numbers = [
            (format!("{}.length", table.full), table.length),
            (format!("{}.pages", table.full), table.pages),
            (format!("{}.per", table.full), table.per.0),
        ];
        let entry = (format!("{}.entry", table.full), table.entry);
        let section = self.section;
        self.leave_table();
        for (name, n) in numbers {
            let id = self.symbols.intern(&name);
            self.define(id, Meaning::Number(n as i64), at, false)?;
        }
        if let (name, Some(place)) = entry {
            let id: SymbolId = self.symbols.intern(&name);
            self.define(id, Meaning::At(place), at, false)?;
            let s = self.symbols.get_mut(id);
            s.label = true;
            s.section = section;
            s.place = Some(place);
        }
        Ok(())
    }

    /// Reports a table without its end.
    pub(crate) fn check_table_end(&mut self) {
        if let Some(table) = &self.cells.rom_table {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this `romtable` has no `endtable`")
                .at(table.statement);
            self.report(Box::new(d));
        }
    }
}
