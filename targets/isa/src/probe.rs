//! What somebody who tests a program puts between it and the machine: ports that say what
//! the test wants, and a note of what was written, and read that never was.

/// Notes that are kept of one kind.
const MOST_NOTES: usize = 1 << 16;
/// Addresses of data memory.
const ADDRESSES: usize = 0x1_0000;

/// What a port says instead of its device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The port. One below 256 stands for all that have it as their low byte.
    pub port: u64,
    /// What it says, one after the other; the last again and again.
    pub values: Vec<u8>,
    /// How many of them were read.
    pub read: usize,
}

/// A byte that went to a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The port, with all its address lines.
    pub port: u64,
    /// The byte.
    pub value: u8,
    /// The machine's clock.
    pub clock: u64,
}

/// One bit for each address of data memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Marks(Vec<u64>);

impl Default for Marks {
    fn default() -> Self {
        Self(vec![0; ADDRESSES / 64])
    }
}

/// What stands between a program and its machine. Addresses are those of data memory, as
/// the CPU names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// Ports that the test speaks for.
    pub feeds: Vec<Feed>,
    /// What was sent to ports, the first 65,536.
    pub sent: Vec<Sent>,
    /// Addresses that were read and never written, the first of each time.
    pub unwritten: Vec<u16>,
    written: Option<Box<Marks>>,
    notes: bool,
}

impl Probe {
    /// Keeps from now on what is written; what was before is said by
    /// [`wrote`](Self::wrote).
    pub fn mark_memory(&mut self) {
        self.written.get_or_insert_default();
    }

    /// Notes from now on what is read and was never written.
    pub fn watch_memory(&mut self) {
        self.mark_memory();
        self.notes = true;
    }

    /// Forgets what was noted, not what was written.
    pub fn forget(&mut self) {
        self.sent.clear();
        self.unwritten.clear();
    }

    /// What a port says, if the test speaks for it.
    pub fn input(&mut self, port: u64) -> Option<u8> {
        let is = |f: &&mut Feed| f.port == port || f.port < 256 && f.port == port & 0xff;
        let feed = self.feeds.iter_mut().find(is)?;
        let at = feed.read.min(feed.values.len().checked_sub(1)?);
        feed.read = feed.read.saturating_add(1);
        Some(feed.values[at])
    }

    /// A byte goes to a port.
    pub fn output(&mut self, port: u64, value: u8, clock: u64) {
        if self.sent.len() < MOST_NOTES {
            self.sent.push(Sent { port, value, clock });
        }
    }

    /// A byte is written.
    #[inline]
    pub fn wrote(&mut self, address: u16) {
        if let Some(marks) = &mut self.written {
            marks.0[usize::from(address) / 64] |= 1 << (address % 64);
        }
    }

    /// A byte is read.
    #[inline]
    pub fn read(&mut self, address: u16) {
        if self.notes
            && let Some(marks) = &mut self.written
            && marks.0[usize::from(address) / 64] >> (address % 64) & 1 == 0
            && self.unwritten.len() < MOST_NOTES
        {
            self.unwritten.push(address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_say_what_the_test_wants() {
        let mut p = Probe::default();
        p.feeds.push(Feed {
            port: 0xfe,
            values: vec![1, 2],
            read: 0,
        });
        assert_eq!(p.input(0xfe), Some(1));
        assert_eq!([p.input(0x12fe), p.input(0xfe)], [Some(2), Some(2)]);
        assert_eq!(p.input(0xff), None);
        p.output(7, 3, 100);
        assert_eq!(p.sent.len(), 1);
        p.forget();
        assert!(p.sent.is_empty());
    }

    #[test]
    fn what_was_never_written_is_noted() {
        let mut p = Probe::default();
        p.read(5);
        assert!(p.unwritten.is_empty());
        p.mark_memory();
        p.read(5);
        assert!(p.unwritten.is_empty());
        p.wrote(5);
        p.watch_memory();
        p.read(5);
        p.read(0xffff);
        assert_eq!(p.unwritten, [0xffff]);
    }
}
