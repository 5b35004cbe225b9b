//! Names replaced by texts: whole words, and parts of words between underscores. What
//! comes out is looked through again.

use super::names::in_name;
use super::state::{Define, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Feed, FeedKind, Names};
use crate::text::lex::{Kind, Tok};
use smallvec::SmallVec;

/// How often what comes out is looked through.
const ROUNDS: usize = 31;

/// Directives behind which only the arguments of macros are replaced.
const KEEPS: [&str; 6] = ["define", "undefine", "defarray", "ifdef", "ifndef", "macro"];

/// What is always defined.
const PREDEFINED: [(&str, &str); 17] = [
    // These change.
    ("__COUNTER__", "0"),
    ("__INCLUDE_LEVEL__", "0"),
    ("__LINE__", "0"),
    ("__FILE__", ""),
    ("__BASE_FILE__", ""),
    ("__PASS__", "3"),
    ("__DATE__", "\"2000-01-01\""),
    ("__TIME__", "\"00:00:00\""),
    ("__SJASMPLUS__", "0x00011701"),
    ("__VERSION__", "\"1.23.1\""),
    ("__ERRORS__", "0"),
    ("__WARNINGS__", "0"),
    ("_SJASMPLUS", "1"),
    ("_VERSION", "\"1.23.1\""),
    ("_RELEASE", "0"),
    ("_ERRORS", "0"),
    ("_WARNINGS", "0"),
];

/// The text of a name that is always defined.
pub fn predefined(name: &str) -> Option<&'static str> {
    PREDEFINED.iter().find(|p| p.0 == name).map(|p| p.1)
}

fn starts(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b >= 0x80
}

/// A word cut before and behind each run of underscores.
fn parts(word: &str) -> SmallVec<[&str; 4]> {
    let b = word.as_bytes();
    let mut out = SmallVec::new();
    let mut from = 0;
    for i in 1..b.len() {
        if (b[i] == b'_') != (b[from] == b'_') {
            out.push(&word[from..i]);
            from = i;
        }
    }
    out.push(&word[from..]);
    out
}

/// Length of the longest name that is always defined.
const SHORTEST: usize = 17;
/// Elements of arrays that may be the index of others.
const NESTED: i32 = 32;
/// Longest name that stands for a text, in bytes.
const LONGEST: usize = 255;

/// What is known of a name in front of a text: the text for it, and how many bytes of what
/// is behind belong to it.
type Known<'k> = dyn FnMut(&str, &str) -> Option<(String, usize)> + 'k;

/// The text with names replaced once; `None` if there was none. `known` gives the text for
/// a name and how many bytes behind the name it takes as well; no name is longer than
/// `longest`.
fn replaced(text: &str, longest: usize, known: &mut Known<'_>) -> Option<String> {
    let b = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut any = false;
    let mut i = 0;
    let mut before = b' ';
    let mut glue = usize::MAX;
    while i < b.len() {
        let c = b[i];
        if i == glue {
            out.push(GLUE);
            i += 1;
            continue;
        }
        if matches!(c, b'"' | b'\'') && !before.is_ascii_alphanumeric() {
            let start = i;
            i = quoted_end(b, start);
            out.push_str(text.get(start..i).unwrap_or(""));
            before = c;
            continue;
        }
        if !starts(c) {
            before = c;
            out.push(c as char);
            i += 1;
            continue;
        }
        let start = i;
        while i < b.len() && in_name(b[i]) {
            i += 1;
        }
        let word = &text[start..i];
        let all = parts(word);
        let mut from = 0;
        'parts: while from < all.len() {
            let at = |n: usize| all[n].as_ptr() as usize - word.as_ptr() as usize;
            for (to, part) in all.iter().enumerate().skip(from) {
                let end = at(to) + part.len();
                let name = &word[at(from)..end];
                if name.len() > longest {
                    break;
                }
                if name.starts_with('_') && from > 0 {
                    continue;
                }
                if let Some((with, more)) = known(name, &text[start + end..]) {
                    any = true;
                    glue_behind(&mut out);
                    out.push_str(&with);
                    glue = glue_after(text, start + end + more).unwrap_or(glue);
                    if more > 0 {
                        i = start + end + more;
                        break 'parts;
                    }
                    from = to + 1;
                    continue 'parts;
                }
            }
            out.push_str(all[from]);
            from += 1;
        }
        before = b'a';
    }
    any.then_some(out)
}

/// Stands for a `_` between blanks beside what was replaced: it joins what is on both sides.
const GLUE: char = '\u{1}';

