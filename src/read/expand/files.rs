//! `include` and `incbin`.

use super::FeedKind;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes, near};
use crate::image::{Class, ExpansionKind};
use crate::program::Outcome;
use crate::program::limits;
use crate::read::Assembler;
use crate::read::syntax::expression::clip;
use crate::read::syntax::literal::{inside, is_quoted, unquote};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use crate::text::source::{LoadError, SourceId, Span};

/// Bytes of the largest sector that texts are filled up to.
const SECTOR: usize = 1024;

impl Assembler<'_> {
    /// The file name behind a directive, and how many tokens it took.
    pub(crate) fn file_name(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<(String, Span, usize)> {
        let text = &self.sources.get(t.span.source).text;
        let line_end = text[t.span.end as usize..]
            .find('\n')
            .map_or(text.len(), |i| t.span.end as usize + i);
        let after = &text[t.span.end as usize..line_end];
        let skipped = after.len() - after.trim_start().len();
        let start = t.span.end + skipped as u32;
        let raw = after.trim();
        if let Some(first) = rest.first() {
            if is_quoted(first) {
                // File names have no escapes: a backslash is one.
                let quoted = self.text(first);
                let plain = inside(quoted).to_string();
                let name = if plain.contains('\\') {
                    plain
                } else {
                    unquote(quoted, first.kind, self.dialect)
                        .into_iter()
                        .collect()
                };
                return Ok((name, first.span, 1));
            }
            if first.kind == Kind::Less
                && let Some(close) = rest.iter().position(|t| t.kind == Kind::Greater)
            {
                let name = self.sources.slice(Span::new(
                    first.span.source,
                    first.span.end,
                    rest[close].span.start,
                ));
                return Ok((
                    name.trim().to_string(),
                    first.span.to(rest[close].span),
                    close + 1,
                ));
            }
            if first.kind == Kind::Bad && !self.dialect.words.bare_file_names {
                return Err(self.bad_token(first));
            }
        }
        // Any other quote, or a bare name.
        if self.dialect.words.bare_file_names && !raw.is_empty() {
            let name = raw.split_whitespace().next().unwrap_or("");
            let span = Span::new(t.span.source, start, start + name.len() as u32);
            return Ok((name.to_string(), span, usize::MAX));
        }
        let d = Diagnostic::new(codes::SYNTAX, "expected a file name in quotes").at(t.span);
        let name = raw.trim().trim_matches(['"', '\'', '<', '>']);
        let name = name.split(|c: char| c.is_whitespace() || c == ';').next();
        let name = name.filter(|n| !n.is_empty() && n.chars().all(|c| !c.is_control()));
        Err(Box::new(match name {
            Some(name) => d.help(format!("write `{} \"{}\"`", self.text(t), clip(name))),
            None => d,
        }))
    }

    /// The file that lines come from.
    pub(crate) fn includer(&self) -> Option<String> {
        self.lines.feeds.iter().rev().find_map(|f| match &f.kind {
            FeedKind::File { source, .. } if f.caller.is_none() => {
                Some(self.sources.get(*source).name.to_string())
            }
            _ => None,
        })
    }

    /// The finding for a file that cannot be had.
    pub fn load_fault(&self, path: &str, e: &LoadError, span: Option<Span>) -> Box<Diagnostic> {
        let (code, why) = match e {
            LoadError::Missing { .. } => {
                (codes::FILE_MISSING, format!("there is no file `{path}`"))
            }
            LoadError::NotAFile(what) => (
                codes::FILE_UNREADABLE,
                format!("`{path}` is {what}, not a file"),
            ),
            LoadError::TooLarge(n) => (
                codes::FILE_UNREADABLE,
                format!("`{path}` has {n} bytes, more than may be read"),
            ),
            LoadError::Outside => (
                codes::FILE_UNREADABLE,
                format!("`{path}` lies outside the folders that may be read"),
            ),
            LoadError::Io(why) => (
                codes::FILE_UNREADABLE,
                format!("`{path}` cannot be read: {why}"),
            ),
        };
        let mut d = Diagnostic::new(code, why);
        d.span = span;
        if let LoadError::Missing { near } = e
            && let Some(n) = near.first()
        {
            d.help = Some(format!("did you mean `{n}`?"));
        }
        if matches!(e, LoadError::Outside) {
            d.help = Some("if it is to be read, allow its folder with --allow-read DIR".into());
        }
        if d.help.is_none() && matches!(e, LoadError::Missing { .. }) {
            d.help = self.file_elsewhere(path);
        }
        Box::new(d)
    }

    /// A source file that comes with the machine or the target.
    pub(crate) fn library_source(&mut self, name: &str) -> Option<SourceId> {
        // Another machine may bring another text by that name.
        let machine = self.machine;
        let of = machine.map_or(String::new(), |m| m.name().into());
        let key = (format!("<{name}>"), of);
        if let Some(&id) = self.files.loaded.get(&key) {
            return Some(id);
        }
        let list = machine.map_or(&[][..], |m| m.library());
        let text = match list.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => (*text).into(),
            None => self.job.target.library(name, machine)?,
        };
        let id = self.sources.add_library(format!("<{name}>"), text);
        self.files.loaded.insert(key, id);
        Some(id)
    }

    /// A file as it is named, or in one of the folders that the source names. Each look
    /// into them counts as a file.
    fn load_file(
        &mut self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        let loaded = self.load_named(path, from);
        if !matches!(loaded, Err(LoadError::Missing { .. })) {
            return loaded;
        }
        for i in 0..self.files.folders.len() {
            self.account.spent.included.0 += 1;
            if self.account.spent.included.0 > limits::INCLUDES {
                break;
            }
            let there = format!("{}/{path}", self.files.folders[i]);
            let found = self.load_named(&there, from);
            if !matches!(found, Err(LoadError::Missing { .. })) {
                return found;
            }
        }
        loaded
    }

    /// A file as the dialect looks for it.
    fn load_named(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        let loaded = self.files.loader.load(path, from);
        match &loaded {
            Err(LoadError::Missing { .. }) if self.dialect.words.files_any_case => {
                self.files.loader.load_any_case(path, from).or(loaded)
            }
            _ => loaded,
        }
    }

    /// Reads a source file once.
    pub fn load_source(
        &mut self,
        path: &str,
        from: Option<&str>,
        span: Option<Span>,
    ) -> Outcome<SourceId> {
        let key = (path.to_string(), from.unwrap_or("").to_string());
        if let Some(&id) = self.files.loaded.get(&key) {
            return Ok(id);
        }
        let loaded = self.load_file(path, from);
        let any_case = self.dialect.words.files_any_case;
        // A file of the maker's, by its place on somebody's machine.
        let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if any_case
            && last != path
            && loaded.is_err()
            && let Some(id) = self.library_source(last)
        {
            return Ok(id);
        }
        if let Err(LoadError::Missing { .. }) = &loaded
            && from.is_some()
            && let Some(id) = self.library_source(path)
        {
            return Ok(id);
        }
        if loaded.is_err() {
            self.account.spent.missing += 1;
            self.fatal |= self.account.spent.missing > limits::MISSING;
        }
        let (name, mut bytes) = loaded.map_err(|e| self.load_fault(path, &e, span))?;
        if self.dialect.values.plain_texts {
            // Marks of the end that tools of its time leave.
            let end = bytes.iter().rposition(|b| !matches!(b, 0 | 0x1a));
            bytes.truncate(end.map_or(0, |n| n + 1));
        }
        // Zeros fill a text up to a whole sector; more of them are no text.
        let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |n| n + 1);
        if end > 0 && bytes.len() - end < SECTOR {
            bytes.truncate(end);
        }
        if let Some((what, help)) = crate::text::source::unreadable(&bytes) {
            let message = format!("`{name}` {what}");
            // A main file that is none has no text, but a place.
            let at = span.unwrap_or_else(|| Span::new(self.sources.add(name, ""), 0, 0));
            let d = Diagnostic::new(codes::FILE_UNREADABLE, message).at(at);
            return Err(Box::new(d.help(help)));
        }
        let id = match self.sources.file(&name) {
            Some(id) => id,
            None => {
                self.symbols.expect(bytes.len());
                self.sources.add_bytes(name, bytes)
            }
        };
        self.files.loaded.insert(key, id);
        Ok(id)
    }

    /// `include "file"`, `include <file>` for what comes with the machine.
    pub(crate) fn include(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (name, span, used) = self.file_name(t, rest)?;
        if used < rest.len() && self.dialect.operands.reads_no_further {
            self.not_read(self.span_of(&rest[used..]));
        } else if used < rest.len() && !self.dialect.words.bare_file_names {
            let d =
                Diagnostic::new(codes::SYNTAX, "expected the end of the line").at(rest[used].span);
            return Err(Box::new(d));
        }
        let library = rest.first().is_some_and(|f| f.kind == Kind::Less);
        let id = if library {
            let list = self.machine.map_or(&[][..], |m| m.library());
            let Some(id) = self.library_source(&name) else {
                let mut d = Diagnostic::new(
                    codes::FILE_MISSING,
                    format!("the machine brings no file `{name}`"),
                )
                .at(span);
                if !list.is_empty() {
                    let names: Vec<&str> = list.iter().map(|l| l.0).collect();
                    if let Some(n) = near::nearest(&name, names.iter().copied()) {
                        d = d.help(format!("did you mean `{n}`?"));
                    }
                    d = d.note(format!("it brings {}", names.join(", ")));
                } else if let Some(n) = self.job.target.near_files(&name).first() {
                    d = d.help(format!("did you mean `{n}`?"));
                }
                return Err(Box::new(d));
            };
            id
        } else {
            let from = self.includer();
            let loaded = self.load_source(&name, from.as_deref(), Some(span));
            self.same_dialect(&name, span, loaded)?
        };
        self.count_include(id)?;
        self.push_feed(
            FeedKind::File { source: id, at: 0 },
            ExpansionKind::Include(name.into()),
        );
        Ok(())
    }

    /// Counts a file that is included: what includes others again and again does so
    /// without end.
    pub(crate) fn count_include(&mut self, id: SourceId) -> Outcome<()> {
        let source = self.sources.get(id);
        let again = match source.met.replace(true) {
            true => source.text.len(),
            false => 0,
        };
        self.count_file(again)
    }

    /// Counts a file, and so many bytes that were read before.
    fn count_file(&mut self, again: usize) -> Outcome<()> {
        self.account.spent.included.0 += 1;
        self.account.spent.included.1 += again;
        let message = if self.account.spent.included.0 > limits::INCLUDES {
            format!(
                "more than {} files are included",
                thousands(limits::INCLUDES as u64)
            )
        } else if self.account.spent.included.1 > limits::READ_AGAIN {
            let most = limits::READ_AGAIN >> 20;
            format!("more than {most} MiB of files are included again")
        } else {
            return Ok(());
        };
        self.fatal = true;
        let d = Diagnostic::new(codes::INCLUDE_LOOP, message).at(self.statement);
        Err(Box::new(d.help(
            "files that include others twice each make more than can be read",
        )))
    }

    /// Of a program that includes one of our own files in the language of another dialect
    /// nothing else is worth telling.
    fn same_dialect(
        &mut self,
        name: &str,
        span: Span,
        loaded: Outcome<SourceId>,
    ) -> Outcome<SourceId> {
        let ours = |id: SourceId| self.sources.get(id).name.starts_with('<');
        let known = match &loaded {
            Ok(id) => ours(*id),
            Err(d) => d.code == codes::FILE_MISSING,
        };
        let Some(help) = known.then(|| self.file_of_another_dialect(name)).flatten() else {
            return loaded;
        };
        self.fatal = true;
        let message = format!("`{name}` is written for another dialect");
        let d = Diagnostic::new(codes::FILE_MISSING, message).at(span);
        Err(Box::new(d.help(help)))
    }

    /// The bytes of a file that a statement names.
    ///
    /// # Errors
    /// That there is none, or that there are too many.
    pub(crate) fn content(&mut self, name: &str, span: Span) -> Outcome<Vec<u8>> {
        self.count_file(0)?;
        let from = self.includer();
        let (_, bytes) = self
            .load_file(name, from.as_deref())
            .map_err(|e| self.load_fault(name, &e, Some(span)))?;
        self.account.spent.incbins += bytes.len();
        if self.account.spent.incbins > limits::INCBIN {
            return Err(self.too_many(limits::INCBIN, "bytes of other files"));
        }
        Ok(bytes)
    }

    /// `incbin "file", offset, length`.
    pub(crate) fn incbin(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let (name, span, used) = self.file_name(t, rest)?;
        let bytes = self.content(&name, span)?;
        let more = rest.get(used..).unwrap_or(&[]);
        let mut limits = [0, bytes.len() as i64];
        if !more.is_empty() {
            if more[0].kind != Kind::Comma {
                let d = Diagnostic::new(codes::SYNTAX, "expected a comma").at(more[0].span);
                return Err(Box::new(d));
            }
            let more = &more[1..];
            for (k, (a, b)) in split(more).into_iter().enumerate() {
                let part = &more[a as usize..b as usize];
                let v = self.whole_expression(part)?;
                let at = self.span_of(part);
                let n = self.must_know(v, at, "the part of the file")?;
                if k > 1 {
                    return Err(Box::new(
                        Diagnostic::new(codes::SYNTAX, "expected an offset and a length").at(at),
                    ));
                }
                limits[k] = n;
                if k == 0 {
                    limits[1] = (bytes.len() as i64).saturating_sub(n);
                }
                let end = limits[0].checked_add(limits[1]).unwrap_or(-1);
                if n < 0 || end > bytes.len() as i64 || limits[0] > bytes.len() as i64 {
                    return Err(Box::new(
                        Diagnostic::new(
                            codes::OUT_OF_RANGE,
                            format!("the file `{name}` has {} bytes", bytes.len()),
                        )
                        .at(at)
                        .label("reaches outside the file"),
                    ));
                }
            }
        }
        let (a, n) = (limits[0] as usize, limits[1] as usize);
        let mut bytes = bytes;
        bytes.truncate(a + n);
        bytes.drain(..a);
        if self.cells.rom_table.is_some() {
            return self.table_bytes(&bytes, &[]);
        }
        self.whole_words(&mut bytes, true);
        self.emit_data(&bytes, Class::Data);
        Ok(())
    }
}
