; $ is the start of the statement
        org 1000h
        db 1, 2
        dw $, $, $+1, $-2
here:   equ $
        dw here
x1:     ld hl,$
        jr $
