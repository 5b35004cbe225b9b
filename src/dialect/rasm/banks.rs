//! `bank`, `bankset`: memories beside each other, and the cartridge or snapshot that they go
//! into.

use super::state::{Room, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::{Bank, Slot, Window};
use crate::program::plan::{Save, Stored};
use crate::program::{Outcome, Value, limits};
use crate::read::Assembler;
use crate::read::syntax::literal::{inside, is_quoted};
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

/// What a request for a file of all memories is.
pub const CARTRIDGE: u16 = 2;
/// A snapshot with its memory as it is.
pub const OLD_SNAPSHOT: u16 = 3;
/// A snapshot with its memory in chunks.
pub const SNAPSHOT: u16 = 4;
/// Numbers in a request for each memory: is it a set, its number, the bank of bytes, its
/// first address, and the one behind its last.
pub const NUMBERS: usize = 5;

/// Addresses of a memory.
const SIZE: u32 = 0x10000;

impl Assembler<'_> {
    /// `buildcpr "file"`, `buildsna v2,"file"`.
    pub(super) fn rasm_build(&mut self, what: u16, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let mut what = what;
        for (a, b) in split(rest) {
            match &rest[a as usize..b as usize] {
                [name] if is_quoted(name) => {
                    let text = self.text(name);
                    let text = inside(text).replace('\\', "/");
                    self.own.get_mut::<State>().banks.name = Some(text);
                }
                [w] if self.text(w).eq_ignore_ascii_case("v2") && what == SNAPSHOT => {
                    what = OLD_SNAPSHOT;
                }
                [w] if self.text(w).eq_ignore_ascii_case("v3") && what == SNAPSHOT => {}
                other => {
                    let d = Diagnostic::new(codes::SYNTAX, "expected a file name in quotes");
                    return Err(Box::new(d.at(self.span_of(other)).help("or `v2`, `v3`")));
                }
            }
        }
        self.rasm_goes_into(what, t)
    }

    /// The memories go into a file of that kind.
    fn rasm_goes_into(&mut self, what: u16, t: &Tok) -> Outcome<()> {
        let banks = &mut self.own.get_mut::<State>().banks;
        match banks.what {
            Some(before) if (before == CARTRIDGE) != (what == CARTRIDGE) => {
                let message = "one program goes into a cartridge or a snapshot, not into both";
                let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                Err(Box::new(d))
            }
            _ => {
                banks.what = Some(what);
                banks.span = Some(t.span);
                Ok(())
            }
        }
    }

    /// `bank n`, `bankset n`.
    pub(super) fn rasm_bank(&mut self, set: bool, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.rasm_not_in_struct(t)?;
        self.memo.renew();
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a number").at(t.span);
            return Err(Box::new(d));
        }
        let n = self.known_here(t, rest, "the number")?;
        let what = match self.own.get::<State>().banks.what {
            Some(what) => what,
            None if set => SNAPSHOT,
            None => CARTRIDGE,
        };
        let most = match (what, set) {
            (CARTRIDGE, true) => {
                let message = "a cartridge has banks, and no sets of them";
                let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
                return Err(Box::new(d.help("use `bank`")));
            }
            (CARTRIDGE, false) => 31,
            (_, false) => 259,
            (_, true) => 64,
        };
        if !(0..=most).contains(&n) {
            let message = format!("there is no bank {n} here");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(rest));
            return Err(Box::new(d.label(format!("must be 0 to {most}"))));
        }
        if self.own.get::<State>().banks.what.is_none() {
            self.rasm_goes_into(what, t)?;
        }
        let room = self.rasm_room_of(set, n as u32, t)?;
        // What was written so far belongs to the memory before.
        self.mark_here();
        let at = self.rasm_stored();
        self.rasm_close();
        let first = self.chunks.len() as u32;
        let state = self.own.get_mut::<State>();
        if let Some(before) = state.banks.current {
            let before = &mut state.banks.rooms[before];
            // A set begins at 0 each time.
            before.at = if before.set { 0 } else { at };
        }
        state.banks.current = Some(room);
        state.places.first = first;
        let silent = state.places.silent;
        let at = state.banks.rooms[room].at;
        self.rasm_go(at, at, silent);
        Ok(())
    }

    /// The memory of that number.
    fn rasm_room_of(&mut self, set: bool, number: u32, t: &Tok) -> Outcome<usize> {
        let rooms = &self.own.get::<State>().banks.rooms;
        let same = |r: &Room| r.set == set && r.number == number;
        if let Some(k) = rooms.iter().position(same) {
            return Ok(k);
        }
        let (low, high) = if set {
            (number * 4, number * 4 + 3)
        } else {
            (number, number)
        };
        let both = |r: &Room| match r.set {
            true => !set && number / 4 == r.number,
            false => set && (low..=high).contains(&r.number),
        };
        if rooms.iter().any(both) {
            let message = format!("bank {number} is used by `bank` and by `bankset`");
            let d = Diagnostic::new(codes::REDEFINED, message).at(t.span);
            return Err(Box::new(d));
        }
        let saves = &mut self.program.asked.saves;
        let bank = saves.banks.len() as u32;
        saves.banks.push(Bank {
            size: SIZE,
            pages: 1,
            filled: Vec::new(),
        });
        let slot = Slot {
            page: 0,
            onward: false,
        };
        saves.windows.push(Window {
            bank,
            slots: vec![slot],
        });
        let window = saves.windows.len() as u32 - 1;
        let rooms = &mut self.own.get_mut::<State>().banks.rooms;
        rooms.push(Room {
            set,
            number,
            window,
            bank,
            at: 0,
        });
        Ok(rooms.len() - 1)
    }

    /// What chunks of the memory in force have: window and page.
    pub(super) fn rasm_window(&self) -> u32 {
        let banks = &self.own.get::<State>().banks;
        banks.current.map_or(0, |k| banks.rooms[k].window)
    }

    /// The request for the file of all memories.
    pub(super) fn rasm_all_memories(&mut self) {
        let banks = &self.own.get::<State>().banks;
        let (Some(what), Some(span)) = (banks.what, banks.span) else {
            return;
        };
        let ending = if what == CARTRIDGE { "cpr" } else { "sna" };
        let name = banks.name.clone();
        let name = name.unwrap_or_else(|| format!("rasmoutput.{ending}"));
        let zero = Value::Number(0);
        let mut values = vec![self.asked.entry.map_or(zero, |e| e.0)];
        for r in &banks.rooms {
            let of = self.chunks.iter().filter(|c| c.window == r.window);
            let extents = of.filter_map(|c| {
                let at = match c.stored {
                    Stored::Here => c.base?,
                    Stored::At(at) => at,
                    // What is not written has its place all the same.
                    _ => return c.base.filter(|_| c.size > 0).map(|at| (at as i64, 0)),
                };
                (c.size > 0).then_some((at as i64, at as i64 + i64::from(c.size)))
            });
            let (low, high) = extents.fold((i64::from(SIZE), 0), |(a, b), (low, high)| {
                (a.min(low), b.max(high))
            });
            if high > 0 {
                let numbers: [i64; NUMBERS] =
                    [r.set.into(), r.number.into(), r.bank.into(), low, high];
                values.extend(numbers.map(Value::Number));
            }
        }
        // What lies before the first bank is in no file.
        for c in &mut self.program.chunks {
            if c.window == 0 {
                (c.stored, c.overlap) = (Stored::Nowhere, true);
            }
        }
        if self.program.asked.saves.list.len() >= limits::FILES {
            let d = self.too_many(limits::FILES, "requests for files of its own");
            return self.report(d);
        }
        let save = Save {
            what,
            texts: vec![name],
            values,
            contents: Vec::new(),
            window: 0,
            since: None,
            until: self.here,
            span,
            expansion: self.expansion,
        };
        self.program.asked.saves.list.push(save);
    }
}
