//! How findings look: for people, short and as JSON.

use scrimp::diagnostic::{Diagnostic, Frame, codes, flood, human::human, json::json, short::short};
use scrimp::text::source::{SourceId, Sources, Span};

fn find(sources: &Sources, id: SourceId, what: &str) -> Span {
    let at = sources.get(id).text.find(what).expect("text is there") as u32;
    Span::new(id, at, at + what.len() as u32)
}

fn example() -> (Sources, Diagnostic) {
    let mut sources = Sources::default();
    let mut text = ";\n".repeat(98);
    text.push_str("count:\tequ 300\n\tld\ta,1\n\tld\ta,count\n");
    let main = sources.add("chess.asm", text);
    let other = sources.add("lib/macros.asm", "put: macro x\n    ld a,x\n  endm\n");
    let d = Diagnostic::new(codes::OUT_OF_RANGE, "300 does not fit in a byte")
        .at(find(&sources, main, "a,count"))
        .label("from -128 to 255")
        .related(find(&sources, main, "count:"), "`count` is 300")
        .related(find(&sources, other, "ld a,x"), "made here")
        .note("a byte holds 256 values")
        .help("use the low byte: low(count)");
    let d = Diagnostic {
        trail: vec![Frame {
            what: "in macro `put`".into(),
            span: find(&sources, main, "ld\ta,count"),
        }],
        ..d
    };
    (sources, d)
}

#[test]
fn people_see_the_lines() {
    let (sources, d) = example();
    insta::assert_snapshot!(human(&d, &sources, false));
}

#[test]
fn lines_far_down_and_long_lines_are_sketched() {
    let mut sources = Sources::default();
    let text = "\n".repeat(1_234_566) + "\tld a,300\n" + &"\tdb 1".repeat(1000) + "\n";
    let id = sources.add("long.asm", text);
    let d = Diagnostic::new(codes::OUT_OF_RANGE, "300 does not fit in a byte")
        .at(find(&sources, id, "300"))
        .label("from -128 to 255")
        .related(find(&sources, id, "db 1"), "this follows");
    insta::assert_snapshot!(human(&d, &sources, false));
}

#[test]
fn lines_are_numbered_and_underlined() {
    let mut sources = Sources::default();
    let id = sources.add("a.asm", "\tnop\n\tfrob\n");
    let d = Diagnostic::new(codes::UNKNOWN_INSTRUCTION, "no such instruction: `frob`")
        .at(find(&sources, id, "frob"));
    insta::assert_snapshot!(human(&d, &sources, false));
}

#[test]
fn editors_get_a_line() {
    let (sources, d) = example();
    assert_eq!(
        short(&d, &sources),
        "chess.asm:101:5: error: 300 does not fit in a byte (from -128 to 255); \
         use the low byte: low(count) [E0022]"
    );
}

#[test]
fn programs_get_json() {
    let (sources, d) = example();
    insta::assert_snapshot!(json(&d, &sources));
}

#[test]
fn colour_changes_no_text() {
    let (sources, d) = example();
    let plain = human(&d, &sources, false);
    let colored = human(&d, &sources, true);
    assert!(!plain.contains('\x1b') && colored.contains('\x1b'));
    assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
}

#[test]
fn long_lines_and_control_characters_are_not_printed() {
    let mut sources = Sources::default();
    let id = sources.add("long.asm", "x".repeat(1 << 20));
    let d = Diagnostic::new(codes::TOO_LONG, "y".repeat(1 << 20)).at(Span::new(id, 5, 1 << 20));
    assert!(human(&d, &sources, true).len() < 2000);
    assert!(json(&d, &sources).len() < 2000);
    let id = sources.add("es\x1b[2Jcape.asm", "ld \x1b[31m,\0\n");
    let d = Diagnostic::new(codes::BAD_CHARACTER, "bad \x1b[31m").at(Span::new(id, 3, 8));
    let text = human(&d, &sources, false) + &short(&d, &sources);
    assert!(!text.contains(['\x1b', '\0']), "{text}");
}

#[test]
fn spans_beyond_the_text_do_no_harm() {
    let mut sources = Sources::default();
    for text in ["", "\n", "nop", "é\nü", "nop\r\n\r\n"] {
        let id = sources.add("a.asm", text);
        for start in 0..9 {
            for end in 0..9 {
                let d = Diagnostic::new(codes::SYNTAX, "m").at(Span::new(id, start, end));
                human(&d, &sources, false);
                json(&d, &sources);
            }
        }
    }
}

#[test]
fn floods_are_cut() {
    let mut sources = Sources::default();
    let id = sources.add("a.asm", "nop\n".repeat(2000));
    let mut all: Vec<Diagnostic> = (0..1000u32)
        .map(|i| Diagnostic::new(codes::TRUNCATED, "cut").at(Span::new(id, 4 * i, 4 * i + 3)))
        .collect();
    all.push(Diagnostic::new(codes::SYNTAX, "last").at(Span::new(id, 7000, 7003)));
    let (text, hidden) = flood::limited(&all, |d| human(d, &sources, true));
    assert_eq!(hidden, 901);
    assert!(text.len() <= flood::MOST_BYTES && text.contains("last"));
    let (text, hidden) = flood::limited(&all, |_| "z".repeat(4000));
    assert!(text.len() <= flood::MOST_BYTES && hidden > 980);
    assert_eq!(
        flood::summary(&all, hidden, [0; 3]),
        format!("1 error, 1000 warnings ({hidden} not shown)")
    );
}
