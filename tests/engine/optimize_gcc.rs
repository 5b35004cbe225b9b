//! What avr-gcc writes, made smaller: functions in sections of their own, prologues that a
//! library has, arguments on the stack. Each case has a neighbour that is left alone.

use scrimp::optimize::{Ledger, Options};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

/// A table that keeps the functions away from the vectors.
const BEFORE: &str = "        .section .progmem.t,\"a\",@progbits\n        .space 200,1\n";

/// Bytes of a program, and what was done to it.
fn build(text: &str, optimize: bool) -> (Vec<u8>, Option<Ledger>) {
    let target = scrimp::targets::by_name("avr").expect("a target");
    let job = Job {
        file: "main.s".into(),
        target,
        machine: target.machine("atmega328p"),
        dialect: "gas-avr".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        optimize: optimize.then(Options::default),
        ..Settings::default()
    };
    let text = format!("{BEFORE}{text}");
    let loader = MemoryLoader::default().with("main.s", text.as_bytes());
    let out = assemble_with(&job, &settings, &loader);
    let found = crate::common::findings(&out);
    let image = out.image.unwrap_or_else(|| panic!("{found}\n{text}"));
    (image.binary(0xff), out.ledger)
}

/// What the optimizer says of a program, and its bytes behind the table.
fn made(text: &str) -> (Ledger, Vec<u8>) {
    let (bytes, ledger) = build(text, true);
    let ledger = ledger.expect("it was asked");
    assert!(ledger.broken.is_empty(), "{}", ledger.to_text());
    assert_eq!(ledger.claimed(), ledger.saved(), "{}", ledger.to_text());
    (ledger, bytes[200..].to_vec())
}

fn function(name: &str, body: &str) -> String {
    format!("        .section .text.{name},\"ax\",@progbits\n{name}:\n{body}\n")
}

/// A start that calls each of some functions, again and again.
fn start(names: &[&str]) -> String {
    let calls: String = names.iter().map(|n| format!(" call {n}\n")).collect();
    function("main", &format!("{calls}.L1: rjmp .L1"))
}

/// Words in bytes.
fn count(bytes: &[u8], word: u16) -> usize {
    let all = bytes.chunks_exact(2);
    all.filter(|w| u16::from_le_bytes([w[0], w[1]]) == word)
        .count()
}

/// A sequence of functions that have no return becomes a routine behind some other end.
#[test]
fn a_routine_stands_where_control_ends() {
    let one = |name: &str, number: u8| {
        let body = format!(
            " ldi r24,{number}\n swap r25\n com r25\n lsl r25\n eor r25,r24\n out 5,r25\n jmp outside"
        );
        function(name, &body)
    };
    let text = [
        one("f", 1),
        one("g", 2),
        one("h", 3),
        start(&["f", "g", "h"]),
    ];
    let end = function("k", " out 7,r25\n ret");
    let text = format!("outside = 0x3000\n{end}{}", text.concat());
    let (ledger, bytes) = made(&text);
    let told = ledger.to_text();
    assert!(told.contains("becomes a routine"), "{told}");
    // `rcall` or `call`, and `ret`.
    assert!(told.contains("clocks +7 to +8"), "{told}");
    assert_eq!(count(&bytes, 0x9592), 1, "one `swap r25` is left: {told}");
}

/// What a caller puts on the stack for a routine outside lies right above its return address.
#[test]
fn what_is_given_on_the_stack_stays_there() {
    let one = |name: &str, number: u8, (put, take): (&str, &str)| {
        let body = format!(
            " ldi r24,{number}\n {put}\n ldi r22,7\n ldi r23,8\n ldi r20,9\n call outside\n \
             ldi r18,{number}\n out 5,r18\n {take}\n ret"
        );
        function(name, &body)
    };
    let text = |both| {
        let all = [one("f", 1, both), one("g", 2, both), one("h", 3, both)];
        format!(
            "outside = 0x3000\n{}{}",
            all.concat(),
            start(&["f", "g", "h"])
        )
    };
    let calls = |bytes: &[u8]| count(bytes, 0x940e);
    // Nothing is given: one call of what is outside is left.
    let (ledger, bytes) = made(&text(("nop", "nop")));
    assert_eq!(calls(&bytes), 1, "{}", ledger.to_text());
    // A register that is kept there is not given to anybody.
    let (ledger, bytes) = made(&text(("push r28", "pop r28")));
    assert_eq!(calls(&bytes), 1, "{}", ledger.to_text());
    let (ledger, bytes) = made(&text(("push r24", "pop r0")));
    assert_eq!(calls(&bytes), 3, "{}", ledger.to_text());
}

