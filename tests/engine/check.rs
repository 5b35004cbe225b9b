//! The checker of rewrites: what is right it takes, and each side condition that is broken on
//! purpose it catches.

use scrimp::check::{Doubt, Given, Said, Why, check, named};
use scrimp::program::Program;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, Pass, Settings};

fn job(target: &str) -> Job<'static> {
    let target = scrimp::targets::by_name(target).expect("a target");
    Job {
        file: "main.asm".into(),
        target,
        // What interrupts go to is known of a machine.
        machine: target.machine("atmega328p"),
        dialect: "native".into(),
        defines: Vec::new(),
    }
}

struct With<F>(F);

impl<F: FnMut(&mut Program<'_>)> Pass for With<F> {
    fn read(&mut self, program: &mut Program<'_>) {
        (self.0)(program);
    }
}

/// Calls with the program of a text.
fn with(target: &str, text: &str, f: &mut dyn FnMut(&mut Program<'_>)) {
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let settings = Settings::default();
    let out = scrimp::assemble_by(&job(target), &settings, &loader, &mut With(f));
    let found: Vec<&str> = out.diagnostics.iter().map(|d| d.message.as_ref()).collect();
    assert!(out.image.is_some(), "{found:?} in\n{text}");
}

/// What the checker says of two texts. Nothing is known of what is outside.
fn compare(old: &str, new: &str) -> Result<(), Vec<Doubt>> {
    compare_on("z80", old, new)
}

pub fn compare_on(target: &str, old: &str, new: &str) -> Result<(), Vec<Doubt>> {
    let mut out = Ok(());
    with(target, old, &mut |old| {
        with(target, new, &mut |new| {
            let inner = named(old);
            let given = Given {
                trusted: &|_| false,
                inner: &inner,
                said: &Said::default(),
                pages: true,
                uses: &|_, _| scrimp::check::Used::Unknown,
            };
            out = check(old, new, &given);
        });
    });
    out
}

fn takes(what: &str, old: &str, new: &str) {
    if let Err(all) = compare(old, new) {
        panic!("{what} is right, but:\n{all:#?}\n{old}\n---\n{new}");
    }
}

fn catches(what: &str, old: &str, new: &str) {
    // Both are programs by themselves: only together they are in doubt.
    takes(what, old, old);
    takes(what, new, new);
    assert!(
        compare(old, new).is_err(),
        "{what} is not caught:\n{old}\n---\n{new}"
    );
}

/// A sequence, and what else must be in the program for it. `@` is a number that differs in
/// each copy.
type Part = (&'static str, &'static str, &'static str);

/// What may stand in a routine that is shared, copied or gone to.
const HARMLESS: &[Part] = &[
    ("loads", "ld a,1\n ld b,a\n ld hl,table\n inc hl", ""),
    ("a branch", "or a\n jr z,over@\n inc a\nover@: ld c,a", ""),
    (
        "balanced pushes",
        "push bc\n push hl\n ld b,4\n pop hl\n pop bc",
        "",
    ),
    (
        "a call",
        "call quiet\n inc a",
        "quiet: push af\n ld b,2\n pop af\n ret\n",
    ),
    ("a loop", "ld b,4\nagain@: add a,b\n djnz again@", ""),
    ("ports", "in a,(254)\n out (254),a\n inc a", ""),
    (
        "a recursive call",
        "call deep\n inc a",
        "deep: dec a\n ret z\n call deep\n ret\n",
    ),
    ("memory", "ld hl,(table)\n ld (table),a\n ld (hl),a", ""),
    (
        "a callee that keeps the stack pointer and puts it back",
        "call good\n inc a",
        "good: ld (kept),sp\n ld sp,table+6\n ld b,3\ngood1: push hl\n djnz good1\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that does so on its own stack",
        "call good\n inc a",
        "good: push bc\n ld (kept),sp\n push hl\n ld sp,(kept)\n pop bc\n ret\nkept: dw 0\n",
    ),
];

/// What may not.
const HARMFUL: &[Part] = &[
    (
        "a pop of what lies below",
        "pop hl\n push hl\n ld a,(hl)",
        "",
    ),
    ("a pop and another push", "pop bc\n ld b,3\n push bc", ""),
    (
        "a push that stays",
        "push bc\n inc a\n inc a",
        "stays: pop bc\n ret\n",
    ),
    (
        "a look at the stack",
        "ex (sp),hl\n inc hl\n ex (sp),hl",
        "",
    ),
    (
        "the stack pointer as a number",
        "ld hl,2\n add hl,sp\n ld a,(hl)",
        "",
    ),
    (
        "a stack pointer that is kept",
        "ld (kept),sp\n inc a\n nop",
        "kept: dw 0\n",
    ),
    ("another stack", "ld sp,table\n inc a\n nop", ""),
    ("a stack pointer that moves", "inc sp\n inc sp\n inc a", ""),
    (
        "a stack pointer that moves back",
        "inc sp\n ld a,3\n dec sp",
        "",
    ),
    (
        "a jump to where nobody knows",
        "ld hl,(table)\n inc a\n jp (hl)",
        "",
    ),
    (
        "a callee that pops its return address",
        "call bad\n inc a\n nop",
        "bad: pop hl\n inc a\n jp (hl)\n",
    ),
    (
        "a callee that looks at its return address",
        "call bad\n inc a\n nop",
        "bad: ex (sp),hl\n inc hl\n ex (sp),hl\n ret\n",
    ),
    (
        "a callee that returns for its caller",
        "call bad\n inc a\n nop",
        "bad: or a\n ret nz\n pop hl\n ret\n",
    ),
    (
        "a callee that looks at the stack above",
        "call bad\n inc a\n nop",
        "bad: ld hl,2\n add hl,sp\n ld e,(hl)\n ret\n",
    ),
    (
        "a callee of a callee that does",
        "call middle\n inc a\n nop",
        "middle: call bad\n ret\nbad: pop de\n pop hl\n push hl\n push de\n ret\n",
    ),
    (
        "a callee that jumps on to one that does",
        "call middle\n inc a\n nop",
        "middle: inc a\n jp bad\nbad: pop hl\n ret\n",
    ),
    (
        "a callee that goes through a table",
        "call bad\n inc a\n nop",
        "bad: ld hl,(table)\n jp (hl)\n",
    ),
    (
        "a callee that keeps the stack pointer",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that puts back what it changed",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld sp,table+6\n ld hl,(kept)\n inc hl\n inc hl\n ld (kept),hl\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that puts back what a pointer changed",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld hl,kept\n inc (hl)\n inc (hl)\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee whose kept pointer is half another word",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld sp,table+6\n ld hl,4\n ld (kept-1),hl\n ld sp,(kept)\n ret\n db 0\nkept: dw 0\n",
    ),
    (
        "a callee whose kept pointer is named in data",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld sp,table+6\n ld sp,(kept)\n ret\nwhere: dw kept\nkept: dw 0\n",
    ),
    (
        "a callee whose kept pointer is in code",
        "call bad\n inc a\n nop",
        "bad: ld (spot+1),sp\n ld sp,table+6\nspot: ld sp,0\n ret\n",
    ),
    (
        "a callee that puts back what another one kept",
        "call bad\n inc a\n nop",
        "bad: ld sp,(kept)\n ret\nkeeper: ld (kept),sp\n ld sp,table+6\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that keeps on one way only",
        "call bad\n inc a\n nop",
        "bad: or a\n jr z,bad1\n ld (kept),sp\nbad1: ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that returns from another stack",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld sp,table\n or a\n ret z\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that calls in between",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n call keeper\n ld sp,(kept)\n ret\nkeeper: ld (kept),sp\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that puts back from below",
        "call bad\n inc a\n nop",
        "bad: push hl\n ld (kept),sp\n pop hl\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    (
        "a callee that copies the other pointer",
        "call bad\n inc a\n nop",
        "bad: ld (kept),sp\n ld sp,table+6\n ld hl,0\n add hl,sp\n ld (table),hl\n ld sp,(kept)\n ret\nkept: dw 0\n",
    ),
    ("a callee outside", "call $f000\n inc a\n nop", ""),
    (
        "a callee outside, by one byte",
        "rst 8\n inc a\n nop\n nop",
        "",
    ),
    (
        "data behind a call",
        "call text\n db 1,2,0\n inc a",
        "text: ex (sp),hl\ntext1: ld a,(hl)\n inc hl\n or a\n jr nz,text1\n ex (sp),hl\n ret\n",
    ),
    (
        "a callee that skips what stands behind the call",
        "call skip\n jr over@\nover@: inc a\n nop",
        "skip: pop hl\n inc hl\n inc hl\n push hl\n ret\n",
    ),
];

/// What the rest of the program may not do to a sequence that is shared or copied, with a
/// label in it.
const ELSEWHERE: &[Part] = &[
    (
        "a store into an operand",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "modify: ld (spot1+1),a\n ret\n",
    ),
    (
        "a store into an instruction",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "modify: ld a,1\n ld (spot1),a\n ret\n",
    ),
    (
        "a store of two bytes",
        "inc b\nspot@: ld hl,5\n ld c,a\n inc a",
        "modify: ld (spot1+1),hl\n ret\n",
    ),
    (
        "an operand that is read",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "look: ld a,(spot1+1)\n ret\n",
    ),
    (
        "a store through a pointer",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "modify: ld hl,spot1+1\n ld (hl),a\n ret\n",
    ),
    (
        "a pointer to the instruction",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "modify: ld hl,spot1\n inc hl\n ld (hl),a\n ret\n",
    ),
    (
        "code that is copied away",
        "inc b\nspot@: ld a,5\n ld c,a\n inc a",
        "copy: ld hl,spot1\n ld de,$f000\n ld bc,4\n ldir\n ret\n",
    ),
    (
        "a jump into an instruction",
        "inc b\nspot@: ld bc,$3c3c\n ld c,a\n inc a",
        "within: jp spot1+1\n",
    ),
    (
        "the start of an operand in a table",
        "inc b\nspot@: ld bc,$3c3c\n ld c,a\n inc a",
        "goals: dw spot1+1\n",
    ),
];

const SHARED: &str = "table: dw 1,2,3\nvalue: db 0\n";

fn copy(part: &Part, n: u32) -> String {
    part.1.replace('@', &n.to_string())
}

/// Two copies become calls of one.
fn outlined(part: &Part) -> (String, String) {
    let (one, two) = (copy(part, 1), copy(part, 2));
    let rest = format!("{}{SHARED}", part.2);
    let old = format!(
        "start: ld d,9\n {one}\n ld (value),a\n {two}\n ld (value+1),a\n ret\n{rest} db 0\n"
    );
    let new = format!(
        "start: ld d,9\n call once\n ld (value),a\n call once\n ld (value+1),a\n ret\nonce: {one}\n ret\n{rest} db 0\n"
    );
    (old, new)
}

/// A routine that is called once comes into the place of its call.
fn inlined(part: &Part) -> (String, String) {
    let one = copy(part, 1);
    let rest = format!("{}{SHARED}", part.2);
    let old = format!("start: ld d,9\n call once\n ld (value),a\n ret\nonce: {one}\n ret\n{rest}");
    let new = format!("start: ld d,9\n {one}\n ld (value),a\n ret\n{rest}");
    (old, new)
}

/// A call before a return becomes a jump.
fn tail_called(part: &Part) -> (String, String) {
    let one = copy(part, 1);
    let rest = format!("{}{SHARED}", part.2);
    let program = |call: &str| {
        format!(
            "start: ld d,9\n {call}\nother: call once\n ld (value),a\n call start\n ret\nonce: {one}\n ret\n{rest}"
        )
    };
    (program("call once\n ret"), program("jp once"))
}

/// A routine that stands twice stands once.
fn merged(part: &Part) -> (String, String) {
    let (one, two) = (copy(part, 1), copy(part, 2));
    let rest = format!("{}{SHARED}", part.2);
    let old = format!(
        "start: call a1\n call a2\n ld d,9\n ret\na1: {one}\n ret\na2: {two}\n ret\n{rest}"
    );
    let new = format!("start: call a1\n call a1\n ld d,9\n ret\na1: {one}\n ret\n{rest}");
    (old, new)
}

type Shape = fn(&Part) -> (String, String);

const SHAPES: [(&str, Shape); 3] = [
    ("outlined", outlined),
    ("inlined", inlined),
    ("tail called", tail_called),
];

#[test]
fn harmless_code_may_be_shared() {
    for part in HARMLESS {
        for (name, shape) in SHAPES {
            let (old, new) = shape(part);
            takes(&format!("{} {name}", part.0), &old, &new);
            // Nobody does less work backwards.
            takes(&format!("{} not {name}", part.0), &new, &old);
        }
        let (old, new) = merged(part);
        takes(&format!("{} merged", part.0), &old, &new);
    }
}

#[test]
fn harmful_code_may_not() {
    for part in HARMFUL {
        for (name, shape) in SHAPES {
            let (old, new) = shape(part);
            catches(&format!("{} {name}", part.0), &old, &new);
        }
    }
}

#[test]
fn what_the_program_touches_stays_alone() {
    for part in ELSEWHERE {
        let (old, new) = outlined(part);
        catches(&format!("{} outlined", part.0), &old, &new);
        let (old, new) = merged(part);
        catches(&format!("{} merged", part.0), &old, &new);
    }
}

/// A program in which one thing is wrong: what, what stands there, and what comes there.
const WRONG: &[(&str, &str, &str)] = &[
    ("another number", "ld a,5", "ld a,6"),
    ("another register", "ld c,a", "ld e,a"),
    ("another instruction", "inc a", "dec a"),
    ("an instruction more", "inc a", "inc a\n inc a"),
    ("an instruction less", " inc a\n", ""),
    ("another order", "inc a\n ld c,a", "ld c,a\n inc a"),
    ("the other condition", "jr z,first", "jr nz,first"),
    ("another condition", "jr z,first", "jr c,first"),
    ("another goal", "jr z,first", "jr z,second"),
    ("a goal one instruction on", "jr z,first", "jr z,first1"),
    ("a jump that is gone", " jr z,first\n", ""),
    ("another callee", "call first", "call second"),
    ("a call that is a jump", "call first", "jp first"),
    ("a call of nothing", "call first", "call back"),
    ("a return that is gone", "ret\nsecond:", "second:"),
    ("another kind of return", "ret\nsecond:", "reti\nsecond:"),
    (
        "a return on a condition",
        "ret\nsecond:",
        "ret z\n ret\nthird: nop\nsecond:",
    ),
    ("another address", "ld hl,data", "ld hl,more"),
    ("an address one byte on", "ld hl,data", "ld hl,data+1"),
    ("an address as a number", "ld hl,data", "ld hl,$1234"),
    ("another byte of data", "db 1,2,3", "db 1,2,4"),
    ("data less", "db 1,2,3", "db 1,2"),
    ("data more", "db 1,2,3", "db 1,2,3,4"),
    (
        "data in another order",
        "data: db 1,2,3\nmore: db 9",
        "more: db 9\ndata: db 1,2,3",
    ),
    (
        "another goal in a table",
        "dw first,second",
        "dw first,first",
    ),
    (
        "an address of data in a table",
        "dw data,more",
        "dw data,data",
    ),
    (
        "a table with a distance",
        "db second-first",
        "db second-data",
    ),
    ("an entry that nobody names", "free: ld b,7", "free: ld b,8"),
    ("an endless loop that ends", "stop: jr stop", "stop: ret"),
    ("a loop that never ends", "djnz loop", "jr loop"),
    ("a loop with another start", "djnz loop", "djnz loop1"),
    ("another port", "out (254),a", "out (253),a"),
    ("a push of something else", "push bc", "push de"),
    ("a store elsewhere", "ld (data),a", "ld (more),a"),
    ("a bit of another number", "bit 3,a", "bit 4,a"),
    ("an index further on", "ld a,(ix+3)", "ld a,(ix+4)"),
    ("room of another size", "ds 4", "ds 5"),
    ("room of another byte", "ds 4", "ds 4,1"),
    (
        "the low half of something else",
        "ld l,lo(data)",
        "ld l,lo(more)",
    ),
    ("the other half", "ld l,lo(data)", "ld l,hi(data)"),
    ("a test that is gone", " or a\n", ""),
    ("a push and a pop that are gone", " push bc\n pop hl\n", ""),
    ("a loop that ends otherwise", "djnz loop", "jr nz,loop"),
    ("an index of the other kind", "ld a,(ix+3)", "ld a,(iy+3)"),
];

const RIGHT: &str = "        org $8000
start:  ld a,5
        inc a
        ld c,a
        or a
        jr z,first
        call first
        push bc
        pop hl
        ld b,3
loop:   add a,b
loop1:  djnz loop
        out (254),a
        bit 3,a
        ld hl,data
        ld (data),a
        ld l,lo(data)
        ld a,(ix+3)
        ld de,goals
        ld hl,others
        ld bc,room
stop:   jr stop
free:   ld b,7
back:   ret
first:  ld d,1
first1: ld e,2
        ret
second: ld d,3
        ret
goals:  dw first,second
others: dw data,more
data:   db 1,2,3
more:   db 9
        db second-first
room:   ds 4
";

#[test]
fn what_is_wrong_is_caught() {
    takes("the same", RIGHT, RIGHT);
    for (what, from, to) in WRONG {
        let spaced = |t: &str| {
            let found = RIGHT.lines().map(str::trim_end).collect::<Vec<_>>();
            let text = found
                .iter()
                .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
                .map(|l| match l.contains(':') {
                    true => l,
                    false => format!(" {l}"),
                })
                .collect::<Vec<_>>()
                .join("\n")
                + "\n";
            assert!(text.contains(t), "{what}: no `{t}` in\n{text}");
            text
        };
        let old = spaced(from);
        let new = old.replacen(from, to, 1);
        catches(what, &old, &new);
    }
}

#[test]
fn whole_programs_with_a_side_condition_that_is_broken() {
    for (what, old, new) in PROGRAMS {
        catches(what, old, new);
    }
}

/// Rewrites that would be right, but for one thing elsewhere.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "an address as a number, and the code before it is shorter",
        " org $8000\n jp over\nover: ld a,($8006)\n db 7,8\n ret\n",
        " org $8000\n jr over\nover: ld a,($8006)\n db 7,8\n ret\n",
    ),
    (
        "a jump to a number",
        " org $8000\nstart: jp over\nover: inc a\n jp $8003\n",
        " org $8000\nstart: jr over\nover: inc a\n jp $8003\n",
    ),
    (
        "a number that may be an address",
        " org $8000\nstart: jp over\nover: inc a\n ld hl,$8004\n jp (hl)\n",
        " org $8000\nstart: jr over\nover: inc a\n ld hl,$8004\n jp (hl)\n",
    ),
    (
        "a jump by a distance over what is shorter",
        "start: jr z,$+5\n jp far\n inc a\nfar: ret\n",
        "start: jr z,$+5\n jr far\n inc a\nfar: ret\n",
    ),
    (
        "a table that is no more at the start of a page",
        " org $80fd\nstart: jp over\ntable: db 1,2,3\nover: ld h,hi(table)\n ld l,a\n ret\n",
        " org $80fd\nstart: jr over\ntable: db 1,2,3\nover: ld h,hi(table)\n ld l,a\n ret\n",
    ),
    (
        "a table that is in two pages now",
        " org $80f9\nstart: jp over\n jp over\n jp over\ntable: db 1,2,3\nover: ld h,hi(table)\n ld a,lo(table)\n add a,c\n ld l,a\n ret\n",
        " org $80f9\nstart: jr over\n jr over\n jr over\ntable: db 1,2,3\nover: ld h,hi(table)\n ld a,lo(table)\n add a,c\n ld l,a\n ret\n",
    ),
    (
        "a call while the stack pointer points at data",
        "start: ld (kept),sp\n ld sp,data\n pop hl\n inc h\n inc l\n inc h\n ld a,h\n pop hl\n inc h\n inc l\n inc h\n ld a,h\n ld sp,(kept)\n ret\nkept: dw 0\ndata: dw 1,2\n",
        "start: ld (kept),sp\n ld sp,data\n pop hl\n call once\n pop hl\n call once\n ld sp,(kept)\n ret\nonce: inc h\n inc l\n inc h\n ld a,h\n ret\nkept: dw 0\ndata: dw 1,2\n",
    ),
    (
        "a call before something is taken from data, behind which something is called",
        "start: ld (kept),sp\n ld sp,data\n inc h\n inc l\n inc h\n ld a,h\n ld b,1\n inc h\n inc l\n inc h\n ld a,h\n pop hl\n call used\n ld sp,(kept)\n ret\nused: ld a,l\n ret\nkept: dw 0\ndata: dw 1,2\n",
        "start: ld (kept),sp\n ld sp,data\n call once\n ld b,1\n call once\n pop hl\n call used\n ld sp,(kept)\n ret\nused: ld a,l\n ret\nonce: inc h\n inc l\n inc h\n ld a,h\n ret\nkept: dw 0\ndata: dw 1,2\n",
    ),
    (
        "calls in what a list of addresses is the stack of",
        "start: ld (kept),sp\n ld sp,list\n ret\na1: inc h\n inc l\n inc h\n ld a,1\n ret\nb1: inc h\n inc l\n inc h\n ld a,2\n ret\nfin: ld sp,(kept)\n call used\n ret\nused: ld a,l\n ret\nkept: dw 0\nlist: dw a1,b1,fin\n",
        "start: ld (kept),sp\n ld sp,list\n ret\na1: call once\n ld a,1\n ret\nb1: call once\n ld a,2\n ret\nfin: ld sp,(kept)\n call used\n ret\nused: ld a,l\n ret\nonce: inc h\n inc l\n inc h\n ret\nkept: dw 0\nlist: dw a1,b1,fin\n",
    ),
    (
        "a call while the stack pointer comes from a register",
        "start: ld (kept),sp\n ld sp,hl\n inc h\n inc l\n inc h\n push hl\n inc h\n inc l\n inc h\n ld sp,(kept)\n ret\nkept: dw 0\n",
        "start: ld (kept),sp\n ld sp,hl\n call once\n push hl\n call once\n ld sp,(kept)\n ret\nonce: inc h\n inc l\n inc h\n ret\nkept: dw 0\n",
    ),
    (
        "a return on a condition in what is shared",
        "start: call a1\n call a2\n ret\na1: inc a\n ret z\n inc b\n ld (1),a\n ret\na2: inc a\n ret z\n inc b\n ld (2),a\n ret\n",
        "start: call a1\n call a2\n ret\na1: call once\n ld (1),a\n ret\na2: call once\n ld (2),a\n ret\nonce: inc a\n ret z\n inc b\n ret\n",
    ),
    (
        "a tail that ends otherwise",
        "a1: inc a\n ld b,a\n inc c\n ret\na2: dec a\n ld b,a\n inc c\n jp a1\n",
        "a1: inc a\nboth: ld b,a\n inc c\n ret\na2: dec a\n jr both\n",
    ),
    (
        "a tail whose branch goes elsewhere",
        "start: call a1\n call a2\n ret\na1: inc a\n or b\n jr z,a1\n ret\na2: dec a\n or b\n jr z,a2\n ret\n",
        "start: call a1\n call a2\n ret\na1: inc a\nboth: or b\n jr z,a1\n ret\na2: dec a\n jr both\n",
    ),
    (
        "a return from an interrupt as a plain one",
        " org $38\nhandler: push af\n pop af\n reti\nother: inc a\n ret\n",
        " org $38\nhandler: push af\n pop af\n ret\nother: inc a\n ret\n",
    ),
    (
        "a jump that the program sets",
        "start: ld (way+1),hl\nway: jp first\nfirst: inc a\n ret\nsecond: inc b\n ret\n",
        "start: ld (way+1),hl\nway:\nfirst: inc a\n ret\nsecond: inc b\n ret\n",
    ),
    (
        "a call that the program sets",
        "start: ld (way+1),hl\nway: call first\n ret\nfirst: inc a\n ret\n",
        "start: ld (way+1),hl\nway: jp first\nfirst: inc a\n ret\n",
    ),
    (
        "a branch that the program sets is longer",
        "start: ld (way+1),a\nway: jr first\nfirst: inc a\n ret\n",
        "start: ld (way+1),a\nway: jp first\nfirst: inc a\n ret\n",
    ),
    (
        "a distance in a jump table",
        "start: ld hl,base\n jp (hl)\nbase: jp first\n jp second\nfirst: ret\nsecond: inc a\n ret\nlook: ld hl,base\n add hl,de\n jp (hl)\n",
        "start: ld hl,base\n jp (hl)\nbase: jr first\n jr second\nfirst: ret\nsecond: inc a\n ret\nlook: ld hl,base\n add hl,de\n jp (hl)\n",
    ),
    (
        "a skip over the bytes of another instruction",
        "start: or a\n db $21\nfirst: inc a\n inc b\n ld c,a\n ret\nother: inc a\n inc b\n ld c,a\n ret\n call start\n call other\n call first\n",
        "start: or a\n db $21\nfirst: jr other\nother: inc a\n inc b\n ld c,a\n ret\n call start\n call other\n call first\n",
    ),
    (
        "a routine that is entered in its middle",
        "start: call first\n jp first2\nfirst: inc a\nfirst2: inc b\n ret\n",
        "start: inc a\n inc b\n jp first2\nfirst2: inc a\n inc b\n ret\n",
    ),
    (
        "an outlined call in an endless loop of calls",
        "start: jr start\n",
        "start: call start\n",
    ),
    (
        "a call for nothing",
        "start: inc a\n jp start\n",
        "start: inc a\n call start\n ret\n",
    ),
    (
        "code that is executed and copied",
        "start: ld hl,start\n ld de,$f000\n ld bc,finish-start\n ldir\n jp over\nover: inc a\n ret\nfinish: ret\n",
        "start: ld hl,start\n ld de,$f000\n ld bc,finish-start\n ldir\n jr over\nover: inc a\n ret\nfinish: ret\n",
    ),
    (
        "two entries of one table merged",
        "start: ld hl,goals\n jp (hl)\ngoals: dw a1,a2\na1: inc a\n ret\na2: inc b\n ret\n",
        "start: ld hl,goals\n jp (hl)\ngoals: dw a1,a2\na1: inc a\n ret\na2: inc a\n ret\n",
    ),
    (
        "a jump shorter in a table behind a call, by which its routine returns",
        "start: call f\n jp b\n jp a\n jp c\na: inc a\n ret\nb: inc b\n ret\nc: inc c\n ret\nf: ex (sp),hl\n add a,l\n ld l,a\n ex (sp),hl\n ret\n",
        "start: call f\n jp b\n jp a\n jr c\na: inc a\n ret\nb: inc b\n ret\nc: inc c\n ret\nf: ex (sp),hl\n add a,l\n ld l,a\n ex (sp),hl\n ret\n",
    ),
    (
        "a shorter jump behind a call that may go over it",
        "start: call f\n jp b\n inc a\n ret\nb: inc b\n ret\nf: ld a,(49152)\n rrca\n ret nc\n pop hl\n inc hl\n inc hl\n inc hl\n jp (hl)\n",
        "start: call f\n jr b\n inc a\n ret\nb: inc b\n ret\nf: ld a,(49152)\n rrca\n ret nc\n pop hl\n inc hl\n inc hl\n inc hl\n jp (hl)\n",
    ),
    (
        "a shorter jump behind a call whose routine changes where it returns by a pointer",
        "start: call f\n jp b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n ld hl,0\n add hl,sp\n inc (hl)\n inc (hl)\n inc (hl)\n ret\n",
        "start: call f\n jr b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n ld hl,0\n add hl,sp\n inc (hl)\n inc (hl)\n inc (hl)\n ret\n",
    ),
    (
        "a shorter jump behind a call whose routine does so below what it pushed",
        "start: call f\n jp b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n push bc\n ld hl,2\n add hl,sp\n inc (hl)\n inc (hl)\n inc (hl)\n pop bc\n ret\n",
        "start: call f\n jr b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n push bc\n ld hl,2\n add hl,sp\n inc (hl)\n inc (hl)\n inc (hl)\n pop bc\n ret\n",
    ),
    (
        "what a call may go over to is gone",
        "start: call f\n jp b\n inc a\n ret\nb: inc b\n ret\nf: ld a,(49152)\n rrca\n ret nc\n pop hl\n inc hl\n inc hl\n inc hl\n jp (hl)\n",
        "start: call f\n jp b\nb: inc b\n ret\nf: ld a,(49152)\n rrca\n ret nc\n pop hl\n inc hl\n inc hl\n inc hl\n jp (hl)\n",
    ),
    (
        "a shorter jump behind a call whose routine's routine goes over it",
        "start: call f\n jp b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n call k\n ret\nk: pop de\n pop hl\n inc hl\n inc hl\n inc hl\n push hl\n push de\n ret\n",
        "start: call f\n jr b\n inc a\n ret\nb: inc b\n ret\nf: rrca\n ret nc\n call k\n ret\nk: pop de\n pop hl\n inc hl\n inc hl\n inc hl\n push hl\n push de\n ret\n",
    ),
];

