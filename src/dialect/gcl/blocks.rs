//! Blocks: what is between brackets, and what goes to its end or to its `do`.

use super::state::{Ahead, Block, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::symbol::SymbolId;
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::text::language::Binary;
use crate::text::source::Span;

/// Blocks in each other.
const DEEPEST: usize = 10_000;
/// Bytes of a branch with a condition.
const BRANCH: i64 = 3;

/// What goes on where a condition does not hold.
const CONDITIONS: [(&str, &str, &str); 6] = [
    ("<>0", "beq", "bne"),
    ("=0", "bne", "beq"),
    (">=0", "blt", "bge"),
    ("<=0", "bgt", "ble"),
    (">0", "ble", "bgt"),
    ("<0", "bge", "blt"),
];

impl Assembler<'_> {
    pub(super) fn gcl_open(&mut self, span: Span) -> Outcome<()> {
        let blocks = &mut self.own.get_mut::<State>().blocks;
        if blocks.len() > DEEPEST {
            self.fatal = true;
            let message = format!("blocks are more than {DEEPEST} deep");
            return Err(Box::new(Diagnostic::new(codes::TOO_DEEP, message).at(span)));
        }
        let again = blocks.last().and_then(|b| b.again);
        blocks.push(Block {
            open: Some(span),
            again,
            ..Block::default()
        });
        Ok(())
    }

    pub(super) fn gcl_close(&mut self, span: Span) -> Outcome<()> {
        let blocks = &mut self.own.get_mut::<State>().blocks;
        if blocks.len() < 2 {
            let d = Diagnostic::new(codes::STRAY_END, "`]` without the start of a block");
            return Err(Box::new(d.at(span)));
        }
        let block = blocks.pop().unwrap_or_default();
        for ahead in [block.ahead, block.behind].into_iter().flatten() {
            self.gcl_reached(ahead)?;
        }
        Ok(())
    }

    /// Behind the last word.
    pub(super) fn gcl_open_blocks(&mut self) {
        let open = self.own.get::<State>().blocks.last().and_then(|b| b.open);
        if let Some(span) = open {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this block has no `]`").at(span);
            self.report(Box::new(d));
        }
    }

    /// `if=0` and `if=0loop`; false where the word is none of these.
    pub(super) fn gcl_condition(&mut self, word: &str) -> Outcome<bool> {
        let Some(rest) = word.strip_prefix("if") else {
            return Ok(false);
        };
        let (condition, back) = match rest.strip_suffix("loop") {
            Some(condition) => (condition, true),
            None => (rest, false),
        };
        let Some(row) = CONDITIONS.iter().find(|c| c.0 == condition) else {
            return Ok(false);
        };
        match back {
            true => self.gcl_back(row.2, BRANCH)?,
            false => self.gcl_forth(row.1, BRANCH)?,
        }
        Ok(true)
    }

    pub(super) fn gcl_do(&mut self) -> Outcome<()> {
        let place = (self.here, self.own.get::<State>().segment.at);
        if let Some(block) = self.own.get_mut::<State>().blocks.last_mut() {
            block.again = Some(place);
        }
        Ok(())
    }

    /// A branch to the nearest `do`.
    pub(super) fn gcl_back(&mut self, mnemonic: &str, size: i64) -> Outcome<()> {
        let state = self.own.get::<State>();
        let at = state.segment.at;
        let Some((place, address)) = state.blocks.last().and_then(|b| b.again) else {
            let d = Diagnostic::new(codes::MISPLACED, "there is no `do` to go back to");
            return Err(Box::new(d.at(self.statement)));
        };
        if at >> 8 != address >> 8 {
            let message =
                format!("the loop goes from ${at:04X} back to ${address:04X}, in another page");
            let d = Diagnostic::new(codes::WRONG_PAGE, message).at(self.statement);
            return Err(Box::new(d));
        }
        let value = self.gcl_value(&[Op::Place(place)]);
        self.gcl_instruction(mnemonic, Some(value), size)
    }

    /// A branch to the end of the block, or to its next `else`.
    fn gcl_forth(&mut self, mnemonic: &str, size: i64) -> Outcome<()> {
        if self.own.get::<State>().segment.full {
            return Ok(());
        }
        let ahead = match self.own.get::<State>().blocks.last() {
            Some(Block {
                ahead: Some(ahead), ..
            }) => ahead.id,
            _ => self.gcl_ahead()?,
        };
        self.gcl_jump(mnemonic, ahead, size)?;
        let from = self.gcl_from(ahead);
        if let Some(block) = self.own.get_mut::<State>().blocks.last_mut() {
            block.ahead.get_or_insert(from);
        }
        Ok(())
    }

    /// `else`: goes to the end of the block, and conditions before it go here.
    pub(super) fn gcl_else(&mut self) -> Outcome<()> {
        if self.own.get::<State>().segment.full {
            return Ok(());
        }
        let end = self.gcl_ahead()?;
        self.gcl_jump("bra", end, 2)?;
        let from = self.gcl_from(end);
        let block = self.own.get_mut::<State>().blocks.last_mut();
        let before = block.and_then(|b| b.ahead.replace(from));
        match before {
            Some(before) => self.gcl_reached(before),
            None => Ok(()),
        }
    }

    /// `def`: the address behind it, and on at the end of the block.
    pub(super) fn gcl_def(&mut self) -> Outcome<()> {
        let block = self.own.get::<State>().blocks.last();
        if let Some(before) = block.and_then(|b| b.behind) {
            let d = Diagnostic::new(codes::MISPLACED, "a block can have one `def`")
                .at(self.statement)
                .related(before.span, "the first one");
            return Err(Box::new(d));
        }
        let end = self.gcl_ahead()?;
        self.gcl_jump("def", end, 2)?;
        let from = self.gcl_from(end);
        if let Some(block) = self.own.get_mut::<State>().blocks.last_mut() {
            block.behind = Some(from);
        }
        Ok(())
    }

    /// A place that comes later in the innermost block.
    fn gcl_ahead(&mut self) -> Outcome<SymbolId> {
        let state = self.own.get_mut::<State>();
        if state.blocks.len() < 2 {
            let word = self.text_of_statement();
            let message = format!("`{word}` stands in no block, whose end it could go to");
            let d = Diagnostic::new(codes::MISPLACED, message).at(self.statement);
            return Err(Box::new(d.help("a block is `[` … `]`")));
        }
        state.places += 1;
        // No word of a source is written so.
        let name = format!("[{}", state.places);
        let id = self.symbols.intern(&name);
        self.symbols.get_mut(id).local = true;
        Ok(id)
    }

    /// A branch of which the low byte of the place counts.
    fn gcl_jump(&mut self, mnemonic: &str, to: SymbolId, size: i64) -> Outcome<()> {
        let page = self.own.get::<State>().segment.at & !0xff;
        let low = [Op::Symbol(to), Op::Number(0xff), Op::Binary(Binary::And)];
        let value = match page {
            0 => self.gcl_value(&low),
            page => {
                let in_page = [Op::Number(page), Op::Binary(Binary::Or)];
                self.gcl_value(&[&low[..], &in_page].concat())
            }
        };
        let (expansion, span) = (self.expansion, self.statement);
        self.symbols.mark_used(to, span, expansion);
        self.gcl_instruction(mnemonic, Some(value), size)
    }

    /// The branch that was just made.
    fn gcl_from(&self, id: SymbolId) -> Ahead {
        Ahead {
            id,
            page: (self.own.get::<State>().segment.at - 1) >> 8,
            span: self.statement,
        }
    }

    /// The place is here.
    fn gcl_reached(&mut self, ahead: Ahead) -> Outcome<()> {
        self.mark_here();
        let at = self.own.get::<State>().segment.at;
        if at >> 8 != ahead.page {
            let to = ahead.page << 8 | at & 0xff;
            let message = format!("this goes to ${to:04X} in its page, not to ${at:04X}");
            let d = Diagnostic::new(codes::WRAPPED, message).at(ahead.span);
            self.report(Box::new(d.related(self.statement, "here")));
        }
        self.define_local(ahead.id, self.statement)
    }

    /// An operand of these operations.
    pub(super) fn gcl_value(&mut self, ops: &[Op]) -> Value {
        if let [Op::Number(n)] = ops {
            return Value::Number(*n);
        }
        let start = self.ops.len() as u32;
        self.ops.extend_from_slice(ops);
        let e = crate::program::symbol::ExprId {
            start,
            len: ops.len() as u32,
        };
        match self.known(Value::Expr(e)) {
            Ok(n) => {
                self.account.spent.kept += ops.len();
                Value::Known(n, e)
            }
            Err(_) => Value::Expr(e),
        }
    }
}
