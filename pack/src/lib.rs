//! For build scripts: packs the texts that a binary carries, and writes the list of them that
//! the crate includes. What unpacks is `scrimp_isa::packed`.
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// What a list is made of: name and text of each file, in order.
pub type Texts = Vec<(String, String)>;

/// How hard it is packed, 0 to 10; the texts are small and packed once.
const LEVEL: u8 = 10;

/// Bytes of texts that are packed together: who asks for one unpacks those in front of it too, at
/// some 200 MB/s.
const TOGETHER: usize = 60_000;

/// The texts of a folder and of the folders in it whose names end so, by their paths below it
/// with `/`, sorted. Cargo is told to look at the folder.
///
/// # Errors
/// A file or a folder that cannot be read.
pub fn folder(folder: &Path, ends: &[&str]) -> io::Result<Texts> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut texts = Texts::new();
    below(folder, "", ends, &mut texts)?;
    texts.sort();
    Ok(texts)
}

fn below(folder: &Path, before: &str, ends: &[&str], texts: &mut Texts) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            below(&entry.path(), &format!("{name}/"), ends, texts)?;
        } else if ends.iter().any(|e| name.ends_with(e)) {
            texts.push((name, std::fs::read_to_string(entry.path())?));
        }
    }
    Ok(())
}

/// Writes `LIST.rs` into the folder of what the build makes (`OUT_DIR`): an expression of the
/// type `&[Packed]`. Neighbours are packed together.
///
/// # Errors
/// A file that cannot be written, or a caller that is no build script.
pub fn pack(list: &str, texts: &Texts) -> io::Result<()> {
    let out = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = PathBuf::from(out);
    let mut code = "{\n".to_owned();
    let mut rows = String::new();
    for (i, neighbours) in together(texts).into_iter().enumerate() {
        let file = format!("{list}-{i}.packed");
        let mut whole = String::new();
        for (name, text) in neighbours {
            let start = whole.len();
            whole.push_str(text);
            let _ = writeln!(
                rows,
                "Packed::new({name:?}, {start}..{}, P{i}),",
                whole.len()
            );
        }
        let packed = miniz_oxide::deflate::compress_to_vec(whole.as_bytes(), LEVEL);
        std::fs::write(out.join(&file), packed)?;
        let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))");
        let _ = writeln!(code, "static P{i}: &[u8] = {bytes};");
    }
    let _ = write!(code, "&[\n{rows}]\n}}\n");
    std::fs::write(out.join(format!("{list}.rs")), code)
}

/// Texts that follow each other, as many as are at most `TOGETHER` bytes.
fn together(texts: &Texts) -> Vec<&[(String, String)]> {
    let mut parts = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (at, (_, text)) in texts.iter().enumerate() {
        if bytes + text.len() > TOGETHER && at > from {
            parts.push(&texts[from..at]);
            (from, bytes) = (at, 0);
        }
        bytes += text.len();
    }
    parts.push(&texts[from..]);
    parts
}
