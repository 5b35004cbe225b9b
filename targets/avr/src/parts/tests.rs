//! Each part by itself, by levels and edges.

use super::*;
use crate::peripherals::lines::Pin;

fn pin(name: &str) -> Pin {
    Pin::named(name).expect("a pin")
}

#[test]
fn a_keypad_needs_a_label_for_each_key() {
    let pins = |names: &[&str]| names.iter().map(|n| pin(n)).collect::<Vec<_>>();
    let labels = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>();
    let new = |r: &[&str], c: &[&str], n| Keypad::new(pins(r), pins(c), labels(n));
    assert!(new(&["A0", "A1"], &["A2", "A3", "A4"], 6).is_ok());
    assert!(new(&["A0"], &["A1"], 2).is_err());
    assert!(new(&["A0"], &["A0"], 1).is_err());
    assert!(new(&[], &[], 0).is_err());
    assert!(
        Keypad::new(
            pins(&["A0"]),
            pins(&["A1", "A2"]),
            vec!["x".into(), "x".into()]
        )
        .is_err()
    );
}
