//! Side conditions on an AVR that are broken on purpose: the checker alone catches each. What
//! only this instruction set has is here: skips over one word and two, pairs, addresses by
//! their bytes, the stack pointer as ports, program memory apart.

use crate::check::compare_on;

fn takes(what: &str, old: &str, new: &str) {
    if let Err(all) = compare_on("avr", old, new) {
        panic!("{what} is right, but:\n{all:#?}\n{old}\n---\n{new}");
    }
}

fn catches(what: &str, old: &str, new: &str) {
    // Both are programs by themselves: only together they are in doubt.
    takes(what, old, old);
    takes(what, new, new);
    let found = compare_on("avr", old, new);
    assert!(found.is_err(), "{what} is not caught:\n{old}\n---\n{new}");
}

/// What stands in this program, and what comes there that is wrong.
const WRONG: &[(&str, &str, &str)] = &[
    ("another number", "ldi r16,5", "ldi r16,6"),
    ("another register", "mov r18,r16", "mov r19,r16"),
    ("another source", "mov r18,r16", "mov r18,r17"),
    ("another instruction", " inc r16\n", " dec r16\n"),
    ("an instruction more", " inc r16\n", " inc r16\n inc r16\n"),
    ("an instruction less", " inc r16\n", ""),
    (
        "another order",
        "inc r16\n mov r18,r16",
        "mov r18,r16\n inc r16",
    ),
    ("the other condition", "breq first", "brne first"),
    ("another condition", "breq first", "brcs first"),
    ("another goal", "breq first", "breq second"),
    ("a goal one instruction on", "breq first", "breq first1"),
    ("a branch that is gone", " breq first\n", ""),
    ("another callee", "rcall first", "rcall second"),
    ("a call that is a jump", "rcall first", "rjmp first"),
    ("a call of nothing", "rcall first", "rcall back"),
    ("a return that is gone", "ret\nsecond:", "second:"),
    (
        "a return from an interrupt",
        "ret\nsecond:",
        "reti\nsecond:",
    ),
    (
        "a plain return from an interrupt",
        "reti\ngoals:",
        "ret\ngoals:",
    ),
    ("a push of something else", "push r17", "push r18"),
    ("a pop into something else", "pop r19", "pop r18"),
    ("a loop that never ends", "brne loop", "rjmp loop"),
    ("a loop with another start", "brne loop", "brne loop1"),
    ("another port", "out $05,r16", "out $06,r16"),
    ("another port that is read", "in r17,$03", "in r17,$04"),
    ("a bit of another number", "sbrc r16,3", "sbrc r16,4"),
    ("a skip the other way", "sbrc r16,3", "sbrs r16,3"),
    ("a skip on another register", "sbrc r16,3", "sbrc r17,3"),
    (
        "what is skipped is another",
        "sbrc r16,3\n inc r17",
        "sbrc r16,3\n inc r18",
    ),
    (
        "what is skipped is gone",
        "sbrc r16,3\n inc r17\n",
        "sbrc r16,3\n",
    ),
    (
        "a skip of two words for one",
        "sbrc r16,3\n inc r17",
        "sbrc r16,3\n sts $0120,r17",
    ),
    ("a bit of a port", "sbi $04,2", "sbi $04,3"),
    ("a bit of a port that is cleared", "sbi $04,2", "cbi $04,2"),
    ("a byte of another address", "low(data)", "low(more)"),
    ("the other byte", "ldi ZL,low(data)", "ldi ZL,high(data)"),
    ("an address one byte on", "low(data)", "low(data+1)"),
    ("an address as a number", "low(data)", "$34"),
    ("program memory without counting", "lpm r17,Z+", "lpm r17,Z"),
    ("data memory for program memory", "lpm r17,Z+", "ld r17,Z+"),
    ("a store elsewhere", "sts $0120,r17", "sts $0122,r17"),
    ("a load from elsewhere", "lds r18,$0121", "lds r18,$0120"),
    ("a displacement further on", "std Y+3,r18", "std Y+4,r18"),
    ("another pointer", "ldd r19,Y+4", "ldd r19,Z+4"),
    ("another pair", "movw r24,r18", "movw r24,r16"),
    ("half of a pair", "movw r24,r18", "mov r24,r18"),
    ("a sum of another number", "adiw r24,5", "adiw r24,6"),
    ("a sum of half a pair", "adiw r24,5", "subi r24,251"),
    ("another mask", "andi r16,$0f", "andi r16,$1f"),
    ("a comparison with another", "cpi r16,7", "cpi r16,8"),
    ("a comparison with signs", "brlo first", "brlt first"),
    ("a borrow that is not counted", "sbci r17,1", "subi r17,1"),
    ("a bit that is kept", "bst r16,2", "bst r16,3"),
    ("a bit that is put back elsewhere", "bld r17,5", "bld r17,6"),
    (
        "another goal by its address",
        "low(first/2)",
        "low(second/2)",
    ),
    ("a jump for a call by address", " icall\n", " ijmp\n"),
    ("an endless loop that ends", "stop: rjmp stop", "stop: ret"),
    (
        "an entry that nobody names",
        "free: ldi r16,7",
        "free: ldi r16,8",
    ),
    (
        "another goal in a table",
        "dw first/2,second/2",
        "dw first/2,first/2",
    ),
    ("another byte of data", "db 1,2,3,4", "db 1,2,3,5"),
    ("data less", "db 1,2,3,4", "db 1,2"),
    ("data more", "db 1,2,3,4", "db 1,2,3,4,5,6"),
];

