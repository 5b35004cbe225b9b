//! Which of many ranges of addresses holds an address.

/// Ranges in order of their starts.
#[derive(Debug)]
pub struct Ranges {
    /// Start, furthest end of this and all before, index as given.
    list: Vec<(u64, u64, usize)>,
}

impl Ranges {
    /// From starts and ends (one past the last); empty ranges hold nothing.
    pub fn new(ranges: impl Iterator<Item = (u64, u64)>) -> Self {
        let numbered = ranges.enumerate().map(|(i, (start, end))| (start, end, i));
        let mut list: Vec<_> = numbered.filter(|r| r.0 < r.1).collect();
        list.sort_unstable_by_key(|r| (r.0, r.2));
        let mut furthest = 0;
        for r in &mut list {
            furthest = r.1.max(furthest);
            r.1 = furthest;
        }
        Self { list }
    }

    /// Index of a range that holds the address: of several the one that starts first.
    pub fn holding(&self, address: u64) -> Option<usize> {
        // The first that reaches beyond the address; it is its own end that does.
        let first = self.list.partition_point(|r| r.1 <= address);
        let &(start, _, index) = self.list.get(first)?;
        (start <= address).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn each_address_is_in_the_range_that_starts_first() {
        let all = [(10, 20), (5, 5), (30, 100), (40, 50), (10, 12), (60, 110)];
        let ranges = Ranges::new(all.iter().copied());
        for address in 0..120 {
            let mut holding = all.iter().enumerate().collect::<Vec<_>>();
            holding.retain(|(_, r)| (r.0..r.1).contains(&address));
            let first = holding.iter().min_by_key(|(i, r)| (r.0, *i));
            assert_eq!(ranges.holding(address), first.map(|f| f.0), "{address}");
        }
    }
}
