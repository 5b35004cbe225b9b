        ld a,(ix+-1)
