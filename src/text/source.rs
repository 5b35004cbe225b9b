//! Source texts and places in them. The core does no input or output: a
//! [`Loader`] brings the texts.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

/// Number of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which text.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span.
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end }
    }
    /// From the start of `self` to the end of `other`, in the same text.
    pub const fn to(self, other: Self) -> Self {
        Self {
            source: self.source,
            start: self.start,
            end: other.end,
        }
    }
}

/// One source text. There may be one for each call of a macro.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name as given, for messages (a relative path with `/`).
    pub name: Arc<str>,
    /// The text; never has a byte order mark.
    pub text: String,
    /// The file was not UTF-8: each of its bytes became the character of that
    /// number (Latin-1), and becomes the byte again in data.
    pub latin1: bool,
    /// It comes with the target or machine: what it defines gives way to the
    /// program's own names.
    pub library: bool,
    /// It has been included.
    pub met: Cell<bool>,
    lines: OnceCell<Box<[u32]>>,
    /// Start of a line, a byte in it, and the characters before that.
    column: Cell<(u32, u32, u32)>,
    /// For a text that macros made: where each part starts, and the statement in a
    /// file that it stands for.
    made: Made,
}

/// Where parts of a made text start, and what they stand for; most have one.
type Made = SmallVec<[(u32, Span); 1]>;

impl Source {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0)
                .chain(ends.map(|i| i as u32 + 1))
                .collect()
        })
    }
    /// Line (from 1) and column (in characters, from 1) of a byte.
    pub fn line_column(&self, at: u32) -> (usize, usize) {
        let lines = self.lines();
        let line = lines.partition_point(|&s| s <= at) - 1;
        let start = lines[line] as usize;
        let end = (at as usize).min(self.text.len());
        // A long line is not counted from its start for each finding in it.
        let (of, known, before) = self.column.get();
        let (of, known, before) = (of as usize, known as usize, before as usize);
        let (from, before) = match of == start && (start..=end).contains(&known) {
            true => (known, before),
            false => (start, 0),
        };
        let more = self
            .text
            .get(from..end)
            .map_or(end - from, |s| s.chars().count());
        if self.text.is_char_boundary(end) {
            self.column
                .set((start as u32, end as u32, (before + more) as u32));
        }
        (line + 1, before + more + 1)
    }
    /// Text of a line (from 1), without its end.
    pub fn line(&self, line: usize) -> &str {
        let lines = self.lines();
        let Some(&start) = lines.get(line - 1) else {
            return "";
        };
        let end = lines.get(line).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }
    /// The statement in a file that a part of a made text stands for.
    pub fn made_from(&self, at: u32) -> Option<Span> {
        let i = self.made.partition_point(|m| m.0 <= at);
        Some(self.made[i.checked_sub(1)?].1)
    }
    /// First byte of a line (from 1).
    pub fn line_start(&self, line: usize) -> u32 {
        let lines = self.lines();
        lines
            .get(line - 1)
            .copied()
            .unwrap_or(self.text.len() as u32)
    }
    /// Whether macros made it.
    pub fn is_made(&self) -> bool {
        !self.made.is_empty()
    }
    /// Number of lines.
    pub fn line_count(&self) -> usize {
        self.lines().len()
    }
}

/// All source texts of a job.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
    /// Files by name.
    files: FxHashMap<String, SourceId>,
    /// The name of all texts that macros made.
    macros: Option<Arc<str>>,
}

impl Sources {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<String>) -> SourceId {
        self.list.push(Source {
            name: name.into(),
            text: text.into(),
            latin1: false,
            library: false,
            met: Cell::new(false),
            lines: OnceCell::new(),
            column: Cell::new((0, 0, 0)),
            made: Made::new(),
        });
        SourceId(self.list.len() as u32 - 1)
    }
    /// Adds a text that comes with the target or machine.
    pub fn add_library(&mut self, name: impl Into<Arc<str>>, text: impl Into<String>) -> SourceId {
        let id = self.add(name, text);
        self.list[id.0 as usize].library = true;
        id
    }
    /// Adds the bytes of a file: a byte order mark is dropped; what is not
    /// UTF-8 is taken as Latin-1.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> SourceId {
        let name = name.into();
        let next = SourceId(self.list.len() as u32);
        self.files.entry(name.clone()).or_insert(next);
        let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => rest.to_vec(),
            None => bytes,
        };
        let bytes = ended_by_newlines(bytes);
        match String::from_utf8(bytes) {
            Ok(text) => self.add(name, text),
            Err(e) => {
                let id = self.add(
                    name,
                    e.as_bytes().iter().map(|&b| b as char).collect::<String>(),
                );
                self.list[id.0 as usize].latin1 = true;
                id
            }
        }
    }
    /// Nothing has been included so far.
    pub fn forget_includes(&self) {
        for s in &self.list {
            s.met.set(false);
        }
    }
    /// The file of that name, if it was read.
    pub fn file(&self, name: &str) -> Option<SourceId> {
        self.files.get(name).copied()
    }
    /// Adds to the end of a text that is still being made.
    pub fn append(&mut self, id: SourceId, more: &str) {
        let s = &mut self.list[id.0 as usize];
        s.text.push_str(more);
        s.lines = OnceCell::new();
    }
    /// Adds a text that macros made for a statement.
    pub fn add_made(&mut self, text: impl Into<String>, from: Span) -> SourceId {
        self.add_made_of(text.into(), smallvec![(0, from)])
    }
    /// Adds a text that macros made, with the places that its parts stand for, by
    /// first byte.
    pub fn add_made_lines(&mut self, text: String, made: Vec<(u32, Span)>) -> SourceId {
        self.add_made_of(text, made.into())
    }
    fn add_made_of(&mut self, mut text: String, mut made: Made) -> SourceId {
        text.shrink_to_fit();
        made.shrink_to_fit();
        let name = Arc::clone(self.macros.get_or_insert_with(|| "<macros>".into()));
        let id = self.add(name, text);
        self.list[id.0 as usize].made = made;
        id
    }
    /// Adds a line to the texts that macros made.
    pub fn append_made(&mut self, id: SourceId, more: &str, from: Span) {
        let s = &mut self.list[id.0 as usize];
        s.text.push('\n');
        s.made.push((s.text.len() as u32, from));
        s.text.push_str(more);
        s.lines = OnceCell::new();
    }
    /// Where the last part of a made text starts.
    pub fn start_of_last(&self, id: SourceId) -> u32 {
        self.get(id).made.last().map_or(0, |m| m.0)
    }
    /// The place in a file that stands for a span: itself, or for a text that macros
    /// made the statement it comes from.
    pub fn in_file(&self, mut span: Span) -> Span {
        // A made text may come from one that was made before.
        while let Some(from) = self.get(span.source).made_from(span.start) {
            span = from;
        }
        span
    }
    /// A text.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.list[id.0 as usize]
    }
    /// All of them, in order of reading.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.list
            .iter()
            .enumerate()
            .map(|(i, s)| (SourceId(i as u32), s))
    }
    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source)
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }
    /// `file:line:column` of the start of a span, in a file.
    pub fn place(&self, span: Span) -> String {
        let span = self.in_file(span);
        let s = self.get(span.source);
        let (l, c) = s.line_column(span.start);
        format!("{}:{l}:{c}", s.name)
    }
}

