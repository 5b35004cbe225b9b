//! Files that a source of sjasmplus asks for: `NAME.asm` in `tests/dialects/sjasmplus/files`
//! asks, `NAME.sums` has each file that sjasmplus 1.23.1 wrote: its name, bytes, FNV-1a of 64 bits.
//! Likewise `tests/dialects/rasm/files` and rasm 3.2.7, with zeros where it says in a header who
//! made the file, and without the chunk of names at the end of its snapshots.

use crate::common::{build, findings};
use std::collections::BTreeMap;
use std::path::Path;

fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The files of a source, and what is known of them.
fn compared(
    folder: &Path,
    name: &str,
    dialect: &str,
) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let out = build(folder, name, dialect);
    let image = out.image.as_ref();
    let image = image.unwrap_or_else(|| panic!("{name}\n{}", findings(&out)));
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for (file, bytes) in &image.saved {
        files.insert(file.clone(), format!("{} {:016x}", bytes.len(), sum(bytes)));
    }
    if dialect == "sjasmplus" {
        let raw = image.binary(0);
        files.insert("raw".into(), format!("{} {:016x}", raw.len(), sum(&raw)));
    }
    let sums = folder.join(name).with_extension("sums");
    let text = std::fs::read_to_string(sums).expect("a .sums beside each .asm");
    let line = |l: &str| {
        let (file, rest) = l.split_once(' ').expect("a name");
        (file.to_owned(), rest.to_owned())
    };
    (files, text.lines().map(line).collect())
}

/// A picture file of 256 colours, its last row first or last.
fn picture(width: u32, height: u32, turned: bool) -> Vec<u8> {
    let mut out = b"BM".to_vec();
    let size = 54 + 1024 + width * height;
    let rows = if turned {
        height
    } else {
        height.wrapping_neg()
    };
    for word in [
        size,
        0,
        1078,
        40,
        width,
        rows,
        0x8_0001,
        0,
        width * height,
        0,
        0,
        256,
        0,
    ] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend((0..1024u32).map(|i| (i * 37) as u8));
    out.extend((0..width * height).map(|i| (i / width * 13 + i % width * 7) as u8));
    out
}

#[test]
fn files_are_those_of_sjasmplus() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects/sjasmplus/files");
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&from).expect("the folder") {
        let name = entry
            .expect("a file")
            .file_name()
            .into_string()
            .expect("a name");
        std::fs::copy(from.join(&name), folder.join(&name)).expect("a copy");
        names.push(name);
    }
    for (name, w, h, turned) in [("p.bmp", 320, 256, true), ("q.bmp", 256, 192, false)] {
        std::fs::write(folder.join(name), picture(w, h, turned)).expect("a picture");
    }
    let mut count = 0;
    for name in names.iter().filter(|n| n.ends_with(".asm")) {
        let (files, known) = compared(folder, name, "sjasmplus");
        assert_eq!(files, known, "{name}");
        count += files.len();
    }
    assert!(count >= 40, "only {count} files");
}

#[test]
fn files_are_those_of_rasm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects/rasm/files");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder") {
        let name = entry.expect("a file").file_name();
        let name = name.to_str().expect("a name");
        if name.ends_with(".asm") {
            let (files, known) = compared(&folder, name, "rasm");
            assert_eq!(files, known, "{name}");
            count += files.len();
        }
    }
    assert!(count >= 9, "only {count} files");
}

/// Sources that ask for what cannot be, and what they are told.
#[test]
fn requests_that_cannot_be_done_are_told() {
    for (source, code, told) in [
        (" savesna \"a\", 1\n", "E0024", "needs a device"),
        (
            " device noslot64k\n savesna \"a\", 1\n",
            "E0024",
            "Spectrum",
        ),
        (" device zxspectrum48\n savesna \"a\"\n", "E0070", "start"),
        (
            " device zxspectrum48\n savebin \"a\", 70000\n",
            "E0022",
            "70000",
        ),
        (" device zxspectrum48\n savebin \"a\"\n", "E0013", "address"),
        (" device zxspectrum48\n page 4\n", "E0022", "0 to 3"),
        (" device zxspectrum48\n slot 4\n", "E0022", "0 to 3"),
        (" device zxspectrum48\n mmu 2 1, 0\n", "E0023", "before"),
        (" device zxspectrum48\n mmu 2 3, 3\n", "E0022", "pages"),
        (" device zxspectrum48, 5\n", "E0022", "$5D00"),
        (
            " device zxspectrum48\n mmu 1 e, 0, $7fff\n db 1,2\n nop\n",
            "E0022",
            "slot 1",
        ),
        (
            " device zxspectrum48\n savetap \"a\", CODE, \"b\", 1\n",
            "E0013",
            "expected",
        ),
        (
            " device zxspectrum48\n tapout \"a\"\n db 1\n",
            "E0070",
            "EMPTYTAP",
        ),
        (
            " device zxspectrum48\n savetrd \"a\", \"b.C\", 1, 2\n",
            "E0070",
            "EMPTYTRD",
        ),
        (" savenex open \"a\"\n", "E0024", "ZXSPECTRUMNEXT"),
        (" device zxspectrumnext\n savenex bank 5\n", "E0070", "open"),
        (
            " device zxspectrumnext\n savenex opens 5\n",
            "E0023",
            "command",
        ),
        (
            " device zxspectrumnext\n savenex open \"a\"\n savenex bank 2,5\n",
            "E0070",
            "before those",
        ),
        (
            " device zxspectrumnext\n savenex open \"a\",0,0,0,2\n savenex cfg3 1\n",
            "E0070",
            "version 3",
        ),
        (" defdevice own, 100, 1\n", "E0022", "256"),
        (
            " defdevice own, 256, 4\n defdevice own, 256, 4\n",
            "E0031",
            "own",
        ),
        (" opt --what\n", "E0023", "`what`"),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join("a.asm"), source).expect("a source");
        let out = build(dir.path(), "a.asm", "sjasmplus");
        let found = out.diagnostics.iter().find(|d| d.code == code);
        let text = found.map(|d| format!("{} {}", d.message, d.help.clone().unwrap_or_default()));
        let right = text.is_some_and(|t| t.contains(told));
        assert!(right, "{source}: {}", findings(&out));
        assert!(found.is_some_and(|d| d.span.is_some()), "{source}");
    }
}
