//! Tables in columns of memory.

use crate::common::gigatron::{findings, image, shown};

#[test]
fn tables_get_free_columns_from_the_right() {
    let i = image(
        "        reserve \"frame buffer\", 8, 127, 0, 159
        column board, $08, $7f
        column low, 0, 3
        column map, $08, $7f
        column fixed, 1, 2, $20
        fullpage strip
        fullpage carry, 5
        ld [y,board]
        ld map.last
",
    );
    let value = |n: &str| i.symbol(n).map(|s| s.value);
    assert_eq!(value("board"), Some(0xff));
    // Its pages are others, so the same column is free for it.
    assert_eq!(value("low"), Some(0xff));
    assert_eq!(value("map"), Some(0xfe));
    assert_eq!(value("fixed"), Some(0x20));
    // Pages 0 to 3 have a column of `low`, 8 and on the frame buffer.
    assert_eq!(value("map.last"), Some(0x7f));
    assert_eq!((value("strip"), value("carry")), (Some(4), Some(5)));
}

#[test]
fn overlaps_and_full_memory_are_findings() {
    let two = findings(" column a, 8, 20, $f0\n column b, 20, 30, $f0\n nop\n");
    assert_eq!(
        two,
        ["E0050 `b` and `a` overlap in pages 20 to 20, columns $F0 to $F0"]
    );
    let full = findings(" reserve x, 0, 127, 0, 255\n column a, 3, 4\n nop\n");
    assert_eq!(full, ["E0051 no column is free in the pages 3 to 4"]);
    let section = findings(" column a, 8, 9, $10\n section v in ram\n ds $900\n");
    assert_eq!(section, ["E0050 the section `v` lies in `a` at $0810"]);
    assert_eq!(
        findings(" column a, 3\n")[0].split(' ').next(),
        Some("E0013")
    );
    assert_eq!(
        findings(" column a, 9, 3\n")[0].split(' ').next(),
        Some("E0022")
    );
    assert_eq!(
        findings(" column a, 3, 200\n")[0].split(' ').next(),
        Some("E0022")
    );
}

#[test]
fn first_contents_become_instructions() {
    let i = image(
        "        column a, 8, 20
        column b, 8, 20
        cells a, 8, 5, 5, 7
        cells b, 8, 5
        cells b, 10, low(there)
        initialise
there:  nop
",
    );
    let by_hand = image(
        "        column a, 8, 20
        column b, 8, 20
        ld 8,y
        ld 5
        st [y,a]
        st [y,b]
        ld 9,y
        st [y,a]
        ld 10,y
        ld 7
        st [y,a]
        ld low(there)
        st [y,b]
there:  nop
",
    );
    assert_eq!(i.binary(0), by_hand.binary(0));
    let twice = findings(" column a, 8, 9\n cells a, 8, 1\n cells a, 8, 2\n initialise\n");
    assert_eq!(twice, ["E0031 page 8 is filled twice"]);
    let out = findings(" column a, 8, 9\n cells a, 9, 1, 2\n initialise\n");
    assert_eq!(out, ["E0022 page 10 is no place of the table"]);
}

#[test]
fn the_map_shows_tables_and_what_is_kept_free() {
    let i =
        image(" reserve screen, 8, 127, 0, 159\n column board, 8, 127\n column x, 16, 31\n nop\n");
    let map = scrimp::report::grid::text(&i, 0x2_0000, 128, 256);
    let rows: Vec<&str> = map.lines().filter(|l| l.starts_with("page")).collect();
    assert_eq!(rows.len(), 32);
    assert!(rows[0].ends_with("··") && rows[2].ends_with("·a"), "{map}");
    assert!(rows[4].contains("░·") && rows[4].ends_with('a'), "{map}");
    assert!(
        map.contains("  b x pages 10-1F columns FE: 16 bytes"),
        "{map}"
    );
}

#[test]
fn overlaps_say_how_large_they_are_and_what_is_free() {
    insta::assert_snapshot!(shown(
        " column a, 8, 20, $f0
 column b, 18, 30, $f0
 fullpage c, 9
 reserve d, 20, 21, $e0, $ff
 nop
"
    ));
    insta::assert_snapshot!(shown(
        " column a, 8, 9, $10\n nop\n section v in ram\nmuch:   ds $900\n"
    ));
}

#[test]
fn a_table_without_room_is_told_whom_to_move() {
    insta::assert_snapshot!(shown(
        " reserve screen, 8, 127, 0, 253
 column a, 10, 40
 column b, 12, 14
 column c, 8, 30
"
    ));
}
