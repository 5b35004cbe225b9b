        endm
