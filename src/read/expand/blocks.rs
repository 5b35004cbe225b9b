//! Conditionals, scopes and structs.

use super::{Block, BlockKind, Condition, MAX_NESTING};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::eval::Miss;
use crate::program::symbol::Meaning;
use crate::read::{Assembler, CONDITION};
use crate::text::language::Directive;
use crate::text::lex::{Kind, Tok};

impl Assembler<'_> {
    /// A line that does not count: only conditionals matter.
    pub(super) fn skipped(&mut self, toks: &[Tok]) -> Outcome<()> {
        let Some((d, i)) = self.directive_of(toks) else {
            return Ok(());
        };
        match d {
            Directive::If | Directive::IfDefined | Directive::IfNotDefined => {
                self.open_condition(false, false, &toks[i])
            }
            Directive::ElseIf | Directive::Else => self.other_branch(d, &toks[i], &toks[i + 1..]),
            Directive::EndIf => self.close_if(&toks[i]),
            _ => Ok(()),
        }
    }

    pub(crate) fn open_condition(&mut self, active: bool, outer: bool, t: &Tok) -> Outcome<()> {
        self.lines.conditions.push(Condition {
            active: active && outer,
            taken: active,
            last: false,
            outer,
            span: t.span,
        });
        if self.lines.conditions.len() > MAX_NESTING {
            let d = Diagnostic::new(
                codes::TOO_DEEP,
                format!("conditionals nest more than {MAX_NESTING} deep"),
            )
            .at(t.span);
            self.stop(Box::new(d));
        }
        Ok(())
    }

    pub(crate) fn truth(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<bool> {
        let span = self.span_of(rest);
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a condition").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(rest)?;
        if self.dialect.words.runs
            && let Err(Miss::Undefined(id)) = self.known_or_assumed(v, None)
            && self.known_or_assumed(v, Some(0)).is_ok()
        {
            let name = self.dialect.names.dots.written(&self.symbols.get(id).name);
            let text = format!("`{name}` is not defined, so this counts as false");
            let d = Diagnostic::new(codes::COUNTS_AS_FALSE, text).at(span);
            self.report(Box::new(d.help("`.ifdef` asks whether a name is defined")));
            return Ok(false);
        }
        Ok(self.must_know(v, span, CONDITION)? != 0)
    }

    pub(super) fn open_if(&mut self, d: Directive, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let yes = match d {
            Directive::If => self.truth(t, rest),
            _ => match rest {
                [name, more @ ..] if more.is_empty() || self.dialect.values.plain_texts => self
                    .is_defined(name)
                    .map(|defined| defined == (d == Directive::IfDefined)),
                _ => Err(Box::new(
                    Diagnostic::new(codes::SYNTAX, "expected one name").at(t.span),
                )),
            },
        };
        // Also a faulty condition opens a block, so that its end is no error.
        self.open_condition(*yes.as_ref().unwrap_or(&false), true, t)?;
        yes.map(|_| ())
    }

    pub(crate) fn other_branch(&mut self, d: Directive, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let Some(c) = self.lines.conditions.last() else {
            return self.stray(t, "a conditional");
        };
        if c.last {
            let d = Diagnostic::new(codes::MISPLACED, "there is an `else` before this")
                .at(t.span)
                .related(c.span, "of this conditional");
            return Err(Box::new(d));
        }
        let (taken, outer) = (c.taken, c.outer);
        let now = match d {
            Directive::Else => !taken,
            _ if taken || !outer => false,
            _ => self.truth(t, rest)?,
        };
        if let Some(c) = self.lines.conditions.last_mut() {
            c.active = now && outer;
            c.taken |= now;
            c.last = d == Directive::Else;
        }
        Ok(())
    }

    pub(crate) fn close_if(&mut self, t: &Tok) -> Outcome<()> {
        match self.lines.conditions.pop() {
            Some(_) => Ok(()),
            None => self.stray(t, "a conditional"),
        }
    }

    pub(crate) fn stray(&mut self, t: &Tok, what: &str) -> Outcome<()> {
        let text = self.text(t).to_string();
        Err(Box::new(
            Diagnostic::new(
                codes::STRAY_END,
                format!("`{text}` without the start of {what}"),
            )
            .at(t.span),
        ))
    }

    fn block_name<'t>(&self, t: &Tok, rest: &'t [Tok]) -> Outcome<&'t Tok> {
        match rest {
            [name] if name.kind == Kind::Name => Ok(name),
            _ => {
                let word = self.text(t).to_string();
                Err(Box::new(
                    Diagnostic::new(codes::SYNTAX, format!("expected one name behind `{word}`"))
                        .at(t.span),
                ))
            }
        }
    }

    pub(super) fn open_scope(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.block_name(t, rest)?;
        if self.lines.blocks.len() >= MAX_NESTING {
            let d = Diagnostic::new(codes::TOO_DEEP, "scopes nest too deeply").at(t.span);
            self.stop(Box::new(d));
            return Ok(());
        }
        let inner = format!("{}{}.", self.naming.prefix, self.text(name));
        if inner.len() > 1024 {
            let d = Diagnostic::new(
                codes::TOO_LONG,
                "the names of scopes in each other are too long",
            );
            return Err(Box::new(d.at(t.span)));
        }
        let outer = std::mem::replace(&mut self.naming.prefix, inner);
        self.lines.blocks.push(Block {
            kind: BlockKind::Scope(outer),
            span: t.span,
        });
        Ok(())
    }

    pub(super) fn open_struct(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let name = self.block_name(t, rest)?;
        if self.naming.structure.is_some() {
            return Err(Box::new(
                Diagnostic::new(codes::MISPLACED, "a struct cannot stand in a struct").at(t.span),
            ));
        }
        let name_text = self.text(name).to_string();
        let id = self
            .program
            .symbols
            .intern(&format!("{}{name_text}", self.naming.prefix));
        self.lines.blocks.push(Block {
            kind: BlockKind::Struct,
            span: name.span,
        });
        self.naming.structure = Some((name_text, 0));
        // Its size is known at the end; a name taken already is reported now.
        let s = self.symbols.get(id);
        if s.meaning != Meaning::Undefined {
            return self.define(id, Meaning::Number(0), name.span, false);
        }
        Ok(())
    }

    pub(super) fn close_block(&mut self, t: &Tok) -> Outcome<()> {
        match self.lines.blocks.pop() {
            Some(Block {
                kind: BlockKind::Scope(outer),
                ..
            }) => {
                self.naming.prefix = outer;
                Ok(())
            }
            Some(Block {
                kind: BlockKind::Struct,
                span,
            }) => {
                let Some((name, size)) = self.naming.structure.take() else {
                    return Ok(());
                };
                let id = self
                    .program
                    .symbols
                    .intern(&format!("{}{name}", self.naming.prefix));
                if self.symbols.get(id).meaning == Meaning::Undefined {
                    self.define(id, Meaning::Number(size), span, false)?;
                }
                Ok(())
            }
            Some(other) => {
                self.lines.blocks.push(other);
                self.stray(t, "a struct or scope")
            }
            None => self.stray(t, "a struct or scope"),
        }
    }
}