/// Lines that end with carriage returns alone, as on old Macs, end with newlines.
fn ended_by_newlines(mut bytes: Vec<u8>) -> Vec<u8> {
    if memchr::memchr(b'\n', &bytes).is_none() {
        for b in bytes.iter_mut().filter(|b| **b == b'\r') {
            *b = b'\n';
        }
    }
    bytes
}

/// Why a file could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// There is none; names looked like it.
    Missing {
        /// Files with a near name.
        near: Vec<String>,
    },
    /// Not a regular file: a folder, device, pipe or socket.
    NotAFile(&'static str),
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    /// Outside the folders that a program may read.
    Outside,
    /// The system's reason.
    Io(String),
}

/// Brings files. Paths are as written in the source, relative to the file that
/// names them, then to each search folder.
pub trait Loader {
    /// Reads a file; returns the name to show and to resolve further includes
    /// against, and its bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError>;

    /// As [`load`](Self::load), for a path whose upper and lower case may differ.
    ///
    /// # Errors
    /// When it cannot be read.
    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.load(path, from)
    }
}

/// Bytes that are looked at to tell a text from what is none.
const LOOKED_AT: usize = 4096;

/// Why the bytes of a file are no source text, and what to do about it; `None` for
/// UTF-8, and for what may be any code page with one byte a character.
pub fn unreadable(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const UTF_8: &str = "save it as UTF-8, or convert it: `iconv -f UTF-16 -t UTF-8`";
    const UTF_16: (&str, &str) = ("is text in UTF-16, not in UTF-8", UTF_8);
    if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
        let help = "save it as UTF-8, or convert it: `iconv -f UTF-32 -t UTF-8`";
        return Some(("is text in UTF-32, not in UTF-8", help));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some(UTF_16);
    }
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    let zeros = |from: usize| {
        start
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|b| **b == 0)
            .count()
    };
    let (even, odd, pairs) = (zeros(0), zeros(1), start.len() / 2);
    if pairs > 1 && (even == 0 && odd * 4 > pairs * 3 || odd == 0 && even * 4 > pairs * 3) {
        return Some(UTF_16);
    }
    let control = |b: &&u8| matches!(**b, 0..=8 | 14..=25 | 27..=31);
    let controls = start.iter().filter(control).count();
    if controls > 4 && controls * 10 > start.len() {
        return Some((
            "is no text",
            "`scrimp disasm` shows machine code; `incbin` puts a file into a program as data",
        ));
    }
    let line = start
        .split(|b| *b == b'\n')
        .next()
        .unwrap_or(b"")
        .trim_ascii();
    let hex = |mark: &[u8], least: usize| {
        let rest = line.strip_prefix(mark).unwrap_or(b"");
        rest.len() >= least && rest.iter().all(u8::is_ascii_hexdigit)
    };
    if hex(b":", 10) || hex(b"S0", 8) || hex(b"S1", 8) {
        return Some((
            "is a file of machine code, not a source",
            "`scrimp disasm` shows what is in it, `scrimp run` runs it",
        ));
    }
    None
}

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// Files in memory, for tests and for embedding.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: Vec<(String, Vec<u8>)>,
}

impl MemoryLoader {
    /// Adds a file.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), bytes.into()));
        self
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str, _from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        self.files
            .iter()
            .find(|f| f.0 == path)
            .map(|f| (f.0.clone(), f.1.clone()))
            .ok_or(LoadError::Missing { near: Vec::new() })
    }

    fn load_any_case(
        &self,
        path: &str,
        _from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.files
            .iter()
            .find(|f| f.0.eq_ignore_ascii_case(path))
            .map(|f| (f.0.clone(), f.1.clone()))
            .ok_or(LoadError::Missing { near: Vec::new() })
    }
}
