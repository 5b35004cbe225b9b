        rept 3
        db 1
        endm
        rept 3, ii
        db ii
        endm
        rept 3, ii, 2, 5
        db ii
        endm
        rept 0
        db 99
        endm
        rept 2, ii, 10
        rept 2, j
        db ii+j
        endm
        endm
