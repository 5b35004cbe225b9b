//! Sections that lie within a page.

use scrimp::image::Image;
use scrimp::source::MemoryLoader;
use scrimp::{Job, Output};

fn assemble(text: &str) -> Output {
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let job = Job {
        file: "main.asm".into(),
        target: scrimp::targets::by_name("gigatron").expect("the Gigatron"),
        machine: None,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    scrimp::assemble(&job, &loader)
}

#[track_caller]
fn image(text: &str) -> Image {
    let out = assemble(text);
    let list = out.diagnostics.iter();
    let found: Vec<&str> = list.map(|d| d.message.as_str()).collect();
    assert!(found.is_empty(), "{found:?}");
    out.image.expect("an image")
}

fn page(image: &Image, label: &str) -> i64 {
    image.symbol(label).expect("a label").value >> 8
}

/// A section of so many words with a label, which branches where it is told.
fn section(name: &str, words: usize, to: &str) -> String {
    format!(
        "        section {name} in rom within = 256
{name}.in:
        repeat {}
        nop
        endr
        bra {to}
        nop
",
        words - 2
    )
}

const ROM: &str = "        region rom, start = 0, size = 2048\n";

#[test]
fn sections_that_branch_to_each_other_share_a_page() {
    let text = [
        ROM.to_owned(),
        section("a", 100, "d.in"),
        section("b", 150, "b.in"),
        section("c", 200, "c.in"),
        section("d", 120, "a.in"),
    ]
    .concat();
    let i = image(&text);
    assert_eq!(page(&i, "a.in"), page(&i, "d.in"));
    for c in &i.chunks {
        let last = c.address + c.bytes.len().max(1) as u64 - 1;
        assert_eq!(c.address >> 9, last >> 9, "a chunk crosses a page");
    }
    // Four sections in three pages: nothing else is large enough for two.
    let mut pages: Vec<i64> = ["a.in", "b.in", "c.in"]
        .iter()
        .map(|l| page(&i, l))
        .collect();
    pages.sort_unstable();
    assert_eq!(pages, [0, 1, 2]);
}

#[test]
fn they_are_packed_around_what_has_an_address() {
    let text = format!(
        "{ROM}        org $10\nfixed:  nop\n        org $180\nhalf:   ds 256\n{}{}",
        section("a", 130, "a.in"),
        section("b", 110, "b.in")
    );
    let i = image(&text);
    assert_eq!(page(&i, "a.in"), 0);
    assert_eq!(page(&i, "b.in"), 1);
    let floating = format!("{text}        section loose in rom\nloose:  nop\n        ds 40\n");
    image(&floating);
}

#[test]
fn what_does_not_fit_is_named_with_its_sizes() {
    let text = [
        ROM.to_owned(),
        section("a", 150, "b.in"),
        section("b", 120, "b.in"),
    ]
    .concat();
    let out = assemble(&text);
    let d = &out.diagnostics[0];
    assert_eq!(d.code, "E0055");
    assert!(
        d.message
            .ends_with("have 270 together, 14 more than it has"),
        "{}",
        d.message
    );
    assert_eq!(d.notes, ["their sizes: a 150, b 120"]);
}