const RIGHT: &str = " org $400
start: ldi r16,5
 inc r16
 mov r18,r16
 tst r16
 breq first
 rcall first
 push r17
 pop r19
 ldi r20,3
loop: add r16,r20
loop1: dec r20
 brne loop
 out $05,r16
 sbrc r16,3
 inc r17
 com r17
 sbi $04,2
 in r17,$03
 ldi ZL,low(data)
 ldi ZH,high(data)
 lpm r17,Z+
 sts $0120,r17
 lds r18,$0121
 std Y+3,r18
 ldd r19,Y+4
 movw r24,r18
 adiw r24,5
 andi r16,$0f
 cpi r16,7
 brlo first
 sbci r17,1
 bst r16,2
 bld r17,5
 ldi ZL,low(first/2)
 ldi ZH,high(first/2)
 icall
stop: rjmp stop
free: ldi r16,7
back: ret
first: ldi r21,1
first1: ldi r22,2
 ret
second: ldi r21,3
 reti
goals: dw first/2,second/2
data: db 1,2,3,4
more: db 9,8
";

#[test]
fn what_is_wrong_is_caught() {
    takes("the same", RIGHT, RIGHT);
    for (what, from, to) in WRONG {
        assert!(RIGHT.contains(from), "{what}: no `{from}`");
        catches(what, RIGHT, &RIGHT.replacen(from, to, 1));
    }
}

