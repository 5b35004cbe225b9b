//! Devices: `DEVICE`, `SLOT`, `PAGE`, `MMU`, `DEFDEVICE`, and the page of an address.
//!
//! A device has a bank of pages and as many slots as its addresses need; what it has in
//! them when a line is read is a window, which chunks and requests for files name.

use super::asks::ROM;
use super::files::spectrum;
use super::state::{AtEnd, Device, Devices, Model, Paged, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::{Bank, Slot, Window};
use crate::program::symbol::{Meaning, SymbolId};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The page of an address that is in no slot.
const OUTSIDE: i64 = 0x7f80;
/// Most devices that a source may begin with.
const OPEN: usize = 256;
/// Most bytes of a device.
const WHOLE: i64 = 16 << 20;
/// Most slots of all windows together.
const SLOTS: usize = 1 << 20;
/// Where the top of memory is said to be, unless the source says it.
const RAMTOP: i64 = 0x5d5b;

/// The devices that there are: name, bytes of a slot, pages, those in the slots.
fn known() -> Vec<Model> {
    let make = |name: &str, size: u32, pages: u32, first: &[u32], spectrum: bool| Model {
        name: name.into(),
        size,
        pages,
        first: first.to_vec(),
        spectrum,
    };
    let mut out = vec![make("ZXSPECTRUM48", 0x4000, 4, &[0, 1, 2, 3], true)];
    for k in [128, 256, 512, 1024, 2048, 4096, 8192] {
        let name = format!("ZXSPECTRUM{k}");
        out.push(make(&name, 0x4000, k / 16, &[7, 5, 2, 0], true));
    }
    let next = [14, 15, 10, 11, 4, 5, 0, 1];
    out.push(make("ZXSPECTRUMNEXT", 0x2000, 224, &next, false));
    out.push(make("NOSLOT64K", 0x10000, 32, &[0], false));
    for (name, pages) in [("464", 4), ("6128", 8), ("PLUS", 32)] {
        let name = format!("AMSTRADCPC{name}");
        out.push(make(&name, 0x4000, pages, &[0, 1, 2, 3], false));
    }
    out
}

impl Assembler<'_> {
    fn sj_devices(&self) -> &Devices {
        &self.own.get::<State>().devices
    }

    fn sj_devices_mut(&mut self) -> &mut Devices {
        &mut self.own.get_mut::<State>().devices
    }

    fn sj_current(&self) -> Option<&Device> {
        let d = self.sj_devices();
        d.current.map(|i| &d.open[i])
    }

    fn sj_current_mut(&mut self) -> Option<&mut Device> {
        let d = self.sj_devices_mut();
        d.current.map(|i| &mut d.open[i])
    }

    /// The name of the device in force.
    pub(super) fn sj_device_name(&self) -> Option<&str> {
        self.sj_current().map(|d| d.kind.name.as_str())
    }

    /// Its first address of which the user's programs take none, for those that have it.
    pub(super) fn sj_ramtop(&self) -> Option<i64> {
        let d = self.sj_current()?;
        d.kind.spectrum.then_some(d.ramtop)
    }

    /// Bytes of its pages.
    pub(super) fn sj_page_size(&self) -> u32 {
        self.sj_current().map_or(0x10000, |d| d.kind.size)
    }

    /// What is seen here, as a number of the program's windows.
    pub(super) fn sj_window(&self) -> u32 {
        self.sj_devices().window
    }

    /// The page that is seen at an address.
    pub(super) fn sj_page_at(&self, address: i64) -> i64 {
        let Some(d) = self.sj_current() else {
            return ROM;
        };
        let slot = d.slot_at(address);
        slot.map_or(OUTSIDE, |s| i64::from(d.slots[s].0))
    }

    /// The page here, or the one that `DISP` says.
    pub(super) fn sj_page_here(&self) -> i64 {
        if self.sj_current().is_none() {
            return 0;
        }
        let stored = self.sj_stored_here();
        if let (Some(_), Some(page)) = (stored, self.sj_devices().displaced) {
            return page;
        }
        self.sj_page_at(stored.or(self.here_value).unwrap_or(0))
    }

    /// Notes where a symbol is; `page` is what an `EQU` says.
    pub(super) fn sj_note_page(&mut self, id: SymbolId, value: Option<i64>, page: Option<i64>) {
        if self.own.get::<State>().pages.any() {
            let here = page.unwrap_or_else(|| self.sjasm_page_here());
            let paged = Paged {
                page: here,
                stored: (0, here),
            };
            self.sj_devices_mut().pages.insert(id, paged);
            return;
        }
        if self.sj_devices().chosen == 0 {
            return;
        }
        let here = self.sj_stored_here();
        let displaced = self.sj_devices().displaced.filter(|_| here.is_some());
        let at = || value.map_or(OUTSIDE, |v| self.sj_page_at(v));
        let stored = here.or(self.here_value).unwrap_or(0);
        let paged = Paged {
            page: page.or(displaced).unwrap_or_else(at),
            stored: (stored, self.sj_page_at(stored)),
        };
        self.sj_devices_mut().pages.insert(id, paged);
    }

    /// Where a symbol is, if anything is known of it.
    pub(super) fn sj_paged(&mut self, id: SymbolId) -> Paged {
        let id = self.symbols.resolve(id);
        if let Some(&found) = self.sj_devices().pages.get(&id) {
            return found;
        }
        let name: Arc<str> = self.symbols.get(id).name.clone();
        let place = self.symbols.get(id).place;
        let devices = self.sj_devices_mut();
        let found = devices.before.get(&name).copied();
        if place.is_none() {
            devices.asked.insert(name, found);
        }
        let page = self.sj_first_page(id);
        found.unwrap_or(Paged {
            page,
            stored: (0, page),
        })
    }

    /// Where a label is, of those that a device had.
    pub(super) fn sj_page_of(&self, id: SymbolId) -> Option<i64> {
        self.sj_devices().pages.get(&id).map(|p| p.page)
    }

    /// Where a symbol is that comes before the choice of the only device.
    pub(super) fn sj_first_page(&self, id: SymbolId) -> i64 {
        let devices = self.sj_devices();
        let (1, [only]) = (devices.chosen, &devices.open[..]) else {
            return ROM;
        };
        let Meaning::Number(n) = self.symbols.get(id).meaning else {
            return ROM;
        };
        let slot = only.slot_at(n);
        slot.map_or(OUTSIDE, |s| i64::from(only.kind.first[s]))
    }

    /// Whether another run would be told other pages.
    pub(super) fn sj_pages_unsettled(&self) -> bool {
        let devices = self.sj_devices();
        if devices.asked.is_empty() {
            return false;
        }
        let now = self.sj_pages_by_name();
        let mut asked = devices.asked.iter();
        asked.any(|(name, was)| now.get(name) != was.as_ref())
    }

    fn sj_pages_by_name(&self) -> FxHashMap<Arc<str>, Paged> {
        let pages = self.sj_devices().pages.iter();
        let named = pages.map(|(&id, &p)| (self.symbols.get(id).name.clone(), p));
        named.collect()
    }

    /// Keeps for another run what was found.
    pub(super) fn sj_keep_pages(&mut self) {
        if !self.sj_devices().asked.is_empty() {
            let now = self.sj_pages_by_name();
            self.sj_devices_mut().before = now;
        }
    }

    /// Takes over what the run before kept.
    pub(super) fn sj_carry_pages(&mut self, before: &mut Devices) {
        self.sj_devices_mut().before = std::mem::take(&mut before.before);
    }

    /// Lets what follows be stored in what the slots now have.
    fn sj_slots_changed(&mut self, span: Span) -> Outcome<()> {
        let devices = self.sj_devices();
        let Some(current) = devices.current else {
            self.sj_devices_mut().window = 0;
            self.sj_go_on();
            return Ok(());
        };
        let d = &devices.open[current];
        let slot = |&(page, end): &(u32, AtEnd)| Slot {
            page,
            onward: end == AtEnd::Onward,
        };
        let window = Window {
            bank: d.bank,
            slots: d.slots.iter().map(slot).collect(),
        };
        let guarded = d.slots.iter().any(|s| s.1 != AtEnd::Free);
        let known = devices.windows.get(&window).copied();
        let number = match known {
            Some(n) => n,
            None => {
                let n = self.program.asked.saves.windows.len();
                if n * window.slots.len() >= SLOTS {
                    self.fatal = true;
                    let message = "what the slots of devices have changes too often";
                    let d = Diagnostic::new(codes::TOO_MUCH, message).at(span);
                    return Err(Box::new(d));
                }
                self.program.asked.saves.windows.push(window.clone());
                self.sj_devices_mut().windows.insert(window, n as u32);
                n as u32
            }
        };
        let devices = self.sj_devices_mut();
        (devices.window, devices.guarded, devices.told) = (number, guarded, None);
        self.sj_go_on();
        Ok(())
    }

    /// Goes on at the same address in another chunk, if it must be another.
    fn sj_go_on(&mut self) {
        let window = self.sj_window();
        let chunk = &mut self.program.chunks[self.chunk as usize];
        if chunk.window == window {
            return;
        }
        if chunk.items.is_empty() {
            chunk.window = window;
            return;
        }
        let here = self.here_value.unwrap_or(0);
        self.sj_go(here);
    }

    /// At the start of a statement: whether bytes went on behind the end of a slot that
    /// says what is then to happen.
    #[inline]
    pub(super) fn sj_guard(&mut self) {
        if self.sj_is_guarded() {
            self.sj_guard_slots();
        }
    }

    /// Whether a slot says what is to happen behind its end.
    pub(super) fn sj_is_guarded(&self) -> bool {
        self.sj_devices().guarded
    }

    fn sj_guard_slots(&mut self) {
        let displaced = self.own.get::<State>().displaced.is_some();
        let chunk = &self.program.chunks[self.chunk as usize];
        let (Some(base), size) = (chunk.base, i64::from(chunk.size)) else {
            return;
        };
        let Some(d) = self.sj_current().filter(|_| size > 0 && !displaced) else {
            return;
        };
        let bytes = i64::from(d.kind.size);
        let Some(slot) = d.slot_at(base as i64) else {
            return;
        };
        let start = slot as i64 * bytes;
        let over = base as i64 + size - start - bytes;
        match d.slots[slot].1 {
            AtEnd::Free => {}
            AtEnd::Onward if over >= 0 => {
                let pages = 1 + over / bytes;
                let page = i64::from(d.slots[slot].0) + pages;
                let last = i64::from(d.kind.pages);
                let at = self.statement;
                if page >= last {
                    let message = "there is no page left for what goes on behind this slot";
                    self.report(Box::new(
                        Diagnostic::new(codes::OUT_OF_RANGE, message).at(at),
                    ));
                }
                if let Some(d) = self.sj_current_mut() {
                    match page >= last {
                        true => d.slots[slot].1 = AtEnd::Free,
                        false => d.slots[slot].0 = page as u32,
                    }
                }
                if page < last {
                    let next = start + over % bytes;
                    // The window comes first: the chunk is opened in it.
                    if let Err(d) = self.sj_slots_changed(at) {
                        self.report(d);
                    }
                    self.sj_go(next);
                }
            }
            end @ (AtEnd::Error | AtEnd::Warn) if over > 0 => {
                if self.sj_devices().told == Some(slot) {
                    return;
                }
                self.sj_devices_mut().told = Some(slot);
                let code = match end {
                    AtEnd::Error => codes::OUT_OF_RANGE,
                    _ => codes::WRAPPED,
                };
                let message = format!("{over} bytes lie behind the end of slot {slot}");
                let d = Diagnostic::new(code, message).at(self.statement);
                self.report(Box::new(d));
            }
            _ => {}
        }
    }

    /// A number that must be known here.
    fn sj_known(&mut self, toks: &[Tok], what: &str) -> Outcome<(i64, Span)> {
        let span = self.span_of(toks);
        let v = self.whole_expression(toks)?;
        self.must_know(v, span, what).map(|n| (n, span))
    }

    fn sj_no_device(&mut self, t: &Tok) -> Outcome<()> {
        let word = self.text(t).to_owned();
        let message = format!("`{word}` without a device is ignored");
        let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
        self.report(Box::new(d.help("name one above: `DEVICE ZXSPECTRUM128`")));
        Ok(())
    }

    /// `device name, top of memory`.
    pub(super) fn sj_device(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (name, more) = self.sj_id(t, rest)?;
        let mut top = 0;
        if let [comma, more @ ..] = more
            && comma.kind == Kind::Comma
        {
            let (n, span) = self.sj_known(more, "the top of memory")?;
            if n != -1 && !(0x5d00..0x10000).contains(&n) {
                let message = format!("the top of memory is from $5D00 to $FFFF, not {n}");
                return Err(Box::new(
                    Diagnostic::new(codes::OUT_OF_RANGE, message).at(span),
                ));
            }
            top = n;
        }
        self.sj_devices_mut().chosen += 1;
        if name.eq_ignore_ascii_case("none") {
            self.sj_devices_mut().current = None;
            return self.sj_slots_changed(t.span);
        }
        let open = &self.sj_devices().open;
        // The original knows a device again by its exact name only.
        let there = open.iter().rposition(|d| d.kind.name == name);
        let index = match there {
            Some(i) => i,
            None => self.sj_open_device(&name, top, rest[0].span)?,
        };
        self.sj_devices_mut().current = Some(index);
        if self.sj_device_name() == Some("ZXSPECTRUMNEXT") {
            self.sj_next_instructions();
        }
        self.sj_slots_changed(t.span)?;
        // The only device of a source counts from the first line on.
        let (window, before) = (self.sj_window(), self.chunk as usize);
        let (preface, window) = match self.sj_devices().chosen {
            1 => (before, window),
            2 => (self.sj_devices().preface, 0),
            _ => return Ok(()),
        };
        let chunks = self.program.chunks[..preface].iter_mut();
        chunks.for_each(|c| c.window = window);
        let saves = self.program.asked.saves.list.iter_mut();
        let early = saves.take_while(|s| (s.until.chunk as usize) < preface);
        early.for_each(|s| s.window = window);
        self.sj_devices_mut().preface = preface;
        Ok(())
    }

    /// Adds a device with its memory; its number.
    fn sj_open_device(&mut self, name: &str, top: i64, span: Span) -> Outcome<usize> {
        let mut all = known();
        all.extend(self.sj_devices().own.iter().cloned());
        let is = |k: &Model| k.name.eq_ignore_ascii_case(name);
        let Some(at) = all.iter().position(is) else {
            let message = format!("there is no device `{name}`");
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(span);
            let names: Vec<&str> = all.iter().map(|d| d.name.as_str()).take(32).collect();
            let note = format!("there are NONE, {}", names.join(", "));
            return Err(Box::new(d.note(note)));
        };
        if self.sj_devices().open.len() >= OPEN {
            return Err(self.too_many(OPEN, "devices"));
        }
        let kind = all.swap_remove(at);
        let ramtop = if top == 0 { RAMTOP } else { top };
        let filled = match kind.spectrum && top != -1 {
            true => spectrum::memory(&kind.first, ramtop),
            false => Vec::new(),
        };
        self.program.asked.saves.banks.push(Bank {
            size: kind.size,
            pages: kind.pages,
            filled,
        });
        let device = Device {
            bank: self.program.asked.saves.banks.len() as u32 - 1,
            slots: kind.first.iter().map(|&p| (p, AtEnd::Free)).collect(),
            slot: kind.first.len() - 1,
            kind,
            ramtop,
        };
        let devices = self.sj_devices_mut();
        devices.open.push(device);
        Ok(devices.open.len() - 1)
    }

    /// `defdevice name, bytes of a slot, pages, pages in the slots …`.
    pub(super) fn sj_define_device(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (name, more) = self.sj_id(t, rest)?;
        let mut numbers = Vec::new();
        for (a, b) in split(more.get(1..).unwrap_or(&[])).into_iter().take(259) {
            let part = &more[1 + a as usize..1 + b as usize];
            numbers.push(self.sj_known(part, "what a device has")?);
        }
        let [(size, _), (pages, _), first @ ..] = &numbers[..] else {
            let message = "expected a name, the bytes of a slot and a count of pages";
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let fits =
            (256..=0x10000).contains(size) && (1..=1024).contains(pages) && size * pages <= WHOLE;
        let slots = if fits { (0xffff + size) / size } else { 0 };
        if !fits || first.len() as i64 > slots || self.sj_devices().own.len() >= 64 {
            let message = "a slot has 256 to 65,536 bytes, a device 1 to 1,024 pages and 16 MB, \
                           and a source 64 devices of its own";
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message);
            return Err(Box::new(d.at(self.span_of(rest))));
        }
        let taken = |k: &Model| k.name.eq_ignore_ascii_case(&name);
        if self.sj_devices().own.iter().any(taken) {
            let message = format!("there is a device `{name}`");
            let d = Diagnostic::new(codes::REDEFINED, message).at(rest[0].span);
            return Err(Box::new(d));
        }
        let mut list = Vec::new();
        let mut before = -1;
        for i in 0..slots as usize {
            before = match first.get(i) {
                Some(&(n, _)) if (0..*pages).contains(&n) => n,
                Some(&(n, span)) if n != -1 => {
                    let message = format!("the device has no page {n}");
                    let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
                    return Err(Box::new(d));
                }
                _ => (before + 1).min(pages - 1),
            };
            list.push(before as u32);
        }
        self.sj_devices_mut().own.push(Model {
            name,
            size: *size as u32,
            pages: *pages as u32,
            first: list,
            spectrum: false,
        });
        Ok(())
    }

    /// Puts a page into the slot that `SLOT` chose.
    pub(super) fn sj_put_page(&mut self, n: i64, span: Span) -> Outcome<()> {
        let pages = self.sj_current().map_or(0, |d| i64::from(d.kind.pages));
        if !(0..pages).contains(&n) {
            let message = format!("the device has the pages 0 to {}, not {n}", pages - 1);
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, message).at(span),
            ));
        }
        if let Some(d) = self.sj_current_mut() {
            d.slots[d.slot].0 = n as u32;
        }
        self.sj_slots_changed(span)
    }

    /// `page number`.
    pub(super) fn sj_page_word(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.sj_current().is_none() {
            return self.sj_no_device(t);
        }
        let (n, span) = self.sj_number_behind(t, rest, "the page")?;
        self.sj_put_page(n, span)
    }

    /// `slot number`, or its address.
    pub(super) fn sj_slot_word(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.sj_current().is_none() {
            return self.sj_no_device(t);
        }
        let (n, span) = self.sj_number_behind(t, rest, "the slot")?;
        let slot = self.sj_current().and_then(|d| d.slot_named(n));
        let Some(slot) = slot else {
            return Err(self.sj_bad_slot(n, span));
        };
        if let Some(d) = self.sj_current_mut() {
            d.slot = slot;
        }
        Ok(())
    }

    fn sj_number_behind(&mut self, t: &Tok, rest: &[Tok], what: &str) -> Outcome<(i64, Span)> {
        if rest.is_empty() {
            let message = format!("expected the number of {what}");
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        }
        self.sj_known(rest, what)
    }

    fn sj_bad_slot(&self, n: i64, span: Span) -> Box<Diagnostic> {
        let last = self.sj_current().map_or(0, |d| d.slots.len() - 1);
        let message = format!("there are the slots 0 to {last}, not {n}");
        let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
        Box::new(d.help("a slot may also be named by its first address"))
    }

    /// `mmu slot [last slot or e, w, n], page, address`.
    pub(super) fn sj_mmu(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.sj_current().is_none() {
            return self.sj_no_device(t);
        }
        let parts = split(rest);
        let part = |i: usize| parts.get(i).map(|&(a, b)| &rest[a as usize..b as usize]);
        let (Some(slots), Some(page)) = (part(0).filter(|s| !s.is_empty()), part(1)) else {
            let message = "expected slots and a page: `MMU 6 7, 40` or `MMU 7 n, 40`";
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let (from, to, end) = self.sj_slots_said(slots)?;
        let (n, span) = self.sj_known(page, "the page")?;
        let pages = self.sj_current().map_or(0, |d| i64::from(d.kind.pages));
        if n < 0 || n + (to - from) as i64 >= pages {
            let message = format!("the device has the pages 0 to {}", pages - 1);
            return Err(Box::new(
                Diagnostic::new(codes::OUT_OF_RANGE, message).at(span),
            ));
        }
        if let Some(d) = self.sj_current_mut() {
            for (i, slot) in d.slots[from..=to].iter_mut().enumerate() {
                *slot = (n as u32 + i as u32, end);
            }
        }
        self.sj_slots_changed(t.span)?;
        if self.here_value.is_some_and(|h| h > 0xffff) {
            self.sj_go(self.here_value.unwrap_or(0) & 0xffff);
        }
        match part(2) {
            Some(address) => self.sj_org(t, address),
            None => Ok(()),
        }
    }

    /// The slots of an `MMU`, and what happens at the end of one.
    fn sj_slots_said(&mut self, toks: &[Tok]) -> Outcome<(usize, usize, AtEnd)> {
        let mut end = AtEnd::Free;
        let mut toks = toks;
        if let [first @ .., last] = toks
            && !first.is_empty()
        {
            let word = self.text(last).to_ascii_lowercase();
            let named = match word.as_str() {
                "e" => Some(AtEnd::Error),
                "w" => Some(AtEnd::Warn),
                "n" => Some(AtEnd::Onward),
                _ => None,
            };
            if let Some(named) = named {
                (end, toks) = (named, first);
            }
        }
        // Two values without a comma between: a value ends where another begins.
        let cut = match end {
            AtEnd::Free => (1..toks.len()).find(|&i| self.sj_value_begins(toks[i - 1], toks[i])),
            _ => None,
        };
        let (a, b) = toks.split_at(cut.unwrap_or(toks.len()));
        let mut slots = [0; 2];
        for (i, part) in [a, b].into_iter().enumerate() {
            if part.is_empty() {
                slots[i] = slots[0];
                continue;
            }
            let (n, span) = self.sj_known(part, "the slot")?;
            let slot = self.sj_current().and_then(|d| d.slot_named(n));
            slots[i] = slot.ok_or_else(|| self.sj_bad_slot(n, span))?;
        }
        if slots[1] < slots[0] {
            let message = "the last slot is before the first";
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message);
            return Err(Box::new(d.at(self.span_of(toks))));
        }
        Ok((slots[0], slots[1], end))
    }

    /// Whether a token begins a value behind the end of another.
    fn sj_value_begins(&self, before: Tok, t: Tok) -> bool {
        let operand = |t: &Tok| {
            let long = t.span.end - t.span.start > 1;
            match t.kind {
                Kind::Number | Kind::Single | Kind::Double | Kind::Dollar => true,
                Kind::Name | Kind::At => !self.is_operator(t),
                Kind::Hash | Kind::Percent => long,
                _ => false,
            }
        };
        let ends = operand(&before) || before.kind == Kind::Close;
        let begins = operand(&t) || t.kind == Kind::Open;
        ends && begins
    }

    /// Room for another request.
    pub(super) fn sj_may_save(&mut self) -> Outcome<()> {
        if self.program.asked.saves.list.len() >= limits::FILES {
            return Err(self.too_many(limits::FILES, "requests for files of its own"));
        }
        Ok(())
    }
}
