//! Running the peers, where they are installed.

// Not every binary needs all of them.
#![allow(dead_code)]

use std::path::Path;

/// The command of a dialect's own assembler.
pub fn command(dialect: &str) -> &str {
    match dialect {
        "vasm" => "vasmz80_oldstyle",
        other => other,
    }
}

/// Assembles with the real pasmo, z80asm, zmac, vasm or rasm in `folder`; its bytes, or nothing
/// if it reports an error.
pub fn peer(dialect: &str, folder: &Path, file: &str, output: &Path) -> Option<Vec<u8>> {
    use std::process::{Command, Stdio};
    let _ = std::fs::remove_file(output);
    let mut c = Command::new(command(dialect));
    match dialect {
        "vasm" => c.args(["-quiet", "-Fbin", "-o"]).arg(output).arg(file),
        "z80asm" => c.arg("-o").arg(output).arg(file),
        "rasm" => c.arg(file).arg("-ob").arg(output),
        "zmac" => c.arg("-o").arg(output.with_extension("cim")).arg(file),
        _ => c.arg(file).arg(output),
    };
    let ok = c
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    let written = match dialect {
        "zmac" => output.with_extension("cim"),
        _ => output.to_owned(),
    };
    ok.then(|| std::fs::read(written).unwrap_or_default())
}
