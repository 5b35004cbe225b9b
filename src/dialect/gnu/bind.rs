//! Who sees a symbol, and room that is shared by name.

use super::state::{Binding, Common, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// `.global a, b`, `.weak a`, `.local a`.
    pub(super) fn gnu_bind(&mut self, t: &Tok, rest: &[Tok], binding: Binding) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(t.span);
            return Err(Box::new(d));
        }
        for (a, b) in split(rest) {
            let [name] = &rest[a as usize..b as usize] else {
                let d = Diagnostic::new(codes::SYNTAX, "expected names with commas between");
                return Err(Box::new(d.at(t.span)));
            };
            if name.kind != Kind::Name {
                let d = Diagnostic::new(codes::SYNTAX, "expected a name").at(name.span);
                return Err(Box::new(d));
            }
            let id = self.gnu_intern(name)?;
            let old = self.own.get::<State>().bindings.get(&id).copied();
            // Weak is said once for all.
            if old != Some(Binding::Weak) {
                self.own.get_mut::<State>().bindings.insert(id, binding);
            }
        }
        Ok(())
    }

    /// `.comm name, size, align` and `.lcomm name, size, align`.
    pub(super) fn gnu_common(&mut self, t: &Tok, rest: &[Tok], local: bool) -> Outcome<()> {
        let fault =
            |message: &str| Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        let [name, more @ ..] = rest else {
            return fault("expected a name and a size");
        };
        if name.kind != Kind::Name {
            return fault("expected a name and a size");
        }
        let more = match more {
            [c, more @ ..] if c.kind == Kind::Comma => more,
            more => more,
        };
        let numbers = self.gnu_numbers(more, "the size")?;
        let (size, align) = match numbers[..] {
            [Some(size)] => (size, None),
            [Some(size), align] => (size, align),
            _ => return fault("expected a name, a size and perhaps an alignment"),
        };
        let span = self.span_of(more);
        self.check_count(size, span)?;
        let size = size as u64;
        let align = match align {
            Some(n) if (1..1 << 16).contains(&n) && n.count_ones() == 1 => n as u64,
            Some(n) if n != 0 => {
                let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no alignment"));
                return Err(Box::new(d.at(span).label("must be a power of two")));
            }
            _ if local => 1,
            // As large as the room is, up to 16 bytes.
            _ => size.max(1).next_power_of_two().min(16),
        };
        let id = self.gnu_intern(name)?;
        let named_local = self.own.get::<State>().bindings.get(&id) == Some(&Binding::Local);
        if local || named_local {
            return self.gnu_reserve(name, size, align);
        }
        if self.symbols.get(id).meaning != Meaning::Undefined {
            let shown = self.text(name).to_string();
            let d = Diagnostic::new(codes::REDEFINED, format!("`{shown}` is defined already"));
            return Err(Box::new(d.at(name.span)));
        }
        self.own
            .get_mut::<State>()
            .bindings
            .entry(id)
            .or_insert(Binding::Global);
        self.symbols.get_mut(id).span = Some(name.span);
        let shown = self.symbols.get(id).name.clone();
        let state = self.own.get_mut::<State>();
        state.commons.push(Common {
            id,
            unit: state.unit,
            name: shown,
            size,
            align,
            span: name.span,
        });
        Ok(())
    }

    /// Room in `.bss` under a name.
    fn gnu_reserve(&mut self, name: &Tok, size: u64, align: u64) -> Outcome<()> {
        let here = self.own.get::<State>().part;
        let previous = self.own.get::<State>().previous;
        let structure = self.naming.structure.take();
        self.gnu_named(".bss", &[])?;
        let state = self.own.get_mut::<State>();
        let part = &mut state.parts[state.part];
        part.align = part.align.max(align);
        let offset = u64::from(self.chunks[self.chunk as usize].position(self.here).0);
        let gap = offset.next_multiple_of(align) - offset;
        self.emit_fill(gap as usize, 0, Class::Padding);
        self.mark_here();
        let defined = self.gnu_label(name);
        self.emit_fill(size as usize, 0, Class::Space);
        let back = self.own.get::<State>().parts[here];
        self.gnu_return((back.section, back.sub), previous);
        self.naming.structure = structure;
        defined
    }
}
