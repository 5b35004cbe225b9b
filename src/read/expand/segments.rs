//! Directives of assemblers that know the memories of a chip by name: segments with
//! a counter each, room in them, the device, and names in front of which their
//! directive stands.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Class, NONE};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// Opens the segment that a program starts in.
    pub fn first_segment(&mut self) {
        let name = self.dialect.output.segments.first().map_or("", |s| s.name);
        self.section = self.open_section(name, None);
        self.place_segments();
        self.open_chunk(Some(0), 1);
    }

    /// Gives sections that are segments their space and region.
    pub fn place_segments(&mut self) {
        for s in self.dialect.output.segments {
            let Some(&id) = self.section_names.get(s.name) else {
                continue;
            };
            let Some(space) = self.memory.named(s.space) else {
                continue;
            };
            let range = self.memory.spaces[space].base
                ..self.memory.spaces[space].base + self.memory.spaces[space].size;
            let region = self.regions.iter().position(|r| range.contains(&r.start));
            let section = &mut self.sections[id as usize];
            section.space = space as u32;
            section.region = region.map_or(NONE, |r| r as u32);
        }
    }

    /// `.cseg`, `.dseg`, `.eseg`: goes on where the segment was left.
    pub(super) fn segment(&mut self, number: u8, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if let Some(more) = rest.first() {
            let d = Diagnostic::new(codes::SYNTAX, "expected the end of the line").at(more.span);
            return Err(Box::new(d));
        }
        let segment = self.dialect.output.segments[usize::from(number)];
        if self.memory.named(segment.space).is_none() {
            let d = Diagnostic::new(
                codes::MISPLACED,
                format!(
                    "{} has no {} memory",
                    self.job.target.title(),
                    segment.space
                ),
            )
            .at(t.span);
            return Err(Box::new(d));
        }
        self.section = self.open_section(segment.name, Some(t.span));
        self.place_segments();
        let section = &self.sections[self.section as usize];
        if section.chunk == NONE {
            let space = self.section_space();
            let start = match self.regions.get(section.region as usize) {
                Some(r) => r.start,
                None => space.base + segment.start,
            };
            self.open_chunk(Some(start), 1);
        } else {
            self.chunk = section.chunk;
            self.mark_here();
        }
        Ok(())
    }

    /// Whether what is written here is only room: a memory without contents at
    /// power-on.
    pub(super) fn only_room(&self) -> bool {
        !self.dialect.output.segments.is_empty() && !self.section_space().stored
    }

    /// The finding for bytes where there is only room.
    pub(super) fn no_bytes_here(&self, t: &Tok) -> Outcome<()> {
        let word = self.text(t).to_string();
        let message = format!("`{word}` cannot stand in the data segment");
        let d = Diagnostic::new(codes::MISPLACED, message)
            .at(t.span)
            .label("has no contents when the chip starts")
            .help("`.byte` makes room there");
        Err(Box::new(d))
    }

    /// Instructions belong into the first segment.
    pub fn check_code_here(&self, t: &Tok) -> Outcome<()> {
        let Some(first) = self.dialect.output.segments.first() else {
            return Ok(());
        };
        // The first segment is the first section.
        if self.section == 0 {
            return Ok(());
        }
        let section = &self.sections[self.section as usize];
        let message = format!("an instruction cannot stand in `.{}`", section.name);
        let d = Diagnostic::new(codes::MISPLACED, message)
            .at(t.span)
            .help(format!("`.{}` leads back to the code", first.name));
        Err(Box::new(d))
    }

    /// `.byte count`: room for so many bytes.
    pub(super) fn reserve(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a count").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(rest)?;
        let span = self.span_of(rest);
        let n = self.must_know(v, span, "the count")?;
        self.check_count(n, span)?;
        let space = self.section_space();
        if !space.stored {
            self.emit_fill(n as usize, 0, Class::Space);
            return Ok(());
        }
        if space.unit > 1 {
            let d = Diagnostic::new(codes::MISPLACED, "`.byte` cannot stand in the code segment")
                .at(t.span)
                .help("`.db` puts bytes there");
            return Err(Box::new(d));
        }
        // Room in a memory that keeps what it has: nothing is stored.
        let c = &self.chunks[self.chunk as usize];
        let at = c.base.unwrap_or(space.base) + u64::from(c.size) + n as u64;
        self.open_chunk(Some(at), 1);
        Ok(())
    }

    /// `.device name`.
    pub(super) fn device(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected the name of a device").at(t.span);
            return Err(Box::new(d));
        }
        let span = self.span_of(rest);
        let name = self.sources.slice(span).trim_matches('"').to_string();
        if self.job.target.machine(&name).is_none() && self.dialect.preprocessor.is_some() {
            // Its facts may follow.
            self.chosen.part.unknown = Some(span);
            return Ok(());
        }
        self.choose_machine(&name, span)
    }

    /// Tells of the last device that was not known, and has no facts.
    pub(super) fn unknown_device(&mut self) {
        let Some(span) = self.chosen.part.unknown.take() else {
            return;
        };
        let name = self.sources.slice(span).trim_matches('"').to_string();
        if let Err(d) = self.choose_machine(&name, span) {
            self.report(d);
        }
    }

    /// `.equ name = value`, `.set name = value`.
    pub(super) fn constant(&mut self, t: &Tok, rest: &[Tok], variable: bool) -> Outcome<()> {
        match rest {
            [name, equal, value @ ..] if name.kind == Kind::Name && equal.kind == Kind::Equal => {
                self.equ(name, value, variable)
            }
            _ => {
                let at = match rest {
                    [name, equal, ..] if name.kind == Kind::Name => equal.span,
                    [name, ..] => name.span,
                    [] => t.span,
                };
                Err(Box::new(
                    Diagnostic::new(codes::SYNTAX, "expected `name = value`").at(at),
                ))
            }
        }
    }

    /// `.define name`, `.define name value`: a constant that may be defined again,
    /// 1 if nothing is said.
    pub(super) fn define_constant(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let [name, value @ ..] = rest else {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(t.span);
            return Err(Box::new(d));
        };
        let value = match value {
            [equal, more @ ..] if equal.kind == Kind::Equal => more,
            v => v,
        };
        if value.is_empty() {
            let id = self.symbol_named(name)?;
            return self.define(id, Meaning::Number(1), name.span, true);
        }
        self.equ(name, value, true)
    }

    /// `.undef name` where any name can be forgotten.
    pub(super) fn forget(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(t.span);
            return Err(Box::new(d));
        }
        for (a, b) in split(rest) {
            let [name] = &rest[a as usize..b as usize] else {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(t.span);
                return Err(Box::new(d));
            };
            let key = self.register_key(name);
            if self.naming.register_names.remove(&key).is_some() {
                continue;
            }
            let id = self.symbol_named(name)?;
            if let Some(p) = &mut self.lines.pre {
                p.note_symbol(&self.program.symbols.get(id).name, None);
            }
            let s = self.symbols.get_mut(id);
            if s.variable {
                s.meaning = Meaning::Undefined;
                s.span = None;
            }
        }
        Ok(())
    }

    /// `.overlap`, `.nooverlap`: whether what follows may lie over other bytes.
    pub(super) fn may_overlap(&mut self, yes: bool) {
        self.chosen.overlap = yes;
        let c = &self.chunks[self.chunk as usize];
        let at = c.base.map(|b| b + u64::from(c.size));
        self.open_chunk(at, 1);
    }

    /// `.csegsize = kilowords`: how much of the memory is for the program, on chips
    /// where that can be chosen.
    pub(super) fn code_size(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let value = match rest {
            [equal, more @ ..] if equal.kind == Kind::Equal => more,
            v => v,
        };
        if value.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a size").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(value)?;
        let span = self.span_of(value);
        let n = self.must_know(v, span, "the size")?;
        if !matches!(n, 10 | 12 | 14 | 16) {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no size of a program"))
                .at(span)
                .label("must be 10, 12, 14 or 16");
            return Err(Box::new(d));
        }
        Ok(())
    }
}
