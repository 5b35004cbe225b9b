//! How far a program reaches: which files it may read, what it may be called, and where
//! its outputs may go. A `program.toml` may be a stranger's, so it reaches no further than
//! its own folder and the folder of outputs, unless the command line says so.

use super::args::ProgramArgs;
use super::program::Program;
use crate::diagnostic::text::shown;
use crate::disk::DiskLoader;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest name of a program, in characters.
const LONGEST_NAME: usize = 80;

/// Names that Windows takes for devices, whatever follows a full stop.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Reads for a source file in this folder that the command line names. It may read: the
/// current folder, its own folder and the one above (where sources keep common parts), the
/// repository it is in, and the folders that the command line names.
pub fn of_source(folder: &Path, args: &ProgramArgs) -> DiskLoader {
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let mut l = DiskLoader::new().allow(Path::new(".")).allow(here);
    if let Ok(full) = here.canonicalize() {
        // The root of the file system is nobody's project.
        if let Some(above) = full.parent().filter(|a| a.parent().is_some()) {
            l = l.allow(above);
        }
        if let Some(top) = full.ancestors().find(|a| a.join(".git").exists()) {
            l = l.allow(top);
        }
    }
    // Other assemblers start from the current folder, wherever the file is that
    // names another.
    said(l, args).search(folder).search(Path::new(""))
}

/// Reads for a `program.toml` in this folder: below it, and what the command line names.
pub fn of_folder(folder: &Path, args: &ProgramArgs) -> DiskLoader {
    said(DiskLoader::new(), args).search(folder)
}

/// Adds what the command line allows.
fn said(mut l: DiskLoader, args: &ProgramArgs) -> DiskLoader {
    for i in &args.include {
        l = l.search(i);
    }
    for a in &args.allow_read {
        l = l.allow(a);
    }
    for f in &args.pre_include {
        l = l.allow_file(Path::new(f));
    }
    l
}

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

/// A path without links as far as it exists.
fn resolve(path: &Path) -> PathBuf {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in path.ancestors() {
        if let Ok(real) = fs::canonicalize(above) {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    path
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|m| m.is_symlink())
}

/// Whether a path stays in a folder, which is no link itself.
pub fn stays_in(path: &Path, folder: &Path) -> bool {
    !is_link(folder) && resolve(path).starts_with(resolve(folder))
}

/// Refuses an output that leads out of the folder of outputs through a link that may have
/// come with the program. Where the command line names the output, it leads where it says.
pub fn check_outputs(program: &Program, paths: &[PathBuf]) -> Result<(), String> {
    let folder = program.output_folder();
    match paths.iter().find(|p| !stays_in(p, &folder)) {
        None => Ok(()),
        Some(path) => Err(format!(
            "{} leads out of {} through a symbolic link; if it is to be written there, say so \
             with -o",
            path.display(),
            match folder.as_os_str().is_empty() {
                true => "the current folder".into(),
                false => folder.display().to_string(),
            }
        )),
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

    #[cfg(unix)]
    #[test]
    fn links_lead_out() {
        let dir = tempfile::tempdir().unwrap();
        let at = |n: &str| dir.path().join(n);
        fs::create_dir_all(at("build/deep")).unwrap();
        fs::create_dir(at("other")).unwrap();
        assert!(stays_in(&at("build/x.bin"), &at("build")));
        assert!(stays_in(&at("new/x.bin"), &at("new")));
        std::os::unix::fs::symlink("../other", at("build/out")).unwrap();
        std::os::unix::fs::symlink("other", at("linked")).unwrap();
        assert!(!stays_in(&at("build/out/x.bin"), &at("build")));
        assert!(!stays_in(&at("linked/x.bin"), &at("linked")));
    }
}
