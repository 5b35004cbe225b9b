//! Values that are cut and memory that goes around: a warning wherever the dialect does
//! so, an error in scrimp's own language.

use super::bench::Bench;

#[test]
fn what_is_cut_is_told() {
    let fits: &[(&str, &str)] = &[
        (
            "pasmo",
            " db -1,255\n dw -1,65535,0-5+10\nx equ -5\n ld a,x\n ld de,-x\n ld a,-1\n db 1=1, not 1, 0-128\n ld (ix-128),a\n ds 3\n rept 2,i,5,-1\n db i\n endm\nv defl -1\n dw v+5\n",
        ),
        (
            "z80asm",
            " db -1,255\n dw -1,65535,0-5+10\nx: equ -5\n ld a,x\n ld de,-x\n",
        ),
        (
            "gas-avr",
            " .byte -1,255\n .word 65535,x\n .long 1<<31\nx: nop\n",
        ),
        ("avrasm2", " .dw 1<<15, 65535\n"),
    ];
    let cut: &[(&str, &str, &str)] = &[
        ("pasmo", " ld a,300\n", "300 is cut"),
        ("pasmo", " db 300\n", "300 is cut to 8 bits"),
        ("pasmo", " db x\nx equ 300\n", "300 is cut"),
        ("pasmo", " db 65408\n", "65408 is cut to 8 bits"),
        ("pasmo", " db $ffff\n", "65535 is cut to 8 bits"),
        ("pasmo", " db 65400+9\n", "65409 is cut to 8 bits"),
        ("pasmo", " ld a,65535\n", "65535 is cut to fit"),
        ("pasmo", " ld a,(ix+65535)\n", "65535 is cut to fit"),
        ("pasmo", " dw 70000\n", "`70000` is cut to 4464"),
        ("pasmo", " dw 65535+1\n", "the value is cut to 0"),
        ("pasmo", " dw -32769\n", "the value is cut to 32767"),
        (
            "pasmo",
            " dw x\nx equ y*2\ny equ 40000\n",
            "the value is cut to 14464",
        ),
        ("pasmo", " dw 300*300\n", "the value is cut"),
        ("pasmo", " org 70000\n nop\n", "`70000` is cut to 4464"),
        (
            "pasmo",
            " rept 131073\n nop\n endm\n",
            "`131073` is cut to 1",
        ),
        ("pasmo", " ds 4000000000\n", "`4000000000` is cut"),
        ("pasmo", " ds -1\n", "a count below zero"),
        ("pasmo", " org 65535\n db 1,2\n", "1 bytes lie behind $FFFF"),
        ("pasmo", " org 65000\n ds 1000\n nop\n", "lie behind $FFFF"),
        ("z80asm", " ds 4294967296\n nop\n", "is cut to 0"),
        ("z80asm", " org 9223372036854775807\n nop\n", "is cut to -1"),
        ("z80asm", " dw 2147483647*4\n", "the value is cut"),
        ("z80asm", " org 65535\n db 1,2\n", "lie behind $FFFF"),
        (
            "z80asm",
            " org 65536\n nop\n",
            "the address 65536 is cut to 0",
        ),
        ("pasmo", " rept -65535\n nop\n endm\n", "a count below zero"),
        (
            "gas-avr",
            "b: .byte e-b\n .skip 400\ne:\n",
            "401 is cut to 8 bits",
        ),
        ("gas-avr", " .long 1<<64\n", "the value is cut"),
        ("avra", " .dw 1<<64\n", "the value is cut"),
        ("glass", " db 0,300\n", "300 is cut to 8 bits"),
        ("glass", " dw 70000\n", "70000 is cut to 16 bits"),
        ("glass", "x: equ 300\n db x\n", "300 is cut to 8 bits"),
        ("glass", " ds 2,300\n", "300 is cut to 8 bits"),
        (
            "glass",
            "m: macro v\n db v\n endm\n m 300\n",
            "300 is cut to 8 bits",
        ),
        ("zasm", " org 70000\n nop\n", "the address 70000 is cut"),
        (
            "zasm",
            " org 0\n nop\n .phase 70000\n nop\n",
            "the address 70000 is cut",
        ),
        (
            "zasm",
            "#target rom\n#code x,0,16,space=300\n nop\n",
            "the byte 300 is cut to 44",
        ),
        ("zmac", " org 70000\n nop\n", "the address 70000 is cut"),
        (
            "zmac",
            " phase 70000\n nop\n dephase\n",
            "the address 70000 is cut",
        ),
        (
            "asl",
            " phase 70000\n nop\n dephase\n",
            "the address 70000 is cut",
        ),
        (
            "vasm",
            " rorg 70000\n nop\n rend\n",
            "the address 70000 is cut",
        ),
        ("vasm", " dsw 2,70000\n", "70000 is cut to 16 bits"),
        ("rasm", " defi 4294967296\n", "is cut to 32 bits"),
        ("rasm", " charset 'a',300\n db 'a'\n", "the code 300 is cut"),
        ("sjasmplus", " abyte 1 300\n", "300 is cut to 8 bits"),
        ("gas-avr", " .fill 2,1,300\n", "300 is cut to 8 bits"),
        ("gas-z80", " .fill 2,2,70000\n", "70000 is cut to 16 bits"),
    ];
    for (dialect, text) in fits {
        let b = Bench::new(&[("a.asm", text)]);
        let ran = b.run(&["build", "a.asm", "--dialect", dialect, "-o", "a.bin", "-q"]);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (Some(0), ""),
            "{dialect}: {text}"
        );
    }
    let mut faults = String::new();
    for (dialect, text, says) in cut {
        let b = Bench::new(&[("a.asm", text)]);
        let ran = b.run(&["build", "a.asm", "--dialect", dialect, "-o", "a.bin", "-q"]);
        if ran.code != Some(0) || !ran.err.contains("warning[W00") || !ran.err.contains(says) {
            faults += &format!("{dialect}: {text}: {:?}\n{}\n", ran.code, ran.err);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn the_own_language_cuts_nothing() {
    for value in [
        "1<<64",
        "1<<-1",
        "1>>-1",
        "3<<63",
        "1<<63<<1",
        "9223372036854775807+1",
    ] {
        let b = Bench::new(&[
            ("a.asm", &format!(" dd {value}\n")),
            ("b.asm", &format!(" dd x+{value}\nx equ 0\n")),
        ]);
        for file in ["a.asm", "b.asm"] {
            let ran = b.run(&["build", file]);
            assert_eq!(ran.code, Some(1), "{value}: {}", ran.err);
            assert!(ran.err.contains("E0022"), "{value}: {}", ran.err);
        }
    }
    let b = Bench::new(&[("a.asm", " dd 1<<31,0<<99,-1<<31,5>>99\n")]);
    assert_eq!(b.run(&["build", "a.asm"]).code, Some(0));
}

#[test]
fn an_unknown_word_behind_the_sign_is_an_error() {
    let b = Bench::new(&[
        ("a.asm", "#inculde \"x\"\n nop\n"),
        ("b.asm", "#target ram\n nop\n"),
        ("d.asm", "# inculde \"x\"\n nop\n"),
        ("c.asm", "#\n# a remark\n# 12 \"a.c\"\n nop\n"),
    ]);
    let ran = b.run(&["build", "a.asm", "--dialect", "native-cpp"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("`#include`"),
        "{}",
        ran.err
    );
    for file in ["b.asm", "d.asm"] {
        let ran = b.run(&["build", file, "--dialect", "native-cpp"]);
        assert_eq!(ran.code, Some(1), "{file}");
    }
    let ran = b.run(&["build", "c.asm", "--dialect", "native-cpp"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn an_operator_that_a_dialect_lacks_is_two_signs() {
    let b = Bench::new(&[("a.asm", " dw 7&&B1111\n dw 7&&H0F,7 & &O17\n")]);
    let ran = b.run(&["build", "a.asm", "--dialect", "z80asm"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(b.read("a.bin"), Some(vec![7, 0, 7, 0, 7, 0]));
}
