//! Small readers that the parser of device files is made of.

use super::model::Range;

/// A number, decimal or with `0x`.
pub(super) fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `start+size`.
pub(super) fn range(text: &str) -> Option<Range> {
    let (start, size) = text.split_once('+')?;
    Some(Range {
        start: number(start)?,
        size: number(size)?,
    })
}

/// `size/page` with an optional `@start`.
pub(super) fn paged(text: &str) -> Option<(u32, u32, Option<u32>)> {
    let (text, start) = match text.split_once('@') {
        Some((text, start)) => (text, Some(number(start)?)),
        None => (text, None),
    };
    let (size, page) = text.split_once('/')?;
    Some((number(size)?, number(page)?, start))
}

/// `7`, `3:0`, `5,2:0`: the mask of the positions.
pub(super) fn positions(text: &str) -> Option<u32> {
    let mut mask = 0u32;
    for part in text.split(',') {
        let (high, low) = part.split_once(':').unwrap_or((part, part));
        let (high, low) = (number(high)?, number(low)?);
        if high > 31 || low > high {
            return None;
        }
        for at in low..=high {
            if mask >> at & 1 == 1 {
                return None;
            }
            mask |= 1 << at;
        }
    }
    Some(mask)
}

/// The name without the beginning that all of its kind have: `328P`.
pub(super) fn short(name: &str) -> &str {
    [
        "ATmega", "ATtiny", "ATxmega", "AT90S", "AT90", "ATA", "AVR", "AT",
    ]
    .iter()
    .find_map(|p| name.strip_prefix(p))
    .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_and_faults_refused() {
        assert_eq!(positions("7"), Some(0x80));
        assert_eq!(positions("5,2:0"), Some(0x27));
        assert_eq!(positions("15:8"), Some(0xff00));
        for bad in ["", "8:9", "32", "x", "1,1", "2:0,1"] {
            assert_eq!(positions(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_and_ranges() {
        assert_eq!(number("0x1F"), Some(31));
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("F"), None);
        assert_eq!(paged("8192/64@0x8000"), Some((8192, 64, Some(0x8000))));
        assert_eq!(range("0x60+512").map(Range::last), Some(0x25f));
    }
}
