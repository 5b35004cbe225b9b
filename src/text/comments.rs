//! What begins and ends comments, and texts as a whole.

/// What `//` and `/* */` are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slashes {
    /// Signs like others.
    #[default]
    Signs,
    /// Comments.
    Comments,
    /// Comments, of which those with an end may have others in them.
    Nested,
}

/// What a backslash at the end of a line joins with the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Continued {
    /// Nothing.
    #[default]
    Nothing,
    /// Statements.
    Statements,
    /// Lines, so that a comment goes on too.
    Lines,
}

impl Continued {
    /// The line that `rest` begins with, joined with those that it goes on in.
    pub fn line(self, rest: &str) -> String {
        let mut out = String::new();
        for line in rest.split('\n') {
            let line = line.strip_suffix('\r').unwrap_or(line);
            match line.strip_suffix('\\').filter(|_| self == Self::Lines) {
                Some(line) => out.push_str(line),
                None => {
                    out.push_str(line);
                    break;
                }
            }
        }
        out
    }

    /// Where the comment ends that the byte `at` is in: the end of its line.
    pub fn comment_end(self, text: &[u8], at: usize) -> usize {
        let mut from = at;
        loop {
            let Some(n) = memchr::memchr(b'\n', &text[from..]) else {
                return text.len();
            };
            let line = &text[at..from + n];
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if self != Self::Lines || !line.ends_with(b"\\") {
                return from + n;
            }
            from += n + 1;
        }
    }
}

/// What `^Z` means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndSign {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// It is a blank.
    Blank,
    /// What is behind it is not read.
    End,
}

/// Where the end begins of a comment whose start is behind, with all that begin in it.
pub fn nested_end(rest: &[u8]) -> Option<usize> {
    let (mut depth, mut from) = (1_u32, 0);
    loop {
        let at = from + memchr::memchr2(b'*', b'/', &rest[from..])?;
        from = at + 2;
        match (rest[at], rest.get(at + 1)?) {
            (b'*', b'/') if depth == 1 => return Some(at),
            (b'*', b'/') => depth -= 1,
            (b'/', b'*') => depth = depth.saturating_add(1),
            _ => from = at + 1,
        }
    }
}
