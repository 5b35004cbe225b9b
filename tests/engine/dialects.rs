//! The foreign dialects against their peers' bytes: each `NAME.asm` in
//! `tests/dialects/DIALECT` probes one rule, `NAME.hex` is what the peer made of
//! it. Sources in `errors` are refused by the peer and must be refused here, at
//! a place.

use crate::common::{build, difference, findings};
use std::path::{Path, PathBuf};

fn folder(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/dialects")
        .join(dialect)
}

fn sources(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of goldens")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".asm"))
        .collect();
    names.sort();
    names
}

fn unhex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|w| u8::from_str_radix(w, 16).expect("two hex digits"))
        .collect()
}

fn same_bytes(dialect: &str, least: usize) {
    let folder = folder(dialect);
    let names = sources(&folder);
    assert!(names.len() >= least, "goldens are missing");
    let mut faults = String::new();
    for name in &names {
        let golden = folder.join(name).with_extension("hex");
        let want = unhex(&std::fs::read_to_string(&golden).expect("a .hex beside each .asm"));
        let out = build(&folder, name, dialect);
        match &out.image {
            None => faults += &format!("{name}: not assembled\n{}", findings(&out)),
            Some(image) => {
                if let Some(d) = difference(&image.binary(0), &want) {
                    faults += &format!("{name}: {d}\n");
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

fn refused(dialect: &str, least: usize) {
    let folder = folder(dialect).join("errors");
    let names = sources(&folder);
    assert!(names.len() >= least, "error probes are missing");
    let mut faults = String::new();
    for name in &names {
        let out = build(&folder, name, dialect);
        if out.image.is_some() {
            faults += &format!("{name}: accepted\n");
        } else if !out.diagnostics.iter().any(|d| d.span.is_some()) {
            faults += &format!("{name}: no place\n{}", findings(&out));
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn pasmo_bytes() {
    same_bytes("pasmo", 56);
}

#[test]
fn z80asm_bytes() {
    same_bytes("z80asm", 37);
}

#[test]
fn sjasmplus_bytes() {
    same_bytes("sjasmplus", 24);
    same_bytes("sjasmplus-dirbol", 1);
    same_bytes("sjasm", 18);
    same_bytes("mdl", 4);
}

#[test]
fn sjasmplus_errors() {
    refused("sjasmplus", 28);
    refused("sjasm", 12);
}

#[test]
fn the_time_of_sjasmplus_is_always_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("a.asm"), " db __DATE__,0,__TIME__\n").expect("written");
    let out = build(dir.path(), "a.asm", "sjasmplus");
    let codes: Vec<&str> = out.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["W0021", "W0021"], "{}", findings(&out));
    let image = out.image.expect("an image");
    assert_eq!(image.binary(0), b"2000-01-01\x0000:00:00");
}

#[test]
fn pasmo_errors() {
    refused("pasmo", 39);
}

#[test]
fn z80asm_errors() {
    refused("z80asm", 30);
}

#[test]
fn zasm_bytes() {
    same_bytes("zasm", 28);
    same_bytes("zasm-8080", 2);
    same_bytes("zasm-reqcolon", 1);
}

#[test]
fn zasm_errors() {
    refused("zasm", 25);
    refused("zasm-reqcolon", 2);
    refused("zasm-8080", 10);
}

#[test]
fn tasm_bytes() {
    same_bytes("tasm", 12);
}

#[test]
fn tasm_errors() {
    refused("tasm", 7);
}

#[test]
fn zmac_bytes() {
    same_bytes("zmac", 15);
    same_bytes("zmac-8080", 1);
    same_bytes("zmac-zmac", 2);
}

#[test]
fn zmac_errors() {
    refused("zmac", 30);
    refused("zmac-8080", 1);
    refused("zmac-zmac", 2);
}

#[test]
fn rasm_bytes() {
    same_bytes("rasm", 13);
    same_bytes("rasm-pasmo", 1);
    same_bytes("rasm-amper", 1);
}

#[test]
fn rasm_errors() {
    refused("rasm", 62);
}

#[test]
fn asl_bytes() {
    same_bytes("asl", 16);
    same_bytes("asl-case", 1);
    same_bytes("asl-8080", 2);
}

#[test]
fn asl_errors() {
    refused("asl", 67);
}

#[test]
fn glass_bytes() {
    same_bytes("glass", 10);
}

#[test]
fn glass_errors() {
    refused("glass", 57);
}

#[test]
fn vasm_bytes() {
    same_bytes("vasm", 16);
    same_bytes("vasm-dotdir", 1);
    same_bytes("vasm-nocase", 1);
    same_bytes("vasm-dotdir-nocase", 1);
}

#[test]
fn vasm_errors() {
    refused("vasm", 33);
    refused("vasm-dotdir", 1);
}

#[test]
fn gasm_bytes() {
    same_bytes("gasm", 5);
}

#[test]
fn gasm_errors() {
    refused("gasm", 12);
}

#[test]
fn gcl_bytes() {
    same_bytes("gcl", 7);
}

#[test]
fn gcl_errors() {
    refused("gcl", 34);
}
