//! `OUTPUT`, `DEFPAGE`, `PAGE`, `CODE`, and what they come to: a part is read where the run
//! before has placed it, and read again until nothing moves.

use super::pages::{Output, Pages, Part};
use super::placing::{BIG, Mode, Page, Plan, Wish, plan};
use crate::diagnostic::{Diagnostic, codes};
use crate::dialect::sjasmplus::asks::{Ask, ROM};
use crate::dialect::sjasmplus::state::State;
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::plan::{Save, Stored};
use crate::program::symbol::{Anchor, SymbolId};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::{Kind, Tok};
use rustc_hash::FxHashSet;

/// Most parts of a source.
const MOST: usize = 8192;
/// The highest number of a page.
const LAST_PAGE: i64 = 255;
/// Most bytes of a page.
const LARGEST: i64 = 1 << 24;

/// A part without wishes.
fn anywhere(pages: &[u32]) -> Wish {
    Wish {
        mode: Mode::Any,
        least: 0,
        most: BIG,
        align: 1,
        together: false,
        over: false,
        pages: pages.to_vec(),
        goes_on: false,
        len: 0,
    }
}

/// The text before a comma or `..`, and the rest with it.
fn value_text(text: &str) -> (&str, &str) {
    let end = [text.find(','), text.find("..")]
        .into_iter()
        .flatten()
        .min();
    let (value, rest) = text.split_at(end.unwrap_or(text.len()));
    (value.trim(), rest)
}

/// The text behind a sign, if it begins with that.
fn behind<'t>(text: &'t str, sign: &str) -> Option<&'t str> {
    text.trim_start().strip_prefix(sign)
}

