//! Lines met before: an instruction of registers and numbers alone is the same item
//! wherever it stands, so its line is read once and looked up after that. One whose last
//! value is a name, or a number not met yet, has the form of the lines that are the same
//! before that value; so has one whose last operand is another register, where only one
//! form has as many operands.
//!
//! Invariant: a line is kept only if the item that it made follows from its text, the
//! table and the dialect; an outline only if its form follows from the text before the
//! value. Every directive that may change what words mean starts a new generation, which
//! makes all that is kept void.

use crate::text::lex::{Kind, Tok};
use crate::text::source::{SourceId, Span};

/// Longest text that is kept, in bytes.
pub const LONGEST: usize = 31;
/// Slots of the table.
pub const SLOTS: usize = 1 << 13;

/// The text of a line with zeros behind it. A text with a zero of its own is not kept,
/// so texts that differ differ here, without a look at sources far away.
pub type Key = [u64; 4];

/// A line and what it made; the key of an empty one is that of no text. One cache line, so
/// that a look costs no second miss.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub struct Line {
    pub(crate) key: Key,
    /// First byte of the statement in the text.
    pub from: u8,
    /// Bytes of the instruction.
    pub size: u8,
    /// Operand class of the last value, for an outline.
    pub class: u8,
    /// That value is a register, for an outline.
    pub register: bool,
    pub(crate) form: u16,
    pub(crate) generation: u32,
    pub(crate) word: u64,
}

/// The lines that are kept.
#[derive(Debug, Default)]
pub struct Memo {
    pub(crate) slots: Vec<Line>,
    /// Lines without their last value; the word has zeros for it.
    pub(crate) outlines: Vec<Line>,
    pub(crate) generation: u32,
    /// The statement in work has no names, so it may be kept.
    pub plain: bool,
    /// It is an instruction with one value of one token, so its outline may be kept.
    pub outlined: Option<Outlined>,
}

/// An instruction without its value, or without its last register.
#[derive(Clone, Copy, Debug)]
pub struct Outlined {
    /// Fixed bits and register fields.
    pub word: u64,
    /// Operand class of the value.
    pub class: u8,
    /// The value.
    pub value: Tok,
    /// It is a register, and any other of the class would stand in the same form.
    pub register: bool,
}

/// A line of a file that may be kept: its text without the comment.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub(crate) source: SourceId,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// First byte of the next line.
    pub next: usize,
    pub(crate) key: Key,
    pub(crate) slot: usize,
}

/// What has been made before a line, to see what the line makes.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub(crate) candidate: Candidate,
    pub(crate) chunk: u32,
    pub(crate) items: usize,
    pub(crate) values: usize,
    pub(crate) findings: usize,
    pub(crate) feeds: usize,
    pub(crate) defined: u32,
}

/// The last value of a line, one number or name, with a parenthesis behind it or not.
#[derive(Clone, Copy, Debug)]
pub struct Tail {
    /// The line without the value.
    pub key: Key,
    kind: Kind,
    from: usize,
    end: usize,
    closed: bool,
}

impl Tail {
    /// Of a line, if it ends so.
    #[inline]
    pub fn of(text: &[u8], c: &Candidate) -> Option<Self> {
        let line = text.get(c.start..c.end)?;
        let closed = line.last() == Some(&b')');
        let end = line.len() - usize::from(closed);
        let part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
        let len = line[..end].iter().rev().take_while(part).count();
        let from = end - len;
        let opens = match line[..from].last()? {
            b'(' => closed,
            b',' | b' ' | b'\t' => !closed,
            _ => false,
        };
        if len == 0 || !opens {
            return None;
        }
        let kind = match line[from].is_ascii_digit() {
            true => Kind::Number,
            false => Kind::Name,
        };
        // A text has no such characters, or it is not kept.
        let mark = 1 + u64::from(kind == Kind::Name) + 2 * u64::from(closed);
        let mut key = masked(c.key, from);
        key[from / 8] |= mark << (from % 8 * 8);
        Some(Self {
            key,
            kind,
            from: c.start + from,
            end: c.start + end,
            closed,
        })
    }

