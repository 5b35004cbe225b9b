//! Lua's patterns, with a limit on how much is tried: what looks for them in C tries without
//! end in some.

/// Most captures of a pattern.
const CAPTURES: usize = 32;
/// How deep the parts of a pattern nest.
const DEPTH: u32 = 200;

/// What a capture holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// So many bytes from a place on.
    Text(usize, usize),
    /// A place.
    Place(usize),
    /// It is not closed yet.
    Open(usize),
}

/// Where a pattern was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// First byte.
    pub from: usize,
    /// Behind the last.
    pub to: usize,
    /// What its parentheses hold.
    pub captures: Vec<Capture>,
}

/// How a pattern is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// First place to look at.
    pub from: usize,
    /// `^` is a character like others.
    pub free: bool,
    /// A match that ends here is none.
    pub avoid: Option<usize>,
}

/// The first place where a pattern is.
///
/// # Errors
/// What is wrong with the pattern, or that too much had to be tried: `steps` are left.
pub fn find(
    text: &[u8],
    pattern: &[u8],
    how: How,
    steps: &mut u64,
) -> Result<Option<Found>, String> {
    let anchored = !how.free && pattern.first() == Some(&b'^');
    let mut m = Matching {
        text,
        pattern: if anchored { &pattern[1..] } else { pattern },
        captures: Vec::new(),
        depth: 0,
        steps,
    };
    let last = if anchored { how.from } else { text.len() };
    for from in how.from..=last {
        m.captures.clear();
        if let Some(to) = m.here(from, 0)?.filter(|to| how.avoid != Some(*to)) {
            if m.captures.iter().any(|c| matches!(c, Capture::Open(_))) {
                return Err("unfinished capture".into());
            }
            let captures = m.captures;
            return Ok(Some(Found { from, to, captures }));
        }
    }
    Ok(None)
}

struct Matching<'m> {
    text: &'m [u8],
    pattern: &'m [u8],
    captures: Vec<Capture>,
    depth: u32,
    steps: &'m mut u64,
}

