//! What `check` says besides promises: of a program's blocks and handler as a whole, of
//! power-on, and of what is taken on trust.

use crate::common::gigatron::found;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings};

/// What `check` finds in a text.
fn checked(text: &str) -> Vec<String> {
    let target = scrimp::targets::by_name("gigatron").expect("the Gigatron");
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: target.machine("gigatron-32k"),
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let settings = Settings {
        whole_proof: true,
        ..Settings::default()
    };
    let files = MemoryLoader::default().with("main.asm", text.as_bytes());
    found(&scrimp::assemble_with(&job, &settings, &files))
}

const NO_PULSE: &str =
    "W0008 no instruction makes hSync or vSync fall, so there is no line to prove";

#[test]
fn a_program_that_makes_no_pulse_is_told_so() {
    let blink = " section main in rom\nstart: bra start\n nop\n";
    assert_eq!(checked(blink), [NO_PULSE]);
    let steady = " section main in rom\nstart: ld $c0,out\n bra start\n nop\n";
    assert_eq!(checked(steady), [NO_PULSE]);
}

/// A line of ten clocks.
const LINE: &str = "line:   ld $00,out
        ld $c0,out
        nop
        nop
        nop
        nop
        nop
        nop
        bra line
        nop
";

#[test]
fn power_on_must_lead_to_the_first_line() {
    let text =
        |first: &str| format!(" section main in rom\n lines 10\n{first} clock 0, rebase\n{LINE}");
    assert_eq!(checked(&text("")), Vec::<String>::new());
    assert_eq!(checked(&text(" nop\n")), Vec::<String>::new());
    assert_eq!(
        checked(&text("stay: bra stay\n nop\n")),
        ["W0008 power-on does not lead here, so no line of the running program is proven"]
    );
    assert_eq!(
        checked(&text(" bra [$20]\n nop\n")),
        ["W0008 the way from power-on to the first `rebase` cannot be followed from here"]
    );
}

#[test]
fn what_is_taken_on_trust_is_named() {
    let text = " section main in rom
        clock 0, rebase
start:  ld $00,out
        ld $c0,out
l:      ld [$20]
        rounds 1
        suba 1
        bne l
        st [$20]
        clock 6, end
        nop
";
    assert_eq!(
        checked(text),
        ["W0008 what is promised here is taken as it is, and not proven"]
    );
}

/// A block of time that stores through a pointer, between power-on and a handler.
fn pointer(to: &str, mask: &str) -> String {
    format!(
        "        section cells in zero
left:   ds 1
back:   ds 1
ptr:    ds 1
list:   ds 4
        section boot in rom
        org 0
        ld low({to})
        st [ptr]
        ld 0
        st [left]
        ld hi(main),y
        jmp y,main
        nop
        slices left, back, late, 40
        section work in rom within=256
main:   sync
        ld [ptr]
{mask}        ld ac,x
        ld 127
        st [x]
        bra main
        nop
        stubs
        section hand in rom
late:   bra late
        nop
"
    )
}

#[test]
fn a_store_through_a_pointer_may_not_hit_the_time_left() {
    let hit = "E0063 this store hits the cell with the time left";
    let told = |to: &str, mask: &str| checked(&pointer(to, mask));
    assert!(told("left", "").contains(&hit.to_owned()));
    assert_eq!(told("list", ""), [NO_PULSE]);
    assert_eq!(told("list", "        adda 1\n"), [NO_PULSE]);
    assert!(told("list", "        suba 3\n").contains(&hit.to_owned()));
    // What is not known may be anything.
    assert!(
        !told("list", "        adda [$80]\n")
            .iter()
            .all(|f| f == NO_PULSE)
    );
}
