//! Rules that are searched for windows.

use scrimp_isa::rules::search::{Effort, Lab, Wrong, merge, windows};
use scrimp_isa::rules::{Proof, Refusal, check, parse, prove, prove_within};
use scrimp_isa::{Semantics, Target};
use scrimp_z80::Z80;

fn meaning() -> Box<dyn Semantics> {
    Z80.semantics(None).expect("a meaning")
}

/// What is found for windows, without the names.
fn found(text: &str) -> Vec<String> {
    let semantics = meaning();
    let lab = Lab::new(&Z80, &*semantics, Effort::default());
    let list = windows(text).expect("windows");
    let rules = list.iter().filter_map(|w| lab.rules(w));
    let body = |r: String| r.split_once(": ").expect("a name").1.to_owned();
    let mut out: Vec<String> = rules.map(body).collect();
    out.sort();
    out
}

#[test]
fn shorter_sequences_are_found_and_constants_become_variables() {
    let list = found(
        "z80 1: ld a,0 | dead f
         z80 1: ld a,5 / ld b,a | dead a
         z80 1: and 15 / and 7
         z80 1: ld a,($v0) / inc a / ld ($v0),a | dead f a h l
         z80 1: ld b,3 / ld c,7
         z80 1: push bc / pop de | dead b c
         z80 1: ld (hl),5 / inc hl / ld (hl),5 | dead a",
    );
    assert_eq!(
        list,
        [
            "and 15 / and 7 => and 7",
            "ld a,$c0 / ld b,a => ld b,$c0 | dead a",
            "ld a,($v0) / inc a / ld ($v0),a => ld hl,$v0 / inc (hl) | dead h a l",
            "ld a,0 => sub a | dead f.n f.z f.c f.p f.x f.h f.y f.s",
            "ld b,$c0 / ld c,$c1 => ld bc,$c0:$c1",
        ]
    );
}

#[test]
fn rules_are_the_same_in_whatever_order_they_come() {
    let semantics = meaning();
    let one = "a: ld c,5 / ld a,b / ld c,5 => ld a,b / ld c,5
               b: ld (hl),b / ld a,(hl) => ld (hl),b / ld a,b | dead a | own";
    let two = "c: ld c,5 / ld a,b / ld c,5 => ld a,b / ld c,5
               d: inc a / inc b / dec a / or a => inc b / or a";
    let merged = |texts: &[&str]| merge(&Z80, &*semantics, texts);
    // `b` is wrong by what it says: it saves nothing, and is proven all the same.
    let both = merged(&[one, two]).expect("rules");
    assert_eq!(merged(&[two, one]), Ok(both.clone()));
    assert_eq!(merged(&[one, two, one]), Ok(both.clone()));
    // `c` says what `a` says.
    assert_eq!((both.kept, both.needless), (3, 1), "{}", both.text);
    assert_eq!(merged(&[&both.text]).map(|m| m.text), Ok(both.text.clone()));
    // A certificate of something else, and a rule that is wrong.
    let other = both
        .text
        .replace("d: inc a / inc b / dec a", "d: dec a / inc b / inc a");
    assert!(matches!(merged(&[&other]), Err(Wrong::Certificate(name)) if name == "d"));
    let wrong = both.text.replace("=> inc b / or a", "=> inc b / xor a");
    assert!(matches!(merged(&[&wrong]), Err(Wrong::Proof(name, _)) if name == "d"));
}

#[test]
fn what_others_make_needless_is_left_out() {
    let semantics = meaning();
    let rules = "a: ld (hl),$n / rlc l / rrc l => ld (hl),$n | dead f
                 b: ld (hl),5 / rlc l / rrc l => ld (hl),5 | dead f
                 c: ld b,7 / ld (hl),5 / rlc l / rrc l => ld b,7 / ld (hl),5 | dead f
                 d: ld b,7 / ld (hl),5 / rlc l / rrc l / xor a => ld b,7 / ld (hl),5 / xor a";
    let merged = merge(&Z80, &*semantics, &[rules]).expect("rules");
    assert_eq!((merged.kept, merged.needless), (1, 3), "{}", merged.text);
    assert!(merged.text.starts_with("a: "));
    // Rules of the target count too.
    let known = "a: ld a,0 / inc b => xor a / inc b | dead f";
    let merged = merge(&Z80, &*semantics, &[known]).expect("rules");
    assert_eq!((merged.kept, merged.needless), (0, 1));
}

#[test]
fn what_a_solver_found_is_checked_without_it() {
    let semantics = meaning();
    let text = "x: ld a,e / cpl / ld e,a / ld a,d / cpl / ld d,a / inc de / add hl,de \
                => or a / sbc hl,de | dead a d e f";
    let rule = &parse(&Z80, text).expect("a rule")[0];
    let made = prove_within(&*semantics, rule, u64::MAX).expect("a proof");
    assert_eq!(made.proof, Proof::Solved);
    assert_eq!(check(&*semantics, rule, &made.steps), Ok(made.clone()));
    println!("{} bytes of steps", made.steps.len());
    // Of the steps none may be missing, and they show no other rule.
    for steps in ["", "1", &made.steps[..made.steps.len() / 2]] {
        assert!(check(&*semantics, rule, steps).is_err());
    }
    let wrong = text.replace("or a /", "scf /");
    let wrong = &parse(&Z80, &wrong).expect("a rule")[0];
    assert!(check(&*semantics, wrong, &made.steps).is_err());
    assert!(matches!(prove(&*semantics, wrong), Err(Refusal::Wrong(_))));
    assert!(matches!(
        prove_within(&*semantics, rule, 2),
        Err(Refusal::Unfit(_))
    ));
}
