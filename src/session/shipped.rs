//! The programs that come with scrimp, embedded so that they are found anywhere.

use crate::text::source::MemoryLoader;
use scrimp_isa::Packed;

/// Their files, by paths below `programs/`, in order.
const FILES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// Names of the programs that have a `program.toml`.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES
        .iter()
        .filter_map(|f| f.name.strip_suffix(&format!("/{}", super::manifest::FILE)))
}

/// The files of a program, named relative to its folder; `None` if there are none.
pub fn files(name: &str) -> Option<MemoryLoader> {
    let path = |f: &Packed| f.name.strip_prefix(name)?.strip_prefix('/');
    let from = FILES.iter().position(|f| path(f).is_some())?;
    let of = FILES[from..].iter().take_while(|f| path(f).is_some());
    let of = &FILES[from..from + of.count()];
    Some(
        Packed::texts(of).fold(MemoryLoader::default(), |l, (path, text)| {
            l.with(&path[name.len() + 1..], text)
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn collect(folder: &Path, below: &str, out: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                collect(&entry.path(), &format!("{name}/"), out);
            } else if name.contains('/') && !name.ends_with(".md") {
                out.push(name);
            }
        }
    }

    #[test]
    fn every_file_is_there() {
        let mut there = Vec::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        collect(&root, "", &mut there);
        there.sort();
        let packed: Vec<_> = FILES.iter().map(|f| f.name.to_owned()).collect();
        assert_eq!(there, packed);
        for file in FILES {
            let text = std::fs::read_to_string(root.join(file.name)).unwrap();
            assert!(file.text() == text, "{}", file.name);
        }
    }
}