/// A section that follows others is entered by those who name it only.
#[test]
fn a_section_of_its_own_is_no_entry() {
    let text = |label: &str| {
        let f = function("f", &format!(" out 5,r24\n{label} ldi r25,3\n ret"));
        let g = function(
            "g",
            " call f\n ldi r25,1\n out 6,r25\n call f\n ldi r25,2\n out 7,r25\n ret",
        );
        format!("{f}{g}{}", start(&["g"]))
    };
    let (ledger, _) = made(&text(""));
    assert!(
        ledger.to_text().contains("r25 not read"),
        "{}",
        ledger.to_text()
    );
    // A name that nothing in the program names is there for others.
    let (ledger, _) = made(&text("other:"));
    assert!(
        !ledger.to_text().contains("r25 not read"),
        "{}",
        ledger.to_text()
    );
    // What only names itself is entered from outside, whoever that is.
    let alone = format!("{}{}", start(&[]), function("f", " out 5,r24\n rjmp f"));
    let (ledger, bytes) = made(&alone);
    assert_eq!(count(&bytes, 0xb985), 1, "{}", ledger.to_text());
}

/// A return address that is passed on in two bytes, as to the library's prologue, leaves the
/// code there free; one that is counted with does not.
#[test]
fn an_address_that_is_passed_on_holds_nothing() {
    let text = |more: &str, high: &str| {
        let body = format!(
            " ldi r30,lo8(gs(1f))\n ldi r31,{high}\n{more} jmp outside\n\
             1: ldi r24,3\n ldi r24,4\n out 5,r24\n jmp outside"
        );
        format!(
            "outside = 0x3000\n{}{}",
            function("f", &body),
            start(&["f"])
        )
    };
    let gone = |text: &str| made(text).0.to_text().contains("r24 not read");
    assert!(gone(&text("", "hi8(gs(1f))")));
    assert!(!gone(&text(" adiw r30,1\n", "hi8(gs(1f))")));
    assert!(!gone(&text("", "0")));
    // It goes there, and nowhere else.
    assert!(gone(&text(" ijmp\n", "hi8(gs(1f))")));
    assert!(!gone(&text(" add r30,r24\n ijmp\n", "hi8(gs(1f))")));
}

/// A zero that one routine has in a register is no pointer of another, though both call a third
/// one; it is one where it comes into it. Then what is called may lie in registers.
#[test]
fn zeros_of_others_are_no_pointers() {
    let text = |before: &str| {
        let g = function("g", " in r24,5\n ret");
        let shown = " out 5,r24\n in r24,6\n com r24\n out 6,r24\n";
        let f = function(
            "f",
            &format!(" {before}\n call g\n movw r30,r16\n ld r24,Z\n{shown} call g\n{shown} ret"),
        );
        let other = function("other", " ldi r17,0\n call g\n out 6,r17\n ret");
        format!("{g}{f}{other}{}", start(&["f", "other"]))
    };
    let shared = |text: &str| made(text).0.to_text().contains("becomes a routine");
    assert!(shared(&text("ldi r16,lo8(0x180)\n ldi r17,hi8(0x180)")));
    assert!(!shared(&text("ldi r16,lo8(0x180)\n ldi r17,0")));
}

