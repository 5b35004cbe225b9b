//! What random programs do with addresses beside the plain things: compare them, count with
//! them, put them into operands and onto the stack, lay data behind calls.
//!
//! In a text `{o}` is a name of its own, `{n}` a number, `{v}` a variable, and `@` some plain
//! instructions, before which registers forget what addresses they had.

/// What is called by some of them.
pub const ROUTINES: &str = "\
puts: pop hl\nputsl: ld a,(hl)\n inc hl\n or a\n jr z,putse\n out (26),a\n jr putsl\nputse: jp (hl)
exin: ex (sp),hl\n ld a,(hl)\n inc hl\n ex (sp),hl\n out (26),a\n ret
far: pop hl\n ld e,(hl)\n inc hl\n ld d,(hl)\n inc hl\n push hl\n ex de,hl\n jp (hl)
";

/// What stands in low memory: data behind a restart, and what interrupts.
pub const LOW: &str = "\
        org $28\n ex (sp),hl\n ld a,(hl)\n inc hl\n ex (sp),hl\n out (37),a\n ret
        org $38\n push af\n push hl\n ld hl,$c054\n inc (hl)\n ld a,(hl)\n cp 3\n jr nz,handled
        ld (hl),0\n inc hl\n inc (hl)\nhandled: pop hl\n pop af\n ei\n ret
";

/// Instructions beside the plain ones.
pub const PLAIN: [&str; 16] = [
    "daa",
    "ex af,af'",
    "adc hl,de",
    "sbc hl,bc",
    "dec bc",
    "rl c",
    "bit 3,e",
    "set 2,d",
    "res 7,a",
    "rra",
    "rr l",
    "sla b",
    "exx",
    "ld a,b\n and a",
    "ld c,0\n ld b,c",
    "ld hl,$c003\n cp (hl)",
];

