//! What a dialect decides where its tables cannot say it. The engine calls these; a
//! dialect overrides those in which it differs, and shares the rest by not doing so.
//!
//! None is asked twice for a line, and none that is not overridden does anything.
//!
//! The reading, [`Assembler`], has them and is what they are given: each names the other,
//! so it stands here. What it does stands in the files of `read`.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::{Memory, Window};
use crate::program::plan::Save;
use crate::program::symbol::Anchor;
use crate::program::{Outcome, Program, Value};
use crate::read::job::{Define, Job};
use crate::read::state::account::Account;
use crate::read::state::again::Again;
use crate::read::state::cells::Cells;
use crate::read::state::feeds::Lines;
use crate::read::state::files::Files;
use crate::read::state::memo::Memo;
use crate::read::state::naming::{Naming, Noticed};
use crate::read::state::part::Chosen;
use crate::read::syntax::argument::{Argument, Arguments};
use crate::read::syntax::cursor::Cursor;
use crate::read::words::Words;
use crate::text::language::{Dialect, Directive};
use crate::text::lex::Tok;
use crate::text::source::{SourceId, Span};
use std::any::Any;

/// What is given to a program from outside, in dialects that link.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'g> {
    /// Addresses of sections by name.
    pub addresses: &'g [(String, u64)],
    /// Values of symbols that no file defines.
    pub symbols: &'g [(String, i64)],
    /// The scripts of a source may run.
    pub scripts: bool,
}

/// A request with its values.
#[derive(Debug)]
pub struct Asked<'s> {
    /// The request.
    pub save: &'s Save,
    /// Its values, in its order.
    pub values: &'s [i64],
    /// What is seen at its line.
    pub window: &'s Window,
    /// The address that the program starts at, if the source says so.
    pub entry: Option<i64>,
    /// The bytes that the source wrote since [`Save::since`]; none without it.
    pub written: &'s [u8],
}

/// Makes files of the memory, request by request, in the order of the source.
pub trait Saver {
    /// Does what a request says; `memory` is as it is at its line. Findings without a place
    /// are put at the statement; an error takes nothing away that is there already.
    fn ask(&mut self, asked: &Asked<'_>, memory: &mut Memory) -> Vec<Diagnostic>;

    /// Bytes of all files so far.
    fn size(&self) -> usize;

    /// The files by name, in the order of their first request.
    fn finish(self: Box<Self>) -> Vec<(String, Vec<u8>)>;
}

/// The reading of a program: the program that grows, what is read now, and the parts that
/// keep what was read.
pub struct Assembler<'a> {
    /// What has been read.
    pub program: Program<'a>,
    /// What was asked for.
    pub job: &'a Job<'a>,
    /// Words of the target and dialect.
    pub words: Words,
    /// Texts.
    pub files: Files<'a>,
    /// Where lines come from, and what is open in them.
    pub lines: Lines,
    /// Lines met before.
    pub memo: Memo,
    /// Findings and costs.
    pub account: Account,
    /// What names mean here.
    pub naming: Naming,
    /// What the source has chosen.
    pub chosen: Chosen,
    /// Tables that are being filled.
    pub cells: Cells,
    /// What the lines so far say about the statement.
    pub noticed: Noticed,
    /// What runs before this one found, and what this one misses.
    pub again: Again,
    /// What the dialect decides and keeps.
    pub own: Own,
    /// Give up now.
    pub fatal: bool,
    /// Section in force.
    pub section: u32,
    /// Chunk in force.
    pub chunk: u32,
    /// Expansion in force.
    pub expansion: u32,
    /// Span of the statement.
    pub statement: Span,
    /// The item that the statement begins with.
    pub here: Anchor,
    /// Its address, if known.
    pub here_value: Option<i64>,
}

impl<'a> std::ops::Deref for Assembler<'a> {
    type Target = Program<'a>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.program
    }
}

impl std::ops::DerefMut for Assembler<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.program
    }
}

