        ld a,(ix+256)
