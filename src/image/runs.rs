//! The runs of a chunk: which statement made which bytes.
//!
//! They are kept packed, since an image has one for nearly each line: what a run shares
//! with the one before costs nothing, so most take five bytes. Only the order of the
//! chunk is cheap, and a look for the run that holds a byte.

use crate::text::source::{SourceId, Span};

/// What a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Of an instruction.
    Code,
    /// Of a data directive or a binary file.
    Data,
    /// Of `ds`, `fill`: room that the source asked for.
    Space,
    /// Put in by `align`.
    Padding,
}

/// Index of "nothing" in the tables of an image.
pub const NONE: u32 = u32::MAX;

/// A run of bytes that one statement made in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First byte in the chunk.
    pub offset: u32,
    /// Bytes.
    pub len: u32,
    /// The statement's text.
    pub span: Span,
    /// Index in [`Image::expansions`](super::Image::expansions) of the innermost macro call,
    /// repeat or include it came through; [`NONE`] at top level.
    pub expansion: u32,
    /// Index in [`Image::symbols`](super::Image::symbols) of the label it belongs to (the
    /// last plain label before it in its section); [`NONE`] before the first.
    pub owner: u32,
    /// Row in the target's table for an instruction, [`NONE`] otherwise.
    pub form: u32,
    /// What the bytes are.
    pub class: Class,
}

/// What the first run of a block is compared with.
const START: Run = Run {
    offset: 0,
    len: 0,
    span: Span {
        source: SourceId(0),
        start: 0,
        end: 0,
    },
    expansion: NONE,
    owner: NONE,
    form: NONE,
    class: Class::Code,
};

/// Runs that are packed one behind the other; each block can be read alone.
const BLOCK: u32 = 32;

/// Bits of a run's first byte: three of its length, two of its class, and these.
const ELSEWHERE: u8 = 1 << 5;
const OTHER_OWNER: u8 = 1 << 6;
const GAP: u8 = 1 << 7;
/// The length stands behind.
const LONG: u32 = 7;

/// The first run of a block: where it is packed, and the first byte in the chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    at: u32,
    offset: u32,
}

/// Runs in the order of their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    packed: Vec<u8>,
    marks: Vec<Mark>,
    count: u32,
    last: Option<Run>,
}

/// Bytes of a run before they are behind the others.
struct Buffer {
    bytes: [u8; 48],
    len: usize,
}

impl Buffer {
    #[inline]
    fn byte(&mut self, b: u8) {
        self.bytes[self.len] = b;
        self.len += 1;
    }

    /// Seven bits a byte, the lowest first.
    #[inline]
    fn number(&mut self, mut n: u32) {
        while n >= 0x80 {
            self.byte(n as u8 | 0x80);
            n >>= 7;
        }
        self.byte(n as u8);
    }

    /// A difference, small where it is so to either side.
    #[inline]
    fn difference(&mut self, to: u32, from: u32) {
        let n = to.wrapping_sub(from) as i32;
        self.number((n << 1 ^ n >> 31) as u32);
    }
}

/// The bytes of a run that shares all it can with the one before, and is short and near to
/// it, the first the lowest; and how many those are, at most seven.
#[inline]
fn usual(run: &Run, before: &Run) -> Option<(u64, usize)> {
    let same = (run.span.source, run.expansion, run.owner)
        == (before.span.source, before.expansion, before.owner)
        && run.offset == before.offset.wrapping_add(before.len);
    let gap = run.span.start.wrapping_sub(before.span.end);
    let text = run.span.end.wrapping_sub(run.span.start);
    let form = run.form.wrapping_add(1);
    if !same || run.len >= LONG || gap >= 1 << 13 || text >= 1 << 13 || form >= 1 << 14 {
        return None;
    }
    let mut word = (run.class as u64) << 3 | u64::from(run.len);
    let mut bits = 8;
    for n in [form, gap * 2, text * 2] {
        let more = u32::from(n >= 0x80);
        word |= u64::from(n & 0x7f | more << 7 | n >> 7 << 8) << bits;
        bits += 8 + 8 * more;
    }
    Some((word, bits as usize / 8))
}

impl Runs {
    /// With room for so many of the usual kind.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            packed: Vec::with_capacity(count * 6),
            ..Self::default()
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a run behind all others.
    pub fn push(&mut self, run: Run) {
        let before = match self.last {
            Some(last) if !self.count.is_multiple_of(BLOCK) => last,
            _ => {
                let (at, offset) = (self.packed.len() as u32, run.offset);
                self.marks.push(Mark { at, offset });
                START
            }
        };
        self.count += 1;
        self.last = Some(run);
        if let Some((word, len)) = usual(&run, &before) {
            let end = self.packed.len() + len;
            self.packed.extend_from_slice(&word.to_le_bytes());
            self.packed.truncate(end);
            return;
        }
        let mut out = Buffer {
            bytes: [0; 48],
            len: 1,
        };
        let mut head = (run.class as u8) << 3 | run.len.min(LONG) as u8;
        if run.len >= LONG {
            out.number(run.len);
        }
        out.number(run.form.wrapping_add(1));
        out.difference(run.span.start, before.span.end);
        out.difference(run.span.end, run.span.start);
        if (run.span.source, run.expansion) != (before.span.source, before.expansion) {
            head |= ELSEWHERE;
            out.number(run.span.source.0);
            out.number(run.expansion.wrapping_add(1));
        }
        if run.owner != before.owner {
            head |= OTHER_OWNER;
            out.number(run.owner.wrapping_add(1));
        }
        if run.offset != before.offset.wrapping_add(before.len) {
            head |= GAP;
            out.number(run.offset);
        }
        out.bytes[0] = head;
        self.packed.extend_from_slice(&out.bytes[..out.len]);
    }

