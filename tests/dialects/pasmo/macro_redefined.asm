mm      macro
        db 1
        endm
        mm
mm      macro
        db 2
        endm
        mm