#[test]
fn more_rewrites_that_are_right() {
    for (what, old, new) in SOUND {
        takes(what, old, new);
    }
}

/// Rewrites of several kinds.
const SOUND: &[(&str, &str, &str)] = &[
    (
        "a short jump",
        "start: jp over\nover: inc a\n jp z,start\n ret\n",
        "start: jr over\nover: inc a\n jr z,start\n ret\n",
    ),
    (
        "a jump to a return, and a return on a condition",
        "start: or a\n jp z,done\n inc b\n jp done\nother: inc c\ndone: ret\n",
        "start: or a\n ret z\n inc b\n ret\nother: inc c\ndone: ret\n",
    ),
    (
        "a jump on a condition to what comes next",
        "start: or a\n jr z,over\nover: inc a\n ret\n",
        "start: or a\nover: inc a\n ret\n",
    ),
    (
        "a jump to a jump",
        "start: or a\n jr z,first\n inc b\n ret\nfirst: jp second\nmiddle: inc d\n ret\nsecond: inc c\n ret\n",
        "start: or a\n jr z,second\n inc b\n ret\nfirst: jp second\nmiddle: inc d\n ret\nsecond: inc c\n ret\n",
    ),
    (
        "the opposite condition",
        "start: or a\n jr z,first\n jr second\nfirst: inc b\n ret\nsecond: inc c\n ret\n",
        "start: or a\n jr nz,second\nfirst: inc b\n ret\nsecond: inc c\n ret\n",
    ),
    (
        "blocks in another order",
        "start: or a\n jr z,first\n jp second\nthird: inc d\n ret\nfirst: inc b\n jp third\nsecond: inc c\n ret\n",
        "start: or a\n jr nz,second\nfirst: inc b\nthird: inc d\n ret\nsecond: inc c\n ret\n",
    ),
    (
        "a tail that two share",
        "start: or a\n jr z,other\n inc b\n ld ($9000),a\n inc c\n ret\nother: dec b\n ld ($9000),a\n inc c\n ret\n",
        "start: or a\n jr z,other\n inc b\nboth: ld ($9000),a\n inc c\n ret\nother: dec b\n jr both\n",
    ),
    (
        "dead code that is gone",
        "start: jr over\n ld a,1\n inc b\nover: ret\n",
        "start: ret\n",
    ),
    (
        "data that moves with code",
        "start: jp over\ntable: db 1,2\nover: ld hl,table\n ld a,(table+1)\n ld bc,finish-table\n ret\nfinish:\n",
        "start: jr over\ntable: db 1,2\nover: ld hl,table\n ld a,(table+1)\n ld bc,finish-table\n ret\nfinish:\n",
    ),
    (
        "a shared end of two routines with a call before",
        "start: call a1\n call a2\n ret\na1: inc a\n call quiet\n ret\na2: inc b\n call quiet\n ret\nquiet: inc c\n ret\n",
        "start: call a1\n jp a2\na1: inc a\n jp quiet\na2: inc b\nquiet: inc c\n ret\n",
    ),
    (
        "data behind a call, and code before it shorter",
        "start: jp over\nover: call text\n db 1,2,0\n inc a\n ret\ntext: ex (sp),hl\nmore: ld a,(hl)\n inc hl\n or a\n jr nz,more\n ex (sp),hl\n ret\n",
        "start: jr over\nover: call text\n db 1,2,0\n inc a\n ret\ntext: ex (sp),hl\nmore: ld a,(hl)\n inc hl\n or a\n jr nz,more\n ex (sp),hl\n ret\n",
    ),
    (
        "code that is modified, and moves",
        "start: jp over\nover: ld (spot+1),a\nspot: ld b,0\n ret\n",
        "start: jr over\nover: ld (spot+1),a\nspot: ld b,0\n ret\n",
    ),
    (
        "a return address that is pushed",
        "start: ld hl,behind\n push hl\n jp over\nover: inc a\n ret\nbehind: inc b\n ret\n",
        "start: ld hl,behind\n push hl\nover: inc a\n ret\nbehind: inc b\n ret\n",
    ),
    (
        "a stack that is made at the start",
        "start: ld sp,$f000\n call a1\n jr start\na1: inc a\n inc b\n inc c\n ld (1),a\n inc a\n inc b\n inc c\n ret\n",
        "start: ld sp,$f000\n call a1\n jr start\na1: call once\n ld (1),a\nonce: inc a\n inc b\n inc c\n ret\n",
    ),
    (
        "a stack pointer that is kept for a while elsewhere",
        "start: ld (kept),sp\n ld sp,data\n pop hl\n ld sp,(kept)\n inc h\n inc l\n inc b\n ld (1),a\n inc h\n inc l\n inc b\n ret\nkept: dw 0\ndata: dw 1,2\n",
        "start: ld (kept),sp\n ld sp,data\n pop hl\n ld sp,(kept)\n call once\n ld (1),a\nonce: inc h\n inc l\n inc b\n ret\nkept: dw 0\ndata: dw 1,2\n",
    ),
    (
        "a recursion that is a loop",
        "start: or a\n ret z\n dec a\n call start\n ret\n",
        "start: or a\n ret z\n dec a\n jr start\n",
    ),
];