/// Where the quoted text that begins at byte `start` ends.
fn quoted_end(b: &[u8], start: usize) -> usize {
    let c = b[start];
    let mut i = start + 1;
    while i < b.len() && b[i] != c {
        i += 1 + usize::from(c == b'"' && b[i] == b'\\');
    }
    (i + 1).min(b.len())
}

/// Where the `_` is that joins what was replaced before byte `next` with what follows.
fn glue_after(text: &str, next: usize) -> Option<usize> {
    let rest = &text[next..];
    let blanks = rest.len() - rest.trim_start().len();
    let joins = matches!(
        rest.as_bytes().get(blanks..),
        Some([b'_', b' ' | b'\t', ..])
    );
    (blanks > 0 && joins).then_some(next + blanks)
}

/// Marks the `_` that an output ends with, if it stands between blanks.
fn glue_behind(out: &mut String) {
    let end = out.trim_end().len();
    if end < out.len() && out[..end].ends_with('_') && out[..end - 1].ends_with([' ', '\t']) {
        let mut mark = [0; 4];
        out.replace_range(end - 1..end, GLUE.encode_utf8(&mut mark));
    }
}

/// The text with what is marked joined; `None` if nothing is.
fn glued(text: &str) -> Option<String> {
    let mut parts = text.split(GLUE);
    let mut out = parts.next()?.to_owned();
    let mut any = false;
    for part in parts {
        any = true;
        let (left, right) = (out.trim_end().len(), part.trim_start());
        if left == 0 || right.is_empty() {
            out.push('_');
            out.push_str(part);
            continue;
        }
        out.truncate(left);
        out.push_str(right);
    }
    any.then_some(out)
}

/// Longest line that arguments are put into once more.
const GROWN: usize = 1 << 13;

/// A text with the arguments of a call in it, and how many bytes were made on the way.
pub fn with_arguments(text: &str, names: &Names, given: &[String]) -> (String, usize) {
    let longest = names.list().iter().map(String::len).max().unwrap_or(0);
    let mut now = text.to_owned();
    let mut made = now.len();
    for _ in 0..ROUNDS {
        let known = &mut |name: &str, _: &str| Some((given[names.find(name)?].clone(), 0));
        match replaced(&now, longest, known) {
            Some(next) => now = next,
            None => match glued(&now) {
                Some(next) => now = next,
                None => break,
            },
        }
        made += now.len();
        if now.len() > GROWN {
            break;
        }
    }
    (now, made)
}

