//! Bytes: instructions and data, while there is room in the page.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::item::Given;
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::clip;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};

/// Bytes of a page.
const PAGE: i64 = 0x100;
/// From here on the pages 1 to 4 are the ROM's, which plays sound from there.
const SOUND: i64 = 250;
/// Those pages.
const CHANNELS: std::ops::RangeInclusive<i64> = 1..=4;

impl Assembler<'_> {
    /// The word that is being read, short enough for a message.
    pub(super) fn text_of_statement(&self) -> String {
        clip(self.sources.slice(self.statement))
    }

    /// An instruction with its one value.
    pub(super) fn gcl_instruction(
        &mut self,
        mnemonic: &str,
        value: Option<Value>,
        size: i64,
    ) -> Outcome<()> {
        if !self.gcl_room(size)? {
            return Ok(());
        }
        let span = self.statement;
        let operand = value.is_some();
        self.own.get_mut::<State>().operand = value;
        let toks = [Kind::Name, Kind::Number].map(|kind| Tok { kind, span });
        let number = self.words.get(mnemonic).mnemonic;
        if number == 0 {
            self.fatal |= !self.account.limits.is_trial();
            let message = format!("GCL is for the vCPU: this target has no `{mnemonic}`");
            let d = Diagnostic::new(codes::UNKNOWN_INSTRUCTION, message).at(span);
            return Err(Box::new(d.help("`--target vcpu` assembles it")));
        }
        self.mark_here();
        let toks = &toks[..1 + usize::from(operand)];
        let done = self.instruction(number - 1, toks, 1);
        self.memo.not_again();
        done
    }

    /// Bytes of data.
    pub(super) fn gcl_data(&mut self, bytes: &[u8]) -> Outcome<()> {
        if self.gcl_room(bytes.len() as i64)? {
            self.emit_data(bytes, Class::Data);
        }
        Ok(())
    }

    /// Data of so many bytes with a value.
    pub(super) fn gcl_value_data(&mut self, value: Value, size: u8) -> Outcome<()> {
        if !self.gcl_room(size.into())? {
            return Ok(());
        }
        let bits = value.number().unwrap_or(0) as u64;
        let state = match value.number() {
            Some(_) => Given::All,
            None => Given::Open,
        };
        self.fix(self.here, Field::Data(size), value, self.statement, state);
        self.emit_data(&bits.to_le_bytes()[..usize::from(size)], Class::Data);
        Ok(())
    }

    /// Operations of which so many bits count, from a bit on.
    pub(super) fn gcl_bits(&mut self, ops: &[Op], from: i64, mask: i64) -> Value {
        let shift = [Op::Number(from), Op::Binary(Binary::Shr)];
        let cut = [Op::Number(mask), Op::Binary(Binary::And)];
        let shift = if from == 0 { &[][..] } else { &shift[..] };
        if let [Op::Number(n)] = ops {
            return Value::Number(n >> from & mask);
        }
        self.gcl_value(&[ops, shift, &cut].concat())
    }

    /// Sees to it that there is room for so many bytes in the segment, and counts them; false
    /// where it was said that there is none.
    fn gcl_room(&mut self, size: i64) -> Outcome<bool> {
        let here = self.statement;
        let state = self.own.get_mut::<State>();
        let closed = !state.segments.is_empty();
        let segment = &mut state.segment;
        if segment.full {
            return Ok(false);
        }
        let page = segment.start & !(PAGE - 1);
        if segment.start == segment.at {
            if page == 0 && closed {
                let d = Diagnostic::new(
                    codes::MISPLACED,
                    "a segment in page 0 must be the first of the program",
                );
                segment.full = true;
                return Err(Box::new(d.at(here)));
            }
            if segment.start >= 0x200 {
                state.execute.get_or_insert(segment.start);
            }
        }
        let end = segment.at + size;
        if end > page + PAGE {
            segment.full = true;
            let message = format!("the page ends: ${:04X} is in the next", page + PAGE);
            let d = Diagnostic::new(codes::PAGE_FULL, message).at(here);
            return Err(Box::new(d.help(
                "`*=` begins a segment in another page; a call or a `def` leads there",
            )));
        }
        segment.at = end;
        let first = page + SOUND;
        if end > first && CHANNELS.contains(&(page >> 8)) && !segment.warned {
            segment.warned = true;
            let message = format!("from ${first:04X} on the page is the ROM's, for its sound");
            let d = Diagnostic::new(codes::ROOM_TWICE, message).at(here);
            self.report(Box::new(d));
        }
        Ok(true)
    }
}
