//! Rules of the house that no compiler checks.

use std::path::{Path, PathBuf};

/// Most lines of a source file; tables are exempt.
const MOST_LINES: usize = 900;

/// Most lines of a function that is no table and no match.
const MOST_LINES_OF_ONE: usize = 80;
/// A longer one is a match if at most so many of its lines stand outside of that.
const BESIDE_A_MATCH: usize = 30;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder with one of the extensions, relative to the root.
fn files(folder: &str, extensions: &[&str]) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            if path.is_dir() && name != "target" && name != "build" && name != ".git" {
                walk(&path, out);
            } else if path.is_file() {
                out.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    walk(&root().join(folder), &mut paths);
    paths.sort();
    let wanted = |p: &Path| {
        let e = p.extension().and_then(|e| e.to_str()).unwrap_or("");
        extensions.contains(&e) || extensions.is_empty()
    };
    paths
        .into_iter()
        .filter(|p| wanted(p))
        .filter_map(|p| {
            let text = std::fs::read_to_string(&p).ok()?;
            Some((
                p.strip_prefix(root()).expect("below the root").to_owned(),
                text,
            ))
        })
        .collect()
}

fn is_table(path: &Path) -> bool {
    path.file_stem().is_some_and(|s| s == "table")
}

#[test]
fn the_engine_names_no_cpu() {
    let names: Vec<String> = scrimp::targets::all()
        .iter()
        .map(|t| t.name().to_lowercase())
        .collect();
    assert!(!names.is_empty());
    let mut found = Vec::new();
    for (path, text) in files("src", &["rs"]) {
        let below = path.strip_prefix("src").expect("below src");
        if below == Path::new("targets.rs") || below.starts_with("dialect") {
            continue;
        }
        for (i, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            // A dialect is named after its assembler, which is named after its CPU.
            let lower = scrimp::dialect::names()
                .iter()
                .fold(lower, |l, d| l.replace(d, ""));
            // A pragma of one dialect is spelled so.
            let lower = lower.replace("avrpart", "");
            if names.iter().any(|n| lower.contains(n.as_str())) {
                found.push(format!("{}:{}: {line}", path.display(), i + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn files_have_a_readable_length() {
    let long: Vec<String> = ["src", "targets", "tests", "fuzz"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
        .filter(|(p, t)| !is_table(p) && t.lines().count() > MOST_LINES)
        .map(|(p, t)| format!("{}: {} lines", p.display(), t.lines().count()))
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

/// Name and lines of a function whose first line this is.
fn function<'l>(lines: &[&'l str]) -> Option<(&'l str, usize)> {
    let first = lines[0];
    let indent = first.len() - first.trim_start().len();
    let words = ["const ", "async ", "pub ", "pub(crate) ", "pub(super) "];
    let mut head = first.trim_start();
    while let Some(rest) = words.iter().find_map(|w| head.strip_prefix(w)) {
        head = rest;
    }
    let name = head.strip_prefix("fn ")?.split(['(', '<']).next()?;
    let ends = |l: &&str| l.len() == indent + 1 && l.ends_with('}');
    let end = lines.iter().position(ends)?;
    (!first.ends_with(['}', ';'])).then_some((name, end + 1))
}

/// Lines of the longest `match` that stands in a function, not in a part of it.
fn longest_match(lines: &[&str]) -> usize {
    let indent = lines[0].len() - lines[0].trim_start().len() + 4;
    let own = |l: &str| l.len() > indent && l[..indent].trim().is_empty();
    let own = |l: &str| own(l) && !l[indent..].starts_with(' ');
    let mut longest = 0;
    for (i, l) in lines.iter().enumerate() {
        if own(l) && l.ends_with('{') && l.contains("match ") {
            let end = lines[i + 1..].iter().position(|l| own(l)).unwrap_or(0);
            longest = longest.max(end + 2);
        }
    }
    longest
}

#[test]
fn functions_end_before_80_lines() {
    let mut long = Vec::new();
    for (path, text) in ["src", "targets"].iter().flat_map(|f| files(f, &["rs"])) {
        let test = path.iter().any(|p| p == "tests" || p == "tests.rs");
        if test || is_table(&path) {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for i in 0..lines.len() {
            let Some((name, len)) = function(&lines[i..]) else {
                continue;
            };
            let beside = len - longest_match(&lines[i..i + len]);
            if len > MOST_LINES_OF_ONE && beside > BESIDE_A_MATCH {
                long.push(format!("{}: {name}: {len} lines", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn a_function_and_its_match_are_measured() {
    let text = "    pub fn f<T>(x: T) -> u8\n    {\n        match x {\n            1 => {}\n        }\n    }\n}";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(function(&lines), Some(("f", 6)));
    assert_eq!(longest_match(&lines), 3);
    assert_eq!(function(&lines[2..]), None);
}

#[test]
fn sources_begin_with_what_they_are() {
    let bare: Vec<_> = ["src", "targets"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
        .filter(|(_, t)| !t.starts_with("//! "))
        .map(|(p, _)| p)
        .collect();
    assert!(bare.is_empty(), "no module comment: {bare:?}");
}

#[test]
fn nothing_is_left_to_do_and_nothing_is_unsafe() {
    // Put together so that this file does not find itself.
    let words = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
        concat!("FIX", "ME"),
        concat!("uns", "afe {"),
    ];
    let mut found = Vec::new();
    for (path, text) in ["src", "targets", "tests"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
    {
        for (i, line) in text.lines().enumerate() {
            if words.iter().any(|w| line.contains(w)) {
                found.push(format!("{}:{}: {line}", path.display(), i + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    for crate_root in [
        "src/lib.rs",
        "src/main.rs",
        "targets/isa/src/lib.rs",
        "targets/z80/src/lib.rs",
        "targets/avr/src/lib.rs",
        "targets/gigatron/src/lib.rs",
        "pack/src/lib.rs",
    ] {
        let text = std::fs::read_to_string(root().join(crate_root)).expect("a crate root");
        assert!(text.contains("#![forbid(unsafe_code)]"), "{crate_root}");
    }
}

#[test]
fn no_path_of_a_machine_is_named() {
    let paths = [
        concat!("/wo", "rk/"),
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("../sha", "red"),
    ];
    let mut found = Vec::new();
    for folder in ["src", "targets", "tests", "fuzz", "docs", "programs", ".ci"] {
        for (path, text) in files(folder, &[]) {
            for (i, line) in text.lines().enumerate() {
                if paths.iter().any(|p| line.contains(p)) {
                    found.push(format!("{}:{}: {line}", path.display(), i + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn target_rooms_depend_on_the_contract_only() {
    for (path, text) in files("targets", &["toml"]) {
        let dependencies = text.split("[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines().filter(|l| l.contains('=')) {
            let name = line.split([' ', '=', '.']).next().unwrap_or("");
            // Libraries are free; of this project there is only the contract.
            let own = name.starts_with("scrimp");
            assert!(
                !own || name == "scrimp-isa",
                "{} depends on {name}",
                path.display()
            );
        }
    }
}

/// What a usual run leaves out has a command that runs it: `.ci/run` the slow tests,
/// `.ci/nightly` all of them. Both find them by their names.
#[test]
fn tests_that_wait_say_for_which_run() {
    let mut found = Vec::new();
    for (path, text) in ["src", "targets", "tests"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
    {
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let line = line.trim();
            let Some(reason) = line.strip_prefix(concat!("#[", "ignore")) else {
                let named = line.starts_with("fn slow_") || line.starts_with("fn nightly_");
                let before = &lines[i.saturating_sub(3)..i];
                let ignored = before.iter().any(|l| l.contains(concat!("#[", "ignore")));
                if named && !ignored {
                    found.push(format!("{}:{}: {line}", path.display(), i + 1));
                }
                continue;
            };
            let run = reason.trim_matches(|c| "= \"]".contains(c));
            let name = lines.get(i + 1).map_or("", |l| l.trim());
            let good =
                ["slow", "nightly"].contains(&run) && name.starts_with(&format!("fn {run}_"));
            if !good {
                found.push(format!("{}:{}: {line} {name}", path.display(), i + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A test binary links for seconds, so there are few, each a folder.
#[test]
fn test_binaries_are_few() {
    let binaries: Vec<_> = ["tests", "targets"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
        .map(|(p, _)| p)
        .filter(|p| {
            let folder = p.parent().and_then(Path::file_name);
            folder.is_some_and(|f| f == "tests") && !p.components().any(|c| c.as_os_str() == "src")
        })
        .collect();
    assert!(binaries.is_empty(), "{binaries:?}");
    let mains = ["tests", "targets"]
        .iter()
        .flat_map(|f| files(f, &["rs"]))
        .filter(|(p, _)| p.ends_with("main.rs"))
        .count();
    assert!(mains <= 9, "{mains} test binaries");
}
