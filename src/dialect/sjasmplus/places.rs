//! Where bytes go: `ORG`, `DISP`, devices with their pages.

use super::State;
use super::words::Word;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::eval::Op;
use crate::program::plan::{Save, Stored};
use crate::program::symbol::{ExprId, Meaning};
use crate::program::{Outcome, Value, limits};
use crate::read::Assembler;
use crate::read::syntax::literal::is_quoted;
use crate::read::syntax::operand::split;
use crate::text::language::Binary;
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;

/// A piece that runs at another address than it is stored at.
#[derive(Clone, Copy, Debug)]
pub struct Displaced {
    /// Address that the first byte is stored at.
    stored: i64,
    /// The first of its chunks.
    chunk: u32,
}

/// A device: its name, pages, bytes of each.
const DEVICES: [(&str, u32, u32); 13] = [
    ("none", 0, 0),
    ("zxspectrum48", 4, 0x4000),
    ("zxspectrum128", 8, 0x4000),
    ("zxspectrum256", 16, 0x4000),
    ("zxspectrum512", 32, 0x4000),
    ("zxspectrum1024", 64, 0x4000),
    ("zxspectrum2048", 128, 0x4000),
    ("zxspectrum4096", 256, 0x4000),
    ("zxspectrum8192", 512, 0x4000),
    ("zxspectrumnext", 224, 0x2000),
    ("noslot64k", 32, 0x10000),
    ("amstradcpc464", 4, 0x4000),
    ("amstradcpc6128", 8, 0x4000),
];

