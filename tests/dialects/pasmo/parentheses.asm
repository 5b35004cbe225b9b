; only memory operands take the parenthesis
        ld a,(1+2)
        ld hl,(1+2)
        ld (1+2),hl
        ld b,(1+2)*3
        ld b,(5)
        cp (6)
        call (7)
        ld (hl),(8)
        db (1), (2)+(3)
