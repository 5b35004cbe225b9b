        LD A,(IX+5)
Label   nop
label   nop
        dw Label,label
        DB HIGH #1234
        EX AF,AF'
        IF 1
        DB 1
        ENDIF
        DUP 2
        NOP
        EDUP
