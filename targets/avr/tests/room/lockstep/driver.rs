//! The program around simavr, and images to run: made where the tools are installed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/room/lockstep/simavr.c");

/// Runs a tool; `None` when it is not there or fails.
fn run(command: &mut Command) -> Option<()> {
    let output = command.output().ok()?;
    if output.status.success() {
        return Some(());
    }
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    None
}

/// A name in `folder` that no other test takes.
pub fn scratch(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{}-{name}", std::process::id()))
}

/// Compiles the driver; `None` without a C compiler or libsimavr.
pub fn driver(folder: &Path) -> Option<PathBuf> {
    let path = scratch(folder, "simavr");
    let mut cc = Command::new("cc");
    run(cc.args(["-O2", "-o"]).arg(&path).args([SOURCE, "-lsimavr"]))?;
    Some(path)
}

/// Compiles a C program of this room, such as `benches/programs/crc.c`, to a flash image;
/// `None` without avr-gcc.
pub fn compile(folder: &Path, source: &str, mcu: &str) -> Option<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.replace('/', "-");
    let elf = scratch(folder, &format!("{mcu}-{name}.elf"));
    let bin = scratch(folder, &format!("{mcu}-{name}.bin"));
    let mut gcc = Command::new("avr-gcc");
    run(gcc
        .args(["-Os", "-std=gnu99", &format!("-mmcu={mcu}"), "-o"])
        .arg(&elf)
        .arg(path))?;
    let mut objcopy = Command::new("avr-objcopy");
    run(objcopy.args(["-O", "binary"]).args([&elf, &bin]))?;
    std::fs::read(bin).ok()
}

/// Starts the driver.
pub fn start(driver: &Path, words: [&str; 4]) -> Child {
    let mut command = Command::new(driver);
    let child = command.args(words).stdout(Stdio::piped()).spawn();
    child.expect("the driver starts")
}