/// Kinds of programs' parts.
pub const KINDS: [&str; 38] = [
    // Whether two places are the same.
    "ld hl,{o}a\n ld de,{o}b\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (20),a\n{o}a: @\n{o}b: @",
    "ld a,low({o}a)\n cp low({o}b)\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (21),a\n{o}a: @\n{o}b: @",
    "ld a,low({o}b)\n sub low({o}a)\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (21),a\n jp {o}e\n{o}a: @\n jp {o}b\n{o}b: @\n{o}e:",
    // Which of two comes first.
    "ld hl,{o}c\n ld de,{o}d\n or a\n sbc hl,de\n sbc a,a\n out (22),a\n{o}a: @\n jp {o}c\n{o}d: @\n jp {o}e\n{o}c: @\n jp {o}d\n{o}e:",
    // Loops until a pointer is at the end of a table.
    "ld hl,{o}t\n ld de,{o}e\n{o}l: ld a,(hl)\n out (23),a\n inc hl\n or a\n sbc hl,de\n add hl,de\n jp nz,{o}l\n jp {o}n\n{o}t: db 1,2,3\n{o}e: @\n jp {o}m\n{o}n: @\n jp {o}e\n{o}m:",
    "ld hl,{o}t\n ld de,{o}e\n{o}l: ld a,(hl)\n out (23),a\n inc hl\n or a\n sbc hl,de\n add hl,de\n jp c,{o}l\n jp {o}n\n{o}t: db 1,2,3\n{o}e: @\n jp {o}m\n{o}n: @\n jp {o}e\n{o}m:",
    "ld hl,{o}t\n{o}l: ld a,(hl)\n out (24),a\n inc hl\n ld a,l\n cp low({o}e)\n jp nz,{o}l\n jp {o}n\n{o}t: db 1,2,{n}\n{o}e: @\n jp {o}m\n{o}n: @\n jp {o}e\n{o}m:",
    "ld hl,{o}u\n ld ($c062),hl\n ld hl,{o}t\n{o}l: ld a,(hl)\n out (46),a\n inc hl\n ld de,($c062)\n or a\n sbc hl,de\n add hl,de\n jp c,{o}l\n jp {o}n\n{o}t: db 4,5,6\n{o}u: @\n jp {o}m\n{o}n: @\n jp {o}u\n{o}m:",
    // Code as data.
    "ld hl,{o}a\n ld b,{o}b-{o}a\n xor a\n{o}l: add a,(hl)\n inc hl\n djnz {o}l\n out (25),a\n{o}a: cp 0\n @\n{o}b:",
    "ld hl,{o}f\n ld de,{o}s\n or a\n sbc hl,de\n ld b,h\n ld c,l\n ex de,hl\n ld de,$c070\n ldir\n call $c070\n jp {o}f\n{o}s: ld a,({v})\n cp 0\n inc a\n out (42),a\n ret\n{o}f:",
    "ld bc,({o}d)\n ld hl,{o}a\n ld de,$c080\n ldir\n call $c080\n jp {o}e\n{o}a: ld a,({v})\n cp 0\n inc a\n out (42),a\n ret\n{o}b: nop\n{o}d: dw {o}b-{o}a\n{o}e:",
    // Data behind calls.
    "call puts\n db 65,66,{n}|1,0",
    "call exin\n db {n}",
    "call far\n dw {o}r\n jp {o}e\n{o}r: ld a,{n}\n out (27),a\n ret\n{o}e:",
    "rst $28\n db {n}",
    // Who called.
    "call {o}f\n{o}b: @\n call {o}f\n @\n jp {o}e\n{o}f: pop hl\n push hl\n ld de,{o}b\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (28),a\n ret\n{o}e:",
    "jp {o}g\n{o}h: call {o}f\n ld a,7\n out (29),a\n ret\n{o}f: pop de\n ld a,{n}\n cp 128\n ret c\n push de\n ret\n{o}g: call {o}h",
    "call {o}f\n @\n jp {o}e\n{o}f: ex (sp),hl\n ld a,h\n or l\n ld a,1\n jr nz,{o}s\n dec a\n{o}s: out (29),a\n ex (sp),hl\n ret\n{o}e:",
    // What was put on the stack.
    "ld hl,{n}\n push hl\n call {o}f\n pop hl\n jp {o}e\n{o}f: ld ix,2\n add ix,sp\n ld a,(ix+0)\n out (30),a\n ld (ix+0),9\n ret\n{o}e: ld a,l\n out (30),a",
    "ld bc,{n}\n push bc\n ld hl,0\n add hl,sp\n ld a,(hl)\n out (30),a\n ld (hl),7\n pop de\n ld a,e\n out (30),a",
    "ld hl,{o}r\n push hl\n ld a,({v})\n rrca\n jp c,{o}x\n ld a,{n}\n out (43),a\n ret\n{o}x: ld a,2\n out (43),a\n ret\n{o}r:",
    "ld hl,{o}r\n ld de,{n}\n push de\n ex (sp),hl\n ld a,l\n out (43),a\n ret\n{o}r: @",
    "di\n ld ($c064),sp\n ld sp,{o}t\n ret\n{o}t: dw {o}a,{o}b\n{o}a: ld a,1\n out (47),a\n ret\n{o}b: ld sp,($c064)\n ei",
    // Operands and opcodes that are written.
    "ld hl,{o}a\n ld ({o}j+1),hl\n{o}j: jp {o}b\n{o}a: ld a,1\n out (31),a\n jp {o}e\n{o}b: ld a,2\n out (31),a\n{o}e:",
    "ld a,({v})\n and 1\n add a,$3c\n ld ({o}p),a\n ld a,{n}\n{o}p: nop\n out (32),a",
    "ld ix,{o}p\n ld (ix+1),{n}\n{o}p: ld a,0\n out (33),a",
    "ld hl,{o}p+1\n ld b,2\n{o}l: ld (hl),{n}\n inc hl\n inc hl\n djnz {o}l\n{o}p: ld a,0\n ld c,0\n out (33),a\n ld a,c\n out (33),a",
    // Tables.
    "ld hl,{o}t\n ld b,({o}u-{o}t)/2\n{o}l: ld e,(hl)\n inc hl\n ld d,(hl)\n inc hl\n push hl\n push bc\n ex de,hl\n call gohl\n pop bc\n pop hl\n djnz {o}l\n jp {o}e\n{o}t: dw {o}a,{o}b\n{o}u:\n{o}a: @\n out (34),a\n ret\n{o}b: @\n out (34),a\n ret\n{o}e:",
    "ld hl,({o}t)\n ld de,({o}t+2)\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (35),a\n jp {o}e\n{o}t: dw {o}a,{o}b\n{o}a: ld a,4\n out (35),a\n ret\n{o}b: ld a,4\n out (35),a\n ret\n{o}e: @",
    "ld hl,{o}a\n ld ($c060),hl\n ld hl,({v})\n bit 0,l\n jr z,{o}s\n ld hl,{o}b\n ld ($c060),hl\n{o}s: ld hl,($c060)\n ld de,{o}b\n or a\n sbc hl,de\n ld a,1\n jr z,{o}w\n dec a\n{o}w: out (36),a\n jp {o}e\n{o}a: ld a,5\n out (36),a\n ret\n{o}b: ld a,5\n out (36),a\n ret\n{o}e:",
    "ld hl,{o}t\n ld bc,{o}e-{o}t\n ld a,7\n cpir\n ld a,c\n out (41),a\n jp {o}e\n{o}t: db 9,8,7,{n}\n{o}e:",
    "jp {o}e\n align 16\n{o}t: db 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,{n}\n{o}e: ld a,({v})\n and 15\n or low({o}t)\n ld l,a\n ld h,high({o}t)\n ld a,(hl)\n out (44),a",
    "ld iy,{o}t\n ld a,(iy+1)\n out (45),a\n inc iy\n ld a,(iy+1)\n out (45),a\n ld (iy-1),{n}\n ld iy,0\n jp {o}e\n{o}t: db 1,2,{n}\n{o}e: @",
    // Numbers instead of labels, and code that is entered within.
    "ld a,({v})\n and 3\n ld e,a\n ld d,0\n ld hl,{o}u\n add hl,de\n xor a\n jp (hl)\n{o}u: inc a\n inc a\n inc a\n out (38),a",
    "ld a,({v})\n rrca\n jr c,{o}b+1\n{o}b: ld bc,$043e\n out (39),a",
    "or a\n jr z,$+3\n inc a\n out (40),a",
    "ld b,3\n djnz $\n ld a,b\n out (40),a",
    "ld hl,{v}\n rld\n rrd\n inc (hl)\n ld a,(hl)\n out (48),a",
];

