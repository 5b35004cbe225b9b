.macro m
        ldi r16, @0
.endm
        m
