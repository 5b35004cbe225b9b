_callTable_ EQU     0x007E
vAC         EQU     0x18
data        EQU     0x0300
            CALL    one
            CALL    two
            CALL    one
            CALL    three
            CALL    vAC
here        BRA     here
one         RET
two         RET
three       RET
data        DB      1 2 3
