        dup 3
        nop
        edup
        rept 2
        dup 2
        inc a
        edup
        dec a
        endr
        dup 4,i
        db i,i*2
        edup
n       = 0
        while n < 5
        db n
n       = n+1
        endw
        dup 0
        db 99
        edup
        dup 2 : inc b : edup : inc c
        .3 nop
        .(1+1) inc d
        macro many c
        dup c
        db c
        edup
        endm
        many 3
