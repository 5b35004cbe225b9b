//! Sections that lie within a page.

use crate::common::gigatron::{assemble, image, shown};
use scrimp::image::Image;

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
            .ends_with("have 270 words together, 14 more than its 256"),
        "{}",
        d.message
    );
    assert_eq!(d.notes[0], "their sizes: a 150, b 120");
}

#[test]
fn a_full_page_says_what_ties_it_and_where_to_cut() {
    let text = [
        ROM.to_owned(),
        section("a", 100, "b.in"),
        section("b", 90, "c.in"),
        section("c", 100, "a.in"),
        " bne b.in\n nop\n same_page a.in, b.in\n".to_owned(),
        section("d", 30, "c.in"),
    ]
    .concat();
    insta::assert_snapshot!(shown(&text));
}

#[test]
fn a_section_that_is_too_long_says_where_to_divide_it() {
    let text = format!(
        "{ROM} section a in rom within = 256
top:    ds 120
        bra bottom
        nop
middle: ds 100
        bne top
        nop
bottom: ds 60
        bra middle
        nop
"
    );
    insta::assert_snapshot!(shown(&text));
}

#[test]
fn no_page_has_room_enough() {
    let text = [
        "        region rom, start = 0, size = 512\n".to_owned(),
        section("a", 200, "a.in"),
        section("b", 200, "b.in"),
        section("c", 100, "c.in"),
    ]
    .concat();
    insta::assert_snapshot!(shown(&text));
}

#[test]
fn what_reaches_a_fixed_place_goes_to_its_page() {
    let fixed = "        org $100\nanchor: nop\n        section front in rom\n ds 20\n";
    let text = [
        ROM.to_owned(),
        fixed.to_owned(),
        section("a", 100, "anchor"),
        section("b", 130, "a.in"),
        section("c", 30, "c.in"),
    ]
    .concat();
    let i = image(&text);
    assert_eq!((page(&i, "a.in"), page(&i, "b.in")), (1, 1));
    let full = [
        ROM.to_owned(),
        fixed.to_owned(),
        section("a", 256, "anchor"),
    ];
    let out = assemble(&full.concat());
    let found: Vec<&str> = out.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "`a` must lie in page $01 with 256 words, but it has only 255 free in one piece, 1 too few"
        ]
    );
}

#[test]
fn return_addresses_and_groups_keep_sections_together() {
    let split = [
        ROM.to_owned(),
        section("a", 150, "a.in"),
        section("b", 130, "b.in"),
        section("c", 100, "c.in"),
    ];
    let i = image(&split.concat());
    assert_ne!(page(&i, "b.in"), page(&i, "c.in"));
    let tied = [split.concat(), " same_page c.in + 5, b.in\n".into()].concat();
    let i = image(&tied);
    assert_eq!(page(&i, "b.in"), page(&i, "c.in"));
    let named = split
        .concat()
        .replace("rom within = 256\nb", "rom within = 256, group = g\nb");
    let named = named.replace("rom within = 256\nc", "rom group = g, within = 256\nc");
    let i = image(&named);
    assert_eq!(page(&i, "b.in"), page(&i, "c.in"));
    let found = |text: &str| assemble(text).diagnostics[0].clone();
    let d = found("section a in attic group = g\n nop\n");
    assert_eq!(
        (d.code, d.message.as_str()),
        ("E0053", "there is no region `attic`")
    );
    let d = found(&format!("{ROM} section a in rom group = g\n nop\n"));
    assert_eq!(
        (d.code, d.message.as_str()),
        ("E0023", "`group` needs `within`")
    );
    // Where nothing can be moved, it is still checked.
    let d = found("a: nop\n org $300\nb: nop\n same_page a, b\n");
    assert_eq!(d.code, "E0027");
    assert_eq!(d.message, "`b` is in page $03, but `a` in page $00");
    assert_eq!(found("a: same_page a\n").code, "E0013");
    assert_eq!(found("a: nop\n same_page a, z\n").code, "E0030");
}

#[test]
fn the_first_section_of_the_source_stays_first() {
    let text = [
        ROM.to_owned(),
        "        section boot in rom\nboot:   ds 30\n".into(),
        section("a", 250, "a.in"),
        section("b", 200, "b.in"),
    ];
    let i = image(&text.concat());
    assert_eq!(i.symbol("boot").map(|s| s.value), Some(0));
    let text = [
        ROM.to_owned(),
        section("a", 20, "a.in"),
        section("b", 250, "b.in"),
    ];
    assert_eq!(
        image(&text.concat()).symbol("a.in").map(|s| s.value),
        Some(0)
    );
}

#[test]
fn sizes_tell_what_is_left_over_in_each_page() {
    let text = [
        ROM.to_owned(),
        section("a", 250, "a.in"),
        section("b", 200, "b.in"),
        section("c", 256, "c.in"),
    ];
    let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
    let report = |i: &Image| scrimp::report::pages::text(i, target.operands());
    assert_eq!(
        report(&image(&text.concat())),
        "pages: 3 of 256 in use, 62 words free in them: $00 6, $02 56\n"
    );
    assert_eq!(report(&image(" nop\n")), "");
}

/// More sections than a word has bits are divided as fewer are.
#[test]
fn a_hundred_sections_that_share_a_page_are_told() {
    let sections =
        (0..100).map(|i| section(&format!("s{i}"), 5, &format!("s{}.in", (i + 1) % 100)));
    let text = shown(&(ROM.to_owned() + &sections.collect::<String>()));
    assert!(
        text.contains("500 words together, 244 more than its 256"),
        "{text}"
    );
}