impl Matching<'_> {
    fn step(&mut self) -> Result<(), String> {
        match self.steps.checked_sub(1) {
            Some(left) => *self.steps = left,
            None => return Err("too much to try for patterns".into()),
        }
        Ok(())
    }

    /// Where the pattern from `p` on ends if it begins at `s`.
    fn here(&mut self, s: usize, p: usize) -> Result<Option<usize>, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("pattern too complex".into());
        }
        let found = self.rest_here(s, p);
        self.depth -= 1;
        found
    }

    fn rest_here(&mut self, mut s: usize, mut p: usize) -> Result<Option<usize>, String> {
        loop {
            self.step()?;
            let next = self.pattern.get(p + 1).copied();
            match self.pattern.get(p) {
                None => return Ok(Some(s)),
                Some(b'(') if next == Some(b')') => return self.open(s, p + 2, Capture::Place(s)),
                Some(b'(') => return self.open(s, p + 1, Capture::Open(s)),
                Some(b')') => return self.close(s, p + 1),
                Some(b'$') if p + 1 == self.pattern.len() => {
                    return Ok((s == self.text.len()).then_some(s));
                }
                Some(b'%') if next == Some(b'b') => match self.balanced(s, p + 2)? {
                    Some(to) => (s, p) = (to, p + 4),
                    None => return Ok(None),
                },
                Some(b'%') if next == Some(b'f') => {
                    p += 2;
                    if self.pattern.get(p) != Some(&b'[') {
                        return Err("missing '[' after '%f' in pattern".into());
                    }
                    let end = self.class_end(p)?;
                    let before = s.checked_sub(1).map_or(0, |i| self.text[i]);
                    let after = self.text.get(s).copied().unwrap_or(0);
                    if self.in_set(before, p, end) || !self.in_set(after, p, end) {
                        return Ok(None);
                    }
                    p = end;
                }
                Some(b'%') if next.is_some_and(|n| n.is_ascii_digit()) => {
                    match self.again(s, next.unwrap_or(b'0'))? {
                        Some(to) => (s, p) = (to, p + 2),
                        None => return Ok(None),
                    }
                }
                Some(_) => {
                    let end = self.class_end(p)?;
                    match self.pattern.get(end) {
                        Some(b'?') => {
                            if self.one(s, p, end)
                                && let Some(to) = self.here(s + 1, end + 1)?
                            {
                                return Ok(Some(to));
                            }
                            p = end + 1;
                        }
                        Some(b'*') => return self.many(s, p, end, 0),
                        Some(b'+') => return self.many(s, p, end, 1),
                        Some(b'-') => return self.few(s, p, end),
                        _ if self.one(s, p, end) => (s, p) = (s + 1, end),
                        _ => return Ok(None),
                    }
                }
            }
        }
    }

    /// As many as there are, at least so many, then the rest of the pattern.
    fn many(
        &mut self,
        s: usize,
        p: usize,
        end: usize,
        least: usize,
    ) -> Result<Option<usize>, String> {
        let mut n = 0;
        while self.one(s + n, p, end) {
            self.step()?;
            n += 1;
        }
        loop {
            if n < least {
                return Ok(None);
            }
            if let Some(to) = self.here(s + n, end + 1)? {
                return Ok(Some(to));
            }
            if n == 0 {
                return Ok(None);
            }
            n -= 1;
        }
    }

    /// As few as do.
    fn few(&mut self, mut s: usize, p: usize, end: usize) -> Result<Option<usize>, String> {
        loop {
            if let Some(to) = self.here(s, end + 1)? {
                return Ok(Some(to));
            }
            if !self.one(s, p, end) {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn open(&mut self, s: usize, p: usize, what: Capture) -> Result<Option<usize>, String> {
        if self.captures.len() >= CAPTURES {
            return Err("too many captures".into());
        }
        let level = self.captures.len();
        self.captures.push(what);
        let found = self.here(s, p)?;
        if found.is_none() {
            self.captures.truncate(level);
        }
        Ok(found)
    }

    fn close(&mut self, s: usize, p: usize) -> Result<Option<usize>, String> {
        let open = |c: &Capture| matches!(c, Capture::Open(_));
        let Some(level) = self.captures.iter().rposition(open) else {
            return Err("invalid pattern capture".into());
        };
        let before = self.captures[level];
        if let Capture::Open(from) = before {
            self.captures[level] = Capture::Text(from, s - from);
        }
        let found = self.here(s, p)?;
        if found.is_none() {
            self.captures[level] = before;
        }
        Ok(found)
    }

    /// What a capture holds, once more.
    fn again(&mut self, s: usize, digit: u8) -> Result<Option<usize>, String> {
        let level = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let Some(&Capture::Text(from, size)) = self.captures.get(level) else {
            return Err(format!("invalid capture index %{}", level.wrapping_add(1)));
        };
        *self.steps = self.steps.saturating_sub(size as u64);
        let same = self.text[s..].starts_with(&self.text[from..from + size]);
        Ok(same.then_some(s + size))
    }

    /// `%bxy`: from an x to the y that closes it.
    fn balanced(&mut self, s: usize, p: usize) -> Result<Option<usize>, String> {
        let (Some(&open), Some(&close)) = (self.pattern.get(p), self.pattern.get(p + 1)) else {
            return Err("missing arguments to '%b'".into());
        };
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1;
        for i in s + 1..self.text.len() {
            self.step()?;
            let c = self.text[i];
            if c == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(i + 1));
                }
            } else if c == open {
                depth += 1;
            }
        }
        Ok(None)
    }

    /// Behind the class that begins at `p`.
    fn class_end(&self, p: usize) -> Result<usize, String> {
        let broken = || "malformed pattern (ends with '%')".to_owned();
        match self.pattern[p] {
            b'%' => match p + 1 < self.pattern.len() {
                true => Ok(p + 2),
                false => Err(broken()),
            },
            b'[' => {
                let mut i = p + 1;
                i += usize::from(self.pattern.get(i) == Some(&b'^'));
                // The first one does not end it.
                let start = i;
                loop {
                    match self.pattern.get(i) {
                        None => return Err("malformed pattern (missing ']')".into()),
                        Some(b']') if i > start => return Ok(i + 1),
                        Some(b'%') => i += 2,
                        Some(_) => i += 1,
                    }
                }
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the byte at `s` is of the class from `p` to `end`.
    fn one(&self, s: usize, p: usize, end: usize) -> bool {
        let Some(&c) = self.text.get(s) else {
            return false;
        };
        match self.pattern[p] {
            b'.' => true,
            b'%' => of_class(c, self.pattern[p + 1]),
            b'[' => self.in_set(c, p, end),
            is => is == c,
        }
    }

    /// Whether a byte is in the set from `[` at `p` to `end`.
    fn in_set(&self, c: u8, p: usize, end: usize) -> bool {
        let mut set = &self.pattern[p + 1..end - 1];
        let mut wanted = true;
        if let [b'^', rest @ ..] = set {
            (set, wanted) = (rest, false);
        }
        loop {
            set = match set {
                [] => return !wanted,
                [b'%', class, rest @ ..] => match of_class(c, *class) {
                    true => return wanted,
                    false => rest,
                },
                [a, b'-', z, rest @ ..] => match (*a..=*z).contains(&c) {
                    true => return wanted,
                    false => rest,
                },
                [is, rest @ ..] => match *is == c {
                    true => return wanted,
                    false => rest,
                },
            };
        }
    }
}

/// Whether a byte is of the class behind `%`.
fn of_class(c: u8, class: u8) -> bool {
    let is = match class.to_ascii_lowercase() {
        b'a' => c.is_ascii_alphabetic(),
        b'c' => c.is_ascii_control(),
        b'd' => c.is_ascii_digit(),
        b'g' => c.is_ascii_graphic(),
        b'l' => c.is_ascii_lowercase(),
        b'p' => c.is_ascii_punctuation(),
        b's' => matches!(c, b' ' | 9..=13),
        b'u' => c.is_ascii_uppercase(),
        b'w' => c.is_ascii_alphanumeric(),
        b'x' => c.is_ascii_hexdigit(),
        _ => return class == c,
    };
    is != class.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, pattern: &str) -> Option<(usize, usize, Vec<Capture>)> {
        let mut steps = 100_000;
        let f = find(
            text.as_bytes(),
            pattern.as_bytes(),
            How::default(),
            &mut steps,
        )
        .unwrap()?;
        Some((f.from, f.to, f.captures))
    }

    #[test]
    fn patterns_find_what_they_say() {
        use Capture::{Place, Text};
        assert_eq!(
            found("key = val", "(%w+)%s*=%s*(%w+)").unwrap().2,
            [Text(0, 3), Text(6, 3)]
        );
        assert_eq!(found("  x", "^%s*()"), Some((0, 2, vec![Place(2)])));
        assert_eq!(found("abc", "^b"), None);
        assert_eq!(found("f(a(b)c)d", "%b()").map(|f| (f.0, f.1)), Some((1, 8)));
        assert_eq!(
            found("THE (quick) fox", "%f[%a]%a+%f[%A]").map(|f| (f.0, f.1)),
            Some((0, 3))
        );
        assert_eq!(found("xaay", "(a)%1").map(|f| (f.0, f.1)), Some((1, 3)));
        assert_eq!(found("<<a>>", "<(.-)>").unwrap().2, [Text(1, 2)]);
        assert_eq!(found("a]b-c", "[]-]+").map(|f| (f.0, f.1)), Some((1, 2)));
        assert_eq!(found("12", "[^%d]"), None);
        assert_eq!(found("ab", "b$").map(|f| (f.0, f.1)), Some((1, 2)));
        assert_eq!(found("", "x?").map(|f| (f.0, f.1)), Some((0, 0)));
    }

    #[test]
    fn faults_in_patterns_are_told() {
        for (pattern, wanted) in [
            ("%", "malformed pattern (ends with '%')"),
            ("[a", "malformed pattern (missing ']')"),
            ("(a", "unfinished capture"),
            ("a)", "invalid pattern capture"),
            ("%1", "invalid capture index %1"),
            ("%bx", "missing arguments to '%b'"),
            ("%f", "missing '[' after '%f' in pattern"),
        ] {
            let found = find(b"aaa", pattern.as_bytes(), How::default(), &mut 1000);
            assert_eq!(found, Err(wanted.to_owned()), "{pattern}");
        }
        let long = [b'a'; 200];
        let hard = "a*".repeat(30) + "b";
        let found = find(&long, hard.as_bytes(), How::default(), &mut 1_000_000);
        assert_eq!(found, Err("too much to try for patterns".to_owned()));
    }
}