/// What may not stand in a sequence that is shared: what, what stands there, and what else is
/// in the program for it.
const HARMFUL: &[(&str, &str, &str)] = &[
    (
        "a pop of what lies below",
        "pop r20\n push r20\n inc r16",
        "",
    ),
    (
        "a pop and another push",
        "pop r20\n ldi r21,3\n push r21",
        "",
    ),
    (
        "a push that stays",
        "push r20\n inc r16\n inc r17",
        "stays: pop r20\n ret\n",
    ),
    (
        "a look at the stack",
        "in r28,$3d\n in r29,$3e\n ldd r16,Y+1",
        "",
    ),
    (
        "a stack pointer that is kept",
        "in r16,$3d\n sts $0140,r16\n in r16,$3e\n sts $0141,r16",
        "",
    ),
    ("another stack", "out $3d,r28\n out $3e,r29\n inc r16", ""),
    (
        "a frame that stays",
        "in r28,$3d\n sbiw r28,2\n out $3d,r28",
        "",
    ),
    (
        "a jump to where nobody knows",
        "lds r30,$0140\n lds r31,$0141\n ijmp",
        "",
    ),
    (
        "a call of nobody knows whom",
        "lds r30,$0140\n lds r31,$0141\n icall",
        "",
    ),
    (
        "a callee that pops its return address",
        "rcall bad\n inc r16\n nop",
        "bad: pop r31\n pop r30\n ijmp\n",
    ),
    (
        "a callee that looks at its return address",
        "rcall bad\n inc r16\n nop",
        "bad: pop r31\n pop r30\n push r30\n push r31\n ret\n",
    ),
    (
        "a callee that returns for its caller",
        "rcall bad\n inc r16\n nop",
        "bad: sbrc r16,0\n ret\n pop r20\n pop r20\n ret\n",
    ),
    (
        "a callee that looks at the stack above",
        "rcall bad\n inc r16\n nop",
        "bad: in r28,$3d\n in r29,$3e\n ldd r17,Y+3\n ret\n",
    ),
    (
        "a callee of a callee that does",
        "rcall middle\n inc r16\n nop",
        "middle: rcall bad\n ret\nbad: pop r20\n pop r21\n pop r22\n pop r23\n push r23\n push r22\n push r21\n push r20\n ret\n",
    ),
    (
        "a callee that jumps on to one that does",
        "rcall middle\n inc r16\n nop",
        "middle: inc r16\n rjmp bad\nbad: pop r20\n pop r20\n ret\n",
    ),
    (
        "a callee that takes another stack",
        "rcall bad\n inc r16\n nop",
        "bad: out $3d,r28\n ret\n",
    ),
    ("a callee outside", "call $3000\n inc r16\n nop", ""),
    (
        "data behind a call",
        "rcall bad\n db 1,2\n inc r16",
        "bad: pop r31\n pop r30\n adiw r30,1\n push r30\n push r31\n ret\n",
    ),
];

#[test]
fn harmful_code_may_not_be_shared() {
    for (what, part, more) in HARMFUL {
        let old = format!(
            " org $400\nstart: ldi r19,9\n {part}\n sts $0120,r16\n {part}\n sts $0121,r16\n ret\n{more}"
        );
        let new = format!(
            " org $400\nstart: ldi r19,9\n rcall once\n sts $0120,r16\n rcall once\n sts $0121,r16\n ret\nonce: {part}\n ret\n{more}"
        );
        catches(&format!("{what}, shared"), &old, &new);
        let old = format!(
            " org $400\nstart: ldi r19,9\n rcall once\n sts $0120,r16\n ret\nonce: {part}\n ret\n{more}"
        );
        let new = format!(" org $400\nstart: ldi r19,9\n {part}\n sts $0120,r16\n ret\n{more}");
        catches(&format!("{what}, in the place of its call"), &old, &new);
    }
    // What is harmless may.
    let part = "push r20\n in r20,$03\n out $05,r20\n pop r20\n rcall quiet";
    let old = format!(
        " org $400\nstart: ldi r19,9\n {part}\n sts $0120,r16\n {part}\n sts $0121,r16\n ret\nquiet: inc r16\n ret\n"
    );
    let new = format!(
        " org $400\nstart: ldi r19,9\n rcall once\n sts $0120,r16\n rcall once\n sts $0121,r16\n ret\nonce: {part}\n ret\nquiet: inc r16\n ret\n"
    );
    takes("a harmless sequence", &old, &new);
}

