//! What the tests of the Gigatron's directives have in common: a text is assembled, and
//! its findings or its image are looked at.

// Not every test needs all of them.
#![allow(dead_code)]

use scrimp::diagnostic::human::human;
use scrimp::image::Image;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Output};

/// Assembles a text for a Gigatron with 32K.
pub fn assemble(text: &str) -> Output {
    assemble_with(text, MemoryLoader::default(), &[])
}

/// The same with other files beside it and symbols defined.
pub fn assemble_with(text: &str, files: MemoryLoader, defines: &[(&str, i64)]) -> Output {
    let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: defines.iter().map(|&(n, v)| (n.into(), v.into())).collect(),
    };
    scrimp::assemble(&job, &files.with("main.asm", text.as_bytes()))
}

/// What was found, as code and message.
pub fn found(out: &Output) -> Vec<String> {
    let list = out.diagnostics.iter();
    list.map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// What is found in a text.
pub fn findings(text: &str) -> Vec<String> {
    found(&assemble(text))
}

/// All findings of a text as people see them.
pub fn shown(text: &str) -> String {
    let out = assemble(text);
    let list = out.diagnostics.iter();
    list.map(|d| human(d, &out.sources, false)).collect()
}

/// The image of what was assembled without a finding.
#[track_caller]
pub fn clean(out: Output) -> Image {
    assert_eq!(found(&out), Vec::<String>::new());
    out.image.expect("an image")
}

/// The image of a text in which nothing is found.
#[track_caller]
pub fn image(text: &str) -> Image {
    clean(assemble(text))
}
