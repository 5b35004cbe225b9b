many    macro rr1
        rept -1
        if nul rr1
        exitm
        endif
        push rr1
        .shift
        endm
        endm
        many af, bc, de, hl
pairs   macro op1
        local unused
unused  irp ?reg, af, bc
        op1 ?reg
        endm
        endm
        pairs push
        pairs pop
