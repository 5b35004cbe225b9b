//! GCL: the file that a program becomes, what is said of it, long sources.

use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn assemble(text: &str) -> Output {
    let job = Job {
        file: "main.gcl".into(),
        target: scrimp::targets::by_name("vcpu").expect("the vCPU"),
        machine: None,
        dialect: "gcl".into(),
        defines: vec![("_Given".into(), 0x1234.into())],
    };
    scrimp::assemble(&job, &MemoryLoader::default().with("main.gcl", text))
}

fn findings(text: &str) -> Vec<String> {
    let out = assemble(text);
    let list = out.diagnostics.iter();
    list.map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// The command, in a folder.
fn scrimp(folder: &Path, args: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scrimp"));
    let out = command.args(args).current_dir(folder).output();
    let out = out.expect("the command runs");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.success(), text(&out.stdout) + &text(&out.stderr))
}

/// The `.gt1` of a program.
#[track_caller]
fn file(text: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("p.gcl"), text).expect("a file");
    let language = ["--dialect", "gcl", "--target", "vcpu", "-q"];
    let output = ["--emit", "gt1", "-o", "p.gt1"];
    let args = [&["build", "p.gcl"], &language[..], &output[..]].concat();
    let (good, said) = scrimp(dir.path(), &args);
    assert!(good, "{said}");
    std::fs::read(dir.path().join("p.gt1")).expect("a file")
}

/// As compilegcl.py makes them.
#[test]
fn segments_are_those_of_the_source() {
    // In its order, also side by side; one without bytes is none.
    let text = "gcl0x *=$402 #5 *=$500 *=$400 `ab *=$3F0 [def ret] start= segment1=";
    let expected = [
        &[4, 2, 1, 5][..],
        &[4, 0, 2, 0x61, 0x62],
        &[3, 0xf0, 7, 0xcd, 0xf1, 0xff, 0x2b, 0x30, 0x2b, 0x32],
        &[0, 4, 2],
    ];
    assert_eq!(file(text), expected.concat());
    // Page 0 comes first and is no start.
    let expected = [0, 0x30, 1, 7, 2, 0, 1, 8, 0, 2, 0];
    assert_eq!(file("gcl0x *=$30 #7 *=$200 #8"), expected);
    // None is said, and none is meant.
    assert_eq!(
        file("gcl0x execute=0 _start=$200 #1"),
        [2, 0, 1, 1, 0, 0, 0]
    );
}

#[test]
fn a_program_that_returns_gets_a_starter() {
    let starter = [
        0x5b, 0x86, 6, 0x11, 0x34, 0x12, 0x2b, 0x1a, 0xff, 0, 0x5b, 0x86,
    ];
    let expected = [&[2, 0, 1, 0xff][..], &starter].concat();
    assert_eq!(file("gcl0x ret execute=$1234"), expected);
    assert_eq!(file("gcl0x [ret] execute=$1234")[4..], [0, 0x12, 0x34]);
}

#[test]
fn what_is_doubtful_is_said() {
    for (text, expected) in [
        ("gcl0x -5+", "W0002"),
        ("gcl0x 70000", "W0002"),
        ("gcl0x 600!!", "W0002"),
        ("gcl0x \\vAC-5", "W0006"),
        ("gcl0x *=$2F9 #1 #2 #3", "W0011"),
        ("gcl0x *=$5F9 #1 #2 #3", ""),
        ("gcl0x *=$1F00 [if>0 *=$2000 1]", "W0013"),
        ("gcl0x _a=1 _a=1 _a=2", "E0031"),
        ("gcl0x \\vAC _vAC=5", "E0031"),
        ("gcl0x _vAC=5 \\vAC", ""),
        ("gcl0x *=$300 1 *=$301 2", "E0050"),
        ("gcl0x \\Given \\Given- \\later- _later=1", "E0022"),
    ] {
        let found = findings(text);
        match expected {
            "" => assert_eq!(found, [""; 0], "{text}"),
            _ => assert!(
                found.len() == 1 && found[0].starts_with(expected),
                "{text}: {found:?}"
            ),
        }
    }
}

#[test]
fn a_source_in_gcl_is_told_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "gcl0x {one}\n[def\n  push X 1+ X=\n  [do X 2- X= if>0loop]\n  pop ret\n] Count=\n\
                5 X= Count!\n[do Count! loop]\n";
    std::fs::write(dir.path().join("p.gcl"), text).expect("a file");
    for args in [
        &["build", "p.gcl"][..],
        &["build", "p.gcl", "--target", "vcpu"],
        &["build", "p.gcl", "--target", "vcpu", "--dialect", "gasm"],
        &["build", "p.gcl", "--dialect", "sjasmplus"],
    ] {
        let (good, said) = scrimp(dir.path(), args);
        assert!(!good && said.contains("`--dialect gcl"), "{args:?}: {said}");
    }
    // Not one in which GCL finds its first fault and no more.
    let text = "loop .LD 5\n .ST x,y\n .BRA loop\n LDWI 5\nmore .LD [y,x]\n .XORA ac\n".repeat(4);
    std::fs::write(dir.path().join("n.gasm"), text).expect("a file");
    let (good, said) = scrimp(dir.path(), &["build", "n.gasm"]);
    assert!(!good && !said.contains("GCL"), "{said}");
}

/// Words by the megabyte end soon, with a place where there is an error.
#[test]
fn long_sources_take_no_time() {
    let many = |n: usize, word: &dyn Fn(usize) -> String| {
        let mut text = String::from("gcl0x\n");
        let mut i = 0;
        while text.len() < n {
            text += &word(i);
            text.push(if i.is_multiple_of(50) { '\n' } else { ' ' });
            i += 1;
        }
        text
    };
    let plain = |word: &'static str| move |_: usize| word.to_owned();
    let words: [&dyn Fn(usize) -> String; 22] = [
        &plain("["),
        &plain("[]"),
        &plain("[if>0"),
        &plain("[if>0 ]"),
        &plain("else"),
        &plain("do"),
        &plain("loop"),
        &plain("def"),
        &plain("]"),
        &plain("}"),
        &plain("{"),
        &plain("5"),
        &plain("5~"),
        &plain("`a"),
        &plain("4000000000<<"),
        &plain("*=$300 #1"),
        &plain("zpReset=48 A"),
        &|i| format!("v{i}"),
        &|i| format!("_v{i}=*"),
        &|i| format!("\\v{i}"),
        &|i| format!("*=${:x}00 _v{i}", 2 + i % 250),
        &|i| format!("`{}", "a".repeat(i)),
    ];
    for word in words {
        let text = many(300_000, word);
        let began = Instant::now();
        let out = assemble(&text);
        let told = out.diagnostics.iter().all(|d| d.span.is_some());
        let long = began.elapsed() > Duration::from_secs(20);
        assert!(told && !long, "{}: {:?}", word(7), began.elapsed());
    }
    for text in [
        "gcl0x ".to_owned() + &"a".repeat(1 << 20),
        "gcl0x `".to_owned() + &"a".repeat(1 << 20),
    ] {
        assert!(assemble(&text).image.is_none());
    }
}