/// Kinds of parts of a fourth sort of programs, beside those above.
pub const LATER: [&str; 20] = [
    // A return address that is asked for elsewhere, and sequences before it that stand twice.
    "jp {o}g\n{o}f: pop de\n ld hl,{o}m\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (49),a\n jp {o}e\n{o}q: cp 0\n jp {o}f\n{o}g: @\n call {o}q\n{o}m: @\n{o}e:",
    "ld a,5\n ld hl,$c040\n ld (hl),a\n inc hl\n ld (hl),a\n call {o}q\n{o}m: @\n ld a,5\n ld hl,$c040\n ld (hl),a\n inc hl\n ld (hl),a\n call {o}q\n{o}n: @\n jp {o}e\n{o}q: pop de\n push de\n ld hl,{o}n\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (49),a\n ret\n{o}e:",
    "call {o}f\n{o}b: @\n call {o}f\n{o}c: ld hl,($c066)\n ld de,{o}c\n or a\n sbc hl,de\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (49),a\n jp {o}e\n{o}f: ex (sp),hl\n ld ($c066),hl\n ex (sp),hl\n ret\n{o}e:",
    // Distances in operands that are written, calls that become something else.
    "ld a,{o}a-{o}j-2\n ld ({o}j+1),a\n{o}j: jr {o}b\n{o}b: ld a,1\n out (50),a\n jp {o}e\n{o}a: ld a,2\n out (50),a\n{o}e:",
    "ld a,({v})\n rrca\n jr c,{o}c\n ld a,$21\n ld ({o}c),a\n{o}c: call {o}f\n ld a,$cd\n ld ({o}c),a\n jp {o}e\n{o}f: ld a,4\n out (50),a\n ret\n{o}e:",
    // Addresses by their bytes, or by what is added.
    "ld hl,{o}t\n ld e,(hl)\n inc hl\n ld d,(hl)\n ex de,hl\n jp (hl)\n{o}t: db low({o}a),high({o}a)\n{o}b: @\n{o}a: ld a,6\n out (51),a",
    "ld a,({v})\n and 1\n ld e,a\n ld d,0\n ld hl,{o}l\n add hl,de\n ld c,(hl)\n ld hl,{o}h\n add hl,de\n ld h,(hl)\n ld l,c\n jp (hl)\n{o}l: db low({o}a),low({o}b)\n{o}h: db high({o}a),high({o}b)\n{o}a: @\n ld a,6\n out (51),a\n jp {o}e\n{o}b: @\n ld a,6\n out (51),a\n{o}e:",
    "ld b,high({o}r)\n ld c,low({o}r)\n push bc\n ld bc,0\n ret\n{o}b: @\n{o}r: @",
    "ld hl,{o}t\n ld e,(hl)\n ld d,0\n add hl,de\n jp (hl)\n{o}t: db {o}a-{o}t\n{o}b: @\n{o}a: ld a,3\n out (51),a",
    "ld hl,{o}a\n ld a,l\n xor $55\n ld l,a\n ld b,l\n ld a,b\n xor $55\n ld l,a\n jp (hl)\n{o}b: @\n{o}a: ld a,3\n out (51),a",
    "ld hl,{o}a\n exx\n ld hl,0\n exx\n jp (hl)\n{o}b: @\n{o}a: ld a,3\n out (51),a",
    "ld ix,{o}a\n jp (ix)\n{o}b: @\n{o}a: ld a,3\n out (51),a",
    "ld hl,{o}t\n{o}l: ld a,(hl)\n out (51),a\n inc hl\n ld a,h\n cp high({o}e)\n jp nz,{o}l\n ld a,l\n cp low({o}e)\n jp nz,{o}l\n jp {o}n\n{o}t: db 1,{n}\n{o}e: @\n jp {o}m\n{o}n: @\n jp {o}e\n{o}m:",
    // The stack is left, or taken along.
    "di\n ld ($c068),sp\n call {o}f\n ld a,1\n out (52),a\n jp {o}e\n{o}f: ld a,({v})\n rrca\n ret c\n ld sp,($c068)\n ld a,2\n out (52),a\n{o}e: ei",
    "ld bc,{n}\n push bc\n call {o}f\n jp {o}e\n{o}f: pop hl\n pop bc\n ld a,c\n out (52),a\n jp (hl)\n{o}e:",
    "push hl\n push de\n ld hl,2\n add hl,sp\n ld a,(hl)\n and 0\n out (52),a\n pop de\n inc sp\n inc sp",
    // Data behind calls of other lengths.
    "call {o}f\n db 5\n jp {o}e\n{o}f: pop ix\n ld a,(ix+0)\n out (53),a\n inc ix\n jp (ix)\n{o}e:",
    "call {o}f\n db 2,7,{n}\n jp {o}e\n{o}f: pop hl\n ld b,(hl)\n inc hl\n{o}l: ld a,(hl)\n out (54),a\n inc hl\n djnz {o}l\n jp (hl)\n{o}e:",
    "call {o}f\n jr {o}b\n jr {o}a\n{o}a: ld a,1\n out (54),a\n jp {o}e\n{o}b: ld a,2\n out (54),a\n jp {o}e\n{o}f: ex (sp),hl\n ld a,({v})\n and 2\n add a,l\n ld l,a\n jr nc,{o}g\n inc h\n{o}g: ex (sp),hl\n ret\n{o}e:",
    "ld de,{o}w\n call puts\n db 70,0\n ld a,(de)\n out (54),a\n jp {o}e\n{o}w: db {n}\n{o}e:",
];

