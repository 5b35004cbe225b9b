; what is always defined, digits in groups, nothing but words behind @
        ifdef _SJASMPLUS
        db _SJASMPLUS
        endif
        dw %0000'0001'1000'0000,#12'34,1'000
        dd 0x12'34'56'78
        macro nop
        db 1
        endm
        nop
        @nop
        @ nop
        ldi (hl),b,a,(de)
