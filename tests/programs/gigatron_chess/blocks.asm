; A program of blocks that do nothing, of many lengths, to see what the shell makes of
; them. A block has 8 to LIMIT clocks with the four of its test, or SAME.
        machine gigatron-32k
        include "map.asm"
        include "macros.asm"
        include "sprites.asm"
        include "shell.asm"

; A block. `last`: it ends with a jump to the next page.
macro block(p, i, next)
seed    set (seed * 1103 + 12345) & $ffff
        ifdef SAME
length  set SAME
        else
length  set 8 + (seed >> 4) % (LIMIT - 7)
        endif
b##p##at##i:
        ld [left]
        blt l##p##at##i
r##p##at##i:
        suba length
        st [left]
        if i == 5
        repeat length - 7
        nop
        endr
        ld hi(next),y
        jmp y,next
        nop
        else
        repeat length - 4
        nop
        endr
        endif
endm

macro stub(p, i)
l##p##at##i:
        bra l##p
        ld low(r##p##at##i)
endm

seed    set 12345
        repeat 16, p
        section blocks##p in rom size=256
        org (1 + p) * 256
        if p == 0
main:
        endif
        repeat 1, q, (p + 1) % 16
        repeat 6, i
        block p, i, b##q##at0
        endr
        endr
l##p:   st [back]
        ld hi(late),y
        jmp y,late
        ld hi($)
        repeat 6, i
        stub p, i
        endr
        endr
