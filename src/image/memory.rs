//! Memory with more bytes than addresses: banks of pages, of which a window shows some.
//!
//! Holds bytes only. A page that nothing was written to takes no room.

use std::borrow::Cow;

/// What a bank of pages is at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Bytes of a page, at least 1.
    pub size: u32,
    /// How many pages it has.
    pub pages: u32,
    /// What is in it besides zeros: page, offset in it, bytes.
    pub filled: Vec<(u32, u32, Vec<u8>)>,
}

/// What a slot shows, and what comes behind its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The page.
    pub page: u32,
    /// What does not fit goes to the start of the slot, in the next page.
    pub onward: bool,
}

/// Which pages of a bank are seen at the addresses from 0 on, slot by slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The bank.
    pub bank: u32,
    /// The slots, each as large as a page.
    pub slots: Vec<Slot>,
}

/// A page, nothing where nobody wrote.
type Page = Option<Box<[u8]>>;

/// All banks.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Bytes of a page, and the pages, of each bank.
    banks: Vec<(u32, Vec<Page>)>,
}

impl Memory {
    /// Memory as it is at the start.
    pub fn new(banks: &[Bank]) -> Self {
        let empty = |b: &Bank| (b.size.max(1), vec![None; b.pages as usize]);
        let mut memory = Self {
            banks: banks.iter().map(empty).collect(),
        };
        for (number, bank) in banks.iter().enumerate() {
            for (page, offset, bytes) in &bank.filled {
                memory.fill(number as u32, *page, *offset, bytes);
            }
        }
        memory
    }

    /// Bytes of a page of a bank.
    pub fn page_size(&self, bank: u32) -> u32 {
        self.banks[bank as usize].0
    }

    /// How many pages a bank has.
    pub fn pages(&self, bank: u32) -> u32 {
        self.banks[bank as usize].1.len() as u32
    }

    /// A page as it is, if anything was ever put there.
    pub fn written(&self, bank: u32, page: u32) -> Option<&[u8]> {
        self.banks[bank as usize].1.get(page as usize)?.as_deref()
    }

    /// A page as it is; zeros where there is none.
    pub fn page(&self, bank: u32, page: u32) -> Cow<'_, [u8]> {
        match self.written(bank, page) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(vec![0; self.page_size(bank) as usize]),
        }
    }

    /// Puts bytes into a page; what reaches over its end is left out.
    pub fn fill(&mut self, bank: u32, page: u32, offset: u32, bytes: &[u8]) {
        let (size, pages) = &mut self.banks[bank as usize];
        let Some(place) = pages.get_mut(page as usize) else {
            return;
        };
        let room = place.get_or_insert_with(|| vec![0; *size as usize].into());
        if let Some(to) = room.get_mut(offset as usize..) {
            let n = to.len().min(bytes.len());
            to[..n].copy_from_slice(&bytes[..n]);
        }
    }

    /// Bytes of a bank from a place on, its pages one behind the other; zeros behind its end.
    pub fn linear(&self, bank: u32, from: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        let size = u64::from(self.page_size(bank));
        let mut done = 0;
        while done < len {
            let at = from + done as u64;
            let (page, offset) = ((at / size) as u32, (at % size) as usize);
            let n = (len - done).min(size as usize - offset);
            if let Some(bytes) = self.written(bank, page) {
                out[done..done + n].copy_from_slice(&bytes[offset..offset + n]);
            }
            done += n;
        }
        out
    }

    /// Bytes as a window shows them; zeros behind its last slot.
    pub fn read(&self, window: &Window, address: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        let size = u64::from(self.page_size(window.bank));
        let mut done = 0;
        while done < len {
            let at = address + done as u64;
            let offset = (at % size) as usize;
            let n = (len - done).min(size as usize - offset);
            let Some(slot) = window.slots.get((at / size) as usize) else {
                break;
            };
            if let Some(bytes) = self.written(window.bank, slot.page) {
                out[done..done + n].copy_from_slice(&bytes[offset..offset + n]);
            }
            done += n;
        }
        out
    }

    /// Puts bytes where a window shows them; what lies behind its last slot is left out.
    pub fn write(&mut self, window: &Window, address: u64, mut bytes: &[u8]) {
        let size = u64::from(self.page_size(window.bank));
        let (mut slot, mut offset) = ((address / size) as usize, address % size);
        let mut page = window.slots.get(slot).map_or(0, |s| s.page);
        while let Some(s) = window.slots.get(slot)
            && !bytes.is_empty()
        {
            let n = bytes.len().min((size - offset) as usize);
            self.fill(window.bank, page, offset as u32, &bytes[..n]);
            (bytes, offset) = (&bytes[n..], 0);
            match s.onward {
                true => page += 1,
                false => {
                    slot += 1;
                    page = window.slots.get(slot).map_or(0, |s| s.page);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (Memory, Window) {
        let bank = Bank {
            size: 4,
            pages: 4,
            filled: vec![(3, 2, vec![9])],
        };
        let slot = |page, onward| Slot { page, onward };
        let window = Window {
            bank: 0,
            slots: vec![slot(2, false), slot(0, true)],
        };
        (Memory::new(&[bank]), window)
    }

    #[test]
    fn bytes_go_to_the_pages_that_are_seen() {
        let (mut memory, window) = two();
        memory.write(&window, 2, &[1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(
            memory.linear(0, 0, 17),
            [3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 1, 2, 0, 0, 9, 0, 0]
        );
        assert_eq!(memory.read(&window, 1, 9), [0, 1, 2, 3, 4, 5, 6, 0, 0]);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let (mut memory, window) = two();
        memory.write(&window, 8, &[1]);
        memory.write(&window, 4, &[1; 100]);
        assert_eq!(memory.linear(0, 12, 4), [1; 4]);
        assert_eq!(memory.page(0, 2), vec![1; 4]);
        assert_eq!(memory.written(0, 4), None);
        assert_eq!(memory.page(0, 4), vec![0; 4]);
    }
}
