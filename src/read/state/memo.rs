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
/// Fewest and most slots of a table.
const SLOTS: [usize; 2] = [1 << 6, 1 << 13];
/// Bytes of the sources for each slot, so that a short one makes no large table.
const A_SLOT: usize = 32;

/// The text of a line with zeros behind it. A text with a zero of its own is not kept,
/// so texts that differ differ here, without a look at sources far away.
pub type Key = [u64; 4];

/// A line and what it made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub(crate) word: u64,
}

/// A line in a slot: its key, the word, all else; zeros are the key of no text. So long as
/// a line of a cache.
type Kept = [u64; 8];

/// Bits of a generation.
const GENERATION: u32 = 24;

/// Lines by their keys.
#[derive(Debug, Default)]
pub struct Table {
    slots: Vec<Kept>,
    /// Bits of a hash below those that number the slots.
    below: u32,
}

impl Table {
    /// The line of that key, if it is of this generation.
    #[inline]
    pub(crate) fn get(&self, key: &Key, generation: u32) -> Option<Line> {
        let kept = self.slots.get(self.slot(key))?;
        let rest = kept[5];
        // Word by word, since the key was just made so: wider looks would wait for it.
        let other = (kept[0] ^ key[0]) | (kept[1] ^ key[1]) | (kept[2] ^ key[2]);
        if other | (kept[3] ^ key[3]) != 0 || rest >> (64 - GENERATION) != u64::from(generation) {
            return None;
        }
        Some(Line {
            key: *key,
            from: rest as u8 & 0x7f,
            size: (rest >> 8) as u8,
            class: (rest >> 16) as u8,
            register: rest & 0x80 != 0,
            form: (rest >> 24) as u16,
            word: kept[4],
        })
    }

    /// Where the line of a key is kept; nowhere in an empty table.
    #[inline]
    fn slot(&self, key: &Key) -> usize {
        (hash(key) >> self.below) as usize
    }

    /// Keeps a line in the place of another, in a table that is large enough for so many
    /// bytes of sources.
    pub(crate) fn keep(&mut self, line: &Line, generation: u32, read: usize) {
        let [fewest, most] = SLOTS;
        let wanted = (read / A_SLOT).next_power_of_two().clamp(fewest, most);
        if self.slots.len() < wanted {
            // What was in it is read again. Each page is written once, and not first read.
            self.slots.clear();
            self.slots.resize(wanted, [0; 8]);
            self.below = u64::BITS - wanted.ilog2();
        }
        let rest = u64::from(line.from & 0x7f)
            | u64::from(line.register) << 7
            | u64::from(line.size) << 8
            | u64::from(line.class) << 16
            | u64::from(line.form) << 24
            | u64::from(generation) << (64 - GENERATION);
        let [a, b, c, d] = line.key;
        let slot = self.slot(&line.key);
        self.slots[slot] = [a, b, c, d, line.word, rest, 0, 0];
    }
}

/// The lines that are kept.
#[derive(Debug, Default)]
pub struct Memo {
    pub(crate) lines: Table,
    /// Lines without their last value; the word has zeros for it.
    pub(crate) outlines: Table,
    pub(crate) generation: u32,
    /// The statement in work has no names, so it may be kept.
    pub plain: bool,
    /// It would say the same wherever its tokens stood, whatever they came out of.
    pub fixed: bool,
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
}

/// What has been made before a line, to see what the line makes.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub(crate) candidate: Candidate,
    pub(crate) made: Made,
}

/// How much has been made so far.
#[derive(Clone, Copy, Debug)]
pub struct Made {
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
    /// A `#` stands before it, where that is a sign of its own.
    marked: bool,
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
            b',' | b'#' => !closed,
            // A word alone is no value.
            b' ' | b'\t' => !closed && !line[..from].trim_ascii_start().is_empty(),
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
        let (at, mark) = (from / 8, mark << (from % 8 * 8));
        let mut key = masked(c.key, from);
        for (i, word) in key.iter_mut().enumerate() {
            *word |= if i == at { mark } else { 0 };
        }
        Some(Self {
            key,
            kind,
            from: c.start + from,
            end: c.start + end,
            closed,
            marked: line[from - 1] == b'#',
        })
    }

    /// The operand, with the parentheses around it or the mark before it.
    pub fn argument(&self, c: &Candidate) -> Span {
        let more = u32::from(self.closed);
        let before = more + u32::from(self.marked);
        Span::new(c.source, self.from as u32 - before, self.end as u32 + more)
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
#[inline(always)]
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
    /// The statement in work may be another one the next time.
    pub fn not_again(&mut self) {
        self.plain = false;
        self.fixed = false;
        self.outlined = None;
    }

    /// Forgets all lines.
    pub fn renew(&mut self) {
        self.generation += 1;
        if self.generation >> GENERATION != 0 {
            *self = Self::default();
        }
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

/// What a key is found by: the highest bits, which all bytes of it reach.
#[inline]
fn hash(key: &Key) -> u64 {
    // None of these waits for another.
    key[0].wrapping_mul(0x517c_c1b7_2722_0a95)
        ^ key[1].wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ key[2].wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ key[3].wrapping_mul(0x1656_67b1_9e37_79f9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_in_one_byte_are_kept_apart() {
        for at in 0..LONGEST {
            let slot_of = |b: u8| {
                let mut text = [b'a'; LONGEST];
                text[at] = b;
                hash(&key(&text, LONGEST)) >> (u64::BITS - SLOTS[1].ilog2())
            };
            let slots: std::collections::HashSet<u64> = (b'0'..=b'z').map(slot_of).collect();
            assert!(slots.len() > 70, "byte {at}: {} slots", slots.len());
        }
    }

    #[test]
    fn a_line_comes_out_as_it_was_kept_and_only_in_its_generation() {
        let line = |text: &[u8], from, register| Line {
            key: key(text, text.len()),
            from,
            size: 4,
            class: 0xfe,
            register,
            form: 0xabcd,
            word: u64::MAX,
        };
        let mut memo = Memo::default();
        let lines = [
            line(b"\tldi\tr16, 1", 1, false),
            line(b"  mov r1, r2", 31, true),
        ];
        for l in &lines {
            assert_eq!(memo.lines.get(&l.key, memo.generation), None);
            memo.lines.keep(l, memo.generation, 0);
        }
        for l in lines {
            assert_eq!(memo.lines.get(&l.key, memo.generation), Some(l));
            assert_eq!(memo.outlines.get(&l.key, memo.generation), None);
        }
        memo.renew();
        assert_eq!(memo.lines.get(&lines[0].key, memo.generation), None);
        // Nothing of the first generation is there when their numbers begin again.
        memo.generation = (1 << GENERATION) - 1;
        memo.lines.keep(&lines[1], memo.generation, 1 << 20);
        assert_eq!(
            memo.lines.get(&lines[1].key, memo.generation),
            Some(lines[1])
        );
        memo.renew();
        assert!(memo.generation >> GENERATION == 0);
        for l in lines {
            assert_eq!(memo.lines.get(&l.key, memo.generation), None);
        }
    }
}
