//! Every page of `docs/explain` has an example, and the example provokes its code.

use scrimp::diagnostic::codes;
use std::path::Path;
use std::process::Command;

/// The first fenced block: what stands behind the fence, and the text.
fn example(page: &str) -> Option<(&str, &str)> {
    let (_, rest) = page.split_once("## Example\n\n```")?;
    let (info, rest) = rest.split_once('\n')?;
    let (text, _) = rest.split_once("```")?;
    Some((info, text))
}

/// The codes that the command prints for an example.
fn codes_of(info: &str, text: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let mut words = info.split(' ');
    let file = match words.next() {
        Some("toml") => "program.toml",
        _ => "main.asm",
    };
    std::fs::write(dir.path().join("main.asm"), "").expect("a file");
    std::fs::write(dir.path().join(file), text).expect("a file");
    let mut words = words.peekable();
    let command = words.next_if_eq(&"translate").unwrap_or("build");
    let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
        .args([command, file, "-o", "out", "--message-format", "short"])
        .args(words)
        .current_dir(dir.path())
        .output()
        .expect("the command runs");
    String::from_utf8(out.stderr).expect("text")
}

#[test]
fn examples_provoke_their_codes() {
    let mut faults = Vec::new();
    for entry in codes::ALL {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/explain/{}.md", entry.code));
        let page = std::fs::read_to_string(&path).expect("the page of a code");
        let Some((info, text)) = example(&page) else {
            faults.push(format!("{}: no example", entry.code));
            continue;
        };
        let found = codes_of(info, text);
        if !found.contains(&format!("[{}]", entry.code)) {
            faults.push(format!("{} is not provoked, but:\n{found}", entry.code));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_command_prints_pages() {
    let run = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_scrimp"))
            .arg("explain")
            .args(args)
            .output();
        let out = out.expect("the command runs");
        (
            out.status.code(),
            String::from_utf8(out.stdout).expect("text"),
        )
    };
    let (code, text) = run(&["e0022"]);
    assert!(code == Some(0) && text.starts_with("# E0022"));
    let (code, text) = run(&[]);
    assert_eq!((code, text.lines().count()), (Some(0), codes::ALL.len()));
    assert_eq!(run(&["E9999"]).0, Some(2));
}
