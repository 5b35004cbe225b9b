mm      macro p1
        if p1
        db 1
        exitm
        endif
        db 2
        endm
        mm 1
        mm 0
