//! Files of a device's memory, made request by request when all values are known.
//!
//! Nothing is written here: what is made comes back by name.

mod common;
pub mod disk;
mod next;
mod plain;
pub mod spectrum;
mod tape;

use super::asks::Ask;
use crate::diagnostic::Diagnostic;
use crate::image::memory::Memory;
use crate::read::hooks::{Asked, Saver};
use common::{Found, error, given};
use rustc_hash::FxHashMap;

/// All files so far.
#[derive(Default)]
pub struct Files {
    list: Vec<(String, Vec<u8>)>,
    names: FxHashMap<String, usize>,
    size: usize,
    next: Option<next::Open>,
}

impl Files {
    /// A file of that name with nothing in it.
    fn fresh(&mut self, name: &str) -> &mut Vec<u8> {
        let file = self.there(name);
        file.clear();
        file
    }

    /// A file of that name, with what is in it so far.
    fn there(&mut self, name: &str) -> &mut Vec<u8> {
        let index = match self.names.get(name) {
            Some(&i) => i,
            None => {
                self.list.push((name.to_owned(), Vec::new()));
                self.names.insert(name.to_owned(), self.list.len() - 1);
                self.list.len() - 1
            }
        };
        &mut self.list[index].1
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The raw output between two lines.
    fn output(&mut self, asked: &Asked<'_>) {
        let name = &asked.save.texts[0];
        let file = match asked.save.texts[1].as_str() {
            "a" => self.there(name),
            "r" => {
                // It is written over from its start.
                let file = self.there(name);
                let n = file.len().min(asked.written.len());
                file[..n].copy_from_slice(&asked.written[..n]);
                file.extend_from_slice(&asked.written[n..]);
                return;
            }
            _ => self.fresh(name),
        };
        file.extend_from_slice(asked.written);
    }

    fn done(&mut self, asked: &Asked<'_>, memory: &mut Memory) -> Result<Found, Box<Diagnostic>> {
        let ask = Ask::ALL[usize::from(asked.save.what)];
        let name = asked.save.texts[0].as_str();
        let (bytes, found) = match ask {
            Ask::Bytes => plain::bytes(asked, memory)?,
            Ask::Device => plain::device(asked, memory)?,
            Ask::Plus3 => plain::plus3(asked, memory)?,
            Ask::Amsdos => plain::amsdos(asked, memory)?,
            Ask::Hex => plain::hex(asked, memory)?,
            Ask::Hobeta => plain::hobeta(asked, memory)?,
            Ask::Snapshot => spectrum::snapshot(asked, memory)?,
            Ask::Labels => (plain::labels(asked), Found::new()),
            Ask::Map => (plain::map(asked), Found::new()),
            Ask::EmptyTape => (Vec::new(), Found::new()),
            Ask::EmptyDisk => disk::empty(asked),
            Ask::Disk => {
                if !self.has(name) {
                    let d = error(format!("there is no disk `{name}` above"));
                    return Err(Box::new(d.help("make it first: `EMPTYTRD`")));
                }
                return disk::add(self.there(name), asked, memory);
            }
            Ask::Tape if asked.save.texts.len() > 2 => {
                return tape::block(self.there(name), asked, memory);
            }
            Ask::Tape => tape::snapshot(asked, memory)?,
            Ask::Tapend => {
                if !self.has(name) {
                    let d = error(format!("there is no tape `{name}` above"));
                    return Err(Box::new(d.help("make it first: `EMPTYTAP`")));
                }
                let flag = given(asked.values, 0).unwrap_or(255) as u8;
                tape::put(self.there(name), flag, asked.written);
                return Ok(Found::new());
            }
            Ask::Next => return self.next(asked, memory),
            Ask::Output => {
                self.output(asked);
                return Ok(Found::new());
            }
            Ask::Part => {
                let file = self.there(name);
                let size = given(asked.values, 1).unwrap_or(0).max(0) as usize;
                file.resize(file.len().max(size), 0);
                if let Ok(at) = usize::try_from(asked.values[0]) {
                    let end = at + asked.written.len();
                    file.resize(file.len().max(end), 0);
                    file[at..end].copy_from_slice(asked.written);
                }
                return Ok(Found::new());
            }
            Ask::Tapout | Ask::EndOutput | Ask::Breakpoints | Ask::Breakpoint | Ask::Other => {
                return Ok(Found::new());
            }
        };
        *self.fresh(name) = bytes;
        Ok(found)
    }

    fn next(&mut self, asked: &Asked<'_>, memory: &Memory) -> Result<Found, Box<Diagnostic>> {
        if asked.save.texts[0] == "open" {
            if self.next.is_some() {
                return Err(error("a file for the Next is open already"));
            }
            let (open, found) = next::Open::new(asked, memory)?;
            self.next = Some(open);
            return Ok(found);
        }
        let Some(open) = &mut self.next else {
            let d = error("no file for the Next is open");
            return Err(Box::new(
                d.help("open it above: `SAVENEX OPEN \"name.nex\", start`"),
            ));
        };
        let mut found = open.command(asked, memory)?;
        if asked.save.texts[0] == "close" {
            self.close(&mut found);
        }
        Ok(found)
    }

    fn close(&mut self, found: &mut Found) {
        if let Some(open) = self.next.take() {
            let (name, bytes) = open.finish(found);
            *self.fresh(&name) = bytes;
        }
    }
}

impl Saver for Files {
    fn ask(&mut self, asked: &Asked<'_>, memory: &mut Memory) -> Vec<Diagnostic> {
        let found = match self.done(asked, memory) {
            Ok(found) => found,
            Err(d) => vec![*d],
        };
        let open = self.next.as_ref().map_or(0, next::Open::size);
        self.size = self.list.iter().map(|f| f.1.len()).sum::<usize>() + open;
        found
    }

    fn size(&self) -> usize {
        self.size
    }

    fn finish(mut self: Box<Self>) -> Vec<(String, Vec<u8>)> {
        self.close(&mut Found::new());
        self.list
    }
}
