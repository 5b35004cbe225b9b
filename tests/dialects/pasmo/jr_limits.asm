        jr $+129
        ds 127
        jr $-126
        djnz $+2
