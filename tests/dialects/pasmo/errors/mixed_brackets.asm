        ld a,(hl]