    /// The operand, with the parentheses around it.
    pub fn argument(&self, c: &Candidate) -> Span {
        let more = u32::from(self.closed);
        Span::new(c.source, self.from as u32 - more, self.end as u32 + more)
    }

    /// The token that it is.
    pub fn token(&self, c: &Candidate) -> Tok {
        Tok {
            kind: self.kind,
            span: Span::new(c.source, self.from as u32, self.end as u32),
        }
    }
}

/// Where in the first bytes of a text a comment or the end of the line begins; `None` if
/// that is further away, or a sign before it may mean something else.
#[inline]
pub fn ending(rest: &[u8]) -> Option<usize> {
    let stop = |b: u8| {
        (b == b'\n')
            | (b == b';')
            | (b == 0)
            | (b == b'"')
            | (b == b'\'')
            | (b == b'/')
            | (b == b'\\')
    };
    let end = match rest.first_chunk::<32>() {
        Some(bytes) => {
            // All at once, so that no byte costs a branch.
            let mut marks = [0u8; 32];
            for (mark, &b) in marks.iter_mut().zip(bytes) {
                *mark = u8::from(stop(b));
            }
            match words_of(&marks) {
                [w, ..] if w != 0 => w.trailing_zeros() as usize / 8,
                [_, w, ..] if w != 0 => 8 + w.trailing_zeros() as usize / 8,
                [_, _, w, _] if w != 0 => 16 + w.trailing_zeros() as usize / 8,
                [_, _, _, w] if w != 0 => 24 + w.trailing_zeros() as usize / 8,
                _ => 32 + usize::from(!stop(*rest.get(32)?)),
            }
        }
        None => rest.iter().position(|&b| stop(b))?,
    };
    matches!(rest.get(end)?, b'\n' | b';').then_some(end)
}

impl Memo {
    /// Forgets all lines.
    pub fn renew(&mut self) {
        self.generation += 1;
    }
}

/// The key of the first `len` bytes, at most [`LONGEST`], of a text.
#[inline]
pub fn key(text: &[u8], len: usize) -> Key {
    match text.first_chunk::<32>() {
        Some(all) => masked(words_of(all), len),
        None => masked(near_the_end(text), len),
    }
}

/// Bytes as words, eight in each, the first the lowest.
#[inline(always)]
fn words_of(bytes: &[u8; 32]) -> Key {
    let word = |i: usize| {
        let b = &bytes[8 * i..8 * i + 8];
        u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])
    };
    [word(0), word(1), word(2), word(3)]
}

/// The words of a text that has less than 32 bytes.
#[cold]
#[inline(never)]
fn near_the_end(text: &[u8]) -> Key {
    let mut bytes = [0; 32];
    bytes[..text.len()].copy_from_slice(text);
    words_of(&bytes)
}

/// For each length the bits of a key that a text so long has.
const MASKS: [Key; 33] = {
    let mut masks = [[0; 4]; 33];
    let mut len = 0;
    while len < 33 {
        let mut byte = 0;
        while byte < len {
            masks[len][byte / 8] |= 0xff << (byte % 8 * 8);
            byte += 1;
        }
        len += 1;
    }
    masks
};

/// A key without what is behind its first `len` bytes.
#[inline]
fn masked(key: Key, len: usize) -> Key {
    let mask = &MASKS[len.min(32)];
    [
        key[0] & mask[0],
        key[1] & mask[1],
        key[2] & mask[2],
        key[3] & mask[3],
    ]
}

/// Where the line of a key is kept.
#[inline]
pub fn slot(key: &Key) -> usize {
    let mut hash = 0u64;
    for &word in key {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 40) as usize % SLOTS
}
