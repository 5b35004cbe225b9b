//! A program that a stranger wrote neither writes nor reads outside of its folders.

use super::bench::Bench;

/// A folder `game` with this `program.toml` and main file, beside files that are not its own.
fn stranger(manifest: &str, main: &str) -> Bench {
    Bench::new(&[
        ("game/program.toml", manifest),
        ("game/main.asm", main),
        ("game/lib/own.asm", "        db 1\n"),
        ("secret/key.txt", "secret"),
        ("key.txt", "secret"),
    ])
}

/// All files below the bench, relative.
fn tree(b: &Bench) -> Vec<String> {
    fn walk(b: &Bench, folder: &str, out: &mut Vec<String>) {
        for name in b.names(folder) {
            let path = format!("{folder}/{name}");
            match b.path(&path).is_dir() {
                true => walk(b, &path, out),
                false => out.push(path),
            }
        }
    }
    let mut out = Vec::new();
    walk(b, ".", &mut out);
    out
}

#[test]
fn a_name_is_the_name_of_a_file() {
    for name in [
        "/tmp/scrimp-test/abs",
        "../../evil",
        "..",
        "",
        "a/b",
        "a\\\\b",
        "a\\nb",
        "a\\u001b]0;x\\u0007b",
        "a\\u009b2Jb",
        "nul",
        "COM1.x",
        "$(reboot)",
    ] {
        let b = stranger(
            &format!("name = \"{name}\"\nmain = \"main.asm\"\n"),
            "        nop\n",
        );
        let before = tree(&b);
        for command in ["build", "check", "size"] {
            let ran = b.run(&[command, "game"]);
            assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.out, ran.err);
            assert!(
                ran.err.contains("game/program.toml:1:8") && ran.err.contains("E0080"),
                "{name}: {}",
                ran.err
            );
            assert!(
                !format!("{}{}", ran.out, ran.err).contains(|c: char| c.is_control() && c != '\n'),
                "{name}: {:?}",
                ran.err
            );
        }
        assert_eq!(tree(&b), before, "{name}");
    }
}

