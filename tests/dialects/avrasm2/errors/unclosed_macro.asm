.macro m
        nop
