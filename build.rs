//! Packs the shipped programs and the pages of the manual.

use scrimp_pack::{folder, pack};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let mut programs = folder(Path::new("programs"), &[".asm", ".toml"])?;
    programs.retain(|p| p.0.contains('/'));
    pack("programs", &programs)?;
    for pages in ["manual", "explain"] {
        let mut texts = folder(&Path::new("docs").join(pages), &[".md"])?;
        for (name, _) in &mut texts {
            name.truncate(name.len() - ".md".len());
        }
        texts.sort();
        pack(pages, &texts)?;
    }
    Ok(())
}
