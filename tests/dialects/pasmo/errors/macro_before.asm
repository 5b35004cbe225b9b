        mm 5
mm      macro p
        db p
        endm