    /// All of them, in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            runs: self,
            at: 0,
            next: 0,
            before: START,
        }
    }

    /// The first one.
    pub fn first(&self) -> Option<Run> {
        self.iter().next()
    }

    /// The last one.
    pub fn last(&self) -> Option<Run> {
        self.last
    }

    /// The last run that begins at a byte of the chunk or before it.
    pub fn holding(&self, offset: u32) -> Option<Run> {
        let block = self.marks.partition_point(|m| m.offset <= offset);
        let block = block.checked_sub(1)?;
        let from = Iter {
            runs: self,
            at: self.marks[block].at as usize,
            next: block as u32 * BLOCK,
            before: START,
        };
        from.take(BLOCK as usize)
            .take_while(|r| r.offset <= offset)
            .last()
    }
}

/// The runs in order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    runs: &'a Runs,
    /// Next byte.
    at: usize,
    /// Number of the next run.
    next: u32,
    before: Run,
}

impl Iter<'_> {
    #[inline]
    fn byte(&mut self) -> u8 {
        let b = self.runs.packed.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        b
    }

    #[inline]
    fn number(&mut self) -> u32 {
        let (mut n, mut shift) = (0, 0);
        loop {
            let b = self.byte();
            n |= u32::from(b & 0x7f).wrapping_shl(shift);
            shift += 7;
            if b < 0x80 {
                return n;
            }
        }
    }

    #[inline]
    fn difference(&mut self, from: u32) -> u32 {
        let n = self.number();
        from.wrapping_add(n >> 1 ^ (n & 1).wrapping_neg())
    }
}

impl Iterator for Iter<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        if self.next >= self.runs.count {
            return None;
        }
        if self.next.is_multiple_of(BLOCK) {
            self.before = START;
        }
        self.next += 1;
        let before = self.before;
        let head = self.byte();
        let len = match u32::from(head) & 7 {
            LONG => self.number(),
            n => n,
        };
        let class = match head >> 3 & 3 {
            0 => Class::Code,
            1 => Class::Data,
            2 => Class::Space,
            _ => Class::Padding,
        };
        let form = self.number().wrapping_sub(1);
        let start = self.difference(before.span.end);
        let end = self.difference(start);
        let (source, expansion) = match head & ELSEWHERE {
            0 => (before.span.source, before.expansion),
            _ => (SourceId(self.number()), self.number().wrapping_sub(1)),
        };
        let owner = match head & OTHER_OWNER {
            0 => before.owner,
            _ => self.number().wrapping_sub(1),
        };
        let offset = match head & GAP {
            0 => before.offset.wrapping_add(before.len),
            _ => self.number(),
        };
        self.before = Run {
            offset,
            len,
            span: Span { source, start, end },
            expansion,
            owner,
            form,
            class,
        };
        Some(self.before)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.runs.count - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Runs {
    type Item = Run;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl Extend<Run> for Runs {
    fn extend<I: IntoIterator<Item = Run>>(&mut self, runs: I) {
        runs.into_iter().for_each(|r| self.push(r));
    }
}

impl FromIterator<Run> for Runs {
    fn from_iter<I: IntoIterator<Item = Run>>(runs: I) -> Self {
        let mut out = Self::default();
        out.extend(runs);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_run() -> impl Strategy<Value = Run> {
        let number = || prop_oneof![0..200u32, any::<u32>(), Just(NONE)];
        let class = [Class::Code, Class::Data, Class::Space, Class::Padding];
        let class = proptest::sample::select(class.to_vec());
        let numbers = (number(), number(), number(), number(), number(), number());
        (numbers, number(), class).prop_map(|(n, source, class)| Run {
            offset: n.0,
            len: n.1,
            span: Span {
                source: SourceId(source % 3),
                start: n.2,
                end: n.3,
            },
            expansion: n.4 % 5,
            owner: n.5,
            form: n.4,
            class,
        })
    }

    proptest! {
        #[test]
        fn what_is_packed_is_what_comes_out(list in proptest::collection::vec(any_run(), 0..200)) {
            let runs: Runs = list.iter().copied().collect();
            prop_assert_eq!(runs.iter().collect::<Vec<_>>(), list.clone());
            prop_assert_eq!((runs.first(), runs.last()), (list.first().copied(), list.last().copied()));
            prop_assert_eq!(runs.len(), list.len());
        }

        #[test]
        fn the_run_that_holds_a_byte_is_found(lens in proptest::collection::vec(1..9u32, 1..200)) {
            let mut runs = Runs::default();
            let mut offset = 0;
            for len in lens {
                runs.push(Run { offset, len, ..START });
                offset += len;
            }
            for run in &runs {
                for at in run.offset..run.offset + run.len {
                    prop_assert_eq!(runs.holding(at), Some(run));
                }
            }
        }
    }

    #[test]
    fn a_usual_run_takes_five_bytes() {
        let mut runs = Runs::default();
        for i in 0..3200 {
            let span = Span {
                source: SourceId(0),
                start: i * 12 + 1,
                end: i * 12 + 11,
            };
            let (offset, len, form) = (i * 2, 2, 300);
            runs.push(Run {
                offset,
                len,
                span,
                form,
                ..START
            });
        }
        let bytes = runs.packed.len() + runs.marks.len() * size_of::<Mark>();
        assert!(bytes < 3200 * 6, "{bytes}");
    }
}
