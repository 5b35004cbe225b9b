//! The lines of a whole program, proved from power-on without promises in its source.

use crate::common::gigatron::{assemble, findings};

/// A picture of eight lines of 60 clocks in which a task goes on a step a line: where
/// it goes on is in two cells, how often in a third, one step asks the input and one
/// jumps by a table in RAM. Three steps end with words of filler: 3, 6 and 2 are right.
fn program(fillers: [usize; 3]) -> String {
    let [count, pressed, table] = fillers.map(|n| "        nop\n".repeat(n));
    format!(
        "
line    equ $10         ; lines until vSync changes
low_    equ $11         ; where the task goes on
high_   equ $12
left    equ $13         ; rounds of the task
level   equ $14         ; OUT between the pulses
pulse   equ $15         ; and while hSync is low
scratch equ $16         ; something of no matter
        ld 7
        st [line]
        ld lo(begin)
        st [low_]
        ld hi(begin)
        st [high_]
        ld $c0
        st [level]
        ld $80
        st [pulse]
        ld 2,y
        ld lo(even)
        st [y,0]
        ld lo(odd)
        st [y,1]
        ld hi(video),y
        jmp y,video
        nop

        org $100
video:  ld [pulse],out
        ld [scratch]
        adda 3
        st [scratch]
        ld [level],out
        ld [line]
        beq last
        suba 1
        st [line]
        ld [high_],y
        jmp y,[low_]
        nop
last:   ld [level]      ; clock 8: the other level of vSync
        xora $80
        st [level]
        xora $40
        st [pulse]
        ld 3
        st [line]
        ld 16           ; and nothing of the task
wait:   bne wait
        suba 1
        nop
        ld hi(back),y
        jmp y,back
        nop

        org $300
; Steps begin at clock 12 and lead to `back` at 54.
begin:  ld 2
        st [left]
        ld lo(count)
        st [low_]
        ld 16
w1:     bne w1
        suba 1
        nop
        bra back
        nop

count:  ld [left]
        beq done
        suba 1
        st [left]
        ld 15
w2:     bne w2
        suba 1
{count}        bra back
        nop
done:   ld lo(pressed)  ; clock 15
        st [low_]
        ld 15
w3:     bne w3
        suba 1
        nop
        nop
        bra back
        nop

pressed: ld in
        anda 1
        beq none
        ld lo(begin)
        st [low_]
        ld lo(table)
        st [low_]
        ld 12
w4:     bne w4
        suba 1
{pressed}        bra back
        nop
none:   st [low_]       ; clock 16
        ld lo(begin)
        st [low_]
        ld 12
w5:     bne w5
        suba 1
        nop
        nop
        nop
        nop
        nop
        nop
        bra back
        nop

table:  ld 2,y
        ld in
        anda 1,x
        ld [y,x]
        bra ac
        ld hi(begin)
even:   st [high_]      ; clock 18
        ld lo(begin)
        st [low_]
        ld 13
w6:     bne w6
        suba 1
{table}        bra back
        nop
odd:    st [high_]
        ld lo(begin)
        st [low_]
        ld 13
w7:     bne w7
        suba 1
        nop
        nop
        bra back
        nop
back:   ld hi(video),y  ; clock 54
        nop
        nop
        nop
        jmp y,video
        nop
        lines 60, reset
"
    )
}

#[test]
fn a_program_without_promises_is_proven_as_it_is() {
    let text = program([3, 6, 2]);
    assert_eq!(findings(&text), Vec::<String>::new());
    assert!(assemble(&text).image.expect("an image").proven > 20);
}

#[test]
fn each_step_of_a_task_that_takes_too_long_is_found_with_its_path() {
    // Two words too many each time the step is done, which is never twice in a frame.
    let counted = findings(&program([5, 6, 2]));
    let message = "E0063 hSync falls after 62 clocks, 2 too many: a line has 60";
    assert_eq!(counted.len(), 1, "{counted:?}");
    assert!(counted[0].starts_with(message), "{counted:?}");
    // Only where a button is pressed, and only where the table leads there.
    for (fillers, found) in [([3, 5, 2], 59), ([3, 6, 6], 64)] {
        let bad = findings(&program(fillers));
        assert_eq!(bad.len(), 1, "{bad:?}");
        assert!(bad[0].starts_with(&format!("E0063 hSync falls after {found} clocks")));
        assert!(bad[0].contains("; 0 to "), "{bad:?}");
    }
    let out = assemble(&program([3, 6, 6]));
    let d = &out.diagnostics[0];
    assert_eq!(d.help.as_deref(), Some("take 4 words out of the path"));
    let path = d.notes.join("\n");
    assert!(
        path.contains("bra ac") && path.contains("more rounds"),
        "{path}"
    );
    let place = out.sources.slice(d.span.expect("a place"));
    assert!(place.starts_with("even:"), "{place}");
}

#[test]
fn all_faults_of_a_program_are_found_at_once() {
    let bad = findings(&program([2, 7, 4]));
    let clocks: Vec<_> = bad
        .iter()
        .map(|b| b.split(' ').nth(4).unwrap_or(""))
        .collect();
    assert_eq!(clocks, ["59", "61", "62"], "{bad:?}");
}