/// The text behind a word, if it begins with that.
fn behind_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let text = text.trim_start();
    let (first, rest) = text.split_at_checked(word.len())?;
    let ends = rest.is_empty() || rest.starts_with([' ', '\t']);
    (first.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

impl Assembler<'_> {
    fn sjasm_pages(&self) -> &Pages {
        &self.own.get::<State>().pages
    }

    fn sjasm_pages_mut(&mut self) -> &mut Pages {
        &mut self.own.get_mut::<State>().pages
    }

    /// The first lines are a part too.
    fn sjasm_begin(&mut self) {
        let origin = self.own.get::<State>().origin.at;
        let pages = self.sjasm_pages_mut();
        if pages.any() {
            return;
        }
        pages.outputs.push(Output {
            origin,
            ..Output::default()
        });
        let address = pages.before.first().map_or(0, |b| b.0);
        let start = Anchor {
            chunk: 0,
            item: 0,
            plus: 0,
        };
        let span = self.statement;
        self.sjasm_pages_mut().parts.push(Part {
            wish: anywhere(&[0]),
            open: None,
            chunk: 0,
            start,
            optional: false,
            span,
            address,
            page: 0,
        });
    }

    /// The part that is being read.
    fn sjasm_part_here(&self) -> usize {
        self.sjasm_pages().parts.len().saturating_sub(1)
    }

    /// The page that is being read.
    pub(in super::super) fn sjasm_page_here(&self) -> i64 {
        self.sjasm_pages().parts.last().map_or(0, |p| p.page)
    }

    /// A number that is written as a text.
    fn sjasm_value(&mut self, text: &str, what: &str) -> Outcome<i64> {
        let toks = self.made_line(text)?;
        self.memo.not_again();
        if toks.is_empty() {
            let message = format!("expected {what}");
            let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(&toks)?;
        self.must_know(v, self.statement, what)
    }

    fn sjasm_bounded(&mut self, text: &str, what: &str, most: i64) -> Outcome<i64> {
        let n = self.sjasm_value(text, what)?;
        match (0..=most).contains(&n) {
            true => Ok(n),
            false => {
                let message = format!("{what} is 0 to {most}, not {n}");
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
                Err(Box::new(d))
            }
        }
    }

    /// The address of a part, and what it is if that is known only later.
    fn sjasm_place(&mut self, text: &str) -> Outcome<(i64, Option<Value>)> {
        let toks = self.made_line(text)?;
        self.memo.not_again();
        if toks.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected an address").at(self.statement);
            return Err(Box::new(d));
        }
        match self.whole_expression(&toks)? {
            Value::Number(n) | Value::Known(n, _) if (0..=LARGEST).contains(&n) => Ok((n, None)),
            Value::Number(n) | Value::Known(n, _) => {
                let message = format!("an address is 0 to {LARGEST}, not {n}");
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
                Err(Box::new(d))
            }
            open => Ok((0, Some(open))),
        }
    }

    /// Numbers of pages with commas between, and the text behind them.
    fn sjasm_page_list(&mut self, text: &str) -> Outcome<Vec<u32>> {
        let mut out = Vec::new();
        let mut rest = text;
        loop {
            let (first, more) = value_text(rest);
            let low = match first {
                "" => 0,
                _ => self.sjasm_bounded(first, "the number of a page", LAST_PAGE)?,
            };
            let mut high = low;
            rest = more;
            if let Some(more) = behind(rest, "..") {
                let (last, more) = value_text(more);
                high = match last {
                    "" => LAST_PAGE,
                    _ => self.sjasm_bounded(last, "the number of a page", LAST_PAGE)?,
                };
                rest = more;
            }
            let pages = self.sjasm_pages();
            let defined = pages.outputs.last().map_or(&[][..], |o| &o.pages);
            for n in low..=high.max(low) {
                if defined.get(n as usize).is_some_and(Option::is_some) {
                    out.push(n as u32);
                    continue;
                }
                let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("there is no page {n}"));
                let d = d.at(self.statement);
                return Err(Box::new(d.help("define it above: `DEFPAGE 0,4000h,4000h`")));
            }
            match behind(rest, ",") {
                Some(more) => rest = more,
                None => return Ok(out),
            }
        }
    }

    /// Begins a part.
    fn sjasm_part(&mut self, wish: Wish, open: Option<Value>, optional: bool) -> Outcome<()> {
        self.memo.renew();
        if self.own.get::<State>().displaced.is_some() {
            let message = "a part cannot begin between `phase` and `dephase`";
            let d = Diagnostic::new(codes::MISPLACED, message).at(self.statement);
            return Err(Box::new(d));
        }
        let pages = self.sjasm_pages();
        let index = pages.parts.len();
        if index >= MOST {
            return Err(self.too_many(MOST, "parts of code"));
        }
        let page = wish.pages.first().copied().unwrap_or(0);
        let starts = pages
            .outputs
            .last()
            .and_then(|o| o.pages.get(page as usize));
        let guess = match wish.mode {
            Mode::Any => starts.and_then(|p| p.and_then(|p| p.start)).unwrap_or(0),
            _ => wish.least,
        };
        let before = pages.before.get(index).copied();
        let (mut address, page) = before.unwrap_or((guess, page.into()));
        if wish.mode == Mode::At && open.is_none() {
            // It is there or nowhere.
            address = wish.least;
        }
        self.sj_go(address & 0xffff);
        let (chunk, start, span) = (self.chunk, self.here, self.statement);
        self.sjasm_pages_mut().optional |= optional;
        self.sjasm_pages_mut().parts.push(Part {
            wish,
            open,
            chunk,
            start,
            optional,
            span,
            address,
            page,
        });
        Ok(())
    }

    /// `defpage page, origin, size`.
    pub(in super::super) fn sjasm_defpage(&mut self, rest: &[Tok]) -> Outcome<()> {
        self.sjasm_begin();
        let text = self.written(rest);
        let (first, mut rest) = value_text(&text);
        let low = self.sjasm_bounded(first, "the number of a page", LAST_PAGE)?;
        let mut high = low;
        if let Some(more) = behind(rest, "..") {
            let (last, more) = value_text(more);
            high = self.sjasm_bounded(last, "the number of a page", LAST_PAGE)?;
            rest = more;
        }
        let mut said = [None; 2];
        for (value, what) in said.iter_mut().zip(["the origin", "the size of a page"]) {
            let Some(more) = behind(rest, ",") else { break };
            let (text, more) = value_text(more);
            rest = more;
            *value = Some(match text {
                "*" => None,
                _ => Some(self.sjasm_bounded(text, what, LARGEST)?),
            });
        }
        if !rest.trim().is_empty() || high < low {
            let message = "expected a page or pages, an origin and a size";
            let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
            return Err(Box::new(d));
        }
        let pages = self.sjasm_pages_mut();
        pages.usual.start = said[0].unwrap_or(pages.usual.start);
        pages.usual.size = said[1].unwrap_or(pages.usual.size);
        let usual = pages.usual;
        let Some(output) = pages.outputs.last_mut() else {
            return Ok(());
        };
        let mut twice = None;
        for n in low as usize..=high as usize {
            if output.pages.len() <= n {
                output.pages.resize(n + 1, None);
            }
            if output.pages[n].replace(usual).is_some() {
                twice = Some(n);
            }
        }
        match twice {
            None => Ok(()),
            Some(n) => {
                let message = format!("the page {n} is defined twice");
                let d = Diagnostic::new(codes::REDEFINED, message).at(self.statement);
                Err(Box::new(d))
            }
        }
    }

    /// `page 1`, `page 1,3..5`.
    pub(in super::super) fn sjasm_page(&mut self, rest: &[Tok]) -> Outcome<()> {
        self.sjasm_begin();
        let text = self.written(rest);
        let list = self.sjasm_page_list(&text)?;
        let wish = anywhere(&list);
        self.sjasm_pages_mut().chosen = list;
        self.sjasm_part(wish, None, false)
    }

    /// `code ?, @ address, # alignment, page 1`.
    pub(in super::super) fn sjasm_code(&mut self, rest: &[Tok]) -> Outcome<()> {
        self.sjasm_begin();
        let text = self.written(rest);
        let mut wish = anywhere(&self.sjasm_pages().chosen);
        if let Some(rest) = behind(&text, "!") {
            let (n, open) = self.sjasm_place(rest)?;
            (wish.mode, wish.least, wish.most, wish.over) = (Mode::At, n, n, true);
            return self.sjasm_part(wish, open, false);
        }
        let mut rest = text.as_str();
        let (mut optional, mut open) = (false, None);
        if let Some(more) = behind(rest, "?") {
            optional = true;
            rest = behind(more, ",").unwrap_or(more);
        }
        let mut goes_on = true;
        if let Some(more) = behind(rest, "@") {
            if let Some(more) = behind(more, "*") {
                rest = more;
            } else {
                let (first, more) = value_text(more);
                rest = more;
                wish.mode = Mode::At;
                if !first.is_empty() {
                    (wish.least, open) = self.sjasm_place(first)?;
                }
                wish.most = wish.least;
                if let Some(more) = behind(rest, "..") {
                    let (last, more) = value_text(more);
                    rest = more;
                    wish.mode = Mode::Range;
                    if open.take().is_some() {
                        wish.least = self.sjasm_bounded(first, "the address", LARGEST)?;
                    }
                    wish.most = match last {
                        "" => BIG,
                        _ => self.sjasm_bounded(last, "the address", LARGEST)?,
                    };
                }
            }
            goes_on = behind(rest, ",").is_some();
            rest = behind(rest, ",").unwrap_or(rest);
        }
        if goes_on && let Some(more) = behind(rest, "#") {
            if let Some(more) = more.strip_prefix('#') {
                wish.together = true;
                rest = more;
            } else {
                let (n, more) = value_text(more);
                wish.align = self.sjasm_bounded(n, "the alignment", 0x10000)?.max(1);
                rest = more;
            }
            goes_on = behind(rest, ",").is_some();
            rest = behind(rest, ",").unwrap_or(rest);
        }
        let several = behind_word(rest, "pages");
        if goes_on && let Some(list) = several.or_else(|| behind_word(rest, "page")) {
            wish.pages = self.sjasm_page_list(list)?;
            wish.goes_on = several.is_some();
            rest = "";
        }
        if wish.most < wish.least || !rest.trim().is_empty() {
            let message = "expected `?`, `@ address`, `# alignment` and `page`, in this order";
            let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
            return Err(Box::new(d));
        }
        self.sjasm_part(wish, open, optional)
    }

    /// `output file`: what follows goes into that.
    pub(in super::super) fn sjasm_output(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.sj_plain_text(rest);
        if name.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected the name of a file").at(t.span);
            return Err(Box::new(d));
        }
        self.sjasm_begin();
        let pages = self.sjasm_pages_mut();
        let first = pages.parts.len();
        pages.outputs.push(Output {
            name: Some(name),
            first,
            ..Output::default()
        });
        let wish = anywhere(&pages.chosen);
        self.sjasm_part(wish, None, false)
    }

    /// Notes the address of an `org` for the output that is being written.
    pub(in super::super) fn sjasm_note_origin(&mut self, n: i64) {
        let state = self.own.get_mut::<State>();
        match state.pages.outputs.last_mut() {
            Some(output) => output.origin.get_or_insert(n),
            None => state.origin.at.get_or_insert(n),
        };
    }

    /// `size n` where there are pages; false where there are none.
    pub(in super::super) fn sjasm_size(&mut self, n: i64) -> bool {
        if !self.sjasm_pages().any() {
            return false;
        }
        let page = usize::try_from(self.sjasm_page_here()).unwrap_or(0);
        let pages = self.sjasm_pages_mut();
        if let Some(output) = pages.outputs.last_mut() {
            if output.pages.is_empty() {
                output.pages.push(Some(Page {
                    start: Some(output.origin.unwrap_or(0)),
                    size: None,
                }));
            }
            if let Some(Some(page)) = output.pages.get_mut(page) {
                page.size = Some(n);
            }
        }
        true
    }

    /// Notes that a label is defined here.
    pub(in super::super) fn sjasm_defined(&mut self, id: SymbolId) {
        if self.sjasm_pages().any() {
            let part = self.sjasm_part_here();
            self.sjasm_pages_mut().defined.insert(id, part);
        }
    }

    /// Whether it is noted which names are used.
    pub(in super::super) fn sjasm_notes_uses(&self) -> bool {
        let pages = self.sjasm_pages();
        pages.optional || !pages.left_out.is_empty()
    }

    /// Notes that a name is used here.
    pub(in super::super) fn sjasm_used(&mut self, id: SymbolId) {
        if self.sjasm_notes_uses() {
            let part = self.sjasm_part_here();
            self.memo.not_again();
            self.sjasm_pages_mut().used.insert((id, part));
        }
    }

    /// The parts in which nothing is used that is used itself.
    fn sjasm_left_out(&self) -> FxHashSet<usize> {
        let pages = self.sjasm_pages();
        let mut left: FxHashSet<usize> = (0..pages.parts.len())
            .filter(|&i| pages.parts[i].optional)
            .collect();
        if left.is_empty() {
            return left;
        }
        let mut leads: Vec<Vec<usize>> = vec![Vec::new(); pages.parts.len()];
        for &(id, part) in &pages.used {
            let there = pages.defined.get(&self.symbols.resolve(id));
            if let Some(&to) = there.filter(|&&to| to != part) {
                leads[part].push(to);
            }
        }
        let mut todo: Vec<usize> = (0..pages.parts.len())
            .filter(|i| !left.contains(i))
            .collect();
        while let Some(part) = todo.pop() {
            for to in &leads[part] {
                if left.remove(to) {
                    todo.push(*to);
                }
            }
        }
        left
    }

    /// The chunks of a part.
    fn sjasm_chunks(&self, part: usize) -> std::ops::Range<usize> {
        let parts = &self.sjasm_pages().parts;
        let end = parts
            .get(part + 1)
            .map_or(self.chunks.len(), |p| p.chunk as usize);
        parts[part].chunk as usize..end
    }

    /// Where everything goes, by output.
    fn sjasm_plans(&self, left: &FxHashSet<usize>) -> Vec<Plan> {
        let pages = self.sjasm_pages();
        let mut out = Vec::new();
        let open = pages.parts.iter().any(|p| p.open.is_some());
        let later = open.then(|| {
            let layout = self.lay_out();
            let values = self.final_values(&layout);
            (layout, values)
        });
        // Outputs without pages have one that begins where the last output does.
        let origin = pages.outputs.last().and_then(|o| o.origin).unwrap_or(0);
        for (k, output) in pages.outputs.iter().enumerate() {
            let end = pages
                .outputs
                .get(k + 1)
                .map_or(pages.parts.len(), |o| o.first);
            let wishes: Vec<Wish> = (output.first..end)
                .map(|i| {
                    let mut wish = pages.parts[i].wish.clone();
                    if let (Some(v), Some((layout, values))) = (pages.parts[i].open, &later)
                        && let Ok(n) = self.program.value_of(v, layout, values)
                    {
                        (wish.least, wish.most) = (n, n);
                    }
                    let chunks = &self.chunks[self.sjasm_chunks(i)];
                    if !left.contains(&i) {
                        wish.len = chunks.iter().map(|c| i64::from(c.size)).sum();
                    }
                    wish
                })
                .collect();
            let only = [Some(Page {
                start: Some(origin),
                size: None,
            })];
            let defined = if output.pages.is_empty() {
                &only[..]
            } else {
                &output.pages
            };
            out.push(plan(defined, &wishes));
        }
        out
    }

    /// Address and page of each part.
    fn sjasm_found(&self, plans: &[Plan]) -> Vec<(i64, i64)> {
        let pages = self.sjasm_pages();
        let placed = plans.iter().flat_map(|p| &p.placed);
        let all = pages.parts.iter().zip(placed);
        all.map(|(part, placed)| match placed {
            Some(p) => (p.address, p.page.into()),
            None => (part.address, part.page),
        })
        .collect()
    }

    fn sjasm_settled(&self, plans: &[Plan], left: &FxHashSet<usize>) -> bool {
        let pages = self.sjasm_pages();
        let used = |k: usize, page: i64| {
            let page = usize::try_from(page).unwrap_or(usize::MAX);
            plans
                .get(k)
                .and_then(|p| p.used.get(page))
                .copied()
                .unwrap_or(0)
        };
        let now = self.sjasm_found(plans);
        let same = pages.parts.iter().zip(&now);
        let mut same = same.map(|(p, &n)| (p.address, p.page) == n);
        same.all(|s| s)
            && *left == pages.left_out
            && pages
                .asked
                .iter()
                .all(|(&(k, page), &n)| used(k, page) == n)
    }

    /// Whether another run would place parts elsewhere; what this one found is kept.
    pub(in super::super) fn sjasm_unsettled(&mut self) -> bool {
        if !self.sjasm_pages().any() {
            return false;
        }
        let left = self.sjasm_left_out();
        let plans = self.sjasm_plans(&left);
        let settled = self.sjasm_settled(&plans, &left);
        let before = self.sjasm_found(&plans);
        let pages = self.sjasm_pages_mut();
        (pages.before, pages.plans, pages.left_out) = (before, plans, left);
        !settled
    }

    /// Takes over what the run before found; false if it had no parts.
    pub(in super::super) fn sjasm_carry(&mut self, before: &mut Pages) -> bool {
        if !before.any() {
            return false;
        }
        let pages = self.sjasm_pages_mut();
        pages.before = std::mem::take(&mut before.before);
        pages.plans = std::mem::take(&mut before.plans);
        pages.left_out = std::mem::take(&mut before.left_out);
        let first = pages.before.first().map_or(0, |b| b.0);
        self.sj_go(first & 0xffff);
        true
    }

    /// Behind the last line: each part gets its place in the output.
    pub(in super::super) fn sjasm_end(&mut self) {
        if !self.sjasm_pages().any() {
            return;
        }
        let left = self.sjasm_left_out();
        let plans = self.sjasm_plans(&left);
        if !self.sjasm_settled(&plans, &left) && self.account.findings.errors() == 0 {
            let message = "the places of the parts of code do not settle";
            let at = self.sjasm_pages().parts.last().map(|p| p.span);
            let d = Diagnostic::new(codes::CIRCULAR, message).at(at.unwrap_or(self.statement));
            return self.report(Box::new(d));
        }
        for &part in &left {
            let chunks = self.sjasm_chunks(part);
            self.program.chunks[chunks]
                .iter_mut()
                .for_each(|c| c.stored = Stored::Nowhere);
        }
        let mut base = 0;
        for (k, plan) in plans.iter().enumerate() {
            let first = self.sjasm_pages().outputs[k].first;
            for &i in &plan.homeless {
                let part = &self.sjasm_pages().parts[first + i];
                let pages: Vec<String> = part.wish.pages.iter().map(u32::to_string).collect();
                let message = format!("this part fits nowhere in page {}", pages.join(", "));
                let d = Diagnostic::new(codes::TOO_MUCH, message).at(part.span);
                self.report(Box::new(d));
            }
            let mut written = 0;
            for (i, placed) in plan.placed.iter().enumerate() {
                let Some(p) = placed else { continue };
                let chunks = self.sjasm_chunks(first + i);
                let seek = (base + p.offset) as u64;
                let len: i64 = self.chunks[chunks.clone()]
                    .iter()
                    .map(|c| i64::from(c.size))
                    .sum();
                written = written.max(p.offset + len);
                self.program.chunks[chunks.start].seek = Some(seek);
            }
            let missing = plan.size - written;
            if missing > 0 {
                self.sj_go(0);
                let chunk = self.chunk as usize;
                self.program.chunks[chunk].seek = Some((base + written) as u64);
                self.emit_fill(missing as usize, 0, Class::Space);
                self.mark_here();
            }
            base += plan.size;
        }
        self.sjasm_files(&plans);
    }

    /// Asks for the files that the source names.
    fn sjasm_files(&mut self, plans: &[Plan]) {
        for (k, plan) in plans.iter().enumerate() {
            let pages = self.sjasm_pages();
            let Some(name) = pages.outputs[k].name.clone() else {
                continue;
            };
            let first = pages.outputs[k].first;
            for (i, placed) in plan.placed.iter().enumerate() {
                let part = first + i;
                let offset = placed.map(|p| p.offset);
                if offset.is_none() && i > 0 {
                    continue;
                }
                let chunks = self.sjasm_chunks(part);
                let last = &self.chunks[chunks.end - 1];
                let until = Anchor {
                    chunk: chunks.end as u32 - 1,
                    item: last.items.len() as u32,
                    plus: 0,
                };
                let pages = self.sjasm_pages();
                let save = Save {
                    what: Ask::Part as u16,
                    texts: vec![name.clone()],
                    values: vec![
                        Value::Number(offset.unwrap_or(-1)),
                        Value::Number(plan.size),
                    ],
                    contents: Vec::new(),
                    window: 0,
                    since: Some(pages.parts[part].start),
                    until,
                    span: pages.parts[part].span,
                    expansion: self.expansion,
                };
                self.program.asked.saves.list.push(save);
            }
        }
    }

    /// `:label`, the page of a label; `::page`, bytes of a page.
    pub(in super::super) fn sjasm_colon(
        &mut self,
        c: &mut Cursor<'_>,
        depth: u32,
    ) -> Outcome<bool> {
        self.memo.not_again();
        if c.eat(Kind::Colon) {
            let start = self.ops.len();
            self.operand(c, depth + 1)?;
            let page = match self.ops.get(start..) {
                Some(&[Op::Number(n)]) => n,
                _ => {
                    let message = "expected the number of a page behind `::`";
                    let d = Diagnostic::new(codes::BAD_EXPRESSION, message).at(self.statement);
                    return Err(Box::new(d));
                }
            };
            self.ops.truncate(start);
            let pages = self.sjasm_pages();
            let output = pages.outputs.len().saturating_sub(1);
            let plan = pages.plans.get(output);
            let size = usize::try_from(page).ok().and_then(|p| plan?.used.get(p));
            let size = size.copied().unwrap_or(0);
            self.sjasm_pages_mut().asked.insert((output, page), size);
            self.ops.push(Op::Number(size));
            return Ok(true);
        }
        let Some(&name) = c.peek().filter(|n| matches!(n.kind, Kind::Name | Kind::At)) else {
            return Ok(false);
        };
        c.at += 1;
        let text = self.text(&name).to_owned();
        let id = self.sj_used(&text, name.span)?;
        let page = self.sj_paged(id).page;
        self.ops
            .push(Op::Number(if page == ROM { 0 } else { page }));
        Ok(true)
    }
}
