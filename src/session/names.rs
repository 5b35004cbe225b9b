//! Names: what a program may be called, and targets, machines and dialects by theirs.

use crate::diagnostic::near::nearest;
use crate::diagnostic::text::shown;
use crate::{dialect, targets};
use scrimp_isa::{Machine, Target};

/// Longest name of a program, in characters.
const LONGEST_NAME: usize = 80;

/// Names that Windows takes for devices, whatever follows a full stop.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// What is wrong with the name of a program, which becomes the name of files, stands in
/// messages, and in commands that people copy into a shell.
pub fn name_fault(name: &str) -> Option<String> {
    let wanted = |c: char| c.is_alphanumeric() || "_-+. ".contains(c);
    let stem = name.split('.').next().unwrap_or(name).trim_end();
    let stem = stem.to_lowercase();
    let port = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
    let port = port.is_some_and(|n| n.chars().count() == 1 && n.chars().all(char::is_numeric));
    let why = if name.is_empty() {
        "it is empty".to_owned()
    } else if let Some(c) = name.chars().find(|&c| !wanted(c)) {
        match shown(c) {
            s if s == c && !c.is_control() => format!("it has `{c}`"),
            _ => format!("it has the character U+{:04X}", u32::from(c)),
        }
    } else if name.chars().count() > LONGEST_NAME {
        format!("it has more than {LONGEST_NAME} characters")
    } else if name.starts_with(['.', '-', ' ']) || name.ends_with(['.', ' ']) {
        "its first or last character is none for the name of a file".to_owned()
    } else if port || DEVICES.contains(&stem.as_str()) {
        format!("`{stem}` is a device on Windows")
    } else {
        return None;
    };
    Some(format!(
        "this is no name for a program: {why}; letters, digits, `_`, `-`, `+`, `.` and spaces \
         make one"
    ))
}

/// A machine by name: of a target, or of any when none is said.
///
/// # Errors
/// With a near name, or all there are.
pub fn machine_anywhere(
    target: Option<&str>,
    name: &str,
) -> Result<(&'static dyn Target, &'static dyn Machine), String> {
    if let Some(target) = target {
        let target = find_target(target)?;
        return Ok((target, find_machine(target, name)?));
    }
    let mut all = targets::all().iter().copied();
    match all.find_map(|t| Some((t, t.machine(name)?))) {
        Some(found) => Ok(found),
        None => Err(unknown_machine(targets::all(), name)),
    }
}

/// A target by name.
///
/// # Errors
/// With a near name, or all there are.
pub fn find_target(name: &str) -> Result<&'static dyn Target, String> {
    let names = targets::all().iter().map(|t| t.name());
    targets::by_name(name).ok_or_else(|| unknown("target", name, names))
}

/// A machine of a target by name.
///
/// # Errors
/// With a near name, or all there are.
pub fn find_machine(
    target: &'static dyn Target,
    name: &str,
) -> Result<&'static dyn Machine, String> {
    let found = target.machine(name);
    found.ok_or_else(|| unknown_machine(&[target], name))
}

/// "there is no machine x; near are y and z".
fn unknown_machine(targets: &[&'static dyn Target], name: &str) -> String {
    let near: Vec<_> = targets.iter().flat_map(|t| t.near_machines(name)).collect();
    match near.as_slice() {
        [] => {
            let names = targets.iter().flat_map(|t| t.machine_names());
            let names: Vec<_> = names.collect();
            unknown("machine", name, names.iter().copied())
        }
        [one] => format!("there is no machine {name}; is {one} meant?"),
        [most @ .., last] => {
            format!(
                "there is no machine {name}; there are {} and {last}",
                most.join(", ")
            )
        }
    }
}

/// A dialect by name.
///
/// # Errors
/// With a near name, or all there are.
pub fn find_dialect(name: &str) -> Result<String, String> {
    let names = dialect::names();
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(unknown("dialect", name, names.iter().copied())),
    }
}

/// Most names that a message lists.
const MOST_NAMES: usize = 20;

/// "there is no machine x; is y meant?" or the names there are.
pub fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, names.clone()) {
        Some(near) => format!("there is no {kind} {name}; is {near} meant?"),
        None => {
            let all: Vec<_> = names.collect();
            match all.len() {
                0..=MOST_NAMES => {
                    format!("there is no {kind} {name}; there are: {}", all.join(", "))
                }
                n => format!("there is no {kind} {name}; `scrimp targets` lists the {n} there are"),
            }
        }
    }
}

/// An unsigned number: `16393`, `0x4009`, `$4009`, `4009h`.
pub fn number(text: &str) -> Option<u64> {
    let t = text.trim();
    let hex = ["0x", "0X", "$"].iter().find_map(|p| t.strip_prefix(p));
    let hex = hex.or_else(|| {
        let first = t.bytes().next().is_some_and(|b| b.is_ascii_digit());
        t.strip_suffix(['h', 'H']).filter(|_| first)
    });
    let digits = |d: &str, radix| {
        let ok = !d.is_empty() && d.bytes().all(|b| b.is_ascii_alphanumeric());
        ok.then(|| u64::from_str_radix(d, radix).ok()).flatten()
    };
    hex.map_or_else(|| digits(t, 10), |h| digits(h, 16))
}

/// A number with an optional minus sign.
pub fn signed(text: &str) -> Option<i64> {
    let t = text.trim();
    match t.strip_prefix('-') {
        Some(t) => number(t).and_then(|n| 0i64.checked_sub_unsigned(n)),
        None => number(t).and_then(|n| i64::try_from(n).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs() {
        let good = [
            "chess",
            "a",
            "ROM v1.2",
            "été_3",
            "zx81-chess",
            "C++",
            "console",
            "com",
            "com10",
        ];
        for name in good {
            assert_eq!(name_fault(name), None, "{name}");
        }
        let long = "x".repeat(LONGEST_NAME + 1);
        let bad = [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/tmp/x",
            "C:x",
            "a\nb",
            "a\x1b[2Jb",
            "a\u{9b}2J",
            "a\u{202e}b",
            "a\u{200b}b",
            "nul",
            "NUL",
            "nul.tar",
            "con .x",
            "COM1",
            "lpt\u{b9}",
            "-rf",
            ".bashrc",
            "a.",
            "a ",
            " a",
            "$(reboot)",
            "a;b",
            "a`b`",
            "a|b",
            "a*b",
            "a\"b",
            "a'b",
            "a\0b",
            &long,
        ];
        for name in bad {
            let why = name_fault(name).unwrap_or_default();
            assert!(!why.is_empty(), "{name:?} is taken");
            assert!(!why.contains(char::is_control), "{why:?}");
        }
    }

    #[test]
    fn numbers() {
        for t in ["16393", "0x4009", "$4009", "4009h", "4009H"] {
            assert_eq!(number(t), Some(16393), "{t}");
        }
        for t in [
            "",
            "h",
            "ah",
            "+5",
            "0x",
            "$-1",
            "0x+1",
            "99999999999999999999",
        ] {
            assert_eq!(number(t), None, "{t}");
        }
        assert_eq!(signed("-1"), Some(-1));
        assert_eq!(signed("-0x8000000000000000"), Some(i64::MIN));
        assert_eq!(signed("0x8000000000000000"), None);
    }
}
