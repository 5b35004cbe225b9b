//! Bounds on time: what is slower is made only where that is little beside what runs with it.

use crate::optimize_random::{MORE, build, program, timed};
use scrimp::optimize::Options;

fn bounded(most: u32) -> Options {
    Options {
        slower: Some(most),
        ..Options::default()
    }
}

/// A sequence that stands three times, and something that is of no use.
const TWICE: &str = "        org $8000
start:  ld b,5
        ld b,1
        call one
        call two
        jp three
one:    ld hl,$c000
        ld (hl),b
        inc hl
        ld (hl),b
        inc hl
        set 1,(hl)
        out (1),a
        ret
two:    ld hl,$c000
        ld (hl),b
        inc hl
        ld (hl),b
        inc hl
        set 1,(hl)
        out (2),a
        ret
three:  ld hl,$c000
        ld (hl),b
        inc hl
        ld (hl),b
        inc hl
        set 1,(hl)
        out (3),a
        ret
";

#[test]
fn a_slower_way_is_taken_where_it_is_allowed() {
    let rules = |most: u32| {
        let (_, ledger) = build(TWICE, Some(bounded(most)));
        let records = ledger.expect("it was asked").records;
        let all: Vec<&str> = records.iter().map(|r| r.pass).collect();
        (all.contains(&"unused"), all.contains(&"outline"))
    };
    assert_eq!(rules(0), (true, false));
    assert_eq!(rules(200), (true, true));
}

/// All of a program is a way through it.
fn no_program_is_slower(seeds: std::ops::Range<u64>) -> [i64; 3] {
    let mut saved = [0; 3];
    for seed in seeds {
        let text = program(seed);
        let (before, _) = build(&text, None);
        let Some((wanted, clocks)) = timed(&before) else {
            continue;
        };
        for (most, sum) in [0, 25, 150].into_iter().zip(&mut saved) {
            let (after, ledger) = build(&text, Some(bounded(most)));
            let (deeds, now) = timed(&after).expect("it halts");
            assert_eq!(deeds, wanted, "{seed}");
            let most = clocks * u64::from(100 + most) / 100;
            assert!(now <= most, "{seed}: {clocks} clocks before, {now} after");
            *sum += ledger.expect("it was asked").saved();
        }
    }
    saved
}

#[test]
fn random_programs_are_not_slower() {
    // Few programs have what a bound forbids; the first has it at the wider one.
    let (one, other) = (
        no_program_is_slower(3_260..3_261),
        no_program_is_slower(3_011..3_012),
    );
    let saved: [i64; 3] = std::array::from_fn(|i| one[i] + other[i]);
    assert!(
        saved[0] > 50 && saved[0] <= saved[1] && saved[1] < saved[2],
        "{saved:?}"
    );
}

#[test]
#[ignore = "slow"]
fn slow_many_random_programs_are_not_slower() {
    let saved = no_program_is_slower(3_000..3_060);
    let more = no_program_is_slower(MORE + 3_000..MORE + 3_060);
    println!("{saved:?} {more:?} bytes saved");
    let all: [i64; 3] = std::array::from_fn(|i| saved[i] + more[i]);
    assert!(all[0] < all[1] && all[1] < all[2]);
}
