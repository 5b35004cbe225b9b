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