#[test]
fn a_store_to_nowhere_known_is_told() {
    let text = program([3, 6, 2])
        .replace(
            "        ld [scratch]\n        adda 3\n",
            "        ld in,y\n        ld in,x\n",
        )
        .replace("        st [scratch]", "        st [y,x]");
    let found = findings(&text);
    assert_eq!(found, ["W0008 where this stores is not known"]);
}

#[test]
fn a_jump_to_anywhere_is_open_and_not_proven() {
    let text = program([3, 6, 2]).replace(
        "        ld [y,x]\n        bra ac",
        "        ld in\n        bra ac",
    );
    let found = findings(&text);
    assert!(
        found.contains(&"W0008 where this jumps is not known".to_owned()),
        "{found:?}"
    );
}

#[test]
fn the_command_takes_promises_for_sources_without_any() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("a.asm");
    let text = program([4, 6, 2]).replace("        lines 60, reset\n", "");
    std::fs::write(&file, text).expect("a file");
    let run = |promise: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_scrimp"))
            .args(["check", "--target", "gigatron"])
            .args(promise)
            .arg(&file)
            .output()
            .expect("the command runs");
        String::from_utf8(out.stderr).expect("text")
    };
    assert_eq!(run(&[]), "");
    let found = run(&["--promise", "lines 60, reset"]);
    assert!(
        found.contains("hSync falls after 61 clocks, 1 too many"),
        "{found}"
    );
}

/// A first picture: a line of light goes down the screen. Where it is and how many lines
/// are to come decide both, so there are as many different lines as pairs of the two.
const SCROLL: &str = "\
; A line of light that goes down the screen: 264 lines of 200 clocks, vSync for 8.
        machine gigatron-32k
        section cells in zero
togo:   ds 1            ; lines until vSync changes
at:     ds 1            ; which line is light
low_:   ds 1            ; OUT while hSync is low,
high_:  ds 1            ; and while it is high

        section code in rom
        ld 0
        st [at]
frame:  ld $00          ; 165: vSync begins
        st [low_]
        ld $40
        st [high_]
        ld 7
        st [togo]
        ld [at]
        adda 1
        st [at]
        ld 10           ; 174
.wait:  bne .wait
        suba 1
        nop
        bra line        ; 198
        nop

picture: ld $80         ; 163: vSync is over
        st [low_]
        ld $c0
        st [high_]
        ld 255
        st [togo]
        ld 13           ; 169
.wait:  bne .wait
        suba 1
        bra line        ; 198
        nop

line:   ld [low_],out   ; 0: hSync falls
        ld 10
.pulse: bne .pulse
        suba 1
        nop
        ld [high_],out  ; 25
        ld 60
.dark:  bne .dark
        suba 1
        ld [togo]       ; 149
        xora [at]
        beq light
        nop
        ld [high_]      ; 153
        ora 0
        bra shown
        ld ac,out
light:  ld [high_]      ; 153
        ora $3f
        nop
        ld ac,out
shown:  ld [togo]       ; 157
        beq last
        suba 1
        st [togo]
        ld 17
.wait:  bne .wait
        suba 1
        bra line        ; 198
        nop
last:   ld [low_]       ; 160
        beq picture
        nop
        bra frame       ; 163
        nop
        lines 200, reset
";

#[test]
fn a_cell_that_may_hold_anything_makes_no_lines_of_its_own() {
    assert_eq!(findings(SCROLL), Vec::<String>::new());
}

#[test]
fn with_such_a_cell_faults_are_found_as_well() {
    let text = SCROLL.replace("        ora $3f\n        nop\n", "        ora $3f\n");
    let bad = findings(&text);
    let message = "E0063 hSync falls after 199 clocks, 1 too few: a line has 200";
    assert!(bad.iter().any(|b| b.starts_with(message)), "{bad:?}");
    let many = "W0008 there are too many different lines to walk them all";
    assert!(bad.iter().any(|b| b.starts_with(many)), "{bad:?}");
    let out = assemble(&text);
    let d = out
        .diagnostics
        .iter()
        .find(|d| d.message.starts_with(&many[6..]));
    let help = d.and_then(|d| d.help.as_deref()).expect("a help");
    assert!(help.contains("$0000 has 256"), "{help}");
}

#[test]
fn a_signal_that_never_falls_is_named_and_nothing_else() {
    let text = |off: &str| {
        format!(
            "        ld 1
again:  ld ${off},out
        ld 200
wait:   bne wait
        suba 1
        ld $c0,out
        bra again
        nop
        lines 200, reset
"
        )
    };
    let message = |what: &str| vec![format!("W0008 no instruction makes {what}")];
    let vsync = "vSync fall, so no frame begins and no line is proven";
    assert_eq!(findings(&text("80")), message(vsync));
    let hsync = "hSync fall, so there is no line to prove";
    assert_eq!(findings(&text("40")), message(hsync));
}

#[test]
fn a_picture_without_vsync_proves_nothing() {
    // The one store that would let vSync fall stores another level.
    let silent = program([3, 6, 2]).replace("xora $80\n", "xora $00\n");
    let message = "W0008 vSync does not fall again and again, so no line is one of a picture";
    assert_eq!(findings(&silent), [message]);
}
