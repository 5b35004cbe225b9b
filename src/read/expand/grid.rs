//! Tables that stand in columns of memory: one byte in each page of a range. The
//! page is the index, so a table costs one column.
//!
//! A table gets the rightmost column that is free in all its pages; a full page the
//! first page that is free. What is placed stays, so a value is known at once, and
//! what a later line asks for explicitly must be free.

use super::FeedKind;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{ExpansionKind, GridPart};
use crate::program::Outcome;
use crate::program::limits;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::state::cells::Cell;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use scrimp_isa::Grid;
use std::fmt::Write as _;
use std::sync::Arc;

/// What a line of [`Assembler::grid_part`] asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Column,
    Page,
    Room,
}

impl Assembler<'_> {
    /// `column name, first, last` and `column name, first, last, at`.
    pub(super) fn table_column(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.grid_part(t, rest, Want::Column)
    }

    /// `fullpage name` and `fullpage name, at`.
    pub(super) fn full_page(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.grid_part(t, rest, Want::Page)
    }

    /// `reserve name, first page, last page, first column, last column`.
    pub(super) fn reserve_room(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.grid_part(t, rest, Want::Room)
    }

    fn grid_part(&mut self, t: &Tok, rest: &[Tok], want: Want) -> Outcome<()> {
        let Some(grid) = self.job.target.grid() else {
            let d = Diagnostic::new(codes::MISPLACED, "this target has no columns").at(t.span);
            return Err(Box::new(d));
        };
        let (mut part, given) = self.described(t, rest, want, grid)?;
        if given {
            self.must_be_free(&part, (grid.pages, grid.columns))?;
        } else if !self.find_room(&mut part, want, grid.pages, grid.columns) {
            let (first, last) = part.pages;
            let message = match want {
                Want::Column => format!("no column is free in the pages {first} to {last}"),
                _ => "no page is free".to_owned(),
            };
            let d = Diagnostic::new(codes::REGION_FULL, message)
                .at(self.span_of(rest))
                .note(self.grid_list());
            return Err(Box::new(match want {
                Want::Column => d.help(self.least_taken((first, last), grid.columns)),
                _ => d.help("make a column of a table that has one byte for each page"),
            }));
        }
        if self.columns.grid.len() >= limits::COLUMNS {
            return Err(self.too_many(limits::COLUMNS, "tables in columns"));
        }
        match want {
            Want::Column => self.define_part(&part, part.columns.0)?,
            Want::Page => self.define_part(&part, part.pages.0)?,
            Want::Room => {}
        }
        self.columns.grid.push(part);
        Ok(())
    }

    /// What the arguments of a line ask for, and whether they say where it is.
    fn described(
        &mut self,
        t: &Tok,
        rest: &[Tok],
        want: Want,
        grid: Grid,
    ) -> Outcome<(GridPart, bool)> {
        let parts = split(rest);
        let (least, most, usage) = match want {
            Want::Column => (3, 4, "name, first page, last page, and perhaps the column"),
            Want::Page => (1, 2, "name, and perhaps the page"),
            Want::Room => (5, 5, "name, first and last page, first and last column"),
        };
        let expected = Diagnostic::new(codes::SYNTAX, format!("expected {usage}"));
        let name = match rest.first() {
            Some(n) if matches!(n.kind, Kind::Name | Kind::Double) => *n,
            _ => return Err(Box::new(expected.at(t.span))),
        };
        if !(least..=most).contains(&parts.len()) || parts[0].1 != 1 {
            return Err(Box::new(expected.at(self.span_of(rest))));
        }
        let mut n = [0; 4];
        for (i, &(a, b)) in parts[1..].iter().enumerate() {
            let part = &rest[a as usize..b as usize];
            let column = match want {
                Want::Column => i == 2,
                Want::Page => false,
                Want::Room => i >= 2,
            };
            n[i] = self.grid_number(part, if column { grid.columns } else { grid.pages })?;
        }
        let given = parts.len() == most;
        let (pages, columns) = match want {
            Want::Column if given => ((n[0], n[1]), (n[2], n[2])),
            Want::Column => ((n[0], n[1]), (0, 0)),
            Want::Page => ((n[0], n[0]), (0, grid.columns - 1)),
            Want::Room => ((n[0], n[1]), (n[2], n[3])),
        };
        if pages.0 > pages.1 || columns.0 > columns.1 {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, "the first lies behind the last")
                .at(self.span_of(rest));
            return Err(Box::new(d));
        }
        let part = GridPart {
            name: self.text(&name).trim_matches('"').to_owned(),
            pages,
            columns,
            reserved: want == Want::Room,
            span: name.span,
        };
        Ok((part, given))
    }

    /// Defines the symbols of a table: its column or page, and its first and last page.
    fn define_part(&mut self, part: &GridPart, value: u16) -> Outcome<()> {
        for (name, value) in [
            (part.name.clone(), value),
            (format!("{}.first", part.name), part.pages.0),
            (format!("{}.last", part.name), part.pages.1),
        ] {
            let id = self.symbols.intern(&name);
            let meaning = Meaning::Number(i64::from(value));
            self.define(id, meaning, part.span, false)?;
        }
        Ok(())
    }

    fn grid_number(&mut self, part: &[Tok], limit: u16) -> Outcome<u16> {
        let span = self.span_of(part);
        let v = self.whole_expression(part)?;
        let n = self.must_know(v, span, "the number")?;
        match u16::try_from(n) {
            Ok(n) if n < limit => Ok(n),
            _ => Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is out of range"))
                    .at(span)
                    .label(format!("must be 0 to {}", limit - 1)),
            )),
        }
    }

    fn must_be_free(&self, part: &GridPart, limits: (u16, u16)) -> Outcome<()> {
        let Some(other) = self.columns.grid.iter().find(|o| o.meets(part)) else {
            return Ok(());
        };
        let (pages, columns) = other.shared(part);
        let d = Diagnostic::new(
            codes::OVERLAP,
            format!(
                "`{}` and `{}` overlap in pages {} to {}, columns ${:02X} to ${:02X}",
                part.name, other.name, pages.0, pages.1, columns.0, columns.1
            ),
        )
        .at(part.span)
        .label(match part.common(other) {
            1 => "one cell in common".to_owned(),
            n => format!("{n} cells in common"),
        })
        .related(other.span, "the other");
        let mut free = part.clone();
        let wide = part.columns.1 > part.columns.0;
        let (want, room) = match (part.reserved, wide) {
            (true, _) => (None, (0, 0)),
            (_, false) => (Some(Want::Column), limits),
            (_, true) => (Some(Want::Page), limits),
        };
        let found = want.is_some_and(|w| self.find_room(&mut free, w, room.0, room.1));
        let help = match (found, wide) {
            (true, false) => format!(
                "leave the column out, or take ${:02X}, which is free in all its pages",
                free.columns.0
            ),
            (true, true) => format!(
                "leave the page out, or take {}, which is free",
                free.pages.0
            ),
            _ => "reserve other cells, or move the other".to_owned(),
        };
        Err(Box::new(d.help(help)))
    }

    /// Looks for a place; false if there is none.
    fn find_room(&self, part: &mut GridPart, want: Want, pages: u16, columns: u16) -> bool {
        let free = |p: &GridPart| !self.columns.grid.iter().any(|o| o.meets(p));
        match want {
            Want::Column => {
                let taken = self.pages_taken(part.pages, columns);
                let last = taken.iter().rposition(|&t| t == 0);
                last.inspect(|&c| part.columns = (c as u16, c as u16))
                    .is_some()
            }
            // Page 0 has the cells that instructions reach without Y.
            _ => (1..pages).any(|p| {
                part.pages = (p, p);
                free(part)
            }),
        }
    }

    /// Of each column how many of these pages are taken. No two parts share a place.
    fn pages_taken(&self, pages: (u16, u16), columns: u16) -> Vec<u32> {
        let mut out = vec![0; usize::from(columns)];
        for g in &self.columns.grid {
            let (first, last) = (g.pages.0.max(pages.0), g.pages.1.min(pages.1));
            if first > last {
                continue;
            }
            let own = usize::from(g.columns.0)..usize::from(columns.min(g.columns.1 + 1));
            for c in out.get_mut(own).into_iter().flatten() {
                *c += u32::from(last - first) + 1;
            }
        }
        out
    }

    /// The column that is free but for the fewest pages, and what is there.
    fn least_taken(&self, pages: (u16, u16), columns: u16) -> String {
        let taken = self.pages_taken(pages, columns);
        let all = (0..columns).rev();
        let Some(best) = all.min_by_key(|&c| taken[usize::from(c)]) else {
            return String::new();
        };
        let strip = GridPart {
            name: String::new(),
            pages,
            columns: (best, best),
            reserved: false,
            span: self.statement,
        };
        let names = self.columns.grid.iter().filter(|g| g.meets(&strip)).take(6);
        let names: Vec<String> = names.map(|g| format!("`{}`", g.name)).collect();
        format!(
            "column ${best:02X} has the fewest pages taken, {} of {}: shorten or move {} there",
            taken[usize::from(best)],
            pages.1 - pages.0 + 1,
            names.join(", ")
        )
    }

    fn grid_list(&self) -> String {
        let list: Vec<String> = self
            .columns
            .grid
            .iter()
            .take(24)
            .map(ToString::to_string)
            .collect();
        format!("taken: {}", list.join("; "))
    }

    /// `cells table, page, values…`: first contents, for `initialise`.
    pub(super) fn cells(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let known = |s: &Self, n: &Tok| s.columns.grid.iter().any(|g| g.name == s.text(n));
        match rest.first() {
            Some(n) if parts.len() >= 3 && parts[0].1 == 1 && known(self, n) => {}
            other => {
                let d = Diagnostic::new(
                    codes::SYNTAX,
                    "expected a table, a page, and values for it and those behind",
                )
                .at(other.map_or(t.span, |o| o.span));
                return Err(Box::new(d));
            }
        }
        let table = rest[0].span;
        let (a, b) = parts[1];
        let first = &rest[a as usize..b as usize];
        let span = self.span_of(first);
        let v = self.whole_expression(first)?;
        let first = self.must_know(v, span, "the page")?;
        let name = self.sources.slice(table);
        let (low, high) = self
            .columns
            .grid
            .iter()
            .find(|g| g.name == name)
            .map_or((0, 0), |g| g.pages);
        let name: Arc<str> = name.into();
        for (i, &(a, b)) in parts[2..].iter().enumerate() {
            let value = self.span_of(&rest[a as usize..b as usize]);
            let page = first + i as i64;
            if !(i64::from(low)..=i64::from(high)).contains(&page) {
                let d = Diagnostic::new(
                    codes::OUT_OF_RANGE,
                    format!("page {page} is no place of the table"),
                )
                .at(value)
                .label(format!("it has {low} to {high}"));
                return Err(Box::new(d));
            }
            if let Some(first) = self.cells.filled.insert((name.clone(), page), value) {
                let d = Diagnostic::new(codes::REDEFINED, format!("page {page} is filled twice"))
                    .at(value)
                    .related(first, "first here");
                return Err(Box::new(d));
            }
            self.cells.first.push(Cell { page, table, value });
        }
        Ok(())
    }

    /// `initialise`: instructions that put all `cells` above into their place.
    pub(super) fn initialise(&mut self, t: &Tok) -> Outcome<()> {
        let Some(grid) = self.job.target.grid() else {
            let d = Diagnostic::new(codes::MISPLACED, "this target has no columns").at(t.span);
            return Err(Box::new(d));
        };
        self.cells.filled.clear();
        let mut cells = std::mem::take(&mut self.cells.first);
        cells.sort_by_key(|c| c.page);
        let mut text = String::new();
        let (mut page, mut held) = (None, "");
        for c in &cells {
            if page.replace(c.page) != Some(c.page) {
                let _ = writeln!(
                    text,
                    "        {}",
                    grid.select.replace('#', &c.page.to_string())
                );
            }
            let value = self.sources.slice(c.value);
            if value != held {
                let _ = writeln!(text, "        {}", grid.load.replace('#', value));
                held = value;
            }
            let column = self.sources.slice(c.table);
            let _ = writeln!(text, "        {}", grid.store.replace('#', column));
        }
        if text.is_empty() {
            return Ok(());
        }
        let source = self.sources.add("<initialise>", text);
        self.push_feed(
            FeedKind::File { source, at: 0 },
            ExpansionKind::Macro("initialise".into()),
        );
        Ok(())
    }
}
