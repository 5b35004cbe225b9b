//! The README cannot drift: its commands are run and their output is compared, the
//! programs' figures are asked for, and its picture is made again. `BLESS=1 cargo test --test cli readme`
//! writes what is found instead.

use crate::readme_programs;
use std::path::Path;
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let goal = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &goal);
        } else {
            std::fs::copy(&path, &goal).expect("a copy");
        }
    }
}

/// A folder like a fresh clone, as far as the commands need it.
fn clone() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    copy(&root().join("programs"), &dir.path().join("programs"));
    copy(
        &root().join("docs/example"),
        &dir.path().join("docs/example"),
    );
    dir
}

/// What the command prints, messages behind the rest.
fn run(folder: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    let text = String::from_utf8(out.stdout).expect("text");
    text + &String::from_utf8(out.stderr).expect("text")
}

fn compare(file: &str, found: &[u8]) {
    let path = root().join(file);
    if blessing() {
        std::fs::write(&path, found).expect("a file");
        return;
    }
    let known = std::fs::read(&path).unwrap_or_default();
    if known != found {
        let text = String::from_utf8_lossy(found);
        panic!("{file} is not what the tool makes now; BLESS=1 rewrites it\n{text:.3000}");
    }
}

#[test]
fn commands_print_what_the_readme_shows() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let folder = clone();
    let mut out = String::new();
    let mut commands = 0;
    let mut lines = text.lines().peekable();
    let tool = |args: &[&str]| run(folder.path(), args);
    let mut rows = 0;
    while let Some(line) = lines.next() {
        if let Some(row) = readme_programs::row(line, &tool) {
            rows += 1;
            out.push_str(&row);
            out.push('\n');
            continue;
        }
        out.push_str(line);
        out.push('\n');
        if line != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|l| *l != "```") {
            let Some(command) = line.strip_prefix("$ ") else {
                continue;
            };
            let words: Vec<&str> = command.split(' ').collect();
            out.push_str(line);
            out.push('\n');
            match words[0] {
                "scrimp" => {
                    out.push_str(&run(folder.path(), &words[1..]));
                    commands += 1;
                }
                "cat" => {
                    let file = folder.path().join(words[1]);
                    out.push_str(&std::fs::read_to_string(file).expect("a file"));
                }
                other => panic!("{other} cannot be run"),
            }
        }
    }
    assert!(commands >= 4, "the README shows commands");
    assert_eq!(rows, readme_programs::rows(), "rows of the programs");
    compare("README.md", out.as_bytes());
}

#[test]
fn the_pictures_are_made_by_the_tool() {
    let folder = clone();
    // On the Gigatron: level 3, and the pawn before the king goes two steps.
    let level = "l,w5,".repeat(7);
    let move_ = "w10,BUTTON A,w10,UP,w10,UP,w10,BUTTON A,w400";
    let gigatron = format!("{level}{move_}");
    for (program, keys, picture) in [
        ("zx81-chess-seed", "E,2,E,4,w100,D,2,D,4,w100", "chess.png"),
        ("gigatron-chess", gigatron.as_str(), "gigatron-chess.png"),
    ] {
        let mut args = vec!["run", program, "--keys", keys, "--png", picture];
        if program == "gigatron-chess" {
            args.extend(["--frames", "60"]);
        }
        let said = run(folder.path(), &args);
        assert_eq!(said, "");
        let found = std::fs::read(folder.path().join(picture)).expect("the picture");
        compare(&format!("docs/{picture}"), &found);
    }
}
