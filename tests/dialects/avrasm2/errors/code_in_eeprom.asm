.eseg
        nop
