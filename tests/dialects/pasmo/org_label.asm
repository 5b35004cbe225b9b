start   org 1234h
        dw start, $
        org $+2
        dw $
