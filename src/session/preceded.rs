//! A program's files behind a text that reads others first, or with lines at the end of
//! the main one.

use crate::dialect;
use crate::text::language::Directive;
use crate::text::source::{LoadError, Loader};

/// Name of the text that includes what is read first.
pub const FIRST: &str = "<command line>";

/// A loader over another.
pub struct Preceded<'a> {
    text: String,
    end: String,
    main: &'a str,
    files: &'a dyn Loader,
}

/// The text that reads files before the main one; empty where there are none.
///
/// # Errors
/// A dialect that includes no files, a name that no source can include.
pub fn text(main: &str, dialect: &str, first: &[String]) -> Result<String, String> {
    if first.is_empty() {
        return Ok(String::new());
    }
    let words = dialect::by_name(dialect).map_or(&[][..], |d| d.words.directives);
    let word = words.iter().find(|w| w.1 == Directive::Include);
    let (word, _) = word.ok_or_else(|| format!("the dialect {dialect} has no include"))?;
    let mut text = String::new();
    for file in first.iter().map(String::as_str).chain([main]) {
        if file.contains(['"', '\n']) {
            return Err(format!("{file:?} cannot be included"));
        }
        text += &format!(" {word} \"{file}\"\n");
    }
    Ok(text)
}

impl<'a> Preceded<'a> {
    /// Files behind a [`text`], with these lines at the end of the main one; nothing where
    /// there is neither.
    pub fn new(
        main: &'a str,
        files: &'a dyn Loader,
        text: String,
        lines: &[String],
    ) -> Option<Self> {
        let end: String = lines.iter().map(|p| format!("\n        {p}")).collect();
        let any = !text.is_empty() || !end.is_empty();
        any.then_some(Self {
            text,
            end,
            main,
            files,
        })
    }

    /// The file to begin with.
    pub fn start(&self) -> &str {
        if self.text.is_empty() {
            self.main
        } else {
            FIRST
        }
    }
}

impl Loader for Preceded<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        if from.is_none() && path == FIRST {
            return Ok((FIRST.to_owned(), self.text.clone().into_bytes()));
        }
        let (name, mut text) = self.files.load(path, from)?;
        if path == self.main && from.is_none_or(|f| f == FIRST) && !self.end.is_empty() {
            text.extend_from_slice(self.end.as_bytes());
            text.push(b'\n');
        }
        Ok((name, text))
    }

    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.files.load_any_case(path, from)
    }
}
