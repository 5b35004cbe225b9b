//! Names that were probably meant: edit distance over the candidates.

/// Long names cost time and are never typing errors of each other.
const LONGEST: usize = 64;
/// Candidates that are looked at: a hint is not worth more time than that. Programs
/// have fewer names; made ones may have a million, and a hundred findings.
const MOST_CANDIDATES: usize = 20_000;

/// The candidate nearest to `name`, if it is near enough to be worth a hint: at
/// most a third of the longer name's characters differ, or one, case aside; of what has the
/// same letters but for one, a third rounded up. The first of
/// equally near ones wins, so the answer does not depend on hash order if the
/// candidates do not. An exact match in another case is always near. Of more than
/// 20,000 candidates the first count.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.is_empty() || name.len() > 4 * LONGEST {
        return None;
    }
    let wanted = name.to_lowercase();
    let length = wanted.chars().count();
    if length > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.take(MOST_CANDIDATES) {
        // Lower case may have other bytes, but hardly more than twice as many.
        if candidate.len() > 2 * name.len() + 4 || name.len() > 2 * candidate.len() + 4 {
            continue;
        }
        if candidate == name {
            continue;
        }
        let other = candidate.to_lowercase();
        let others = other.chars().count();
        let longer = length.max(others);
        let few = (longer / 3).max(1);
        let allowed = if longer < 3 { 1 } else { longer.div_ceil(3) };
        let limit = best.map_or(allowed, |(d, _)| allowed.min(d.saturating_sub(1)));
        if best.is_some_and(|(d, _)| d == 0) || length.abs_diff(others) > limit {
            continue;
        }
        let d = strsim::osa_distance(&wanted, &other);
        // One more where the letters are the same but for one: `hear` for `here`.
        let letters = || shared(&wanted, &other) + 1 >= longer;
        // Two names of which nothing is left are not near.
        if d <= limit && d < longer && (d <= few || letters()) && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// How many letters two names have in common, wherever they stand.
fn shared(one: &str, other: &str) -> usize {
    let mut left: Vec<char> = other.chars().collect();
    let mut found = 0;
    for c in one.chars() {
        if let Some(at) = left.iter().position(|&l| l == c) {
            left.swap_remove(at);
            found += 1;
        }
    }
    found
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
        assert_eq!(near("hear", &["here"]), Some("here"));
    }

    #[test]
    fn other_names_are_not() {
        let of = ["start", "loop"];
        assert_eq!(near("zzz", &of), None);
        assert_eq!(near("", &of), None);
        assert_eq!(near("x", &["y", "z"]), None);
        // Half of a short name is another name.
        assert_eq!(near("tick", &["TIFR", "tock2"]), None);
        assert_eq!(near("delay", &["DDRB", "relax"]), None);
        assert_eq!(near(&"a".repeat(10_000), &of), None);
    }

    #[test]
    fn a_million_names_cost_little_for_a_hundred_findings() {
        let names: Vec<String> = (0..1_000_000).map(|i| format!("symbol_{i:07}")).collect();
        let start = std::time::Instant::now();
        for (i, meant) in names.iter().enumerate().take(100) {
            let found = nearest(&format!("symbl_{i:07}"), names.iter().map(String::as_str));
            assert_eq!(found, Some(meant.as_str()));
        }
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn nearest_wins_and_the_first_of_equals() {
        assert_eq!(near("moves", &["move", "movex", "moves2"]), Some("move"));
        assert_eq!(near("LABEL", &["labels", "label"]), Some("label"));
    }
}