impl Assembler<'_> {
    fn sj_address(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<i64> {
        let end = split(rest).first().map_or(0, |p| p.1 as usize);
        if end == 0 {
            let d = Diagnostic::new(codes::SYNTAX, "expected an address").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(&rest[..end])?;
        let span = self.span_of(&rest[..end]);
        let n = self.must_know(v, span, "the address")?;
        if !(0..0x10000).contains(&n) {
            self.cut(&format!("the address {n}"), n & 0xffff, span);
        }
        Ok(n & 0xffff)
    }

    /// Goes on at an address, behind what was written before.
    fn sj_go(&mut self, address: i64) {
        self.open_chunk(Some(address as u64), 1);
    }

    /// `org address`.
    pub(super) fn sj_org(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.sj_address(t, rest)?;
        self.sj_go(n);
        Ok(())
    }

    /// Bytes written since a chunk was opened.
    fn sj_written_since(&self, chunk: u32) -> i64 {
        let all = &self.chunks[chunk as usize..];
        all.iter().map(|c| i64::from(c.size)).sum()
    }

    /// The address that the next byte is stored at, where that is not where it runs.
    pub(super) fn sj_stored_here(&self) -> Option<i64> {
        let d = self.own.get::<State>().displaced?;
        Some((d.stored + self.sj_written_since(d.chunk)) & 0xffff)
    }

    /// `disp address`: what follows runs there, and is stored where it would be.
    pub(super) fn sj_displace(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().displaced.is_some() {
            let message = "this `disp` is in another and is ignored";
            let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
            self.report(Box::new(d));
            return Ok(());
        }
        let n = self.sj_address(t, rest)?;
        let stored = self.here_value.unwrap_or(0);
        self.sj_go(n);
        let chunk = self.chunk;
        self.own.get_mut::<State>().displaced = Some(Displaced { stored, chunk });
        Ok(())
    }

    /// `ent`: back to where bytes are stored.
    pub(super) fn sj_end_displace(&mut self, t: &Tok) -> Outcome<()> {
        let Some(d) = self.own.get::<State>().displaced else {
            return self.stray(t, "a `disp`");
        };
        let mut at = d.stored;
        for c in &mut self.program.chunks[d.chunk as usize..] {
            c.stored = Stored::At(at as u64 & 0xffff);
            at += i64::from(c.size);
        }
        self.own.get_mut::<State>().displaced = None;
        self.sj_go(at & 0xffff);
        Ok(())
    }

    /// `device name`.
    pub(super) fn sj_device(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (name, _) = self.sj_id(t, rest)?;
        if DEVICES.iter().any(|d| d.0.eq_ignore_ascii_case(&name)) {
            return Ok(());
        }
        let message = format!("there is no device `{name}`");
        let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(rest[0].span);
        let names: Vec<&str> = DEVICES.iter().map(|d| d.0).collect();
        Err(Box::new(d.note(format!("there are {}", names.join(", ")))))
    }

    /// `slot`, `page`, `mmu`: they decide about the memory that a device's files are made
    /// of, and not about the bytes as written.
    pub(super) fn sj_paged(&mut self, w: Word, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        if parts.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a number").at(t.span);
            return Err(Box::new(d));
        }
        self.own.get_mut::<State>().paged = true;
        if w == Word::Memory
            && let Some(&(a, b)) = parts.get(2)
        {
            return self.sj_org(t, &rest[a as usize..b as usize]);
        }
        Ok(())
    }

    /// `map address`: where the next `name # size` is.
    pub(super) fn sj_map(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let n = self.sj_address(t, rest)?;
        self.own.get_mut::<State>().map = n;
        Ok(())
    }

    /// `name # size`: a place in the map.
    pub(super) fn sj_mapped(&mut self, name: &str, span: Span, toks: &[Tok]) -> Outcome<()> {
        let hash = toks[0];
        // `# 4` has a blank, `#4` is a number.
        let size = match hash.span.end - hash.span.start {
            1 => &toks[1..],
            _ => toks,
        };
        let n = match size {
            [] => 1,
            _ => {
                let v = self.whole_expression(size)?;
                self.must_know(v, self.span_of(size), "the size")?
            }
        };
        let at = self.own.get::<State>().map;
        let (id, local) = self.sj_defined(name, span, true)?;
        self.define(id, Meaning::Number(at), span, false)?;
        self.symbols.get_mut(id).local |= local;
        self.own.get_mut::<State>().map = (at + n) & 0xffff;
        Ok(())
    }

    /// `size bytes`: the output is filled up to that.
    pub(super) fn sj_size(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if rest.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a size").at(t.span);
            return Err(Box::new(d));
        }
        let v = self.whole_expression(rest)?;
        let span = self.span_of(rest);
        let n = self.must_know(v, span, "the size")?;
        self.check_count(n, span)?;
        self.own.get_mut::<State>().size = Some((n, span));
        Ok(())
    }

    /// Fills the output up to the size that the source says.
    pub(super) fn sj_fill(&mut self) {
        let Some((size, span)) = self.own.get::<State>().size else {
            return;
        };
        let missing = size - self.sj_written_since(0);
        self.statement = span;
        if missing < 0 {
            let message = format!("the program has {} bytes more than its `size`", -missing);
            let d = Diagnostic::new(codes::TOO_MUCH, message).at(span);
            return self.report(Box::new(d));
        }
        self.emit_fill(missing as usize, 0, Class::Space);
    }

    /// `savebin "file", start, length`: a file of the memory as it is here.
    pub(super) fn sj_save_bytes(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.own.get::<State>().paged {
            return self.sj_save(t);
        }
        let parts = split(rest);
        let (Some(name), 2..=3) = (rest.first().filter(|n| is_quoted(n)), parts.len()) else {
            let d = Diagnostic::new(codes::SYNTAX, "expected a file, an address and a length");
            return Err(Box::new(d.at(t.span)));
        };
        if self.program.asked.saves.len() >= limits::CHECKS {
            return Err(self.too_many(limits::CHECKS, "files of its own"));
        }
        let text = self.sources.slice(name.span);
        let name = text[1..text.len() - 1].to_owned();
        let start = self.whole_expression(&rest[parts[1].0 as usize..parts[1].1 as usize])?;
        let length = match parts.get(2) {
            Some(&(a, b)) => self.whole_expression(&rest[a as usize..b as usize])?,
            None => {
                let e = self.as_expr(start);
                let from = self.ops.len() as u32;
                self.ops.push(Op::Number(0x10000));
                self.ops
                    .extend_from_within(e.start as usize..(e.start + e.len) as usize);
                self.ops.push(Op::Binary(Binary::Sub));
                let len = self.ops.len() as u32 - from;
                Value::Expr(ExprId { start: from, len })
            }
        };
        let items = self.chunks.iter().map(|c| c.items.len() as u32).collect();
        let (span, expansion) = (self.statement, self.expansion);
        self.program.asked.saves.push(Save {
            name,
            range: (start, length),
            pages: Vec::new(),
            items,
            span,
            expansion,
        });
        Ok(())
    }

    /// What else saves.
    pub(super) fn sj_save(&mut self, t: &Tok) -> Outcome<()> {
        let word = self.text(t).to_owned();
        let message = format!("`{word}` is left out: scrimp writes the files that it is asked for");
        let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
        self.report(Box::new(d.help("build them with `--emit`")));
        Ok(())
    }

    /// Whether a token is a word of that text, in any case.
    pub(super) fn sj_is(&self, t: &Tok, word: &str) -> bool {
        t.kind == Kind::Name && self.text(t).eq_ignore_ascii_case(word)
    }
}
