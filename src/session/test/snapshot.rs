//! Golden snapshots: files in the form that insta's reviewer reads and takes.
//!
//! `snapshots/PROGRAM__TEST__KIND.snap` has what was accepted, the same with `.new` behind
//! it what is new and different, until it is accepted.

use crate::session::build::Build;
use crate::session::refusal::Refusal;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Folder of the snapshots, in that of the program.
pub const FOLDER: &str = "snapshots";
/// Bytes in a row of a dump.
const ROW: usize = 16;
/// Longest part of a file's name.
const LONGEST: usize = 60;

/// The file of a snapshot.
pub fn path(folder: &Path, program: &str, test: &str, kind: &str) -> PathBuf {
    let name = format!("{}__{}__{}.snap", plain(program), plain(test), plain(kind));
    folder.join(FOLDER).join(name)
}

/// A name with letters, digits and `_` only.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(LONGEST) {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ if out.ends_with('_') => {}
            _ => out.push('_'),
        }
    }
    out
}

/// The text of a file.
pub fn file(source: &str, kind: &str, content: &str) -> String {
    let quoted = |t: &str| serde_json::json!(t).to_string();
    format!(
        "---\nsource: {}\nexpression: {}\n---\n{}\n",
        quoted(source),
        quoted(kind),
        content.trim_end_matches('\n')
    )
}

/// The content of a file: what stands behind its head.
pub fn content(file: &str) -> &str {
    let behind = file.strip_prefix("---\n").and_then(|rest| {
        let at = rest.find("\n---\n")?;
        Some(&rest[at + 5..])
    });
    behind.unwrap_or(file).trim_end_matches('\n')
}

/// Where two contents differ first, for people.
pub fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let line = |l: Option<&&str>, mark: char| match l {
        Some(l) => format!("\n{mark} {l}"),
        None => String::new(),
    };
    format!(
        "it differs from line {} on:{}{}",
        same + 1,
        line(old.get(same), '-'),
        line(new.get(same), '+')
    )
}

/// What a snapshot of the build is: bytes, sizes, or a file format that is text.
///
/// # Errors
/// There is no such format, or it cannot take the program.
pub fn of_build(build: &Build, kind: &str) -> Result<String, Refusal> {
    let image = build.good()?;
    let format = match kind {
        "bytes" => {
            let mut out = String::new();
            for c in image.chunks.iter().filter(|c| !c.bytes.is_empty()) {
                for (i, row) in c.bytes.chunks(ROW).enumerate() {
                    let at = image.local(c.address + (i * ROW) as u64);
                    let row: Vec<String> = row.iter().map(|b| format!("{b:02X}")).collect();
                    let _ = writeln!(out, "{at:06X}: {}", row.join(" "));
                }
            }
            return Ok(out);
        }
        "sizes" => return Ok(crate::report::text::text(build.sizes(), None)),
        "listing" => "lst",
        other => other,
    };
    let bytes = build.write(format)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(_) => Err(format!("{kind} is no text; `snapshot bytes` has them").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back() {
        let text = file("a \"b\".toml", "sizes", "one\n---\ntwo\n\n");
        assert_eq!(content(&text), "one\n---\ntwo");
        assert_eq!(content("no head\n"), "no head");
        assert_eq!(plain("a-b  c/../d"), "a_b_c_d");
        let d = difference("a\nb", "a\nc\nd");
        assert_eq!(d, "it differs from line 2 on:\n- b\n+ c");
    }
}
