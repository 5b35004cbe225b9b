//! Names that were probably meant: edit distance over the candidates.

/// The candidate nearest to `name`, if it is near enough to be worth a hint: at
/// most a third of the longer name's characters differ, case aside. The first of
/// equally near ones wins, so the answer does not depend on hash order if the
/// candidates do not. An exact match in another case is always near.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Long names cost time and are never typing errors of each other.
    const LONGEST: usize = 64;
    let wanted: Vec<char> = name.to_lowercase().chars().take(LONGEST + 1).collect();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name || candidate.len() > 4 * LONGEST {
            continue;
        }
        if candidate.is_ascii() && 3 * wanted.len().abs_diff(candidate.len()) > 2 * LONGEST + 6 {
            continue;
        }
        let other: Vec<char> = candidate.to_lowercase().chars().collect();
        let longer = wanted.len().max(other.len());
        let allowed = if longer < 3 { 1 } else { longer.div_ceil(3) };
        let limit = best.map_or(allowed, |(d, _)| allowed.min(d.saturating_sub(1)));
        if best.is_some_and(|(d, _)| d == 0) || wanted.len().abs_diff(other.len()) > limit {
            continue;
        }
        let d = distance(&wanted, &other);
        // Two names of which nothing is left are not near.
        if d <= limit && d < longer && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// Insertions, deletions, replacements and swaps of neighbours that make `a`
/// into `b` (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut before = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..width {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near<'a>(name: &str, of: &[&'a str]) -> Option<&'a str> {
        nearest(name, of.iter().copied())
    }

    #[test]
    fn typing_errors_are_near() {
        let of = ["start", "stop", "loop", "print_char", "add", "adc", "ldir"];
        assert_eq!(near("strat", &of), Some("start"));
        assert_eq!(near("Loop", &of), Some("loop"));
        assert_eq!(near("lop", &of), Some("loop"));
        assert_eq!(near("print_chr", &of), Some("print_char"));
        assert_eq!(near("lidr", &of), Some("ldir"));
        assert_eq!(near("ad", &of), Some("add"));
    }

    #[test]
    fn other_names_are_not() {
        let of = ["start", "loop"];
        assert_eq!(near("zzz", &of), None);
        assert_eq!(near("", &of), None);
        assert_eq!(near("x", &["y", "z"]), None);
        assert_eq!(near(&"a".repeat(10_000), &of), None);
    }

    #[test]
    fn nearest_wins_and_the_first_of_equals() {
        assert_eq!(near("moves", &["move", "movex", "moves2"]), Some("move"));
        assert_eq!(near("LABEL", &["labels", "label"]), Some("label"));
    }
}
