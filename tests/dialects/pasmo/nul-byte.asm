mm      macro p1
        if nul p1
        db 0
        else
        db 1
        endif
        endm
        mm
        mm 5
