//! Sources of all dialects read as scrimp's own: which dialect the finding names.

use crate::common::build;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Sources that read as well elsewhere.
const AMBIGUOUS: &[&str] = &["vasm-dotdir-nocase/both.asm"];

/// The name of a dialect without its switches.
fn family(dialect: &str) -> &str {
    match dialect {
        "gas-avr" | "gas-z80" => dialect,
        _ => dialect.split('-').next().unwrap_or(dialect),
    }
}

/// The goldens of a folder: names of files.
fn sources(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder).expect("a folder of goldens");
    let names = all.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let is_source = |n: &String| {
        let ending = Path::new(n).extension().and_then(|e| e.to_str());
        matches!(ending, Some("asm" | "s" | "S"))
    };
    let mut names: Vec<String> = names.filter(is_source).collect();
    names.sort();
    names
}

/// Where the whole is told to be another dialect's, its own is among the names; and most
/// goldens that fail are told so.
#[test]
fn a_golden_source_names_its_dialect() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root)
        .expect("the goldens")
        .filter_map(|e| Some(e.ok()?.path()))
        .collect();
    folders.sort();
    let (mut told, mut failed, mut faults) = (0, 0, String::new());
    for folder in folders {
        let dialect = folder.file_name().and_then(|n| n.to_str()).unwrap_or("");
        for name in sources(&folder) {
            let out = build(&folder, &name, "native");
            if out.image.is_some() {
                continue;
            }
            failed += 1;
            let Some(d) = out.diagnostics.iter().find(|d| d.code == "E0029") else {
                continue;
            };
            let help = d.help.as_deref().unwrap_or("");
            let names = help.split("--dialect ").skip(1);
            let mut names = names.filter_map(|n| n.split(['`', ' ']).next());
            let is_right = names.any(|n| family(n) == family(dialect));
            let key = format!("{dialect}/{name}");
            told += usize::from(is_right);
            if !is_right && !AMBIGUOUS.contains(&&*key) {
                let _ = writeln!(faults, "{key}: {help}");
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(told * 4 >= failed * 3, "{told} of {failed}");
}
