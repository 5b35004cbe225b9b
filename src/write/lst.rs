//! Listing: address, bytes, cycles and source of each statement.
//!
//! Lines without bytes stand before the next line of their file that has some. A
//! line in a macro call or repeat is marked with one `+` for each step of depth, and
//! a line that starts with `>` tells the way to it, innermost first.

use super::context::{Context, address_digits};
use crate::diagnostic::text::shown;
use crate::image::origin::{Piece, file_name, pieces, place, section_name, trail, written};
use crate::image::{ExpansionKind, NONE};
use crate::report::Sizes;
use crate::text::source::{SourceId, Span};
use std::fmt::Write;

/// Bytes in a row.
const ROW: usize = 8;
/// A statement of more equal bytes than this is cut short.
const EQUAL: usize = 64;
/// Longest source text in a row, in characters.
const TEXT: usize = 400;

/// What is known of the lines of one source.
struct Lines {
    /// Has bytes of its own, not only through a macro.
    bytes: Vec<bool>,
    /// Is in the listing.
    listed: Vec<bool>,
}

struct Listing<'a> {
    c: &'a Context<'a>,
    /// The clock of the next row, in programs that know any.
    clock: String,
    out: String,
    digits: usize,
    lines: Vec<Lines>,
    file: Option<SourceId>,
    expansion: u32,
    last: Option<(SourceId, usize, u32)>,
}

/// Writes it.
pub fn write(c: &Context<'_>) -> Vec<u8> {
    let lines = c.sources.iter().map(|(_, s)| {
        let n = s.line_count() + 1;
        Lines {
            bytes: vec![false; n],
            listed: vec![false; n],
        }
    });
    let mut l = Listing {
        c,
        clock: String::new(),
        out: String::new(),
        digits: address_digits(c.image),
        lines: lines.collect(),
        file: None,
        expansion: NONE,
        last: None,
    };
    for p in pieces(c.image) {
        let own = c.sources.in_file(p.run.span);
        if c.sources.in_file(written(c.image, &p.run)) == own {
            let (id, line) = l.line(own);
            l.lines[id.0 as usize].bytes[line] = true;
        }
    }
    l.head();
    let mut section = NONE;
    for p in pieces(c.image) {
        if p.chunk.section != section && c.image.sections.len() > 1 {
            section = p.chunk.section;
            let _ = writeln!(l.out, "; section {}", section_name(&p.section.name));
        }
        l.piece(&p);
    }
    l.rest();
    l.routines();
    l.out.into_bytes()
}

