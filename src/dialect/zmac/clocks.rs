//! Counts of clocks: `t`, `tilo`, `tihi`, `ocf`, and `sett`, `setocf` that begin them anew.

use super::state::{Clocks, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::item::{What, whole};
use crate::program::symbol::ExprId;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::expression::Cursor;
use crate::text::lex::Tok;

/// Words for counts.
pub const COUNTS: [&str; 4] = ["t", "tilo", "tihi", "ocf"];

/// Fetches of opcodes of an instruction: one more with a prefix.
fn fetches(first: u8) -> i64 {
    1 + i64::from(matches!(first, 0xcb | 0xdd | 0xed | 0xfd))
}

impl Assembler<'_> {
    fn zmac_clocks(&mut self) -> &mut Clocks {
        &mut self.own.get_mut::<State>().clocks
    }

    /// Counts all instructions up to here.
    fn zmac_count(&mut self) {
        let mut c = std::mem::take(self.zmac_clocks());
        let (mut chunk, mut item) = c.next;
        while let Some(of) = self.chunks.get(chunk) {
            for i in &of.items[item..] {
                let (
                    What::Instruction {
                        form, word, size, ..
                    },
                    Some(base),
                ) = (i.what, of.base)
                else {
                    continue;
                };
                let address = self.address_value(chunk as u32, base + u64::from(i.offset));
                let cycles = self.forms[usize::from(form)].cycles;
                let own = (i64::from(cycles.min()), i64::from(cycles.max()));
                c.at.insert(address, c.now);
                c.own.insert(address, own);
                c.now.0 += own.0;
                c.now.1 += fetches(whole(word) as u8);
                c.at.insert((address + i64::from(size)) & 0xffff, c.now);
            }
            item = of.items.len();
            if chunk + 1 >= self.chunks.len() {
                break;
            }
            (chunk, item) = (chunk + 1, 0);
        }
        c.next = (chunk, item);
        *self.zmac_clocks() = c;
    }

    /// `sett n`, `setocf n`.
    pub(super) fn zmac_set_clocks(&mut self, t: &Tok, rest: &[Tok], fetches: bool) -> Outcome<()> {
        let n = self.known_here(t, rest, "a count")?;
        self.zmac_count();
        let here = self.here_value;
        let c = self.zmac_clocks();
        match fetches {
            true => c.now.1 = n,
            false => c.now.0 = n,
        }
        if let Some(here) = here {
            c.at.insert(here, c.now);
        }
        Ok(())
    }

    /// `t address` and its like, behind the word.
    pub(super) fn zmac_counted(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<()> {
        let (start, from) = (self.ops.len(), c.at);
        self.operand(c, depth + 1)?;
        let e = ExprId {
            start: start as u32,
            len: (self.ops.len() - start) as u32,
        };
        let span = self.span_of(&c.toks[from..c.at]);
        let address = self.must_know(Value::Expr(e), span, "the address")? & 0xffff;
        self.ops.truncate(start);
        // It may be another value on the same line elsewhere.
        self.memo.not_again();
        self.zmac_count();
        let (here, word) = (self.here_value, self.text(t).to_ascii_lowercase());
        let clocks = self.zmac_clocks();
        let count = match clocks.at.get(&address) {
            None if here == Some(address) && !clocks.data => Some(&clocks.now),
            None if here.is_some_and(|h| address < h) || clocks.data => Some(&(0, 0)),
            found => found,
        };
        let found = match word.as_str() {
            "t" => count.map(|c| c.0),
            "ocf" => count.map(|c| c.1),
            "tilo" => clocks.own.get(&address).map(|o| o.0),
            _ => clocks.own.get(&address).map(|o| o.1),
        };
        let Some(n) = found else {
            let message = format!("no instruction above is at {address:04X}h");
            let d = Diagnostic::new(codes::NOT_KNOWN_YET, message).at(span);
            return Err(Box::new(
                d.help("clocks are counted up to the line that asks for them"),
            ));
        };
        self.ops.push(Op::Number(n));
        Ok(())
    }
}
