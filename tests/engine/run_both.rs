//! Two images of one program run beside each other (`check::beside`): what is the same is
//! found the same wherever it lies, and what is not is seen.

use scrimp::check::beside::{Alike, Differs, Runs, compare};
use scrimp::image::Image;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Settings, assemble_with};

/// One text with `N` 0 and with another `N`, run beside each other.
fn two(target: &str, machine: &str, text: &str, x: i64) -> Result<Alike, Differs> {
    two_in("native", target, machine, text, x)
}

fn two_in(
    dialect: &str,
    target: &str,
    machine: &str,
    text: &str,
    x: i64,
) -> Result<Alike, Differs> {
    let target = scrimp::targets::by_name(target).expect("a target");
    let machine = target.machine(machine);
    let image = |x: i64| -> Image {
        let job = Job {
            file: "main.asm".into(),
            target,
            machine,
            dialect: dialect.into(),
            defines: vec![("N".into(), x.into())],
        };
        let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
        let out = assemble_with(&job, &Settings::default(), &loader);
        let said: Vec<_> = out.diagnostics.iter().map(|d| d.message.clone()).collect();
        out.image.unwrap_or_else(|| panic!("{said:?}"))
    };
    let runs = Runs {
        steps: 2000,
        worlds: 3,
    };
    compare((target, machine), (&image(0), &image(x)), None, runs)
}

fn z80(text: &str, x: i64) -> Result<Alike, Differs> {
    two("z80", "", text, x)
}

#[test]
fn what_lies_elsewhere_is_the_same() {
    // The table, a pointer to it at once and by halves, a routine and its address.
    let text = "        org $8000
start:  ld hl,table
        ld ($9000),hl
        ld a,l
        ld ($9002),a
        ld a,h
        ld ($9003),a
        ld hl,draw
        ld ($9004),hl
        call draw
        inc (hl)
        halt
stay:   jr stay
        fill N,0
draw:   ld a,(table+1)
        out (7),a
        ret
        fill N,0
table:  db 1,2,3
";
    let alike = z80(text, 5).expect("the same");
    assert!(alike.events >= 6, "{alike:?}");
    assert_eq!(alike.steps, 2000);
}

#[test]
fn what_is_otherwise_is_seen() {
    let differs = |line: &str| {
        let text = format!(
            "        org $8000
start:  ld hl,$9000
        ld (hl),1
        {line}
        out (3),a
stay:   jr stay
"
        );
        z80(&text, 1).expect_err(line).to_string()
    };
    let said = differs("ld a,N");
    assert_eq!(
        said,
        "after 1 things that both do the program before writes $00 to port $03 at $8007, \
         the one behind writes $01 to port $103 at $8007"
    );
    // A value, a place, one byte of two, something less, something more.
    assert!(differs("ld (hl),N").contains("writes $01 to $9000 at $8005"));
    assert!(differs("ld ($9000+N),a").contains("$9001"));
    assert!(differs("ld de,$100*N\n ld ($9002),de").contains("$9003"));
    for line in [
        "if N\n xor a\n endif",
        "if N==0\n out (3),a\n endif",
        "if N\n halt\n endif",
    ] {
        assert!(differs(line).contains("the one behind"), "{line}");
    }
    // Behind the last write the first is over, and the other goes on.
    let text = "        org $8000\nstart:  ld a,1\n        out (3),a\n        ret\n";
    assert_eq!(z80(text, 1).expect("the same").events, 2);
}

#[test]
fn half_an_address_needs_the_other_half() {
    // A count that differs is no address of the program, by halves or not.
    let text = "        org $8000
start:  ld hl,$1234+N
        ld a,l
        ld ($9000),a
        ld a,h
        ld ($9001),a
stay:   jr stay
";
    assert!(z80(text, 1).is_err());
    // Nor is the other half elsewhere, or never written.
    for second in ["ld ($9005),a", "nop"] {
        let text = format!(
            "        org $8000
start:  ld hl,table
        ld a,l
        ld ($9000),a
        ld a,h
        {second}
        out (1),a
stay:   jr stay
        fill N,0
table:  db 1
"
        );
        assert!(z80(&text, 3).is_err(), "{second}");
    }
}

