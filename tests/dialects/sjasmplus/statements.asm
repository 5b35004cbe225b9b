        ld a,1 : ld b,2 : inc a ; comment : nop
lab: ld a,3 : ld c,':' : db "a:b"
lab2 inc a : dec a
 xor a:ret
        nop // comment : nop
        nop /* a comment : here */ : inc b
        /* over
        lines : nop
        */ inc c
        dw lab,lab2
