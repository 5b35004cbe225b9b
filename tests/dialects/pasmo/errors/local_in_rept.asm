        rept 2
        local l1
l1:     nop
        endm
