//! `save`: files of parts of the memory, as it is behind the last line.

use super::banks::{CARTRIDGE, OLD_SNAPSHOT, SNAPSHOT};
use super::snapshot::file;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::memory::Memory;
use crate::program::plan::Save;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::hooks::{Asked, Saver};
use crate::read::syntax::literal::{inside, is_quoted};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// The bytes alone.
const PLAIN: u16 = 0;
/// With the header of the Amstrad's disk system.
const AMSDOS: u16 = 1;

/// Files that are made.
#[derive(Default)]
pub struct Files {
    list: Vec<(String, Vec<u8>)>,
    size: usize,
}

impl Files {
    /// A file, in the place of one of the same name.
    fn keep(&mut self, name: String, bytes: Vec<u8>) {
        self.size += bytes.len();
        match self.list.iter_mut().find(|f| f.0 == name) {
            Some(f) => f.1 = bytes,
            None => self.list.push((name, bytes)),
        }
    }
}

impl Saver for Files {
    fn ask(&mut self, asked: &Asked<'_>, memory: &mut Memory) -> Vec<Diagnostic> {
        if let CARTRIDGE | OLD_SNAPSHOT | SNAPSHOT = asked.save.what {
            return match file(asked, memory) {
                Ok(bytes) => {
                    self.keep(asked.save.texts[0].clone(), bytes);
                    Vec::new()
                }
                Err(d) => vec![*d],
            };
        }
        let [start, size, run] = asked.values[..] else {
            return Vec::new();
        };
        let inside = start >= 0 && size >= 1 && start.saturating_add(size) <= 0x10000;
        if !inside {
            let message = format!("{size} bytes from {start} on are not in memory");
            return vec![Diagnostic::new(codes::OUT_OF_RANGE, message)];
        }
        let name = asked.save.texts[0].clone();
        let mut bytes = match asked.save.what {
            AMSDOS => header(&name, start as u16, size as u16, run as u16),
            _ => Vec::new(),
        };
        bytes.extend(memory.read(asked.window, start as u64, size as usize));
        self.keep(name, bytes);
        Vec::new()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn finish(self: Box<Self>) -> Vec<(String, Vec<u8>)> {
        self.list
    }
}

/// The header of a file of that name, with where it lies and is run.
fn header(name: &str, start: u16, size: u16, run: u16) -> Vec<u8> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (base, kind) = last.split_once('.').unwrap_or((last, ""));
    let mut out = vec![0; 128];
    out[1..12].fill(b' ');
    let letters = |text: &str| -> Vec<u8> {
        let all = text.bytes().filter(|b| b.is_ascii_graphic());
        all.map(|b| b.to_ascii_uppercase()).collect()
    };
    for (at, most, text) in [(1, 8, letters(base)), (9, 3, letters(kind))] {
        let n = text.len().min(most);
        out[at..at + n].copy_from_slice(&text[..n]);
    }
    let mut put = |at: usize, word: u16| out[at..at + 2].copy_from_slice(&word.to_le_bytes());
    for (at, word) in [(19, size), (21, start), (24, size), (26, run), (64, size)] {
        put(at, word);
    }
    out[18] = 2;
    let sum: u16 = out[..67].iter().map(|&b| u16::from(b)).sum();
    out[67..69].copy_from_slice(&sum.to_le_bytes());
    out
}

/// Whether a file begins with such a header.
pub fn has_header(bytes: &[u8]) -> bool {
    if bytes.len() <= 128 {
        return false;
    }
    let word = |at: usize| u16::from(bytes[at]) | u16::from(bytes[at + 1]) << 8;
    let sum: u16 = bytes[..67].iter().map(|&b| u16::from(b)).sum();
    let size = usize::from(word(24));
    let rest = bytes.len() - 128;
    sum != 0
        && word(67) == sum
        && bytes[0] < 16
        && bytes[18] <= 2
        && word(24) == word(64)
        && size <= rest
        && size + 512 >= rest
}

impl Assembler<'_> {
    /// `save "name",start,size,amsdos`.
    pub(super) fn rasm_save(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts = split(rest);
        let part = |k: usize| {
            let p = parts.get(k).copied().unwrap_or((0, 0));
            &rest[p.0 as usize..p.1 as usize]
        };
        let [name] = part(0) else {
            let d = Diagnostic::new(codes::SYNTAX, "expected a file name in quotes").at(t.span);
            return Err(Box::new(d));
        };
        if !is_quoted(name) || parts.len() < 3 {
            let d = Diagnostic::new(codes::SYNTAX, "expected a file name, a start and a size");
            return Err(Box::new(d.at(t.span)));
        }
        let text = self.text(name);
        let text = inside(text).to_owned();
        let filled = self.rasm_fill_tags(&text, true, 0)?;
        let text = filled.unwrap_or(text).replace('\\', "/");
        let what = match part(3) {
            [] => PLAIN,
            [w] if w.kind == Kind::Name && self.text(w).eq_ignore_ascii_case("amsdos") => AMSDOS,
            other => {
                let span = self.span_of(other);
                let message = "scrimp writes no disks and tapes for this dialect";
                let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(span);
                return Err(Box::new(
                    d.help("leave it out, or write `amsdos`: the file alone"),
                ));
            }
        };
        let start = self.whole_expression(part(1))?;
        let size = self.whole_expression(part(2))?;
        let run = self.asked.entry.map_or(start, |e| e.0);
        if self.program.asked.saves.list.len() >= limits::FILES {
            return Err(self.too_many(limits::FILES, "requests for files of its own"));
        }
        let save = Save {
            what,
            texts: vec![text],
            values: vec![start, size, run],
            contents: Vec::new(),
            window: self.rasm_window(),
            since: None,
            until: self.here,
            span: self.statement,
            expansion: self.expansion,
        };
        self.program.asked.saves.list.push(save);
        Ok(())
    }

    /// The files have what is in memory behind the last line.
    pub(super) fn rasm_requests(&mut self) {
        self.mark_here();
        let end = self.here;
        for save in &mut self.program.asked.saves.list {
            save.until = end;
        }
    }
}
