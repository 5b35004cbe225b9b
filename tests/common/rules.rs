//! The rules of an instruction set: proven anew, and refused when they are wrong.

use std::path::Path;
use std::time::Instant;

use scrimp_isa::Target;
use scrimp_isa::rules::{Counterexample, Refusal, certify, load, parse, prove};

/// Proves all rules and compares the certificates with those that are stored in `file`,
/// which `BLESS=1` writes anew.
pub fn all_are_proven(target: &dyn Target, file: &str) {
    let semantics = target.semantics(None).expect("it has a meaning");
    let base = target.rules();
    let rules = parse(target, base.rules).expect("a rule text");
    let mut slowest = (0, String::new());
    for rule in &rules {
        let start = Instant::now();
        let _ = prove(&*semantics, rule);
        slowest = slowest.max((start.elapsed().as_micros(), rule.name.clone()));
    }
    let start = Instant::now();
    let text = match certify(&*semantics, &rules) {
        Ok(text) => text,
        Err(refused) => panic!("{refused:#?}"),
    };
    let time = start.elapsed();
    let count = |kind: &str| text.lines().filter(|l| l.contains(kind)).count();
    println!(
        "{} rules in {time:?}: {} structural, {} exhaustive, {} solved; slowest {slowest:?}",
        rules.len(),
        count(": structural "),
        count(": exhaustive-"),
        count(": solved "),
    );
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(Path::new(file), &text).expect("it can be written");
        return;
    }
    assert_eq!(text, base.certificates, "BLESS=1 writes {file}");
    let start = Instant::now();
    let (good, refused) = load(&*semantics, rules.clone(), base.certificates);
    println!("loaded in {:?}", start.elapsed());
    assert!(refused.is_empty() && good.len() == rules.len());
}

/// A certificate of other formulas is worth nothing.
pub fn others_are_refused(target: &dyn Target, right: &str, wrong: &str) {
    let semantics = target.semantics(None).expect("it has a meaning");
    let right = parse(target, right).expect("rules");
    let wrong = parse(target, wrong).expect("rules");
    assert_eq!(right[0].name, wrong[0].name);
    let certificates = certify(&*semantics, &right).expect("it is right");
    assert!(load(&*semantics, right, &certificates).1.is_empty());
    let (good, refused) = load(&*semantics, wrong, &certificates);
    assert!(good.is_empty() && refused.len() == 1);
}

/// The state in which a rule is wrong.
pub fn refuted(target: &dyn Target, rule: &str) -> Counterexample {
    let semantics = target.semantics(None).expect("it has a meaning");
    let rules = parse(target, rule).expect("a rule");
    match prove(&*semantics, &rules[0]) {
        Err(Refusal::Wrong(state)) => state,
        other => panic!("{rule}: {other:?}"),
    }
}

/// That a rule says what no proof is for.
pub fn unfit(target: &dyn Target, rule: &str) {
    let semantics = target.semantics(None).expect("it has a meaning");
    let rules = parse(target, rule).expect("a rule");
    let refused = prove(&*semantics, &rules[0]);
    assert!(
        matches!(refused, Err(Refusal::Unfit(_))),
        "{rule}: {refused:?}"
    );
}
