//! Arguments in the bodies of macros and repeats: `\name`, `\@`, `\()`, and the names of
//! the alternate syntax.

use crate::read::expand::Names;

pub(super) fn name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b'$') || b >= 0x80
}

pub(super) fn name_part(b: u8) -> bool {
    name_start(b) || b.is_ascii_digit()
}

/// A body into which arguments are put.
struct Substitution<'b> {
    body: &'b str,
    names: &'b Names,
    values: &'b [&'b str],
    /// What `\@` stands for.
    count: u32,
    alternate: bool,
    out: String,
}

impl<'b> Substitution<'b> {
    fn value(&self, name: &str) -> Option<&'b str> {
        Some(self.values[self.names.find(name)?])
    }

    /// Behind a backslash a number may name a parameter too.
    fn name_end(&self, from: usize) -> usize {
        let rest = &self.body.as_bytes()[from.min(self.body.len())..];
        from + rest.iter().take_while(|&&b| name_part(b)).count()
    }

    fn is_joined(&self, at: usize) -> bool {
        self.body.as_bytes().get(at) == Some(&b'&')
    }

    /// What a backslash begins; where it ends.
    fn escape(&mut self, i: usize) -> usize {
        let body = self.body;
        match body.as_bytes().get(i + 1) {
            Some(b'(') => {
                let end = body[i..].find(')').map_or(body.len(), |n| i + n);
                self.out.push_str(&body[i + 2..end]);
                (end + 1).min(body.len())
            }
            Some(b'@') => {
                self.out.push_str(&self.count.to_string());
                i + 2
            }
            Some(&b) if name_part(b) => {
                let end = self.name_end(i + 1);
                let value = self.value(&body[i + 1..end]);
                self.out.push_str(value.unwrap_or(&body[i..end]));
                end + usize::from(self.alternate && self.is_joined(end))
            }
            _ => {
                self.out.push('\\');
                i + 1
            }
        }
    }

    /// A name of the alternate syntax; where it ends.
    fn name(&mut self, i: usize) -> usize {
        let end = self.name_end(i);
        let name = &self.body[i..end];
        let value = self.value(name);
        self.out.push_str(value.unwrap_or(name));
        end + usize::from(value.is_some() && self.is_joined(end))
    }

    /// `&` of the alternate syntax, which joins a name to the text before it; where that
    /// ends.
    fn join(&mut self, i: usize) -> usize {
        let end = self.name_end(i + 1);
        match self.value(&self.body[i + 1..end]) {
            Some(v) => {
                self.out.push_str(v);
                end
            }
            None => {
                self.out.push('&');
                i + 1
            }
        }
    }

    fn run(mut self) -> String {
        let body = self.body;
        let bytes = body.as_bytes();
        let mut quoted = false;
        let mut i = 0;
        while i < bytes.len() {
            if !self.alternate {
                let end = memchr::memchr(b'\\', &bytes[i..]).map_or(bytes.len(), |n| i + n);
                self.out.push_str(&body[i..end]);
                i = end;
                if i == bytes.len() {
                    break;
                }
            }
            let alternate = self.alternate && !quoted;
            i = match bytes[i] {
                b'\\' => self.escape(i),
                b if alternate && name_start(b) => self.name(i),
                b'&' if alternate => self.join(i),
                b if alternate && b.is_ascii_digit() => {
                    let end = self.name_end(i);
                    self.out.push_str(&body[i..end]);
                    end
                }
                b => {
                    quoted ^= b == b'"';
                    let n = body[i..].chars().next().map_or(1, char::len_utf8);
                    self.out.push_str(&body[i..i + n]);
                    i + n
                }
            }
        }
        self.out
    }
}

/// Puts arguments into a body.
pub(super) fn substitute(
    body: &str,
    names: &Names,
    values: &[&str],
    count: u32,
    alternate: bool,
) -> String {
    let substitution = Substitution {
        body,
        names,
        values,
        count,
        alternate,
        out: String::with_capacity(body.len()),
    };
    substitution.run()
}