#[test]
fn calls_in_other_forms_are_the_same_calls() {
    let same = |old: &str, new: &str| compare_on("avr", old, new);
    let program = |calls: &str| {
        format!(
            "        org $400\nstart: {calls}\n rjmp start\n\
             a1: inc r16\n ret\na2: dec r16\n ret\n"
        )
    };
    let old = program("call a1\n call a2");
    let found = same(&old, &program("rcall a1\n rcall a2"));
    assert!(found.is_ok(), "{found:?}");
    assert!(same(&old, &program("rcall a2\n rcall a1")).is_err());
    assert!(same(&old, &program("rcall a1\n rjmp a2")).is_err());
}

/// A routine outside that may look at what lies on the stack for it.
#[test]
fn what_is_given_to_a_routine_outside_is_right_above_its_return_address() {
    let program = |body: &str, put: &str, take: &str| {
        format!(
            "        org $8000\nstart: ld a,1\n push {put}\n{body} pop {take}\n ld (v),a\n \
             jp start\nv: db 0\n"
        )
    };
    let (whole, shared) = ("ld b,7\n call $1234\n", "call one\n");
    let one = "one: ld b,7\n call $1234\n ret\n";
    let checked = |put: &str, take: &str| {
        let (old, new) = (program(whole, put, take), program(shared, put, take));
        let mut found = Vec::new();
        with("z80", &old, &mut |old| {
            with("z80", &format!("{new}{one}"), &mut |new| {
                let inner = named(old);
                let given = Given {
                    trusted: &|a| a == 0x1234,
                    inner: &inner,
                    said: &Said::default(),
                    pages: true,
                    uses: &|_, _| scrimp::check::Used::Unknown,
                };
                found.extend(check(old, new, &given).err().unwrap_or_default());
            });
        });
        found
    };
    let found = checked("hl", "hl");
    assert!(found.is_empty(), "{found:?}");
    assert!(!checked("hl", "de").is_empty());
}

