//! Dialects of the Z80 whose programs are linked: sources with the bytes that an assembler
//! and its linker make of them, the same with those tools, faults, and programs at random.

use crate::common::random::Random;
use crate::common::tools::have;
use crate::common::{Folder, difference, findings};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Linking, Output, assemble, assemble_linked};
use std::path::{Path, PathBuf};

/// A dialect, with its goldens in `tests/dialects`: a source or a folder of sources each.
pub struct Linked {
    pub dialect: &'static str,
    /// Of its sources.
    pub extension: &'static str,
    pub tools: &'static [&'static str],
    /// What the tools make of some files of a folder.
    pub by_tools: fn(&Path, &[String]) -> Vec<u8>,
}

impl Linked {
    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/dialects")
            .join(self.dialect)
    }

    /// The files of each program and the bytes that it must have.
    fn goldens(&self) -> Vec<(Vec<String>, Vec<u8>)> {
        let folder = self.folder();
        let all = names(&folder);
        let hexes = all.iter().filter_map(|n| n.strip_suffix(".hex"));
        hexes
            .map(|name| {
                let files: Vec<String> = match folder.join(name).is_dir() {
                    true => (names(&folder.join(name)).iter())
                        .map(|f| format!("{name}/{f}"))
                        .collect(),
                    false => vec![format!("{name}.{}", self.extension)],
                };
                let hex = folder.join(format!("{name}.hex"));
                let hex = std::fs::read_to_string(hex).expect("bytes");
                let byte = |w| u8::from_str_radix(w, 16).expect("two hex digits");
                (files, hex.split_whitespace().map(byte).collect())
            })
            .collect()
    }

    pub fn job(&self, file: &str) -> Job<'static> {
        let target = scrimp::targets::by_name("z80").expect("the Z80 is registered");
        Job {
            file: file.into(),
            target,
            machine: None,
            dialect: self.dialect.into(),
            defines: Vec::new(),
        }
    }

    pub fn text(&self, source: &str) -> Output {
        let loader = MemoryLoader::default().with("main", source.as_bytes());
        assemble(&self.job("main"), &loader)
    }

    /// There are so many goldens, and they come out.
    pub fn goldens_come_out(&self, least: usize) {
        let all = self.goldens();
        assert!(all.len() >= least, "goldens are missing: {}", all.len());
        let mut faults = String::new();
        for (files, bytes) in all {
            let linking = Linking {
                files: files[1..].to_vec(),
                ..Linking::default()
            };
            let out = assemble_linked(&self.job(&files[0]), &linking, &Folder(self.folder()));
            match &out.image {
                None => faults += &format!("{}: not assembled\n{}", files[0], findings(&out)),
                Some(image) => {
                    if let Some(d) = difference(&image.binary(0), &bytes) {
                        faults += &format!("{}: {d}\n", files[0]);
                    }
                }
            }
        }
        assert!(faults.is_empty(), "\n{faults}");
    }

    /// The goldens are what the tools make.
    pub fn tools_make_the_same(&self) {
        if !have(self.tools) {
            return;
        }
        for (files, bytes) in self.goldens() {
            let part = difference(&bytes, &(self.by_tools)(&self.folder(), &files));
            assert!(part.is_none(), "{}: {}", files[0], part.unwrap_or_default());
        }
    }

    /// There are so many sources with errors, and each is told with a place.
    pub fn faults_have_a_place(&self, least: usize) {
        let folder = self.folder().join("errors");
        let all = names(&folder);
        assert!(all.len() >= least, "error probes are missing");
        let mut faults = String::new();
        for name in &all {
            let out = assemble(&self.job(name), &Folder(folder.clone()));
            if out.image.is_some() {
                faults += &format!("{name}: accepted\n");
            } else if !out.diagnostics.iter().any(|d| d.span.is_some()) {
                faults += &format!("{name}: no place\n{}", findings(&out));
            }
        }
        assert!(faults.is_empty(), "\n{faults}");
    }

    /// Programs at random come out as the tools have them.
    pub fn at_random(&self, source: fn(&mut Random) -> String) {
        if !have(self.tools) {
            return;
        }
        let dir = tempfile::tempdir().expect("a folder");
        let file = format!("r.{}", self.extension);
        for seed in 1..=6u64 {
            let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            let source = source(&mut r);
            std::fs::write(dir.path().join(&file), &source).expect("the source");
            let want = (self.by_tools)(dir.path(), std::slice::from_ref(&file));
            let out = self.text(&source);
            let image = out.image.as_ref();
            let image = image.unwrap_or_else(|| panic!("seed {seed}: {}", findings(&out)));
            let part = difference(&image.binary(0), &want);
            assert!(part.is_none(), "seed {seed}: {}", part.unwrap_or_default());
        }
    }
}

/// Names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder of goldens");
    let mut names: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}