/// Kinds of parts of a fifth sort of programs, beside all those above.
pub const FURTHER: [&str; 30] = [
    // The order of addresses of code that are kept, in variables and in tables.
    "ld hl,{o}x\n ld ($c06a),hl\n ld hl,{o}m\n ld ($c06c),hl\n ld hl,($c06a)\n ld de,($c06c)\n or a\n sbc hl,de\n sbc a,a\n out (55),a\n ld hl,($c06a)\n call gohl\n ld hl,($c06c)\n call gohl\n call {o}f\n jp {o}e\n{o}f: @\n out (55),a\n jp {o}x\n{o}m: @\n out (55),a\n ret\n{o}x: @\n out (55),a\n ret\n{o}e:",
    "ld hl,{o}t\n ld e,(hl)\n inc hl\n ld d,(hl)\n inc hl\n ld a,(hl)\n inc hl\n ld h,(hl)\n ld l,a\n or a\n sbc hl,de\n sbc a,a\n out (55),a\n call {o}f\n call {o}m\n jp {o}e\n{o}f: @\n jp {o}x\n{o}m: @\n out (55),a\n ret\n{o}x: @\n out (55),a\n ret\n{o}t: dw {o}x,{o}m\n{o}e:",
    "ld hl,{o}x\n ld ($c06a),hl\n ld hl,{o}m\n ld ($c06c),hl\n ld a,($c06b)\n ld b,a\n ld a,($c06d)\n cp b\n jp nz,{o}u\n ld a,($c06a)\n ld b,a\n ld a,($c06c)\n cp b\n{o}u: sbc a,a\n out (55),a\n call {o}f\n jp {o}e\n{o}m: @\n out (55),a\n ret\n{o}f: @\n jp {o}x\n{o}k: call {o}m\n ret\n{o}x: @\n jp {o}k\n{o}e:",
    // An operand is a variable.
    "ld a,{n}\n ld ({o}c),a\n @\n ld b,0\n{o}c: equ $-1\n ld a,b\n out (56),a\n ld hl,{o}c\n inc (hl)\n ld a,({o}c)\n out (56),a",
    "ld b,3\n{o}l: push bc\n ld a,0\n{o}c: equ $-1\n add a,{n}\n ld ({o}c),a\n out (56),a\n pop bc\n djnz {o}l\n xor a\n ld ({o}c),a",
    "ld hl,({v})\n ld ({o}c),hl\n ld hl,0\n{o}c: equ $-2\n ld a,l\n out (56),a\n ld de,0\n ld ({o}c),de",
    // Where it runs.
    "call $+3\n{o}h: pop hl\n ld de,{o}m-{o}h\n add hl,de\n ld a,(hl)\n out (57),a\n jp {o}e\n @\n{o}m: db {n}\n{o}e:",
    "call {o}h\n{o}h: pop hl\n ld bc,{o}c-{o}h\n add hl,bc\n jp (hl)\n @\n{o}c: ld a,{n}\n out (57),a",
    // Instructions whose operands are others.
    "ld a,({v})\n rrca\n ld b,5\n jr c,{o}a\n ld b,6\n db $3e\n{o}a: inc b\n ld a,b\n out (58),a",
    "call {o}a\n call {o}b\n call {o}c\n jp {o}e\n{o}a: ld a,1\n db $21\n{o}b: ld a,2\n db $21\n{o}c: ld a,{n}\n out (58),a\n ret\n{o}e:",
    "ld a,{n}\n db $c3\n dw {o}t\n @\n{o}t: out (58),a\n db $21\n dw {o}m\n ld a,(hl)\n out (58),a\n jp {o}e\n{o}m: db {n}\n{o}e:",
    // Code that asks what it is.
    "ld hl,{o}s\n ld de,{o}k\n ld b,6\n{o}c: ld a,(de)\n cp (hl)\n jp nz,{o}x\n inc hl\n inc de\n djnz {o}c\n ld a,1\n out (59),a\n{o}s: ld a,1\n ld a,2\n out (59),a\n jp {o}e\n{o}k: db $3e,1,$3e,2,$d3,59\n{o}x: ld a,99\n out (59),a\n{o}e:",
    "ld a,({o}a)\n out (59),a\n ld hl,({o}a+1)\n ld a,l\n out (59),a\n{o}a: ld a,1\n ld a,{n}\n out (59),a",
    // Threads, tables with parameters, chains of returns.
    "ld de,{o}p\n{o}n: ld a,(de)\n ld l,a\n inc de\n ld a,(de)\n ld h,a\n inc de\n jp (hl)\n{o}i: ld a,(de)\n inc de\n out (60),a\n jp {o}n\n{o}b: ex de,hl\n ld e,(hl)\n inc hl\n ld d,(hl)\n jp {o}n\n{o}p: dw {o}i\n db {n}\n dw {o}b,{o}q,{o}i\n{o}q: dw {o}i\n db 3\n dw {o}e\n{o}e:",
    "ld hl,{o}t\n ld b,2\n{o}l: ld e,(hl)\n inc hl\n ld d,(hl)\n inc hl\n ld a,(hl)\n inc hl\n push hl\n push bc\n ex de,hl\n call gohl\n pop bc\n pop hl\n djnz {o}l\n jp {o}e\n{o}t: dw {o}a\n db {n}\n dw {o}b\n db 5\n{o}a: out (60),a\n jp {o}c\n{o}b: add a,a\n out (60),a\n ret\n{o}c: inc a\n out (60),a\n ret\n{o}e:",
    "ld hl,{o}z\n push hl\n ld hl,{o}b\n push hl\n ld hl,{o}a\n push hl\n ret\n{o}a: ld a,{n}\n out (60),a\n ret\n{o}b: ld a,{n}\n out (60),a\n ret\n{o}z:",
    "call {o}a\n ld a,9\n out (60),a\n jp {o}e\n{o}a: call {o}b\n ld a,1\n out (60),a\n ret\n{o}b: ld a,({v})\n rrca\n ret c\n pop hl\n ld a,2\n out (60),a\n ret\n{o}e:",
    // Bits of addresses.
    "jp {o}s\n align 4\n{o}t: db 1,2,3,{n}\n{o}s: ld hl,{o}t\n set 0,l\n ld a,(hl)\n out (61),a\n res 0,l\n set 1,l\n ld a,(hl)\n out (61),a\n ld a,l\n xor 1\n ld l,a\n ld a,(hl)\n out (61),a",
    "jp {o}s\n{o}t: db 1,2,3,4,5,6,7,{n}\n{o}s: ld hl,{o}t\n ld b,8\n{o}l: ld a,(hl)\n out (61),a\n inc hl\n djnz {o}l",
    // What lies below the stack, and a stack that is written over data.
    "di\n ld hl,({v})\n push hl\n pop de\n ld a,e\n add a,{n}\n xor d\n rlca\n ld ($c06e),a\n ld a,e\n add a,{n}\n xor d\n rlca\n ld ($c06e),a\n ld a,e\n add a,{n}\n xor d\n rlca\n ld ($c06e),a\n dec sp\n dec sp\n pop bc\n ld a,b\n out (62),a\n ei",
    "di\n ld ($c070),sp\n ld sp,$c0a0\n ld hl,({v})\n ld de,{n}\n push hl\n push de\n push hl\n push de\n inc hl\n push hl\n push de\n push hl\n push de\n inc hl\n push hl\n push de\n push hl\n push de\n ld sp,($c070)\n ei\n ld hl,$c088\n ld b,24\n{o}l: ld a,(hl)\n out (62),a\n inc hl\n djnz {o}l",
    // Coroutines.
    "di\n ld hl,$c0c0\n ld de,{o}c\n dec hl\n ld (hl),d\n dec hl\n ld (hl),e\n ld ($c074),hl\n ld b,2\n{o}l: push bc\n call {o}w\n pop bc\n djnz {o}l\n jp {o}e\n{o}c: ld c,{n}\n{o}d: inc c\n ld a,c\n out (63),a\n push bc\n call {o}w\n pop bc\n jp {o}d\n{o}w: ld ($c072),sp\n ld sp,($c074)\n ld hl,($c072)\n ld ($c074),hl\n ret\n{o}e: ei",
    // Flags behind blocks and calls.
    "ld hl,$c000\n ld de,$c078\n ld bc,3\n{o}l: ldi\n ld a,{n}\n jp pe,{o}l\n out (64),a",
    "ld a,({v})\n and $7f\n call {o}f\n jp pe,{o}g\n ld a,1\n out (64),a\n{o}g: ld a,2\n out (64),a\n jp {o}e\n{o}f: push bc\n ld b,3\n{o}h: djnz {o}h\n pop bc\n ret\n{o}e:",
    "ld a,({v})\n add a,{n}\n push af\n pop bc\n ld a,c\n and $d7\n out (64),a",
    "ld hl,$c000\n ld bc,$0341\n{o}l: outi\n jp nz,{o}l\n ld a,b\n out (64),a",
    // A mark on the stack that is compared and put back, registers kept for nothing, and what
    // a jump has asked for.
    "call {o}m\n{o}m: pop hl\n or a\n ld bc,{o}m\n sbc hl,bc\n add hl,bc\n push hl\n ld a,1\n jr z,{o}s\n dec a\n{o}s: out (65),a\n pop hl\n ld bc,{o}e\n or a\n sbc hl,bc\n add hl,bc\n jr z,{o}e\n ld bc,{o}e\n push bc\n jp (hl)\n{o}e:",
    "ld hl,({v})\n push hl\n ld hl,{v}\n inc (hl)\n pop hl\n ld a,l\n out (66),a\n push bc\n ld a,({v})\n call {o}f\n pop bc\n jp {o}e\n{o}f: inc a\n out (66),a\n ret\n{o}e:",
    "ld a,({v})\n and 3\n cp 1\n jr c,{o}a\n jr nz,{o}b\n ld a,1\n ld b,0\n out (67),a\n{o}b: ld a,({v})\n and 1\n jr z,{o}a\n ld c,1\n ld a,c\n out (67),a\n{o}a: ld a,{n}\n out (67),a",
    "ld hl,({v})\n ld a,h\n or l\n jr nz,{o}n\n ld b,0\n ld a,b\n out (68),a\n ld hl,0\n{o}n: ld a,l\n out (68),a\n ld a,({v})\n bit 7,a\n jr z,{o}p\n ld b,2\n{o}l: djnz {o}l\n ld a,b\n{o}p: ld a,{n}\n out (68),a",
];
