//! What the tests have in common.

// Not every binary needs all of them.
#![allow(dead_code)]

pub mod beside;
pub mod changes;
pub mod cpu;
pub mod gigatron;
pub mod invariants;
pub mod mutator;
pub mod peer;
pub mod random;
pub mod tools;

use scrimp::text::source::{LoadError, Loader};
use scrimp::{Job, Output, assemble};
use std::path::{Path, PathBuf};

/// Files below one folder, which is the working directory that a peer would be
/// started in; then the folder of the including file.
pub struct Folder(pub PathBuf);

impl Loader for Folder {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        let beside = from.and_then(|f| Path::new(f).parent().map(|p| p.join(path)));
        // z80asm's own headers, which it finds where they are installed
        let headers = Path::new("../headers").join(path);
        let places = std::iter::once(PathBuf::from(path)).chain(beside);
        for name in places.chain(std::iter::once(headers)) {
            if let Ok(bytes) = std::fs::read(self.0.join(&name)) {
                return Ok((name.to_string_lossy().into_owned(), bytes));
            }
        }
        Err(LoadError::Missing { near: Vec::new() })
    }
}

/// Assembles a file of a folder for the dialect's own target, or for the Z80.
pub fn build(folder: &Path, file: &str, dialect: &str) -> Output {
    let own = scrimp::dialect::by_name(dialect).map(|d| d.target);
    let target = own.filter(|t| !t.is_empty()).unwrap_or("z80");
    let job = Job {
        file: file.into(),
        target: scrimp::targets::by_name(target).expect("the target is registered"),
        machine: None,
        dialect: dialect.into(),
        defines: Vec::new(),
    };
    assemble(&job, &Folder(folder.into()))
}

/// The findings as text, for a failing test.
pub fn findings(out: &Output) -> String {
    let mut list: Vec<_> = out.diagnostics.iter().collect();
    list.sort_by_key(|d| std::cmp::Reverse(d.level));
    list.iter()
        .take(8)
        .map(|d| {
            let place = d.span.map_or(String::new(), |s| out.sources.place(s));
            format!("    {place}: {} {}\n", d.code, d.message)
        })
        .collect()
}

/// Where two outputs part.
pub fn difference(own: &[u8], peer: &[u8]) -> Option<String> {
    if own == peer {
        return None;
    }
    let at = own.iter().zip(peer).take_while(|(a, b)| a == b).count();
    let hex = |b: &[u8]| {
        let end = b.len().min(at + 8);
        b[at.min(end)..end]
            .iter()
            .map(|b| format!("{b:02x} "))
            .collect::<String>()
    };
    Some(format!(
        "{} bytes, the peer has {}; they part at offset {at} ({at:#x}): {}| {}",
        own.len(),
        peer.len(),
        hex(own),
        hex(peer)
    ))
}