#[test]
fn outside_answers_and_returns() {
    // Ports, memory of nobody and a routine of the ROM; a loop ends by what a port says.
    let text = "        org $8000
start:  call $0010
        jp z,wait
wait:   in a,(5)
        bit 3,a
        jr z,wait
        ld ($5002),a
        ld hl,($4000)
        ld ($5000),hl
        jr wait
        fill N,0
";
    let alike = z80(text, 3).expect("the same");
    assert!(alike.events > 20, "{alike:?}");
    // One read more is another answer.
    let text = text.replace(
        "        bit 3,a",
        "        if N\n        in a,(5)\n        endif\n        bit 3,a",
    );
    assert!(z80(&text, 1).is_err());
}

#[test]
fn program_memory_may_be_apart() {
    let text = |line: &str| {
        format!(
            "        machine \"atmega328p\"
        section code in flash
start:  ldi r16,7
        call put
        ldi ZL,low(table)
        ldi ZH,high(table)
        lpm r16,Z+
        sbrc r16,0
        inc r16
        {line}
        sts $0123,r16
stay:   rjmp stay
put:    push r16
        out $05,r16
        pop r16
        ret
        fill 2*N,0
table:  db 5,6
"
        )
    };
    let run = |line: &str| two("avr", "atmega328p", &text(line), 2);
    let alike = run("nop").expect("the same");
    assert_eq!(alike.events, 2, "{alike:?}");
    let differs = run("ldi r16,N").expect_err("another value");
    assert!(
        differs.to_string().contains("writes $02 to $0123"),
        "{differs}"
    );
    assert!(run("out $06+N,r16").is_err());
}

/// Without a part there is SRAM for the stack: what is pushed there is compared with nothing.
#[test]
fn a_stack_is_in_memory_also_if_no_part_is_named() {
    let text = " rcall far\n sts 0x300,r16\nstay: rjmp stay\n fill 2*N,0\nfar: rcall put\n ret\n\
                put: push r16\n pop r16\n ret\n";
    let alike = two("avr", "", text, 2).expect("the same");
    assert_eq!(alike.events, 1, "{alike:?}");
}

#[test]
fn a_stack_may_begin_at_the_end_of_memory() {
    // The first return address lies at $FFFE, and its upper half is another behind the room.
    let text = "        org $8000
start:  ld sp,0
        jp go
        fill N,0
go:     call draw
        halt
stay:   jr stay
draw:   ld a,1
        out (7),a
        ret
";
    let alike = z80(text, 300);
    assert!(alike.is_ok(), "{alike:?}");
}

#[test]
fn what_is_stored_elsewhere_is_copied_from_there() {
    let text = "        org $8000
start:  ds N,0
        ld hl,stored
        ld de,$d000
        ld bc,end-stored
        ldir
        call run
        halt
stay:   jr stay
stored:
        disp $d000
run:    ld a,5
        out (7),a
        ret
        ent
end:    nop
";
    let alike = two_in("sjasmplus", "z80", "", text, 3).expect("the same");
    assert!(alike.events > 0 && alike.steps > 12, "{alike:?}");
}

/// Words with slots: what is shown, and when, and what is stored must be the same; addresses of
/// the same words may be others.
#[test]
fn words_with_slots_run_at_the_same_clocks() {
    let program = |more: &str, dead: &str| {
        format!(
            "        machine gigatron-32k
        section main in rom
        org 0
start:  ld hi(back)
        st [$31]
        ld lo(back)
        st [$30]
        ld hi(sub),y
        jmp y,sub
        nop
        {dead}
back:   ld [$40]
        ld ac,out
        adda 1
        bra start
        st [$40]
        org $100
sub:    {more}
        ld [$31],y
        jmp y,[$30]
        ld 7
"
        )
    };
    let run = |more: &str, dead: &str| two("gigatron", "gigatron-32k", &program(more, dead), 1);
    let alike = run("nop", "nop").expect("the same");
    assert!(alike.events > 100 && alike.steps == 2000, "{alike:?}");
    let room = "repeat N/nop/endr".replace('/', "\n        ");
    assert!(run("nop", &room).is_ok(), "what nothing comes to");
    let later = run(&room, "nop").expect_err("a clock more");
    assert!(later.to_string().contains("clock"), "{later}");
    assert!(run("ld N,out", "nop").is_err(), "another picture");
    assert!(
        run("ld N/ld 3,out".replace('/', "\n        ").as_str(), "nop").is_err(),
        "sound"
    );
    assert!(
        run("ld N/st [$50]".replace('/', "\n        ").as_str(), "nop").is_err(),
        "memory"
    );
}
