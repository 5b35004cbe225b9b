//! Ranges of memory that are taken.

/// Ranges of addresses that are taken, for finding the next free one in few
/// steps however many there are.
#[derive(Default)]
pub(crate) struct Fixed {
    /// Start, end, and the greatest end so far in order of start.
    ranges: Vec<(u64, u64, u64)>,
}

impl Fixed {
    pub(crate) fn add(&mut self, start: u64, end: u64) {
        if end > start {
            self.ranges.push((start, end, end));
        }
    }

    /// Adds a range to those that are sorted.
    pub(crate) fn insert(&mut self, start: u64, end: u64) {
        if end <= start {
            return;
        }
        let at = self.ranges.partition_point(|r| (r.0, r.1) <= (start, end));
        self.ranges.insert(at, (start, end, end));
        let mut greatest = at.checked_sub(1).map_or(0, |i| self.ranges[i].2);
        for r in &mut self.ranges[at..] {
            let before = r.2;
            greatest = r.1.max(greatest);
            r.2 = greatest;
            if before == greatest && r.0 > start {
                // Behind it nothing changes.
                break;
            }
        }
    }

    pub(crate) fn sort(&mut self) {
        self.ranges.sort_unstable();
        let mut greatest = 0;
        for r in &mut self.ranges {
            greatest = r.1.max(greatest);
            r.2 = greatest;
        }
    }

    /// The largest free piece of a range.
    pub(crate) fn largest_gap(&self, start: u64, end: u64) -> u64 {
        let (mut at, mut most) = (start, 0);
        // The greatest end grows with the start, so none before reaches into the range.
        let first = self.ranges.partition_point(|r| r.2 <= start);
        for &(from, to, _) in self.ranges[first..].iter().take_while(|r| r.0 < end) {
            most = most.max(from.saturating_sub(at));
            at = at.max(to);
        }
        most.max(end.saturating_sub(at))
    }

    /// Where the taken ranges that meet `start..end` come to an end; `None` if
    /// there are none.
    pub(crate) fn behind(&self, start: u64, end: u64) -> Option<u64> {
        let before = self.ranges.partition_point(|r| r.0 < end);
        let greatest = self.ranges[..before].last()?.2;
        (end > start && greatest > start).then_some(greatest)
    }
}
