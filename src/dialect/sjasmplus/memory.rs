//! `{address}` and `{b address}`: what is in the memory of the device so far.
//!
//! A byte whose value only later lines decide is an expression of that value.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::item::{Given, What, whole};
use crate::program::plan::Stored;
use crate::program::symbol::{Anchor, ExprId, Meaning};
use crate::program::{Field, Outcome, Value, limits};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};

/// A byte of the memory.
enum Byte {
    Known(u8),
    /// Bits from that one on of a value, less what it is relative to.
    Open(ExprId, u32, i64),
}

impl Assembler<'_> {
    /// `{address}` or `{b address}` behind its brace; false without a device.
    pub(super) fn sj_read(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        if self.sj_device_name().is_none() {
            return Ok(false);
        }
        let from = c.at;
        let gap = |t: &Tok| {
            c.toks
                .get(from + 1)
                .is_some_and(|n| n.span.start > t.span.end)
        };
        let end = c.toks.get(from + 1).map(|n| n.kind);
        let one =
            c.peek().is_some_and(|b| self.sj_is(b, "b") && gap(b)) && end != Some(Kind::CurlyClose);
        c.at += usize::from(one);
        let start = self.ops.len();
        let at = c.at;
        self.ternary(c, depth + 1)?;
        let span = self.span_of(&c.toks[at..c.at]);
        if !c.eat(Kind::CurlyClose) {
            let d = Diagnostic::new(codes::SYNTAX, "expected `}`").at(span);
            return Err(Box::new(d.related(t.span, "opened here")));
        }
        let e = ExprId {
            start: start as u32,
            len: (self.ops.len() - start) as u32,
        };
        let n = self.must_know(Value::Expr(e), span, "the address")?;
        self.ops.truncate(start);
        let last = if one { 0xffff } else { 0xfffe };
        if !(0..=last).contains(&n) {
            let message = format!("memory is read from 0 to {last}, not at {n}");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(span);
            return Err(Box::new(d));
        }
        // It may be another value on the same line elsewhere.
        self.memo.not_again();
        self.sj_push_byte(n);
        if !one {
            self.sj_push_byte(n + 1);
            let ops = [
                Op::Number(256),
                Op::Binary(Binary::Mul),
                Op::Binary(Binary::Add),
            ];
            self.ops.extend(ops);
        }
        Ok(true)
    }

    /// A byte of the memory as far as it is known now.
    pub(super) fn sj_byte_now(&mut self, address: i64) -> i64 {
        match self.sj_byte(address) {
            Byte::Known(b) => b.into(),
            Byte::Open(e, bits, base) => {
                let n = self.known_or_assumed(Value::Expr(e), None).unwrap_or(0);
                (n - base) >> bits & 0xff
            }
        }
    }

    fn sj_push_byte(&mut self, address: i64) {
        match self.sj_byte(address) {
            Byte::Known(b) => self.ops.push(Op::Number(b.into())),
            Byte::Open(e, bits, base) => {
                if e.len <= limits::COPIED {
                    let all = e.start as usize..(e.start + e.len) as usize;
                    self.ops.extend_from_within(all);
                } else {
                    // One that stands for it, so that none is doubled again and again.
                    let value = self.sj_hidden(Meaning::Expr(e));
                    self.ops.push(Op::Symbol(value));
                }
                self.ops.extend([
                    Op::Number(base),
                    Op::Binary(Binary::Sub),
                    Op::Number(bits.into()),
                    Op::Binary(Binary::Shr),
                    Op::Number(0xff),
                    Op::Binary(Binary::And),
                ]);
            }
        }
    }

    /// What the last line that wrote to an address wrote there.
    fn sj_byte(&mut self, address: i64) -> Byte {
        // Each is looked for in all chunks.
        self.account.spent.expanded += self.chunks.len() as u64 / 64;
        let saves = &self.program.asked.saves;
        let window = &saves.windows[self.sj_window() as usize];
        let bank = &saves.banks[window.bank as usize];
        let size = i64::from(bank.size);
        let (slot, offset) = (address / size, address % size);
        let Some(page) = window.slots.get(slot as usize).map(|s| s.page) else {
            return Byte::Known(0);
        };
        let open = self.own.get::<State>().displaced;
        let mut stored: Vec<i64> = Vec::new();
        if let Some(d) = open {
            let mut at = d.stored;
            for c in &self.chunks[d.chunk as usize..] {
                stored.push(at);
                at += i64::from(c.size);
            }
        }
        for (i, c) in self
            .chunks
            .iter()
            .enumerate()
            .rev()
            .filter(|c| c.1.size > 0)
        {
            let start = match (c.stored, open) {
                (_, Some(d)) if i >= d.chunk as usize => stored[i - d.chunk as usize],
                (Stored::At(n), _) => n as i64,
                _ => c.base.unwrap_or(0) as i64,
            };
            let seen = &saves.windows[c.window as usize];
            if seen.bank != window.bank {
                continue;
            }
            let own = seen.slots.get((start / size) as usize);
            if let Some(own) = own.filter(|s| s.onward && page > s.page) {
                // What does not fit into the slot goes on in the pages behind.
                let at = i64::from(page - own.page) * size + offset - start % size;
                if (0..i64::from(c.size)).contains(&at) {
                    return self.sj_byte_in(i as u32, at as u32);
                }
            }
            let shown = seen.slots.iter().enumerate().filter(|s| s.1.page == page);
            for (slot, _) in shown {
                let at = slot as i64 * size + offset;
                if (start..start + i64::from(c.size)).contains(&at) {
                    return self.sj_byte_in(i as u32, (at - start) as u32);
                }
            }
        }
        let filled = bank.filled.iter().rev().find_map(|(p, from, bytes)| {
            let at = offset.checked_sub(i64::from(*from))?;
            bytes.get(usize::try_from(at).ok()?).filter(|_| *p == page)
        });
        Byte::Known(filled.copied().unwrap_or(0))
    }

    /// The byte of a chunk, so far behind its start.
    fn sj_byte_in(&self, chunk: u32, offset: u32) -> Byte {
        let c = &self.chunks[chunk as usize];
        let behind = c.items.partition_point(|i| i.offset <= offset);
        let Some(number) = behind.checked_sub(1) else {
            return Byte::Known(0);
        };
        let item = &c.items[number];
        let at = offset - item.offset;
        let byte = match item.what {
            What::Data { from, .. } => self.data[(from + at) as usize],
            What::Instruction { word, .. } => whole(word).to_le_bytes()[at as usize % 8],
            What::Fill { byte, .. } | What::Space { byte, .. } => byte,
            What::Align { fill, .. } => fill[at as usize % 2],
            What::Choice { .. } | What::Gap { .. } => 0,
        };
        let first = item.operands() as usize;
        let own = self.values.get(first..).unwrap_or(&[]);
        let own = own
            .iter()
            .take_while(|v| (v.at.chunk, v.at.item) == (chunk, number as u32));
        for v in own.filter(|v| v.state != Given::All) {
            match (v.field, item.what) {
                (Field::Data(n), _) if (v.at.plus..v.at.plus + u32::from(n)).contains(&at) => {
                    return Byte::Open(v.value, 8 * (at - v.at.plus), 0);
                }
                (Field::Class(class) | Field::Low(class), What::Instruction { form, .. }) => {
                    let Some(spec) = self.operands[usize::from(class)].value else {
                        continue;
                    };
                    let Some(field) = self.forms[usize::from(form)].pattern.field(spec.field)
                    else {
                        continue;
                    };
                    let byte = |bits: u64| field.deposit(bits).trailing_zeros() / 8;
                    let bits = match (byte(0xff) == at, byte(0xff00) == at) {
                        (true, _) => 0,
                        (false, true) => 8,
                        _ => continue,
                    };
                    let base = match spec.base {
                        scrimp_isa::operand::Base::Relative { bias } => {
                            let here = Anchor {
                                chunk,
                                item: number as u32,
                                plus: 0,
                            };
                            self.fixed_value(here).unwrap_or(0) + i64::from(bias)
                        }
                        _ => 0,
                    };
                    return Byte::Open(v.value, bits, base);
                }
                _ => {}
            }
        }
        Byte::Known(byte)
    }
}
