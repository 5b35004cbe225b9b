list    macro a1
        db a1
        .shift
        db a1
        endm
        list 1, 2, 3
all     macro n, a1
        rept n
        db a1
        .shift
        endm
        endm
        all 1, 7