#[test]
fn a_file_that_a_source_asks_for_has_a_plain_name() {
    let main = " device zxspectrum48\n org $8000\n nop\n savebin \"a\u{1b}[31m.bin\",$8000,1\n";
    let b = stranger("dialect = \"sjasmplus\"\nmain = \"main.asm\"\n", main);
    let before = tree(&b);
    let ran = b.run(&["build", "game", "--saves"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("is no name of a file"), "{}", ran.err);
    assert_eq!(tree(&b), before);
}

#[test]
fn a_program_reads_its_own_folder() {
    let b = stranger(
        "main = 'main.asm'\ninclude = ['lib']\n",
        "        include \"own.asm\"\n",
    );
    assert_eq!(b.run(&["build", "game"]).code, Some(0));
    assert_eq!(b.read("build/game.bin"), Some(vec![1]));
    let secrets = [
        ("", "incbin \"../key.txt\""),
        ("", "incbin \"../secret/key.txt\""),
        ("include = ['../secret']\n", "incbin \"key.txt\""),
        ("include = ['..']\n", "incbin \"secret/key.txt\""),
        ("include = ['/etc']\n", "incbin \"passwd\""),
        ("", "incbin \"/etc/passwd\""),
        ("", "include \"../secret/key.txt\""),
        (
            "dialect = 'native-cpp'\n",
            "\n#include \"../secret/key.txt\"",
        ),
        ("dialect = 'pasmo'\n", "incbin ../secret/key.txt"),
    ];
    for (manifest, line) in secrets {
        let b = stranger(
            &format!("main = 'main.asm'\n{manifest}"),
            &format!("        {line}\n"),
        );
        for command in ["build", "run", "size"] {
            let ran = b.run(&[command, "game"]);
            assert_eq!(
                ran.code,
                Some(1),
                "{manifest}{line}: {}{}",
                ran.out,
                ran.err
            );
            assert!(ran.err.contains("E0002"), "{line}: {}", ran.err);
            assert!(ran.err.contains("--allow-read"), "{line}: {}", ran.err);
        }
        assert!(b.names("build").is_empty());
    }
    // From its own folder too, and the main file as well.
    let b = stranger("main = '../key.txt'\n", "");
    let ran = b.run(&["build", "game"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("E0002"),
        "{}",
        ran.err
    );
    let b = stranger("main = 'main.asm'\n", "        incbin \"../key.txt\"\n");
    let mut inside = b.command(&["build"]);
    let out = inside
        .current_dir(b.path("game"))
        .output()
        .expect("it runs");
    assert_eq!(out.status.code(), Some(1));
}

#[test]
fn the_command_line_allows_more() {
    let manifest = "main = 'main.asm'\n";
    let b = stranger(manifest, "        incbin \"../secret/key.txt\"\n");
    for allowed in [
        ["--allow-read", "secret"],
        ["--allow-read", "."],
        ["-I", "secret"],
    ] {
        let ran = b.run(&[&["build", "game"][..], &allowed].concat());
        assert_eq!(ran.code, Some(0), "{allowed:?}: {}", ran.err);
    }
    let ran = b.run(&["build", "game", "--allow-read", "build"]);
    assert_eq!(ran.code, Some(1));
    // A file that is read first is allowed, its neighbours are not.
    let b = stranger(manifest, "        db N\n");
    std::fs::write(b.path("secret/n.asm"), "N equ 3\n").expect("a file");
    let ran = b.run(&["build", "game", "-i", "secret/n.asm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    std::fs::write(b.path("secret/n.asm"), "N equ 3\n incbin \"key.txt\"\n").expect("a file");
    assert_eq!(
        b.run(&["build", "game", "-i", "secret/n.asm"]).code,
        Some(1)
    );
    // A source that the command line names may read beside it, as it always could.
    std::fs::write(b.path("game/alone.asm"), "        incbin \"../key.txt\"\n").expect("a file");
    let ran = b.run(&["build", "game/alone.asm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_revision_in_git_reaches_no_further() {
    let b = stranger("main = 'main.asm'\n", "        incbin \"../key.txt\"\n");
    for args in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["commit", "--quiet", "-m", "first"],
    ] {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .current_dir(b.0.path())
            .output()
            .expect("git runs");
        assert!(done.status.success(), "{done:?}");
    }
    std::fs::write(b.path("game/main.asm"), "        db 1\n").expect("a file");
    let ran = b.run(&["size", "game", "--against", "HEAD"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("E0002"),
        "{}",
        ran.err
    );
    let ran = b.run(&["size", "game", "--against", "HEAD", "--allow-read", "."]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let manifest = "name = 'game'\nmain = 'main.asm'\nemit = ['bin', 'sym']\n[budget]\ntotal = 9\n";
    // In: a file and a folder of the program that are elsewhere.
    for line in ["incbin \"link.txt\"", "incbin \"folder/key.txt\""] {
        let b = stranger(manifest, &format!("        {line}\n"));
        symlink("../key.txt", b.path("game/link.txt")).expect("a link");
        symlink("../secret", b.path("game/folder")).expect("a link");
        let ran = b.run(&["build", "game"]);
        assert!(
            ran.code == Some(1) && ran.err.contains("E0002"),
            "{}",
            ran.err
        );
    }
    // Out: built from inside, what the folder of outputs leads to came with the program.
    let outs = [
        ("../secret", "build"),
        ("../../secret", "build/.scrimp"),
        ("../../secret/key.txt", "build/game.bin"),
        ("../../../secret/key.txt", "build/.scrimp/game.json"),
    ];
    for (to, link) in outs {
        let b = stranger(manifest, "        db 1\n");
        let path = b.path("game").join(link);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        symlink(to, path).expect("a link");
        let before = tree(&b);
        let mut inside = b.command(&["build"]);
        let out = inside
            .current_dir(b.path("game"))
            .output()
            .expect("it runs");
        assert_eq!(out.status.code(), Some(2), "{link}: {out:?}");
        assert_eq!(b.read("secret/key.txt").as_deref(), Some(&b"secret"[..]));
        assert_eq!(tree(&b), before, "{link}");
    }
    // The user's own word counts.
    let b = stranger(manifest, "        db 1\n");
    symlink("secret", b.path("out")).expect("a link");
    let ran = b.run(&["build", "game", "-o", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("secret/game.bin"), Some(vec![1]));
}
