//! What random programs of an AVR do with addresses beside the plain things: compare them,
//! count with them, take them from the stack and put them there, read code as data, lay data
//! behind calls, look into frames and into registers by their addresses.
//!
//! In a text `{o}` is a name of its own, `{n}` a number, `{v}` a variable, and `@` some plain
//! instructions, before which registers forget what addresses they had.

/// What is called by some of them.
pub const ROUTINES: &str = "\
puts: pop r31\n pop r30\n lsl r30\n rol r31\nputsl: lpm r16,z+\n tst r16\n breq putse\n out 12,r16
 rjmp putsl\nputse: adiw r30,1\n lsr r31\n ror r30\n ijmp
next: lpm r24,z+\n lpm r25,z+\n push r24\n push r25\n ret
";

/// Kinds of programs' parts.
pub const KINDS: [&str; 46] = [
    // Whether two places are the same, and which comes first.
    "ldi r24,low({o}a)\n ldi r25,high({o}a)\n ldi r30,low({o}b)\n ldi r31,high({o}b)\n cp r24,r30\n cpc r25,r31\n ldi r16,1\n breq {o}s\n clr r16\n{o}s: out 5,r16\n{o}a: @\n{o}b: @",
    "ldi r16,low({o}a)\n cpi r16,low({o}b)\n ldi r16,1\n breq {o}s\n clr r16\n{o}s: out 5,r16\n rjmp {o}e\n{o}a: @\n rjmp {o}b\n{o}b: @\n{o}e:",
    "ldi r24,low({o}c)\n ldi r25,high({o}c)\n ldi r30,low({o}d)\n ldi r31,high({o}d)\n cp r24,r30\n cpc r25,r31\n ldi r16,1\n brlo {o}s\n clr r16\n{o}s: out 5,r16\n{o}a: @\n jmp {o}c\n{o}d: @\n jmp {o}e\n{o}c: @\n jmp {o}d\n{o}e:",
    // Loops until a pointer is at the end of a table.
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n{o}l: lpm r16,z+\n out 6,r16\n ldi r16,high({o}e*2)\n cpi r30,low({o}e*2)\n cpc r31,r16\n brne {o}l\n jmp {o}n\n{o}t: .db 1,2,3,4\n{o}e: @\n jmp {o}m\n{o}n: @\n jmp {o}e\n{o}m:",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n{o}l: lpm r16,z+\n out 6,r16\n ldi r16,high({o}e*2)\n cpi r30,low({o}e*2)\n cpc r31,r16\n brlo {o}l\n jmp {o}n\n{o}t: .db 1,2,3,4\n{o}e: @\n jmp {o}m\n{o}n: @\n jmp {o}e\n{o}m:",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n{o}l: lpm r16,z+\n out 6,r16\n cpi r30,low({o}e*2)\n brne {o}l\n jmp {o}n\n{o}t: .db 1,{n}\n{o}e: @\n jmp {o}m\n{o}n: @\n jmp {o}e\n{o}m:",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n ldi r24,({o}u-{o}t)*2\n{o}l: lpm r16,z+\n out 6,r16\n dec r24\n brne {o}l\n jmp {o}u\n{o}t: .db 7,{n},9,1\n{o}u: @",
    // Code as data.
    "ldi r30,low({o}a*2)\n ldi r31,high({o}a*2)\n ldi r24,({o}b-{o}a)*2\n clr r16\n{o}l: lpm r0,z+\n add r16,r0\n dec r24\n brne {o}l\n out 6,r16\n{o}a: ldi r16,1\n ldi r16,{n}\n sts {v},r16\n tst r16\n{o}b: clr r0",
    "ldi r30,low({o}a*2)\n ldi r31,high({o}a*2)\n lpm r16,z+\n out 6,r16\n lpm\n out 6,r0\n clr r0\n{o}a: ldi r16,1\n ldi r16,{n}\n sts {v},r16",
    // Data behind calls, and routines that go on farther than right behind.
    "call puts\n .db 65,66,67,0",
    "call {o}f\n .db 65,{n}\n out 7,r16\n out 7,r17\n jmp {o}e\n{o}f: pop r31\n pop r30\n lsl r30\n rol r31\n lpm r16,z+\n lpm r17,z+\n lsr r31\n ror r30\n push r30\n push r31\n ret\n{o}e:",
    "lds r16,{v}\n rcall {o}f\n rjmp {o}b\n ldi r16,2\n out 7,r16\n jmp {o}e\n{o}b: ldi r16,3\n out 7,r16\n jmp {o}e\n{o}f: sbrs r16,0\n ret\n pop r31\n pop r30\n adiw r30,1\n ijmp\n{o}e:",
    "lds r16,{v}\n andi r16,1\n call {o}f\n rjmp {o}a\n rjmp {o}b\n{o}a: ldi r16,1\n out 7,r16\n jmp {o}e\n{o}b: ldi r16,2\n out 7,r16\n jmp {o}e\n{o}f: pop r31\n pop r30\n add r30,r16\n brcc {o}g\n inc r31\n{o}g: push r30\n push r31\n ret\n{o}e:",
    "call {o}f\n .dw {o}r\n jmp {o}e\n{o}r: ldi r16,{n}\n out 7,r16\n ret\n{o}f: pop r31\n pop r30\n movw r26,r30\n adiw r26,1\n push r26\n push r27\n lsl r30\n rol r31\n lpm r24,z+\n lpm r25,z\n movw r30,r24\n ijmp\n{o}e:",
    "call {o}a\n ldi r16,9\n out 7,r16\n jmp {o}e\n{o}a: call {o}b\n ldi r16,1\n out 7,r16\n ret\n{o}b: lds r16,{v}\n sbrc r16,0\n ret\n pop r16\n pop r16\n ldi r16,2\n out 7,r16\n ret\n{o}e:",
    // Who called.
    "call {o}f\n{o}b: @\n call {o}f\n @\n jmp {o}e\n{o}f: pop r31\n pop r30\n push r30\n push r31\n ldi r16,high({o}b)\n cpi r30,low({o}b)\n cpc r31,r16\n ldi r16,1\n breq {o}s\n clr r16\n{o}s: out 7,r16\n ret\n{o}e:",
    "rcall {o}h\n{o}h: pop r31\n pop r30\n adiw r30,{o}m-{o}h\n ijmp\n @\n{o}m: ldi r16,{n}\n out 7,r16",
    // Addresses on the stack.
    "ldi r16,low({o}z)\n push r16\n ldi r16,high({o}z)\n push r16\n ldi r16,low({o}b)\n push r16\n ldi r16,high({o}b)\n push r16\n ldi r16,low({o}a)\n push r16\n ldi r16,high({o}a)\n push r16\n ret\n{o}a: ldi r16,{n}\n out 8,r16\n ret\n{o}b: ldi r16,{n}\n out 8,r16\n ret\n{o}z:",
    "ldi r16,low({o}r)\n push r16\n ldi r16,high({o}r)\n push r16\n lds r16,{v}\n sbrc r16,0\n rjmp {o}x\n ldi r16,{n}\n out 8,r16\n ret\n{o}x: ldi r16,2\n out 8,r16\n ret\n{o}r: @",
    // What lies on the stack.
    "ldi r16,{n}\n push r16\n call {o}f\n pop r16\n out 8,r16\n jmp {o}e\n{o}f: in r30,0x3d\n in r31,0x3e\n ldd r16,z+3\n out 8,r16\n ldi r16,9\n std z+3,r16\n ret\n{o}e:",
    "push r28\n push r29\n in r28,0x3d\n in r29,0x3e\n sbiw r28,4\n in r0,0x3f\n cli\n out 0x3e,r29\n out 0x3f,r0\n out 0x3d,r28\n ldi r16,{n}\n std y+1,r16\n lds r16,{v}\n std y+2,r16\n call {o}f\n ldd r16,y+1\n out 8,r16\n adiw r28,4\n in r0,0x3f\n cli\n out 0x3e,r29\n out 0x3f,r0\n out 0x3d,r28\n pop r29\n pop r28\n clr r0\n jmp {o}e\n{o}f: ldd r16,y+2\n inc r16\n std y+1,r16\n ret\n{o}e:",
    "ldi r16,{n}\n push r16\n ldi r16,3\n push r16\n ldi r16,5\n lds r17,{v}\n sts {v},r16\n in r30,0x3d\n in r31,0x3e\n ldd r16,z+2\n out 8,r16\n pop r16\n pop r16\n ldi r16,5\n lds r17,{v}\n sts {v},r16",
    "in r22,0x3f\n cli\n ldi r16,{n}\n push r16\n pop r17\n lds r16,{v}\n eor r16,r17\n swap r16\n sts {v},r16\n lds r16,{v}\n eor r16,r17\n swap r16\n sts {v},r16\n lds r16,{v}\n eor r16,r17\n swap r16\n sts {v},r16\n in r30,0x3d\n in r31,0x3e\n ld r16,z\n out 8,r16\n out 0x3f,r22\n clr r22",
    // The stack is another for a while.
    "in r22,0x3f\n cli\n in r24,0x3d\n in r25,0x3e\n ldi r16,low(0x1ff)\n out 0x3d,r16\n ldi r16,high(0x1ff)\n out 0x3e,r16\n ldi r16,{n}\n push r16\n push r16\n lds r17,0x1ff\n out 8,r17\n out 0x3d,r24\n out 0x3e,r25\n out 0x3f,r22\n clr r22",
    "in r22,0x3f\n cli\n in r24,0x3d\n in r25,0x3e\n sts 0x150,r24\n sts 0x151,r25\n call {o}f\n ldi r16,1\n out 8,r16\n jmp {o}e\n{o}f: lds r16,{v}\n sbrc r16,0\n ret\n lds r16,0x150\n out 0x3d,r16\n lds r16,0x151\n out 0x3e,r16\n ldi r16,2\n out 8,r16\n{o}e: out 0x3f,r22\n clr r22",
    // Tables of code.
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n ldi r16,({o}u-{o}t)\n{o}l: lpm r24,z+\n lpm r25,z+\n push r16\n push r30\n push r31\n movw r30,r24\n icall\n pop r31\n pop r30\n pop r16\n dec r16\n brne {o}l\n jmp {o}e\n{o}t: .dw {o}a,{o}b\n{o}u:\n{o}a: @\n out 9,r16\n ret\n{o}b: @\n out 9,r16\n ret\n{o}e:",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n lpm r24,z+\n lpm r25,z+\n lpm r26,z+\n lpm r27,z+\n cp r24,r26\n cpc r25,r27\n ldi r16,1\n breq {o}s\n clr r16\n{o}s: out 9,r16\n jmp {o}e\n{o}t: .dw {o}a,{o}b\n{o}a: ldi r16,4\n out 9,r16\n ret\n{o}b: ldi r16,4\n out 9,r16\n ret\n{o}e: @",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n lpm r24,z+\n lpm r25,z+\n lpm r26,z+\n lpm r27,z+\n cp r24,r26\n cpc r25,r27\n ldi r16,1\n brlo {o}s\n clr r16\n{o}s: out 9,r16\n call {o}f\n call {o}m\n jmp {o}e\n{o}f: @\n jmp {o}x\n{o}m: @\n out 9,r16\n ret\n{o}x: @\n out 9,r16\n ret\n{o}t: .dw {o}x,{o}m\n{o}e:",
    "ldi r16,low({o}x)\n sts 0x152,r16\n ldi r16,high({o}x)\n sts 0x153,r16\n ldi r16,low({o}m)\n sts 0x154,r16\n ldi r16,high({o}m)\n sts 0x155,r16\n lds r24,0x152\n lds r25,0x153\n lds r30,0x154\n lds r31,0x155\n cp r24,r30\n cpc r25,r31\n ldi r16,1\n brlo {o}s\n clr r16\n{o}s: out 9,r16\n icall\n lds r30,0x152\n lds r31,0x153\n icall\n call {o}f\n jmp {o}e\n{o}f: @\n out 9,r16\n jmp {o}x\n{o}m: @\n out 9,r16\n ret\n{o}x: @\n out 9,r16\n ret\n{o}e:",
    "lds r16,{v}\n andi r16,1\n clr r1\n ldi r30,low({o}l*2)\n ldi r31,high({o}l*2)\n add r30,r16\n adc r31,r1\n lpm r24,z\n ldi r30,low({o}h*2)\n ldi r31,high({o}h*2)\n add r30,r16\n adc r31,r1\n lpm r25,z\n movw r30,r24\n ijmp\n{o}l: .db low({o}a),low({o}b)\n{o}h: .db high({o}a),high({o}b)\n{o}a: @\n ldi r16,6\n out 9,r16\n jmp {o}e\n{o}b: @\n ldi r16,6\n out 9,r16\n{o}e:",
    "ldi r30,low({o}p*2)\n ldi r31,high({o}p*2)\n jmp next\n{o}i: lpm r16,z+\n out 9,r16\n lpm r16,z+\n jmp next\n{o}b: lpm r24,z+\n lpm r25,z\n movw r30,r24\n lsl r30\n rol r31\n jmp next\n{o}p: .dw {o}i\n .db {n},0\n .dw {o}b,{o}q,{o}i\n{o}q: .dw {o}i\n .db 3,0\n .dw {o}e\n{o}e:",
    "lds r16,{v}\n andi r16,3\n clr r1\n ldi r30,low({o}u)\n ldi r31,high({o}u)\n add r30,r16\n adc r31,r1\n clr r16\n ijmp\n{o}u: inc r16\n inc r16\n inc r16\n out 9,r16",
    "lds r16,{v}\n andi r16,1\n lsl r16\n clr r1\n ldi r30,low({o}u)\n ldi r31,high({o}u)\n add r30,r16\n adc r31,r1\n icall\n jmp {o}e\n{o}u: ldi r17,1\n rjmp {o}o\n ldi r17,2\n rjmp {o}o\n{o}o: out 9,r17\n ret\n{o}e:",
    // Addresses that are counted to.
    "lds r30,{v}\n andi r30,3\n clr r31\n subi r30,low(-({o}t*2))\n sbci r31,high(-({o}t*2))\n lpm r16,z\n out 10,r16\n jmp {o}e\n{o}t: .db {n},8,9,10\n{o}e:",
    "ldi r30,low({o}a)\n ldi r31,high({o}a)\n adiw r30,{o}b-{o}a\n ijmp\n{o}a: @\n{o}b: ldi r16,3\n out 10,r16",
    "ldi r30,low({o}t*2+4)\n ldi r31,high({o}t*2+4)\n sbiw r30,3\n lpm r16,z+\n out 10,r16\n lpm r16,z\n out 10,r16\n jmp {o}e\n{o}t: .db 1,{n},3,4\n{o}e: @",
    "ldi r30,low({o}t*2)\n ldi r31,high({o}t*2)\n ldi r16,2\n eor r30,r16\n lpm r16,z\n out 10,r16\n ldi r16,1\n or r30,r16\n lpm r16,z\n out 10,r16\n jmp {o}e\n .org (pc+3)&-4\n{o}t: .db 1,{n},3,4\n{o}e:",
    "ldi r30,low({o}a)\n ldi r31,high({o}a)\n com r30\n mov r24,r30\n com r24\n mov r30,r24\n ijmp\n{o}b: @\n{o}a: ldi r16,3\n out 10,r16",
    // Jumps by numbers, and over what is long or short.
    "lds r16,{v}\n tst r16\n breq PC+2\n inc r16\n rjmp PC+2\n inc r16\n out 10,r16",
    "lds r16,{v}\n sbrc r16,0\n rjmp PC+3\n sts {v},r16\n ldi r16,5\n out 10,r16",
    "sbi 0x1e,1\n sbis 0x1e,1\n jmp {o}a\n sbic 0x1e,2\n call {o}f\n cbi 0x1e,1\n jmp {o}a\n{o}f: ldi r16,7\n out 10,r16\n ret\n{o}a:",
    // Flags and bits that are kept.
    "lds r16,{v}\n bst r16,3\n call {o}f\n clr r17\n bld r17,6\n out 11,r17\n brts {o}k\n ldi r16,1\n out 11,r16\n{o}k: jmp {o}e\n{o}f: ldi r16,1\n ldi r16,2\n sts 0x156,r16\n ret\n{o}e:",
    "lds r16,{v}\n subi r16,{n}\n in r16,0x3f\n andi r16,0x3f\n out 11,r16",
    "lds r16,{v}\n ldi r17,{n}\n mul r16,r17\n mov r16,r0\n add r16,r1\n clr r1\n clr r0\n out 11,r16",
    // Registers by their addresses.
    "ldi r16,{n}\n lds r17,16\n out 11,r17\n ldi r16,5\n sts 17,r16\n out 11,r17",
    "ldi r28,low(0x158)\n ldi r29,high(0x158)\n ldi r16,{n}\n st -y,r16\n st -y,r16\n call {o}f\n ld r16,y+\n out 11,r16\n jmp {o}e\n{o}f: ld r17,y+\n inc r17\n st y,r17\n ret\n{o}e:",
];
