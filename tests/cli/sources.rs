//! Where sources come from and what a build tells make, ninja, shells and people.

use super::bench::Bench;
use std::io::Write;
use std::process::Stdio;

#[test]
fn standard_input_is_a_source() {
    let b = Bench::new(&[("part.asm", "        db 2\n")]);
    let mut child = b
        .command(&["build", "-", "-o", "x.bin"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"        db 1\n        include \"part.asm\"\n")
        .expect("it is read");
    drop(input);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(b.read("x.bin"), Some(vec![1, 2]));
    let mut child = b.command(&["build", "-"]);
    let mut child = child
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b" frob\n")
        .expect("it is read");
    let out = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&out.stderr);
    assert!(err.contains("<standard input>:1:2: error[E0020]"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_source() {
    let b = Bench::new(&[]);
    let made = std::process::Command::new("mkfifo")
        .arg(b.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    let child = b
        .command(&["build", "pipe", "-o", "x.bin"])
        .spawn()
        .expect("it runs");
    std::fs::write(b.path("pipe"), "        db 7\n").expect("it is read");
    assert!(child.wait_with_output().expect("it ends").status.success());
    assert_eq!(b.read("x.bin"), Some(vec![7]));
}

#[test]
fn make_and_ninja_know_what_changed() {
    let files = [
        (
            "main file.asm",
            "        include \"lib/a b$#.asm\"\n        incbin \"d:x.dat\"\n",
        ),
        ("lib/a b$#.asm", "        db 1\n"),
        ("d:x.dat", "x"),
        (
            "Makefile",
            "main.bin:\n\t\"$(SCRIMP)\" build \"main file.asm\" -q -o $@ -MD -MF main.d\n-include main.d\n",
        ),
        (
            "build.ninja",
            "rule s\n  command = \"$scrimp\" build \"main file.asm\" -q -o $out --depfile $out.d\n  deps = gcc\n  depfile = $out.d\nbuild n.bin: s\n",
        ),
    ];
    let b = Bench::new(&files);
    let scrimp = env!("CARGO_BIN_EXE_scrimp");
    let ran = b.run(&["build", "main file.asm", "-o", "main.bin", "-MD"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let text = String::from_utf8(b.read("main.d").expect("a depfile")).expect("text");
    for name in [
        "main.bin:",
        "main\\ file.asm",
        "lib/a\\ b$$\\#.asm",
        "d\\:x.dat",
    ] {
        assert!(text.contains(name), "{text}");
    }
    assert!(text.contains("\n\nd\\:x.dat:\n"), "a rule for each: {text}");
    let there = |tool: &str| crate::common::tools::have(&[tool]);
    let run = |tool: &str, args: &[&str]| {
        let out = std::process::Command::new(tool)
            .args(args)
            .env("SCRIMP", scrimp)
            .current_dir(b.0.path())
            .output()
            .expect("it runs");
        assert!(out.status.success(), "{out:?}");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let tools: [(&str, &[&str], &str); 2] = [
        ("make", &["main.bin"], "up to date"),
        ("ninja", &["n.bin"], "no work"),
    ];
    let date = |time: std::time::SystemTime| {
        let file = std::fs::File::options()
            .append(true)
            .open(b.path("d:x.dat"))
            .expect("it");
        file.set_modified(time).expect("a time");
    };
    for (tool, args, nothing) in tools.into_iter().filter(|t| there(t.0)) {
        // As it was before the tool before.
        date(std::time::SystemTime::now() - std::time::Duration::from_secs(60));
        if tool == "ninja" {
            let text = String::from_utf8(b.read("build.ninja").expect("it")).expect("text");
            std::fs::write(b.path("build.ninja"), format!("scrimp = {scrimp}\n{text}"))
                .expect("it");
        }
        run(tool, args);
        assert!(run(tool, args).contains(nothing), "{tool}");
        // A second later, for file systems that count seconds.
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
        std::fs::write(b.path("d:x.dat"), "y").expect("a file");
        date(later);
        assert!(!run(tool, args).contains(nothing), "{tool}");
    }
}

#[test]
fn editors_and_workflows_read_findings() {
    let b = Bench::new(&[("a b.asm", "        nop\n  frob\n")]);
    let ran = b.run(&["build", "a b.asm", "--message-format", "short"]);
    let line = ran.err.lines().next().expect("a line");
    // What the problem matcher of gcc takes apart.
    let (place, rest) = line.split_once(": error: ").expect("an error");
    assert_eq!(place, "a b.asm:2:3");
    assert!(rest.ends_with(" [E0020]"), "{line}");
    let ran = b.run(&["build", "a b.asm", "--message-format", "github"]);
    let line = ran.err.lines().next().expect("a line");
    assert!(
        line.starts_with("::error title=E0020,file=a b.asm,line=2,col=3::no such"),
        "{line}"
    );
}

#[test]
fn the_binary_has_its_manual() {
    let b = Bench::new(&[]);
    let all = b.run(&["help"]);
    assert_eq!(all.code, Some(0));
    for page in ["program-toml", "native", "avr-simulator", "command-line"] {
        assert!(all.out.contains(page), "{page}");
    }
    for (topic, has) in [
        ("program-toml", "# program.toml"),
        ("program.toml", "# program.toml"),
        ("zx81", "# "),
        ("pasmo", "pasmo"),
        ("build", "--emit"),
        ("E0022", "# E0022"),
    ] {
        let ran = b.run(&["help", topic]);
        assert!(
            ran.code == Some(0) && ran.out.contains(has),
            "{topic}: {}",
            ran.err
        );
    }
    let ran = b.run(&["help", "zx82"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("zx81"),
        "{}",
        ran.err
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = b.run(&["completions", shell]);
        assert!(ran.code == Some(0) && ran.out.contains("scrimp"), "{shell}");
    }
    let man = b.run(&["man"]);
    for command in ["build", "play", "disasm", "man"] {
        assert!(
            man.out.contains(&format!(".TH scrimp-{command} 1")),
            "{command}"
        );
    }
    assert_eq!(b.run(&["man", "-o", "pages"]).code, Some(0));
    assert!(b.names("pages").contains(&"scrimp-build.1".to_owned()));
    assert_eq!(b.run(&["man", "bild"]).code, Some(2));
}

/// Sources from systems where letters count in any case and `\` separates folders.
#[test]
fn files_are_found_as_where_the_sources_come_from() {
    let bytes = "\tincbin \"INC\\DATA.BIN\"\n\tincbin \"/inc/data.bin\"\n";
    let source = format!("\tinclude \"inc\\Part.ASM\"\n{bytes}");
    let b = Bench::new(&[
        ("main.asm", &source),
        ("Inc/part.asm", "\tdb 1\n"),
        ("Inc/data.bin", "A"),
    ]);
    for dialect in ["pasmo", "sjasmplus", "mdl"] {
        let args = ["--dialect", dialect, "-I", ".", "-o", "x.bin"];
        let ran = b.run(&[&["build", "main.asm"][..], &args].concat());
        assert_eq!(ran.code, Some(0), "{dialect}: {}", ran.err);
        assert_eq!(b.read("x.bin"), Some(b"\x01AA".to_vec()), "{dialect}");
    }
    // Its own language is the same everywhere.
    let ran = b.run(&["build", "main.asm", "-o", "x.bin"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("there is no file"), "{}", ran.err);
}
