//! Other ways than one source to one file: many formats, other commands, large folders.
//! The bounds are those of `long.rs`.
#![cfg(unix)]

use super::long::{Files, bounded, many};

const FORMATS: &str = "bin,hex,srec,elf,lst,map,sym,sld,json";

fn main(text: String) -> Files {
    vec![("main.asm".into(), text.into_bytes())]
}

/// Sources that make much of what the formats and reports show.
fn sources(bytes: usize) -> Vec<(&'static str, Files)> {
    let calls = |lines: &str| format!("macro m()\n{lines} endm\n") + &" m\n".repeat(bytes / 3);
    let orgs = |i: usize| format!(" org {}\n nop\n", i * 4 % 60_000);
    vec![
        ("calls of nothing", main(calls(""))),
        ("calls", main(calls(" nop\n"))),
        ("instructions", main(" nop\n".repeat(bytes / 5))),
        ("labels", main(many(bytes, |i| format!("l{i}: nop\n")))),
        (
            "constants",
            main(many(bytes, |i| format!("l{i} equ {i}\n"))),
        ),
        ("comments", main("; says nothing\n".repeat(bytes / 15))),
        ("a line", main(format!(" db 1{}\n", ",1".repeat(bytes / 2)))),
        ("a comment", main(format!(" nop ;{}\n", "x".repeat(bytes)))),
        ("addresses", main(many(bytes, orgs))),
    ]
}

