        byte 1,2,3
        word 1,#1234
        dword #12345678
        defb 4
        defw 5
        defm "x"
        defs 3
        ds 2,#aa
        block 4,1
        block 6,1,2,3
        defd 1
        .db 7
        .word 8
        db $,$
here    dw $,here,$-here
        db later,later+1
        dw later*2
later   equ 9