#[test]
fn another_instruction_set_with_words_and_skips() {
    let same = |old: &str, new: &str| compare_on("avr", old, new);
    let start = "        org $400\nstart: ldi r16,1\n rcall a1\n rcall a2\n rjmp start\n";
    let old = "a1: inc r16\n sbrc r17,4\n rjmp over\n com r18\n ret\na2: dec r16\n sbrc r17,4\n rjmp over\n neg r18\n ret\nover: ret\n";
    let new = "a1: inc r16\nboth: sbrc r17,4\n rjmp over\n com r18\n ret\na2: dec r16\n rjmp both\n neg r18\n ret\nover: ret\n";
    let program = |text: &str| format!("{start}{text}");
    assert!(same(&program(old), &program(old)).is_ok());
    let doubts = same(&program(old), &program(new));
    assert!(doubts.is_err(), "what a skip goes to is another");
    let old = "a1: inc r16\n st x+,r1\n push r2\n pop r3\n ret\na2: dec r16\n st x+,r1\n push r2\n pop r3\n com r4\n ret\n";
    let new = "a1: inc r16\nonce: st x+,r1\n push r2\n pop r3\n ret\na2: dec r16\n rcall once\n com r4\n ret\n";
    let found = same(&program(old), &program(new));
    assert!(found.is_ok(), "{found:?}");
    let old = "a1: push r2\n in r28,$3d\n in r29,$3e\n ldd r3,y+3\n pop r2\n ret\na2: dec r16\n rcall a1\n ret\n";
    let new = "a1: push r2\n in r28,$3d\n in r29,$3e\n ldd r3,y+3\n pop r2\n ret\na2: dec r16\n rjmp a1\n";
    let found = same(&program(old), &program(new));
    assert!(found.is_err(), "the stack pointer is looked at");
}