impl Assembler<'_> {
    /// Whether a token has a name that `DEFINE` says something about.
    pub(super) fn sj_mentioned(&self, t: &Tok) -> bool {
        if !matches!(
            t.kind,
            Kind::Name | Kind::At | Kind::Question | Kind::Number
        ) {
            return false;
        }
        let state = self.own.get::<State>();
        let (defines, longest) = (&state.defines, state.longest);
        let text = self.sources.slice(t.span);
        if text.starts_with('_') && predefined(text).is_some() {
            return true;
        }
        if defines.is_empty() {
            return false;
        }
        if defines.contains_key(text) {
            return true;
        }
        let inner = text.trim_start_matches(|c: char| !(c.is_ascii_alphabetic() || c == '_'));
        if inner.is_empty() {
            return false;
        }
        if !inner.contains('_') {
            return inner.len() < text.len() && defines.contains_key(inner);
        }
        let all = parts(inner);
        let at = |n: usize| all[n].as_ptr() as usize - inner.as_ptr() as usize;
        (0..all.len()).any(|a| {
            let names = (a..all.len()).map(|z| &inner[at(a)..at(z) + all[z].len()]);
            let mut short = names.take_while(|n| n.len() <= longest);
            short.any(|n| defines.contains_key(n))
        })
    }

    /// Whether any token has such a name.
    fn sj_mentions(&self, toks: &[Tok]) -> bool {
        if !self.own.get::<State>().defines.is_empty() {
            return toks.iter().any(|t| self.sj_mentioned(t));
        }
        // Those that are always there begin with this sign.
        let begins = |t: &Tok| {
            let text = self.sources.get(t.span.source).text.as_bytes();
            text.get(t.span.start as usize) == Some(&b'_')
        };
        toks.iter().any(|t| begins(t) && self.sj_mentioned(t))
    }

    /// The tokens of a statement with `DEFINE`d names replaced; `None` if there are none.
    pub(super) fn sj_replaced(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        let keeps = |t: &&Tok| {
            let text = self.sources.slice(t.span).trim_start_matches('.');
            t.kind == Kind::Name && KEEPS.iter().any(|k| k.eq_ignore_ascii_case(text))
        };
        if !self.sj_mentions(toks) {
            return Ok(None);
        }
        let end = toks.iter().position(|t| keeps(&t)).unwrap_or(toks.len());
        if end < toks.len() && !toks[..end].iter().any(|t| self.sj_mentioned(t)) {
            return Ok(None);
        }
        let head = self.written(&toks[..end]);
        let tail = match end < toks.len() {
            true => format!(" {}", self.written(&toks[end..])),
            false => String::new(),
        };
        let mut now = head;
        for _ in 0..ROUNDS {
            let Some(next) = self.sj_replaced_once(&now).or_else(|| glued(&now)) else {
                break;
            };
            if next.len() > limits::LINE {
                self.fatal = true;
                let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "a line grows without end");
                return Err(Box::new(d.at(self.statement)));
            }
            // What is made on the way costs as much as what comes out.
            self.emitted_text(next.len())?;
            now = next;
        }
        now.push_str(&tail);
        self.made_line(&now).map(Some)
    }

    fn sj_replaced_once(&mut self, text: &str) -> Option<String> {
        let longest = self.own.get::<State>().longest.max(SHORTEST);
        replaced(text, longest, &mut |name, behind| {
            let Some(define) = self.own.get::<State>().defines.get(name) else {
                return self.sj_always(name).map(|text| (text, 0));
            };
            match define {
                Define::Text(with) => Some((with.clone(), 0)),
                Define::Array(list) => {
                    let list = list.clone();
                    self.sj_element(&list, behind)
                }
            }
        })
    }

    /// The text of a name that is always defined.
    pub(super) fn sj_always(&mut self, name: &str) -> Option<String> {
        match name {
            "__PASS__" => Some(self.sj_pass().to_string()),
            "__DATE__" | "__TIME__" => {
                self.fixed_time(self.statement);
                predefined(name).map(str::to_owned)
            }
            "__LINE__" => {
                let at = self.sources.in_file(self.statement);
                let line = self.sources.get(at.source).line_column(at.start).0;
                Some(line.to_string())
            }
            "__FILE__" => {
                let at = self.sources.in_file(self.statement);
                Some(self.sources.get(at.source).name.to_string())
            }
            "__BASE_FILE__" => Some(self.job.file.clone()),
            "__COUNTER__" => {
                let state = self.own.get_mut::<State>();
                state.counter += 1;
                Some((state.counter - 1).to_string())
            }
            "__INCLUDE_LEVEL__" => {
                let file = |f: &&Feed| matches!(f.kind, FeedKind::File { .. });
                let level = self.lines.feeds.iter().filter(file).count();
                Some(level.saturating_sub(1).to_string())
            }
            _ => predefined(name).map(str::to_owned),
        }
    }

    /// What `[index]` behind the name of an array is, and its length.
    fn sj_element(&mut self, list: &[String], behind: &str) -> Option<(String, usize)> {
        let blanks = behind.len() - behind.trim_start().len();
        let inner = behind.trim_start().strip_prefix('[')?;
        let (mut depth, mut deepest) = (1, 1);
        let end = inner.bytes().position(|b| {
            depth += i32::from(b == b'[') - i32::from(b == b']');
            deepest = deepest.max(depth);
            depth == 0
        })?;
        let length = blanks + end + 2;
        let index = inner[..end].trim();
        if index == "#" {
            return Some((list.len().to_string(), length));
        }
        // What is in it may be an element too.
        if deepest > NESTED {
            let message = "elements of arrays are nested too deeply";
            let d = Diagnostic::new(codes::TOO_DEEP, message).at(self.statement);
            self.fatal = true;
            self.report(Box::new(d));
            return Some((String::new(), length));
        }
        let index = match self.sj_replaced_once(index) {
            Some(text) => text,
            None => index.to_owned(),
        };
        let toks = self.made_line(&index).ok()?;
        let v = self.whole_expression(&toks).ok()?;
        let n = self.known_or_assumed(v, None).ok()?;
        match usize::try_from(n).ok().and_then(|n| list.get(n)) {
            Some(text) => Some((text.clone(), length)),
            None => {
                let message = format!("the array has no element {n}, it has {}", list.len());
                let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.statement);
                self.report(Box::new(d));
                Some((String::new(), length))
            }
        }
    }

    /// A name of a directive's argument and the tokens behind it.
    pub(super) fn sj_id<'t>(&self, t: &Tok, rest: &'t [Tok]) -> Outcome<(String, &'t [Tok])> {
        match rest {
            [n, _, ..] | [n] if (n.span.end - n.span.start) as usize > LONGEST => {
                let message = format!("a name here has at most {LONGEST} bytes");
                let d = Diagnostic::new(codes::TOO_LONG, message).at(n.span);
                Err(Box::new(d))
            }
            [n, more @ ..] if matches!(n.kind, Kind::Name | Kind::At) => {
                Ok((self.text(n).to_owned(), more))
            }
            _ => {
                let word = self.text(t).to_owned();
                let message = format!("expected a name behind `{word}`");
                let at = rest.first().map_or(t.span, |r| r.span);
                Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(at)))
            }
        }
    }

    /// `define name text`.
    pub(super) fn sj_define(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (again, rest) = match rest {
            [plus, more @ ..] if plus.kind == Kind::Plus => (true, more),
            _ => (false, rest),
        };
        let (name, text) = self.sj_id(t, rest)?;
        let text = self.written(text);
        let known = self.own.get::<State>().defines.contains_key(&name);
        if known && !again {
            let message = format!("`{name}` is defined twice");
            let d = Diagnostic::new(codes::REDEFINED, message).at(self.span_of(rest));
            return Err(Box::new(d.help("`define+` replaces it")));
        }
        self.sj_room()?;
        let state = self.own.get_mut::<State>();
        state.longest = state.longest.max(name.len());
        state.defines.insert(name, Define::Text(text));
        Ok(())
    }

    /// A text macro from outside.
    pub(super) fn sj_given(&mut self, name: &str, text: &str) {
        let state = self.own.get_mut::<State>();
        state.longest = state.longest.max(name.len());
        let text = Define::Text(text.to_owned());
        state.defines.insert(name.to_owned(), text);
    }

    fn sj_room(&mut self) -> Outcome<()> {
        match self.own.get::<State>().defines.len() >= limits::DEFINES {
            true => Err(self.too_many(limits::DEFINES, "text macros")),
            false => Ok(()),
        }
    }

    /// `undefine name`.
    pub(super) fn sj_undefine(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        if rest.first().is_some_and(|s| s.kind == Kind::Star) {
            self.own.get_mut::<State>().defines.clear();
            return Ok(());
        }
        let (name, _) = self.sj_id(t, rest)?;
        self.own.get_mut::<State>().defines.remove(&name);
        Ok(())
    }

    /// `defarray name a,b,c`.
    pub(super) fn sj_array(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.memo.renew();
        let (more, rest) = match rest {
            [plus, rest @ ..] if plus.kind == Kind::Plus => (true, rest),
            _ => (false, rest),
        };
        let (name, list) = self.sj_id(t, rest)?;
        let text = self.written(list);
        let mut given = super::arguments::arguments(&text);
        if given.is_empty() {
            let d = Diagnostic::new(codes::SYNTAX, "expected the elements of the array");
            return Err(Box::new(d.at(t.span)));
        }
        self.sj_room()?;
        let state = self.own.get_mut::<State>();
        state.longest = state.longest.max(name.len());
        match state.defines.get_mut(&name) {
            Some(Define::Array(old)) if more => old.append(&mut given),
            None => drop(state.defines.insert(name, Define::Array(given))),
            Some(_) => {
                let message = format!("`{name}` is defined twice");
                let d = Diagnostic::new(codes::REDEFINED, message);
                return Err(Box::new(d.at(self.statement)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_whole_and_between_underscores() {
        let known = &mut |name: &str, _: &str| {
            let list = [("arg", "val"), ("a_b", "x"), ("_u", "y")];
            let found = list.iter().find(|n| n.0 == name)?;
            Some((found.1.to_owned(), 0))
        };
        assert_eq!(glued("a \u{1} b").as_deref(), Some("ab"));
        for (text, want) in [
            ("db arg _ arg _ x", Some("db val \u{1} val \u{1} x")),
            ("ld a,arg", Some("ld a,val")),
            ("lbl_arg", Some("lbl_val")),
            (
                "arg_lbl: db 'arg',\"arg\"",
                Some("val_lbl: db 'arg',\"arg\""),
            ),
            ("a_b a_b_c", Some("x x_c")),
            ("args .arg", Some("args .val")),
            ("k_u _u", Some("k_u y")),
            ("arg.x", None),
            ("ex af,af'", None),
        ] {
            assert_eq!(replaced(text, LONGEST, known).as_deref(), want, "{text}");
        }
    }
}
