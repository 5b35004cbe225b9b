//! Word addresses of 16 bits where flash is larger than they reach: `gs(x)` is the
//! address of x, or of a jump to x in the lower part. The linker makes such a jump
//! for each target, whether it is needed or not.

use super::script;
use super::state::{Binding, Gate, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::{Known, Op};
use crate::program::item::Given;
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::program::{Field, Outcome, Value};
use crate::read::Assembler;
use crate::text::language::Binary;
use crate::text::lex::Tok;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Bytes that a word address of 16 bits reaches.
const REACH: i64 = 0x2_0000;
/// Number of the first section that the linker reads.
const FIRST_SECTION: u64 = 0x11;
/// Number of the section of what is no address.
const ABSOLUTE: u64 = 2;

/// Most operations in the brackets of `gs`: they stand in the value three times.
const LONGEST: usize = 32;

impl Assembler<'_> {
    /// Whether there is flash beyond what word addresses reach.
    pub(super) fn gnu_far(&self) -> bool {
        self.machine.is_some()
            && self
                .regions
                .iter()
                .any(|r| r.start == 0 && r.size > REACH as u64)
    }

    /// Puts the value of `gs`, whose argument is the operations from `first` on.
    pub(super) fn gnu_gate(&mut self, first: usize, t: &Tok) -> Outcome<()> {
        if self.ops.len() - first > LONGEST {
            let message = format!("`gs` takes an address, not {LONGEST} operations and more");
            let d = Diagnostic::new(codes::BAD_EXPRESSION, message);
            return Err(Box::new(d.at(t.span)));
        }
        let argument: Vec<Op> = self.ops.drain(first..).collect();
        // The argument stands by itself, so that it can be asked for later.
        let jump = self.symbols.fresh("gs".into());
        let by_words = [Op::Number(1), Op::Binary(Binary::Shr)];
        self.ops.extend(argument.iter().copied());
        self.ops.extend([Op::Number(REACH), Op::Binary(Binary::Lt)]);
        self.ops.extend(argument.iter().copied());
        self.ops.extend(by_words);
        self.ops.push(Op::Symbol(jump));
        self.ops.extend(by_words);
        self.ops.push(Op::Select);
        self.own.get_mut::<State>().gates.push(Gate {
            target: argument,
            jump,
            span: t.span,
        });
        Ok(())
    }

    /// Makes the jumps; returns their chunks in order.
    pub(super) fn gnu_gates(&mut self, home: u32) -> Vec<u32> {
        let gates = std::mem::take(&mut self.own.get_mut::<State>().gates);
        if gates.is_empty() {
            return Vec::new();
        }
        let sections = self.gnu_section_numbers();
        let mut by_key: Vec<(String, Vec<Gate>)> = Vec::new();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for g in gates {
            let (section, offset) = match self.now(&g.target) {
                Ok(Known::Relative(chunk, _, n)) => {
                    (sections.get(&chunk).copied().unwrap_or(ABSOLUTE), n)
                }
                Ok(Known::Number(n)) => (ABSOLUTE, n),
                _ => (ABSOLUTE, 0),
            };
            let key = format!("{section:08x}+{:08x}", offset as u32);
            let i = *known.entry(key.clone()).or_insert_with(|| {
                by_key.push((key, Vec::new()));
                by_key.len() - 1
            });
            by_key[i].1.push(g);
        }
        let count = by_key.len();
        by_key.reverse();
        by_key.sort_by_cached_key(|k| script::bucket(&k.0, count));
        let mut chunks = Vec::new();
        for (_, gates) in by_key {
            let Some(form) = self.gnu_jump() else {
                continue;
            };
            let chunk = self.gnu_chunk(home, 1);
            chunks.push(chunk);
            let here = self.here;
            self.statement = gates[0].span;
            let pattern = &self.forms[usize::from(form)].pattern;
            let class = self.words.classes[usize::from(form)][0];
            let target = ExprId {
                start: self.ops.len() as u32,
                len: gates[0].target.len() as u32,
            };
            self.ops.extend_from_slice(&gates[0].target);
            let operands = self.values.len() as u32;
            let target = Value::Expr(target);
            self.fix(
                here,
                Field::Class(class),
                target,
                gates[0].span,
                Given::Open,
            );
            self.emit_form(form, pattern.fixed, pattern.len, operands);
            for g in gates {
                self.symbols.get_mut(g.jump).meaning = Meaning::At(here);
            }
        }
        chunks
    }

    /// The form of the jump that reaches all of flash.
    fn gnu_jump(&self) -> Option<u16> {
        let jump = self.words.get("jmp").mnemonic;
        let m = self
            .words
            .mnemonics
            .get(usize::from(jump).checked_sub(1)?)?;
        m.forms.first().copied()
    }

    /// Numbers that the linker gives to the sections of all files, by chunk.
    fn gnu_section_numbers(&self) -> FxHashMap<u32, u64> {
        let mut out = FxHashMap::default();
        let mut next = FIRST_SECTION;
        let shared = self.gnu_with_room();
        let mut texts = false;
        for unit in 0..=self.own.get::<State>().unit {
            // Each file has these three, in this order.
            let always = [".text", ".data", ".bss"];
            let mut known: Vec<Option<u32>> = always
                .iter()
                .map(|n| self.section_names.get(*n).copied())
                .collect();
            for p in self
                .own
                .get::<State>()
                .parts
                .iter()
                .filter(|p| p.unit == unit)
            {
                let at = known.iter().position(|&s| s == Some(p.section));
                let at = at.unwrap_or_else(|| {
                    known.push(Some(p.section));
                    known.len() - 1
                });
                out.insert(p.chunk, next + at as u64);
            }
            next += known.len() as u64;
            next += u64::from(self.own.get::<State>().aligned.contains(&unit));
            next += u64::from(shared.contains(&unit));
            // The texts of all these go into one, which comes with the first.
            let stabs = self.section_names.get(".stab").copied();
            if !texts && stabs.is_some_and(|s| known.contains(&Some(s))) {
                texts = true;
                next += 1;
            }
        }
        out
    }

    /// The files in which the linker makes a section for room that files share: those
    /// that want some first, or more than all before them.
    fn gnu_with_room(&self) -> FxHashSet<u32> {
        let mut most: FxHashMap<&str, u64> = FxHashMap::default();
        let mut units = FxHashSet::default();
        for c in &self.own.get::<State>().commons {
            let defined = |u: &FxHashMap<Arc<str>, SymbolId>| {
                let id = u.get(&c.name).copied();
                id.is_some_and(|id| {
                    self.own.get::<State>().bindings.get(&id) == Some(&Binding::Global)
                        && self.symbols.get(id).label
                        && self.symbols.get(id).outer.is_none()
                })
            };
            if self.own.get::<State>().units[..c.unit as usize]
                .iter()
                .any(defined)
            {
                continue;
            }
            let before = most.insert(&c.name, c.size);
            if before.is_none_or(|b| c.size > b) {
                units.insert(c.unit);
            } else if let Some(b) = before {
                most.insert(&c.name, b);
            }
        }
        units
    }
}
