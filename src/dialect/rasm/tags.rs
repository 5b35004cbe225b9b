//! `{…}` within names: the value of what is in it, as digits.

use super::values::is_word;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::text::lex::Tok;

/// How deep tags may stand in each other.
const DEPTH: u32 = 16;

/// What may stand in brackets before a name or value.
const PREFIXES: [&str; 17] = [
    "sizeof", "bank", "page", "pageset", "eval", "hex", "hex2", "hex4", "hex8", "bin", "bin8",
    "bin16", "bin32", "int", "int2", "int3", "int4",
];

/// Where the bracket at the start of a text closes.
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    text.bytes().position(|b| {
        match b {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        b == b'}' && depth == 0
    })
}

impl Assembler<'_> {
    /// A statement with the values of its tags; `None` if there are none.
    pub(super) fn rasm_tagged(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        let text = self.written(toks);
        self.mark_here();
        match self.rasm_fill_tags(&text, false, 0)? {
            None => Ok(None),
            Some(made) => self.made_line(&made).map(Some),
        }
    }

    /// A text with the values of its tags; `all`: texts in quotes have some too, and one may
    /// stand alone.
    pub(super) fn rasm_fill_tags(
        &mut self,
        text: &str,
        all: bool,
        depth: u32,
    ) -> Outcome<Option<String>> {
        let b = text.as_bytes();
        let mut out = String::with_capacity(text.len());
        let (mut i, mut from, mut quote, mut any) = (0, 0, 0, false);
        while i < b.len() {
            match b[i] {
                b'\\' if quote != 0 => i += 1,
                q @ (b'"' | b'\'') if !all && (quote == 0 || quote == q) => quote = q - quote,
                b'{' if quote == 0 => {
                    let Some(end) = closing(&text[i..]).map(|n| i + n) else {
                        let d = Diagnostic::new(codes::SYNTAX, "this `{` has no `}`");
                        return Err(Box::new(d.at(self.statement)));
                    };
                    let inner = &text[i + 1..end];
                    let prefix = PREFIXES.iter().any(|p| p.eq_ignore_ascii_case(inner));
                    let within = all || i > 0 && (is_word(b[i - 1]) || b[i - 1] == b'}');
                    if prefix && (all || !within) {
                        i = end;
                    } else if within {
                        let digits = self.rasm_tag(inner, depth)?;
                        out.push_str(&text[from..i]);
                        out.push_str(&digits);
                        any = true;
                        (i, from) = (end, end + 1);
                    } else {
                        let message = format!("`{{{inner}}}` stands behind no name");
                        let d = Diagnostic::new(codes::SYNTAX, message).at(self.statement);
                        return Err(Box::new(d.help("`name{x}` is a name with the value of x")));
                    }
                }
                _ => {}
            }
            i += 1;
        }
        if !any {
            return Ok(None);
        }
        out.push_str(&text[from.min(text.len())..]);
        if out.len() > limits::LINE {
            return Err(self.too_many(limits::LINE, "bytes in a line"));
        }
        Ok(Some(out))
    }

    /// The value of a tag as digits.
    fn rasm_tag(&mut self, inner: &str, depth: u32) -> Outcome<String> {
        if depth >= DEPTH {
            let d = Diagnostic::new(codes::TOO_DEEP, "brackets are nested too deeply");
            return Err(Box::new(d.at(self.statement)));
        }
        let filled = self.rasm_fill_tags(inner, false, depth + 1)?;
        let toks = self.made_line(filled.as_deref().unwrap_or(inner))?;
        if toks.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected a value between `{` and `}`");
            return Err(Box::new(d.at(self.statement)));
        }
        let v = self.whole_expression(&toks)?;
        let n = self.must_know(v, self.statement, "the value of a tag")?;
        if n < 0 {
            let message = format!("the value {n} cannot stand in a name");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
            return Err(Box::new(d));
        }
        Ok(n.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn brackets_close() {
        assert_eq!(closing("{a}b}"), Some(2));
        assert_eq!(closing("{a{b}c}"), Some(6));
        assert_eq!(closing("{a{b}"), None);
    }
}
