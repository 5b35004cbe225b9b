//! Packs the data files of the devices, and lists which device is in which.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut texts = scrimp_pack::folder(Path::new("devices"), &[".avr"])?;
    for (name, _) in &mut texts {
        name.truncate(name.len() - ".avr".len());
    }
    texts.sort();
    scrimp_pack::pack("devices", &texts)?;
    let mut code = "&[\n".to_owned();
    for (file, (_, text)) in texts.iter().enumerate() {
        // They stand in front of all else.
        for line in text.lines().take_while(|l| *l != "vectors") {
            if let Some(rest) = line.strip_prefix("device ") {
                let name = rest.split(' ').next().unwrap_or(rest);
                let _ = writeln!(code, "({name:?}, {file}),");
            }
        }
    }
    code.push_str("]\n");
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or(std::io::ErrorKind::NotFound)?;
    std::fs::write(out.join("names.rs"), code)
}
