//! Files as they are: `INCBIN`, and parts of Hobeta files and of disks.

use super::files::disk;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::Tok;

/// Where the bytes of a file stand in what contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// The file itself.
    None,
    /// Behind a header.
    Hobeta,
    /// On a disk of TR-DOS, by the next argument.
    Disk,
}

impl Assembler<'_> {
    /// `incbin file, offset, length`; negative numbers count from the end.
    pub(super) fn sj_binary(&mut self, from: Container, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts: Vec<&[Tok]> = split(rest)
            .into_iter()
            .map(|(a, b)| &rest[a as usize..b as usize])
            .collect();
        let named = parts.first().filter(|p| !p.is_empty());
        let Some(name) = named else {
            let message = format!("expected a file behind `{}`", self.text(t));
            return Err(Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span)));
        };
        let (file, span) = (self.sj_plain_text(name), self.span_of(name));
        let bytes = self.content(&file, span)?;
        let mut used = 1;
        let (first, size) = match from {
            Container::None => (0, bytes.len()),
            Container::Hobeta => {
                let size = bytes.get(11..13).map(|b| u16::from_le_bytes([b[0], b[1]]));
                (17, size.map_or(0, usize::from))
            }
            Container::Disk => {
                used = 2;
                let wanted = parts
                    .get(1)
                    .map_or(String::new(), |p| self.sj_plain_text(p));
                disk::find(&bytes, &wanted).unwrap_or((0, 0))
            }
        };
        let mut said = [None, None];
        for (i, part) in parts.iter().skip(used).enumerate() {
            if i > 1 {
                let d = Diagnostic::new(codes::SYNTAX, "expected an offset and a length");
                return Err(Box::new(d.at(self.span_of(part))));
            }
            if !part.is_empty() {
                said[i] = Some(self.known_here(t, part, "the part of the file")?);
            }
        }
        let size = size as i64;
        let below = |n: i64, all: i64| if n < 0 { n + all } else { n };
        let offset = below(said[0].unwrap_or(0), size);
        let length = below(said[1].unwrap_or(size - offset), size - offset);
        let start = usize::try_from(offset).ok().map(|o| o + first);
        let there = start.zip(usize::try_from(length).ok());
        let inside = offset + length <= size;
        let part = there.and_then(|(s, n)| bytes.get(s..s.checked_add(n)?));
        let Some(part) = part.filter(|_| inside) else {
            let message = format!("the file `{file}` has {size} bytes here");
            let d = Diagnostic::new(codes::OUT_OF_RANGE, message).at(self.span_of(rest));
            return Err(Box::new(d.label("reaches outside the file")));
        };
        if part.is_empty() {
            let message = "nothing of the file is included";
            let d = Diagnostic::new(codes::PEER_CODE, message).at(self.span_of(rest));
            self.report(Box::new(d));
        }
        self.emit_data(part, Class::Data);
        Ok(())
    }
}
