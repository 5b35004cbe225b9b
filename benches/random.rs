//! Random programs, as many as wanted, before and after the optimizer:
//!
//! ```text
//! cargo bench --bench random -- z80|avr|vcpu|slots FROM COUNT [FOLDER]
//! ```
//!
//! FROM is the number of the first program: `small` is that of the first one of the small
//! ones, with all kinds of parts, and `small+N` the one N behind it. Each program that does
//! something else behind the optimizer is told, and put into FOLDER with all changes; in the
//! end there are counts.

#[path = "../tests/common/random.rs"]
mod numbers;

mod common {
    pub(crate) use crate::numbers as random;

    pub fn findings(out: &scrimp::Output) -> String {
        let all = out.diagnostics.iter();
        all.map(|d| format!("    {} {}\n", d.code, d.message))
            .collect()
    }
}
#[path = "../tests/engine/optimize_avr.rs"]
#[allow(dead_code)]
mod optimize_avr;
#[path = "../tests/engine/optimize_kinds.rs"]
mod optimize_kinds;
#[path = "../tests/engine/optimize_kinds_avr.rs"]
mod optimize_kinds_avr;
#[path = "../tests/engine/optimize_random.rs"]
#[allow(dead_code)]
mod optimize_random;
#[path = "../tests/engine/optimize_slots.rs"]
#[allow(dead_code)]
mod optimize_slots;
#[path = "../tests/engine/optimize_vcpu.rs"]
#[allow(dead_code)]
mod optimize_vcpu;

use optimize_random::{SMALL, Trial};
use std::process::ExitCode;
use std::time::Instant;

/// Programs between two lines of counts.
const OFTEN: u64 = 1000;

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("small") {
        Some("") => Some(SMALL),
        Some(more) => Some(SMALL + more.strip_prefix('+')?.parse::<u64>().ok()?),
        None => text.parse().ok(),
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let trial: fn(u64) -> Trial = match words.first().map(String::as_str) {
        Some("z80") => optimize_random::trial,
        Some("avr") => optimize_avr::trial,
        Some("vcpu") => optimize_vcpu::trial,
        Some("slots") => optimize_slots::trial,
        _ => {
            println!("nothing is asked for: z80|avr|vcpu|slots FROM COUNT [FOLDER]");
            return ExitCode::SUCCESS;
        }
    };
    let given = |n: usize| words.get(n).and_then(|w| number(w));
    let (Some(from), Some(count)) = (given(1), given(2)) else {
        println!("FROM and COUNT are numbers");
        return ExitCode::FAILURE;
    };
    let start = Instant::now();
    let (mut halted, mut endless, mut saved, mut other) = (0u64, 0u64, 0i64, Vec::new());
    let mut given_up = 0u64;
    for seed in from..from + count {
        let found = std::panic::catch_unwind(|| trial(seed));
        match found {
            Ok(Trial::Endless) => endless += 1,
            Ok(Trial::Same(bytes)) => (halted, saved) = (halted + 1, saved + bytes),
            Ok(Trial::GivenUp) => {
                println!("seed {seed} is left as it is");
                given_up += 1;
            }
            Ok(Trial::Other(text)) => {
                println!("seed {seed} does something else");
                if let Some(folder) = words.get(3) {
                    let file = format!("{folder}/{}-{seed}.txt", words[0]);
                    std::fs::write(file, text).expect("a file");
                }
                other.push(seed);
            }
            Err(_) => {
                println!("seed {seed} ends in a panic");
                other.push(seed);
            }
        }
        let done = seed - from + 1;
        if done % OFTEN == 0 || done == count {
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{done} programs, {halted} the same with {saved} bytes less, {endless} without an \
                 end, {given_up} left as they are, {} otherwise, {seconds:.0} s",
                other.len()
            );
        }
    }
    match other.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