/// Rewrites that would be right, but for one thing elsewhere.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "a jump behind a skip that takes less",
        "start: sbrc r16,0\n jmp over\n inc r17\nover: ret\n",
        "start: sbrc r16,0\n nop\n rjmp over\n inc r17\nover: ret\n",
    ),
    (
        "a skip that goes over a call more",
        "start: sbrc r16,0\n inc r17\n inc r18\n ret\n",
        "start: sbrc r16,0\n rcall one\n ret\none: inc r17\n inc r18\n ret\n",
    ),
    (
        "a branch by a distance over what is shorter",
        "start: tst r16\n breq $+6\n jmp far\n inc r16\nfar: ret\n",
        "start: tst r16\n breq $+6\n rjmp far\n inc r16\nfar: ret\n",
    ),
    (
        "a jump to a number",
        " org $400\nstart: jmp over\nover: inc r16\n jmp $404\n",
        " org $400\nstart: rjmp over\nover: inc r16\n jmp $404\n",
    ),
    (
        "a tail that ends otherwise",
        "a1: inc r16\n mov r17,r16\n inc r18\n ret\na2: dec r16\n mov r17,r16\n inc r18\n rjmp a1\n",
        "a1: inc r16\nboth: mov r17,r16\n inc r18\n ret\na2: dec r16\n rjmp both\n",
    ),
    (
        "a routine that is entered in its middle",
        "start: rcall first\n rjmp first2\nfirst: inc r16\nfirst2: inc r17\n ret\n",
        "start: inc r16\n inc r17\n rjmp first2\nfirst2: inc r16\n inc r17\n ret\n",
    ),
    (
        "two entries of one table merged",
        " org $400\nstart: ldi ZL,low(goals)\n ldi ZH,high(goals)\n lpm r16,Z+\n ret\ngoals: dw a1/2,a2/2\na1: inc r16\n ret\na2: inc r17\n ret\n",
        " org $400\nstart: ldi ZL,low(goals)\n ldi ZH,high(goals)\n lpm r16,Z+\n ret\ngoals: dw a1/2,a2/2\na1: inc r16\n ret\na2: inc r16\n ret\n",
    ),
    (
        "what a call may go over to is gone",
        "start: rcall f\n rjmp b\n inc r16\n ret\nb: inc r17\n ret\nf: sbrc r16,0\n ret\n pop r31\n pop r30\n adiw r30,1\n ijmp\n",
        "start: rcall f\n rjmp b\nb: inc r17\n ret\nf: sbrc r16,0\n ret\n pop r31\n pop r30\n adiw r30,1\n ijmp\n",
    ),
    (
        "a shorter jump behind a call that may go over it",
        "start: rcall f\n jmp b\n inc r16\n ret\nb: inc r17\n ret\nf: sbrc r16,0\n ret\n pop r31\n pop r30\n adiw r30,2\n ijmp\n",
        "start: rcall f\n rjmp b\n inc r16\n ret\nb: inc r17\n ret\nf: sbrc r16,0\n ret\n pop r31\n pop r30\n adiw r30,2\n ijmp\n",
    ),
    (
        "a return from an interrupt as a plain one",
        " org 0\n jmp start\n jmp handler\n org $400\nstart: rjmp start\nhandler: push r16\n pop r16\n reti\n",
        " org 0\n jmp start\n jmp handler\n org $400\nstart: rjmp start\nhandler: push r16\n pop r16\n ret\n",
    ),
    (
        "another handler",
        " org 0\n jmp start\n jmp handler\n org $400\nstart: rjmp start\nhandler: inc r16\n reti\nother: inc r17\n reti\n",
        " org 0\n jmp start\n jmp other\n org $400\nstart: rjmp start\nhandler: inc r16\n reti\nother: inc r17\n reti\n",
    ),
    (
        "a call for nothing",
        "start: inc r16\n rjmp start\n",
        "start: inc r16\n rcall start\n ret\n",
    ),
];

#[test]
fn whole_programs_with_a_side_condition_that_is_broken() {
    for (what, old, new) in PROGRAMS {
        catches(what, old, new);
    }
}

/// How many there are.
pub const COUNT: usize = WRONG.len() + HARMFUL.len() + PROGRAMS.len();
