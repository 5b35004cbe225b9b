//! Sources nobody here wrote: every assembly file of some Debian source packages
//! goes through Debian's pasmo and z80asm and through scrimp; where the peer
//! makes bytes, scrimp must make the same.
//!
//! `.ci/external-sources` fetches and unpacks the packages into
//! `target/external`; without them, or without the peers, the test is skipped.

use crate::common::peer::peer;
use crate::common::tools::{have, skip};
use crate::common::{build, difference, findings};
use std::path::{Path, PathBuf};

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for e in entries.flatten() {
        let p = e.path();
        if p.is_dir() {
            files(&p, list);
        } else if p.extension().is_some_and(|x| {
            ["asm", "z80", "s", "a80", "mac"].contains(&x.to_string_lossy().to_lowercase().as_str())
        }) {
            list.push(p);
        }
    }
}

#[test]
fn debian_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/external");
    let mut list = Vec::new();
    files(&root, &mut list);
    list.sort();
    if list.is_empty() {
        skip(
            "external",
            "target/external is empty; .ci/external-sources fills it",
        );
        return;
    }
    if !have(&["pasmo", "z80asm"]) {
        return;
    }
    let output = std::env::temp_dir().join(format!("scrimp-external-{}", std::process::id()));
    let (mut compared, mut bytes, mut faults) = (0, 0, String::new());
    for path in &list {
        let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else {
            continue;
        };
        let file = file.to_string_lossy();
        let shown = path.strip_prefix(&root).unwrap_or(path).display();
        for dialect in ["pasmo", "z80asm"] {
            let Some(want) = peer(dialect, folder, &file, &output).filter(|b| !b.is_empty()) else {
                continue;
            };
            let out = build(folder, &file, dialect);
            match &out.image {
                None => faults += &format!("{dialect} {shown}: not assembled\n{}", findings(&out)),
                Some(image) => match difference(&image.binary(0), &want) {
                    Some(d) => faults += &format!("{dialect} {shown}: {d}\n"),
                    None => {
                        compared += 1;
                        bytes += want.len();
                        println!("{dialect} {shown}: {} bytes, the same", want.len());
                    }
                },
            }
        }
    }
    let _ = std::fs::remove_file(&output);
    println!("{compared} programs, {bytes} bytes, the same as the peers'");
    assert!(faults.is_empty(), "\n{faults}");
    assert!(compared >= 20, "only {compared} programs were compared");
}