/// How jumps become shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxing {
    /// All of them, but that they keep their room in these sections, which its linker knows.
    But(&'static [&'static str]),
    /// All but those in tables that only computed addresses lead into.
    ButTables,
}

/// What a dialect decides. All have defaults: those of scrimp's own language.
pub trait Hooks: Sync {
    /// What it keeps from line to line, at the start of a run.
    fn state(&self) -> Box<dyn Any> {
        Box::new(())
    }

    /// Before the first file.
    fn start(&self, _a: &mut Assembler<'_>, _given: Given<'_>) {}

    /// Before each file that is linked, the first included.
    fn file(&self, _a: &mut Assembler<'_>, _name: &str, _first: bool) {}

    /// Whether several files are linked.
    fn links(&self) -> bool {
        false
    }

    /// Whether what is defined from outside may be any text.
    fn takes_texts(&self, d: &Dialect) -> bool {
        d.preprocessor.is_some()
    }

    /// Takes what is defined from outside in its own way; false where it is a symbol.
    fn given(&self, _a: &mut Assembler<'_>, _name: &str, _given: &Define) -> bool {
        false
    }

    /// Behind the last line: what its linker does.
    fn finish(&self, _a: &mut Assembler<'_>) {}

    /// Whether another run may know what this one misses; what it is to know is left in
    /// [`Assembler::own`] and comes back in [`Hooks::carry`].
    fn unsettled(&self, _a: &mut Assembler<'_>) -> bool {
        false
    }

    /// Takes over what it needs from the state of the run before.
    fn carry(&self, _a: &mut Assembler<'_>, _before: Box<dyn Any>) {}

    /// How jumps of a program become shorter when that is asked for; nothing where the dialect
    /// places while it reads, so that nothing may move behind it.
    fn relaxing(&self, _a: &Assembler<'_>) -> Option<Relaxing> {
        None
    }

    /// Assembles a line.
    ///
    /// # Errors
    /// What is wrong with it; the next line is read all the same.
    fn statement(&self, a: &mut Assembler<'_>, toks: &[Tok]) -> Outcome<()> {
        a.line(toks)
    }

    /// Whether a line means what its tokens say: no name in it is replaced by text, and a
    /// label alone is that.
    fn plain_lines(&self) -> bool {
        false
    }

    /// Whether a name before a colon, with nothing behind, is those two tokens in every
    /// place, whatever they are then.
    fn plain_labels(&self) -> bool {
        self.plain_lines()
    }

    /// Whether instructions may begin in column 1 too, and their lines be looked up there; not
    /// where statements that the dialect makes of other texts are, which begin there.
    fn margin_lines(&self) -> bool {
        false
    }

    /// Whether the last operand of an instruction, one number or name, is that and nothing
    /// else here: no text stands in its place, what is open around it makes no other name of
    /// it, and a statement of it needs nothing done before it.
    fn plain_value(&self, _a: &Assembler<'_>, _t: &Tok) -> bool {
        self.plain_lines()
    }

    /// Does what a directive of its own says ([`Directive::Own`]); its arguments are `rest`.
    /// Says itself that lines met before may mean something else behind it.
    ///
    /// # Errors
    /// What is wrong with it.
    fn directive(
        &self,
        _a: &mut Assembler<'_>,
        _number: u16,
        _t: &Tok,
        _rest: &[Tok],
    ) -> Outcome<()> {
        Ok(())
    }

    /// Whether the lines of a text go through the preprocessor that the dialect has.
    fn preprocesses(&self, _a: &Assembler<'_>, _source: SourceId) -> bool {
        true
    }

    /// A text that the preprocessor has made is read next.
    fn made(&self, _a: &mut Assembler<'_>, _source: SourceId) {}

    /// The value of an expression that is one token; `None` where that is nothing special.
    #[inline]
    fn single(&self, a: &mut Assembler<'_>, t: &Tok) -> Option<Outcome<Value>> {
        a.plain_single(t)
    }

    /// Reads an operand of an expression from token `t`, the last that `c` took, and
    /// pushes its operations; false where it is what it is elsewhere.
    ///
    /// # Errors
    /// What is wrong with it.
    fn leaf(
        &self,
        _a: &mut Assembler<'_>,
        _t: &Tok,
        _c: &mut Cursor<'_>,
        _depth: u32,
    ) -> Outcome<bool> {
        Ok(false)
    }

    /// An operand of which nothing is there, at that token of the statement; `None` where
    /// that is an error.
    fn no_operand(&self, _a: &mut Assembler<'_>, _at: u32) -> Option<Argument> {
        None
    }

    /// The value of an operand that has none.
    ///
    /// # Errors
    /// That there must be one.
    fn no_value(&self, _a: &mut Assembler<'_>, operand: &Argument) -> Outcome<Value> {
        Err(Box::new(
            Diagnostic::new(codes::SYNTAX, "expected a value").at(operand.span),
        ))
    }

    /// Changes operands before a form is looked for; true if what they say may change, so
    /// that the line cannot be remembered.
    ///
    /// # Errors
    /// What is wrong with them.
    fn operands(
        &self,
        _a: &mut Assembler<'_>,
        _mnemonic: u16,
        _toks: &[Tok],
        _args: &mut Arguments,
    ) -> Outcome<bool> {
        Ok(false)
    }

    /// Where no form takes the operands: which one to read in another way, and the note
    /// that it was.
    fn other_operand(
        &self,
        _a: &Assembler<'_>,
        _args: &[Argument],
    ) -> Option<(usize, Argument, Diagnostic)> {
        None
    }

    /// An instruction that no form takes; true if the dialect knows what it means and has
    /// assembled it. `from`: where its operands start.
    ///
    /// # Errors
    /// What is wrong with it.
    fn other_instruction(
        &self,
        _a: &mut Assembler<'_>,
        _mnemonic: u16,
        _toks: &[Tok],
        _from: usize,
    ) -> Outcome<bool> {
        Ok(false)
    }

    /// Who makes the files that a source asks for, if it can.
    fn saver(&self) -> Option<Box<dyn Saver>> {
        None
    }

    /// Its word for what a finding speaks of, where the table of directives has none.
    fn word(&self, _d: Directive) -> Option<&'static str> {
        None
    }

    /// Names of the macros that it keeps itself.
    fn macro_names<'a>(&self, _a: &'a Assembler<'_>) -> Vec<&'a str> {
        Vec::new()
    }
}

/// The hooks of a dialect, and what it keeps.
pub struct Own {
    /// The hooks.
    pub hooks: &'static dyn Hooks,
    /// Other dialects, by name.
    pub others: fn(&str) -> Option<&'static Dialect>,
    state: Box<dyn Any>,
}

impl Own {
    /// At the start of a run.
    pub fn new(hooks: &'static dyn Hooks, others: fn(&str) -> Option<&'static Dialect>) -> Self {
        Self {
            hooks,
            others,
            state: hooks.state(),
        }
    }

    /// What the dialect keeps.
    ///
    /// # Panics
    /// If its [`Hooks::state`] is of another type.
    #[inline]
    pub fn get<T: 'static>(&self) -> &T {
        self.state.downcast_ref().expect("the dialect's own state")
    }

    /// The same, to change.
    ///
    /// # Panics
    /// As [`get`](Self::get).
    #[inline]
    pub fn get_mut<T: 'static>(&mut self) -> &mut T {
        self.state.downcast_mut().expect("the dialect's own state")
    }

    /// Takes it for the next run.
    pub fn take(&mut self) -> Box<dyn Any> {
        std::mem::replace(&mut self.state, Box::new(()))
    }
}

/// A dialect with nothing that its tables do not say.
pub struct Plain;

impl Hooks for Plain {
    fn plain_lines(&self) -> bool {
        true
    }

    fn relaxing(&self, _a: &Assembler<'_>) -> Option<Relaxing> {
        Some(Relaxing::ButTables)
    }
}