#[test]
fn a_hundred_side_conditions_are_broken() {
    // Each counts once, in however many shapes it is tried.
    let own = HARMFUL.len() + ELSEWHERE.len() + WRONG.len() + PROGRAMS.len();
    let avr = crate::check_avr::COUNT;
    assert!(own >= 100 && avr >= 80, "{own}, {avr}");
    let doubts = compare("start: inc a\n ret\n", "start: dec a\n ret\n").expect_err("a doubt");
    assert_eq!(doubts[0].why, Why::Different);
    assert!(doubts[0].old.contains("main.asm:1: `inc a`"), "{doubts:?}");
    assert!(doubts[0].new.contains("dec a"), "{doubts:?}");
}

#[test]
fn room_comes_between_code_and_data_and_not_between_data() {
    // Room up to a multiple of 8: none in the old program, a byte in the new one.
    let old =
        " org $8000\nstart: jp z,start\n jp start\n ld a,0\n align 8\ntable: db 1,2\n dw table\n";
    let new =
        " org $8000\nstart: jr z,start\n jp start\n ld a,0\n align 8\ntable: db 1,2\n dw table\n";
    takes("room before data", old, new);
    let old =
        " org $8000\nstart: jp z,start\n jp start\ntable: db 1,2\n align 8\n db 3\n dw table\n";
    let new =
        " org $8000\nstart: jr z,start\n jp start\ntable: db 1,2\n align 8\n db 3\n dw table\n";
    catches("room between data", old, new);
}
