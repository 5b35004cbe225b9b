        rept 5, ii
        if ii = 2
        exitm
        endif
        db ii
        endm
        db 0ffh
