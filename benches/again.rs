//! How long a source of 5,000 lines takes to be assembled again with all names and their
//! references, as an editor asks at each key:
//!
//! ```text
//! cargo bench --bench again
//! ```
//!
//! Fails if the middle one of 101 runs takes more than 10 ms, for any of the dialects.

use scrimp::Session;
use scrimp::session::options::Options;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Lines of each source.
const LINES: usize = 5_000;
/// What an editor may wait for.
const MOST: Duration = Duration::from_millis(10);

/// A line of a source; the place `N` is a number.
fn line(dialect: &str, n: usize) -> String {
    let far = (n * 7919) % LINES / 8 * 8;
    match (dialect, n % 8) {
        ("gas-avr", 0) => format!("label{n}:"),
        ("gas-avr", 1) => " ldi r16, 12".into(),
        ("gas-avr", 2) => format!(" ldi r30, lo8(label{far})"),
        ("gas-avr", 3) => format!(" .equ value{n}, {n}"),
        ("gas-avr", 4) => " add r16, r17".into(),
        ("gas-avr", 5) => format!(" .word label{far}"),
        ("gas-avr", 6) => " brne .+4 ; a comment that says something".into(),
        ("gas-avr", _) => " st X+, r16".into(),
        (_, 0) => format!("label{n}:"),
        (_, 1) => " ld a,12".into(),
        (_, 2) => format!(" ld hl,label{far}+1"),
        ("z80asm", 3) => format!("value{n}: equ {n}"),
        (_, 3) => format!("value{n} equ {n}"),
        (_, 4) => " ld (ix+3),a".into(),
        (_, 5) => format!(" dw label{far}"),
        (_, 6) => " jr nz,$+2 ; a comment that says something".into(),
        _ => " push bc".into(),
    }
}

fn main() {
    let mut slow = false;
    for (dialect, target) in [
        ("native", "z80"),
        ("pasmo", "z80"),
        ("z80asm", "z80"),
        ("gas-avr", "avr"),
    ] {
        let mut text = String::new();
        for n in 0..LINES {
            let _ = writeln!(text, "{}", line(dialect, n));
        }
        let mut session = Session::of_text(&text);
        let options = Options {
            target: Some(target.into()),
            dialect: Some(dialect.into()),
            ..Options::default()
        };
        session.apply(&options).expect("they exist");
        let mut times: Vec<Duration> = (0..101)
            .map(|_| {
                let start = Instant::now();
                let build = session.assemble();
                let took = start.elapsed();
                assert!(build.image().is_some(), "{:?}", build.findings.first());
                assert!(build.known.names.len() > LINES / 8);
                took
            })
            .collect();
        times.sort();
        let middle = times[50];
        println!(
            "{dialect:8} {LINES} lines: {:.2} ms, {:.2} at least, {:.2} at most",
            middle.as_secs_f64() * 1e3,
            times[0].as_secs_f64() * 1e3,
            times[100].as_secs_f64() * 1e3
        );
        slow |= middle > MOST;
    }
    if slow {
        println!("more than {} ms", MOST.as_millis());
        std::process::exit(1);
    }
}
