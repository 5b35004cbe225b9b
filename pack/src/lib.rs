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
/// type `&[Packed]`.
///
/// # Errors
/// A file that cannot be written, or a caller that is no build script.
pub fn pack(list: &str, texts: &Texts) -> io::Result<()> {
    let out = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = PathBuf::from(out);
    let mut code = "&[\n".to_owned();
    for (i, (name, text)) in texts.iter().enumerate() {
        let file = format!("{list}-{i}.packed");
        let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), LEVEL);
        std::fs::write(out.join(&file), packed)?;
        let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))");
        let _ = writeln!(code, "Packed::new({name:?}, {}, {bytes}),", text.len());
    }
    code.push_str("]\n");
    std::fs::write(out.join(format!("{list}.rs")), code)
}
