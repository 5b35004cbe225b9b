//! Files of the memory as it is at lines of the source.

use crate::diagnostic::{Diagnostic, Level, codes};
use crate::image;
use crate::image::memory::Memory;
use crate::place::Layout;
use crate::program::Program;
use crate::program::eval::State;
use crate::program::problems::Problems;
use crate::program::symbol::Anchor;
use crate::read::hooks::{Asked, Saver};

/// Most bytes of all files.
const MOST: usize = 32 << 20;

/// What files are made from: a program with its layout, and its chunks in order.
pub struct Source<'s> {
    /// The program.
    pub program: &'s Program<'s>,
    /// Where its chunks are.
    pub layout: &'s Layout,
    /// Values of its symbols.
    pub values: &'s [State],
    /// Final bytes.
    pub built: &'s [image::Chunk],
}

impl Source<'_> {
    /// The chunk of an anchor, and how many of its bytes lie before it.
    fn end(&self, at: Anchor) -> (usize, usize) {
        let c = at.chunk as usize;
        let there = self.program.address(self.layout, at) - self.layout.base[c];
        (c, (there as usize).min(self.built[c].bytes.len()))
    }

    /// The bytes from one place to another, in the order of the source.
    fn between(&self, from: (usize, usize), to: (usize, usize)) -> Vec<(usize, usize, &[u8])> {
        let mut out = Vec::new();
        for c in from.0..=to.0 {
            let bytes = &self.built[c].bytes;
            let start = if c == from.0 { from.1 } else { 0 };
            let end = if c == to.0 { to.1 } else { bytes.len() };
            if start < end {
                out.push((c, start, &bytes[start..end]));
            }
        }
        out
    }
}

/// The files that a source asks for, each byte where it is stored: later items over earlier
/// ones. What is wrong goes to `problems`.
pub fn files(
    from: &Source<'_>,
    mut saver: Box<dyn Saver>,
    problems: &mut Problems,
) -> Vec<(String, Vec<u8>)> {
    let program = from.program;
    let mut memory = Memory::new(&program.asked.saves.banks);
    let entry = program
        .asked
        .entry
        .and_then(|e| program.value_of(e.0, from.layout, from.values).ok());
    let mut done = (0, 0);
    for save in &program.asked.saves.list {
        let until = from.end(save.until);
        for (c, start, bytes) in from.between(done, until) {
            if !from.built[c].bare {
                let window = &program.asked.saves.windows[program.chunks[c].window as usize];
                memory.write(window, from.layout.load[c] + start as u64, bytes);
            }
        }
        done = until;
        let mut values = Vec::with_capacity(save.values.len());
        for &v in &save.values {
            match program.value_of(v, from.layout, from.values) {
                Ok(n) => values.push(n),
                Err(m) => problems.miss(m, save.span, save.expansion),
            }
        }
        if values.len() < save.values.len() {
            continue;
        }
        let mut written = Vec::new();
        for (_, _, bytes) in save
            .since
            .map_or(Vec::new(), |s| from.between(from.end(s), until))
        {
            written.extend_from_slice(bytes);
        }
        let asked = Asked {
            save,
            values: &values,
            window: &program.asked.saves.windows[save.window as usize],
            entry,
            written: &written,
        };
        let mut failed = false;
        for d in saver.ask(&asked, &mut memory) {
            failed |= d.level == Level::Error;
            let d = if d.span.is_none() { d.at(save.span) } else { d };
            problems.found(d, save.expansion);
        }
        if saver.size() > MOST || failed && problems.enough() {
            if saver.size() > MOST {
                let message = format!("the source's own files have more than {MOST} bytes");
                let d = Diagnostic::new(codes::TOO_MUCH, message).at(save.span);
                problems.found(d, save.expansion);
            }
            return Vec::new();
        }
    }
    saver.finish()
}
