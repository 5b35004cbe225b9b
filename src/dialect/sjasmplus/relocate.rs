//! `RELOCATE_START`, `RELOCATE_END`, `RELOCATE_TABLE`: addresses in code that change where it
//! is moved to another place.
//!
//! A value changes with the place if it is another where all labels of the blocks lie
//! elsewhere; those that change by as much as the labels do are in the table. Which these
//! are is known behind the last line, so that the table is that of the run before.

use super::moved::{Block, Constant, Relocation};
use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::{self, Final, Known, Op};
use crate::program::item::{OperandValue, What};
use crate::program::plan::Stored;
use crate::program::symbol::{Anchor, ExprId, Meaning, SymbolId};
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::text::language::Binary;
use crate::text::lex::Tok;
use crate::text::source::Span;
use rustc_hash::FxHashMap;

/// So far are labels moved to find what changes with them; no part of a value is that by
/// chance.
const MOVED: i64 = 0x0272;
/// The same where only the high byte of addresses changes.
const MOVED_HIGH: i64 = 0x0300;

/// What is wrong with a value that changes with the place.
struct Unstable(Span, u32);

impl Assembler<'_> {
    fn sj_relocation(&mut self) -> &mut Relocation {
        &mut self.own.get_mut::<State>().relocation
    }

    /// Whether labels here are moved with the code.
    pub(super) fn sj_moves(&self) -> bool {
        let state = self.own.get::<State>();
        state.relocation.is_open() && !state.displaced.is_some_and(|d| d.moved)
    }

    /// Notes a label here.
    pub(super) fn sj_note_moved(&mut self, id: SymbolId) {
        if self.sj_moves() {
            let id = self.symbols.resolve(id);
            self.sj_relocation().labels.insert(id);
        }
    }

    /// Notes a constant with its value, which may change with the place.
    pub(super) fn sj_note_constant(&mut self, id: SymbolId, v: Value, bytes: bool) {
        if !self.own.get::<State>().relocation.is_open() {
            return;
        }
        let id = self.symbols.resolve(id);
        if let Value::Known(n, e) = v
            && self.symbols.get(id).variable
        {
            // A variable means what it means now: a constant keeps how it came to be that.
            let kept = self.sj_hidden(Meaning::Number(n));
            self.symbols.get_mut(kept).formula = Some(e);
            self.sj_relocation().constants.push(Constant(kept, bytes));
            self.ops.push(Op::Symbol(kept));
            let start = self.ops.len() as u32 - 1;
            self.symbols.get_mut(id).meaning = Meaning::Expr(ExprId { start, len: 1 });
            return;
        }
        if v.expression().is_some() {
            self.sj_relocation().constants.push(Constant(id, bytes));
        }
    }

    /// A symbol that nobody can name.
    pub(super) fn sj_hidden(&mut self, meaning: Meaning) -> SymbolId {
        let id = self.symbols.fresh("".into());
        let s = self.symbols.get_mut(id);
        (s.meaning, s.used) = (meaning, true);
        id
    }

    /// The value of the operations from there on stays where labels are moved.
    pub(super) fn sj_not_moved(&mut self, start: usize) {
        let len = (self.ops.len() - start) as u32;
        let start = start as u32;
        let value = self.sj_hidden(Meaning::Expr(ExprId { start, len }));
        // The operations stay, since it is made of them, but count for nothing else.
        self.ops.extend([
            Op::Number(0),
            Op::Binary(Binary::Mul),
            Op::Symbol(value),
            Op::Binary(Binary::Add),
        ]);
    }

    /// `$` where labels are moved: a label here.
    pub(super) fn sj_here_moved(&mut self) -> SymbolId {
        let meaning = match self.here_value {
            Some(n) => Meaning::Number(n),
            None => Meaning::At(self.here),
        };
        let id = self.sj_hidden(meaning);
        self.sj_relocation().labels.insert(id);
        id
    }

    /// `relocate_start`, `relocate_start high`.
    pub(super) fn sj_relocate_start(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let high = rest.first().is_some_and(|w| self.sj_is(w, "high"));
        let (from, span) = (self.here, t.span);
        let r = self.sj_relocation();
        if let Some(open) = r.blocks.last().filter(|b| b.to.is_none()) {
            let d = Diagnostic::new(codes::MISPLACED, "blocks of relocation do not nest");
            let d = d.at(span).related(open.span, "this one is open");
            return Err(Box::new(d));
        }
        if *r.high.get_or_insert(high) != high {
            let message = "all blocks of relocation have `HIGH`, or none";
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, message).at(span),
            ));
        }
        r.blocks.push(Block {
            from,
            to: None,
            span,
        });
        self.memo.renew();
        self.sj_count_moved(true)
    }

    /// `relocate_end`.
    pub(super) fn sj_relocate_end(&mut self, t: &Tok) -> Outcome<()> {
        if self.own.get::<State>().displaced.is_some_and(|d| d.moved) {
            let d = Diagnostic::new(codes::MISPLACED, "the `disp` of this block is not ended");
            return Err(Box::new(d.at(t.span)));
        }
        let here = self.here;
        match self.sj_relocation().blocks.last_mut() {
            Some(b) if b.to.is_none() => b.to = Some(here),
            _ => return self.stray(t, "a `relocate_start`"),
        }
        self.memo.renew();
        self.sj_count_moved(false)
    }

    /// `relocate_table`, `relocate_table number to take off`.
    pub(super) fn sj_relocate_table(&mut self, rest: &[Tok]) -> Outcome<()> {
        let less = match rest {
            [] => 0,
            _ => {
                let v = self.whole_expression(rest)?;
                self.must_know(v, self.span_of(rest), "what is taken off")?
            }
        };
        self.sj_count_moved(false)?;
        let table = self.own.get::<State>().relocation.before.iter();
        let bytes = table.flat_map(|&at| at.wrapping_sub(less as u16).to_le_bytes());
        let bytes: Vec<u8> = bytes.collect();
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }

    /// Defines how many there are, and the bytes of the table.
    fn sj_count_moved(&mut self, open: bool) -> Outcome<()> {
        let count = self.own.get::<State>().relocation.before.len() as i64;
        if count == 0 && !open && !self.own.get::<State>().relocation.is_open() {
            return Ok(());
        }
        let span = self.statement;
        for (name, n) in [("relocate_count", count), ("relocate_size", 2 * count)] {
            let id = self.symbols.intern(name);
            self.define(id, Meaning::Number(n), span, true)?;
        }
        Ok(())
    }

    /// Notes the chunks of a `DISP` that has ended, whose bytes are moved.
    pub(super) fn sj_note_displaced(&mut self, first: u32) {
        let last = self.chunks.len() as u32 - 1;
        self.sj_relocation().displaced.push((first, last));
    }

    /// Whether the table of this run is another than that it began with, which the next run
    /// then has.
    pub(super) fn sj_relocation_unsettled(&mut self) -> bool {
        if self.own.get::<State>().relocation.blocks.is_empty() {
            return false;
        }
        let (table, _) = self.sj_moved_places();
        let r = self.sj_relocation();
        let differs = r.before != table;
        r.before = table;
        differs
    }

    /// Takes the table of the run before.
    pub(super) fn sj_carry_relocation(&mut self, before: &mut Relocation) {
        self.sj_relocation().before = std::mem::take(&mut before.before);
    }

    /// Behind the last line.
    pub(super) fn sj_relocation_end(&mut self) {
        let r = &self.own.get::<State>().relocation;
        let Some(last) = r.blocks.last() else { return };
        if last.to.is_none() {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this block has no `relocate_end`");
            let d = d.at(last.span);
            self.report(Box::new(d));
        }
        let (table, unstable) = self.sj_moved_places();
        if table != self.own.get::<State>().relocation.before {
            let message = "the table of places to relocate changes with its own length";
            let at = self.statement;
            self.report(Box::new(Diagnostic::new(codes::CIRCULAR, message).at(at)));
        }
        for Unstable(span, expansion) in unstable {
            let message = "this value changes with the place, but not as addresses do";
            let d = Diagnostic::new(codes::PEER_CODE, message).at(span);
            self.report_in(*Box::new(d), expansion);
        }
    }

    /// How far each constant of the blocks moves with the labels.
    fn sj_moved_constants(&self, known: &mut Final<'_>) -> FxHashMap<SymbolId, i64> {
        let r = &self.own.get::<State>().relocation;
        let by = if r.high == Some(true) {
            MOVED_HIGH
        } else {
            MOVED
        };
        let mut moved: FxHashMap<SymbolId, i64> = r.labels.iter().map(|&id| (id, by)).collect();
        // A constant may come before those that it is made of.
        for _ in 0..8 {
            let mut changed = false;
            for &Constant(id, bytes) in &r.constants {
                let s = self.symbols.get(id);
                let e = match (s.meaning, s.formula) {
                    (Meaning::Expr(e), _) | (_, Some(e)) => e,
                    _ => continue,
                };
                let n = match self.sj_change(e, known, &moved) {
                    Some(n) if n == by || bytes && r.high == Some(true) && n == by >> 8 => n,
                    _ => 0,
                };
                changed |= moved.insert(id, n).unwrap_or(0) != n;
            }
            if !changed {
                break;
            }
        }
        moved
    }

    /// By how much a value changes; nothing where it has none.
    fn sj_change(
        &self,
        e: ExprId,
        known: &mut Final<'_>,
        moved: &FxHashMap<SymbolId, i64>,
    ) -> Option<i64> {
        let was = known.expr(e).ok()?;
        let ops = &self.ops[e.start as usize..(e.start + e.len) as usize];
        let now = eval::run(ops, self.dialect, &mut |op| {
            let v = known.leaf(op)?;
            Ok(match (op, v) {
                (Op::Symbol(id), Known::Number(n)) => {
                    let by = moved.get(&self.symbols.resolve(id));
                    Known::Number(n + by.copied().unwrap_or(0))
                }
                _ => v,
            })
        });
        let now = eval::whole(now.ok()?, self.dialect).ok()?;
        Some(now - was)
    }

    /// The places of values that move with the code, and the values that change otherwise.
    fn sj_moved_places(&self) -> (Vec<u16>, Vec<Unstable>) {
        let r = &self.own.get::<State>().relocation;
        let high = r.high == Some(true);
        let by = if high { MOVED_HIGH } else { MOVED };
        let address = |a: Anchor| self.fixed_value(a).unwrap_or(0);
        let count = self.symbols.ids().count();
        let mut known = Final {
            ops: &self.program.ops,
            symbols: &self.program.symbols,
            dialect: self.dialect,
            address: &address,
            values: vec![eval::State::New; count].into(),
        };
        let moved = self.sj_moved_constants(&mut known);
        let (mut table, mut unstable) = (Vec::new(), Vec::new());
        for v in &self.program.values {
            let key = |a: Anchor| (a.chunk, a.item);
            let i = r.blocks.partition_point(|b| key(b.from) <= key(v.at));
            let inside = |b: &Block| b.to.is_none_or(|to| key(v.at) < key(to));
            if !i.checked_sub(1).is_some_and(|i| inside(&r.blocks[i])) {
                continue;
            }
            let Some((low, up, wide)) = self.sj_bytes_of(v) else {
                continue;
            };
            let change = self.sj_change(v.value, &mut known, &moved).unwrap_or(0);
            let at = match change {
                0 => continue,
                n if n == by && wide && high => up,
                n if n == by && wide && up == low + 1 => low,
                n if n == by >> 8 && high => low,
                _ => {
                    let expansion = self.program.item(v.at).map(|i| i.expansion);
                    unstable.push(Unstable(v.span, expansion.unwrap_or(u32::MAX)));
                    continue;
                }
            };
            table.push((self.sj_place_of(v.at) + i64::from(at)) as u16);
        }
        (table, unstable)
    }

    /// The address of an item as the code is stored, where it is one in a `DISP` of a block.
    fn sj_place_of(&self, at: Anchor) -> i64 {
        let r = &self.own.get::<State>().relocation;
        let own = |&(first, last): &(u32, u32)| (first..=last).contains(&at.chunk);
        let chunk = &self.chunks[at.chunk as usize];
        match chunk.stored {
            Stored::At(n) if r.displaced.iter().any(own) => {
                n as i64 + i64::from(chunk.position(at).0)
            }
            _ => self.fixed_value(at).unwrap_or(0),
        }
    }

    /// Where the low and the high byte of a value are, and whether it has both; nothing for
    /// values that no relocation changes.
    fn sj_bytes_of(&self, v: &OperandValue) -> Option<(u8, u8, bool)> {
        match (v.field, self.program.item(v.at)?.what) {
            (Field::Data(size @ 1..=2), _) => Some((0, 1, size == 2)),
            (Field::Class(class), What::Instruction { form, .. }) => {
                let o = &self.operands[usize::from(class)];
                let wide = match o.name {
                    "nn" | "(nn)" => true,
                    "n" => false,
                    _ => return None,
                };
                let field = self.forms[usize::from(form)]
                    .pattern
                    .field(o.value?.field)?;
                let byte = |bits: u64| (field.deposit(bits).trailing_zeros() / 8) as u8;
                let up = if wide { byte(0xff00) } else { 0 };
                Some((byte(0xff), up, wide))
            }
            _ => None,
        }
    }
}
