; labels in column 1, with a colon or without; words there are labels too
start:  ld a,1
loop    djnz loop
nop
        jp start
org:    nop
        dw nop,org,loop
second: ld b,2
        dw second
_under  equ 5
        db _under
ld      ld c,3
        dw ld
a?b     db 1
        dw a?b
x!      db 2
        dw x!