/// Checks each way for each source.
fn all_ways(bytes: usize, ways: &[&[&str]]) {
    let mut faults = String::new();
    for (name, files) in sources(bytes) {
        for way in ways {
            let all = [way, &["--target", "z80"][..]].concat();
            let (code, text) = bounded(&all, &files);
            if !matches!(code, Some(0 | 1)) || text.len() > 64 << 10 {
                let start: String = text.chars().take(160).collect();
                faults += &format!("  {name}, {}: {code:?}: {start}\n", way.join(" "));
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

const BUILD: &[&str] = &["build", "main.asm", "-o", "out", "--emit", FORMATS];

#[test]
fn all_formats_at_once_end_well() {
    all_ways(20_000, &[BUILD]);
}

#[test]
#[ignore = "nightly"]
fn nightly_all_formats_and_reports_of_a_megabyte() {
    let ways = [
        BUILD,
        &["size", "main.asm"],
        &["size", "main.asm", "--json"],
        &["size", "main.asm", "--uses"],
        &["check", "main.asm", "--json"],
    ];
    all_ways(1_000_000, &ways);
}

#[test]
fn only_as_many_bytes_as_a_device_has_are_decoded() {
    for target in ["z80", "avr", "gigatron"] {
        for bytes in [60_000, 10_000_000] {
            let noise: Vec<u8> = (0u32..bytes)
                .map(|i| (i.wrapping_mul(0x9E37_79B9) >> 13) as u8)
                .collect();
            let files = vec![("a.bin".into(), noise)];
            let (code, text) = bounded(&["disasm", "a.bin", "--target", target], &files);
            let wanted = if bytes == 60_000 { 0 } else { 2 };
            assert_eq!(code, Some(wanted), "{target}, {bytes} bytes: {text}");
        }
    }
}

#[test]
fn missing_files_in_a_large_folder_cost_little() {
    for (dialect, word) in [
        ("native", " include"),
        ("native", " nop\n incbin"),
        ("avrasm2", ".include"),
        ("gas-avr", ".include"),
    ] {
        let line = |i: usize| format!("{word} \"somefil{i}x.inc\"\n");
        let mut files = main((0..1_200).map(line).collect());
        files.extend((0..5_000).map(|i| (format!("somefile{i}.inc"), Vec::new())));
        let out = ["build", "main.asm", "-o", "out.bin", "--emit", "bin"];
        let all = [&out[..], &["--dialect", dialect]].concat();
        let (code, text) = bounded(&all, &files);
        assert_eq!(code, Some(1), "{dialect}: {text}");
        assert!(text.contains("did you mean `somefile"), "{dialect}: {text}");
    }
}

/// Builds a text in a dialect, which must end with an error that says so.
fn refused(dialect: &str, text: String, says: &str) {
    let out = ["build", "main.asm", "-o", "out.bin", "--emit", "bin"];
    let all = [&out[..], &["--dialect", dialect]].concat();
    let (code, told) = bounded(&all, &main(text));
    let start: String = told.chars().take(160).collect();
    assert_eq!(code, Some(1), "{dialect}: {start}");
    assert!(told.contains(says), "{dialect}: {start}");
}

#[test]
fn what_layout_makes_too_long_is_refused() {
    for dialect in ["gas-avr", "gas-z80"] {
        let room = " .skip x\n nop\n".repeat(600) + "x = 8000000\n";
        refused(dialect, room, "[E0044]");
        let origins = " .org x\n nop\n".repeat(2_000) + "x: nop\n";
        refused(dialect, origins, "[E0044]");
    }
}

#[test]
fn constants_that_nothing_ends_cost_little() {
    let text = many(1_000_000, |i| format!("b{i}: equ b{}\n", i + 1));
    refused("glass", text, "[E0030]");
}

#[test]
fn values_that_are_known_count_too() {
    let row = format!(" dw {}\n", vec!["$"; 100].join(","));
    refused("pasmo", row.repeat(5_000_000 / row.len()), "[E0044]");
}

#[test]
fn lines_of_a_listing_have_as_many_words_as_others() {
    for line in [" ld a", " bra "] {
        refused(
            "gigatron-lst",
            format!(" ld [1]\n{line}{}\n", ",a".repeat(400_000)),
            "[E0015]",
        );
    }
}

#[test]
fn lines_that_are_joined_cost_in_proportion() {
    refused("glass", "(\n".repeat(500_000), "error");
    let head = " struct s\na db\n ends\n";
    let part = "x s {\n".to_owned() + &"{\n".repeat(65_535);
    refused("sjasmplus", head.to_owned() + &part.repeat(8), "error");
}

#[test]
fn parts_of_structs_are_counted() {
    for dialect in ["sjasm", "sjasmplus"] {
        let text = many(2_000_000, |i| format!("f{i}: db\n"));
        refused(dialect, format!(" struct s\n{text} ends\n"), "[E0044]");
    }
}

#[test]
fn arguments_that_are_kept_are_counted() {
    let long = format!("1{}", "+1".repeat(50_000));
    let calls = format!(
        "m macro x\n nop\n endm\n{}",
        format!(" m {long}\n").repeat(100)
    );
    let rounds = format!("m macro\n irp ?x,{long}\n nop\n endm\n endm\n");
    refused("glass", calls, "[E0044]");
    refused("glass", rounds + &" m\n".repeat(500), "[E0044]");
    // What is given by the definition is kept once.
    let text = format!("m macro x={long}\n nop\n endm\n{}", " m\n".repeat(3_000));
    let out = [
        "build",
        "main.asm",
        "-o",
        "out.bin",
        "--emit",
        "bin",
        "--dialect",
        "glass",
    ];
    let (code, told) = bounded(&out, &main(text));
    assert_eq!((code, &*told), (Some(0), ""));
}

#[test]
#[ignore = "slow"]
fn slow_rounds_of_loops_count_as_long_as_they_are() {
    let long = "+0".repeat(50_000);
    let loops = [
        ("rasm", " while 1", " wend\n"),
        ("rasm", " repeat\n until 0", ""),
        ("sjasm", " while 1", " endwhile\n"),
        ("sjasmplus", " while 1", " endw\n"),
        ("asl", " rept 400000\n if 0", " endif\n endm\n"),
    ];
    for (dialect, head, end) in loops {
        refused(dialect, format!("{head}{long}\n{end}"), "[E0043]");
    }
}

#[test]
fn too_many_lines_are_not_kept_before_they_are_refused_to_be_translated() {
    let files: Files = vec![("main.asm".into(), vec![b'\n'; 10_000_000])];
    let way = ["translate", "main.asm", "--target", "z80", "--to", "pasmo"];
    let (code, told) = bounded(&way, &files);
    assert_eq!(code, Some(2), "{told}");
    assert!(
        told.contains("10000000 lines are more than 200000"),
        "{told}"
    );
}

/// Faults of a build with `-O` that takes more time or memory than it may.
fn optimized(dialect: &str, text: String) -> Option<String> {
    let build = ["build", "main.asm", "-O", "-o", "out.bin", "--emit", "bin"];
    let (code, told) = bounded(&[&build[..], &["--dialect", dialect]].concat(), &main(text));
    (code != Some(0)).then(|| format!("  {dialect}: {code:?}: {told}\n"))
}

#[test]
fn what_only_takes_time_is_optimized_in_proportion() {
    // Whether something stands between a write and a read was looked for to the end.
    let nops = " nop\n".repeat(30_000);
    assert_eq!(optimized("avrasm2", format!(".cseg\n{nops}")), None);
    assert_eq!(optimized("pasmo", format!(" org 0\n{nops}")), None);
}

#[test]
fn halves_of_many_addresses_take_no_more_memory_than_they_may() {
    // Each was kept with all places in its page.
    let line = |i: usize| format!("l{i}: ldi r16,low(l{})\n", i * 7 % 6_000);
    let text: String = (0..6_000).map(line).collect();
    assert_eq!(optimized("avrasm2", format!(".cseg\n{text}")), None);
}

#[test]
fn calls_in_calls_are_optimized_in_proportion() {
    // What is live was handed on from call to call in one round of all nodes each, each edit was
    // looked for among all, and of many doubts a hundred were told at a time.
    let line = |i: usize| format!("l{i}: rcall l{}\n ret\n", i + 1);
    let text: String = (0..1_200).map(line).collect();
    assert_eq!(
        optimized("avrasm2", format!(".cseg\n{text}l1200: ret\n")),
        None
    );
}

#[test]
fn long_arguments_are_bounded_while_they_are_put_in() {
    let long = "x".repeat(300_000);
    let line = |a: &str| format!("{a}{}", format!(",{a}").repeat(20_000));
    let text = format!("macro m(a)\n db {}\nendm\n m \"{long}\"\n", line("a"));
    refused("native", text, "[E0044]");
    let text = format!("m macro &a\n db {}\n endm\n m \"{long}\"\n", line("&a"));
    refused("zasm", text, "[E0043]");
    let text = format!(".macro m a\n.db {}\n.endm\n m {long}\n", line("a"));
    refused("sdas", text, "[E0043]");
}

#[test]
fn texts_that_double_meet_a_limit() {
    let double = " cpu z80\na set \"x\"\n".to_owned() + &"a set a+a\n".repeat(60);
    refused("asl", double, "[E0043]");
    let long = format!(" cpu z80\na set \"{}\"+\"y\"\n", "x".repeat(500_000));
    let copies = many(100_000, |i| format!("b{i} set a+\"\"\n"));
    refused("asl", long + &copies, "[E0043]");
}

#[test]
fn conditions_on_a_line_may_be_many() {
    let text = " .iif 1".repeat(50_000) + " nop\n";
    let out = ["build", "main.asm", "-o", "out.bin", "--emit", "bin"];
    let (code, told) = bounded(&[&out[..], &["--dialect", "sdas"]].concat(), &main(text));
    assert_eq!((code, &*told), (Some(0), ""));
}

#[test]
fn parameters_are_counted_while_they_are_read() {
    let names: Vec<String> = (0..30_000).map(|i| format!("p{i}")).collect();
    let text = format!(" macro m {}\n nop\n endm\n", names.join(","));
    refused("sjasmplus", text, "[E0044]");
}

#[test]
fn a_part_of_a_file_from_before_all_numbers_is_outside() {
    for n in ["-9223372036854775807", "9223372036854775807"] {
        refused(
            "native",
            format!(" incbin \"empty\",{n}\n"),
            "the file `empty` has 0 bytes",
        );
        refused(
            "native",
            format!(" incbin \"empty\",{n},{n}\n"),
            "the file `empty` has 0 bytes",
        );
    }
}