/// A library's prologue comes back behind the jump to it with what was held there, and what goes
/// somewhere by a register elsewhere does not lead there; it may where others have the address.
#[test]
fn what_a_library_comes_back_to_is_gone_to_by_nobody_else() {
    let text = |table: &str| {
        let f = function(
            "f",
            &format!(
                " ldi r26,2\n ldi r27,0\n ldi r30,lo8(gs(1f))\n ldi r31,hi8(gs(1f))\n \
                 jmp outside\n1: movw r26,r22\n ldi r20,5\n ld r24,X\n ldi r20,6\n{table} \
                 out 5,r24\n out 6,r20\n ret"
            ),
        );
        let other = function(
            "other",
            " ldi r23,0\n lds r30,0x200\n lds r31,0x201\n icall\n out 6,r23\n ldi r23,2\n ret",
        );
        format!("outside = 0x3000\n{f}{other}{}", start(&["f", "other"]))
    };
    // What registers hold is read by way of a pointer to them, and is not needed otherwise.
    let unused = |table: &str| made(&text(table)).0.to_text().contains("ldi r20,5");
    assert!(unused(""));
    assert!(!unused(
        " ldi r18,lo8(gs(1b))\n ldi r19,hi8(gs(1b))\n out 7,r18\n"
    ));
}

/// Where a pointer leads to registers the stack does not: a return reads none of them.
#[test]
fn the_stack_lies_in_no_register() {
    let text = |end: &str| {
        let g = " ldi r30,0x30\n clr r31\n st Z,r24\n in r24,5\n ldi r18,5\n";
        let g = function("g", &format!("{g}{end} ret"));
        format!("{g}{}", start(&["g"]))
    };
    let unused = |end: &str| {
        let told = made(&text(end)).0.to_text();
        told.contains("ldi r18")
    };
    assert!(unused(""));
    assert!(!unused(" ld r24,Z\n"));
}

/// A call of what is near takes its short form.
#[test]
fn calls_of_what_is_near_are_short() {
    let f = function("f", " in r24,5\n com r24\n out 5,r24\n ret");
    let (ledger, bytes) = made(&format!("{f}{}", start(&["f", "f"])));
    assert_eq!(count(&bytes, 0x940e), 0, "{}", ledger.to_text());
    let far = f.replace(" ret", " ret\n .space 5000");
    let (ledger, bytes) = made(&format!("{far}{}", start(&["f", "f"])));
    assert!(count(&bytes, 0x940e) > 0, "{}", ledger.to_text());
}

/// A table of goals in words, as of a `switch`, names what it leads to and nothing else.
#[test]
fn a_table_in_words_names_no_bytes() {
    let text = |value: &str| {
        let table =
            format!("        .section .progmem.sw,\"a\",@progbits\nt: .word {value},gs(.L3)\n");
        let f = " sbrc r24,0\n rjmp .L2\n in r24,5\n com r24\n out 5,r24\n ret\n\
                 .L2: ldi r30,lo8(t)\n ldi r31,hi8(t)\n lpm r0,z+\n lpm r31,z\n mov r30,r0\n \
                 ijmp\n.L3: rjmp .L4\n.L4: out 6,r24\n in r24,5\n com r24\n out 5,r24\n ret";
        let far = function(
            "far",
            " in r24,6\n .rept 300\n in r25,5\n.endr\n call f\n ret",
        );
        format!("{table}{far}{}{}", function("f", f), start(&["far", "f"]))
    };
    let (ledger, _) = made(&text("gs(.L2)"));
    assert!(
        ledger.to_text().contains("stands twice"),
        "{}",
        ledger.to_text()
    );
    // One of bytes leads into the midst of something: that stays as it is.
    let (other, _) = made(&text("f+5"));
    assert!(other.saved() < ledger.saved(), "{}", other.to_text());
}

/// Where the bytes of `.data` are stored, behind all code, is no table, whatever that address is a
/// multiple of.
#[test]
fn the_end_of_the_code_may_be_at_any_address() {
    let saved = |nops: usize| {
        let text = format!(
            "{} ldi r30,lo8(__data_load_start)\n ldi r31,hi8(__data_load_start)\n lpm r0,Z\n out 5,r0\n\
             call f\n call f\n{}.L1: rjmp .L1\n .text\nf: ldi r16,1\n ldi r16,2\n out 6,r16\n ret\n \
             .data\n .byte 1,2\n",
            function("main", ""),
            " wdr\n".repeat(nops)
        );
        made(&text).0.saved()
    };
    let all: Vec<i64> = (0..9).map(saved).collect();
    assert!(all.iter().all(|&n| n >= 6), "{all:?}");
}
