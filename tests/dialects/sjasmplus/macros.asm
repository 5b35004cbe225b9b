        macro put a1,a2
        ld a,a1
        ld b,a2
        endm
        put 1,2
        put (hl),<3>
pair    macro x,y
x       dw y
        endm
        pair name,5
        dw name
wait    macro n
        ld b,n
.loop   djnz .loop
        endm
        wait 5
main    wait 6
.loop   nop
        jr .loop
        macro outer v
.o      wait v
        jr .o
        endm
        outer 7
        macro list l
        db l
        endm
        list <1,2,3>
        list "a,b"
        macro none
        nop
        endm
        none
l2      none
        macro joined p
lbl_p   dw p_lbl,lbl_p
        endm
p1_lbl  equ 3
        joined p1
        dw lbl_p1
        macro cond k
        if k > 1
        db k
        cond k-1
        endif
        endm
        cond 4
        none : none : db 9
        macro named first,second
        db first,second
        endm
        named second=2,first=1
