; names fold; registers may be names of values; Z80 words are names
b       equ 5
ld      equ 6
inc     set 1
INC     set inc+1
        org 0
djnz:   mvi a,b
        mvi b,ld
        db Inc
twice   macro x
        mvi a,&x
        mvi c,&X
        endm
        TWICE 7
        jmp DJNZ
#local
jr      nop
out1    nop
        jmp jr
#endlocal
        call out2
Out2::