impl Listing<'_> {
    fn line(&self, span: Span) -> (SourceId, usize) {
        let s = self.c.sources.get(span.source);
        (span.source, s.line_column(span.start).0)
    }

    fn head(&mut self) {
        let (name, len) = (self.c.name, self.c.image.stored_len());
        let _ = writeln!(self.out, "; {name}: {len} bytes");
        let cycles = self.c.target.cycle_name();
        let width = self.digits;
        let _ = writeln!(
            self.out,
            "; {:<w$}  {:<23}  {cycles:>8}{}  {:>5}     source",
            "at",
            "bytes",
            if self.c.image.clocks.is_empty() {
                ""
            } else {
                "      clock"
            },
            "line",
            w = width - 2
        );
    }

    fn file(&mut self, id: SourceId) {
        if self.file != Some(id) {
            self.file = Some(id);
            let _ = writeln!(self.out, "; file {}", file_name(self.c.sources, id));
        }
    }

    /// A row without bytes.
    fn plain(&mut self, id: SourceId, line: usize) {
        self.lines[id.0 as usize].listed[line] = true;
        self.row("", "", "", line, 0, Some((id, line)));
    }

    /// The lines without bytes that stand right before a line.
    fn before(&mut self, id: SourceId, line: usize) {
        let l = &self.lines[id.0 as usize];
        let mut first = line;
        while first > 1 && !l.bytes[first - 1] && !l.listed[first - 1] {
            first -= 1;
        }
        for n in first..line {
            self.plain(id, n);
        }
    }

    /// The clocks before an instruction: one, or least and most.
    fn clock_at(&self, address: u64) -> String {
        match self.c.image.clock(address) {
            Some((least, most)) if least != most => format!("{least}-{most}"),
            Some((clock, _)) => clock.to_string(),
            None => String::new(),
        }
    }

    fn columns(&mut self, address: &str, bytes: &str, cycles: &str, line: usize, depth: usize) {
        let plus = "+".repeat(depth.min(4));
        let width = self.digits;
        let clock = match self.c.image.clocks.is_empty() {
            true => String::new(),
            false => format!("  {:>9}", std::mem::take(&mut self.clock)),
        };
        let _ = write!(
            self.out,
            "{address:width$}  {bytes:<23}  {cycles:>8}{clock}  {line:>5} {plus:<4} "
        );
    }

    /// Rows of words that do nothing but for blocks of time; true if the run is such.
    fn overhead(&mut self, p: &Piece<'_>, line: usize, depth: usize) -> bool {
        let all = &self.c.image.overhead;
        let (start, end) = (p.address(), p.address() + u64::from(p.run.len));
        let first = all.partition_point(|o| o.0 < start);
        if p.run.form != NONE || all.get(first).is_none_or(|o| o.0 >= end) {
            return false;
        }
        let digits = self.digits;
        for &(address, len, kind) in all[first..].iter().take_while(|o| o.0 < end) {
            let from = (address - start) as usize;
            let bytes = p.bytes().get(from..from + len as usize).unwrap_or(&[]);
            for (i, row) in bytes.chunks(ROW).enumerate() {
                let at = self.c.image.local(address + (i * ROW) as u64);
                let hex: Vec<String> = row.iter().map(|b| format!("{b:02X}")).collect();
                self.clock = self.clock_at(address + (i * ROW) as u64);
                self.columns(&format!("{at:0digits$X}"), &hex.join(" "), "", line, depth);
                let _ = writeln!(self.out, "; {}", kind.name());
            }
        }
        true
    }

    fn row(
        &mut self,
        address: &str,
        bytes: &str,
        cycles: &str,
        line: usize,
        depth: usize,
        text: Option<(SourceId, usize)>,
    ) {
        let start = self.out.len();
        self.columns(address, bytes, cycles, line, depth);
        if let Some((id, line)) = text {
            let text = self.c.sources.get(id).line(line);
            let mut column = 0;
            for ch in text.chars().take(TEXT) {
                if ch == '\t' {
                    let n = 8 - column % 8;
                    self.out.extend(std::iter::repeat_n(' ', n));
                    column += n;
                } else {
                    self.out.push(shown(ch));
                    column += 1;
                }
            }
        }
        let end = self.out[start..].trim_end().len();
        self.out.truncate(start + end);
        self.out.push('\n');
    }

    /// The steps to an expansion, when it is not the one shown last.
    fn way(&mut self, p: &Piece<'_>) -> usize {
        let steps: Vec<_> = trail(self.c.image, p.run.expansion)
            .filter(|e| !matches!(e.kind, ExpansionKind::Include(_)))
            .collect();
        if p.run.expansion != self.expansion && !steps.is_empty() {
            let mut text = String::from("> ");
            for (i, e) in steps.iter().enumerate() {
                if i > 0 {
                    text.push_str(", from ");
                }
                let _ = match &e.kind {
                    ExpansionKind::Macro(name) => write!(text, "macro {name}"),
                    ExpansionKind::Repeat(n) => write!(text, "repeat {n}"),
                    ExpansionKind::Include(name) => write!(text, "include {name}"),
                };
                let _ = write!(text, " at {}", place(self.c.sources, e.call));
            }
            let clock = if self.c.image.clocks.is_empty() {
                0
            } else {
                11
            };
            let width = self.digits + 25 + 17 + clock;
            let _ = writeln!(self.out, "{:width$}{text}", "");
        }
        self.expansion = p.run.expansion;
        steps.len()
    }

    fn piece(&mut self, p: &Piece<'_>) {
        let sources = self.c.sources;
        let at = sources.in_file(written(self.c.image, &p.run));
        let own = sources.in_file(p.run.span);
        let (id, line) = self.line(at);
        self.file(id);
        self.before(id, line);
        if at != p.run.span && !self.lines[id.0 as usize].listed[line] {
            self.plain(id, line);
        }
        let depth = self.way(p);
        let (id, line) = self.line(p.run.span);
        if self.overhead(p, line, depth) {
            return;
        }
        // A second statement of one line does not repeat its text.
        let here = (id, line, p.run.expansion);
        let text = (self.last != Some(here)).then_some((id, line));
        self.last = Some(here);
        if at == p.run.span {
            self.lines[id.0 as usize].listed[line] = true;
        }
        // A text that macros made goes by the line in the file.
        let line = self.line(own).1;
        let cycles = self.c.cycles(p.run.form);
        let cycles = cycles.map_or(String::new(), |n| n.to_string());
        self.bytes(p, &cycles, line, depth, text);
    }

    fn bytes(
        &mut self,
        p: &Piece<'_>,
        cycles: &str,
        line: usize,
        depth: usize,
        mut text: Option<(SourceId, usize)>,
    ) {
        let bytes = p.bytes();
        let digits = self.digits;
        if !self.c.image.comes_with(p.chunk) {
            // Room that is empty when the machine starts.
            let address = format!("{:0digits$X}", self.c.image.local(p.address()));
            let s = if bytes.len() == 1 { "" } else { "s" };
            let room = format!("room: {} byte{s}", bytes.len());
            self.row(&address, &room, "", line, depth, text);
            return;
        }
        let space = self.c.image.space_of(p.address());
        let words = space.is_some_and(|s| s.unit == 2) && self.c.target.word_opcodes();
        let words = words && p.run.form != NONE;
        let equal = bytes.len() > EQUAL && bytes.iter().all(|b| *b == bytes[0]);
        for (i, row) in bytes.chunks(ROW).enumerate() {
            let at = self.c.image.local(p.address() + (i * ROW) as u64);
            let address = format!("{at:0digits$X}");
            if equal && i == 1 {
                let rest = format!("{} more bytes {:02X}", bytes.len() - ROW, bytes[0]);
                self.row(&address, &rest, "", line, depth, None);
                return;
            }
            let hex: Vec<String> = match words {
                // As the documents of a CPU with words have them.
                true => {
                    let words = row.chunks_exact(2);
                    let text = words.map(|w| format!("{:02X}{:02X}", w[1], w[0]));
                    text.collect()
                }
                false => row.iter().map(|b| format!("{b:02X}")).collect(),
            };
            let cycles = if i == 0 { cycles } else { "" };
            if i == 0 {
                self.clock = self.clock_at(p.address());
            }
            self.row(&address, &hex.join(" "), cycles, line, depth, text.take());
        }
    }

    /// Lines that no row has shown: ends of files, and files without bytes.
    fn rest(&mut self) {
        for i in 0..self.lines.len() {
            let id = SourceId(i as u32);
            let source = self.c.sources.get(id);
            // Of include files that the target brings only lines with bytes matter.
            if source.is_made() || source.name.starts_with('<') {
                continue;
            }
            // The last line of a text that ends with an end of line is empty.
            let ends = usize::from(source.text.ends_with('\n') || source.text.is_empty());
            for line in 1..self.lines[i].listed.len() - ends {
                if !self.lines[i].listed[line] && !self.lines[i].bytes[line] {
                    self.file(id);
                    self.plain(id, line);
                }
            }
        }
    }

    /// Sums for each routine: bytes, and the time of its instructions, each once.
    fn routines(&mut self) {
        let sizes = Sizes::of(self.c.name, self.c.image, self.c.sources, self.c.target);
        let digits = self.digits;
        let _ = writeln!(
            self.out,
            "\n; routines: bytes, of them code, {} of all instructions once",
            self.c.target.cycle_name()
        );
        let mut list: Vec<_> = sizes.routines.iter().collect();
        list.sort_by_key(|r| r.address);
        for r in list {
            let cycles = if r.cycles.0 == r.cycles.1 {
                r.cycles.0.to_string()
            } else {
                format!("{}-{}", r.cycles.0, r.cycles.1)
            };
            let _ = writeln!(
                self.out,
                "; {:0digits$X} {:>6} {:>6} {cycles:>11}  {}",
                r.address,
                r.total,
                r.bytes.code,
                r.shown_name()
            );
        }
        let _ = writeln!(
            self.out,
            "; {:digits$} {:>6} {:>6}              all",
            "",
            sizes.total,
            sizes.classes().code
        );
    }
}
