//! A saved program under construction: every byte knows what put it there.

use scrimp_isa::container::{Contained, ContainerError};

use super::memory::VERSN;

/// What a byte of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From the assembled program.
    Image,
    /// A system variable.
    System,
    /// The line that starts the code, with its number and length.
    StartLine,
    /// The line that holds the code, without the code.
    RemLine,
    /// Code that the layout needs before the program's own.
    StartCode,
    /// The display file.
    Display,
    /// BASIC variables and their end mark.
    Variables,
    /// Zero between pieces of the program.
    Gap,
}

/// Names of the kinds in reports, in the order of [`Kind`]; the program's own
/// has none.
const ADDED: [(Kind, &str); 7] = [
    (Kind::System, "system variables"),
    (Kind::StartLine, "start line"),
    (Kind::RemLine, "REM line"),
    (Kind::StartCode, "start code"),
    (Kind::Display, "display file"),
    (Kind::Variables, "variables"),
    (Kind::Gap, "gaps"),
];

/// Bytes from VERSN on, each written at most once.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    cells: Vec<Option<(u8, Kind)>>,
}

impl Frame {
    /// One past the last byte so far.
    pub fn end(&self) -> u32 {
        u32::from(VERSN) + self.cells.len() as u32
    }

    /// Writes bytes where none are.
    ///
    /// # Errors
    /// The first address that is taken, as a [`ContainerError`] that names what
    /// lies there. Nothing is written then.
    pub fn put(&mut self, address: u16, bytes: &[u8], kind: Kind) -> Result<(), ContainerError> {
        let at = usize::from(address - VERSN);
        if self.cells.len() < at + bytes.len() {
            self.cells.resize(at + bytes.len(), None);
        }
        let cells = &mut self.cells[at..at + bytes.len()];
        if let Some(i) = cells.iter().position(Option::is_some) {
            let taken = cells[i].map_or(Kind::Gap, |(_, kind)| kind);
            let address = address + i as u16;
            let by = if kind == Kind::Image { taken } else { kind };
            return Err(ContainerError {
                message: format!(
                    "the byte at ${address:04X} ({address}) belongs to the {}",
                    name(by)
                ),
                help: Some("the program may use only what the layout leaves free".into()),
                address: Some(u64::from(address)),
                option: None,
            });
        }
        for (cell, &byte) in cells.iter_mut().zip(bytes) {
            *cell = Some((byte, kind));
        }
        Ok(())
    }

    /// Writes a word, low byte first.
    ///
    /// # Errors
    /// As [`Frame::put`].
    pub fn word(&mut self, address: u16, value: u16, kind: Kind) -> Result<(), ContainerError> {
        self.put(address, &value.to_le_bytes(), kind)
    }

    /// Zeros from `start` to before `end` where nothing is yet.
    pub fn fill(&mut self, start: u16, end: u16, kind: Kind) {
        let at = |address: u16| usize::from(address - VERSN);
        if self.cells.len() < at(end) {
            self.cells.resize(at(end), None);
        }
        for cell in &mut self.cells[at(start)..at(end)] {
            cell.get_or_insert((0, kind));
        }
    }

    /// Whether a byte is there.
    pub fn has(&self, address: u16) -> bool {
        let at = usize::from(address - VERSN);
        self.cells.get(at).is_some_and(Option::is_some)
    }

    /// The file and the account of its bytes.
    pub fn finish(self) -> Contained {
        let kinds = self.cells.iter().map(|c| c.map_or(Kind::Gap, |c| c.1));
        let count = |kind| kinds.clone().filter(|&k| k == kind).count();
        Contained {
            image_bytes: count(Kind::Image),
            added: ADDED
                .iter()
                .map(|&(kind, name)| (name, count(kind)))
                .filter(|&(_, n)| n > 0)
                .collect(),
            bytes: self.cells.iter().map(|c| c.map_or(0, |c| c.0)).collect(),
            warnings: Vec::new(),
        }
    }
}

fn name(kind: Kind) -> &'static str {
    ADDED
        .iter()
        .find(|&&(k, _)| k == kind)
        .map_or("program", |&(_, name)| name)
}
